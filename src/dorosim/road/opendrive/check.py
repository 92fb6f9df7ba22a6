"""What is wrong with an OpenDRIVE file that can still be read: ids that nothing has, gaps, lengths that do not fit."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from dorosim.road.check import Position, Problem, Severity
from dorosim.road.opendrive.curve import curve_of
from dorosim.road.opendrive.record import OdrRoad, OdrRoadLink, OpenDriveMap

_NONE = ("", "-1")
"""Ids that stand for nothing."""

_GAP = 0.05
"""Geometries that should meet may lie this far apart [m]."""

_WIDE_GAP = 1.0
"""From this on a gap [m] is an error."""

_LENGTH_DIFFERENCE = 0.05
"""The length of a road may differ so much from those of its geometries [m]."""


def left_out_of(town: OpenDriveMap) -> list[str]:
    """What of a file is not read, with how often it is there, and what was mended, each as a line."""
    return [
        *town.notices,
        *(f"{town.source}: {count} x {name}: not supported" for name, count in town.unsupported.items()),
    ]


def check_opendrive(town: OpenDriveMap) -> list[Problem]:
    """Look for ids that nothing has, gaps in reference lines, roads without lanes, and lengths that do not fit.

    Returns:
        The problems, errors first, then in the order of the rules and of the file.
    """
    found = [problem for rule in _RULES for problem in rule(town)]
    order = list(Severity)
    return sorted(found, key=lambda problem: order.index(problem.severity))


def _problem(
    town: OpenDriveMap, severity: Severity, kind: str, record: str, message: str, position: Position | None = None
) -> Problem:
    """A problem of one record, such as "road 5"."""
    return Problem(severity, kind, town.source, record, position, message)


def _road_links(town: OpenDriveMap) -> Iterator[Problem]:
    """Links of roads that lead to no road or junction, and roads of no junction."""
    roads, junctions = {one.id for one in town.roads}, {one.id for one in town.junctions}
    for road in town.roads:
        if road.junction not in (*_NONE, *junctions):
            message = f"it is part of junction {road.junction}, which is not there"
            yield _problem(town, Severity.ERROR, "unknown-junction", f"road {road.id}", message)
        for end, link in (("predecessor", road.predecessor), ("successor", road.successor)):
            known = junctions if link is not None and link.element_type == "junction" else roads
            if link is not None and link.element_id not in known:
                message = f"its {end} is {link.element_type} {link.element_id}, which is not there"
                yield _problem(town, Severity.ERROR, f"unknown-{link.element_type}", f"road {road.id}", message)


def _junctions(town: OpenDriveMap) -> Iterator[Problem]:
    """Junctions that name roads or controllers that are not there."""
    roads, controllers = {one.id for one in town.roads}, {one.id for one in town.controllers}
    for junction in town.junctions:
        record = f"junction {junction.id}"
        named = [("main road", junction.main_road)]
        for one in junction.connections:
            place = f" of connection {one.id}"
            named += [
                (f"incoming road{place}", one.incoming_road),
                (f"connecting road{place}", one.connecting_road),
                (f"linked road{place}", one.linked_road),
            ]
        for name, road in named:
            if road not in _NONE and road not in roads:
                message = f"the {name} is road {road}, which is not there"
                yield _problem(town, Severity.ERROR, "unknown-road", record, message)
        for controller in junction.controllers:
            if controller.id not in controllers:
                message = f"it names controller {controller.id}, which is not there"
                yield _problem(town, Severity.WARNING, "unknown-controller", record, message)


def _signals(town: OpenDriveMap) -> Iterator[Problem]:
    """Signals of one id, and references to those that are not there."""
    ids = Counter(signal.id for road in town.roads for signal in road.signals)
    for name, count in ids.items():
        if count > 1:
            message = f"{count} signals have this id"
            yield _problem(town, Severity.WARNING, "duplicate-id", f"signal {name}", message)
    named = [
        *((f"controller {one.id}", signal.signal_id) for one in town.controllers for signal in one.signals),
        *((f"road {road.id}", one.id) for road in town.roads for one in road.signal_references),
        *(
            (f"signal {signal.id}", one.id)
            for road in town.roads
            for signal in road.signals
            for one in signal.dependencies
        ),
    ]
    for record, name in named:
        if name not in ids:
            message = f"it names signal {name}, which is not there"
            yield _problem(town, Severity.WARNING, "unknown-signal", record, message)


def _lines(town: OpenDriveMap) -> Iterator[Problem]:
    """Reference lines with gaps, and lengths that do not fit."""
    for road in town.roads:
        record = f"road {road.id}"
        total = sum(one.length for one in road.geometries)
        if abs(total - road.length) > _LENGTH_DIFFERENCE:
            message = f"its length is {road.length:.3f} m, that of its geometries together {total:.3f} m"
            yield _problem(town, Severity.WARNING, "length", record, message)
        for one, after in zip(road.geometries, road.geometries[1:], strict=False):
            end = curve_of(one).at(np.array([one.length]))
            x = one.x + float(end.x[0]) * math.cos(one.hdg) - float(end.y[0]) * math.sin(one.hdg)
            y = one.y + float(end.x[0]) * math.sin(one.hdg) + float(end.y[0]) * math.cos(one.hdg)
            gap = math.hypot(after.x - x, after.y - y)
            if gap > _GAP:
                severity = Severity.ERROR if gap > _WIDE_GAP else Severity.WARNING
                message = f"there is a gap of {gap:.3f} m in its reference line at s = {after.s:.3f} m"
                yield _problem(town, severity, "gap", record, message, (after.x, after.y, 0.0))


def _lanes(town: OpenDriveMap) -> Iterator[Problem]:
    """Roads without lanes, lanes that are not numbered in a row, and links to lanes that are not there."""
    roads = {one.id: one for one in town.roads}
    for road in town.roads:
        record = f"road {road.id}"
        if not road.lane_sections:
            yield _problem(town, Severity.WARNING, "no-lanes", record, "it has no lane section")
        for index, section in enumerate(road.lane_sections):
            ids = [one.id for one in section.lanes if one.id]
            sides = (sorted(one for one in ids if one > 0), sorted(-one for one in ids if one < 0))
            if any(side != list(range(1, len(side) + 1)) for side in sides):
                message = f"the lanes of section {index} are not numbered 1, 2, ... outwards: {ids}"
                yield _problem(town, Severity.WARNING, "lane-numbers", record, message)
            for lane in section.lanes:
                for end, linked in (("predecessor", lane.predecessors), ("successor", lane.successors)):
                    known = _lanes_beyond(road, index, end, roads)
                    for other in linked:
                        if known is not None and other not in known:
                            message = (
                                f"the {end} of lane {lane.id}, section {index}, is lane {other}, which is not there"
                            )
                            yield _problem(town, Severity.WARNING, "unknown-lane", record, message)


def _lanes_beyond(road: OdrRoad, index: int, end: str, roads: dict[str, OdrRoad]) -> set[int] | None:
    """The lanes behind an end of a section; None where a junction is there, or nothing is known."""
    beside = index + (1 if end == "successor" else -1)
    if 0 <= beside < len(road.lane_sections):
        return {one.id for one in road.lane_sections[beside].lanes}
    link: OdrRoadLink | None = road.successor if end == "successor" else road.predecessor
    other = roads.get(link.element_id) if link is not None and link.element_type == "road" else None
    if link is None or other is None or not other.lane_sections or link.element_s is not None:
        return None
    return {one.id for one in other.lane_sections[-1 if link.contact_point == "end" else 0].lanes}


_RULES: tuple[Callable[[OpenDriveMap], Iterator[Problem]], ...] = (_road_links, _junctions, _signals, _lines, _lanes)
