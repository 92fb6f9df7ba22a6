"""The step of all vehicles, in place: each row by its own physics."""

from __future__ import annotations

from math import floor, pi

from dorosim.ground.column import RealArray, WholeArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.vehicle.ground_vehicle_kernel import step_ground_vehicle
from dorosim.world.vehicle.mode import ControlKind, DynamicsKind
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.road_vehicle_kernel import step_road_vehicle
from dorosim.world.vehicle.state import VehicleState

GHOST_LAG = 0.1
"""Time constant by which the acceleration of a ghost is smoothed, since its speed comes in steps [s]."""

_VX, _ACCELERATION = VehicleState.velocity_x.index, VehicleState.acceleration.index
_TURN, _STEER = VehicleState.angular_velocity.index + 2, VehicleState.steer.index
_LAST_SPEED, _LAST_YAW = VehicleState.last_speed.index, VehicleState.last_yaw.index
_YAW, _PLACED = VehicleState.yaw.index, VehicleState.placed.index
_KIND, _WHEELBASE = VehicleState.control_kind.index, VehicleParameter.wheelbase.index
_DYNAMICS = VehicleParameter.dynamics.index
_GHOST, _SINGLE_TRACK = int(ControlKind.GHOST), int(DynamicsKind.SINGLE_TRACK)


@inner_kernel
def step_ghost(state: RealArray, whole: WholeArray, i: int, tick: float) -> None:
    """A ghost keeps pose, speed and steering as its sender gives them; yaw rate and acceleration follow from the next.

    Poses and speeds come every few ticks, so their changes are smoothed to rates.
    """
    speed, yaw = state[_VX, i], state[_YAW, i]
    share = tick / (GHOST_LAG + tick)
    pull = turn = 0.0
    if whole[_PLACED, i] == 0:
        pull = (speed - state[_LAST_SPEED, i]) / tick
        change = yaw - state[_LAST_YAW, i]
        turn = (change - 2.0 * pi * floor((change + pi) / (2.0 * pi))) / tick
    state[_ACCELERATION, i] += (pull - state[_ACCELERATION, i]) * share
    state[_TURN, i] += (turn - state[_TURN, i]) * share
    state[_ACCELERATION + 1, i] = speed * state[_TURN, i]
    state[_LAST_SPEED, i], state[_LAST_YAW, i] = speed, yaw
    whole[_PLACED, i] = 0


@kernel
def step_vehicles(
    parameter: RealArray, whole_parameter: WholeArray, state: RealArray, whole: WholeArray, dt: float, substeps: int
) -> None:
    """Step every vehicle by one tick, in place. A tick of no duration changes nothing.

    Args:
        parameter: `(columns, rows)` the read-only real block of `VehicleParameter`.
        whole_parameter: `(columns, rows)` its read-only whole block.
        state: `(columns, rows)` the writable real block of `VehicleState`; ground_height and the ground slopes hold
            for where the vehicles are.
        whole: `(columns, rows)` its writable whole block.
        dt: sub-step, at most 0.01 [s].
        substeps: sub-steps in the tick.
    """
    if not dt * substeps > 0.0:
        return
    for i in range(state.shape[1]):
        if whole[_KIND, i] == _GHOST:
            step_ghost(state, whole, i, dt * substeps)
        elif whole_parameter[_DYNAMICS, i] == _SINGLE_TRACK:
            step_road_vehicle(parameter, state, whole_parameter, whole, i, dt, substeps)
        else:
            step_ground_vehicle(parameter, state, whole_parameter, whole, i, dt, substeps)
