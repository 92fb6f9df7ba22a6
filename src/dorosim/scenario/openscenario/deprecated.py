"""Deprecated elements and attributes take their present form, with the meaning that they had."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dorosim.scenario.openscenario.record.action import PrivateAction
from dorosim.scenario.openscenario.record.control import (
    ActivateControllerAction,
    AssignControllerAction,
    Brake,
    BrakeInput,
    ControllerAction,
    Gear,
    ManualGear,
    OverrideBrakeAction,
    OverrideGearAction,
    OverrideParkingBrakeAction,
)
from dorosim.scenario.openscenario.record.controller import ObjectController
from dorosim.scenario.openscenario.record.entity import Pedestrian, Trailer
from dorosim.scenario.openscenario.record.entity_condition import (
    DistanceCondition,
    TimeHeadwayCondition,
    TimeToCollisionCondition,
)
from dorosim.scenario.openscenario.record.environment import CloudState, FractionalCloudCover, Sun, Weather
from dorosim.scenario.openscenario.record.parameter import ParameterType, Range
from dorosim.scenario.openscenario.record.place import CoordinateSystem, GeoPosition, RelativeDistanceType
from dorosim.scenario.openscenario.record.position import Clothoid, TrajectoryRef
from dorosim.scenario.openscenario.record.routing import FollowTrajectoryAction
from dorosim.scenario.openscenario.record.signal import Phase
from dorosim.scenario.openscenario.record.storyboard import Priority
from dorosim.scenario.openscenario.record.table import Record, Word
from dorosim.scenario.openscenario.record.traffic import TrafficSourceAction, TrafficSwarmAction

Values = dict[str, Any]
"""Values of the fields of a record that is being made, by name."""

PRESENT_WORD: dict[Word, Word] = {
    Priority.OVERWRITE: Priority.OVERRIDE,
    RelativeDistanceType.CARTESIAN_DISTANCE: RelativeDistanceType.EUCLIDIAN_DISTANCE,
    ParameterType.INTEGER: ParameterType.INT,
}
"""Deprecated words, and those of today."""

_COVER = {
    CloudState.FREE: FractionalCloudCover.ZERO_OKTAS,
    CloudState.CLOUDY: FractionalCloudCover.FOUR_OKTAS,
    CloudState.OVERCAST: FractionalCloudCover.EIGHT_OKTAS,
    CloudState.RAINY: FractionalCloudCover.EIGHT_OKTAS,
}
"""The standard gives no eighths for the words of 1.0; these are ours."""


def _move(values: Values, old: str, new: str, convert: Callable[[Any], Any] = lambda value: value) -> None:
    """Put the value of an old field into the new one, where that has none."""
    found = values.get(old)
    if found is not None:
        values[old] = None
        if values.get(new) is None:
            values[new] = convert(found)


def _controller(values: Values) -> None:
    _move(values, "controller", "object_controller", lambda found: ObjectController(controller=found))
    _move(values, "catalog_reference", "object_controller", lambda found: ObjectController(catalog_reference=found))


def _trajectory(values: Values) -> None:
    _move(values, "trajectory", "trajectory_ref", lambda found: TrajectoryRef(trajectory=found))
    _move(values, "catalog_reference", "trajectory_ref", lambda found: TrajectoryRef(catalog_reference=found))


def _geo(values: Values) -> None:
    _move(values, "height", "altitude")
    _move(values, "latitude", "latitude_deg", math.degrees)
    _move(values, "longitude", "longitude_deg", math.degrees)


def _brake(values: Values) -> None:
    _move(values, "value", "brake_input", lambda found: BrakeInput(brake_percent=Brake(value=found)))


def _along_route(values: Values) -> None:
    """Distances along the route are those of the road; those that are not are straight lines."""
    along = values.get("along_route")
    values["along_route"] = None
    if along is None or values.get("coordinate_system") or values.get("relative_distance_type"):
        return
    values["coordinate_system"] = CoordinateSystem.ROAD if along else CoordinateSystem.ENTITY
    distance = RelativeDistanceType.LONGITUDINAL if along else RelativeDistanceType.EUCLIDIAN_DISTANCE
    values["relative_distance_type"] = distance


def _no_trailer(values: Values) -> None:
    """A trailer without a name is none: catalogs give its name by a parameter that is empty by default."""
    found = values.get("trailer_ref")
    if found is not None and not found.entity_ref:
        values["trailer_ref"] = None


_CHANGES: dict[type[Record], Callable[[Values], None]] = {
    PrivateAction: lambda values: _move(
        values,
        "activate_controller_action",
        "controller_action",
        lambda found: ControllerAction(activate_controller_action=found, origin=found.origin),
    ),
    AssignControllerAction: _controller,
    ActivateControllerAction: lambda values: _move(values, "controller_ref", "object_controller_ref"),
    FollowTrajectoryAction: _trajectory,
    Clothoid: lambda values: _move(values, "curvature_dot", "curvature_prime"),
    GeoPosition: _geo,
    OverrideBrakeAction: _brake,
    OverrideParkingBrakeAction: _brake,
    OverrideGearAction: lambda values: _move(
        values, "number", "gear", lambda found: Gear(manual_gear=ManualGear(number=round(found)))
    ),
    Sun: lambda values: _move(values, "intensity", "illuminance"),
    Weather: lambda values: _move(values, "cloud_state", "fractional_cloud_cover", _COVER.get),
    DistanceCondition: _along_route,
    TimeHeadwayCondition: _along_route,
    TimeToCollisionCondition: _along_route,
    Pedestrian: lambda values: _move(values, "model", "model3d"),
    Trailer: _no_trailer,
    Phase: lambda values: _move(values, "traffice_signal_group_state", "traffic_signal_group_state"),
    TrafficSourceAction: lambda values: _move(values, "velocity", "speed"),
    TrafficSwarmAction: lambda values: _move(
        values, "velocity", "initial_speed_range", lambda found: Range(lower_limit=found, upper_limit=found)
    ),
}
"""What is done before a record of a type is made. What has no present form keeps its own: `ParameterAction`,
`ReachPositionCondition`, `TrafficDefinition` and `Precipitation.intensity`."""


def take_present_form(kind: type[Record], values: Values) -> None:
    """Change the values of a record that is being made from deprecated fields to those of today.

    Args:
        kind: class of the record.
        values: of its fields; changed in place.
    """
    change = _CHANGES.get(kind)
    if change is not None:
        change(values)
