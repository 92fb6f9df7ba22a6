"""Height and slope of the ground under bodies that move, each tick.

A body is near where it was a tick ago, so the search starts from its last segment and goes along the lane; the grid
is asked only when the body is new, has jumped, or has left the lane to the side.
"""

from __future__ import annotations

import math

from dorosim.ground.jit import inner_kernel, kernel
from dorosim.road.adjacency import FloatArray, IntArray
from dorosim.road.location_kernel import foot_near, foot_on_link, foot_side, foot_within, nearest_segment
from dorosim.road.surface import SurfaceArrays

_MAX_LANE_OFFSET = 2.5
"""A body farther than this from its lane's centre line [m] looks for another lane."""

OFF_LEVEL = 3.0
"""A body this much above or below its lane [m] looks for another level."""

MAX_LINK_ENDS = 4
"""How many ends of links a body may pass in one call before the grid is asked."""


@inner_kernel
def follow_lane(surface: SurfaceArrays, segment: int, x: float, y: float) -> tuple[int, float, bool]:
    """The foot of a point, searched from a segment over the ends of links.

    Of several links that follow, the one that the point is least aside of is taken.

    Returns:
        Segment, fraction of it, and whether a foot was found.
    """
    station = surface.station
    for _ in range(MAX_LINK_ENDS):
        link = surface.link[segment]
        start, last = surface.first[link], surface.first[link + 1] - 2
        segment, fraction, beyond, complete = foot_on_link(station, start, last, segment, x, y)
        if not complete or beyond == 0.0:
            return segment, fraction, complete
        forward = beyond > 0.0
        first = surface.next_first if forward else surface.before_first
        others = surface.next_link if forward else surface.before_link
        best, least = -1, math.inf
        for k in range(first[link], first[link + 1]):
            there = surface.first[others[k]] if forward else surface.first[others[k] + 1] - 2
            end = there if forward else there + 1
            ahead = foot_side(station, there, 0 if forward else 1, x, y)
            aside = abs(station[end, 3] * (y - station[end, 1]) - station[end, 4] * (x - station[end, 0]))
            # Where links meet at an angle, a point may lie beyond the one and not yet on the other.
            if (ahead >= 0.0) == forward and aside < least:
                best, least = there, aside
        if best < 0:
            return segment, fraction, True
        segment = best
    return segment, 0.0, False


@kernel
def follow_surface(
    surface: SurfaceArrays,
    x: FloatArray,
    y: FloatArray,
    z: FloatArray,
    segment: IntArray,
    height: FloatArray,
    slope_x: FloatArray,
    slope_y: FloatArray,
) -> None:
    """Height and slope of the ground under each point.

    The ground has the height of the nearest lane's centre line, level across the lane. Along a lane height and slope
    are continuous: height is linear between the lane's points, slope between the slopes at them. Without lanes the
    ground is the plane z = 0. All results are finite whatever the input.

    Give 1-D C-contiguous arrays that are writable, always the same kinds, so that the kernel is compiled once.

    Args:
        surface: the lanes.
        x: `(N,)` points in map [m].
        y: likewise.
        z: likewise; it decides between levels and may be NaN if it is not known.
        segment: `(N,)` in and out: the segment last found, -1 or anything out of range if none.
        height: `(N,)` out: z of the ground in map [m].
        slope_x: `(N,)` out: rise of the ground per metre of map x.
        slope_y: `(N,)` out: rise of the ground per metre of map y.
    """
    station = surface.station
    segments = surface.link.shape[0] - 1
    for n in range(x.shape[0]):
        height[n] = slope_x[n] = slope_y[n] = 0.0
        hint = segment[n]
        segment[n] = -1
        if not (math.isfinite(x[n]) and math.isfinite(y[n])):
            continue
        fraction, found = 0.0, False
        if 0 <= hint < segments and surface.link[hint] == surface.link[hint + 1]:
            behind = foot_side(station, hint, 0, x[n], y[n])
            ahead = foot_side(station, hint, 1, x[n], y[n])
            if behind >= 0.0 and ahead <= 0.0:
                fraction, found = foot_within(station, hint, behind, ahead), True
            else:
                hint, fraction, found = follow_lane(surface, hint, x[n], y[n])
        if found:
            aside_x = x[n] - station[hint, 0] - fraction * (station[hint + 1, 0] - station[hint, 0])
            aside_y = y[n] - station[hint, 1] - fraction * (station[hint + 1, 1] - station[hint, 1])
            off = z[n] - station[hint, 2] - fraction * (station[hint + 1, 2] - station[hint, 2])
            found = aside_x * aside_x + aside_y * aside_y <= _MAX_LANE_OFFSET**2 and not abs(off) > OFF_LEVEL
        if not found:
            hint = nearest_segment(surface, x[n], y[n], z[n], 0.0, 0.0, False, math.inf)
            if hint < 0:
                continue
            hint, fraction = foot_near(surface, hint, x[n], y[n])
        j = hint + 1
        weight, other = fraction * station[j, 5], (1.0 - fraction) * station[hint, 5]
        segment[n] = hint
        height[n] = station[hint, 2] + fraction * (station[j, 2] - station[hint, 2])
        slope_x[n] = other * station[hint, 3] + weight * station[j, 3]
        slope_y[n] = other * station[hint, 4] + weight * station[j, 4]
