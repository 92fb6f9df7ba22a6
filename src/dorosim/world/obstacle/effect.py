"""What commands to obstacles do."""

from __future__ import annotations

import math

import msgspec
import numpy as np

from dorosim.ground.physics import MAX_COORDINATE
from dorosim.world.collision.body import BodyKind
from dorosim.world.collision.room import Footprint, check_clear
from dorosim.world.command import CommandError, Vector
from dorosim.world.draft import Draft
from dorosim.world.effect_common import (
    check_model,
    check_pose,
    check_up_to,
    check_waypoints,
    creates_actor,
    on_obstacle,
    within,
)
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
def spawn_obstacle(scene: Scene, draft: Draft, command: SpawnObstacle) -> None:
    command = _on_ground(scene, command)
    _check_spawn(command)
    model = OBSTACLE_MODELS[command.model]
    size = np.array((model.length, model.width, model.height)) * command.scale
    check_clear(scene, draft, BodyKind.OBSTACLE, Footprint(*command.position, command.rotation[2], *size.tolist()))
    state = ObstacleState.zeros(1)
    _put(state, 0, command)
    state.model[0] = command.model
    _give_size(state, 0, command.scale)
    state.move_speed[0], state.active_distance[0] = command.move_speed, command.active_distance
    state.id[0], state.fallback[0] = command.actor, command.fallback
    draft.obstacles = draft.obstacles.append(Obstacles(state, WaypointRoutes.from_routes([command.way])), draft.growth)


def _on_ground(scene: Scene, command: SpawnObstacle) -> SpawnObstacle:
    """The command with the height of the ground, where it is to be put there."""
    x, y, z = command.position
    if not (command.drop or math.isnan(z)) or not (math.isfinite(x) and math.isfinite(y)):
        return command
    return msgspec.structs.replace(command, position=(x, y, scene.ground_height(x, y, z)))


def _check_spawn(command: SpawnObstacle) -> None:
    check_model(command.model, OBSTACLE_MODELS)
    _check_scale(command.scale)
    check_up_to(MAX_OBSTACLE_SPEED, " m/s", speed=command.move_speed)
    check_up_to(MAX_COORDINATE, " m", active_distance=command.active_distance)
    check_waypoints(command.way, MAX_OBSTACLE_SPEED)
    check_pose(command.position, command.rotation)


def _check_scale(scale: Vector) -> None:
    if not all(1 / MAX_OBSTACLE_SCALE <= part <= MAX_OBSTACLE_SCALE for part in scale):
        raise CommandError(f"scale: {1 / MAX_OBSTACLE_SCALE:g} to {MAX_OBSTACLE_SCALE:g}, not {scale}")


def _put(state: ObstacleState, row: int, command: SpawnObstacle | PlaceObstacle) -> None:
    state.x[row], state.y[row], state.z[row] = command.position
    state.roll[row], state.pitch[row], state.yaw[row] = (math.remainder(a, math.tau) for a in command.rotation)


def _give_size(state: ObstacleState, row: int, scale: Vector) -> None:
    model = OBSTACLE_MODELS[int(state.model[row])]
    state.scale[:, row] = scale
    size = np.array((model.length, model.width, model.height)) * scale
    state.length[row], state.width[row], state.height[row] = size


@on_obstacle
def place_obstacle(draft: Draft, row: int, command: PlaceObstacle) -> None:
    check_pose(command.position, command.rotation)
    state = draft.obstacles.state
    _put(state, row, command)
    state.loose[row] = 0
    state.velocity_x[row] = state.velocity_y[row] = state.yaw_rate[row] = 0.0


@on_obstacle
def drive_obstacle(draft: Draft, row: int, command: DriveObstacle) -> None:
    state = draft.obstacles.state
    numbers = (*command.velocity, command.yaw_rate)
    if not within(MAX_OBSTACLE_SPEED, *numbers) or not within(MAX_COORDINATE, command.height or 0.0):
        limits = f"velocities of at most {MAX_OBSTACLE_SPEED:g} m/s and rad/s"
        raise CommandError(f"{limits}, not {numbers}; height {command.height}")
    state.drive_x[row], state.drive_y[row] = command.velocity
    state.drive_yaw_rate[row], state.driven[row], state.moving[row] = command.yaw_rate, 1, 0
    if command.height is not None:
        state.z[row] = command.height


@on_obstacle
def release_obstacle(draft: Draft, row: int, command: ReleaseObstacle) -> None:
    state, points = draft.obstacles.state, len(draft.obstacles.route.of(row))
    check_up_to(MAX_OBSTACLE_SPEED, " m/s", speed=command.speed)
    if command.go and not points:
        raise CommandError(f"obstacle {command.actor} has no points to go along")
    state.driven[row], state.moving[row] = 0, command.go
    state.drive_x[row] = state.drive_y[row] = state.drive_yaw_rate[row] = 0.0
    if command.go and state.waypoint[row] >= points:
        state.waypoint[row] = 0
    state.move_speed[row] = command.speed or state.move_speed[row]


@on_obstacle
def scale_obstacle(draft: Draft, row: int, command: ScaleObstacle) -> None:
    _check_scale(command.scale)
    _give_size(draft.obstacles.state, row, command.scale)


@on_obstacle
def pause_obstacle(draft: Draft, row: int, command: PauseObstacle) -> None:
    draft.obstacles.state.paused[row] = command.paused
