"""Spawn points in a world: where their vehicles enter, how they drive, and where they leave."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.world.actor.command import RemoveActor
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.spawn.command import SetPedestrianSpawnPoints, SetVehicleSpawnPoints
from dorosim.world.spawn.mode import CharacterMode, SpeedRange, SpeedRule
from dorosim.world.spawn.pedestrian import MAX_PEDESTRIANS_PER_TICK
from dorosim.world.spawn.point import MIN_SPAWN_PERIOD, PedestrianSpawnPoint, VehicleSpawnPoint
from dorosim.world.traffic.command import ChangeDriver, ChangeNpc, CreateNpc, PlaceNpcGhost
from dorosim.world.vehicle.command import PlaceVehicle
from dorosim.world.vehicle.mode import Gear
from tests.world.world import CAR, World, town_world


def world_and_links() -> tuple[World, list[int]]:
    """The town, and three of its links one after the other."""
    world = town_world(tick_ms=100.0)
    network = world.scene.network
    links = [int(np.where(network.link_drivable, network.link_length, 0.0).argmax())]
    for _ in range(2):
        links.append(max(network.successors.of(links[-1]).tolist(), key=lambda link: network.link_length[link]))
    return world, links


def point(link: int, **more) -> SetVehicleSpawnPoints:
    """A point that lets a vehicle enter every second."""
    values = {"shortest_period": 1.0, "longest_period": 1.0, "lowest_speed": 8.0, "highest_speed": 8.0}
    return SetVehicleSpawnPoints((VehicleSpawnPoint(id=0, start_link=link, start_s=5.0, **(values | more)),))


def test_a_constant_desired_speed_is_that_of_every_vehicle():
    world, (link, *_) = world_and_links()
    world.do(
        point(
            link,
            desired_range=SpeedRange.CONSTANT,
            desired_rule=SpeedRule.LINK,
            lowest_desired_ratio=0.8,
            highest_desired_ratio=0.8,
        )
    )
    world.run(12.0)
    assert len(world.now.traffic) == 3
    assert world.now.traffic.desired_speed.tolist() == pytest.approx([0.8] * 3)


def test_vehicles_leave_at_the_place_where_their_way_ends():
    world, (link, _, last) = world_and_links()
    world.do(point(link, maximum=1, end_link=last, end_s=40.0))
    farthest = 0.0

    def look(now: Snapshot) -> None:
        nonlocal farthest
        there = now.traffic.link == last
        farthest = max(farthest, now.traffic.s[there].max(initial=0.0))

    world.run(60.0, look)
    assert 35.0 < farthest < 40.0 < world.scene.network.link_length[last]
    assert world.now.spawn.vehicle.spawned[0] > 1, "who left makes room for the next one"


def test_a_closed_way_leads_back_to_its_start():
    world, (link, middle, last) = world_and_links()
    world.do(point(link, maximum=1, end_link=last, close_loop=True))
    world.run(5.0)
    way = world.now.route.of(int(world.now.traffic.route[0])).tolist()
    assert way[:3] == [link, middle, last]
    ends = zip(way, [*way[1:], way[0]], strict=True)
    assert all(after in world.scene.network.successors.of(before) for before, after in ends)


def test_who_gets_a_way_elsewhere_first_drives_there():
    world, (link, middle, last) = world_and_links()
    (actor,) = world.do(CreateNpc(model=CAR, link=link, s=20.0))
    world.do(ChangeNpc(actor, way=(last,)))
    assert world.now.route.of(int(world.now.traffic.route[0])).tolist() == [link, middle, last]


def test_an_entry_in_which_an_ego_vehicle_stands_waits_for_it_to_go():
    world, (link, *_) = world_and_links()
    pose = world.scene.network.pose_at(link, 8.0)
    x, y, z = pose.point[0].tolist()
    place = PlaceVehicle(EGO, (x, y, z), (0.0, 0.0, float(pose.heading[0])), speed=0.0, gear=Gear.P)
    world.do(place, point(link))
    world.run(5.0)
    assert not len(world.now.traffic)
    assert world.now.spawn.vehicle.spawned[0] == 0
    world.do(PlaceVehicle(EGO, (x, y + 400.0, z), (0.0, 0.0, 0.0), speed=0.0, gear=Gear.P))
    world.run(0.3)
    assert world.now.spawn.vehicle.spawned[0] == len(world.now.traffic) == 1


def test_ranges_that_are_the_wrong_way_round_are_put_in_order():
    world, (link, *_) = world_and_links()
    world.do(point(link, shortest_period=0.0, longest_period=0.0))
    assert world.now.spawn.vehicle.shortest_period[0] == MIN_SPAWN_PERIOD
    people = PedestrianSpawnPoint(id=0, mode=CharacterMode.STAND, minimum=3, maximum=1, period=0.0)
    world.do(SetPedestrianSpawnPoints((people,)))
    world.run(1.0)
    assert len(world.now.people) == 3


def test_a_full_world_lets_its_vehicles_be_changed(monkeypatch):
    world, (link, *_) = world_and_links()
    (actor,) = world.do(CreateNpc(model=CAR, link=link, s=20.0))
    monkeypatch.setattr("dorosim.world.traffic.effect.MAX_NPCS", 1)
    assert "there are 1 NPC vehicles" in world.refuse(CreateNpc(model=CAR, link=link, s=60.0))
    world.do(ChangeNpc(actor, desired_speed=3.0))
    assert world.now.traffic.desired_speed[0] == 3.0


def test_a_driver_keeps_the_gap_that_it_was_told():
    world, (link, *_) = world_and_links()
    ahead, behind = (
        world.do(CreateNpc(model=CAR, link=link, s=s, desired_speed=8.0, lane_change=False))[0] for s in (60.0, 20.0)
    )
    world.do(ChangeNpc(ahead, desired_speed=0.0), ChangeDriver(behind, standstill_gap=7.0, time_gap=2.5))
    world.run(15.0)
    traffic = world.now.traffic
    row, front = traffic.row_of(behind), traffic.row_of(ahead)
    gap = float(traffic.s[front] - traffic.length[front] - traffic.s[row])
    assert float(traffic.time_gap[row]) == 2.5
    assert 6.0 < gap < 9.0
    assert float(traffic.standstill_gap[front]) == 2.0


@pytest.mark.parametrize("name", ["time_gap", "standstill_gap", "acceleration", "deceleration"])
@pytest.mark.parametrize("value", [0.0, -1.0, 51.0, float("nan"), float("inf")])
def test_numbers_that_no_driver_has_are_refused(name, value):
    world, (link, *_) = world_and_links()
    (actor,) = world.do(CreateNpc(model=CAR, link=link, s=20.0))
    before = world.now.traffic.floats.copy()
    assert f"{name.replace('_', ' ')}: above 0 to" in world.refuse(
        ChangeDriver(actor, **{"time_gap": 1.0, name: value})
    )
    assert (world.now.traffic.time_gap == before[world.now.traffic.at.time_gap]).all()
    assert f"no vehicle that cruises {EGO}" in world.refuse(ChangeDriver(EGO, time_gap=1.0))


def test_a_crowd_that_a_point_asks_for_enters_over_several_ticks():
    world, _ = world_and_links()
    crowd = PedestrianSpawnPoint(id=0, mode=CharacterMode.STAND, minimum=130, maximum=130, wait=0.0)
    sizes = [len(world.now.people) for _ in [world.do(SetPedestrianSpawnPoints((crowd,)))]]
    world.run(0.4, lambda now: sizes.append(len(now.people)))
    assert sizes == [MAX_PEDESTRIANS_PER_TICK, 2 * MAX_PEDESTRIANS_PER_TICK, 130, 130, 130]
    assert world.now.spawn.pedestrian.spawned.tolist() == [130]
    state = world.now.people.state
    apart = np.hypot(state.x[:, None] - state.x, state.y[:, None] - state.y)[~np.eye(130, dtype=bool)]
    assert apart.min() > 0.4, "also from those who entered before them"


def test_who_is_refused_since_all_ids_are_given_does_not_count(monkeypatch):
    world, _ = world_and_links()
    monkeypatch.setattr("dorosim.world.draft.LAST_ID", 6)
    crowd = PedestrianSpawnPoint(id=0, mode=CharacterMode.STAND, minimum=9, maximum=9, wait=0.0)
    world.do(SetPedestrianSpawnPoints((crowd,)))
    assert len(world.now.people) == 4
    assert world.now.spawn.pedestrian.spawned.tolist() == [4]


def _person(x: float, y: float, z: float, yaw: float):
    return SpawnPedestrian(actor=0, model=0, position=(x, y, z), yaw=yaw, mode=CharacterMode.STAND)


def _cone(x: float, y: float, z: float, yaw: float):
    return SpawnObstacle(actor=0, model=0, position=(x, y, z), rotation=(0.0, 0.0, yaw))


def _ghost(x: float, y: float, z: float, yaw: float):
    return PlaceNpcGhost(alias=7, model=CAR, position=(x, y, z), rotation=(0.0, 0.0, yaw))


@pytest.mark.parametrize("body", [_person, _cone, _ghost])
def test_an_entry_in_which_anybody_stands_waits_until_it_is_free(body):
    world, (link, *_) = world_and_links()
    pose = world.scene.network.pose_at(link, 9.0)
    (actor,) = world.do(body(*pose.point[0].tolist(), float(pose.heading[0])))
    world.do(point(link))
    world.run(5.0)
    assert not len(world.now.traffic)
    world.do(RemoveActor(actor))
    world.run(0.3)
    assert len(world.now.traffic) == 1
