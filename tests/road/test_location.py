"""Location against a search over all segments, against poses, and on the levels of an overpass."""

import math

import numpy as np
import pytest

from dorosim.road.location import locate
from dorosim.road.location_kernel import LEVEL_CAP, LEVEL_TILT
from tests.road.real_map import REAL_MAPS, SUBURB, real_folder, real_network
from tests.road.small_map import arc, network_of, straight


def costs_of_links(w, point):
    """Least cost of each link for one point, by numpy over all segments."""
    start, end = w.lines.points[:-1], w.lines.points[1:]
    way = (end - start)[:, :2]
    square = np.maximum((way**2).sum(axis=1), 1e-300)
    share = np.clip(((point[:2] - start[:, :2]) * way).sum(axis=1) / square, 0, 1)[:, None]
    gap = point - (start + share * (end - start))
    rise = np.abs(gap[:, 2])
    cost = (gap[:, :2] ** 2).sum(axis=1) + np.minimum(rise, LEVEL_CAP) ** 2 + LEVEL_TILT * rise
    cost[w.lines.line[:-1] != w.lines.line[1:]] = np.inf
    return np.minimum.reduceat(np.append(cost, np.inf), w.lines.first[:-1])


@pytest.mark.parametrize("name", REAL_MAPS)
def test_the_lane_found_is_the_nearest_of_all(name):
    w = real_network(name)
    random = np.random.default_rng(11)
    low, high = w.lines.points.min(axis=0) - 30, w.lines.points.max(axis=0) + 30
    points = random.uniform(low, high, (150, 3))
    place = locate(w, points, reach=math.inf)
    for point, link, distance in zip(points, place.link, place.distance, strict=True):
        costs = costs_of_links(w, point)
        assert costs[link] <= costs.min() + 1e-9
        assert distance**2 <= costs.min() + 0.1 * distance


@pytest.mark.parametrize("name", REAL_MAPS)
def test_a_pose_on_a_lane_is_found_again(name):
    w = real_network(name)
    random = np.random.default_rng(12)
    link = random.integers(0, w.link_count, 10_000)
    s = random.random(10_000) * w.link_length[link]
    lateral = random.uniform(-1.7, 1.7, 10_000)
    pose = w.pose_at(link, s, lateral)
    place = locate(w, pose.point, pose.heading)
    same = place.link == link
    assert same.mean() > 0.95  # the rest lies where lanes of a junction run over one another
    np.testing.assert_allclose(place.s[same], s[same], atol=1e-9)
    np.testing.assert_allclose(place.lateral[same], lateral[same], atol=1e-9)
    np.testing.assert_allclose(place.distance[same], np.abs(lateral[same]), atol=1e-9)


def test_the_reference_path_of_suburb_lies_on_its_lanes():
    """1.7 km that a client drives; only its first point stands 2 m before the lane."""
    path = np.loadtxt(real_folder(SUBURB) / "reference_path.csv", delimiter=",", skiprows=1)
    heading = np.arctan2(np.gradient(path[:, 1]), np.gradient(path[:, 0]))
    w = real_network(SUBURB)
    place = locate(w, path, heading, drivable_only=True)
    assert place.distance[0] == pytest.approx(2.0)
    assert place.distance[1:].max() < 0.3
    assert np.percentile(place.distance, 99) < 0.05
    turned = np.angle(np.exp(1j * (w.heading_at(place.link, place.s) - heading)))
    assert np.percentile(np.abs(turned), 99) < 0.1


def test_offsets_are_positive_to_the_left_and_distance_grows_beyond_the_ends():
    w = network_of(straight("L", "A", "B", (0, 0, 0), (10, 0, 0)))
    place = locate(w, [[5, 2, 0], [5, -2, 0], [13, 4, 0], [-3, -4, 0]])
    assert place.s.tolist() == [5, 5, 10, 0]
    assert place.lateral.tolist() == [2, -2, 4, -4]
    assert place.distance.tolist() == [2, 2, 5, 5]


