"""The roads of a map as scenarios name them: those of its OpenDRIVE file, or those that would be written of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dorosim.app.run.report.progress import working
from dorosim.app.store.cache_file import kept
from dorosim.app.store.folder import cache_folder
from dorosim.app.store.map import EMPTY, MAX_KEPT_NETWORKS, MapFiles, network_of, read_records
from dorosim.app.store.opendrive_file import is_opendrive
from dorosim.ground.error import InputError
from dorosim.road.opendrive.version import CONVERSION_VERSION, EXPORT_VERSION, MAX_OPENDRIVE_SIZE

if TYPE_CHECKING:
    from dorosim.road.adjacency import FloatArray
    from dorosim.road.opendrive.record import OpenDriveMap
    from dorosim.road.opendrive.road_course_network import CourseNetwork

_courses: dict[str, CourseNetwork] = {}


class _TooLargeError(Exception):
    """The roads of a map make a file that is too large to be kept."""

    def __init__(self, town: OpenDriveMap) -> None:
        super().__init__(town.source)
        self.town = town


def courses_of(map_files: MapFiles) -> CourseNetwork | None:
    """The roads of a map as scenarios follow them, which this process keeps for its next run on the map.

    An OpenDRIVE file has its own roads. Any other map has those that `dorosim map convert MAP out.xodr` writes, with
    their numbers and lanes: links beside each other are lanes of one road. Making them takes seconds, so they are kept
    in the cache.

    Returns:
        None for `EMPTY`, the map without roads.

    Raises:
        InputError: the map is broken, or has no roads.
    """
    from dorosim.road.opendrive.road_course_network import CourseNetwork

    if map_files.name == EMPTY:
        return None
    key = f"{map_files.name}-{map_files.digest}"
    made = _courses.pop(key, None)
    if made is None:
        town = _town_of(map_files)
        if not any(road.lane_sections for road in town.roads):
            raise InputError(map_files.source, "", "the map has no road", "give a map with lanes")

        def link_line(name: str) -> FloatArray:
            network = network_of(map_files)
            return network.points_of(network.link_index(name))

        made = CourseNetwork(town, link_line)
    _courses[key] = made  # the one used last comes last
    for old in list(_courses)[:-MAX_KEPT_NETWORKS]:
        _courses.pop(old, None)
    return made


def _town_of(map_files: MapFiles) -> OpenDriveMap:
    """The records of the roads of a map."""
    from dorosim.road.opendrive.header_offset import turned_map
    from dorosim.road.opendrive.reader import read_opendrive

    for file, content in map_files.files.items():
        if is_opendrive(file):
            return turned_map(read_opendrive(map_files.source, content))
    version = f"{CONVERSION_VERSION}.{EXPORT_VERSION}"
    cached = cache_folder() / "course" / f"{map_files.name}-{map_files.digest}-{version}.xodr"

    def make() -> bytes:
        from dorosim.road.opendrive.export.map_export import opendrive_from_map
        from dorosim.road.opendrive.export.writer import write_opendrive

        network = network_of(map_files)
        if not network.link_count:
            raise InputError(map_files.source, "", "the map has no link", "give a map with lanes")
        with working(f"fitting roads to {map_files.name}, once"):
            town = opendrive_from_map(read_records(map_files), network).town
        roads = tuple(replace(road, objects=(), signals=(), signal_references=()) for road in town.roads)
        bare = replace(town, roads=roads, controllers=())
        content = write_opendrive(bare)
        if len(content) > MAX_OPENDRIVE_SIZE:
            raise _TooLargeError(bare)
        return content

    try:
        return kept(cached, lambda content: read_opendrive(map_files.source, content), make)
    except _TooLargeError as large:  # such a file would not be read again
        return large.town
