"""Solids that models are put together from: lofts, cylinders, limbs, ellipsoids, discs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dorosim.ground.mesh import Mesh, fan

Vector = tuple[float, float, float]


def loft(rings: ArrayLike, material: ArrayLike, cap: int | None = None) -> Mesh:
    """A skin over closed rings.

    Args:
        rings: `(S, P, 3)` points of each ring, in the same order [m].
        material: of all faces, or `(S - 1, P)` of each patch between two rings and two points.
        cap: material of the two ends, which must be star-shaped about their middles; None leaves them open.
    """
    points = np.asarray(rings, np.float64)
    rows, count = points.shape[:2]
    row, column = (part.ravel() for part in np.meshgrid(np.arange(rows - 1), np.arange(count), indexing="ij"))
    a, b = row * count + column, row * count + (column + 1) % count
    faces = np.stack((np.column_stack((a, a + count, b + count)), np.column_stack((a, b + count, b))), axis=1)
    patch = np.broadcast_to(np.asarray(material), (rows - 1, count)).ravel()
    skin = Mesh.of(points.reshape(-1, 3), faces.reshape(-1, 3), np.repeat(patch, 2))
    if cap is None:
        return skin
    return Mesh.joined([skin, fan(points[0], cap), fan(points[-1], cap)])


def mirrored(half: Sequence[tuple[float, float]], x: float) -> NDArray[np.float64]:
    """A ring across the body at `x` from its left half: (y, z) from the bottom to the top [m].

    Points at y = 0 are there once.
    """
    right = [(-y, z) for y, z in reversed(half) if y > 0.0]
    ring = [*half, *right]
    return np.array([(x, y, z) for y, z in ring])


def frame_along(start: ArrayLike, stop: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two unit vectors `(3,)` across the way from start to stop."""
    way = np.asarray(stop, np.float64) - np.asarray(start, np.float64)
    way /= max(float(np.linalg.norm(way)), 1e-9)
    other = np.array([0.0, 0.0, 1.0]) if abs(way[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    across = np.cross(way, other)
    across /= np.linalg.norm(across)
    return across, np.cross(way, across)


def limb(places: ArrayLike, radii: Sequence[float], material: int, sides: int = 8) -> Mesh:
    """A round tube through points `(S, 3)` with a radius at each [m], closed by flat ends."""
    points = np.asarray(places, np.float64)
    turn = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)[:, None]
    across, up = frame_along(points[0], points[1])
    ring = np.cos(turn) * across + np.sin(turn) * up
    rings = [point + radius * ring for point, radius in zip(points, radii, strict=True)]
    return loft(rings, material, cap=material)


def cylinder(
    start: Vector, stop: Vector, radius: float, material: int, sides: int = 12, cap: int | None = None
) -> Mesh:
    """A cylinder between the middles of its ends [m]; its ends may be of another material."""
    across, up = frame_along(start, stop)
    turn = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)[:, None]
    ring = radius * (np.cos(turn) * across + np.sin(turn) * up)
    return loft([np.asarray(start) + ring, np.asarray(stop) + ring], material, material if cap is None else cap)


def ellipsoid(centre: ArrayLike, half_size: ArrayLike, material: int, rings: int = 6) -> Mesh:
    """A round body with `2 * rings` corners about its upright axis."""
    polar = np.linspace(0.0, np.pi, rings + 1)
    polar[0], polar[-1] = 0.15 / rings, np.pi - 0.15 / rings
    turn = np.linspace(0.0, 2 * np.pi, 2 * rings, endpoint=False)
    unit = np.stack(
        [
            np.column_stack((np.sin(p) * np.cos(turn), np.sin(p) * np.sin(turn), np.full(len(turn), np.cos(p))))
            for p in polar
        ]
    )
    return loft(unit * np.asarray(half_size) + np.asarray(centre), material, cap=material)


def fitted(mesh: Mesh, low: ArrayLike, high: ArrayLike) -> Mesh:
    """The mesh stretched and moved so that it fills a box exactly."""
    old_low, old_high = mesh.bounds
    scale = (np.asarray(high) - np.asarray(low)) / np.maximum(old_high - old_low, 1e-9)
    return Mesh((mesh.vertices - old_low) * scale + np.asarray(low), mesh.faces, mesh.material)
