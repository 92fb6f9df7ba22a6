"""The ground under bodies: heights, slopes, hints and levels."""

import math

import numpy as np
import pytest

from dorosim.road.surface_kernel import follow_surface
from tests.road.real_map import TRACK, real_network
from tests.road.small_map import arc, network_of, straight


class Follower:
    """Calls the kernel and keeps the hints, as a world does."""

    def __init__(self, network, count):
        self.surface = network.surface
        self.segment = np.full(count, -1)
        self.height, self.slope_x, self.slope_y = np.empty(count), np.empty(count), np.empty(count)

    def at(self, x, y, z=math.nan):
        given = [np.array(np.broadcast_to(np.asarray(v, float), self.segment.shape)) for v in (x, y, z)]
        follow_surface(self.surface, *given, self.segment, self.height, self.slope_x, self.slope_y)  # type: ignore[call-arg]
        return self.height.copy()


def test_height_and_slope_on_an_even_climb():
    """A lane of slope 1/10 towards (3, 4)/5 lies on the plane z = 0.06 x + 0.08 y along its centre."""
    w = network_of(straight("L", "A", "B", (0, 0, 0), (30, 40, 5)))
    along, aside = np.linspace(0.5, 49, 40), np.linspace(-2, 2, 40)
    f = Follower(w, 40)
    height = f.at(0.6 * along - 0.8 * aside, 0.8 * along + 0.6 * aside)
    np.testing.assert_allclose(height, 0.1 * along, atol=1e-12)
    np.testing.assert_allclose(f.slope_x, 0.06)
    np.testing.assert_allclose(f.slope_y, 0.08)
    assert (w.surface.link[f.segment] == 0).all()


def a_hill():
    """A drive up a hill, round over its crest and down again, in three links."""
    up, over, down = (
        straight("up", "A", "B", (0, 0, 0), (100, 0, 8)),
        arc("over", "B", "C", (100, 20), 20, -math.pi / 2, math.pi, count=40),
        straight("down", "C", "D", (100, 40, 8), (0, 40, 0)),
    )
    over.points[:, 2] = 8 + np.sin(np.linspace(0, math.pi, 40))
    return network_of(up, over, down)


def test_height_and_slope_have_no_jumps_along_links():
    w = a_hill()
    arcs = [np.arange(0, length, 0.05) for length in w.link_length]
    track = np.concatenate([w.point_at(link, s, 1.0) for link, s in enumerate(arcs)])
    f = Follower(w, 1)
    heights, slopes = [], []
    for x, y, z in track:
        heights.append(f.at(x, y, z)[0])
        slopes.append((f.slope_x[0], f.slope_y[0]))
    np.testing.assert_allclose(heights, track[:, 2], atol=1e-9)
    assert np.abs(np.diff(heights)).max() < 0.02
    assert np.abs(np.diff(slopes, axis=0)).max() < 0.01


def test_with_and_without_hints_the_ground_is_the_same():
    """Vehicles that drive along a real road find by their hints what a search over the whole map finds."""
    w = real_network(TRACK)
    rows = 200
    link = np.linspace(0, w.link_count - 1, rows).astype(int)
    s = np.zeros(rows)
    warm = Follower(w, rows)
    for _ in range(150):
        s += 0.4
        over = s > w.link_length[link]
        s[over] -= w.link_length[link[over]]
        link[over] = [w.successors.of(row)[0] for row in link[over]]
        pose = w.pose_at(link, s, 1.2)
        height = warm.at(*pose.point.T)
        np.testing.assert_allclose(height, pose.point[:, 2], atol=1e-6)
        cold = Follower(w, rows)
        np.testing.assert_allclose(height, cold.at(*pose.point.T), atol=5e-3)
        grade = warm.slope_x * np.cos(pose.heading) + warm.slope_y * np.sin(pose.heading)
        np.testing.assert_allclose(grade, pose.grade, atol=1e-3)


