"""Spawn points of vehicles and pedestrians (documents/grpc-api-en.txt, SpawnPoint)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dorosim.bridge.answer import Answer
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.documented.response import for_each
from dorosim.bridge.grpc.spawn_setting import SpawnBox, pedestrian_changes, vehicle_setting
from dorosim.bridge.grpc.vector import angles_of, vector_of
from dorosim.bridge.link import LinkPoint
from dorosim.bridge.npc import tell_stand_in
from dorosim.bridge.reply import DeferredReply
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
    present_pedestrian_point,
    present_vehicle_point,
    set_vehicle_point,
    vehicle_model,
)
from dorosim.ground.error import InputError
from dorosim.world.spawn.command import SetPedestrianSpawnPoints, SetVehicleSpawnPoints

if TYPE_CHECKING:
    from google.protobuf.message import Message

_FLAT = "destinations are boxes that lie flat on the ground, and only their yaw counts"
WITHOUT_EFFECT: dict[str, str] = {
    "PedestrianDestinationPointInfo.rotation.x": _FLAT,
    "PedestrianDestinationPointInfo.rotation.y": _FLAT,
    "PedestrianDestinationPointInfo.scale.z": _FLAT,
}
"""Fields that change nothing here, and why."""
_VEHICLES, _PEDESTRIANS = 1, 2
"""Codes of ScenarioETC.SUBCATEGORY."""


def _point(one: Any) -> str:
    return str(one.unique_id)


def _create(request: Any, at: Situation) -> DeferredReply | Message:
    def make(one: Any) -> Answer:
        if one.sub_category == _PEDESTRIANS:
            return create_point(
                SetPedestrianSpawnPoints((new_pedestrian_point(vector_of(one.position)),)), one.unique_id
            )
        if one.sub_category != _VEHICLES:
            code = f"{one.sub_category} is no kind of spawn point"
            raise InputError("spawn point", "sub_category", code, "use 1 SPAWN_POINT, 2 PED_SPAWN_POINT")
        point, setting = new_vehicle_point(vector_of(one.position)), VehicleSetting(changes={})
        return create_point(set_vehicle_point(at.scene, at.now, at.index, point, setting), one.unique_id)

    return for_each(request.req_list, _point, make)


def _enable(request: Any, at: Situation) -> DeferredReply | Message:
    return for_each(request.req_list, _point, lambda one: enable_point(at.now, at.names, one.unique_id, one.is_active))


def _set_vehicles(request: Any, at: Situation) -> DeferredReply | Message:
    """Without an info only the model changes, and whether the point rests."""

    def make(one: Any) -> Answer:
        point = present_vehicle_point(at.now, at.names, one.unique_id)
        model = vehicle_model(one.spawn_object_name)
        point = change_vehicle_point(point, model, enabled=not one.pause)
        tell_stand_in(at.host, model.note)
        if not one.HasField("info"):
            return SetVehicleSpawnPoints((point,))
        start, end = _link(one.info.start_link_info), _link(one.info.end_link_info)
        setting = vehicle_setting(one.info, at.names, start, end)
        return set_vehicle_point(at.scene, at.now, at.index, point, setting)

    return for_each(request.req_list, _point, make)


def _link(info: Any) -> LinkPoint:
    return LinkPoint(info.unique_id, info.index)


def _set_pedestrians(request: Any, at: Situation) -> DeferredReply | Message:
    """Without an info only the model changes, and whether the point rests."""

    def make(one: Any) -> Answer:
        point = present_pedestrian_point(at.now, at.names, one.unique_id)
        model = pedestrian_model(one.spawn_object_name, one.info.pedestrian_random_mode)
        boxes = [
            SpawnBox(
                vector_of(goal.position),
                angles_of(goal.rotation)[2],
                vector_of(goal.scale) if goal.HasField("scale") else None,
            )
            for goal in one.info.list_pedestrian_desination
        ]
        changes = pedestrian_changes(one.info, boxes) if one.HasField("info") else {}
        tell_stand_in(at.host, model.note)
        return change_pedestrian_point(point, changes, model, enabled=not one.pause)

    return for_each(request.req_list, _point, make)


SPAWN_POINTS: dict[str, Procedure] = {
    "CreateSpawnPoint": _create,
    "EnableSpawnPoint": _enable,
    "SetSpawnPoint": _set_vehicles,
    "SetPedestrianSpawnPoint": _set_pedestrians,
}
"""By name."""
