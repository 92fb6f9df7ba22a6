"""Traffic goes on around what stands for good: nobody waits for long, and nobody touches anybody."""

from __future__ import annotations

import numpy as np
import pytest
from shapely import Polygon

from dorosim.road.network import RoadNetwork, network_from_mgeo
from dorosim.world.traffic.obstruction import obstructions_of_bodies
from dorosim.world.traffic.placement import traffic_places
from dorosim.world.traffic.road import BESIDE
from dorosim.world.traffic.state import Presence, Waiting
from tests.road.real_map import SUBURB, TRACK, real_network
from tests.world.traffic.rig import HALF_CAR, MIXED, TrafficRun, bodies, corners, describe, overlaps, run_on
from tools.town import make_town

LONGEST = 90.0
"""Nobody stands longer than this except at red [s]."""

STANDING = 4
"""The ego vehicle and three wrecks."""


def standing_cars(run: TrafficRun, seed: int, margin: float):
    """Cars that stand in lanes, each well away from junctions, other vehicles and one another, as a table of bodies."""
    link, s = traffic_places(run.plan, 4.6)
    network, rows = run.network, []
    for at in np.random.default_rng(seed).permutation(len(link)):
        place = network.pose_at(link[[at]], s[[at]] - 2.3)
        x, y, z = place.point[0]
        far = np.hypot(run.state.x - x, run.state.y - y).min() > 14.0
        far = far and all(np.hypot(row[0] - x, row[1] - y) > 60.0 for row in rows)
        inside = min(s[at], network.link_length[link[at]] - s[at]) > margin
        if not far or not inside or not has_way(run, link[at]):
            continue
        rows.append((x, y, z, float(place.heading[0]), HALF_CAR, (0.0, 0.0)))
        if len(rows) == STANDING:
            return bodies(*rows)
    raise AssertionError("no places for the cars")


def has_way(run: TrafficRun, link: int) -> bool:
    """Whether all of a lane lies outside junctions."""
    first, last = run.plan.road.station_first[link], run.plan.road.station_first[link + 1]
    return bool((run.plan.road.beside[2 * first : 2 * last, BESIDE.link] > -2.0).all())


def watch(network: RoadNetwork, count: int, seconds: float, seed: int, margin: float = 0.0) -> None:
    """Let traffic drive among four standing cars, and look at what must never happen."""
    run = run_on(network, count, seed, bodies=MIXED)
    table = standing_cars(run, seed, margin)
    standing = obstructions_of_bodies(run.plan, table, np.arange(len(table)))
    shapes = [Polygon(corner) for corner in boxes_of(table)]
    still, red = np.zeros(count), np.zeros(count, bool)
    for tick in range(round(seconds / run.dt)):
        run.step(obstruction=standing)
        state = run.state
        stands = (state.present == Presence.ON_LANE) & (state.speed < 0.1)
        still = np.where(stands, still + run.dt, 0.0)
        red = stands & (red | (state.waiting == Waiting.LIGHT))
        late = np.flatnonzero((still > LONGEST) & ~red)
        behind_red = [row for row in late if red[state.link == state.link[row]].any()]
        assert len(late) == len(behind_red), [describe(run, row) for row in late]
        if tick % 3 == 0:
            assert not [[describe(run, row) for row in pair] for pair in overlaps(state)]
            for shape, x, y, z in zip(shapes, table.x, table.y, table.z, strict=True):
                near = (np.hypot(state.x - x, state.y - y) < 14.0) & (np.abs(state.z - z) < 2.5) & (state.present == 1)
                for row, body in zip(np.flatnonzero(near), corners(state)[near], strict=True):
                    assert shape.distance(Polygon(body)) > 0.0, describe(run, row)


def boxes_of(table) -> np.ndarray:
    """Corners `(N, 4, 2)` of bodies in map [m]."""
    along = table.half_length[:, None] * np.array([1, 1, -1, -1])
    aside = table.half_width[:, None] * np.array([1, -1, -1, 1])
    c, s = np.cos(table.yaw)[:, None], np.sin(table.yaw)[:, None]
    return np.stack((table.x[:, None] + along * c - aside * s, table.y[:, None] + along * s + aside * c), axis=2)


@pytest.fixture(scope="module")
def town() -> RoadNetwork:
    return network_from_mgeo(make_town())


def test_two_minutes_of_the_town_with_an_ego_and_three_wrecks_in_lanes(town):
    watch(town, 100, 150.0, seed=2)


def test_two_minutes_of_a_real_track_of_a_single_lane():
    watch(real_network(TRACK), 40, 150.0, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 6))
def test_ten_minutes_of_the_town(town, seed):
    watch(town, 100, 600.0, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize(("name", "margin"), [(TRACK, 0.0), (SUBURB, 25.0)])
def test_ten_minutes_of_a_real_map(name, margin, seed):
    watch(real_network(name), 40, 600.0, seed, margin)
