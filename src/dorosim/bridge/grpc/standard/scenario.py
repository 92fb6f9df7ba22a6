"""The service Scenario: scenario files, spawn points, friction areas."""

from __future__ import annotations

from typing import Any

from dorosim.bridge.friction import Area, create_area
from dorosim.bridge.grpc.call import Procedure, Response, angles_of, vector_of
from dorosim.bridge.grpc.spawn_setting import pedestrian_changes, spawn_box, vehicle_setting
from dorosim.bridge.grpc.standard.result import answered, ask_of, check_owner
from dorosim.bridge.link import LinkPoint
from dorosim.bridge.npc import report_stand_in
from dorosim.bridge.run import load_scenario
from dorosim.bridge.situation import Situation
from dorosim.bridge.spawn_point import (
    VehicleSetting,
    change_pedestrian_point,
    change_vehicle_point,
    enable_point,
    new_point,
    pedestrian_model,
    set_vehicle_point,
    vehicle_model,
)
from dorosim.ground.error import InputError
from dorosim.world.actor.command import CreateNamed, Making
from dorosim.world.command import Command
from dorosim.world.spawn.point import PedestrianSpawnPoint, VehicleSpawnPoint

_SPAWN_POINT_TYPES = (0, 4)
"""Codes of ObjectType that a request may give for a spawn point: none, spawn point."""


def _create_vehicles(request: Any, at: Situation) -> Response:
    info, config = request.spawn_point_info, request.config
    _check_kind(info.object_info)
    model = vehicle_model(info.model_name)
    point = change_vehicle_point(new_point(VehicleSpawnPoint, vector_of(info.location)), model, enabled=not info.pause)
    setting = VehicleSetting(changes={})
    if request.HasField("config"):
        start, end = _link(config.start_link_info), _link(config.end_link_info)
        setting = vehicle_setting(config, at.names, start, end)
    return _made(
        at, info.object_info, set_vehicle_point(at.scene, at.now, at.index.link_row, point, setting), model.note
    )


def _create_pedestrians(request: Any, at: Situation) -> Response:
    info, config = request.spawn_point_info, request.config
    _check_kind(info.object_info)
    model = pedestrian_model(info.model_name, config.pedestrian_random_mode)
    goals = config.pedestrian_destination_points
    boxes = [spawn_box(goal.transform.location, goal.transform.rotation, goal) for goal in goals]
    changes = pedestrian_changes(config, boxes) if request.HasField("config") else {}
    point = new_point(PedestrianSpawnPoint, vector_of(info.location))
    return _made(
        at, info.object_info, change_pedestrian_point(point, changes, model, enabled=not info.pause), model.note
    )


def _made(at: Situation, info: Any, make: Making, note: str) -> Response:
    """What is made under an id for an owner, with a note in the description."""
    report_stand_in(at.host, note)
    return ask_of((CreateNamed(make, info.id.value, info.client_key),), note)


def _link(info: Any) -> LinkPoint:
    return LinkPoint(info.id.value, info.waypoint_idx)


def _check_kind(info: Any) -> None:
    if info.object_type not in _SPAWN_POINT_TYPES:
        problem = f"object_type {info.object_type} is that of something else"
        raise InputError("spawn point", info.id.value, problem, "use 4, OBJECT_TYPE_SPAWN_POINT")


def _enable(request: Any, at: Situation) -> Command:
    info = request.object_info
    _check_kind(info)
    command = enable_point(at.now, at.names, info.id.value, request.is_active)
    check_owner(info, at, at.names.actor_of(info.id.value))
    return command


def _create_area(request: Any, _: Situation) -> Command:
    info, transform = request.object_info, request.transform
    area = Area(request.vertical_radius, request.horizontal_radius, request.height, request.multiplier)
    position, rotation = vector_of(transform.location), angles_of(transform.rotation)
    return create_area(info.id.value, info.client_key, request.object_name, position, rotation, area)


PROCEDURES: dict[str, Procedure] = {
    "Scenario/CreateVehicleSpawnPoint": answered(_create_vehicles),
    "Scenario/CreatePedestrianSpawnPoint": answered(_create_pedestrians),
    "Scenario/EnableSpawnPoint": answered(_enable),
    "Scenario/CreateFrictionControlArea": answered(_create_area),
    "Scenario/LoadMoraiScenario": answered(lambda request, at: load_scenario(at.host, at.now, request.value)),
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
