"""What commands do that concern the controls of a vehicle one by one: steer, limit, disturb."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dorosim.world.draft import Draft
from dorosim.world.effect.bound import problem_with_numbers
from dorosim.world.scene import Scene
from dorosim.world.vehicle.command import DisturbControl, LimitControl, SteerVehicle
from dorosim.world.vehicle.disturbance import HAND_BRAKE_SHARE, LONGEST
from dorosim.world.vehicle.drive_effect import not_driven_by_peers, to_vehicle
from dorosim.world.vehicle.mode import ControlKind, DynamicsKind
from dorosim.world.vehicle.model import AT_ONCE
from dorosim.world.vehicle.parameter import VehicleParameter

_NAMES = ("accelerator", "brake", "front wheels", "hand brake")
_BRAKE, _WHEELS, _HAND_BRAKE = 1, 2, 3
_SLOWEST = 1e-3
"""Bound of rates [1/s]: an actuator that does not move at all is a fault."""


def _steer(draft: Draft, row: int, command: SteerVehicle) -> str:
    vehicle = draft.vehicle
    problem = problem_with_numbers(command.steer) or not_driven_by_peers(vehicle, row)
    if problem:
        return problem
    kind = vehicle.control_kind[row]
    if kind in {ControlKind.GROUND_DIRECT, ControlKind.GROUND_STATE, ControlKind.TRAJECTORY}:
        return f"the vehicle follows a command of another kind, {ControlKind(int(kind)).name.lower()}; drive it first"
    if kind == ControlKind.HOLD:
        # HOLD keeps the wheels as they are; a full brake holds the vehicle as well
        vehicle.control_kind[row] = ControlKind.PEDALS
        vehicle.target_accelerator[row], vehicle.target_brake[row] = 0.0, 1.0
    vehicle.target_steer[row] = command.steer
    return ""


def _limit(scene: Scene, draft: Draft, command: LimitControl) -> str:
    row, control = draft.row_of(command.actor), command.control
    if row < 0:
        return f"no vehicle {command.actor}"
    if not 0 <= control <= _WHEELS:
        return f"there are controls 0 to {_WHEELS}, not {control}"
    problem = problem_with_numbers(command.low, command.high, command.fall, command.rise)
    if problem:
        return problem
    if draft.parameter.dynamics[row] != DynamicsKind.SINGLE_TRACK:
        return "a ground vehicle has no pedals and no steering wheel"
    model = scene.models[draft.vehicle.model[row]]
    least, most = model.control_low[control], model.control_high[control]
    if command.reset:
        low, high, fall, rise = least, most, AT_ONCE, AT_ONCE
    else:
        low, high, fall, rise = command.low, command.high, command.fall, command.rise
    if not least <= low <= high <= most:
        return f"{_NAMES[control]}: {least:g} <= low <= high <= {most:g}, not {low:g} and {high:g}"
    if not (_SLOWEST <= fall <= AT_ONCE and _SLOWEST <= rise <= AT_ONCE):
        return f"{_NAMES[control]}: rates are {_SLOWEST:g} to {AT_ONCE:g} a second, not {fall:g} and {rise:g}"
    parameter: VehicleParameter = draft.parameter.copy()
    parameter.control_low[control, row], parameter.control_high[control, row] = low, high
    parameter.control_fall[control, row], parameter.control_rise[control, row] = fall, rise
    draft.parameter = parameter.freeze()
    return ""


def _disturb(draft: Draft, row: int, command: DisturbControl) -> str:
    control, magnitude = command.control, command.magnitude
    if not 0 <= control <= _HAND_BRAKE:
        return f"there are controls 0 to {_HAND_BRAKE}, not {control}"
    most = math.pi if control == _WHEELS else 1.0
    if not abs(magnitude) <= most:
        return f"{_NAMES[control]}: -{most:g} to {most:g} can be added, not {magnitude:g}"
    if not 0.0 <= command.duration <= LONGEST:
        return f"a disturbance lasts 0 to {LONGEST:g} s, not {command.duration:g}"
    if control == _HAND_BRAKE:
        control, magnitude = _BRAKE, magnitude * HAND_BRAKE_SHARE
    draft.vehicle.disturbance[control, row] = magnitude
    draft.vehicle.disturbance_left[control, row] = command.duration
    return ""


CONTROL_EFFECTS: dict[type[Any], Callable[[Scene, Draft, Any], str]] = {
    SteerVehicle: to_vehicle(_steer),
    LimitControl: _limit,
    DisturbControl: to_vehicle(_disturb),
}
"""Effect of each command."""
