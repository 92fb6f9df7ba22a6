"""Quiet ticks of a storyboard, in which no element changes its state: a kernel makes them.

What is to be looked at and what runs depends on the states of elements and actions, on variables and lights. The table
for it is written once for each of these combinations, and kept; all of them can be thrown away at any time.
"""

from __future__ import annotations

from dataclasses import replace

from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.quiet_action import kept_rows
from dorosim.scenario.openscenario.engine.quiet_table import QuietTable, address_of, quiet_table
from dorosim.scenario.openscenario.engine.quiet_writer import NotQuietError
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.quiet_block_kernel import BlockEntry
from dorosim.world.storyboard.quiet_code import DONE
from dorosim.world.storyboard.quiet_kernel import quiet_tick
from dorosim.world.storyboard.quiet_memory import LINES, QuietMemory
from dorosim.world.storyboard.state import NEVER, StoryboardState

_MAX_KEPT = 256
"""So many combinations are kept."""


class _Chain:
    """Quiet ticks one after another: from a state that it has made it goes on at once.

    Args:
        state: from which it begins. table: for it.

    Attributes:
        state: the last one.
    """

    def __init__(self, state: StoryboardState, table: QuietTable | None) -> None:
        self.state = state
        self._until, self._asked = (NEVER, ()) if table is None else (table.until, table.asked)
        if table is None:
            return
        self._table, self._line = table, 0
        # memories must not keep one another: that which goes on from another one has all that it needs
        self._memory = memory = QuietMemory(state if state.memory is None and state.follows is None else replace(state))
        memory.begin(state.entity, state.condition, state.action)
        self._measured, self._blocks = table.given, table.head.copy()
        if table.asked:
            self._measured = table.given.copy()
            self._blocks[BlockEntry.MEASURED] = address_of(self._measured)
        self._blocks[BlockEntry.ELEMENT_INTS :] = (
            address_of(state.element.ints),
            address_of(state.change.ints),
            state.entity.rows,
            state.condition.rows,
            state.action.rows,
            state.element.rows,
            state.change.rows,
            state.transitions,
            state.before,
            memory.address,
            memory.numbers,
            *memory.places,
        )

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
        """Go on from a state, if that is the last one with entities that the world has moved."""
        if self._until == NEVER or state.follows is not self.state:
            return False
        self._make_room()
        self._memory.begin(state.entity)
        self.state = state
        return True

    def _make_room(self) -> int:
        """A new memory that begins with the last state."""
        self._memory, self._line = self._memory.after(self._line), 0
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
            chain = _Chain(state, self._table_for(state))
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
