"""The plane of the ground under a vehicle, and the pose and rates of the body on it."""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import NamedTuple

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.ground.physics import GRAVITY
from dorosim.world.vehicle.angle_kernel import arc_tangent
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

MAX_GROUND_SLOPE = 1.0
"""Slopes beyond it are no ground to drive on and are taken as this [ratio]."""
BODY_LAG = 0.12
"""Time constant of body roll and pitch [s]: about 1 / (2 pi 1.3 Hz), the body's own frequency."""
MAX_LEAN_ACCELERATION = 15.0
"""The body leans as for this at most [m/s²], more than tyres give: impacts act at bumpers and not through springs."""
BODY_AT_REST = 1e-7
"""A remaining roll or pitch below it is taken at once, so that a body comes to rest [rad]."""

_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at


class GroundFrame(NamedTuple):
    """The ground plane seen from a heading: x forward and y left in the plane, z its normal.

    Attributes:
        cos_yaw, sin_yaw: of the heading.
        along, across: slope forward and to the left, dz over horizontal distance.
        cos_pitch, sin_pitch: of the plane's pitch, nose down positive.
        cos_roll, sin_roll: of the plane's roll about its forward axis, left side up positive.
    """

    cos_yaw: float
    sin_yaw: float
    along: float
    across: float
    cos_pitch: float
    sin_pitch: float
    cos_roll: float
    sin_roll: float


class Motion(NamedTuple):
    """A displacement in the plane of the ground frame.

    Attributes:
        forward, left: of the body origin [m].
        yaw: about the plane's normal [rad].
    """

    forward: float
    left: float
    yaw: float


@inner_kernel
def ground_frame(state: FloatArray, i: int) -> GroundFrame:
    """The ground plane with slopes dz/dx and dz/dy in the map, at a heading."""
    slope_x, slope_y = state[_VEHICLE.ground_slope_x, i], state[_VEHICLE.ground_slope_y, i]
    c, s = cos(state[_VEHICLE.yaw, i]), sin(state[_VEHICLE.yaw, i])
    if slope_x == 0.0 and slope_y == 0.0:
        return GroundFrame(c, s, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0)
    slope_x = min(max(slope_x, -MAX_GROUND_SLOPE), MAX_GROUND_SLOPE)
    slope_y = min(max(slope_y, -MAX_GROUND_SLOPE), MAX_GROUND_SLOPE)
    along, across = slope_x * c + slope_y * s, slope_y * c - slope_x * s
    cos_pitch = 1.0 / sqrt(1.0 + along * along)
    tan_roll = across * cos_pitch
    cos_roll = 1.0 / sqrt(1.0 + tan_roll * tan_roll)
    return GroundFrame(c, s, along, across, cos_pitch, -along * cos_pitch, cos_roll, tan_roll * cos_roll)


@inner_kernel
def gravity_in_plane(frame: GroundFrame) -> tuple[float, float, float]:
    """Acceleration by gravity forward, to the left and into the plane [m/s²]."""
    return (
        GRAVITY * frame.sin_pitch,
        -GRAVITY * frame.sin_roll * frame.cos_pitch,
        GRAVITY * frame.cos_roll * frame.cos_pitch,
    )


@inner_kernel
def move(state: FloatArray, i: int, frame: GroundFrame, motion: Motion) -> None:
    """Move the body origin along the plane of the ground and turn it."""
    forward = motion.forward * frame.cos_pitch + motion.left * frame.sin_roll * frame.sin_pitch
    left = motion.left * frame.cos_roll
    state[_VEHICLE.x, i] += frame.cos_yaw * forward - frame.sin_yaw * left
    state[_VEHICLE.y, i] += frame.sin_yaw * forward + frame.cos_yaw * left
    state[_VEHICLE.z, i] += frame.along * forward + frame.across * left
    state[_VEHICLE.yaw, i] += motion.yaw * frame.cos_roll / frame.cos_pitch


