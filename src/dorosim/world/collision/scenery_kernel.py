"""Which solid parts of the scenery moving bodies are about to touch."""

from __future__ import annotations

from math import cos, hypot, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.prefetch_kernel import fetch
from dorosim.road.scenery.grid_kernel import (
    MAX_CLEARANCE,
    PartGrid,
    box_gap,
    cells_within,
    is_clear,
    is_clear_level,
    overlaps,
)
from dorosim.road.scenery.table import ObjectTable, PartTable
from dorosim.world.collision.body import VEHICLE_DRAG_FACTOR, BodyKind, BodyTable
from dorosim.world.collision.displaced import GYRATION
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

_BODY = BodyTable.at
_PART = PartTable.at
_OBJECT = ObjectTable.at
_GYRATION_SQUARED = GYRATION**2
_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at
_FROM_YAW_RATE = _VEHICLE.angular_velocity + 2
_OBSTACLE, _SCENERY = int(BodyKind.OBSTACLE), int(BodyKind.SCENERY)
Squares = NDArray[np.uint8]
_LIFT = 0.5
"""A vehicle that is looked at without its body is taken to reach this much lower and higher than it does [m]."""


@inner_kernel
def is_gone(gone: IntArray, row: int) -> bool:
    """Whether the object of a row is among those that have given way, which are few."""
    found = False
    for k in range(gone.shape[0]):
        found |= gone[k] == row
    return found


@inner_kernel
def may_touch_part(
    floats: FloatArray, ints: IntArray, i: int, margin: float, dt: float, level: Squares, corner: FloatArray
) -> bool:
    """Whether circles about the body of a row may reach a part in a tick; arguments as of `find_parts`.

    A pole beside a car is in the circle about the car, but not in those about its front, middle and rear.
    """
    vx, vy = floats[_BODY.velocity_x, i], floats[_BODY.velocity_y, i]
    if ints[_BODY.kind, i] == _OBSTACLE and ints[_BODY.movable, i] == 0 and vx == 0.0 and vy == 0.0:
        return False
    length, width = floats[_BODY.half_length, i], floats[_BODY.half_width, i]
    turn = min(abs(floats[_BODY.yaw_rate, i]) * dt, 1.0)
    # no shorter than the way that `find_parts` takes
    way = sqrt(vx * vx + vy * vy) * dt + turn * (length + width + abs(floats[_BODY.cg_forward, i])) + margin
    x, y = floats[_BODY.x, i], floats[_BODY.y, i]
    if is_clear_level(level, corner, x, y, sqrt(length * length + width * width) + way):
        return False
    third = (length + way) / 3.0
    reach = sqrt(third * third + (width + way) * (width + way))
    if not is_clear_level(level, corner, x, y, reach):
        return True
    to_x, to_y = 2.0 * third * cos(floats[_BODY.yaw, i]), 2.0 * third * sin(floats[_BODY.yaw, i])
    front = is_clear_level(level, corner, x + to_x, y + to_y, reach)
    return not (front and is_clear_level(level, corner, x - to_x, y - to_y, reach))


@inner_kernel
def ask_for_level(level: Squares, corner: FloatArray, x: float, y: float) -> None:
    """Ask for the memory of what `is_clear_level` looks at about a place."""
    column, row = x - corner[0] + MAX_CLEARANCE, y - corner[1] + MAX_CLEARANCE
    if 0.0 <= column < 8 * level.shape[0] and 0.0 <= row < level.shape[1] // 2:
        fetch(level, (int(column) >> 3) * level.shape[1] + (int(row) >> 3) * 16)


