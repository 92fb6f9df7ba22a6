"""Boxes that stand in a pedestrian's way, seen from above in frames of their own, and the ways around them."""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.collision.body import BodyTable
from dorosim.world.collision.box_kernel import Box

_BODY = BodyTable.at

OUTWARD_SLOPE = 0.3
"""A pedestrian inside the room around a box goes away from the box by so much on every metre along it."""
CORNER_MARGIN = 0.05
"""A pedestrian aims this far beside a corner [m]."""


@inner_kernel
def box_of(body: FloatArray, b: int, room: float) -> Box:
    """The box of a row of `BodyTable.floats`, with room around it [m]."""
    yaw = body[_BODY.yaw, b]
    return Box(
        body[_BODY.x, b],
        body[_BODY.y, b],
        math.cos(yaw),
        math.sin(yaw),
        body[_BODY.half_length, b] + room,
        body[_BODY.half_width, b] + room,
    )


@inner_kernel
def place_in(box: Box, x: float, y: float) -> tuple[float, float]:
    """A place in map [m] in the frame of a box."""
    dx, dy = x - box.x, y - box.y
    return box.c * dx + box.s * dy, box.c * dy - box.s * dx


@inner_kernel
def is_in(box: Box, x: float, y: float) -> bool:
    """Whether a place in the frame of a box [m] is inside it."""
    return bool(abs(x) < box.half_length and abs(y) < box.half_width)


@inner_kernel
def way_into(box: Box, x: float, y: float, way_x: float, way_y: float) -> float:
    """The length of a straight way until it enters a box [m], infinite if it does not; all in the box's frame.

    The slabs of T. Kay and J. Kajiya, "Ray tracing complex scenes", SIGGRAPH 1986.
    """
    begin, end = 0.0, math.inf
    for axis in range(2):
        place, step, half = (x, way_x, box.half_length) if axis == 0 else (y, way_y, box.half_width)
        if abs(step) < 1e-12:
            if abs(place) >= half:
                return math.inf
            continue
        low, high = (-half - place) / step, (half - place) / step
        begin, end = max(begin, min(low, high)), min(end, max(low, high))
    return begin if begin < end else math.inf


@inner_kernel
def way_round(box: Box, x: float, y: float, side: int) -> tuple[float, float]:
    """The way from a place outside a box to its outermost corner on a side, 1 left, -1 right; in its frame [m]."""
    best, best_x, best_y = -math.inf, 0.0, 0.0
    for corner in range(4):
        to_x = (box.half_length + CORNER_MARGIN if corner & 1 else -box.half_length - CORNER_MARGIN) - x
        to_y = (box.half_width + CORNER_MARGIN if corner & 2 else -box.half_width - CORNER_MARGIN) - y
        # angle to the left of the direction to the middle
        angle = side * math.atan2(y * to_x - x * to_y, -x * to_x - y * to_y)
        if angle > best:
            best, best_x, best_y = angle, to_x, to_y
    return best_x, best_y


@inner_kernel
def shorter_side(box: Box, x: float, y: float, goal_x: float, goal_y: float) -> int:
    """The side on which the way around a box to a goal is shorter, 1 left and -1 right; in the box's frame [m]."""
    excess = 0.0
    for side in (1, -1):
        to_x, to_y = way_round(box, x, y, side)
        excess += side * (math.hypot(to_x, to_y) + math.hypot(goal_x - x - to_x, goal_y - y - to_y))
    return 1 if excess <= 0.0 else -1


@inner_kernel
def depth_in(box: Box, x: float, y: float) -> float:
    """How far a place in the frame of a box is inside it, negative outside [m]."""
    return min(box.half_length - abs(x), box.half_width - abs(y))


@inner_kernel
def nearest_side(box: Box, x: float, y: float) -> tuple[float, float]:
    """Direction outwards of the side of a box that a place inside is nearest to; in the box's frame."""
    if box.half_length - abs(x) < box.half_width - abs(y):
        return math.copysign(1.0, x), 0.0
    return 0.0, math.copysign(1.0, y)


@inner_kernel
def leads_out(box: Box, x: float, y: float, way_x: float, way_y: float) -> bool:
    """Whether a way from a place inside a box leads away from the nearest side; in the box's frame."""
    out_x, out_y = nearest_side(box, x, y)
    return out_x * way_x + out_y * way_y >= 0.0


@inner_kernel
def way_out(box: Box, x: float, y: float, side: int) -> tuple[float, float]:
    """The way from a place inside a box along its nearest side, and away from it; in the box's frame [m]."""
    out_x, out_y = nearest_side(box, x, y)
    return OUTWARD_SLOPE * out_x + side * out_y, OUTWARD_SLOPE * out_y - side * out_x
