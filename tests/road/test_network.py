"""The network's arrays on maps that can be checked by head, and on the two real maps."""

import math
import subprocess
import sys

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.mapmaking.track import grid_map
from dorosim.road.lane_network import MANY_PLACES
from dorosim.road.network import network_from_mgeo
from tests.road.real_map import REAL_MAPS, SUBURB, TRACK, real_map, real_network
from tests.road.small_map import arc, lane, map_of, network_of, straight


def a_fork():
    """A lane of 10 m along x that forks into a straight lane and a left turn of radius 5."""
    return (
        straight("in", "A", "B", (0, 0, 0), (10, 0, 0), max_speed=36, link_type="driving"),
        straight("on", "B", "C", (10, 0, 0), (30, 0, 2), max_speed=72, related_signal="straight"),
        arc("left", "B", "D", (10, 5), 5, -math.pi / 2, math.pi / 2, max_speed=0, related_signal="left"),
        straight("walk", "E", "F", (0, -3, 0), (30, -3, 0), link_type="sidewalk"),
    )


def test_lanes_are_rows_with_lengths_speeds_and_flags_in_si():
    w = network_of(*a_fork())
    assert w.link_ids == ("in", "on", "left", "walk")
    assert w.link_length == pytest.approx([10, math.hypot(20, 2), 2.5 * math.pi, 30], rel=1e-3)
    assert w.link_speed_limit == pytest.approx([10, 20, 50 / 3.6, 50 / 3.6])
    assert w.link_drivable.tolist() == [True, True, True, False]
    assert w.link_movements == ("", "straight", "left", "")


def test_speed_in_miles_is_converted_and_every_other_unit_is_km_h():
    def limit(unit):
        return network_of(
            straight("L", "A", "B", (0, 0, 0), (1, 0, 0), max_speed=40, speed_unit=unit)
        ).link_speed_limit[0]

    assert limit("mph") == pytest.approx(17.8816)
    assert limit("kph") == limit("km/h") == limit("") == pytest.approx(40 / 3.6)


def test_links_follow_one_another_where_they_share_a_node():
    w = network_of(*a_fork())
    assert w.successors.of(0).tolist() == [1, 2]
    assert w.predecessors.of(2).tolist() == [0]
    assert w.successors.of(1).tolist() == []
    assert w.node_ids[w.link_to_node[0]] == w.node_ids[w.link_from_node[1]] == "B"


def test_a_link_without_node_follows_nothing():
    w = network_of(lane("a", "A", None, [(0, 0, 0), (1, 0, 0)]), lane("b", None, "B", [(1, 0, 0), (2, 0, 0)]))
    assert w.link_to_node[0] == w.link_from_node[1] == -1
    assert len(w.successors.item) == 0


def test_an_unknown_id_is_refused_with_the_most_similar_one():
    w = network_of(*a_fork())
    assert w.link_index("left") == 2
    assert w.node_index("C") == 2
    with pytest.raises(InputError, match="the most similar link is 'left'"):
        w.link_index("lefft")
    with pytest.raises(InputError, match="no node at all"):
        network_of().node_index("A")


def test_of_records_with_the_same_id_the_first_counts_with_a_notice():
    w = network_of(
        straight("L", "A", "B", (0, 0, 0), (5, 0, 0)),
        straight("L", "B", "C", (5, 0, 0), (9, 0, 0)),
    )
    assert w.link_length.tolist() == [5]
    assert any("1 links left out" in notice for notice in w.notices)


def test_poses_on_a_straight_climbing_lane():
    w = network_of(straight("L", "A", "B", (0, 0, 0), (30, 40, 5)))
    length = math.sqrt(30**2 + 40**2 + 5**2)
    pose = w.pose_at(0, [0, length / 2, length, 2 * length, -1], [0, 2, -1, 0, 0])
    normal = np.array([-0.8, 0.6, 0])
    expected = [[0, 0, 0], [15, 20, 2.5] + 2 * normal, [30, 40, 5] - normal, [30, 40, 5], [0, 0, 0]]
    np.testing.assert_allclose(pose.point, expected, atol=1e-12)
    np.testing.assert_allclose(pose.heading, math.atan2(40, 30))
    np.testing.assert_allclose(pose.grade, 0.1)


