"""Where episodes begin, kept ready: a world that begins where one has begun before is copied, and not built."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dorosim.batch.world import BatchWorld, WorldMoment
from dorosim.gym.task import Task
from dorosim.sensor.agent.agents import AgentGoal
from dorosim.sensor.agent.way import AgentWay
from dorosim.world.command import Command
from dorosim.world.ordinary.tick import framed, snapshot_in

MAX_WORLD_SEED = 2**31 - 1
MAX_BEGINNINGS = 10_000


class ReadyBeginning(NamedTuple):
    """A world at its beginning.

    Attributes:
        moment: the world, with all that its opening commands have made.
        ways: of the agents, by their vehicles' ids, with the goal of each; None for the end of the way.
    """

    moment: WorldMoment
    ways: Mapping[int, tuple[AgentWay, AgentGoal | None]]


class Beginnings:
    """The beginnings of a task, by the seed of the world.

    Args:
        task: what agents are to do.
        opening: commands of the actions before the first step.
        count: how many there are, and are kept; 0: as many as seeds, and none is kept.
    """

    def __init__(self, task: Task, opening: Sequence[Command], count: int) -> None:
        self._task, self._opening, self._count = task, tuple(opening), count
        self._kept: OrderedDict[int, ReadyBeginning] = OrderedDict()

    def draw(self, chance: np.random.Generator) -> int:
        """The seed of a world, by chance."""
        seed = int(chance.integers(MAX_WORLD_SEED))
        return seed % self._count if self._count else seed

    def at(self, seed: int) -> ReadyBeginning:
        """The beginning with a seed.

        Raises:
            InputError: the map has no room.
        """
        found = self._kept.get(seed)
        if found is not None:
            self._kept.move_to_end(seed)
            return found
        start, ways = self._task.begin(seed, self._opening)
        world = BatchWorld(start)
        moment = world.moment()
        if self._count:
            # in one block, which is copied at once; its frame is found here and not in each episode
            block = framed(start.scene, world.now, seed)
            if block is not None:
                moment = WorldMoment(start, snapshot_in(block[1], block[0]))
            self._kept[seed] = ReadyBeginning(moment, ways)
            while len(self._kept) > min(self._count, MAX_BEGINNINGS):
                self._kept.popitem(last=False)
        return ReadyBeginning(moment, ways)
