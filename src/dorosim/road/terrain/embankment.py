"""Slopes from the edges of verges and walkways down to the land, where it lies lower: no gap shows beneath."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.mesh import Mesh, quad_mesh
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.ground_part import GroundPart
from dorosim.road.terrain.land import Land

_SLOPE = 1.5
"""How far a slope reaches out for each metre that it falls."""
_WIDEST = 6.0
"""It reaches out no farther [m]."""
_IN_LAND = 0.3
"""Its foot lies so deep in the land [m]."""
_MIN_DROP = 0.02
"""Where the land is no farther below the edge there is no slope [m]."""
_SHARES = np.arange(1, 7) / 6.0
"""Shares of its width that are tried beside another road."""
_AHEAD = 0.2
"""The direction away from the road is found by distances this far about a point [m]."""


def outer_edges(triangles: FloatArray, far: float) -> FloatArray:
    """The sides `(E, 2, 4)` of triangles `(N, 3, 4)` on which the fourth coordinate is `far`."""
    on = np.abs(triangles[..., 3] - far) < 1e-9
    some = np.flatnonzero(on.sum(axis=1) == 2)
    odd = (~on[some]).argmax(axis=1)
    order = (odd[:, None] + (1, 2)) % 3
    return np.take_along_axis(triangles[some], order[..., None], axis=1)


def embankment_mesh(field: RoadField, edges: FloatArray, away: FloatArray, land: Land) -> Mesh:
    """Slopes below edges.

    Args:
        field: the road.
        edges: `(E, 2, 3)` in map [m], what is lower on the right of each.
        away: `(E, 2, 2)` at their ends the way there, of length 1.
        land: what lies beneath.
    """
    if not len(edges):
        return Mesh.empty()
    drop = edges[..., 2] - land.at(edges.reshape(-1, 3)).reshape(-1, 2)
    low_beside = (drop > _MIN_DROP).any(axis=1)
    edges, away = edges[low_beside], away[low_beside]
    if not len(edges):
        return Mesh.empty()
    # each corner's foot depends on the corner alone, so that slopes side by side meet
    top = edges.reshape(-1, 3)
    foot = _feet(field, top, top[:, 2] - land.at(top), away.reshape(-1, 2))
    bottom = np.minimum(land.at(foot), top[:, 2]) - _IN_LAND
    low = np.column_stack((foot, bottom)).reshape(-1, 2, 3)
    return quad_mesh(np.stack((edges[:, 1], edges[:, 0], low[:, 0], low[:, 1]), axis=1), GroundPart.VERGE)


def away_from_road(field: RoadField, points: FloatArray) -> FloatArray:
    """At points `(..., 3)` beside the road the way `(..., 2)` on which the distance from it grows."""
    place = points.reshape(-1, points.shape[-1])[:, :2]
    ways = _AHEAD * np.array([(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
    around = [field.distance(place + way, bridges=False) for way in ways]
    away = np.column_stack((around[0] - around[1], around[2] - around[3])) / (2.0 * _AHEAD)
    return away.reshape(*points.shape[:-1], 2)


def _feet(field: RoadField, top: FloatArray, drop: FloatArray, away: FloatArray) -> FloatArray:
    """Where slopes from points `(N, 3)` end `(N, 2)`: they reach less far where another road is near."""
    edge = top[:, :2]
    wanted = np.clip(_SLOPE * drop, 0.0, _WIDEST)
    begin, out, free = field.distance(edge, bridges=False), np.zeros(len(top)), np.ones(len(top), np.bool_)
    for share in _SHARES:
        reach = share * wanted
        free &= field.distance(edge + reach[:, None] * away) > begin + 0.7 * reach
        out[free] = reach[free]
    return np.asarray(edge + out[:, None] * away)
