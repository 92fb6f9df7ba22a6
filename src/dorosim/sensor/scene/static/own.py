"""What poles, walls and blocks look like that a map itself puts beside its roads."""

from __future__ import annotations

import numpy as np

from dorosim.ground.mesh import Mesh, box_mesh
from dorosim.road.scenery.pole import FOOT_DEPTH
from dorosim.road.scenery.roadside_object import RoadsideSurface
from dorosim.road.scenery.table import ObjectKind, ObjectTable
from dorosim.sensor.scene.actor.solid import cylinder
from dorosim.sensor.scene.material import Material

_SURFACES = {
    RoadsideSurface.CONCRETE: Material.CONCRETE,
    RoadsideSurface.METAL: Material.POLE,
    RoadsideSurface.HEDGE: Material.HEDGE,
    RoadsideSurface.WOOD: Material.WOOD,
    RoadsideSurface.PLASTER: Material.PLASTER,
}
_SIDES = 8
"""Of poles."""


def own_object_meshes(objects: ObjectTable) -> list[Mesh]:
    """Poles, walls and blocks, where and as large as their solid parts are."""
    meshes = []
    for row in np.flatnonzero(objects.kind == ObjectKind.POLE).tolist():
        x, y, z, height = (float(one[row]) for one in (objects.x, objects.y, objects.z, objects.height))
        radius = 0.5 * float(objects.length[row])
        meshes.append(cylinder((x, y, z - FOOT_DEPTH), (x, y, z + height), radius, Material.POLE, _SIDES))
    for row in np.flatnonzero((objects.kind == ObjectKind.WALL) | (objects.kind == ObjectKind.BLOCK)).tolist():
        length, width, height = (float(one[row]) for one in (objects.length, objects.width, objects.height))
        material = _SURFACES[RoadsideSurface(int(objects.variant[row]))]
        box = box_mesh((0.5 * length, 0.5 * width, 0.5 * height), material, (0.0, 0.0, 0.5 * height))
        c, s, grade = np.cos(objects.heading[row]), np.sin(objects.heading[row]), float(objects.rise[row]) / length
        matrix = np.array(
            [(c, -s, 0.0, objects.x[row]), (s, c, 0.0, objects.y[row]), (grade, 0.0, 1.0, objects.z[row])]
        )
        meshes.append(box.transformed(matrix))
    return meshes
