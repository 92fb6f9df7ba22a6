"""The ground under the wheels of vehicles: heights, surfaces, kerbs, and the plane that a vehicle stands on."""

from __future__ import annotations

from math import cos, isfinite, sin, sqrt
from typing import NamedTuple

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.physics import GRAVITY
from dorosim.road.terrain.query_kernel import GroundPoint, TerrainArrays, ground_at, is_rough
from dorosim.world.vehicle.ground_frame_kernel import BODY_LAG, first_order_step
from dorosim.world.vehicle.mode import ControlKind
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

CLIMBED_SHARE = 0.4
"""A wheel climbs steps up to this share of its radius; higher ones stop it."""
KERB_DISTANCE = 0.8
"""A wheel touches a step of that height when its centre is this share of its radius from it: sqrt(1 - 0.6^2)."""
KERB_RESTITUTION, KERB_FRICTION = 0.1, 0.3
"""Of a tyre's sidewall on a kerb: it hardly rebounds, and slides along rubber against smooth stone."""
MAX_WARP = 0.1
"""By so much the ground under a wheel may leave the plane of the four before wheels hang [m]: the travel of springs."""

_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at
_YAW_RATE = _VEHICLE.angular_velocity + 2
_GHOST = int(ControlKind.GHOST)
_DIAGONAL = 0.7071067811865476
_AROUND = (
    (1.0, 0.0),
    (_DIAGONAL, _DIAGONAL),
    (0.0, 1.0),
    (-_DIAGONAL, _DIAGONAL),
    (-1.0, 0.0),
    (-_DIAGONAL, -_DIAGONAL),
    (0.0, -1.0),
    (_DIAGONAL, -_DIAGONAL),
)
_ROLLED = (-0.75, -0.5, -0.25, 0.25, 0.5, 0.75)
"""Where along a wheel its rim is compared with the ground, over its radius."""
_MARCH = 4


class WheelPlace(NamedTuple):
    """Where a wheel touches the ground: from the body origin, along the map's axes and in the body frame [m]."""

    x: float
    y: float
    along: float
    across: float


@inner_kernel
def wheel_place(parameter: FloatArray, i: int, wheel: int, c: float, s: float) -> WheelPlace:
    """The place of a wheel (FL FR RL RR) of the vehicle of row `i` at a heading of cosine `c` and sine `s`."""
    along = parameter[_PARAMETER.wheelbase, i] if wheel < 2 else 0.0
    across = 0.5 * (parameter[_PARAMETER.front_track, i] if wheel < 2 else parameter[_PARAMETER.rear_track, i])
    if across <= 0.0:
        across = 0.4 * parameter[_PARAMETER.width, i]
    if wheel % 2 == 1:
        across = -across
    return WheelPlace(c * along - s * across, s * along + c * across, along, across)


@inner_kernel
def ground_under_wheel(
    terrain: TerrainArrays, x: float, y: float, z: float, c: float, s: float, radius: float
) -> GroundPoint:
    """The ground under a wheel, as a rigid rim of its radius meets it: it rolls up steps that it can climb.

    Args:
        terrain: the ground.
        x: of the wheel's centre in map [m].
        y: likewise.
        z: about the height of the ground there [m].
        c: cosine of the vehicle's heading.
        s: its sine.
        radius: of the wheel [m].
    """
    here = ground_at(terrain, x, y, z)
    if not is_rough(terrain, x, y):
        return here
    height = here.height
    for share in _ROLLED:
        along = share * radius
        other = ground_at(terrain, x + along * c, y + along * s, here.height)
        if other.height - here.height <= CLIMBED_SHARE * radius:
            height = max(height, other.height - radius * (1.0 - sqrt(1.0 - share * share)))
    return GroundPoint(height, here.slope_x, here.slope_y, here.surface)


