"""Starting, stopping, stepping and recording runs, scenario files, and the simulator itself."""

import json
import math

import pytest

from dorosim.bridge.host import RecordStatus, StartOrder
from dorosim.bridge.run import NotNowError
from dorosim.bridge.scenario import Loading
from dorosim.ground.error import InputError
from dorosim.scenario.load import LoadOptions
from dorosim.world.actor.command import CreateNamed, PauseRun, SetLabel
from dorosim.world.environment.command import SetTimeOfDay, SetWeather
from dorosim.world.environment.weather import WeatherKind
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import CreateVehicle, DriveVehicle, SelectMode, SetCruise, TakeKeyboard
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from tests.bridge.grpc.stage import GrpcStage

START, STOP = "Simulation/Start", "Simulation/Stop"


@pytest.fixture
def stage() -> GrpcStage:
    return GrpcStage()


def ordered(stage: GrpcStage, **fields) -> StartOrder:
    """What a start asks of the program."""
    answer = stage.ask(START, **fields)
    assert answer.status == 1, answer.description
    (what, order), stage.around.asked = stage.around.asked[-1], []
    assert what == "start"
    return order


def test_a_start_asks_for_map_and_vehicle_and_tells_the_ego_vehicles_id(stage):
    answer = stage.ask(START, map_and_vehicle={"map_name": "there", "ego_vehicle_model": "2015_Kia_K5"})
    assert (answer.status, answer.description, answer.custom_message) == (1, "there", "Ego")
    assert stage.around.asked == [("start", StartOrder(map_name="there", vehicle="2015_Kia_K5"))]


def test_a_start_that_cannot_be_says_why(stage):
    stage.around.problem = "there is no such map"
    answer = stage.ask(START, map_and_vehicle={"map_name": "nowhere"})
    assert answer.status == 0
    assert "no such map" in answer.description


def test_a_start_puts_the_ego_vehicle_where_it_is_told_to(stage):
    place = {"location": {"x": 1.5, "y": -2.0, "z": 3.0}, "rotation": {"z": 90.0}}
    order = ordered(stage, ego_transform=place)
    assert order.position == (1.5, -2.0, 3.0)
    assert order.heading == pytest.approx(math.pi / 2)
    assert ordered(stage).position is None


@pytest.mark.parametrize(
    ("fields", "label"),
    [
        ({"ego_setting": {"ego_id": "Ego", "label": "mine", "client_key": "me"}}, SetLabel(EGO, "mine", "me")),
        ({"ego_setting": {"label": "mine"}, "client_key": "all"}, SetLabel(EGO, "mine", "all")),
        ({"ego_setting": {"label": "Ego", "client_key": "me"}, "client_key": "all"}, SetLabel(EGO, "", "me")),
    ],
)
def test_a_start_says_who_the_ego_vehicle_is_and_whose(stage, fields, label):
    assert ordered(stage, **fields).commands == (label,)
    assert ordered(stage).commands == ()


def test_the_ego_vehicle_is_called_ego(stage):
    answer = stage.ask(START, ego_setting={"ego_id": "somebody"})
    assert answer.status == 0
    assert "'Ego'" in answer.description
    assert stage.around.asked == []


@pytest.mark.parametrize(
    ("cruise", "speed"),
    [
        ({"cruise_type": 1, "link_speed_ratio": 80, "constant_velocity": 9.0}, (SetCruise(EGO, ratio=0.8),)),
        ({"cruise_type": 2, "link_speed_ratio": 80, "constant_velocity": 36.0}, (SetCruise(EGO, speed=10.0),)),
        ({}, ()),
    ],
)
def test_a_start_lets_the_ego_vehicle_cruise(stage, cruise, speed):
    order = ordered(stage, ego_cruise_setting={"cruise_on": True, **cruise})
    assert order.commands == (*speed, SelectMode(EGO, mode=ControlMode.CRUISE))
    assert ordered(stage, ego_cruise_setting={"cruise_on": False, **cruise}).commands == ()


def test_a_start_lets_nobody_else_cruise(stage):
    answer = stage.ask(START, ego_cruise_setting={"cruise_on": True, "actor_info": {"id": {"value": "7"}}})
    assert answer.status == 0


@pytest.mark.parametrize(
    ("mode", "frame"),
    [
        ({}, None),
        ({"type": 1}, 0),
        ({"type": 2}, 20_000_000),
        ({"type": 2, "tick_period": 50}, 50_000_000),
        ({"type": 2, "tick_period": -1}, -1_000_000),
    ],
)
def test_a_start_says_who_moves_the_time_on(stage, mode, frame):
    assert ordered(stage, mode=mode).frame == frame


def test_a_start_loads_files(stage):
    files = {"morai_scenario_filename": "rush hour", "sensor_setting_filename": "two cameras"}
    order = ordered(stage, simulation_settings=files)
    assert (order.scenario, order.sensors) == ("rush hour", "two cameras")


