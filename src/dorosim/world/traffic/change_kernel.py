"""Lane changes by MOBIL, and those that a route asks for.

Source: A. Kesting, M. Treiber and D. Helbing, "General lane-changing model MOBIL for car-following models",
Transportation Research Record 1999, 86-94 (2007): change where no follower must brake harder than a safe
deceleration, and where the own advantage, less the politeness times what followers lose, exceeds a threshold.
"""

from __future__ import annotations

from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.world.traffic.beside_kernel import end_beside, place_on_target_lane
from dorosim.world.traffic.choice_kernel import resume_route, route_index_after
from dorosim.world.traffic.decision_table_kernel import (
    ENTRY,
    REPORT,
    SPAN_BEGIN,
    SPAN_END,
    STANDING_SPEED,
    UNBOUNDED,
    VEHICLE,
    Special,
    Workspace,
    mark_changed,
    rows_of,
    span_of,
)
from dorosim.world.traffic.follow_kernel import CLEARED_SHARE, interaction_deceleration
from dorosim.world.traffic.road import DIVERGE, LINK, RoadArrays
from dorosim.world.traffic.route import Routes
from dorosim.world.traffic.state import Obstruction, TrafficState

MOBIL_SAFE_DECELERATION = 4.0
"""A follower must not have to brake harder than this [m/s²] (MOBIL: b_safe)."""

MIN_LANE_CHANGE_LENGTH, LANE_CHANGE_TIME = 12.0, 3.0
"""A lane change takes the distance driven in LANE_CHANGE_TIME [s], and at least MIN_LANE_CHANGE_LENGTH [m]."""

ROUTE_INCENTIVE = 3.0
"""Added to the advantage of a change that the route needs [m/s²]."""

LANE_END_DECELERATION = 2.5
"""A driver changes lanes only where this deceleration [m/s²] stops the vehicle before the end of either lane, since the
driver has not looked beyond it. An obstruction that comes from behind on the new lane must not have to brake harder."""

MIN_CLEAR_GAIN, CLEAR_HORIZON = 20.0, 60.0
"""Drivers do not change to a lane on which a body stands within CLEAR_HORIZON [m], unless it is MIN_CLEAR_GAIN [m]
farther ahead than one on their own lane."""

MAX_FOLLOWER_DISTANCE = 60.0
"""Followers farther behind than this do not matter [m]."""

MIN_LANE_CHANGE_GAP = 1.0
"""Least gap ahead and behind in the lane to which a vehicle changes [m]."""

_PASSES, _CHANGES, _MAY_CHANGE = int(Special.PASSES), int(Special.CHANGES), int(Special.MAY_CHANGE)
_TRAFFIC = TrafficState.at
_OBSTRUCTION = Obstruction.at


@inner_kernel
def lane_change_length(speed: float) -> float:
    """The distance over which a body moves to the next lane [m]."""
    return max(MIN_LANE_CHANGE_LENGTH, LANE_CHANGE_TIME * speed)


@inner_kernel
def first_entry_beyond(work: Workspace, link: int, s: float) -> int:
    """The first entry of a link whose front is farther than `s`, by bisection."""
    low, high = (work.entry_span[link, SPAN_BEGIN], work.entry_span[link, SPAN_END])
    while low < high:
        middle = low + high >> 1
        if work.entry[middle, ENTRY.front] > s:
            high = middle
        else:
            low = middle + 1
    return int(low)


@inner_kernel
def find_follower(road: RoadArrays, work: Workspace, link: int, at: int, tail: float) -> tuple[float, int]:
    """Gap from the follower to a rear at `tail` on a link [m], and its row; UNBOUNDED and -1 for none.

    Followers within MAX_FOLLOWER_DISTANCE count. Over the start of the link the nearest on any link before counts, and
    so on where these are empty.
    """
    if at > work.entry_span[link, SPAN_BEGIN]:
        return (tail - work.entry[at - 1, ENTRY.front], work.entry_vehicle[at - 1])
    way, here = (tail, link)
    while way < MAX_FOLLOWER_DISTANCE:
        gap, row, further = (UNBOUNDED, -1, -1)
        for choice in rows_of(road.link_ints, here, LINK.predecessor_first):
            before = road.connection[choice]
            last = work.entry_span[before, SPAN_END] - 1
            if last < work.entry_span[before, SPAN_BEGIN]:
                further = before
                continue
            space = way + road.link[before, LINK.length] - work.entry[last, ENTRY.front]
            if space < gap:
                gap, row = space, work.entry_vehicle[last]
        if row >= 0 or further < 0:
            return (gap, row)
        way += road.link[further, LINK.length]
        here = further
    return (UNBOUNDED, -1)


