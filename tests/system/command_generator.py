"""A generator for every command: legal ones, gentle or at the end of what is legal, now and then about nobody."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, get_args

from dorosim.world.actor.command import (
    Category,
    CreateAs,
    CreateNamed,
    EnableDriver,
    Making,
    PauseActor,
    PauseRun,
    PlaceActor,
    RemoveActor,
    RemoveCategories,
    SetGoal,
    SetLabel,
    SetLaneOffset,
    SetSpeed,
)
from dorosim.world.command import Command
from dorosim.world.effect import EFFECTS
from dorosim.world.environment.command import CreateMapObject, SetStandingWater
from dorosim.world.mount.command import RemoveAllSensors
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.spawn.command import (
    EnableSpawnPoints,
    RemoveSpawnPoints,
    SetPedestrianSpawnPoints,
    SetVehicleSpawnPoints,
)
from dorosim.world.spawn.mode import BiasRule, CharacterMode, SpeedRange, SpeedRule
from dorosim.world.spawn.point import Destination, PedestrianSpawnPoint, VehicleSpawnPoint
from dorosim.world.storyboard.command import SetUserDefinedValue, ShowSignal, SpawnTraffic, StopStoryboard
from dorosim.world.traffic.command import ChangeDriver, ChangeNpc, CreateNpc, PlaceNpcGhost
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.vehicle.command import (
    ChangeLimits,
    CreateVehicle,
    DisturbControl,
    DriveByKeyboard,
    DriveGroundState,
    DriveGroundVehicle,
    DriveVehicle,
    FollowTrajectory,
    LeaveKeyboard,
    LimitControl,
    PlaceGhost,
    PlaceVehicle,
    SelectCamera,
    SelectMode,
    SetCruise,
    SetLamps,
    SteerVehicle,
    TakeKeyboard,
    WishLane,
)
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear, SteerType, TurnLamp
from tests.system.chooser import Chooser
from tests.system.sensor_generator import SENSORS
from tests.system.storyboard_generator import STORYBOARD
from tests.system.surroundings_generator import SURROUNDINGS

Generator = Callable[[Chooser], Command]
COMMANDS: tuple[type[Any], ...] = tuple(EFFECTS)
"""Every class of command."""
DRIVEN = (ControlKind.PEDALS, ControlKind.VELOCITY, ControlKind.VELOCITY_BY_ABILITY, ControlKind.ACCELERATION)
MODES = (ControlMode.KEEP, ControlMode.AUTO, ControlMode.AUTO, ControlMode.KEYBOARD, ControlMode.CRUISE)
ALIASES = 12
"""How many ids the scenario and the sender of ghosts have, so that they use them again."""


def _model(c: Chooser) -> str:
    return "no such car" if c.happens(0.03) else c.one_of(VEHICLE_MODELS).name


def _create_vehicle(c: Chooser) -> Command:
    return CreateVehicle(
        model=_model(c),
        position=c.place(),
        rotation=c.rotation(),
        speed=c.number(-20.0, 60.0),
        gear=c.code(Gear),
        mode=c.one_of(MODES),
        cruise_ratio=c.number(0.0, 10.0),
        cruise_speed=c.number(0.0, 300.0),
        paused=c.happens(0.1),
    )


def _drive(c: Chooser) -> Command:
    return DriveVehicle(
        c.vehicle(),
        c.one_of(DRIVEN),
        c.one_of(MODES),
        c.maybe(c.code(Gear)),
        accelerator=c.number(0.0, 1.0),
        brake=c.number(0.0, 1.0),
        velocity=c.number(-300.0, 300.0),
        acceleration=c.number(-100.0, 100.0),
        steer=c.number(-1.5, 1.5),
        rear_steer=c.number(-1.5, 1.5),
    )


def _drive_by_keyboard(c: Chooser) -> Command:
    return DriveByKeyboard(
        c.vehicle(),
        accelerator=c.number(0.0, 1.0),
        brake=c.number(0.0, 1.0),
        steer=c.number(-1.5, 1.5),
        gear=c.maybe(c.code(Gear)),
    )


def _drive_ground(c: Chooser) -> Command:
    angles = tuple(c.number(-1.5, 1.5) for _ in range(c.whole(0, 12)))
    return DriveGroundVehicle(c.vehicle(), c.code(SteerType), c.number(-1.0, 1.0), c.number(-1.0, 1.0), angles)


def _follow(c: Chooser) -> Command:
    x, y, z = c.place()
    points = []
    for _ in range(c.whole(1, 34)):
        x, y = x + c.number(-5.0, 20.0), y + c.number(-10.0, 10.0)
        points.append((min(max(x, -1e6), 1e6), min(max(y, -1e6), 1e6), z, c.number(-300.0, 300.0)))
    return FollowTrajectory(c.vehicle(), tuple(points))


def _place_ghost(c: Chooser) -> Command:
    return PlaceGhost(c.vehicle(), c.place(), c.rotation(math.pi), c.number(-277.0, 277.0), c.number(-1.5, 1.5))


def _place_vehicle(c: Chooser) -> Command:
    return PlaceVehicle(
        c.vehicle(), c.place(), c.rotation(), c.number(-30.0, 60.0), c.code(Gear), c.one_of((*MODES, ControlMode.GHOST))
    )


def _change_limits(c: Chooser) -> Command:
    return ChangeLimits(
        c.vehicle(),
        mass=c.maybe(c.one_of((1.0, 800.0, 2_500.0, 20_000.0))),
        max_steer=c.maybe(c.number(0.0, 1.57)),
        max_rear_steer=c.maybe(c.number(0.0, 1.57)),
        steer_rate=c.maybe(c.number(1e-3, 100.0)),
        max_speed=c.maybe(c.number(0.0, 300.0)),
        max_reverse_speed=c.maybe(c.number(0.0, 300.0)),
        max_acceleration=c.maybe(c.number(0.0, 100.0)),
        max_deceleration=c.maybe(c.number(0.0, 100.0)),
    )


def _create_npc(c: Chooser) -> Command:
    link, network = c.link(), c.scene.network
    length = float(network.link_length[link]) if 0 <= link < network.link_count else 10.0
    return CreateNpc(
        model=_model(c),
        link=link,
        s=c.number(0.0, length),
        speed=c.number(0.0, 30.0),
        ratio=c.number(0.0, 2.0),
        exact_ratio=c.happens(),
        desired_speed=c.one_of((0.0, 0.0, c.number(0.0, 300.0))),
        way=c.way() if c.happens(0.3) else (),
        end=c.link() if c.happens(0.2) else -1,
        close_loop=c.happens(),
        lane_change=c.happens(),
        bias_rule=c.code(BiasRule),
        bias=c.number(-1.0, 1.0),
        spawn_point=c.one_of((0, 0, c.spawn_point())),
        ahead=c.link() if c.happens(0.2) else -1,
        move_on=c.happens(),
        paused=c.happens(0.1),
        position=c.place() if c.happens(0.2) else None,
        rotation=(0.0, c.number(-0.3, 0.3), c.number(-4.0, 4.0)),
    )


def _change_driver(c: Chooser) -> Command:
    time_gap, acceleration, deceleration = (c.maybe(c.number(0.0, 12.0)) for _ in range(3))
    return ChangeDriver(c.npc(), time_gap, c.maybe(c.number(0.0, 60.0)), acceleration, deceleration)


def _change_npc(c: Chooser) -> Command:
    return ChangeNpc(
        c.npc(),
        ratio=c.maybe(c.number(0.0, 10.0)),
        desired_speed=c.maybe(c.number(0.0, 300.0)),
        way=c.maybe(c.way()),
        end=c.maybe(c.link()),
        close_loop=c.maybe(c.happens()),
        lane_change=c.maybe(c.happens()),
        bias=c.maybe(c.number(-1.0, 1.0)),
    )


def _place_npc_ghost(c: Chooser) -> Command:
    return PlaceNpcGhost(c.whole(-ALIASES, ALIASES), _model(c), c.place(), c.rotation(math.pi))


def _vehicle_point(c: Chooser) -> VehicleSpawnPoint:
    x, y, z = c.place()
    link, network = c.link(), c.scene.network
    length = float(network.link_length[link]) if 0 <= link < network.link_count else 10.0
    return VehicleSpawnPoint(
        id=c.one_of((0, 0, c.spawn_point())),
        x=x,
        y=y,
        z=z,
        yaw=c.angle(),
        enabled=c.happens(0.8),
        model=c.whole(-1, len(VEHICLE_MODELS) - 1),
        lengths=c.whole(0, 31),
        start_link=link,
        start_s=c.number(0.0, length),
        end_link=c.one_of((-1, c.link())),
        end_s=c.number(0.0, 300.0),
        close_loop=c.happens(),
        lane_change=c.happens(),
        maximum=c.whole(0, 4),
        shortest_period=c.number(0.0, 1.0),
        longest_period=c.number(0.0, 3.0),
        speed_rule=c.code(SpeedRule),
        lowest_speed=c.number(0.0, 20.0),
        highest_speed=c.number(0.0, 60.0),
        lowest_speed_ratio=c.number(0.0, 1.0),
        highest_speed_ratio=c.number(0.0, 3.0),
        desired_range=c.code(SpeedRange),
        desired_rule=c.code(SpeedRule),
        lowest_desired=c.number(0.0, 20.0),
        highest_desired=c.number(0.0, 1e4),
        lowest_desired_ratio=c.number(0.0, 1.0),
        highest_desired_ratio=c.number(0.0, 3.0),
        bias_rule=c.code(BiasRule),
        lowest_bias=c.number(-2.0, 1.0),
        highest_bias=c.number(-1.0, 2.0),
        safety_distance=c.number(0.0, 10.0),
        time_to_collision=c.number(0.0, 3.0),
        wait=c.one_of((math.nan, 0.0, c.number(-1.0, 2.0), math.inf)),
        spawned=c.whole(0, 5),
    )


def _pedestrian_point(c: Chooser) -> PedestrianSpawnPoint:
    x, y, z = c.place()
    goals = tuple(
        Destination(point.x, point.y, point.z, c.angle(), c.number(0.0, 9.0), c.number(0.0, 9.0))
        for point in c.waypoints()
    )
    return PedestrianSpawnPoint(
        id=c.one_of((0, 0, c.spawn_point())),
        x=x,
        y=y,
        z=z,
        yaw=c.angle(),
        enabled=c.happens(0.8),
        model=c.whole(-1, len(PEDESTRIAN_MODELS) - 1),
        mode=c.code(CharacterMode),
        minimum=c.whole(0, 3),
        maximum=c.whole(0, 4),
        period=c.number(0.0, 3.0),
        wait=c.one_of((math.nan, 0.0, c.number(-1.0, 2.0))),
        destinations=goals,
    )


def _vehicle_points(c: Chooser) -> SetVehicleSpawnPoints:
    return SetVehicleSpawnPoints(tuple(_vehicle_point(c) for _ in range(c.whole(0, 3))))


def _pedestrian_points(c: Chooser) -> SetPedestrianSpawnPoints:
    return SetPedestrianSpawnPoints(tuple(_pedestrian_point(c) for _ in range(c.whole(0, 3))))


def _some_points(c: Chooser) -> tuple[int, ...]:
    return tuple(c.spawn_point() for _ in range(c.whole(0, 2)))


def _create_named(c: Chooser) -> Command:
    make: Any = GENERATORS[c.one_of((*get_args(Making), CreateMapObject))](c)
    return CreateNamed(make, _name(c), c.one_of(("", "me", "you")))


def _name(c: Chooser) -> str:
    return c.one_of(("", "Ego", "2", "7", "a car", "자동차", "x" * 300, "a\nb", f"car {c.whole(0, 9)}"))


def _create_as(c: Chooser) -> Command:
    make: Any = GENERATORS[c.one_of(get_args(Making))](c)
    return CreateAs(c.whole(1, ALIASES), make)


def _spawn_traffic(c: Chooser) -> Command:
    person = c.whole(0, 8) if c.happens(0.3) else -1
    return SpawnTraffic(
        model="" if person >= 0 else _model(c),
        person=person,
        position=c.place(),
        yaw=c.angle(),
        speed=c.number(0.0, 20.0),
        desired_speed=c.number(0.0, 30.0),
        lane_change=c.happens(0.5),
        owner=c.one_of(("", "me")),
    )


def _limit_control(c: Chooser) -> Command:
    low, high = sorted((c.number(-1.0, 1.0), c.number(0.0, 1.0)))
    return LimitControl(c.vehicle(), c.whole(0, 2), low, high, c.number(0.1, 10.0), c.number(0.1, 10.0), c.happens(0.3))


def _set_goal(c: Chooser) -> Command:
    links = c.way() if c.happens() else (c.link(),)
    return SetGoal(c.one_of((c.vehicle(), c.npc())), links, c.maybe(c.place()), c.number(0.0, 20.0))


GENERATORS: dict[type[Any], Generator] = {
    PlaceActor: lambda c: PlaceActor(c.anybody(), c.place(), c.rotation()),
    SetSpeed: lambda c: SetSpeed(c.anybody(), c.number(-10.0, 40.0)),
    EnableDriver: lambda c: EnableDriver(c.anybody(), c.happens(0.7)),
    SetLaneOffset: lambda c: SetLaneOffset(c.anybody(), c.code(BiasRule), c.number(-1.0, 1.0)),
    SetGoal: _set_goal,
    TakeKeyboard: lambda c: TakeKeyboard(c.vehicle()),
    DriveByKeyboard: _drive_by_keyboard,
    LeaveKeyboard: lambda c: LeaveKeyboard(c.vehicle(), c.one_of(MODES)),
    WishLane: lambda c: WishLane(c.vehicle(), c.place(), c.angle(), c.happens(0.5)),
    SteerVehicle: lambda c: SteerVehicle(c.vehicle(), c.number(-1.5, 1.5)),
    LimitControl: _limit_control,
    DisturbControl: lambda c: DisturbControl(c.vehicle(), c.whole(0, 3), c.number(-1.0, 1.0), c.number(0.0, 2.0)),
    CreateVehicle: _create_vehicle,
    DriveVehicle: _drive,
    DriveGroundVehicle: _drive_ground,
    DriveGroundState: lambda c: DriveGroundState(c.vehicle(), c.number(-300.0, 300.0), c.number(-100.0, 100.0)),
    PlaceGhost: _place_ghost,
    PlaceVehicle: _place_vehicle,
    FollowTrajectory: _follow,
    SelectMode: lambda c: SelectMode(c.vehicle(), c.one_of(MODES), c.maybe(c.code(Gear))),
    SetCruise: lambda c: SetCruise(c.vehicle(), c.number(0.0, 10.0), c.number(0.0, 300.0)),
    ChangeLimits: _change_limits,
    SetLamps: lambda c: SetLamps(c.vehicle(), c.maybe(c.code(TurnLamp)), c.maybe(c.happens())),
    SelectCamera: lambda c: SelectCamera(c.vehicle()),
    CreateNpc: _create_npc,
    ChangeNpc: _change_npc,
    ChangeDriver: _change_driver,
    PlaceNpcGhost: _place_npc_ghost,
    SetVehicleSpawnPoints: _vehicle_points,
    SetPedestrianSpawnPoints: _pedestrian_points,
    EnableSpawnPoints: lambda c: EnableSpawnPoints(c.happens(), _some_points(c)),
    RemoveSpawnPoints: lambda c: RemoveSpawnPoints(_some_points(c)),
    **SURROUNDINGS,
    **SENSORS,
    **STORYBOARD,
    RemoveActor: lambda c: RemoveActor(c.anybody()),
    RemoveCategories: lambda c: RemoveCategories(Category(c.whole(0, 31))),
    PauseActor: lambda c: PauseActor(c.anybody(), c.happens(0.3)),
    PauseRun: lambda c: PauseRun(c.happens(0.3)),
    CreateAs: _create_as,
    CreateNamed: _create_named,
    SetLabel: lambda c: SetLabel(c.anybody(), _name(c), c.one_of(("", "me"))),
    SetStandingWater: lambda c: SetStandingWater(c.number(0.0, 0.01)),
    SetUserDefinedValue: lambda c: SetUserDefinedValue(c.one_of(("one", "other")), c.one_of(("1", "a"))),
    StopStoryboard: lambda _: StopStoryboard(),
    ShowSignal: lambda c: ShowSignal(
        c.one_of(("x", *(one.id for one in c.scene.network.signals.lights[:5]))), c.one_of(("red", "off;off;on", "y"))
    ),
    SpawnTraffic: _spawn_traffic,
}
"""How each command is made."""

SELDOM: dict[type[Any], float] = {
    RemoveCategories: 0.05,
    PauseRun: 0.3,
    RemoveActor: 0.5,
    RemoveSpawnPoints: 0.3,
    RemoveAllSensors: 0.1,
    SetVehicleSpawnPoints: 0.3,
    SetPedestrianSpawnPoints: 0.3,
    CreateVehicle: 0.3,
    DriveVehicle: 4.0,
    CreateNpc: 2.0,
    ChangeNpc: 3.0,
    PlaceNpcGhost: 3.0,
}
"""How often a command comes, over the others, where that is not 1: a world that is empty tells little."""


def any_command(c: Chooser) -> Command:
    """A command of any class."""
    weights = [SELDOM.get(kind, 1.0) for kind in COMMANDS]
    total = sum(weights)
    kind = COMMANDS[int(c.rng.choice(len(COMMANDS), p=[weight / total for weight in weights]))]
    return GENERATORS[kind](c)
