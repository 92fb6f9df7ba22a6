"""How a vehicle with tyres follows a pose that moves: the law of its pedals and its steering wheel.

Lengthwise it is a spring and a damper between the vehicle and the pose, critically damped, over the acceleration of the
pose. Sideways it is the steering that the curvature of the pose's way asks for, and the same law for the distance from
that way and the angle to it, as a kinematic single-track model has them (R. Rajamani, "Vehicle Dynamics and Control",
2nd ed. (2012), chapter 2). What tyres and drive cannot do is not done.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from dorosim.ground.physics import GRAVITY
from dorosim.scenario.openscenario.engine.rows import EntityRow
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from dorosim.world.vehicle.parameter import VehicleParameter

STATION_RATE = 1.5
"""How fast the distance along the way is made up for [1/s]."""
LATERAL_RATE = 1.6
"""How fast the distance from the way is made up for [1/s]."""
MAX_STATION_ERROR = 3.0
"""More than this along the way counts as this [m]: a vehicle does not race after an order that leaped away."""
MAX_LATERAL_ERROR = 1.5
"""The same across it [m]."""
MAX_ACCELERATION, MAX_DECELERATION = 6.0, 10.0
"""Most that is asked for [m/s2]."""
MAX_WHEEL_ANGLE = 0.6
"""[rad]"""
STANDING = 0.1
"""Slower than this the order stands [m/s]."""
_MIN_STEERED = 3.0
"""The law sideways counts with at least this speed [m/s]."""


class Handling(NamedTuple):
    """How a vehicle takes curves.

    Attributes:
        wheelbase: [m].
        understeer: wheel angle over lateral acceleration, beside that of the curve [rad s2/m].
        rear_slip: slip angle of the rear axle over lateral acceleration [rad s2/m].
    """

    wheelbase: float
    understeer: float
    rear_slip: float


def handling_of(parameter: VehicleParameter, at: int) -> Handling:
    """The handling of a vehicle, while its tyres are far from their limits."""
    front, rear = float(parameter.front_cornering_coefficient[at]), float(parameter.rear_cornering_coefficient[at])
    if front <= 0.0 or rear <= 0.0:
        return Handling(float(parameter.wheelbase[at]), 0.0, 0.0)
    return Handling(float(parameter.wheelbase[at]), (1.0 / front - 1.0 / rear) / GRAVITY, 1.0 / (rear * GRAVITY))


def drive_after(
    row: EntityRow, order: EntityRow, before: Sequence[float], dt: float, handling: Handling
) -> DriveVehicle:
    """The command by which a vehicle follows its order for a tick.

    Args:
        row: where the vehicle is at the start of the tick.
        order: where it is to be at its end.
        before: x, y, z, heading and velocities of the order at its start.
        dt: the tick [s].
        handling: of the vehicle.
    """
    if abs(order.speed) < STANDING and abs(row.speed) < 5.0 * STANDING:
        return DriveVehicle(row.actor, ControlKind.PEDALS, ControlMode.AUTO, Gear.D, brake=1.0)
    reverse = order.speed < -STANDING or (order.speed < STANDING and row.speed < 0.0)
    sign = -1.0 if reverse else 1.0
    course, curvature = _course(order, before, dt)
    cosine, sine = math.cos(course), math.sin(course)
    dx, dy = order.x - row.x, order.y - row.y
    ahead = cosine * dx + sine * dy - row.speed * sign * dt
    aside = cosine * dy - sine * dx
    # `course` is the way that the order goes; in reverse the body points against it
    wanted = abs(order.speed)
    forward = (math.hypot(order.velocity_x, order.velocity_y) - math.hypot(before[4], before[5])) / dt
    if abs(forward) > MAX_DECELERATION:
        forward = 0.0  # a leap of the order's speed, which no tyre can follow
    near = min(max(ahead, -MAX_STATION_ERROR), MAX_STATION_ERROR)
    asked = forward + 2.0 * STATION_RATE * (wanted - row.speed * sign) + STATION_RATE**2 * near
    asked = min(max(asked, -MAX_DECELERATION), MAX_ACCELERATION)
    steer = _steer(row, course + (math.pi if reverse else 0.0), aside, curvature, sign, handling)
    gear = Gear.R if reverse else Gear.D
    return DriveVehicle(row.actor, ControlKind.ACCELERATION, ControlMode.AUTO, gear, acceleration=asked, steer=steer)


def _course(order: EntityRow, before: Sequence[float], dt: float) -> tuple[float, float]:
    """The direction in which an order moves [rad], and the curvature of its way [1/m]."""
    speed = math.hypot(order.velocity_x, order.velocity_y)
    if speed < STANDING:
        return order.heading + (math.pi if order.speed < 0.0 else 0.0), 0.0
    course = math.atan2(order.velocity_y, order.velocity_x)
    if math.hypot(before[4], before[5]) < STANDING:
        return course, 0.0
    turned = math.remainder(course - math.atan2(before[5], before[4]), math.tau)
    return course, turned / (speed * dt)


def _steer(row: EntityRow, heading: float, aside: float, curvature: float, sign: float, handling: Handling) -> float:
    """The wheel angle [rad].

    Args:
        row: of the vehicle.
        heading: in which its rear axle is to move, or against which in reverse [rad].
        aside: how far the way is to its left, as it moves [m].
        curvature: of the way [1/m].
        sign: -1 in reverse.
        handling: of the vehicle.
    """
    speed = max(abs(row.speed), _MIN_STEERED)
    lateral = curvature * row.speed**2
    turn = math.remainder(heading + sign * handling.rear_slip * lateral - row.heading, math.tau)
    off = min(max(aside, -MAX_LATERAL_ERROR), MAX_LATERAL_ERROR)
    # curvature that makes up for both: critically damped over time, so weaker over length the faster it is
    wished = curvature + (LATERAL_RATE**2 * off + 2.0 * LATERAL_RATE * speed * sign * turn) / speed**2
    angle = math.atan(handling.wheelbase * wished) + handling.understeer * wished * row.speed**2
    return sign * min(max(angle, -MAX_WHEEL_ANGLE), MAX_WHEEL_ANGLE)
