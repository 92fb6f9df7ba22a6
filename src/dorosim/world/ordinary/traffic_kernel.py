"""The share of traffic and pedestrians in an ordinary tick."""

from __future__ import annotations

from dorosim.ground.address_kernel import float_rows_at, floats_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.ordinary.decision_kernel import decide
from dorosim.world.ordinary.link_kernel import (
    ADVANCE_TRAFFIC,
    DRIVE_AFTER_PLANS,
    WALK_PEDESTRIANS,
)
from dorosim.world.ordinary.word import Rare, TickWord
from dorosim.world.pedestrian.state import CrosswalkState, PedestrianState, Stage
from dorosim.world.spawn.spawning import ARRIVAL_DISTANCE
from dorosim.world.traffic.state import Presence, TrafficState
from dorosim.world.vehicle.cruise_kernel import PLAN_TRACKED
from dorosim.world.vehicle.mode import ControlMode
from dorosim.world.vehicle.state import VehicleState

_VEHICLE, _TRAFFIC, _PEDESTRIAN = VehicleState.at, TrafficState.at, PedestrianState.at
_COLUMNS, _INT_COLUMNS = VehicleState.float_width, len(VehicleState.int_columns)
_TRAFFIC_COLUMNS, _TRAFFIC_INT_COLUMNS = TrafficState.float_width, len(TrafficState.int_columns)
_PERSON_COLUMNS, _PERSON_INT_COLUMNS = PedestrianState.float_width, len(PedestrianState.int_columns)
_GAP, _WALK = CrosswalkState.at.gap, CrosswalkState.at.walk
_CRUISE, _ARRIVED = int(ControlMode.CRUISE), int(Stage.ARRIVED)
_RETURNING = int(Presence.RETURNING)

_MODE, _KERNEL, _SPAWN = int(Rare.MODE), int(Rare.KERNEL), int(Rare.SPAWN)
_DECISION, _OFF_LANE, _ON_LANE = int(Rare.DECISION), int(Rare.OFF_LANE), int(Presence.ON_LANE)

_advance_traffic, _drive_after_plans = ADVANCE_TRAFFIC.call, DRIVE_AFTER_PLANS.call
_walk_pedestrians = WALK_PEDESTRIANS.call

_W_DT, _W_TICK, _W_SEED = int(TickWord.DT), int(TickWord.TICK), int(TickWord.SEED)
_W_VEHICLES, _W_VEHICLE = int(TickWord.VEHICLES), int(TickWord.VEHICLE_FLOATS)
_W_VEHICLE_INTS, _W_PARAMETER = int(TickWord.VEHICLE_INTS), int(TickWord.PARAMETER_FLOATS)
_W_TRAFFIC, _W_FLOATS, _W_INTS = int(TickWord.TRAFFIC), int(TickWord.TRAFFIC_FLOATS), int(TickWord.TRAFFIC_INTS)
_W_PEOPLE, _W_PERSON = int(TickWord.PEOPLE), int(TickWord.PEOPLE_FLOATS)
_W_PERSON_INTS = int(TickWord.PEOPLE_INTS)
_W_SEEN, _W_SEEN_FLOATS = int(TickWord.CROSSWALKS_SEEN), int(TickWord.CROSSWALKS_SEEN_FLOATS)
_W_SEEN_INTS, _W_DECISION_TICKS = int(TickWord.CROSSWALKS_SEEN_INTS), int(TickWord.DECISION_TICKS)
_W_LEAVES, _W_ROADS, _W_ROUTES = int(TickWord.LEAVES), int(TickWord.ROADS), int(TickWord.ROUTES)
_W_OBSTRUCTION, _W_OBSTRUCTION_INTS = int(TickWord.OBSTRUCTION_FLOATS), int(TickWord.OBSTRUCTION_INTS)
_W_CROSSING, _W_CROSSING_INTS = int(TickWord.CROSSING_FLOATS), int(TickWord.CROSSING_INTS)
_W_ROADSIDE, _W_PERMISSION, _W_LIMITS = int(TickWord.ROADSIDE), int(TickWord.PERMISSION), int(TickWord.LIMITS)
_W_WAY_FIRST, _W_WAY_POINTS = int(TickWord.WAY_FIRST), int(TickWord.WAY_POINTS)
_W_CROSSWALKS, _W_KERBS = int(TickWord.CROSSWALKS), int(TickWord.KERBS)
_W_RADIUS, _W_HEIGHT = int(TickWord.PERSON_RADIUS), int(TickWord.PERSON_HEIGHT)
_W_ADVANCE, _W_FOLLOW = int(TickWord.ADVANCE_TRAFFIC), int(TickWord.DRIVE_AFTER_PLANS)
_W_WALK, _W_CREW = int(TickWord.WALK_PEDESTRIANS), int(TickWord.CREW)


