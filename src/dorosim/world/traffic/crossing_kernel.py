"""Drivers let people cross: they stop before a crosswalk that somebody is on, or waits at without a light.

They need not while people are still far enough from their lane to pass before them, and who comes upon it too late to
stop without danger goes on (Road Traffic Act of Korea, article 27; the one who steps on the road looks, too).
"""

from __future__ import annotations

from dorosim.ground.column import RealArray, WholeArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.decision_table_kernel import BODY, CROSSING, FAR, PATH_COUNT, PATH_START, PLACE, SPEED, Work
from dorosim.world.traffic.road import LENGTH, RoadArrays
from dorosim.world.traffic.state import Crossing

CROSSING_GAP = 1.0
"""Where one stops before a crosswalk [m]."""

YIELD_DECELERATION = 3.5
"""Who would have to brake harder for people on a crosswalk goes on [m/s²]; drivers brake about as hard for yellow."""

STANDING = 0.5
"""Slower is standing [m/s]."""

_LINK, _BEGIN, _END, _TIME = Crossing.link.index, Crossing.begin.index, Crossing.end.index, Crossing.time.index


@inner_kernel
def sort_crossings(work: Work, whole: WholeArray) -> None:
    """Say where the crossings of each link begin; they are sorted already."""
    if whole.shape[1] == 0:
        return
    for row in range(whole.shape[1]):
        work.owner[whole[_LINK, row] + 1, CROSSING] += 1
    for link in range(work.owner.shape[0] - 1):
        work.owner[link + 1, CROSSING] += work.owner[link, CROSSING]


@inner_kernel
def way_to_crossing(road: RoadArrays, work: Work, crossing: RealArray, row: int, reach: float) -> float:
    """How far it is to where a driver stops for people who cross [m], FAR if he need not within `reach` [m]."""
    speed, body = work.driver[row, SPEED], work.driver[row, BODY]
    way = -work.driver[row, PLACE]
    for k in range(work.sight[row, PATH_COUNT]):
        if way > reach:
            break
        link = work.sight[row, PATH_START + k]
        for at in range(work.owner[link, CROSSING], work.owner[link + 1, CROSSING]):
            before = way + crossing[_BEGIN, at]
            if before < 0.0 or speed * speed > 2.0 * YIELD_DECELERATION * before:
                continue
            over = way + crossing[_END, at] + body
            if speed > STANDING and over < speed * crossing[_TIME, at]:
                continue
            stop: float = before - CROSSING_GAP
            return stop
        way += road.lane[link, LENGTH]
    return FAR
