"""What every vehicle enters into the reports on links: where its body is, its authority, and when it arrives."""

from __future__ import annotations

from dorosim.ground.column import IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.road.conflict import LONG_BODY
from dorosim.world.signal.permission import Permission
from dorosim.world.traffic.choice_kernel import next_link
from dorosim.world.traffic.decision_table_kernel import (
    ENTRY,
    MAX_PATH_LINKS,
    RARE,
    REPORT,
    VEHICLE,
    Special,
    Workspace,
    rows_of,
    touch,
)
from dorosim.world.traffic.road import LINK, RoadArrays
from dorosim.world.traffic.route import Routes
from dorosim.world.traffic.state import Obstruction, TrafficState, Waiting

ARRIVAL_HORIZON = 8.0
"""Drivers look out for vehicles with priority this long before these arrive [s]; critical gaps are 4 to 7 s (Highway
Capacity Manual 2000, exhibit 17-5)."""

MIN_LOOK_AHEAD = 40.0
"""The first vehicle in a lane looks at least this far ahead [m]."""

JUNCTION_EXIT_LOOK_AHEAD = 30.0
"""A driver looks this far beyond its braking distance [m]: the room behind a junction."""

SETTLING_DECELERATION = 4.0
"""Deceleration with which a vehicle behind a junction is taken to stop, to find the room that it leaves [m/s²]."""

MIN_OBSTRUCTING_VEHICLE_LENGTH = 2.0
"""An obstruction that covers less of a lane than this is no vehicle [m]."""

LANE_BLOCKING_OFFSET = 1.0
"""An obstruction that is not within this of the middle of a lane leaves room to stand behind a junction [m]."""

MIN_ARRIVING_OBSTRUCTION_SPEED = 0.5
"""An obstruction that is slower than this does not count as coming to a junction [m/s]."""

PLACE_TOLERANCE = 1e-6

_TRAFFIC, _OBSTRUCTION = TrafficState.at, Obstruction.at
_YIELD, _EXIT = int(Permission.YIELD), int(Waiting.EXIT)
_STANDS = int(Special.STANDS)


@inner_kernel
def look_ahead_distance(speed: float) -> float:
    """How far ahead a driver must see [m]: to stop with 2 m/s², two seconds and a car's length."""
    return 0.25 * speed * speed + 2.0 * speed + 15.0


@inner_kernel
def find_path(road: RoadArrays, work: Workspace, routes: Routes, row: int, seed: int, reach: float) -> None:
    """Write the links ahead of a vehicle, as far as `reach` from the start of its own [m], into `work.path`."""
    link = work.path[row, 0]
    counter, cursor = (work.vehicle_ints[row, VEHICLE.counter], work.vehicle_ints[row, VEHICLE.route_index])
    actor, count, way = work.vehicle_ints[row, VEHICLE.id], 1, road.link[link, LINK.length]
    while count < MAX_PATH_LINKS and way < reach:
        link, cursor = next_link(road, routes, work.ints, row, actor, seed, link, counter, cursor)
        if link < 0:
            break
        work.path[row, count] = link
        count += 1
        counter += 1
        way += road.link[link, LINK.length]
    work.vehicle_ints[row, VEHICLE.path_count] = count


@inner_kernel
def wait_place_of(road: RoadArrays, link: int, length: float) -> float:
    """Where on a link a body waits for its conflicts [m], 0 for before the link."""
    return float(road.link[link, LINK.wait_place] if length <= LONG_BODY else road.link[link, LINK.long_wait_place])


@inner_kernel
def comes_before(work: Workspace, row: int, other: int) -> bool:
    """Whether a vehicle comes before another one: on a lower link, or on the same one farther ahead."""
    if other < 0 or work.path[row, 0] != work.path[other, 0]:
        return bool(other >= 0 and work.path[row, 0] < work.path[other, 0])
    return bool(work.vehicle_ints[row, VEHICLE.entry] > work.vehicle_ints[other, VEHICLE.entry])


@inner_kernel
def occupy_link(work: Workspace, link: int, tail: float, row: int) -> None:
    """Enter a body that is on a link; of two that reach as far back the one counts that comes before."""
    rear = work.link[link, REPORT.rear]
    if tail < rear or (tail == rear and comes_before(work, row, work.link_ints[link, REPORT.rear_vehicle])):
        touch(work, link)
        work.link[link, REPORT.rear] = tail
        work.link_ints[link, REPORT.rear_vehicle] = row


@inner_kernel
def occupy_junction(work: Workspace, link: int, tail: float, length: float, row: int) -> None:
    """Enter that a vehicle has the zones of a link until its tail has passed them."""
    touch(work, link)
    if tail < work.link[link, REPORT.junction_rear]:
        work.link[link, REPORT.junction_rear] = tail
        work.link_ints[link, REPORT.junction_vehicle] = row
    if length > LONG_BODY and tail < work.rare[link, RARE.long_junction_rear]:
        work.rare[link, RARE.long_junction_rear] = tail
        work.link_ints[link, REPORT.long_junction_vehicle] = row


