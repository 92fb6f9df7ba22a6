"""The service Actor: pedestrians and obstacles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dorosim.bridge.actor import ActorKind, kind_of
from dorosim.bridge.answer import Refusal
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.standard.result import failure, result_of
from dorosim.bridge.grpc.standard.target import problem_with_owner
from dorosim.bridge.grpc.vector import DEGREE, KMH, angles_of, vector_of
from dorosim.bridge.npc import tell_stand_in
from dorosim.bridge.obstacle import MoveMode, obstacle_to_make, obstacle_to_move, scale_or_one
from dorosim.bridge.people import Walk, actor_named, pedestrian_to_make
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.situation import Situation
from dorosim.world.actor.command import CreateNamed, Making
from dorosim.world.command import Command
from dorosim.world.obstacle.command import ScaleObstacle
from dorosim.world.pedestrian.command import DrivePedestrian, RoutePedestrian
from dorosim.world.snapshot import Outcome, Snapshot
from dorosim.world.waypoint import Waypoint

if TYPE_CHECKING:
    from google.protobuf.message import Message

OBJECT_TYPES: dict[ActorKind, int] = {ActorKind.PEDESTRIAN: 2, ActorKind.OBSTACLE: 3}
"""ObjectType of each kind."""

_UPRIGHT = "people stand upright; only their yaw counts"
WITHOUT_EFFECT: dict[str, str] = {
    "ActorSpawnInfo.color": "models have colours of their own",
    "ActorSpawnInfo.is_multi_object_one_mode": "no source tells its meaning",
    "PedestrianSpawnParam.spawn_info.transform.rotation.x": _UPRIGHT,
    "PedestrianSpawnParam.spawn_info.transform.rotation.y": _UPRIGHT,
    "ObstacleCtrlCmd.frame": "commands apply in the order in which they come",
    "PedestrianCtrlCmd.direction.z": "people walk on the ground",
    "Actor/SetObstacleAnimation": "no model of an obstacle has parts that move",
    "Actor/SetTrainSignalLight": "maps have no railway signals",
}
"""Fields and procedures that change nothing here, and why."""


def _spawn_pedestrian(request: Any, at: Situation) -> Message | DeferredReply:
    info, speed = request.spawn_info, request.velocity * KMH
    walk = Walk(speed, request.active_dist, request.move_dist, request.start_action, _way(request.waypoints))
    place, turn = vector_of(info.transform.location), angles_of(info.transform.rotation)
    make, note = pedestrian_to_make(info.model_name, place, turn[2], walk)
    return _spawned(at, info, ActorKind.PEDESTRIAN, make, note)


def _spawn_obstacle(request: Any, at: Situation) -> Message | DeferredReply:
    info, scale = request.spawn_info, vector_of(request.scale)
    place, turn = vector_of(info.transform.location), angles_of(info.transform.rotation)
    make, note = obstacle_to_make(info.model_name, place, turn, scale)
    return _spawned(at, info, ActorKind.OBSTACLE, make, note)


def _spawned(at: Situation, info: Any, kind: ActorKind, make: Making, note: str) -> Message | DeferredReply:
    """Make something for the owner that an ActorSpawnInfo says, under its id, else its label, as vehicles."""
    who = info.actor_info
    wrong = _other_kind(who, kind)
    if wrong:
        return failure(wrong)
    tell_stand_in(at.host, note)

    def reply(now: Snapshot, outcomes: tuple[Outcome, ...]) -> Message:
        return result_of(now, outcomes, note)

    return DeferredReply((CreateNamed(make, who.id.value or info.label, who.client_key),), reply)


def _way(points: Any) -> tuple[Waypoint, ...]:
    return tuple(Waypoint(*vector_of(one.waypoint), one.pause_time, one.speed * KMH) for one in points.waypoints)


def _actor(info: Any, at: Situation, kind: ActorKind) -> int | Refusal:
    """The actor that an ObjectInfo means."""
    wrong = _other_kind(info, kind)
    actor = Refusal("refused", wrong) if wrong else actor_named(at.now, at.names, info.id.value, kind)
    foreign = "" if isinstance(actor, Refusal) else problem_with_owner(info, at, actor)
    return Refusal("refused", foreign) if foreign else actor


def _other_kind(info: Any, kind: ActorKind) -> str:
    """Why an ObjectInfo cannot be of a kind, or an empty string."""
    if info.object_type in (0, OBJECT_TYPES[kind]):
        return ""
    return f"object_type is {info.object_type}, and that of a {kind.name.lower()} {OBJECT_TYPES[kind]}"


def _asked(command: Command | Refusal) -> Message | DeferredReply:
    return failure(command.reason) if isinstance(command, Refusal) else DeferredReply((command,), result_of)


def _control_pedestrian(request: Any, at: Situation) -> Message | DeferredReply:
    actor = _actor(request.actor_info, at, ActorKind.PEDESTRIAN)
    if isinstance(actor, Refusal):
        return failure(actor.reason)
    return _asked(DrivePedestrian(actor, vector_of(request.direction), request.speed * KMH))


def _control_obstacle(request: Any, at: Situation) -> Message | DeferredReply:
    actor = _actor(request.actor_info, at, ActorKind.OBSTACLE)
    if isinstance(actor, Refusal):
        return failure(actor.reason)
    velocity = request.velocity_x * KMH, request.velocity_y * KMH
    mode, yaw_rate = MoveMode(request.mode), request.yaw_rate * DEGREE
    return _asked(obstacle_to_move(at.scene, at.now, actor, mode, velocity, yaw_rate, request.height))


def _set_way(request: Any, at: Situation) -> Message | DeferredReply:
    actor = _actor(request.actor_info, at, ActorKind.PEDESTRIAN)
    if isinstance(actor, Refusal):
        return failure(actor.reason)
    way = _way(request.waypoints)
    if request.is_create and not way:
        return failure("there are no points to walk to")
    if way and not request.is_create:
        return failure("is_create is false, which takes the way away, but there are points; say which is meant")
    return _asked(RoutePedestrian(actor, way))


def _set_scale(request: Any, at: Situation) -> Message | DeferredReply:
    info = request.actor_info
    known = kind_of(at.now, at.names.actor_of(info.id.value))
    if known not in (ActorKind.NONE, ActorKind.OBSTACLE):
        return failure(f"{info.id.value!r} keeps the size of its model; only obstacles change theirs")
    actor = _actor(info, at, ActorKind.OBSTACLE)
    if isinstance(actor, Refusal):
        return failure(actor.reason)
    return _asked(ScaleObstacle(actor, scale_or_one(vector_of(request.scale))))


def _animate(request: Any, at: Situation) -> Message:
    actor = _actor(request.actor_info, at, ActorKind.OBSTACLE)
    return failure(actor.reason if isinstance(actor, Refusal) else WITHOUT_EFFECT["Actor/SetObstacleAnimation"])


def _train_signal(_: Any, __: Situation) -> Message:
    return failure(WITHOUT_EFFECT["Actor/SetTrainSignalLight"])


PEOPLE: dict[str, Procedure] = {
    "Actor/SpawnPedestrian": _spawn_pedestrian,
    "Actor/SpawnObstacle": _spawn_obstacle,
    "Actor/ControlPedestrian": _control_pedestrian,
    "Actor/ControlObstacle": _control_obstacle,
    "Actor/SetPedestrianWaypoint": _set_way,
    "Actor/SetScale": _set_scale,
    "Actor/SetObstacleAnimation": _animate,
    "Actor/SetTrainSignalLight": _train_signal,
}
"""By "Service/Name"."""
