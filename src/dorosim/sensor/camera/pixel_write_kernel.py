"""From a packet of 16 pixels to the planes of a picture: depth, class, row, and light or its bytes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel
from dorosim.sensor.camera import ray_packet as at
from dorosim.sensor.camera.ray_packet import Aim, Plane, RayPacket, Spots, Words
from dorosim.sensor.camera.shading_tables import TONE_BITS, TONE_HIGH, TONE_LOW
from dorosim.sensor.scene.embree_kernel import SIMD_WIDTH

_F = np.float32
_TONE_SHIFT = np.uint32(23 - TONE_BITS)
_TONE_BASE = np.uint32((127 + TONE_LOW) << TONE_BITS)
_TONE_LEAST, _TONE_MOST = _F(2.0**TONE_LOW), _F(2.0**TONE_HIGH * (1.0 - 2.0**-20))


@inner_kernel
def write_geometry(packet: RayPacket, spots: Spots, aim: Aim, plane: Plane, y: int, x: int, lanes: int) -> None:
    """Depth, class and row of the pixels, those that are wanted; rays that hit nothing end beyond `far`."""
    depth, semantic, row = plane.depth, plane.semantic, plane.row
    start, far = np.uint64(x), aim.far
    if depth.shape[0] > 0:
        for k in range(lanes):
            along = packet[at.FAR + k]
            depth[y, start + np.uint64(k)] = along if along <= far else _F(np.inf)
    if semantic.shape[0] > 0:
        for k in range(lanes):
            semantic[y, start + np.uint64(k)] = np.uint8(spots[at.LABEL + k])
    if row.shape[0] > 0:
        for k in range(lanes):
            row[y, start + np.uint64(k)] = np.uint16(spots[at.ROW + k])


@inner_kernel
def write_linear(packet: RayPacket, linear: NDArray[np.float32], y: int, x: int, lanes: int) -> None:
    """Exposed radiance, for an image sensor."""
    place = np.uint64(3 * x)
    for k in range(lanes):
        linear[y, place] = packet[at.SUM_R + k]
        linear[y, place + np.uint64(1)] = packet[at.SUM_G + k]
        linear[y, place + np.uint64(2)] = packet[at.SUM_B + k]
        place += np.uint64(3)


@inner_kernel
def write_colour(
    packet: RayPacket, words: Words, tone: NDArray[np.uint8], rgb: NDArray[np.uint8], y: int, x: int, lanes: int
) -> None:
    """Tone mapping by table: the leading bits of a float32 are its logarithm."""
    for i in range(at.SUM_R, at.SUM_B + SIMD_WIDTH):
        value = packet[i]
        value = value if value > _TONE_LEAST else _TONE_LEAST
        packet[i] = value if value < _TONE_MOST else _TONE_MOST
    for i in range(at.SUM_R, at.SUM_B + SIMD_WIDTH):
        words[i] = (words[i] >> _TONE_SHIFT) - _TONE_BASE
    byte = np.uint64(3 * x)
    if lanes == SIMD_WIDTH:  # a third of the time where the compiler knows how many there are
        for k in range(SIMD_WIDTH):
            rgb[y, byte] = tone[words[at.SUM_R + k]]
            rgb[y, byte + np.uint64(1)] = tone[words[at.SUM_G + k]]
            rgb[y, byte + np.uint64(2)] = tone[words[at.SUM_B + k]]
            byte += np.uint64(3)
    else:
        for k in range(lanes):
            rgb[y, byte] = tone[words[at.SUM_R + k]]
            rgb[y, byte + np.uint64(1)] = tone[words[at.SUM_G + k]]
            rgb[y, byte + np.uint64(2)] = tone[words[at.SUM_B + k]]
            byte += np.uint64(3)
