"""A vehicle that has left its wheels: a rigid box in space that falls, tumbles and slides on the ground.

The inertia tensor is that of the box about its three axes, with the vehicle's own yaw inertia. A point that is still
above the ground may come down to it in a step and no farther, so the box does not sink in. What energy the contacts
would add by rounding and by ground that bends is taken out of the motion again: it never rises.
"""

from __future__ import annotations

from math import asin, atan2, floor, pi, sqrt

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.physics import GRAVITY
from dorosim.road.surface_kind import SurfaceKind
from dorosim.road.terrain.query_kernel import TerrainArrays, ground_at
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.rigid_box_kernel import (
    RigidBox,
    energy,
    pay,
    press,
    press_again,
    speed_along,
    turn,
    turned,
    write_inverse,
    write_rotation,
)
from dorosim.world.vehicle.state import VehicleState

_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at

SUBSTEP = 1e-3
"""Longest step of the box [s]."""
CONTACT_ROUNDS = 12
"""Rounds over the contacts of a step, which begin with the impulses of the step before."""
ALLOWED_DEPTH, LIFT_SHARE = 0.005, 0.2
"""Points may be so far in the ground [m]; of what is more this share is taken out in a step."""
BODY_FRICTION = 0.45
"""Of bodywork on the ground: vehicles that roll over lose 0.4 to 0.65 g (N. Orlowski et al., SAE 851734)."""
FURROW_FRICTION = 1.2
"""Of tyres pushed sideways through soft ground, in which they plough furrows: vehicles that trip on soil lose 1 to 2 g
(N. Cooperrider, S. Hammoud and J. Colwell, "Characteristics of soil-tripped rollovers", SAE 980022)."""
SOFT = np.array(
    [not kind.properties.sealed and kind not in (SurfaceKind.SNOW, SurfaceKind.GRAVEL) for kind in SurfaceKind]
)
BODY_RESTITUTION, REBOUND_SPEED = 0.15, 1.0
"""Bodywork rebounds with this share of its speed, above so many metres a second."""
NEAR = 0.1
"""Points this far above the ground take no part in a step [m]."""
GROUND_CLEARANCE = 0.15
"""Of the bodywork over the plane of the wheels [m]."""
MAX_TUMBLE_SPEED, MAX_TUMBLE_RATE = 100.0, 30.0
"""Bounds of speed [m/s] and of rates [rad/s]."""
REST_SPEED, REST_RATE = 0.02, 0.03
"""A box on the ground that is slower rests [m/s], [rad/s]."""
MAX_FIRST_RATE = 2.5
"""Roll and pitch rates with which a vehicle leaves its wheels are at most this [rad/s]: on springs they jump where the
ground does."""
POINTS = 16
"""Wheels FL FR RL RR, then corners of the body, then the middles of its long edges."""
_WHEELS = 4
_UPRIGHT = 0.96
"""Cosine of the angle to the ground below which a vehicle on its four wheels drives again: 16 degrees."""
_UPRIGHT_AT_REST = 0.85
"""Cosine of the angle to the vertical below which one that has come to rest drives again, though a wheel may hang."""
MAX_GAP_AT_REST = 0.3
"""It does not where both wheels of a side or an axle hang by more than this [m]."""
_SETTLED = 0.6
"""Speed to or from the ground [m/s] and rates [rad/s] below which it does."""
_STANDS = 0.05
"""Wheels this far above the ground stand on it [m]."""


@inner_kernel
def centre_of_gravity(parameter: FloatArray, i: int) -> tuple[float, float]:
    """How far the centre of gravity of the vehicle of a row lies before and above its body origin [m]."""
    if parameter[_PARAMETER.cg_height, i] <= 0.0:
        return 0.5 * parameter[_PARAMETER.wheelbase, i], 0.4 * parameter[_PARAMETER.height, i]
    return parameter[_PARAMETER.rear_distance, i], parameter[_PARAMETER.cg_height, i]


@inner_kernel
def inertia_of(parameter: FloatArray, i: int) -> tuple[float, float, float]:
    """Moments of inertia of the vehicle of a row about the axes of its body [kg m²]."""
    length, width = parameter[_PARAMETER.length, i], parameter[_PARAMETER.width, i]
    height, mass = parameter[_PARAMETER.height, i], parameter[_PARAMETER.mass, i]
    yaw_inertia = parameter[_PARAMETER.yaw_inertia, i]
    if yaw_inertia <= 0.0:
        yaw_inertia = mass * (length * length + width * width) / 12.0
    return (
        mass * (width * width + height * height) / 12.0,
        mass * (length * length + height * height) / 12.0,
        yaw_inertia,
    )


