"""Maps as Lanelet2: what is read of the file is what the map has."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from dorosim.road.check import Severity, check_map
from dorosim.road.lanelet2.document import parse_osm
from tests.road.lanelet2.exported import exported
from tests.road.opendrive.exported import ALL_MAPS

CENTRE = 0.01
pytestmark = pytest.mark.parametrize("name", ALL_MAPS)


def names(network, rows):
    return [network.link_ids[row] if row >= 0 else None for row in np.asarray(rows).tolist()]


def test_links_are_where_they_were(name):
    _, network, _, _, back = exported(name)
    assert back.link_ids == network.link_ids
    for row in range(network.link_count):
        assert back.points_of(row) == pytest.approx(network.points_of(row), abs=1e-5)


def test_the_graph_is_the_same(name):
    _, network, _, _, back = exported(name)
    for row in range(network.link_count):
        assert set(names(back, back.successors.of(row))) == set(names(network, network.successors.of(row)))
    for side in ("left", "right"):
        assert names(back, getattr(back.neighbours, side)) == names(network, getattr(network.neighbours, side))
        allowed = f"{side}_allowed"
        assert getattr(back.neighbours, allowed).tolist() == getattr(network.neighbours, allowed).tolist()


def test_what_links_are_is_the_same(name):
    _, network, _, _, back = exported(name)
    assert back.link_types == network.link_types
    assert back.link_movements == network.link_movements
    assert back.link_drivable.tolist() == network.link_drivable.tolist()
    assert back.link_speed_limit == pytest.approx(network.link_speed_limit)


def test_widths_are_the_same_but_at_ends_where_other_widths_meet(name):
    _, network, _, _, back = exported(name)
    misses = []
    for row in range(network.link_count):
        s = np.linspace(0.0, network.link_length[row], 21)[2:-2]
        misses.append(np.abs(back.width_at(row, s) - network.width_at(row, s)).max())
    assert np.quantile(misses, 0.95) < 0.05


def test_marks_are_kept(name):
    m, network, _, back, other = exported(name)
    same = network.left_crossable == other.left_crossable
    listed = np.array([bool(link.lane_mark_left) for link in m.links if not link.lazy_init])
    assert same[listed].mean() > 0.95 if listed.any() else True
    colours = {
        one for line in m.lane_boundaries for one in line.lane_color if line.lane_shape and line.lane_type != [530]
    }
    assert {one for line in back.lane_boundaries for one in line.lane_color if line.lane_type != [530]} <= colours | {
        "white"
    }


def test_lights_controllers_and_stop_lines_are_the_same(name):
    _, network, _, _, back = exported(name)
    ours = {light.id: light for light in network.signals.lights}
    read = {light.id: light for light in back.signals.lights}
    assert read.keys() == ours.keys()
    for idx, light in ours.items():
        assert read[idx].point == pytest.approx(light.point, abs=1e-5)
        assert np.cos(read[idx].heading - light.heading) == pytest.approx(1.0)
        assert (read[idx].kind, read[idx].lamps) == (light.kind, light.lamps)
        assert set(names(back, read[idx].links)) == set(names(network, light.links))
    assert _controllers(back) == _controllers(network)
    assert back.signals.stop_line == pytest.approx(network.signals.stop_line, abs=CENTRE, nan_ok=True)


def _controllers(network):
    lights = network.signals.lights
    return [
        (one.id, [{lights[row].id for row in group} for group in one.groups], one.states, one.pedestrian)
        for one in network.signals.controllers
    ]


def test_crosswalks_signs_and_parking_spaces_are_the_same(name):
    m, network, _, back, other = exported(name)
    assert len(other.crosswalks) == len(network.crosswalks)
    for area in range(len(network.crosswalks)):
        assert np.allclose(_ring(other.crosswalks.of(area)), _ring(network.crosswalks.of(area)), atol=1e-5)
    lanes = Counter(network.link_ids[row] for row in network.crosswalks.link)
    assert Counter(other.link_ids[row] for row in other.crosswalks.link) == lanes
    signs = {one.idx: one for one in back.traffic_signs}
    assert signs.keys() == {one.idx for one in m.traffic_signs}
    for sign in m.traffic_signs:
        one = signs[sign.idx]
        assert one.point == pytest.approx(sign.point, abs=1e-5)
        assert (one.type, one.sub_type, one.value) == (sign.type, sign.sub_type, sign.value)
        assert set(one.link_id_list) == set(sign.link_id_list)
    spaces = {one.idx: one for one in back.parking_spaces}
    for space in m.parking_spaces:
        assert spaces[space.idx].points[:, :2].mean(axis=0) == pytest.approx(
            space.points[:4, :2].mean(axis=0), abs=1e-5
        )


def _ring(corners):
    return corners[np.lexsort(np.round(corners, 4).T)]


def test_the_map_has_no_new_problems(name):
    m, _, _, back, _ = exported(name)
    errors = [[one for one in check_map(town) if one.severity is Severity.ERROR] for town in (m, back)]
    assert len(errors[1]) <= len(errors[0])


def test_the_projection_is_kept(name):
    m, network, _, back, _ = exported(name)
    assert back.info.coordinate_system == m.info.coordinate_system.strip()
    assert back.info.origin == tuple(m.info.origin)
    assert network.left_hand_traffic == (back.info.traffic_dir == "LHT")


def test_it_has_the_tags_of_autoware(name):
    _, network, content, back, _ = exported(name)
    file = parse_osm(name, content)
    assert not back.notices
    assert all(node.tags.keys() <= {"color", "arrow"} for node in file.nodes.values())
    assert all(np.isfinite(node[2:7]).all() for node in file.nodes.values())
    lanelets = [one for one in file.relations.values() if one.tags["type"] == "lanelet"]
    for one in lanelets:
        assert {"subtype", "location", "one_way", "speed_limit"} <= one.tags.keys()
        assert one.tags.get("turn_direction", "left") in ("left", "right", "straight")
    heads = [one for one in file.ways.values() if one.tags.get("type") == "traffic_light"]
    assert len(heads) == len(network.signals.lights)
    known = {"lanelet", "regulatory_element", "dorosim:controller"}
    assert {one.tags["type"] for one in file.relations.values()} <= known
    wheel_knows = {"traffic_light", "traffic_sign"}
    rules = {one.tags["subtype"] for one in file.relations.values() if one.tags["type"] == "regulatory_element"}
    assert rules <= wheel_knows, "Lanelet2's own library reads no file with other kinds of elements"
    assert not re.search(rb"nan|inf\b", content)
