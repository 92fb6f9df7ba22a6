"""Sensors and ground truth in both APIs: mounting, settings, what is seen, files, capture."""

from __future__ import annotations

import math

import pytest

from dorosim.ground.error import InputError
from dorosim.sensor.truth import TRUTH_KINDS
from dorosim.world.actor.command import CreateNamed
from dorosim.world.collision.body import BodyKind
from dorosim.world.mount.command import AddSensor, SetSensor
from dorosim.world.mount.setting import GroundTruthSettings, SensorKind, TruthShape
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import obstacle_model_row
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import CreateVehicle
from tests.bridge.grpc.sensor_stage import BOTH, CAR, seen, sensor_info_of, setting
from tests.bridge.grpc.stage import GrpcStage

POSE = {"position": {"x": 1.5, "y": -0.5, "z": 2.0}, "rotation": {"x": 10.0, "y": 20.0, "z": -90.0}}
TRANSFORM = {"location": POSE["position"], "rotation": POSE["rotation"]}


@pytest.fixture
def stage() -> GrpcStage:
    return GrpcStage(egos=((CAR, (0.0, 0.0, 0.0), 0.0),))


def truth_stage(**settings) -> GrpcStage:
    """A sensor 1 on the ego vehicle at the origin, a car 30 m ahead, a pedestrian 5 m to the left, a cone 50 m off."""
    stage = GrpcStage(egos=((CAR, (0.0, 0.0, 0.0), 0.0),))
    cone = obstacle_model_row("cone")[0]
    stage.apply(
        AddSensor(EGO, settings=GroundTruthSettings(**settings)),
        CreateNamed(CreateVehicle(model=CAR, position=(30.0, 0.0, 0.0), speed=10.0), "other"),
        SpawnPedestrian(0, 0, (0.0, 5.0, 0.0), math.pi / 2),
        SpawnObstacle(0, cone, (50.0, 0.0, 0.0), scale=(2.0, 1.0, 0.5)),
    )
    return stage


@pytest.mark.parametrize("kind", list(SensorKind))
def test_each_kind_is_mounted_where_it_is_told_to(stage, kind):
    one = {"unique_id": "Ego", "sensor_type": kind.value, **POSE}
    (answer,) = stage.ask("AddSensor", req_list=[one]).res_list
    assert (answer.success, answer.target_id, answer.sensor_id) == (True, "Ego", "1")
    other = stage.ask(
        "Sensor/AddSensor", vehicle_id={"id": {"value": "Ego"}}, sensor_type=kind.value, transform=TRANSFORM
    )
    assert (other.status, other.custom_message) == (1, "2")
    for mount in stage.now.mounts.all():
        assert (mount.actor, mount.kind, mount.position) == (EGO, kind, (1.5, -0.5, 2.0))
        assert mount.rotation == pytest.approx((math.radians(10.0), math.radians(20.0), -math.pi / 2))


def test_a_sensor_is_known_by_its_number_whatever_actors_are_called(stage):
    """Actor 2 has a name; sensor 2 has none."""
    stage.apply(CreateNamed(CreateVehicle(model=CAR, position=(20.0, 0.0, 0.0)), "lead"))
    for number in ("1", "2"):
        answer = stage.ask("Sensor/AddSensor", vehicle_id={"id": {"value": "lead"}}, sensor_type=5)
        assert answer.custom_message == number
    assert stage.now.mounts.table.actor.tolist() == [2, 2]


def test_elements_that_cannot_be_done_do_not_stop_the_others(stage):
    wrong = [{"unique_id": "Ego"}, {"unique_id": "Ego", "sensor_type": "END"}, {"unique_id": "7", "sensor_type": "GPS"}]
    far = {"unique_id": "Ego", "sensor_type": "GPS", "position": {"x": 1000.0}}
    good = {"unique_id": "Ego", "sensor_type": "IMU"}
    answers = stage.ask("AddSensor", req_list=[*wrong, far, good, {}]).res_list
    assert [one.success for one in answers] == [False, False, False, False, True, False]
    assert [one.target_id for one in answers] == ["Ego", "Ego", "7", "Ego", "Ego", ""]
    assert [one.sensor_id for one in answers] == ["", "", "", "", "1", ""]
    assert len(stage.ask("AddSensor", req_list=[]).res_list) == 0


@pytest.mark.parametrize(
    ("vehicle", "kind", "problem"),
    [
        ("9", 4, "no vehicle '9'"),
        ("", 4, "no vehicle is named"),
        ("Ego", 0, "not a valid kind"),
        ("Ego", 9, "not a valid kind"),
    ],
)
def test_the_standard_api_says_why_a_sensor_cannot_be_mounted(stage, vehicle, kind, problem):
    answer = stage.ask("Sensor/AddSensor", vehicle_id={"id": {"value": vehicle}}, sensor_type=kind)
    assert answer.status == 0
    assert problem in answer.description
    told = stage.ask("Sensor/AddSensor", vehicle_id={"id": {"value": "Ego"}, "object_type": 2}, sensor_type=4)
    assert "object_type is 2" in told.description


