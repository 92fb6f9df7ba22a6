"""Plane curves that a road can follow: lines, arcs and clothoids, and G2 connections between two poses.

A clothoid's curvature grows linearly with its length (Marzbani et al., "Better road design using clothoids", 2015;
ISO/ASAM OpenDRIVE 1.8, section 8.4), so a car that follows one turns its steering wheel steadily. All curves are
in the map plane (ENU, metres); headings are counter-clockwise from east [rad]; curvature is positive to the left.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Along = Callable[[Reals], Reals]
"""A quantity along a curve: arc length `(N,)` [m] to value `(N,)`."""

_SHARE = 0.15
"""Part of a bend's angle that each of its clothoids turns by: the less, the wider its arc."""

_GAUSS_NODES, _GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(10)


@dataclass(frozen=True, slots=True)
class CurvePose:
    """A place on a curve: position [m], heading [rad] and curvature [1/m]."""

    x: float
    y: float
    heading: float
    curvature: float = 0.0

    def moved(self, forward: float, left: float = 0.0) -> CurvePose:
        """The pose with the same heading, `forward` and `left` metres away; its curvature is 0."""
        cos, sin = math.cos(self.heading), math.sin(self.heading)
        return CurvePose(self.x + forward * cos - left * sin, self.y + forward * sin + left * cos, self.heading)

    def offset_to(self, other: CurvePose) -> tuple[float, float]:
        """How far ahead and how far to the left another pose is [m]."""
        cos, sin = math.cos(self.heading), math.sin(self.heading)
        dx, dy = other.x - self.x, other.y - self.y
        return dx * cos + dy * sin, dy * cos - dx * sin

    def turned(self) -> CurvePose:
        """The pose of a curve that is run through the other way."""
        return CurvePose(self.x, self.y, self.heading + math.pi, -self.curvature)


class Curve(ABC):
    """A plane curve by arc length.

    Attributes:
        length: arc length [m].
    """

    length: float

    @abstractmethod
    def at(self, s: Reals) -> Reals:
        """Rows of (x, y, heading, curvature), `(N, 4)`, at the arc lengths `s` `(N,)`."""

    def pose(self, s: float, left: float = 0.0) -> CurvePose:
        """The pose at arc length `s` on the parallel curve `left` metres to the left."""
        x, y, heading, curvature = self.at(np.array([s]))[0].tolist()
        return CurvePose(
            x - left * math.sin(heading), y + left * math.cos(heading), heading, curvature / (1 - curvature * left)
        )

    def beside(self, s: Reals, left: Reals) -> Reals:
        """Points `(N, 2)` at arc lengths `s`, `left` `(N,)` metres to the left of the curve."""
        at = self.at(s)
        points: Reals = at[:, :2] + left[:, None] * np.column_stack((-np.sin(at[:, 2]), np.cos(at[:, 2])))
        return points


class Spiral(Curve):
    """A clothoid from `start`, whose curvature runs linearly to `end_curvature`; a line or an arc at the limit."""

    def __init__(self, start: CurvePose, length: float, end_curvature: float | None = None) -> None:
        self.start = start
        self.length = length
        end = start.curvature if end_curvature is None else end_curvature
        self._rate = (end - start.curvature) / length

    def at(self, s: Reals) -> Reals:
        """Heading in closed form; position by Gauss-Legendre quadrature, exact to 1e-9 m below 3 rad of turn."""
        start = self.start
        u = 0.5 * s[:, None] * (_GAUSS_NODES + 1)
        along = start.heading + (start.curvature + 0.5 * self._rate * u) * u
        half = 0.5 * s
        return np.column_stack(
            (
                start.x + half * (np.cos(along) @ _GAUSS_WEIGHTS),
                start.y + half * (np.sin(along) @ _GAUSS_WEIGHTS),
                start.heading + (start.curvature + 0.5 * self._rate * s) * s,
                start.curvature + self._rate * s,
            )
        )


class Quintic(Curve):
    """A polynomial of degree five in each coordinate that meets two poses with heading and curvature (G2).

    Args:
        start: where it begins.
        end: where it ends.
        reach: (first, last) speed of the parameter at the ends [m]: larger means straighter ends.
    """

    _TABLE = np.linspace(0.0, 1.0, 481)

    def __init__(self, start: CurvePose, end: CurvePose, reach: tuple[float, float]) -> None:
        self._coefficients = _hermite(start, end, np.array([reach[0]]), np.array([reach[1]]))[0]
        speed = np.hypot(*_derivative(self._coefficients, self._TABLE, 1))
        steps = 0.5 * (speed[1:] + speed[:-1]) * np.diff(self._TABLE)
        self._arc = np.concatenate(([0.0], np.cumsum(steps)))
        self.length = float(self._arc[-1])

    def at(self, s: Reals) -> Reals:
        """Position, heading and curvature, exact at the parameter that a table gives for `s`."""
        t = np.interp(s, self._arc, self._TABLE)
        x, y = _derivative(self._coefficients, t, 0)
        dx, dy = _derivative(self._coefficients, t, 1)
        ddx, ddy = _derivative(self._coefficients, t, 2)
        curvature = (dx * ddy - dy * ddx) / np.hypot(dx, dy) ** 3
        return np.column_stack((x, y, np.arctan2(dy, dx), curvature))


