"""What is measured of an entity and of those around it in a tick: the formulas of `dorosim.scenario.criterion`.

Each has the bits of the readable one. Where that compares a `math.hypot`, or a sum whose bits depend on Python's
version, and both sides are nearly equal, the answer is that one cannot say here.
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.storyboard.box_kernel import CORNERS, box_corners, outline_gap
from dorosim.world.storyboard.criterion_word import CANNOT_SAY
from dorosim.world.storyboard.state import EntityTable
from dorosim.world.storyboard.vector_kernel import planar_length

NO, YES = 0, 1
MEASURED_REACH = 300.0
"""Others that are further away are not measured [m]."""
LONGEST_STRAIGHT = 500.0
"""No way is straight for longer [m]."""
STEADY_SPEED = 1e-12
"""A speed or a denominator smaller than this is none."""
_MARGIN = 1e-9
_AT = EntityTable.at
_NUMBERS = (_AT.x, _AT.y, _AT.z, _AT.heading, _AT.velocity_x, _AT.velocity_y, _AT.acceleration_x, _AT.acceleration_y)
_ON_ROAD = (_AT.s, _AT.t, _AT.turn)

Found = tuple[int, float, int]
"""YES with a value and the entity with which it was measured, -1 for none; NO or CANNOT_SAY."""
Way = tuple[int, float, float, float, float]
"""As `dorosim.scenario.criterion.ahead.Ahead`: YES with gap, speed, closing speed, acceleration; NO or CANNOT_SAY."""


@inner_kernel
def are_near(value: float, other: float) -> bool:
    """Whether two numbers may be the other way round in their last bits; so it is where one is none."""
    return not abs(value - other) > _MARGIN * (1.0 + abs(other))


@inner_kernel
def is_within(dx: float, dy: float, reach: float) -> int:
    """Whether a vector in plan is shorter than a reach [m]."""
    length = planar_length(dx, dy)
    if are_near(length, reach):
        return CANNOT_SAY
    return YES if length < reach else NO


@inner_kernel
def are_finite(floats: FloatArray, entity: int) -> bool:
    """Whether all is finite that is measured of an entity."""
    finite = True
    for column in _NUMBERS:
        finite &= np.isfinite(floats[column, entity])
    for column in _ON_ROAD:
        finite &= np.isfinite(floats[column, entity])
    return finite


@inner_kernel
def outline_of(floats: FloatArray, boxes: FloatArray, entity: int) -> FloatArray:
    """The corners `(4, 2)` of an entity in the map [m]."""
    box = (boxes[entity, 0], boxes[entity, 1], boxes[entity, 3], boxes[entity, 4])
    return box_corners(floats[_AT.x, entity], floats[_AT.y, entity], floats[_AT.heading, entity], box)


@inner_kernel
def road_outline_of(floats: FloatArray, boxes: FloatArray, entity: int, side: float) -> FloatArray:
    """The corners `(4, 2)` of an entity along and across its road [m]; along counts by a side, 1 or -1."""
    box = (boxes[entity, 0], boxes[entity, 1], boxes[entity, 3], boxes[entity, 4])
    found = box_corners(floats[_AT.s, entity], floats[_AT.t, entity], floats[_AT.turn, entity], box)
    for corner in range(CORNERS):
        found[corner, 0] *= side
    return found


@inner_kernel
def body_outline_of(floats: FloatArray, boxes: FloatArray, entity: int, ego: int) -> FloatArray:
    """The corners `(4, 2)` of an entity ahead and to the left of another one [m]."""
    found, heading = outline_of(floats, boxes, entity), floats[_AT.heading, ego]
    cosine, sine = math.cos(heading), math.sin(heading)
    for corner in range(CORNERS):
        dx, dy = found[corner, 0] - floats[_AT.x, ego], found[corner, 1] - floats[_AT.y, ego]
        found[corner, 0], found[corner, 1] = dx * cosine + dy * sine, dy * cosine - dx * sine
    return found


@inner_kernel
def is_level(floats: FloatArray, boxes: FloatArray, one: int, other: int) -> bool:
    """Whether one could touch the other: not where one is on a bridge above it."""
    middle, half = floats[_AT.z, one] + boxes[one, 2], boxes[one, 5] / 2.0
    bottom = floats[_AT.z, other] + boxes[other, 2] - boxes[other, 5] / 2.0
    return bool(middle - half <= bottom + boxes[other, 5] and bottom <= middle + half)


@inner_kernel
def interval_along(points: FloatArray, nx: float, ny: float) -> tuple[float, float]:
    """The ends of an outline `(4, 2)` along a direction."""
    low = high = points[0, 0] * nx + points[0, 1] * ny
    for corner in range(1, CORNERS):
        along = points[corner, 0] * nx + points[corner, 1] * ny
        if along < low:
            low = along
        if along > high:
            high = along
    return low, high


@inner_kernel
def time_to_overlap(floats: FloatArray, boxes: FloatArray, one: int, other: int) -> float:
    """Time until two boxes overlap in plan if their velocities and headings stay [s]; infinite for never."""
    own, theirs = outline_of(floats, boxes, one), outline_of(floats, boxes, other)
    vx = floats[_AT.velocity_x, other] - floats[_AT.velocity_x, one]
    vy = floats[_AT.velocity_y, other] - floats[_AT.velocity_y, one]
    begin, end = 0.0, math.inf
    for entity in (one, other):
        cosine, sine = math.cos(floats[_AT.heading, entity]), math.sin(floats[_AT.heading, entity])
        for axis in range(2):
            nx, ny = (cosine, sine) if axis == 0 else (-sine, cosine)
            low, high = interval_along(own, nx, ny)
            bottom, top = interval_along(theirs, nx, ny)
            speed = vx * nx + vy * ny
            if abs(speed) < STEADY_SPEED:
                if top <= low or bottom >= high:
                    return math.inf
                continue
            enter, leave = (low - top) / speed, (high - bottom) / speed
            if leave < enter:
                enter, leave = leave, enter
            if enter > begin:
                begin = enter
            if leave < end:
                end = leave
            if begin >= end:
                return math.inf
    return begin


@inner_kernel
def find_least_time(floats: FloatArray, ints: IntArray, boxes: FloatArray, ranks: IntArray, ego: int) -> Found:
    """The time to collision: `criterion.limit.min_time_to_collision`."""
    best, who = math.inf, -1
    for one in range(floats.shape[1]):
        if one == ego or ints[_AT.present, one] == 0:
            continue
        dx, dy = floats[_AT.x, one] - floats[_AT.x, ego], floats[_AT.y, one] - floats[_AT.y, ego]
        near = is_within(dx, dy, MEASURED_REACH)
        if near == CANNOT_SAY:
            return CANNOT_SAY, 0.0, -1
        if near == NO or not is_level(floats, boxes, ego, one):
            continue
        value = time_to_overlap(floats, boxes, ego, one)
        if who < 0 or value < best or (value == best and ranks[one] < ranks[who]):
            best, who = value, one
    return (YES if who >= 0 else NO), best, who


@inner_kernel
def find_least_distance(floats: FloatArray, ints: IntArray, boxes: FloatArray, ego: int) -> Found:
    """The distance of boxes in plan: `criterion.limit.min_distance`."""
    nearest, who = MEASURED_REACH, -1
    for one in range(floats.shape[1]):
        if one == ego or ints[_AT.present, one] == 0:
            continue
        dx, dy = floats[_AT.x, one] - floats[_AT.x, ego], floats[_AT.y, one] - floats[_AT.y, ego]
        least = planar_length(dx, dy) - boxes[ego, 6] - boxes[one, 6]
        if are_near(least, nearest):
            return CANNOT_SAY, 0.0, -1
        if least < nearest and is_level(floats, boxes, ego, one):
            found = outline_gap(outline_of(floats, boxes, ego), outline_of(floats, boxes, one))
            if found < nearest:
                nearest, who = found, one
    return (YES if who >= 0 else NO), nearest, who


@inner_kernel
def touches(floats: FloatArray, ints: IntArray, boxes: FloatArray, ego: int) -> int:
    """Whether the box of an entity overlaps another one: `criterion.event.NoCollision`."""
    for one in range(floats.shape[1]):
        if one == ego or ints[_AT.present, one] == 0:
            continue
        dx, dy = floats[_AT.x, one] - floats[_AT.x, ego], floats[_AT.y, one] - floats[_AT.y, ego]
        near = is_within(dx, dy, boxes[ego, 6] + boxes[one, 6])
        if near == CANNOT_SAY:
            return CANNOT_SAY
        if near == YES and is_level(floats, boxes, ego, one):
            gap = outline_gap(outline_of(floats, boxes, ego), outline_of(floats, boxes, one))
            if gap == 0.0:
                return YES
    return NO


@inner_kernel
def acceleration_of(floats: FloatArray, entity: int) -> float:
    """Acceleration of an entity along its body [m/s2]."""
    heading = floats[_AT.heading, entity]
    along = floats[_AT.acceleration_x, entity] * math.cos(heading)
    return float(along + floats[_AT.acceleration_y, entity] * math.sin(heading))


@inner_kernel
def speed_along(floats: FloatArray, entity: int, heading: float) -> float:
    """Part of its velocity along a direction of the map [m/s]."""
    vx, vy = floats[_AT.velocity_x, entity], floats[_AT.velocity_y, entity]
    return float(vx * math.cos(heading) + vy * math.sin(heading))


@inner_kernel
def find_deceleration(floats: FloatArray, ego: int) -> Found:
    """Deceleration along the body, whichever way it drives: `criterion.limit.max_deceleration`."""
    speed = speed_along(floats, ego, floats[_AT.heading, ego])
    if speed == 0.0:
        return NO, 0.0, -1
    return YES, -math.copysign(1.0, speed) * acceleration_of(floats, ego), -1


@inner_kernel
def find_ahead(floats: FloatArray, ints: IntArray, boxes: FloatArray, ego: int, other: int) -> Way:
    """How another entity is in an entity's way: `criterion.ahead.is_ahead`."""
    if not is_level(floats, boxes, ego, other):
        return NO, 0.0, 0.0, 0.0, 0.0
    heading, lead_heading = floats[_AT.heading, ego], floats[_AT.heading, ego]
    if ints[_AT.road, ego] >= 0 and ints[_AT.road, ego] == ints[_AT.road, other]:
        side = 1.0 if math.cos(floats[_AT.turn, ego]) >= 0.0 else -1.0
        own, theirs = road_outline_of(floats, boxes, ego, side), road_outline_of(floats, boxes, other, side)
        turned = 0.0 if side > 0.0 else math.pi
        heading = heading - floats[_AT.turn, ego] + turned
        lead_heading = floats[_AT.heading, other] - floats[_AT.turn, other] + turned
    else:
        dx, dy = floats[_AT.x, other] - floats[_AT.x, ego], floats[_AT.y, other] - floats[_AT.y, ego]
        near = is_within(dx, dy, LONGEST_STRAIGHT)
        if near != YES:
            return near, 0.0, 0.0, 0.0, 0.0
        own, theirs = body_outline_of(floats, boxes, ego, ego), body_outline_of(floats, boxes, other, ego)
    right, left = interval_along(own, 0.0, 1.0)
    their_right, their_left = interval_along(theirs, 0.0, 1.0)
    if left <= their_right or their_left <= right:
        return NO, 0.0, 0.0, 0.0, 0.0
    middle, their_middle = 0.0, 0.0
    for corner in range(CORNERS):
        middle, their_middle = middle + own[corner, 0], their_middle + theirs[corner, 0]
    if are_near(their_middle, middle):
        return CANNOT_SAY, 0.0, 0.0, 0.0, 0.0
    if their_middle <= middle:
        return NO, 0.0, 0.0, 0.0, 0.0
    gap = interval_along(theirs, 1.0, 0.0)[0] - interval_along(own, 1.0, 0.0)[1]
    if gap < 0.0:
        gap = 0.0
    speed = speed_along(floats, ego, heading)
    lead = speed_along(floats, other, lead_heading)
    acceleration = acceleration_of(floats, other) * math.cos(floats[_AT.heading, other] - lead_heading)
    return YES, gap, speed, speed - lead, acceleration
