"""Pedestrians and obstacles (documents/grpc-api-en.txt, Pedestrian, Obstacle / Object)."""

from __future__ import annotations

from typing import Any

from dorosim.bridge.actor import ActorKind
from dorosim.bridge.answer import Answer
from dorosim.bridge.grpc.call import KMH, Procedure, angles_of, vector_of
from dorosim.bridge.grpc.documented.answer import each
from dorosim.bridge.npc import report_stand_in
from dorosim.bridge.obstacle import obstacle_to_make
from dorosim.bridge.people import Walk, actor_named, pedestrian_to_make
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.situation import Situation
from dorosim.wire.grpc.descriptor import MORAI_MSGS
from dorosim.world.actor.command import Category, CreateNamed, RemoveCategories
from dorosim.world.pedestrian.command import StartPedestrian

_UPRIGHT = "people stand upright; only their yaw counts"
WITHOUT_EFFECT: dict[str, str] = {"PedestrianSpawn.rotation.x": _UPRIGHT, "PedestrianSpawn.rotation.y": _UPRIGHT}
"""Fields that change nothing here, and why."""


def _create_pedestrian(one: Any, at: Situation) -> Answer:
    walk = Walk(one.velocity * KMH, one.active_dist, one.move_dist, one.start_action)
    yaw = angles_of(one.rotation)[2]
    make, note = pedestrian_to_make(one.pedestrian_name, vector_of(one.position), yaw, walk)
    report_stand_in(at.host, note)
    return CreateNamed(make, one.unique_id)


def _create_obstacle(one: Any, at: Situation) -> Answer:
    place, rotation = vector_of(one.position), angles_of(one.rotation)
    make, note = obstacle_to_make(one.obstacle_name, place, rotation, vector_of(one.scale))
    report_stand_in(at.host, note)
    return CreateNamed(make, one.unique_id)


def _start_pedestrian(one: Any, at: Situation) -> Answer:
    return StartPedestrian(actor_named(at.now, at.names, one.unique_id, ActorKind.PEDESTRIAN))


def _delete(request: Any, _: Situation) -> DeferredReply:
    categories = sum((one for one in Category if getattr(request, str(one.name).lower())), Category(0))
    commands = (RemoveCategories(categories),) if categories else ()
    return DeferredReply(commands, lambda _, __: MORAI_MSGS.Empty())


PROCEDURES: dict[str, Procedure] = {
    "CreatePedestrian": each(_create_pedestrian, empty_is_refused=False),
    "SendStartPedestrian": each(_start_pedestrian, empty_is_refused=False),
    "CreateObstacle": each(_create_obstacle, empty_is_refused=False),
    "DeleteSpawnObstacles": _delete,
}
"""By name."""
