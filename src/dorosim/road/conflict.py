"""Where lanes get in each other's way: crossings and merges inside junctions, and lanes that part from one node.

Two lanes conflict where their centre lines come closer than a vehicle is wide. This is geometry only;
`dorosim.world.traffic.right_of_way` decides which vehicle goes first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dorosim.road.adjacency import FlagArray, FloatArray, IntArray, frozen, rows_and_numbers
from dorosim.road.lane_network import RoadNetwork

LONG_BODY = 7.0
"""Bodies longer than this are long [m]: buses and trucks."""

WAITING_ROOM = 14.0
"""A vehicle waits inside a junction, before the first conflict, where the way to it is at least this long [m]."""

_SPACING = 1.0
"""Distance of the points at which lanes are compared [m]."""

_MARGIN = 1.0
"""Added to both ends of a zone [m], for the spacing and for the corners of bodies that stand at an angle."""

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


def conflicts_of_network(network: RoadNetwork) -> tuple[Conflicts, Partings]:
    """The conflicts and partings of all lanes that vehicles use."""
    zones, partings, swept = _meetings(network)
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
    after = network.successors
    before = np.repeat(np.arange(network.link_count), np.diff(after.first))
    waiting = np.zeros(network.link_count, np.bool_)
    waiting[before[stopping[after.item]]] = True
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


def _conflicts(network: RoadNetwork, zones: FloatArray, long: FlagArray) -> Conflicts:
    """Zones `(6, C)` with their margins, without those whose twin has none."""
    link, other = zones[:2].astype(np.int64)
    kept = np.concatenate([_with_twins(network, link, other, np.flatnonzero(long == some)) for some in (False, True)])
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


def _with_twins(network: RoadNetwork, link: IntArray, other: IntArray, rows: IntArray) -> IntArray:
    """Those of rows, ordered by their lanes, for which there is one of the same lanes the other way about."""
    if not len(rows):
        return rows
    key, twin = _pair_keys(network, link[rows], other[rows]), _pair_keys(network, other[rows], link[rows])
    found: IntArray = rows[key[np.minimum(np.searchsorted(key, twin), len(key) - 1)] == twin]
    return found


def _partings(network: RoadNetwork, rows: FloatArray) -> Partings:
    link, other = rows[:2].astype(np.int64)
    length = network.link_length
    return Partings(
        frozen(link),
        frozen(other),
        frozen(np.minimum(rows[3] + _MARGIN, length[link])),
        frozen(np.minimum(rows[5] + _MARGIN, length[other])),
    )


def _meetings(network: RoadNetwork) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Zones, partings and the zones of bodies that swing out `(6, C)`: of lanes that do not follow one another.

    Two lanes and the stretches in which they meet, ordered by lanes. What lanes from one node have in common before
    they first are apart is a parting, all else is a zone.
    """
    from dorosim.road.conflict_kernel import find_spans
    from dorosim.road.swing_kernel import (
        ALONG_BODY,
        CONFLICT_DISTANCE,
        MAX_SWING,
        SWING,
        sample_lanes,
    )

    lines, length = network.lines, network.link_length
    counts = np.where(network.link_drivable, np.ceil(length / _SPACING).astype(np.int64) + 1, 0)
    samples = sample_lanes(lines.points, lines.tangent, lines.arc, lines.run, lines.first, counts)
    following, from_node = _followers(network), network.link_from_node
    while True:
        spans = find_spans(samples, from_node, following)
        unclear = np.flatnonzero(spans.unclear)
        if not len(unclear):
            return spans.zone, spans.parting, spans.swept
        link, s = samples.link[unclear], samples.s[unclear]
        bend = [_curvature(network, link, np.clip(s + step, 0.0, length[link])) for step in ALONG_BODY]
        reach = 0.5 * CONFLICT_DISTANCE + np.minimum(SWING * np.max(bend, axis=0), MAX_SWING)
        samples.low[unclear] = samples.high[unclear] = reach


def _curvature(network: RoadNetwork, link: IntArray, s: FloatArray) -> FloatArray:
    """How much lanes turn around points of them, over a few metres, since maps' points are noisy [1/m]."""
    from dorosim.road.swing_kernel import CHORD_HALF

    turn = network.heading_at(link, s + CHORD_HALF) - network.heading_at(link, s - CHORD_HALF)
    found: FloatArray = np.abs(np.mod(turn + math.pi, 2 * math.pi) - math.pi) / (2 * CHORD_HALF)
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
