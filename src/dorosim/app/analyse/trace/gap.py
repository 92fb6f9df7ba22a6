"""How near others are: the nearest in any direction, and the nearest on the way that the actor drives.

Distances are those between the outlines of the bodies in the plan. What is above or below, as on a bridge, does not
count.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.world.actor.body import bodies_of
from dorosim.world.collision.body import BodyTable
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

_AHEAD = 100.0
"""How far ahead others are looked for [m]."""
SAMPLE = 0.05
"""Simulated time between two looks ahead [s]."""
MIN_TIME_GAP_SPEED = 1.0
"""Speed from which on a gap has a time [m/s]."""
BoolArray = NDArray[np.bool_]
_PIECE = 0.5
"""Length of the pieces of the driven way [m]."""
_NO_BOX = np.empty((0, 5))
_CORNERS = np.array([(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)])


@dataclass(frozen=True, slots=True, eq=False)
class Gaps:
    """Distances to others, by tick.

    Attributes:
        nearest: `(N,)` to the nearest body in any direction [m], 0 while they touch; NaN where there is none.
        ahead: `(N,)` from the front bumper to the nearest body on the way, along it [m]; NaN where there is none
            within `_AHEAD`.
        ahead_time: `(N,)` until the front bumper is where that body is, at the present speed [s].
    """

    nearest: FloatArray
    ahead: FloatArray
    ahead_time: FloatArray


def boxes_of(table: BodyTable, rows: IntArray) -> FloatArray:
    """Outlines of bodies in the plan `(n, 5)`: x, y of the middle in map, yaw, half length, half width [m, rad]."""
    columns = (table.x, table.y, table.yaw, table.half_length, table.half_width)
    boxes: FloatArray = np.stack([column[rows] for column in columns], axis=1)
    return boxes


def corners_of(boxes: FloatArray) -> FloatArray:
    """Corners of outlines `(n, 4, 2)` in map [m], around."""
    x, y, yaw = boxes[:, 0, None], boxes[:, 1, None], boxes[:, 2]
    c, s = np.cos(yaw)[:, None], np.sin(yaw)[:, None]
    local = _CORNERS * boxes[:, None, 3:5]
    east, north = x + local[..., 0] * c - local[..., 1] * s, y + local[..., 0] * s + local[..., 1] * c
    corners: FloatArray = np.stack((east, north), axis=2)
    return corners


def box_distances(first: FloatArray, second: FloatArray) -> FloatArray:
    """Distances `(n,)` between outlines `(n, 5)` and others `(n, 5)`, pair by pair [m]; 0 where they overlap."""
    one, other = corners_of(first), corners_of(second)
    # boxes that do not overlap are nearest at a corner of one of them
    distance: FloatArray = np.minimum(_outside(one, second).min(axis=1), _outside(other, first).min(axis=1))
    distance[_overlap(one, other)] = 0.0
    return distance


def _outside(points: FloatArray, boxes: FloatArray) -> FloatArray:
    """Distances of points `(n, k, 2)` from outlines `(n, 5)`, 0 inside."""
    c, s = np.cos(boxes[:, 2])[:, None], np.sin(boxes[:, 2])[:, None]
    x, y = points[..., 0] - boxes[:, 0, None], points[..., 1] - boxes[:, 1, None]
    forward = np.maximum(np.abs(x * c + y * s) - boxes[:, 3, None], 0.0)
    left = np.maximum(np.abs(y * c - x * s) - boxes[:, 4, None], 0.0)
    return np.hypot(forward, left)


def _overlap(first: FloatArray, second: FloatArray) -> BoolArray:
    """Whether boxes with corners `(n, 4, 2)` overlap, pair by pair: no edge of either parts them."""
    overlap = np.ones(len(first), bool)
    for box in (first, second):
        for k in (0, 1):
            edge = box[:, k + 1] - box[:, k]
            a, b = np.einsum("nki,ni->nk", first, edge), np.einsum("nki,ni->nk", second, edge)
            overlap &= (a.max(axis=1) >= b.min(axis=1)) & (b.max(axis=1) >= a.min(axis=1))
    return overlap


@dataclass(slots=True, eq=False)
class GapMeter:
    """Measures distances while a recording is run again, tick by tick.

    Args:
        scene: of the run.
        actor: id of the actor from which distances are measured.
    """

    scene: Scene
    actor: int
    _pairs: list[tuple[FloatArray, FloatArray]] = field(default_factory=list)
    """By tick: the actor's outline `(m, 5)` as often as there are others that may be the nearest, and theirs."""
    _front: list[float] = field(default_factory=list)
    _width: float = 0.0
    _looked: list[tuple[int, FloatArray]] = field(default_factory=list)
    _last: float = -math.inf

    def add(self, now: Snapshot, x: float, y: float, yaw: float) -> None:
        """A tick, with the actor's origin in map [m] and its heading [rad]."""
        table = bodies_of(self.scene, now).table
        rows = np.flatnonzero(table.id == self.actor)
        if not len(rows):
            self.skip()
            return
        own = int(rows[0])
        east, north, length, width = table.x[own], table.y[own], table.half_length[own], table.half_width[own]
        middle = (east - x) * math.cos(yaw) + (north - y) * math.sin(yaw)
        self._front.append(float(middle + length))
        self._width = float(width)
        level = np.abs(table.z - table.z[own]) <= table.half_height + table.half_height[own]
        level[own] = False
        others = np.flatnonzero(level)
        # outlines are at least so far apart as circles around them, and at most as far as their middles
        middles = np.hypot(table.x - east, table.y - north)[others]
        least = middles - np.hypot(table.half_length, table.half_width)[others] - math.hypot(length, width)
        near = others[least <= middles.min()] if len(others) else others
        boxes = boxes_of(table, np.append(own, near))
        self._pairs.append((boxes[:1].repeat(len(near), axis=0), boxes[1:]))
        time = now.time * 1e-9
        if abs(time - self._last) >= SAMPLE - 1e-6:
            self._last = time
            ahead = boxes_of(table, others[least < _AHEAD])
            self._looked.append((len(self._front) - 1, corners_of(ahead)))

    def skip(self) -> None:
        """A tick at which the actor is not there."""
        self._front.append(math.nan)
        self._pairs.append((_NO_BOX, _NO_BOX))

    def again(self) -> None:
        """The last tick is to be measured again: time stood still."""
        self._pairs.pop()
        self._front.pop()
        if self._looked and self._looked[-1][0] == len(self._front):
            self._looked.pop()
            self._last = -math.inf

    def _nearest(self) -> FloatArray:
        """`(N,)` distance to the nearest other [m], NaN where there is none."""
        nearest = np.full(len(self._pairs), np.inf)
        if nearest.size:
            tick = np.repeat(np.arange(len(nearest)), [len(others) for _, others in self._pairs])
            own, others = (np.concatenate(boxes) for boxes in zip(*self._pairs, strict=True))
            np.minimum.at(nearest, tick, box_distances(own, others))
        nearest[np.isinf(nearest)] = np.nan
        return nearest

    def gaps(self, time: FloatArray, x: FloatArray, y: FloatArray, heading: FloatArray, speed: FloatArray) -> Gaps:
        """All distances.

        A body is ahead if it is on the way that the actor drove afterwards, straight on at its end. Between two
        measurements the last one counts.

        Args:
            time: `(N,)` simulated [s].
            x: `(N,)` of its origin in map, east [m].
            y: `(N,)` north [m].
            heading: `(N,)` [rad].
            speed: `(N,)` forward [m/s].
        """
        count = len(x)
        ahead = np.full(count, np.nan)
        for begin, end in _drives(time, x, y, speed):
            looked = [one for one in self._looked if begin <= one[0] < end]
            path, arc, place = _driven_path(x[begin:end], y[begin:end], float(heading[end - 1]))
            for number, (tick, corners) in enumerate(looked):
                until = looked[number + 1][0] if number + 1 < len(looked) else end
                at = float(place[tick - begin])
                ahead[tick:until] = _first_on(path, arc, at, self._front[tick], self._width, corners)
        ahead[speed < -0.1] = np.nan
        with np.errstate(divide="ignore", invalid="ignore"):
            ahead_time = np.where(speed >= MIN_TIME_GAP_SPEED, ahead / speed, np.nan)
        return Gaps(self._nearest(), ahead, ahead_time)