class Chain(Curve):
    """Curves one after the other. With `closed`, arc lengths beyond the ends go round."""

    def __init__(self, pieces: Sequence[Curve], *, closed: bool = False) -> None:
        self._pieces = list(pieces)
        self._ends = np.cumsum([piece.length for piece in pieces])
        self._closed = closed
        self.length = float(self._ends[-1])

    def at(self, s: Reals) -> Reals:
        """Each arc length in the piece that holds it."""
        if self._closed:
            s = np.mod(s, self.length)
        which = np.minimum(np.searchsorted(self._ends, s, side="right"), len(self._pieces) - 1)
        out = np.empty((len(s), 4))
        for index in np.unique(which).tolist():
            piece, here = self._pieces[index], which == index
            out[here] = piece.at(s[here] - (self._ends[index] - piece.length))
        return out


class Reversed(Curve):
    """A curve run through from its end."""

    def __init__(self, base: Curve) -> None:
        self._base = base
        self.length = base.length

    def at(self, s: Reals) -> Reals:
        """The base curve from the other end, heading turned round and curvature with the other sign."""
        return self._base.at(self.length - s) * (1, 1, 1, -1) + (0, 0, math.pi, 0)


@dataclass(frozen=True, slots=True)
class Blend:
    """A value along a curve that changes in smooth steps (quintic smoothstep: no jump in slope or curvature).

    Attributes:
        base: the value before the first step.
        steps: (start, length, rise) of each step, in metres of arc length and units of the value.
    """

    base: float
    steps: tuple[tuple[float, float, float], ...] = ()

    def __call__(self, s: Reals) -> Reals:
        """The values at arc lengths `s`."""
        value = np.full(len(s), self.base)
        for start, length, rise in self.steps:
            t = np.clip((s - start) / length, 0.0, 1.0)
            value += rise * t * t * t * (10 + t * (6 * t - 15))
        return value

    def plus(self, shift: float, *steps: tuple[float, float, float]) -> Blend:
        """The same value, `shift` higher, with more steps."""
        return Blend(self.base + shift, self.steps + steps)

    def mirrored(self, length: float) -> Blend:
        """The negative of the value along the reversed curve: an offset, seen from the other end."""
        end = self.base + sum(rise for _, _, rise in self.steps)
        return Blend(-end, tuple((length - start - span, span, rise) for start, span, rise in reversed(self.steps)))


LEVEL = Blend(0.0)
"""Zero all along."""


def line(start: CurvePose, length: float) -> Curve:
    """A straight line."""
    return Spiral(CurvePose(start.x, start.y, start.heading), length)


def connection(start: CurvePose, end: CurvePose) -> Curve:
    """The quintic between two poses whose sharpest curvature is least, among 8 x 8 tangent lengths."""
    chord = math.hypot(end.x - start.x, end.y - start.y)
    factors = chord * np.linspace(0.7, 1.75, 8)
    first, last = (grid.ravel() for grid in np.meshgrid(factors, factors))
    coefficients = _hermite(start, end, first, last)
    t = np.linspace(0.0, 1.0, 49)
    dx, dy = _derivative(coefficients, t, 1)
    ddx, ddy = _derivative(coefficients, t, 2)
    speed = np.hypot(dx, dy)
    sharpest = np.max(np.abs(dx * ddy - dy * ddx) / np.maximum(speed, 1e-6) ** 3, axis=-1)
    uneven = np.abs(np.log(first / last)) + np.abs(np.log(first / chord))
    best = int(np.argmin(sharpest + 1e-4 * uneven))
    return Quintic(start, end, (float(first[best]), float(last[best])))


