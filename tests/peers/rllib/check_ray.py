"""RLlib drives and learns with every car an agent; prints what it found as JSON."""

from __future__ import annotations

import json
import os

import gymnasium
import numpy as np

os.environ.setdefault("RAY_raylet_start_wait_time_s", "60")  # a machine may have other work
os.environ.setdefault("RAY_AUTH_MODE", "disabled")  # it is alone on this machine
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from dorosim.gym import RayMultiAgentEnv

CONFIG = {"kind": "Town", "map": "village", "vehicles": 2, "agents": 3, "max_steps": 20}


def rollout(seed: int) -> tuple[list[float], bool]:
    """Rewards of an episode, and whether it was cut off."""
    env = RayMultiAgentEnv(CONFIG)
    env.reset(seed=seed)
    stream, rewards = np.random.default_rng(0), []
    while True:
        action = {name: stream.uniform(-1.0, 1.0, 2).astype(np.float32) for name in env.agents}
        _, reward, terminated, truncated, _ = env.step(action)
        rewards += reward.values()
        if terminated["__all__"] or truncated["__all__"]:
            env.close()
            return rewards, truncated["__all__"]


def main() -> None:
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, configure_logging=False)
    config = (
        PPOConfig()
        .environment(RayMultiAgentEnv, env_config=CONFIG)
        .env_runners(num_env_runners=0)
        .multi_agent(policies={"driver"}, policy_mapping_fn=lambda *_, **__: "driver")
        .training(train_batch_size=120, minibatch_size=60, num_epochs=1)
    )
    algorithm = config.build_algo()
    steps = 0
    for _ in range(2):
        found = algorithm.train()
        steps = int(found["num_env_steps_sampled_lifetime"])
    algorithm.stop()
    ray.shutdown()
    first, cut = rollout(3)
    print(
        json.dumps(
            {
                "gymnasium": gymnasium.__version__,
                "is_theirs": isinstance(RayMultiAgentEnv(CONFIG), MultiAgentEnv),
                "same": rollout(3)[0] == first,
                "cut": bool(cut),
                "steps": steps,
            }
        )
    )


if __name__ == "__main__":
    main()
