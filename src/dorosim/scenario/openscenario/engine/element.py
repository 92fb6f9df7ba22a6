"""The state machine of storyboard elements (ASAM OpenSCENARIO XML 1.3, 8.2 to 8.4)."""

from __future__ import annotations

from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.mover import is_driven, report_driven
from dorosim.scenario.openscenario.engine.order import enter_order, leave_order
from dorosim.scenario.openscenario.engine.program import ActorAction, Domain, Element, ElementKind, EventPriority
from dorosim.scenario.openscenario.engine.rows import ActionRow
from dorosim.scenario.openscenario.engine.trigger import forget, is_met, triggering_entities
from dorosim.world.storyboard.report import ElementTransition
from dorosim.world.storyboard.state import ElementState, Transition

IDLE, STANDBY, RUNNING, COMPLETE = (int(one) for one in ElementState)
_REPEATED = (ElementKind.MANEUVER_GROUP, ElementKind.EVENT)
_SERIAL = {Transition.START: "started", Transition.END: "ended", Transition.STOP: "stopped", Transition.SKIP: "skipped"}


def look(frame: StoryboardFrame, number: int) -> None:
    """Look at the triggers of an element and of all below it: first stop, then start.

    A start trigger without conditions is met at once.
    """
    plan, row = frame.program.elements[number], frame.element[number]
    if row.state == RUNNING and plan.stop is not None and is_met(frame, plan.stop):
        stop(frame, number)
    if row.state == STANDBY and (plan.start is None or not plan.start.groups or is_met(frame, plan.start)):
        start(frame, number)
    if row.state == RUNNING:
        for child in plan.children:
            look(frame, child)


def step(frame: StoryboardFrame, number: int) -> None:
    """Let the running actions below an element go on for a tick."""
    plan = frame.program.elements[number]
    if frame.element[number].state != RUNNING:
        return
    if plan.kind is ElementKind.ACTION:
        _step_action(frame, number, plan)
        return
    for child in plan.children:
        step(frame, child)


def begin(frame: StoryboardFrame, number: int) -> None:
    """An element whose parent has started: it waits for its trigger, or starts."""
    plan = frame.program.elements[number]
    if plan.start is not None:
        _change(frame, number, Transition.NONE, STANDBY)
    else:
        start(frame, number)


def start(frame: StoryboardFrame, number: int) -> None:
    """Start an element, and begin what is below it."""
    plan = frame.program.elements[number]
    if plan.kind is ElementKind.EVENT:
        _start_event(frame, number, plan)
        return
    _change(frame, number, Transition.START, RUNNING)
    for child in plan.children:
        begin(frame, child)
    _end_if_done(frame, number)


def stop(frame: StoryboardFrame, number: int) -> None:
    """Stop an element and all below it: it is complete, however often it may run."""
    plan, row = frame.program.elements[number], frame.element[number]
    waits_or_runs = row.state in (STANDBY, RUNNING)
    _stop_all(frame, number)
    if waits_or_runs:
        _tell_parent(frame, plan)


def _stop_all(frame: StoryboardFrame, number: int) -> None:
    """Stop what is below an element, then itself; so no element ends because all in it has been stopped."""
    plan, row = frame.program.elements[number], frame.element[number]
    for child in plan.children:
        if frame.element[child].state in (STANDBY, RUNNING):
            _stop_all(frame, child)
    if plan.kind is ElementKind.ACTION:
        _stop_rows(frame, plan)
    if row.state in (STANDBY, RUNNING):
        _change(frame, number, Transition.STOP, COMPLETE)


def end(frame: StoryboardFrame, number: int) -> None:
    """End an element that is done: it waits for its next run, or is complete."""
    plan, row = frame.program.elements[number], frame.element[number]
    if row.state not in (STANDBY, RUNNING):
        return
    if plan.kind in _REPEATED and row.executions < plan.max_executions:
        if plan.start is not None:
            forget(frame, plan.start)
        _change(frame, number, Transition.END, STANDBY)
        for child in plan.children:
            _reset(frame, child)
    else:
        _change(frame, number, Transition.END, COMPLETE)
    _tell_parent(frame, plan)


def _change(frame: StoryboardFrame, number: int, transition: Transition, state: int) -> None:
    """Bring an element into a state."""
    row = frame.element[number]
    row.state, row.transition, row.changed = state, int(transition), frame.time
    if transition is not Transition.NONE:
        frame.transitions += 1
        setattr(row, _SERIAL[transition], frame.transitions)
        if transition is Transition.START:
            row.executions += 1
    frame.happened.append(ElementTransition(number, transition, state))


def _reset(frame: StoryboardFrame, number: int) -> None:
    """Bring an element and all below it back to before its first run."""
    plan, row = frame.program.elements[number], frame.element[number]
    row.state, row.executions = IDLE, 0
    for one in (plan.start, plan.stop):
        if one is not None:
            forget(frame, one)
    for child in plan.children:
        _reset(frame, child)


def _tell_parent(frame: StoryboardFrame, plan: Element) -> None:
    """End the parent if all of its children are complete."""
    if plan.parent >= 0:
        _end_if_done(frame, plan.parent)


def _end_if_done(frame: StoryboardFrame, number: int) -> None:
    plan = frame.program.elements[number]
    if plan.kind is ElementKind.ACTION or frame.element[number].state != RUNNING:
        return
    if not plan.children and plan.kind is not ElementKind.EVENT:
        return  # nothing in it could end it: it runs until it is stopped
    if all(frame.element[child].state == COMPLETE for child in plan.children):
        end(frame, number)


