"""The actions of a quiet tick: each goes on as the engine lets it; one that ends is for the engine."""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.road.opendrive.course_kernel import lane_at, middle_at
from dorosim.world.storyboard.lane_kernel import is_across, offset_now, stepped_across
from dorosim.world.storyboard.order_kernel import has_order, swap_rows
from dorosim.world.storyboard.quiet_block_kernel import (
    new_order_floats,
    new_order_ints,
    plan_floats,
    plan_ints,
    road_floats,
    road_ints,
)
from dorosim.world.storyboard.quiet_code import (
    ACTION,
    DISTANCE,
    DONE,
    ENTITY_NUMBERS,
    METRE_ENTRIES,
    ROAD,
    RUN_ENTRIES,
    EntityNumber,
    QuietHead,
    RunEntry,
    RunKind,
)
from dorosim.world.storyboard.quiet_distance_kernel import AWAY, FOUND, measured
from dorosim.world.storyboard.quiet_motion_kernel import (
    LATERAL_BIT,
    LONGITUDINAL_BIT,
    follow_lane,
    move_along,
    move_by_s,
    points_ahead,
    scale_of,
)
from dorosim.world.storyboard.speed_kernel import changed_speed, speed_in_piece, sprung_speed
from dorosim.world.storyboard.state import ActionTable, EntityTable

COLUMN = EntityTable.at
_ACTION = ActionTable.at
_NEAR = 1e-6
_REACHED = 1
"""Phase of a change of speed whose target is reached."""
_WITHIN = 0.1
"""A distance within this of the one wanted is reached [m]."""
FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH = (_ACTION.memory + one for one in range(6))
"""Rows of what an action keeps."""


@inner_kernel
def _change_speed(blocks: IntArray, floats: FloatArray, kept: FloatArray, phases: IntArray, run: int, dt: float) -> int:
    """A SpeedAction goes on."""
    plan, numbers = plan_ints(blocks), plan_floats(blocks)
    row, entity, ints, at = (
        plan[run + RunEntry.ROW],
        plan[run + RunEntry.ENTITY],
        plan[run + RunEntry.INTS],
        plan[run + RunEntry.FLOATS],
    )
    exact, continuous, other = plan[ints + 2] != 0, plan[ints + 3] != 0, plan[ints + 4]
    if continuous:
        wish = numbers[at + 1]
        if other >= 0:
            speed = floats[COLUMN.speed, other]
            wish = speed * wish if plan[ints + 5] else speed + wish
        kept[SECOND, row] = wish
    target, body = kept[SECOND, row], plan[QuietHead.ENTITIES] + entity * ENTITY_NUMBERS
    if not exact:
        greatest = numbers[body + EntityNumber.MAX_SPEED]
        target = min(max(target, -greatest), greatest)
    speed, elapsed, reached = changed_speed(
        (plan[ints], plan[ints + 1], numbers[at], exact),
        kept[FIRST, row],
        target,
        kept[THIRD, row],
        phases[_ACTION.phase, row] == _REACHED,
        floats[COLUMN.speed, entity],
        (numbers[body + EntityNumber.MAX_ACCELERATION], numbers[body + EntityNumber.MAX_DECELERATION]),
        dt,
    )
    floats[COLUMN.speed, entity], kept[THIRD, row] = speed, elapsed
    if reached:
        if not continuous:
            return ACTION
        phases[_ACTION.phase, row] = _REACHED
    return DONE


@outlined_kernel
def attach_lane(road_floats: FloatArray, road_ints: IntArray, floats: FloatArray, ints: IntArray, entity: int) -> None:
    """Count a body to the lane that its origin is on."""
    road, s, t = ints[COLUMN.road, entity], floats[COLUMN.s, entity], floats[COLUMN.t, entity]
    lane = lane_at(road_floats, road_ints, road, s, t)
    if lane == ints[COLUMN.lane, entity]:
        return
    found, middle, _, _ = middle_at(road_floats, road_ints, road, s, lane)
    if found:
        ints[COLUMN.lane, entity], floats[COLUMN.offset, entity] = lane, t - middle


