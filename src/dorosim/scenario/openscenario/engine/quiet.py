"""Quiet ticks of a storyboard, in which no element changes its state: a kernel makes them.

What is to be looked at and what runs depends on the states of elements and actions, on variables and lights. The table
for it is written once for each of these combinations, and kept; all of them can be thrown away at any time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dorosim.ground.column import Columns, FloatArray, IntArray
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.quiet_action import kept_rows
from dorosim.scenario.openscenario.engine.quiet_table import QuietTable, quiet_table
from dorosim.scenario.openscenario.engine.quiet_writer import NotQuietError
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.quiet_block_kernel import BLOCK_ENTRIES, BlockEntry
from dorosim.world.storyboard.quiet_code import DONE
from dorosim.world.storyboard.quiet_kernel import quiet_tick
from dorosim.world.storyboard.state import (
    ActionTable,
    ConditionTable,
    EntityTable,
    StoryboardState,
)

_MAX_KEPT = 256
"""So many combinations are kept."""
_SLOTS = 64
"""New blocks are made for so many ticks at once. They stay while one of their states does."""
_NO_ROADS = (np.zeros(1), np.zeros(1, np.int64))


class _Chain:
    """Quiet ticks one after another: from a state that it has made it goes on at once.

    Args:
        state: from which it begins. table: for it. roads: floats and ints of the roads.

    Attributes:
        state: the last one.
    """

    def __init__(self, state: StoryboardState, table: QuietTable | None, roads: tuple[FloatArray, IntArray]) -> None:
        self.state, self.table, self._roads = state, table, roads
        self._slot = _SLOTS
        if table is None:
            return
        self._measured = table.given.copy()
        self._blocks = np.array(list(_entries(roads, table, self._measured, state)), np.int64)

    def next_state(self, program: Program, time: int, step: int, world: Snapshot | None) -> StoryboardState | None:
        """The next state, None if the tick is not quiet.

        Args:
            program: of the scenario.
            time: since the storyboard's start [ns].
            step: length of the tick [ns].
            world: the last snapshot, for conditions on it.
        """
        state, table = self.state, self.table
        if table is None or time >= table.until or not step:
            return None
        if table.asked:
            frame = StoryboardFrame(program, state, time, step * 1e-9, world)
            for at, number in table.asked:
                self._measured[:, at] = program.conditions[number].measure.met(frame, number)
        if self._slot == _SLOTS:
            self._make_room()
        slot = self._slot
        code = quiet_tick(self._blocks, slot, time, step, step * 1e-9, state.transitions, state.before)
        if code != DONE:
            return None
        self._slot = slot + 1
        looked, kept = state.condition, state.action
        if table.looks:
            looked = ConditionTable(self._condition_floats[slot], self._condition_ints[slot])
        if table.runs:
            kept = ActionTable(self._action_floats[slot], self._action_ints[slot])
        self.state = state.after_quiet_tick(
            looked, kept, EntityTable(self._entity_floats[slot], self._entity_ints[slot])
        )
        return self.state

    def _make_room(self) -> None:
        """New blocks for some ticks. They are read-only for all but the kernel, which has their addresses."""
        state, self._slot = self.state, 0
        self._entity_floats, self._entity_ints = _new_blocks(state.entity)
        self._condition_floats, self._condition_ints = _new_blocks(state.condition)
        self._action_floats, self._action_ints = _new_blocks(state.action)
        self._blocks[BlockEntry.NEW_ENTITY_FLOATS :] = [
            _address(one)
            for one in (
                self._entity_floats,
                self._entity_ints,
                self._condition_floats,
                self._condition_ints,
                self._action_floats,
                self._action_ints,
            )
        ]


class QuietTicks:
    """Makes quiet ticks of one program; two threads may do so at once.

    Args:
        program: of the scenario.

    Attributes:
        made: how many it has made. left: how many it has left to the engine.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        roads = program.roads
        self._roads = _NO_ROADS if roads is None else (roads.tables.floats, roads.tables.ints)
        self._kept: dict[object, QuietTable | None] = {}
        self._rows = kept_rows(program)
        self._chains: list[_Chain] = []
        self.made = self.left = 0

    def next_state(
        self, state: StoryboardState, now: int, step: int, world: Snapshot | None = None
    ) -> StoryboardState | None:
        """The next state, if the tick is quiet; None where the engine has to make it.

        Args:
            state: the last state.
            now: simulated time of the run [ns].
            step: length of the tick [ns].
            world: the last snapshot, for conditions on it.
        """
        # whoever has taken the chain out of the list has it alone
        try:
            chain = self._chains.pop()
        except IndexError:
            chain = None
        if chain is None or chain.state is not state:
            chain = _Chain(state, self._table_for(state), self._roads)
        made = chain.next_state(self._program, now - state.started, step, world)
        self._chains[:] = (chain,)
        if made is None:
            self.left += 1
        else:
            self.made += 1
        return made

    def _table_for(self, state: StoryboardState) -> QuietTable | None:
        """The table for a state; None where the kernels do not know something."""
        key = (
            state.ended,
            state.element.ints[0].tobytes(),
            state.action.ints[0].tobytes(),
            state.entity.mover.tobytes(),
            state.variable.floats.tobytes(),
            state.variable.ints.tobytes(),
            state.signal.ints.tobytes(),
            state.control.ints.tobytes(),
            state.light.floats.tobytes(),
            state.light.ints.tobytes(),
            state.environment.floats.tobytes(),
            state.environment.ints.tobytes(),
            state.animation.ints.tobytes(),
            state.text.tobytes(),
            state.outside.tobytes(),
            *(state.action.floats[first:last, row].tobytes() for row, first, last in self._rows),
        )
        if key not in self._kept:
            if len(self._kept) >= _MAX_KEPT:
                self._kept.clear()
            try:
                self._kept[key] = quiet_table(self._program, state)
            except NotQuietError:
                self._kept[key] = None
        return self._kept[key]


def _entries(
    roads: tuple[FloatArray, IntArray], table: QuietTable, measured: FloatArray, state: StoryboardState
) -> Iterator[int]:
    """Addresses and lengths, in the order of `BlockEntry`; those of new blocks are 0 yet."""
    for array in (*roads, table.floats, table.ints):
        yield _address(array)
        yield len(array)
    yield _address(measured)
    yield measured.shape[1]
    for one in (state.entity, state.condition, state.action):
        yield _address(one.floats)
        yield _address(one.ints)
    yield _address(state.element.ints)
    yield _address(state.change.ints)
    for table_of in (state.entity, state.condition, state.action, state.element, state.change):
        yield len(table_of)
    for _ in range(BLOCK_ENTRIES - BlockEntry.NEW_ENTITY_FLOATS):
        yield 0


def _new_blocks(table: Columns) -> tuple[FloatArray, IntArray]:
    """Blocks `(_SLOTS, columns, rows)` like those of a table, read-only."""
    floats, ints = np.empty((_SLOTS, *table.floats.shape)), np.empty((_SLOTS, *table.ints.shape), np.int64)
    floats.flags.writeable = ints.flags.writeable = False
    return floats, ints


def _address(array: FloatArray | IntArray) -> int:
    """Where an array lies; the kernel takes it as one piece of memory."""
    assert array.flags.c_contiguous
    found: int = array.__array_interface__["data"][0]
    return found
