"""What loading a scenario asks of the world: commands, and what the world cannot do as the scenario says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dorosim.ground.error import InputError
from dorosim.road.route import RouteEnd
from dorosim.scenario.load import LoadKind, LoadWork
from dorosim.scenario.plan import (
    EgoPlan,
    ObstaclePlan,
    PlannedPedestrian,
    ScenarioPlan,
    VehiclePlan,
)
from dorosim.world.actor.command import Category, CreateAs, Making, PauseRun, RemoveActor, RemoveCategories
from dorosim.world.command import Command
from dorosim.world.environment.command import RemoveShades
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import obstacle_model_row
from dorosim.world.pedestrian.command import SpawnPedestrian, WalkProgress
from dorosim.world.pedestrian.model import pedestrian_model_row
from dorosim.world.scene import Scene
from dorosim.world.signal.command import SetIntersection
from dorosim.world.signal.signal_program import SECOND
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.spawn.command import SetPedestrianSpawnPoints, SetVehicleSpawnPoints
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import CreateVehicle, PlaceVehicle, SetCruise
from dorosim.world.vehicle.mode import ControlMode, Gear

_CATEGORIES = (
    (LoadKind.VEHICLE, Category.VEHICLE),
    (LoadKind.PEDESTRIAN, Category.PEDESTRIAN),
    (LoadKind.OBSTACLE, Category.OBSTACLE),
    (LoadKind.VEHICLE_SPAWN_POINT | LoadKind.PEDESTRIAN_SPAWN_POINT, Category.SPAWN_POINT),
    (LoadKind.FRICTION_AREA, Category.MAP_OBJECT),
)


@dataclass(frozen=True, slots=True)
class Orders:
    """What loading a scenario asks of the world.

    Attributes:
        commands: in the order in which they are to be applied, all in one tick.
        notes: a line for everything that the world does not do as the scenario says.
    """

    commands: tuple[Command, ...]
    notes: tuple[str, ...]


def orders_from_work(work: LoadWork, now: Snapshot, scene: Scene) -> Orders:
    """The commands that load a scenario.

    What the scenario makes replaces what has the same scenario id in the world. Spawn points come before the actors
    that came from them, and the ego vehicle before the actors that must not stand in its place.

    Args:
        work: what is to be done, as `select_work` chose it; its plan is one that `resolve` made for the scene's map.
        now: the present world.
        scene: what does not change.
    """
    notes: list[str] = []
    commands: list[Command] = list(_deletions(work.delete, now))
    plan = work.create
    if plan.ego is not None:
        commands += _ego(plan.ego, now, scene, notes)
    commands += [CreateAs(alias, make) for alias, make in _making(plan, scene, notes)]
    commands += _controllers(plan.controllers, now, scene, notes)
    commands += plan.shaded_areas
    commands.append(PauseRun(work.pause))
    return Orders(tuple(commands), tuple(notes))


def _deletions(kinds: LoadKind, now: Snapshot) -> Iterator[Command]:
    """The commands that remove everything of some kinds, whatever made it, except the ego vehicle."""
    categories = Category(0)
    for kind, category in _CATEGORIES:
        if kinds & kind:
            categories |= category
    if categories:
        yield RemoveCategories(categories)
    if kinds & LoadKind.SHADED_AREA:
        yield RemoveShades()
    if kinds & LoadKind.VEHICLE:
        for actor in now.egos:
            if actor != EGO:
                yield RemoveActor(actor)


def _ego(ego: EgoPlan, now: Snapshot, scene: Scene, notes: list[str]) -> Iterator[Command]:
    """The commands that put the ego vehicle where the scenario has it. Its model does not change in a run."""
    there = scene.models[int(now.vehicle.model[now.row_of(EGO)])].name
    if there != ego.model:
        notes.append(f"egoVehicle: the ego vehicle stays a {there}; 'dorosim run --vehicle NAME' starts with another")
    # a cruising vehicle drives forwards, whatever its gear was when the scenario was saved
    gear = Gear.D if ego.mode is ControlMode.CRUISE else ego.gear
    yield PlaceVehicle(
        actor=EGO, position=ego.position, rotation=ego.rotation, speed=ego.speed, gear=gear, mode=ego.mode
    )
    if ego.desired_ratio or ego.desired_speed:
        yield SetCruise(actor=EGO, ratio=ego.desired_ratio, speed=ego.desired_speed)


def _making(plan: ScenarioPlan, scene: Scene, notes: list[str]) -> Iterator[tuple[int, Making]]:
    """The scenario's id of everything that is made, and the command that makes it."""
    for point in plan.vehicle_spawn_points:
        yield point.id, SetVehicleSpawnPoints((point,))
    for people_point in plan.pedestrian_spawn_points:
        yield people_point.id, SetPedestrianSpawnPoints((people_point,))
    for vehicle in plan.vehicles:
        yield vehicle.id, _multi_ego(vehicle) if vehicle.is_ego else _npc(vehicle, scene, notes)
    for pedestrian in plan.pedestrians:
        yield pedestrian.id, _pedestrian(pedestrian)
    for obstacle in plan.obstacles:
        yield obstacle.id, _obstacle(obstacle)
    yield from plan.friction_areas


