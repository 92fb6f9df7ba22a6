"""The stretches in which lanes come close to one another, for all lanes of a map; see `dorosim.road.conflict`.

Points lie at even steps on all lanes. Those of each run of points (`dorosim.road.point_run_kernel`) are compared with
the points of other lanes that may be close to some of the run.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.ground.bare_kernel import bare, hold
from dorosim.ground.jit import inner_kernel, kernel, outlined_kernel
from dorosim.road.adjacency import FloatArray, IntArray
from dorosim.road.point_run_kernel import PointRuns, gather, most_near, points_of_run, runs_of_points
from dorosim.road.swing_kernel import CONFLICT_DISTANCE, LaneSamples

MAX_HEIGHT_DIFFERENCE = 3.0
"""Lanes more than this above each other do not meet [m]."""

GAP = 2.5
"""A zone from the common start of two lanes ends where they are apart for this length [m]."""

_BY_SQUARES = 1e-9
"""Squares of distances that differ from a limit by more than this tell on which side of it they are [m²]."""

_SPAN_COLUMNS = 6


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


class _Links(NamedTuple):
    """How lanes hang together.

    Attributes:
        from_node: `(L,)` the node at which each begins, -1 for none.
        following: ascending keys `link * L + other` of links of which the second follows close behind the first.
        following_first: `(L + 1,)` where those of each link begin.
    """

    from_node: IntArray
    following: IntArray
    following_first: IntArray


@outlined_kernel
def follows(links: _Links, link: int, other: int) -> bool:
    """Whether a link follows close behind another."""
    key = link * links.from_node.shape[0] + other
    for at in range(links.following_first[link], links.following_first[link + 1]):  # noqa: SIM110 - numba
        if links.following[at] == key:
            return True
    return False


@outlined_kernel
def row_of_lane(found: _Meeting, count: int, lane: int, other: int, links: _Links) -> int:
    """The row of a lane that another one may meet; `count`, after it has been made, where there is none yet."""
    row = found.row_of[other]
    if row < count and found.other[row] == other:
        return int(row)
    found.row_of[other], found.other[count] = count, other
    shares = links.from_node[lane] >= 0 and links.from_node[lane] == links.from_node[other]
    in_line = follows(links, lane, other) or follows(links, other, lane)
    found.kind[count] = 0 if in_line else (2 if shares else 1)
    for which in range(3):
        for edge in range(4):
            found.span[count, which, edge] = math.inf if edge % 2 == 0 else -math.inf
    for which in range(2):
        found.last[count, which], found.broken[count, which] = 0.0, 0
    return count


@inner_kernel
def enter_point(found: _Meeting, row: int, s: float, least: float, most: float, which: int) -> None:
    """Enter a point that is close to others (0), or close for bodies that swing out (1).

    Args:
        found: the lanes that the point's own meets.
        row: of the lane on which the others lie.
        s: where the point is on its lane [m].
        least: the least place of the others on theirs [m].
        most: the greatest [m].
        which: 0 or 1.
    """
    if s - found.last[row, which] > GAP:
        found.broken[row, which] = 1
    found.last[row, which] = s
    common = found.kind[row] == 2 and found.broken[row, which] == 0
    if common and which == 1:
        return
    span = 2 if which == 1 else (1 if common else 0)
    found.span[row, span, 0] = min(found.span[row, span, 0], s)
    found.span[row, span, 1] = max(found.span[row, span, 1], s)
    found.span[row, span, 2] = min(found.span[row, span, 2], least)
    found.span[row, span, 3] = max(found.span[row, span, 3], most)


@inner_kernel
def is_close(dx: float, dy: float) -> bool:
    """Whether a way in the plan is shorter than `CONFLICT_DISTANCE`."""
    beyond = dx * dx + dy * dy - CONFLICT_DISTANCE * CONFLICT_DISTANCE
    if abs(beyond) > _BY_SQUARES:
        return bool(beyond < 0.0)
    return bool(math.hypot(dx, dy) < CONFLICT_DISTANCE)


@inner_kernel
def enter_close(
    samples: LaneSamples, i: int, begin: int, end: int, found: _Meeting, row: int, unclear: IntArray
) -> None:
    """Enter which points of a stretch of another lane are close to one; arc lengths ascend along them."""
    x, y, z, low, high = samples.point[i, 0], samples.point[i, 1], samples.point[i, 2], samples.low[i], samples.high[i]
    first_wide, last_wide, first_close, last_close = -1, -1, -1, -1
    for j in range(begin, end):
        dx, dy = x - samples.point[j, 0], y - samples.point[j, 1]
        square, most, least = dx * dx + dy * dy, high + samples.high[j], low + samples.low[j]
        if square >= most * most or not abs(z - samples.point[j, 2]) < MAX_HEIGHT_DIFFERENCE:
            continue
        if square >= least * least:
            unclear[i] = unclear[j] = 1
            continue
        first_wide, last_wide = (j if first_wide < 0 else first_wide), j
        if is_close(dx, dy):
            first_close, last_close = (j if first_close < 0 else first_close), j
    if first_wide >= 0:
        enter_point(found, row, samples.s[i], samples.s[first_wide], samples.s[last_wide], 1)
    if first_close >= 0:
        enter_point(found, row, samples.s[i], samples.s[first_close], samples.s[last_close], 0)


@outlined_kernel
def enter_run(
    samples: LaneSamples,
    runs: PointRuns,
    run: int,
    near: IntArray,
    stretches: int,
    found: _Meeting,
    rows: int,
    links: _Links,
    unclear: IntArray,
) -> int:
    """Enter which points of stretches of other lanes are close to those of a run.

    Args:
        samples: points on all lanes.
        runs: the runs of them.
        run: one of these.
        near: as of `gather`; written over.
        stretches: how many there are.
        found: the lanes that the run's own meets.
        rows: how many these are so far.
        links: how lanes hang together.
        unclear: of `Spans`.

    Returns:
        How many lanes there are now.
    """
    kept = 0
    for at in range(stretches):
        row = row_of_lane(found, rows, runs.lane[run], near[at, 2], links)
        rows = max(rows, row + 1)
        if found.kind[row] != 0:
            near[kept, 0], near[kept, 1], near[kept, 2] = near[at, 0], near[at, 1], row
            kept += 1
    begin, end = points_of_run(samples, runs, run)
    for i in range(begin, end):
        for at in range(kept):
            enter_close(samples, i, near[at, 0], near[at, 1], found, near[at, 2], unclear)
    return rows


@outlined_kernel
def appended(spans: FloatArray, used: int, lane: int, found: _Meeting, row: int, which: int) -> FloatArray:
    """The table of spans with one more, and the same as seen from the other lane; a larger table where it is full."""
    if used + 2 > spans.shape[0]:
        grown = np.empty((2 * spans.shape[0], _SPAN_COLUMNS))
        grown[:used] = spans[:used]
        spans = grown
    for seen in range(2):
        spans[used + seen, seen], spans[used + seen, 1 - seen] = lane, found.other[row]
        for edge in range(2):
            spans[used + seen, 2 + 2 * seen + edge] = found.span[row, which, edge]
            spans[used + seen, 4 - 2 * seen + edge] = found.span[row, which, 2 + edge]
    return spans


@outlined_kernel
def ordered(spans: FloatArray, used: int, lanes: int) -> FloatArray:
    """`(6, N)` the first so many of spans `(M, 6)`, ordered by the one lane and the other."""
    end, row_at, found = np.zeros(lanes + 1, np.int64), np.empty(used, np.int64), np.empty((_SPAN_COLUMNS, used))
    for row in range(used):
        end[int(spans[row, 0]) + 1] += 1
    for lane in range(lanes):
        end[lane + 1] += end[lane]
    first = end.copy()
    for row in range(used):
        lane = int(spans[row, 0])
        at = end[lane]
        # there are few of a lane, and most of them come in order
        while at > first[lane] and spans[row_at[at - 1], 1] > spans[row, 1]:
            row_at[at] = row_at[at - 1]
            at -= 1
        row_at[at] = row
        end[lane] += 1
    for column in range(_SPAN_COLUMNS):
        for at in range(used):
            found[column, at] = spans[row_at[at], column]
    return found


@outlined_kernel
def first_of_each(keys: IntArray, links: int) -> IntArray:
    """`(L + 1,)` where the keys `link * L + other` of each link begin; they ascend."""
    first, at = np.empty(links + 1, np.int64), 0
    for link in range(links + 1):
        while at < keys.shape[0] and keys[at] < link * links:
            at += 1
        first[link] = at
    return first


@kernel
def find_spans(samples: LaneSamples, from_node: IntArray, following: IntArray) -> Spans:
    """The stretches in which lanes meet, ordered by the one and the other.

    Args:
        samples: points on all lanes.
        from_node: `(L,)` the node at which each link begins, -1 for none.
        following: ascending keys `link * L + other` of links of which the second follows close behind the first.
    """
    count = from_node.shape[0]
    scratch = _Meeting(
        np.zeros(count, np.int64),
        np.full(count, -1),
        np.zeros(count, np.int64),
        np.empty((count, 3, 4)),
        np.empty((count, 2)),
        np.zeros((count, 2), np.int64),
    )
    flags, room = np.zeros(samples.s.shape[0], np.int64), np.empty((256, 3), np.int64)
    following_first = first_of_each(following, count)
    links = bare(_Links(from_node, following, following_first))
    samples, found, unclear, from_node = bare(samples), bare(scratch), bare(flags), bare(from_node)
    all_runs = runs_of_points(samples)
    runs = bare(all_runs)
    zone, parting, swept = np.empty((64, _SPAN_COLUMNS)), np.empty((64, _SPAN_COLUMNS)), np.empty((64, _SPAN_COLUMNS))
    zones, partings, sweeps = 0, 0, 0
    for lane in range(count):
        rows = 0
        for run in range(runs.first[lane], runs.first[lane + 1]):
            most = most_near(runs, run)
            if most > room.shape[0]:
                room = np.empty((2 * most, 3), np.int64)
            near = bare(room)
            stretches = gather(samples, runs, run, from_node, near)
            if stretches > 0:
                rows = enter_run(samples, runs, run, near, stretches, found, rows, links, unclear)
        for row in range(rows):
            # lanes with a start in common are compared from either, since the zone of each has a beginning of its own
            both = 2 if found.kind[row] == 1 else 1
            if found.span[row, 0, 0] < math.inf:
                zone = appended(zone, zones, lane, found, row, 0)
                zones += both
            if found.span[row, 1, 0] < math.inf:
                parting = appended(parting, partings, lane, found, row, 1)
                partings += both
            if found.span[row, 2, 0] < math.inf:
                swept = appended(swept, sweeps, lane, found, row, 2)
                sweeps += both
    hold(scratch)
    hold(room)
    hold(all_runs)
    hold(following_first)
    return Spans(ordered(zone, zones, count), ordered(parting, partings, count), ordered(swept, sweeps, count), flags)
