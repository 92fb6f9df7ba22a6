"""Drivers pass what stands in their way, with room on all sides, when nobody comes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from shapely import Polygon

from dorosim.road.network import RoadNetwork
from dorosim.world.traffic.obstruction import obstructions_of_bodies
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.traffic.state import Passing
from tests.road.small_map import network_of, straight
from tests.world.traffic.rig import BUS, TrafficRun, bodies, corners, overlaps, run_with
from tests.world.traffic.rig import CAR as NPC
from tests.world.traffic.rig import HALF_CAR as CAR
from tests.world.traffic.rig import HALF_PERSON as PERSON

WIDTH = {"width_start": 3.2, "width_end": 3.2}
TWO_WAYS = network_of(
    straight("right", "A", "B", (0, 0, 0), (400, 0, 0), **WIDTH),
    straight("against", "E", "F", (400, 3.2, 0), (0, 3.2, 0), **WIDTH),
)
ONE_WAY = network_of(straight("right", "A", "B", (0, 0, 0), (400, 0, 0), **WIDTH))
WRECK = (120.0, 0.0, 0.0, 0.0, CAR, (0.0, 0.0))


class Watched:
    """A run beside bodies that stand, which looks at what must never happen."""

    def __init__(self, network: RoadNetwork, places, standing, **more) -> None:
        self.run: TrafficRun = run_with(network, places, **more)
        table = bodies(*standing)
        self.standing = obstructions_of_bodies(TrafficPlan.from_network(network), table, np.arange(len(table)))
        self.boxes = [
            Polygon([(x - a, y - b), (x + a, y - b), (x + a, y + b), (x - a, y + b)])
            for x, y, _, _, (a, b, _), _ in standing
        ]
        self.nearest, self.yaw_rate, self.sideways, self.beside = math.inf, 0.0, 0.0, 0.0

    def go(self, seconds: float, until=lambda state: False) -> float:
        """Let time pass. Returns how much has passed when `until` holds [s], NaN if it does not."""
        state = self.run.state
        for tick in range(round(seconds / self.run.dt)):
            was = state.y.copy()
            self.run.step(obstruction=self.standing)
            assert not overlaps(state)
            near = [box.distance(Polygon(body)) for body in corners(state) for box in self.boxes]
            self.nearest = min(self.nearest, *near)
            self.yaw_rate = max(self.yaw_rate, float(np.abs(state.yaw_rate).max()))
            self.sideways = max(self.sideways, float((np.abs(state.y - was) - state.speed * self.run.dt).max()))
            if min(near) < 2.0:
                self.beside = max(self.beside, float(state.speed[0]))
            if until(state):
                return tick * self.run.dt
        return math.nan


def beyond(row: int, x: float = 140.0):
    """Whether a vehicle that came from the left is beyond a place and back in its lane."""
    return lambda state: state.x[row] > x and state.link[row] == 0 and abs(state.lateral[row]) < 0.1


@pytest.mark.parametrize("body", [NPC, BUS])
def test_a_wreck_is_passed_over_the_oncoming_lane(body):
    watched = Watched(TWO_WAYS, [("right", 40.0)], [WRECK], bodies=body, speed=8.0)
    assert watched.go(60.0, beyond(0)) < 45.0
    assert 0.15 < watched.nearest < 1.0


def test_the_way_around_is_smooth():
    watched = Watched(TWO_WAYS, [("right", 40.0)], [WRECK], speed=8.0)
    watched.run.dt = 0.02
    watched.go(60.0, beyond(0))
    assert watched.yaw_rate < 1.0
    assert watched.sideways < 1e-6


def test_oncoming_traffic_goes_first():
    watched = Watched(TWO_WAYS, [("right", 90.0), ("against", 180.0), ("against", 150.0)], [WRECK], speed=8.0)
    state = watched.run.state
    came = watched.go(60.0, lambda state: (state.x[1:] < 110.0).all() or state.passing[0] != Passing.NOTHING)
    assert came < 60.0
    assert state.passing[0] == Passing.NOTHING
    assert watched.go(60.0, beyond(0)) < 40.0


def test_a_column_gets_by_one_after_the_other():
    watched = Watched(TWO_WAYS, [("right", 60.0), ("right", 40.0), ("right", 20.0)], [WRECK], speed=8.0)
    assert watched.go(90.0, lambda state: (state.x > 140.0).all()) < 80.0


def test_what_leaves_room_in_the_lane_is_passed_within_it_though_someone_comes():
    beside = (120.0, -1.3, 0.0, 0.0, (0.3, 0.3, 0.5), (0.0, 0.0))
    network = network_of(
        straight("right", "A", "B", (0, 0, 0), (400, 0, 0), width_start=4.6, width_end=4.6),
        straight("against", "E", "F", (400, 4.6, 0), (0, 4.6, 0), width_start=4.6, width_end=4.6),
    )
    watched = Watched(network, [("right", 60.0), ("against", 180.0)], [beside], speed=8.0)
    modes = set()
    watched.go(40.0, lambda state: modes.add(int(state.passing[0])) or beyond(0)(state))
    assert modes == {Passing.NOTHING, Passing.OWN_LANE}
    assert watched.nearest > 0.15


def test_people_are_passed_slowly_and_with_more_room():
    stands = (120.0, 0.0, 0.0, 0.0, PERSON, (0.0, 0.0))
    watched = Watched(TWO_WAYS, [("right", 60.0)], [stands], speed=8.0)
    assert watched.go(60.0, beyond(0)) < 50.0
    assert watched.nearest > 0.6
    assert watched.beside < 3.0


def test_where_there_is_no_lane_the_driver_waits_for_long_and_uses_the_verge_slowly():
    watched = Watched(ONE_WAY, [("right", 60.0)], [WRECK], speed=8.0)
    assert math.isnan(watched.go(12.0, beyond(0)))
    assert 100.0 < watched.run.state.s[0] < 117.0
    assert watched.go(40.0, beyond(0)) < 40.0
    assert watched.nearest > 0.15


def test_before_a_body_that_leaves_no_room_on_the_verge_either_the_driver_waits():
    across = (120.0, 0.0, 0.0, 0.0, (2.3, 3.5, 0.8), (0.0, 0.0))
    watched = Watched(ONE_WAY, [("right", 60.0)], [across], speed=8.0)
    assert math.isnan(watched.go(70.0, beyond(0)))


THREE_LANES = network_of(
    *(straight(f"{at}", f"A{at}", f"B{at}", (0, 3.2 * at, 0), (400, 3.2 * at, 0), **WIDTH) for at in range(3))
)


@pytest.mark.parametrize(("lane", "middle"), [("0", 1.6), ("2", 4.8)])
@pytest.mark.parametrize("body", [NPC, BUS])
def test_a_wreck_across_two_lanes_is_passed_over_the_third(body, lane, middle):
    across = (120.0, middle, 0.0, 0.0, (0.9, 2.3, 0.8), (0.0, 0.0))
    watched = Watched(THREE_LANES, [(lane, 60.0)], [across], bodies=body, speed=8.0)
    aside, modes = [], set()

    def is_back(state):
        aside.append(abs(state.lateral[0]))
        modes.add(int(state.passing[0]))
        return state.x[0] > 140.0 and abs(state.lateral[0]) < 0.1

    assert watched.go(70.0, is_back) < 60.0
    assert modes == {Passing.NOTHING, Passing.LANE_BESIDE}
    assert max(aside) > 3.2 + 0.9
    assert watched.nearest > 0.15


def test_who_drives_on_the_third_lane_goes_before_who_passes_over_it():
    across = (120.0, 1.6, 0.0, 0.0, (0.9, 2.3, 0.8), (0.0, 0.0))
    alone = Watched(THREE_LANES, [("0", 90.0)], [across], speed=8.0)
    begun = alone.go(60.0, lambda state: state.passing[0] != Passing.NOTHING)
    behind = 8.0 * begun - 20.0
    places = [("0", 90.0), ("2", max(100.0 - behind, 20.0))]
    watched = Watched(THREE_LANES, places, [across], speed=8.0)
    assert watched.go(60.0, beyond(0)) < 60.0
    assert watched.run.state.x[1] > watched.run.state.x[0]
