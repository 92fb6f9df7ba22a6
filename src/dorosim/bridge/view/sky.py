"""Sky, haze and light of the page, from weather, season and time of day.

The page shows what goes on; it is no camera. So nights are dim rather than dark, and fog leaves the nearest streets.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.scene.lit_window import is_dark, lit_at
from dorosim.sensor.scene.material import Material
from dorosim.world.environment.weather import EnvironmentState, extinction, sky_of, sun_direction

_TWILIGHT = math.radians(6.0)
"""Half the range of sun elevations between day and night: civil twilight."""
_DAY_ZENITH, _DAY_HORIZON = (0.23, 0.47, 0.80), (0.74, 0.84, 0.93)
_DULL_ZENITH, _DULL_HORIZON = (0.53, 0.57, 0.62), (0.74, 0.77, 0.80)
_NIGHT_ZENITH, _NIGHT_HORIZON = (0.02, 0.03, 0.07), (0.09, 0.11, 0.17)
_DUSK = (0.95, 0.62, 0.40)
_FOG = (0.77, 0.79, 0.81)
"""Colours of the sky as screens take them."""
_MAX_VISIBILITY = 3000.0
"""Haze hides the map from here on, however clear the air is [m]."""
_MIN_VISIBILITY = 60.0
_SEEN = 3.0
"""Optical depth at which nothing is seen."""


class SkyLight(NamedTuple):
    """The page's sky and lights.

    Attributes:
        zenith, horizon: colours of the sky, 0 to 255.
        haze: from where to where the map fades into the horizon [m].
        sky, ground: colours of the light from above and below, and `ambient` its intensity, for actors.
        sun, sun_intensity, sun_direction: those of the sun, or of the moon at night; `(3,)` towards it.
        night: share of night, 0 to 1.
        shade: linear red, green, blue of the light that falls on the map from everywhere. shine: of that of the sun.
        snow: share of the ground that is white. wet: by how much roads are darker than when they are dry.
        burning: materials of windows and street lamps that shine by themselves; none by day.
    """

    zenith: tuple[int, int, int]
    horizon: tuple[int, int, int]
    haze: tuple[float, float]
    sky: tuple[int, int, int]
    ground: tuple[int, int, int]
    ambient: float
    sun: tuple[int, int, int]
    sun_intensity: float
    sun_direction: tuple[float, float, float]
    night: float
    shade: tuple[float, float, float]
    shine: tuple[float, float, float]
    snow: float
    wet: float
    burning: tuple[int, ...] = ()


def is_same(one: EnvironmentState, other: EnvironmentState) -> bool:
    """Whether two states are equal. Each snapshot comes to the page with one of its own."""
    return np.array_equal(one.floats, other.floats) and np.array_equal(one.ints, other.ints)


def light_of(state: EnvironmentState) -> SkyLight:
    """What the surroundings look like."""
    now = sky_of(state)
    toward = sun_direction(state)
    height = math.asin(max(-1.0, min(toward[2], 1.0)))
    day = _smooth((height + _TWILIGHT) / (2.0 * _TWILIGHT))
    dusk = max(1.0 - abs(height) / (2.0 * _TWILIGHT), 0.0) * (1.0 - now.cloud)
    dull = _smooth(now.cloud)
    zenith = _mixed(_NIGHT_ZENITH, _mixed(_DAY_ZENITH, _DULL_ZENITH, dull), day)
    horizon = _mixed(_NIGHT_HORIZON, _mixed(_DAY_HORIZON, _DULL_HORIZON, dull), day)
    horizon = _mixed(horizon, _DUSK, 0.6 * dusk)
    seen = min(_SEEN / extinction(state), _MAX_VISIBILITY)
    thick = _smooth(1.0 - seen / 900.0)
    fog = _mixed(_NIGHT_HORIZON, _FOG, day)
    horizon, zenith = _mixed(horizon, fog, thick), _mixed(zenith, fog, thick)
    far = max(seen, _MIN_VISIBILITY)
    direct = (1.0 - 0.92 * dull) * (1.0 - 0.7 * thick)
    warm = _mixed((1.0, 0.96, 0.9), (1.0, 0.62, 0.35), dusk)
    sun = _mixed((0.55, 0.65, 1.0), warm, day)
    moon = (0.3, -0.4, 0.85)
    up = toward if height > 0.0 else moon
    snow = min(now.snow / 2e-7, 1.0)
    return SkyLight(
        zenith=_bytes(zenith),
        horizon=_bytes(horizon),
        haze=(min(0.15 * far, 200.0), far),
        sky=_bytes(_mixed((0.45, 0.52, 0.75), (0.92, 0.96, 1.0), day)),
        ground=_bytes(_mixed((0.20, 0.22, 0.28), _mixed((0.55, 0.52, 0.46), (0.9, 0.9, 0.95), snow), day)),
        ambient=1.5 + (0.5 + 0.95 * dull + 0.5 * snow) * day,
        sun=_bytes(sun),
        sun_intensity=0.6 * (1.0 - day) + 2.6 * direct * day,
        sun_direction=(up[0], up[1], max(up[2], 0.15)),
        night=1.0 - day,
        shade=_coarse(_mixed((0.13, 0.16, 0.26), _mixed((0.54, 0.58, 0.64), (0.78, 0.80, 0.83), dull), day)),
        shine=_coarse(tuple((0.05 + 0.6 * direct * day) * part for part in sun)),
        snow=round(snow, 1),
        wet=round(min(now.rain / 2e-6, 1.0), 1),
        burning=_burning(state),
    )


def _burning(state: EnvironmentState) -> tuple[int, ...]:
    if not is_dark(state):
        return ()
    return (int(Material.STREET_LAMP), *lit_at(float(state.sun_time[0]) / 3600.0).tolist())


def sky_image(light: SkyLight, rows: int = 128) -> NDArray[np.uint8]:
    """A picture `(rows, 2, 3)` of the sky: the zenith at the top, the horizon from the middle down."""
    share = np.clip(np.linspace(0.0, 2.0, rows), 0.0, 1.0)[:, None] ** 0.8
    column = np.array(light.zenith) * (1.0 - share) + np.array(light.horizon) * share
    return np.repeat(np.round(column).astype(np.uint8)[:, None], 2, axis=1)


def _smooth(share: float) -> float:
    """0 to 1 without kinks at the ends."""
    x = max(0.0, min(share, 1.0))
    return x * x * (3.0 - 2.0 * x)


def _mixed(one: tuple[float, ...], other: tuple[float, ...], share: float) -> tuple[float, ...]:
    return tuple(a + (b - a) * share for a, b in zip(one, other, strict=True))


def _coarse(colour: tuple[float, ...]) -> tuple[float, float, float]:
    """In few steps: a map is coloured anew for each."""
    red, green, blue = (round(part, 2) for part in colour)
    return red, green, blue


def _bytes(colour: tuple[float, ...]) -> tuple[int, int, int]:
    red, green, blue = (round(255 * max(0.0, min(part, 1.0))) for part in colour)
    return red, green, blue
