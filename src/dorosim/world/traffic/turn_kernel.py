"""How lanes turn, for all conflicts at once; see `dorosim.world.traffic.right_of_way`.

What is found is right but for rounding, which is not that of numpy.
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.bare_kernel import bare
from dorosim.ground.jit import kernel
from dorosim.road.adjacency import FlagArray, FloatArray, IntArray
from dorosim.road.polyline_kernel import direction_at, segment_at

TURN_PARTS = 8
"""A turn is summed up over so many parts of a lane, since that of a ring may be more than half a circle."""

_ABOUT_FACE = math.pi - 1e-6
"""Where a lane turns more than this in one part, the side to which it does is in doubt [rad]."""


@kernel
def find_turns(
    tangent: FloatArray, arc: FloatArray, run: FloatArray, first: IntArray, link: IntArray, begin: FloatArray
) -> tuple[FloatArray, FloatArray, FlagArray]:
    """Headings at places on links, the turns from there to their ends `(N,)` [rad], and which are in doubt.

    Args:
        tangent: of `Polylines`.
        arc: likewise.
        run: likewise.
        first: likewise.
        link: `(N,)` the links.
        begin: `(N,)` the places [m].
    """
    count = link.shape[0]
    heading, turn, doubtful = np.empty(count), np.empty(count), np.zeros(count, np.bool_)
    tangent, arc, run, first = bare(tangent), bare(arc), bare(run), bare(first)
    for i in range(count):
        start, last = first[link[i]], first[link[i] + 1] - 1
        segment, fraction = segment_at(arc, run, start, last, begin[i])
        x, y = direction_at(tangent, segment, fraction)
        heading[i], total = math.atan2(y, x), 0.0
        for part in range(1, TURN_PARTS + 1):
            s = begin[i] + (arc[last] - begin[i]) * part / TURN_PARTS
            while segment < last - 1 and arc[segment + 1] <= s:
                segment += 1
            span = arc[segment + 1] - arc[segment]
            fraction = min(max((s - arc[segment]) / span, 0.0), 1.0) if span > 0.0 else 0.0
            u, v = direction_at(tangent, segment, fraction)
            across, along = x * v - y * u, x * u + y * v
            if across != 0.0 or along <= 0.0:
                one = math.atan2(across, along)
                total += one
                doubtful[i] |= abs(one) > _ABOUT_FACE
            x, y = u, v
        turn[i] = total
    return heading, turn, doubtful
