"""Generated towns: whole, connected, smooth, and the same again from the same seed."""

import itertools
import json
import math
from collections import Counter

import networkx as nx
import numpy as np
import pytest
from pyproj import Transformer

from dorosim.ground.error import InputError
from dorosim.mapmaking.plan import Size
from dorosim.mapmaking.town import generate_town
from dorosim.road.check import Severity, check_map
from dorosim.road.mgeo.reader import read_mgeo
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.mgeo.writer import mgeo_files
from dorosim.road.network import network_from_mgeo
from tests.road.generated_town import TOWNS, lanes_of, legs, nearest, resampled, town_of

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(params=TOWNS, ids=lambda town: f"{town[1].value}-{town[0]}")
def town(request) -> MGeoMap:
    return town_of(*request.param)


@pytest.mark.parametrize("size", [Size.SMALL, Size.DEFAULT])
def test_the_same_seed_gives_the_same_bytes(size):
    assert mgeo_files(generate_town(5, size)) == mgeo_files(generate_town(5, size))


def test_another_seed_gives_another_town():
    assert (
        mgeo_files(town_of(1, Size.DEFAULT))["link_set.json"] != mgeo_files(town_of(8, Size.DEFAULT))["link_set.json"]
    )


def test_a_town_is_read_as_it_was_written(town):
    files = mgeo_files(town)
    again = read_mgeo(town.name, files)
    assert again.notices == []
    written = mgeo_files(again)
    for name in files.keys() - {"global_info.json"}:  # which has the digests of the files, and 28 may be 28.0 in them
        assert json.loads(written[name]) == json.loads(files[name])


def test_the_checker_finds_nothing_wrong(town):
    assert [str(problem) for problem in check_map(town) if problem.severity is not Severity.INFORMATION] == []


def test_every_id_is_unique_and_resolves(town):
    for records in (
        town.links,
        town.nodes,
        town.lane_nodes,
        town.lane_boundaries,
        town.traffic_lights,
        town.traffic_signs,
    ):
        assert max(Counter(record.idx for record in records).values()) == 1
    links, nodes = {link.idx for link in town.links}, {node.idx for node in town.nodes}
    lines, lights = {line.idx for line in town.lane_boundaries}, {light.idx for light in town.traffic_lights}
    crosswalks = {crosswalk.idx for crosswalk in town.crosswalks}
    for link in town.links:
        assert {link.from_node_idx, link.to_node_idx} <= nodes
        assert {*link.lane_mark_left, *link.lane_mark_right} <= lines
        assert set(link.lane_ch_link_path) <= links
        assert {link.left_lane_change_dst_link_idx, link.right_lane_change_dst_link_idx} <= links | {None}
    for item in (*town.traffic_lights, *town.traffic_signs, *town.synced_traffic_lights, *town.surface_markings):
        assert item.link_id_list
        assert set(item.link_id_list) <= links
    for space in town.parking_spaces:
        assert set(space.linked_left_list_idx + space.linked_right_list_idx) <= links
    assert {light.ref_crosswalk_id for light in town.traffic_lights} <= crosswalks | {""}
    assert {idx for item in town.crosswalks for idx in item.ref_traffic_light_list} <= lights
    assert max(len(light.idx) for light in town.traffic_lights) <= 12  # UDP: char[12]
    assert max(len(link) for link in links) <= 38  # UDP: char[38]


def test_one_can_drive_from_every_lane_to_every_other_and_on_for_ever(town):
    roads = nx.MultiDiGraph((link.from_node_idx, link.to_node_idx) for link in lanes_of(town))
    with_changes = nx.DiGraph((link.from_node_idx, link.to_node_idx) for link in town.links)
    assert nx.is_strongly_connected(with_changes)
    assert min(dict(roads.out_degree()).values()) > 0
    assert min(dict(roads.in_degree()).values()) > 0


def test_only_the_inner_lanes_of_the_ring_need_a_lane_change(town):
    roads = nx.DiGraph((link.from_node_idx, link.to_node_idx) for link in lanes_of(town))
    main = max(nx.strongly_connected_components(roads), key=len)
    fastest = max(link.max_speed for link in town.links)
    apart = [link for link in lanes_of(town) if link.from_node_idx not in main]
    assert apart
    assert {(link.max_speed, link.ego_lane) for link in apart} == {(fastest, 1)}


def test_lanes_are_smooth(town):
    for link in lanes_of(town):
        length, heading = legs(link.points)
        assert length.min() > 0.15, link.idx
        assert length.max() <= 4.6, link.idx
        bend = np.abs(np.diff(heading))
        assert np.degrees(bend).max(initial=0.0) < 2.0, link.idx
        curvature = bend / (0.5 * (length[1:] + length[:-1]))
        assert curvature.max(initial=0.0) < 1 / 6.0, link.idx


