"""A generator for every command to people, obstacles and lights, and about faults, friction and weather."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from dorosim.road.signal import PedestrianPhase
from dorosim.world.command import NEW_ACTOR, Command
from dorosim.world.environment.command import (
    CreateFrictionArea,
    CreateMapObject,
    PlaceShade,
    RemoveMapObject,
    RemoveShades,
    SetFrictionArea,
    SetRoadFriction,
    SetSeason,
    SetSky,
    SetStandingWater,
    SetTimeOfDay,
    SetWeather,
    ShowPuddles,
)
from dorosim.world.environment.weather import Season, WeatherKind
from dorosim.world.fault.code import POSSIBLE, FaultLocation, FaultTarget
from dorosim.world.fault.command import SetControlFault, SetSensorFault, SetTireFault
from dorosim.world.fault.table import FaultModel
from dorosim.world.obstacle.command import (
    DriveObstacle,
    PauseObstacle,
    PlaceObstacle,
    ReleaseObstacle,
    ScaleObstacle,
    SpawnObstacle,
)
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.command import (
    DrivePedestrian,
    LeadPedestrian,
    PausePedestrian,
    RoutePedestrian,
    SpawnPedestrian,
    StartPedestrian,
    WalkProgress,
)
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.signal.command import SetIntersection, SetLight, SetSchedule, TimedColours
from dorosim.world.signal.effect import LAMPS
from dorosim.world.spawn.mode import CharacterMode
from tests.system.chooser import Chooser

COLOURS = ("R", "Y", "SG", "LG", "G_with_GLeft", "R_with_GLeft", "R_LLG")


def _spawn_pedestrian(c: Chooser) -> Command:
    way = c.waypoints(fastest=12.5)
    progress = WalkProgress(c.place(), c.angle(), c.whole(0, len(way)), c.happens(), c.number(0.0, 100.0))
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
            edge = 1.0 if one.name.endswith(("loss", "drag")) else c.one_of((1.0, 10.0, 1e6))
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


def _place_shade(c: Chooser) -> Command:
    size = c.number(0.0, 100.0), c.number(0.0, 1e6), c.number(0.0, 20.0)
    return PlaceShade(alias=c.whole(-1, 12), position=c.place(), rotation=c.rotation(), size=size)


SURROUNDINGS: dict[type[Any], Callable[[Chooser], Command]] = {
    SpawnPedestrian: _spawn_pedestrian,
    StartPedestrian: lambda c: StartPedestrian(c.person()),
    RoutePedestrian: _route_pedestrian,
    DrivePedestrian: _drive_pedestrian,
    LeadPedestrian: lambda c: LeadPedestrian(
        c.person(), c.place(), c.angle(), (c.number(-60.0, 60.0), c.number(-60.0, 60.0))
    ),
    PausePedestrian: lambda c: PausePedestrian(c.person(), c.happens(0.3)),
    SpawnObstacle: _spawn_obstacle,
    ReleaseObstacle: lambda c: ReleaseObstacle(c.obstacle(), c.happens(0.7), c.number(0.0, 100.0)),
    ScaleObstacle: lambda c: ScaleObstacle(c.obstacle(), (c.number(0.01, 3.0), c.number(0.005, 2.0), 1.0)),
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
    SetTimeOfDay: lambda c: SetTimeOfDay(c.number(0.0, 86_400.0), c.happens(), c.happens(0.2)),
    SetRoadFriction: lambda c: SetRoadFriction(c.number(0.0, 2.0)),
    SetStandingWater: lambda c: SetStandingWater(c.number(0.0, 0.1)),
    ShowPuddles: lambda c: ShowPuddles(c.happens()),
    CreateMapObject: lambda c: CreateMapObject(
        NEW_ACTOR, c.one_of(("Puddle", "Ice", "", "?")), c.place(), c.rotation()
    ),
    CreateFrictionArea: _create_friction_area,
    RemoveMapObject: lambda c: RemoveMapObject(c.map_object()),
    SetFrictionArea: lambda c: SetFrictionArea(c.map_object(), *_area(c)),
    PlaceShade: _place_shade,
    RemoveShades: lambda _: RemoveShades(),
}
"""How each of them is made."""
