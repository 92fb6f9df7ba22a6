"""One tick of a vehicle on tyres: command, steering, forces, motion, and what it reports."""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import NamedTuple

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.ground.physics import AIR_DENSITY
from dorosim.world.vehicle.angle_kernel import rotation
from dorosim.world.vehicle.ground_frame_kernel import (
    GroundFrame,
    Motion,
    finish_motion,
    gravity_in_plane,
    ground_frame,
    move,
)
from dorosim.world.vehicle.longitudinal_kernel import PARK_SHARE, actuate, longitudinal_forces, read_intent
from dorosim.world.vehicle.mode import ControlKind, Gear, TireLaw
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.single_track_kernel import (
    DYNAMIC_SPEED,
    KINEMATIC_SPEED,
    MAX_DYNAMICS_SPEED,
    MAX_DYNAMICS_YAW_RATE,
    REVERSAL_SPEED,
    AxleForces,
    SingleTrackBody,
    Wheels,
    integrate_brush,
    integrate_linear,
    roll_along,
    roll_without_slip,
    slip_of_wheel,
    turn_wheels,
)
from dorosim.world.vehicle.state import VehicleState
from dorosim.world.vehicle.tire_kernel import (
    Axles,
    axle_force,
    axle_friction,
    lateral_grip,
    left_share,
    report_axle,
    report_brush_axle,
    share_of_force,
)

_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at
_YAW_RATE = _VEHICLE.angular_velocity + 2
_HOLD, _PARK, _LINEAR = int(ControlKind.HOLD), int(Gear.P), int(TireLaw.LINEAR)
STEER = 2
"""Row of the front wheel angle in the three controls that faults can disturb."""


MIN_AXLE_LOAD_SHARE = 0.05
"""Share of the weight that stays on an axle, however hard a vehicle brakes."""


class Forces(NamedTuple):
    """Longitudinal forces as the tyres bear them.

    Attributes:
        drive: forward positive [N].
        braking: not negative [N].
        axle_forces: at the wheels of each axle, braking included, for a vehicle that moves.
        front_load, rear_load: normal forces [N].
    """

    drive: float
    braking: float
    axle_forces: AxleForces
    front_load: float
    rear_load: float


class Step(NamedTuple):
    """What a sub-step hands on: velocities of the centre of gravity, the way, grip, and the share of dynamics."""

    vx: float
    vy: float
    yaw_rate: float
    motion: Motion
    axles: Axles
    dynamic: float


@inner_kernel
def sine(angle: float) -> float:
    """Sine of a wheel angle to 1e-3, for what a controller makes up for."""
    return angle * (1.0 - angle * angle * (1.0 / 6.0))


@inner_kernel
def cosine(angle: float) -> float:
    """Cosine of a wheel angle to 1e-3."""
    return 1.0 - angle * angle * (0.5 - angle * angle * (1.0 / 24.0))


@inner_kernel
def steer_towards(angle: float, target: float, most: float, max_change: float) -> float:
    """A wheel angle after a sub-step: the target within the wheel's range, no faster than it turns [rad]."""
    target = min(max(target, -most), most)
    return angle + min(max(target - angle, -max_change), max_change)


@inner_kernel
def dynamic_share(vx: float, vy: float) -> float:
    """Share of tyre dynamics in the motion at a velocity of the centre of gravity; the rest rolls without slip."""
    speed = sqrt(vx * vx + vy * vy)
    return min(max((speed - KINEMATIC_SPEED) * (1.0 / (DYNAMIC_SPEED - KINEMATIC_SPEED)), 0.0), 1.0)


@inner_kernel
def cornering_acceleration(
    state: FloatArray, i: int, lateral: float, steering: tuple[float, float], body: SingleTrackBody
) -> float:
    """Forward acceleration by the tyres' lateral forces [m/s²], which a controller makes up for.

    Args:
        state: the float block of `VehicleState`, with the tyre forces of the tick before.
        i: the vehicle's row.
        lateral: lateral speed of the centre of gravity times yaw rate [m/s²].
        steering: front and rear wheel angle [rad].
        body: the vehicle.
    """
    front = state[_VEHICLE.tire_lateral_force, i] + state[_VEHICLE.tire_lateral_force + 1, i]
    rear = state[_VEHICLE.tire_lateral_force + 2, i] + state[_VEHICLE.tire_lateral_force + 3, i]
    resistance: float = front * sine(steering[0]) + rear * sine(steering[1])
    return lateral - resistance * body.inverse_mass


