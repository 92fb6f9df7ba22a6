"""All actors as radars and ground truth see them: boxes with pose and motion, one table whatever they are."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.world.collision.body import BodyKind
from dorosim.world.obstacle.state import ObstacleState
from dorosim.world.pedestrian.model import pedestrian_sizes
from dorosim.world.pedestrian.state import PedestrianState
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.visibility import HiddenFrom, hidden_actors
from dorosim.world.traffic.ghost import GhostState
from dorosim.world.traffic.state import Presence, TrafficState
from dorosim.world.vehicle.state import VehicleState

_VEHICLE = VehicleState.at


class ActorTable(NamedTuple):
    """Actors that are somewhere, one row each, in the order of their kinds and ids.

    The origin of a vehicle is the centre of its rear axle on the ground, of others the centre of the base.

    Attributes:
        id: `(N,)`. kind: `(N,)` `BodyKind`. model: `(N,)` row of the catalogue of its kind.
        position: `(N, 3)` origin in map [m].
        rotation: `(N, 3, 3)` map_from_body.
        heading: `(N,)` counter-clockwise from east [rad].
        size: `(N, 3)` length, width, height [m].
        centre: `(N, 3)` middle of the box in map [m].
        velocity: `(N, 3)` of the origin in map [m/s].
        acceleration: `(N, 3)` of the origin in map, without gravity [m/s²].
        yaw_rate: `(N,)` about the map's z [rad/s].
    """

    id: IntArray
    kind: IntArray
    model: IntArray
    position: FloatArray
    rotation: FloatArray
    heading: FloatArray
    size: FloatArray
    centre: FloatArray
    velocity: FloatArray
    acceleration: FloatArray
    yaw_rate: FloatArray


class ActorRows(NamedTuple):
    """Actors as they are gathered from the tables of a snapshot, in the order of `ActorTable`.

    Attributes:
        floats: `(17, N)`, see `POSITION` and the others. whole: `(3, N)` id, `BodyKind`, row of the catalogue.
    """

    floats: FloatArray
    ints: IntArray


POSITION, ROTATION, SIZE, VELOCITY, ACCELERATION = slice(0, 3), slice(3, 6), slice(6, 9), slice(10, 13), slice(14, 17)
"""Rows of `ActorRows.floats`: origin in map [m]; roll, pitch, yaw [rad]; length, width, height [m]; velocity and
acceleration of the origin in the body frame [m/s], [m/s²]."""
YAW_RATE = 13
"""About the map's z [rad/s]."""


def actors_of(scene: Scene, now: Snapshot) -> ActorTable:
    """All actors of a snapshot that sensors see.

    Vehicles that have left the map are nowhere, the plan of a driver is no actor, and a storyboard may hide some.
    """
    floats, ints = actor_rows(scene, now)
    return _table(floats, ints)


def actor_rows(scene: Scene, now: Snapshot) -> ActorRows:
    """Returns the actors of `actors_of` as plain rows, for callers that need only some of them."""
    here = np.flatnonzero((now.traffic.present != Presence.OFF_MAP) & (now.traffic.plan_of_ego == 0))
    counts = (now.vehicle.rows, len(here), now.ghost.rows, now.people.state.rows, now.obstacles.state.rows)
    first = np.cumsum((0, *counts)).tolist()
    floats, ints = np.zeros((_ROWS, first[-1])), np.empty((3, first[-1]), np.int64)
    ints[_KIND] = np.repeat(_KINDS, counts)
    columns = [(floats[:, start:end], ints[:, start:end]) for start, end in pairwise(first)]
    if counts[0]:
        _write_vehicles(now, *columns[0])
    if counts[1]:
        traffic = now.traffic if len(here) == now.traffic.rows else now.traffic.take(here)
        _write_traffic(scene, traffic, *columns[1])
    if counts[2]:
        _write_ghosts(scene, now, *columns[2])
    if counts[3]:
        _write_people(now, *columns[3])
    if counts[4]:
        _write_obstacles(now, *columns[4])
    hidden = hidden_actors(now.storyboard, HiddenFrom.SENSORS)
    if hidden:
        seen = ~np.isin(ints[_ID], list(hidden))
        floats, ints = floats[:, seen], ints[:, seen]
    return ActorRows(floats, ints)


