"""Dynamics of a vehicle on tyres: a single track with steered front and rear wheels.

Above `DYNAMIC_SPEED` the lateral speed of the centre of gravity, the yaw rate and the forward speed follow from the
tyre forces (R. Rajamani, "Vehicle Dynamics and Control", 2nd ed. (2012), chapter 2), integrated by the classical
Runge-Kutta method. With the linear tyre law the equations are those of the CommonRoad single-track model.

Below `KINEMATIC_SPEED` the wheels roll without lateral slip, and forces along the vehicle act like dry friction, so
that a vehicle stops and stands exactly. In between both are blended (J. Kabzan et al., "AMZ Driverless", Journal of
Field Robotics 37 (2020)). A tyre's answer is stiff at low speed: the eigenvalues are about c g / v with the cornering
coefficient c, that is 110 per second for a car at 1.5 m/s, while Runge-Kutta with 10 ms is stable up to 278.
"""

from __future__ import annotations

from math import atan2, cos, sin, sqrt
from typing import NamedTuple

from dorosim.ground.jit import inner_kernel
from dorosim.world.vehicle.angle_kernel import rotation
from dorosim.world.vehicle.ground_frame_kernel import Motion
from dorosim.world.vehicle.tire_kernel import REGULAR_SPEED, Axles, brush

KINEMATIC_SPEED = 1.5
DYNAMIC_SPEED = 3.0
"""Bounds of the blend between rolling without slip and tyre dynamics [m/s]."""
REVERSAL_SPEED = 0.3
"""Forward speed over which braking changes sign while a vehicle slides sideways [m/s]."""
MAX_DYNAMICS_SPEED = 200.0
MAX_DYNAMICS_YAW_RATE = 20.0
"""Speed [m/s] and yaw rate [rad/s] that no vehicle exceeds, whatever is commanded."""


class SingleTrackBody(NamedTuple):
    """What the equations need of the vehicle during one sub-step.

    Attributes:
        mass, inertia: [kg], [kg m²]; with their inverses.
        front, rear: centre of gravity to the axles [m], with the inverse of their sum [1/m].
        cg_height: [m].
        drag: deceleration per squared speed [1/m].
        rolling: deceleration by rolling resistance [m/s²].
        gravity_x, gravity_y, normal: gravity in the ground plane and into it [m/s²].
        friction: tyre on ground, mean of both axles.
        front_friction, rear_friction: of each axle.
        front_left, rear_left: share of the axle's friction that its left wheel has.
        front_coefficient, rear_coefficient: cornering stiffness over load [1/rad].
        drag_moment: about the vertical axis by the drag of damaged tyres when driving forwards [N m].
    """

    mass: float
    inertia: float
    inverse_mass: float
    inverse_inertia: float
    front: float
    rear: float
    inverse_wheelbase: float
    cg_height: float
    drag: float
    rolling: float
    gravity_x: float
    gravity_y: float
    normal: float
    friction: float
    front_friction: float
    rear_friction: float
    front_left: float
    rear_left: float
    front_coefficient: float
    rear_coefficient: float
    drag_moment: float


class AxleForces(NamedTuple):
    """Longitudinal forces during one sub-step.

    Attributes:
        front, rear: at the wheels of each axle along them, braking included [N].
        rolling: deceleration by rolling resistance, with the sign of the motion [m/s²].
        moment: about the vertical axis, by different forces left and right [N m].
    """

    front: float
    rear: float
    rolling: float
    moment: float


class Wheels(NamedTuple):
    """Cosine and sine of the wheel angles."""

    front_cos: float
    front_sin: float
    rear_cos: float
    rear_sin: float


@inner_kernel
def turn_wheels(wheels: Wheels, front: float, rear: float) -> Wheels:
    """The wheels after turning by small angles [rad]."""
    if front == 0.0 and rear == 0.0:
        return wheels
    fc, fs = rotation(front)
    rc, rs = rotation(rear)
    return Wheels(
        wheels.front_cos * fc - wheels.front_sin * fs,
        wheels.front_sin * fc + wheels.front_cos * fs,
        wheels.rear_cos * rc - wheels.rear_sin * rs,
        wheels.rear_sin * rc + wheels.rear_cos * rs,
    )


