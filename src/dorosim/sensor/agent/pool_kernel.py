"""What the agents of many worlds perceive and do, in one call: from the blocks in which compiled ticks have them."""

from __future__ import annotations

from enum import IntEnum, auto

import numpy as np
from numba import types
from numpy.typing import NDArray

from dorosim.ground.address_kernel import float_rows_at, floats_at, int_rows_at, ints_at
from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.linked_kernel import KernelLink, array_kind
from dorosim.ground.prefetch_kernel import fetch
from dorosim.sensor.agent.state import AgentState
from dorosim.sensor.agent.way import AgentWay
from dorosim.world.block import TIME
from dorosim.world.ordinary.batch_kernel import WorldPlace, row_of_actor
from dorosim.world.ordinary.body_kernel import all_bodies
from dorosim.world.ordinary.contact_kernel import contact_ints_in
from dorosim.world.ordinary.link_kernel import (
    COUNT,
    FLAGS,
    FLOAT_ROWS,
    FLOATS,
    INT_ROWS,
    INTS,
    MAKE_TICKS,
    NEW_FLOAT_ROWS,
    NEW_FLOATS,
    NEW_INT_ROWS,
    NEW_INTS,
)
from dorosim.world.ordinary.word import TickWord
from dorosim.world.signal.permission import LinkState
from dorosim.world.traffic.state import TrafficState
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


_VEHICLE = VehicleState.at
_COLUMNS, _INT_COLUMNS = VehicleState.float_width, len(VehicleState.int_columns)
_TRAFFIC_COLUMNS, _TRAFFIC_INT_COLUMNS = TrafficState.float_width, len(TrafficState.int_columns)
_WAY_COLUMNS, _WAY_INT_COLUMNS = AgentWay.float_width, len(AgentWay.int_columns)
_AGENT_COLUMNS, _AGENT_INT_COLUMNS = AgentState.float_width, len(AgentState.int_columns)
_LINK_COLUMNS = len(LinkState.int_columns)
_LENGTH, _POINT = int(WorldPlace.LENGTH), AgentState.at.point
_POINTS_READ = 32
"""Of points of a way that lie ahead so many are read, in most settings."""
_NOW, _GIVEN, _GIVEN_LENGTH = int(WorldPlace.NOW), int(WorldPlace.GIVEN), int(WorldPlace.GIVEN_LENGTH)
_LINKS, _LINK_COUNT = int(WorldPlace.LINKS), int(WorldPlace.LINK_COUNT)
_GOES, _RARE = int(WorldPlace.GOES), int(WorldPlace.RARE)
_WAY, _WAY_INTS, _STATE = int(AgentPlace.WAY), int(AgentPlace.WAY_INTS), int(AgentPlace.STATE)
_STATE_INTS, _POINTS, _MISSING = int(AgentPlace.STATE_INTS), int(AgentPlace.POINTS), int(AgentPlace.MISSING)
_W_PARAMETER, _W_MODEL_SIZE = int(TickWord.PARAMETER_FLOATS), int(TickWord.MODEL_SIZE)
_W_VEHICLES, _W_VEHICLE = int(TickWord.VEHICLES), int(TickWord.VEHICLE_FLOATS)
_W_VEHICLE_INTS = int(TickWord.VEHICLE_INTS)
_W_TRAFFIC, _W_FLOATS, _W_INTS = int(TickWord.TRAFFIC), int(TickWord.TRAFFIC_FLOATS), int(TickWord.TRAFFIC_INTS)
_W_VEHICLE_BODIES, _W_NPC_BODIES = int(TickWord.WRITE_VEHICLE_BODIES), int(TickWord.WRITE_NPC_BODIES)
_W_PERSON_BODIES, _W_TICK, _DONE = int(TickWord.WRITE_PERSON_BODIES), int(TickWord.TICK), int(WorldPlace.DONE)
_FIRST_SHARED = len(LANES)
_read_agents, _make_ticks = READ_AGENTS.call, MAKE_TICKS.call


