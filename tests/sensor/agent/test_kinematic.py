"""The kinematic bicycle against formulas, and what its agents perceive against the map and each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dorosim.ground.plain_kernel import plain
from dorosim.gym.kinematic import KinematicSet
from dorosim.gym.kinematic_setting import numbers_of_model
from dorosim.sensor.agent.kinematic.bicycle_kernel import drive_at, move
from dorosim.sensor.agent.kinematic.lane_kernel import LANE_LEVEL
from dorosim.sensor.agent.kinematic.lane_table import lane_grid
from dorosim.sensor.agent.kinematic.near_kernel import is_touching
from dorosim.sensor.agent.kinematic.segment_kernel import SEGMENT_REACH
from dorosim.sensor.agent.kinematic.state import KinematicState, LaneTables, MapPoint
from dorosim.sensor.agent.state import AgentEvent

AT = KinematicState.at
CAR = numbers_of_model("2016_Hyundai_Ioniq")
DT = 0.1
MANY = ("self", "partners", "segments")
CROWD: dict[str, Any] = {"map": "village", "dynamics": "kinematic", "agents": 24, "ends": (), "actions": "velocity"}
REACH = 200.0


def vehicle(**values: float) -> KinematicState:
    """One agent at the origin, heading east."""
    table = KinematicState.zeros(1)
    table.cosine[:] = 1.0
    for name, value in values.items():
        getattr(table, name)[:] = value
    table.cosine[:], table.sine[:] = np.cos(table.yaw), np.sin(table.yaw)
    return table


def driven(table: KinematicState, asked: float, angle: float, ticks: int) -> np.ndarray:
    """`(ticks, 4)` x, y, yaw and speed after each tick."""
    path = []
    for _ in range(ticks):
        plain(move)(table.floats, 0, CAR, asked, angle, DT)
        path.append([table.x[0], table.y[0], table.yaw[0], table.speed[0]])
    return np.array(path)


@given(st.floats(0.02, 0.95), st.sampled_from([-1.0, 1.0]), st.floats(0.5, 30.0))
def test_it_turns_on_the_circle_of_wheelbase_over_the_tangent(share, side, speed):
    steer = side * share * CAR.max_steer
    path = driven(vehicle(speed=speed, steer=steer), 0.0, steer, 60)
    radius = CAR.wheelbase / math.tan(steer)
    assert np.hypot(path[:, 0], path[:, 1] - radius) == pytest.approx(abs(radius), rel=1e-9)
    assert path[:, 3] == pytest.approx(speed)
    turned = np.unwrap(np.concatenate(([0.0], path[:, 2])))[-1]
    assert turned == pytest.approx(60 * DT * speed / radius, rel=1e-9)


@given(st.floats(0.1, 45.0), st.floats(0.3, 1.0))
def test_it_brakes_to_a_stand_on_the_square_of_speed_over_twice_the_deceleration(speed, share):
    brake = share * CAR.brake
    path = driven(vehicle(speed=speed), -brake, 0.0, int(speed / brake / DT) + 5)
    assert path[-1, 0] == pytest.approx(speed * speed / (2.0 * brake), rel=1e-9)
    assert path[-1, 3] == 0.0
    assert (path[:, 1] == 0.0).all()
    assert (np.diff(path[:, 3]) <= 0.0).all()


@given(st.floats(0.0, 60.0), st.floats(-1e4, 1e4), st.floats(-3.0, 3.0), st.floats(-3.1, 3.1))
def test_it_stays_within_what_the_vehicle_can(speed, asked, angle, yaw):
    table = vehicle(speed=min(speed, CAR.max_speed), yaw=yaw)
    before = float(table.speed[0]), 0.0
    for _ in range(20):
        most = plain(drive_at)(CAR, before[0])
        plain(move)(table.floats, 0, CAR, asked, angle, DT)
        now, steer = float(table.speed[0]), float(table.steer[0])
        assert 0.0 <= now <= CAR.max_speed + 1e-9
        assert -CAR.brake - 1e-6 <= (now - before[0]) / DT <= most + 1e-6
        assert abs(steer) <= CAR.max_steer
        assert abs(steer - before[1]) <= CAR.steer_rate * DT + 1e-12
        assert abs(table.yaw[0]) <= math.pi
        assert table.cosine[0] ** 2 + table.sine[0] ** 2 == pytest.approx(1.0)
        before = now, steer


def corners(x: float, y: float, yaw: float) -> np.ndarray:
    """`(4, 2)` corners of the vehicle's rectangle; the origin is its rear axle."""
    along = CAR.middle + CAR.half_length * np.array([1, 1, -1, -1])
    aside = CAR.half_width * np.array([1, -1, -1, 1])
    return np.stack([x + along * np.cos(yaw) - aside * np.sin(yaw), y + along * np.sin(yaw) + aside * np.cos(yaw)], 1)


