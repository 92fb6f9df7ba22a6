"""Bounds of the numbers in commands of every source.

Messages are held to their documented ranges before they become commands, but commands come from files and recordings
too. Only finite numbers get into the state of a run.
"""

from __future__ import annotations

import math

from dorosim.ground.physics import MAX_COORDINATE
from dorosim.world.command.actor import Vector

FASTEST = 300.0
"""Bound of speeds [m/s]."""


def problem_with_pose(position: Vector, rotation: Vector) -> str:
    """Why a place in the map [m] with roll, pitch and yaw [rad] is refused, or an empty string."""
    if all(abs(part) <= MAX_COORDINATE for part in position) and all(map(math.isfinite, rotation)):
        return ""
    return f"no pose on a map: {position}, {rotation}"


def problem_with_speed(speed: float) -> str:
    """Why a speed [m/s], forward or backward, is refused, or an empty string."""
    return "" if abs(speed) <= FASTEST else f"speeds are up to {FASTEST:g} m/s, not {speed:g}"


def problem_with_numbers(*numbers: float) -> str:
    """Why numbers that are clamped to what a vehicle can do are refused, or an empty string: they must be finite."""
    wrong = [number for number in numbers if not math.isfinite(number)]
    return f"{wrong[0]} is no number to drive by" if wrong else ""
