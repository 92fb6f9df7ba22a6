"""Heights from which on nothing of the static world lies between a place and the sun: many shadow rays are not cast.

Rays to the sun are parallel. So the static world is drawn once, along them, into a grid of cells of the plane z = 0.
Each cell keeps the greatest height of the triangles in its column. A place that is higher than that sees the sun, and
its ray is not cast. All others of surfaces that the sun does more than graze (`GRAZING`) are cast, so a picture is the
same with the grid and without. Roads and meadows under the open sky fill most of the lower half of a picture.

A ray to the sun stays in the column of its cell, so it is cast no farther than up to that height. Of a wall in the sun
that is a metre or less, where a ray to the end of the world takes Embree several times as long.
"""

from __future__ import annotations

import math
import weakref
from math import floor
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.camera.light import SceneLight
from dorosim.sensor.camera.near_kernel import MIN_SUN_ELEVATION_SINE
from dorosim.sensor.camera.ray_packet import FAR, LIT, RayPacket, Valid, X, Y, Z
from dorosim.sensor.scene.embree_kernel import SIMD_WIDTH
from dorosim.sensor.scene.instance import View

_CELL: Final = 0.5
"""Side of a cell [m], unless there would be more than `MAX_HEIGHT_CELLS`: within a cell, a road that rises by 4 % stays
below the height at which shadow rays begin."""
MAX_HEIGHT_CELLS: Final = 16_000_000
_MARGIN, _UPWARD = 0.02, 0.0005
"""By which triangles are drawn larger than they are, sideways and upwards [m]: float32 errs less."""
_SLIVER: Final = 1e-6
"""Area of a triangle [cells] below which it counts as high as its highest corner: it is seen edge-on by the sun."""
_HIGHEST: Final = 3e38
GRAZING: Final = np.float32(0.01)
"""Cosine to the sun from which on a surface's ray to it is cast. Below it the sun, half a degree wide, touches the
surface: it gives less than a hundredth of its light, and whether something is in between is not looked for."""

SHADOW_REACH: Final = np.float32(600.0)
"""Length of a ray to the sun [m]."""
_BEYOND: Final = np.float32(0.25)
"""By how much a ray to the sun goes on above the height of its cell [m]: Embree's tests of boxes err by less."""


class Clearance(NamedTuple):
    """Heights from which on the sun is seen.

    Attributes:
        height: `(rows, columns)` float32 of each cell [m above the scene's origin]; cells at the border are endlessly
            high and stand for all beyond. `(0, 0)` where nothing is known.
        left, low: where the grid begins on the plane z = 0 [m from the scene's origin].
        per_metre: cells per metre.
        slope_x, slope_y: how far a ray to the sun goes east and north for each metre up.
    """

    height: NDArray[np.float32]
    left: np.float32
    low: np.float32
    per_metre: np.float32
    slope_x: np.float32
    slope_y: np.float32


UNKNOWN: Final = Clearance(np.empty((0, 0), np.float32), *(np.float32(0.0),) * 5)
"""Every shadow ray is cast."""


class _Drawn(NamedTuple):
    """What was drawn last; `clearance` is None while it was asked for only once."""

    vertex: weakref.ref[NDArray[np.float32]]
    sun: bytes
    clearance: Clearance | None


_last: _Drawn | None = None


def clearance_of(view: View, light: SceneLight) -> Clearance:
    """The clearance of the static world; `UNKNOWN` where the sun is low or does not shine.

    The grid is drawn (0.1 to 0.5 s) when it is asked for a second time with the same sun, and kept until the world or
    the sun is another one: a single picture, or a sun that moves from picture to picture, does without.
    """
    global _last  # noqa: PLW0603 (memory of a pure function: it changes the time of a picture, not its bytes)
    sun = light.toward_sun
    if not light.shining or float(sun[2]) <= MIN_SUN_ELEVATION_SINE or not len(view.face):
        return UNKNOWN
    last, key = _last, sun.tobytes()
    if last is None or last.vertex() is not view.vertex or last.sun != key:
        _last = _Drawn(weakref.ref(view.vertex), key, None)
        return UNKNOWN
    if last.clearance is None:
        last = last._replace(clearance=draw_clearance(view.vertex, view.face, sun))
        _last = last
    assert last.clearance is not None
    return last.clearance


def draw_clearance(vertex: NDArray[np.float32], face: NDArray[np.uint32], toward_sun: NDArray[np.float32]) -> Clearance:
    """Draw triangles along the rays to the sun.

    Args:
        vertex: `(V, 3)` [m from the scene's origin].
        face: `(F, 3)` rows of `vertex`.
        toward_sun: `(3,)` unit vector whose z is above `MIN_SUN_ELEVATION_SINE`.
    """
    slope_x, slope_y = (float(toward_sun[axis]) / float(toward_sun[2]) for axis in (0, 1))
    place = np.stack((vertex[:, 0] - vertex[:, 2] * slope_x, vertex[:, 1] - vertex[:, 2] * slope_y))
    (left, low), (right, high) = place.min(axis=1).tolist(), place.max(axis=1).tolist()
    cell = max(_CELL, math.sqrt((right - left) * (high - low) / MAX_HEIGHT_CELLS))
    # one cell around the world for what lies beyond it, and one because triangles are drawn larger than they are
    left, low = left - 2.0 * cell, low - 2.0 * cell
    height = np.full((int((high - low) / cell) + 4, int((right - left) / cell) + 4), -_HIGHEST, np.float32)
    height[[0, -1]] = height[:, [0, -1]] = _HIGHEST
    draw(vertex, face, slope_x, slope_y, left, low, 1.0 / cell, height)
    return Clearance(height, *(np.float32(number) for number in (left, low, 1.0 / cell, slope_x, slope_y)))


