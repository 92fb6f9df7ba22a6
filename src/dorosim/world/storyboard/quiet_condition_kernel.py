"""The conditions of a quiet tick: looked at as the engine does, from tables (`dorosim.world.storyboard.quiet_code`)."""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.road.opendrive.course_place_kernel import nearest_on_road
from dorosim.world.storyboard.box_kernel import box_corners, do_overlap
from dorosim.world.storyboard.comparison_kernel import TOLERANCE, number_holds
from dorosim.world.storyboard.quiet_block_kernel import (
    change_ints,
    condition_ints,
    element_ints,
    entity_floats,
    entity_ints,
    has_roads,
    measured_values,
    plan_floats,
    plan_ints,
    road_floats,
    road_ints,
)
from dorosim.world.storyboard.quiet_code import (
    DELAY,
    DISTANCE,
    DONE,
    ENTITY_NUMBERS,
    TRIGGER,
    WATCH_ENTRIES,
    EntityNumber,
    Metre,
    QuietHead,
    WatchEntry,
    WatchKind,
)
from dorosim.world.storyboard.quiet_distance_kernel import (
    AWAY,
    EUCLIDEAN,
    FOUND,
    Body,
    body_of,
    box_of,
    distance_between,
    measured,
    place_of,
)
from dorosim.world.storyboard.state import NEVER, ChangeTable, ConditionTable, ElementTable, EntityTable
from dorosim.world.storyboard.vector_kernel import Part, over_speed, planar_length, vector_part

COLUMN = EntityTable.at
_CONDITION = ConditionTable.at
_ELEMENT = ElementTable.at
_CHANGE = ChangeTable.at
_MOMENT = 1e-3
"""So far ahead a distance is looked at, to see how fast it changes [s]."""
_NO, _YES, _UNKNOWN = 0, 1, 2


@inner_kernel
def _velocity_part(floats: FloatArray, entity: int, heading: float, part: int) -> float:
    """Speed, or a part of the velocity in a frame of a heading."""
    if part == Part.ALL:
        return float(floats[COLUMN.speed, entity])
    x, y, z = floats[COLUMN.velocity_x, entity], floats[COLUMN.velocity_y, entity], floats[COLUMN.velocity_z, entity]
    return vector_part(heading, x, y, z, part)


@inner_kernel
def _a_moment_on(blocks: IntArray, entity: int) -> Body:
    """A body a moment later, which keeps its heading."""
    floats, road = entity_floats(blocks), entity_ints(blocks)[COLUMN.road, entity]
    x, y, z, heading, s, t, offset, turn = body_of(floats, entity)
    x += floats[COLUMN.velocity_x, entity] * _MOMENT
    y += floats[COLUMN.velocity_y, entity] * _MOMENT
    z += floats[COLUMN.velocity_z, entity] * _MOMENT
    if has_roads(blocks) and road >= 0:
        there, across = nearest_on_road(road_floats(blocks), road_ints(blocks), road, x, y, s)
        return x, y, z, heading, there, across, offset + (across - t), turn
    return x, y, z, heading, s, t, offset, turn