def turn(start: CurvePose, end: CurvePose, longest_tangent: float = math.inf) -> Curve:
    """A curve from one pose to another as a driver steers it: line, clothoid, arc, clothoid, line.

    The corner is the point where the two headings' lines meet; the clothoids and the arc reach back from it by the
    shorter of the two ways to it, at most by `longest_tangent`. Poses without such a corner get a `connection`.
    """
    angle = math.remainder(end.heading - start.heading, math.tau)
    ahead, beyond = _corner(start, end, angle)
    if min(ahead, beyond) < 3.0 or abs(angle) > math.radians(150):
        return connection(start, end)
    tangent = min(ahead, beyond, longest_tangent)
    pieces: list[Curve] = []
    pose = start
    if ahead - tangent > 1e-6:
        pieces.append(line(pose, ahead - tangent))
        pose = pose.moved(ahead - tangent)
    bend = _spiral_arc_spiral(CurvePose(pose.x, pose.y, pose.heading), angle, tangent)
    pieces += bend
    pose = bend[-1].pose(bend[-1].length)
    if beyond - tangent > 1e-6:
        pieces.append(line(pose, beyond - tangent))
    return Chain(pieces)


def spaced(curve: Curve, reach: tuple[float, float], left: Along, *, step: float, bend: float) -> Reals:
    """Arc lengths at which a polyline along the curve is good enough.

    Args:
        curve: the curve.
        reach: (first, last) arc length on it [m].
        left: lateral offset of the line from the curve, to the left [m].
        step: longest segment [m].
        bend: largest change of heading from one segment to the next [rad].

    Returns:
        Ascending arc lengths `(N,)`, the ends included.
    """
    first, last = reach
    dense = np.linspace(first, last, max(9, math.ceil((last - first) / 0.3) + 1))
    leg = np.diff(curve.beside(dense, left(dense)), axis=0)
    heading = np.unwrap(np.arctan2(leg[:, 1], leg[:, 0]))
    bending = np.concatenate(([0.0], np.abs(np.diff(heading)), [0.0]))
    cost = np.hypot(leg[:, 0], leg[:, 1]) / step + 0.5 * (bending[1:] + bending[:-1]) / bend
    total = np.concatenate(([0.0], np.cumsum(cost)))
    count = max(1, math.ceil(total[-1] - 1e-6))
    stations: Reals = np.interp(np.linspace(0.0, total[-1], count + 1), total, dense)
    return stations


def _corner(start: CurvePose, end: CurvePose, angle: float) -> tuple[float, float]:
    """Ways from `start` ahead to the corner and from the corner on to `end` [m]; 0 where the lines do not meet."""
    if abs(math.sin(angle)) < 0.08:
        return 0.0, 0.0
    forward, left = start.offset_to(end)
    beyond = left / math.sin(angle)
    return forward - beyond * math.cos(angle), beyond


def _spiral_arc_spiral(start: CurvePose, angle: float, tangent: float) -> list[Spiral]:
    """Clothoid, arc and clothoid that turn by `angle` with a tangent length; `_SHARE` of it is each clothoid's."""
    sign = math.copysign(1.0, angle)

    def pieces(origin: CurvePose, radius: float) -> list[Spiral]:
        easing, round_ = 2 * _SHARE * abs(angle) * radius, (1 - 2 * _SHARE) * abs(angle) * radius
        into = Spiral(origin, easing, sign / radius)
        arc = Spiral(into.pose(into.length), round_, sign / radius)
        return [into, arc, Spiral(arc.pose(arc.length), easing, 0.0)]

    end = pieces(CurvePose(0.0, 0.0, 0.0), 1.0)[-1]
    pose = end.pose(end.length)
    unit = pose.x - pose.y / math.tan(angle)
    return pieces(start, tangent / unit)


def _hermite(start: CurvePose, end: CurvePose, first: Reals, last: Reals) -> Reals:
    """Coefficients `(K, 2, 6)`, lowest power first, of K quintics with end speeds `first` and `last` `(K,)`."""
    rows = []
    for pose, speed in ((start, first), (end, last)):
        tangent = np.array([math.cos(pose.heading), math.sin(pose.heading)])
        normal = np.array([-tangent[1], tangent[0]])
        rows.append(
            (np.array([pose.x, pose.y]), speed[:, None] * tangent, (pose.curvature * speed**2)[:, None] * normal)
        )
    (p0, v0, a0), (p1, v1, a1) = rows
    gap, slope, bow = p1 - p0 - v0 - 0.5 * a0, v1 - v0 - a0, a1 - a0
    return np.stack(
        (
            np.broadcast_to(p0, v0.shape),
            v0,
            0.5 * a0,
            10 * gap - 4 * slope + 0.5 * bow,
            -15 * gap + 7 * slope - bow,
            6 * gap - 3 * slope + 0.5 * bow,
        ),
        axis=-1,
    )


def _derivative(coefficients: Reals, t: Reals, order: int) -> tuple[Reals, Reals]:
    """The given derivative of x and y of polynomials `(..., 2, 6)` at the parameters `t` `(M,)`: `(..., M)` each."""
    powers = np.zeros((6, len(t)))
    for power in range(order, 6):
        powers[power] = math.perm(power, order) * t ** (power - order)
    value = coefficients @ powers
    return value[..., 0, :], value[..., 1, :]
