"""The shapes of a plan view, each in the frame of its start: u along its first heading, v to the left.

A spiral is the integral of cos and sin of its heading, a polynomial is found by its arc length. Both integrals are sums
over Gauss-Legendre nodes of pieces so short that the sums are exact to rounding: unlike Fresnel integrals in their
usual form, which is scaled by the rate of curvature, they lose nothing where a spiral is nearly an arc
(docs/decisions/0073-reference-lines-stay-analytic.md).
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.opendrive.plan_record import ArcShape, ParamPoly3Shape, PlanGeometry, Poly3Shape, SpiralShape

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)

_PIECE_TURN = 1.0
"""A piece of a spiral turns by this at most [rad]."""

_POLYNOMIAL_PIECES = 64
_NEWTON_STEPS = 6
_MIN_CHANGE = 1e-12
"""A change of position with p that is smaller than this is a cusp, which has neither heading nor curvature."""


class CurvePoints(NamedTuple):
    """Points of a curve, each `(N,)`.

    Attributes:
        x, y: [m]. heading: [rad], without jumps of a turn within a shape. curvature: left positive [1/m].
    """

    x: FloatArray
    y: FloatArray
    heading: FloatArray
    curvature: FloatArray


class PlanCurve(Protocol):
    """A shape of a plan view."""

    def at(self, ds: FloatArray) -> CurvePoints:
        """Its points at the lengths `ds` `(N,)` from its start [m], in the frame of its start."""


class ArcCurve:
    """A straight line, or an arc of constant curvature [1/m]; both go on beyond their ends."""

    def __init__(self, curvature: float) -> None:
        self.curvature = curvature

    def at(self, ds: FloatArray) -> CurvePoints:
        """Points at `ds`."""
        if self.curvature == 0.0:
            return CurvePoints(ds, np.zeros_like(ds), np.zeros_like(ds), np.zeros_like(ds))
        heading = self.curvature * ds
        half = heading / 2.0
        chord = ds * np.sinc(half / math.pi)
        return CurvePoints(chord * np.cos(half), chord * np.sin(half), heading, np.full_like(ds, self.curvature))


class SpiralCurve:
    """An Euler spiral, which ends at its length.

    Args:
        start, end: curvature [1/m]. length: [m].
    """

    def __init__(self, start: float, end: float, length: float) -> None:
        self.start = start
        self.rate = (end - start) / length
        pieces = max(1, math.ceil(max(abs(start), abs(end)) * length / _PIECE_TURN))
        self.ends = np.linspace(0.0, length, pieces + 1)
        steps = self._steps(self.ends[:-1], self.ends[1:])
        self.sums = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])

    def _steps(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """How far u and v go `(N, 2)` between lengths of one piece."""
        half = (high - low) / 2.0
        along = low[:, None] + half[:, None] * (_NODES + 1.0)
        heading = along * (self.start + along * (self.rate / 2.0))
        return half[:, None] * np.stack([np.cos(heading) @ _WEIGHTS, np.sin(heading) @ _WEIGHTS], axis=1)

    def at(self, ds: FloatArray) -> CurvePoints:
        """Points at `ds`."""
        ds = np.clip(ds, 0.0, self.ends[-1])
        piece = np.clip(np.searchsorted(self.ends, ds, side="right") - 1, 0, len(self.ends) - 2)
        u, v = (self.sums[piece] + self._steps(self.ends[piece], ds)).T
        return CurvePoints(u, v, ds * (self.start + ds * (self.rate / 2.0)), self.start + self.rate * ds)


class PolynomialCurve:
    """A curve (u, v) of cubics in a parameter p, found by its arc length; it ends with p.

    Args:
        u, v: coefficients of 1, p, p² and p³ [m].
        p_max: the greatest p.
        length: what the file says that the curve's length is [m]. Lengths along it are stretched to fit; None does not.
    """

    def __init__(
        self,
        u: tuple[float, float, float, float],
        v: tuple[float, float, float, float],
        p_max: float,
        length: float | None,
    ) -> None:
        self.value = np.array([u, v])
        self.first = self.value[:, 1:] * (1.0, 2.0, 3.0)
        self.second = self.first[:, 1:] * (1.0, 2.0)
        self.ends = np.linspace(0.0, p_max, _POLYNOMIAL_PIECES + 1)
        lengths = self._lengths(self.ends[:-1], self.ends[1:])
        self.sums = np.concatenate([[0.0], np.cumsum(lengths)])
        self.stretch = 1.0 if length is None else self.sums[-1] / length

    def _speed(self, p: FloatArray) -> FloatArray:
        """Length per p."""
        du, dv = _polynomials(self.first, p)
        return np.hypot(du, dv)

    def _lengths(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Arc lengths `(N,)` between parameters of one piece."""
        half = (high - low) / 2.0
        return half * (self._speed(low[:, None] + half[:, None] * (_NODES + 1.0)) @ _WEIGHTS)

    def _parameter(self, ds: FloatArray) -> FloatArray:
        """Parameters at lengths, by Newton's method inside the piece that holds each."""
        target = np.clip(ds * self.stretch, 0.0, self.sums[-1])
        piece = np.clip(np.searchsorted(self.sums, target, side="right") - 1, 0, _POLYNOMIAL_PIECES - 1)
        low, high = self.ends[piece], self.ends[piece + 1]
        rest = target - self.sums[piece]
        p: FloatArray = low + (high - low) * rest / np.maximum(self.sums[piece + 1] - self.sums[piece], _MIN_CHANGE)
        for _ in range(_NEWTON_STEPS):
            change = (self._lengths(low, p) - rest) / np.maximum(self._speed(p), _MIN_CHANGE)
            p = np.clip(p - change, low, high)
        return p

    def at(self, ds: FloatArray) -> CurvePoints:
        """Points at `ds`."""
        p = self._parameter(ds)
        u, v = _polynomials(self.value, p)
        du, dv = _polynomials(self.first, p)
        ddu, ddv = _polynomials(self.second, p)
        speed = np.hypot(du, dv)
        moves = speed > _MIN_CHANGE
        curvature = np.where(moves, (du * ddv - dv * ddu) / np.where(moves, speed, 1.0) ** 3, 0.0)
        return CurvePoints(u, v, np.arctan2(dv, du), curvature)


