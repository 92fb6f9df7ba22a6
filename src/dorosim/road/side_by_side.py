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

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dorosim.road.adjacency import FlagArray, FloatArray, IntArray, frozen, rows_and_numbers
from dorosim.road.lane_change import LaneChanges, Neighbours
from dorosim.road.polyline import Polylines

TABLE_STEP = 2.0
"""Places in a table are about this far apart [m]."""

_MIN_STRETCH = 1.0
"""Lanes that are side by side for less than this are not [m]."""

_FINER = 16
"""The ends of a stretch are sought in so many parts of a step."""

_SAME_END = 0.5
"""Lanes that both begin, or both end, within this of where their stretch does begin or end there together [m]: the ends
of real lanes are not cut at quite a right angle."""

_PRODUCTS = 1 << 22
"""So many products of places and tangents are kept at once."""


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
    pairs = [np.stack((np.flatnonzero(allowed), beside[allowed])) for beside, allowed in neighbours.sides]
    row = np.repeat(np.arange(len(changes)), np.diff(changes.path_first))
    inside = row[1:] == row[:-1]
    pairs.append(np.stack((changes.path[:-1][inside], changes.path[1:][inside])))
    return _of_pairs(lines, np.concatenate(pairs, axis=1))


def side_by_side_of_pairs(lines: Polylines, pairs: Iterable[tuple[int, int]]) -> SideBySide:
    """The stretches of pairs of lanes, given by their rows in `lines`."""
    return _of_pairs(lines, np.array(list(pairs), np.int64).reshape(-1, 2).T)


def _of_pairs(lines: Polylines, pairs: IntArray) -> SideBySide:
    """The stretches of pairs `(2, N)` of lanes in any order."""
    lane, other = np.divmod(np.unique(pairs[0] * len(lines) + pairs[1]), max(len(lines), 1))
    length = lines.arc[lines.first[1:] - 1] if len(lines) else np.zeros(0)
    rows = np.flatnonzero((lane != other) & (length[other] >= _MIN_STRETCH) & (length[lane] >= _MIN_STRETCH))
    start, spacing, counts = np.zeros(len(lane)), np.ones(len(lane)), np.zeros(len(lane), np.int64)
    place = np.zeros(0)
    if len(rows):
        start[rows], spacing[rows], counts[rows], place = _stretches(lines, lane[rows], other[rows], length)
    return SideBySide(
        lane=frozen(lane),
        other=frozen(other),
        other_start=frozen(start),
        spacing=frozen(spacing),
        first=frozen(np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))),
        place=frozen(place),
    )


class _Places(NamedTuple):
    """Places on other lanes and their feet on lanes, pair by pair.

    Attributes:
        first: `(R + 1,)` where those of each pair begin.
        at: `(N,)` arc lengths on the other lane, evenly spaced [m].
        foot: `(N,)` arc lengths on the lane [m], NaN where it is not beside.
    """

    first: IntArray
    at: FloatArray
    foot: FloatArray


def _stretches(
    lines: Polylines, lane: IntArray, other: IntArray, lengths: FloatArray
) -> tuple[FloatArray, FloatArray, IntArray, FloatArray]:
    """The longest stretches along which pairs `(P,)` of lanes lie side by side.

    Returns:
        their starts on the other lane `(P,)` [m], the spacing of their tables `(P,)` [m], how many places these have
        `(P,)`, and the places of all of them [m]. A pair without a stretch has the start 0, the spacing 1 and no place.
    """
    from dorosim.road.side_by_side_kernel import find_longest_runs

    length, extent = lengths[other], lengths[lane]
    whole = _even_places(lines, lane, other, np.zeros(len(lane)), length, _steps(length))
    begin, end = find_longest_runs(*whole)
    start, head = _farthest(lines, lane, other, whole, begin, np.where(begin > 0, -1, 0))
    stop, last = _farthest(lines, lane, other, whole, end, np.where(end < np.diff(whole.first) - 1, 1, 0))
    at_start = np.maximum(start, head) <= _SAME_END
    start[at_start] = head[at_start] = 0.0
    at_end = np.maximum(length - stop, extent - last) <= _SAME_END
    stop[at_end], last[at_end] = length[at_end], extent[at_end]
    somewhere = begin < end
    part = somewhere & ((start > 0.0) | (stop < length))
    steps = np.where(part, np.maximum(_steps(stop - start, somewhere), 1), np.diff(whole.first) - 1)
    rows = np.flatnonzero(part)
    fine = _even_places(lines, lane[rows], other[rows], start[rows], stop[rows], steps[rows])
    both = _merged(whole, fine, part)
    both.foot[both.first[:-1]], both.foot[both.first[1:] - 1] = head, last
    begin, end = find_longest_runs(*both)
    found = somewhere & ~(both.at[both.first[:-1] + end] - both.at[both.first[:-1] + begin] < _MIN_STRETCH)
    counts = np.where(found, end - begin + 1, 0)
    row, number = rows_and_numbers(counts)
    return (
        np.where(found, both.at[both.first[:-1] + begin], 0.0),
        np.where(found, (stop - start) / steps, 1.0),
        counts,
        both.foot[(both.first[:-1] + begin)[row] + number],
    )


