"""Heights of a junction's surface from the grid that its file gives (ASAM OpenDRIVE 1.8, 12.11.1).

Between the points of a grid heights are cubic along either axis: the cubic through the two points about a place and the
one beyond each. Where a point beyond is missing the line is straight there, as the standard has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.opendrive.junction_record import ElevationGrid
from dorosim.road.opendrive.plan_record import PlanGeometry
from dorosim.road.opendrive.reference_line import ReferenceLine

_SAMPLES = 512
_BLOCK = 4096
_NEWTON_STEPS = 8
_MIN_SCALE = 1e-3


class GroundHeight(NamedTuple):
    """Heights of a surface, each `(N,)`, NaN where it is not defined.

    Attributes:
        z: in map [m]. to_east, to_north: by how much it rises along x and y of map.
    """

    z: FloatArray
    to_east: FloatArray
    to_north: FloatArray


class GridSurface:
    """The surface of an elevation grid.

    Args:
        grid: of a junction, with at least two rows.
        geometries: the junction's reference line, along which the rows lie across it.
    """

    def __init__(self, grid: ElevationGrid, geometries: Sequence[PlanGeometry]) -> None:
        self._line = ReferenceLine(geometries)
        self._length = geometries[-1].s + geometries[-1].length
        self._spacing, self._start = grid.grid_spacing, grid.s_start
        right = max(len(one.right) for one in grid.elevations)
        left = max(len(one.left) for one in grid.elevations)
        self._right = right
        # one ring of places without heights, so that a place beyond an edge is one that is missing
        self._heights = np.full((len(grid.elevations) + 2, left + right + 3), np.nan)
        for row, one in enumerate(grid.elevations, start=1):
            middle = 1 + right
            self._heights[row, middle] = one.center
            self._heights[row, middle + 1 : middle + 1 + len(one.left)] = one.left
            self._heights[row, middle - len(one.right) : middle] = one.right[::-1]

    def at(self, x: FloatArray, y: FloatArray) -> GroundHeight:
        """Heights at places in map `(N,)` [m]; NaN beyond the squares of the grid."""
        s, t, heading, scale = self._along(x, y)
        u, v = (s - self._start) / self._spacing, t / self._spacing + self._right
        rows, columns = np.array(self._heights.shape) - 2
        row = np.clip(np.floor(u), 0, max(rows - 2, 0)).astype(np.int64)
        column = np.clip(np.floor(v), 0, max(columns - 2, 0)).astype(np.int64)
        inside = (u >= 0.0) & (u <= rows - 1) & (v >= 0.0) & (v <= columns - 1)
        step = np.arange(4)
        wide = np.pad(self._heights, ((0, 1), (0, 1)), constant_values=np.nan)
        patch = wide[(row[:, None] + step)[:, :, None], (column[:, None] + step)[:, None, :]]
        z, by_u, by_v = _bicubic(patch, u - row, v - column)
        along, aside = by_u / self._spacing / scale, by_v / self._spacing
        c, n = np.cos(heading), np.sin(heading)
        found = GroundHeight(z, along * c - aside * n, along * n + aside * c)
        return GroundHeight(*(np.where(inside, one, np.nan) for one in found))

    def _along(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """S and t [m] of places beside the line, its heading there [rad], and length on the place's side per s."""
        samples = np.linspace(0.0, self._length, _SAMPLES)
        line = self._line.at(samples)
        nearest = [
            np.argmin((x[i : i + _BLOCK, None] - line.x) ** 2 + (y[i : i + _BLOCK, None] - line.y) ** 2, axis=1)
            for i in range(0, len(x), _BLOCK)
        ]
        s = samples[np.concatenate([np.zeros(0, np.int64), *nearest])]
        for _ in range(_NEWTON_STEPS):
            here = self._line.at(s)
            c, n = np.cos(here.heading), np.sin(here.heading)
            dx, dy = x - here.x, y - here.y
            along, t = dx * c + dy * n, dy * c - dx * n
            scale = np.maximum(1.0 - here.curvature * t, _MIN_SCALE)
            s = np.clip(s + along / scale, -self._length, 2.0 * self._length)
        return s, t, here.heading, scale


def _tangents(values: FloatArray) -> FloatArray:
    """Slopes `(..., 2)` at the two middle ones of four places `(..., 4)` of one spacing."""
    before, first, second, after = np.moveaxis(values, -1, 0)
    straight = second - first
    whole = np.isfinite(before) & np.isfinite(after)
    start = np.where(whole, (-2.0 * before - 3.0 * first + 6.0 * second - after) / 6.0, straight)
    end = np.where(whole, (before - 6.0 * first + 3.0 * second + 2.0 * after) / 6.0, straight)
    return np.stack([start, end], axis=-1)


def _hermite(p: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Weights `(N, 4)` of two values and two slopes at p `(N,)` of 0 to 1, and how they change with p."""
    one = np.ones_like(p)
    value = np.stack(
        [1.0 + p * p * (2.0 * p - 3.0), p * p * (3.0 - 2.0 * p), p * (1.0 + p * (p - 2.0)), p * p * (p - 1.0)], axis=1
    )
    slope = np.stack([6.0 * p * (p - 1.0), 6.0 * p * (1.0 - p), one + p * (3.0 * p - 4.0), p * (3.0 * p - 2.0)], axis=1)
    return value, slope


def _bicubic(patch: FloatArray, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Heights in the middle square of 4 x 4 places `(N, 4, 4)`, at u and v of 0 to 1 `(N,)`, and their slopes."""
    by_v = _tangents(patch)
    middle = patch[:, 1:3, 1:3]
    by_u = np.swapaxes(_tangents(np.swapaxes(patch[:, :, 1:3], 1, 2)), 1, 2)
    twist = np.swapaxes(_tangents(np.swapaxes(by_v, 1, 2)), 1, 2)
    corners = np.concatenate(
        [np.concatenate([middle, by_v[:, 1:3]], axis=2), np.concatenate([by_u, twist], axis=2)], axis=1
    )
    (at_u, slope_u), (at_v, slope_v) = _hermite(u), _hermite(v)

    def weighted(one: FloatArray, other: FloatArray) -> FloatArray:
        return np.asarray(np.einsum("ni,nij,nj->n", one, corners, other))

    return weighted(at_u, at_v), weighted(slope_u, at_v), weighted(at_u, slope_v)
