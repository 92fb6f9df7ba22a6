"""A map written as OpenDRIVE and read again is the same map; tolerances are those of `network_difference`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dorosim.road.network import network_from_mgeo
from dorosim.road.opendrive.conversion import map_from_opendrive
from tests.road.opendrive.exported import ALL_MAPS, written_map
from tests.road.opendrive.network_difference import differences, map_differences


@pytest.mark.parametrize("name", ALL_MAPS)
def test_a_map_comes_back_as_it_was(name):
    one = written_map(name)
    back = map_from_opendrive(one.read, name)
    assert back.notices == []
    assert list(differences(one.network, network_from_mgeo(back))) == []
    assert list(map_differences(one.m, back)) == []


def test_what_differs_is_found():
    """The comparison itself: each change of a network is one that it names."""
    a = written_map("village").network
    wider, faster = a.left_width.copy(), a.link_speed_limit.copy()
    wider[a.lines.first[3]] += 0.02
    faster[5] += 1.0
    moved = a.lines.points.copy()
    moved[a.lines.first[7] : a.lines.first[8], 2] += 0.02
    for field, value, word in (
        ("left_width", wider, "room to the left"),
        ("link_speed_limit", faster, "speed limit"),
        ("lines", replace(a.lines, points=moved), "height"),
        ("successors", a.predecessors, "successors"),
        ("link_types", ("6",) * a.link_count, "link_types"),
        ("link_drivable", ~a.link_drivable, "link_drivable"),
        ("coordinate_system", "UTM51N", "coordinate_system"),
    ):
        assert any(word in one for one in differences(a, replace(a, **{field: value}))), field
    assert list(differences(a, a)) == []
