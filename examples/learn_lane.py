"""Learn to keep the lane and to stop at red lights: PPO of Stable-Baselines3 on the town's streets.

    pip install 'dorosim[gym]' stable-baselines3
    python examples/learn_lane.py --steps 300000 --save lane.zip
    python examples/learn_lane.py --play lane.zip --record runs

The second line prints how the learnt driver does on streets and seeds that it has not seen, and records the episodes,
for `dorosim video runs/episode-000001-seed-*.rec`.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor

from dorosim.gym import DrivingEnv, StableVecEnv

SETTINGS: dict[str, Any] = {
    "map": "town",
    "vehicles": 0,
    "actions": "velocity",
    "observations": ("ego", "road", "lights"),
    "road_points": 12,
    "max_speed": 15.0,
    "max_curvature": 0.15,
    "max_steps": 400,
    "way_length": 600.0,
    "start_speed": 5.0,
    "rewards": {"progress": 0.5, "red_light": -20.0},
}


class Progress(BaseCallback):  # type: ignore[misc]
    """Prints the mean reward of the last episodes, and ends the learning after a time."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds, self.begun = seconds, time.monotonic()
        self.curve: list[tuple[int, float]] = []

    def _on_step(self) -> bool:
        return time.monotonic() - self.begun < self.seconds

    def _on_rollout_end(self) -> None:
        if self.model.ep_info_buffer:
            mean = float(np.mean([one["r"] for one in self.model.ep_info_buffer]))
            self.curve.append((self.num_timesteps, mean))
            print(
                f"{self.num_timesteps:>9,} steps, {time.monotonic() - self.begun:5.0f} s: reward {mean:8.2f}",
                flush=True,
            )


def learn(steps: int, seconds: float, worlds: int, seed: int, threads: int) -> tuple[PPO, list[tuple[int, float]]]:
    env = VecMonitor(StableVecEnv("Town", worlds, threads=threads, **SETTINGS))
    env.seed(seed)
    model = PPO(
        "MlpPolicy",
        env,
        seed=seed,
        n_steps=256,
        batch_size=512,
        n_epochs=6,
        learning_rate=5e-4,
        gamma=0.98,
        device="cpu",
        policy_kwargs={"net_arch": [128, 128], "log_std_init": -0.7},
    )
    progress = Progress(seconds)
    try:
        model.learn(steps, callback=progress)
    finally:
        env.close()
    return model, progress.curve


def play(model: PPO, episodes: int, seed: int, record: str | None) -> float:
    """Drive episodes with seeds of their own; returns the share that ends without an event but for the arrival."""
    env = DrivingEnv("Town", record=record, **SETTINGS)
    good = 0
    for episode in range(episodes):
        observation, info = env.reset(seed=seed + episode)
        total, over = 0.0, False
        while not over:
            action, _ = model.predict(observation, deterministic=True)
            observation, reward, terminated, truncated, info = env.step(action)
            total, over = total + reward, terminated or truncated
        events = [name for name in ("collision", "off_road", "red_light", "arrival") if info[name]]
        good += not set(events) - {"arrival"}
        how = ", ".join(events) or "time is over"
        print(f"episode {episode + 1}: reward {total:7.2f} after {info['time']:5.1f} s: {how}")
    env.close()
    return good / episodes


def export(model: PPO, file: str) -> None:
    """Write the layers of a policy as numpy arrays: `tanh` after each but the last gives the mean of the action."""
    policy = model.policy
    layers = [one for one in (*policy.mlp_extractor.policy_net, policy.action_net) if hasattr(one, "weight")]
    arrays = {}
    for number, layer in enumerate(layers):
        arrays[f"weight_{number}"] = layer.weight.detach().numpy()
        arrays[f"bias_{number}"] = layer.bias.detach().numpy()
    np.savez_compressed(file, **arrays)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=300_000, help="of all worlds together")
    parser.add_argument("--seconds", type=float, default=900.0, help="learn no longer than this")
    parser.add_argument("--worlds", type=int, default=16)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", help="file for the learnt policy")
    parser.add_argument("--export", help="file for its layers as numpy arrays (.npz)")
    parser.add_argument("--play", help="file of a learnt policy, which is not learnt further")
    parser.add_argument("--episodes", type=int, default=5, help="that are driven at the end")
    parser.add_argument("--record", help="folder for recordings of these")
    asked = parser.parse_args()
    if asked.play:
        model = PPO.load(asked.play, device="cpu")
    else:
        model, _ = learn(asked.steps, asked.seconds, asked.worlds, asked.seed, asked.threads)
        if asked.save:
            model.save(asked.save)
    if asked.export:
        export(model, asked.export)
    good = play(model, asked.episodes, 10_000, asked.record)
    print(f"{100.0 * good:.0f} % of {asked.episodes} episodes without a collision, a red light or leaving the road")


if __name__ == "__main__":
    main()
