"""Vehicles that know where they want to go."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.mapmaking.track import grid_map
from dorosim.road.network import network_from_mgeo
from dorosim.road.route import Router
from dorosim.world.traffic.route import RouteTable, astray, compact_routes, loop_of, renew_routes, route_to, set_route
from tests.road.small_map import arc, network_of, straight
from tests.world.traffic.rig import run_with

GRID = network_from_mgeo(grid_map(3))
ROUTER = Router(GRID)
ROUND = ("0_0_0_0", "m1_0_0_0_1", "1_0_1_0", "m1_1_1_0_1", "1_1_2_0", "m0_1_2_0_1", "0_1_3_0", "m0_0_3_0_1")
"""Four left turns around a block."""


def links_of(network, ids) -> np.ndarray:
    return np.array([network.link_index(name) for name in ids], np.int64)


def drive(run, routes, seconds: float) -> list[int]:
    """The links that the first vehicle comes by."""
    seen = [int(run.state.link[0])]
    for _ in range(round(seconds / run.dt)):
        run.step(routes=routes)
        if run.state.link[0] != seen[-1]:
            seen.append(int(run.state.link[0]))
    return seen


def test_a_route_by_links_is_driven_once_and_then_on_at_random():
    way = links_of(GRID, ROUND[:5])
    run = run_with(GRID, [(ROUND[0], 20.0)])
    routes = set_route(ROUTER, run.state, RouteTable.from_lists([]), 0, way)
    seen = drive(run, routes, 250.0)
    assert seen[:5] == way.tolist()
    assert len(seen) > 6
    assert run.state.cursor[0] == -1


def test_a_closed_route_is_driven_in_rounds():
    way = links_of(GRID, ROUND)
    run = run_with(GRID, [(ROUND[0], 20.0)])
    routes = set_route(ROUTER, run.state, RouteTable.from_lists([]), 0, way, close_loop=True)
    seen = drive(run, routes, 600.0)
    assert len(seen) > 16
    assert seen == [int(way[number % 8]) for number in range(len(seen))]


def test_a_closed_route_gets_the_way_back_to_its_beginning():
    way = loop_of(ROUTER, links_of(GRID, ROUND[:3]))
    ids = [GRID.link_ids[link] for link in way]
    assert ids[:3] == list(ROUND[:3])
    assert way[0] in GRID.successors.of(int(way[-1]))


def test_a_vehicle_elsewhere_first_drives_to_the_closed_route():
    way = links_of(GRID, ROUND)
    run = run_with(GRID, [("2_2_2_0", 20.0)])
    routes = set_route(ROUTER, run.state, RouteTable.from_lists([]), 0, way, close_loop=True)
    seen = drive(run, routes, 700.0)
    begin = seen.index(int(way[0]))
    assert len(seen) > begin + 9
    assert seen[begin:] == [int(way[number % 8]) for number in range(len(seen) - begin)]


def test_a_destination_is_reached_by_the_shortest_way_with_its_lane_changes():
    goal = GRID.link_index("1_2_0_0")
    run = run_with(GRID, [("0_0_0_1", 20.0)])
    routes = RouteTable.from_lists([])
    routes = set_route(ROUTER, run.state, routes, 0, route_to(ROUTER, int(run.state.link[0]), 20.0, goal))
    changed = 0
    for _ in range(3000):
        run.step(routes=routes)
        changed |= int(run.state.change_from[0] >= 0)
        routes = renew_routes(ROUTER, run.state, routes)
        if run.state.link[0] == goal:
            break
    assert run.state.link[0] == goal
    assert changed
    assert run.state.cursor[0] == routes.first[run.state.route[0] + 1] - 1


def test_who_misses_his_turn_gets_a_new_route_to_where_he_wants_to_go():
    way = links_of(GRID, ROUND[:5])
    run = run_with(GRID, [("0_0_0_1", 20.0)], may_change=0)
    # the vehicle is on the lane beside its route, and its cursor says that it is on the route
    routes = RouteTable.from_lists([way])
    run.state.route[0] = run.state.cursor[0] = 0
    assert astray(run.state, routes).tolist() == [True]
    goal = int(way[-1])
    for _ in range(4000):
        routes = renew_routes(ROUTER, run.state, routes)
        run.step(routes=routes)
        if run.state.link[0] == goal:
            break
    assert run.state.link[0] == goal


def test_who_is_beside_his_route_and_comes_back_to_it_needs_no_new_one():
    way = links_of(GRID, ["0_0_0_0", "m1_0_0_0_0", "1_0_0_0"])
    run = run_with(GRID, [("0_0_0_1", 20.0)])
    beside = RouteTable.from_lists([links_of(GRID, ["0_0_0_0", "m1_0_0_1_0", "1_0_0_1"]), way])
    run.state.route[0] = run.state.cursor[0] = 0
    assert renew_routes(ROUTER, run.state, beside) is beside
    run.state.route[0], run.state.cursor[0] = 1, 3
    assert len(renew_routes(ROUTER, run.state, beside)) == 3


def test_routes_that_nobody_follows_are_left_out():
    run = run_with(GRID, [(ROUND[0], 20.0), (ROUND[2], 20.0)])
    routes = RouteTable.from_lists([[1, 2, 3], links_of(GRID, ROUND), [5, 6], links_of(GRID, ROUND[2:])])
    run.state.route[:], run.state.cursor[:] = (1, 3), (3, routes.first[3] + 1)
    kept = compact_routes(run.state, routes)
    assert len(kept) == 2
    assert run.state.route.tolist() == [0, 1]
    assert run.state.cursor.tolist() == [0, 9]
    assert kept.of(1).tolist() == routes.of(3).tolist()
    assert kept.again.tolist() == [0, 8]


def test_a_closed_route_without_a_way_back_is_refused():
    dead = network_of(straight("a", "A", "B", (0, 0, 0), (99, 0, 0)), straight("b", "B", "C", (99, 0, 0), (150, 0, 0)))
    with pytest.raises(InputError, match="no way"):
        loop_of(Router(dead), links_of(dead, ["a", "b"]))


def test_a_ring_of_one_link_is_a_closed_route():
    ring = network_of(arc("ring", "A", "A", (0, 0), 40, 0, 2 * math.pi, count=241))
    run = run_with(ring, [("ring", 20.0)])
    routes = set_route(Router(ring), run.state, RouteTable.from_lists([]), 0, np.array([0]), close_loop=True)
    for _ in range(1000):
        run.step(routes=routes)
    assert run.state.present[0] == 1
    assert run.state.counter[0] >= 3
