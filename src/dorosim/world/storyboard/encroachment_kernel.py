"""PET in compiled code: how long after one the other comes to the same place, where their ways cross."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.storyboard.box_kernel import CORNERS, box_corners, do_overlap
from dorosim.world.storyboard.criterion_word import CANNOT_SAY, StateInt
from dorosim.world.storyboard.criticality_kernel import NO, YES, Found, are_near, is_level, is_within, outline_of
from dorosim.world.storyboard.state import EntityTable
from dorosim.world.storyboard.vector_kernel import planar_length

CROSSING_ANGLE = math.radians(20.0)
"""Ways that differ by less, or that are opposite to within as much, do not cross."""
MAX_TRAIL_DISTANCE = 100.0
"""Others that are further away from the ego leave no trail [m]."""
_AT = EntityTable.at
_FIRST, _COUNT = int(StateInt.FIRST), int(StateInt.COUNT)
_TIME, _NUMBER, _X, _Y, _HEADING = range(5)


@inner_kernel
def angle_of_ways(heading: float, other: float) -> float:
    """The angle between two straight ways, whichever way they are driven [rad]."""
    rest = float(np.fmod(heading - other, math.pi))
    turn = rest + math.pi if rest < 0.0 else rest
    return min(turn, math.pi - turn)


@inner_kernel
def last_there(
    floats: FloatArray, boxes: FloatArray, now: int, past: int, trail: FloatArray, first: int, count: int
) -> Found:
    """When an entity was last where another one is now, on a way that crosses that one's.

    Args:
        floats: of the entities.
        boxes: of the entities.
        now: the entity that is there now.
        past: the one that was.
        trail: `(T, 5)` the ring of times [ns], numbers, x, y and headings.
        first: its first row that counts.
        count: how many count.

    Returns:
        YES and the time [ns]; NO; or CANNOT_SAY.
    """
    outline, box = outline_of(floats, boxes, now), (boxes[past, 0], boxes[past, 1], boxes[past, 3], boxes[past, 4])
    x, y, reach = 0.0, 0.0, boxes[now, 6] + boxes[past, 6]
    for corner in range(CORNERS):
        x, y = x + outline[corner, 0] / CORNERS, y + outline[corner, 1] / CORNERS
    for back in range(count):
        row = (first + count - 1 - back) % trail.shape[0]
        if trail[row, _NUMBER] != past:
            continue
        away = planar_length(trail[row, _X] - x, trail[row, _Y] - y)
        if away > reach and not are_near(away, reach):
            continue
        angle = angle_of_ways(trail[row, _HEADING], floats[_AT.heading, now])
        if are_near(away, reach) or are_near(angle, CROSSING_ANGLE):
            return CANNOT_SAY, 0.0, -1
        there = box_corners(trail[row, _X], trail[row, _Y], trail[row, _HEADING], box)
        if angle > CROSSING_ANGLE and do_overlap(outline, there):
            return YES, trail[row, _TIME], -1
    return NO, 0.0, -1


@inner_kernel
def leave_trail(floats: FloatArray, entity: int, time: int, trail: FloatArray, row: int) -> None:
    """Keep where an entity is."""
    trail[row, _TIME], trail[row, _NUMBER] = float(time), float(entity)
    trail[row, _X], trail[row, _Y] = floats[_AT.x, entity], floats[_AT.y, entity]
    trail[row, _HEADING] = floats[_AT.heading, entity]


@inner_kernel
def find_encroachment(
    time: int,
    ego: int,
    floats: FloatArray,
    ints: IntArray,
    boxes: FloatArray,
    ranks: IntArray,
    span: float,
    state: IntArray,
    trail: FloatArray,
) -> Found:
    """The shortest time between one and the other: `criterion.encroachment`; keeps the places of this tick.

    Args:
        time: of the tick [ns].
        ego: number of the entity that is judged.
        floats: of the entities.
        ints: of the entities.
        boxes: of the entities.
        ranks: places of their names in the order of names.
        span: for how long places are kept [s].
        state: the ints of the criterion's state; written.
        trail: `(T, 5)` the ring of places that are kept; rows that do not count are written.
    """
    rows, first, count = trail.shape[0], state[_FIRST], state[_COUNT]
    entities = floats.shape[1]
    if count + entities > rows:
        return CANNOT_SAY, 0.0, -1
    oldest = float(time) - span * 1e9
    while count > 0 and not trail[first, _TIME] >= oldest:
        first, count = (first + 1) % rows, count - 1
    best, who, added = math.inf, -1, 1
    leave_trail(floats, ego, time, trail, (first + count) % rows)
    for one in range(entities):
        if one == ego or ints[_AT.present, one] == 0:
            continue
        near = is_within(
            floats[_AT.x, one] - floats[_AT.x, ego], floats[_AT.y, one] - floats[_AT.y, ego], MAX_TRAIL_DISTANCE
        )
        if near == CANNOT_SAY:
            return CANNOT_SAY, 0.0, -1
        if near == NO:
            continue
        leave_trail(floats, one, time, trail, (first + count + added) % rows)
        added += 1
        if not is_level(floats, boxes, ego, one):
            continue
        theirs = last_there(floats, boxes, ego, one, trail, first, count)
        own = last_there(floats, boxes, one, ego, trail, first, count)
        if theirs[0] == CANNOT_SAY or own[0] == CANNOT_SAY:
            return CANNOT_SAY, 0.0, -1
        if theirs[0] == NO and own[0] == NO:
            continue
        last = max(theirs[1], own[1])
        value = (float(time) - last) * 1e-9
        if who < 0 or value < best or (value == best and ranks[one] < ranks[who]):
            best, who = value, one
    state[_FIRST], state[_COUNT] = first, count + added
    return (YES if who >= 0 else NO), best, who
