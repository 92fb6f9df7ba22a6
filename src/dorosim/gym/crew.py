"""Agents by name in one world: what PettingZoo and RLlib have in common."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from dorosim.ground.error import InputError
from dorosim.gym.action import Action
from dorosim.gym.episode import EpisodeMoment, given_world_seed
from dorosim.gym.episodes import EpisodeSet
from dorosim.gym.kinematic import KinematicMoment, KinematicSet
from dorosim.gym.observation import Observation
from dorosim.gym.page import LiveView
from dorosim.gym.picture import RENDER_SIZE, Painter

USUAL_AGENTS = 8


class Crew:
    """The agents of one world, by name; those whose episode is over are left out from the next step on.

    Args:
        kind: as of `DrivingEnv`.
        settings: see `EnvSettings`; there are 8 agents where it does not say.
        live: whether a live page shows them.

    Attributes:
        names: of all agents. active: of those whose episode goes on.
    """

    def __init__(self, kind: str, settings: dict[str, Any], *, live: bool = False) -> None:
        given = {"agents": USUAL_AGENTS, **settings}
        self.set: EpisodeSet | KinematicSet
        if settings.get("dynamics") == "kinematic":
            self.set = KinematicSet(kind, 1, given)
            if self.set.settings.respawn:
                raise InputError("environment", "respawn", "agents leave this environment", "use AgentPool")
            if live:
                problem = "kinematic agents are in no world that a page shows"
                raise InputError("environment", "render_mode", problem, "leave it out")
        else:
            self.set = EpisodeSet(kind, 1, given)
        self.names = [f"car_{number}" for number in range(self.set.settings.agents)]
        self.active: list[str] = []
        self.observation_spaces: dict[str, gymnasium.Space[Any]] = {}
        self.action_spaces: dict[str, gymnasium.Space[Any]] = {}
        for name in self.names:
            # each agent has spaces of its own, which are seeded apart
            self.observation_spaces[name] = deepcopy(self.set.layout.space)
            self.action_spaces[name] = deepcopy(self.set.actions)
        self._painter: Painter | None = None
        self._view = LiveView(self.set.settings.speed) if live else None

    def reset(
        self, seed: int | None, options: Mapping[str, Any] | None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin an episode; see `DrivingEnv.reset`. Other options are passed over, as PettingZoo's tests want it."""
        given = dict(options or {})
        if given.get("moment") is not None:
            return self.restore(given["moment"])
        self.set.reset(0, seed, given_world_seed(given.get("world_seed")))
        self.active = list(self.names)
        self._begin_view()
        return self._observations(self.names), self._infos(self.names)

    def step(
        self, actions: Mapping[str, Action]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Go on by a step, with an action of every agent whose episode goes on.

        Raises:
            ValueError: an agent has none, or its episode is over.
        """
        if set(actions) != set(self.active):
            problem = f"there are actions of {sorted(actions)}, and {self.active} go on"
            raise ValueError(problem)
        before = self.active
        world = self.set.episodes[0].world
        since = 0 if world is None else world.now.time
        self.set.step([actions.get(name) for name in self.names], (0,))
        if self._view is not None and world is not None:
            self._view.show(world, since)
        terminated, truncated = self.set.ended()
        self.set.over |= terminated | truncated
        self.set.episodes[0].over[:] = self.set.over
        row = {name: self.names.index(name) for name in before}
        self.active = [name for name in before if not self.set.over[row[name]]]
        return (
            self._observations(before),
            {name: float(self.set.buffers.reward[row[name]]) for name in before},
            {name: bool(terminated[row[name]]) for name in before},
            {name: bool(truncated[row[name]]) for name in before},
            self._infos(before),
        )

    def moment(self) -> EpisodeMoment | KinematicMoment:
        """The environment as it is."""
        return self.set.episodes[0].moment()

    def restore(
        self, moment: EpisodeMoment | KinematicMoment
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Go back to a moment."""
        if isinstance(self.set, KinematicSet):
            if not isinstance(moment, KinematicMoment):
                raise InputError("environment", "moment", "is none of kinematic agents", "use one of this environment")
            self.set.restore(0, moment)
        elif isinstance(moment, EpisodeMoment):
            self.set.restore(0, moment)
        else:
            raise InputError("environment", "moment", "is of kinematic agents", "use one of this environment")
        self.active = [name for name, over in zip(self.names, moment.over, strict=True) if not over]
        self._begin_view()
        return self._observations(self.active), self._infos(self.active)

    def picture(self) -> NDArray[np.uint8]:
        """A picture `(H, W, 3)` from behind the first agent whose episode goes on."""
        episode = self.set.episodes[0]
        if episode.world is None:
            raise gymnasium.error.ResetNeeded("call reset before render; kinematic agents have no pictures")
        if self._painter is None:
            self._painter = Painter("chase", RENDER_SIZE)
        first = self.names.index(self.active[0]) if self.active else 0
        return self._painter.picture(episode.world, episode.ids[first])

    def close(self) -> None:
        """Finish a recording, and let go of threads."""
        self.set.close()
        if self._view is not None:
            self._view.close()

    def _begin_view(self) -> None:
        world = self.set.episodes[0].world
        if self._view is not None and world is not None:
            self._view.begin(world)

    def _observations(self, names: list[str]) -> dict[str, Observation]:
        rows = [self.names.index(name) for name in names]
        pictures, wants_mask = self.set.pictures(rows), self.set.settings.masks and self.set.mask_width > 0
        episode, numbers = self.set.episodes[0], self.set.buffers.observation
        return {
            name: self.set.layout.observation(
                numbers[row],
                episode.mask(row) if wants_mask else None,
                None if pictures is None else pictures[place],
            )
            for place, (name, row) in enumerate(zip(names, rows, strict=True))
        }

    def _infos(self, names: list[str]) -> dict[str, dict[str, Any]]:
        return {name: self.set.episodes[0].info(self.names.index(name)) for name in names}
