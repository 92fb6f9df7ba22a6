"""The ground under the wheels of vehicles: heights, surfaces, kerbs, and the plane that a vehicle stands on."""

from __future__ import annotations

import math
from math import cos, isfinite, sin, sqrt

import numpy as np

from dorosim.ground.bare_kernel import bare, hold
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.physics import GRAVITY
from dorosim.road.surface import SurfaceArrays
from dorosim.road.surface_kernel import follow_surface
from dorosim.road.terrain.near_face_kernel import NEAR_ROOM
from dorosim.road.terrain.query_kernel import TerrainArrays, ground_at, is_rough
from dorosim.world.vehicle.angle_kernel import arc_tangent
from dorosim.world.vehicle.bump_kernel import BUMPS, bumps
from dorosim.world.vehicle.ground_frame_kernel import BODY_LAG, first_order_step
from dorosim.world.vehicle.mode import ControlKind
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.rollover_kernel import leave_wheels
from dorosim.world.vehicle.rough_ground_kernel import meet_rough_ground
from dorosim.world.vehicle.state import VehicleState
from dorosim.world.vehicle.wheel_place_kernel import ASKED_AT_ONCE, ask_for_ground, wheel_place

KERB_FRICTION = 0.3
"""Of a tyre's sidewall along smooth stone. It does not rebound."""
STEP_ROUNDS = 6
"""Rounds over the wheels that steps stop."""
MAX_WARP = 0.1
"""By so much the ground under a wheel may leave the plane of the four before wheels hang [m]: the travel of springs."""

MAX_ROLL = math.radians(35.0)
"""A vehicle that leans more than this is off its wheels."""
MAX_DROOP = 0.12
"""How far springs press wheels down after ground that falls away [m]: the rebound travel of cars."""

_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at
_YAW_RATE = _VEHICLE.angular_velocity + 2
_GHOST = int(ControlKind.GHOST)
_WHEELS = 4


@inner_kernel
def stop_at_steps(parameter: FloatArray, state: FloatArray, i: int, steps: FloatArray) -> None:
    """Let steps stop wheels: impulses away from them, friction along them, and no overlap.

    Args:
        parameter: the block of `VehicleParameter`.
        state: the float block of `VehicleState`.
        i: the vehicle's row.
        steps: `(4, 4)` for each wheel the direction away from its step in map, by how much it is too near [m], and
            room for the impulse [N s].
    """
    c, s = cos(state[_VEHICLE.yaw, i]), sin(state[_VEHICLE.yaw, i])
    mass, inertia = parameter[_PARAMETER.mass, i], parameter[_PARAMETER.yaw_inertia, i]
    rear = parameter[_PARAMETER.rear_distance, i]
    if inertia <= 0.0:
        inertia = mass * (parameter[_PARAMETER.length, i] ** 2 + parameter[_PARAMETER.width, i] ** 2) / 12.0
        rear = 0.5 * parameter[_PARAMETER.wheelbase, i]
    for sweep in range(STEP_ROUNDS):
        for wheel in range(4):
            away_x, away_y = steps[wheel, 0], steps[wheel, 1]
            if away_x == 0.0 and away_y == 0.0:
                continue
            if sweep == 0:
                state[_VEHICLE.x, i] += steps[wheel, 2] * away_x
                state[_VEHICLE.y, i] += steps[wheel, 2] * away_y
            nx, ny = c * away_x + s * away_y, c * away_y - s * away_x
            place, yaw_rate = wheel_place(parameter, i, wheel, c, s), state[_YAW_RATE, i]
            vx = state[_VEHICLE.velocity_x, i] - yaw_rate * place.across
            vy = state[_VEHICLE.velocity_y, i] + yaw_rate * place.along
            arm_x, arm_y = place.along - rear, place.across
            turn, turn_along = arm_x * ny - arm_y * nx, arm_x * nx + arm_y * ny
            impulse = -(vx * nx + vy * ny) / (1.0 / mass + turn * turn / inertia)
            impulse = max(steps[wheel, 3] + impulse, 0.0) - steps[wheel, 3]
            steps[wheel, 3] += impulse
            along = (vx * ny - vy * nx) / (1.0 / mass + turn_along * turn_along / inertia)
            most = KERB_FRICTION * abs(impulse)
            along = min(max(along, -most), most)
            jx, jy = impulse * nx - along * ny, impulse * ny + along * nx
            change = (arm_x * jy - arm_y * jx) / inertia
            state[_VEHICLE.velocity_x, i] += jx / mass
            state[_VEHICLE.velocity_y, i] += jy / mass - change * rear
            state[_YAW_RATE, i] = yaw_rate + change


