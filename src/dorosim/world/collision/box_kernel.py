"""Two boxes in the plane: when they meet on their way through a tick, along which axis, and around which point.

The separating axis method for moving boxes (C. Ericson, "Real-Time Collision Detection" (2005), sections 4.4 and
5.5): on each of the four edge normals the projections overlap during an interval of time; the boxes touch while all
overlap, and meet along the axis that overlaps last. The way is a straight line; what the boxes turn in the tick is
left out.

The point is the centroid of the area in which the boxes would overlap after `CRUSH` of penetration, as in the impact
model of Kudlich and Slibar (H. Steffan and A. Moser, "The collision and trajectory models of PC-CRASH", SAE 960886):
so two bumpers that meet nearly flush meet in their middle and not at a corner.
"""

from __future__ import annotations

from typing import NamedTuple

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel

CRUSH = 0.1
"""Penetration along the normal at which the point of impact is looked for [m]."""
MIN_OVERLAP_AREA = 1e-9
"""An overlap below it is a point [m²]."""
NO_MEETING = -1.0


class Box(NamedTuple):
    """A box from above: centre [m], direction of its length, half sizes [m]."""

    x: float
    y: float
    c: float
    s: float
    half_length: float
    half_width: float


class Meeting(NamedTuple):
    """How two boxes meet.

    Attributes:
        when: share of the tick after which they meet, 0 if they touched at its start, NO_MEETING if they do not meet.
        normal_x, normal_y: from the first to the second, of length 1.
        reach: sum of their extents along the normal: distance of the centres along it when they touch [m].
        depth: overlap along the normal at the end of the tick if nothing stopped them [m].
    """

    when: float
    normal_x: float
    normal_y: float
    reach: float
    depth: float


@inner_kernel
def extent_along(box: Box, x: float, y: float) -> float:
    """Half of a box's extent along a direction [m]."""
    along, across = box.c * x + box.s * y, box.c * y - box.s * x
    return box.half_length * abs(along) + box.half_width * abs(across)


@inner_kernel
def meet(first: Box, second: Box, way_x: float, way_y: float) -> Meeting:
    """How two boxes meet in a tick.

    Boxes that overlap at the start meet at once, along the axis on which they overlap least there. They do not meet if
    they part in the tick without having come closer along it.

    Args:
        first: where the one is at the end of the tick if nothing stops it.
        second: the other.
        way_x: how far the second comes to the east relative to the first in the tick [m].
        way_y: how far it comes to the north [m].
    """
    end_x, end_y = second.x - first.x, second.y - first.y
    when, leave, least, apart = 0.0, 1e300, 1e300, False
    normal_x, normal_y, normal_reach = 1.0, 0.0, 0.0
    for axis in range(4):
        box = first if axis < 2 else second
        x, y = (box.c, box.s) if axis % 2 == 0 else (-box.s, box.c)
        begin = (end_x - way_x) * x + (end_y - way_y) * y
        if begin < 0.0:
            # axes point from the first box to where the second came from
            x, y, begin = -x, -y, -begin
        approach = -(way_x * x + way_y * y)
        reach = extent_along(first, x, y) + extent_along(second, x, y)
        gap = begin - reach
        if gap >= 0.0:
            if approach <= gap:
                return Meeting(NO_MEETING, 1.0, 0.0, 0.0, 0.0)
            if not apart or gap / approach > when:
                apart, when = True, gap / approach
                normal_x, normal_y, normal_reach = x, y, reach
        elif not apart and -gap < least:
            least = -gap
            normal_x, normal_y, normal_reach = x, y, reach
        if approach > 0.0:
            leave = min(leave, (begin + reach) / approach)
        elif approach < 0.0:
            leave = min(leave, gap / approach)
    parts = leave < 1.0 and not apart and way_x * normal_x + way_y * normal_y >= 0.0
    if when > leave or parts:
        return Meeting(NO_MEETING, 1.0, 0.0, 0.0, 0.0)
    depth = normal_reach - (end_x * normal_x + end_y * normal_y)
    return Meeting(when, normal_x, normal_y, normal_reach, depth)


