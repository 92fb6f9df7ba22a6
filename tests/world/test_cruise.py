"""Cruise mode: an ego vehicle with full dynamics keeps the rules, its lane and its distance."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from shapely import LineString, Point

from dorosim.world.actor.command import PauseActor
from dorosim.world.signal.permission import Permission
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import DriveVehicle, PlaceVehicle, SelectMode, SetCruise
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.world.world import CAR, World, npcs_about_town, street, town_scene, town_world

CRUISE = SelectMode(actor=EGO, mode=ControlMode.CRUISE, gear=Gear.D)


@functools.cache
def course(link: int) -> LineString:
    """The centre line of a lane of the town."""
    return LineString(town_scene().network.points_of(link)[:, :2])


class Witness:
    """What an ego vehicle does in cruise mode."""

    def __init__(self, world: World) -> None:
        self.scene = world.scene
        self.way = self.farthest = 0.0
        self.ran_red: list[str] = []
        self.contacts: set[tuple[int, int]] = set()
        self.links: set[int] = set()
        self.hardest = 0.0
        self._link = -1

    def look(self, now: Snapshot) -> None:
        """See a snapshot."""
        vehicle, traffic = now.vehicle, now.traffic
        self.way += float(vehicle.velocity_x[0]) * 0.01
        self.hardest = min(self.hardest, float(vehicle.acceleration[0, 0]))
        self.contacts |= set(zip(now.contact.first_id.tolist(), now.contact.second_id.tolist(), strict=True))
        row = int(np.flatnonzero(traffic.id == EGO)[0])
        link = int(traffic.link[row])
        if link != self._link and now.signal.link.entry[link] == Permission.STOP:
            self.ran_red.append(f"{self.scene.network.link_ids[link]} after {now.time * 1e-9:.1f} s")
        self._link = link
        self.links.add(link)
        if now.tick % 10 == 0 and traffic.change_from[row] < 0:
            place = Point(float(vehicle.x[0]), float(vehicle.y[0]))
            near = [link, *(int(one[row]) for one in (traffic.previous, traffic.before_previous) if one[row] >= 0)]
            self.farthest = max(self.farthest, min(course(one).distance(place) for one in near))


@pytest.mark.parametrize(
    ("seed", "seconds"), [(1, 150.0), *(pytest.param(seed, 300.0, marks=pytest.mark.soak) for seed in (1, 2))]
)
def test_round_the_town_by_all_rules(seed, seconds):
    world = town_world(10.0, seed)
    world.do(*npcs_about_town(world.scene, 60, seed))
    world.do(SetCruise(actor=EGO, ratio=1.0), CRUISE)
    witness = Witness(world)
    world.run(seconds, witness.look)
    assert witness.contacts == set()
    assert witness.ran_red == []
    assert witness.farthest < 0.5
    assert witness.way > 4.0 * seconds
    assert len(witness.links) > seconds / 30.0
    assert witness.hardest > -6.0


def test_wheel_and_pedals_are_calm_in_bends():
    """A quiet round of the town: where the plan turns, the wheel angle asked for goes to and fro about once a second at
    most, and neither it nor the acceleration of the vehicle jumps from tick to tick."""
    world = town_world(10.0, 3)
    world.do(SetCruise(actor=EGO, ratio=1.0), CRUISE)
    asked, pedals, bend = [], [], []

    def look(now: Snapshot) -> None:
        row = int(np.flatnonzero(now.traffic.id == EGO)[0])
        asked.append(float(now.vehicle.asked_control[2, 0]))
        pedals.append(float(now.vehicle.asked_control[0, 0] - now.vehicle.asked_control[1, 0]))
        speed = float(now.traffic.speed[row])
        bend.append(speed > 1.0 and abs(now.traffic.yaw_rate[row]) > 0.01 * speed)

    world.run(150.0, look)
    inside = np.array(bend)
    inside = inside[2:] & inside[1:-1] & inside[:-2]
    seconds = inside.sum() * 0.01
    assert seconds > 15.0
    change = np.diff(asked)
    turned = (change[1:] * change[:-1] < 0.0) & (np.abs(change[1:] - change[:-1]) > 1e-5)
    assert (turned & inside).sum() / seconds < 2.0
    assert math.degrees(math.sqrt(np.mean(np.diff(asked, 2)[inside] ** 2))) < 0.02
    assert math.sqrt(np.mean((np.diff(pedals)[1:][inside] / 0.01) ** 2)) < 0.5


def on_street(s: float = 50.0, speed: float = 0.0) -> World:
    world = World(street(10.0), [(CAR, (s, -3.5, 0.0), 0.0)])
    if speed:
        world.do(PlaceVehicle(EGO, (s, -3.5, 0.0), (0.0, 0.0, 0.0), speed, Gear.D))
    return world


def test_a_constant_speed_is_held():
    world = on_street()
    world.do(SetCruise(actor=EGO, speed=7.5), CRUISE)
    world.run(25.0)
    assert world.now.vehicle.velocity_x[0] == pytest.approx(7.5, abs=0.1)
    assert world.now.vehicle.y[0] == pytest.approx(-3.5, abs=0.05)


def test_a_share_of_the_link_limit_is_held():
    """The street's limit is 50 km/h."""
    world = on_street()
    world.do(SetCruise(actor=EGO, ratio=0.5), CRUISE)
    world.run(25.0)
    assert world.now.vehicle.velocity_x[0] == pytest.approx(0.5 * 50 / 3.6, abs=0.15)


