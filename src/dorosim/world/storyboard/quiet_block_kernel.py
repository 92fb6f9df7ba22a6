"""Where the blocks of a quiet tick lie: an array of addresses and lengths, and the arrays by it."""

from __future__ import annotations

from enum import IntEnum

from dorosim.ground.address_kernel import float_rows_at, floats_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.storyboard.state import ActionTable, ChangeTable, ConditionTable, ElementTable, EntityTable


class BlockEntry(IntEnum):
    """Addresses, lengths and counts.

    The first ones are of tables that stay: of `CourseTables`, of `quiet_code`, of the conditions that the engine has
    measured (`(2, N)`: 1 if met, and the value), and of the tables of elements and changes. Then come how many rows the
    tables of `StoryboardState` have, and where the last and the next line of a `QuietSpan` lie.
    """

    ROAD_FLOATS = 0
    ROAD_FLOAT_COUNT = 1
    ROAD_INTS = 2
    ROAD_INT_COUNT = 3
    PLAN_FLOATS = 4
    PLAN_FLOAT_COUNT = 5
    PLAN_INTS = 6
    PLAN_INT_COUNT = 7
    MEASURED = 8
    MEASURED_COUNT = 9
    ELEMENT_INTS = 10
    CHANGE_INTS = 11
    ENTITIES = 12
    CONDITIONS = 13
    ACTIONS = 14
    ELEMENTS = 15
    CHANGES = 16
    ORDERS = 17
    TRANSITIONS = 18
    """How many transitions of elements there were."""
    BEFORE = 19
    """How many there were at the tick before."""
    LINE = 20
    """Address of the last line."""
    NEXT_LINE = 21
    """That of the next one, while a tick is made."""
    ENTITY_FLOATS = 22
    """From here on, where each block begins in a line, in bytes."""
    ENTITY_INTS = 23
    CONDITION_FLOATS = 24
    CONDITION_INTS = 25
    ACTION_FLOATS = 26
    ACTION_INTS = 27
    ORDER_FLOATS = 28
    ORDER_INTS = 29


_ENTITY_FLOATS, _ENTITY_INTS = EntityTable.float_width, len(EntityTable.int_columns)
_CONDITION_FLOATS, _CONDITION_INTS = ConditionTable.float_width, len(ConditionTable.int_columns)
_ACTION_FLOATS, _ACTION_INTS = ActionTable.float_width, len(ActionTable.int_columns)
_ELEMENT_INTS, _CHANGE_INTS = len(ElementTable.int_columns), len(ChangeTable.int_columns)


@inner_kernel
def road_floats(blocks: IntArray) -> FloatArray:
    """Floats of the roads."""
    return floats_at(blocks[BlockEntry.ROAD_FLOATS], blocks[BlockEntry.ROAD_FLOAT_COUNT])


@inner_kernel
def road_ints(blocks: IntArray) -> IntArray:
    """Ints of the roads."""
    return ints_at(blocks[BlockEntry.ROAD_INTS], blocks[BlockEntry.ROAD_INT_COUNT])


@inner_kernel
def has_roads(blocks: IntArray) -> bool:
    """Whether there are roads."""
    return bool(blocks[BlockEntry.ROAD_INT_COUNT] > 1)


@inner_kernel
def plan_floats(blocks: IntArray) -> FloatArray:
    """Floats of what is looked at and runs."""
    return floats_at(blocks[BlockEntry.PLAN_FLOATS], blocks[BlockEntry.PLAN_FLOAT_COUNT])


@inner_kernel
def plan_ints(blocks: IntArray) -> IntArray:
    """Ints of what is looked at and runs."""
    return ints_at(blocks[BlockEntry.PLAN_INTS], blocks[BlockEntry.PLAN_INT_COUNT])


@inner_kernel
def measured_values(blocks: IntArray) -> FloatArray:
    """What the engine has measured, `(2, N)`."""
    return float_rows_at(blocks[BlockEntry.MEASURED], 2, blocks[BlockEntry.MEASURED_COUNT])


@inner_kernel
def entity_floats(blocks: IntArray) -> FloatArray:
    """Floats of the last `EntityTable`."""
    return float_rows_at(
        blocks[BlockEntry.LINE] + blocks[BlockEntry.ENTITY_FLOATS], _ENTITY_FLOATS, blocks[BlockEntry.ENTITIES]
    )