def test_lanes_meet_without_gap_or_kink(town):
    place = {node.idx: node.point for node in town.nodes}
    into, out = {}, {}
    for link in lanes_of(town):
        assert link.points[0].tolist() == list(place[link.from_node_idx])
        assert link.points[-1].tolist() == list(place[link.to_node_idx])
        _, heading = legs(link.points)
        into.setdefault(link.to_node_idx, []).append(heading[-1])
        out.setdefault(link.from_node_idx, []).append(heading[0])
    kinks = [math.remainder(b - a, math.tau) for node, ends in into.items() for a in ends for b in out[node]]
    assert math.degrees(max(map(abs, kinks))) < 2.0


def test_slopes_can_be_driven_and_are_smooth(town):
    steepest = 0.0
    for link in lanes_of(town):
        length, _ = legs(link.points)
        s = np.cumsum(length)
        even = np.interp(np.arange(0.0, s[-1], 5.0), np.concatenate(([0.0], s)), link.points[:, 2])
        grade = np.diff(even) / 5.0
        steepest = max(steepest, np.abs(grade).max(initial=0.0))
        # a tight turn on a slope changes its grade by turning; else 5 m / 0.012 is a vertical radius of 400 m
        most = 0.012 if link.recommended_speed is None else 0.035
        assert np.abs(np.diff(grade)).max(initial=0.0) < most, link.idx
    assert 0.03 < steepest < 0.08


def test_the_ring_passes_above_streets_with_room_for_trucks(town):
    fastest = max(link.max_speed for link in town.links)
    ring = np.concatenate([resampled(link.points, 3.0) for link in lanes_of(town) if link.max_speed == fastest])
    streets = np.concatenate([resampled(link.points, 3.0) for link in lanes_of(town) if link.max_speed < fastest])
    apart = np.hypot(ring[:, None, 0] - streets[None, :, 0], ring[:, None, 1] - streets[None, :, 1])
    above = (ring[:, None, 2] - streets[None, :, 2])[apart < 2.2]
    bridge = above[above > 1.0]
    assert bridge.size
    assert bridge.min() > 5.5


def test_roads_do_not_run_into_each_other(town):
    lanes = [link for link in lanes_of(town) if link.link_type == "6"]
    dense = {link.idx: resampled(link.points, 2.0) for link in lanes}
    boxes = {idx: (line[:, :2].min(axis=0) - 2.5, line[:, :2].max(axis=0) + 2.5) for idx, line in dense.items()}
    for number, a in enumerate(lanes):
        for b in lanes[number + 1 :]:
            (low_a, high_a), (low_b, high_b) = boxes[a.idx], boxes[b.idx]
            joined = {a.from_node_idx, a.to_node_idx} & {b.from_node_idx, b.to_node_idx}
            if a.road_id == b.road_id or joined or (low_a > high_b).any() or (low_b > high_a).any():
                continue
            height = abs(dense[a.idx][:, 2].mean() - dense[b.idx][:, 2].mean())
            assert nearest(dense[a.idx], dense[b.idx]) > 2.4 or height > 3.0, (a.idx, b.idx)


def test_lane_changes_lead_to_the_lane_beside(town):
    lanes = {link.idx: link for link in lanes_of(town)}
    changes = [link for link in town.links if link.lazy_init]
    assert changes
    for change in changes:
        path = [lanes[idx] for idx in change.lane_ch_link_path]
        assert change.from_node_idx == path[0].from_node_idx
        assert change.to_node_idx == path[-1].to_node_idx
        for here, there in itertools.pairwise(path):
            assert there.idx in (here.left_lane_change_dst_link_idx, here.right_lane_change_dst_link_idx)
            across = there.points[0] - here.points[0]
            along = here.points[1] - here.points[0]
            left = along[0] * across[1] - along[1] * across[0] > 0
            assert here.can_move_left_lane if left else here.can_move_right_lane
            assert 2.5 < nearest(here.points[:1], there.points[:1]) < 4.5


def test_every_lane_lies_between_its_lines(town):
    assert all(link.lane_mark_left and link.lane_mark_right for link in lanes_of(town))
    network = network_from_mgeo(town)
    for row in range(network.link_count):
        s = np.linspace(0.02, 0.98, 9) * network.link_length[row]
        left, right = network.boundary_distances(row, s)
        assert min(left.min(), right.min()) > 0.6, network.link_ids[row]
        assert max(left.max(), right.max()) < 5.2, network.link_ids[row]


