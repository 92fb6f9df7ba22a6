"""The service Scenario: scenario files, spawn points, friction areas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dorosim.bridge.friction import Area, create_area
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.spawn_setting import SpawnBox, pedestrian_changes, vehicle_setting
from dorosim.bridge.grpc.standard.result import failure, result_of, result_of_outcome
from dorosim.bridge.grpc.standard.target import problem_with_owner
from dorosim.bridge.grpc.vector import angles_of, vector_of
from dorosim.bridge.link import LinkPoint
from dorosim.bridge.npc import tell_stand_in
from dorosim.bridge.reply import DeferredReply, ElementOutcome, outcome_of
from dorosim.bridge.situation import Situation
from dorosim.bridge.spawn_point import (
    VehicleSetting,
    change_pedestrian_point,
    change_vehicle_point,
    create_point,
    enable_point,
    new_pedestrian_point,
    new_vehicle_point,
    pedestrian_model,
    set_vehicle_point,
    vehicle_model,
)
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.command import Command
from dorosim.world.snapshot import Outcome, Snapshot

if TYPE_CHECKING:
    from google.protobuf.message import Message

Result = message_class("morai_sim_api.Result")
_SPAWN_POINT_TYPES = (0, 4)
"""Codes of ObjectType that a request may give for a spawn point: none, spawn point."""


def _create_vehicles(request: Any, at: Situation) -> DeferredReply | Message:
    info, config = request.spawn_point_info, request.config
    try:
        _check_kind(info.object_info)
        model = vehicle_model(info.model_name)
        point = change_vehicle_point(new_vehicle_point(vector_of(info.location)), model, enabled=not info.pause)
        setting = VehicleSetting(changes={})
        if request.HasField("config"):
            start, end = _link(config.start_link_info), _link(config.end_link_info)
            setting = vehicle_setting(config, at.names, start, end)
        make = set_vehicle_point(at.scene, at.now, at.index, point, setting)
    except InputError as error:
        return failure(str(error))
    tell_stand_in(at.host, model.note)
    return _made(create_point(make, info.object_info.id.value, info.object_info.client_key), model.note)


def _create_pedestrians(request: Any, at: Situation) -> DeferredReply | Message:
    info, config = request.spawn_point_info, request.config
    try:
        _check_kind(info.object_info)
        model = pedestrian_model(info.model_name, config.pedestrian_random_mode)
        changes = pedestrian_changes(config, _boxes(config)) if request.HasField("config") else {}
    except InputError as error:
        return failure(str(error))
    tell_stand_in(at.host, model.note)
    make = change_pedestrian_point(
        new_pedestrian_point(vector_of(info.location)), changes, model, enabled=not info.pause
    )
    return _made(create_point(make, info.object_info.id.value, info.object_info.client_key), model.note)


def _made(command: Command, note: str) -> DeferredReply:
    """What is made, with a note in the description."""

    def reply(now: Snapshot, outcomes: tuple[Outcome, ...]) -> Message:
        outcome: ElementOutcome = outcome_of(outcomes)
        answer = result_of_outcome(now, outcome)
        if note and not outcome.refusal:
            answer.MergeFrom(Result(description=note))
        return answer

    return DeferredReply((command,), reply)


def _link(info: Any) -> LinkPoint:
    return LinkPoint(info.id.value, info.waypoint_idx)


def _boxes(config: Any) -> list[SpawnBox]:
    return [
        SpawnBox(
            vector_of(goal.transform.location),
            angles_of(goal.transform.rotation)[2],
            vector_of(goal.scale) if goal.HasField("scale") else None,
        )
        for goal in config.pedestrian_destination_points
    ]


def _check_kind(info: Any) -> None:
    if info.object_type not in _SPAWN_POINT_TYPES:
        problem = f"object_type {info.object_type} is that of something else"
        raise InputError("spawn point", info.id.value, problem, "use 4, OBJECT_TYPE_SPAWN_POINT")


def _enable(request: Any, at: Situation) -> DeferredReply | Message:
    try:
        _check_kind(request.object_info)
        command = enable_point(at.now, at.names, request.object_info.id.value, request.is_active)
    except InputError as error:
        return failure(str(error))
    foreign = problem_with_owner(request.object_info, at, at.names.actor_of(request.object_info.id.value))
    return failure(foreign) if foreign else DeferredReply((command,), result_of)


def _create_area(request: Any, _: Situation) -> DeferredReply:
    info = request.object_info
    area = Area(request.vertical_radius, request.horizontal_radius, request.height, request.multiplier)
    position, rotation = (
        vector_of(request.transform.location),
        angles_of(request.transform.rotation),
    )
    command = create_area(info.id.value, info.client_key, request.object_name, position, rotation, area)
    return DeferredReply((command,), result_of)


SCENARIOS: dict[str, Procedure] = {
    "Scenario/CreateVehicleSpawnPoint": _create_vehicles,
    "Scenario/CreatePedestrianSpawnPoint": _create_pedestrians,
    "Scenario/EnableSpawnPoint": _enable,
    "Scenario/CreateFrictionControlArea": _create_area,
}
"""By "Service/Name"."""
_NO_KIND = "no code of ObjectType means a friction area, so any may be given"
_FLAT = "destinations are boxes that lie flat on the ground, and only their yaw counts"
WITHOUT_EFFECT: dict[str, str] = {
    "Scenario/CreateFrictionControlArea.object_info.object_type": _NO_KIND,
    "PedestrianDestinationPoint.transform.rotation.x": _FLAT,
    "PedestrianDestinationPoint.transform.rotation.y": _FLAT,
    "PedestrianDestinationPoint.scale.z": _FLAT,
}
"""What has no effect, by procedure and field, and why."""
