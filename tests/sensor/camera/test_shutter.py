"""A rolling shutter slants what is upright, and an exposure blurs what moves, by as much as times and speeds say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.sensor.camera.camera import Camera
from dorosim.sensor.camera.setting import CameraModel
from dorosim.sensor.camera.shutter import CameraTravel, ShutterTimes, shoot_moving
from dorosim.sensor.pool import SerialPool
from dorosim.sensor.pose import Pose
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.view import SensorScene
from dorosim.world.mount.setting import CameraImage, CameraSettings
from tests.sensor.camera.cabin import SMALL, shots
from tests.sensor.camera.shot import NOON, turn
from tests.sensor.scene.build import box, instances, plane, pose

TICK = 0.01
WIDTH, HEIGHT = 640, 64
LENS = Camera(CameraModel(width=WIDTH, height=HEIGHT, instance=True))
FOCAL = LENS.settings.intrinsics[0]
WALL = SensorScene.from_meshes(plane(), [box((0.5, 20.0, 20.0), (0.0, 0.0, 0.0), Material.PLASTER)])
AWAY = 10.0
"""Distance of the wall's face [m]; its right edge is straight ahead."""


def picture(times: ShutterTimes, yaw_rate: float = 0.0, speed: float = 0.0):
    """A picture of the wall by a camera that turns, past which the wall moves to the left."""

    def view_at(share: float):
        return WALL.place(instances([pose(AWAY + 0.5, 20.0 + speed * TICK * (share - 1.0), 0.0)]))

    here, back = (Pose(np.array((0.0, 0.0, 1.0)), turn(yaw)) for yaw in (0.0, -yaw_rate * TICK))
    return shoot_moving(LENS, CameraTravel(back, here, TICK, view_at), NOON, times, SerialPool())


def edge(shot) -> np.ndarray:
    """Column at which the wall ends, for each row."""
    return np.asarray((shot.instance > 0).sum(axis=1), float)


def test_a_vertical_edge_slants_by_the_angle_that_yaw_rate_and_readout_time_say():
    rate, readout = 2.0, 0.03
    columns = edge(picture(ShutterTimes(readout, 1e-4, 1), yaw_rate=rate))
    slope, _ = np.polyfit(np.arange(HEIGHT), columns, 1)
    # the first rows are read while the camera still looks to the right, the wall's edge being to its left
    assert slope * HEIGHT == pytest.approx(FOCAL * math.tan(rate * readout), rel=0.05)
    assert np.ptp(edge(picture(ShutterTimes(0.0, 1e-4, 1), yaw_rate=rate))) <= 1.0


def test_what_moves_slants_as_a_camera_that_turns_sees_it():
    readout, speed = 0.02, 20.0  # earlier it reached farther to the right, so its front is what ends
    columns = edge(picture(ShutterTimes(readout, 1e-4, 1), speed=speed))
    slope, _ = np.polyfit(np.arange(HEIGHT), columns, 1)
    assert slope * HEIGHT == pytest.approx(-speed * readout / AWAY * FOCAL, rel=0.05)


def test_a_blurred_edge_is_as_wide_as_speed_times_exposure():
    exposure, speed = 0.02, 10.0
    still = picture(ShutterTimes(0.0, exposure, 1), speed=speed).rgb[20].mean(axis=1)
    blurred = picture(ShutterTimes(0.0, exposure, 16), speed=speed).rgb[20].mean(axis=1)
    low, high = sorted((float(still[WIDTH // 2 - 60]), float(still[WIDTH // 2 + 60])))

    def width(row: np.ndarray) -> int:
        return int(((row > low + 0.03 * (high - low)) & (row < high - 0.03 * (high - low))).sum())

    expected = speed * exposure / AWAY * FOCAL
    assert width(still) <= 2
    assert width(blurred) == pytest.approx(expected, rel=0.2)


def test_settings_reach_the_shutter_and_a_camera_that_stands_sees_no_difference():
    plain, rolling = (
        shots(CameraSettings(**SMALL, image=CameraImage.DEPTH, readout_time=time), count=1)[0] for time in (0.0, 0.03)
    )
    assert plain.depth.shape == rolling.depth.shape
    both = np.isfinite(plain.depth) & np.isfinite(rolling.depth)
    assert np.median(np.abs(plain.depth[both] - rolling.depth[both])) < 0.05
    image = shots(CameraSettings(**SMALL, readout_time=0.03, blur_samples=2, noise=True))[0].image
    assert image.shape == (120, 160, 3)
    assert image.mean() > 20.0
