"""Nearest lane segment of a point, by the grid of `SurfaceArrays`, and the exact foot of the point on a link.

The foot is where the line to the point is square to the lane's tangent. Within a segment the tangent turns evenly
from one end to the other, so the condition is quadratic in the fraction of the segment, and the tangent at a point
is the same seen from the segments on both sides: the foot moves without jumps and is found from any neighbour.
"""

from __future__ import annotations

import math

from dorosim.ground.jit import inner_kernel, kernel
from dorosim.road.adjacency import FloatArray, IntArray
from dorosim.road.surface import SurfaceArrays

LEVEL_CAP = 5.0
"""A lane this much higher or lower than the point [m] counts as being on another level, as does any beyond."""

LEVEL_TILT = 0.01
"""What a metre of height adds to the squared distance beyond that [m], so that of equal lanes the nearer level wins."""

WRONG_WAY = 6.0
"""A lane straight against the heading counts as lying this much farther aside [m]."""

MAX_SEARCH_SEGMENTS = 32
"""How many segments the search for the foot goes along a link before it gives up."""


@inner_kernel
def foot_side(station: FloatArray, segment: int, end: int, x: float, y: float) -> float:
    """How far the point lies ahead of one end (0 or 1) of a segment, along the tangent there [m]."""
    i = segment + end
    ahead: float = (x - station[i, 0]) * station[i, 3] + (y - station[i, 1]) * station[i, 4]
    return ahead


@inner_kernel
def foot_within(station: FloatArray, segment: int, behind: float, ahead: float) -> float:
    """Fraction of the segment at which the tangent is square to the way to the point.

    With A the start, D the segment, T the tangent at the start and dT its change, the fraction t solves
    (P - A - t D) . (T + t dT) = a + b t + c t^2 = 0. The smaller root in its form without cancellation is the one
    between 0 and 1, given `behind` = f(0) >= 0 and `ahead` = f(1) <= 0.
    """
    j = segment + 1
    way_x, way_y = station[j, 0] - station[segment, 0], station[j, 1] - station[segment, 1]
    turn_x, turn_y = station[j, 3] - station[segment, 3], station[j, 4] - station[segment, 4]
    c = -(way_x * turn_x + way_y * turn_y)
    b = ahead - behind - c
    root: float = -b + math.sqrt(max(b * b - 4.0 * behind * c, 0.0))
    if root <= 0.0:
        return 0.0
    return min(max(2.0 * behind / root, 0.0), 1.0)


@inner_kernel
def foot_on_link(
    station: FloatArray, start: int, last: int, segment: int, x: float, y: float
) -> tuple[int, float, float, bool]:
    """The foot of a point on one link, searched from one of its segments.

    Args:
        station: see `SurfaceArrays`.
        start: the link's first segment.
        last: the link's last segment.
        segment: where the search begins.
        x: the point in map [m].
        y: likewise.

    Returns:
        Segment, fraction of it, how far the point lies beyond the link's end (positive) or before its start
        (negative) [m], and whether the search came to an end.
    """
    behind = foot_side(station, segment, 0, x, y)
    ahead = foot_side(station, segment, 1, x, y)
    for _ in range(MAX_SEARCH_SEGMENTS):
        if behind < 0.0:
            if segment == start:
                return segment, 0.0, behind, True
            segment -= 1
            behind, ahead = foot_side(station, segment, 0, x, y), behind
        elif ahead > 0.0:
            if segment == last:
                return segment, 1.0, ahead, True
            segment += 1
            behind, ahead = ahead, foot_side(station, segment, 1, x, y)
        else:
            return segment, foot_within(station, segment, behind, ahead), 0.0, True
    return segment, 0.0, 0.0, False


@inner_kernel
def foot_near(surface: SurfaceArrays, segment: int, x: float, y: float) -> tuple[int, float]:
    """Segment and fraction of the foot of a point on the link of a segment that is near it."""
    link = surface.link[segment]
    start, last = surface.first[link], surface.first[link + 1] - 2
    found, fraction, _, complete = foot_on_link(surface.station, start, last, segment, x, y)
    return (found, fraction) if complete else (segment, 0.0)


@inner_kernel
def segment_cost(
    surface: SurfaceArrays, segment: int, x: float, y: float, z: float, toward_x: float, toward_y: float
) -> float:
    """Squared distance of a point from a segment in the plan, and what height and heading add to it [m^2].

    Args:
        surface: the lanes.
        segment: the segment.
        x: the point in map [m].
        y: likewise.
        z: likewise; NaN if unknown.
        toward_x: the heading as a direction, or 0, 0 if any will do.
        toward_y: likewise.
    """
    station = surface.station
    j = segment + 1
    way_x, way_y = station[j, 0] - station[segment, 0], station[j, 1] - station[segment, 1]
    gap_x, gap_y = x - station[segment, 0], y - station[segment, 1]
    square = way_x * way_x + way_y * way_y
    fraction = 0.0
    if square > 0.0:
        fraction = min(max((gap_x * way_x + gap_y * way_y) / square, 0.0), 1.0)
    gap_x -= fraction * way_x
    gap_y -= fraction * way_y
    cost: float = gap_x * gap_x + gap_y * gap_y
    if z == z:
        rise = abs(z - station[segment, 2] - fraction * (station[j, 2] - station[segment, 2]))
        cost += min(rise, LEVEL_CAP) ** 2 + LEVEL_TILT * rise
    astray = 0.5 * (1.0 - toward_x * station[segment, 3] - toward_y * station[segment, 4])
    if toward_x != 0.0 or toward_y != 0.0:
        cost += (WRONG_WAY * astray) ** 2
    return cost


