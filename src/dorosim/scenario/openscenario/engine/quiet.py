"""Quiet ticks of a storyboard, in which no element changes its state: kernels make them.

What is to be looked at and what runs depends on the states of elements and actions, on variables and lights. The tables
for it are written once for each of these combinations, and kept; they can be thrown away at any time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.scenario.openscenario.engine.condition import value as by_value
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import ActorAction, Element, ElementKind, Program
from dorosim.scenario.openscenario.engine.quiet_action import keeps_pieces, run_action
from dorosim.scenario.openscenario.engine.quiet_condition import watch_trigger
from dorosim.scenario.openscenario.engine.quiet_writer import NotQuietError, QuietWriter
from dorosim.scenario.openscenario.engine.signals import next_change
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.quiet_code import Quiet
from dorosim.world.storyboard.quiet_condition_kernel import QuietInput
from dorosim.world.storyboard.quiet_kernel import QuietOutput, quiet_tick
from dorosim.world.storyboard.state import (
    NEVER,
    ActionTable,
    ConditionTable,
    ElementState,
    EntityTable,
    StoryboardState,
)

_MAX_KEPT = 256
"""So many combinations are kept."""
_NO_FLOATS, _NO_INTS = np.zeros(1), np.zeros(1, np.int64)
_NO_FLOATS.flags.writeable = _NO_INTS.flags.writeable = False
_UNUSED_FLOATS, _UNUSED_INTS = np.zeros((1, 1)), np.zeros((1, 1), np.int64)
_CONSTANT = (by_value.VariableIs, by_value.SignalIs, by_value.OutsideValueIs, by_value.NeverMet)
"""Conditions whose value only an element or someone outside can change."""


@dataclass(slots=True)
class _Tables:
    """What a combination needs.

    Attributes:
        floats, ints: of the kernel. asked: conditions that the engine measures in each tick, by their places in `given`.
        given: what is known of those that it measures once. until: when a controller of lights changes [ns].
        looks, runs: whether there are conditions, and actions.
    """

    floats: FloatArray
    ints: IntArray
    asked: tuple[tuple[int, int], ...]
    given: FloatArray
    until: int
    looks: bool
    runs: bool


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
        self._road_floats, self._road_ints = (_NO_FLOATS, _NO_INTS) if roads is None else roads.tables
        self._kept: dict[object, _Tables | None] = {}
        self._last: tuple[StoryboardState | None, _Tables | None] = (None, None)
        self._takes_notice = tuple(
            (number, one.first_row + at)
            for number, one in enumerate(_actions(program))
            if keeps_pieces(one)
            for at in range(len(one.entities))
        )
        self.made = self.left = 0

    def next_state(
        self, state: StoryboardState, now: int, step: int, world: Snapshot | None = None
    ) -> StoryboardState | None:
        """The next state, if the tick is quiet; None where the engine has to make it.

        Args:
            state: the last state.
            now: simulated time of the run [ns].
            step: length of the tick [ns], not 0.
            world: the last snapshot, for conditions on it.
        """
        last, tables = self._last
        if last is not state:
            tables = self._tables_of(state)
        time = now - state.started
        if tables is None or time >= tables.until or not step:
            self.left += 1
            return None
        made = self._tick(state, tables, time, step, world)
        self._last = (made, tables)
        if made is None:
            self.left += 1
        else:
            self.made += 1
        return made

    def _tick(
        self, state: StoryboardState, tables: _Tables, time: int, step: int, world: Snapshot | None
    ) -> StoryboardState | None:
        """The next state, from tables that fit."""
        given = tables.given
        if tables.asked:
            given = self._measured(state, tables, time, step * 1e-9, world)
        entity, condition, action = state.entity, state.condition, state.action
        entity_floats, entity_ints = np.empty(entity.floats.shape), np.empty(entity.ints.shape, np.int64)
        condition_floats, condition_ints = _UNUSED_FLOATS, _UNUSED_INTS
        action_floats, action_ints = _UNUSED_FLOATS, _UNUSED_INTS
        if tables.looks:
            condition_floats = np.empty(condition.floats.shape)
            condition_ints = np.empty(condition.ints.shape, np.int64)
        if tables.runs:
            action_floats, action_ints = np.empty(action.floats.shape), np.empty(action.ints.shape, np.int64)
        code = quiet_tick(
            QuietInput(
                self._road_floats,
                self._road_ints,
                tables.floats,
                tables.ints,
                given,
                entity.floats,
                entity.ints,
                condition.floats,
                condition.ints,
                action.floats,
                action.ints,
                state.element.ints,
                state.change.ints,
            ),
            QuietOutput(entity_floats, entity_ints, condition_floats, condition_ints, action_floats, action_ints),
            time,
            step,
            step * 1e-9,
            state.transitions,
            state.before,
        )
        if code != Quiet.DONE:
            return None
        return state.after_quiet_tick(
            EntityTable(entity_floats, entity_ints).freeze(),
            ConditionTable(condition_floats, condition_ints).freeze() if tables.looks else condition,
            ActionTable(action_floats, action_ints).freeze() if tables.runs else action,
        )

    def _measured(
        self, state: StoryboardState, tables: _Tables, time: int, dt: float, world: Snapshot | None
    ) -> FloatArray:
        """What the engine finds of conditions that the kernels do not know."""
        frame, given = StoryboardFrame(self._program, state, time, dt, world), tables.given.copy()
        for at, number in tables.asked:
            given[:, at] = self._program.conditions[number].measure.met(frame, number)
        given.flags.writeable = False
        return given

    def _tables_of(self, state: StoryboardState) -> _Tables | None:
        """The tables for a state; None where the kernels do not know something."""
        key = (
            state.element.ints[0].tobytes(),
            state.action.ints[0].tobytes(),
            state.ended,
            *(one.tobytes() for one in _blocks(state)),
            *(state.action.floats[:, row].tobytes() for _, row in self._takes_notice),
        )
        if key not in self._kept:
            if len(self._kept) >= _MAX_KEPT:
                self._kept.clear()
            try:
                self._kept[key] = self._write(state)
            except NotQuietError:
                self._kept[key] = None
        return self._kept[key]

    def _write(self, state: StoryboardState) -> _Tables:
        """Write the tables for a state.

        Raises:
            NotQuietError: something is not known to the kernels, or this tick changes an element.
        """
        program = self._program
        _refuse_unknown(program, state)
        frame = StoryboardFrame(program, state, 0, 0.0)
        writer = QuietWriter(program)
        for trigger in (program.failure, program.success, program.stop):
            watch_trigger(writer, trigger)
        if program.stop is None and all(frame.element[one].state == ElementState.COMPLETE for one in program.stories):
            raise NotQuietError
        for number in program.stories:
            _watch_element(writer, frame, number)
        for action in program.init:
            _run_rows(writer, frame, action)
        for number in program.stories:
            _run_element(writer, frame, number)
        floats, ints = writer.finish()
        given, asked = np.zeros((2, max(len(writer.given), 1))), []
        for at, number in enumerate(writer.given):
            measure = program.conditions[number].measure
            if isinstance(measure, _CONSTANT):
                given[:, at] = measure.met(frame, number)
            else:
                asked.append((at, number))
        given.flags.writeable = False
        return _Tables(floats, ints, tuple(asked), given, next_change(frame), bool(writer.watches), bool(writer.runs))


def _actions(program: Program) -> list[ActorAction]:
    return [*program.init, *(one.action for one in program.elements if one.action is not None)]


def _blocks(state: StoryboardState) -> tuple[np.ndarray, ...]:
    """What may change by an element or from outside, and is part of what the tables hold."""
    return (state.variable.floats, state.variable.ints, state.signal.ints, state.text)


def _refuse_unknown(program: Program, state: StoryboardState) -> None:
    """Leave to the engine what the kernels do not do."""
    if state.ended != NEVER:
        raise NotQuietError


def _watch_element(writer: QuietWriter, frame: StoryboardFrame, number: int) -> None:
    """Write the triggers of an element and of all below it that are looked at now."""
    plan, state = frame.program.elements[number], frame.element[number].state
    if state == ElementState.RUNNING:
        watch_trigger(writer, plan.stop)
        for child in plan.children:
            _watch_element(writer, frame, child)
    elif state == ElementState.STANDBY:
        if plan.start is None or not plan.start.groups:
            raise NotQuietError
        watch_trigger(writer, plan.start)


def _run_element(writer: QuietWriter, frame: StoryboardFrame, number: int) -> None:
    """Write the running actions below an element."""
    plan: Element = frame.program.elements[number]
    if frame.element[number].state != ElementState.RUNNING:
        return
    if plan.kind is not ElementKind.ACTION:
        for child in plan.children:
            _run_element(writer, frame, child)
        return
    assert plan.action is not None
    rows = range(plan.action.first_row, plan.action.first_row + len(plan.action.entities))
    if all(frame.action[row].state == ElementState.COMPLETE for row in rows):
        raise NotQuietError
    _run_rows(writer, frame, plan.action)


def _run_rows(writer: QuietWriter, frame: StoryboardFrame, action: ActorAction) -> None:
    for at in range(len(action.entities)):
        row = frame.action[action.first_row + at]
        if row.state == ElementState.RUNNING:
            run_action(writer, action, at, row.memory)
