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

from dorosim.ground.column import RealArray, WholeArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.vehicle.angle_kernel import rotation
from dorosim.world.vehicle.ground_frame_kernel import Motion, finish_motion, ground_frame, move
from dorosim.world.vehicle.longitudinal_kernel import gear_direction, unit_clip
from dorosim.world.vehicle.mode import ControlKind, DynamicsKind, SteerType
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

LEAST_SPEED = 1e-3
"""The pedal's place is a share of the greatest speed, or of this where there is none [m/s]."""
AT_TARGET = 1e-4
"""A wheel speed this near its target has reached it [m/s]."""

_Z, _HEIGHT, _YAW = VehicleState.z.index, VehicleState.ground_height.index, VehicleState.yaw.index
_VX, _VY = VehicleState.velocity_x.index, VehicleState.velocity_y.index
_TURN = VehicleState.angular_velocity.index + 2
_SLOPE_X, _SLOPE_Y = VehicleState.ground_slope_x.index, VehicleState.ground_slope_y.index
_STEER, _REAR_STEER = VehicleState.steer.index, VehicleState.rear_steer.index
_AXLE_ANGLE, _AXLE_STEER = VehicleState.axle_angle.index, VehicleState.axle_steer.index
_ACCELERATOR, _BRAKE = VehicleState.accelerator.index, VehicleState.brake.index
_TARGET_ACCELERATOR, _TARGET_BRAKE = VehicleState.target_accelerator.index, VehicleState.target_brake.index
_TARGET_VELOCITY, _TARGET_ACCELERATION = (
    VehicleState.target_velocity.index,
    VehicleState.target_acceleration.index,
)
_TARGET_STEER, _TARGET_REAR = VehicleState.target_steer.index, VehicleState.target_rear_steer.index
_TARGET_YAW_RATE, _THROTTLE = VehicleState.target_yaw_rate.index, VehicleState.throttle.index
_SKID = VehicleState.skid_steering.index
_KIND, _GEAR, _STEER_TYPE = (
    VehicleState.control_kind.index,
    VehicleState.gear.index,
    VehicleState.steer_type.index,
)
_MAX_SPEED, _MAX_REVERSE = VehicleParameter.max_speed.index, VehicleParameter.max_reverse_speed.index
_MAX_ACCELERATION, _MAX_YAW_RATE = VehicleParameter.max_acceleration.index, VehicleParameter.max_yaw_rate.index
_TRACK, _LAG = VehicleParameter.slip_track.index, VehicleParameter.drive_lag.index
_POSITION, _MAX_AXLE = VehicleParameter.axle_position.index, VehicleParameter.axle_max_steer.index
_STEER_RATE, _WHEELBASE = VehicleParameter.steer_rate.index, VehicleParameter.wheelbase.index
_DYNAMICS, _AXLE_COUNT = VehicleParameter.dynamics.index, VehicleParameter.axle_count.index

_HOLD, _PEDALS, _ACCELERATION = int(ControlKind.HOLD), int(ControlKind.PEDALS), int(ControlKind.ACCELERATION)
_DIRECT, _STATE = int(ControlKind.GROUND_DIRECT), int(ControlKind.GROUND_STATE)
_SKID_TYPE, _ACKERMANN, _ZERO_TURN = int(SteerType.SKID), int(SteerType.ACKERMANN), int(SteerType.ZERO_TURN)
_MULTI_AXLE = int(DynamicsKind.MULTI_AXLE)


@inner_kernel
def fraction_speed(parameter: RealArray, i: int, fraction: float) -> float:
    """Speed at a fraction of -1 to 1 of the largest forward or backward speed [m/s]."""
    fraction = min(max(fraction, -1.0), 1.0)
    most: float = parameter[_MAX_SPEED, i] if fraction > 0.0 else parameter[_MAX_REVERSE, i]
    return fraction * most


