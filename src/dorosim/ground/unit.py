"""Units of measurement: a symbol and the factor that turns a value into SI (BIPM SI brochure, 9th ed.).

Above the wire every quantity is in SI and radians; a `Unit` stands in the tables of the wire floor and of the
settings, and is applied where a value enters or leaves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measurement.

    Attributes:
        symbol: as written in documents, e.g. "km/h".
        si_symbol: the SI unit (or rad) that a value has after conversion.
        factor: SI value = factor * value.
    """

    symbol: str
    si_symbol: str
    factor: float = 1.0


NONE = Unit("", "")
RATIO = Unit("ratio", "ratio")
METRE = Unit("m", "m")
PER_METRE = Unit("1/m", "1/m")
SECOND = Unit("s", "s")
NANOSECOND = Unit("ns", "s", 1e-9)
METRE_PER_SECOND = Unit("m/s", "m/s")
KMH = Unit("km/h", "m/s", 1 / 3.6)
METRE_PER_SECOND2 = Unit("m/s²", "m/s²")
RADIAN = Unit("rad", "rad")
DEGREE = Unit("deg", "rad", math.pi / 180)
RADIAN_PER_SECOND = Unit("rad/s", "rad/s")
DEGREE_PER_SECOND = Unit("deg/s", "rad/s", math.pi / 180)
NEWTON = Unit("N", "N")
NEWTON_PER_RADIAN = Unit("N/rad", "N/rad")
KILOGRAM = Unit("kg", "kg")
KILOGRAM_METRE2 = Unit("kg·m²", "kg·m²")
WATT = Unit("W", "W")


_LOST = 1e-13
"""What an angle of up to a turn loses by conversions and by whole turns that are taken off [deg]."""


def degrees_of(angle: float) -> float:
    """An angle in degrees: the original number, if the angle was converted from degrees.

    30 deg are 0.5235987755982988 rad, and these divided by the factor are 29.999999999999996. Of the numbers that are
    this angle within the rounding of the conversions, a short one is returned: to 9 digits behind the point where that
    is one, since an angle that was brought into -pi to pi has lost a bit, else one that is this angle exactly.

    Args:
        angle: [rad].
    """
    value = angle / DEGREE.factor
    if value == 0.0 or not math.isfinite(value):
        return value
    last, short = math.ulp(value), round(value, 9)
    if abs(short - value) <= _LOST < 1e-6 * abs(value):
        return short
    for candidate in (round(value, 12), value, value - last, value + last):
        if candidate * DEGREE.factor == angle:
            return candidate
    return value
