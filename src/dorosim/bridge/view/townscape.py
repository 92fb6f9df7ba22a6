"""The map as it is drawn: in layers that can be switched off, and in tiles, of which those out of sight cost nothing."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dorosim.bridge.view.glb import glb_of
from dorosim.bridge.view.tint import screen_albedo
from dorosim.sensor.scene.material import FIRST_SIGNAL, MaterialTable, Stuff
from dorosim.sensor.scene.mesh import Mesh

TILE = 240.0
"""Side of a tile [m]."""
MOST_TRIANGLES = 1_600_000
"""Triangles of a map that are drawn: some 25 MB for a browser to load. What does not fit is left out, trees first."""
_WELD = 1e-3
"""Corners that are nearer than this to each other are one [m]."""


class Layer(Enum):
    """What can be shown or hidden together, the most important first."""

    ROAD = "road"
    MARKINGS = "markings"
    SIGNALS = "signals"
    GROUND = "ground"
    BUILDINGS = "buildings"
    TREES = "trees"


_LAYERS = {
    Layer.ROAD: (Stuff.ASPHALT, Stuff.CONCRETE),
    Layer.MARKINGS: (
        Stuff.WHITE_LINE, Stuff.YELLOW_LINE, Stuff.BLUE_LINE, Stuff.STOP_LINE, Stuff.CROSSWALK, Stuff.ARROW,
    ),
    Layer.SIGNALS: (
        Stuff.POLE, Stuff.SIGNAL_HOUSING, Stuff.SIGN_FACE, Stuff.SIGN_BACK, Stuff.SIGN_RED, Stuff.SIGN_BLUE,
        Stuff.SIGN_YELLOW,
    ),
    Layer.GROUND: (Stuff.KERB, Stuff.PAVEMENT, Stuff.GRASS, Stuff.SOIL, Stuff.WATER),
    Layer.TREES: (Stuff.TRUNK, Stuff.LEAF, Stuff.LEAF_LIGHT, Stuff.HEDGE),
}  # fmt: skip


class Tile(NamedTuple):
    """A square of a layer.

    Attributes:
        layer: which. name: of the tile, unique in its layer. triangles: how many. glb: they, as a binary glTF file.
    """

    layer: Layer
    name: str
    triangles: int
    glb: bytes


class Townscape(NamedTuple):
    """A map for the page.

    Attributes:
        tiles: of all layers. notice: what was left out, or an empty string.
    """

    tiles: tuple[Tile, ...]
    notice: str


def townscape(mesh: Mesh, table: MaterialTable, origin: ArrayLike) -> Townscape:
    """The tiles of a map.

    Args:
        mesh: what stands still, in map [m].
        table: its materials.
        origin: `(3,)` of the page's frame in the map [m].
    """
    layer = _layer_of_material(len(table.albedo))[mesh.material]
    colour = np.column_stack((screen_albedo(table.albedo), np.full(len(table.albedo), 255, np.uint8)))
    left = MOST_TRIANGLES
    tiles: list[Tile] = []
    missing = []
    for number, kind in enumerate(Layer):
        rows = np.flatnonzero(layer == number)
        if len(rows) > left:
            missing.append(kind.value)
            continue
        left -= len(rows)
        tiles += _tiles_of(kind, mesh, rows, colour, np.asarray(origin, np.float64))
    notice = f"this map is too large to be drawn whole: without {', '.join(missing)}" if missing else ""
    return Townscape(tuple(tiles), notice)


def _layer_of_material(count: int) -> NDArray[np.int64]:
    """Number of the layer of each material: buildings for what no layer names, signals for lamps."""
    order = list(Layer)
    found = np.full(count, order.index(Layer.BUILDINGS))
    for layer, stuff in _LAYERS.items():
        found[[int(one) for one in stuff]] = order.index(layer)
    found[FIRST_SIGNAL:] = order.index(Layer.SIGNALS)
    return found


def _tiles_of(
    layer: Layer, mesh: Mesh, rows: NDArray[np.int64], colour: NDArray[np.uint8], origin: NDArray[np.float64]
) -> list[Tile]:
    """The triangles of a layer, tile by tile."""
    if not len(rows):
        return []
    first = mesh.vertices[mesh.faces[rows, 0], :2] - origin[:2]
    cell = np.floor(first / TILE).astype(np.int64)
    places, which = np.unique(cell, axis=0, return_inverse=True)
    order = np.argsort(which, kind="stable")
    ends = np.cumsum(np.bincount(which))
    tiles = []
    for (x, y), some in zip(places.tolist(), np.split(rows[order], ends[:-1]), strict=True):
        vertices, faces, material = welded(mesh, some, origin)
        tiles.append(Tile(layer, f"{x}_{y}", len(faces), glb_of(vertices, faces, colour[material])))
    return tiles


def welded(
    mesh: Mesh, rows: NDArray[np.int64], origin: ArrayLike = (0.0, 0.0, 0.0)
) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]:
    """Some triangles, with each corner once for each of its materials, and without those that have no area.

    Returns:
        vertices `(V, 3)` as seen from the origin [m], faces `(F, 3)`, and the material `(V,)` of each vertex.
    """
    corner = mesh.faces[rows].ravel()
    points = mesh.vertices[corner] - np.asarray(origin)
    grid = np.round(points / _WELD).astype(np.int64)
    grid -= grid.min(axis=0, initial=0)
    span = grid.max(axis=0, initial=0) + 1
    key = ((np.repeat(mesh.material[rows].astype(np.int64), 3) * span[0] + grid[:, 0]) * span[1] + grid[:, 1]) * span[
        2
    ] + grid[:, 2]
    _, kept, index = np.unique(key, return_index=True, return_inverse=True)
    faces = index.reshape(-1, 3)
    real = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 0] != faces[:, 2])
    return points[kept].astype(np.float32), faces[real], np.repeat(mesh.material[rows], 3)[kept].astype(np.int64)
