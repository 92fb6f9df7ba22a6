"""Bodies of the vehicles with full dynamics."""

from __future__ import annotations

from math import cos, sin

from dorosim.ground.column import RealArray, WholeArray
from dorosim.ground.jit import kernel
from dorosim.world.collision.body import VEHICLE_DRAG_FACTOR, BodyKind, BodyTable
from dorosim.world.vehicle.mode import ControlKind
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

_B, _P, _S = BodyTable, VehicleParameter, VehicleState
_X, _Y, _Z, _YAW = _B.x.index, _B.y.index, _B.z.index, _B.yaw.index
_HALF_LENGTH, _HALF_WIDTH, _HALF_HEIGHT = _B.half_length.index, _B.half_width.index, _B.half_height.index
_CG, _VX, _VY, _TURN = _B.cg_forward.index, _B.velocity_x.index, _B.velocity_y.index, _B.yaw_rate.index
_MASS, _INERTIA, _DRAG = _B.mass.index, _B.inertia.index, _B.drag_factor.index
_ID, _KIND, _MOVABLE = _B.id.index, _B.kind.index, _B.movable.index
_FROM_X, _FROM_Y, _FROM_Z, _FROM_YAW = _S.x.index, _S.y.index, _S.z.index, _S.yaw.index
_FROM_VX, _FROM_VY, _FROM_TURN = _S.velocity_x.index, _S.velocity_y.index, _S.angular_velocity.index + 2
_FROM_ID, _CONTROL, _PAUSED = _S.id.index, _S.control_kind.index, _S.paused.index
_LENGTH, _WIDTH, _HEIGHT = _P.length.index, _P.width.index, _P.height.index
_WHEELBASE, _FRONT, _BACK = _P.wheelbase.index, _P.front_overhang.index, _P.rear_overhang.index
_FROM_MASS, _FROM_INERTIA, _REAR = _P.mass.index, _P.yaw_inertia.index, _P.rear_distance.index
_EGO, _GHOST = int(BodyKind.EGO), int(ControlKind.GHOST)


@kernel
def write_vehicle_bodies(
    parameter: RealArray, state: RealArray, whole: WholeArray, real: RealArray, whole_body: WholeArray, start: int
) -> None:
    """Write a body for every vehicle.

    The body origin of a vehicle is on its rear axle; the centre of the box lies midway between the bumpers, half the
    height above the ground. A robot, whose centre of gravity and inertia are not known, has those of its box. A vehicle
    that is paused stands fast, whatever the motion with which it goes on.

    Args:
        parameter: `(columns, rows)` the read-only real block of `VehicleParameter`.
        state: `(columns, rows)` the writable real block of `VehicleState`; it is only read.
        whole: `(columns, rows)` its writable whole block; it is only read.
        real: `(columns, N)` the real block of `BodyTable`, written.
        whole_body: `(columns, N)` its whole block, written.
        start: row of the first vehicle's body.
    """
    for i in range(state.shape[1]):
        k = start + i
        middle = 0.5 * (parameter[_WHEELBASE, i] + parameter[_FRONT, i] - parameter[_BACK, i])
        rear = parameter[_REAR, i] if parameter[_FROM_INERTIA, i] > 0.0 else middle
        c, s = cos(state[_FROM_YAW, i]), sin(state[_FROM_YAW, i])
        vx, vy, turn = 0.0, 0.0, 0.0
        if whole[_PAUSED, i] == 0:
            vx, turn = state[_FROM_VX, i], state[_FROM_TURN, i]
            vy = state[_FROM_VY, i] + rear * turn
        real[_X, k], real[_Y, k] = state[_FROM_X, i] + middle * c, state[_FROM_Y, i] + middle * s
        real[_Z, k] = state[_FROM_Z, i] + 0.5 * parameter[_HEIGHT, i]
        real[_YAW, k] = state[_FROM_YAW, i]
        real[_HALF_LENGTH, k], real[_HALF_WIDTH, k] = 0.5 * parameter[_LENGTH, i], 0.5 * parameter[_WIDTH, i]
        real[_HALF_HEIGHT, k] = 0.5 * parameter[_HEIGHT, i]
        real[_CG, k] = rear - middle
        real[_VX, k], real[_VY, k], real[_TURN, k] = c * vx - s * vy, s * vx + c * vy, turn
        real[_MASS, k], real[_INERTIA, k] = parameter[_FROM_MASS, i], parameter[_FROM_INERTIA, i]
        real[_DRAG, k] = VEHICLE_DRAG_FACTOR
        whole_body[_ID, k], whole_body[_KIND, k] = whole[_FROM_ID, i], _EGO
        whole_body[_MOVABLE, k] = 0 if whole[_CONTROL, i] == _GHOST or whole[_PAUSED, i] != 0 else 1
