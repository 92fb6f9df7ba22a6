"""Where the wheels of vehicles are, and the memory of the ground there, which is asked for before it is needed."""

from __future__ import annotations

from math import cos, sin
from typing import NamedTuple

import numpy as np

from dorosim.ground.bare_kernel import bare, hold
from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.road.terrain.fetch_kernel import ASKED, fetch_cell, fetch_list, fetch_records
from dorosim.road.terrain.query_kernel import TerrainArrays
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

ASKED_AT_ONCE = 8
"""Vehicles whose ground is asked for at once: what a core has room for beside what it works on."""

_VEHICLE = VehicleState.at
_PARAMETER = VehicleParameter.at
_WHEELS = 4


class WheelPlace(NamedTuple):
    """Where a wheel touches the ground: from the body origin, along the map's axes and in the body frame [m]."""

    x: float
    y: float
    along: float
    across: float


@inner_kernel
def wheel_place(parameter: FloatArray, i: int, wheel: int, c: float, s: float) -> WheelPlace:
    """The place of a wheel (FL FR RL RR) of the vehicle of row `i` at a heading of cosine `c` and sine `s`."""
    along = parameter[_PARAMETER.wheelbase, i] if wheel < 2 else 0.0
    across = 0.5 * (parameter[_PARAMETER.front_track, i] if wheel < 2 else parameter[_PARAMETER.rear_track, i])
    if across <= 0.0:
        across = 0.4 * parameter[_PARAMETER.width, i]
    if wheel % 2 == 1:
        across = -across
    return WheelPlace(c * along - s * across, s * along + c * across, along, across)


@outlined_kernel
def ask_for_ground(terrain: TerrainArrays, parameter: FloatArray, state: FloatArray, first: int, last: int) -> None:
    """Ask for the memory of the ground under the wheels of some vehicles, so that they do not wait for it one by one.

    Args:
        terrain: the ground.
        parameter: the block of `VehicleParameter`.
        state: the float block of `VehicleState`.
        first: row of the first vehicle.
        last: the row after the last, `ASKED_AT_ONCE` rows later at most.
    """
    room = np.empty((ASKED, _WHEELS * ASKED_AT_ONCE), np.int64)
    asked = bare(room)
    for i in range(first, last):
        c, s = cos(state[_VEHICLE.yaw, i]), sin(state[_VEHICLE.yaw, i])
        for wheel in range(_WHEELS):
            place = wheel_place(parameter, i, wheel, c, s)
            x, y = state[_VEHICLE.x, i] + place.x, state[_VEHICLE.y, i] + place.y
            fetch_cell(terrain, x, y, asked, _WHEELS * (i - first) + wheel)
    for k in range(_WHEELS * (last - first)):
        fetch_list(terrain, asked, k)
    for k in range(_WHEELS * (last - first)):
        fetch_records(terrain, asked, k)
    hold(room)
