"""Sensor set files become commands and are saved again; what nobody changed stays, byte for byte."""

from __future__ import annotations

import json
import math

import pytest

from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.scenario.sensor_set.read import ROS, UDP, orders_from_sensor_set, period_ns, read_sensor_set
from dorosim.scenario.sensor_set.write import sensor_set_bytes
from dorosim.world.mount.command import AddSensor, MoveSensor, RemoveSensor, SetSensor
from dorosim.world.mount.setting import (
    SETTINGS,
    CameraSettings,
    GpsSettings,
    ImuSettings,
    LidarModel,
    SensorKind,
)
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from tests.shared import shared
from tests.world.world import CAR, street

SAMPLE = "samples/sensor_set.json"


@pytest.fixture
def world() -> Snapshot:
    return first_snapshot(street(), [(CAR, (50.0, 0.0, 0.0), 0.0), (CAR, (90.0, 0.0, 0.0), 0.0)])


def after(now: Snapshot, *commands) -> Snapshot:
    told = step(street(), now, commands, Noise(0))
    assert not told.refusals
    return told


@pytest.fixture
def sample():
    path = shared(SAMPLE)
    return read_sensor_set("sensor_set.json", path.read_bytes())


def test_the_sample_mounts_its_four_sensors(sample, world):
    orders = orders_from_sensor_set(sample, world)
    now = after(world, *orders.commands)
    by_number = {mount.id: mount for mount in now.mounts.all()}
    assert {number: mount.kind for number, mount in by_number.items()} == {
        1: SensorKind.IMU,
        2: SensorKind.LIDAR_3D,
        3: SensorKind.GPS,
        4: SensorKind.CAMERA,
    }
    camera, lidar = by_number[4], by_number[2]
    assert camera.position == (1.53, 0.0, 1.4)
    assert camera.rotation == (0.0, pytest.approx(math.radians(-5.0)), 0.0)
    assert camera.settings == CameraSettings(
        fov=math.radians(70.0), principal_point=(320.0, 240.0), near=camera.settings.near
    )
    assert (camera.period, lidar.period, by_number[3].period) == (33_333_333, 100_000_000, 200_000_000)
    assert orders.links[2].source == ("127.0.0.1", 2369)
    assert orders.links[2].destination == ("127.0.0.1", 2368)
    assert not [note for note in orders.notes if "ROS" in note]
    named = {number: (link.transport, link.topic, link.frame) for number, link in orders.links.items()}
    assert named == {
        1: (ROS, "/imu", "IMU-1"),
        2: (UDP, "/lidar3D", "Lidar3D-2"),
        3: (ROS, "/gps", "GPS-3"),
        4: (ROS, "/image_jpeg/compressed", "Camera-4"),
    }
    assert any("lidar3DType: 13" in note for note in orders.notes)


def test_a_file_of_which_nothing_changed_is_saved_byte_for_byte(sample, world):
    orders = orders_from_sensor_set(sample, world)
    now = after(world, *orders.commands)
    assert sensor_set_bytes(sample, now, orders.links) == sample.content


def test_a_change_touches_its_own_lines_only(sample, world):
    orders = orders_from_sensor_set(sample, world)
    now = after(world, *orders.commands)
    now = after(now, MoveSensor(4, (2.0, 0.0, 1.4), (0.0, 0.0, math.radians(-70.0))))
    old, new = sample.content.decode().split("\n"), sensor_set_bytes(sample, now, orders.links).decode().split("\n")
    assert len(old) == len(new)
    changed = [(a.strip(), b.strip()) for a, b in zip(old, new, strict=True) if a != b]
    assert changed == [
        ('"x": "1.530",', '"x": "2.000",'),
        ('"pitch": "355.000",', '"pitch": "0.000",'),
        ('"yaw": "0.000"', '"yaw": "290.000"'),
    ]


