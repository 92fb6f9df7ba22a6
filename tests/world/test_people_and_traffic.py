"""People cross the roads of a town full of traffic: nobody is hit, everybody gets across, traffic flows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.world.collision.body import BodyKind
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.pedestrian.state import Stage
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import PlaceVehicle
from dorosim.world.vehicle.mode import Gear
from dorosim.world.waypoint import Waypoint
from tests.world.world import CAR, World, npcs_about_town, street, town_world, walkers_over_crosswalks

ASIDE = PlaceVehicle(actor=EGO, position=(3000.0, 3000.0, 0.0), rotation=(0.0, 0.0, 0.0), speed=0.0, gear=Gear.P)
"""Takes the ego vehicle off the roads."""


class Watch:
    """What happens to people and vehicles: contacts, how often each person crosses, how far each vehicle drives."""

    def __init__(self, world: World) -> None:
        self.contacts: dict[tuple[int, int], str] = {}
        self.crossings = np.zeros(len(world.now.people), np.int64)
        self.way = np.zeros(len(world.now.traffic))
        self.standing = np.zeros(len(world.now.traffic))
        self.longest_stand = 0.0
        self._stage = world.now.people.state.stage
        self._dt = world.scene.tick * 1e-9

    def look(self, now: Snapshot) -> None:
        """See a snapshot."""
        contact = now.contact
        for row in range(len(contact)):
            pair = int(contact.first_id[row]), int(contact.second_id[row])
            kinds = BodyKind(contact.first_kind[row]).name, BodyKind(contact.second_kind[row]).name
            self.contacts.setdefault(pair, f"{kinds} after {now.time * 1e-9:.1f} s")
        stage = now.people.state.stage
        self.crossings += (self._stage == Stage.CROSS) & (stage != Stage.CROSS) & (stage != Stage.WAIT)
        self._stage = stage
        self.way += now.traffic.speed * self._dt
        self.standing = np.where(now.traffic.speed < 0.1, self.standing + self._dt, 0.0)
        self.longest_stand = max(self.longest_stand, float(self.standing.max(initial=0.0)))


def watch_town(seed: int, seconds: float) -> None:
    """100 vehicles and 20 people for a time [s]."""
    print(f"seed {seed}")
    world = town_world(50.0, seed)
    network = world.scene.network
    world.do(ASIDE)
    world.do(*npcs_about_town(world.scene, 100, seed))
    world.do(*walkers_over_crosswalks(network, 20, seed))
    watch = Watch(world)
    world.run(seconds, watch.look)
    assert watch.contacts == {}
    assert watch.crossings.min() >= seconds // 200.0, "people get across"
    assert watch.way.mean() / seconds > 9.0, "traffic flows [m/s]"
    assert watch.way.min() > 2.5 * seconds, "and nobody is left behind [m]"
    assert watch.longest_stand < 180.0


def test_nobody_is_hit_in_a_town_full_of_traffic():
    watch_town(0, 300.0)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(22))
def test_nobody_is_hit_in_many_towns_full_of_traffic(seed):
    watch_town(seed, 600.0)


def walker(x: float, start_y: float, goal_y: float, **more) -> SpawnPedestrian:
    given = {"model": 0, "start": True, "mode": CharacterMode.REPEAT} | more
    pause = 5.0 if given["mode"] == CharacterMode.REPEAT else 0.0
    yaw = math.copysign(math.pi / 2, goal_y - start_y)
    return SpawnPedestrian(
        actor=0, position=(x, start_y, 0.0), yaw=yaw, way=(Waypoint(x, goal_y, pause=pause),), **given
    )


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (1, 2))])
def test_drivers_let_those_over_who_wait_at_a_crosswalk_without_a_light(seed):
    """A vehicle every 50 m on each of four lanes leaves hardly a gap of ten seconds."""
    world = World(street(), [(CAR, (300.0, 500.0, 0.0), 0.0)], seed)
    world.do(*[CreateNpc(model=CAR, link=link, s=50.0 * k + 10.0 * link) for link in range(4) for k in range(11)])
    world.do(*[walker(298.5 + 0.6 * k, -9.0 - 0.3 * k, 12.5 + 0.3 * k, model=k % 4) for k in range(6)])
    watch = Watch(world)
    waits, longest = np.zeros(6), np.zeros(6)

    def look(now: Snapshot) -> None:
        nonlocal waits, longest
        watch.look(now)
        waits = np.where(now.people.state.stage == Stage.WAIT, waits + 0.05, 0.0)
        longest = np.maximum(longest, waits)

    world.run(300.0, look)
    print(longest, watch.crossings)
    among_people = str((BodyKind.PEDESTRIAN.name, BodyKind.PEDESTRIAN.name))
    hits = {pair: what for pair, what in watch.contacts.items() if not what.startswith(among_people)}
    assert hits == {}, "two people may brush each other's shoulders"
    assert watch.crossings.min() >= 5
    assert longest.max() < 20.0
    assert watch.way.mean() > 300.0 * 2.0


def brake_of(world: World, seconds: float) -> tuple[float, float]:
    """The hardest braking of any vehicle [m/s²], and the least distance from the first to a person [m]."""
    hardest, nearest = 0.0, math.inf

    def look(now: Snapshot) -> None:
        nonlocal hardest, nearest
        traffic, people = now.traffic, now.people.state
        front = traffic.x + (traffic.wheelbase + traffic.front_overhang) * np.cos(traffic.yaw)
        moving = traffic.speed > 0.0
        hardest = min(hardest, float(traffic.acceleration[moving].min(initial=0.0)))
        nearest = min(nearest, float(np.hypot(front - people.x[0], traffic.y - people.y[0]).min()))

    world.run(seconds, look)
    return hardest, nearest


def test_a_driver_stops_softly_before_a_crosswalk_on_which_somebody_is():
    world = World(street(), [(CAR, (300.0, 500.0, 0.0), 0.0)])
    world.do(CreateNpc(model=CAR, link=0, s=150.0, speed=13.0))
    world.do(walker(300.0, 10.0, -12.0, mode=CharacterMode.ONCE))
    hardest, nearest = brake_of(world, 15.0)
    assert -3.6 < hardest < -1.0
    assert 2.0 < nearest < 5.0


def test_a_driver_passes_behind_those_who_have_crossed_his_lane():
    """One who walks away from the lane of a vehicle holds it up no longer than he is in it."""
    world = World(street(), [(CAR, (300.0, 500.0, 0.0), 0.0)])
    world.do(CreateNpc(model=CAR, link=0, s=280.0))
    world.do(walker(300.0, -5.6, 12.0, mode=CharacterMode.ONCE))
    world.run(7.0)
    assert world.now.people.state.stage[0] == Stage.CROSS
    assert world.now.traffic.s[0] > 300.0


def test_drivers_stop_for_one_who_crosses_where_there_is_no_crosswalk():
    world = World(street(), [(CAR, (300.0, 500.0, 0.0), 0.0)])
    world.do(CreateNpc(model=CAR, link=0, s=380.0, speed=10.0))
    world.do(walker(430.0, -9.0, 14.0, mode=CharacterMode.ONCE))
    watch = Watch(world)
    world.run(22.0, watch.look)
    assert watch.contacts == {}
    assert world.now.people.state.stage[0] == Stage.ARRIVED
    assert watch.way[0] > 100.0