def test_backwards_over_the_ends_of_links():
    w = a_hill()
    f = Follower(w, 1)
    for link in (2, 1, 0):
        for s in np.arange(w.link_length[link], 0, -0.5):
            point = w.point_at(link, s)[0]
            assert f.at(*point)[0] == pytest.approx(point[2], abs=1e-6)
            assert w.surface.link[f.segment[0]] == link or s > w.link_length[link] - 1e-6


@pytest.mark.parametrize("step", [0.2, 0.7, 1.5, 3.0, 11.0])
def test_any_stride_over_many_short_links(step):
    """Lanes of 0.3 m that climb 1 in 10: however far a body goes in a tick, the ground under it is found."""
    w = network_of(
        *(
            straight(f"{i}", f"{i}", f"{i + 1}", (0.3 * i, 0, 0.03 * i), (0.3 * i + 0.3, 0, 0.03 * i + 0.03))
            for i in range(80)
        )
    )
    f = Follower(w, 1)
    for x in (*np.arange(0.05, 24, step), *np.arange(23.9, 0, -step)):
        assert f.at(x, 1.0, 0.1 * x)[0] == pytest.approx(0.1 * x, abs=1e-9)
        assert w.surface.link[f.segment[0]] == pytest.approx(x / 0.3, abs=1.001)


def an_overpass():
    return network_of(
        straight("ground", "A", "B", (-50, 0, 0), (50, 0, 0)), straight("bridge", "C", "D", (0, -50, 6), (0, 50, 6))
    )


def test_a_body_stays_on_its_level_of_an_overpass():
    f = Follower(an_overpass(), 2)
    for step in np.linspace(-30, 30, 121):
        assert f.at([step, 0.2], [0.2, step], [0, 6]).tolist() == [0, 6]


def test_a_body_put_on_another_level_finds_it():
    f = Follower(an_overpass(), 1)
    assert f.at(0.1, 0.2, 0)[0] == 0
    assert f.at(0.1, 0.2, 6)[0] == 6
    assert f.at(0.1, 0.2, 0)[0] == 0


def test_a_body_that_leaves_its_lane_to_the_side_finds_the_next():
    w = network_of(
        straight("low", "A", "B", (0, 0, 0), (100, 0, 0)), straight("high", "C", "D", (0, 4, 1), (100, 4, 1))
    )
    f = Follower(w, 1)
    heights = [f.at(50, y, 0)[0] for y in (0, 1, 2.4, 2.6, 4, 1.6, 1.4)]
    assert heights == [0, 0, 0, 1, 1, 1, 0]


def test_any_hint_will_do():
    """Hints out of range, on the last point of a link, or on the other side of the map."""
    w = a_hill()
    points = len(w.lines.points)
    hints = [-5, 0, 100, 101, points - 2, points - 1, points, 10**9, np.iinfo(np.int64).min]
    f = Follower(w, len(hints))
    f.segment[:] = hints
    assert f.at(50, 0.5, 4) == pytest.approx([4.0] * len(hints))


def test_results_are_finite_whatever_the_input():
    wild = [math.nan, math.inf, -math.inf, 1e308, -1e200, 0.0]
    x, y, z = (grid.ravel() for grid in np.meshgrid(wild, wild, wild))
    for w in (a_hill(), network_of(), network_of(straight("dot", "A", "B", (1, 1, 1), (1, 1, 1)))):
        f = Follower(w, len(x))
        for _ in range(2):
            f.at(x, y, z)
            for result in (f.height, f.slope_x, f.slope_y):
                assert np.isfinite(result).all()
            lost = ~(np.isfinite(x) & np.isfinite(y))
            assert (f.segment[lost] == -1).all()
            assert (f.height[lost] == 0).all()


def test_without_lanes_the_ground_is_flat():
    f = Follower(network_of(), 3)
    assert f.at([1, 2, 3], 5, 7).tolist() == [0, 0, 0]
    assert f.slope_x.tolist() == f.slope_y.tolist() == [0, 0, 0]
    assert f.segment.tolist() == [-1, -1, -1]
