"""What can be asked of the lights, and what it does.

These commands have no actor: they name a light or a controller by its row in the map (`SignalPlan.light_row`,
`SignalPlan.controller_row`). Each effect takes the present state and returns the next one, whose arrays are
read-only, with why the command is refused, or an empty string; a refused command changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from dorosim.ground.column import IntArray
from dorosim.road.signal import Lamp, PedestrianPhase, ProgrammeState, lamps_from_colour
from dorosim.world.signal.signal_program import SECOND, Programme, programme_from_states, walk_from_phases
from dorosim.world.signal.state import NO_LAMP, SignalState
from dorosim.world.signal.update import SignalPlan

MOST_STATES = 64
"""States that a programme has at most."""
LONGEST = 86_400.0
"""A state lasts a day at most [s]."""
SHORTEST_SET = 0.1
"""A state that a command sets lasts at least this long before its yellow [s]."""
LAMPS = int(sum(Lamp))
"""All lamps of the documents together."""


class SignalCommand(msgspec.Struct, frozen=True, tag=True):
    """A command to the lights; it has no actor."""


class SetLight(SignalCommand, frozen=True, tag=True):
    """Sets the lamps of a light, or gives it back to its programme.

    Attributes:
        light: row of the light in the map.
        lamps: a sum of `Lamp`; NO_LAMP (-1) gives the light back (design/seams.md, Codes).
        once: only until the programme's next state (gRPC page, is_impulse). A light without a programme keeps it.
        siblings: also the other heads on the same entry road (gRPC page, set_sibling).
    """

    light: int
    lamps: int
    once: bool = False
    siblings: bool = False


class SetIntersection(SignalCommand, frozen=True, tag=True):
    """Sets the state of a controller's programme, which goes on from there.

    Attributes:
        controller: row of the controller in the map.
        state: index of the state.
        elapsed: how long the state has lasted already [s]; as long as it lasts, or longer, means its end, so the next
            one follows with the next tick.
    """

    controller: int
    state: int
    elapsed: float = 0.0


class TimedColours(msgspec.Struct, frozen=True):
    """A state of a schedule: its duration before the yellow [s] and the colour of each group."""

    duration: float
    colours: tuple[str, ...]


class SetSchedule(SignalCommand, frozen=True, tag=True):
    """Changes the programme of a controller, which starts again with its first state.

    Attributes:
        controller: row of the controller in the map.
        states: the states in order; empty keeps the present ones.
        yellow: yellow after each state [s]; empty keeps the present ones, or means none if the number of states
            changes.
        pedestrian: times for pedestrians; None keeps the present ones, or means none if the states change.
    """

    controller: int
    states: tuple[TimedColours, ...] = ()
    yellow: tuple[float, ...] = ()
    pedestrian: tuple[PedestrianPhase, ...] | None = None


Answer = tuple[SignalState, str]


def apply_signal_command(plan: SignalPlan, now: SignalState, command: SignalCommand) -> Answer:
    """The lights after any command of this module, and why it was refused, or an empty string."""
    return _EFFECTS[type(command)](plan, now, command)


def set_light(plan: SignalPlan, now: SignalState, command: SetLight) -> Answer:
    """Set lamps, or give a light back.

    Siblings show what they have of the lamps, and stay as they are if that is nothing.
    """
    if not 0 <= command.light < len(plan.ids):
        return now, f"the map has no light {command.light}"
    if command.lamps != NO_LAMP and (command.lamps <= 0 or command.lamps & ~LAMPS):
        return now, f"{command.lamps} is no sum of lamps; {', '.join(f'{int(lamp)} {lamp.name}' for lamp in Lamp)}"
    if command.lamps != NO_LAMP and command.lamps & ~int(plan.lamps[command.light]):
        return now, _without_lamps(plan, command.light, command.lamps)
    rows = np.array(plan.siblings[command.light] if command.siblings else (command.light,))
    lamps = np.full(len(rows), NO_LAMP, np.int64)
    if command.lamps != NO_LAMP:
        lamps = plan.lamps[rows] & command.lamps
        rows, lamps = rows[lamps != 0], lamps[lamps != 0]
    light = now.light.copy()
    light.command[rows] = lamps
    light.once[rows] = int(command.once and command.lamps != NO_LAMP)
    return plan.show(now.controller.copy(), light, now.programme).freeze(), ""


def _without_lamps(plan: SignalPlan, row: int, lamps: int) -> str:
    """The refusal for a light that lacks some lamps, with the lamps that it has."""
    missing, has = (
        ", ".join(f"{int(lamp)} {lamp.name}" for lamp in Lamp if lamp & some)
        for some in (lamps & ~int(plan.lamps[row]), int(plan.lamps[row]))
    )
    return f"traffic light {plan.ids[row]} has no lamp {missing}; it has {has}"


def set_intersection(plan: SignalPlan, now: SignalState, command: SetIntersection) -> Answer:
    """Set the state of a programme; commands "for once" at its lights end, since this is the next state."""
    row, state = command.controller, command.state
    problem = _no_programme(plan, now, row)
    if problem:
        return now, problem
    if not 0 <= state < now.programme.count[row]:
        return now, f"controller {plan.controller_ids[row]} has states 0 to {now.programme.count[row] - 1}, not {state}"
    if not command.elapsed >= 0.0:
        return now, f"{command.elapsed:g} s of a state cannot have passed"
    duration = int(now.programme.duration[row, state])
    passed = round(min(command.elapsed, duration / SECOND) * SECOND)
    controller = now.controller.copy()
    controller.state[row] = state
    controller.remaining[row] = max(duration - passed, 1)
    light = plan.without_passing(now.light, np.array([row]))
    return plan.show(controller, light, now.programme).freeze(), ""


def set_schedule(plan: SignalPlan, now: SignalState, command: SetSchedule) -> Answer:
    """Change a programme; it starts again, and commands "for once" at its lights end."""
    row = command.controller
    if not 0 <= row < len(plan.groups):
        return now, f"the map has no controller {row}"
    groups = int(plan.groups[row])
    present = now.programme.of(row, groups)
    problem = _problem_with_states(command, groups, len(present.duration))
    if problem:
        return now, problem
    programme = _changed(present, command)
    if command.pedestrian is not None:
        problem = _problem_with_phases(command.pedestrian, programme)
        if problem:
            return now, problem
        walk = walk_from_phases(command.pedestrian, len(programme.duration), groups)
        programme = programme._replace(walk=walk)
    table = now.programme.with_programme(row, programme)
    controller = now.controller.copy()
    controller.state[row], controller.remaining[row] = 0, table.duration[row, 0]
    light = plan.without_passing(now.light, np.array([row]))
    return plan.show(controller, light, table).freeze(), ""


def _no_programme(plan: SignalPlan, now: SignalState, row: int) -> str:
    """Why a controller cannot be set, or an empty string."""
    if not 0 <= row < len(plan.groups):
        return f"the map has no controller {row}"
    return "" if now.programme.count[row] else f"controller {plan.controller_ids[row]} has no programme"


def _problem_with_states(command: SetSchedule, groups: int, present: int) -> str:
    """What is wrong with states and yellows, or an empty string."""
    count = len(command.states) or present
    if not 0 < count <= MOST_STATES:
        return f"a programme has 1 to {MOST_STATES} states, not {count}"
    if len(command.yellow) not in {0, count}:
        return f"{len(command.yellow)} yellow durations for {count} states"
    for number, state in enumerate(command.states):
        if not SHORTEST_SET <= state.duration <= LONGEST:
            return f"state {number}: a state lasts {SHORTEST_SET} to {LONGEST:g} s, not {state.duration:g}"
        if len(state.colours) != groups:
            return f"state {number}: {len(state.colours)} colours for {groups} groups"
        unknown = [colour for colour in state.colours if lamps_from_colour(colour) is None]
        if unknown:
            return f"state {number}: no colour is called {unknown[0]!r}; colours are R, Y, SG, G_with_GLeft, ..."
    for number, yellow in enumerate(command.yellow):
        if not 0.0 <= yellow <= LONGEST:
            return f"yellow {number}: it lasts 0 to {LONGEST:g} s, not {yellow:g}"
    return ""


def _changed(present: Programme, command: SetSchedule) -> Programme:
    """The programme with the states and yellows of a command, and the times for pedestrians that still fit."""
    yellow = command.yellow
    if not yellow:
        same = not command.states or len(command.states) == len(present.yellow)
        yellow = tuple((present.yellow / SECOND).tolist()) if same else (0.0,) * len(command.states)
    if command.states:
        states = [
            ProgrammeState(state.duration, after, state.colours)
            for state, after in zip(command.states, yellow, strict=True)
        ]
        shape = (len(states), present.lamps.shape[1], 3)
        return programme_from_states(states, np.zeros(shape, np.int64))
    amber: IntArray = np.array([round(one * SECOND) for one in yellow], np.int64)
    return present._replace(duration=present.duration - present.yellow + amber, yellow=amber)


def _problem_with_phases(phases: Sequence[PedestrianPhase], programme: Programme) -> str:
    """What is wrong with the times for pedestrians, or an empty string."""
    states, groups = programme.lamps.shape
    for number, phase in enumerate(phases):
        place = f"pedestrian row {number}"
        if not (0 <= phase.state < states and 0 <= phase.group < groups):
            return f"{place}: state {phase.state}, group {phase.group}; there are {states} states and {groups} groups"
        times = (phase.before, phase.green, phase.flicker)
        if not all(math.isfinite(time) and time >= 0.0 for time in times) or phase.green <= 0.0:
            return f"{place}: green is more than 0 s, before and flicker are 0 s or more, not {times}"
        if sum(times) * SECOND > programme.duration[phase.state]:
            return f"{place}: {sum(times):g} s do not fit into state {phase.state}"
    return ""


_EFFECTS: dict[type[Any], Callable[[SignalPlan, SignalState, Any], Answer]] = {
    SetLight: set_light,
    SetIntersection: set_intersection,
    SetSchedule: set_schedule,
}
