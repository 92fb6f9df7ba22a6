"""Lines, arcs and spirals along points, as the plan view of a road (ASAM OpenDRIVE 1.8, 9.3).

Pieces are laid one after the other, each as long as it stays near the points. A piece starts where the one before it
ended, with its heading, so there are neither gaps nor corners. A spiral meets any place and heading that lie ahead, so
it closes what lines and arcs leave open.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.opendrive.curve import PlanCurve, curve_of
from dorosim.road.opendrive.export.spiral_fit import spiral_to
from dorosim.road.opendrive.plan_record import (
    ArcShape,
    ParamPoly3Shape,
    PlanGeometry,
    PlanShape,
    SpiralShape,
    StraightShape,
)

POINT_TOLERANCE = 0.003
"""A spiral passes points within this [m]."""

CHORD_TOLERANCE = 0.007
"""Between points a curve stays this near to the chord [m]."""

_SIMPLE_TOLERANCE = 0.0015
"""A line or an arc passes points within this [m], and ends within `_SIMPLE_TURN` [rad] of their heading."""

_SIMPLE_TURN = 0.002

_END_TOLERANCE, _END_TURN = 2e-4, 2e-4
"""A line or an arc may be the last piece where it ends this near to the last point [m] and its heading [rad]."""

_SIMPLE_SHARE = 0.6
"""A line or an arc is taken rather than a spiral that reaches farther, if it reaches this share of the way."""

_MAX_PIECE_TURN = 1.2
"""A piece turns by no more than this from its first to its last point [rad]."""


class _Course(NamedTuple):
    """What is fitted.

    Attributes:
        x, y: `(N,)` in map [m]. heading: `(N,)` there, without jumps of a turn [rad].
        arc: `(N,)` length from the first point along chords [m].
    """

    x: FloatArray
    y: FloatArray
    heading: FloatArray
    arc: FloatArray


class _State(NamedTuple):
    """Where a piece starts: in map [m], with its heading [rad]."""

    x: float
    y: float
    heading: float


class _Piece(NamedTuple):
    """A piece: its shape and length [m]."""

    shape: PlanShape
    length: float


_Maker = Callable[[_Course, _State, int, int], _Piece | None]


def plan_from_points(points: FloatArray, heading: FloatArray) -> tuple[PlanGeometry, ...]:
    """The plan view along points.

    Args:
        points: `(N, 2)` in map, two or more, no two of them in a row at one place [m].
        heading: `(N,)` of the curve at each, counter-clockwise from the x axis [rad].

    Returns:
        Geometries from the first point to the last one, with their headings there.
    """
    chords = np.hypot(*np.diff(points, axis=0).T)
    course = _Course(points[:, 0], points[:, 1], np.unwrap(heading), np.concatenate([[0.0], np.cumsum(chords)]))
    state = _State(float(course.x[0]), float(course.y[0]), float(course.heading[0]))
    found: list[PlanGeometry] = []
    at, s = 0, 0.0
    while at < len(course.x) - 1:
        at, piece = _longest_piece(course, state, at)
        geometry = _geometry(state, s, piece)
        found.append(geometry)
        state = _end_of(geometry)
        s += piece.length
    return tuple(found)


def _geometry(state: _State, s: float, piece: _Piece) -> PlanGeometry:
    """The record of a piece."""
    return PlanGeometry(s=s, x=state.x, y=state.y, hdg=state.heading, length=piece.length, shape=piece.shape)


def _end_of(geometry: PlanGeometry) -> _State:
    """Where a geometry ends."""
    x, y, heading = _points_at(geometry, curve_of(geometry), np.array([geometry.length]))
    return _State(float(x[0]), float(y[0]), float(heading[0]))


def _points_at(geometry: PlanGeometry, curve: PlanCurve, ds: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Points `(N,)` in map [m] and headings `(N,)` [rad] at lengths along a geometry, whose curve is given."""
    u, v, heading, _ = curve.at(ds)
    cosine, sine = math.cos(geometry.hdg), math.sin(geometry.hdg)
    return geometry.x + u * cosine - v * sine, geometry.y + u * sine + v * cosine, geometry.hdg + heading


def _longest_piece(course: _Course, state: _State, at: int) -> tuple[int, _Piece]:
    """The piece from a point on that is to be taken, and the point that it reaches."""
    far, spiral = _reach(_spiral, course, state, at)
    for maker in (_line, _arc):
        end, piece = _reach(maker, course, state, at)
        if piece is not None and course.arc[end] - course.arc[at] >= _SIMPLE_SHARE * (course.arc[far] - course.arc[at]):
            return end, piece
    return (at + 1, _polynomial(course, state, at + 1)) if spiral is None else (far, spiral)


