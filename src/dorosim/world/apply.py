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
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
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


def _drive(_: Snapshot, draft: Draft, row: int, command: DriveVehicle) -> str:
    vehicle = draft.vehicle
    if command.mode is ControlMode.KEYBOARD:
        if vehicle.control_mode[row] == ControlMode.KEYBOARD:
            return _not_driven_by_peers(vehicle, row)
        _to_keyboard(vehicle, row)
        return ""
    if command.mode is ControlMode.AUTO:
        vehicle.control_mode[row] = ControlMode.AUTO
    problem = _not_driven_by_peers(vehicle, row)
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


def _not_driven_by_peers(vehicle: VehicleState, row: int) -> str:
    """Why a peer's command without a mode of its own does not count, or an empty string."""
    mode = ControlMode(int(vehicle.control_mode[row]))
    return "" if mode is ControlMode.AUTO else f"the vehicle is in {mode.name.lower()} mode; ask for auto mode"


def _to_keyboard(vehicle: VehicleState, row: int) -> None:
    """The keyboard takes over: until a key is pressed a held vehicle is held, and another one rolls."""
    vehicle.control_mode[row] = ControlMode.KEYBOARD
    if vehicle.control_kind[row] != ControlKind.HOLD:
        _let_go(vehicle, row)


def _let_go(vehicle: VehicleState, row: int) -> None:
    """Feet off the pedals, wheels straight."""
    vehicle.control_kind[row] = ControlKind.PEDALS
    vehicle.target_accelerator[row] = vehicle.target_brake[row] = 0.0
    vehicle.target_steer[row] = vehicle.target_rear_steer[row] = 0.0


def _drive_ground(_: Snapshot, draft: Draft, row: int, command: DriveGroundVehicle) -> str:
    vehicle = draft.vehicle
    problem = _not_driven_by_peers(vehicle, row)
    if problem:
        return problem
    vehicle.control_kind[row] = ControlKind.GROUND_DIRECT
    vehicle.steer_type[row] = command.steer_type
    vehicle.throttle[row] = command.throttle
    vehicle.skid_steering[row] = command.rotation
    vehicle.axle_steer[:, row] = 0.0
    vehicle.axle_steer[: len(command.axle_steer), row] = command.axle_steer[: len(vehicle.axle_steer)]
    return ""


def _drive_ground_state(_: Snapshot, draft: Draft, row: int, command: DriveGroundState) -> str:
    vehicle = draft.vehicle
    problem = _not_driven_by_peers(vehicle, row)
    if problem:
        return problem
    vehicle.control_kind[row] = ControlKind.GROUND_STATE
    vehicle.target_velocity[row] = command.velocity
    vehicle.target_yaw_rate[row] = command.yaw_rate
    return ""


def _place_ghost(_: Snapshot, draft: Draft, row: int, command: PlaceGhost) -> str:
    vehicle = draft.vehicle
    if vehicle.control_mode[row] == ControlMode.KEYBOARD:
        return _not_driven_by_peers(vehicle, row)
    place_ghost(vehicle, row, command.position, command.rotation, command.speed, command.steer)
    vehicle.control_mode[row] = ControlMode.GHOST
    return ""


def _place(_: Snapshot, draft: Draft, row: int, command: PlaceVehicle) -> str:
    vehicle = draft.vehicle
    place(vehicle, row, command.position, command.rotation[2], command.speed)
    vehicle.gear[row] = command.gear
    if command.mode is not ControlMode.KEEP:
        vehicle.control_mode[row] = command.mode
    elif vehicle.control_mode[row] == ControlMode.GHOST:
        vehicle.control_mode[row] = ControlMode.AUTO
    # what was asked of it elsewhere does not hold here: it stands, or it rolls with the speed that it was given
    _let_go(vehicle, row)
    if command.speed == 0.0:
        vehicle.control_kind[row] = ControlKind.HOLD
    return ""


def _follow(_: Snapshot, draft: Draft, row: int, command: FollowTrajectory) -> str:
    vehicle = draft.vehicle
    problem = _not_driven_by_peers(vehicle, row)
    if problem:
        return problem
    points = command.points
    if len(points) == 1:
        # one point is a way from here to there
        points = ((float(vehicle.x[row]), float(vehicle.y[row]), float(vehicle.z[row]), points[0][3]), points[0])
    draft.trajectory = draft.trajectory.with_trajectory(row, points)
    vehicle.control_kind[row] = ControlKind.TRAJECTORY
    vehicle.trajectory_index[row] = 0
    # the message carries no gear, and the driver drives forwards
    vehicle.gear[row] = Gear.D
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
