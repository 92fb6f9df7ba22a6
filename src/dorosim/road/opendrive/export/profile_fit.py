"""Cubics along values, for widths, lane offsets, elevations and superelevations (ASAM OpenDRIVE 1.8, 10.5, 11.6)."""

from __future__ import annotations

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.opendrive.lane_record import Cubic

_SAME = 1e-5
"""A cubic that is nowhere farther than this from the one before it, gone on with, is the same [m, or rad]."""


def cubics_from_values(s: FloatArray, value: FloatArray, tolerance: float) -> tuple[Cubic, ...]:
    """Cubics that run into each other without steps, and without corners where the values have none.

    Args:
        s: `(N,)` places along the road, ascending [m].
        value: `(N,)` at these places.
        tolerance: how far the cubics may be from the values, and from straight lines between them.

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
        found.append(_cubic(s, value, slope, at, end) if end > at else _straight(s, value, at))
        at = max(end, at + 1)
    kept = found[:1]
    for one, until in zip(found[1:], [*(after.s for after in found[2:]), float(s[-1])], strict=False):
        if not _goes_on(kept[-1], one, until):
            kept.append(one)
    return tuple(kept)


def _goes_on(before: Cubic, one: Cubic, end: float) -> bool:
    """Whether a cubic up to some place [m] is the one before it, which need not be said twice."""
    x, length = one.s - before.s, end - one.s
    apart = (
        before.a + x * (before.b + x * (before.c + x * before.d)) - one.a,
        before.b + x * (2.0 * before.c + 3.0 * x * before.d) - one.b,
        before.c + 3.0 * x * before.d - one.c,
        before.d - one.d,
    )
    return sum(abs(value) * length**power for power, value in enumerate(apart)) < _SAME


def values_of_cubics(cubics: tuple[Cubic, ...], s: FloatArray) -> FloatArray:
    """The values `(N,)` of cubics at places `(N,)` [m]."""
    starts = np.array([one.s for one in cubics])
    piece = np.maximum(np.searchsorted(starts, s, side="right") - 1, 0)
    a, b, c, d = np.array([(one.a, one.b, one.c, one.d) for one in cubics])[piece].T
    ds = s - starts[piece]
    values: FloatArray = a + ds * (b + ds * (c + ds * d))
    return values


def _reach(s: FloatArray, value: FloatArray, slope: FloatArray, at: int, tolerance: float) -> int:
    """The last place to which one cubic leads, by steps that double and are then halved; `at` for none."""
    good, bad, step = at, len(s), 1
    while bad - good > 1:
        end = min(good + step, bad - 1)
        if _is_near(s, value, _cubic(s, value, slope, at, end), slice(at, end + 1), tolerance):
            good = end
            step = step * 2 if bad == len(s) else max((bad - good) // 2, 1)
        else:
            bad = end
            step = max((bad - good) // 2, 1)
    return good


def _is_near(s: FloatArray, value: FloatArray, cubic: Cubic, rows: slice, tolerance: float) -> bool:
    """Whether a cubic is within the tolerance of values, and of the middles between them."""
    places, wanted = s[rows], value[rows]
    places = np.concatenate([places, (places[1:] + places[:-1]) / 2.0])
    wanted = np.concatenate([wanted, (wanted[1:] + wanted[:-1]) / 2.0])
    return bool(np.all(np.abs(values_of_cubics((cubic,), places) - wanted) <= tolerance))


def _cubic(s: FloatArray, value: FloatArray, slope: FloatArray, at: int, end: int) -> Cubic:
    """The cubic with the values and slopes of two places."""
    a, b, rise, length = float(value[at]), float(slope[at]), float(value[end] - value[at]), float(s[end] - s[at])
    c = (3.0 * rise / length - 2.0 * b - float(slope[end])) / length
    d = (b + float(slope[end]) - 2.0 * rise / length) / length**2
    return Cubic(s=float(s[at]), a=a, b=b, c=c, d=d)


def _straight(s: FloatArray, value: FloatArray, at: int) -> Cubic:
    """The straight line to the next place."""
    slope = float(value[at + 1] - value[at]) / float(s[at + 1] - s[at])
    return Cubic(s=float(s[at]), a=float(value[at]), b=slope, c=0.0, d=0.0)
