"""What commands to the lights do."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.road.signal import Lamp, PedestrianPhase, ProgrammeState, lamps_from_colour
from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene
from dorosim.world.signal.command import SetIntersection, SetLight, SetSchedule
from dorosim.world.signal.signal_program import SECOND, Programme, programme_from_states, walk_from_phases
from dorosim.world.signal.state import NO_LAMP
from dorosim.world.signal.update import SignalPlan

MAX_PROGRAM_STATES = 64
"""States that a programme has at most."""
_MAX_STATE_TIME = 86_400.0
"""A state lasts a day at most [s]."""
MIN_STATE_TIME = 0.1
"""A state that a command sets lasts at least this long before its yellow [s]."""
LAMPS = int(sum(Lamp))
"""All lamps of the documents together."""


def set_light(scene: Scene, draft: Draft, command: SetLight) -> None:
    """Set lamps, or give a light back.

    Siblings show what they have of the lamps, and stay as they are if that is nothing.
    """
    plan, now = scene.signal_plan, draft.signal
    if not 0 <= command.light < len(plan.ids):
        raise CommandError(f"the map has no light {command.light}")
    if command.lamps != NO_LAMP and (command.lamps <= 0 or command.lamps & ~LAMPS):
        raise CommandError(f"{command.lamps} is not a valid sum of lamps; {_names_of(int(sum(Lamp)))}")
    if command.lamps != NO_LAMP and command.lamps & ~int(plan.lamps[command.light]):
        raise CommandError(_missing_lamps(plan, command.light, command.lamps))
    rows = np.array(plan.siblings[command.light] if command.siblings else (command.light,))
    lamps = np.full(len(rows), NO_LAMP, np.int64)
    if command.lamps != NO_LAMP:
        lamps = plan.lamps[rows] & command.lamps
        rows, lamps = rows[lamps != 0], lamps[lamps != 0]
    light = now.light.copy()
    light.command[rows] = lamps
    light.once[rows] = int(command.once and command.lamps != NO_LAMP)
    draft.signal = plan.show(now.controller.copy(), light, now.programme).freeze()


def _missing_lamps(plan: SignalPlan, row: int, lamps: int) -> str:
    """The refusal for a light that lacks some lamps, with the lamps that it has."""
    has = int(plan.lamps[row])
    return f"traffic light {plan.ids[row]} has no lamp {_names_of(lamps & ~has)}; it has {_names_of(has)}"


def _names_of(lamps: int) -> str:
    return ", ".join(f"{int(lamp)} {lamp.name}" for lamp in Lamp if lamp & lamps)


def set_intersection(scene: Scene, draft: Draft, command: SetIntersection) -> None:
    """Set the state of a programme; commands "for once" at its lights end, since this is the next state."""
    plan, now = scene.signal_plan, draft.signal
    row, state = command.controller, command.state
    _check_controller(plan, row)
    name, count = f"controller {plan.controller_ids[row]}", int(now.programme.count[row])
    if not count:
        raise CommandError(f"{name} has no programme")
    if not 0 <= state < count:
        raise CommandError(f"{name} has states 0 to {count - 1}, not {state}")
    if not command.elapsed >= 0.0:
        raise CommandError(f"{command.elapsed:g} s of a state cannot have passed")
    duration = int(now.programme.duration[row, state])
    passed = round(min(command.elapsed, duration / SECOND) * SECOND)
    controller = now.controller.copy()
    controller.state[row] = state
    controller.remaining[row] = max(duration - passed, 1)
    light = plan.without_one_shot_commands(now.light, np.array([row]))
    draft.signal = plan.show(controller, light, now.programme).freeze()


def set_schedule(scene: Scene, draft: Draft, command: SetSchedule) -> None:
    """Change a programme; it starts again, and commands "for once" at its lights end."""
    plan, now = scene.signal_plan, draft.signal
    row = command.controller
    _check_controller(plan, row)
    groups = int(plan.groups[row])
    present = now.programme.of(row, groups)
    _check_states(command, groups, len(present.duration))
    programme = _changed(present, command)
    if command.pedestrian is not None:
        _check_phases(command.pedestrian, programme)
        walk = walk_from_phases(command.pedestrian, len(programme.duration), groups)
        programme = programme._replace(walk=walk)
    table = now.programme.with_programme(row, programme)
    controller = now.controller.copy()
    controller.state[row], controller.remaining[row] = 0, table.duration[row, 0]
    light = plan.without_one_shot_commands(now.light, np.array([row]))
    draft.signal = plan.show(controller, light, table).freeze()


def _check_controller(plan: SignalPlan, row: int) -> None:
    """Why a controller cannot be set, or an empty string."""
    if not 0 <= row < len(plan.groups):
        raise CommandError(f"the map has no controller {row}")


def _check_states(command: SetSchedule, groups: int, present: int) -> None:
    """What is wrong with states and yellows, or an empty string."""
    count = len(command.states) or present
    if not 0 < count <= MAX_PROGRAM_STATES:
        raise CommandError(f"a programme has 1 to {MAX_PROGRAM_STATES} states, not {count}")
    if len(command.yellow) not in {0, count}:
        raise CommandError(f"{len(command.yellow)} yellow durations for {count} states")
    for number, state in enumerate(command.states):
        if not MIN_STATE_TIME <= state.duration <= _MAX_STATE_TIME:
            limits = f"{MIN_STATE_TIME} to {_MAX_STATE_TIME:g} s"
            raise CommandError(f"state {number}: a state lasts {limits}, not {state.duration:g}")
        if len(state.colours) != groups:
            raise CommandError(f"state {number}: {len(state.colours)} colours for {groups} groups")
        unknown = [colour for colour in state.colours if lamps_from_colour(colour) is None]
        if unknown:
            known = "R, Y, SG, G_with_GLeft, ..."
            raise CommandError(f"state {number}: no colour is called {unknown[0]!r}; colours are {known}")
    for number, yellow in enumerate(command.yellow):
        if not 0.0 <= yellow <= _MAX_STATE_TIME:
            raise CommandError(f"yellow {number}: it lasts 0 to {_MAX_STATE_TIME:g} s, not {yellow:g}")


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


def _check_phases(phases: Sequence[PedestrianPhase], programme: Programme) -> None:
    """What is wrong with the times for pedestrians, or an empty string."""
    states, groups = programme.lamps.shape
    for number, phase in enumerate(phases):
        place = f"pedestrian row {number}"
        if not (0 <= phase.state < states and 0 <= phase.group < groups):
            there = f"there are {states} states and {groups} groups"
            raise CommandError(f"{place}: state {phase.state}, group {phase.group}; {there}")
        times = (phase.before, phase.green, phase.flicker)
        if not all(math.isfinite(time) and time >= 0.0 for time in times) or phase.green <= 0.0:
            raise CommandError(f"{place}: green is more than 0 s, before and flicker are 0 s or more, not {times}")
        if sum(times) * SECOND > programme.duration[phase.state]:
            raise CommandError(f"{place}: {sum(times):g} s do not fit into state {phase.state}")
