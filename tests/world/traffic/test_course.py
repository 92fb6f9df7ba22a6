"""Courses of lanes have no kinks, so headings and yaw rates of bodies on them do not jump."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.course import courses_of
from dorosim.world.traffic.road import LINK
from tests.road.small_map import arc, lane, network_of, straight
from tests.world.world import CAR, World, scene_of, town_scene


def along(course, per_metre, first, s):
    """Points `(n, 2)` of a course at arc lengths [m], by the textbook's basis functions."""
    place = np.asarray(s) * per_metre
    cell = np.minimum(place.astype(int), len(course) - first - 2)
    u = (place - cell)[:, None]
    a, b = course[first + cell], course[first + cell + 1]
    return (
        (2 * u**3 - 3 * u**2 + 1) * a[:, :2]
        + (u**3 - 2 * u**2 + u) * a[:, 3:]
        + (3 * u**2 - 2 * u**3) * b[:, :2]
        + (u**3 - u**2) * b[:, 3:]
    )


def test_courses_keep_within_a_centimetre_of_the_lines_of_the_town():
    scene = town_scene()
    network, road = scene.network, scene.traffic_plan.road
    for link in range(network.link_count):
        s = np.arange(0.0, network.link_length[link], 0.1)
        seen = along(road.course, road.link[link, LINK.points_per_metre], int(road.link[link, LINK.first_point]), s)
        away = np.hypot(*(seen - network.point_at(link, s)[:, :2]).T)
        # half a centimetre of it is the bulge of a curve over the chords of the line
        assert away.max() < 0.02, network.link_ids[link]


def test_a_course_lies_on_the_circle_that_the_points_of_its_lane_are_from():
    """Nearer than the chords between the points are, which leave it by 12 mm."""
    network = network_of(arc("B", "a", "b", (0.0, 0.0), 10.0, 0.0, math.pi / 2, count=17))
    line, first, per_metre = courses_of(network)
    # at the ends of the lane its tangent is that of a chord
    s = np.linspace(2.0, network.link_length[0] - 2.0, 400)
    radius = np.hypot(*along(line, per_metre[0], int(first[0]), s).T)
    assert np.abs(radius - 10.0).max() < 0.004


def test_a_long_straight_before_a_bend_stays_straight():
    """Though it shares its last tangent with a bend, whose first chord points 2 degrees aside."""
    network = network_of(
        lane("S", "a", "b", [(0, 0, 0), (100, 0, 0)]),
        arc("B", "b", "c", (100.0, 10.0), 10.0, -math.pi / 2, math.pi / 2, count=17),
    )
    line, first, per_metre = courses_of(network)
    points = along(line[: first[1]], per_metre[0], 0, np.linspace(0.0, 100.0, 1000))
    assert np.abs(points[:, 1]).max() < 0.015
    assert np.abs(points[points[:, 0] < 90.0, 1]).max() == 0.0


def test_a_lane_without_length_has_a_course():
    line, first, per_metre = courses_of(network_of(lane("P", "a", "b", [(3, 4, 5), (3, 4, 5)])))
    assert line.tolist() == [[3.0, 4.0, 5.0, 0.0, 0.0]] * 2
    assert first.tolist() == [0]
    assert math.isfinite(per_metre[0])


def test_the_yaw_rate_of_an_npc_in_a_bend_is_steady():
    """On a circle of 12 m it is speed over radius; the chord of a course of straight pieces jumps by a tenth of it."""
    network = network_of(
        straight("A", "a", "b", (-80, -12, 0), (0, -12, 0), max_speed=20),
        arc("B", "b", "c", (0.0, 0.0), 12.0, -math.pi / 2, math.pi, count=65, max_speed=20),
        straight("C", "c", "d", (0, 12, 0), (-80, 12, 0), max_speed=20),
    )
    world = World(scene_of(network), [])
    world.do(CreateNpc(model=CAR, link=0, s=60.0, speed=4.0, desired_speed=4.0, lane_change=False))
    curvature = []

    def look(now):
        row = now.traffic
        if row.rows and row.link[0] == 1 and 8.0 < row.s[0] < 35.0 and row.speed[0] > 1.0:
            curvature.append(float(row.yaw_rate[0] / row.speed[0]))

    world.run(16.0, look)
    assert len(curvature) > 400
    assert np.mean(curvature) == pytest.approx(1.0 / 12.0, rel=0.02)
    assert np.ptp(curvature) < 0.03 / 12.0
