"""EnvironmentAction (ASAM OpenSCENARIO XML 1.3): time of day, weather and the state of the road.

What the world has a state for is commanded to it: rain, snow, sight, clouds, speed of the wind, time of day and
season, friction and water on the road. The rest is state of the storyboard (`EnvironmentTable`): cameras take the light
of a sun that is set from there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dorosim.scenario.openscenario.engine.action.place_action import AtOnce
from dorosim.scenario.openscenario.engine.control_rows import EnvironmentRow
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import Domain, Use
from dorosim.scenario.openscenario.engine.rows import ActionRow
from dorosim.world.command import Command
from dorosim.world.environment.command import SetRoadFriction, SetSeason, SetSky, SetStandingWater, SetTimeOfDay
from dorosim.world.environment.effect import MAX_FRICTION
from dorosim.world.environment.weather import DAY, MAX_RAIN, MAX_VISIBILITY, MIN_VISIBILITY, Season
from dorosim.world.storyboard.control_state import EnvironmentTable, RoadWetness
from dorosim.world.storyboard.state import NEVER

WATER_DEPTH = {
    RoadWetness.DRY: 0.0,
    RoadWetness.MOIST: 0.1e-3,
    RoadWetness.WET_WITH_PUDDLES: 1.0e-3,
    RoadWetness.LOW_FLOODED: 10.0e-3,
    RoadWetness.HIGH_FLOODED: 50.0e-3,
}
"""Water on the road [m]. The standard has words; a road is wet all over from 0.3 mm on, puddles are of millimetres."""


@dataclass(frozen=True, slots=True)
class FogPlan:
    """Fog: how far one sees [m], and middle and size of its box (x, y, z, length, width, height), None everywhere."""

    range: float
    box: tuple[float, float, float, float, float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentPlan:
    """An environment; what is None stays as it is.

    Attributes:
        date_time: [ns since 1970]. day_time: since midnight [s]. season: of the date. animation: whether time goes on.
        sun: azimuth, elevation [rad] and illuminance [lx] (NaN: as the sky has it). cloud: 0 to 1.
        rain, snow: [m/s of water]. fog. wind: direction [rad] and speed [m/s]. temperature: [K]. pressure: [Pa].
        friction: factor. wetness.
    """

    date_time: int | None = None
    day_time: float = 0.0
    season: Season = Season.SPRING
    animation: bool = False
    sun: tuple[float, float, float] | None = None
    cloud: float | None = None
    rain: float | None = None
    snow: float | None = None
    fog: FogPlan | None = None
    wind: tuple[float, float] | None = None
    temperature: float | None = None
    pressure: float | None = None
    friction: float | None = None
    wetness: RoadWetness | None = None


@dataclass(frozen=True, slots=True)
class SetEnvironment(AtOnce):
    """Set an environment."""

    plan: EnvironmentPlan
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Keep what is given, and command it to the world."""
        found = environment_of(frame)
        _keep(found, self.plan, frame.time)
        if frame.world is not None:
            frame.commands += _commands(self.plan)
        row.finish()


def environment_of(frame: StoryboardFrame) -> EnvironmentRow:
    """The environment; a first one in which nothing is set."""
    if not frame.environment:
        made = EnvironmentRow.new(EnvironmentTable)
        for column in EnvironmentTable.float_columns:
            setattr(made, column.name, math.nan)
        made.since = made.wetness = NEVER
        frame.environment.append(made)
    return frame.environment[0]


def _keep(row: EnvironmentRow, plan: EnvironmentPlan, time: int) -> None:
    """Write what is given into the row."""
    if plan.date_time is not None:
        row.date_time, row.day_time = plan.date_time, plan.day_time
        row.since, row.animation = time, int(plan.animation)
    if plan.sun is not None:
        row.sun_azimuth, row.sun_elevation, row.illuminance = plan.sun
    if plan.wind is not None:
        row.wind_direction, row.wind_speed = plan.wind
    if plan.fog is not None:
        row.fog_range = plan.fog.range
        box = plan.fog.box or (math.nan,) * 6
        row.fog_x, row.fog_y, row.fog_z, row.fog_length, row.fog_width, row.fog_height = box
    for name in ("temperature", "pressure", "friction"):
        value = getattr(plan, name)
        if value is not None:
            setattr(row, name, value)
    if plan.wetness is not None:
        row.wetness = int(plan.wetness)


def _commands(plan: EnvironmentPlan) -> list[Command]:
    """What the world is told. Water on the road comes last, since weather that comes at once brings its own."""
    found: list[Command] = []
    if plan.date_time is not None:
        found += [SetSeason(plan.season), SetTimeOfDay(plan.day_time)]
    sky = SetSky(
        rain=None if plan.rain is None else min(plan.rain, MAX_RAIN),
        snow=None if plan.snow is None else min(plan.snow, MAX_RAIN),
        visibility=None if plan.fog is None or plan.fog.box is not None else _visible(plan.fog.range),
        cloud=plan.cloud,
        wind=None if plan.wind is None else min(plan.wind[1], 100.0),
    )
    if sky != SetSky():
        found.append(sky)
    if plan.friction is not None:
        found.append(SetRoadFriction(min(plan.friction, MAX_FRICTION)))
    if plan.wetness is not None:
        found.append(SetStandingWater(WATER_DEPTH[plan.wetness]))
    return found


def _visible(distance: float) -> float:
    return min(max(distance, MIN_VISIBILITY), MAX_VISIBILITY)


def step_environment(frame: StoryboardFrame) -> None:
    """Let the time of day go on where it is to, and let the first entity come into fog and out of it."""
    if Use.ENVIRONMENT not in frame.program.uses or frame.world is None or not frame.environment:
        return
    row = frame.environment[0]
    if row.animation:
        after = frame.time + round(frame.dt * 1e9)
        frame.commands.append(SetTimeOfDay((row.day_time + (after - row.since) * 1e-9) % DAY))
    if not math.isnan(row.fog_length) and frame.entity:
        inside = _is_in_fog(frame, row)
        visibility = _visible(row.fog_range if inside else MAX_VISIBILITY)
        if frame.world.environment.goal[2, 0] != visibility:
            frame.commands.append(SetSky(visibility=visibility))


def _is_in_fog(frame: StoryboardFrame, row: EnvironmentRow) -> bool:
    """Whether the first entity that is in the world is in the fog's box."""
    body = next((one for one in frame.entity if one.present), None)
    if body is None:
        return False
    return (
        abs(body.x - row.fog_x) <= 0.5 * row.fog_length
        and abs(body.y - row.fog_y) <= 0.5 * row.fog_width
        and abs(body.z - row.fog_z) <= 0.5 * row.fog_height
    )
