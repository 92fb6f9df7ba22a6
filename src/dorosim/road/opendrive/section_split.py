"""Lane sections cut where something changes for vehicles, so that a lane of a section is the same all along.

A speed limit, and what may be crossed, may change inside a section. A section that counts for one side only is
completed by the lanes of the section before it on the other side, cut likewise (ASAM OpenDRIVE 1.8, 11.4).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from dorosim.road.opendrive.lane_graph import is_drivable_type
from dorosim.road.opendrive.lane_record import Cubic, OdrLane, OdrLaneSection
from dorosim.road.opendrive.lane_speed import SpeedLimits
from dorosim.road.opendrive.mark_conversion import allows_change, boundary_shape
from dorosim.road.opendrive.record import OdrRoad, OpenDriveMap

MIN_PIECE = 5.0
"""No piece of a section is cut shorter than this [m]: what changes twice on less is what it mostly is."""

MIN_JOIN = 0.5
"""Roads that meet another one so near to a cut or an end of it meet it there [m]."""

_ROUNDING = 1e-6
T = TypeVar("T")


class SplitMap(NamedTuple):
    """A file with cut sections.

    Attributes:
        town: the file.
        names: road and index of a section to the name of its place in the file: "2", or "2.1" for its second piece.
    """

    town: OpenDriveMap
    names: dict[tuple[str, int], str]


def split_map(town: OpenDriveMap, limits: SpeedLimits) -> SplitMap:
    """Cut the sections of all roads where something changes, those in junctions as far as they are of one side.

    Args:
        town: the file.
        limits: its speed limits.
    """
    joins = _joins(town)
    roads: list[OdrRoad] = []
    names: dict[tuple[str, int], str] = {}
    for whole in town.roads:
        road = whole
        joined = joins.get(road.id, ())
        cuts = list(joined) if road.junction not in ("", "-1") else _cuts(road, joined, limits)
        if not cuts and not any(section.single_side for section in road.lane_sections):
            pieces, labels = road.lane_sections, [str(index) for index in range(len(road.lane_sections))]
        else:
            pieces, labels = _split(road, cuts)
            road = replace(road, lane_sections=pieces)
        names |= {(road.id, index): label for index, label in enumerate(labels)}
        roads.append(road)
    return SplitMap(replace(town, roads=tuple(roads)), names)


def _ends(road: OdrRoad) -> list[float]:
    """Where the sections begin, and where the last one ends [m]."""
    starts = [section.s for section in road.lane_sections]
    return [*starts, max([road.length, *starts])]


def _joins(town: OpenDriveMap) -> dict[str, list[float]]:
    """Road to the places inside its sections at which roads of virtual junctions meet it [m]."""
    roads = {road.id: road for road in town.roads}
    found: dict[str, list[float]] = {}
    for road in town.roads:
        for link in (road.predecessor, road.successor):
            other = roads.get(link.element_id) if link is not None and link.element_type == "road" else None
            if link is None or link.element_s is None or other is None or not other.lane_sections:
                continue
            if all(abs(end - link.element_s) > MIN_JOIN for end in (*_ends(other), *found.get(other.id, ()))):
                found.setdefault(other.id, []).append(link.element_s)
    return {name: sorted(places) for name, places in found.items()}


def _cuts(road: OdrRoad, joined: Sequence[float], limits: SpeedLimits) -> list[float]:
    """Places inside sections where others meet the road or something changes, none near another or an end [m].

    Args:
        road: whose sections are cut.
        joined: where others meet it [m].
        limits: the speed limits of its file.
    """
    found = list(joined)
    ends = _ends(road)
    for section, start, end in zip(road.lane_sections, ends, ends[1:], strict=False):
        for place in sorted(set(_changes(road, section, (start, end), limits))):
            if all(abs(place - other) >= MIN_PIECE for other in (start, end, *found)):
                found.append(place)
    return sorted(found)


def _changes(road: OdrRoad, section: OdrLaneSection, ends: tuple[float, float], limits: SpeedLimits) -> Iterator[float]:
    """Places between the ends of a section where the speed limit or the meaning of a mark changes [m]."""
    start, end = ends
    lanes = [lane for lane in section.lanes if is_drivable_type(lane)]
    for lane in lanes:
        places = [start, *sorted(s for s in set(limits.changes(road, section, lane)) if start < s < end), end]
        middles = [0.5 * (a + b) for a, b in pairwise(places)]
        speeds = [limits.at(road, section, lane, s) for s in middles]
        yield from _steps(places[1:-1], speeds)
    borders = {lane.id for lane in lanes} | {0}
    for lane in section.lanes:
        if lane.id in borders and len(lane.road_marks) > 1:
            meanings = [
                (allows_change(mark, lane.id, True), allows_change(mark, lane.id, False), boundary_shape(mark, lane.id))
                for mark in lane.road_marks
            ]
            places = [start + mark.s_offset for mark in lane.road_marks[1:]]
            yield from (s for s in _steps(places, meanings) if start < s < end)


def _steps(places: Sequence[float], values: Sequence[Any]) -> Iterator[float]:
    """Those of `places` at which the value behind differs from that before; there is one value more."""
    return (s for s, (one, after) in zip(places, pairwise(values), strict=True) if one != after)


def _split(road: OdrRoad, cuts: Sequence[float]) -> tuple[tuple[OdrLaneSection, ...], list[str]]:
    """The pieces of the sections of a road, with the names of their places."""
    sections, ends = road.lane_sections, _ends(road)
    sources = [_sources(sections, index) for index in range(len(sections))]
    places: list[tuple[float, int, int]] = []
    for index, (start, end) in enumerate(pairwise(ends)):
        inside = [start, *(s for s in cuts if start < s < end)]
        places += [(s, index, part) for part, s in enumerate(inside)]
    pieces = []
    for number, (start, index, _) in enumerate(places):
        end = places[number + 1][0] if number + 1 < len(places) else ends[-1]
        before = sources[places[number - 1][1]] if number else (-1, -1, -1)
        after = sources[places[number + 1][1]] if number + 1 < len(places) else (-1, -1, -1)
        lanes: list[OdrLane] = []
        for side, source in enumerate(sources[index]):
            section = sections[source]
            lanes += [
                _cut_lane(
                    lane,
                    start - section.s,
                    end - section.s,
                    goes_on=after[side] == source,
                    came=before[side] == source,
                )
                for lane in section.lanes
                if _side_of(lane) == side
            ]
        pieces.append(OdrLaneSection(s=start, lanes=tuple(lanes)))
    return tuple(pieces), [f"{index}.{part}" if part else str(index) for _, index, part in places]


def _side_of(lane: OdrLane) -> int:
    """0 for lanes on the left, 1 for the centre lane, 2 for those on the right."""
    return 0 if lane.id > 0 else 1 if lane.id == 0 else 2


def _sources(sections: Sequence[OdrLaneSection], index: int) -> tuple[int, int, int]:
    """The sections from which the lanes left, in the middle and right of a section are."""
    found = []
    for side in range(3):
        source = index
        while source > 0 and sections[source].single_side and not _has_side(sections[source], side):
            source -= 1
        found.append(source)
    return found[0], found[1], found[2]


def _has_side(section: OdrLaneSection, side: int) -> bool:
    """Whether a section has lanes on a side."""
    return any(_side_of(lane) == side for lane in section.lanes)


def _cut_lane(lane: OdrLane, start: float, end: float, goes_on: bool, came: bool) -> OdrLane:
    """The piece of a lane between two offsets from the start of its section [m].

    Args:
        lane: the lane.
        start: where the piece begins.
        end: where it ends.
        goes_on: the next piece is one of the same lane.
        came: so is the one before.
    """

    def stepped(records: tuple[T, ...]) -> tuple[T, ...]:
        return _moved(records, start, end, lambda one: one.s_offset, lambda one, by: replace(one, s_offset=max(by, 0)))

    def cubics(records: tuple[Cubic, ...]) -> tuple[Cubic, ...]:
        return _moved(records, start, end, lambda one: one.s, _shifted)

    return replace(
        lane,
        predecessors=(lane.id,) if came else lane.predecessors,
        successors=(lane.id,) if goes_on else lane.successors,
        widths=cubics(lane.widths),
        borders=cubics(lane.borders),
        heights=stepped(lane.heights),
        speeds=stepped(lane.speeds),
        accesses=stepped(lane.accesses),
        materials=stepped(lane.materials),
        road_marks=stepped(lane.road_marks),
    )


def _moved(
    records: tuple[T, ...], start: float, end: float, place: Callable[[Any], float], move: Callable[[Any, float], Any]
) -> tuple[T, ...]:
    """The records that count between two offsets, counted from the first of these."""
    if start <= 0.0 and not math.isfinite(end):
        return records
    first = max((row for row, one in enumerate(records) if place(one) <= start + _ROUNDING), default=0)
    return tuple(move(one, place(one) - start) for one in records[first:] if place(one) < end)


def _shifted(one: Cubic, by: float) -> Cubic:
    """A cubic that begins at `by`; before 0, the same cubic from 0 on."""
    if by >= 0.0:
        return replace(one, s=by)
    x = -by
    return Cubic(
        s=0.0,
        a=one.a + x * (one.b + x * (one.c + x * one.d)),
        b=one.b + x * (2.0 * one.c + 3.0 * x * one.d),
        c=one.c + 3.0 * x * one.d,
        d=one.d,
    )
