"""Pedestrians enter at spawn points: cycles, numbers, ways by mode, and the same ones in every run."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.world.command import Source
from dorosim.world.spawn.command import SetPedestrianSpawnPoints
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.spawn.pedestrian import WALKING_SPEED, spawn_pedestrians_due
from dorosim.world.spawn.point import MIN_SPAWN_PERIOD, Destination, PedestrianSpawnPoint, checked_point
from dorosim.world.spawn.table import pedestrian_points, pedestrian_spawn_tables

SECOND = 1_000_000_000
GOALS = (
    Destination(10.0, 0.0, 0.0, yaw=0.5, length=4.0, width=1.0),
    Destination(10.0, 20.0, 0.0),
    Destination(0.0, 20.0, 1.0),
)
MODELS = 5


def drive(points, seconds, *, alive=None, noise=None):
    table, destinations = pedestrian_spawn_tables(points)
    counts = np.zeros(len(table), np.int64) if alive is None else np.array(alive)
    found = []
    for time in range(0, seconds * SECOND, SECOND):
        table, entering = spawn_pedestrians_due(table, destinations, MODELS, time, counts, noise or Noise(3))
        found.append(entering)
    return table, found


def test_every_cycle_fills_up_to_a_number_between_minimum_and_maximum():
    _, found = drive([PedestrianSpawnPoint(id=1, minimum=2, maximum=5, period=10.0, destinations=GOALS)], 4000)
    sizes = [len(entering) for entering in found]
    assert {number for number, size in enumerate(sizes) if size} <= set(range(0, 4000, 10))
    share = np.bincount([size for size in sizes if size], minlength=6)
    assert share[:2].sum() == 0
    assert share[2:].sum() == 399
    assert ((share[2:] - 399 / 4) ** 2 / (399 / 4)).sum() < 16.3, "evenly: chi-square, 3 degrees of freedom, 99.9 %"


def test_those_who_are_in_the_world_count():
    _, found = drive([PedestrianSpawnPoint(id=1, minimum=4, maximum=4, period=10.0)], 11, alive=[3])
    assert [len(entering) for entering in found] == [0] * 10 + [1]
    _, found = drive([PedestrianSpawnPoint(id=1, minimum=4, maximum=4, period=10.0)], 11, alive=[9])
    assert not any(found)


def test_the_same_seed_gives_the_same_people():
    points = [PedestrianSpawnPoint(id=number, destinations=GOALS) for number in (1, 2)]
    table, found = drive(points, 200)
    again, same = drive(points, 200)
    assert found == same
    np.testing.assert_array_equal(table.ints, again.ints)
    assert drive(points, 200, noise=Noise(4))[1] != found
    alone = [one for entering in drive(points[1:], 200)[1] for one in entering]
    assert [one for entering in found for one in entering if one.origin == 2] == alone


def test_people_stand_apart_and_walk_at_speeds_of_people():
    _, found = drive([PedestrianSpawnPoint(id=1, minimum=40, maximum=40, period=1.0, wait=0.0)], 1)
    places = np.array([one.position for one in found[0]])
    distance = np.linalg.norm(places[:, None] - places, axis=2) + np.eye(40) * 9
    assert distance.min() >= 0.649
    speeds = np.array([one.speed for one in found[0]])
    assert speeds.mean() == pytest.approx(WALKING_SPEED, abs=0.15)
    assert ((speeds > 0.8) & (speeds < 1.9)).all()
    assert {one.model for one in found[0]} == set(range(MODELS))


@pytest.mark.parametrize("mode", list(CharacterMode))
def test_the_way_leads_through_the_boxes_of_the_destinations(mode):
    one = PedestrianSpawnPoint(id=1, mode=mode, minimum=30, maximum=30, wait=0.0, destinations=GOALS, model=2)
    people = drive([one], 1)[1][0]
    assert {person.mode for person in people} == {mode}
    assert {person.model for person in people} == {2}
    orders = set()
    for person in people:
        order = tuple(_goal_of(place) for place in person.way)
        orders.add(order)
    if mode is CharacterMode.STAND:
        assert orders == {()}
    elif mode is CharacterMode.NEW_PATH:
        assert len(orders) > 3
        assert all(sorted(order) == [0, 1, 2] for order in orders)
    else:
        assert orders == {(0, 1, 2)}


def _goal_of(place) -> int:
    for number, goal in enumerate(GOALS):
        dx, dy = place[0] - goal.x, place[1] - goal.y
        along = dx * np.cos(goal.yaw) + dy * np.sin(goal.yaw)
        across = dy * np.cos(goal.yaw) - dx * np.sin(goal.yaw)
        if abs(along) <= goal.length / 2 and abs(across) <= goal.width / 2 and place[2] == goal.z:
            return number
    raise AssertionError(f"{place} is in no box")


def test_tables_give_back_their_points():
    points = (PedestrianSpawnPoint(id=3, wait=2.0, destinations=GOALS), PedestrianSpawnPoint(id=8, wait=1.0))
    table, destinations = pedestrian_spawn_tables(points[::-1], time=SECOND)
    assert pedestrian_points(table, destinations, SECOND) == points


def test_a_bad_destination_is_refused_by_name():
    broken = PedestrianSpawnPoint(id=1, destinations=(GOALS[0], Destination(0.0, float("inf"), 0.0)))
    with pytest.raises(InputError, match=r"file: point\.destinations\[1\]\.y: inf"):
        checked_point(broken, "file", "point")


def test_a_point_whose_range_is_upside_down_is_put_in_order(town):
    """A client may say anything; the step must not end of it."""
    point = PedestrianSpawnPoint(id=0, minimum=4, maximum=2, period=0.0, wait=0.0, mode=CharacterMode.STAND)
    town.loop.put(Source.PEER, SetPedestrianSpawnPoints((point,)))
    now = town.turn(30)
    assert now.refusals == ()
    assert len(now.people) == 4
    (kept,) = pedestrian_points(now.spawn.pedestrian, now.spawn.destination, now.time)
    assert (kept.minimum, kept.maximum, kept.period) == (4, 4, MIN_SPAWN_PERIOD)