def test_heading_and_curvature_on_a_circle():
    w = network_of(arc("L", "A", "B", (0, 0), 20, 0, math.pi, count=200))
    s = np.linspace(0, w.link_length[0], 300)
    expected = np.pi / 2 + s / w.link_length[0] * np.pi
    turned = np.angle(np.exp(1j * (w.heading_at(0, s) - expected)))
    assert np.abs(turned).max() < 0.01
    np.testing.assert_allclose(w.curvature_at(0, s[5:-5]), 1 / 20, rtol=1e-3)


def test_heading_turns_without_jumps_at_the_points_of_a_lane():
    w = network_of(arc("L", "A", "B", (0, 0), 10, 0, math.pi, count=20))
    heading = w.heading_at(0, np.linspace(0, w.link_length[0], 20_000))
    assert np.abs(np.angle(np.exp(1j * np.diff(heading)))).max() < 1e-3


def test_heading_and_grade_run_on_from_lane_to_lane():
    w = real_network(TRACK)
    for link in range(w.link_count):
        for following in w.successors.of(link):
            end, start = w.pose_at(link, w.link_length[link]), w.pose_at(following, 0)
            assert end.heading == pytest.approx(start.heading)
            assert end.grade == pytest.approx(start.grade)


def test_lanes_that_meet_at_an_angle_keep_their_own_headings():
    w = network_of(straight("a", "A", "B", (0, 0, 0), (9, 0, 0)), straight("b", "B", "C", (9, 0, 0), (9, 9, 0)))
    assert w.heading_at([0, 1], [9, 0]).tolist() == [0, math.pi / 2]


def test_last_points_a_millimetre_apart_do_not_spoil_the_heading():
    """Real maps end in segments of a few millimetres, to the side as it happens."""
    w = network_of(lane("L", "A", "B", [(0, 0, 0), (0, 0, 0), (10, 0, 0), (20, 0, 0), (20, 0.002, 0)]))
    np.testing.assert_allclose(w.heading_at(0, np.linspace(0, w.link_length[0], 50)), 0, atol=2e-3)


def test_a_lane_of_one_place_has_length_zero_and_finite_poses():
    w = network_of(lane("L", "A", "B", [(3, 4, 5), (3, 4, 5)]))
    assert w.link_length[0] == 0
    assert w.point_at(0, [0, 1]).tolist() == [[3, 4, 5], [3, 4, 5]]
    assert np.isfinite(w.heading_at(0, 0)).all()


def test_points_keep_their_number_and_order():
    """Messages and scenarios name places by link and point number."""
    for name in REAL_MAPS:
        w = real_network(name)
        for link in real_map(name).links:
            if not link.lazy_init:
                np.testing.assert_array_equal(w.points_of(w.link_index(link.idx)), link.points)


def test_a_network_without_lanes_can_be_asked():
    w = network_of()
    assert w.link_count == 0
    assert w.point_at([], []).shape == (0, 3)


def test_every_array_is_read_only():
    def arrays(value):
        if isinstance(value, np.ndarray):
            yield value
        elif hasattr(value, "_fields"):
            yield from value
        elif hasattr(value, "__dataclass_fields__"):
            for name in value.__dataclass_fields__:
                yield from arrays(getattr(value, name))

    found = list(arrays(network_of(*a_fork())))
    assert len(found) > 40
    assert all(not array.flags.writeable for array in found)


# --- neighbours and lane changes ---------------------------------------------------------------------------------


def three_lanes(**more):
    """Lanes of 100 m eastwards, "r" at y=0, "m" at y=3.5, "l" at y=7, with the permissions between them."""
    right = {"right_lane_change_dst_link_idx": "r", "can_move_right_lane": True}
    left = {"left_lane_change_dst_link_idx": "m", "can_move_left_lane": True}
    return (
        straight("r", "A0", "B0", (0, 0, 0), (100, 0, 0), **left),
        straight("m", "A1", "B1", (0, 3.5, 0), (100, 3.5, 0), **right, left_lane_change_dst_link_idx="l", **more),
        straight("l", "A2", "B2", (0, 7, 0), (100, 7, 0), right_lane_change_dst_link_idx="m"),
    )


def test_neighbours_have_permissions_of_their_own():
    n = network_of(*three_lanes()).neighbours
    assert n.left.tolist() == [1, 2, -1]
    assert n.right.tolist() == [-1, 0, 1]
    assert n.left_allowed.tolist() == [True, False, False]
    assert n.right_allowed.tolist() == [False, True, False]


