"""What commands do that make a vehicle with full dynamics, or change what it is or a control of it."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.error import InputError
from dorosim.world.draft import Draft
from dorosim.world.effect_common import (
    ALL_IDS_GIVEN,
    MAX_COMMANDED_SPEED,
    problem_with_numbers,
    problem_with_pose,
    problem_with_speed,
)
from dorosim.world.scene import Scene
from dorosim.world.vehicle.command import (
    ChangeLimits,
    CreateVehicle,
    DisturbControl,
    LimitControl,
    SelectCamera,
    SetCruise,
    SetLamps,
    SteerVehicle,
)
from dorosim.world.vehicle.disturbance import HAND_BRAKE_SHARE, MAX_DISTURBANCE_TIME
from dorosim.world.vehicle.drive_effect import not_driven_by_peers, on_vehicle
from dorosim.world.vehicle.driver import TrajectoryTable
from dorosim.world.vehicle.mode import ControlKind, ControlMode, DynamicsKind
from dorosim.world.vehicle.model import UNLIMITED_RATE
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.placement import new_vehicle_rows, place

MIN_MASS_SHARE, MAX_MASS_SHARE = 0.1, 10.0
"""Bounds of masses over that of the model: the air stops far lighter ones faster than a step resolves."""
MIN_BRAKE_FORCE = 1e-3
"""Bound of the greatest braking force [N]."""

_BOUNDS: dict[str, tuple[float, float]] = {
    "max_steer": (0.0, 0.5 * math.pi),
    "max_rear_steer": (0.0, 0.5 * math.pi),
    "steer_rate": (1e-3, 100.0),
    "max_speed": (0.0, MAX_COMMANDED_SPEED),
    "max_reverse_speed": (0.0, MAX_COMMANDED_SPEED),
    "max_acceleration": (0.0, 100.0),
    "max_deceleration": (0.0, 100.0),
}
_CONTROL_NAMES = ("accelerator", "brake", "front wheels", "hand brake")
_BRAKE, _WHEELS, _HAND_BRAKE = 1, 2, 3
_MIN_RATE = 1e-3
"""Bound of rates [1/s]: an actuator that does not move at all is a fault."""


def create_vehicle(_: Scene, draft: Draft, command: CreateVehicle) -> str:
    problem = (
        problem_with_pose(command.position, command.rotation)
        or problem_with_speed(command.speed)
        or _problem_with_cruise(command.cruise_ratio, command.cruise_speed)
    )
    if problem:
        return problem
    try:
        vehicle, parameter = new_vehicle_rows([0], [command.model])
    except InputError as error:
        return f"{error.problem}; {error.cure}"
    actor = draft.new_id()
    if not actor:
        return ALL_IDS_GIVEN
    vehicle.id[0], vehicle.gear[0], vehicle.brake[0] = actor, command.gear, 1.0
    place(vehicle, 0, command.position, command.rotation[2], command.speed)
    if command.speed != 0.0:
        # a vehicle created in motion rolls, as one that is placed does, and is not held
        vehicle.control_kind[0], vehicle.brake[0] = ControlKind.PEDALS, 0.0
    if command.mode is not ControlMode.KEEP:
        vehicle.control_mode[0] = command.mode
    vehicle.cruise_ratio[0], vehicle.cruise_speed[0] = command.cruise_ratio, command.cruise_speed
    vehicle.paused[0] = command.paused
    draft.egos += (actor,)
    draft.vehicle = draft.vehicle.append(vehicle)
    draft.parameter = draft.parameter.append(parameter).freeze()
    draft.trajectory = draft.trajectory.append(TrajectoryTable.empty(1))
    return ""


def _problem_with_cruise(ratio: float, speed: float) -> str:
    if 0.0 <= ratio <= 10.0 and 0.0 <= speed <= MAX_COMMANDED_SPEED:
        return ""
    return f"ratio {ratio:g} is not within 0 to 10, or speed {speed:g} m/s not within 0 to {MAX_COMMANDED_SPEED:g}"


@on_vehicle
def set_cruise(draft: Draft, row: int, command: SetCruise) -> str:
    problem = _problem_with_cruise(command.ratio, command.speed)
    if problem:
        return problem
    draft.vehicle.cruise_ratio[row], draft.vehicle.cruise_speed[row] = command.ratio, command.speed
    return ""


def change_limits(scene: Scene, draft: Draft, command: ChangeLimits) -> str:
    row = draft.row_of(command.actor)
    if row < 0:
        return f"no vehicle {command.actor}"
    usual = scene.models[draft.vehicle.model[row]].mass
    bounds = {"mass": (MIN_MASS_SHARE * usual, MAX_MASS_SHARE * usual), **_BOUNDS}
    asked = {name: getattr(command, name) for name in bounds if getattr(command, name) is not None}
    for name, value in asked.items():
        low, high = bounds[name]
        if not low <= value <= high:
            return f"{name.replace('_', ' ')}: {low:g} to {high:g}, not {value:g}"
    parameter = draft.parameter.copy()
    _change(parameter, row, asked)
    draft.parameter = parameter.freeze()
    return ""


def _change(parameter: VehicleParameter, row: int, asked: dict[str, float]) -> None:
    """Write limits. Forces go with the mass that the vehicle has then, and inertia with the mass."""
    mass = asked.pop("mass", None)
    if mass is not None:
        parameter.yaw_inertia[row] *= mass / parameter.mass[row]
        parameter.mass[row] = mass
    acceleration, deceleration = asked.pop("max_acceleration", None), asked.pop("max_deceleration", None)
    if acceleration is not None:
        parameter.drive_force[row] = acceleration * parameter.mass[row]
        parameter.max_acceleration[row] = acceleration
    if deceleration is not None:
        # the pedal's place is a share of the force, so there is some of it even where a deceleration of 0 is commanded
        parameter.brake_force[row] = max(deceleration * parameter.mass[row], MIN_BRAKE_FORCE)
    if "max_steer" in asked:
        steered = parameter.axle_max_steer[:, row]
        steered[:] = np.where(steered > 0.0, asked["max_steer"], 0.0)
    for name, value in asked.items():
        getattr(parameter, name)[row] = value


@on_vehicle
def set_lamps(draft: Draft, row: int, command: SetLamps) -> str:
    if command.turn is not None:
        draft.vehicle.turn_lamp[row] = command.turn
    if command.emergency is not None:
        draft.vehicle.emergency_lamp[row] = command.emergency
    return ""


@on_vehicle
def select_camera(draft: Draft, _: int, command: SelectCamera) -> str:
    draft.camera = command.actor
    return ""


@on_vehicle
def steer_vehicle(draft: Draft, row: int, command: SteerVehicle) -> str:
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


def limit_control(scene: Scene, draft: Draft, command: LimitControl) -> str:
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
        low, high, fall, rise = least, most, UNLIMITED_RATE, UNLIMITED_RATE
    else:
        low, high, fall, rise = command.low, command.high, command.fall, command.rise
    if not least <= low <= high <= most:
        return f"{_CONTROL_NAMES[control]}: {least:g} <= low <= high <= {most:g}, not {low:g} and {high:g}"
    if not (_MIN_RATE <= fall <= UNLIMITED_RATE and _MIN_RATE <= rise <= UNLIMITED_RATE):
        bounds = f"{_MIN_RATE:g} to {UNLIMITED_RATE:g} a second"
        return f"{_CONTROL_NAMES[control]}: rates are {bounds}, not {fall:g} and {rise:g}"
    parameter: VehicleParameter = draft.parameter.copy()
    parameter.control_low[control, row], parameter.control_high[control, row] = low, high
    parameter.control_fall[control, row], parameter.control_rise[control, row] = fall, rise
    draft.parameter = parameter.freeze()
    return ""


@on_vehicle
def disturb_control(draft: Draft, row: int, command: DisturbControl) -> str:
    control, magnitude = command.control, command.magnitude
    if not 0 <= control <= _HAND_BRAKE:
        return f"there are controls 0 to {_HAND_BRAKE}, not {control}"
    most = math.pi if control == _WHEELS else 1.0
    if not abs(magnitude) <= most:
        return f"{_CONTROL_NAMES[control]}: -{most:g} to {most:g} can be added, not {magnitude:g}"
    if not 0.0 <= command.duration <= MAX_DISTURBANCE_TIME:
        return f"a disturbance lasts 0 to {MAX_DISTURBANCE_TIME:g} s, not {command.duration:g}"
    if control == _HAND_BRAKE:
        control, magnitude = _BRAKE, magnitude * HAND_BRAKE_SHARE
    draft.vehicle.disturbance[control, row] = magnitude
    draft.vehicle.disturbance_left[control, row] = command.duration
    return ""