@pytest.mark.parametrize("key", ["", "me"])
def test_a_stop_of_the_owner_ends_the_run(stage, key):
    stage.apply(SetLabel(EGO, "", "me"))
    stage.around.synchronous = True
    assert stage.ask(STOP, value=key).status == 1
    assert stage.around.asked == [("release",), ("restart", (PauseRun(paused=True),))]


def test_a_stop_of_another_client_takes_away_what_is_his(stage):
    stage.apply(SetLabel(EGO, "", "me"))
    his, mine = (CreateVehicle(model="2015_Kia_K5", position=(x, 400.0, 0.0)) for x in (0.0, 20.0))
    stage.apply(CreateNamed(his, "his", "him"), CreateNamed(mine, "mine", "me"))
    assert stage.ask(STOP, value="him").status == 1
    assert stage.around.asked == []
    assert len(stage.now.egos) == 2
    answer = stage.ask(STOP, value="nobody")
    assert answer.status == 0
    assert "'nobody'" in answer.description


def test_a_stop_by_an_unknown_key_does_not_end_a_run_without_an_owner(stage):
    answer = stage.ask(STOP, value="typo")
    assert answer.status == 0
    assert "nothing belongs to 'typo'" in answer.description
    assert stage.around.asked == []


def test_the_mode_of_time_is_set_and_told(stage):
    assert stage.ask("Simulation/GetSynchronousMode").type == 1
    assert stage.ask("Simulation/SetSynchronousMode", type=2, tick_period=40).status == 1
    told = stage.ask("Simulation/GetSynchronousMode")
    assert (told.type, told.tick_period) == (2, 40)
    stage.ask("Simulation/SetSynchronousMode", type=2)
    assert stage.around.frame == 20_000_000
    stage.ask("Simulation/SetSynchronousMode", type=1)
    assert stage.around.asked[-1] == ("release",)
    assert stage.ask("Simulation/SetSynchronousMode", type=3).status == 0
    stage.around.problem = "no multiple of the tick"
    assert stage.ask("Simulation/SetSynchronousMode", type=2, tick_period=7).status == 0


def test_a_mode_of_time_that_is_not_set_is_not_synchronous(stage):
    stage.ask("Simulation/SetSynchronousMode", type=2, tick_period=40)
    assert stage.ask("Simulation/SetSynchronousMode").status == 1
    assert stage.around.asked[-1] == ("release",)
    assert stage.ask("Simulation/GetSynchronousMode").type == 1


def test_clients_who_step_the_run_get_what_somebody_drives_by_keys(stage):
    drive = DriveVehicle(EGO, ControlKind.PEDALS, brake=1.0)
    for frames, seized in ((1, 1), (2, 0)):
        stage.apply(TakeKeyboard(EGO))
        assert stage.ask("Simulation/SetSynchronousMode", type=frames).status == 1
        assert stage.now.vehicle.seized[0] == seized
    assert stage.now.vehicle.control_mode[0] == ControlMode.AUTO
    stage.apply(drive)
    assert stage.now.vehicle.control_kind[0] == ControlKind.PEDALS


def test_ticks_let_frames_pass_for_the_client_that_asks(stage):
    stage.around.synchronise(50_000_000)
    answer = stage.ask("Simulation/Tick", value=3)
    assert (answer.frame_count, answer.elapsed_time) == (3, 150)
    assert stage.around.asked[-1] == ("step", stage.client, 3, stage.form.timeout)
    assert stage.ask("Simulation/WaitForTick").value == 3
    assert stage.around.asked[-1] == ("wait", stage.form.timeout)
    assert stage.ask("Simulation/Tick").frame_count == 0
    with pytest.raises(InputError):
        stage.ask("Simulation/Tick", value=-1)


def test_ticks_that_cannot_be_say_why(stage):
    with pytest.raises(NotNowError, match="SetSynchronousMode"):
        stage.ask("Simulation/Tick", value=1)
    with pytest.raises(NotNowError, match="no client let time go on"):
        stage.ask("Simulation/WaitForTick")
    stage.around.synchronise(20_000_000)
    stage.ask("Pause")
    for name in ("Simulation/Tick", "Simulation/WaitForTick"):
        with pytest.raises(NotNowError, match="paused"):
            stage.ask(name, **({"value": 1} if name.endswith("/Tick") else {}))


def test_recordings_begin_and_end(stage):
    status = "Simulation/GetResimRecordStatus"
    assert stage.ask(status).status == 0
    assert stage.ask("Simulation/SetResimRecordMode", status=1, filepath="lap").description == "lap"
    assert stage.ask(status).status == 1
    assert stage.ask("Simulation/SetResimRecordMode", status=2).description == "lap"
    stage.around.recording = RecordStatus(name="lap", ticks=10)
    assert stage.ask(status).status == 2
    assert stage.ask("Simulation/SetResimRecordMode", status=2).status == 1
    stage.around.recording = RecordStatus()
    assert "nothing" in stage.ask("Simulation/SetResimRecordMode", status=2).description
    assert stage.ask("Simulation/SetResimRecordMode").status == 0


