"""Controllers of a file and actions on them, made ready."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dorosim.scenario.openscenario.engine.action.control import (
    ActivateController,
    Activation,
    AssignController,
    ControlValue,
    OverrideControls,
)
from dorosim.scenario.openscenario.engine.action.trailer import ConnectTrailer, DisconnectTrailer
from dorosim.scenario.openscenario.engine.names import ScenarioNames
from dorosim.scenario.openscenario.engine.program import ActionPlan, ControlDomain, Use
from dorosim.scenario.openscenario.record.action import ConnectTrailerAction, DisconnectTrailerAction
from dorosim.scenario.openscenario.record.control import ActivateControllerAction, AssignControllerAction
from dorosim.scenario.openscenario.record.override import (
    AutomaticGearType,
    BrakeInput,
    OverrideBrakeAction,
    OverrideClutchAction,
    OverrideControllerValueAction,
    OverrideGearAction,
    OverrideParkingBrakeAction,
    OverrideSteeringWheelAction,
    OverrideThrottleAction,
)
from dorosim.scenario.openscenario.record.table import OscRecord
from dorosim.world.storyboard.control_state import DRIVE, NEUTRAL, PARK, REVERSE, GearKind, Override, VehicleControl

_AUTOMATIC = {
    AutomaticGearType.P: PARK,
    AutomaticGearType.R: REVERSE,
    AutomaticGearType.N: NEUTRAL,
    AutomaticGearType.D: DRIVE,
}


def _activation(given: dict[ControlDomain, bool | None]) -> Activation:
    """Which domains are switched on, and which off."""
    on = off = ControlDomain(0)
    for domain, value in given.items():
        if value is not None:
            on, off = (on | domain, off) if value else (on, off | domain)
    return Activation(on, off)


def _assign(names: ScenarioNames, one: AssignControllerAction) -> ActionPlan:
    if one.object_controller is None:
        raise names.refuse(one, "the action has no controller", "give an ObjectController")
    number = names.object_controllers.add(one.object_controller)
    if number < 0:
        raise names.refuse(one, "there is no controller, or there are too many", "give one, or name one of a catalog")
    activation = _activation(
        {
            ControlDomain.LATERAL: one.activate_lateral,
            ControlDomain.LONGITUDINAL: one.activate_longitudinal,
            ControlDomain.LIGHTING: one.activate_lighting,
            ControlDomain.ANIMATION: one.activate_animation,
        }
    )
    return AssignController(number, activation)


def _activate(names: ScenarioNames, one: ActivateControllerAction) -> ActionPlan:
    activation = _activation(
        {
            ControlDomain.LATERAL: one.lateral,
            ControlDomain.LONGITUDINAL: one.longitudinal,
            ControlDomain.LIGHTING: one.lighting,
            ControlDomain.ANIMATION: one.animation,
        }
    )
    name = one.object_controller_ref
    if not name:
        return ActivateController(-1, activation)
    for number, each in enumerate(names.object_controllers.plans):
        if each.name == name:
            return ActivateController(number, activation)
    known = ", ".join(each.name for each in names.object_controllers.plans) or "none"
    raise names.refuse(one, f"there is no controller {name!r}", f"the controllers are {known}")


def _override(names: ScenarioNames, one: OverrideControllerValueAction) -> ActionPlan:
    names.uses.add(Use.OVERRIDE)
    made = _Overriding()
    if one.throttle is not None:
        made.pedal(Override.THROTTLE, VehicleControl.THROTTLE, one.throttle)
    if one.clutch is not None:
        made.pedal(Override.CLUTCH, VehicleControl.CLUTCH, one.clutch)
    if one.brake is not None:
        made.brake(names, Override.BRAKE, VehicleControl.BRAKE, one.brake)
    if one.parking_brake is not None:
        made.brake(names, Override.PARKING_BRAKE, VehicleControl.PARKING_BRAKE, one.parking_brake)
    if one.steering_wheel is not None:
        made.steering_wheel(one.steering_wheel)
    if one.gear is not None:
        made.gear(names, one.gear)
    return OverrideControls(made.taken, made.given_back, tuple(made.values), made.number, made.kind, made.torque)


class _Overriding:
    """An override while it is made ready."""

    def __init__(self) -> None:
        self.taken = self.given_back = Override(0)
        self.values: list[ControlValue] = []
        self.number, self.kind, self.torque = 0, GearKind.NONE, 0.0

    def _active(self, override: Override, active: bool) -> bool:
        if active:
            self.taken |= override
        else:
            self.given_back |= override
        return active

    def pedal(
        self, override: Override, control: VehicleControl, one: OverrideThrottleAction | OverrideClutchAction
    ) -> None:
        """A pedal from 0 to 1; its rate is in percent."""
        if self._active(override, one.active):
            self.values.append(ControlValue(control, _share(one.value), (one.max_rate or 0.0) / 100.0))

    def brake(
        self,
        names: ScenarioNames,
        override: Override,
        control: VehicleControl,
        one: OverrideBrakeAction | OverrideParkingBrakeAction,
    ) -> None:
        """A brake by a share or by a force; of the two the other one is 0."""
        if not self._active(override, one.active):
            return
        given = one.brake_input or BrakeInput()
        force = VehicleControl(control + 1)
        if given.brake_percent is not None:
            value = given.brake_percent.value
            share = value / 100.0 if value > 1.0 else value
            rate = (given.brake_percent.max_rate or 0.0) / 100.0
            self.values += [ControlValue(control, _share(share), rate), ControlValue(force, 0.0)]
        elif given.brake_force is not None:
            rate = given.brake_force.max_rate or 0.0
            self.values += [ControlValue(control, 0.0), ControlValue(force, max(given.brake_force.value, 0.0), rate)]
        else:
            raise names.refuse(one, "the override has no value", "give BrakePercent or BrakeForce")

    def steering_wheel(self, one: OverrideSteeringWheelAction) -> None:
        """The angle of the steering wheel; its rate is in percent of a whole turn of it."""
        if self._active(Override.STEERING_WHEEL, one.active):
            rate = (one.max_rate or 0.0) / 100.0 * math.tau
            self.values.append(ControlValue(VehicleControl.STEERING_WHEEL, one.value, rate))
            self.torque = one.max_torque or 0.0

    def gear(self, names: ScenarioNames, one: OverrideGearAction) -> None:
        """A gear of either gearbox."""
        if not self._active(Override.GEAR, one.active):
            return
        if one.gear is not None and one.gear.automatic_gear is not None:
            self.number, self.kind = _AUTOMATIC[one.gear.automatic_gear.gear], GearKind.AUTOMATIC
        elif one.gear is not None and one.gear.manual_gear is not None:
            self.number, self.kind = max(one.gear.manual_gear.number, PARK + 1), GearKind.MANUAL
        else:
            raise names.refuse(one, "the override has no gear", "give ManualGear or AutomaticGear")


def _connect(names: ScenarioNames, one: ConnectTrailerAction) -> ActionPlan:
    names.uses.add(Use.TRAILER)
    return ConnectTrailer(names.entity(one, one.trailer_ref))


def _share(value: float) -> float:
    """A pedal's value from 0 to 1."""
    return min(max(value, 0.0), 1.0)


CONTROL_ACTIONS: dict[type[OscRecord], Callable[[ScenarioNames, Any], ActionPlan]] = {
    AssignControllerAction: _assign,
    ActivateControllerAction: _activate,
    OverrideControllerValueAction: _override,
    ConnectTrailerAction: _connect,
    DisconnectTrailerAction: lambda *_: DisconnectTrailer(),
}
"""How actions on controllers and trailers are made ready."""
