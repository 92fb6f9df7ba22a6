"""Ground truth against actors whose places and motions are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.sensor.truth import GroundTruth, is_within
from dorosim.world.mount.setting import GroundTruthSettings, TruthShape
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.traffic.state import Presence
from tests.sensor.bench import body, mount_of, sensor_input
from tests.sensor.crowd import CAR_SIZE, MIDDLE, SCENE, Crowd

EVERYWHERE = {"range_max": 1000.0, "vertical_fov": math.pi - 0.01}


def read(crowd: Crowd, moving=None, angles=(0.0, 0.0, 0.0), place=(0.0, 0.0, 0.0), **settings):
    mount = mount_of(GroundTruthSettings(**{**EVERYWHERE, **settings}), actor=1)
    inputs = sensor_input(mount, moving, angles=angles, place=place, now=crowd.now(), scene=SCENE)
    return GroundTruth(mount, SCENE).read(inputs)


def street() -> Crowd:
    crowd = Crowd()
    crowd.ego(0.0, 0.0)
    crowd.npc(30.0, 0.0, math.pi / 2, speed=10.0, acceleration=2.0, yaw_rate=0.1)
    crowd.ego(-10.0, 5.0, math.pi, velocity_x=3.0, acceleration=(1.0, 0.5, 0.0))
    crowd.person(5.0, 3.0, yaw=0.5, velocity_x=0.0, velocity_y=1.2, acceleration_x=0.1)
    crowd.obstacle(50.0, -2.0, size=(2.0, 1.0, 0.5), velocity_x=1.0)
    crowd.npc(7.0, 7.0, present=Presence.OFF_MAP)
    crowd.npc(8.0, 7.0, plan_of_ego=1)
    return crowd


def test_everybody_but_oneself_and_who_is_nowhere_the_nearest_first():
    reading = read(street())
    assert reading.actor.tolist() == [4, 3, 2, 5]
    assert reading.kind.tolist() == [2, 3, 1, 4], "pedestrian, ego vehicle, vehicle, obstacle"
    names = (PEDESTRIAN_MODELS[0].name, *(SCENE.models[0].name,) * 2, OBSTACLE_MODELS[-1].name)
    assert reading.name == names


def test_poses_motions_and_sizes_in_the_map():
    reading = read(street())
    row = reading.actor.tolist().index(2)
    assert reading.position[row] == pytest.approx((30.0, 0.0, 0.0)), "the centre of its rear axle"
    assert reading.velocity[row] == pytest.approx((0.0, 10.0, 0.0), abs=1e-12)
    assert reading.acceleration[row] == pytest.approx((-10.0 * 0.1, 2.0, 0.0)), "forward, and to the left by its turn"
    assert (reading.heading[row], tuple(reading.size[row])) == (pytest.approx(math.pi / 2), CAR_SIZE)
    row = reading.actor.tolist().index(3)
    assert reading.velocity[row] == pytest.approx((-3.0, 0.0, 0.0), abs=1e-12)
    assert reading.acceleration[row] == pytest.approx((-1.0, -0.5, 0.0))
    row = reading.actor.tolist().index(4)
    assert reading.velocity[row] == pytest.approx((0.0, 1.2, 0.0))
    assert reading.acceleration[row] == pytest.approx((0.1, 0.0, 0.0))
    row = reading.actor.tolist().index(5)
    assert reading.velocity[row] == pytest.approx((1.0, 0.0, 0.0))


def test_the_same_in_the_frame_of_the_sensor():
    moving = body(position=(1.0, 2.0, 0.0), angles=(0.0, 0.0, math.pi / 2))
    reading = read(street(), moving, angles=(0.0, 0.0, -math.pi / 2), place=(2.0, 0.0, 1.5))
    row = reading.actor.tolist().index(2)
    assert reading.position_in_sensor[row] == pytest.approx((29.0, -4.0, -1.5)), "it looks east from (1, 4, 1.5)"
    assert reading.velocity_in_sensor[row] == pytest.approx((0.0, 10.0, 0.0), abs=1e-9)
    assert reading.heading_in_sensor[row] == pytest.approx(math.pi / 2)
    reading = read(street(), moving)
    row = reading.actor.tolist().index(2)
    assert reading.position_in_sensor[row] == pytest.approx((-2.0, -29.0, 0.0))
    assert reading.velocity_in_sensor[row] == pytest.approx((10.0, 0.0, 0.0), abs=1e-9)
    assert reading.acceleration_in_sensor[row] == pytest.approx((2.0, 1.0, 0.0))
    assert reading.heading_in_sensor[row] == pytest.approx(0.0, abs=1e-12)


def test_filter_and_most():
    assert read(street(), filter=(2, 4)).actor.tolist() == [4, 5]
    assert read(street(), most=2).actor.tolist() == [4, 3]
    assert read(street(), filter=(1,), most=5).actor.tolist() == [2]
    assert read(street(), filter=(9,)).actor.tolist() == [], "a kind of which there are none"


def test_the_middle_of_the_box_decides():
    crowd = Crowd()
    crowd.ego(0.0, 0.0)
    crowd.npc(50.0 - MIDDLE, 0.0)
    assert len(read(crowd, range_max=50.01).actor) == 1
    assert len(read(crowd, range_max=49.99).actor) == 0


def test_a_cylinder_is_round_and_as_high_as_its_field_of_view():
    points = np.array([(9.9, 0, 0), (-7, 7, 0), (7.2, 7.2, 0), (0, 5, 2.8), (0, 5, 3.0), (0, 5, -2.8)], np.float64)
    settings = GroundTruthSettings(shape=TruthShape.CYLINDER, range_max=10.0, vertical_fov=math.radians(60.0))
    assert is_within(settings, points).tolist() == [True, True, False, True, False, True]


def test_a_cone_has_two_angles_and_two_distances():
    settings = GroundTruthSettings(
        shape=TruthShape.CONE, range_min=5.0, range_max=20.0, fov=math.radians(90.0), vertical_fov=math.radians(20.0)
    )
    points = np.array([(10, 0, 0), (4, 0, 0), (21, 0, 0), (10, 9.9, 0), (10, 10.1, 0), (10, 0, 1.7), (10, 0, 1.8)])
    assert is_within(settings, points).tolist() == [True, False, False, True, False, True, False]
    assert not is_within(settings, np.array([(-10.0, 0.0, 0.0)])).any()


def test_a_paused_vehicle_stands():
    crowd = Crowd()
    crowd.ego(0.0, 0.0)
    crowd.ego(10.0, 0.0, velocity_x=5.0, paused=1)
    assert not read(crowd).velocity.any()
