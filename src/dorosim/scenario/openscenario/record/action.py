"""An action, whatever it does."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.appearance import AppearanceAction
from dorosim.scenario.openscenario.record.control import ActivateControllerAction, ControllerAction
from dorosim.scenario.openscenario.record.global_action import (
    EntityAction,
    EnvironmentAction,
    ParameterAction,
    SetMonitorAction,
    VariableAction,
)
from dorosim.scenario.openscenario.record.motion import LateralAction, LongitudinalAction
from dorosim.scenario.openscenario.record.routing import (
    RoutingAction,
    SynchronizeAction,
    TeleportAction,
    VisibilityAction,
)
from dorosim.scenario.openscenario.record.signal import InfrastructureAction
from dorosim.scenario.openscenario.record.table import OscRecord, attribute, child, choice, sequence, text
from dorosim.scenario.openscenario.record.traffic import TrafficAction


@choice(choice_required="1.3")
class Action(OscRecord):
    """A named action."""

    name: str = attribute("name", assumed="")
    global_action: GlobalAction | None = child(default=None)
    user_defined_action: UserDefinedAction | None = child(default=None)
    private_action: PrivateAction | None = child(default=None)


@choice(choice_required="1.3")
class GlobalAction(OscRecord):
    """An action that belongs to no entity."""

    environment_action: EnvironmentAction | None = child(default=None)
    entity_action: EntityAction | None = child(default=None)
    infrastructure_action: InfrastructureAction | None = child(default=None)
    set_monitor_action: SetMonitorAction | None = child(default=None, since="1.3")
    parameter_action: ParameterAction | None = child(default=None, deprecated="1.2")
    traffic_action: TrafficAction | None = child(default=None)
    variable_action: VariableAction | None = child(default=None, since="1.2")


@choice(choice_required="1.3")
class PrivateAction(OscRecord):
    """An action of an entity."""

    longitudinal_action: LongitudinalAction | None = child(default=None)
    lateral_action: LateralAction | None = child(default=None)
    visibility_action: VisibilityAction | None = child(default=None)
    synchronize_action: SynchronizeAction | None = child(default=None)
    activate_controller_action: ActivateControllerAction | None = child(default=None, deprecated="1.1")
    controller_action: ControllerAction | None = child(default=None)
    teleport_action: TeleportAction | None = child(default=None)
    routing_action: RoutingAction | None = child(default=None)
    appearance_action: AppearanceAction | None = child(default=None, since="1.2")
    trailer_action: TrailerAction | None = child(default=None, since="1.3")


@sequence()
class UserDefinedAction(OscRecord):
    """An action that the standard does not define."""

    custom_command_action: CustomCommandAction = child()


@sequence()
class CustomCommandAction(OscRecord):
    """A command to the simulator."""

    type: str = attribute("type of the command")
    content: str = text("the command", default="")


@choice(since="1.3")
class TrailerAction(OscRecord):
    """Take a trailer, or leave it."""

    connect_trailer_action: ConnectTrailerAction | None = child(default=None)
    disconnect_trailer_action: DisconnectTrailerAction | None = child(default=None)


@sequence(since="1.3")
class ConnectTrailerAction(OscRecord):
    """Take a trailer."""

    trailer_ref: str = attribute("name of the trailer")


@sequence(since="1.3")
class DisconnectTrailerAction(OscRecord):
    """Leave the trailer."""
