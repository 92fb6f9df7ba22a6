"""What can be asked about faults. Values are in SI, angles in rad."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np

from dorosim.world.command.actor import ActorCommand, Vector
from dorosim.world.fault.code import POSSIBLE, FaultClass, FaultLocation, FaultSubclass, FaultTarget
from dorosim.world.fault.table import FOREVER, FaultModel, FaultTable, default_model, take_faults

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


FaultCommand = SetControlFault | SetTireFault | SetSensorFault
"""Every command about faults."""


def change_faults(faults: FaultTable, command: FaultCommand, time: int) -> tuple[FaultTable, str]:
    """The faults after a command, and why the command is refused, or an empty string.

    A fault that is set again starts anew. The caller checks whether the actor and its sensor exist.

    Args:
        faults: as they are; they are not changed.
        command: what is asked.
        time: simulated time [ns].
    """
    target, place = _place_of(command)
    problem = _problem_of(command, target, place)
    if problem:
        return faults, problem
    here = (faults.actor == command.actor) & (faults.target == target) & (faults.place == place)
    if command.fault_class == FaultClass.NONE:
        return take_faults(faults, np.flatnonzero(~here)), ""
    others = take_faults(faults, np.flatnonzero(~(here & (faults.subclass == command.fault_subclass))))
    table = others.append(_row_of(command, target, place, time))
    order = np.lexsort((table.subclass, table.place, table.target, table.actor))
    return take_faults(table, order), ""


def _place_of(command: FaultCommand) -> tuple[FaultTarget, int]:
    if isinstance(command, SetControlFault):
        return FaultTarget.CONTROL, command.location
    if isinstance(command, SetTireFault):
        return FaultTarget.TIRE, command.tire
    return FaultTarget.SENSOR, command.sensor


def _problem_of(command: FaultCommand, target: FaultTarget, place: int) -> str:
    if target is FaultTarget.CONTROL and place not in tuple(FaultLocation):
        return f"no control has the number {place}; 2 is the accelerator, 3 the brake, 4 the steering"
    if target is FaultTarget.TIRE and not 0 <= place < WHEELS:
        return f"no tyre has the index {place}; 0 to 3 are FL FR RL RR"
    if (command.fault_class, command.fault_subclass) == (FaultClass.NONE, FaultSubclass.NONE):
        return ""
    if command.fault_subclass not in POSSIBLE[target]:
        return f"a {target.name.lower()} has no fault {command.fault_subclass}"
    if command.fault_subclass // 100 != command.fault_class:
        return f"fault {command.fault_subclass} is not of class {command.fault_class}"
    return _problem_of_numbers(command)


def _problem_of_numbers(command: FaultCommand) -> str:
    if command.duration is not None and not 0.0 < command.duration < FOREVER * 1e-9:
        return f"a duration of {command.duration:g} s is none"
    for one in fields(FaultModel):
        value = getattr(command, one.name)
        if value is None:
            continue
        least = -math.inf if one.name in ("magnitude", "rate", "amplitude") else 0.0
        # a wheel drags no more than all of its load; beyond that the motion of the vehicle cannot be integrated
        most = 1.0 if one.name in ("friction_loss", "stiffness_loss", "drag") else 1e6
        if not (math.isfinite(value) and least <= value <= most) or (one.name == "period" and value == 0.0):
            return f"a {one.name.replace('_', ' ')} of {value:g} is out of range"
    if isinstance(command, SetSensorFault) and not all(
        math.isfinite(value) and abs(value) <= 1e3 for value in (*command.position_offset, *command.rotation_offset)
    ):
        return "an offset of the sensor is out of range"
    return ""


def _row_of(command: FaultCommand, target: FaultTarget, place: int, time: int) -> FaultTable:
    row = FaultTable.zeros(1)
    model = default_model(target, FaultSubclass(command.fault_subclass))
    for one in fields(FaultModel):
        value = getattr(command, one.name)
        getattr(row, one.name)[0] = getattr(model, one.name) if value is None else value
    if isinstance(command, SetSensorFault):
        row.position_offset[:, 0], row.rotation_offset[:, 0] = command.position_offset, command.rotation_offset
    row.actor[0], row.target[0], row.place[0] = command.actor, target, place
    row.subclass[0], row.start[0] = command.fault_subclass, time
    row.end[0] = FOREVER if command.duration is None else min(time + round(command.duration * 1e9), FOREVER)
    return row
