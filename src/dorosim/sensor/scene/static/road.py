"""The road surface: a strip for each lane, areas of junctions and parking bays, and bridges.

A strip has its centre line in the middle, at the height of the map; its edges take the mean height of the lanes about
them, so that lanes side by side meet without a step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.ground.mesh import Mesh, quad_mesh
from dorosim.road.terrain.field import RoadField
from dorosim.sensor.scene.actor.solid import fan
from dorosim.sensor.scene.material import Material

SHOULDER = 0.3
"""Paving beyond the edges of lanes [m]; the kerb begins within 5 cm of its end."""
DECK = 0.8
"""Thickness of a bridge [m]."""
_PARAPET = 1.0
"""Height of its parapets [m]."""
_OVERLAP = 0.02
"""By which strips of lanes overlap at their ends [m]."""
_SMALLEST = 0.02
"""Steps along a lane that are shorter add nothing [m]."""


def road_mesh(field: RoadField) -> Mesh:
    """All that is paved for vehicles, pavements with lanes of their own, and bridges."""
    network, lines = field.network, field.network.lines
    left, right = lane_edges(field)
    parts = []
    for link in range(network.link_count):
        rows = slice(int(lines.first[link]), int(lines.first[link + 1]))
        kept = _useful(lines.points[rows])
        if len(kept) < 2:
            continue
        drivable = bool(network.link_drivable[link])
        material = Material.ASPHALT if drivable else Material.PAVEMENT
        across = np.stack((left[rows][kept], lines.points[rows][kept], right[rows][kept]), axis=1)
        parts.append(strip_mesh(_lengthened(across), material))
        on_bridge = field.bridge[rows][kept]
        if on_bridge.any():
            parts.append(_bridge(field, across, on_bridge))
    parts.append(_areas(field))
    return Mesh.joined(parts)


def _areas(field: RoadField) -> Mesh:
    """Junctions and parking bays, on the height of the lanes about them; a little lower than lanes that cross them."""
    if not field.areas:
        return Mesh.empty()
    outlines = [area[:, :2] for area in field.areas]
    corner = np.concatenate(outlines)
    points = np.column_stack((corner, field.height(corner) - 0.004))
    first = np.cumsum([0, *(len(outline) for outline in outlines)])
    triangles = np.flatnonzero(np.diff(first) == 3)
    parts = [Mesh.of(points, first[triangles][:, None] + np.arange(3), Material.ASPHALT)]
    larger = np.flatnonzero(np.diff(first) > 3).tolist()
    parts += [fan(points[first[row] : first[row + 1]], Material.ASPHALT) for row in larger]
    return Mesh.joined(parts)


def lane_edges(field: RoadField) -> tuple[FloatArray, FloatArray]:
    """The left and the right edges `(P, 3)` of all lanes, with their shoulders where no other lane lies beside."""
    network, lines = field.network, field.network.lines
    normal = np.column_stack((-lines.tangent[:, 1], lines.tangent[:, 0]))
    edges = []
    for side, width in ((1.0, network.left_width), (-1.0, network.right_width)):
        place = lines.points[:, :2] + side * (width + SHOULDER)[:, None] * normal
        height = field.height(place)
        own = lines.points[:, 2]
        far = ~(np.abs(height - own) < 0.5) | field.bridge  # another level, or nothing known
        edges.append(np.column_stack((place, np.where(far, own, height) - 0.002)))
    return edges[0], edges[1]


def _useful(points: FloatArray) -> NDArray[np.int64]:
    """Rows of points `(n, 3)` that are not on top of the one before."""
    gap = np.hypot(*np.diff(points[:, :2], axis=0).T)
    return np.flatnonzero(np.concatenate(([True], gap > _SMALLEST)))


def _lengthened(across: FloatArray) -> FloatArray:
    """The rows `(n, 3, 3)` of a strip, a little longer at both ends: no ray slips through where two strips meet."""
    first, last = across[0] - across[1], across[-1] - across[-2]
    long = across.copy()
    for row, way in ((0, first), (-1, last)):
        middle = way[1] / max(float(np.hypot(way[1, 0], way[1, 1])), 1e-6)
        long[row] += _OVERLAP * middle
    return long


def strip_mesh(across: FloatArray, material: int) -> Mesh:
    """A band through rows of points across it: `(n, m, 3)` [m]."""
    rows, count = across.shape[:2]
    index = np.arange(rows * count).reshape(rows, count)
    a, b, c, d = index[:-1, :-1].ravel(), index[1:, :-1].ravel(), index[1:, 1:].ravel(), index[:-1, 1:].ravel()
    return Mesh.of(
        across.reshape(-1, 3), np.concatenate((np.column_stack((a, b, c)), np.column_stack((a, c, d)))), material
    )


def _bridge(field: RoadField, across: FloatArray, on_bridge: NDArray[np.bool_]) -> Mesh:
    """The underside of a lane on a bridge, and parapets at edges beside which no other lane lies."""
    parts = []
    for first, last in _runs(on_bridge[:-1]):
        piece = across[first : last + 2]
        under = piece - (0.0, 0.0, DECK)
        parts.append(strip_mesh(under, Material.CONCRETE))
        for side, other in ((0, 1), (2, 1)):
            edge = piece[:, side]
            outward = edge[:, :2] - piece[:, other, :2]
            outward /= np.maximum(np.hypot(outward[:, 0], outward[:, 1]), 1e-6)[:, None]
            free = field.beside_deck(edge[:, :2] + 0.8 * outward)
            wall = np.stack((edge - (0.0, 0.0, DECK), np.add(edge, (0.0, 0.0, _PARAPET))), axis=1)
            quads = np.stack((wall[:-1, 0], wall[1:, 0], wall[1:, 1], wall[:-1, 1]), axis=1)
            parts.append(quad_mesh(quads[free[:-1] & free[1:]], Material.CONCRETE))
    return Mesh.joined(parts)


def _runs(flag: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last index of each run of True."""
    edge = np.flatnonzero(np.diff(np.concatenate(([False], flag, [False])).astype(np.int8)))
    return [(int(a), int(b) - 1) for a, b in edge.reshape(-1, 2)]