@inner_kernel
def leave_wheels(parameter: FloatArray, state: FloatArray, ints: IntArray, i: int) -> None:
    """Make a rigid box of the vehicle of a row that its springs no longer hold on the ground.

    On its wheels its motion is that of the centre of gravity along the plane of the ground, and roll and pitch go as
    the springs let them. The box begins with all of these, and with no more energy of motion than the vehicle had.
    """
    ints[_VEHICLE.rolled, i] = 1
    cg_x, cg_z = centre_of_gravity(parameter, i)
    roll_inertia, pitch_inertia, yaw_inertia = inertia_of(parameter, i)
    mass, rate = parameter[_PARAMETER.mass, i], _VEHICLE.angular_velocity
    wx = min(max(state[rate, i], -MAX_FIRST_RATE), MAX_FIRST_RATE)
    wy = min(max(state[rate + 1, i], -MAX_FIRST_RATE), MAX_FIRST_RATE)
    wz = state[rate + 2, i]
    sinking = min(state[_VEHICLE.heave_rate, i], 0.0)
    vx, vy, vz = state[_VEHICLE.velocity_x, i], state[_VEHICLE.velocity_y, i] + wz * cg_x, sinking - wy * cg_x
    along_plane = mass * (vx * vx + vy * vy) + yaw_inertia * wz * wz
    other = mass * vz * vz + roll_inertia * wx * wx + pitch_inertia * wy * wy
    scale = 1.0
    if other > 0.0:
        scale = sqrt(min((along_plane + mass * sinking * sinking) / (along_plane + other), 1.0))
    wx, wy, wz = scale * wx, scale * wy, scale * wz
    state[rate, i], state[rate + 1, i], state[rate + 2, i] = wx, wy, wz
    state[_VEHICLE.velocity_x, i] = scale * vx - wy * cg_z
    state[_VEHICLE.velocity_y, i] = scale * vy + wx * cg_z - wz * cg_x
    state[_VEHICLE.velocity_z, i] = scale * vz + wy * cg_x


@inner_kernel
def return_to_wheels(parameter: FloatArray, state: FloatArray, ints: IntArray, i: int) -> None:
    """Let the vehicle of a row drive again: what its centre of gravity does along the ground goes on."""
    ints[_VEHICLE.rolled, i] = 0
    _, cg_z = centre_of_gravity(parameter, i)
    rate = _VEHICLE.angular_velocity
    state[_VEHICLE.velocity_x, i] += state[rate + 1, i] * cg_z
    state[_VEHICLE.velocity_y, i] -= state[rate, i] * cg_z
    state[_VEHICLE.heave, i] = state[_VEHICLE.heave_rate, i] = 0.0
    state[_VEHICLE.roll_lag, i] = state[_VEHICLE.pitch_lag, i] = 0.0


