"""Controllers of traffic lights that a file declares, made ready."""

from __future__ import annotations

from dorosim.scenario.openscenario.engine.names import ScenarioNames
from dorosim.scenario.openscenario.engine.program import ControllerPlan, PhasePlan
from dorosim.scenario.openscenario.record.signal import TrafficSignalController, TrafficSignals


def controllers_of(names: ScenarioNames, signals: TrafficSignals | None) -> tuple[ControllerPlan, ...]:
    """The controllers of lights.

    Raises:
        InputError: one follows a controller that there is not.
    """
    declared = () if signals is None else signals.traffic_signal_controllers
    numbers = {one.name: at for at, one in enumerate(declared)}
    found = []
    for one in declared:
        reference = -1
        if one.reference:
            if one.reference not in numbers:
                raise names.refuse(one, f"there is no controller {one.reference!r} to follow", "declare it")
            reference = numbers[one.reference]
        found.append(
            ControllerPlan(
                name=one.name,
                phases=_phases(names, one),
                reference=reference,
                delay=round((one.delay or 0.0) * 1e9),
            )
        )
    return tuple(found)


def _phases(names: ScenarioNames, one: TrafficSignalController) -> tuple[PhasePlan, ...]:
    """The phases of a controller.

    The state of a group is that of all lights of the controller: those that its phases name, and those that the map
    gives to the controller of its name. A state of a single light counts before that of its group.
    """
    group = [each.traffic_signal_id for phase in one.phases for each in phase.traffic_signal_states]
    if names.roads is not None:
        group += names.roads.controllers.get(one.name, ())
    phases = []
    for phase in one.phases:
        states: dict[str, str] = {}
        if phase.traffic_signal_group_state is not None:
            if not group:
                names.note(phase, f"controller {one.name!r} has no lights: neither its phases nor the map name some")
            states = dict.fromkeys(group, phase.traffic_signal_group_state.state)
        states.update({each.traffic_signal_id: each.state for each in phase.traffic_signal_states})
        phases.append(
            PhasePlan(
                name=phase.name,
                duration=round(phase.duration * 1e9),
                states=tuple((names.signal(light), state) for light, state in states.items()),
            )
        )
    return tuple(phases)
