"""Maps written in other formats, as `dorosim map convert` does it."""

from __future__ import annotations

from pathlib import Path

from dorosim.app.run.report.progress import working
from dorosim.app.store.lanelet2_file import SUFFIX as LANELET2
from dorosim.app.store.lanelet2_file import is_lanelet2
from dorosim.app.store.map import MapFiles, load_network, read_map_files, read_records
from dorosim.app.store.opendrive_file import SUFFIX as OPENDRIVE
from dorosim.app.store.opendrive_file import is_opendrive
from dorosim.app.store.table_file import make_folder_of
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import write_file
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.network import RoadNetwork

_CURE = "give another place"
_MGEO = ".zip"


def convert_map(name: str, data: Path | None, out: Path) -> tuple[str, list[str]]:
    """Write a map as OpenDRIVE 1.8, Lanelet2 or MGeo 2.9, whole or not at all, with the folders that it needs.

    A file of OpenDRIVE written as OpenDRIVE keeps its roads and all that is read of it; any other map gets roads that
    are fitted to its links.

    Args:
        name: of the map, see `read_map_files`.
        data: the data folder.
        out: the .xodr or .osm file, or the .zip file for MGeo.

    Returns:
        What was written, in a line, and what was left out, in one line each.

    Raises:
        InputError: the ending of `out` is none of a format that is written, there is no such map or it is broken, or
            the file cannot be written or is the map itself.
    """
    if not is_opendrive(out.name) and not is_lanelet2(out.name) and out.suffix.lower() != _MGEO:
        problem = f"its ending {out.suffix!r} is not one of a format that is written"
        cure = f"give a file that ends in {OPENDRIVE} (OpenDRIVE), {LANELET2} (Lanelet2) or {_MGEO} (MGeo)"
        raise InputError(str(out), "", problem, cure)
    if is_lanelet2(name) and is_lanelet2(out.name):
        raise InputError(name, "", "is a Lanelet2 file already", "give a map of another format")
    files = read_map_files(name, data)
    if Path(files.source).exists() and out.exists() and Path(files.source).samefile(out):
        raise InputError(str(out), "", "is the map itself", _CURE)
    if out.suffix.lower() == _MGEO:
        return _written_mgeo(files, out)
    source = next((content for file, content in files.files.items() if is_opendrive(file)), None)
    if is_lanelet2(out.name):
        content, words, left_out = _lanelet2(files)
    elif source is None:
        content, words, left_out = _fitted(files)
    else:
        content, words, left_out = _rewritten(files, source)
    make_folder_of(out, _CURE)
    write_file(out, content, _CURE)
    return f"{out}: {words}", left_out


def _links_of(files: MapFiles) -> tuple[MGeoMap, RoadNetwork]:
    """The records of a map and its network, which has links."""
    m, network = read_records(files), load_network(files)
    if not network.link_count:
        raise InputError(files.source, "", "the map has no link", "give a map with lanes")
    return m, network


def _lanelet2(files: MapFiles) -> tuple[bytes, str, list[str]]:
    """The Lanelet2 file of a map, what it holds, and what of the map is not used."""
    from dorosim.road.lanelet2.export.map_export import lanelet2_from_map

    m, network = _links_of(files)
    with working(f"drawing the lanelets of {m.name}"):
        content = lanelet2_from_map(m, network)
    lights = f"{len(network.signals.lights)} lights"
    words = f"{network.link_count} lanelets, {len(network.crosswalks)} crosswalks, {lights}"
    return content, words, list(network.notices)


def _fitted(files: MapFiles) -> tuple[bytes, str, list[str]]:
    """The OpenDRIVE file of a map of links, what it holds, and what of the map is not used."""
    from dorosim.road.opendrive.export.map_export import opendrive_from_map
    from dorosim.road.opendrive.export.writer import write_opendrive

    m, network = _links_of(files)
    with working(f"fitting roads to {files.name}"):
        town = opendrive_from_map(m, network).town
        content = write_opendrive(town)
    words = f"{len(town.roads)} roads of {network.link_count} links, {len(town.junctions)} junctions"
    return content, words, list(network.notices)


def _rewritten(files: MapFiles, source: bytes) -> tuple[bytes, str, list[str]]:
    """An OpenDRIVE file of any version as one of 1.8, what it holds, and what of it is not read."""
    from dorosim.road.opendrive.check import left_out_of
    from dorosim.road.opendrive.export.newest import newest_form
    from dorosim.road.opendrive.export.writer import write_opendrive
    from dorosim.road.opendrive.reader import read_opendrive

    town = newest_form(read_opendrive(files.source, source))
    version = f"OpenDRIVE {town.header.rev_major}.{town.header.rev_minor}"
    words = f"{version}, {len(town.roads)} roads, {len(town.junctions)} junctions"
    return write_opendrive(town), words, list(left_out_of(town))


def _written_mgeo(files: MapFiles, out: Path) -> tuple[str, list[str]]:
    """Write a map as MGeo; what it holds, and what MGeo has no place for."""
    from dorosim.app.analyse.map_file import write_map

    m = read_records(files)
    if not m.links:
        raise InputError(files.source, "", "the map has no link", "give a map with lanes")
    write_map(out, m)
    words = f"{out}: MGeo 2.9, {len(m.links)} links, {len(m.traffic_lights)} lights"
    return words, [*m.notices, *_without_place(m)]


def _without_place(m: MGeoMap) -> list[str]:
    """What of a map no file of MGeo has a place for, in one line each."""
    counts = {
        "objects beside the roads": len(m.roadside_objects),
        "rules of which lane goes before another": len(m.precedences),
    }
    return [
        f"{m.name}: {count} {what} are not written, MGeo has no place for them"
        for what, count in counts.items()
        if count
    ]
