"""A small map, and a world on it that has something of everything."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

import msgspec
import pytest

from dorosim.scenario.load import LoadOptions, select_work
from dorosim.scenario.order import orders_from_work
from dorosim.scenario.plan import (
    EgoPlan,
    LanePosition,
    ObstaclePlan,
    PlannedPedestrian,
    ScenarioPlan,
    VehiclePlan,
)
from dorosim.world.environment.command import CreateFrictionArea, PlaceShade
from dorosim.world.spawn.mode import BiasRule, CharacterMode, LengthSet, SpeedRange, SpeedRule
from dorosim.world.spawn.point import Destination, PedestrianSpawnPoint, VehicleSpawnPoint
from dorosim.world.vehicle.mode import ControlMode, Gear
from dorosim.world.waypoint import Waypoint
from tests.road.small_map import network_of, straight
from tests.world.stage import Stage

SMALL = network_of(
    straight("A", "N0", "N1", (0, 0, 0), (100, 0, 0), max_speed=72),
    straight("B", "N1", "N2", (100, 0, 0), (200, 0, 0), max_speed=36),
)


WORLD = ScenarioPlan(
    map_name="small",
    ego=EgoPlan(
        model="2015_Kia_K5",
        data_id=20100005,
        position=(1.25, 0.3, 0.1),
        rotation=(0.01, -0.02, 3.0),
        speed=11.1,
        gear=Gear.D,
        mode=ControlMode.CRUISE,
        desired_speed=13.3,
    ),
    vehicles=(
        VehiclePlan(
            id=5,
            model="2018_Hyundai_ElecCity",
            data_id=30100004,
            position=(33.3, 0.2, 0.0),
            rotation=(0.0, 0.0, 0.001),
            speed=7.7,
            desired_ratio=0.9,
            place=LanePosition(0, 33.3),
            start=LanePosition(0, 1.7),
            end=LanePosition(1, 99.9),
            loop_start=LanePosition(0, 0.0),
            ahead=1,
            route=(0, 1, 0),
            close_loop=True,
            lane_change=True,
            bias_rule=BiasRule.GAUSSIAN,
            bias=0.15,
            spawn_point=70,
            destination=71,
        ),
        VehiclePlan(
            id=6,
            model="2023_Hyundai_Ioniq5",
            data_id=30200006,
            position=(40.0, 70.0, 0.0),
            desired_speed=12.0,
            place=None,
            is_ego=True,
            gear=Gear.R,
            mode=ControlMode.CRUISE,
        ),
    ),
    pedestrians=(
        PlannedPedestrian(
            id=9,
            model="runner",
            data_id=50100001,
            position=(5.0, 5.0, 0.2),
            rotation=(0.0, 0.0, -1.5),
            speed=1.4,
            active_distance=20.0,
            move_distance=30.0,
            moved=2.5,
            active=False,
            mode=CharacterMode.NEW_PATH,
            start=(5.0, 2.5, 0.2),
            start_yaw=1.25,
            waypoints=(Waypoint(5.0, 7.0, 0.2), Waypoint(6.0, 8.0, 0.2, 3.5, 0.9)),
            waypoint_index=2,
            back=True,
            spawn_point=80,
        ),
    ),
    obstacles=(
        ObstaclePlan(
            id=10,
            model="cone",
            data_id=40100003,
            position=(8.0, -3.0, 0.0),
            scale=(1.0, 2.0, 0.5),
            speed=0.7,
            active_distance=15.0,
            waypoints=(Waypoint(8.0, 3.0, 0.0),),
        ),
    ),
    vehicle_spawn_points=(
        VehicleSpawnPoint(
            id=70,
            x=10.0,
            y=0.0,
            z=0.0,
            yaw=0.1,
            enabled=False,
            model=3,
            lengths=LengthSet.MINI | LengthSet.LARGE,
            start_link=0,
            start_s=10.6,
            end_link=1,
            end_s=50.2,
            destination=71,
            close_loop=True,
            lane_change=False,
            maximum=4,
            shortest_period=2.5,
            longest_period=3.5,
            speed_rule=SpeedRule.LINK,
            lowest_speed=1.0,
            highest_speed=2.0,
            lowest_speed_ratio=0.3,
            highest_speed_ratio=0.4,
            desired_range=SpeedRange.CONSTANT,
            desired_rule=SpeedRule.CUSTOM,
            lowest_desired=9.0,
            highest_desired=10.0,
            lowest_desired_ratio=0.7,
            highest_desired_ratio=0.8,
            bias_rule=BiasRule.GAUSSIAN,
            lowest_bias=-0.2,
            highest_bias=0.1,
            safety_distance=6.0,
            time_to_collision=2.0,
            wait=1.5,
            spawned=17,
        ),
    ),
    pedestrian_spawn_points=(
        PedestrianSpawnPoint(
            id=80,
            x=1.0,
            y=6.0,
            z=0.2,
            yaw=-0.4,
            enabled=False,
            model=1,
            mode=CharacterMode.LOOP,
            minimum=2,
            maximum=6,
            period=12.0,
            wait=4.5,
            spawned=3,
            destinations=(Destination(4.0, 6.0, 0.2, 0.3, 2.0, 1.5),),
        ),
    ),
    friction_areas=(
        (
            90,
            CreateFrictionArea(
                model="Puddle",
                position=(50.0, 0.0, 0.0),
                vertical_radius=3.0,
                horizontal_radius=1.5,
                height=0.2,
                multiplier=0.4,
            ),
        ),
    ),
    shaded_areas=(PlaceShade(alias=91, position=(60.0, 0.0, 0.0), rotation=(0.0, 0.0, 0.7), size=(10.0, 4.0, 6.0)),),
)

LIVE = replace(
    WORLD,
    pedestrians=tuple(replace(one, model="child") for one in WORLD.pedestrians),
)
"""The same with models that the world has."""


def load(stage: Stage, plan: ScenarioPlan, **options):
    """Load a plan in a tick of no duration; returns the notes."""
    orders = orders_from_work(select_work(plan, LoadOptions(**options)), stage.now, stage.scene)
    stage.apply(*orders.commands)
    return orders.notes


def assert_same(found, wanted, path) -> None:
    """Equal, but for the last digits of numbers that change their unit on the way."""
    if is_dataclass(wanted) or isinstance(wanted, msgspec.Struct):
        assert type(found) is type(wanted), path
        for field in fields(wanted) if is_dataclass(wanted) else msgspec.structs.fields(wanted):
            assert_same(getattr(found, field.name), getattr(wanted, field.name), f"{path}.{field.name}")
    elif isinstance(wanted, tuple):
        assert len(found) == len(wanted), path
        for number, (left, right) in enumerate(zip(found, wanted, strict=True)):
            assert_same(left, right, f"{path}[{number}]")
    elif isinstance(wanted, float):
        assert found == pytest.approx(wanted, rel=1e-12, abs=1e-12, nan_ok=True), path
    else:
        assert found == wanted, path