@inner_kernel
def slip_of_wheel(vx: float, vy: float, c: float, s: float) -> float:
    """Tangent of the slip angle of a wheel at an angle with cosine c and sine s; mirrors when driving backwards."""
    return (vy * c - vx * s) / max(abs(vx * c + vy * s), REGULAR_SPEED)


@inner_kernel
def brush_rates(
    vx: float, vy: float, yaw_rate: float, wheels: Wheels, body: SingleTrackBody, axles: Axles, forces: AxleForces
) -> tuple[float, float, float]:
    """Time derivatives of forward speed, lateral speed and yaw rate of the centre of gravity with brush tyres."""
    front_slip = slip_of_wheel(vx, vy + body.front * yaw_rate, wheels.front_cos, wheels.front_sin)
    rear_slip = slip_of_wheel(vx, vy - body.rear * yaw_rate, wheels.rear_cos, wheels.rear_sin)
    front = -axles.front_peak * brush(front_slip * axles.front_scale)
    rear = -axles.rear_peak * brush(rear_slip * axles.rear_scale)
    front_x = forces.front * wheels.front_cos - front * wheels.front_sin
    front_y = forces.front * wheels.front_sin + front * wheels.front_cos
    rear_x = forces.rear * wheels.rear_cos - rear * wheels.rear_sin
    rear_y = forces.rear * wheels.rear_sin + rear * wheels.rear_cos
    ax = (front_x + rear_x) * body.inverse_mass - body.drag * vx * abs(vx) + body.gravity_x - forces.rolling
    ay = (front_y + rear_y) * body.inverse_mass + body.gravity_y
    moment = body.front * front_y - body.rear * rear_y + forces.moment
    return ax + yaw_rate * vy, ay - yaw_rate * vx, moment * body.inverse_inertia


@inner_kernel
def integrate_brush(
    start: tuple[float, float, float],
    steering: tuple[Wheels, Wheels, Wheels],
    body: SingleTrackBody,
    axles: Axles,
    forces: AxleForces,
    dt: float,
) -> tuple[tuple[float, float, float], Motion]:
    """One Runge-Kutta step of forward speed, lateral speed and yaw rate, and the way of the body origin.

    Args:
        start: forward speed, lateral speed of the centre of gravity, yaw rate.
        steering: the wheels at the start, middle and end of the step.
        body: the vehicle.
        axles: loads and grip.
        forces: longitudinal forces.
        dt: the step [s].
    """
    h = 0.5 * dt
    u1, v1, r1 = start
    a1, b1, c1 = brush_rates(u1, v1, r1, steering[0], body, axles, forces)
    u2, v2, r2 = u1 + h * a1, v1 + h * b1, r1 + h * c1
    a2, b2, c2 = brush_rates(u2, v2, r2, steering[1], body, axles, forces)
    u3, v3, r3 = u1 + h * a2, v1 + h * b2, r1 + h * c2
    a3, b3, c3 = brush_rates(u3, v3, r3, steering[1], body, axles, forces)
    u4, v4, r4 = u1 + dt * a3, v1 + dt * b3, r1 + dt * c3
    a4, b4, c4 = brush_rates(u4, v4, r4, steering[2], body, axles, forces)
    w = dt / 6.0
    end = (
        u1 + w * (a1 + 2.0 * (a2 + a3) + a4),
        v1 + w * (b1 + 2.0 * (b2 + b3) + b4),
        r1 + w * (c1 + 2.0 * (c2 + c3) + c4),
    )
    velocities = (
        (u1, v1 - body.rear * r1),
        (u2, v2 - body.rear * r2),
        (u3, v3 - body.rear * r3),
        (u4, v4 - body.rear * r4),
    )
    return end, displacement(velocities, (r1, r2, r3, r4), dt)


