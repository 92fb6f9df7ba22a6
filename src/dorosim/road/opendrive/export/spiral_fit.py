"""The Euler spiral from one place and heading to another.

Source: E. Bertolazzi and M. Frego, "G1 fitting with clothoids", 2015; ASAM OpenDRIVE 1.8, 9.4, has such spirals.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
_AT, _SHARE = (_NODES + 1.0) / 2.0, _WEIGHTS / 2.0
_NEWTON_STEPS = 12
_CONVERGED = 1e-13

_MAX_SLOPE = -1e-3
"""Newton's method stops where the sum hardly changes with the bend; at small angles its slope is -1/6."""

_MAX_ANGLE = 1.5
"""Between the chord and the heading at either end [rad]; the sums are exact to rounding up to here."""


class SpiralArc(NamedTuple):
    """A spiral: its curvature at start and end, left positive [1/m], and its length [m]."""

    start: float
    end: float
    length: float


def spiral_to(dx: float, dy: float, heading: float, end_heading: float) -> SpiralArc | None:
    """The spiral from the origin to a point.

    Args:
        dx: x of the point [m].
        dy: y of the point [m].
        heading: at the start, counter-clockwise from the x axis [rad].
        end_heading: at the point, in the same way [rad].

    Returns:
        The spiral, or None where it would have to turn back.
    """
    chord = math.hypot(dx, dy)
    if chord < 1e-9:
        return None
    course = math.atan2(dy, dx)
    first, last = math.remainder(heading - course, math.tau), math.remainder(end_heading - course, math.tau)
    if max(abs(first), abs(last)) > _MAX_ANGLE:
        return None
    turn, bend = last - first, 3.0 * (first + last)
    for _ in range(_NEWTON_STEPS):
        angle = first + _AT * (turn - bend + bend * _AT)
        slope = float(_SHARE @ (np.cos(angle) * (_AT * _AT - _AT)))
        if slope > _MAX_SLOPE:
            return None
        change = float(_SHARE @ np.sin(angle)) / slope
        bend -= change
        if abs(change) < _CONVERGED:
            break
    else:
        if not abs(change) < 1e-9:
            return None
    reach = float(_SHARE @ np.cos(first + _AT * (turn - bend + bend * _AT)))
    if reach < 0.1:
        return None
    length = chord / reach
    return SpiralArc((turn - bend) / length, (turn + bend) / length, length)
