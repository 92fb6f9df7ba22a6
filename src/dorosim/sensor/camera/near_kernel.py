"""Where in a picture, and in whose shadows, actors can be: most rays are not cast among them at all.

To cast 16 rays among the actors costs a tenth of what the static world costs, also where no actor is near. So each
actor is taken as a ball, and marked in two grids of cells: where it can be seen in the picture, by the rays' x and y at
z = 1, and where its shadow can fall, by where a ray to the sun meets the plane z = 0. A ray whose cell is not marked
meets no actor. Grids repeat for ever, and balls are larger than what they hold: a ray may be cast in vain, but none is
left out. What lies beside the picture is not marked: a car beside the camera would mark all of it.
"""

from __future__ import annotations

from math import floor, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.camera.light import SceneLight
from dorosim.sensor.camera.ray_bounds import ray_bounds
from dorosim.sensor.camera.ray_packet import Aim
from dorosim.sensor.scene.instance import View

SIDE: Final = 64
"""Cells of the picture's grid along each axis; a power of 2."""
SHADOW_SIDE: Final = 256
"""The same of the shadows' grid: so many that those of other streets do not fall into the one that is seen."""
PICTURE_CELLS: Final = 24.0
"""Cells of the picture's grid for a length of 1 at z = 1."""
SHADOW_CELLS: Final = 0.5
"""Cells of the shadows' grid per metre."""
MIN_SUN_ELEVATION_SINE: Final = 0.15
"""Sine of the sun's elevation at or below which shadows are too long for their grid: all its cells are marked."""
_MIN_DEPTH: Final = 1e-4
"""Nothing is seen nearer than this (`setting.CameraModel.near` is at least ten times as much) [m]."""
_MARGIN: Final = 0.05
"""By which balls are larger [m], and a share of their distance: float32 errs less."""
_MARGIN_PER_METRE: Final = 1e-4


class Near(NamedTuple):
    """Cells in which actors can be.

    Attributes:
        picture: `(SIDE * SIDE,)` 1 where an actor can be, else 0; row by row.
        shadow: `(SHADOW_SIDE * SHADOW_SIDE,)` the same of shadows.
        slope_x, slope_y: how far a ray to the sun goes east and north for each metre up.
    """

    picture: NDArray[np.uint8]
    shadow: NDArray[np.uint8]
    slope_x: np.float32
    slope_y: np.float32


def near_of(view: View, aim: Aim, light: SceneLight) -> Near:
    """The cells in which actors can be, of one picture."""
    picture, shadow = np.zeros(SIDE * SIDE, np.uint8), np.zeros(SHADOW_SIDE * SHADOW_SIDE, np.uint8)
    sun = light.toward_sun
    high = bool(light.shining) and float(sun[2]) > MIN_SUN_ELEVATION_SINE
    slope_x, slope_y = (np.float32(sun[0] / sun[2]), np.float32(sun[1] / sun[2])) if high else (_FLAT, _FLAT)
    if not high:
        shadow[:] = 1
    mark_actors(view.ball, view.actor, aim, ray_bounds(aim.rays), picture, shadow, float(slope_x), float(slope_y))
    return Near(picture, shadow, slope_x, slope_y)


_FLAT = np.float32(0.0)


@kernel
def mark_actors(
    ball: NDArray[np.float32],
    actor: NDArray[np.int64],
    aim: Aim,
    bounds: FloatArray,
    picture: NDArray[np.uint8],
    shadow: NDArray[np.uint8],
    slope_x: float,
    slope_y: float,
) -> None:
    """Mark the cells of all actors.

    Args:
        ball: `(A, 4)` as of `View`.
        actor: `(A,)` as of `View`.
        aim: the camera.
        bounds: `ray_bounds` of it.
        picture: as of `Near`; written.
        shadow: the same.
        slope_x: as of `Near`.
        slope_y: the same.
    """
    axes, place = aim.axes, aim.place
    stretch = sqrt(1.0 + slope_x * slope_x + slope_y * slope_y)
    # rays are rounded when they look for their cell: by less than one cell
    left, right = bounds[0] - 1.0 / PICTURE_CELLS, bounds[1] + 1.0 / PICTURE_CELLS
    top, bottom = bounds[2] - 1.0 / PICTURE_CELLS, bounds[3] + 1.0 / PICTURE_CELLS
    for row in range(1, len(ball)):
        if aim.own != 0 and actor[row] == aim.own:
            continue
        x, y, z = float(ball[row, 0]), float(ball[row, 1]), float(ball[row, 2])
        reach = float(ball[row, 3]) + _MARGIN
        a, b = x - z * slope_x, y - z * slope_y
        wide = reach * stretch
        mark(shadow, SHADOW_SIDE, a - wide, b - wide, a + wide, b + wide, SHADOW_CELLS)
        dx, dy, dz = x - place[0], y - place[1], z - place[2]
        aside = axes[0, 0] * dx + axes[0, 1] * dy + axes[0, 2] * dz
        down = axes[1, 0] * dx + axes[1, 1] * dy + axes[1, 2] * dz
        ahead = axes[2, 0] * dx + axes[2, 1] * dy + axes[2, 2] * dz
        reach += _MARGIN_PER_METRE * (abs(aside) + abs(down) + abs(ahead))
        if ahead <= -reach:
            continue
        first, last = max(ahead - reach, _MIN_DEPTH), ahead + reach
        low_x = max((aside - reach) / (first if aside < reach else last), left)
        low_y = max((down - reach) / (first if down < reach else last), top)
        high_x = min((aside + reach) / (first if aside > -reach else last), right)
        high_y = min((down + reach) / (first if down > -reach else last), bottom)
        if low_x <= high_x and low_y <= high_y:
            mark(picture, SIDE, low_x, low_y, high_x, high_y, PICTURE_CELLS)


@inner_kernel
def mark(
    cells: NDArray[np.uint8], side: int, low_x: float, low_y: float, high_x: float, high_y: float, scale: float
) -> None:
    """Mark all cells of a rectangle in a grid with so many along each axis."""
    left, bottom = floor(low_x * scale), floor(low_y * scale)
    across, up = floor(high_x * scale) - left + 1, floor(high_y * scale) - bottom + 1
    for j in range(min(up, side)):
        line = ((bottom + j) & (side - 1)) * side
        for i in range(min(across, side)):
            cells[line + ((left + i) & (side - 1))] = 1
