"""What lies along polylines, for many places at once; see `dorosim.road.polyline`."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.bare_kernel import bare
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.search_kernel import first_beyond
from dorosim.road.adjacency import FloatArray, IntArray

STEEP_COLUMN = 5
"""The column of the grade in what `find_poses` gives."""


@inner_kernel
def segment_at(arc: FloatArray, run: FloatArray, start: int, last: int, s: float) -> tuple[int, float]:
    """Segment and fraction of it at an arc length, as of `Polylines.segment_at`."""
    inside = min(max(s, 0.0), arc[last])
    segment = min(max(first_beyond(run, start, last + 1, run[start] + inside) - 1, start), last - 1)
    span = arc[segment + 1] - arc[segment]
    fraction = (inside - arc[segment]) / span if span > 0.0 else 0.0
    return segment, min(max(fraction, 0.0), 1.0)


@inner_kernel
def direction_at(tangent: FloatArray, segment: int, fraction: float) -> tuple[float, float]:
    """The horizontal direction within a segment, of length 1, as of `Polylines.tangent_at`."""
    rest = 1.0 - fraction
    x = rest * tangent[segment, 0] + fraction * tangent[segment + 1, 0]
    y = rest * tangent[segment, 1] + fraction * tangent[segment + 1, 1]
    length = math.hypot(x, y)
    if length > 1e-12:
        return x / length, y / length
    return tangent[segment, 0], tangent[segment, 1]


@kernel
def find_poses(
    points: FloatArray,
    tangent: FloatArray,
    grade: FloatArray,
    arc: FloatArray,
    run: FloatArray,
    first: IntArray,
    line: IntArray,
    s: FloatArray,
) -> FloatArray:
    """`(6, N)` point in map [m], direction and grade at places on lines.

    Args:
        points: of `Polylines`.
        tangent: likewise.
        grade: likewise.
        arc: likewise.
        run: likewise.
        first: likewise.
        line: `(N,)` polylines.
        s: `(N,)` arc lengths [m]; beyond the ends means the ends.
    """
    made = np.empty((STEEP_COLUMN + 1, line.shape[0]))
    points, tangent, grade, arc, run = bare(points), bare(tangent), bare(grade), bare(arc), bare(run)
    first, line, s = bare(first), bare(line), bare(s)
    for i in range(line.shape[0]):
        segment, fraction = segment_at(arc, run, first[line[i]], first[line[i] + 1] - 1, s[i])
        rest = 1.0 - fraction
        for axis in range(3):
            made[axis, i] = rest * points[segment, axis] + fraction * points[segment + 1, axis]
        made[3, i], made[4, i] = direction_at(tangent, segment, fraction)
        made[STEEP_COLUMN, i] = rest * grade[segment] + fraction * grade[segment + 1]
    return made
