"""A generator for every command: legal ones, gentle or at the end of what is legal, now and then about nobody."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any, get_args

from dorosim.road.signal import PedestrianPhase
from dorosim.world.category import Category, RemoveCategories
from dorosim.world.command.actor import NEW_ACTOR
from dorosim.world.command.catalogue import Command
from dorosim.world.command.scenario import CreateAs, Making
from dorosim.world.command.traffic import (
    ChangeNpc,
    CreateNpc,
    EnableSpawnPoints,
    PauseActor,
    PauseRun,
    PlaceNpcGhost,
    RemoveActor,
    RemoveSpawnPoints,
    SetPedestrianSpawnPoints,
    SetVehicleSpawnPoints,
)
from dorosim.world.command.vehicle import (
    ChangeLimits,
    CreateVehicle,
    DriveGroundState,
    DriveGroundVehicle,
    DriveVehicle,
    FollowTrajectory,
    PlaceGhost,
    PlaceVehicle,
    SelectCamera,
    SelectMode,
    SetCruise,
    SetLamps,
)
from dorosim.world.fault.code import POSSIBLE, FaultLocation, FaultTarget
from dorosim.world.fault.command import SetControlFault, SetSensorFault, SetTireFault
from dorosim.world.fault.table import FaultModel
from dorosim.world.friction.command import (
    CreateFrictionArea,
    CreateMapObject,
    RemoveMapObject,
    SetFrictionArea,
    SetRoadFriction,
)
from dorosim.world.obstacle import OBSTACLE_MODELS, DriveObstacle, PauseObstacle, PlaceObstacle, SpawnObstacle
from dorosim.world.pedestrian.command import (
    DrivePedestrian,
    PausePedestrian,
    Progress,
    RoutePedestrian,
    SpawnPedestrian,
    StartPedestrian,
)
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.signal_command import LAMPS, SetIntersection, SetLight, SetSchedule, TimedColours
from dorosim.world.spawn.mode import BiasRule, CharacterMode, SpeedRange, SpeedRule
from dorosim.world.spawn.point import Destination, PedestrianSpawnPoint, VehicleSpawnPoint
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear, SteerType, TurnLamp
from dorosim.world.weather import Season, SetSeason, SetSky, SetTimeOfDay, SetWeather, ShowPuddles, WeatherKind
from tests.system.chooser import Chooser

Generator = Callable[[Chooser], Command]
COMMANDS: tuple[type[Any], ...] = get_args(Command)
"""Every class of command."""
DRIVEN = (ControlKind.PEDALS, ControlKind.VELOCITY, ControlKind.ACCELERATION)
MODES = (ControlMode.KEEP, ControlMode.AUTO, ControlMode.AUTO, ControlMode.KEYBOARD, ControlMode.CRUISE)
COLOURS = ("R", "Y", "SG", "LG", "G_with_GLeft", "R_with_GLeft", "R_LLG")
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
        mass=c.maybe(c.one_of((1.0, 800.0, 20_000.0, 1e6))),
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
    )


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


def _spawn_pedestrian(c: Chooser) -> Command:
    way = c.waypoints(fastest=12.5)
    progress = Progress(c.place(), c.angle(), c.whole(0, len(way)), c.happens(), c.number(0.0, 100.0))
    return SpawnPedestrian(
        NEW_ACTOR,
        c.whole(0, len(PEDESTRIAN_MODELS) - 1),
        c.place(),
        c.angle(),
        speed=c.number(0.0, 12.5),
        active_distance=c.one_of((0.0, c.number(0.0, 1e6))),
        move_distance=c.number(0.0, 50.0),
        start=c.happens(0.7),
        way=way,
        mode=c.code(CharacterMode),
        leaves=c.happens(),
        origin=c.one_of((0, 0, c.spawn_point())),
        progress=progress if c.happens(0.2) else None,
    )


def _route_pedestrian(c: Chooser) -> Command:
    return RoutePedestrian(c.person(), c.waypoints(fastest=12.5), c.code(CharacterMode))


def _drive_pedestrian(c: Chooser) -> Command:
    size = c.one_of((1.0, 1.0, 1e-300, 5e-324, 1e300))
    direction = (c.number(-1.0, 1.0) * size, c.number(-1.0, 1.0) * size, c.number(-1.0, 1.0))
    return DrivePedestrian(c.person(), direction, c.number(0.0, 12.5))


def _spawn_obstacle(c: Chooser) -> Command:
    size = c.one_of((1.0, 1.0, 1.0, 0.01, 100.0))
    return SpawnObstacle(
        NEW_ACTOR,
        c.whole(0, len(OBSTACLE_MODELS) - 1),
        c.place(),
        c.rotation(),
        scale=(size, min(c.number(0.5, 2.0) * max(size, 0.02), 100.0), size),
        way=c.waypoints(fastest=100.0),
        move_speed=c.number(0.0, 100.0),
        active_distance=c.one_of((0.0, c.number(0.0, 1e6))),
        fallback=c.happens(),
    )


def _drive_obstacle(c: Chooser) -> Command:
    fast = c.one_of((2.0, 2.0, 100.0))
    velocity = (c.number(-fast, fast), c.number(-fast, fast))
    return DriveObstacle(c.obstacle(), velocity, c.number(-fast, fast), c.maybe(c.number(-5.0, 30.0)))


def _set_light(c: Chooser) -> Command:
    lights = len(c.scene.signal_plan.ids)
    light = c.one_of((-1, lights)) if c.happens(0.05) else c.whole(0, lights - 1)
    lamps = c.one_of((-1, 1, 4, 16, 32, 48, c.whole(1, LAMPS), 2, 0))
    return SetLight(light, lamps, once=c.happens(), siblings=c.happens())


def _controller(c: Chooser) -> int:
    count = len(c.scene.signal_plan.groups)
    return c.one_of((-1, count)) if c.happens(0.05) else c.whole(0, count - 1)


def _set_intersection(c: Chooser) -> Command:
    return SetIntersection(_controller(c), c.whole(0, 5), c.number(0.0, 30.0))


def _set_schedule(c: Chooser) -> Command:
    row = _controller(c)
    plan, programme = c.scene.signal_plan, c.now.signal.programme
    groups, count = int(plan.groups[min(max(row, 0), len(plan.groups) - 1)]), c.whole(1, 5)
    states = tuple(
        TimedColours(c.one_of((0.1, c.number(0.1, 20.0), 86_400.0)), tuple(c.one_of(COLOURS) for _ in range(groups)))
        for _ in range(count)
    )
    if c.happens(0.3):
        states, count = (), int(programme.count[min(max(row, 0), len(plan.groups) - 1)])
    yellow = tuple(c.number(0.0, 4.0) for _ in range(count)) if c.happens() else ()
    phases = tuple(
        PedestrianPhase(
            c.whole(0, count - 1), c.whole(0, max(groups - 1, 0)), c.number(0, 1), c.number(0.01, 3), c.number(0, 2)
        )
        for _ in range(c.whole(0, 3) if count else 0)
    )
    return SetSchedule(row, states, yellow, c.maybe(phases))


def _fault(c: Chooser, target: FaultTarget) -> dict[str, Any]:
    subclass = 0 if c.happens(0.2) else int(c.one_of(POSSIBLE[target]))
    given: dict[str, Any] = {"fault_class": subclass // 100, "fault_subclass": subclass}
    for one in fields(FaultModel):
        if c.happens(0.3):
            edge = 1.0 if one.name.endswith("loss") else c.one_of((1.0, 10.0, 1e6))
            low = -edge if one.name in {"magnitude", "rate", "amplitude"} else 0.0
            given[one.name] = c.number(low, edge) or 0.5
    return given | {"duration": c.one_of((None, 1e-12, c.number(0.01, 3.0), 1e8)), "actor": c.vehicle()}


def _set_control_fault(c: Chooser) -> Command:
    return SetControlFault(**_fault(c, FaultTarget.CONTROL), location=int(c.code(FaultLocation)))


def _set_tire_fault(c: Chooser) -> Command:
    return SetTireFault(**_fault(c, FaultTarget.TIRE), tire=c.whole(0, 3))


def _set_sensor_fault(c: Chooser) -> Command:
    offset = (c.number(-1e3, 1e3), c.number(-1.0, 1.0), 0.0)
    return SetSensorFault(**_fault(c, FaultTarget.SENSOR), sensor=c.whole(0, 4), position_offset=offset)


def _set_sky(c: Chooser) -> Command:
    return SetSky(
        rain=c.maybe(c.number(0.0, 5e-5)),
        snow=c.maybe(c.number(0.0, 5e-6)),
        visibility=c.maybe(c.number(10.0, 1e5)),
        cloud=c.maybe(c.number(0.0, 1.0)),
        wind=c.maybe(c.number(0.0, 40.0)),
        at_once=c.happens(),
    )


def _area(c: Chooser) -> tuple[float, float, float, float]:
    return c.number(0.0, 30.0), c.number(0.0, 10_000.0), c.number(0.0, 10.0), c.number(0.0, 2.0)


def _create_friction_area(c: Chooser) -> Command:
    along, across, height, grip = _area(c)
    return CreateFrictionArea(
        position=c.place(),
        rotation=c.rotation(),
        vertical_radius=along,
        horizontal_radius=across,
        height=height,
        multiplier=grip,
    )


def _create_as(c: Chooser) -> Command:
    make: Any = GENERATORS[c.one_of(get_args(Making))](c)
    return CreateAs(c.whole(1, ALIASES), make)


GENERATORS: dict[type[Any], Generator] = {
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
    PlaceNpcGhost: _place_npc_ghost,
    SetVehicleSpawnPoints: _vehicle_points,
    SetPedestrianSpawnPoints: _pedestrian_points,
    EnableSpawnPoints: lambda c: EnableSpawnPoints(c.happens(), _some_points(c)),
    RemoveSpawnPoints: lambda c: RemoveSpawnPoints(_some_points(c)),
    SpawnPedestrian: _spawn_pedestrian,
    StartPedestrian: lambda c: StartPedestrian(c.person()),
    RoutePedestrian: _route_pedestrian,
    DrivePedestrian: _drive_pedestrian,
    PausePedestrian: lambda c: PausePedestrian(c.person(), c.happens(0.3)),
    SpawnObstacle: _spawn_obstacle,
    PlaceObstacle: lambda c: PlaceObstacle(c.obstacle(), c.place(), c.rotation()),
    DriveObstacle: _drive_obstacle,
    PauseObstacle: lambda c: PauseObstacle(c.obstacle(), c.happens(0.3)),
    SetLight: _set_light,
    SetIntersection: _set_intersection,
    SetSchedule: _set_schedule,
    SetControlFault: _set_control_fault,
    SetTireFault: _set_tire_fault,
    SetSensorFault: _set_sensor_fault,
    SetWeather: lambda c: SetWeather(c.code(WeatherKind), c.happens()),
    SetSky: _set_sky,
    SetSeason: lambda c: SetSeason(c.code(Season)),
    SetTimeOfDay: lambda c: SetTimeOfDay(c.number(0.0, 86_400.0), c.happens()),
    SetRoadFriction: lambda c: SetRoadFriction(c.number(0.0, 2.0)),
    ShowPuddles: lambda c: ShowPuddles(c.happens()),
    CreateMapObject: lambda c: CreateMapObject(
        NEW_ACTOR, c.one_of(("Puddle", "Ice", "", "?")), c.place(), c.rotation()
    ),
    CreateFrictionArea: _create_friction_area,
    RemoveMapObject: lambda c: RemoveMapObject(c.map_object()),
    SetFrictionArea: lambda c: SetFrictionArea(c.map_object(), *_area(c)),
    RemoveActor: lambda c: RemoveActor(c.anybody()),
    RemoveCategories: lambda c: RemoveCategories(Category(c.whole(0, 31))),
    PauseActor: lambda c: PauseActor(c.anybody(), c.happens(0.3)),
    PauseRun: lambda c: PauseRun(c.happens(0.3)),
    CreateAs: _create_as,
}
"""How each command is made."""

SELDOM: dict[type[Any], float] = {
    RemoveCategories: 0.05,
    PauseRun: 0.3,
    RemoveActor: 0.5,
    RemoveSpawnPoints: 0.3,
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
