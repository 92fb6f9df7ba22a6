"""The map as it is drawn: a backdrop of few triangles that is always there, and details in tiles near the visitor.

Browsers without a graphics card draw about a million triangles a second, and a town has as many. So kerbs, pavements,
painted lines, poles and windows are there only about the actor that is followed. Backdrop roads lie a little below the
detailed ones, which hide them.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dorosim.bridge.view.backdrop import MAX_SPACING, backdrop_roads
from dorosim.bridge.view.glb import glb_of, with_colour
from dorosim.bridge.view.land import near_lanes, sunk_below
from dorosim.bridge.view.shadow import contact_shadows
from dorosim.bridge.view.tint import LEVELS, level_of
from dorosim.ground.mesh import Mesh, quad_mesh
from dorosim.road.network import RoadNetwork
from dorosim.sensor.scene.material import Material

NEAR_TILE, FAR_TILE = 80.0, 480.0
"""Sides of the tiles of details and of the backdrop [m]."""
MAX_TRIANGLES = 1_600_000
"""Triangles of a map that are drawn: some 25 MB for a browser to load. What does not fit is left out, trees first."""
_LAND_AREA = 20.0
"""Triangles of grass that are larger than this are the land, not the verges of roads [m²]."""
_FIELD = 36.0
"""The land has squares of about this side [m]; in each it is as low as it is anywhere, so that roads stay above."""
_PLAIN = 2500.0
"""How far the plain around a map reaches [m]."""
_CROWN = 0.95
"""Leaves are joined within cubes of this side [m]."""
_WELD = 1e-3
"""Corners that are nearer than this to each other are one [m]."""


class Layer(Enum):
    """What can be shown or hidden together, the most important first."""

    LAND = "land"
    STREET = "street"
    MARKINGS = "markings"
    BUILDINGS = "buildings"
    WINDOWS = "windows"
    TREES = "trees"
    SHADOWS = "shadows"


NEAR = {Layer.STREET: 1.0, Layer.SHADOWS: 1.0, Layer.WINDOWS: 1.3, Layer.TREES: 1.7, Layer.MARKINGS: 2.4}
"""Layers of details, and how far each is seen, over how far details are shown."""
_LAYERS = {
    Layer.STREET: (
        Material.ASPHALT, Material.CONCRETE, Material.POLE, Material.SIGNAL_HOUSING, Material.SIGN_FACE,
        Material.SIGN_BACK, Material.SIGN_RED, Material.SIGN_BLUE, Material.SIGN_YELLOW, Material.KERB,
        Material.PAVEMENT, Material.GRASS, Material.SOIL, Material.WATER, Material.STREET_LAMP,
    ),
    Layer.MARKINGS: (
        Material.WHITE_LINE, Material.YELLOW_LINE, Material.BLUE_LINE, Material.STOP_LINE, Material.CROSSWALK,
        Material.ARROW,
    ),
    Layer.BUILDINGS: (
        Material.BRICK, Material.PLASTER, Material.FACADE, Material.FACADE_WARM, Material.FACADE_DARK, Material.ROOF,
        Material.TILE,
    ),
    Layer.WINDOWS: (
        Material.WINDOW, Material.WINDOW_OF_EVENING, Material.WINDOW_OF_NIGHT, Material.WINDOW_OF_STAIRS, Material.WOOD,
    ),
    Layer.TREES: (Material.TRUNK, Material.LEAF, Material.LEAF_LIGHT, Material.HEDGE),
}  # fmt: skip
_GROUND = (
    Material.ASPHALT, Material.CONCRETE, Material.KERB, Material.PAVEMENT, Material.GRASS, Material.SOIL,
)  # fmt: skip
_NUMBER = {layer: number for number, layer in enumerate(Layer)}


class Tile(NamedTuple):
    """A square of a layer.

    Attributes:
        layer: which. name: of the tile, unique in its layer. triangles: how many.
        glb: they, as a binary glTF file, without their colours. colour: `(V,)` of each vertex, a row of a palette.
        middle: `(x, y)` of the square in the page's frame [m].
    """

    layer: Layer
    name: str
    triangles: int
    glb: bytes
    colour: NDArray[np.int64]
    middle: tuple[float, float]

    def coloured(self, palette: NDArray[np.uint8]) -> bytes:
        """The file, in the colours of a palette `((materials + 1) * LEVELS, 4)` (`dorosim.bridge.view.tint.palette`).

        The colours of shadows are its last ones.
        """
        first = len(palette) - LEVELS if self.layer is Layer.SHADOWS else 0
        return with_colour(self.glb, palette[first + self.colour])


class Townscape(NamedTuple):
    """A map for the page.

    Attributes:
        tiles: of all layers. notice: what was left out, or an empty string.
    """

    tiles: tuple[Tile, ...]
    notice: str


def townscape(mesh: Mesh, network: RoadNetwork, origin: ArrayLike) -> Townscape:
    """The tiles of a map.

    Args:
        mesh: what stands still, in map [m].
        network: its lanes.
        origin: `(3,)` of the page's frame in the map [m].
    """
    layer = _layers(mesh)
    start = np.asarray(origin, np.float64)
    left = MAX_TRIANGLES
    near = near_lanes(mesh, np.flatnonzero(layer == _NUMBER[Layer.LAND]), network)
    exact, dark = _ground_in_detail(mesh, layer, near), np.zeros(0, np.int64)
    missing: list[str] = []
    tiles: list[Tile] = []
    for number, kind in enumerate(Layer):
        rows = np.concatenate((np.flatnonzero(layer == number), near if kind is Layer.STREET else near[:0]))
        part = _part(mesh, rows)
        if kind is Layer.TREES:
            part = _clustered(part, _CROWN)
        if kind is Layer.SHADOWS and not missing:
            part, dark = contact_shadows(mesh, exact)
        if kind is Layer.LAND:
            land = sunk_below(_clustered(part, _FIELD, lowest=True), exact, _FIELD)
            part = Mesh.joined([land, sunk_below(backdrop_roads(network), exact, MAX_SPACING), _beyond(mesh)])
        if len(part.faces) and (missing or len(part.faces) > left):  # a layer never stands without those before it
            missing.append(kind.value)
            continue
        left -= len(part.faces)
        tiles += _shadow_tiles(part, dark, start) if kind is Layer.SHADOWS else _tiles_of(kind, part, start)
    notice = f"this map is too large to be drawn whole: without {', '.join(missing)}" if missing else ""
    return Townscape(tuple(tiles), notice)


def _layers(mesh: Mesh) -> NDArray[np.int64]:
    """`(F,)` number of the layer of each triangle; what no layer names is the street's, as lamps of lights are."""
    order = list(Layer)
    by_material = np.full(int(mesh.material.max(initial=0)) + len(Material), order.index(Layer.STREET))
    for layer, stuff in _LAYERS.items():
        by_material[[int(one) for one in stuff]] = order.index(layer)
    found = by_material[mesh.material]
    grass = np.flatnonzero(mesh.material == Material.GRASS)
    corner = mesh.vertices[mesh.faces[grass]][:, :, :2]
    one, other = corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
    area = 0.5 * np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
    found[grass[area > _LAND_AREA]] = order.index(Layer.LAND)
    return found


