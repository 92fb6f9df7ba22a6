"""Drivers stop before a crosswalk that a pedestrian is on, or waits at where there is no light.

A driver does not stop where the vehicle passes before the pedestrian reaches its lane, nor where it is too late to stop
without danger (Road Traffic Act of Korea, article 27; a pedestrian that steps on the road looks, too).
"""

from __future__ import annotations

from dorosim.ground.column import IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.decision_table_kernel import (
    SPAN_BEGIN,
    SPAN_END,
    STANDING_SPEED,
    UNBOUNDED,
    VEHICLE,
    Workspace,
    span_of,
)
from dorosim.world.traffic.road import LINK, RoadArrays
from dorosim.world.traffic.state import Crossing

CROSSWALK_GAP = 1.0
"""A driver stops this far before a crosswalk [m]."""

MAX_CROSSWALK_DECELERATION = 3.5
"""A driver goes on where it would have to brake harder than this for people on a crosswalk [m/s²]; drivers brake about
as hard for yellow."""

_CROSSING = Crossing.at


@inner_kernel
def sort_crossings(work: Workspace, ints: IntArray) -> None:
    """Write which rows are the crossings of each link; they are sorted by link already."""
    for row in range(ints.shape[1]):
        link = ints[_CROSSING.link, row]
        if work.crossing_span[link, SPAN_END] == 0:
            work.crossing_span[link, SPAN_BEGIN] = row
        work.crossing_span[link, SPAN_END] = row + 1


@inner_kernel
def is_on_used_crosswalk(work: Workspace, link: int, rear: float, front: float) -> bool:
    """Whether a body on a lane, from a place to another one [m], is on a crosswalk that people use, or beside one."""
    for at in span_of(work.crossing_span, link):
        begin, end = work.crossing[_CROSSING.begin, at] - CROSSWALK_GAP, work.crossing[_CROSSING.end, at]
        if rear < end + CROSSWALK_GAP and front > begin:
            return True
    return False


@inner_kernel
def distance_to_crossing(road: RoadArrays, work: Workspace, row: int, reach: float) -> float:
    """The distance to where a driver stops for people on a crosswalk in `reach` [m]; UNBOUNDED if it need not."""
    speed, body = work.vehicle[row, VEHICLE.speed], work.vehicle[row, VEHICLE.length]
    way = -work.vehicle[row, VEHICLE.s]
    for k in range(work.vehicle_ints[row, VEHICLE.path_count]):
        if way > reach:
            break
        link = work.path[row, k]
        for at in span_of(work.crossing_span, link):
            before = way + work.crossing[_CROSSING.begin, at]
            if before < 0.0 or speed * speed > 2.0 * MAX_CROSSWALK_DECELERATION * before:
                continue
            over = way + work.crossing[_CROSSING.end, at] + body
            if speed > STANDING_SPEED and over < speed * work.crossing[_CROSSING.time, at]:
                continue
            return float(before - CROSSWALK_GAP)
        way += road.link[link, LINK.length]
    return UNBOUNDED
