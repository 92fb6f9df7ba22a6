"""A street: two carriageways about a centre line, or one, between two junctions.

Near a junction where it has a left-turn lane the centre line moves half a lane to the left and the through lanes
half a lane to the right, over a taper, so that the turn lanes of opposite approaches face each other and straight
traffic goes straight on (Korean street design practice; the shift is a quintic, its curve radius above 100 m).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dorosim.mapmaking.carriageway import (
    Carriageway,
    LaneEnd,
    Section,
    lay_carriageway,
    left_opening,
    plain_section,
    split_section,
)
from dorosim.mapmaking.curve import LEVEL, Along, Blend, Curve, CurvePose, Reversed
from dorosim.mapmaking.draft import CENTRE, CENTRE_DOUBLE, DraftLine, MapDraft
from dorosim.road.mgeo.record import Link

TAPER, STORAGE, APPROACH = 36.0, 30.0, 24.0
"""Lengths of the opening of a turn lane, of the turn lane, and of the last stretch without lane changes [m]."""

_MAX_LINK_LENGTH, _MIN_BODY_LENGTH = 160.0, 10.0
"""Longest link of a street, and shortest stretch between the openings of its turn lanes [m]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Street:
    """What to build.

    Attributes:
        road: id of the road.
        curve: axis, from one end's junction mouth to the other's.
        lanes: number of lanes (along the curve, against it); none against it makes a one-way street.
        turn_lanes: whether there is a left-turn lane (at the end of the curve, at its start).
        width: of a lane [m].
        speed_kmh: limit.
        lift: above the ground along the curve [m].
    """

    road: str
    curve: Curve
    lanes: tuple[int, int]
    turn_lanes: tuple[bool, bool] = (False, False)
    width: float = 3.3
    speed_kmh: float = 50.0
    lift: Along = LEVEL


@dataclass(frozen=True, slots=True, kw_only=True)
class Mouth:
    """The end of a street at a junction.

    Attributes:
        inward: pose of the axis, heading into the junction.
        entries: lanes into the junction, from left to right.
        exits: lanes out of it, from left to right.
        right_edge: the right kerb, heading into the junction.
        left_edge: the left kerb, heading out of it.
        speed_kmh: limit on the street.
    """

    inward: CurvePose
    entries: tuple[LaneEnd, ...]
    exits: tuple[LaneEnd, ...]
    right_edge: CurvePose
    left_edge: CurvePose
    speed_kmh: float

    @property
    def extents(self) -> tuple[float, float]:
        """Distances from the axis to the right and to the left kerb [m], looking into the junction."""
        edges = (self.right_edge, self.left_edge)
        right, left = (((e.x - self.inward.x) ** 2 + (e.y - self.inward.y) ** 2) ** 0.5 for e in edges)
        return right, left


def has_room(length: float, ends: int) -> bool:
    """Whether a street of this length between its mouths [m] has room for turn lanes at so many ends."""
    return length >= ends * (TAPER + STORAGE) + _MIN_BODY_LENGTH


def build_street(draft: MapDraft, street: Street) -> tuple[Mouth, Mouth]:
    """Draw a street; returns its mouths at the start and at the end of its curve."""
    length = street.curve.length
    centre = _centre_offset(street)
    forward = _sections(street, centre, street.lanes[0], turn_lane=street.turn_lanes[0])
    if not street.lanes[1]:
        carriageway = _carriageway(street, street.curve, forward, "R")
        links = lay_carriageway(draft, carriageway)
        return (
            _mouth((), _lane_ends(carriageway, links, at_end=False), street, 0.0),
            _mouth(_lane_ends(carriageway, links, at_end=True), (), street, length),
        )
    back_centre = centre.mirrored(length)
    backward = _sections(street, back_centre, street.lanes[1], turn_lane=street.turn_lanes[1])
    cuts = {section.reach[0] for section in forward} | {length - section.reach[0] for section in backward}
    pieces = _draw_centre(draft, street, centre, sorted(cuts | {0.0, length}))

    def seen_forward(reach: tuple[float, float]) -> list[str]:
        return [idx for (first, last), idx in pieces if reach[0] - 1e-6 <= first and last <= reach[1] + 1e-6]

    def seen_backward(reach: tuple[float, float]) -> list[str]:
        return seen_forward((length - reach[1], length - reach[0]))[::-1]

    there = replace(_carriageway(street, street.curve, forward, "R"), left_lines=seen_forward)
    back = replace(
        _carriageway(street, Reversed(street.curve), backward, "L"),
        left_lines=seen_backward,
        lift=lambda s: street.lift(length - s),
    )
    links, back_links = lay_carriageway(draft, there), lay_carriageway(draft, back)
    return (
        _mouth(_lane_ends(back, back_links, at_end=True), _lane_ends(there, links, at_end=False), street, 0.0),
        _mouth(_lane_ends(there, links, at_end=True), _lane_ends(back, back_links, at_end=False), street, length),
    )


