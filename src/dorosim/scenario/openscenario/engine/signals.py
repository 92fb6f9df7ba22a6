"""Traffic lights and controllers that a scenario names (ASAM OpenSCENARIO XML 1.3, 7.4.2.3)."""

from __future__ import annotations

from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import ALWAYS, ControllerPlan
from dorosim.world.storyboard.command import ShowSignal
from dorosim.world.storyboard.state import NEVER


def set_light(frame: StoryboardFrame, signal: int, state: str) -> None:
    """Bring a light into a state."""
    row = frame.signal[signal]
    text = frame.text_row(state)
    if row.state != text:
        row.state, row.since = text, frame.time
        if frame.world is not None:
            frame.commands.append(ShowSignal(frame.program.signals[signal], state))


def light_state(frame: StoryboardFrame, signal: int) -> str:
    """State of a light or name of a controller's phase, "" while it is not known."""
    row = frame.signal[signal].state
    return "" if row < 0 else frame.texts[row]


def set_phase(frame: StoryboardFrame, controller: int, phase: str, since: int) -> None:
    """Bring a controller into a phase, and its lights into the states of that."""
    plan = frame.program.controllers[controller]
    row = frame.signal[len(frame.program.signals) + controller]
    row.state, row.since = frame.text_row(phase), since
    for one in plan.phases:
        if one.name == phase:
            for signal, state in one.states:
                set_light(frame, signal, state)


def step_controllers(frame: StoryboardFrame) -> None:
    """Let the controllers go on to the phases of now."""
    for number, plan in enumerate(frame.program.controllers):
        if not plan.phases:
            continue
        row = frame.signal[len(frame.program.signals) + number]
        if row.state == NEVER:
            start = _start_of(frame, plan)
            if frame.time >= start:
                set_phase(frame, number, plan.phases[0].name, start)
        _next_phases(frame, number, plan)


def _start_of(frame: StoryboardFrame, plan: ControllerPlan) -> int:
    """When a controller starts [ns]: so much after the one that it follows."""
    start, seen = plan.delay, 0
    while plan.reference >= 0 and seen < len(frame.program.controllers):
        plan = frame.program.controllers[plan.reference]
        start += plan.delay
        seen += 1
    return start


def _next_phases(frame: StoryboardFrame, number: int, plan: ControllerPlan) -> None:
    """Go on while the present phase is over; a phase of no duration stays."""
    row = frame.signal[len(frame.program.signals) + number]
    for _ in range(1_000):
        if row.state == NEVER:
            return
        name = frame.texts[row.state]
        at = next((index for index, one in enumerate(plan.phases) if one.name == name), None)
        if at is None or plan.phases[at].duration <= 0 or frame.time < row.since + plan.phases[at].duration:
            return
        set_phase(frame, number, plan.phases[(at + 1) % len(plan.phases)].name, row.since + plan.phases[at].duration)


def next_change(frame: StoryboardFrame) -> int:
    """The time at which a controller comes to its next phase [ns]; `ALWAYS` if none does by itself."""
    times = [ALWAYS]
    for number, plan in enumerate(frame.program.controllers):
        if not plan.phases:
            continue
        row = frame.signal[len(frame.program.signals) + number]
        if row.state == NEVER:
            times.append(_start_of(frame, plan))
            continue
        now = next((one for one in plan.phases if one.name == frame.texts[row.state]), None)
        if now is not None and now.duration > 0:
            times.append(row.since + now.duration)
    return min(times)
