"""Nothing is made inside of what is there already, standing or moving."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dorosim.world.collision.room import blocked_egos
from dorosim.world.command import Command
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import obstacle_model_row
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.vehicle.command import CreateVehicle, DriveVehicle
from dorosim.world.vehicle.mode import ControlKind
from tests.world.collision.standing import CAR, changed, scenery_of, world_among
from tests.world.world import World, street

NOTHING = scenery_of([])


def makers(x: float, y: float) -> list[Command]:
    """A command for each kind of actor that would put one at a place."""
    return [
        SpawnObstacle(actor=0, model=obstacle_model_row("cone")[0], position=(x, y, 0.0)),
        SpawnPedestrian(actor=0, model=0, position=(x, y, 0.0), yaw=0.0),
        CreateVehicle(model=CAR, position=(x, y, 0.0)),
        CreateNpc(model=CAR, position=(x, y, 0.0)),
    ]


@pytest.mark.parametrize("maker", range(4))
def test_a_driving_vehicle_leaves_no_room_where_it_is_and_room_where_it_was(maker):
    world = world_among(NOTHING, (100.0, 0.0, 0.0))
    world.do(DriveVehicle(1, ControlKind.VELOCITY, velocity=20.0))
    world.now = changed(world.now, velocity_x=20.0)
    world.run(2.0)
    here = float(world.now.vehicle.x[0])
    assert here > 130.0
    assert "no room at" in (why := world.refuse(makers(here, 0.0)[maker]))
    assert "vehicle 1 is there" in why
    world.do(makers(100.0, 0.0)[maker])


def test_a_command_sees_what_the_ones_before_it_in_a_tick_have_made():
    world = world_among(NOTHING, (0.0, 0.0, 0.0))
    cone = makers(50.0, 20.0)[0]
    world.do(cone)
    for number, maker in enumerate(makers(50.0, 20.0)):
        assert f"obstacle {2} is there" in world.refuse(maker), number


def test_bodies_at_other_heights_and_just_beside_leave_room():
    world = world_among(NOTHING, (0.0, 0.0, 0.0))
    box = obstacle_model_row("concrete_barrier")[0]
    (first,) = world.do(SpawnObstacle(actor=0, model=box, position=(50.0, 20.0, 0.0)))
    assert first
    height, width = float(world.now.obstacles.state.height[0]), float(world.now.obstacles.state.width[0])
    world.do(SpawnObstacle(actor=0, model=box, position=(50.0, 20.0, height)))
    world.do(SpawnObstacle(actor=0, model=box, position=(50.0, 20.0 + width, 0.0)))
    world.refuse(SpawnObstacle(actor=0, model=box, position=(50.0, 20.0 + 0.9 * width, 0.0)))


def test_people_may_come_where_people_are_and_come_apart():
    world = world_among(NOTHING, (0.0, 0.0, 0.0))
    world.do(*(makers(50.0, 20.0)[1] for _ in range(3)))
    assert world.now.people.state.rows == 3


def test_ego_vehicles_that_start_inside_of_something_are_found():
    wall = scenery_of([(100.0, 0.0, 0.0, 4.0, 4.0)])
    places = ((0.0, 0.0, 0.0), (97.0, 0.0, 0.0), (3.0, 0.5, 0.2), (-20.0, 0.0, 0.0))
    world = World(replace(street(), scenery=wall), [(CAR, (x, y, 0.0), yaw) for x, y, yaw in places])
    assert list(blocked_egos(world.scene, world.now)) == [(1, "a sign stands there"), (2, "ego vehicle 1 is there")]


@pytest.mark.parametrize("thing", ["cone", "pedestrian", "ghost", "stander"])
def test_an_npc_vehicle_comes_onto_no_lane_inside_of_something_that_is_there(thing):
    world = world_among(NOTHING, (-100.0, 60.0, 0.0))
    link = world.scene.network.link_index("E1")
    pose = world.scene.network.pose_at(link, 40.0)
    (x, y, z), yaw = pose.point[0].tolist(), float(pose.heading[0])
    world.do(
        {
            "cone": SpawnObstacle(actor=0, model=obstacle_model_row("cone")[0], position=(x, y, z)),
            "pedestrian": SpawnPedestrian(actor=0, model=0, position=(x, y, z), yaw=0.0),
            "ghost": PlaceNpcGhost(alias=7, model=CAR, position=(x, y, z), rotation=(0.0, 0.0, yaw)),
            "stander": CreateNpc(model=CAR, position=(x, y, z), rotation=(0.0, 0.0, yaw + 1.5)),
        }[thing]
    )
    assert "is taken" in world.refuse(CreateNpc(model=CAR, link=link, s=39.0))
    world.do(CreateNpc(model=CAR, link=link, s=39.0, move_on=True))
    world.do(CreateNpc(model=CAR, link=link, s=15.0))
