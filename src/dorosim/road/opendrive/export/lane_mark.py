"""Road marks of lanes from the painted lines beside links (ASAM OpenDRIVE 1.8, 11.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.lane_network import RoadNetwork
from dorosim.road.mgeo.record import LaneBoundary, Link
from dorosim.road.opendrive.lane_record import RoadMark, RoadMarkLine
from dorosim.road.opendrive.own_data import PAINT

_COLOURS = ("white", "yellow", "blue", "red", "green", "orange", "violet", "black")

_SAME_PLACE = 0.5
"""A mark that starts this near to the start of the lane [m] starts with it."""

_MIN_STRETCH = 0.05
"""A stretch of a line that is shorter than this has no mark of its own [m]."""

UNPAINTED = RoadMark(s_offset=0.0, type="none", color="standard", lane_change="both")


def marks_beside(
    link: Link, left: bool, boundaries: Mapping[str, LaneBoundary], points: FloatArray, length: float, change: str
) -> tuple[RoadMark, ...]:
    """The marks on one side of a link.

    Args:
        link: of the map.
        left: its left side, else its right one.
        boundaries: the map's lines, by id.
        points: of the link `(N, 3)` in map [m].
        length: of its road [m].
        change: between which lanes one may change there, as the standard names it.

    Returns:
        Marks by the place from which each counts; at least one.
    """
    found: dict[float, RoadMark] = {}
    names = link.lane_mark_left if left else link.lane_mark_right
    for line in (boundaries[name] for name in names if name in boundaries):
        start, end = sorted(_place_along(points, line.points[row], length) for row in (0, -1))
        stretches = _stretches(line, start, end)
        for place, shape, colour, code in stretches:
            at = 0.0 if place < _SAME_PLACE else place
            if at < length - _MIN_STRETCH:
                found[at] = replace(_mark(line, shape, colour, at, change), user_data={PAINT: code} if code else {})
    if 0.0 not in found:
        found[0.0] = RoadMark(s_offset=0.0, type="none", lane_change=change)
    return tuple(found[place] for place in sorted(found))


def turned(marks: Sequence[RoadMark]) -> tuple[RoadMark, ...]:
    """Marks for a border whose lane is on the left: the file names their lines from the inside outwards (11.10)."""
    return tuple(
        replace(one, type=" ".join(one.type.split()[::-1]), type_name=" ".join(one.type_name.split()[::-1]))
        for one in marks
    )


def lane_change_word(network: RoadNetwork, inner: int, outer: int) -> str:
    """Whether vehicles may change over the border of two links, from the inner one outwards and back.

    Of lane ids, as the standard has it: "increase" is to the lane with the greater id.
    """
    neighbours = network.neighbours
    allowed = [
        (neighbours.left[one] == other and neighbours.left_allowed[one])
        or (neighbours.right[one] == other and neighbours.right_allowed[one])
        for one, other in ((inner, outer), (outer, inner))
    ]
    if all(allowed):
        return "both"
    if not any(allowed):
        return "none"
    return "increase" if allowed[0] == network.left_hand_traffic else "decrease"


def _place_along(points: FloatArray, point: FloatArray, length: float) -> float:
    """About where along a road a point lies [m]."""
    chord = np.diff(points[:, :2], axis=0)
    span = np.maximum((chord * chord).sum(axis=1), 1e-12)
    share = np.clip(((point[:2] - points[:-1, :2]) * chord).sum(axis=1) / span, 0.0, 1.0)
    away = np.hypot(*(points[:-1, :2] + share[:, None] * chord - point[:2]).T)
    nearest = int(np.argmin(away))
    steps = np.sqrt(span)
    return float((steps[:nearest].sum() + share[nearest] * steps[nearest]) / steps.sum() * length)


def _stretches(line: LaneBoundary, start: float, end: float) -> list[tuple[float, str, str, str]]:
    """Where each stretch of a line begins [m], its shape, colour and code; offsets are shares of the line."""
    shapes = line.lane_shape or [""]
    codes = list(map(str, line.lane_type))
    offsets: Sequence[float] = line.lane_type_offset if len(line.lane_type_offset) == len(shapes) else [0.0]
    return [
        (start + float(share) * (end - start), shape, _of(line.lane_color, number), _of(codes, number))
        for number, (share, shape) in enumerate(zip(offsets, shapes, strict=False))
    ]


def _of(names: Sequence[str], number: int) -> str:
    """One of some names, the last of them for a number beyond; "" where there is none."""
    return names[min(number, len(names) - 1)] if names else ""


def _mark(line: LaneBoundary, shape: str, colour: str, place: float, change: str) -> RoadMark:
    """The mark of one stretch; a line without shape is not painted."""
    words = shape.lower().split()
    kinds = [word for word in words if word in ("solid", "broken")]
    if not kinds:
        return RoadMark(s_offset=place, type="none", lane_change=change)
    offsets: tuple[float, ...] = (0.0,)
    if len(kinds) > 1:
        apart = (line.double_line_interval + line.lane_width) / 2.0
        offsets = (apart, -apart)
    return RoadMark(
        s_offset=place,
        type=" ".join(kinds[:2]),
        type_name=" ".join(kinds[:2]),
        color=next((one for one in _COLOURS if one == colour.lower()), "standard"),
        width=line.lane_width,
        lane_change=change,
        lines=tuple(
            RoadMarkLine(
                length=line.dash_interval_L1 if kind == "broken" else 0.0,
                space=line.dash_interval_L2 if kind == "broken" else 0.0,
                t_offset=offset,
                width=line.lane_width,
            )
            for kind, offset in zip(kinds, offsets, strict=False)
        ),
    )
