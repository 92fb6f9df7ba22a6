"""The step of all vehicles, in place: each row by its own physics."""

from __future__ import annotations

from math import floor, pi

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.vehicle.ground_vehicle_kernel import step_ground_vehicle
from dorosim.world.vehicle.mode import ControlKind, DynamicsKind
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.road_vehicle_kernel import step_road_vehicle
from dorosim.world.vehicle.state import VehicleState

GHOST_LAG = 0.1
"""Time constant by which the acceleration of a ghost is smoothed, since its speed comes in steps [s]."""

_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at
_YAW_RATE = _VEHICLE.angular_velocity + 2
_GHOST, _SINGLE_TRACK = int(ControlKind.GHOST), int(DynamicsKind.SINGLE_TRACK)


@inner_kernel
def step_ghost(state: FloatArray, ints: IntArray, i: int, tick: float) -> None:
    """A ghost keeps pose, speed and steering as its sender gives them; yaw rate and acceleration follow from the next.

    Poses and speeds come every few ticks, so their changes are smoothed to rates.
    """
    speed, yaw = state[_VEHICLE.velocity_x, i], state[_VEHICLE.yaw, i]
    share = tick / (GHOST_LAG + tick)
    acceleration = yaw_rate = 0.0
    if ints[_VEHICLE.placed, i] == 0:
        acceleration = (speed - state[_VEHICLE.last_speed, i]) / tick
        change = yaw - state[_VEHICLE.last_yaw, i]
        yaw_rate = (change - 2.0 * pi * floor((change + pi) / (2.0 * pi))) / tick
    state[_VEHICLE.acceleration, i] += (acceleration - state[_VEHICLE.acceleration, i]) * share
    state[_YAW_RATE, i] += (yaw_rate - state[_YAW_RATE, i]) * share
    state[_VEHICLE.acceleration + 1, i] = speed * state[_YAW_RATE, i]
    state[_VEHICLE.last_speed, i], state[_VEHICLE.last_yaw, i] = speed, yaw
    ints[_VEHICLE.placed, i] = 0


@kernel
def step_vehicles(
    parameter: FloatArray, int_parameter: IntArray, state: FloatArray, ints: IntArray, dt: float, substeps: int
) -> None:
    """Step every vehicle on its wheels by one tick, in place. A tick of no duration changes nothing.

    Args:
        parameter: `(columns, rows)` the read-only float block of `VehicleParameter`.
        int_parameter: `(columns, rows)` its read-only int block.
        state: `(columns, rows)` the writable float block of `VehicleState`; ground_height and the ground slopes hold
            for where the vehicles are.
        ints: `(columns, rows)` its writable int block.
        dt: sub-step, at most 0.01 [s].
        substeps: sub-steps in the tick.
    """
    if not dt * substeps > 0.0:
        return
    parameter, int_parameter, state, ints = bare(parameter), bare(int_parameter), bare(state), bare(ints)
    for i in range(state.shape[1]):
        if ints[_VEHICLE.rolled, i] != 0:
            continue
        if ints[_VEHICLE.control_kind, i] == _GHOST:
            step_ghost(state, ints, i, dt * substeps)
        elif int_parameter[_PARAMETER.dynamics, i] == _SINGLE_TRACK:
            step_road_vehicle(parameter, state, int_parameter, ints, i, dt, substeps)
        else:
            step_ground_vehicle(parameter, state, int_parameter, ints, i, dt, substeps)