def overlap(one: np.ndarray, other: np.ndarray) -> float:
    """The area that two convex polygons have in common, by cutting one with the sides of the other."""
    ring = [tuple(point) for point in one]
    signed = 0.5 * sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(other, np.roll(other, -1, 0), strict=True))
    sides = other if signed > 0 else other[::-1]
    for start, end in zip(sides, np.roll(sides, -1, 0), strict=True):

        def inside(p, start=start, end=end):
            return (end[0] - start[0]) * (p[1] - start[1]) - (end[1] - start[1]) * (p[0] - start[0])

        cut = []
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            da, db = inside(a), inside(b)
            if da >= 0:
                cut.append(a)
            if (da > 0 > db) or (da < 0 < db):
                share = da / (da - db)
                cut.append((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
        ring = cut
        if not ring:
            return 0.0
    return abs(0.5 * sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1], strict=True)))


@settings(max_examples=300)
@given(st.floats(-6, 6), st.floats(-6, 6), st.floats(-3.1, 3.1), st.floats(-3.1, 3.1))
def test_rectangles_touch_where_they_have_an_area_in_common(x, y, yaw, other_yaw):
    table = KinematicState.zeros(2)
    table.x[1], table.y[1], table.yaw[:] = x, y, (yaw, other_yaw)
    table.cosine[:], table.sine[:] = np.cos(table.yaw), np.sin(table.yaw)
    area = overlap(corners(0.0, 0.0, yaw), corners(x, y, other_yaw))
    touching = plain(is_touching)(table.floats, 0, 1, CAR)
    assert touching == plain(is_touching)(table.floats, 1, 0, CAR)
    if area > 1e-6:
        assert touching
    if not touching:
        assert area < 1e-6
    elif area == 0.0:
        # no more than a corner may lie on a side
        apart = corners(x + 1e-3 * np.sign(x or 1.0), y + 1e-3 * np.sign(y or 1.0), other_yaw)
        assert overlap(corners(0.0, 0.0, yaw), apart) == 0.0


@pytest.fixture(scope="module")
def crowd():
    """A world of agents that perceive all there is, after some steps by chance."""
    parts = ("ego", "neighbours", "road", "lights", *MANY)
    one = KinematicSet("Town", 1, {**CROWD, "observations": parts, "partner_reach": REACH})
    one.reset(0, 4)
    stream = np.random.default_rng(4)
    for _ in range(25):
        one.step(stream.uniform(-0.5, 0.5, (24, 2)))
    yield one
    one.close()


def part_of(one: KinematicSet, name: str) -> np.ndarray:
    """A part of the observations of all agents, `(A, ...)`."""
    sizes = {"ego": 20, "neighbours": 120, "road": 100, "lights": 16, "self": 7, "partners": 217, "segments": 1624}
    begin = sum(sizes[other] for other in list(sizes)[: list(sizes).index(name)])
    found = one.out.observation[:, begin : begin + sizes[name]]
    width = {"neighbours": 10, "road": 5, "lights": 8, "partners": 7, "segments": 7}.get(name)
    return found if width is None else found.reshape(len(found), -1, width)


def test_all_is_finite_and_within_the_space(crowd):
    seen = crowd.out.observation
    assert seen.dtype == np.float32
    assert np.isfinite(seen).all()
    assert crowd.layout.space.contains(seen[0])
    assert (np.abs(seen) <= 1.0).all()


