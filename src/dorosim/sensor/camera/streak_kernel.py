"""Streaks of drops and flakes, drawn into a plane of coverages."""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.camera import ray_packet as at
from dorosim.sensor.camera.ray_packet import RayPacket
from dorosim.sensor.scene.embree_kernel import SIMD_WIDTH

MIN_HIDDEN_DISTANCE: Final = 2.0
"""Drops farther away than this may be hidden by things [m]."""
MAX_STREAK_WIDTH: Final = 40.0
"""Wider ones, close to the lens, are drawn so wide [pixels]."""
_MAX_LENGTH: Final = 4000.0


@kernel
def draw_streaks(
    streak: FloatArray,
    shine: NDArray[np.float32],
    plane: NDArray[np.float32],
    lit: NDArray[np.float32],
    mark: NDArray[np.uint8],
) -> None:
    """Draw streaks.

    Args:
        streak: `(N, 5)` both ends and the diameter [pixels].
        shine: `(N, 3)` radiance that lamps give them.
        plane: `(H, W)` share of each pixel that is covered; added to.
        lit: `(H, W, 3)` what they add to its radiance by it; added to. `(0, 0, 0)` where no lamp burns.
        mark: `(H, W / SIMD_WIDTH)` 1 where any of so many pixels is covered; written.
    """
    height, width = plane.shape
    burning = lit.shape[0] > 0
    for n in range(len(streak)):
        x, y, ex, ey = streak[n, 0], streak[n, 1], streak[n, 2], streak[n, 3]
        size = min(streak[n, 4], MAX_STREAK_WIDTH)
        dx, dy = ex - x, ey - y
        length = sqrt(dx * dx + dy * dy)
        if not length < _MAX_LENGTH:
            continue
        shines = burning and max(shine[n, 0], shine[n, 1], shine[n, 2]) > np.float32(0.0)
        # narrower ones than a pixel cover a part of it; a pixel is covered while the drop passes
        wide = max(size, 1.0)
        share = min(size, 1.0) * size / max(size + length, 1.0)
        half = 0.5 * wide
        per = 1.0 / (length * length) if length > 1e-9 else 0.0
        low, high = int(max(min(y, ey) - half - 1.0, 0.0)), int(min(max(y, ey) + half + 2.0, float(height)))
        for j in range(low, high):
            # the part of the streak that is as near to this row as it is wide
            first, last = 0.0, 1.0
            if abs(dy) > 1e-9:
                first, last = (j - half - y) / dy, (j + 1.0 + half - y) / dy
                first, last = max(min(first, last), 0.0), min(max((j - half - y) / dy, last), 1.0)
            begin, end = x + first * dx, x + last * dx
            left, right = max(min(begin, end) - half - 1.0, 0.0), min(max(begin, end) + half + 2.0, float(width))
            for i in range(int(left), int(right)):
                px, py = i + 0.5 - x, j + 0.5 - y
                part = min(max((px * dx + py * dy) * per, 0.0), 1.0)
                away = sqrt((px - part * dx) ** 2 + (py - part * dy) ** 2)
                cover = share * min(max(half + 0.5 - away, 0.0), 1.0)
                if cover > 0.0:
                    mark[j, i // SIMD_WIDTH] = 1
                    plane[j, i] += np.float32(cover) * (np.float32(1.0) - plane[j, i])
                    if shines:
                        for c in range(3):
                            lit[j, i, c] += np.float32(cover) * shine[n, c]


@inner_kernel
def add_veil(
    packet: RayPacket,
    near: NDArray[np.float32],
    behind: NDArray[np.float32],
    light: NDArray[np.float32],
    gain: np.float32,
    y: int,
    x: int,
) -> None:
    """Put drops and flakes before the exposed sum of 16 pixels.

    Args:
        packet: with the sum, and distances of the last sample.
        near: coverage by what is nearer than `MIN_HIDDEN_DISTANCE`.
        behind: coverage by what is farther away, which near things hide.
        light: `(3,)` radiance of drops.
        gain: of the exposure.
        y: row of the pixels.
        x: column of the first one.
    """
    red, green, blue = light[0] * gain, light[1] * gain, light[2] * gain
    one, zero, start = np.float32(1.0), np.float32(0.0), np.uint64(x)
    for k in range(SIMD_WIDTH):
        free = (packet[at.RANGE + k] - np.float32(MIN_HIDDEN_DISTANCE)) * np.float32(0.25)
        free = free if packet[at.HIT + k] > zero else one
        free = free if free > zero else zero
        free = free if free < one else one
        column = start + np.uint64(k)
        cover = near[y, column] + behind[y, column] * free
        cover = cover if cover < one else one
        packet[at.SUM_R + k] += (red - packet[at.SUM_R + k]) * cover
        packet[at.SUM_G + k] += (green - packet[at.SUM_G + k]) * cover
        packet[at.SUM_B + k] += (blue - packet[at.SUM_B + k]) * cover


@inner_kernel
def add_lit_veil(packet: RayPacket, lit: NDArray[np.float32], gain: np.float32, y: int, x: int) -> None:
    """Add what lamps make drops and flakes shine with to the exposed sum of 16 pixels.

    Things hide it as they hide what is farther away than `MIN_HIDDEN_DISTANCE`.

    Args:
        packet: with the sum, and distances of the last sample.
        lit: `(H, W, 3)` radiance.
        gain: of the exposure.
        y: row of the pixels.
        x: column of the first one.
    """
    one, zero, start = np.float32(1.0), np.float32(0.0), np.uint64(x)
    for k in range(SIMD_WIDTH):
        free = (packet[at.RANGE + k] - np.float32(MIN_HIDDEN_DISTANCE)) * np.float32(0.25)
        free = free if packet[at.HIT + k] > zero else one
        free = free if free > zero else zero
        free = (free if free < one else one) * gain
        column = start + np.uint64(k)
        packet[at.SUM_R + k] += lit[y, column, 0] * free
        packet[at.SUM_G + k] += lit[y, column, 1] * free
        packet[at.SUM_B + k] += lit[y, column, 2] * free
