"""Figures of the followed actor, and their course over the last seconds."""

from __future__ import annotations

import html
import math

import numpy as np
import viser
import viser.uplot

from dorosim.bridge.actor import ActorKind
from dorosim.bridge.view.telemetry import SPAN, Course, FigureReader, Figures, fitting_range, rows_of
from dorosim.endpoint.view.pace import Throttle
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun, write
from dorosim.endpoint.view.panel.keys import BINDINGS
from dorosim.ground.unit import DEGREE, KMH
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.mode import Gear

_SHOWN = 0.1
"""Wall time from one change of the figures to the next [s]."""
DRAWN = 0.25
"""Wall time from one change of the plots to the next [s]."""
_BLUE, _RED, _GREEN = "#1c7ed6", "#e03131", "#2f9e44"
_PLOTS: tuple[tuple[str, tuple[float, float], tuple[tuple[int, str, str], ...]], ...] = (
    ("speed [km/h]", (0.0, 20.0), ((1, "speed", _BLUE),)),
    ("acceleration [m/s²]", (-2.0, 2.0), ((2, "forward", _BLUE), (3, "left", _RED))),
    ("steering [°]", (-5.0, 5.0), ((4, "left", _BLUE),)),
    ("pedals [%]", (0.0, 100.0), ((5, "accelerator", _GREEN), (6, "brake", _RED))),
)
"""Title of each plot, the least ends of its axis, and its series: row of the course, name, colour."""


_KEYS = {"arrowup": "↑", "arrowdown": "↓", "arrowleft": "←", "arrowright": "→", "escape": "Esc"}
"""Keys that are not written as viser names them."""