_X, _ROLL, _PITCH, _YAW, _SIZE, _MIDDLE, _VELOCITY, _TURN, _ACCELERATION = 0, 3, 4, 5, 6, 9, 10, 13, 14
_ROWS = 17
"""Rows of the table that is filled: pose, size, from the origin to the box's middle, motion in the body frame."""
_ID, _KIND, _MODEL = 0, 1, 2
_KINDS = np.array((BodyKind.EGO, BodyKind.NPC, BodyKind.GHOST, BodyKind.PEDESTRIAN, BodyKind.OBSTACLE), np.int64)
_PERSON_SIZE = pedestrian_sizes()
_PERSON_SIZE.flags.writeable = False
_TURN_OF_VEHICLE = _VEHICLE.angular_velocity + 2
assert (_VEHICLE.x, _VEHICLE.yaw) == (_X, _YAW)


def _table(floats: FloatArray, ints: IntArray) -> ActorTable:
    """The table of rows that are filled."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(floats[_ROLL:_SIZE]), np.sin(floats[_ROLL:_SIZE])
    turn = np.empty((floats.shape[1], 3, 3))
    turn[:, 0, 0], turn[:, 0, 1], turn[:, 0, 2] = cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr
    turn[:, 1, 0], turn[:, 1, 1], turn[:, 1, 2] = sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr
    turn[:, 2, 0], turn[:, 2, 1], turn[:, 2, 2] = -sp, cp * sr, cp * cr
    position = np.ascontiguousarray(floats[:_ROLL].T)
    middle = floats[_MIDDLE, :, None] * turn[:, :, 0] + 0.5 * floats[_SIZE + 2, :, None] * turn[:, :, 2]
    moving = np.stack((floats[_VELOCITY:_TURN].T, floats[_ACCELERATION:].T), axis=2)
    moved = turn @ moving
    return ActorTable(
        id=ints[_ID],
        kind=ints[_KIND],
        model=ints[_MODEL],
        position=position,
        rotation=turn,
        heading=floats[_YAW],
        size=np.ascontiguousarray(floats[_SIZE:_MIDDLE].T),
        centre=position + middle,
        velocity=np.ascontiguousarray(moved[:, :, 0]),
        acceleration=np.ascontiguousarray(moved[:, :, 1]),
        yaw_rate=floats[_TURN],
    )


def _write_model(scene: Scene, models: IntArray, floats: FloatArray) -> None:
    """Sizes of vehicles by their models."""
    length, width, height, front, wheelbase, rear = scene.vehicle_sizes.take(models, axis=0).T
    floats[_SIZE], floats[_SIZE + 1], floats[_SIZE + 2] = length, width, height
    floats[_MIDDLE] = 0.5 * (wheelbase + front - rear)


def _write_vehicles(now: Snapshot, floats: FloatArray, ints: IntArray) -> None:
    vehicle, parameter = now.vehicle, now.parameter
    ints[_ID], ints[_MODEL] = vehicle.id, vehicle.model
    floats[_SIZE], floats[_SIZE + 1], floats[_SIZE + 2] = parameter.length, parameter.width, parameter.height
    floats[_MIDDLE] = 0.5 * (parameter.wheelbase + parameter.front_overhang - parameter.rear_overhang)
    floats[:_SIZE] = vehicle.floats[:_SIZE]
    moves = vehicle.paused == 0
    floats[_VELOCITY:_TURN] = vehicle.floats[_VEHICLE.velocity_x : _VEHICLE.velocity_x + 3] * moves
    floats[_TURN] = vehicle.floats[_TURN_OF_VEHICLE] * moves
    floats[_ACCELERATION:] = vehicle.acceleration * moves


def _write_traffic(scene: Scene, traffic: TrafficState, floats: FloatArray, ints: IntArray) -> None:
    ints[_ID], ints[_MODEL] = traffic.id, traffic.model
    _write_model(scene, traffic.model, floats)
    floats[_SIZE], floats[_SIZE + 1] = traffic.length, traffic.width
    floats[_MIDDLE] = traffic.wheelbase + traffic.front_overhang - 0.5 * traffic.length
    floats[0], floats[1], floats[2] = traffic.x, traffic.y, traffic.z
    floats[_ROLL], floats[_PITCH] = traffic.roll, traffic.pitch
    floats[_YAW], floats[_TURN] = traffic.yaw, traffic.yaw_rate
    floats[_VELOCITY] = traffic.speed
    # a standing vehicle does not slow down any more, whatever its driver decided last
    floats[_ACCELERATION] = np.where(traffic.speed > 0.0, traffic.acceleration, np.maximum(traffic.acceleration, 0.0))
    floats[_ACCELERATION + 1] = traffic.speed * traffic.yaw_rate
    off = np.flatnonzero(traffic.present >= Presence.OFF_LANE)
    if len(off):
        forward, left = _in_body(traffic.slide_x[off], traffic.slide_y[off], traffic.yaw[off])
        floats[_VELOCITY, off] = forward
        floats[_VELOCITY + 1, off] = left - traffic.yaw_rate[off] * floats[_MIDDLE, off]
        forward, left = _in_body(traffic.slide_acceleration_x[off], traffic.slide_acceleration_y[off], traffic.yaw[off])
        floats[_ACCELERATION, off], floats[_ACCELERATION + 1, off] = forward, left


def _write_ghosts(scene: Scene, now: Snapshot, floats: FloatArray, ints: IntArray) -> None:
    ghost = now.ghost
    ints[_ID], ints[_MODEL] = ghost.id, ghost.model
    _write_model(scene, ghost.model, floats)
    for row, column in enumerate((ghost.x, ghost.y, ghost.z, ghost.roll, ghost.pitch, ghost.yaw)):
        floats[row] = column
    _write_motion(ghost, floats)


def _write_people(now: Snapshot, floats: FloatArray, ints: IntArray) -> None:
    people = now.people.state
    ints[_ID], ints[_MODEL] = people.id, people.model
    floats[_SIZE:_MIDDLE] = _PERSON_SIZE[people.model].T
    floats[0], floats[1], floats[2], floats[_YAW] = people.x, people.y, people.z, people.yaw
    _write_motion(people, floats)


def _write_obstacles(now: Snapshot, floats: FloatArray, ints: IntArray) -> None:
    obstacle = now.obstacles.state
    ints[_ID], ints[_MODEL] = obstacle.id, obstacle.model
    pose = (obstacle.x, obstacle.y, obstacle.z, obstacle.roll, obstacle.pitch, obstacle.yaw)
    for row, column in enumerate((*pose, obstacle.length, obstacle.width, obstacle.height)):
        floats[row] = column
    _write_motion(obstacle, floats)
    floats[_VELOCITY + 2], floats[_ACCELERATION + 2] = obstacle.velocity_z, obstacle.acceleration_z


def _write_motion(table: GhostState | PedestrianState | ObstacleState, floats: FloatArray) -> None:
    """Motion in the plane of a table that has it in the map."""
    floats[_VELOCITY], floats[_VELOCITY + 1] = _in_body(table.velocity_x, table.velocity_y, table.yaw)
    forward, left = _in_body(table.acceleration_x, table.acceleration_y, table.yaw)
    floats[_ACCELERATION], floats[_ACCELERATION + 1] = forward, left
    floats[_TURN] = table.yaw_rate


def _in_body(east: FloatArray, north: FloatArray, yaw: FloatArray) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Vectors of the map's plane, forward and to the left."""
    c, s = np.cos(yaw), np.sin(yaw)
    return c * east + s * north, c * north - s * east
