"""Rays that pass through the vehicle that carries the sensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import kernel
from dorosim.sensor.scene.embree_kernel import (
    SIMD_WIDTH,
    hit_distance,
    hit_normal,
    hit_row,
    intersect16,
    new_packet,
    new_valid,
    set_ray,
)

if TYPE_CHECKING:
    from dorosim.sensor.scene.instance import View

PASSES = 16
"""How many walls of its own vehicle a ray passes at most."""
BEAM_STEP = 1e-3
"""How far behind such a wall it goes on [m]."""


@kernel
def cast_beams(
    view: View, own: int, origin: FloatArray, direction: FloatArray, far: FloatArray
) -> tuple[FloatArray, FloatArray, IntArray]:
    """The nearest hit of rays that begin at one point and do not see the vehicle that carries the sensor.

    Args:
        view: of a `SensorScene`.
        own: id of that vehicle, 0 for none.
        origin: `(3,)` in map [m].
        direction: `(N, 3)` unit vectors in map.
        far: `(N,)` where each ray ends [m].

    Returns:
        distance `(N,)` [m], infinite where nothing is hit; cosine `(N,)` of the angle between the ray and the surface's
        normal, 0 to 1; id of the actor `(N,)`, 0 for the static world, -1 for nothing.
    """
    count = direction.shape[0]
    distance, cosine, actor = np.full(count, np.inf), np.zeros(count), np.full(count, -1, np.int64)
    x, y, z = origin[0] - view.origin[0], origin[1] - view.origin[1], origin[2] - view.origin[2]
    packet, valid = new_packet(), new_valid()
    words = packet.view(np.uint32)
    start = np.zeros(SIMD_WIDTH)
    for first in range(0, count, SIMD_WIDTH):
        rays = min(SIMD_WIDTH, count - first)
        for lane in range(SIMD_WIDTH):
            start[lane], valid[lane] = 0.0, -1 if lane < rays else 0
        for _ in range(PASSES):
            for lane in range(SIMD_WIDTH):
                j = first + min(lane, rays - 1)
                dx, dy, dz, on = direction[j, 0], direction[j, 1], direction[j, 2], start[lane]
                set_ray(packet, words, lane, x + on * dx, y + on * dy, z + on * dz, dx, dy, dz, far[j] - on)
            intersect16(view.static, view.top, view.scattered, packet, valid)
            again = False
            for lane in range(rays):
                if valid[lane] == 0:
                    continue
                valid[lane] = 0
                j, row = first + lane, hit_row(words, lane)
                if row < 0:
                    continue
                met = start[lane] + hit_distance(packet, lane)
                if own != 0 and view.actor[row] == own:
                    start[lane] = met + BEAM_STEP
                    if start[lane] < far[j]:
                        valid[lane], again = -1, True
                    continue
                nx, ny, nz = hit_normal(view.normal, packet, lane, row)
                distance[j], actor[j] = met, view.actor[row]
                cosine[j] = abs(nx * direction[j, 0] + ny * direction[j, 1] + nz * direction[j, 2])
            if not again:
                break
    return distance, cosine, actor
