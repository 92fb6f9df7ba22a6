"""Street lamps: masts with arms, and the places from which they shine."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.mesh import Mesh, box_mesh
from dorosim.road.scenery.pole import FOOT_DEPTH
from dorosim.road.scenery.street_lamp import MAST_RADII, STREET_LAMP_ARM, STREET_LAMP_HEIGHT
from dorosim.road.scenery.table import ObjectTable
from dorosim.sensor.scene.actor.solid import limb
from dorosim.sensor.scene.material import Material

_BELOW = 0.12
"""Lamps shine from so far below the middle of their heads [m], so that these do not hide them."""


def street_lamp_meshes(objects: ObjectTable, rows: IntArray) -> list[Mesh]:
    """Masts with arms; rows `(N,)` of `objects`."""
    shape = _shape()
    meshes = []
    for row in rows.tolist():
        size = objects.height[row] / STREET_LAMP_HEIGHT
        c, s = size * np.cos(objects.heading[row]), size * np.sin(objects.heading[row])
        place = objects.x[row], objects.y[row], objects.z[row]
        meshes.append(
            shape.transformed(np.array([(c, -s, 0.0, place[0]), (s, c, 0.0, place[1]), (0.0, 0.0, size, place[2])]))
        )
    return meshes


def street_lamp_places(objects: ObjectTable, rows: IntArray) -> FloatArray:
    """Places `(N, 3)` in map from which they shine [m]; rows `(N,)` of `objects`."""
    return np.column_stack((objects.head_x[rows], objects.head_y[rows], objects.head_z[rows] - _BELOW))


def _shape() -> Mesh:
    """A lamp whose arm goes along x."""
    top, arm = STREET_LAMP_HEIGHT, STREET_LAMP_ARM
    low, high = MAST_RADII
    mast = limb(
        [(0, 0, -FOOT_DEPTH), (0, 0, 0.6 * top), (0, 0, top)], (low, 0.5 * (low + high), high), Material.POLE, 8
    )
    boom = limb([(0, 0, top - 0.27), (0.5 * arm, 0, top - 0.06), (arm - 0.3, 0, top)], (0.05,) * 3, Material.POLE, 6)
    head = box_mesh((0.36, 0.14, 0.045), Material.POLE, (arm, 0, top + 0.01))
    lens = box_mesh((0.3, 0.11, 0.015), Material.STREET_LAMP, (arm, 0, top - 0.05))
    return Mesh.joined([mast, boom, head, lens])
