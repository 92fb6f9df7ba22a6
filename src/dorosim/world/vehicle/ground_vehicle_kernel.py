"""One tick of a ground vehicle: a robot or transporter whose wheels roll as commanded.

Its motors hold the commanded wheel speeds on any slope, so there are no forces: speeds follow the command with a
first-order lag and a limit on the acceleration of a wheel.

A vehicle with two driven sides (skid steering or differential drive) turns by their difference of speed over the
`slip_track`, which is wider than the track by the slip of skidding wheels (A. Mandow et al., "Experimental kinematics
for wheeled skid-steer mobile robots", IROS 2007). A vehicle with steered axles turns as its axles roll: each wants no
lateral speed in its wheels' frame, v_y + x_i omega = v_x tan(delta_i), which is solved for v_y and omega by least
squares over the axles. The steering type of the command counts: commanded to skid-steer, turn on the spot or follow a
yaw rate, a vehicle with steered axles does so as far as its turning circle or its yaw rate on the spot lets it.
"""

from __future__ import annotations

from math import sqrt, tan

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.vehicle.angle_kernel import rotation
from dorosim.world.vehicle.ground_frame_kernel import Motion, finish_motion, ground_frame, move
from dorosim.world.vehicle.longitudinal_kernel import gear_direction, unit_clip
from dorosim.world.vehicle.mode import ControlKind, DynamicsKind, SteerType
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

MIN_PEDAL_SPEED = 1e-3
"""The pedal's place is a share of the greatest speed, or of this where there is none [m/s]."""
AT_TARGET = 1e-4
"""A wheel speed this near its target has reached it [m/s]."""

_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at
_YAW_RATE = _VEHICLE.angular_velocity + 2

_HOLD, _PEDALS, _ACCELERATION = int(ControlKind.HOLD), int(ControlKind.PEDALS), int(ControlKind.ACCELERATION)
_ROLL = int(ControlKind.ROLL)
_DIRECT, _STATE = int(ControlKind.GROUND_DIRECT), int(ControlKind.GROUND_STATE)
_SKID_TYPE, _ACKERMANN, _ZERO_TURN = int(SteerType.SKID), int(SteerType.ACKERMANN), int(SteerType.ZERO_TURN)
_MULTI_AXLE = int(DynamicsKind.MULTI_AXLE)


@inner_kernel
def fraction_speed(parameter: FloatArray, i: int, fraction: float) -> float:
    """Speed at a fraction of -1 to 1 of the largest forward or backward speed [m/s]."""
    fraction = min(max(fraction, -1.0), 1.0)
    most: float = parameter[_PARAMETER.max_speed, i] if fraction > 0.0 else parameter[_PARAMETER.max_reverse_speed, i]
    return fraction * most


@inner_kernel
def car_command_speed(parameter: FloatArray, state: FloatArray, ints: IntArray, i: int) -> float:
    """Target speed under a command that is made for cars: pedals, speed or acceleration along the gear [m/s]."""
    direction = gear_direction(ints[_VEHICLE.gear, i])
    kind = ints[_VEHICLE.control_kind, i]
    if kind in (_PEDALS, _ROLL):
        pedal = unit_clip(state[_VEHICLE.target_accelerator, i]) * (1.0 - unit_clip(state[_VEHICLE.target_brake, i]))
        return fraction_speed(parameter, i, direction * pedal)
    if kind == _ACCELERATION:
        return fraction_speed(parameter, i, direction if state[_VEHICLE.target_acceleration, i] > 0.0 else 0.0)
    target: float = state[_VEHICLE.target_velocity, i]
    return max(target, 0.0) if direction > 0.0 else direction * abs(target)


