"""Episodes in many worlds side by side, with one set of buffers: what all environments of many agents stand on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from dorosim.gym.action import DiscreteActions
from dorosim.gym.compiled_steps import Actions, CompiledSteps, Flags
from dorosim.gym.episode import EVENT_CODES, MASK, TERM_NAMES, Episode, EpisodeMoment
from dorosim.gym.kind import kind_named, task_of
from dorosim.gym.observation import ObservationLayout, parts_of
from dorosim.gym.picture import Painter
from dorosim.gym.setting import EnvSettings, check_full, settings_of
from dorosim.sensor.agent.agents import AgentBuffers
from dorosim.sensor.agent.state import AgentState


class EpisodeSet:
    """Episodes in N worlds, each with A agents; rows of buffers are world by world, agent by agent.

    Args:
        kind: of environment.
        worlds: how many.
        settings: see `EnvSettings`.

    Raises:
        InputError: a setting is wrong, or a file that it names.

    Attributes:
        settings: as they count. layout: of observations.
        episodes: one a world. chance: the generator of each world's seeds.
        buffers: `(N * A, ...)`.
        over: `(N * A,)` agents whose episode is over.
    """

    def __init__(self, kind: str, worlds: int, settings: dict[str, Any]) -> None:
        if worlds < 1:
            raise ValueError(f"there are 1 or more worlds, not {worlds}")
        found = kind_named(kind)
        self.settings: EnvSettings = settings_of(found.usual, settings)
        check_full(self.settings)
        task, agents = task_of(found, self.settings), self.settings.agents
        self._state = np.zeros((worlds, AgentState.float_width, agents))
        self._state_ints = np.zeros((worlds, len(AgentState.int_columns), agents), np.int64)
        self._counts = np.zeros((worlds, 2), np.int64)
        self.episodes = [
            Episode(task, self.settings, AgentBuffers.empty(agents, 0), AgentState(floats, ints), count)
            for floats, ints, count in zip(self._state, self._state_ints, self._counts, strict=True)
        ]
        for episode in self.episodes:
            episode.beginnings, episode.files = self.episodes[0].beginnings, self.episodes[0].files
        self.mask_width = self.episodes[0].mask_width
        self.layout = ObservationLayout(self.settings, parts_of(self.episodes[0].shape), self.mask_width)
        self.buffers = AgentBuffers.empty(worlds * agents, self.layout.width)
        for number, episode in enumerate(self.episodes):
            rows = slice(number * agents, (number + 1) * agents)
            episode.into = self.buffers.part(rows)
        self.over = np.zeros(worlds * agents, np.bool_)
        self.chance: list[np.random.Generator | None] = [None] * worlds
        self.seeds: list[int] = [-1] * worlds
        self._steps = CompiledSteps(self.episodes, self.settings, self.buffers, self._counts)
        self._eye = Painter("driver", self.settings.picture_size) if self.layout.has_picture else None

    @property
    def actions(self) -> gymnasium.Space[Any]:
        """The space of one agent's actions."""
        return self.episodes[0].actions.space

    def reset(self, number: int, seed: int | None = None, given: int | None = None) -> None:
        """Begin an episode in one world.

        Args:
            number: of the world.
            seed: of all its further episodes; None goes on with that of before.
            given: seed of the world itself, in place of a drawn one.
        """
        chance = self.chance[number]
        if chance is None or seed is not None:
            chance, self.seeds[number] = seeding.np_random(seed)
            self.chance[number] = chance
        episode = self.episodes[number]
        episode.reset(episode.beginnings.draw(chance) if given is None else given)
        agents = self.settings.agents
        self.over[number * agents : (number + 1) * agents] = False

    def restore(self, number: int, moment: EpisodeMoment) -> None:
        """Take one world back to a moment of it or of another one."""
        self.episodes[number].restore(moment)
        agents = self.settings.agents
        self.over[number * agents : (number + 1) * agents] = moment.over

    def step(self, actions: Actions, only: Sequence[int] | NDArray[np.int64]) -> None:
        """Go on by a step.

        Args:
            actions: of all agents, one by one or `(N * A, 2)`; of those whose episode is over they do not count.
            only: numbers of the worlds that go on, ascending.
        """
        self._steps.step(actions, self.over, np.asarray(only, np.int64))

    def numbers(self, actions: Any) -> NDArray[np.float64] | None:
        """`(N * A, 2)` actions of all agents as compiled code takes them; None where it does not."""
        if self.settings.actions == "lanes":
            return None
        try:
            return np.ascontiguousarray(actions, np.float64).reshape(len(self.over), 2)
        except (TypeError, ValueError):
            return None

    def ended(self) -> tuple[Flags, Flags]:
        """`(N * A,)` whether the last step ended an agent's episode, and whether that was cut off for all."""
        terminated: Flags = (self.buffers.event & self.episodes[0].end_events) != 0
        first, limit = self.episodes[0].world, self.settings.max_steps
        if first is None or first.start.storyboard is not None:
            cut = np.array([episode.world is not None and episode.is_truncated for episode in self.episodes])
        else:
            cut = (self._counts[:, 0] >= limit) & (limit > 0)
        return terminated, np.repeat(cut, self.settings.agents)

    def masks(self) -> NDArray[np.int8]:
        """`(N * A, n)` what each agent can do."""
        actions = self.episodes[0].actions
        if isinstance(actions, DiscreteActions):
            return actions.masks(self._steps.speeds()[0].reshape(-1))
        return np.array([mask for episode in self.episodes for mask in episode.masks()])

    def pictures(self, rows: Sequence[int] | None = None) -> NDArray[np.uint8] | None:
        """`(n, H, W, 3)` what agents see; None where the settings want none."""
        if self._eye is None:
            return None
        wanted = range(len(self.over)) if rows is None else rows
        agents, found = self.settings.agents, []
        for row in wanted:
            episode = self.episodes[row // agents]
            assert episode.world is not None
            found.append(self._eye.picture(episode.world, episode.ids[row % agents]))
        return np.array(found)

    def infos(self) -> dict[str, Any]:
        """What there is to know of the last step, each an array `(N * A,)`."""
        term, event = self.buffers.term, self.buffers.event
        found: dict[str, Any] = {"reward_terms": {name: term[:, k].copy() for k, name in enumerate(TERM_NAMES)}}
        for name, code in EVENT_CODES.items():
            found[name] = (event & code) != 0
        speed, time = self._steps.speeds()
        found["travelled"] = self._state[:, AgentState.at.travelled].flatten()
        found["offset"] = self._state[:, AgentState.at.offset].flatten()
        found["speed"] = speed.flatten()
        found["time"] = np.repeat(time * 1e-9, self.settings.agents)
        found["world_seed"] = np.repeat(self._counts[:, 1], self.settings.agents)
        found["is_success"] = found["arrival"].copy()
        if self.mask_width:
            found[MASK] = self.masks()
        return found

    def close(self) -> None:
        """Finish recordings and let go of threads."""
        for episode in self.episodes:
            episode.close()
        self._steps.close()
