"""The acceleration that is told of an actor is the change of the velocity that is told of it, whatever moves it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.bridge.actor_state import ActorReader
from dorosim.sensor.actor import actors_of
from dorosim.sensor.pose import motion_of
from dorosim.world.actor.neighbour import neighbours_of
from dorosim.world.obstacle.command import DriveObstacle, PauseObstacle, ReleaseObstacle, SpawnObstacle
from dorosim.world.obstacle.state import obstacle_model_row
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.traffic.state import Presence
from dorosim.world.vehicle.command import PlaceVehicle
from dorosim.world.vehicle.mode import Gear
from dorosim.world.waypoint import Waypoint
from tests.world.world import CAR, World, street

DT = 0.01
BOX = obstacle_model_row("box")[0]


@pytest.fixture
def world() -> World:
    """An ego vehicle 20 m before the place where tests put others, on the level ground beside a street."""
    return World(street(10.0), [(CAR, (100.0, 60.0, 0.0), 0.0)], 0)


def told(world: World, now: Snapshot, actor: int) -> tuple[np.ndarray, np.ndarray]:
    """Velocity and acceleration in the map, as messages tell them in body axes; sensors and gRPC tell the same."""
    found = neighbours_of(world.scene, now, EGO, 20)
    row = found.id.tolist().index(actor)
    state = ActorReader(world.scene).state(now, actor)
    table = actors_of(world.scene, now)
    own = table.id.tolist().index(actor)
    c, s = math.cos(found.heading[row]), math.sin(found.heading[row])
    turn = np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))
    velocity, acceleration = turn @ found.velocity[:, row], turn @ found.acceleration[:, row]
    assert state.acceleration == pytest.approx(found.acceleration[:, row].tolist(), abs=1e-9)
    assert table.acceleration[own] == pytest.approx(acceleration.tolist(), abs=1e-9)
    motion = motion_of(now, actor)
    if motion is not None:
        assert motion.acceleration == pytest.approx(found.acceleration[:, row].tolist(), abs=1e-9)
    return velocity, acceleration


def follow(world: World, actor: int, ticks: int, *, since: int = 1) -> np.ndarray:
    """`(ticks, 3)` the accelerations told of an actor, each of which is the change of its velocity."""
    before, _ = told(world, world.now, actor)
    found = []
    for tick in range(ticks):
        velocity, acceleration = told(world, world.run(DT), actor)
        if tick >= since - 1:
            assert acceleration == pytest.approx((velocity - before) / DT, abs=1e-6), f"tick {tick}"
        found.append(acceleration)
        before = velocity
    return np.array(found)


def hit(world: World, speed: float = 12.0) -> None:
    """Let the ego vehicle roll towards what stands before it."""
    world.do(PlaceVehicle(EGO, (100.0, 60.0, 0.0), (0.0, 0.0, 0.0), speed, Gear.N))


def test_an_npc_vehicle_that_is_knocked_off_its_lane(world):
    (actor,) = world.do(CreateNpc(model=CAR, link=0, s=120.0, speed=0.0))
    x, y = float(world.now.traffic.x[0]), float(world.now.traffic.y[0])
    world.do(PlaceVehicle(EGO, (x - 9.0, y + 0.8, 0.0), (0.0, 0.0, 0.0), 15.0, Gear.N))
    while not world.now.contact.rows:
        world.run(DT)
        assert world.now.time < 3_000_000_000
    assert world.now.traffic.present[0] == Presence.OFF_LANE
    _, shock = told(world, world.now, actor)
    assert shock[0] > 100.0, "the impact itself, of one tick"
    pull = follow(world, actor, 300)
    assert 4.0 < -pull[10, 0] < 8.0, "sliding on locked wheels"
    assert np.abs(pull[:, 1]).max() > 0.3, "it turns"
    assert not pull[-1].any(), "at rest"


def test_an_obstacle_that_is_hit(world):
    (actor,) = world.do(SpawnObstacle(0, BOX, (112.0, 60.3, 0.0)))
    hit(world)
    pull = follow(world, actor, 120)
    assert pull[:, 0].max() > 100.0
    world.do(PlaceVehicle(EGO, (100.0, 200.0, 0.0), (0.0, 0.0, 0.0), 0.0, Gear.P))
    assert not follow(world, actor, 400)[-1].any(), "at rest"


@pytest.mark.parametrize("slope", [0.0, 0.1])
def test_an_obstacle_on_its_way(world, slope):
    way = [(120.0, 60.0, 0.0), (121.0, 60.0, slope), (121.0, 62.0, slope)]
    points = tuple(Waypoint(*place, speed) for place, speed in zip(way, (0.0, 2.0, 4.0), strict=True))
    (actor,) = world.do(SpawnObstacle(0, BOX, (119.0, 60.0, 0.0), way=points, move_speed=1.0))
    pull = follow(world, actor, 250)
    assert np.abs(pull).max() > 50.0, "it starts, turns and stops at once"
    assert not pull[-1].any()


def test_an_obstacle_that_is_driven_and_let_go(world):
    (actor,) = world.do(SpawnObstacle(0, BOX, (120.0, 60.0, 0.0)))
    world.do(DriveObstacle(actor, (3.0, 0.0), 0.5))
    pull = follow(world, actor, 50)
    assert np.hypot(pull[20, 0], pull[20, 1]) == pytest.approx(1.5, rel=1e-3), "round a curve: speed times yaw rate"
    world.do(ReleaseObstacle(actor))
    follow(world, actor, 5)
    velocity, pull = told(world, world.now, actor)
    assert not np.any((velocity, pull)), "it stands, and says so"


def test_an_obstacle_that_is_paused_has_none(world):
    (actor,) = world.do(SpawnObstacle(0, BOX, (120.0, 60.0, 0.0)))
    world.do(DriveObstacle(actor, (3.0, 0.0)))
    world.run(DT)
    world.do(PauseObstacle(actor, True))
    assert not told(world, world.run(DT), actor)[1].any()


def test_a_person_who_is_knocked_down(world):
    (actor,) = world.do(SpawnPedestrian(0, 0, (112.0, 60.0, 0.0), 0.0))
    hit(world)
    while not world.now.contact.rows:
        world.run(DT)
    world.do(PlaceVehicle(EGO, (100.0, 200.0, 0.0), (0.0, 0.0, 0.0), 0.0, Gear.P))
    pull = follow(world, actor, 400)
    assert pull[5, 0] == pytest.approx(-0.66 * 9.81, rel=0.01), "sliding"
    assert not pull[-1].any(), "at rest"


def circling(time: float) -> PlaceNpcGhost:
    """A ghost that drives in a circle of 50 m at 10 m/s and gets faster by 1 m/s²."""
    way = 10.0 * time + 0.5 * time * time
    angle = way / 50.0
    place = (150.0 + 50.0 * math.sin(angle), 110.0 - 50.0 * math.cos(angle), 0.0)
    return PlaceNpcGhost(42, CAR, place, (0.0, 0.0, angle))


@pytest.mark.parametrize("every", [1, 2, 5])
def test_a_ghost_that_is_put_along_its_way(world, every):
    ticks, pulls = 0, []
    for _ in range(100):
        world.do(circling(ticks * DT))
        pulls.append(told(world, world.now, 2)[1])
        world.run((every - 1) * DT)
        ticks += every
    assert not np.array(pulls[:2]).any(), "one place tells no velocity, two no acceleration"
    for n, pull in enumerate(pulls[2:], 2):
        time = (n - 1) * every * DT
        speed, angle = 10.0 + time, (10.0 * time + 0.5 * time * time) / 50.0
        forward, left = np.array((math.cos(angle), math.sin(angle))), np.array((-math.sin(angle), math.cos(angle)))
        assert pull[:2] == pytest.approx(forward + left * speed * speed / 50.0, abs=0.05)


def test_a_ghost_whose_sender_tells_its_speed(world):
    for n in range(20):
        order = circling(n * DT)
        world.do(PlaceNpcGhost(7, CAR, order.position, (0.0, 0.0, 0.0), 10.0 + 0.02 * n, 0.0))
        pull = told(world, world.now, 2)[1]
        assert pull[0] == pytest.approx(2.0 if n else 0.0, abs=1e-9)


def test_a_ghost_that_jumps_or_falls_silent_has_none(world):
    for n in range(5):
        world.do(circling(n * DT))
    assert told(world, world.now, 2)[1].any()
    world.do(PlaceNpcGhost(42, CAR, (300.0, 90.0, 0.0), (0.0, 0.0, 0.0)))
    assert not told(world, world.now, 2)[1].any()
    world.do(PlaceNpcGhost(42, CAR, (300.1, 90.0, 0.0), (0.0, 0.0, 0.0)))
    assert not told(world, world.now, 2)[1].any(), "how fast it was before is not known"
    world.do(PlaceNpcGhost(42, CAR, (300.3, 90.0, 0.0), (0.0, 0.0, 0.0)))
    assert told(world, world.now, 2)[1][0] == pytest.approx(1000.0)
    world.run(1.2)
    velocity, pull = told(world, world.now, 2)
    assert not velocity.any()
    assert not pull.any()