@inner_kernel
def mean_track(parameter: FloatArray, i: int) -> float:
    """Between the wheels of an axle [m]."""
    return wheel_place(parameter, i, 0, 1.0, 0.0).across + wheel_place(parameter, i, 2, 1.0, 0.0).across


@inner_kernel
def slopes_of_wheels(parameter: FloatArray, state: FloatArray, i: int) -> tuple[float, float]:
    """Slopes forward and to the left of the plane through the lower ends of the wheels."""
    k, hang = _VEHICLE.wheel_height, _VEHICLE.wheel_gap
    a, b = state[k, i] + state[hang, i], state[k + 1, i] + state[hang + 1, i]
    c, d = state[k + 2, i] + state[hang + 2, i], state[k + 3, i] + state[hang + 3, i]
    front, rear = wheel_place(parameter, i, 0, 1.0, 0.0), wheel_place(parameter, i, 2, 1.0, 0.0)
    return 0.5 * (a + b - c - d) / front.along, 0.25 * ((a - b) / front.across + (c - d) / rear.across)


@inner_kernel
def stand_on(parameter: FloatArray, state: FloatArray, i: int, c: float, s: float) -> tuple[float, float]:
    """Write the plane that a vehicle stands on, and how far its wheels hang, from the ground under them.

    Of four wheels whose ground is no plane the two lower ones of a diagonal hang where springs reach no farther.

    Args:
        parameter: the block of `VehicleParameter`.
        state: the float block of `VehicleState`.
        i: the vehicle's row.
        c: cosine of its heading.
        s: its sine.

    Returns:
        slopes of the plane forward and to the left.
    """
    k = _VEHICLE.wheel_height
    left, right = state[k + 2, i], state[k + 3, i]
    warp = 0.25 * (state[k, i] - state[k + 1, i] - left + right)
    lift = 2.0 * max(abs(warp) - MAX_WARP, 0.0)
    hang = _VEHICLE.wheel_gap
    state[hang, i] = state[hang + 3, i] = lift if warp < 0.0 else 0.0
    state[hang + 1, i] = state[hang + 2, i] = lift if warp > 0.0 else 0.0
    along, across = slopes_of_wheels(parameter, state, i)
    state[_VEHICLE.ground_height, i] = 0.5 * (left + right + state[hang + 2, i] + state[hang + 3, i])
    state[_VEHICLE.ground_slope_x, i] = c * along - s * across
    state[_VEHICLE.ground_slope_y, i] = s * along + c * across
    return along, across


@inner_kernel
def bump_height(parameter: FloatArray, state: FloatArray, i: int, c: float, s: float) -> float:
    """How high the bumps are on which the four wheels of a vehicle stand, in the middle [m]; 0 on smooth ground."""
    total = 0.0
    for wheel in range(4):
        size = BUMPS[int(state[_VEHICLE.wheel_surface + wheel, i])]
        if size > 0.0:
            place = wheel_place(parameter, i, wheel, c, s)
            total += 0.25 * size * bumps(state[_VEHICLE.x, i] + place.x, state[_VEHICLE.y, i] + place.y)
    return total


