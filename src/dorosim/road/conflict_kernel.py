"""The stretches in which lanes come close to one another, for all lanes of a map; see `dorosim.road.conflict`.

Points lie at even steps on all lanes, in the cells of two grids: one of small cells for points where bodies hardly
swing out, which are nearly all, and one of large cells for the others. The cells are kept by a hash that may mix some
of them up: that costs time and changes nothing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.ground.bare_kernel import bare, hold
from dorosim.ground.jit import inner_kernel, kernel, outlined_kernel
from dorosim.road.adjacency import FlagArray, FloatArray, IntArray
from dorosim.road.swing_kernel import CONFLICT_DISTANCE, LaneSamples

MAX_HEIGHT_DIFFERENCE = 3.0
"""Lanes more than this above each other do not meet [m]."""

GAP = 2.5
"""A zone from the common start of two lanes ends where they are apart for this length [m]."""

_STRIDE = 92821
"""From one row of cells to the next in a table of cells; any large odd number does."""

_RUN = 8
"""So many points in a row look around together."""

_SPAN_COLUMNS = 6


class CellTable(NamedTuple):
    """Some of the points, by cell.

    Attributes:
        first: `(2^k + 1,)` where the points of each entry of the table begin in `item`.
        item: rows of points, entry by entry.
        cell: `(2,)` side of a cell, and the greatest half room of the points [m].
    """

    first: IntArray
    item: IntArray
    cell: FloatArray


class Spans(NamedTuple):
    """Stretches `(6, C)` in which two lanes meet: lane, other, least and greatest arc length on either [m].

    Attributes:
        zone: closer than CONFLICT_DISTANCE. parting: likewise, from a common start on. swept: as close as bodies that
            swing out meet.
        unclear: `(P,)` 1 for points whose room has to be known better to tell.
    """

    zone: FloatArray
    parting: FloatArray
    swept: FloatArray
    unclear: IntArray


@inner_kernel
def entry_of(table: CellTable, column: int, row: int) -> int:
    """The entry of a table for a cell."""
    return int((column + row * _STRIDE) & (table.first.shape[0] - 2))


@kernel
def make_cell_table(point: FloatArray, high: FloatArray, chosen: FlagArray) -> CellTable:
    """The table of some points.

    Args:
        point: `(P, 3)` in map [m].
        high: `(P,)` greatest half room of each [m].
        chosen: `(P,)` which of them.
    """
    count, reach = 0, 0.5 * CONFLICT_DISTANCE
    for i in range(point.shape[0]):
        if chosen[i]:
            count += 1
            reach = max(reach, high[i])
    size = 16
    while size < count:
        size *= 2
    table = CellTable(np.zeros(size + 1, np.int64), np.empty(count, np.int64), np.array([2.0 * reach, reach]))
    side = table.cell[0]
    entry = np.empty(point.shape[0], np.int64)
    for i in range(point.shape[0]):
        if chosen[i]:
            entry[i] = entry_of(table, math.floor(point[i, 0] / side), math.floor(point[i, 1] / side))
            table.first[entry[i] + 1] += 1
    for k in range(size):
        table.first[k + 1] += table.first[k]
    used = table.first[:size].copy()
    for i in range(point.shape[0]):
        if chosen[i]:
            table.item[used[entry[i]]] = i
            used[entry[i]] += 1
    return table


class _Meeting(NamedTuple):
    """What is known so far of the lanes that one lane meets, each in a row of its own.

    Attributes:
        row_of: `(L,)` the row of each lane; counts where `other` of that row is the lane.
        other: `(L,)` the lane of each row.
        kind: `(L,)` 0 follows the lane or is followed by it, 1 meets it, 2 starts at its node.
        span: `(L, 3, 4)` of zone, parting and swept zone, as of `Spans` without the lanes.
        last: `(L, 2)` arc length of the last point, of those close and of all [m].
        broken: `(L, 2)` 1 if the lanes have been apart, likewise.
    """

    row_of: IntArray
    other: IntArray
    kind: IntArray
    span: FloatArray
    last: FloatArray
    broken: IntArray


@inner_kernel
def is_one_of(keys: IntArray, key: int) -> bool:
    """Whether a key is one of ascending keys."""
    low, high = 0, keys.shape[0]
    while low < high:
        middle = low + high >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return bool(low < keys.shape[0] and keys[low] == key)


@outlined_kernel
def row_of_lane(found: _Meeting, count: int, lane: int, other: int, from_node: IntArray, following: IntArray) -> int:
    """The row of a lane that another one meets; `count`, after it has been made, where there is none yet."""
    row = found.row_of[other]
    if row < count and found.other[row] == other:
        return int(row)
    links = from_node.shape[0]
    found.row_of[other], found.other[count] = count, other
    shares = from_node[lane] >= 0 and from_node[lane] == from_node[other]
    in_line = is_one_of(following, lane * links + other) or is_one_of(following, other * links + lane)
    found.kind[count] = 0 if in_line else (2 if shares else 1)
    for which in range(3):
        for edge in range(4):
            found.span[count, which, edge] = math.inf if edge % 2 == 0 else -math.inf
    for which in range(2):
        found.last[count, which], found.broken[count, which] = 0.0, 0
    return count


@outlined_kernel
def enter_point(found: _Meeting, row: int, s: float, other_s: float, which: int) -> None:
    """Enter a pair of close points (0), or of those that are close for bodies that swing out (1)."""
    if s - found.last[row, which] > GAP:
        found.broken[row, which] = 1
    found.last[row, which] = s
    common = found.kind[row] == 2 and found.broken[row, which] == 0
    if common and which == 1:
        return
    span = 2 if which == 1 else (1 if common else 0)
    found.span[row, span, 0] = min(found.span[row, span, 0], s)
    found.span[row, span, 1] = max(found.span[row, span, 1], s)
    found.span[row, span, 2] = min(found.span[row, span, 2], other_s)
    found.span[row, span, 3] = max(found.span[row, span, 3], other_s)


@outlined_kernel
def surroundings(samples: LaneSamples, table: CellTable, begin: int, end: int) -> tuple[float, float, float, float]:
    """West, east, south and north end of where points of a table may be close to some points in a row [m]."""
    west, east, south, north, high = math.inf, -math.inf, math.inf, -math.inf, 0.0
    for i in range(begin, end):
        west, east = min(west, samples.point[i, 0]), max(east, samples.point[i, 0])
        south, north = min(south, samples.point[i, 1]), max(north, samples.point[i, 1])
        high = max(high, samples.high[i])
    reach = high + table.cell[1]
    return west - reach, east + reach, south - reach, north + reach


@outlined_kernel
def most_near(samples: LaneSamples, table: CellTable, begin: int, end: int) -> int:
    """No more points of a table than this are gathered for some points in a row."""
    west, east, south, north = surroundings(samples, table, begin, end)
    side, most = table.cell[0], 0
    for row in range(math.floor(south / side), math.floor(north / side) + 1):
        for column in range(math.floor(west / side), math.floor(east / side) + 1):
            entry = entry_of(table, column, row)
            most += table.first[entry + 1] - table.first[entry]
    return most


@outlined_kernel
def gather(samples: LaneSamples, table: CellTable, begin: int, end: int, near: IntArray, count: int) -> int:
    """Append the points of other lanes that may be close to some points in a row on one; returns how many there are.

    A point is there more than once where cells share an entry of the table.
    """
    west, east, south, north = surroundings(samples, table, begin, end)
    side, lane = table.cell[0], samples.link[begin]
    for row in range(math.floor(south / side), math.floor(north / side) + 1):
        for column in range(math.floor(west / side), math.floor(east / side) + 1):
            entry = entry_of(table, column, row)
            for at in range(table.first[entry], table.first[entry + 1]):
                j = table.item[at]
                x, y = samples.point[j, 0], samples.point[j, 1]
                if samples.link[j] != lane and west <= x and x <= east and south <= y and y <= north:
                    near[count] = j
                    count += 1
    return count


@outlined_kernel
def enter_near(
    samples: LaneSamples,
    i: int,
    near: IntArray,
    nearby: int,
    found: _Meeting,
    count: int,
    from_node: IntArray,
    following: IntArray,
    unclear: IntArray,
) -> int:
    """Enter those of some points of other lanes that are close to one; returns how many lanes its own meets so far."""
    x, y, z, lane = samples.point[i, 0], samples.point[i, 1], samples.point[i, 2], samples.link[i]
    for k in range(nearby):
        j = near[k]
        dx, dy = x - samples.point[j, 0], y - samples.point[j, 1]
        square, most = dx * dx + dy * dy, samples.high[i] + samples.high[j]
        if square >= most * most or not abs(z - samples.point[j, 2]) < MAX_HEIGHT_DIFFERENCE:
            continue
        place = row_of_lane(found, count, lane, samples.link[j], from_node, following)
        count = max(count, place + 1)
        if found.kind[place] == 0:
            continue
        least = samples.low[i] + samples.low[j]
        if square >= least * least:
            unclear[i] = unclear[j] = 1
            continue
        enter_point(found, place, samples.s[i], samples.s[j], 1)
        if math.hypot(dx, dy) < CONFLICT_DISTANCE:
            enter_point(found, place, samples.s[i], samples.s[j], 0)
    return count


@outlined_kernel
def appended(spans: FloatArray, used: int, lane: int, found: _Meeting, row: int, which: int) -> FloatArray:
    """The table of spans with one more; a larger table where it is full."""
    if used == spans.shape[0]:
        grown = np.empty((2 * used, _SPAN_COLUMNS))
        grown[:used] = spans
        spans = grown
    spans[used, 0], spans[used, 1] = lane, found.other[row]
    for edge in range(4):
        spans[used, 2 + edge] = found.span[row, which, edge]
    return spans


@kernel
def find_spans(
    samples: LaneSamples, straight: CellTable, bent: CellTable, from_node: IntArray, following: IntArray
) -> Spans:
    """The stretches in which lanes meet, ordered by the one and the other.

    Args:
        samples: points on all lanes.
        straight: those of them where bodies hardly swing out.
        bent: the others.
        from_node: `(L,)` the node at which each link begins, -1 for none.
        following: ascending keys `link * L + other` of links of which the second follows close behind the first.
    """
    links = from_node.shape[0]
    scratch = _Meeting(
        np.zeros(links, np.int64),
        np.full(links, -1),
        np.zeros(links, np.int64),
        np.empty((links, 3, 4)),
        np.empty((links, 2)),
        np.zeros((links, 2), np.int64),
    )
    flags = np.zeros(samples.s.shape[0], np.int64)
    room = np.empty(256, np.int64)
    found, unclear, start, after = bare(scratch), bare(flags), bare(from_node), bare(following)
    samples, straight, bent = bare(samples), bare(straight), bare(bent)
    zone, parting, swept = np.empty((64, _SPAN_COLUMNS)), np.empty((64, _SPAN_COLUMNS)), np.empty((64, _SPAN_COLUMNS))
    zones, partings, sweeps = 0, 0, 0
    for lane in range(links):
        count = 0
        for begin in range(samples.first[lane], samples.first[lane + 1], _RUN):
            end = min(begin + _RUN, samples.first[lane + 1])
            most = most_near(samples, straight, begin, end) + most_near(samples, bent, begin, end)
            if most > room.shape[0]:
                room = np.empty(2 * most, np.int64)
            near = bare(room)
            nearby = gather(samples, straight, begin, end, near, 0)
            nearby = gather(samples, bent, begin, end, near, nearby)
            for i in range(begin, end):
                count = enter_near(samples, i, near, nearby, found, count, start, after, unclear)
        for other in np.sort(scratch.other[:count]):
            row = found.row_of[other]
            if found.span[row, 0, 0] < math.inf:
                zone = appended(zone, zones, lane, found, row, 0)
                zones += 1
            if found.span[row, 1, 0] < math.inf:
                parting = appended(parting, partings, lane, found, row, 1)
                partings += 1
            if found.span[row, 2, 0] < math.inf:
                swept = appended(swept, sweeps, lane, found, row, 2)
                sweeps += 1
    hold(scratch)
    hold(room)
    return Spans(zone[:zones].T.copy(), parting[:partings].T.copy(), swept[:sweeps].T.copy(), flags)