@kernel
def find_parts(
    floats: FloatArray,
    ints: IntArray,
    begin: int,
    end: int,
    margin: float,
    dt: float,
    parts: FloatArray,
    owner: IntArray,
    corner: FloatArray,
    cells: IntArray,
    first: IntArray,
    part: IntArray,
    bounds: FloatArray,
    clear: Squares,
    level: Squares,
    gone: IntArray,
    found: IntArray,
) -> int:
    """Find the parts that bodies may touch in a tick.

    The arrays of the grid come one by one: to take them out of a tuple would be half of the time of a call.

    Args:
        floats: the float block of `BodyTable`, writable, at the end of the tick; it is only read.
        ints: its int block, likewise.
        begin: first row of the bodies that are asked for.
        end: the row after the last.
        margin: by which bodies count as larger [m].
        dt: the tick [s].
        parts: the float block of `PartTable`, read-only.
        owner: its int block, likewise.
        corner: of the grid of the parts (`PartGrid`), as are the next six.
        cells: likewise.
        first: likewise.
        part: likewise.
        bounds: likewise.
        clear: likewise.
        level: likewise.
        gone: rows of the objects that have given way; their parts do not count.
        found: `(P,)` written: rows of the parts, ascending.

    Returns:
        how many there are.
    """
    floats, ints, parts, owner, found = bare(floats), bare(ints), bare(parts), bare(owner), bare(found)
    grid = PartGrid(bare(corner), bare(cells), bare(first), bare(part), bare(bounds), bare(clear), bare(level))
    count, columns = 0, grid.cells[0]
    for i in range(begin, end):
        # bodies are anywhere on the map: all wait for their places together
        ask_for_level(grid.level, grid.corner, floats[_BODY.x, i], floats[_BODY.y, i])
    for i in range(begin, end):
        if not may_touch_part(floats, ints, i, margin, dt, grid.level, grid.corner):
            continue
        length, width, yaw = floats[_BODY.half_length, i], floats[_BODY.half_width, i], floats[_BODY.yaw, i]
        speed = hypot(floats[_BODY.velocity_x, i], floats[_BODY.velocity_y, i])
        reach, turn = hypot(length, width), abs(floats[_BODY.yaw_rate, i]) * dt
        way = speed * dt + min(turn, 1.0) * (reach + abs(floats[_BODY.cg_forward, i])) + margin
        x, y, z = floats[_BODY.x, i], floats[_BODY.y, i], floats[_BODY.z, i]
        low_x, low_y, high_x, high_y = x - reach - way, y - reach - way, x + reach + way, y + reach + way
        low_z, high_z = z - floats[_BODY.half_height, i], z + floats[_BODY.half_height, i]
        first_column, last_column, first_row, last_row = cells_within(grid, low_x, low_y, high_x, high_y)
        for row in range(first_row, last_row + 1):
            for cell in range(row * columns + first_column, row * columns + last_column + 1):
                for entry in range(grid.first[cell], grid.first[cell + 1]):
                    p = grid.part[entry]
                    if not overlaps(grid.bounds, p, low_x, low_y, low_z, high_x, high_y, high_z):
                        continue
                    if box_gap(parts, p, x, y, yaw, length + way, width + way) < 0.0:
                        count = insert(found, count, p)
    kept = 0
    for k in range(count):
        if not is_gone(gone, owner[_PART.object, found[k]]):
            found[kept] = found[k]
            kept += 1
    return kept


@kernel
def write_parts(
    parts: FloatArray,
    owner: IntArray,
    objects: FloatArray,
    rows: IntArray,
    start: int,
    floats: FloatArray,
    ints: IntArray,
) -> None:
    """Write bodies of parts.

    Args:
        parts: the float block of `PartTable`, read-only.
        owner: its int block, likewise.
        objects: the float block of `ObjectTable`, likewise.
        rows: `(N,)` of the parts.
        start: row of the first of the bodies.
        floats: the float block of `BodyTable`, writable, zeros where they are written.
        ints: its int block, likewise.
    """
    parts, owner, objects, floats, ints = bare(parts), bare(owner), bare(objects), bare(floats), bare(ints)
    for k in range(rows.shape[0]):
        p, i = rows[k], start + k
        number = owner[_PART.object, p]
        floats[_BODY.x, i], floats[_BODY.y, i], floats[_BODY.z, i] = (
            parts[_PART.x, p],
            parts[_PART.y, p],
            parts[_PART.z, p],
        )
        floats[_BODY.yaw, i] = parts[_PART.yaw, p]
        floats[_BODY.half_length, i], floats[_BODY.half_width, i] = (
            parts[_PART.half_length, p],
            parts[_PART.half_width, p],
        )
        floats[_BODY.half_height, i] = parts[_PART.half_height, p]
        floats[_BODY.mass, i] = objects[_OBJECT.mass, number]
        floats[_BODY.inertia, i] = objects[_OBJECT.mass, number] * _GYRATION_SQUARED
        floats[_BODY.drag_factor, i] = VEHICLE_DRAG_FACTOR
        floats[_BODY.breakaway_speed, i] = objects[_OBJECT.breakaway_speed, number]
        ints[_BODY.id, i], ints[_BODY.kind, i] = -1 - number, _SCENERY


