"""The floor under spinning lidars: Embree and nothing else, from an origin of each ray."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import kernel
from dorosim.sensor.scene.embree_kernel import SIMD_WIDTH, hit_distance, intersect16, new_packet, new_valid, set_ray


@kernel
def cast_bare_rays(
    static: int, top: int, arguments: int, rays: NDArray[np.float32], far: float, reach: NDArray[np.float32]
) -> None:
    """Cast packets of rays that lie ready, and keep the distances.

    Args:
        static: as of `View`.
        top: the same.
        arguments: the same.
        rays: (P, 6, 16) origin from the scene's own and direction of each ray.
        far: length of the rays [m].
        reach: (P, 16) distance of each; written.
    """
    packet, valid = new_packet(), new_valid()
    words = packet.view(np.uint32)
    for k in range(len(rays)):
        for lane in range(SIMD_WIDTH):
            set_ray(
                packet, words, lane, rays[k, 0, lane], rays[k, 1, lane], rays[k, 2, lane], rays[k, 3, lane],
                rays[k, 4, lane], rays[k, 5, lane], far,
            )  # fmt: skip
        intersect16(static, top, arguments, packet, valid)
        for lane in range(SIMD_WIDTH):
            reach[k, lane] = hit_distance(packet, lane)
