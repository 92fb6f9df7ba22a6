"""A tick of all obstacles.

Scenario files let an obstacle go along waypoints with a speed once an ego vehicle is near (facts/ros-grpc-mgeo.md,
section 4: isWaypointMode, moveSpeed, activeDistance). It goes in straight lines at that speed, without pauses, and
stops at the end.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.world.obstacle.state import Obstacles, ObstacleState
from dorosim.world.waypoint import SPEED, WaypointRoutes

_OBSTACLE = ObstacleState.at

MAX_WAYPOINTS_PER_TICK = 8
"""Waypoints that an obstacle passes in one tick at most."""
_NEAR = 1e-9
"""A waypoint nearer than this [m] is reached."""


def step_obstacles(obstacles: Obstacles, ego_x: FloatArray, ego_y: FloatArray, dt: float) -> None:
    """Move all obstacles for a tick.

    Args:
        obstacles: a writable copy; its state is changed.
        ego_x: `(E,)` the ego vehicles in map [m].
        ego_y: likewise.
        dt: length of the tick [s].
    """
    state = obstacles.state
    if not obstacles.can_move():
        return
    counts = np.diff(obstacles.route.first)
    sleeping = (state.moving == 0) & (state.waypoint < counts) & (state.move_speed > 0.0) & (state.driven == 0)
    if sleeping.any():
        gap = np.hypot(state.x[:, None] - ego_x, state.y[:, None] - ego_y).min(axis=1, initial=math.inf)
        state.moving[sleeping & ((state.active_distance <= 0.0) | (gap < state.active_distance))] = 1
    held = state.loose == 0
    for column in (state.velocity_x, state.velocity_y, state.velocity_z, state.yaw_rate):
        column[held] = 0.0
    free = (state.paused == 0) & (state.loose == 0)
    going = free & (state.moving != 0) & (state.driven == 0)
    if going.any():
        _follow_waypoints(state, obstacles.route, counts, np.flatnonzero(going), dt)
    driven = np.flatnonzero(free & (state.driven != 0))
    if len(driven):
        _drive(state, driven, dt)


def write_accelerations(state: ObstacleState, before: FloatArray, dt: float) -> None:
    """Write accelerations of obstacles: the change of velocity in a tick, whatever caused it; 0 while paused.

    Args:
        state: writable, after the tick.
        before: `(3, N)` their velocities before it [m/s].
        dt: length of the tick [s].
    """
    floats = state.floats
    if floats[_MOTION].any() or before.any():
        floats[_ACCELERATION] = (floats[_VELOCITY] - before) / dt * (state.paused == 0)


_VELOCITY = slice(_OBSTACLE.velocity_x, _OBSTACLE.velocity_x + 3)
_ACCELERATION = slice(_OBSTACLE.acceleration_x, _OBSTACLE.acceleration_x + 3)
_MOTION = slice(_OBSTACLE.velocity_x, _OBSTACLE.acceleration_z + 1)


def velocities_of(state: ObstacleState) -> FloatArray:
    """`(3, N)` the velocities of obstacles, east, north, up [m/s]; a copy."""
    return state.floats[_VELOCITY].copy()


def _follow_waypoints(
    state: ObstacleState, route: WaypointRoutes, counts: NDArray[np.int64], rows: NDArray[np.int64], dt: float
) -> None:
    """Move rows along their points; what is left of the tick at a point goes on to the next."""
    place = np.column_stack((state.x[rows], state.y[rows], state.z[rows]))
    start, left = place.copy(), np.full(len(rows), dt)
    for _ in range(MAX_WAYPOINTS_PER_TICK):
        open_ = np.flatnonzero((left > 0.0) & (state.waypoint[rows] < counts[rows]))
        if not len(open_):
            break
        row = rows[open_]
        goal = route.point[route.first[row] + state.waypoint[row]]
        speed = np.where(goal[:, SPEED] > 0.0, goal[:, SPEED], state.move_speed[row])
        way = goal[:, :3] - place[open_]
        distance = np.linalg.norm(way, axis=1)
        reached = distance <= speed * left[open_] + _NEAR
        share = np.where(reached, 1.0, speed * left[open_] / np.where(distance > 0.0, distance, 1.0))
        place[open_] += way * share[:, None]
        turned = np.hypot(way[:, 0], way[:, 1]) > _NEAR
        state.yaw[row[turned]] = np.arctan2(way[turned, 1], way[turned, 0])
        left[open_] = np.where(reached, left[open_] - distance / np.maximum(speed, _NEAR), 0.0)
        state.waypoint[row] += reached
    velocity = (place - start) / dt
    state.x[rows], state.y[rows], state.z[rows] = place.T
    state.velocity_x[rows], state.velocity_y[rows], state.velocity_z[rows] = velocity.T
    state.moving[rows[state.waypoint[rows] >= counts[rows]]] = 0


def _drive(state: ObstacleState, rows: NDArray[np.int64], dt: float) -> None:
    """Move rows as commanded: yaw first, then along the new axes."""
    yaw = state.yaw[rows] + state.drive_yaw_rate[rows] * dt
    cosine, sine = np.cos(yaw), np.sin(yaw)
    vx = cosine * state.drive_x[rows] - sine * state.drive_y[rows]
    vy = sine * state.drive_x[rows] + cosine * state.drive_y[rows]
    state.yaw[rows] = yaw - math.tau * np.floor(yaw / math.tau + 0.5)
    state.velocity_x[rows], state.velocity_y[rows], state.yaw_rate[rows] = vx, vy, state.drive_yaw_rate[rows]
    state.x[rows] += vx * dt
    state.y[rows] += vy * dt
