"""Sensors and rays over a real socket, while the run goes on and several clients ask at once."""

from __future__ import annotations

import math
import threading

import grpc
import numpy as np
import pytest

from dorosim.app.serve.host.ray_caster import HostRayCaster
from dorosim.sensor.scene.static.signal import SignalLamps
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.sensor.scene.view import SensorScene
from tests.endpoint.grpc.peer import Peer, served
from tests.sensor.scene.build import plane

NO_LIGHTS = SignalLamps(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 3)), np.zeros((0, 3)))
AWAY = 40.0


@pytest.fixture(scope="module")
def peer(tmp_path_factory):
    with served(tmp_path_factory.mktemp("data")) as made:
        yield made


def ahead(peer: Peer, distance: float) -> dict[str, float]:
    """A place before the ego vehicle, above the ground."""
    ego = peer.loop.now.vehicle
    x, y, yaw = float(ego.x[0]), float(ego.y[0]), float(ego.yaw[0])
    return {"x": x + distance * math.cos(yaw), "y": y + distance * math.sin(yaw), "z": float(ego.z[0])}


def test_what_one_api_makes_the_other_sees_and_a_ray_meets(peer):
    scene = peer.loop.scene
    flat = StaticWorld(plane(half=2000.0), NO_LIGHTS)
    peer.around.cast = HostRayCaster(lambda: None, lambda: SensorScene.from_scene(scene, flat)).cast
    one = {"unique_id": "crate", "position": ahead(peer, AWAY), "obstacle_name": "box"}
    (made,) = peer.ask("CreateObstacle", "some.Package", req_list=[one | {"scale": {"x": 3, "y": 3, "z": 3}}]).res_list
    assert (made.result, made.display_name) == (True, "crate")
    mounted = peer.ask("Sensor/AddSensor", vehicle_id={"id": {"value": "Ego"}}, sensor_type="SENSOR_TYPE_GROUNDTRUTH")
    assert mounted.status == 1, mounted
    asked = {"req_list": [{"unique_id": "Ego", "sensor_id": mounted.custom_message}]}
    (truth,) = peer.ask("GetGroundTruthData", "some.Package", **asked).res_list
    assert [one.unique_id for one in truth.data] == ["crate"]
    assert truth.data[0].size.x == 3.0

    sky = ahead(peer, 0.0) | {"z": 900.0}
    up = peer.ask("Util/RayCast", timeout=60.0, source=sky, target=sky | {"z": 901.0}, max_dist=10.0)
    assert up.value == math.inf, "the first ray waits for the geometry, and kernels that may have to be compiled"

    told: list[tuple[float, int]] = []

    def ask() -> None:
        for _ in range(10):
            eye, goal = ahead(peer, 10.0), ahead(peer, AWAY)
            eye["z"], goal["z"] = eye["z"] + 1.0, goal["z"] + 1.0
            far = peer.ask("Util/RayCast", source=eye, target=goal, max_dist=100.0).value
            seen = peer.ask("Sensor/GetSensorData", vehicle_info={}, sensor_id={"value": mounted.custom_message})
            told.append((far, len(seen.ground_truth.data)))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(told) == 30
    for far, count in told:
        assert AWAY - 10.0 - 3.0 < far < AWAY - 10.0
        assert count == 1


@pytest.mark.parametrize(
    ("name", "fields", "told"),
    [
        ("Sensor/GetSensorData", {"sensor_id": {"value": "99"}}, "no sensor '99'"),
        ("Sensor/GetSensorInfos", {"id": {"value": "nobody"}}, "no vehicle 'nobody'"),
        ("CreatePedestrian", {"req_list": [{"velocity": "NaN"}]}, "velocity is NaN"),
    ],
)
def test_what_cannot_be_answered_ends_with_a_sentence(peer, name, fields, told):
    with pytest.raises(grpc.RpcError) as error:
        peer.ask(name, **fields)
    assert error.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert told in error.value.details()
