"""The ground of junctions: their boundary, and heights by their elevation grid, by the formulas of the standard."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.road.network import network_from_mgeo
from dorosim.road.opendrive.conversion import map_from_opendrive
from dorosim.road.opendrive.elevation_grid import GridSurface
from dorosim.road.opendrive.junction_ground import MapLines
from dorosim.road.opendrive.junction_record import ElevationGrid, GridElevation
from dorosim.road.opendrive.plan_record import ArcShape, PlanGeometry, StraightShape
from dorosim.road.terrain.terrain import terrain_from_map
from tests.road.opendrive.sample import road, town

KERB = '<height sOffset="0" inner="0.1" outer="0.2"/>'
LANES = """<laneSection s="0"><left>
<lane id="2" type="sidewalk"><width sOffset="0" a="2" b="0" c="0" d="0"/>{kerb}</lane>
<lane id="1" type="driving">{links}<width sOffset="0" a="3" b="0" c="0" d="0"/></lane></left>
<center><lane id="0" type="none"/></center>
<right><lane id="-1" type="driving">{links}<width sOffset="0" a="3" b="0" c="0" d="0"/></lane></right></laneSection>"""
INTO = '<link><successor elementType="junction" elementId="9"/></link>'
THROUGH = """<link><predecessor elementType="road" elementId="1" contactPoint="end"/>
<successor elementType="road" elementId="2" contactPoint="start"/></link>"""
OUT_OF = '<link><predecessor elementType="junction" elementId="9"/></link>'
SAME = '<link><predecessor id="{0}"/><successor id="{0}"/></link>'


def lanes(kerb=""):
    return LANES.format(kerb=kerb, links="")


def piece(x, length, start=0.0):
    return f'<geometry s="{start}" x="{x}" y="0" hdg="0" length="{length}"><line/></geometry>'


def heights(x, y):
    return 0.2 + 0.01 * x + 0.02 * y + 0.003 * x * y - 0.002 * x**2 + 0.0005 * y**3


def rows(function=heights, spacing=4.0, count=12, sides=4):
    return tuple(
        GridElevation(
            center=function(spacing * row, 0.0),
            left=tuple(function(spacing * row, spacing * k) for k in range(1, sides + 1)),
            right=tuple(function(spacing * row, -spacing * k) for k in range(1, sides + 1)),
        )
        for row in range(count)
    )


def grid_text(function, count=11, sides=2, spacing=4.0):
    def side(row, sign):
        return " ".join(repr(function(spacing * row, sign * spacing * k)) for k in range(1, sides + 1))

    inside = "".join(
        f'<elevation left="{side(row, 1)}" center="{function(spacing * row, 0.0)!r}" right="{side(row, -1)}"/>'
        for row in range(count)
    )
    return f'<elevationGrid sStart="0" gridSpacing="{spacing}">{inside}</elevationGrid>'


def boundary(transition=0.0, lane=-1):
    return f"""<boundary>
    <segment type="lane" roadId="11" boundaryLane="{lane}" sStart="start" sEnd="end"/>
    <segment type="joint" roadId="2" contactPoint="start" transitionLength="{transition}"/>
    <segment type="lane" roadId="11" boundaryLane="2" sStart="end" sEnd="start"/>
    <segment type="joint" roadId="1" contactPoint="end" jointLaneStart="2" jointLaneEnd="-1"
      transitionLength="{transition}"/></boundary>"""


def junction(*more):
    """Road 1 comes from the west, climbs by 5 % to x = 0; road 11 is the junction to x = 40; road 2 is beyond."""
    climb = '<elevationProfile><elevation s="0" a="-5" b="0.05" c="0" d="0"/></elevationProfile>'
    links = "".join(f'<laneLink from="{one}" to="{one}"/>' for one in (1, -1))
    return (
        road(piece(-100, 100), lanes(), 100.0, 'id="1" junction="-1"', climb, INTO),
        road(piece(0, 40), lanes(KERB), 40.0, 'id="11" junction="9"', "", THROUGH),
        road(piece(40, 50), lanes(), 50.0, 'id="2" junction="-1"', "", OUT_OF),
        f'<junction id="9"><connection id="0" incomingRoad="1" connectingRoad="11" contactPoint="start">{links}'
        f"</connection>{''.join(more)}</junction>",
    )


PLAN = f"<planView>{piece(0, 40)}</planView>"


@pytest.mark.parametrize("place", [(6.0, 1.0), (21.3, -5.2), (33.0, 7.9), (8.0, -4.0)])
def test_a_grid_is_exact_for_cubics_where_all_points_are_there(place):
    line = PlanGeometry(s=0.0, x=10.0, y=-5.0, hdg=0.4, length=44.0, shape=StraightShape())
    surface = GridSurface(ElevationGrid(grid_spacing=4.0, elevations=rows()), [line])
    c, n = math.cos(0.4), math.sin(0.4)
    x, y = 10.0 + c * place[0] - n * place[1], -5.0 + n * place[0] + c * place[1]
    found = surface.at(np.array([x]), np.array([y]))
    assert found.z[0] == pytest.approx(heights(*place), abs=1e-9)
    step = 1e-5
    for axis, slope in ((np.array([step, 0.0]), found.to_east), (np.array([0.0, step]), found.to_north)):
        ahead = surface.at(np.array([x + axis[0]]), np.array([y + axis[1]])).z[0]
        behind = surface.at(np.array([x - axis[0]]), np.array([y - axis[1]])).z[0]
        assert slope[0] == pytest.approx((ahead - behind) / (2 * step), abs=1e-6)


def test_a_grid_of_four_points_is_bilinear():
    """Too few points for a cubic: its coefficients c and d are 0."""
    line = PlanGeometry(s=0.0, x=0.0, y=0.0, hdg=0.0, length=10.0, shape=StraightShape())
    two = (GridElevation(center=1.0, right=(2.0,)), GridElevation(center=3.0, right=(7.0,)))
    surface = GridSurface(ElevationGrid(grid_spacing=10.0, elevations=two), [line])
    found = surface.at(np.array([2.5, 5.0, 2.5]), np.array([-4.0, -11.0, 1.0]))
    expected = 0.75 * (0.6 * 1.0 + 0.4 * 2.0) + 0.25 * (0.6 * 3.0 + 0.4 * 7.0)
    assert found.z[0] == pytest.approx(expected)
    assert np.isnan(found.z[1:]).all()


def test_a_grid_follows_a_bend_of_its_line():
    arc = PlanGeometry(s=0.0, x=0.0, y=0.0, hdg=0.0, length=44.0, shape=ArcShape(curvature=0.02))
    surface = GridSurface(ElevationGrid(grid_spacing=4.0, elevations=rows()), [arc])
    s, t, radius = 18.0, 3.0, 50.0
    x, y = (radius - t) * math.sin(s / radius), radius - (radius - t) * math.cos(s / radius)
    assert surface.at(np.array([x]), np.array([y])).z[0] == pytest.approx(heights(s, t), abs=1e-6)


def test_lanes_of_a_junction_lie_on_its_grid_and_kerbs_on_top():
    def plane(x, y):
        return 1.0 + 0.05 * x - 0.02 * y

    found = town(*junction(PLAN, boundary(), grid_text(plane)))
    lines = MapLines(found).of(found.roads[1]).lanes_at(0, np.array([7.0, 20.0]))
    assert lines[-1].z == pytest.approx([plane(7, -1.5), plane(20, -1.5)])
    assert lines[2].z == pytest.approx([plane(7, 4) + 0.15, plane(20, 4) + 0.15])
    assert lines[-1].pitch == pytest.approx([-math.atan(0.05)] * 2)
    assert lines[-1].roll == pytest.approx([math.atan(-0.02)] * 2)
    assert lines[1].pitch == pytest.approx([math.atan(0.05)] * 2)
    outside = MapLines(found).of(found.roads[0]).lanes_at(0, np.array([50.0]))
    assert outside[-1].z == pytest.approx([-2.5])
    links = {link.idx: link for link in map_from_opendrive(found, "grid").links}
    inside = next(link for link in links.values() if link.idx.startswith("11_0_-1"))
    assert inside.points[:, 2] == pytest.approx(plane(inside.points[:, 0], inside.points[:, 1]))


def test_heights_pass_from_the_road_to_the_grid_as_a_cubic():
    """12.11.2: with the road's height and slope at the start of the transition, and the grid's at its end."""
    found = town(*junction(PLAN, boundary(transition=8.0), grid_text(lambda x, y: 0.3)))
    lines = MapLines(found).of(found.roads[1])
    s = np.array([1e-6, 2.0, 4.0, 8.0, 20.0])
    z = lines.lanes_at(0, s)[-1].z
    part = s / 8.0
    rise = 0.05 * 8.0
    expected = rise * part + (0.9 - 2 * rise) * part**2 + (rise - 0.6) * part**3
    assert z == pytest.approx([*expected[:3], 0.3, 0.3], abs=1e-5)
    step = 1e-4
    before, after = (lines.lanes_at(0, s[1:3] + shift)[-1].z for shift in (-step, step))
    assert np.tan(-lines.lanes_at(0, s[1:3])[-1].pitch) == pytest.approx((after - before) / (2 * step), abs=1e-5)


def test_the_ground_of_a_junction_is_what_its_boundary_encloses():
    found = map_from_opendrive(town(*junction(boundary())), "boundary")
    (polygon,) = found.road_polygons
    corners = polygon.points[:, :2]
    area = 0.5 * np.sum(corners[:, 0] * np.roll(corners[:, 1], -1) - np.roll(corners[:, 0], -1) * corners[:, 1])
    assert area == pytest.approx(40.0 * 8.0, abs=1e-3)
    filled = [np.linalg.det([b - a, c - a]) / 2 for a, b, c in (corners[face] for face in polygon.faces)]
    assert sum(filled) == pytest.approx(area)
    network = network_from_mgeo(found)
    surface = terrain_from_map(found, network).query(np.array([[20.0, 0.0, 0.0], [20.0, -3.2, 0.0]]))[2]
    assert surface[0] == surface[1]


def test_a_boundary_that_is_not_closed_is_not_used():
    found = map_from_opendrive(town(*junction(boundary(lane=-7))), "open")
    assert found.road_polygons == []
    assert any("1 boundaries of junctions are not closed" in line for line in found.notices)


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ('<elevationGrid gridSpacing="0"/>', "0 is no spacing"),
        ('<elevationGrid gridSpacing="nan"/>', "expected a finite number"),
        ('<elevationGrid gridSpacing="1"><elevation center="0" left="1 inf"/></elevationGrid>', "finite numbers"),
        ('<elevationGrid gridSpacing="1"><elevation left="1"/></elevationGrid>', "is missing"),
    ],
)
def test_a_grid_that_cannot_be_used_is_refused(grid, message):
    with pytest.raises(InputError, match=message):
        town(*junction(PLAN, grid))


def test_a_grid_without_a_line_leaves_the_roads_as_they_are():
    found = town(*junction(grid_text(lambda x, y: 5.0)))
    assert MapLines(found).of(found.roads[1]).lanes_at(0, np.array([7.0]))[-1].z == pytest.approx([0.0])
