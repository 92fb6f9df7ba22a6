"""Environments of a file, made ready."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dorosim.scenario.openscenario.engine.action.environment import EnvironmentPlan, FogPlan, SetEnvironment
from dorosim.scenario.openscenario.engine.names import ScenarioNames
from dorosim.scenario.openscenario.engine.program import ActionPlan, Use
from dorosim.scenario.openscenario.record.environment import Environment, RoadCondition, TimeOfDay, Wetness
from dorosim.scenario.openscenario.record.global_action import EnvironmentAction
from dorosim.scenario.openscenario.record.table import OscRecord
from dorosim.scenario.openscenario.record.weather import (
    Fog,
    FractionalCloudCover,
    Precipitation,
    PrecipitationType,
    Weather,
)
from dorosim.world.environment.atmosphere import MM_PER_HOUR
from dorosim.world.environment.weather import Season
from dorosim.world.storyboard.control_state import RoadWetness

HEAVIEST = 50.0
"""Precipitation that an intensity of 1 stands for, in files of 1.0 [mm/h]: rain is violent above it (Met Office)."""
_OKTAS = {one: min(at, 8) / 8.0 for at, one in enumerate(FractionalCloudCover)}
_WETNESS = {
    Wetness.DRY: RoadWetness.DRY,
    Wetness.MOIST: RoadWetness.MOIST,
    Wetness.WET_WITH_PUDDLES: RoadWetness.WET_WITH_PUDDLES,
    Wetness.LOW_FLOODED: RoadWetness.LOW_FLOODED,
    Wetness.HIGH_FLOODED: RoadWetness.HIGH_FLOODED,
}


def _environment(names: ScenarioNames, one: EnvironmentAction) -> ActionPlan:
    found: Any = one.environment
    if found is None and one.catalog_reference is not None:
        found = one.catalog_reference.target
    if not isinstance(found, Environment):
        raise names.refuse(one, "there is no environment", "give one, or name one of a catalog")
    names.uses.add(Use.ENVIRONMENT)
    given: dict[str, Any] = {}
    if found.time_of_day is not None:
        given |= _time(found.time_of_day)
    if found.weather is not None:
        given |= _weather(names, found.weather)
    if found.road_condition is not None:
        given |= _road(names, found.road_condition)
    return SetEnvironment(EnvironmentPlan(**given))


def _time(one: TimeOfDay) -> dict[str, Any]:
    date = one.date_time
    return {
        "date_time": round(date.timestamp() * 1e9),
        "day_time": date.hour * 3600.0 + date.minute * 60.0 + date.second + date.microsecond * 1e-6,
        "season": Season(date.month % 12 // 3),
        "animation": one.animation,
    }


def _weather(names: ScenarioNames, one: Weather) -> dict[str, Any]:
    given: dict[str, Any] = {"temperature": one.temperature, "pressure": one.atmospheric_pressure}
    if one.fractional_cloud_cover is not None:
        given["cloud"] = _OKTAS[one.fractional_cloud_cover]
    if one.sun is not None:
        light = math.nan if one.sun.illuminance is None else one.sun.illuminance
        given["sun"] = (one.sun.azimuth, one.sun.elevation, light)
    if one.fog is not None:
        given["fog"] = _fog(one.fog)
    if one.precipitation is not None:
        given |= _precipitation(one.precipitation)
    if one.wind is not None:
        given["wind"] = (one.wind.direction, max(one.wind.speed, 0.0))
    if one.dome_image is not None:
        names.note(one.dome_image, "DomeImage has no effect: the sky is calculated")
    return given


def _fog(one: Fog) -> FogPlan:
    if one.bounding_box is None:
        return FogPlan(one.visual_range)
    center, size = one.bounding_box.center, one.bounding_box.dimensions
    return FogPlan(one.visual_range, (center.x, center.y, center.z, size.length, size.width, size.height))


def _precipitation(one: Precipitation) -> dict[str, Any]:
    amount = one.precipitation_intensity
    if amount is None:
        amount = (one.intensity or 0.0) * HEAVIEST
    falling = max(amount, 0.0) * MM_PER_HOUR
    return {
        "rain": falling if one.precipitation_type is PrecipitationType.RAIN else 0.0,
        "snow": falling if one.precipitation_type is PrecipitationType.SNOW else 0.0,
    }


def _road(names: ScenarioNames, one: RoadCondition) -> dict[str, Any]:
    if one.properties is not None and one.properties.properties:
        names.note(one, "properties of the road's condition have no effect")
    return {
        "friction": max(one.friction_scale_factor, 0.0),
        "wetness": None if one.wetness is None else _WETNESS[one.wetness],
    }


ENVIRONMENT_ACTIONS: dict[type[OscRecord], Callable[[ScenarioNames, Any], ActionPlan]] = {
    EnvironmentAction: _environment
}
"""How actions on the environment are made ready."""
