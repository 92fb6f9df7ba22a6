"""Environments of Gymnasium and PettingZoo; importing this registers those of Gymnasium.

    import gymnasium
    env = gymnasium.make("dorosim.gym:dorosim/Town-v0", vehicles=40)

It needs the extra `gym`: `pip install dorosim[gym]`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

try:
    import gymnasium
except ImportError as _error:
    raise ImportError("dorosim.gym needs Gymnasium: pip install 'dorosim[gym]'") from _error

if TYPE_CHECKING:
    from dorosim.gym.env import DrivingEnv
    from dorosim.gym.episode import EpisodeMoment
    from dorosim.gym.parallel import parallel_env, raw_env
    from dorosim.gym.pool import AgentPool
    from dorosim.gym.ray import RayMultiAgentEnv as RayMultiAgentEnv
    from dorosim.gym.setting import EnvSettings
    from dorosim.gym.stable import StableVecEnv as StableVecEnv
    from dorosim.gym.vector import DrivingVectorEnv

NAMES = ("Town", "Motorway", "Parking", "Intersection", "Scenario")
"""Of the environments; `dorosim/Town-v0` is the first."""

_PLACES = {
    "DrivingEnv": "env",
    "DrivingVectorEnv": "vector",
    "EnvSettings": "setting",
    "EpisodeMoment": "episode",
    "parallel_env": "parallel",
    "raw_env": "parallel",
    "StableVecEnv": "stable",
    "RayMultiAgentEnv": "ray",
    "AgentPool": "pool",
}
"""Where what the package gives is, by name: what needs other packages is loaded when it is asked for.

`StableVecEnv` and `RayMultiAgentEnv` are not in `__all__`, which has to be there without those packages.
"""

__all__ = [
    "NAMES",
    "AgentPool",
    "DrivingEnv",
    "DrivingVectorEnv",
    "EnvSettings",
    "EpisodeMoment",
    "parallel_env",
    "raw_env",
    "register_environments",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)


def register_environments() -> None:
    """Register the environments with Gymnasium, where they are not yet."""
    for name in NAMES:
        known = f"dorosim/{name}-v0"
        if known not in gymnasium.registry:
            gymnasium.register(
                id=known,
                entry_point="dorosim.gym.env:DrivingEnv",
                vector_entry_point="dorosim.gym.vector:DrivingVectorEnv",
                kwargs={"kind": name},
            )


register_environments()
