"""What happens to numbers outside their documented range: clamped or refused, as the field says.

NaN and infinity are always refused.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, TypeVar

from dorosim.wire.codec import Codec, bounds_of
from dorosim.wire.error import WireError
from dorosim.wire.message import Field, Wire

M = TypeVar("M", bound=Wire)


def limit(codec: Codec, message: M) -> tuple[M, tuple[str, ...]]:
    """The message with every number in its documented range.

    Args:
        codec: the codec that decoded it.
        message: the decoded message.

    Returns:
        The message itself if all is well, else a clamped copy; and the names of the clamped fields, each once.

    Raises:
        WireError: a number is NaN, infinite, or outside a range that is refused.
    """
    if codec.in_range(message):
        return message, ()
    clamped: list[str] = []
    changes = _limited(codec.fields, message, codec.steer_sign, type(message).__name__, clamped)
    return dataclasses.replace(message, **changes), tuple(clamped)  # type: ignore[type-var]


def _limited(
    fields: tuple[Field, ...], owner: Wire, steer_sign: float, name: str, clamped: list[str]
) -> dict[str, Any]:
    """New values of the fields that have a number outside its range."""
    changes: dict[str, Any] = {}
    for field in fields:
        value = getattr(owner, field.name)
        if field.record is not None:
            changes[field.name] = tuple(
                dataclasses.replace(slot, **_limited(field.record.table.fields, slot, steer_sign, name, clamped))
                for slot in value
            )
            continue
        bounds = bounds_of(field, steer_sign)
        if bounds is None:
            continue
        new = [_limited_number(field, one, bounds, name) for one in (value if field.vector else (value,))]
        changed = tuple(new) if field.vector else new[0]
        if changed != value:
            if field.name not in clamped:
                clamped.append(field.name)
            changes[field.name] = changed
    return changes


def _limited_number(field: Field, value: float, bounds: tuple[float, float], name: str) -> float:
    if not math.isfinite(value):
        raise WireError("non-finite", f"{field.name} is {value}", name)
    low, high = bounds
    if low <= value <= high:
        return value
    if field.beyond == "refuse":
        sent = value / field.unit.factor
        raise WireError(
            "range",
            f"{field.name} is {sent:g} {field.unit.symbol}, outside {field.low} to {field.high}",
            name,
        )
    return min(max(value, low), high)
