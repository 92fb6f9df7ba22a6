"""Many polylines in one set of arrays, and what lies along them.

A link is a polyline of points; between two points it is straight in position, while its tangent turns evenly from
one point to the next. So heading and the foot of a perpendicular change without jumps along a link, and a position
given by arc length and lateral offset is found again from the point alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dorosim.road.adjacency import FloatArray, IntArray, frozen

_CHORD = 0.1
"""The tangent at a point is that of a chord to neighbours at least this far off [m], since real maps end in
segments of a few millimetres, whose own direction is noise."""

_ALIKE = 0.98
"""Cosine of the angle up to which polylines that meet at a node run on into each other, 11 degrees."""

_GAP = 1.0
"""What lies between the end of one polyline and the start of the next in `run` [m]; any positive number does."""


@dataclass(frozen=True, slots=True, eq=False)
class Polylines:
    """Polylines end to end; all arrays are read-only.

    A segment has the index of the point at which it starts, so the last point of a polyline is no segment.

    Attributes:
        points: `(P, 3)` in map [m].
        first: `(L + 1,)` index of the first point of each polyline.
        line: `(P,)` polyline of each point, so of the segment that starts there.
        arc: `(P,)` length along the polyline, in space, from its first point [m].
        run: `(P,)` as `arc`, but growing through all polylines, for a search over all of them at once [m].
        tangent: `(P, 2)` horizontal direction, of length 1.
        grade: `(P,)` rise over horizontal distance, forward positive.
        curvature: `(P,)` of the horizontal course, left positive [1/m].
    """

    points: FloatArray
    first: IntArray
    line: IntArray
    arc: FloatArray
    run: FloatArray
    tangent: FloatArray
    grade: FloatArray
    curvature: FloatArray

    def __len__(self) -> int:
        """The number of polylines."""
        return len(self.first) - 1

    def of(self, line: int) -> FloatArray:
        """The points `(n, 3)` of one polyline in map [m], a view."""
        return self.points[self.first[line] : self.first[line + 1]]

    def segment_at(self, line: NDArray[np.integer], s: NDArray[np.floating]) -> tuple[IntArray, FloatArray]:
        """The segment at an arc length, and the fraction of it that lies behind.

        Args:
            line: `(N,)` polylines.
            s: `(N,)` arc lengths [m]; beyond the ends means the ends.

        Returns:
            Segments `(N,)` and fractions `(N,)` in 0 to 1.
        """
        start, last = self.first[line], self.first[line + 1] - 1
        inside = np.clip(s, 0.0, self.arc[last])
        segment = np.searchsorted(self.run, self.run[start] + inside, side="right") - 1
        segment = np.clip(segment, start, last - 1)
        span = self.arc[segment + 1] - self.arc[segment]
        fraction = np.divide(inside - self.arc[segment], span, out=np.zeros(len(span)), where=span > 0)
        return segment, np.clip(fraction, 0.0, 1.0)

    def poses_at(self, line: IntArray, s: FloatArray) -> FloatArray:
        """`(6, N)` points in map [m], horizontal directions and grades at places, by compiled code.

        Args:
            line: `(N,)` polylines.
            s: `(N,)` arc lengths [m]; beyond the ends means the ends.
        """
        from dorosim.road.polyline_kernel import find_poses

        arrays = (self.points, self.tangent, self.grade, self.arc, self.run, self.first)
        return find_poses(*arrays, np.ascontiguousarray(line), np.ascontiguousarray(s))

    def tangent_at(self, segment: IntArray, fraction: FloatArray) -> FloatArray:
        """Horizontal directions `(N, 2)` of length 1 within segments."""
        weight = fraction[:, None]
        blend = (1 - weight) * self.tangent[segment] + weight * self.tangent[segment + 1]
        return _unit(blend, self.tangent[segment])


def polylines_from_points(points_of_lines: Sequence[FloatArray], start_node: IntArray, end_node: IntArray) -> Polylines:
    """Lay polylines end to end.

    Polylines that meet at a node share their tangent and grade there, so that nothing jumps from one to the next.

    Args:
        points_of_lines: `(n, 3)` in map [m] for each, with n of 2 or more.
        start_node: `(L,)` the node at which each begins, -1 for none.
        end_node: `(L,)` the node at which each ends, -1 for none.
    """
    counts = np.array([len(points) for points in points_of_lines], np.int64)
    first = np.cumsum([0, *counts.tolist()])
    points = np.ascontiguousarray(np.concatenate(points_of_lines), np.float64) if len(counts) else np.zeros((0, 3))
    line = np.repeat(np.arange(len(counts)), counts)
    step = np.zeros(len(points))
    step[1:] = np.linalg.norm(np.diff(points, axis=0), axis=1)
    step[first[:-1]] = _GAP
    run = np.cumsum(step)
    arc = run - run[first[:-1]][line]
    back, ahead = _neighbours(run, first, line)
    tangent, grade = _directions(points, back, ahead)
    ends = np.concatenate((first[:-1], first[1:] - 1))
    nodes = np.where(np.tile(arc[first[1:] - 1] > 0, 2), np.concatenate((start_node, end_node)), -1)
    _share_at_nodes(tangent, grade, ends[nodes >= 0], nodes[nodes >= 0])
    turn = _angle_between(tangent[back], tangent[ahead])
    span = run[ahead] - run[back]
    curvature = np.divide(turn, span, out=np.zeros(len(points)), where=span > 0)
    return Polylines(
        points=frozen(points),
        first=frozen(first),
        line=frozen(line),
        arc=frozen(arc),
        run=frozen(run),
        tangent=frozen(tangent),
        grade=frozen(grade),
        curvature=frozen(curvature),
    )


def meeting_fractions(
    first: FloatArray, second: FloatArray, gap: FloatArray | tuple[FloatArray, FloatArray]
) -> tuple[FloatArray, FloatArray]:
    """Where straight lines meet, as fractions of each; infinite or NaN for lines that are parallel.

    Args:
        first: `(2, ...)` x and y from start to end of the one.
        second: `(2, ...)` x and y from start to end of the other.
        gap: x and y from the start of the one to the start of the other.
    """
    across = first[0] * second[1] - first[1] * second[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        return (
            (gap[0] * second[1] - gap[1] * second[0]) / across,
            (gap[0] * first[1] - gap[1] * first[0]) / across,
        )


def _neighbours(run: FloatArray, first: IntArray, line: IntArray) -> tuple[IntArray, IntArray]:
    """For each point the nearest points at least `_CHORD` behind and ahead, or the ends of its polyline."""
    back = np.searchsorted(run, run - _CHORD, side="right") - 1
    ahead = np.searchsorted(run, run + _CHORD, side="left")
    return np.maximum(back, first[:-1][line]), np.minimum(ahead, first[1:][line] - 1)


def _directions(points: FloatArray, back: IntArray, ahead: IntArray) -> tuple[FloatArray, FloatArray]:
    """Tangents `(P, 2)` and grades `(P,)` of the chords from `back` to `ahead`."""
    chord = points[ahead] - points[back]
    span = np.hypot(chord[:, 0], chord[:, 1])
    grade = np.divide(chord[:, 2], span, out=np.zeros(len(points)), where=span > 0)
    east = np.broadcast_to(np.array([1.0, 0.0]), (len(points), 2))
    return _unit(chord[:, :2], east), grade


def _share_at_nodes(tangent: FloatArray, grade: FloatArray, ends: IntArray, nodes: IntArray) -> None:
    """Give the ends of polylines that meet at a node their common tangent and grade.

    The direction of a curve's first segment is off by half a segment's turn; the mean of the segments before and
    after the node is not. An end that meets the others at a real angle keeps its own.

    Args:
        tangent: `(P, 2)` in and out.
        grade: `(P,)` in and out.
        ends: `(E,)` points.
        nodes: `(E,)` the node at which each lies.
    """
    count = int(nodes.max(initial=-1)) + 1
    total = np.zeros((count, 3))
    np.add.at(total, nodes, np.column_stack((tangent[ends], grade[ends])))
    mean = _unit(total[:, :2], np.zeros((count, 2)))[nodes]
    mean_grade = (total[:, 2] / np.bincount(nodes, minlength=count).clip(min=1))[nodes]
    near = (tangent[ends] * mean).sum(axis=1) > _ALIKE
    tangent[ends[near]] = mean[near]
    grade[ends[near]] = mean_grade[near]


def _unit(vector: FloatArray, otherwise: FloatArray) -> FloatArray:
    """Vectors `(N, 2)` scaled to length 1, and `otherwise` where there is no direction."""
    length = np.hypot(vector[:, 0], vector[:, 1])[:, None]
    return np.where(length > 1e-12, vector / np.where(length > 1e-12, length, 1.0), otherwise)


def _angle_between(a: FloatArray, b: FloatArray) -> FloatArray:
    """Angles `(N,)` from directions `a` to directions `b`, counter-clockwise [rad]."""
    return np.arctan2(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1])
