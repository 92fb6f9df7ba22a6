"""The service Actor: pedestrians and obstacles."""

from __future__ import annotations

from typing import Any

from dorosim.bridge.actor import ActorKind, kind_of
from dorosim.bridge.answer import Refusal
from dorosim.bridge.grpc.call import DEGREE, KMH, Procedure, Response, angles_of, vector_of
from dorosim.bridge.grpc.standard.result import OBJECT_TYPES, answered, ask_of, check_owner, failure
from dorosim.bridge.height import place_note
from dorosim.bridge.npc import report_stand_in
from dorosim.bridge.obstacle import MoveMode, obstacle_to_make, obstacle_to_move, scale_or_one
from dorosim.bridge.people import Walk, actor_named, pedestrian_to_make
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.world.actor.command import CreateNamed, Making
from dorosim.world.command import Command
from dorosim.world.obstacle.command import ScaleObstacle
from dorosim.world.pedestrian.command import DrivePedestrian, RoutePedestrian
from dorosim.world.waypoint import Waypoint

_UPRIGHT = "people stand upright; only their yaw counts"
WITHOUT_EFFECT: dict[str, str] = {
    "ActorSpawnInfo.color": "models have colours of their own",
    "ActorSpawnInfo.is_multi_object_one_mode": "its meaning is not known",
    "PedestrianSpawnParam.spawn_info.transform.rotation.x": _UPRIGHT,
    "PedestrianSpawnParam.spawn_info.transform.rotation.y": _UPRIGHT,
    "ObstacleCtrlCmd.frame": "commands apply in the order in which they come",
    "PedestrianCtrlCmd.direction.z": "people walk on the ground",
    "Actor/SetObstacleAnimation": "no model of an obstacle has parts that move",
    "Actor/SetTrainSignalLight": "maps have no railway signals",
}
"""Fields and procedures that change nothing here, and why."""


def _spawn_pedestrian(request: Any, at: Situation) -> Response:
    info, speed = request.spawn_info, request.velocity * KMH
    walk = Walk(speed, request.active_dist, request.move_dist, request.start_action, _waypoints(request.waypoints))
    place, turn = vector_of(info.transform.location), angles_of(info.transform.rotation)
    make, note = pedestrian_to_make(info.model_name, place, turn[2], walk)
    return _spawned(at, info, ActorKind.PEDESTRIAN, make, note)


def _spawn_obstacle(request: Any, at: Situation) -> Response:
    info, scale = request.spawn_info, vector_of(request.scale)
    place, turn = vector_of(info.transform.location), angles_of(info.transform.rotation)
    make, note = obstacle_to_make(info.model_name, place, turn, scale, drop=at.drop)
    return _spawned(at, info, ActorKind.OBSTACLE, make, note)


def _spawned(at: Situation, info: Any, kind: ActorKind, make: Making, note: str) -> Response:
    """Make something for the owner that an ActorSpawnInfo says, under its id, else its label, as vehicles."""
    owner = info.actor_info
    _check_kind(owner, kind)
    report_stand_in(at.host, note)
    told = "; ".join(part for part in (note, place_note(at.scene, make)) if part)
    return ask_of((CreateNamed(make, owner.id.value or info.label, owner.client_key),), told)


def _waypoints(points: Any) -> tuple[Waypoint, ...]:
    return tuple(Waypoint(*vector_of(one.waypoint), one.pause_time, one.speed * KMH) for one in points.waypoints)


def _actor(info: Any, at: Situation, kind: ActorKind) -> int:
    """The actor that an ObjectInfo means.

    Raises:
        InputError: there is no such actor of this kind, or it is another client's.
    """
    _check_kind(info, kind)
    actor = actor_named(at.now, at.names, info.id.value, kind)
    check_owner(info, at, actor)
    return actor


def _check_kind(info: Any, kind: ActorKind) -> None:
    if info.object_type not in (0, OBJECT_TYPES[kind]):
        problem = f"object_type is {info.object_type}, and that of a {kind.name.lower()} {OBJECT_TYPES[kind]}"
        raise InputError("", "", problem)


def _control_pedestrian(request: Any, at: Situation) -> Command | Refusal:
    actor = _actor(request.actor_info, at, ActorKind.PEDESTRIAN)
    return DrivePedestrian(actor, vector_of(request.direction), request.speed * KMH)


def _control_obstacle(request: Any, at: Situation) -> Command | Refusal:
    actor = _actor(request.actor_info, at, ActorKind.OBSTACLE)
    velocity = request.velocity_x * KMH, request.velocity_y * KMH
    mode, yaw_rate = MoveMode(request.mode), request.yaw_rate * DEGREE
    return obstacle_to_move(at.scene, at.now, actor, mode, velocity, yaw_rate, request.height)


def _set_waypoints(request: Any, at: Situation) -> Command | Refusal:
    actor, waypoints = _actor(request.actor_info, at, ActorKind.PEDESTRIAN), _waypoints(request.waypoints)
    if request.is_create and not waypoints:
        return Refusal("there are no points to walk to")
    if waypoints and not request.is_create:
        return Refusal("is_create is false, which takes the way away, but there are points; say which is meant")
    return RoutePedestrian(actor, waypoints)


def _set_scale(request: Any, at: Situation) -> Command | Refusal:
    info = request.actor_info
    known = kind_of(at.now, at.names.actor_of(info.id.value))
    if known not in (ActorKind.NONE, ActorKind.OBSTACLE):
        return Refusal(f"{info.id.value!r} keeps the size of its model; only obstacles change theirs")
    return ScaleObstacle(_actor(info, at, ActorKind.OBSTACLE), scale_or_one(vector_of(request.scale)))


def _animate(request: Any, at: Situation) -> Command | Refusal:
    _actor(request.actor_info, at, ActorKind.OBSTACLE)
    return Refusal(WITHOUT_EFFECT["Actor/SetObstacleAnimation"])


PROCEDURES: dict[str, Procedure] = {
    "Actor/SpawnPedestrian": answered(_spawn_pedestrian),
    "Actor/SpawnObstacle": answered(_spawn_obstacle),
    "Actor/ControlPedestrian": answered(_control_pedestrian),
    "Actor/ControlObstacle": answered(_control_obstacle),
    "Actor/SetPedestrianWaypoint": answered(_set_waypoints),
    "Actor/SetScale": answered(_set_scale),
    "Actor/SetObstacleAnimation": answered(_animate),
    "Actor/SetTrainSignalLight": lambda _, __: failure(WITHOUT_EFFECT["Actor/SetTrainSignalLight"]),
}
"""By "Service/Name"."""