@inner_kernel
def blocking_step(
    terrain: TerrainArrays, x: float, y: float, height: float, radius: float
) -> tuple[float, float, float]:
    """A step beside a wheel that it cannot climb: direction away from it, and by how much the wheel is too near [m].

    Args:
        terrain: the ground.
        x: of the wheel's centre in map [m].
        y: likewise.
        height: of the ground under it [m].
        radius: of the wheel [m].
    """
    limit, reach = height + CLIMBED_SHARE * radius, KERB_DISTANCE * radius
    away_x, away_y = 0.0, 0.0
    for east, north in _AROUND:
        if ground_at(terrain, x + reach * east, y + reach * north, height).height > limit:
            away_x -= east
            away_y -= north
    length = sqrt(away_x * away_x + away_y * away_y)
    if length < 1e-6:
        return 0.0, 0.0, 0.0
    away_x, away_y = away_x / length, away_y / length
    low, high = 0.0, reach
    for _ in range(_MARCH + 2):
        middle = 0.5 * (low + high)
        if ground_at(terrain, x - middle * away_x, y - middle * away_y, height).height > limit:
            high = middle
        else:
            low = middle
    return away_x, away_y, reach - high


@inner_kernel
def stop_at_step(
    parameter: FloatArray, state: FloatArray, i: int, place: WheelPlace, step: tuple[float, float, float]
) -> None:
    """Let a step stop a wheel: an impulse away from it, friction along it, and no overlap.

    Args:
        parameter: the block of `VehicleParameter`.
        state: the float block of `VehicleState`.
        i: the vehicle's row.
        place: of the wheel.
        step: see `blocking_step`.
    """
    away_x, away_y, overlap = step
    state[_VEHICLE.x, i] += overlap * away_x
    state[_VEHICLE.y, i] += overlap * away_y
    c, s = cos(state[_VEHICLE.yaw, i]), sin(state[_VEHICLE.yaw, i])
    nx, ny = c * away_x + s * away_y, c * away_y - s * away_x
    yaw_rate = state[_YAW_RATE, i]
    vx = state[_VEHICLE.velocity_x, i] - yaw_rate * place.across
    vy = state[_VEHICLE.velocity_y, i] + yaw_rate * place.along
    closing = -(vx * nx + vy * ny)
    if closing <= 0.0:
        return
    mass, inertia = parameter[_PARAMETER.mass, i], parameter[_PARAMETER.yaw_inertia, i]
    rear = parameter[_PARAMETER.rear_distance, i]
    if inertia <= 0.0:
        inertia = mass * (parameter[_PARAMETER.length, i] ** 2 + parameter[_PARAMETER.width, i] ** 2) / 12.0
        rear = 0.5 * parameter[_PARAMETER.wheelbase, i]
    arm_x, arm_y = place.along - rear, place.across
    turn = arm_x * ny - arm_y * nx
    impulse = (1.0 + KERB_RESTITUTION) * closing / (1.0 / mass + turn * turn / inertia)
    sliding = vy * nx - vx * ny
    turn_along = arm_x * nx + arm_y * ny
    along = -sliding / (1.0 / mass + turn_along * turn_along / inertia)
    along = min(max(along, -KERB_FRICTION * impulse), KERB_FRICTION * impulse)
    jx, jy = impulse * nx - along * ny, impulse * ny + along * nx
    change = (arm_x * jy - arm_y * jx) / inertia
    state[_VEHICLE.velocity_x, i] += jx / mass
    state[_VEHICLE.velocity_y, i] += jy / mass - change * rear
    state[_YAW_RATE, i] = yaw_rate + change


