"""What the commands do that drive and place a vehicle with full dynamics, those of the keyboard among them."""

from __future__ import annotations

from functools import wraps
from typing import Any

from dorosim.ground.physics import MAX_COORDINATE
from dorosim.world.draft import Draft
from dorosim.world.effect_common import Effect, RowEffect, problem_with_numbers, problem_with_pose, problem_with_speed
from dorosim.world.scene import Scene
from dorosim.world.vehicle import placement
from dorosim.world.vehicle.command import (
    DriveByKeyboard,
    DriveGroundState,
    DriveGroundVehicle,
    DriveVehicle,
    FollowTrajectory,
    LeaveKeyboard,
    PlaceGhost,
    PlaceVehicle,
    SelectMode,
    TakeKeyboard,
)
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from dorosim.world.vehicle.state import VehicleState

DRIVEN_BY_KEYBOARD = "somebody drives the vehicle by the keyboard of the live page, who gives it back with Q"
"""Why no other source changes the control mode."""


def on_vehicle(effect: RowEffect) -> Effect:
    """Makes the effect of a command to a vehicle with full dynamics from one that takes the vehicle's row.

    It stands here, and not beside those of other actors, so that a control command enters no module more on its way.
    """

    @wraps(effect)
    def apply(_: Scene, draft: Draft, command: Any) -> str:
        row = draft.row_of(command.actor)
        return effect(draft, row, command) if row >= 0 else f"no vehicle {command.actor}"

    return apply


@on_vehicle
def set_mode(draft: Draft, row: int, command: SelectMode) -> str:
    vehicle = draft.vehicle
    if vehicle.seized[row]:
        return DRIVEN_BY_KEYBOARD
    if command.mode is ControlMode.KEYBOARD:
        if vehicle.control_mode[row] != ControlMode.KEYBOARD:
            to_keyboard(vehicle, row)
    elif command.mode is not ControlMode.KEEP:
        select_mode(vehicle, row, command.mode)
    if command.gear is not None:
        vehicle.gear[row] = command.gear
    return ""


def select_mode(vehicle: VehicleState, row: int, mode: ControlMode) -> None:
    """Set the control mode. A vehicle that leaves cruise or ghost mode is held by its brake at first."""
    before = vehicle.control_mode[row]
    if before != mode and before in {ControlMode.CRUISE, ControlMode.GHOST}:
        _let_go(vehicle, row)
        vehicle.control_kind[row] = ControlKind.HOLD
    if mode is ControlMode.CRUISE:
        vehicle.gear[row] = Gear.D
    vehicle.control_mode[row] = mode


@on_vehicle
def drive_vehicle(draft: Draft, row: int, command: DriveVehicle) -> str:
    vehicle = draft.vehicle
    asked = (command.accelerator, command.brake, command.velocity, command.acceleration)
    problem = problem_with_numbers(*asked, command.steer, command.rear_steer)
    if problem:
        return problem
    if vehicle.seized[row]:
        return DRIVEN_BY_KEYBOARD
    if command.mode is ControlMode.KEYBOARD:
        if vehicle.control_mode[row] == ControlMode.KEYBOARD:
            return not_driven_by_peers(vehicle, row)
        to_keyboard(vehicle, row)
        return ""
    if command.mode in {ControlMode.AUTO, ControlMode.CRUISE}:
        select_mode(vehicle, row, command.mode)
        if command.mode is ControlMode.CRUISE:
            return ""
    problem = not_driven_by_peers(vehicle, row)
    if problem:
        return problem
    if command.gear is not None:
        vehicle.gear[row] = command.gear
    vehicle.control_kind[row] = command.kind
    vehicle.target_accelerator[row] = command.accelerator
    vehicle.target_brake[row] = command.brake
    vehicle.target_velocity[row] = command.velocity
    vehicle.target_acceleration[row] = command.acceleration
    vehicle.target_steer[row] = command.steer
    vehicle.target_rear_steer[row] = command.rear_steer
    return ""


def not_driven_by_peers(vehicle: VehicleState, row: int) -> str:
    """Why a peer's command that sets no control mode is refused, or an empty string."""
    if vehicle.seized[row]:
        return DRIVEN_BY_KEYBOARD
    mode = ControlMode(int(vehicle.control_mode[row]))
    return "" if mode is ControlMode.AUTO else f"the vehicle is in {mode.name.lower()} mode; ask for auto mode"


def to_keyboard(vehicle: VehicleState, row: int) -> None:
    """Set keyboard mode: until the user presses a key, a held vehicle stays held, and another one rolls."""
    vehicle.control_mode[row] = ControlMode.KEYBOARD
    if vehicle.control_kind[row] != ControlKind.HOLD:
        _let_go(vehicle, row)


