"""A map turned by the offset of its header."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.road.opendrive.conversion import map_from_opendrive
from tests.road.opendrive.sample import crossing, road, town

HEADER = """<header revMajor="1" revMinor="8"><geoReference><![CDATA[+proj=tmerc +lat_0=37 +lon_0=127]]></geoReference>
<offset x="100" y="200" z="3" hdg="{}"/></header>"""
SIGN = """<signals><signal id="s" s="50" t="-5" orientation="+" dynamic="no" country="DE" type="206">
<positionInertial x="51" y="-6" z="2" hdg="0.25"/></signal></signals>"""


@pytest.mark.parametrize("turn", [0.5, -math.pi / 2, 3.0])
def test_the_whole_map_is_turned_and_its_origin_stays(turn):
    parts = (*crossing(), road(attributes='id="5" junction="-1"', more=SIGN))
    plain, turned = (map_from_opendrive(town(*parts, header=HEADER.format(hdg)), "turned") for hdg in (0, turn))
    c, s = math.cos(turn), math.sin(turn)
    matrix = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    for kind in ("links", "lane_boundaries"):
        pairs = list(zip(getattr(plain, kind), getattr(turned, kind), strict=True))
        assert len(pairs) > 4
        for one, other in pairs:
            assert one.idx == other.idx
            assert other.points == pytest.approx(one.points @ matrix, abs=1e-9)
    assert turned.info.origin == (100.0, 200.0, 3.0)
    (sign,) = turned.traffic_signs
    assert sign.point[:2] == pytest.approx((51 * c + 6 * s, 51 * s - 6 * c))
    turned_by = (sign.heading - plain.traffic_signs[0].heading) % 360.0
    assert turned_by == pytest.approx(math.degrees(turn) % 360.0, abs=2e-3)
    assert any(f"turned by {math.degrees(turn):.6g} degrees" in line for line in turned.notices)
    assert not any("turned" in line for line in plain.notices)
