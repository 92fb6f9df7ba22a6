"""The share of vehicles with full dynamics in an ordinary tick."""

from __future__ import annotations

from math import cos, sin

from dorosim.ground.address_kernel import float_rows_at, floats_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.ordinary.link_kernel import (
    FIND_WHEEL_GROUND,
    FOLLOW_SURFACE,
    IS_NEAR_PART,
    MAY_BE_NEAR_PART,
    STEP_VEHICLES,
    WRITE_WHEEL_FRICTION,
)
from dorosim.world.ordinary.word import Rare, TickWord
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

_VEHICLE, _PARAMETER = VehicleState.at, VehicleParameter.at
_COLUMNS, _INT_COLUMNS = VehicleState.float_width, len(VehicleState.int_columns)
_PARAMETERS = VehicleParameter.float_width
_SURFACE_FRICTION, _LOSS, _CONTROL_LOSS = (
    _VEHICLE.surface_friction,
    _VEHICLE.tire_stiffness_loss,
    _VEHICLE.control_loss,
)
_LOSS_END = _VEHICLE.tire_drag + VehicleState.tire_drag.count
_CONTROL_END = _VEHICLE.control_bias + VehicleState.control_bias.count
_DISTURBED, _DISTURBED_END = (
    _VEHICLE.disturbance_left,
    _VEHICLE.disturbance_left + VehicleState.disturbance_left.count,
)
_GAP, _GAP_END = _VEHICLE.wheel_gap, _VEHICLE.surface_drag + VehicleState.surface_drag.count
_TRAJECTORY, _CRUISE = int(ControlKind.TRAJECTORY), int(ControlMode.CRUISE)
_MODE, _FAULT, _ROLLED, _KERNEL = int(Rare.MODE), int(Rare.FAULT), int(Rare.ROLLED), int(Rare.KERNEL)
_NEAR, _ARRIVAL = int(Rare.NEAR), int(Rare.ARRIVAL)
_MARGIN = 1e-6
"""Goals count as reached so much too early [m]: Python then looks exactly."""

_find_wheel_ground, _follow_surface = FIND_WHEEL_GROUND.call, FOLLOW_SURFACE.call
_write_wheel_friction, _step_vehicles = WRITE_WHEEL_FRICTION.call, STEP_VEHICLES.call
_may_be_near_part, _is_near_part = MAY_BE_NEAR_PART.call, IS_NEAR_PART.call

_W_DT, _W_SUBSTEP, _W_SUBSTEPS = int(TickWord.DT), int(TickWord.SUBSTEP), int(TickWord.SUBSTEPS)
_W_ROWS, _W_FLOATS, _W_INTS = int(TickWord.VEHICLES), int(TickWord.VEHICLE_FLOATS), int(TickWord.VEHICLE_INTS)
_W_PARAMETER, _W_PARAMETER_INTS = int(TickWord.PARAMETER_FLOATS), int(TickWord.PARAMETER_INTS)
_W_SURFACE, _W_TERRAIN, _W_AREAS = int(TickWord.SURFACE), int(TickWord.TERRAIN), int(TickWord.AREAS)
_W_SLIPPERY, _W_ROAD, _W_WATER, _W_SNOW = (
    int(TickWord.SLIPPERY),
    int(TickWord.ROAD),
    int(TickWord.WATER),
    int(TickWord.SNOW),
)
_W_PARTS, _W_CLEAR, _W_CORNER, _W_GRID = (
    int(TickWord.PARTS),
    int(TickWord.CLEAR),
    int(TickWord.CORNER),
    int(TickWord.GRID),
)
_W_GOALS, _W_GOAL = int(TickWord.GOALS), int(TickWord.GOAL)
_W_FIND_GROUND, _W_FOLLOW = int(TickWord.FIND_WHEEL_GROUND), int(TickWord.FOLLOW_SURFACE)
_W_FRICTION, _W_STEP = int(TickWord.WRITE_WHEEL_FRICTION), int(TickWord.STEP_VEHICLES)
_W_MAY_BE_NEAR, _W_IS_NEAR = int(TickWord.MAY_BE_NEAR_PART), int(TickWord.IS_NEAR_PART)


@inner_kernel
def holds_other_than(floats: FloatArray, first: int, end: int, value: float) -> bool:
    """Whether any of some columns of a block `(columns, rows)` holds another number than one, or NaN."""
    found = False
    for k in range(first, end):
        for i in range(floats.shape[1]):
            found |= floats[k, i] != value
    return found


@inner_kernel
def rare_mode(ints: IntArray) -> int:
    """What vehicles do that Python does: `Rare.MODE`, or 0."""
    for i in range(ints.shape[1]):
        special = ints[_VEHICLE.paused, i] == 1 or ints[_VEHICLE.control_mode, i] == _CRUISE
        if special or ints[_VEHICLE.control_kind, i] == _TRAJECTORY:
            return _MODE
    return 0


