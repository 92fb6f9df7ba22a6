"""The plots of a run as one HTML page that needs nothing else: to zoom in, and to read values off."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dorosim.app.analyse.plot.panel import PATH, Panel, PlotCurve, thinned
from dorosim.app.analyse.plot.run_plot import EAST_LABEL, NORTH_LABEL, SPEED_LABEL, TIME_LABEL, PathPlot, RunPlot
from dorosim.app.analyse.plot.style import FAINT, GREY, GRID, INK, ORANGE, PAINT, RED, ROAD, SPEEDS
from dorosim.app.store.picture_file import check_library
from dorosim.ground.column import FloatArray
from dorosim.recording.whole_file import write_file

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MAX_CURVE_POINTS, MAX_PATH_POINTS = 3000, 2000
"""Of a line over time, and of the path: pages stay small, and browsers quick."""
_PATH_HEIGHT, _BAND_HEIGHT, _PANEL_HEIGHT, PANEL_SPACING = 560, 110, 170, 46
"""Of the parts of the page [pixels]."""
_LANE_MARGIN = 0.5
"""Lanes are drawn beyond the bounds, as a share of their larger side: a reader may look at what is beside them."""
_DASHES = {"line": "solid", "step": "solid", "dash": "4px,3px"}
_CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "responsive": True,
    "modeBarButtons": [["toImage", "zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"]],
}
"""The usual buttons less the one that sends the data to a server of the library's makers."""
_STYLE = """
body { font: 15px/1.4 system-ui, sans-serif; color: %s; max-width: 1240px; margin: 1.2em auto; padding: 0 1em; }
h1 { font-size: 1.25em; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(15em, 1fr)); gap: .5em 1.5em; }
dt { color: %s; font-size: .85em; }
dd { margin: 0; }
p.notice { color: %s; }
""" % (INK, FAINT, RED)  # noqa: UP031 - braces are the style's own


def page_of(plot: RunPlot) -> str:
    """A page of a run.

    Raises:
        InputError: plotly is not installed.
    """
    check_library("plotly")
    figures: list[tuple[str, Figure]] = []
    if plot.path is not None:
        figures.append((PATH, _path(plot.path, plot)))
    if plot.panels:
        figures.append(("panels", _panels(plot)))
    parts = [
        figure.to_html(full_html=False, include_plotlyjs=number == 0, div_id=name, config=_CONFIG)
        for number, (name, figure) in enumerate(figures)
    ]
    lines = (f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in plot.facts_and_events())
    facts, title = "\n".join(lines), escape(plot.title)
    notes = "\n".join(f'<p class="notice">{escape(note)}</p>' for note in plot.trace.notes)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{notes}\n<dl>\n{facts}\n</dl>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def write_page(page: str, path: Path) -> None:
    """Write a page, whole or not at all.

    Raises:
        InputError: it cannot be written.
    """
    write_file(path, page.encode(), "write it elsewhere")


