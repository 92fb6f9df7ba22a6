"""What pedestrians look at in an ordinary tick in which they decide."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.address_kernel import float_rows_at, floats_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.collision.scenery import MAX_PARTS_IN_TICK, MAX_PEOPLE_REACH
from dorosim.world.ordinary.link_kernel import (
    FIND_GAPS,
    FIND_PARTS,
    FOLLOW_SURFACE,
    LOOK_AROUND,
    WRITE_PARTS,
    WRITE_PERSON_BODIES,
)
from dorosim.world.ordinary.word import Rare, TickWord
from dorosim.world.pedestrian.state import CrosswalkState, PedestrianState

_PEDESTRIAN = PedestrianState.at
_COLUMNS, _INT_COLUMNS = PedestrianState.float_width, len(PedestrianState.int_columns)
_GAP, _WALK = CrosswalkState.at.gap, CrosswalkState.at.walk
_KERNEL, _OFF_LANE = int(Rare.KERNEL), int(Rare.OFF_LANE)
_CORNER, _CELLS, _FIRST, _PART, _BOUNDS, _CLEAR, _LEVEL = 0, 7, 14, 21, 28, 37, 46
"""Where the arrays of the grid begin in its description: those of one dimension take 7 words, of two 9."""

_find_gaps, _find_parts, _look_around = FIND_GAPS.call, FIND_PARTS.call, LOOK_AROUND.call
_write_parts, _write_person_bodies = WRITE_PARTS.call, WRITE_PERSON_BODIES.call
_follow_surface = FOLLOW_SURFACE.call

_W_PEOPLE, _W_PERSON = int(TickWord.PEOPLE), int(TickWord.PEOPLE_FLOATS)
_W_PERSON_INTS, _W_PERSON_SIZE = int(TickWord.PEOPLE_INTS), int(TickWord.PERSON_SIZE)
_W_SEEN, _W_SEEN_FLOATS = int(TickWord.CROSSWALKS_SEEN), int(TickWord.CROSSWALKS_SEEN_FLOATS)
_W_SEEN_INTS, _W_SHOWN = int(TickWord.CROSSWALKS_SEEN_INTS), int(TickWord.SHOWN)
_W_PARTS, _W_OWNERS, _W_GONE = int(TickWord.PARTS), int(TickWord.PART_OWNERS), int(TickWord.GONE)
_W_PART_COUNT, _W_OBJECTS, _W_GRID = int(TickWord.PART_COUNT), int(TickWord.OBJECTS), int(TickWord.GRID)
_W_WAY_FIRST, _W_WAY_POINTS = int(TickWord.WAY_FIRST), int(TickWord.WAY_POINTS)
_W_CROSSWALKS, _W_KERBS, _W_SURFACE = int(TickWord.CROSSWALKS), int(TickWord.KERBS), int(TickWord.SURFACE)
_W_RADIUS, _W_HEIGHT = int(TickWord.PERSON_RADIUS), int(TickWord.PERSON_HEIGHT)
_W_GAPS, _W_FIND_PARTS, _W_LOOK = int(TickWord.FIND_GAPS), int(TickWord.FIND_PARTS), int(TickWord.LOOK_AROUND)
_W_WRITE_PARTS, _W_PERSON_BODIES = int(TickWord.WRITE_PARTS), int(TickWord.WRITE_PERSON_BODIES)
_W_FOLLOW = int(TickWord.FOLLOW_SURFACE)


@inner_kernel
def parts_near(
    words: IntArray, body: FloatArray, body_ints: IntArray, begin: int, margin: float, dt: float, found: IntArray
) -> int:
    """Find the parts of the scenery that the bodies from a row on may touch: `collision.scenery.parts_near`."""
    if words[_W_PARTS] == 0:
        return 0
    grid = words[_W_GRID]
    near = (
        body,
        body_ints,
        begin,
        body.shape[1],
        margin,
        dt,
        words[_W_PARTS],
        words[_W_OWNERS],
        grid + 8 * _CORNER,
        grid + 8 * _CELLS,
        grid + 8 * _FIRST,
        grid + 8 * _PART,
        grid + 8 * _BOUNDS,
        grid + 8 * _CLEAR,
        grid + 8 * _LEVEL,
        words[_W_GONE],
        found,
    )
    return _find_parts(words[_W_FIND_PARTS], near)  # type: ignore[no-any-return]


@inner_kernel
def with_parts(words: IntArray, body: FloatArray, body_ints: IntArray, parts: IntArray) -> tuple[FloatArray, IntArray]:
    """The bodies, and after them a body for each of some parts: `collision.scenery.with_parts`."""
    start = body.shape[1]
    rows = start + parts.shape[0]
    made, made_ints = np.zeros((body.shape[0], rows)), np.zeros((body_ints.shape[0], rows), np.int64)
    for i in range(start):
        for column in range(body.shape[0]):
            made[column, i] = body[column, i]
        for column in range(body_ints.shape[0]):
            made_ints[column, i] = body_ints[column, i]
    written = (words[_W_PARTS], words[_W_OWNERS], words[_W_OBJECTS], parts, start, made, made_ints)
    _write_parts(words[_W_WRITE_PARTS], written)
    return made, made_ints


@inner_kernel
def look(words: IntArray, start: int, body: FloatArray, body_ints: IntArray, first: int) -> int:
    """Let pedestrians look at lights, vehicles and what stands near; returns `Rare`.

    As `step._move_people_and_obstacles` does where they decide.

    Args:
        words: of the tick.
        start: address of the block.
        body: the float block of the bodies of all actors; those of people are written.
        body_ints: its int block.
        first: row of the first person's body; there are no other bodies after theirs.
    """
    missing = words[_W_GAPS] == 0 or words[_W_LOOK] == 0 or words[_W_WRITE_PARTS] == 0
    if missing or words[_W_FIND_PARTS] == 0 or words[_W_PERSON_BODIES] == 0:
        return _KERNEL
    people, seen = words[_W_PEOPLE], words[_W_SEEN]
    floats = float_rows_at(start + 8 * words[_W_PERSON], _COLUMNS, people)
    ints = int_rows_at(start + 8 * words[_W_PERSON_INTS], _INT_COLUMNS, people)
    gap = floats_at(start + 8 * (words[_W_SEEN_FLOATS] + _GAP * seen), seen)
    walk, shown = ints_at(start + 8 * (words[_W_SEEN_INTS] + _WALK * seen), seen), ints_at(words[_W_SHOWN], seen)
    for k in range(seen):
        gap[k], walk[k] = math.inf, shown[k]
    _find_gaps(words[_W_GAPS], (words[_W_CROSSWALKS], body, first, gap))
    walking = (floats, ints, words[_W_PERSON_SIZE], body, body_ints, first)
    if _write_person_bodies(words[_W_PERSON_BODIES], walking) > 0:
        return _OFF_LANE
    found = np.empty(words[_W_PART_COUNT], np.int64)
    count = min(parts_near(words, body, body_ints, first, MAX_PEOPLE_REACH, 0.0, found), MAX_PARTS_IN_TICK)
    around, others = body, first + count
    if count > 0:
        around, _ = with_parts(words, body, body_ints, found[:count].copy())
    rows = np.arange(others)
    for k in range(first, others):
        rows[k] += people
    nobody = np.empty(0)
    scene = (
        words[_W_WAY_FIRST],
        words[_W_WAY_POINTS],
        words[_W_CROSSWALKS],
        np.empty(0, np.int64),
        nobody,
        words[_W_KERBS],
        words[_W_RADIUS],
        words[_W_HEIGHT],
        nobody,
        nobody,
    )
    _look_around(words[_W_LOOK], (floats, ints, scene, around, rows))
    return 0


@inner_kernel
def settle(words: IntArray, start: int) -> int:
    """Put people on the ground, unless all stand on it: `pedestrian.walk.follow_ground`; returns `Rare`."""
    people, place = words[_W_PEOPLE], start + 8 * words[_W_PERSON]
    if words[_W_FOLLOW] == 0:
        return _KERNEL
    speed = floats_at(place + 8 * people * _PEDESTRIAN.speed, people)
    segment = ints_at(start + 8 * (words[_W_PERSON_INTS] + people * _PEDESTRIAN.segment), people)
    settles = False
    for i in range(people):
        settles |= speed[i] != 0.0 or segment[i] < 0
    if settles:
        x, y = (
            floats_at(place + 8 * people * _PEDESTRIAN.x, people),
            floats_at(place + 8 * people * _PEDESTRIAN.y, people),
        )
        z, height = floats_at(place + 8 * people * _PEDESTRIAN.z, people), np.empty(people)
        ground = (words[_W_SURFACE], x, y, z, segment, height, np.empty(people), np.empty(people))
        _follow_surface(words[_W_FOLLOW], ground)
        for i in range(people):
            z[i] = height[i]
    return 0
