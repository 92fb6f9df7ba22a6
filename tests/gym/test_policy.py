"""A policy that `examples/learn_lane.py` has learnt drives, as it did when it was kept."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

from dorosim.gym import DrivingEnv

ROOT = Path(__file__).parents[2]
SEEDS = (10_001, 10_004)


def settings():
    """Those of the example, which itself needs Stable-Baselines3."""
    tree = ast.parse((ROOT / "examples" / "learn_lane.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "SETTINGS":
            return ast.literal_eval(node.value)
    raise AssertionError("the example has no settings")


@pytest.fixture(scope="module")
def env():
    made = DrivingEnv("Town", **settings())
    yield made
    made.close()


@pytest.fixture(scope="module")
def policy():
    kept = np.load(Path(__file__).with_name("lane_policy.npz"))
    layers = [(kept[f"weight_{number}"], kept[f"bias_{number}"]) for number in range(len(kept.files) // 2)]

    def act(observation):
        value = observation
        for number, (weight, bias) in enumerate(layers):
            value = weight @ value + bias
            if number < len(layers) - 1:
                value = np.tanh(value)
        return np.clip(value, -1.0, 1.0)

    return act


def drive(env, act, seed):
    observation, _ = env.reset(seed=seed)
    total, way = 0.0, 0.0
    for _ in range(env.settings.max_steps):
        observation, reward, terminated, truncated, info = env.step(act(observation))
        total, way = total + reward, way + max(info["speed"], 0.0) * env.settings.step_s
        if terminated or truncated:
            break
    return total, way, info


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_learnt_drives_well(env, policy, seed):
    total, way, info = drive(env, policy, seed)
    assert not any(info[name] for name in ("collision", "off_road", "red_light"))
    assert way > 300.0
    assert total > 100.0


def test_what_has_learnt_nothing_does_not(env):
    stream = np.random.default_rng(0)
    total, way, _ = drive(env, lambda _: stream.uniform(-1.0, 1.0, 2), SEEDS[0])
    assert total < 30.0
    assert way < 300.0