@inner_kernel
def car_command_speed(parameter: RealArray, state: RealArray, whole: WholeArray, i: int) -> float:
    """Target speed under a command that is made for cars: pedals, speed or acceleration along the gear [m/s]."""
    direction = gear_direction(whole[_GEAR, i])
    kind = whole[_KIND, i]
    if kind == _PEDALS:
        pedal = unit_clip(state[_TARGET_ACCELERATOR, i]) * (1.0 - unit_clip(state[_TARGET_BRAKE, i]))
        return fraction_speed(parameter, i, direction * pedal)
    if kind == _ACCELERATION:
        return fraction_speed(parameter, i, direction if state[_TARGET_ACCELERATION, i] > 0.0 else 0.0)
    target: float = state[_TARGET_VELOCITY, i]
    return max(target, 0.0) if direction > 0.0 else direction * abs(target)


@inner_kernel
def target_twist(parameter: RealArray, state: RealArray, whole: WholeArray, i: int) -> tuple[float, float, bool]:
    """What the held command asks for: forward speed [m/s], yaw rate [rad/s], and whether the axles steer instead."""
    kind, steer_type = whole[_KIND, i], whole[_STEER_TYPE, i]
    if kind == _HOLD:
        return 0.0, 0.0, True
    if kind == _STATE:
        return state[_TARGET_VELOCITY, i], state[_TARGET_YAW_RATE, i], False
    if kind != _DIRECT:
        return car_command_speed(parameter, state, whole, i), 0.0, True
    throttle = min(max(state[_THROTTLE, i], -1.0), 1.0)
    if steer_type == _ZERO_TURN:
        return 0.0, throttle * parameter[_MAX_YAW_RATE, i], False
    speed = fraction_speed(parameter, i, throttle)
    if steer_type != _SKID_TYPE:
        return speed, 0.0, True
    skid = min(max(state[_SKID, i], -1.0), 1.0)
    left, right = throttle - skid, throttle + skid
    scale = 1.0 / max(abs(left), abs(right), 1.0)
    # one scale for both sides: with a slower one backwards, turning would drive the vehicle faster forwards
    most = parameter[_MAX_SPEED, i] if throttle >= 0.0 else parameter[_MAX_REVERSE, i]
    left, right = left * scale * most, right * scale * most
    return 0.5 * (left + right), (right - left) / parameter[_TRACK, i], False


@inner_kernel
def limit_twist(parameter: RealArray, i: int, speed: float, turn: float) -> tuple[float, float]:
    """Speed and yaw rate that the vehicle can do: the larger of its yaw rate on the spot and its turning circle."""
    speed = min(max(speed, -parameter[_MAX_REVERSE, i]), parameter[_MAX_SPEED, i])
    most = parameter[_MAX_YAW_RATE, i]
    if parameter[_MAX_AXLE, i] > 0.0 and most == 0.0:
        most = abs(speed) * tan(parameter[_MAX_AXLE, i]) / parameter[_WHEELBASE, i]
    return speed, min(max(turn, -most), most)


@inner_kernel
def axle_target(state: RealArray, whole: WholeArray, i: int, axle: int, count: int) -> float:
    """The angle asked of an axle; a command made for cars steers the first and, with its rear angle, the last [rad]."""
    angle: float = state[_AXLE_STEER + axle, i]
    if whole[_KIND, i] == _HOLD:
        angle = state[_AXLE_ANGLE + axle, i]
    elif whole[_KIND, i] != _DIRECT:
        angle = state[_TARGET_REAR, i] if axle == count - 1 else 0.0
        if axle == 0:
            angle = state[_TARGET_STEER, i]
    return angle