def _multi_ego(one: VehiclePlan) -> CreateVehicle:
    cruises = one.desired_ratio > 0.0 or one.desired_speed > 0.0
    return CreateVehicle(
        model=one.model,
        position=one.position,
        rotation=one.rotation,
        speed=one.speed,
        gear=Gear.D if one.mode is ControlMode.CRUISE else one.gear,
        mode=one.mode,
        cruise_ratio=one.desired_ratio if cruises else 1.0,
        cruise_speed=one.desired_speed,
    )


def _npc(one: VehiclePlan, scene: Scene, notes: list[str]) -> CreateNpc:
    assert one.place is not None
    route = _route_of(one, one.place.link, scene, notes)
    return CreateNpc(
        model=one.model,
        link=one.place.link,
        s=one.place.s,
        speed=one.speed,
        ratio=one.desired_ratio,
        exact_ratio=True,
        desired_speed=one.desired_speed,
        way=route,
        close_loop=one.close_loop and bool(route),
        lane_change=one.lane_change,
        bias_rule=one.bias_rule,
        bias=one.bias,
        spawn_point=one.spawn_point,
        ahead=one.ahead,
        move_on=True,
    )


def _route_of(one: VehiclePlan, here: int, scene: Scene, notes: list[str]) -> tuple[int, ...]:
    """Rows of the links that an NPC vehicle drives along; none, with a note if it should have some, for a random route.

    The product's files say where a route starts and ends, and with a closed loop where it begins again; between
    them it is the shortest.
    """
    if one.route or one.end is None:
        return one.route
    begins = (one.loop_start, one.start) if one.close_loop else ()
    begin = next((place.link for place in begins if place is not None), here)
    try:
        out = _route(scene, begin, one.end.link)
        if not one.close_loop:
            return out
        # a closed route that ends with its first link again is driven once a round over it
        return (*out, *_route(scene, one.end.link, begin)[1:]) if one.end.link != begin else out
    except InputError as error:
        notes.append(f"vehicleList, UNIQUEID {one.id}: {error.problem}; it drives at random")
        return ()


def _route(scene: Scene, start: int, goal: int) -> tuple[int, ...]:
    return tuple(scene.router.find_route(RouteEnd(link=start), RouteEnd(link=goal)).links.tolist())


def _pedestrian(one: PlannedPedestrian) -> SpawnPedestrian:
    """A pedestrian; one that is not active, or has no speed, stands until a command starts it."""
    active = one.active and one.speed > 0.0
    begun = active and one.waypoint_index is not None
    progress = None
    if begun and one.waypoint_index is not None:
        progress = WalkProgress(one.start, one.start_yaw, one.waypoint_index, one.back, one.moved)
    return SpawnPedestrian(
        actor=0,
        model=pedestrian_model_row(one.model)[0],
        position=one.position,
        yaw=one.rotation[2],
        speed=one.speed,
        active_distance=one.active_distance if active else 0.0,
        move_distance=one.move_distance,
        start=begun or (active and one.active_distance == 0.0),
        way=one.waypoints,
        mode=one.mode,
        leaves=one.spawn_point >= 0,
        origin=one.spawn_point,
        progress=progress,
    )


def _obstacle(one: ObstaclePlan) -> SpawnObstacle:
    return SpawnObstacle(
        actor=0,
        model=obstacle_model_row(one.model)[0],
        position=one.position,
        rotation=one.rotation,
        scale=one.scale,
        way=one.waypoints,
        move_speed=one.speed,
        active_distance=one.active_distance,
    )


def _controllers(
    controllers: tuple[SetIntersection, ...], now: Snapshot, scene: Scene, notes: list[str]
) -> Iterator[SetIntersection]:
    """The states of intersections, as far as their present programmes have them."""
    programme = now.signal.programme
    for one in controllers:
        name = f"tlList, {scene.signal_plan.controller_ids[one.controller]}"
        states = int(programme.count[one.controller])
        if one.state >= states:
            notes.append(f"{name}: its programme has {states} states now, so no state {one.state}; left as it is")
            continue
        duration = int(programme.duration[one.controller, one.state])
        elapsed = float(np.nextafter(duration / SECOND, 0.0))
        if one.elapsed > elapsed:
            notes.append(f"{name}: state {one.state} lasts {duration / SECOND:g} s, not {one.elapsed:g} s; at its end")
        yield SetIntersection(one.controller, one.state, min(one.elapsed, elapsed))
