"""Trajectories that the built-in driver follows (Trajectory Tracking Cmd, facts/udp-wire.md, section 3.1)."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from dorosim.ground.column import FloatArray, IntArray
from dorosim.world.vehicle.driver_kernel import drive_trajectories as _drive
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

TRAJECTORY_POINTS = 30
"""Points that a trajectory has at most."""


class TrajectoryTable:
    """The trajectory of every vehicle; a table is never changed, only replaced.

    Attributes:
        points: `(rows, 30, 4)` x, y, z in the map [m] and speed [m/s], read-only.
        counts: `(rows,)` how many points count, read-only.
    """

    __slots__ = ("counts", "points")

    def __init__(self, points: FloatArray, counts: IntArray) -> None:
        self.points = points
        self.counts = counts
        self.points.flags.writeable = False
        self.counts.flags.writeable = False

    @classmethod
    def empty(cls, rows: int) -> Self:
        """A table of vehicles without trajectories."""
        return cls(np.zeros((rows, TRAJECTORY_POINTS, 4)), np.zeros(rows, np.int64))

    def with_trajectory(self, row: int, points: ArrayLike) -> Self:
        """A table in which a vehicle has another trajectory.

        Set the vehicle's `trajectory_index` to 0 and its `control_kind` to TRAJECTORY with it.

        Args:
            row: the vehicle's row.
            points: `(count, 4)` x, y, z in the map [m] and speed [m/s]; those after the 30th are left out, and so
                are those that are not finite.
        """
        given = np.asarray(points, np.float64).reshape(-1, 4)
        given = given[np.isfinite(given).all(axis=1)][:TRAJECTORY_POINTS]
        new_points, new_counts = self.points.copy(), self.counts.copy()
        new_points[row] = 0.0
        new_points[row, : len(given)] = given
        new_counts[row] = len(given)
        return type(self)(new_points, new_counts)

    def append(self, other: Self) -> Self:
        """A table with the rows of `other` after the rows of this one."""
        return type(self)(np.concatenate((self.points, other.points)), np.concatenate((self.counts, other.counts)))


def drive_trajectories(table: TrajectoryTable, parameter: VehicleParameter, state: VehicleState) -> None:
    """Write target_velocity, target_steer and trajectory_index of every row under TRAJECTORY control.

    Call it before `step_vehicles`; rows under other control are left alone.
    """
    _drive(table.points, table.counts, parameter.floats, state.floats, state.ints)