@inner_kernel
def turn_axles(
    parameter: RealArray, state: RealArray, whole: WholeArray, i: int, count: int, most: float
) -> tuple[float, float]:
    """Turn the axles towards their command and fit the motion that rolls best on all of them.

    Args:
        parameter: the block of `VehicleParameter`.
        state: the real block of `VehicleState`.
        whole: its whole block.
        i: the vehicle's row.
        count: axles.
        most: largest change of an angle [rad].

    Returns:
        lateral speed and yaw rate of the body origin over its forward speed, (ratio, 1/m).
    """
    mean_x, mean_tan = 0.0, 0.0
    for axle in range(count):
        limit = parameter[_MAX_AXLE + axle, i]
        target = min(max(axle_target(state, whole, i, axle, count), -limit), limit)
        angle = state[_AXLE_ANGLE + axle, i]
        state[_AXLE_ANGLE + axle, i] = angle + min(max(target - angle, -most), most)
        mean_x += parameter[_POSITION + axle, i] / count
        mean_tan += tan(state[_AXLE_ANGLE + axle, i]) / count
    product, square = 0.0, 0.0
    for axle in range(count):
        x = parameter[_POSITION + axle, i] - mean_x
        product += x * tan(state[_AXLE_ANGLE + axle, i])
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
    parameter: RealArray, state: RealArray, whole_parameter: WholeArray, whole: WholeArray, i: int, dt: float
) -> tuple[float, float, float]:
    """Forward speed, lateral speed and yaw rate of the body origin after a sub-step."""
    speed, turn, steered = target_twist(parameter, state, whole, i)
    vx, yaw_rate = state[_VX, i], state[_TURN, i]
    lag, limit = parameter[_LAG, i], parameter[_MAX_ACCELERATION, i]
    if whole[_KIND, i] == _ACCELERATION:
        limit = min(limit, abs(state[_TARGET_ACCELERATION, i]))
    state[_ACCELERATOR, i] = unit_clip(abs(speed) / max(parameter[_MAX_SPEED, i], LEAST_SPEED))
    state[_BRAKE, i] = 1.0 if whole[_KIND, i] == _HOLD else 0.0
    if steered and whole_parameter[_DYNAMICS, i] == _MULTI_AXLE:
        count = whole_parameter[_AXLE_COUNT, i]
        lateral, curvature = turn_axles(parameter, state, whole, i, count, parameter[_STEER_RATE, i] * dt)
        state[_STEER, i], state[_REAR_STEER, i] = state[_AXLE_ANGLE, i], state[_AXLE_ANGLE + count - 1, i]
        speed, _ = limit_twist(parameter, i, speed, 0.0)
        speed = follow(vx, speed / sqrt(1.0 + lateral * lateral), lag, limit, dt)
        return speed, lateral * speed, curvature * speed
    if steered:
        turn = speed * tan(axle_target(state, whole, i, 0, 2)) / parameter[_WHEELBASE, i]
    speed, turn = limit_twist(parameter, i, speed, turn)
    half = 0.5 * parameter[_TRACK, i]
    left = follow(vx - half * yaw_rate, speed - half * turn, lag, limit, dt)
    right = follow(vx + half * yaw_rate, speed + half * turn, lag, limit, dt)
    speed, turn = 0.5 * (left + right), 0.5 * (right - left) / half
    # no wheel of a differential drive steers
    state[_STEER, i] = state[_REAR_STEER, i] = 0.0
    return speed, 0.0, turn


@inner_kernel
def step_ground_vehicle(
    parameter: RealArray,
    state: RealArray,
    whole_parameter: WholeArray,
    whole: WholeArray,
    i: int,
    dt: float,
    count: int,
) -> None:
    """One tick of `count` sub-steps of `dt` seconds for the ground vehicle of row `i`."""
    state[_Z, i] = state[_HEIGHT, i]
    start = (state[_VX, i], state[_VY, i])
    for _ in range(count):
        frame = ground_frame(state[_SLOPE_X, i], state[_SLOPE_Y, i], state[_YAW, i])
        vx, vy, turn = next_twist(parameter, state, whole_parameter, whole, i, dt)
        forward = 0.5 * (vx + state[_VX, i]) * dt
        left = 0.5 * (vy + state[_VY, i]) * dt
        angle = 0.5 * (turn + state[_TURN, i]) * dt
        c, s = rotation(0.5 * angle)
        move(state, i, frame, Motion(c * forward - s * left, s * forward + c * left, angle))
        state[_VX, i], state[_VY, i], state[_TURN, i] = vx, vy, turn
    state[_VX, i], state[_VY, i] = start
    finish_motion(parameter, state, whole, i, frame, (vx, vy, turn), dt * count)
