"""Lane changes by MOBIL, and those that a route asks for.

Source: A. Kesting, M. Treiber and D. Helbing, "General lane-changing model MOBIL for car-following models",
Transportation Research Record 1999, 86-94 (2007): change where no follower must brake harder than a safe
deceleration, and where the own advantage, less the politeness times what followers lose, exceeds a threshold.
"""

from __future__ import annotations

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.beside_kernel import end_beside, place_on_next_lane
from dorosim.world.traffic.choice_kernel import cursor_after, resume_route
from dorosim.world.traffic.decision_table_kernel import (
    AUTHORITY,
    BODY,
    FAR,
    FIRST,
    FRONT,
    OBSTRUCTION,
    OLD,
    PATH_START,
    PLACE,
    REAR,
    RESERVED,
    SLOT,
    SPEED,
    TAIL,
    TAIL_ROW,
    TAKEN,
    Work,
)
from dorosim.world.traffic.follow_kernel import behind
from dorosim.world.traffic.road import (
    BEFORE,
    CONTROLLED,
    HOLD,
    LEFT,
    LENGTH,
    NEXT,
    OWN_PART,
    PARTING,
    RIGHT,
    RoadArrays,
)
from dorosim.world.traffic.route import Routes
from dorosim.world.traffic.state import Obstruction, TrafficState

SAFE_DECELERATION = 4.0
"""A follower must not have to brake harder than this [m/s²] (MOBIL: b_safe)."""

SHORTEST_CHANGE, CHANGE_TIME = 12.0, 3.0
"""A lane change takes the distance driven in CHANGE_TIME at the present speed [s], and at least SHORTEST_CHANGE [m]."""

ROUTE_ADVANTAGE = 3.0
"""Added to the advantage of a change that the route needs [m/s²]."""

END_DECELERATION = 2.5
"""A driver changes lanes only where this deceleration [m/s²] stops the vehicle before the end of either lane, since the
driver has not looked beyond it. An obstruction that comes from behind on the new lane must not have to brake harder."""

LOOK_BACK = 60.0
"""Followers farther behind than this do not matter [m]."""

CLEARANCE = 1.0
"""Least gap ahead and behind in the lane to which a vehicle changes [m]."""

_TRAFFIC = TrafficState.at
_OBSTRUCTION = Obstruction.at


@inner_kernel
def change_way(speed: float) -> float:
    """The distance over which a body moves to the next lane [m]."""
    return max(SHORTEST_CHANGE, CHANGE_TIME * speed)


@inner_kernel
def first_beyond(work: Work, link: int, s: float) -> int:
    """The first entry of a link whose front is farther than `s`, by bisection."""
    low, high = (work.owner[link, FIRST], work.owner[link + 1, FIRST])
    while low < high:
        middle = low + high >> 1
        if work.entry[middle, FRONT] > s:
            high = middle
        else:
            low = middle + 1
    found: int = low
    return found


@inner_kernel
def follower_behind(road: RoadArrays, work: Work, link: int, at: int, tail: float) -> tuple[float, int]:
    """Gap from the follower to a rear at `tail` on a link, and its row; FAR and -1 for none within `LOOK_BACK`.

    Over the start of the link the nearest on any link before counts, and so on where these are empty.
    """
    if at > work.owner[link, FIRST]:
        return (tail - work.entry[at - 1, FRONT], work.occupant[at - 1])
    way, here = (tail, link)
    while way < LOOK_BACK:
        gap, row, further = (FAR, -1, -1)
        for choice in range(road.key[here, BEFORE], road.key[here + 1, BEFORE]):
            before = road.pool[choice]
            last = work.owner[before + 1, FIRST] - 1
            if last < work.owner[before, FIRST]:
                further = before
            elif way + road.lane[before, LENGTH] - work.entry[last, FRONT] < gap:
                gap, row = (way + road.lane[before, LENGTH] - work.entry[last, FRONT], work.occupant[last])
        if row >= 0 or further < 0:
            return (gap, row)
        way += road.lane[further, LENGTH]
        here = further
    return (FAR, -1)


@inner_kernel
def is_open(road: RoadArrays, routes: Routes, ints: IntArray, row: int, target: int) -> tuple[bool, bool]:
    """Whether a driver may change to a lane, and whether the route needs the change.

    With a route, a driver changes for its own advantage only to lanes that continue the route. Without one, no driver
    changes from a lane that goes on to one that ends.
    """
    after = cursor_after(routes, ints, row, ints[_TRAFFIC.cursor, row])
    if after >= 0:
        wanted = routes.link[after]
        if wanted == target:
            return (True, True)
        for choice in range(road.key[target, NEXT], road.key[target + 1, NEXT]):
            if road.pool[choice] == wanted:
                return (ints[_TRAFFIC.may_change, row] == 1, False)
        return (False, False)
    link = ints[_TRAFFIC.link, row]
    ends = road.key[target + 1, NEXT] == road.key[target, NEXT]
    goes_on = road.key[link + 1, NEXT] > road.key[link, NEXT]
    return (ints[_TRAFFIC.may_change, row] == 1 and (not (ends and goes_on)), False)


