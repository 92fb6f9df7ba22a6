"""The land as it looks from a distance, which lies below all ground that is drawn in detail."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.mesh import Mesh
from dorosim.road.network import RoadNetwork
from dorosim.road.terrain.land import Land
from dorosim.road.terrain.terrain import terrain_of

EXACT = 30.0
"""So far from the lanes [m] the land is also there in detail, as high as wheels and sensors find it."""
_RASTER = 10.0
"""Side of the squares by which the land near lanes is found [m]."""
_BELOW = 0.03
"""By so much the land lies below the ground that is drawn in detail, at least [m]."""
_MAX_SINKS = 8
"""Rounds in which the land sinks."""


def near_lanes(mesh: Mesh, rows: NDArray[np.int64], network: RoadNetwork) -> NDArray[np.int64]:
    """Those of some triangles that come nearer to a lane than `EXACT`, or little farther.

    Args:
        mesh: in map [m].
        rows: `(n,)` of its triangles.
        network: the lanes.
    """
    if not len(rows) or not network.link_count:
        return rows[:0]
    places = np.concatenate(
        [
            network.point_at(link, np.arange(0.0, length + _RASTER, _RASTER).clip(max=length))[:, :2]
            for link, length in enumerate(network.link_length.tolist())
        ]
    )
    corner = mesh.vertices[mesh.faces[rows]][:, :, :2]
    begin = places.min(axis=0) - EXACT
    cell = np.floor((places - begin) / _RASTER).astype(np.int64)
    count = np.zeros(cell.max(axis=0) + 2, np.int64)
    count[cell[:, 0] + 1, cell[:, 1] + 1] = 1
    count = count.cumsum(axis=0).cumsum(axis=1)  # of squares with lanes to the south-west
    most = np.array(count.shape) - 1
    x0, y0 = np.clip(np.floor((corner.min(axis=1) - begin - EXACT) / _RASTER).astype(np.int64), 0, most).T
    x1, y1 = np.clip(np.ceil((corner.max(axis=1) - begin + EXACT) / _RASTER).astype(np.int64), 0, most).T
    near: NDArray[np.int64] = rows[count[x1, y1] - count[x0, y1] - count[x1, y0] + count[x0, y0] > 0]
    return near


def sunk_below(land: Mesh, exact: Mesh, side: float) -> Mesh:
    """The land, lowered where it would hide ground that is drawn in detail.

    Args:
        land: few large triangles, in map [m].
        exact: the ground in detail.
        side: about how far the corners of the land are apart [m].
    """
    if not len(land.faces) or not len(exact.faces):
        return land
    corner = exact.vertices[exact.faces]
    # edges of both cross between corners, too
    points = np.concatenate((corner.reshape(-1, 3), 0.5 * (corner + np.roll(corner, 1, axis=1)).reshape(-1, 3)))
    points = _unlike(np.round(points, 2))
    vertices = np.array(land.vertices, np.float64)
    cell = np.floor(vertices[:, :2] / side).astype(np.int64)
    under = np.floor(points[:, :2] / side).astype(np.int64)
    low = np.minimum(cell.min(axis=0), under.min(axis=0)) - 1
    cell, under = cell - low, under - low
    for _ in range(_MAX_SINKS):
        ground = terrain_of(Mesh(vertices, land.faces, np.zeros(len(land.faces), np.uint16)), _NO_LAND)
        height, _, found = ground.query(points)
        excess = np.where(found >= 0, height - points[:, 2] + _BELOW, 0.0)
        above = np.flatnonzero(excess > 0.5 * _BELOW)
        if not len(above):
            break
        sink = np.zeros(np.maximum(cell.max(axis=0), under.max(axis=0)) + 2)
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                np.maximum.at(sink, (under[above, 0] + i, under[above, 1] + j), excess[above])
        vertices[:, 2] -= sink[cell[:, 0], cell[:, 1]]
    return Mesh(vertices, land.faces, land.material)


def _unlike(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each of some points `(n, 3)` once, as `numpy.unique` has them, in half of its time."""
    points = points[np.lexsort(points.T[::-1])]
    new = np.ones(len(points), np.bool_)
    new[1:] = (points[1:] != points[:-1]).any(axis=1)
    return points[new]


_NO_LAND = Land(np.zeros((0, 0)), np.zeros(2))
