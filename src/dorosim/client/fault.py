"""Faults of controls, tyres and sensors."""

from __future__ import annotations

from typing import Any, Literal, get_args

from dorosim.client.operation import Session, Steps, do, operation
from dorosim.client.quantity import EGO, Vector, identity, in_degrees, vector, word

Control = Literal["accelerator", "brake", "steering"]
Tire = Literal["FL", "FR", "RL", "RR"]
Fault = Literal[
    "none",
    "lost",
    "delayed",
    "open",
    "short",
    "offset",
    "stuck",
    "out_of_data",
    "drift",
    "puncture",
    "moved",
]
_CODES = (0, 101, 102, 201, 202, 203, 204, 205, 206, 301, 302)
_FAULTS: dict[str, int] = dict(zip(get_args(Fault), _CODES, strict=True))
"""Subclass (VehicleFaultSubclass) of each fault, whose hundreds are its class (VehicleFaultClass)."""
_LOCATIONS = {"accelerator": 2, "brake": 3, "steering": 4}
_TIRES = {"FL": 0, "FR": 1, "RL": 2, "RR": 3}


class FaultOperations(Session):
    """Injecting faults; "none" takes a fault away."""

    @operation
    def set_control_fault(self, control: Control, fault: Fault, actor: str | int = EGO) -> Steps[None]:
        """Put a fault on the accelerator, the brake or the steering of a vehicle."""
        row = {"fault_location": word("control", control, _LOCATIONS), **_classes(fault)}
        yield from _inject(actor, "CONTROL", control=[row])

    @operation
    def set_tire_fault(self, tire: Tire, fault: Fault = "puncture", actor: str | int = EGO) -> Steps[None]:
        """Put a fault on a tyre."""
        row = {"tire_index": word("tyre", tire, _TIRES), **_classes(fault)}
        yield from _inject(actor, "TIRE", tire=[row])

    @operation
    def set_sensor_fault(
        self,
        sensor: str | int,
        fault: Fault,
        actor: str | int = EGO,
        *,
        position: Vector = (0.0, 0.0, 0.0),
        rotation: Vector = (0.0, 0.0, 0.0),
    ) -> Steps[None]:
        """Put a fault on a sensor.

        Args:
            sensor: its id.
            fault: "moved" takes position and rotation.
            actor: vehicle that it is on.
            position: how far it is out of its place, in its own axes [m].
            rotation: how far it is turned: roll, pitch, yaw [rad].
        """
        row = {
            "sensor_id": str(sensor),
            **_classes(fault),
            "local_position_offset": vector(position),
            "local_rotation_offset": in_degrees(rotation),
        }
        yield from _inject(actor, "SENSOR", sensor=[row])


def _classes(fault: Fault) -> dict[str, int]:
    code = word("fault", fault, _FAULTS)
    return {"fault_class": code // 100, "fault_subclass": code}


def _inject(actor: str | int, kind: str, **rows: Any) -> Steps[None]:
    info = identity(actor)
    yield from do("Actor/SetVehicleFaultInjection", actor_info=info, type=f"VEHICLE_FAULT_TYPE_{kind}", **rows)
