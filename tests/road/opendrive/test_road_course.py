"""Places on a road one at a time are those of the lines that take many at once."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.road.opendrive.cross_section import CrossSection
from dorosim.road.opendrive.lane_line import RoadLines
from dorosim.road.opendrive.profile import Profile
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


TILTED = b"""<OpenDRIVE><header revMajor="1" revMinor="5" name="" north="0" south="0" east="0" west="0"/>
<road id="1" length="100" junction="-1">
<planView><geometry s="0" x="5" y="7" hdg="0.4" length="100"><arc curvature="0.01"/></geometry></planView>
<elevationProfile><elevation s="0" a="3" b="0.02" c="0" d="0"/>
<elevation s="40" a="4" b="-0.01" c="0.001" d="0"/></elevationProfile>
<lateralProfile><superelevation s="0" a="0.05" b="0.001" c="0" d="0"/>
<crossfall side="left" s="0" a="0.02" b="0" c="0" d="0"/><crossfall side="right" s="30" a="0.03" b="0" c="0" d="0"/>
<shape s="0" t="-4" a="0.1" b="0.02" c="0" d="0"/><shape s="100" t="-4" a="0.3" b="0" c="0.01" d="0"/></lateralProfile>
<lanes><laneSection s="0">
<left><lane id="1" type="driving" level="false"><width sOffset="0" a="3.5" b="0.01" c="0" d="0"/>
<height sOffset="0" inner="0.1" outer="0.2"/></lane></left>
<center><lane id="0" type="none" level="false"/></center>
<right><lane id="-1" type="driving" level="false"><width sOffset="0" a="3" b="0" c="0.0001" d="0"/></lane></right>
</laneSection></lanes></road></OpenDRIVE>"""


@pytest.mark.parametrize("shaped", [False, True])
def test_a_tilted_road_has_the_heights_of_its_cross_section(shaped):
    content = TILTED if shaped else b"\n".join(line for line in TILTED.split(b"\n") if b"<shape" not in line)
    content = content if shaped else content.replace(b'd="0"/>\n<lanes>', b'd="0"/></lateralProfile>\n<lanes>')
    (road,) = read_opendrive("tilted", content).roads
    assert bool(road.shapes) == shaped
    course, section, elevation = RoadCourse(road), CrossSection(road), Profile(road.elevations)
    for s in (0.0, 12.5, 30.0, 41.0, 99.0):
        places = np.array([s])
        for t in (-2.9, -1.0, 0.5, 3.2):
            pose = course.pose(s, t)
            lift = 0.0 if t < 0.0 else 0.1 + 0.1 * t / (3.5 + 0.01 * s)
            height = float(elevation.at(places)[0][0] + section.height_at(places, np.array([t]))[0]) + lift
            assert pose.z == pytest.approx(height, abs=1e-12)
            assert pose.roll == pytest.approx(float(section.roll_at(places)[0]), abs=1e-15)
            assert pose.pitch == pytest.approx(-math.atan(float(elevation.at(places)[1][0])), abs=1e-15)
            body = course.body(-1 if t < 0.0 else 1, s, 0.0, 0.0)
            beside = course.pose(s, body.t)
            assert (body.x, body.y, body.z) == (beside.x, beside.y, beside.z)
