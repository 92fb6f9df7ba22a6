"""A quiet tick of a storyboard: one in which no element changes its state.

It does what `dorosim.scenario.openscenario.engine.advance` does, to the bit, from the blocks of the tables and for the
kinds of conditions and actions that are frequent (`dorosim.world.storyboard.quiet_code`). Where something else happens,
it says so, and the engine does the tick.
"""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import kernel, outlined_kernel
from dorosim.world.storyboard.order_kernel import catch_up_orders, motion_of_orders, move_orders
from dorosim.world.storyboard.quiet_action_kernel import act
from dorosim.world.storyboard.quiet_block_kernel import (
    BlockEntry,
    begin_line,
    entity_floats,
    new_action_floats,
    new_action_ints,
    new_condition_floats,
    new_condition_ints,
    new_entity_floats,
    new_entity_ints,
    new_order_floats,
    new_order_ints,
    plan_ints,
    road_floats,
    road_ints,
    take_next_line,
)
from dorosim.world.storyboard.quiet_code import DONE, ROAD, QuietHead
from dorosim.world.storyboard.quiet_condition_kernel import look_at_all
from dorosim.world.storyboard.quiet_motion_kernel import (
    LONGITUDINAL_BIT,
    STILL_SPEED,
    is_beside_road,
    move_along,
    since_when,
)
from dorosim.world.storyboard.state import EntityTable
from dorosim.world.storyboard.vector_kernel import derived

COLUMN = EntityTable.at
_NEAR = 1e-9


@outlined_kernel
def _observe(blocks: IntArray, floats: FloatArray, ints: IntArray, after: int, dt: float) -> None:
    """Velocities, accelerations, ways, and since when entities stand or are off the road."""
    old = entity_floats(blocks)
    for row in range(floats.shape[1]):
        if not ints[COLUMN.present, row]:
            continue
        ints[COLUMN.placed, row] = 0
        if ints[COLUMN.mover, row]:  # it is looked at when the world has moved it
            continue
        before = (
            old[COLUMN.x, row],
            old[COLUMN.y, row],
            old[COLUMN.z, row],
            old[COLUMN.heading, row],
            old[COLUMN.velocity_x, row],
            old[COLUMN.velocity_y, row],
            old[COLUMN.velocity_z, row],
        )
        found = derived(
            floats[COLUMN.x, row], floats[COLUMN.y, row], floats[COLUMN.z, row], floats[COLUMN.heading, row], before, dt
        )
        floats[COLUMN.velocity_x, row] = found[0]
        floats[COLUMN.velocity_y, row] = found[1]
        floats[COLUMN.velocity_z, row] = found[2]
        floats[COLUMN.acceleration_x, row] = found[3]
        floats[COLUMN.acceleration_y, row] = found[4]
        floats[COLUMN.acceleration_z, row] = found[5]
        floats[COLUMN.yaw_rate, row] = found[6]
        floats[COLUMN.travelled, row] += found[7]
        stands = abs(floats[COLUMN.speed, row]) < STILL_SPEED
        ints[COLUMN.still_since, row] = since_when(ints[COLUMN.still_since, row], stands, after)
        off = is_beside_road(road_floats(blocks), road_ints(blocks), floats, ints, row)
        ints[COLUMN.off_road_since, row] = since_when(ints[COLUMN.off_road_since, row], off, after)


@kernel
def quiet_tick(blocks: IntArray, line: IntArray, time: int, step: int) -> int:
    """Make the next line of the tables of a storyboard, if the tick is quiet.

    Args:
        blocks: where the last line lies, what is looked at and what runs (`BlockEntry`).
        line: the next line, of which nothing is read. It becomes the last one, so it must be kept until the next tick.
        time: since the storyboard's start [ns].
        step: length of the tick [ns].

    Returns:
        A `Quiet` code; if it is not DONE, what was written is void, and `blocks` is as it was.
    """
    plan, dt = plan_ints(blocks), step * 1e-9
    begin_line(blocks, line)
    if plan[QuietHead.WATCH_COUNT]:
        transitions, before = blocks[BlockEntry.TRANSITIONS], blocks[BlockEntry.BEFORE]
        code = look_at_all(blocks, new_condition_floats(blocks), new_condition_ints(blocks), time, transitions, before)
        if code != DONE:
            return code
    floats, ints = new_entity_floats(blocks), new_entity_ints(blocks)
    order, order_ints, moved = new_order_floats(blocks), new_order_ints(blocks), np.zeros(floats.shape[1], np.int64)
    code = catch_up_orders(road_floats(blocks), road_ints(blocks), floats, ints, order, order_ints)
    if code != DONE:
        return code
    before_orders = motion_of_orders(order)
    if plan[QuietHead.ACTION_COUNT]:
        code = act(blocks, floats, ints, new_action_floats(blocks), new_action_ints(blocks), moved, dt)
        if code != DONE:
            return code
    for row in range(floats.shape[1]):
        way = floats[COLUMN.speed, row] * dt
        drives = ints[COLUMN.present, row] and abs(floats[COLUMN.speed, row]) > _NEAR
        drives = drives and not moved[row] & LONGITUDINAL_BIT and not ints[COLUMN.mover, row]
        if drives and not move_along(road_floats(blocks), road_ints(blocks), floats, ints, row, way):
            return ROAD
    code = move_orders(road_floats(blocks), road_ints(blocks), order, order_ints, before_orders, moved, dt)
    if code != DONE:
        return code
    _observe(blocks, floats, ints, time + step, dt)
    take_next_line(blocks)
    return DONE
