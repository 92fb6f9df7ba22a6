"""A world that is saved, loaded into another run and looked at there is the same world."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from dorosim.mapmaking.plan import Size
from dorosim.road.network import network_from_mgeo
from dorosim.scenario.catalogue import Catalogue
from dorosim.scenario.load import LoadOptions, select_work
from dorosim.scenario.morai.file import read_scenario, scenario_bytes
from dorosim.scenario.morai.record import ScenarioFile
from dorosim.scenario.morai.resolve import resolve
from dorosim.scenario.morai.save import scenario_from_world
from dorosim.scenario.order import orders_from_work
from dorosim.scenario.plan import ScenarioPlan
from dorosim.scenario.population import population
from dorosim.scenario.world import plan_from_snapshot
from dorosim.world.actor.alias import AliasKind
from dorosim.world.environment.command import CreateMapObject
from dorosim.world.obstacle.command import DriveObstacle, SpawnObstacle
from dorosim.world.pedestrian.command import DrivePedestrian, SpawnPedestrian
from dorosim.world.pedestrian.state import Stage as Doing
from dorosim.world.signal.command import SetSchedule
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.traffic.state import Presence
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.vehicle.command import CreateVehicle, DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from tests.road.generated_town import town_of
from tests.scenario.kcity import kcity_network, sample_bytes
from tests.scenario.world import LIVE, SMALL, assert_same, load
from tests.world.stage import Stage

CATALOGUE = Catalogue.of_world(VEHICLE_MODELS)
K5 = ("2015_Kia_K5", (0.0, 500.0, 0.0), 0.0)


def saved(stage: Stage, base: ScenarioFile | None = None, known: ScenarioPlan | None = None) -> bytes:
    """The file of a world."""
    plan, _ = plan_from_snapshot(stage.now, stage.scene, known)
    return scenario_bytes(scenario_from_world(plan, stage.scene.network, CATALOGUE, base))


def loaded(content: bytes, like: Stage, start=K5) -> Stage:
    """Another run on the same map in which a file is loaded."""
    stage = Stage(like.scene.network, [start])
    resolved = resolve(read_scenario("s", content), like.scene.network, CATALOGUE)
    assert resolved.stand_ins == []
    work = select_work(resolved.plan, LoadOptions())
    stage.apply(*orders_from_work(work, stage.now, stage.scene).commands)
    return stage


def partners(first: Snapshot, second: Snapshot, kind: AliasKind, ids, other_ids) -> np.ndarray:
    """Rows in the first world of those in the second, by the id in the file."""
    there = second.alias.aliases_of(kind)
    here = first.alias.aliases_of(kind)
    row_of = {here.get(actor, actor): row for row, actor in enumerate(ids.tolist())}
    return np.array([row_of[there[actor]] for actor in other_ids.tolist()], np.int64)


def test_everything_is_as_it_was():
    stage = Stage(SMALL, [K5])
    load(stage, LIVE)
    plan, notes = plan_from_snapshot(stage.now, stage.scene, LIVE)
    assert notes == []
    again, _ = plan_from_snapshot(loaded(saved(stage, known=LIVE), stage).now, stage.scene, LIVE)
    assert_same(again, plan, "plan")
    for name in ("obstacles", "vehicle_spawn_points", "pedestrian_spawn_points", "friction_areas", "shaded_areas"):
        assert_same(getattr(plan, name), getattr(LIVE, name), name)
    assert plan.pedestrians[0].waypoints == LIVE.pedestrians[0].waypoints
    assert (plan.ego.data_id, plan.ego.mode, plan.ego.desired_speed) == (20100005, ControlMode.CRUISE, 13.3)
    ids = {one.id: (one.data_id, one.destination, one.route, one.spawn_point) for one in plan.vehicles}
    assert ids == {5: (30100004, 71, (0, 1, 0), 70), 6: (30200006, -1, (), -1)}


@pytest.fixture(scope="module")
def town() -> Stage:
    """A town after a minute: vehicles in junctions and between lanes, people in the middle of the road."""
    stage = Stage(network_from_mgeo(town_of(1, Size.SMALL)), [("2015_Kia_K5", (0.0, 900.0, 0.0), 0.0)])
    stage.tick(*population(stage.scene, stage.now, stage.noise, 30, 20))
    assert stage.now.refusals == ()
    stage.ticks(3000)
    return stage


def test_traffic_of_a_town_goes_on_where_it_was(town):
    second = loaded(saved(town), town, ("2015_Kia_K5", (0.0, 800.0, 0.0), 0.0))
    first, other = town.now.traffic, second.now.traffic
    on_map = first.take(first.present != Presence.OFF_MAP)
    here = on_map.take(partners(town.now, second.now, AliasKind.VEHICLE, on_map.id, other.id))
    assert len(here) == len(on_map) > 25
    assert (here.link == other.link).all()
    for column, tolerance in (
        ("s", 1e-9),
        ("speed", 1e-9),
        ("desired_speed", 1e-9),
        ("model", 0),
        ("lateral_bias", 1e-9),
    ):
        assert np.abs(getattr(here, column) - getattr(other, column)).max() <= tolerance, column
    straight = here.change_from < 0
    assert np.hypot(here.x - other.x, here.y - other.y)[straight].max() < 1.0
    second.ticks(2000)
    later = second.now.traffic
    assert later.counter.sum() > 10
    assert len(second.now.contact) == 0


def test_people_of_a_town_go_on_where_they_were(town):
    second = loaded(saved(town), town)
    state, other = town.now.people.state, second.now.people.state
    here = state.take(partners(town.now, second.now, AliasKind.PEDESTRIAN, state.id, other.id))
    assert len(here) == 20
    for column in ("x", "y", "yaw", "desired_speed", "walked"):
        assert np.abs(getattr(here, column) - getattr(other, column)).max() < 1e-9, column
    for column in ("model", "mode", "waypoint", "direction"):
        assert (getattr(here, column) == getattr(other, column)).all(), column
    assert {Doing.WAIT, Doing.CROSS} & set(here.stage.tolist())
    second.tick()
    assert (second.now.people.state.stage[here.stage == Doing.CROSS] == Doing.CROSS).all()


def test_lights_of_a_town_go_on_where_they_were(town):
    second = loaded(saved(town), town)
    first, other = town.now.signal, second.now.signal
    assert (first.state == other.state).all()
    assert np.abs(first.remaining - other.remaining).max() <= 1
    assert (first.light.status == other.light.status).all()


def test_a_saved_file_keeps_what_its_users_added():
    network = kcity_network()
    stage = Stage(network)
    base = read_scenario("kcity", sample_bytes())
    resolved = resolve(base, network, CATALOGUE)
    load(stage, resolved.plan)
    written, before = json.loads(saved(stage, base, resolved.plan)), json.loads(sample_bytes())
    for key in ("parkingLotStart", "parkingLotGoal", "mapInfo", "v2IInfo", "version"):
        assert written[key] == before[key]
    assert written["egoVehicle"]["DataID"] == before["egoVehicle"]["DataID"]
    assert written["egoVehicle"]["v2vUDPSessionInfo"] == before["egoVehicle"]["v2vUDPSessionInfo"]
    assert [one["UNIQUEID"] for one in written["objectList"]] == [one["UNIQUEID"] for one in before["objectList"]]
    mine = {"modelName": "box", "rot": "the same angles, within half a turn"}
    assert written["objectList"][0] | mine == before["objectList"][0] | mine
    point, was = written["spawnPointList"][0], before["spawnPointList"][0]
    assert point["NPCSpawnType"] == was["NPCSpawnType"]
    assert point["startLinkInfo"]["linkIdx"] == was["startLinkInfo"]["linkIdx"]
    assert [one["state"] for one in written["tlList"]] == [one["state"] for one in before["tlList"]]


def test_what_a_scenario_does_not_know_gets_an_id_that_is_free():
    stage = Stage(SMALL, [K5])
    load(stage, replace(LIVE, vehicles=tuple(replace(one, id=number) for number, one in enumerate(LIVE.vehicles, 9))))
    # the world's next ids are those that the scenario gave away
    stage.apply(
        CreateNpc(model="2015_Kia_K5", link=1, s=50.0),
        CreateVehicle(model="2015_Kia_K5", position=(0.0, 700.0, 0.0)),
        SpawnObstacle(actor=0, model=2, position=(9.0, 9.0, 0.0)),
    )
    plan, _ = plan_from_snapshot(stage.now, stage.scene, LIVE)
    ids = [one.id for group in (plan.vehicles, plan.pedestrians, plan.obstacles) for one in group]
    ids += [one.id for group in (plan.vehicle_spawn_points, plan.pedestrian_spawn_points) for one in group]
    assert len(plan.vehicles) == 4
    by_kind = [len({one.id for one in group}) == len(group) for group in (plan.vehicles, plan.obstacles)]
    assert all(by_kind)
    again, _ = plan_from_snapshot(loaded(saved(stage), stage).now, stage.scene)
    assert {one.id for one in again.vehicles} == {one.id for one in plan.vehicles}


def test_what_a_scenario_cannot_hold_is_told():
    stage = Stage(kcity_network(), [K5])
    stage.apply(
        PlaceNpcGhost(alias=3, model="2015_Kia_K5", position=(0.0, 0.0, 0.0), rotation=(0.0, 0.0, 0.0)),
        CreateMapObject(actor=0, model="sofa", position=(0.0, 0.0, 0.0)),
        SetSchedule(controller=0, yellow=(2.0, 2.0, 2.0, 2.0)),
    )
    plan, notes = plan_from_snapshot(stage.now, stage.scene)
    assert notes == [
        "NPC ghosts are left out: their senders put them where they are",
        "map objects without a friction area are left out",
        "changed schedules of traffic lights are left out",
    ]
    assert plan.vehicles == plan.friction_areas == ()


def test_what_is_driven_from_outside_stands_in_the_saved_world():
    stage = Stage(SMALL, [K5])
    now = stage.apply(
        SpawnPedestrian(actor=0, model=0, position=(0.0, 20.0, 0.0), yaw=0.0),
        SpawnObstacle(actor=0, model=0, position=(0.0, 30.0, 0.0)),
    )
    walker, box = int(now.people.state.id[0]), int(now.obstacles.state.id[0])
    stage.apply(
        DrivePedestrian(walker, (1.0, 0.0, 0.0), 1.0),
        DriveObstacle(box, (1.0, 0.0)),
        DriveVehicle(EGO, ControlKind.VELOCITY, velocity=5.0),
    )
    stage.ticks(200)
    second = loaded(saved(stage), stage)
    assert second.now.vehicle.velocity_x[0] == pytest.approx(stage.now.vehicle.velocity_x[0])
    assert second.now.people.state.x[0] == pytest.approx(stage.now.people.state.x[0]) != 0.0
    second.ticks(50)
    assert second.now.people.state.speed[0] == 0.0
    assert second.now.obstacles.state.x[0] == pytest.approx(stage.now.obstacles.state.x[0]) != 0.0
