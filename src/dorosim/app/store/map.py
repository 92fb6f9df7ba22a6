"""Finds maps, reads them, and keeps their compiled form in the cache."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from dorosim import __version__
from dorosim.app.run.report.progress import working
from dorosim.app.store.folder import cache_folder, is_there
from dorosim.app.store.lanelet2_file import AUTOWARE_FILE, is_lanelet2, lanelet2_bytes
from dorosim.app.store.mapped_file import kept_mapped
from dorosim.app.store.opendrive_file import is_opendrive, opendrive_bytes
from dorosim.ground.error import InputError
from dorosim.road.lanelet2.version import LANELET2_VERSION
from dorosim.road.opendrive.version import CONVERSION_VERSION

if TYPE_CHECKING:
    from dorosim.road.mgeo.record import MGeoMap
    from dorosim.road.network import RoadNetwork
    from dorosim.world.traffic.plan import TrafficPlan

TOWN = "town"
BUILT_IN = (TOWN, "village", "motorway")
"""Names of the built-in maps, which `tools.town` makes; the first is the one that runs are on by default."""
EMPTY = "empty"
"""Name of the map of scenarios that name none: level ground without lanes, 1 km wide and long."""
_EMPTY_ROAD = b"""<?xml version="1.0"?><OpenDRIVE><header revMajor="1" revMinor="6" name="empty"/>
<road name="ground" length="1000" id="1" junction="-1"><planView><geometry s="0" x="-500" y="0" hdg="0" length="1000">
<line/></geometry></planView><lanes><laneSection s="0"><left><lane id="1" type="none" level="false">
<width sOffset="0" a="500" b="0" c="0" d="0"/></lane></left><center><lane id="0" type="none" level="false"/></center>
<right><lane id="-1" type="none" level="false"><width sOffset="0" a="500" b="0" c="0" d="0"/></lane></right>
</laneSection></lanes></road></OpenDRIVE>"""
_READ = (".json", ".mprj")
_ENDINGS = (".zip", ".xodr", ".osm")
MAX_MAP_SIZE = 1 << 30
"""A zip file that unpacks to more than this [bytes] is taken for a mistake, or for malice."""
_K_CITY = "R_KR_PG_K-City"
MAX_KEPT_NETWORKS = 2
"""Maps whose networks a process keeps."""
_networks: dict[str, RoadNetwork] = {}
_plans: dict[str, tuple[RoadNetwork, TrafficPlan]] = {}
"""Networks, which are all in `_networks`, and their plans."""


@dataclass(frozen=True, slots=True)
class MapFiles:
    """A map as it lies on disk.

    Attributes:
        name: of the map. source: as a user would name it. files: content by file name. digest: hex, of all content.
    """

    name: str
    source: str
    files: dict[str, bytes]
    digest: str


def read_map_files(name: str, data: Path | None = None) -> MapFiles:
    """The files of a map.

    Args:
        name: of a built-in map, a folder, zip, OpenDRIVE or Lanelet2 file, or the name of one in Map/ of `data`. In
            names, not in paths, case, blanks, "_" and "-" do not count where none is written just so.
        data: the data folder.

    Raises:
        InputError: there is no such map, or it cannot be read.
    """
    if name == EMPTY:
        return _map_files(name, f"built-in {name}", {f"{name}.xodr": _EMPTY_ROAD}, CONVERSION_VERSION)
    path = None if name in BUILT_IN else find_map(name, data)
    if path is None:
        built_in = plain_name(name)
        packed = resources.files("dorosim.app").joinpath(f"{built_in}.zip").read_bytes()
        return _map_files(built_in, f"built-in {built_in}", _unpack(f"built-in {built_in}", packed))
    try:
        if is_opendrive(path.name):
            return _map_files(path.stem, str(path), {path.name: opendrive_bytes(path)}, CONVERSION_VERSION)
        if is_lanelet2(path.name):
            return _map_files(path.stem, str(path), {path.name: lanelet2_bytes(path)}, LANELET2_VERSION)
        if path.is_dir():
            if is_there(path / AUTOWARE_FILE):
                roads = {AUTOWARE_FILE: lanelet2_bytes(path / AUTOWARE_FILE)}
                return _map_files(path.resolve().name, str(path / AUTOWARE_FILE), roads, LANELET2_VERSION)
            files = {one.name: one.read_bytes() for one in sorted(path.iterdir()) if one.suffix in _READ}
        else:
            files = _unpack(str(path), path.read_bytes())
    except OSError as error:
        raise InputError(str(path), "", f"cannot be read: {error.strerror}", "check its permissions") from None
    if not files:
        raise InputError(str(path), "", "holds no MGeo files", "give a folder with node_set.json and link_set.json")
    return _map_files(path.stem if path.suffix == ".zip" else path.resolve().name, str(path), files)


def plain_name(name: str) -> str:
    """A map's name without its ending, in small letters, without blanks, "_" and "-": by this names are compared."""
    path = Path(name)
    return re.sub(r"[\s_-]+", "", path.stem if path.suffix.lower() in _ENDINGS else path.name).lower()


def find_map(name: str, data: Path | None) -> Path | None:
    """Where a map lies; None for a built-in one.

    Raises:
        InputError: there is none.
    """
    tried, is_name = [Path(name)], Path(name).name == name
    if data is not None and is_name:
        tried += [data / "Map" / f"{name}{suffix}" for suffix in ("", ".zip", ".xodr", ".osm")]
    for path in tried:
        if is_there(path):
            return path
    known = list(BUILT_IN)
    there = sorted((data / "Map").iterdir()) if data is not None and (data / "Map").is_dir() else []
    if is_name and Path(name).suffix.lower() not in _ENDINGS:
        alike = [path for path in there if plain_name(path.name) == plain_name(name)]
        if alike or plain_name(name) in BUILT_IN:
            return alike[0] if alike else None
    known += [path.name for path in there]
    near = get_close_matches(name, known, n=1)
    listed = f"known maps: {', '.join(known)}"
    cure = f"did you mean {near[0]!r}? ({listed})" if near else listed
    raise InputError(f"map {name!r}", "", "there is no such map or folder", cure)


