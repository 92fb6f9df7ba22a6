"""Fields of rosbridge operations, checked."""

from __future__ import annotations

from typing import Any

from dorosim.wire.error import RosError

_MAX_NAME_LENGTH = 300


def name_in(operation: dict[str, Any], field: str) -> str:
    """The name of a topic or service.

    Raises:
        RosError: there is none.
    """
    value = text_in(operation, field)
    if not value or len(value) > _MAX_NAME_LENGTH or not value.isprintable() or " " in value:
        raise RosError(f'"{field}" is not a valid name')
    return value


def type_in(operation: dict[str, Any], field: str = "type") -> str:
    """The name of a type, "" for none; ROS 2 clients write "std_msgs/msg/String", which is taken.

    Raises:
        RosError: it is not a text.
    """
    value = text_in(operation, field, default="")
    return value.replace("/msg/", "/").replace("/srv/", "/")[:_MAX_NAME_LENGTH]


def text_in(operation: dict[str, Any], field: str, *, default: str | None = None) -> str:
    """A text.

    Raises:
        RosError: it is none, or missing without a default.
    """
    value = operation.get(field)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise RosError(f'"{field}" {"is missing" if value is None else "is not a text"}')
    return value


def id_in(operation: dict[str, Any]) -> dict[str, str | int]:
    """The id that an answer has: {"id": that of the operation}, or {} where it has none that each form can carry."""
    value = operation.get("id")
    if isinstance(value, int):
        return {"id": value} if -(2**63) <= value < 2**63 else {}
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return {}
        return {"id": value}
    return {}


def number_in(operation: dict[str, Any], field: str, highest: int) -> int:
    """A whole number from 0 on, 0 where it is missing.

    Raises:
        RosError: it is none.
    """
    value = operation.get(field)
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= highest:
        raise RosError(f'"{field}" must be a number from 0 to {highest}')
    return int(value)
