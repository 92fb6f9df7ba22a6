"""Holds the entities of a tick against criteria (`dorosim.scenario.criterion`), with the bits of the readable way.

Where a tick needs more than is known here, as all violations of rules do, nothing is written and Python judges it.
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.address_kernel import float_rows_at, floats_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.storyboard.border_kernel import find_overhang
from dorosim.world.storyboard.criterion_word import (
    BOX_NUMBERS,
    CANNOT_SAY,
    LIMIT_NUMBERS,
    MEMORY_COLUMNS,
    STATE_FLOATS,
    TRAIL_COLUMNS,
    CriterionKind,
    CriterionWord,
    StateInt,
)
from dorosim.world.storyboard.criticality_kernel import (
    MEASURED_REACH,
    NO,
    STEADY_SPEED,
    YES,
    Found,
    acceleration_of,
    are_finite,
    find_ahead,
    find_deceleration,
    find_least_distance,
    find_least_time,
    is_within,
    touches,
)
from dorosim.world.storyboard.encroachment_kernel import find_encroachment
from dorosim.world.storyboard.state import EntityTable
from dorosim.world.storyboard.vector_kernel import planar_length

_AT = EntityTable.at


JERK_SPAN_NS = 100_000_000
"""Time over which a jerk is measured [ns]."""
MAX_DRIVEN_WAY = 20.0
"""A way of a tick that is longer was not driven [m]."""
LIMIT_TOLERANCE = 1e-9
"""By so much a limit may be passed."""
_CLEARANCE = 1.0
"""A stop line that is so much farther away than the way of a tick is not passed [m]."""
_INTS = len(StateInt)
_FAILED, _TIME, _OTHER = int(StateInt.FAILED), int(StateInt.TIME), int(StateInt.OTHER)
_FIRST, _COUNT = int(StateInt.FIRST), int(StateInt.COUNT)
_COLLISION, _RED_LIGHT, _ARRIVAL = (
    int(CriterionKind.COLLISION),
    int(CriterionKind.RED_LIGHT),
    int(CriterionKind.ARRIVAL),
)
_DECELERATION, _JERK = int(CriterionKind.DECELERATION), int(CriterionKind.JERK)
_TTC, _DISTANCE = int(CriterionKind.TTC), int(CriterionKind.DISTANCE)
_ETTC, _THW, _DRAC = int(CriterionKind.ETTC), int(CriterionKind.THW), int(CriterionKind.DRAC)
_LANE_LEFT, _ENCROACHMENT = int(CriterionKind.LANE_LEFT), int(CriterionKind.ENCROACHMENT)
_W_CRITERIA, _W_ENTITIES, _W_EGO = (
    int(CriterionWord.CRITERIA),
    int(CriterionWord.ENTITIES),
    int(CriterionWord.EGO),
)
_W_KINDS, _W_NUMBERS = int(CriterionWord.KINDS), int(CriterionWord.NUMBERS)
_W_BOXES, _W_RANKS = int(CriterionWord.BOXES), int(CriterionWord.RANKS)
_W_LINES, _W_LINE_COUNT = int(CriterionWord.LINES), int(CriterionWord.LINE_COUNT)
_W_FLOATS, _W_INTS = int(CriterionWord.FLOATS), int(CriterionWord.INTS)
_W_MEMORY, _W_MEMORY_ROWS = int(CriterionWord.MEMORY), int(CriterionWord.MEMORY_ROWS)
_W_TRAIL, _W_TRAIL_ROWS = int(CriterionWord.TRAIL), int(CriterionWord.TRAIL_ROWS)
_W_ROAD_NUMBERS, _W_ROAD_NUMBER_COUNT, _W_ROAD_ENTRIES, _W_ROAD_ENTRY_COUNT = (
    int(CriterionWord.ROAD_NUMBERS),
    int(CriterionWord.ROAD_NUMBER_COUNT),
    int(CriterionWord.ROAD_ENTRIES),
    int(CriterionWord.ROAD_ENTRY_COUNT),
)


@inner_kernel
def _value_ahead(kind: int, gap: float, speed: float, closing: float, own: float, lead: float) -> float:
    """What a criterion measures of what is ahead: `criterion.criticality`; accelerations of both [m/s2]."""
    if kind == _THW:
        if gap <= 0.0:
            return 0.0
        return gap / speed if speed > STEADY_SPEED else math.inf
    if kind == _ETTC:
        if gap <= 0.0:
            return 0.0
        square = closing * closing + 2.0 * gap * (own - lead)
        if square < 0.0:
            return math.inf
        divisor = closing + math.sqrt(square)
        return 2.0 * gap / divisor if divisor > STEADY_SPEED else math.inf
    needed = 0.0
    if closing > 0.0:
        needed = closing * closing / (2.0 * gap) if gap > 0.0 else math.inf
    if kind == _DRAC:
        return needed
    return max(needed - lead, 0.0)


@inner_kernel
def _find_ahead(kind: int, floats: FloatArray, ints: IntArray, boxes: FloatArray, ranks: IntArray, ego: int) -> Found:
    """The worst of all that is in the way of an entity."""
    least = kind in (_ETTC, _THW)
    best, who, own = 0.0, -1, acceleration_of(floats, ego)
    for one in range(floats.shape[1]):
        if one == ego or ints[_AT.present, one] == 0:
            continue
        found, gap, speed, closing, lead = find_ahead(floats, ints, boxes, ego, one)
        if found == CANNOT_SAY:
            return CANNOT_SAY, 0.0, -1
        if found == NO or gap >= MEASURED_REACH:
            continue
        value = _value_ahead(kind, gap, speed, closing, own, lead)
        if who < 0:
            better = True
        elif least:
            better = value < best or (value == best and ranks[one] < ranks[who])
        else:
            better = value > best or (value == best and ranks[one] > ranks[who])
        if better:
            best, who = value, one
    return (YES if who >= 0 else NO), best, who


@inner_kernel
def _find_jerk(time: int, ego: int, floats: FloatArray, state: IntArray, memory: FloatArray) -> Found:
    """Change of acceleration over a while: `criterion.limit.MaxJerk`; keeps the acceleration of this tick."""
    rows, count = memory.shape[0], state[_COUNT]
    if count == rows:
        return CANNOT_SAY, 0.0, -1
    own, last = acceleration_of(floats, ego), (state[_FIRST] + count) % rows
    memory[last, 0], memory[last, 1] = float(time), own
    count += 1
    old, first = float(time - JERK_SPAN_NS), -1
    while first + 1 < count and memory[(state[_FIRST] + first + 1) % rows, 0] <= old:
        first += 1
    if first > 0:
        state[_FIRST], count = (state[_FIRST] + first) % rows, count - first
    state[_COUNT] = count
    if first < 0:
        return NO, 0.0, -1
    begin = state[_FIRST]
    return YES, abs((own - memory[begin, 1]) / ((float(time) - memory[begin, 0]) * 1e-9)), -1


@inner_kernel
def _follow_front(words: IntArray, floats: FloatArray, state: IntArray, kept: FloatArray) -> int:
    """Keep where the front of the ego is, far from all stop lines: `criterion.red_light.NoRedLight`.

    Returns YES where it was put elsewhere, and takes no way; NO, or CANNOT_SAY near a line.

    Args:
        words: of the criteria.
        floats: of the entities.
        state: of the criterion; written.
        kept: value, x, y of its state, and the place of the front; written.
    """
    ego, place = words[_W_EGO], kept[STATE_FLOATS:]
    if state[_FAILED] != 0:
        return NO
    if state[_COUNT] > 1:
        return CANNOT_SAY
    boxes = float_rows_at(words[_W_BOXES], words[_W_ENTITIES], BOX_NUMBERS)
    ahead, heading = boxes[ego, 0] + boxes[ego, 3] / 2.0, floats[_AT.heading, ego]
    x = floats[_AT.x, ego] + ahead * math.cos(heading)
    y = floats[_AT.y, ego] + ahead * math.sin(heading)
    lines = float_rows_at(words[_W_LINES], words[_W_LINE_COUNT], 3)
    for line in range(lines.shape[0]):
        if planar_length(lines[line, 0] - x, lines[line, 1] - y) < MAX_DRIVEN_WAY + lines[line, 2] + _CLEARANCE:
            return CANNOT_SAY
    moved = NO
    if state[_COUNT] == 1:
        moved = is_within(x - place[0], y - place[1], MAX_DRIVEN_WAY)
        if moved == CANNOT_SAY:
            return CANNOT_SAY
        moved = NO if moved == YES else YES
    if moved == YES:
        kept[0] = kept[1] = kept[2] = math.nan
        state[_TIME] = state[_OTHER] = -1
    state[_COUNT], place[0], place[1] = 1, x, y
    return moved


@inner_kernel
def _waits(numbers: FloatArray, value: float, failed: int, x: float, y: float, present: bool, time: int) -> bool:
    """Whether an arrival is neither too late nor there in a tick: `criterion.event.Arrival`; False if unsure."""
    if failed != 0 or not math.isnan(value):
        return True
    if time * 1e-9 > numbers[0] + LIMIT_TOLERANCE:
        return False
    return not present or is_within(x - numbers[1], y - numbers[2], numbers[3]) == NO


@inner_kernel
def _is_worse(value: float, kept: float, greatest: bool) -> bool:
    """Whether a value is to be kept: `criterion.criterion.worse`."""
    if not np.isfinite(value) and not greatest:
        return False
    if math.isnan(kept):
        return True
    return not (value <= kept if greatest else value >= kept)


@inner_kernel
def _measured(kind: int, floats: FloatArray, ints: IntArray, boxes: FloatArray, ranks: IntArray, ego: int) -> Found:
    """The worst value of a tick of what is measured."""
    if kind == _DECELERATION:
        return find_deceleration(floats, ego)
    if kind == _TTC:
        return find_least_time(floats, ints, boxes, ranks, ego)
    if kind == _DISTANCE:
        return find_least_distance(floats, ints, boxes, ego)
    return _find_ahead(kind, floats, ints, boxes, ranks, ego)


@inner_kernel
def _note(
    kept: FloatArray, state: IntArray, found: Found, time: int, x: float, y: float, limit: float, greatest: bool
) -> None:
    """Keep a measurement that is worse than what was measured before."""
    _, value, other = found
    if not _is_worse(value, kept[0], greatest):
        return
    if value > limit + LIMIT_TOLERANCE if greatest else value < limit - LIMIT_TOLERANCE:
        state[_FAILED] = 1
    kept[0], kept[1], kept[2] = value, x, y
    state[_TIME], state[_OTHER] = time, other


@inner_kernel
def _knows(words: IntArray, floats: FloatArray, ints: IntArray) -> bool:
    """Whether all is finite that is measured of the entities."""
    for one in range(floats.shape[1]):
        if ints[_AT.present, one] != 0 and not are_finite(floats, one):
            return False
    return bool(floats.shape[1] == words[_W_ENTITIES])


@inner_kernel
def _look(
    words: IntArray, floats: FloatArray, ints: IntArray, time: int, c: int, kept: FloatArray, state: IntArray
) -> int:
    """Let a criterion see a tick; 0, or CANNOT_SAY.

    Args:
        words: as of `hold_against_criteria`; likewise the next ones.
        floats: of the entities.
        ints: of the entities.
        time: of the tick.
        c: number of the criterion.
        kept: value, x, y of its state, and the place of the front; written.
        state: the ints of its state; written.
    """
    count, entities, ego, rows = words[_W_CRITERIA], words[_W_ENTITIES], words[_W_EGO], words[_W_MEMORY_ROWS]
    kind, numbers = ints_at(words[_W_KINDS], count)[c], float_rows_at(words[_W_NUMBERS], count, LIMIT_NUMBERS)[c]
    boxes, ranks = float_rows_at(words[_W_BOXES], entities, BOX_NUMBERS), ints_at(words[_W_RANKS], entities)
    x, y, present = floats[_AT.x, ego], floats[_AT.y, ego], ints[_AT.present, ego] != 0
    if kind == _ARRIVAL:
        return 0 if _waits(numbers, kept[0], state[_FAILED], x, y, present, time) else CANNOT_SAY
    if not present:
        return 0
    if kind == _COLLISION:
        return 0 if state[_FAILED] != 0 or touches(floats, ints, boxes, ego) == NO else CANNOT_SAY
    if kind == _RED_LIGHT:
        return CANNOT_SAY if _follow_front(words, floats, state, kept) == CANNOT_SAY else 0
    if kind == _JERK:
        found = _find_jerk(time, ego, floats, state, float_rows_at(_memory_of(words, c), rows, MEMORY_COLUMNS))
    elif kind == _ENCROACHMENT:
        trail = float_rows_at(words[_W_TRAIL], words[_W_TRAIL_ROWS], TRAIL_COLUMNS)
        found = find_encroachment(time, ego, floats, ints, boxes, ranks, numbers[0], state, trail)
    elif kind == _LANE_LEFT:
        found = _find_lane_left(words, floats, ints, boxes, state)
    else:
        found = _measured(kind, floats, ints, boxes, ranks, ego)
    if found[0] == YES:
        greatest = kind in (_DECELERATION, _JERK) or _DRAC <= kind <= _LANE_LEFT
        _note(kept, state, found, time, x, y, numbers[0], greatest)
    return CANNOT_SAY if found[0] == CANNOT_SAY else 0


@inner_kernel
def _find_lane_left(words: IntArray, floats: FloatArray, ints: IntArray, boxes: FloatArray, state: IntArray) -> Found:
    """How far the ego reaches over the borders of its lane, unless it has left one."""
    if state[_FAILED] != 0:
        return NO, 0.0, -1
    road_floats = floats_at(words[_W_ROAD_NUMBERS], words[_W_ROAD_NUMBER_COUNT])
    road_ints = ints_at(words[_W_ROAD_ENTRIES], words[_W_ROAD_ENTRY_COUNT])
    return find_overhang(road_floats, road_ints, floats, ints, boxes, words[_W_EGO])


@inner_kernel
def _memory_of(words: IntArray, c: int) -> int:
    """Address of the memory of a criterion."""
    return int(words[_W_MEMORY] + 8 * MEMORY_COLUMNS * words[_W_MEMORY_ROWS] * c)


@inner_kernel
def judge_tick(words: IntArray, floats: FloatArray, ints: IntArray, time: int) -> int:
    """As of `hold_against_criteria`."""
    if not _knows(words, floats, ints):
        return CANNOT_SAY
    count = words[_W_CRITERIA]
    before = float_rows_at(words[_W_FLOATS], count, STATE_FLOATS)
    before_ints = int_rows_at(words[_W_INTS], count, _INTS)
    kept, states = np.empty((count, STATE_FLOATS + MEMORY_COLUMNS)), before_ints.copy()
    for c in range(count):
        kept[c, :STATE_FLOATS] = before[c]
        kept[c, STATE_FLOATS:] = floats_at(_memory_of(words, c), MEMORY_COLUMNS)
        if _look(words, floats, ints, time, c, kept[c], states[c]) == CANNOT_SAY:
            return CANNOT_SAY
    failed = 0
    kinds = ints_at(words[_W_KINDS], count)
    for c in range(count):
        before[c], before_ints[c] = kept[c, :STATE_FLOATS], states[c]
        if kinds[c] == _RED_LIGHT:
            floats_at(_memory_of(words, c), MEMORY_COLUMNS)[:] = kept[c, STATE_FLOATS:]
        failed |= states[c, _FAILED]
    return failed


@kernel
def hold_against_criteria(words: IntArray, floats: FloatArray, ints: IntArray, time: int) -> int:
    """Hold the end of a tick against the criteria of a run.

    Args:
        words: `(19,)` what is known of them (`CriterionWord`); states and memory there are written.
        floats: `(K, N)` float block of the entities, read-only.
        ints: `(I, N)` their int block, read-only.
        time: since the storyboard's start [ns].

    Returns:
        1 where a criterion is violated, 0 where none is; CANNOT_SAY, and then nothing is written, where Python has to
        judge the tick.
    """
    return judge_tick(words, floats, ints, time)
