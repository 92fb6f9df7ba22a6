"""Vehicles enter at spawn points: periods, numbers, speeds, models, and the same ones in every run."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.ground.state_tree import arrays_of
from dorosim.world.spawn.mode import BiasRule, LengthSet, LengthType, SpeedRange, SpeedRule, length_type_of
from dorosim.world.spawn.point import VehicleSpawnPoint, checked_point
from dorosim.world.spawn.table import (
    count_owned,
    enable_points,
    merge_points,
    vehicle_points,
    vehicle_spawn_table,
    without_points,
)
from dorosim.world.spawn.vehicle import SpawnPlan, spawn_vehicles_due
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from tests.road.small_map import network_of, straight

SECOND = 1_000_000_000
TICK = SECOND // 10
NETWORK = network_of(
    straight("A", "N0", "N1", (0, 0, 0), (100, 0, 0), max_speed=72),
    straight("B", "N1", "N2", (100, 0, 0), (200, 0, 0), max_speed=36),
)
PLAN = SpawnPlan.from_scene(NETWORK, VEHICLE_MODELS)


def point(number: int = 1, **more) -> VehicleSpawnPoint:
    return VehicleSpawnPoint(**({"id": number, "start_link": 0, "start_s": 10.0, "maximum": 10**6} | more))


def drive(table, seconds, *, noise=None, start=0, alive=None, blocked=None):
    """Ask every 0.1 s, and return the table and all spawns with the time of each."""
    noise, found = noise or Noise(7), []
    counts = np.zeros(len(table), np.int64) if alive is None else alive
    for time in range(start, round(start + seconds * SECOND), TICK):
        table, entering = spawn_vehicles_due(PLAN, table, time, counts, noise, blocked(time) if blocked else None)
        found += [(time / SECOND, vehicle) for vehicle in entering]
    return table, found


def test_entries_are_a_time_of_the_period_range_apart_and_evenly_so():
    _, found = drive(vehicle_spawn_table([point(shortest_period=2.0, longest_period=6.0)]), 8000)
    gaps = np.diff([time for time, _ in found])
    assert gaps.min() >= 2.0
    assert gaps.max() <= 6.0 + 0.1 + 1e-9
    assert gaps.mean() == pytest.approx(4.05, abs=4 * 4 / math.sqrt(12 * len(gaps)))
    share, _ = np.histogram(gaps - 0.05, bins=4, range=(2.0, 6.0))
    chi_square = ((share - len(gaps) / 4) ** 2 / (len(gaps) / 4)).sum()
    assert chi_square < 16.3, "a chi-square of 3 degrees of freedom is below it in 99.9 % of all cases"


def test_no_more_than_the_maximum_are_in_the_world_and_leavers_are_replaced():
    table = vehicle_spawn_table([point(shortest_period=1.0, longest_period=1.0, maximum=3)])
    alive, most = np.zeros(1, np.int64), 0
    entered, leaving = 0, {}
    for time in range(0, 60 * SECOND, TICK):
        alive[0] -= leaving.pop(time, 0)
        table, entering = spawn_vehicles_due(PLAN, table, time, alive, Noise(1))
        for _ in entering:
            alive[0] += 1
            entered += 1
            leaving[time + 10 * SECOND] = leaving.get(time + 10 * SECOND, 0) + 1
        most = max(most, int(alive[0]))
    assert most == 3
    assert 12 <= entered <= 18


def test_a_blocked_entry_waits_until_it_is_free():
    table = vehicle_spawn_table([point(shortest_period=1.0, longest_period=1.0)])
    _, found = drive(table, 10, blocked=lambda time: np.array([time < 5 * SECOND]))
    assert found[0][0] == 5.0
    assert found[1][0] == 6.0


def test_a_disabled_point_is_silent_and_draws_a_new_period_when_it_is_enabled():
    table = enable_points(vehicle_spawn_table([point(1), point(2)]), [1], enabled=False)
    table, found = drive(table, 100)
    assert {vehicle.spawn_point for _, vehicle in found} == {2}
    _, found = drive(enable_points(table, [1], enabled=True), 60, start=100 * SECOND)
    first = next(time for time, vehicle in found if vehicle.spawn_point == 1)
    assert 105.0 <= first <= 110.1


def test_a_point_without_a_link_spawns_nothing():
    _, found = drive(vehicle_spawn_table([point(start_link=-1)]), 50)
    assert found == []


def test_a_wait_sets_the_first_entry():
    _, found = drive(vehicle_spawn_table([point(wait=3.0)], time=0), 4)
    assert [time for time, _ in found] == [3.0]


def test_nothing_due_gives_back_the_very_same_table():
    table = vehicle_spawn_table([point(wait=3.0)]).freeze()
    after, entering = spawn_vehicles_due(PLAN, table, SECOND, np.zeros(1, np.int64), Noise(1))
    assert after is table
    assert entering == ()


def test_the_same_seed_gives_the_same_vehicles_also_when_the_run_is_split():
    table = vehicle_spawn_table([point(number) for number in range(1, 6)])
    whole, all_at_once = drive(table, 60)
    half, first = drive(table, 25.3)
    both, second = drive(half.copy(), 60 - 25.3, start=round(25.3 * SECOND))
    assert first + second == all_at_once
    for left, right in zip(arrays_of(both), arrays_of(whole), strict=True):
        np.testing.assert_array_equal(left, right)
    _, other = drive(table, 60, noise=Noise(8))
    assert other != all_at_once


def test_what_one_point_draws_does_not_depend_on_the_others():
    _, alone = drive(vehicle_spawn_table([point(3)]), 60)
    _, among = drive(vehicle_spawn_table([point(number) for number in (1, 3, 9)]), 60)
    assert [entry for entry in among if entry[1].spawn_point == 3] == alone


def test_numbers_count_the_vehicles_of_a_point():
    table, found = drive(vehicle_spawn_table([point()]), 100)
    assert table.spawned[0] == len(found)


@pytest.mark.parametrize(
    ("rule", "low", "high"), [(SpeedRule.CUSTOM, 4.0, 8.0), (SpeedRule.LINK, 0.5 * 20.0, 0.75 * 20.0)]
)
def test_the_speed_at_entry_is_drawn_from_its_range_of_speeds_or_of_the_limit(rule, low, high):
    one = point(
        shortest_period=0.1,
        longest_period=0.1,
        speed_rule=rule,
        lowest_speed=4.0,
        highest_speed=8.0,
        lowest_speed_ratio=0.5,
        highest_speed_ratio=0.75,
    )
    speeds = np.array([vehicle.speed for _, vehicle in drive(vehicle_spawn_table([one]), 60)[1]])
    assert len(speeds) > 500
    assert low <= speeds.min() < low + 0.05 * (high - low)
    assert high - 0.05 * (high - low) < speeds.max() <= high
    assert speeds.mean() == pytest.approx((low + high) / 2, rel=0.05)


def test_the_desired_speed_is_a_speed_or_a_ratio_set_or_drawn():
    base = point(wait=0.0, lowest_desired=10.0, highest_desired=15.0, lowest_desired_ratio=0.8)
    cases = {
        (SpeedRule.CUSTOM, SpeedRange.CONSTANT): (10.0, 10.0, 0.0, 0.0),
        (SpeedRule.CUSTOM, SpeedRange.VARIABLE): (10.0, 15.0, 0.0, 0.0),
        (SpeedRule.LINK, SpeedRange.CONSTANT): (0.0, 0.0, 0.8, 0.8),
        (SpeedRule.LINK, SpeedRange.VARIABLE): (0.0, 0.0, 0.8, 1.0),
    }
    for (rule, kind), (low, high, low_ratio, high_ratio) in cases.items():
        _, found = drive(vehicle_spawn_table([replace(base, desired_rule=rule, desired_range=kind)]), 200)
        assert all(low <= vehicle.desired_speed <= high for _, vehicle in found)
        assert all(low_ratio <= vehicle.ratio <= high_ratio for _, vehicle in found)
        assert (len({vehicle.desired_speed + vehicle.ratio for _, vehicle in found}) == 1) == (kind == 1)


def test_a_constant_desired_speed_may_stand_in_either_field():
    one = point(
        wait=0.0,
        desired_rule=SpeedRule.CUSTOM,
        desired_range=SpeedRange.CONSTANT,
        lowest_desired=0.0,
        highest_desired=12.0,
    )
    assert drive(vehicle_spawn_table([one]), 1)[1][0][1].desired_speed == 12.0


def test_a_gaussian_bias_spans_its_range_in_three_standard_deviations():
    one = point(
        shortest_period=0.1, longest_period=0.1, bias_rule=BiasRule.GAUSSIAN, lowest_bias=-0.3, highest_bias=0.6
    )
    bias = np.array([vehicle.bias for _, vehicle in drive(vehicle_spawn_table([one]), 200)[1]])
    assert bias.min() >= -0.3
    assert bias.max() <= 0.6
    assert bias.mean() == pytest.approx(0.15, abs=0.015)
    assert bias.std() == pytest.approx(0.15, rel=0.06)


def test_random_models_are_of_the_lengths_asked_for_and_all_of_them_come():
    one = point(shortest_period=0.1, longest_period=0.1, lengths=LengthSet.MINI | LengthSet.LARGE)
    drawn = Counter(vehicle.model for _, vehicle in drive(vehicle_spawn_table([one]), 60)[1])
    wanted = {
        model.name
        for model in VEHICLE_MODELS
        if model.category != "robot" and length_type_of(model.length) in (LengthType.MINI, LengthType.LARGE)
    }
    assert set(drawn) == wanted
    assert max(drawn.values()) < 1.6 * min(drawn.values())


def test_a_set_model_and_the_way_are_handed_on():
    one = point(wait=0.0, model=4, end_link=1, end_s=1e9, destination=33, close_loop=True, lane_change=False)
    vehicle = drive(vehicle_spawn_table([one]), 1)[1][0][1]
    assert (vehicle.model, vehicle.link, vehicle.s) == (VEHICLE_MODELS[4].name, 0, 10.0)
    assert vehicle.end == 1
    assert vehicle.close_loop
    assert not vehicle.lane_change


@pytest.mark.parametrize(
    ("length", "kind"), [(3.595, "MINI"), (4.635, "COMPACT"), (4.845, "MIDDLE_SIZE"), (12, "LARGE")]
)
def test_length_classes(length, kind):
    assert length_type_of(length) is LengthType[kind]


def test_a_table_gives_back_its_points():
    points = (point(2, wait=4.0, close_loop=True, model=3), point(5, enabled=False, lowest_bias=-0.1, wait=1.0))
    assert vehicle_points(vehicle_spawn_table(reversed(points), time=SECOND), SECOND) == points


def test_actors_are_counted_by_the_point_that_they_came_from():
    table = vehicle_spawn_table([point(2), point(5), point(9)])
    assert count_owned(table, np.array([5, -1, 9, 5, 7, 99])).tolist() == [0, 2, 1]
    assert count_owned(vehicle_spawn_table([]), np.array([1])).tolist() == []


def test_points_are_replaced_added_and_removed_by_id():
    table = vehicle_spawn_table([point(1), point(4)])
    table = merge_points(table, vehicle_spawn_table([point(4, maximum=2), point(2)]))
    assert table.id.tolist() == [1, 2, 4]
    assert table.maximum.tolist() == [10**6, 10**6, 2]
    assert without_points(table, [2, 99]).id.tolist() == [1, 4]


def test_bad_values_are_refused_by_name_and_odd_ones_are_mended():
    with pytest.raises(InputError, match=r"message: info\.shortest_period: -1.0 is negative"):
        checked_point(point(shortest_period=-1.0), "message", "info")
    with pytest.raises(InputError, match=r"speed_rule: 7 is no code of it; use 1 LINK, 2 CUSTOM"):
        checked_point(point(speed_rule=7), "message")
    with pytest.raises(InputError, match="highest_desired: nan"):
        checked_point(point(highest_desired=math.nan), "message")
    mended = checked_point(point(shortest_period=0.0, longest_period=0.0, lowest_bias=0.2, lengths=0), "message")
    assert (mended.shortest_period, mended.longest_period, mended.highest_bias, mended.lengths) == (0.1, 0.1, 0.2, 15)


def test_a_point_of_any_legal_period_spawns_once_a_call_at_most():
    one = checked_point(point(shortest_period=0.0, longest_period=0.0), "message")
    _, found = drive(vehicle_spawn_table([one]), 5)
    times = [time for time, _ in found]
    assert len(times) == len(set(times))
