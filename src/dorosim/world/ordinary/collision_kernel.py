"""The share of collisions in an ordinary tick: whether any body touches another, and no more."""

from __future__ import annotations

import numpy as np

from dorosim.ground.address_kernel import float_rows_at, int_rows_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.collision.body import BodyTable
from dorosim.world.collision.contact import ContactTable
from dorosim.world.collision.scenery import MAX_PARTS_IN_TICK
from dorosim.world.ordinary.link_kernel import (
    FIND_CONTACTS,
    WRITE_NPC_BODIES,
    WRITE_PERSON_BODIES,
    WRITE_VEHICLE_BODIES,
)
from dorosim.world.ordinary.look_kernel import look, parts_near, settle, with_parts
from dorosim.world.ordinary.traffic_kernel import walk_people
from dorosim.world.ordinary.word import Rare, TickWord
from dorosim.world.pedestrian.state import PedestrianState
from dorosim.world.traffic.state import Presence, TrafficState
from dorosim.world.vehicle.state import VehicleState

_TRAFFIC = TrafficState.at
_COLUMNS, _INT_COLUMNS = VehicleState.float_width, len(VehicleState.int_columns)
_TRAFFIC_COLUMNS, _TRAFFIC_INT_COLUMNS = TrafficState.float_width, len(TrafficState.int_columns)
_PERSON_COLUMNS, _PERSON_INT_COLUMNS = PedestrianState.float_width, len(PedestrianState.int_columns)
_BODY_COLUMNS, _BODY_INT_COLUMNS = BodyTable.float_width, len(BodyTable.int_columns)
_CONTACT_COLUMNS, _CONTACT_INT_COLUMNS = ContactTable.float_width, len(ContactTable.int_columns)
_OFF_MAP, _ROOM = int(Presence.OFF_MAP), 16
_KERNEL, _NEAR, _OFF_LANE = int(Rare.KERNEL), int(Rare.NEAR), int(Rare.OFF_LANE)

_write_vehicle_bodies, _write_npc_bodies = WRITE_VEHICLE_BODIES.call, WRITE_NPC_BODIES.call
_write_person_bodies = WRITE_PERSON_BODIES.call
_find_contacts = FIND_CONTACTS.call

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
_W_WRITE_PARTS = int(TickWord.WRITE_PARTS)


@inner_kernel
def bodies_of_traffic(ints: IntArray) -> int:
    """How many vehicles of the traffic have a body."""
    count = 0
    for i in range(ints.shape[1]):
        count += ints[_TRAFFIC.plan_of_ego, i] == 0 and ints[_TRAFFIC.present, i] != _OFF_MAP
    return count


@inner_kernel
def meet(words: IntArray, real: FloatArray, start: int, looks: bool) -> int:
    """Let people walk among the bodies of vehicles, and say whether any bodies touch; returns `Rare`.

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
    npcs = bodies_of_traffic(traffic_ints)
    rows = vehicles + npcs + people
    body, body_ints = np.zeros((_BODY_COLUMNS, rows)), np.zeros((_BODY_INT_COLUMNS, rows), np.int64)
    own = (words[_W_PARAMETER], vehicle, vehicle_ints, body, body_ints, 0)
    _write_vehicle_bodies(words[_W_VEHICLE_BODIES], own)
    if words[_W_TRAFFIC] != 0:
        row = np.empty(words[_W_TRAFFIC], np.int64)
        npc = (traffic, traffic_ints, words[_W_MODEL_SIZE], body, body_ints, vehicles, True, row)
        _, off = _write_npc_bodies(words[_W_NPC_BODIES], npc)
        if off > 0:
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
    return touch(words, real, body, body_ints)


@inner_kernel
def touch(words: IntArray, real: FloatArray, body: FloatArray, body_ints: IntArray) -> int:
    """`Rare.NEAR` if bodies touch each other or a part of the scenery."""
    found = np.empty(words[_W_PART_COUNT], np.int64)
    count = min(parts_near(words, body, body_ints, 0, 0.0, real[_W_DT], found), MAX_PARTS_IN_TICK)
    if count > 0:
        if words[_W_WRITE_PARTS] == 0:
            return _KERNEL
        body, body_ints = with_parts(words, body, body_ints, found[:count].copy())
    contact, contact_ints = np.zeros((_CONTACT_COLUMNS, _ROOM)), np.zeros((_CONTACT_INT_COLUMNS, _ROOM), np.int64)
    count, _ = _find_contacts(words[_W_FIND_CONTACTS], (body, body_ints, real[_W_DT], contact, contact_ints))
    return _NEAR if count > 0 else 0
