"""The environment of one agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from dorosim.ground.error import InputError
from dorosim.gym.action import Action, Mask
from dorosim.gym.episode import Episode, EpisodeMoment, given_world_seed
from dorosim.gym.kind import EnvKind, kind_named, task_of
from dorosim.gym.observation import Observation, ObservationLayout, parts_of
from dorosim.gym.page import LiveView
from dorosim.gym.picture import RENDER_SIZE, Painter
from dorosim.gym.setting import RENDER_MODES, EnvSettings, check_full, settings_of
from dorosim.sensor.agent.agents import AgentBuffers

OPTIONS = ("world_seed", "moment")
"""What `reset(options=...)` takes: the seed of the world in place of a drawn one, or a moment to go on from."""


class DrivingEnv(gymnasium.Env[Any, Any]):
    """One vehicle that a program drives in a world of others.

    Args:
        kind: of environment: "Town", "Motorway", "Parking", "Intersection" or "Scenario".
        render_mode: "rgb_array", or "human", which prints where the live page is.
        settings: see `EnvSettings`.

    Raises:
        InputError: a setting is wrong, or a file that it names.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 10}  # noqa: RUF012 - as Gymnasium has it

    def __init__(self, kind: str = "Town", *, render_mode: str | None = None, **settings: Any) -> None:
        found: EnvKind = kind_named(kind)
        self.settings: EnvSettings = settings_of(found.usual, settings)
        if self.settings.agents != 1:
            raise InputError("environment", "agents", "an Env has one agent", "use dorosim.gym.parallel_env for more")
        check_full(self.settings)
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise InputError("environment", "render_mode", f"there is no {render_mode!r}", "use rgb_array or human")
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_fps": round(1.0 / self.settings.step_s)}
        self.task = task_of(found, self.settings)
        self._into = AgentBuffers.empty(1, 0)
        self.episode = Episode(self.task, self.settings, self._into)
        self.layout = ObservationLayout(self.settings, parts_of(self.episode.shape), self.episode.mask_width)
        self._into = AgentBuffers.empty(1, self.layout.width)
        self.episode.into = self._into
        self.action_space = self.episode.actions.space
        self.observation_space = self.layout.space
        self._eye = Painter("driver", self.settings.picture_size) if self.layout.has_picture else None
        self._painter: Painter | None = None
        self._view = LiveView(self.settings.speed) if render_mode == "human" else None

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: of all further episodes; None goes on with that of before.
            options: see `OPTIONS`.

        Raises:
            InputError: there is no such option.
        """
        super().reset(seed=seed)
        given = dict(options or {})
        for name in given:
            if name not in OPTIONS:
                raise InputError("environment", f"options[{name!r}]", "is no option", f"use {', '.join(OPTIONS)}")
        moment = given.get("moment")
        if moment is not None:
            self.restore(moment)
        else:
            seed_of_world = given_world_seed(given.get("world_seed"))
            drawn = self.episode.beginnings.draw(self.np_random) if seed_of_world is None else seed_of_world
            self.episode.reset(drawn)
            self._begin_view()
        return self._observation(), self.episode.info(0)

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Go on by a step: observation, reward, terminated, truncated, info.

        Raises:
            ValueError: the action is none of the space.
            gymnasium.error.ResetNeeded: there was no reset.
        """
        episode = self.episode
        if episode.world is None:
            raise gymnasium.error.ResetNeeded("call reset before the first step")
        since = episode.step(episode.commands((action,)))
        into = self._into
        terminated = bool(into.event.item(0) & episode.end_events)
        if self._view is not None:
            self._view.show(episode.world, since)
        return self._observation(), into.reward.item(0), terminated, episode.is_truncated, episode.info(0)

    def action_masks(self) -> NDArray[np.bool_]:
        """`(n,)` what can be done now, of discrete actions; empty for continuous ones."""
        return self.episode.mask(0).astype(np.bool_)

    def snapshot(self) -> EpisodeMoment:
        """The environment as it is, to go back to with `restore`, here or in another one with the same settings.

        Raises:
            gymnasium.error.ResetNeeded: there was no reset.
        """
        return self.episode.moment()

    def restore(self, moment: EpisodeMoment) -> tuple[Observation, dict[str, Any]]:
        """Go back to a moment, and say what the agent perceives there.

        Raises:
            InputError: it is none, or one of another map or number of agents.
        """
        self.episode.restore(moment)
        self._begin_view()
        return self._observation(), self.episode.info(0)

    def render(self) -> NDArray[np.uint8] | None:
        """A picture `(H, W, 3)` from behind the vehicle in the mode "rgb_array".

        Raises:
            gymnasium.error.ResetNeeded: there was no reset.
        """
        if self.render_mode != "rgb_array":
            return None
        if self.episode.world is None:
            raise gymnasium.error.ResetNeeded("call reset before render")
        if self._painter is None:
            self._painter = Painter("chase", RENDER_SIZE)
        return self._painter.picture(self.episode.world, self.episode.ids[0])

    def close(self) -> None:
        """Finish a recording, and let go of the page."""
        self.episode.close()
        if self._view is not None:
            self._view.close()

    def _begin_view(self) -> None:
        if self._view is not None:
            assert self.episode.world is not None
            self._view.begin(self.episode.world)

    def _observation(self) -> Observation:
        mask: Mask | None = self.episode.mask(0) if self.settings.masks and self.episode.mask_width else None
        picture = None
        if self._eye is not None:
            assert self.episode.world is not None
            picture = self._eye.picture(self.episode.world, self.episode.ids[0])
        return self.layout.observation(self._into.observation[0], mask, picture)
