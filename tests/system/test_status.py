"""Every status packet against a world in which something is going on, read at the documented offsets."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from dorosim.app.setting.settings import EgoSettings
from dorosim.world.actor.command import PlaceActor, RemoveActor
from dorosim.world.obstacle.command import PlaceObstacle, SpawnObstacle
from dorosim.world.obstacle.state import obstacle_model_row
from dorosim.world.pedestrian.command import DrivePedestrian, SpawnPedestrian
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.state import Presence
from tests.packet import collision_pairs, collision_slots, control, multi_ego, npc_ghosts, object_slots
from tests.system.rig import Rig, rig

PEDESTRIAN, VEHICLE, OBJECT = 0, 1, 2
CAR = "2016_Hyundai_Ioniq"


def ahead(run: Rig, metres: float, left: float = 0.0) -> tuple[float, float, float]:
    """A place ahead of the ego vehicle and to its left."""
    vehicle = run.now.vehicle
    c, s = math.cos(vehicle.yaw[0]), math.sin(vehicle.yaw[0])
    x, y = vehicle.x[0] + metres * c - left * s, vehicle.y[0] + metres * s + left * c
    return float(x), float(y), float(vehicle.z[0])


def ego_place(run: Rig) -> tuple[float, ...]:
    """As the ego status tells it."""
    return struct.unpack_from("<3f", run.status("EgoVehicleStatus"), 77)


def cone(run: Rig, metres: float, left: float = 0.0, model: str = "cone") -> SpawnObstacle:
    return SpawnObstacle(actor=0, model=obstacle_model_row(model)[0], position=ahead(run, metres, left))


def crowd(run: Rig, seed: int, npcs: int = 40) -> Snapshot:
    """NPC vehicles all over the map; people, obstacles and ghosts around the ego vehicle."""
    noise, network = np.random.default_rng(seed), run.built.scene.network
    links = noise.choice(np.flatnonzero(network.link_drivable), npcs)
    run.put(*[CreateNpc(model=CAR, link=int(link), s=1.0, speed=8.0, move_on=True) for link in links])
    for _ in range(5):
        run.put(cone(run, *noise.uniform(-80, 80, 2)))
        run.put(SpawnPedestrian(actor=0, model=0, position=ahead(run, *noise.uniform(-80, 80, 2)), yaw=0.0, start=True))
    run.send(npc_ghosts(*[(n, CAR, *ahead(run, *noise.uniform(-80, 80, 2)), 17.0 * n) for n in range(1, 5)]))
    return run.turn(100)


@pytest.mark.parametrize("seed", range(3))
def test_object_info_tells_the_nearest_twenty_of_all_kinds(tmp_path, seed):
    run = rig(tmp_path, egos=[EgoSettings(), EgoSettings()])
    now = crowd(run, seed)
    data = run.status("ObjectInfo")
    slots = object_slots(data)
    assert len(data) == 2160
    assert len(slots) == 20
    ids = [slot.id for slot in slots]
    assert len(set(ids)) == 20
    assert 0 not in ids
    assert EGO not in ids
    here = ego_place(run)
    gaps = [math.dist(slot.position, here) for slot in slots]
    assert gaps == pytest.approx(sorted(gaps), abs=1e-3)
    assert {slot.type for slot in slots} == {PEDESTRIAN, VEHICLE, OBJECT}
    assert all(math.isfinite(number) for number in numbers(data))
    kinds = {int(actor): PEDESTRIAN for actor in now.people.state.id}
    kinds |= {int(actor): OBJECT for actor in now.obstacles.state.id}
    assert all(slot.type == kinds.get(slot.id, VEHICLE) for slot in slots)
    assert all(slot.axles == (0.0, 0.0, 0.0) and not slot.link for slot in slots if slot.type != VEHICLE)
    npcs = set(now.traffic.id.tolist())
    assert all(bool(slot.link) == (slot.id in npcs) for slot in slots), "only NPC vehicles have a link"
    assert all(slot.link in run.built.scene.network.link_ids for slot in slots if slot.link)


def numbers(object_info: bytes) -> list[float]:
    """All floats of an object info."""
    return [x for i in range(20) for x in struct.unpack_from("<16f", object_info, 42 + 106 * i)]


def test_slots_behind_the_last_object_are_zero(town):
    town.put(cone(town, 10.0))
    town.turn(2)
    data = town.status("ObjectInfo")
    assert len(object_slots(data)) == 1
    assert data[38 + 106 : 2158] == bytes(19 * 106)
    town.put(RemoveActor(object_slots(data)[0].id))
    town.turn()
    assert town.status("ObjectInfo")[38:2158] == bytes(2120)


def test_every_field_of_an_object(town):
    """A person that walks, an obstacle, and an NPC vehicle, in the units of the page."""
    town.put(
        cone(town, 6.0, left=8.0), SpawnPedestrian(actor=0, model=1, position=ahead(town, 9.0, left=14.0), yaw=1.0)
    )
    network = town.built.scene.network
    town.put(
        CreateNpc(
            model="2016_Kia_Niro(HEV)", link=network.link_index("_11_0_R1_"), s=60.0, speed=9.0, lane_change=False
        )
    )
    outcomes = town.turn().outcomes
    town.put(DrivePedestrian(outcomes[1].actor, direction=(-1.0, 0.0, 0.0), speed=1.5))
    now = town.turn(300)
    thing, person, npc = object_slots(town.status("ObjectInfo"))
    assert (thing.id, thing.type, person.id, person.type) == (outcomes[0].actor, OBJECT, outcomes[1].actor, PEDESTRIAN)
    assert thing.size == pytest.approx((0.37, 0.37, 0.70))
    assert thing.velocity == thing.acceleration == (0.0, 0.0, 0.0)
    state = now.people.state
    assert person.position == pytest.approx((float(state.x[0]), float(state.y[0]), float(state.z[0])), rel=1e-6)
    assert person.velocity == pytest.approx((1.5 * 3.6, 0.0, 0.0), abs=0.02), "forward, whichever way it looks"
    assert abs(person.heading) == pytest.approx(180.0, abs=0.1)
    traffic = now.traffic
    assert (npc.id, npc.type) == (outcomes[2].actor, VEHICLE)
    assert npc.position == pytest.approx((traffic.x[0], traffic.y[0], traffic.z[0]), rel=1e-6)
    assert npc.heading == pytest.approx(math.degrees(traffic.yaw[0]), rel=1e-6)
    assert npc.size == pytest.approx((4.355, 1.805, 1.545), abs=0.05)
    assert sum(npc.axles) == pytest.approx(npc.size[0])
    assert npc.axles[1] == pytest.approx(2.7)
    assert npc.velocity == pytest.approx((traffic.speed[0] * 3.6, 0.0, 0.0), rel=1e-6)
    assert npc.acceleration[0] == pytest.approx(traffic.acceleration[0], rel=1e-6)
    assert npc.link == "_11_0_R1_"


def test_older_and_newer_revisions_tell_the_same_objects(tmp_path):
    told = {}
    for revision in ("22.R1", "24.R2", "26.R1"):
        run = rig(tmp_path, revision=revision)
        run.put(cone(run, 10.0))
        run.turn(2)
        data = run.status("ObjectInfo")
        told[revision] = data[-2122:]
        assert len(data) == (2152 if revision == "22.R1" else 2160)
    assert len(set(told.values())) == 1


def test_a_vehicle_that_left_the_map_is_not_told_of(tmp_path):
    """On a map with dead ends: who waits to come in again is nowhere."""
    run = rig(tmp_path)
    crowd(run, 9, npcs=10)
    told = {slot.id for slot in object_slots(run.status("ObjectInfo"))}
    gone = run.now.traffic.id[run.now.traffic.present == Presence.OFF_MAP]
    assert not told & set(gone.tolist())


def test_the_ego_is_told_what_it_hits(town):
    town.put(cone(town, 25.0, model="concrete_barrier"))
    barrier = town.turn().outcomes[0].actor
    assert collision_slots(town.status("CollisionData")) == []
    town.send(control(accel=1.0))
    for _ in range(600):
        town.turn()
        slots = collision_slots(town.status("CollisionData"))
        if slots:
            break
    ((slot, offset),) = slots
    assert (slot.type, slot.id) == (OBJECT, barrier)
    state = town.now.obstacles.state
    assert slot.position == pytest.approx((float(state.x[0]), float(state.y[0]), float(state.z[0])), rel=1e-6)
    assert offset == pytest.approx(town.built.scene.map_origin)
    told = object_slots(town.status("ObjectInfo"))[0]
    assert (told.id, told.position) == (slot.id, slot.position)
    data = town.status("CollisionData")
    assert len(data) == 181
    assert data[39 + 28 : 179] == bytes(4 * 28), "slots behind the last are zero"
    assert struct.unpack_from("<2i", data, 31) == struct.unpack_from("<2i", town.status("EgoVehicleStatus"), 27)
    town.send(control(accel=1.0, gear=2))
    town.turn(500)
    assert collision_slots(town.status("CollisionData")) == [], "it has backed away"


def test_the_ego_is_told_of_the_nearest_five(town):
    town.put(*[cone(town, 10.0 + 2.0 * n, model="bollard") for n in range(7)])
    made = [outcome.actor for outcome in town.turn().outcomes]
    places = [ahead(town, 3.2 + 0.05 * n, left=0.25 * (n - 3)) for n in range(7)]
    town.put(*[PlaceObstacle(actor, place, (0.0, 0.0, 0.0)) for actor, place in zip(made, places, strict=True)])
    town.turn(2)
    slots = [slot for slot, _ in collision_slots(town.status("CollisionData"))]
    touched = town.now.contact
    assert len(touched) > 5
    assert len(slots) == 5
    here = ego_place(town)
    gaps = [math.dist(slot.position, here) for slot in slots]
    assert gaps == sorted(gaps)
    others = [math.dist(x, here) for x in zip(*town.now.obstacles.state.floats[:3].tolist(), strict=True)]
    assert gaps == pytest.approx(sorted(others)[:5], rel=1e-5)


def test_another_ego_and_a_person_that_are_hit(tmp_path):
    run = rig(tmp_path, egos=[EgoSettings(), EgoSettings()])
    x, y, _ = ahead(run, 4.0)
    run.send(multi_ego((2, x, y, math.degrees(float(run.now.vehicle.yaw[0])), 0.0)))
    run.put(SpawnPedestrian(actor=0, model=0, position=ahead(run, 0.0, left=3.0), yaw=0.0))
    made = run.turn().outcomes[0]
    run.put(PlaceActor(made.actor, ahead(run, 0.0, left=1.0), (0.0, 0.0, 0.0)))
    run.turn(2)
    person, other = (slot for slot, _ in collision_slots(run.status("CollisionData")))
    assert (person.type, person.id) == (PEDESTRIAN, 3)
    assert (other.type, other.id) == (VEHICLE, 2), "other egos are vehicles, since -1 means empty"


def test_npc_vehicles_that_collide_are_told_in_pairs(town):
    places = [ahead(town, 40.0), ahead(town, 43.0), ahead(town, 20.0), ahead(town, 20.0, left=1.0)]
    town.send(npc_ghosts(*[(n, CAR, *place, 5.0 * n) for n, place in enumerate(places, 1)]))
    now = town.turn()
    data = town.status("NpcVehicleCollisionData")
    assert len(data) == 1156
    near, far = collision_pairs(data)
    ids = dict(zip(now.ghost.alias.tolist(), now.ghost.id.tolist(), strict=True))
    assert {half.id for half in near} == {ids[3], ids[4]}, "the pair that is nearer to the ego stands first"
    assert [half.id for half in far] == [ids[1], ids[2]], "and within a pair the nearer vehicle"
    assert data[34 + 2 * 112 : 1154] == bytes(8 * 112)
    told = {slot.id: slot for slot in object_slots(town.status("ObjectInfo"))}
    for half in (*near, *far):
        assert half == told[half.id]._replace(axles=(), link=""), "as object info tells them"
    assert collision_slots(town.status("CollisionData")) == [], "the ego touches none of them"


def test_what_npc_vehicles_run_into_is_told_with_its_type(town):
    town.send(npc_ghosts((1, CAR, *ahead(town, 30.0), 0.0)))
    town.put(cone(town, 31.0))
    town.turn()
    ((one, other),) = collision_pairs(town.status("NpcVehicleCollisionData"))
    assert {one.type, other.type} == {VEHICLE, OBJECT}


def test_at_most_ten_pairs_are_told(town):
    spread = [(n, CAR, *ahead(town, 20.0 + 8.0 * (n // 2), left=0.5 * (n % 2)), 0.0) for n in range(2, 22)]
    town.send(npc_ghosts(*spread))
    town.send(npc_ghosts(*[(number + 30, model, x, y, z + 0.1, yaw) for number, model, x, y, z, yaw in spread]))
    town.turn()
    pairs = collision_pairs(town.status("NpcVehicleCollisionData"))
    here = ego_place(town)
    gaps = [math.dist(first.position, here) for first, _ in pairs]
    assert len(pairs) == 10
    assert gaps == pytest.approx([28.0] * 6 + [36.0] * 4, abs=0.05), "four that overlap make six pairs"


def test_who_is_gone_is_told_in_no_collision(town):
    town.put(cone(town, 10.0))
    thing = town.turn().obstacles.state.id[0]
    town.put(PlaceObstacle(int(thing), ahead(town, 3.0), (0.0, 0.0, 0.0)))
    town.turn(2)
    assert len(collision_slots(town.status("CollisionData"))) == 1
    town.put(RemoveActor(int(thing)))
    town.turn()
    assert collision_slots(town.status("CollisionData")) == []


@pytest.mark.parametrize("seed", range(2))
def test_nothing_reaches_the_wire_as_nan(town, seed):
    """Ghosts that jump over the map, people and obstacles that are run over, wrecks: all numbers stay finite."""
    noise = np.random.default_rng(seed)
    crowd(town, seed, npcs=20)
    town.send(control(accel=1.0))
    for _ in range(300):
        far = noise.choice([1.0, 100.0, 900_000.0])
        places = [(n, CAR, *(noise.uniform(-1, 1, 3) * far), float(noise.uniform(-3e4, 3e4))) for n in range(1, 5)]
        town.send(npc_ghosts(*places))
        town.send(npc_ghosts((5, CAR, math.nan, 0.0, 0.0, 0.0)), npc_ghosts((5, CAR, 0.0, 0.0, math.inf, 0.0)))
        town.turn()
        assert all(math.isfinite(number) for number in numbers(town.status("ObjectInfo")))
        slots = [slot for slot, _ in collision_slots(town.status("CollisionData"))]
        slots += [half for pair in collision_pairs(town.status("NpcVehicleCollisionData")) for half in pair]
        told = [*(x for slot in slots for x in (*slot.position, slot.heading, *slot.velocity, *slot.acceleration))]
        told += struct.unpack_from("<24f", town.status("EgoVehicleStatus"), 45)
        assert all(math.isfinite(number) for number in told)
    assert town.journal.counts["bad non-finite"] == 600
    assert len(town.now.ghost) == 4
