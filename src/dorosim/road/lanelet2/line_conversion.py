"""Bounds of lanelets as lane boundaries of MGeo, and paint as Lanelet2 has words for it."""

from __future__ import annotations

from dorosim.road.lanelet2.rule import Tags
from dorosim.road.mgeo.record import LaneBoundary, Points
from dorosim.road.opendrive.mark_conversion import UNPAINTED_CODE

CODE_TAG = "dorosim:code"
"""Tag with the NGII kind of a line."""

SHAPES = {
    "solid": "Solid",
    "dashed": "Broken",
    "solid_solid": "Solid Solid",
    "solid_dashed": "Solid Broken",
    "dashed_solid": "Broken Solid",
    "dashed_dashed": "Broken Broken",
}
"""Subtype of a painted line, from left to right, to the shape of a boundary."""

_PAINTED = frozenset({"line_thin", "line_thick"})
_WIDTHS = {"line_thick": 0.25}
_WIDTH, _DASH, _GAP, _MAX_WIDTH = 0.12, 3.0, 6.0, 1.0
"""Of a line about which the file says nothing more [m]."""


def boundary_from_tags(idx: str, points: Points, tags: Tags, code: int) -> LaneBoundary:
    """A boundary.

    Args:
        idx: its id.
        points: `(N, 3)` in map [m].
        tags: of the way.
        code: the kind of line that it is where it is painted and no tag says more.
    """
    subtype = tags.get("subtype", "")
    shape = SHAPES.get(subtype, "Solid") if tags.get("type") in _PAINTED else None
    if shape is None:
        return LaneBoundary(
            idx=idx, from_node_idx=None, to_node_idx=None, points=points, lane_type=[UNPAINTED_CODE], lane_width=0.0
        )
    given = tags.get(CODE_TAG, "")
    return LaneBoundary(
        idx=idx,
        from_node_idx=None,
        to_node_idx=None,
        points=points,
        lane_type=[int(given) if given.isascii() and given.isdecimal() and len(given) < 5 else code],
        lane_color=[tags.get("color", "white")],
        lane_shape=[shape],
        lane_width=_width(tags),
        dash_interval_L1=_DASH,
        dash_interval_L2=_GAP,
    )


def _width(tags: Tags) -> float:
    """The width of a painted line [m]."""
    try:
        width = float(tags.get("width", ""))
    except ValueError:
        width = 0.0
    return width if 0.0 < width <= _MAX_WIDTH else _WIDTHS.get(tags["type"], _WIDTH)
