"""The courses that bodies follow along lanes: even points, and between them curves without kinks.

A body's heading is that of a chord between two points of its course, so its yaw rate is as smooth as the heading of the
course. On straight pieces the heading jumps from piece to piece, and a cruising ego vehicle would have to change its
wheel angle at each of them. So between points the course is a cubic Hermite curve (C. de Boor, "A Practical Guide to
Splines", chapter IV) with the tangents of the map's line, which lanes that run on into each other share.
"""

from __future__ import annotations

import numpy as np

from dorosim.road.adjacency import FloatArray, IntArray, frozen, rows_and_numbers
from dorosim.road.network import RoadNetwork

_FLAT = 0.01
"""The course leaves the map's line by at most this [m]."""

_FINEST = 0.25
"""Points of a course are at least this far apart [m]."""

_CORNER = 2.0
"""A segment that does not point where the tangents at its ends do turns to them over at most this far [m]."""

_MAX_HERMITE_OFFSET = 4.0 / 27.0
"""How far a Hermite curve leaves its chord at most, over its length times the slope at one end against the chord."""


def courses_of(network: RoadNetwork) -> tuple[FloatArray, IntArray, FloatArray]:
    """The courses of all links, with evenly spaced points, as few as keep within `_FLAT` of the map's lines.

    Returns:
        `(P, 5)` points in map [m], and how far the course would get in x and y from point to point by its tangent there
        [m]; where those of each link begin, `(L,)`; and how many it has per metre, `(L,)`.
    """
    pieces = [np.zeros((0, 5))]
    counts = np.zeros(network.link_count, np.int64)
    lines = network.lines
    slope = lines.tangent / np.sqrt(1.0 + lines.grade * lines.grade)[:, None]
    for link in range(network.link_count):
        own = slice(lines.first[link], lines.first[link + 1])
        pieces.append(_course(lines.points[own], lines.arc[own], slope[own]))
        counts[link] = len(pieces[-1])
    return (
        frozen(np.concatenate(pieces)),
        np.cumsum(counts) - counts,
        (counts - 1) / np.maximum(network.link_length, 1e-9),
    )


def _course(points: FloatArray, arc: FloatArray, slope: FloatArray) -> FloatArray:
    """The course `(n, 5)` along a polyline `(m, 3)` with arc lengths `(m,)` and slopes over them `(m, 2)`."""
    length = float(arc[-1])
    if length <= 0.0:
        return np.column_stack((points[[0, -1]], np.zeros((2, 2))))
    knot, point, bent = _without_long_curves(points[:, :2], arc, slope)
    probe = np.sort(np.concatenate((knot, 0.5 * (knot[1:] + knot[:-1]))))
    wanted, _ = _hermite(probe, knot, point, bent)
    most, cells = max(int(length / _FINEST), 1), 1
    while True:
        at = np.linspace(0.0, length, cells + 1)
        place, way = _hermite(at, knot, point, bent)
        height = np.interp(at, arc, points[:, 2])
        away = np.abs(_hermite(probe, at, place, way)[0] - wanted).max()
        if cells >= most or max(away, np.abs(np.interp(arc, at, height) - points[:, 2]).max()) < _FLAT:
            return np.column_stack((place, height, way * (length / cells)))
        cells *= 2


def _without_long_curves(
    point: FloatArray, arc: FloatArray, slope: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Arc lengths, points and slopes of a polyline whose long segments stay straight but for their ends.

    Where a long straight segment meets a bend, the tangent that they share would bend all of it.
    """
    span = np.diff(arc)
    kept = span > 0.0
    span, start = span[kept], np.flatnonzero(kept)
    along = (point[start + 1] - point[start]) / span[:, None]
    off = np.linalg.norm(slope[start] - along, axis=1) + np.linalg.norm(slope[start + 1] - along, axis=1)
    shares = np.where(_MAX_HERMITE_OFFSET * off * span > _FLAT, np.ceil(span / _CORNER), 1.0).astype(np.int64)
    row, number = rows_and_numbers(shares)
    way = span[row] * (number / shares[row])
    knot = np.append(arc[start[row]] + way, arc[-1])
    inner = point[start[row]] + way[:, None] * along[row]
    bent = np.where((number == 0)[:, None], slope[start[row]], along[row])
    return knot, np.concatenate((inner, point[-1:])), np.concatenate((bent, slope[-1:]))


def _hermite(at: FloatArray, knot: FloatArray, point: FloatArray, slope: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Points and slopes of the cubic Hermite curve through `point` with `slope` at ascending `knot`."""
    cell = np.clip(np.searchsorted(knot, at, side="right") - 1, 0, len(knot) - 2)
    span = (knot[cell + 1] - knot[cell])[:, None]
    u = (at - knot[cell])[:, None] / span
    chord = point[cell + 1] - point[cell]
    first, last = slope[cell] * span - chord, chord - slope[cell + 1] * span
    bulge = (1.0 - u) * first + u * last
    place: FloatArray = point[cell] + u * chord + u * (1.0 - u) * bulge
    way: FloatArray = (chord + (1.0 - 2.0 * u) * bulge + u * (1.0 - u) * (last - first)) / span
    return place, way