@inner_kernel
def spring(
    state: FloatArray, i: int, bump: float, before: tuple[float, float], now: tuple[float, float], dt: float
) -> None:
    """How far the body is from the plane that its wheels stand on, after the ground has risen or fallen under it.

    It comes back with the time constant of the body, but falls no faster than by its weight. Bumps lift it.

    Args:
        state: the float block of `VehicleState`.
        i: the vehicle's row.
        bump: how high the bumps are on which it stands [m].
        before: slopes of the plane a tick ago, forward and to the left.
        now: slopes of the plane.
        dt: the tick [s].
    """
    heave, rate = state[_VEHICLE.z, i] - state[_VEHICLE.ground_height, i], state[_VEHICLE.heave_rate, i]
    after = first_order_step(heave, bump, dt / (BODY_LAG + dt))
    after = max(after, heave + min(rate, 0.0) * dt - GRAVITY * dt * dt)
    state[_VEHICLE.heave, i], state[_VEHICLE.heave_rate, i] = after, (after - heave) / dt
    along, across = now
    kept = 1.0 - dt / (BODY_LAG + dt)
    state[_VEHICLE.pitch_lag, i] = kept * (state[_VEHICLE.pitch_lag, i] + along - before[0])
    state[_VEHICLE.roll_lag, i] = kept * (state[_VEHICLE.roll_lag, i] + across - before[1])


@inner_kernel
def leaves_wheels(parameter: FloatArray, state: FloatArray, i: int, slopes: tuple[float, float]) -> bool:
    """Whether springs and tyres no longer hold a vehicle on the ground.

    So it is when its roll is beyond `MAX_ROLL`, when the ground has fallen away under one of its sides or ends faster
    than the body follows, by more than springs reach, or when the lateral
    forces of the tyres take all load off one side. `slopes` are those of its plane, forward and to the left.
    """
    along, across = slopes
    if abs(arc_tangent(across)) > MAX_ROLL:
        return True
    half, base = 0.5 * mean_track(parameter, i), 0.5 * parameter[_PARAMETER.wheelbase, i]
    fallen = max(half * abs(state[_VEHICLE.roll_lag, i]), base * abs(state[_VEHICLE.pitch_lag, i]))
    if state[_VEHICLE.heave, i] + fallen > MAX_DROOP:
        return True
    normal = 1.0 / sqrt(1.0 + along * along + across * across)
    k = _VEHICLE.tire_lateral_force
    weight = parameter[_PARAMETER.mass, i] * GRAVITY * normal
    force = abs(state[k, i] + state[k + 1, i] + state[k + 2, i] + state[k + 3, i])
    force = min(force, parameter[_PARAMETER.friction, i] * weight)  # what rolling without slip asks for may be more
    return bool(force * parameter[_PARAMETER.cg_height, i] > weight * half)


@inner_kernel
def likely_height(state: FloatArray, i: int, wheel: int, set_down: tuple[bool, bool]) -> float:
    """About the height of the ground under a wheel [m]: that of a tick ago, or of where the vehicle has been put."""
    placed, ghost = set_down
    if ghost:
        return float(state[_VEHICLE.z, i])
    if placed:
        return float(state[_VEHICLE.ground_height, i])
    return float(state[_VEHICLE.wheel_height + wheel, i])


@inner_kernel
def meet_ground(
    terrain: TerrainArrays,
    parameter: FloatArray,
    state: FloatArray,
    i: int,
    heading: tuple[float, float],
    set_down: tuple[bool, bool],
    steps: FloatArray,
    near: IntArray,
) -> bool:
    """Write height and surface under each wheel of a vehicle; whether steps stop any.

    Args:
        terrain: the ground.
        parameter: the block of `VehicleParameter`.
        state: the float block of `VehicleState`.
        i: the vehicle's row.
        heading: cosine and sine of its heading.
        set_down: whether it has just been placed, and whether it is a ghost: no step stops it then.
        steps: as of `stop_at_steps`; those that stop wheels are written.
        near: room for `NEAR_ROOM` numbers.
    """
    (placed, ghost), radius, blocked = set_down, parameter[_PARAMETER.wheel_radius, i], False
    for wheel in range(_WHEELS):
        place = wheel_place(parameter, i, wheel, heading[0], heading[1])
        x, y = state[_VEHICLE.x, i] + place.x, state[_VEHICLE.y, i] + place.y
        point = ground_at(terrain, x, y, likely_height(state, i, wheel, set_down))
        state[_VEHICLE.wheel_height + wheel, i] = point.height
        state[_VEHICLE.wheel_surface + wheel, i] = max(point.surface, 0)
        if not is_rough(terrain, x, y):
            continue
        stops = not (ghost or placed)
        height, step = meet_rough_ground(terrain, near, (x, y, point.height), heading, radius, stops)
        state[_VEHICLE.wheel_height + wheel, i] = height
        if step[0] != 0.0 or step[1] != 0.0:
            blocked = True
            steps[wheel, 0], steps[wheel, 1], steps[wheel, 2] = step
    return blocked


