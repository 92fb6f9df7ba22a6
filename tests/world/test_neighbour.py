"""The actors around a vehicle: who, in which order, and what is told of them."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from shapely import LineString, Point

from dorosim.ground.column import Columns
from dorosim.world.actor.command import PauseActor, RemoveActor
from dorosim.world.actor.neighbour import is_alone, neighbours_of
from dorosim.world.actor.neighbour_kernel import write_neighbours
from dorosim.world.actor.neighbour_state import NeighbourState
from dorosim.world.collision.body import BodyKind
from dorosim.world.obstacle.command import DriveObstacle, SpawnObstacle
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.command import DrivePedestrian, SpawnPedestrian
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.traffic.state import Presence
from dorosim.world.vehicle.command import CreateVehicle, SelectMode
from dorosim.world.vehicle.mode import ControlMode
from tests.system.rig import Rig

CAR = "2016_Hyundai_Ioniq"


def around(run: Rig, most: int = 100, now: Snapshot | None = None, among: list[int] | None = None) -> NeighbourState:
    wanted = None if among is None else np.array(among, np.int64)
    return neighbours_of(run.built.scene, now or run.now, EGO, most, wanted)


def changed(table: Columns, **values: float) -> Columns:
    """A read-only copy with some columns overwritten."""
    copy = table.copy()
    for name, value in values.items():
        getattr(copy, name)[...] = value
    return copy.freeze()


def fill(run: Rig, seed: int = 0, npcs: int = 60) -> Snapshot:
    """A town with everybody in it."""
    noise, network = np.random.default_rng(seed), run.built.scene.network
    links = noise.choice(np.flatnonzero(network.link_drivable), npcs)
    run.put(*[CreateNpc(model=CAR, link=int(link), s=1.0, speed=8.0, move_on=True) for link in links])
    x, y, z = (float(run.now.vehicle.floats[k, 0]) for k in range(3))
    for n in range(12):
        dx, dy = noise.normal(0.0, 60.0, 2)
        place = (x + dx, y + dy, z)
        turn = float(noise.uniform(-3, 3))
        run.put(SpawnPedestrian(actor=0, model=n % 4, position=place, yaw=turn, start=True, move_distance=50.0))
        run.put(SpawnObstacle(actor=0, model=n % len(OBSTACLE_MODELS), position=(x - 1.1 * dx, y + 0.9 * dy, z)))
        run.put(PlaceNpcGhost(n + 1, "2015_Kia_K5", (x + 0.8 * dy, y + 1.2 * dx, z), (0.0, 0.0, turn)))
    run.put(CreateVehicle(model=CAR, position=(x + 30.0, y, z), speed=5.0))
    return run.turn(120)


def everybody(now: Snapshot) -> dict[int, tuple[float, float, float]]:
    """Places of all actors but the ego vehicle, read table by table."""
    there = (now.traffic.present != Presence.OFF_MAP) & (now.traffic.plan_of_ego == 0)
    found = {}
    for table, rows in (
        (now.vehicle, now.vehicle.id != EGO),
        (now.traffic, there),
        (now.ghost, now.ghost.id > 0),
        (now.people.state, now.people.state.id > 0),
        (now.obstacles.state, now.obstacles.state.id > 0),
    ):
        for row in np.flatnonzero(rows):
            found[int(table.id[row])] = (float(table.x[row]), float(table.y[row]), float(table.z[row]))
    return found


def test_all_kinds_are_told_of_nearest_first(town):
    now = fill(town)
    places = everybody(now)
    ego = (float(now.vehicle.x[0]), float(now.vehicle.y[0]), float(now.vehicle.z[0]))
    order = sorted(places, key=lambda actor: math.dist(places[actor], ego))
    found = around(town)
    assert found.id.tolist() == order
    assert set(found.kind.tolist()) == {int(kind) for kind in BodyKind if kind is not BodyKind.SCENERY}
    assert np.column_stack((found.x, found.y, found.z)).tolist() == [list(places[actor]) for actor in order]
    assert around(town, 20).id.tolist() == order[:20]
    assert around(town, 1).id.tolist() == order[:1]
    assert around(town, 0).id.tolist() == []


def test_only_those_who_are_asked_for_are_told_of(town):
    fill(town)
    order = around(town).id.tolist()
    some = sorted([order[30], order[4], order[17], 31_000])
    assert around(town, among=some).id.tolist() == [order[4], order[17], order[30]]
    assert around(town, 2, among=some).id.tolist() == [order[4], order[17]]
    assert around(town, among=[]).id.tolist() == []


def test_nobody_else_means_alone(town):
    assert is_alone(town.now)
    assert len(around(town)) == 0
    assert not is_alone(fill(town))


def test_a_person_is_told_in_its_own_frame(town):
    x, y, z = (float(town.now.vehicle.floats[k, 0]) for k in range(3))
    town.put(SpawnPedestrian(actor=0, model=2, position=(x + 5.0, y, z), yaw=2.0))
    actor = town.turn().outcomes[0].actor
    town.put(DrivePedestrian(actor, direction=(0.0, 1.0, 0.0), speed=1.2))
    state = town.turn(300).people.state
    found = around(town)
    assert (found.kind[0], found.model[0], found.link[0]) == (BodyKind.PEDESTRIAN, 2, -1)
    assert found.velocity[:, 0] == pytest.approx((float(state.speed[0]), 0.0, 0.0), abs=1e-6), "it looks where it goes"
    size = PEDESTRIAN_MODELS[2]
    assert found.floats[NeighbourState.length.index :, 0][:3].tolist() == [size.length, size.width, size.height]
    assert (found.front_overhang[0], found.wheelbase[0], found.rear_overhang[0]) == (0.0, 0.0, 0.0)


def test_an_obstacle_has_its_scaled_size_and_moves_in_its_own_frame(town):
    x, y, z = (float(town.now.vehicle.floats[k, 0]) for k in range(3))
    spawn = SpawnObstacle(actor=0, model=0, position=(x + 9.0, y, z), rotation=(0.0, 0.0, 1.0), scale=(2.0, 3.0, 0.5))
    town.put(spawn)
    actor = town.turn().outcomes[0].actor
    town.put(DriveObstacle(actor, velocity=(1.5, -0.5)))
    town.turn(5)
    found = around(town)
    assert (found.kind[0], found.length[0], found.width[0], found.height[0]) == (BodyKind.OBSTACLE, 2.0, 3.0, 0.5)
    assert found.velocity[:, 0] == pytest.approx((1.5, -0.5, 0.0))


def npc(run: Rig, **fields) -> int:
    """An NPC vehicle on the ego's street, 30 m ahead of it."""
    network = run.built.scene.network
    link = network.link_index("_11_0_R1_")
    given = {"model": CAR, "link": link, "s": 70.0, "speed": 6.0, "lane_change": False} | fields
    run.put(CreateNpc(**given))
    return run.turn().outcomes[0].actor


