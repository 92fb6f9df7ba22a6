"""Drivers stop before a crosswalk that a pedestrian is on, or waits at where there is no light.

A driver does not stop where the vehicle passes before the pedestrian reaches its lane, nor where it is too late to stop
without danger (Road Traffic Act of Korea, article 27; a pedestrian that steps on the road looks, too).
"""

from __future__ import annotations

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.decision_table_kernel import BODY, CROSSING, FAR, PATH_COUNT, PATH_START, PLACE, SPEED, Work
from dorosim.world.traffic.road import LENGTH, RoadArrays
from dorosim.world.traffic.state import Crossing

CROSSING_GAP = 1.0
"""A driver stops this far before a crosswalk [m]."""

YIELD_DECELERATION = 3.5
"""A driver goes on where it would have to brake harder than this for people on a crosswalk [m/s²]; drivers brake about
as hard for yellow."""

STANDING = 0.5
"""A vehicle not faster than this counts as standing [m/s]."""

_CROSSING = Crossing.at


@inner_kernel
def sort_crossings(work: Work, ints: IntArray) -> None:
    """Write where the crossings of each link begin, into `work.owner`; they are sorted by link already."""
    if ints.shape[1] == 0:
        return
    for row in range(ints.shape[1]):
        work.owner[ints[_CROSSING.link, row] + 1, CROSSING] += 1
    for link in range(work.owner.shape[0] - 1):
        work.owner[link + 1, CROSSING] += work.owner[link, CROSSING]


@inner_kernel
def way_to_crossing(road: RoadArrays, work: Work, crossing: FloatArray, row: int, reach: float) -> float:
    """The distance to where a driver stops for people on a crosswalk [m]; FAR where it need not within `reach` [m]."""
    speed, body = work.driver[row, SPEED], work.driver[row, BODY]
    way = -work.driver[row, PLACE]
    for k in range(work.sight[row, PATH_COUNT]):
        if way > reach:
            break
        link = work.sight[row, PATH_START + k]
        for at in range(work.owner[link, CROSSING], work.owner[link + 1, CROSSING]):
            before = way + crossing[_CROSSING.begin, at]
            if before < 0.0 or speed * speed > 2.0 * YIELD_DECELERATION * before:
                continue
            over = way + crossing[_CROSSING.end, at] + body
            if speed > STANDING and over < speed * crossing[_CROSSING.time, at]:
                continue
            stop: float = before - CROSSING_GAP
            return stop
        way += road.lane[link, LENGTH]
    return FAR
