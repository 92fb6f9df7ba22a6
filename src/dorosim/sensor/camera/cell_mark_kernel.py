"""Marks in the cells of a picture (`near_kernel`): which things can be seen in each, as bits."""

from __future__ import annotations

from math import floor

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel
from dorosim.sensor.camera import ray_packet as at
from dorosim.sensor.camera.near_kernel import PICTURE_CELLS, SIDE
from dorosim.sensor.camera.ray_packet import Aim, Spots
from dorosim.sensor.scene.embree_kernel import SIMD_WIDTH

_SIDE_MASK = SIDE - 1


@inner_kernel
def mark_ball(aim: Aim, x: float, y: float, z: float, radius: float, bit: np.uint64, cell: NDArray[np.uint64]) -> None:
    """Set a bit in the cells in which a ball can be seen.

    Args:
        aim: the camera.
        x: of the middle [m from the scene's origin].
        y: the same.
        z: the same.
        radius: [m].
        bit: one.
        cell: `(SIDE * SIDE,)`; written.
    """
    axes = aim.axes
    dx, dy, dz = x - aim.place[0], y - aim.place[1], z - aim.place[2]
    depth = axes[2, 0] * dx + axes[2, 1] * dy + axes[2, 2] * dz
    if depth < -radius:
        return
    if depth < 1.5 * radius:
        for i in range(SIDE * SIDE):
            cell[i] |= bit
        return
    right = (axes[0, 0] * dx + axes[0, 1] * dy + axes[0, 2] * dz) / depth
    down = (axes[1, 0] * dx + axes[1, 1] * dy + axes[1, 2] * dz) / depth
    wide = radius / (depth - radius) * (1.0 + abs(right) + abs(down))
    if wide * PICTURE_CELLS > SIDE:
        for i in range(SIDE * SIDE):
            cell[i] |= bit
        return
    first, low = floor((right - wide) * PICTURE_CELLS), floor((down - wide) * PICTURE_CELLS)
    across = min(floor((right + wide) * PICTURE_CELLS) - first + 1, SIDE)
    up = min(floor((down + wide) * PICTURE_CELLS) - low + 1, SIDE)
    for j in range(up):
        for i in range(across):
            cell[((low + j) & _SIDE_MASK) * SIDE + ((first + i) & _SIDE_MASK)] |= bit


@inner_kernel
def marks_of(spots: Spots, cell: NDArray[np.uint64]) -> np.uint64:
    """The bits of all lanes' cells, which are in `COLUMN`; none where there are no cells."""
    found = np.uint64(0)
    for k in range(SIMD_WIDTH if len(cell) > 0 else 0):
        found |= cell[np.uint64(spots[at.COLUMN + k])]
    return found
