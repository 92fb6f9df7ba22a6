"""What a client puts far from the ground stays there, and is reported once."""

import math

from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.height_watch import OFF_GROUND, HeightWatch
from dorosim.world.actor.command import CreateAs, CreateNamed
from dorosim.world.obstacle.command import PlaceObstacle, SpawnObstacle
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.vehicle.command import CreateVehicle
from tests.bridge.view.shown import world_on_street
from tests.world.vehicle.slope import bank, world_across
from tests.world.world import CAR


def ghost(alias: int, z: float) -> PlaceNpcGhost:
    return PlaceNpcGhost(alias=alias, model=CAR, position=(0.0, 80.0, z), rotation=(0.0, 0.0, 0.0))


def test_a_ghost_far_from_the_ground_stays_there_and_is_reported_once():
    world, lines = world_on_street(), []
    journal = Journal(lines.append)
    watch = HeightWatch(world.scene, journal)
    for _ in range(5):
        commands = (ghost(3, 2.0), ghost(4, 0.2), ghost(5, -1.0))
        world.do(*commands)
        watch(world.now, commands)
    assert world.now.ghost.z.tolist() == [2.0, 0.2, -1.0]
    assert journal.counts[OFF_GROUND] == 2
    assert any("ghost 3 at (0.0, 80.0): it is 2.00 m above the ground" in line for line in lines)
    assert any("ghost 5" in line and "1.00 m below" in line for line in lines)


def test_obstacles_of_commands_and_scenarios_are_reported_too_but_not_what_drops_or_has_no_height():
    world = world_on_street()
    journal = Journal([].append)
    watch = HeightWatch(world.scene, journal)
    turn = (0.0, 0.0, 0.0)
    watch(
        world.now, (PlaceObstacle(9, (0.0, 80.0, 0.0), turn), CreateAs(1, SpawnObstacle(0, 1, (0.0, 80.0, math.nan))))
    )
    watch(world.now, (CreateAs(2, SpawnObstacle(0, 1, (0.0, 80.0, 3.0), drop=True)),))
    assert journal.counts[OFF_GROUND] == 0
    watch(world.now, (PlaceObstacle(10, (0.0, 80.0, 0.5), turn), CreateAs(3, SpawnObstacle(0, 1, (0.0, 80.0, 3.0)))))
    assert journal.counts[OFF_GROUND] == 2


def test_what_is_put_beyond_the_map_is_reported_whatever_it_is():
    world = world_across(bank(2.0), 10.0, 0.0)  # this ground has no land: all of it is beyond the edge
    place, turn = (5.0, 9.0, math.nan), (0.0, 0.0, 0.0)
    for made, name in (
        (SpawnObstacle(0, 1, place), "obstacle"),
        (CreateNamed(SpawnPedestrian(0, 0, place, 0.0), "Ann"), "pedestrian 'Ann'"),
        (CreateNpc(model=CAR, position=place), "NPC vehicle"),
        (CreateAs(7, CreateVehicle(model=CAR, position=place)), "vehicle 7 of the scenario"),
        (PlaceNpcGhost(alias=3, model=CAR, position=place, rotation=turn), "ghost 3"),
    ):
        lines: list[str] = []
        HeightWatch(world.scene, Journal(lines.append))(world.now, (made, made))
        assert lines == [f"off the ground: {name} at (5.0, 9.0): (5, 9) is beyond the edge of the map"]
    HeightWatch(world.scene, Journal(lines.append))(world.now, (CreateNpc(model=CAR, link=0, s=9.0),))
    assert len(lines) == 1, "what comes onto a lane is on the map"


def test_vehicles_and_people_come_down_by_themselves_and_nothing_is_said():
    world, lines = world_on_street(), []
    watch = HeightWatch(world.scene, Journal(lines.append))
    commands = (CreateNpc(model=CAR, position=(0.0, 80.0, 2.0)), SpawnPedestrian(0, 0, (0.0, 95.0, 2.0), 0.0))
    world.do(*commands)
    watch(world.now, commands)
    world.run(1.0)
    assert abs(world.now.traffic.z[0]) < 0.3
    assert abs(world.now.people.state.z[0]) < 0.3
    assert not lines