def test_it_takes_over_a_moving_vehicle_softly():
    world = on_street(speed=12.0)
    world.do(SetCruise(actor=EGO, speed=12.0), CRUISE)
    speeds = []
    world.run(6.0, lambda now: speeds.append(float(now.vehicle.velocity_x[0])))
    assert min(speeds) > 11.0
    assert max(speeds) < 13.0


def test_it_stops_behind_a_standing_vehicle_and_drives_on_after_it():
    world = on_street()
    (npc,) = world.do(CreateNpc(model=CAR, link=0, s=180.0, lane_change=False))
    world.do(PauseActor(npc, paused=True), SetCruise(actor=EGO, ratio=1.0), CRUISE)
    world.do(CreateNpc(model=CAR, link=1, s=172.0, desired_speed=0.01, lane_change=False))
    world.run(30.0)
    gap = 180.0 - 0.85 - float(world.now.vehicle.x[0]) - 3.6
    assert world.now.vehicle.velocity_x[0] == pytest.approx(0.0, abs=0.02)
    assert 0.8 < gap < 6.0
    world.do(PauseActor(npc, paused=False))
    world.run(12.0)
    assert world.now.vehicle.x[0] > 200.0
    assert not len(world.now.contact)


def test_it_lets_go_when_another_mode_is_asked_for():
    world = on_street()
    world.do(SetCruise(actor=EGO, ratio=1.0), CRUISE)
    world.run(8.0)
    assert (world.now.traffic.id == EGO).any()
    world.do(DriveVehicle(EGO, ControlKind.PEDALS, ControlMode.AUTO, Gear.D, brake=1.0))
    world.run(4.0)
    assert not len(world.now.traffic), "no plan is left"
    assert world.now.vehicle.velocity_x[0] == pytest.approx(0.0, abs=0.05)


def test_a_vehicle_that_is_placed_elsewhere_goes_on_from_there():
    world = on_street()
    world.do(SetCruise(actor=EGO, speed=8.0), CRUISE)
    world.run(10.0)
    world.do(PlaceVehicle(EGO, (500.0, 7.0, 0.0), (0.0, 0.0, math.pi), 8.0, Gear.D))
    world.run(8.0)
    assert world.now.vehicle.control_mode[0] == ControlMode.CRUISE
    assert world.now.vehicle.velocity_x[0] == pytest.approx(8.0, abs=0.2)
    assert world.now.vehicle.y[0] == pytest.approx(7.0, abs=0.1)
    assert world.now.vehicle.x[0] < 445.0


def test_a_vehicle_on_no_lane_stands():
    world = World(street(10.0), [(CAR, (100.0, 200.0, 0.0), 0.0)])
    world.do(SetCruise(actor=EGO, ratio=1.0), CRUISE)
    world.run(3.0)
    assert world.now.vehicle.velocity_x[0] == 0.0
    assert not len(world.now.traffic)


def test_a_paused_vehicle_stands_and_goes_on():
    world = on_street()
    world.do(SetCruise(actor=EGO, speed=10.0), CRUISE)
    world.run(12.0)
    world.do(PauseActor(EGO, paused=True))
    place = float(world.now.vehicle.x[0])
    world.run(5.0)
    assert world.now.vehicle.x[0] == place
    world.do(PauseActor(EGO, paused=False))
    world.run(5.0)
    assert world.now.vehicle.x[0] > place + 25.0


def test_it_stops_where_the_road_ends():
    world = on_street(540.0, speed=12.0)
    world.do(SetCruise(actor=EGO, ratio=1.0), CRUISE)
    world.run(15.0)
    nose = float(world.now.vehicle.x[0]) + 3.6
    assert 594.0 < nose < 600.5
    assert world.now.vehicle.velocity_x[0] == pytest.approx(0.0, abs=0.02)


def test_others_see_it_as_the_vehicle_that_it_is():
    """An NPC that comes from behind follows it; nobody stands in its plan."""
    world = on_street(100.0)
    world.do(SetCruise(actor=EGO, speed=4.0), CRUISE)
    world.do(CreateNpc(model=CAR, link=0, s=40.0, speed=10.0, lane_change=False))
    nearest = math.inf

    def look(now: Snapshot) -> None:
        nonlocal nearest
        npc = int(np.flatnonzero(now.traffic.id != EGO)[0])
        nearest = min(nearest, float(now.vehicle.x[0] - 0.85 - (now.traffic.x[npc] + 3.6)))

    world.run(40.0, look)
    assert nearest > 1.0
    assert world.now.traffic.speed[-1] == pytest.approx(4.0, abs=0.2)
