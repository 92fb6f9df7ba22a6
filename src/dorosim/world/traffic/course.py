"""The courses that bodies follow along lanes: even points, and between them curves without kinks.

A body's heading is that of a chord between two points of its course, so its yaw rate is as smooth as the heading of the
course. On straight pieces the heading jumps from piece to piece, and a cruising ego vehicle would have to change its
wheel angle at each of them. So between points the course is a cubic Hermite curve (C. de Boor, "A Practical Guide to
Splines", chapter IV) with the tangents of the map's line, which lanes that run on into each other share.
"""

from __future__ import annotations

import numpy as np

from dorosim.road.adjacency import FloatArray, IntArray, frozen
from dorosim.road.network import RoadNetwork
from dorosim.world.traffic.course_kernel import find_courses


def courses_of(network: RoadNetwork) -> tuple[FloatArray, IntArray, FloatArray]:
    """The courses of all links, with evenly spaced points, as few as keep within `FLAT` of the map's lines.

    Returns:
        `(P, 5)` points in map [m], and how far the course would get in x and y from point to point by its tangent there
        [m]; where those of each link begin, `(L,)`; and how many it has per metre, `(L,)`.
    """
    lines = network.lines
    counts = np.zeros(network.link_count, np.int64)
    slope = lines.tangent / np.sqrt(1.0 + lines.grade * lines.grade)[:, None]
    course = find_courses(lines.points, lines.arc, slope, lines.first, counts)
    return frozen(course), np.cumsum(counts) - counts, (counts - 1) / np.maximum(network.link_length, 1e-9)
