"""What the agents of many worlds perceive and do, in one call: from the blocks in which compiled ticks have them."""

from __future__ import annotations

import math
from enum import IntEnum, auto

import numpy as np
from numba import types
from numpy.typing import NDArray

from dorosim.ground.address_kernel import float_rows_at, floats_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.linked_kernel import KernelLink, array_kind
from dorosim.road.adjacency import FlagArray
from dorosim.sensor.agent.state import AgentState
from dorosim.sensor.agent.way import AgentWay
from dorosim.world.block import TIME
from dorosim.world.ordinary.batch_kernel import DriveInt, WorldPlace, row_of_actor
from dorosim.world.ordinary.body_kernel import all_bodies
from dorosim.world.ordinary.contact_kernel import contact_ints_in
from dorosim.world.ordinary.link_kernel import (
    COUNT,
    FLAGS,
    FLOAT_ROWS,
    FLOATS,
    INT_ROWS,
    INTS,
    NEW_FLOAT_ROWS,
    NEW_FLOATS,
    NEW_INT_ROWS,
    NEW_INTS,
)
from dorosim.world.ordinary.word import TickWord
from dorosim.world.signal.permission import LinkState
from dorosim.world.traffic.state import TrafficState
from dorosim.world.vehicle.mode import ControlKind, Gear
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

NEW_PAGES = array_kind("float64", 3, writable=True)
NEW_INT_PAGES = array_kind("int64", 3, writable=True)
LANES = (FLOAT_ROWS, INTS, FLAGS, FLOATS, INTS, INTS, INTS, FLOATS, FLOATS, FLOATS, array_kind("uint8", 2))
"""The first arguments of `read_agents`: where lanes are."""
READ_AGENTS = KernelLink(
    "dorosim.sensor.agent.agent_kernel",
    "read_agents",
    (
        *(*LANES, FLOAT_ROWS, INT_ROWS, FLOAT_ROWS, FLOAT_ROWS, INT_ROWS, FLOAT_ROWS, NEW_FLOAT_ROWS, NEW_INT_ROWS),
        *(NEW_INTS, INT_ROWS, INT_ROWS, COUNT, NEW_INTS, NEW_FLOATS, NEW_PAGES, NEW_INT_PAGES, NEW_FLOAT_ROWS),
        *(NEW_INT_ROWS, NEW_FLOATS, array_kind("float32", 2, writable=True), NEW_FLOAT_ROWS, NEW_FLOATS, NEW_INTS),
    ),
    types.int64,
)


class AgentPlace(IntEnum):
    """What is known of the agents of each world: rows of an array of ints."""

    WAY = 0
    """Address of their ways; likewise the next three."""
    WAY_INTS = auto()
    STATE = auto()
    STATE_INTS = auto()
    POINTS = auto()
    """Points that a way has room for."""
    MISSING = auto()
    """Out: the first agent whose vehicle is not there, -1 for none; -2: nothing was read in compiled code."""


class ActionCode(IntEnum):
    """Which actions drive agents, as compiled code has them."""

    PEDALS = 0
    VELOCITY = auto()
    DISCRETE = auto()