def test_an_npc_moves_along_its_body_and_is_on_the_link_under_its_rear_axle(town):
    actor = npc(town)
    links, off = set(), []
    for _ in range(3000):
        now = town.turn()
        found = around(town)
        if not len(found):
            break
        row = now.traffic.id.tolist().index(actor)
        assert found.velocity[:, 0].tolist() == [float(now.traffic.speed[row]), 0.0, 0.0]
        assert found.acceleration[1, 0] == pytest.approx(float(now.traffic.speed[row] * now.traffic.yaw_rate[row]))
        link = int(found.link[0])
        links.add(link)
        line = LineString(town.built.scene.network.lines.of(link)[:, :2])
        off.append(line.distance(Point(found.x[0], found.y[0])))
    assert len(links) > 3
    assert max(off) < 0.6, "the rear axle of a car cuts a bend"


def test_who_stands_is_not_slowed_down(town):
    actor = npc(town)
    traffic = changed(town.now.traffic, speed=0.0, acceleration=-2.0)
    now = dataclasses.replace(town.now, traffic=traffic)
    assert around(town, now=now).acceleration[:, 0].tolist() == [0.0, 0.0, 0.0]
    town.put(PauseActor(actor=actor, paused=True))
    town.turn(2)
    assert around(town).velocity[:, 0].tolist() == [0.0, 0.0, 0.0]


