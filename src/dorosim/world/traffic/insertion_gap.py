"""Whether there is room for one more vehicle at a place on a lane."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dorosim.road.adjacency import FlagArray, FloatArray
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.traffic.road import CONFLICT, LINK
from dorosim.world.traffic.state import NO_OBSTRUCTION, Obstruction, Presence, TrafficState

INSERTION_STANDSTILL_GAP = 2.0
"""Gap that is left before and behind at standstill: s0 of the IDM [m]."""

MAX_INSERTION_DECELERATION = 2.0
"""No vehicle has to brake harder than this because of a vehicle that enters [m/s²]: the comfortable deceleration of the
IDM."""

INSERTION_TIME_GAP = 1.0
"""A vehicle behind another keeps this time gap too [s]."""

_MAX_DISTANCE = 150.0
"""Vehicles farther than this along the lanes do not matter [m]."""


def room_at(
    plan: TrafficPlan,
    state: TrafficState,
    link: int,
    s: float,
    length: float,
    speed: float = 0.0,
    obstruction: Obstruction = NO_OBSTRUCTION,
) -> bool:
    """Whether a vehicle can enter at a place without harm to itself or to others.

    It must have its gap ahead and behind, the vehicles behind must be able to brake comfortably, and it must not stand
    between another vehicle and a junction that the other already may cross, nor where another vehicle crosses its lane.

    Args:
        plan: the roads.
        state: the vehicles that are there.
        link: row of the link.
        s: place of its front bumper [m].
        length: of its body [m].
        speed: at which it enters [m/s].
        obstruction: bodies that are not traffic.
    """
    present = state.present == Presence.ON_LANE
    for lane, way in _lanes_around(plan, link):
        here = present & (state.link == lane)
        front, authority = state.s + way, state.authority + way
        if not _fits(front[here], state.length[here], state.speed[here], s, length, speed):
            return False
        if (here & (front < s) & (authority > s - length)).any():
            return False
        leaving = present & (state.change_from == lane)
        if leaving.any():
            front = plan.side_by_side.places_on_lane(lane, state.link[leaving], state.s[leaving]) + way
            if not _fits(front, state.length[leaving], state.speed[leaving], s, length, speed):
                return False
        at = obstruction.link == lane
        extent = obstruction.front[at] - obstruction.rear[at]
        if not _fits(obstruction.front[at] + way, extent, obstruction.speed[at].clip(min=0.0), s, length, speed):
            return False
    return not _is_crossed(plan, state, present, link, s, length)


def _lanes_around(plan: TrafficPlan, link: int) -> Iterator[tuple[int, float]]:
    """A link, the lanes that lead to it and from it, and where each starts, seen from the start of the link [m]."""
    road = plan.road
    yield link, 0.0
    for begin, ahead in ((LINK.successor_first, True), (LINK.predecessor_first, False)):
        reached = [(link, float(road.link[link, LINK.length]) if ahead else 0.0)]
        seen = {link}
        while reached:
            lane, way = reached.pop()
            for other in road.connection[road.link_ints[lane, begin] : road.link_ints[lane + 1, begin]].tolist():
                extent = float(road.link[other, LINK.length])
                if other in seen:
                    continue
                seen.add(other)
                yield other, way if ahead else way - extent
                further = way + extent if ahead else way - extent
                if -_MAX_DISTANCE < further < float(road.link[link, LINK.length]) + _MAX_DISTANCE:
                    reached.append((other, further))


def _fits(front: FloatArray, length: FloatArray, speed: FloatArray, s: float, own: float, own_speed: float) -> bool:
    """Whether bodies on the same way leave room for one with its front at `s`; all `(N,)`, on its arc length."""
    before = front - length - s
    behind = s - own - front
    rush = np.maximum(own_speed**2 - speed**2, 0.0) / (2 * MAX_INSERTION_DECELERATION)
    chase = np.maximum(speed**2 - own_speed**2, 0.0) / (2 * MAX_INSERTION_DECELERATION)
    ahead_free = before >= INSERTION_STANDSTILL_GAP + INSERTION_TIME_GAP * own_speed + rush
    behind_free = behind >= INSERTION_STANDSTILL_GAP + INSERTION_TIME_GAP * speed + chase
    return bool((ahead_free | behind_free).all())


def _is_crossed(plan: TrafficPlan, state: TrafficState, present: FlagArray, link: int, s: float, length: float) -> bool:
    """Whether a place touches a conflict zone with a lane that a vehicle is on, has just left or may already enter."""
    road = plan.road
    first, end = np.searchsorted(plan.conflicts.link, (link, link + 1))
    for row in range(first, end):
        zone_start, zone_end = plan.conflicts.start[row], road.conflict[row, CONFLICT.end]
        if s < zone_start or s - length > zone_end:
            continue
        other = int(road.conflict[row, CONFLICT.foe_link])
        leads = np.isin(
            state.link,
            road.connection[
                road.link_ints[other, LINK.predecessor_first] : road.link_ints[other + 1, LINK.predecessor_first]
            ],
        )
        coming = leads & (state.authority > road.link[state.link, LINK.length])
        if (present & ((state.link == other) | (state.previous == other) | coming)).any():
            return True
    return False