_VEHICLE, _PARAMETER = VehicleState.at, VehicleParameter.at
_COLUMNS, _INT_COLUMNS = VehicleState.float_width, len(VehicleState.int_columns)
_TRAFFIC_COLUMNS, _TRAFFIC_INT_COLUMNS = TrafficState.float_width, len(TrafficState.int_columns)
_WAY_COLUMNS, _WAY_INT_COLUMNS = AgentWay.float_width, len(AgentWay.int_columns)
_AGENT_COLUMNS, _AGENT_INT_COLUMNS = AgentState.float_width, len(AgentState.int_columns)
_LINK_COLUMNS = len(LinkState.int_columns)
_PARAMETERS = VehicleParameter.float_width
_LENGTH = int(WorldPlace.LENGTH)
_NOW, _GIVEN, _GIVEN_LENGTH = int(WorldPlace.NOW), int(WorldPlace.GIVEN), int(WorldPlace.GIVEN_LENGTH)
_LINKS, _LINK_COUNT = int(WorldPlace.LINKS), int(WorldPlace.LINK_COUNT)
_GOES, _DRIVES, _RARE = int(WorldPlace.GOES), int(WorldPlace.DRIVES), int(WorldPlace.RARE)
_WAY, _WAY_INTS, _STATE = int(AgentPlace.WAY), int(AgentPlace.WAY_INTS), int(AgentPlace.STATE)
_STATE_INTS, _POINTS, _MISSING = int(AgentPlace.STATE_INTS), int(AgentPlace.POINTS), int(AgentPlace.MISSING)
_W_PARAMETER, _W_MODEL_SIZE = int(TickWord.PARAMETER_FLOATS), int(TickWord.MODEL_SIZE)
_W_VEHICLES, _W_VEHICLE = int(TickWord.VEHICLES), int(TickWord.VEHICLE_FLOATS)
_W_VEHICLE_INTS = int(TickWord.VEHICLE_INTS)
_W_TRAFFIC, _W_FLOATS, _W_INTS = int(TickWord.TRAFFIC), int(TickWord.TRAFFIC_FLOATS), int(TickWord.TRAFFIC_INTS)
_W_VEHICLE_BODIES, _W_NPC_BODIES = int(TickWord.WRITE_VEHICLE_BODIES), int(TickWord.WRITE_NPC_BODIES)
_W_PERSON_BODIES, _W_TICK, _DONE = int(TickWord.WRITE_PERSON_BODIES), int(TickWord.TICK), int(WorldPlace.DONE)
_ACTOR, _KIND, _TO_AUTO, _GEAR = int(DriveInt.ACTOR), int(DriveInt.KIND), int(DriveInt.AUTO), int(DriveInt.GEAR)
_PEDAL_ACTIONS, _VELOCITY_ACTIONS = int(ActionCode.PEDALS), int(ActionCode.VELOCITY)
_PEDALS, _HOLD, _ASKED = int(ControlKind.PEDALS), int(ControlKind.HOLD), int(ControlKind.ACCELERATION)
_VELOCITY = int(ControlKind.VELOCITY_BY_ABILITY)
_D, _R = int(Gear.D), int(Gear.R)
_ACCELERATOR, _BRAKE, _SPEED, _ACCELERATION, _STEER = 0, 1, 2, 3, 4
SHIFTING_SPEED = 0.05
"""Slower than this a vehicle may change between driving forwards and backwards [m/s]."""
_DATA = 4
_FIRST_SHARED = len(LANES)
_read_agents = READ_AGENTS.call


@inner_kernel
def _first_shared(s: IntArray) -> tuple[int, int, int, int, int, int, int, int, int, int, int]:
    """The addresses of what `read_agents` takes of the lanes."""
    return s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10]


