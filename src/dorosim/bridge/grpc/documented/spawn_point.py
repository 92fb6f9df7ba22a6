"""Spawn points of vehicles and pedestrians (documents/grpc-api-en.txt, SpawnPoint)."""

from __future__ import annotations

from typing import Any

from dorosim.bridge.answer import Answer
from dorosim.bridge.grpc.call import Procedure, vector_of
from dorosim.bridge.grpc.documented.answer import each
from dorosim.bridge.grpc.spawn_setting import pedestrian_changes, spawn_box, vehicle_setting
from dorosim.bridge.link import LinkPoint
from dorosim.bridge.npc import report_stand_in
from dorosim.bridge.situation import Situation
from dorosim.bridge.spawn_point import (
    VehicleSetting,
    change_pedestrian_point,
    change_vehicle_point,
    enable_point,
    new_point,
    pedestrian_model,
    present_pedestrian_point,
    present_vehicle_point,
    set_vehicle_point,
    vehicle_model,
)
from dorosim.ground.error import InputError
from dorosim.world.actor.command import CreateNamed
from dorosim.world.spawn.command import SetPedestrianSpawnPoints, SetVehicleSpawnPoints
from dorosim.world.spawn.point import PedestrianSpawnPoint, VehicleSpawnPoint

_FLAT = "destinations are boxes that lie flat on the ground, and only their yaw counts"
WITHOUT_EFFECT: dict[str, str] = {
    "PedestrianDestinationPointInfo.rotation.x": _FLAT,
    "PedestrianDestinationPointInfo.rotation.y": _FLAT,
    "PedestrianDestinationPointInfo.scale.z": _FLAT,
}
"""Fields that change nothing here, and why."""
_VEHICLES, _PEDESTRIANS = 1, 2
"""Codes of ScenarioETC.SUBCATEGORY."""


def _create(one: Any, at: Situation) -> Answer:
    if one.sub_category == _PEDESTRIANS:
        return CreateNamed(
            SetPedestrianSpawnPoints((new_point(PedestrianSpawnPoint, vector_of(one.position)),)), one.unique_id
        )
    if one.sub_category != _VEHICLES:
        problem = f"{one.sub_category} is not a valid kind of spawn point"
        raise InputError("spawn point", "sub_category", problem, "use 1 SPAWN_POINT, 2 PED_SPAWN_POINT")
    point, setting = new_point(VehicleSpawnPoint, vector_of(one.position)), VehicleSetting(changes={})
    return CreateNamed(set_vehicle_point(at.scene, at.now, at.index.link_row, point, setting), one.unique_id)


def _enable(one: Any, at: Situation) -> Answer:
    return enable_point(at.now, at.names, one.unique_id, one.is_active)


def _set_vehicles(one: Any, at: Situation) -> Answer:
    """Without an info only the model changes, and whether the point rests."""
    point = present_vehicle_point(at.now, at.names, one.unique_id)
    model = vehicle_model(one.spawn_object_name)
    point = change_vehicle_point(point, model, enabled=not one.pause)
    report_stand_in(at.host, model.note)
    if not one.HasField("info"):
        return SetVehicleSpawnPoints((point,))
    start, end = _link(one.info.start_link_info), _link(one.info.end_link_info)
    setting = vehicle_setting(one.info, at.names, start, end)
    return set_vehicle_point(at.scene, at.now, at.index.link_row, point, setting)


def _link(info: Any) -> LinkPoint:
    return LinkPoint(info.unique_id, info.index)


def _set_pedestrians(one: Any, at: Situation) -> Answer:
    """Without an info only the model changes, and whether the point rests."""
    point = present_pedestrian_point(at.now, at.names, one.unique_id)
    model = pedestrian_model(one.spawn_object_name, one.info.pedestrian_random_mode)
    boxes = [spawn_box(goal.position, goal.rotation, goal) for goal in one.info.list_pedestrian_desination]
    changes = pedestrian_changes(one.info, boxes) if one.HasField("info") else {}
    report_stand_in(at.host, model.note)
    return change_pedestrian_point(point, changes, model, enabled=not one.pause)


PROCEDURES: dict[str, Procedure] = {
    "CreateSpawnPoint": each(_create),
    "EnableSpawnPoint": each(_enable),
    "SetSpawnPoint": each(_set_vehicles),
    "SetPedestrianSpawnPoint": each(_set_pedestrians),
}
"""By name."""