def test_an_npc_that_slides_is_told_as_it_moves_and_is_on_no_link(town):
    npc(town)
    slides = {"present": Presence.OFF_LANE, "slide_x": 3.0, "slide_y": 4.0, "yaw": 0.5, "yaw_rate": 0.7}
    traffic = changed(town.now.traffic, **slides)
    found = around(town, now=dataclasses.replace(town.now, traffic=traffic))
    assert found.link[0] == -1
    # back into the map, and from the rear axle to the middle: the velocity of the middle is what slides
    c, s = math.cos(0.5), math.sin(0.5)
    forward, left, _ = found.velocity[:, 0]
    left += 0.7 * (found.wheelbase[0] + found.front_overhang[0] - found.length[0] / 2)
    assert (c * forward - s * left, s * forward + c * left) == pytest.approx((3.0, 4.0))


def test_who_has_left_the_map_is_nowhere(town):
    npc(town)
    assert len(around(town)) == 1
    gone = dataclasses.replace(town.now, traffic=changed(town.now.traffic, present=Presence.OFF_MAP))
    assert len(around(town, now=gone)) == 0


def test_the_plan_of_a_cruising_ego_is_nobody(town):
    town.put(SelectMode(actor=EGO, mode=ControlMode.CRUISE))
    now = town.turn(50)
    assert len(now.traffic) == 1
    assert len(around(town)) == 0


def test_another_vehicle_is_told_with_its_axles_and_stands_while_paused(town):
    x, y, z = (float(town.now.vehicle.floats[k, 0]) for k in range(3))
    town.put(CreateVehicle(model="2018_Hyundai_ElecCity", position=(x + 30.0, y, z), speed=5.0))
    now = town.turn()
    actor = now.outcomes[0].actor
    found = around(town)
    assert found.velocity[0, 0] == pytest.approx(5.0, abs=0.1)
    assert found.front_overhang[0] + found.wheelbase[0] + found.rear_overhang[0] == pytest.approx(found.length[0])
    assert found.wheelbase[0] == now.parameter.wheelbase[1]
    town.put(PauseActor(actor=actor, paused=True))
    town.turn()
    assert around(town).velocity[:, 0].tolist() == [0.0, 0.0, 0.0]
    town.put(RemoveActor(actor))
    town.turn()
    assert len(around(town)) == 0


def test_no_number_of_an_actor_is_other_than_finite(town):
    """Whatever a mistake in the world makes of a number, it is told as 0; who is nowhere is not told of."""
    now = fill(town)
    broken = changed(now.traffic, speed=np.nan, acceleration=np.inf, yaw_rate=1e200)
    ghosts = changed(now.ghost, yaw=np.nan)
    people = dataclasses.replace(now.people, state=changed(now.people.state, velocity_x=-np.inf))
    found = around(town, now=dataclasses.replace(now, traffic=broken, ghost=ghosts, people=people))
    assert found.id.tolist() == around(town).id.tolist()
    assert np.isfinite(found.floats).all()
    assert np.abs(found.floats).max() < 1e30
    nowhere = dataclasses.replace(now, traffic=changed(now.traffic, x=np.nan))
    left = around(town, now=nowhere)
    assert BodyKind.NPC not in left.kind.tolist()
    assert len(left) == len(everybody(now)) - int((found.kind == BodyKind.NPC).sum())


def test_the_kernel_is_compiled_once(town):
    """Before the first tick and after any: a second kind of arrays would stop a run for seconds."""
    around(town)
    fill(town)
    around(town, among=[1, 2, 3])
    assert len(write_neighbours.signatures) == 1
