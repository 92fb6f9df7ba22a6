"""The environment of PettingZoo in which every car is an agent; it needs pettingzoo, of the extra `gym`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray

from dorosim.ground.error import InputError
from dorosim.gym.action import Action
from dorosim.gym.crew import Crew
from dorosim.gym.episode import EpisodeMoment
from dorosim.gym.kinematic import KinematicMoment
from dorosim.gym.observation import Observation
from dorosim.gym.setting import RENDER_MODES

try:
    from pettingzoo import ParallelEnv
    from pettingzoo.utils import parallel_to_aec
except ImportError as _error:
    raise ImportError("this environment needs PettingZoo: pip install 'dorosim[gym]'") from _error


class CarsParallelEnv(ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """Vehicles in one world, each an agent, with full dynamics beside NPC vehicles and people, or kinematic and alone.

    An agent whose episode is over is left out from the next step on; its vehicle stands.

    Args:
        kind: as of `DrivingEnv`: "Town", "Motorway" or "Intersection".
        render_mode: "rgb_array": from behind the first agent that goes on; "human" prints where the live page is.
        settings: see `EnvSettings`; there are 8 agents where it does not say.

    Raises:
        InputError: a setting is wrong, or a file that it names.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "dorosim_cars_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": True,
        "render_fps": 10,
    }

    def __init__(self, kind: str = "Town", *, render_mode: str | None = None, **settings: Any) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise InputError("environment", "render_mode", f"there is no {render_mode!r}", "use rgb_array or human")
        if render_mode is not None and settings.get("dynamics") == "kinematic":
            problem = "kinematic agents are in no world of which there are pictures"
            raise InputError("environment", "render_mode", problem, "leave it out")
        self.crew = Crew(kind, settings, live=render_mode == "human")
        self.render_mode = render_mode
        self.possible_agents = list(self.crew.names)
        self.agents: list[str] = []
        self.observation_spaces, self.action_spaces = self.crew.observation_spaces, self.crew.action_spaces

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """What an agent perceives; always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """What an agent can do; always the same object."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin an episode; see `DrivingEnv.reset`."""
        found = self.crew.reset(seed, options)
        self.agents = list(self.crew.active)
        return found

    def step(
        self, actions: Mapping[str, Action]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Go on by a step: observations, rewards, terminated, truncated, infos of the agents that acted.

        Raises:
            ValueError: an agent has no action, or its episode is over.
        """
        found = self.crew.step(actions)
        self.agents = list(self.crew.active)
        return found

    def snapshot(self) -> EpisodeMoment | KinematicMoment:
        """The environment as it is, to go back to with `restore`."""
        return self.crew.moment()

    def restore(
        self, moment: EpisodeMoment | KinematicMoment
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Go back to a moment."""
        found = self.crew.restore(moment)
        self.agents = list(self.crew.active)
        return found

    def render(self) -> NDArray[np.uint8] | None:
        """A picture `(H, W, 3)` in the mode "rgb_array"."""
        return self.crew.picture() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Finish a recording, and let go of threads."""
        self.crew.close()


def parallel_env(kind: str = "Town", **settings: Any) -> CarsParallelEnv:
    """The environment in which all agents act at once; arguments as of `CarsParallelEnv`."""
    return CarsParallelEnv(kind, **settings)


def raw_env(kind: str = "Town", **settings: Any) -> Any:
    """The same in which agents act one after the other, and then all move."""
    return parallel_to_aec(parallel_env(kind, **settings))
