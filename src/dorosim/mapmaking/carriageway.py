"""The lanes of one driving direction: sections of constant lane count, their links, lines and lane changes.

A carriageway is a curve in driving direction with lanes to the right of a left line. It is cut into sections; every
lane of a section is one link. Sections that open a turn lane or an auxiliary lane fork a link off the neighbouring
lane, so that the new lane can be reached by following links as well as by changing lanes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dorosim.mapmaking.curve import Along, Blend, Curve, CurvePose
from dorosim.mapmaking.draft import (
    DIVIDER,
    EDGE,
    LINK_ORDINARY,
    NO_CHANGE,
    NODE_LANE_CHANGE,
    OPENING,
    DraftLine,
    MapDraft,
    Paint,
)
from dorosim.road.mgeo.record import Link

_SPLIT = 0.65
"""Part of an opening after which a line divides the new lane from the old one."""


@dataclass(frozen=True, slots=True)
class Border:
    """A line between lanes: its offset from the curve, how it looks, and the part of the section that it covers."""

    offset: Blend
    paint: Paint
    part: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Track:
    """A lane of a section: its offset, and which borders lie to its left and right."""

    offset: Blend
    left: tuple[int, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch with the same lanes throughout.

    Attributes:
        reach: (first, last) arc length [m].
        tracks: lanes from left to right.
        borders: lines; the first is the left line of the carriageway.
        free: runs of lanes, as (first, last) number, among which one may change.
    """

    reach: tuple[float, float]
    tracks: tuple[Track, ...]
    borders: tuple[Border, ...]
    free: tuple[tuple[int, int], ...] = ()


def plain_section(reach: tuple[float, float], left: Blend, lanes: int, width: float, *, free: bool) -> Section:
    """Parallel lanes; `free` says whether the lines between them may be crossed."""
    paint = DIVIDER if free else NO_CHANGE
    borders = [Border(left.plus(-number * width), paint) for number in range(lanes)]
    borders.append(Border(left.plus(-lanes * width), EDGE))
    tracks = [Track(left.plus(-(number + 0.5) * width), (number,), (number + 1,)) for number in range(lanes)]
    return Section(reach, tuple(tracks), tuple(borders), ((0, lanes - 1),) if free and lanes > 1 else ())


def left_opening(reach: tuple[float, float], left: Blend, lanes: int, width: float) -> Section:
    """A lane opens at the left while the others move over to the right."""
    shift = (reach[0], reach[1] - reach[0], -width)
    borders = [
        Border(left, DIVIDER),
        Border(left.plus(0.0, shift), OPENING, (_SPLIT, 1.0)),
        *(Border(left.plus(-number * width, shift), DIVIDER) for number in range(1, lanes)),
        Border(left.plus(-lanes * width, shift), EDGE),
    ]
    tracks = [Track(left.plus(-0.5 * width), (0,), (1, 2)), Track(left.plus(-0.5 * width, shift), (1, 0), (2,))]
    tracks += [
        Track(left.plus(-(number + 0.5) * width, shift), (number + 1,), (number + 2,)) for number in range(1, lanes)
    ]
    return Section(reach, tuple(tracks), tuple(borders), ((1, lanes),) if lanes > 1 else ())


def right_opening(
    reach: tuple[float, float], left: Blend, lanes: int, width: float, *, closing: bool = False
) -> Section:
    """A lane opens at the right beside the others, or, with `closing`, runs out there."""
    span = reach[1] - reach[0]
    shift = (reach[0], span, width if closing else -width)
    outer = left.plus(-(lanes + 1 if closing else lanes) * width, shift)
    last = left.plus(-(lanes + 0.5 if closing else lanes - 0.5) * width, shift)
    part = (0.0, 1 - _SPLIT) if closing else (_SPLIT, 1.0)
    borders = [
        *(Border(left.plus(-number * width), DIVIDER) for number in range(lanes)),
        Border(left.plus(-lanes * width), OPENING, part),
        Border(outer, EDGE),
    ]
    tracks = [Track(left.plus(-(number + 0.5) * width), (number,), (number + 1,)) for number in range(lanes - 1)]
    tracks.append(Track(left.plus(-(lanes - 0.5) * width), (lanes - 1,), (lanes, lanes + 1)))
    tracks.append(Track(last, (lanes, lanes - 1), (lanes + 1,)))
    return Section(reach, tuple(tracks), tuple(borders), ((0, lanes - 1),) if lanes > 1 else ())


