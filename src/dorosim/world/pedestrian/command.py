"""The commands to pedestrians, and their effects.

A command to one pedestrian carries `actor`, its id, like the commands to vehicles; `SpawnPedestrian` carries the id
that the new one gets, which the caller of the effect has allotted. An effect takes a writable table and returns the
next one, writable too, with why the command is refused, or an empty string; a refused command changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import msgspec

from dorosim.ground.growable_array import GrowableArray
from dorosim.ground.physics import MAX_COORDINATE
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.pedestrian.state import Pedestrians, PedestrianState, Stage
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.waypoint import Waypoint, WaypointRoutes

Vector = tuple[float, float, float]
MOST_WAYPOINTS = 10_000
"""Points that a route has at most."""
FASTEST_PERSON = 12.5
"""Highest speed that a command may give a pedestrian [m/s], about the fastest sprint ever run."""
FASTEST_LED = 100.0
"""Highest speed at which a command may lead a pedestrian [m/s]: a fast replay leads it faster than it can walk."""
LONGEST_SILENCE = 1.0
"""A pedestrian that was led stands after this time without another command to lead it [s]."""


class PedestrianCommand(msgspec.Struct, frozen=True, tag=True):
    """A command to one pedestrian. `actor` is its id."""

    actor: int


class WalkProgress(msgspec.Struct, frozen=True):
    """How far a pedestrian has come on its way; with it a saved pedestrian goes on from where it was.

    Attributes:
        begin: where its way began, in map [m].
        yaw: direction of a way straight ahead [rad]; the pedestrian may be on its way back.
        waypoint: the point that it goes to: 0 where its way began, then those of the way.
        back: whether it goes its way backwards.
        walked: way behind it [m].
    """

    begin: Vector
    yaw: float = 0.0
    waypoint: int = 1
    back: bool = False
    walked: float = 0.0


class SpawnPedestrian(PedestrianCommand, frozen=True, tag=True):
    """Puts a pedestrian into the world (gRPC page, PedestrianSpawn).

    Attributes:
        model: row of `PEDESTRIAN_MODELS`.
        position: centre of the base in map [m]; it settles on the ground below.
        yaw: direction of view in map [rad].
        speed: at which it walks [m/s]; 0 means that of its model.
        active_distance: it starts when an ego vehicle is nearer than this [m].
        move_distance: how far it walks straight ahead [m], if `way` is empty.
        start: whether it walks at once.
        way: places to go to, in order.
        mode: what it does at the end of its way.
        leaves: whether it leaves the world where its way ends.
        origin: id of the spawn point that spawned it, 0 for none.
        progress: how far it has come, None for one that has not begun.
    """

    model: int
    position: Vector
    yaw: float
    speed: float = 0.0
    active_distance: float = 0.0
    move_distance: float = 0.0
    start: bool = False
    way: tuple[Waypoint, ...] = ()
    mode: CharacterMode = CharacterMode.ONCE
    leaves: bool = False
    origin: int = 0
    progress: WalkProgress | None = None


class StartPedestrian(PedestrianCommand, frozen=True, tag=True):
    """Lets a pedestrian start to walk (gRPC page, SendStartPedestrian); one that has arrived walks its way again.

    It goes to the first place of its way from where it stands, or as far straight ahead as it did before.
    """


class RoutePedestrian(PedestrianCommand, frozen=True, tag=True):
    """Gives a pedestrian another way from where it is, and starts it (Standard API, SetPedestrianWaypoint)."""

    way: tuple[Waypoint, ...]
    mode: CharacterMode = CharacterMode.ONCE


class DrivePedestrian(PedestrianCommand, frozen=True, tag=True):
    """Lets a pedestrian go in a direction until another command (Standard API, ControlPedestrian).

    It keeps out of the way of others but heeds no lights.

    Attributes:
        direction: in map; its length does not matter, nor does its part along z.
        speed: [m/s]; 0 lets it stand.
    """

    direction: Vector
    speed: float


class LeadPedestrian(PedestrianCommand, frozen=True, tag=True):
    """Puts a pedestrian where it is at the end of the tick; it does nothing of itself until a command starts it.

    Replays move pedestrians this way, tick by tick. A pedestrian stands LONGEST_SILENCE after its last such command.

    Attributes:
        position: centre of the base in map [m]; it follows the ground.
        yaw: direction of view [rad].
        velocity: east, north [m/s].
    """

    position: Vector
    yaw: float
    velocity: tuple[float, float] = (0.0, 0.0)


class PausePedestrian(PedestrianCommand, frozen=True, tag=True):
    """Stops a pedestrian on the spot, or lets it go on (gRPC page, ObjectPause)."""

    paused: bool


Answer = tuple[Pedestrians, str]


def place_pedestrian(people: Pedestrians, row: int, position: Vector, yaw: float) -> Pedestrians:
    """Put a pedestrian elsewhere: it goes on from there to the point of its way that it was going to.

    One that has not started yet and walks straight ahead will do so from there; one that was knocked down stands up.
    """
    state, route = people.state, people.route
    state.x[row], state.y[row], state.z[row] = position
    state.yaw[row] = math.remainder(yaw, math.tau)
    for column in (state.velocity_x, state.velocity_y, state.acceleration_x, state.acceleration_y, state.yaw_rate):
        column[row] = 0.0
    state.speed[row], state.segment[row], state.crosswalk[row] = 0.0, -1, -1
    state.leg_x[row], state.leg_y[row] = position[:2]
    if state.stage[row] == Stage.IDLE:
        if state.move_distance[row] > 0.0:
            here = Waypoint(*position)
            route = route.with_route(row, (here, *_straight_ahead(here, yaw, float(state.move_distance[row]))))
    elif state.stage[row] == Stage.DOWN:
        state.stage[row] = Stage.ARRIVED
    else:
        state.crossing_begin[row] = state.crossing_end[row] = -math.inf
        if state.stage[row] in {Stage.WAIT, Stage.CROSS}:
            state.stage[row] = Stage.WALK
    return Pedestrians(state, route)


def apply_pedestrian_command(
    people: Pedestrians, command: PedestrianCommand, growth: GrowableArray | None = None
) -> Answer:
    """The pedestrians after any command of this module, and why it was refused, or an empty string.

    `growth`: of a caller that adds many, one by one; see `Pedestrians.packed`.
    """
    if isinstance(command, SpawnPedestrian):
        return spawn_pedestrian(people, command, growth)
    row = people.row_of(command.actor)
    if row < 0:
        return people, f"no pedestrian {command.actor}"
    return _EFFECTS[type(command)](people, row, command)


def spawn_pedestrian(people: Pedestrians, command: SpawnPedestrian, growth: GrowableArray | None = None) -> Answer:
    """Add a pedestrian; its id must be greater than those that are there, since ids are not used again."""
    problem = _problem_with_spawn(people, command)
    if problem:
        return people, problem
    x, y, z = command.position
    state = PedestrianState.zeros(1)
    state.x[0], state.y[0], state.z[0], state.yaw[0] = x, y, z, math.remainder(command.yaw, math.tau)
    state.desired_speed[0] = command.speed or PEDESTRIAN_MODELS[command.model].speed
    state.active_distance[0] = command.active_distance
    state.move_distance[0] = 0.0 if command.way else command.move_distance
    state.crossing_begin[0] = state.crossing_end[0] = state.allowed_speed[0] = math.inf
    state.id[0], state.model[0], state.mode[0] = command.actor, command.model, command.mode
    state.started[0], state.leaves[0], state.origin[0] = command.start, command.leaves, command.origin
    state.direction[0], state.crosswalk[0], state.segment[0] = 1, -1, -1
    start, yaw = Waypoint(x, y, z), command.yaw
    if command.progress is not None:
        start, yaw = Waypoint(*command.progress.begin), command.progress.yaw
        _go_on(state, command.progress)
    way = command.way or _straight_ahead(start, yaw, command.move_distance)
    return people.append(Pedestrians(state, WaypointRoutes.from_routes([(start, *way)])), growth), ""


def _go_on(state: PedestrianState, progress: WalkProgress) -> None:
    """Let the one pedestrian of a table be on its way; its next step looks for the crosswalks on the present leg."""
    state.stage[0], state.waypoint[0], state.direction[0] = Stage.WALK, progress.waypoint, -1 if progress.back else 1
    state.leg_x[0], state.leg_y[0] = state.x[0], state.y[0]
    state.crossing_begin[0] = state.crossing_end[0] = -math.inf
    state.walked[0] = progress.walked


def _straight_ahead(start: Waypoint, yaw: float, distance: float) -> tuple[Waypoint, ...]:
    """The way of one that walks a distance ahead; none for a distance of 0."""
    if distance <= 0.0:
        return ()
    return (Waypoint(start.x + distance * math.cos(yaw), start.y + distance * math.sin(yaw), start.z),)


def _problem_with_spawn(people: Pedestrians, command: SpawnPedestrian) -> str:
    if len(people) and command.actor <= people.state.id[-1]:
        return f"the id {command.actor} is not greater than {people.state.id[-1]}, the last one given"
    if not 0 <= command.model < len(PEDESTRIAN_MODELS):
        return f"there are pedestrian models 0 to {len(PEDESTRIAN_MODELS) - 1}, not {command.model}"
    if not _is_near(*command.position) or not math.isfinite(command.yaw):
        return f"no place in the map: {command.position}, {command.yaw}"
    if not 0.0 <= command.speed <= FASTEST_PERSON:
        return f"a pedestrian goes 0 to {FASTEST_PERSON} m/s, not {command.speed:g}"
    for name, value in (("active", command.active_distance), ("move", command.move_distance)):
        if not 0.0 <= value <= MAX_COORDINATE:
            return f"{name} distance: 0 to {MAX_COORDINATE:g} m, not {value:g}"
    return _problem_with_way(command.way) or _problem_with_progress(command)


def _problem_with_progress(command: SpawnPedestrian) -> str:
    progress = command.progress
    if progress is None:
        return ""
    count = len(command.way) or int(command.move_distance > 0.0)
    if not 0 <= progress.waypoint <= count:
        return f"its way has points 0 to {count}, not {progress.waypoint}"
    if not _is_near(*progress.begin) or not math.isfinite(progress.yaw) or not 0.0 <= progress.walked <= MAX_COORDINATE:
        return f"no progress on a way: {progress}"
    return ""


def _problem_with_way(way: tuple[Waypoint, ...]) -> str:
    if len(way) > MOST_WAYPOINTS:
        return f"a way has {MOST_WAYPOINTS} points at most, not {len(way)}"
    for number, point in enumerate(way):
        good = _is_near(point.x, point.y, point.z) and 0.0 <= point.pause <= MAX_COORDINATE
        if not good or not 0.0 <= point.speed <= FASTEST_PERSON:
            return f"point {number} of the way: {tuple(point)} is no place, pause and speed"
    return ""


def _is_near(*numbers: float) -> bool:
    """Whether numbers are finite and not absurd; a z of NaN would leave the level to the ground, but is refused too."""
    return all(abs(number) <= MAX_COORDINATE for number in numbers)


def _start(people: Pedestrians, row: int, _: StartPedestrian) -> Answer:
    state = people.state
    if state.mode[row] == CharacterMode.STAND:
        return people, "it stands: its mode is STAND"
    if state.stage[row] not in {Stage.IDLE, Stage.ARRIVED, Stage.DRIVEN, Stage.LED}:
        return people, ""
    route = people.route
    if state.stage[row] != Stage.IDLE:
        points = [Waypoint(*point) for point in route.of(row).tolist()]
        here = Waypoint(float(state.x[row]), float(state.y[row]), float(state.z[row]))
        ahead = _straight_ahead(here, float(state.yaw[row]), float(state.move_distance[row]))
        route = route.with_route(row, (here, *(ahead or points[1:])))
    _begin(state, row)
    return Pedestrians(state, route), ""


def _route(people: Pedestrians, row: int, command: RoutePedestrian) -> Answer:
    problem = _problem_with_way(command.way)
    if problem:
        return people, problem
    state = people.state
    here = Waypoint(float(state.x[row]), float(state.y[row]), float(state.z[row]))
    state.mode[row], state.move_distance[row] = command.mode, 0.0
    _begin(state, row)
    return Pedestrians(state, people.route.with_route(row, (here, *command.way))), ""


def _begin(state: PedestrianState, row: int) -> None:
    """Put a pedestrian back to the start of its way, started."""
    state.stage[row], state.started[row] = Stage.IDLE, 1
    state.waypoint[row], state.direction[row], state.crosswalk[row] = 0, 1, -1
    state.crossing_begin[row] = state.crossing_end[row] = math.inf
    state.walked[row] = state.rest[row] = 0.0


def _drive(people: Pedestrians, row: int, command: DrivePedestrian) -> Answer:
    if not 0.0 <= command.speed <= FASTEST_PERSON:
        return people, f"a pedestrian goes 0 to {FASTEST_PERSON} m/s, not {command.speed:g}"
    length = math.hypot(*command.direction[:2])
    if not math.isfinite(length) or (length == 0.0 and command.speed > 0.0):
        return people, f"no direction in the plane: {command.direction}"
    state = people.state
    state.stage[row], state.crosswalk[row] = Stage.DRIVEN, -1
    along = [part / length if length else 0.0 for part in command.direction[:2]]
    state.aside_x[row] = state.aside_y[row] = 0.0
    state.drive_x[row], state.drive_y[row] = command.speed * along[0], command.speed * along[1]
    return people, ""


def _lead(people: Pedestrians, row: int, command: LeadPedestrian) -> Answer:
    if not _is_near(*command.position) or not math.isfinite(command.yaw):
        return people, f"no place in the map: {command.position}, {command.yaw}"
    speed = math.hypot(*command.velocity)
    if not speed <= FASTEST_LED:
        return people, f"a pedestrian is led at 0 to {FASTEST_LED:g} m/s, not {speed:g}"
    people = place_pedestrian(people, row, command.position, command.yaw)
    state = people.state
    state.stage[row], state.rest[row], state.speed[row] = Stage.LED, LONGEST_SILENCE, speed
    state.velocity_x[row], state.velocity_y[row] = command.velocity
    for column in (state.aside_x, state.aside_y, state.wall_x, state.wall_y):
        column[row] = 0.0
    return people, ""


def _pause(people: Pedestrians, row: int, command: PausePedestrian) -> Answer:
    people.state.paused[row] = command.paused
    return people, ""


_EFFECTS: dict[type[Any], Callable[[Pedestrians, int, Any], Answer]] = {
    StartPedestrian: _start,
    RoutePedestrian: _route,
    DrivePedestrian: _drive,
    LeadPedestrian: _lead,
    PausePedestrian: _pause,
}
