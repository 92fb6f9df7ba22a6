"""Actions on controllers (ASAM OpenSCENARIO XML 1.3, ControllerAction)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dorosim.scenario.openscenario.engine.action.place_action import AtOnce
from dorosim.scenario.openscenario.engine.control_rows import ControlRow
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.placing import follow_road, is_forward
from dorosim.scenario.openscenario.engine.program import ControlDomain, Domain
from dorosim.scenario.openscenario.engine.rows import ActionRow
from dorosim.world.storyboard.control_state import GearKind, Override, VehicleControl
from dorosim.world.storyboard.state import NEVER

_COLUMNS = {
    ControlDomain.LATERAL: "lateral",
    ControlDomain.LONGITUDINAL: "longitudinal",
    ControlDomain.LIGHTING: "lighting",
    ControlDomain.ANIMATION: "animation",
}


@dataclass(frozen=True, slots=True)
class Activation:
    """What becomes of a controller: domains in which it controls from now on, and in which no longer."""

    on: ControlDomain
    off: ControlDomain

    def apply(self, frame: StoryboardFrame, entity: int, controller: int) -> None:
        """Switch a controller of an entity; where it is switched off the default controller takes over."""
        plan, row = frame.program.object_controllers[controller], frame.control[entity]
        for domain, column in _COLUMNS.items():
            if self.on & domain and plan.domains & domain:
                setattr(row, column, controller)
            elif self.on & domain:
                frame.journal.append(
                    f"{frame.program.entities[entity].name}: controller {plan.name!r} does not control the "
                    f"{column} domain, and is not activated there"
                )
            elif self.off & domain and getattr(row, column) == controller:
                setattr(row, column, NEVER)


@dataclass(frozen=True, slots=True)
class AssignController(AtOnce):
    """Give an entity a controller."""

    controller: int
    activation: Activation
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """The entity has it from now on."""
        frame.control[entity].assigned |= 1 << self.controller
        self.activation.apply(frame, entity, self.controller)
        row.finish()


@dataclass(frozen=True, slots=True)
class ActivateController(AtOnce):
    """Switch a controller on or off; the controller -1 stands for all that the entity has."""

    controller: int
    activation: Activation
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Switch it, if the entity has it."""
        assigned = frame.control[entity].assigned
        count = len(frame.program.object_controllers)
        wanted = range(count) if self.controller < 0 else (self.controller,)
        found = [one for one in wanted if assigned >> one & 1]
        if not found:
            name = "" if self.controller < 0 else f" {frame.program.object_controllers[self.controller].name!r}"
            frame.journal.append(f"{frame.program.entities[entity].name} has no controller{name} to switch")
        for one in found:
            able = frame.program.object_controllers[one].domains if self.controller < 0 else ~ControlDomain(0)
            Activation(self.activation.on & able, self.activation.off).apply(frame, entity, one)
        row.finish()


@dataclass(frozen=True, slots=True)
class ControlValue:
    """What a control is told: the goal, and how fast it may go there (0: at once)."""

    control: VehicleControl
    goal: float
    rate: float = 0.0


@dataclass(frozen=True, slots=True)
class OverrideControls(AtOnce):
    """Override controls, or give them back.

    Attributes:
        taken, given_back: which. values: of those that are taken. gear, gear_kind: where the gear is taken.
        torque: greatest one at the steering wheel [N m], 0: not bound.
    """

    taken: Override
    given_back: Override
    values: tuple[ControlValue, ...] = ()
    gear: int = 0
    gear_kind: GearKind = GearKind.NONE
    torque: float = 0.0
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Keep what is overridden; a control that may change at once has its value at once."""
        control = frame.control[entity]
        for one in self.values:
            control.goal[one.control], control.rate[one.control] = one.goal, one.rate
            if one.rate <= 0.0:
                control.value[one.control] = one.goal
        if self.taken & Override.GEAR:
            control.gear, control.gear_kind = self.gear, int(self.gear_kind)
        if self.taken & Override.STEERING_WHEEL:
            control.torque = self.torque
        control.overridden |= self.taken
        self._give_back(frame, entity, control)
        row.finish()

    def _give_back(self, frame: StoryboardFrame, entity: int, control: ControlRow) -> None:
        """Controls that are given back rest at 0; a body that was steered drives along its lane again."""
        ended = self.given_back & Override(control.overridden)
        for override, controls in CONTROLS_OF.items():
            if ended & override:
                for one in controls:
                    control.value[one] = control.goal[one] = control.rate[one] = 0.0
        if ended & Override.GEAR:
            control.gear, control.gear_kind = 0, int(GearKind.NONE)
        if ended & Override.STEERING_WHEEL:
            control.torque = control.wheel_angle = 0.0
            body, roads = frame.entity[entity], frame.program.roads
            body.free = 0
            if roads is not None and body.road >= 0:
                body.turn = 0.0 if is_forward(body) else math.pi
                follow_road(roads, body)
        control.overridden &= ~int(ended)


CONTROLS_OF = {
    Override.THROTTLE: (VehicleControl.THROTTLE,),
    Override.BRAKE: (VehicleControl.BRAKE, VehicleControl.BRAKE_FORCE),
    Override.CLUTCH: (VehicleControl.CLUTCH,),
    Override.PARKING_BRAKE: (VehicleControl.PARKING_BRAKE, VehicleControl.PARKING_BRAKE_FORCE),
    Override.STEERING_WHEEL: (VehicleControl.STEERING_WHEEL,),
}
"""The controls that belong to each override."""
