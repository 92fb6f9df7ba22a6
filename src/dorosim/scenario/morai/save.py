"""A world as a scenario file: the reverse of `dorosim.scenario.morai.resolve`."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np
from msgspec.structs import replace

from dorosim.ground.error import InputError
from dorosim.ground.unit import DEGREE, KMH
from dorosim.road.network import RoadNetwork
from dorosim.road.projection import MapProjection
from dorosim.scenario.catalogue import Catalogue, Family, Model, data_id_of
from dorosim.scenario.morai.matching import PERCENT, unity_from_map
from dorosim.scenario.morai.record import (
    EGO_UNIQUE_ID,
    OTHER_MODEL,
    ControllerRecord,
    DestinationRecord,
    EgoRecord,
    FrictionArea,
    InitPosition,
    LinkInfo,
    MapInfo,
    Obstacle,
    Path,
    Pedestrian,
    PedestrianSpawnPointRecord,
    Rotation,
    ScenarioFile,
    ScenarioItem,
    ShadedArea,
    SpawnPoint,
    Vector,
    Vehicle,
    WaypointRecord,
)
from dorosim.scenario.morai.resolve import MODE_OF_CODE, OBSTACLE_PATH, PEDESTRIAN_PATH, says_area
from dorosim.scenario.plan import (
    EgoPlan,
    LanePosition,
    ObstaclePlan,
    PlannedPedestrian,
    ScenarioPlan,
    VehiclePlan,
)
from dorosim.scenario.plan import Vector as Triple
from dorosim.world.environment.command import CreateFrictionArea, PlaceShade
from dorosim.world.spawn.mode import CharacterMode, LengthType, SpeedRule
from dorosim.world.spawn.point import NO_LINK, RANDOM_MODEL, PedestrianSpawnPoint
from dorosim.world.spawn.point import VehicleSpawnPoint as VehiclePoint
from dorosim.world.vehicle.mode import ControlMode
from dorosim.world.waypoint import Waypoint

_GAME_WHEEL = 2
_CODE_OF_MODE = {mode: code for code, mode in reversed(MODE_OF_CODE.items()) if code != _GAME_WHEEL}

Placed = TypeVar("Placed", PlannedPedestrian, ObstaclePlan)
Saved = TypeVar("Saved", bound=ScenarioItem)


def scenario_from_world(
    world: ScenarioPlan, network: RoadNetwork, catalogue: Catalogue, base: ScenarioFile | None = None
) -> ScenarioFile:
    """The scenario file of a world.

    `resolve` makes the same world of it, on the same map and with the same catalogue.

    Args:
        world: what the Snapshot holds, with ids that are its own or the scenario's.
        network: the map.
        catalogue: the models.
        base: the scenario that was loaded; its keys for what a world does not have (radio settings, what users added)
            are kept, as are those of its items that are still there. None for none.
    """
    start = ScenarioFile() if base is None else base
    writer = _Writer(network, catalogue, start)
    return replace(
        start,
        ego=None if world.ego is None else writer.ego(world.ego),
        vehicles=tuple(writer.vehicle(one) for one in world.vehicles),
        pedestrians=tuple(writer.pedestrian(one) for one in world.pedestrians),
        obstacles=tuple(writer.obstacle(one) for one in world.obstacles),
        spawn_points=tuple(writer.vehicle_point(one) for one in world.vehicle_spawn_points),
        pedestrian_spawn_points=tuple(writer.pedestrian_point(one) for one in world.pedestrian_spawn_points),
        controllers=tuple(
            ControllerRecord(index=network.signals.number_of(one.controller), state=one.state, elapsed=one.elapsed)
            for one in world.controllers
        ),
        friction_areas=tuple(writer.friction_area(*one) for one in world.friction_areas)
        + tuple(one for one in start.friction_areas if not says_area(one)),
        shaded_areas=tuple(writer.shaded_area(one) for one in world.shaded_areas),
        paths=writer.paths(PEDESTRIAN_PATH, world.pedestrians) + writer.paths(OBSTACLE_PATH, world.obstacles),
        map_info=start.map_info if start.map_info.name == network.name else _map_info(network),
    )


class _Writer:
    """Makes records of plans, upon those of the scenario that was loaded.

    Args:
        network: the map.
        catalogue: the models.
        base: the scenario that was loaded, or an empty one.
    """

    def __init__(self, network: RoadNetwork, catalogue: Catalogue, base: ScenarioFile) -> None:
        self.network = network
        self.catalogue = catalogue
        items: tuple[ScenarioItem, ...] = (
            *base.vehicles,
            *base.pedestrians,
            *base.obstacles,
            *base.spawn_points,
            *base.pedestrian_spawn_points,
            *base.friction_areas,
            *base.shaded_areas,
        )
        self._loaded: dict[tuple[type, int], Any] = {(type(item), item.unique_id): item for item in items}
        if base.ego is not None:
            self._loaded[EgoRecord, EGO_UNIQUE_ID] = base.ego
        self._paths = {one.name: one for one in base.paths}

    def _record(self, kind: type[Saved], unique_id: int, **values: Any) -> Saved:
        """A record with values, and the rest of the loaded one's of its id if there is one."""
        loaded: Saved | None = self._loaded.get((kind, unique_id))
        return kind(unique_id=unique_id, **values) if loaded is None else replace(loaded, **values)

    def ego(self, ego: EgoPlan) -> EgoRecord:
        """The ego vehicle."""
        return self._record(
            EgoRecord,
            EGO_UNIQUE_ID,
            data_id=ego.data_id or self._data_id(Family.EGO, ego.model),
            model_name=ego.model,
            start=InitPosition(pos=_vector(ego.position), rot=_rotation(ego.rotation), gear=int(ego.gear)),
            current_velocity_kmh=ego.speed / KMH.factor,
            desired_rule=_rule(ego.desired_speed),
            link_ratio_percent=ego.desired_ratio / PERCENT,
            desired_velocity_kmh=ego.desired_speed / KMH.factor,
            control_mode=_code_of_mode(ego.mode),
        )

    def vehicle(self, one: VehiclePlan) -> Vehicle:
        """An NPC vehicle."""
        return self._record(
            Vehicle,
            one.id,
            data_id=one.data_id or self._data_id(Family.NPC, one.model),
            model_name=one.model,
            start=InitPosition(pos=_vector(one.position), rot=_rotation(one.rotation), gear=int(one.gear)),
            desired_rule=_rule(one.desired_speed),
            link_ratio_percent=one.desired_ratio / PERCENT,
            constant_velocity_kmh=one.desired_speed / KMH.factor,
            desired_velocity_kmh=one.desired_speed / KMH.factor,
            current_velocity_kmh=one.speed / KMH.factor,
            close_loop=one.close_loop,
            lane_change=one.lane_change,
            is_ego=one.is_ego,
            control_mode=_code_of_mode(one.mode) if one.is_ego else None,
            spawn_point=one.spawn_point,
            destination=one.destination,
            start_link=self._link(one.start),
            end_link=self._link(one.end),
            current_link=self._link(one.place),
            front_link=None if one.ahead < 0 else self.network.link_ids[one.ahead],
            route=tuple(self.network.link_ids[link] for link in one.route) or None,
            loop_start_link=self._link(one.loop_start),
            bias_rule=int(one.bias_rule),
            bias_percent=one.bias / PERCENT,
        )

    def pedestrian(self, one: PlannedPedestrian) -> Pedestrian:
        """A pedestrian."""
        return self._record(
            Pedestrian,
            one.id,
            data_id=one.data_id or self._data_id(Family.PEDESTRIAN, one.model),
            model_name=one.model,
            pos=_vector(one.position),
            rot=_rotation(one.rotation),
            active_distance=one.active_distance,
            speed_kmh=one.speed / KMH.factor,
            active=one.active,
            loop=one.mode not in (CharacterMode.ONCE, CharacterMode.STAND),
            mode=int(one.mode),
            unity_start=unity_from_map(one.start),
            unity_standard=unity_from_map(one.start),
            start_rot=_rotation((0.0, 0.0, one.start_yaw)),
            move_distance=one.move_distance,
            moved=one.moved,
            waypoint_mode=bool(one.waypoints),
            waypoint_index=one.waypoint_index,
            back=one.back or None,
            spawn_point=None if one.spawn_point < 0 else one.spawn_point,
        )

    def obstacle(self, one: ObstaclePlan) -> Obstacle:
        """An obstacle."""
        return self._record(
            Obstacle,
            one.id,
            data_id=one.data_id or self._data_id(Family.OBSTACLE, one.model),
            model_name=one.model,
            pos=_vector(one.position),
            rot=_rotation(one.rotation),
            scale=_vector(one.scale),
            waypoint_mode=bool(one.waypoints),
            speed_kmh=one.speed / KMH.factor,
            active_distance=one.active_distance,
        )

    def vehicle_point(self, one: VehiclePoint) -> SpawnPoint:
        """A spawn point of vehicles."""
        model = None if one.model == RANDOM_MODEL else self.catalogue.vehicles[one.model]
        return self._record(
            SpawnPoint,
            one.id,
            pos=Vector(x=one.x, y=one.y, z=one.z),
            rot=_rotation((0.0, 0.0, one.yaw)),
            active=one.enabled,
            model_name=None if model is None else model.name,
            vehicle_data_id=OTHER_MODEL if model is None else data_id_of(Family.NPC, model),
            length_types=tuple(int(kind) for kind in LengthType if one.lengths >> kind & 1),
            close_loop=one.close_loop,
            lane_change=one.lane_change,
            desired_range=one.desired_range,
            maximum=one.maximum,
            min_period=one.shortest_period,
            max_period=one.longest_period,
            speed_rule=one.speed_rule,
            lowest_speed_kmh=one.lowest_speed / KMH.factor,
            highest_speed_kmh=one.highest_speed / KMH.factor,
            lowest_speed_percent=one.lowest_speed_ratio / PERCENT,
            highest_speed_percent=one.highest_speed_ratio / PERCENT,
            desired_rule=one.desired_rule,
            lowest_desired_kmh=one.lowest_desired / KMH.factor,
            highest_desired_kmh=one.highest_desired / KMH.factor,
            lowest_desired_percent=one.lowest_desired_ratio / PERCENT,
            highest_desired_percent=one.highest_desired_ratio / PERCENT,
            spawned=one.spawned,
            wait=None if math.isnan(one.wait) else one.wait,
            destination=one.destination,
            start_link=self._link(LanePosition(one.start_link, one.start_s)),
            end_link=self._link(LanePosition(one.end_link, one.end_s)),
            bias_rule=one.bias_rule,
            lowest_bias_percent=one.lowest_bias / PERCENT,
            highest_bias_percent=one.highest_bias / PERCENT,
            safety_distance=one.safety_distance,
            time_to_collision=one.time_to_collision,
        )

    def pedestrian_point(self, one: PedestrianSpawnPoint) -> PedestrianSpawnPointRecord:
        """A spawn point of pedestrians."""
        model = None if one.model == RANDOM_MODEL else self.catalogue.pedestrians[one.model]
        return self._record(
            PedestrianSpawnPointRecord,
            one.id,
            pos=Vector(x=one.x, y=one.y, z=one.z),
            rot=_rotation((0.0, 0.0, one.yaw)),
            active=one.enabled,
            model_name=None if model is None else model.name,
            random_model=model is None,
            pedestrian_data_id=OTHER_MODEL if model is None else data_id_of(Family.PEDESTRIAN, model),
            mode=one.mode,
            minimum=one.minimum,
            maximum=one.maximum,
            period=one.period,
            wait=None if math.isnan(one.wait) else one.wait,
            spawned=one.spawned,
            destinations=tuple(
                DestinationRecord(
                    pos=Vector(x=goal.x, y=goal.y, z=goal.z),
                    rot=_rotation((0.0, 0.0, goal.yaw)),
                    scale=Vector(x=goal.length, y=goal.width, z=1.0),
                )
                for goal in one.destinations
            ),
        )

    def friction_area(self, unique_id: int, one: CreateFrictionArea) -> FrictionArea:
        """An area with another friction."""
        return self._record(
            FrictionArea,
            unique_id,
            model_name=one.model or None,
            pos=_vector(one.position),
            rot=_rotation(one.rotation),
            vertical_radius=one.vertical_radius,
            horizontal_radius=one.horizontal_radius,
            height=one.height,
            multiplier=one.multiplier,
        )

    def shaded_area(self, one: PlaceShade) -> ShadedArea:
        """A box without GNSS reception."""
        return self._record(
            ShadedArea,
            one.alias,
            pos=_vector(one.position),
            rot=_rotation(one.rotation),
            size=Vector(x=one.size[1], y=one.size[0], z=one.size[2]),
        )

    def paths(self, kind: str, placed: tuple[Placed, ...]) -> tuple[Path, ...]:
        """The paths of actors that have one; a loaded path with as many points keeps its other keys."""
        made = [
            Path(name=f"{kind} - {one.id}", points=tuple(_waypoint(point) for point in one.waypoints))
            for one in placed
            if one.waypoints
        ]
        return tuple(self._as_before(one) for one in made)

    def _as_before(self, made: Path) -> Path:
        before = self._paths.get(made.name)
        if before is None or len(before.points) != len(made.points):
            return made
        points = (
            replace(
                old,
                pos=replace(old.pos, x=new.pos.x, y=new.pos.y, z=new.pos.z),
                pause=new.pause,
                speed_kmh=new.speed_kmh,
            )
            for old, new in zip(before.points, made.points, strict=True)
        )
        return replace(before, points=tuple(points))

    def _data_id(self, family: Family, name: str) -> int:
        for model in self.catalogue.models_of(family):
            if model.name == name:
                return data_id_of(family, model)
        return data_id_of(family, Model(name))

    def _link(self, place: LanePosition | None) -> LinkInfo:
        """A place as the number of the last point before it, and the distance from there."""
        if place is None or place.link == NO_LINK:
            return LinkInfo()
        first, after = (int(bound) for bound in self.network.lines.first[place.link : place.link + 2])
        arc = self.network.lines.arc[first:after]
        point = min(max(int(np.searchsorted(arc, place.s, side="right")) - 1, 0), after - first - 1)
        return LinkInfo(link=self.network.link_ids[place.link], point=point, offset=place.s - float(arc[point]))


