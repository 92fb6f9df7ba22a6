"""What commands do that make a vehicle with full dynamics, or change what it is."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dorosim.ground.error import InputError
from dorosim.world.actor.number import LAST_NUMBER
from dorosim.world.draft import Draft
from dorosim.world.effect.bound import FASTEST, problem_with_pose, problem_with_speed
from dorosim.world.scene import Scene
from dorosim.world.vehicle.command import ChangeLimits, CreateVehicle, SelectCamera, SetCruise, SetLamps
from dorosim.world.vehicle.drive_effect import to_vehicle
from dorosim.world.vehicle.driver import TrajectoryTable
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.placement import new_vehicle_rows, place

LIGHTEST, HEAVIEST = 0.1, 10.0
"""Bounds of masses over that of the model: the air stops far lighter ones faster than a step resolves."""
LEAST_FORCE = 1e-3
"""Bound of the greatest braking force [N]."""
ALL_IDS_GIVEN = f"{LAST_NUMBER} actors are there, and no more can be told apart; remove some"
"""Why nothing can be made."""

_BOUNDS: dict[str, tuple[float, float]] = {
    "max_steer": (0.0, 0.5 * math.pi),
    "max_rear_steer": (0.0, 0.5 * math.pi),
    "steer_rate": (1e-3, 100.0),
    "max_speed": (0.0, FASTEST),
    "max_reverse_speed": (0.0, FASTEST),
    "max_acceleration": (0.0, 100.0),
    "max_deceleration": (0.0, 100.0),
}


def _create(_: Scene, draft: Draft, command: CreateVehicle) -> str:
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
    if 0.0 <= ratio <= 10.0 and 0.0 <= speed <= FASTEST:
        return ""
    return f"ratio {ratio:g} is not within 0 to 10, or speed {speed:g} m/s not within 0 to {FASTEST:g}"


def _set_cruise(draft: Draft, row: int, command: SetCruise) -> str:
    problem = _problem_with_cruise(command.ratio, command.speed)
    if problem:
        return problem
    draft.vehicle.cruise_ratio[row], draft.vehicle.cruise_speed[row] = command.ratio, command.speed
    return ""


def _change_limits(scene: Scene, draft: Draft, command: ChangeLimits) -> str:
    row = draft.row_of(command.actor)
    if row < 0:
        return f"no vehicle {command.actor}"
    usual = scene.models[draft.vehicle.model[row]].mass
    bounds = {"mass": (LIGHTEST * usual, HEAVIEST * usual), **_BOUNDS}
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
        parameter.brake_force[row] = max(deceleration * parameter.mass[row], LEAST_FORCE)
    if "max_steer" in asked:
        steered = parameter.axle_max_steer[:, row]
        steered[:] = np.where(steered > 0.0, asked["max_steer"], 0.0)
    for name, value in asked.items():
        getattr(parameter, name)[row] = value


def _set_lamps(draft: Draft, row: int, command: SetLamps) -> str:
    if command.turn is not None:
        draft.vehicle.turn_lamp[row] = command.turn
    if command.emergency is not None:
        draft.vehicle.emergency_lamp[row] = command.emergency
    return ""


def _select_camera(draft: Draft, _: int, command: SelectCamera) -> str:
    draft.camera = command.actor
    return ""


VEHICLE_EFFECTS: dict[type[Any], Callable[[Scene, Draft, Any], str]] = {
    CreateVehicle: _create,
    SetCruise: to_vehicle(_set_cruise),
    ChangeLimits: _change_limits,
    SetLamps: to_vehicle(_set_lamps),
    SelectCamera: to_vehicle(_select_camera),
}
"""Effect of each command."""