@inner_kernel
def limit_by_tires(
    body: SingleTrackBody, front_share: float, tracks: tuple[float, float], vx: float, drive: float, braking: float
) -> Forces:
    """Loads of the axles under the acceleration that the forces give, and the forces that these loads can bear.

    The transfer of load is quasi-static. Brakes are shared like the loads, so on even ground both axles reach their
    limit at once; the drive acts on its axles. Where the wheels of an axle have different friction, the force that the
    one lacks turns the vehicle.

    Args:
        body: the vehicle.
        front_share: of the drive.
        tracks: between the front and between the rear wheels [m].
        vx: forward speed [m/s].
        drive: asked for, forward positive [N].
        braking: asked for, not negative [N].
    """
    weight = body.mass * body.normal
    most = max(body.front_friction, body.rear_friction) * weight
    braking = min(braking, most)
    sign = min(max(vx * (1.0 / REVERSAL_SPEED), -1.0), 1.0)
    felt = min(max(drive - sign * braking, -most), most)
    front_load = (weight * body.rear - felt * body.cg_height) * body.inverse_wheelbase
    front_load = min(max(front_load, MIN_AXLE_LOAD_SHARE * weight), (1.0 - MIN_AXLE_LOAD_SHARE) * weight)
    rear_load = weight - front_load
    front_most, rear_most = body.front_friction * front_load, body.rear_friction * rear_load
    front, front_right = axle_force(drive * front_share, front_most, body.front_left)
    rear, rear_right = axle_force(drive * (1.0 - front_share), rear_most, body.rear_left)
    slowing = braking / weight
    front_slowing, front_slows = axle_force(slowing * front_load, front_most, body.front_left)
    rear_slowing, rear_slows = axle_force(slowing * rear_load, rear_most, body.rear_left)
    moment = 0.5 * (tracks[0] * (front_right - sign * front_slows) + tracks[1] * (rear_right - sign * rear_slows))
    axle_forces = AxleForces(
        front - sign * front_slowing, rear - sign * rear_slowing, sign * body.rolling, moment + sign * body.drag_moment
    )
    return Forces(front + rear, front_slowing + rear_slowing, axle_forces, front_load, rear_load)


@inner_kernel
def integrate(
    start: tuple[float, float, float],
    steering: tuple[float, float, float, float],
    body: SingleTrackBody,
    forces: Forces,
    dynamic: float,
    linear: bool,
    dt: float,
) -> tuple[Step, Wheels]:
    """Motion of one sub-step.

    Args:
        start: forward and lateral speed of the centre of gravity, yaw rate.
        steering: front and rear wheel angle, and how much each turns in the step [rad].
        body: the vehicle.
        forces: longitudinal forces.
        dynamic: share of tyre dynamics.
        linear: the tyre law is linear.
        dt: the sub-step [s].

    Returns:
        the step, and the wheels at its end.
    """
    vx, vy, yaw_rate = start
    rear = (1.0, 0.0)
    if steering[1] != 0.0 or steering[3] != 0.0:
        rear = (cos(steering[1]), sin(steering[1]))
    first = Wheels(cos(steering[0]), sin(steering[0]), rear[0], rear[1])
    last = turn_wheels(first, steering[2], steering[3])
    axle_forces = forces.axle_forces
    front_peak, front_scale = lateral_grip(
        forces.front_load, axle_forces.front, body.front_friction, body.front_coefficient
    )
    rear_peak, rear_scale = lateral_grip(forces.rear_load, axle_forces.rear, body.rear_friction, body.rear_coefficient)
    axles = Axles(front_peak, rear_peak, front_scale, rear_scale)
    if dynamic == 0.0:
        drive = forces.drive * body.inverse_mass - body.drag * vx * abs(vx) + body.gravity_x
        vx_end, forward = roll_along(vx, drive, forces.braking * body.inverse_mass + body.rolling, dt)
        vy_end, yaw_rate_end = roll_without_slip(vx_end, vy, yaw_rate, last, body, 1.0, dt)
        c, s = rotation(0.25 * (yaw_rate + yaw_rate_end) * dt)
        left = 0.5 * (vy + vy_end - body.rear * (yaw_rate + yaw_rate_end)) * dt
        motion = Motion(c * forward - s * left, s * forward + c * left, 0.5 * (yaw_rate + yaw_rate_end) * dt)
        return Step(vx_end, vy_end, yaw_rate_end, motion, axles, dynamic), last
    if linear:
        angles, change = (steering[0], steering[1]), (steering[2], steering[3])
        end, motion = integrate_linear(start, angles, change, body, axle_forces, dt)
    else:
        middle = turn_wheels(first, 0.5 * steering[2], 0.5 * steering[3])
        end, motion = integrate_brush(start, (first, middle, last), body, axles, axle_forces, dt)
    vx_end = min(max(end[0], -MAX_DYNAMICS_SPEED), MAX_DYNAMICS_SPEED)
    vy_end = min(max(end[1], -MAX_DYNAMICS_SPEED), MAX_DYNAMICS_SPEED)
    yaw_rate_end = min(max(end[2], -MAX_DYNAMICS_YAW_RATE), MAX_DYNAMICS_YAW_RATE)
    if dynamic < 1.0:
        vy_end, yaw_rate_end = roll_without_slip(vx_end, vy_end, yaw_rate_end, last, body, 1.0 - dynamic, dt)
    return Step(vx_end, vy_end, yaw_rate_end, motion, axles, dynamic), last


