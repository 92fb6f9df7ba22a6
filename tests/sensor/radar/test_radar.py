"""Radar detections against geometry and the radar equation on paper."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.mesh import Mesh
from dorosim.ground.noise import Noise
from dorosim.ground.rotation import rotation_from_angles
from dorosim.sensor.radar.cross_section import cross_section
from dorosim.sensor.radar.radar import CLUTTER, THRESHOLD, Radar
from dorosim.world.collision.body import BodyKind
from dorosim.world.mount.setting import RadarSettings
from tests.sensor.bench import body, mount_of, sensor_input
from tests.sensor.crowd import CAR_SIZE, MIDDLE, SCENE, Crowd, boxes_in_embree
from tests.sensor.scene.build import box, plane

EXACT = {"range_noise": 0.0, "rate_noise": 0.0, "azimuth_noise": 0.0, "clutter": 0.0, "fluctuation": False}
WIDE = {"fov": math.radians(120.0), "vertical_fov": math.radians(30.0)}
REAR = CAR_SIZE[0] / 2 - MIDDLE
"""From the origin of a car to its rear bumper."""


def read(crowd: Crowd, moving=None, *, static=None, tick=1, seed=1, angles=(0.0, 0.0, 0.0), **settings):
    now = crowd.now(tick)
    _scene, view = boxes_in_embree(now, static)
    mount = mount_of(RadarSettings(**{**EXACT, **WIDE, **settings}), actor=1)
    inputs = sensor_input(
        mount,
        moving or body(),
        place=(0.0, 0.0, 0.5),
        angles=angles,
        now=now,
        scene=SCENE,
        view=view,
        tick=tick,
        noise=Noise(seed),
    )
    return Radar(mount).read(inputs)


def road(*cars: tuple[float, float, float]) -> Crowd:
    """An ego at the origin, and NPC vehicles (x, y, speed) along the road."""
    crowd = Crowd()
    crowd.ego(0.0, 0.0)
    for x, y, speed in cars:
        crowd.npc(x, y, speed=speed)
    return crowd


def test_a_car_ahead_is_one_detection_at_its_rear():
    reading = read(road((40.0, 0.0, 12.0)), body(velocity=(20.0, 0.0, 0.0)))
    assert reading.actor.tolist() == [2]
    assert reading.distance[0] == pytest.approx(40.0 - REAR, abs=0.15), "its edges are rounded"
    assert reading.azimuth[0] == pytest.approx(0.0, abs=1e-9)
    assert reading.range_rate[0] == pytest.approx(-8.0, abs=0.01), "it comes nearer"
    assert reading.point[0] == pytest.approx((40.0 - REAR, 0.0, 0.1), abs=0.15)


def test_range_rate_is_the_derivative_of_the_distance():
    crowd = Crowd()
    crowd.ego(0.0, 0.0)
    crowd.npc(30.0, 10.0, 2.0, speed=9.0, yaw_rate=0.4)
    moving = body(velocity=(15.0, 0.0, 0.0), rate=(0.0, 0.0, 0.2))
    reading = read(crowd, moving, cluster=0.0)
    middle, heading, step = np.array((30.0, 10.0)), 2.0, 1e-5
    heading_vector = np.array((math.cos(heading), math.sin(heading)))
    for point, rate in zip(reading.point, reading.range_rate, strict=True):
        arm = point[:2] - middle
        velocity = 9.0 * heading_vector + 0.4 * np.array((-arm[1], arm[0])) - (15.0, 0.0)
        later = np.linalg.norm((*(point[:2] + velocity * step), point[2]))
        assert rate == pytest.approx((later - np.linalg.norm(point)) / step, abs=1e-3)


def test_azimuth_is_left_positive_and_turns_with_the_mount():
    crowd = road((30.0, 12.0, 0.0))
    straight, turned = read(crowd), read(crowd, angles=(0.0, 0.0, 0.3))
    assert straight.azimuth[0] == pytest.approx(math.atan2(12.0, 30.0), abs=0.05)
    assert turned.azimuth[0] == pytest.approx(straight.azimuth[0] - 0.3, abs=1e-9)
    rebuilt = rotation_from_angles(0.0, 0.0, 0.3) @ turned.point[0]
    np.testing.assert_allclose(rebuilt, straight.point[0], atol=1e-9)


def test_field_of_view_and_range():
    crowd = road((40.0, 0.0, 0.0), (20.0, 45.0, 0.0), (-30.0, 0.0, 0.0), (180.0, 0.0, 0.0))
    assert read(crowd, sensitivity=-40.0).actor.tolist() == [2]
    assert read(crowd, sensitivity=-40.0, range=250.0).actor.tolist() == [2], "the far one is behind the near one"
    aside = road((40.0, -4.0, 0.0), (180.0, 2.0, 0.0))
    assert read(aside, sensitivity=-40.0, range=250.0).actor.tolist() == [2, 3]
    assert read(crowd, angles=(0.0, -0.5, 0.0), sensitivity=-40.0).actor.tolist() == [], "it looks over them"


def test_what_is_hidden_is_not_detected_and_what_is_half_hidden_is_weaker():
    free = read(road((60.0, 4.0, 0.0)))
    hidden = read(road((60.0, 4.0, 0.0), (29.0, 2.0, 0.0)))
    assert 2 in free.actor.tolist()
    assert hidden.actor.tolist() == [3]
    wall = Mesh.joined((plane(half=1000.0), box((0.2, 3.0, 2.0), (30.0, 5.0, 2.0))))
    half = read(road((60.0, 4.0, 0.0)), static=wall)
    assert half.actor.tolist() == [2]
    assert half.amplitude[0] < free.amplitude[0] - 1.0
    assert half.azimuth[0] < free.azimuth[0], "what is seen of it is its right side"


def test_the_amplitude_falls_with_the_fourth_power_of_the_distance():
    near, far = (read(road((x + REAR, 0.0, 0.0)), sensitivity=-30.0) for x in (50.0, 100.0))
    assert near.amplitude[0] - far.amplitude[0] == pytest.approx(40.0 * math.log10(2.0), abs=0.1)
    assert near.cross_section[0] == pytest.approx(far.cross_section[0], abs=0.2)
    wanted = THRESHOLD + far.cross_section[0] + 30.0 - 40.0 * math.log10(far.distance[0] / 150.0)
    assert far.amplitude[0] == pytest.approx(wanted, abs=0.05)


def test_a_person_is_lost_sooner_than_a_car():
    person = Crowd()
    person.ego(0.0, 0.0)
    person.person(130.0, 0.0)
    assert read(person).actor.tolist() == []
    assert read(road((130.0, 0.0, 0.0))).actor.tolist() == [2]
    near = Crowd()
    near.ego(0.0, 0.0)
    near.person(60.0, 0.0)
    assert read(near).actor.tolist() == [2]


def test_cross_sections_by_kind_and_aspect():
    car, person = np.array([CAR_SIZE]), np.array([(0.5, 0.5, 1.7)])
    kinds = np.array([BodyKind.NPC]), np.array([BodyKind.PEDESTRIAN])
    rear, side, oblique = (cross_section(kinds[0], car, np.array([a]))[0] for a in (np.pi, np.pi / 2, 0.7))
    assert rear == pytest.approx(10.0, abs=0.5)
    assert rear < side < 20.0
    assert oblique < rear, "no side is met head on"
    assert cross_section(kinds[1], person, np.array([0.0]))[0] == pytest.approx(-8.0, abs=0.7)
    left, right = (cross_section(kinds[0], car, np.array([a]))[0] for a in (0.7, -0.7))
    assert left == pytest.approx(right)


def test_echoes_of_a_body_fade_as_in_swerlings_first_case():
    steady = read(road((60.0, 0.0, 0.0)), sensitivity=-60.0).cross_section[0]
    powers = []
    for tick in range(600):
        reading = read(road((60.0, 0.0, 0.0)), sensitivity=-60.0, fluctuation=True, tick=tick)
        powers.append(10.0 ** (0.1 * (reading.cross_section[0] - steady)))
    assert np.mean(powers) == pytest.approx(1.0, rel=0.12)
    assert np.std(powers) == pytest.approx(1.0, rel=0.2), "exponential: mean and deviation are the same"


def test_clusters_and_single_echoes():
    crowd = road((30.0, 6.0, 0.0), (30.0, -6.0, 0.0))
    assert len(read(crowd).actor) == 2
    single = read(crowd, cluster=0.0)
    assert len(single.actor) == 10, "each shows two sides: two middles and three edges"
    merged = read(crowd, cluster=50.0)
    assert len(merged.actor) == 1
    assert merged.point[0, 1] == pytest.approx(0.0, abs=1e-9)
    apart = road((30.0, 6.0, 0.0), (30.0, -6.0, 10.0))
    assert len(read(apart, cluster=50.0).actor) == 2, "their range rates tell them apart"


def test_errors_have_their_deviations():
    noise = {"range_noise": 0.2, "rate_noise": 0.1, "azimuth_noise": 0.01}
    exact = read(road((60.0, 5.0, 3.0)))
    found = [read(road((60.0, 5.0, 3.0)), tick=tick, **noise) for tick in range(400)]
    for name, deviation in (("distance", 0.2), ("range_rate", 0.1), ("azimuth", 0.01), ("elevation", 0.01)):
        errors = np.array([getattr(one, name)[0] for one in found]) - getattr(exact, name)[0]
        assert errors.std() == pytest.approx(deviation, rel=0.15)
        assert abs(errors.mean()) < 0.2 * deviation


def test_clutter_comes_as_often_as_set_and_stands_still():
    moving = body(velocity=(20.0, 0.0, 0.0))
    found = [read(road(), moving, tick=tick, clutter=3.0) for tick in range(300)]
    assert np.mean([len(one.actor) for one in found]) == pytest.approx(3.0, rel=0.1)
    for one in found:
        assert (one.actor == CLUTTER).all()
        np.testing.assert_allclose(one.range_rate, -20.0 * one.point[:, 0] / one.distance, atol=1e-9)
        assert (one.amplitude >= THRESHOLD).all()
        assert (np.abs(one.azimuth) <= math.radians(60.0)).all()
        assert (one.distance <= 150.0).all()


def test_only_the_strongest_are_told():
    crowd = road(*[(20.0 + 12.0 * n, 5.0 * (-1) ** n, 0.0) for n in range(8)])
    everybody, few = read(crowd), read(crowd, most=3)
    assert len(everybody.actor) > 3
    strongest = np.sort(everybody.amplitude)[-3:]
    np.testing.assert_allclose(np.sort(few.amplitude), strongest)
    assert (np.diff(few.distance) >= 0.0).all(), "the nearest first"


def test_the_same_tick_and_seed_give_the_same_detections():
    noisy = {"range_noise": 0.2, "clutter": 3.0, "fluctuation": True}
    one, again = (read(road((40.0, 0.0, 3.0)), **noisy) for _ in range(2))
    for name in ("point", "range_rate", "amplitude", "actor"):
        np.testing.assert_array_equal(getattr(one, name), getattr(again, name))
    assert not np.array_equal(one.point, read(road((40.0, 0.0, 3.0)), seed=2, **noisy).point)


def test_a_newcomer_changes_nobody_elses_echo():
    few = read(road((40.0, 0.0, 3.0)), fluctuation=True)
    more = read(road((40.0, 0.0, 3.0), (60.0, 8.0, 1.0)), fluctuation=True)
    assert more.amplitude[more.actor == 2] == pytest.approx(few.amplitude[few.actor == 2])


def test_nobody_is_no_detection():
    reading = read(road())
    assert reading.point.shape == (0, 3)
    assert len(reading.actor) == 0
