"""Worlds of kinematic agents: what `EpisodeSet` is for agents with full dynamics, all in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from dorosim.batch.range_threads import RangeThreads
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.gym.action import (
    ACCELERATIONS,
    STEERS,
    DiscreteActions,
    Mask,
    PedalActions,
    VelocityActions,
    actions_of,
)
from dorosim.gym.beginnings import MAX_WORLD_SEED
from dorosim.gym.compiled_steps import Flags
from dorosim.gym.episode import EVENT_CODES, MASK, TERM_NAMES, mask_width_of
from dorosim.gym.kind import kind_named, task_of
from dorosim.gym.kinematic_setting import (
    check_kinematic,
    kinematic_parts,
    numbers_of_model,
    rules_of,
    tables_of,
)
from dorosim.gym.observation import ObservationLayout
from dorosim.gym.setting import EnvSettings, settings_of
from dorosim.sensor.agent.agents import AgentBuffers
from dorosim.sensor.agent.kinematic.state import MAX_WAY_LINKS, KinematicArrays, KinematicOut, KinematicState
from dorosim.sensor.agent.kinematic.world_kernel import begin_worlds, step_worlds
from dorosim.sensor.agent.state import AgentEvent, RewardTerm

_AT = KinematicState.at
_ARRIVAL = int(AgentEvent.ARRIVAL)


@dataclass(frozen=True, slots=True)
class KinematicMoment:
    """A world of kinematic agents at a step, to go back to; it stays as it is.

    Attributes:
        state, ints, way, time, key: its part of `KinematicArrays`.
        over: agents whose episode is over.
        seed: of the world.
        roads: name of its map, and how many links that has.
    """

    state: NDArray[np.float64]
    ints: NDArray[np.int64]
    way: NDArray[np.int32]
    time: int
    key: int
    over: tuple[bool, ...]
    seed: int
    roads: tuple[str, int]


class KinematicSet:
    """N worlds of A kinematic agents; rows of buffers are world by world, agent by agent.

    Args:
        kind: of environment.
        worlds: how many.
        settings: see `EnvSettings`, with "kinematic" dynamics.

    Raises:
        InputError: a setting is wrong, or a file that it names.

    Attributes:
        settings: as they count. layout: of observations.
        episodes: one a world.
        out: what the last step wrote. buffers: parts of it.
        terminated, truncated, mask: `(N * A,)` its flags.
        over: `(N * A,)` agents whose episode is over.
    """

    def __init__(self, kind: str, worlds: int, settings: dict[str, Any]) -> None:
        if worlds < 1:
            raise ValueError(f"there are 1 or more worlds, not {worlds}")
        found = kind_named(kind)
        self.settings: EnvSettings = settings_of(found.usual, {"vehicles": 0, **settings})
        check_kinematic(kind, self.settings)
        task, agents = task_of(found, self.settings), self.settings.agents
        action = actions_of(self.settings, task.scene.network)
        # "lanes" has been refused
        assert isinstance(action, DiscreteActions | PedalActions | VelocityActions)
        self._action = action
        self.mask_width = mask_width_of(self._action.space)
        self.layout = ObservationLayout(self.settings, kinematic_parts(self.settings), self.mask_width)
        self._car = numbers_of_model(self.settings.vehicle)
        self._rules = rules_of(self.settings, task)
        self._tables = tables_of(self.settings, task)
        self._roads = task.scene.network.name, task.scene.network.link_count
        self.arrays = KinematicArrays(
            np.zeros((worlds, KinematicState.float_width, agents)),
            np.zeros((worlds, len(KinematicState.int_columns), agents), np.int64),
            np.zeros((worlds, agents, MAX_WAY_LINKS), np.int32),
            np.zeros(worlds, np.int64),
            np.zeros(worlds, np.int64),
        )
        self.use(np.zeros((worlds * agents, self.layout.width), np.float32))
        self.over = np.zeros(worlds * agents, np.bool_)
        self.begun = np.zeros(worlds, np.bool_)
        self.seeds: list[int] = [-1] * worlds
        self._chance: list[np.random.Generator | None] = [None] * worlds
        self.episodes = [KinematicEpisode(self, number) for number in range(worlds)]
        self._threads = RangeThreads(self.settings.threads)

    def use(self, observation: NDArray[np.float32]) -> None:
        """Write observations from now on into another array `(N * A, floats)`, which is contiguous."""
        rows = len(observation)
        term, reward, event = np.zeros((rows, len(RewardTerm))), np.zeros(rows), np.zeros(rows, np.int64)
        flags = np.zeros((3, rows), np.uint8)
        fact, steps = np.zeros((rows, 3)), np.zeros(rows, np.int64)
        self.out = KinematicOut(observation, term, reward, event, flags[0], flags[1], flags[2], fact, steps)
        self.buffers = AgentBuffers(observation, term, reward, event)
        self.terminated, self.truncated, self.mask = flags.view(np.bool_)

    @property
    def actions(self) -> gymnasium.Space[Any]:
        """The space of one agent's actions."""
        return self._action.space

    def draw(self, number: int, seed: int | None = None, given: int | None = None) -> None:
        """Let one world have the seed of its next episode; arguments as of `reset`."""
        chance = self._chance[number]
        if chance is None or seed is not None:
            chance, _ = seeding.np_random(seed)
            self._chance[number] = chance
        drawn = int(chance.integers(MAX_WORLD_SEED)) if given is None else given
        if given is None and self.settings.beginnings:
            drawn %= self.settings.beginnings
        self.seeds[number] = drawn
        self.arrays.key[number] = Noise(drawn).key("gym/kinematic")

    def reset(self, number: int, seed: int | None = None, given: int | None = None) -> None:
        """Begin an episode in one world.

        Args:
            number: of the world.
            seed: of all its further episodes; None goes on with that of before.
            given: seed of the world itself, in place of a drawn one.
        """
        self.draw(number, seed, given)
        self.begin([number])

    def begin(self, only: Sequence[int]) -> None:
        """Begin an episode in some worlds, with the seeds that were drawn.

        Raises:
            InputError: the map has no room for the agents.
        """
        least = self._write(only, fresh=True)
        if least < 2.0 * self._car.half_length:
            problem = f"the map has no room for {self.settings.agents} agents"
            raise InputError("environment", "agents", problem, "ask for fewer")
        for number in only:
            self.over[self._rows(number)] = False
            self.begun[number] = True

    def _write(self, only: Sequence[int], *, fresh: bool) -> float:
        numbers = np.array(only, np.int64)
        found = begin_worlds(self._tables, self._car, self._rules, self.arrays, self.out, numbers, fresh)
        return float(found)

    def _rows(self, number: int) -> slice:
        return slice(number * self.settings.agents, (number + 1) * self.settings.agents)

    def restore(self, number: int, moment: KinematicMoment) -> None:
        """Take one world back to a moment of it or of another one.

        Raises:
            InputError: it is of another map or number of agents.
        """
        arrays, problem = self.arrays, ""
        if moment.state.shape != arrays.state[number].shape:
            problem = f"is of {moment.state.shape[1]} agents, and there are {self.settings.agents}"
        elif moment.roads != self._roads:
            problem = f"is of the map {moment.roads[0]}, and this is {self._roads[0]}"
        if problem:
            raise InputError("environment", "moment", problem, "use a moment of an environment with these settings")
        arrays.state[number], arrays.ints[number], arrays.way[number] = moment.state, moment.ints, moment.way
        arrays.time[number], arrays.key[number] = moment.time, moment.key
        self.seeds[number] = moment.seed
        self.over[self._rows(number)] = moment.over
        self.begun[number] = True
        self._write([number], fresh=False)

    def moment(self, number: int) -> KinematicMoment:
        """One world as it is."""
        arrays, over = self.arrays, tuple(self.over[self._rows(number)].tolist())
        blocks = arrays.state[number].copy(), arrays.ints[number].copy(), arrays.way[number].copy()
        time, key = int(arrays.time[number]), int(arrays.key[number])
        return KinematicMoment(*blocks, time, key, over, self.seeds[number], self._roads)

    def step(self, actions: Any, only: Sequence[int] | None = None) -> None:  # noqa: ARG002
        """Go on by a step in all worlds.

        Args:
            actions: of all agents, `(N * A, 2)` or one by one; of those whose episode is over they do not count.
            only: all worlds.

        Raises:
            ValueError: an action is none of the space.
            gymnasium.error.ResetNeeded: a world has not begun.
        """
        if not self.begun.all():
            raise gymnasium.error.ResetNeeded("call reset of all worlds before the first step")
        given = self._checked(actions).reshape(*self.arrays.way.shape[:2], 2)

        def work(begin: int, end: int) -> None:
            step_worlds(self._tables, self._car, self._rules, self.arrays, self.out, given, begin, end)

        self._threads.run(work, len(self.seeds))
        if not self.settings.respawn:
            self.over |= self.terminated | self.truncated

    def _checked(self, actions: Any) -> NDArray[np.float64]:
        """`(N * A, 2)` the actions as numbers of the space.

        Raises:
            ValueError: one is none.
        """
        if not isinstance(actions, np.ndarray):
            none = np.zeros(2)
            actions = [none if over else action for action, over in zip(actions, self.over, strict=True)]
            for action in actions:
                self._action.numbers(action)
        try:
            # a copy of one's own: kernels are compiled for arrays that can be written
            numbers = np.array(actions, np.float64, order="C")
        except (TypeError, ValueError):
            raise ValueError(f"actions are {len(self.over)} x 2 numbers, not {actions!r}") from None
        if numbers.shape != (len(self.over), 2):
            raise ValueError(f"actions are {len(self.over)} x 2 numbers, not {numbers.shape}")
        if self.mask_width:
            good = (numbers[:, 0] >= 0.0) & (numbers[:, 0] < len(ACCELERATIONS))
            good &= (numbers[:, 1] >= 0.0) & (numbers[:, 1] < len(STEERS))
        else:
            good = np.isfinite(numbers[:, 0]) & np.isfinite(numbers[:, 1])
        good |= self.over
        if not good.all():
            self._action.numbers(numbers[int(np.argmin(good))])
        if self.over.any():
            numbers = np.where(self.over[:, None], 0.0, numbers)
        return numbers

    def ended(self) -> tuple[Flags, Flags]:
        """`(N * A,)` whether the last step terminated an agent's episode, and whether it was cut off."""
        return self.terminated, self.truncated

    def masks(self) -> NDArray[np.int8]:
        """`(N * A, n)` what each agent can do."""
        assert isinstance(self._action, DiscreteActions)
        return self._action.masks(self.arrays.state[:, _AT.speed].reshape(-1))

    def pictures(self, rows: Sequence[int] | None = None) -> None:  # noqa: ARG002
        """No pictures."""
        return

    def info(self, row: int) -> dict[str, Any]:
        """What there is to know of an agent's last step; of the episode that it was part of."""
        out, event = self.out, int(self.out.event[row])
        number, agent = divmod(row, self.settings.agents)
        travelled, offset, speed = out.fact[row].tolist()
        found: dict[str, Any] = {
            "reward_terms": dict(zip(TERM_NAMES, out.term[row].tolist(), strict=True)),
            **{name: bool(event & code) for name, code in EVENT_CODES.items()},
            "travelled": travelled,
            "offset": offset,
            "speed": speed,
            "time": int(self.arrays.time[number]) * 1e-9,
            "steps": int(out.steps[row]),
            "world_seed": self.seeds[number],
            "is_success": bool(event & _ARRIVAL),
        }
        if isinstance(self._action, DiscreteActions):
            found[MASK] = self._action.masks(self.arrays.state[number, _AT.speed, agent : agent + 1])[0]
        return found

    def close(self) -> None:
        """Let go of threads."""
        self._threads.close()


class KinematicEpisode:
    """The episode of one world of a `KinematicSet`.

    Args:
        owner: the set. number: of the world in it.

    Attributes:
        over: `(A,)` agents whose episode is over.
        world: None: there is no Snapshot of it.
    """

    world = None

    def __init__(self, owner: KinematicSet, number: int) -> None:
        self._set, self._number = owner, number
        agents = owner.settings.agents
        self.over = owner.over[number * agents : (number + 1) * agents]

    def moment(self) -> KinematicMoment:
        """The world as it is."""
        return self._set.moment(self._number)

    def info(self, agent: int) -> dict[str, Any]:
        """What there is to know of an agent's last step."""
        return self._set.info(self._number * self._set.settings.agents + agent)

    def mask(self, agent: int) -> Mask:
        """What an agent can do."""
        mask: Mask = self._set.masks()[self._number * self._set.settings.agents + agent]
        return mask
