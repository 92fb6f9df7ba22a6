"""People walk: when they start, how far, where to, and at crosswalks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.tree import arrays_of
from dorosim.world.collision.body import BodyTable
from dorosim.world.pedestrian.command import (
    DrivePedestrian,
    PausePedestrian,
    RoutePedestrian,
    SpawnPedestrian,
    StartPedestrian,
)
from dorosim.world.pedestrian.kerb import LEAST
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS, pedestrian_model_row
from dorosim.world.pedestrian.stage_kernel import HURRY
from dorosim.world.pedestrian.state import PedestrianState, Stage
from dorosim.world.pedestrian.walk_kernel import FASTEST, MOST_ACCELERATION
from dorosim.world.signal_state import Walk
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.waypoint import Waypoint
from tests.world.pedestrian.rig import Street


def place(people, row=0) -> tuple[float, float]:
    return float(people.state.x[row]), float(people.state.y[row])


# starting, and the move distance --------------------------------------------------------------------------------


def test_one_that_is_not_told_to_start_stands():
    street = Street()
    street.add(10.0, 20.0, start=False, move_distance=5.0)
    street.run(3.0)
    assert place(street.people) == (10.0, 20.0)
    assert street.people.state.stage[0] == Stage.IDLE


def test_one_starts_when_an_ego_comes_within_the_active_distance_and_goes_on_without_it():
    street = Street()
    street.add(10.0, 20.0, start=False, active_distance=15.0, move_distance=5.0)
    street.ego[:] = [[10.0], [35.0]]
    street.run(1.0)
    assert street.people.state.stage[0] == Stage.IDLE, "at 15 m it is not within 15 m"
    street.ego[1] = 34.9
    street.run(0.01)
    assert street.people.state.stage[0] == Stage.WALK
    street.ego[1] = 1e4
    street.run(8.0)
    assert street.people.state.stage[0] == Stage.ARRIVED


@pytest.mark.parametrize("yaw", [0.0, 2.0, -1.5])
def test_the_move_distance_is_walked_straight_ahead(yaw):
    street = Street()
    street.add(10.0, 20.0, yaw=yaw, move_distance=6.0)
    speeds = street.run(10.0, lambda people: people.state.speed[0])
    assert place(street.people) == (
        pytest.approx(10 + 6 * math.cos(yaw), abs=0.15),
        pytest.approx(20 + 6 * math.sin(yaw), abs=0.15),
    )
    assert max(speeds) == pytest.approx(1.4, abs=0.01)
    assert speeds[-1] == 0.0
    assert street.people.state.walked[0] == pytest.approx(6.0, abs=0.15)


def test_speed_rises_as_the_relaxation_says():
    """From rest, speed is v (1 - exp(-t / 0.5 s))."""
    street = Street(tick=0.001)
    street.add(10.0, 20.0, move_distance=50.0)
    street.run(1.0)
    assert street.people.state.speed[0] == pytest.approx(1.4 * (1 - math.exp(-2.0)), rel=2e-3)


def test_accelerations_and_speeds_stay_bounded():
    street = Street()
    street.add(10.0, 20.0, move_distance=20.0)
    street.add(20.0, 20.05, yaw=math.pi, move_distance=20.0)
    seen = street.run(15.0, lambda people: (people.state.speed.copy(), people.state.real.copy()))
    speeds = np.array([speed for speed, _ in seen])
    assert np.abs(np.diff(speeds, axis=0)).max() <= MOST_ACCELERATION * 0.01 + 1e-9
    assert speeds.max() <= FASTEST * 1.4 + 1e-9
    endless = [PedestrianState.allowed_speed.index]
    endless += [PedestrianState.crossing_begin.index, PedestrianState.crossing_end.index]
    assert all(np.isfinite(np.delete(real, endless, axis=0)).all() for _, real in seen)


def test_the_start_command_starts_and_starts_again():
    street = Street()
    street.add(10.0, 20.0, start=False, move_distance=3.0)
    assert street.ask(StartPedestrian(1)) == ""
    street.run(6.0)
    assert place(street.people)[0] == pytest.approx(13.0, abs=0.15)
    assert street.ask(StartPedestrian(1)) == ""
    street.run(6.0)
    assert place(street.people)[0] == pytest.approx(16.0, abs=0.3)


def test_the_feet_are_on_the_ground():
    street = Street()
    street.add(10.0, 2.0, move_distance=20.0)
    street.run(20.0)
    assert street.people.state.z[0] == pytest.approx(0.02 * street.people.state.x[0], abs=1e-9)


def test_one_looks_where_it_goes_and_turns_at_a_finite_rate():
    street = Street()
    street.add(10.0, 20.0, yaw=0.0, way=(Waypoint(0.0, 20.0),))
    yaws = street.run(4.0, lambda people: people.state.yaw[0])
    turned = np.abs(np.diff(np.unwrap(yaws)))
    assert turned.max() <= 3.0 * 0.01 + 1e-9
    assert abs(yaws[-1]) == pytest.approx(math.pi, abs=0.02)


# modes ----------------------------------------------------------------------------------------------------------

TRIANGLE = (Waypoint(13.0, 20.0), Waypoint(13.0, 23.0))


def visited(mode: CharacterMode, seconds: float, way=TRIANGLE, seed: int = 7) -> list[int]:
    """Waypoints that one goes to, in order."""
    street = Street()
    street.seed = seed
    street.add(10.0, 20.0, mode=mode, way=way)
    seen = street.run(seconds, lambda people: int(people.state.waypoint[0]))
    return [point for number, point in enumerate(seen) if number == 0 or seen[number - 1] != point]


def test_once_ends_at_the_last_place():
    assert visited(CharacterMode.ONCE, 20.0) == [1, 2]


def test_a_closed_loop_goes_on_over_the_start():
    assert visited(CharacterMode.CLOSED_LOOP, 20.0)[:7] == [1, 2, 0, 1, 2, 0, 1]


def test_repeat_goes_to_and_fro():
    assert visited(CharacterMode.REPEAT, 25.0)[:7] == [1, 2, 1, 0, 1, 2, 1]


def test_a_loop_goes_from_the_last_place_to_the_first():
    assert visited(CharacterMode.LOOP, 15.0)[:5] == [1, 2, 1, 2, 1]


def test_a_new_path_takes_places_by_chance_that_the_seed_decides():
    way = tuple(Waypoint(12.0 + 2 * (k % 2), 20.0 + k) for k in range(5))
    first = visited(CharacterMode.NEW_PATH, 60.0, way)
    assert first == visited(CharacterMode.NEW_PATH, 60.0, way)
    assert first != visited(CharacterMode.NEW_PATH, 60.0, way, seed=8)
    assert set(first) == {1, 2, 3, 4, 5}


def test_one_that_stands_does_not_walk():
    street = Street()
    street.add(10.0, 20.0, mode=CharacterMode.STAND, way=TRIANGLE)
    street.run(3.0)
    assert place(street.people) == (10.0, 20.0)
    assert "STAND" in street.ask(StartPedestrian(1))


def test_a_place_has_its_pause_and_speed():
    street = Street()
    street.add(10.0, 20.0, way=(Waypoint(14.0, 20.0, pause=2.0, speed=0.7), Waypoint(18.0, 20.0, speed=2.0)))
    seen = street.run(16.0, lambda people: (int(people.state.stage[0]), float(people.state.speed[0])))
    assert sum(stage == Stage.REST for stage, _ in seen) == pytest.approx(200, abs=2)
    assert max(speed for stage, speed in seen[:400]) == pytest.approx(0.7, abs=0.01)
    assert max(speed for stage, speed in seen) == pytest.approx(2.0, abs=0.1)


def test_one_that_leaves_is_told_when_it_arrives():
    street = Street()
    street.add(10.0, 20.0, move_distance=3.0, leaves=True)
    street.add(10.0, 30.0, move_distance=3.0)
    street.run(1.0)
    assert not street.people.departed().any()
    street.run(5.0)
    assert street.people.departed().tolist() == [True, False]
    left = street.people.keep(~street.people.departed())
    assert left.state.id.tolist() == [2]
    assert left.route.of(0)[:, 1].tolist() == [30.0, 30.0]


# commands -------------------------------------------------------------------------------------------------------


def test_a_paused_one_stands_on_the_spot_and_goes_on():
    street = Street()
    street.add(10.0, 20.0, move_distance=10.0)
    street.run(2.0)
    street.ask(PausePedestrian(1, paused=True))
    here = place(street.people)
    street.run(2.0)
    assert place(street.people) == here
    assert street.people.state.speed[0] == 0.0
    street.ask(PausePedestrian(1, paused=False))
    street.run(10.0)
    assert place(street.people)[0] == pytest.approx(20.0, abs=0.15)


def test_one_is_driven_and_given_a_way():
    street = Street()
    street.add(10.0, 20.0, start=False)
    street.ask(DrivePedestrian(1, (0.0, -2.0, 0.0), 1.0))
    street.run(5.0)
    assert place(street.people) == (10.0, pytest.approx(15.5, abs=0.05))
    street.ask(RoutePedestrian(1, (Waypoint(12.0, 15.5),)))
    street.run(4.0)
    assert place(street.people) == (pytest.approx(12.0, abs=0.15), pytest.approx(15.5, abs=0.05))


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (StartPedestrian(9), "no pedestrian 9"),
        (SpawnPedestrian(1, 0, (0.0, 0.0, 0.0), 0.0), "the id 1 is not greater than 1"),
        (SpawnPedestrian(2, 99, (0.0, 0.0, 0.0), 0.0), "there are pedestrian models 0 to 7, not 99"),
        (SpawnPedestrian(2, 0, (math.nan, 0.0, 0.0), 0.0), "no place in the map"),
        (SpawnPedestrian(2, 0, (0.0, 0.0, 0.0), math.inf), "no place in the map"),
        (SpawnPedestrian(2, 0, (0.0, 0.0, 0.0), 0.0, speed=-1.0), "a pedestrian goes 0 to 12.5 m/s, not -1"),
        (SpawnPedestrian(2, 0, (0.0, 0.0, 0.0), 0.0, active_distance=-1.0), "active distance"),
        (SpawnPedestrian(2, 0, (0.0, 0.0, 0.0), 0.0, way=(Waypoint(0, math.inf),)), "point 0 of the way"),
        (RoutePedestrian(1, (Waypoint(0, 0, pause=-1.0),)), "point 0 of the way"),
        (DrivePedestrian(1, (0.0, 0.0, 1.0), 1.0), "no direction in the plane"),
        (DrivePedestrian(1, (1.0, 0.0, 0.0), math.nan), "a pedestrian goes"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(command, problem):
    street = Street()
    street.add(10.0, 20.0)
    before = [block.copy() for block in arrays_of(street.people)]
    assert street.ask(command).startswith(problem)
    assert all(np.array_equal(a, b) for a, b in zip(before, arrays_of(street.people), strict=True))


# crosswalks -----------------------------------------------------------------------------------------------------


def over(street: Street, y: float = -8.0, **more) -> None:
    """One that walks north over the crosswalk, which is from y = -4 m to 4 m."""
    street.add(50.0, y, yaw=math.pi / 2, **{"way": (Waypoint(50.0, 8.0),)} | more)


def test_one_waits_at_the_kerb_for_green_and_goes_then():
    street = Street()
    over(street)
    street.walk[0] = Walk.STAY
    street.run(10.0)
    assert street.people.state.stage[0] == Stage.WAIT
    assert -4 - LEAST - 0.3 < place(street.people)[1] < -4.2
    street.walk[0] = Walk.GO
    street.run(2.0)
    assert street.people.state.stage[0] == Stage.CROSS
    street.run(10.0)
    assert street.people.state.stage[0] == Stage.ARRIVED


def test_nobody_starts_to_cross_while_green_flashes():
    street = Street()
    over(street)
    street.walk[0] = Walk.FLICKER
    street.run(10.0)
    assert street.people.state.stage[0] == Stage.WAIT


@pytest.mark.parametrize("walk", [Walk.FLICKER, Walk.STAY])
def test_those_on_the_crosswalk_hurry_when_green_ends(walk):
    street = Street()
    street.walk[0] = Walk.GO
    over(street)
    street.run(4.5)
    assert street.people.state.stage[0] == Stage.CROSS
    assert street.people.state.speed[0] == pytest.approx(1.4, abs=0.01)
    street.walk[0] = walk
    street.run(2.0)
    assert street.people.state.speed[0] == pytest.approx(1.4 * HURRY, rel=0.06)
    street.run(4.0)
    assert street.people.state.speed[0] < 1.5, "and not beyond it"


def test_with_green_nobody_slows_down_at_the_kerb():
    street = Street()
    street.walk[0] = Walk.GO
    over(street)
    speeds = street.run(8.0, lambda people: people.state.speed[0])
    assert min(speeds[300:]) > 1.39


def test_without_a_light_one_waits_for_a_gap_in_traffic():
    """8.5 m from where one waits at 1.4 m/s and 3 s to spare are 9.1 s."""
    street = Street()
    over(street)
    street.gap[0] = 9.0
    street.run(10.0)
    assert street.people.state.stage[0] == Stage.WAIT
    street.gap[0] = 9.2
    street.run(3.0)
    assert street.people.state.stage[0] == Stage.CROSS


def vehicles(*rows) -> BodyTable:
    """Vehicles of 4 m, each (x, y, velocity along x, along y)."""
    table = BodyTable.zeros(len(rows))
    for row, (x, y, vx, vy) in enumerate(rows):
        table.x[row], table.y[row], table.velocity_x[row], table.velocity_y[row] = x, y, vx, vy
        table.half_length[row] = 2.0
    return table


@pytest.mark.parametrize(
    ("vehicle", "gap"),
    [
        ((26.0, 0.0, 10.0, 0.0), 2.0),
        ((20.0, 0.0, 10.0, 0.0), math.inf),
        ((90.0, 0.0, 10.0, 0.0), math.inf),
        ((45.0, 30.0, 10.0, 0.0), math.inf),
        ((20.0, 0.0, 0.1, 0.0), math.inf),
        ((51.0, 0.0, 1.0, 0.0), 0.0),
        ((53.0, 0.0, 1.0, 0.0), 0.0),
        ((54.5, 0.0, 1.0, 0.0), math.inf),
    ],
    ids=["comes", "can stop", "has passed", "passes by", "stands", "is on it", "has its tail on it", "has left"],
)
def test_the_gap_is_the_time_until_the_next_vehicle_is_there(vehicle, gap):
    street = Street()
    assert street.plan.gaps(vehicles(vehicle), 1)[0] == pytest.approx(gap)


def test_the_gap_is_that_of_the_first_vehicle():
    table = vehicles((28.0, 0.0, 10.0, 0.0), (30.0, 0.0, 10.0, 0.0), (65.0, 0.0, -12.0, 0.0), (65.0, 1.0, -20.0, 0.0))
    assert Street().plan.gaps(table, 3)[0] == pytest.approx(11.0 / 12.0)


def test_a_slow_vehicle_that_can_stop_lets_one_over():
    plan = Street().plan
    assert plan.gaps(vehicles((43.0, 0.0, 4.5, 0.0)), 1)[0] == math.inf
    assert plan.gaps(vehicles((44.0, 0.0, 4.5, 0.0)), 1)[0] == pytest.approx(2.0 / 4.5), "it can not"
    assert plan.gaps(vehicles((38.0, 0.0, 5.5, 0.0)), 1)[0] == pytest.approx(8.0 / 5.5), "nor one that is not slow"


def test_a_way_that_cuts_a_corner_of_the_crosswalk_does_not_wait():
    street = Street()
    street.walk[0] = Walk.STAY
    street.add(46.0, 3.5, way=(Waypoint(50.0, 5.0), Waypoint(55.0, 5.0)))
    street.run(8.0)
    assert street.people.state.stage[0] == Stage.ARRIVED


def test_a_place_in_the_middle_of_the_road_is_not_a_place_to_wait_for_green():
    street = Street()
    street.walk[0] = Walk.GO
    over(street, way=(Waypoint(50.0, 0.0), Waypoint(50.0, 8.0)))
    street.run(5.0)
    street.walk[0] = Walk.STAY
    street.run(8.0)
    assert street.people.state.stage[0] == Stage.ARRIVED


# one another ----------------------------------------------------------------------------------------------------


def least_gap(people) -> float:
    state = people.state
    distance = np.hypot(state.x[:, None] - state.x, state.y[:, None] - state.y)
    np.fill_diagonal(distance, math.inf)
    return float(distance.min())


@pytest.mark.parametrize("aside", [0.0, 0.1, -0.2])
def test_two_who_meet_head_on_pass_each_other(aside):
    street = Street()
    street.add(10.0, 20.0, way=(Waypoint(20.0, 20.0),))
    street.add(20.0, 20.0 + aside, yaw=math.pi, way=(Waypoint(10.0, 20.0 + aside),))
    gaps = street.run(12.0, least_gap)
    assert min(gaps) > 0.5, "bodies of 0.5 m do not overlap"
    assert (street.people.state.stage == Stage.ARRIVED).all()


def test_a_fast_one_overtakes_a_slow_one():
    street = Street()
    street.add(10.0, 20.0, speed=0.6, way=(Waypoint(30.0, 20.0),))
    street.add(8.0, 20.0, speed=1.8, way=(Waypoint(30.0, 20.0),))
    gaps = street.run(14.0, least_gap)
    assert min(gaps) > 0.48
    assert street.people.state.x[1] > street.people.state.x[0] + 1.0


def test_a_crowd_crosses_a_crowd_without_overlap():
    street = Street()
    for k in range(40):
        north = k % 2 == 0
        x, y = 49.0 + 0.8 * (k // 2 % 4), 8.0 + 0.9 * (k // 8)
        street.add(x, -y if north else y, yaw=math.pi / 2, way=(Waypoint(x, y if north else -y),))
    street.walk[0] = Walk.STAY
    street.run(6.0)
    street.walk[0] = Walk.GO
    gaps = street.run(60.0, least_gap)
    assert min(gaps) > 0.55, "bodies of 0.5 m"
    assert (street.people.state.stage == Stage.ARRIVED).all()


def test_the_order_of_rows_and_the_split_of_ticks_do_not_matter():
    """Two runs are equal bit for bit; the same people in another order end in the same places."""
    starts = [(10.0 + 0.7 * (k % 7), 20.0 + 0.8 * (k // 7), 0.3 * k) for k in range(30)]

    def end(order) -> np.ndarray:
        street = Street()
        for x, y, yaw in order:
            street.add(x, y, yaw=yaw, move_distance=6.0)
        street.run(6.0)
        return street.people.state.real[:2].copy()

    first = end(starts)
    assert np.array_equal(first, end(starts))
    assert np.allclose(first, end(starts[::-1])[:, ::-1], atol=1e-6)


# models ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "model", "exact"),
    [
        ("adult_male", "adult_male", True),
        ("Adult_Female", "adult_female", True),
        ("WomanSuit03", "adult_female", False),
        ("Kid_boy_1", "child", False),
        ("Person", "adult_male", False),
        ("", "adult_male", False),
        ("whelchair", "wheelchair", False),
    ],
)
def test_a_name_leads_to_a_model_of_its_family(name, model, exact):
    row, same = pedestrian_model_row(name)
    assert (PEDESTRIAN_MODELS[row].name, same) == (model, exact)
