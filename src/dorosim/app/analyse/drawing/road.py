"""The road surface, its lines, its driving directions and its bridges, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dorosim.app.analyse.drawing.scene import PAINT, DrawingScene, fill, stroke
from dorosim.road import outline as shapes
from dorosim.road.mgeo.record import LaneBoundary, Link
from dorosim.road.outline import Shape

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ASPHALT, _SIDEWALK, _BRIDGE, _PARAPET = "#565b63", "#c9c6bd", "#666b74", "#33363b"
_ARROW = "#aab4c2"
_MOVEMENT = {"straight": "#7fb2e5", "left": "#e59a7f", "right": "#8fd18a"}
_NOT_DRIVABLE = frozenset({"sidewalk", "shoulder", "border", "curb", "median", "none"})
_STOP_LINE, _UNPAINTED = 530, 599
_UNKNOWN_LINE = 0.07
"""Width of a line whose look the map does not give [m]."""

_SHOULDER, _WIDE_SHOULDER = 0.5, 1.8
"""Paving beyond both edges of a lane together; the larger where its width is only the format's default [m]."""


def _is_drivable(link: Link) -> bool:
    return (link.link_type or "").lower() not in _NOT_DRIVABLE


def _width_along(link: Link, line: Shape) -> Shape:
    """The paved width of a lane at the points of a line along it [m]; wider where the map gives no lines beside it."""
    known = link.lane_mark_left or link.lane_mark_right
    return np.linspace(link.width_start, link.width_end, len(line)) + (_SHOULDER if known else _WIDE_SHOULDER)


def draw_surface(axes: Axes, scene: DrawingScene) -> None:
    """Draw the paving of lanes and junctions."""
    strips: dict[bool, list[Shape]] = {True: [], False: []}
    for link in scene.links:
        line = shapes.clean_line(link.points)
        if len(line) > 1:
            strips[_is_drivable(link)].append(shapes.strip(line, _width_along(link, line)))
    fill(axes, strips[False], 10, facecolors=_SIDEWALK)
    style = {"facecolors": _ASPHALT, "edgecolors": _ASPHALT, "linewidths": 0.8}
    fill(axes, strips[True], 11, **style)
    paved = [item for item in scene.town.road_polygons if item.faces and scene.shows(item.points)]
    if paved:
        fill(axes, [item.points[face, :2] for item in paved for face in item.faces], 11, **style)
    elif not scene.town.road_polygons:
        fill(axes, shapes.junction_outlines(scene.links), 11, **style)


def draw_lines(axes: Axes, scene: DrawingScene) -> None:
    """Draw the painted lines."""
    strokes: dict[tuple[str, float], list[Shape]] = {}
    for boundary in _painted(scene):
        for color, pen, lines in _strokes_of(boundary, shapes.clean_line(boundary.points), scene):
            strokes.setdefault((color, pen), []).extend(lines)
    for (color, pen), lines in strokes.items():
        stroke(axes, lines, 15, colors=color, linewidths=pen)


def _painted(scene: DrawingScene) -> list[LaneBoundary]:
    """The lines to draw."""
    return [
        item
        for item in scene.town.lane_boundaries
        if len(item.points) > 1 and item.lane_type[:1] != [_UNPAINTED] and scene.shows(item.points)
    ]


def draw_bridges(axes: Axes, scene: DrawingScene) -> None:
    """Draw once more, above all else on the road, where lanes pass over others."""
    decks: list[Shape] = []
    parapets: list[Shape] = []
    for link in scene.links:
        for line in shapes.raised_pieces(link.points, scene.lowest):
            width = _width_along(link, line)
            decks.append(shapes.strip(line, width))
            parapets += [shapes.beside(line, 0.5 * side * width) for side in (1, -1)]
    stroke(axes, parapets, 40, colors=_PARAPET, linewidths=1.5 + scene.pen(1.2, 0.6))
    fill(axes, decks, 41, facecolors=_BRIDGE, edgecolors=_BRIDGE, linewidths=0.8)
    for boundary in _painted(scene):
        for line in shapes.raised_pieces(boundary.points, scene.lowest):
            for color, pen, lines in _strokes_of(boundary, line, scene):
                stroke(axes, lines, 42, colors=color, linewidths=pen)


def _strokes_of(boundary: LaneBoundary, line: Shape, scene: DrawingScene) -> list[tuple[str, float, list[Shape]]]:
    """The strokes that paint a boundary along a line: colour, pen and lines. Double lines have two, side by side."""
    if len(line) < 2:
        return []
    color = PAINT.get(boundary.lane_color[0].lower() if boundary.lane_color else "", PAINT[""])
    code = boundary.lane_type[0] if boundary.lane_type else 0
    if code == _STOP_LINE:
        pen = scene.pen(max(boundary.lane_width, 0.3), 0.8)
    else:
        pen = scene.pen(boundary.lane_width if code else _UNKNOWN_LINE, 0.35)
    kinds = (boundary.lane_shape[0] if boundary.lane_shape else "Solid").lower().split() or ["solid"]
    double = len(kinds) > 1 and scene.is_close
    apart = boundary.double_line_interval + boundary.lane_width
    painted, gap = boundary.dash_interval_L1, boundary.dash_interval_L2
    strokes = []
    for number, kind in enumerate(kinds if double else kinds[:1]):
        path = shapes.beside(line, apart * (0.5 - number)) if double else line
        broken = kind == "broken" and painted > 0 and (painted + gap) * scene.scale > 2.5
        strokes.append((color, pen, shapes.dashes(path, painted, gap) if broken else [path]))
    return strokes


def draw_directions(axes: Axes, scene: DrawingScene) -> None:
    """Draw arrow heads along the lanes, and, near enough, the ways through junctions by where they turn."""
    size = max(1.7, 4.0 / scene.scale)
    pitch = max(35.0, 46.0 / scene.scale)
    heads: dict[str, list[Shape]] = {}
    since_last = 0.0
    for link in scene.links:
        line = shapes.clean_line(link.points)
        if not _is_drivable(link) or len(line) < 2:
            continue
        arc = shapes.arc_lengths(line)
        if shapes.is_in_junction(link):
            if scene.scale > 2.5:
                color = _MOVEMENT.get((link.related_signal or "").split("_")[0], _ARROW)
                stroke(axes, [line], 18, colors=color, linewidths=scene.pen(0.12, 0.5), alpha=0.75)
                heads.setdefault(color, []).append(_head_at(line, arc, 0.5 * float(arc[-1]), size))
        elif arc[-1] > 3 * size:
            since_last += float(arc[-1]) if arc[-1] < pitch else 0.0
            count = max(int(arc[-1] / pitch), int(scene.is_close or since_last > pitch))
            since_last = 0.0 if since_last > pitch else since_last
            for s in (arc[-1] * (np.arange(count) + 0.5) / max(count, 1)).tolist():
                heads.setdefault(_ARROW, []).append(_head_at(line, arc, s, size))
    for color, polygons in heads.items():
        fill(axes, polygons, 18, facecolors=color, alpha=0.7 if color == _ARROW else 1.0)


def _head_at(line: Shape, arc: Shape, s: float, size: float) -> Shape:
    """An arrow head on a line, about arc length `s`."""
    tip, behind = shapes.points_at(line, arc, np.array([s + 0.5 * size, s - 0.5 * size]))
    direction = tip - behind
    return shapes.chevron(tip, direction / max(float(np.hypot(*direction)), 1e-9), size)