def test_a_replay_is_prepared_in_all_weathers_and_at_all_times(stage):
    wanted = {"weather_list": ["rainy", "WEATHER_TYPE_SNOWY"], "time_list": [0, 23]}
    answer = stage.ask("Simulation/ResimReplayInit", resim_file_Path="lap", **wanted)
    assert answer.description == "lap: frames 0 to 100"
    rain, snow, night, evening = (
        SetWeather(WeatherKind.RAINY),
        SetWeather(WeatherKind.SNOWY),
        SetTimeOfDay(0.0),
        SetTimeOfDay(23 * 3600.0),
    )
    takes = ((rain, night), (rain, evening), (snow, night), (snow, evening))
    assert stage.around.asked == [("load", "lap", takes)]
    stage.ask("Simulation/ResimReplayInit", resim_file_Path="lap")
    assert stage.around.asked[-1] == ("load", "lap", ((),))
    for wrong in ({"weather_list": ["hail"]}, {"time_list": [24]}):
        assert stage.ask("Simulation/ResimReplayInit", resim_file_Path="lap", **wrong).status == 0


def test_a_replay_is_started_in_parts_and_told_of(stage):
    stage.ask("Simulation/AddResimReplayRange", start=5, end=9)
    stage.ask("Simulation/ResimReplayStart")
    assert stage.around.asked == [("add_span", 5, 9), ("play",)]
    for status, code in (
        (RecordStatus(), 0),
        (RecordStatus(name="lap", end=10), 0),
        (RecordStatus(active=True, name="lap", ticks=7, end=10), 1),
        (RecordStatus(name="lap", ticks=10, end=10), 2),
        (RecordStatus(active=True, name="lap", ticks=7, end=10, problem="differs"), 3),
    ):
        stage.around.replaying = status
        told = stage.ask("Simulation/GetResimReplayStatus")
        assert (told.frame_number, told.replay_status) == (status.ticks, code)
    stage.around.problem = "none is chosen"
    for name in ("ResimReplayStart", "AddResimReplayRange", "ResimReplayInit"):
        answer = stage.ask(f"Simulation/{name}")
        assert answer.status == 0
        assert "none is chosen" in answer.description


def test_messages_are_shown(stage):
    assert stage.ask("Simulation/SendMessage", type=3, message="hello").status == 1
    assert stage.around.told == [("message 3", "hello", ())]


def test_the_simulator_tells_of_itself(stage):
    stage.around.epoch = 1_700_000_000_123 * 10**6
    stage.ticks(2)
    assert stage.ask("Simulator/GetSimulatorVersion").value == "dorosim 1.2.3"
    assert stage.ask("Simulator/GetTimestamp").value == 1_700_000_000_123 + 20
    assert list(stage.ask("Simulator/GetAvailableMaps").values) == ["small", "town"]
    assert stage.ask("Simulator/GetDataPath").value == "/data"
    assert stage.ask("Simulator/CheckLatency") is not None


@pytest.mark.parametrize("name", ["Simulation/SetSimulationMode", "Simulator/SetRenderingMode"])
def test_what_has_no_meaning_here_says_so(stage, name):
    answer = stage.ask(name)
    assert answer.status == 1
    assert "dorosim" in answer.description


@pytest.mark.parametrize("name", ["LoadSimScenario", "Scenario/LoadMoraiScenario"])
def test_a_scenario_takes_the_place_of_all_that_is_there(stage, name):
    field = "scenario_filename" if name == "LoadSimScenario" else "value"
    stage.around.loading = Loading((PauseRun(paused=True),), "rush.json: nothing", ("a note",))
    stage.ask(name, **{field: "rush"})
    assert stage.around.asked == [("scenario", "rush", LoadOptions(delete_all=True, network=False))]
    assert stage.around.told == [("scenario loaded", "rush.json: nothing", ("a note",))]
    assert stage.now.paused


def test_a_scenario_that_cannot_be_loaded_changes_nothing(stage):
    stage.around.problem = "there is none of this name"
    with pytest.raises(InputError, match="none of this name"):
        stage.ask("LoadSimScenario", scenario_filename="none")
    answer = stage.ask("Scenario/LoadMoraiScenario", value="none")
    assert (answer.status, "none of this name" in answer.description) == (0, True)


@pytest.mark.parametrize(("name", "service"), [("Start", "/morai_msgs/StartCmd"), ("Stop", "/morai_msgs/StopCmd")])
def test_start_and_stop_say_that_no_scenario_is_loaded(stage, name, service):
    answer = stage.ask(name, cmd_start=True)
    told = json.loads(answer.msg)
    assert answer.service_name == service
    assert not told["success"]
    assert "no scenario of OpenSCENARIO is loaded" in told["description"]
    assert stage.ask(name, service_name="/mine").service_name == "/mine"


@pytest.mark.parametrize(
    ("name", "field"), [("LoadSimScenario", "scenario_filename"), ("Scenario/LoadMoraiScenario", "value")]
)
def test_a_run_begins_with_a_scenario_of_openscenario(stage, name, field):
    stage.ask(name, **{field: "cut-in.xosc"})
    assert stage.around.asked == [("start", StartOrder(scenario="cut-in.xosc"))]
