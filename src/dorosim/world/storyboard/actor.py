"""Entities come into the world as actors, and leave it."""

from __future__ import annotations

import math
from contextlib import suppress

import numpy as np

from dorosim.world.actor.command import RemoveActor
from dorosim.world.actor.effect import is_name_taken, remove_actor
from dorosim.world.actor.label import check_label
from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.effect_common import new_id
from dorosim.world.obstacle.command import MAX_OBSTACLE_SCALE
from dorosim.world.obstacle.state import OBSTACLE_MODELS, Obstacles, ObstacleState
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.pedestrian.state import Pedestrians, PedestrianState, Stage
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO
from dorosim.world.storyboard.engine import BodyShape, EntityBody
from dorosim.world.storyboard.mover import Mover
from dorosim.world.storyboard.placement_kernel import LED_TIME
from dorosim.world.storyboard.state import EntityTable
from dorosim.world.vehicle.driver import TrajectoryTable
from dorosim.world.vehicle.effect import MAX_MASS_SHARE, MIN_MASS_SHARE, write_limits
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.placement import new_vehicle_rows, place, place_ghost
from dorosim.world.vehicle.state import VehicleState
from dorosim.world.waypoint import Waypoint, WaypointRoutes

MAX_ENTITY_STEER = 1.0
"""Bound of the angles of wheels that a scenario asks for [rad]."""
MIN_LENGTH_SHARE, MAX_LENGTH_SHARE = 0.5, 2.0
"""Bounds of wheels and tracks over those of the model."""
ABSENT_Z = -1000.0
"""The ego vehicle is in the world at all times; while its entity is not, it waits so far below the map [m]."""


def match_actors(scene: Scene, draft: Draft) -> None:
    """Give entities that have come into the world their actors, and take those of others out of it.

    Args:
        scene: has the cast.
        draft: its storyboard is the next state; the column `actor` is written.
    """
    engine, table = scene.storyboard, draft.storyboard.entity
    assert engine is not None
    cast, pairs = engine.cast, zip(table.present.tolist(), table.actor.tolist(), strict=True)
    # a loop, since there are few entities
    wrong = [row for row, (present, actor) in enumerate(pairs) if (present != 0) != (actor != 0)]
    wrong = [row for row in wrong if cast.bodies[row].shape is not BodyShape.NONE]
    if not wrong:
        return
    table = table.copy()
    for row in wrong:
        body = cast.bodies[row]
        if not table.present[row]:
            _take_out(scene, draft, int(table.actor[row]))
            table.actor[row] = 0
        elif row == cast.ego:
            table.actor[row] = EGO
            _take_ego(scene, draft, body, Mover(int(table.mover[row])))
            put_driven(draft, table, row)
        else:
            with suppress(CommandError):  # the world is full: the entity is in the storyboard only
                table.actor[row] = _bring_in(scene, draft, body, table, row)
                put_driven(draft, table, row)
    draft.pack()
    draft.storyboard = draft.storyboard.with_entity(table.freeze())


def put_driven(draft: Draft, table: EntityTable, row: int) -> None:
    """Put a vehicle that others than the default controller move where the table has its entity, with that speed."""
    at = draft.row_of(int(table.actor[row]))
    if at < 0 or table.mover[row] == Mover.DEFAULT:
        return
    vehicle, speed = draft.vehicle, float(table.speed[row])
    position = (float(table.x[row]), float(table.y[row]), float(table.z[row]))
    lean = (float(table.roll[row]), float(table.pitch[row]))
    place(vehicle, at, position, float(table.heading[row]), speed, lean)
    vehicle.gear[at] = Gear.R if speed < 0.0 else Gear.D
    vehicle.control_kind[at] = ControlKind.HOLD if speed == 0.0 else ControlKind.ROLL


def bench_ego(draft: Draft) -> None:
    """Let the ego vehicle wait where nothing sees or meets it: its entity is not in the world."""
    row = draft.row_of(EGO)
    place_ghost(draft.vehicle, row, (0.0, 0.0, ABSENT_Z), (0.0, 0.0, 0.0), 0.0, 0.0)
    draft.vehicle.control_mode[row] = ControlMode.GHOST


def _take_out(scene: Scene, draft: Draft, actor: int) -> None:
    if actor == EGO:
        bench_ego(draft)
        return
    with suppress(CommandError):  # a client has removed it already
        remove_actor(scene, draft, RemoveActor(actor))


def _bring_in(scene: Scene, draft: Draft, body: EntityBody, table: EntityTable, row: int) -> int:
    """Make the actor of an entity, and return its id."""
    actor = new_id(draft)
    if body.shape is BodyShape.VEHICLE:
        _add_vehicle(scene, draft, body, actor, Mover(int(table.mover[row])))
    elif body.shape is BodyShape.PERSON:
        draft.people = draft.people.append(_person(body, actor), draft.growth)
    else:
        draft.obstacles = draft.obstacles.append(_obstacle(body, actor), draft.growth)
    with suppress(CommandError):  # a name that is taken, or cannot be one: it goes by its id
        check_label(body.name, "")
        if not is_name_taken(draft, body.name):
            draft.label = draft.label.with_label(actor, body.name, "")
    draft.made = 0
    return actor


