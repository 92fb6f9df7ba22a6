"""The share of collisions in an ordinary tick: which bodies there are, and whether any touches another."""

from __future__ import annotations

import numpy as np

from dorosim.ground.address_kernel import float_rows_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.block import CONTACTS, HEADER
from dorosim.world.collision.body import BodyTable
from dorosim.world.collision.scenery import MAX_PARTS_IN_TICK
from dorosim.world.ordinary.body_kernel import count_npc_bodies
from dorosim.world.ordinary.link_kernel import (
    PUSH_BODIES,
    WRITE_NPC_BODIES,
    WRITE_PERSON_BODIES,
    WRITE_VEHICLE_BODIES,
)
from dorosim.world.ordinary.look_kernel import look, parts_near, settle, with_parts
from dorosim.world.ordinary.shift_kernel import find_all_contacts
from dorosim.world.ordinary.traffic_kernel import walk_people
from dorosim.world.ordinary.word import Rare, TickWord
from dorosim.world.pedestrian.state import PedestrianState
from dorosim.world.traffic.npc_recovery import NPC_RECOVERY_TIME
from dorosim.world.traffic.state import Presence, TrafficState
from dorosim.world.vehicle.state import VehicleState

_TRAFFIC = TrafficState.at
_COLUMNS, _INT_COLUMNS = VehicleState.float_width, len(VehicleState.int_columns)
_TRAFFIC_COLUMNS, _TRAFFIC_INT_COLUMNS = TrafficState.float_width, len(TrafficState.int_columns)
_PERSON_COLUMNS, _PERSON_INT_COLUMNS = PedestrianState.float_width, len(PedestrianState.int_columns)
_BODY_COLUMNS, _BODY_INT_COLUMNS = BodyTable.float_width, len(BodyTable.int_columns)
_KNOCKED_OFF = int(Presence.OFF_LANE)
_KERNEL, _NEAR, _OFF_LANE = int(Rare.KERNEL), int(Rare.NEAR), int(Rare.OFF_LANE)

_write_vehicle_bodies, _write_npc_bodies = WRITE_VEHICLE_BODIES.call, WRITE_NPC_BODIES.call
_write_person_bodies = WRITE_PERSON_BODIES.call
_push_bodies = PUSH_BODIES.call

_W_DT, _W_PARAMETER = int(TickWord.DT), int(TickWord.PARAMETER_FLOATS)
_W_VEHICLES, _W_VEHICLE = int(TickWord.VEHICLES), int(TickWord.VEHICLE_FLOATS)
_W_VEHICLE_INTS = int(TickWord.VEHICLE_INTS)
_W_TRAFFIC, _W_FLOATS, _W_INTS = int(TickWord.TRAFFIC), int(TickWord.TRAFFIC_FLOATS), int(TickWord.TRAFFIC_INTS)
_W_PEOPLE, _W_PERSON, _W_PERSON_INTS = (
    int(TickWord.PEOPLE),
    int(TickWord.PEOPLE_FLOATS),
    int(TickWord.PEOPLE_INTS),
)
_W_PERSON_SIZE, _W_MODEL_SIZE = int(TickWord.PERSON_SIZE), int(TickWord.MODEL_SIZE)
_W_VEHICLE_BODIES, _W_NPC_BODIES = int(TickWord.WRITE_VEHICLE_BODIES), int(TickWord.WRITE_NPC_BODIES)
_W_PERSON_BODIES, _W_FIND_PARTS = int(TickWord.WRITE_PERSON_BODIES), int(TickWord.FIND_PARTS)
_W_FIND_CONTACTS, _W_PART_COUNT = int(TickWord.FIND_CONTACTS), int(TickWord.PART_COUNT)
_W_WRITE_PARTS, _W_PUSH_BODIES = int(TickWord.WRITE_PARTS), int(TickWord.PUSH_BODIES)
_W_RESOLVE = int(TickWord.RESOLVE_CONTACTS)


@inner_kernel
def lie_still(floats: FloatArray, ints: IntArray) -> bool:
    """Whether all vehicles that were knocked off their lanes rest; then they have no acceleration any more."""
    rest = True
    for i in range(floats.shape[1]):
        if ints[_TRAFFIC.present, i] != _KNOCKED_OFF:
            continue
        rest &= floats[_TRAFFIC.slide_x, i] == 0.0 and floats[_TRAFFIC.slide_y, i] == 0.0
        rest &= floats[_TRAFFIC.yaw_rate, i] == 0.0 and floats[_TRAFFIC.fall_speed, i] == 0.0
        floats[_TRAFFIC.slide_acceleration_x, i] = floats[_TRAFFIC.slide_acceleration_y, i] = 0.0
    return rest