@inner_kernel
def first_order_step(value: float, target: float, share: float) -> float:
    """A first-order step towards a target, which is reached exactly when it is near."""
    rest = target - value
    return target if abs(rest) < BODY_AT_REST else value + rest * share


@inner_kernel
def finish_motion(
    parameter: FloatArray,
    state: FloatArray,
    ints: IntArray,
    i: int,
    frame: GroundFrame,
    velocity: tuple[float, float, float],
    tick: float,
) -> None:
    """Write velocity, acceleration, roll, pitch and their rates at the end of a tick.

    The acceleration is that of the body origin over the tick, seen in the turning body frame: dv/dt + omega x v. Body
    roll and pitch lean with the acceleration of the tick before by constant gradients, as quasi-static suspensions do,
    with one lag for them and for the ground's own slope. A body that was placed at angles of its own keeps them in the
    tick of the placement, so that they are reported once as they were given, and settles from there.

    Args:
        parameter: the block of `VehicleParameter`.
        state: the float block of `VehicleState`, with velocities of the start of the tick.
        ints: its int block.
        i: the vehicle's row.
        frame: the ground at the start of the tick.
        velocity: at the end of the tick, forward, left [m/s] and yaw rate [rad/s].
        tick: duration [s].
    """
    vx, vy, yaw_rate = velocity
    change_x, change_y = (vx - state[_VEHICLE.velocity_x, i]) / tick, (vy - state[_VEHICLE.velocity_y, i]) / tick
    ground_pitch, ground_roll = 0.0, 0.0
    if frame.along != 0.0 or frame.across != 0.0:
        ground_pitch, ground_roll = -arc_tangent(frame.along), arc_tangent(frame.across * frame.cos_pitch)
    along = min(max(state[_VEHICLE.acceleration, i], -MAX_LEAN_ACCELERATION), MAX_LEAN_ACCELERATION)
    across = min(max(state[_VEHICLE.acceleration + 1, i], -MAX_LEAN_ACCELERATION), MAX_LEAN_ACCELERATION)
    pitch = ground_pitch - parameter[_PARAMETER.pitch_gradient, i] * along
    roll = ground_roll + parameter[_PARAMETER.roll_gradient, i] * across
    share = tick / (BODY_LAG + tick)
    if ints[_VEHICLE.placed, i] != 0:
        share = 1.0 if ints[_VEHICLE.placed, i] == 1 else 0.0
    pitch = first_order_step(state[_VEHICLE.pitch, i], pitch, share)
    roll = first_order_step(state[_VEHICLE.roll, i], roll, share)
    roll_rate, pitch_rate, vz = (
        0.0,
        0.0,
        vx * (pitch - ground_pitch) - vy * (roll - ground_roll) + state[_VEHICLE.heave_rate, i],
    )
    if ints[_VEHICLE.placed, i] == 0:
        heading_rate = yaw_rate * frame.cos_roll / frame.cos_pitch
        roll_rate = (roll - state[_VEHICLE.roll, i]) / tick - heading_rate * frame.sin_pitch
        pitch_rate = (pitch - state[_VEHICLE.pitch, i]) / tick * frame.cos_roll
        pitch_rate += heading_rate * frame.sin_roll * frame.cos_pitch
        state[_VEHICLE.acceleration + 2, i] = (
            (vz - state[_VEHICLE.velocity_z, i]) / tick - pitch_rate * vx + roll_rate * vy
        )
    state[_VEHICLE.acceleration, i] = change_x - yaw_rate * vy
    state[_VEHICLE.acceleration + 1, i] = change_y + yaw_rate * vx
    state[_VEHICLE.velocity_x, i], state[_VEHICLE.velocity_y, i], state[_VEHICLE.velocity_z, i] = vx, vy, vz
    state[_VEHICLE.angular_velocity, i] = roll_rate
    state[_VEHICLE.angular_velocity + 1, i] = pitch_rate
    state[_VEHICLE.angular_velocity + 2, i] = yaw_rate
    state[_VEHICLE.pitch, i], state[_VEHICLE.roll, i] = pitch, roll
    ints[_VEHICLE.placed, i] = 0