@outlined_kernel
def _change_lane(
    blocks: IntArray, floats: FloatArray, ints: IntArray, kept: FloatArray, moved: IntArray, run: int, dt: float
) -> int:
    """A LaneChangeAction goes on."""
    plan, roads, lines = plan_ints(blocks), road_floats(blocks), road_ints(blocks)
    row, entity, code = plan[run + RunEntry.ROW], plan[run + RunEntry.ENTITY], plan[run + RunEntry.INTS]
    moved[entity] |= LONGITUDINAL_BIT | LATERAL_BIT
    speed = floats[COLUMN.speed, entity]
    if abs(speed) < _NEAR:
        return DONE
    change = (kept[FIRST, row], kept[SECOND, row], kept[THIRD, row], kept[FOURTH, row], kept[SIXTH, row])
    along, angle, done, offset = stepped_across(plan[code], plan[code + 1], change, speed, dt)
    if is_across(change[0], change[1], done, change[3], offset):
        return ACTION
    kept[THIRD, row], kept[SIXTH, row] = done, offset
    lane = int(kept[FIFTH, row])
    ints[COLUMN.lane, entity] = lane
    floats[COLUMN.offset, entity] = offset * (1.0 if lane > 0 else -1.0)
    follow_lane(roads, lines, floats, ints, entity)
    sign = (1.0 if points_ahead(floats, entity) else -1.0) * (1.0 if speed >= 0.0 else -1.0)
    scale = scale_of(roads, lines, floats, ints, entity)
    if not move_by_s(roads, lines, floats, ints, entity, sign * along / scale):
        return ROAD
    side = 1.0 if lane > 0 else -1.0
    ahead = points_ahead(floats, entity)
    floats[COLUMN.turn, entity] = (0.0 if ahead else math.pi) + (1.0 if ahead else -1.0) * side * angle
    follow_lane(roads, lines, floats, ints, entity)
    attach_lane(roads, lines, floats, ints, entity)
    return DONE


@inner_kernel
def _shift_in_lane(
    blocks: IntArray, floats: FloatArray, ints: IntArray, kept: FloatArray, moved: IntArray, run: int, dt: float
) -> int:
    """A LaneOffsetAction goes on."""
    plan = plan_ints(blocks)
    row, entity, code = plan[run + RunEntry.ROW], plan[run + RunEntry.ENTITY], plan[run + RunEntry.INTS]
    continuous, other = plan[code + 1] != 0, plan[code + 2]
    side = 1.0 if ints[COLUMN.lane, entity] > 0 else -1.0
    if continuous and other >= 0:
        value = plan_floats(blocks)[plan[run + RunEntry.FLOATS]]
        across = floats[COLUMN.t, other] + value * (1.0 if points_ahead(floats, other) else -1.0)
        kept[SECOND, row] = (across - (floats[COLUMN.t, entity] - floats[COLUMN.offset, entity])) * side
    offset, angle, reached = offset_now(
        plan[code],
        kept[FIRST, row],
        kept[SECOND, row],
        kept[THIRD, row],
        kept[FOURTH, row],
        floats[COLUMN.speed, entity],
    )
    if reached and not continuous:
        return ACTION
    ahead = points_ahead(floats, entity)
    floats[COLUMN.offset, entity] = offset * side
    base = 0.0 if ahead else math.pi
    floats[COLUMN.turn, entity] = base if reached else base + (1.0 if ahead else -1.0) * side * angle
    moved[entity] |= LATERAL_BIT
    follow_lane(road_floats(blocks), road_ints(blocks), floats, ints, entity)
    kept[THIRD, row] += dt
    return DONE


