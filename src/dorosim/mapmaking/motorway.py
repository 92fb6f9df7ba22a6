"""A motorway: two carriageways of three lanes, with interchanges whose ramps leave and come in over auxiliary lanes.

Lane widths, lengths of auxiliary lanes and of their tapers, and limits are those of the Korean road structure rules for
a design speed of 100 km/h and more (articles 10 and 33; auxiliary lanes of 150 to 250 m).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from dorosim.mapmaking.carriageway import (
    Carriageway,
    Section,
    lay_carriageway,
    plain_section,
    right_opening,
    split_section,
)
from dorosim.mapmaking.curve import Blend, Chain, Curve, CurvePose, Reversed, connection, line
from dorosim.mapmaking.draft import MEDIAN_EDGE, MapDraft
from dorosim.mapmaking.street import Street, build_street
from dorosim.mapmaking.terrain import HillyGround
from dorosim.road.mgeo.record import GlobalInfo, MGeoMap

MOTORWAY_LENGTH, MOTORWAY_LANES, MOTORWAY_LANE_WIDTH = 10_000.0, 3, 3.6
"""Length [m], lanes in each direction and their width [m]."""

MOTORWAY_SPEED_KMH, MOTORWAY_RAMP_SPEED_KMH = 110.0, 60.0

INTERCHANGES = (2_500.0, 5_000.0, 7_500.0)
"""Where interchanges are, along the motorway [m]."""

_HALF_MEDIAN = 2.0
_NOSE, _AUXILIARY, _TAPER = 150.0, 250.0, 100.0
"""From the middle of an interchange to where ramps leave and come in, and lengths of auxiliary lane and taper [m]."""

_MAX_LINK_LENGTH = 500.0
_RAMP_REACH, _RAMP_OFFSET, _RAMP_STRAIGHT = 110.0, 30.0, 30.0
"""How far ramps lead along the motorway and away from it, and the length of their straight end [m]."""

_ORIGIN = (352_000.0, 4_132_000.0, 35.0)


def generate_motorway(name: str) -> MGeoMap:
    """A straight, level motorway from west to east about the map's origin; the same each time."""
    draft = MapDraft(name, HillyGround(np.zeros((0, 4))))
    axis = line(CurvePose(-0.5 * MOTORWAY_LENGTH, 0.0, 0.0), MOTORWAY_LENGTH)
    for curve in (axis, Reversed(axis)):
        _build_carriageway(draft, curve)
    draft.town.info = GlobalInfo(
        coordinate_system="UTM52N", origin=_ORIGIN, traffic_dir="RHT", country="KR", license="Apache-2.0"
    )
    return draft.town


def _build_carriageway(draft: MapDraft, curve: Curve) -> None:
    """Draw one carriageway and its ramps."""
    left = Blend(-_HALF_MEDIAN)
    lanes, width = MOTORWAY_LANES, MOTORWAY_LANE_WIDTH
    sections: list[Section] = []
    leaves: list[int] = []
    enters: list[int] = []

    def plain(first: float, last: float) -> None:
        section = plain_section((first, last), left, lanes, width, free=True)
        sections.extend(split_section(section, _MAX_LINK_LENGTH))

    reach = _NOSE + _AUXILIARY + _TAPER
    ends = [(at - reach, at + reach) for at in INTERCHANGES]
    plain(0.0, ends[0][0])
    for number, at in enumerate(INTERCHANGES):
        before, behind = at - _NOSE, at + _NOSE
        sections.append(right_opening((before - _AUXILIARY - _TAPER, before - _AUXILIARY), left, lanes, width))
        leaves.append(len(sections))
        sections.append(plain_section((before - _AUXILIARY, before), left, lanes + 1, width, free=True))
        plain(before, behind)
        enters.append(len(sections))
        sections.append(plain_section((behind, behind + _AUXILIARY), left, lanes + 1, width, free=True))
        taper = (behind + _AUXILIARY, behind + _AUXILIARY + _TAPER)
        sections.append(right_opening(taper, left, lanes, width, closing=True))
        plain(ends[number][1], ends[number + 1][0] if number + 1 < len(ends) else curve.length)
    carriageway = Carriageway(
        road=draft.road_id(),
        letter="R",
        curve=curve,
        lift=Blend(0.0),
        width=width,
        speed_kmh=MOTORWAY_SPEED_KMH,
        sections=sections,
        left_paint=MEDIAN_EDGE,
    )
    links = lay_carriageway(draft, carriageway)
    assert all(one.reach[1] == two.reach[0] for one, two in pairwise(sections))
    for section in leaves:
        _off_ramp(draft, carriageway.lane_end(sections[section], links[section], lanes, at_end=True).pose)
    for section in enters:
        _on_ramp(draft, carriageway.lane_end(sections[section], links[section], lanes, at_end=False).pose)


def _off_ramp(draft: MapDraft, nose: CurvePose) -> None:
    """Draw a ramp from the end of an auxiliary lane to the edge of the map."""
    tail = nose.moved(_RAMP_REACH, -_RAMP_OFFSET)
    _ramp(draft, Chain([connection(nose, tail), line(tail, _RAMP_STRAIGHT)]))


def _on_ramp(draft: MapDraft, nose: CurvePose) -> None:
    """Draw a ramp from the edge of the map to the start of an auxiliary lane."""
    head = nose.moved(-_RAMP_REACH, -_RAMP_OFFSET)
    start = head.moved(-_RAMP_STRAIGHT)
    _ramp(draft, Chain([line(start, _RAMP_STRAIGHT), connection(head, nose)]))


def _ramp(draft: MapDraft, curve: Curve) -> None:
    street = Street(
        road=draft.road_id(),
        curve=curve,
        lanes=(1, 0),
        width=MOTORWAY_LANE_WIDTH,
        speed_kmh=MOTORWAY_RAMP_SPEED_KMH,
    )
    build_street(draft, street)
