"""How plots look: one palette, quiet axes, units on every axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dorosim.app.store.picture_file import check_library

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT, GRID = "#2c3036", "#6b727c", "#e3e6ea"
BLUE, ORANGE, GREEN, RED, GREY = "#2a6fb0", "#d9762b", "#3f9b57", "#c8423b", "#a9b0b8"
DARK_GREEN, DARK_RED = "#1d5a2f", "#7d1f1b"
ROAD, PAINT, YELLOW = "#d7dadd", "#ffffff", "#e8b321"
SPEEDS = (
    "#2a0593",
    "#5302a3",
    "#7801a8",
    "#9a169f",
    "#b7318a",
    "#cf4c74",
    "#e3685f",
    "#f3854b",
    "#fca636",
)
"""Colours of speeds from standing on, evenly apart: matplotlib's plasma without its bright end, lost on white."""

DPI = 150


def new_figure(width: float, height: float) -> Figure:
    """A figure of its own, tied to no window; sizes in inches.

    Raises:
        InputError: if matplotlib is not installed (the extra `plot`).
    """
    check_library("matplotlib")
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), dpi=DPI, facecolor="white", layout="constrained")


def dress(axes: Axes, title: str, x: str, y: str) -> None:
    """Title, names of the axes with their units, and a faint grid below the data."""
    axes.set_title(title, loc="left", fontsize=11, color=INK, weight="bold")
    axes.set_xlabel(x, fontsize=9.5, color=INK)
    axes.set_ylabel(y, fontsize=9.5, color=INK)
    axes.tick_params(labelsize=8.5, colors=FAINT)
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(GREY)
