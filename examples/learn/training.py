"""Learns a lesson by PPO of Stable-Baselines3, and writes the curve and the policy."""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from policy import DrivingPolicy
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv, VecNormalize
from towns import CAUSES, Lesson, Towns, drive, make_towns

LEARNT_TOWNS = tuple(range(100, 108))
OTHER_TOWNS = tuple(range(900, 905))
"""Seeds of the towns to learn in, and of those to see what was learnt."""
CLIP = 10.0
SPREAD = ((-0.7, -0.9), (-2.0, -2.3))
"""Logarithm of the standard deviation of both parts of an action, at the beginning and at the end."""
COLUMNS = ("steps", "seconds", "processor", "reward", "length", "success", *CAUSES)
"""Of a curve: means over the episodes that ended in a rollout; success: no cause of `CAUSES`."""


class LearningWorlds(VecEnv):  # type: ignore[misc]
    """`Towns` as Stable-Baselines3 takes them; `ended` has how episodes have ended."""

    def __init__(self, towns: Towns) -> None:
        self.towns, self.render_mode = towns, None
        super().__init__(towns.count, towns.space, towns.towns[0].single_action_space)
        self.ended: list[tuple[float, int, str]] = []
        self._total, self._length = np.zeros(towns.count), np.zeros(towns.count, np.int64)

    def reset(self) -> Any:
        """Begin an episode in every world."""
        return self.towns.reset()

    def step_async(self, actions: Any) -> None:
        """Note the actions of the next step."""
        self._waiting = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Go on by a step, and begin anew what is over."""
        observation, reward, terminated, truncated, facts = self.towns.step(self._waiting)
        done = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        self._total += reward
        self._length += 1
        if done.any():
            for row in np.flatnonzero(done).tolist():
                cause = next((name for name in CAUSES if facts[name][row]), "")
                self.ended.append((float(self._total[row]), int(self._length[row]), cause))
                infos[row] = {
                    "terminal_observation": observation[row].copy(),
                    "TimeLimit.truncated": bool(truncated[row] and not terminated[row]),
                }
            self._total[done], self._length[done] = 0.0, 0
            observation[done] = self.towns.begin(done)
        return observation, reward.astype(np.float32), done, infos

    def close(self) -> None:
        """Let go of threads."""
        self.towns.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, once a world."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:  # noqa: ARG002
        """Refuse: worlds have their settings in common."""
        raise AttributeError(f"{attr_name} cannot be set")

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **named: Any) -> list[Any]:  # noqa: ARG002
        """Refuse: single worlds have no methods."""
        raise AttributeError(f"no world has {method_name}")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:  # noqa: ARG002
        """No world has a wrapper."""
        return [False for _ in self._get_indices(indices)]


class LearningCurve(BaseCallback):  # type: ignore[misc]
    """Writes a row for each rollout, and ends the learning after a time."""

    def __init__(self, worlds: LearningWorlds, file: Path, steps: int, seconds: float) -> None:
        super().__init__()
        self._steps = steps
        self._worlds, self._seconds, self._begun = worlds, seconds, time.monotonic()
        self._file = file.open("w", newline="", encoding="utf-8")
        self._rows = csv.writer(self._file, lineterminator="\n")
        self._rows.writerow(COLUMNS)
        self.last: Sequence[float] = ()

    @property
    def seconds(self) -> float:
        """Since the learning began [s]."""
        return time.monotonic() - self._begun

    def _on_rollout_start(self) -> None:
        """Let actions be tried less and less far from what is thought best."""
        gone = max(self.num_timesteps / self._steps, self.seconds / self._seconds)
        with torch.no_grad():
            first, last = torch.tensor(SPREAD[0]), torch.tensor(SPREAD[1])
            self.model.policy.log_std[:] = first + min(gone, 1.0) * (last - first)

    def _on_step(self) -> bool:
        return self.seconds < self._seconds

    def _on_rollout_end(self) -> None:
        ended = self._worlds.ended
        if not ended:
            return
        causes = [one[2] for one in ended]
        shares = [sum(one == name for one in causes) / len(ended) for name in ("", *CAUSES)]
        means = [float(np.mean([one[k] for one in ended])) for k in range(2)]
        ended.clear()
        row = (
            self.num_timesteps,
            round(self.seconds, 1),
            round(time.process_time(), 1),
            *(round(one, 4) for one in (*means, *shares)),
        )
        self._rows.writerow(row)
        self._file.flush()
        faults = ", ".join(f"{name} {100 * one:.0f}" for name, one in zip(CAUSES, row[6:], strict=True))
        print(
            f"{row[0]:>9,} steps, {row[1]:5.0f} s: reward {row[3]:8.2f}, without a mistake {100 * row[5]:3.0f} %"
            f" ({faults})",
            flush=True,
        )

    def _on_training_end(self) -> None:
        self._file.close()


def learn(lesson: Lesson, asked: argparse.Namespace, out: Path) -> DrivingPolicy:
    """Learn a lesson; the curve is written to `out`."""
    torch.set_num_threads(asked.torch_threads)
    maps = make_towns(LEARNT_TOWNS, lesson.size, Path(asked.maps))
    worlds = LearningWorlds(Towns(lesson, maps, asked.worlds, 1000 * asked.seed, threads=asked.threads))
    env = VecNormalize(worlds, gamma=asked.gamma, clip_obs=CLIP)
    model = PPO(
        "MlpPolicy",
        env,
        seed=asked.seed,
        n_steps=asked.rollout,
        batch_size=asked.batch,
        n_epochs=asked.epochs,
        learning_rate=lambda left: asked.rate * max(left, 0.05),
        gamma=asked.gamma,
        gae_lambda=0.95,
        ent_coef=asked.entropy,
        device="cpu",
        policy_kwargs={"net_arch": [asked.width, asked.width]},
    )
    curve = LearningCurve(worlds, out.with_suffix(".csv"), asked.steps, asked.seconds)
    try:
        model.learn(asked.steps, callback=curve)
    except KeyboardInterrupt:
        print("interrupted: what was learnt is kept")
    finally:
        env.close()
    print(
        f"{model.num_timesteps:,} steps in {curve.seconds / 60:.1f} minutes,"
        f" {time.process_time() / 60:.1f} of one processor"
    )
    return policy_of(model, env)


def policy_of(model: PPO, env: VecNormalize) -> DrivingPolicy:
    """The layers of a policy as numpy arrays, without those of the critic."""
    policy, arrays = model.policy, {}
    layers = [one for one in (*policy.mlp_extractor.policy_net, policy.action_net) if hasattr(one, "weight")]
    for number, layer in enumerate(layers):
        arrays[f"weight_{number}"] = layer.weight.detach().numpy().copy()
        arrays[f"bias_{number}"] = layer.bias.detach().numpy().copy()
    arrays["mean"] = env.obs_rms.mean.astype(np.float32)
    arrays["scale"] = (1.0 / np.sqrt(env.obs_rms.var + env.epsilon)).astype(np.float32)
    return DrivingPolicy(arrays)


def main(lesson: Lesson, name: str, description: str | None) -> None:
    """The command line of a lesson."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=5_000_000, help="of all worlds together")
    parser.add_argument("--seconds", type=float, default=900.0, help="learn no longer than this")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", default=name, help="file for the policy (.npz) and the curve (.csv), without ending")
    parser.add_argument("--evaluate", metavar="FILE", help="drive by this policy, and learn nothing")
    parser.add_argument("--episodes", type=int, default=200, help="that are driven to see what was learnt")
    parser.add_argument("--maps", default="towns", help="folder for the towns")
    parser.add_argument("--worlds", type=int, default=256)
    parser.add_argument("--threads", type=int, default=1, help="that step worlds")
    parser.add_argument("--torch-threads", type=int, default=1)
    parser.add_argument("--rollout", type=int, default=128, help="steps of each world between updates")
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=7e-4, help="at which is learnt, at the beginning")
    parser.add_argument("--gamma", type=float, default=0.98)
    parser.add_argument("--entropy", type=float, default=0.0)
    parser.add_argument("--width", type=int, default=128, help="of the two layers")
    asked = parser.parse_args()
    out = Path(asked.out)
    if asked.evaluate:
        policy = DrivingPolicy.load(Path(asked.evaluate))
    else:
        out.parent.mkdir(parents=True, exist_ok=True)
        policy = learn(lesson, asked, out)
        policy.save(out.with_suffix(".npz"))
    maps = make_towns(OTHER_TOWNS, lesson.size, Path(asked.maps))
    found = drive(lesson, policy, maps, asked.episodes, 500_000)
    print(
        f"{100 * found.success:.1f} % of {asked.episodes} episodes in towns it has not seen;"
        f" failures: {found.failures}; {found.metres:.0f} m driven"
    )
