"""Pedestrians and obstacles (documents/grpc-api-en.txt, Pedestrian, Obstacle / Object)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dorosim.bridge.actor import ActorKind, names_of
from dorosim.bridge.answer import Refusal
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.vector import KMH, angles_of, vector_of
from dorosim.bridge.npc import tell_stand_in
from dorosim.bridge.obstacle import obstacle_to_make
from dorosim.bridge.people import Walk, actor_named, pedestrian_to_make
from dorosim.bridge.reply import DeferredReply, ElementOutcome, Elements
from dorosim.bridge.situation import Situation
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.actor.command import Category, CreateNamed, RemoveCategories
from dorosim.world.pedestrian.command import StartPedestrian
from dorosim.world.snapshot import Outcome, Snapshot

if TYPE_CHECKING:
    from google.protobuf.message import Message

Empty = message_class("morai_msgs.Empty")
ActorResponse = message_class("morai_msgs.ActorResponse")
ActorResponseList = message_class("morai_msgs.ActorResponseList")

_UPRIGHT = "people stand upright; only their yaw counts"
WITHOUT_EFFECT: dict[str, str] = {"PedestrianSpawn.rotation.x": _UPRIGHT, "PedestrianSpawn.rotation.y": _UPRIGHT}
"""Fields that change nothing here, and why."""

CATEGORIES: dict[str, Category] = {
    "vehicle": Category.VEHICLE,
    "pedestrian": Category.PEDESTRIAN,
    "obstacle": Category.OBSTACLE,
    "spawn_point": Category.SPAWN_POINT,
    "map_object": Category.MAP_OBJECT,
}
"""By field of CategoryObstacles."""


def _create_pedestrians(request: Any, at: Situation) -> DeferredReply:
    elements = Elements()
    for one in request.req_list:
        walk = Walk(one.velocity * KMH, one.active_dist, one.move_dist, one.start_action)
        yaw = angles_of(one.rotation)[2]
        make, note = pedestrian_to_make(one.pedestrian_name, vector_of(one.position), yaw, walk)
        elements.add(CreateNamed(make, one.unique_id))
        tell_stand_in(at.host, note)
    return elements.ask(_made(request.req_list))


def _create_obstacles(request: Any, at: Situation) -> DeferredReply:
    elements = Elements()
    for one in request.req_list:
        place, turn = vector_of(one.position), angles_of(one.rotation)
        make, note = obstacle_to_make(one.obstacle_name, place, turn, vector_of(one.scale))
        elements.add(CreateNamed(make, one.unique_id))
        tell_stand_in(at.host, note)
    return elements.ask(_made(request.req_list))


def _start_pedestrians(request: Any, at: Situation) -> DeferredReply:
    elements = Elements()
    for one in request.req_list:
        actor = actor_named(at.now, at.names, one.unique_id, ActorKind.PEDESTRIAN)
        elements.add(actor if isinstance(actor, Refusal) else StartPedestrian(actor))

    def reply(_: Snapshot, outcomes: Sequence[ElementOutcome]) -> Message:
        return _responses(
            (one, outcome, one.unique_id) for one, outcome in zip(request.req_list, outcomes, strict=True)
        )

    return elements.ask(reply)


def _made(asked: Sequence[Any]) -> Any:
    """An answer of the ids that were asked for and those that were given."""

    def reply(now: Snapshot, outcomes: Sequence[ElementOutcome]) -> Message:
        names = names_of(now)
        return _responses(
            (one, outcome, names.text_of(outcome.actor)) for one, outcome in zip(asked, outcomes, strict=True)
        )

    return reply


def _responses(told: Iterable[tuple[Any, ElementOutcome, str]]) -> Message:
    """Where a request is refused, `display_name`, which then names nothing, says why (see `actor_responses`)."""
    return ActorResponseList(
        res_list=[
            ActorResponse(result=not outcome.refusal, actor_name=one.unique_id, display_name=outcome.refusal or name)
            for one, outcome, name in told
        ]
    )


def _delete(request: Any, _: Situation) -> DeferredReply:
    categories = Category(0)
    for name, category in CATEGORIES.items():
        if getattr(request, name):
            categories |= category
    return DeferredReply((RemoveCategories(categories),) if categories else (), _nothing)


def _nothing(_: Snapshot, __: tuple[Outcome, ...]) -> Message:
    return Empty()


PEOPLE: dict[str, Procedure] = {
    "CreatePedestrian": _create_pedestrians,
    "SendStartPedestrian": _start_pedestrians,
    "CreateObstacle": _create_obstacles,
    "DeleteSpawnObstacles": _delete,
}
"""By name."""
