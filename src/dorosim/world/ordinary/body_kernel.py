"""The bodies of all actors of a state in a block, in the order of `dorosim.world.actor.body.bodies_of`."""

from __future__ import annotations

import numpy as np

from dorosim.ground.address_kernel import float_rows_at, int_rows_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.collision.body import BodyTable
from dorosim.world.ordinary.link_kernel import WRITE_NPC_BODIES, WRITE_PERSON_BODIES, WRITE_VEHICLE_BODIES
from dorosim.world.ordinary.word import TickWord
from dorosim.world.pedestrian.state import PedestrianState
from dorosim.world.traffic.state import Presence, TrafficState
from dorosim.world.vehicle.state import VehicleState

_TRAFFIC = TrafficState.at
_COLUMNS, _INT_COLUMNS = VehicleState.float_width, len(VehicleState.int_columns)
_TRAFFIC_COLUMNS, _TRAFFIC_INT_COLUMNS = TrafficState.float_width, len(TrafficState.int_columns)
_PERSON_COLUMNS, _PERSON_INT_COLUMNS = PedestrianState.float_width, len(PedestrianState.int_columns)
_BODY_COLUMNS, _BODY_INT_COLUMNS = BodyTable.float_width, len(BodyTable.int_columns)
_OFF_MAP, _ON_LANE = int(Presence.OFF_MAP), int(Presence.ON_LANE)

_write_vehicle_bodies, _write_npc_bodies = WRITE_VEHICLE_BODIES.call, WRITE_NPC_BODIES.call
_write_person_bodies = WRITE_PERSON_BODIES.call

_W_PARAMETER, _W_MODEL_SIZE = int(TickWord.PARAMETER_FLOATS), int(TickWord.MODEL_SIZE)
_W_VEHICLES, _W_VEHICLE = int(TickWord.VEHICLES), int(TickWord.VEHICLE_FLOATS)
_W_VEHICLE_INTS = int(TickWord.VEHICLE_INTS)
_W_TRAFFIC, _W_FLOATS, _W_INTS = int(TickWord.TRAFFIC), int(TickWord.TRAFFIC_FLOATS), int(TickWord.TRAFFIC_INTS)
_W_PEOPLE, _W_PERSON = int(TickWord.PEOPLE), int(TickWord.PEOPLE_FLOATS)
_W_PERSON_INTS, _W_PERSON_SIZE = int(TickWord.PEOPLE_INTS), int(TickWord.PERSON_SIZE)
_W_VEHICLE_BODIES, _W_NPC_BODIES = int(TickWord.WRITE_VEHICLE_BODIES), int(TickWord.WRITE_NPC_BODIES)
_W_PERSON_BODIES = int(TickWord.WRITE_PERSON_BODIES)


@inner_kernel
def count_npc_bodies(ints: IntArray, on_lane: bool) -> int:
    """How many vehicles of the traffic have a body; `on_lane`: whether those count that drive on their lanes."""
    count = 0
    for i in range(ints.shape[1]):
        present = ints[_TRAFFIC.present, i]
        counts = present != _OFF_MAP and (on_lane or present != _ON_LANE)
        count += counts and ints[_TRAFFIC.plan_of_ego, i] == 0
    return count


@inner_kernel
def all_bodies(words: IntArray, start: int, on_lane: bool) -> tuple[FloatArray, IntArray, IntArray]:
    """The float and the int block of the bodies, and the row in the traffic `(M,)` of each of an NPC vehicle.

    The kernels that write them are there. Arguments as of `count_npc_bodies`, and the words and the address of a block.
    """
    vehicles, rows, people = words[_W_VEHICLES], words[_W_TRAFFIC], words[_W_PEOPLE]
    vehicle = float_rows_at(start + 8 * words[_W_VEHICLE], _COLUMNS, vehicles)
    vehicle_ints = int_rows_at(start + 8 * words[_W_VEHICLE_INTS], _INT_COLUMNS, vehicles)
    traffic = float_rows_at(start + 8 * words[_W_FLOATS], _TRAFFIC_COLUMNS, rows)
    traffic_ints = int_rows_at(start + 8 * words[_W_INTS], _TRAFFIC_INT_COLUMNS, rows)
    npcs = count_npc_bodies(traffic_ints, on_lane)
    count, row = vehicles + npcs + people, np.empty(rows, np.int64)
    body, body_ints = np.zeros((_BODY_COLUMNS, count)), np.zeros((_BODY_INT_COLUMNS, count), np.int64)
    own = (words[_W_PARAMETER], vehicle, vehicle_ints, body, body_ints, 0)
    _write_vehicle_bodies(words[_W_VEHICLE_BODIES], own)
    if npcs != 0:
        npc = (traffic, traffic_ints, words[_W_MODEL_SIZE], body, body_ints, vehicles, on_lane, row)
        _write_npc_bodies(words[_W_NPC_BODIES], npc)
    if people != 0:
        person = float_rows_at(start + 8 * words[_W_PERSON], _PERSON_COLUMNS, people)
        person_ints = int_rows_at(start + 8 * words[_W_PERSON_INTS], _PERSON_INT_COLUMNS, people)
        walking = (person, person_ints, words[_W_PERSON_SIZE], body, body_ints, vehicles + npcs)
        _write_person_bodies(words[_W_PERSON_BODIES], walking)
    return body, body_ints, row[:npcs].copy()
