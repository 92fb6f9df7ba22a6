"""ROS messages as text, field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from dorosim.wire.ros.dict_writer import TIMES
from dorosim.wire.ros.registry import FILLER
from dorosim.wire.value_text import Plain, ValueText, value_texts


def ros_texts(value: Any) -> Iterator[ValueText]:
    """The fields of a message as `dorosim.wire.ros.registry.Registry.make` made it, or of an exchange of two."""
    return value_texts(value, _fields_of)


def _fields_of(value: Any) -> Iterable[tuple[str, Any]] | None:
    if not hasattr(value, "__msgtype__"):
        return None
    return [(one.name, _shown(getattr(value, one.name))) for one in fields(value) if one.name not in _HIDDEN]


def _shown(value: Any) -> Any:
    """A moment or duration in one row."""
    if getattr(value, "__msgtype__", "") not in TIMES:
        return value
    total = value.sec * 1_000_000_000 + value.nanosec
    seconds, rest = divmod(abs(total), 1_000_000_000)
    return Plain(f"{'-' if total < 0 else ''}{seconds}.{rest:09d} s")


_HIDDEN = (FILLER, "__msgtype__")