def test_sensors_that_left_are_not_saved_and_new_ones_are(sample, world):
    orders = orders_from_sensor_set(sample, world)
    now = after(world, *orders.commands, RemoveSensor(3), AddSensor(2, settings=GpsSettings(white=(1.5, 1.5, 1.5))))
    saved = json.loads(sensor_set_bytes(sample, now, orders.links))
    (item,) = saved["GPSList"]
    assert (item["m_TargetUniqueID"], item["m_SensorUniqueID"]) == (1, 5)
    assert item["gc"]["gnGenerator"] == {"isActivated": True, "gaussianMean": 0.0, "gaussianStdev": 1.5}
    assert saved["DelphiRadarList"] == []


@pytest.mark.parametrize("kind", SensorKind)
def test_sensors_of_every_kind_come_back_from_a_new_file(world, kind):
    now = after(world, AddSensor(EGO, settings=SETTINGS[kind](), position=(1.0, 0.5, 1.2), rotation=(0.0, 0.1, -0.2)))
    again = read_sensor_set("new", sensor_set_bytes(None, now, {}))
    back = after(world, *orders_from_sensor_set(again, world).commands)
    (mount,), (same,) = now.mounts.all(), back.mounts.all()
    assert same.position == mount.position
    assert same.rotation == pytest.approx(mount.rotation, abs=1e-9)
    assert (same.kind, same.period, same.phase, same.enabled) == (kind, mount.period, 0, True)


def test_noise_of_an_imu_survives_the_file(world):
    noise = ImuSettings(acceleration_white=(0.01, 0.02, 0.03), rate_walk=(1e-4, 2e-4, 3e-4), rate_bias=(0.0, 0.0, 0.01))
    now = after(world, AddSensor(EGO, settings=noise, period=10_000_000))
    again = read_sensor_set("new", sensor_set_bytes(None, now, {}))
    (command,) = orders_from_sensor_set(again, world).commands
    for name in ImuSettings.__struct_fields__:
        assert getattr(command.settings, name) == pytest.approx(getattr(noise, name), rel=1e-9)


def test_noise_that_is_not_made_is_told_of(world):
    noise = {"isActivated": True, "gaussianMean": 0.5, "gaussianStdev": 0.02}
    lists = {"cameraList": "cc", "GPSList": "gc", "UltrasonicList": "uc"}
    text = {
        name: [{"m_SensorUniqueID": number, block: {"gnGenerator": noise}}]
        for number, (name, block) in enumerate(lists.items(), 1)
    }
    orders = orders_from_sensor_set(read_sensor_set("x", json.dumps(text).encode()), world)
    _, gps, ultrasonic = (command.settings for command in orders.commands)
    assert (gps.white, ultrasonic.range_noise) == ((0.02, 0.02, 0.02), 0.02)
    assert orders.notes == (
        "cameraList[0]: gnGenerator: noise of a camera sensor is not made",
        "GPSList[0]: gnGenerator.gaussianMean: 0.5 is not added; noise has a mean of 0",
        "UltrasonicList[0]: gnGenerator.gaussianMean: 0.5 is not added; noise has a mean of 0",
    )


def test_settings_that_were_changed_while_running_are_saved(sample, world):
    orders = orders_from_sensor_set(sample, world)
    now = after(world, *orders.commands)
    lidar = now.mounts.mount(now.mounts.row_of(2))
    now = after(now, SetSensor(2, type(lidar.settings)(model=LidarModel.HDL_32E), period=50_000_000, enabled=False))  # type: ignore[call-arg]
    (item,) = json.loads(sensor_set_bytes(sample, now, orders.links))["Lidar3DList"]
    assert (item["lc"]["lidar3DType"], item["lc"]["sensorPeriod"], item["isActive"]) == (1, 0.05, False)
    assert item["lc"]["gamma"] == 1.5