def _steps(length: FloatArray, counted: FlagArray | bool = True) -> IntArray:
    """Steps of tables over lengths `(P,)` [m]; of those that are `counted`, else 1."""
    return np.ceil(np.where(counted, length, 1.0) / TABLE_STEP).astype(np.int64)


def _even_places(
    lines: Polylines, lane: IntArray, other: IntArray, start: FloatArray, stop: FloatArray, steps: IntArray
) -> _Places:
    """Even places from `start` to `stop` on each other lane [m], both included, with their feet."""
    row, number = rows_and_numbers(steps + 1)
    at = number * ((stop - start) / steps)[row] + start[row]
    first = np.concatenate((np.zeros(1, np.int64), np.cumsum(steps + 1)))
    at[first[1:] - 1] = stop
    return _Places(first, at, _feet(lines, lane, other, first, at))


def _farthest(
    lines: Polylines, lane: IntArray, other: IntArray, places: _Places, here: IntArray, step: IntArray
) -> tuple[FloatArray, FloatArray]:
    """How far from place `here` of each pair, which is beside the lane, places are towards the one a `step` further.

    That one is not beside it; a step of 0 goes no further. Returns arc lengths on the other lane and the last feet.
    """
    row = places.first[:-1] + here
    found, foot = places.at[row].copy(), places.foot[row].copy()
    asked = np.flatnonzero(step)
    if len(asked):
        beyond = row[asked] + step[asked]
        steps = np.full(len(asked), _FINER)
        fine = _even_places(lines, lane[asked], other[asked], places.at[row[asked]], places.at[beyond], steps)
        bad = np.isnan(fine.foot).reshape(-1, _FINER + 1)
        last = np.where(bad.any(axis=1), np.maximum(bad.argmax(axis=1) - 1, 0), _FINER)
        found[asked], foot[asked] = fine.at[fine.first[:-1] + last], fine.foot[fine.first[:-1] + last]
    return found, foot


def _merged(whole: _Places, fine: _Places, is_fine: FlagArray) -> _Places:
    """Places of all pairs: of those of a mask the fine ones, which are of these alone."""
    counts = np.diff(whole.first)
    counts[is_fine] = np.diff(fine.first)
    row, number = rows_and_numbers(counts)
    begin = whole.first[:-1].copy()
    begin[is_fine] = fine.first[:-1] + len(whole.at)
    source = begin[row] + number
    first = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))
    return _Places(first, np.concatenate((whole.at, fine.at))[source], np.concatenate((whole.foot, fine.foot))[source])


def _feet(lines: Polylines, lane: IntArray, other: IntArray, first: IntArray, at: FloatArray) -> FloatArray:
    """Feet on lanes of places `(N,)` on others, as arc lengths `(N,)` [m]; NaN where the lane is not beside it."""
    from dorosim.road.side_by_side_kernel import find_feet

    place = lines.poses_at(np.repeat(other, np.diff(first)), at)
    flat = np.ascontiguousarray(place[:2].T)
    foot = np.empty(len(at))
    points = lines.first[lane + 1] - lines.first[lane]
    total = np.cumsum(np.concatenate((np.zeros(1, np.int64), np.diff(first) * points)))
    begin = 0
    while begin < len(lane):
        end = max(int(np.searchsorted(total, total[begin] + _PRODUCTS, "right")) - 1, begin + 1)
        product = np.empty(int(total[end] - total[begin]))
        # one product of matrices for each pair: another way to add two terms would change the last bits of tables
        for number in range(begin, end):
            own = lines.tangent[lines.first[lane[number]] : lines.first[lane[number] + 1]]
            some = flat[first[number] : first[number + 1]]
            part = product[total[number] - total[begin] : total[number + 1] - total[begin]]
            np.matmul(some, own.T, out=part.reshape(len(some), len(own)))
        find_feet(
            lines.points,
            lines.tangent,
            lines.arc,
            lines.first,
            lane[begin:end],
            first[begin : end + 1],
            place,
            total[begin:end] - total[begin],
            product,
            foot,
        )
        begin = end
    return foot
