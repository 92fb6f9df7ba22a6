"""What drivers look at when they decide in an ordinary tick, and what else comes with a decision."""

from __future__ import annotations

import numpy as np

from dorosim.ground.address_kernel import float_rows_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.collision.body import BodyTable
from dorosim.world.ordinary.link_kernel import (
    ADVANCE_TRAFFIC,
    FIND_CROSSINGS,
    FIND_OBSTRUCTIONS,
    WRITE_PERSON_BODIES,
    WRITE_VEHICLE_BODIES,
)
from dorosim.world.ordinary.word import Rare, TickWord
from dorosim.world.pedestrian.state import CrosswalkState, PedestrianState
from dorosim.world.traffic.manoeuvre import JUNCTION_STUCK_TIME, MAX_STUCK_SPEED, STUCK_TIME
from dorosim.world.traffic.obstruction_kernel import MAX_LANES_UNDER_BODY
from dorosim.world.traffic.pass_kernel import VERGE_BLOCKED_TIME
from dorosim.world.traffic.state import Crossing, Obstruction, Passing, Presence, TrafficState, Waiting
from dorosim.world.traffic.verge import LOOK_AROUND_TIME
from dorosim.world.vehicle.mode import ControlMode
from dorosim.world.vehicle.state import VehicleState

_VEHICLE, _TRAFFIC = VehicleState.at, TrafficState.at
_COLUMNS, _INT_COLUMNS = VehicleState.float_width, len(VehicleState.int_columns)
_TRAFFIC_COLUMNS, _TRAFFIC_INT_COLUMNS = TrafficState.float_width, len(TrafficState.int_columns)
_PERSON_COLUMNS, _PERSON_INT_COLUMNS = PedestrianState.float_width, len(PedestrianState.int_columns)
_BODY_COLUMNS, _BODY_INT_COLUMNS = BodyTable.float_width, len(BodyTable.int_columns)
_OBSTRUCTION_COLUMNS, _OBSTRUCTION_INT_COLUMNS = Obstruction.float_width, len(Obstruction.int_columns)
_CROSSING_COLUMNS, _CROSSING_INT_COLUMNS = Crossing.float_width, len(Crossing.int_columns)
_WALK, _ON_LANE, _OFF_LANE_PRESENCE = CrosswalkState.at.walk, int(Presence.ON_LANE), int(Presence.OFF_LANE)
_LANE_BESIDE, _NO_PASSING = int(Passing.LANE_BESIDE), int(Passing.NOTHING)
_LIGHT, _CRUISE = int(Waiting.LIGHT), int(ControlMode.CRUISE)
_OCCUPIED, _PRIORITY, _EXIT = int(Waiting.OCCUPIED), int(Waiting.PRIORITY), int(Waiting.EXIT)
_DECISION, _KERNEL, _OFF_LANE = int(Rare.DECISION), int(Rare.KERNEL), int(Rare.OFF_LANE)
_LOOKS_AFTER = VERGE_BLOCKED_TIME - LOOK_AROUND_TIME

_advance_traffic, _find_obstructions = ADVANCE_TRAFFIC.call, FIND_OBSTRUCTIONS.call
_find_crossings, _write_vehicle_bodies = FIND_CROSSINGS.call, WRITE_VEHICLE_BODIES.call
_write_person_bodies = WRITE_PERSON_BODIES.call

