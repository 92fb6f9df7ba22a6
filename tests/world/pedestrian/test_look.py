"""People stop before what comes, and walk around what stands."""

from __future__ import annotations

import math

import numpy as np
import pytest
from shapely import Point, affinity, box

from dorosim.world.collision.body import BodyTable
from dorosim.world.command import Vector
from dorosim.world.pedestrian.avoidance_kernel import MAX_STEP_OVER_HEIGHT
from dorosim.world.pedestrian.command import DrivePedestrian
from dorosim.world.pedestrian.state import Stage
from dorosim.world.pedestrian.walk import look_for_bodies
from dorosim.world.signal.state import WalkSignal
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.waypoint import Waypoint
from tests.world.pedestrian.rig import Street

CAR: Vector = (2.3, 0.95, 0.75)
RADIUS = 0.25
"""Of the first model."""


class Yard(Street):
    """People among boxes, far from the crosswalk; they look around every tenth of a second."""

    def __init__(self) -> None:
        super().__init__(tick=0.02)
        self.bodies = BodyTable.zeros(0)

    def put(self, x, y, yaw=0.0, half=CAR, velocity=(0.0, 0.0), turn=0.0, foot=0.0) -> int:
        """A body; its row."""
        one = BodyTable.zeros(1)
        one.x[0], one.y[0], one.z[0], one.yaw[0] = x, y, foot + half[2], yaw
        one.half_length[0], one.half_width[0], one.half_height[0] = half
        one.velocity_x[0], one.velocity_y[0], one.yaw_rate[0] = *velocity, turn
        self.bodies = self.bodies.append(one)
        return len(self.bodies) - 1

    def live(self, seconds: float, row: int = 0) -> tuple[float, float]:
        """Let time pass, bodies roll on; least gap between the person's circle and a body, and the way walked."""
        track, bodies = [], self.bodies
        for tick in range(round(seconds / self.tick)):
            if tick % 5 == 0:
                people = self.people.copy()
                look_for_bodies(self.plan, people, bodies, np.arange(len(bodies)))
                self.people = people.freeze()
            bodies.x[:] += bodies.velocity_x * self.tick
            bodies.y[:] += bodies.velocity_y * self.tick
            self.run(self.tick)
            track.append((self.people.state.x[row], self.people.state.y[row], bodies.x.copy(), bodies.y.copy()))
        return gap_of(bodies, *map(np.array, zip(*track, strict=True))), float(self.people.state.walked[row])

    def shapes(self):
        """The bodies from above."""
        for b in range(len(self.bodies)):
            length, width = self.bodies.half_length[b], self.bodies.half_width[b]
            turned = affinity.rotate(box(-length, -width, length, width), self.bodies.yaw[b], (0, 0), use_radians=True)
            yield affinity.translate(turned, self.bodies.x[b], self.bodies.y[b])


def gap_of(bodies: BodyTable, x, y, body_x, body_y) -> float:
    """The least distance of a circle that moves `(T,)` to boxes that move `(T, B)` and do not turn."""
    c, s = np.cos(bodies.yaw), np.sin(bodies.yaw)
    dx, dy = x[:, None] - body_x, y[:, None] - body_y
    out_x = np.maximum(np.abs(c * dx + s * dy) - bodies.half_length, 0.0)
    out_y = np.maximum(np.abs(c * dy - s * dx) - bodies.half_width, 0.0)
    return float(np.hypot(out_x, out_y).min(initial=math.inf)) - RADIUS


def arrived(yard: Yard, row: int = 0) -> bool:
    return int(yard.people.state.stage[row]) == Stage.ARRIVED


@pytest.mark.parametrize("yaw", np.linspace(0.0, math.pi, 9))
@pytest.mark.parametrize("aside", [-1.5, 0.0, 0.4])
def test_one_walks_around_a_car_that_stands_in_the_way(yaw, aside):
    yard = Yard()
    yard.put(10.0, 20.0 + aside, yaw)
    yard.add(0.0, 20.0, way=(Waypoint(20.0, 20.0),))
    gap, way = yard.live(25.0)
    assert arrived(yard)
    assert gap > 0.15
    assert 20.0 - 0.2 < way < 24.0


