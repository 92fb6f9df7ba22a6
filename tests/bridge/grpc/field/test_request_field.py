"""Every field of every request of both APIs does something, or is listed as without effect.

For each procedure there are requests that do something (the tables `*_cases`). Each of their fields is given other
values one by one, and the outcome must be another: the world some ticks later, what is asked of the program around it,
or, of a procedure that only tells, the response.
"""

from __future__ import annotations

import pytest

from dorosim.bridge.grpc.catalogue import without_effect
from tests.bridge.grpc.field.exploration import CASES, METHODS, Notice, explored, is_idle, key_of, noticed, tries_of
from tests.bridge.grpc.field.leaf import Path, keys_of, leaves_of, listed, name_of

BY_METHOD = pytest.mark.parametrize("method", METHODS, ids=key_of)
_ONE_CLASS = "each code of a kind of fault is of one class, and with another the pair means nothing"
_TYPE = "must be what the id is of"
_VEHICLE = "must be the vehicle that the sensor is on"
REFUSED_ONLY = {
    "ObjectInfo.object_type": _TYPE,
    "ObjectInfo.client_key": "must be the owner",
    "Actor/SetPedestrianWaypoint.is_create": "must agree with whether there are points",
    "Actor/SetVehicleFaultInjection.control.fault_class": _ONE_CLASS,
    "Actor/SetVehicleFaultInjection.tire.fault_class": _ONE_CLASS,
    "Actor/SetVehicleFaultInjection.sensor.fault_class": _ONE_CLASS,
    "Infrastructure/GetTrafficLightInfo.type": "no text is the id of both a link and a light",
    "SensorInfo.vehicle_info.id": _VEHICLE,
    "SensorInfo.sensor_type": "must be the kind of the sensor",
    "StartParam.ego_setting.ego_id": "the ego vehicle has one id",
    "StartParam.ego_cruise_setting.actor_info.id": "the ego vehicle has one id",
    "SetFaultStatusOnCtrl.req_list.fault_class": _ONE_CLASS,
    "SetFaultStatusOnTire.req_list.fault_class": _ONE_CLASS,
    "SetFaultStatusOnSensor.req_list.fault_class": _ONE_CLASS,
    "SetFaultStatusOnSensor.req_list.unique_id": _VEHICLE,
    "RemoveSensor.req_list.unique_id": _VEHICLE,
    "SetGroundTruthSensor.req_list.unique_id": _VEHICLE,
    "GetGroundTruthData.req_list.unique_id": _VEHICLE,
    "ObjectPause.req_list.obj_type": _TYPE,
    "VehicleRoute.obj_type": _TYPE,
    "VehicleDestination.obj_type": _TYPE,
    "SendVehiclePathOffset.req_list.obj_type": _TYPE,
}
"""Fields of which any other value is refused, and why. Of all others another value does something else."""


def flaw_of(method, path: Path, notice: Notice) -> str:
    """What is wrong with a field that shows in some way, or an empty text."""
    idle = is_idle(method)
    if listed(method, path, without_effect()[method.api]):
        return "is listed, and has an effect" if notice > Notice.TOLD else ""
    if notice is Notice.UNTRIED:
        return "is in no request"
    if notice is Notice.REFUSED and not idle:
        return "" if listed(method, path, REFUSED_ONLY) else "is refused whatever it is"
    return "" if notice > Notice.TOLD or idle else "has no effect and is not listed"


@BY_METHOD
def test_every_field_has_an_effect_or_is_listed(method):
    flaws = {name_of(path): flaw_of(method, path, notice) for path, notice in explored(method).notice.items()}
    assert {name: flaw for name, flaw in flaws.items() if flaw} == {}


@BY_METHOD
def test_the_requests_do_what_they_ask_for(method):
    found = explored(method)
    if is_idle(method):
        assert not found.does
        return
    assert [base.answer for base in found.bases if base.refused] == []
    if found.does:
        assert all(base.done != idle.done for base, idle in zip(found.bases, found.idle, strict=True))


def test_what_is_only_refused_is_so_somewhere():
    used = {
        key
        for method in METHODS
        for path, notice in explored(method).notice.items()
        if notice is Notice.REFUSED
        for key in listed(method, path, REFUSED_ONLY)
    }
    assert used == set(REFUSED_ONLY)


def test_there_are_requests_to_all_procedures_and_no_others():
    assert set(CASES) == {key_of(method) for method in METHODS}


@pytest.mark.parametrize("api", ["documented", "standard"])
def test_what_is_listed_stands_in_the_messages(api):
    own = [method for method in METHODS if method.api == api]
    known = {key for method in own for path in leaves_of(method.request.DESCRIPTOR) for key in keys_of(method, path)}
    known |= {f"{method.service.rpartition('.')[2]}/{method.name}" for method in own}
    for key, why in without_effect()[api].items():
        assert key in known
        assert len(why) > 10


@pytest.mark.parametrize(
    ("name", "ignored"),
    [
        ("SetFrictionOnArea", "req_list[].height"),
        ("Actor/SetPause", "enable"),
        ("Actor/GetAllActorsState", "client_key"),
        ("Scenario/CreateVehicleSpawnPoint", "config.end_link_info.waypoint_idx"),
    ],
)
def test_a_field_that_is_ignored_is_found(name, ignored):
    (method,) = (method for method in METHODS if key_of(method) == name)
    (path,) = (path for path in leaves_of(method.request.DESCRIPTOR) if name_of(path) == ignored)
    tries = tries_of(method)
    for play, request in tries:
        play.procedure = lambda _, at, procedure=play.procedure, request=request: procedure(request, at)
    assert noticed(method, path, tries, explored(method)) is Notice.NOTHING
