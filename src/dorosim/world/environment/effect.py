"""What commands about weather, time of day, friction and satellite reception do."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from typing import Any

import numpy as np

from dorosim.ground.physics import MAX_COORDINATE
from dorosim.world.actor.effect import forget
from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.effect_common import Effect, check_pose, check_up_to, creates_actor
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
from dorosim.world.environment.friction_area import MAP_OBJECT_MODELS, MapObjectModel, MapObjectTable, model_of
from dorosim.world.environment.gnss_denied_area import ShadeTable
from dorosim.world.environment.weather import (
    CHANGE_TIME,
    DAY,
    MAX_RAIN,
    MAX_VISIBILITY,
    MIN_VISIBILITY,
    SKIES,
    EnvironmentState,
    Sky,
    settled_cover,
)
from dorosim.world.scene import Scene

MAX_FRICTION = 2.0
"""Multipliers beyond it are no ground [ratio]."""
MAX_AREA_SIZE = 10_000.0
"""Radii and heights beyond it are no area [m]."""
MAX_DENIED_AREAS = 10_000
"""More areas without reception than this are no map."""
MAX_WATER = 1.0
"""Deeper water is no road [m]."""
_MAX_SKY = Sky(MAX_RAIN, MAX_RAIN, MAX_VISIBILITY, 1.0, 100.0)
_MIN_SKY = Sky(0.0, 0.0, MIN_VISIBILITY, 0.0, 0.0)


@creates_actor
def create_map_object(_: Scene, draft: Draft, command: CreateMapObject | CreateFrictionArea) -> None:
    check_pose(command.position, command.rotation)
    model = model_of(command.model)
    area: CreateFrictionArea | MapObjectModel = MAP_OBJECT_MODELS[model]
    if isinstance(command, CreateFrictionArea):
        _check_area(command)
        area = command
    row = MapObjectTable.zeros(1)
    row.id[0], row.model[0] = command.actor, model
    size = (area.vertical_radius, area.horizontal_radius, area.height, area.multiplier)
    row.floats[:, 0] = (*command.position, *command.rotation, *size)
    draft.friction = replace(draft.friction, objects=draft.friction.objects.append(row).freeze())


def remove_map_object(_: Scene, draft: Draft, command: RemoveMapObject) -> None:
    _row_of(draft, command.actor)
    draft.friction = draft.friction.without(frozenset({command.actor}))
    forget(draft, (command.actor,))


def set_friction_area(_: Scene, draft: Draft, command: SetFrictionArea) -> None:
    row = _row_of(draft, command.actor)
    _check_area(command)
    table = draft.friction.objects.copy()
    table.vertical_radius[row], table.horizontal_radius[row] = command.vertical_radius, command.horizontal_radius
    table.height[row], table.multiplier[row] = command.height, command.multiplier
    draft.friction = replace(draft.friction, objects=table.freeze())


def set_road_friction(_: Scene, draft: Draft, command: SetRoadFriction) -> None:
    _check_friction(command.multiplier)
    draft.friction = replace(draft.friction, road=float(command.multiplier))


def _row_of(draft: Draft, actor: int) -> int:
    row = draft.friction.row_of(actor)
    if row < 0:
        raise CommandError(f"no map object {actor}")
    return row


def _check_friction(multiplier: float) -> None:
    check_up_to(MAX_FRICTION, "", friction=multiplier)


def _check_area(command: CreateFrictionArea | SetFrictionArea) -> None:
    for name in ("vertical_radius", "horizontal_radius", "height"):
        check_up_to(MAX_AREA_SIZE, " m", **{name: getattr(command, name)})
    _check_friction(command.multiplier)


def place_denied_area(_: Scene, draft: Draft, command: PlaceShade) -> None:
    areas, numbers = draft.shade, (*command.position, *command.rotation, *command.size)
    if not all(math.isfinite(number) for number in numbers):
        raise CommandError("a number of the area is not finite")
    if max(map(abs, (*command.position, *command.size))) > MAX_COORDINATE:
        raise CommandError(f"the area is farther away or longer than {MAX_COORDINATE:g} m")
    if min(command.size) < 0.0:
        raise CommandError("a size of the area is negative")
    found = np.flatnonzero(areas.alias == command.alias)
    if not len(found) and len(areas) >= MAX_DENIED_AREAS:
        raise CommandError(f"there are {MAX_DENIED_AREAS} areas already")
    row = found[0] if len(found) else len(areas)
    table = areas.copy() if len(found) else areas.append(ShadeTable.zeros(1))
    table.floats[:, row], table.alias[row] = numbers, command.alias
    draft.shade = table.freeze()


def remove_denied_areas(_: Scene, draft: Draft, __: RemoveShades) -> None:
    draft.shade = ShadeTable.zeros(0).freeze()


def _on_environment(effect: Callable[[EnvironmentState, Any], None]) -> Effect:
    """The effect that changes a copy of the surroundings, and leaves it out where the command is refused."""

    @wraps(effect)
    def apply(_: Scene, draft: Draft, command: Any) -> None:
        state = draft.environment.copy()
        effect(state, command)
        draft.environment = state.freeze()

    return apply


def _change_sky(state: EnvironmentState, goal: Sky, at_once: bool) -> None:
    state.goal[:, 0] = goal
    state.sky_left[0] = 0 if at_once else CHANGE_TIME
    if at_once:
        state.sky[:, 0] = goal


def _set_weather(state: EnvironmentState, command: SetWeather) -> None:
    state.weather[0] = command.kind
    _change_sky(state, SKIES[command.kind], command.at_once)
    if command.at_once:
        state.water_depth[0], state.snow_depth[0] = settled_cover(SKIES[command.kind])


def _set_sky(state: EnvironmentState, command: SetSky) -> None:
    goal = Sky(*state.goal[:, 0].tolist())
    for name, low, high in zip(Sky._fields, _MIN_SKY, _MAX_SKY, strict=True):
        value = getattr(command, name)
        if value is None:
            continue
        if not low <= value <= high:
            raise CommandError(f"{name}: {low:g} to {high:g}, not {value:g}")
        goal = goal._replace(**{name: value})
    _change_sky(state, goal, command.at_once)


def _set_season(state: EnvironmentState, command: SetSeason) -> None:
    state.season[0] = command.season


def _set_time_of_day(state: EnvironmentState, command: SetTimeOfDay) -> None:
    check_up_to(DAY, " s", time_of_day=command.time)
    state.time_change[0] = (command.time - float(state.time_of_day[0])) % DAY
    state.sun_change[0] = 0.0 if command.clock_only else (command.time - float(state.sun_time[0])) % DAY
    state.time_left[0] = CHANGE_TIME
    if command.at_once:
        state.time_of_day[0] = command.time % DAY
        if not command.clock_only:
            state.sun_time[0] = command.time % DAY
        state.time_change[0] = state.sun_change[0] = 0.0
        state.time_left[0] = 0


SkyCommand = SetWeather | SetSky | SetSeason | SetTimeOfDay
"""Commands about what can be seen of the surroundings."""
_SKY: dict[type[SkyCommand], Callable[[EnvironmentState, Any], None]] = {
    SetWeather: _set_weather,
    SetSky: _set_sky,
    SetSeason: _set_season,
    SetTimeOfDay: _set_time_of_day,
}
set_weather, set_sky, set_season, set_time_of_day = (_on_environment(effect) for effect in _SKY.values())


def with_sky(state: EnvironmentState, commands: Iterable[SkyCommand]) -> EnvironmentState:
    """The surroundings as they would be after commands, read-only; for pictures of a world that goes on without them.

    Raises:
        CommandError: a number is out of range.
    """
    changed = state.copy()
    for command in commands:
        _SKY[type(command)](changed, command)
    return changed.freeze()


@_on_environment
def set_standing_water(state: EnvironmentState, command: SetStandingWater) -> None:
    check_up_to(MAX_WATER, " m", depth=command.depth)
    state.water_depth[0] = command.depth


@_on_environment
def show_puddles(state: EnvironmentState, command: ShowPuddles) -> None:
    state.puddles[0] = command.shown
