"""An MGeo map, 2.5 to 3.0, from the bytes of its files.

Sources: facts/ros-grpc-mgeo.md, sections 3.1 and 3.2, and the two real maps that the tests read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from dorosim.ground.error import InputError
from dorosim.road.mgeo.field import MgeoEntry, decode_json, entries_of_file, keys_left_out
from dorosim.road.mgeo.record import (
    SET_FILES,
    GlobalInfo,
    IntersectionController,
    IntersectionProgramme,
    LaneBoundary,
    Link,
    MGeoMap,
    NodeRecord,
    SyncedTrafficLight,
)
from dorosim.road.mgeo.record_reader import (
    READERS,
    controller_from_entry,
    is_programme,
    programme_from_entry,
    record_from_entry,
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
        read_apart = {"intersection_controllers", "synced_traffic_lights", "intersection_programmes"}
        files = SET_FILES | {"lane_boundaries": boundary_file}
        lists: dict[str, Any] = {
            name: self.records(file, READERS[name]) for name, file in files.items() if name not in read_apart
        }
        found = MGeoMap(
            name=self.name,
            info=self.info(),
            synced_traffic_lights=[record_from_entry(SyncedTrafficLight, entry) for entry in synced],
            intersection_controllers=controllers,
            **lists,
        )
        candidates = [(file, self.records(file, programme_from_entry)) for file in PROGRAMME_FILES]
        candidates.append((_SYNCED_FILE, misfiled))
        found.programme_files = {file: programmes for file, programmes in candidates if programmes}
        # without controllers nothing can fit yet; dorosim.road.derived_controller chooses when it has made some
        notices = self.notices if controllers else []
        found.intersection_programmes = _choose_programmes(candidates, controllers, notices)
        self.mend(found, boundary_file)
        self.note_unread_files()
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
        info = record_from_entry(
            GlobalInfo,
            entry,
            major=entry.optional_int("maj_ver") or 2,
            minor=entry.optional_int("min_ver") or 0,
            coordinate_system=entry.text("global_coordinate_system").strip(),
            origin=entry.point("local_origin_in_global", (0.0, 0.0, 0.0)),
            traffic_dir=entry.text("traffic_dir"),
        )
        version = (info.major, info.minor)
        if not _OLDEST <= version <= _NEWEST:
            self.notices.append(
                f"{file}: version {info.major}.{info.minor} is not one of 2.5 to 3.0; read as far as names agree"
            )
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

    def note_unread_files(self) -> None:
        """Add a notice about JSON files that are no part of MGeo up to 2.9."""
        unread = sorted(file for file in self.files if file.endswith(".json") and file not in self.files_read)
        if unread:
            self.notices.append(f"files left out: {', '.join(unread)}")


def _programme_fits(programme: IntersectionProgramme, controller: IntersectionController | None) -> bool:
    """Whether each state of a programme has one colour for each group of its controller."""
    return controller is not None and all(len(state.lightcolor) == len(controller.TL) for state in programme.TLState)


def _choose_programmes(
    candidates: Sequence[tuple[str, list[IntersectionProgramme]]],
    controllers: Sequence[IntersectionController],
    notices: list[str],
) -> list[IntersectionProgramme]:
    """The programmes of a map whose files hold more than one set of them.

    V_RHT_Suburb_03 has two: intersection_controller_state.json, whose ids and numbers of colours agree with
    intersection_controller_set.json, and synced_traffic_light_state.json, left from an earlier numbering of the
    controllers (IntTL0 to IntTL7). So the file that fits most controllers is taken, and of equals the first.

    Args:
        candidates: file name and programmes, the newest file name first.
        controllers: the map's controllers.
        notices: takes a line for each file that is left out.
    """
    by_id = {controller.idx: controller for controller in controllers}
    filled = [(source, programmes) for source, programmes in candidates if programmes]
    if not filled:
        return []
    fits = [sum(_programme_fits(item, by_id.get(item.idx)) for item in programmes) for _, programmes in filled]
    best = fits.index(max(fits))
    taken, chosen = filled[best]
    for number, (source, programmes) in enumerate(filled):
        if number != best:
            notices.append(
                f"{source}: left out; {fits[number]} of its {len(programmes)} light programmes fit the controllers, "
                f"in {taken} {fits[best]} of {len(chosen)}"
            )
    return chosen


def _some(ids: list[str]) -> str:
    """The first few of a list of ids and how many there are."""
    different = sorted(set(ids))
    shown = ", ".join(different[:5])
    return shown if len(different) <= 5 else f"{shown}, ... ({len(different)} in all)"