@outlined_kernel
def _keep_distance(blocks: IntArray, floats: FloatArray, ints: IntArray, kept: FloatArray, run: int, dt: float) -> int:
    """A LongitudinalDistanceAction goes on."""
    plan, numbers = plan_ints(blocks), plan_floats(blocks)
    row, entity, code, at = (
        plan[run + RunEntry.ROW],
        plan[run + RunEntry.ENTITY],
        plan[run + RunEntry.INTS],
        plan[run + RunEntry.FLOATS],
    )
    other = plan[code + 1]
    if not ints[COLUMN.present, other]:
        return ACTION
    status, found = measured(road_floats(blocks), road_ints(blocks), numbers, plan, floats, ints, entity, code + 1, at)
    if status == AWAY:
        return DISTANCE
    if status != FOUND:
        return DONE
    speed = floats[COLUMN.speed, other]
    away = found - (abs(speed) * numbers[at] if plan[code] else numbers[at]) * kept[SECOND, row]
    if not plan[code + 1 + METRE_ENTRIES] and abs(away) < _WITHIN:
        return ACTION
    limits = (numbers[at + 1], numbers[at + 2], numbers[at + 3], numbers[at + 4], numbers[at + 5])
    if math.isinf(limits[0]) and math.isinf(limits[1]):
        if not move_along(road_floats(blocks), road_ints(blocks), floats, ints, entity, away):
            return ROAD
        floats[COLUMN.speed, entity] = speed
        return DONE
    own, last = sprung_speed(away, floats[COLUMN.speed, entity], speed, kept[FIRST, row], limits, dt)
    floats[COLUMN.speed, entity], kept[FIRST, row] = own, last
    return DONE


@inner_kernel
def _go_on_in_profile(blocks: IntArray, floats: FloatArray, kept: FloatArray, run: int, dt: float) -> int:
    """A SpeedProfileAction goes on."""
    plan, numbers = plan_ints(blocks), plan_floats(blocks)
    row, at = plan[run + RunEntry.ROW], plan[run + RunEntry.FLOATS]
    kept[FOURTH, row] += dt
    time, piece = kept[FOURTH, row], plan[plan[run + RunEntry.INTS]] - 1
    while piece > 0 and not numbers[at + 4 * piece] <= time + _NEAR:
        piece -= 1
    if piece == plan[plan[run + RunEntry.INTS]] - 1:
        return ACTION
    first = at + 4 * piece
    floats[COLUMN.speed, plan[run + RunEntry.ENTITY]] = speed_in_piece(
        time - numbers[first], numbers[first + 1], numbers[first + 2], numbers[first + 3]
    )
    return DONE


@outlined_kernel
def act(
    blocks: IntArray,
    floats: FloatArray,
    ints: IntArray,
    kept: FloatArray,
    phases: IntArray,
    moved: IntArray,
    dt: float,
) -> int:
    """Let all running actions go on, in their order; a `Quiet` code.

    Args:
        blocks: what the tick starts from; see `BlockEntry`.
        floats: of the next `EntityTable`.
        ints: the same.
        kept: floats of the next `ActionTable`.
        phases: ints of it.
        moved: `(entities,)` bits of the domains in which an action has moved an entity.
        dt: length of the tick [s].
    """
    plan = plan_ints(blocks)
    first, code = plan[QuietHead.ACTIONS], DONE
    for index in range(plan[QuietHead.ACTION_COUNT]):
        run = first + index * RUN_ENTRIES
        kind, entity = plan[run + RunEntry.KIND], plan[run + RunEntry.ENTITY]
        if not ints[COLUMN.present, entity]:
            return ACTION
        ordered = has_order(ints, entity)
        if ordered:
            swap_rows(floats, ints, new_order_floats(blocks), new_order_ints(blocks), entity)
        if kind == RunKind.SPEED:
            code = _change_speed(blocks, floats, kept, phases, run, dt)
        elif kind == RunKind.LANE_CHANGE:
            code = _change_lane(blocks, floats, ints, kept, moved, run, dt)
        elif kind == RunKind.LANE_OFFSET:
            code = _shift_in_lane(blocks, floats, ints, kept, moved, run, dt)
        elif kind == RunKind.KEEP_DISTANCE:
            code = _keep_distance(blocks, floats, ints, kept, run, dt)
        else:
            code = _go_on_in_profile(blocks, floats, kept, run, dt)
        if ordered:
            swap_rows(floats, ints, new_order_floats(blocks), new_order_ints(blocks), entity)
        if code != DONE:
            return code
    return DONE
