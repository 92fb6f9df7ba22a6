"""What commands to obstacles do."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.physics import MAX_COORDINATE
from dorosim.world.command import Vector
from dorosim.world.draft import Draft
from dorosim.world.effect_common import creates_actor, on_obstacle
from dorosim.world.obstacle.command import (
    MAX_OBSTACLE_SCALE,
    MAX_OBSTACLE_SPEED,
    DriveObstacle,
    PauseObstacle,
    PlaceObstacle,
    ReleaseObstacle,
    ScaleObstacle,
    SpawnObstacle,
)
from dorosim.world.obstacle.state import OBSTACLE_MODELS, Obstacles, ObstacleState
from dorosim.world.scene import Scene
from dorosim.world.waypoint import WaypointRoutes


@creates_actor
def spawn_obstacle(_: Scene, draft: Draft, command: SpawnObstacle) -> str:
    problem = _problem_with_spawn(command)
    if problem:
        return problem
    state = ObstacleState.zeros(1)
    state.x[0], state.y[0], state.z[0] = command.position
    state.roll[0], state.pitch[0], state.yaw[0] = (math.remainder(angle, math.tau) for angle in command.rotation)
    state.model[0] = command.model
    _give_size(state, 0, command.scale)
    state.move_speed[0], state.active_distance[0] = command.move_speed, command.active_distance
    state.id[0], state.fallback[0] = command.actor, command.fallback
    draft.obstacles = draft.obstacles.append(Obstacles(state, WaypointRoutes.from_routes([command.way])), draft.growth)
    return ""


def _problem_with_spawn(command: SpawnObstacle) -> str:
    if not 0 <= command.model < len(OBSTACLE_MODELS):
        return f"there are obstacle models 0 to {len(OBSTACLE_MODELS) - 1}, not {command.model}"
    problem = _problem_with_scale(command.scale)
    if problem:
        return problem
    if not 0.0 <= command.move_speed <= MAX_OBSTACLE_SPEED:
        return f"speed: 0 to {MAX_OBSTACLE_SPEED:g} m/s, not {command.move_speed:g}"
    if not 0.0 <= command.active_distance <= MAX_COORDINATE:
        return f"active distance: 0 to {MAX_COORDINATE:g} m, not {command.active_distance:g}"
    for number, point in enumerate(command.way):
        good = _is_near(point.x, point.y, point.z) and 0.0 <= point.pause <= MAX_COORDINATE
        if not good or not 0.0 <= point.speed <= MAX_OBSTACLE_SPEED:
            return f"point {number} of the way: {tuple(point)} is no place, pause and speed"
    return _problem_with_pose(command.position, command.rotation)


def _problem_with_pose(position: Vector, rotation: Vector) -> str:
    good = _is_near(*position) and all(math.isfinite(angle) for angle in rotation)
    return "" if good else f"no pose in the map: {position}, {rotation}"


def _problem_with_scale(scale: Vector) -> str:
    if all(1 / MAX_OBSTACLE_SCALE <= part <= MAX_OBSTACLE_SCALE for part in scale):
        return ""
    return f"scale: {1 / MAX_OBSTACLE_SCALE:g} to {MAX_OBSTACLE_SCALE:g}, not {scale}"


def _give_size(state: ObstacleState, row: int, scale: Vector) -> None:
    model = OBSTACLE_MODELS[int(state.model[row])]
    state.scale[:, row] = scale
    size = np.array((model.length, model.width, model.height)) * scale
    state.length[row], state.width[row], state.height[row] = size


def _is_near(*numbers: float) -> bool:
    """Whether numbers are finite and not absurd."""
    return all(abs(number) <= MAX_COORDINATE for number in numbers)


@on_obstacle
def place_obstacle(draft: Draft, row: int, command: PlaceObstacle) -> str:
    state = draft.obstacles.state
    problem = _problem_with_pose(command.position, command.rotation)
    if not problem:
        state.x[row], state.y[row], state.z[row] = command.position
        state.roll[row], state.pitch[row], state.yaw[row] = (math.remainder(a, math.tau) for a in command.rotation)
        state.loose[row] = 0
        state.velocity_x[row] = state.velocity_y[row] = state.yaw_rate[row] = 0.0
    return problem


@on_obstacle
def drive_obstacle(draft: Draft, row: int, command: DriveObstacle) -> str:
    state = draft.obstacles.state
    numbers = (*command.velocity, command.yaw_rate)
    if not all(abs(number) <= MAX_OBSTACLE_SPEED for number in numbers) or not _is_near(command.height or 0.0):
        return f"velocities of at most {MAX_OBSTACLE_SPEED:g} m/s and rad/s, not {numbers}; height {command.height}"
    state.drive_x[row], state.drive_y[row] = command.velocity
    state.drive_yaw_rate[row], state.driven[row], state.moving[row] = command.yaw_rate, 1, 0
    if command.height is not None:
        state.z[row] = command.height
    return ""


@on_obstacle
def release_obstacle(draft: Draft, row: int, command: ReleaseObstacle) -> str:
    state, points = draft.obstacles.state, len(draft.obstacles.route.of(row))
    if not 0.0 <= command.speed <= MAX_OBSTACLE_SPEED:
        return f"speed: 0 to {MAX_OBSTACLE_SPEED:g} m/s, not {command.speed:g}"
    if command.go and not points:
        return f"obstacle {command.actor} has no points to go along"
    state.driven[row], state.moving[row] = 0, command.go
    state.drive_x[row] = state.drive_y[row] = state.drive_yaw_rate[row] = 0.0
    if command.go and state.waypoint[row] >= points:
        state.waypoint[row] = 0
    state.move_speed[row] = command.speed or state.move_speed[row]
    return ""


@on_obstacle
def scale_obstacle(draft: Draft, row: int, command: ScaleObstacle) -> str:
    state = draft.obstacles.state
    problem = _problem_with_scale(command.scale)
    if not problem:
        _give_size(state, row, command.scale)
    return problem


@on_obstacle
def pause_obstacle(draft: Draft, row: int, command: PauseObstacle) -> str:
    state = draft.obstacles.state
    state.paused[row] = command.paused
    return ""
