"""Vehicles with full dynamics as bodies, and what an impact does to them."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, read_only, writable
from dorosim.ground.rotation import rotation_from_angles
from dorosim.world.collision.body import BodyChange, BodyTable
from dorosim.world.collision.vehicle_kernel import write_vehicle_bodies
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState


def bodies_from_vehicles(bodies: BodyTable, parameter: VehicleParameter, vehicle: VehicleState, start: int = 0) -> None:
    """Write the bodies of all vehicles into rows `start` to `start + len(vehicle)`.

    Args:
        bodies: the table to write to.
        parameter: of the vehicles.
        vehicle: the vehicles.
        start: first row to write.
    """
    state, ints = writable(vehicle.floats), writable(vehicle.ints)
    write_vehicle_bodies(read_only(parameter.floats), state, ints, bodies.floats, bodies.ints, start)


def hit_vehicles(
    vehicle: VehicleState, parameter: VehicleParameter, bodies: BodyTable, change: BodyChange, dt: float, start: int = 0
) -> None:
    """Write velocities, places and accelerations of a tick's impacts into the vehicles.

    What an accelerometer would feel is spread over the tick. The ground plane counts as level here: on a slope of
    10 % that makes an error of 0.5 %.

    Args:
        vehicle: the writable table.
        parameter: its parameters.
        bodies: as they were when the impacts were found.
        change: what the impacts did.
        dt: the tick [s].
        start: row of the first vehicle in `bodies` and `change`.
    """
    rows = np.flatnonzero(change.touched[start : start + len(vehicle)])
    for row in rows[vehicle.rolled[rows] == 1].tolist():
        _hit_rolled(vehicle, parameter, row, change.floats[:, start + row], dt)
    rows = rows[vehicle.rolled[rows] == 0]
    if not len(rows):
        return
    hit = start + rows
    yaw = vehicle.yaw[rows]
    c, s = np.cos(yaw), np.sin(yaw)
    yaw_rate = change.yaw_rate[hit]
    middle = 0.5 * (parameter.wheelbase + parameter.front_overhang - parameter.rear_overhang)[rows]
    rear = bodies.cg_forward[hit] + middle
    forward = c * change.velocity_x[hit] + s * change.velocity_y[hit]
    left = c * change.velocity_y[hit] - s * change.velocity_x[hit] - rear * yaw_rate
    vehicle.velocity_x[rows] += forward
    vehicle.velocity_y[rows] += left
    vehicle.angular_velocity[2, rows] += yaw_rate
    vehicle.acceleration[0, rows] += forward / dt
    vehicle.acceleration[1, rows] += left / dt
    vehicle.x[rows] += change.shift_x[hit]
    vehicle.y[rows] += change.shift_y[hit]


def _hit_rolled(vehicle: VehicleState, parameter: VehicleParameter, row: int, push: FloatArray, dt: float) -> None:
    """Write what an impact did to a vehicle that has rolled over.

    Args:
        vehicle: the writable table.
        parameter: its parameters.
        row: of the vehicle.
        push: `(5,)` change of the velocity of its centre of gravity east and north and of its yaw rate, and shifts.
        dt: the tick [s].
    """
    angles = (float(vehicle.roll[row]), float(vehicle.pitch[row]), float(vehicle.yaw[row]))
    to_body = rotation_from_angles(*angles).T
    turn = to_body @ (0.0, 0.0, push[2])
    arm = np.array((parameter.rear_distance[row], 0.0, parameter.cg_height[row]))
    change = to_body @ (push[0], push[1], 0.0) - np.cross(turn, arm)
    vehicle.floats[_VELOCITY, row] += change
    vehicle.angular_velocity[:, row] += turn
    vehicle.acceleration[:, row] += change / dt
    vehicle.x[row] += push[3]
    vehicle.y[row] += push[4]


_VELOCITY = slice(VehicleState.at.velocity_x, VehicleState.at.velocity_z + 1)