def _map_info(network: RoadNetwork) -> MapInfo:
    """The map as the product writes it: its UTM zone, if it has one."""
    system = network.coordinate_system
    try:
        projection = MapProjection(system, network.origin)
    except InputError:
        pass
    else:
        if projection.utm_zone:
            system = f"UTM{projection.utm_zone}{'N' if projection.utm_north else 'S'}"
    return MapInfo(
        name=network.name, east_offset=network.origin[0], north_offset=network.origin[1], global_system=system
    )


def _waypoint(point: Waypoint) -> WaypointRecord:
    return WaypointRecord(
        pos=unity_from_map(point[:3]),
        pause=point.pause or None,
        speed_kmh=point.speed / KMH.factor if point.speed else None,
    )


def _code_of_mode(mode: ControlMode) -> int:
    return _CODE_OF_MODE.get(mode, _CODE_OF_MODE[ControlMode.AUTO])


def _rule(speed: float) -> int:
    return int(SpeedRule.CUSTOM if speed else SpeedRule.LINK)


def _vector(value: Triple) -> Vector:
    return Vector(x=value[0], y=value[1], z=value[2])


def _rotation(value: Triple) -> Rotation:
    roll, pitch, yaw = (angle / DEGREE.factor for angle in value)
    return Rotation(roll=roll, pitch=pitch, yaw=yaw)
