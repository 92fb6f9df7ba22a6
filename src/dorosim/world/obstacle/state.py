"""Things that stand or move on the road: cones, boxes, trees; state, motion and commands."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Self

import msgspec
import numpy as np

from dorosim.ground.column import Columns, float64, float64_vector, int64
from dorosim.ground.growable_array import GrowableArray
from dorosim.ground.physics import MAX_COORDINATE
from dorosim.ground.unit import METRE, METRE_PER_SECOND, METRE_PER_SECOND2, RADIAN, RADIAN_PER_SECOND, RATIO
from dorosim.world.waypoint import Waypoint, WaypointRoutes
from dorosim.world.waypoint_follower import Travellers

Vector = tuple[float, float, float]
LARGEST_SCALE = 100.0
"""An obstacle is made at most this many times larger, or smaller by the same factor."""
FASTEST = 100.0
"""No obstacle can be commanded to move faster than this [m/s]."""


@dataclass(frozen=True, slots=True)
class ObstacleModel:
    """A model of an obstacle.

    Attributes:
        name: as it is asked for.
        length, width, height: of its box at scale 1, length along its heading [m].
        mass: [kg]; 0 for what stands fast in the ground.
    """

    name: str
    length: float
    width: float
    height: float
    mass: float


OBSTACLE_MODELS: tuple[ObstacleModel, ...] = (
    ObstacleModel("box", 1.0, 1.0, 1.0, 20.0),
    ObstacleModel("cone", 0.37, 0.37, 0.70, 3.0),
    ObstacleModel("drum", 0.45, 0.45, 0.80, 9.0),
    ObstacleModel("barrier", 1.00, 0.60, 0.90, 40.0),
    ObstacleModel("concrete_barrier", 3.00, 0.61, 0.81, 2000.0),
    ObstacleModel("bollard", 0.15, 0.15, 0.90, 0.0),
    ObstacleModel("sign_stand", 0.60, 0.90, 1.20, 12.0),
    ObstacleModel("pallet", 1.10, 1.10, 0.15, 20.0),
    ObstacleModel("tire", 0.65, 0.65, 0.22, 10.0),
    ObstacleModel("stone", 0.50, 0.50, 0.40, 150.0),
    ObstacleModel("tree", 0.40, 0.40, 6.00, 0.0),
    ObstacleModel("container", 6.06, 2.44, 2.59, 2300.0),
    ObstacleModel("trailer", 12.20, 2.50, 4.00, 7000.0),
    ObstacleModel("dog", 0.90, 0.30, 0.60, 25.0),
    ObstacleModel("deer", 1.60, 0.50, 1.40, 60.0),
)
"""All models; the `model` column of `ObstacleState` is a row of it.

Container: ISO 668, 1CC. Pallet: KS T 2002 (T11). Cone, drum and barriers: usual Korean road-work sizes (0.7 m cone,
Jersey barrier of 0.81 m). The rest are estimates. The product's names are not public (facts/ros-grpc-mgeo.md, 4)."""

_ROW_OF_NAME = {model.name: row for row, model in enumerate(OBSTACLE_MODELS)}


def obstacle_model_row(name: str) -> tuple[int, bool]:
    """The row of a model in `OBSTACLE_MODELS`, and whether it has the name that was asked for.

    Upper and lower case are the same. For a name that is not in the catalogue, the row is that of the longest model
    name in it, else of the model with the most similar name, else of the box of 1 m; show this to the user if the
    second value is False.
    """
    plain = name.strip().casefold()
    if plain in _ROW_OF_NAME:
        return _ROW_OF_NAME[plain], True
    within = [row for known, row in _ROW_OF_NAME.items() if known.replace("_", "") in plain.replace("_", "")]
    if within:
        return max(within, key=lambda row: len(OBSTACLE_MODELS[row].name)), False
    near = get_close_matches(plain, _ROW_OF_NAME, n=1)
    return (_ROW_OF_NAME[near[0]] if near else 0), False