def test_a_pedestrian_carries_no_sensor(stage):
    stage.apply(SpawnPedestrian(0, 0, (0.0, 5.0, 0.0), 0.0))
    answer = stage.ask("Sensor/AddSensor", vehicle_id={"id": {"value": "2"}}, sensor_type=4)
    assert "no vehicle '2'" in answer.description


def test_sensors_are_taken_off(stage):
    stage.apply(*[AddSensor(EGO, settings=GroundTruthSettings()) for _ in range(4)])
    wanted = [{"unique_id": "Ego", "sensor_id": "2"}, {"sensor_id": "3"}, {"unique_id": "Ego", "sensor_id": "8"}]
    answers = stage.ask("RemoveSensor", req_list=[*wanted, {"unique_id": "8", "sensor_id": "1"}]).res_list
    assert [one.success for one in answers] == [True, True, False, False]
    assert (answers[0].target_id, answers[0].sensor_id) == ("Ego", "2")
    assert stage.ask("Sensor/RemoveSensor", sensor_info_of("4")).status == 1
    assert stage.now.mounts.table.id.tolist() == [1]


@pytest.mark.parametrize(
    ("info", "problem"),
    [
        (sensor_info_of("5"), "no sensor '5'"),
        (sensor_info_of("x"), "no sensor 'x'"),
        (sensor_info_of(""), "no sensor is named"),
        (sensor_info_of("1", "2"), "not on '2' but on 'Ego'"),
        (sensor_info_of("1", "77"), "no vehicle '77'"),
        (sensor_info_of("1", sensor_type=1), "of the kind ground truth, not camera"),
        (sensor_info_of("1", vehicle_info={"object_type": 3}), "object_type is 3"),
    ],
)
def test_a_sensor_that_is_not_meant_so_is_not_taken_off(stage, info, problem):
    stage.apply(AddSensor(EGO, settings=GroundTruthSettings()), CreateVehicle(model=CAR, position=(30.0, 0.0, 0.0)))
    answer = stage.ask("Sensor/RemoveSensor", info)
    assert answer.status == 0
    assert problem in answer.description
    assert len(stage.now.mounts) == 1
    with pytest.raises(InputError, match=problem.split("'")[0]):
        stage.ask("Sensor/GetSensorData", info)


@BOTH
def test_ground_truth_tells_of_everybody_in_km_h_and_degrees(api):
    stage = truth_stage(range_max=1000.0)
    found = seen(stage, api)
    assert set(found) == {"other", "3", "4"}
    car, person, cone = found["other"], found["3"], found["4"]
    assert [one.type for one in (car, person, cone)] == [3, 2, 4]
    assert car.type == TRUTH_KINDS[BodyKind.EGO]
    assert (car.name, person.name, cone.name) == (CAR, "adult_male", "cone")
    assert (car.position.x, car.position.y) == (pytest.approx(30.0), 0.0)
    assert car.velocity.x == pytest.approx(36.0, rel=0.01)
    assert person.heading == pytest.approx(90.0)
    assert (cone.size.x, cone.size.y, cone.size.z) == pytest.approx((0.74, 0.37, 0.35))
    stage.ticks(5)
    now = seen(stage, api)["other"]
    row = stage.now.row_of(2)
    assert now.velocity.x == pytest.approx(float(stage.now.vehicle.velocity_x[row]) * 3.6)
    assert now.acceleration.x == pytest.approx(float(stage.now.vehicle.acceleration[0, row]))
    assert now.position.x == float(stage.now.vehicle.x[row])


@BOTH
def test_velocity_is_along_the_axes_of_the_object(api):
    stage = GrpcStage(egos=((CAR, (0.0, 0.0, 0.0), 0.0),))
    stage.apply(
        AddSensor(EGO, settings=GroundTruthSettings()),
        CreateVehicle(model=CAR, position=(30.0, 0.0, 0.0), rotation=(0.0, 0.0, math.pi / 2), speed=10.0),
    )
    car = seen(stage, api)["2"]
    assert (car.velocity.x, car.velocity.y) == (pytest.approx(36.0, rel=0.01), pytest.approx(0.0, abs=0.1))
    assert car.heading == pytest.approx(90.0)


@BOTH
def test_filter_and_count(api):
    stage = truth_stage(range_max=1000.0)
    assert setting(stage, api, filter=[2, 4]) == ""
    assert set(seen(stage, api)) == {"3", "4"}
    assert setting(stage, api, max_count=1) == ""
    assert set(seen(stage, api)) == {"3"}, "the nearest, of any kind again"
    assert setting(stage, api, max_count=-1) == ""
    assert len(seen(stage, api)) == 3
    assert setting(stage, api, max_count=2) == ""
    assert setting(stage, api, max_count=0) == ""
    assert len(seen(stage, api)) == 3, "left out: no limit"
    assert "max_count -2" in setting(stage, api, max_count=-2)


