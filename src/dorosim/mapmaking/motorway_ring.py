"""A motorway that closes: two carriageways of three lanes round a piece of hilly country, with four interchanges.

Each interchange is a diamond: off-ramps and on-ramps on both sides, and a country road that passes under the motorway.
These roads meet at a roundabout in the middle. Lane widths, grades and limits are those of the Korean road structure
rules for a design speed of 100 km/h (articles 10, 19, 25 and 33).
"""

from __future__ import annotations

import numpy as np

from dorosim.mapmaking.plan import (
    Arm,
    Control,
    Heading,
    Interchange,
    MapPlan,
    RingClass,
    Road,
    RoadClass,
    Site,
)
from dorosim.mapmaking.terrain import HillyGround
from dorosim.mapmaking.town import build_map
from dorosim.road.mgeo.record import MGeoMap

MOTORWAY_RING = RingClass(
    lanes=3,
    width=3.6,
    speed_kmh=100.0,
    ramp_speed_kmh=60.0,
    half_median=2.0,
    corner=640.0,
    nose=240.0,
    full=440.0,
    begin=540.0,
    bridge_slope=320.0,
    link=400.0,
)
"""Its corners have a radius of 470 m; the rules ask for 460. Its bridges rise by 3.7 %."""

COUNTRY_ROAD = RoadClass(1, 3.5, 70.0)

_HALF_WIDTH, _HALF_HEIGHT = 1400.0, 900.0
_OFF_RING = 62.0
"""Distance of an interchange's junctions from the axis of the ring [m]."""

_HILLS = (
    (900.0, 700.0, 480.0, 14.0),
    (-1000.0, -500.0, 520.0, -10.0),
)
"""x, y, width and height [m]; they are no steeper than 2 %."""

_MIDDLE = "middle"


def generate_motorway_ring(name: str = "motorway") -> MGeoMap:
    """The motorway, about 8 km round; the same each time. Every lane can be reached from every other."""
    return build_map(_plan(), HillyGround(np.array(_HILLS)), name)


def _plan() -> MapPlan:
    plan = MapPlan(_HALF_WIDTH, _HALF_HEIGHT, ring=MOTORWAY_RING)
    plan.sites[_MIDDLE] = Site(0.0, 0.0, Control.ROUNDABOUT)
    for heading, x, y in (
        (Heading.EAST, 1.0, 0.0),
        (Heading.NORTH, 0.0, 1.0),
        (Heading.WEST, -1.0, 0.0),
        (Heading.SOUTH, 0.0, -1.0),
    ):
        reach = _HALF_WIDTH if x else _HALF_HEIGHT
        inner, outer = f"inner {heading.name}", f"outer {heading.name}"
        back = heading.turned(2)
        near, far = reach - _OFF_RING, reach + _OFF_RING
        plan.sites[inner] = Site(x * near, y * near, Control.YIELD, (heading, back))
        plan.sites[outer] = Site(x * far, y * far, Control.STOP, (back,))
        plan.roads.append(Road(Arm(_MIDDLE, heading), Arm(inner, back), COUNTRY_ROAD))
        plan.roads.append(Road(Arm(inner, heading), Arm(outer, back), COUNTRY_ROAD))
        plan.interchanges.append(Interchange(heading, inner, outer, (x * reach, y * reach)))
    return plan
