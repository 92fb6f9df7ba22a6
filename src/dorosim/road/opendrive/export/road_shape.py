"""The lines of a road from the links that are its lanes (ASAM OpenDRIVE 1.8, 9 to 11).

The reference line is the centre line of the innermost link, that on the left in right-hand traffic, and the lane offset
leads from it to that link's inner border. So the centre of that lane is the fitted line itself, whatever its width.

A lane of OpenDRIVE lies in the middle between its borders, a link need not. Borders are chosen so that the middles are
the links' centre lines; where a link has more room on the outer side of the road, the rest becomes a margin, a lane of
type "none". Towards their ends lanes get the widths that they have at their nodes (`node_width`). How far each link
reaches beyond its lane is said exactly by `LaneRoom`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.lane_network import RoadNetwork
from dorosim.road.opendrive.export.lane_course import course_of_points, points_apart
from dorosim.road.opendrive.export.node_width import MIN_LANE_MARGIN, even_widths
from dorosim.road.opendrive.export.plan_fit import plan_from_points
from dorosim.road.opendrive.export.profile_fit import cubics_from_values, values_of_cubics
from dorosim.road.opendrive.lane_record import Cubic
from dorosim.road.opendrive.plan_record import PlanGeometry
from dorosim.road.opendrive.reference_line import ReferenceLine

_STEP = 2.0
"""Stations of a road are at most this far apart [m]."""

_MIN_STEP = 0.1
"""Stations are not nearer to each other than this [m]."""

_MIN_KNOT = 1e-3
"""Widths of a link are given at places no nearer to each other than this [m]."""

_CENTRE_WEIGHT = 100.0
"""How much more than its width the middle of a lane counts where both cannot be as the map has them."""

_MIN_MARGIN_WIDTH = 0.005
"""A margin that the road has is nowhere narrower than this [m], so that no width is negative."""

_FADE, _SHORT_FADE, _SMALL_MOVE = 10.0, 2.0, 0.05
"""Along this length from its end a lane comes to the width that it has there, at most half of the road; along the
second one where its borders move by no more than the third [m]."""

_WIDTH_TOLERANCE, _HEIGHT_TOLERANCE, _ROLL_TOLERANCE = 0.002, 0.003, 3e-4
"""How far cubics of widths [m], heights [m] and superelevations [rad] may be from the links."""


class LaneRoom(NamedTuple):
    """How much farther a link reaches than half of its lane's width, `(N,)` each [m].

    Attributes:
        s: places along the road. inner, outer: to the inner and the outer side of the road.
    """

    s: FloatArray
    inner: FloatArray
    outer: FloatArray


class RoadShape(NamedTuple):
    """A road's lines.

    Attributes:
        geometries: of its plan view. length: [m].
        lane_offsets, elevations, superelevations: along the road.
        widths: of each lane, from the innermost one outwards.
        inner_margin, outer_margin: widths of the margins, empty for none.
        rooms: of each link.
    """

    geometries: tuple[PlanGeometry, ...]
    length: float
    lane_offsets: tuple[Cubic, ...]
    elevations: tuple[Cubic, ...]
    superelevations: tuple[Cubic, ...]
    widths: tuple[tuple[Cubic, ...], ...]
    inner_margin: tuple[Cubic, ...]
    outer_margin: tuple[Cubic, ...]
    rooms: tuple[LaneRoom, ...]


class _LaneStations(NamedTuple):
    """A link at the stations of its road, `(N,)` each [m]: how far out its middle is, its height, and its room."""

    middle: FloatArray
    height: FloatArray
    inner: FloatArray
    outer: FloatArray


def road_shape(
    network: RoadNetwork,
    links: tuple[int, ...],
    headings: tuple[FloatArray, FloatArray],
    widths: tuple[FloatArray, FloatArray],
) -> RoadShape:
    """The lines of a road.

    Args:
        network: of the map.
        links: from the innermost one outwards.
        headings: `(L,)` at starts and ends of all links, see `node_headings`.
        widths: `(L,)` at starts and ends of all links, see `widths_at_nodes`.
    """
    first, last = float(headings[0][links[0]]), float(headings[1][links[0]])
    geometries = plan_from_points(*course_of_points(points_apart(network.points_of(links[0])), first, last))
    length = geometries[-1].s + geometries[-1].length
    reference = ReferenceLine(geometries)
    placed = [_points_along(network, link, reference, length) for link in links]
    s = _stations(length, np.concatenate([place for place, _ in placed]))
    lanes = [_at_stations(network, link, *one, s) for link, one in zip(links, placed, strict=True)]
    lanes[0] = lanes[0]._replace(middle=np.zeros_like(s))
    at_ends = [one[list(links)] for one in widths]
    borders = _faded(s, _borders(lanes), at_ends[0], at_ends[1])
    side = 1.0 if network.left_hand_traffic else -1.0
    reach = (lanes[0].inner - lanes[0].middle + borders[0], lanes[-1].middle + lanes[-1].outer - borders[-1])
    inner, outer = (
        cubics_from_values(s, np.maximum(width, _MIN_MARGIN_WIDTH), 0.8 * _MIN_MARGIN_WIDTH)
        if width.max() > MIN_LANE_MARGIN
        else ()
        for width in reach
    )
    lane_widths = tuple(cubics_from_values(s, one, _WIDTH_TOLERANCE) for one in np.diff(borders, axis=0))
    return RoadShape(
        geometries=geometries,
        length=length,
        lane_offsets=cubics_from_values(s, side * borders[0], _WIDTH_TOLERANCE),
        elevations=cubics_from_values(s, lanes[0].height, _HEIGHT_TOLERANCE),
        superelevations=_superelevations(s, lanes, side),
        widths=lane_widths,
        inner_margin=inner,
        outer_margin=outer,
        rooms=tuple(
            _room(network, link, place, s, cubics)
            for link, (place, _), cubics in zip(links, placed, lane_widths, strict=True)
        ),
    )


def _stations(length: float, places: FloatArray) -> FloatArray:
    """Stations `(N,)` of a road [m]: those at points of its links `(P,)`, and some between."""
    found = [0.0]
    fades = [min(one, 0.5 * length) * np.linspace(0.0, 1.0, 6) for one in (_SHORT_FADE, _FADE)]
    places = np.concatenate([places, *fades, *(length - one for one in fades)])
    for place in [*np.unique(places[(places > 0.0) & (places < length - _MIN_STEP)]).tolist(), length]:
        gap = place - found[-1]
        if gap >= _MIN_STEP or place == length:
            count = max(math.ceil(gap / _STEP), 1)
            found += [found[-1] + gap * step / count for step in range(1, count)] + [place]
    return np.array(found)


def _points_along(
    network: RoadNetwork, link: int, reference: ReferenceLine, length: float
) -> tuple[FloatArray, FloatArray]:
    """Where the points of a link lie along its road: s and t `(P,)` [m]."""
    own = slice(int(network.lines.first[link]), int(network.lines.first[link + 1]))
    arc = network.lines.arc[own]
    x, y, _ = network.lines.points[own].T
    return project(reference, length, x, y, arc * (length / max(float(arc[-1]), 1e-9)))


def _at_stations(network: RoadNetwork, link: int, place: FloatArray, t: FloatArray, s: FloatArray) -> _LaneStations:
    """A link at the stations `(N,)` of its road, from the places and offsets `(P,)` of its points [m]."""
    own = slice(int(network.lines.first[link]), int(network.lines.first[link + 1]))
    order = np.argsort(place, kind="stable")
    sides = (network.left_width[own], network.right_width[own])
    inner, outer = reversed(sides) if network.left_hand_traffic else sides
    outwards = t if network.left_hand_traffic else -t
    values = (outwards, network.lines.points[own, 2], inner, outer)
    return _LaneStations(*(np.interp(s, place[order], one[order]) for one in values))


def _room(network: RoadNetwork, link: int, place: FloatArray, s: FloatArray, widths: tuple[Cubic, ...]) -> LaneRoom:
    """How much farther a link reaches than its lane, at stations of the road and at its own points.

    Args:
        network: of the map.
        link: its row.
        place: `(P,)` where its points lie along the road [m].
        s: `(N,)` stations of the road [m].
        widths: of the lane.
    """
    at = np.unique(np.concatenate([s, place[(place > 0.0) & (place < s[-1])]]))
    at = at[np.concatenate([[True], np.diff(at) > _MIN_KNOT])]
    one = _at_stations(network, link, place, np.zeros_like(place), at)
    half = 0.5 * values_of_cubics(widths, at)
    return LaneRoom(at, one.inner - half, one.outer - half)


def project(
    reference: ReferenceLine, length: float, x: FloatArray, y: FloatArray, guess: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The places beside which points lie.

    Args:
        reference: of the road.
        length: of it [m].
        x: `(N,)` in map [m].
        y: `(N,)` in map [m].
        guess: `(N,)` about where along the road they lie [m].

    Returns:
        s `(N,)` on the road and t `(N,)` [m]. For points before the start and behind the end these are those of the
        end's tangent line, so s may be negative or more than the length.
    """
    s = np.clip(guess, 0.0, length)
    for _ in range(8):
        line = reference.at(np.clip(s, 0.0, length))
        cosine, sine = np.cos(line.heading), np.sin(line.heading)
        ahead, t = (x - line.x) * cosine + (y - line.y) * sine, (y - line.y) * cosine - (x - line.x) * sine
        s = np.clip(s, 0.0, length) + ahead / np.clip(1.0 - line.curvature * t, 0.2, 5.0)
    inside = np.clip(s, 0.0, length)
    line = reference.at(inside)
    cosine, sine = np.cos(line.heading), np.sin(line.heading)
    t = (y - line.y) * cosine - (x - line.x) * sine
    return inside + (x - line.x) * cosine + (y - line.y) * sine, t


