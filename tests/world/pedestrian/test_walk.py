"""People walk: when they start, how far, and where to."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.state_tree import arrays_of
from dorosim.world.pedestrian.command import (
    DrivePedestrian,
    LeadPedestrian,
    PausePedestrian,
    RoutePedestrian,
    SpawnPedestrian,
    StartPedestrian,
)
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.pedestrian.state import PedestrianState, Stage
from dorosim.world.pedestrian.walk_kernel import MAX_PEDESTRIAN_ACCELERATION, MAX_PUSHED_SPEED_RATIO
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.waypoint import Waypoint
from tests.world.pedestrian.rig import Street, place

LAST_MODEL = len(PEDESTRIAN_MODELS) - 1

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
    seen = street.run(15.0, lambda people: (people.state.speed.copy(), people.state.floats.copy()))
    speeds = np.array([speed for speed, _ in seen])
    assert np.abs(np.diff(speeds, axis=0)).max() <= MAX_PEDESTRIAN_ACCELERATION * 0.01 + 1e-9
    assert speeds.max() <= MAX_PUSHED_SPEED_RATIO * 1.4 + 1e-9
    endless = [PedestrianState.allowed_speed.index]
    endless += [PedestrianState.crossing_begin.index, PedestrianState.crossing_end.index]
    assert all(np.isfinite(np.delete(floats, endless, axis=0)).all() for _, floats in seen)


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


def test_one_is_led_exactly_and_stands_when_nobody_leads_it_any_longer():
    street = Street()
    street.add(10.0, 20.0, move_distance=6.0)
    street.add(10.3, 20.0, move_distance=6.0)
    for tick in range(50):
        assert street.ask(LeadPedestrian(1, (30.0 + 0.05 * tick, 21.0, 0.0), 0.5, (5.0, -1.0))) == ""
        street.run(0.01)
        state = street.people.state
        assert place(street.people) == (pytest.approx(30.0 + 0.05 * tick, abs=1e-12), 21.0)
        assert (state.yaw[0], state.velocity_x[0], state.velocity_y[0]) == (0.5, 5.0, -1.0)
        assert state.speed[0] == pytest.approx(math.hypot(5.0, 1.0))
    street.run(0.9)
    assert street.people.state.velocity_x[0] == 5.0, "its sender may be late"
    street.run(0.2)
    assert street.people.state.velocity_x[0] == street.people.state.speed[0] == 0.0
    assert place(street.people) == (pytest.approx(32.45), 21.0)
    street.ask(StartPedestrian(1))
    street.run(10.0)
    assert street.people.state.stage[0] == Stage.ARRIVED
    assert math.dist(place(street.people), (32.45, 21.0)) == pytest.approx(6.0, abs=0.15)


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (LeadPedestrian(1, (0.0, math.nan, 0.0), 0.0), "is not a valid place in the map"),
        (LeadPedestrian(1, (0.0, 0.0, 0.0), 0.0, (math.nan, 0.0)), "speed: 0 to"),
        (LeadPedestrian(1, (0.0, 0.0, 0.0), 0.0, (80.0, 80.0)), "speed: 0 to"),
        (StartPedestrian(9), "no pedestrian 9"),
        (SpawnPedestrian(2, 99, (0.0, 0.0, 0.0), 0.0), f"there are models 0 to {LAST_MODEL}, not 99"),
        (SpawnPedestrian(2, 0, (math.nan, 0.0, 0.0), 0.0), "is not a valid place in the map"),
        (SpawnPedestrian(2, 0, (0.0, 0.0, 0.0), math.inf), "is not a valid place in the map"),
        (SpawnPedestrian(2, 0, (0.0, 0.0, 0.0), 0.0, speed=-1.0), "speed: 0 to 12.5 m/s, not -1"),
        (SpawnPedestrian(2, 0, (0.0, 0.0, 0.0), 0.0, active_distance=-1.0), "active distance"),
        (SpawnPedestrian(2, 0, (0.0, 0.0, 0.0), 0.0, way=(Waypoint(0, math.inf),)), "point 0 of the way"),
        (RoutePedestrian(1, (Waypoint(0, 0, pause=-1.0),)), "point 0 of the way"),
        (DrivePedestrian(1, (0.0, 0.0, 1.0), 1.0), "is not a valid direction in the plane"),
        (DrivePedestrian(1, (1.0, 0.0, 0.0), math.nan), "speed: 0 to"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(command, problem):
    street = Street()
    street.add(10.0, 20.0)
    before = [block.copy() for block in arrays_of(street.people)]
    assert problem in street.ask(command)
    assert all(np.array_equal(a, b) for a, b in zip(before, arrays_of(street.people), strict=True))
