"""The plot of a run as a picture, by matplotlib: the path on the map and its figures above, panels over time below."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from dorosim.app.analyse.plot.panel import Panel, thinned
from dorosim.app.analyse.plot.run_plot import EAST_LABEL, NORTH_LABEL, SPEED_LABEL, TIME_LABEL, PathPlot, RunPlot
from dorosim.app.analyse.plot.style import FAINT, INK, ORANGE, PAINT, RED, ROAD, SPEEDS, dress, new_figure
from dorosim.app.analyse.trace.gap import moved_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, NARROW_WIDTH, _PATH_HEIGHT, _BAND_HEIGHT, _PANEL_HEIGHT = 14.0, 11.0, 5.6, 1.35, 2.05
"""Of the picture and its parts [inch]."""
MAX_POINTS = 6000
"""Of a line; more than there are pixels."""
_LANE_MARGIN = 2.0
"""Lanes are drawn beyond the bounds, since the axes are widened to the shape of the picture."""
MAX_EVENTS = 4
"""Collisions, and faults, that are listed beside the path."""
_DASHES = (0, (3, 2))
_LABEL_BOX = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.2}


def draw_picture(plot: RunPlot) -> Figure:
    """Draw a run.

    Raises:
        InputError: matplotlib is not installed.
    """
    panels, with_path = plot.panels, plot.path is not None
    bands = [panel for panel in panels if panel.key == "mode"]
    others = [panel for panel in panels if panel.key != "mode"]
    columns = 2 if len(others) > 3 else 1
    rows = math.ceil(len(others) / columns)
    parts = [_PATH_HEIGHT] * with_path + [_BAND_HEIGHT] * len(bands) + [_PANEL_HEIGHT] * rows
    figure = new_figure(_WIDTH if columns > 1 or with_path else NARROW_WIDTH, 0.5 + sum(parts))
    figure.suptitle(plot.title, fontsize=13, color=INK, weight="bold", x=0.008, ha="left")
    grid = figure.add_gridspec(len(parts), columns, height_ratios=parts)
    if plot.path is not None:
        above = grid[0, :].subgridspec(1, 2, width_ratios=(2.9, 1.0))
        _draw_path(figure, figure.add_subplot(above[0]), plot.path, plot)
        _write_facts(figure.add_subplot(above[1]), plot)
    first: Axes | None = None
    for panel in bands:
        first = figure.add_subplot(grid[int(with_path), :])
        _draw_panel(first, panel, plot, "" if others else TIME_LABEL)
    for number, panel in enumerate(others):
        # down the left column, then down the right one
        row, column = number % rows, number // rows
        axes = figure.add_subplot(grid[int(with_path) + len(bands) + row, column], sharex=first)
        first = first or axes
        _draw_panel(axes, panel, plot, TIME_LABEL if row == rows - 1 or number == len(others) - 1 else "")
    return figure


def _draw_path(figure: Figure, axes: Axes, path: PathPlot, plot: RunPlot) -> None:
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.colors import LinearSegmentedColormap

    lanes = PolyCollection(path.lanes(_LANE_MARGIN), facecolors=ROAD, edgecolors=PAINT, linewidths=0.5, zorder=1)
    axes.add_collection(lanes, autolim=False)
    if path.reference is not None:
        axes.plot(*path.reference.T, color=INK, linewidth=0.9, linestyle=_DASHES, zorder=2, label="reference")
    trace = path.trace
    stride = max(1, len(trace) // MAX_POINTS)
    points, speed = np.stack((trace.x, trace.y), axis=1)[::stride], trace.speed[::stride] * 3.6
    pairs = np.stack((points[:-1], points[1:]), axis=1)
    # no line where it was not there, or was placed elsewhere, in any of the ticks between two points
    cuts = np.cumsum(np.append(False, ~moved_on(trace.time, trace.x, trace.y, trace.speed)))[::stride]
    whole = np.diff(cuts) == 0
    colours = LinearSegmentedColormap.from_list("speeds", SPEEDS)
    line = LineCollection(list(pairs[whole]), cmap=colours, linewidths=2.6, capstyle="round", zorder=3)
    line.set_array(speed[1:][whole])
    line.set_clim(0.0, max(10.0, float(np.nanmax(speed))))
    axes.add_collection(line, autolim=False)
    _mark_path(axes, path, plot)
    dress(axes, "Path over the lanes of the map", EAST_LABEL, NORTH_LABEL)
    axes.grid(visible=False)
    axes.set_aspect("equal", adjustable="datalim")
    # not by set_xlim: limits that are set would keep the axes from their shape
    axes.dataLim.update_from_data_xy(np.array([path.bounds[:2], path.bounds[2:]]))
    axes.margins(0.0)
    axes.autoscale_view()
    bar = figure.colorbar(line, ax=axes, pad=0.01, aspect=34)
    bar.set_label(SPEED_LABEL, fontsize=9.5, color=INK)
    bar.ax.tick_params(labelsize=8.5, colors=FAINT)
    bar.outline.set_visible(False)
    if plot.trace.collisions or path.reference is not None:
        axes.legend(fontsize=8.5, frameon=False, labelcolor=INK, loc="upper right")


def _mark_path(axes: Axes, path: PathPlot, plot: RunPlot) -> None:
    """Start, end, moments and collisions."""
    style: dict[str, Any] = {"textcoords": "offset points", "color": INK, "bbox": _LABEL_BOX}
    for (name, x, y), form, below in zip(path.ends, "os", (7, -14), strict=True):
        axes.plot(x, y, form, color=INK, markersize=7, zorder=5)
        axes.annotate(name, (x, y), (7, below), fontsize=9, weight="bold", zorder=6, **style)
    for time, x, y in path.moments:
        axes.plot(x, y, "o", color="white", markeredgecolor=INK, markersize=4.5, zorder=4)
        axes.annotate(f"{time:g} s", (x, y), (6, 6), fontsize=8.5, zorder=5, **style)
    for number, hit in enumerate(plot.trace.collisions):
        axes.plot(
            hit.x, hit.y, "X", color=RED, markeredgecolor="white", markersize=11, zorder=7, linestyle="none",
            label=None if number else "collision",
        )  # fmt: skip


def _write_facts(axes: Axes, plot: RunPlot) -> None:
    """The figures of the run as text, and its collisions and faults."""
    axes.axis("off")
    lines = plot.facts_and_events(MAX_EVENTS)
    # a line of the name and one of the value, from the top on
    step = min(0.083, 0.98 / max(len(lines), 1))
    for number, (name, value) in enumerate(lines):
        top = 0.995 - number * step
        axes.text(0.0, top, name, transform=axes.transAxes, fontsize=8, color=FAINT, va="top")
        axes.text(0.0, top - 0.42 * step, value, transform=axes.transAxes, fontsize=9, color=INK, va="top")


def _draw_panel(axes: Axes, panel: Panel, plot: RunPlot, x: str) -> None:
    begin, end = plot.span
    axes.set_xlim(begin, max(end, begin + 1e-3))
    if panel.note:
        axes.text(0.5, 0.5, panel.note, transform=axes.transAxes, fontsize=10, color=FAINT, ha="center", va="center")
        axes.set_yticks([])
    for curve in panel.curves:
        time, value = thinned(curve.time, curve.value, MAX_POINTS)
        width = 1.0 if curve.faint else 1.5
        styles: dict[str, dict[str, Any]] = {
            "line": {"linewidth": width},
            "step": {"linewidth": width, "drawstyle": "steps-post"},
            "dash": {"linewidth": 0.8, "linestyle": _DASHES},
            "dots": {"linestyle": "none", "marker": ".", "markersize": 2.2},
        }
        axes.plot(
            time,
            value,
            color=curve.colour,
            label=curve.name,
            zorder=4 if curve.style == "dash" else 2 if curve.faint else 3,
            **styles[curve.style],
        )
    if panel.bands:
        _draw_bands(axes, panel)
    for hit in plot.trace.collisions:
        axes.axvline(hit.time, color=RED, linewidth=1.1, zorder=1.5, label="_collision")
    for fault in plot.trace.faults:
        axes.axvspan(fault.begin, fault.end, color=ORANGE, alpha=0.13, linewidth=0, zorder=0.5)
    dress(axes, panel.heading, x, "")
    if panel.logarithmic and panel.curves:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
    if panel.frame is not None:
        axes.set_ylim(*panel.frame)
    if len(panel.curves) > 1 or any(curve.name not in panel.title.lower() for curve in panel.curves):
        axes.legend(
            fontsize=8, frameon=False, labelcolor=INK, loc="lower right", bbox_to_anchor=(1.005, 0.96),
            ncols=len(panel.curves), borderaxespad=0.1, handlelength=1.5, columnspacing=1.2, markerscale=4,
        )  # fmt: skip


def _draw_bands(axes: Axes, panel: Panel) -> None:
    """Rows of coloured spans, each with its name where it has room."""
    rows = list(dict.fromkeys(band.row for band in panel.bands))
    begin, end = axes.get_xlim()
    for band in panel.bands:
        level = len(rows) - 1 - rows.index(band.row)
        axes.broken_barh([(band.begin, band.end - band.begin)], (level - 0.36, 0.72), facecolors=band.colour, alpha=0.8)
        if band.end - band.begin > 0.012 * (end - begin) * (len(band.label) + 1):
            axes.text(
                0.5 * (band.begin + band.end), level, band.label, fontsize=8.5, color="white", weight="bold",
                ha="center", va="center", clip_on=True,
            )  # fmt: skip
    axes.set_yticks(range(len(rows)), rows[::-1])
    axes.set_ylim(-0.6, len(rows) - 0.4)
