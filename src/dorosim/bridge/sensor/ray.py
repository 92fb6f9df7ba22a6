"""Rays that a client asks for, cast into the world of a Snapshot (Standard API, util.RayCast)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dorosim.ground.error import InputError
from dorosim.sensor.sensor_input import SceneGeometry
from dorosim.world.snapshot import LAST_ID, Snapshot

if TYPE_CHECKING:
    from dorosim.sensor.ray import RayHit
    from dorosim.sensor.scene.instance import View

Point = tuple[float, float, float]
MAX_RAY_LENGTH = 1e5
"""No ray is longer than this [m]."""
LARGEST = 1e7
"""No map has a coordinate beyond this [m]."""


@dataclass(frozen=True, slots=True)
class Ray:
    """A ray that is asked for.

    Attributes:
        origin: in map [m].
        direction: in map, of any length but 0.
        far: where it ends [m].
        through: id of an actor that it passes through, 0 for none.
    """

    origin: Point
    direction: Point
    far: float = 1000.0
    through: int = 0


def ray_between(source: Point, target: Point, far: float | None = None, through: int = 0) -> Ray:
    """The ray from a point to another, and no farther unless `far` says so: it meets nothing if the sight is free."""
    way = tuple(b - a for a, b in zip(source, target, strict=True))
    return Ray(source, way, math.dist(source, target) if far is None else far, through)  # type: ignore[arg-type]


def problem_of_ray(ray: Ray) -> str:
    """Why a ray cannot be cast, or an empty string."""
    if not all(abs(part) <= LARGEST for part in ray.origin):
        return f"its origin {ray.origin} is not a valid place on a map"
    if not all(math.isfinite(part) for part in ray.direction) or not 0.0 < math.hypot(*ray.direction) < math.inf:
        return f"{ray.direction} is not a valid direction"
    if not 0.0 < ray.far <= MAX_RAY_LENGTH:
        return f"it cannot end {ray.far:g} m away, only 0 to {MAX_RAY_LENGTH:g} m"
    return "" if 0 <= ray.through <= LAST_ID else f"there is no actor {ray.through} to pass through"


class RayCaster:
    """Casts rays into the world of Snapshots.

    It has a geometry of its own or shares that of the sensors; as an update writes into it, only one thread may work
    with a geometry at a time.

    Args:
        stage: makes the geometry; called once, when a ray is first asked for.
    """

    def __init__(self, stage: Callable[[], SceneGeometry]) -> None:
        self._make_stage = stage
        self._stage: SceneGeometry | None = None

    def cast(self, now: Snapshot, rays: Sequence[Ray]) -> list[RayHit | None]:
        """What each ray meets first in the world of a Snapshot, None for nothing.

        Raises:
            InputError: a ray is none; the place is its number.
        """
        for number, ray in enumerate(rays):
            problem = problem_of_ray(ray)
            if problem:
                raise InputError("ray", str(number), problem, "give finite numbers, in m")
        if self._stage is None:
            self._stage = self._make_stage()
        view = self._stage.update(now)
        found: list[RayHit | None] = [None] * len(rays)
        for through in sorted({ray.through for ray in rays}):
            chosen = [number for number, ray in enumerate(rays) if ray.through == through]
            unseen = now.number.number_of(through)
            for number, hit in zip(chosen, _hits(view, [rays[one] for one in chosen], unseen), strict=True):
                found[number] = hit
        return found


def _hits(view: View, rays: Sequence[Ray], through: int) -> list[RayHit | None]:
    from dorosim.sensor.ray import hits_of_rays

    direction = np.array([ray.direction for ray in rays], np.float64)
    direction /= np.abs(direction).max(axis=1, keepdims=True)  # so that squares neither overflow nor vanish
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    far = np.array([ray.far for ray in rays])
    return hits_of_rays(view, np.array([ray.origin for ray in rays], np.float64), direction, far, through)
