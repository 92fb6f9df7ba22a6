"""Quiet ticks of a storyboard, in which no element changes its state: a kernel makes them.

What is to be looked at and what runs depends on the states of elements and actions, on variables and lights. The table
for it is written once for each of these combinations, and kept; all of them can be thrown away at any time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.quiet_action import kept_rows
from dorosim.scenario.openscenario.engine.quiet_table import QuietTable, quiet_table
from dorosim.scenario.openscenario.engine.quiet_writer import NotQuietError
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.quiet_block_kernel import BLOCK_ENTRIES
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
_NO_FLOATS, _NO_INTS = np.zeros(1), np.zeros(1, np.int64)
_UNUSED_FLOATS, _UNUSED_INTS = np.zeros((1, 1)), np.zeros((1, 1), np.int64)


class QuietTicks:
    """Makes quiet ticks of one program.

    Args:
        program: of the scenario.

    Attributes:
        made: how many it has made. left: how many it has left to the engine.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        roads = program.roads
        self._roads = (_NO_FLOATS, _NO_INTS) if roads is None else (roads.tables.floats, roads.tables.ints)
        self._kept: dict[object, QuietTable | None] = {}
        self._rows = kept_rows(program)
        self._state: StoryboardState | None = None
        self._table: QuietTable | None = None
        self._blocks = np.zeros(BLOCK_ENTRIES, np.int64)
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
        if self._state is not state:
            self._take(state)
        table, time = self._table, now - state.started
        made = None
        if table is not None and step and time < table.until:
            if table.asked:
                self._measure(state, table, time, step * 1e-9, world)
            made = self._tick(state, table, time, step)
        if made is None:
            self.left += 1
            return None
        self.made += 1
        self._state = made
        return made

    def _tick(self, state: StoryboardState, table: QuietTable, time: int, step: int) -> StoryboardState | None:
        """The next state, if the kernel makes it."""
        entity, condition, action = state.entity, state.condition, state.action
        floats, ints = np.empty(entity.floats.shape), np.empty(entity.ints.shape, np.int64)
        looked: tuple[FloatArray, IntArray] = (_UNUSED_FLOATS, _UNUSED_INTS)
        kept = looked
        if table.looks:
            looked = np.empty(condition.floats.shape), np.empty(condition.ints.shape, np.int64)
        if table.runs:
            kept = np.empty(action.floats.shape), np.empty(action.ints.shape, np.int64)
        code = quiet_tick(
            self._blocks, floats, ints, *looked, *kept, time, step, step * 1e-9, state.transitions, state.before
        )
        if code != DONE:
            return None
        return state.after_quiet_tick(
            ConditionTable(*looked).freeze() if table.looks else condition,
            ActionTable(*kept).freeze() if table.runs else action,
            EntityTable(floats, ints).freeze(),
        )

    def _measure(self, state: StoryboardState, table: QuietTable, time: int, dt: float, world: Snapshot | None) -> None:
        """Let the engine measure the conditions that the kernel does not know."""
        frame = StoryboardFrame(self._program, state, time, dt, world)
        for at, number in table.asked:
            table.given[:, at] = self._program.conditions[number].measure.met(frame, number)

    def _take(self, state: StoryboardState) -> None:
        """Go on from a state that is not the one which was made last."""
        self._state, self._table = state, self._table_for(state)
        if self._table is not None:
            self._blocks[:] = list(_entries(self._roads, self._table, state))

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


def _entries(roads: tuple[FloatArray, IntArray], table: QuietTable, state: StoryboardState) -> Iterator[int]:
    """Addresses and lengths, in the order of `BlockEntry`."""
    for array in (*roads, table.floats, table.ints):
        yield _address(array)
        yield len(array)
    yield _address(table.given)
    yield table.given.shape[1]
    for one in (state.entity, state.condition, state.action):
        yield _address(one.floats)
        yield _address(one.ints)
    yield _address(state.element.ints)
    yield _address(state.change.ints)
    for table_of in (state.entity, state.condition, state.action, state.element, state.change):
        yield len(table_of)


def _address(array: FloatArray | IntArray) -> int:
    found: int = array.__array_interface__["data"][0]
    return found
