"""Tables as text: the rows of a layout for the reference pages, and the values of a message for a dump."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from dorosim.wire.codec import Codec, factor_of, record_size, struct_format
from dorosim.wire.message import BINARY_HEAD, Envelope, Field, Wire

_TYPES = {"b": "int8", "B": "uint8", "h": "int16", "H": "uint16", "i": "int32", "I": "uint32"}
_TYPES |= {"f": "float32", "d": "float64"}


_BODY = "x forward, y left, z up; origin at the centre of the rear axle on the ground, else at the centre of the base"
FRAMES = {
    "map": "x east, y north, z up; origin at the map's origin; headings are 0 to the east, counter-clockwise positive",
    "body": "x forward, y left, z up; origin at the centre of the rear axle on the ground",
    "body of the object": _BODY,
    "its body": _BODY,
    "sensor": "x forward, y left, z up as the sensor is mounted; origin at the sensor",
    "wheel": "x along the wheel, y to its left, z up",
}
"""Directions of the axes, and the origin, of each frame that fields are in."""


class FieldRow(NamedTuple):
    """One field of a layout: byte offset, name, type and unit on the wire, and what it means."""

    offset: int
    name: str
    type: str
    unit: str
    meaning: str


class ValueRow(NamedTuple):
    """One field of a message: byte offset, name, value on the wire with its unit, and the value in SI."""

    offset: int
    name: str
    wire: str
    si: str


def wire_type(field: Field) -> str:
    """The type of a field as documents write it."""
    if field.kind == "text":
        return f"char[{field.count}]"
    if field.kind == "stamp":
        return "int32 s, int32 ns"
    if field.kind == "flag":
        return "uint8 bool"
    if field.record is not None:
        return f"{field.count} x {record_size(field)} bytes"
    return f"{_TYPES[field.code]}[{field.count}]" if field.vector else _TYPES[field.code]


def meaning(field: Field) -> str:
    """What a field means, with its frame, codes, range and sign."""
    parts = [field.doc]
    if field.frame:
        parts.append(f"in {field.frame}")
    if field.enum is not None:
        parts.append(", ".join(f"{code.value} {code.name}" for code in field.enum))
    if field.low is not None or field.high is not None:
        parts.append(f"{field.low:g} to {field.high:g}, {'clamped' if field.beyond == 'clamp' else 'else refused'}")
    if field.steering:
        parts.append("sign by revision")
    return "; ".join(parts)


def field_rows(codec: Codec) -> Iterator[FieldRow]:
    """The fields of a layout; the fields of a slot follow it with the offsets of the first slot."""
    for field in codec.fields:
        offset = codec.offsets[field.name]
        yield FieldRow(offset, field.name, wire_type(field), field.unit.symbol, meaning(field))
        if field.record is not None:
            for inner, inside in _slot_offsets(field):
                yield FieldRow(
                    offset + inside,
                    f"{field.name}[0].{inner.name}",
                    wire_type(inner),
                    inner.unit.symbol,
                    meaning(inner),
                )


def frames_of(codec: Codec) -> dict[str, str]:
    """The frames that the fields of a layout are in, each with the directions of its axes, as `FRAMES` has them."""
    inner = [one for field in codec.fields if field.record is not None for one in field.record.table.fields]
    return {one.frame: FRAMES[one.frame] for one in (*codec.fields, *inner) if one.frame}


def value_rows(codec: Codec, message: Wire) -> Iterator[ValueRow]:
    """The values of a message, field by field; slots that are not used are left out."""
    for field in codec.fields:
        offset, value = codec.offsets[field.name], getattr(message, field.name)
        if field.record is None:
            yield _value_row(field, field.name, offset, value, codec.steer_sign)
            continue
        yield ValueRow(offset, field.name, f"{len(value)} of {field.count} slots used", "")
        for number, slot in enumerate(value):
            for inner, inside in _slot_offsets(field):
                place = offset + number * record_size(field) + inside
                name = f"{field.name}[{number}].{inner.name}"
                yield _value_row(inner, name, place, getattr(slot, inner.name), codec.steer_sign)


def _slot_offsets(field: Field) -> Iterator[tuple[Field, int]]:
    assert field.record is not None
    at = 0
    for inner in field.record.table.fields:
        yield inner, at
        at += struct.calcsize("<" + struct_format(inner))


def _value_row(field: Field, name: str, offset: int, value: object, steer_sign: float) -> ValueRow:
    if field.kind == "stamp":
        assert isinstance(value, int)
        return ValueRow(offset, name, f"{value // 10**9} s {value % 10**9} ns", f"{value} ns")
    if field.enum is not None:
        assert isinstance(value, field.enum)
        return ValueRow(offset, name, f"{value.value} {value.name}", "")
    if field.kind != "number":
        return ValueRow(offset, name, repr(value), "")
    numbers = value if isinstance(value, tuple) else (value,)
    factor = factor_of(field, steer_sign)
    wire = ", ".join(f"{number / factor:g}" if field.floating else str(number) for number in numbers)
    si = ", ".join(f"{number:g}" for number in numbers)
    unit = field.unit
    plain = factor == 1.0
    return ValueRow(offset, name, f"{wire} {unit.symbol}".strip(), "" if plain else f"{si} {unit.si_symbol}".strip())


def binary_head_rows() -> Iterator[FieldRow]:
    """The fields of the binary header of ground vehicle messages."""
    at = 0
    for name, code in BINARY_HEAD:
        checked = name == "msg_type"
        what = "identifies the message: see the table above" if checked else "0 when sent; anything when received"
        yield FieldRow(at, name, _TYPES[code], "", what)
        at += struct.calcsize("<" + code)


def header_text(codec: Codec) -> str:
    """The header by which a message is known."""
    envelope = codec.message.table.envelope
    if isinstance(envelope, Envelope):
        return envelope.magic.decode()
    assert envelope is not None
    return f"binary, msg_type {envelope.msg_type}"