def _polynomials(coefficients: FloatArray, p: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two polynomials, whose coefficients are `(2, K)` of growing power, at p of any shape."""
    u, v = coefficients
    first, second = np.full_like(p, u[-1]), np.full_like(p, v[-1])
    for a, b in zip(u[-2::-1], v[-2::-1], strict=True):
        first, second = first * p + a, second * p + b
    return first, second


def curve_of(geometry: PlanGeometry) -> PlanCurve:
    """The curve of a geometry.

    A poly3 is found by its own arc length: its record gives no greatest u. The lengths of a paramPoly3 are
    stretched to the length that its record gives, for both kinds of `p_range`, as the reference engine has it.
    """
    match geometry.shape:
        case ArcShape(curvature=curvature):
            return ArcCurve(curvature)
        case SpiralShape(curv_start=start, curv_end=end):
            return SpiralCurve(start, end, geometry.length)
        case Poly3Shape(a=a, b=b, c=c, d=d):
            return PolynomialCurve((0.0, 1.0, 0.0, 0.0), (a, b, c, d), geometry.length, None)
        case ParamPoly3Shape() as poly:
            return PolynomialCurve(
                (poly.a_u, poly.b_u, poly.c_u, poly.d_u),
                (poly.a_v, poly.b_v, poly.c_v, poly.d_v),
                1.0 if poly.p_range == "normalized" else geometry.length,
                geometry.length,
            )
        case _:
            return ArcCurve(0.0)
