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
    NEW_ENTITY_FLOATS = 23
    """From here on the addresses of rows of new blocks: a tick takes the one of its number in each."""
    NEW_ENTITY_INTS = 24
    NEW_CONDITION_FLOATS = 25
    NEW_CONDITION_INTS = 26
    NEW_ACTION_FLOATS = 27
    NEW_ACTION_INTS = 28


BLOCK_ENTRIES = 29
_WORD = 8
"""Bytes of a number."""
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


@inner_kernel
def new_address(blocks: IntArray, entry: int, columns: int, rows: int, slot: int) -> int:
    """The address of a new block `(columns, rows)`: the one of a number among those that lie at an entry's address."""
    return int(blocks[entry]) + slot * columns * int(blocks[rows]) * _WORD


@inner_kernel
def new_entity_floats(blocks: IntArray, slot: int) -> FloatArray:
    """Floats of the next `EntityTable`."""
    at = new_address(blocks, BlockEntry.NEW_ENTITY_FLOATS, _ENTITY_FLOATS, BlockEntry.ENTITIES, slot)
    return float_rows_at(at, _ENTITY_FLOATS, blocks[BlockEntry.ENTITIES])


@inner_kernel
def new_entity_ints(blocks: IntArray, slot: int) -> IntArray:
    """Ints of the next `EntityTable`."""
    at = new_address(blocks, BlockEntry.NEW_ENTITY_INTS, _ENTITY_INTS, BlockEntry.ENTITIES, slot)
    return int_rows_at(at, _ENTITY_INTS, blocks[BlockEntry.ENTITIES])


@inner_kernel
def new_condition_floats(blocks: IntArray, slot: int) -> FloatArray:
    """Floats of the next `ConditionTable`."""
    at = new_address(blocks, BlockEntry.NEW_CONDITION_FLOATS, _CONDITION_FLOATS, BlockEntry.CONDITIONS, slot)
    return float_rows_at(at, _CONDITION_FLOATS, blocks[BlockEntry.CONDITIONS])


@inner_kernel
def new_condition_ints(blocks: IntArray, slot: int) -> IntArray:
    """Ints of the next `ConditionTable`."""
    at = new_address(blocks, BlockEntry.NEW_CONDITION_INTS, _CONDITION_INTS, BlockEntry.CONDITIONS, slot)
    return int_rows_at(at, _CONDITION_INTS, blocks[BlockEntry.CONDITIONS])


@inner_kernel
def new_action_floats(blocks: IntArray, slot: int) -> FloatArray:
    """Floats of the next `ActionTable`."""
    at = new_address(blocks, BlockEntry.NEW_ACTION_FLOATS, _ACTION_FLOATS, BlockEntry.ACTIONS, slot)
    return float_rows_at(at, _ACTION_FLOATS, blocks[BlockEntry.ACTIONS])


@inner_kernel
def new_action_ints(blocks: IntArray, slot: int) -> IntArray:
    """Ints of the next `ActionTable`."""
    at = new_address(blocks, BlockEntry.NEW_ACTION_INTS, _ACTION_INTS, BlockEntry.ACTIONS, slot)
    return int_rows_at(at, _ACTION_INTS, blocks[BlockEntry.ACTIONS])


@inner_kernel
def take_new_blocks(blocks: IntArray, slot: int, looks: bool, runs: bool) -> None:
    """Make the new blocks of a number the last ones."""
    at = new_address(blocks, BlockEntry.NEW_ENTITY_FLOATS, _ENTITY_FLOATS, BlockEntry.ENTITIES, slot)
    blocks[BlockEntry.ENTITY_FLOATS] = at
    at = new_address(blocks, BlockEntry.NEW_ENTITY_INTS, _ENTITY_INTS, BlockEntry.ENTITIES, slot)
    blocks[BlockEntry.ENTITY_INTS] = at
    if looks:
        at = new_address(blocks, BlockEntry.NEW_CONDITION_FLOATS, _CONDITION_FLOATS, BlockEntry.CONDITIONS, slot)
        blocks[BlockEntry.CONDITION_FLOATS] = at
        at = new_address(blocks, BlockEntry.NEW_CONDITION_INTS, _CONDITION_INTS, BlockEntry.CONDITIONS, slot)
        blocks[BlockEntry.CONDITION_INTS] = at
    if runs:
        at = new_address(blocks, BlockEntry.NEW_ACTION_FLOATS, _ACTION_FLOATS, BlockEntry.ACTIONS, slot)
        blocks[BlockEntry.ACTION_FLOATS] = at
        at = new_address(blocks, BlockEntry.NEW_ACTION_INTS, _ACTION_INTS, BlockEntry.ACTIONS, slot)
        blocks[BlockEntry.ACTION_INTS] = at