def test_sensors_of_a_second_ego_are_mounted_on_it(world):
    text = {"GPSList": [{"m_TargetUniqueID": 1, "m_SensorUniqueID": 9, "gc": {"sensorPeriod": 0.2}}]}
    orders = orders_from_sensor_set(read_sensor_set("x", json.dumps(text).encode()), world)
    assert [(command.actor, command.sensor) for command in orders.commands] == [(2, 9)]
    text["GPSList"][0]["m_TargetUniqueID"] = 7
    orders = orders_from_sensor_set(read_sensor_set("x", json.dumps(text).encode()), world)
    assert (orders.commands, len(orders.notes)) == ((), 1)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"pos": {"x": "far"}}, ".pos.x"),
        ({"pos": {"x": "1e9"}}, ".pos.x"),
        ({"rot": {"yaw": "NaN"}}, ".rot.yaw"),
        ({"rot": {"yaw": math.nan}}, ".rot.yaw"),
        ({"cc": {"unknown": [1, {"x": math.inf}]}}, ".cc.unknown[1].x"),
        ({"cc": {"cameraResWidth": -3}}, ".cc.cameraResWidth"),
        ({"cc": {"cameraResHeight": 100_000}}, ".cc.cameraResHeight"),
        ({"cc": {"cameraFOV": 180.0}}, ".cc.cameraFOV"),
        ({"cc": {"paramType": 1, "focalLengthpixel": 1e308}}, ".cc.focalLengthpixel"),
        ({"cc": {"principalPoint": {"x": -1e300}}}, ".cc.principalPoint.x"),
        ({"cc": {"lensDistortion": [0, 1e30, 0]}}, ".cc.lensDistortion[1]"),
        ({"cc": {"lensDistortion": [0, 0, 0, 1e30]}}, ".cc.lensDistortion[3]"),
        ({"cc": {"sensorPeriod": 0}}, ".cc.sensorPeriod"),
        ({"cc": {"sensorPeriod": -1}}, ".cc.sensorPeriod"),
        ({"cc": {"sensorPeriod": 1e308}}, ".cc.sensorPeriod"),
        ({"cc": {"gnGenerator": {"isActivated": True, "gaussianStdev": -1}}}, ".cc.gnGenerator.gaussianStdev"),
        ({"cc": {"udpConfig": {"hostPort": "x"}}}, ".cc.udpConfig.hostPort"),
        ({"cc": {"udpConfig": {"hostPort": -1, "destinationPort": 9}}}, ".cc.udpConfig.hostPort"),
        ({"cc": {"udpConfig": {"destinationPort": -1}}}, ".cc.udpConfig.destinationPort"),
        ({"cc": {"udpConfig": {"destinationPort": 70000}}}, ".cc.udpConfig.destinationPort"),
        ({"cc": {"udpConfig": {"destinationIP": "a\0b", "destinationPort": 9}}}, ".cc.udpConfig.destinationIP"),
        ({"cc": {"udpConfig": {"hostIP": "", "destinationPort": 9}}}, ".cc.udpConfig.hostIP"),
        ({"cc": 5}, ".cc"),
        ({"m_SensorUniqueID": None}, ".m_SensorUniqueID"),
        ({"m_SensorUniqueID": -1}, ".m_SensorUniqueID"),
        ({"m_SensorUniqueID": 40_000}, ".m_SensorUniqueID"),
    ],
)
def test_what_is_wrong_is_named_by_its_key_path(world, change, place):
    item = {"m_SensorUniqueID": 1, "cc": {}} | change
    with pytest.raises(InputError) as error:
        orders_from_sensor_set(read_sensor_set("bad.json", json.dumps({"cameraList": [item]}).encode()), world)
    assert (error.value.source, error.value.place) == ("bad.json", f"cameraList[0]{place}")


