"""Which place on a lane is beside which place on the next, and what follows for routes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.road.lane_change import lane_change_cost
from dorosim.road.route import Router, link_end
from dorosim.road.side_by_side import side_by_side_of_pairs
from tests.road.real_map import SUBURB, real_network
from tests.road.small_map import arc, network_of, straight


def pair_of(here, there, **more):
    """The network of two lanes, "here" and "there", from the first of which one may change to the second."""
    to = {"can_move_left_lane": True, "left_lane_change_dst_link_idx": "there"} | more
    return network_of(straight("here", "A", "B", *here, **to), straight("there", "C", "D", *there))


def stretch(network):
    pair = int(network.side_by_side.pairs_of(network.link_index("here"), network.link_index("there"))[0])
    return None if pair < 0 else network.side_by_side.stretch_of(pair)


CASES = {
    "the same ends": (((0, 0, 0), (100, 0, 0)), ((0, 3, 0), (100, 3, 0)), (0, 100, 0, 100)),
    "shifted by 60 m": (((0, 0, 0), (100, 0, 0)), ((60, 3, 0), (160, 3, 0)), (60, 100, 0, 40)),
    "shifted back": (((60, 0, 0), (160, 0, 0)), ((0, 3, 0), (100, 3, 0)), (0, 40, 60, 100)),
    "half as long": (((0, 0, 0), (100, 0, 0)), ((0, 3, 0), (50, 3, 0)), (0, 50, 0, 50)),
    "twice as long": (((0, 0, 0), (100, 0, 0)), ((-50, 3, 0), (150, 3, 0)), (0, 100, 50, 150)),
    "behind one another": (((0, 0, 0), (100, 0, 0)), ((100, 3, 0), (200, 3, 0)), None),
    "the other way": (((0, 0, 0), (100, 0, 0)), ((100, 3, 0), (0, 3, 0)), None),
    "too far aside": (((0, 0, 0), (100, 0, 0)), ((0, 9, 0), (100, 9, 0)), None),
    "on a bridge": (((0, 0, 0), (100, 0, 0)), ((0, 3, 6), (100, 3, 6)), None),
    "across": (((0, 0, 0), (100, 0, 0)), ((50, -50, 0), (50, 50, 0)), None),
    "parting": (((0, 0, 0), (100, 0, 0)), ((0, 3, 0), (100, 13, 0)), (0.3, 50, 0.0, 50.0)),
}


@pytest.mark.parametrize("what", CASES)
def test_lanes_lie_side_by_side_where_their_feet_say_so(what):
    here, there, expected = CASES[what]
    found = stretch(pair_of(here, there))
    if expected is None:
        assert found is None
    else:
        assert found == pytest.approx(expected, abs=0.5)


def test_places_in_a_bend_are_those_on_the_same_radius():
    network = network_of(
        arc("here", "A", "B", (0, 0), 30.0, 0.3, 2.0, can_move_left_lane=True, left_lane_change_dst_link_idx="there"),
        arc("there", "C", "D", (0, 0), 26.5, 0.0, 2.0),
    )
    sides = network.side_by_side
    here, there = network.link_index("here"), network.link_index("there")
    at = np.linspace(0.35, 1.95, 40) * 26.5
    expected = (at / 26.5 - 0.3) * 30.0
    assert sides.places_on_lane(here, there, at) == pytest.approx(expected, abs=0.02)
    pair = int(sides.pairs_of(here, there)[0])
    back = [sides.place_on_other(pair, s) for s in sides.places_on_lane(here, there, at)]
    assert back == pytest.approx(at, abs=1e-9)


def test_beyond_a_stretch_a_metre_is_a_metre_and_lanes_that_are_no_pair_keep_places():
    network = pair_of(((0, 0, 0), (100, 0, 0)), ((60, 3, 0), (160, 3, 0)))
    places = network.side_by_side.places_on_lane
    here, there = network.link_index("here"), network.link_index("there")
    assert places(here, there, [-5.0, 10.0, 70.0]) == pytest.approx([55.0, 70.0, 130.0], abs=0.01)
    assert places(there, here, [12.0]).tolist() == [12.0]
    assert len(places(here, np.array([], np.int64), np.array([]))) == 0


def test_lanes_without_length_or_with_nothing_beside_them_are_no_pairs():
    network = network_of(
        straight("here", "A", "B", (0, 0, 0), (0, 0, 0)), straight("there", "C", "D", (0, 3, 0), (9, 3, 0))
    )
    sides = side_by_side_of_pairs(network.lines, [(0, 1), (1, 0), (1, 1)])
    assert sides.pairs_of([0, 1, 1], [1, 0, 1]).tolist() == [-1, -1, -1]


def test_lanes_of_the_real_map_lie_side_by_side_along_all_of_their_length():
    network = real_network(SUBURB)
    sides = network.side_by_side
    assert len(sides) == 148
    for pair in range(len(sides)):
        begin, end, begin_there, end_there = sides.stretch_of(pair)
        assert max(begin, begin_there) < 0.2
        assert end > network.link_length[sides.lane[pair]] - 0.2
        assert end_there > network.link_length[sides.other[pair]] - 0.2


def way(network, start_s, goal_s=None):
    return Router(network).find_route(link_end(network, "here", start_s), link_end(network, "there", goal_s))


def test_a_route_changes_where_the_lanes_are_side_by_side():
    """The other lane begins 60 m on: one drives there first, and has 40 m to change."""
    network = pair_of(((0, 0, 0), (100, 0, 0)), ((60, 3, 0), (160, 3, 0)))
    route = way(network, 20.0)
    assert route.length == pytest.approx(40.0 + 100.0, abs=0.1)
    assert route.cost == pytest.approx(140.0 + lane_change_cost(40.0, 1), abs=0.5)
    assert way(network, 20.0, 30.0).length == pytest.approx(70.0, abs=0.1)
    assert way(network, 85.0).length == pytest.approx(75.0, abs=0.1)


@pytest.mark.parametrize(("start_s", "goal_s"), [(95.0, None), (20.0, 5.0), (80.0, 10.0)])
def test_there_is_no_way_where_too_little_is_left_to_change(start_s, goal_s):
    network = pair_of(((0, 0, 0), (100, 0, 0)), ((60, 3, 0), (160, 3, 0)))
    with pytest.raises(InputError, match="there is no way"):
        way(network, start_s, goal_s)


def test_routes_do_not_change_to_a_lane_that_lies_elsewhere():
    network = pair_of(((0, 0, 0), (100, 0, 0)), ((0, 50, 0), (100, 50, 0)))
    with pytest.raises(InputError, match="there is no way"):
        way(network, 0.0)


def test_a_route_over_two_lanes_changes_twice():
    network = network_of(
        straight("a", "A", "B", (0, 0, 0), (200, 0, 0), can_move_left_lane=True, left_lane_change_dst_link_idx="b"),
        straight("b", "C", "D", (50, 3, 0), (250, 3, 0), can_move_left_lane=True, left_lane_change_dst_link_idx="c"),
        straight("c", "E", "F", (80, 6, 0), (280, 6, 0)),
    )
    route = Router(network).find_route(link_end(network, "a", 0.0), link_end(network, "c"))
    assert route.length == pytest.approx(280.0, abs=0.2)
    assert math.isfinite(route.cost)
