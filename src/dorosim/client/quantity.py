"""From SI units and Python's values to those of the two APIs, and back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

KMH = 3.6
"""km/h in 1 m/s."""
Vector = Sequence[float] | NDArray[np.float64]
"""Three numbers."""
Triple = tuple[float, float, float]
EGO = "Ego"
"""The first ego vehicle, of every run."""


def vector(values: Vector) -> dict[str, float]:
    """A Vector3 of three numbers; two are taken for x and y.

    Raises:
        ValueError: there are more or fewer.
    """
    numbers = [float(value) for value in values]
    if len(numbers) == 2:
        numbers.append(0.0)
    if len(numbers) != 3:
        raise ValueError(f"a vector has three numbers, not {len(numbers)}")
    return dict(zip("xyz", numbers, strict=True))


def transform(position: Vector, rotation: Vector | float) -> dict[str, Any]:
    """A Transform of a position [m] and roll, pitch, yaw [rad], or the yaw alone."""
    angles = (0.0, 0.0, rotation) if isinstance(rotation, int | float) else rotation
    return {"location": vector(position), "rotation": vector([math.degrees(angle) for angle in angles])}


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