@kernel
def draw(
    vertex: NDArray[np.float32],
    face: NDArray[np.uint32],
    slope_x: float,
    slope_y: float,
    left: float,
    low: float,
    per_metre: float,
    height: NDArray[np.float32],
) -> None:
    """Raise each cell to the highest place of the triangles that touch its column.

    Args:
        vertex: `(V, 3)` of the static world [m from the scene's origin].
        face: `(F, 3)` rows of `vertex`.
        slope_x: as of `Clearance`.
        slope_y: the same.
        left: the same.
        low: the same.
        per_metre: the same.
        height: the same; written.
    """
    p, q, z = np.empty(3), np.empty(3), np.empty(3)
    for f in range(len(face)):
        for i in range(3):
            corner = face[f, i]
            z[i] = vertex[corner, 2]
            p[i] = (vertex[corner, 0] - z[i] * slope_x - left) * per_metre
            q[i] = (vertex[corner, 1] - z[i] * slope_y - low) * per_metre
        _draw_triangle(p, q, z, _MARGIN * per_metre, height)


@inner_kernel
def _draw_triangle(
    p: NDArray[np.float64],
    q: NDArray[np.float64],
    z: NDArray[np.float64],
    margin: float,
    height: NDArray[np.float32],
) -> None:
    """Raise the cells that a triangle touches; `p`, `q` and `margin` in cells, `z` in metres."""
    rows, columns = height.shape
    reach = 0.5 + margin
    top = max(z[0], z[1], z[2]) + _UPWARD
    a, b, c, d = p[1] - p[0], q[1] - q[0], p[2] - p[0], q[2] - q[0]
    area = a * d - b * c
    side = 1.0 if area >= 0.0 else -1.0
    rise_p, rise_q = 0.0, 0.0
    flat = abs(area) > _SLIVER
    if flat:
        rise_p = ((z[1] - z[0]) * d - (z[2] - z[0]) * b) / area
        rise_q = ((z[2] - z[0]) * a - (z[1] - z[0]) * c) / area
    over = (abs(rise_p) + abs(rise_q)) * reach + _UPWARD
    first = max(floor(min(p[0], p[1], p[2]) - margin), 0)
    last = min(floor(max(p[0], p[1], p[2]) + margin), columns - 1)
    for row in range(
        max(floor(min(q[0], q[1], q[2]) - margin), 0), min(floor(max(q[0], q[1], q[2]) + margin), rows - 1) + 1
    ):
        y = row + 0.5
        for column in range(first, last + 1):
            x = column + 0.5
            outside = False
            for i in range(3):
                j = i + 1 if i < 2 else 0
                u, v = p[j] - p[i], q[j] - q[i]
                outside |= side * (u * (y - q[i]) - v * (x - p[i])) < -reach * (abs(u) + abs(v))
            if outside:
                continue
            above = min(top, z[0] + rise_p * (x - p[0]) + rise_q * (y - q[0]) + over) if flat else top
            height[row, column] = max(height[row, column], np.float32(above))


@inner_kernel
def leave_clear(packet: RayPacket, valid: Valid, clearance: Clearance) -> int:
    """Let only those shadow rays be cast into the static world that may meet something.

    Args:
        packet: rays to the sun; those that are cast get shorter.
        valid: -1 for lanes whose ray is cast, 0 for others; written.
        clearance: of the static world.

    Returns:
        how many rays are cast.
    """
    height = clearance.height
    rows, columns = height.shape
    slope_x, slope_y = clearance.slope_x, clearance.slope_y
    left, low, per_metre = clearance.left, clearance.low, clearance.per_metre
    most_x, most_y = np.float32(columns - 1), np.float32(rows - 1)
    per_rise = np.sqrt(np.float32(1.0) + slope_x * slope_x + slope_y * slope_y)
    cast = 0
    for k in range(SIMD_WIDTH):
        z = packet[Z + k]
        x = (packet[X + k] - z * slope_x - left) * per_metre
        y = (packet[Y + k] - z * slope_y - low) * per_metre
        x = min(max(x, np.float32(0.0)), most_x)
        y = min(max(y, np.float32(0.0)), most_y)
        high = height[np.uint64(y), np.uint64(x)]
        shaded = high >= z
        reach = (high - z) * per_rise + _BEYOND
        packet[FAR + k] = reach if shaded and reach < SHADOW_REACH else SHADOW_REACH
        valid[k] = -1 if shaded and packet[LIT + k] > GRAZING else 0
        cast += -valid[k]
    return cast


@inner_kernel
def cast_all(packet: RayPacket, valid: Valid) -> None:
    """Let the shadow rays of all lanes be cast that face the sun, in their whole length where nothing has met them."""
    for k in range(SIMD_WIDTH):
        packet[FAR + k] = SHADOW_REACH if packet[FAR + k] >= np.float32(0.0) else packet[FAR + k]
        valid[k] = -1 if packet[LIT + k] > GRAZING else 0