def test_ngii_types_1_to_3_may_not_be_left():
    assert not network_of(*three_lanes(link_type="1")).neighbours.right_allowed[1]


def paths(changes):
    return [tuple(changes.path_of(number).tolist()) for number in range(len(changes))]


def test_without_lane_change_links_the_changes_follow_from_the_permissions():
    changes = network_of(*three_lanes(can_move_left_lane=True)).changes
    assert paths(changes) == [(0, 1), (0, 1, 2), (1, 2), (1, 0)]
    assert changes.side.tolist() == [1, 1, 1, -1]
    assert set(changes.ids) == {""}


def test_lane_change_links_are_changes_and_no_lanes():
    lazy = lane("r-m", "A0", "B1", [(0, 0, 0), (100, 3.5, 0)], lazy_init=True, lane_ch_link_path=["r", "m"])
    lost = lane("x", "A0", "B1", [(0, 0, 0), (100, 3.5, 0)], lazy_init=True, lane_ch_link_path=["r", "gone"])
    w = network_of(*three_lanes(), lazy, lost)
    assert w.link_count == 3
    assert paths(w.changes) == [(0, 1)]
    assert w.changes.ids == ("r-m",)
    assert any("lane changes left out" in notice for notice in w.notices)


def test_suburbs_132_changes_go_to_the_side_where_the_other_lane_lies():
    w = real_network(SUBURB)
    assert len(w.changes) == 132
    for number in range(132):
        here, there = w.changes.path_of(number)[:2]
        half = w.link_length[here] / 2
        forward = w.heading_at(here, half)[0]
        across = w.point_at(there, w.link_length[there] / 2)[0] - w.point_at(here, half)[0]
        assert np.sign(across[1] * math.cos(forward) - across[0] * math.sin(forward)) == w.changes.side[number]


# --- real maps ---------------------------------------------------------------------------------------------------


def test_real_maps_have_their_known_size():
    suburb, track = real_network(SUBURB), real_network(TRACK)
    assert suburb.link_count == 318
    assert suburb.link_length.sum() == pytest.approx(18_108, abs=1)
    assert (~suburb.link_drivable).sum() == 92
    np.testing.assert_allclose(suburb.link_speed_limit, 40 * 1609.344 / 3600, rtol=1e-6)
    assert track.link_count == 212
    assert track.link_length.sum() == pytest.approx(4_178, abs=1)


def test_every_successor_begins_where_its_link_ends():
    for name in REAL_MAPS:
        w = real_network(name)
        for link in range(w.link_count):
            for following in w.successors.of(link):
                gap = w.points_of(link)[-1] - w.points_of(following)[0]
                assert np.linalg.norm(gap) < 1e-3


def test_reading_a_map_needs_neither_numba_nor_pyproj():
    """Both are slow to import, and the command line reads maps."""
    modules = "check, network, route, store, projection, mgeo.reader, mgeo.writer"
    imports = "; ".join(f"import dorosim.road.{name}" for name in modules.split(", "))
    script = f"import sys; {imports}; sys.exit(bool(sys.modules.keys() & {{'numba', 'pyproj'}}))"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_building_does_not_change_the_map():
    m = map_of(*a_fork())
    before = [link.points.copy() for link in m.links]
    network_from_mgeo(m)
    for link, points in zip(m.links, before, strict=True):
        np.testing.assert_array_equal(link.points, points)
        assert link.points.flags.writeable


def test_poses_of_many_places_are_those_of_few_to_the_bit() -> None:
    network = network_from_mgeo(grid_map(2))
    draw = np.random.default_rng(3)
    link = draw.integers(0, network.link_count, MANY_PLACES)
    s = draw.uniform(-5.0, 180.0, MANY_PLACES)
    lateral = draw.uniform(-3.0, 3.0, MANY_PLACES)
    many, heading = network.pose_at(link, s, lateral), network.heading_at(link, s)
    for some in np.split(np.arange(MANY_PLACES), 4):
        few = network.pose_at(link[some], s[some], lateral[some])
        for whole, part in zip(many, few, strict=True):
            assert whole[some].tobytes() == part.tobytes()
        assert heading[some].tobytes() == few.heading.tobytes()
