"""Single points of the shapes of a plan view, as of `dorosim.road.opendrive.curve`, without arrays."""

from __future__ import annotations

import math
from bisect import bisect_right

import numpy as np

from dorosim.road.opendrive.curve import PlanCurve, PolynomialCurve, SpiralCurve

_SPIRAL_NODES, _SPIRAL_WEIGHTS = (one.tolist() for one in np.polynomial.legendre.leggauss(12))
_NODES, _WEIGHTS = (one.tolist() for one in np.polynomial.legendre.leggauss(5))
"""Of a piece of a polynomial, a 64th of it: exact to rounding."""
_MAX_STEPS = 6
_CLOSE = 1e-13
_MIN_CHANGE = 1e-12

Point = tuple[float, float, float, float]
"""u, v [m], turn from the first heading [rad], curvature [1/m]."""


class PointCurve:
    """A curve for one point at a time.

    Args:
        curve: of `dorosim.road.opendrive.curve.curve_of`.
    """

    def __init__(self, curve: PlanCurve) -> None:
        self._curve = curve
        self._ends: list[float] = []
        self._sums: list[float] = []
        if isinstance(curve, SpiralCurve | PolynomialCurve):
            self._ends = curve.ends.tolist()
        if isinstance(curve, PolynomialCurve):
            self._sums = curve.sums.tolist()
            self._u, self._v = curve.value.tolist()
        elif isinstance(curve, SpiralCurve):
            self._start_sums: list[list[float]] = curve.sums.tolist()

    def at(self, ds: float) -> Point:
        """The point at a length from the start [m]."""
        curve = self._curve
        if isinstance(curve, PolynomialCurve):
            return self._polynomial(curve, ds)
        if isinstance(curve, SpiralCurve):
            return self._spiral(curve, ds)
        curvature = getattr(curve, "curvature", 0.0)
        turn = ds * curvature
        if abs(turn) < 1e-9:
            return ds, ds * turn / 2.0, turn, curvature
        return math.sin(turn) / curvature, (1.0 - math.cos(turn)) / curvature, turn, curvature

    def _spiral(self, curve: SpiralCurve, ds: float) -> Point:
        ds = min(max(ds, 0.0), self._ends[-1])
        piece = min(max(bisect_right(self._ends, ds) - 1, 0), len(self._ends) - 2)
        low, start, rate = self._ends[piece], curve.start, curve.rate
        half = (ds - low) / 2.0
        u, v = self._start_sums[piece]
        for node, weight in zip(_SPIRAL_NODES, _SPIRAL_WEIGHTS, strict=True):
            along = low + half * (node + 1.0)
            heading = along * (start + along * (rate / 2.0))
            u += half * weight * math.cos(heading)
            v += half * weight * math.sin(heading)
        return u, v, ds * (start + ds * (rate / 2.0)), start + rate * ds

    def _polynomial(self, curve: PolynomialCurve, ds: float) -> Point:
        target = min(max(ds * curve.stretch, 0.0), self._sums[-1])
        piece = min(max(bisect_right(self._sums, target) - 1, 0), len(self._ends) - 2)
        low, high = self._ends[piece], self._ends[piece + 1]
        rest = target - self._sums[piece]
        p = low + (high - low) * rest / max(self._sums[piece + 1] - self._sums[piece], _MIN_CHANGE)
        for _ in range(_MAX_STEPS):
            change = (self._length(low, p) - rest) / max(self._speed(p), _MIN_CHANGE)
            p = min(max(p - change, low), high)
            if abs(change) < _CLOSE * high:
                break
        (a, b, c, d), (e, f, g, h) = self._u, self._v
        u, v = a + p * (b + p * (c + p * d)), e + p * (f + p * (g + p * h))
        du, dv = b + p * (2.0 * c + 3.0 * p * d), f + p * (2.0 * g + 3.0 * p * h)
        ddu, ddv = 2.0 * c + 6.0 * p * d, 2.0 * g + 6.0 * p * h
        speed = math.hypot(du, dv)
        curvature = (du * ddv - dv * ddu) / speed**3 if speed > _MIN_CHANGE else 0.0
        return u, v, math.atan2(dv, du), curvature

    def _speed(self, p: float) -> float:
        """Length per p."""
        (_, b, c, d), (_, f, g, h) = self._u, self._v
        return math.hypot(b + p * (2.0 * c + 3.0 * p * d), f + p * (2.0 * g + 3.0 * p * h))

    def _length(self, low: float, high: float) -> float:
        """Arc length between two parameters of one piece."""
        half = (high - low) / 2.0
        return half * sum(
            weight * self._speed(low + half * (node + 1.0)) for node, weight in zip(_NODES, _WEIGHTS, strict=True)
        )
