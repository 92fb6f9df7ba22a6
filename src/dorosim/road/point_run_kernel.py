"""Runs of points on lanes, to find those of other lanes that may be close; see `dorosim.road.conflict_kernel`.

A few points in a row are a run, with a box around all that bodies need there. Runs are found by the cells that their
boxes are in; the cells are kept by a hash that may mix some of them up: that costs time and changes nothing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.ground.bare_kernel import bare, hold
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.road.adjacency import FloatArray, IntArray
from dorosim.road.swing_kernel import LaneSamples

_STRIDE = 92821
"""From one row of cells to the next in a table of cells; any large odd number does."""

_RUN = 8
"""So many points in a row are a run."""

_RUN_CELL = 12.0
"""Side of the cells in which runs are found [m]: little more than a run is long."""

_ROUNDING_ROOM = 1e-6
"""Boxes have this much more room on each side than bodies need [m]."""


class PointRuns(NamedTuple):
    """Runs of points, by lane and by cell.

    Attributes:
        first: `(L + 1,)` where the runs of each lane begin.
        lane: `(R,)` of each run.
        box: `(R, 4)` west, south, east and north end of what bodies need at its points [m].
        cell_first: `(2^k + 1,)` where the runs of each entry of the table of cells begin in `cell_run`.
        cell_run: runs, entry by entry.
    """

    first: IntArray
    lane: IntArray
    box: FloatArray
    cell_first: IntArray
    cell_run: IntArray


@inner_kernel
def cell_at(place: float) -> int:
    """The column or row of cells that a coordinate is in [m]."""
    return math.floor(place / _RUN_CELL)


@inner_kernel
def entry_of(entries: int, column: int, row: int) -> int:
    """The entry for a cell in a table of so many, a power of two."""
    return int((column + row * _STRIDE) & (entries - 1))


@outlined_kernel
def box_of_run(samples: LaneSamples, begin: int, end: int, box: FloatArray, run: int) -> None:
    """Enter the box of the run from one point to another."""
    west, east, south, north, high = math.inf, -math.inf, math.inf, -math.inf, 0.0
    for i in range(begin, end):
        west, east = min(west, samples.point[i, 0]), max(east, samples.point[i, 0])
        south, north = min(south, samples.point[i, 1]), max(north, samples.point[i, 1])
        high = max(high, samples.high[i])
    reach = high + _ROUNDING_ROOM
    box[run, 0], box[run, 1], box[run, 2], box[run, 3] = west - reach, south - reach, east + reach, north + reach


@outlined_kernel
def runs_of_points(samples: LaneSamples) -> PointRuns:
    """The runs of points on lanes."""
    lanes = samples.first.shape[0] - 1
    first = np.zeros(lanes + 1, np.int64)
    for lane in range(lanes):
        first[lane + 1] = first[lane] + (samples.first[lane + 1] - samples.first[lane] + _RUN - 1) // _RUN
    count, covered = first[lanes], 0
    lane_of, boxes = np.empty(count, np.int64), np.empty((count, 4))
    box = bare(boxes)
    for lane in range(lanes):
        for run in range(first[lane], first[lane + 1]):
            begin = samples.first[lane] + (run - first[lane]) * _RUN
            box_of_run(samples, begin, min(begin + _RUN, samples.first[lane + 1]), box, run)
            columns = cell_at(box[run, 2]) - cell_at(box[run, 0]) + 1
            covered += columns * (cell_at(box[run, 3]) - cell_at(box[run, 1]) + 1)
            lane_of[run] = lane
    entries = 16
    while entries < count:
        entries *= 2
    cell_first, cell_run = np.zeros(entries + 2, np.int64), np.empty(covered, np.int64)
    # counts lie two entries further on at first, so that filling in moves each to where its entry begins
    for shift in range(2, 0, -1):
        for run in range(count):
            for row in range(cell_at(box[run, 1]), cell_at(box[run, 3]) + 1):
                for column in range(cell_at(box[run, 0]), cell_at(box[run, 2]) + 1):
                    at = entry_of(entries, column, row) + shift
                    if shift == 1:
                        cell_run[cell_first[at]] = run
                    cell_first[at] += 1
        if shift == 2:
            for entry in range(1, entries + 1):
                cell_first[entry + 1] += cell_first[entry]
    hold(boxes)
    return PointRuns(first, lane_of, boxes, cell_first[: entries + 1].copy(), cell_run)


@inner_kernel
def points_of_run(samples: LaneSamples, runs: PointRuns, run: int) -> tuple[int, int]:
    """The first point of a run and the one beyond its last."""
    lane = runs.lane[run]
    begin = samples.first[lane] + (run - runs.first[lane]) * _RUN
    return begin, min(begin + _RUN, samples.first[lane + 1])


@outlined_kernel
def most_near(runs: PointRuns, run: int) -> int:
    """No more runs than this are near one."""
    entries, most = runs.cell_first.shape[0] - 1, 0
    for row in range(cell_at(runs.box[run, 1]), cell_at(runs.box[run, 3]) + 1):
        for column in range(cell_at(runs.box[run, 0]), cell_at(runs.box[run, 2]) + 1):
            entry = entry_of(entries, column, row)
            most += runs.cell_first[entry + 1] - runs.cell_first[entry]
    return most


@inner_kernel
def is_inside(samples: LaneSamples, i: int, west: float, south: float, east: float, north: float) -> bool:
    """Whether the room that bodies need at a point comes into a box."""
    x, y, reach = samples.point[i, 0], samples.point[i, 1], samples.high[i]
    return bool(x + reach >= west and x - reach <= east and y + reach >= south and y - reach <= north)


@outlined_kernel
def gather(samples: LaneSamples, runs: PointRuns, run: int, from_node: IntArray, near: IntArray) -> int:
    """Enter which points of other lanes may be close to some of a run; returns how many stretches of them there are.

    Of two lanes only that of the lower number finds the other, unless they begin at one node. A stretch may be there
    more than once where cells share an entry of the table.

    Args:
        samples: points on all lanes.
        runs: the runs of them.
        run: one of these.
        from_node: `(L,)` the node at which each link begins, -1 for none.
        near: `(N, 3)` out: first point of each stretch, the one beyond its last, and its lane.
    """
    entries, count, lane = runs.cell_first.shape[0] - 1, 0, runs.lane[run]
    node = from_node[lane]
    west, south, east, north = runs.box[run, 0], runs.box[run, 1], runs.box[run, 2], runs.box[run, 3]
    for row in range(cell_at(south), cell_at(north) + 1):
        for column in range(cell_at(west), cell_at(east) + 1):
            entry = entry_of(entries, column, row)
            for at in range(runs.cell_first[entry], runs.cell_first[entry + 1]):
                other = runs.cell_run[at]
                theirs = runs.lane[other]
                if theirs <= lane and (theirs == lane or from_node[theirs] != node or node < 0):
                    continue
                x, y = max(west, runs.box[other, 0]), max(south, runs.box[other, 1])
                if x > min(east, runs.box[other, 2]) or y > min(north, runs.box[other, 3]):
                    continue
                # boxes that overlap in several cells count in the one of the corner of what they share
                if cell_at(x) != column or cell_at(y) != row:
                    continue
                begin, end = points_of_run(samples, runs, other)
                while begin < end and not is_inside(samples, begin, west, south, east, north):
                    begin += 1
                while begin < end and not is_inside(samples, end - 1, west, south, east, north):
                    end -= 1
                if begin < end:
                    near[count, 0], near[count, 1], near[count, 2] = begin, end, theirs
                    count += 1
    return count
