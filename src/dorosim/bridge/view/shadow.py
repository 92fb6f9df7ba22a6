"""Contact shadows: dark places on the ground at the feet of houses, trees and poles.

They are triangles just above the ground whose opacity falls from the foot outwards, so a browser draws few of them and
computes no light.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dorosim.bridge.view.tint import LEVELS
from dorosim.ground.mesh import Mesh
from dorosim.road.terrain.land import Land
from dorosim.road.terrain.terrain import Terrain, terrain_of
from dorosim.sensor.scene.material import Material

WALLS = (
    Material.BRICK, Material.PLASTER, Material.FACADE, Material.FACADE_WARM, Material.FACADE_DARK,
)  # fmt: skip
"""What has a foot along its lower edges."""
FEET = {Material.TRUNK: 1.9, Material.POLE: 0.4}
"""What stands on a small foot, and the radius of its shadow [m]."""
_SHADOW_DISTANCE = 1.4
"""How far a shadow reaches from a wall [m]."""
_ABOVE = 0.04
"""By so much shadows lie above the ground [m]."""
_STANDING = 0.6
"""A foot is no farther above the ground than this [m]; walls may go on below it."""
_GUESS = 1.0
"""Ground is looked for from so far above the last height [m]: of several layers, the one on top is seen."""
_LEVEL, _MIN_EDGE_LENGTH = 0.05, 0.4
"""An edge is level up to this [m]; shorter ones have no shadow [m]."""
_SAME = 1.2
"""Corners nearer than this are one foot [m]."""
_CORNERS = 8
"""Of a round shadow."""
_RIM, _FOOT = 0, LEVELS - 1
"""Steps of opacity: none, and the most."""


def contact_shadows(mesh: Mesh, ground: Mesh) -> tuple[Mesh, NDArray[np.int64]]:
    """The shadows of what stands on some ground.

    Args:
        mesh: all that stands, in map [m].
        ground: on which they fall.

    Returns:
        triangles, and how dark each of their corners is, `(V,)` 0 to `LEVELS - 1`.
    """
    empty = Mesh.empty(), np.zeros(0, np.int64)
    if not len(ground.faces) or not len(mesh.faces):
        return empty
    labels = np.zeros(len(ground.faces), np.uint16)  # of materials, which are no parts of the ground
    terrain = terrain_of(Mesh(ground.vertices, ground.faces, labels), Land(np.zeros((0, 0)), np.zeros(2)))
    parts = [_along_walls(mesh, terrain)]
    parts += [_round(mesh, terrain, material, radius) for material, radius in FEET.items()]
    vertices = np.concatenate([points.reshape(-1, 3) for points, _ in parts])
    dark = np.concatenate([level for _, level in parts])
    if not len(vertices):
        return empty
    height, found = _heights(terrain, vertices)
    whole = found.reshape(-1, 3).all(axis=1)
    vertices[:, 2] = height + _ABOVE
    kept = np.repeat(whole, 3)
    faces = np.arange(3 * int(whole.sum()), dtype=np.int64).reshape(-1, 3)
    return Mesh.of(vertices[kept], faces, np.full(len(faces), Material.ASPHALT)), dark[kept]


def _along_walls(mesh: Mesh, terrain: Terrain) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Triangles `(T, 3, 3)` outside the lower edges of walls, and the darkness `(3 T,)` of their corners."""
    corner = mesh.vertices[mesh.faces[np.isin(mesh.material, [int(one) for one in WALLS])]]
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    flat = np.hypot(normal[:, 0], normal[:, 1])
    upright = flat > 10.0 * np.abs(normal[:, 2])
    corner, out = corner[upright], normal[upright, :2] / np.maximum(flat[upright, None], 1e-12)
    # the lower edge has two corners, so the highest of the three is left out
    top = corner[:, :, 2].max(axis=1)
    order = np.argsort(corner[:, :, 2], axis=1, kind="stable")
    one, other = (np.take_along_axis(corner, order[:, k, None, None], axis=1)[:, 0] for k in (0, 1))
    length = np.hypot(*(other - one)[:, :2].T)
    edge = (np.abs(one[:, 2] - other[:, 2]) < _LEVEL) & (length > _MIN_EDGE_LENGTH)
    one, other, out = one[edge], other[edge], out[edge]
    height, found = _heights(terrain, 0.5 * (one + other) + np.column_stack((0.3 * out, np.zeros(len(out)))))
    stands = found & (one[:, 2] < height + _STANDING) & (top[edge] > height)
    one, other, out, height = one[stands].copy(), other[stands].copy(), out[stands], height[stands]
    one[:, 2] = other[:, 2] = height
    aside = np.column_stack((_SHADOW_DISTANCE * out, np.zeros(len(out))))
    along = (other - one) / np.maximum(np.linalg.norm(other - one, axis=1), 1e-12)[:, None]
    near, far = one + aside - 0.5 * _SHADOW_DISTANCE * along, other + aside + 0.5 * _SHADOW_DISTANCE * along
    triangles = np.stack((one, other, far, one, far, near), axis=1).reshape(-1, 3, 3)
    dark = np.tile([_FOOT, _FOOT, _RIM, _FOOT, _RIM, _RIM], len(one))
    return triangles, dark


def _round(
    mesh: Mesh, terrain: Terrain, material: Material, radius: float
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Triangles `(T, 3, 3)` about the feet of a material, and the darkness `(3 T,)` of their corners."""
    points = mesh.vertices[np.unique(mesh.faces[mesh.material == material])]
    height, found = _heights(terrain, points)
    feet = points[found & (np.abs(points[:, 2] - height) < _STANDING)]
    for offset in (0.0, 0.5):  # a foot across the border of two squares is joined the second time
        if len(feet):
            _, cell = np.unique(np.floor(feet[:, :2] / _SAME + offset), axis=0, return_inverse=True)
            count = np.bincount(cell.ravel())
            feet = np.column_stack([np.bincount(cell.ravel(), feet[:, axis]) / count for axis in range(3)])
    turn = np.arange(_CORNERS + 1) * (math.tau / _CORNERS)
    rim = radius * np.column_stack((np.cos(turn), np.sin(turn), np.zeros(len(turn))))
    middle = np.repeat(feet[:, None], _CORNERS, axis=1)
    triangles = np.stack((middle, feet[:, None] + rim[:-1], feet[:, None] + rim[1:]), axis=2).reshape(-1, 3, 3)
    return triangles, np.tile([_FOOT, _RIM, _RIM], len(triangles))


def _heights(terrain: Terrain, points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Heights `(N,)` of the ground under points `(N, 3)` in map [m], and where there is some."""
    height, _, surface = terrain.query(np.add(points, (0.0, 0.0, _GUESS)))
    return height, surface >= 0