@BOTH
def test_a_cylinder(api):
    stage = truth_stage(range_max=1000.0)
    assert setting(stage, api, shape_type=1, cylinder_setting={"vertical_fov": 30.0, "range": 40.0}) == ""
    settings = stage.now.mounts.mount(0).settings
    assert (settings.shape, settings.range_max) == (TruthShape.CYLINDER, 40.0)
    assert settings.vertical_fov == pytest.approx(math.radians(30.0))
    assert set(seen(stage, api)) == {"other", "3"}
    assert setting(stage, api, cylinder_setting={"range": 10.0}, viz=True) == ""
    settings = stage.now.mounts.mount(0).settings
    assert settings.vertical_fov == pytest.approx(math.radians(30.0)), "0 leaves it"
    assert set(seen(stage, api)) == {"3"}
    assert setting(stage, api, cylinder_setting={"vertical_fov": 180.0, "segments": 6}) == ""
    assert stage.now.mounts.mount(0).settings.vertical_fov == math.pi


@BOTH
def test_a_cone(api):
    stage = truth_stage(range_max=1000.0)
    cone = {"vertical_fov": 20.0, "horizontal_fov": 60.0, "range_min": 20.0, "range_max": 40.0, "resolution": 10}
    assert setting(stage, api, shape_type=2, cone_setting=cone) == ""
    settings = stage.now.mounts.mount(0).settings
    assert (settings.shape, settings.range_min, settings.range_max) == (TruthShape.CONE, 20.0, 40.0)
    assert (settings.fov, settings.vertical_fov) == pytest.approx((math.radians(60.0), math.radians(20.0)))
    assert set(seen(stage, api)) == {"other"}
    assert setting(stage, api, cone_setting=cone | {"range_min": 0.0, "horizontal_fov": 360.0}) == ""
    assert set(seen(stage, api)) == {"other", "3"}
    assert setting(stage, api, shape_type=1, cone_setting=cone, cylinder_setting={"range": 10.0}) == ""
    assert set(seen(stage, api)) == {"3"}, "the settings of the other shape do not matter"


@BOTH
@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"shape_type": 3}, "shape_type 3 is not a valid shape"),
        ({"cylinder_setting": {"range": 3.0}, "cone_setting": {}}, "both set"),
        ({"cylinder_setting": {"vertical_fov": 181.0}}, "vertical_fov is 181 deg"),
        ({"cone_setting": {"horizontal_fov": -1.0}}, "horizontal_fov is -1 deg"),
        ({"cone_setting": {"range_min": 50.0, "range_max": 20.0}}, "range_min is not below range_max"),
        ({"cylinder_setting": {"range": -2.0}}, "range_max"),
    ],
)
def test_settings_that_cannot_be_change_nothing(api, settings, problem):
    stage = truth_stage()
    before = stage.now.mounts.mount(0).settings
    assert problem in setting(stage, api, **settings)
    assert stage.now.mounts.mount(0).settings == before


def test_several_sensors_are_set_and_those_that_cannot_be_are_told_of():
    stage = truth_stage()
    stage.apply(AddSensor(EGO, settings=GroundTruthSettings()))
    ask = [{"sensor_id": "1", "gt_setting": {"max_count": 1}}, {"sensor_id": "9"}, {"sensor_id": "2"}]
    ask[2]["gt_setting"] = {"max_count": 5}
    answer = stage.ask("SetGroundTruthSensor", req_list=ask)
    assert not answer.success
    there = stage.ask("SetGroundTruthSensor", req_list=[{"unique_id": "other", "sensor_id": "1"}])
    assert "not on 'other' but on 'Ego'" in there.description
    assert answer.description == "sensor '9': there is no sensor '9'"
    assert [mount.settings.most for mount in stage.now.mounts.all()] == [1, 5]
    assert "empty" in stage.ask("SetGroundTruthSensor", req_list=[]).description


def test_a_camera_has_no_ground_truth(stage):
    stage.ask("AddSensor", req_list=[{"unique_id": "Ego", "sensor_type": "Camera"}])
    assert "only ground truth can be set" in setting(stage, "documented", max_count=1)
    (found,) = stage.ask("GetGroundTruthData", req_list=[{"sensor_id": "1"}]).res_list
    assert not found.success
    with pytest.raises(InputError, match="kind camera"):
        stage.ask("Sensor/GetSensorData", sensor_info_of("1"))
    nothing = stage.ask("Sensor/SetSensorSetting", sensor_info={"sensor_id": {"value": "1"}})
    assert "no settings" in nothing.description


