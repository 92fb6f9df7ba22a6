"""A ray into the world, from the command line."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from dorosim.app.serve.sensor.shot import SensorSession
from dorosim.bridge.sensor.ray import Point, Ray, RayCaster, problem_of_ray, ray_between
from dorosim.ground.error import InputError
from dorosim.world.snapshot import EGO, Snapshot

if TYPE_CHECKING:
    from dorosim.app.setting.settings import Settings

EYE = 1.5
"""Height above the ego vehicle's origin at which a ray begins whose start is not given [m]."""


def point_from_text(option: str, text: str) -> Point:
    """`X,Y,Z`.

    Raises:
        InputError: it is not three finite numbers.
    """
    try:
        x, y, z = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(option, "", f"{text!r} is not three numbers", f"write it as {option}=12.5,-3,1.5") from None
    if not all(map(math.isfinite, (x, y, z))):
        raise InputError(option, "", f"{text!r} is not finite", f"write it as {option}=12.5,-3,1.5")
    return x, y, z


def cast_from_text(
    settings: Settings,
    after: float,
    start: str | None,
    to: str | None,
    direction: str | None,
    far: float | None,
    through: int,
) -> str:
    """What a ray meets first, as JSON.

    Args:
        settings: of the world.
        after: simulated time that goes by before [s].
        start: `X,Y,Z` in map [m]; None: in the ego vehicle, which it passes through then.
        to: `X,Y,Z` in map [m] of the point that it goes to.
        direction: or its direction in map.
        far: where it ends [m]; None: at `to`, or after 1000 m.
        through: id of an actor that it passes through, 0 for none.

    Raises:
        InputError: an option is wrong.
    """
    if (to is None) == (direction is None):
        raise InputError("sensor ray", "", "where does it go?", "give either --to or --direction")
    where = None if start is None else point_from_text("--from", start)
    goal = point_from_text("--to" if direction is None else "--direction", to or direction or "")
    if where is not None:
        _ray(where, goal, to is not None, far, through)
    studio = SensorSession(settings, after)
    if where is None:
        where, through = _eye(studio.now), through or EGO
    ray = _ray(where, goal, to is not None, far, through)
    (hit,) = RayCaster(studio.stage).cast(studio.now, [ray])
    found: dict[str, Any] | None = None
    if hit is not None:
        found = {
            "distance": hit.distance,
            "point": hit.position,
            "normal": hit.normal,
            "actor": hit.actor,
            "class": hit.label.name.lower(),
        }
    length = math.hypot(*ray.direction)
    along = tuple(part / length for part in ray.direction)
    return json.dumps(
        {"time_ns": studio.now.time, "from": ray.origin, "direction": along, "far": ray.far, "hit": found}, indent=1
    )


def _ray(start: Point, goal: Point, is_point: bool, far: float | None, through: int) -> Ray:
    """A ray to a point or into a direction.

    Raises:
        InputError: no ray can be so.
    """
    if is_point:
        ray = ray_between(start, goal, far, through)
    else:
        ray = Ray(start, goal, through=through) if far is None else Ray(start, goal, far, through)
    problem = problem_of_ray(ray)
    if problem:
        raise InputError("sensor ray", "", problem, "see dorosim sensor ray --help")
    return ray


def _eye(now: Snapshot) -> Point:
    vehicle = now.vehicle
    return float(vehicle.x[0]), float(vehicle.y[0]), float(vehicle.z[0]) + EYE
