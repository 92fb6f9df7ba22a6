"""What buildings and trees look like."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.ground.mesh import Mesh, box_mesh, quad_mesh
from dorosim.road.scenery.building import BASE_DEPTH, EAVES, FLOOR_HEIGHT, ROOF_TOP
from dorosim.road.scenery.table import ObjectTable
from dorosim.road.scenery.tree import ROOT_DEPTH, TREE_HEIGHT, TREE_VARIANTS, TRUNK_HEIGHT, TRUNK_RADII
from dorosim.sensor.scene.actor.obstacle import crown
from dorosim.sensor.scene.actor.solid import limb
from dorosim.sensor.scene.material import Material

_WALLS = (Material.BRICK, Material.PLASTER, Material.FACADE, Material.FACADE_WARM, Material.FACADE_DARK)
"""Surfaces of walls by `ObjectTable.variant`."""
_TRUNK_SIDES = 10


def building_mesh(objects: ObjectTable, row: int) -> Mesh:
    """Walls, windows and roof of a building."""
    a, b, h = 0.5 * float(objects.length[row]), 0.5 * float(objects.width[row]), float(objects.height[row])
    wall = _WALLS[int(objects.variant[row])]
    deep = 0.5 * BASE_DEPTH
    parts = [box_mesh((a, b, 0.5 * h + deep), wall, (0, 0, 0.5 * h - deep))]
    if objects.roof[row]:
        parts.append(_gable(a + 0.4, b + 0.4, h, 0.42 * b))
    else:
        parts.append(box_mesh((a + EAVES, b + EAVES, 0.25), Material.ROOF, (0, 0, h + ROOF_TOP - 0.25)))
        parts.append(box_mesh((0.25 * a, 0.3 * b, 0.9), Material.FACADE, (0.2 * a, 0.1 * b, h + 1.1)))
    parts.append(_windows(a, b, h))
    parts.append(
        quad_mesh(
            [(-0.6, -b - 0.03, 0.0), (0.6, -b - 0.03, 0.0), (0.6, -b - 0.03, 2.2), (-0.6, -b - 0.03, 2.2)],
            Material.WOOD,
        )
    )
    c, s = np.cos(objects.heading[row]), np.sin(objects.heading[row])
    matrix = np.array([(c, -s, 0.0, objects.x[row]), (s, c, 0.0, objects.y[row]), (0.0, 0.0, 1.0, objects.z[row])])
    return Mesh.joined(parts).transformed(matrix)


def _windows(a: float, b: float, h: float) -> Mesh:
    """Windows on all four walls, a row a floor."""
    quads = []
    for floor in range(max(int((h - 0.5) / FLOOR_HEIGHT), 1)):
        low, high = floor * FLOOR_HEIGHT + 1.0, floor * FLOOR_HEIGHT + 2.5
        for half, wall, turn in ((a, b, 0), (b, a, 1)):
            bays = max(int(2 * half / 3.0), 1)
            for bay in range(bays):
                middle = (bay + 0.5) * 2 * half / bays - half
                if floor == 0 and turn == 0 and abs(middle) < 1.6:
                    continue
                for side in (1.0, -1.0):
                    out = side * (wall + 0.02)
                    row = [
                        (middle - 0.75, out, low),
                        (middle + 0.75, out, low),
                        (middle + 0.75, out, high),
                        (middle - 0.75, out, high),
                    ]
                    quads.append([(y, x, z) for x, y, z in row] if turn else row)
    return quad_mesh(quads, Material.WINDOW)


def _gable(a: float, b: float, h: float, rise: float) -> Mesh:
    """A roof with its ridge along the building."""
    top = h + rise
    points = [(-a, -b, h), (a, -b, h), (a, b, h), (-a, b, h), (-a, 0.0, top), (a, 0.0, top)]
    faces = [(0, 1, 5), (0, 5, 4), (2, 3, 4), (2, 4, 5), (0, 4, 3), (1, 2, 5), (0, 3, 2), (0, 2, 1)]
    return Mesh.of(points, faces, Material.TILE)


def tree_meshes(objects: ObjectTable, rows: IntArray) -> list[Mesh]:
    """Trees; rows `(N,)` of `objects`."""
    shapes = [_tree_shape(number) for number in range(TREE_VARIANTS)]
    meshes = []
    for row in rows.tolist():
        size, turn = objects.height[row] / TREE_HEIGHT, objects.heading[row]
        c, s = size * np.cos(turn), size * np.sin(turn)
        place = objects.x[row], objects.y[row], objects.z[row]
        matrix = np.array([(c, -s, 0.0, place[0]), (s, c, 0.0, place[1]), (0.0, 0.0, size, place[2])])
        meshes.append(shapes[int(objects.variant[row])].transformed(matrix))
    return meshes


def _tree_shape(number: int) -> Mesh:
    """One of a few trees of about 6 m, with a crown of at most 1.5 m radius."""
    leaf = (Material.LEAF, Material.LEAF_LIGHT, Material.HEDGE)[number % 3]
    # upright and nearly even up to the leaves, as the box is that stands for it in collisions
    places, radii = [(0, 0, -ROOT_DEPTH), (0, 0, TRUNK_HEIGHT), (0.03, 0.05, 4.2)], (*TRUNK_RADII, 0.05)
    trunk = limb(places, radii, Material.TRUNK, _TRUNK_SIDES)
    if number % 2:
        crowns = [crown((0, 0, 3.9), (1.3, 1.3, 2.1), number, leaf)]
    else:
        crowns = [
            crown((0.1, 0, 3.3), (1.4, 1.3, 1.15), number, leaf),
            crown((-0.15, 0.1, 4.7), (1.05, 1.1, 1.15), number + 50, leaf),
        ]
    return Mesh.joined([trunk, *crowns])
