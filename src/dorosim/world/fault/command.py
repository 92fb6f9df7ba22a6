"""Commands that cause and clear faults. Values are in SI, angles in rad."""

from __future__ import annotations

from dorosim.world.command import ActorCommand, Vector

WHEELS = 4
_NO_OFFSET = (0.0, 0.0, 0.0)


class SetFault(ActorCommand, frozen=True, kw_only=True):
    """What all fault commands have. Class and subclass 0 clear every fault of the place.

    The parameters are those of `FaultModel`; None leaves the default, and every client's message has none.

    Attributes:
        fault_class: FaultClass.
        fault_subclass: FaultSubclass; its hundreds are the class.
        duration: until the fault ends by itself [s]; None for never.
    """

    fault_class: int
    fault_subclass: int
    duration: float | None = None
    magnitude: float | None = None
    rate: float | None = None
    amplitude: float | None = None
    period: float | None = None
    delay: float | None = None
    onset: float | None = None
    friction_loss: float | None = None
    stiffness_loss: float | None = None
    drag: float | None = None


class SetControlFault(SetFault, frozen=True, tag=True, kw_only=True):
    """A fault of a vehicle's accelerator, brake or steering.

    Attributes:
        location: FaultLocation.
    """

    location: int


class SetTireFault(SetFault, frozen=True, tag=True, kw_only=True):
    """A fault of one tyre.

    Attributes:
        tire: 0 to 3 for FL FR RL RR.
    """

    tire: int


class SetSensorFault(SetFault, frozen=True, tag=True, kw_only=True):
    """A fault of one sensor, which may displace it too, whatever its subclass.

    Attributes:
        sensor: id of the sensor on its vehicle.
        position_offset: in the sensor's own frame [m].
        rotation_offset: roll, pitch, yaw in the sensor's own frame [rad].
    """

    sensor: int
    position_offset: Vector = _NO_OFFSET
    rotation_offset: Vector = _NO_OFFSET
