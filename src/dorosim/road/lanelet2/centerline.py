"""The centre line of a lanelet between its bounds, for files that give none.

It goes from the middle between the first points of both bounds to that between the last ones. In between, each of its
points is in the middle between a point of the left bound and one of the right: from one pair to the next, the bound
whose next point is nearer to the present point of the other goes on, to that point. A point counts only where neither
the line to it nor the line between the pair leaves the lanelet. Lanelet2's own library takes the same points, so that
what other programs calculate from the file, such as routes and places of goals, fits the lanes here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dorosim.road.adjacency import FlagArray, FloatArray, IntArray

_MAX_PAIRS = 1_000_000
"""Bounds with more pairs of points than this are joined at equal parts of their lengths."""

_MAX_CHECKS = 100
"""Places of one lanelet at which other points are looked for, since the nearest ones lie outside."""

_TOGETHER = 32
"""So many pieces of a line are compared at once with the segments in the box around them."""


@dataclass(slots=True)
class Work:
    """What may still be done for all lanelets of a file: it bounds the time for a broken one.

    Attributes:
        pairs: of points of both bounds whose distance is measured. Without any left, bounds are joined by parts.
        comparisons: of segments. Without any left, nothing more is checked.
    """

    pairs: int = 30_000_000
    comparisons: int = 20_000_000


def centerline_of(left: FloatArray, right: FloatArray, work: Work) -> FloatArray:
    """The centre line of a lanelet.

    Args:
        left: its bound `(N, 3)` in driving direction [m], of two points or more.
        right: the other bound `(M, 3)`.
        work: what is left to do for the file.

    Returns:
        Points `(K, 3)`; no two in a row are the same.
    """
    work.pairs -= len(left) * len(right)
    if len(left) * len(right) > _MAX_PAIRS or work.pairs < 0:
        return distinct(_by_parts(left, right))
    pairs = _Walk(left, right, work).pairs()
    return distinct((left[pairs[:, 0]] + right[pairs[:, 1]]) / 2.0)


def distinct(points: FloatArray) -> FloatArray:
    """Points `(N, 3)` without those that lie where the one before does."""
    if len(points) < 2:
        return points
    moved = np.abs(np.diff(points[:, :2], axis=0)).max(axis=1) > 1e-9
    return points[np.concatenate(([True], moved))]


def _by_parts(left: FloatArray, right: FloatArray) -> FloatArray:
    """The middle between both bounds at equal parts of their lengths."""
    share = np.linspace(0.0, 1.0, max(len(left), len(right)))
    sides: list[FloatArray] = []
    for line in (left, right):
        arc = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(line[:, :2], axis=0).T))))
        sides.append(np.column_stack([np.interp(share * arc[-1], arc, line[:, axis]) for axis in range(3)]))
    return (sides[0] + sides[1]) / 2.0


class _Walk:
    """The way along both bounds, by pairs of their points."""

    def __init__(self, left: FloatArray, right: FloatArray, work: Work) -> None:
        self._work = work
        self._left, self._right = left[:, :2], right[:, :2]
        self._apart = np.hypot(*(self._left[:, None] - self._right[None]).transpose(2, 0, 1))
        self._next_left = _nearest_from(self._apart)
        self._next_right = _nearest_from(self._apart.T).T
        self._ends = len(left) - 1, len(right) - 1

    def pairs(self) -> IntArray:
        """Rows `(K, 2)` of the left and right points of each pair."""
        # where the bounds begin in one point, the way begins at the next one of the left
        begin = (1, 0) if self._apart[0, 0] == 0.0 else (0, 0)
        path, checks = [begin], 0
        done = 0
        while True:
            self._go_on(path)
            if checks >= _MAX_CHECKS or self._work.comparisons <= 0:
                break
            wrong = np.flatnonzero(~self._allowed(path, done))
            if not len(wrong):
                break
            checks += 1
            done += int(wrong[0])
            del path[done + 1 :]
            other = self._other(path)
            if other is None:
                break
            path.append(other)
            done += 1
        if begin != (0, 0):
            path.insert(0, (0, 0))
        if path[-1] != self._ends:
            path.append(self._ends)
        return np.array(path, np.int64)

    def _go_on(self, path: list[tuple[int, int]]) -> None:
        """Go on to the end by the nearest points, wherever they are."""
        i, j = path[-1]
        n, m = self._ends
        while i < n or j < m:
            there = int(self._next_left[i + 1, j]) if i < n else -1
            beside = int(self._next_right[i, j + 1]) if j < m else -1
            if beside < 0 or (there >= 0 and self._apart[there, j] <= self._apart[i, beside]):
                i = there
            else:
                j = beside
            path.append((i, j))

    def _allowed(self, path: list[tuple[int, int]], done: int) -> FlagArray:
        """Whether each step of a path from row `done` on stays inside."""
        rows = np.array(path[done:], np.int64)
        middle = (self._left[rows[:, 0]] + self._right[rows[:, 1]]) / 2.0
        if done == 0:
            middle[0] = (self._left[0] + self._right[0]) / 2.0
        went_left = rows[1:, 0] > rows[:-1, 0]
        return self._inside(middle[:-1], middle[1:], rows[1:, 0], rows[1:, 1], went_left)

    def _other(self, path: list[tuple[int, int]]) -> tuple[int, int] | None:
        """The next pair by the nearest points that stay inside; None where there is none."""
        i, j = path[-1]
        last = (self._left[i] + self._right[j]) / 2.0 if len(path) > 1 else (self._left[0] + self._right[0]) / 2.0
        found: list[tuple[float, tuple[int, int]]] = []
        for goes_left, ahead in (
            (True, np.arange(i + 1, len(self._left))),
            (False, np.arange(j + 1, len(self._right))),
        ):
            here = np.full(len(ahead), j if goes_left else i)
            lefts, rights = (ahead, here) if goes_left else (here, ahead)
            middle = (self._left[lefts] + self._right[rights]) / 2.0
            start = np.broadcast_to(last, middle.shape)
            inside = self._inside(start, middle, lefts, rights, np.full(len(ahead), goes_left))
            apart = np.where(inside, self._apart[lefts, rights], np.inf)
            if inside.any():
                one = int(apart.argmin())
                found.append((float(apart[one]), (int(lefts[one]), int(rights[one]))))
        return min(found, key=lambda one: one[0])[1] if found else None

    def _inside(
        self, start: FloatArray, stop: FloatArray, lefts: IntArray, rights: IntArray, went_left: FlagArray
    ) -> FlagArray:
        """Whether pieces of the centre line `(K, 2)`, and the lines between the pairs at their ends, stay inside."""
        left, right = self._left, self._right
        bad = _leaves(start, stop, right[0], left[0]) | _leaves(start, stop, left[-1], right[-1])
        a, b = left[lefts], right[rights]
        for line, own, there in ((left, lefts, a), (right, rights, b)):
            bad |= _meets(start, stop, line, start, self._work)
            # what leads to a point of a bound touches the segments beside it
            other = np.where((went_left == (line is left))[:, None], there, line[own])
            bad |= _meets(a, b, line, other, self._work, both=True)
        return ~bad


def _nearest_from(apart: FloatArray) -> IntArray:
    """For each row and column, the row from there on `(N, M)` in which the value of the column is least."""
    turned = apart[::-1]
    least = np.minimum.accumulate(turned, axis=0)
    at = np.where(turned == least, np.arange(len(apart))[:, None], 0)
    return (len(apart) - 1 - np.maximum.accumulate(at, axis=0))[::-1]


def _cross(one: FloatArray, other: FloatArray) -> FloatArray:
    found: FloatArray = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    return found


def _touch(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> FlagArray:
    """Whether segments from a to b and from c to d have a point in common; arrays `(..., 2)`."""
    one, other = b - a, d - c
    c_side, d_side = _cross(one, c - a), _cross(one, d - a)
    a_side, b_side = _cross(other, a - c), _cross(other, b - c)
    met: FlagArray = (c_side * d_side <= 0.0) & (a_side * b_side <= 0.0)
    boxes = (np.minimum(a, b) <= np.maximum(c, d)) & (np.minimum(c, d) <= np.maximum(a, b))
    return met & boxes.all(axis=-1)


def _leaves(start: FloatArray, stop: FloatArray, first: FloatArray, second: FloatArray) -> FlagArray:
    """Whether pieces cross an end of the lanelet outwards, that is to the left of the line across it."""
    return _touch(start, stop, first, second) & (_cross(second - first, stop - first) > 0.0)


def _meets(
    a: FloatArray, b: FloatArray, line: FloatArray, free: FloatArray, work: Work, both: bool = False
) -> FlagArray:
    """Whether pieces `(K, 2)` touch a segment of a line that does not begin at the point `free`, or end with `both`."""
    found = np.zeros(len(a), np.bool_)
    low, high = np.minimum(line[:-1], line[1:]), np.maximum(line[:-1], line[1:])
    for first in range(0, len(a), _TOGETHER):
        rows = slice(first, first + _TOGETHER)
        below = np.minimum(a[rows], b[rows]).min(axis=0)
        above = np.maximum(a[rows], b[rows]).max(axis=0)
        near = np.flatnonzero(((low <= above) & (high >= below)).all(axis=1))
        work.comparisons -= len(near) * _TOGETHER
        if work.comparisons <= 0:
            break
        begin, end = line[near][None], line[near + 1][None]
        exempt = (begin == free[rows, None]).all(axis=2)
        if both:
            exempt |= (end == free[rows, None]).all(axis=2)
        touched = _touch(a[rows, None], b[rows, None], begin, end)
        found[rows] = (touched & ~exempt).any(axis=1)
    return found
