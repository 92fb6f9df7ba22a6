"""Quiet ticks of a storyboard, in which no element changes its state: a kernel makes them.

What is to be looked at and what runs depends on the states of elements and actions, on variables and lights. The table
for it is written once for each of these combinations, and kept; all of them can be thrown away at any time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.quiet_action import kept_rows
from dorosim.scenario.openscenario.engine.quiet_table import QuietTable, quiet_table
from dorosim.scenario.openscenario.engine.quiet_writer import NotQuietError
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.quiet_block_kernel import BlockEntry
from dorosim.world.storyboard.quiet_code import DONE
from dorosim.world.storyboard.quiet_kernel import quiet_tick
from dorosim.world.storyboard.quiet_memory import LINES, QuietMemory
from dorosim.world.storyboard.state import NEVER, StoryboardState

_MAX_KEPT = 256
"""So many combinations are kept."""
_NO_ROADS = (np.zeros(1), np.zeros(1, np.int64))


class _Chain:
    """Quiet ticks one after another: from a state that it has made it goes on at once.

    Args:
        state: from which it begins. table: for it. roads: floats and ints of the roads.

    Attributes:
        state: the last one.
    """

    def __init__(self, state: StoryboardState, table: QuietTable | None, roads: tuple[FloatArray, IntArray]) -> None:
        self.state = state
        self._until, self._asked = (NEVER, ()) if table is None else (table.until, table.asked)
        if table is None:
            return
        # what a memory begins with keeps no other one
        first = replace(state)
        self._memory, self._line = QuietMemory(first), 0
        self._kept, self._measured = (table, roads, first), table.given.copy()
        self._blocks = np.array(list(_entries(roads, table, self._measured, self._memory)), np.int64)

    def next_state(self, program: Program, time: int, step: int, world: Snapshot | None) -> StoryboardState | None:
        """The next state, None if the tick is not quiet.

        Args:
            program: of the scenario.
            time: since the storyboard's start [ns].
            step: length of the tick [ns].
            world: the last snapshot, for conditions on it.
        """
        if time >= self._until or not step:
            return None
        if self._asked:
            frame = StoryboardFrame(program, self.state, time, step * 1e-9, world)
            for at, number in self._asked:
                self._measured[:, at] = program.conditions[number].measure.met(frame, number)
        line = self._line + 1
        if line == LINES:
            line = self._make_room() + 1
        if quiet_tick(self._blocks, time, step) != DONE:
            return None
        self._line = line
        made = self.state = StoryboardState.of_line(self._memory, line)
        return made

    def take(self, state: StoryboardState) -> bool:
        """Go on from a state, if that is the last one or that with entities that the world has moved."""
        if state.follows is not self.state or self._until == NEVER:
            return state is self.state
        self.state = state
        self._make_room()
        return True

    def _make_room(self) -> int:
        """A new memory that begins with the last state."""
        self._memory, self._line = QuietMemory(replace(self.state)), 0
        self._blocks[BlockEntry.LINE] = self._memory.address
        return 0


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
        if chain is None or (chain.state is not state and not chain.take(state)):
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
    roads: tuple[FloatArray, IntArray], table: QuietTable, measured: FloatArray, memory: QuietMemory
) -> Iterator[int]:
    """Addresses, lengths and counts, in the order of `BlockEntry`."""
    for array in (*roads, table.floats, table.ints):
        yield _address(array)
        yield len(array)
    yield _address(measured)
    yield measured.shape[1]
    state = memory.first
    yield _address(state.element.ints)
    yield _address(state.change.ints)
    for table_of in (state.entity, state.condition, state.action, state.element, state.change):
        yield len(table_of)
    yield state.transitions
    yield state.before
    yield memory.address
    yield memory.numbers
    yield from memory.places


def _address(array: FloatArray | IntArray) -> int:
    """Where an array lies; the kernel takes it as one piece of memory."""
    assert array.flags.c_contiguous
    found: int = array.__array_interface__["data"][0]
    return found