@inner_kernel
def wait_to_drive_on(floats: FloatArray, ints: IntArray, dt: float) -> bool:
    """Count how long they rest; whether one may drive on: `npc_recovery.drive_on`."""
    goes = False
    for i in range(floats.shape[1]):
        if ints[_TRAFFIC.present, i] == _KNOCKED_OFF:
            rests = floats[_TRAFFIC.speed, i] == 0.0 and ints[_TRAFFIC.paused, i] == 0
            floats[_TRAFFIC.patience, i] = floats[_TRAFFIC.patience, i] + dt if rests else 0.0
            goes |= floats[_TRAFFIC.patience, i] >= NPC_RECOVERY_TIME
    return goes


@inner_kernel
def meet(words: IntArray, real: FloatArray, start: int, looks: bool) -> int:
    """Let people walk among the bodies of vehicles, and bodies that touch push each other; returns `Rare`.

    As `step` does with several actors: `vehicle_bodies`, `_move_people_and_obstacles`, `collide_actors`. `looks`:
    whether pedestrians decide.
    """
    vehicles, people = words[_W_VEHICLES], words[_W_PEOPLE]
    traffic = float_rows_at(start + 8 * words[_W_FLOATS], _TRAFFIC_COLUMNS, words[_W_TRAFFIC])
    traffic_ints = int_rows_at(start + 8 * words[_W_INTS], _TRAFFIC_INT_COLUMNS, words[_W_TRAFFIC])
    vehicle = float_rows_at(start + 8 * words[_W_VEHICLE], _COLUMNS, vehicles)
    vehicle_ints = int_rows_at(start + 8 * words[_W_VEHICLE_INTS], _INT_COLUMNS, vehicles)
    missing = words[_W_VEHICLE_BODIES] == 0 or words[_W_NPC_BODIES] == 0 or words[_W_PERSON_BODIES] == 0
    if missing or words[_W_FIND_PARTS] == 0 or words[_W_FIND_CONTACTS] == 0:
        return _KERNEL
    npcs = count_npc_bodies(traffic_ints, True)
    rows = vehicles + npcs + people
    body, body_ints = np.zeros((_BODY_COLUMNS, rows)), np.zeros((_BODY_INT_COLUMNS, rows), np.int64)
    own = (words[_W_PARAMETER], vehicle, vehicle_ints, body, body_ints, 0)
    _write_vehicle_bodies(words[_W_VEHICLE_BODIES], own)
    row, off = np.empty(words[_W_TRAFFIC], np.int64), 0
    if words[_W_TRAFFIC] != 0:
        npc = (traffic, traffic_ints, words[_W_MODEL_SIZE], body, body_ints, vehicles, True, row)
        _, off = _write_npc_bodies(words[_W_NPC_BODIES], npc)
        if off > 0 and not lie_still(traffic, traffic_ints):
            return _OFF_LANE
    looks = looks and people != 0
    rare = look(words, start, body, body_ints, vehicles + npcs) if looks else 0
    if rare == 0:
        rare = walk_people(words, real, start)
    if rare == 0 and looks:
        rare = settle(words, start)
    if rare != 0:
        return rare
    if people != 0:
        person = float_rows_at(start + 8 * words[_W_PERSON], _PERSON_COLUMNS, people)
        person_ints = int_rows_at(start + 8 * words[_W_PERSON_INTS], _PERSON_INT_COLUMNS, people)
        walking = (person, person_ints, words[_W_PERSON_SIZE], body, body_ints, vehicles + npcs)
        if _write_person_bodies(words[_W_PERSON_BODIES], walking) > 0:
            return _OFF_LANE
    rare = touch(words, real, start, body, body_ints, row, vehicles + npcs)
    if rare == 0 and off > 0 and wait_to_drive_on(traffic, traffic_ints, real[_W_DT]):
        return _OFF_LANE
    return rare


@inner_kernel
def touch(
    words: IntArray, real: FloatArray, start: int, body: FloatArray, body_ints: IntArray, row: IntArray, person: int
) -> int:
    """Let bodies that touch each other or a part of the scenery push each other; returns `Rare`.

    Args:
        words: of the tick.
        real: the same as real numbers.
        start: address of the block.
        body: the float block of the bodies of all actors.
        body_ints: its int block.
        row: row in the traffic of each body of an NPC vehicle.
        person: row of the first person's body.
    """
    found = np.empty(words[_W_PART_COUNT], np.int64)
    count = min(parts_near(words, body, body_ints, 0, 0.0, real[_W_DT], found), MAX_PARTS_IN_TICK)
    if count > 0:
        if words[_W_WRITE_PARTS] == 0:
            return _KERNEL
        body, body_ints = with_parts(words, body, body_ints, found[:count].copy())
    contact, contact_ints, count = find_all_contacts(words, body, body_ints, real[_W_DT])
    if count == 0 and ints_at(start, HEADER)[CONTACTS] == 0:
        return 0
    if words[_W_PUSH_BODIES] == 0 or words[_W_RESOLVE] == 0:
        return _NEAR
    pushed = (words, start, body, body_ints, contact, contact_ints, count, row, person)
    return _push_bodies(words[_W_PUSH_BODIES], pushed)  # type: ignore[no-any-return]