class ObstacleState(Columns):
    """One row per obstacle, in ascending order of ids. The origin is the centre of the base (seams, Frames).

    Roll, pitch and yaw turn the map frame into the body frame in the order z, y, x by the right-hand rule (REP-103).
    """

    x = float64(METRE, "centre of the base, east", frame="map")
    y = float64(METRE, "centre of the base, north", frame="map")
    z = float64(METRE, "centre of the base, up", frame="map")
    roll = float64(RADIAN, "left side up positive", frame="map")
    pitch = float64(RADIAN, "nose down positive", frame="map")
    yaw = float64(RADIAN, "counter-clockwise from east", frame="map")
    scale = float64_vector(3, RATIO, "length, width and height over those of the model")
    length = float64(METRE, "along body x, scaled")
    width = float64(METRE, "along body y, scaled")
    height = float64(METRE, "along body z, scaled")
    velocity_x = float64(METRE_PER_SECOND, "east", frame="map")
    velocity_y = float64(METRE_PER_SECOND, "north", frame="map")
    velocity_z = float64(METRE_PER_SECOND, "up", frame="map")
    yaw_rate = float64(RADIAN_PER_SECOND, "counter-clockwise; only with driven", frame="map")
    acceleration_x = float64(METRE_PER_SECOND2, "east", frame="map")
    acceleration_y = float64(METRE_PER_SECOND2, "north", frame="map")
    acceleration_z = float64(METRE_PER_SECOND2, "up", frame="map")
    move_speed = float64(METRE_PER_SECOND, "along its waypoints")
    active_distance = float64(METRE, "it starts when an ego vehicle is nearer than this; 0: at once")
    drive_x = float64(METRE_PER_SECOND, "driven: commanded velocity, forward", frame="body")
    drive_y = float64(METRE_PER_SECOND, "driven: commanded velocity, to the left", frame="body")
    drive_yaw_rate = float64(RADIAN_PER_SECOND, "driven: commanded, counter-clockwise")
    id = int64("actor id")
    model = int64("row of the catalogue")
    moving = int64("1 while it goes along its waypoints")
    waypoint = int64("the point of its route that it goes to; as many as it has points at the end")
    driven = int64("1 if it moves as commanded")
    paused = int64("1 while it is paused: it does not move")
    loose = int64("1 once it was hit: it moves by the law of collisions only, until it is placed")
    fallback = int64("1 if the model was not the one asked for")


_MOTION = slice(ObstacleState.at.velocity_x, ObstacleState.at.acceleration_z + 1)
"""What an obstacle that stands has none of: columns that stand side by side."""


@dataclass(frozen=True, slots=True, eq=False)
class Obstacles(Travellers[ObstacleState]):
    """All obstacles of a run.

    Attributes:
        state: one row each. route: the points that each goes along; empty for one that stands.
    """

    state: ObstacleState
    route: WaypointRoutes

    @classmethod
    def empty(cls) -> Self:
        """None."""
        return cls(ObstacleState.zeros(0).freeze(), WaypointRoutes.from_routes([]))

    def can_move(self) -> bool:
        """Whether a step may change anything; if not, a table can be shared from snapshot to snapshot."""
        state = self.state
        return bool(len(self.route.point)) or bool(state.driven.any()) or bool(state.floats[_MOTION].any())


class ObstacleCommand(msgspec.Struct, frozen=True, tag=True):
    """A command to one obstacle. `actor` is its id."""

    actor: int


class SpawnObstacle(ObstacleCommand, frozen=True, tag=True):
    """Puts an obstacle into the world (gRPC page, ObstacleSpawn; scenario files, objectList).

    Attributes:
        model: row of `OBSTACLE_MODELS`.
        position: centre of the base in map [m].
        rotation: roll, pitch, yaw [rad].
        scale: of length, width and height.
        way: points that it goes along, in order.
        move_speed: along them [m/s].
        active_distance: it starts when an ego vehicle is nearer than this [m]; 0 means at once.
        fallback: whether the model is not the one that was asked for.
    """

    model: int
    position: Vector
    rotation: Vector = (0.0, 0.0, 0.0)
    scale: Vector = (1.0, 1.0, 1.0)
    way: tuple[Waypoint, ...] = ()
    move_speed: float = 0.0
    active_distance: float = 0.0
    fallback: bool = False


