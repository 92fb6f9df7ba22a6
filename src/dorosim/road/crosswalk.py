"""Where people cross the road: areas, the lights that belong to them, and the lanes that pass through them.

This is what does not change in a run. A map gives areas in singlecrosswalk_set.json, or, where that is empty, as
surface markings of type "5" (facts/ros-grpc-mgeo.md, section 3.2). Where two pedestrian heads that belong to no area
face each other, people cross between them, whether the map paints an area or not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dorosim.road.adjacency import (
    Adjacency,
    FlagArray,
    FloatArray,
    IntArray,
    adjacency_from_lists,
    frozen,
)
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.polyline import Polylines, meeting_fractions
from dorosim.road.signal import Light, Signals

MARKING_TYPE = "5"
"""Type of a surface marking that is a crosswalk (facts/ros-grpc-mgeo.md, section 3.1)."""

CROSSWALK_WIDTH = 4.0
"""Width of a crosswalk that is only known by its lights [m]: the least that Korea's traffic marking manual allows."""

_MIN_FACING_DISTANCE, _MAX_FACING_DISTANCE = 4.0, 60.0
"""Heads that face each other stand at least and at most this far apart [m]."""
_FACING = math.cos(math.radians(20.0))
_KERB_DISTANCE = 1.0
"""How far a head stands behind the kerb [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class Crosswalks:
    """The crosswalks of a map; all arrays are read-only.

    Attributes:
        ids: the map's names of the areas; "" for one that is only known by its lights.
        first: `(K + 1,)` first corner of each area.
        corner: `(P, 3)` corners in order around each area, the first not repeated, in map [m].
        lights: for each area the pedestrian lights that belong to it.
        link: `(X,)` a lane that passes through an area, ascending; `area`: `(X,)` that area.
        begin, end: `(X,)` arc lengths on the lane's centre line where it comes in and goes out [m].
    """

    ids: tuple[str, ...]
    first: IntArray
    corner: FloatArray
    lights: Adjacency
    link: IntArray
    area: IntArray
    begin: FloatArray
    end: FloatArray

    def __len__(self) -> int:
        """The number of areas."""
        return len(self.first) - 1

    def of(self, area: int) -> FloatArray:
        """The corners `(n, 3)` of one area in map [m], a view."""
        return self.corner[self.first[area] : self.first[area + 1]]


def crosswalks_from_mgeo(m: MGeoMap, signals: Signals, lines: Polylines, drivable: FlagArray) -> Crosswalks:
    """The crosswalks of a map.

    Args:
        m: the map.
        signals: its lights.
        lines: centre lines of the links.
        drivable: `(L,)` whether vehicles may use a link; only such lanes are crossed.
    """
    ids, areas, lights = _areas_of_map(m, signals.lights)
    taken = {light for members in lights for light in members}
    for one, other in _facing_pairs(signals.lights, taken):
        ids.append("")
        areas.append(_area_between(signals.lights[one], signals.lights[other]))
        lights.append([one, other])
    corner = np.concatenate(areas) if areas else np.zeros((0, 3))
    first = np.cumsum([0, *map(len, areas)])
    crossings = sorted(
        (link, begin, end, number)
        for number, area in enumerate(areas)
        for link, begin, end in _lanes_through(area, lines, drivable)
    )
    return Crosswalks(
        ids=tuple(ids),
        first=frozen(first),
        corner=frozen(np.ascontiguousarray(corner, np.float64)),
        lights=adjacency_from_lists(lights),
        link=frozen(np.array([row[0] for row in crossings], np.int64)),
        area=frozen(np.array([row[3] for row in crossings], np.int64)),
        begin=frozen(np.array([row[1] for row in crossings], np.float64)),
        end=frozen(np.array([row[2] for row in crossings], np.float64)),
    )


def _areas_of_map(m: MGeoMap, lights: Sequence[Light]) -> tuple[list[str], list[FloatArray], list[list[int]]]:
    """Names, corners and pedestrian lights of the areas that a map gives."""
    walkers = {light.id: row for row, light in reversed(list(enumerate(lights))) if light.kind == "pedestrian"}
    of_crosswalk: dict[str, set[int]] = {}
    for row in walkers.values():
        if lights[row].crosswalk:
            of_crosswalk.setdefault(lights[row].crosswalk, set()).add(row)
    of_area: dict[str, set[int]] = {}
    for crosswalk in m.crosswalks:
        named = {walkers[light] for light in crosswalk.ref_traffic_light_list if light in walkers}
        of_crosswalk.setdefault(crosswalk.idx, set()).update(named)
        for area in crosswalk.single_crosswalk_list:
            of_area.setdefault(area, set()).update(of_crosswalk[crosswalk.idx])
    ids: list[str] = []
    areas: list[FloatArray] = []
    members: list[list[int]] = []
    painted = [(one.idx, one.points, one.ref_crosswalk_id) for one in m.single_crosswalks]
    if not painted:
        painted = [(one.idx, one.points, "") for one in m.surface_markings if one.type == MARKING_TYPE]
    for name, ring, crosswalk_id in painted:
        corners = _corners(ring)
        if len(corners) < 3:
            continue
        own = of_area.get(name, set()) | of_crosswalk.get(crosswalk_id, set()) | of_crosswalk.get(name, set())
        ids.append(name)
        areas.append(corners)
        members.append(sorted(own))
    return ids, areas, members


def _corners(points: FloatArray) -> FloatArray:
    """The corners of a ring without the repeated first one."""
    closed = len(points) > 1 and np.array_equal(points[0], points[-1])
    return points[:-1] if closed else points


def _facing_pairs(lights: Sequence[Light], taken: set[int]) -> list[tuple[int, int]]:
    """Pairs of free pedestrian heads that face each other, each head with the nearest one that faces it."""
    free = [row for row, light in enumerate(lights) if light.kind == "pedestrian" and row not in taken]
    if len(free) < 2:
        return []
    point = np.array([lights[row].point[:2] for row in free])
    heading = np.array([lights[row].heading for row in free])
    looking = np.column_stack((np.cos(heading), np.sin(heading)))
    way = point[None, :, :] - point[:, None, :]
    distance = np.hypot(way[..., 0], way[..., 1])
    with np.errstate(divide="ignore", invalid="ignore"):
        ahead = np.einsum("ijk,ik->ij", way, looking) / distance
    fits = (
        (ahead > _FACING)
        & (ahead.T > _FACING)
        & (distance >= _MIN_FACING_DISTANCE)
        & (distance <= _MAX_FACING_DISTANCE)
    )
    cost = np.where(fits, distance, np.inf)
    best = cost.argmin(axis=1)
    return [
        (free[i], free[j])
        for i, j in enumerate(best.tolist())
        if i < j and best[j] == i and math.isfinite(float(cost[i, j]))
    ]


def _area_between(one: Light, other: Light) -> FloatArray:
    """The corners of an area from kerb to kerb between two heads, on the level of their feet as far as is known."""
    start, stop = np.array(one.point, np.float64), np.array(other.point, np.float64)
    way = (stop - start)[:2]
    way /= np.hypot(*way)
    aside = 0.5 * CROSSWALK_WIDTH * np.array([-way[1], way[0]])
    near, far = start[:2] + _KERB_DISTANCE * way, stop[:2] - _KERB_DISTANCE * way
    corners = np.array([near - aside, far - aside, far + aside, near + aside])
    return np.column_stack((corners, [start[2], stop[2], stop[2], start[2]]))


def _lanes_through(area: FloatArray, lines: Polylines, drivable: FlagArray) -> list[tuple[int, float, float]]:
    """Lanes whose centre line passes through an area: link, and arc lengths where it comes in and goes out."""
    low, high = area[:, :2].min(axis=0), area[:, :2].max(axis=0)
    points = lines.points[:, :2]
    segment = np.flatnonzero((lines.line[1:] == lines.line[:-1]) & drivable[lines.line[:-1]])
    start, stop = points[segment], points[segment + 1]
    near = ((np.maximum(start, stop) >= low) & (np.minimum(start, stop) <= high)).all(axis=1)
    found: dict[int, list[float]] = {}
    for k in segment[near].tolist():
        for fraction in _fractions_across(points[k], points[k + 1], area[:, :2]):
            s = float(lines.arc[k] + fraction * (lines.arc[k + 1] - lines.arc[k]))
            found.setdefault(int(lines.line[k]), []).append(s)
    for link, places in found.items():
        ends = lines.first[link], lines.first[link + 1] - 1
        places += [float(lines.arc[end]) for end in ends if is_inside(points[end], area[:, :2])]
    return [(link, min(places), max(places)) for link, places in found.items()]


def _fractions_across(start: FloatArray, stop: FloatArray, corners: FloatArray) -> list[float]:
    """Fractions of the line from start to stop at which it meets an edge of a ring `(n, 2)`."""
    edge = np.roll(corners, -1, axis=0) - corners
    along, along_edge = meeting_fractions(stop - start, edge.T, (corners - start).T)
    met = (along >= 0) & (along <= 1) & (along_edge >= 0) & (along_edge <= 1)
    fractions: list[float] = along[met].tolist()
    return fractions


def is_inside(point: FloatArray, corners: FloatArray) -> bool:
    """Whether a point `(2,)` lies in a ring `(n, 2)`, by the even-odd rule."""
    after = np.roll(corners, -1, axis=0)
    spans = (corners[:, 1] > point[1]) != (after[:, 1] > point[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        x = corners[:, 0] + (point[1] - corners[:, 1]) / (after[:, 1] - corners[:, 1]) * (after[:, 0] - corners[:, 0])
    return bool(np.count_nonzero(spans & (point[0] < x)) % 2)