@inner_kernel
def write_arms(t: RigidBox, parameter: FloatArray, i: int) -> None:
    """Write the points of the vehicle of a row, and its inertia."""
    length, width = parameter[_PARAMETER.length, i], parameter[_PARAMETER.width, i]
    height = parameter[_PARAMETER.height, i]
    cg_x, cg_z = centre_of_gravity(parameter, i)
    for wheel in range(_WHEELS):
        track = parameter[_PARAMETER.front_track, i] if wheel < 2 else parameter[_PARAMETER.rear_track, i]
        track = track if track > 0.0 else 0.8 * width
        t.arm[wheel, 0] = (parameter[_PARAMETER.wheelbase, i] if wheel < 2 else 0.0) - cg_x
        t.arm[wheel, 1] = 0.5 * track if wheel % 2 == 0 else -0.5 * track
        t.arm[wheel, 2] = -cg_z
    front, back = parameter[_PARAMETER.wheelbase, i] + parameter[_PARAMETER.front_overhang, i], length
    for k in range(POINTS - _WHEELS):
        share = (0.0, 1.0, 0.5)[k // 4]
        t.arm[_WHEELS + k, 0] = front - share * back - cg_x
        t.arm[_WHEELS + k, 1] = 0.5 * width if k % 2 == 0 else -0.5 * width
        t.arm[_WHEELS + k, 2] = (min(GROUND_CLEARANCE, 0.3 * height) if k % 4 < 2 else height) - cg_z
    t.inertia[0], t.inertia[1], t.inertia[2] = inertia_of(parameter, i)


@inner_kernel
def write_contact_frames(t: RigidBox, terrain: TerrainArrays, grip: FloatArray) -> None:
    """Write where the points are, the ground below them, and the friction that it bears.

    Args:
        t: the box; written.
        terrain: the ground.
        grip: `(5,)` sideways friction of each wheel, then the friction of a wheel along its rolling.
    """
    for p in range(POINTS):
        for k in range(3):
            t.reach[p, k] = turned(t, k, t.arm[p, 0], t.arm[p, 1], t.arm[p, 2])
        x, y, z = t.place[0] + t.reach[p, 0], t.place[1] + t.reach[p, 1], t.place[2] + t.reach[p, 2]
        ground = ground_at(terrain, x, y, z)
        norm = 1.0 / sqrt(1.0 + ground.slope_x * ground.slope_x + ground.slope_y * ground.slope_y)
        nx, ny, nz = -ground.slope_x * norm, -ground.slope_y * norm, norm
        t.normal[p, 0], t.normal[p, 1], t.normal[p, 2] = nx, ny, nz
        t.gap[p] = (z - ground.height) * nz if ground.surface >= 0 else NEAR
        # along the body, as wheels roll, then across
        ax, ay, az = t.rotation[0, 0], t.rotation[1, 0], t.rotation[2, 0]
        dot = ax * nx + ay * ny + az * nz
        ax, ay, az = ax - dot * nx, ay - dot * ny, az - dot * nz
        length = sqrt(ax * ax + ay * ay + az * az)
        if length < 1e-3:
            ax, ay, az, length = nz, 0.0, -nx, sqrt(nz * nz + nx * nx)
        ax, ay, az = ax / length, ay / length, az / length
        t.tangent[p, 0, 0], t.tangent[p, 0, 1], t.tangent[p, 0, 2] = ax, ay, az
        t.tangent[p, 1, 0], t.tangent[p, 1, 1], t.tangent[p, 1, 2] = (
            ny * az - nz * ay,
            nz * ax - nx * az,
            nx * ay - ny * ax,
        )
        t.limit[p, 0] = grip[4] if p < _WHEELS else BODY_FRICTION
        t.limit[p, 1] = grip[p] if p < _WHEELS else BODY_FRICTION


@inner_kernel
def lift(t: RigidBox, terrain: TerrainArrays) -> None:
    """Take points that ended too deep in the ground a little out of it."""
    deepest = 0.0
    for p in range(POINTS):
        if t.gap[p] < NEAR:
            x = t.place[0] + turned(t, 0, t.arm[p, 0], t.arm[p, 1], t.arm[p, 2])
            y = t.place[1] + turned(t, 1, t.arm[p, 0], t.arm[p, 1], t.arm[p, 2])
            z = t.place[2] + turned(t, 2, t.arm[p, 0], t.arm[p, 1], t.arm[p, 2])
            deepest = max(deepest, ground_at(terrain, x, y, z).height - z)
    t.place[2] += LIFT_SHARE * max(deepest - ALLOWED_DEPTH, 0.0)


@inner_kernel
def fall(t: RigidBox, terrain: TerrainArrays, grip: FloatArray, mass: float, dt: float) -> int:
    """One step of the box; returns at how many points it touches the ground."""
    write_inverse(t)
    write_contact_frames(t, terrain, grip)
    before = energy(t, mass)
    t.speed[2] -= GRAVITY * dt
    touching = 0
    for p in range(POINTS):
        closing = -speed_along(t, p, t.normal[p, 0], t.normal[p, 1], t.normal[p, 2])
        t.target[p] = -max(t.gap[p], 0.0) / dt
        if t.gap[p] < NEAR and closing * dt > t.gap[p]:
            touching += 1
            if p >= _WHEELS and closing > REBOUND_SPEED:
                t.target[p] = max(t.target[p], 0.0) + BODY_RESTITUTION * closing
        elif t.gap[p] < 2e-3:
            touching += 1
    for p in range(POINTS):
        if t.gap[p] < NEAR:
            press_again(t, p, mass)
        else:
            t.pressed[p, 0] = t.pressed[p, 1] = t.pressed[p, 2] = 0.0
    for _ in range(CONTACT_ROUNDS):
        for p in range(POINTS):
            if t.gap[p] < NEAR:
                press(t, p, mass)
    for k in range(3):
        t.place[k] += t.speed[k] * dt
    turn(t.rotation, t.rate, dt)
    lift(t, terrain)
    pay(t, mass, before)
    return touching


@inner_kernel
def read_vehicle(t: RigidBox, parameter: FloatArray, state: FloatArray, i: int) -> None:
    """Write the box of the vehicle of a row: points, inertia, pose and motion of its centre of gravity."""
    write_arms(t, parameter, i)
    write_rotation(t.rotation, state[_VEHICLE.roll, i], state[_VEHICLE.pitch, i], state[_VEHICLE.yaw, i])
    ox, oz = 0.5 * (t.arm[2, 0] + t.arm[3, 0]), t.arm[2, 2]
    rate, speed = _VEHICLE.angular_velocity, _VEHICLE.velocity_x
    for k in range(3):
        t.rate[k] = turned(t, k, state[rate, i], state[rate + 1, i], state[rate + 2, i])
        t.speed[k] = turned(t, k, state[speed, i], state[speed + 1, i], state[speed + 2, i])
        t.place[k] = state[_VEHICLE.x + k, i] - turned(t, k, ox, 0.0, oz)
    rx, ry, rz = turned(t, 0, ox, 0.0, oz), turned(t, 1, ox, 0.0, oz), turned(t, 2, ox, 0.0, oz)
    t.speed[0] -= t.rate[1] * rz - t.rate[2] * ry
    t.speed[1] -= t.rate[2] * rx - t.rate[0] * rz
    t.speed[2] -= t.rate[0] * ry - t.rate[1] * rx


@inner_kernel
def write_back(t: RigidBox, state: FloatArray, i: int, dt: float) -> None:
    """Write pose, velocity and acceleration of the body origin."""
    r = t.rotation
    yaw = state[_VEHICLE.yaw, i]
    new_yaw = atan2(r[1, 0], r[0, 0])
    state[_VEHICLE.yaw, i] = new_yaw + 2.0 * pi * floor((yaw - new_yaw) / (2.0 * pi) + 0.5)
    state[_VEHICLE.pitch, i] = -asin(min(max(r[2, 0], -1.0), 1.0))
    state[_VEHICLE.roll, i] = atan2(r[2, 1], r[2, 2])
    # the body origin lies below the middle of the rear axle's two wheels
    ox, oz = 0.5 * (t.arm[2, 0] + t.arm[3, 0]), t.arm[2, 2]
    reach_x, reach_y, reach_z = turned(t, 0, ox, 0.0, oz), turned(t, 1, ox, 0.0, oz), turned(t, 2, ox, 0.0, oz)
    state[_VEHICLE.x, i] = t.place[0] + reach_x
    state[_VEHICLE.y, i] = t.place[1] + reach_y
    state[_VEHICLE.z, i] = t.place[2] + reach_z
    vx = t.speed[0] + t.rate[1] * reach_z - t.rate[2] * reach_y
    vy = t.speed[1] + t.rate[2] * reach_x - t.rate[0] * reach_z
    vz = t.speed[2] + t.rate[0] * reach_y - t.rate[1] * reach_x
    for k in range(3):
        speed = r[0, k] * vx + r[1, k] * vy + r[2, k] * vz
        column = _VEHICLE.velocity_x + k
        state[_VEHICLE.acceleration + k, i] = (speed - state[column, i]) / dt
        state[column, i] = speed
        state[_VEHICLE.angular_velocity + k, i] = r[0, k] * t.rate[0] + r[1, k] * t.rate[1] + r[2, k] * t.rate[2]
    # dv/dt as seen from the turning body, plus omega x v, is the acceleration of the origin
    wx, wy, wz = (
        state[_VEHICLE.angular_velocity, i],
        state[_VEHICLE.angular_velocity + 1, i],
        state[_VEHICLE.angular_velocity + 2, i],
    )
    ux, uy, uz = state[_VEHICLE.velocity_x, i], state[_VEHICLE.velocity_y, i], state[_VEHICLE.velocity_z, i]
    state[_VEHICLE.acceleration, i] += wy * uz - wz * uy
    state[_VEHICLE.acceleration + 1, i] += wz * ux - wx * uz
    state[_VEHICLE.acceleration + 2, i] += wx * uy - wy * ux


@inner_kernel
def report_wheels(t: RigidBox, terrain: TerrainArrays, state: FloatArray, i: int, dt: float) -> bool:
    """Write the ground under the wheels and their forces; returns whether the vehicle stands on all four again."""
    stands = True
    for wheel in range(_WHEELS):
        p = wheel
        x, y, z = t.place[0] + t.reach[p, 0], t.place[1] + t.reach[p, 1], t.place[2] + t.reach[p, 2]
        ground = ground_at(terrain, x, y, z)
        state[_VEHICLE.wheel_height + wheel, i] = ground.height
        state[_VEHICLE.wheel_surface + wheel, i] = max(ground.surface, 0)
        gap = max(z - ground.height, 0.0)
        state[_VEHICLE.wheel_gap + wheel, i] = gap
        state[_VEHICLE.tire_lateral_force + wheel, i] = t.pressed[p, 2] / dt
        state[_VEHICLE.tire_slip_angle + wheel, i] = state[_VEHICLE.tire_cornering_stiffness + wheel, i] = 0.0
        up = t.rotation[0, 2] * t.normal[p, 0] + t.rotation[1, 2] * t.normal[p, 1] + t.rotation[2, 2] * t.normal[p, 2]
        off = abs(speed_along(t, p, t.normal[p, 0], t.normal[p, 1], t.normal[p, 2]))
        stands &= gap < _STANDS and up > _UPRIGHT and off < _SETTLED
    return stands


@inner_kernel
def hangs_over(state: FloatArray, i: int) -> bool:
    """Whether both wheels of a side or of an axle hang so far above the ground that driving would not bring it back."""
    k = _VEHICLE.wheel_gap
    front_left, front_right, rear_left, rear_right = state[k, i], state[k + 1, i], state[k + 2, i], state[k + 3, i]
    side = max(min(front_left, rear_left), min(front_right, rear_right))
    return bool(max(side, min(front_left, front_right), min(rear_left, rear_right)) > MAX_GAP_AT_REST)


@inner_kernel
def bound(t: RigidBox) -> None:
    """Bound speed and rate."""
    speed = sqrt(t.speed[0] ** 2 + t.speed[1] ** 2 + t.speed[2] ** 2)
    rate = sqrt(t.rate[0] ** 2 + t.rate[1] ** 2 + t.rate[2] ** 2)
    for k in range(3):
        t.speed[k] *= min(1.0, MAX_TUMBLE_SPEED / max(speed, 1e-9))
        t.rate[k] *= min(1.0, MAX_TUMBLE_RATE / max(rate, 1e-9))


@kernel
def step_rolled_vehicles(
    terrain: TerrainArrays, parameter: FloatArray, state: FloatArray, ints: IntArray, dt: float
) -> None:
    """Step the vehicles that have left their wheels by one tick, in place.

    Args:
        terrain: the ground.
        parameter: `(columns, rows)` the read-only float block of `VehicleParameter`.
        state: `(columns, rows)` the writable float block of `VehicleState`.
        ints: its int block; rows with `rolled` are stepped, and it is cleared where one stands on its wheels again.
        dt: the tick [s].
    """
    if not dt > 0.0:
        return
    t = RigidBox(
        np.empty((3, 3)), np.empty(3), np.empty(3), np.empty(3), np.empty(3), np.empty((POINTS, 3)),
        np.empty((POINTS, 3)), np.empty((POINTS, 3)), np.empty(POINTS), np.empty((POINTS, 3)),
        np.empty((POINTS, 2, 3)), np.empty((POINTS, 2)), np.empty(POINTS), np.empty((3, 3)),
    )  # fmt: skip
    grip = np.empty(5)
    steps = floor(dt / SUBSTEP) + 1
    for i in range(state.shape[1]):
        if ints[_VEHICLE.rolled, i] == 0:
            continue
        read_vehicle(t, parameter, state, i)
        mass = parameter[_PARAMETER.mass, i]
        for wheel in range(_WHEELS):
            grip[wheel] = max(parameter[_PARAMETER.friction, i], 0.3) * state[_VEHICLE.surface_friction + wheel, i]
            if SOFT[int(state[_VEHICLE.wheel_surface + wheel, i])]:
                grip[wheel] = max(grip[wheel], FURROW_FRICTION)
        grip[4] = max(state[_VEHICLE.brake, i] * parameter[_PARAMETER.friction, i], 0.02)
        t.pressed[:] = 0.0
        touching = 0
        for _ in range(steps):
            touching = fall(t, terrain, grip, mass, dt / steps)
        bound(t)
        rests = False
        slow = t.speed[0] ** 2 + t.speed[1] ** 2 + t.speed[2] ** 2 < REST_SPEED**2
        if touching >= 3 and slow and t.rate[0] ** 2 + t.rate[1] ** 2 + t.rate[2] ** 2 < REST_RATE**2:
            t.speed[:] = 0.0
            t.rate[:] = 0.0
            rests = True
        write_back(t, state, i, dt)
        stands = report_wheels(t, terrain, state, i, dt / steps)
        if stands or (rests and t.rotation[2, 2] > _UPRIGHT_AT_REST and not hangs_over(state, i)):
            return_to_wheels(parameter, state, ints, i)
