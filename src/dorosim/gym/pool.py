"""Agents of many worlds in flat buffers that are written in place, as PufferLib and loops of one's own want them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from gymnasium.vector.utils import batch_space, iterate
from numpy.typing import NDArray

from dorosim.ground.error import InputError
from dorosim.gym.compiled_steps import Actions, Flags
from dorosim.gym.episodes import EpisodeSet
from dorosim.gym.kinematic import KinematicSet

POOL_BUFFERS = ("observations", "rewards", "terminals", "truncations", "masks", "actions")

Step = tuple[NDArray[np.float32], NDArray[np.float32], Flags, Flags, list[dict[str, Any]]]


class AgentPool:
    """Worlds with agents each, of which every agent is a row of the buffers.

    A world begins anew in the step in which the episode of its last agent ends; until then those whose episode is over
    have False in `masks`, and their actions do not count. With the setting `respawn` each kinematic agent begins anew
    by itself. It has the attributes and calls of a native environment of
    PufferLib (`pufferlib.PufferEnv`), and does not need it.

    Args:
        kind: as of `DrivingEnv`.
        worlds: how many. agents: of each.
        buf: arrays to write into, by the names in `POOL_BUFFERS`, or an object that has them; None for own ones.
        settings: see `EnvSettings`; observations are flat.

    Raises:
        InputError: a setting is wrong, or a buffer has another shape or type.

    Attributes:
        num_agents: rows of the buffers.
        observations: `(n, floats)` float32. rewards: `(n,)` float32.
        terminals, truncations, masks: `(n,)` bool. actions: `(n, ...)` as the space has them.
    """

    emulated = False
    done = False

    def __init__(
        self, kind: str = "Town", worlds: int = 1, *, agents: int = 1, buf: Any = None, **settings: Any
    ) -> None:
        if not settings.get("flat", True):
            raise InputError("environment", "flat", "buffers are flat", "leave it at True")
        given, self._kinematic = {"agents": agents, **settings}, None
        self.set: EpisodeSet | KinematicSet
        if settings.get("dynamics") == "kinematic":
            self.set = self._kinematic = KinematicSet(kind, worlds, given)
        else:
            self.set = EpisodeSet(kind, worlds, given)
        self.num_agents = self.agents_per_batch = worlds * agents
        self.single_observation_space, self.single_action_space = self.set.layout.space, self.set.actions
        self.observation_space = batch_space(self.single_observation_space, self.num_agents)
        self.action_space = batch_space(self.single_action_space, self.num_agents)
        own = self._own_buffers()
        for name in POOL_BUFFERS:
            setattr(self, name, own[name] if buf is None else _given(buf, name, own[name]))
        if self._kinematic is not None and self.observations.flags.c_contiguous:
            # they are written where they are to be
            self._kinematic.use(self.observations)
        self._ended: Step | None = None

    observations: NDArray[np.float32]
    rewards: NDArray[np.float32]
    terminals: Flags
    truncations: Flags
    masks: Flags
    actions: NDArray[Any]

    def _own_buffers(self) -> dict[str, NDArray[Any]]:
        count, space = self.num_agents, self.single_action_space
        flags = (np.zeros(count, np.bool_) for _ in range(3))
        shape = () if space.shape is None else space.shape
        return {
            "observations": np.zeros((count, *(self.single_observation_space.shape or ())), np.float32),
            "rewards": np.zeros(count, np.float32),
            "terminals": next(flags),
            "truncations": next(flags),
            "masks": next(flags),
            "actions": np.zeros((count, *shape), space.dtype),
        }

    @property
    def driver_env(self) -> Self:
        """The environment itself, as PufferLib asks for it."""
        return self

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.float32], list[dict[str, Any]]]:
        """Begin an episode in every world.

        Args:
            seed: of the first world, the others have those after it; None goes on with those of before.
        """
        seeds = [None if seed is None else seed + number for number in range(len(self.set.episodes))]
        if self._kinematic is not None:
            for number, one in enumerate(seeds):
                self._kinematic.draw(number, one)
            self._kinematic.begin(range(len(seeds)))
        else:
            for number, one in enumerate(seeds):
                self.set.reset(number, one)
        self.rewards[:], self.terminals[:], self.truncations[:], self.masks[:] = 0.0, False, False, True
        self._write()
        return self.observations, []

    def step(self, actions: Any) -> Step:
        """Go on by a step, and write the buffers, which are returned.

        Args:
            actions: `(n, ...)`, one of each agent.

        Returns:
            observations, rewards, terminals, truncations, and a dict about each episode that ended.
        """
        if isinstance(self.set, KinematicSet):
            return self._step_kinematic(self.set, actions)
        agents, over, work = self.set.settings.agents, self.set.over, self.set
        given: Actions | None = work.numbers(actions)
        if given is None:
            given = list(iterate(self.action_space, actions))
            if len(given) != self.num_agents:
                raise ValueError(f"{len(given)} actions, and there are {self.num_agents} agents")
        work.step(given, range(len(work.episodes)))
        terminated, truncated = work.ended()
        self.rewards[:] = np.where(over, 0.0, work.buffers.reward)
        self.terminals[:], self.truncations[:] = terminated & ~over, truncated & ~over
        self.masks[:] = ~over
        infos = [
            work.episodes[row // agents].info(row % agents)
            for row in np.flatnonzero((terminated | truncated) & ~over).tolist()
        ]
        over |= terminated | truncated
        for number, episode in enumerate(work.episodes):
            rows = slice(number * agents, (number + 1) * agents)
            episode.over[:] = over[rows]
            if over[rows].all():
                work.reset(number)
        self._write()
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def _step_kinematic(self, work: KinematicSet, actions: Any) -> Step:
        """As `step`: flags come from compiled code, and worlds whose last agent is done begin anew together."""
        work.step(np.asarray(actions))
        self.rewards[:], self.masks[:] = work.out.reward, work.mask
        self.terminals[:], self.truncations[:] = work.terminated, work.truncated
        infos = [work.info(row) for row in np.flatnonzero(work.terminated | work.truncated).tolist()]
        ended = np.flatnonzero(work.over.reshape(len(work.episodes), -1).all(axis=1)).tolist() if infos else []
        if ended:
            for number in ended:
                work.draw(number)
            work.begin(ended)
        self._write()
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def async_reset(self, seed: int | None = None) -> None:
        """Begin an episode in every world; `recv` has what comes of it."""
        observations, infos = self.reset(seed)
        self._ended = (observations, self.rewards, self.terminals, self.truncations, infos)

    def send(self, actions: Any) -> None:
        """Go on by a step; `recv` has what comes of it."""
        self._ended = self.step(actions)

    def recv(self) -> tuple[Any, ...]:
        """What came of `send` or `async_reset`, then ids of the agents and `masks`.

        Raises:
            ValueError: neither was called.
        """
        if self._ended is None:
            raise ValueError("call async_reset or send before recv")
        return (*self._ended, np.arange(self.num_agents), self.masks)

    def close(self) -> None:
        """Finish recordings and let go of threads."""
        self.set.close()

    def _write(self) -> None:
        if self.set.buffers.observation is self.observations:
            return
        found = self.set.layout.batch(self.set.buffers.observation)
        assert not isinstance(found, dict)
        self.observations[:] = found


def _given(buf: Any, name: str, own: NDArray[Any]) -> NDArray[Any]:
    """A buffer that the caller gives.

    Raises:
        InputError: it is missing, or has another shape or type.
    """
    found = buf.get(name) if isinstance(buf, Mapping) else getattr(buf, name, None)
    if not isinstance(found, np.ndarray) or found.shape != own.shape or found.dtype != own.dtype:
        what = f"{found.shape} {found.dtype}" if isinstance(found, np.ndarray) else type(found).__name__
        raise InputError("environment", f"buf.{name}", f"is {what}", f"give an array {own.shape} {own.dtype}")
    return found
