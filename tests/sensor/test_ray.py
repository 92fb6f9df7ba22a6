"""Rays on request and ultrasonic cones against distances on paper."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.sensor.ray import cast_ray
from dorosim.sensor.scene.semantic import Semantic
from dorosim.sensor.ultrasonic import Ultrasonic, cone_directions
from dorosim.world.mount.setting import UltrasonicSettings
from tests.sensor.bench import body, mount_of, sensor_input
from tests.sensor.scene.build import box, plane, pose, scene_of

CAR = box((2.0, 0.9, 0.7), (0.0, 0.0, 0.8))


def test_a_ray_meets_the_nearest_thing_on_its_way():
    _, view = scene_of(plane(), [CAR], [pose(20.0, 0.0, 0.0), pose(40.0, 0.0, 0.0)])
    hit = cast_ray(view, (0.0, 0.0, 1.0), (5.0, 0.0, 1.0), 100.0)
    assert hit.distance == pytest.approx(18.0, abs=1e-4)
    assert hit.position == pytest.approx((18.0, 0.0, 1.0), abs=1e-4)
    assert hit.actor == 1
    beyond = cast_ray(view, (0.0, 0.0, 1.0), (5.0, 0.0, 1.0), 100.0, through=1)
    assert (beyond.distance, beyond.actor) == (pytest.approx(38.0, abs=1e-4), 2)
    ground = cast_ray(view, (0.0, 5.0, 1.0), (1.0, 5.0, 0.0), 100.0)
    assert (ground.distance, ground.actor) == (pytest.approx(math.sqrt(2.0), abs=1e-5), 0)


def test_a_ray_that_meets_nothing_or_goes_nowhere_is_none():
    _, view = scene_of(plane(), [CAR], [pose(20.0, 0.0, 0.0)])
    assert cast_ray(view, (0.0, 0.0, 1.0), (5.0, 0.0, 1.0), 10.0) is None, "farther than asked"
    assert cast_ray(view, (0.0, 0.0, 1.0), (0.0, 0.0, 2.0), 100.0) is None, "into the sky"
    for target in ((0.0, 0.0, 1.0), (math.nan, 0.0, 1.0), (math.inf, 0.0, 1.0)):
        assert cast_ray(view, (0.0, 0.0, 1.0), target, 100.0) is None


def test_a_hit_tells_the_surface_and_what_it_is_of():
    _, view = scene_of(plane(), [CAR], [pose(20.0, 0.0, 0.0)])
    rear = cast_ray(view, (0.0, 0.0, 1.0), (5.0, 0.0, 1.0), 100.0)
    assert rear.normal == pytest.approx((-1.0, 0.0, 0.0), abs=1e-6)
    assert rear.label is Semantic.SEDAN, "the class of the actor"
    road = cast_ray(view, (0.0, 5.0, 1.0), (1.0, 5.0, 0.0), 100.0)
    assert road.normal == pytest.approx((0.0, 0.0, 1.0), abs=1e-6)
    assert road.label is Semantic.ASPHALT, "the class of the material"
    below = cast_ray(view, (0.0, 5.0, -2.0), (0.0, 5.0, 0.0), 100.0)
    assert below.normal == pytest.approx((0.0, 0.0, -1.0), abs=1e-6), "on the side of the source"


def echo(view, settings=None, position=(0.0, 0.0, 0.5), angles=(0.0, 0.0, 0.0), actor=99, tick=1):
    mount = mount_of(settings or UltrasonicSettings(range_noise=0.0), actor=actor)
    inputs = sensor_input(mount, body(position), angles=angles, view=view, tick=tick, noise=Noise(3))
    return Ultrasonic(mount).read(inputs).distance


def test_a_wall_ahead_is_heard_at_its_distance_and_the_road_is_not():
    _, view = scene_of(plane(), [box((0.1, 20.0, 2.0), (3.1, 0.0, 2.0))], [pose(0.0, 0.0, 0.0)])
    assert echo(view) == pytest.approx(3.0, abs=1e-4)
    assert echo(view, angles=(0.0, 0.0, 0.3)) == pytest.approx(3.0, rel=0.01), "the nearest part of the cone"
    assert echo(view, angles=(0.0, 0.0, math.pi)) == math.inf, "the road is met at a grazing angle"
    assert echo(view, UltrasonicSettings(range=2.5, range_noise=0.0)) == math.inf


def test_the_nearest_of_several_is_heard_if_the_cone_holds_it():
    post = box((0.05, 0.05, 1.0), (0.0, 0.0, 1.0))
    scene, view = scene_of(plane(), [post], [pose(2.0, 0.6, 0.0), pose(3.0, 0.0, 0.0)])
    assert echo(view) == pytest.approx(math.hypot(1.95, 0.55), abs=0.05)
    narrow = UltrasonicSettings(fov=math.radians(10.0), vertical_fov=math.radians(10.0), range_noise=0.0)
    assert echo(view, narrow) == pytest.approx(2.95, abs=1e-4)
    del scene


def test_the_vehicle_that_carries_it_is_not_heard():
    _, view = scene_of(plane(), [CAR], [pose(0.0, 0.0, 0.0), pose(6.0, 0.0, 0.0)])
    assert echo(view, actor=1) == pytest.approx(4.0, abs=1e-3)
    assert echo(view, actor=99) == pytest.approx(2.0, abs=1e-3), "anybody else would hear its wall from within"


def test_noise_has_its_deviation_and_the_range_its_ends():
    _, view = scene_of(plane(), [box((0.1, 20.0, 2.0), (3.1, 0.0, 2.0))], [pose(0.0, 0.0, 0.0)])
    settings = UltrasonicSettings(range_noise=0.02)
    found = np.array([echo(view, settings, tick=tick) for tick in range(400)])
    assert found.mean() == pytest.approx(3.0, abs=0.005)
    assert found.std() == pytest.approx(0.02, rel=0.12)
    assert echo(view, UltrasonicSettings(range_noise=0.0), position=(2.9, 0.0, 0.5)) == 0.2, "never below the least"


def test_a_cone_is_filled_evenly_up_to_its_rim():
    directions = cone_directions(math.radians(60.0), math.radians(30.0), 192)
    azimuth = np.arctan2(directions[:, 1], directions[:, 0])
    elevation = np.arcsin(directions[:, 2])
    assert np.abs(azimuth).max() == pytest.approx(math.radians(30.0), rel=0.05)
    assert np.abs(elevation).max() == pytest.approx(math.radians(15.0), rel=0.05)
    inside = np.hypot(azimuth / math.radians(30.0), elevation / math.radians(15.0))
    assert (inside <= 1.0 + 1e-12).all()
    assert np.count_nonzero(inside < math.sqrt(0.5)) == pytest.approx(96, abs=2), "half of them in half of the area"
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1.0)
