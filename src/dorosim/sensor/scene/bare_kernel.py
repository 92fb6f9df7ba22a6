"""Bare rays: the floor that sensors are measured beside. Nothing but filling packets, Embree, and keeping distances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import kernel
from dorosim.sensor.scene.embree_kernel import (
    SIMD_WIDTH,
    hit_distance,
    hit_row,
    intersect16,
    is_occluded,
    new_packet,
    new_valid,
    occluded16,
    set_ray,
)

_LIFT = 2e-3
"""Shadow rays begin this far before the surface [m]."""
_SHADOW_FAR = 300.0


@kernel
def cast_bare(
    static: int,
    top: int,
    arguments: int,
    origin: NDArray[np.float32],
    direction: NDArray[np.float32],
    far: float,
    sun: NDArray[np.float32],
    distance: NDArray[np.float32],
) -> int:
    """Cast rays from one place, and a shadow ray from every hit if there is a sun.

    Args:
        static: of the view.
        top: of the view.
        arguments: `view.arguments` where neighbouring rays go about the same way, else `view.scattered`.
        origin: `(3,)` from the scene's origin [m].
        direction: `(N, 3)` of length 1; 16 in a row make a packet.
        far: length of the rays [m].
        sun: `(3,)` direction of the sun; zeros for no shadow rays.
        distance: `(N,)` [m], infinite for none; written.

    Returns:
        how many hits lie in the shade.
    """
    packet, valid = new_packet(), new_valid()
    words = packet.view(np.uint32)
    shadows = sun[0] != 0.0 or sun[1] != 0.0 or sun[2] != 0.0
    shaded = 0
    for start in range(0, len(direction), SIMD_WIDTH):
        rays = min(SIMD_WIDTH, len(direction) - start)
        for lane in range(SIMD_WIDTH):
            way = direction[start + min(lane, rays - 1)]
            set_ray(packet, words, lane, origin[0], origin[1], origin[2], way[0], way[1], way[2], far)
            valid[lane] = -1 if lane < rays else 0
        intersect16(static, top, arguments, packet, valid)
        for lane in range(rays):
            hit = hit_row(words, lane) >= 0
            distance[start + lane] = hit_distance(packet, lane) if hit else np.inf
            valid[lane] = -1 if hit else 0
        if not shadows:
            continue
        for lane in range(rays):
            if valid[lane] == 0:
                continue
            way, t = direction[start + lane], distance[start + lane] - np.float32(_LIFT)
            x, y, z = origin[0] + t * way[0], origin[1] + t * way[1], origin[2] + t * way[2]
            set_ray(packet, words, lane, x, y, z, sun[0], sun[1], sun[2], _SHADOW_FAR)
        occluded16(static, top, arguments, packet, valid)
        for lane in range(rays):
            shaded += valid[lane] != 0 and is_occluded(packet, lane)
    return shaded
