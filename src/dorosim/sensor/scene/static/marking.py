"""Painted lines, stop lines, crosswalks and arrows: thin strips that lie on the road."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.ear_clip import ear_clipped
from dorosim.ground.mesh import Mesh
from dorosim.road import outline as shapes
from dorosim.road.mgeo.record import LaneBoundary, MGeoMap
from dorosim.road.network import RoadNetwork
from dorosim.road.signal import STOP_LINE_CODE
from dorosim.road.terrain.terrain import Terrain
from dorosim.sensor.scene.material import Material

THICKNESS = 0.004
"""How far paint lies above the road [m]: thermoplastic is 1.5 to 3 mm thick; the rest keeps it clear of the surface."""
_STEP = 1.0
"""Paint is cut into pieces of this length, so that it follows the road [m]."""
_UNPAINTED = 599
_WIDTH = 0.15
_STOP_WIDTH = 0.3
_CROSSWALK_TYPE = "5"
_COLOURS = {"white": Material.WHITE_LINE, "yellow": Material.YELLOW_LINE, "blue": Material.BLUE_LINE}
_DASH, _GAP = 3.0, 5.0
"""Lane lines in towns (Korean Road Traffic Act, enforcement rule, annex 6, line 503), where a map gives none [m]."""


def marking_mesh(town: MGeoMap, network: RoadNetwork, road: Terrain) -> Mesh:
    """All paint of a map. Lines of a map that has none follow from its lanes.

    Args:
        town: the map.
        network: its lanes.
        road: the ground that is painted.
    """
    bands: list[FloatArray] = []
    stuff: list[int] = []
    for boundary in town.lane_boundaries:
        if len(boundary.points) > 1 and boundary.lane_type[:1] != [_UNPAINTED]:
            _paint_boundary(boundary, bands, stuff)
    if not town.lane_boundaries:
        _paint_lanes(network, bands, stuff)
    walks = [walk.points for walk in town.single_crosswalks if len(walk.points) > 2]
    if not walks:
        walks = [mark.points for mark in town.surface_markings if mark.type == _CROSSWALK_TYPE]
    for walk in walks:
        for bar in shapes.bars(walk[:, :2]):
            if len(bar) == 4:
                _paint_bar(bar, float(walk[:, 2].mean()), bands, stuff)
    arrows = [mark.points for mark in town.surface_markings if mark.type != _CROSSWALK_TYPE and len(mark.points) > 3]
    return Mesh.joined([_strips(bands, stuff, road), *_arrows(arrows, road)])


def _paint_boundary(boundary: LaneBoundary, bands: list[FloatArray], stuff: list[int]) -> None:
    """The bands of a boundary: one, or two side by side; dashed if it says so."""
    line = shapes.clean_line(boundary.points)
    if len(line) < 2:
        return
    height = _height_along(boundary.points, line)
    stop = STOP_LINE_CODE in boundary.lane_type
    width = boundary.lane_width or _WIDTH
    width = max(width, _STOP_WIDTH) if stop else width
    colour = boundary.lane_color[0].lower() if boundary.lane_color else "white"
    material = Material.STOP_LINE if stop else _COLOURS.get(colour, Material.WHITE_LINE)
    kinds = (boundary.lane_shape[0] if boundary.lane_shape else "Solid").lower().split() or ["solid"]
    apart = boundary.double_line_interval + width
    for number, kind in enumerate(kinds[:2]):
        path = shapes.beside(line, apart * (0.5 - number)) if len(kinds) > 1 else line
        painted, gap = boundary.dash_interval_L1, boundary.dash_interval_L2
        broken = kind in {"broken", "dashed", "dotted"} and painted > 0.0 and gap > 0.0
        for piece in shapes.dashes(path, painted, gap) if broken else [path]:
            _add_band(piece, width, path, height, material, bands, stuff)


def _height_along(points: FloatArray, line: FloatArray) -> FloatArray:
    """Heights `(n,)` of the points of a cleaned line [m]."""
    kept = np.concatenate(([True], np.hypot(*np.diff(points[:, :2], axis=0).T) > 1e-6))
    return np.asarray(points[kept, 2][: len(line)])


def _add_band(
    piece: FloatArray,
    width: float,
    path: FloatArray,
    height: FloatArray,
    material: int,
    bands: list[FloatArray],
    stuff: list[int],
) -> None:
    """Add a band `(n, 2, 3)` along a piece of a path; its heights are guesses."""
    arc = shapes.arc_lengths(piece)
    if arc[-1] < 0.05:
        return
    even = np.linspace(0.0, arc[-1], max(2, int(np.ceil(arc[-1] / _STEP)) + 1))
    s = np.union1d(even, arc)
    s = s[np.concatenate(([True], np.diff(s) > 0.02))]
    dense = shapes.points_at(piece, arc, s)
    if len(dense) < 2:
        return
    nearest = np.abs(path[None, :, :] - dense[:, None, :]).sum(axis=2).argmin(axis=1)
    z = height[nearest]
    out = 0.5 * width * shapes.normals(dense)
    band = np.empty((len(dense), 2, 3))
    band[:, 0, :2], band[:, 1, :2], band[:, :, 2] = dense + out, dense - out, z[:, None]
    bands.append(band)
    stuff.append(material)


def _paint_lanes(network: RoadNetwork, bands: list[FloatArray], stuff: list[int]) -> None:
    """Lines of lanes without boundaries: broken between lanes side by side, solid at the edge of the road."""
    lines = network.lines
    normal = np.column_stack((-lines.tangent[:, 1], lines.tangent[:, 0]))
    for link in range(network.link_count):
        if not network.link_drivable[link] or network.link_movements[link]:
            continue
        rows = slice(int(lines.first[link]), int(lines.first[link + 1]))
        sides = (
            (1.0, network.left_width, network.neighbours.left),
            (-1.0, network.right_width, network.neighbours.right),
        )
        for side, width, neighbour in sides:
            beside = bool(neighbour[link] >= 0)
            if beside and side < 0:
                continue  # the lane to the right has painted it
            inward = 0.0 if beside else 0.12
            path = lines.points[rows, :2] + (side * (width[rows] - inward))[:, None] * normal[rows]
            path, height = shapes.clean_line(path), lines.points[rows, 2]
            if len(path) < 2:
                continue
            for piece in shapes.dashes(path, _DASH, _GAP) if beside else [path]:
                _add_band(piece, _WIDTH, path, height[: len(path)], Material.WHITE_LINE, bands, stuff)


def _paint_bar(bar: FloatArray, height: float, bands: list[FloatArray], stuff: list[int]) -> None:
    """A bar of a crosswalk with corners `(4, 2)`, along its longer sides."""
    share = np.linspace(0.0, 1.0, 5)[:, None]
    one, other = bar[0] + share * (bar[3] - bar[0]), bar[1] + share * (bar[2] - bar[1])
    edges = [np.column_stack((edge, np.full(5, height))) for edge in (one, other)]
    bands.append(np.stack(edges, axis=1))
    stuff.append(Material.CROSSWALK)


def _strips(bands: Sequence[FloatArray], stuff: Sequence[int], road: Terrain) -> Mesh:
    """Bands `(n, 2, 3)` put on the road."""
    if not bands:
        return Mesh.empty()
    lengths = np.array([len(band) for band in bands])
    points = road.dropped(np.concatenate(bands).reshape(-1, 3), THICKNESS)
    first = 2 * np.repeat(np.cumsum(lengths) - lengths, lengths - 1)
    step = np.concatenate([np.arange(length - 1) for length in lengths.tolist()])
    a = first + 2 * step
    faces = np.stack((np.column_stack((a, a + 1, a + 3)), np.column_stack((a, a + 3, a + 2))), axis=1).reshape(-1, 3)
    return Mesh.of(points, faces, np.repeat(np.asarray(stuff), 2 * (lengths - 1)))


def _arrows(outlines: Sequence[FloatArray], road: Terrain) -> list[Mesh]:
    """Filled outlines `(n, 3)` put on the road."""
    meshes = []
    for outline in outlines:
        ring = outline[:-1] if np.allclose(outline[0], outline[-1]) else outline
        meshes.append(Mesh.of(road.dropped(ring, THICKNESS), ear_clipped(ring[:, :2]), Material.ARROW))
    return meshes
