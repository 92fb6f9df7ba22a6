"""Faults over ROS, by service and by topic."""

from __future__ import annotations

import math

import pytest

from dorosim.world.fault.code import FaultTarget
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import GpsSettings, ImuSettings
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import CreateVehicle
from tests.bridge.ros.stage import RosStage

CAR = "2015_Kia_K5"
OTHER = 2
KINDS = {"control": {"fault_location": 3}, "tire": {"tire_index": 2}, "sensor": {"sensor_id": 1}}
CODES = {"control": (2, 203), "tire": (3, 301), "sensor": (1, 102)}
TARGETS = {"control": (FaultTarget.CONTROL, 3), "tire": (FaultTarget.TIRE, 2), "sensor": (FaultTarget.SENSOR, 1)}
EACH = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture
def stage() -> RosStage:
    """The ego vehicle with sensor 1, and another one with sensor 2."""
    stage = RosStage()
    stage.apply(
        CreateVehicle(model=CAR, position=(50.0, 60.0, 0.0)),
        AddSensor(actor=EGO, settings=GpsSettings()),
        AddSensor(actor=OTHER, settings=ImuSettings()),
    )
    return stage


def rows(stage) -> list[tuple[int, FaultTarget, int, int]]:
    """Actor, target, place and subclass of each fault."""
    fault = stage.now.fault
    columns = (fault.actor, fault.target, fault.place, fault.subclass)
    return [(actor, FaultTarget(target), place, kind) for actor, target, place, kind in zip(*columns, strict=True)]


def request(kind: str, **more) -> dict:
    major, minor = CODES[kind]
    return {"unique_id": EGO, "fault_class": major, "fault_subclass": minor, **KINDS[kind], **more}


@EACH
def test_a_fault_is_set_and_cleared_by_service(stage, kind):
    told = stage.call(f"set_fault_{kind}", **request(kind))
    assert (told.result, told.unique_id) == (True, EGO)
    assert rows(stage) == [(EGO, *TARGETS[kind], CODES[kind][1])]
    told = stage.call(f"set_fault_{kind}", **request(kind, fault_class=0, fault_subclass=0))
    assert (told.result, rows(stage)) == (True, [])


@EACH
def test_a_fault_is_set_by_topic_on_the_vehicle_that_is_named(stage, kind):
    more = {"sensor_id": 2} if kind == "sensor" else {}
    assert stage.send(f"fault_{kind}", **request(kind, unique_id=OTHER, **more)) == []
    ((actor, target, place, code),) = rows(stage)
    assert (actor, target, code) == (OTHER, TARGETS[kind][0], CODES[kind][1])
    assert place == (2 if kind == "sensor" else TARGETS[kind][1])


@EACH
def test_0_is_the_ego_vehicle(stage, kind):
    assert stage.call(f"set_fault_{kind}", **request(kind, unique_id=0)).unique_id == EGO
    assert rows(stage)[0][0] == EGO


@EACH
@pytest.mark.parametrize(
    "wrong",
    [{"unique_id": 77}, {"unique_id": -5}, {"fault_class": 1, "fault_subclass": 203}, {"fault_subclass": 999}],
)
def test_what_cannot_be_at_fault_is_told(stage, kind, wrong):
    told = stage.call(f"set_fault_{kind}", **request(kind, **wrong))
    assert told.result is False
    assert rows(stage) == []
    ((sort, text, _),) = stage.around.told
    assert sort == "refused"
    assert len(text) > 20
    assert len(stage.send(f"fault_{kind}", **request(kind, **wrong))) == 1


@pytest.mark.parametrize(
    ("kind", "wrong"), [("control", {"fault_location": 1}), ("tire", {"tire_index": 4}), ("sensor", {"sensor_id": 2})]
)
def test_parts_that_are_not_there_are_told(stage, kind, wrong):
    assert stage.call(f"set_fault_{kind}", **request(kind, **wrong)).result is False
    assert rows(stage) == []


def test_a_sensor_is_displaced_in_metres_and_degrees(stage):
    moved = {"local_position_offset": stage.vector(0.1, 0.2, 0.3), "local_rotation_offset": stage.vector(10, 20, 30)}
    assert stage.call("set_fault_sensor", **request("sensor", **moved)).result is True
    fault = stage.now.fault
    assert fault.position_offset[:, 0].tolist() == pytest.approx([0.1, 0.2, 0.3])
    assert [math.degrees(one) for one in fault.rotation_offset[:, 0]] == pytest.approx([10.0, 20.0, 30.0])


@pytest.mark.parametrize("field", ["local_position_offset", "local_rotation_offset"])
@pytest.mark.parametrize("value", [math.nan, 1e9])
def test_a_displacement_that_is_none_is_refused(stage, field, value):
    (told,) = stage.send("fault_sensor", **request("sensor", **{field: stage.vector(0.0, value, 0.0)}))
    assert f"FaultInjection_Sensor.{field}.y" in told
    assert rows(stage) == []


def test_all_faults_of_the_ego_vehicle_are_told(stage):
    stage.call("set_fault_control", **request("control", fault_location=2))
    stage.call("set_fault_control", **request("control", fault_location=2, fault_class=1, fault_subclass=102))
    stage.call("set_fault_control", **request("control", fault_location=4, fault_subclass=204))
    stage.call("set_fault_tire", **request("tire"))
    answer = stage.call("set_fault_sensor", **request("sensor"))
    stage.call("set_fault_tire", **request("tire", unique_id=OTHER, tire_index=0))
    for told in (stage.told("fault_status"), answer):
        assert told.unique_id == EGO
        found = [told.vehicle.accel, told.vehicle.brake, told.vehicle.steer, *told.vehicle.tires]
        assert [one.status for one in found] == [True, False, True, False, False, True, False]
        assert [one.fault_subclass.tolist() for one in found] == [[102, 203], [], [204], [], [], [301], []]
        (sensor,) = told.sensors
        assert (sensor.sensor_id, sensor.sensor.status, sensor.sensor.fault_subclass.tolist()) == (1, True, [102])


def test_a_sound_vehicle_has_no_faults(stage):
    told = stage.told("fault_status")
    assert not any((told.vehicle.accel.status, told.vehicle.steer.status, *(one.status for one in told.vehicle.tires)))
    assert len(told.vehicle.tires) == 4