@inner_kernel
def find_ground_of(
    terrain: TerrainArrays,
    parameter: FloatArray,
    state: FloatArray,
    ints: IntArray,
    i: int,
    dt: float,
    steps: FloatArray,
    near: IntArray,
) -> None:
    """Write the ground under the wheels of the vehicle of row `i`; arguments as of `find_wheel_ground`.

    `steps` is room `(4, 4)` of zeros, as it is again afterwards; `near` is room for `NEAR_ROOM` numbers.
    """
    x, y = state[_VEHICLE.x, i], state[_VEHICLE.y, i]
    placed = ints[_VEHICLE.placed, i] != 0
    ghost = ints[_VEHICLE.control_kind, i] == _GHOST
    stays = not (dt > 0.0 or placed or ghost)
    if stays or ints[_VEHICLE.rolled, i] != 0 or not (isfinite(x) and isfinite(y)):
        return
    c, s = cos(state[_VEHICLE.yaw, i]), sin(state[_VEHICLE.yaw, i])
    before = slopes_of_wheels(parameter, state, i)
    if meet_ground(terrain, parameter, state, i, (c, s), (placed, ghost), steps, near):
        stop_at_steps(parameter, state, i, steps)
        for wheel in range(_WHEELS):
            for k in range(4):
                steps[wheel, k] = 0.0
    slopes = stand_on(parameter, state, i, c, s)
    if placed or ghost:
        state[_VEHICLE.heave, i] = state[_VEHICLE.heave_rate, i] = 0.0
        state[_VEHICLE.roll_lag, i] = state[_VEHICLE.pitch_lag, i] = 0.0
    else:
        spring(state, i, bump_height(parameter, state, i, c, s), before, slopes, dt)
        if leaves_wheels(parameter, state, i, slopes):
            leave_wheels(parameter, state, ints, i)


@kernel
def find_wheel_ground(
    surface: SurfaceArrays,
    terrain: TerrainArrays,
    parameter: FloatArray,
    state: FloatArray,
    ints: IntArray,
    dt: float,
) -> None:
    """Write the ground under the wheels of all vehicles, and let kerbs that are too high stop them.

    A vehicle that its springs no longer hold on the ground is marked as `rolled`.

    Args:
        surface: the lanes.
        terrain: the ground.
        parameter: `(columns, rows)` the read-only float block of `VehicleParameter`.
        state: `(columns, rows)` the writable float block of `VehicleState`.
        ints: its int block.
        dt: the tick [s]; 0 while the simulation is paused.
    """
    follow_surface(
        surface,
        state[_VEHICLE.x],
        state[_VEHICLE.y],
        state[_VEHICLE.z],
        ints[_VEHICLE.segment],
        state[_VEHICLE.ground_height],
        state[_VEHICLE.ground_slope_x],
        state[_VEHICLE.ground_slope_y],
    )
    room, numbers = np.zeros((4, 4)), np.empty(NEAR_ROOM, np.int64)
    steps, near, terrain, rows = bare(room), bare(numbers), bare(terrain), state.shape[1]
    parameter, state, ints = bare(parameter), bare(state), bare(ints)
    for i in range(rows):
        if rows > 1 and i % ASKED_AT_ONCE == 0:
            ask_for_ground(terrain, parameter, state, i, min(i + ASKED_AT_ONCE, rows))
        find_ground_of(terrain, parameter, state, ints, i, dt, steps, near)
    hold(numbers)
    hold(room)
