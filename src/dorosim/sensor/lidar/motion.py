"""How a sensor moves within a tick."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SweepMotion:
    """A straight path with a steady turn from one pose to another; it goes on beyond both.

    Attributes:
        position: (3,) of the sensor in map at `since` [m]. step: (3,) what is added to it until `until` [m].
        rotation: (3, 3) map-from-sensor at `since`.
        turn: (3,) rotation vector in the sensor's frame until `until` [rad].
        since, until: times [ns].
    """

    position: Vector
    step: Vector
    rotation: Vector
    turn: Vector
    since: int
    until: int

    @classmethod
    def at_rest(cls, position: Vector, rotation: Vector, since: int, until: int) -> SweepMotion:
        """A sensor that stays where it is."""
        return cls(
            np.asarray(position, np.float64), np.zeros(3), np.asarray(rotation, float), np.zeros(3), since, until
        )

    @classmethod
    def between(cls, before: tuple[Vector, Vector], now: tuple[Vector, Vector], since: int, until: int) -> SweepMotion:
        """From the pose (position, map-from-sensor) at one time to that at another."""
        turn = _rotation_vector(before[1].T @ now[1])
        return cls(before[0], now[0] - before[0], before[1], turn, since, until)

    def path(self, origin: Vector) -> NDArray[np.float64]:
        """What poses on the way are made of, by Rodrigues' formula.

        Args:
            origin: (3,) of the scene in map [m].

        Returns:
            (12, 4): nine rows of map-from-sensor, row by row, and three of the position from `origin` [m]. Each is the
            sum of its columns times 1, the share of the path, and sine and versine of the share of the turn's angle.
        """
        unit = self.turn / self.angle if self.angle > 0.0 else self.turn
        cross = np.array([[0.0, -unit[2], unit[1]], [unit[2], 0.0, -unit[0]], [-unit[1], unit[0], 0.0]])
        rows = np.zeros((12, 4))
        rows[:9, 0], rows[9:, 0] = self.rotation.ravel(), self.position - origin
        rows[9:, 1] = self.step
        rows[:9, 2] = (self.rotation @ cross).ravel()
        rows[:9, 3] = (self.rotation @ cross @ cross).ravel()
        return rows

    @property
    def angle(self) -> float:
        """Angle of the turn [rad]."""
        return float(np.linalg.norm(self.turn))

    def frames(self, time: NDArray[np.int64], origin: Vector) -> NDArray[np.float64]:
        """(12, N) poses at times [ns], by `path`."""
        span = self.until - self.since
        share = (time - self.since) / span if span > 0 else np.zeros(time.shape)
        turned = self.angle * share
        rows: NDArray[np.float64] = self.path(origin) @ np.stack(
            (np.ones(len(share)), share, np.sin(turned), 1.0 - np.cos(turned))
        )
        return rows


def _rotation_vector(matrix: Vector) -> Vector:
    """Axis times angle of a rotation of less than half a turn."""
    twice = np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]])
    sine = 0.5 * float(np.linalg.norm(twice))
    if sine < 1e-12:
        return np.zeros(3)
    angle = float(np.arctan2(sine, 0.5 * (np.trace(matrix) - 1.0)))
    result: Vector = twice * (0.5 * angle / sine)
    return result
