"""Ego and multi-ego vehicles by the documented API: each field has its effect."""

from __future__ import annotations

import json
import math

import pytest

from dorosim.bridge.situation import GrpcForm
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.actor.command import CreateNamed, PauseRun
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.vehicle.command import SelectMode
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear, TurnLamp
from dorosim.world.waypoint import Waypoint
from tests.bridge.grpc.stage import GrpcStage

CAR = "2016_Hyundai_Ioniq"
ON_LANE = ((CAR, (20.0, 0.0, 0.0), 0.0),)


@pytest.fixture
def stage() -> GrpcStage:
    return GrpcStage(egos=ON_LANE)


def told(answer) -> dict:
    """What a ServiceResponse says."""
    return json.loads(answer.msg)


def create(stage: GrpcStage, name: str = "second", **fields):
    """A further ego vehicle."""
    one = {"unique_id": name, "vehicleName": CAR, "position": {"x": 60.0}, "pause": True, **fields}
    return stage.ask("SendCreateMultiEgoVehicle", service_name="s", req_list=[one]).res_list[0]


@pytest.mark.parametrize(
    ("code", "kind"),
    [(0, ControlKind.PEDALS), (1, ControlKind.PEDALS), (2, ControlKind.VELOCITY), (3, ControlKind.ACCELERATION)],
)
def test_a_control_command_drives_the_ego_in_si_units(stage, code, kind):
    answer = stage.ask(
        "SetEgoCtrlCmd", longCmdType=code, accel=0.3, brake=0.2, steering=-0.1, velocity=36.0, acceleration=1.5
    )
    vehicle = stage.now.vehicle
    assert vehicle.control_kind[0] == kind
    assert vehicle.target_accelerator[0] == 0.3
    assert vehicle.target_brake[0] == 0.2
    assert vehicle.target_steer[0] == -0.1
    assert vehicle.target_velocity[0] == pytest.approx(10.0)
    assert vehicle.target_acceleration[0] == 1.5
    assert answer.service_name == "/morai_msgs/EgoCtrlCmd"
    assert told(answer) == {"success": True, "description": ""}


def test_an_unknown_type_of_control_and_another_mode_are_told(stage):
    assert "longCmdType 9" in told(stage.ask("SetEgoCtrlCmd", longCmdType=9))["description"]
    stage.apply(SelectMode(EGO, ControlMode.CRUISE))
    answer = told(stage.ask("SetEgoCtrlCmd", longCmdType=1))
    assert not answer["success"]
    assert "cruise mode" in answer["description"]


def test_answers_within_answers_may_be_binary(stage):
    stage.form = GrpcForm(json=False)
    result = message_class("morai_msgs.Result").FromString(stage.ask("SetEgoCtrlCmd", longCmdType=1).msg)
    assert result.success


def test_the_ego_is_set_with_all_that_belongs_to_it(stage):
    answer = stage.ask(
        "SetEgo",
        position={"x": 30.0, "y": 0.5, "z": 0.0},
        rotation={"z": 90.0},
        velocity=18.0,
        cruise_settings={"cruise_on": True, "cruise_type": "LINK", "link_speed_ratio": 80},
        pause=True,
    )
    assert answer.success
    vehicle = stage.now.vehicle
    assert (vehicle.x[0], vehicle.y[0]) == (30.0, 0.5)
    assert vehicle.yaw[0] == pytest.approx(math.pi / 2)
    assert vehicle.velocity_x[0] == pytest.approx(5.0)
    assert vehicle.control_mode[0] == ControlMode.CRUISE
    assert vehicle.cruise_ratio[0] == pytest.approx(0.8)
    assert vehicle.paused[0] == 1
    assert stage.ask("SetEgo", velocity=0.0).success
    vehicle = stage.now.vehicle
    assert (vehicle.x[0], vehicle.yaw[0]) == (30.0, pytest.approx(math.pi / 2))
    assert vehicle.control_mode[0] == ControlMode.CRUISE
    assert vehicle.paused[0] == 0


def test_the_ego_cruises_at_a_ratio_or_a_speed_and_stops_to_do_so(stage):
    stage.ask("SendEgoCruiseCtrl", cruise_on=True, cruise_type="CONSTANT", constant_velocity=36.0)
    vehicle = stage.now.vehicle
    assert vehicle.control_mode[0] == ControlMode.CRUISE
    assert (vehicle.cruise_ratio[0], vehicle.cruise_speed[0]) == (0.0, pytest.approx(10.0))
    stage.ask("SendEgoCruiseCtrl", cruise_on=True, cruise_type="LINK", link_speed_ratio=50)
    assert stage.now.vehicle.cruise_ratio[0] == 0.5
    stage.ask("SendEgoCruiseCtrl", cruise_on=False)
    assert stage.now.vehicle.control_mode[0] == ControlMode.AUTO
    with pytest.raises(InputError, match="cruise type 3"):
        stage.ask("SendEgoCruiseCtrl", cruise_on=True, cruise_type="_End")


