"""Vehicles that have been blocked for long are let in by drivers on the lanes beside."""

from __future__ import annotations

from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.world.traffic.decision_table_kernel import RARE, UNBOUNDED, VEHICLE, Workspace, rows_of, touch
from dorosim.world.traffic.lane_beside_kernel import station_at
from dorosim.world.traffic.pass_room_kernel import STANDING_GAP
from dorosim.world.traffic.road import BESIDE, LINK, RoadArrays
from dorosim.world.traffic.state import Passing, TrafficState

COURTESY_TIME, ONCOMING_COURTESY_TIME = 6.0, 25.0
"""Drivers on a lane beside let a vehicle in that has been blocked for longer than this [s]; oncoming ones later."""

COURTESY_DISTANCE, COURTESY_LENGTHS = 30.0, 3.0
"""Oncoming drivers stop this far [m] and so many of its lengths before a blocked vehicle, to let it pass."""

COURTESY_DECELERATION = 2.0
"""A driver lets a blocked vehicle in where it need not brake harder for it [m/s²]."""

_TRAFFIC = TrafficState.at
_NOT_PASSING = int(Passing.NOTHING)


@outlined_kernel
def ask_for_room(road: RoadArrays, work: Workspace) -> None:
    """Let vehicles that have been blocked for long ask drivers on the lanes beside to let them in."""
    for own in range(work.state_ints.shape[1]):
        row = work.record[own]
        if row < 0 or work.state[_TRAFFIC.blocked_time, own] < COURTESY_TIME:
            continue
        blocked = work.floats[_TRAFFIC.blocked_time, row]
        if work.ints[_TRAFFIC.passing, row] != 0 or work.vehicle[row, VEHICLE.speed] > 1.0:
            continue
        link, s = work.ints[_TRAFFIC.link, row], work.floats[_TRAFFIC.s, row]
        first = road.station_first[link]
        spacing = road.link[link, LINK.length] / max(road.station_first[link + 1] - first - 1, 1)
        for side in range(2):
            at = station_at(road, link, s, side)
            other = int(road.beside[at, BESIDE.link])
            if other < 0:
                continue
            off = s - (at // 2 - first) * spacing
            length = work.floats[_TRAFFIC.length, row]
            if road.beside[at, BESIDE.direction] > 0.0:
                place = road.beside[at, BESIDE.place] + off - length - 2.0 * STANDING_GAP
            elif blocked > ONCOMING_COURTESY_TIME:
                place = road.beside[at, BESIDE.place] - off - COURTESY_LENGTHS * length - COURTESY_DISTANCE
            else:
                continue
            if place > 0.0:
                touch(work, other)
                work.rare[other, RARE.courtesy_place] = min(work.rare[other, RARE.courtesy_place], place)
                continue
            for choice in rows_of(road.link_ints, other, LINK.predecessor_first):
                before = road.connection[choice]
                at_end = max(place + road.link[before, LINK.length], 0.0)
                touch(work, before)
                work.rare[before, RARE.courtesy_place] = min(work.rare[before, RARE.courtesy_place], at_end)


@inner_kernel
def courtesy_stop(road: RoadArrays, work: Workspace, row: int) -> float:
    """The distance to where a driver lets a blocked vehicle in [m], UNBOUNDED if it need not or comes too fast."""
    if work.ints[_TRAFFIC.passing, row] != _NOT_PASSING or work.ints[_TRAFFIC.change_from, row] >= 0:
        return UNBOUNDED
    speed, way = work.vehicle[row, VEHICLE.speed], -work.vehicle[row, VEHICLE.s]
    for k in range(min(work.vehicle_ints[row, VEHICLE.path_count], 2)):
        link = work.path[row, k]
        before = way + work.rare[link, RARE.courtesy_place]
        if before < UNBOUNDED / 2.0 and before > 0.5 * speed * speed / COURTESY_DECELERATION:
            return float(before)
        way += road.link[link, LINK.length]
    return UNBOUNDED