@inner_kernel
def is_next(routes: Routes, work: Workspace, row: int, target: int) -> bool:
    """Whether a lane comes next in the route of a driver."""
    after = route_index_after(routes, work.ints, row, work.vehicle_ints[row, VEHICLE.route_index])
    return bool(after >= 0 and routes.link[after] == target)


@inner_kernel
def may_gain(work: Workspace, row: int, lane_acceleration: float, free_acceleration: float) -> bool:
    """Whether another lane may be better for a driver, whatever is on it; arguments as of `choose_lane`.

    Most drivers have nothing to gain. They need not look at the other lane, which is far away in memory.
    """
    too_little = free_acceleration - lane_acceleration <= work.vehicle[row, VEHICLE.change_threshold]
    return bool(work.vehicle_ints[row, VEHICLE.route_index] >= 0 or not too_little)


@inner_kernel
def suits_route(road: RoadArrays, routes: Routes, work: Workspace, row: int, target: int) -> tuple[bool, bool]:
    """Whether a driver may change to a lane, and whether the route needs the change.

    With a route, a driver changes for its own advantage only to lanes that continue the route. Without one, no driver
    changes from a lane that goes on to one that ends.
    """
    may = work.vehicle_ints[row, VEHICLE.special] & _MAY_CHANGE != 0
    after = route_index_after(routes, work.ints, row, work.vehicle_ints[row, VEHICLE.route_index])
    if after >= 0:
        wanted = routes.link[after]
        if wanted == target:
            return (True, True)
        for choice in rows_of(road.link_ints, target, LINK.successor_first):
            if road.connection[choice] == wanted:
                return (may, False)
        return (False, False)
    link = work.path[row, 0]
    ends = road.link_ints[target + 1, LINK.successor_first] == road.link_ints[target, LINK.successor_first]
    goes_on = road.link_ints[link + 1, LINK.successor_first] > road.link_ints[link, LINK.successor_first]
    return (may and (not (ends and goes_on)), False)


@inner_kernel
def lane_change_incentive(
    road: RoadArrays,
    work: Workspace,
    row: int,
    target: int,
    place: float,
    lane_acceleration: float,
    free_acceleration: float,
    empty_lane_acceleration: float,
) -> float:
    """MOBIL's incentive for one lane [m/s²], very negative where the change is not safe.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle that changes.
        target: the lane.
        place: of its front bumper on that lane [m].
        lane_acceleration: its present acceleration, for the vehicle ahead alone [m/s²].
        free_acceleration: the same on an empty lane [m/s²].
        empty_lane_acceleration: its acceleration in the new lane if no other vehicle were there [m/s²].
    """
    link, own_slot = (work.path[row, 0], work.vehicle_ints[row, VEHICLE.entry])
    tail = place - work.vehicle[row, VEHICLE.length]
    at = first_entry_beyond(work, target, place)
    gap, mine, leader = UNBOUNDED, empty_lane_acceleration, -1
    if at < work.entry_span[target, SPAN_END]:
        gap, leader = work.entry[at, ENTRY.rear] - place, work.entry_vehicle[at]
    elif work.link_ints[target, REPORT.rear_vehicle] >= 0 and work.link[target, REPORT.rear] > tail:
        gap, leader = work.link[target, REPORT.rear] - place, work.link_ints[target, REPORT.rear_vehicle]
    if leader >= 0:
        mine = min(
            empty_lane_acceleration,
            free_acceleration - interaction_deceleration(work, row, gap, work.vehicle[leader, VEHICLE.speed]),
        )
    if gap < MIN_LANE_CHANGE_GAP or mine < -MOBIL_SAFE_DECELERATION or mine - lane_acceleration <= -ROUTE_INCENTIVE:
        return -UNBOUNDED
    if leader >= 0 and gap + LANE_CHANGE_TIME * work.vehicle[leader, VEHICLE.speed] < lane_change_room(work, row):
        return -UNBOUNDED
    loss = 0.0
    space, other = find_follower(road, work, target, at, tail)
    if other >= 0 and space < UNBOUNDED:
        then = interaction_deceleration(work, other, space, work.vehicle[row, VEHICLE.speed])
        if space < MIN_LANE_CHANGE_GAP or then > MOBIL_SAFE_DECELERATION:
            return -UNBOUNDED
        loss = then
        if gap < UNBOUNDED and at < work.entry_span[target, SPAN_END]:
            before = space + work.vehicle[row, VEHICLE.length] + gap
            loss -= interaction_deceleration(work, other, before, work.vehicle[leader, VEHICLE.speed])
    if own_slot > work.entry_span[link, SPAN_BEGIN]:
        left = work.entry_vehicle[own_slot - 1]
        space = work.entry[own_slot, ENTRY.rear] - work.entry[own_slot - 1, ENTRY.front]
        loss -= interaction_deceleration(work, left, space, work.vehicle[row, VEHICLE.speed])
        if own_slot + 1 < work.entry_span[link, SPAN_END]:
            further = work.entry[own_slot + 1, ENTRY.rear] - work.entry[own_slot - 1, ENTRY.front]
            leader = work.entry_vehicle[own_slot + 1]
            loss += interaction_deceleration(work, left, further, work.vehicle[leader, VEHICLE.speed])
    return float(mine - lane_acceleration - work.floats[_TRAFFIC.politeness, row] * loss)