def _add_vehicle(scene: Scene, draft: Draft, body: EntityBody, actor: int, mover: Mover) -> None:
    vehicle, parameter = new_vehicle_rows([0], [scene.models[body.model].name])
    vehicle.id[0] = actor
    _give_size(parameter, 0, body)
    _give_limits(parameter, 0, body)
    place_ghost(vehicle, 0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.0)
    _give_mode(vehicle, 0, mover)
    draft.egos += (actor,)
    draft.vehicle = draft.vehicle.append(vehicle)
    draft.parameter = draft.parameter.append(parameter).freeze()
    draft.trajectory = draft.trajectory.append(TrajectoryTable.empty(1))


def _take_ego(scene: Scene, draft: Draft, body: EntityBody, mover: Mover) -> None:
    """Let the ego vehicle be an entity."""
    row = draft.row_of(EGO)
    vehicle, made = new_vehicle_rows([EGO], [scene.models[body.model].name])
    parameter = draft.parameter.copy()
    parameter.floats[:, row], parameter.ints[:, row] = made.floats[:, 0], made.ints[:, 0]
    _give_size(parameter, row, body)
    _give_limits(parameter, row, body)
    draft.parameter = parameter.freeze()
    draft.vehicle.model[row] = vehicle.model[0]
    place_ghost(draft.vehicle, row, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.0)
    _give_mode(draft.vehicle, row, mover)


def _give_mode(vehicle: VehicleState, row: int, mover: Mover) -> None:
    """Let the table move a vehicle, or hold it by its brake until it is put somewhere."""
    if mover is Mover.DEFAULT:
        vehicle.control_mode[row] = ControlMode.GHOST
    else:
        vehicle.control_mode[row], vehicle.control_kind[row] = ControlMode.AUTO, ControlKind.HOLD


def _give_size(parameter: VehicleParameter, row: int, body: EntityBody) -> None:
    """Give a vehicle the box of its entity, and its wheelbase; places of axles go with these."""
    if not (body.length > 0.0 and body.width > 0.0 and body.height > 0.0):
        return
    usual = float(parameter.wheelbase[row])
    front = body.middle[0] + 0.5 * body.length
    wheelbase = body.wheelbase if body.wheelbase > 0.0 else usual * body.length / float(parameter.length[row])
    parameter.length[row], parameter.width[row], parameter.height[row] = body.length, body.width, body.height
    parameter.front_overhang[row], parameter.rear_overhang[row] = front - wheelbase, body.length - front
    parameter.wheelbase[row] = wheelbase
    if usual > 0.0:
        parameter.front_distance[row] *= wheelbase / usual
        parameter.rear_distance[row] *= wheelbase / usual


def _give_limits(parameter: VehicleParameter, row: int, body: EntityBody) -> None:
    """Give a vehicle the mass, wheels and axles of its entity, and no more than that can do.

    The engine stays that of the model, and the brakes go with the mass. Numbers that no vehicle like the model has are
    bound: files have placeholders, too.
    """
    usual, brake = float(parameter.mass[row]), float(parameter.brake_force[row])
    limits = {}
    if body.mass > 0.0:
        limits["mass"] = min(max(body.mass, MIN_MASS_SHARE * usual), MAX_MASS_SHARE * usual)
        limits["max_deceleration"] = brake / usual
    mass = limits.get("mass", usual)
    if 0.0 < body.max_deceleration < brake / usual:
        limits["max_deceleration"] = body.max_deceleration
    if 0.0 < body.max_acceleration < float(parameter.drive_force[row]) / mass:
        limits["max_acceleration"] = body.max_acceleration
    if 0.0 < body.max_speed < float(parameter.max_speed[row]):
        limits["max_speed"] = body.max_speed
    if body.max_steer > 0.0:
        limits["max_steer"] = min(body.max_steer, MAX_ENTITY_STEER)
    if not math.isnan(body.max_rear_steer):
        limits["max_rear_steer"] = min(body.max_rear_steer, MAX_ENTITY_STEER)
    write_limits(parameter, row, limits)
    lengths = (
        (parameter.wheel_radius, body.wheel_radius),
        (parameter.front_track, body.tracks[0]),
        (parameter.rear_track, body.tracks[1]),
    )
    for column, length in lengths:
        if length > 0.0:
            column[row] = min(max(length, MIN_LENGTH_SHARE * column[row]), MAX_LENGTH_SHARE * column[row])


def _person(body: EntityBody, actor: int) -> Pedestrians:
    """A person that is led."""
    state = PedestrianState.zeros(1)
    state.id[0], state.model[0], state.stage[0], state.rest[0] = actor, body.model, Stage.LED, LED_TIME
    state.desired_speed[0] = PEDESTRIAN_MODELS[body.model].speed
    state.crossing_begin[0] = state.crossing_end[0] = state.allowed_speed[0] = math.inf
    state.started[0] = state.direction[0] = 1
    state.crosswalk[0] = state.segment[0] = -1
    return Pedestrians(state, WaypointRoutes.from_routes([(Waypoint(0.0, 0.0, 0.0),)]))


def _obstacle(body: EntityBody, actor: int) -> Obstacles:
    """An obstacle of the size of its entity."""
    state, model = ObstacleState.zeros(1), OBSTACLE_MODELS[body.model]
    state.id[0], state.model[0] = actor, body.model
    usual = np.array((model.length, model.width, model.height))
    asked = np.array((body.length, body.width, body.height))
    scale = np.clip(np.where(asked > 0.0, asked, usual) / usual, 1.0 / MAX_OBSTACLE_SCALE, MAX_OBSTACLE_SCALE)
    state.scale[:, 0] = scale
    state.length[0], state.width[0], state.height[0] = scale * usual
    return Obstacles(state, WaypointRoutes.from_routes([()]))
