"""Which vehicles may enter a junction: each needs an authority to cross a link that conflicts with others.

A vehicle gets one where its light allows it, no vehicle with an authority has still to clear a zone on its way, it
hinders no vehicle with priority, and there is room for it behind the junction. So a vehicle inside can always leave:
vehicles with an authority never wait for vehicles without one. A vehicle that has waited for long has priority over all
others: no other vehicle then gets an authority that conflicts. Since vehicles with an authority leave in finite time,
every wait ends.
"""

from __future__ import annotations

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.signal.permission import Permission
from dorosim.world.traffic.conflict_kernel import conflict_code
from dorosim.world.traffic.decision_table_kernel import (
    AUTHORITY,
    BEHIND,
    BODY,
    FAR,
    FIRST,
    FRONT,
    GAP,
    PATH_COUNT,
    PATH_START,
    PLACE,
    RESERVED,
    SLOT,
    SPEED,
    Work,
)
from dorosim.world.traffic.exit_kernel import JUNCTION_GAP, LINE_GAP, room_behind
from dorosim.world.traffic.link_occupancy_kernel import hold_of, occupy
from dorosim.world.traffic.queue_kernel import EPSILON, SLOW_CHANGE, lane_is_taken
from dorosim.world.traffic.road import CONTROLLED, KEEP, LENGTH, LIT, NEXT, STOP, RoadArrays
from dorosim.world.traffic.state import TrafficState, Waiting

REROUTE_TIME = 45.0
"""After waiting this long before a full exit, a vehicle without a route chooses another way [s]."""

APPROACH_DECELERATION = 2.0
"""Braking for a stop line [m/s²]; the comfortable value of the IDM literature is 1.67 to 2."""

YELLOW_DECELERATION, RED_DECELERATION = 4.0, 7.0
"""A driver goes on where it would have to brake harder than this for a yellow or a red light [m/s²]."""

STANDING = 0.5
"""A vehicle slower than this counts as standing [m/s]."""

_TRAFFIC = TrafficState.at
_NOTHING, _LIGHT, _OCCUPIED = int(Waiting.NOTHING), int(Waiting.LIGHT), int(Waiting.OCCUPIED)
_PRIORITY, _EXIT, _TURN = int(Waiting.PRIORITY), int(Waiting.EXIT), int(Waiting.TURN)
_AFTER_STOP, _CLEAR, _STOP = int(Permission.STOP_THEN_YIELD), int(Permission.CLEAR), int(Permission.STOP)


@inner_kernel
def request(
    road: RoadArrays,
    work: Work,
    permission: IntArray,
    row: int,
    k: int,
    way: float,
) -> tuple[int, float]:
    """Ask for the authority to cross the k-th link of a path, and further ones before which it has no room to wait.

    Returns:
        a Waiting, NOTHING if it is granted, and how far the authority reaches from the start of its own link [m].
    """
    need = work.driver[row, BODY] + work.driver[row, GAP]
    while True:
        link = work.sight[row, PATH_START + k]
        code = conflict_code(road, work, permission, row, link, way)
        if code != _NOTHING:
            return (code, 0.0)
        end = way + road.lane[link, LENGTH]
        if road.rim[link, KEEP] < 0.0 or k + 1 >= work.sight[row, PATH_COUNT]:
            return (_NOTHING, end)
        free, place, j, further = room_behind(road, work, row, k, need)
        if place >= need:
            if free < need + work.report[work.sight[row, PATH_START + k + 1], RESERVED]:
                return (_EXIT, 0.0)
            return (_NOTHING, end)
        if (
            road.key[work.sight[row, PATH_START + j], LIT] == 1
            and permission[work.sight[row, PATH_START + j]] >= _AFTER_STOP
        ):
            return (_LIGHT, 0.0)
        if road.key[work.sight[row, PATH_START + j], CONTROLLED] == 0:
            return (_NOTHING, end)
        if lane_is_taken(road, work, row, j, way + further):
            return (_EXIT, 0.0)
        k, way = (j, way + further)


