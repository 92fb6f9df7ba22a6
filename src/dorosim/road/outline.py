"""Shapes that a drawing of a map is made of: strips along lanes, outlines of junctions, dashes, bars, arrow heads.

All shapes are arrays of points `(N, 2)` in the map plane (ENU) [m].
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from dorosim.road.mgeo.record import Link

Shape = NDArray[np.float64]

_OUTLINE_STEP_DEG = 3.0
_CELL, _CLEARANCE, _ABUTMENT = 4.0, 3.0, 9.0
"""Grid in which lines above each other are looked for, how far above counts, and what is drawn beyond [m]."""


def clean_line(points: Shape) -> Shape:
    """The points `(N, 2)` of a line without those that repeat the one before."""
    flat = points[:, :2]
    kept = np.concatenate(([True], np.hypot(*np.diff(flat, axis=0).T) > 1e-6))
    return flat[kept]


def tangents(line: Shape) -> Shape:
    """Unit tangents `(N, 2)` at the points of a line; zero where there is but one point."""
    if len(line) < 2:
        return np.zeros((len(line), 2))
    step = line[1:] - line[:-1]
    way = np.empty((len(line), 2))
    way[0], way[-1] = step[0], step[-1]
    way[1:-1] = 0.5 * (line[2:] - line[:-2])
    return np.asarray(way / np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None])


def normals(line: Shape) -> Shape:
    """Unit normals `(N, 2)` at the points of a line, to the left."""
    along = tangents(line)
    return np.stack((-along[:, 1], along[:, 0]), axis=1)


def beside(line: Shape, left: Shape | float) -> Shape:
    """The parallel line, `left` metres to the left."""
    return line + np.atleast_1d(left)[:, None] * normals(line)


def strip(line: Shape, width: Shape | float) -> Shape:
    """The outline of a band along a line."""
    half = 0.5 * np.asarray(width, np.float64)
    return np.concatenate((beside(line, half), beside(line, -half)[::-1]))


def arc_lengths(line: Shape) -> Shape:
    """Arc length at each point of a line `(N,)` [m]."""
    step = line[1:] - line[:-1]
    return np.concatenate(((0.0,), np.cumsum(np.hypot(step[:, 0], step[:, 1]))))


def points_at(line: Shape, arc: Shape, s: Shape) -> Shape:
    """Points of a line at arc lengths."""
    return np.stack((np.interp(s, arc, line[:, 0]), np.interp(s, arc, line[:, 1])), axis=1)


def piece(line: Shape, first: float, last: float) -> Shape:
    """The part of a line between two arc lengths."""
    return _piece(line, arc_lengths(line), first, last)


def _piece(line: Shape, arc: Shape, first: float, last: float) -> Shape:
    inner = arc[(arc > first) & (arc < last)]
    return points_at(line, arc, np.concatenate(((first,), inner, (last,))))


def dashes(line: Shape, painted: float, gap: float) -> list[Shape]:
    """The painted pieces of a broken line."""
    arc = arc_lengths(line)
    total = float(arc[-1])
    starts = np.arange(0.0, max(total - 0.3 * painted, 1e-9), painted + gap)
    return [_piece(line, arc, start, min(start + painted, total)) for start in starts.tolist()]


def bars(corners: Shape) -> list[Shape]:
    """The bars of a crosswalk whose outline is a quadrangle; others are left whole."""
    outline = corners[:-1] if np.allclose(corners[0], corners[-1]) else corners
    if len(outline) != 4:
        return [outline]
    if math.dist(outline[0], outline[1]) < math.dist(outline[1], outline[2]):
        outline = np.roll(outline, -1, axis=0)
    count = max(1, int(math.dist(outline[0], outline[1]) / 0.9))
    cuts = (np.arange(count)[:, None] + np.array([0.25, 0.75])) / count
    near = outline[0] + cuts[..., None] * (outline[1] - outline[0])
    far = outline[3] + cuts[..., None] * (outline[2] - outline[3])
    return [np.array([near[i, 0], near[i, 1], far[i, 1], far[i, 0]]) for i in range(count)]


def chevron(tip: Shape, along: Shape, size: float) -> Shape:
    """An arrow head at a point, pointing along a unit vector."""
    across = np.array([-along[1], along[0]])
    return np.array(
        [
            tip,
            tip - size * along + 0.42 * size * across,
            tip - 0.68 * size * along,
            tip - size * along - 0.42 * size * across,
        ]
    )


def is_in_junction(link: Link) -> bool:
    """Whether a lane leads through a junction, by its type or its signal."""
    return link.related_signal is not None or (link.link_type_def == "ngii_model2" and link.link_type == "1")


def junction_outlines(links: Sequence[Link]) -> list[Shape]:
    """Outlines of the paved area of junctions, from the lanes through them; none for those with an island."""
    inside = [link for link in links if is_in_junction(link)]
    return [outline for group in _groups(inside) if len(group) > 2 and (outline := _outline(group)) is not None]


def lowest_ground(lines: Iterable[Shape]) -> dict[tuple[int, int], float]:
    """The lowest height of lines `(N, 3)` in each cell of a grid that one of them touches."""
    lowest: dict[tuple[int, int], float] = {}
    for points in lines:
        for x, y, z in _dense(points, _CELL).tolist():
            key = (math.floor(x / _CELL), math.floor(y / _CELL))
            lowest[key] = min(z, lowest.get(key, math.inf))
    return lowest


def raised_pieces(points: Shape, lowest: dict[tuple[int, int], float]) -> list[Shape]:
    """The pieces of a line `(N, 3)` that pass above others, with an abutment at either end."""
    dense = _dense(points, _CELL)
    above = np.array(
        [
            z - lowest.get((math.floor(x / _CELL), math.floor(y / _CELL)), math.inf) > _CLEARANCE
            for x, y, z in dense.tolist()
        ]
    )
    if not above.any():
        return []
    arc = arc_lengths(dense[:, :2])
    reaches = [(s - _ABUTMENT, s + _ABUTMENT) for s in arc[above].tolist()]
    joined = [reaches[0]]
    for first, last in reaches[1:]:
        if first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    line = clean_line(points)
    return [piece(line, max(first, 0.0), min(last, float(arc[-1]))) for first, last in joined]


def _dense(points: Shape, step: float) -> Shape:
    """Points `(M, 3)` along a line, at most `step` apart."""
    legs = np.hypot(*np.diff(points[:, :2], axis=0).T)
    arc = np.concatenate(([0.0], np.cumsum(legs)))
    s = np.linspace(0.0, arc[-1], max(2, math.ceil(arc[-1] / step) + 1))
    return np.column_stack([np.interp(s, arc, points[:, axis]) for axis in range(3)])


def _groups(links: Sequence[Link]) -> list[list[Link]]:
    """Lanes that belong to one junction: those that come through the same place."""
    owner: dict[tuple[int, int, int], int] = {}
    parent = list(range(len(links)))

    def root(item: int) -> int:
        while parent[item] != item:
            item = parent[item]
        return item

    for index, link in enumerate(links):
        for x, y, z in _dense(link.points, 3.0).tolist():
            key = (math.floor(x / 6), math.floor(y / 6), math.floor(z / 6))
            first = root(owner.setdefault(key, index))
            parent[max(first, root(index))] = min(first, root(index))
    groups: dict[int, list[Link]] = {}
    for index, link in enumerate(links):
        groups.setdefault(root(index), []).append(link)
    return list(groups.values())


def _outline(links: Sequence[Link]) -> Shape | None:
    """The outline of lanes as seen from their middle; None where the middle is no road."""
    edges = []
    for link in links:
        line = clean_line(link.points)
        half = 0.25 * (link.width_start + link.width_end)
        arc = arc_lengths(line)
        line = points_at(line, arc, np.linspace(0.0, arc[-1], max(3, int(arc[-1]))))
        edges += [beside(line, across) for across in np.linspace(-half, half, 5).tolist()]
    cloud = np.concatenate(edges)
    middle = 0.5 * (cloud.min(axis=0) + cloud.max(axis=0))
    away = cloud - middle
    radius, angle = np.hypot(away[:, 0], away[:, 1]), np.degrees(np.arctan2(away[:, 1], away[:, 0]))
    if radius.min() > 4.0:
        return None
    bins = np.floor((angle + 180.0) / _OUTLINE_STEP_DEG).astype(np.int64)
    order = np.lexsort((radius, bins))
    last = np.flatnonzero(np.diff(bins[order], append=10**6))
    return np.asarray(cloud[order[last]])


def bounds_of(lines: Iterable[Shape]) -> tuple[float, float, float, float]:
    """West, south, east and north of lines [m]; a unit square if there are none."""
    boxes = [(line[:, :2].min(axis=0), line[:, :2].max(axis=0)) for line in lines]
    if not boxes:
        return 0.0, 0.0, 1.0, 1.0
    low = np.min([box[0] for box in boxes], axis=0)
    high = np.max([box[1] for box in boxes], axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])
