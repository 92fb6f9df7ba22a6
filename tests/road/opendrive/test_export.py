"""Maps as OpenDRIVE: what is read of the file is what the map has."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from pyproj import CRS

from dorosim.road.opendrive.check import check_opendrive
from dorosim.road.opendrive.export.light_export import PEDESTRIAN_LIGHT, STOP_LINE, VEHICLE_LIGHT
from tests.road.opendrive.exported import ALL_MAPS, misses, written_map
from tests.road.real_map import SUBURB

pytestmark = pytest.mark.parametrize("name", ALL_MAPS)
CENTRE = 0.01
POLYGONS = {SUBURB: 0.03}
"""A map with links that turn by 5 degrees at a point, where two lanes beside each other cannot both be smooth."""


def test_the_file_is_read_as_it_was_written(name):
    one = written_map(name)
    assert one.read.header == one.exported.town.header
    assert one.read.roads == one.exported.town.roads
    assert one.read.junctions == one.exported.town.junctions
    assert one.read.controllers == one.exported.town.controllers
    assert not one.read.unsupported
    assert not one.read.notices
    assert [problem for problem in check_opendrive(one.read) if problem.severity == "error"] == []


def test_lanes_are_where_the_links_are(name):
    found = misses(written_map(name))
    centre = np.array([one.centre for one in found.values()])
    assert len(found) == written_map(name).network.link_count
    assert (centre <= CENTRE).mean() > 0.99
    assert centre.max() <= POLYGONS.get(name, CENTRE)
    assert max(one.height for one in found.values()) <= CENTRE


def test_widths_are_those_of_the_map_with_margins(name):
    """In the town, lines and centre lines of links beside each other contradict each other by 5 cm."""
    whole = np.array([one.whole_width for one in misses(written_map(name)).values()])
    assert (whole <= 0.01).mean() > 0.8
    assert (whole <= 0.05).all()


def test_neighbours_are_lanes_of_one_road(name):
    one = written_map(name)
    network = one.network
    pairs = {(link, int(other)) for link, other in enumerate(network.neighbours.right) if other >= 0}
    ids = network.link_ids
    together = [one.exported.road[ids[a]] == one.exported.road[ids[b]] for a, b in pairs]
    assert sum(together) >= 0.95 * len(pairs)
    step = 1 if network.left_hand_traffic else -1
    assert all(one.exported.lane[ids[b]] - one.exported.lane[ids[a]] == step for a, b in pairs)


def followers(town) -> set[tuple[tuple[str, int], tuple[str, int]]]:
    """Pairs of lanes that follow each other, by road and lane, through roads and junctions."""
    found = set()
    for road in town.roads:
        for end, other in (("successor", road.successor), ("predecessor", road.predecessor)):
            if other is None or other.element_type != "road":
                continue
            for lane in road.lane_sections[0].lanes:
                for beyond in lane.successors if end == "successor" else lane.predecessors:
                    pair = ((road.id, lane.id), (other.element_id, beyond))
                    found.add(pair if end == "successor" else pair[::-1])
    for junction in town.junctions:
        for one in junction.connections:
            found |= {
                ((one.incoming_road, link.from_lane), (one.connecting_road, link.to_lane)) for link in one.lane_links
            }
    return found


def test_links_have_the_same_successors(name):
    one = written_map(name)
    network, ids = one.network, one.network.link_ids
    place = {link: (one.exported.road[link], one.exported.lane[link]) for link in ids}
    wanted = {
        (place[ids[link]], place[ids[other]])
        for link in range(network.link_count)
        for other in network.successors.of(link).tolist()
    }
    assert followers(one.read) == wanted


def test_roads_of_junctions_have_one_road_before_and_one_behind(name):
    town = written_map(name).read
    incoming = defaultdict(list)
    for junction in town.junctions:
        for one in junction.connections:
            incoming[one.connecting_road].append(one.incoming_road)
    for road in town.roads:
        if road.junction != "-1":
            assert len(incoming[road.id]) <= 1
            assert all(
                end is None or end.element_type == "road" or road.successor is end for end in (road.predecessor,)
            )


def test_speeds_are_the_same(name):
    one = written_map(name)
    speeds = {
        (road.id, lane.id): lane.speeds[0].max_speed
        for road in one.read.roads
        for lane in road.lane_sections[0].lanes
        if lane.speeds
    }
    for row, link in enumerate(one.network.link_ids):
        assert speeds[one.exported.road[link], one.exported.lane[link]] == one.network.link_speed_limit[row]


def test_marks_are_those_of_the_lines(name):
    one = written_map(name)
    boundaries = {line.idx: line for line in one.m.lane_boundaries}
    found = Counter(
        (mark.type, mark.color)
        for road in one.read.roads
        for lane in road.lane_sections[0].lanes
        for mark in lane.road_marks
        if mark.type != "none"
    )
    painted = {
        (" ".join(boundaries[line].lane_shape).lower(), boundaries[line].lane_color[0])
        for link in one.m.links
        for line in (*link.lane_mark_left, *link.lane_mark_right)
        if line in boundaries and boundaries[line].lane_shape
    }
    assert set(found) == painted


def test_lights_stop_lines_and_controllers_are_there(name):
    one = written_map(name)
    signals = [(road, signal) for road in one.read.roads for signal in road.signals]
    lights = {s.id: s for _, s in signals if s.type in (VEHICLE_LIGHT, PEDESTRIAN_LIGHT) and s.dynamic}
    known = one.network.signals
    assert sorted(light.name for light in lights.values()) == sorted(light.id for light in known.lights)
    by_name = {light.name: light for light in lights.values()}
    for light in known.lights:
        at = by_name[light.id].map_position
        assert (at.x, at.y, at.z) == pytest.approx(light.point, abs=1e-9)
        assert math.cos(at.hdg - light.heading) == pytest.approx(-1.0), "that of the traffic, which it faces"
    governed = Counter()
    for road in one.read.roads:
        for signal in (*road.signals, *road.signal_references):
            if signal.id in lights:
                governed[lights[signal.id].name] += sum(v.to_lane - v.from_lane + 1 for v in signal.validities)
    assert {name: count for name, count in governed.items() if count} == {
        light.id: len(light.links) for light in known.lights if light.links
    }
    groups = sum(bool(group) for controller in known.controllers for group in controller.groups)
    assert len(one.read.controllers) == groups
    assert sum(s.type == STOP_LINE for _, s in signals) == np.isfinite(known.stop_line).sum()


def test_programmes_are_kept_as_user_data(name):
    one = written_map(name)
    kept = [data for (kind, *_), data in one.exported.user_data.items() if kind == "controller"]
    programmes = {data["dorosim.controller"]: json.loads(data["dorosim.programme"]) for data in kept}
    for controller in one.network.signals.controllers:
        states = programmes[controller.id]["states"]
        assert [tuple(state[2]) for state in states] == [state.colours for state in controller.states]
        assert [state[0] for state in states] == [state.duration for state in controller.states]
    assert all(data["dorosim.programme"].encode() in one.content.replace(b"&quot;", b'"') for data in kept)


def test_crosswalks_are_areas_in_the_map(name):
    one = written_map(name)
    found = [
        (road, thing)
        for road in one.read.roads
        for thing in road.objects
        if thing.type == "crosswalk" and thing.outlines
    ]
    assert len(found) == len(one.network.crosswalks)


def test_the_projection_is_kept(name):
    one = written_map(name)
    header = one.read.header
    if not one.network.coordinate_system:
        assert header.geo_reference == ""
        return
    assert CRS.from_user_input(header.geo_reference).is_projected
    offset = header.offset
    assert ((offset.x, offset.y, offset.z) if offset else (0.0, 0.0, 0.0)) == one.network.origin
