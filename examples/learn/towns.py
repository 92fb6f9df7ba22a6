"""Worlds in several towns with an agent each, stepped together, and what an agent that drives well does there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.app.analyse.map_file import write_map
from dorosim.gym import DrivingVectorEnv
from dorosim.mapmaking.plan import Size
from dorosim.mapmaking.town import generate_town
from dorosim.sensor.agent.observation_kernel import OFFSET_SCALE
from dorosim.sensor.agent.state import EgoFeature

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
CAUSES = ("collision", "off_road", "red_light", "departure")
"""What an agent does wrong."""
HALF_WIDTH = 0.91
"""Of the agents' vehicle, 2016_Hyundai_Ioniq [m]."""


@dataclass(frozen=True)
class Lesson:
    """What is learnt.

    Attributes:
        kind: of environment. size: of the towns.
        settings: of the environment.
        steps: of an episode that is driven to see what was learnt.
        metres: that are driven in an episode that is well done; 0 for as many as lead to the end of the way.
        loss: reward of leaving the lane.
    """

    kind: str
    size: Size
    settings: Mapping[str, Any]
    steps: int
    metres: float
    loss: float = -10.0
    braking: float = 0.0


def make_towns(seeds: Sequence[int], size: Size, folder: Path) -> list[Path]:
    """Files of the towns with some seeds; those that are there already are not made again."""
    found = []
    for seed in seeds:
        file = folder / f"{size.value}-town-{seed}.zip"
        if not file.is_file():
            write_map(file, generate_town(seed, size, file.stem))
        found.append(file)
    return found


class Towns:
    """Worlds in several towns, as one vector: each town has as many. An agent that leaves its lane is done.

    Args:
        lesson: what is learnt.
        maps: files of the towns.
        worlds: of all towns together, a multiple of their number.
        seed: of the first world.
        settings: in place of those of the lesson.
    """

    def __init__(self, lesson: Lesson, maps: Sequence[Path], worlds: int, seed: int, **settings: Any) -> None:
        if worlds % len(maps):
            raise ValueError(f"{worlds} worlds do not fill {len(maps)} towns evenly")
        self.lesson, self.count, self._each, self._seed = lesson, worlds, worlds // len(maps), seed
        self._light = 20 + 10 * lesson.settings["neighbours"] + 5 * lesson.settings["road_points"]
        chosen = {**lesson.settings, **settings}
        self.towns = [
            DrivingVectorEnv(self._each, lesson.kind, map=str(file), autoreset_mode="Disabled", **chosen)
            for file in maps
        ]

    def reset(self) -> NDArray[np.float32]:
        """Begin an episode in each world; `(N, n)` what agents perceive."""
        seeds = range(self._seed, self._seed + self.count, self._each)
        return np.concatenate([town.reset(seed=seed)[0] for town, seed in zip(self.towns, seeds, strict=True)])

    def step(
        self, actions: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], Floats, Flags, Flags, dict[str, NDArray[Any]]]:
        """Go on by a step: observations, rewards, terminated, truncated, and of `CAUSES`, "arrival", "travelled" each.

        Worlds whose episodes are over wait for `begin`.
        """
        actions = actions.copy()
        actions[:, 0] = np.clip(1.6 * actions[:, 0] - 0.4, -1.0, 1.0)
        parts = [town.step(part) for town, part in zip(self.towns, np.split(actions, len(self.towns)), strict=True)]
        observation, reward, terminated, truncated = (np.concatenate([one[k] for one in parts]) for k in range(4))
        names = ("collision", "off_road", "red_light", "arrival", "travelled")
        facts = {name: np.concatenate([one[4][name] for one in parts]) for name in names}
        edges = observation[:, (EgoFeature.LEFT_EDGE, EgoFeature.RIGHT_EDGE)].min(axis=1) * OFFSET_SCALE
        facts["departure"] = edges < HALF_WIDTH
        reward += self.lesson.loss * facts["departure"]
        if self.lesson.braking:
            light = self._light
            reach = self.lesson.settings["light_reach"]
            red = observation[:, light + 2 + 3] + observation[:, light + 2 + 5]
            far = np.maximum(observation[:, light + 1] * reach - 1.0, 0.05)
            needed = (observation[:, 0] * 40.0) ** 2 / (2.0 * far)
            reward += self.lesson.braking * red * np.clip((needed - 2.5) / 5.0, 0.0, 1.0)
        return observation, reward, terminated | facts["departure"], truncated, facts

    def begin(self, rows: Flags) -> NDArray[np.float32]:
        """Begin episodes in some worlds, `(N,)`; `(n, ...)` what their agents perceive."""
        found = []
        for town, part in zip(self.towns, np.split(rows, len(self.towns)), strict=True):
            if part.any():
                found.append(town.reset(options={"reset_mask": part})[0][part])
        return np.concatenate(found)

    def close(self) -> None:
        """Let go of threads."""
        for town in self.towns:
            town.close()


def drive(lesson: Lesson, act: Any, maps: Sequence[Path], episodes: int, seed: int) -> dict[str, Any]:
    """Drive an episode in each of some worlds, and see how it goes.

    Args:
        lesson: what was learnt.
        act: from `(N, n)` observations to `(N, 2)` actions.
        maps: files of the towns.
        episodes: in all of them together.
        seed: of the first.

    Returns:
        "success", a share; how many failed by each of `CAUSES`, and how many did no wrong but were "short"; "metres",
        the mean of what was driven.
    """
    towns = Towns(lesson, maps, episodes, seed, max_steps=0, beginnings=0)
    observation = towns.reset()
    over, cause, metres = np.zeros(episodes, np.bool_), np.full(episodes, "short", object), np.zeros(episodes)
    for _ in range(lesson.steps):
        observation, _, terminated, _, facts = towns.step(act(observation).astype(np.float32))
        metres[~over] = facts["travelled"][~over]
        done = facts["arrival"] if math.isclose(lesson.metres, 0.0) else metres >= lesson.metres
        for name in reversed(CAUSES):
            cause[~over & facts[name]] = name
        cause[~over & done & (cause == "short")] = ""
        over |= cause != "short"
        if over.all():
            break
        again = over & terminated
        if again.any():
            observation[again] = towns.begin(again)
    towns.close()
    failed = {name: int((cause == name).sum()) for name in (*CAUSES, "short")}
    return {"success": float((cause == "").mean()), **failed, "metres": float(metres.mean())}
