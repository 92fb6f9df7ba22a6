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
from dorosim.world.traffic.conflict_kernel import (
    JUNCTION_GAP,
    MIN_LEAVING_SPEED,
    STOP_LINE_GAP,
    conflict_reason,
    is_lane_blocked,
    room_behind_junction,
)
from dorosim.world.traffic.decision_table_kernel import (
    ENTRY,
    REPORT,
    SPAN_BEGIN,
    STANDING_SPEED,
    UNBOUNDED,
    VEHICLE,
    WAITING_SHIFT,
    Special,
    Workspace,
)
from dorosim.world.traffic.link_occupancy_kernel import PLACE_TOLERANCE, hold_junction, wait_place_of
from dorosim.world.traffic.road import LINK, RoadArrays
from dorosim.world.traffic.state import TrafficState, Waiting

REROUTE_TIME = 45.0
"""After waiting this long before a full exit, a vehicle without a route chooses another way [s]."""

APPROACH_DECELERATION = 2.0
"""Braking for a stop line [m/s²]; the comfortable value of the IDM literature is 1.67 to 2."""

YELLOW_DECELERATION, RED_DECELERATION = 4.0, 7.0
"""A driver goes on where it would have to brake harder than this for a yellow or a red light [m/s²]."""

_TRAFFIC, _IS_PLAN = TrafficState.at, int(Special.IS_PLAN)
_NOTHING, _LIGHT, _OCCUPIED = int(Waiting.NOTHING), int(Waiting.LIGHT), int(Waiting.OCCUPIED)
_PRIORITY, _EXIT, _TURN = int(Waiting.PRIORITY), int(Waiting.EXIT), int(Waiting.TURN)
ASKS = -1
"""No `Waiting` yet: a vehicle has to ask in its turn."""

_AFTER_STOP, _CLEAR, _STOP = int(Permission.STOP_THEN_YIELD), int(Permission.CLEAR), int(Permission.STOP)


@inner_kernel
def request_authority(road: RoadArrays, work: Workspace, row: int, k: int, way: float) -> tuple[int, float]:
    """Ask for the authority to cross the k-th link of a path, and further ones before which it has no room to wait.

    Returns:
        a Waiting, NOTHING if it is granted, and how far the authority reaches from the start of its own link [m].
    """
    need = work.vehicle[row, VEHICLE.length] + work.vehicle[row, VEHICLE.standstill_gap]
    while True:
        link = work.path[row, k]
        code = conflict_reason(road, work, row, link, way)
        if code != _NOTHING:
            return (code, 0.0)
        end = way + road.link[link, LINK.length]
        if road.keep_clear_end[link] < 0.0 or k + 1 >= work.vehicle_ints[row, VEHICLE.path_count]:
            return (_NOTHING, end)
        free, place, j, further = room_behind_junction(road, work, row, k, need)
        if place >= need:
            if free < need + work.link[work.path[row, k + 1], REPORT.reserved]:
                return (_EXIT, 0.0)
            return (_NOTHING, end)
        if road.link_ints[work.path[row, j], LINK.signalled] == 1 and work.permission[work.path[row, j]] >= _AFTER_STOP:
            return (_LIGHT, 0.0)
        if road.link_ints[work.path[row, j], LINK.conflicting] == 0:
            return (_NOTHING, end)
        if is_lane_blocked(road, work, row, j, way + further):
            return (_EXIT, 0.0)
        k, way = (j, way + further)


@inner_kernel
def register_granted(road: RoadArrays, work: Workspace, row: int, k: int, way: float, authority: float) -> None:
    """Mark the zones that a vehicle has just been granted as its own, from the k-th link of its path on."""
    for j in range(k, work.vehicle_ints[row, VEHICLE.path_count]):
        if way >= authority - PLACE_TOLERANCE:
            return
        link = work.path[row, j]
        if road.link_ints[link, LINK.conflicting] == 1:
            hold_junction(work, row, j, way)
        way += road.link[link, LINK.length]


