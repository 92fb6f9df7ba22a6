"""Things that stand or move on the road: cones, boxes, trees; state, motion and commands.

Scenario files let an obstacle go along waypoints with a speed once an ego vehicle is near (facts/ros-grpc-mgeo.md,
section 4: isWaypointMode, moveSpeed, activeDistance). It goes in straight lines at that speed, without pauses, and
stops at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import Columns, RealArray, real, reals, whole
from dorosim.ground.growth import Growth
from dorosim.ground.unit import METRE, METRE_PER_SECOND, RADIAN, RADIAN_PER_SECOND, RATIO
from dorosim.world.traveller import Travellers
from dorosim.world.waypoint import SPEED, RouteTable, Waypoint

Vector = tuple[float, float, float]
LARGEST_SCALE = 100.0
"""An obstacle is made at most this many times larger, or smaller by the same factor."""
FASTEST = 100.0
"""Nothing is asked to move faster than this [m/s]."""
FARTHEST = 1e6
"""No place or distance is farther than this [m]."""
MOST_TURNS = 8
"""Waypoints that an obstacle passes in one tick at most."""
NEAR = 1e-9
"""A waypoint nearer than this [m] is reached."""


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
    """The row of a model in `OBSTACLE_MODELS`, and whether it is the very one that was asked for.

    Upper and lower case are the same. A name that is not there is told by a model's name in it, then by likeness, and
    else is a box of 1 m; say so to the user if the second value is False.
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

    x = real(METRE, "centre of the base, east", frame="map")
    y = real(METRE, "centre of the base, north", frame="map")
    z = real(METRE, "centre of the base, up", frame="map")
    roll = real(RADIAN, "left side up positive", frame="map")
    pitch = real(RADIAN, "nose down positive", frame="map")
    yaw = real(RADIAN, "counter-clockwise from east", frame="map")
    scale = reals(3, RATIO, "length, width and height over those of the model")
    length = real(METRE, "along body x, scaled")
    width = real(METRE, "along body y, scaled")
    height = real(METRE, "along body z, scaled")
    velocity_x = real(METRE_PER_SECOND, "east", frame="map")
    velocity_y = real(METRE_PER_SECOND, "north", frame="map")
    velocity_z = real(METRE_PER_SECOND, "up", frame="map")
    yaw_rate = real(RADIAN_PER_SECOND, "counter-clockwise; only with driven", frame="map")
    move_speed = real(METRE_PER_SECOND, "along its waypoints")
    active_distance = real(METRE, "it starts when an ego vehicle is nearer than this; 0: at once")
    drive_x = real(METRE_PER_SECOND, "driven: commanded velocity, forward", frame="body")
    drive_y = real(METRE_PER_SECOND, "driven: commanded velocity, to the left", frame="body")
    drive_yaw_rate = real(RADIAN_PER_SECOND, "driven: commanded, counter-clockwise")
    id = whole("actor id")
    model = whole("row of the catalogue")
    moving = whole("1 while it goes along its waypoints")
    waypoint = whole("the point of its route that it goes to; as many as it has points at the end")
    driven = whole("1 if it moves as commanded")
    paused = whole("1 while it is paused: it does not move")
    loose = whole("1 once it was hit: it moves by the law of collisions only, until it is placed")
    fallback = whole("1 if the model was not the one asked for")


@dataclass(frozen=True, slots=True, eq=False)
class Obstacles(Travellers[ObstacleState]):
    """All obstacles of a run.

    Attributes:
        state: one row each. route: the points that each goes along; empty for one that stands.
    """

    state: ObstacleState
    route: RouteTable

    @classmethod
    def empty(cls) -> Self:
        """None."""
        return cls(ObstacleState.zeros(0).freeze(), RouteTable.from_routes([]))

    def can_move(self) -> bool:
        """Whether a step may change anything; if not, a table can be shared from snapshot to snapshot."""
        return bool(len(self.route.point)) or bool(self.state.driven.any())


def step_obstacles(obstacles: Obstacles, ego_x: RealArray, ego_y: RealArray, dt: float) -> None:
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


