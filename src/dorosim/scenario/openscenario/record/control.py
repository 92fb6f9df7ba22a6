"""Actions on controllers, and values that override them."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.controller import Controller, ObjectController
from dorosim.scenario.openscenario.record.reference import CatalogReference
from dorosim.scenario.openscenario.record.table import (
    Content,
    Record,
    Word,
    attribute,
    child,
    choice,
    group,
    sequence,
    unordered,
    words,
)


@words(since="1.2")
class AutomaticGearType(Word):
    """A gear of an automatic gearbox."""

    N = "n"
    P = "p"
    R = "r"
    D = "d"


@choice(content_before=("1.2", Content.ALL), choice_required="1.3")
class ControllerAction(Record):
    """An action on controllers."""

    assign_controller_action: AssignControllerAction | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    override_controller_value_action: OverrideControllerValueAction | None = child(
        default=None, required=("1.0", "1.0"), assumed=None
    )
    activate_controller_action: ActivateControllerAction | None = child(default=None, since="1.1")


@choice(choice_required="")
class AssignControllerAction(Record):
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
class ActivateControllerAction(Record):
    """Switch a controller on or off."""

    lateral: bool | None = attribute("steering", default=None)
    longitudinal: bool | None = attribute("driving and braking", default=None)
    animation: bool | None = attribute("animation", default=None, since="1.2")
    lighting: bool | None = attribute("lights", default=None, since="1.2")
    controller_ref: str | None = attribute(
        "old name of objectControllerRef", default=None, since="1.2", deprecated="1.3"
    )
    object_controller_ref: str | None = attribute("name of the controller", default=None, since="1.3")


@unordered()
class OverrideControllerValueAction(Record):
    """Override what a controller gives."""

    throttle: OverrideThrottleAction | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    brake: OverrideBrakeAction | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    clutch: OverrideClutchAction | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    parking_brake: OverrideParkingBrakeAction | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    steering_wheel: OverrideSteeringWheelAction | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    gear: OverrideGearAction | None = child(default=None, required=("1.0", "1.0"), assumed=None)


@sequence()
class OverrideThrottleAction(Record):
    """Override the throttle."""

    active: bool = attribute("whether it is overridden")
    max_rate: float | None = attribute("greatest change [1/s]", default=None, since="1.2")
    value: float = attribute("0 to 1")


@sequence()
class OverrideBrakeAction(Record):
    """Override the brake."""

    active: bool = attribute("whether it is overridden")
    value: float | None = attribute(
        "old form of BrakePercent", default=None, required=("1.0", "1.1"), deprecated="1.2", assumed=None
    )
    brake_input: BrakeInput | None = group(default=None, since="1.2")


@sequence()
class OverrideClutchAction(Record):
    """Override the clutch."""

    active: bool = attribute("whether it is overridden")
    max_rate: float | None = attribute("greatest change [1/s]", default=None, since="1.2")
    value: float = attribute("0 to 1")


@sequence()
class OverrideParkingBrakeAction(Record):
    """Override the parking brake."""

    active: bool = attribute("whether it is overridden")
    value: float | None = attribute(
        "old form of BrakePercent", default=None, required=("1.0", "1.1"), deprecated="1.2", assumed=None
    )
    brake_input: BrakeInput | None = group(default=None, since="1.2")


@sequence()
class OverrideSteeringWheelAction(Record):
    """Override the steering wheel."""

    active: bool = attribute("whether it is overridden")
    max_rate: float | None = attribute("greatest change [rad/s]", default=None, since="1.2")
    max_torque: float | None = attribute("greatest torque [Nm]", default=None, since="1.2")
    value: float = attribute("angle, positive to the left [rad]")


@sequence()
class OverrideGearAction(Record):
    """Override the gear."""

    active: bool = attribute("whether it is overridden")
    number: float | None = attribute(
        "old form of ManualGear", default=None, required=("1.0", "1.1"), deprecated="1.2", assumed=None
    )
    gear: Gear | None = group(default=None, since="1.2")


@choice(since="1.2", is_group=True)
class BrakeInput(Record):
    """How hard to brake."""

    brake_percent: Brake | None = child(default=None)
    brake_force: Brake | None = child(default=None)


@sequence(since="1.2")
class Brake(Record):
    """A value of a brake."""

    max_rate: float | None = attribute("greatest change [1/s or N/s]", default=None)
    value: float = attribute("0 to 1, or force [N]")


@choice(since="1.2", is_group=True)
class Gear(Record):
    """A gear."""

    manual_gear: ManualGear | None = child(default=None)
    automatic_gear: AutomaticGear | None = child(default=None)


@sequence(since="1.2")
class ManualGear(Record):
    """A gear of a manual gearbox."""

    number: int = attribute("0 for neutral, negative for reverse")


@sequence(since="1.2")
class AutomaticGear(Record):
    """A gear of an automatic gearbox."""

    gear: AutomaticGearType = attribute("gear")
