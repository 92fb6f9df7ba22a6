"""The 2D lidar in a room."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.sensor.lidar.planar import PlanarLidar
from dorosim.wire.device.lidar_2d import NO_RETURN_MM, Lidar2dPacket, decode_lidar_2d, encode_lidar_2d
from dorosim.world.mount.setting import Lidar2dSettings, problem_of_settings
from tests.sensor.lidar.place import POSITION, distance_to_walls, room, turned
from tests.sensor.scene.build import box, pose, scene_of


def test_rays_go_to_the_left_degree_by_degree():
    scene, view = room()
    assert scene
    rotation = turned(0.5)
    reading = PlanarLidar(3, Lidar2dSettings(range_noise=0.0, range=65.0)).scan(view, POSITION, rotation, 5, Noise(1))
    data = encode_lidar_2d(Lidar2dPacket(reading.distance_mm, reading.intensity))
    metres = 0.001 * decode_lidar_2d(data).distance_mm
    angle = np.radians(np.arange(360))
    local = np.stack((metres * np.cos(angle), metres * np.sin(angle), np.zeros(360)), axis=1)
    assert distance_to_walls(local @ rotation.T + POSITION).max() < 0.001
    assert reading.intensity.max() <= 35


def test_no_return_is_ten_metres():
    scene, view = scene_of(box((5.0, 50.0, 5.0)))
    assert scene
    reading = PlanarLidar(3, Lidar2dSettings()).scan(view, np.zeros(3), np.eye(3), 5, Noise(1))
    assert reading.distance_mm[90] == NO_RETURN_MM
    assert reading.intensity[90] == 0
    assert int(reading.distance_mm[0]) == pytest.approx(5000, abs=60)


def test_the_body_that_carries_it_is_not_seen():
    scene, view = scene_of(box((5.0, 5.0, 5.0)), [box((2.0, 1.0, 1.0))], [pose(0.0, 0.0, 0.0)])
    assert scene
    lidar = PlanarLidar(3, Lidar2dSettings(range_noise=0.0))
    inside, carried = (lidar.scan(view, np.zeros(3), np.eye(3), 5, Noise(1), own).distance_mm[0] for own in (0, 1))
    assert (int(inside), int(carried)) == (2000, 5000)


def test_noise_is_drawn_anew_at_each_time():
    scene, view = scene_of(box((5.0, 5.0, 5.0)))
    assert scene
    lidar = PlanarLidar(3, Lidar2dSettings(range_noise=0.02))
    scans = np.array(
        [lidar.scan(view, np.zeros(3), np.eye(3), time, Noise(1)).distance_mm for time in range(40)], float
    )
    assert 0.001 * scans.std(axis=0).mean() == pytest.approx(0.02, rel=0.05)
    np.testing.assert_array_equal(scans[3], lidar.scan(view, np.zeros(3), np.eye(3), 3, Noise(1)).distance_mm)


def test_a_range_that_a_packet_has_no_room_for_ends_at_65_metres():
    assert PlanarLidar(3, Lidar2dSettings(range=70.0)).farthest == 65.0


@pytest.mark.parametrize("wrong", [{"range": 1.0}, {"range_noise": -1.0}, {"range_noise": 11.0}, {"intensity": "x"}])
def test_settings_that_cannot_be(wrong):
    assert problem_of_settings(Lidar2dSettings(**wrong))