def split_section(section: Section, longest: float) -> list[Section]:
    """The section in equal parts no longer than `longest` [m]; for sections whose borders run all along."""
    first, last = section.reach
    count = max(1, math.ceil((last - first) / longest))
    cuts = np.linspace(first, last, count + 1).tolist()
    return [replace(section, reach=cut) for cut in itertools.pairwise(cuts)]


@dataclass(frozen=True, slots=True)
class LaneEnd:
    """Where a lane meets a junction, or one lane of another road.

    Attributes:
        pose: of the lane there, in driving direction.
        link: the lane.
        width: of the lane [m].
        dedicated: whether the lane is a turn lane of its own.
    """

    pose: CurvePose
    link: Link
    width: float
    dedicated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Carriageway:
    """One driving direction of a road.

    Attributes:
        road: id of the road.
        letter: "R" along the road's own direction, "L" against it.
        curve: in driving direction.
        lift: above the ground along the curve [m].
        width: of each lane [m].
        speed_kmh: limit.
        sections: in driving direction.
        left_lines: gives the ids of the left line for a reach; None where the carriageway draws its own.
        left_paint: how its own left line looks.
    """

    road: str
    letter: str
    curve: Curve
    lift: Along
    width: float
    speed_kmh: float
    sections: Sequence[Section]
    left_lines: Callable[[tuple[float, float]], list[str]] | None = None
    left_paint: Paint = EDGE

    def line(self, section: Section, offset: Blend) -> DraftLine:
        """A line along a section."""
        return DraftLine(self.curve, section.reach, offset, self.lift)

    def lane_end(self, section: Section, links: Sequence[Link], number: int, *, at_end: bool) -> LaneEnd:
        """The end, or the start, of a lane of a section."""
        pose = self.line(section, section.tracks[number].offset).pose(section.reach[1 if at_end else 0])
        return LaneEnd(pose, links[number], self.width)


def lay_carriageway(draft: MapDraft, carriageway: Carriageway) -> list[list[Link]]:
    """Draw the links, lines and lane changes of a carriageway; returns the links of each section, left to right."""
    return [_lay_section(draft, carriageway, number, section) for number, section in enumerate(carriageway.sections)]


def _lay_section(draft: MapDraft, carriageway: Carriageway, number: int, section: Section) -> list[Link]:
    marks = _draw_borders(draft, carriageway, section)
    links = []
    for lane, track in enumerate(section.tracks, start=1):
        link = draft.add_link(
            f"_{carriageway.road}_{number}_{carriageway.letter}{lane}_",
            carriageway.line(section, track.offset),
            link_type=LINK_ORDINARY,
            max_speed=carriageway.speed_kmh,
            road_id=carriageway.road,
            ego_lane=lane,
            width_start=carriageway.width,
            width_end=carriageway.width,
            lane_mark_left=[idx for border in track.left for idx in marks[border]],
            lane_mark_right=[idx for border in track.right for idx in marks[border]],
        )
        draft.mark_nodes(link, NODE_LANE_CHANGE)
        links.append(link)
    for first, last in section.free:
        _allow_changes(draft, links[first : last + 1])
    return links


def _draw_borders(draft: MapDraft, carriageway: Carriageway, section: Section) -> list[list[str]]:
    """Ids of the lines of each border of a section."""
    marks: list[list[str]] = []
    first, last = section.reach
    for index, border in enumerate(section.borders):
        if index == 0 and carriageway.left_lines is not None:
            marks.append(carriageway.left_lines(section.reach))
            continue
        reach = (first + border.part[0] * (last - first), first + border.part[1] * (last - first))
        paint = carriageway.left_paint if index == 0 else border.paint
        marks.append([draft.add_line(DraftLine(carriageway.curve, reach, border.offset, carriageway.lift), paint)])
    return marks


def _allow_changes(draft: MapDraft, lanes: Sequence[Link]) -> None:
    """Permit changes between neighbouring lanes, and add a lane-change link for every run of them, both ways."""
    for left, right in itertools.pairwise(lanes):
        left.can_move_right_lane, left.right_lane_change_dst_link_idx = True, right.idx
        right.can_move_left_lane, right.left_lane_change_dst_link_idx = True, left.idx
    for first in range(len(lanes)):
        for last in range(first + 1, len(lanes)):
            run = list(lanes[first : last + 1])
            draft.add_lane_change(run)
            draft.add_lane_change(run[::-1])
