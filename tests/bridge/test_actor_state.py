"""What is told of an actor: the same as other messages tell, in the axes that it says, and quickly."""

from __future__ import annotations

import math
import time
from copy import copy

import numpy as np
import pytest

from dorosim.bridge.actor import ActorKind
from dorosim.bridge.actor_state import ActorReader, ActorState, count_on_map, model_name
from dorosim.bridge.surroundings import LightFinder
from dorosim.bridge.vehicle_state import VehicleReader
from dorosim.world.actor.command import PauseActor
from dorosim.world.actor.neighbour import neighbours_of
from dorosim.world.collision.body import BodyKind
from dorosim.world.obstacle.command import DriveObstacle, SpawnObstacle
from dorosim.world.pedestrian.command import DrivePedestrian, SpawnPedestrian
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import PlaceNpcGhost
from dorosim.world.vehicle.command import DriveVehicle, SelectMode
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from tests.world.world import CAR, World, npcs_about_town, town_world

KINDS = {
    ActorKind.EGO: BodyKind.EGO,
    ActorKind.NPC: BodyKind.NPC,
    ActorKind.GHOST: BodyKind.GHOST,
    ActorKind.PEDESTRIAN: BodyKind.PEDESTRIAN,
    ActorKind.OBSTACLE: BodyKind.OBSTACLE,
}


@pytest.fixture(scope="module")
def world() -> World:
    """A town in which everything moves."""
    made = town_world()
    x, y, z = (float(part[0]) for part in (made.now.vehicle.x, made.now.vehicle.y, made.now.vehicle.z))
    made.do(*npcs_about_town(made.scene, 200, 1), DriveVehicle(EGO, ControlKind.PEDALS, accelerator=0.5, steer=0.1))
    person, obstacle = made.do(
        SpawnPedestrian(0, 2, (x + 25.0, y + 12.0, z), yaw=2.0), SpawnObstacle(0, 1, (x + 20.0, y + 30.0, z))
    )
    made.do(DrivePedestrian(person, (1.0, 1.0, 0.0), 1.2), DriveObstacle(obstacle, (1.0, 0.5), 0.3))
    for tick in range(150):
        made.do(PlaceNpcGhost(7, CAR, (x + 0.05 * tick, y - 20.0, z), (0.01, 0.02, 0.3 + 0.001 * tick)))
    return made


@pytest.fixture(scope="module")
def states(world) -> dict[int, ActorState]:
    return {state.id: state for state in ActorReader(world.scene).states(world.now)}


def test_the_count_is_that_of_bodies_on_the_map(world, states):
    assert count_on_map(world.now) == len(states)
    alone = town_world()
    alone.do(SelectMode(EGO, ControlMode.CRUISE))
    now = alone.run(0.1)
    assert now.traffic.rows == 1, "the plan of the ego's driver"
    assert count_on_map(now) == 1


def test_it_is_what_object_messages_tell(world, states):
    found = neighbours_of(world.scene, world.now, EGO, 1000)
    assert set(found.id.tolist()) | {EGO} == set(states)
    for row, actor in enumerate(found.id.tolist()):
        state = states[actor]
        assert KINDS[state.kind] == found.kind[row]
        assert state.model == found.model[row]
        assert state.position == (found.x[row], found.y[row], found.z[row])
        assert math.remainder(state.rotation[2] - found.heading[row], math.tau) == pytest.approx(0.0, abs=1e-12)
        assert state.velocity == pytest.approx(found.velocity[:, row].tolist(), abs=1e-12)
        assert state.size == pytest.approx((found.length[row], found.width[row], found.height[row]))
        if state.kind is ActorKind.NPC:
            assert state.link == found.link[row]
            assert state.acceleration == pytest.approx(found.acceleration[:, row].tolist(), abs=1e-12)


def test_one_by_one_it_is_the_same(world, states):
    reader = ActorReader(world.scene)
    assert all(reader.state(world.now, actor) == state for actor, state in states.items())
    assert reader.state(world.now, 32000) is None


def test_velocity_in_the_map_is_what_moves_it(world, states):
    reader, before = ActorReader(world.scene), states
    later = copy(world)
    later.run(0.01)
    for actor, state in before.items():
        if state.kind is ActorKind.GHOST:
            continue
        after = reader.state(later.now, actor)
        assert after is not None
        way = np.subtract(after.position, state.position) / 0.01
        told = np.add(state.velocity_in_map, after.velocity_in_map) / 2
        assert way[:2] == pytest.approx(told[:2], abs=0.08), state


def test_who_is_paused_stands(world):
    paused = copy(world)
    paused.do(PauseActor(EGO, True))
    state = ActorReader(world.scene).state(paused.now, EGO)
    assert state is not None
    assert state.paused
    assert state.velocity == state.acceleration == state.angular_velocity == (0.0, 0.0, 0.0)


def test_names_of_models(world, states):
    names = {state.kind: model_name(world.scene, state) for state in states.values()}
    assert names[ActorKind.EGO] == CAR
    assert names[ActorKind.OBSTACLE] == "cone"
    assert len(names) == 5


def test_the_place_on_the_lane(world, states):
    reader = VehicleReader(world.scene, LightFinder(world.scene))
    for state in [one for one in states.values() if one.kind in {ActorKind.NPC, ActorKind.EGO}][:40]:
        view = reader.view(world.now, state)
        points = world.scene.network.points_of(view.link)
        gaps = np.linalg.norm(points - state.position, axis=1)
        assert gaps[view.point] <= gaps.min() + 0.3
        assert view.link_id == world.scene.network.link_ids[view.link]


@pytest.mark.soak
def test_states_are_read_quickly(world):
    reader = ActorReader(world.scene)
    best = math.inf
    for _ in range(20):
        start = time.perf_counter()
        count = sum(1 for _ in reader.states(world.now))
        best = min(best, (time.perf_counter() - start) / count)
    assert best < 20e-6
