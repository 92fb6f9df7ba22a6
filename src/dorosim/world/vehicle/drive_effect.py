"""What the commands do that drive and place a vehicle with full dynamics, those of the keyboard among them."""

from __future__ import annotations

from functools import wraps
from typing import Any

from dorosim.ground.physics import MAX_COORDINATE
from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.effect_common import (
    MAX_COMMANDED_SPEED,
    Effect,
    RowEffect,
    check_numbers,
    check_pose,
    check_speed,
    within,
)
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


def on_vehicle(effect: RowEffect) -> Effect:
    """Makes the effect of a command to a vehicle with full dynamics from one that takes the vehicle's row.

    It stands here, and not beside those of other actors, so that a control command enters no module more on its way.
    """

    @wraps(effect)
    def apply(_: Scene, draft: Draft, command: Any) -> None:
        row = draft.row_of(command.actor)
        if row < 0:
            raise CommandError(f"no vehicle {command.actor}")
        effect(draft, row, command)

    return apply


@on_vehicle
def set_mode(draft: Draft, row: int, command: SelectMode) -> None:
    vehicle = draft.vehicle
    _check_not_seized(vehicle, row)
    if command.mode is ControlMode.KEYBOARD:
        if vehicle.control_mode[row] != ControlMode.KEYBOARD:
            to_keyboard(vehicle, row)
    elif command.mode is not ControlMode.KEEP:
        select_mode(vehicle, row, command.mode)
    if command.gear is not None:
        vehicle.gear[row] = command.gear


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
def drive_vehicle(draft: Draft, row: int, command: DriveVehicle) -> None:
    vehicle = draft.vehicle
    asked = (command.accelerator, command.brake, command.velocity, command.acceleration)
    check_numbers(*asked, command.steer, command.rear_steer)
    _check_not_seized(vehicle, row)
    if command.mode is ControlMode.KEYBOARD:
        if vehicle.control_mode[row] == ControlMode.KEYBOARD:
            check_driven_by_peers(vehicle, row)
        to_keyboard(vehicle, row)
        return
    if command.mode in {ControlMode.AUTO, ControlMode.CRUISE}:
        select_mode(vehicle, row, command.mode)
        if command.mode is ControlMode.CRUISE:
            return
    check_driven_by_peers(vehicle, row)
    if command.gear is not None:
        vehicle.gear[row] = command.gear
    vehicle.control_kind[row] = command.kind
    vehicle.target_accelerator[row] = command.accelerator
    vehicle.target_brake[row] = command.brake
    vehicle.target_velocity[row] = command.velocity
    vehicle.target_acceleration[row] = command.acceleration
    vehicle.target_steer[row] = command.steer
    vehicle.target_rear_steer[row] = command.rear_steer


def _check_not_seized(vehicle: VehicleState, row: int) -> None:
    """Refuse a change of the control mode by any other source while a client drives by the keyboard."""
    if vehicle.seized[row]:
        raise CommandError("somebody drives the vehicle by the keyboard of the live page, who gives it back with Q")


def check_driven_by_peers(vehicle: VehicleState, row: int) -> None:
    """Refuse a peer's command that sets no control mode, if the vehicle is not in auto mode."""
    _check_not_seized(vehicle, row)
    mode = ControlMode(int(vehicle.control_mode[row]))
    if mode is not ControlMode.AUTO:
        raise CommandError(f"the vehicle is in {mode.name.lower()} mode; ask for auto mode")


def to_keyboard(vehicle: VehicleState, row: int) -> None:
    """Set keyboard mode: until the user presses a key, a held vehicle stays held, and another one rolls."""
    vehicle.control_mode[row] = ControlMode.KEYBOARD
    if vehicle.control_kind[row] != ControlKind.HOLD:
        _let_go(vehicle, row)


def _let_go(vehicle: VehicleState, row: int) -> None:
    """Command released pedals and straight wheels; the vehicle rolls, and does not creep before it is driven."""
    vehicle.control_kind[row] = ControlKind.ROLL
    vehicle.target_accelerator[row] = vehicle.target_brake[row] = 0.0
    vehicle.target_steer[row] = vehicle.target_rear_steer[row] = 0.0


@on_vehicle
def drive_ground_vehicle(draft: Draft, row: int, command: DriveGroundVehicle) -> None:
    vehicle = draft.vehicle
    check_numbers(command.throttle, command.rotation, *command.axle_steer)
    check_driven_by_peers(vehicle, row)
    vehicle.control_kind[row] = ControlKind.GROUND_DIRECT
    vehicle.steer_type[row] = command.steer_type
    vehicle.throttle[row] = command.throttle
    vehicle.skid_steering[row] = command.rotation
    vehicle.axle_steer[:, row] = 0.0
    vehicle.axle_steer[: len(command.axle_steer), row] = command.axle_steer[: len(vehicle.axle_steer)]


