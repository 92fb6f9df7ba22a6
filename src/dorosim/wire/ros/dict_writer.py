"""Messages as trees of dicts and lists, as JSON, CBOR and BSON hold them; made by straight-line code, once a type.

Numbers that JSON has not (NaN, infinities) become null, and `uint8[]` and `char[]` base64 text, as rosbridge has them
(facts/ros-grpc-mgeo.md, 1.1). CBOR has byte strings for these and typed arrays (RFC 8746, little endian) for other
arrays of numbers; BSON has byte strings, and lists.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from math import isfinite
from typing import Any, Literal

import msgspec
import numpy as np
from cbor2 import CBORTag
from rosbags.interfaces import Nodetype

from dorosim.wire.error import RosError
from dorosim.wire.ros.registry import Registry

Form = Literal["json", "nan", "cbor", "bson"]
"""Of a tree; "nan" is JSON as Python writes it, with NaN and infinities."""
OCTETS = frozenset({"uint8", "char"})
"""Element types of arrays that travel as bytes."""
LONG = 4096
"""Letters of base64 text from which on it is put into JSON as it is."""
TIMES = frozenset({"builtin_interfaces/msg/Time", "builtin_interfaces/msg/Duration"})
"""The `time` and `duration` of ROS 1, as rosbags names them."""
DTYPES = {
    "bool": "?",
    "byte": "<i1",
    "char": "<u1",
    **{f"int{bits}": f"<i{bits // 8}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"<u{bits // 8}" for bits in (8, 16, 32, 64)},
    "float32": "<f4",
    "float64": "<f8",
}
"""Of arrays, by element type."""
TYPED_ARRAYS = {
    64: "<u1", 65: ">u2", 66: ">u4", 67: ">u8", 68: "<u1", 69: "<u2", 70: "<u4", 71: "<u8",
    72: "<i1", 73: ">i2", 74: ">i4", 75: ">i8", 77: "<i2", 78: "<i4", 79: "<i8",
    81: ">f4", 82: ">f8", 85: "<f4", 86: "<f8",
}  # fmt: skip
"""Typed arrays of RFC 8746 that ROS has a type for, by their tags."""
TAGS = {name: tag for tag, code in TYPED_ARRAYS.items() for name, dtype in DTYPES.items() if dtype == code}
"""CBOR tags of typed arrays in little endian, by element type."""


class DictWriter:
    """Makes trees of messages.

    Args:
        registry: of their types. form: of the trees.
    """

    def __init__(self, registry: Registry, form: Form) -> None:
        self._registry = registry
        self._form = form
        self._made: dict[str, Callable[[Any], dict[str, Any]]] = {}

    def tree(self, message: Any) -> dict[str, Any]:
        """The tree of a message.

        Raises:
            RosError: a field holds what it cannot.
        """
        name = message.__msgtype__.replace("/msg/", "/")
        try:
            return self._writer(name)(message)
        except (AttributeError, OverflowError, TypeError, ValueError) as error:
            raise RosError(f"{name} cannot be written: {error}") from None

    def _writer(self, name: str) -> Callable[[Any], dict[str, Any]]:
        """The function for a type; compiled at its first use."""
        made = self._made.get(name)
        if made is None:
            inner: dict[str, Any] = {"isfinite": isfinite, **_HELPERS[self._form]}
            parts = [
                f"{field!r}: {self._expression(shape, f'message.{field}', inner)}"
                for field, shape in self._registry.fields(name)
            ]
            exec(f"def write(message):\n    return {{{', '.join(parts)}}}", inner)
            made = self._made[name] = inner["write"]
        return made

    def _expression(self, shape: Any, value: str, inner: dict[str, Any]) -> str:
        kind, detail = shape
        if kind == Nodetype.BASE:
            return self._base(detail[0], value)
        if kind == Nodetype.NAME:
            return self._named(detail, value, inner)
        (element, of), _ = detail
        if element == Nodetype.NAME:
            return f"[{self._named(of, 'one', inner)} for one in {value}]"
        if of[0] == "string":
            return f"list({value})"
        if of[0] in OCTETS:
            return f"octets({value})"
        if of[0] == "bool":
            return f"bools({value})"
        return f"numbers({value}, {DTYPES[of[0]]!r}, {TAGS[of[0]]})"

    def _base(self, kind: str, value: str) -> str:
        if kind == "string":
            return value
        if kind == "bool":
            return f"bool({value})"
        if not kind.startswith("float"):
            return f"int({value})"
        return f"(x if isfinite(x := float({value})) else None)" if self._form == "json" else f"float({value})"

    def _named(self, inside: str, value: str, inner: dict[str, Any]) -> str:
        if inside in TIMES:
            return f"time({value})"
        name = f"write_{inside.replace('/', '_')}"
        inner[name] = self._writer(inside.replace("/msg/", "/"))
        return f"{name}({value})"


def octets(array: Any) -> bytes | memoryview:
    """An array of bytes, however it is held."""
    return np.ascontiguousarray(array, np.uint8).data if isinstance(array, np.ndarray) else bytes(array)


def _time(moment: Any) -> dict[str, int]:
    return {"secs": int(moment.sec), "nsecs": int(moment.nanosec)}


def _bools(array: Any) -> list[bool]:
    found: list[bool] = np.asarray(array, np.bool_).tolist()
    return found


def _text_of_octets(array: Any) -> str | msgspec.Raw:
    """Base64 text; a long one as JSON already, since looking for what to escape takes as long as the rest."""
    found = b64encode(octets(array))
    return found.decode("ascii") if len(found) < LONG else msgspec.Raw(b"".join((b'"', found, b'"')))


def _plain_text_of_octets(array: Any) -> str:
    return b64encode(octets(array)).decode("ascii")


def _json_numbers(array: Any, dtype: str, _: int) -> list[Any]:
    numbers = np.asarray(array, dtype)
    found: list[Any] = numbers.tolist()
    if numbers.dtype.kind == "f" and not np.isfinite(numbers).all():
        return [one if isfinite(one) else None for one in found]
    return found


def _cbor_numbers(array: Any, dtype: str, tag: int) -> CBORTag:
    return CBORTag(tag, np.asarray(array, dtype).tobytes())


def _bson_numbers(array: Any, dtype: str, _: int) -> list[Any]:
    found: list[Any] = np.asarray(array, dtype).tolist()
    return found


def _bytes_of_octets(array: Any) -> bytes:
    return bytes(octets(array))


_HELPERS: dict[Form, dict[str, Callable[..., Any]]] = {
    "json": {"time": _time, "bools": _bools, "octets": _text_of_octets, "numbers": _json_numbers},
    "nan": {"time": _time, "bools": _bools, "octets": _plain_text_of_octets, "numbers": _bson_numbers},
    "cbor": {"time": _time, "bools": _bools, "octets": _bytes_of_octets, "numbers": _cbor_numbers},
    "bson": {"time": _time, "bools": _bools, "octets": _bytes_of_octets, "numbers": _bson_numbers},
}
