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
from dorosim.road.polyline_kernel import segment_at

CONFLICT_DISTANCE = 2.8
"""Centre lines closer than this conflict [m]: the width of a bus (2.5 m) and a margin, less than two lanes side by
side are apart (3.0 m)."""

MAX_HEIGHT_DIFFERENCE = 3.0
"""Lanes more than this above each other do not meet [m]."""

SWING = 9.0
"""How far a long body swings out of its lane in a curve, times the radius [m²]: 12^2 / 16 for a bus of 12 m that is led
as evenly as possible (see `GUIDE` in `dorosim.world.traffic.move_kernel`)."""

MAX_SWING = 2.0
"""It does not swing out farther than this [m]."""

CHORD_HALF = 2.5
"""A lane's curvature is that of a chord of twice this [m]."""

ALONG_BODY = (-4.0, -2.0, 0.0, 2.0, 4.0)
"""A body swings out as the bends this far before and behind make it [m], since it is stiff."""

NEGLIGIBLE_SWING = 0.25
"""Lanes are straight as far as bodies swing out by less than this in them [m]."""

GAP = 2.5
"""A zone from the common start of two lanes ends where they are apart for this length [m]."""

_WINDOW = 6.5
"""Bends farther than this from a point do not matter to it [m]: half a chord beyond the end of a body."""

_SMALL_TURN = 0.5
"""A tangent that turns by less than this from point to point does so nearly evenly [rad]."""

_UNEVEN = 1.05
"""It turns no faster than this times the mean."""

_UNKNOWN = 1e-9
"""Swings are known to this at least, where they are not calculated in the very order that counts [m]."""

_STRIDE = 92821
"""From one row of cells to the next in a table of cells; any large odd number does."""

_RUN = 8
"""So many points in a row look around together."""

_SPAN_COLUMNS = 6


class LaneSamples(NamedTuple):
    """Points on all lanes for vehicles, lane by lane.

    Attributes:
        first: `(L + 1,)` where those of each link begin.
        link: `(P,)` of each.
        s: `(P,)` arc lengths, ascending on each link [m].
        point: `(P, 3)` in map [m].
        low, high: `(P,)` least and greatest half of the room that bodies may need there [m].
    """

    first: IntArray
    link: IntArray
    s: FloatArray
    point: FloatArray
    low: FloatArray
    high: FloatArray


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
def heading_near(
    tangent: FloatArray, arc: FloatArray, run: FloatArray, start: int, last: int, s: float
) -> tuple[float, bool]:
    """The heading of a line at an arc length, but for rounding [rad], and whether it has one there."""
    segment, fraction = segment_at(arc, run, start, last, s)
    x = (1.0 - fraction) * tangent[segment, 0] + fraction * tangent[segment + 1, 0]
    y = (1.0 - fraction) * tangent[segment, 1] + fraction * tangent[segment + 1, 1]
    return math.atan2(y, x), x * x + y * y > 1e-6


@inner_kernel
def turn_within(
    tangent: FloatArray, arc: FloatArray, start: int, last: int, segment: int, low: float, high: float
) -> float:
    """By how much a line turns at most from one arc length to another, between which a segment lies [rad]."""
    while segment > start and arc[segment] >= low:
        segment -= 1
    turn = 0.0
    while segment < last and arc[segment] <= high:
        a, b = segment, segment + 1
        across = tangent[a, 0] * tangent[b, 1] - tangent[a, 1] * tangent[b, 0]
        along = tangent[a, 0] * tangent[b, 0] + tangent[a, 1] * tangent[b, 1]
        whole, span = abs(math.atan2(across, along)), arc[b] - arc[a]
        part = min(arc[b], high) - max(arc[a], low)
        if span > 0.0 and whole < _SMALL_TURN:
            whole *= min(_UNEVEN * max(part, 0.0) / span, 1.0)
        turn += whole
        segment += 1
    return turn


@inner_kernel
def swing_near(
    tangent: FloatArray, arc: FloatArray, run: FloatArray, start: int, last: int, s: float
) -> tuple[float, float]:
    """How far a long body may swing out at a place on a line at least and at most [m]."""
    bend = 0.0
    for i in range(len(ALONG_BODY)):
        place = min(max(s + ALONG_BODY[i], 0.0), arc[last])
        ahead, good = heading_near(tangent, arc, run, start, last, place + CHORD_HALF)
        behind, sound = heading_near(tangent, arc, run, start, last, place - CHORD_HALF)
        if not (good and sound):
            return 0.0, MAX_SWING
        turn = abs(ahead - behind)
        bend = max(bend, min(turn, 2.0 * math.pi - turn) / (2.0 * CHORD_HALF))
    swing = SWING * bend
    return min(max(swing - _UNKNOWN, 0.0), MAX_SWING), min(swing + _UNKNOWN, MAX_SWING)


@kernel
def sample_lanes(
    points: FloatArray,
    tangent: FloatArray,
    arc: FloatArray,
    run: FloatArray,
    first: IntArray,
    counts: IntArray,
) -> LaneSamples:
    """Points at even steps on lanes, and what room bodies need there.

    Args:
        points: of `Polylines`.
        tangent: likewise.
        arc: likewise.
        run: likewise.
        first: likewise.
        counts: `(L,)` how many there are on each lane, 0 for none.
    """
    begin = np.zeros(counts.shape[0] + 1, np.int64)
    for lane in range(counts.shape[0]):
        begin[lane + 1] = begin[lane] + counts[lane]
    total = begin[counts.shape[0]]
    link, s, point = np.empty(total, np.int64), np.empty(total), np.empty((total, 3))
    low, high = np.empty(total), np.empty(total)
    half = 0.5 * CONFLICT_DISTANCE
    points, tangent, arc, run, first = bare(points), bare(tangent), bare(arc), bare(run), bare(first)
    for lane in range(counts.shape[0]):
        start, last = first[lane], first[lane + 1] - 1
        for number in range(counts[lane]):
            i = begin[lane] + number
            link[i], s[i] = lane, arc[last] * number / max(counts[lane] - 1, 1)
            segment, fraction = segment_at(arc, run, start, last, s[i])
            for axis in range(3):
                point[i, axis] = (1.0 - fraction) * points[segment, axis] + fraction * points[segment + 1, axis]
            turn = turn_within(tangent, arc, start, last, segment, s[i] - _WINDOW, s[i] + _WINDOW)
            least, most = 0.0, min(SWING * turn / (2.0 * CHORD_HALF) + _UNKNOWN, MAX_SWING)
            if most > 0.01:
                least, most = swing_near(tangent, arc, run, start, last, s[i])
            low[i], high[i] = half + least, half + most
    return LaneSamples(begin, link, s, point, low, high)


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
