"""A ray cast on request (Standard API, util.RayCast: source, target, max_dist)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.sensor.scene.embree_kernel import cast_rays
from dorosim.sensor.scene.instance import View
from dorosim.sensor.scene.semantic import Semantic

Point = tuple[float, float, float]


class RayHit(NamedTuple):
    """What a ray meets first.

    Attributes:
        distance: from its source [m].
        position: in map [m].
        normal: of the surface, in map, on the side of the source; of length 1.
        actor: id, 0 for the static world.
        label: class of what is met.
    """

    distance: float
    position: Point
    normal: Point
    actor: int
    label: Semantic


def cast_ray(view: View, source: Point, target: Point, farthest: float, through: int = 0) -> RayHit | None:
    """What a ray from a point towards another meets first.

    Args:
        view: the scene.
        source: in map [m].
        target: in map [m]; it gives the direction, and the ray goes on behind it.
        farthest: where the ray ends [m].
        through: number of an actor that it passes through, 0 for none.

    Returns:
        None if it meets nothing; also where the points are one, or not finite.
    """
    way = np.array(target, np.float64) - np.array(source, np.float64)
    length = float(np.sqrt(way @ way))
    if not (0.0 < length < math.inf and farthest > 0.0):
        return None
    (found,) = hits_of_rays(view, np.array([source], np.float64), way[None] / length, np.array([farthest]), through)
    return found


def hits_of_rays(
    view: View, origin: FloatArray, direction: FloatArray, far: FloatArray, through: int = 0
) -> list[RayHit | None]:
    """What each of some rays meets first, None for nothing.

    Args:
        view: the scene.
        origin: `(N, 3)` in map [m].
        direction: `(N, 3)` in map, of length 1.
        far: `(N,)` where each ray ends [m].
        through: number of an actor that they pass through, 0 for none.
    """
    origin, direction = np.ascontiguousarray(origin, np.float64), np.ascontiguousarray(direction, np.float64)
    distance, normal, row, material = cast_rays(view, origin, direction, np.asarray(far, np.float64), through)
    point = origin + np.where(row >= 0, distance, 0.0)[:, None] * direction
    label = np.where(view.label[row] >= 0, view.label[row], view.semantic[material])
    classes = tuple(Semantic)
    return [
        RayHit(
            float(distance[ray]),
            tuple(point[ray].tolist()),
            tuple(normal[ray].tolist()),
            int(view.actor[row[ray]]),
            classes[label[ray]],
        )
        if row[ray] >= 0
        else None
        for ray in range(len(origin))
    ]