@inner_kernel
def advantage(
    road: RoadArrays,
    work: Work,
    floats: FloatArray,
    row: int,
    target: int,
    place: float,
    now: float,
    free: float,
    alone: float,
) -> float:
    """MOBIL's incentive for one lane [m/s²], very negative where the change is not safe.

    Args:
        road: the roads.
        work: scratch.
        floats: the vehicles.
        row: of the vehicle that changes.
        target: the lane.
        place: of its front bumper on that lane [m].
        now: its present acceleration, for the vehicle ahead alone [m/s²].
        free: the same on an empty lane [m/s²].
        alone: its acceleration in the new lane if no other vehicle were there [m/s²].
    """
    link, own_slot = (work.sight[row, PATH_START], work.sight[row, SLOT])
    tail = place - work.driver[row, BODY]
    at = first_beyond(work, target, place)
    gap, mine = (FAR, alone)
    if at < work.owner[target + 1, FIRST]:
        gap = work.entry[at, REAR] - place
        mine = min(alone, free - behind(work, row, gap, work.driver[work.occupant[at], SPEED]))
    elif work.owner[target, TAIL_ROW] >= 0 and work.report[target, TAIL] > tail:
        gap = work.report[target, TAIL] - place
        mine = min(alone, free - behind(work, row, gap, work.driver[work.owner[target, TAIL_ROW], SPEED]))
    if gap < CLEARANCE or mine < -SAFE_DECELERATION or mine - now <= -ROUTE_ADVANTAGE:
        return -FAR
    loss = 0.0
    space, other = follower_behind(road, work, target, at, tail)
    if other >= 0 and space < FAR:
        then = behind(work, other, space, work.driver[row, SPEED])
        if space < CLEARANCE or then > SAFE_DECELERATION:
            return -FAR
        loss = then
        if gap < FAR and at < work.owner[target + 1, FIRST]:
            loss -= behind(work, other, space + work.driver[row, BODY] + gap, work.driver[work.occupant[at], SPEED])
    if own_slot > work.owner[link, FIRST]:
        left = work.occupant[own_slot - 1]
        space = work.entry[own_slot, REAR] - work.entry[own_slot - 1, FRONT]
        loss -= behind(work, left, space, work.driver[row, SPEED])
        if own_slot + 1 < work.owner[link + 1, FIRST]:
            further = work.entry[own_slot + 1, REAR] - work.entry[own_slot - 1, FRONT]
            loss += behind(work, left, further, work.driver[work.occupant[own_slot + 1], SPEED])
    found: float = mine - now - floats[_TRAFFIC.politeness, row] * loss
    return found


@inner_kernel
def body_beside(work: Work, obstruction: FloatArray, row: int, target: int, place: float) -> tuple[float, float]:
    """Gap to the nearest obstruction ahead on a lane beside, and its speed [m, m/s]; gap 0 where one is in the way.

    An obstruction that comes from behind is in the way where it would have to brake harder than END_DECELERATION.
    """
    own, tail = (work.driver[row, SPEED], place - work.driver[row, BODY])
    gap, speed = (FAR, 0.0)
    for at in range(work.owner[target, OBSTRUCTION], work.owner[target + 1, OBSTRUCTION]):
        other = work.barrier[at]
        theirs = max(obstruction[_OBSTRUCTION.speed, other], 0.0)
        if obstruction[_OBSTRUCTION.rear, other] > place:
            if obstruction[_OBSTRUCTION.rear, other] - place < gap:
                gap, speed = (obstruction[_OBSTRUCTION.rear, other] - place, theirs)
            continue
        need = CLEARANCE + theirs + max(0.5 * (theirs * theirs - own * own) / END_DECELERATION, 0.0)
        if tail - obstruction[_OBSTRUCTION.front, other] < need:
            return (0.0, 0.0)
    return (gap, speed)


@inner_kernel
def can_change(road: RoadArrays, work: Work, row: int) -> bool:
    """Whether a vehicle is where lane changes begin: wholly on its link, with room to end one, no junction granted."""
    link, s, speed = work.sight[row, PATH_START], work.driver[row, PLACE], work.driver[row, SPEED]
    if work.sight[row, OLD] >= 0 or (road.key[link, LEFT] < 0 and road.key[link, RIGHT] < 0) or speed < 0.5:
        return False
    left = road.lane[link, LENGTH] - s
    need = max(change_room(work, row), 0.5 * speed * speed / END_DECELERATION)
    return (
        s > work.driver[row, BODY] + 0.5
        and left > need
        and work.driver[row, AUTHORITY] <= s
        and before_zones(road, link, s)
    )