@inner_kernel
def light_stops(permission: int, way: float, speed: float) -> bool:
    """Whether a light stops a vehicle that is `way` before the line [m] and can still stop there."""
    if permission < _CLEAR:
        return False
    limit = RED_DECELERATION if permission == _STOP else YELLOW_DECELERATION
    return speed * speed <= 2.0 * limit * max(way, 0.05)


@inner_kernel
def request_in_turn(road: RoadArrays, work: Workspace, row: int, k: int, way: float, blocked: bool) -> int:
    """Ask for the k-th link of a path, if it is the vehicle's turn, and write what is granted. Returns a Waiting."""
    if blocked or is_lane_blocked(road, work, row, k, way):
        return _TURN
    if work.permission[work.path[row, k]] == _AFTER_STOP and work.vehicle[row, VEHICLE.speed] > STANDING_SPEED:
        return _PRIORITY
    code, authority = request_authority(road, work, row, k, way)
    if code == _NOTHING:
        work.vehicle[row, VEHICLE.authority] = authority
        register_granted(road, work, row, k, way, authority)
    return code


@inner_kernel
def is_committed(road: RoadArrays, work: Workspace, row: int) -> bool:
    """Whether a vehicle is inside a junction, so that it must not be held there."""
    link, s = (work.path[row, 0], work.vehicle[row, VEHICLE.s])
    length, previous = work.vehicle[row, VEHICLE.length], work.vehicle_ints[row, VEHICLE.previous_link]
    if road.link_ints[link, LINK.conflicting] == 1 and s > wait_place_of(road, link, length) + PLACE_TOLERANCE:
        return True
    return bool(s < length and previous >= 0 and road.link_ints[previous, LINK.conflicting] == 1)


@inner_kernel
def find_stop_place(road: RoadArrays, work: Workspace, row: int, blocker: float, alone: bool) -> int:
    """Find where a vehicle must stop, or grant it what is ahead; writes `stop_place`. Returns a Waiting.

    `ASKS` where it may not look at others but would have to, or others have to see what changes; then nothing changes.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle.
        blocker: place of the nearest vehicle ahead on its link that waits [m], UNBOUNDED for none.
        alone: whether it may not look at others.
    """
    s, speed = (work.vehicle[row, VEHICLE.s], work.vehicle[row, VEHICLE.speed])
    committed = is_committed(road, work, row)
    # a vehicle that waits beyond the waiting place on this link blocks only the links after it
    own_hold = wait_place_of(road, work.path[row, 0], work.vehicle[row, VEHICLE.length])
    if blocker < UNBOUNDED and not committed:
        left = road.link[work.path[row, 0], LINK.length] if blocker > own_hold + PLACE_TOLERANCE else 0.0
        if alone and left < work.vehicle[row, VEHICLE.authority]:
            return ASKS
        work.vehicle[row, VEHICLE.authority] = min(work.vehicle[row, VEHICLE.authority], left)
    near = s + 0.5 * speed * speed / APPROACH_DECELERATION + speed + 6.0
    way = 0.0
    for k in range(work.vehicle_ints[row, VEHICLE.path_count]):
        link = work.path[row, k]
        stop_line, behind_line = (0.0, True)
        if k > 0:
            before = work.path[row, k - 1]
            stop_line = way - road.link[before, LINK.length] + road.link[before, LINK.stop_line]
            behind_line = s > stop_line + 0.5
        granted = committed and work.vehicle[row, VEHICLE.authority] > way + PLACE_TOLERANCE
        lit = road.link_ints[link, LINK.signalled] == 1 and not behind_line and not granted
        if lit and light_stops(work.permission[link], stop_line - s, speed):
            if alone and way < work.vehicle[row, VEHICLE.authority]:
                return ASKS
            work.vehicle[row, VEHICLE.authority] = min(work.vehicle[row, VEHICLE.authority], way)
            work.vehicle[row, VEHICLE.stop_place] = stop_line - STOP_LINE_GAP
            return _LIGHT
        hold = wait_place_of(road, link, work.vehicle[row, VEHICLE.length])
        stand = way + hold
        own = work.vehicle[row, VEHICLE.authority] > stand + PLACE_TOLERANCE or (k == 0 and s > stand + PLACE_TOLERANCE)
        asks = road.link_ints[link, LINK.conflicting] == 1 or work.permission[link] == _AFTER_STOP
        if asks and not own:
            if hold == 0.0:
                stand = way - JUNCTION_GAP if behind_line else min(stop_line - STOP_LINE_GAP, way - JUNCTION_GAP)
            else:
                stand -= JUNCTION_GAP
            if stand > near:
                return _NOTHING
            blocked = blocker < UNBOUNDED and (k > 0 or blocker <= hold + PLACE_TOLERANCE)
            if alone and not blocked:
                return ASKS
            code = _TURN if alone else request_in_turn(road, work, row, k, way, blocked)
            if code != _NOTHING:
                work.vehicle[row, VEHICLE.stop_place] = stand
                return code
        way += road.link[link, LINK.length]
    return _NOTHING


