"""Where lanes get in each other's way: crossings and merges inside junctions, and lanes that part from one node.

Two lanes conflict where their centre lines come closer than a vehicle is wide. This is geometry only; who goes first
is decided by `dorosim.world.traffic.right_of_way`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import FlagArray, RealArray, WholeArray, frozen
from dorosim.road.network import RoadNetwork

REACH = 2.8
"""Centre lines closer than this conflict [m]: the width of a bus (2.5 m) and a margin, less than two lanes side by
side are apart (3.0 m)."""

LEVEL = 3.0
"""Lanes more than this above each other do not meet [m]."""

LONG_BODY = 7.0
"""Bodies longer than this are long [m]: buses and trucks."""

_SWING = 9.0
"""How far a long body swings out of its lane in a curve, times the radius [m²]: 12^2 / 16 for a bus of 12 m that is led
as evenly as possible (see `GUIDE` in `dorosim.world.traffic.move_kernel`)."""

_MOST_SWING = 2.0
"""It does not swing out farther than this [m]."""

_TURN_REACH = 2.5
"""A lane's curvature is that of a chord of twice this [m]."""

_SPACING = 1.0
"""Distance of the points at which lanes are compared [m]."""

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

    link: WholeArray
    other: WholeArray
    start: RealArray
    end: RealArray
    other_start: RealArray
    other_end: RealArray
    merge: FlagArray
    long: FlagArray


@dataclass(frozen=True, slots=True, eq=False)
class Partings:
    """Lanes that start at the same node, with how far they are one. Rows and arrays as in `Conflicts`.

    Attributes:
        link, other: rows of the two lanes.
        end, other_end: arc lengths up to which they overlap [m].
    """

    link: WholeArray
    other: WholeArray
    end: RealArray
    other_end: RealArray


class _Meeting(NamedTuple):
    """Pairs of points of different lanes that lie close: lanes `(Q,)` and arc lengths `(Q,)` [m]."""

    link: WholeArray
    other: WholeArray
    s: RealArray
    other_s: RealArray


def conflicts_of_network(network: RoadNetwork) -> tuple[Conflicts, Partings]:
    """The conflicts and partings of all lanes that vehicles use."""
    meeting, plain = _meetings(network)
    zones, partings = _zones(network, _chosen(meeting, plain))
    swept, _ = _zones(network, meeting)
    swept = swept[:, _may_bar(network, swept, zones) & ~_are_covered(network, swept, zones)]
    long = np.repeat((False, True), (zones.shape[1], swept.shape[1]))
    return _conflicts(network, np.concatenate((zones, swept), axis=1), long), _partings(network, partings)


def _may_bar(network: RoadNetwork, swept: RealArray, zones: RealArray) -> FlagArray:
    """Which zones `(6, C)` of long bodies count: not those on lanes at whose end one waits for a junction.

    Who waits there would bar a long body for as long as that bars him. Lanes inside junctions, which one does not
    enter without room behind them, always count.
    """
    controlled = np.zeros(network.link_count, np.bool_)
    controlled[zones[0].astype(np.int64)] = True
    stopping = controlled | (np.diff(network.signals.lights_of_link.first) > 0)
    waiting = np.isfinite(network.signals.stop_line)
    for link in range(network.link_count):
        waiting[link] |= bool(stopping[network.successors.of(link)].any())
    link, other = swept[:2].astype(np.int64)
    found: FlagArray = (controlled[link] & controlled[other]) | ~(waiting[link] | waiting[other])
    return found


def _are_covered(network: RoadNetwork, swept: RealArray, zones: RealArray) -> FlagArray:
    """Which zones `(6, C)` of long bodies are no larger than those of others."""
    count = network.link_count
    row_of = {int(link * count + other): row for row, (link, other) in enumerate(zones[:2].T)}
    found = [row_of.get(int(link * count + other), -1) for link, other in swept[:2].T]
    return np.array(
        [row >= 0 and bool(np.all(np.abs(swept[2:, at] - zones[2:, row]) < _SPACING)) for at, row in enumerate(found)],
        np.bool_,
    )


def _zones(network: RoadNetwork, meeting: _Meeting) -> tuple[RealArray, RealArray]:
    """Zones `(6, C)`: two lanes and the stretches in which they conflict; partings `(4, Q)`: two lanes and ends."""
    key = meeting.link * network.link_count + meeting.other
    order = np.lexsort((meeting.s, key))
    meeting = _chosen(meeting, order)
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    last = np.append(first[1:], len(order))[: len(first)]
    forked = _shares_start(network, meeting.link[first], meeting.other[first])
    zones: list[tuple[float, ...]] = []
    partings: list[tuple[float, ...]] = []
    for low, high, fork in zip(first.tolist(), last.tolist(), forked.tolist(), strict=True):
        pair = (meeting.link[low], meeting.other[low])
        cut = low + (_parting_end(meeting.s[low:high]) if fork else 0)
        if low < cut:
            partings.append((*pair, meeting.s[low:cut].max() + _MARGIN, meeting.other_s[low:cut].max() + _MARGIN))
        if cut < high:
            s, other_s = meeting.s[cut:high], meeting.other_s[cut:high]
            zones.append((*pair, s.min(), s.max(), other_s.min(), other_s.max()))
    return _table(zones, 6), _table(partings, 4)


def _chosen(meeting: _Meeting, rows: WholeArray | FlagArray) -> _Meeting:
    """Some rows of it, in their order."""
    return _Meeting(meeting.link[rows], meeting.other[rows], meeting.s[rows], meeting.other_s[rows])


def _table(rows: list[tuple[float, ...]], width: int) -> RealArray:
    return np.array(rows, np.float64).reshape(-1, width).T


