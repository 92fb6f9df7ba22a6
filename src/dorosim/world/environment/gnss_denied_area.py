"""Areas without satellite reception: boxes on the map, part of the Snapshot since scenarios bring and remove them.

Every GPS sensor goes by them, whenever it was mounted; `GpsSettings.denied` adds areas for one sensor alone. The
documents name such areas, and no message about them (facts/ros-grpc-mgeo.md, section 4, shadedAreaList).
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import Columns, FloatArray, float64, int64
from dorosim.ground.physics import MAX_COORDINATE
from dorosim.ground.unit import METRE, RADIAN
from dorosim.world.command.actor import Vector, WorldCommand

MOST_SHADES = 10_000
"""More areas than this are no map."""


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


class PlaceShade(WorldCommand, frozen=True, tag=True, kw_only=True):
    """Puts an area without satellite reception somewhere; one of the same id moves there.

    Attributes:
        alias: id in the scenario.
        position: of its middle in the map [m].
        rotation: roll, pitch, yaw [rad].
        size: along its yaw, across it, and its height, 0 for any height [m].
    """

    alias: int
    position: Vector
    rotation: Vector = (0.0, 0.0, 0.0)
    size: Vector


class RemoveShades(WorldCommand, frozen=True, tag=True):
    """Takes all areas without satellite reception away."""


ShadeCommand = PlaceShade | RemoveShades
"""Every command about areas without reception."""


def change_shades(shades: ShadeTable, command: ShadeCommand) -> tuple[ShadeTable, str]:
    """The areas after a command, read-only, and why it is refused, or an empty string."""
    if isinstance(command, RemoveShades):
        return ShadeTable.zeros(0).freeze(), ""
    numbers = (*command.position, *command.rotation, *command.size)
    problem = _problem_of(command, numbers)
    if problem:
        return shades, problem
    found = np.flatnonzero(shades.alias == command.alias)
    if not len(found) and len(shades) >= MOST_SHADES:
        return shades, f"there are {MOST_SHADES} areas already"
    row = found[0] if len(found) else len(shades)
    table = shades.copy() if len(found) else shades.append(ShadeTable.zeros(1))
    table.floats[:, row], table.alias[row] = numbers, command.alias
    return table.freeze(), ""


def _problem_of(command: PlaceShade, numbers: tuple[float, ...]) -> str:
    if not all(math.isfinite(number) for number in numbers):
        return "a number of the area is not finite"
    if max(map(abs, (*command.position, *command.size))) > MAX_COORDINATE:
        return f"the area is farther away or longer than {MAX_COORDINATE:g} m"
    if min(command.size) < 0.0:
        return "a size of the area is negative"
    return ""


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
