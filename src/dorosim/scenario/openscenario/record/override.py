"""Values that override what a controller gives."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.table import (
    OscRecord,
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


@unordered()
class OverrideControllerValueAction(OscRecord):
    """Override what a controller gives."""

    throttle: OverrideThrottleAction | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    brake: OverrideBrakeAction | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    clutch: OverrideClutchAction | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    parking_brake: OverrideParkingBrakeAction | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    steering_wheel: OverrideSteeringWheelAction | None = child(default=None, required=("1.0", "1.0"), assumed=None)
    gear: OverrideGearAction | None = child(default=None, required=("1.0", "1.0"), assumed=None)


@sequence()
class OverrideThrottleAction(OscRecord):
    """Override the throttle."""

    active: bool = attribute("whether it is overridden")
    max_rate: float | None = attribute("greatest change [1/s]", default=None, since="1.2")
    value: float = attribute("0 to 1")


@sequence()
class OverrideBrakeAction(OscRecord):
    """Override the brake."""

    active: bool = attribute("whether it is overridden")
    value: float | None = attribute(
        "old form of BrakePercent", default=None, required=("1.0", "1.1"), deprecated="1.2", assumed=None
    )
    brake_input: BrakeInput | None = group(default=None, since="1.2")


@sequence()
class OverrideClutchAction(OscRecord):
    """Override the clutch."""

    active: bool = attribute("whether it is overridden")
    max_rate: float | None = attribute("greatest change [1/s]", default=None, since="1.2")
    value: float = attribute("0 to 1")


@sequence()
class OverrideParkingBrakeAction(OscRecord):
    """Override the parking brake."""

    active: bool = attribute("whether it is overridden")
    value: float | None = attribute(
        "old form of BrakePercent", default=None, required=("1.0", "1.1"), deprecated="1.2", assumed=None
    )
    brake_input: BrakeInput | None = group(default=None, since="1.2")


@sequence()
class OverrideSteeringWheelAction(OscRecord):
    """Override the steering wheel."""

    active: bool = attribute("whether it is overridden")
    max_rate: float | None = attribute("greatest change [rad/s]", default=None, since="1.2")
    max_torque: float | None = attribute("greatest torque [Nm]", default=None, since="1.2")
    value: float = attribute("angle, positive to the left [rad]")


@sequence()
class OverrideGearAction(OscRecord):
    """Override the gear."""

    active: bool = attribute("whether it is overridden")
    number: float | None = attribute(
        "old form of ManualGear", default=None, required=("1.0", "1.1"), deprecated="1.2", assumed=None
    )
    gear: Gear | None = group(default=None, since="1.2")


@choice(since="1.2", is_group=True)
class BrakeInput(OscRecord):
    """How hard to brake."""

    brake_percent: Brake | None = child(default=None)
    brake_force: Brake | None = child(default=None)


@sequence(since="1.2")
class Brake(OscRecord):
    """A value of a brake."""

    max_rate: float | None = attribute("greatest change [1/s or N/s]", default=None)
    value: float = attribute("0 to 1, or force [N]")


@choice(since="1.2", is_group=True)
class Gear(OscRecord):
    """A gear."""

    manual_gear: ManualGear | None = child(default=None)
    automatic_gear: AutomaticGear | None = child(default=None)


@sequence(since="1.2")
class ManualGear(OscRecord):
    """A gear of a manual gearbox."""

    number: int = attribute("0 for neutral, negative for reverse")


@sequence(since="1.2")
class AutomaticGear(OscRecord):
    """A gear of an automatic gearbox."""

    gear: AutomaticGearType = attribute("gear")
