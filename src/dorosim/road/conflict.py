"""Where lanes get in each other's way: crossings and merges inside junctions, and lanes that part from one node.

Two lanes conflict where their centre lines come closer than a vehicle is wide. This is geometry only;
`dorosim.world.traffic.right_of_way` decides which vehicle goes first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import FlagArray, FloatArray, IntArray, frozen, rows_and_numbers
from dorosim.road.lane_network import RoadNetwork

CONFLICT_DISTANCE = 2.8
"""Centre lines closer than this conflict [m]: the width of a bus (2.5 m) and a margin, less than two lanes side by
side are apart (3.0 m)."""

MAX_HEIGHT_DIFFERENCE = 3.0
"""Lanes more than this above each other do not meet [m]."""

LONG_BODY = 7.0
"""Bodies longer than this are long [m]: buses and trucks."""

_SWING = 9.0
"""How far a long body swings out of its lane in a curve, times the radius [m²]: 12^2 / 16 for a bus of 12 m that is led
as evenly as possible (see `GUIDE` in `dorosim.world.traffic.move_kernel`)."""

_MAX_SWING = 2.0
"""It does not swing out farther than this [m]."""

_CHORD_HALF = 2.5
"""A lane's curvature is that of a chord of twice this [m]."""

_ALONG_BODY = (-4.0, -2.0, 0.0, 2.0, 4.0)
"""A body swings out as the bends this far before and behind make it [m], since it is stiff."""

_NEGLIGIBLE_SWING = 0.25
"""Lanes are straight as far as bodies swing out by less than this in them [m]."""

WAITING_ROOM = 14.0
"""A vehicle waits inside a junction, before the first conflict, where the way to it is at least this long [m]."""

_SPACING = 1.0
"""Distance of the points at which lanes are compared [m]."""

_BATCH = 1 << 14
"""So many points are compared with their neighbours at once, so that their arrays fit into a processor's cache."""

_MARGIN = 1.0
"""Added to both ends of a zone [m], for the spacing and for the corners of bodies that stand at an angle."""

_GAP = 2.5
"""A zone from the common start of two lanes ends where they are apart for this length [m]."""

_NEAR_BEHIND = 12.0
"""Lanes that follow one another with no more than this between them do not conflict [m]: one body is on both."""


@dataclass(frozen=True, slots=True, eq=False)
class Conflicts:
    """Zones in which a body on one lane bars another lane. Every pair of lanes has a row for either of them.

    Where long bodies swing out so far that they need more, the pair has another row for them. Rows are ordered by
    `link`. All arrays are `(C,)` and read-only.

    Attributes:
        link, other: rows of the two lanes.
        start, end: the zone on `link`, arc lengths [m].
        other_start, other_end: the zone on `other`, arc lengths [m].
        merge: whether both lanes end in the same node.
        long: whether the zone counts only where one of two bodies is a long one.
    """

    link: IntArray
    other: IntArray
    start: FloatArray
    end: FloatArray
    other_start: FloatArray
    other_end: FloatArray
    merge: FlagArray
    long: FlagArray


@dataclass(frozen=True, slots=True, eq=False)
class Partings:
    """Lanes that start at the same node, with how far they are one. Rows and arrays as in `Conflicts`.

    Attributes:
        link, other: rows of the two lanes.
        end, other_end: arc lengths up to which they overlap [m].
    """

    link: IntArray
    other: IntArray
    end: FloatArray
    other_end: FloatArray


class _Meeting(NamedTuple):
    """Pairs of points of different lanes that lie close, ordered by lanes and `s`; each pair from either side.

    Attributes:
        link, other: the lanes, `(Q,)`.
        s, other_s: arc lengths `(Q,)` [m].
        narrow: whether they are closer than CONFLICT_DISTANCE, so that bodies meet that swing out nowhere, `(Q,)`.
    """

    link: IntArray
    other: IntArray
    s: FloatArray
    other_s: FloatArray
    narrow: FlagArray

    def at(self, rows: FlagArray) -> _Meeting:
        """Some of the pairs."""
        link, other, s, other_s, narrow = self
        return _Meeting(link[rows], other[rows], s[rows], other_s[rows], narrow[rows])


def conflicts_of_network(network: RoadNetwork) -> tuple[Conflicts, Partings]:
    """The conflicts and partings of all lanes that vehicles use."""
    meeting = _meetings(network)
    zones, partings = _zones(network, meeting.at(meeting.narrow))
    swept, _ = _zones(network, meeting)
    swept = swept[:, _may_bar(network, swept, zones) & ~_are_covered(network, swept, zones)]
    long = np.repeat((False, True), (zones.shape[1], swept.shape[1]))
    return _conflicts(network, np.concatenate((zones, swept), axis=1), long), _partings(network, partings)