@inner_kernel
def plans_fit(words: IntArray, start: int) -> int:
    """How many vehicles cruise, each with its plan in the traffic; -1 if plans are to be made or dropped.

    As `cruise.keep_plans` asks; no vehicle is paused.
    """
    ints = int_rows_at(start + 8 * words[_W_VEHICLE_INTS], _INT_COLUMNS, words[_W_VEHICLES])
    plan = int_rows_at(start + 8 * words[_W_INTS], _TRAFFIC_INT_COLUMNS, words[_W_TRAFFIC])
    cruising, row = 0, 0
    for i in range(ints.shape[1]):
        if ints[_VEHICLE.control_mode, i] != _CRUISE:
            continue
        cruising += 1
        while row < plan.shape[1] and plan[_TRAFFIC.plan_of_ego, row] == 0:
            row += 1
        if row == plan.shape[1] or plan[_TRAFFIC.plan_of_ego, row] != PLAN_TRACKED:
            return -1
        if plan[_TRAFFIC.id, row] != ints[_VEHICLE.id, i]:
            return -1
        row += 1
    while row < plan.shape[1]:
        if plan[_TRAFFIC.plan_of_ego, row] != 0:
            return -1
        row += 1
    return cruising


@inner_kernel
def decides(words: IntArray, time: int) -> bool:
    """Whether drivers and pedestrians decide in a tick that begins at a time."""
    return bool(time // words[_W_TICK] % words[_W_DECISION_TICKS] == 0)


@inner_kernel
def move_traffic(words: IntArray, real: FloatArray, start: int, time: int) -> int:
    """Move the traffic of the block at an address; returns `Rare`: `step._move_traffic`."""
    rows = words[_W_TRAFFIC]
    if rows == 0:
        return 0
    turn = time // words[_W_TICK] // words[_W_DECISION_TICKS]
    rare = decide(words, real, start, turn) if decides(words, time) else keep_on(words, real, start, turn)
    ints = int_rows_at(start + 8 * words[_W_INTS], _TRAFFIC_INT_COLUMNS, rows)
    for i in range(rows):
        if ints[_TRAFFIC.present, i] == _RETURNING:
            return _OFF_LANE
    return rare


@inner_kernel
def keep_on(words: IntArray, real: FloatArray, start: int, turn: int) -> int:
    """Move the traffic by a tick in which drivers do not decide; returns `Rare`."""
    rows = words[_W_TRAFFIC]
    if words[_W_ADVANCE] == 0:
        return _KERNEL
    floats = float_rows_at(start + 8 * words[_W_FLOATS], _TRAFFIC_COLUMNS, rows)
    ints = int_rows_at(start + 8 * words[_W_INTS], _TRAFFIC_INT_COLUMNS, rows)
    _advance_traffic(
        words[_W_ADVANCE],
        (
            words[_W_ROADS],
            words[_W_ROUTES],
            floats,
            ints,
            words[_W_OBSTRUCTION],
            words[_W_OBSTRUCTION_INTS],
            words[_W_CROSSING],
            words[_W_CROSSING_INTS],
            words[_W_ROADSIDE],
            words[_W_PERMISSION],
            words[_W_SEED],
            turn,
            0.0,
            real[_W_DT],
            words[_W_CREW],
            True,
        ),
    )
    return 0


@inner_kernel
def follow_plans(words: IntArray, start: int) -> int:
    """Let vehicles that cruise follow their plans; returns `Rare`: `cruise.follow_plans`."""
    if words[_W_TRAFFIC] == 0:
        return 0
    if words[_W_FOLLOW] == 0:
        return _KERNEL
    _drive_after_plans(
        words[_W_FOLLOW],
        (
            float_rows_at(start + 8 * words[_W_FLOATS], _TRAFFIC_COLUMNS, words[_W_TRAFFIC]),
            int_rows_at(start + 8 * words[_W_INTS], _TRAFFIC_INT_COLUMNS, words[_W_TRAFFIC]),
            words[_W_LIMITS],
            words[_W_PARAMETER],
            float_rows_at(start + 8 * words[_W_VEHICLE], _COLUMNS, words[_W_VEHICLES]),
            int_rows_at(start + 8 * words[_W_VEHICLE_INTS], _INT_COLUMNS, words[_W_VEHICLES]),
        ),
    )
    return 0


@inner_kernel
def walk_people(words: IntArray, real: FloatArray, start: int) -> int:
    """Let pedestrians walk in the block at an address; returns `Rare`: `walk.step_pedestrians`."""
    count, vehicles = words[_W_PEOPLE], words[_W_VEHICLES]
    if count == 0:
        return 0
    if words[_W_WALK] == 0:
        return _KERNEL
    seen, vehicle = words[_W_SEEN], start + 8 * words[_W_VEHICLE]
    floats = float_rows_at(start + 8 * words[_W_PERSON], _PERSON_COLUMNS, count)
    ints = int_rows_at(start + 8 * words[_W_PERSON_INTS], _PERSON_INT_COLUMNS, count)
    around = (
        words[_W_WAY_FIRST],
        words[_W_WAY_POINTS],
        words[_W_CROSSWALKS],
        ints_at(start + 8 * (words[_W_SEEN_INTS] + _WALK * seen), seen),
        floats_at(start + 8 * (words[_W_SEEN_FLOATS] + _GAP * seen), seen),
        words[_W_KERBS],
        words[_W_RADIUS],
        words[_W_HEIGHT],
        floats_at(vehicle + 8 * vehicles * _VEHICLE.x, vehicles),
        floats_at(vehicle + 8 * vehicles * _VEHICLE.y, vehicles),
    )
    _walk_pedestrians(words[_W_WALK], (floats, ints, around, words[_W_SEED], real[_W_DT]))
    if words[_W_LEAVES] != 0:
        for i in range(count):
            if ints[_PEDESTRIAN.leaves, i] != 0 and ints[_PEDESTRIAN.stage, i] == _ARRIVED:
                return _SPAWN
    return 0


@inner_kernel
def end_ways(words: IntArray, real: FloatArray, start: int, end: FloatArray, first: IntArray, link: IntArray) -> int:
    """`Rare.SPAWN` if a vehicle from a spawn point may be at the end of its way: `spawning.leave`.

    Args:
        words: as of the tick.
        real: likewise.
        start: address of the block.
        end: `(L,)` arc length on each link at which such vehicles leave at the soonest [m].
        first: where the links of each route begin in `link`.
        link: of all routes.
    """
    rows = words[_W_TRAFFIC]
    if rows == 0 or first.shape[0] < 2:
        return 0
    floats = float_rows_at(start + 8 * words[_W_FLOATS], _TRAFFIC_COLUMNS, rows)
    ints = int_rows_at(start + 8 * words[_W_INTS], _TRAFFIC_INT_COLUMNS, rows)
    for i in range(rows):
        cursor = ints[_TRAFFIC.cursor, i]
        if ints[_TRAFFIC.spawn_point, i] <= 0 or cursor < 0 or ints[_TRAFFIC.close_loop, i] != 0:
            continue
        own = ints[_TRAFFIC.link, i]
        if cursor != first[ints[_TRAFFIC.route, i] + 1] - 1 or own != link[cursor]:
            continue
        reach = floats[_TRAFFIC.s, i] + 1.5 * floats[_TRAFFIC.speed, i] * real[_W_DT] + ARRIVAL_DISTANCE
        if not reach < end[own]:
            return _SPAWN
    return 0


@inner_kernel
def is_astray(words: IntArray, start: int, link: IntArray) -> bool:
    """Whether a vehicle has left its route: `traffic.route.astray`; `link`: of all routes."""
    ints = int_rows_at(start + 8 * words[_W_INTS], _TRAFFIC_INT_COLUMNS, words[_W_TRAFFIC])
    found = False
    for i in range(ints.shape[1]):
        follows = ints[_TRAFFIC.route, i] >= 0 and ints[_TRAFFIC.cursor, i] >= 0
        if follows and ints[_TRAFFIC.present, i] == _ON_LANE:
            found |= link[ints[_TRAFFIC.cursor, i]] != ints[_TRAFFIC.link, i]
    return found
