"""Effects of the commands of a user at the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dorosim.world.draft import Draft
from dorosim.world.effect.bound import problem_with_numbers
from dorosim.world.scene import Scene
from dorosim.world.vehicle.drive_effect import select_mode, to_keyboard, to_vehicle
from dorosim.world.vehicle.keyboard_command import DriveByKeyboard, LeaveKeyboard, TakeKeyboard
from dorosim.world.vehicle.mode import ControlKind, ControlMode


def _take(draft: Draft, row: int, _: TakeKeyboard) -> str:
    vehicle = draft.vehicle
    if vehicle.control_mode[row] != ControlMode.KEYBOARD:
        to_keyboard(vehicle, row)
    vehicle.seized[row] = 1
    return ""


def _drive(draft: Draft, row: int, command: DriveByKeyboard) -> str:
    vehicle = draft.vehicle
    problem = problem_with_numbers(command.accelerator, command.brake, command.steer)
    if problem:
        return problem
    mode = ControlMode(int(vehicle.control_mode[row]))
    if mode is not ControlMode.KEYBOARD:
        return f"the vehicle is in {mode.name.lower()} mode; the keyboard takes it over first"
    vehicle.seized[row] = 1
    if command.gear is not None:
        vehicle.gear[row] = command.gear
    vehicle.control_kind[row] = ControlKind.PEDALS
    # as messages of other sources are held to their documented ranges before they become commands
    vehicle.target_accelerator[row] = min(max(command.accelerator, 0.0), 1.0)
    vehicle.target_brake[row] = min(max(command.brake, 0.0), 1.0)
    vehicle.target_steer[row], vehicle.target_rear_steer[row] = command.steer, 0.0
    return ""


def _leave(draft: Draft, row: int, command: LeaveKeyboard) -> str:
    vehicle = draft.vehicle
    if vehicle.control_mode[row] != ControlMode.KEYBOARD:
        return ""  # the run has begun anew: there is nothing to leave
    if command.mode is ControlMode.GHOST:
        return "only who places a vehicle brings it into ghost mode"
    vehicle.seized[row] = 0
    vehicle.control_kind[row] = ControlKind.HOLD
    if command.mode is not ControlMode.KEEP:
        select_mode(vehicle, row, command.mode)
    return ""


KEYBOARD_EFFECTS: dict[type[Any], Callable[[Scene, Draft, Any], str]] = {
    TakeKeyboard: to_vehicle(_take),
    DriveByKeyboard: to_vehicle(_drive),
    LeaveKeyboard: to_vehicle(_leave),
}
"""Effect of each command."""
