"""Road marks of OpenDRIVE as lane boundaries of MGeo, and whether they may be crossed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dorosim.road.mgeo.record import LaneBoundary, Points
from dorosim.road.opendrive.lane_record import RoadMark

CENTRE_CODE, DIVIDER_CODE, EDGE_CODE, UNPAINTED_CODE = 501, 503, 505, 599
"""NGII kinds of lines."""

_SHAPES = {
    "solid": "Solid",
    "broken": "Broken",
    "solid solid": "Solid Solid",
    "solid broken": "Solid Broken",
    "broken solid": "Broken Solid",
    "broken broken": "Broken Broken",
    "botts dots": "Broken",
    "dots botts": "Broken",
}
"""Type of a road mark to the shape of a boundary; all others are not painted, such as "none", "curb" and "grass"."""

_COLOURS = {"standard": "white", "": "white"}
_MAY_CROSS = frozenset({"broken", "none", "broken broken", "botts dots"})
_WIDTH, _DASH, _GAP = 0.12, 3.0, 6.0
"""Of a line about which the file says nothing more [m]."""

_MIN_PIECE = 0.05
"""A shorter piece of a mark is none [m]."""


def longest_mark(marks: Sequence[RoadMark], length: float) -> RoadMark | None:
    """The mark along most of a border of some length [m]; None where it has none."""
    if not marks:
        return None
    ends = [*(min(one.s_offset, length) for one in marks[1:]), length]
    stretches = [end - one.s_offset for one, end in zip(marks, ends, strict=True)]
    return marks[stretches.index(max(stretches))]


def _from_left(mark: RoadMark, lane: int) -> list[str]:
    """The lines of a mark from left to right, looking along s: the file has those of lanes from inside to outside."""
    kinds = mark.type.split()
    return kinds[::-1] if lane > 0 else kinds


def allows_change(mark: RoadMark | None, lane: int, increases: bool) -> bool:
    """Whether vehicles may change over a mark.

    Args:
        mark: None allows it.
        lane: id of the lane on whose outer border it is; 0 is the centre.
        increases: to the lane with the greater id, the one to the left when looking along s.
    """
    if mark is None:
        return True
    if mark.lane_change:
        return mark.lane_change in ("both", "increase" if increases else "decrease")
    if set(mark.type.split()) == {"solid", "broken"}:  # the line that is nearer counts
        return _from_left(mark, lane)[-1 if increases else 0] == "broken"
    return mark.type in _MAY_CROSS


def boundary_shape(mark: RoadMark | None, lane: int) -> str | None:
    """The shape of the boundary that a mark is, left line first along s; None where nothing is painted."""
    return None if mark is None else _SHAPES.get(" ".join(_from_left(mark, lane)))


def mark_pieces(marks: Sequence[RoadMark], length: float) -> list[tuple[float, float, RoadMark | None]]:
    """Where along a border of some length which mark is: start and end [m], one after the other, and the mark."""
    if not marks:
        return [(0.0, length, None)]
    found: list[tuple[float, float, RoadMark | None]] = []
    starts = [min(max(one.s_offset, 0.0), length) for one in marks]
    if starts[0] > _MIN_PIECE:
        found.append((0.0, starts[0], None))
    for start, end, mark in zip(starts, [*starts[1:], length], marks, strict=True):
        last = found[-1][2] if found else None
        if found and last is not None and replace(mark, s_offset=last.s_offset) == last:
            found[-1] = (found[-1][0], end, last)
        elif end - start > _MIN_PIECE or (not found and mark is marks[-1]):
            found.append((start if found else 0.0, end, mark))
    return found


def boundary_from_mark(idx: str, points: Points, mark: RoadMark | None, lane: int, code: int) -> LaneBoundary:
    """A boundary.

    Args:
        idx: its id.
        points: `(N, 3)` in map [m].
        mark: what is painted on it; None is nothing.
        lane: id of the lane of which it is the outer border; 0 is the centre.
        code: the kind of line that it is where it is painted.
    """
    shape = boundary_shape(mark, lane)
    if mark is None or shape is None:
        return LaneBoundary(
            idx=idx, from_node_idx=None, to_node_idx=None, points=points, lane_type=[UNPAINTED_CODE], lane_width=0.0
        )
    stroke = next((line for line in mark.lines if line.length > 0.0), None)
    return LaneBoundary(
        idx=idx,
        from_node_idx=None,
        to_node_idx=None,
        points=points,
        lane_type=[code],
        lane_color=[_COLOURS.get(mark.color, mark.color)],
        lane_shape=[shape],
        lane_width=mark.width or _WIDTH,
        dash_interval_L1=stroke.length if stroke else _DASH,
        dash_interval_L2=stroke.space if stroke else _GAP,
    )
