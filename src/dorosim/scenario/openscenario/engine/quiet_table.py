"""What is looked at and what runs in the ticks after a state, as tables for kernels, until an element changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.scenario.openscenario.engine.condition import value as by_value
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import ActorAction, ElementKind, Program, Use
from dorosim.scenario.openscenario.engine.quiet_action import run_action
from dorosim.scenario.openscenario.engine.quiet_condition import watch_trigger
from dorosim.scenario.openscenario.engine.quiet_writer import NotQuietError, QuietWriter
from dorosim.scenario.openscenario.engine.signals import next_change
from dorosim.world.storyboard.control_state import LampMode, LightTable
from dorosim.world.storyboard.mover import Mover
from dorosim.world.storyboard.quiet_block_kernel import BlockEntry
from dorosim.world.storyboard.state import NEVER, ElementState, StoryboardState

_CONSTANT = (by_value.VariableIs, by_value.SignalIs, by_value.OutsideValueIs, by_value.NeverMet)
"""Conditions whose value only an element or someone outside can change."""
_KNOWN_USES = frozenset({Use.OVERRIDE, Use.TRAILER, Use.APPEARANCE, Use.ENVIRONMENT, Use.TRAFFIC, Use.WANDER})
"""What does nothing in a tick while no entity is overridden, towed, animated or wandering."""
_KNOWN_MOVERS = (int(Mover.DEFAULT), int(Mover.DRIVER), int(Mover.EXTERNAL))
"""Who moves entities so that the kernels know it: not tyres, whose commands are others in each tick."""
NO_ROADS = (np.zeros(1), np.zeros(1, np.int64))
"""Tables of the roads of a scenario that has none."""


@dataclass(slots=True, frozen=True, eq=False)
class QuietTable:
    """What the ticks after a state need.

    Attributes:
        floats, ints: of the kernel.
        asked: conditions that the engine measures in each tick: their places in `given`, and their numbers.
        given: what is known of all those that it measures, `(2, N)`.
        until: when lights change by themselves [ns].
        head: what kernels get of these, and room for all else: the numbers of a `BlockEntry`.
    """

    floats: FloatArray
    ints: IntArray
    asked: tuple[tuple[int, int], ...]
    given: FloatArray
    until: int
    head: IntArray


def quiet_table(program: Program, state: StoryboardState) -> QuietTable:
    """Write the table for a state.

    Raises:
        NotQuietError: something is not known to the kernels, or the next tick changes an element for sure.
    """
    _refuse_unknown(program, state)
    frame = StoryboardFrame(program, state, 0, 0.0)
    writer = QuietWriter(program)
    for trigger in (program.failure, program.success, program.stop):
        watch_trigger(writer, trigger)
    if program.stop is None and program.stories:
        _refuse_the_end(frame)
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
    roads = NO_ROADS if program.roads is None else (program.roads.tables.floats, program.roads.tables.ints)
    head = np.zeros(len(BlockEntry), np.int64)
    entries = [(address_of(one), len(one)) for one in (*roads, floats, ints)]
    head[: BlockEntry.MEASURED] = [number for pair in entries for number in pair]
    head[[BlockEntry.MEASURED, BlockEntry.MEASURED_COUNT]] = address_of(given), given.shape[1]
    return QuietTable(floats, ints, tuple(asked), given, next_change(frame), head)


def address_of(array: FloatArray | IntArray) -> int:
    """Where an array lies; the kernel takes it as one piece of memory."""
    assert array.flags.c_contiguous
    found: int = array.__array_interface__["data"][0]
    return found


def _refuse_unknown(program: Program, state: StoryboardState) -> None:
    """Leave to the engine what the kernels do not do.

    Those are overrides, trailers, tyres, used areas, what goes on by itself, and roads whose surface has shapes.

    Raises:
        NotQuietError: there is something of that.
    """
    control, environment = state.control, state.environment
    if (
        state.ended != NEVER
        or program.has_external
        or program.used_area is not None
        or (program.roads is not None and program.roads.has_relief)
        or program.uses - _KNOWN_USES
        or control.overridden.any()
        or control.wanders.any()
        or (control.tractor >= 0).any()
        or state.animation.running.any()
        or not _are_settled(state.light)
        or not set(state.entity.mover.tolist()) <= set(_KNOWN_MOVERS)
        or environment.animation.any()
        or not np.isnan(environment.fog_length).all()
    ):
        raise NotQuietError


def _are_settled(light: LightTable) -> bool:
    """Whether all lights are as bright as they are to be."""
    goal = np.where(light.mode == LampMode.OFF, 0.0, 1.0)
    return bool((light.brightness == light.start + (goal - light.start)).all())


def _refuse_the_end(frame: StoryboardFrame) -> None:
    """A storyboard without a stop trigger ends when all stories have.

    Raises:
        NotQuietError: they have.
    """
    if all(frame.element[one].state == ElementState.COMPLETE for one in frame.program.stories):
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
    plan = frame.program.elements[number]
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
    """Write an action for all entities for which it runs."""
    for at in range(len(action.entities)):
        row = frame.action[action.first_row + at]
        if row.state == ElementState.RUNNING:
            run_action(writer, action, at, row.memory)