class PlaceObstacle(ObstacleCommand, frozen=True, tag=True):
    """Puts an obstacle elsewhere: centre of the base in map [m]; roll, pitch, yaw [rad]."""

    position: Vector
    rotation: Vector


class DriveObstacle(ObstacleCommand, frozen=True, tag=True):
    """Moves an obstacle until another command changes it (Standard API, ObstacleCtrlCmd); zeros let it stand.

    Attributes:
        velocity: forward and to the left [m/s].
        yaw_rate: counter-clockwise [rad/s].
        height: z of its base in map [m], None leaves it.
    """

    velocity: tuple[float, float]
    yaw_rate: float = 0.0
    height: float | None = None


class ReleaseObstacle(ObstacleCommand, frozen=True, tag=True):
    """Ends what `DriveObstacle` asked for (Standard API, ObjectControlModeType): it stands, or goes along its points.

    Attributes:
        go: whether it goes along its points now, from where it is; if it has come to the end, all of them again.
        speed: along them [m/s]; 0 leaves that which it has.
    """

    go: bool = False
    speed: float = 0.0


class ScaleObstacle(ObstacleCommand, frozen=True, tag=True):
    """Changes the size of an obstacle: length, width and height over those of its model (Standard API, SetScale)."""

    scale: Vector


class PauseObstacle(ObstacleCommand, frozen=True, tag=True):
    """Stops an obstacle on the spot, or lets it go on (gRPC page, ObjectPause)."""

    paused: bool


Answer = tuple[Obstacles, str]


def apply_obstacle_command(
    obstacles: Obstacles, command: ObstacleCommand, growth: GrowableArray | None = None
) -> Answer:
    """The obstacles after any command of this module, and why it was refused, or an empty string.

    Args:
        obstacles: a writable table, which may be changed.
        command: what is asked for.
        growth: room for a caller that adds many, one by one; see `Obstacles.packed`.
    """
    if isinstance(command, SpawnObstacle):
        return spawn_obstacle(obstacles, command, growth)
    row = obstacles.row_of(command.actor)
    if row < 0:
        return obstacles, f"no obstacle {command.actor}"
    if isinstance(command, ReleaseObstacle):
        return obstacles, _release(obstacles, row, command)
    return obstacles, _EFFECTS[type(command)](obstacles.state, row, command)


def spawn_obstacle(obstacles: Obstacles, command: SpawnObstacle, growth: GrowableArray | None = None) -> Answer:
    """Add an obstacle; its id must be greater than those that are there, since ids are not used again."""
    problem = _problem_with_spawn(obstacles, command)
    if problem:
        return obstacles, problem
    state = ObstacleState.zeros(1)
    state.x[0], state.y[0], state.z[0] = command.position
    state.roll[0], state.pitch[0], state.yaw[0] = (math.remainder(angle, math.tau) for angle in command.rotation)
    state.model[0] = command.model
    _give_size(state, 0, command.scale)
    state.move_speed[0], state.active_distance[0] = command.move_speed, command.active_distance
    state.id[0], state.fallback[0] = command.actor, command.fallback
    return obstacles.append(Obstacles(state, WaypointRoutes.from_routes([command.way])), growth), ""


