"""Projects that MORAI SIM saved: centimetres become metres, Unreal's axes those of REP-103, interfaces addresses."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.scenario.morai.project import Interface, InterfaceEntity, read_interfaces, read_project
from dorosim.scenario.sensor_set.project import sensor_set_of_project
from dorosim.scenario.sensor_set.read import command_of, items_of
from dorosim.world.mount.setting import CameraImage, SensorKind
from tests.scenario.project_sensor import sensor

TURN = math.sqrt(0.5)


def made(*sensors, interfaces=None, **more):
    project = read_project("a.mproj", json.dumps({"sensorList": sensors} | more).encode())
    found, notes = read_interfaces(project, interfaces)
    result = sensor_set_of_project("a.mproj", project, found)
    return [(kind, command_of(item, kind, 1), item) for _, kind, item in items_of(result.file)], (*notes, *result.notes)


def test_a_camera_is_where_the_project_has_it():
    ((kind, command, item),), notes = made(sensor(at=(160, 25, 150)))
    assert (kind, command.period, notes) == (SensorKind.CAMERA, 20_000_000, ())
    # 25 cm to the right
    assert command.position == pytest.approx((1.6, -0.25, 1.5))
    assert command.settings.focal_length == (320.0, 320.0)
    assert math.degrees(command.settings.fov) == pytest.approx(90.0)
    assert item.block.name == "Camera_1"


def test_pictures_of_a_camera_go_as_its_template_says():
    sensors = [sensor(), sensor("Camera_2"), sensor("Imu_1", kind="BP_SensorIMU_C")]
    project = read_project("a.mproj", json.dumps({"sensorList": sensors}).encode())
    interfaces = [
        Interface(name=f"of {one}", entities=(InterfaceEntity(name=one),)) for one in ("Camera_1", "Camera_2", "Imu_1")
    ]
    made_of = sensor_set_of_project("a.mproj", project, interfaces, pictures=["of Camera_1", "of Imu_1"])
    assert made_of.sized == {1}
    assert not any("of Camera_1" in note for note in made_of.notes)
    assert any("of Camera_2" in note and "not of its template" in note for note in made_of.notes)


def test_axes_are_those_of_the_body_frame():
    """Turning a vector in Unreal's frame and mirroring it is mirroring it and turning it in ours."""
    generator = np.random.default_rng(5)
    for _ in range(20):
        turn = generator.normal(size=4)
        turn /= np.linalg.norm(turn)
        ((_, command, _),), _ = made(sensor(turn=turn.tolist()))
        roll, pitch, yaw = command.rotation
        ours = _matrix("z", yaw) @ _matrix("y", pitch) @ _matrix("x", roll)
        mirror = np.diag([1.0, -1.0, 1.0])
        assert ours == pytest.approx(mirror @ _turned(turn) @ mirror, abs=1e-8)


def _turned(turn):
    """The matrix of a quaternion (x, y, z, w); it has the same form in left-handed axes."""
    x, y, z, w = turn
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def _matrix(axis, angle):
    cosine, sine = math.cos(angle), math.sin(angle)
    return {
        "x": np.array([[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]]),
        "y": np.array([[cosine, 0, sine], [0, 1, 0], [-sine, 0, cosine]]),
        "z": np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]]),
    }[axis]


def test_a_turn_to_the_right_is_one_to_the_right():
    """In Unreal's axes z is up and y right, so a positive turn about z goes to the right."""
    ((_, command, _),), _ = made(sensor(turn=(0, 0, TURN, TURN)))
    assert math.remainder(command.rotation[2], math.tau) == pytest.approx(-math.pi / 2)


@pytest.mark.parametrize(
    ("keys", "image"),
    [
        ({"imageType_Semantic": True}, CameraImage.SEMANTIC),
        ({"imageType_Instance": True}, CameraImage.INSTANCE),
        ({"imageType_Depth": True}, CameraImage.DEPTH),
        ({"imageType_Raw": True}, CameraImage.RGB),
    ],
)
def test_what_pictures_show(keys, image):
    ((_, command, _),), _ = made(sensor(**keys))
    assert command.settings.image is image


def test_packets_go_where_the_interface_says():
    interface = {
        "interface": {
            "name": "cam",
            "destinationAddr": {"ip": "10.0.0.7", "port": 9090},
            "entityList": [{"id": "Camera_1"}],
        }
    }
    files = {"cam.json": json.dumps(interface).encode()}
    listed = [{"name": "cam", "path": "cam.json"}, {"name": "gone", "path": "gone.json"}]

    def read(name):
        if name not in files:
            raise InputError(name, "", "is not there")
        return name, files[name]

    ((_, _, item),), notes = made(sensor(), interfaces=read, interfaceList=listed)
    assert (item.block.udp.destination, item.block.udp.destination_port) == ("10.0.0.7", 9090)
    assert ["'gone' is left out" in one for one in notes] == [True, False]


def test_what_is_a_guess_or_left_out_is_noted():
    found, notes = made(
        sensor("Lidar_1", "BP_SensorLidar3D_C"),
        sensor("Nose", "BP_SensorNose_C"),
        sensor("Other", parent="Car_2"),
        sensor("Blurred", motionBlur=True),
    )
    assert [kind for kind, _, _ in found] == [SensorKind.CAMERA, SensorKind.LIDAR_3D]
    assert [
        word in note for word, note in zip(("guess", "no sensor here", "not the ego", "blur"), notes, strict=True)
    ] == [True] * 4


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{", "is not JSON"),
        (b"[]", "expected an object"),
        (b"{}", "this is not a project"),
        (b'{"sensorList": [3]}', "expected an object"),
        (json.dumps({"sensorList": [sensor(turn=(0, 0, 0, 0))]}).encode(), "no quaternion"),
        (json.dumps({"sensorList": [sensor(focalLength=-1)]}).encode(), "focal length of a camera"),
        (json.dumps({"sensorList": [sensor(at=(math.nan, 0, 0))]}).encode(), "not a finite number"),
    ],
)
def test_what_is_no_project_is_one_clear_error(content, problem):
    with pytest.raises(InputError, match=problem):
        sensor_set_of_project("a.mproj", read_project("a.mproj", content))