def test_a_further_ego_is_created_as_asked(stage):
    answer = create(stage, rotation={"z": 45.0}, velocity=36.0)
    assert (answer.result, answer.actor_name, answer.display_name) == (True, "second", "second")
    vehicle = stage.now.vehicle
    assert stage.now.egos == (EGO, 2)
    assert vehicle.x[1] == 60.0
    assert vehicle.yaw[1] == pytest.approx(math.pi / 4)
    assert vehicle.velocity_x[1] == pytest.approx(10.0)
    assert stage.scene.models[vehicle.model[1]].name == CAR


def test_an_id_that_is_taken_gets_another_and_a_wrong_model_a_reason(stage):
    create(stage)
    again = create(stage, position={"x": 90.0})
    assert (again.result, again.actor_name, again.display_name) == (True, "second", "3")
    wrong = create(stage, "fourth", vehicleName="")
    assert not wrong.result
    assert "no vehicle is called ''" in wrong.display_name
    assert len(stage.now.egos) == 3


def test_users_are_told_of_a_model_that_stands_for_another(stage):
    assert create(stage, vehicleName="no such car").result
    assert stage.scene.models[stage.now.vehicle.model[1]].category == "sedan"
    assert stage.around.told == [("stand-in", "there is no vehicle 'no such car'; '2015_Kia_K5' stands for it", ())]


def test_creating_a_vehicle_lets_the_run_go_on_unless_it_is_to_stay_paused(stage):
    stage.apply(PauseRun(paused=True))
    create(stage, pause=True)
    assert stage.now.paused
    create(stage, "third", pause=False, position={"x": 90.0})
    assert not stage.now.paused


def test_each_of_several_egos_is_driven_by_its_id(stage):
    create(stage)
    command = {"longCmdType": 2, "velocity": 36.0, "accel": 0.1, "brake": 0.2, "steering": 0.3, "acceleration": 0.4}
    answer = stage.ask(
        "SendMultiEgoCtrlCmd",
        service_name="mine",
        multi_ego_ctrl_cmd=[{"unique_id": "nobody", **command}, {"unique_id": "second", **command}],
    )
    vehicle = stage.now.vehicle
    assert vehicle.target_velocity.tolist() == [0.0, pytest.approx(10.0)]
    assert (vehicle.target_accelerator[1], vehicle.target_brake[1]) == (0.1, 0.2)
    assert (vehicle.target_steer[1], vehicle.target_acceleration[1]) == (0.3, 0.4)
    assert answer.service_name == "mine"
    assert not told(answer)["success"]
    assert told(answer)["description"] == "'nobody': there is no vehicle 'nobody'; the other 1 are done"


def test_events_of_egos(stage):
    create(stage)
    everything = {"option": 15, "ctrl_mode": 4, "gear": 2, "turn_signal": 1, "emergency_signal": 1, "set_pause": True}
    answer = stage.ask(
        "SendMultiEgoEventCmd",
        service_name="mine",
        cmd_list=[{"unique_id": "second", **everything}, {"unique_id": "x", **everything}, {"unique_id": "Ego"}],
    )
    vehicle = stage.now.vehicle
    assert vehicle.control_mode.tolist() == [ControlMode.AUTO, ControlMode.CRUISE]
    assert vehicle.gear.tolist() == [Gear.D, Gear.R]
    assert vehicle.turn_lamp.tolist() == [TurnLamp.OFF, TurnLamp.LEFT]
    assert vehicle.emergency_lamp.tolist() == [0, 1]
    assert stage.now.paused
    assert "'x': there is no vehicle 'x'" in answer.service_name
    assert "'Ego': event: option 0 is not a sum" in answer.service_name
    first, second, third = answer.res_list
    assert (first.unique_id, first.ctrl_mode, first.gear, first.turn_signal) == ("second", 4, 2, 1)
    assert (first.emergency_signal, first.set_pause) == (1, True)
    assert (second.unique_id, second.ctrl_mode) == ("x", 0)
    assert (third.unique_id, third.ctrl_mode, third.gear) == ("Ego", 3, 4)
    gear = {"unique_id": "second", **everything, "option": 2, "gear": 4}
    assert stage.ask("SendMultiEgoEventCmd", service_name="mine", cmd_list=[gear]).service_name == "mine"
    assert stage.now.vehicle.gear[1] == Gear.D


