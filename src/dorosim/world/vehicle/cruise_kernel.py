"""How a vehicle with full dynamics follows the plan of its driver."""

from __future__ import annotations

from math import atan, cos, floor, pi, sin

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.traffic.state import SpeedMode, TrafficState
from dorosim.world.vehicle.mode import ControlKind
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

_TRAFFIC = TrafficState.at
_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at

PLACE_GAIN, SPEED_GAIN = 1.0, 2.0
"""Acceleration for each metre [1/s²] and for each metre per second [1/s] that the vehicle lacks: critically damped."""
STEER_GAIN, STANLEY_SOFTENING_SPEED = 4.0, 1.0
"""Of the lateral error [1/s], and the speed that keeps the law gentle when slow [m/s]."""
MAX_PLAN_DISTANCE = 4.0
"""A plan that is farther than this from its vehicle [m] is given up, and another one made from where that is."""
HOLD_SPEED, _HOLD_BRAKE = 0.3, 1.0
"""Slower than this [m/s] behind a plan that stands, the vehicle is stopped with this deceleration [m/s²]."""
MIN_CURVATURE_SPEED = 1.0
"""Curvature is yaw rate over at least this speed [m/s]."""
SPARE_SPEED = 0.3
"""How much slower than its top speed a vehicle is driven [m/s]: near that its drive fades."""
PLAN_TRACKED, PLAN_LOST = 1, 2
"""Values of `plan_of_ego`: the vehicle follows its plan; it has lost it."""

_BY_ACCELERATION, _BY_RATIO = int(ControlKind.ACCELERATION), int(SpeedMode.LINK_RATIO)
_CONSTANT = int(SpeedMode.CONSTANT)


@inner_kernel
def track_plan(plan: FloatArray, row: int, state: FloatArray, parameter: FloatArray, own: int) -> bool:
    """Write acceleration and wheel angle of one vehicle. Returns whether its plan is near enough to be followed."""
    yaw, plan_yaw = state[_VEHICLE.yaw, own], plan[_TRAFFIC.yaw, row]
    dx, dy = plan[_TRAFFIC.x, row] - state[_VEHICLE.x, own], plan[_TRAFFIC.y, row] - state[_VEHICLE.y, own]
    c, s = cos(plan_yaw), sin(plan_yaw)
    speed, plan_speed = state[_VEHICLE.velocity_x, own], plan[_TRAFFIC.speed, row]
    acceleration = plan[_TRAFFIC.acceleration, row] + PLACE_GAIN * (dx * c + dy * s) + SPEED_GAIN * (plan_speed - speed)
    if plan_speed < 0.05 and speed < HOLD_SPEED:
        acceleration = -_HOLD_BRAKE
    wheelbase = parameter[_PARAMETER.wheelbase, own]
    heading_error = plan_yaw - yaw
    heading_error -= 2.0 * pi * floor((heading_error + pi) / (2.0 * pi))
    lateral_error = dy * c - dx * s + wheelbase * sin(heading_error)
    steer = atan(wheelbase * plan[_TRAFFIC.yaw_rate, row] / max(plan_speed, MIN_CURVATURE_SPEED)) + heading_error
    steer += atan(STEER_GAIN * lateral_error / (STANLEY_SOFTENING_SPEED + max(speed, 0.0)))
    state[_VEHICLE.target_acceleration, own] = acceleration
    state[_VEHICLE.target_steer, own] = min(
        max(steer, -parameter[_PARAMETER.max_steer, own]), parameter[_PARAMETER.max_steer, own]
    )
    state[_VEHICLE.target_rear_steer, own] = 0.0
    near: bool = dx * dx + dy * dy <= MAX_PLAN_DISTANCE * MAX_PLAN_DISTANCE
    return near


@inner_kernel
def desired_speed_of(ratio: float, speed: float, limit: float, top_speed: float) -> tuple[int, float]:
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
    plan: FloatArray,
    int_plan: IntArray,
    limit: FloatArray,
    parameter: FloatArray,
    state: FloatArray,
    ints: IntArray,
) -> None:
    """Write the commands of all vehicles that follow a plan, and the speeds to cruise at into the plans.

    Args:
        plan: the float block of `TrafficState`, writable.
        int_plan: its int block, writable; `plan_of_ego` becomes ASTRAY where a vehicle has lost its plan.
        limit: speed limit of every link [m/s], read-only.
        parameter: the float block of `VehicleParameter`, read-only.
        state: the float block of `VehicleState`, writable.
        ints: its int block, writable. Both tables are sorted by id.
    """
    own, count = 0, state.shape[1]
    for row in range(plan.shape[1]):
        if int_plan[_TRAFFIC.plan_of_ego, row] == 0:
            continue
        while own < count and ints[_VEHICLE.id, own] < int_plan[_TRAFFIC.id, row]:
            own += 1
        if own == count or ints[_VEHICLE.id, own] != int_plan[_TRAFFIC.id, row]:
            continue
        if not track_plan(plan, row, state, parameter, own):
            int_plan[_TRAFFIC.plan_of_ego, row] = PLAN_LOST
        ints[_VEHICLE.control_kind, own] = _BY_ACCELERATION
        int_plan[_TRAFFIC.speed_mode, row], plan[_TRAFFIC.desired_speed, row] = desired_speed_of(
            state[_VEHICLE.cruise_ratio, own],
            state[_VEHICLE.cruise_speed, own],
            limit[int_plan[_TRAFFIC.link, row]],
            parameter[_PARAMETER.max_speed, own],
        )
        plan[_TRAFFIC.lateral_bias, row] = state[_VEHICLE.cruise_bias, own]
