"""The controllers that the entities of a scenario can have (ASAM OpenSCENARIO XML 1.3, ObjectController)."""

from __future__ import annotations

from typing import Any

from dorosim.scenario.openscenario.engine.program import ControlDomain, ObjectControllerPlan
from dorosim.scenario.openscenario.record.control import AssignControllerAction
from dorosim.scenario.openscenario.record.controller import Controller, ControllerType, ObjectController
from dorosim.scenario.openscenario.record.table import OscRecord
from dorosim.scenario.openscenario.reference_check import walk

MAX_CONTROLLERS = 62
"""As many bits as a number of a table has for them."""
_MOVEMENT = ControlDomain.LATERAL | ControlDomain.LONGITUDINAL
_APPEARANCE = ControlDomain.LIGHTING | ControlDomain.ANIMATION
_DOMAINS = {
    None: _MOVEMENT | _APPEARANCE,
    ControllerType.ALL: _MOVEMENT | _APPEARANCE,
    ControllerType.MOVEMENT: _MOVEMENT,
    ControllerType.APPEARANCE: _APPEARANCE,
    ControllerType.LATERAL: ControlDomain.LATERAL,
    ControllerType.LONGITUDINAL: ControlDomain.LONGITUDINAL,
    ControllerType.LIGHTING: ControlDomain.LIGHTING,
    ControllerType.ANIMATION: ControlDomain.ANIMATION,
}


class ControllerList:
    """The controllers of a scenario while it is made ready, in the order in which they are met.

    Attributes:
        plans: those found so far.
    """

    def __init__(self) -> None:
        self.plans: list[ObjectControllerPlan] = []

    def add(self, one: ObjectController) -> int:
        """The number of a controller, -1 where there is none, or too many; equal ones have one number."""
        found: Any = one.chosen
        found = getattr(found, "target", found)
        if not isinstance(found, Controller):
            return -1
        properties = () if found.properties is None else found.properties.properties
        plan = ObjectControllerPlan(
            name=one.name or found.name,
            domains=_DOMAINS[found.controller_type],
            properties=tuple((each.name, each.value) for each in properties),
        )
        if plan not in self.plans:
            if len(self.plans) == MAX_CONTROLLERS:
                return -1
            self.plans.append(plan)
        return self.plans.index(plan)

    def add_all(self, storyboard: OscRecord) -> None:
        """Add those of all actions, so that an action may name one that is assigned later in the file."""
        for one in walk(storyboard):
            if isinstance(one, AssignControllerAction) and one.object_controller is not None:
                self.add(one.object_controller)
