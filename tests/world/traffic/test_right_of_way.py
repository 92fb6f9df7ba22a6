"""Who goes first: unprotected turns, minor roads, roundabouts, merges, and where nothing says it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.road.network import RoadNetwork, network_from_mgeo
from dorosim.world.signal.permission import Permission
from dorosim.world.traffic.conflict_kernel import PRIORITY_WAITING_TIME
from dorosim.world.traffic.route import RouteTable
from dorosim.world.traffic.state import Obstruction
from tests.road.small_map import arc, lane, map_of, network_of, straight
from tests.world.traffic.rig import overlaps, run_with

HALF, OFF = 10.0, 1.75


def crossing(traffic_dir="RHT", limits=(50, 50), turns=("straight",)) -> RoadNetwork:
    """A crossroads of two roads of one lane each way; "e0" leads east to it, "e1" over it, "e2" on, and so on.

    With turns other than straight the lane to the east also leads "left" to the north.
    """
    side = 1.0 if traffic_dir == "RHT" else -1.0
    links = []
    ways = {"e": (1, 0), "n": (0, 1), "w": (-1, 0), "s": (0, -1)}
    for number, (name, (c, s)) in enumerate(ways.items()):
        limit = limits[number % 2]
        aside = np.array((s, -c)) * OFF * side
        points = [np.array((c, s)) * along + aside for along in (-200.0, -HALF, HALF, 200.0)]
        for k in range(3):
            a, b = (np.append(points[k + d], 0.0) for d in (0, 1))
            links.append(straight(f"{name}{k}", f"{name}{k}", f"{name}{k + 1}", a, b, max_speed=limit))
    if "left" in turns:
        start, end = np.array((-HALF, -OFF)), np.array((OFF, HALF))
        t = np.linspace(0, 1, 33)[:, None]
        curve = (1 - t) ** 2 * start + 2 * t * (1 - t) * np.array((OFF, -OFF)) + t**2 * end
        links.append(lane("left", "e1", "n2", np.column_stack((curve, np.zeros(33))), max_speed=limits[0]))
    net = map_of(*links)
    net.info.traffic_dir = traffic_dir
    return network_from_mgeo(net)


def order_of_crossing(run, inside, seconds=40.0, permission=None, **more) -> list[int]:
    """Rows in the order in which they come onto the links of the junction; nobody touches anybody meanwhile."""
    links = {run.network.link_index(name) for name in inside}
    order: list[int] = []
    for _ in range(round(seconds / run.dt)):
        run.step(permission, **more)
        assert not overlaps(run.state)
        for row in range(len(run.state)):
            if int(run.state.link[row]) in links and run.state.present[row] == 1 and row not in order:
                order.append(row)
    return order


@pytest.mark.parametrize(("traffic_dir", "first"), [("RHT", "n0"), ("LHT", "n0")])
def test_who_comes_from_the_right_goes_first_where_nothing_else_says_it(traffic_dir, first):
    """Vienna Convention, article 18.4 a; left to each country in left-hand traffic.

    Who drives east has those who drive north on his right.
    """
    network = crossing(traffic_dir)
    for s in (120.0, 130.0, 140.0):
        run = run_with(network, [("e0", s), (first, s)], speed=10.0, close_loop=0)
        assert order_of_crossing(run, [f"{name}1" for name in "ensw"])[:2] == [1, 0]


def test_nobody_waits_where_nobody_else_comes():
    run = run_with(crossing(), [("e0", 120.0)], speed=12.0)
    slowest = 12.0
    for _ in range(80):
        run.step()
        slowest = min(slowest, float(run.state.speed[0]))
    assert slowest > 11.0


def test_the_faster_road_goes_first():
    network = crossing(limits=(50, 80))
    run = run_with(network, [("w0", 120.0), ("n0", 100.0)], speed=[10.0, 15.0])
    assert order_of_crossing(run, ["w1", "n1"])[:2] == [1, 0]


def test_who_has_a_sign_gives_way_and_finds_a_gap():
    network = crossing()
    minor = np.isin(np.arange(network.link_count), [network.link_index(name) for name in ("n0", "n1", "s0", "s1")])
    column = [("w0", 185.0 - 30.0 * k) for k in range(4)]
    run = run_with(network, [("n0", 170.0), *column], speed=[8.0, 12.0, 12.0, 12.0, 12.0], minor=minor)
    assert order_of_crossing(run, ["w1", "n1"])[:5] == [1, 2, 3, 4, 0]
    run = run_with(network, [("n0", 170.0), ("w0", 40.0)], speed=[8.0, 12.0], minor=minor)
    assert order_of_crossing(run, ["w1", "n1"])[:2] == [0, 1]


def test_who_gives_way_makes_nobody_brake_harder_than_is_comfortable():
    network = crossing()
    minor = np.isin(np.arange(network.link_count), [network.link_index(name) for name in ("n0", "n1")])
    for s in range(60, 190, 5):
        run = run_with(network, [("n0", 150.0), ("w0", float(s))], speed=[8.0, 13.0], minor=minor)
        for _ in range(250):
            run.step()
            assert not overlaps(run.state)
            assert run.state.acceleration[1] > -2.01
        assert run.name(0) != "n0"


def test_a_left_turn_waits_for_those_who_come_towards_it():
    network = crossing(turns=("left",))
    left = network.link_index("left")
    column = [("w0", 180.0 - 25.0 * k) for k in range(4)]
    routes = RouteTable.from_lists([[network.link_index("e0"), left, network.link_index("n2")]])
    run = run_with(network, [("e0", 180.0), *column], speed=10.0, route=[0, -1, -1, -1, -1], cursor=[0, -1, -1, -1, -1])
    order = order_of_crossing(run, ["left", "w1"], routes=routes)
    assert order == [1, 2, 3, 4, 0]


def test_with_an_arrow_of_its_own_the_left_turn_goes_first():
    network = crossing(turns=("left",))
    left = network.link_index("left")
    routes = RouteTable.from_lists([[network.link_index("e0"), left, network.link_index("n2")]])
    permission = np.zeros(network.link_count, np.int64)
    permission[network.link_index("w1")] = Permission.YIELD
    permission[left] = Permission.GO
    run = run_with(network, [("e0", 180.0), ("w0", 180.0)], speed=10.0, route=[0, -1], cursor=[0, -1])
    assert order_of_crossing(run, ["left", "w1"], permission=permission, routes=routes) == [0, 1]


def roundabout(traffic_dir="RHT") -> RoadNetwork:
    """A ring of four quarters with an entry from the west and an exit to the east."""
    side = 1.0 if traffic_dir == "RHT" else -1.0
    quarter = math.pi / 2 * side
    ring = [arc(f"ring{k}", f"R{k}", f"R{(k + 1) % 4}", (0, 0), 16, math.pi + k * quarter, quarter) for k in range(4)]
    net = map_of(
        *ring,
        straight("entry", "W", "R0", (-116, 14 * side, 0), (-16, 0, 0)),
        straight("exit", "R2", "E", (16, 0, 0), (116, 14 * side, 0)),
    )
    net.info.traffic_dir = traffic_dir
    return network_from_mgeo(net)


@pytest.mark.parametrize("traffic_dir", ["RHT", "LHT"])
def test_who_is_in_the_roundabout_goes_before_who_enters_it(traffic_dir):
    network = roundabout(traffic_dir)
    for s in (2.0, 8.0, 14.0, 20.0):
        run = run_with(network, [("entry", 80.0), ("ring3", s + 4.6)], speed=[6.0, 5.0], seed=3)
        first = order_of_crossing(run, ["ring0"], seconds=30.0)
        assert first[0] == 1
        assert 0 in first


def test_a_ring_full_of_cars_keeps_moving():
    network = roundabout()
    places = [(f"ring{k}", s) for k in range(4) for s in (8.0, 20.0)] + [("entry", 90.0), ("entry", 80.0)]
    run = run_with(network, places, speed=2.0)
    way = np.zeros(len(places))
    for _ in range(1500):
        run.step()
        way += run.state.speed * run.dt
        assert not overlaps(run.state)
    assert way.min() > 100.0


def test_the_straighter_lane_goes_first_at_a_merge():
    network = network_of(
        straight("main", "A", "M", (0, 0, 0), (200, 0, 0)),
        straight("ramp", "B", "R", (60, -60, 0), (150, -15, 0)),
        lane("join", "R", "M", [(150, -15, 0), (165, -8, 0), (180, -2.5, 0), (200, 0, 0)]),
        straight("on", "M", "C", (200, 0, 0), (400, 0, 0)),
    )
    run = run_with(network, [("ramp", 60.0), ("main", 120.0)], speed=12.0)
    assert order_of_crossing(run, ["on"], seconds=15.0) == [1, 0]


def test_four_who_come_at_once_from_all_sides_all_get_over():
    network = crossing()
    run = run_with(network, [(f"{name}0", 170.0) for name in "ensw"], speed=8.0)
    order = order_of_crossing(run, [f"{name}1" for name in "ensw"], seconds=60.0)
    assert sorted(order) == [0, 1, 2, 3]


def test_who_waits_for_long_is_let_in_at_last():
    """The column on the main road never ends: who leaves it comes in again at its end."""
    network = crossing()
    minor = np.isin(np.arange(network.link_count), [network.link_index(name) for name in ("n0", "n1")])
    count = 10
    places = [("w0", 185.0 - 18.0 * number) for number in range(count)]
    run = run_with(network, [("n0", 180.0), *places], speed=8.0, desired_speed=8.0, speed_mode=1, minor=minor)
    waited = 0.0
    main = network.link_index("w0")
    for _ in range(600):
        run.step()
        assert not overlaps(run.state)
        out = np.flatnonzero(run.state.link[1:] == network.link_index("w2")) + 1
        last = run.state.s[1:][run.state.link[1:] == main].min()
        for row in out[:1] if last > 23.0 else ():
            run.state.link[row], run.state.previous[row], run.state.s[row] = main, -1, last - 18.0
        waited += run.dt * (run.name(0) == "n0" and run.state.speed[0] < 0.5)
        if run.name(0) == "n2":
            break
    assert run.name(0) == "n2"
    assert PRIORITY_WAITING_TIME <= waited < PRIORITY_WAITING_TIME + 15.0


def standing(network: RoadNetwork, link: str, rear: float, front: float) -> Obstruction:
    """A body from outside that stands in the middle of a lane."""
    body = Obstruction.zeros(1)
    body.link[0] = network.link_index(link)
    body.rear[0], body.front[0], body.right[0], body.left[0] = rear, front, -0.9, 0.9
    return body


def test_nobody_enters_a_junction_behind_which_somebody_from_outside_stands():
    network = crossing()
    run = run_with(network, [("e0", 120.0), ("n0", 60.0)], speed=10.0)
    for _ in range(200):
        run.step(obstruction=standing(network, "e2", 0.0, 4.6))
    assert run.name(0) == "e0"
    assert run.name(1) != "n0"
    run = run_with(network, [("e0", 120.0)], speed=10.0)
    for _ in range(150):
        run.step(obstruction=standing(network, "e2", 9.0, 13.6))
    assert run.name(0) == "e2"


def test_all_wait_for_somebody_from_outside_who_stands_in_the_junction_and_for_a_person_only_those_before_him():
    network = crossing()
    for extent, passes in ((4.6, False), (0.5, True)):
        run = run_with(network, [("n0", 120.0)], speed=10.0)
        for _ in range(150):
            run.step(obstruction=standing(network, "e1", 3.0, 3.0 + extent))
        assert (run.name(0) != "n0") == passes
