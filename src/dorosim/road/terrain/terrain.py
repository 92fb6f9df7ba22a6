"""The ground of a map as one surface, for wheels, sensors and the page."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.mesh import Mesh
from dorosim.road.adjacency import frozen
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.network import RoadNetwork
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.ground import roadside_mesh
from dorosim.road.terrain.land import Land, land_around
from dorosim.road.terrain.query_kernel import (
    RECORD,
    ROUGH_CELLS,
    SURFACES,
    TerrainArrays,
    TerrainNumber,
    fill_cells,
    query_ground,
)
from dorosim.road.terrain.road import road_mesh

BUILT_UP_SPEED = 50.5 / 3.6
"""Roads with a higher limit lead through open country: 50 km/h is the limit in built-up areas [m/s]."""
FAST = 80.5 / 3.6
"""Roads with a higher limit are motorways [m/s]."""
_CELL = 1.0
"""Side of the cells by which triangles are found [m], on maps that need no larger ones."""
_MAX_CELLS = 2_000_000
_STEEP = 1.0
"""Ground that rises faster is a step [ratio]."""


@dataclass(frozen=True, eq=False)
class Terrain:
    """The ground of a map: triangles of road and roadside, and the land beyond.

    Attributes:
        arrays: the ground as kernels see it.
    """

    arrays: TerrainArrays

    def query(self, points: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
        """Heights `(N,)`, slopes `(N, 2)` and `SurfaceKind`s `(N,)` of the ground under points; see `query_ground`."""
        place = np.array(points, np.float64).reshape(-1, 3)
        height, slope = np.zeros(len(place)), np.zeros((len(place), 2))
        surface = np.zeros(len(place), np.int64)
        query_ground(self.arrays, place, height, slope, surface)
        return height, slope, surface

    def height(self, points: FloatArray) -> FloatArray:
        """Heights `(N,)` of the ground under points `(N, 3)`, whose own heights are guesses, in map [m]."""
        return self.query(points)[0]

    def contains(self, x: float, y: float) -> bool:
        """Whether a place in map [m] lies on the land, and not beyond its edge."""
        number = self.arrays.number
        low = number[TerrainNumber.LAND_X : TerrainNumber.LAND_Y + 1] + number[:2]
        size = number[TerrainNumber.LAND_COLUMNS : TerrainNumber.LAND_ROWS + 1] - 1.0
        return bool((low <= (x, y)).all() and ((x, y) <= low + number[TerrainNumber.SQUARE] * size).all())

    def dropped(self, points: FloatArray, above: float = 0.0) -> FloatArray:
        """The points `(N, 3)` put on the ground, `above` metres over it."""
        return np.column_stack((points[:, :2], self.height(points) + above))

    def mesh(self) -> Mesh:
        """All its triangles in map [m], with `GroundPart` as their labels."""
        number, faces = self.arrays.number, int(self.arrays.number[TerrainNumber.FACES])
        origin, start = number[:3], int(number[TerrainNumber.LAND_START])
        own = Mesh.of(
            self.arrays.height[:start].reshape(-1, 3) + origin,
            self.arrays.table[: 3 * faces],
            self.arrays.table[3 * faces : 4 * faces],
        )
        columns, rows = number[TerrainNumber.LAND_COLUMNS : TerrainNumber.LAND_ROWS + 1].astype(np.int64)
        height = self.arrays.height[start : start + columns * rows].reshape(columns, rows) + origin[2]
        corner = number[TerrainNumber.LAND_X : TerrainNumber.LAND_Y + 1] + origin[:2]
        return Mesh.joined([own, Land(height, corner, float(number[TerrainNumber.SQUARE])).mesh()])


def terrain_from_map(town: MGeoMap, network: RoadNetwork, field: RoadField | None = None) -> Terrain:
    """The ground of a map.

    Args:
        town: the map's records: outlines of junctions and parking bays.
        network: the same map, compiled.
        field: of the two, where it is there already.
    """
    field = RoadField(network, town) if field is None else field
    land = land_around(field)
    return terrain_of(
        Mesh.joined([road_mesh(field), roadside_mesh(field, land, pavements=is_urban(town, network))]), land
    )


def is_urban(town: MGeoMap, network: RoadNetwork) -> bool:
    """Whether roads of a map have kerbs and pavements: it has lights, crosswalks or signs, and is no motorway."""
    fast = network.link_length[network.link_speed_limit > FAST].sum() > 0.5 * network.link_length.sum()
    return not fast and bool(network.signals.lights or len(network.crosswalks) or town.traffic_signs)


def is_village(network: RoadNetwork) -> bool:
    """Whether a map is one of a village: it has no lights, and each road has one lane in a direction."""
    return not network.signals.lights and not any(allowed.any() for _, allowed in network.neighbours.sides)


def terrain_of(mesh: Mesh, land: Land) -> Terrain:
    """The ground of triangles, with `GroundPart` as their labels, and land; both in map [m]."""
    low, high = mesh.bounds
    origin = np.round(0.5 * (low + high))
    vertex = (mesh.vertices - origin).astype(np.float32)
    face = mesh.faces.astype(np.int32)
    extent = np.maximum((high - low)[:2], 1.0)
    side = max(_CELL, math.sqrt(float(extent.prod()) / _MAX_CELLS))
    grid = np.array([*(low - origin)[:2] - 0.01, side])
    size = (extent / side).astype(np.int64) + 1
    first = np.zeros(int(size.prod()) + 1, np.int32)
    total = fill_cells(vertex, face, grid, size, first, np.zeros(0, np.int32))
    first[:] = np.cumsum(first)
    cell_face = np.zeros(total, np.int32)
    if total:
        fill_cells(vertex, face, grid, size, first, cell_face)
    record, place = _records(vertex, face, mesh.material, grid)
    starts = (len(face), vertex.size, vertex.size + land.height.size)
    number = (*origin, *grid, *size, *(land.corner - origin[:2]), land.side, *land.height.shape, *starts)
    heights = (vertex.ravel(), (land.height - origin[2]).astype(np.float32).ravel(), record.ravel())
    table = (face.ravel(), mesh.material.astype(np.int32), first, place[cell_face])
    return Terrain(
        TerrainArrays(
            frozen(np.array(number)),
            frozen(np.concatenate(heights)),
            frozen(np.concatenate(table)),
            frozen(np.ascontiguousarray(_rough_cells(vertex, face, grid, size))),
        )
    )


def _records(
    vertex: NDArray[np.float32], face: NDArray[np.int32], part: NDArray[np.uint16], grid: FloatArray
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """The records of faces `(F, RECORD)`, cell by cell of their middles, and where that of each face stands `(F,)`."""
    corner = vertex[face]
    middle = ((corner[:, :, :2].mean(axis=1) - grid[:2]) / grid[2]).astype(np.int64)
    order = np.lexsort((middle[:, 0], middle[:, 1]))
    place = np.empty(len(face), np.int32)
    place[order] = np.arange(len(face), dtype=np.int32)
    surface = SURFACES[part].astype(np.float32)[:, None]
    return np.hstack((corner.reshape(-1, RECORD - 1), surface))[order], place


def _rough_cells(
    vertex: NDArray[np.float32], face: NDArray[np.int32], grid: FloatArray, size: IntArray
) -> NDArray[np.uint8]:
    """Which fine cells `(columns, rows)` have a steep triangle in them or in one of the eight about them."""
    columns, rows = (size * ROUGH_CELLS).tolist()
    if not len(face):
        return np.zeros((columns, rows), np.uint8)
    a, b, c = vertex[face[:, 0]], vertex[face[:, 1]], vertex[face[:, 2]]
    normal = np.cross(b - a, c - a)
    steep = np.hypot(normal[:, 0], normal[:, 1]) > _STEEP * np.abs(normal[:, 2])
    fine = np.array([grid[0], grid[1], grid[2] / ROUGH_CELLS])
    count = np.zeros(columns * rows + 1, np.int32)
    fill_cells(vertex, np.ascontiguousarray(face[steep]), fine, size * ROUGH_CELLS, count, np.zeros(0, np.int32))
    rough = count[:-1].reshape(rows, columns).T > 0
    padded = np.pad(rough, 1)
    for i in (0, 1, 2):
        for j in (0, 1, 2):
            rough = rough | padded[i : i + columns, j : j + rows]
    return rough.astype(np.uint8)
