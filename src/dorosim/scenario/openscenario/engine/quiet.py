"""Quiet ticks of a storyboard, in which no element changes its state: a kernel makes them.

What is to be looked at and what runs depends on the states of elements and actions, on variables and lights. The table
for it is written once for each of these combinations, and kept; all of them can be thrown away at any time.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.quiet_action import kept_rows
from dorosim.scenario.openscenario.engine.quiet_table import QuietTable, address_of, quiet_table
from dorosim.scenario.openscenario.engine.quiet_writer import NotQuietError
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.engine import QuietPlan
from dorosim.world.storyboard.quiet_block_kernel import BlockEntry
from dorosim.world.storyboard.quiet_code import DONE
from dorosim.world.storyboard.quiet_kernel import quiet_tick
from dorosim.world.storyboard.quiet_span import TABLES, QuietSpan
from dorosim.world.storyboard.state import NEVER, StoryboardState, state_of_line

_MAX_KEPT = 256
"""So many combinations are kept."""


class _Span(QuietSpan):
    """A span of quiet ticks, and what is looked at and runs in all of them.

    Args:
        program: of the scenario.
        state: from which it begins.
        table: for it.

    Attributes:
        program: as given. watched: the table.
        blocks: what the kernel takes as given after the first tick (`BlockEntry`), without lines; read-only.
    """

    def __init__(self, program: Program, state: StoryboardState, table: QuietTable) -> None:
        # a state that is made anew belongs to no span
        first = state if state.span is None else replace(state)
        super().__init__(first)
        self.program, self.watched = program, table
        self.blocks = table.head.copy()
        self.blocks[BlockEntry.ELEMENT_INTS :] = (
            address_of(first.element.ints),
            address_of(first.change.ints),
            first.entity.rows,
            first.condition.rows,
            first.action.rows,
            first.element.rows,
            first.change.rows,
            first.order.rows,
            first.transitions,
            first.transitions,
            0,
            0,
            *self.places,
        )
        self.blocks.flags.writeable = False

    @cached_property
    def plan(self) -> QuietPlan | None:
        """For compiled ticks of the world; None where the engine has something to do in each tick.

        Who does not see hidden entities, does so in ticks that are made in Python.
        """
        if self.watched.asked or self.first.entity.hidden.any():
            return None
        return QuietPlan(self, self.blocks, self.watched.until, self.watched)


class _Chain:
    """Quiet ticks one after another: from a state that it has made it goes on at once.

    Args:
        state: from which it begins.
        span: to which the next ones belong; None: no tick is quiet.

    Attributes:
        state: the last one. span: as given. line: the last one, which the kernel reads.
        blocks: for the kernel, see `BlockEntry`.
        until: when the table is no good any more [ns]; NEVER: there is none, and no tick is quiet.
        asked: conditions that the engine measures in each tick, see `QuietTable`.
    """

    asked: tuple[tuple[int, int], ...] = ()
    span: _Span
    line: IntArray
    blocks: IntArray

    def __init__(self, state: StoryboardState, span: _Span | None) -> None:
        self.state = state
        if span is None:
            self.until = NEVER
            return
        self.span, table = span, span.watched
        self.until, self.asked = table.until, table.asked
        own = state.span is span
        self.line = state.line if own else span.line_of(*(getattr(state, name) for name in TABLES))
        self._measured, self.blocks = table.given, span.blocks.copy()
        if table.asked:
            self._measured = table.given.copy()
            self.blocks[BlockEntry.MEASURED] = address_of(self._measured)
        if not own:
            self.blocks[BlockEntry.BEFORE] = state.before
        self.blocks[BlockEntry.LINE] = address_of(self.line)

    def measure(self, program: Program, time: int, step: int, world: Snapshot | None) -> None:
        """Measure the conditions that the kernel does not know."""
        frame = StoryboardFrame(program, self.state, time, step * 1e-9, world)
        for at, number in self.asked:
            self._measured[:, at] = program.conditions[number].measure.met(frame, number)

    def take(self, state: StoryboardState) -> bool:
        """Go on from a state, if that is one of the same span, as with entities that the world has moved."""
        if self.until == NEVER or state.span is not self.span:
            return False
        self.state, self.line = state, state.line
        self.blocks[BlockEntry.LINE] = address_of(self.line)
        self.blocks[BlockEntry.BEFORE] = self.blocks[BlockEntry.TRANSITIONS]
        return True


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
        # whoever has taken a chain out of the list has it alone
        chains = self._chains
        try:
            chain = chains.pop()
        except IndexError:
            chain = None
        if chain is None or (chain.state is not state and not chain.take(state)):
            chain = _Chain(state, self._span_for(state))
        time, made = now - state.started, None
        if time < chain.until and step:
            if chain.asked:
                chain.measure(self._program, time, step, world)
            span = chain.span
            line = np.empty(span.numbers, np.int64)
            if quiet_tick(chain.blocks, line, time, step) == DONE:
                chain.line = line
                made = chain.state = state_of_line(span, line)
        chains.append(chain)
        if made is None:
            self.left += 1
        else:
            self.made += 1
        return made

    def plan_of(self, state: StoryboardState) -> QuietPlan | None:
        """See `StoryboardEngine.quiet_plan`."""
        span = state.span
        return span.plan if isinstance(span, _Span) and span.program is self._program else None

    def _span_for(self, state: StoryboardState) -> _Span | None:
        """The span of the ticks after a state: its own if it has one; None where the kernels do not know something."""
        span = state.span
        if isinstance(span, _Span) and span.program is self._program:
            return span
        table = self._table_for(state)
        return None if table is None else _Span(self._program, state, table)

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
