"""The way of an actor on the map: lanes as areas, and bounds that show them well."""

from __future__ import annotations

import numpy as np

from dorosim.app.analyse.trace.trace import Trace
from dorosim.ground.column import FloatArray
from dorosim.road.network import RoadNetwork

MARGIN, MIN_MARGIN = 0.06, 30.0
"""What is shown beside the way, as a share of its extent, and at least so much [m]."""
Bounds = tuple[float, float, float, float]
"""West, south, east, north [m]."""


def bounds_of(trace: Trace, reference: FloatArray | None = None) -> Bounds:
    """The part of the map to show: the way, and what of the reference `(N, 2)` [m] is near it."""
    here = np.isfinite(trace.x)
    points = np.stack((trace.x[here], trace.y[here]), axis=1)
    low, high = points.min(axis=0), points.max(axis=0)
    margin = max(MIN_MARGIN, MARGIN * float((high - low).max()))
    if reference is not None:
        near = (reference >= low - margin).all(axis=1) & (reference <= high + margin).all(axis=1)
        if near.any():
            low, high = np.minimum(low, reference[near].min(axis=0)), np.maximum(high, reference[near].max(axis=0))
    west, south = (low - margin).tolist()
    east, north = (high + margin).tolist()
    return west, south, east, north


def lane_areas(network: RoadNetwork, bounds: Bounds) -> list[FloatArray]:
    """Outlines `(n, 2)` of the drivable lanes that touch a part of the map [m]."""
    west, south, east, north = bounds
    found = []
    first = network.lines.first
    for link in range(network.link_count):
        if not network.link_drivable[link]:
            continue
        part = slice(int(first[link]), int(first[link + 1]))
        line, tangent = network.lines.points[part, :2], network.lines.tangent[part, :2]
        low, high = line.min(axis=0), line.max(axis=0)
        if low[0] > east or high[0] < west or low[1] > north or high[1] < south:
            continue
        normal = np.stack((-tangent[:, 1], tangent[:, 0]), axis=1)
        left = line + network.left_width[part, None] * normal
        right = line - network.right_width[part, None] * normal
        found.append(np.concatenate((left, right[::-1])))
    return found


def moments(trace: Trace, most: int = 8) -> list[tuple[float, int]]:
    """Moments to write along the way: a round simulated time [s] and the row of the trace."""
    span = float(trace.time[-1] - trace.time[0])
    if span <= 0.0:
        return []
    step = next(size for size in (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 1e9) if span / size <= most)
    first = np.ceil(trace.time[0] / step + 1e-9) * step
    times = np.arange(first, trace.time[-1] - 0.25 * step, step)
    rows = np.searchsorted(trace.time, times - 1e-6)
    return [(float(t), int(row)) for t, row in zip(times, rows, strict=True) if np.isfinite(trace.x[row])]
