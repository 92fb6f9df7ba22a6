"""A drawing of a map: roads with their lanes, lines, lights and parking bays, as a matplotlib figure.

What is drawn depends on the scale: a whole town shows roads, directions, junctions and lights; a part of it shows
every line with its colour and dashes, crosswalk bars, lane arrows, signal heads and signs at their true sizes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dorosim.app.analyse.drawing.road import draw_bridges, draw_directions, draw_lines, draw_surface
from dorosim.app.analyse.drawing.scene import INK, DrawingScene, fill, stroke, write
from dorosim.app.analyse.drawing.sign import draw_areas, draw_lights, draw_signs
from dorosim.app.store.picture_file import check_library
from dorosim.ground.error import InputError
from dorosim.road import outline as shapes
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.outline import Shape

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_GROUND, _LABEL, _ROUTE, _FAINT = "#e9ece4", "#0b4f8a", "#e0218a", "#5c626b"
_ID_BOX = {"boxstyle": "round,pad=0.12", "facecolor": "white", "edgecolor": "none", "alpha": 0.75}
_POINTS_PER_INCH = 72.0
_DPI = 150.0
_MAX_ASPECT, _MIN_ASPECT = 2.5, 0.2
"""Largest and smallest height of a drawing by its width."""

_TITLE_HEIGHT = 0.5
"""Of the strip with the map's name [inch]."""


def draw_map(
    town: MGeoMap,
    *,
    bounds: tuple[float, float, float, float] | None = None,
    width: float = 16.0,
    link_ids: bool = False,
    route: Sequence[str] = (),
    title: bool = True,
) -> Figure:
    """Draw a map.

    Args:
        town: the map.
        bounds: west, south, east and north of the part to draw [m]; None for all of it. A very tall or flat part is
            drawn with more beside it.
        width: of the figure [inch]; its height follows from the bounds.
        link_ids: whether to write the id of each lane at its middle.
        route: ids of links to draw as a highlighted route.
        title: whether to write the map's name and size above it.

    Returns:
        A figure of its own, tied to no window: save it with `savefig` as PNG, SVG or PDF.

    Raises:
        InputError: if matplotlib is not installed (the extra `plot`), or the bounds enclose no area.
    """
    check_library("matplotlib")
    from matplotlib.figure import Figure

    scene = _make_scene(town, bounds, width)
    west, south, east, north = scene.bounds
    height = width * (north - south) / (east - west)
    whole_height = height + (_TITLE_HEIGHT if title else 0.0)
    figure = Figure(figsize=(width, whole_height), facecolor="white", dpi=_DPI)
    axes = _make_axes(figure, scene, height / whole_height)
    draw_surface(axes, scene)
    draw_lines(axes, scene)
    draw_directions(axes, scene)
    draw_areas(axes, scene)
    draw_bridges(axes, scene)
    _draw_route(axes, scene, route)
    draw_lights(axes, scene)
    draw_signs(axes, scene)
    if link_ids:
        _write_ids(axes, scene)
    _draw_scale_bar(axes, scene)
    if title:
        _write_title(figure, town)
    return figure


def _make_axes(figure: Figure, scene: DrawingScene, share: float) -> Axes:
    """The plan in the lower `share` of a figure, with coordinates inside its edge."""
    west, south, east, north = scene.bounds
    axes = figure.add_axes((0.0, 0.0, 1.0, share), facecolor=_GROUND)
    axes.set_xlim(west, east)
    axes.set_ylim(south, north)
    axes.set_aspect("equal")
    axes.tick_params(direction="in", length=0.0, labelsize=7, colors="#7a7f87", pad=-6)
    axes.tick_params(axis="y", pad=-22)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return axes


def _make_scene(town: MGeoMap, bounds: tuple[float, float, float, float] | None, width: float) -> DrawingScene:
    """Choose what is within the bounds."""
    lanes = [link for link in town.links if not link.lazy_init and len(link.points) > 1]
    if bounds is None:
        west, south, east, north = shapes.bounds_of(link.points for link in lanes)
        margin = 0.025 * max(east - west, north - south, 1.0) + 6.0
        bounds = (west - margin, south - margin, east + margin, north + margin)
    bounds = _framed(bounds)
    scale = width * _POINTS_PER_INCH / (bounds[2] - bounds[0])
    scene = DrawingScene(town, bounds, scale, (), {})
    shown = tuple(link for link in lanes if scene.shows(link.points))
    return DrawingScene(town, bounds, scale, shown, shapes.lowest_ground(link.points for link in shown))


def _framed(bounds: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """Bounds that fit on a page: widened about their middle where they are very tall or very flat."""
    west, south, east, north = bounds
    wide, tall = east - west, north - south
    if not (wide > 0 and tall > 0 and math.isfinite(wide + tall)):
        raise InputError(
            "drawing", f"bounds {bounds}", "they enclose no area", "give west, south, east, north in metres"
        )
    more_wide, more_tall = max(0.0, tall / _MAX_ASPECT - wide) / 2, max(0.0, wide * _MIN_ASPECT - tall) / 2
    return west - more_wide, south - more_tall, east + more_wide, north + more_tall


def _draw_route(axes: Axes, scene: DrawingScene, route: Sequence[str]) -> None:
    """Draw a route over the roads."""
    by_id = {link.idx: link for link in scene.links}
    lines = [shapes.clean_line(by_id[idx].points) for idx in route if idx in by_id]
    stroke(axes, lines, 60, colors=_ROUTE, linewidths=scene.pen(0.8, 1.8), alpha=0.8, capstyle="round")


def _write_ids(axes: Axes, scene: DrawingScene) -> None:
    """Write the ids of the lanes at their middles."""
    for link in scene.links:
        x, y = link.points[len(link.points) // 2, :2].tolist()
        write(axes, x, y, link.idx, 80, size=5.5, color=_LABEL, bbox=_ID_BOX)


def _draw_scale_bar(axes: Axes, scene: DrawingScene) -> None:
    """Draw a bar of a round length at the lower left."""
    west, south, east, north = scene.bounds
    wanted = 0.14 * (east - west)
    power = 10.0 ** math.floor(math.log10(wanted))
    length = max(step * power for step in (1, 2, 5) if step * power <= wanted)
    x, y = west + 0.03 * (east - west), south + 0.04 * (north - south)
    thick = 0.0022 * (east - west)
    half = 0.5 * length
    boxes = [_box(x, y, half, thick), _box(x + half, y, half, thick)]
    fill(axes, boxes, 90, facecolors=[INK, "white"], edgecolors=INK, linewidths=0.6)
    axes.text(x + half, y + 2.2 * thick, f"{length:g} m", size=8, ha="center", va="bottom", color=INK, zorder=90)


def _box(x: float, y: float, width: float, height: float) -> Shape:
    return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])


def _write_title(figure: Figure, town: MGeoMap) -> None:
    """Write the name of the map and what it holds."""
    lanes = [link for link in town.links if not link.lazy_init]
    kilometres = sum(float(np.hypot(*np.diff(link.points[:, :2], axis=0).T).sum()) for link in lanes) / 1000
    cars = sum(light.type != "pedestrian" for light in town.traffic_lights)
    junctions = len(town.intersection_controllers)
    facts = f"{len(lanes)} lanes, {kilometres:.1f} km   {junctions} signalised junctions   {cars} car lights"
    figure.text(0.012, 0.995, town.name, size=15, weight="bold", color=INK, ha="left", va="top")
    figure.text(0.988, 0.993, facts, size=9, color=_FAINT, ha="right", va="top")
