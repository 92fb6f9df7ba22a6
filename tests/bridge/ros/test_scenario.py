"""Scenario files, saved sensor data and places of sensors over ROS."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.bridge.ros.scenario import options_of
from dorosim.bridge.scenario import Loading
from dorosim.scenario.load import LoadOptions
from dorosim.world.actor.command import PauseRun, RemoveActor
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import GpsSettings, ImuSettings
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc
from tests.bridge.ros.stage import RosStage

FLAGS = {
    "delete_all": "delete_all",
    "load_network_connection_data": "network",
    "load_ego_vehicle_data": "ego",
    "load_surrounding_vehicle_data": "npc",
    "load_pedestrian_data": "pedestrian",
    "load_obstacle_data": "object",
    "set_pause": "pause",
}


@pytest.fixture
def stage() -> RosStage:
    """Sensor 1 is a GPS, sensor 2 an IMU."""
    stage = RosStage()
    stage.apply(AddSensor(EGO, settings=GpsSettings()), AddSensor(EGO, settings=ImuSettings()))
    stage.around.loading = Loading((CreateNpc(model="2015_Kia_K5", link=0, s=30.0),), "lap.json: 1 car", ("no bus",))
    return stage


@pytest.mark.parametrize("flag", FLAGS)
def test_each_flag_is_an_option_of_its_own(stage, flag):
    off = dict.fromkeys(FLAGS.values(), False)
    assert options_of(stage.make("ScenarioLoad", **{flag: True})) == LoadOptions(**{**off, FLAGS[flag]: True})


def test_a_scenario_is_loaded_by_topic(stage):
    assert stage.send("scenario", file_name="lap", delete_all=True, load_pedestrian_data=True) == []
    ((what, name, options),) = stage.around.asked
    assert (what, name, options.delete_all, options.pedestrian, options.npc) == ("scenario", "lap", True, True, False)
    assert len(stage.now.traffic) == 1
    (notice,) = stage.notices
    assert (notice.kind, notice.text, notice.lines) == ("scenario loaded", "lap.json: 1 car", ("no bus",))


def test_a_scenario_is_loaded_by_service_and_the_answer_says_so(stage):
    assert stage.call("load_scenario", file_name="lap", load_surrounding_vehicle_data=True).result is True
    assert len(stage.now.traffic) == 1
    assert stage.around.told == [("scenario loaded", "lap.json: 1 car", ("no bus",))]


def test_a_scenario_that_is_not_there_changes_nothing_and_says_why(stage):
    stage.around.problem = "there is no scenario 'lap'"
    before = stage.now
    assert stage.call("load_scenario", file_name="lap").result is False
    assert "there is no scenario 'lap'" in stage.around.told[0][1]
    assert "there is no scenario 'lap'" in stage.send("scenario", file_name="lap")[0]
    assert stage.now is before


def test_a_command_that_the_world_refuses_is_told_too(stage):
    stage.around.loading = Loading((RemoveActor(77), PauseRun(paused=True)), "lap.json", ())
    assert stage.call("load_scenario", file_name="lap").result is False
    assert "no actor 77" in stage.around.told[0][1]


def test_sensor_data_is_saved_under_the_name_that_is_given(stage):
    assert stage.send("save_sensors", is_custom_file_name=True, custom_file_name="lap", file_dir="a\\b") == []
    assert stage.send("save_sensors", is_custom_file_name=False, custom_file_name="lap", file_dir="a") == []
    assert stage.around.asked == [("save_sensor_data", "a/b", "lap"), ("save_sensor_data", "", "")]
    assert [notice.kind for notice in stage.notices] == ["sensor data"] * 2


@pytest.mark.parametrize(("name", "folder"), [("", ""), ("../lap", ""), ("lap", "../.."), ("lap", "C:\\Users")])
def test_no_name_leads_out_of_the_folder_of_sensor_data(stage, name, folder):
    (told,) = stage.send("save_sensors", is_custom_file_name=True, custom_file_name=name, file_dir=folder)
    assert "files go to /data" in told
    assert stage.around.asked == []


def poses(count: int = 2, **more) -> dict:
    names = ("pose_x", "pose_y", "pose_z", "roll", "pitch", "yaw")
    values = {name: np.array([row + 0.1 * at for at in range(count)], np.float32) for row, name in enumerate(names, 1)}
    return {"sensor_index": np.arange(1, count + 1, dtype=np.int16), **values, **more}


def test_sensors_are_mounted_elsewhere_in_metres_and_radians(stage):
    assert stage.send("move_sensors", **poses()) == []
    table = stage.now.mounts.table
    assert table.floats[:6, 0].tolist() == pytest.approx([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert table.floats[:6, 1].tolist() == pytest.approx([1.1, 2.1, 3.1, 4.1, 5.1, 6.1])


@pytest.mark.parametrize("name", ["pose_x", "pose_y", "pose_z", "roll", "pitch", "yaw"])
def test_lists_of_different_lengths_and_wrong_numbers_move_nothing(stage, name):
    before = stage.now
    (told,) = stage.send("move_sensors", **poses(**{name: np.zeros(1, np.float32)}))
    assert told == f"{name} has 1 entries, sensor_index 2; each sensor needs one of each"
    for wrong in (math.nan, 1e4):
        (told,) = stage.send("move_sensors", **poses(**{name: np.array([0.0, wrong], np.float32)}))
        assert f"SensorPosControl.{name}[1]" in told
    assert stage.now is before


def test_a_sensor_that_is_not_there_stops_the_others(stage):
    before = stage.now
    (told,) = stage.send("move_sensors", **poses(3))
    assert told == "there is no sensor 3; there are 1, 2"
    assert stage.now is before
