"""Triangles by the colour that they have on the page."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dorosim.sensor.scene.material import MaterialTable
from dorosim.sensor.scene.mesh import Mesh

GAMMA = 1.0 / 2.2
"""From linear light to what screens take (the sRGB curve, nearly)."""


class Surface(NamedTuple):
    """Triangles of one material.

    Attributes:
        material: row of the material table. colour: red, green, blue, 0 to 255.
        vertices: `(V, 3)` float32 [m]. faces: `(F, 3)` uint32.
    """

    material: int
    colour: tuple[int, int, int]
    vertices: NDArray[np.float32]
    faces: NDArray[np.uint32]


def screen_colour(albedo: ArrayLike) -> tuple[int, int, int]:
    """What a screen takes for a linear colour `(3,)`, 0 to 1."""
    red, green, blue = (255 * np.clip(np.asarray(albedo, np.float64), 0.0, 1.0) ** GAMMA).round().astype(int).tolist()
    return red, green, blue


def surfaces_of(mesh: Mesh, table: MaterialTable, origin: ArrayLike = (0.0, 0.0, 0.0)) -> list[Surface]:
    """The triangles of a mesh, material by material.

    Args:
        mesh: anything.
        table: its materials.
        origin: `(3,)` of the frame in which the triangles are told, in that of the mesh [m].
    """
    found = []
    for material in np.unique(mesh.material).tolist():
        corners, faces = np.unique(mesh.faces[mesh.material == material], return_inverse=True)
        vertices = (mesh.vertices[corners] - np.asarray(origin)).astype(np.float32)
        colour = screen_colour(table.albedo[material])
        found.append(Surface(material, colour, vertices, faces.reshape(-1, 3).astype(np.uint32)))
    return found