def test_egos_are_removed_all_or_one(stage):
    create(stage)
    create(stage, "third", position={"x": 90.0})
    create(stage, "fourth", position={"x": 120.0})
    stage.ask("SendDeleteTargetMultiEgoVehicle", unique_id="third")
    assert stage.now.egos == (EGO, 2, 4)
    for wrong in ("third", "Ego", ""):
        with pytest.raises(InputError):
            stage.ask("SendDeleteTargetMultiEgoVehicle", unique_id=wrong)
    assert told(stage.ask("SendDeleteMultiEgoVehicle", req_delete=False))["success"]
    assert len(stage.now.egos) == 3
    assert told(stage.ask("SendDeleteMultiEgoVehicle", req_delete=True))["description"] == "2 vehicles are removed"
    assert stage.now.egos == (EGO,)


def test_vehicles_are_paused_by_id_and_type(stage):
    create(stage)
    answer = stage.ask(
        "ObjectPause",
        req_list=[
            {"unique_id": "", "obj_type": "EGO", "set_pause": True},
            {"unique_id": "second", "obj_type": "MULTIEGO", "set_pause": True},
            {"unique_id": "second", "obj_type": "EGO", "set_pause": False},
            {"unique_id": "7", "set_pause": True},
        ],
    )
    assert stage.now.vehicle.paused.tolist() == [1, 1]
    assert not answer.success
    assert "its type is MULTIEGO" in answer.description
    assert "there is no object '7'" in answer.description
    assert stage.ask("ObjectPause", req_list=[{"unique_id": "second", "set_pause": False}]).success
    assert stage.now.vehicle.paused.tolist() == [1, 0]
    assert not stage.ask("ObjectPause").success


def test_what_moves_by_itself_is_paused_whatever_it_is(stage):
    """NPC vehicles, people and obstacles stand while they are paused, and go on after it."""
    stage.apply(
        CreateNamed(CreateNpc(model=CAR, link=0, s=60.0, speed=5.0), "npc"),
        CreateNamed(SpawnPedestrian(0, 0, (30.0, 9.0, 0.0), 0.0, move_distance=50.0, start=True), "person"),
        CreateNamed(SpawnObstacle(0, 1, (70.0, -8.0, 0.0), way=(Waypoint(90.0, -8.0, 0.0),), move_speed=2.0), "cart"),
        PlaceNpcGhost(7, CAR, (80.0, 20.0, 0.0), (0.0, 0.0, 0.5)),
    )

    def places() -> list[float]:
        now = stage.now
        return [float(table.x[0]) for table in (now.traffic, now.people.state, now.obstacles.state)]

    def pause(on: bool, whose: int = 0, *names: str):
        entries = [{"unique_id": name, "obj_type": whose, "set_pause": on} for name in names or NAMES]
        return stage.ask("ObjectPause", req_list=entries)

    assert pause(True).success
    stage.ticks(5)
    before = places()
    stage.ticks(50)
    assert places() == before
    assert pause(False, 2).success, "the document has types of ego vehicles alone, and others have none"
    stage.ticks(200)
    assert all(after > 0.2 + there for there, after in zip(before, places(), strict=True))
    assert "there is no object 'nobody'" in pause(True, 0, "nobody").description
    assert "placed from outside" in pause(True, 0, "5").description
    assert "type 3" in pause(True, 3, "npc").description


NAMES = ("npc", "person", "cart")


def test_the_type_of_a_vehicle_that_is_placed_from_outside_is_not_of_the_document(stage):
    """longCmdType 4 is one of the Standard API."""
    create(stage)
    answer = told(stage.ask("SetEgoCtrlCmd", longCmdType=4, velocity=30.0))
    assert not answer["success"]
    assert "longCmdType 4" in answer["description"]
    entries = [{"unique_id": name, "longCmdType": 4} for name in ("Ego", "second")]
    assert "longCmdType 4" in told(stage.ask("SendMultiEgoCtrlCmd", multi_ego_ctrl_cmd=entries))["description"]
    assert stage.now.vehicle.control_mode.tolist() == [ControlMode.AUTO] * 2


def test_an_npc_vehicle_is_no_ego(stage):
    npc = stage.apply(CreateNpc(model=CAR, link=0, s=60.0)).outcomes[0].actor
    answer = stage.ask("SendMultiEgoCtrlCmd", multi_ego_ctrl_cmd=[{"unique_id": str(npc), "longCmdType": 1}])
    assert "is not an ego vehicle but an NPC vehicle" in told(answer)["description"]