def _let_go(vehicle: VehicleState, row: int) -> None:
    """Command released pedals and straight wheels."""
    vehicle.control_kind[row] = ControlKind.PEDALS
    vehicle.target_accelerator[row] = vehicle.target_brake[row] = 0.0
    vehicle.target_steer[row] = vehicle.target_rear_steer[row] = 0.0


@on_vehicle
def drive_ground_vehicle(draft: Draft, row: int, command: DriveGroundVehicle) -> str:
    vehicle = draft.vehicle
    problem = problem_with_numbers(command.throttle, command.rotation, *command.axle_steer)
    problem = problem or not_driven_by_peers(vehicle, row)
    if problem:
        return problem
    vehicle.control_kind[row] = ControlKind.GROUND_DIRECT
    vehicle.steer_type[row] = command.steer_type
    vehicle.throttle[row] = command.throttle
    vehicle.skid_steering[row] = command.rotation
    vehicle.axle_steer[:, row] = 0.0
    vehicle.axle_steer[: len(command.axle_steer), row] = command.axle_steer[: len(vehicle.axle_steer)]
    return ""


@on_vehicle
def drive_ground_state(draft: Draft, row: int, command: DriveGroundState) -> str:
    vehicle = draft.vehicle
    problem = problem_with_numbers(command.velocity, command.yaw_rate) or not_driven_by_peers(vehicle, row)
    if problem:
        return problem
    vehicle.control_kind[row] = ControlKind.GROUND_STATE
    vehicle.target_velocity[row] = command.velocity
    vehicle.target_yaw_rate[row] = command.yaw_rate
    return ""


@on_vehicle
def place_vehicle_ghost(draft: Draft, row: int, command: PlaceGhost) -> str:
    vehicle = draft.vehicle
    if vehicle.control_mode[row] == ControlMode.KEYBOARD:
        return not_driven_by_peers(vehicle, row)
    problem = problem_with_pose(command.position, command.rotation)
    problem = problem or problem_with_speed(command.speed) or problem_with_numbers(command.steer)
    if problem:
        return problem
    placement.place_ghost(vehicle, row, command.position, command.rotation, command.speed, command.steer)
    vehicle.control_mode[row] = ControlMode.GHOST
    return ""


@on_vehicle
def place_vehicle(draft: Draft, row: int, command: PlaceVehicle) -> str:
    vehicle = draft.vehicle
    problem = problem_with_pose(command.position, command.rotation) or problem_with_speed(command.speed)
    if problem:
        return problem
    if vehicle.seized[row] and command.mode is not ControlMode.KEEP:
        return DRIVEN_BY_KEYBOARD
    placement.place(vehicle, row, command.position, command.rotation[2], command.speed, command.rotation[:2])
    vehicle.gear[row] = command.gear
    if command.mode is not ControlMode.KEEP:
        select_mode(vehicle, row, command.mode)
    elif vehicle.control_mode[row] == ControlMode.GHOST:
        vehicle.control_mode[row] = ControlMode.AUTO
    # what was asked of it elsewhere does not hold here: it stands, or it rolls with the speed that it was given
    _let_go(vehicle, row)
    if command.speed == 0.0:
        vehicle.control_kind[row] = ControlKind.HOLD
    return ""


@on_vehicle
def follow_trajectory(draft: Draft, row: int, command: FollowTrajectory) -> str:
    vehicle, points = draft.vehicle, command.points
    problem = _problem_with_trajectory(points) or not_driven_by_peers(vehicle, row)
    if problem:
        return problem
    if len(points) == 1:
        # one point is a way from here to there
        points = ((float(vehicle.x[row]), float(vehicle.y[row]), float(vehicle.z[row]), points[0][3]), points[0])
    draft.trajectory = draft.trajectory.with_trajectory(row, points)
    vehicle.control_kind[row] = ControlKind.TRAJECTORY
    vehicle.trajectory_index[row] = 0
    # the message carries no gear, and the driver drives forwards
    vehicle.gear[row] = Gear.D
    return ""


def _problem_with_trajectory(points: tuple[tuple[float, float, float, float], ...]) -> str:
    """Why a trajectory cannot be followed, or an empty string."""
    if not points:
        return "a trajectory of no points"
    for number, (*point, speed) in enumerate(points):
        if not all(abs(part) <= MAX_COORDINATE for part in point) or problem_with_speed(speed):
            return f"point {number} of the trajectory: {points[number]} is no place and speed"
    return ""


@on_vehicle
def take_keyboard(draft: Draft, row: int, _: TakeKeyboard) -> str:
    vehicle = draft.vehicle
    if vehicle.control_mode[row] != ControlMode.KEYBOARD:
        to_keyboard(vehicle, row)
    vehicle.seized[row] = 1
    return ""


@on_vehicle
def drive_by_keyboard(draft: Draft, row: int, command: DriveByKeyboard) -> str:
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


@on_vehicle
def leave_keyboard(draft: Draft, row: int, command: LeaveKeyboard) -> str:
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
