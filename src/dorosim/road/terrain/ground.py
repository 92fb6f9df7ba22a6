"""The ground beside the road: kerbs, pavements, verges, and the land beyond.

All of it is one function of the distance from the road: the kerb rises at its edge, the pavement lies level behind it,
the verge falls to the land. A grid near the roads is cut along lines of equal distance, so that kerbs follow the road
exactly; coarse squares of land lie under everything.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.ground.mesh import Mesh
from dorosim.road.terrain.deck import DECK_THICKNESS
from dorosim.road.terrain.embankment import away_from_road, embankment_mesh, outer_edges
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.ground_part import GroundPart
from dorosim.road.terrain.land import Land
from dorosim.road.terrain.refine import refined
from dorosim.road.terrain.road import walkway_sides

KERB_HEIGHT = 0.13
PAVEMENT = 2.6
"""Distance from the road at which a pavement ends [m]."""
LEVEL = PAVEMENT + 0.25
"""Distance from the road at which the ground behind a pavement begins to fall [m]."""
_GRAVEL = 0.9
"""Distance from a road without pavements at which its shoulder ends [m]."""
_STEP = 2.2
"""Side of the fine squares [m]."""
_SUNK = 0.05
"""How far the ground lies below the road under it [m]."""
_BELOW_DECK = 0.05
"""How far ground under a bridge keeps below it [m]."""
_TOWN = ((-0.7, -_SUNK), (0.0, -_SUNK), (0.03, KERB_HEIGHT), (0.18, KERB_HEIGHT), (PAVEMENT, KERB_HEIGHT + 0.03),
         (LEVEL, KERB_HEIGHT), (4.6, -0.7))  # fmt: skip
_TOWN_STUFF = (
    GroundPart.ROAD,
    GroundPart.KERB,
    GroundPart.KERB,
    GroundPart.PAVEMENT,
    GroundPart.VERGE,
    GroundPart.VERGE,
)
_COUNTRY = ((-0.7, -_SUNK), (0.15, -_SUNK), (_GRAVEL, -0.06), (4.6, -0.7))
_COUNTRY_STUFF = (GroundPart.ROAD, GroundPart.SHOULDER, GroundPart.VERGE)
"""Profiles across: distance from the road and height above it [m], and the material of each stretch."""
_FOLLOWED = (-0.35, LEVEL)
"""Between these distances from the road squares are refined: there lie gaps between lanes, kerbs and pavements [m]."""
_NEAR = 10.0
"""How far from the edges of the fine squares centre lines of lanes matter [m]."""


def roadside_mesh(field: RoadField, land: Land, *, pavements: bool) -> Mesh:
    """The ground beside the roads of a map.

    Args:
        field: the road.
        land: what lies beyond.
        pavements: whether roads have kerbs and pavements; else verges.
    """
    profile, stuff = (_TOWN, _TOWN_STUFF) if pavements else (_COUNTRY, _COUNTRY_STUFF)
    verge, edges = _verge(field, np.array(profile), stuff)
    sides, ways = walkway_sides(field, LEVEL if pavements else _GRAVEL)
    edges, away = np.concatenate((edges, sides)), np.concatenate((away_from_road(field, edges), ways))
    return Mesh.joined([verge, embankment_mesh(field, edges, away, land)])


def _verge(field: RoadField, profile: FloatArray, stuff: tuple[GroundPart, ...]) -> tuple[Mesh, FloatArray]:
    """The fine strip along the roads, and its outer edges `(E, 2, 3)`."""
    node, square = _fine_squares(field, profile[-1, 0])
    if not len(square):
        return Mesh.empty(), np.zeros((0, 2, 3))
    node, corner, distance = refined(
        node,
        square[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3),
        lambda points: field.distance(points, bridges=False, reach=_NEAR),
        *_FOLLOWED,
    )
    height = field.height(node)
    triangle = np.stack((node[corner, 0], node[corner, 1], height[corner], distance[corner]), axis=-1)
    parts = []
    for (near, low), (far, high), material in zip(profile, profile[1:], stuff, strict=False):
        piece = cut_between(triangle, near, far)
        share = np.clip((piece[..., 3] - near) / (far - near), 0.0, 1.0)
        points = piece[..., :3].copy()
        points[..., 2] += low + share * (high - low)
        slope = _below_decks(field, points)
        parts += [_soup(points[~slope], material), _soup(points[slope], GroundPart.ABUTMENT)]
        piece[..., :3] = points
    return Mesh.joined(parts), outer_edges(piece, profile[-1, 0])[..., :3]


def _below_decks(field: RoadField, triangles: FloatArray) -> NDArray[np.bool_]:
    """Lower corners of triangles `(N, 3, 3)` that would come through a bridge; returns which triangles lie under one.

    The ground goes around the end of the road where a bridge begins, with its kerb; the road on the bridge goes on.
    """
    if not field.bridge.any() or not len(triangles):
        return np.zeros(len(triangles), np.bool_)
    corner = triangles.reshape(-1, 3)
    under, deck = field.under_deck(corner[:, :2])
    most = deck - DECK_THICKNESS - _BELOW_DECK
    low = under & (corner[:, 2] > most)
    corner[low, 2] = most[low]
    triangles[:] = corner.reshape(triangles.shape)
    return np.asarray(low.reshape(-1, 3).any(axis=1))


def _fine_squares(field: RoadField, reach: float) -> tuple[FloatArray, NDArray[np.int64]]:
    """Nodes `(N, 2)` of the fine grid and its squares `(S, 4)` that lie near an edge of the road."""
    coarse = 8.0 * _STEP
    middle, _, _ = _grid(field, coarse, 0.0)
    near = np.flatnonzero(field.distance(middle, bridges=False) < reach + coarse)
    index = np.round(middle[near] / coarse - 0.5).astype(np.int64)
    inner = np.array([(i, j) for i in range(8) for j in range(8)])
    cell = (8 * index[:, None, :] + inner[None]).reshape(-1, 2)
    centre = (cell + 0.5) * _STEP
    away = field.distance(centre, bridges=False)
    cell = cell[(away > -0.7 - _STEP) & (away < reach + _STEP)]
    corners = (cell[:, None, :] + np.array([(0, 0), (1, 0), (1, 1), (0, 1)])[None]).reshape(-1, 2)
    node, place = np.unique(corners, axis=0, return_inverse=True)
    return node * _STEP, place.reshape(-1, 4)


def _grid(field: RoadField, side: float, margin: float) -> tuple[FloatArray, int, int]:
    """Middles `(N, 2)` of squares over the roads and a margin, x slowest; and how many along x and y."""
    points = field.network.lines.points
    if not len(points):
        return np.zeros((0, 2)), 0, 0
    low = np.floor((points[:, :2].min(axis=0) - margin - side) / side).astype(np.int64)
    high = np.ceil((points[:, :2].max(axis=0) + margin + side) / side).astype(np.int64)
    x, y = np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1]), indexing="ij")
    middle = (np.column_stack((x.ravel(), y.ravel())) + 0.5) * side
    return middle, int(high[0] - low[0]), int(high[1] - low[1])


def cut_between(triangle: FloatArray, near: float, far: float) -> FloatArray:
    """The parts of triangles `(N, 3, 4)` whose fourth coordinate lies between two values, as triangles `(M, 3, 4)`."""
    return _cut(_cut(triangle, near, 1.0), far, -1.0)


def _cut(triangle: FloatArray, level: float, sign: float) -> FloatArray:
    """The parts of triangles where sign * (fourth coordinate - level) is positive."""
    value = sign * (triangle[..., 3] - level)
    inside = value > 0.0
    count = inside.sum(axis=1)
    kept = [triangle[count == 3]]
    for number in (1, 2):
        some = np.flatnonzero(count == number)
        odd = (inside[some] if number == 1 else ~inside[some]).argmax(axis=1)
        order = (odd[:, None] + np.arange(3)) % 3
        turned = np.take_along_axis(triangle[some], order[..., None], axis=1)
        own = np.take_along_axis(value[some], order, axis=1)
        ends = []
        for k in (1, 2):
            share = own[:, 0] / (own[:, 0] - own[:, k])
            ends.append(turned[:, 0] + share[:, None] * (turned[:, k] - turned[:, 0]))
        if number == 1:
            kept.append(np.stack((turned[:, 0], ends[0], ends[1]), axis=1))
        else:
            kept.append(np.stack((ends[0], turned[:, 1], turned[:, 2]), axis=1))
            kept.append(np.stack((ends[0], turned[:, 2], ends[1]), axis=1))
    return np.concatenate(kept)


def _soup(triangles: FloatArray, material: int) -> Mesh:
    """A mesh of triangles `(N, 3, 3)`."""
    points = triangles.reshape(-1, 3)
    return Mesh.of(points, np.arange(len(points)).reshape(-1, 3), material)
