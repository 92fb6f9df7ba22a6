"""Faults of controls, tyres and sensors, in both APIs."""

import math

import pytest

from dorosim.world.actor.command import CreateNamed
from dorosim.world.fault.code import FaultTarget
from dorosim.world.mount.command import AddSensor, RemoveSensor
from dorosim.world.mount.setting import GpsSettings, ImuSettings
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import CreateVehicle
from tests.bridge.grpc.stage import GrpcStage

CAR = "2015_Kia_K5"
OTHER, NPC = 2, 3
OFFSETS = {
    "local_position_offset": {"x": 0.1, "y": 0.2, "z": 0.3},
    "local_rotation_offset": {"x": 10.0, "y": 20.0, "z": 30.0},
}


@pytest.fixture
def stage() -> GrpcStage:
    """The ego vehicle, another one called "two" with sensor 1, and an NPC vehicle with sensor 2."""
    stage = GrpcStage()
    stage.apply(
        CreateNamed(CreateVehicle(model=CAR, position=(50.0, 60.0, 0.0)), "two"),
        CreateNpc(model=CAR, link=0, s=30.0),
        AddSensor(actor=OTHER, settings=GpsSettings(), position=(0.0, 0.0, 1.0)),
        AddSensor(actor=NPC, settings=ImuSettings(), position=(0.0, 0.0, 1.0)),
    )
    return stage


def rows(stage) -> list[tuple[int, FaultTarget, int, int]]:
    """Actor, target, place and subclass of each fault."""
    fault = stage.now.fault
    columns = (fault.actor, fault.target, fault.place, fault.subclass)
    return [(actor, FaultTarget(target), place, kind) for actor, target, place, kind in zip(*columns, strict=True)]


def inject(stage, api: str, target: str, vehicle: str, **fault):
    """Ask for one fault; whether it is done, and what is told of it."""
    if api == "standard":
        kind = ("control", "tire", "sensor").index(target)
        answer = stage.ask(
            "Actor/SetVehicleFaultInjection", actor_info={"id": {"value": vehicle}}, type=kind, **{target: [fault]}
        )
        return bool(answer.status), answer.description
    name = {"control": "SetFaultStatusOnCtrl", "tire": "SetFaultStatusOnTire", "sensor": "SetFaultStatusOnSensor"}
    (answer,) = stage.ask(name[target], req_list=[{"unique_id": vehicle, **fault}]).res_list
    assert answer.actor_name == vehicle
    return answer.result, "" if answer.result else answer.display_name


BOTH = pytest.mark.parametrize("api", ["documented", "standard"])


@BOTH
@pytest.mark.parametrize(("vehicle", "actor"), [("Ego", EGO), ("two", OTHER), ("2", OTHER)])
@pytest.mark.parametrize("location", [2, 3, 4])
def test_a_control_of_a_vehicle_fails(stage, api, vehicle, actor, location):
    fault = {"fault_location": location, "fault_class": 2, "fault_subclass": 203}
    assert inject(stage, api, "control", vehicle, **fault) == (True, "")
    assert rows(stage) == [(actor, FaultTarget.CONTROL, location, 203)]


@BOTH
@pytest.mark.parametrize("tire", range(4))
def test_a_tyre_fails(stage, api, tire):
    fault = {"tire_index": tire, "fault_class": 3, "fault_subclass": 301}
    assert inject(stage, api, "tire", "Ego", **fault) == (True, "")
    assert rows(stage) == [(EGO, FaultTarget.TIRE, tire, 301)]


@BOTH
@pytest.mark.parametrize(("vehicle", "actor", "sensor"), [("two", OTHER, 1), ("3", NPC, 2), ("", NPC, 2)])
def test_a_sensor_fails_and_is_displaced(stage, api, vehicle, actor, sensor):
    fault = {"sensor_id": str(sensor), "fault_class": 2, "fault_subclass": 206, **OFFSETS}
    assert inject(stage, api, "sensor", vehicle, **fault) == (True, "")
    assert rows(stage) == [(actor, FaultTarget.SENSOR, sensor, 206)]
    assert stage.now.fault.position_offset[:, 0].tolist() == [0.1, 0.2, 0.3]
    turn = [math.radians(angle) for angle in (10.0, 20.0, 30.0)]
    assert stage.now.fault.rotation_offset[:, 0].tolist() == pytest.approx(turn)