@outlined_kernel
def _time_to_collision(blocks: IntArray, entity: int, ints: int, floats: int) -> tuple[int, float]:
    """The time until an entity is at another one or a place: _NO, _YES (there is one) or _UNKNOWN, and [s]."""
    metre, plan, table = ints + 1, plan_ints(blocks), entity_floats(blocks)
    status, distance = measured(
        road_floats(blocks),
        road_ints(blocks),
        plan_floats(blocks),
        plan,
        table,
        entity_ints(blocks),
        entity,
        metre,
        floats + 1,
    )
    if status == AWAY:
        return _UNKNOWN, 0.0
    if status != FOUND or abs(distance) < TOLERANCE:
        return _NO, math.inf
    other = plan[metre + Metre.OTHER]
    box, there_box = box_of(plan_floats(blocks), plan, entity), (0.0, 0.0, 0.0, 0.0)
    if other >= 0:
        there, there_box = _a_moment_on(blocks, other), box_of(plan_floats(blocks), plan, other)
        road = entity_ints(blocks)[COLUMN.road, other]
    else:
        there, road = place_of(plan_floats(blocks), floats + 1), plan[metre + Metre.ROAD]
    later_status, later = distance_between(
        road_floats(blocks),
        road_ints(blocks),
        (plan[metre + Metre.SYSTEM], plan[metre + Metre.DIRECTION], plan[metre + Metre.FREESPACE] != 0),
        has_roads(blocks),
        (entity_ints(blocks)[COLUMN.road, entity], entity_ints(blocks)[COLUMN.lane, entity], road),
        _a_moment_on(blocks, entity),
        there,
        (box, there_box),
    )
    if later_status == AWAY:
        return _UNKNOWN, 0.0
    closing = 0.0
    if later_status == FOUND:
        closing = (abs(distance) - math.copysign(1.0, distance) * later) / _MOMENT
    if plan[metre + Metre.DIRECTION] == EUCLIDEAN and closing > 0.0:
        closing = table[COLUMN.speed, entity]
        if other >= 0:
            closing = over_speed(
                table[COLUMN.velocity_x, entity],
                table[COLUMN.velocity_y, entity],
                closing,
                table[COLUMN.velocity_x, other],
                table[COLUMN.velocity_y, other],
                table[COLUMN.speed, other],
            )
    if closing < TOLERANCE:
        return _NO, math.inf
    return _YES, abs(distance) / closing


@inner_kernel
def boxes_touch(blocks: IntArray, entity: int, other: int) -> bool:
    """Whether the boxes of two entities overlap in plan and in height."""
    floats, numbers = entity_floats(blocks), plan_floats(blocks)
    own, theirs = box_of(numbers, plan_ints(blocks), entity), box_of(numbers, plan_ints(blocks), other)
    x, y, ox, oy = (
        floats[COLUMN.x, entity],
        floats[COLUMN.y, entity],
        floats[COLUMN.x, other],
        floats[COLUMN.y, other],
    )
    reach = planar_length(own[2], own[3]) + abs(own[0]) + planar_length(theirs[2], theirs[3]) + abs(theirs[0])
    if planar_length(x - ox, y - oy) > reach:
        return False
    first = plan_ints(blocks)[QuietHead.ENTITIES] + entity * ENTITY_NUMBERS
    second = plan_ints(blocks)[QuietHead.ENTITIES] + other * ENTITY_NUMBERS
    rise = floats[COLUMN.z, entity] + numbers[first + EntityNumber.BOX_Z]
    rise = rise - floats[COLUMN.z, other] - numbers[second + EntityNumber.BOX_Z]
    if abs(rise) > (numbers[first + EntityNumber.HEIGHT] + numbers[second + EntityNumber.HEIGHT]) / 2.0:
        return False
    return do_overlap(
        box_corners(x, y, floats[COLUMN.heading, entity], own),
        box_corners(ox, oy, floats[COLUMN.heading, other], theirs),
    )


@inner_kernel
def _collision(blocks: IntArray, entity: int, ints: int) -> bool:
    """Whether an entity's box overlaps one of several others'."""
    plan = plan_ints(blocks)
    for number in range(plan[ints]):
        other = plan[ints + 1 + number]
        if other != entity and entity_ints(blocks)[COLUMN.present, other] and boxes_touch(blocks, entity, other):
            return True
    return False


@outlined_kernel
def _by_distance(blocks: IntArray, entity: int, kind: int, ints: int, floats: int) -> tuple[int, float]:
    """A distance, a headway or a time to collision of one entity: _NO, _YES or _UNKNOWN, and what was measured."""
    plan, numbers, metre = plan_ints(blocks), plan_floats(blocks), ints + 1
    other = plan[metre + Metre.OTHER]
    if other >= 0 and not entity_ints(blocks)[COLUMN.present, other]:
        return _NO, math.inf
    if kind == WatchKind.TIME_TO_COLLISION:
        status, value = _time_to_collision(blocks, entity, ints, floats)
        if status != _YES:
            return status, value
    else:
        status, value = measured(
            road_floats(blocks),
            road_ints(blocks),
            numbers,
            plan,
            entity_floats(blocks),
            entity_ints(blocks),
            entity,
            metre,
            floats + 1,
        )
        if status == AWAY:
            return _UNKNOWN, 0.0
        if status != FOUND:
            return _NO, math.inf
        if kind == WatchKind.HEADWAY:
            speed = entity_floats(blocks)[COLUMN.speed, entity]
            if value < 0.0 or speed < TOLERANCE:
                return _NO, math.inf
            value = value / speed
        else:
            value = abs(value)
    return int(number_holds(plan[ints], value, numbers[floats])), value