def _path(path: PathPlot, plot: RunPlot) -> Figure:
    """The path over the lanes."""
    from plotly import graph_objects as go

    figure = go.Figure(layout=_layout(_PATH_HEIGHT))
    x, y = _outlines(path.lanes(_LANE_MARGIN))
    figure.add_scatter(
        x=x, y=y, mode="lines", fill="toself", fillcolor=ROAD, line={"color": PAINT, "width": 1}, hoverinfo="skip",
        name="lanes", showlegend=False,
    )  # fmt: skip
    if path.reference is not None:
        line = {"color": INK, "width": 1, "dash": "dash"}
        figure.add_scatter(x=path.reference[:, 0], y=path.reference[:, 1], mode="lines", line=line, name="reference")
    trace = path.trace
    rows = np.flatnonzero(np.isfinite(trace.x))[:: max(1, len(trace) // MAX_PATH_POINTS)]
    figure.add_scatter(
        x=_short(trace.x[rows]), y=_short(trace.y[rows]), customdata=_short(trace.time[rows]), mode="markers",
        marker={
            "color": _short(trace.speed[rows] * 3.6), "colorscale": list(SPEEDS), "size": 5,
            "cmin": 0, "colorbar": {"title": {"text": SPEED_LABEL, "side": "right"}, "thickness": 14},
        },
        hovertemplate="%{customdata:.2f} s, %{marker.color:.1f} km/h<br>(%{x:.1f}, %{y:.1f}) m<extra></extra>",
        name="path", showlegend=False,
    )  # fmt: skip
    for (name, east, north), symbol in zip(path.ends, ("circle", "square"), strict=True):
        figure.add_scatter(
            x=[east], y=[north], mode="markers+text", text=[name], textposition="top right",
            marker={"color": INK, "size": 10, "symbol": symbol}, hoverinfo="skip", showlegend=False,
        )  # fmt: skip
    if plot.trace.collisions:
        figure.add_scatter(
            x=[hit.x for hit in plot.trace.collisions], y=[hit.y for hit in plot.trace.collisions], mode="markers",
            marker={"color": RED, "size": 13, "symbol": "x", "line": {"color": "white", "width": 1}}, name="collision",
            text=[f"{hit.time:.2f} s: {hit.kind} {hit.other}" for hit in plot.trace.collisions], hoverinfo="text",
        )  # fmt: skip
    west, south, east, north = path.bounds
    figure.update_layout(dragmode="pan", legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"})
    figure.update_xaxes(title=EAST_LABEL, range=[west, east], gridcolor=GRID, zeroline=False)
    figure.update_yaxes(title=NORTH_LABEL, range=[south, north], gridcolor=GRID, zeroline=False, scaleanchor="x")
    return figure


def _panels(plot: RunPlot) -> Figure:
    """All panels over one axis of time."""
    from plotly import graph_objects as go

    heights = [_BAND_HEIGHT if panel.bands else _PANEL_HEIGHT for panel in plot.panels]
    total = sum(heights) + PANEL_SPACING * len(plot.panels)
    figure = go.Figure(layout=_layout(total + 80))
    top = 1.0
    for number, (panel, height) in enumerate(zip(plot.panels, heights, strict=True), start=1):
        top -= PANEL_SPACING / total
        domain = [max(top - height / total, 0.0), top]
        suffix = "" if number == 1 else str(number)
        figure.add_annotation(
            text=f"<b>{escape(panel.heading)}</b>", x=0, xref="paper", xanchor="left", y=domain[1], yref="paper",
            yanchor="bottom", showarrow=False, font={"size": 14},
        )  # fmt: skip
        legend = {"orientation": "h", "x": 1, "xanchor": "right", "y": domain[1], "yanchor": "bottom"}
        axis: dict[str, Any] = {"domain": domain, "gridcolor": GRID, "zeroline": False}
        if panel.logarithmic:
            axis["type"] = "log"
        elif panel.frame is not None:
            axis["range"] = list(panel.frame)
        if panel.note:
            axis["visible"] = False
            figure.add_annotation(
                text=escape(panel.note), x=0.5, xref="paper", y=sum(domain) / 2, yref="paper", showarrow=False,
                font={"color": FAINT},
            )  # fmt: skip
        figure.update_layout({f"yaxis{suffix}": axis, f"legend{suffix}": legend})
        for curve in panel.curves:
            _add_curve(figure, curve, suffix, named=len(panel.curves) > 1)
        if panel.note:
            # an axis without anything on it would not be there, nor those below it keep their places
            hidden = {"visible": True, "opacity": 0, "showlegend": False, "hoverinfo": "skip"}
            figure.add_scatter(x=[plot.span[0]], y=[0], yaxis=f"y{suffix}", **hidden)
        _add_bands(figure, panel, suffix)
        top = domain[0]
    _add_marks(figure, plot)
    figure.update_layout(hovermode="x unified", barmode="overlay", dragmode="zoom")
    figure.update_xaxes(
        title=TIME_LABEL, range=list(plot.span), gridcolor=GRID, zeroline=False, anchor="free", position=0,
        showspikes=True, spikemode="across", spikesnap="cursor", spikethickness=1, spikecolor=GREY, spikedash="solid",
        hoverformat=".2f",
    )  # fmt: skip
    return figure


def _add_curve(figure: Figure, curve: PlotCurve, suffix: str, *, named: bool) -> None:
    time, value = thinned(curve.time, curve.value, MAX_CURVE_POINTS)
    dots = curve.style == "dots"
    width = 1.1 if curve.faint else 1.7
    line = {"color": curve.colour, "width": width, "dash": _DASHES.get(curve.style, "solid")}
    if curve.style == "step":
        line["shape"] = "hv"
    figure.add_scatter(
        x=_short(time), y=_short(value), name=curve.name, yaxis=f"y{suffix}", legend=f"legend{suffix}",
        mode="markers" if dots else "lines", hovertemplate="%{y:.3~f}", showlegend=named,
        **({"marker": {"color": curve.colour, "size": 3}} if dots else {"line": line}),
    )  # fmt: skip


def _add_bands(figure: Figure, panel: Panel, suffix: str) -> None:
    if panel.bands:
        figure.add_bar(
            base=[band.begin for band in panel.bands], x=[band.end - band.begin for band in panel.bands],
            y=[band.row for band in panel.bands], text=[band.label for band in panel.bands], orientation="h",
            marker={"color": [band.colour for band in panel.bands], "opacity": 0.8}, yaxis=f"y{suffix}",
            textposition="inside", insidetextanchor="middle", showlegend=False, hoverinfo="skip", width=0.75,
            textfont={"color": "white"},
        )  # fmt: skip
        figure.update_layout({f"yaxis{suffix}": {"autorange": "reversed", "type": "category"}})


def _add_marks(figure: Figure, plot: RunPlot) -> None:
    """Collisions as lines and faults as areas, over all panels."""
    for hit in plot.trace.collisions:
        figure.add_shape(
            type="line", x0=hit.time, x1=hit.time, y0=0, y1=1, yref="paper", line={"color": RED, "width": 1}
        )
    for fault in plot.trace.faults:
        figure.add_shape(
            type="rect", x0=fault.begin, x1=fault.end, y0=0, y1=1, yref="paper", fillcolor=ORANGE, opacity=0.13,
            line_width=0, layer="below",
        )  # fmt: skip


def _layout(height: int) -> dict[str, Any]:
    return {
        "template": "none",
        "height": height,
        "margin": {"l": 64, "r": 20, "t": 30, "b": 50},
        "font": {"family": "system-ui, sans-serif", "size": 12, "color": INK},
        "paper_bgcolor": "white",
        "plot_bgcolor": "white",
    }


def _outlines(areas: list[FloatArray]) -> tuple[FloatArray, FloatArray]:
    """Areas one after another as one closed line each, with gaps between them."""
    gap = np.full((1, 2), np.nan)
    parts = [part for area in areas for part in (area, area[:1], gap)]
    points = np.concatenate(parts) if parts else gap
    return _short(points[:, 0]), _short(points[:, 1])


def _short(values: FloatArray) -> Any:
    """The values in half as many bytes; they keep more digits than a plot can show."""
    return values.astype(np.float32)
