"""Reads and writes messages whose size is not fixed: tables with texts and lists of any length.

Beside the fields of `dorosim.wire.message` that have a width, a table may have strings, records and a rest. Fields that
stand side by side and have a width are one `struct` call.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

from dorosim.wire.codec import bytes_from_text, text_from_bytes
from dorosim.wire.error import WireError
from dorosim.wire.message import Field, Wire

W = TypeVar("W", bound=Wire)
_COUNT = struct.Struct("<I")
_OPEN = ("string", "records", "rest")


class Decoded(NamedTuple):
    """A message that was read.

    Attributes:
        message: it. clamped: names of the fields whose numbers were brought into their ranges.
    """

    message: Any
    clamped: tuple[str, ...]


class _Run(NamedTuple):
    """Fields side by side that have a width.

    Attributes:
        packed: of all of them. fields: in their order. names: of them, if every value of the wire counts as it is.
        plan: the fields, whether each is a text, and by what its numbers are divided for the wire.
    """

    packed: struct.Struct
    fields: tuple[Field, ...]
    names: tuple[str, ...]
    plan: tuple[tuple[Field, bool, float], ...]


def decode(message: type[Wire], data: bytes) -> Decoded:
    """The message that bytes hold, all of them.

    Raises:
        WireError: they are too few or too many, a number is not finite or beyond a bound that refuses, a text is not
            UTF-8, or a list would be longer than the rest of the bytes.
    """
    clamped: list[str] = []
    found, at = _decoded(message, data, 0, clamped)
    if at != len(data):
        raise WireError("size", f"{len(data)} bytes, {at} are the message", message.__name__)
    return Decoded(found, tuple(dict.fromkeys(clamped)))


def encode(message: Wire) -> bytes:
    """The bytes of a message.

    Raises:
        WireError: a number or a text does not fit its field.
    """
    parts: list[bytes] = []
    kind = type(message)
    for part in _parts(kind):
        if isinstance(part, _Run):
            values: list[Any] = []
            for field, is_text, factor in part.plan:
                value = getattr(message, field.name)
                if is_text:
                    values.append(bytes_from_text(value, field.count, field.pad))
                elif not field.vector:
                    values.append(value / factor if factor != 1.0 else value)
                else:
                    values += [one / factor for one in value] if factor != 1.0 else value
            try:
                parts.append(part.packed.pack(*values))
            except (struct.error, OverflowError) as error:
                raise WireError("value", str(error), kind.__name__) from None
            continue
        value = getattr(message, part.name)
        if part.kind == "records":
            parts += [_COUNT.pack(len(value)), *(encode(one) for one in value)]
        else:
            raw = value.encode()
            parts += [raw] if part.kind == "rest" else [_COUNT.pack(len(raw)), raw]
    return b"".join(parts)


def min_size(message: type[Wire]) -> int:
    """Bytes of a message whose texts and lists are empty."""
    sizes = (part.packed.size if isinstance(part, _Run) else 4 * (part.kind != "rest") for part in _parts(message))
    return sum(sizes)


def in_range(message: Wire) -> bool:
    """Whether all numbers are finite and inside their ranges, those of records too."""
    for field in message.table.fields:
        value = getattr(message, field.name)
        if field.kind == "records":
            if not all(in_range(one) for one in value):
                return False
        elif field.kind == "number":
            for one in value if field.vector else (value,):
                low, high = _bounds(field)
                if not math.isfinite(one) or not low <= one / field.unit.factor <= high:
                    return False
    return True


_PARTS: dict[type[Wire], tuple[_Run | Field, ...]] = {}


def _parts(message: type[Wire]) -> tuple[_Run | Field, ...]:
    """The parts of a table, in wire order."""
    found = _PARTS.get(message)
    if found is None:
        found = _PARTS[message] = tuple(_grouped(message.table.fields))
    return found


def _grouped(fields: tuple[Field, ...]) -> Iterator[_Run | Field]:
    run: list[Field] = []
    for field in fields:
        if field.kind not in _OPEN:
            run.append(field)
            continue
        if run:
            yield _run(run)
            run = []
        yield field
    if run:
        yield _run(run)


def _run(fields: list[Field]) -> _Run:
    codes = "".join(field.code if field.kind == "text" else field.code * field.count for field in fields)
    plain = all(_is_plain(field) for field in fields)
    names = tuple(field.name for field in fields) if plain else ()
    plan = tuple((field, field.kind == "text", field.unit.factor) for field in fields)
    return _Run(struct.Struct(f"<{codes}"), tuple(fields), names, plan)


def _is_plain(field: Field) -> bool:
    """Whether every value of a field counts above the wire as it is: a whole number of any size."""
    whole = field.kind == "number" and not field.vector and not field.floating
    return whole and field.unit.factor == 1.0 and field.low is None and field.high is None


def _decoded(message: type[W], data: bytes, at: int, clamped: list[str]) -> tuple[W, int]:
    """A message from a place of the bytes on, and the place behind it."""
    name, values = message.__name__, dict[str, Any]()
    for part in _parts(message):
        if isinstance(part, _Run):
            _check_room(data, at, part.packed.size, name)
            raw = part.packed.unpack_from(data, at)
            at += part.packed.size
            _take_run(part, raw, values, clamped, name)
            continue
        if part.kind == "rest":
            values[part.name], at = _text(data[at:], part, name), len(data)
            continue
        _check_room(data, at, _COUNT.size, name)
        (count,) = _COUNT.unpack_from(data, at)
        at += _COUNT.size
        if part.kind == "string":
            _check_room(data, at, count, name)
            values[part.name] = _text(data[at : at + count], part, name)
            at += count
        else:
            assert part.record is not None
            _check_room(data, at, count * min_size(part.record), name)
            rows = []
            for _ in range(count):
                row, at = _decoded(part.record, data, at, clamped)
                rows.append(row)
            values[part.name] = tuple(rows)
    return message(**values), at


def _check_room(data: bytes, at: int, size: int, name: str) -> None:
    if at + size > len(data):
        raise WireError("size", f"{len(data)} bytes, {at + size} are needed", name)


def _text(raw: bytes, field: Field, name: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise WireError("text", f"{field.name} is not UTF-8", name) from None


def _take_run(run: _Run, raw: tuple[Any, ...], values: dict[str, Any], clamped: list[str], name: str) -> None:
    """Put the numbers and texts of a run into their places, in SI units and inside their ranges."""
    if run.names:
        values.update(zip(run.names, raw, strict=True))
        return
    place = 0
    for field in run.fields:
        if field.kind == "text":
            try:
                values[field.name] = text_from_bytes(raw[place])
            except UnicodeDecodeError:
                raise WireError("text", f"{field.name} is not UTF-8", name) from None
            place += 1
            continue
        numbers = [_number(field, one, clamped, name) for one in raw[place : place + field.count]]
        values[field.name] = tuple(numbers) if field.vector else numbers[0]
        place += field.count


def _number(field: Field, value: Any, clamped: list[str], name: str) -> Any:
    """A number of the wire as it counts above it."""
    if not math.isfinite(value):
        raise WireError("non-finite", f"{field.name} is {value}", name)
    low, high = _bounds(field)
    if not low <= value <= high:
        if field.beyond == "refuse":
            raise WireError("range", f"{field.name} is {value}; {low:g} to {high:g} are allowed", name)
        clamped.append(field.name)
        value = min(max(value, low), high)
    return value * field.unit.factor if field.unit.factor != 1.0 else value


def _bounds(field: Field) -> tuple[float, float]:
    return (
        -math.inf if field.low is None else field.low,
        math.inf if field.high is None else field.high,
    )