def test_lateral_offset_changes_evenly_past_the_points_of_a_curve():
    """On the inside of a polyline's corner the nearest segment jumps; the foot must not."""
    w = network_of(arc("L", "A", "B", (0, 0), 10, 0, math.pi / 2, count=6))
    angle = np.linspace(0.2, 1.3, 4000)
    place = locate(w, np.column_stack((7 * np.cos(angle), 7 * np.sin(angle), np.zeros(4000))))
    assert np.abs(np.diff(place.lateral)).max() < 1e-3
    assert np.diff(place.s).min() > 0


def test_heading_decides_between_lanes_of_opposite_directions():
    w = network_of(
        straight("east", "A", "B", (0, 0, 0), (100, 0, 0)), straight("west", "C", "D", (100, 3.5, 0), (0, 3.5, 0))
    )
    between = [[50, 1.9, 0]] * 4
    place = locate(w, between, [0.0, math.pi, math.nan, 2 * math.pi + 0.1])
    assert place.link.tolist() == [0, 1, 1, 0]


def an_overpass():
    """A lane along x on the ground, and one along y that crosses it 6 m higher."""
    return network_of(
        straight("ground", "A", "B", (-50, 0, 0), (50, 0, 0)), straight("bridge", "C", "D", (0, -50, 6), (0, 50, 6))
    )


def test_height_decides_between_the_levels_of_an_overpass():
    place = locate(an_overpass(), [[0.5, 1, 0.3], [0.5, 1, 5.5], [1, 0.5, 6.2], [1, 0.5, -1]])
    assert place.link.tolist() == [0, 1, 1, 0]


def test_without_height_the_plan_decides():
    place = locate(an_overpass(), [[0.5, 1, math.nan], [1, 0.5, math.nan], [3, 0.5, 40]])
    assert place.link.tolist() == [1, 0, 0]


def test_sidewalks_can_be_passed_over():
    w = network_of(
        straight("walk", "A", "B", (0, 0, 0), (10, 0, 0), link_type="sidewalk"),
        straight("lane", "C", "D", (0, 4, 0), (10, 4, 0)),
    )
    assert locate(w, [5, 0.5, 0]).link[0] == 0
    assert locate(w, [5, 0.5, 0], drivable_only=True).link[0] == 1


def test_points_without_a_lane_in_reach_belong_to_none():
    w = network_of(straight("L", "A", "B", (0, 0, 0), (10, 0, 0)))
    far = [[5, 100.1, 0], [math.nan, 0, 0], [math.inf, 0, 0], [1e300, 1e300, 0], [5, 0, math.inf]]
    place = locate(w, far)
    assert place.link.tolist() == place.segment.tolist() == [-1] * 5
    assert np.isnan(place.s).all()
    assert locate(w, [5, 99.9, 0]).link[0] == 0
    assert locate(w, [5, 1e6, 0], reach=math.inf).lateral[0] == pytest.approx(1e6)
    assert locate(network_of(), [0, 0, 0], reach=math.inf).link[0] == -1


def test_of_equally_near_lanes_the_first_is_taken():
    lanes = [straight(f"L{i}", f"A{i}", f"B{i}", (0, 0, 0), (100, 0, 0)) for i in range(5)]
    assert set(locate(network_of(*lanes), [[x, 1, 0] for x in range(100)]).link.tolist()) == {0}


def test_lanes_of_one_place_and_points_apart_by_nothing_do_no_harm():
    w = network_of(
        straight("dot", "A", "B", (5, 5, 0), (5, 5, 0)), straight("L", "A", "B", (0, 0, 0), (0, 0, 0), link_type="none")
    )
    place = locate(w, [[5, 6, 0], [0, 1, 0]])
    assert place.link.tolist() == [0, 1]
    assert place.distance.tolist() == [1, 1]
