"""Distances to lane boundaries, listed, found, or from the lane's width."""

import numpy as np
import pytest

from dorosim.road.mgeo.record import LaneBoundary
from tests.road.real_map import SUBURB, TRACK, real_network
from tests.road.small_map import network_of, straight


def line(idx, points):
    return LaneBoundary(idx=idx, from_node_idx=None, to_node_idx=None, points=np.array(points, float))


def a_lane(**more):
    return straight("L", "A", "B", (0, 0, 0), (100, 0, 0), width_start=3.0, width_end=4.0, **more)


def test_without_boundaries_it_is_half_the_width_of_the_place():
    w = network_of(a_lane())
    left, right = w.boundary_distances(0, [0, 50, 100], [0, 0.5, -0.5])
    assert left.tolist() == pytest.approx([1.5, 1.25, 2.5])
    assert right.tolist() == pytest.approx([1.5, 2.25, 1.5])
    assert w.width_at(0, 50)[0] == pytest.approx(3.5)


def test_listed_boundaries_count_in_any_direction_and_in_pieces():
    boundaries = [
        line("l1", [(-5, 2, 0), (40, 2, 0)]),
        line("l2", [(110, 3, 0), (40, 2, 0)]),
        line("r", [(-5, -9, 0), (105, -9, 0)]),
        line("kerb", [(-5, 0.1, 0), (105, 0.1, 0)]),
    ]
    w = network_of(a_lane(lane_mark_left=["l1", "l2"], lane_mark_right=["r"]), lane_boundaries=boundaries)
    left, right = w.boundary_distances(0, [0, 20, 75], 0.0)
    assert left == pytest.approx([2, 2, 2.5], abs=0.02)
    assert right == pytest.approx([9, 9, 9])


def test_a_position_beyond_the_boundary_has_a_negative_distance():
    left, right = network_of(a_lane()).boundary_distances(0, [0], [2.0])
    assert left[0] == pytest.approx(-0.5)
    assert right[0] == pytest.approx(3.5)


def test_unlisted_boundaries_count_when_they_run_along_the_lane():
    along = [line("l", [(-5, 2.2, 0), (105, 2.2, 0)]), line("r", [(-5, -2.1, 0), (105, -2.1, 0)])]
    crossing = [line("x", [(45, -9, 0), (55, 9, 0)]), line("y", [(-5, 1, 0), (105, -30, 0)])]
    left, right = network_of(a_lane(), lane_boundaries=along + crossing).boundary_distances(0, [10, 50, 90])
    assert left == pytest.approx([2.2] * 3)
    assert right == pytest.approx([2.1] * 3)


def test_suburbs_lanes_are_as_wide_as_their_painted_lines_say():
    """The map writes 3.5 m for every lane, but its lines lie 4.5 m apart on ordinary roads."""
    w = real_network(SUBURB)
    lane = w.link_index("_0_0_L1_")
    left, right = w.boundary_distances(lane, np.linspace(0, w.link_length[lane], 20))
    assert left == pytest.approx([2.25] * 20)
    assert right == pytest.approx([2.25] * 20)
    width = w.left_width + w.right_width
    assert width.min() > 3.4
    assert width.max() < 5.5


def test_track_without_boundaries_has_its_nominal_width():
    w = real_network(TRACK)
    assert set(w.left_width) == set(w.right_width) == {1.75}
