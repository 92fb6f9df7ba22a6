"""What drivers look at when they decide in an ordinary tick, and what else comes with a decision."""

from __future__ import annotations

import numpy as np

from dorosim.ground.address_kernel import float_rows_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.ordinary.body_kernel import all_bodies
from dorosim.world.ordinary.link_kernel import ADVANCE_TRAFFIC, FIND_CROSSINGS, FIND_OBSTRUCTIONS
from dorosim.world.ordinary.roadside_kernel import roadside
from dorosim.world.ordinary.word import Rare, TickWord
from dorosim.world.pedestrian.state import CrosswalkState, PedestrianState
from dorosim.world.traffic.manoeuvre import JUNCTION_STUCK_TIME, MAX_STUCK_SPEED, RETRY_DECISIONS, STUCK_TIME
from dorosim.world.traffic.obstruction_kernel import MAX_LANES_UNDER_BODY
from dorosim.world.traffic.state import Crossing, Obstruction, Passing, Presence, TrafficState, Waiting
from dorosim.world.vehicle.mode import ControlMode
from dorosim.world.vehicle.state import VehicleState

_VEHICLE, _TRAFFIC = VehicleState.at, TrafficState.at
_OBSTRUCTION, _INT_COLUMNS = Obstruction.at, len(VehicleState.int_columns)
_TRAFFIC_COLUMNS, _TRAFFIC_INT_COLUMNS = TrafficState.float_width, len(TrafficState.int_columns)
_PERSON_COLUMNS, _PERSON_INT_COLUMNS = PedestrianState.float_width, len(PedestrianState.int_columns)
_OBSTRUCTION_COLUMNS, _OBSTRUCTION_INT_COLUMNS = Obstruction.float_width, len(Obstruction.int_columns)
_CROSSING_COLUMNS, _CROSSING_INT_COLUMNS = Crossing.float_width, len(Crossing.int_columns)
_WALK, _ON_LANE = CrosswalkState.at.walk, int(Presence.ON_LANE)
_LANE_BESIDE, _NO_PASSING = int(Passing.LANE_BESIDE), int(Passing.NOTHING)
_LIGHT, _CRUISE = int(Waiting.LIGHT), int(ControlMode.CRUISE)
_OCCUPIED, _PRIORITY, _EXIT = int(Waiting.OCCUPIED), int(Waiting.PRIORITY), int(Waiting.EXIT)
_DECISION, _KERNEL, _OFF_LANE = int(Rare.DECISION), int(Rare.KERNEL), int(Rare.OFF_LANE)

_advance_traffic, _find_obstructions = ADVANCE_TRAFFIC.call, FIND_OBSTRUCTIONS.call
_find_crossings = FIND_CROSSINGS.call

_W_DT, _W_DECISION, _W_GOOD = int(TickWord.DT), int(TickWord.DECISION), int(TickWord.GOOD_WEATHER)
_W_VEHICLES, _W_VEHICLE_INTS = int(TickWord.VEHICLES), int(TickWord.VEHICLE_INTS)
_W_TRAFFIC, _W_FLOATS, _W_INTS = int(TickWord.TRAFFIC), int(TickWord.TRAFFIC_FLOATS), int(TickWord.TRAFFIC_INTS)
_W_PEOPLE, _W_PERSON = int(TickWord.PEOPLE), int(TickWord.PEOPLE_FLOATS)
_W_PERSON_INTS, _W_NPC_BODIES = int(TickWord.PEOPLE_INTS), int(TickWord.WRITE_NPC_BODIES)
_W_SEEN, _W_SEEN_INTS = int(TickWord.CROSSWALKS_SEEN), int(TickWord.CROSSWALKS_SEEN_INTS)
_W_ROADS, _W_ROUTES, _W_WRITE_PARTS = int(TickWord.ROADS), int(TickWord.ROUTES), int(TickWord.WRITE_PARTS)
_W_PERMISSION, _W_SEED, _W_LANES = int(TickWord.PERMISSION), int(TickWord.SEED), int(TickWord.LANES)
_W_OVER, _W_OVER_INTS = int(TickWord.LANES_OVER_FLOATS), int(TickWord.LANES_OVER_INTS)
_W_OVER_COUNT = int(TickWord.LANES_OVER)
_W_ADVANCE, _W_OBSTRUCTIONS = int(TickWord.ADVANCE_TRAFFIC), int(TickWord.FIND_OBSTRUCTIONS)
_W_CROSSINGS, _W_VEHICLE_BODIES = int(TickWord.FIND_CROSSINGS), int(TickWord.WRITE_VEHICLE_BODIES)
_W_PERSON_BODIES, _W_CREW = int(TickWord.WRITE_PERSON_BODIES), int(TickWord.CREW)


