"""What each command does to the draft of the next snapshot.

One function a command; it returns why the command is refused, or an empty string.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dorosim.world.command import (
    Command,
    DriveGroundState,
    DriveGroundVehicle,
    DriveVehicle,
    FollowTrajectory,
    PlaceGhost,
    PlaceVehicle,
    SelectCamera,
)
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.driver import TrajectoryTable
from dorosim.world.vehicle.mode import ControlKind, ControlMode, DynamicsKind
from dorosim.world.vehicle.placement import place, place_ghost
from dorosim.world.vehicle.state import VehicleState


@dataclass(slots=True)
class Draft:
    """The parts of the next snapshot that commands change.

    Attributes:
        vehicle: writable copy of the vehicles.
        trajectory: the trajectories, replaced as a whole.
        camera: actor that the camera follows.
        refusals: why commands were refused.
    """

    vehicle: VehicleState
    trajectory: TrajectoryTable
    camera: int
    refusals: list[str] = field(default_factory=list)


def apply_commands(now: Snapshot, draft: Draft, commands: Sequence[Command]) -> None:
    """Apply commands in order; one that cannot be done is refused and changes nothing."""
    for command in commands:
        row = now.row_of(command.actor)
        problem = _EFFECTS[type(command)](now, draft, row, command) if row >= 0 else f"no vehicle {command.actor}"
        if problem:
            draft.refusals.append(f"{type(command).__name__}: {problem}")


def _drive(now: Snapshot, draft: Draft, row: int, command: DriveVehicle) -> str:
    if now.parameter.dynamics[row] != DynamicsKind.SINGLE_TRACK:
        return f"vehicle {command.actor} is a ground vehicle: drive it with ground vehicle commands"
    vehicle = draft.vehicle
    if command.mode is not ControlMode.KEEP:
        vehicle.control_mode[row] = command.mode
    if vehicle.control_mode[row] == ControlMode.KEYBOARD:
        # the keyboard drives: gear and pedals of peers do not count (design/seams.md, Who drives)
        return ""
    vehicle.control_mode[row] = ControlMode.AUTO
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


def _drive_ground(now: Snapshot, draft: Draft, row: int, command: DriveGroundVehicle) -> str:
    if now.parameter.dynamics[row] == DynamicsKind.SINGLE_TRACK:
        return _no_ground_vehicle(command.actor)
    vehicle = draft.vehicle
    vehicle.control_mode[row] = ControlMode.AUTO
    vehicle.control_kind[row] = ControlKind.GROUND_DIRECT
    vehicle.steer_type[row] = command.steer_type
    vehicle.throttle[row] = command.throttle
    vehicle.skid_steering[row] = command.rotation
    vehicle.axle_steer[:, row] = 0.0
    vehicle.axle_steer[: len(command.axle_steer), row] = command.axle_steer
    return ""


def _drive_ground_state(now: Snapshot, draft: Draft, row: int, command: DriveGroundState) -> str:
    if now.parameter.dynamics[row] == DynamicsKind.SINGLE_TRACK:
        return _no_ground_vehicle(command.actor)
    vehicle = draft.vehicle
    vehicle.control_mode[row] = ControlMode.AUTO
    vehicle.control_kind[row] = ControlKind.GROUND_STATE
    vehicle.target_velocity[row] = command.velocity
    vehicle.target_yaw_rate[row] = command.yaw_rate
    return ""


def _no_ground_vehicle(actor: int) -> str:
    return f"vehicle {actor} is a road vehicle, not a ground vehicle of the catalogue"


def _place_ghost(_: Snapshot, draft: Draft, row: int, command: PlaceGhost) -> str:
    place_ghost(draft.vehicle, row, command.position, command.rotation, command.speed, command.steer)
    draft.vehicle.control_mode[row] = ControlMode.GHOST
    return ""


def _place(_: Snapshot, draft: Draft, row: int, command: PlaceVehicle) -> str:
    vehicle = draft.vehicle
    place(vehicle, row, command.position, command.rotation[2], command.speed)
    vehicle.gear[row] = command.gear
    if command.mode is not ControlMode.KEEP:
        vehicle.control_mode[row] = command.mode
    if vehicle.control_kind[row] in (ControlKind.GHOST, ControlKind.HOLD):
        # a ghost becomes a vehicle with physics again, and a held one that is given a speed rolls with it
        vehicle.control_kind[row] = ControlKind.HOLD if command.speed == 0.0 else ControlKind.PEDALS
    return ""


def _follow(_: Snapshot, draft: Draft, row: int, command: FollowTrajectory) -> str:
    draft.trajectory = draft.trajectory.with_trajectory(row, command.points)
    draft.vehicle.control_mode[row] = ControlMode.AUTO
    draft.vehicle.control_kind[row] = ControlKind.TRAJECTORY
    draft.vehicle.trajectory_index[row] = 0
    return ""


def _select_camera(_: Snapshot, draft: Draft, row: int, command: SelectCamera) -> str:  # noqa: ARG001
    draft.camera = command.actor
    return ""


_EFFECTS: dict[type[Any], Callable[[Snapshot, Draft, int, Any], str]] = {
    DriveVehicle: _drive,
    DriveGroundVehicle: _drive_ground,
    DriveGroundState: _drive_ground_state,
    PlaceGhost: _place_ghost,
    PlaceVehicle: _place,
    FollowTrajectory: _follow,
    SelectCamera: _select_camera,
}
