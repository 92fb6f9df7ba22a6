"""A village among hills: crossroads without lights, lanes of one per direction, winding roads over a hill.

The plan is written out, not drawn by seed. Widths and limits are those of the Korean road structure rules for local
roads (articles 8, 10 and 25: lanes of 3 m at 50 km/h and less, grades up to 8 % at 60 km/h in hills).
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.mapmaking.curve import CurvePose
from dorosim.mapmaking.plan import Arm, Control, Heading, MapPlan, Road, RoadClass, Site
from dorosim.mapmaking.terrain import HillyGround
from dorosim.mapmaking.town import build_map
from dorosim.road.mgeo.record import MGeoMap

STEEPEST = 0.08
"""No lane is steeper [rise over run]."""

VILLAGE_STREET = RoadClass(1, 3.0, 40.0)
COUNTRY_ROAD = RoadClass(1, 3.25, 60.0)

_HILLS = (
    (90.0, 430.0, 250.0, 32.0),
    (-560.0, -260.0, 230.0, 16.0),
    (470.0, -330.0, 240.0, -13.0),
)
"""The church hill, a low swell in the west, a hollow in the east: x, y, width and height [m]."""

_EAST, _NORTH, _WEST, _SOUTH = Heading.EAST, Heading.NORTH, Heading.WEST, Heading.SOUTH

_SITES = {
    "church": Site(0.0, 0.0, Control.STOP, (_EAST, _WEST)),
    "green": Site(235.0, 24.0, Control.YIELD, (_EAST, _WEST)),
    "mill": Site(-260.0, -36.0, Control.YIELD, (_EAST, _WEST)),
    "chapel": Site(18.0, 300.0, Control.YIELD, (_EAST, _WEST)),
    "school": Site(-16.0, -270.0, Control.STOP, (_EAST, _WEST)),
}


def generate_village(name: str = "village") -> MGeoMap:
    """The village, about 1.4 x 0.9 km, with 40 m from its lowest to its highest lane; the same each time.

    It has right-hand traffic, crosswalks without lights, and a parking lot. Every lane can be reached from every other.
    """
    return build_map(_plan(), HillyGround(np.array(_HILLS)), name)


def _plan() -> MapPlan:
    plan = MapPlan(half_width=700.0, half_height=500.0, sites=dict(_SITES))
    street, country = VILLAGE_STREET, COUNTRY_ROAD

    def road(
        start: str, out: Heading, end: str, back: Heading, kind: RoadClass, *via: tuple[float, float, int]
    ) -> None:
        stops = tuple(CurvePose(x, y, 0.5 * math.pi * quarters) for x, y, quarters in via)
        plan.roads.append(Road(Arm(start, out), Arm(end, back), kind, stops, bend=60.0))

    road("mill", _EAST, "church", _WEST, street)
    road("church", _EAST, "green", _WEST, street)
    road("church", _NORTH, "chapel", _SOUTH, street, (-14.0, 120.0, 1))
    road("school", _NORTH, "church", _SOUTH, street)
    road("chapel", _EAST, "green", _NORTH, country, (130.0, 318.0, 0), (262.0, 190.0, 3))
    road("chapel", _WEST, "mill", _NORTH, country, (-120.0, 280.0, 2), (-235.0, 130.0, 3))
    road("school", _EAST, "green", _SOUTH, country, (120.0, -292.0, 0), (250.0, -140.0, 1))
    road("school", _WEST, "mill", _SOUTH, country, (-140.0, -250.0, 2), (-275.0, -150.0, 1))
    loop = ((420.0, 60.0, 0), (610.0, 240.0, 1), (330.0, 452.0, 2), (-60.0, 410.0, 2), (-360.0, 450.0, 2))
    road("green", _EAST, "mill", _WEST, country, *loop, (-590.0, 180.0, 3), (-420.0, -20.0, 0))
    plan.lots.append(Arm("school", _SOUTH))
    plan.crosswalks += [Arm("church", heading) for heading in Heading]
    plan.crosswalks += [Arm("school", heading) for heading in (_EAST, _NORTH, _WEST)]
    return plan
