"""Where the blocks of a quiet tick lie: an array of addresses and lengths, and the arrays by it."""

from __future__ import annotations

from enum import IntEnum

from dorosim.ground.address_kernel import float_rows_at, floats_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.storyboard.state import ActionTable, ChangeTable, ConditionTable, ElementTable, EntityTable


class BlockEntry(IntEnum):
    """Addresses and lengths.

    The first ones are of tables that stay: of `CourseTables`, of `quiet_code`, of the conditions that the engine has
    measured (`(2, N)`: 1 if met, and the value). Then come the blocks of the tables of `StoryboardState`, and how many
    rows these have.
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
    ENTITY_FLOATS = 10
    ENTITY_INTS = 11
    CONDITION_FLOATS = 12
    CONDITION_INTS = 13
    ACTION_FLOATS = 14
    ACTION_INTS = 15
    ELEMENT_INTS = 16
    CHANGE_INTS = 17
    ENTITIES = 18
    CONDITIONS = 19
    ACTIONS = 20
    ELEMENTS = 21
    CHANGES = 22


BLOCK_ENTRIES = 23
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
    return blocks[BlockEntry.ROAD_INT_COUNT] > 1


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
    return float_rows_at(blocks[BlockEntry.ENTITY_FLOATS], _ENTITY_FLOATS, blocks[BlockEntry.ENTITIES])


@inner_kernel
def entity_ints(blocks: IntArray) -> IntArray:
    """Ints of the last `EntityTable`."""
    return int_rows_at(blocks[BlockEntry.ENTITY_INTS], _ENTITY_INTS, blocks[BlockEntry.ENTITIES])


@inner_kernel
def condition_floats(blocks: IntArray) -> FloatArray:
    """Floats of the last `ConditionTable`."""
    return float_rows_at(blocks[BlockEntry.CONDITION_FLOATS], _CONDITION_FLOATS, blocks[BlockEntry.CONDITIONS])


@inner_kernel
def condition_ints(blocks: IntArray) -> IntArray:
    """Ints of the last `ConditionTable`."""
    return int_rows_at(blocks[BlockEntry.CONDITION_INTS], _CONDITION_INTS, blocks[BlockEntry.CONDITIONS])


@inner_kernel
def action_floats(blocks: IntArray) -> FloatArray:
    """Floats of the last `ActionTable`."""
    return float_rows_at(blocks[BlockEntry.ACTION_FLOATS], _ACTION_FLOATS, blocks[BlockEntry.ACTIONS])


@inner_kernel
def action_ints(blocks: IntArray) -> IntArray:
    """Ints of the last `ActionTable`."""
    return int_rows_at(blocks[BlockEntry.ACTION_INTS], _ACTION_INTS, blocks[BlockEntry.ACTIONS])


@inner_kernel
def element_ints(blocks: IntArray) -> IntArray:
    """Ints of the `ElementTable`."""
    return int_rows_at(blocks[BlockEntry.ELEMENT_INTS], _ELEMENT_INTS, blocks[BlockEntry.ELEMENTS])


@inner_kernel
def change_ints(blocks: IntArray) -> IntArray:
    """Ints of the `ChangeTable`."""
    return int_rows_at(blocks[BlockEntry.CHANGE_INTS], _CHANGE_INTS, blocks[BlockEntry.CHANGES])