_W_DT, _W_DECISION, _W_GOOD = int(TickWord.DT), int(TickWord.DECISION), int(TickWord.GOOD_WEATHER)
_W_PARAMETER, _W_VEHICLES = int(TickWord.PARAMETER_FLOATS), int(TickWord.VEHICLES)
_W_VEHICLE, _W_VEHICLE_INTS = int(TickWord.VEHICLE_FLOATS), int(TickWord.VEHICLE_INTS)
_W_TRAFFIC, _W_FLOATS, _W_INTS = int(TickWord.TRAFFIC), int(TickWord.TRAFFIC_FLOATS), int(TickWord.TRAFFIC_INTS)
_W_PEOPLE, _W_PERSON = int(TickWord.PEOPLE), int(TickWord.PEOPLE_FLOATS)
_W_PERSON_INTS, _W_PERSON_SIZE = int(TickWord.PEOPLE_INTS), int(TickWord.PERSON_SIZE)
_W_SEEN, _W_SEEN_INTS = int(TickWord.CROSSWALKS_SEEN), int(TickWord.CROSSWALKS_SEEN_INTS)
_W_ROADS, _W_ROUTES, _W_ROADSIDE = int(TickWord.ROADS), int(TickWord.ROUTES), int(TickWord.ROADSIDE)
_W_PERMISSION, _W_SEED, _W_LANES = int(TickWord.PERMISSION), int(TickWord.SEED), int(TickWord.LANES)
_W_OVER, _W_OVER_INTS = int(TickWord.LANES_OVER_FLOATS), int(TickWord.LANES_OVER_INTS)
_W_OVER_COUNT = int(TickWord.LANES_OVER)
_W_ADVANCE, _W_OBSTRUCTIONS = int(TickWord.ADVANCE_TRAFFIC), int(TickWord.FIND_OBSTRUCTIONS)
_W_CROSSINGS, _W_VEHICLE_BODIES = int(TickWord.FIND_CROSSINGS), int(TickWord.WRITE_VEHICLE_BODIES)
_W_PERSON_BODIES, _W_CREW = int(TickWord.WRITE_PERSON_BODIES), int(TickWord.CREW)


@inner_kernel
def is_plain_traffic(floats: FloatArray, ints: IntArray, vehicle_ints: IntArray) -> bool:
    """Whether all traffic is on its lanes, none may soon use the verge, and no emergency lamps flash."""
    plain = True
    for i in range(floats.shape[1]):
        present = ints[_TRAFFIC.present, i]
        looks = floats[_TRAFFIC.blocked_time, i] >= _LOOKS_AFTER or ints[_TRAFFIC.passing, i] >= _LANE_BESIDE
        plain &= present < _OFF_LANE_PRESENCE and not (looks and present == _ON_LANE)
    for i in range(vehicle_ints.shape[1]):
        plain &= vehicle_ints[_VEHICLE.emergency_lamp, i] == 0
    return plain


@inner_kernel
def first_columns(table: FloatArray, count: int) -> FloatArray:
    """The first rows of a table's float block, as a block of their own."""
    made = np.empty((table.shape[0], count))
    for column in range(table.shape[0]):
        for k in range(count):
            made[column, k] = table[column, k]
    return made


@inner_kernel
def first_int_columns(table: IntArray, count: int) -> IntArray:
    """The same of an int block."""
    made = np.empty((table.shape[0], count), np.int64)
    for column in range(table.shape[0]):
        for k in range(count):
            made[column, k] = table[column, k]
    return made


@inner_kernel
def obstructions(words: IntArray, start: int) -> tuple[FloatArray, IntArray]:
    """The lanes on which egos and people stand: `traffic.obstruction.obstructions_in` where all traffic is plain."""
    vehicles, people = words[_W_VEHICLES], words[_W_PEOPLE]
    vehicle = float_rows_at(start + 8 * words[_W_VEHICLE], _COLUMNS, vehicles)
    vehicle_ints = int_rows_at(start + 8 * words[_W_VEHICLE_INTS], _INT_COLUMNS, vehicles)
    body, body_ints = (
        np.zeros((_BODY_COLUMNS, vehicles + people)),
        np.zeros((_BODY_INT_COLUMNS, vehicles + people), np.int64),
    )
    own = (words[_W_PARAMETER], vehicle, vehicle_ints, body, body_ints, 0)
    _write_vehicle_bodies(words[_W_VEHICLE_BODIES], own)
    if people != 0:
        person = float_rows_at(start + 8 * words[_W_PERSON], _PERSON_COLUMNS, people)
        person_ints = int_rows_at(start + 8 * words[_W_PERSON_INTS], _PERSON_INT_COLUMNS, people)
        walking = (person, person_ints, words[_W_PERSON_SIZE], body, body_ints, vehicles)
        _write_person_bodies(words[_W_PERSON_BODIES], walking)
    rows, count = np.empty(vehicles + people, np.int64), 0
    for i in range(vehicles):
        if vehicle_ints[_VEHICLE.control_mode, i] != _CRUISE:
            rows[count] = i
            count += 1
    for i in range(people):
        rows[count] = vehicles + i
        count += 1
    room = MAX_LANES_UNDER_BODY * count
    found, found_ints = np.empty((_OBSTRUCTION_COLUMNS, room)), np.empty((_OBSTRUCTION_INT_COLUMNS, room), np.int64)
    covered = 0
    if count > 0:
        looked = (words[_W_LANES], body, rows[:count].copy(), found, found_ints)
        covered = _find_obstructions(words[_W_OBSTRUCTIONS], looked)
    return first_columns(found, covered), first_int_columns(found_ints, covered)


