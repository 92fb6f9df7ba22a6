"""Maps written in other formats, as `dorosim map convert` does it."""

from __future__ import annotations

from pathlib import Path

from dorosim.app.run.report.progress import working
from dorosim.app.store.map import load_network, read_map_files, read_records
from dorosim.app.store.opendrive_file import SUFFIX, is_opendrive
from dorosim.app.store.table_file import make_folder_of
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import write_file

_CURE = "give another place"


def convert_map(name: str, data: Path | None, out: Path) -> str:
    """Write a map as OpenDRIVE 1.8, whole or not at all, with the folders that it needs.

    Args:
        name: of the map, see `read_map_files`.
        data: the data folder.
        out: the .xodr file.

    Returns:
        What was written, in a line.

    Raises:
        InputError: the ending of `out` is none of a format that is written, there is no such map or it is broken, or
            the file cannot be written.
    """
    if not is_opendrive(out.name):
        problem = f"its ending {out.suffix!r} is not one of a format that is written"
        raise InputError(str(out), "", problem, f"give a file that ends in {SUFFIX}")
    if is_opendrive(name):
        raise InputError(name, "", "is an OpenDRIVE file already", "give a map of MGeo")
    files = read_map_files(name, data)
    m, network = read_records(files), load_network(files)
    if not network.link_count:
        raise InputError(files.source, "", "the map has no link", "give a map with lanes")
    make_folder_of(out, _CURE)
    from dorosim.road.opendrive.export.map_export import opendrive_from_map
    from dorosim.road.opendrive.export.writer import write_opendrive

    with working(f"fitting roads to {files.name}"):
        exported = opendrive_from_map(m, network)
        content = write_opendrive(exported.town)
    write_file(out, content, _CURE)
    town = exported.town
    return f"{out}: {len(town.roads)} roads of {network.link_count} links, {len(town.junctions)} junctions"
