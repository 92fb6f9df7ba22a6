"""Lane sections of an OpenDRIVE file (ASAM OpenDRIVE 1.8, 11)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dorosim.road.opendrive.element import OdrElement
from dorosim.road.opendrive.lane_record import (
    Cubic,
    LaneAccess,
    LaneHeight,
    LaneMaterial,
    LaneSpeed,
    OdrLane,
    OdrLaneSection,
    RoadMark,
    RoadMarkLine,
)
from dorosim.road.opendrive.speed import max_speed_of

_SIDES = {"left": 1, "center": 0, "right": -1}
_MAX_LANES = 1000
"""A section with more lanes is a mistake."""

_MAX_RECORDS = 1000
"""A lane that changes more often in one section is a mistake."""


def lane_section_from_element(element: OdrElement) -> OdrLaneSection:
    """A lane section.

    Raises:
        InputError: a lane lies on the wrong side for its id, two have one id, or a value cannot be used.
    """
    lanes: dict[int, OdrLane] = {}
    for side, sign in _SIDES.items():
        for one in element.inside(side, "lane"):
            lane = _lane(one)
            if (lane.id > 0) - (lane.id < 0) != sign:
                raise one.refuse("id", f"{lane.id} cannot be in <{side}>", "left is positive, right negative, centre 0")
            if lane.id in lanes:
                raise one.refuse("id", f"two lanes of the section have the id {lane.id}", "number them outwards from 0")
            lanes[lane.id] = lane
    if len(lanes) > _MAX_LANES:
        raise element.refuse("", f"has {len(lanes)} lanes", f"give {_MAX_LANES} at most")
    ordered = tuple(lanes[number] for number in sorted(lanes, reverse=True))
    return element.record(OdrLaneSection, lanes=ordered)


def _lane(element: OdrElement) -> OdrLane:
    """A lane."""
    element.enter("lane")
    for tag in ("speed", "access", "roadMark"):
        if sum(1 for _ in element.children(tag)) > _MAX_RECORDS:
            raise element.refuse("", f"has more than {_MAX_RECORDS} <{tag}>", "split the lane section")
    return element.record(
        OdrLane,
        predecessors=_linked(element, "predecessor"),
        successors=_linked(element, "successor"),
        widths=_cubics(element, "width"),
        borders=_cubics(element, "border"),
        heights=_ordered(one.record(LaneHeight) for one in element.children("height")),
        speeds=_ordered(one.record(LaneSpeed, max_speed=max_speed_of(one)) for one in element.children("speed")),
        accesses=_ordered(_access(one) for one in element.children("access")),
        materials=_ordered(one.record(LaneMaterial) for one in element.children("material")),
        road_marks=_ordered(_road_mark(one) for one in element.children("roadMark")),
        user_data=element.user_data(),
    )


def _ordered(records: Iterable[Any]) -> tuple[Any, ...]:
    """Records by their `s_offset`, those at one place in the order of the file."""
    return tuple(sorted(records, key=lambda one: one.s_offset))


def _linked(element: OdrElement, tag: str) -> tuple[int, ...]:
    """The lanes that one is linked with at an end."""
    return tuple(one.integer("id") for one in element.inside("link", tag))


def _cubics(element: OdrElement, tag: str) -> tuple[Cubic, ...]:
    """Widths or borders, ordered."""
    found = (one.record(Cubic, s=one.number("sOffset", least=0.0)) for one in element.children(tag))
    return tuple(sorted(found, key=lambda one: one.s))


def _access(element: OdrElement) -> LaneAccess:
    """An access: `@restriction` until 1.7, elements from 1.8 on."""
    names = [one.text("type", "") for one in element.children("restriction")] or [element.text("restriction", "")]
    return element.record(LaneAccess, restrictions=tuple(name for name in names if name))


def _road_mark(element: OdrElement) -> RoadMark:
    """A road mark with its lines."""
    kind = element.child("type")
    return element.record(
        RoadMark,
        type_name="" if kind is None else kind.text("name", ""),
        lines=() if kind is None else tuple(one.record(RoadMarkLine) for one in kind.children("line")),
        explicit_lines=tuple(one.record(RoadMarkLine) for one in element.inside("explicit", "line")),
        sways=tuple(one.record(Cubic, s=one.number("ds", least=0.0)) for one in element.children("sway")),
        user_data=element.user_data(),
    )
