"""What commands about faults do."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np

from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.fault.code import POSSIBLE, FaultClass, FaultLocation, FaultSubclass, FaultTarget
from dorosim.world.fault.command import WHEELS, SetControlFault, SetFault, SetSensorFault, SetTireFault
from dorosim.world.fault.table import FOREVER, FaultModel, FaultTable, default_model
from dorosim.world.scene import Scene


def set_fault(_: Scene, draft: Draft, command: SetFault) -> None:
    # an NPC vehicle has no controls that could fail, but it may carry sensors
    sensor = isinstance(command, SetSensorFault)
    if not (draft.has_vehicle(command.actor) if sensor else draft.row_of(command.actor) >= 0):
        raise CommandError(f"no vehicle {command.actor}")
    target, place = _place_of(command)
    _check_fault(command, target, place)
    faults = draft.fault
    here = (faults.actor == command.actor) & (faults.target == target) & (faults.place == place)
    if command.fault_class == FaultClass.NONE:
        draft.fault = faults.take(~here)
        return
    # a fault that is set again starts anew
    others = faults.take(~(here & (faults.subclass == command.fault_subclass)))
    table = others.append(_row_of(command, target, place, draft.time))
    order = np.lexsort((table.subclass, table.place, table.target, table.actor))
    draft.fault = table.take(order)


def _place_of(command: SetFault) -> tuple[FaultTarget, int]:
    if isinstance(command, SetControlFault):
        return FaultTarget.CONTROL, command.location
    if isinstance(command, SetTireFault):
        return FaultTarget.TIRE, command.tire
    assert isinstance(command, SetSensorFault)
    return FaultTarget.SENSOR, command.sensor


def _check_fault(command: SetFault, target: FaultTarget, place: int) -> None:
    if target is FaultTarget.CONTROL and place not in tuple(FaultLocation):
        raise CommandError(f"no control has the number {place}; 2 is the accelerator, 3 the brake, 4 the steering")
    if target is FaultTarget.TIRE and not 0 <= place < WHEELS:
        raise CommandError(f"no tyre has the index {place}; 0 to 3 are FL FR RL RR")
    if (command.fault_class, command.fault_subclass) == (FaultClass.NONE, FaultSubclass.NONE):
        return
    if command.fault_subclass not in POSSIBLE[target]:
        raise CommandError(f"a {target.name.lower()} has no fault {command.fault_subclass}")
    if command.fault_subclass // 100 != command.fault_class:
        raise CommandError(f"fault {command.fault_subclass} is not of class {command.fault_class}")
    _check_numbers(command)


def _check_numbers(command: SetFault) -> None:
    if command.duration is not None and not 0.0 < command.duration < FOREVER * 1e-9:
        raise CommandError(f"{command.duration:g} s is not a valid duration")
    for one in fields(FaultModel):
        value = getattr(command, one.name)
        if value is None:
            continue
        least = -math.inf if one.name in ("magnitude", "rate", "amplitude") else 0.0
        # a wheel drags no more than all of its load; beyond that the motion of the vehicle cannot be integrated
        most = 1.0 if one.name in ("friction_loss", "stiffness_loss", "drag") else 1e6
        if not (math.isfinite(value) and least <= value <= most) or (one.name == "period" and value == 0.0):
            raise CommandError(f"a {one.name.replace('_', ' ')} of {value:g} is out of range")
    if isinstance(command, SetSensorFault) and not all(
        math.isfinite(value) and abs(value) <= 1e3 for value in (*command.position_offset, *command.rotation_offset)
    ):
        raise CommandError("an offset of the sensor is out of range")


def _row_of(command: SetFault, target: FaultTarget, place: int, time: int) -> FaultTable:
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