def moved_on(time: FloatArray, x: FloatArray, y: FloatArray, speed: FloatArray) -> BoolArray:
    """Whether an actor moved from each tick to the next, `(N - 1,)`: it was there, and was not placed elsewhere.

    Args:
        time: `(N,)` simulated [s].
        x: `(N,)` of its origin in map, east [m].
        y: `(N,)` north [m].
        speed: `(N,)` forward [m/s].
    """
    fastest = np.maximum(np.maximum(np.abs(speed[:-1]), np.abs(speed[1:])), 1.0)
    near: BoolArray = np.hypot(np.diff(x), np.diff(y)) <= np.maximum(1.0, 2.0 * np.diff(time) * fastest)
    return near


def _drives(time: FloatArray, x: FloatArray, y: FloatArray, speed: FloatArray) -> list[tuple[int, int]]:
    """Spans of ticks in which the actor is there and is not placed elsewhere."""
    there = np.isfinite(x)
    cut = np.flatnonzero(~moved_on(time, x, y, speed)) + 1
    edges = [0, *cut.tolist(), len(x)]
    return [(a, b) for a, b in pairwise(edges) if b > a and there[a]]


def _driven_path(x: FloatArray, y: FloatArray, heading: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The driven way in pieces, straight on at its end: points `(P, 2)`, arcs `(P,)`, and `(n,)` of the ticks [m]."""
    place = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))))
    moved = np.concatenate(([True], np.diff(place) > 0.0))
    end = place[-1] + _AHEAD
    beyond = np.array([x[-1] + _AHEAD * math.cos(heading), y[-1] + _AHEAD * math.sin(heading)])
    known = np.append(place[moved], end)
    arc = np.arange(0.0, end, _PIECE)
    return (
        np.stack(
            (
                np.interp(arc, known, np.append(x[moved], beyond[0])),
                np.interp(arc, known, np.append(y[moved], beyond[1])),
            ),
            axis=1,
        ),
        arc,
        place,
    )


def _first_on(
    path: FloatArray, arc: FloatArray, at: float, front: float, half_width: float, corners: FloatArray
) -> float:
    """The gap to the first body on the way beyond the front bumper [m], NaN for none.

    Args:
        path: `(P, 2)` points of it in map [m].
        arc: `(P,)` their arc lengths [m].
        at: arc length of the actor's origin.
        front: of its front bumper beyond that.
        half_width: of the actor.
        corners: `(n, 4, 2)` of the others.
    """
    first = max(int(at / _PIECE) - 1, 0)
    part = slice(first, int((at + front + _AHEAD) / _PIECE) + 2)
    points, s = path[part], arc[part]
    if len(points) < 2 or not len(corners):
        return math.nan
    # corners and points between them: a body across the way may have no corner on it
    around = np.concatenate((corners, 0.5 * (corners + np.roll(corners, -1, axis=1))), axis=1)
    along = np.diff(points, axis=0)
    unit = along / np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)[:, None]
    rel = around[:, :, None, :] - points[:-1]
    forward = rel[..., 0] * unit[:, 0] + rel[..., 1] * unit[:, 1]
    left = rel[..., 1] * unit[:, 0] - rel[..., 0] * unit[:, 1]
    beyond = forward - np.clip(forward, 0.0, _PIECE)
    best = np.argmin(np.hypot(left, beyond), axis=2)[..., None]
    side = np.take_along_axis(left, best, 2)[..., 0]
    place = s[best[..., 0]] + np.take_along_axis(forward, best, 2)[..., 0]
    inside = (side.min(axis=1) < half_width) & (side.max(axis=1) > -half_width)
    gap = place.min(axis=1) - (at + front)
    wanted = inside & (place.max(axis=1) > at + front) & (gap <= _AHEAD)
    if not wanted.any():
        return math.nan
    return max(float(gap[wanted].min()), 0.0)