def test_one_takes_the_shorter_way_around():
    """The car's middle is 1.5 m to the left: behind it on the right is the shorter way."""
    yard = Yard()
    yard.put(10.0, 21.5, math.pi / 2)
    yard.add(0.0, 20.0, way=(Waypoint(20.0, 20.0),))
    seen = []
    for _ in range(100):
        yard.live(0.2)
        seen.append(float(yard.people.state.y[0]))
    assert min(seen) < 21.5 - 2.3 - RADIUS
    assert max(seen) < 20.1


def test_a_row_of_cars_without_a_gap_is_passed_like_one():
    yard = Yard()
    for number in range(4):
        yard.put(10.0, 16.0 + 4.8 * number, math.pi / 2)
    yard.add(0.0, 20.0, way=(Waypoint(20.0, 20.0),))
    gap, way = yard.live(40.0)
    assert arrived(yard)
    assert gap > 0.1
    assert way < 20.0 + 2 * 8.0


def test_one_walks_between_two_bumpers_two_metres_apart():
    yard = Yard()
    yard.put(10.0, 20.0 - 3.3, math.pi / 2)
    yard.put(10.0, 20.0 + 3.3, math.pi / 2)
    yard.add(0.0, 20.0, way=(Waypoint(20.0, 20.0),))
    assert yard.live(20.0)[1] < 20.2
    assert arrived(yard)


@pytest.mark.parametrize("seed", range(8))
def test_one_finds_a_way_through_a_car_park(seed):
    """Cars at random, each at least 1.5 m from the next."""
    random, yard = np.random.default_rng(seed), Yard()
    for _ in range(60):
        x, y, yaw = random.uniform(3, 37), random.uniform(5, 35), random.uniform(0, math.pi)
        yard.put(x, y, yaw)
        *others, last = yard.shapes()
        if any(last.distance(other) < 1.5 for other in others):
            yard.bodies = yard.bodies.take(np.arange(len(yard.bodies)) < len(yard.bodies) - 1)
    yard.add(0.0, 20.0, way=(Waypoint(40.0, 20.0),))
    gap, _ = yard.live(70.0)
    covered = any(shape.distance(Point(40.0, 20.0)) < 0.6 for shape in yard.shapes())
    assert arrived(yard), "there is a way"
    assert gap > 0.0 or covered


def test_what_one_can_step_over_and_what_is_on_another_level_is_in_nobodys_way():
    yard = Yard()
    yard.put(5.0, 20.0, half=(1.0, 1.0, 0.5 * MAX_STEP_OVER_HEIGHT))
    yard.put(10.0, 20.0, foot=4.0)
    yard.add(0.0, 20.0, way=(Waypoint(20.0, 20.0),))
    _, way = yard.live(17.0)
    assert way == pytest.approx(20.0, abs=0.1)


def test_one_stops_before_a_car_that_comes_and_goes_on_behind_it():
    yard = Yard()
    yard.put(10.0, -20.0, math.pi / 2, velocity=(0.0, 6.0))
    yard.add(0.0, 20.0, way=(Waypoint(20.0, 20.0),))
    gap, way = yard.live(25.0)
    assert arrived(yard)
    assert gap > 0.1
    assert way < 20.5, "without a detour"


