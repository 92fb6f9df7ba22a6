"""Which lanes bodies stand on, and how traffic treats them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from shapely import LineString, affinity, box

from dorosim.mapmaking.plan import Size
from dorosim.road.network import network_from_mgeo
from dorosim.world.traffic.lane_grid import MAX_HINDRANCE_OFFSET
from dorosim.world.traffic.obstruction import obstructions_of_bodies
from dorosim.world.traffic.obstruction_kernel import MAX_SIDESTEP
from dorosim.world.traffic.plan import TrafficPlan
from tests.road.generated_town import town_of
from tests.road.small_map import network_of, straight
from tests.world.traffic.rig import HALF_CAR as CAR
from tests.world.traffic.rig import HALF_PERSON as PERSON
from tests.world.traffic.rig import bodies, run_with

LANES = network_of(
    straight("right", "A", "B", (0, 0, 0), (200, 0, 0), width_start=3.2, width_end=3.2),
    straight("left", "C", "D", (0, 3.2, 0), (200, 3.2, 0), width_start=3.2, width_end=3.2),
    straight("against", "E", "F", (200, 6.4, 0), (0, 6.4, 0), width_start=3.2, width_end=3.2),
    straight("bridge", "G", "H", (100, -50, 6), (100, 50, 6), width_start=3.2, width_end=3.2),
)
PLAN = TrafficPlan.from_network(LANES)


def seen(*rows) -> dict[str, tuple[float, ...]]:
    """By lane: rear, front, right, left, speed of what stands there."""
    table = bodies(*rows)
    found = obstructions_of_bodies(PLAN, table, np.arange(len(table)))
    values = zip(found.rear, found.front, found.right, found.left, found.speed, strict=True)
    return {LANES.link_ids[link]: tuple(map(float, row)) for link, row in zip(found.link, values, strict=True)}


def test_a_car_in_its_lane():
    found = seen((50.0, 0.2, 0.0, 0.0, CAR, (10.0, 0.0)))
    assert found == {"right": pytest.approx((47.7, 52.3, -0.7, 1.1, 10.0))}


def test_a_car_across_two_lanes_is_on_both():
    found = seen((50.0, 1.6, 0.0, 0.0, CAR, (10.0, 0.0)))
    assert found["right"] == pytest.approx((47.7, 52.3, 0.7, 2.5, 10.0))
    assert found["left"] == pytest.approx((47.7, 52.3, -2.5, -0.7, 10.0))


def test_a_lane_in_the_other_direction_sees_it_come_against_it():
    found = seen((50.0, 6.4, 0.0, 0.0, CAR, (10.0, 0.0)))
    assert found == {"against": pytest.approx((147.7, 152.3, -0.9, 0.9, -10.0))}


def test_a_car_at_an_angle_covers_what_its_corners_cover():
    found = seen((50.0, 0.0, 0.0, math.pi / 4, CAR, (0.0, 0.0)))["right"]
    reach = (2.3 + 0.9) / math.sqrt(2)
    assert found == pytest.approx((50 - reach, 50 + reach, -reach, reach, 0.0))


def test_who_waits_at_the_kerb_is_in_nobodys_way():
    assert seen((50.0, -1.6 - 0.35, 0.0, 0.0, PERSON, (0.0, 0.0))) == {}


def test_who_walks_along_the_kerb_is_in_nobodys_way():
    assert seen((50.0, -1.95, 0.0, 0.0, PERSON, (1.4, 0.0))) == {}


def test_who_steps_on_the_road_is_seen_before_he_is_on_it():
    found = seen((50.0, -1.95, 0.0, math.pi / 2, PERSON, (0.0, 1.4)))
    assert list(found) == ["right"]
    assert found["right"] == pytest.approx((49.75, 50.25, -2.2, -1.7 + MAX_SIDESTEP, 0.0))


def test_who_has_crossed_a_lane_no_longer_hinders_it():
    found = seen((50.0, 1.9, 0.0, math.pi / 2, PERSON, (0.0, 1.4)))
    assert list(found) == ["left"]


def test_a_bridge_is_not_the_road_below_it():
    assert list(seen((100.0, 0.0, 0.0, 0.0, CAR, (0.0, 0.0)))) == ["right"]
    assert list(seen((100.0, 0.0, 6.0, 0.0, CAR, (0.0, 0.0)))) == ["bridge"]


def test_bodies_far_from_lanes_and_bodies_nowhere_are_on_no_lane():
    assert seen((1e5, 0.0, 0.0, 0.0, CAR, (0.0, 0.0)), (-300.0, 9e9, 0.0, 0.0, CAR, (1.0, 0.0))) == {}
    assert seen((math.nan, 0.0, 0.0, 0.0, CAR, (0.0, 0.0)), (math.inf, 0.0, 0.0, 0.0, CAR, (0.0, 0.0))) == {}


def test_only_the_rows_that_are_asked_for_count():
    table = bodies((50.0, 0.0, 0.0, 0.0, CAR, (0.0, 0.0)), (90.0, 3.2, 0.0, 0.0, CAR, (0.0, 0.0)))
    found = obstructions_of_bodies(PLAN, table, np.array([1]))
    assert [LANES.link_ids[link] for link in found.link] == ["left"]
    assert len(obstructions_of_bodies(PLAN, table, np.zeros(0, np.int64))) == 0


def test_a_map_without_lanes():
    plan = TrafficPlan.from_network(network_of())
    assert len(obstructions_of_bodies(plan, bodies((0.0, 0.0, 0.0, 0.0, CAR, (0.0, 0.0))), np.arange(1))) == 0


def test_the_same_lanes_as_by_their_areas_all_over_a_town():
    network = network_from_mgeo(town_of(1, Size.DEFAULT))
    plan = TrafficPlan.from_network(network)
    random = np.random.default_rng(3)
    links = random.choice(np.flatnonzero(network.link_drivable), 300)
    place = network.pose_at(links, random.uniform(0, 1, 300) * network.link_length[links], random.uniform(-4, 4, 300))
    table = bodies(*[(*point, turn, CAR, (0.0, 0.0)) for point, turn in zip(place.point, links * 1.0, strict=True)])
    found = obstructions_of_bodies(plan, table, np.arange(300))
    half = np.minimum(plan.road.half_width, MAX_HINDRANCE_OFFSET)
    line = [LineString(network.points_of(link)) for link in range(network.link_count)]
    strips = [line[link].buffer(half[link], cap_style="flat") for link in range(network.link_count)]
    expected = []
    for row in range(300):
        shape = affinity.translate(affinity.rotate(box(-2.3, -0.9, 2.3, 0.9), table.yaw[row], use_radians=True), 0, 0)
        shape = affinity.translate(shape, table.x[row], table.y[row])
        for link in np.flatnonzero(network.link_drivable):
            level = abs(network.points_of(link)[0, 2] - place.point[row, 2]) < 2.0
            if level and strips[link].distance(shape) == 0 and strips[link].intersection(shape).area > 0.1:
                expected.append((link, line[link].project(shape.centroid)))
    assert len(expected) > 500
    listed = set(found.link.tolist())
    for link, s in expected:
        near = (found.link == link) & (found.rear < s + 3.0) & (found.front > s - 3.0)
        assert link in listed
        assert near.any(), network.link_ids[link]
    assert len(found) < 1.15 * len(expected)


def _way_beside(y: float, half, velocity=(0.0, 0.0), seconds: float = 40.0) -> float:
    """How far a car gets that comes from 80 m before a body."""
    run = run_with(LANES, [("right", 20.0)], speed=13.0)
    obstruction = obstructions_of_bodies(PLAN, bodies((120.0, y, 0.0, 0.0, half, velocity)), np.arange(1))
    hardest = 0.0
    for _ in range(round(seconds / 0.1)):
        run.step(obstruction=obstruction)
        hardest = min(hardest, float(run.state.acceleration[0]))
        if run.state.s[0] > 150.0 or run.state.present[0] == 0:
            break
    assert hardest > -4.5
    return float(run.state.s[0])


def test_traffic_stops_before_what_stands_in_its_lane_with_room_to_turn_out():
    assert 105.0 < _way_beside(0.0, CAR, seconds=9.0) < 114.0
    assert 105.0 < _way_beside(0.8, PERSON, seconds=9.0) < 119.0


def test_traffic_passes_what_stands_beside_its_lane():
    assert _way_beside(-1.95, PERSON) > 150.0
    assert _way_beside(3.2, CAR) > 150.0


def test_traffic_stops_for_who_is_about_to_step_on_the_road():
    assert _way_beside(-2.5, PERSON, (0.0, 1.4), seconds=9.0) < 119.0


def test_a_car_follows_an_ego_that_drives_slowly_and_then_stops_and_then_drives_on():
    run = run_with(LANES, [("right", 20.0)], speed=13.0)
    x, gaps = 60.0, []
    for tick in range(900):
        speed = 5.0 if tick < 150 or tick > 200 else 0.0
        x += speed * 0.1
        ego = bodies((x, 0.0, 0.0, 0.0, CAR, (speed, 0.0)))
        run.step(obstruction=obstructions_of_bodies(PLAN, ego, np.arange(1)))
        if x > 190.0:
            break
        gaps.append(x - 2.3 - float(run.state.s[0]))
    assert min(gaps) > 1.0
    assert gaps[198] < 12.0
    assert run.state.speed[0] > 4.0
