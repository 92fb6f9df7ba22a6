"""Records from the objects of their files (facts/ros-grpc-mgeo.md, section 3.2).

A record's field is read under its own name, as its type says; what a generation of files has in another form is
listed or read apart here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import cache, partial
from typing import Any, TypeVar, cast, get_type_hints

from dorosim.road.mgeo.field import MgeoEntry
from dorosim.road.mgeo.record import (
    NOT_IN_FILES,
    Crosswalk,
    IntersectionController,
    IntersectionProgramme,
    LaneBoundary,
    Link,
    NodeRecord,
    ParkingSpace,
    Points,
    RoadPolygon,
    SignalStateRecord,
    SingleCrosswalk,
    SurfaceMarking,
    TrafficLightRecord,
    TrafficSign,
)

R = TypeVar("R")

_FIT = ("geometry", "line_coeff", "link_length")
"""How the product fits a curve to the points, and what follows from them."""

_OLD_NAMES = {
    "opp_traffic": "oppTraffic",
    "lane_type_def": "lane_code_def",
    "pass_restr": "passRestr",
    "lane_type_offset": "lane_type_start",
}
"""The names that keys had in older files."""

_VALUE_READERS: dict[Any, Callable[[MgeoEntry, tuple[str, ...], Any], Any]] = {
    str: lambda entry, keys, default: entry.text(*keys, default=default),
    str | None: lambda entry, keys, _: entry.optional_text(*keys),
    float: lambda entry, keys, default: entry.number(*keys, default=default),
    float | None: lambda entry, keys, _: entry.optional_number(*keys),
    int: lambda entry, keys, default: entry.optional_int(*keys) or default,
    int | None: lambda entry, keys, _: entry.optional_int(*keys),
    bool: lambda entry, keys, default: entry.flag(*keys, default=default),
    list[str]: lambda entry, keys, _: entry.texts(*keys),
    list[float]: lambda entry, keys, _: entry.numbers(*keys),
    tuple[float, float, float]: lambda entry, keys, default: entry.point(keys[0], default),
    Points: lambda entry, keys, _: entry.points(keys[0]),
}


@cache
def _fields_of(kind: Any) -> tuple[tuple[str, Any, Any], ...]:
    """Name, type and default of a record's fields; None is the default of one that has none."""
    hints = get_type_hints(kind)
    return tuple(
        (item.name, hints[item.name], None if item.default is MISSING else item.default)
        for item in fields(kind)
        if item.metadata != NOT_IN_FILES
    )


def record_from_entry(kind: type[R], entry: MgeoEntry, **known: Any) -> R:
    """A record of the object of a file.

    Args:
        kind: a class of `dorosim.road.mgeo.record`.
        entry: the object.
        known: fields whose values are not to be read.

    Raises:
        InputError: if the record has no id, a required point is missing, or a value cannot be read.
    """
    values = dict(known)
    for name, hint, default in _fields_of(cast(Any, kind)):
        if name == "idx":
            values[name] = entry.idx()
        elif name not in known:
            old = _OLD_NAMES.get(name)
            values[name] = _VALUE_READERS[hint](entry, (name, old) if old else (name,), default)
    return kind(**values)


def link_from_entry(entry: MgeoEntry) -> Link:
    """A lane or, with `lazy_init`, a change between lanes.

    Files of 2.5 lack the permissions to change lanes: there, a neighbour that is named may be changed into.

    Raises:
        InputError: if a lane has fewer than two points, or a value cannot be read.
    """
    permissions = {
        f"can_move_{side}_lane": entry.flag(
            f"can_move_{side}_lane", default=entry.has(f"{side}_lane_change_dst_link_idx")
        )
        for side in ("left", "right")
    }
    link = record_from_entry(Link, entry, **permissions)
    if len(link.points) < 2 and not link.lazy_init:
        raise entry.refuse("points", f"a lane needs two points or more, this has {len(link.points)}", "remove the link")
    entry.skip(*_FIT)
    return link


def boundary_from_entry(entry: MgeoEntry) -> LaneBoundary:
    """A painted line or kerb.

    Type, colour and shape are single values or lists, and files before 2.9 keep the lists of a line that changes
    along its length in keys of their own (`lane_type_list`, ...). Where the line does not change, the older files list
    the strokes of a double line one by one (["Solid", "Broken"]): they are one shape, "Solid Broken".
    """
    codes = entry.numbers("lane_type_list") or entry.numbers("lane_type", "lane_code")
    boundary = record_from_entry(
        LaneBoundary,
        entry,
        lane_type=[int(code) for code in codes],
        lane_color=entry.texts("lane_color_list") or entry.texts("lane_color"),
        lane_shape=entry.texts("lane_shape_list") or entry.texts("lane_shape"),
    )
    if len(boundary.lane_shape) > 1 and len(boundary.lane_type_offset) <= 1:
        boundary.lane_shape = [" ".join(boundary.lane_shape)]
    entry.skip(*_FIT, "lane_type_end")
    return boundary


