"""Checks every message from outside: no number may be NaN or infinite, and none may be outside its range.

Numbers a little off are clamped where UDP clamps them, and the user gets a notice; with others the message is refused.
What a message asks for is done as a whole or not at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from dorosim.bridge.answer import CLAMPED, Answer, Notice, Refusal
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.ros.topic import Provided, RosSituation
from dorosim.ground.error import InputError
from dorosim.wire.message import Wire
from dorosim.wire.udp.control import EgoCtrlCmd, GhostCtrlCmd
from dorosim.world.command import Vector
from dorosim.world.snapshot import Outcome, Snapshot

MAX_LIST_LENGTH = 2_000
"""Longest list in a message: each entry may be a command, and a tick has to take them all."""


class Range(NamedTuple):
    """What a number may be.

    Attributes:
        low, high: bounds, in the message's own unit.
        beyond: what happens to others.
    """

    low: float
    high: float
    beyond: Literal["clamp", "refuse"] = "clamp"


Ranges = Mapping[str, Range]
"""By type and field: "CtrlCmd.accel". That of a vector counts for each of its parts, that of a list for each entry."""


def range_of(message: type[Wire], name: str) -> Range:
    """The range of a field of a UDP message that asks for the same, in the unit that both have."""
    field = next(field for field in message.table.fields if field.name == name)
    assert field.low is not None, f"{message.__name__}.{name} has no range"
    assert field.high is not None, f"{message.__name__}.{name} has no range"
    return Range(field.low, field.high, field.beyond)


MAP = range_of(GhostCtrlCmd, "position")
"""Places on a map [m]."""
TURN = range_of(GhostCtrlCmd, "rotation")
"""Roll, pitch and yaw [deg], wrapped or not."""
SPEED = range_of(EgoCtrlCmd, "velocity")
"""Speeds [km/h]."""


def guarded(
    meaning: Callable[[Any, RosSituation], Iterable[Answer]], ranges: Ranges | None = None
) -> Callable[[Any, RosSituation], Iterable[Answer]]:
    """Wrap a topic's handler: it gets finite messages within their ranges; one refusal among its answers is of all."""

    def guard(message: Any, to: RosSituation) -> Iterable[Answer]:
        sound, clamped = limited(message, ranges or {})
        answers = tuple(meaning(sound, to))
        refusals = tuple(answer for answer in answers if isinstance(answer, Refusal))
        if refusals:
            return refusals
        if clamped:
            answers += (Notice(CLAMPED, "", tuple(f"{_short(message)}: {field}" for field in clamped)),)
        return answers

    return guard


def provided(
    key: str,
    service: str,
    kind: str,
    meaning: Callable[[Any, RosSituation], Any | DeferredReply],
    *,
    module: int = 0,
    ranges: Ranges | None = None,
) -> Provided:
    """A service of morai_msgs, whose request and response each hold one message.

    Args:
        key: in the settings.
        service: default name.
        kind: its type in morai_msgs.
        meaning: takes the message of the request, and gives that of the response, now or deferred.
        module: number of the product's network module, 0 for none.
        ranges: of its numbers; those outside refuse the request.
    """

    def guard(request: Any, to: RosSituation) -> Any | DeferredReply:
        def wrapped(response: Any) -> Any:
            return to.form.registry.make(f"morai_msgs/{kind}Response", response=response)

        sound, _ = limited(request.request, ranges or {})
        found = meaning(sound, to)
        if not isinstance(found, DeferredReply):
            return wrapped(found)

        def reply(now: Snapshot, outcomes: tuple[Outcome, ...]) -> Any:
            return wrapped(found.reply(now, outcomes))

        return DeferredReply(found.commands, reply)

    return Provided(key, service, f"morai_msgs/{kind}", guard, module=module)


def limited(message: Any, ranges: Ranges) -> tuple[Any, tuple[str, ...]]:
    """A message with every number within its range, and the names of the fields that were clamped.

    Raises:
        InputError: a number is NaN, infinite or out of a range that is refused, or a list is too long.
    """
    clamped: list[str] = []
    sound = _limited(message, ranges, _short(message), clamped)
    return sound, tuple(dict.fromkeys(clamped))


def _short(message: Any) -> str:
    """The name of a message's type, without its package."""
    return str(message.__msgtype__).rpartition("/")[2]


def _limited(message: Any, ranges: Ranges, place: str, clamped: list[str]) -> Any:
    changes: dict[str, Any] = {}
    kind = _short(message)
    for one in fields(message):
        if one.name == "__msgtype__":
            continue
        value, here = getattr(message, one.name), f"{place}.{one.name}"
        bounds = ranges.get(f"{kind}.{one.name}")
        new = _checked(value, bounds, ranges, here, clamped)
        if new is not value:
            changes[one.name] = new
    return replace(message, **changes) if changes else message


def _checked(value: Any, bounds: Range | None, ranges: Ranges, place: str, clamped: list[str]) -> Any:
    """A value of any kind that a field can have: the value itself if nothing is wrong with it."""
    if isinstance(value, str | bool):
        return value
    if isinstance(value, int | float):
        return _number(value, bounds, place, clamped)
    if isinstance(value, np.ndarray):
        return _array(value, bounds, place, clamped)
    if isinstance(value, list):
        if len(value) > MAX_LIST_LENGTH:
            raise _too_long(place, len(value))
        new = [_checked(one, bounds, ranges, f"{place}[{row}]", clamped) for row, one in enumerate(value)]
        return value if all(a is b for a, b in zip(new, value, strict=True)) else new
    if is_dataclass(value):
        if bounds is not None:
            ranges = {**ranges, **{f"{_short(value)}.{one.name}": bounds for one in fields(value)}}
        return _limited(value, ranges, place, clamped)
    return value


def _number(value: float, bounds: Range | None, place: str, clamped: list[str]) -> float:
    if not math.isfinite(value):
        raise InputError(place, "", f"is {value}", "send a finite number")
    if bounds is None or bounds.low <= value <= bounds.high:
        return value
    if bounds.beyond == "refuse":
        raise InputError(place, "", f"{value:g} is outside {bounds.low:g} to {bounds.high:g}", "")
    clamped.append(place.partition(".")[2].partition("[")[0])
    return min(max(value, bounds.low), bounds.high)


def _array(value: Any, bounds: Range | None, place: str, clamped: list[str]) -> Any:
    if len(value) > MAX_LIST_LENGTH:
        raise _too_long(place, len(value))
    if value.dtype.kind == "f" and not np.isfinite(value).all():
        row = int(np.argmin(np.isfinite(value)))
        raise InputError(f"{place}[{row}]", "", f"is {value[row]}", "send a finite number")
    if bounds is None or not len(value):
        return value
    within = (value >= bounds.low) & (value <= bounds.high)
    if within.all():
        return value
    row = int(np.argmin(within))
    if bounds.beyond == "refuse":
        raise InputError(f"{place}[{row}]", "", f"{value[row]:g} is outside {bounds.low:g} to {bounds.high:g}", "")
    clamped.append(place.partition(".")[2])
    return np.clip(value, bounds.low, bounds.high)


def _too_long(place: str, length: int) -> InputError:
    return InputError(place, "", f"has {length:,} entries", f"send at most {MAX_LIST_LENGTH:,}")


def vector_of(message: Any, factor: float = 1.0) -> Vector:
    """Three numbers of a geometry_msgs/Vector3, times a factor."""
    return (float(message.x) * factor, float(message.y) * factor, float(message.z) * factor)
