"""Road marks of lanes from the painted lines beside links (ASAM OpenDRIVE 1.8, 11.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.lane_network import RoadNetwork
from dorosim.road.mgeo.record import LaneBoundary, Link
from dorosim.road.opendrive.lane_record import RoadMark, RoadMarkLine
from dorosim.road.opendrive.own_data import PAINT

_COLOURS = ("white", "yellow", "blue", "red", "green", "orange", "violet", "black")

_SAME_PLACE = 0.5
"""A mark that starts or ends this near to an end of the lane [m] does so there."""

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
    names = link.lane_mark_left if left else link.lane_mark_right
    pieces = [
        piece for name in names if name in boundaries for piece in _pieces(boundaries[name], points, length, change)
    ]
    nothing = RoadMark(s_offset=0.0, type="none", lane_change=change)
    found = [nothing]
    places = sorted({0.0, length, *(end for piece in pieces for end in piece[:2])})
    for start, end in pairwise(places):
        if end - start < _MIN_STRETCH:
            continue
        beside = [piece for piece in pieces if piece.start <= start and piece.end >= end]
        at = _point_along(points, 0.5 * (start + end) / length)
        mark = min(beside, key=lambda piece: _distance_of(piece.points, at)).mark if beside else nothing
        if mark != replace(found[-1], s_offset=0.0):
            found.append(replace(mark, s_offset=start))
    return tuple(found[1:] if len(found) > 1 and found[1].s_offset == 0.0 else found)


class _Piece(NamedTuple):
    """A stretch of a painted line: from where to where along a road [m], its mark, and the line `(N, 2)` in map [m]."""

    start: float
    end: float
    mark: RoadMark
    points: FloatArray


def _pieces(line: LaneBoundary, points: FloatArray, length: float, change: str) -> list[_Piece]:
    """The stretches of a line beside a link whose points `(N, 3)` are given, on a road of some length [m]."""
    first, last = (_place_along(points, line.points[row], length) for row in (0, -1))
    stretches = _stretches(line)
    ends = [*(share for share, *_ in stretches[1:]), 1.0]
    found = []
    for (share, shape, colour, code), until in zip(stretches, ends, strict=True):
        start, end = sorted(_snapped(first + one * (last - first), length) for one in (share, until))
        mark = replace(_mark(line, shape, colour, 0.0, change), user_data={PAINT: code} if code else {})
        found.append(_Piece(start, end, turned([mark])[0] if first > last else mark, line.points[:, :2]))
    return found


def _snapped(place: float, length: float) -> float:
    """A place along a road [m], at its end where it is near."""
    if place < _SAME_PLACE:
        return 0.0
    return length if place > length - _SAME_PLACE else place


def _point_along(points: FloatArray, share: float) -> FloatArray:
    """The point `(2,)` of a line `(N, 3)` in map [m] at a share of its length."""
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points[:, :2], axis=0).T))])
    return np.array([np.interp(share * arc[-1], arc, points[:, column]) for column in (0, 1)])


def _distance_of(line: FloatArray, point: FloatArray) -> float:
    """The distance of a point `(2,)` from a line `(N, 2)` [m]."""
    chord = np.diff(line, axis=0)
    span = np.maximum((chord * chord).sum(axis=1), 1e-12)
    share = np.clip(((point - line[:-1]) * chord).sum(axis=1) / span, 0.0, 1.0)
    return float(np.hypot(*(line[:-1] + share[:, None] * chord - point).T).min())


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


def _stretches(line: LaneBoundary) -> list[tuple[float, str, str, str]]:
    """At which share of a line each stretch of it begins, its shape, colour and code."""
    shapes = line.lane_shape or [""]
    codes = list(map(str, line.lane_type))
    offsets: Sequence[float] = line.lane_type_offset if len(line.lane_type_offset) == len(shapes) else [0.0]
    return [
        (min(max(float(share), 0.0), 1.0), shape, _of(line.lane_color, number), _of(codes, number))
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
