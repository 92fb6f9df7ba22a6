"""Lanes of an OpenDRIVE file from records (ASAM OpenDRIVE 1.8, 11)."""

from __future__ import annotations

from typing import Any

from dorosim.road.opendrive.export.element_writer import add, add_cubic, add_user_data
from dorosim.road.opendrive.lane_record import OdrLane, RoadMark
from dorosim.road.opendrive.record import OdrRoad


def add_lanes(parent: Any, road: OdrRoad) -> None:
    """Add `<lanes>` to a road: the lane offset, and each section with its lanes from left to right.

    Raises:
        InputError: a number is not finite.
    """
    node = add(parent, "lanes")
    for cubic in road.lane_offsets:
        add_cubic(node, "laneOffset", "s", cubic)
    for section in road.lane_sections:
        one = add(node, "laneSection", section)
        for tag, sign in (("left", 1), ("center", 0), ("right", -1)):
            lanes = [lane for lane in section.lanes if (lane.id > 0) - (lane.id < 0) == sign]
            side = add(one, tag) if lanes else None
            for lane in lanes:
                _add_lane(side, lane)


def _add_lane(parent: Any, lane: OdrLane) -> None:
    """A lane; the centre lane has nothing but its marks."""
    node = add(parent, "lane", lane, "type level")
    if lane.predecessors or lane.successors:
        link = add(node, "link")
        for tag, ids in (("predecessor", lane.predecessors), ("successor", lane.successors)):
            for number in ids:
                add(link, tag, id=number)
    for tag, cubics in (("border", lane.borders), ("width", lane.widths)):
        for cubic in cubics:
            add_cubic(node, tag, "sOffset", cubic)
    for mark in lane.road_marks:
        _add_mark(node, mark)
    for material in lane.materials:
        add(node, "material", material)
    for speed in lane.speeds:
        limit: Any = "no limit" if speed.max_speed is None else speed.max_speed
        add(node, "speed", speed, max=limit, maxSpeed=None, unit="m/s")
    for access in lane.accesses:
        one = add(node, "access", access, "rule")
        for restriction in access.restrictions:
            add(one, "restriction", type=restriction)
    for height in lane.heights:
        add(node, "height", height)
    add_user_data(node, lane.user_data)


def _add_mark(parent: Any, mark: RoadMark) -> None:
    """A road mark."""
    node = add(parent, "roadMark", mark, "type weight color lane_change", typeName=None)
    for sway in mark.sways:
        add_cubic(node, "sway", "ds", sway)
    if mark.lines:
        kind = add(node, "type", name=mark.type_name or mark.type, width=mark.width or 0.15)
        for line in mark.lines:
            add(kind, "line", line, "length space t_offset s_offset")
    if mark.explicit_lines:
        explicit = add(node, "explicit")
        for line in mark.explicit_lines:
            add(explicit, "line", line, "length s_offset t_offset")
    add_user_data(node, mark.user_data)
