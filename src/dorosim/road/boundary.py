"""How far the lane's boundaries lie to the left and right of its centre line.

For each point of a lane a ray is cast to either side, and the nearest boundary that it meets counts. Which boundaries
belong to a lane the map says in `lane_mark_left` and `lane_mark_right`; where it does not, as V_RHT_Suburb_03, a
boundary that runs along most of the lane is taken; where there is none, half the lane's width. A link that knows its
sides itself, as those of OpenDRIVE do, keeps them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dorosim.road.adjacency import FlagArray, FloatArray, IntArray, frozen
from dorosim.road.mgeo.record import LaneBoundary, Link
from dorosim.road.polyline import Polylines, meeting_fractions

_MAX_STATIONS = 32
"""Rays cast along one lane to one side; in between the distance is interpolated."""

_MAX_LISTED_DISTANCE = 15.0
"""A boundary that the map lists farther off than this is not met [m]."""

_MAX_FOUND_DISTANCE, _MIN_FOUND_DISTANCE, _MIN_FOUND_SHARE = 4.0, 0.5, 0.8
"""A boundary that the map does not list belongs to a lane if it lies in this range of distances [m] along at least
this share of the lane."""

_PROBE = 8
"""One in so many rays is cast first, to pass over the boundaries that are only near."""

_EDGE = 1e-6
"""A ray that passes the end of a boundary by this fraction of its last segment still meets it."""


def lane_sides(
    lines: Polylines, links: Sequence[Link], boundaries: Sequence[LaneBoundary]
) -> tuple[FloatArray, FloatArray]:
    """Distances from the centre line to the left and to the right boundary.

    Args:
        lines: centre lines of the links.
        links: the links, in the same order.
        boundaries: the map's boundaries.

    Returns:
        Left and right distance `(P,)` at each point of `lines`, both positive [m].
    """
    boundaries = [boundary for boundary in boundaries if len(boundary.points) >= 2]
    by_id = {boundary.idx: number for number, boundary in enumerate(boundaries)}
    field = _BoundaryField(boundaries)
    half = _half_widths(lines, links)
    left, right = half.copy(), half.copy()
    for number, link in enumerate(links):
        if link.sides is None and not boundaries:
            continue
        span = slice(int(lines.first[number]), int(lines.first[number + 1]))
        if link.sides is not None:
            left[span], right[span] = link.sides.T
            continue
        for side, distance, names in ((1.0, left, link.lane_mark_left), (-1.0, right, link.lane_mark_right)):
            listed = [by_id[name] for name in names if name in by_id]
            distance[span] = _side_of_lane(lines, span, side, field, listed, half[span])
    return frozen(left), frozen(right)


def _half_widths(lines: Polylines, links: Sequence[Link]) -> FloatArray:
    """Half the lane's width `(P,)` at the points of all lanes [m], from its widths at start and end."""
    start = np.array([link.width_start for link in links], np.float64)
    end = np.array([link.width_end for link in links], np.float64)
    length = lines.arc[lines.first[1:] - 1] if len(links) else np.zeros(0)
    share = np.divide(lines.arc, length[lines.line], out=np.zeros(len(lines.arc)), where=length[lines.line] > 0)
    half: FloatArray = np.abs(start[lines.line] + (end - start)[lines.line] * share) / 2
    return half


class _BoundaryField:
    """All boundaries' segments end to end, and the box around each boundary."""

    def __init__(self, boundaries: Sequence[LaneBoundary]) -> None:
        lines = [boundary.points[:, :2] for boundary in boundaries]
        self.start = np.concatenate([line[:-1] for line in lines] or [np.zeros((0, 2))])
        self.way = np.concatenate([np.diff(line, axis=0) for line in lines] or [np.zeros((0, 2))])
        self.first = np.cumsum([0] + [len(line) - 1 for line in lines])
        # One array for each side of the boxes: four comparisons of contiguous arrays are several times faster.
        self.west, self.south = np.array([line.min(axis=0) for line in lines]).reshape(-1, 2).T.copy()
        self.east, self.north = np.array([line.max(axis=0) for line in lines]).reshape(-1, 2).T.copy()

    def near(self, points: FloatArray, reach: float) -> IntArray:
        """The boundaries whose box comes within `reach` of the box around `points` `(n, 2)`."""
        west, south = points.min(axis=0) - reach
        east, north = points.max(axis=0) + reach
        return np.flatnonzero((self.west <= east) & (self.east >= west) & (self.south <= north) & (self.north >= south))

    def distances(self, boundaries: IntArray, points: FloatArray, normal: FloatArray, reach: float) -> FloatArray:
        """Lengths `(B, n)` of the rays from `points` along `normal` `(n, 2)` to each boundary; inf if not met."""
        segment = np.concatenate([np.arange(self.first[item], self.first[item + 1]) for item in boundaries.tolist()])
        counts = self.first[boundaries + 1] - self.first[boundaries]
        start, way = self.start[segment, :, None], self.way[segment, :, None]
        gap = (start[:, 0] - points[:, 0], start[:, 1] - points[:, 1])
        along_ray, along_line = meeting_fractions(normal.T, way.transpose(1, 0, 2), gap)
        met = (along_line >= -_EDGE) & (along_line <= 1 + _EDGE) & (along_ray >= 0) & (along_ray <= reach)
        nearest: FloatArray = np.minimum.reduceat(np.where(met, along_ray, np.inf), np.cumsum(counts) - counts)
        return nearest


def _side_of_lane(
    lines: Polylines, span: slice, side: float, field: _BoundaryField, listed: list[int], half: FloatArray
) -> FloatArray:
    """Distance `(n,)` to one side at the points of one lane [m]."""
    count = span.stop - span.start
    rows = np.unique(np.linspace(0, count - 1, min(count, _MAX_STATIONS)).round().astype(np.int64))
    points = lines.points[span][rows, :2]
    tangent = lines.tangent[span][rows]
    normal = side * np.column_stack((-tangent[:, 1], tangent[:, 0]))
    if listed:
        found = field.distances(np.array(listed), points, normal, _MAX_LISTED_DISTANCE).min(axis=0)
    else:
        found = _nearest_companion(field, points, normal)
    met: FlagArray = np.isfinite(found)
    if not met.any():
        return half
    arc = lines.arc[span]
    profile: FloatArray = np.interp(arc, arc[rows[met]], found[met])
    return profile


def _nearest_companion(field: _BoundaryField, points: FloatArray, normal: FloatArray) -> FloatArray:
    """Distance `(n,)` to the boundary that runs along most of a lane, inf if there is none.

    Of several the one that is near and stays at its distance is taken: the boundary of another lane through the
    same junction may come nearer for a while, but crosses.
    """
    nothing = np.full(len(points), np.inf)
    candidates = field.near(points, _MAX_FOUND_DISTANCE)
    if not len(candidates):
        return nothing
    probe = np.isfinite(field.distances(candidates, points[::_PROBE], normal[::_PROBE], _MAX_FOUND_DISTANCE))
    candidates = candidates[probe.mean(axis=1) >= _MIN_FOUND_SHARE / 2]
    if not len(candidates):
        return nothing
    best, best_score = nothing, np.inf
    for found in field.distances(candidates, points, normal, _MAX_FOUND_DISTANCE):
        distances = found[np.isfinite(found)]
        if len(distances) < _MIN_FOUND_SHARE * len(points) or distances.min() < _MIN_FOUND_DISTANCE:
            continue
        score = float(np.ptp(distances) + np.median(distances) / 2)
        if score < best_score:
            best, best_score = found, score
    return best