@inner_kernel
def has_room_beside(road: RoadArrays, work: Work, row: int, target: int, place: float) -> bool:
    """Whether a vehicle can begin a change at a place on another lane, and end it while the lanes are side by side.

    At its end the body is wholly on that lane, before its conflicts, and can still stop before the end of the lane.
    """
    if place <= work.driver[row, BODY] + 0.5:
        return False
    speed, room = work.driver[row, SPEED], change_room(work, row)
    if end_beside(road, work.sight[row, PATH_START], target) - place < room:
        return False
    if road.lane[target, LENGTH] - place <= 0.5 * speed * speed / END_DECELERATION:
        return False
    return before_zones(road, target, place + room)


@inner_kernel
def change_room(work: Work, row: int) -> float:
    """The distance that a vehicle drives until a change that it begins now has ended [m]."""
    room: float = change_way(work.driver[row, SPEED]) + work.driver[row, BODY] + 1.0
    return room


@inner_kernel
def before_zones(road: RoadArrays, link: int, s: float) -> bool:
    """Whether a place on a link lies before all its conflicts."""
    found: bool = road.key[link, CONTROLLED] == 0 or s < road.lane[link, HOLD]
    return found


@inner_kernel
def beyond_partings(road: RoadArrays, link: int, tail: float) -> bool:
    """Whether a rear at `tail` on a link is beyond the part where the link overlaps others from the same node."""
    for c in range(road.key[link, PARTING], road.key[link + 1, PARTING]):  # noqa: SIM110 - numba knows no generators
        if tail < road.parting[c, OWN_PART]:
            return False
    return True


@inner_kernel
def choose_lane(
    road: RoadArrays,
    work: Work,
    routes: Routes,
    floats: FloatArray,
    ints: IntArray,
    obstruction: FloatArray,
    row: int,
    now: float,
    free: float,
    clear: float,
) -> int:
    """The lane to which a driver wants to change, -1 for none.

    Args:
        road: the roads.
        work: scratch.
        routes: the routes.
        floats: the vehicles.
        ints: the vehicles.
        obstruction: bodies that are not traffic.
        row: of the vehicle.
        now: its present acceleration, for what is ahead in its lane alone [m/s²].
        free: the same on an empty lane [m/s²].
        clear: gap to the nearest obstruction in its way, before which it must have left the lane [m].
    """
    if clear < change_way(work.driver[row, SPEED]):
        return -1
    best, chosen = (floats[_TRAFFIC.change_threshold, row], -1)
    link = ints[_TRAFFIC.link, row]
    for side in range(2):
        target = road.key[link, LEFT] if side == 0 else road.key[link, RIGHT]
        if target < 0 or work.owner[target, TAKEN] == 1 or work.report[target, RESERVED] > 0.0:
            continue
        place = place_on_next_lane(road, link, target, work.driver[row, PLACE])
        if not has_room_beside(road, work, row, target, place):
            continue
        if not beyond_partings(road, target, place - work.driver[row, BODY]):
            continue
        wanted, needed = is_open(road, routes, ints, row, target)
        if not wanted or (not needed and free - now <= best):
            continue
        gap, speed = body_beside(work, obstruction, row, target, place)
        if gap < CLEARANCE:
            continue
        alone = free if gap >= FAR else free - behind(work, row, gap, speed)
        gain = advantage(road, work, floats, row, target, place, now, free, alone)
        if needed:
            gain += ROUTE_ADVANTAGE
        if gain > best:
            best, chosen = (gain, target)
    return chosen


@inner_kernel
def begin_change(
    road: RoadArrays, work: Work, routes: Routes, floats: FloatArray, ints: IntArray, row: int, target: int
) -> None:
    """Put a vehicle on another lane: all drivers see it there from the next decision on; its body moves over slowly."""
    link = ints[_TRAFFIC.link, row]
    place = place_on_next_lane(road, link, target, floats[_TRAFFIC.s, row])
    ints[_TRAFFIC.change_from, row] = link
    ints[_TRAFFIC.link, row] = target
    ints[_TRAFFIC.previous, row] = -1
    ints[_TRAFFIC.before_previous, row] = -1
    floats[_TRAFFIC.s, row] = place
    floats[_TRAFFIC.change_start, row] = place
    floats[_TRAFFIC.change_length, row] = change_way(floats[_TRAFFIC.speed, row])
    floats[_TRAFFIC.authority, row] = 0.0
    ints[_TRAFFIC.cursor, row] = resume_route(routes, ints, row, link, target, ints[_TRAFFIC.cursor, row])
    work.owner[target, TAKEN] = 1