@inner_kernel
def stand_on(parameter: FloatArray, state: FloatArray, i: int) -> None:
    """Write the plane that a vehicle stands on, and how far its wheels hang, from the ground under them.

    Of four wheels whose ground is no plane the two lower ones of a diagonal hang where springs reach no farther.
    """
    k = _VEHICLE.wheel_height
    a, b, c, d = state[k, i], state[k + 1, i], state[k + 2, i], state[k + 3, i]
    warp = 0.25 * (a - b - c + d)
    lift = 2.0 * max(abs(warp) - MAX_WARP, 0.0)
    hang = _VEHICLE.wheel_gap
    state[hang, i] = state[hang + 3, i] = lift if warp < 0.0 else 0.0
    state[hang + 1, i] = state[hang + 2, i] = lift if warp > 0.0 else 0.0
    a, b, c, d = a + state[hang, i], b + state[hang + 1, i], c + state[hang + 2, i], d + state[hang + 3, i]
    front, rear = wheel_place(parameter, i, 0, 1.0, 0.0), wheel_place(parameter, i, 2, 1.0, 0.0)
    along = 0.5 * (a + b - c - d) / front.along
    across = 0.25 * ((a - b) / front.across + (c - d) / rear.across)
    cos_yaw, sin_yaw = cos(state[_VEHICLE.yaw, i]), sin(state[_VEHICLE.yaw, i])
    state[_VEHICLE.ground_height, i] = 0.5 * (c + d)
    state[_VEHICLE.ground_slope_x, i] = cos_yaw * along - sin_yaw * across
    state[_VEHICLE.ground_slope_y, i] = sin_yaw * along + cos_yaw * across


@inner_kernel
def spring(state: FloatArray, i: int, dt: float) -> None:
    """How far the body is above the plane that its wheels stand on, after the ground has risen or fallen under it.

    It comes back with the time constant of the body, but falls no faster than by its weight.
    """
    if not dt > 0.0:
        return
    heave, rate = state[_VEHICLE.z, i] - state[_VEHICLE.ground_height, i], state[_VEHICLE.heave_rate, i]
    after = first_order_step(heave, 0.0, dt / (BODY_LAG + dt))
    after = max(after, heave + min(rate, 0.0) * dt - GRAVITY * dt * dt)
    state[_VEHICLE.heave, i], state[_VEHICLE.heave_rate, i] = after, (after - heave) / dt


@kernel
def find_wheel_ground(
    terrain: TerrainArrays, parameter: FloatArray, state: FloatArray, ints: IntArray, dt: float
) -> None:
    """Write the ground under the wheels of all vehicles, and let kerbs that are too high stop them.

    Args:
        terrain: the ground.
        parameter: `(columns, rows)` the read-only float block of `VehicleParameter`.
        state: `(columns, rows)` the writable float block of `VehicleState`; for a vehicle that was placed in this tick
            `ground_height` is about that of the ground.
        ints: its int block.
        dt: the tick [s]; 0 while the simulation is paused.
    """
    for i in range(state.shape[1]):
        x, y = state[_VEHICLE.x, i], state[_VEHICLE.y, i]
        if not (isfinite(x) and isfinite(y)):
            continue
        placed = ints[_VEHICLE.placed, i] != 0
        ghost = ints[_VEHICLE.control_kind, i] == _GHOST
        c, s = cos(state[_VEHICLE.yaw, i]), sin(state[_VEHICLE.yaw, i])
        radius = parameter[_PARAMETER.wheel_radius, i]
        for wheel in range(4):
            place = wheel_place(parameter, i, wheel, c, s)
            guess = state[_VEHICLE.wheel_height + wheel, i]
            if ghost:
                guess = state[_VEHICLE.z, i]
            elif placed:
                guess = state[_VEHICLE.ground_height, i]
            point = ground_under_wheel(terrain, x + place.x, y + place.y, guess, c, s, radius)
            state[_VEHICLE.wheel_height + wheel, i] = point.height
            state[_VEHICLE.wheel_surface + wheel, i] = max(point.surface, 0)
            if dt > 0.0 and not (ghost or placed) and is_rough(terrain, x + place.x, y + place.y):
                step = blocking_step(terrain, x + place.x, y + place.y, point.height, radius)
                if step[0] != 0.0 or step[1] != 0.0:
                    stop_at_step(parameter, state, i, place, step)
        stand_on(parameter, state, i)
        if placed or ghost:
            state[_VEHICLE.heave, i] = state[_VEHICLE.heave_rate, i] = 0.0
        else:
            spring(state, i, dt)
