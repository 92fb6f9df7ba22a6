"""Buildings and trees beside the road, drawn by seed; never on the road, on a pavement, or in each other."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.noise import Noise
from dorosim.sensor.scene.actor.obstacle import crown
from dorosim.sensor.scene.actor.solid import limb
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.mesh import Mesh, box_mesh, quad_mesh
from dorosim.sensor.scene.static.field import RoadField
from dorosim.sensor.scene.static.ground import PAVEMENT

_LOT = 26.0
"""From one lot for a building to the next along a lane [m]."""
_MAX_BUILDINGS, _MAX_TREES = 320, 700
CLEAR_OF_BUILDING = PAVEMENT + 1.2
"""Nothing of a building is nearer to the road than this [m]."""
CLEAR_OF_TREE = PAVEMENT + 0.9
"""No trunk is nearer to the road than this [m]."""
_WALLS = (Material.BRICK, Material.PLASTER, Material.FACADE, Material.FACADE_WARM, Material.FACADE_DARK)
_FLOOR = 3.3
_TREE_SHAPES = 6


@dataclass(frozen=True, slots=True)
class Building:
    """A building: middle of its base and direction in map, half its length and depth, height [m]."""

    x: float
    y: float
    heading: float
    half_length: float
    half_depth: float
    height: float
    wall: int
    gabled: bool

    def footprint(self, margin: float = 0.0) -> FloatArray:
        """Its corners `(4, 2)`, in order around."""
        a, b = self.half_length + margin, self.half_depth + margin
        c, s = np.cos(self.heading), np.sin(self.heading)
        return np.array(
            [(self.x + u * c - v * s, self.y + u * s + v * c) for u, v in ((-a, -b), (a, -b), (a, b), (-a, b))]
        )


def draw_buildings(field: RoadField, noise: Noise) -> list[Building]:
    """Buildings along the roads of a map."""
    random = noise.stream("buildings")
    found: list[Building] = []
    for place, heading, side in roadside(field, _LOT):
        drawn = random.random(7)
        half_length, half_depth = 5.0 + 6.0 * drawn[0], 4.5 + 4.5 * drawn[1]
        away = CLEAR_OF_BUILDING + half_depth + 1.0 + 5.0 * drawn[2] ** 2
        x = float(place[0] - side * np.sin(heading) * away)
        y = float(place[1] + side * np.cos(heading) * away)
        floors = 1 + int(2.2 + 6.0 * drawn[3] ** 2) if drawn[4] > 0.3 else 2
        one = Building(
            x=x,
            y=y,
            heading=float(heading if side > 0 else heading + np.pi),
            half_length=half_length,
            half_depth=half_depth,
            height=floors * _FLOOR + 0.8,
            wall=int(_WALLS[int(drawn[5] * len(_WALLS))]),
            gabled=bool(floors <= 2 and drawn[6] > 0.35),
        )
        if drawn[4] < 0.88 and _fits(one, found, field):
            found.append(one)
            if len(found) == _MAX_BUILDINGS:
                break
    return found


def roadside(field: RoadField, step: float) -> list[tuple[FloatArray, float, float]]:
    """Places at the edges of lanes every `step` metres: edge point `(2,)`, direction [rad], side 1 left or -1 right."""
    network, lines = field.network, field.network.lines
    links, arcs = [], []
    for link in np.flatnonzero(network.link_drivable).tolist():
        if not network.link_movements[link]:
            s = np.arange(0.5 * step, float(network.link_length[link]), step)
            links += [link] * len(s)
            arcs += s.tolist()
    if not links:
        return []
    pose = network.pose_at(links, arcs)
    segment, _ = lines.segment_at(np.array(links), np.array(arcs))
    normal = np.column_stack((-np.sin(pose.heading), np.cos(pose.heading)))
    places = []
    for side, width in ((1.0, network.left_width), (-1.0, network.right_width)):
        edge = pose.point[:, :2] + side * (width[segment])[:, None] * normal
        free = field.distance(edge + side * 1.2 * normal) > 0.4
        places += [(edge[k], float(pose.heading[k]), side) for k in np.flatnonzero(free & ~field.bridge[segment])]
    return places


def _fits(one: Building, others: list[Building], field: RoadField) -> bool:
    """Whether a building stands clear of roads and of other buildings."""
    near = [
        other
        for other in others
        if math.hypot(other.x - one.x, other.y - one.y)
        < math.hypot(one.half_length, one.half_depth) + math.hypot(other.half_length, other.half_depth) + 3.0
    ]
    if any(_overlap(one.footprint(1.5), other.footprint(1.5)) for other in near):
        return False
    corner = one.footprint()
    u, v = (part.ravel()[:, None] for part in np.meshgrid(np.linspace(0, 1, 9), np.linspace(0, 1, 9)))
    spots = corner[0] + u * (corner[1] - corner[0]) + v * (corner[3] - corner[0])
    return bool(field.is_free(spots, CLEAR_OF_BUILDING).all())


def _overlap(one: FloatArray, other: FloatArray) -> bool:
    """Whether two rectangles `(4, 2)` overlap, by separating axes."""
    for ring in (one, other):
        for axis in (ring[1] - ring[0], ring[2] - ring[1]):
            a, b = one @ axis, other @ axis
            if a.max() < b.min() or b.max() < a.min():
                return False
    return True


def building_mesh(one: Building, ground: float) -> Mesh:
    """Walls, windows and roof of a building on the ground at a height [m]."""
    a, b, h = one.half_length, one.half_depth, one.height
    parts = [box_mesh((a, b, 0.5 * h + 0.75), one.wall, (0, 0, 0.5 * h - 0.75))]
    if one.gabled:
        parts.append(_gable(a + 0.4, b + 0.4, h, 0.42 * b))
    else:
        parts.append(box_mesh((a + 0.06, b + 0.06, 0.25), Material.ROOF, (0, 0, h + 0.2)))
        parts.append(box_mesh((0.25 * a, 0.3 * b, 0.9), Material.FACADE, (0.2 * a, 0.1 * b, h + 1.1)))
    parts.append(_windows(a, b, h))
    parts.append(
        quad_mesh(
            [(-0.6, -b - 0.03, 0.0), (0.6, -b - 0.03, 0.0), (0.6, -b - 0.03, 2.2), (-0.6, -b - 0.03, 2.2)],
            Material.WOOD,
        )
    )
    c, s = np.cos(one.heading), np.sin(one.heading)
    matrix = np.array([(c, -s, 0.0, one.x), (s, c, 0.0, one.y), (0.0, 0.0, 1.0, ground)])
    return Mesh.joined(parts).transformed(matrix)


def _windows(a: float, b: float, h: float) -> Mesh:
    """Windows on all four walls, a row a floor."""
    quads = []
    for floor in range(max(int((h - 0.5) / _FLOOR), 1)):
        low, high = floor * _FLOOR + 1.0, floor * _FLOOR + 2.5
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


def draw_trees(field: RoadField, buildings: list[Building], noise: Noise) -> FloatArray:
    """Places of trees `(N, 2)` in map [m]: rows behind the pavements, and some behind the houses."""
    random = noise.stream("trees")
    spots = []
    for place, heading, side in roadside(field, 13.0):
        drawn = random.random(4)
        away = CLEAR_OF_TREE + 0.5 + (0.3 * drawn[1] if drawn[0] < 0.6 else 4.0 + 26.0 * drawn[1])
        along = 3.0 * (drawn[2] - 0.5)
        if drawn[3] < 0.72:
            spots.append(
                (
                    place[0] - side * np.sin(heading) * away + along * np.cos(heading),
                    place[1] + side * np.cos(heading) * away + along * np.sin(heading),
                )
            )
    points = np.array(spots).reshape(-1, 2)
    if not len(points):
        return points
    points = points[field.is_free(points, CLEAR_OF_TREE)]
    for one in buildings:
        c, s = np.cos(one.heading), np.sin(one.heading)
        gap = points - (one.x, one.y)
        u, v = gap @ (c, s), gap @ (-s, c)
        points = points[(np.abs(u) > one.half_length + 1.9) | (np.abs(v) > one.half_depth + 1.9)]
    cell = np.unique(np.round(points / 4.5).astype(np.int64), axis=0, return_index=True)[1]
    chosen = points[np.sort(cell)]
    if len(chosen) > _MAX_TREES:
        chosen = chosen[np.sort(random.permutation(len(chosen))[:_MAX_TREES])]
    return np.asarray(chosen)


def tree_meshes(places: FloatArray, ground: FloatArray, noise: Noise) -> list[Mesh]:
    """Trees at places `(N, 2)` on the ground at heights `(N,)` [m]."""
    random = noise.stream("tree shapes")
    shapes = [_tree_shape(number) for number in range(_TREE_SHAPES)]
    meshes = []
    for (x, y), z, drawn in zip(places.tolist(), ground.tolist(), random.random((len(places), 3)), strict=True):
        size, turn = 0.8 + 0.5 * drawn[0], 2 * np.pi * drawn[1]
        c, s = size * np.cos(turn), size * np.sin(turn)
        matrix = np.array([(c, -s, 0.0, x), (s, c, 0.0, y), (0.0, 0.0, size, z)])
        meshes.append(shapes[int(drawn[2] * _TREE_SHAPES)].transformed(matrix))
    return meshes


def _tree_shape(number: int) -> Mesh:
    """One of a few trees of about 6 m, with a crown of at most 1.5 m radius."""
    leaf = (Material.LEAF, Material.LEAF_LIGHT, Material.HEDGE)[number % 3]
    trunk = limb([(0, 0, -0.4), (0.03, 0, 1.6), (0, 0.05, 4.2)], (0.16, 0.11, 0.05), Material.TRUNK, 6)
    if number % 2:
        crowns = [crown((0, 0, 3.9), (1.3, 1.3, 2.1), number, leaf)]
    else:
        crowns = [
            crown((0.1, 0, 3.3), (1.4, 1.3, 1.15), number, leaf),
            crown((-0.15, 0.1, 4.7), (1.05, 1.1, 1.15), number + 50, leaf),
        ]
    return Mesh.joined([trunk, *crowns])