def _ground_in_detail(mesh: Mesh, layer: NDArray[np.int64], near: NDArray[np.int64]) -> Mesh:
    """The triangles of ground that are drawn near the visitor: of roads and roadsides, and of the land near lanes."""
    ground = (layer == _NUMBER[Layer.STREET]) & np.isin(mesh.material, [int(one) for one in _GROUND])
    return _part(mesh, np.concatenate((np.flatnonzero(ground), near)))


def _beyond(mesh: Mesh) -> Mesh:
    """A plain around the map and below it, so that it does not end in the sky."""
    if not len(mesh.faces):
        return mesh
    low, high = mesh.bounds
    (x0, y0, z), (x1, y1, _) = low - _PLAIN, high + _PLAIN
    z += _PLAIN - 1.0
    return quad_mesh([(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)], Material.GRASS)


def _part(mesh: Mesh, rows: NDArray[np.int64]) -> Mesh:
    return Mesh(mesh.vertices, mesh.faces[rows], mesh.material[rows])


def _clustered(mesh: Mesh, side: float, *, lowest: bool = False) -> Mesh:
    """Fewer triangles, for leaves and land: corners in a cube of a side [m] become one (Rossignac, Borrel 1993).

    It lies in their middle, or as low as the lowest of them.
    """
    if not len(mesh.faces):
        return mesh
    used, faces = np.unique(mesh.faces, return_inverse=True)
    points = mesh.vertices[used]
    _, cube = np.unique(np.floor(points / side).astype(np.int64), axis=0, return_inverse=True)
    cube = cube.ravel()
    count = np.bincount(cube)
    middle = np.column_stack([np.bincount(cube, points[:, axis]) / count for axis in range(3)])
    if lowest:
        middle[:, 2] = np.inf
        np.minimum.at(middle[:, 2], cube, points[:, 2])
    corner = cube[faces.reshape(-1, 3)]
    real = (corner[:, 0] != corner[:, 1]) & (corner[:, 1] != corner[:, 2]) & (corner[:, 0] != corner[:, 2])
    # both sides of a leaf that was thinner than a cube are the same triangle now
    _, once = np.unique(np.sort(corner[real], axis=1), axis=0, return_index=True)
    rows = np.flatnonzero(real)[np.sort(once)]
    return Mesh.of(middle, corner[rows], mesh.material[rows])