@inner_kernel
def crossings(words: IntArray, start: int) -> tuple[FloatArray, IntArray]:
    """The lanes that people are about to cross: `pedestrian.walk.crossings_of_people`."""
    people, lanes, seen = words[_W_PEOPLE], words[_W_OVER_COUNT], words[_W_SEEN]
    if people == 0:
        return np.empty((_CROSSING_COLUMNS, 0)), np.empty((_CROSSING_INT_COLUMNS, 0), np.int64)
    found, found_ints = np.zeros((_CROSSING_COLUMNS, lanes)), np.zeros((_CROSSING_INT_COLUMNS, lanes), np.int64)
    person = float_rows_at(start + 8 * words[_W_PERSON], _PERSON_COLUMNS, people)
    person_ints = int_rows_at(start + 8 * words[_W_PERSON_INTS], _PERSON_INT_COLUMNS, people)
    walk = ints_at(start + 8 * (words[_W_SEEN_INTS] + _WALK * seen), seen)
    looked = (words[_W_OVER], words[_W_OVER_INTS], walk, person, person_ints, found, found_ints)
    count = _find_crossings(words[_W_CROSSINGS], looked)
    return first_columns(found, count), first_int_columns(found_ints, count)


@inner_kernel
def count_standing(floats: FloatArray, ints: IntArray, obstructed: bool, decision: float) -> bool:
    """Count how long vehicles stand; returns whether one is stuck: `traffic.manoeuvre.count_standing`, `stuck_rows`."""
    stuck = False
    for i in range(floats.shape[1]):
        waiting = ints[_TRAFFIC.waiting, i]
        stands = ints[_TRAFFIC.present, i] == _ON_LANE and floats[_TRAFFIC.speed, i] < MAX_STUCK_SPEED
        stands = stands and ints[_TRAFFIC.paused, i] == 0 and waiting != _LIGHT
        time = floats[_TRAFFIC.standing_time, i] + decision if stands and obstructed else 0.0
        floats[_TRAFFIC.standing_time, i] = time
        if not time > STUCK_TIME or ints[_TRAFFIC.plan_of_ego, i] != 0:
            continue
        full = waiting in (_OCCUPIED, _PRIORITY, _EXIT)
        stuck |= floats[_TRAFFIC.blocked_time, i] > STUCK_TIME or ints[_TRAFFIC.passing, i] != _NO_PASSING
        stuck |= time > JUNCTION_STUCK_TIME and full
    return stuck


@inner_kernel
def decide(words: IntArray, real: FloatArray, start: int, turn: int) -> int:
    """Let drivers decide and move, in the block at an address; returns `Rare`: `step._move_traffic`."""
    missing = words[_W_ADVANCE] == 0 or words[_W_OBSTRUCTIONS] == 0 or words[_W_CROSSINGS] == 0
    if missing or words[_W_VEHICLE_BODIES] == 0 or words[_W_PERSON_BODIES] == 0:
        return _KERNEL
    floats = float_rows_at(start + 8 * words[_W_FLOATS], _TRAFFIC_COLUMNS, words[_W_TRAFFIC])
    ints = int_rows_at(start + 8 * words[_W_INTS], _TRAFFIC_INT_COLUMNS, words[_W_TRAFFIC])
    vehicle_ints = int_rows_at(start + 8 * words[_W_VEHICLE_INTS], _INT_COLUMNS, words[_W_VEHICLES])
    if words[_W_GOOD] == 0 or not is_plain_traffic(floats, ints, vehicle_ints):
        return _DECISION
    obstruction, obstruction_ints = obstructions(words, start)
    crossing, crossing_ints = crossings(words, start)
    _advance_traffic(
        words[_W_ADVANCE],
        (
            words[_W_ROADS],
            words[_W_ROUTES],
            floats,
            ints,
            obstruction,
            obstruction_ints,
            crossing,
            crossing_ints,
            words[_W_ROADSIDE],
            words[_W_PERMISSION],
            words[_W_SEED],
            turn,
            real[_W_DECISION],
            real[_W_DT],
            words[_W_CREW],
            True,
        ),
    )
    if count_standing(floats, ints, obstruction.shape[1] > 0, real[_W_DECISION]):
        return _OFF_LANE
    return 0
