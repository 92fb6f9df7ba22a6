"""Leaving the road is reported with its place, once each time; leaving the map once in a run."""

import math

from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.road_watch import BEYOND_MAP, OFF_ROAD, RoadWatch
from dorosim.endpoint.view.watch import RunWatch
from dorosim.world.vehicle.command import PlaceVehicle
from dorosim.world.vehicle.mode import Gear
from tests.world.vehicle.slope import bank, world_across
from tests.world.world import World


def put(world: World, *places: float) -> None:
    """Put the vehicle at each y in turn, under the eyes of the watches."""
    for y in places:
        world.do(PlaceVehicle(1, (0.0, y, 0.0), (0.0, 0.0, 0.0), 0.0, Gear.D))


def test_each_time_a_vehicle_leaves_the_road_is_an_event_with_its_place():
    world = world_across(bank(2.0), 10.0, 0.0)
    lines: list[str] = []
    journal, page = Journal(lines.append), RunWatch()
    watch = RoadWatch(world.scene, journal)
    for y in (10.0, -20.0, -21.0, 10.0, -30.0):
        put(world, y)
        watch(world.now, ())
        page.see(world.now, ())
    assert journal.counts[OFF_ROAD] == 2
    assert any("(0.0, -20.0)" in line for line in lines)
    assert [text for _, _, text in page.happenings()] == [
        "off the road: Ego at (0.0, -20.0)",
        "off the road: Ego at (0.0, -30.0)",
    ]


def test_beyond_the_map_is_said_once():
    world = world_across(bank(2.0), 10.0, 0.0)
    journal = Journal([].append)
    watch = RoadWatch(world.scene, journal)
    assert world.scene.terrain is not None
    for y in (-20.0, 10.0, -25.0):
        put(world, y)
        watch(world.now, ())
    assert journal.counts[BEYOND_MAP] == 1  # this ground has no land: all of it is beyond the edge


def test_no_place_that_is_no_number_is_on_the_map():
    scene = world_across(bank(2.0), 10.0, 0.0).scene
    assert not scene.is_on_map(math.nan, 0.0)
