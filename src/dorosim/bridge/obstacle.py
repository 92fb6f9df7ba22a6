"""Obstacles as clients speak of them: models by name, sizes, and ways to move them."""

from __future__ import annotations

import math
from enum import IntEnum

from dorosim.bridge.answer import Refusal
from dorosim.world.command import NEW_ACTOR, Vector
from dorosim.world.obstacle.command import DriveObstacle, ReleaseObstacle, SpawnObstacle
from dorosim.world.obstacle.state import OBSTACLE_MODELS, obstacle_model_row
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot


class MoveMode(IntEnum):
    """How an obstacle is moved (Standard API, ObjectControlModeType)."""

    NORMAL = 0
    WAYPOINT = 1
    KINEMATICS = 2


def obstacle_to_make(
    model: str, position: Vector, rotation: Vector, scale: Vector, *, drop: bool = False
) -> tuple[SpawnObstacle, str]:
    """The command that makes an obstacle, and a sentence if another model stands for the one that was asked for.

    Args:
        model: its name, "" for a box.
        position: centre of the base in map [m].
        rotation: roll, pitch, yaw [rad].
        scale: of length, width and height; see `scale_or_one`.
        drop: whether it is put on the ground below, as one whose height is NaN is.
    """
    row, is_it = obstacle_model_row(model) if model.strip() else (0, True)
    note = "" if is_it else f"there is no obstacle {model!r}; {OBSTACLE_MODELS[row].name!r} stands for it"
    command = SpawnObstacle(
        NEW_ACTOR, row, position, rotation, scale=scale_or_one(scale), fallback=not is_it, drop=drop
    )
    return command, note


def scale_or_one(scale: Vector) -> Vector:
    """Returns the factors on a size. A factor that a client does not send is 0, which is no size, and becomes 1."""
    x, y, z = (part or 1.0 for part in scale)
    return x, y, z


def obstacle_to_move(
    scene: Scene, now: Snapshot, actor: int, mode: MoveMode, velocity: tuple[float, float], yaw_rate: float, up: float
) -> DriveObstacle | ReleaseObstacle | Refusal:
    """The command that moves an obstacle.

    Args:
        scene: its ground.
        now: the last snapshot.
        actor: id of an obstacle that is there.
        mode: NORMAL: it stands, and nothing else counts; WAYPOINT: along its points, as fast as `velocity` is long;
            KINEMATICS: by the numbers.
        velocity: forward and to the left [m/s].
        yaw_rate: counter-clockwise [rad/s].
        up: height of its base over the ground below it [m].
    """
    if mode is MoveMode.NORMAL:
        return ReleaseObstacle(actor)
    if mode is MoveMode.WAYPOINT:
        return ReleaseObstacle(actor, go=True, speed=math.hypot(*velocity))
    state = now.obstacles.state
    row = now.obstacles.row_of(actor)
    if row < 0:
        return Refusal(f"there is no obstacle {actor}")
    ground = scene.ground_height(float(state.x[row]), float(state.y[row]), float(state.z[row]))
    return DriveObstacle(actor, velocity, yaw_rate, ground + up)
