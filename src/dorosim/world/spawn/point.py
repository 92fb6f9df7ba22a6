"""A spawn point as a file or message describes it: in SI, before it becomes a row of a table.

Fields are those of SpawnPointInfo and PedestrianSpawnPointInfo (documents/grpc-api-en.txt, SpawnPoint), which scenario
files hold too (facts/ros-grpc-mgeo.md, section 4), under the names of the columns of `dorosim.world.spawn.table`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from dorosim.ground.error import InputError
from dorosim.ground.physics import MAX_COORDINATE
from dorosim.ground.unit import KMH
from dorosim.world.spawn.mode import BiasRule, CharacterMode, LengthSet, SpeedRange, SpeedRule

RANDOM_MODEL = -1
"""Value of `model`: one is drawn for each."""
NO_LINK = -1
MIN_SPAWN_PERIOD = 0.1
"""A point spawns at most once in this time [s]; period 0 means this."""
MAX_SPAWN_PERIOD = 1e6
"""Longer periods are cut to this [s], so that times stay within int64."""
_MAX_SPAWN_COUNT = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleSpawnPoint:
    """A place at which NPC vehicles enter.

    An upper end of a range that lies below the lower one counts as equal to it.

    Attributes:
        id: internal id, unique among the vehicle spawn points.
        x, y, z: where it stands in map [m]; vehicles enter on the lane.
        yaw: of the point in map [rad].
        enabled: whether it spawns.
        model: row of the vehicle catalogue, or RANDOM_MODEL.
        lengths: classes from which a random model is drawn.
        start_link, start_s: lane and arc length [m] of the entry; with NO_LINK nothing enters.
        end_link, end_s: where vehicles leave; NO_LINK: they go where they like.
        destination: id of a destination object, -1 for none.
        close_loop: the way leads back to its start, and on.
        lane_change: vehicles may change lanes.
        maximum: vehicles of the point that are in the world at a time.
        shortest_period, longest_period: from one entry to the next [s].
        speed_rule: which of the pairs below counts for the speed at entry.
        lowest_speed, highest_speed: [m/s].
        lowest_speed_ratio, highest_speed_ratio: of the speed limit of the start link.
        desired_range: whether the desired speed is set or drawn.
        desired_rule: which of the pairs below counts for the desired speed.
        lowest_desired, highest_desired: [m/s].
        lowest_desired_ratio, highest_desired_ratio: of the speed limit of each link on the way.
        bias_rule: how the lateral bias is drawn.
        lowest_bias, highest_bias: of half the lane width, left positive.
        safety_distance: room that must be free around the entry [m] (scenario files, "SafetyDist").
        time_to_collision: time that must pass before a vehicle behind gets there [s] (scenario files, "TTC").
        wait: time until the first entry [s]; NaN: a period is drawn.
        spawned: how many entered so far.
    """

    id: int
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    yaw: float = 0.0
    enabled: bool = True
    model: int = RANDOM_MODEL
    lengths: int = LengthSet.ALL
    start_link: int = NO_LINK
    start_s: float = 0.0
    end_link: int = NO_LINK
    end_s: float = 0.0
    destination: int = -1
    close_loop: bool = False
    lane_change: bool = True
    maximum: int = 3
    shortest_period: float = 5.0
    longest_period: float = 10.0
    speed_rule: int = SpeedRule.CUSTOM
    lowest_speed: float = 0.0
    highest_speed: float = 20.0 * KMH.factor
    lowest_speed_ratio: float = 0.0
    highest_speed_ratio: float = 0.1
    desired_range: int = SpeedRange.VARIABLE
    desired_rule: int = SpeedRule.LINK
    lowest_desired: float = 50.0 * KMH.factor
    highest_desired: float = 60.0 * KMH.factor
    lowest_desired_ratio: float = 0.85
    highest_desired_ratio: float = 1.0
    bias_rule: int = BiasRule.FIX
    lowest_bias: float = 0.0
    highest_bias: float = 0.0
    safety_distance: float = 5.0
    time_to_collision: float = 1.0
    wait: float = math.nan
    spawned: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PedestrianSpawnPoint:
    """A place at which pedestrians enter.

    Attributes:
        id: internal id, unique among the pedestrian spawn points.
        x, y, z: where they enter in map [m].
        yaw: direction in which they look first [rad].
        enabled: whether it spawns.
        model: row of the pedestrian catalogue, or RANDOM_MODEL (pedestrian_random_mode).
        mode: what they do, a CharacterMode.
        minimum, maximum: at every cycle a number in this range is drawn, and the pedestrians of the point that are in
            the world are filled up to it. The document says "minimum" and "maximum number of spawn"; were that the
            number of each cycle, a point whose pedestrians stay would fill the world.
        period: of the cycle [s].
        wait: time until the first cycle [s]; NaN: one period.
        spawned: how many entered so far.
        destinations: where they go, in order.
    """

    id: int
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    yaw: float = 0.0
    enabled: bool = True
    model: int = RANDOM_MODEL
    mode: int = CharacterMode.ONCE
    minimum: int = 1
    maximum: int = 3
    period: float = 10.0
    wait: float = math.nan
    spawned: int = 0
    destinations: tuple[Destination, ...] = ()


@dataclass(frozen=True, slots=True)
class Destination:
    """Where pedestrians go: a box in which each of them draws a place of its own.

    Attributes:
        x, y, z: middle of the box in map [m].
        yaw: of the box in map [rad].
        length, width: of the box along and across its yaw [m].
    """

    x: float
    y: float
    z: float
    yaw: float = 0.0
    length: float = 1.0
    width: float = 1.0


Point = TypeVar("Point", VehicleSpawnPoint, PedestrianSpawnPoint, Destination)

_PLACE = ("x", "y", "z")
_MAY_BE_NAN = ("wait",)
_MAY_BE_NEGATIVE = frozenset(
    (
        "id",
        "x",
        "y",
        "z",
        "yaw",
        "model",
        "start_link",
        "end_link",
        "destination",
        "wait",
        "lowest_bias",
        "highest_bias",
    )
)
_CODES = {
    "speed_rule": SpeedRule,
    "desired_rule": SpeedRule,
    "desired_range": SpeedRange,
    "bias_rule": BiasRule,
    "mode": CharacterMode,
}
_RANGES = (
    ("shortest_period", "longest_period"),
    ("lowest_speed", "highest_speed"),
    ("lowest_speed_ratio", "highest_speed_ratio"),
    ("lowest_desired", "highest_desired"),
    ("lowest_desired_ratio", "highest_desired_ratio"),
    ("lowest_bias", "highest_bias"),
    ("minimum", "maximum"),
)


def checked_point(point: Point, source: str, place: str = "") -> Point:
    """A point that can be used: numbers finite, codes known, ranges in order, periods in bounds.

    Args:
        point: as the file or message gives it.
        source: file or message, for the error.
        place: where in it.

    Raises:
        InputError: it names the field.
    """
    for field in fields(point):
        _check_field(field.name, getattr(point, field.name), source, place)
    if isinstance(point, PedestrianSpawnPoint):
        for number, destination in enumerate(point.destinations):
            checked_point(destination, source, f"{place}.destinations[{number}]".removeprefix("."))
    changed: dict[str, Any] = {}
    for low, high in _RANGES:
        if hasattr(point, low) and getattr(point, high) < getattr(point, low):
            changed[high] = getattr(point, low)
    for name in ("shortest_period", "longest_period", "period"):
        if hasattr(point, name):
            changed[name] = min(max(changed.get(name, getattr(point, name)), MIN_SPAWN_PERIOD), MAX_SPAWN_PERIOD)
    if hasattr(point, "lengths") and not point.lengths & LengthSet.ALL:
        changed["lengths"] = int(LengthSet.ALL)
    return replace(point, **changed)


def _check_field(name: str, value: object, source: str, place: str) -> None:
    """Raise if a number of a point cannot be used."""
    if not isinstance(value, int | float):
        return
    where = f"{place}.{name}" if place else name
    if not math.isfinite(value) and name not in _MAY_BE_NAN:
        raise InputError(source, where, f"{value} is no number to use", "give a finite number")
    if value < 0 and name not in _MAY_BE_NEGATIVE:
        raise InputError(source, where, f"{value} is negative", "give 0 or more")
    if name in _PLACE and abs(value) > MAX_COORDINATE:
        raise InputError(source, where, f"{value:g} m is on no map", f"give at most {MAX_COORDINATE:g} m")
    if name in _CODES and value not in _CODES[name].__members__.values():
        known = ", ".join(f"{code.value} {code.name}" for code in _CODES[name])
        raise InputError(source, where, f"{value} is no code of it", f"use {known}")
    if isinstance(value, int) and name in ("maximum", "minimum") and value > _MAX_SPAWN_COUNT:
        raise InputError(source, where, f"{value} is too many", f"give at most {_MAX_SPAWN_COUNT}")
