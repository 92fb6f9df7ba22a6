"""The vector environment as Stable-Baselines3 takes it; it needs stable-baselines3, which dorosim does not install."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from dorosim.gym.vector import DrivingVectorEnv

try:
    from stable_baselines3.common.vec_env.base_vec_env import VecEnv
except ImportError as _error:
    raise ImportError("StableVecEnv needs Stable-Baselines3: pip install stable-baselines3") from _error


class StableVecEnv(VecEnv):  # type: ignore[misc]
    """Many worlds with an agent each, for `PPO("MlpPolicy", StableVecEnv("Town", 16))` and the like.

    Args:
        kind: as of `DrivingEnv`.
        num_envs: how many worlds.
        settings: see `EnvSettings`, and `render_mode`.
    """

    def __init__(self, kind: str = "Town", num_envs: int = 8, **settings: Any) -> None:
        self.vector = DrivingVectorEnv(num_envs, kind, autoreset_mode=AutoresetMode.SAME_STEP, **settings)
        self.render_mode = self.vector.render_mode
        super().__init__(num_envs, self.vector.single_observation_space, self.vector.single_action_space)
        self._waiting: Any = None

    def reset(self) -> Any:
        """Begin an episode in every world; seeds and options are those of `seed` and `set_options`."""
        seeds = [None if one is None else int(one) for one in self._seeds]
        observations, infos = self.vector.reset(seed=seeds)
        self.reset_infos = [_info_of(infos, row) for row in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Note the actions of the next step."""
        self._waiting = actions

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Go on by a step: observations, rewards, whether episodes ended, infos."""
        observations, rewards, terminated, truncated, infos = self.vector.step(self._waiting)
        done, found = terminated | truncated, []
        for row in range(self.num_envs):
            info = _info_of(infos["final_info"], row) if done[row] else _info_of(infos, row)
            info["TimeLimit.truncated"] = bool(truncated[row] and not terminated[row])
            if done[row]:
                info["terminal_observation"] = infos["final_obs"][row]
            found.append(info)
        return observations, rewards.astype(np.float32), done, found

    def close(self) -> None:
        """Finish recordings and let go of threads."""
        self.vector.close()

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """A picture of each world in the render mode "rgb_array"."""
        return self.vector.render() or [None] * self.num_envs

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """An attribute of the vector environment, once for each world that is asked for."""
        return [getattr(self.vector, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:  # noqa: ARG002
        """Refuse: worlds share their settings.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(f"{attr_name} cannot be set: the worlds of this environment share their settings")

    def env_method(
        self, method_name: str, *arguments: Any, indices: int | Iterable[int] | None = None, **named: Any
    ) -> list[Any]:
        """Call a method for each world: "action_masks", or "snapshot" and "restore", which get its number.

        Raises:
            AttributeError: there is no such method of single worlds.
        """
        rows = list(self._get_indices(indices))
        if method_name == "action_masks":
            masks = self.vector.action_masks()
            return [masks[row] for row in rows]
        if method_name in ("snapshot", "restore"):
            return [getattr(self.vector, method_name)(row, *arguments, **named) for row in rows]
        raise AttributeError(f"no world has {method_name}: there are action_masks, snapshot and restore")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: int | Iterable[int] | None = None) -> list[bool]:  # noqa: ARG002
        """No world has a wrapper."""
        return [False for _ in self._get_indices(indices)]


def _info_of(infos: dict[str, Any], row: int) -> dict[str, Any]:
    """The info of one world, of arrays with a row a world."""
    skipped = ("final_obs", "final_info")
    found: dict[str, Any] = {}
    for name, value in infos.items():
        if not name.startswith("_") and name not in skipped:
            found[name] = _info_of(value, row) if isinstance(value, dict) else value[row]
    return found
