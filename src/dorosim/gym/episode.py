"""One episode of agents in a world: what single, vector and multi-agent environments have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from dorosim.batch.world import BatchWorld, WorldMoment
from dorosim.ground.column import IntArray
from dorosim.ground.error import InputError, reason_of
from dorosim.gym.action import Action, ActionMeaning, Mask, actions_of, hold
from dorosim.gym.beginnings import MAX_WORLD_SEED, Beginnings
from dorosim.gym.setting import ENDS, EnvSettings
from dorosim.gym.task import Task
from dorosim.sensor.agent.agents import AgentBuffers, AgentMemory, Agents
from dorosim.sensor.agent.state import AgentEvent, AgentShape, AgentState, RewardTerm
from dorosim.world.command import Command
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO
from dorosim.world.storyboard.state import NEVER
from dorosim.world.vehicle.state import VehicleState

_LOST, _ARRIVAL = int(AgentEvent.LOST), int(AgentEvent.ARRIVAL)
MASK = "action_mask"
TERM_NAMES = tuple(term.name.lower() for term in RewardTerm)
EVENT_CODES = {str(event.name).lower(): int(event) for event in AgentEvent if event is not AgentEvent.LOST}
_FLAGS = [{name: bool(event & code) for name, code in EVENT_CODES.items()} for event in range(2 * max(AgentEvent))]
"""What info says of the events of a step, by their sum."""
_TRAVELLED, _OFFSET, _SPEED = AgentState.at.travelled, AgentState.at.offset, VehicleState.at.velocity_x
LOST_OFFSET = 5.0
"""An agent so far beside its way gets another one [m]."""
LANE_LOST_OFFSET = 2.5
"""The same where the built-in driver changes lanes [m]: it is on the lane beside then, and goes on there."""


@dataclass(frozen=True, slots=True)
class EpisodeMoment:
    """An environment at a step, to go back to; it stays as it is.

    Attributes:
        world: the world. memory: what its agents remember.
        steps: how many there were. over: agents whose episode is over.
        seed: of the episode.
    """

    world: WorldMoment
    memory: AgentMemory
    steps: int
    over: tuple[bool, ...]
    seed: int


def shape_of(settings: EnvSettings, task: Task) -> AgentShape:
    """How much agents perceive."""
    lost_offset = LANE_LOST_OFFSET if settings.actions == "lanes" else LOST_OFFSET
    return AgentShape(
        neighbours=settings.neighbours if settings.has("neighbours") else 0,
        road_points=settings.road_points if settings.has("road") else 0,
        lights=settings.lights if settings.has("lights") else 0,
        rays=settings.rays if settings.has("lidar") else 0,
        rings=settings.rings if settings.has("lidar") else 0,
        neighbour_reach=float(settings.neighbour_reach),
        road_spacing=float(settings.road_spacing),
        light_reach=float(settings.light_reach),
        ray_reach=float(settings.ray_reach),
        step=settings.step_s,
        goal_radius=float(task.goal.radius),
        goal_angle=float(task.goal.angle),
        goal_speed=float(task.goal.speed),
        lost_offset=lost_offset if task.goal.angle >= 3.0 else np.inf,
        way_left=0.0 if task.goal.radius >= 0.0 else 200.0,
        has_terrain=task.scene.terrain is not None,
    )


class Episode:
    """The agents of one world, from the beginning of an episode to its end, and then of the next one.

    Args:
        task: what they are to do.
        settings: of the environment.
        into: where what they perceive is written, one row an agent.
        state: where what is remembered of them is kept, one row an agent; None for a table of its own.
        numbers: `(2,)` where steps and seed are kept; None for an array of its own.

    Attributes:
        world: the world; there is none before the first `reset`.
        beginnings: where episodes begin; those of several worlds have them in common.
        files: numbers of recordings; those of several worlds, too, so that no two write the same file.
        over: `(A,)` whether the episode of an agent is over.
        mask_width: length of a mask of actions; 0 for continuous ones.
        end_events: what ends an agent's episode, a sum of `AgentEvent`.
    """

    def __init__(
        self,
        task: Task,
        settings: EnvSettings,
        into: AgentBuffers,
        state: AgentState | None = None,
        numbers: IntArray | None = None,
    ) -> None:
        self.task, self.settings, self.into, self._state = task, settings, into, state
        self.actions: ActionMeaning = actions_of(settings, task.scene.network, task.backwards)
        self.mask_width = mask_width_of(self.actions.space)
        self.ids = tuple(range(EGO, EGO + settings.agents))
        opening = tuple(command for actor in self.ids for command in self.actions.opening(actor))
        self.beginnings = Beginnings(task, opening, settings.beginnings)
        self.shape = shape_of(settings, task)
        self.weight = np.array(settings.weights(task.weights))
        self.world: BatchWorld | None = None
        self.agents: Agents | None = None
        self._numbers: IntArray = np.zeros(2, np.int64) if numbers is None else numbers
        self.files: Iterator[int] = count(1)
        self._folder: Path | None = None
        self.over = np.zeros(settings.agents, np.bool_)
        self.end_events = sum(int(AgentEvent[name.upper()]) for name in ENDS if name in settings.ends)

    @property
    def steps(self) -> int:
        """Of the episode so far."""
        return self._numbers.item(0)

    @steps.setter
    def steps(self, value: int) -> None:
        self._numbers[0] = value

    @property
    def seed(self) -> int:
        """Of the episode's world."""
        return self._numbers.item(1)

    @seed.setter
    def seed(self, value: int) -> None:
        self._numbers[1] = value

    def reset(self, seed: int) -> None:
        """Begin an episode; what agents perceive is written."""
        moment, ways = self.beginnings.at(seed)
        if self.world is None:
            self.world = BatchWorld.at(moment)
        else:
            self.world.restore(moment)
        if self.settings.record is not None:
            name = f"episode-{next(self.files):06d}-seed-{seed}.rec"
            if self._folder is None:
                self._folder = _made_folder(self.settings.record)
            self.world.record(self._folder / name)
        self._begin_agents(moment.start.scene)
        assert self.agents is not None
        for number, actor in enumerate(self.ids):
            self.agents.set_way(number, *ways[actor])
        self.steps, self.seed = 0, seed
        self.over[:] = False
        self._read(self.world.now.time)

    def _begin_agents(self, scene: Scene) -> None:
        if self.agents is None or self.agents.scene is not scene:
            self.agents = Agents(scene, self.ids, self.shape, self.weight, self._state)
        else:
            self.agents.begin()

    def commands(self, actions: Sequence[Action | None]) -> tuple[Command, ...]:
        """The commands of a step; None for agents whose episode is over: they stand."""
        assert self.world is not None
        now = self.world.now
        found: tuple[Command, ...] = ()
        for actor, action in zip(self.ids, actions, strict=True):
            row = now.row_of(actor)
            found += (hold(actor),) if action is None else self.actions.commands(now, row, action)
        return found

    def step(self, commands: Sequence[Command]) -> int:
        """Go on by a step, and write what came of it; the simulated time before it [ns]."""
        assert self.world is not None
        since = self.world.now.time
        self.world.step(commands)
        self.finish_step(since)
        return since

    def finish_step(self, since: int, done: int = 1) -> None:
        """Go on by the further ticks of a step whose first ones are done, and write what came of it.

        Args:
            since: simulated time before the step [ns].
            done: how many ticks of it are.
        """
        assert self.world is not None
        for _ in range(self.settings.ticks - done):
            self.world.step()
        self._numbers[0] += 1
        self._read(since)

    def _read(self, since: int) -> None:
        assert self.world is not None
        assert self.agents is not None
        self.agents.read(self.world.now, since, self.into)
        self.find_ways(since)

    def find_ways(self, since: int) -> None:
        """Give agents another way that have lost theirs, and write what they perceive of it; `since` as above."""
        assert self.world is not None
        assert self.agents is not None
        agents, into = self.agents, self.into
        # of one agent, as most have, a number is asked: numpy takes ten times as long
        some = into.event.item(0) & _LOST if len(into.event) == 1 else (into.event & _LOST).any()
        lost = np.flatnonzero(into.event & (_LOST | _ARRIVAL) == _LOST) if some else ()
        if not len(lost):
            return
        now, kept = self.world.now, (into.term.copy(), into.reward.copy(), into.event.copy())
        for number in lost:
            way, goal = self.task.renew(now, self.ids[number], self.seed)
            agents.set_way(int(number), way, goal)
        agents.read(now, since, into)
        for buffer, values in zip((into.term, into.reward, into.event), kept, strict=True):
            buffer[:] = values

    @property
    def is_truncated(self) -> bool:
        """Whether the episode is over for all, since it was long enough or its scenario is over."""
        assert self.world is not None
        limit = self.settings.max_steps
        if 0 < limit <= self.steps:
            return True
        return self.world.start.storyboard is not None and self.world.now.storyboard.ended != NEVER

    def mask(self, number: int) -> Mask:
        """What an agent can do; see `ActionMeaning.mask`."""
        assert self.world is not None
        assert self.agents is not None
        now = self.world.now
        return self.actions.mask(now, now.row_of(self.ids[number]), self.agents.link_of(number))

    def masks(self) -> list[Mask]:
        """What each agent can do."""
        return [self.mask(number) for number in range(len(self.ids))]

    def info(self, number: int) -> dict[str, Any]:
        """What there is to know of an agent's last step."""
        event, term = self.into.event.item(number), self.into.term[number]
        found: dict[str, Any] = {
            "reward_terms": dict(zip(TERM_NAMES, term.tolist(), strict=True)),
            **_FLAGS[event],
            **self.facts(number),
            "world_seed": self.seed,
            "is_success": bool(event & _ARRIVAL),
        }
        if self.mask_width:
            assert self.world is not None
            found[MASK] = self.mask(number)
        return found

    def facts(self, number: int) -> Mapping[str, float]:
        """Some numbers about an agent, for info: metres along its way, offset, speed, simulated time."""
        assert self.world is not None
        assert self.agents is not None
        state, now = self.agents.state.floats, self.world.now
        return {
            "travelled": state.item(_TRAVELLED, number),
            "offset": state.item(_OFFSET, number),
            "speed": now.vehicle.floats.item(_SPEED, now.row_of(self.ids[number])),
            "time": now.time * 1e-9,
        }

    def moment(self) -> EpisodeMoment:
        """The environment as it is.

        Raises:
            gymnasium.error.ResetNeeded: there was no reset.
        """
        if self.world is None:
            raise gymnasium.error.ResetNeeded("call reset before snapshot")
        assert self.agents is not None
        return EpisodeMoment(
            self.world.moment(), self.agents.memory(), self.steps, tuple(self.over.tolist()), self.seed
        )

    def restore(self, moment: EpisodeMoment) -> None:
        """Go back to a moment; what agents perceive is written.

        Raises:
            InputError: it is none, or one of another map or number of agents.
        """
        self._check(moment)
        if self.world is None:
            self.world = BatchWorld.at(moment.world)
        else:
            self.world.restore(moment.world)
        self._begin_agents(moment.world.start.scene)
        assert self.agents is not None
        self.agents.recall(moment.memory)
        self.agents.state.fresh[:] = 0
        self.steps, self.seed = moment.steps, moment.seed
        self.over[:] = moment.over
        self.agents.read(self.world.now, self.world.now.time, self.into)

    def _check(self, moment: EpisodeMoment) -> None:
        if not isinstance(moment, EpisodeMoment):
            raise InputError("environment", "moment", f"is {type(moment).__name__}", "give what snapshot() returned")
        theirs, ours = moment.world.start.scene.network, self.task.scene.network
        problem = ""
        if theirs is not ours and (theirs.name, theirs.link_ids) != (ours.name, ours.link_ids):
            problem = f"is of the map {theirs.name}, and this is {ours.name}"
        elif len(moment.over) != len(self.ids):
            problem = f"is of {len(moment.over)} agents, and here are {len(self.ids)}"
        if problem:
            raise InputError("environment", "moment", problem, "give one of an environment with the same settings")

    def close(self) -> None:
        """Finish the recording."""
        if self.world is not None:
            self.world.end_recording()


def mask_width_of(space: spaces.Space[Any]) -> int:
    """Length of a mask of actions; 0 for continuous ones."""
    if isinstance(space, spaces.Discrete):
        return int(space.n)
    return int(space.nvec.sum()) if isinstance(space, spaces.MultiDiscrete) else 0


def given_world_seed(given: object) -> int | None:
    """The seed of a world that options name, None for none.

    Raises:
        InputError: it is no whole number of 0 or more.
    """
    if given is None:
        return None
    if not isinstance(given, int | np.integer) or isinstance(given, bool) or not 0 <= given <= MAX_WORLD_SEED:
        problem = f"{given!r} is no whole number of 0 to {MAX_WORLD_SEED}"
        raise InputError("environment", "options['world_seed']", problem, "give one")
    return int(given)


def _made_folder(name: str) -> Path:
    """The folder of recordings, which is made where it is not there.

    Raises:
        InputError: it cannot be made.
    """
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError("environment", "record", f"{name}: {reason_of(error)}", "give another folder") from None
    return folder
