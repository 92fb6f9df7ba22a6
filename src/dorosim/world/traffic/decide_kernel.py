"""What drivers decide: an acceleration each for itself, and, one after the other, another lane or a way around."""

from __future__ import annotations

from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.abandon_change_kernel import abandon_change, is_change_blocked
from dorosim.world.traffic.ahead_kernel import fetch_chosen, is_beyond_caches
from dorosim.world.traffic.change_kernel import begin_change, can_change, choose_lane, may_gain
from dorosim.world.traffic.decision_table_kernel import ENTRIES, VEHICLE, WAITING_SHIFT, Special, Workspace
from dorosim.world.traffic.entry_list_kernel import fetch_record
from dorosim.world.traffic.follow_kernel import choose_acceleration, free_acceleration
from dorosim.world.traffic.junction_kernel import count_waiting
from dorosim.world.traffic.pass_kernel import PASS_HORIZON, decide_to_pass
from dorosim.world.traffic.road import RoadArrays
from dorosim.world.traffic.route import Routes
from dorosim.world.traffic.start_kernel import start_acceleration
from dorosim.world.traffic.state import TrafficState
from dorosim.world.traffic.survey_kernel import DECIDING

_TRAFFIC = TrafficState.at
_PASSES, _CHANGES, _CONSIDERS = int(Special.PASSES), int(Special.CHANGES), int(Special.CONSIDERS)
_KEEPS = int(Special.STANDS | Special.LOOKS_AWAY)
"""Those whose acceleration stays."""


@inner_kernel
def choose_accelerations(
    road: RoadArrays, work: Workspace, routes: Routes, part: int, parts: int, decision: float
) -> None:
    """Let the drivers of a part of the entries choose their accelerations, and list those that may do more."""
    entries = work.total[ENTRIES]
    begin, end = entries * part // parts, entries * (part + 1) // parts
    deciding = begin
    far = is_beyond_caches(work)
    for at in range(begin, end):
        if far:
            fetch_chosen(road, work, at)
        row = work.entry_vehicle[at]
        if work.vehicle_ints[row, VEHICLE.entry] != at or work.vehicle_ints[row, VEHICLE.special] & _KEEPS != 0:
            continue
        acceleration, lane_acceleration, clear, body, k = choose_acceleration(road, work, row, decision)
        work.vehicle[row, VEHICLE.chosen] = acceleration
        changing = work.vehicle_ints[row, VEHICLE.source_link] >= 0 and is_change_blocked(work, row, body)
        if (
            changing
            or may_pass(work, row, body, clear)
            or wants_lane(road, work, routes, row, lane_acceleration, clear)
        ):
            work.deciding[deciding] = at
            work.outcome[deciding, 0], work.outcome[deciding, 1] = lane_acceleration, clear
            work.outcome[deciding, 2], work.outcome[deciding, 3] = float(body), float(k)
            deciding += 1
    work.listed[part, DECIDING] = deciding - begin


@inner_kernel
def may_pass(work: Workspace, row: int, body: int, clear: float) -> bool:
    """Whether `decide_to_pass` may have something to do for a vehicle; other arguments as of that."""
    if work.obstruction.shape[1] == 0:
        return False
    near = body >= 0 or clear < PASS_HORIZON or work.floats[_TRAFFIC.blocked_time, row] > 0.0
    return bool(near or work.vehicle_ints[row, VEHICLE.special] & _PASSES != 0)


@inner_kernel
def wants_lane(
    road: RoadArrays, work: Workspace, routes: Routes, row: int, lane_acceleration: float, clear: float
) -> bool:
    """Whether a driver changes lanes if no other one does; other arguments as of `choose_lane`.

    That others have changed to a lane only rules it out: who does not change without them does not change with them.
    """
    if work.vehicle_ints[row, VEHICLE.special] & _CONSIDERS == 0 or not can_change(road, work, row):
        return False
    free = free_acceleration(road, work, row)
    if not may_gain(work, row, lane_acceleration, free):
        return False
    return bool(choose_lane(road, work, routes, row, lane_acceleration, free, clear) >= 0)


@inner_kernel
def decide_in_turn(road: RoadArrays, work: Workspace, routes: Routes, parts: int, decision: float) -> None:
    """Let the drivers on the lists of all parts change lanes, give changes up, and pass."""
    entries = work.total[ENTRIES]
    for part in range(parts):
        first = entries * part // parts
        for listed in range(first, first + work.listed[part, DECIDING]):
            row = work.entry_vehicle[work.deciding[listed]]
            lane_acceleration, clear = work.outcome[listed, 0], work.outcome[listed, 1]
            body, k = int(work.outcome[listed, 2]), int(work.outcome[listed, 3])
            if work.vehicle_ints[row, VEHICLE.source_link] >= 0 and is_change_blocked(work, row, body):
                abandon_change(road, work.floats, work.ints, row)
                continue
            if work.vehicle_ints[row, VEHICLE.special] & _CONSIDERS != 0 and can_change(road, work, row):
                free = free_acceleration(road, work, row)
                target = choose_lane(road, work, routes, row, lane_acceleration, free, clear)
                if target >= 0:
                    begin_change(road, work, routes, row, target)
                    continue
            if work.obstruction.shape[1] > 0:
                decide_to_pass(road, work, row, body, k, clear, decision)


@inner_kernel
def keep_decisions(work: Workspace, begin: int, end: int, decision: float) -> None:
    """Write what the drivers of some rows of vehicles have decided into `TrafficState`, from their records."""
    floats, ints = work.state, work.state_ints
    for row in range(begin, end):
        fetch_record(work, row)
        record = work.record[row]
        if record < 0:
            continue
        special, speed = work.vehicle_ints[record, VEHICLE.special], work.vehicle[record, VEHICLE.speed]
        code = special >> WAITING_SHIFT
        floats[_TRAFFIC.authority, row] = 0.0 if special & _CHANGES != 0 else work.vehicle[record, VEHICLE.authority]
        ints[_TRAFFIC.waiting, row] = code
        count_waiting(floats, ints, row, code, speed, decision)
        if special & _KEEPS == 0:
            chosen = work.vehicle[record, VEHICLE.chosen]
            floats[_TRAFFIC.acceleration, row] = start_acceleration(floats, row, speed, chosen, decision)