@pytest.mark.parametrize(
    ("name", "block", "place"),
    [
        ("Lidar3DList", {"lc": {"sensorPeriod": 0.5}}, ".lc.sensorPeriod"),
        ("Lidar3DList", {"lc": {"fireDistance": -5}}, ".lc.fireDistance"),
        ("IMUList", {"ic": {"wnAcc_x": {"isActivated": True, "WNgaussianStdev": 1e9}}}, ".ic.wnAcc_x.WNgaussianStdev"),
        (
            "IMUList",
            {"ic": {"biAngV_yaw": {"isActivated": True, "GMCorrelationTime": -1}}},
            ".ic.biAngV_yaw.GMCorrelationTime",
        ),
    ],
)
def test_so_is_what_only_one_kind_has(world, name, block, place):
    content = json.dumps({name: [{"m_SensorUniqueID": 1} | block]}).encode()
    with pytest.raises(InputError) as error:
        orders_from_sensor_set(read_sensor_set("bad.json", content), world)
    assert (error.value.place, bool(error.value.cure)) == (f"{name}[0]{place}", True)


def test_a_sensor_without_a_number_gets_one_that_no_other_has(world):
    """Its packets go where the file says all the same."""
    link = {"destinationPort": 4000}
    items = [{"m_SensorUniqueID": number, "gc": {"udpConfig": link}} for number in (0, 1, 0)]
    orders = orders_from_sensor_set(read_sensor_set("set.json", json.dumps({"GPSList": items}).encode()), world)
    assert [command.sensor for command in orders.commands] == [2, 1, 3]
    assert {orders.links[number].destination[1] for number in (1, 2, 3)} == {4000}
    assert len([note for note in orders.notes if "m_SensorUniqueID" in note]) == 2


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"x": 1}', b"\xff", b'{"cameraList": 3}'])
def test_what_is_no_sensor_set_is_refused(content):
    with pytest.raises(InputError):
        read_sensor_set("bad.json", content)


def test_rates_are_whole_numbers_where_the_file_means_them():
    periods = [
        period_ns(value) for value in (0.033333335071802139, 0.10000000149011612, 0.019999999552965164, 0.3, 2.5)
    ]
    assert periods == [33_333_333, 100_000_000, 20_000_000, 300_000_000, 2_500_000_000]


@pytest.mark.parametrize("tangential", [(0.0, 0.0), (0.001, -0.002)])
def test_all_of_a_lens_is_saved(world, tangential):
    settings = CameraSettings(distortion=(-0.2, 0.04, 0.003), tangential=tangential)
    now = after(world, AddSensor(EGO, settings=settings))
    saved = read_sensor_set("saved.json", sensor_set_bytes(None, now, {}))
    back = after(world, *orders_from_sensor_set(saved, world).commands).mounts.all()[0].settings
    assert back.distortion == settings.distortion
    assert back.tangential == tangential


@pytest.mark.parametrize(
    ("numbers", "radial", "tangential", "notes"),
    [
        ([0.1, 0.2], (0.1, 0.2, 0.0), (0.0, 0.0), 0),
        ([0.1, 0.2, 0.3], (0.1, 0.2, 0.3), (0.0, 0.0), 0),
        ([0.1, 0.2, 0.01, 0.02], (0.1, 0.2, 0.0), (0.01, 0.02), 0),
        ([0.1, 0.2, 0.01, 0.02, 0.3], (0.1, 0.2, 0.3), (0.01, 0.02), 0),
        ([0.1, 0.2, 0.01, 0.02, 0.3, 0.4], (0.1, 0.2, 0.3), (0.01, 0.02), 1),
    ],
)
def test_a_lens_has_up_to_three_radial_numbers_or_those_of_opencv_in_its_order(
    world, numbers, radial, tangential, notes
):
    content = json.dumps({"cameraList": [{"m_SensorUniqueID": 1, "cc": {"lensDistortion": numbers}}]}).encode()
    orders = orders_from_sensor_set(read_sensor_set("lens.json", content), world)
    (command,) = orders.commands
    assert (command.settings.distortion, command.settings.tangential) == (radial, tangential)
    assert len([note for note in orders.notes if "lensDistortion" in note]) == notes