@kernel
def read_worlds(
    read: int,
    places: IntArray,
    agents: IntArray,
    shared: IntArray,
    observation: NDArray[np.float32],
    term: FloatArray,
    reward: FloatArray,
    event: IntArray,
    begin: int,
    end: int,
) -> None:
    """Write what the agents of some worlds perceive, and what their last step was worth, as `read_agents` does.

    Worlds that are in no block, or are not stepped, or whose ticks were not all made, are passed over.

    Args:
        read: address of `read_agents`.
        places: `(K, N)` `WorldPlace` of each world.
        agents: `(L, N)` `AgentPlace` of each; MISSING is written.
        shared: addresses of the descriptions of what all worlds have in common: lanes, counts, reaches, weight.
        observation: `(N, A, floats)` out.
        term: `(N, A, T)` out.
        reward: `(N, A)` out.
        event: `(N, A)` out.
        begin: first world of the range.
        end: the one after the last.
    """
    none = np.empty(0, np.int64)
    count = reward.shape[1]
    for i in range(begin, end):
        start = places[_NOW, i]
        agents[_MISSING, i] = -2
        if start == 0 or places[_GOES, i] == 0 or places[_RARE, i] != 0:
            continue
        words = ints_at(places[_GIVEN, i], places[_GIVEN_LENGTH, i])
        if words[_W_VEHICLE_BODIES] == 0 or words[_W_NPC_BODIES] == 0 or words[_W_PERSON_BODIES] == 0:
            continue
        vehicles, rows = words[_W_VEHICLES], words[_W_TRAFFIC]
        traffic = float_rows_at(start + 8 * words[_W_FLOATS], _TRAFFIC_COLUMNS, rows)
        traffic_ints = int_rows_at(start + 8 * words[_W_INTS], _TRAFFIC_INT_COLUMNS, rows)
        body, body_ints, _ = all_bodies(words, start, True)
        since = ints_at(start, places[_LENGTH, i])[TIME] - places[_DONE, i] * words[_W_TICK]
        points = agents[_POINTS, i]
        way = floats_at(agents[_WAY, i], count * _WAY_COLUMNS * points)
        way_ints = ints_at(agents[_WAY_INTS, i], count * _WAY_INT_COLUMNS * points)
        own = (
            float_rows_at(start + 8 * words[_W_VEHICLE], _COLUMNS, vehicles),
            int_rows_at(start + 8 * words[_W_VEHICLE_INTS], _INT_COLUMNS, vehicles),
            words[_W_PARAMETER],
            traffic,
            traffic_ints,
            words[_W_MODEL_SIZE],
            body,
            body_ints,
            none,
            contact_ints_in(words, start),
            int_rows_at(places[_LINKS, i], _LINK_COLUMNS, places[_LINK_COUNT, i]),
            since,
            shared[_FIRST_SHARED],
            shared[_FIRST_SHARED + 1],
            way.reshape((count, _WAY_COLUMNS, points)),
            way_ints.reshape((count, _WAY_INT_COLUMNS, points)),
            float_rows_at(agents[_STATE, i], _AGENT_COLUMNS, count),
            int_rows_at(agents[_STATE_INTS, i], _AGENT_INT_COLUMNS, count),
            shared[_FIRST_SHARED + 2],
            observation[i],
            term[i],
            reward[i],
            event[i],
        )
        agents[_MISSING, i] = _read_agents(read, _first_shared(shared) + own)


@kernel
def read_speeds(places: IntArray, actors: IntArray, speed: FloatArray, time: IntArray) -> None:
    """Write how fast the vehicles of agents are; worlds that are in no block are passed over.

    Args:
        places: `(K, N)` `WorldPlace` of each world.
        actors: `(A,)` ids of the vehicles.
        speed: `(N, A)` out: along body x [m/s].
        time: `(N,)` out: simulated time [ns].
    """
    for i in range(places.shape[1]):
        start = places[_NOW, i]
        if start == 0:
            continue
        words = ints_at(places[_GIVEN, i], places[_GIVEN_LENGTH, i])
        rows = words[_W_VEHICLES]
        vehicle = float_rows_at(start + 8 * words[_W_VEHICLE], _COLUMNS, rows)
        vehicle_ints = int_rows_at(start + 8 * words[_W_VEHICLE_INTS], _INT_COLUMNS, rows)
        time[i] = ints_at(start, places[_LENGTH, i])[TIME]
        for a in range(actors.shape[0]):
            row = row_of_actor(vehicle_ints, actors[a])
            if row >= 0:
                speed[i, a] = vehicle[_VEHICLE.velocity_x, row]


@inner_kernel
def _greater(first: float, second: float) -> float:
    """As `max` of Python has it: the first of equal ones."""
    return second if second > first else first


@inner_kernel
def _smaller(first: float, second: float) -> float:
    """As `min` of Python."""
    return second if second < first else first


@inner_kernel
def _by_pedals(pedal: float, wheel: float, limit: float, drive: FloatArray, drive_ints: IntArray) -> None:
    drive_ints[_KIND], drive_ints[_GEAR] = _PEDALS, _D
    drive[_ACCELERATOR], drive[_BRAKE] = _greater(pedal, 0.0), _greater(-pedal, 0.0)
    drive[_STEER] = wheel * limit


