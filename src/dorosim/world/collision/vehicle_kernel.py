"""Bodies of the vehicles with full dynamics."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.collision.body import VEHICLE_DRAG_FACTOR, BodyKind, BodyTable
from dorosim.world.vehicle.mode import ControlKind
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.rigid_box_kernel import write_rotation
from dorosim.world.vehicle.state import VehicleState

_BODY = BodyTable.at
_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at

_FROM_YAW_RATE = _VEHICLE.angular_velocity + 2
_EGO, _GHOST = int(BodyKind.EGO), int(ControlKind.GHOST)


@inner_kernel
def write_rolled_body(
    parameter: FloatArray, state: FloatArray, i: int, floats: FloatArray, k: int, middle: float, rear: float
) -> None:
    """Write the upright box around the box of a vehicle that has rolled over, and the motion of its centre of gravity.

    Args:
        parameter: the float block of `VehicleParameter`.
        state: the float block of `VehicleState`.
        i: the vehicle's row.
        floats: the float block of `BodyTable`, written.
        k: row of the body.
        middle: from the body origin to the middle of the box [m].
        rear: from the body origin to the centre of gravity [m].
    """
    turned = np.empty((3, 3))
    write_rotation(turned, state[_VEHICLE.roll, i], state[_VEHICLE.pitch, i], state[_VEHICLE.yaw, i])
    height, cg_height = parameter[_PARAMETER.height, i], parameter[_PARAMETER.cg_height, i]
    half = (0.5 * parameter[_PARAMETER.length, i], 0.5 * parameter[_PARAMETER.width, i], 0.5 * height)
    c, s = cos(state[_VEHICLE.yaw, i]), sin(state[_VEHICLE.yaw, i])
    along, across, up = 0.0, 0.0, 0.0
    for axis, size in enumerate(half):
        along += abs(c * turned[0, axis] + s * turned[1, axis]) * size
        across += abs(c * turned[1, axis] - s * turned[0, axis]) * size
        up += abs(turned[2, axis]) * size
    floats[_BODY.half_length, k], floats[_BODY.half_width, k], floats[_BODY.half_height, k] = along, across, up
    rate, speed = _VEHICLE.angular_velocity, _VEHICLE.velocity_x
    for axis in range(3):
        from_origin = turned[axis, 0] * middle + turned[axis, 2] * 0.5 * height
        floats[_BODY.x + axis, k] = state[_VEHICLE.x + axis, i] + from_origin
    floats[_BODY.cg_forward, k] = c * (
        turned[0, 0] * (rear - middle) + turned[0, 2] * (cg_height - 0.5 * height)
    ) + s * (turned[1, 0] * (rear - middle) + turned[1, 2] * (cg_height - 0.5 * height))
    # velocity of the centre of gravity in the body: that of the origin, and omega x arm
    vx = state[speed, i] + state[rate + 1, i] * cg_height
    vy = state[speed + 1, i] + state[rate + 2, i] * rear - state[rate, i] * cg_height
    vz = state[speed + 2, i] - state[rate + 1, i] * rear
    for axis in range(2):
        floats[_BODY.velocity_x + axis, k] = turned[axis, 0] * vx + turned[axis, 1] * vy + turned[axis, 2] * vz
    floats[_BODY.yaw_rate, k] = (
        turned[2, 0] * state[rate, i] + turned[2, 1] * state[rate + 1, i] + turned[2, 2] * state[rate + 2, i]
    )


@kernel
def write_vehicle_bodies(
    parameter: FloatArray, state: FloatArray, ints: IntArray, floats: FloatArray, int_body: IntArray, start: int
) -> None:
    """Write a body for every vehicle.

    The body origin of a vehicle is on its rear axle; the centre of the box lies midway between the bumpers, half the
    height above the ground. A robot, whose centre of gravity and inertia are not known, has those of its box. A vehicle
    that is paused stands fast, whatever the motion with which it goes on.

    Args:
        parameter: `(columns, rows)` the read-only float block of `VehicleParameter`.
        state: `(columns, rows)` the writable float block of `VehicleState`; it is only read.
        ints: `(columns, rows)` its writable int block; it is only read.
        floats: `(columns, N)` the float block of `BodyTable`, written.
        int_body: `(columns, N)` its int block, written.
        start: row of the first vehicle's body.
    """
    for i in range(state.shape[1]):
        k = start + i
        middle = 0.5 * (
            parameter[_PARAMETER.wheelbase, i]
            + parameter[_PARAMETER.front_overhang, i]
            - parameter[_PARAMETER.rear_overhang, i]
        )
        rear = parameter[_PARAMETER.rear_distance, i] if parameter[_PARAMETER.yaw_inertia, i] > 0.0 else middle
        c, s = cos(state[_VEHICLE.yaw, i]), sin(state[_VEHICLE.yaw, i])
        vx, vy, yaw_rate = 0.0, 0.0, 0.0
        if ints[_VEHICLE.paused, i] == 0:
            vx, yaw_rate = state[_VEHICLE.velocity_x, i], state[_FROM_YAW_RATE, i]
            vy = state[_VEHICLE.velocity_y, i] + rear * yaw_rate
        floats[_BODY.x, k], floats[_BODY.y, k] = state[_VEHICLE.x, i] + middle * c, state[_VEHICLE.y, i] + middle * s
        floats[_BODY.z, k] = state[_VEHICLE.z, i] + 0.5 * parameter[_PARAMETER.height, i]
        floats[_BODY.yaw, k] = state[_VEHICLE.yaw, i]
        floats[_BODY.half_length, k] = 0.5 * parameter[_PARAMETER.length, i]
        floats[_BODY.half_width, k] = 0.5 * parameter[_PARAMETER.width, i]
        floats[_BODY.half_height, k] = 0.5 * parameter[_PARAMETER.height, i]
        floats[_BODY.cg_forward, k] = rear - middle
        floats[_BODY.velocity_x, k] = c * vx - s * vy
        floats[_BODY.velocity_y, k] = s * vx + c * vy
        floats[_BODY.yaw_rate, k] = yaw_rate
        floats[_BODY.mass, k] = parameter[_PARAMETER.mass, i]
        floats[_BODY.inertia, k] = parameter[_PARAMETER.yaw_inertia, i]
        floats[_BODY.drag_factor, k] = VEHICLE_DRAG_FACTOR
        if ints[_VEHICLE.rolled, i] != 0:
            write_rolled_body(parameter, state, i, floats, k, middle, rear)
        int_body[_BODY.id, k], int_body[_BODY.kind, k] = ints[_VEHICLE.id, i], _EGO
        int_body[_BODY.movable, k] = (
            0 if ints[_VEHICLE.control_kind, i] == _GHOST or ints[_VEHICLE.paused, i] != 0 else 1
        )