@inner_kernel
def stop_at_dead_end(road: RoadArrays, work: Workspace, row: int) -> None:
    """Stop a vehicle that must not leave the map at the end of the links ahead of it."""
    way = 0.0
    for k in range(work.vehicle_ints[row, VEHICLE.path_count]):
        way += road.link[work.path[row, k], LINK.length]
    last = work.path[row, work.vehicle_ints[row, VEHICLE.path_count] - 1]
    if road.link_ints[last, LINK.successor_first] == road.link_ints[last + 1, LINK.successor_first]:
        work.vehicle[row, VEHICLE.stop_place] = min(work.vehicle[row, VEHICLE.stop_place], way - STOP_LINE_GAP)


@inner_kernel
def find_stop(road: RoadArrays, work: Workspace, row: int, blocker: float, alone: bool) -> int:
    """As `find_stop_place`, for a vehicle that may have no junction ahead."""
    if work.vehicle_ints[row, VEHICLE.path_count] > 1 or road.link_ints[work.path[row, 0], LINK.conflicting] == 1:
        return int(find_stop_place(road, work, row, blocker, alone))
    return _NOTHING


@inner_kernel
def note_stop(road: RoadArrays, work: Workspace, row: int, code: int, blocker: float) -> float:
    """Note why a vehicle waits, a `Waiting`; returns the blocker of those behind."""
    if work.vehicle_ints[row, VEHICLE.special] & _IS_PLAN != 0:
        stop_at_dead_end(road, work, row)
    work.vehicle_ints[row, VEHICLE.special] |= code << WAITING_SHIFT
    return blocker if code == _NOTHING else float(work.vehicle[row, VEHICLE.s])


@inner_kernel
def grant_authorities(road: RoadArrays, work: Workspace, last: int, blocker: float) -> None:
    """Give every vehicle on a link its authority or the place to stop, from the entry `last` on to the back.

    Args:
        road: the roads.
        work: scratch.
        last: the entry.
        blocker: as of `find_stop_place`.
    """
    link = work.path[work.entry_vehicle[last], 0]
    for at in range(last, work.entry_span[link, SPAN_BEGIN] - 1, -1):
        row = work.entry_vehicle[at]
        if work.vehicle_ints[row, VEHICLE.entry] != at:
            # a vehicle that leaves the lane may have to stop beside it
            if work.vehicle[row, VEHICLE.speed] < MIN_LEAVING_SPEED:
                blocker = work.entry[at, ENTRY.front]
            continue
        code = find_stop(road, work, row, blocker, False)
        blocker = note_stop(road, work, row, code, blocker)


@inner_kernel
def count_waiting(floats: FloatArray, ints: IntArray, row: int, code: int, speed: float, decision: float) -> None:
    """Count how long a vehicle stands before a junction; before a full exit it may choose another way."""
    if code == _NOTHING:
        floats[_TRAFFIC.patience, row] = 0.0
    elif code in (_OCCUPIED, _PRIORITY, _EXIT) and speed < STANDING_SPEED:
        floats[_TRAFFIC.patience, row] += decision
        if code == _EXIT and floats[_TRAFFIC.patience, row] > REROUTE_TIME and (ints[_TRAFFIC.route, row] < 0):
            ints[_TRAFFIC.counter, row] += 1
            floats[_TRAFFIC.patience, row] = 0.0