@inner_kernel
def find_ground(words: IntArray, real: FloatArray, start: int) -> int:
    """Write the ground under all vehicles of the block at an address; returns `Rare`."""
    rows = words[_W_ROWS]
    place, int_place = start + 8 * words[_W_FLOATS], start + 8 * words[_W_INTS]
    floats, ints = float_rows_at(place, _COLUMNS, rows), int_rows_at(int_place, _INT_COLUMNS, rows)
    if words[_W_TERRAIN] != 0:
        if words[_W_FIND_GROUND] == 0:
            return _KERNEL
        arrays = (words[_W_SURFACE], words[_W_TERRAIN], words[_W_PARAMETER], floats, ints, real[_W_DT])
        _find_wheel_ground(words[_W_FIND_GROUND], arrays)
        return 0
    if words[_W_FOLLOW] == 0:
        return _KERNEL
    _follow_surface(
        words[_W_FOLLOW],
        (
            words[_W_SURFACE],
            floats_at(place + 8 * rows * _VEHICLE.x, rows),
            floats_at(place + 8 * rows * _VEHICLE.y, rows),
            floats_at(place + 8 * rows * _VEHICLE.z, rows),
            ints_at(int_place + 8 * rows * _VEHICLE.segment, rows),
            floats_at(place + 8 * rows * _VEHICLE.ground_height, rows),
            floats_at(place + 8 * rows * _VEHICLE.ground_slope_x, rows),
            floats_at(place + 8 * rows * _VEHICLE.ground_slope_y, rows),
        ),
    )
    return 0


@inner_kernel
def move_vehicles(words: IntArray, real: FloatArray, start: int) -> int:
    """Move all vehicles with full dynamics in the block at an address; returns `Rare`: `step._move_vehicles`."""
    rows = words[_W_ROWS]
    floats = float_rows_at(start + 8 * words[_W_FLOATS], _COLUMNS, rows)
    ints = int_rows_at(start + 8 * words[_W_INTS], _INT_COLUMNS, rows)
    rare = rare_mode(ints)
    if rare != 0:
        return rare
    rare = find_ground(words, real, start)
    if rare != 0:
        return rare
    faulty = holds_other_than(floats, _LOSS, _LOSS_END, 0.0)
    faulty |= holds_other_than(floats, _CONTROL_LOSS, _CONTROL_END, 0.0)
    if faulty or holds_other_than(floats, _DISTURBED, _DISTURBED_END, 0.0):
        return _FAULT
    slippery = words[_W_SLIPPERY] != 0 or holds_other_than(floats, _SURFACE_FRICTION, _SURFACE_FRICTION + 4, 1.0)
    if slippery or holds_other_than(floats, _GAP, _GAP_END, 0.0):
        if words[_W_FRICTION] == 0:
            return _KERNEL
        on_road = (words[_W_PARAMETER], floats, words[_W_AREAS], real[_W_ROAD], real[_W_WATER], real[_W_SNOW])
        _write_wheel_friction(words[_W_FRICTION], on_road)
    if words[_W_STEP] == 0:
        return _KERNEL
    moved = (words[_W_PARAMETER], words[_W_PARAMETER_INTS], floats, ints, real[_W_SUBSTEP], words[_W_SUBSTEPS])
    _step_vehicles(words[_W_STEP], moved)
    for i in range(rows):
        if words[_W_TERRAIN] != 0 and ints[_VEHICLE.rolled, i] == 1:
            return _ROLLED
    return 0


@inner_kernel
def meet_scenery(words: IntArray, real: FloatArray, start: int) -> int:
    """`Rare.NEAR` if a vehicle may touch a part of the scenery: `collision.scenery.is_near_scenery`."""
    if words[_W_PARTS] == 0:
        return 0
    if words[_W_MAY_BE_NEAR] == 0 or words[_W_IS_NEAR] == 0:
        return _KERNEL
    floats = float_rows_at(start + 8 * words[_W_FLOATS], _COLUMNS, words[_W_ROWS])
    near = (floats, words[_W_PARAMETER], real[_W_DT], words[_W_CLEAR], words[_W_CORNER])
    if not _may_be_near_part(words[_W_MAY_BE_NEAR], near):
        return 0
    nearer = (floats, words[_W_PARAMETER], real[_W_DT], words[_W_PARTS], words[_W_GRID])
    return _NEAR if _is_near_part(words[_W_IS_NEAR], nearer) else 0


@inner_kernel
def reach_goals(words: IntArray, start: int, parameter: FloatArray) -> int:
    """`Rare.ARRIVAL` if the origin or the front of a vehicle is at its goal, or nearly: `Goals.with_arrivals`."""
    count = words[_W_GOALS]
    if count == 0:
        return 0
    floats = float_rows_at(start + 8 * words[_W_FLOATS], _COLUMNS, words[_W_ROWS])
    goal = float_rows_at(words[_W_GOAL], 4, count)
    for k in range(count):
        i, reach = int(goal[0, k]), goal[3, k] + _MARGIN
        ahead = parameter[_PARAMETER.wheelbase, i] + parameter[_PARAMETER.front_overhang, i]
        dx, dy = floats[_VEHICLE.x, i] - goal[1, k], floats[_VEHICLE.y, i] - goal[2, k]
        to_x, to_y = dx + ahead * cos(floats[_VEHICLE.yaw, i]), dy + ahead * sin(floats[_VEHICLE.yaw, i])
        if not (dx * dx + dy * dy > reach * reach and to_x * to_x + to_y * to_y > reach * reach):
            return _ARRIVAL
    return 0
