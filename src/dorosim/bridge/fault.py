"""Faults as clients ask for them: of controls and tyres of ego vehicles, and of sensors of any vehicle.

Codes are those of documents/grpc-api-en.txt, FaultInjection; class and subclass 0 clear (design/seams.md, Codes).
Whether codes fit together is the world's to judge.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from dorosim.bridge.actor import VEHICLES, ActorKind, Names, kind_of
from dorosim.ground.error import InputError
from dorosim.ground.unit import DEGREE
from dorosim.world.command import Vector
from dorosim.world.fault.code import FaultTarget
from dorosim.world.fault.command import SetControlFault, SetFault, SetSensorFault, SetTireFault
from dorosim.world.snapshot import Snapshot

_SOURCE = "fault"
_DEGREE = DEGREE.factor


class FaultCode(NamedTuple):
    """What is wrong: major and minor category; both 0 clear."""

    fault_class: int
    fault_subclass: int

    @classmethod
    def of(cls, message: Any) -> Self:
        """That of a message of ROS or either gRPC API."""
        return cls(message.fault_class, message.fault_subclass)


def vehicle_with_controls(now: Snapshot, names: Names, text: str) -> int:
    """Returns the id of a vehicle whose controls and tyres can fail: one with full dynamics.

    Raises:
        InputError: there is no actor of this name, or it is no such vehicle.
    """
    actor = names.actor_of(text)
    kind = kind_of(now, actor)
    if kind is ActorKind.NONE:
        raise InputError(_SOURCE, "", f"there is no vehicle {text!r}")
    if kind is not ActorKind.EGO:
        what = kind.name.lower().replace("_", " ")
        raise InputError(_SOURCE, "", f"{text!r} is a {what}; only ego vehicles have controls and tyres that fail")
    return actor


def control_fault(actor: int, location: int, code: FaultCode) -> SetControlFault:
    """A fault of accelerator (2), brake (3) or steering (4)."""
    return SetControlFault(actor=actor, location=location, **code._asdict())


def tire_fault(actor: int, tire: int, code: FaultCode) -> SetTireFault:
    """A fault of a tyre, 0 to 3 for FL FR RL RR."""
    return SetTireFault(actor=actor, tire=tire, **code._asdict())


def fault_of(message: Any, target: FaultTarget, vehicle: str, now: Snapshot, names: Names) -> SetFault:
    """Returns the fault that a message of gRPC asks for; both APIs name its fields alike.

    Args:
        message: offsets in the sensor's own axes: metres, and roll, pitch, yaw in degrees.
        target: what fails.
        vehicle: its name.
        now: the snapshot.
        names: of actors.

    Raises:
        InputError: there is no such vehicle, or it has no such part.
    """
    code = FaultCode.of(message)
    if target is FaultTarget.SENSOR:
        place, turn = message.local_position_offset, message.local_rotation_offset
        offset, rotation = (place.x, place.y, place.z), (turn.x * _DEGREE, turn.y * _DEGREE, turn.z * _DEGREE)
        return sensor_fault(now, names, vehicle, message.sensor_id, code, offset, rotation)
    actor = vehicle_with_controls(now, names, vehicle)
    if target is FaultTarget.CONTROL:
        return control_fault(actor, message.fault_location, code)
    return tire_fault(actor, message.tire_index, code)


def sensor_fault(
    now: Snapshot, names: Names, text: str, sensor: str, code: FaultCode, offset: Vector, rotation: Vector
) -> SetSensorFault:
    """A fault of a sensor, which may displace it too.

    Args:
        now: the snapshot.
        names: of actors.
        text: name of the vehicle, "" for the one that has the sensor: numbers of sensors are unique in a run.
        sensor: number of the sensor, in decimal.
        code: what is wrong.
        offset: in the sensor's own frame [m].
        rotation: roll, pitch, yaw in that frame [rad].

    Raises:
        InputError: there is no such vehicle, or it has no such sensor.
    """
    number = int(sensor) if sensor.isascii() and sensor.isdecimal() and len(sensor) < 10 else 0
    row, table = now.mounts.row_of(number) if number else -1, now.mounts.table
    actor = names.actor_of(text) if text or row < 0 else int(table.actor[row])
    if kind_of(now, actor) not in VEHICLES:
        raise InputError(_SOURCE, "", f"there is no vehicle {text!r}")
    if row < 0 or int(table.actor[row]) != actor:
        mine = ", ".join(str(one) for one in table.id[table.actor == actor].tolist())
        raise InputError(_SOURCE, "", f"{text!r} has no sensor {sensor!r}; it has {mine or 'none'}")
    return SetSensorFault(
        actor=actor, sensor=number, position_offset=offset, rotation_offset=rotation, **code._asdict()
    )