def _may_bar(network: RoadNetwork, swept: FloatArray, zones: FloatArray) -> FlagArray:
    """Which zones `(6, C)` of long bodies count: not those on lanes at whose end vehicles wait for a junction.

    A vehicle that waits there would bar a long body for as long as that body bars it. Lanes inside junctions, which no
    vehicle enters without room behind them, always count.
    """
    controlled = np.zeros(network.link_count, np.bool_)
    controlled[zones[0].astype(np.int64)] = True
    near = zones[2] - _MARGIN < WAITING_ROOM
    stopping = np.diff(network.signals.lights_of_link.first) > 0
    stopping[zones[0, near].astype(np.int64)] = True
    waiting = np.array([stopping[network.successors.of(row)].any() for row in range(network.link_count)], np.bool_)
    link, other = swept[:2].astype(np.int64)
    found: FlagArray = (controlled[link] & controlled[other]) | ~(waiting[link] | waiting[other])
    return found


def _are_covered(network: RoadNetwork, swept: FloatArray, zones: FloatArray) -> FlagArray:
    """Which zones `(6, C)` of long bodies are no larger than those of others, which are ordered by lanes."""
    if not zones.shape[1]:
        return np.zeros(swept.shape[1], np.bool_)
    key, wanted = (_pair_keys(network, *pairs[:2].astype(np.int64)) for pairs in (zones, swept))
    row = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
    found: FlagArray = (key[row] == wanted) & (np.abs(swept[2:] - zones[2:, row]) < _SPACING).all(axis=0)
    return found


def _pair_keys(network: RoadNetwork, link: IntArray, other: IntArray) -> IntArray:
    """A number for each pair of lanes, ascending with the first and then with the second."""
    return link * network.link_count + other


def _zones(network: RoadNetwork, meeting: _Meeting) -> tuple[FloatArray, FloatArray]:
    """Zones and partings `(6, C)`: two lanes and the stretches in which they meet, ordered by lanes.

    What lanes from one node have in common before they first are apart is a parting, all else is a zone.
    """
    key = _pair_keys(network, meeting.link, meeting.other)
    begins = np.diff(key, prepend=-1) != 0
    apart = np.where(begins, meeting.s, np.diff(meeting.s, prepend=0.0)) > _GAP
    breaks = np.cumsum(apart)
    first = np.flatnonzero(begins)
    before: IntArray = np.repeat((breaks - apart)[first], np.diff(first, append=len(key)))
    common = _shares_start(network, meeting.link, meeting.other) & (breaks == before)
    return _spans(meeting.at(~common)), _spans(meeting.at(common))


def _spans(meeting: _Meeting) -> FloatArray:
    """Two lanes, and the least and the greatest arc length on either, for all pairs of lanes that meet: `(6, C)`."""
    link, other, s, other_s, _ = meeting
    changed = (np.diff(link, prepend=-1) != 0) | (np.diff(other, prepend=-1) != 0)
    first = np.flatnonzero(changed)
    stretches = [edge.reduceat(arc, first) for arc in (s, other_s) for edge in (np.minimum, np.maximum)]
    return np.array((link[first], other[first], *stretches), np.float64)


def _conflicts(network: RoadNetwork, zones: FloatArray, long: FlagArray) -> Conflicts:
    """Zones `(6, C)` with their margins, without those whose twin has none."""
    link, other = zones[:2].astype(np.int64)
    key, twin = (2 * _pair_keys(network, *pair) + long for pair in ((link, other), (other, link)))
    kept = np.flatnonzero(np.isin(key, twin))
    kept = kept[np.argsort(link[kept], kind="stable")]
    link, other, zones = link[kept], other[kept], zones[:, kept]
    length = network.link_length
    to_node = network.link_to_node
    return Conflicts(
        link=frozen(link),
        other=frozen(other),
        start=frozen(np.maximum(zones[2] - _MARGIN, 0.0)),
        end=frozen(np.minimum(zones[3] + _MARGIN, length[link])),
        other_start=frozen(np.maximum(zones[4] - _MARGIN, 0.0)),
        other_end=frozen(np.minimum(zones[5] + _MARGIN, length[other])),
        merge=frozen((to_node[link] >= 0) & (to_node[link] == to_node[other])),
        long=frozen(long[kept]),
    )


def _partings(network: RoadNetwork, rows: FloatArray) -> Partings:
    link, other = rows[:2].astype(np.int64)
    length = network.link_length
    return Partings(
        frozen(link),
        frozen(other),
        frozen(np.minimum(rows[3] + _MARGIN, length[link])),
        frozen(np.minimum(rows[5] + _MARGIN, length[other])),
    )


def _shares_start(network: RoadNetwork, link: IntArray, other: IntArray) -> FlagArray:
    node = network.link_from_node
    found: FlagArray = (node[link] >= 0) & (node[link] == node[other])
    return found