def test_partners_are_the_nearest_vehicles_sorted_by_distance(crowd):
    state, partners = crowd.arrays.state[0], part_of(crowd, "partners")
    x, y, c, s = state[AT.x], state[AT.y], state[AT.cosine], state[AT.sine]
    middle = np.stack([x + CAR.middle * c, y + CAR.middle * s], 1)
    some = 0
    for a in range(24):
        found = partners[a][partners[a, :, 2] > 0.0]
        far = np.hypot(found[:, 0], found[:, 1])
        assert (np.diff(far) >= -1e-6).all()
        d = middle - (x[a], y[a])
        level = np.abs(state[AT.z] - state[AT.z, a]) <= LANE_LEVEL
        inside = [b for b in np.argsort(np.hypot(*d.T)) if b != a and level[b] and np.hypot(*d[b]) <= REACH]
        assert len(found) == len(inside)
        for row, b in zip(found, inside, strict=True):
            here = np.array([c[a] * d[b, 0] + s[a] * d[b, 1], c[a] * d[b, 1] - s[a] * d[b, 0]]) / REACH
            turn = state[AT.yaw, b] - state[AT.yaw, a]
            assert row[:2] == pytest.approx(here, abs=1e-6)
            assert row[4:6] == pytest.approx([np.cos(turn), np.sin(turn)], abs=1e-6)
            assert row[6] == pytest.approx(state[AT.speed, b] / 40.0, abs=1e-6)
        assert (partners[a, len(found) :] == 0.0).all()
        some += len(found)
    assert some >= 24


def test_segments_are_those_of_the_map_near_the_agent(crowd):
    state, table = crowd.arrays.state[0], crowd._tables.segments
    everything = table.segment
    for a in (0, 7, 19):
        found = part_of(crowd, "segments")[a]
        found = found[found[:, 6] > 0.0]
        assert len(found) >= 20
        c, s = state[AT.cosine, a], state[AT.sine, a]
        x = state[AT.x, a] + SEGMENT_REACH * (c * found[:, 0] - s * found[:, 1])
        y = state[AT.y, a] + SEGMENT_REACH * (s * found[:, 0] + c * found[:, 1])
        away = np.hypot(x[:, None] - everything[None, :, 0], y[:, None] - everything[None, :, 1])
        assert away.min(axis=1).max() < 1e-3, "each is a segment of the map"
        # the nearest one of the map is among them, since the list is of the nearest to the agent's cell
        own = np.hypot(everything[:, 0] - state[AT.x, a], everything[:, 1] - state[AT.y, a])
        assert np.hypot(found[:, 0], found[:, 1]).min() * SEGMENT_REACH == pytest.approx(own.min(), abs=1e-3)
        middle = np.floor((np.array([state[AT.x, a], state[AT.y, a]]) - table.grid[:2]) / table.grid[2]) + 0.5
        centre = table.grid[:2] + table.grid[2] * middle
        assert (np.diff(np.hypot(x - centre[0], y - centre[1])) > -1e-3).all(), "the nearest to its cell come first"


def rotated(lanes: LaneTables, angle: float) -> LaneTables:
    """The lanes of a map that is turned about its origin."""
    point, (c, s) = lanes.point.copy(), (np.cos(angle), np.sin(angle))
    for one, two in ((MapPoint.X, MapPoint.Y), (MapPoint.TANGENT_X, MapPoint.TANGENT_Y)):
        a, b = lanes.point[:, one], lanes.point[:, two]
        point[:, one], point[:, two] = c * a - s * b, s * a + c * b
    grid, size, first, cells = lane_grid(point, np.flatnonzero(lanes.link >= 0))
    for array in (point, grid, size, first, cells):
        array.flags.writeable = False
    return lanes._replace(point=point, grid=grid, grid_size=size, cell_first=first, cell_point=cells)