def test_one_foresees_that_a_car_turns():
    """It drives a circle of 12 m; without its yaw rate it would pass 12 m away."""
    yard = Yard()
    car = yard.put(0.0, 0.0, velocity=(6.0, 0.0), turn=0.5)
    yard.add(16.5, 12.0, way=(Waypoint(6.0, 12.0),))
    least = math.inf
    for tick in range(300):
        if tick % 5 == 0:
            people = yard.people.copy()
            look_for_bodies(yard.plan, people, yard.bodies, np.arange(1))
            yard.people = people.freeze()
        yaw = 0.5 * tick * yard.tick
        yard.bodies.yaw[car] = yaw
        yard.bodies.x[car], yard.bodies.y[car] = 12.0 * math.sin(yaw), 12.0 * (1.0 - math.cos(yaw))
        yard.bodies.velocity_x[car], yard.bodies.velocity_y[car] = 6.0 * math.cos(yaw), 6.0 * math.sin(yaw)
        yard.run(yard.tick)
        place = Point(float(yard.people.state.x[0]), float(yard.people.state.y[0]))
        least = min(least, next(iter(yard.shapes())).distance(place) - RADIUS)
    assert least > 0.0


def test_who_is_in_the_way_of_a_car_goes_on():
    yard = Yard()
    yard.put(-10.0, 20.0, velocity=(4.0, 0.0))
    yard.add(0.0, 20.2, way=(Waypoint(0.0, 30.0),))
    yard.live(2.0)
    assert yard.people.state.y[0] > 22.0


def test_who_was_sent_across_the_way_of_an_ego_or_is_driven_does_not_mind_what_comes():
    for sent in (True, False):
        yard = Yard()
        yard.ego = np.full((2, 1), 0.0)
        if sent:
            yard.add(10.0, 0.0, start=False, active_distance=30.0, way=(Waypoint(10.0, 8.0),))
        else:
            yard.add(10.0, 0.0)
            assert yard.ask(DrivePedestrian(1, (0.0, 1.0, 0.0), 1.4)) == ""
        yard.put(0.0, 3.0, velocity=(4.0, 0.0))
        yard.live(2.0)
        assert yard.people.state.y[0] > 1.9


def test_a_goal_on_which_a_car_stands_counts_as_reached_beside_it():
    yard = Yard()
    yard.put(10.0, 20.0)
    yard.add(0.0, 20.0, way=(Waypoint(10.0, 20.0), Waypoint(10.0, 30.0)), mode=CharacterMode.ONCE)
    gap, _ = yard.live(30.0)
    assert arrived(yard)
    assert yard.people.state.y[0] == pytest.approx(30.0, abs=0.2)
    assert gap > 0.15


def test_a_driven_person_goes_around_and_keeps_the_direction():
    yard = Yard()
    yard.put(10.0, 20.0, math.pi / 2)
    yard.add(0.0, 20.0)
    assert yard.ask(DrivePedestrian(1, (1.0, 0.0, 0.0), 1.4)) == ""
    gap, _ = yard.live(16.0)
    assert gap > 0.15
    assert yard.people.state.x[0] > 15.0
    assert yard.people.state.velocity_y[0] == pytest.approx(0.0, abs=1e-6)


def test_who_waits_steps_back_before_a_bus_that_cuts_the_corner():
    yard = Yard()
    yard.walk[0] = WalkSignal.STAY
    yard.add(50.0, -8.0, way=(Waypoint(50.0, 8.0),))
    yard.live(6.0)
    assert yard.people.state.stage[0] == Stage.WAIT
    yard.put(30.0, -4.8, velocity=(4.0, 0.0), half=(5.5, 1.25, 1.5))
    gap, _ = yard.live(9.0)
    assert gap > 0.0
    assert yard.people.state.stage[0] == Stage.WAIT
    assert yard.people.state.y[0] == pytest.approx(-4.5, abs=0.4), "and comes back"


@pytest.mark.parametrize("aside", [0.0, 0.5, -0.8])
def test_one_that_stands_about_steps_out_of_the_way_of_a_car(aside):
    yard = Yard()
    yard.add(20.0, 20.0 + aside, move_distance=0.5)
    yard.live(2.0)
    assert yard.people.state.stage[0] == Stage.ARRIVED
    yard.put(0.0, 20.0, velocity=(5.0, 0.0))
    gap, _ = yard.live(8.0)
    assert gap > 0.0