def _meetings(network: RoadNetwork) -> _Meeting:
    """Close points of lanes that do not follow one another, where long bodies swing out."""
    lanes = np.flatnonzero(network.link_drivable)
    counts = np.ceil(network.link_length[lanes] / _SPACING).astype(np.int64) + 1
    row, number = rows_and_numbers(counts)
    link = lanes[row]
    s = network.link_length[link] * number / np.repeat(counts - 1, counts).clip(min=1)
    point = network.point_at(link, s) if len(link) else np.zeros((0, 3))
    bend = [_curvature(network, link, np.clip(s + step, 0.0, network.link_length[link])) for step in _ALONG_BODY]
    swing = np.minimum(_SWING * np.max(bend, axis=0), _MAX_SWING)
    here, there, distance = close_pairs(point, link, 0.5 * CONFLICT_DISTANCE + swing)
    apart = ~_in_line(network, link[here], link[there])
    here, there, distance = here[apart], there[apart], distance[apart]
    order = np.lexsort((s[here], _pair_keys(network, link[here], link[there])))
    here, there, distance = here[order], there[order], distance[order]
    return _Meeting(link[here], link[there], s[here], s[there], distance < CONFLICT_DISTANCE)


def _curvature(network: RoadNetwork, link: IntArray, s: FloatArray) -> FloatArray:
    """How much lanes turn around points of them, over a few metres, since maps' points are noisy [1/m]."""
    if not len(link):
        return np.zeros(0)
    turn = network.heading_at(link, s + _CHORD_HALF) - network.heading_at(link, s - _CHORD_HALF)
    found: FloatArray = np.abs(np.mod(turn + math.pi, 2 * math.pi) - math.pi) / (2 * _CHORD_HALF)
    return found


def close_pairs(point: FloatArray, link: IntArray, reach: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Returns pairs of points of different links closer than their reaches together, and their distances `(N,)` [m].

    Args:
        point: `(P, 3)` in the map [m].
        link: `(P,)` index of the link of each.
        reach: `(P,)` [m].

    Nearly all points lie on straight lanes, where bodies need little room: these are looked for nearby only.
    """
    bent = reach > 0.5 * CONFLICT_DISTANCE + _NEGLIGIBLE_SWING
    straight, swinging = np.flatnonzero(~bent), np.flatnonzero(bent)
    x, y, z = np.ascontiguousarray(point.T)
    found = [np.zeros((2, 0), np.int64)]
    for ours, theirs in ((straight, straight), (swinging, straight), (swinging, swinging)):
        cell = reach[ours].max(initial=0.0) + reach[theirs].max(initial=0.0)
        for here, there in _candidates(point[:, :2], ours, theirs, max(cell, CONFLICT_DISTANCE)):
            close = (x[here] - x[there]) ** 2 + (y[here] - y[there]) ** 2 < (reach[here] + reach[there]) ** 2
            close &= link[here] != link[there]
            pairs = np.stack((here[close], there[close]))
            pairs = pairs[:, np.abs(z[pairs[0]] - z[pairs[1]]) < MAX_HEIGHT_DIFFERENCE]
            found += [pairs] if ours is not swinging or theirs is swinging else [pairs, pairs[::-1]]
    here, there = np.concatenate(found, axis=1)
    return here, there, np.hypot(x[here] - x[there], y[here] - y[there])


def _candidates(
    point: FloatArray, ours: IntArray, theirs: IntArray, cell: float
) -> Iterator[tuple[IntArray, IntArray]]:
    """Rows of all of our points and of theirs that may be closer than `cell` [m], some at a time.

    They are in the same cell of a grid or in neighbouring ones; those of a column lie side by side when sorted.

    Args:
        point: `(P, 2)`.
        ours: rows of points.
        theirs: rows of points.
        cell: [m].
    """
    place = np.floor((point - point.min(axis=0, initial=0.0)) / cell).astype(np.int64) + 1
    rows = int(place[:, 1].max(initial=0)) + 2
    cells = place[:, 0] * rows + place[:, 1]
    theirs = theirs[np.argsort(cells[theirs], kind="stable")]
    key = cells[theirs]
    for begin in range(0, len(ours), _BATCH):
        some = ours[begin : begin + _BATCH]
        for column in (-rows, 0, rows):
            wanted = cells[some] + column
            low = np.searchsorted(key, wanted - 1, "left")
            counts = np.searchsorted(key, wanted + 1, "right") - low
            row, number = rows_and_numbers(counts)
            yield some[row], theirs[low[row] + number]


def _in_line(network: RoadNetwork, link: IntArray, other: IntArray) -> FlagArray:
    """Whether one of two lanes follows the other, with at most `_NEAR_BEHIND` between them."""
    following = _followers(network)
    keys = (_pair_keys(network, link, other), _pair_keys(network, other, link))
    found: FlagArray = np.isin(keys[0], following) | np.isin(keys[1], following)
    return found


def _followers(network: RoadNetwork) -> IntArray:
    """Keys of all pairs of links of which the second begins within `_NEAR_BEHIND` after the end of the first."""
    successors = network.successors
    count = np.diff(successors.first)
    start = here = np.arange(network.link_count)
    way = np.zeros(network.link_count)
    found = np.zeros(0, np.int64)
    while len(here):
        row, number = rows_and_numbers(count[here])
        start, way, here = start[row], way[row], successors.item[successors.first[here][row] + number]
        key = _pair_keys(network, start, here)
        way = way + network.link_length[here]
        further = (way < _NEAR_BEHIND) & ~np.isin(key, found)
        found = np.union1d(found, key)
        start, way, here = start[further], way[further], here[further]
    return found
