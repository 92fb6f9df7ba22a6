"""Rows of controls, lights, animations and the environment as objects while a tick is made."""

from __future__ import annotations

from dorosim.scenario.openscenario.engine.rows import TableRow


class ControlRow(TableRow):
    """What overrides an entity's controllers, as of `ControlTable`."""

    value: list[float]
    goal: list[float]
    rate: list[float]
    torque: float
    wheel_angle: float
    overridden: int
    gear: int
    gear_kind: int
    assigned: int
    lateral: int
    longitudinal: int
    lighting: int
    animation: int
    trailer: int
    tractor: int
    wanders: int
    blind: int


class LightRow(TableRow):
    """A light, as of `LightTable`."""

    brightness: float
    start: float
    intensity: float
    red: float
    green: float
    blue: float
    entity: int
    kind: int
    colour: int
    mode: int
    since: int
    transition: int
    on_time: int
    off_time: int


class AnimationRow(TableRow):
    """A part that moves, as of `AnimationTable`."""

    progress: float
    start: float
    goal: float
    clock: float
    entity: int
    kind: int
    since: int
    duration: int
    loop: int
    running: int


class EnvironmentRow(TableRow):
    """The environment that an action has set, as of `EnvironmentTable`."""

    sun_azimuth: float
    sun_elevation: float
    illuminance: float
    temperature: float
    pressure: float
    wind_direction: float
    wind_speed: float
    fog_range: float
    fog_x: float
    fog_y: float
    fog_z: float
    fog_length: float
    fog_width: float
    fog_height: float
    friction: float
    day_time: float
    date_time: int
    since: int
    animation: int
    wetness: int
