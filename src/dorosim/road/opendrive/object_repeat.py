"""Objects of OpenDRIVE as often as they stand along a road (ASAM OpenDRIVE 1.8, 13.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.opendrive.object_record import ObjectRepeat, OdrObject
from dorosim.road.opendrive.record import OdrRoad

MAX_COPIES = 20_000
"""More copies of an object [1] than this are a mistake."""

MAX_WALL_PIECE = 4.0
"""A body without gaps is cut into pieces of at most this length [m], where these are not too many."""

_FIELDS = ("t", "z_offset", "height", "width", "length", "radius")


class WallPiece(NamedTuple):
    """A straight piece of a body without gaps.

    Attributes:
        start, end: s, t and z offset at its ends [m].
        height, width: [m], None where the file does not say.
    """

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    height: float | None
    width: float | None


def copies_of(one: OdrObject, road: OdrRoad) -> Iterator[OdrObject]:
    """The object itself, or, where it is repeated with gaps, its copies on the road."""
    if not one.repeats:
        yield one
    for repeat in one.repeats:
        if repeat.distance <= 0.0:
            continue
        count = min(int(repeat.length / repeat.distance + 1e-6) + 1, MAX_COPIES)
        for number in range(count):
            s = repeat.s + number * repeat.distance
            if s > road.length + 1e-6:
                return
            share = number * repeat.distance / repeat.length if repeat.length > 0.0 else 0.0
            changed: dict[str, Any] = {name: _between(repeat, name, getattr(one, name), share) for name in _FIELDS}
            yield replace(one, s=s, repeats=(), **changed)


def wall_pieces(one: OdrObject, road: OdrRoad) -> Iterator[WallPiece]:
    """The pieces of an object that is repeated without gaps, as far as its road goes."""
    for repeat in one.repeats:
        end = min(repeat.s + repeat.length, road.length)
        if repeat.distance > 0.0 or end <= repeat.s:
            continue
        count = min(int(np.ceil((end - repeat.s) / MAX_WALL_PIECE)), MAX_COPIES)
        shares = np.linspace(0.0, (end - repeat.s) / repeat.length, count + 1)
        ends = [_end(repeat, one, share) for share in shares.tolist()]
        for share, start, stop in zip((0.5 * (shares[1:] + shares[:-1])).tolist(), ends, ends[1:], strict=False):
            height, width = (_between(repeat, name, getattr(one, name), share) for name in ("height", "width"))
            yield WallPiece(start, stop, height, width)


def _end(repeat: ObjectRepeat, one: OdrObject, share: float) -> tuple[float, float, float]:
    """s, t and z offset at a share of a repeat [m]."""
    t, z = (_between(repeat, name, getattr(one, name), share) or 0.0 for name in ("t", "z_offset"))
    return repeat.s + share * repeat.length, t, z


def _between(repeat: ObjectRepeat, name: str, usual: float | None, share: float) -> float | None:
    """A value at a share of a repeat; that of the object where the repeat has none."""
    start, end = getattr(repeat, f"{name}_start"), getattr(repeat, f"{name}_end")
    if start is None and end is None:
        return usual
    low: float = end if start is None else start
    high: float = start if end is None else end
    return low + share * (high - low)


def rectangle_around(corners: FloatArray) -> tuple[FloatArray, float, float, float, float]:
    """The smallest rectangle around corners `(N, 2)` with a side along one of their edges.

    Returns:
        Its middle `(2,)`, heading of its length [rad], length, width [m], and the share of it that the area fills.
    """
    way = np.roll(corners, -1, axis=0) - corners
    x, y = corners.T
    area = 0.5 * abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))))
    best: tuple[float, FloatArray, float, float, float] | None = None
    for angle in np.unique(np.arctan2(way[:, 1], way[:, 0])).tolist():
        axes = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
        flat = corners @ axes.T
        low, high = flat.min(axis=0), flat.max(axis=0)
        length, width = (high - low).tolist()
        if best is None or length * width < best[0]:
            best = length * width, (0.5 * (low + high)) @ axes, angle, length, width
    assert best is not None  # there is an edge
    size, middle, angle, length, width = best
    return middle, angle, length, width, area / size if size > 0.0 else 0.0
