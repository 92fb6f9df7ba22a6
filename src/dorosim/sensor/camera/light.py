"""The light of a time of day and a weather: sun, sky, haze, and how a camera exposes for them.

Radiances are relative: a white surface that faces the sun at a clear noon has about 1.3, so that 1 stands for an
illuminance of about 80,000 lx. The colours are fitted by eye
to photographs; their course follows the physics that is named with each.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.world.environment.atmosphere import CONTRAST
from dorosim.world.environment.weather import EnvironmentState, Season, extinction, sky_of, sun_direction
from dorosim.world.storyboard.sun import SetSun

Colour = NDArray[np.float64]


class SceneLight(NamedTuple):
    """What the kernel knows of the surroundings; colours are linear red, green, blue.

    Attributes:
        toward_sun: `(3,)` float32 unit vector, in map. sun: `(3,)` float32 radiance of a white surface that faces it.
        zenith, horizon: `(3,)` float32 radiance of the sky. ground: of the ground, as seen in reflections.
        above, below: `(3,)` float32 ambient light on surfaces that face up and down.
        cloud: `(3,)` float32 radiance of clouds. air: of haze that is thick.
        cover: cover of clouds, 0 to 1. extinction: [1/m]. wetness: of the ground, 0 to 1. gain: of the exposure.
        shining: 1 where the sun makes shadows, else 0.
        film, snow: depths of water and snow on the ground [m].
        season: a `Season`, which leaves and grass follow.
        glow: `(3,)` float32 radiance of the horizon and of haze below a low sun, beyond that of the rest of them.
        low_sun: 1 where there is any, else 0.
    """

    toward_sun: NDArray[np.float32]
    sun: NDArray[np.float32]
    zenith: NDArray[np.float32]
    horizon: NDArray[np.float32]
    ground: NDArray[np.float32]
    above: NDArray[np.float32]
    below: NDArray[np.float32]
    cloud: NDArray[np.float32]
    air: NDArray[np.float32]
    cover: np.float32
    extinction: np.float32
    wetness: np.float32
    gain: np.float32
    shining: int
    film: np.float32 = np.float32(0.0)
    snow: np.float32 = np.float32(0.0)
    season: int = int(Season.SPRING)
    glow: NDArray[np.float32] = np.zeros(3, np.float32)
    low_sun: int = 0


_OPTICAL_DEPTH: Final = np.array([0.09, 0.15, 0.29])
"""Of clear air, straight up, at red, green and blue: Rayleigh scattering and a little aerosol
(A. T. Young, Applied Optics 19 (1980) 3427, for the former)."""
_SUN: Final = 1.35
_ZENITH, _HORIZON = np.array([0.075, 0.215, 0.62]), np.array([0.56, 0.74, 0.97])
_DUSK_ZENITH, _DUSK_HORIZON = np.array([0.03, 0.05, 0.14]), np.array([0.46, 0.25, 0.13])
_SUNWARD: Final = np.array([0.46, 0.19, 0.035])
"""What stands on the sun's side of the sky of the horizon's light at dusk and dawn, on average over all sides: hazy air
scatters onward most of the light that comes through it, and of that the blue is lost on the way."""
MEAN_SIDE: Final = 3.0 / 8.0
"""Mean over all azimuths of the square of half of one plus the cosine to the sun's, by which that side fades."""
_NIGHT_ZENITH, _NIGHT_HORIZON = np.array([0.35e-5, 0.5e-5, 1.0e-5]), np.array([1.7e-5, 1.65e-5, 2.0e-5])
"""Of the sky above a town: about one lux on the ground, of the moon (0.25 lx when it is full) and of lamps that hazy
air throws back (C. C. M. Kyba et al., Scientific Reports 5 (2015) 8409)."""
_LAMP_LIGHT_IN_FOG: Final = np.array([4.0e-5, 3.4e-5, 2.4e-5])
"""What fog in a town throws back of its lamps."""
_ELEVATION_DEG: Final = (-12.0, -9.0, -6.0, -3.0, 0.0, 8.0)
_TWILIGHT: Final = (-3.7, -3.35, -2.9, -1.8, -1.05, 0.0)
"""Powers of ten by which skies are darker than their colours say, at elevations of the sun: so that the ground gets
3 lx and 40 lx at the ends of civil twilight and at -4 degrees, as P. K. Seidelmann's table says (Explanatory Supplement
to the Astronomical Almanac (1992), 9.33), times the share by which skies here are brighter at all hours."""
_OVERCAST: Final = np.array([0.52, 0.55, 0.58])
_GROUND_ALBEDO: Final = np.array([0.17, 0.165, 0.14])
_LUMINANCE: Final = np.array([0.2126, 0.7152, 0.0722])
"""Of linear sRGB (IEC 61966-2-1)."""
_ADAPTATION: Final = 0.72
"""How much of a change of the light a camera evens out, so that dusk still looks darker than noon."""
_MIDDLE: Final = 1.05
_MIN_GLOW: Final = 1e-6
"""Radiance on the sun's side below which it is not looked for."""
_SKY_WEIGHT: Final = 1.8
"""How much that side counts over the light on the ground."""
_MAX_GAIN: Final = 2500.0
"""Of the exposure: that of a 60th of a second and 24 dB (`imager`)."""
_DIFFUSION: Final = 0.45
"""How much of the colour of ambient light is lost, since walls and clouds that are not looked at throw light too."""
_DARKEST_SUN: Final = 0.02
"""Radiance of the sun below which no shadows are looked for."""
_FOG_DEPTH, _CLEAR_AIR = 150.0, 1e-3
"""How thick a layer of fog is, through which the sun comes [m], and the extinction from which on air counts as fog
[1/m]: a visibility of 3 km."""
_WET_FILM: Final = 0.3e-3
"""Water at which a road is wet all over [m]."""
_MIN_FILM, MIN_SEEN_SNOW = 0.02e-3, 0.2e-3
"""Less water or snow on the ground is not seen [m]."""
_FULL_SUN: Final = 100_000.0
"""Illuminance of a sun overhead in a clear sky [lx]."""
_SNOW_ALBEDO: Final = np.array([0.84, 0.86, 0.9])
_WHITE_GROUND: Final = 0.03
"""Depth of snow from which on all ground is white [m]."""