def _problem_with_spawn(obstacles: Obstacles, command: SpawnObstacle) -> str:
    if len(obstacles) and command.actor <= obstacles.state.id[-1]:
        return f"the id {command.actor} is not greater than {obstacles.state.id[-1]}, the last one given"
    if not 0 <= command.model < len(OBSTACLE_MODELS):
        return f"there are obstacle models 0 to {len(OBSTACLE_MODELS) - 1}, not {command.model}"
    problem = _problem_with_scale(command.scale)
    if problem:
        return problem
    if not 0.0 <= command.move_speed <= FASTEST:
        return f"speed: 0 to {FASTEST:g} m/s, not {command.move_speed:g}"
    if not 0.0 <= command.active_distance <= MAX_COORDINATE:
        return f"active distance: 0 to {MAX_COORDINATE:g} m, not {command.active_distance:g}"
    for number, point in enumerate(command.way):
        good = _is_near(point.x, point.y, point.z) and 0.0 <= point.pause <= MAX_COORDINATE
        if not good or not 0.0 <= point.speed <= FASTEST:
            return f"point {number} of the way: {tuple(point)} is no place, pause and speed"
    return _problem_with_pose(command.position, command.rotation)


def _problem_with_pose(position: Vector, rotation: Vector) -> str:
    good = _is_near(*position) and all(math.isfinite(angle) for angle in rotation)
    return "" if good else f"no pose in the map: {position}, {rotation}"


def _problem_with_scale(scale: Vector) -> str:
    if all(1 / LARGEST_SCALE <= part <= LARGEST_SCALE for part in scale):
        return ""
    return f"scale: {1 / LARGEST_SCALE:g} to {LARGEST_SCALE:g}, not {scale}"


def _give_size(state: ObstacleState, row: int, scale: Vector) -> None:
    model = OBSTACLE_MODELS[int(state.model[row])]
    state.scale[:, row] = scale
    size = np.array((model.length, model.width, model.height)) * scale
    state.length[row], state.width[row], state.height[row] = size


def _is_near(*numbers: float) -> bool:
    """Whether numbers are finite and not absurd."""
    return all(abs(number) <= MAX_COORDINATE for number in numbers)


def _place(state: ObstacleState, row: int, command: PlaceObstacle) -> str:
    problem = _problem_with_pose(command.position, command.rotation)
    if not problem:
        state.x[row], state.y[row], state.z[row] = command.position
        state.roll[row], state.pitch[row], state.yaw[row] = (math.remainder(a, math.tau) for a in command.rotation)
        state.loose[row] = 0
        state.velocity_x[row] = state.velocity_y[row] = state.yaw_rate[row] = 0.0
    return problem


def _drive_as_told(state: ObstacleState, row: int, command: DriveObstacle) -> str:
    numbers = (*command.velocity, command.yaw_rate)
    if not all(abs(number) <= FASTEST for number in numbers) or not _is_near(command.height or 0.0):
        return f"velocities of at most {FASTEST:g} m/s and rad/s, not {numbers}; height {command.height}"
    state.drive_x[row], state.drive_y[row] = command.velocity
    state.drive_yaw_rate[row], state.driven[row], state.moving[row] = command.yaw_rate, 1, 0
    if command.height is not None:
        state.z[row] = command.height
    return ""


def _release(obstacles: Obstacles, row: int, command: ReleaseObstacle) -> str:
    state, points = obstacles.state, len(obstacles.route.of(row))
    if not 0.0 <= command.speed <= FASTEST:
        return f"speed: 0 to {FASTEST:g} m/s, not {command.speed:g}"
    if command.go and not points:
        return f"obstacle {command.actor} has no points to go along"
    state.driven[row], state.moving[row] = 0, command.go
    state.drive_x[row] = state.drive_y[row] = state.drive_yaw_rate[row] = 0.0
    if command.go and state.waypoint[row] >= points:
        state.waypoint[row] = 0
    state.move_speed[row] = command.speed or state.move_speed[row]
    return ""


def _scale(state: ObstacleState, row: int, command: ScaleObstacle) -> str:
    problem = _problem_with_scale(command.scale)
    if not problem:
        _give_size(state, row, command.scale)
    return problem


def _pause(state: ObstacleState, row: int, command: PauseObstacle) -> str:
    state.paused[row] = command.paused
    return ""


_EFFECTS: dict[type[Any], Callable[[ObstacleState, int, Any], str]] = {
    PlaceObstacle: _place,
    DriveObstacle: _drive_as_told,
    ScaleObstacle: _scale,
    PauseObstacle: _pause,
}