@inner_kernel
def cut(polygon: FloatArray, count: int, side: int, limit: float) -> int:
    """Cut a convex polygon to one side of an axis-parallel line, in place (I. Sutherland and G. Hodgman, 1974).

    Args:
        polygon: `(2, 2, 9)` the corners in `polygon[0]`; `polygon[1]` is scratch.
        count: how many corners.
        side: 0 keeps x <= limit, 1 keeps x >= -limit, 2 keeps y <= limit, 3 keeps y >= -limit.
        limit: half size of the rectangle that cuts [m].

    Returns:
        how many corners are left.
    """
    left, axis, sign = 0, side // 2, 1.0 if side % 2 == 0 else -1.0
    for k in range(count):
        after = k + 1 if k + 1 < count else 0
        here, there = limit - sign * polygon[0, axis, k], limit - sign * polygon[0, axis, after]
        if here >= 0.0:
            polygon[1, 0, left], polygon[1, 1, left] = polygon[0, 0, k], polygon[0, 1, k]
            left += 1
        if (here > 0.0 and there < 0.0) or (here < 0.0 and there > 0.0):
            share = here / (here - there)
            polygon[1, 0, left] = polygon[0, 0, k] + share * (polygon[0, 0, after] - polygon[0, 0, k])
            polygon[1, 1, left] = polygon[0, 1, k] + share * (polygon[0, 1, after] - polygon[0, 1, k])
            left += 1
    for k in range(left):
        polygon[0, 0, k], polygon[0, 1, k] = polygon[1, 0, k], polygon[1, 1, k]
    return left


@inner_kernel
def centroid(polygon: FloatArray, count: int) -> tuple[float, float]:
    """Centroid of the convex polygon in `polygon[0]`; of a sliver the mean of its corners."""
    x, y, area = 0.0, 0.0, 0.0
    mean_x, mean_y = 0.0, 0.0
    for k in range(count):
        mean_x += polygon[0, 0, k] / count
        mean_y += polygon[0, 1, k] / count
    for k in range(count):
        after = k + 1 if k + 1 < count else 0
        ax, ay = polygon[0, 0, k] - mean_x, polygon[0, 1, k] - mean_y
        bx, by = polygon[0, 0, after] - mean_x, polygon[0, 1, after] - mean_y
        piece = ax * by - ay * bx
        area += piece
        x += piece * (ax + bx)
        y += piece * (ay + by)
    if abs(area) < 2.0 * MIN_OVERLAP_AREA:
        return mean_x, mean_y
    return mean_x + x / (3.0 * area), mean_y + y / (3.0 * area)


@inner_kernel
def point_of_impact(first: Box, second: Box, meeting: Meeting, polygon: FloatArray) -> tuple[float, float]:
    """Where the impulse acts [m], in the map.

    Args:
        first: the one box where they meet.
        second: the other.
        meeting: how they meet.
        polygon: `(2, 2, 9)` scratch.
    """
    nx, ny = meeting.normal_x, meeting.normal_y
    crush = min(CRUSH, extent_along(first, nx, ny), extent_along(second, nx, ny))
    # the second box where the overlap along the normal is the crush, seen from the first
    apart = (second.x - first.x) * nx + (second.y - first.y) * ny
    push = meeting.reach - crush - apart
    x, y = second.x + push * nx - first.x, second.y + push * ny - first.y
    x, y = first.c * x + first.s * y, first.c * y - first.s * x
    c, s = first.c * second.c + first.s * second.s, first.c * second.s - first.s * second.c
    for k in range(4):
        along = second.half_length if k in (0, 3) else -second.half_length
        across = second.half_width if k < 2 else -second.half_width
        polygon[0, 0, k], polygon[0, 1, k] = x + c * along - s * across, y + s * along + c * across
    count = 4
    for side in range(4):
        count = cut(polygon, count, side, first.half_length if side < 2 else first.half_width)
    if count == 0:
        # they pass each other's corner: no area, so a point between the centres, as far as they reach
        x, y = extent_along(first, nx, ny) * nx, extent_along(first, nx, ny) * ny
        return first.x + x, first.y + y
    px, py = centroid(polygon, count)
    px, py = first.c * px - first.s * py, first.s * px + first.c * py
    # half of the crush is on each side of where they touch
    return first.x + px - 0.5 * push * nx, first.y + py - 0.5 * push * ny
