"""Ground truth by the kinds that its filter names, in both APIs, and volumes that are to be drawn."""

from __future__ import annotations

import math

import pytest

from dorosim.world.actor.command import CreateNamed
from dorosim.world.environment.command import CreateMapObject, PlaceShade
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import GroundTruthSettings
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.snapshot import EGO
from dorosim.world.spawn.command import SetPedestrianSpawnPoints, SetVehicleSpawnPoints
from dorosim.world.spawn.point import PedestrianSpawnPoint, VehicleSpawnPoint
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.waypoint import Waypoint
from tests.bridge.grpc.sensor_stage import BOTH, CAR, seen, setting
from tests.bridge.grpc.stage import GrpcStage


@pytest.fixture
def stage() -> GrpcStage:
    """One thing of each kind beside the ego vehicle, which carries ground truth."""
    stage = GrpcStage(egos=((CAR, (0.0, 0.0, 0.0), 0.0),))
    gate = VehicleSpawnPoint(id=0, x=10.0, y=4.0, z=0.0, yaw=1.0, start_link=0, enabled=False, model=0)
    stage.apply(
        AddSensor(EGO, settings=GroundTruthSettings(range_max=1000.0)),
        CreateNamed(SpawnObstacle(0, 1, (20.0, 5.0, 0.0)), "still"),
        CreateNamed(SpawnObstacle(0, 1, (20.0, -5.0, 0.0), way=(Waypoint(60.0, -5.0, 0.0),), move_speed=2.0), "cart"),
        CreateNamed(SetVehicleSpawnPoints((gate,)), "gate"),
        CreateNamed(
            SetPedestrianSpawnPoints((PedestrianSpawnPoint(id=0, x=12.0, y=6.0, z=0.0, enabled=False),)), "door"
        ),
        CreateNamed(CreateMapObject(0, "Puddle", (30.0, 0.0, 0.0), (0.0, 0.0, math.pi / 6)), "pool"),
        PlaceShade(alias=77, position=(40.0, 0.0, 0.0), size=(8.0, 6.0, 4.0)),
    )
    stage.ticks(20)
    return stage


@BOTH
@pytest.mark.parametrize(
    ("kinds", "names"),
    [
        ([], {"still": 4, "cart": 4}),
        ([0], {"still": 4, "cart": 4}),
        ([0, 2], {}),
        ([4], {"still": 4, "cart": 4}),
        ([5], {"gate": 5}),
        ([6], {"cart": 6}),
        ([4, 6], {"still": 4, "cart": 6}),
        ([11], {"door": 11}),
        ([12], {"": 12}),
        ([13], {"pool": 13}),
        ([5, 11, 13], {"gate": 5, "door": 11, "pool": 13}),
        ([7, 8, 9, 10, 14], {}),
    ],
)
def test_kinds_are_told_where_they_are_named(stage, api, kinds, names):
    assert setting(stage, api, filter=kinds) == ""
    assert {name: one.type for name, one in seen(stage, api).items()} == names


@BOTH
def test_things_without_a_body_have_place_heading_and_size(stage, api):
    assert setting(stage, api, filter=[5, 12, 13]) == ""
    found = seen(stage, api)
    gate, shade, pool = found["gate"], found[""], found["pool"]
    assert (gate.name, gate.position.x, gate.position.y) == (VEHICLE_MODELS[0].name, 10.0, 4.0)
    assert (pool.name, pool.heading, pool.position.x) == ("Puddle", 30.0, 30.0)
    assert (pool.size.x, pool.size.y, pool.size.z) == (3.0, 2.0, 0.5)
    assert (shade.name, shade.size.x, shade.size.y, shade.size.z) == ("shaded area 77", 8.0, 6.0, 4.0)
    assert (pool.velocity.x, pool.acceleration.x) == (0.0, 0.0)
    assert list(found) == ["gate", "pool", ""], "the nearest first"


@BOTH
def test_volume_and_number_hold_for_them_too(stage, api):
    assert setting(stage, api, filter=[5, 13], max_count=1) == ""
    assert set(seen(stage, api)) == {"gate"}
    assert setting(stage, api, filter=[5, 13], cylinder_setting={"range": 15.0, "vertical_fov": 90.0}) == ""
    assert set(seen(stage, api)) == {"gate"}


@BOTH
def test_a_volume_is_drawn_as_finely_as_it_is_told(stage, api):
    assert not stage.now.mounts.mount(0).settings.drawn
    assert setting(stage, api, viz=True, shape_type=1, cylinder_setting={"range": 10.0, "segments": 8}) == ""
    settings = stage.now.mounts.mount(0).settings
    assert (settings.drawn, settings.segments) == (True, 8)
    assert setting(stage, api, shape_type=2, cone_setting={"range_max": 10.0, "resolution": 4}) == ""
    settings = stage.now.mounts.mount(0).settings
    assert (settings.drawn, settings.segments, settings.resolution) == (False, 8, 4)
    assert "segments is -1" in setting(stage, api, cylinder_setting={"segments": -1})
    assert "resolution is 100000" in setting(stage, api, cone_setting={"resolution": 100_000})
