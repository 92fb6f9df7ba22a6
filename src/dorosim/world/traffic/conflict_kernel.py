"""What keeps a vehicle from a junction: zones in use, vehicles with priority, vehicles ahead, no room behind it."""

from __future__ import annotations

import math

from dorosim.ground.jit import inner_kernel
from dorosim.road.conflict import LONG_BODY
from dorosim.world.signal.permission import Permission
from dorosim.world.traffic.decision_table_kernel import (
    ENTRY,
    RARE,
    REPORT,
    SPAN_BEGIN,
    SPAN_END,
    UNBOUNDED,
    VEHICLE,
    Workspace,
    rows_of,
    span_of,
)
from dorosim.world.traffic.emergency_kernel import gives_way_to_emergency
from dorosim.world.traffic.link_occupancy_kernel import PLACE_TOLERANCE, SETTLING_DECELERATION, wait_place_of
from dorosim.world.traffic.road import CONFLICT, DIVERGE, LINK, RoadArrays
from dorosim.world.traffic.state import Waiting

PRIORITY_WAITING_TIME = 10.0
"""A vehicle that has waited longer than this has priority over all others [s]."""

CROSSING_TIME_MARGIN, MERGING_TIME_MARGIN = 1.0, 2.0
"""Least time from when a vehicle leaves a zone to when a vehicle with priority reaches it [s]."""

MIN_ARRIVAL_SPEED = 3.0
"""A vehicle with priority is taken to come at least this fast [m/s]."""

MIN_LEAVING_SPEED = 3.0
"""Vehicles behind one that leaves their lane slower than this get no authority [m/s]."""

STOP_LINE_GAP, JUNCTION_GAP = 0.5, 0.3
"""Distance at which a vehicle stops before a stop line, and before the start of a junction that has none [m]."""

_NOTHING, _OCCUPIED, _PRIORITY = int(Waiting.NOTHING), int(Waiting.OCCUPIED), int(Waiting.PRIORITY)
_GO, _AFTER_STOP = int(Permission.GO), int(Permission.STOP_THEN_YIELD)


@inner_kernel
def permission_rank(permission: int) -> int:
    """Rank of a permission: 0 green for its way alone, 1 by the rules of the road, 2 past a red light after a stop."""
    if permission == _GO:
        return 0
    return 2 if permission == _AFTER_STOP else 1


@inner_kernel
def travel_time(way: float, speed: float, limit: float, acceleration: float) -> float:
    """The time that a vehicle takes for a distance, while its speed grows evenly up to a limit [s]."""
    if way <= 0.0:
        return 0.0
    if speed >= limit:
        return way / limit
    rise = 0.5 * (limit * limit - speed * speed) / acceleration
    if way < rise:
        return (math.sqrt(speed * speed + 2.0 * acceleration * way) - speed) / acceleration
    return (limit - speed) / acceleration + (way - rise) / limit


@inner_kernel
def foe_arrives_before(road: RoadArrays, work: Workspace, c: int, leaving: float) -> bool:
    """Whether a vehicle with priority arrives at a conflict before the vehicle that asks has left it, plus a margin.

    `leaving`: time until the vehicle that asks has left it [s].
    """
    other = int(road.conflict[c, CONFLICT.foe_link])
    way = work.link[other, REPORT.arrival_distance]
    if way >= UNBOUNDED:
        return False
    speed = max(work.rare[other, RARE.arrival_speed], MIN_ARRIVAL_SPEED)
    margin = MERGING_TIME_MARGIN if road.conflict[c, CONFLICT.merges] == 1.0 else CROSSING_TIME_MARGIN
    return bool(max(way + road.conflict[c, CONFLICT.foe_start], 0.0) / speed < leaving + margin)


@inner_kernel
def is_zone_occupied(work: Workspace, link: int, end: float, row: int, long: bool) -> bool:
    """Whether another vehicle with an authority, if `long` a long one, has still to leave a zone that ends at `end`."""
    tail = work.rare[link, RARE.long_junction_rear] if long else work.link[link, REPORT.junction_rear]
    other = work.link_ints[link, REPORT.long_junction_vehicle if long else REPORT.junction_vehicle]
    return bool(tail < end and other != row)


@inner_kernel
def conflict_reason(road: RoadArrays, work: Workspace, row: int, link: int, way: float) -> int:
    """The `Waiting` that keeps a vehicle from crossing a link, which starts `way` ahead of its own link's start [m]."""
    waited, is_long = work.vehicle[row, VEHICLE.waiting_time], work.vehicle[row, VEHICLE.length] > LONG_BODY
    limit = min(road.link[link, LINK.speed_limit], road.link[link, LINK.curve_speed])
    speed, acceleration = work.vehicle[row, VEHICLE.speed], work.vehicle[row, VEHICLE.acceleration]
    mine = permission_rank(work.permission[link])
    begin = way + work.vehicle[row, VEHICLE.length] - work.vehicle[row, VEHICLE.s]
    code = _NOTHING
    for c in rows_of(road.link_ints, link, LINK.conflict_first):
        other = int(road.conflict[c, CONFLICT.foe_link])
        long = road.conflict[c, CONFLICT.long_only] == 1.0 and not is_long
        if is_zone_occupied(work, other, road.conflict[c, CONFLICT.foe_end], row, long):
            return _OCCUPIED
        if gives_way_to_emergency(work, link, other):
            return _PRIORITY
        foe_waited = work.link[other, REPORT.waiting_time]
        if foe_waited > PRIORITY_WAITING_TIME and (foe_waited > waited or (foe_waited == waited and other < link)):
            code = _PRIORITY
        elif waited <= PRIORITY_WAITING_TIME and code == _NOTHING and not long:
            theirs = permission_rank(work.permission[other])
            if mine > theirs or (mine == theirs and road.conflict[c, CONFLICT.yields] == 1.0):
                leaving = travel_time(begin + road.conflict[c, CONFLICT.end], speed, limit, acceleration)
                if foe_arrives_before(road, work, c, leaving):
                    code = _PRIORITY
    return code


