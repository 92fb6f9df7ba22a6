"""Worlds in several towns with an agent each, stepped together, and a look at how well a policy drives in others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from cautions import CAUTIONS, Cautions, Flags, Numbers, has_left
from gymnasium import spaces
from numpy.typing import NDArray

from dorosim.app.analyse.map_file import write_map
from dorosim.gym import DrivingVectorEnv
from dorosim.mapmaking.plan import Size
from dorosim.mapmaking.town import generate_town

Floats = NDArray[np.float64]
CAUSES = ("collision", "off_road", "red_light", "departure")
"""What an agent does wrong; departure: a rear wheel is beyond the boundary of its lane."""
SETTINGS: Mapping[str, Any] = {
    "actions": "velocity",
    "observations": ("ego", "neighbours", "road", "lights"),
    "road_points": 10,
    "road_spacing": 5.0,
    "lights": 1,
    "light_reach": 60.0,
    "max_speed": 12.0,
    "max_curvature": 0.2,
    "beginnings": 300,
}
"""Settings that all lessons have: policies of both see the same, but for how many neighbours."""
REWARDS: Mapping[str, float] = {"progress": 0.5, "steering": -0.2, "lane": -2.0, "red_light": -20.0}
"""Weights of terms of the reward, likewise."""
FACTS = ("collision", "off_road", "red_light", "arrival", "travelled")


@dataclass(frozen=True)
class Lesson:
    """What is learnt.

    Attributes:
        kind: of environment. size: of the towns. settings: of the environment.
        steps: of an episode that is driven to see what was learnt, at most.
        metres: that make an episode well done; 0: the arrival does.
        departure: reward of leaving the lane, which ends an episode.
        haste: reward of a step in which an agent is much too fast for what is ahead.
    """

    kind: str
    size: Size
    settings: Mapping[str, Any]
    steps: int
    metres: float
    departure: float = -10.0
    haste: float = -3.0


class TownSteps(NamedTuple):
    """What a step has brought, a row a world: facts are those of `FACTS` and "departure"."""

    observation: Numbers
    reward: Floats
    terminated: Flags
    truncated: Flags
    facts: dict[str, NDArray[Any]]


def make_towns(seeds: Sequence[int], size: Size, folder: Path) -> list[Path]:
    """Files of the towns with some seeds; those that are there are not made again."""
    found = []
    for seed in seeds:
        file = folder / f"{size.value}-town-{seed}.zip"
        if not file.is_file():
            write_map(file, generate_town(seed, size, file.stem))
        found.append(file)
    return found


def stretched(actions: Numbers) -> Numbers:
    """`(N, 2)` actions of the environment for those of a policy.

    Standing and full speed are wide, so that noise does not let an agent creep; small curvatures are fine.
    """
    speed, bend = actions.T
    return np.stack((np.clip(1.6 * speed - 0.4, -1.0, 1.0), bend * (0.3 + 0.7 * bend * bend)), axis=1)


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
        chosen = {**lesson.settings, **settings}
        self.towns = [
            DrivingVectorEnv(self._each, lesson.kind, map=str(file), autoreset_mode="Disabled", **chosen)
            for file in maps
        ]
        self._cautions = Cautions(chosen, worlds)
        width = self.towns[0].set.layout.width + CAUTIONS
        self.space = spaces.Box(-1.0, 1.0, (width,), np.float32)

    def reset(self) -> Numbers:
        """Begin an episode in each world; `(N, n)` what agents perceive."""
        seeds = range(self._seed, self._seed + self.count, self._each)
        found: list[Any] = [town.reset(seed=seed)[0] for town, seed in zip(self.towns, seeds, strict=True)]
        return self._cautions.added(np.concatenate(found), np.ones(self.count, np.bool_))

    def step(self, actions: Numbers) -> TownSteps:
        """Go on by a step with `(N, 2)` actions of a policy. Worlds whose episode is over wait for `begin`."""
        given = np.split(stretched(actions), len(self.towns))
        parts = [town.step(part) for town, part in zip(self.towns, given, strict=True)]
        observation, reward, terminated, truncated = (np.concatenate([one[k] for one in parts]) for k in range(4))
        facts = {name: np.concatenate([one[4][name] for one in parts]) for name in FACTS}
        departure = facts["departure"] = has_left(observation)
        observation = self._cautions.added(observation)
        reward += self.lesson.departure * departure + self.lesson.haste * self._cautions.haste(observation)
        return TownSteps(observation, reward, terminated | departure, truncated, facts)

    def begin(self, rows: Flags) -> Numbers:
        """Begin episodes in some worlds, `(N,)`; `(n, ...)` what their agents perceive."""
        found: list[Any] = []
        for town, part in zip(self.towns, np.split(rows, len(self.towns)), strict=True):
            if part.any():
                observation: Any = town.reset(options={"reset_mask": part})[0]
                found.append(observation[part])
        return self._cautions.added(np.concatenate(found), rows)

    def close(self) -> None:
        """Let go of threads."""
        for town in self.towns:
            town.close()


class DriveOutcome(NamedTuple):
    """How episodes went.

    Attributes:
        success: share of those that were well done.
        failures: of the others, by the first of `CAUSES`, or "short": too slow.
        metres: driven in an episode, the mean.
    """

    success: float
    failures: dict[str, int]
    metres: float


def drive(
    lesson: Lesson, act: Callable[[Numbers], Numbers], maps: Sequence[Path], episodes: int, seed: int
) -> DriveOutcome:
    """Drive an episode in each of some worlds, and see how it goes.

    Args:
        lesson: what was learnt.
        act: from `(N, n)` observations to `(N, 2)` actions.
        maps: files of the towns.
        episodes: in all of them together.
        seed: of the first.
    """
    towns = Towns(lesson, maps, episodes, seed, max_steps=0, beginnings=0, ends=())
    observation, how, metres = towns.reset(), np.full(episodes, "short", object), np.zeros(episodes)
    for _ in range(lesson.steps):
        goes = how == "short"
        if not goes.any():
            break
        observation, _, _, _, facts = towns.step(act(observation))
        metres[goes] = facts["travelled"][goes]
        how[goes & (facts["arrival"] if lesson.metres == 0.0 else metres >= lesson.metres)] = "success"
        for name in reversed(CAUSES):
            how[goes & facts[name]] = name
    towns.close()
    counts = Counter(how.tolist())
    failures = {name: counts[name] for name in (*CAUSES, "short")}
    return DriveOutcome(counts["success"] / episodes, failures, float(metres.mean()))