@inner_kernel
def register(road: RoadArrays, work: Work, row: int, k: int, way: float, authority: float) -> None:
    """Mark the zones that a vehicle has just been granted as its own, from the k-th link of its path on."""
    need = work.driver[row, BODY] + work.driver[row, GAP]
    tail = work.driver[row, PLACE] - work.driver[row, BODY]
    for j in range(k, work.sight[row, PATH_COUNT]):
        if way >= authority - EPSILON:
            return
        link = work.sight[row, PATH_START + j]
        if road.key[link, CONTROLLED] == 1:
            occupy(work, link, tail - way, work.driver[row, BODY], row)
            if j + 1 < work.sight[row, PATH_COUNT]:
                work.report[work.sight[row, PATH_START + j + 1], RESERVED] += need
        way += road.lane[link, LENGTH]


@inner_kernel
def light_bars(permission: int, way: float, speed: float) -> bool:
    """Whether a light stops a vehicle that is `way` before the line [m] and can still stop there."""
    if permission < _CLEAR:
        return False
    limit = RED_DECELERATION if permission == _STOP else YELLOW_DECELERATION
    return speed * speed <= 2.0 * limit * max(way, 0.05)


@inner_kernel
def station_code(
    road: RoadArrays,
    work: Work,
    permission: IntArray,
    row: int,
    k: int,
    way: float,
    blocked: bool,
) -> int:
    """Ask for the k-th link of a path, if it is the vehicle's turn, and write what is granted. Returns a Waiting."""
    if blocked or lane_is_taken(road, work, row, k, way):
        return _TURN
    if permission[work.sight[row, PATH_START + k]] == _AFTER_STOP and work.driver[row, SPEED] > STANDING:
        return _PRIORITY
    code, authority = request(road, work, permission, row, k, way)
    if code == _NOTHING:
        work.driver[row, AUTHORITY] = authority
        register(road, work, row, k, way, authority)
    return code


@inner_kernel
def is_committed(road: RoadArrays, work: Work, row: int) -> bool:
    """Whether a vehicle is inside a junction, so that it must not be held there."""
    link, s = (work.sight[row, PATH_START], work.driver[row, PLACE])
    if road.key[link, CONTROLLED] == 1 and s > hold_of(road, link, work.driver[row, BODY]) + EPSILON:
        return True
    previous = work.sight[row, BEHIND]
    found: bool = s < work.driver[row, BODY] and previous >= 0 and (road.key[previous, CONTROLLED] == 1)
    return found


@inner_kernel
def find_wall(road: RoadArrays, work: Work, permission: IntArray, row: int, blocker: float) -> int:
    """Find where a vehicle must stop, or grant it what is ahead; writes `wall`. Returns a Waiting.

    Args:
        road: the roads.
        work: scratch.
        permission: of the lights.
        row: of the vehicle.
        blocker: place of the nearest vehicle ahead on its link that waits [m], FAR for none.
    """
    s, speed = (work.driver[row, PLACE], work.driver[row, SPEED])
    committed = is_committed(road, work, row)
    # a vehicle that waits beyond the waiting place on this link bars only the links after it
    own_hold = hold_of(road, work.sight[row, PATH_START], work.driver[row, BODY])
    if blocker < FAR and not committed:
        left = road.lane[work.sight[row, PATH_START], LENGTH] if blocker > own_hold + EPSILON else 0.0
        work.driver[row, AUTHORITY] = min(work.driver[row, AUTHORITY], left)
    near = s + 0.5 * speed * speed / APPROACH_DECELERATION + speed + 6.0
    way = 0.0
    for k in range(work.sight[row, PATH_COUNT]):
        link = work.sight[row, PATH_START + k]
        stop_line, behind_line = (0.0, True)
        if k > 0:
            before = work.sight[row, PATH_START + k - 1]
            stop_line = way - road.lane[before, LENGTH] + road.lane[before, STOP]
            behind_line = s > stop_line + 0.5
        granted = committed and work.driver[row, AUTHORITY] > way + EPSILON
        lit = road.key[link, LIT] == 1 and not behind_line and not granted
        if lit and light_bars(permission[link], stop_line - s, speed):
            work.driver[row, AUTHORITY] = min(work.driver[row, AUTHORITY], way)
            work.wall[row] = stop_line - LINE_GAP
            return _LIGHT
        hold = hold_of(road, link, work.driver[row, BODY])
        stand = way + hold
        own = work.driver[row, AUTHORITY] > stand + EPSILON or (k == 0 and s > stand + EPSILON)
        asks = road.key[link, CONTROLLED] == 1 or permission[link] == _AFTER_STOP
        if asks and not own:
            if hold == 0.0:
                stand = way - JUNCTION_GAP if behind_line else min(stop_line - LINE_GAP, way - JUNCTION_GAP)
            else:
                stand -= JUNCTION_GAP
            if stand > near:
                return _NOTHING
            blocked = blocker < FAR and (k > 0 or blocker <= hold + EPSILON)
            code = station_code(road, work, permission, row, k, way, blocked)
            if code != _NOTHING:
                work.wall[row] = stand
                return code
        way += road.lane[link, LENGTH]
    return _NOTHING


