"""Places of nodes, and how a map lies on the Earth."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.road.lanelet2.position import project, utm_zone
from dorosim.road.lanelet2.reader import read_lanelet2
from dorosim.road.projection import MapProjection
from tests.road.lanelet2.sample import LATITUDE, LONGITUDE, two_lanes


def read(content):
    return read_lanelet2("a.osm", content, "a")


def placed(system, origin, x=3700.0, y=73700.0):
    """Two lanes far from the origin of their tags, with latitudes that fit a projection."""
    content = two_lanes().decode()
    projection = MapProjection(system, origin)

    def move(match):
        east, north = float(match[1]) + x, float(match[2]) + y
        latitude, longitude = (math.degrees(one) for one in projection.geographic_from_point(east, north))
        return f'lat="{latitude:.11f}" lon="{longitude:.11f}">\n<tag k="ele" v="0.0"/>\n' + "".join(
            f'<tag k="local_{axis}" v="{value}"/>\n' for axis, value in (("x", east), ("y", north))
        )

    tags = r'<tag k="local_x" v="([^"]*)"/>\n<tag k="local_y" v="([^"]*)"/>\n'
    pattern = r'lat="[^"]*" lon="[^"]*">\n<tag k="ele" v="0.0"/>\n' + tags
    return re.sub(pattern, move, content).encode()


def test_tags_of_autoware_count_and_latitudes_say_which_square_it_is():
    m = read(placed("UTM54N", (400_000.0, 3_900_000.0, 0.0)))
    assert m.links[0].points[0].tolist() == [3700.0, 73705.25, 0.0]
    assert (m.info.coordinate_system, m.info.origin) == ("UTM54N", (400_000.0, 3_900_000.0, 0.0))


def test_a_map_about_an_origin_of_its_own_has_a_projection_about_it():
    tangent = "+proj=tmerc +lat_0=35.5 +lon_0=139.5 +k=1 +datum=WGS84 +units=m"
    m = read(placed(tangent, (0.0, 0.0, 0.0), 100.0, 200.0))
    assert m.links[0].points[0].tolist() == [100.0, 205.25, 0.0]
    latitude, longitude = MapProjection(m.info.coordinate_system, m.info.origin).geographic_from_point(0.0, 0.0)
    assert (math.degrees(latitude), math.degrees(longitude)) == pytest.approx((35.5, 139.5), abs=1e-7)


def test_latitudes_that_fit_nothing_are_told():
    content = placed("UTM54N", (400_000.0, 3_900_000.0, 0.0)).replace(
        b'k="local_x" v="3740.0"', b'k="local_x" v="3790.0"'
    )
    m = read(content)
    assert m.info.coordinate_system == ""
    assert "lat and lon do not fit local_x and local_y in UTM54N" in m.notices[0]


def test_without_tags_latitudes_are_projected():
    m = read(two_lanes(local=False))
    east, north, up = m.info.origin
    assert (m.info.coordinate_system, up, east % 1000.0, north % 1000.0) == ("UTM54N", 0.0, 0.0, 0.0)
    start = project("UTM54N", np.array([LATITUDE]), np.array([LONGITUDE]))[0]
    right = m.links[1].points[0]
    assert right[0] + east == pytest.approx(start[0], abs=0.1)
    assert right[1] + north == pytest.approx(start[1] + 1.75, abs=0.1)
    assert (np.abs(right[:2]) < 1100.0).all()


def test_some_tags_do_not_count():
    content = two_lanes().replace(b'<tag k="local_x" v="0.0"/>', b"", 1)
    m = read(content)
    assert m.info.coordinate_system == "UTM54N"
    assert "5 nodes have local_x and local_y, others not" in m.notices[0]


def test_a_node_without_a_place_is_named():
    content = two_lanes(local=False)
    first = re.search(rb'<node id="1" lat="[^"]*"', content)[0]
    with pytest.raises(InputError, match="line 4, node 1: has no place; give all nodes lat and lon"):
        read(content.replace(first, b'<node id="1" lat=""'))


def test_a_node_far_away_is_named():
    content = two_lanes(local=False)
    first = re.search(rb'<node id="1" lat="[^"]*"', content)[0]
    with pytest.raises(InputError, match="node 1: lies more than 200 km from the middle"):
        read(content.replace(first, b'<node id="1" lat="-20.0"'))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b'"local_x" v="40.0"', b'"local_x" v="900000.0"', "lies more than 200 km from the middle; correct its place"),
        (b'"ele" v="0.0"', b'"ele" v="-12000"', "node 1: lies more than 10 km high or deep; correct ele"),
        (b'"local_x" v="40.0"', b'"local_x" v="30000.0"', "the lanelet is 30 km long, more than 20 km"),
    ],
)
def test_places_on_no_map_are_refused(old, new, message):
    with pytest.raises(InputError, match=message):
        read(two_lanes().replace(old, new))


@pytest.mark.parametrize("origin", ["1 2", "a b c", "nan 0 0", ""])
def test_a_broken_origin_is_told(origin):
    meta = f'<MetaInfo dorosim_projection="UTM52N" dorosim_origin="{origin}" '.encode()
    with pytest.raises(InputError, match="expected three finite numbers"):
        read(two_lanes().replace(b"<MetaInfo ", meta))


def test_zones():
    assert utm_zone(37.5, 127.0) == "UTM52N"
    assert utm_zone(-1.0, -180.0) == "UTM1S"
    assert utm_zone(0.0, 180.0) == "UTM60N"
