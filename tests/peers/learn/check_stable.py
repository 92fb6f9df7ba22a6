"""Holds `StableVecEnv` against what Stable-Baselines3 asks of a VecEnv; prints what it found as JSON."""

from __future__ import annotations

import json

import numpy as np
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from dorosim.gym import DrivingVectorEnv, StableVecEnv

SETTINGS = {"map": "village", "vehicles": 2, "max_steps": 20}


def main() -> None:
    env, vector = (
        StableVecEnv("Town", 3, **SETTINGS),
        DrivingVectorEnv(3, "Town", autoreset_mode="SameStep", **SETTINGS),
    )
    env.seed(4)
    same = [(env.reset() == vector.reset(seed=4)[0]).all()]
    ends = []
    stream = np.random.default_rng(0)
    for _ in range(45):
        action = stream.uniform(-1.0, 1.0, (3, 2)).astype(np.float32)
        observations, rewards, dones, infos = env.step(action)
        theirs = vector.step(action)
        same += [(observations == theirs[0]).all(), (rewards == theirs[1].astype(np.float32)).all()]
        for row in np.flatnonzero(dones):
            last = infos[row]["terminal_observation"]
            ends.append((infos[row]["TimeLimit.truncated"], bool(last.shape == observations[row].shape)))
    moments = env.env_method("snapshot", indices=[1])
    wrapped = VecNormalize(VecMonitor(env))
    model = PPO("MlpPolicy", wrapped, n_steps=32, batch_size=32, n_epochs=1, device="cpu", seed=0)
    model.learn(192)
    found = {
        "same": bool(np.all(same)),
        "ends": ends,
        "moments": len(moments),
        "episodes": len(model.ep_info_buffer),
        "wrapped": env.env_is_wrapped(VecMonitor),
    }
    print(json.dumps(found))
    wrapped.close()


if __name__ == "__main__":
    main()