def test_lines_have_the_codes_and_colours_of_korean_roads(town):
    paint = {(line.lane_type[0], *line.lane_color, *line.lane_shape) for line in town.lane_boundaries}
    assert {
        (501, "yellow", "Solid"),
        (501, "yellow", "Solid Solid"),
        (503, "white", "Broken"),
        (505, "white", "Solid"),
        (506, "white", "Solid"),
        (525, "white", "Broken"),
        (530, "white", "Solid"),
    } <= paint
    dashes = {
        (line.dash_interval_L1, line.dash_interval_L2) for line in town.lane_boundaries if line.lane_type == [503]
    }
    assert (3.0, 5.0) in dashes


def test_stop_lines_lie_across_lanes_whose_ends_are_marked(town):
    network = network_from_mgeo(town)
    marked = {node.idx for node in town.nodes if node.on_stop_line}
    ends = [link for link in lanes_of(town) if link.to_node_idx in marked]
    assert ends
    for link in ends:
        row = network.link_index(link.idx)
        assert network.link_length[row] - network.signals.stop_line[row] < 1.0


def test_crosswalks_and_arrows_lie_on_their_lanes(town):
    lanes = {link.idx: link for link in lanes_of(town)}
    for walk in town.single_crosswalks:
        middle = walk.points[:-1].mean(axis=0)[None]
        reach = 0.5 * math.dist(walk.points[0], walk.points[1]) + 1
        assert all(nearest(resampled(lanes[idx].points, 0.5), middle) < reach for idx in walk.link_id_list)
    for mark in town.surface_markings:
        assert nearest(resampled(lanes[mark.link_id_list[0]].points, 0.3), mark.points) < 0.3
        assert mark.type == "1"


def test_bays_lie_beside_the_aisle_that_they_name(town):
    lanes = {link.idx: link for link in lanes_of(town)}
    assert len(town.parking_spaces) >= 80
    for bay in town.parking_spaces:
        for side, names in ((1.0, bay.linked_left_list_idx), (-1.0, bay.linked_right_list_idx)):
            for name in names:
                line = resampled(lanes[name].points, 0.5)
                at = int(np.argmin(np.hypot(*(line[:, :2] - bay.center_point[:2]).T)))
                at = min(at, len(line) - 2)
                along, away = line[at + 1] - line[at], np.array(bay.center_point) - line[at]
                assert side * (along[0] * away[1] - along[1] * away[0]) > 0
        length = [math.dist(bay.points[i], bay.points[i + 1]) for i in range(4)]
        assert sorted(length) == pytest.approx([2.5, 2.5, 5.0, 5.0], abs=0.02)
    corners = np.array([bay.center_point[:2] for bay in town.parking_spaces])
    gaps = np.hypot(*(corners[:, None] - corners[None]).T) + 99 * np.eye(len(corners))
    assert gaps.min() > 2.4


def test_the_default_town_has_what_it_promises():
    town = town_of(8, Size.DEFAULT)
    lanes = lanes_of(town)
    assert 8 <= len(town.intersection_controllers) <= 12
    west, south = np.min([link.points[:, :2].min(axis=0) for link in lanes], axis=0)
    east, north = np.max([link.points[:, :2].max(axis=0) for link in lanes], axis=0)
    assert 900 < east - west < 1300
    assert 700 < north - south < 1100
    assert abs(east + west) < 100
    assert abs(north + south) < 100
    kilometres = sum(legs(link.points)[0].sum() for link in lanes) / 1000
    assert 20 < kilometres < 35
    assert {link.max_speed for link in lanes} >= {15.0, 40.0, 50.0, 60.0, 80.0}
    assert {node.node_type for node in town.nodes} >= {"1", "7", "10"}  # junction, lane count, roundabout
    assert {sign.sub_type[0] for sign in town.traffic_signs} >= {"224", "227", "228", "304", "328"}
    assert {mark.sub_type for mark in town.surface_markings} >= {"5371", "5372", "5373", "5379", "5381", "5382"}
    assert town.info.traffic_dir == "RHT"


def test_a_small_town_has_two_signalised_junctions():
    assert len(town_of(1, Size.SMALL).intersection_controllers) == 2


def test_a_negative_seed_is_refused():
    with pytest.raises(InputError, match="a seed is not negative"):
        generate_town(-1)


def test_the_town_lies_in_korea():
    info = town_of(8, Size.DEFAULT).info
    longitude, latitude = Transformer.from_crs("EPSG:32652", "EPSG:4326", always_xy=True).transform(*info.origin[:2])
    assert info.coordinate_system == "UTM52N"
    assert 126 < longitude < 129.6
    assert 34 < latitude < 38.6