@inner_kernel
def obstruction_gap_on(work: Workspace, row: int, target: int, place: float) -> tuple[float, float]:
    """Gap to the nearest obstruction ahead on a lane beside, and its speed [m, m/s]; gap 0 where one is in the way.

    An obstruction that comes from behind is in the way where it would have to brake harder than LANE_END_DECELERATION.
    """
    own, tail = (work.vehicle[row, VEHICLE.speed], place - work.vehicle[row, VEHICLE.length])
    gap, speed = (UNBOUNDED, 0.0)
    for at in span_of(work.body_span, target):
        other = work.obstruction_row[at]
        theirs = max(work.obstruction[_OBSTRUCTION.speed, other], 0.0)
        if work.obstruction[_OBSTRUCTION.rear, other] > place:
            if work.obstruction[_OBSTRUCTION.rear, other] - place < gap:
                gap, speed = (work.obstruction[_OBSTRUCTION.rear, other] - place, theirs)
            continue
        need = MIN_LANE_CHANGE_GAP + theirs + max(0.5 * (theirs * theirs - own * own) / LANE_END_DECELERATION, 0.0)
        if tail - work.obstruction[_OBSTRUCTION.front, other] < need:
            return (0.0, 0.0)
    return (gap, speed)


@inner_kernel
def can_change(road: RoadArrays, work: Workspace, row: int) -> bool:
    """Whether a vehicle can begin a lane change: it is wholly on its link, has room, and has reserved no junction."""
    link, s, speed = work.path[row, 0], work.vehicle[row, VEHICLE.s], work.vehicle[row, VEHICLE.speed]
    passes = work.vehicle_ints[row, VEHICLE.special] & _PASSES != 0
    only_lane = road.link_ints[link, LINK.left] < 0 and road.link_ints[link, LINK.right] < 0
    if work.vehicle_ints[row, VEHICLE.source_link] >= 0 or only_lane or passes or speed < 0.5:
        return False
    left = road.link[link, LINK.length] - s
    need = max(lane_change_room(work, row), 0.5 * speed * speed / LANE_END_DECELERATION)
    return (
        s > work.vehicle[row, VEHICLE.length] + 0.5
        and work.vehicle[row, VEHICLE.stop_place] - s > need
        and left > need
        and work.vehicle[row, VEHICLE.authority] <= s
        and is_before_conflicts(road, link, s)
    )


@inner_kernel
def has_room_on(road: RoadArrays, work: Workspace, row: int, target: int, place: float) -> bool:
    """Whether a vehicle can begin a change at a place on another lane, and end it while the lanes are side by side.

    At its end the body is wholly on that lane, before its conflicts, and can still stop before the end of the lane.
    """
    if place <= work.vehicle[row, VEHICLE.length] + 0.5:
        return False
    speed, room = work.vehicle[row, VEHICLE.speed], lane_change_room(work, row)
    if end_beside(road, work.path[row, 0], target) - place < room:
        return False
    if road.link[target, LINK.length] - place <= 0.5 * speed * speed / LANE_END_DECELERATION:
        return False
    return is_before_conflicts(road, target, place + room)


@inner_kernel
def lane_change_room(work: Workspace, row: int) -> float:
    """The distance that a vehicle drives until a change that it begins now has ended [m]."""
    return float(lane_change_length(work.vehicle[row, VEHICLE.speed]) + work.vehicle[row, VEHICLE.length] + 1.0)


@inner_kernel
def is_before_conflicts(road: RoadArrays, link: int, s: float) -> bool:
    """Whether a place on a link lies before all its conflicts."""
    return bool(road.link_ints[link, LINK.conflicting] == 0 or s < road.link[link, LINK.wait_place])


