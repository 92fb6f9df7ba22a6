"""How pictures, clouds, maps and tables show themselves in notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.wire.device.png import png_bytes

MAX_SHOWN = 960
"""Widest picture that is shown [pixels]; of a larger one every second, third, ... pixel is."""
CLOUD_SIZE, CLOUD_REACH = 480, 50.0
"""Side of the picture of a cloud [pixels], and how far it reaches from the sensor [m]."""
MAX_SHOWN_ROWS = 50
"""Rows of a table that are shown."""


def picture_png(image: NDArray[np.uint8]) -> bytes:
    """A picture `(H, W, 3)` as PNG, small enough for a page."""
    step = -(-image.shape[1] // MAX_SHOWN)
    return png_bytes(np.ascontiguousarray(image[::step, ::step]), 3)


def cloud_png(xyz: NDArray[np.float32], intensity: NDArray[np.float32]) -> bytes:
    """Points `(N, 3)` [m] from above as PNG: forward is up, brightness is intensity, the sensor is in the middle."""
    image = np.full((CLOUD_SIZE, CLOUD_SIZE, 3), 16, np.uint8)
    scale = 0.5 * CLOUD_SIZE / CLOUD_REACH
    row = np.floor(0.5 * CLOUD_SIZE - scale * xyz[:, 0]).astype(np.int64)
    column = np.floor(0.5 * CLOUD_SIZE - scale * xyz[:, 1]).astype(np.int64)
    there = (row >= 0) & (row < CLOUD_SIZE) & (column >= 0) & (column < CLOUD_SIZE)
    light = np.clip(90.0 + intensity[there] * 2.0, 0.0, 255.0).astype(np.uint8)
    image[row[there], column[there]] = np.stack([light // 3, light, light], axis=1)
    middle = CLOUD_SIZE // 2
    image[middle - 2 : middle + 2, middle - 2 : middle + 2] = 255, 90, 60
    return png_bytes(image, 3)


def html_table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table as HTML; of a long one the first rows."""
    shown = [_row("td", row) for row in rows[:MAX_SHOWN_ROWS]]
    more = f"<p>and {len(rows) - MAX_SHOWN_ROWS} more</p>" if len(rows) > MAX_SHOWN_ROWS else ""
    return f"<table>{_row('th', head)}{''.join(shown)}</table>{more}"


def _row(tag: str, cells: Iterable[Any]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(str(cell))}</{tag}>' for cell in cells)}</tr>"


def lines_svg(lines: Sequence[NDArray[np.float64]], marks: Sequence[tuple[float, float, str]], title: str) -> str:
    """Lines `(N, 2)` in the map [m], and marks with names, as SVG; north is up."""
    every = np.concatenate([*lines, np.zeros((0, 2))]) if lines else np.zeros((1, 2))
    (left, low), (right, high) = every.min(axis=0), every.max(axis=0)
    wide, tall = max(right - left, 1.0), max(high - low, 1.0)
    scale = 720.0 / max(wide, tall)
    size = f'width="{wide * scale:.0f}" height="{tall * scale:.0f}"'

    def place(x: float, y: float) -> str:
        return f"{(x - left) * scale:.1f},{(high - y) * scale:.1f}"

    drawn = "".join(f'<polyline points="{" ".join(place(x, y) for x, y in line)}"/>' for line in lines)
    shown = []
    for x, y, name in marks:
        across, down = place(x, y).split(",")
        label = f"<title>{escape(name)}</title>"
        shown.append(f'<circle cx="{across}" cy="{down}" r="4" fill="#d8432e" stroke="none">{label}</circle>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} fill="none" stroke="#4a6fa5" stroke-width="1">'
    return f"{head}<title>{escape(title)}</title>{drawn}{''.join(shown)}</svg>"