@inner_kernel
def way_of(across: float, outside: float) -> float:
    """The length of a way by its parts [m], neither negative: mostly one of them is nothing."""
    return across if outside == 0.0 else math.hypot(across, outside)


@inner_kernel
def ring_distance(surface: SurfaceArrays, column: int, row: int, ring: int, x: float, y: float) -> float:
    """A distance that every cell more than `ring` cells away from (column, row) has at least from the point [m]."""
    left, bottom, side = surface.grid_origin[0], surface.grid_origin[1], surface.grid_origin[2]
    columns, rows = surface.grid_size[0], surface.grid_size[1]
    outside_x = max(left - x, x - left - columns * side, 0.0)
    outside_y = max(bottom - y, y - bottom - rows * side, 0.0)
    nearest = math.inf
    if column - ring > 0:
        nearest = min(nearest, way_of(max(x - left - (column - ring) * side, 0.0), outside_y))
    if column + ring < columns - 1:
        nearest = min(nearest, way_of(max(left + (column + ring + 1) * side - x, 0.0), outside_y))
    if row - ring > 0:
        nearest = min(nearest, way_of(max(y - bottom - (row - ring) * side, 0.0), outside_x))
    if row + ring < rows - 1:
        nearest = min(nearest, way_of(max(bottom + (row + ring + 1) * side - y, 0.0), outside_x))
    return nearest


@inner_kernel
def nearest_segment(
    surface: SurfaceArrays,
    x: float,
    y: float,
    z: float,
    toward_x: float,
    toward_y: float,
    drivable_only: bool,
    reach: float,
) -> int:
    """The segment of the least cost within `reach` [m] of a point in the plan, -1 for none.

    Cells are searched in rings around the point's own until no cell further out can hold a better one. Of equal
    segments the one of the lowest index wins, so the answer does not depend on the order of the search.
    """
    left, bottom, side = surface.grid_origin[0], surface.grid_origin[1], surface.grid_origin[2]
    columns, rows = surface.grid_size[0], surface.grid_size[1]
    if columns == 0:
        return -1
    column = int(min(max((x - left) / side, 0.0), columns - 1.0))
    row = int(min(max((y - bottom) / side, 0.0), rows - 1.0))
    best, best_cost = -1, math.inf
    ring = 0
    while True:
        for j in range(max(row - ring, 0), min(row + ring, rows - 1) + 1):
            # Rows at the top and bottom of the ring are searched whole, rows in between at both ends.
            step = 1 if abs(j - row) == ring or ring == 0 else 2 * ring
            for i in range(column - ring, column + ring + 1, step):
                if i < 0 or i >= columns:
                    continue
                cell = i + columns * j
                for k in range(surface.cell_first[cell], surface.cell_first[cell + 1]):
                    segment = surface.cell_segment[k]
                    if drivable_only and not surface.drivable[surface.link[segment]]:
                        continue
                    cost = segment_cost(surface, segment, x, y, z, toward_x, toward_y)
                    if cost < best_cost or (cost == best_cost and segment < best):
                        best, best_cost = segment, cost
        bound = ring_distance(surface, column, row, ring, x, y)
        if bound == math.inf or bound > reach or bound * bound > best_cost:
            return best
        ring += 1


@kernel
def locate_points(
    surface: SurfaceArrays,
    arc: FloatArray,
    points: FloatArray,
    heading: FloatArray,
    drivable_only: bool,
    reach: float,
    ints: IntArray,
    floats: FloatArray,
) -> None:
    """Find the lane of each point.

    Args:
        surface: the lanes.
        arc: `(P,)` arc length at each point of the lanes [m].
        points: `(N, 3)` in map [m]; z may be NaN.
        heading: `(N,)` [rad], NaN if any will do.
        drivable_only: whether lanes that no vehicle uses are passed over.
        reach: points farther than this from every lane in the plan belong to none [m].
        ints: `(2, N)` out: link, segment; -1 for none.
        floats: `(3, N)` out: arc length, lateral offset (left positive), distance in the plan [m]; NaN for none.
    """
    station = surface.station
    for n in range(points.shape[0]):
        x, y, z = points[n, 0], points[n, 1], points[n, 2]
        ints[:, n] = -1
        floats[:, n] = math.nan
        if not (math.isfinite(x) and math.isfinite(y)):
            continue
        toward_x, toward_y = 0.0, 0.0
        if math.isfinite(heading[n]):
            toward_x, toward_y = math.cos(heading[n]), math.sin(heading[n])
        segment = nearest_segment(surface, x, y, z, toward_x, toward_y, drivable_only, reach)
        if segment < 0:
            continue
        segment, fraction = foot_near(surface, segment, x, y)
        j = segment + 1
        foot_x = station[segment, 0] + fraction * (station[j, 0] - station[segment, 0])
        foot_y = station[segment, 1] + fraction * (station[j, 1] - station[segment, 1])
        tangent_x = station[segment, 3] + fraction * (station[j, 3] - station[segment, 3])
        tangent_y = station[segment, 4] + fraction * (station[j, 4] - station[segment, 4])
        distance = math.hypot(x - foot_x, y - foot_y)
        if distance > reach:
            continue
        length = max(math.hypot(tangent_x, tangent_y), 1e-12)
        ints[0, n] = surface.link[segment]
        ints[1, n] = segment
        floats[0, n] = arc[segment] + fraction * (arc[j] - arc[segment])
        floats[1, n] = (tangent_x * (y - foot_y) - tangent_y * (x - foot_x)) / length
        floats[2, n] = distance
