"""Friction under every wheel of every vehicle: a grid of the areas, then the ellipses in each wheel's cell."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np

from dorosim.ground.column import RealArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.collision.grid_kernel import FARTHEST, Grid, bucket_of, cell_of, grid_over
from dorosim.world.environment.friction_area import BELOW, MapObjectTable
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

CELL = 4.0
"""Smallest cell of the grid [m]: a puddle covers one to four."""

_A, _S, _P = MapObjectTable, VehicleState, VehicleParameter
_AREA_X, _AREA_Y, _AREA_Z, _AREA_YAW = _A.x.index, _A.y.index, _A.z.index, _A.yaw.index
_ALONG, _ACROSS = _A.vertical_radius.index, _A.horizontal_radius.index
_HEIGHT, _MULTIPLIER = _A.height.index, _A.multiplier.index
_X, _Y, _Z, _YAW = _S.x.index, _S.y.index, _S.z.index, _S.yaw.index
_SLOPE_X, _SLOPE_Y, _SURFACE = _S.ground_slope_x.index, _S.ground_slope_y.index, _S.surface_friction.index
_WHEELBASE, _FRONT_TRACK, _REAR_TRACK = _P.wheelbase.index, _P.front_track.index, _P.rear_track.index


@inner_kernel
def bounds_of(area: RealArray) -> RealArray:
    """`(4, N)` low x, low y, high x, high y of each ellipse [m]; areas without an effect are nowhere."""
    count = area.shape[1]
    bounds = np.empty((4, count))
    for k in range(count):
        c, s = cos(area[_AREA_YAW, k]), sin(area[_AREA_YAW, k])
        a, b = area[_ALONG, k], area[_ACROSS, k]
        if not (a > 0.0 and b > 0.0) or area[_MULTIPLIER, k] == 1.0:
            bounds[0, k], bounds[1, k], bounds[2, k], bounds[3, k] = 1.0, 1.0, 0.0, 0.0
            continue
        east, north = sqrt(a * a * c * c + b * b * s * s), sqrt(a * a * s * s + b * b * c * c)
        bounds[0, k], bounds[2, k] = area[_AREA_X, k] - east, area[_AREA_X, k] + east
        bounds[1, k], bounds[3, k] = area[_AREA_Y, k] - north, area[_AREA_Y, k] + north
    return bounds


@inner_kernel
def multiplier_at(area: RealArray, grid: Grid, x: float, y: float, z: float) -> float:
    """The smallest multiplier of the areas at a place; 1 outside of all; of larger ones alone the largest."""
    if not (abs(x) < FARTHEST and abs(y) < FARTHEST):
        return 1.0
    ix, iy = cell_of(x, grid.cell), cell_of(y, grid.cell)
    bucket = bucket_of(ix, iy, len(grid.start) - 1)
    least, most = 1.0, 1.0
    for entry in range(grid.start[bucket], grid.start[bucket + 1]):
        if grid.cell_x[entry] != ix or grid.cell_y[entry] != iy:
            continue
        k = grid.member[entry]
        above = z - area[_AREA_Z, k]
        if not -BELOW <= above <= area[_HEIGHT, k]:
            continue
        c, s = cos(area[_AREA_YAW, k]), sin(area[_AREA_YAW, k])
        dx, dy = x - area[_AREA_X, k], y - area[_AREA_Y, k]
        along, across = (c * dx + s * dy) / area[_ALONG, k], (c * dy - s * dx) / area[_ACROSS, k]
        if along * along + across * across <= 1.0:
            least, most = min(least, area[_MULTIPLIER, k]), max(most, area[_MULTIPLIER, k])
    return least if least < 1.0 else most


@kernel
def write_wheel_friction(parameter: RealArray, state: RealArray, area: RealArray, road: float) -> None:
    """Write the friction under the four wheels of every vehicle.

    Args:
        parameter: `(columns, rows)` the read-only real block of `VehicleParameter`.
        state: `(columns, rows)` the writable real block of `VehicleState`; `surface_friction` is written.
        area: `(columns, N)` the read-only real block of `MapObjectTable`.
        road: friction of all roads over that of dry asphalt.
    """
    grid = grid_over(bounds_of(area), CELL)
    if len(grid.member) == 0:
        for wheel in range(4):
            for i in range(state.shape[1]):
                state[_SURFACE + wheel, i] = road
        return
    for i in range(state.shape[1]):
        c, s = cos(state[_YAW, i]), sin(state[_YAW, i])
        for wheel in range(4):
            along = parameter[_WHEELBASE, i] if wheel < 2 else 0.0
            across = 0.5 * (parameter[_FRONT_TRACK, i] if wheel < 2 else parameter[_REAR_TRACK, i])
            if wheel % 2 == 1:
                across = -across
            dx, dy = c * along - s * across, s * along + c * across
            z = state[_Z, i] + state[_SLOPE_X, i] * dx + state[_SLOPE_Y, i] * dy
            state[_SURFACE + wheel, i] = road * multiplier_at(area, grid, state[_X, i] + dx, state[_Y, i] + dy, z)
