"""The ring road: two carriageways with a median, auxiliary lanes at interchanges, and ramps down to the town.

The ring rises onto a bridge where a street passes under it. Each carriageway opens an auxiliary lane before the
bridge, which leaves as the off-ramp, and takes one up behind it, which merges (a diamond interchange; lengths after
the Korean road structure rules, shortened for a small town); `RingClass` has the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dorosim.mapmaking.carriageway import (
    Carriageway,
    LaneEnd,
    Section,
    lay_carriageway,
    plain_section,
    right_opening,
    split_section,
)
from dorosim.mapmaking.curve import Along, Blend, Chain, Curve, CurvePose, Reals, Reversed, connection, line, turn
from dorosim.mapmaking.draft import MEDIAN_EDGE, MapDraft
from dorosim.mapmaking.plan import RingClass
from dorosim.mapmaking.street import Mouth, Street, build_street
from dorosim.road.mgeo.record import Link

_BRIDGE_HEIGHT, _BRIDGE_HALF = 6.2, 20.0
"""Height of a bridge and half its level length [m]."""

_RAMP_STRAIGHT = 14.0


@dataclass(frozen=True, slots=True)
class BridgeLift:
    """Height of the ring above the ground [m], by arc length.

    Attributes:
        stations: arc lengths of the bridges' middles [m].
        length: of the whole ring [m].
        slope: length of each slope of a bridge [m].
    """

    stations: tuple[float, ...]
    length: float
    slope: float

    def __call__(self, s: Reals) -> Reals:
        """Heights at arc lengths `(N,)`."""
        slope = Blend(_BRIDGE_HEIGHT, ((_BRIDGE_HALF, self.slope, -_BRIDGE_HEIGHT),))
        total = np.zeros(len(s))
        for station in self.stations:
            total += slope(np.abs(np.mod(s - station + 0.5 * self.length, self.length) - 0.5 * self.length))
        return total


@dataclass(frozen=True, slots=True)
class Nose:
    """Where a carriageway's ramps begin and end at one bridge.

    Attributes:
        leave: end of the auxiliary lane before the bridge, where the off-ramp goes on.
        enter: start of the auxiliary lane behind it, where the on-ramp comes in.
        lift: height there above the ground [m].
        rise: slope of the ring at `leave`, forward; at `enter` it is the negative.
    """

    leave: LaneEnd
    enter: LaneEnd
    lift: float
    rise: float


@dataclass(frozen=True, slots=True)
class Ring:
    """The ring road that is drawn.

    Attributes:
        outer: noses of the counter-clockwise carriageway, one for each bridge.
        inner: noses of the clockwise carriageway, next to the town.
        links: of both carriageways.
    """

    outer: tuple[Nose, ...]
    inner: tuple[Nose, ...]
    links: tuple[Link, ...]


def ring_axis(half_width: float, half_height: float, corner: float) -> Curve:
    """The axis of the ring, counter-clockwise from its east side: a rectangle whose corners are long clothoid bends.

    Args:
        half_width: from the centre to its east side [m].
        half_height: from the centre to its north side [m].
        corner: longest tangent of a corner [m].
    """
    sides = [
        CurvePose(half_width, 0.0, 0.5 * math.pi),
        CurvePose(0.0, half_height, math.pi),
        CurvePose(-half_width, 0.0, -0.5 * math.pi),
        CurvePose(0.0, -half_height, 0.0),
    ]
    reach = min(0.72 * min(half_width, half_height), corner)
    return Chain([turn(side, sides[(i + 1) % 4], reach) for i, side in enumerate(sides)], closed=True)


def build_ring(draft: MapDraft, axis: Curve, crossings: Sequence[tuple[float, float]], kind: RingClass) -> Ring:
    """Draw both carriageways.

    Args:
        draft: the town.
        axis: of the ring, counter-clockwise, closed.
        crossings: where streets pass under it, in the map [m].
        kind: what kind of road it is.
    """
    dense = np.arange(0.0, axis.length, 0.1)
    points = axis.at(dense)[:, :2]
    stations = [float(dense[np.argmin(np.sum((points - crossing) ** 2, axis=1))]) for crossing in crossings]
    lift = BridgeLift(tuple(stations), axis.length, kind.bridge_slope)
    outer, outer_links = _build_carriageway(draft, axis, lift, stations, kind)
    back = BridgeLift(tuple(axis.length - station for station in stations), axis.length, kind.bridge_slope)
    inner, inner_links = _build_carriageway(draft, Reversed(axis), back, back.stations, kind)
    return Ring(outer, inner, (*outer_links, *inner_links))


def build_off_ramp(draft: MapDraft, nose: Nose, mouth: CurvePose, kind: RingClass) -> Mouth:
    """Draw a ramp from the ring to a junction; `mouth` is the pose of its end, heading into the junction."""
    tail = mouth.moved(-_RAMP_STRAIGHT)
    curve = Chain([connection(nose.leave.pose, tail), line(tail, _RAMP_STRAIGHT)])
    return build_street(draft, _ramp(draft, curve, _descent(nose.lift, nose.rise, curve.length), kind))[1]


def build_on_ramp(draft: MapDraft, nose: Nose, mouth: CurvePose, kind: RingClass) -> Mouth:
    """Draw a ramp from a junction to the ring; `mouth` is the pose of its start, heading out of the junction."""
    head = mouth.moved(_RAMP_STRAIGHT)
    curve = Chain([line(mouth, _RAMP_STRAIGHT), connection(head, nose.enter.pose)])
    descent = _descent(nose.lift, nose.rise, curve.length)
    return build_street(draft, _ramp(draft, curve, lambda s: descent(curve.length - s), kind))[0]


def _ramp(draft: MapDraft, curve: Curve, lift: Along, kind: RingClass) -> Street:
    return Street(
        road=draft.road_id(),
        curve=curve,
        lanes=(1, 0),
        width=kind.width,
        speed_kmh=kind.ramp_speed_kmh,
        lift=lift,
    )


def _descent(height: float, rise: float, length: float) -> Along:
    """The cubic that starts at a height and slope and ends level at the ground."""

    def lift(s: Reals) -> Reals:
        t = np.clip(s / length, 0.0, 1.0)
        value: Reals = height * (1 + t * t * (2 * t - 3)) + rise * length * t * (1 - t) ** 2
        return value

    return lift


def _build_carriageway(
    draft: MapDraft, curve: Curve, lift: BridgeLift, stations: Sequence[float], kind: RingClass
) -> tuple[tuple[Nose, ...], list[Link]]:
    """Draw one carriageway; returns its noses in the order of `stations`, and its links."""
    left = Blend(-kind.half_median)
    lanes, width = kind.lanes, kind.width
    order = sorted(range(len(stations)), key=lambda index: stations[index])
    sections: list[Section] = []
    leaves: dict[int, int] = {}
    enters: dict[int, int] = {}
    for place, index in enumerate(order):
        at = stations[index]
        sections.append(right_opening((at - kind.begin, at - kind.full), left, lanes, width))
        leaves[index] = len(sections)
        sections.append(plain_section((at - kind.full, at - kind.nose), left, lanes + 1, width, free=True))
        sections += split_section(
            plain_section((at - kind.nose, at + kind.nose), left, lanes, width, free=True), kind.link
        )
        enters[index] = len(sections)
        sections.append(plain_section((at + kind.nose, at + kind.full), left, lanes + 1, width, free=True))
        sections.append(right_opening((at + kind.full, at + kind.begin), left, lanes, width, closing=True))
        following = stations[order[(place + 1) % len(order)]] + (curve.length if place == len(order) - 1 else 0.0)
        between = (at + kind.begin, following - kind.begin)
        sections += split_section(plain_section(between, left, lanes, width, free=True), kind.link)
    carriageway = Carriageway(
        road=draft.road_id(),
        letter="R",
        curve=curve,
        lift=lift,
        width=width,
        speed_kmh=kind.speed_kmh,
        sections=sections,
        left_paint=MEDIAN_EDGE,
    )
    links = lay_carriageway(draft, carriageway)
    noses = []
    for index, at in enumerate(stations):
        leave, enter = leaves[index], enters[index]
        heights = lift(np.array([at - kind.nose - 0.5, at - kind.nose, at - kind.nose + 0.5]))
        noses.append(
            Nose(
                carriageway.lane_end(sections[leave], links[leave], lanes, at_end=True),
                carriageway.lane_end(sections[enter], links[enter], lanes, at_end=False),
                float(heights[1]),
                float(heights[2] - heights[0]),
            )
        )
    return tuple(noses), [link for section in links for link in section]