@inner_kernel
def report_tires(
    parameter: FloatArray,
    state: FloatArray,
    i: int,
    wheels: Wheels,
    step: Step,
    body: SingleTrackBody,
    change: tuple[float, float],
) -> None:
    """Lateral force, slip angle and stiffness of each wheel at the end of a tick.

    Rolling without slip has no slip angle, so there the force that the motion needs is shared between the axles by
    the balance of moments, and the slip is what a tyre would need for it. A vehicle at rest has neither slip nor
    stiffness, and no force but what holds it on a side slope.

    Args:
        parameter: the block of `VehicleParameter`.
        state: the float block of `VehicleState`.
        i: the vehicle's row.
        wheels: their angles.
        step: the last sub-step.
        body: the vehicle.
        change: of lateral speed and yaw rate, per second of the tick.
    """
    vx, vy, yaw_rate = step.vx, step.vy, step.yaw_rate
    axles = step.axles
    felt = change[0] + yaw_rate * vx - body.gravity_y
    front_left, rear_left = left_share(parameter, i, felt)
    front_left, rear_left = share_of_force(front_left, body.front_left), share_of_force(rear_left, body.rear_left)
    front_slip, rear_slip, share = 0.0, 0.0, step.dynamic
    if share < 1.0:
        moment = body.inertia * change[1]
        front_force = (body.mass * body.rear * felt + moment) * body.inverse_wheelbase
        rear_force = (body.mass * body.front * felt - moment) * body.inverse_wheelbase
        if vx == 0.0 and vy == 0.0 and yaw_rate == 0.0:
            report_axle(state, i, 0, front_force, 0.0, 0.0, front_left)
            report_axle(state, i, 2, rear_force, 0.0, 0.0, rear_left)
            return
        front_slip = -front_force / (3.0 * axles.front_peak * axles.front_scale)
        rear_slip = -rear_force / (3.0 * axles.rear_peak * axles.rear_scale)
    if share > 0.0:
        front = slip_of_wheel(vx, vy + body.front * yaw_rate, wheels.front_cos, wheels.front_sin)
        rear = slip_of_wheel(vx, vy - body.rear * yaw_rate, wheels.rear_cos, wheels.rear_sin)
        front_slip += share * (front - front_slip)
        rear_slip += share * (rear - rear_slip)
    report_brush_axle(state, i, 0, front_slip, axles.front_peak, axles.front_scale, front_left)
    report_brush_axle(state, i, 2, rear_slip, axles.rear_peak, axles.rear_scale, rear_left)


@inner_kernel
def drag_of_tires(parameter: FloatArray, state: FloatArray, i: int, normal: float) -> tuple[float, float]:
    """Deceleration [m/s²] and moment about the vertical axis [N m] by soft ground and damaged tyres."""
    k, ground = _VEHICLE.tire_drag, _VEHICLE.surface_drag
    a, b = state[k, i] + state[ground, i], state[k + 1, i] + state[ground + 1, i]
    c, d = state[k + 2, i] + state[ground + 2, i], state[k + 3, i] + state[ground + 3, i]
    if a == 0.0 and b == 0.0 and c == 0.0 and d == 0.0:
        return 0.0, 0.0
    front, rear = parameter[_PARAMETER.front_distance, i], parameter[_PARAMETER.rear_distance, i]
    # a front wheel carries half of what the rear distance gives its axle, and the other way round
    front_load, rear_load = 0.5 * normal * rear / (front + rear), 0.5 * normal * front / (front + rear)
    moment = front_load * parameter[_PARAMETER.front_track, i] * (a - b) + rear_load * parameter[
        _PARAMETER.rear_track, i
    ] * (c - d)
    return front_load * (a + b) + rear_load * (c + d), 0.5 * parameter[_PARAMETER.mass, i] * moment