@inner_kernel
def _first_shared(s: IntArray) -> tuple[int, int, int, int, int, int, int, int, int, int, int]:
    """The addresses of what `read_agents` takes of the lanes."""
    return s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10]


@inner_kernel
def read_world(
    read: int,
    places: IntArray,
    agents: IntArray,
    shared: IntArray,
    i: int,
    observation: NDArray[np.float32],
    term: FloatArray,
    reward: FloatArray,
    event: IntArray,
) -> int:
    """What `read_worlds` does for one world; its arguments, and the rows of the world in its buffers.

    Returns:
        the first agent whose vehicle is not there, -1 for none; -2: the world was passed over.
    """
    start, count = places[_NOW, i], reward.shape[0]
    if start == 0 or places[_GOES, i] == 0 or places[_RARE, i] != 0:
        return -2
    words = ints_at(places[_GIVEN, i], places[_GIVEN_LENGTH, i])
    if words[_W_VEHICLE_BODIES] == 0 or words[_W_NPC_BODIES] == 0 or words[_W_PERSON_BODIES] == 0:
        return -2
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
        np.empty(0, np.int64),
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
        observation,
        term,
        reward,
        event,
    )
    missing: int = _read_agents(read, _first_shared(shared) + own)
    return missing


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
    for i in range(begin, end):
        missing = read_world(read, places, agents, shared, i, observation[i], term[i], reward[i], event[i])
        agents[_MISSING, i] = missing


@inner_kernel
def _ask_for_world(places: IntArray, i: int) -> None:
    """Ask for the memory of the block of a world and of what its ticks take as given."""
    block, words = bare(ints_at(places[_NOW, i], 1)), bare(ints_at(places[_GIVEN, i], 1))
    for k in range(0, places[_LENGTH, i], 8):
        fetch(block, k)
    for k in range(0, places[_GIVEN_LENGTH, i], 8):
        fetch(words, k)


@inner_kernel
def _ask_for_ways(agents: IntArray, i: int, count: int) -> None:
    """Ask for the memory of what is read of the ways of a world, which is there once its ticks are made."""
    points, width = agents[_POINTS, i], _WAY_COLUMNS + _WAY_INT_COLUMNS
    ints = bare(int_rows_at(agents[_STATE_INTS, i], _AGENT_INT_COLUMNS, count))
    for a in range(count):
        for column in range(width):
            way, row = (agents[_WAY, i], column + a * _WAY_COLUMNS)
            if column >= _WAY_COLUMNS:
                way, row = agents[_WAY_INTS, i], column - _WAY_COLUMNS + a * _WAY_INT_COLUMNS
            columns = bare(ints_at(way, 1))
            for ahead in range(0, _POINTS_READ, 8):
                fetch(columns, row * points + min(ints[_POINT, a] + ahead, points - 1))


@kernel
def step_worlds(
    make: int,
    made: tuple[int, IntArray, FloatArray, IntArray, int],
    read: int,
    agents: IntArray,
    shared: IntArray,
    into: tuple[NDArray[np.float32], FloatArray, FloatArray, IntArray],
    begin: int,
    end: int,
) -> None:
    """Make ordinary ticks of some worlds, and read each right after its ticks, while it is in the caches.

    Args:
        make: address of `make_ordinary_ticks`.
        made: its first arguments: address of a tick, places, drives, their ints, number of ticks.
        read: as of `read_worlds`.
        agents: likewise.
        shared: likewise.
        into: observation, term, reward and event of `read_worlds`.
        begin: likewise.
        end: likewise.
    """
    for i in range(begin, end):
        if agents[_STATE_INTS, i] != 0:
            _ask_for_ways(agents, i, into[2].shape[1])
        _make_ticks(make, (*made, i, i + 1))
        if i + 1 < end:
            _ask_for_world(made[1], i + 1)
        own = (into[0][i], into[1][i], into[2][i], into[3][i])
        agents[_MISSING, i] = read_world(read, made[1], agents, shared, i, own[0], own[1], own[2], own[3])


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