def _borders(lanes: list[_LaneStations]) -> FloatArray:
    """Borders `(n + 1, N)` of n lanes, how far out they are [m], by least squares of middles and widths."""
    widths = even_widths(np.array([one.inner for one in lanes]), np.array([one.outer for one in lanes]))
    count = len(lanes)
    before, after = np.eye(count, count + 1), np.eye(count, count + 1, 1)
    matrix = np.concatenate([_CENTRE_WEIGHT * (before + after) / 2.0, after - before])
    wanted = np.concatenate([_CENTRE_WEIGHT * np.array([one.middle for one in lanes]), widths])
    found: FloatArray = np.linalg.pinv(matrix) @ wanted
    return found


def _faded(s: FloatArray, borders: FloatArray, at_start: FloatArray, at_end: FloatArray) -> FloatArray:
    """Borders `(n + 1, N)` whose lanes have given widths at the ends of the road, with the same middles [m].

    Middles stay where borders move in turns to either side by the same length.

    Args:
        s: `(N,)` places along the road [m].
        borders: `(n + 1, N)` [m].
        at_start: `(n,)` widths wanted at the start [m], NaN for any.
        at_end: `(n,)` the same at the end.
    """
    turns = np.where(np.arange(len(borders)) % 2, -1.0, 1.0)
    moved = borders.copy()
    for row, wanted, way in ((0, at_start, s), (-1, at_end, s[-1] - s)):
        missing = wanted - np.diff(borders[:, row])
        known = np.isfinite(missing)
        if known.any():
            move = -0.5 * float((turns[:-1] * missing)[known].mean())
            fade = _FADE if abs(move) > _SMALL_MOVE else _SHORT_FADE
            share = np.clip(way / min(fade, 0.5 * float(s[-1])), 0.0, 1.0)
            moved += np.outer(turns, move * (1.0 - share * share * (3.0 - 2.0 * share)))
    return moved


def _superelevations(s: FloatArray, lanes: list[_LaneStations], side: float) -> tuple[Cubic, ...]:
    """The slope across the road, from the heights of its links; none where there is but one link, or it is level."""
    if len(lanes) == 1:
        return ()
    t = side * np.array([one.middle for one in lanes[1:]])
    rise = np.array([one.height for one in lanes[1:]]) - lanes[0].height
    roll = np.arctan((rise * t).sum(axis=0) / (t * t).sum(axis=0))
    return cubics_from_values(s, roll, _ROLL_TOLERANCE) if np.abs(roll).max() > _ROLL_TOLERANCE else ()