def test_unknown_sensors_see_nothing_and_the_others_do():
    stage = truth_stage()
    ask = [{"sensor_id": "5"}, {"sensor_id": "1"}, {"unique_id": "other", "sensor_id": "1"}]
    found = stage.ask("GetGroundTruthData", req_list=ask).res_list
    assert [one.success for one in found] == [False, True, False]
    stage.apply(SetSensor(1, enabled=False))
    (off,) = stage.ask("GetGroundTruthData", req_list=[{"sensor_id": "1"}]).res_list
    assert not off.success
    with pytest.raises(InputError, match="switched off"):
        stage.ask("Sensor/GetSensorData", sensor_info_of("1"))


def test_the_sensors_of_a_vehicle_with_its_owner(stage):
    stage.apply(
        CreateNamed(CreateNpc(model=CAR, link=0, s=50.0), "bus", "me"),
        AddSensor(2, settings=GroundTruthSettings(), sensor=7),
        AddSensor(EGO, settings=GroundTruthSettings()),
    )
    stage.ask("Sensor/AddSensor", vehicle_id={"id": {"value": "bus"}}, sensor_type="SENSOR_TYPE_RADAR")
    found = stage.ask("Sensor/GetSensorInfos", id={"value": "bus"}).values
    assert [(one.sensor_id.value, one.sensor_type) for one in found] == [("7", 8), ("9", 6)]
    owner = found[0].vehicle_info
    assert (owner.id.value, owner.object_type, owner.client_key) == ("bus", 1, "me")
    with pytest.raises(InputError, match="no vehicle 'car'"):
        stage.ask("Sensor/GetSensorInfos", id={"value": "car"})
    with pytest.raises(InputError, match="object_type is 2"):
        stage.ask("Sensor/GetSensorInfos", id={"value": "bus"}, object_type=2)


def test_sensor_data_is_saved_under_the_name_and_folder_that_are_told(stage):
    answer = stage.ask("Sensor/SaveSensorData", file_dir="a\\b", is_custom_file_name=True, custom_file_name="shot")
    assert (answer.status, answer.description) == (1, "/data/SensorData/a/b")
    stage.ask("Sensor/SaveSensorData", file_dir="c", custom_file_name="shot")
    assert stage.around.asked == [("save_sensor_data", "a/b", "shot"), ("save_sensor_data", "c", "")]


@pytest.mark.parametrize(
    ("name", "folder", "problem"),
    [
        ("a/b", "", "not a valid name of a file"),
        ("", "", "not a valid name"),
        ("a", "../x", "leads out"),
        ("a", "C:\\x", "leads out"),
    ],
)
def test_names_that_lead_out_of_the_folder_are_refused(stage, name, folder, problem):
    answer = stage.ask("Sensor/SaveSensorData", is_custom_file_name=True, custom_file_name=name, file_dir=folder)
    assert answer.status == 0
    assert problem in answer.description
    assert stage.around.asked == []


def test_saving_and_loading_tell_what_went_wrong(stage):
    stage.around.problem = "the disk is full"
    assert "disk is full" in stage.ask("Sensor/SaveSensorData").description
    assert "disk is full" in stage.ask("Sensor/LoadSensorFile", value="set").description


def test_a_sensor_set_is_loaded_by_its_name(stage):
    stage.around.sensors = ((AddSensor(EGO, settings=GroundTruthSettings(), sensor=12),), ("a note",))
    answer = stage.ask("Sensor/LoadSensorFile", value="my set")
    assert (answer.status, answer.description) == (1, "a note")
    assert stage.around.asked == [("sensor_set", "my set")]
    assert stage.now.mounts.table.id.tolist() == [12]
    assert "sensor 12 already" in stage.ask("Sensor/LoadSensorFile", value="my set").description


def test_capture_mode_is_set_and_told(stage):
    stage.apply(AddSensor(EGO, settings=GroundTruthSettings()))
    told = stage.ask("Sensor/GetSensorCaptureMode", value="1")
    assert (told.status, told.custom_message) == (1, "false")
    assert stage.ask("Sensor/SetSensorCaptureMode", sensor_id={"value": "1"}, is_sensor_capture_mode_on=True).status
    assert stage.ask("Sensor/GetSensorCaptureMode", value="1").custom_message == "true"
    assert stage.now.mounts.mount(0).captured
    stage.ask("Sensor/SetSensorCaptureMode", sensor_id={"value": "1"})
    assert stage.ask("Sensor/GetSensorCaptureMode", value="1").custom_message == "false"
    for name in ("Sensor/SetSensorCaptureMode", "Sensor/GetSensorCaptureMode"):
        fields = {"value": "5"} if "Get" in name else {"sensor_id": {"value": "5"}}
        assert "no sensor '5'" in stage.ask(name, **fields).description