def _reach(maker: _Maker, course: _Course, state: _State, at: int) -> tuple[int, _Piece | None]:
    """How far a kind of piece reaches, by steps that double and are then halved; `at` and None for not at all."""
    good, bad, step = at, len(course.x), 1
    found: _Piece | None = None
    while bad - good > 1:
        end = min(good + step, bad - 1)
        piece = maker(course, state, at, end)
        if piece is None:
            bad = end
            step = max((bad - good) // 2, 1)
        else:
            good, found = end, piece
            step = step * 2 if bad == len(course.x) else max((bad - good) // 2, 1)
    return good, found


def _line(course: _Course, state: _State, at: int, end: int) -> _Piece | None:
    """A straight line to beside a point, or None where the points leave it."""
    ahead = (course.x[end] - state.x) * math.cos(state.heading) + (course.y[end] - state.y) * math.sin(state.heading)
    return _checked(course, state, at, end, StraightShape(), float(ahead))


def _arc(course: _Course, state: _State, at: int, end: int) -> _Piece | None:
    """An arc through a point, or None where the points leave it."""
    dx, dy = float(course.x[end]) - state.x, float(course.y[end]) - state.y
    half = math.remainder(math.atan2(dy, dx) - state.heading, math.tau)
    if not 1e-7 < abs(half) < _MAX_PIECE_TURN / 2.0:
        return None
    chord = math.hypot(dx, dy)
    return _checked(
        course, state, at, end, ArcShape(curvature=2.0 * math.sin(half) / chord), chord * half / math.sin(half)
    )


def _checked(course: _Course, state: _State, at: int, end: int, shape: PlanShape, length: float) -> _Piece | None:
    """A line or an arc if the points lie on it and its end has their heading, else None."""
    if length <= 1e-6:
        return None
    piece = _Piece(shape, length)
    last = end == len(course.x) - 1
    x, y, heading = _end_of(_geometry(state, 0.0, piece))
    turn = abs(math.remainder(heading - float(course.heading[end]), math.tau))
    if turn > (_END_TURN if last else _SIMPLE_TURN):
        return None
    if last and math.hypot(x - course.x[end], y - course.y[end]) > _END_TOLERANCE:
        return None
    return piece if _passes(course, state, at, end, piece, _SIMPLE_TOLERANCE) else None


def _spiral(course: _Course, state: _State, at: int, end: int) -> _Piece | None:
    """A spiral to a point with its heading, or None where there is none near the points."""
    if abs(course.heading[end] - course.heading[at]) > _MAX_PIECE_TURN:
        return None
    found = spiral_to(
        float(course.x[end]) - state.x, float(course.y[end]) - state.y, state.heading, float(course.heading[end])
    )
    if found is None or found.length > 1.5 * (course.arc[end] - course.arc[at]):
        return None
    piece = _Piece(SpiralShape(curv_start=found.start, curv_end=found.end), found.length)
    return piece if _passes(course, state, at, end, piece, POINT_TOLERANCE) else None


def _polynomial(course: _Course, state: _State, end: int) -> _Piece:
    """A cubic to a point with its heading, for places where no spiral leads to."""
    dx, dy = float(course.x[end]) - state.x, float(course.y[end]) - state.y
    cosine, sine = math.cos(state.heading), math.sin(state.heading)
    u, v, chord = dx * cosine + dy * sine, dy * cosine - dx * sine, math.hypot(dx, dy)
    turn = float(course.heading[end]) - state.heading
    end_u, end_v = chord * math.cos(turn), chord * math.sin(turn)
    shape = ParamPoly3Shape(
        a_u=0.0,
        b_u=chord,
        c_u=3.0 * u - 2.0 * chord - end_u,
        d_u=chord + end_u - 2.0 * u,
        a_v=0.0,
        b_v=0.0,
        c_v=3.0 * v - end_v,
        d_v=end_v - 2.0 * v,
    )
    p = (np.arange(512) + 0.5) / 512
    speed_u = shape.b_u + p * (2.0 * shape.c_u + 3.0 * shape.d_u * p)
    speed_v = p * (2.0 * shape.c_v + 3.0 * shape.d_v * p)
    return _Piece(shape, float(np.hypot(speed_u, speed_v).mean()))


def _passes(course: _Course, state: _State, at: int, end: int, piece: _Piece, tolerance: float) -> bool:
    """Whether a piece stays within the tolerance of the points, and near the chords between them."""
    geometry = _geometry(state, 0.0, piece)
    inner, before = slice(at + 1, end + 1), slice(at, end)
    middle_x, middle_y = (course.x[before] + course.x[inner]) / 2.0, (course.y[before] + course.y[inner]) / 2.0
    x, y = np.concatenate([course.x[inner], middle_x]), np.concatenate([course.y[inner], middle_y])
    allowed = np.repeat([tolerance, CHORD_TOLERANCE], end - at)
    return bool(np.all(_distances(geometry, x, y) <= allowed))


def _distances(geometry: PlanGeometry, x: FloatArray, y: FloatArray) -> FloatArray:
    """Distances `(N,)` of points from a geometry [m]."""
    curve = curve_of(geometry)
    ds = np.clip(np.hypot(x - geometry.x, y - geometry.y), 0.0, geometry.length)
    for _ in range(4):
        curve_x, curve_y, heading = _points_at(geometry, curve, ds)
        away_x, away_y = x - curve_x, y - curve_y
        ds = np.clip(ds + away_x * np.cos(heading) + away_y * np.sin(heading), 0.0, geometry.length)
    distances: FloatArray = np.hypot(away_x, away_y)
    return distances
