"""The page of what each weather does to each sensor, with the numbers of the code that does it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dorosim.sensor.camera.lens_drop import lens_drop_count
from dorosim.sensor.lidar.model import MODELS, LidarSpec
from dorosim.sensor.lidar.weather import PlanarSpec, haze_of, lidar_weather, rain_spread
from dorosim.sensor.radar.radar import detectable_section
from dorosim.sensor.radar.rain import rain_attenuation
from dorosim.world.environment.atmosphere import CONTRAST, MM_PER_HOUR
from dorosim.world.environment.driving_conditions import driving_conditions
from dorosim.world.environment.weather import (
    SKIES,
    EnvironmentState,
    WeatherKind,
    extinction,
    first_environment,
    settled_cover,
    sky_of,
)
from dorosim.world.mount.setting import Lidar2dSettings, RadarSettings
from tools.reference.markdown import table

_INTRODUCTION = """# What weather does to sensors

`--weather NAME`, or `weather` in `dorosim.toml`; clients change it while a run goes on. All numbers below are
those of the code, at the defaults of each sensor. Models and sources stand in the modules
`dorosim.world.environment.atmosphere`, `dorosim.sensor.lidar.weather` and `dorosim.sensor.radar.rain`.

## The weathers

"""

UNTOUCHED = {
    "ultrasonic": "dorosim.sensor.ultrasonic",
    "GPS": "dorosim.sensor.gnss",
    "IMU": "dorosim.sensor.imu",
    "ground truth": "dorosim.sensor.truth",
}
"""Sensors that no weather changes, and the module of each, which does not know the weather."""

_REST = """
An ultrasonic sensor, a GPS receiver, an IMU and ground truth measure the same in any weather. An IMU feels what a
vehicle does on a slippery road. A GPS receiver loses satellites in areas without reception only.

Smoke of map objects, and the spray that tyres throw up on a wet road, are places in the air: cameras and lidars look
through them. Radars do not notice them.

## What it does to traffic

"""


def weather_page() -> str:
    """The page: the weathers, what they do to each kind of sensor, and what drivers make of them."""
    states = {kind: _settled(kind) for kind in WeatherKind}
    head = ("sensor", *(f"`{kind.name.lower()}`" for kind in WeatherKind))
    text = _INTRODUCTION + table(("weather", *head[1:]), [_row(name, states, cell) for name, cell in _WEATHER.items()])
    text += "\n## Sensors\n\n"
    text += table(head, [_row(name, states, cell) for name, cell in _SENSORS.items()])
    text += _REST + table(("drivers", *head[1:]), [_row(name, states, cell) for name, cell in _TRAFFIC.items()])
    return text


def lidar_range(state: EnvironmentState, spec: LidarSpec | PlanarSpec) -> float:
    """Where a lidar finds half of the points of a surface that throws 10 % back [m]."""
    haze = haze_of(state)
    return _where(lambda way: (way / spec.detection) ** 2 * math.exp(2.0 * haze * way) - 1.0, spec.detection)


def radar_range(state: EnvironmentState) -> float:
    """Where a radar just detects what it detects at the end of its range in clear air [m]."""
    settings, rain = RadarSettings(), sky_of(state).rain
    section = float(detectable_section(settings, np.array([settings.range]), 0.0)[0])
    return _where(lambda way: float(detectable_section(settings, np.array([way]), rain)[0]) - section, settings.range)


def points_in_air(state: EnvironmentState, spec: LidarSpec | PlanarSpec) -> float:
    """Share of the beams that meet nothing solid on which a lidar finds fog, a drop or a flake."""
    chance = lidar_weather(state, spec).chance
    return 1.0 - math.exp(-float(chance[-1])) if len(chance) else 0.0


def _settled(kind: WeatherKind) -> EnvironmentState:
    """A weather that has lasted, at noon in spring."""
    state = first_environment()
    state.sky[:, 0] = state.goal[:, 0] = SKIES[kind]
    state.weather[0] = kind
    state.water_depth[0], state.snow_depth[0] = settled_cover(SKIES[kind])
    return state


def _where(excess: Callable[[float], float], farthest: float) -> float:
    """Where an increasing function of the way is 0 [m], by halving; `farthest` where it is not above 0 there."""
    low, high = 0.0, farthest
    if excess(high) <= 0.0:
        return farthest
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if excess(middle) > 0.0 else (middle, high)
    return low


Cell = Callable[[EnvironmentState], str]


def _row(name: str, states: dict[WeatherKind, EnvironmentState], cell: Cell) -> tuple[str, ...]:
    return (name, *(cell(state) for state in states.values()))


def _number(value: float, unit: str, digits: int = 0) -> str:
    return f"{value:,.{digits}f} {unit}" if value else "none"


_WEATHER: dict[str, Cell] = {
    "rain": lambda state: _number(sky_of(state).rain / MM_PER_HOUR, "mm/h"),
    "snow, as water": lambda state: _number(sky_of(state).snow / MM_PER_HOUR, "mm/h"),
    "visibility of the air": lambda state: _number(sky_of(state).visibility, "m"),
    "clouds": lambda state: f"{100.0 * sky_of(state).cloud:.0f} %",
    "wind": lambda state: _number(sky_of(state).wind, "m/s"),
    "water on the road": lambda state: _number(1e3 * float(state.water_depth[0]), "mm", 2),
    "snow on the ground": lambda state: _number(1e2 * float(state.snow_depth[0]), "cm", 1),
}


def _lidar(spec: LidarSpec | PlanarSpec) -> Cell:
    def cell(state: EnvironmentState) -> str:
        return f"{lidar_range(state, spec):.0f} m, {100.0 * points_in_air(state, spec):.1f} %"

    return cell


_SENSORS: dict[str, Cell] = {
    "camera: how far one sees": lambda state: _number(-math.log(CONTRAST) / extinction(state), "m"),
    "camera: drops on the lens": lambda state: _number(lens_drop_count(sky_of(state).rain), "drops"),
    **{f"{name}: finds a surface of 10 % up to; points in the air": _lidar(spec) for name, spec in MODELS.items()},
    "2D lidar: finds a surface of 10 % up to; points in the air": _lidar(PlanarSpec(Lidar2dSettings().range)),
    "all lidars: ranges scatter by": lambda state: _number(100.0 * rain_spread(sky_of(state).rain), "%", 1),
    "radar: lost over 100 m and back": lambda state: _number(200.0 * rain_attenuation(sky_of(state).rain), "dB", 1),
    "radar: range": lambda state: _number(radar_range(state), "m"),
    **dict.fromkeys(UNTOUCHED, lambda _: "as ever"),
}


_TRAFFIC: dict[str, Cell] = {
    "wanted speed": lambda state: f"{100.0 * driving_conditions(state).speed:.0f} %",
    "gap in time": lambda state: f"{100.0 * driving_conditions(state).time_gap:.0f} %",
    "no faster than": lambda state: (
        "their limit" if math.isinf(fastest := driving_conditions(state).max_speed) else f"{3.6 * fastest:.0f} km/h"
    ),
}
