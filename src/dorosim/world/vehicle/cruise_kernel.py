"""How a vehicle with full dynamics follows the plan of its driver."""

from __future__ import annotations

from math import atan, cos, floor, pi, sin

from dorosim.ground.column import RealArray, WholeArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.traffic.state import SpeedMode, TrafficState
from dorosim.world.vehicle.mode import ControlKind
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

PLACE_GAIN, SPEED_GAIN = 1.0, 2.0
"""Acceleration for each metre [1/s²] and for each metre per second [1/s] that the vehicle lacks: critically damped."""
STEER_GAIN, SOFTENING = 4.0, 1.0
"""Of the lateral error [1/s], and the speed that keeps the law gentle when slow [m/s]."""
LOST = 4.0
"""A plan that is farther than this from its vehicle [m] is given up, and another one made from where that is."""
HOLD_SPEED, HOLD_BRAKE = 0.3, 1.0
"""Slower than this [m/s] behind a plan that stands, the vehicle is stopped with this deceleration [m/s²]."""
SLOWEST = 1.0
"""Curvature is yaw rate over at least this speed [m/s]."""
SPARE_SPEED = 0.3
"""How much slower than its top speed a vehicle is driven [m/s]: near that its drive fades."""
FOLLOWED, ASTRAY = 1, 2
"""Values of `plan_of_ego`: the vehicle follows its plan; it has lost it."""

_T, _S, _P = TrafficState, VehicleState, VehicleParameter
_PLAN, _ID, _LINK, _SPEED_MODE = _T.plan_of_ego.index, _T.id.index, _T.link.index, _T.speed_mode.index
_PLAN_X, _PLAN_Y, _PLAN_YAW = _T.x.index, _T.y.index, _T.yaw.index
_PLAN_SPEED, _PLAN_ACCELERATION, _PLAN_TURN = _T.speed.index, _T.acceleration.index, _T.yaw_rate.index
_DESIRED, _OFFSET, _BIAS = _T.desired_speed.index, _T.lateral_bias.index, _S.cruise_bias.index
_X, _Y, _YAW, _VX, _OWN_ID = _S.x.index, _S.y.index, _S.yaw.index, _S.velocity_x.index, _S.id.index
_KIND, _RATIO, _SPEED = _S.control_kind.index, _S.cruise_ratio.index, _S.cruise_speed.index
_ACCELERATION, _STEER, _REAR = _S.target_acceleration.index, _S.target_steer.index, _S.target_rear_steer.index
_WHEELBASE, _MOST, _TOP_SPEED = _P.wheelbase.index, _P.max_steer.index, _P.max_speed.index
_BY_ACCELERATION, _BY_RATIO = int(ControlKind.ACCELERATION), int(SpeedMode.LINK_RATIO)
_CONSTANT = int(SpeedMode.CONSTANT)


@inner_kernel
def drive_after(plan: RealArray, row: int, state: RealArray, parameter: RealArray, own: int) -> bool:
    """Write acceleration and wheel angle of one vehicle. Returns whether its plan is near enough to be followed."""
    yaw, plan_yaw = state[_YAW, own], plan[_PLAN_YAW, row]
    dx, dy = plan[_PLAN_X, row] - state[_X, own], plan[_PLAN_Y, row] - state[_Y, own]
    c, s = cos(plan_yaw), sin(plan_yaw)
    speed, plan_speed = state[_VX, own], plan[_PLAN_SPEED, row]
    acceleration = plan[_PLAN_ACCELERATION, row] + PLACE_GAIN * (dx * c + dy * s) + SPEED_GAIN * (plan_speed - speed)
    if plan_speed < 0.05 and speed < HOLD_SPEED:
        acceleration = -HOLD_BRAKE
    wheelbase = parameter[_WHEELBASE, own]
    turn = plan_yaw - yaw
    turn -= 2.0 * pi * floor((turn + pi) / (2.0 * pi))
    to_left = dy * c - dx * s + wheelbase * sin(turn)
    steer = atan(wheelbase * plan[_PLAN_TURN, row] / max(plan_speed, SLOWEST)) + turn
    steer += atan(STEER_GAIN * to_left / (SOFTENING + max(speed, 0.0)))
    state[_ACCELERATION, own] = acceleration
    state[_STEER, own] = min(max(steer, -parameter[_MOST, own]), parameter[_MOST, own])
    state[_REAR, own] = 0.0
    near: bool = dx * dx + dy * dy <= LOST * LOST
    return near


@inner_kernel
def wish_of(ratio: float, speed: float, limit: float, top_speed: float) -> tuple[int, float]:
    """Speed mode and desired speed of a driver that drives at a ratio of the limit [m/s], or else at a speed.

    No driver plans to go faster than its vehicle can, whose top speed a command may have limited.
    """
    mode, wish = (_BY_RATIO, ratio) if ratio > 0.0 else (_CONSTANT, speed)
    most = top_speed - SPARE_SPEED
    if (wish * limit if ratio > 0.0 else wish) > most:
        return _CONSTANT, max(most, 0.0)
    return mode, wish


@kernel
def drive_after_plans(
    plan: RealArray,
    whole_plan: WholeArray,
    limit: RealArray,
    parameter: RealArray,
    state: RealArray,
    whole: WholeArray,
) -> None:
    """Write the commands of all vehicles that follow a plan, and the speeds to cruise at into the plans.

    Args:
        plan: the real block of `TrafficState`, writable.
        whole_plan: its whole block, writable; `plan_of_ego` becomes ASTRAY where a vehicle has lost its plan.
        limit: speed limit of every link [m/s], read-only.
        parameter: the real block of `VehicleParameter`, read-only.
        state: the real block of `VehicleState`, writable.
        whole: its whole block, writable. Both tables are sorted by id.
    """
    own, count = 0, state.shape[1]
    for row in range(plan.shape[1]):
        if whole_plan[_PLAN, row] == 0:
            continue
        while own < count and whole[_OWN_ID, own] < whole_plan[_ID, row]:
            own += 1
        if own == count or whole[_OWN_ID, own] != whole_plan[_ID, row]:
            continue
        if not drive_after(plan, row, state, parameter, own):
            whole_plan[_PLAN, row] = ASTRAY
        whole[_KIND, own] = _BY_ACCELERATION
        whole_plan[_SPEED_MODE, row], plan[_DESIRED, row] = wish_of(
            state[_RATIO, own], state[_SPEED, own], limit[whole_plan[_LINK, row]], parameter[_TOP_SPEED, own]
        )
        plan[_OFFSET, row] = state[_BIAS, own]