@inner_kernel
def displacement(
    velocities: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]],
    yaw_rates: tuple[float, float, float, float],
    dt: float,
) -> Motion:
    """Displacement and change of yaw in a Runge-Kutta step from body velocities and yaw rates of its four stages."""
    c2, s2 = rotation(0.5 * dt * yaw_rates[0])
    c3, s3 = rotation(0.5 * dt * yaw_rates[1])
    c4, s4 = rotation(dt * yaw_rates[2])
    u1, w1 = velocities[0]
    u2, w2 = velocities[1]
    u3, w3 = velocities[2]
    u4, w4 = velocities[3]
    forward = u1 + 2.0 * (c2 * u2 - s2 * w2 + c3 * u3 - s3 * w3) + c4 * u4 - s4 * w4
    left = w1 + 2.0 * (s2 * u2 + c2 * w2 + s3 * u3 + c3 * w3) + s4 * u4 + c4 * w4
    yaw = yaw_rates[0] + 2.0 * (yaw_rates[1] + yaw_rates[2]) + yaw_rates[3]
    return Motion(dt / 6.0 * forward, dt / 6.0 * left, dt / 6.0 * yaw)


@inner_kernel
def linear_rates(
    speed: float,
    slip: float,
    yaw_rate: float,
    steer: tuple[float, float],
    body: SingleTrackBody,
    forces: AxleForces,
) -> tuple[float, float, float]:
    """Time derivatives of speed, slip angle at the centre of gravity and yaw rate with linear tyres.

    The right-hand side of the CommonRoad single-track model (vehicle_dynamics_st), with rear steering and slopes
    added. The angles are small; the speed is signed, and the tyres mirror when it is negative.

    Args:
        speed: of the centre of gravity along its motion, negative backwards [m/s].
        slip: angle of the motion from the vehicle's axis [rad].
        yaw_rate: yaw rate [rad/s].
        steer: front and rear wheel angle [rad].
        body: the vehicle.
        forces: longitudinal forces.
    """
    along = (forces.front + forces.rear) * body.inverse_mass - body.drag * speed * abs(speed) - forces.rolling
    direction = 1.0 if speed >= 0.0 else -1.0
    front_load = body.mass * (body.normal * body.rear - along * body.cg_height) * body.inverse_wheelbase
    rear_load = body.mass * (body.normal * body.front + along * body.cg_height) * body.inverse_wheelbase
    front_angle = (steer[0] - slip) * direction - body.front * yaw_rate / abs(speed)
    rear_angle = (steer[1] - slip) * direction + body.rear * yaw_rate / abs(speed)
    front = body.front_coefficient * front_load * front_angle
    rear = body.rear_coefficient * rear_load * rear_angle
    slip_rate = (front + rear) / (body.mass * speed) + body.gravity_y / speed - yaw_rate
    moment = body.front * front - body.rear * rear + forces.moment
    return along + body.gravity_x, slip_rate, moment * body.inverse_inertia


