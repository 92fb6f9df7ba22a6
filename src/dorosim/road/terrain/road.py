"""The road surface: a strip for each lane, and areas of junctions and parking bays.

A strip has its centre line in the middle, at the height of the map; its edges take the mean height of the lanes about
them, so that lanes side by side meet without a step. Lanes for people are level across.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.ground.mesh import Mesh, fan, strip_mesh
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.ground_part import GroundPart

SHOULDER = 0.3
"""Paving beyond the edges of lanes [m]; the kerb begins within 5 cm of its end."""
_OVERLAP = 0.02
"""By which strips of lanes overlap at their ends [m]."""
_BESIDE = 0.9
"""Beside a lane for people there is another one if it is not free so far from its edge [m]."""
_SMALLEST = 0.02
"""Steps along a lane that are shorter add nothing [m]."""


def road_mesh(field: RoadField) -> Mesh:
    """All that is paved for vehicles, and pavements with lanes of their own."""
    parts = []
    before, after = field.network.predecessors, field.network.successors
    for link, rows, across in lane_strips(field):
        drivable = bool(field.network.link_drivable[link])
        wide = max(field.network.left_width[rows[0]], field.network.right_width[rows[0]]) + SHOULDER
        ends = [float(wide) if one.first[link] == one.first[link + 1] else _OVERLAP for one in (before, after)]
        material = GroundPart.ROAD if drivable else GroundPart.PAVEMENT
        parts.append(strip_mesh(_lengthened(across, ends[0], ends[1]), material))
    parts.append(_areas(field))
    return Mesh.joined(parts)


def lane_strips(field: RoadField) -> Iterator[tuple[int, NDArray[np.int64], FloatArray]]:
    """Each lane's link, rows `(n,)` of its points, and left edge, middle and right edge `(n, 3, 3)` at them [m]."""
    lines = field.network.lines
    left, right = lane_edges(field)
    for link in range(field.network.link_count):
        first = int(lines.first[link])
        rows = first + _useful(lines.points[first : int(lines.first[link + 1])])
        if len(rows) > 1:
            yield link, rows, np.stack((left[rows], lines.points[rows], right[rows]), axis=1)


def _areas(field: RoadField) -> Mesh:
    """Junctions and parking bays, on the height of the lanes about them; a little lower than lanes that cross them."""
    if not field.areas:
        return Mesh.empty()
    outlines = [area[:, :2] for area in field.areas]
    corner = np.concatenate(outlines)
    points = np.column_stack((corner, field.height(corner) - 0.004))
    first = np.cumsum([0, *(len(outline) for outline in outlines)])
    triangles = np.flatnonzero(np.diff(first) == 3)
    parts = [Mesh.of(points, first[triangles][:, None] + np.arange(3), GroundPart.ROAD)]
    larger = np.flatnonzero(np.diff(first) > 3).tolist()
    parts += [fan(points[first[row] : first[row + 1]], GroundPart.ROAD) for row in larger]
    return Mesh.joined(parts)


def lane_edges(field: RoadField) -> tuple[FloatArray, FloatArray]:
    """The left and the right edges `(P, 3)` of all lanes, with their shoulders where no other lane lies beside."""
    network, lines = field.network, field.network.lines
    normal = np.column_stack((-lines.tangent[:, 1], lines.tangent[:, 0]))
    walked = ~network.link_drivable[lines.line]
    edges = []
    for side, width in ((1.0, network.left_width), (-1.0, network.right_width)):
        place = lines.points[:, :2] + side * (width + SHOULDER)[:, None] * normal
        height = field.height(place)
        own = lines.points[:, 2]
        far = ~(np.abs(height - own) < 0.5) | field.bridge | walked  # another level, or nothing known
        edges.append(np.column_stack((place, np.where(far, own, height) - 0.002)))
    return edges[0], edges[1]


def walkway_sides(field: RoadField, level: float) -> tuple[FloatArray, FloatArray]:
    """The sides of lanes for people, where the ground beside them is lower.

    Args:
        field: the road.
        level: as far from the road as this [m] the ground beside it lies level.

    Returns:
        their pieces `(E, 2, 3)` in map [m], what lies beside on the right of each, and at their ends the way there
        `(E, 2, 2)`, of length 1.
    """
    pieces, ways = [np.zeros((0, 2, 3))], [np.zeros((0, 2, 2))]
    for link, _, across in lane_strips(field):
        if field.network.link_drivable[link]:
            continue
        for strip, edge in ((across, 2), (across[::-1], 0)):
            side = strip[:, edge]
            way = side[:, :2] - strip[:, 1, :2]
            way /= np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-6)[:, None]
            free = field.is_free(side[:, :2] + _BESIDE * way, level + _BESIDE)
            keep = free[:-1] & free[1:]
            pieces.append(np.stack((side[:-1], side[1:]), axis=1)[keep])
            ways.append(np.stack((way[:-1], way[1:]), axis=1)[keep])
    return np.concatenate(pieces), np.concatenate(ways)


def _useful(points: FloatArray) -> NDArray[np.int64]:
    """Rows of points `(n, 3)` that are not on top of the one before."""
    gap = np.hypot(*np.diff(points[:, :2], axis=0).T)
    return np.flatnonzero(np.concatenate(([True], gap > _SMALLEST)))


def _lengthened(across: FloatArray, before: float, after: float) -> FloatArray:
    """The rows `(n, 3, 3)` of a strip, longer at both ends [m]: nothing slips through where two strips meet.

    A lane that nothing leads to or from goes on as far as it is wide: so far its end counts as road.
    """
    first, last = across[0] - across[1], across[-1] - across[-2]
    long = across.copy()
    for row, way, more in ((0, first, before), (-1, last, after)):
        middle = way[1] / max(float(np.hypot(way[1, 0], way[1, 1])), 1e-6)
        long[row] += more * middle * (1.0, 1.0, 0.0)
    return long
