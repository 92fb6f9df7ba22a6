"""How a vehicle moves aside in its lane: along a path whose bend and slope are bounded.

The body origin, the middle of the rear axle, follows the path and the body points along it, as that of a single-track
model without slip does; so the bound of the curvature is one of the steering angle, and nothing jumps.
"""

from __future__ import annotations

import math

from dorosim.ground.jit import inner_kernel

PASSED_OFFSET = 0.05
"""A vehicle is back in its lane within this of the middle [m]."""

_SETTLED_OFFSET, _SETTLED_SLOPE = 1e-4, 1e-3


@inner_kernel
def straightening_of(curvature: float, max_slope: float) -> float:
    """The curvature with which a path around something straightens [1/m]: over its last metre aside.

    The gentler the slope, the earlier: else the front of a long vehicle would swing far over.
    """
    return min(curvature, 0.5 * max_slope * max_slope)


@inner_kernel
def lateral_step(
    lateral: float, slope: float, target: float, curvature: float, straightening: float, max_slope: float, way: float
) -> tuple[float, float]:
    """Offset [m] and slope of the path a way farther, on the shortest path to a target offset within the bounds.

    Args:
        lateral: offset now, left positive [m].
        slope: of the path now, over the lane.
        target: the offset that it is to come to and keep [m].
        curvature: bound of the path's curvature [1/m].
        straightening: the curvature with which the path becomes parallel to the lane at the target, at most `curvature`
            [1/m].
        max_slope: bound of its slope.
        way: how far the vehicle drives [m].
    """
    left = target - lateral
    if abs(left) < _SETTLED_OFFSET and abs(slope) < _SETTLED_SLOPE:
        return target, 0.0
    # the slope from which the straightening just suffices to be parallel to the lane at the target
    then = left - slope * way
    wanted = min(max_slope, math.sqrt(2.0 * straightening * abs(then)), 0.5 * abs(then) / max(way, 1e-9))
    wanted = math.copysign(wanted, then)
    bend = curvature * way
    after = slope + min(max(wanted - slope, -bend), bend)
    return lateral + 0.5 * (slope + after) * way, after
