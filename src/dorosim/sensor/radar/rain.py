"""What rain does to radars: it weakens waves on the way there and back, and its drops send some back.

Attenuation is that of Recommendation ITU-R P.838-3 (2005), for vertical polarisation and level paths:
gamma = k R^alpha [dB/km], R in mm/h, with k and alpha by frequency from its equations 2 and 3, tables 1 to 4.
Backscatter by volume as measured at 70 GHz: 4.2e-5 R^1.1 m²/m³ (V. W. Richard and J. E. Kammerer, "Rain backscatter
measurements and theory at millimeter wavelengths", BRL Report 1838 (1975)).
"""

from __future__ import annotations

import math
from math import exp, log10, radians

from dorosim.world.environment.atmosphere import MM_PER_HOUR

LONG_RANGE_FREQUENCY = 76.5e9
"""Of automotive radars [Hz]: the middle of the band of 76 to 77 GHz (ITU-R M.2057)."""

CELL_WIDTH, CELL_HEIGHT, CELL_DEPTH = radians(4.0), radians(10.0), 0.4
"""Of a cell that a long-range radar cannot resolve: angles [rad] and depth [m], as of common data sheets."""

_K_TERMS = (
    (-3.80595, 0.56934, 0.81061),
    (-3.44965, -0.22911, 0.51059),
    (-0.39902, 0.73042, 0.11899),
    (0.50167, 1.07319, 0.27195),
)
_K_SLOPE, _K_REST = -0.16398, 0.63297
_ALPHA_TERMS = (
    (-0.07771, 2.33840, -0.76284),
    (0.56727, 0.95545, 0.54039),
    (-0.20238, 1.14520, 0.26809),
    (-48.2991, 0.791669, 0.116226),
    (48.5833, 0.791459, 0.116479),
)
_ALPHA_SLOPE, _ALPHA_REST = -0.053739, 0.83433


def rain_coefficients(frequency: float) -> tuple[float, float]:
    """The coefficients k [dB/km at 1 mm/h] and alpha of the recommendation, for vertical polarisation.

    Args:
        frequency: 1 GHz to 1000 GHz [Hz].
    """
    place = log10(frequency * 1e-9)
    k = sum(a * exp(-(((place - b) / c) ** 2)) for a, b, c in _K_TERMS) + _K_SLOPE * place + _K_REST
    alpha = sum(a * exp(-(((place - b) / c) ** 2)) for a, b, c in _ALPHA_TERMS) + _ALPHA_SLOPE * place + _ALPHA_REST
    return math.pow(10.0, k), alpha


def rain_attenuation(rain: float, frequency: float = LONG_RANGE_FREQUENCY) -> float:
    """What rain takes of waves on their way, in one direction [dB/m].

    Args:
        rain: rate [m/s].
        frequency: [Hz].
    """
    k, alpha = rain_coefficients(frequency)
    return k * math.pow(max(rain, 0.0) / MM_PER_HOUR, alpha) * 1e-3


def rain_section(rain: float) -> float:
    """Radar cross-section of the drops in a cell that a radar cannot resolve, over the square of its distance [m²/m²].

    Args:
        rain: rate [m/s].
    """
    return 4.2e-5 * math.pow(max(rain, 0.0) / MM_PER_HOUR, 1.1) * CELL_WIDTH * CELL_HEIGHT * CELL_DEPTH
