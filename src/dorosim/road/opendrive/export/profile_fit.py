"""Cubics along values, for widths, lane offsets, elevations and superelevations (ASAM OpenDRIVE 1.8, 10.5, 11.6)."""

from __future__ import annotations

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.opendrive.lane_record import Cubic


def cubics_from_values(s: FloatArray, value: FloatArray, tolerance: float) -> tuple[Cubic, ...]:
    """Cubics that run into each other without steps and corners.

    Args:
        s: `(N,)` places along the road, ascending [m].
        value: `(N,)` at these places.
        tolerance: how far the cubics may be from the values.

    Returns:
        Cubics, the first of which starts at the first place; each as long as the tolerance lets it be.
    """
    if np.ptp(value) <= tolerance:
        return (Cubic(s=float(s[0]), a=float(value.max() + value.min()) / 2.0, b=0.0, c=0.0, d=0.0),)
    slope = np.gradient(value, s)
    found: list[Cubic] = []
    at = 0
    while at < len(s) - 1:
        end = _reach(s, value, slope, at, tolerance)
        found.append(_cubic(s, value, slope, at, end))
        at = end
    return tuple(found)


def values_of_cubics(cubics: tuple[Cubic, ...], s: FloatArray) -> FloatArray:
    """The values `(N,)` of cubics at places `(N,)` [m]."""
    starts = np.array([one.s for one in cubics])
    piece = np.maximum(np.searchsorted(starts, s, side="right") - 1, 0)
    a, b, c, d = np.array([(one.a, one.b, one.c, one.d) for one in cubics])[piece].T
    ds = s - starts[piece]
    values: FloatArray = a + ds * (b + ds * (c + ds * d))
    return values


def _reach(s: FloatArray, value: FloatArray, slope: FloatArray, at: int, tolerance: float) -> int:
    """The last place to which one cubic leads, by steps that double and are then halved."""
    good, bad, step = at + 1, len(s), 1
    while bad - good > 1:
        end = min(good + step, bad - 1)
        cubic = _cubic(s, value, slope, at, end)
        inner = slice(at, end + 1)
        if np.all(np.abs(values_of_cubics((cubic,), s[inner]) - value[inner]) <= tolerance):
            good = end
            step = step * 2 if bad == len(s) else max((bad - good) // 2, 1)
        else:
            bad = end
            step = max((bad - good) // 2, 1)
    return good


def _cubic(s: FloatArray, value: FloatArray, slope: FloatArray, at: int, end: int) -> Cubic:
    """The cubic with the values and slopes of two places."""
    a, b, rise, length = float(value[at]), float(slope[at]), float(value[end] - value[at]), float(s[end] - s[at])
    c = (3.0 * rise / length - 2.0 * b - float(slope[end])) / length
    d = (b + float(slope[end]) - 2.0 * rise / length) / length**2
    return Cubic(s=float(s[at]), a=a, b=b, c=c, d=d)