@inner_kernel
def vehicle_body(parameter: FloatArray, state: FloatArray, i: int, frame: GroundFrame) -> SingleTrackBody:
    """The vehicle of a row on its ground."""
    gravity_x, gravity_y, normal = gravity_in_plane(frame)
    inverse_mass, inertia = 1.0 / parameter[_PARAMETER.mass, i], parameter[_PARAMETER.yaw_inertia, i]
    front, rear = parameter[_PARAMETER.front_distance, i], parameter[_PARAMETER.rear_distance, i]
    front_friction, front_left = axle_friction(parameter, state, i, 0)
    rear_friction, rear_left = axle_friction(parameter, state, i, 2)
    drag, moment = drag_of_tires(parameter, state, i, normal)
    k = _VEHICLE.tire_stiffness_loss
    return SingleTrackBody(
        parameter[_PARAMETER.mass, i],
        inertia,
        inverse_mass,
        1.0 / inertia,
        front,
        rear,
        1.0 / (front + rear),
        parameter[_PARAMETER.cg_height, i],
        0.5 * AIR_DENSITY * parameter[_PARAMETER.drag_area, i] * inverse_mass,
        parameter[_PARAMETER.rolling_resistance, i] * normal + drag,
        gravity_x,
        gravity_y,
        normal,
        0.5 * (front_friction + rear_friction),
        front_friction,
        rear_friction,
        front_left,
        rear_left,
        parameter[_PARAMETER.front_cornering_coefficient, i] * (1.0 - 0.5 * (state[k, i] + state[k + 1, i])),
        parameter[_PARAMETER.rear_cornering_coefficient, i] * (1.0 - 0.5 * (state[k + 2, i] + state[k + 3, i])),
        moment,
    )


@inner_kernel
def step_road_vehicle(
    parameter: FloatArray, state: FloatArray, int_parameter: IntArray, ints: IntArray, i: int, dt: float, substeps: int
) -> None:
    """One tick of `substeps` sub-steps of `dt` seconds for the vehicle of row `i`."""
    tick = dt * substeps
    state[_VEHICLE.z, i] = state[_VEHICLE.ground_height, i] + state[_VEHICLE.heave, i]
    vx, yaw_rate = state[_VEHICLE.velocity_x, i], state[_YAW_RATE, i]
    vy = state[_VEHICLE.velocity_y, i] + parameter[_PARAMETER.rear_distance, i] * yaw_rate
    vy_start, yaw_rate_start = vy, yaw_rate
    steer, rear_steer = state[_VEHICLE.steer, i], state[_VEHICLE.rear_steer, i]
    max_change = parameter[_PARAMETER.steer_rate, i] * dt
    linear = int_parameter[_PARAMETER.tire_law, i] == _LINEAR
    for _ in range(substeps):
        frame = ground_frame(state, i)
        body = vehicle_body(parameter, state, i, frame)
        intent = read_intent(parameter, state, ints, i, vx)
        # a held vehicle keeps its wheels where they are: no signal reaches them, and no fault of it
        target = intent.steer
        if ints[_VEHICLE.control_kind, i] != _HOLD:
            target = actuate(parameter, state, i, STEER, intent.steer, steer, dt)
        steer_end = steer_towards(steer, target, parameter[_PARAMETER.max_steer, i], max_change)
        rear_end = steer_towards(rear_steer, intent.rear_steer, parameter[_PARAMETER.max_rear_steer, i], max_change)
        resistance = body.mass * (body.drag * vx * vx + body.rolling)
        external_acceleration, loss = body.gravity_x, 0.0
        dynamic = dynamic_share(vx, vy)
        if dynamic > 0.0 and not linear:
            external_acceleration += dynamic * cornering_acceleration(
                state, i, vy * yaw_rate, (steer, rear_steer), body
            )
            loss = dynamic * parameter[_PARAMETER.drive_front_share, i] * (1.0 - cosine(steer))
        drive, braking = longitudinal_forces(
            parameter, state, ints, i, intent, vx, resistance, external_acceleration, dt
        )
        if intent.controlled:
            drive /= 1.0 - loss
        if ints[_VEHICLE.gear, i] == _PARK:
            braking += PARK_SHARE * body.friction * body.mass * body.normal
        tracks = (parameter[_PARAMETER.front_track, i], parameter[_PARAMETER.rear_track, i])
        forces = limit_by_tires(body, parameter[_PARAMETER.drive_front_share, i], tracks, vx, drive, braking)
        steering = (steer, rear_steer, steer_end - steer, rear_end - rear_steer)
        step, wheels = integrate((vx, vy, yaw_rate), steering, body, forces, dynamic, linear, dt)
        vx, vy, yaw_rate = step.vx, step.vy, step.yaw_rate
        move(state, i, frame, step.motion)
        steer, rear_steer = steer_end, rear_end
        state[_VEHICLE.steer, i], state[_VEHICLE.rear_steer, i] = steer, rear_steer
    report_tires(parameter, state, i, wheels, step, body, ((vy - vy_start) / tick, (yaw_rate - yaw_rate_start) / tick))
    finish_motion(
        parameter, state, ints, i, frame, (vx, vy - parameter[_PARAMETER.rear_distance, i] * yaw_rate, yaw_rate), tick
    )
