"""Where lanes lie side by side, and which place on the one is beside which place on the other.

A map names the lane beside a lane, but not where along it: the two may begin and end at different places, one may be a
pocket beside a part of the other, and in a bend the inner one is shorter. So a place is carried from lane to lane by
the foot of a perpendicular, and only where there is one. A foot is found with tangents that turn evenly along a line
(see `dorosim.road.polyline`), so it moves without jumps.

What is found is kept as a table for each pair of lanes between which one may change: places on the lane that is left,
at even steps along the one that is reached. The way back is the inverse of the same table, so that there and back again
is the same place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from dorosim.road.adjacency import FloatArray, IntArray, frozen
from dorosim.road.lane_change import LaneChanges, Neighbours
from dorosim.road.polyline import Polylines

TABLE_STEP = 2.0
"""Places in a table are about this far apart [m]."""

MAX_LANE_SPACING = 8.0
"""Lanes whose middles are farther apart than this are not side by side [m]: two of the widest, and a painted island."""

_LEVELS = 3.0
"""Lanes with more height than this between them are on different levels [m]."""

_ALIKE = math.cos(math.radians(45.0))
"""Cosine of the angle between lanes up to which they run the same way."""

_MIN_RATE, _MAX_RATE = 0.4, 2.5
"""Way on the one lane for each metre on the other: outside of this they do not run side by side."""

_MIN_STRETCH = 1.0
"""Lanes that are side by side for less than this are not [m]."""

_FINER = 16
"""The ends of a stretch are sought in so many parts of a step."""

_SAME_END = 0.5
"""Lanes that both begin, or both end, within this of where their stretch does begin or end there together [m]: the ends
of real lanes are not cut at quite a right angle."""

_ROUNDING = 1e-6
"""A foot may lie this far beyond the end of a lane [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class SideBySide:
    """Stretches along which lanes lie side by side; every array is read-only.

    A pair is a lane and the other to which one may change from it; pairs are sorted by lane, then by the other.

    Attributes:
        lane, other: `(P,)` rows of the lanes of each pair.
        other_start: `(P,)` where the stretch begins on the other lane [m].
        spacing: `(P,)` between the places of its table, along the other lane [m].
        first: `(P + 1,)` where the table of each pair begins in `place`; it has none where the lanes are nowhere side
            by side, else two places or more.
        place: places on the lane, ascending in each table [m].
    """

    lane: IntArray
    other: IntArray
    other_start: FloatArray
    spacing: FloatArray
    first: IntArray
    place: FloatArray

    def __len__(self) -> int:
        """The number of pairs, those without a stretch too."""
        return len(self.lane)

    def pairs_of(self, lane: ArrayLike, other: ArrayLike) -> IntArray:
        """`(N,)` pairs of lanes, -1 where no vehicle may change from one to the other, or they are not side by side."""
        lanes, others = np.broadcast_arrays(np.atleast_1d(np.asarray(lane, np.int64)), np.asarray(other, np.int64))
        if not len(self):
            return np.full(len(lanes), -1)
        stride = max(int(self.other.max()), int(others.max(initial=0))) + 1
        found = np.minimum(np.searchsorted(self.lane * stride + self.other, lanes * stride + others), len(self) - 1)
        good = (self.lane[found] == lanes) & (self.other[found] == others) & (self.first[found + 1] > self.first[found])
        return np.where(good, found, -1)

    def stretch_of(self, pair: int) -> tuple[float, float, float, float]:
        """Where the stretch of a pair begins and ends on its lane, and the same on the other [m]."""
        table = self.table_of(pair)
        begin = float(self.other_start[pair])
        return float(table[0]), float(table[-1]), begin, begin + float(self.spacing[pair]) * (len(table) - 1)

    def table_of(self, pair: int) -> FloatArray:
        """`(n,)` places on the lane of one pair, at even steps along the other [m]; a view."""
        return self.place[self.first[pair] : self.first[pair + 1]]

    def place_on_other(self, pair: int, s: float) -> float:
        """The place on the other lane that is beside one on the lane [m]; before and beyond the stretch its ends."""
        table = self.table_of(pair)
        return float(self.other_start[pair] + self.spacing[pair] * np.interp(s, table, np.arange(len(table))))

    def places_on_lane(self, lane: ArrayLike, other: ArrayLike, s: ArrayLike) -> FloatArray:
        """Places on lanes that are beside places on others [m], as the traffic has them in a lane change.

        Before and beyond the stretch a metre on the one is a metre on the other. For lanes that are no pair places
        stay as they are.

        Args:
            lane: `(N,)` or one, rows of the lanes that are left.
            other: `(N,)` or one, rows of the lanes that are reached.
            s: `(N,)` or one, places on these [m].
        """
        lanes, others, given = np.broadcast_arrays(np.atleast_1d(np.asarray(lane, np.int64)), other, s)
        places = np.array(given, np.float64)
        pairs = self.pairs_of(lanes, others)
        rows = np.flatnonzero(pairs >= 0)
        pair = pairs[rows]
        first, last = self.first[pair], self.first[pair + 1] - 1
        at = (places[rows] - self.other_start[pair]) / self.spacing[pair]
        inside = np.clip(at, 0.0, last - first)
        cell = first + np.minimum(inside.astype(np.int64), last - first - 1)
        share = inside - (cell - first)
        found = self.place[cell] + share * (self.place[cell + 1] - self.place[cell])
        places[rows] = found + (at - inside) * self.spacing[pair]
        return places


def side_by_side_of_lanes(lines: Polylines, neighbours: Neighbours, changes: LaneChanges) -> SideBySide:
    """The stretches of all lanes between which one may change, by permission or by a listed change.

    Args:
        lines: the centre lines.
        neighbours: the lanes' neighbours.
        changes: the changes that routes may use.
    """
    pairs: set[tuple[int, int]] = set()
    for beside, allowed in neighbours.sides:
        lanes = np.flatnonzero(allowed)
        pairs.update(zip(lanes.tolist(), beside[lanes].tolist(), strict=True))
    for change in range(len(changes)):
        path = changes.path_of(change).tolist()
        pairs.update(pairwise(path))
    return side_by_side_of_pairs(lines, pairs)


def side_by_side_of_pairs(lines: Polylines, pairs: Iterable[tuple[int, int]]) -> SideBySide:
    """The stretches of pairs of lanes, given by their rows in `lines`."""
    wanted = sorted(set(pairs))
    found = [_stretch(lines, lane, other) for lane, other in wanted]
    rows = np.array(wanted, np.int64).reshape(-1, 2)
    first = np.cumsum([0, *(len(table) for _, _, table in found)])
    return SideBySide(
        lane=frozen(rows[:, 0].copy()),
        other=frozen(rows[:, 1].copy()),
        other_start=frozen(np.array([start for start, _, _ in found], np.float64)),
        spacing=frozen(np.array([spacing for _, spacing, _ in found], np.float64)),
        first=frozen(first),
        place=frozen(np.concatenate([np.zeros(0), *(table for _, _, table in found)])),
    )


_NOWHERE = (0.0, 1.0, np.zeros(0))


def _stretch(lines: Polylines, lane: int, other: int) -> tuple[float, float, FloatArray]:
    """The longest stretch along which two lanes lie side by side: its start on the other lane, spacing, and table."""
    length = float(lines.arc[lines.first[other + 1] - 1])
    if lane == other or not length >= _MIN_STRETCH or not lines.arc[lines.first[lane + 1] - 1] >= _MIN_STRETCH:
        return _NOWHERE
    at = np.linspace(0.0, length, math.ceil(length / TABLE_STEP) + 1)
    foot = _feet(lines, lane, other, at)
    begin, end = _longest_run(at, foot)
    if begin == end:
        return _NOWHERE
    start, first, stop, last = 0.0, float(foot[0]), length, float(foot[-1])
    if begin > 0:
        start, first = _farthest(lines, lane, other, at[begin], at[begin - 1])
    if end < len(at) - 1:
        stop, last = _farthest(lines, lane, other, at[end], at[end + 1])
    if max(start, first) <= _SAME_END:
        start, first = 0.0, 0.0
    extent = float(lines.arc[lines.first[lane + 1] - 1])
    if max(length - stop, extent - last) <= _SAME_END:
        stop, last = length, extent
    if start > 0.0 or stop < length:
        at = np.linspace(start, stop, max(math.ceil((stop - start) / TABLE_STEP), 1) + 1)
        foot = _feet(lines, lane, other, at)
    foot[0], foot[-1] = first, last
    begin, end = _longest_run(at, foot)
    if at[end] - at[begin] < _MIN_STRETCH:
        return _NOWHERE
    return float(at[begin]), (stop - start) / (len(at) - 1), foot[begin : end + 1]


def _farthest(lines: Polylines, lane: int, other: int, here: float, there: float) -> tuple[float, float]:
    """How far from `here`, which is beside the lane, towards `there`, which is not, places are, and the last foot."""
    at = np.linspace(here, there, _FINER + 1)
    foot = _feet(lines, lane, other, at)
    bad = np.flatnonzero(np.isnan(foot))
    last = max(int(bad[0]) - 1, 0) if len(bad) else _FINER
    return float(at[last]), float(foot[last])


def _longest_run(at: FloatArray, foot: FloatArray) -> tuple[int, int]:
    """First and last of the longest run of places `(n,)` whose feet `(n,)` advance as the places do."""
    with np.errstate(invalid="ignore"):
        rate = np.diff(foot) / np.maximum(np.diff(at), 1e-12)
        joined = (rate >= _MIN_RATE) & (rate <= _MAX_RATE)
    edge = np.flatnonzero(np.diff(np.concatenate(([False], joined, [False])).astype(np.int8)))
    if not len(edge):
        return 0, 0
    begin, end = edge[::2], edge[1::2]
    longest = int(np.argmax(end - begin))
    return int(begin[longest]), int(end[longest])


def _feet(lines: Polylines, lane: int, other: int, at: FloatArray) -> FloatArray:
    """Feet on a lane of places `(n,)` on another, as arc lengths `(n,)` [m]; NaN where the lane is not beside it."""
    segment, fraction = lines.segment_at(np.full(len(at), other), at)
    point = (1 - fraction)[:, None] * lines.points[segment] + fraction[:, None] * lines.points[segment + 1]
    heading = lines.tangent_at(segment, fraction)
    own = slice(lines.first[lane], lines.first[lane + 1])
    corner, tangent, arc = lines.points[own], lines.tangent[own], lines.arc[own]
    ahead = point[:, :2] @ tangent.T - (corner[:, :2] * tangent).sum(axis=1)
    row, cell = np.nonzero((ahead[:, :-1] >= -_ROUNDING) & (ahead[:, 1:] <= _ROUNDING))
    found = np.full(len(at), np.nan)
    if not len(row):
        return found
    chord, turn = corner[cell + 1] - corner[cell], tangent[cell + 1] - tangent[cell]
    away = point[row] - corner[cell]
    span = ahead[row, cell] - ahead[row, cell + 1]
    u = np.clip(ahead[row, cell] / np.where(span > 0.0, span, 1.0), 0.0, 1.0)
    for _ in range(3):
        left = away[:, :2] - u[:, None] * chord[:, :2]
        direction = tangent[cell] + u[:, None] * turn
        slope = (left * turn).sum(axis=1) - (chord[:, :2] * direction).sum(axis=1)
        miss = (left * direction).sum(axis=1)
        u = np.clip(u - np.divide(miss, slope, out=np.zeros(len(u)), where=slope < 0.0), 0.0, 1.0)
    left = away - u[:, None] * chord
    direction = tangent[cell] + u[:, None] * turn
    along = (direction * heading[row]).sum(axis=1) / np.maximum(np.hypot(*direction.T), 1e-12)
    aside = np.hypot(left[:, 0], left[:, 1])
    good = (along >= _ALIKE) & (aside <= MAX_LANE_SPACING) & (np.abs(left[:, 2]) <= _LEVELS)
    row, foot, aside = row[good], (arc[cell] + u * (arc[cell + 1] - arc[cell]))[good], aside[good]
    order = np.lexsort((-aside, row))
    found[row[order]] = foot[order]
    return found