@outlined_kernel
def _of_entity(blocks: IntArray, entity: int, watch: int, time: int) -> tuple[int, float]:
    """What a condition finds of one entity: _NO, _YES or _UNKNOWN, and what was measured."""
    plan, numbers, table = plan_ints(blocks), plan_floats(blocks), entity_floats(blocks)
    kind, ints, floats = (
        plan[watch + WatchEntry.KIND],
        plan[watch + WatchEntry.INTS],
        plan[watch + WatchEntry.FLOATS],
    )
    heading = table[COLUMN.heading, entity]
    if kind == WatchKind.SPEED:
        value = _velocity_part(table, entity, heading, plan[ints + 1])
    elif kind == WatchKind.RELATIVE_SPEED:
        other = plan[ints + 2]
        if not entity_ints(blocks)[COLUMN.present, other]:
            return _NO, 0.0
        frame = table[COLUMN.heading, other]
        value = _velocity_part(table, entity, frame, plan[ints + 1])
        value -= _velocity_part(table, other, frame, plan[ints + 1])
    elif kind == WatchKind.ACCELERATION:
        x, y = table[COLUMN.acceleration_x, entity], table[COLUMN.acceleration_y, entity]
        value = vector_part(heading, x, y, table[COLUMN.acceleration_z, entity], plan[ints + 1])
    elif kind == WatchKind.LASTING:
        since = entity_ints(blocks)[plan[ints], entity]
        if since == NEVER:
            return _NO, 0.0
        return int(time - since > plan[ints + 1]), (time - since) * 1e-9
    elif kind == WatchKind.TRAVELLED:
        value = table[COLUMN.travelled, entity]
        return int(value >= numbers[floats] - TOLERANCE), value
    elif kind == WatchKind.REACHED:
        value = planar_length(numbers[floats] - table[COLUMN.x, entity], numbers[floats + 1] - table[COLUMN.y, entity])
        return int(value < numbers[floats + 2]), value
    elif kind == WatchKind.COLLISION:
        touches = _collision(blocks, entity, ints)
        return int(touches), 1.0 if touches else 0.0
    else:
        return _by_distance(blocks, entity, kind, ints, floats)
    return int(number_holds(plan[ints], value, numbers[floats])), value


@inner_kernel
def _state_of_elements(blocks: IntArray, watch: int, before: int) -> tuple[int, float]:
    """Whether an element is in a state, or has come into one since the last look."""
    plan = plan_ints(blocks)
    seen = condition_ints(blocks)[_CONDITION.seen, plan[watch + WatchEntry.NUMBER]]
    since, wanted = before if seen == NEVER else seen, plan[plan[watch + WatchEntry.INTS]]
    for number in range(plan[watch + WatchEntry.SUBJECT_COUNT]):
        element = plan[plan[watch + WatchEntry.SUBJECTS] + number]
        if plan[watch + WatchEntry.KIND] == WatchKind.STATE:
            if element_ints(blocks)[_ELEMENT.state, element] == wanted:
                return _YES, 1.0
        elif element_ints(blocks)[wanted, element] > since:
            return _YES, 1.0
    return _NO, 0.0


