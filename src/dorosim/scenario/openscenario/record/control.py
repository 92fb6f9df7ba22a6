"""Actions on controllers."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.controller import Controller, ObjectController
from dorosim.scenario.openscenario.record.override import OverrideControllerValueAction
from dorosim.scenario.openscenario.record.reference import CatalogReference
from dorosim.scenario.openscenario.record.table import Content, OscRecord, attribute, child, choice, sequence


@choice(content_before=("1.2", Content.ALL), choice_required="1.3")
class ControllerAction(OscRecord):
    """An action on controllers."""

    assign_controller_action: AssignControllerAction | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    override_controller_value_action: OverrideControllerValueAction | None = child(
        default=None, required=("1.0", "1.0"), assumed=None
    )
    activate_controller_action: ActivateControllerAction | None = child(default=None, since="1.1")


@choice(choice_required="")
class AssignControllerAction(OscRecord):
    """Give an entity a controller."""

    activate_lateral: bool | None = attribute("whether it steers from now on", default=None, since="1.1")
    activate_longitudinal: bool | None = attribute(
        "whether it drives and brakes from now on", default=None, since="1.1"
    )
    activate_animation: bool | None = attribute("whether it animates from now on", default=None, since="1.2")
    activate_lighting: bool | None = attribute("whether it switches lights from now on", default=None, since="1.2")
    controller: Controller | None = child(default=None, deprecated="1.3")
    catalog_reference: CatalogReference | None = child(default=None, deprecated="1.3")
    object_controller: ObjectController | None = child(default=None, since="1.3")


@sequence()
class ActivateControllerAction(OscRecord):
    """Switch a controller on or off."""

    lateral: bool | None = attribute("steering", default=None)
    longitudinal: bool | None = attribute("driving and braking", default=None)
    animation: bool | None = attribute("animation", default=None, since="1.2")
    lighting: bool | None = attribute("lights", default=None, since="1.2")
    controller_ref: str | None = attribute(
        "old name of objectControllerRef", default=None, since="1.2", deprecated="1.3"
    )
    object_controller_ref: str | None = attribute("name of the controller", default=None, since="1.3")
