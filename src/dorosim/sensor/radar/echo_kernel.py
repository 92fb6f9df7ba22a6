"""Where actors reflect a radar's waves, and which of these places the radar cannot separate."""

from __future__ import annotations

from math import atan2, sqrt

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.motion_kernel import turned_back

PLACES = 8
"""Places of a body where waves are thrown back: the middles of its sides and its upright edges."""
ROUNDING, MAX_ROUNDING = 0.1, 0.15
"""Edges are rounded: their places are this share of the half extents, and at most this [m], within those of the box."""
_HEIGHT = -0.2
"""Places are this share of the half height above the middle of the box: at the height of bumpers and wheels."""


@inner_kernel
def place_on_box(number: int) -> tuple[float, float]:
    """Where a place is, in half lengths and half widths. Odd ones are edges, even ones middles of sides."""
    x = 1.0 if number in (7, 0, 1) else (-1.0 if number in (3, 4, 5) else 0.0)
    y = 1.0 if number in (1, 2, 3) else (-1.0 if number in (5, 6, 7) else 0.0)
    return x, y


@inner_kernel
def inset(half: float) -> float:
    """Where the place of an edge is, from the middle of a body of this half extent [m]."""
    return half - min(ROUNDING * half, MAX_ROUNDING)


@inner_kernel
def write_places(
    centre: FloatArray, half: FloatArray, rotation: FloatArray, position: FloatArray, point: FloatArray, first: int
) -> int:
    """Write those places of one body that face the sensor.

    Args:
        centre: `(3,)` of its box in map [m].
        half: `(3,)` of its extents [m].
        rotation: `(3, 3)` map_from_body.
        position: `(3,)` of the sensor in map [m].
        point: `(M, 3)` written, in map [m].
        first: where.

    Returns:
        how many there are.
    """
    seen_from = turned_back(rotation, position - centre)
    x, y, count = seen_from[0], seen_from[1], 0
    for number in range(PLACES):
        px, py = place_on_box(number)
        if px * x > abs(px) * half[0] or py * y > abs(py) * half[1]:
            edge = number % 2 == 1
            px *= inset(half[0]) if edge else half[0]
            py *= inset(half[1]) if edge else half[1]
            for i in range(3):
                across = rotation[i, 0] * px + rotation[i, 1] * py
                point[first + count, i] = centre[i] + across + rotation[i, 2] * _HEIGHT * half[2]
            count += 1
    return count


@kernel
def find_places(
    own: int,
    actor: IntArray,
    centre: FloatArray,
    size: FloatArray,
    rotation: FloatArray,
    position: FloatArray,
    turn: FloatArray,
    field: tuple[float, float, float],
) -> tuple[FloatArray, IntArray, IntArray]:
    """Places of actors that face the sensor and lie in its field of view.

    Args:
        own: id of the actor that carries it.
        actor: `(N,)` ids.
        centre: `(N, 3)` of the boxes in map [m].
        size: `(N, 3)` of the boxes [m].
        rotation: `(N, 3, 3)` map_from_body.
        position: `(3,)` of the sensor in map [m].
        turn: `(3, 3)` map_from_sensor.
        field: range [m], half of the angles to the sides and up and down [rad].

    Returns:
        `(M, 3)` in map [m], `(M,)` the row of each one's actor, and `(N,)` how many places of each actor face the
        sensor, 0 for those beyond its range.
    """
    far, half_fov, half_vertical = field
    count, rows = 0, actor.shape[0]
    point, row, facing = np.empty((PLACES * rows, 3)), np.empty(PLACES * rows, np.int64), np.zeros(rows, np.int64)
    for n in range(rows):
        half, away = 0.5 * size[n], centre[n] - position
        reach = far + sqrt(half[0] ** 2 + half[1] ** 2 + half[2] ** 2)
        if actor[n] == own or away[0] ** 2 + away[1] ** 2 + away[2] ** 2 > reach * reach:
            continue
        first = count
        facing[n] = write_places(centre[n], half, rotation[n], position, point, first)
        for k in range(first, first + facing[n]):
            at = turned_back(turn, point[k] - position)
            flat = sqrt(at[0] * at[0] + at[1] * at[1])
            if flat * flat + at[2] * at[2] > far * far:
                continue
            if abs(atan2(at[1], at[0])) > half_fov or abs(atan2(at[2], flat)) > half_vertical:
                continue
            for i in range(3):
                point[count, i] = point[k, i]
            row[count] = n
            count += 1
    return point[:count].copy(), row[:count].copy(), facing


@kernel
def leader_of(position: FloatArray, rate: FloatArray, reach: float, rate_reach: float) -> IntArray:
    """Which detection each echo belongs to: echoes that are near each other, or joined by others that are, are one.

    Args:
        position: `(N, 3)` [m].
        rate: `(N,)` range rates [m/s].
        reach: how near is near [m].
        rate_reach: how alike range rates are [m/s].

    Returns:
        `(N,)` the first echo of its detection.
    """
    count = position.shape[0]
    leader = np.arange(count)
    for n in range(1, count):
        for k in range(n):
            if leader[k] == leader[n] or abs(rate[n] - rate[k]) > rate_reach:
                continue
            square = 0.0
            for i in range(3):
                square += (position[n, i] - position[k, i]) ** 2
            if square >= reach * reach:
                continue
            low, high = min(leader[k], leader[n]), max(leader[k], leader[n])
            for m in range(n + 1):
                if leader[m] == high:
                    leader[m] = low
    return leader
