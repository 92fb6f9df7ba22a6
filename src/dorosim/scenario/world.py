"""The present world as a scenario: the reverse of `dorosim.scenario.order`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from dorosim.ground.state_tree import arrays_of
from dorosim.road.location import locate
from dorosim.scenario.plan import (
    MAX_PLAN_LANE_DISTANCE,
    EgoPlan,
    LanePosition,
    ObstaclePlan,
    PlannedPedestrian,
    ScenarioPlan,
    VehiclePlan,
)
from dorosim.world.actor.alias import AliasKind
from dorosim.world.environment.command import CreateFrictionArea, PlaceShade
from dorosim.world.environment.friction_area import MAP_OBJECT_MODELS
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.pedestrian.state import Stage
from dorosim.world.scene import Scene
from dorosim.world.signal.command import SetIntersection
from dorosim.world.signal.signal_program import SECOND
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.spawn.table import pedestrian_points, vehicle_points
from dorosim.world.traffic.state import Presence, SpeedMode
from dorosim.world.vehicle.mode import ControlMode, Gear
from dorosim.world.waypoint import Waypoint

_NONE = -1
Known = TypeVar("Known", VehiclePlan, PlannedPedestrian, ObstaclePlan)


def plan_from_snapshot(
    now: Snapshot, scene: Scene, loaded: ScenarioPlan | None = None
) -> tuple[ScenarioPlan, list[str]]:
    """The present world as a plan, and what of it a scenario cannot hold.

    Args:
        now: the world.
        scene: what does not change.
        loaded: the scenario that was loaded: it says the product's numbers of models and destinations, which a world
            does not have.
    """
    before = ScenarioPlan() if loaded is None else loaded
    saver = _Saver(now, scene, before)
    plan = ScenarioPlan(
        map_name=scene.network.name,
        ego=saver.ego(before.ego),
        vehicles=(*saver.multi_egos(), *saver.npcs()),
        pedestrians=saver.pedestrians(),
        obstacles=saver.obstacles(),
        vehicle_spawn_points=tuple(
            replace(point, id=saver.ids[point.id]) for point in vehicle_points(now.spawn.vehicle, now.time)
        ),
        pedestrian_spawn_points=tuple(
            replace(point, id=saver.ids[point.id])
            for point in pedestrian_points(now.spawn.pedestrian, now.spawn.destination, now.time)
        ),
        controllers=_controllers(now),
        friction_areas=tuple(saver.friction_areas()),
        shaded_areas=_shaded_areas(now),
    )
    return plan, saver.notes + _losses(now, scene)


class _Saver:
    """Makes plans of rows.

    Args:
        now: the world.
        scene: what does not change.
        known: the scenario that was loaded, or an empty one.

    Attributes:
        ids: the scenario's id of everything by the world's.
        notes: what a scenario cannot hold.
    """

    def __init__(self, now: Snapshot, scene: Scene, known: ScenarioPlan) -> None:
        self.ids = _ids(now)
        self.notes: list[str] = []
        self._now = now
        self._scene = scene
        self._vehicles = {one.id: one for one in known.vehicles}
        self._pedestrians = {one.id: one for one in known.pedestrians}
        self._obstacles = {one.id: one for one in known.obstacles}

    def ego(self, known: EgoPlan | None) -> EgoPlan:
        """The ego vehicle."""
        row, vehicle = self._now.row_of(EGO), self._now.vehicle
        model = self._scene.models[int(vehicle.model[row])].name
        return EgoPlan(
            model=model,
            data_id=known.data_id if known is not None and known.model == model else 0,
            position=_triple(vehicle.x[row], vehicle.y[row], vehicle.z[row]),
            rotation=_rotation(vehicle.roll[row], vehicle.pitch[row], vehicle.yaw[row]),
            speed=float(vehicle.velocity_x[row]),
            gear=Gear(int(vehicle.gear[row])),
            mode=ControlMode(int(vehicle.control_mode[row])),
            desired_ratio=float(vehicle.cruise_ratio[row]),
            desired_speed=float(vehicle.cruise_speed[row]) if vehicle.cruise_ratio[row] == 0.0 else 0.0,
        )

    def multi_egos(self) -> Iterable[VehiclePlan]:
        """The other vehicles with full dynamics."""
        vehicle = self._now.vehicle
        for row, actor in enumerate(self._now.egos):
            if actor == EGO:
                continue
            position, yaw = _triple(vehicle.x[row], vehicle.y[row], vehicle.z[row]), float(vehicle.yaw[row])
            by_link = vehicle.cruise_ratio[row] > 0.0
            yield self._as_known(
                VehiclePlan(
                    id=self.ids[actor],
                    model=self._scene.models[int(vehicle.model[row])].name,
                    position=position,
                    rotation=_rotation(vehicle.roll[row], vehicle.pitch[row], yaw),
                    speed=float(vehicle.velocity_x[row]),
                    desired_ratio=float(vehicle.cruise_ratio[row]),
                    desired_speed=0.0 if by_link else float(vehicle.cruise_speed[row]),
                    place=self._nearest(position, yaw),
                    is_ego=True,
                    gear=Gear(int(vehicle.gear[row])),
                    mode=ControlMode(int(vehicle.control_mode[row])),
                ),
                self._vehicles,
            )

    def npcs(self) -> Iterable[VehiclePlan]:
        """The NPC vehicles of the traffic, but those that have left the map for a while."""
        traffic = self._now.traffic
        away = int(((traffic.present == Presence.OFF_MAP) & (traffic.plan_of_ego == 0)).sum())
        if away:
            self.notes.append(f"{away} NPC vehicles that wait outside the map to come in again are left out")
        for row in np.flatnonzero((traffic.present != Presence.OFF_MAP) & (traffic.plan_of_ego == 0)).tolist():
            position = _triple(traffic.x[row], traffic.y[row], traffic.z[row])
            place, ahead = self._place(row, position)
            if place is None:
                self.notes.append(f"NPC vehicle {self.ids[int(traffic.id[row])]} lies far from every lane: left out")
                continue
            ratio = traffic.speed_mode[row] == SpeedMode.LINK_RATIO
            desired, route = float(traffic.desired_speed[row]), self._route(row)
            closed = bool(traffic.close_loop[row]) and bool(route)
            yield self._as_known(
                VehiclePlan(
                    id=self.ids[int(traffic.id[row])],
                    model=self._scene.models[int(traffic.model[row])].name,
                    position=position,
                    rotation=_rotation(0.0, traffic.pitch[row], traffic.yaw[row]),
                    speed=float(traffic.speed[row]),
                    desired_ratio=desired if ratio else 0.0,
                    desired_speed=0.0 if ratio else desired,
                    place=place,
                    ahead=ahead,
                    start=LanePosition(route[0], 0.0) if route else None,
                    end=LanePosition(route[-1], float(self._scene.network.link_length[route[-1]])) if route else None,
                    loop_start=LanePosition(route[0], 0.0) if closed else None,
                    route=route,
                    close_loop=closed,
                    lane_change=bool(traffic.may_change[row]),
                    bias=float(traffic.lateral_bias[row]),
                    spawn_point=self.ids.get(int(traffic.spawn_point[row]), _NONE),
                ),
                self._vehicles,
            )

    def _place(self, row: int, position: tuple[float, float, float]) -> tuple[LanePosition | None, int]:
        """Where the body origin of an NPC vehicle is, and the link under its front if that is another, else -1."""
        traffic, length = self._now.traffic, self._scene.network.link_length
        if traffic.present[row] >= Presence.OFF_LANE:
            return self._nearest(position, float(traffic.yaw[row])), _NONE
        front = int(traffic.link[row])
        link, s = front, float(traffic.s[row] - traffic.wheelbase[row] - traffic.front_overhang[row])
        for behind in (int(traffic.previous[row]), int(traffic.before_previous[row])):
            if s >= 0.0 or behind < 0:
                break
            link, s = behind, s + float(length[behind])
        return LanePosition(link, max(s, 0.0)), front if link != front else _NONE

    def _route(self, row: int) -> tuple[int, ...]:
        """The links that an NPC vehicle still has to drive along; of a closed loop all of it; none for a random one."""
        traffic, route = self._now.traffic, self._now.route
        number, cursor = int(traffic.route[row]), int(traffic.cursor[row])
        if number < 0 or cursor < 0:
            return ()
        first, end = int(route.first[number]), int(route.first[number + 1])
        if traffic.close_loop[row]:
            first = int(route.again[number])
        elif route.link[cursor] == traffic.link[row]:
            first = cursor
        return tuple(route.link[first:end].tolist())

    def pedestrians(self) -> tuple[PlannedPedestrian, ...]:
        """The pedestrians."""
        return tuple(self._pedestrian(row) for row in range(len(self._now.people)))

    def _pedestrian(self, row: int) -> PlannedPedestrian:
        """One pedestrian; one driven from outside, or hit, stands where it is until a command starts it."""
        state = self._now.people.state
        actor = self.ids[int(state.id[row])]
        begin, *points = (Waypoint(*point) for point in self._now.people.route.of(row).tolist())
        straight = bool(state.move_distance[row] > 0.0) and len(points) == 1
        stage = Stage(int(state.stage[row]))
        begun = Stage.WALK <= stage <= Stage.ARRIVED
        waits = float(state.active_distance[row])
        idle = stage is Stage.IDLE and (bool(state.started[row]) or waits > 0.0)
        known = self._pedestrians.get(actor)
        if not begun and not idle and known is not None:
            waits = known.active_distance
        return self._as_known(
            PlannedPedestrian(
                id=actor,
                model=PEDESTRIAN_MODELS[int(state.model[row])].name,
                position=_triple(state.x[row], state.y[row], state.z[row]),
                rotation=_rotation(0.0, 0.0, state.yaw[row]),
                speed=float(state.desired_speed[row]),
                active_distance=0.0 if stage is Stage.IDLE and state.started[row] else waits,
                move_distance=float(state.move_distance[row]),
                moved=float(state.walked[row]) if begun else 0.0,
                active=begun or idle,
                mode=CharacterMode(int(state.mode[row])),
                start=begin[:3],
                start_yaw=_heading(begin, points[0]) if straight and begun else float(state.yaw[row]),
                waypoints=() if straight else tuple(points),
                waypoint_index=int(state.waypoint[row]) if begun else None,
                back=bool(begun and state.direction[row] < 0),
                spawn_point=self.ids.get(int(state.origin[row]), _NONE),
            ),
            self._pedestrians,
        )

    def obstacles(self) -> tuple[ObstaclePlan, ...]:
        """The obstacles, with what is left of their paths."""
        state, route = self._now.obstacles.state, self._now.obstacles.route
        found = []
        for row in range(len(state)):
            rests = bool(state.driven[row]) or bool(state.loose[row])
            left = route.of(row)[int(state.waypoint[row]) :].tolist()
            one = ObstaclePlan(
                id=self.ids[int(state.id[row])],
                model=OBSTACLE_MODELS[int(state.model[row])].name,
                position=_triple(state.x[row], state.y[row], state.z[row]),
                rotation=_rotation(state.roll[row], state.pitch[row], state.yaw[row]),
                scale=_triple(*state.scale[:, row]),
                speed=float(state.move_speed[row]),
                active_distance=0.0 if state.moving[row] else float(state.active_distance[row]),
                waypoints=() if rests else tuple(Waypoint(*point) for point in left),
            )
            found.append(self._as_known(one, self._obstacles))
        return tuple(found)

    def friction_areas(self) -> Iterable[tuple[int, CreateFrictionArea]]:
        """The map objects that change grip."""
        objects = self._now.friction.objects
        for row in np.flatnonzero((objects.vertical_radius > 0.0) & (objects.horizontal_radius > 0.0)).tolist():
            area = CreateFrictionArea(
                model=MAP_OBJECT_MODELS[int(objects.model[row])].name,
                position=_triple(objects.x[row], objects.y[row], objects.z[row]),
                rotation=_rotation(objects.roll[row], objects.pitch[row], objects.yaw[row]),
                vertical_radius=float(objects.vertical_radius[row]),
                horizontal_radius=float(objects.horizontal_radius[row]),
                height=float(objects.height[row]),
                multiplier=float(objects.multiplier[row]),
            )
            yield self.ids[int(objects.id[row])], area

    def _nearest(self, position: tuple[float, float, float], yaw: float) -> LanePosition | None:
        found = locate(self._scene.network, position, yaw, drivable_only=True, reach=MAX_PLAN_LANE_DISTANCE)
        return None if found.link[0] < 0 else LanePosition(int(found.link[0]), float(found.s[0]))

    def _as_known(self, one: Known, known: dict[int, Known]) -> Known:
        """The plan of an actor, with the destination and the model number that only the loaded scenario has."""
        before = known.get(one.id)
        if before is None:
            return one
        if isinstance(one, VehiclePlan) and isinstance(before, VehiclePlan):
            one = replace(one, destination=before.destination)
        return replace(one, data_id=before.data_id) if before.model == one.model else one


def _ids(now: Snapshot) -> dict[int, int]:
    """The scenario's id of everything by the world's: that of the loaded scenario, else its own if that is free."""
    groups = (
        (AliasKind.VEHICLE, [*now.egos[1:], *now.traffic.id[now.traffic.plan_of_ego == 0].tolist()]),
        (AliasKind.PEDESTRIAN, now.people.state.id.tolist()),
        (AliasKind.OBSTACLE, now.obstacles.state.id.tolist()),
        (AliasKind.VEHICLE_SPAWN_POINT, now.spawn.vehicle.id.tolist()),
        (AliasKind.PEDESTRIAN_SPAWN_POINT, now.spawn.pedestrian.id.tolist()),
        (AliasKind.FRICTION_AREA, now.friction.objects.id.tolist()),
    )
    ids: dict[int, int] = {}
    unknown: list[int] = []
    for kind, actors in groups:
        aliases = now.alias.aliases_of(kind)
        ids |= {actor: aliases[actor] for actor in actors if actor in aliases}
        unknown += [actor for actor in actors if actor not in aliases]
    taken = set(ids.values())
    free = max([*taken, *unknown], default=0)
    for actor in unknown:
        if actor in taken:
            free += 1
        ids[actor] = free if actor in taken else actor
        taken.add(ids[actor])
    return ids


def _shaded_areas(now: Snapshot) -> tuple[PlaceShade, ...]:
    """The areas without satellite reception."""
    shade = now.shade
    return tuple(
        PlaceShade(alias=alias, position=(x, y, z), rotation=(roll, pitch, yaw), size=(length, width, height))
        for alias, (x, y, z, roll, pitch, yaw, length, width, height) in zip(
            shade.alias.tolist(), shade.floats.T.tolist(), strict=True
        )
    )


def _controllers(now: Snapshot) -> tuple[SetIntersection, ...]:
    """The states of all intersections that have a programme."""
    signal = now.signal
    found = []
    for row in np.flatnonzero(signal.programme.count).tolist():
        state = int(signal.state[row])
        elapsed = int(signal.programme.duration[row, state] - signal.remaining[row])
        found.append(SetIntersection(row, state, elapsed / SECOND))
    return tuple(found)


def _losses(now: Snapshot, scene: Scene) -> list[str]:
    """A line for each thing in the world that a scenario cannot hold."""
    objects = now.friction.objects
    flat = int(((objects.vertical_radius == 0.0) | (objects.horizontal_radius == 0.0)).sum())
    wrecks = int((now.traffic.present == Presence.OFF_LANE).sum())
    beside = int((now.traffic.present > Presence.OFF_LANE).sum())
    programmes = zip(arrays_of(now.signal.programme), arrays_of(scene.signal_plan.first), strict=True)
    changed = any(not np.array_equal(one, first) for one, first in programmes)
    losses = (
        (len(now.ghost), "NPC ghosts are left out: their senders put them where they are"),
        (wrecks, "NPC vehicles that were knocked off their lanes are saved on the nearest lane"),
        (beside, "NPC vehicles that were placed off the lanes are saved on the nearest lane"),
        (flat, "map objects without a friction area are left out"),
        (len(now.fault), "faults are left out"),
        (int(changed), "changed schedules of traffic lights are left out"),
    )
    return [f"{count} {text}" if count > 1 else text for count, text in losses if count]


def _triple(x: float, y: float, z: float) -> tuple[float, float, float]:
    return (float(x), float(y), float(z))


def _rotation(roll: float, pitch: float, yaw: float) -> tuple[float, float, float]:
    """Roll, pitch and yaw, -pi to pi [rad]."""
    return (math.remainder(roll, math.tau), math.remainder(pitch, math.tau), math.remainder(yaw, math.tau))


def _heading(start: Waypoint, goal: Waypoint) -> float:
    return math.atan2(goal.y - start.y, goal.x - start.x)
