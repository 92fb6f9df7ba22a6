"""A wheel where the ground has steps: it rolls up those that it can climb, and others stop it."""

from __future__ import annotations

import math
from math import sqrt

from dorosim.ground.column import IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.road.terrain.near_face_kernel import NearFaces, gather_faces, height_near
from dorosim.road.terrain.query_kernel import TerrainArrays

CLIMBED_SHARE = 0.4
"""A wheel climbs steps up to this share of its radius; higher ones stop it."""
STEP_DISTANCE = 0.8
"""A wheel touches a step of that height when its centre is this share of its radius from it: sqrt(1 - 0.6^2)."""
_DIAGONAL = 0.7071067811865476
_AROUND = (
    (1.0, 0.0),
    (_DIAGONAL, _DIAGONAL),
    (0.0, 1.0),
    (-_DIAGONAL, _DIAGONAL),
    (-1.0, 0.0),
    (-_DIAGONAL, -_DIAGONAL),
    (0.0, -1.0),
    (_DIAGONAL, -_DIAGONAL),
)
_ROLLED = (-0.75, -0.5, -0.25, 0.25, 0.5, 0.75)
"""Where along a wheel its rim is compared with the ground, over its radius."""
_MIN_DROP = 1.0 - math.sqrt(1.0 - 0.25 * 0.25)
"""How much lower a rim is at the first of these places than in its middle, over its radius."""
_MARCH = 4


@inner_kernel
def height_under_wheel(
    terrain: TerrainArrays,
    faces: NearFaces,
    near: IntArray,
    place: tuple[float, float, float],
    heading: tuple[float, float],
    radius: float,
) -> float:
    """The height of the ground under a wheel, as a rigid rim meets it: it rolls up steps that it can climb.

    Args:
        terrain: the ground.
        faces: those near the wheel.
        near: likewise.
        place: x and y of the wheel's centre in map, and height of the ground there [m].
        heading: cosine and sine of the vehicle's.
        radius: of the wheel [m].
    """
    here = height = place[2]
    if faces.top - radius * _MIN_DROP <= here:
        return here
    for share in _ROLLED:
        along = share * radius
        other = height_near(terrain, faces, near, place[0] + along * heading[0], place[1] + along * heading[1], here)
        if other - here <= CLIMBED_SHARE * radius:
            height = max(height, other - radius * (1.0 - sqrt(1.0 - share * share)))
    return height


@inner_kernel
def blocking_step(
    terrain: TerrainArrays, faces: NearFaces, near: IntArray, place: tuple[float, float, float], radius: float
) -> tuple[float, float, float]:
    """A step beside a wheel that it cannot climb: direction away from it, and by how much the wheel is too near [m].

    Args:
        terrain: the ground.
        faces: those near the wheel.
        near: likewise.
        place: x and y of the wheel's centre in map, and height of the ground under it [m].
        radius: of the wheel [m].
    """
    x, y, height = place
    limit, reach = height + CLIMBED_SHARE * radius, STEP_DISTANCE * radius
    away_x, away_y = 0.0, 0.0
    if faces.top <= limit:
        return 0.0, 0.0, 0.0
    for east, north in _AROUND:
        if height_near(terrain, faces, near, x + reach * east, y + reach * north, height) > limit:
            away_x -= east
            away_y -= north
    length = sqrt(away_x * away_x + away_y * away_y)
    if length < 1e-6:
        return 0.0, 0.0, 0.0
    away_x, away_y = away_x / length, away_y / length
    low, high = 0.0, reach
    for _ in range(_MARCH + 2):
        middle = 0.5 * (low + high)
        if height_near(terrain, faces, near, x - middle * away_x, y - middle * away_y, height) > limit:
            high = middle
        else:
            low = middle
    return away_x, away_y, reach - high


@inner_kernel
def meet_rough_ground(
    terrain: TerrainArrays,
    near: IntArray,
    place: tuple[float, float, float],
    heading: tuple[float, float],
    radius: float,
    stops: bool,
) -> tuple[float, tuple[float, float, float]]:
    """The height of the ground under a wheel where there may be a step, and the step that stops it.

    Arguments as of `height_under_wheel` and `blocking_step`; `stops`: whether a step may stop it.
    """
    faces = gather_faces(terrain, place[0], place[1], radius, near)
    height = height_under_wheel(terrain, faces, near, place, heading, radius)
    if not stops:
        return height, (0.0, 0.0, 0.0)
    return height, blocking_step(terrain, faces, near, (place[0], place[1], height), radius)