def test_a_map_that_is_turned_is_perceived_the_same():
    parts = ("ego", "neighbours", "road", "lights", "self", "partners")
    sets = [KinematicSet("Town", 1, {**CROWD, "observations": parts}) for _ in range(2)]
    sets[1]._tables = sets[1]._tables._replace(lanes=rotated(sets[1]._tables.lanes, 1.234))
    stream, events = np.random.default_rng(0), 0
    for one in sets:
        one.reset(0, 9)
    for _ in range(40):
        action = np.stack([stream.uniform(-1.0, 0.5, 24), stream.normal(0.0, 0.1, 24).clip(-1, 1)], 1)
        for one in sets:
            one.step(action)
        assert np.abs(sets[0].out.observation - sets[1].out.observation).max() < 2e-5
        assert np.abs(sets[0].out.term - sets[1].out.term).max() < 1e-6
        assert (sets[0].out.event == sets[1].out.event).all()
        events |= int(np.bitwise_or.reduce(sets[0].out.event))
    assert events & AgentEvent.OFF_ROAD
    for one in sets:
        one.close()


def test_off_the_road_is_half_a_metre_beside_all_lanes(crowd):
    """Agents of the crowd are where the network says, too."""
    lanes, state = crowd._tables.lanes, crowd.arrays.state[0]
    segment = np.flatnonzero(lanes.link >= 0)
    start, end = lanes.point[segment], lanes.point[segment + 1]
    for a in range(24):
        d, to = end[:, :2] - start[:, :2], state[[AT.x, AT.y], a] - start[:, :2]
        share = (to * d).sum(1) / (d * d).sum(1)
        offset = (d[:, 0] * to[:, 1] - d[:, 1] * to[:, 0]) / np.hypot(*d.T)
        left = start[:, MapPoint.LEFT] + share.clip(0, 1) * (end - start)[:, MapPoint.LEFT]
        right = start[:, MapPoint.RIGHT] + share.clip(0, 1) * (end - start)[:, MapPoint.RIGHT]
        on = (share >= -0.1) & (share <= 1.1) & (offset <= left + 0.5) & (offset >= -right - 0.5)
        assert bool(crowd.out.event[a] & AgentEvent.OFF_ROAD) == (not on.any())


def test_what_is_perceived_ahead_is_the_middle_of_the_way(crowd):
    """Points ahead lie on lanes of the map, five metres of way apart, the first five metres ahead of the foot."""
    state, ahead, own = crowd.arrays.state[0], part_of(crowd, "road"), part_of(crowd, "ego")
    lanes = crowd._tables.lanes
    for a in range(24):
        c, s = state[AT.cosine, a], state[AT.sine, a]
        there = ahead[a][np.abs(ahead[a, :, 2:4]).sum(1) > 0.0]
        x = state[AT.x, a] + 100.0 * (c * there[:, 0] - s * there[:, 1])
        y = state[AT.y, a] + 100.0 * (s * there[:, 0] + c * there[:, 1])
        near = np.hypot(x[:, None] - lanes.point[None, :, 0], y[:, None] - lanes.point[None, :, 1]).min(axis=1)
        assert near.max() <= 1.0 + 1e-3, "points of lanes are two metres apart"
        steps = np.hypot(np.diff(x), np.diff(y))
        assert (steps <= 5.0 + 1e-3).all()
        assert own[a, 8] == pytest.approx(np.clip(state[AT.offset, a] / 4.0, -1, 1), abs=1e-6)
        assert own[a, 9] ** 2 + own[a, 10] ** 2 == pytest.approx(1.0, abs=1e-5)


def test_progress_is_the_way_that_was_driven():
    one = KinematicSet("Town", 1, {**CROWD, "agents": 1, "rewards": {"progress": 1.0}})
    one.reset(0, 1)
    state, before = one.arrays.state[0], None
    for _ in range(30):
        one.step(np.array([[-0.5, 0.0]]))
        limit = one._tables.lanes.limit[one.arrays.way[0, 0, one.arrays.ints[0, AT.part, 0]]]
        if before is not None:
            gained = (state[AT.travelled, 0] - before) / (limit * DT)
            assert one.out.term[0, 0] == pytest.approx(gained)
        before = float(state[AT.travelled, 0])
    assert before > 5.0
    one.close()
