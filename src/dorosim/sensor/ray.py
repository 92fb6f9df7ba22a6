"""A ray cast on request (Standard API, util.RayCast: source, target, max_dist)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.sensor.beam_kernel import cast_beams
from dorosim.sensor.scene.view import View

Point = tuple[float, float, float]


class RayHit(NamedTuple):
    """What a ray meets first.

    Attributes:
        distance: from its source [m].
        position: in map [m].
        actor: id, 0 for the static world.
    """

    distance: float
    position: Point
    actor: int


def cast_ray(view: View, source: Point, target: Point, farthest: float, through: int = 0) -> RayHit | None:
    """What a ray from a point towards another meets first.

    Args:
        view: the scene.
        source: in map [m].
        target: in map [m]; it gives the direction, and the ray goes on behind it.
        farthest: where the ray ends [m].
        through: id of an actor that it passes through, 0 for none.

    Returns:
        None if it meets nothing; also where the points are one, or not finite.
    """
    way = np.array(target, np.float64) - np.array(source, np.float64)
    length = float(np.sqrt(way @ way))
    if not (0.0 < length < math.inf and farthest > 0.0):
        return None
    direction = np.ascontiguousarray((way / length)[None, :])
    origin = np.array(source, np.float64)
    found, _, actors = cast_beams(view, through, origin, direction, np.array((float(farthest),)))
    distance = float(found[0])
    if not math.isfinite(distance):
        return None
    x, y, z = (origin + distance * direction[0]).tolist()
    return RayHit(distance, (x, y, z), int(actors[0]))
