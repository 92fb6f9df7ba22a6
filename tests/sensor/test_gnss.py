"""Fixes against PROJ and its geodesics, their errors against what is stated, and places without reception."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pyproj import Geod, Transformer

from dorosim.ground.noise import Noise
from dorosim.road.projection import MapProjection
from dorosim.sensor.gnss import Gnss, is_inside
from dorosim.world.environment.command import PlaceShade
from dorosim.world.environment.gnss_denied_area import ShadeTable
from dorosim.world.mount.denied_area import DeniedCircle, DeniedPolygon
from dorosim.world.mount.setting import GpsSettings
from tests.sensor.bench import body, mount_of, sensor_input
from tests.world.effect import changed

ORIGIN = (302459.942, 4122635.537, 28.989)
PROJECTION = MapProjection("UTM52N", ORIGIN)
TO_WGS84 = Transformer.from_crs("EPSG:32652", "OGC:CRS84", always_xy=True)


def fix(settings=None, moving=None, place=(0.0, 0.0, 0.0), tick=0, drift=()):
    mount = mount_of(settings or GpsSettings(), drift=drift)
    return Gnss(mount, PROJECTION).read(sensor_input(mount, moving, place=place, tick=tick, noise=Noise(2)))


def test_the_place_is_that_of_the_antenna():
    moving = body(position=(10.0, 20.0, 1.0), angles=(0.0, 0.0, math.pi / 2))
    reading = fix(moving=moving, place=(1.5, 0.5, 1.3))
    assert (reading.east, reading.north) == pytest.approx((ORIGIN[0] + 9.5, ORIGIN[1] + 21.5))
    longitude, latitude = TO_WGS84.transform(ORIGIN[0] + 9.5, ORIGIN[1] + 21.5)
    found = math.degrees(reading.latitude), math.degrees(reading.longitude)
    assert found == pytest.approx((latitude, longitude), abs=1e-11)
    assert reading.altitude == pytest.approx(28.989 + 2.3)


@pytest.mark.parametrize("yaw", [0.0, 1.0, 2.5, -2.0])
def test_the_course_is_that_over_the_ellipsoid_from_true_north(yaw):
    reading = fix(moving=body(angles=(0.0, 0.0, yaw), velocity=(15.0, 0.0, 0.0)))
    ahead = np.array(ORIGIN[:2]) + 15.0 * np.array((math.cos(yaw), math.sin(yaw)))
    here, there = TO_WGS84.transform(*ORIGIN[:2]), TO_WGS84.transform(*ahead)
    azimuth, _, way = Geod(ellps="WGS84").inv(*here, *there)
    assert math.degrees(reading.course) == pytest.approx(azimuth % 360, abs=2e-3)
    assert reading.speed == pytest.approx(15.0)
    assert way == pytest.approx(15.0, rel=1e-3)
    assert abs(math.degrees(math.pi / 2 - yaw) % 360 - azimuth % 360) > 0.5, "grid north is not true north"


def test_in_reverse_the_course_is_backwards_and_at_rest_the_nose():
    forward = fix(moving=body(velocity=(5.0, 0.0, 0.0)))
    backward = fix(moving=body(velocity=(-5.0, 0.0, 0.0)))
    resting = fix(moving=body())
    assert abs(backward.course - forward.course) == pytest.approx(math.pi, abs=1e-5)
    assert resting.course == pytest.approx(forward.course)


def test_errors_are_white_noise_and_the_slow_error_of_the_snapshot():
    settings = GpsSettings(white=(0.5, 0.2, 1.0), velocity_white=(0.1, 0.0, 0.0))
    readings = [fix(settings, tick=tick, drift=(3.0, 0.0, -2.0)) for tick in range(5000)]
    positions = np.array([(one.east, one.north, one.altitude) for one in readings]) - ORIGIN
    np.testing.assert_allclose(positions.mean(axis=0), (3.0, 0.0, -2.0), atol=0.04)
    np.testing.assert_allclose(positions.std(axis=0), (0.5, 0.2, 1.0), rtol=0.03)
    lag = np.corrcoef(positions[1:, 0], positions[:-1, 0])[0, 1]
    assert abs(lag) < 0.05, "fixes know nothing of each other"
    assert np.mean([reading.speed**2 for reading in readings]) == pytest.approx(0.01, rel=0.05)


def test_without_reception_there_is_no_place():
    areas = (DeniedCircle(centre=(100.0, 0.0), radius=10.0), DeniedPolygon(corners=((0, 50), (20, 50), (10, 70))))
    settings = GpsSettings(denied=areas)
    for place, denied in (((95, 0, 0), True), ((80, 0, 0), False), ((10, 55, 0), True), ((2, 65, 0), False)):
        reading = fix(settings, body(position=place))
        assert reading.denied is denied
        assert (reading.latitude == 0.0) is denied


def test_areas_have_heights_and_may_be_concave():
    tunnel = DeniedPolygon(corners=((0, 0), (10, 0), (10, 10), (5, 2), (0, 10)), low=-5.0, high=0.0)
    assert is_inside(tunnel, 1.0, 5.0, -1.0)
    assert not is_inside(tunnel, 5.0, 5.0, -1.0), "in the notch"
    assert not is_inside(tunnel, 1.0, 5.0, 3.0), "on the bridge above"


def test_no_receiver_has_a_fix_in_a_shaded_area_of_the_world():
    placed = PlaceShade(alias=7, position=(100.0, 0.0, 3.0), rotation=(0.0, 0.0, math.pi / 2), size=(40.0, 6.0, 8.0))
    shade, problem = changed("shade", ShadeTable.zeros(0), placed)
    assert not problem
    mount = mount_of(GpsSettings())
    for place, denied in (
        ((102.9, 19.9, 0.0), True),
        ((97.1, -19.9, 6.9), True),
        ((103.1, 0.0, 0.0), False),
        ((100.0, 20.1, 0.0), False),
        ((100.0, 0.0, 7.1), False),
    ):
        reading = Gnss(mount, PROJECTION).read(sensor_input(mount, body(position=place), shade=shade))
        assert reading.denied is denied, place
