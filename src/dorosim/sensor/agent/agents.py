"""The agents of a world: their ways, what they remember, and what a step gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.sensor.agent.agent_kernel import read_agents
from dorosim.sensor.agent.block_sight import BlockSight
from dorosim.sensor.agent.lane_raster import NO_RASTER, raster_of
from dorosim.sensor.agent.state import AgentShape, AgentState, RewardTerm
from dorosim.sensor.agent.way import AgentWay
from dorosim.world.actor.body import bodies_of
from dorosim.world.collision.body import BodyTable
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

_MORE = 64
_NO_ROWS = np.zeros(0, np.int64)
MAX_WAY_POINTS = 1024
"""A way has at most so many points, two kilometres."""


class AgentGoal(NamedTuple):
    """Where an agent is to go: x, y in map [m] and heading [rad]."""

    x: float
    y: float
    heading: float


class AgentBuffers(NamedTuple):
    """What a step writes for A agents; parts of greater arrays will do, where they are contiguous.

    Attributes:
        observation: `(A, floats)` float32.
        term: `(A, T)` terms of the reward, weighed.
        reward: `(A,)` their sum.
        event: `(A,)` `AgentEvent`.
    """

    observation: NDArray[np.float32]
    term: FloatArray
    reward: FloatArray
    event: IntArray

    @classmethod
    def empty(cls, agents: int, floats: int) -> AgentBuffers:
        """Buffers of zeros for so many agents, each of which perceives so many floats."""
        zeros = np.zeros((agents, floats), np.float32), np.zeros((agents, len(RewardTerm)))
        return cls(*zeros, np.zeros(agents), np.zeros(agents, np.int64))

    def part(self, rows: slice) -> AgentBuffers:
        """Those of some agents; what is written there is written here."""
        return AgentBuffers(self.observation[rows], self.term[rows], self.reward[rows], self.event[rows])


@dataclass(frozen=True, slots=True)
class AgentMemory:
    """All that agents remember, for a way back to it; nothing changes it."""

    way: FloatArray
    way_ints: IntArray
    state: AgentState


class Agents:
    """The agents of one world.

    Args:
        scene: of the world; worlds on one map share its lanes.
        ids: of their vehicles, which have full dynamics, ascending.
        shape: how much they perceive.
        weight: `(T,)` of the terms of their reward.
        state: where they are kept, as many rows; None for a table of their own.
    """

    def __init__(
        self,
        scene: Scene,
        ids: Sequence[int],
        shape: AgentShape,
        weight: FloatArray,
        state: AgentState | None = None,
    ) -> None:
        network, count = scene.network, len(ids)
        self.scene, self.shape, self.weight = scene, shape, weight
        self.ids = tuple(ids)
        surface = network.surface
        self._lanes = (
            surface.station,
            surface.link,
            surface.drivable,
            surface.grid_origin,
            surface.grid_size,
            surface.cell_first,
            surface.cell_segment,
            network.left_width,
            network.right_width,
            *(raster_of(network) if shape.rings > 1 else NO_RASTER),
        )
        self._counts = np.array([*shape[:5], shape.has_terrain], np.int64)
        self._reaches = np.array(shape[5:15], np.float64)
        self._room, self._npc_rows = BodyTable.zeros(_MORE), np.zeros(_MORE, np.int64)
        self._seen = BlockSight()
        self._buffers = self._views = AgentBuffers.empty(0, 0)
        self._way = np.zeros((count, AgentWay.float_width, MAX_WAY_POINTS))
        self._way_ints = np.full((count, len(AgentWay.int_columns), MAX_WAY_POINTS), -1)
        self.state = AgentState.zeros(count) if state is None else state
        self.begin()

    def begin(self) -> None:
        """Forget all, as at the beginning of an episode: each is to be given a way."""
        self.state.floats[:], self.state.ints[:] = 0.0, 0
        self.state.id[:] = self.ids

    @property
    def places(self) -> tuple[int, ...]:
        """Where their ways and state are, which does not change: `AgentPlace` without what kernels write."""
        arrays = (self._way, self._way_ints, self.state.floats, self.state.ints)
        return (*(one.ctypes.data for one in arrays), MAX_WAY_POINTS)

    @property
    def shared(self) -> tuple[NDArray[Any], ...]:
        """What all agents on the map have in common, given the same settings, as kernels take it."""
        return (*self._lanes, self._counts, self._reaches, self.weight)

    def set_way(self, agent: int, way: AgentWay, goal: AgentGoal | None = None) -> None:
        """Give an agent another way: the next reading compares nothing with the one before.

        Args:
            agent: its row, from 0.
            way: its first `MAX_WAY_POINTS` points count, of two or more.
            goal: None for the end of the way.
        """
        count = min(way.rows, MAX_WAY_POINTS)
        self._way[agent, :, :count] = way.floats[:, :count]
        self._way_ints[agent, :, :count] = way.ints[:, :count]
        if goal is None:
            end = count - 1
            goal = AgentGoal(float(way.x[end]), float(way.y[end]), float(way.heading[end]))
        state = self.state
        state.goal_x[agent], state.goal_y[agent], state.goal_heading[agent] = goal
        state.point[agent], state.points[agent], state.fresh[agent] = 0, count, 1

    def read(self, now: Snapshot, since: int, into: AgentBuffers) -> None:
        """Write what the agents perceive and what their step was worth.

        Args:
            now: the world.
            since: simulated time of a step ago [ns]; collisions after it count.
            into: is written.

        Raises:
            ValueError: the vehicle of an agent is not in the world any more.
        """
        if self._read_block(now, since, into):
            return
        vehicle, traffic = now.vehicle, now.traffic
        if now.ghost.rows or now.people.state.rows or now.obstacles.state.rows:
            body, rows = bodies_of(self.scene, now).table, _NO_ROWS
        else:
            # what most worlds have; the kernel writes their bodies itself
            if self._room.rows < vehicle.rows + traffic.rows:
                self._room = BodyTable.zeros(vehicle.rows + traffic.rows + _MORE)
                self._npc_rows = np.zeros(self._room.rows, np.int64)
            body, rows = self._room, self._npc_rows
        missing = read_agents(
            *self._lanes,
            vehicle.floats,
            vehicle.ints,
            now.parameter.floats,
            traffic.floats,
            traffic.ints,
            self.scene.body_sizes,
            body.floats,
            body.ints,
            rows,
            now.contact.ints,
            now.signal.link.ints,
            since,
            self._counts,
            self._reaches,
            self._way,
            self._way_ints,
            self.state.floats,
            self.state.ints,
            self.weight,
            into.observation,
            into.term,
            into.reward,
            into.event,
        )
        if missing >= 0:
            there = now.vehicle.id.tolist()
            raise ValueError(f"vehicle {self.ids[missing]} is an agent, and there are {there}: reset the environment")

    def _read_block(self, now: Snapshot, since: int, into: AgentBuffers) -> bool:
        """Write the same from the block of a snapshot, whose tables are not made for it; False where it has none."""
        places = self._seen.places_of(self.scene, now, since)
        if places is None:
            return False
        if self._seen.agents is None:
            self._seen.take(self.places, self.shared)
        if into is not self._buffers:
            self._buffers = into
            self._views = AgentBuffers(into.observation[None], into.term[None], into.reward[None], into.event[None])
        return self._seen.read(places, self._views)

    def memory(self) -> AgentMemory:
        """A copy of all that they remember."""
        return AgentMemory(self._way.copy(), self._way_ints.copy(), self.state.copy())

    def recall(self, memory: AgentMemory) -> None:
        """Let them remember what they did then.

        Raises:
            ValueError: it is of another number of agents.
        """
        if memory.state.rows != self.state.rows:
            raise ValueError(f"a memory of {memory.state.rows} agents, and there are {self.state.rows}")
        self._way[:], self._way_ints[:] = memory.way, memory.way_ints
        self.state.floats[:], self.state.ints[:] = memory.state.floats, memory.state.ints

    def link_of(self, agent: int) -> int:
        """The row of the link that an agent's way follows where it is; -1 off the lanes."""
        return int(self._way_ints[agent, AgentWay.at.link, self.state.point[agent]])