@inner_kernel
def _by_velocity(
    speed: float, bend: float, number: FloatArray, car: tuple[float, float, float], drive: FloatArray, ints: IntArray
) -> None:
    """`car`: largest wheel angle, wheelbase, present speed."""
    most, backwards = number[0], number[1]
    velocity = speed * (most if speed > 0 else backwards) if backwards != 0.0 else 0.5 * (speed + 1.0) * most
    angle = math.atan(car[1] * (bend * number[2]))
    ints[_KIND], ints[_GEAR] = _VELOCITY, -1
    if velocity < 0.0:
        if car[2] <= SHIFTING_SPEED:
            ints[_GEAR] = _R
    elif car[2] >= -SHIFTING_SPEED:
        ints[_GEAR] = _D
    drive[_SPEED] = abs(velocity) if velocity < 0.0 else velocity
    drive[_STEER] = _smaller(_greater(angle, -car[0]), car[0])


@kernel
def write_drives(
    code: int,
    number: FloatArray,
    acceleration: FloatArray,
    share: FloatArray,
    actors: IntArray,
    actions: FloatArray,
    over: FlagArray,
    places: IntArray,
    drive: FloatArray,
    drive_ints: IntArray,
) -> int:
    """Write what the actions of the agents of all worlds become; who is done stands with full brake.

    Worlds that are in no block, or are not stepped, are passed over.

    Args:
        code: `ActionCode`.
        number: largest velocity, the same backwards [m/s], largest curvature [1/m].
        acceleration: `(n,)` those of discrete actions [m/s²].
        share: `(m,)` their roots of wheel angles over the largest one.
        actors: `(A,)` ids of the agents' vehicles.
        actions: `(N, A, 2)`; what is beyond the bounds of the space counts as the bound.
        over: `(N, A)` agents that are done.
        places: `(K, N)` `WorldPlace` of each world; DRIVES is written.
        drive: `(N, D, 6)` out.
        drive_ints: `(N, D, 4)` out.

    Returns:
        the first row `N * A` whose action is not finite, or none of the space; -1 for none.
    """
    for i in range(places.shape[1]):
        if places[_NOW, i] == 0 or places[_GOES, i] == 0:
            continue
        words = ints_at(places[_GIVEN, i], places[_GIVEN_LENGTH, i])
        start, rows = places[_NOW, i], words[_W_VEHICLES]
        vehicle = float_rows_at(start + 8 * words[_W_VEHICLE], _COLUMNS, rows)
        vehicle_ints = int_rows_at(start + 8 * words[_W_VEHICLE_INTS], _INT_COLUMNS, rows)
        place = (words[_W_PARAMETER] - int(words.ctypes.data)) // 8
        parameter = float_rows_at(words[place + _DATA], _PARAMETERS, rows)
        places[_DRIVES, i] = actors.shape[0]
        for a in range(actors.shape[0]):
            to, ints = drive[i, a], drive_ints[i, a]
            to[:] = 0.0
            ints[_ACTOR], ints[_KIND], ints[_TO_AUTO], ints[_GEAR] = actors[a], _HOLD, 1, -1
            row = row_of_actor(vehicle_ints, actors[a])
            # a vehicle that is not there is told of when it is driven
            if over[i, a] or row < 0:
                continue
            first, second = actions[i, a, 0], actions[i, a, 1]
            if not (math.isfinite(first) and math.isfinite(second)):
                return i * len(actors) + a
            limit = parameter[_PARAMETER.max_steer, row]
            if code in (_PEDAL_ACTIONS, _VELOCITY_ACTIONS):
                first = _smaller(_greater(first, -1.0), 1.0)
                second = _smaller(_greater(second, -1.0), 1.0)
            if code == _PEDAL_ACTIONS:
                _by_pedals(first, second, limit, to, ints)
            elif code == _VELOCITY_ACTIONS:
                car = (limit, parameter[_PARAMETER.wheelbase, row], vehicle[_VEHICLE.velocity_x, row])
                _by_velocity(first, second, number, car, to, ints)
            else:
                if not (0.0 <= first < acceleration.shape[0] and 0.0 <= second < share.shape[0]):
                    return i * len(actors) + a
                part = share[int(second)]
                ints[_KIND], ints[_GEAR] = _ASKED, _D
                to[_ACCELERATION] = acceleration[int(first)]
                to[_STEER] = math.copysign(part * part, part) * limit
    return -1
