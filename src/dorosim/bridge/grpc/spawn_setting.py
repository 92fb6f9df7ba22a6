"""What both APIs say of spawn points, in SI: their messages have the same fields under the same names."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any, NamedTuple

from dorosim.bridge.actor import Names
from dorosim.bridge.grpc.call import angles_of, vector_of
from dorosim.bridge.link import LinkPoint
from dorosim.bridge.spawn_point import VehicleSetting
from dorosim.ground.error import InputError
from dorosim.ground.unit import KMH
from dorosim.world.command import Vector
from dorosim.world.snapshot import NO_ACTOR
from dorosim.world.spawn.mode import BiasRule, CharacterMode, LengthSet, SpeedRange, SpeedRule
from dorosim.world.spawn.point import Destination

_SOURCE = "spawn point"
_MAX_DESTINATION_SIZE = 10_000.0
"""Limit of the boxes of destinations [m]."""
_RANGES = (
    ("speed", "spawn_velocity_custom", 0.0, 1000.0, "km/h", KMH.factor),
    ("speed_ratio", "spawn_velocity_link", 0.0, 1000.0, "%", 0.01),
    ("desired", "desired_velocity_custom", 0.0, 1000.0, "km/h", KMH.factor),
    ("desired_ratio", "desired_velocity_link", 0.0, 1000.0, "%", 0.01),
    ("bias", "lateral_bias", -100.0, 100.0, "%", 0.01),
)
"""Fields of a spawn point with a lowest and a highest value; the fields of messages, min_ and max_; limits and unit of
those, and the factor to SI."""
_UNSET = 0


class SpawnBox(NamedTuple):
    """A destination of pedestrians as messages have it.

    Attributes:
        position: in the map [m]. yaw: [rad]. scale: along x, y, z [m], None where the message has none.
    """

    position: Vector
    yaw: float
    scale: Vector | None


def spawn_box(position: Any, rotation: Any, owner: Any) -> SpawnBox:
    """The box of a destination; `owner` is the message that may have a scale."""
    return SpawnBox(
        vector_of(position), angles_of(rotation)[2], vector_of(owner.scale) if owner.HasField("scale") else None
    )


def vehicle_setting(config: Any, names: Names, start: LinkPoint, end: LinkPoint) -> VehicleSetting:
    """A SpawnPointInfo of the documented API, or a VehicleSpawnPointConfig of the Standard API.

    Numbers count as they are, 0 too. A code that is not set leaves what the point has.

    Args:
        config: the message.
        names: of actors, one of which may be the destination.
        start: its start_link_info.
        end: its end_link_info.

    Raises:
        InputError: a code is none, a number is out of range, or there is no such destination.
    """
    changes = {
        "lengths": sum({1 << length for length in config.list_vehicle_length_type}) or int(LengthSet.ALL),
        "close_loop": config.is_close_loop,
        "lane_change": config.is_lane_change,
        "maximum": config.maximum_spawn_vehicle,
        "shortest_period": config.min_spawn_period,
        "longest_period": config.max_spawn_period,
        **{
            f"{end}_{name}": _limited(config, f"{side}_{field}", low, high, unit) * factor
            for name, field, low, high, unit, factor in _RANGES
            for end, side in (("lowest", "min"), ("highest", "max"))
        },
        **_code("desired_range", SpeedRange, config, "parameter_type"),
        **_code("speed_rule", SpeedRule, config, "spawn_velocity_type"),
        **_code("desired_rule", SpeedRule, config, "desired_velocity_type"),
        **_code("bias_rule", BiasRule, config, "lateral_bias_mode"),
    }
    return VehicleSetting(changes=changes, start=start, end=end, destination=_destination(config, names))


def pedestrian_changes(config: Any, boxes: Iterable[SpawnBox]) -> dict[str, Any]:
    """Fields of `PedestrianSpawnPoint` that either API's message sets.

    Args:
        config: a PedestrianSpawnPointInfo or a PedestrianSpawnPointConfig.
        boxes: its destinations, in order.

    Raises:
        InputError: the mode is none, or a destination is too large.
    """
    return {
        "destinations": tuple(_destination_of(box) for box in boxes),
        "minimum": config.min_count,
        "maximum": config.max_count,
        "period": config.spawn_time,
        **_code("mode", CharacterMode, config, "select_mode"),
    }


def _destination_of(box: SpawnBox) -> Destination:
    """A box of 1 m where the message has no scale. It lies flat, so roll, pitch and the scale along z do not count."""
    x, y, z = box.position
    if box.scale is None:
        return Destination(x, y, z, box.yaw)
    length, width, _ = (abs(side) for side in box.scale)
    if max(length, width) > _MAX_DESTINATION_SIZE:
        raise InputError(
            _SOURCE, "scale", f"a destination is up to {_MAX_DESTINATION_SIZE:g} m large, not {max(length, width):g}"
        )
    return Destination(x, y, z, box.yaw, length, width)


def _destination(config: Any, names: Names) -> int:
    wanted = config.destination_obj_unique_id
    if wanted <= 0:
        return NO_ACTOR
    actor = names.actor_of(str(wanted))
    if actor == NO_ACTOR:
        raise InputError(_SOURCE, "destination_obj_unique_id", f"there is nothing of id {wanted}")
    return actor


def _code(name: str, codes: type[IntEnum], config: Any, field: str) -> dict[str, int]:
    value = getattr(config, field)
    if value == _UNSET:
        return {}
    if value not in codes.__members__.values():
        known = ", ".join(f"{code.value} {code.name}" for code in codes)
        raise InputError(_SOURCE, field, f"{value} is not a valid code", f"use {known}")
    return {name: value}


def _limited(config: Any, field: str, low: float, high: float, unit: str) -> float:
    value = float(getattr(config, field))
    if not low <= value <= high:
        raise InputError(_SOURCE, field, f"{value:g} {unit} is out of range", f"give {low:g} to {high:g}")
    return value
