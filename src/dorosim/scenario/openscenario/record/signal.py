"""Traffic lights and their programmes."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.table import (
    OscRecord,
    attribute,
    child,
    children,
    choice,
    sequence,
    unordered,
)


@sequence()
class TrafficSignals(OscRecord):
    """All controllers of traffic lights of a scenario."""

    traffic_signal_controllers: tuple[TrafficSignalController, ...] = children("TrafficSignalController", default=())


@sequence()
class TrafficSignalController(OscRecord):
    """A controller of traffic lights."""

    delay: float | None = attribute("time after the controller that it follows [s]", default=None)
    name: str = attribute("name")
    reference: str | None = attribute("name of the controller that it follows", default=None)
    phases: tuple[Phase, ...] = children("Phase", default=())


@sequence()
class Phase(OscRecord):
    """A phase of a programme."""

    duration: float = attribute("[s]")
    name: str = attribute("name")
    traffic_signal_states: tuple[TrafficSignalState, ...] = children("TrafficSignalState", default=())
    traffice_signal_group_state: TrafficSignalGroupState | None = child(default=None, since="1.2", until="1.2")
    traffic_signal_group_state: TrafficSignalGroupState | None = child(default=None, since="1.3")


@sequence()
class TrafficSignalState(OscRecord):
    """The state of one light in a phase."""

    state: str = attribute("state, in the words of the map")
    traffic_signal_id: str = attribute("id of the light")


@sequence(since="1.2")
class TrafficSignalGroupState(OscRecord):
    """The state of all lights of a phase."""

    state: str = attribute("state, in the words of the map")


@unordered()
class InfrastructureAction(OscRecord):
    """An action on what stands beside the road."""

    traffic_signal_action: TrafficSignalAction = child()


@choice(choice_required="1.3")
class TrafficSignalAction(OscRecord):
    """An action on traffic lights."""

    traffic_signal_controller_action: TrafficSignalControllerAction | None = child(default=None)
    traffic_signal_state_action: TrafficSignalStateAction | None = child(default=None)


@sequence()
class TrafficSignalControllerAction(OscRecord):
    """Put a controller into a phase."""

    phase: str = attribute("name of the phase")
    traffic_signal_controller_ref: str = attribute("name of the controller")


@sequence()
class TrafficSignalStateAction(OscRecord):
    """Put a light into a state."""

    name: str = attribute("id of the light")
    state: str = attribute("state, in the words of the map")
