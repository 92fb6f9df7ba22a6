"""The vehicle models of `models.toml`."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from dorosim.ground.physics import GRAVITY
from dorosim.world.vehicle.mode import DynamicsKind
from dorosim.world.vehicle.model import GroundVehicle, RoadVehicle, Transmission, VehicleModel

TEXT = files("dorosim.world.vehicle").joinpath("models.toml").read_text(encoding="utf-8")
"""The file as it is installed."""

_UNITS: dict[str, Callable[[float], float]] = {
    "_deg_per_g": lambda value: math.radians(value) / GRAVITY,
    "_deg": math.radians,
    "_kmh": lambda value: value / 3.6,
}
"""What keys end with that are not in SI, and how their values become so."""


def read_models(text: str) -> tuple[VehicleModel, ...]:
    """The vehicle models of a file, in its order.

    Raises:
        ValueError: a row has unknown keys, or lacks some; the message names the vehicle.
    """
    rows: dict[str, dict[str, Any]] = {}
    for given in tomllib.loads(text)["vehicle"]:
        rows[given["name"]] = rows.get(given.pop("like", ""), {}) | given
    return tuple(_model_of(row) for row in rows.values())


def _model_of(row: dict[str, Any]) -> VehicleModel:
    values = dict(_in_si(key, value) for key, value in row.items())
    dynamics = values["dynamics"] = DynamicsKind[values.get("dynamics", DynamicsKind.SINGLE_TRACK.name)]
    try:
        if dynamics is DynamicsKind.SINGLE_TRACK:
            values["transmission"] = Transmission[values.get("transmission", Transmission.NONE.name)]
            values["drag_area"] = values.pop("drag_coefficient") * values.pop("frontal_area")
            return RoadVehicle(**values)
        values["axles"] = tuple(zip(values.pop("axle_position"), values.pop("axle_max_steer"), strict=True))
        return GroundVehicle(**values)
    except (KeyError, TypeError) as error:
        raise ValueError(f"models.toml: {row['name']}: {error}") from None


def _in_si(key: str, value: Any) -> tuple[str, Any]:
    """A key without its unit, and its value in SI; lists become tuples."""
    for suffix, convert in _UNITS.items():
        if key.endswith(suffix):
            key = key.removesuffix(suffix)
            value = [convert(one) for one in value] if isinstance(value, list) else convert(value)
            break
    return key, tuple(value) if isinstance(value, list) else value