@inner_kernel
def is_plain_traffic(ints: IntArray, vehicle_ints: IntArray) -> bool:
    """Whether no emergency lamps flash, and no plan of an ego vehicle uses a lane beside its own."""
    plain = True
    for i in range(ints.shape[1]):
        plain &= ints[_TRAFFIC.plan_of_ego, i] == 0 or ints[_TRAFFIC.passing, i] < _LANE_BESIDE
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
    """The lanes on which egos, people and vehicles off their lanes stand, and then those that others use to pass.

    `traffic.obstruction.obstructions_in` where no emergency lamps flash.
    """
    vehicles = words[_W_VEHICLES]
    vehicle_ints = int_rows_at(start + 8 * words[_W_VEHICLE_INTS], _INT_COLUMNS, vehicles)
    body, _, _ = all_bodies(words, start, False)
    rows, count = np.empty(body.shape[1], np.int64), 0
    for k in range(body.shape[1]):
        if k >= vehicles or vehicle_ints[_VEHICLE.control_mode, k] != _CRUISE:
            rows[count] = k
            count += 1
    room = MAX_LANES_UNDER_BODY * (count + count_passing(words, start))
    found, found_ints = np.empty((_OBSTRUCTION_COLUMNS, room)), np.empty((_OBSTRUCTION_INT_COLUMNS, room), np.int64)
    covered = 0
    if count > 0:
        looked = (words[_W_LANES], body, rows[:count].copy(), found, found_ints)
        covered = _find_obstructions(words[_W_OBSTRUCTIONS], looked)
    if room > MAX_LANES_UNDER_BODY * count:
        covered = add_passing(words, start, found, found_ints, covered)
    return first_columns(found, covered), first_int_columns(found_ints, covered)


@inner_kernel
def count_passing(words: IntArray, start: int) -> int:
    """How many vehicles are beside their lane to pass something."""
    ints, count = int_rows_at(start + 8 * words[_W_INTS], _TRAFFIC_INT_COLUMNS, words[_W_TRAFFIC]), 0
    for i in range(ints.shape[1]):
        count += ints[_TRAFFIC.passing, i] >= _LANE_BESIDE and ints[_TRAFFIC.present, i] == _ON_LANE
    return count


@inner_kernel
def add_passing(words: IntArray, start: int, found: FloatArray, found_ints: IntArray, covered: int) -> int:
    """Add the lanes that vehicles use to pass something, but for their own; returns how many rows there are then."""
    ints = int_rows_at(start + 8 * words[_W_INTS], _TRAFFIC_INT_COLUMNS, words[_W_TRAFFIC])
    body, _, npc_row = all_bodies(words, start, True)
    one, one_ints = (
        np.empty((_OBSTRUCTION_COLUMNS, MAX_LANES_UNDER_BODY)),
        np.empty((_OBSTRUCTION_INT_COLUMNS, MAX_LANES_UNDER_BODY), np.int64),
    )
    for k in range(npc_row.shape[0]):
        row = npc_row[k]
        if ints[_TRAFFIC.passing, row] < _LANE_BESIDE or ints[_TRAFFIC.present, row] != _ON_LANE:
            continue
        looked = (words[_W_LANES], body, np.full(1, words[_W_VEHICLES] + k), one, one_ints)
        lanes = _find_obstructions(words[_W_OBSTRUCTIONS], looked)
        for m in range(lanes):
            link = one_ints[_OBSTRUCTION.link, m]
            if link in (ints[_TRAFFIC.link, row], ints[_TRAFFIC.previous, row]):
                continue
            for column in range(_OBSTRUCTION_COLUMNS):
                found[column, covered] = one[column, m]
            for column in range(_OBSTRUCTION_INT_COLUMNS):
                found_ints[column, covered] = one_ints[column, m]
            found[_OBSTRUCTION.passing_vehicle, covered] = 1.0 + row
            covered += 1
    return covered


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
def count_standing(floats: FloatArray, ints: IntArray, obstructed: bool, decision: float, turn: int) -> bool:
    """Count how long vehicles stand; returns whether one that is stuck may look for a way out in this decision.

    `traffic.manoeuvre.count_standing`, and where `begin_manoeuvres` looks closer.
    """
    stuck = looks = False
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
        # those in its queue look, too
        looks |= (turn + ints[_TRAFFIC.id, i]) % RETRY_DECISIONS == 0
    return stuck and looks


@inner_kernel
def decide(words: IntArray, real: FloatArray, start: int, turn: int) -> int:
    """Let drivers decide and move, in the block at an address; returns `Rare`: `step._move_traffic`."""
    missing = words[_W_ADVANCE] == 0 or words[_W_OBSTRUCTIONS] == 0 or words[_W_CROSSINGS] == 0
    missing |= words[_W_VEHICLE_BODIES] == 0 or words[_W_PERSON_BODIES] == 0
    if missing or words[_W_NPC_BODIES] == 0 or words[_W_WRITE_PARTS] == 0:
        return _KERNEL
    floats = float_rows_at(start + 8 * words[_W_FLOATS], _TRAFFIC_COLUMNS, words[_W_TRAFFIC])
    ints = int_rows_at(start + 8 * words[_W_INTS], _TRAFFIC_INT_COLUMNS, words[_W_TRAFFIC])
    vehicle_ints = int_rows_at(start + 8 * words[_W_VEHICLE_INTS], _INT_COLUMNS, words[_W_VEHICLES])
    if words[_W_GOOD] == 0 or not is_plain_traffic(ints, vehicle_ints):
        return _DECISION
    obstruction, obstruction_ints = obstructions(words, start)
    crossing, crossing_ints = crossings(words, start)
    beside = roadside(words, start)
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
            beside,
            words[_W_PERMISSION],
            words[_W_SEED],
            turn,
            real[_W_DECISION],
            real[_W_DT],
            words[_W_CREW],
            True,
        ),
    )
    if count_standing(floats, ints, obstruction.shape[1] > 0, real[_W_DECISION], turn):
        return _OFF_LANE
    return 0