@inner_kernel
def integrate_linear(
    start: tuple[float, float, float],
    steer: tuple[float, float],
    steer_change: tuple[float, float],
    body: SingleTrackBody,
    forces: AxleForces,
    dt: float,
) -> tuple[tuple[float, float, float], Motion]:
    """The same step as `integrate_brush` with linear tyres, in speed and slip angle."""
    h = 0.5 * dt
    sign = 1.0 if start[0] >= 0.0 else -1.0
    middle = (steer[0] + 0.5 * steer_change[0], steer[1] + 0.5 * steer_change[1])
    last = (steer[0] + steer_change[0], steer[1] + steer_change[1])
    v1, s1, r1 = sign * sqrt(start[0] * start[0] + start[1] * start[1]), atan2(sign * start[1], abs(start[0])), start[2]
    a1, b1, c1 = linear_rates(v1, s1, r1, steer, body, forces)
    v2, s2, r2 = v1 + h * a1, s1 + h * b1, r1 + h * c1
    a2, b2, c2 = linear_rates(v2, s2, r2, middle, body, forces)
    v3, s3, r3 = v1 + h * a2, s1 + h * b2, r1 + h * c2
    a3, b3, c3 = linear_rates(v3, s3, r3, middle, body, forces)
    v4, s4, r4 = v1 + dt * a3, s1 + dt * b3, r1 + dt * c3
    a4, b4, c4 = linear_rates(v4, s4, r4, last, body, forces)
    w = dt / 6.0
    speed = v1 + w * (a1 + 2.0 * (a2 + a3) + a4)
    slip = min(max(s1 + w * (b1 + 2.0 * (b2 + b3) + b4), -1.5), 1.5)
    yaw_rate = r1 + w * (c1 + 2.0 * (c2 + c3) + c4)
    velocities = (
        (v1 * cos(s1), v1 * sin(s1) - body.rear * r1),
        (v2 * cos(s2), v2 * sin(s2) - body.rear * r2),
        (v3 * cos(s3), v3 * sin(s3) - body.rear * r3),
        (v4 * cos(s4), v4 * sin(s4) - body.rear * r4),
    )
    return (speed * cos(slip), speed * sin(slip), yaw_rate), displacement(velocities, (r1, r2, r3, r4), dt)


@inner_kernel
def roll_along(vx: float, drive: float, braking: float, dt: float) -> tuple[float, float]:
    """Forward speed and way after a step under a driving and a braking deceleration, as dry friction brakes.

    Braking slows down, stops and holds, but never moves.

    Args:
        vx: forward speed [m/s].
        drive: acceleration by drive, slope and drag [m/s²].
        braking: deceleration by brakes and rolling resistance, not negative [m/s²].
        dt: the step [s].
    """
    if vx == 0.0:
        if abs(drive) <= braking:
            return 0.0, 0.0
        speed = (drive - braking if drive > 0.0 else drive + braking) * dt
        return speed, 0.5 * speed * dt
    acceleration = drive - braking if vx > 0.0 else drive + braking
    speed = vx + acceleration * dt
    goes_on = speed > 0.0 if vx > 0.0 else speed < 0.0
    if goes_on or abs(drive) > braking:
        return speed, 0.5 * (vx + speed) * dt
    return 0.0, 0.5 * vx * vx / abs(acceleration)


@inner_kernel
def approach(value: float, target: float, max_change: float) -> float:
    """The target, or the value moved towards it by no more than it can change."""
    change = target - value
    return target if abs(change) <= max_change else value + (max_change if change > 0.0 else -max_change)


@inner_kernel
def roll_without_slip(
    vx: float, vy: float, yaw_rate: float, wheels: Wheels, body: SingleTrackBody, share: float, dt: float
) -> tuple[float, float]:
    """Lateral speed and yaw rate moved towards rolling without slip, no faster than friction can.

    Args:
        vx: forward speed [m/s].
        vy: lateral speed of the centre of gravity [m/s].
        yaw_rate: yaw rate [rad/s].
        wheels: their angles.
        body: the vehicle.
        share: 1 for all of the way to the target, less for a blend.
        dt: the step [s].
    """
    rear_tan = wheels.rear_sin / wheels.rear_cos
    target_yaw_rate = vx * (wheels.front_sin / wheels.front_cos - rear_tan) * body.inverse_wheelbase
    target_vy = vx * rear_tan + body.rear * target_yaw_rate
    max_change = body.friction * body.normal * dt
    max_yaw_rate_change = (
        2.0 * max_change * body.mass * body.front * body.rear * body.inverse_wheelbase * body.inverse_inertia
    )
    if share < 1.0:
        target_vy, target_yaw_rate = vy + share * (target_vy - vy), yaw_rate + share * (target_yaw_rate - yaw_rate)
    return approach(vy, target_vy, max_change), approach(yaw_rate, target_yaw_rate, max_yaw_rate_change)
