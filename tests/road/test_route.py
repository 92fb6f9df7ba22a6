"""Routes against networkx on a graph of nodes, as the product builds it, and by head on small maps."""

import math

import networkx as nx
import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.road.lane_change import lane_change_cost
from dorosim.road.network import network_from_mgeo
from dorosim.road.route import RouteEnd, Router, link_end, node_end, position_end
from tests.road.real_map import REAL_MAPS, SUBURB, real_map, real_network
from tests.road.small_map import arc, lane, network_of, straight


def graph_of_nodes(m):
    """facts/ros-grpc-mgeo.md 3.4: nodes, and between two of them the cheapest link or lane change."""
    lanes = {link.idx: link for link in m.links if not link.lazy_init and link.link_type != "sidewalk"}
    graph = nx.DiGraph()
    graph.add_nodes_from(node.idx for node in m.nodes)

    def length(link):
        return float(np.linalg.norm(np.diff(link.points, axis=0), axis=1).sum())

    def add(start, end, cost):
        if cost < graph.get_edge_data(start, end, {"weight": math.inf})["weight"]:
            graph.add_edge(start, end, weight=cost)

    for link in lanes.values():
        add(link.from_node_idx, link.to_node_idx, length(link))
    for link in m.links:
        if link.lazy_init:
            path = [lanes[name] for name in link.lane_ch_link_path]
            changes, way = len(path) - 1, length(path[-1])
            if way / changes >= 10:
                table = [10, 50, 100, 500, 1000, 2000], [500, 300, 200, 50, 20, 10]
                penalty = changes * float(np.interp(way / changes, *table))
                add(path[0].from_node_idx, path[-1].to_node_idx, way + penalty)
    return graph


@pytest.mark.parametrize("name", REAL_MAPS)
def test_costs_agree_with_networkx_between_random_nodes(name):
    m, w = real_map(name), real_network(name)
    graph, router = graph_of_nodes(m), Router(w)
    random = np.random.default_rng(21)
    lane_nodes = [row for row in range(len(w.node_ids)) if row in set(w.link_from_node[w.link_drivable].tolist())]
    changed = found = 0
    for start in random.choice(lane_nodes, 12, replace=False):
        costs = nx.single_source_dijkstra_path_length(graph, w.node_ids[start])
        for goal in random.choice(lane_nodes, 25, replace=False):
            expected = costs.get(w.node_ids[goal])
            if expected is None:
                with pytest.raises(InputError, match="there is no way"):
                    router.find_route(RouteEnd(node=int(start)), RouteEnd(node=int(goal)))
                continue
            route = router.find_route(RouteEnd(node=int(start)), RouteEnd(node=int(goal)))
            assert route.cost == pytest.approx(expected)
            check_is_a_way(w, route)
            found += 1
            changed += bool(route.changes.any())
    assert found > 100
    assert changed > 5 or not len(w.changes)


def check_is_a_way(w, route):
    """Each lane follows the one before it, or lies beside it on the side that is said."""
    for before, link, change in zip(route.links[:-1], route.links[1:], route.changes[1:], strict=True):
        if change:
            assert (w.neighbours.left if change > 0 else w.neighbours.right)[before] == link
        else:
            assert link in w.successors.of(before)
    assert w.link_drivable[route.links].all()


def test_the_route_of_the_products_own_example():
    """facts 3.4: Suburb_03, ND000298 to ND000120, is 3 links."""
    w = real_network(SUBURB)
    route = Router(w).find_route(node_end(w, "ND000298"), node_end(w, "ND000120"))
    assert len(route.links) == 3
    assert route.length == route.cost == pytest.approx(w.link_length[route.links].sum())
    points = np.diff(w.lines.first)[route.links].sum()
    assert points == pytest.approx(539, abs=3)  # the product keeps the points that two lanes share twice


def test_the_way_between_two_positions_begins_and_ends_at_them():
    w = real_network(SUBURB)
    route = Router(w).find_route(position_end(w, [0, -2, 0]), position_end(w, [300, 404, 0]))
    ends = w.point_at(route.links[[0, -1]], [route.start_s, route.end_s])
    assert np.linalg.norm(ends[0] - [0, -2, 0]) < 0.1
    assert np.linalg.norm(ends[1, :2] - [300, 404]) < 3.0
    assert not route.changes.any()
    whole = w.link_length[route.links]
    assert route.length == pytest.approx(whole.sum() - route.start_s - (whole[-1] - route.end_s))


@pytest.mark.parametrize(
    ("length", "changes", "cost"),
    [(100, 0, 0), (100, 1, 200), (75, 1, 250), (200, 2, 400), (9.9, 1, math.inf), (10, 1, 500), (5000, 1, 10)],
)
def test_lane_change_costs_follow_the_products_table(length, changes, cost):
    assert lane_change_cost(length, changes) == pytest.approx(cost)


def two_lanes(length=100.0):
    """Two lanes eastwards, "r" at y=0 and "l" at y=3.5, then "on" after "l" only, and a way back "back" to "r"."""
    return network_of(
        straight("r", "A", "B", (0, 0, 0), (length, 0, 0), left_lane_change_dst_link_idx="l", can_move_left_lane=True),
        straight("l", "C", "D", (0, 3.5, 0), (length, 3.5, 0), right_lane_change_dst_link_idx="r"),
        straight("on", "D", "E", (length, 3.5, 0), (length + 50, 3.5, 0)),
        lane("back", "E", "A", [(length + 50, 3.5, 0), (length + 50, 60, 0), (0, 60, 0), (0, 0, 0)]),
        straight("walk", "W", "X", (0, -4, 0), (length, -4, 0), link_type="sidewalk"),
    )


