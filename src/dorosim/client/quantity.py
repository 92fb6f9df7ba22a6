"""From SI units and Python's values to those of the two APIs, and back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dorosim.client.error import RefusedError

KMH = 3.6
"""km/h in 1 m/s."""
Vector = Sequence[float] | NDArray[np.float64]
"""Three numbers."""
Triple = tuple[float, float, float]
EGO = "Ego"
"""The first ego vehicle, of every run."""
MAX_ANGLE = 4.0 * math.pi
"""An angle that is larger was meant in degrees [rad]."""
MAX_STEER = 0.5 * math.pi
"""An angle of wheels that is larger was meant in degrees [rad]."""

T = TypeVar("T")


def word(what: str, given: str, known: Mapping[Any, T]) -> T:
    """What a word means.

    Args:
        what: it names, for the error.
        given: the word.
        known: all words of this kind.

    Raises:
        RefusedError: it is none of them.
    """
    if isinstance(given, str) and given in known:
        return known[given]
    near = get_close_matches(str(given), known, 1)
    cure = f"do you mean {near[0]!r}? " if near else ""
    raise RefusedError(f"there is no {what} {given!r}", f"{cure}use {', '.join(known)}")


def vector(values: Vector) -> dict[str, float]:
    """A Vector3 of three numbers; two are taken for x and y.

    Raises:
        RefusedError: there are more or fewer, or they are none.
    """
    try:
        numbers = [float(value) for value in values]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) == 2:
        numbers.append(0.0)
    if len(numbers) != 3:
        raise RefusedError(f"{values!r} is no vector", "give two or three numbers, such as (x, y, z)")
    return dict(zip("xyz", numbers, strict=True))


def in_degrees(angles: Vector) -> dict[str, float]:
    """A Vector3 of three angles [deg] of three in rad.

    Raises:
        RefusedError: they are none, or so large that they are degrees already.
    """
    given = vector(angles)
    for angle in given.values():
        if abs(angle) > MAX_ANGLE:
            cure = f"angles are in radians: give math.radians({angle:g})"
            raise RefusedError(f"{angle:g} rad is more than two turns", cure)
    return {axis: math.degrees(angle) for axis, angle in given.items()}


def wheel_angle(steer: float) -> float:
    """An angle of the front wheels [rad].

    Raises:
        RefusedError: it is so large that it is in degrees.
    """
    if abs(steer) > MAX_STEER:
        cure = f"angles are in radians, left positive: give math.radians({steer:g})"
        raise RefusedError(f"wheels do not turn by {steer:g} rad", cure)
    return steer


def transform(position: Vector, rotation: Vector | float) -> dict[str, Any]:
    """A Transform of a position [m] and roll, pitch, yaw [rad], or the yaw alone."""
    angles: Any = (0.0, 0.0, rotation) if np.ndim(rotation) == 0 else rotation
    return {"location": vector(position), "rotation": in_degrees(angles)}


def triple(message: Any, factor: float = 1.0) -> Triple:
    """The three numbers of a Vector3, times a factor."""
    return message.x * factor, message.y * factor, message.z * factor


def identity(actor: str | int, kind: str = "VEHICLE", key: str = "") -> dict[str, Any]:
    """An ObjectInfo."""
    return {"id": {"value": str(actor)}, "object_type": f"OBJECT_TYPE_{kind}", "client_key": key}


def links(ids: Iterable[str]) -> list[dict[str, Any]]:
    """LinkInfos of ids of links."""
    return [{"id": {"value": link}} for link in ids]


def turned(vector: Sequence[float], rotation: Sequence[float]) -> Triple:
    """A vector of the body in the map's axes; roll, pitch and yaw about x, y and z by the right-hand rule [rad]."""
    x, y, z = vector
    (cr, cp, cy), (sr, sp, sy) = map(math.cos, rotation), map(math.sin, rotation)
    return (
        cy * cp * x + (cy * sp * sr - sy * cr) * y + (cy * sp * cr + sy * sr) * z,
        sy * cp * x + (sy * sp * sr + cy * cr) * y + (sy * sp * cr - cy * sr) * z,
        -sp * x + cp * sr * y + cp * cr * z,
    )