@inner_kernel
def target_twist(parameter: FloatArray, state: FloatArray, ints: IntArray, i: int) -> tuple[float, float, bool]:
    """What the held command asks for: forward speed [m/s], yaw rate [rad/s], and whether the axles steer instead."""
    kind, steer_type = ints[_VEHICLE.control_kind, i], ints[_VEHICLE.steer_type, i]
    if kind == _HOLD:
        return 0.0, 0.0, True
    if kind == _STATE:
        return state[_VEHICLE.target_velocity, i], state[_VEHICLE.target_yaw_rate, i], False
    if kind != _DIRECT:
        return car_command_speed(parameter, state, ints, i), 0.0, True
    throttle = min(max(state[_VEHICLE.throttle, i], -1.0), 1.0)
    if steer_type == _ZERO_TURN:
        return 0.0, throttle * parameter[_PARAMETER.max_yaw_rate, i], False
    speed = fraction_speed(parameter, i, throttle)
    if steer_type != _SKID_TYPE:
        return speed, 0.0, True
    skid = min(max(state[_VEHICLE.skid_steering, i], -1.0), 1.0)
    left, right = throttle - skid, throttle + skid
    scale = 1.0 / max(abs(left), abs(right), 1.0)
    # one scale for both sides: with a slower one backwards, turning would drive the vehicle faster forwards
    most = parameter[_PARAMETER.max_speed, i] if throttle >= 0.0 else parameter[_PARAMETER.max_reverse_speed, i]
    left, right = left * scale * most, right * scale * most
    return 0.5 * (left + right), (right - left) / parameter[_PARAMETER.slip_track, i], False


@inner_kernel
def limit_twist(parameter: FloatArray, i: int, speed: float, yaw_rate: float) -> tuple[float, float]:
    """Speed and yaw rate that the vehicle can do: the larger of its yaw rate on the spot and its turning circle."""
    speed = min(max(speed, -parameter[_PARAMETER.max_reverse_speed, i]), parameter[_PARAMETER.max_speed, i])
    most = parameter[_PARAMETER.max_yaw_rate, i]
    if parameter[_PARAMETER.axle_max_steer, i] > 0.0 and most == 0.0:
        most = abs(speed) * tan(parameter[_PARAMETER.axle_max_steer, i]) / parameter[_PARAMETER.wheelbase, i]
    return speed, min(max(yaw_rate, -most), most)


@inner_kernel
def axle_target(state: FloatArray, ints: IntArray, i: int, axle: int, count: int) -> float:
    """The angle asked of an axle; a command made for cars steers the first and, with its rear angle, the last [rad]."""
    angle: float = state[_VEHICLE.axle_steer + axle, i]
    if ints[_VEHICLE.control_kind, i] == _HOLD:
        angle = state[_VEHICLE.axle_angle + axle, i]
    elif ints[_VEHICLE.control_kind, i] != _DIRECT:
        angle = state[_VEHICLE.target_rear_steer, i] if axle == count - 1 else 0.0
        if axle == 0:
            angle = state[_VEHICLE.target_steer, i]
    return angle


@inner_kernel
def turn_axles(
    parameter: FloatArray, state: FloatArray, ints: IntArray, i: int, count: int, most: float
) -> tuple[float, float]:
    """Turn the axles towards their command and fit the motion that rolls best on all of them.

    Args:
        parameter: the block of `VehicleParameter`.
        state: the float block of `VehicleState`.
        ints: its int block.
        i: the vehicle's row.
        count: axles.
        most: largest change of an angle [rad].

    Returns:
        lateral speed and yaw rate of the body origin over its forward speed, (ratio, 1/m).
    """
    mean_x, mean_tan = 0.0, 0.0
    for axle in range(count):
        limit = parameter[_PARAMETER.axle_max_steer + axle, i]
        target = min(max(axle_target(state, ints, i, axle, count), -limit), limit)
        angle = state[_VEHICLE.axle_angle + axle, i]
        state[_VEHICLE.axle_angle + axle, i] = angle + min(max(target - angle, -most), most)
        mean_x += parameter[_PARAMETER.axle_position + axle, i] / count
        mean_tan += tan(state[_VEHICLE.axle_angle + axle, i]) / count
    product, square = 0.0, 0.0
    for axle in range(count):
        x = parameter[_PARAMETER.axle_position + axle, i] - mean_x
        product += x * tan(state[_VEHICLE.axle_angle + axle, i])
        square += x * x
    curvature = product / square if square > 0.0 else 0.0
    return mean_tan - curvature * mean_x, curvature


@inner_kernel
def follow(value: float, target: float, lag: float, limit: float, dt: float) -> float:
    """A wheel speed after a step: first-order lag, limited acceleration, and the target when it is near [m/s]."""
    rest = target - value
    if abs(rest) < AT_TARGET:
        return target
    return value + min(max(rest * dt / (lag + dt), -limit * dt), limit * dt)


