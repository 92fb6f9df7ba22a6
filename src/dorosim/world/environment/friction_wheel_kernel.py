"""Friction under every wheel of every vehicle: a grid of the areas, then the ellipses in each wheel's cell."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.collision.grid_kernel import MAX_GRID_COORDINATE, Grid, bucket_of, cell_of, grid_over
from dorosim.world.environment.friction_area import DEPTH_BELOW_OBJECT, MapObjectTable
from dorosim.world.environment.grip_kernel import grip_on, rolling_resistance_on
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

_MAP_OBJECT = MapObjectTable.at
_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at

_CELL = 4.0
"""Smallest cell of the grid [m]: a puddle covers one to four."""


@inner_kernel
def bounds_of(area: FloatArray) -> FloatArray:
    """`(4, N)` low x, low y, high x, high y of each ellipse [m]; areas without an effect are nowhere."""
    count = area.shape[1]
    bounds = np.empty((4, count))
    for k in range(count):
        c, s = cos(area[_MAP_OBJECT.yaw, k]), sin(area[_MAP_OBJECT.yaw, k])
        a, b = area[_MAP_OBJECT.vertical_radius, k], area[_MAP_OBJECT.horizontal_radius, k]
        if not (a > 0.0 and b > 0.0) or area[_MAP_OBJECT.multiplier, k] == 1.0:
            bounds[0, k], bounds[1, k], bounds[2, k], bounds[3, k] = 1.0, 1.0, 0.0, 0.0
            continue
        east, north = sqrt(a * a * c * c + b * b * s * s), sqrt(a * a * s * s + b * b * c * c)
        bounds[0, k], bounds[2, k] = area[_MAP_OBJECT.x, k] - east, area[_MAP_OBJECT.x, k] + east
        bounds[1, k], bounds[3, k] = area[_MAP_OBJECT.y, k] - north, area[_MAP_OBJECT.y, k] + north
    return bounds


@inner_kernel
def multiplier_at(area: FloatArray, grid: Grid, x: float, y: float, z: float) -> float:
    """The smallest multiplier of the areas at a place; 1 outside of all; of larger ones alone the largest."""
    if not (abs(x) < MAX_GRID_COORDINATE and abs(y) < MAX_GRID_COORDINATE):
        return 1.0
    ix, iy = cell_of(x, grid.cell), cell_of(y, grid.cell)
    bucket = bucket_of(ix, iy, len(grid.start) - 1)
    least, most = 1.0, 1.0
    for entry in range(grid.start[bucket], grid.start[bucket + 1]):
        if grid.cell_x[entry] != ix or grid.cell_y[entry] != iy:
            continue
        k = grid.member[entry]
        above = z - area[_MAP_OBJECT.z, k]
        if not -DEPTH_BELOW_OBJECT <= above <= area[_MAP_OBJECT.height, k]:
            continue
        c, s = cos(area[_MAP_OBJECT.yaw, k]), sin(area[_MAP_OBJECT.yaw, k])
        dx, dy = x - area[_MAP_OBJECT.x, k], y - area[_MAP_OBJECT.y, k]
        along = (c * dx + s * dy) / area[_MAP_OBJECT.vertical_radius, k]
        across = (c * dy - s * dx) / area[_MAP_OBJECT.horizontal_radius, k]
        if along * along + across * across <= 1.0:
            least, most = min(least, area[_MAP_OBJECT.multiplier, k]), max(most, area[_MAP_OBJECT.multiplier, k])
    return least if least < 1.0 else most


@kernel
def write_wheel_friction(
    parameter: FloatArray, state: FloatArray, area: FloatArray, road: float, water: float, snow: float
) -> None:
    """Write the friction under the four wheels of every vehicle, and how hard they roll there.

    Args:
        parameter: `(columns, rows)` the read-only float block of `VehicleParameter`.
        state: `(columns, rows)` the writable float block of `VehicleState`; `surface_friction` and `surface_drag` are
            written.
        area: `(columns, N)` the read-only float block of `MapObjectTable`.
        road: friction of all roads over that of dry asphalt.
        water: depth of water on the road [m].
        snow: depth of snow on it [m].
    """
    grid = grid_over(bounds_of(area), _CELL)
    for i in range(state.shape[1]):
        speed = sqrt(state[_VEHICLE.velocity_x, i] ** 2 + state[_VEHICLE.velocity_y, i] ** 2)
        for wheel in range(4):
            surface = int(state[_VEHICLE.wheel_surface + wheel, i])
            hangs = state[_VEHICLE.wheel_gap + wheel, i] > 0.0
            grip, drag = road * grip_on(surface, water, snow, speed), rolling_resistance_on(surface, snow)
            state[_VEHICLE.surface_friction + wheel, i] = 0.0 if hangs else grip
            state[_VEHICLE.surface_drag + wheel, i] = 0.0 if hangs else drag
        if len(grid.member) == 0:
            continue
        c, s = cos(state[_VEHICLE.yaw, i]), sin(state[_VEHICLE.yaw, i])
        for wheel in range(4):
            along = parameter[_PARAMETER.wheelbase, i] if wheel < 2 else 0.0
            across = 0.5 * (parameter[_PARAMETER.front_track, i] if wheel < 2 else parameter[_PARAMETER.rear_track, i])
            if wheel % 2 == 1:
                across = -across
            dx, dy = c * along - s * across, s * along + c * across
            z = state[_VEHICLE.z, i] + state[_VEHICLE.ground_slope_x, i] * dx + state[_VEHICLE.ground_slope_y, i] * dy
            state[_VEHICLE.surface_friction + wheel, i] *= multiplier_at(
                area, grid, state[_VEHICLE.x, i] + dx, state[_VEHICLE.y, i] + dy, z
            )