@inner_kernel
def register_body(road: RoadArrays, work: Workspace, row: int) -> None:
    """Enter a body on its link and on those that its rear still covers."""
    length = work.vehicle[row, VEHICLE.length]
    link, tail = work.path[row, 0], work.vehicle[row, VEHICLE.s] - length
    occupy_link(work, link, tail, row)
    if work.vehicle_ints[row, VEHICLE.source_link_entry] >= 0:
        at = work.vehicle_ints[row, VEHICLE.source_link_entry]
        occupy_link(work, work.vehicle_ints[row, VEHICLE.source_link], work.entry[at, ENTRY.rear], row)
    if tail < 0.0:
        touch(work, link)
        work.link[link, REPORT.reserved] += length + work.vehicle[row, VEHICLE.standstill_gap]
    for further in range(2):
        if tail >= 0.0:
            return
        link = work.ints[_TRAFFIC.before_previous, row] if further else work.vehicle_ints[row, VEHICLE.previous_link]
        if link < 0:
            return
        tail += road.link[link, LINK.length]
        occupy_link(work, link, tail, row)
        if road.link_ints[link, LINK.conflicting] == 1:
            occupy_junction(work, link, tail, length, row)


@inner_kernel
def hold_junction(work: Workspace, row: int, k: int, way: float) -> None:
    """Enter that a vehicle has the zones of the k-th link of its path, `way` ahead [m], and needs room behind it."""
    length = work.vehicle[row, VEHICLE.length]
    occupy_junction(work, work.path[row, k], work.vehicle[row, VEHICLE.s] - length - way, length, row)
    if k + 1 < work.vehicle_ints[row, VEHICLE.path_count]:
        touch(work, work.path[row, k + 1])
        work.link[work.path[row, k + 1], REPORT.reserved] += length + work.vehicle[row, VEHICLE.standstill_gap]


@inner_kernel
def register_authority(road: RoadArrays, work: Workspace, row: int) -> tuple[int, float]:
    """Enter the junctions for which a vehicle has the authority.

    Returns:
        the place on its path of the first junction for which it has none, -1 for none in sight, and the way to that
        link's start from the start of the vehicle's own [m].
    """
    s, authority = (work.vehicle[row, VEHICLE.s], work.vehicle[row, VEHICLE.authority])
    way = 0.0
    for k in range(work.vehicle_ints[row, VEHICLE.path_count]):
        link = work.path[row, k]
        if road.link_ints[link, LINK.conflicting] == 1:
            stand = way + wait_place_of(road, link, work.vehicle[row, VEHICLE.length]) + PLACE_TOLERANCE
            if authority <= stand and (k > 0 or s <= stand):
                return (k, way)
            hold_junction(work, row, k, way)
        way += road.link[link, LINK.length]
    return (-1, way)


@inner_kernel
def may_arrive(work: Workspace, row: int, link: int) -> bool:
    """Whether its light and the room behind a junction allow a vehicle to arrive at a link of it."""
    if work.vehicle_ints[row, VEHICLE.special] & _STANDS != 0 or work.permission[link] > _YIELD:
        return False
    return bool(work.vehicle[row, VEHICLE.speed] >= 1.0 or work.ints[_TRAFFIC.waiting, row] != _EXIT)


@inner_kernel
def register_arrival(work: Workspace, row: int, k: int, way: float) -> None:
    """Enter the arrival of a vehicle at a junction to cross, the k-th link of its path, if it may arrive there."""
    link = work.path[row, k]
    if not may_arrive(work, row, link):
        return
    enter_arrival(work, link, way - work.vehicle[row, VEHICLE.s], work.vehicle[row, VEHICLE.speed])
    touch(work, link)
    waited = work.vehicle[row, VEHICLE.waiting_time]
    work.link[link, REPORT.waiting_time] = max(work.link[link, REPORT.waiting_time], waited)


@inner_kernel
def register_obstructions(road: RoadArrays, work: Workspace, ints: IntArray) -> None:
    """Enter obstructing vehicles: they occupy the zones that they stand in, and arrive at junctions like others.

    Pedestrians and small objects are not entered: they are in the way where they are, but do not drive.
    """
    floats = work.obstruction
    for row in range(ints.shape[1]):
        link = ints[_OBSTRUCTION.link, row]
        rear, front = floats[_OBSTRUCTION.rear, row], floats[_OBSTRUCTION.front, row]
        if front - rear < MIN_OBSTRUCTING_VEHICLE_LENGTH:
            continue
        speed = max(floats[_OBSTRUCTION.speed, row], 0.0)
        right, left = floats[_OBSTRUCTION.right, row], floats[_OBSTRUCTION.left, row]
        if rear >= 0.0 and right < LANE_BLOCKING_OFFSET and left > -LANE_BLOCKING_OFFSET:
            room = rear + 0.5 * speed * speed / SETTLING_DECELERATION
            touch(work, link)
            work.rare[link, RARE.obstruction_stop] = min(work.rare[link, RARE.obstruction_stop], room)
        if road.link_ints[link, LINK.conflicting] == 1 and front > road.link[link, LINK.wait_place]:
            occupy_junction(work, link, rear, front - rear, -2)
        elif road.link_ints[link, LINK.conflicting] == 1 and speed > MIN_ARRIVING_OBSTRUCTION_SPEED:
            enter_arrival(work, link, -front, speed)
        if speed > MIN_ARRIVING_OBSTRUCTION_SPEED:
            for choice in rows_of(road.link_ints, link, LINK.successor_first):
                following = road.connection[choice]
                if road.link_ints[following, LINK.conflicting] == 1:
                    enter_arrival(work, following, road.link[link, LINK.length] - front, speed)


@inner_kernel
def enter_arrival(work: Workspace, link: int, way: float, speed: float) -> None:
    """Enter the arrival of a vehicle at a link, a way before its start [m], if it is the nearest one."""
    if way < work.link[link, REPORT.arrival_distance]:
        touch(work, link)
        work.link[link, REPORT.arrival_distance] = way
        work.rare[link, RARE.arrival_speed] = speed