@inner_kernel
def insert(rows: IntArray, count: int, row: int) -> int:
    """Put a row into ascending ones if it is not among them; returns how many there are then."""
    k = count
    while k > 0 and rows[k - 1] > row:
        k -= 1
    if k > 0 and rows[k - 1] == row:
        return count
    for j in range(count, k, -1):
        rows[j] = rows[j - 1]
    rows[k] = row
    return count + 1


@kernel
def may_be_near_part(vehicle: FloatArray, parameter: FloatArray, dt: float, clear: Squares, corner: FloatArray) -> bool:
    """Whether a circle about a vehicle may reach a part in a tick; the quick answer before `is_near_part`.

    Args:
        vehicle: the float block of `VehicleState`, writable, at the end of the tick; it is only read.
        parameter: that of `VehicleParameter`, read-only.
        dt: the tick [s].
        clear: of the grid of the parts.
        corner: likewise.
    """
    for i in range(vehicle.shape[1]):
        reach = parameter[_PARAMETER.length, i] + parameter[_PARAMETER.width, i]
        reach = 0.75 * reach + dt * (abs(vehicle[_VEHICLE.velocity_x, i]) + abs(vehicle[_VEHICLE.velocity_y, i]))
        if not is_clear(clear, corner, vehicle[_VEHICLE.x, i], vehicle[_VEHICLE.y, i], reach):
            return True
    return False


@kernel
def is_near_part(vehicle: FloatArray, parameter: FloatArray, dt: float, parts: FloatArray, grid: PartGrid) -> bool:
    """Whether a vehicle with full dynamics may touch a part in a tick: so much is asked where it is alone in the world.

    Args:
        vehicle: the float block of `VehicleState`, writable, at the end of the tick; it is only read.
        parameter: that of `VehicleParameter`, read-only.
        dt: the tick [s].
        parts: the float block of `PartTable`, read-only.
        grid: of the parts.
    """
    for i in range(vehicle.shape[1]):
        length, width = 0.5 * parameter[_PARAMETER.length, i], 0.5 * parameter[_PARAMETER.width, i]
        middle = 0.5 * (
            parameter[_PARAMETER.wheelbase, i]
            + parameter[_PARAMETER.front_overhang, i]
            - parameter[_PARAMETER.rear_overhang, i]
        )
        yaw = vehicle[_VEHICLE.yaw, i]
        reach = hypot(length, width)
        speed = hypot(vehicle[_VEHICLE.velocity_x, i], vehicle[_VEHICLE.velocity_y, i])
        way = speed * dt + min(abs(vehicle[_FROM_YAW_RATE, i]) * dt, 1.0) * (reach + length)
        x, y = vehicle[_VEHICLE.x, i] + middle * np.cos(yaw), vehicle[_VEHICLE.y, i] + middle * np.sin(yaw)
        low_x, low_y, high_x, high_y = x - reach - way, y - reach - way, x + reach + way, y + reach + way
        low_z = vehicle[_VEHICLE.z, i] - _LIFT
        high_z = vehicle[_VEHICLE.z, i] + parameter[_PARAMETER.height, i] + _LIFT
        first_column, last_column, first_row, last_row = cells_within(grid, low_x, low_y, high_x, high_y)
        for row in range(first_row, last_row + 1):
            for cell in range(row * grid.cells[0] + first_column, row * grid.cells[0] + last_column + 1):
                for entry in range(grid.first[cell], grid.first[cell + 1]):
                    p = grid.part[entry]
                    if not overlaps(grid.bounds, p, low_x, low_y, low_z, high_x, high_y, high_z):
                        continue
                    if box_gap(parts, p, x, y, yaw, length + way, width + way) < 0.0:
                        return True
    return False
