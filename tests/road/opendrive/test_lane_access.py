"""Lanes that are closed to cars: no traffic drives there, and the ground stays."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.road.network import network_from_mgeo
from dorosim.road.opendrive.conversion import map_from_opendrive
from dorosim.road.surface_kind import SurfaceKind
from dorosim.road.terrain.terrain import terrain_from_map
from tests.road.opendrive.sample import crossing, road, town

SECTION = """<laneSection s="0"><center><lane id="0" type="none"/></center><right>
<lane id="-1" type="driving"><width sOffset="0" a="3" b="0" c="0" d="0"/></lane>
<lane id="-2" type="driving"><width sOffset="0" a="3" b="0" c="0" d="0"/>{}</lane></right></laneSection>"""


def converted(access, *more):
    return map_from_opendrive(town(road(lanes=SECTION.format(access)), *more), "access")


def rule(word, kind, s=0):
    return f'<access sOffset="{s}" rule="{word}" restriction="{kind}"/>'


@pytest.mark.parametrize(
    ("access", "closed"),
    [
        (rule("deny", "passengerCar"), True),
        (rule("deny", "autonomousTraffic"), True),
        (rule("allow", "bus") + rule("allow", "taxi"), True),
        ('<access sOffset="0" rule="allow"><restriction type="HOV"/></access>', True),
        (rule("allow", "bus") + rule("allow", "passengerCar"), False),
        (rule("allow", "passengerCar") + rule("deny", "passengerCar"), True),
        (rule("deny", "truck") + rule("deny", "bicycle"), False),
        (rule("deny", "none"), False),
        (rule("deny", "throughTraffic"), False),
        ("", False),
    ],
)
def test_traffic_drives_where_cars_may(access, closed):
    found = converted(access)
    assert [link.idx for link in found.links] == (["1_0_-1"] if closed else ["1_0_-1", "1_0_-2"])
    assert any("1 lanes are closed to cars" in line for line in found.notices) == closed
    network = network_from_mgeo(found)
    sides = [one.right_lane_change_dst_link_idx for one in found.links]
    assert sides[0] == (None if closed else "1_0_-2")
    assert network.link_count == len(found.links)


def test_the_ground_of_a_closed_lane_is_a_road():
    found = converted(rule("deny", "passengerCar"))
    kinds = terrain_from_map(found, network_from_mgeo(found)).query(np.array([[50.0, -4.5, 0.0], [50.0, -9.0, 0.0]]))[2]
    assert kinds[0] == terrain_from_map(found, network_from_mgeo(found)).query(np.array([[50.0, -1.5, 0.0]]))[2][0]
    assert kinds[0] != kinds[1]
    assert kinds[0] in [int(one) for one in SurfaceKind]


def test_junctions_keep_their_ground_beside_a_closed_lane():
    plain = map_from_opendrive(town(*crossing()), "plain")
    closed = converted(rule("deny", "passengerCar"), *(part.replace('id="1"', 'id="100"') for part in crossing()[1:]))
    assert plain.road_polygons == []
    assert {one.type for one in closed.road_polygons} >= {"lane"}


def test_a_lane_is_cut_where_its_rules_change():
    found = converted(rule("allow", "bus", 40) + rule("allow", "taxi", 40) + rule("deny", "none", 80))
    assert sorted(link.idx for link in found.links if link.idx.endswith("-2")) == ["1_0.2_-2", "1_0_-2"]
    ends = {link.idx: (link.points[0, 0], link.points[-1, 0]) for link in found.links}
    assert ends["1_0_-2"] == pytest.approx((0.0, 40.0), abs=1e-5)
    assert ends["1_0.2_-2"] == pytest.approx((80.0, 100.0), abs=1e-5)
    (polygon,) = found.road_polygons
    assert polygon.idx == "lane 1_0.1_-2"
    assert np.ptp(polygon.points[:, 0]) == pytest.approx(40.0, abs=1e-5)