def _unpack(source: str, packed: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            entries = [one for one in archive.infolist() if one.filename.endswith(_READ)]
            if sum(one.file_size for one in entries) > MAX_MAP_SIZE:
                problem = f"unpacks to more than {MAX_MAP_SIZE >> 20} MiB"
                raise InputError(source, "", problem, "unpack it and give the folder, if that is meant")
            entries.sort(key=lambda one: one.filename)
            return {Path(one.filename).name: archive.read(one) for one in entries}
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError) as error:
        raise InputError(source, "", f"is not a zip file: {error}", "give a folder or zip of MGeo files") from None


def _map_files(name: str, source: str, files: dict[str, bytes], version: int = 0) -> MapFiles:
    """A map; `version` is that of the conversion that its files need, if any."""
    digest = hashlib.blake2b(digest_size=16, salt=version.to_bytes(8, "little") if version else b"")
    for file_name in sorted(files):
        digest.update(file_name.encode() + b"\0" + len(files[file_name]).to_bytes(8, "little"))
        digest.update(files[file_name])
    return MapFiles(name, source, files, digest.hexdigest())


def _version(kind: type) -> str:
    """What changes with the structure of a class, with the code that makes it, and with dorosim."""
    from dorosim.ground.jit import cache_folder as kernel_folder
    from dorosim.road.store import structure

    return f"{structure(kind)}.{__version__}.{kernel_folder().name}"


def load_network(map_files: MapFiles) -> RoadNetwork:
    """The compiled network of a map, from the cache where it is there.

    Raises:
        InputError: the map is broken; the error names file and place.
    """
    from dorosim.road.lane_network import RoadNetwork

    cached = cache_folder() / "map" / f"{map_files.name}-{map_files.digest}-{_version(RoadNetwork)}.network"

    def make() -> RoadNetwork:
        from dorosim.road.network import network_from_mgeo

        with working(f"building the roads of {map_files.name}, once"):
            return network_from_mgeo(read_records(map_files))

    return kept_mapped(cached, RoadNetwork, make)


def plan_of(map_files: MapFiles, network: RoadNetwork) -> TrafficPlan:
    """What traffic makes of the roads of a map, which this process keeps as it does the roads, else from the cache.

    Args:
        map_files: the map.
        network: the same map, compiled; for other roads than `network_of` has for it nothing is kept.
    """
    from dorosim.world.traffic.plan import TrafficPlan

    key = f"{map_files.name}-{map_files.digest}"
    if _networks.get(key) is not network:
        return TrafficPlan.from_network(network)
    of, made = _plans.get(key, (None, None))
    if made is None or of is not network:
        cached = cache_folder() / "map" / f"{key}-{_version(TrafficPlan)}.plan"
        made = kept_mapped(cached, TrafficPlan, lambda: TrafficPlan.from_network(network))
        for old in [one for one in _plans if one not in _networks]:
            _plans.pop(old, None)
        _plans[key] = network, made
    return made


def network_of(map_files: MapFiles) -> RoadNetwork:
    """The compiled network of a map, which this process keeps for its next run on the map, with the plans made of it.

    Raises:
        InputError: the map is broken; the error names file and place.
    """
    key = f"{map_files.name}-{map_files.digest}"
    network = _networks.pop(key, None) or load_network(map_files)
    _networks[key] = network  # the one used last comes last
    for old in list(_networks)[:-MAX_KEPT_NETWORKS]:
        _networks.pop(old, None)
    return network


def read_records(map_files: MapFiles) -> MGeoMap:
    """The records of a map; they are kept for the next call until `forget_records`.

    Raises:
        InputError: the map is broken; the error names file and place.
    """
    key = (map_files.source, map_files.digest)
    if key not in _records:
        _records.clear()
        _records[key] = _read_records(map_files)
    return _records[key]


def forget_records() -> None:
    """Let go of the records that are kept: roads, ground and scenery have been made of them."""
    _records.clear()


_records: dict[tuple[str, str], MGeoMap] = {}


def _read_records(map_files: MapFiles) -> MGeoMap:
    from dorosim.road.mgeo.reader import read_mgeo

    for file, content in map_files.files.items():
        if is_opendrive(file):
            return _converted(map_files, content)
        if is_lanelet2(file):
            from dorosim.road.lanelet2.reader import read_lanelet2

            return read_lanelet2(map_files.source, content, map_files.name)
    try:
        return read_mgeo(map_files.name, map_files.files)
    except InputError as error:
        place = ": ".join(part for part in (error.source, error.place) if part)
        raise InputError(map_files.source, place, error.problem, error.cure) from None


def _converted(map_files: MapFiles, content: bytes) -> MGeoMap:
    """The records of an OpenDRIVE file."""
    from dorosim.road.opendrive.conversion import map_from_opendrive
    from dorosim.road.opendrive.reader import read_opendrive

    return map_from_opendrive(read_opendrive(map_files.source, content), map_files.name)


def map_data_id(name: str) -> int:
    """The number by which the ego status names a map.

    Digital twins (names that start with R_) have 0 to 9999, all others are virtual, 10000 to 19999 (UDP page).
    K-City is 1 (captured). The product's other numbers are not public: they are made from the name.
    """
    if name == _K_CITY:
        return 1
    number = zlib.crc32(name.encode()) % 9998 + 2
    return number if name.startswith("R_") else 10000 + number
