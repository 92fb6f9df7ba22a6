"""Pictures to look at of what is no colour: classes, instances, depths."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.scene.semantic import COLOUR

Rgb = NDArray[np.uint8]
MAX_INSTANCE_IDS = 1 << 16
"""Greatest actor id up to which a table of all colours is made."""


def semantic_picture(semantic: NDArray[np.uint8]) -> Rgb:
    """`(H, W, 3)` the colour of each class (`scene.semantic.COLOUR`)."""
    picture: Rgb = COLOUR[semantic]
    return picture


def instance_colour(actor: NDArray[np.integer]) -> Rgb:
    """`(..., 3)` a colour for each actor id: bright, far from those of its neighbours, always the same; 0 is black.

    Hues go round by the golden ratio, so any few ids that follow each other are well apart.
    """
    turn = (actor.astype(np.int64) * 40_503 % 65_536) / 65_536.0
    level = 0.55 + 0.45 * ((actor.astype(np.int64) * 25_717 % 65_536) / 65_536.0)
    ramp = np.abs((turn[..., None] * 6.0 + np.array([0.0, 4.0, 2.0])) % 6.0 - 3.0) - 1.0
    colour = 255.0 * level[..., None] * (0.2 + 0.8 * np.clip(ramp, 0.0, 1.0))
    return np.asarray(np.where(actor[..., None] > 0, colour, 0.0), np.uint8)


def instance_picture(instance: NDArray[np.int32]) -> Rgb:
    """`(H, W, 3)` a colour for each actor."""
    most = int(instance.max(initial=0))
    if most > MAX_INSTANCE_IDS:
        ids, place = np.unique(instance, return_inverse=True)
        rare: Rgb = instance_colour(ids)[place.reshape(instance.shape)]
        return rare
    picture: Rgb = instance_colour(np.arange(most + 1, dtype=np.int32))[instance]
    return picture


def depth_picture(depth: NDArray[np.float32], near: float, far: float) -> Rgb:
    """`(H, W, 3)` grey from white at `near` to black at `far` and beyond, even in the logarithm of the depth."""
    with np.errstate(invalid="ignore"):
        part = np.log(np.clip(depth, near, far) / near) / np.log(far / near)
    grey = np.asarray(np.round(255.0 * (1.0 - part)), np.uint8)
    return np.repeat(grey[..., None], 3, axis=-1)
