"""Drivers make room for vehicles whose emergency lamps flash and that drive.

Drivers ahead of one move to the side of their lane and slow down; those that would enter a junction which it is about
to cross wait (Road Traffic Act of Korea, article 29 (4) and (5): give way at junctions, and elsewhere let it pass). On
the left one of several lanes they move to the left, on the others to the right, so that a lane between them opens.
"""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.world.traffic.decision_table_kernel import (
    MAKING_ROOM,
    REPORT,
    UNBOUNDED,
    VEHICLE,
    Special,
    Workspace,
    rows_of,
    touch,
)
from dorosim.world.traffic.road import LINK, RoadArrays
from dorosim.world.traffic.state import Obstruction, TrafficState

EMERGENCY_HORIZON = 100.0
"""Drivers notice an emergency vehicle that is so far behind [m]."""

MIN_EMERGENCY_SPEED = 2.0
"""A vehicle with emergency lamps that is slower than this has broken down, or waits itself [m/s]."""

MAKING_ROOM_SPEED, MAKING_ROOM_DECELERATION = 10.0 / 3.6, 1.5
"""Drivers that make room slow down to this [m/s], with this [m/s²]."""

_MAX_LINKS = 32
_TRAFFIC = TrafficState.at
_OBSTRUCTION = Obstruction.at
_MAKES_ROOM = int(Special.MAKES_ROOM)


@outlined_kernel
def register_emergency(road: RoadArrays, work: Workspace, link: int, place: float) -> None:
    """Enter an emergency vehicle on its link from `place` on, and on the links that follow within EMERGENCY_HORIZON."""
    queue, way = np.empty(_MAX_LINKS, np.int64), np.empty(_MAX_LINKS)
    queue[0], way[0] = link, road.link[link, LINK.length] - place
    touch(work, link)
    work.link[link, REPORT.emergency_place] = min(work.link[link, REPORT.emergency_place], place)
    done, count = 0, 1
    while done < count:
        here, left = queue[done], way[done]
        done += 1
        if left > EMERGENCY_HORIZON:
            continue
        for choice in rows_of(road.link_ints, here, LINK.successor_first):
            following = road.connection[choice]
            if count < _MAX_LINKS and work.link[following, REPORT.emergency_place] > 0.0:
                touch(work, following)
                work.link[following, REPORT.emergency_place] = 0.0
                queue[count], way[count] = following, left + road.link[following, LINK.length]
                count += 1


@outlined_kernel
def make_room(road: RoadArrays, work: Workspace, obstruction_ints: IntArray) -> None:
    """Let drivers notice emergency vehicles.

    Args:
        road: the roads.
        work: scratch.
        obstruction_ints: of `Obstruction`.
    """
    found = False
    for at in range(work.obstruction.shape[1]):
        comes = work.obstruction[_OBSTRUCTION.speed, at] > MIN_EMERGENCY_SPEED
        if work.obstruction[_OBSTRUCTION.emergency, at] != 0.0 and comes:
            found = True
            place = work.obstruction[_OBSTRUCTION.front, at]
            register_emergency(road, work, obstruction_ints[_OBSTRUCTION.link, at], place)
    if not found and work.total[MAKING_ROOM] == 0:
        return
    for own in range(work.state_ints.shape[1]):
        row = work.record[own]
        if row >= 0 and (found or work.state_ints[_TRAFFIC.making_room, own] != 0):
            link = work.ints[_TRAFFIC.link, row]
            near = work.vehicle[row, VEHICLE.s] > work.link[link, REPORT.emergency_place]
            to_left = road.link_ints[link, LINK.right] >= 0 and road.link_ints[link, LINK.left] < 0
            work.ints[_TRAFFIC.making_room, row] = (1 if to_left else -1) if near else 0
            others = work.vehicle_ints[row, VEHICLE.special] & ~_MAKES_ROOM
            work.vehicle_ints[row, VEHICLE.special] = others + (_MAKES_ROOM if near else 0)


@inner_kernel
def making_room_acceleration(work: Workspace, row: int) -> float:
    """The acceleration of a driver that makes room, at most [m/s²]."""
    if work.vehicle_ints[row, VEHICLE.special] & _MAKES_ROOM == 0:
        return UNBOUNDED
    return float(max(MAKING_ROOM_SPEED - work.vehicle[row, VEHICLE.speed], -MAKING_ROOM_DECELERATION))


@inner_kernel
def gives_way_to_emergency(work: Workspace, link: int, other: int) -> bool:
    """Whether an emergency vehicle is about to come over a link that conflicts with one that a driver would enter."""
    comes = work.link[other, REPORT.emergency_place] < UNBOUNDED
    return bool(comes and work.link[link, REPORT.emergency_place] >= UNBOUNDED)