@inner_kernel
def entity_ints(blocks: IntArray) -> IntArray:
    """Ints of the last `EntityTable`."""
    return int_rows_at(
        blocks[BlockEntry.LINE] + blocks[BlockEntry.ENTITY_INTS], _ENTITY_INTS, blocks[BlockEntry.ENTITIES]
    )


@inner_kernel
def condition_ints(blocks: IntArray) -> IntArray:
    """Ints of the last `ConditionTable`."""
    return int_rows_at(
        blocks[BlockEntry.LINE] + blocks[BlockEntry.CONDITION_INTS], _CONDITION_INTS, blocks[BlockEntry.CONDITIONS]
    )


@inner_kernel
def element_ints(blocks: IntArray) -> IntArray:
    """Ints of the `ElementTable`."""
    return int_rows_at(blocks[BlockEntry.ELEMENT_INTS], _ELEMENT_INTS, blocks[BlockEntry.ELEMENTS])


@inner_kernel
def change_ints(blocks: IntArray) -> IntArray:
    """Ints of the `ChangeTable`."""
    return int_rows_at(blocks[BlockEntry.CHANGE_INTS], _CHANGE_INTS, blocks[BlockEntry.CHANGES])


@inner_kernel
def begin_line(blocks: IntArray, line: IntArray) -> None:
    """Write the last line into the next one."""
    blocks[BlockEntry.NEXT_LINE] = line.ctypes.data
    line[...] = ints_at(blocks[BlockEntry.LINE], len(line))


@inner_kernel
def new_entity_floats(blocks: IntArray) -> FloatArray:
    """Floats of the next `EntityTable`."""
    at = blocks[BlockEntry.NEXT_LINE] + blocks[BlockEntry.ENTITY_FLOATS]
    return float_rows_at(at, _ENTITY_FLOATS, blocks[BlockEntry.ENTITIES])


@inner_kernel
def new_entity_ints(blocks: IntArray) -> IntArray:
    """Ints of the next `EntityTable`."""
    at = blocks[BlockEntry.NEXT_LINE] + blocks[BlockEntry.ENTITY_INTS]
    return int_rows_at(at, _ENTITY_INTS, blocks[BlockEntry.ENTITIES])


@inner_kernel
def new_condition_floats(blocks: IntArray) -> FloatArray:
    """Floats of the next `ConditionTable`."""
    at = blocks[BlockEntry.NEXT_LINE] + blocks[BlockEntry.CONDITION_FLOATS]
    return float_rows_at(at, _CONDITION_FLOATS, blocks[BlockEntry.CONDITIONS])


@inner_kernel
def new_condition_ints(blocks: IntArray) -> IntArray:
    """Ints of the next `ConditionTable`."""
    at = blocks[BlockEntry.NEXT_LINE] + blocks[BlockEntry.CONDITION_INTS]
    return int_rows_at(at, _CONDITION_INTS, blocks[BlockEntry.CONDITIONS])


@inner_kernel
def new_action_floats(blocks: IntArray) -> FloatArray:
    """Floats of the next `ActionTable`."""
    at = blocks[BlockEntry.NEXT_LINE] + blocks[BlockEntry.ACTION_FLOATS]
    return float_rows_at(at, _ACTION_FLOATS, blocks[BlockEntry.ACTIONS])


@inner_kernel
def new_action_ints(blocks: IntArray) -> IntArray:
    """Ints of the next `ActionTable`."""
    at = blocks[BlockEntry.NEXT_LINE] + blocks[BlockEntry.ACTION_INTS]
    return int_rows_at(at, _ACTION_INTS, blocks[BlockEntry.ACTIONS])


@inner_kernel
def new_order_floats(blocks: IntArray) -> FloatArray:
    """Floats of the next table of orders."""
    at = blocks[BlockEntry.NEXT_LINE] + blocks[BlockEntry.ORDER_FLOATS]
    return float_rows_at(at, _ENTITY_FLOATS, blocks[BlockEntry.ORDERS])


@inner_kernel
def new_order_ints(blocks: IntArray) -> IntArray:
    """Ints of the next table of orders."""
    at = blocks[BlockEntry.NEXT_LINE] + blocks[BlockEntry.ORDER_INTS]
    return int_rows_at(at, _ENTITY_INTS, blocks[BlockEntry.ORDERS])


@inner_kernel
def take_next_line(blocks: IntArray) -> None:
    """Make the next line the last one: the tick is done."""
    blocks[BlockEntry.LINE] = blocks[BlockEntry.NEXT_LINE]
    blocks[BlockEntry.BEFORE] = blocks[BlockEntry.TRANSITIONS]