class TelemetryPart(PagePart):
    """Figures and plots (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._reader: FigureReader | None = None
        self._course = Course()
        self._actor = 0
        self._look, self._draw = Throttle(_SHOWN, context.clock), Throttle(DRAWN, context.clock)
        with context.tab("Drive"):
            self._text = context.server.gui.add_html("")
            with context.server.gui.add_folder("Plots of the last 20 s"):
                self._plots = [self._plot(title, least, series) for title, least, series in _PLOTS]
            with context.server.gui.add_folder("Keys", expand_by_default=False):
                context.server.gui.add_markdown(keys_markdown())

    def begin(self, run: PageRun) -> None:
        """Read the figures of another run, and empty the plots."""
        self._reader = FigureReader(run.scene)
        self._course.clear()

    def show(self, now: Snapshot) -> None:
        """Show the figures of the followed actor, at most once in `_SHOWN`."""
        if self._reader is None or not self._look.due():
            return
        actor = self._context.followed
        if actor != self._actor:
            self._actor = actor
            self._course.clear()
        figures = self._reader.read(now, actor)
        write(self._text, figures_html(figures))
        if figures.state is not None and self._course.add(now.time * 1e-9, figures.state) and self._draw.due():
            self._draw_all()

    def _draw_all(self) -> None:
        table = self._course.table()
        if table.shape[1] < 2:
            return
        for (_, least, series), plot in zip(_PLOTS, self._plots, strict=True):
            rows = [table[row] for row, _, _ in series]
            scales = _scales(fitting_range(np.concatenate(rows), least))
            if plot.scales != scales:
                plot.scales = scales
            plot.data = (table[0], *rows)

    def _plot(
        self, title: str, least: tuple[float, float], series: tuple[tuple[int, str, str], ...]
    ) -> viser.GuiUplotHandle:
        empty = np.zeros(1)
        lines = (
            viser.uplot.Series(label="s"),
            *(viser.uplot.Series(label=name, stroke=colour, width=1.5) for _, name, colour in series),
        )
        return self._context.server.gui.add_uplot(
            (empty, *(empty for _ in series)),
            lines,
            title=title,
            height=110,
            padding=(10, 12, 0, 0),
            scales=_scales(least),
            legend=viser.uplot.Legend(show=False),
            axes=(viser.uplot.Axis(size=24), viser.uplot.Axis(size=38)),
        )


def _scales(ends: tuple[float, float]) -> dict[str, viser.uplot.Scale]:
    """The axes of a plot: time, and values between two ends."""
    return {
        "x": viser.uplot.Scale(time=False, auto=False, range=(-SPAN, 0.0)),
        "y": viser.uplot.Scale(time=False, auto=False, range=ends),
    }


def keys_markdown() -> str:
    """The keys as a table, as `dorosim.endpoint.view.panel.keys` binds them."""
    rows = "".join(
        f"| {' '.join(_KEYS.get(key, key) for key in binding.keys)} | {binding.label[0].lower()}{binding.label[1:]} |\n"
        for binding in BINDINGS
    )
    hint = "Click on the picture first: keys do not drive while a field is written in."
    return f"| | |\n|---|---|\n{rows}\n{hint}\n"


def figures_html(figures: Figures) -> str:
    """Returns figures as a block of HTML; what comes from outside is text in it."""
    state = figures.state
    if state is None:
        return '<div style="padding:0.6em;opacity:0.7">The followed actor is no longer there.</div>'
    speed = math.hypot(*state.velocity[:2]) / KMH.factor
    sign = "−" if state.velocity[0] < -0.05 else ""
    title = f"{html.escape(figures.name)} · {html.escape(figures.model)}"
    drives = state.kind in (ActorKind.EGO, ActorKind.NPC, ActorKind.GHOST)
    gear = f'<span style="font-size:1.5em;opacity:0.75">{Gear(state.gear).name}</span>' if drives else ""
    rows = "".join(
        f'<tr><td style="opacity:0.65;padding-right:0.8em">{html.escape(what)}</td><td>{html.escape(value)}</td></tr>'
        for what, value in rows_of(figures)
    )
    bars = ""
    if state.kind is ActorKind.EGO:
        angle = state.steer / DEGREE.factor
        bars = (
            _bar("accelerator", state.accelerator, _GREEN, f"{100 * state.accelerator:.0f} %")
            + _bar("brake", state.brake, _RED, f"{100 * state.brake:.0f} %")
            + _middle_bar("steering", angle / 40.0, f"{abs(angle):.1f}° {_side(angle)}")
        )
    return (
        '<div style="padding:0.3em 0.6em;font-variant-numeric:tabular-nums">'
        f'<div style="opacity:0.7;font-size:0.85em">{title}</div>'
        '<div style="display:flex;align-items:baseline;justify-content:space-between">'
        f'<span><span style="font-size:2.6em;font-weight:600">{sign}{speed:.1f}</span> km/h</span>{gear}</div>'
        f'{bars}<table style="font-size:0.82em;margin-top:0.4em">{rows}</table></div>'
    )


def _side(angle: float) -> str:
    return "" if abs(angle) < 0.05 else "left" if angle > 0.0 else "right"


def _bar(name: str, share: float, colour: str, text: str) -> str:
    width = 100.0 * min(max(share, 0.0), 1.0)
    return _row(name, f'<div style="width:{width:.0f}%;height:100%;background:{colour}"></div>', text)


def _middle_bar(name: str, share: float, text: str) -> str:
    """A bar from the middle, to the left where the share is positive."""
    part = 50.0 * min(abs(share), 1.0)
    begin = 50.0 - part if share > 0.0 else 50.0
    inside = f'<div style="margin-left:{begin:.0f}%;width:{part:.0f}%;height:100%;background:{_BLUE}"></div>'
    return _row(name, inside, text)


def _row(name: str, inside: str, text: str) -> str:
    return (
        '<div style="display:flex;align-items:center;font-size:0.82em;gap:0.6em">'
        f'<span style="width:6.5em;opacity:0.65">{name}</span>'
        '<div style="flex:1;height:0.55em;background:rgba(128,128,128,0.25);border-radius:3px;overflow:hidden">'
        f'{inside}</div><span style="width:5.5em;text-align:right">{text}</span></div>'
    )
