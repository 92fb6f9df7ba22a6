"""A tick of a storyboard: triggers at its start, then what runs goes on for its length, and the entities move.

What starts at t acts on the tick from t on. Triggers see the world at t; an action that is done at the end of a tick
counts for the triggers of the next one.
"""

from __future__ import annotations

from dataclasses import replace

from dorosim.scenario.openscenario.engine.action.environment import step_environment
from dorosim.scenario.openscenario.engine.appearance import step_appearance
from dorosim.scenario.openscenario.engine.control import apply_overrides, controls_before_start
from dorosim.scenario.openscenario.engine.element import (
    COMPLETE,
    RUNNING,
    advance_action,
    begin,
    look,
    start_row,
    step,
    stop,
    take_over,
)
from dorosim.scenario.openscenario.engine.external import mirror_external
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.motion import give_velocities, move_entities, observe
from dorosim.scenario.openscenario.engine.mover import end_driven, leave_to_world, put_teleported
from dorosim.scenario.openscenario.engine.order import (
    begin_orders,
    motion_of_orders,
    move_orders,
    take_init_orders,
)
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.signals import step_controllers
from dorosim.scenario.openscenario.engine.trailer import connect_first, hold_trailers, pull_trailers
from dorosim.scenario.openscenario.engine.trigger import is_met
from dorosim.scenario.openscenario.engine.wander import choose_ways
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.state import (
    NEVER,
    ActionTable,
    ConditionTable,
    ElementTable,
    EntityTable,
    SignalTable,
    StoryboardState,
    VariableTable,
    Verdict,
    packed,
)


def state_before_start(program: Program, started: int) -> StoryboardState:
    """The state of a storyboard that has not started.

    Args:
        program: of the scenario.
        started: simulated time of the run at its start [ns].
    """
    texts: list[str] = []
    variable = VariableTable.zeros(len(program.variables))
    for row, one in enumerate(program.variables):
        if isinstance(one.value, str):
            variable.text[row] = len(texts)
            texts.append(one.value)
        else:
            variable.value[row], variable.text[row] = one.value, NEVER
    condition = ConditionTable.zeros(len(program.conditions))
    condition.seen[:] = NEVER
    entity = EntityTable.zeros(len(program.entities))
    # an entity that has nothing in Init is not in the world until it is added
    entity.present[[one for action in program.init for one in action.entities if one >= 0]] = 1
    for column in (
        entity.road,
        entity.still_since,
        entity.off_road_since,
        entity.end_of_road_since,
        entity.route,
    ):
        column[:] = NEVER
    signal = SignalTable.zeros(len(program.signals) + len(program.controllers))
    signal.state[:] = NEVER
    first, text = packed(texts)
    return replace(
        StoryboardState.empty(),
        started=started,
        element=ElementTable.zeros(len(program.elements)).freeze(),
        condition=condition.freeze(),
        action=ActionTable.zeros(program.action_rows).freeze(),
        entity=entity.freeze(),
        variable=variable.freeze(),
        signal=signal.freeze(),
        control=controls_before_start(program).freeze(),
        text_first=first,
        text=text,
    )


def start_storyboard(program: Program, state: StoryboardState, world: Snapshot | None = None) -> StoryboardFrame:
    """Init actions, and the first look at the triggers, in no time.

    Args:
        program: of the scenario.
        state: of `state_before_start`.
        world: the snapshot before; None where a storyboard runs without a world.
    """
    frame = StoryboardFrame(program, state, 0, 0.0, world)
    connect_first(frame)
    begin_orders(frame)
    step_controllers(frame)
    mirror_external(frame)
    _start_init(frame)
    end_driven(frame)
    take_init_orders(frame)
    give_velocities(frame)
    for number in program.stories:
        begin(frame, number)
    _run(frame)
    return frame


def advance(
    program: Program, state: StoryboardState, now: int, dt: float, world: Snapshot | None = None
) -> StoryboardFrame:
    """The next tick.

    Args:
        program: of the scenario.
        state: the last state.
        now: simulated time of the run [ns].
        dt: length of the tick [s].
        world: the last snapshot; None where a storyboard runs without a world.
    """
    frame = StoryboardFrame(program, state, now - state.started, dt, world)
    leave_to_world(frame)
    begin_orders(frame)
    _run(frame)
    return frame


def _start_init(frame: StoryboardFrame) -> None:
    """Start the init actions in their order."""
    for one in frame.program.init:
        for at, entity in enumerate(one.entities):
            number = one.first_row + at
            row = frame.action[number]
            row.state = RUNNING
            if entity >= 0:
                take_over(frame, entity, one.plan.domain, number)
            start_row(frame, one, entity, row)


def _run(frame: StoryboardFrame) -> None:
    """Triggers, actions, motion."""
    program, count, orders = frame.program, frame.transitions, motion_of_orders(frame)
    before = [
        (one.x, one.y, one.z, one.heading, one.velocity_x, one.velocity_y, one.velocity_z) for one in frame.entity
    ]
    if program.has_external:
        mirror_external(frame)
    _look(frame)
    if not frame.ended:
        if frame.dt:
            step_controllers(frame)
        for one in program.init:
            advance_action(frame, one)
        for number in program.stories:
            step(frame, number)
        apply_overrides(frame)
        hold_trailers(frame)
        choose_ways(frame)
        move_entities(frame)
        move_orders(frame, orders)
        put_teleported(frame)
        pull_trailers(frame)
        step_appearance(frame)
        step_environment(frame)
        observe(frame, before)
        if program.used_area is not None:
            program.used_area.tell(frame, before)
    frame.before = count


def _look(frame: StoryboardFrame) -> None:
    """Look at all triggers; the storyboard's own one first."""
    program = frame.program
    if program.failure is not None and is_met(frame, program.failure):
        frame.verdict, frame.ended = Verdict.FAILURE, "a failure condition is met"
    elif program.success is not None and is_met(frame, program.success):
        frame.verdict, frame.ended = Verdict.SUCCESS, "a success condition is met"
    elif program.stop is not None and is_met(frame, program.stop):
        frame.ended = "the stop trigger is met"
    elif (
        program.stop is None
        and program.stories
        and all(frame.element[one].state == COMPLETE for one in program.stories)
    ):
        frame.ended = "all stories are complete"
    if frame.ended:
        for number in program.stories:
            if frame.element[number].state not in (0, COMPLETE):
                stop(frame, number)
        return
    for number in program.stories:
        look(frame, number)
