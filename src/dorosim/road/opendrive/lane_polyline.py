"""Points along the lanes of a section, so close that straight lines between them stay near the lanes."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from dorosim.ground.error import InputError
from dorosim.road.adjacency import FloatArray
from dorosim.road.opendrive.lane_line import RoadLines

MAX_CHORD_ERROR = 1e-3
"""How far a lane may lie beside the straight line between two of its points [m]."""

_MAX_GAP = 5.0
"""Points are at most so far apart [m], as those of other maps are."""

_SPLITS = 12
"""A piece is halved so often at most: 5 m become a millimetre."""

_END = 1e-6
"""A section is sampled up to so far before its end [m], where the next one begins."""

_MIN_GAP, _MIN_LENGTH = 1e-3, 1e-2
"""Points are at least so far apart where a curve or cubic begins, and a section is at least so long [m]."""

_MAX_POINTS = 1_000_000
"""Points of all lanes of a section together; a road that needs more is none."""

_MAX_STEP = 100.0
"""Points follow each other by some metres; a lane with a step beyond this [m] has wrong coefficients."""

_FRACTIONS = np.array([0.25, 0.5, 0.75])
"""Where along a piece its distance from the lane is measured."""


class SectionPolylines(NamedTuple):
    """Points of the lanes of a section, all at the same places.

    Attributes:
        s: `(N,)` places along the road [m].
        middles: lane id to `(N, 3)` in map [m], by rising s. borders: the same of outer borders; 0 is the centre.
        widths: lane id to `(N,)` [m].
    """

    s: FloatArray
    middles: dict[int, FloatArray]
    borders: dict[int, FloatArray]
    widths: dict[int, FloatArray]


def section_polylines(lines: RoadLines, section: int, lanes: Collection[int], source: str) -> SectionPolylines | None:
    """Points along some lanes of a section, in the order of s.

    Args:
        lines: of the road.
        section: index of the section.
        lanes: ids of the lanes whose middles have to be within `MAX_CHORD_ERROR`.
        source: the file, as messages name it.

    Returns:
        The points; None where the section is too short to have a direction.

    Raises:
        InputError: the lanes wind so much that they need too many points, or jump.
    """
    start, end = lines.section_ends(section)
    if end - start < _MIN_LENGTH:
        return None
    last = end - _END
    bounds = np.concatenate([[start], lines.breaks(start, last), [last]])
    bounds = bounds[np.concatenate([[True], np.diff(bounds) > _MIN_GAP])]
    bounds[-1] = last
    counts = np.maximum(1, np.ceil(np.diff(bounds) / _MAX_GAP)).astype(np.int64)
    s = np.concatenate(
        [*(np.linspace(a, b, n, endpoint=False) for a, b, n in zip(bounds, bounds[1:], counts, strict=False)), [last]]
    )
    most = _MAX_POINTS // (len(lines.road.lane_sections[section].lanes) + 1)
    for _ in range(_SPLITS):
        far = _chord_errors(lines, section, lanes, s) > MAX_CHORD_ERROR
        if not far.any():
            break
        s = np.sort(np.concatenate([s, (s[:-1][far] + s[1:][far]) / 2.0]))
        if len(s) > most:
            problem = f"lane section {section} winds too much: it would need more than {_MAX_POINTS} points"
            raise InputError(source, f"road {lines.road.id}", problem, "correct its curves and widths")
    middles = lines.lanes_at(section, s)
    borders = lines.borders_at(section, s)
    found = SectionPolylines(
        s=s,
        middles={lane: np.column_stack((one.x, one.y, one.z)) for lane, one in middles.items() if lane in lanes},
        borders={lane: np.column_stack(one) for lane, one in borders.items()},
        widths={lane: middles[lane].width for lane in lanes},
    )
    for lane, points in (*found.middles.items(), *found.borders.items()):
        step = float(np.abs(np.diff(points, axis=0)).max())
        if step > _MAX_STEP:
            problem = f"lane {lane} of section {section} jumps by {step:g} m"
            raise InputError(source, f"road {lines.road.id}", problem, "correct its curves, widths and heights")
    return found


def points_between(s: FloatArray, points: FloatArray, start: float, end: float) -> FloatArray:
    """The piece `(M, 3)` of a line `(N, 3)` in map [m] whose points are at `s` `(N,)`, from `start` to `end` [m]."""
    if start <= s[0] and end >= s[-1]:
        return points
    inside = s[(s > start) & (s < end)]
    places = np.concatenate([[max(start, s[0])], inside, [min(end, s[-1])]])
    return np.column_stack([np.interp(places, s, values) for values in points.T])


def _chord_errors(lines: RoadLines, section: int, lanes: Collection[int], s: FloatArray) -> FloatArray:
    """How far the lanes lie at most beside the straight line of each piece `(N - 1,)` [m]."""
    between = s[:-1, None] + np.diff(s)[:, None] * _FRACTIONS
    every = np.concatenate([s, between.ravel()])
    worst = np.zeros(len(s) - 1)
    for lane, one in lines.lanes_at(section, every).items():
        if lane not in lanes:
            continue
        points = np.column_stack((one.x, one.y, one.z))
        ends, inside = points[: len(s)], points[len(s) :].reshape(len(s) - 1, len(_FRACTIONS), 3)
        chord = np.diff(ends, axis=0)
        length = np.maximum(np.linalg.norm(chord, axis=1), 1e-9)
        way = inside - ends[:-1, None, :]
        along = np.einsum("nfk,nk->nf", way, chord) / length[:, None]
        aside = np.sqrt(np.maximum((way**2).sum(axis=2) - along**2, 0.0))
        worst = np.maximum(worst, aside.max(axis=1))
    return worst
