"""The vector environment: many worlds with an agent each, stepped by one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, iterate
from numpy.typing import NDArray

from dorosim.ground.error import InputError
from dorosim.gym.compiled_steps import Actions, Flags
from dorosim.gym.episode import EpisodeMoment, given_world_seed
from dorosim.gym.episodes import EpisodeSet
from dorosim.gym.observation import Observation
from dorosim.gym.picture import RENDER_SIZE, Painter
from dorosim.gym.setting import RENDER_MODES

VECTOR_OPTIONS = ("reset_mask", "world_seeds")


class DrivingVectorEnv(VectorEnv[Any, Any, Any]):
    """Many worlds with an agent each; every one has the same bits as a `DrivingEnv` with its seed.

    Infos are arrays with a row a world, and a mask of the name with "_" before it.

    Args:
        num_envs: how many worlds.
        kind: as of `DrivingEnv`.
        autoreset_mode: what becomes of a world whose episode is over: an `AutoresetMode` or its value.
        render_mode: "rgb_array" or None.
        settings: see `EnvSettings`; `threads` step the worlds.

    Raises:
        InputError: a setting is wrong, or a file that it names.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        num_envs: int = 1,
        kind: str = "Town",
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        if settings.get("agents", 1) != 1:
            problem = "a vector environment has one agent a world"
            raise InputError("environment", "agents", problem, "use dorosim.gym.AgentPool for more")
        if render_mode is not None and (render_mode not in RENDER_MODES or render_mode == "human"):
            problem = f"there is no {render_mode!r} of a vector environment"
            raise InputError("environment", "render_mode", problem, "use rgb_array")
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = ", ".join(mode.value for mode in AutoresetMode)
            problem = f"there is no {autoreset_mode!r}"
            raise InputError("environment", "autoreset_mode", problem, f"use {modes}") from None
        self.set = EpisodeSet(kind, num_envs, settings)
        self.num_envs, self.render_mode = num_envs, render_mode
        fps = round(1.0 / self.set.settings.step_s)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode, "render_fps": fps}
        self.single_observation_space, self.single_action_space = self.set.layout.space, self.set.actions
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._painter: Painter | None = None

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin episodes.

        Args:
            seed: of the first world, the others have those after it; or of each.
            options: "reset_mask": `(N,)` worlds that begin anew while the others stay; "world_seeds": of each world,
                in place of drawn ones.

        Raises:
            InputError: there is no such option, or it has another length.
        """
        given = dict(options or {})
        for name in given:
            if name not in VECTOR_OPTIONS:
                problem = "is no option"
                raise InputError("environment", f"options[{name!r}]", problem, f"use {', '.join(VECTOR_OPTIONS)}")
        count = self.num_envs
        if seed is None or isinstance(seed, int | np.integer):
            seeds: list[int | None] = [None if seed is None else int(seed) + number for number in range(count)]
        else:
            seeds = list(seed)
        mask = np.asarray(given.get("reset_mask", np.ones(count, np.bool_)))
        worlds = given.get("world_seeds", [None] * count)
        for name, values in (("seed", seeds), ("reset_mask", mask), ("world_seeds", worlds)):
            if len(values) != count:
                raise InputError("environment", name, f"has {len(values)} values for {count} worlds", "give one each")
        if mask.dtype != np.bool_ or not mask.any():
            raise InputError("environment", "reset_mask", "names no world", "give bools, one of them True")
        for number in np.flatnonzero(mask).tolist():
            self.set.reset(number, seeds[number], given_world_seed(worlds[number]))
        return self._observation(), _masked(self.set.infos(), mask)

    def step(self, actions: Any) -> tuple[Observation, NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Go on by a step: observations, rewards, terminated, truncated, infos.

        Raises:
            ValueError: an action is none of the space, or a world is over that nothing begins anew.
        """
        count, over = self.num_envs, self.set.over
        given: Actions | None = self.set.numbers(actions)
        if given is None:
            given = list(iterate(self.action_space, actions))
            if len(given) != count:
                raise ValueError(f"{len(given)} actions, and there are {count} worlds")
        begin: list[int] = []
        if over.any():
            begin = np.flatnonzero(over).tolist()
            if self.autoreset_mode is AutoresetMode.DISABLED:
                raise ValueError(f"the episodes of worlds {begin} are over: reset them with options reset_mask")
        self.set.step(given, np.flatnonzero(~over))
        for number in begin:
            self.set.reset(number)
        terminated, truncated = self.set.ended()
        rewards = self.set.buffers.reward.copy()
        terminated[begin], truncated[begin], rewards[begin] = False, False, 0.0
        self.set.over[:] = terminated | truncated
        infos = _masked(self.set.infos(), np.ones(count, np.bool_))
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self.set.over.any():
            infos = self._begin_at_once(infos)
        return self._observation(), rewards, terminated, truncated, infos

    def _begin_at_once(self, last: dict[str, Any]) -> dict[str, Any]:
        """Begin worlds anew that are over, and say how they ended: "final_obs" and "final_info"."""
        ended = self.set.over.copy()
        rows = np.flatnonzero(ended).tolist()
        finals = np.full(self.num_envs, None, object)
        pictures, masks = self.set.pictures(rows), self.set.masks() if self.set.mask_width else None
        for place, row in enumerate(rows):
            finals[row] = self.set.layout.observation(
                self.set.buffers.observation[row],
                None if masks is None else masks[row],
                None if pictures is None else pictures[place],
            )
        final_info = _masked({name: value for name, value in last.items() if not name.startswith("_")}, ended)
        for row in rows:
            self.set.reset(row)
        infos = _masked(self.set.infos(), np.ones(self.num_envs, np.bool_))
        return {**infos, "final_obs": finals, "_final_obs": ended, "final_info": final_info, "_final_info": ended}

    def snapshot(self, number: int) -> EpisodeMoment:
        """One world as it is, to go back to, here or in another environment with the same settings."""
        return self.set.episodes[number].moment()

    def restore(self, number: int, moment: EpisodeMoment) -> Observation:
        """Take one world back to a moment, of its own or of another one; what all agents perceive then."""
        self.set.restore(number, moment)
        return self._observation()

    def action_masks(self) -> NDArray[np.bool_]:
        """`(N, n)` what can be done now, of discrete actions."""
        return self.set.masks().astype(np.bool_)

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """A picture of each world in the mode "rgb_array"."""
        if self.render_mode != "rgb_array":
            return None
        if self._painter is None:
            self._painter = Painter("chase", RENDER_SIZE)
        found = []
        for episode in self.set.episodes:
            assert episode.world is not None
            found.append(self._painter.picture(episode.world, episode.ids[0]))
        return tuple(found)

    def close_extras(self, **_: Any) -> None:
        """Finish recordings and let go of threads."""
        self.set.close()

    def _observation(self) -> Observation:
        masks = self.set.masks() if self.set.settings.masks and self.set.mask_width else None
        return self.set.layout.batch(self.set.buffers.observation, masks, self.set.pictures())


def _masked(infos: Mapping[str, Any], mask: Flags) -> dict[str, Any]:
    """Infos with the mask of whose they are beside each, in dicts within them, too."""
    found: dict[str, Any] = {}
    for name, value in infos.items():
        inner = {key: one for key, one in value.items() if not key.startswith("_")} if isinstance(value, dict) else None
        found[name] = value if inner is None else _masked(inner, mask)
        found[f"_{name}"] = mask.copy()
    return found
