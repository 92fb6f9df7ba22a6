"""Grip and rolling resistance of wheels by kind of ground, film of water and snow.

On sealed ground a film of water has two effects: the wet surface grips less, as soon as it is damp, and the tyre has to
press the water away, for which time lacks at speed. The second is the table of new tyres of Bosch's "Automotive
Handbook" (`FILM_GRIP`), linear between its rows and columns; at rest all water is pressed away. It falls to nothing at
130 km/h on 2 mm, as tyres of 220 kPa float from about 90 km/h on where water is deep (W. B. Horne and R. C. Dreher,
NASA TN D-2056 (1963): 6.35 km/h times the root of the pressure in kPa).
Ground that is not sealed has no film: it is damp or dry. Snow covers what is under it from `COVERING_SNOW` on.
"""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel
from dorosim.ground.unit import KMH
from dorosim.road.surface_kind import SurfaceKind

FILM_DEPTHS = np.array((0.0, 0.2e-3, 1e-3, 2e-3))
"""Depths of the table's columns [m]."""
FILM_SPEEDS = np.array((0.0, 50.0, 90.0, 130.0)) * KMH.factor
"""Speeds of the table's rows [m/s]."""
FILM_GRIP = np.array(
    (
        (1.0, 1.0, 1.0, 1.0),
        (1.0, 0.65 / 0.65, 0.55 / 0.65, 0.50 / 0.65),
        (1.0, 0.60 / 0.8 * 0.85 / 0.65, 0.30 / 0.8 * 0.85 / 0.65, 0.05 / 0.8 * 0.85 / 0.65),
        (1.0, 0.55 / 0.75 * 0.85 / 0.65, 0.20 / 0.75 * 0.85 / 0.65, 0.0),
    )
)
"""Grip under a film over that of the damp surface: the handbook's coefficients over its dry ones at the same speed
(0.85, 0.8, 0.75), over 0.65 / 0.85, which is asphalt's wet friction at low speed."""
COVERING_SNOW = 5e-3
"""Depth of snow from which on wheels stand on snow alone [m]: some times the texture of a road, which is 0.5 to 1.5 mm
deep (ISO 13473-1)."""
DAMP_FILM = 0.05e-3
"""Film from which on a surface grips as wet [m]: M.-T. Do et al., Journal of Traffic and Transportation Engineering 2
(2014) 36, find that friction falls within the first tenth of a millimetre."""

_FRICTION = np.array([kind.properties.friction for kind in SurfaceKind])
_WET_FRICTION = np.array([kind.properties.wet_friction for kind in SurfaceKind])
_ROLLING = np.array([kind.properties.rolling_resistance for kind in SurfaceKind])
_SEALED = np.array([kind.properties.sealed for kind in SurfaceKind])
_ASPHALT, _SNOW = int(SurfaceKind.ASPHALT), int(SurfaceKind.SNOW)


@inner_kernel
def _place(knots: FloatArray, value: float) -> tuple[int, float]:
    """Between which of some rising numbers a value lies: the row of the first, and the part of the way to the next."""
    last = len(knots) - 1
    if value >= knots[last]:
        return last - 1, 1.0
    row = 0
    while row < last - 1 and value >= knots[row + 1]:
        row += 1
    return row, max(value - knots[row], 0.0) / (knots[row + 1] - knots[row])


@inner_kernel
def film_grip(film_depth: float, speed: float) -> float:
    """Grip of a sealed surface under a film of water [m] at a speed [m/s], over that of the same surface if damp."""
    i, down = _place(FILM_SPEEDS, abs(speed))
    k, along = _place(FILM_DEPTHS, film_depth)
    slow = FILM_GRIP[i, k] + along * (FILM_GRIP[i, k + 1] - FILM_GRIP[i, k])
    fast = FILM_GRIP[i + 1, k] + along * (FILM_GRIP[i + 1, k + 1] - FILM_GRIP[i + 1, k])
    grip: float = slow + down * (fast - slow)
    return grip


@inner_kernel
def grip_on(surface: int, film_depth: float, snow_depth: float, speed: float) -> float:
    """Grip of a wheel over that on dry asphalt: 1 on dry asphalt, at any speed.

    Args:
        surface: `SurfaceKind`.
        film_depth: of the water on it [m].
        snow_depth: of the snow on it [m].
        speed: of the wheel over the ground [m/s].
    """
    dry, wet = _FRICTION[surface], _WET_FRICTION[surface]
    if film_depth > 0.0:
        dry += min(film_depth / DAMP_FILM, 1.0) * (wet - dry)
        if _SEALED[surface]:
            dry *= film_grip(film_depth, speed)
    if snow_depth > 0.0:
        dry += min(snow_depth / COVERING_SNOW, 1.0) * (min(_FRICTION[_SNOW], dry) - dry)
    grip: float = dry / _FRICTION[_ASPHALT]
    return grip


@inner_kernel
def rolling_resistance_on(surface: int, snow_depth: float) -> float:
    """Rolling resistance over load that a wheel has beyond that on asphalt; 0 on asphalt.

    Args:
        surface: `SurfaceKind`.
        snow_depth: of the snow on it [m].
    """
    bare = _ROLLING[surface]
    if snow_depth > 0.0:
        bare += min(snow_depth / COVERING_SNOW, 1.0) * (max(_ROLLING[_SNOW], bare) - bare)
    added: float = bare - _ROLLING[_ASPHALT]
    return added