@inner_kernel
def next_twist(
    parameter: FloatArray, state: FloatArray, int_parameter: IntArray, ints: IntArray, i: int, dt: float
) -> tuple[float, float, float]:
    """Forward speed, lateral speed and yaw rate of the body origin after a sub-step."""
    speed, yaw_rate, steered = target_twist(parameter, state, ints, i)
    vx, last_yaw_rate = state[_VEHICLE.velocity_x, i], state[_YAW_RATE, i]
    lag, limit = parameter[_PARAMETER.drive_lag, i], parameter[_PARAMETER.max_acceleration, i]
    if ints[_VEHICLE.control_kind, i] == _ACCELERATION:
        limit = min(limit, abs(state[_VEHICLE.target_acceleration, i]))
    state[_VEHICLE.accelerator, i] = unit_clip(abs(speed) / max(parameter[_PARAMETER.max_speed, i], MIN_PEDAL_SPEED))
    state[_VEHICLE.brake, i] = 1.0 if ints[_VEHICLE.control_kind, i] == _HOLD else 0.0
    if steered and int_parameter[_PARAMETER.dynamics, i] == _MULTI_AXLE:
        count = int_parameter[_PARAMETER.axle_count, i]
        lateral, curvature = turn_axles(parameter, state, ints, i, count, parameter[_PARAMETER.steer_rate, i] * dt)
        state[_VEHICLE.steer, i] = state[_VEHICLE.axle_angle, i]
        state[_VEHICLE.rear_steer, i] = state[_VEHICLE.axle_angle + count - 1, i]
        speed, _ = limit_twist(parameter, i, speed, 0.0)
        speed = follow(vx, speed / sqrt(1.0 + lateral * lateral), lag, limit, dt)
        return speed, lateral * speed, curvature * speed
    if steered:
        yaw_rate = speed * tan(axle_target(state, ints, i, 0, 2)) / parameter[_PARAMETER.wheelbase, i]
    speed, yaw_rate = limit_twist(parameter, i, speed, yaw_rate)
    half = 0.5 * parameter[_PARAMETER.slip_track, i]
    left = follow(vx - half * last_yaw_rate, speed - half * yaw_rate, lag, limit, dt)
    right = follow(vx + half * last_yaw_rate, speed + half * yaw_rate, lag, limit, dt)
    speed, yaw_rate = 0.5 * (left + right), 0.5 * (right - left) / half
    # no wheel of a differential drive steers
    state[_VEHICLE.steer, i] = state[_VEHICLE.rear_steer, i] = 0.0
    return speed, 0.0, yaw_rate


@inner_kernel
def step_ground_vehicle(
    parameter: FloatArray, state: FloatArray, int_parameter: IntArray, ints: IntArray, i: int, dt: float, substeps: int
) -> None:
    """One tick of `substeps` sub-steps of `dt` seconds for the ground vehicle of row `i`."""
    state[_VEHICLE.z, i] = state[_VEHICLE.ground_height, i] + state[_VEHICLE.heave, i]
    start = (state[_VEHICLE.velocity_x, i], state[_VEHICLE.velocity_y, i])
    for _ in range(substeps):
        frame = ground_frame(state, i)
        vx, vy, yaw_rate = next_twist(parameter, state, int_parameter, ints, i, dt)
        forward = 0.5 * (vx + state[_VEHICLE.velocity_x, i]) * dt
        left = 0.5 * (vy + state[_VEHICLE.velocity_y, i]) * dt
        angle = 0.5 * (yaw_rate + state[_YAW_RATE, i]) * dt
        c, s = rotation(0.5 * angle)
        move(state, i, frame, Motion(c * forward - s * left, s * forward + c * left, angle))
        state[_VEHICLE.velocity_x, i], state[_VEHICLE.velocity_y, i], state[_YAW_RATE, i] = vx, vy, yaw_rate
    state[_VEHICLE.velocity_x, i], state[_VEHICLE.velocity_y, i] = start
    finish_motion(parameter, state, ints, i, frame, (vx, vy, yaw_rate), dt * substeps)
