"""Triangles with labels: what the ground, the static world and the models of actors are made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dorosim.ground.column import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles in a frame of their own.

    Vertices stay in float64 until they are given to Embree, so that a map can be built in its own coordinates and
    moved to the scene's origin afterwards.

    Attributes:
        vertices: `(V, 3)` float64 [m].
        faces: `(F, 3)` uint32, rows of `vertices`. Either winding will do: rays see both sides.
        material: `(F,)` uint16, label of each face: a row of a table of materials, or a `SurfaceKind` of the ground.
    """

    vertices: FloatArray
    faces: NDArray[np.uint32]
    material: NDArray[np.uint16]

    @classmethod
    def of(cls, vertices: ArrayLike, faces: ArrayLike, material: ArrayLike) -> Self:
        """A mesh from anything that looks like one; a single material counts for all faces."""
        corners = np.ascontiguousarray(np.asarray(faces, np.uint32).reshape(-1, 3))
        surface = np.ascontiguousarray(np.broadcast_to(np.asarray(material, np.uint16), (len(corners),)))
        return cls(np.ascontiguousarray(np.asarray(vertices, np.float64).reshape(-1, 3)), corners, surface)

    @classmethod
    def empty(cls) -> Self:
        """No triangles."""
        return cls.of(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0))

    @classmethod
    def joined(cls, meshes: Iterable[Mesh]) -> Self:
        """Several meshes as one, in their order."""
        parts = [mesh for mesh in meshes if len(mesh.faces)]
        if not parts:
            return cls.empty()
        first = np.cumsum([0] + [len(mesh.vertices) for mesh in parts[:-1]]).astype(np.uint32)
        return cls(
            np.concatenate([mesh.vertices for mesh in parts]),
            np.concatenate([mesh.faces + start for mesh, start in zip(parts, first, strict=True)]),
            np.concatenate([mesh.material for mesh in parts]),
        )

    def moved(self, offset: ArrayLike) -> Mesh:
        """The mesh moved by `(3,)` [m]."""
        return Mesh(self.vertices + np.asarray(offset, np.float64), self.faces, self.material)

    def transformed(self, matrix: ArrayLike) -> Mesh:
        """The mesh under an affine map `(3, 4)` or `(3, 3)`."""
        map_ = np.asarray(matrix, np.float64)
        points = self.vertices @ map_[:, :3].T
        return Mesh(points if map_.shape[1] == 3 else points + map_[:, 3], self.faces, self.material)

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """The lowest and the highest coordinates `(3,)` [m]; zeros for an empty mesh."""
        if not len(self.vertices):
            return np.zeros(3), np.zeros(3)
        columns = self.vertices.T  # column by column, which numpy does ten times faster than row by row
        return np.array([column.min() for column in columns]), np.array([column.max() for column in columns])


def box_mesh(half_size: ArrayLike, material: int, centre: ArrayLike = (0.0, 0.0, 0.0)) -> Mesh:
    """A box along the axes.

    Args:
        half_size: `(3,)` half its extents [m].
        material: of all faces.
        centre: `(3,)` [m].
    """
    corner = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
    faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)]
    faces += [(2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
    return Mesh.of(corner * np.asarray(half_size) + np.asarray(centre), faces, material)


def quad_mesh(corners: ArrayLike, material: int) -> Mesh:
    """A flat quadrangle, or several: corners `(4, 3)` or `(N, 4, 3)` in order around [m]."""
    points = np.asarray(corners, np.float64).reshape(-1, 3)
    start = np.arange(0, len(points), 4)[:, None]
    faces = np.concatenate((start + np.array([[0, 1, 2]]), start + np.array([[0, 2, 3]])))
    return Mesh.of(points, faces, material)


def strip_mesh(across: FloatArray, material: int) -> Mesh:
    """A band through rows of points across it: `(n, m, 3)` [m]."""
    rows, count = across.shape[:2]
    index = np.arange(rows * count).reshape(rows, count)
    a, b, c, d = index[:-1, :-1].ravel(), index[1:, :-1].ravel(), index[1:, 1:].ravel(), index[:-1, 1:].ravel()
    return Mesh.of(
        across.reshape(-1, 3), np.concatenate((np.column_stack((a, b, c)), np.column_stack((a, c, d)))), material
    )


def fan(ring: ArrayLike, material: int, apex: ArrayLike | None = None) -> Mesh:
    """A star-shaped area: triangles from the middle of a ring `(P, 3)`, or from another point `(3,)` [m]."""
    points = np.asarray(ring, np.float64)
    count = len(points)
    index = np.arange(count)
    faces = np.column_stack((np.full(count, count), index, (index + 1) % count))
    return Mesh.of(np.vstack((points, points.mean(axis=0) if apex is None else apex)), faces, material)