def light_from_entry(entry: MgeoEntry) -> TrafficLightRecord:
    """A signal head. `sub_type` is a list, one code, or nothing."""
    return record_from_entry(TrafficLightRecord, entry, orientation=entry.text("orientation"))


def sign_from_entry(entry: MgeoEntry) -> TrafficSign:
    """A sign, whose defaults are not those of a light."""
    return record_from_entry(
        TrafficSign,
        entry,
        type=entry.text("type"),
        dynamic=entry.flag("dynamic"),
        orientation=entry.text("orientation"),
    )


def road_polygon_from_entry(entry: MgeoEntry) -> RoadPolygon:
    """A piece of road mesh.

    Raises:
        InputError: if a face names a point that the polygon has not, or `uv` does not hold numbers.
    """
    count = len(entry.points("points"))
    faces: list[list[int]] = []
    for face in entry.items("faces"):
        corners = face if isinstance(face, list) else [face]
        if not all(_is_index(corner, count) for corner in corners):
            raise entry.refuse("faces", f"face {len(faces)} names a point that is not there", "remove the face")
        faces.append(list(corners))
    uv: list[list[float]] = []
    for pair in entry.items("uv"):
        if not isinstance(pair, list) or not all(isinstance(item, int | float) for item in pair):
            raise entry.refuse("uv", f"coordinate {len(uv)} is not a list of numbers", "give pairs of numbers")
        uv.append([float(item) for item in pair])
    return record_from_entry(RoadPolygon, entry, faces=faces, uv=uv)


def _is_index(corner: Any, count: int) -> bool:
    """Whether `corner` is the index of one of `count` points."""
    return isinstance(corner, int) and not isinstance(corner, bool) and 0 <= corner < count


def controller_from_entry(entry: MgeoEntry) -> IntersectionController:
    """A controller: groups of signal ids. A group of one may stand as the bare id."""
    groups: list[list[str]] = []
    for group in entry.items("TL"):
        ids = group if isinstance(group, list) else [group]
        if not all(isinstance(item, str | int) for item in ids):
            raise entry.refuse("TL", f"group {len(groups)} is not a list of signal ids", "list ids only")
        groups.append([str(item) for item in ids])
    return IntersectionController(idx=entry.idx(), TL=groups)


def is_programme(entry: MgeoEntry) -> bool:
    """Whether the record is a programme, whichever file it stands in.

    The K-City copy of 2021 keeps its programmes in synced_traffic_light_set.json.
    """
    return "TLState" in entry.data


def programme_from_entry(entry: MgeoEntry) -> IntersectionProgramme:
    """A controller's programme.

    Raises:
        InputError: if a duration is negative or a pedestrian row has not five numbers.
    """
    states = [
        SignalStateRecord(duration=_duration(state, "duration"), lightcolor=state.texts("lightcolor"))
        for state in entry.entries("TLState")
    ]
    yellow = entry.numbers("yelloduration", "yellowduration")
    if any(duration < 0 for duration in yellow):
        raise entry.refuse("yelloduration", "a duration is negative", "give seconds of 0 or more")
    rows: list[list[float]] = []
    for row in entry.items("PSState"):
        if not isinstance(row, list) or len(row) != 5:
            raise entry.refuse(
                "PSState",
                f"row {len(rows)} has not five numbers",
                "give state, synced light, before, green and flicker seconds",
            )
        rows.append(
            [
                MgeoEntry(entry.source, entry.place, {"PSState": item}, set()).number("PSState", default=0.0)
                for item in row
            ]
        )
    return IntersectionProgramme(idx=entry.idx(), TLState=states, yelloduration=yellow, PSState=rows)


def _duration(state: MgeoEntry, key: str) -> float:
    """A time in seconds, not negative."""
    found = state.number(key, default=0.0)
    if found < 0:
        raise state.refuse(key, f"the duration is negative ({found})", "give seconds of 0 or more")
    return found


READERS: dict[str, Callable[[MgeoEntry], Any]] = {
    "nodes": partial(record_from_entry, NodeRecord),
    "links": link_from_entry,
    "lane_nodes": partial(record_from_entry, NodeRecord),
    "lane_boundaries": boundary_from_entry,
    "traffic_lights": light_from_entry,
    "traffic_signs": sign_from_entry,
    "crosswalks": partial(record_from_entry, Crosswalk),
    "single_crosswalks": partial(record_from_entry, SingleCrosswalk),
    "surface_markings": partial(record_from_entry, SurfaceMarking),
    "parking_spaces": partial(record_from_entry, ParkingSpace),
    "road_polygons": road_polygon_from_entry,
}
"""What reads the records of each list of an `MGeoMap`, but of those about switching lights."""
