"""Where a camera's kernels keep what a packet of 16 pixels needs, and what they are given.

The packet is one array: float32 rows of 16 one behind the other, of which the first 21 are the ray packet of Embree.
They lie at fixed distances from each other, so the compiler knows that they do not overlap, and turns loops over the
16 lanes into vector instructions. Whole numbers that shading makes lie in an array of their own: a loop that writes
both kinds to the same memory becomes scalar, since they might overlap.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.scene.embree_kernel import SIMD_WIDTH

RayPacket = NDArray[np.float32]
Words = NDArray[np.uint32]
"""The packet's memory as whole numbers."""
Spots = NDArray[np.uint32]
"""Whole numbers of shading, rows of 16 as the packet has them."""
Valid = NDArray[np.int32]

X, Y, Z, NEAR, DX, DY, DZ, TIME, FAR, MASK, ID, FLAGS = range(0, 12 * SIMD_WIDTH, SIMD_WIDTH)
NX, NY, NZ, U, V, FACE, GEOMETRY, INSTANCE, INSTANCE_FACE = range(12 * SIMD_WIDTH, 21 * SIMD_WIDTH, SIMD_WIDTH)
"""The rows of a ray packet, as places in the packet."""
VX, VY, VZ, RANGE, HIT, R, G, B, ER, EG, EB, GLOSS, GRAIN = range(21 * SIMD_WIDTH, 34 * SIMD_WIDTH, SIMD_WIDTH)
"""Unit vector of the view ray, distance, 1 where something was hit; albedo and then radiance; emission; finish."""
DETAIL, STAIN = range(34 * SIMD_WIDTH, 36 * SIMD_WIDTH, SIMD_WIDTH)
"""Tiles of the pattern (`pattern_tile.pattern_columns`); they follow the finish, as in its table."""
FINISH_COLUMNS = 10
"""Rows from `R` on that shading takes from the table of materials."""
LIT, FACING, SX, SY, SZ, MIRROR, SUM_R, SUM_G, SUM_B = range(36 * SIMD_WIDTH, 45 * SIMD_WIDTH, SIMD_WIDTH)
"""Cosine to the sun; how much of the view ray goes along the normal; the direction in which the sky is seen, and how
much of it; the sum over samples."""
IR, IG, IB, WEIGHT, AHEAD, SIDE, RISE, MEMBER = range(45 * SIMD_WIDTH, 53 * SIMD_WIDTH, SIMD_WIDTH)
"""What lamps add to the light on the surface; what a lane gets of one lamp, and where it lies for it: cosines to its
forward direction, to the left and up; 1 for lanes of the square whose lamps are asked for."""
WET, SMOOTH = range(53 * SIMD_WIDTH, 55 * SIMD_WIDTH, SIMD_WIDTH)
"""How wet the surface is, 0 to 1, and how much of what it mirrors is mirrored smoothly."""
RAY_PACKET = 55 * SIMD_WIDTH
"""Places of the packet."""
ROW, MATERIAL, LABEL = range(0, 3 * SIMD_WIDTH, SIMD_WIDTH)
COLUMN, LINE = MATERIAL, LABEL
SPOTS = 3 * SIMD_WIDTH
"""Rows of the spots: of the view, of the material table, and the class; then places in the table of noise."""


class Aim(NamedTuple):
    """Where a camera looks.

    Attributes:
        place: `(3,)` float32 from the scene's origin [m].
        axes: `(3, 3)` float32, rows right, down and forward in map.
        rays: `(samples, 2, height, filled width)` float32, x and y of the rays at z = 1.
        near, far: range of depths [m].
        own: number of the actor that carries the camera, which it does not see; 0 for none.
        through: id of the actor through whose windows it looks; 0 for none.
    """

    place: NDArray[np.float32]
    axes: NDArray[np.float32]
    rays: NDArray[np.float32]
    near: np.float32
    far: np.float32
    own: int
    through: int = 0


class Plane(NamedTuple):
    """What is written, one element a pixel; what is not wanted has no lines.

    Attributes:
        rgb: `(H, 3 * W)`, or `(0, 0)` where no colours are wanted.
        depth: `(H, W)` [m along the optical axis], infinite beyond `far`; `(0, W)` where it is not wanted.
        semantic: `(H, W)` `Semantic`, or `(0, W)`.
        row: `(H, W)` row of the view, 0 for the static world and the sky, or `(0, W)`.
        linear: `(H, 3 * W)` exposed radiance instead of colours, or `(0, 0)`.
    """

    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32]
    semantic: NDArray[np.uint8]
    row: NDArray[np.uint16]
    linear: NDArray[np.float32]


class ShadingTables(NamedTuple):
    """Tables of the shading; see `shading_tables.py`.

    Attributes:
        material: `(M + 1, 10)` albedo, emission, gloss, grain, pattern; the last row is that of the sky.
        tone: `(N,)`. noise: `(2 * side * side,)`. tile: `(N,)` of patterns, see `pattern_tile`.
        pixel: width of a sample of a pixel at a distance of 1.
    """

    material: NDArray[np.float32]
    tone: NDArray[np.uint8]
    noise: NDArray[np.float32]
    tile: NDArray[np.uint32]
    pixel: np.float32