@on_vehicle
def drive_ground_state(draft: Draft, row: int, command: DriveGroundState) -> None:
    vehicle = draft.vehicle
    check_numbers(command.velocity, command.yaw_rate)
    check_driven_by_peers(vehicle, row)
    vehicle.control_kind[row] = ControlKind.GROUND_STATE
    vehicle.target_velocity[row] = command.velocity
    vehicle.target_yaw_rate[row] = command.yaw_rate


@on_vehicle
def place_vehicle_ghost(draft: Draft, row: int, command: PlaceGhost) -> None:
    vehicle = draft.vehicle
    if vehicle.control_mode[row] == ControlMode.KEYBOARD:
        check_driven_by_peers(vehicle, row)
    check_pose(command.position, command.rotation)
    check_speed(command.speed)
    check_numbers(command.steer)
    placement.place_ghost(vehicle, row, command.position, command.rotation, command.speed, command.steer)
    vehicle.control_mode[row] = ControlMode.GHOST


@on_vehicle
def place_vehicle(draft: Draft, row: int, command: PlaceVehicle) -> None:
    vehicle = draft.vehicle
    check_pose(command.position, command.rotation)
    check_speed(command.speed)
    if command.mode is not ControlMode.KEEP:
        _check_not_seized(vehicle, row)
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


@on_vehicle
def follow_trajectory(draft: Draft, row: int, command: FollowTrajectory) -> None:
    vehicle, points = draft.vehicle, command.points
    _check_trajectory(points)
    check_driven_by_peers(vehicle, row)
    if len(points) == 1:
        # one point is a way from here to there
        points = ((float(vehicle.x[row]), float(vehicle.y[row]), float(vehicle.z[row]), points[0][3]), points[0])
    draft.trajectory = draft.trajectory.with_trajectory(row, points)
    vehicle.control_kind[row] = ControlKind.TRAJECTORY
    vehicle.trajectory_index[row] = 0
    # the message carries no gear, and the driver drives forwards
    vehicle.gear[row] = Gear.D


def _check_trajectory(points: tuple[tuple[float, float, float, float], ...]) -> None:
    """Why a trajectory cannot be followed, or an empty string."""
    if not points:
        raise CommandError("a trajectory of no points")
    for number, (*point, speed) in enumerate(points):
        if not within(MAX_COORDINATE, *point) or not within(MAX_COMMANDED_SPEED, speed):
            raise CommandError(f"point {number} of the trajectory: {points[number]} is not a valid place and speed")


@on_vehicle
def take_keyboard(draft: Draft, row: int, _: TakeKeyboard) -> None:
    vehicle = draft.vehicle
    if vehicle.control_mode[row] != ControlMode.KEYBOARD:
        to_keyboard(vehicle, row)
    vehicle.seized[row] = 1


@on_vehicle
def drive_by_keyboard(draft: Draft, row: int, command: DriveByKeyboard) -> None:
    vehicle = draft.vehicle
    check_numbers(command.accelerator, command.brake, command.steer)
    mode = ControlMode(int(vehicle.control_mode[row]))
    if mode is not ControlMode.KEYBOARD:
        raise CommandError(f"the vehicle is in {mode.name.lower()} mode; the keyboard takes it over first")
    vehicle.seized[row] = 1
    if command.gear is not None:
        vehicle.gear[row] = command.gear
    # no key is a foot on the brake, so a vehicle that keys have stopped does not creep
    vehicle.control_kind[row] = ControlKind.ROLL
    # as messages of other sources are held to their documented ranges before they become commands
    vehicle.target_accelerator[row] = min(max(command.accelerator, 0.0), 1.0)
    vehicle.target_brake[row] = min(max(command.brake, 0.0), 1.0)
    vehicle.target_steer[row], vehicle.target_rear_steer[row] = command.steer, 0.0


@on_vehicle
def leave_keyboard(draft: Draft, row: int, command: LeaveKeyboard) -> None:
    vehicle = draft.vehicle
    if vehicle.control_mode[row] != ControlMode.KEYBOARD:
        return  # the run has begun anew: there is nothing to leave
    if command.mode is ControlMode.GHOST:
        raise CommandError("only who places a vehicle brings it into ghost mode")
    vehicle.seized[row] = 0
    vehicle.control_kind[row] = ControlKind.HOLD
    if command.mode is not ControlMode.KEEP:
        select_mode(vehicle, row, command.mode)