def ids(w, route):
    return [w.link_ids[link] for link in route.links]


def test_a_lane_change_lists_both_lanes_and_its_side():
    w = two_lanes()
    route = Router(w).find_route(link_end(w, "r"), link_end(w, "on"))
    assert ids(w, route) == ["r", "l", "on"]
    assert route.changes.tolist() == [0, 1, 0]
    assert route.length == pytest.approx(150)
    assert route.cost == pytest.approx(350)


def test_start_and_goal_within_one_lane():
    w = two_lanes()
    route = Router(w).find_route(link_end(w, "r", 20), link_end(w, "r", 70))
    assert (ids(w, route), route.length, route.start_s, route.end_s) == (["r"], pytest.approx(50), 20, 70)


def test_a_goal_behind_the_start_needs_the_way_round():
    w = two_lanes()
    route = Router(w).find_route(link_end(w, "r", 50), link_end(w, "r", 40))
    assert ids(w, route) == ["r", "l", "on", "back", "r"]
    back = w.link_length[w.link_index("back")]
    assert route.length == pytest.approx(50 + 50 + back + 40)


def test_a_change_within_the_section_to_a_goal_beside():
    w = two_lanes()
    route = Router(w).find_route(link_end(w, "r", 20), link_end(w, "l", 80))
    assert ids(w, route) == ["r", "l"]
    assert route.length == pytest.approx(60)
    assert route.cost == pytest.approx(60 + lane_change_cost(60, 1))


def test_no_change_where_less_than_10_m_are_left():
    w = two_lanes()
    with pytest.raises(InputError, match="there is no way"):
        Router(w).find_route(link_end(w, "r", 91), link_end(w, "on"))


def test_links_to_avoid_are_not_used_not_even_to_cross():
    w = two_lanes()
    with pytest.raises(InputError, match="from link 'r' to link 'on'"):
        Router(w).find_route(link_end(w, "r"), link_end(w, "on"), avoid=[w.link_index("l")])


def test_the_shorter_of_two_ways_is_taken_and_the_longer_when_it_is_avoided():
    w = network_of(
        straight("in", "A", "B", (0, 0, 0), (10, 0, 0)),
        straight("short", "B", "C", (10, 0, 0), (30, 0, 0)),
        arc("long", "B", "C", (20, 0), 10, math.pi, -math.pi),
        straight("out", "C", "D", (30, 0, 0), (40, 0, 0)),
    )
    router = Router(w)
    assert ids(w, router.find_route(node_end(w, "A"), node_end(w, "D"))) == ["in", "short", "out"]
    detour = router.find_route(node_end(w, "A"), node_end(w, "D"), avoid=[w.link_index("short")])
    assert ids(w, detour) == ["in", "long", "out"]


def test_from_a_node_to_itself_is_no_way_at_all():
    w = two_lanes()
    route = Router(w).find_route(node_end(w, "A"), node_end(w, "A"))
    assert (len(route.links), route.length) == (0, 0)


def test_ends_that_cannot_be_are_refused():
    w = two_lanes()
    with pytest.raises(InputError, match="no vehicle uses this lane"):
        link_end(w, "walk")
    with pytest.raises(InputError, match="there is no such node"):
        node_end(w, "Z")
    with pytest.raises(InputError, match="no lane is within 100 m"):
        position_end(w, [0, -200, 0])
    assert position_end(w, [50, 1.0, 0]).link == w.link_index("r")
    assert position_end(w, [50, 1.0, 0], heading=math.pi / 2).link == w.link_index("r")


def test_a_search_over_ten_thousand_lanes_finds_the_manhattan_distance():
    """A grid of 50 by 50 crossings with streets of 100 m both ways: Manhattan distance is the way."""
    links = []
    for i in range(50):
        for j in range(50):
            for di, dj in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                if 0 <= i + di < 50 and 0 <= j + dj < 50:
                    a, b = (100 * i, 100 * j, 0), (100 * (i + di), 100 * (j + dj), 0)
                    links.append(straight(f"{i}/{j}/{di}/{dj}", f"{i}/{j}", f"{i + di}/{j + dj}", a, b, spacing=50))
    w = network_of(*links)
    route = Router(w).find_route(node_end(w, "0/0"), node_end(w, "49/49"))
    assert route.length == pytest.approx(9800)
    assert len(route.links) == 98


def test_permissions_alone_give_the_same_changes_as_lane_change_links():
    """Without its lane-change links Suburb has at least the same changes, so no route becomes dearer."""
    from copy import copy

    m = copy(real_map(SUBURB))
    m.links = [link for link in m.links if not link.lazy_init]
    listed, derived = real_network(SUBURB), network_from_mgeo(m)
    have = {tuple(derived.changes.path_of(number).tolist()) for number in range(len(derived.changes))}
    assert have >= {tuple(listed.changes.path_of(number).tolist()) for number in range(len(listed.changes))}
