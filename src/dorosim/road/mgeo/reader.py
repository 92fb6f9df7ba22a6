"""An MGeo map, 2.5 to 3.0, from the bytes of its files.

Sources: facts/ros-grpc-mgeo.md, sections 3.1 and 3.2, and the two real maps that the tests read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from dorosim.ground.error import InputError
from dorosim.road.mgeo.area_reader import (
    crosswalk_from_entry,
    parking_space_from_entry,
    road_polygon_from_entry,
    single_crosswalk_from_entry,
    surface_marking_from_entry,
)
from dorosim.road.mgeo.field import MgeoEntry, decode_json, entries_of_file, keys_left_out
from dorosim.road.mgeo.lane_reader import boundary_from_entry, link_from_entry, node_from_entry
from dorosim.road.mgeo.record import GlobalInfo, IntersectionProgramme, LaneBoundary, Link, MGeoMap, NodeRecord
from dorosim.road.mgeo.signal_reader import (
    choose_programmes,
    controller_from_entry,
    is_programme,
    light_from_entry,
    programme_from_entry,
    sign_from_entry,
    synced_light_from_entry,
)

R = TypeVar("R")

PROGRAMME_FILES = (
    "intersection_controller_data.json",
    "intersection_controller_state.json",
    "synced_traffic_light_state.json",
)
"""The names that the programmes' file had, newest first."""

BOUNDARY_FILES = ("lane_marking_set.json", "lane_boundary_set.json")
"""The names of the painted lines' file; of two files the first is read, as the product's own loader does."""

_SYNCED_FILE = "synced_traffic_light_set.json"
_OLDEST, _NEWEST = (2, 5), (3, 0)


def read_mgeo(name: str, files: Mapping[str, bytes]) -> MGeoMap:
    """Read a map of MGeo 2.5 to 3.0.

    Args:
        name: the map's name, as messages and the network show it.
        files: file name to content; node_set.json and link_set.json must be there.

    Returns:
        The map; `notices` says what was left out or guessed.

    Raises:
        InputError: if a required file is missing, a file is not JSON of the expected shape, or a coordinate is not
            a finite number.
    """
    return _MapReader(name, files).read()


