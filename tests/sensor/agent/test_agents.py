"""What agents perceive and what happens to them, beside what is there."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from dorosim.batch import BatchWorld, WorldMap
from dorosim.recording.format import EgoStart
from dorosim.sensor.agent.agents import AgentBuffers, AgentGoal, Agents
from dorosim.sensor.agent.observation_kernel import SPEED_SCALE
from dorosim.sensor.agent.state import (
    AgentEvent,
    AgentShape,
    EgoFeature,
    NeighbourFeature,
    RewardTerm,
    RoadFeature,
)
from dorosim.sensor.agent.way import WAY_STEP, choose_links, straight_way, way_along_links
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.signal.permission import Permission
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import CreateVehicle, DriveVehicle, PlaceVehicle
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear

CAR = "2016_Hyundai_Ioniq"
SHAPE = AgentShape(4, 10, 2, 36, 1, 100.0, 5.0, 100.0, 50.0, 0.1, 5.0, 4.0, math.inf, 5.0, 0.0, True)
HEADING = 0.7


@pytest.fixture(scope="module")
def square():
    """A plane without lanes."""
    return WorldMap.open("empty")


@pytest.fixture(scope="module")
def town():
    return WorldMap.open("town")


def agents_on(world: BatchWorld, way, shape=SHAPE, goal=None):
    agents = Agents(world.start.scene, (EGO,), shape, np.ones(len(RewardTerm)))
    agents.set_way(0, way, goal)
    into = AgentBuffers.empty(1, sum(shape.sizes))
    agents.read(world.now, world.now.time, into)
    return agents, into


def parts_of(into, shape=SHAPE):
    ends = np.cumsum(shape.sizes)
    return np.split(into.observation[0], ends[:-1])


def at(forward: float, left: float):
    """A place in map, seen from the agent at the origin that looks along HEADING."""
    c, s = math.cos(HEADING), math.sin(HEADING)
    return forward * c - left * s, forward * s + left * c


@pytest.fixture
def crowd(square):
    ahead, beside = at(30.0, 0.0), at(3.0, 8.0)
    commands = (
        CreateVehicle(model=CAR, position=(*ahead, 0.0), rotation=(0.0, 0.0, HEADING + 0.5), paused=True),
        SpawnObstacle(actor=0, model=1, position=(*beside, 0.0)),
    )
    egos = (EgoStart(CAR, (0.0, 0.0, math.nan), HEADING),)
    return BatchWorld(square.start(egos=egos, commands=commands))


def test_bodies_are_where_they_are_the_nearest_first(crowd):
    _, into = agents_on(crowd, straight_way((0.0, 0.0), at(100.0, 0.0), 2.0, 10.0))
    neighbours = parts_of(into)[1].reshape(-1, len(NeighbourFeature))
    assert neighbours[:, NeighbourFeature.PRESENT].tolist() == [1.0, 1.0, 0.0, 0.0]
    assert (neighbours[2:] == 0.0).all()
    x, y = neighbours[0, NeighbourFeature.X] * 100.0, neighbours[0, NeighbourFeature.Y] * 100.0
    assert (x, y) == pytest.approx((3.0, 8.0), abs=0.01)
    parameter = crowd.now.parameter
    middle = 0.5 * float(parameter.wheelbase[1] + parameter.front_overhang[1] - parameter.rear_overhang[1])
    x, y = neighbours[1, NeighbourFeature.X] * 100.0, neighbours[1, NeighbourFeature.Y] * 100.0
    assert (x, y) == pytest.approx((30.0 + middle * math.cos(0.5), middle * math.sin(0.5)), abs=0.01)
    assert neighbours[1, NeighbourFeature.SINE] == pytest.approx(math.sin(0.5), abs=1e-5)


def test_rays_end_at_bodies(crowd):
    _, into = agents_on(crowd, straight_way((0.0, 0.0), at(100.0, 0.0), 2.0, 10.0))
    rays = parts_of(into)[4] * SHAPE.ray_reach
    middle = 0.5 * float(
        crowd.now.parameter.wheelbase[0] + crowd.now.parameter.front_overhang[0] - crowd.now.parameter.rear_overhang[0]
    )
    assert 30.0 - middle - 2.5 < rays[0] < 30.0 - middle + 2.0, "the car ahead"
    assert rays[18] == SHAPE.ray_reach, "nothing behind"
    assert rays.min() < 9.0, "the obstacle beside"


def test_an_agent_knows_its_speed_its_way_and_its_goal(square):
    start = square.start(
        egos=(EgoStart(CAR, (0.0, 0.0, math.nan), 0.0),),
        commands=(PlaceVehicle(EGO, (0.0, 1.0, 0.0), (0.0, 0.0, 0.1), 8.0, Gear.D),),
    )
    world = BatchWorld(start)
    _, into = agents_on(world, straight_way((-10.0, 0.0), (90.0, 0.0), 2.0, 10.0), goal=AgentGoal(50.0, 1.0, 0.1))
    ego, _, road, _, _ = parts_of(into)
    assert ego[EgoFeature.SPEED] * SPEED_SCALE == pytest.approx(8.0, abs=1e-3)
    assert ego[EgoFeature.OFFSET] * 4.0 == pytest.approx(1.0, abs=1e-4)
    assert ego[EgoFeature.HEADING_SINE] == pytest.approx(math.sin(0.1), abs=1e-5)
    assert ego[EgoFeature.GOAL_X] * 100.0 == pytest.approx(50.0 * math.cos(0.1), abs=1e-2)
    assert ego[EgoFeature.GOAL_COSINE] == pytest.approx(1.0, abs=1e-5)
    first = road.reshape(-1, len(RoadFeature))[0]
    c, s = math.cos(0.1), math.sin(0.1)
    assert first[RoadFeature.X] * 50.0 == pytest.approx(5.0 * c - 1.0 * s, abs=1e-2)
    assert first[RoadFeature.Y] * 50.0 == pytest.approx(-1.0 * c - 5.0 * s, abs=1e-2)


def test_progress_is_what_is_gained_on_the_way_over_the_limit(square):
    start = square.start(
        egos=(EgoStart(CAR, (0.0, 0.0, math.nan), 0.0),),
        commands=(PlaceVehicle(EGO, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 8.0, Gear.D),),
    )
    world = BatchWorld(start)
    agents, into = agents_on(world, straight_way((-10.0, 0.0), (90.0, 0.0), 2.0, 10.0))
    before, since = float(world.now.vehicle.x[0]), world.now.time
    world.step((DriveVehicle(EGO, ControlKind.VELOCITY_BY_ABILITY, mode=ControlMode.AUTO, velocity=8.0),))
    agents.read(world.now, since, into)
    gained = float(world.now.vehicle.x[0]) - before
    assert gained == pytest.approx(0.8, abs=0.05)
    assert into.term[0, RewardTerm.PROGRESS] == pytest.approx(gained / (10.0 * 0.1), abs=1e-9)
    assert into.term[0, RewardTerm.APPROACH] == pytest.approx(gained, abs=1e-6)
    assert into.reward[0] == pytest.approx(into.term[0].sum())


def test_a_collision_is_told_in_its_step_alone(square):
    wall = CreateVehicle(model=CAR, position=(9.0, 0.0, 0.0), rotation=(0.0, 0.0, 1.6), paused=True)
    start = square.start(
        egos=(EgoStart(CAR, (0.0, 0.0, math.nan), 0.0),),
        commands=(wall, PlaceVehicle(EGO, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 15.0, Gear.D)),
    )
    world = BatchWorld(start)
    agents, into = agents_on(world, straight_way((-10.0, 0.0), (90.0, 0.0), 2.0, 10.0))
    hits = []
    for _ in range(12):
        since = world.now.time
        world.step((DriveVehicle(EGO, ControlKind.PEDALS, mode=ControlMode.AUTO, brake=1.0),))
        agents.read(world.now, since, into)
        hits.append(bool(into.event[0] & AgentEvent.COLLISION))
        touched = world.now.contact.last
        assert hits[-1] == bool((touched > since).any())
    assert True in hits
    assert not hits[0]
    assert not hits[-1]


def lit_approach(town):
    """A link with a stop line, and one after it that a light governs, with one that goes straight on."""
    network, governed = town.scene.network, town.scene.signal_plan.links.governed
    for link in range(network.link_count):
        if network.link_length[link] < 40.0:
            continue
        for after in network.successors.of(link).tolist():
            if after in governed and network.link_movements[after].startswith("straight"):
                return link, after
    raise AssertionError("the town has lights")


@pytest.mark.parametrize("permission", [Permission.STOP, Permission.GO])
def test_a_red_light_is_one_that_is_passed(town, permission):
    network, governed = town.scene.network, town.scene.signal_plan.links.governed
    link, after = lit_approach(town)
    length = float(network.link_length[link])
    way = way_along_links(network, governed, (link, after), 0.0, length + 30.0)
    line = float(way.line[way.light == after][0])
    pose = network.pose_at(link, line - 8.0)
    place, heading = tuple(pose.point[0].tolist()), float(pose.heading[0])
    ego = EgoStart(CAR, place, heading)
    start = town.start(egos=(ego,), commands=(PlaceVehicle(EGO, place, (0.0, 0.0, heading), 10.0, Gear.D),))
    world = BatchWorld(start)
    # lights change by themselves: wait, far away, until this one is as wanted
    for _ in range(1500):
        if world.now.signal.link.entry[after] == permission:
            break
        world.step((PlaceVehicle(EGO, place, (0.0, 0.0, heading), 0.0, Gear.P),))
    assert world.now.signal.link.entry[after] == permission
    world.step((PlaceVehicle(EGO, place, (0.0, 0.0, heading), 10.0, Gear.D),))
    agents, into = agents_on(world, way)
    lights = parts_of(into)[3].reshape(2, -1)
    front = float(agents.state.front[0])
    assert lights[0, 0] == 1.0
    assert lights[0, 1] * 100.0 == pytest.approx(line - front, abs=0.1)
    assert lights[0, 2 + world.now.signal.link.entry[after]] == 1.0
    passed = []
    for _ in range(12):
        since, before = world.now.time, float(agents.state.front[0])
        world.step((DriveVehicle(EGO, ControlKind.VELOCITY_BY_ABILITY, mode=ControlMode.AUTO, velocity=10.0),))
        agents.read(world.now, since, into)
        passed.append(bool(into.event[0] & AgentEvent.RED_LIGHT))
        crosses = before < line <= agents.state.front[0]
        assert passed[-1] == (crosses and world.now.signal.link.entry[after] == Permission.STOP)
    assert float(agents.state.front[0]) > line
    assert any(passed) == (permission is Permission.STOP)


def test_a_way_follows_its_links_and_knows_their_lights(town):
    network, governed = town.scene.network, town.scene.signal_plan.links.governed
    link, _ = lit_approach(town)
    links = choose_links(network, link, 5.0, 400.0, np.random.default_rng(1))
    for before, after in pairwise(links):
        assert after in network.successors.of(before)
    way = way_along_links(network, governed, links, 5.0, 400.0)
    gaps = np.hypot(np.diff(way.x), np.diff(way.y))
    assert gaps.max() < WAY_STEP + 0.01
    assert gaps.min() > 0.8 * WAY_STEP
    assert (np.abs(np.diff(way.heading)) < 0.6).all(), "no jumps where an angle passes pi"
    assert set(way.link.tolist()) <= set(links)
    lit = [row for row in links if row in governed]
    assert set(way.light[way.light >= 0].tolist()) <= set(lit)


def test_agents_that_are_gone_are_named(square):
    world = BatchWorld(square.start())
    agents = Agents(world.start.scene, (EGO, 7), SHAPE, np.ones(len(RewardTerm)))
    for number in range(2):
        agents.set_way(number, straight_way((0.0, 0.0), (50.0, 0.0), 2.0, 10.0))
    with pytest.raises(ValueError, match="vehicle 7 is an agent"):
        agents.read(world.now, 0, AgentBuffers.empty(2, sum(SHAPE.sizes)))
    with pytest.raises(ValueError, match="memory of 2 agents"):
        Agents(world.start.scene, (EGO,), SHAPE, np.ones(len(RewardTerm))).recall(agents.memory())