@inner_kernel
def is_beyond_diverge(road: RoadArrays, link: int, tail: float) -> bool:
    """Whether a rear at `tail` on a link is beyond the part where the link overlaps others from the same node."""
    for c in rows_of(road.link_ints, link, LINK.diverge_first):  # noqa: SIM110 - numba knows no generators
        if tail < road.diverge[c, DIVERGE.end]:
            return False
    return True


@inner_kernel
def can_leave_behind_leader(work: Workspace, row: int) -> bool:
    """Whether a vehicle has room behind the one ahead to leave its lane; else it would have to stop across two."""
    at = work.vehicle_ints[row, VEHICLE.entry] + 1
    if at >= work.entry_span[work.path[row, 0], SPAN_END]:
        return True
    gap = work.entry[at, ENTRY.rear] - work.vehicle[row, VEHICLE.s]
    ahead = work.vehicle[work.entry_vehicle[at], VEHICLE.speed]
    way = LANE_CHANGE_TIME * ahead if ahead > STANDING_SPEED else 0.0
    return bool(gap + way > CLEARED_SHARE * lane_change_length(work.vehicle[row, VEHICLE.speed]))


@outlined_kernel
def choose_lane(
    road: RoadArrays,
    work: Workspace,
    routes: Routes,
    row: int,
    lane_acceleration: float,
    free_acceleration: float,
    clear: float,
) -> int:
    """The lane to which a driver wants to change, -1 for none.

    Args:
        road: the roads.
        work: scratch.
        routes: the routes.
        row: of the vehicle.
        lane_acceleration: its present acceleration, for what is ahead in its lane alone [m/s²].
        free_acceleration: the same on an empty lane [m/s²].
        clear: gap to the nearest obstruction in its way, before which it must have left the lane [m].
    """
    if clear < lane_change_length(work.vehicle[row, VEHICLE.speed]) or not can_leave_behind_leader(work, row):
        return -1
    best, chosen = (work.vehicle[row, VEHICLE.change_threshold], -1)
    link = work.path[row, 0]
    for side in range(2):
        target = road.link_ints[link, LINK.left] if side == 0 else road.link_ints[link, LINK.right]
        if target < 0 or (free_acceleration - lane_acceleration <= best and not is_next(routes, work, row, target)):
            continue
        if work.link_ints[target, REPORT.changed_to] == 1 or work.link[target, REPORT.reserved] > 0.0:
            continue
        place = place_on_target_lane(road, link, target, work.vehicle[row, VEHICLE.s])
        if not has_room_on(road, work, row, target, place):
            continue
        if not is_beyond_diverge(road, target, place - work.vehicle[row, VEHICLE.length]):
            continue
        wanted, needed = suits_route(road, routes, work, row, target)
        if not wanted:
            continue
        gap, speed = obstruction_gap_on(work, row, target, place)
        if gap < MIN_LANE_CHANGE_GAP or (speed < STANDING_SPEED and gap < min(clear + MIN_CLEAR_GAIN, CLEAR_HORIZON)):
            continue
        empty_lane_acceleration = (
            free_acceleration
            if gap >= UNBOUNDED
            else free_acceleration - interaction_deceleration(work, row, gap, speed)
        )
        gain = lane_change_incentive(
            road, work, row, target, place, lane_acceleration, free_acceleration, empty_lane_acceleration
        )
        if needed:
            gain += ROUTE_INCENTIVE
        if gain > best:
            best, chosen = (gain, target)
    return chosen


@inner_kernel
def begin_change(road: RoadArrays, work: Workspace, routes: Routes, row: int, target: int) -> None:
    """Put a vehicle on another lane: all drivers see it there from the next decision on; its body moves over slowly."""
    link = work.ints[_TRAFFIC.link, row]
    place = place_on_target_lane(road, link, target, work.floats[_TRAFFIC.s, row])
    work.ints[_TRAFFIC.change_from, row] = link
    work.ints[_TRAFFIC.link, row] = target
    work.ints[_TRAFFIC.previous, row] = -1
    work.ints[_TRAFFIC.before_previous, row] = -1
    work.floats[_TRAFFIC.s, row] = place
    work.floats[_TRAFFIC.change_start, row] = place
    work.floats[_TRAFFIC.change_length, row] = lane_change_length(work.floats[_TRAFFIC.speed, row])
    work.vehicle_ints[row, VEHICLE.special] |= _CHANGES
    work.ints[_TRAFFIC.cursor, row] = resume_route(
        routes, work.ints, row, link, target, work.ints[_TRAFFIC.cursor, row]
    )
    mark_changed(work, target)
