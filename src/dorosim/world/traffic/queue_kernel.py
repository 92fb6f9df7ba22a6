"""Whether a vehicle ahead in the lane has no authority to go on, so that those behind it get none."""

from __future__ import annotations

from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.decision_table_kernel import (
    AUTHORITY,
    BODY,
    FAR,
    FIRST,
    FRONT,
    PATH_START,
    PLACE,
    SLOT,
    SPEED,
    TAIL,
    TAIL_ROW,
    Work,
)
from dorosim.world.traffic.link_occupancy_kernel import hold_of
from dorosim.world.traffic.road import CONTROLLED, LENGTH, OTHER_PART, PART_LINK, PARTING, RoadArrays

SLOW_CHANGE = 3.0
"""Vehicles behind one that leaves their lane slower than this get no authority [m/s]."""

EPSILON = 1e-6
"""Places that differ by less than this are the same [m]."""


@inner_kernel
def waits_on(road: RoadArrays, work: Work, row: int, link: int, front: float) -> bool:
    """Whether a vehicle whose front is on a link still needs the authority for the link's conflicts."""
    hold = hold_of(road, link, work.driver[row, BODY])
    return road.key[link, CONTROLLED] == 1 and front <= hold + EPSILON and work.driver[row, AUTHORITY] <= hold + EPSILON


@inner_kernel
def fork_is_taken(road: RoadArrays, work: Work, row: int, link: int, place: float) -> bool:
    """Whether a vehicle that waits on another lane from the same node is in the way, beyond `place` on a link [m]."""
    for c in range(road.key[link, PARTING], road.key[link + 1, PARTING]):
        beside = int(road.parting[c, PART_LINK])
        other = work.owner[beside, TAIL_ROW]
        tail = work.report[beside, TAIL]
        if other < 0 or other == row or tail >= road.parting[c, OTHER_PART] or tail < place:
            continue
        if waits_on(road, work, other, beside, tail + work.driver[other, BODY]):
            return True
    return False


@inner_kernel
def lane_is_taken(road: RoadArrays, work: Work, row: int, k: int, way: float) -> bool:
    """Whether a vehicle without an authority is ahead of another on its way to the k-th link of its path, `way` ahead.

    So a vehicle with an authority never waits for one without: neither for one that still needs an authority, nor for
    one that turns off to where it needs none. A vehicle that leaves the lane and keeps driving does not count.
    """
    for j in range(k + 1):
        link = work.sight[row, PATH_START + j]
        if fork_is_taken(road, work, row, link, work.driver[row, PLACE] if j == 0 else -FAR):
            return True
        at = work.sight[row, SLOT] + 1 if j == 0 else work.owner[link, FIRST]
        if at < work.owner[link + 1, FIRST]:
            other = work.occupant[at]
            if j == k:
                return waits_on(road, work, other, link, work.entry[at, FRONT])
            leaves = work.sight[other, PATH_START] != link and work.driver[other, SPEED] >= SLOW_CHANGE
            if not leaves and work.driver[other, AUTHORITY] <= way + EPSILON:
                return True
        way -= road.lane[link, LENGTH]
    return False
