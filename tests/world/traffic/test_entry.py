"""Drivers are drawn by id, and vehicles come in where there is room."""

from __future__ import annotations

import numpy as np

from dorosim.ground.noise import Noise
from dorosim.mapmaking.track import grid_map
from dorosim.road.network import network_from_mgeo
from dorosim.world.traffic.insertion_gap import MAX_INSERTION_DECELERATION, room_at
from dorosim.world.traffic.placement import CAR, new_traffic
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.traffic.state import Obstruction, Presence
from tests.road.small_map import arc, network_of, straight
from tests.world.traffic.rig import overlaps, run_on

ROAD = network_of(
    straight("a", "A", "B", (0, 0, 0), (100, 0, 0)),
    straight("b", "B", "C", (100, 0, 0), (200, 0, 0)),
    arc("c", "B", "D", (100, 30), 30, -np.pi / 2, np.pi / 2),
)
PLAN = TrafficPlan.from_network(ROAD)
A, B, C = (ROAD.link_index(name) for name in "abc")


def new(ids, places):
    links = np.array([ROAD.link_index(link) for link, _ in places])
    return new_traffic(ids, [CAR] * len(ids), links, np.array([s for _, s in places]), Noise(1))


def test_drivers_do_not_depend_on_who_else_is_there():
    one, all_of_them = new([7], [("a", 20.0)]), new([2, 7, 9], [("a", 20.0), ("a", 40.0), ("a", 60.0)])
    assert one.time_gap[0] == all_of_them.time_gap[1]
    assert one.desired_speed[0] == all_of_them.desired_speed[1]
    assert len(set(all_of_them.time_gap.tolist())) == 3


def test_there_is_room_where_both_gaps_are_kept():
    state = new([1], [("a", 50.0)])
    assert room_at(PLAN, state, A, 50.0 - 4.6 - 2.0, 4.6)
    assert not room_at(PLAN, state, A, 50.0 - 4.6 - 1.9, 4.6)
    assert room_at(PLAN, state, A, 50.0 + 2.0 + 4.6, 4.6)
    assert not room_at(PLAN, state, A, 50.0 + 1.9 + 4.6, 4.6)
    assert not room_at(PLAN, state, A, 49.0, 4.6)
    state.present[:] = Presence.OFF_MAP
    assert room_at(PLAN, state, A, 49.0, 4.6)


def test_who_comes_fast_needs_room_to_brake():
    state = new([1], [("a", 90.0)])
    assert room_at(PLAN, state, A, 60.0, 4.6, speed=7.0)
    assert not room_at(PLAN, state, A, 60.0, 4.6, speed=8.0)
    state.s[0], state.speed[0] = 20.0, 14.0
    assert not room_at(PLAN, state, A, 60.0, 4.6)
    assert room_at(PLAN, state, A, 60.0, 4.6, speed=14.0)


def test_room_is_looked_for_over_the_ends_of_links():
    state = new([1], [("b", 3.0)])
    assert not room_at(PLAN, state, A, 98.0, 4.6)
    assert room_at(PLAN, state, A, 90.0, 4.6)
    state = new([1], [("a", 99.5)])
    assert not room_at(PLAN, state, B, 6.0, 4.6)
    assert not room_at(PLAN, state, C, 6.0, 4.6)
    assert room_at(PLAN, state, B, 6.2, 4.6)


def test_nobody_comes_in_before_one_who_may_already_cross_the_junction():
    state = new([1], [("a", 50.0)])
    assert room_at(PLAN, state, A, 80.0, 4.6)
    state.authority[0] = 110.0
    assert not room_at(PLAN, state, A, 80.0, 4.6)


def test_bodies_from_outside_take_room_too():
    ego = Obstruction.zeros(1)
    ego.link[0], ego.rear[0], ego.front[0] = A, 40.0, 45.0
    assert not room_at(PLAN, new([], []), A, 46.0, 4.6, obstruction=ego)
    assert room_at(PLAN, new([], []), A, 52.0, 4.6, obstruction=ego)


def test_vehicles_that_come_in_one_by_one_where_there_is_room_never_overlap():
    network = network_from_mgeo(grid_map(3))
    run = run_on(network, 20, seed=6)
    random = np.random.default_rng(1)
    streets = np.flatnonzero(network.link_length > 100.0)
    for actor in range(100, 700):
        link = int(random.choice(streets))
        s = float(random.uniform(5.0, network.link_length[link]))
        stops_in_time = (2 * MAX_INSERTION_DECELERATION * max(network.link_length[link] - s - 1.0, 0.0)) ** 0.5
        speed = min(float(random.uniform(0, 12)), stops_in_time)
        if room_at(run.plan, run.state, link, s, CAR.length, speed):
            added = new_traffic([actor], [CAR], np.array([link]), np.array([s]), Noise(1))
            added.speed[:] = speed
            run.state = run.state.append(added)
        run.step()
        assert not overlaps(run.state)
        assert run.state.acceleration[run.state.speed > 1.0].min() > -6.0
    assert len(run.state) > 60