def _conflicts(network: RoadNetwork, zones: RealArray, long: FlagArray) -> Conflicts:
    """Zones `(6, C)` with their margins, without those whose twin has none."""
    link, other = zones[:2].astype(np.int64)
    count = network.link_count
    key, twin = (link * count + other) * 2 + long, (other * count + link) * 2 + long
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


def _partings(network: RoadNetwork, rows: RealArray) -> Partings:
    link, other = rows[:2].astype(np.int64)
    length = network.link_length
    return Partings(
        frozen(link),
        frozen(other),
        frozen(np.minimum(rows[2], length[link])),
        frozen(np.minimum(rows[3], length[other])),
    )


def _shares_start(network: RoadNetwork, link: WholeArray, other: WholeArray) -> FlagArray:
    node = network.link_from_node
    found: FlagArray = (node[link] >= 0) & (node[link] == node[other])
    return found


def _parting_end(s: RealArray) -> int:
    """How many of the arc lengths `(n,)`, ascending, belong to the common start of two lanes."""
    if s[0] > _GAP:
        return 0
    gaps = np.flatnonzero(np.diff(s) > _GAP)
    return int(gaps[0]) + 1 if len(gaps) else len(s)


def _meetings(network: RoadNetwork) -> tuple[_Meeting, FlagArray]:
    """Close points of lanes that do not follow one another, for long bodies, and which count for all `(Q,)`."""
    lanes = np.flatnonzero(network.link_drivable)
    counts = np.ceil(network.link_length[lanes] / _SPACING).astype(np.int64) + 1
    link = np.repeat(lanes, counts)
    number = np.arange(len(link)) - np.repeat(np.cumsum(counts) - counts, counts)
    s = network.link_length[link] * number / np.repeat(counts - 1, counts).clip(min=1)
    point = network.point_at(link, s) if len(link) else np.zeros((0, 3))
    reach = 0.5 * REACH + np.minimum(_SWING * _curvature(network, link, s), _MOST_SWING)
    first, second = _close_pairs(point, link, reach)
    here, there = np.concatenate((first, second)), np.concatenate((second, first))
    apart = ~_in_line(network, link[here], link[there])
    here, there = here[apart], there[apart]
    way = point[here, :2] - point[there, :2]
    plain = np.hypot(way[:, 0], way[:, 1]) < REACH
    return _Meeting(link[here], link[there], s[here], s[there]), plain


def _curvature(network: RoadNetwork, link: WholeArray, s: RealArray) -> RealArray:
    """How much lanes turn around points of them, over a few metres, since maps' points are noisy [1/m]."""
    if not len(link):
        return np.zeros(0)
    turn = network.heading_at(link, s + _TURN_REACH) - network.heading_at(link, s - _TURN_REACH)
    found: RealArray = np.abs(np.mod(turn + math.pi, 2 * math.pi) - math.pi) / (2 * _TURN_REACH)
    return found


def _close_pairs(point: RealArray, link: WholeArray, reach: RealArray) -> tuple[WholeArray, WholeArray]:
    """Pairs of points `(P, 3)` of different links closer than their reaches, each once.

    Points are looked for in a grid whose cells are as wide as the longest reach, so that the nine cells around a point
    hold all that is close. Five of them will do: for the others the point is found from there.
    """
    cell = np.floor(point[:, :2] / (2 * reach.max(initial=REACH))).astype(np.int64)
    cell -= cell.min(axis=0, initial=0) - 1
    rows = int(cell[:, 1].max(initial=0)) + 2
    key = cell[:, 0] * rows + cell[:, 1]
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    found = []
    for step in (0, 1, rows - 1, rows, rows + 1):
        low = np.searchsorted(ordered, ordered + step, "left")
        counts = np.searchsorted(ordered, ordered + step, "right") - low
        if step == 0:
            # in its own cell a point is paired with those behind it in the order
            counts, low = low + counts - np.arange(len(order)) - 1, np.arange(len(order)) + 1
        one = np.repeat(np.arange(len(order)), counts)
        other = np.arange(len(one)) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(low, counts)
        here, there = order[one], order[other]
        kept = np.flatnonzero(link[here] != link[there])
        here, there = here[kept], there[kept]
        way = point[here] - point[there]
        close = way[:, 0] ** 2 + way[:, 1] ** 2 < (reach[here] + reach[there]) ** 2
        close &= np.abs(way[:, 2]) < LEVEL
        found.append((here[close], there[close]))
    first, second = (np.concatenate([pairs[side] for pairs in found]) for side in range(2))
    return first, second


def _in_line(network: RoadNetwork, link: WholeArray, other: WholeArray) -> FlagArray:
    """Whether one of two lanes follows the other, with at most `_NEAR_BEHIND` between them."""
    count = network.link_count
    pairs = np.unique(link * count + other)
    behind = np.array([_follows(network, int(pair // count), int(pair % count)) for pair in pairs], np.bool_)
    following = pairs[behind] if len(pairs) else pairs
    found: FlagArray = np.isin(link * count + other, following) | np.isin(other * count + link, following)
    return found


def _follows(network: RoadNetwork, link: int, other: int) -> bool:
    """Whether `other` begins within `_NEAR_BEHIND` after the end of `link`."""
    ahead = [(link, 0.0)]
    seen = {link}
    while ahead:
        here, way = ahead.pop()
        for following in network.successors.of(here).tolist():
            if following == other:
                return True
            further = way + float(network.link_length[following])
            if further < _NEAR_BEHIND and following not in seen:
                seen.add(following)
                ahead.append((following, further))
    return False