class _MapReader:
    """The files of one map, and the notices that reading them gives."""

    def __init__(self, name: str, files: Mapping[str, bytes]) -> None:
        self.name = name
        self.files = files
        self.files_read: set[str] = set()
        self.notices: list[str] = []

    def read(self) -> MGeoMap:
        """Read every file that there is."""
        for required in ("node_set.json", "link_set.json"):
            if required not in self.files:
                raise InputError(self.name, required, "the map has no such file", "name the folder that holds the map")
        boundary_file = self.boundary_file()
        controllers = self.records("intersection_controller_set.json", controller_from_entry)
        synced, misfiled = self.synced_entries()
        found = MGeoMap(
            name=self.name,
            info=self.info(),
            nodes=self.records("node_set.json", node_from_entry),
            links=self.records("link_set.json", link_from_entry),
            lane_nodes=self.records("lane_node_set.json", node_from_entry),
            lane_boundaries=self.records(boundary_file, boundary_from_entry),
            traffic_lights=self.records("traffic_light_set.json", light_from_entry),
            traffic_signs=self.records("traffic_sign_set.json", sign_from_entry),
            synced_traffic_lights=[synced_light_from_entry(entry) for entry in synced],
            intersection_controllers=controllers,
            crosswalks=self.records("crosswalk_set.json", crosswalk_from_entry),
            single_crosswalks=self.records("singlecrosswalk_set.json", single_crosswalk_from_entry),
            surface_markings=self.records("surface_marking_set.json", surface_marking_from_entry),
            parking_spaces=self.records("parking_space_set.json", parking_space_from_entry),
            road_polygons=self.records("road_polygon_set.json", road_polygon_from_entry),
        )
        candidates = [(file, self.records(file, programme_from_entry)) for file in PROGRAMME_FILES]
        candidates.append((_SYNCED_FILE, misfiled))
        found.programme_files = {file: programmes for file, programmes in candidates if programmes}
        # without controllers nothing can fit yet; dorosim.road.derived_controller chooses when it has made some
        told = self.notices if controllers else []
        found.intersection_programmes = choose_programmes(candidates, controllers, told)
        self.mend(found, boundary_file)
        self.tell_unread_files()
        found.notices = self.notices
        return found

    def records(self, file: str, record_from_entry: Callable[[MgeoEntry], R]) -> list[R]:
        """The records of one set file, none if it is not there; keys that were not read give a notice."""
        entries = self.entries(file)
        found = [record_from_entry(entry) for entry in entries]
        if left_out := keys_left_out(entries):
            self.notices.append(f"{file}: keys left out: {', '.join(left_out)}")
        return found

    def entries(self, file: str) -> list[MgeoEntry]:
        """The raw records of one set file."""
        self.files_read.add(file)
        if file not in self.files:
            return []
        return entries_of_file(f"{self.name}/{file}", self.files[file], self.notices)

    def boundary_file(self) -> str:
        """Which file holds the painted lines."""
        present = [file for file in BOUNDARY_FILES if file in self.files]
        self.files_read.update(BOUNDARY_FILES)
        if len(present) > 1:
            self.notices.append(f"{present[1]}: left out; {present[0]} holds the lines too and is preferred")
        return present[0] if present else BOUNDARY_FILES[-1]

    def synced_entries(self) -> tuple[list[MgeoEntry], list[IntersectionProgramme]]:
        """The synced lights, and the programmes that some maps keep in their file."""
        entries = self.entries(_SYNCED_FILE)
        misfiled = [programme_from_entry(entry) for entry in entries if is_programme(entry)]
        if misfiled:
            self.notices.append(f"{_SYNCED_FILE}: {len(misfiled)} records are light programmes and taken as such")
        return [entry for entry in entries if not is_programme(entry)], misfiled

    def info(self) -> GlobalInfo:
        """global_info.json, or the .mprj file that stands for it, or what a map without either is taken for."""
        projects = sorted(file for file in self.files if file.endswith(".mprj"))
        file = next((file for file in ("global_info.json", *projects) if file in self.files), "")
        self.files_read.update(("global_info.json", *projects))
        if not file:
            self.notices.append("global_info.json: not there; the map has no projection, so no latitude and longitude")
            return GlobalInfo()
        source = f"{self.name}/{file}"
        data = decode_json(source, self.files[file])
        if not isinstance(data, dict):
            raise InputError(source, "", "expected an object", "check which file this is")
        entry = MgeoEntry(source, "the whole file", data, set())
        info = GlobalInfo(
            major=entry.optional_int("maj_ver") or 2,
            minor=entry.optional_int("min_ver") or 0,
            coordinate_system=entry.text("global_coordinate_system").strip(),
            origin=_origin(entry, "local_origin_in_global"),
            workspace_origin=_origin(entry, "workspace_origin"),
            lane_change_link_included=entry.flag("lane_change_link_included", default=True),
            traffic_dir=entry.text("traffic_dir"),
            country=entry.text("country"),
            road_type=entry.text("road_type"),
            road_type_def=entry.text("road_type_def"),
            license=entry.text("license"),
        )
        version = (info.major, info.minor)
        if not _OLDEST <= version <= _NEWEST:
            told = f"{file}: version {info.major}.{info.minor} is not one of 2.5 to 3.0; read as far as names agree"
            self.notices.append(told)
        return info

    def mend(self, found: MGeoMap, boundary_file: str) -> None:
        """Remove references to nodes that do not exist, and boundaries that are no lines."""
        self.drop_unknown_nodes("link_set.json", found.links, "node_set.json", found.nodes)
        self.drop_unknown_nodes(boundary_file, found.lane_boundaries, "lane_node_set.json", found.lane_nodes)
        short = [boundary.idx for boundary in found.lane_boundaries if len(boundary.points) < 2]
        if short:
            found.lane_boundaries = [item for item in found.lane_boundaries if len(item.points) >= 2]
            self.notices.append(f"{boundary_file}: left out for want of two points: {_some(short)}")

    def drop_unknown_nodes(
        self, file: str, lines: list[Link] | list[LaneBoundary], node_file: str, nodes: list[NodeRecord]
    ) -> None:
        """Set the ends of lines that name no node of the map to None."""
        known = {node.idx for node in nodes}
        unknown: list[str] = []
        for line in lines:
            if line.from_node_idx is not None and line.from_node_idx not in known:
                unknown.append(f"{line.idx} begins at {line.from_node_idx}")
                line.from_node_idx = None
            if line.to_node_idx is not None and line.to_node_idx not in known:
                unknown.append(f"{line.idx} ends at {line.to_node_idx}")
                line.to_node_idx = None
        if unknown:
            self.notices.append(f"{file}: names nodes that {node_file} lacks: {_some(unknown)}")

    def tell_unread_files(self) -> None:
        """Add a notice about JSON files that are no part of MGeo up to 2.9."""
        unread = sorted(file for file in self.files if file.endswith(".json") and file not in self.files_read)
        if unread:
            self.notices.append(f"files left out: {', '.join(unread)}")


def _origin(entry: MgeoEntry, key: str) -> tuple[float, float, float]:
    """East, north, up [m]; missing is the zero point."""
    return entry.point(key) if entry.has(key) else (0.0, 0.0, 0.0)


def _some(ids: list[str]) -> str:
    """The first few of a list of ids and how many there are."""
    different = sorted(set(ids))
    shown = ", ".join(different[:5])
    return shown if len(different) <= 5 else f"{shown}, ... ({len(different)} in all)"