def _tiles_of(layer: Layer, mesh: Mesh, origin: NDArray[np.float64]) -> list[Tile]:
    """The triangles of a layer, tile by tile."""
    if not len(mesh.faces):
        return []
    shaded = mesh.material.astype(np.int64) * LEVELS + level_of(mesh.vertices, mesh.faces)
    shaded_mesh = Mesh(mesh.vertices, mesh.faces, shaded.astype(np.uint16))
    tiles = []
    for x, y, middle, rows in _squares(mesh, NEAR_TILE if layer in NEAR else FAR_TILE, origin):
        vertices, faces, colour = welded(shaded_mesh, rows, origin)
        blank = np.full((len(vertices), 4), 255, np.uint8)
        tiles.append(Tile(layer, f"{x}_{y}", len(faces), glb_of(vertices, faces, blank, unlit=True), colour, middle))
    return tiles


def _shadow_tiles(mesh: Mesh, dark: NDArray[np.int64], origin: NDArray[np.float64]) -> list[Tile]:
    """Shadows, tile by tile; each corner has its own darkness, `(V,)` 0 to `LEVELS - 1`."""
    tiles = []
    for x, y, middle, rows in _squares(mesh, NEAR_TILE, origin):
        corner = mesh.faces[rows].ravel()
        vertices = (mesh.vertices[corner] - origin).astype(np.float32)
        faces = np.arange(len(corner), dtype=np.int64).reshape(-1, 3)
        clear = np.full((len(corner), 4), 128, np.uint8)  # so that the file is one of translucent colours
        glb = glb_of(vertices, faces, clear, unlit=True)
        tiles.append(Tile(Layer.SHADOWS, f"{x}_{y}", len(faces), glb, dark[corner], middle))
    return tiles


def _squares(
    mesh: Mesh, side: float, origin: NDArray[np.float64]
) -> Iterator[tuple[int, int, tuple[float, float], NDArray[np.int64]]]:
    """Squares of a side [m] with triangles: their numbers, middles in the page's frame [m], and rows of triangles."""
    if not len(mesh.faces):
        return
    first = mesh.vertices[mesh.faces[:, 0], :2] - origin[:2]
    cell = np.floor(first / side).astype(np.int64)
    cell -= (low := cell.min(axis=0))
    key = cell[:, 0] * (int(cell[:, 1].max()) + 1) + cell[:, 1]
    order = np.argsort(key, kind="stable")
    begins = np.flatnonzero(np.diff(key[order], prepend=-1))
    for rows in np.split(order, begins[1:]):
        x, y = (cell[rows[0]] + low).tolist()
        yield x, y, ((x + 0.5) * side, (y + 0.5) * side), rows


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
    x, y, z = (grid.max(axis=0, initial=0) + 1).tolist()
    material = np.repeat(mesh.material[rows].astype(np.int64), 3)
    key = ((material * x + grid[:, 0]) * y + grid[:, 1]) * z + grid[:, 2]
    _, kept, index = np.unique(key, return_index=True, return_inverse=True)
    faces = index.reshape(-1, 3)
    real = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 0] != faces[:, 2])
    return points[kept].astype(np.float32), faces[real], material[kept]
