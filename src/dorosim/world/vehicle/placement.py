"""Functions that write rows of the vehicle table: new vehicles, and vehicles put somewhere."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dorosim.world.vehicle.catalogue import VEHICLE_MODELS, model_row, parameters_of
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear, SteerType
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

_AT_REST = (
    "roll",
    "pitch",
    "velocity_y",
    "velocity_z",
    "angular_velocity",
    "acceleration",
    "steer",
    "rear_steer",
    "accelerator",
    "brake",
    "tire_lateral_force",
    "tire_slip_angle",
    "tire_cornering_stiffness",
    "drive_force",
    "demanded_acceleration",
    "axle_angle",
    "heave",
    "heave_rate",
    "roll_lag",
    "pitch_lag",
)
"""Columns that a placement sets to zero. The held command stays."""


def new_vehicle_rows(ids: Sequence[int], names: Sequence[str]) -> tuple[VehicleState, VehicleParameter]:
    """Writable rows for new vehicles, to be appended to the tables and then placed.

    A new vehicle stands in auto mode and gear D, held by its brake (seams: "Who drives").

    Args:
        ids: actor ids.
        names: model names, one per id.

    Raises:
        InputError: a name is not in the catalogue.
    """
    rows = [model_row(name) for name in names]
    state = VehicleState.zeros(len(rows))
    state.id[:] = ids
    state.model[:] = rows
    state.gear[:] = Gear.D
    state.control_mode[:] = ControlMode.AUTO
    state.control_kind[:] = ControlKind.HOLD
    state.steer_type[:] = SteerType.ACKERMANN
    state.segment[:] = -1
    state.surface_friction[:] = 1.0
    state.placed[:] = 1
    state.cruise_ratio[:] = 1.0
    return state, parameters_of([VEHICLE_MODELS[row] for row in rows])


def place(
    state: VehicleState,
    row: int,
    position: tuple[float, float, float],
    yaw: float,
    speed: float = 0.0,
    lean: tuple[float, float] = (0.0, 0.0),
) -> None:
    """Put a vehicle somewhere: it moves straight ahead with a speed, with its wheels straight and its body level.

    The next step takes height from the ground, and roll and pitch, too, where none are given. The held command, gear
    and control mode stay.

    Args:
        state: the writable table.
        row: the vehicle's row.
        position: body origin in the map [m].
        yaw: heading in the map [rad].
        speed: forward [m/s].
        lean: roll and pitch from which its body settles on the ground [rad]; whole turns do not count.
    """
    for name in _AT_REST:
        getattr(state, name)[..., row] = 0.0
    state.x[row], state.y[row], state.z[row] = position
    state.yaw[row] = yaw
    state.velocity_x[row] = speed
    state.last_speed[row], state.last_yaw[row] = speed, yaw
    state.ground_height[row] = position[2]
    state.ground_slope_x[row] = state.ground_slope_y[row] = 0.0
    state.segment[row] = -1
    state.trajectory_index[row] = state.rolled[row] = 0
    state.placed[row] = 1
    if any(lean):
        state.roll[row], state.pitch[row] = (math.remainder(angle, math.tau) for angle in lean)
        state.placed[row] = 2


def place_ghost(
    state: VehicleState,
    row: int,
    position: tuple[float, float, float],
    rotation: tuple[float, float, float],
    speed: float,
    steer: float,
) -> None:
    """Put a ghost at a pose that its sender gives; it stays there until the next one comes.

    Height, roll and pitch are as given too. A vehicle that was no ghost before becomes one.

    Args:
        state: the writable table.
        row: the vehicle's row.
        position: body origin in the map [m].
        rotation: roll, pitch and yaw of the map frame into the body frame [rad].
        speed: forward [m/s].
        steer: front wheel angle, left positive [rad].
    """
    if state.control_kind[row] != ControlKind.GHOST:
        place(state, row, position, rotation[2], speed)
        state.control_kind[row] = ControlKind.GHOST
    state.x[row], state.y[row], state.z[row] = position
    state.roll[row], state.pitch[row], state.yaw[row] = rotation
    state.velocity_x[row] = speed
    state.steer[row] = steer
