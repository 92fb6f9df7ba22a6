"""The built-in driver: pure pursuit and a speed profile along a polyline.

Source: R. Coulter, "Implementation of the pure pursuit path tracking algorithm", CMU-RI-TR-92-01 (1992). The rear axle,
which is the body origin, is steered onto the circle through a goal point ahead on the path.
"""

from __future__ import annotations

from math import atan, cos, sin, sqrt

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.vehicle.mode import ControlKind
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

LOOK_AHEAD_TIME = 0.5
"""Way to the goal point over speed [s]."""
LOOK_AHEAD_WHEELBASES = 1.2
"""Shortest way to the goal point over the wheelbase."""
PROFILE_DECELERATION = 1.2
"""By which the profile slows down for slower points ahead, below the limit of speed control [m/s²]."""
ARRIVED = 0.05
"""Way to the last point at which the trajectory has ended [m]."""
SAME_POINT = 1e-6
"""Points nearer than this are one [m]."""

_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at
_TRAJECTORY = int(ControlKind.TRAJECTORY)


@inner_kernel
def project(points: FloatArray, segment: int, x: float, y: float) -> tuple[float, float, float]:
    """Where a position stands along the segment from a point to the next.

    Returns:
        the segment's share that lies behind, 0 to 1; the squared distance to it [m²]; its length [m].
    """
    ax, ay = points[segment, 0], points[segment, 1]
    dx, dy = points[segment + 1, 0] - ax, points[segment + 1, 1] - ay
    square = dx * dx + dy * dy
    share = 0.0
    if square > SAME_POINT * SAME_POINT:
        share = min(max(((x - ax) * dx + (y - ay) * dy) / square, 0.0), 1.0)
    ex, ey = ax + share * dx - x, ay + share * dy - y
    return share, ex * ex + ey * ey, sqrt(square)


@inner_kernel
def find_segment(points: FloatArray, count: int, first: int, x: float, y: float) -> tuple[int, float]:
    """The nearest segment from `first` on and the share of it that lies behind.

    The search does not go back, and stops where the path has led away for good, so a path that crosses itself is
    followed in order.
    """
    best, best_share, best_square = first, 0.0, 1e300
    for segment in range(first, count - 1):
        share, square, _ = project(points, segment, x, y)
        if square < best_square:
            best, best_share, best_square = segment, share, square
        elif sqrt(square) > sqrt(best_square) + 10.0:
            break
    return best, best_share


@inner_kernel
def goal_point(points: FloatArray, count: int, segment: int, share: float, ahead: float) -> tuple[float, float]:
    """The point of the path a way ahead [m]; beyond its end it goes on straight."""
    x, y = points[segment, 0], points[segment, 1]
    dx, dy, length = 0.0, 0.0, 0.0
    left = ahead
    for k in range(segment, count - 1):
        tx, ty = points[k + 1, 0] - points[k, 0], points[k + 1, 1] - points[k, 1]
        step = sqrt(tx * tx + ty * ty)
        if step <= SAME_POINT:
            continue
        dx, dy, length = tx / step, ty / step, step
        start = share * length if k == segment else 0.0
        x, y = points[k, 0] + dx * start, points[k, 1] + dy * start
        if left <= length - start:
            return x + dx * left, y + dy * left
        left -= length - start
        x, y = points[k + 1, 0], points[k + 1, 1]
    return x + dx * left, y + dy * left


@inner_kernel
def profile_speed(points: FloatArray, count: int, segment: int, share: float, lag_way: float) -> float:
    """Target speed here [m/s]: between the speeds of the points, and no faster than the points ahead allow.

    Args:
        points: `(30, 4)`.
        count: of points.
        segment: where the vehicle is.
        share: of the segment that lies behind.
        lag_way: way that the vehicle goes on before it answers a target [m].
    """
    speed: float = points[segment, 3] + share * (points[segment + 1, 3] - points[segment, 3])
    way = -lag_way
    for k in range(segment, count - 1):
        _, _, length = project(points, k, points[k, 0], points[k, 1])
        way += length * (1.0 - share) if k == segment else length
        slow = points[k + 1, 3] if k + 1 < count - 1 else 0.0
        speed = min(speed, sqrt(slow * slow + 2.0 * PROFILE_DECELERATION * max(way, 0.0)))
    return max(speed, 0.0)


@inner_kernel
def drive_row(points: FloatArray, count: int, parameter: FloatArray, state: FloatArray, ints: IntArray, i: int) -> None:
    """Write the targets of one vehicle."""
    state[_VEHICLE.target_rear_steer, i] = 0.0
    if count < 2:
        state[_VEHICLE.target_velocity, i] = 0.0
        return
    x, y, speed = state[_VEHICLE.x, i], state[_VEHICLE.y, i], max(state[_VEHICLE.velocity_x, i], 0.0)
    first = min(max(ints[_VEHICLE.trajectory_index, i], 0), count - 2)
    segment, share = find_segment(points, count, first, x, y)
    ints[_VEHICLE.trajectory_index, i] = segment
    dx, dy = points[count - 1, 0] - x, points[count - 1, 1] - y
    at_end = segment == count - 2 and share >= 1.0
    if at_end or (segment == count - 2 and dx * dx + dy * dy < ARRIVED * ARRIVED):
        state[_VEHICLE.target_velocity, i] = 0.0
        return
    ahead = max(LOOK_AHEAD_TIME * speed, LOOK_AHEAD_WHEELBASES * parameter[_PARAMETER.wheelbase, i])
    goal_x, goal_y = goal_point(points, count, segment, share, ahead)
    c, s = cos(state[_VEHICLE.yaw, i]), sin(state[_VEHICLE.yaw, i])
    forward, left = c * (goal_x - x) + s * (goal_y - y), c * (goal_y - y) - s * (goal_x - x)
    square = forward * forward + left * left
    curvature = 2.0 * left / square if square > SAME_POINT else 0.0
    if forward < 0.0 and square > SAME_POINT:
        curvature = (2.0 if left >= 0.0 else -2.0) / sqrt(square)
    state[_VEHICLE.target_steer, i] = atan(curvature * parameter[_PARAMETER.wheelbase, i])
    lag = parameter[_PARAMETER.drive_lag, i] + max(parameter[_PARAMETER.drive_lag, i], 0.1) / 0.2
    state[_VEHICLE.target_velocity, i] = profile_speed(points, count, segment, share, speed * lag)


@kernel
def drive_trajectories(
    points: FloatArray, counts: IntArray, parameter: FloatArray, state: FloatArray, ints: IntArray
) -> None:
    """Write target_velocity, target_steer and trajectory_index of every row under TRAJECTORY control, in place.

    A trajectory of fewer than two points, and one that has ended, stops the vehicle. The driver drives forward, in a
    forward gear.

    Args:
        points: `(rows, 30, 4)` x, y, z in the map [m] and speed [m/s], read-only.
        counts: `(rows,)` points that count, read-only.
        parameter: `(columns, rows)` the read-only float block of `VehicleParameter`.
        state: `(columns, rows)` the writable float block of `VehicleState`.
        ints: `(columns, rows)` its writable int block.
    """
    for i in range(state.shape[1]):
        if ints[_VEHICLE.control_kind, i] == _TRAJECTORY:
            drive_row(points[i], counts[i], parameter, state, ints, i)
