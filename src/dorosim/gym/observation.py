"""Spaces of observations, and how the numbers of an agent become one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from dorosim.gym.action import Mask
from dorosim.gym.episode import MASK
from dorosim.gym.setting import EnvSettings
from dorosim.sensor.agent.state import (
    LIGHT_WIDTH,
    AgentShape,
    EgoFeature,
    NeighbourFeature,
    RoadFeature,
)

Observation = NDArray[np.float32] | dict[str, NDArray[Any]]


def parts_of(shape: AgentShape) -> dict[str, tuple[int, ...]]:
    """The parts of what agents perceive, in their order, with the shape of each."""
    return {
        "ego": (len(EgoFeature),),
        "neighbours": (shape.neighbours, len(NeighbourFeature)),
        "road": (shape.road_points, len(RoadFeature)),
        "lights": (shape.lights, LIGHT_WIDTH),
        "lidar": (shape.rings, shape.rays),
    }


class ObservationLayout:
    """Which numbers of an agent are which part of its observation.

    Args:
        settings: of the environment.
        parts: shape of each part that agents have, in their order, by name: `parts_of`.
        mask_width: length of a mask of actions, 0 for none.

    Attributes:
        width: how many numbers an agent has.
        space: of an observation.
    """

    def __init__(self, settings: EnvSettings, parts: Mapping[str, tuple[int, ...]], mask_width: int) -> None:
        sizes = {name: math.prod(form) for name, form in parts.items()}
        self.width = sum(sizes.values())
        self._flat, self._masks = settings.flat, settings.masks and mask_width > 0 and not settings.flat
        self._first = 0 if settings.has("ego") else sizes.get("ego", 0)
        self._parts: list[tuple[str, slice, tuple[int, ...]]] = []
        at = 0
        for name, form in parts.items():
            if settings.has(name) and sizes[name]:
                self._parts.append((name, slice(at, at + sizes[name]), form))
            at += sizes[name]
        self.has_picture = settings.has("picture")
        self.space = self._space_of(settings, mask_width)

    def _space_of(self, settings: EnvSettings, mask_width: int) -> spaces.Space[Any]:
        if self._flat:
            return spaces.Box(-1.0, 1.0, (self.width - self._first,), np.float32)
        found: dict[str, spaces.Space[Any]] = {
            name: spaces.Box(-1.0, 1.0, form, np.float32) for name, _, form in self._parts
        }
        if self.has_picture:
            width, height = settings.picture_size
            found["picture"] = spaces.Box(0, 255, (height, width, 3), np.uint8)
        if self._masks:
            found[MASK] = spaces.MultiBinary(mask_width)
        return spaces.Dict(found)

    def observation(
        self, numbers: NDArray[np.float32], mask: Mask | None = None, picture: NDArray[np.uint8] | None = None
    ) -> Observation:
        """An observation that nothing changes later.

        Args:
            numbers: `(width,)` of an agent.
            mask: of its actions, where the settings want it.
            picture: `(H, W, 3)`, where they want it.
        """
        if self._flat:
            return numbers[self._first :].copy()
        found: dict[str, NDArray[Any]] = {name: numbers[part].reshape(form).copy() for name, part, form in self._parts}
        if picture is not None:
            found["picture"] = picture
        if self._masks and mask is not None:
            found[MASK] = mask
        return found

    def batch(
        self,
        numbers: NDArray[np.float32],
        masks: NDArray[np.int8] | None = None,
        pictures: NDArray[np.uint8] | None = None,
    ) -> Observation:
        """Observations of N agents, one row each; arguments as of `observation`, with N before their shapes."""
        if self._flat:
            return numbers[:, self._first :].copy()
        count = len(numbers)
        found: dict[str, NDArray[Any]] = {
            name: numbers[:, part].reshape(count, *form).copy() for name, part, form in self._parts
        }
        if pictures is not None:
            found["picture"] = pictures
        if self._masks and masks is not None:
            found[MASK] = masks
        return found
