"""NPC vehicles that are put beside the lanes stand there, and drive onto a lane when they are told to drive."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dorosim.ground.noise import Noise
from dorosim.world.actor.command import EnableDriver, PauseActor, PlaceActor, SetGoal, SetSpeed
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import obstacle_model_row
from dorosim.world.snapshot import Snapshot
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.lane_return import MAX_RETURN_SPEED, WORDS, shortest_turns, way_back
from dorosim.world.traffic.placement import body_of, new_traffic
from dorosim.world.traffic.state import Presence
from tests.road.small_map import network_of, straight
from tests.world.world import CAR, World, scene_of, street

PLACES = [
    (200.0, -3.5, math.radians(30.0)),
    (200.0, -3.5, math.pi / 2),
    (200.0, -3.5, math.pi),
    (200.0, -9.0, 0.0),
    (200.0, -30.0, math.radians(-135.0)),
    (200.0, 60.0, math.radians(10.0)),
    (-20.0, -10.0, math.radians(100.0)),
]
"""Across a lane, against it, beside it, and far off."""


@pytest.fixture
def world() -> World:
    """A vehicle far down a street that leads east, and an NPC vehicle, actor 2, on its way."""
    made = World(street(10.0), [(CAR, (550.0, 7.0, 0.0), math.pi)])
    made.do(CreateNpc(model=CAR, link=made.scene.network.link_index("E1"), s=100.0, speed=8.0))
    return made


def pose(now: Snapshot, row: int = 0) -> tuple[float, float, float]:
    return float(now.traffic.x[row]), float(now.traffic.y[row]), float(now.traffic.yaw[row])


def put(world: World, x: float, y: float, yaw: float) -> None:
    world.do(PlaceActor(2, (x, y, 0.0), (0.0, 0.0, yaw)))


@pytest.mark.parametrize("place", PLACES)
def test_it_stands_as_it_is_put(world, place):
    put(world, *place)
    assert pose(world.now) == pytest.approx(place, abs=0.0)
    world.run(10.0)
    assert pose(world.now) == pytest.approx(place, abs=0.0)
    assert world.now.traffic.speed[0] == 0.0
    assert world.now.traffic.present[0] == Presence.PLACED


@pytest.mark.parametrize(
    ("place", "order"),
    [
        *((place, SetSpeed(2, 3.0)) for place in PLACES),
        *((place, EnableDriver(2, True)) for place in PLACES[1:5:3]),
        *((place, SetGoal(2, (0,), (590.0, -3.5, 0.0))) for place in PLACES[2:6:3]),
    ],
)
def test_told_to_drive_it_comes_onto_a_lane_without_a_jump(world, place, order):
    put(world, *place)
    world.run(1.0)
    world.do(order)
    last = [pose(world.now), float(world.now.traffic.speed[0])]
    steps: list[float] = []

    def look(now: Snapshot) -> None:
        here, speed = pose(now), float(now.traffic.speed[0])
        way = math.dist(here[:2], last[0][:2])
        steps.append(abs(way - 0.5 * (speed + last[1]) * 0.01))
        assert abs(math.remainder(here[2] - last[0][2], math.tau)) < 0.02, "it turns as a vehicle does"
        if now.traffic.present[0] == Presence.RETURNING:
            assert speed <= MAX_RETURN_SPEED + 1e-9
        last[:] = [here, speed]

    for _ in range(60):
        if world.now.traffic.present[0] == Presence.ON_LANE:
            break
        world.run(1.0, look)
    assert world.now.traffic.present[0] == Presence.ON_LANE
    world.run(5.0, look)
    assert max(steps) < 0.01, "told speed and way agree, to a centimetre a tick"
    assert world.now.traffic.speed[0] > 5.0


def test_a_lane_that_leads_along_is_gone_on_with(world):
    """Nearly along it and on it, within its width."""
    put(world, 300.0, -3.2, math.radians(5.0))
    assert world.now.traffic.present[0] == Presence.ON_LANE
    world.run(1.0)
    assert world.now.traffic.x[0] > 305.0


def test_its_way_never_ends_on_three_links():
    """Behind a link that is shorter than the vehicle: the row of the traffic would not know the link under its rear."""
    ends = ((0.0, 100.0), (100.0, 101.5), (101.5, 300.0))
    links = [straight(f"A{n}", f"N{n}", f"N{n + 1}", (a, 0, 0), (b, 0, 0)) for n, (a, b) in enumerate(ends)]
    scene = scene_of(network_of(*links))
    traffic = new_traffic([1], [body_of(scene.models[0], 0)], np.array([0]), np.array([0.0]), Noise(1))
    for x in np.arange(70.0, 105.0, 0.25):
        for y in (-0.5, -1.0, -4.0):
            traffic.x[0], traffic.y[0] = x, y
            way = way_back(scene, traffic, 0)
            assert way is not None
            assert way.previous < 0 or way.link in scene.network.successors.of(way.previous)


def test_it_keeps_off_what_is_in_its_way(world):
    put(world, 200.0, -25.0, math.pi / 2)
    world.do(SpawnObstacle(0, obstacle_model_row("container")[0], (200.0, -17.0, 0.0)))
    world.do(SetSpeed(2, 3.0))
    world.run(20.0)
    traffic = world.now.traffic
    assert traffic.present[0] == Presence.RETURNING
    assert traffic.speed[0] == 0.0
    assert len(world.now.contact) == 0


def test_it_waits_for_room_on_the_lane(world):
    """Somebody stands where its way ends."""
    put(world, 200.0, -9.0, 0.0)
    world.do(SetSpeed(2, 1.0))
    end = float(world.now.traffic.s[0])
    (other,) = world.do(CreateNpc(model=CAR, link=0, s=end - 6.0, paused=True))
    world.run(30.0)
    assert world.now.traffic.present[0] == Presence.RETURNING
    assert world.now.traffic.speed[0] == 0.0
    assert len(world.now.contact) == 0
    world.do(PauseActor(other, False))
    world.run(30.0)
    assert world.now.traffic.present.tolist() == [Presence.ON_LANE] * 2


def test_drivers_on_the_lane_stop_behind_it(world):
    put(world, 300.0, -3.5, math.pi / 2)
    world.do(CreateNpc(model=CAR, link=0, s=200.0, speed=10.0, lane_change=False))
    world.run(16.0)
    assert len(world.now.contact) == 0
    assert world.now.traffic.speed[1] < 0.1
    assert 280.0 < world.now.traffic.x[1] < 299.0


def test_it_stands_again_when_it_is_told_to_or_paused(world):
    put(world, 200.0, -40.0, 0.0)
    world.do(SetSpeed(2, 3.0))
    world.run(2.0)
    world.do(PauseActor(2, True))
    world.run(0.1)
    held = pose(world.now)
    world.run(2.0)
    assert pose(world.now) == held
    world.do(PauseActor(2, False))
    world.run(2.0)
    assert pose(world.now) != held
    world.do(SetSpeed(2, 0.0))
    held = pose(world.now)
    world.run(2.0)
    assert pose(world.now) == held
    assert world.now.traffic.present[0] == Presence.PLACED


def test_where_no_lane_is_near_it_is_refused_to_drive(world):
    put(world, 200.0, -900.0, 0.0)
    for order in (SetSpeed(2, 3.0), EnableDriver(2, True), SetGoal(2, (0,))):
        assert "no lane within 200 m" in world.refuse(order)
    assert world.now.traffic.present[0] == Presence.PLACED


def test_one_that_is_hit_slides_as_a_wreck_does(world):
    put(world, 300.0, -3.5, math.pi / 2)
    (fast,) = world.do(CreateNpc(model=CAR, link=0, s=290.0, speed=0.0))
    world.do(SetSpeed(fast, 15.0))
    world.run(1.0)
    assert world.now.traffic.present[0] == Presence.OFF_LANE
    assert world.now.traffic.speed[0] > 0.5


def test_a_vehicle_may_begin_beside_the_lanes(world):
    place = (250.0, -60.0, 0.3)
    made = CreateNpc(model=CAR, position=place, rotation=(0.0, 0.0, 1.0))
    (still,) = world.do(made)
    (moves,) = world.do(CreateNpc(model=CAR, position=(350.0, -60.0, 0.0), rotation=(0.0, 0.0, 1.0), speed=20.0))
    world.run(30.0)
    traffic = world.now.traffic
    row = traffic.row_of(still)
    assert (traffic.x[row], traffic.y[row], traffic.z[row], traffic.yaw[row]) == (*place, 1.0)
    assert traffic.present[traffic.row_of(moves)] == Presence.ON_LANE
    assert "not a valid pose" in world.refuse(CreateNpc(model=CAR, position=(math.nan, 0.0, 0.0)))
    assert "not a valid pose" in world.refuse(
        CreateNpc(model=CAR, position=(0.0, 0.0, 0.0), rotation=(0.0, 0.0, math.inf))
    )
    assert "no vehicle is called" in world.refuse(CreateNpc(model="none", position=(0.0, 0.0, 0.0)))


@given(st.floats(-80.0, 80.0), st.floats(-80.0, 80.0), st.floats(-7.0, 7.0), st.floats(-7.0, 7.0), st.floats(3.0, 15.0))
def test_ways_end_where_they_are_to_end(x, y, yaw, goal, radius):
    word, lengths = shortest_turns(x, y, yaw, goal, radius)
    east = north = 0.0
    heading = yaw
    for bend, length in zip(WORDS[word], lengths, strict=True):
        assert length >= 0.0
        half = 0.5 * bend * length / radius
        chord = length * (math.sin(half) / half if half else 1.0)
        east, north = east + chord * math.cos(heading + half), north + chord * math.sin(heading + half)
        heading += 2.0 * half
    assert (east, north) == pytest.approx((x, y), abs=1e-6)
    assert math.remainder(heading - goal, math.tau) == pytest.approx(0.0, abs=1e-6)
    assert sum(lengths) <= math.hypot(x, y) + 4.0 * math.pi * radius
