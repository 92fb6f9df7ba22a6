"""Figures of the page of a sweep, as SVG: bars, and maps of colours."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from dorosim.ground.column import FloatArray

_WIDTH, _HEIGHT, _EDGE = 360, 200, 44
BINS = 24
COLOURS = {"pass": "#4c9f70", "fail": "#c8443c", "broken": "#8a8a8a"}


def edges_of(values: FloatArray, bins: int = BINS) -> FloatArray:
    """Edges of bins over values: one for each value where there are few, else `bins` of equal width."""
    distinct = np.unique(values)
    if 1 < len(distinct) <= bins:
        middles = 0.5 * (distinct[1:] + distinct[:-1])
        return np.concatenate(([2 * distinct[0] - middles[0]], middles, [2 * distinct[-1] - middles[-1]]))
    low, high = float(values.min()), float(values.max())
    return np.linspace(low, high if high > low else low + 1.0, bins + 1)


def _ends(values: FloatArray, edges: FloatArray) -> tuple[str, str]:
    """What stands at the ends of an axis: the least and the greatest value, where bins are values."""
    distinct = np.unique(values)
    low, high = (distinct[0], distinct[-1]) if 1 < len(distinct) <= BINS else (edges[0], edges[-1])
    return f"{float(low):.4g}", f"{float(high):.4g}"


def bars(title: str, values: FloatArray, verdicts: FloatArray, words: Sequence[str], unit: str = "") -> str:
    """How often values come, by verdict, one upon the other.

    Args:
        title: of the figure.
        values: finite ones.
        verdicts: of each, a row of `words`.
        words: verdicts.
        unit: of the values.
    """
    edges = edges_of(values)
    counts = np.array([np.histogram(values[verdicts == row], edges)[0] for row in range(len(words))])
    most = max(int(counts.sum(axis=0).max()), 1)
    low, high = _ends(values, edges)
    parts = [_frame(title, low, f"{high} {unit}".strip(), "0", f"{most:,}")]
    step = (_WIDTH - _EDGE - 8) / (len(edges) - 1)
    for at in range(len(edges) - 1):
        y = float(_HEIGHT - 28)
        for row, word in enumerate(words):
            size = (_HEIGHT - 56) * counts[row, at] / most
            if size > 0:
                y -= size
                said = f"{edges[at]:.4g} to {edges[at + 1]:.4g}: {counts[row, at]:,} {word}"
                parts.append(_box(_EDGE + at * step, y, max(step - 1, 0.5), size, COLOURS.get(word, "#4472a8"), said))
    return _svg(parts)


def heat_map(names: tuple[str, str], x: FloatArray, y: FloatArray, failed: FloatArray) -> str:
    """The share of cells that fail over two parameters: green where none does, yellow where few do, red where all do.

    Args:
        names: of the parameters, that across first.
        x: values of the first one.
        y: values of the second one.
        failed: 1 for cells that fail, 0 for those that pass.
    """
    across, up = edges_of(x), edges_of(y)
    counts = np.histogram2d(x, y, (across, up))[0]
    fails = np.histogram2d(x, y, (across, up), weights=failed)[0]
    (left, right), (low, high) = _ends(x, across), _ends(y, up)
    parts = [_frame(f"up {names[1]}, across {names[0]}", left, right, low, high)]
    wide, tall = (_WIDTH - _EDGE - 8) / (len(across) - 1), (_HEIGHT - 56) / (len(up) - 1)
    for column, row in zip(*np.nonzero(counts), strict=True):
        share = fails[column, row] / counts[column, row]
        said = (
            f"{names[0]} {across[column]:.4g} to {across[column + 1]:.4g}, {names[1]} {up[row]:.4g} to "
            f"{up[row + 1]:.4g}: {int(fails[column, row]):,} of {int(counts[column, row]):,} fail"
        )
        parts.append(
            _box(_EDGE + column * wide, _HEIGHT - 28 - (row + 1) * tall, wide + 0.3, tall + 0.3, _colour(share), said)
        )
    return _svg(parts)


def curve(title: str, values: Sequence[float], across: str) -> str:
    """Values in their order, as a line.

    Args:
        title: of the figure.
        values: finite ones.
        across: what they are counted by.
    """
    low, high = min(values), max(values)
    span = high - low or 1.0
    step = (_WIDTH - _EDGE - 8) / max(len(values) - 1, 1)
    points = " ".join(
        f"{_EDGE + at * step:.1f},{_HEIGHT - 28 - (_HEIGHT - 56) * (one - low) / span:.1f}"
        for at, one in enumerate(values)
    )
    frame = _frame(title, "1", f"{len(values):,} {across}", f"{low:.3g}", f"{high:.3g}")
    return _svg([frame, f'<polyline points="{points}" fill="none" stroke="#2f5d8a" stroke-width="1.5"/>'])


def _colour(share: float) -> str:
    """Green for none, and from yellow to red for some: one that fails among a thousand is seen."""
    if not share > 0.0:
        return COLOURS["pass"]
    few, all_of_them = (236, 201, 75), (200, 68, 60)
    return "#" + "".join(f"{round(a + (b - a) * min(share, 1.0)):02x}" for a, b in zip(few, all_of_them, strict=True))


def _box(x: float, y: float, width: float, height: float, colour: str, said: str) -> str:
    where = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {where} fill="{colour}" shape-rendering="crispEdges"><title>{escape(said)}</title></rect>'


def _frame(title: str, left: str, right: str, low: str, high: str) -> str:
    """The axes of a figure, with its title and the ends of both."""
    bottom = _HEIGHT - 28
    return (
        f'<text x="{_EDGE}" y="14" class="t">{escape(title)}</text>'
        f'<path d="M{_EDGE} 26V{bottom}H{_WIDTH - 8}" fill="none" stroke="#999"/>'
        f'<text x="{_EDGE}" y="{_HEIGHT - 10}">{escape(left)}</text>'
        f'<text x="{_WIDTH - 8}" y="{_HEIGHT - 10}" text-anchor="end">{escape(right)}</text>'
        f'<text x="{_EDGE - 4}" y="{bottom}" text-anchor="end">{escape(low)}</text>'
        f'<text x="2" y="25">{escape(high)}</text>'
    )


def _svg(parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}">{"".join(parts)}</svg>'
