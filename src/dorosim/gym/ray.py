"""The agents of one world as RLlib takes them; it needs ray[rllib], which dorosim does not install."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dorosim.gym.action import Action
from dorosim.gym.crew import Crew

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ImportError as _error:
    raise ImportError("RayMultiAgentEnv needs RLlib: pip install 'ray[rllib]'") from _error

_ALL = "__all__"


class RayMultiAgentEnv(MultiAgentEnv):  # type: ignore[misc]
    """Vehicles in one world, each an agent: `config.environment(RayMultiAgentEnv, env_config={"kind": "Town"})`.

    Args:
        config: "kind", as of `DrivingEnv`, and settings, see `EnvSettings`.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        given = dict(config or {})
        self.crew = Crew(given.pop("kind", "Town"), given)
        self.possible_agents = list(self.crew.names)
        self.agents: list[str] = list(self.possible_agents)
        self.observation_spaces, self.action_spaces = self.crew.observation_spaces, self.crew.action_spaces

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode; see `DrivingEnv.reset`."""
        found = self.crew.reset(seed, options)
        self.agents = list(self.crew.active)
        return found

    def step(
        self, action_dict: Mapping[str, Action]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Go on by a step, with an action of every agent that goes on."""
        observations, rewards, terminated, truncated, infos = self.crew.step(action_dict)
        self.agents = list(self.crew.active)
        cut = bool(truncated) and all(truncated.values())
        over = not self.agents
        return (
            observations,
            rewards,
            {**terminated, _ALL: over and not cut},
            {**truncated, _ALL: over and cut},
            infos,
        )

    def close(self) -> None:
        """Finish a recording, and let go of threads."""
        self.crew.close()