def _follow_waypoints(
    state: ObstacleState, route: RouteTable, counts: NDArray[np.int64], rows: NDArray[np.int64], dt: float
) -> None:
    """Move rows along their points; what is left of the tick at a point goes on to the next."""
    place = np.column_stack((state.x[rows], state.y[rows], state.z[rows]))
    start, left = place.copy(), np.full(len(rows), dt)
    for _ in range(MOST_TURNS):
        open_ = np.flatnonzero((left > 0.0) & (state.waypoint[rows] < counts[rows]))
        if not len(open_):
            break
        row = rows[open_]
        goal = route.point[route.first[row] + state.waypoint[row]]
        speed = np.where(goal[:, SPEED] > 0.0, goal[:, SPEED], state.move_speed[row])
        way = goal[:, :3] - place[open_]
        distance = np.linalg.norm(way, axis=1)
        reached = distance <= speed * left[open_] + NEAR
        share = np.where(reached, 1.0, speed * left[open_] / np.where(distance > 0.0, distance, 1.0))
        place[open_] += way * share[:, None]
        turned = np.hypot(way[:, 0], way[:, 1]) > NEAR
        state.yaw[row[turned]] = np.arctan2(way[turned, 1], way[turned, 0])
        left[open_] = np.where(reached, left[open_] - distance / np.maximum(speed, NEAR), 0.0)
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
    """Moves an obstacle until it is told otherwise (Standard API, ObstacleCtrlCmd); zeros let it stand.

    Attributes:
        velocity: forward and to the left [m/s].
        yaw_rate: counter-clockwise [rad/s].
        height: z of its base in map [m], None leaves it.
    """

    velocity: tuple[float, float]
    yaw_rate: float = 0.0
    height: float | None = None


class PauseObstacle(ObstacleCommand, frozen=True, tag=True):
    """Stops an obstacle on the spot, or lets it go on (gRPC page, ObjectPause)."""

    paused: bool


Answer = tuple[Obstacles, str]


def apply_obstacle_command(obstacles: Obstacles, command: ObstacleCommand, growth: Growth | None = None) -> Answer:
    """The obstacles after any command of this module, and why it was refused, or an empty string.

    Args:
        obstacles: a writable table, which may be changed.
        command: what is asked for.
        growth: of who adds many, one by one; see `Obstacles.packed`.
    """
    if isinstance(command, SpawnObstacle):
        return spawn_obstacle(obstacles, command, growth)
    row = obstacles.row_of(command.actor)
    if row < 0:
        return obstacles, f"no obstacle {command.actor}"
    return obstacles, _EFFECTS[type(command)](obstacles.state, row, command)


def spawn_obstacle(obstacles: Obstacles, command: SpawnObstacle, growth: Growth | None = None) -> Answer:
    """Add an obstacle; its id must be greater than those that are there, since ids are not used again."""
    problem = _problem_with_spawn(obstacles, command)
    if problem:
        return obstacles, problem
    model = OBSTACLE_MODELS[command.model]
    state = ObstacleState.zeros(1)
    state.x[0], state.y[0], state.z[0] = command.position
    state.roll[0], state.pitch[0], state.yaw[0] = (math.remainder(angle, math.tau) for angle in command.rotation)
    state.scale[:, 0] = command.scale
    size = np.array((model.length, model.width, model.height)) * command.scale
    state.length[0], state.width[0], state.height[0] = size
    state.move_speed[0], state.active_distance[0] = command.move_speed, command.active_distance
    state.id[0], state.model[0], state.fallback[0] = command.actor, command.model, command.fallback
    return obstacles.append(Obstacles(state, RouteTable.from_routes([command.way])), growth), ""


def _problem_with_spawn(obstacles: Obstacles, command: SpawnObstacle) -> str:
    if len(obstacles) and command.actor <= obstacles.state.id[-1]:
        return f"the id {command.actor} is not greater than {obstacles.state.id[-1]}, the last one given"
    if not 0 <= command.model < len(OBSTACLE_MODELS):
        return f"there are obstacle models 0 to {len(OBSTACLE_MODELS) - 1}, not {command.model}"
    if not all(1 / LARGEST_SCALE <= part <= LARGEST_SCALE for part in command.scale):
        return f"scale: {1 / LARGEST_SCALE:g} to {LARGEST_SCALE:g}, not {command.scale}"
    if not 0.0 <= command.move_speed <= FASTEST:
        return f"speed: 0 to {FASTEST:g} m/s, not {command.move_speed:g}"
    if not 0.0 <= command.active_distance <= FARTHEST:
        return f"active distance: 0 to {FARTHEST:g} m, not {command.active_distance:g}"
    for number, point in enumerate(command.way):
        good = _is_near(point.x, point.y, point.z) and 0.0 <= point.pause <= FARTHEST
        if not good or not 0.0 <= point.speed <= FASTEST:
            return f"point {number} of the way: {tuple(point)} is no place, pause and speed"
    return _problem_with_pose(command.position, command.rotation)


def _problem_with_pose(position: Vector, rotation: Vector) -> str:
    good = _is_near(*position) and all(math.isfinite(angle) for angle in rotation)
    return "" if good else f"no pose in the map: {position}, {rotation}"


def _is_near(*numbers: float) -> bool:
    """Whether numbers are finite and not absurd."""
    return all(abs(number) <= FARTHEST for number in numbers)


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


def _pause(state: ObstacleState, row: int, command: PauseObstacle) -> str:
    state.paused[row] = command.paused
    return ""


_EFFECTS: dict[type[Any], Callable[[ObstacleState, int, Any], str]] = {
    PlaceObstacle: _place,
    DriveObstacle: _drive_as_told,
    PauseObstacle: _pause,
}
