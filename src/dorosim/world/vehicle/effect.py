"""What commands do that make a vehicle with full dynamics, or change what it is or a control of it."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from dorosim.world.collision.body import BodyKind
from dorosim.world.collision.room import Footprint, check_clear
from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.effect_common import (
    MAX_COMMANDED_SPEED,
    check_numbers,
    check_pose,
    check_speed,
    check_up_to,
    new_id,
    refusing_input,
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
from dorosim.world.vehicle.drive_effect import check_driven_by_peers, on_vehicle
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


def _check_clear(scene: Scene, draft: Draft, size: VehicleParameter, command: CreateVehicle) -> None:
    (x, y, z), yaw = command.position, command.rotation[2]
    middle = 0.5 * float((size.wheelbase + size.front_overhang - size.rear_overhang)[0])
    place = (x + middle * math.cos(yaw), y + middle * math.sin(yaw), z, yaw)
    box = Footprint(*place, float(size.length[0]), float(size.width[0]), float(size.height[0]))
    check_clear(scene, draft, BodyKind.EGO, box)


def create_vehicle(scene: Scene, draft: Draft, command: CreateVehicle) -> None:
    check_pose(command.position, command.rotation)
    check_speed(command.speed)
    _check_cruise(command.cruise_ratio, command.cruise_speed)
    with refusing_input():
        vehicle, parameter = new_vehicle_rows([0], [command.model])
    _check_clear(scene, draft, parameter, command)
    actor = new_id(draft)
    vehicle.id[0], vehicle.gear[0], vehicle.brake[0] = actor, command.gear, 1.0
    place(vehicle, 0, command.position, command.rotation[2], command.speed)
    if command.speed != 0.0:
        # a vehicle created in motion rolls, as one that is placed does, and is not held
        vehicle.control_kind[0], vehicle.brake[0] = ControlKind.ROLL, 0.0
    if command.mode is not ControlMode.KEEP:
        vehicle.control_mode[0] = command.mode
    vehicle.cruise_ratio[0], vehicle.cruise_speed[0] = command.cruise_ratio, command.cruise_speed
    vehicle.paused[0] = command.paused
    draft.egos += (actor,)
    draft.vehicle = draft.vehicle.append(vehicle)
    draft.parameter = draft.parameter.append(parameter).freeze()
    draft.trajectory = draft.trajectory.append(TrajectoryTable.empty(1))


def _check_cruise(ratio: float, speed: float) -> None:
    check_up_to(10.0, "", ratio=ratio)
    check_up_to(MAX_COMMANDED_SPEED, " m/s", speed=speed)


@on_vehicle
def set_cruise(draft: Draft, row: int, command: SetCruise) -> None:
    _check_cruise(command.ratio, command.speed)
    draft.vehicle.cruise_ratio[row], draft.vehicle.cruise_speed[row] = command.ratio, command.speed


def change_limits(scene: Scene, draft: Draft, command: ChangeLimits) -> None:
    row = draft.row_of(command.actor)
    if row < 0:
        raise CommandError(f"no vehicle {command.actor}")
    usual = scene.models[draft.vehicle.model[row]].mass
    bounds = {"mass": (MIN_MASS_SHARE * usual, MAX_MASS_SHARE * usual), **_BOUNDS}
    asked = {name: getattr(command, name) for name in bounds if getattr(command, name) is not None}
    for name, value in asked.items():
        low, high = bounds[name]
        if not low <= value <= high:
            raise CommandError(f"{name.replace('_', ' ')}: {low:g} to {high:g}, not {value:g}")
    parameter = draft.parameter.copy()
    write_limits(parameter, row, asked)
    draft.parameter = parameter.freeze()


def write_limits(parameter: VehicleParameter, row: int, limits: Mapping[str, float]) -> None:
    """Write limits. Forces go with the mass that the vehicle has then, and inertia with the mass.

    Args:
        parameter: of vehicles.
        row: of one.
        limits: by their names in `ChangeLimits`.
    """
    asked = dict(limits)
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
def set_lamps(draft: Draft, row: int, command: SetLamps) -> None:
    if command.turn is not None:
        draft.vehicle.turn_lamp[row] = command.turn
    if command.emergency is not None:
        draft.vehicle.emergency_lamp[row] = command.emergency


@on_vehicle
def select_camera(draft: Draft, _: int, command: SelectCamera) -> None:
    draft.camera = command.actor


@on_vehicle
def steer_vehicle(draft: Draft, row: int, command: SteerVehicle) -> None:
    vehicle = draft.vehicle
    check_numbers(command.steer)
    check_driven_by_peers(vehicle, row)
    kind = vehicle.control_kind[row]
    if kind in {ControlKind.GROUND_DIRECT, ControlKind.GROUND_STATE, ControlKind.TRAJECTORY}:
        other = ControlKind(int(kind)).name.lower()
        raise CommandError(f"the vehicle follows a command of another kind, {other}; drive it first")
    if kind == ControlKind.HOLD:
        # HOLD keeps the wheels as they are; a full brake holds the vehicle as well
        vehicle.control_kind[row] = ControlKind.PEDALS
        vehicle.target_accelerator[row], vehicle.target_brake[row] = 0.0, 1.0
    vehicle.target_steer[row] = command.steer


def limit_control(scene: Scene, draft: Draft, command: LimitControl) -> None:
    row, control = draft.row_of(command.actor), command.control
    if row < 0:
        raise CommandError(f"no vehicle {command.actor}")
    if not 0 <= control <= _WHEELS:
        raise CommandError(f"there are controls 0 to {_WHEELS}, not {control}")
    check_numbers(command.low, command.high, command.fall, command.rise)
    if draft.parameter.dynamics[row] != DynamicsKind.SINGLE_TRACK:
        raise CommandError("a ground vehicle has no pedals and no steering wheel")
    model = scene.models[draft.vehicle.model[row]]
    least, most = model.control_low[control], model.control_high[control]
    if command.reset:
        low, high, fall, rise = least, most, UNLIMITED_RATE, UNLIMITED_RATE
    else:
        low, high, fall, rise = command.low, command.high, command.fall, command.rise
    if not least <= low <= high <= most:
        raise CommandError(f"{_CONTROL_NAMES[control]}: {least:g} <= low <= high <= {most:g}, not {low:g} and {high:g}")
    if not (_MIN_RATE <= fall <= UNLIMITED_RATE and _MIN_RATE <= rise <= UNLIMITED_RATE):
        bounds = f"{_MIN_RATE:g} to {UNLIMITED_RATE:g} a second"
        raise CommandError(f"{_CONTROL_NAMES[control]}: rates are {bounds}, not {fall:g} and {rise:g}")
    parameter: VehicleParameter = draft.parameter.copy()
    parameter.control_low[control, row], parameter.control_high[control, row] = low, high
    parameter.control_fall[control, row], parameter.control_rise[control, row] = fall, rise
    draft.parameter = parameter.freeze()


@on_vehicle
def disturb_control(draft: Draft, row: int, command: DisturbControl) -> None:
    control, magnitude = command.control, command.magnitude
    if not 0 <= control <= _HAND_BRAKE:
        raise CommandError(f"there are controls 0 to {_HAND_BRAKE}, not {control}")
    most = math.pi if control == _WHEELS else 1.0
    if not abs(magnitude) <= most:
        raise CommandError(f"{_CONTROL_NAMES[control]}: -{most:g} to {most:g} can be added, not {magnitude:g}")
    check_up_to(MAX_DISTURBANCE_TIME, " s", duration=command.duration)
    if control == _HAND_BRAKE:
        control, magnitude = _BRAKE, magnitude * HAND_BRAKE_SHARE
    draft.vehicle.disturbance[control, row] = magnitude
    draft.vehicle.disturbance_left[control, row] = command.duration
