"""What a drawing of a map shows: the part within its bounds, its scale, its colours, and its two strokes of the pen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dorosim.road.mgeo.record import Link, MGeoMap
from dorosim.road.outline import Shape

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAINT = {"white": "#f4f4f0", "yellow": "#f2b632", "blue": "#4f8fe0", "": "#8d939c"}
INK = "#2c3036"


@dataclass(frozen=True, slots=True)
class DrawingScene:
    """The map within the bounds of a drawing, and its scale.

    Attributes:
        town: the map.
        bounds: west, south, east, north [m].
        scale: points on paper to the metre.
        links: lanes within the bounds.
        lowest: height of the lowest road in each cell, to find bridges.
    """

    town: MGeoMap
    bounds: tuple[float, float, float, float]
    scale: float
    links: tuple[Link, ...]
    lowest: dict[tuple[int, int], float]

    @property
    def is_close(self) -> bool:
        """Whether the scale is large enough to see single lines on the road."""
        return self.scale > 1.6

    def shows(self, points: Shape) -> bool:
        """Whether the box around points touches the drawing."""
        west, south, east, north = self.bounds
        low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
        return bool(low[0] <= east and high[0] >= west and low[1] <= north and high[1] >= south)

    def pen(self, width: float, min_width: float) -> float:
        """The width of a pen in points for a line of `width` metres."""
        return max(width * self.scale, min_width)


def fill(axes: Axes, polygons: Sequence[Shape], zorder: float, **style: Any) -> None:
    """Draw filled polygons."""
    from matplotlib.collections import PolyCollection

    if len(polygons):
        given = {"linewidths": 0.0, "snap": False, **style}
        axes.add_collection(PolyCollection(polygons, zorder=zorder, **given), autolim=False)


def write(axes: Axes, x: float, y: float, text: str, zorder: float, **style: Any) -> None:
    """Write text about a point, inside the drawing only."""
    axes.text(x, y, text, ha="center", va="center", zorder=zorder, clip_on=True, **style)


def stroke(axes: Axes, lines: Sequence[Shape], zorder: float, **style: Any) -> None:
    """Draw lines."""
    from matplotlib.collections import LineCollection

    if len(lines):
        given = {"capstyle": "butt", "joinstyle": "round", "snap": False, **style}
        axes.add_collection(LineCollection(lines, zorder=zorder, **given), autolim=False)