def _start_event(frame: StoryboardFrame, number: int, plan: Element) -> None:
    """Start an event as its priority has it (1.3, 8.4.2.2), and its actions."""
    others = [
        one
        for one in frame.program.elements[plan.parent].children
        if one != number and frame.element[one].state == RUNNING
    ]
    if plan.priority is EventPriority.SKIP and others:
        row = frame.element[number]
        row.executions += 1
        spent = row.executions >= plan.max_executions
        _change(frame, number, Transition.SKIP, COMPLETE if spent else STANDBY)
        if spent:
            _tell_parent(frame, plan)
        return
    if plan.priority is EventPriority.OVERRIDE:
        for one in others:
            stop(frame, one)
    _change(frame, number, Transition.START, RUNNING)
    for child in plan.children:
        _start_action(frame, child, plan)
    _end_if_done(frame, number)


def _actors(frame: StoryboardFrame, event: Element) -> tuple[int, ...]:
    """The entities that do the actions of an event."""
    group = frame.program.elements[frame.program.elements[event.parent].parent]
    if not group.chooses:
        return group.actors
    chosen = [] if event.start is None else triggering_entities(frame, event.start)
    act = frame.program.elements[group.parent]
    if not chosen and act.start is not None:
        chosen = triggering_entities(frame, act.start)
    return tuple(dict.fromkeys((*group.actors, *chosen)))


def _start_action(frame: StoryboardFrame, number: int, event: Element) -> None:
    """Start an action for all of its actors; what runs in its domains for them ends.

    One that is done at once ends with this tick, and triggers see that in the next one.
    """
    plan = frame.program.elements[number]
    assert plan.action is not None
    one = plan.action
    actors = (-1,) if one.entities == (-1,) else _actors(frame, event)
    _change(frame, number, Transition.START, RUNNING)
    for at, entity in enumerate(one.entities):
        row = frame.action[one.first_row + at]
        row.state = COMPLETE
        if entity not in actors:
            continue
        if entity >= 0:
            if not frame.present(entity) or frame.program.entities[entity].stays:
                continue
            if is_driven(frame, entity, one.plan):
                report_driven(frame, entity, one)
                continue
            take_over(frame, entity, one.plan.domain, one.first_row + at)
        row.state, row.phase, row.since = RUNNING, 0, frame.time
        row.memory = [0.0] * len(row.memory)
        start_row(frame, one, entity, row)


def start_row(frame: StoryboardFrame, one: ActorAction, entity: int, row: ActionRow) -> None:
    """Start an action of an actor; it may be done at once."""
    own = enter_order(frame, entity)
    one.plan.start(frame, entity, row)
    if row.state == COMPLETE:
        one.plan.stop(frame, entity, row)
    leave_order(frame, entity, own)


def take_over(frame: StoryboardFrame, entity: int, domain: Domain, besides: int) -> None:
    """End what runs in a domain for an entity, init actions too."""
    if domain is Domain.NONE:
        return
    for one in frame.program.init:
        for at, other in enumerate(one.entities):
            if other == entity and one.first_row + at != besides and one.plan.domain & domain:
                _stop_row(frame, one.first_row + at, entity, one)
    for number, plan in enumerate(frame.program.elements):
        action = plan.action
        if action is None or frame.element[number].state != RUNNING or not action.plan.domain & domain:
            continue
        hit = False
        for at, other in enumerate(action.entities):
            if other == entity and action.first_row + at != besides:
                hit |= _stop_row(frame, action.first_row + at, entity, action)
        if hit and all(frame.action[action.first_row + at].state != RUNNING for at in range(len(action.entities))):
            _change(frame, number, Transition.STOP, COMPLETE)
            _tell_parent(frame, plan)


def _stop_row(frame: StoryboardFrame, number: int, entity: int, action: ActorAction) -> bool:
    """Stop an action of an actor; returns whether it ran."""
    row = frame.action[number]
    if row.state != RUNNING:
        return False
    row.state = COMPLETE
    own = enter_order(frame, entity)
    action.plan.stop(frame, entity, row)
    leave_order(frame, entity, own)
    return True


def _stop_rows(frame: StoryboardFrame, plan: Element) -> None:
    """Stop an action for all of its actors."""
    assert plan.action is not None
    for at, entity in enumerate(plan.action.entities):
        _stop_row(frame, plan.action.first_row + at, entity, plan.action)


def _step_action(frame: StoryboardFrame, number: int, plan: Element) -> None:
    """Let an action go on for all of its actors."""
    assert plan.action is not None
    advance_action(frame, plan.action)
    _end_action_if_done(frame, number, plan)


def advance_action(frame: StoryboardFrame, one: ActorAction) -> None:
    """Let an action go on for all of its actors for which it runs."""
    for at, entity in enumerate(one.entities):
        row = frame.action[one.first_row + at]
        if row.state != RUNNING:
            continue
        own = enter_order(frame, entity)
        if entity >= 0 and not frame.present(entity):
            row.finish()
        else:
            one.plan.advance(frame, entity, row)
        if row.state == COMPLETE:
            one.plan.stop(frame, entity, row)
        leave_order(frame, entity, own)


def _end_action_if_done(frame: StoryboardFrame, number: int, plan: Element) -> None:
    assert plan.action is not None
    rows = range(plan.action.first_row, plan.action.first_row + len(plan.action.entities))
    if frame.element[number].state == RUNNING and all(frame.action[row].state == COMPLETE for row in rows):
        end(frame, number)
