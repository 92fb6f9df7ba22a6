"""Spawn points of a scenario file on a map."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from dorosim.scenario.catalogue import Family
from dorosim.scenario.morai.matching import Matcher, rotation_from, triple_from
from dorosim.scenario.morai.record import OTHER_MODEL, Obstacle, PedestrianSpawnPointRecord, SpawnPoint
from dorosim.scenario.plan import LanePosition, Vector
from dorosim.world.spawn.mode import BiasRule, CharacterMode, LengthSet, LengthType, SpeedRange, SpeedRule
from dorosim.world.spawn.point import (
    MAX_SPAWN_PERIOD,
    NO_LINK,
    RANDOM_MODEL,
    Destination,
    PedestrianSpawnPoint,
    checked_point,
)
from dorosim.world.spawn.point import VehicleSpawnPoint as VehiclePoint

_MAX_COUNT = 1_000_000
_MAX_PEDESTRIANS = 10_000
"""Pedestrians of one spawn point at a time."""
_MAX_ENTRY_DISTANCE = 10.0
"""A spawn point whose link is unknown uses a lane this near [m]."""
_SOURCE = "scenario"

Point = TypeVar("Point", VehiclePoint, PedestrianSpawnPoint)


def vehicle_spawn_points(
    points: Sequence[SpawnPoint], objects: Sequence[Obstacle], match: Matcher
) -> tuple[VehiclePoint, ...]:
    """The spawn points of vehicles; one whose entry is on no lane is left out.

    Args:
        points: as read.
        objects: of the same file, which points may name as their destination.
        match: finds links and models, and takes notes.
    """
    goals = {one.unique_id: triple_from(one.pos) for one in objects}
    found = [_vehicle_point(point, f"spawnPointList[{row}]", goals, match) for row, point in enumerate(points)]
    return _with_own_ids([point for point in found if point is not None], "spawnPointList", match)


def pedestrian_spawn_points(
    points: Sequence[PedestrianSpawnPointRecord], match: Matcher
) -> tuple[PedestrianSpawnPoint, ...]:
    """The spawn points of pedestrians."""
    found = [_pedestrian_point(point, f"pedspawnPointList[{row}]", match) for row, point in enumerate(points)]
    return _with_own_ids(found, "pedspawnPointList", match)


def _with_own_ids(points: Sequence[Point], group: str, match: Matcher) -> tuple[Point, ...]:
    """The points; a point with the id of an earlier one gets a new id (seams, Who is who)."""
    taken: set[int] = set()
    free = max((point.id for point in points), default=0) + 1
    found: list[Point] = []
    for point in points:
        one = point
        if point.id in taken:
            match.note(group, f"UNIQUEID {point.id} is there twice; the second one is {free}")
            one, free = replace(point, id=free), free + 1
        taken.add(one.id)
        found.append(one)
    return tuple(found)


def _vehicle_point(point: SpawnPoint, path: str, goals: Mapping[int, Vector], match: Matcher) -> VehiclePoint | None:
    position, yaw = triple_from(point.pos), rotation_from(point.rot)[2]
    start = match.place(point.start_link, f"{path}.startLinkInfo")
    if start is None:
        start = match.nearest(position, yaw, _MAX_ENTRY_DISTANCE)
        if start is None:
            match.note(path, "no lane is near; left out")
            return None
    end = match.place(point.end_link, f"{path}.endLinkInfo") or _destination(point, path, goals, match)
    return checked_point(_vehicle_point_at(point, path, start, end, match), _SOURCE, path)


def _destination(point: SpawnPoint, path: str, goals: Mapping[int, Vector], match: Matcher) -> LanePosition | None:
    """The goal of vehicles without an end link: on the lane nearest to the object that the point names."""
    if point.destination <= 0:
        return None
    goal = goals.get(point.destination)
    place = None if goal is None else match.nearest(goal)
    if place is None:
        problem = "is not an object of objectList" if goal is None else "lies near no lane"
        match.note(f"{path}.destinationObjUniqueID", f"{point.destination} {problem}; its vehicles drive at random")
    return place


def _vehicle_point_at(
    point: SpawnPoint, path: str, start: LanePosition, end: LanePosition | None, match: Matcher
) -> VehiclePoint:
    def number(key: str, value: float, high: float = MAX_SPAWN_PERIOD) -> float:
        return match.limited(value, 0.0, high, f"{path}.{key}")

    def speed(key: str, value: float) -> float:
        return match.speed(value, f"{path}.{key}")

    def ratio(key: str, value: float) -> float:
        return match.ratio(value, f"{path}.{key}")

    random_model = point.vehicle_data_id == OTHER_MODEL and point.model_name is None
    model = (
        match.model_of(Family.NPC, point.vehicle_data_id, point.model_name, "spawnPointList") if not random_model else 0
    )
    return VehiclePoint(
        id=point.unique_id,
        x=point.pos.x,
        y=point.pos.y,
        z=point.pos.z,
        yaw=rotation_from(point.rot)[2],
        enabled=point.active,
        model=RANDOM_MODEL if random_model else model,
        lengths=_lengths(point, f"{path}.listVehicleLengthType", match),
        start_link=start.link,
        start_s=start.s,
        end_link=end.link if end else NO_LINK,
        end_s=end.s if end else 0.0,
        destination=point.destination,
        close_loop=point.close_loop,
        lane_change=point.lane_change,
        maximum=int(number("maximumSpawnVehicle", point.maximum, _MAX_COUNT)),
        shortest_period=number("minSpawnPeriod", point.min_period),
        longest_period=number("maxSpawnPeriod", point.max_period),
        speed_rule=match.code(SpeedRule, point.speed_rule, SpeedRule.CUSTOM, f"{path}.SpawnVelocityType"),
        lowest_speed=speed("MinSpawnVelocity_Custom", point.lowest_speed_kmh),
        highest_speed=speed("MaxSpawnVelocity_Custom", point.highest_speed_kmh),
        lowest_speed_ratio=ratio("MinSpawnVelocity_Link", point.lowest_speed_percent),
        highest_speed_ratio=ratio("MaxSpawnVelocity_Link", point.highest_speed_percent),
        desired_range=match.code(SpeedRange, point.desired_range, SpeedRange.VARIABLE, f"{path}.ParameterType"),
        desired_rule=match.code(SpeedRule, point.desired_rule, SpeedRule.CUSTOM, f"{path}.DesiredVelocityType"),
        lowest_desired=speed("MinDesiredVelocity_Custom", point.lowest_desired_kmh),
        highest_desired=speed("MaxDesiredVelocity_Custom", point.highest_desired_kmh),
        lowest_desired_ratio=ratio("MinDesiredVelocity_Link", point.lowest_desired_percent),
        highest_desired_ratio=ratio("MaxDesiredVelocity_Link", point.highest_desired_percent),
        bias_rule=match.code(BiasRule, point.bias_rule, BiasRule.FIX, f"{path}.latBiasMode"),
        lowest_bias=match.bias(point.lowest_bias_percent, f"{path}.MinLatBias"),
        highest_bias=match.bias(point.highest_bias_percent, f"{path}.MaxLatBias"),
        safety_distance=number("SafetyDist", point.safety_distance),
        time_to_collision=number("TTC", point.time_to_collision),
        wait=math.nan if point.wait is None else point.wait,
        spawned=int(number("spawnedVehiclesCount", point.spawned, _MAX_COUNT)),
    )


def _lengths(point: SpawnPoint, path: str, match: Matcher) -> int:
    lengths = 0
    for code in point.length_types:
        if code in LengthType.__members__.values():
            lengths |= 1 << code
        else:
            match.note(path, f"code {code} is not known; left out")
    return lengths or int(LengthSet.ALL)


def _pedestrian_point(point: PedestrianSpawnPointRecord, path: str, match: Matcher) -> PedestrianSpawnPoint:
    random_model = point.random_model or (point.pedestrian_data_id == OTHER_MODEL and point.model_name is None)
    model = RANDOM_MODEL
    if not random_model:
        model = match.model_of(Family.PEDESTRIAN, point.pedestrian_data_id, point.model_name, "pedspawnPointList")
    made = PedestrianSpawnPoint(
        id=point.unique_id,
        x=point.pos.x,
        y=point.pos.y,
        z=point.pos.z,
        yaw=rotation_from(point.rot)[2],
        enabled=point.active,
        model=model,
        mode=match.code(CharacterMode, point.mode, CharacterMode.ONCE, f"{path}.selectMode"),
        minimum=int(match.limited(point.minimum, 0, _MAX_PEDESTRIANS, f"{path}.minCount")),
        maximum=int(match.limited(point.maximum, 0, _MAX_PEDESTRIANS, f"{path}.maxCount")),
        period=match.limited(point.period, 0.0, MAX_SPAWN_PERIOD, f"{path}.spawnTime"),
        wait=math.nan if point.wait is None else point.wait,
        spawned=int(match.limited(point.spawned, 0, _MAX_COUNT, f"{path}.spawnedPedestriansCount")),
        destinations=tuple(
            Destination(
                x=goal.pos.x,
                y=goal.pos.y,
                z=goal.pos.z,
                yaw=rotation_from(goal.rot)[2],
                length=abs(goal.scale.x),
                width=abs(goal.scale.y),
            )
            for goal in point.destinations
        ),
    )
    return checked_point(made, _SOURCE, path)