@outlined_kernel
def _met(blocks: IntArray, watch: int, time: int, before: int) -> tuple[int, float]:
    """What a condition finds: _NO, _YES or _UNKNOWN, and what was measured."""
    plan = plan_ints(blocks)
    kind, ints = plan[watch + WatchEntry.KIND], plan[watch + WatchEntry.INTS]
    subjects, count = plan[watch + WatchEntry.SUBJECTS], plan[watch + WatchEntry.SUBJECT_COUNT]
    if kind == WatchKind.GIVEN:
        return int(measured_values(blocks)[0, plan[ints]]), measured_values(blocks)[1, plan[ints]]
    if kind == WatchKind.TIME:
        value = time * 1e-9
        return int(number_holds(plan[ints], value, plan_floats(blocks)[plan[watch + WatchEntry.FLOATS]])), value
    if kind in (WatchKind.STATE, WatchKind.TRANSITION):
        return _state_of_elements(blocks, watch, before)
    asked, found, value = 0, 0, 0.0
    for number in range(count):
        entity = plan[subjects + number]
        if not entity_ints(blocks)[COLUMN.present, entity]:
            continue
        asked += 1
        meets, one = _of_entity(blocks, entity, watch, time)
        if meets == _UNKNOWN:
            return _UNKNOWN, 0.0
        if asked == 1 or meets == _YES:
            value = one
        found += meets
    if plan[watch + WatchEntry.NEEDS_ALL]:
        return int(found == asked and asked > 0), value
    return int(found > 0), value


@inner_kernel
def _after_edge(edge: int, met: bool, before: bool, known: bool) -> bool:
    """Whether a condition counts by its edge (0 none, 1 rising, 2 falling, 3 both); an edge needs an earlier look."""
    if edge == 0:
        return met
    rises, falls = known and met and not before, known and before and not met
    return (rises and edge != 2) or (falls and edge != 1)


@outlined_kernel
def _after_delay(changes: IntArray, number: int, counts: bool, due: int) -> int:
    """Whether a condition counted at a time [ns]: _NO or _YES; _UNKNOWN where its past changes."""
    last, last_due, dues, known = 0, 0, 0, False
    for row in range(changes.shape[1]):
        if changes[_CHANGE.condition, row] == number:
            known, last = True, changes[_CHANGE.met, row]
            if changes[_CHANGE.time, row] <= due:
                dues, last_due = dues + 1, changes[_CHANGE.met, row]
    if not known or last != int(counts) or dues > 1:
        return _UNKNOWN
    return _NO if dues == 0 else int(last_due != 0)


@outlined_kernel
def look_at_all(
    blocks: IntArray, out_floats: FloatArray, out_ints: IntArray, time: int, transitions: int, before: int
) -> int:
    """Look at all conditions that may fire now; writes what they found. A `Quiet` code.

    Args:
        blocks: what the tick starts from; see `BlockEntry`.
        out_floats: of the next `ConditionTable`.
        out_ints: the same.
        time: since the storyboard's start [ns].
        transitions: how many there were.
        before: how many there were at the tick before.
    """
    plan = plan_ints(blocks)
    first, fires, group = plan[QuietHead.WATCHES], False, True
    for index in range(plan[QuietHead.WATCH_COUNT]):
        watch = first + index * WATCH_ENTRIES
        number, delay = plan[watch + WatchEntry.NUMBER], plan[watch + WatchEntry.DELAY]
        status, value = _met(blocks, watch, time, before)
        if status == _UNKNOWN:
            return DISTANCE
        met, seen = status == _YES, condition_ints(blocks)[_CONDITION.seen, number]
        known = condition_ints(blocks)[_CONDITION.met, number] != 0
        counts = _after_edge(plan[watch + WatchEntry.EDGE], met, known, seen != NEVER)
        if delay:
            later = _after_delay(change_ints(blocks), number, counts, time - delay)
            if later == _UNKNOWN:
                return DELAY
            counts = later == _YES
        out_floats[_CONDITION.value, number] = value
        out_ints[_CONDITION.met, number] = int(met)
        out_ints[_CONDITION.counts, number] = int(counts)
        out_ints[_CONDITION.seen, number] = transitions
        group = group and counts
        if plan[watch + WatchEntry.ENDS_GROUP]:
            fires, group = fires or group, True
        if plan[watch + WatchEntry.ENDS_TRIGGER]:
            if fires:
                return TRIGGER
            fires = False
    return DONE