@inner_kernel
def waits_for_authority(road: RoadArrays, work: Workspace, row: int, link: int, front: float) -> bool:
    """Whether a vehicle whose front is on a link still needs the authority for the link's conflicts."""
    reach = wait_place_of(road, link, work.vehicle[row, VEHICLE.length]) + PLACE_TOLERANCE
    waits = front <= reach and work.vehicle[row, VEHICLE.authority] <= reach
    return bool(waits and road.link_ints[link, LINK.conflicting] == 1)


@inner_kernel
def is_diverge_blocked(road: RoadArrays, work: Workspace, row: int, link: int, place: float) -> bool:
    """Whether a vehicle that waits on another lane from the same node is in the way, beyond `place` on a link [m]."""
    for c in rows_of(road.link_ints, link, LINK.diverge_first):
        beside = int(road.diverge[c, DIVERGE.other_link])
        other = work.link_ints[beside, REPORT.rear_vehicle]
        tail = work.link[beside, REPORT.rear]
        if other < 0 or other == row or tail >= road.diverge[c, DIVERGE.other_end] or tail < place:
            continue
        if waits_for_authority(road, work, other, beside, tail + work.vehicle[other, VEHICLE.length]):
            return True
    return False


@inner_kernel
def is_lane_blocked(road: RoadArrays, work: Workspace, row: int, k: int, way: float) -> bool:
    """Whether a vehicle without an authority is ahead of another on its way to the k-th link of its path, `way` ahead.

    So a vehicle with an authority never waits for one without: neither for one that still needs an authority, nor for
    one that turns off to where it needs none. A vehicle that leaves the lane and keeps driving does not count.
    """
    for j in range(k + 1):
        link = work.path[row, j]
        if is_diverge_blocked(road, work, row, link, work.vehicle[row, VEHICLE.s] if j == 0 else -UNBOUNDED):
            return True
        at = work.vehicle_ints[row, VEHICLE.entry] + 1 if j == 0 else work.entry_span[link, SPAN_BEGIN]
        if at < work.entry_span[link, SPAN_END]:
            other = work.entry_vehicle[at]
            if j == k:
                return waits_for_authority(road, work, other, link, work.entry[at, ENTRY.front])
            leaves = work.path[other, 0] != link and work.vehicle[other, VEHICLE.speed] >= MIN_LEAVING_SPEED
            if not leaves and work.vehicle[other, VEHICLE.authority] <= way + PLACE_TOLERANCE:
                return True
        way -= road.link[link, LINK.length]
    return False


@inner_kernel
def room_before_body(work: Workspace, link: int) -> float:
    """Room from the start of a link to the rear of the first body that is wholly on it, once that stands [m]."""
    room: float = work.rare[link, RARE.obstruction_stop]
    for at in span_of(work.entry_span, link):
        if work.entry[at, ENTRY.rear] >= 0.0:
            speed = work.vehicle[work.entry_vehicle[at], VEHICLE.speed]
            room = min(room, work.entry[at, ENTRY.rear] + 0.5 * speed * speed / SETTLING_DECELERATION)
            break
    return room


@inner_kernel
def room_behind_junction(
    road: RoadArrays, work: Workspace, row: int, k: int, need: float
) -> tuple[float, float, int, float]:
    """The room behind the last zone of the k-th link of a path.

    Returns:
        the room that other bodies leave [m]; the room up to the next place where the vehicle may have to wait [m]; that
        place's index on the path, -1 for none within `need`; and how far that link starts behind the k-th [m].
    """
    link = work.path[row, k]
    way = road.link[link, LINK.length]
    behind = way - road.keep_clear_end[link]
    free, count = (UNBOUNDED, work.vehicle_ints[row, VEHICLE.path_count])
    for j in range(k + 1, count):
        following, before = (work.path[row, j], work.path[row, j - 1])
        conflicting = road.link_ints[following, LINK.conflicting] == 1
        hold = wait_place_of(road, following, work.vehicle[row, VEHICLE.length])
        if road.link_ints[following, LINK.signalled] == 1 or (conflicting and hold == 0.0):
            back = road.link[before, LINK.length] - road.link[before, LINK.stop_line] if j > k + 1 else 0.0
            place = behind - back - STOP_LINE_GAP
            return (min(free, place), place, j, way)
        bodies = room_before_body(work, following)
        if free >= UNBOUNDED and bodies < UNBOUNDED:
            free = behind + bodies
        if conflicting:
            place = behind + hold
            return (min(free, place), place, j, way)
        behind += road.link[following, LINK.length]
        way += road.link[following, LINK.length]
        if behind > need + work.link[work.path[row, k + 1], REPORT.reserved]:
            break
    return (free, UNBOUNDED, -1, way)