def _centre_offset(street: Street) -> Blend:
    """Offset of the centre line, or of the left edge of a one-way street, from the axis."""
    half = 0.5 * street.width
    if not street.lanes[1]:
        return Blend(street.lanes[0] * half)
    steps: list[tuple[float, float, float]] = []
    if street.turn_lanes[1]:
        steps.append((STORAGE, TAPER, half))
    if street.turn_lanes[0]:
        steps.append((street.curve.length - STORAGE - TAPER, TAPER, half))
    return Blend(-half if street.turn_lanes[1] else 0.0, tuple(steps))


def _sections(street: Street, left: Blend, lanes: int, *, turn_lane: bool) -> list[Section]:
    """The sections of one driving direction."""
    length, width = street.curve.length, street.width
    if turn_lane:
        opening = (length - STORAGE - TAPER, length - STORAGE)
        body = plain_section((0.0, opening[0]), left, lanes, width, free=True)
        return [
            *split_section(body, _MAX_LINK_LENGTH),
            left_opening(opening, left, lanes, width),
            plain_section((opening[1], length), left, lanes + 1, width, free=False),
        ]
    if lanes == 1 or length < 2.5 * APPROACH:
        return split_section(plain_section((0.0, length), left, lanes, width, free=False), _MAX_LINK_LENGTH)
    body = plain_section((0.0, length - APPROACH), left, lanes, width, free=True)
    last = plain_section((length - APPROACH, length), left, lanes, width, free=False)
    return [*split_section(body, _MAX_LINK_LENGTH), last]


def _draw_centre(
    draft: MapDraft, street: Street, centre: Blend, cuts: Sequence[float]
) -> list[tuple[tuple[float, float], str]]:
    """Draw the centre line in pieces; returns (reach, id) of each."""
    paint = CENTRE_DOUBLE if max(street.lanes) > 1 else CENTRE
    reaches = [reach for reach in itertools.pairwise(cuts) if reach[1] - reach[0] > 1e-6]
    return [(reach, draft.add_line(DraftLine(street.curve, reach, centre, street.lift), paint)) for reach in reaches]


def _carriageway(street: Street, curve: Curve, sections: Sequence[Section], letter: str) -> Carriageway:
    return Carriageway(
        road=street.road,
        letter=letter,
        curve=curve,
        lift=street.lift,
        width=street.width,
        speed_kmh=street.speed_kmh,
        sections=sections,
    )


def _lane_ends(carriageway: Carriageway, links: Sequence[Sequence[Link]], *, at_end: bool) -> tuple[LaneEnd, ...]:
    """Where the lanes of a carriageway end or start."""
    index = len(carriageway.sections) - 1 if at_end else 0
    section = carriageway.sections[index]
    ends = [carriageway.lane_end(section, links[index], lane, at_end=at_end) for lane in range(len(section.tracks))]
    if at_end and index and len(section.tracks) > len(carriageway.sections[0].tracks):
        ends[0] = replace(ends[0], dedicated=True)
    return tuple(ends)


def _mouth(entries: tuple[LaneEnd, ...], exits: tuple[LaneEnd, ...], street: Street, s: float) -> Mouth:
    """The mouth of a street at arc length `s`: its start or its end."""
    half = 0.5 * street.width
    axis = street.curve.pose(s)
    inbound = entries[-1].pose if entries else exits[0].pose.turned()
    outbound = exits[-1].pose if exits else entries[0].pose.turned()
    return Mouth(
        inward=axis if s > 0 else axis.turned(),
        entries=entries,
        exits=exits,
        right_edge=inbound.moved(0.0, -half),
        left_edge=outbound.moved(0.0, -half),
        speed_kmh=street.speed_kmh,
    )
