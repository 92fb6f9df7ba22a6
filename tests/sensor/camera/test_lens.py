"""Projection: points to pixels, pixels to rays."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.sensor.camera.lens import Lens, distorted
from dorosim.sensor.camera.mounted import camera_setting
from dorosim.sensor.camera.setting import CameraModel
from dorosim.world.mount.setting import CameraSettings as MountSettings

BARREL = (-0.31, 0.12, 0.001, -0.0005, -0.02)
"""Of a common wide-angle lens."""


def test_a_pinhole_projects_as_clients_do():
    """f = w / (2 tan(fov / 2)), c = (w / 2, h / 2) (facts/udp-wire.md, 5.2)."""
    lens = Lens.of(CameraModel(width=640, height=480, field_of_view=math.radians(90.0)))
    points = np.array([(0.0, 0.0, 5.0), (1.0, 0.0, 2.0), (0.0, -3.0, 10.0)])
    assert lens.pixel_from_point(points) == pytest.approx(np.array([(320, 240), (480, 240), (320, 144)]))


def test_distortion_at_a_point_reckoned_by_hand():
    """x = 0.5, y = 0: radial 1 + k1 / 4 + k2 / 16 + k3 / 64, tangential p2 (1 / 4 + 2 / 4), p1 / 4."""
    k1, k2, p1, p2, k3 = BARREL
    out = distorted(np.array([0.5, 0.0]), np.array(BARREL))
    radial = 1 + k1 / 4 + k2 / 16 + k3 / 64
    assert out == pytest.approx([0.5 * radial + p2 * 0.75, p1 * 0.25])


@pytest.mark.parametrize("distortion", [(0.0,) * 5, BARREL, (0.2, 0.05, -0.001, 0.002, 0.0)])
def test_rays_come_back_to_their_pixels(distortion):
    lens = Lens.of(
        CameraModel(width=320, height=200, field_of_view=1.2, principal_point=(150.0, 110.0), distortion=distortion)
    )
    table = lens.ray_table(1)[0].astype(float)
    rays = np.stack((table[0], table[1], np.ones_like(table[0])), axis=-1)[:, :320]
    x, y = np.meshgrid(np.arange(320) + 0.5, np.arange(200) + 0.5)
    error = np.abs(lens.pixel_from_point(rays) - np.stack((x, y), axis=-1)).max()
    assert error < 1e-3


def test_a_ray_table_is_filled_up_to_whole_packets():
    lens = Lens.of(CameraModel(width=100, height=3))
    table = lens.ray_table(4)
    assert table.shape == (4, 2, 3, 112)
    assert np.all(table[0, :, :, 100:] == table[0, :, :, 99:100])
    pixel = table[:, 0, 1, 50] * lens.focal[0] + lens.centre[0] - 50.5
    assert pixel[0] == pytest.approx(0.0, abs=1e-4)
    assert np.abs(pixel).max() < 0.5


def test_a_lens_that_folds_the_picture_is_refused():
    lens = Lens.of(CameraModel(field_of_view=math.radians(120.0), distortion=(-0.4, 0.0, 0.0, 0.0, 0.0)))
    with pytest.raises(InputError, match="folds"):
        lens.ray_table(1)


def test_points_beyond_the_fold_are_outside_the_picture():
    settings = CameraModel(field_of_view=math.radians(60.0), distortion=(-0.25, 0.0, 0.0, 0.0, 0.0))
    lens = Lens.of(settings)
    lens.ray_table(1)
    far_aside = lens.pixel_from_point(np.array([(5.0, 0.0, 1.0), (-40.0, 1.0, 1.0), (0.0, 8.0, 1.0)]))
    assert far_aside[0, 0] > settings.width
    assert far_aside[1, 0] < 0
    assert far_aside[2, 1] > settings.height


def test_a_mount_hands_on_all_of_its_distortion():
    mounted = camera_setting(MountSettings(distortion=(-0.2, 0.04, 0.003), tangential=(0.001, -0.002)))
    assert mounted.distortion == (-0.2, 0.04, 0.001, -0.002, 0.003)
