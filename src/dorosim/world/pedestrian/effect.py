"""What commands to pedestrians do."""

from __future__ import annotations

import math

from dorosim.ground.physics import MAX_COORDINATE
from dorosim.world.collision.body import BodyKind
from dorosim.world.collision.room import Footprint, check_clear
from dorosim.world.command import CommandError, Vector
from dorosim.world.draft import Draft
from dorosim.world.effect_common import check_model, check_up_to, check_waypoints, creates_actor, is_pose, on_pedestrian
from dorosim.world.pedestrian.command import (
    LED_TIMEOUT,
    MAX_LED_SPEED,
    MAX_PEDESTRIAN_SPEED,
    MAX_WAYPOINTS,
    DrivePedestrian,
    LeadPedestrian,
    PausePedestrian,
    RoutePedestrian,
    SpawnPedestrian,
    StartPedestrian,
    WalkProgress,
)
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.pedestrian.state import Pedestrians, PedestrianState, Stage
from dorosim.world.scene import Scene
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.waypoint import Waypoint, WaypointRoutes


def place_pedestrian(draft: Draft, row: int, position: Vector, yaw: float) -> None:
    """Put a pedestrian elsewhere: it goes on from there to the point of its way that it was going to.

    One that has not started yet and walks straight ahead will do so from there; one that was knocked down stands up.
    """
    state, route = draft.people.state, draft.people.route
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
    draft.people = Pedestrians(state, route)


@creates_actor
def spawn_pedestrian(scene: Scene, draft: Draft, command: SpawnPedestrian) -> None:
    _check_spawn(command)
    x, y, z = command.position
    model = PEDESTRIAN_MODELS[command.model]
    check_clear(
        scene, draft, BodyKind.PEDESTRIAN, Footprint(x, y, z, command.yaw, model.length, model.width, model.height)
    )
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
    new = Pedestrians(state, WaypointRoutes.from_routes([(start, *way)]))
    draft.people = draft.people.append(new, draft.growth)


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


def _check_spawn(command: SpawnPedestrian) -> None:
    if command.origin < 0:
        raise CommandError(f"no spawn point {command.origin}")
    check_model(command.model, PEDESTRIAN_MODELS)
    _check_place(command.position, command.yaw)
    check_up_to(MAX_PEDESTRIAN_SPEED, " m/s", speed=command.speed)
    check_up_to(MAX_COORDINATE, " m", active_distance=command.active_distance, move_distance=command.move_distance)
    _check_way(command.way)
    _check_progress(command)


def _check_progress(command: SpawnPedestrian) -> None:
    progress = command.progress
    if progress is None:
        return
    count = len(command.way) or int(command.move_distance > 0.0)
    if not 0 <= progress.waypoint <= count:
        raise CommandError(f"its way has points 0 to {count}, not {progress.waypoint}")
    if not is_pose(progress.begin, progress.yaw) or not 0.0 <= progress.walked <= MAX_COORDINATE:
        raise CommandError(f"{progress} is not a valid progress on a way")


def _check_place(position: Vector, yaw: float) -> None:
    if not is_pose(position, yaw):
        raise CommandError(f"{position}, {yaw} is not a valid place in the map")


def _check_way(way: tuple[Waypoint, ...]) -> None:
    if len(way) > MAX_WAYPOINTS:
        raise CommandError(f"a way has {MAX_WAYPOINTS} points at most, not {len(way)}")
    check_waypoints(way, MAX_PEDESTRIAN_SPEED)


@on_pedestrian
def start_pedestrian(draft: Draft, row: int, _: StartPedestrian) -> None:
    state = draft.people.state
    if state.mode[row] == CharacterMode.STAND:
        raise CommandError("it stands: its mode is STAND")
    if state.stage[row] not in {Stage.IDLE, Stage.ARRIVED, Stage.DRIVEN, Stage.LED}:
        return
    route = draft.people.route
    if state.stage[row] != Stage.IDLE:
        points = [Waypoint(*point) for point in route.of(row).tolist()]
        here = Waypoint(float(state.x[row]), float(state.y[row]), float(state.z[row]))
        ahead = _straight_ahead(here, float(state.yaw[row]), float(state.move_distance[row]))
        route = route.with_route(row, (here, *(ahead or points[1:])))
    _begin(state, row)
    draft.people = Pedestrians(state, route)


@on_pedestrian
def route_pedestrian(draft: Draft, row: int, command: RoutePedestrian) -> None:
    _check_way(command.way)
    state = draft.people.state
    here = Waypoint(float(state.x[row]), float(state.y[row]), float(state.z[row]))
    state.mode[row], state.move_distance[row] = command.mode, 0.0
    _begin(state, row)
    draft.people = Pedestrians(state, draft.people.route.with_route(row, (here, *command.way)))


def _begin(state: PedestrianState, row: int) -> None:
    """Put a pedestrian back to the start of its way, started."""
    state.stage[row], state.started[row] = Stage.IDLE, 1
    state.waypoint[row], state.direction[row], state.crosswalk[row] = 0, 1, -1
    state.crossing_begin[row] = state.crossing_end[row] = math.inf
    state.walked[row] = state.rest[row] = 0.0


@on_pedestrian
def drive_pedestrian(draft: Draft, row: int, command: DrivePedestrian) -> None:
    check_up_to(MAX_PEDESTRIAN_SPEED, " m/s", speed=command.speed)
    length = math.hypot(*command.direction[:2])
    if not math.isfinite(length) or (length == 0.0 and command.speed > 0.0):
        raise CommandError(f"{command.direction} is not a valid direction in the plane")
    state = draft.people.state
    state.stage[row], state.crosswalk[row] = Stage.DRIVEN, -1
    along = [part / length if length else 0.0 for part in command.direction[:2]]
    state.aside_x[row] = state.aside_y[row] = 0.0
    state.drive_x[row], state.drive_y[row] = command.speed * along[0], command.speed * along[1]


@on_pedestrian
def lead_pedestrian(draft: Draft, row: int, command: LeadPedestrian) -> None:
    _check_place(command.position, command.yaw)
    speed = math.hypot(*command.velocity)
    check_up_to(MAX_LED_SPEED, " m/s", speed=speed)
    place_pedestrian(draft, row, command.position, command.yaw)
    state = draft.people.state
    state.stage[row], state.rest[row], state.speed[row] = Stage.LED, LED_TIMEOUT, speed
    state.velocity_x[row], state.velocity_y[row] = command.velocity
    for column in (state.aside_x, state.aside_y, state.wall_x, state.wall_y):
        column[row] = 0.0


@on_pedestrian
def pause_pedestrian(draft: Draft, row: int, command: PausePedestrian) -> None:
    draft.people.state.paused[row] = command.paused