def light_of(environment: EnvironmentState, exposure: float = 0.0, set_sun: SetSun | None = None) -> SceneLight:
    """The light of the surroundings.

    Args:
        environment: time of day, season and weather.
        exposure: correction [stops].
        set_sun: a sun that a storyboard has set, in place of that of the time of day.
    """
    toward = np.array(sun_direction(environment) if set_sun is None else set_sun.direction)
    weather = sky_of(environment)
    height = float(toward[2])
    clear = 1.0 - weather.cloud
    through_fog = math.exp(
        -_FOG_DEPTH * max(-math.log(CONTRAST) / weather.visibility - _CLEAR_AIR, 0.0) / max(height, 0.1)
    )
    sun = _sun_colour(height) * min(clear**0.7, 1.0) * (clear > 0.02) * through_fog
    if set_sun is not None and math.isfinite(set_sun.illuminance) and sun.any():
        sun = sun * (set_sun.illuminance / _FULL_SUN * float(_LUMINANCE @ _sun_colour(1.0)) / float(_LUMINANCE @ sun))
    day, dusk = _smooth(-0.10, 0.25, height), _smooth(-0.22, 0.0, height) * (1.0 - _smooth(0.02, 0.30, height))
    share = 10.0 ** float(np.interp(math.degrees(math.asin(max(-1.0, min(1.0, height)))), _ELEVATION_DEG, _TWILIGHT))
    day, dusk = day * share, dusk * share
    zenith = _NIGHT_ZENITH + day * _ZENITH + dusk * _DUSK_ZENITH
    horizon = _NIGHT_HORIZON + day * _HORIZON + dusk * _DUSK_HORIZON
    red = dusk * _SUNWARD
    grey = _OVERCAST * (day + 0.15 * dusk) + _NIGHT_HORIZON
    dull = max(_smooth(0.5, 1.0, weather.cloud), 1.0 - through_fog)
    zenith, horizon = zenith + dull * (0.85 * grey - zenith), horizon + dull * (grey - horizon)
    haze = _smooth(0.0, 1.0, min(1000.0 / weather.visibility, 1.0))
    air = horizon + haze * (0.95 * grey + _LAMP_LIGHT_IN_FOG - horizon)
    above = 0.40 * zenith + 0.60 * horizon
    above = above + _DIFFUSION * (float(_LUMINANCE @ above) - above)
    water, lying = float(environment.water_depth[0]), float(environment.snow_depth[0])
    film = water if water > _MIN_FILM else 0.0
    white = 0.8 * min(lying / _WHITE_GROUND, 1.0)
    ground = (_GROUND_ALBEDO + white * (_SNOW_ALBEDO - _GROUND_ALBEDO)) * (sun * max(height, 0.0) + above)
    cloud = 0.62 * sun * min(1.0, 0.4 + max(height, 0.0)) + 0.5 * above + 0.35 * grey
    glow = (1.0 - dull) * red / MEAN_SIDE
    # what is metered: the light on the ground, and the bright side of the sky, of which the ground has little
    metered = float(_LUMINANCE @ (sun * max(height, 0.0) + above + _SKY_WEIGHT * glow))
    gain = min(_MIDDLE / metered**_ADAPTATION, _MAX_GAIN) * 2.0**exposure
    return SceneLight(
        toward_sun=toward.astype(np.float32),
        sun=sun.astype(np.float32),
        zenith=zenith.astype(np.float32),
        horizon=(horizon - (1.0 - dull) * red).astype(np.float32),
        ground=ground.astype(np.float32),
        above=above.astype(np.float32),
        below=(0.8 * ground + 0.25 * above).astype(np.float32),
        cloud=cloud.astype(np.float32),
        air=(air - (1.0 - haze) * (1.0 - dull) * red).astype(np.float32),
        cover=np.float32(weather.cloud),
        extinction=np.float32(extinction(environment)),
        wetness=np.float32(min(film / _WET_FILM, 1.0)),
        gain=np.float32(gain),
        shining=int(sun.max() > _DARKEST_SUN),
        film=np.float32(film),
        snow=np.float32(lying if lying > MIN_SEEN_SNOW else 0.0),
        season=int(environment.season[0]),
        glow=glow.astype(np.float32),
        low_sun=int(glow.max() > _MIN_GLOW),
    )


def _sun_colour(height: float) -> Colour:
    """Radiance of a white surface that faces the sun, by the sine of its elevation.

    Air mass after F. Kasten and A. T. Young (Applied Optics 28 (1989) 4735).
    """
    degrees = math.degrees(math.asin(max(-1.0, min(1.0, height))))
    if degrees <= -0.8:
        return np.zeros(3)
    mass = 1.0 / (max(height, 0.0) + 0.50572 * (max(degrees, 0.0) + 6.07995) ** -1.6364)
    colour: Colour = _SUN * np.exp(-_OPTICAL_DEPTH * mass) * _smooth(-0.8, 0.5, degrees)
    return colour


def _smooth(low: float, high: float, value: float) -> float:
    part = min(max((value - low) / (high - low), 0.0), 1.0)
    return part * part * (3.0 - 2.0 * part)