def test_a_new_sensor_is_sound_whatever_number_it_gets(stage):
    for vehicle, sensor in (("two", "1"), ("3", "2")):
        inject(stage, "documented", "sensor", vehicle, sensor_id=sensor, fault_class=2, fault_subclass=206)
    inject(stage, "documented", "tire", "Ego", tire_index=2, fault_class=3, fault_subclass=301)
    made = stage.apply(RemoveSensor(2), AddSensor(actor=NPC, settings=ImuSettings())).outcomes[1].actor
    assert made == 2
    assert rows(stage) == [(EGO, FaultTarget.TIRE, 2, 301), (OTHER, FaultTarget.SENSOR, 1, 206)]


@BOTH
def test_class_and_subclass_0_clear_the_place(stage, api):
    for tire in (0, 1):
        inject(stage, api, "tire", "Ego", tire_index=tire, fault_class=3, fault_subclass=301)
    assert inject(stage, api, "tire", "Ego", tire_index=0) == (True, "")
    assert rows(stage) == [(EGO, FaultTarget.TIRE, 1, 301)]


@BOTH
@pytest.mark.parametrize(
    ("target", "vehicle", "fault", "problem"),
    [
        ("control", "nobody", {"fault_location": 2}, "no vehicle 'nobody'"),
        ("control", "", {"fault_location": 2}, "no vehicle ''"),
        ("control", "3", {"fault_location": 2}, "'3' is a npc; only ego vehicles"),
        ("control", "Ego", {"fault_class": 1, "fault_subclass": 101}, "no control has the number 0"),
        ("control", "Ego", {"fault_location": 2, "fault_class": 1, "fault_subclass": 203}, "not of class 1"),
        ("tire", "Ego", {"tire_index": 4}, "no tyre has the index 4"),
        ("tire", "Ego", {"fault_class": 1, "fault_subclass": 101}, "a tire has no fault 101"),
        ("sensor", "two", {"sensor_id": "2"}, "'two' has no sensor '2'; it has 1"),
        ("sensor", "Ego", {"sensor_id": "one"}, "'Ego' has no sensor 'one'; it has none"),
        ("sensor", "nobody", {"sensor_id": "1"}, "no vehicle 'nobody'"),
        ("sensor", "", {"sensor_id": "9"}, "no vehicle ''"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(stage, api, target, vehicle, fault, problem):
    done, told = inject(stage, api, target, vehicle, **fault)
    assert not done
    assert problem in told
    assert rows(stage) == []


def test_faults_of_a_list_are_done_one_by_one(stage):
    puncture = {"unique_id": "Ego", "fault_class": 3, "fault_subclass": 301}
    answers = stage.ask("SetFaultStatusOnTire", req_list=[{**puncture, "tire_index": at} for at in (9, 1, 2)]).res_list
    assert [one.result for one in answers] == [False, True, True]
    answer = stage.ask(
        "Actor/SetVehicleFaultInjection",
        actor_info={"id": {"value": "two"}, "object_type": 1},
        type=1,
        tire=[{"tire_index": at, "fault_class": 3, "fault_subclass": 302} for at in (0, 7)],
    )
    assert answer.status == 0
    assert answer.description.startswith("[1] ")
    assert "no tyre has the index 7" in answer.description
    assert rows(stage) == [
        (EGO, FaultTarget.TIRE, 1, 301),
        (EGO, FaultTarget.TIRE, 2, 301),
        (OTHER, FaultTarget.TIRE, 0, 302),
    ]


def test_the_type_picks_the_list_that_counts(stage):
    lists = {
        "control": [{"fault_location": 3, "fault_class": 1, "fault_subclass": 102}],
        "tire": [{"tire_index": 3, "fault_class": 3, "fault_subclass": 301}],
    }
    ego = {"id": {"value": "Ego"}}
    assert stage.ask("Actor/SetVehicleFaultInjection", actor_info=ego, type=0, **lists).status == 1
    assert rows(stage) == [(EGO, FaultTarget.CONTROL, 3, 102)]
    answer = stage.ask("Actor/SetVehicleFaultInjection", actor_info=ego, type=2, **lists)
    assert answer.status == 0
    assert "the list sensor is empty" in answer.description


def test_empty_lists_and_other_kinds_are_told(stage):
    for name in ("SetFaultStatusOnCtrl", "SetFaultStatusOnTire", "SetFaultStatusOnSensor"):
        (answer,) = stage.ask(name).res_list
        assert not answer.result
        assert "empty" in answer.display_name
    person = {"id": {"value": "Ego"}, "object_type": 2}
    answer = stage.ask("Actor/SetVehicleFaultInjection", actor_info=person, type=1, tire=[{}])
    assert answer.status == 0
    assert "is not that of a vehicle" in answer.description
