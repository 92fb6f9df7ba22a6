"""Areas without satellite reception: boxes on the map, part of the Snapshot since scenarios bring and remove them.

Every GPS sensor goes by them, whenever it was mounted; `GpsSettings.denied` adds areas for one sensor alone. The
documents name such areas, and no message about them (facts/ros-grpc-mgeo.md, section 4, shadedAreaList).
"""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import Columns, FloatArray, float64, int64
from dorosim.ground.unit import METRE, RADIAN


class ShadeTable(Columns):
    """One row per area, in the order in which they came; each is known by the id of its scenario."""

    x = float64(METRE, "of its middle, east", frame="map")
    y = float64(METRE, "of its middle, north", frame="map")
    z = float64(METRE, "of its middle, up", frame="map")
    roll = float64(RADIAN, "right-handed", frame="map")
    pitch = float64(RADIAN, "right-handed", frame="map")
    yaw = float64(RADIAN, "counter-clockwise from east", frame="map")
    length = float64(METRE, "along its yaw")
    width = float64(METRE, "across it")
    height = float64(METRE, "0: from the ground to the sky")
    alias = int64("id in the scenario")
    key = ("alias",)

    def covers(self, point: FloatArray) -> bool:
        """Whether a point `(3,)` in map [m] lies in any area, its faces included."""
        if not self.rows:
            return False
        offset = point[:, np.newaxis] - self.floats[:3]
        x, y, z = _along_axes(offset, *self.floats[3:6])
        half = 0.5 * self.floats[6:]
        inside = (np.abs(x) <= half[0]) & (np.abs(y) <= half[1])
        return bool((inside & ((np.abs(z) <= half[2]) | (half[2] == 0.0))).any())


def _along_axes(
    offset: FloatArray, roll: FloatArray, pitch: FloatArray, yaw: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Offsets `(3, rows)` in map, along the axes of boxes that are turned by z, y, x (REP-103)."""
    x, y = _turned(offset[0], offset[1], yaw)
    z, x = _turned(offset[2], x, pitch)
    y, z = _turned(y, z, roll)
    return x, y, z


def _turned(first: FloatArray, second: FloatArray, angle: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two components in axes that are turned from the first to the second."""
    sine, cosine = np.sin(angle), np.cos(angle)
    return cosine * first + sine * second, cosine * second - sine * first
