"""Maps written in other formats, as `dorosim map convert` does it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dorosim.app.run.report.progress import working
from dorosim.app.store.lanelet2_file import SUFFIX as LANELET2
from dorosim.app.store.lanelet2_file import is_lanelet2
from dorosim.app.store.map import load_network, read_map_files, read_records
from dorosim.app.store.opendrive_file import SUFFIX as OPENDRIVE
from dorosim.app.store.opendrive_file import is_opendrive
from dorosim.app.store.table_file import make_folder_of
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import write_file

if TYPE_CHECKING:
    from dorosim.road.mgeo.record import MGeoMap
    from dorosim.road.network import RoadNetwork

_CURE = "give another place"


def convert_map(name: str, data: Path | None, out: Path) -> str:
    """Write a map as OpenDRIVE 1.8 or Lanelet2, whole or not at all, with the folders that it needs.

    Args:
        name: of the map, see `read_map_files`.
        data: the data folder.
        out: the .xodr or .osm file.

    Returns:
        What was written, in a line.

    Raises:
        InputError: the ending of `out` is none of a format that is written, there is no such map or it is broken, or
            the file cannot be written.
    """
    if not is_opendrive(out.name) and not is_lanelet2(out.name):
        problem = f"its ending {out.suffix!r} is not one of a format that is written"
        raise InputError(str(out), "", problem, f"give a file that ends in {OPENDRIVE} or {LANELET2}")
    for is_one, format_name in ((is_opendrive, "an OpenDRIVE"), (is_lanelet2, "a Lanelet2")):
        if is_one(name) and is_one(out.name):
            raise InputError(name, "", f"is {format_name} file already", "give a map of another format")
    files = read_map_files(name, data)
    m, network = read_records(files), load_network(files)
    if not network.link_count:
        raise InputError(files.source, "", "the map has no link", "give a map with lanes")
    make_folder_of(out, _CURE)
    content, written = (_opendrive if is_opendrive(out.name) else _lanelet2)(m, network)
    write_file(out, content, _CURE)
    return f"{out}: {written}"


def _opendrive(m: MGeoMap, network: RoadNetwork) -> tuple[bytes, str]:
    """A map as OpenDRIVE, and what it holds."""
    from dorosim.road.opendrive.export.map_export import opendrive_from_map
    from dorosim.road.opendrive.export.writer import write_opendrive

    with working(f"fitting roads to {m.name}"):
        exported = opendrive_from_map(m, network)
        content = write_opendrive(exported.town, exported.user_data)
    town = exported.town
    return content, f"{len(town.roads)} roads of {network.link_count} links, {len(town.junctions)} junctions"


def _lanelet2(m: MGeoMap, network: RoadNetwork) -> tuple[bytes, str]:
    """A map as Lanelet2, and what it holds."""
    from dorosim.road.lanelet2.export.map_export import lanelet2_from_map

    with working(f"drawing the lanelets of {m.name}"):
        content = lanelet2_from_map(m, network)
    lights = f"{len(network.signals.lights)} lights"
    return content, f"{network.link_count} lanelets, {len(network.crosswalks)} crosswalks, {lights}"
