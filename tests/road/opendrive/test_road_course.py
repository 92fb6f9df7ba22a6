"""Places on a road one at a time are those of the lines that take many at once."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.road.opendrive.lane_line import RoadLines
from dorosim.road.opendrive.reader import read_opendrive
from dorosim.road.opendrive.road_course import RoadCourse
from dorosim.road.opendrive.road_course_network import CourseNetwork, CoursePlace
from tests.shared import shared

FILES = ("crest-curve", "curves_elevation", "e6mini", "fabriksgatan", "soderleden", "multi_intersections")


@pytest.mark.parametrize("name", FILES)
def test_the_middle_of_every_lane_is_that_of_its_lines(name):
    path = shared(f"openscenario/resources/xodr/{name}.xodr")
    checked = 0
    for road in read_opendrive(path.name, path.read_bytes()).roads:
        lines, course = RoadLines(road), RoadCourse(road)
        for section in range(len(road.lane_sections)):
            start, end = lines.section_ends(section)
            places = np.linspace(start, end, 7)[1:-1]
            for lane, points in lines.lanes_at(section, places).items():
                for at, s in enumerate(places.tolist()):
                    middle = course.middle(s, lane)
                    assert middle is not None
                    pose = course.pose(s, middle.t)
                    assert middle.t == pytest.approx(points.t[at], abs=1e-12)
                    assert (pose.x, pose.y) == pytest.approx((points.x[at], points.y[at]), abs=1e-9)
                    turn = pose.heading + math.atan(middle.slope) - points.heading[at]
                    assert abs(math.sin(turn)) < 1e-9
                    checked += 1
    assert checked > 20


def test_a_point_on_a_road_is_found_again():
    path = shared("openscenario/resources/xodr/fabriksgatan.xodr")
    network = CourseNetwork(read_opendrive(path.name, path.read_bytes()))
    for number, course in enumerate(network.roads):
        for share in (0.1, 0.5, 0.9):
            s = course.length * share
            pose = course.pose(s, -1.0)
            found = network.locate(pose.x, pose.y, CoursePlace(number, s, 0.0))
            assert (found.road, found.s, found.t) == (number, pytest.approx(s, abs=1e-6), pytest.approx(-1.0, abs=1e-6))


def test_a_way_leads_through_a_junction():
    path = shared("openscenario/resources/xodr/fabriksgatan.xodr")
    network = CourseNetwork(read_opendrive(path.name, path.read_bytes()))
    start, end = CoursePlace(network.number["0"], 63.0, 1.75), CoursePlace(network.number["2"], 5.0, 1.75)
    way = network.way(start, False, end)
    assert way is not None
    assert [way[0], way[-1]] == [(start.road, -1), (end.road, -1)]
    assert len(way) == 3
    assert network.length_of_way(start, way, end) > 63.0