@inner_kernel
def stop_at_dead_end(road: RoadArrays, work: Work, row: int) -> None:
    """Stop a vehicle that must not leave the map at the end of the links ahead of it."""
    way = 0.0
    for k in range(work.sight[row, PATH_COUNT]):
        way += road.lane[work.sight[row, PATH_START + k], LENGTH]
    last = work.sight[row, PATH_START + work.sight[row, PATH_COUNT] - 1]
    if road.key[last, NEXT] == road.key[last + 1, NEXT]:
        work.wall[row] = min(work.wall[row], way - LINE_GAP)


@inner_kernel
def admit(
    road: RoadArrays, work: Work, floats: FloatArray, ints: IntArray, permission: IntArray, decision: float
) -> None:
    """Give every vehicle its authority or its wall, on each link from the front to the back."""
    for link in range(road.lane.shape[0]):
        blocker = FAR
        for at in range(work.owner[link + 1, FIRST] - 1, work.owner[link, FIRST] - 1, -1):
            row = work.occupant[at]
            if work.sight[row, SLOT] != at:
                # a vehicle that leaves the lane may have to stop beside it
                if work.driver[row, SPEED] < SLOW_CHANGE:
                    blocker = work.entry[at, FRONT]
                continue
            code = _NOTHING
            if work.sight[row, PATH_COUNT] > 1 or road.key[link, CONTROLLED] == 1:
                code = find_wall(road, work, permission, row, blocker)
            if ints[_TRAFFIC.plan_of_ego, row] != 0:
                stop_at_dead_end(road, work, row)
            if code != _NOTHING:
                blocker = work.driver[row, PLACE]
            floats[_TRAFFIC.authority, row] = work.driver[row, AUTHORITY]
            ints[_TRAFFIC.waiting, row] = code
            wait(floats, ints, row, code, work.driver[row, SPEED], decision)


@inner_kernel
def wait(floats: FloatArray, ints: IntArray, row: int, code: int, speed: float, decision: float) -> None:
    """Count how long a vehicle stands before a junction; before a full exit it may choose another way."""
    if code == _NOTHING:
        floats[_TRAFFIC.patience, row] = 0.0
    elif code in (_OCCUPIED, _PRIORITY, _EXIT) and speed < STANDING:
        floats[_TRAFFIC.patience, row] += decision
        if code == _EXIT and floats[_TRAFFIC.patience, row] > REROUTE_TIME and (ints[_TRAFFIC.route, row] < 0):
            ints[_TRAFFIC.counter, row] += 1
            floats[_TRAFFIC.patience, row] = 0.0
