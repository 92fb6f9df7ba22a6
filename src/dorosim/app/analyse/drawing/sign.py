"""Crosswalks, marks on the road, parking bays, lights and signs, drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dorosim.app.analyse.drawing.scene import INK, PAINT, DrawingScene, fill, write
from dorosim.road import outline as shapes
from dorosim.road.outline import Shape

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LOT, _PARKING_BLUE, _WALKER = "#6d727a", "#2a62b8", "#1f9e8f"
_LAMP = {"red": "#e5342b", "yellow": "#f5b921", "green": "#27b35a"}
_LAMP_PITCH = 0.58
"""Distance of the lamps of a head as drawn, a little larger than they are [m]."""

_READABLE = 5.0
"""Scale from which the values of signs can be read [points per metre]."""

_LOT_GAP = 90.0
"""Bays this far apart belong to different parking lots [m]."""


def draw_areas(axes: Axes, scene: DrawingScene) -> None:
    """Draw crosswalks, marks on the road and parking bays."""
    walks = [item.points[:, :2] for item in scene.town.single_crosswalks if scene.shows(item.points)]
    if scene.is_close:
        fill(axes, [bar for walk in walks for bar in shapes.bars(walk)], 17, facecolors=PAINT["white"])
    else:
        fill(axes, walks, 17, facecolors=PAINT["white"], alpha=0.6)
    if scene.scale > 1.0:
        marks = [m.points[:, :2] for m in scene.town.surface_markings if m.type != "5" and scene.shows(m.points)]
        fill(axes, marks, 17, facecolors=PAINT["white"])
    bays = [item for item in scene.town.parking_spaces if scene.shows(item.points)]
    outlines = [bay.points[:, :2] for bay in bays]
    fill(axes, outlines, 10.5, facecolors=_LOT, edgecolors=PAINT["white"], linewidths=scene.pen(0.12, 0.25))
    if scene.scale < 4:
        box = {"boxstyle": "round,pad=0.25", "facecolor": _PARKING_BLUE, "edgecolor": "white", "linewidth": 0.8}
        for x, y in _lot_middles([bay.center_point for bay in bays]):
            axes.text(x, y, "P", color="white", weight="bold", size=9, ha="center", va="center", bbox=box, zorder=70)


def _lot_middles(bays: Sequence[tuple[float, float, float]]) -> list[tuple[float, float]]:
    """The middles of groups of bays; a new group begins where a bay lies far from the one before."""
    groups: list[list[tuple[float, float, float]]] = []
    for bay in bays:
        if not groups or math.dist(bay, groups[-1][-1]) > _LOT_GAP:
            groups.append([])
        groups[-1].append(bay)
    means = [np.mean(group, axis=0).tolist() for group in groups]
    return [(mean[0], mean[1]) for mean in means]


def draw_lights(axes: Axes, scene: DrawingScene) -> None:
    """Draw signal heads with their lamps, facing the way that they face; far away a dot for each car head."""
    heads: list[Shape] = []
    lamps: dict[str, list[Shape]] = {color: [] for color in _LAMP.values()}
    walkers: list[Shape] = []
    dots = []
    for light in scene.town.traffic_lights:
        place = np.array(light.point[:2])
        if not scene.shows(place[None]):
            continue
        along = np.array([math.cos(math.radians(light.heading)), math.sin(math.radians(light.heading))])
        across = np.array([-along[1], along[0]])
        if light.type == "pedestrian":
            walkers.append(place + 0.5 * np.array([along, -along + across, -along - across]))
        elif not scene.is_close:
            dots.append(place)
        else:
            names = light.sub_type or ["red", "yellow", "green"]
            length = _LAMP_PITCH * len(names)
            corners = ((0.36, 0.5), (0.36, -0.5), (-0.36, -0.5), (-0.36, 0.5))
            heads.append(np.array([place + a * along + b * (length + 0.2) * across for a, b in corners]))
            for number, name in enumerate(names):
                middle = place + (number - 0.5 * (len(names) - 1)) * _LAMP_PITCH * across
                lamps[_LAMP.get(name, _LAMP["green"])].append(_disc(middle, 0.23))
    if dots:
        x, y = np.array(dots).T
        axes.scatter(x, y, s=7, c=_LAMP["red"], edgecolors="white", linewidths=0.4, zorder=65)
    if scene.is_close:
        fill(axes, walkers, 65, facecolors=_WALKER, edgecolors="white", linewidths=0.4)
        fill(axes, heads, 65, facecolors="#17191c", edgecolors="white", linewidths=0.5)
        for color, discs in lamps.items():
            fill(axes, discs, 66, facecolors=color)


def _disc(middle: Shape, radius: float) -> Shape:
    """A circle as a polygon."""
    angle = np.linspace(0.0, math.tau, 17)[:-1]
    return middle + radius * np.column_stack((np.cos(angle), np.sin(angle)))


def draw_signs(axes: Axes, scene: DrawingScene) -> None:
    """Draw signs as small discs with their value."""
    if scene.scale < 3:
        return
    signs = [sign for sign in scene.town.traffic_signs if scene.shows(np.array([sign.point]))]
    discs = [_disc(np.array(sign.point[:2]), 0.8) for sign in signs]
    fill(axes, discs, 64, facecolors="white", edgecolors=_LAMP["red"], linewidths=1.0)
    for sign in signs if scene.scale > _READABLE else ():
        text = sign.value or (sign.sub_type[0] if sign.sub_type else "")
        write(axes, *sign.point[:2], text, 65, size=min(7.0, 0.75 * scene.scale), color=INK)
