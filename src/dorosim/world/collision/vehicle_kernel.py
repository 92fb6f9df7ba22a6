"""Bodies of the vehicles with full dynamics."""

from __future__ import annotations

from math import cos, sin

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import kernel
from dorosim.world.collision.body import VEHICLE_DRAG_FACTOR, BodyKind, BodyTable
from dorosim.world.vehicle.mode import ControlKind
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

_BODY = BodyTable.at
_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at

_FROM_YAW_RATE = _VEHICLE.angular_velocity + 2
_EGO, _GHOST = int(BodyKind.EGO), int(ControlKind.GHOST)


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
        int_body[_BODY.id, k], int_body[_BODY.kind, k] = ints[_VEHICLE.id, i], _EGO
        int_body[_BODY.movable, k] = (
            0 if ints[_VEHICLE.control_kind, i] == _GHOST or ints[_VEHICLE.paused, i] != 0 else 1
        )
