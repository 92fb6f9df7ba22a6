"""Compiles a message table to straight-line code: one `struct` call and one assignment a field.

A `Codec` belongs to a message class, one of its layouts, and a sign of steering. Its functions are generated as
Python source, as `dataclasses` and `namedtuple` do it, so that decoding costs what bare `struct` costs plus the
conversion of units. `Codec.source` shows the code.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, TypeVar, cast

from dorosim.wire.error import WireError
from dorosim.wire.message import Field, Layout, Table, Wire
from dorosim.wire.packed import PackedSlots

M = TypeVar("M", bound=Wire)
SECOND = 1_000_000_000


@lru_cache(maxsize=4096)
def text_from_bytes(raw: bytes) -> str:
    """The text of a fixed-width field: up to the first NUL, without the spaces that clients fill up with."""
    return raw.partition(b"\0")[0].rstrip(b" ").decode()


@lru_cache(maxsize=4096)
def bytes_from_text(text: str, width: int, pad: bytes) -> bytes:
    """The fixed-width bytes of a text; a text that is too long is refused, not cut."""
    raw = text.encode()
    if len(raw) > width:
        raise WireError("text", f"{text!r} has {len(raw)} bytes, the field has room for {width}")
    if b"\0" in raw:
        raise WireError("text", f"{text!r} holds a NUL")
    return raw.ljust(width, pad)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Codec:
    """The compiled form of one layout of a message.

    Attributes:
        size: total bytes of the datagram.
        payload_size: bytes between head and tail.
        head, tail: as they are sent.
        magic: the part of the head that identifies this message.
        offsets: byte offset of each field from the start of the datagram.
        encode: message -> bytes; `WireError` where a value does not fit.
        decode: bytes of exactly `size` -> message; `WireError`, nothing else, for any other bytes.
        decode_from: (buffer) -> message, without the check of the size; the buffer holds at least `size` bytes.
        in_range: message -> whether all numbers are finite and inside their documented ranges.
        source: the generated code.
    """

    message: type[Wire]
    layout: Layout
    steer_sign: float
    size: int
    payload_size: int
    head: bytes
    tail: bytes
    magic: bytes
    offsets: dict[str, int]
    encode: Callable[[Any], bytes]
    decode: Callable[[bytes], Any]
    decode_from: Callable[[Any], Any]
    in_range: Callable[[Any], bool]
    source: str

    def __repr__(self) -> str:
        """The message and its size."""
        return f"<codec of {self.message.__name__}, {self.size} bytes>"

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of this layout, in wire order."""
        return self.message.table.fields_of(self.layout)


def factor_of(field: Field, steer_sign: float) -> float:
    """SI value = factor * wire value; -1 turns a steering sign."""
    return field.unit.factor * (steer_sign if field.steering else 1.0)


def struct_format(field: Field) -> str:
    """The `struct` codes of one field."""
    if field.kind == "text":
        return field.code
    if field.kind == "slots":
        return f"{field.count * record_size(field)}s"
    return field.code * field.count


def record_size(field: Field) -> int:
    """Bytes of one slot."""
    assert field.record is not None
    return struct.calcsize("<" + "".join(struct_format(inner) for inner in field.record.table.fields))


def compile_codec(message: type[Wire], layout: Layout, steer_sign: float = 1.0) -> Codec:
    """The codec of one layout of a message.

    Args:
        message: a class made by `@message`.
        layout: one of its layouts.
        steer_sign: 1 where the revision counts steering left positive, -1 where right positive.

    Raises:
        ValueError: the table does not add up to the layout's size: a mistake in the table.
    """
    return _compiled(cast(Any, message), layout, steer_sign)


@cache
def _compiled(message: type[Any], layout: Layout, steer_sign: float) -> Codec:
    table: Table = message.table
    assert table.envelope is not None
    fields = table.fields_of(layout)
    body = "".join(struct_format(field) for field in fields)
    payload_size = struct.calcsize("<" + body)
    head = table.envelope.head(payload_size)
    checked, tail = table.envelope.checked, table.envelope.tail
    size = len(head) + payload_size + len(tail)
    if size != layout.size:
        raise ValueError(f"the table of {message.__name__} makes {size} bytes, its layout says {layout.size}")
    front = f"<{checked.start}x{checked.stop - checked.start}s{len(head) - checked.stop}x"
    unpack = struct.Struct(f"{front}{body}{len(tail)}s")
    pack = struct.Struct(f"<{len(head)}s{body}{len(tail)}s")
    names: dict[str, Any] = {
        "unpack_from": unpack.unpack_from,
        "pack": pack.pack,
        "CHECKED": head[checked],
        "HEAD": head,
        "TAIL": tail,
        "SIZE": size,
        "name": message.__name__,
        "explain": _explain,
        "refuse": _refuse,
        "WireError": WireError,
        "struct_error": struct.error,
    }
    source = (
        _decoder_source(message, fields, steer_sign, names)
        + _encoder_source(fields, steer_sign, names)
        + _range_source(fields, steer_sign, names)
    )
    exec(compile(source, f"<codec of {message.__name__}>", "exec"), names)
    return Codec(
        message,
        layout,
        steer_sign,
        size,
        payload_size,
        head,
        tail,
        table.envelope.magic,
        dict(_offsets(fields, len(head))),
        names["encode"],
        names["decode"],
        names["decode_from"],
        names["in_range"],
        source,
    )


def _offsets(fields: tuple[Field, ...], start: int) -> Iterator[tuple[str, int]]:
    for field in fields:
        yield field.name, start
        start += struct.calcsize("<" + struct_format(field))


def _assignments(message: type[Wire], fields: tuple[Field, ...], sign: float, names: dict[str, Any]) -> list[str]:
    """Lines that fill the draft `m` from the unpacked variables `v0, v1, ...`."""
    lines, variable = [], 0
    for field in fields:
        key = field.name
        factor = factor_of(field, sign)
        times = "" if factor == 1.0 else f" * {factor!r}"
        if field.kind == "slots":
            names[f"slots_{key}"] = slot_decoder(field, sign)
            limit = f", m.{field.counted_by}" if field.counted_by else ""
            lines.append(f"m.{key} = slots_{key}(v{variable}{limit})")
        elif field.kind == "stamp":
            lines.append(f"m.{key} = v{variable} * {SECOND} + v{variable + 1}")
        elif field.kind == "text":
            names["text"] = text_from_bytes
            lines.append(f"m.{key} = text(v{variable})")
        elif field.enum is not None:
            names[f"enum_{key}"] = {member.value: member for member in field.enum}
            lines.append(f"m.{key} = enum_{key}[v{variable}]")
        elif field.vector:
            values = ", ".join(f"v{variable + i}{times}" for i in range(field.count))
            lines.append(f"m.{key} = ({values},)")
        else:
            lines.append(f"m.{key} = v{variable}{times}")
        variable += 1 if field.kind in ("slots", "text") else field.count
    present = {field.name for field in fields}
    for field in message.table.fields:
        if field.name not in present:
            names[f"default_{field.name}"] = field.default
            lines.append(f"m.{field.name} = default_{field.name}")
    return lines


def _variables(fields: tuple[Field, ...]) -> list[str]:
    count = sum(1 if field.kind in ("slots", "text") else field.count for field in fields)
    return [f"v{i}" for i in range(count)]


def _decoder_source(message: type[Wire], fields: tuple[Field, ...], sign: float, names: dict[str, Any]) -> str:
    names["Draft"], names["Message"] = message.draft, message
    body = "\n        ".join(_assignments(message, fields, sign, names))
    targets = ", ".join(["head", *_variables(fields), "tail"])
    return f"""
def decode_from(buffer):
    {targets} = unpack_from(buffer)
    if head != CHECKED or tail != TAIL:
        explain(name, CHECKED, TAIL, head, tail)
    m = Draft()
    try:
        {body}
    except (KeyError, UnicodeDecodeError) as error:
        refuse(name, Message, error)
    m.__class__ = Message
    return m

def decode(data):
    if len(data) != SIZE:
        raise WireError("size", f"{{len(data)}} bytes instead of {{SIZE}}", name)
    return decode_from(data)
"""


def _explain(name: str, checked: bytes, tail: bytes, seen_head: bytes, seen_tail: bytes) -> None:
    """Raise the error that names the part of the envelope that is wrong."""
    if seen_tail != tail and seen_head == checked:
        raise WireError("tail", f"ends with {seen_tail.hex(' ')} instead of {tail.hex(' ')}", name)
    if len(checked) > 4 and seen_head[:-4] == checked[:-4]:
        stated = int.from_bytes(seen_head[-4:], "little")
        wanted = int.from_bytes(checked[-4:], "little")
        raise WireError("length", f"says {stated} payload bytes instead of {wanted}", name)
    raise WireError("header", f"starts with {bytes(seen_head)!r} instead of {checked!r}", name)


def _refuse(name: str, message: type[Wire], error: Exception) -> None:
    """Raise the error that names the field with a code or characters that it cannot hold."""
    if isinstance(error, UnicodeDecodeError):
        raise WireError("text", f"text that is not UTF-8: {error.object!r}", name) from None
    enums = [field for field in message.table.fields if field.enum is not None]
    known = "; ".join(
        f"{field.name} knows {', '.join(f'{code.value} {code.name}' for code in field.enum or ())}" for field in enums
    )
    raise WireError("value", f"unknown code {error}: {known}", name) from None


def slot_decoder(field: Field, sign: float) -> Callable[..., tuple[Any, ...]]:
    """A function that reads the used slots of a repeated record.

    Those are the counted ones, else those up to the last that has a byte other than zero.
    """
    assert field.record is not None
    inner, size = field.record.table.fields, record_size(field)
    form = struct.Struct("<" + "".join(struct_format(one) for one in inner))
    names: dict[str, Any] = {
        "iter_unpack": form.iter_unpack,
        "Draft": field.record.draft,
        "Message": field.record,
    }
    body = "\n        ".join(_assignments(field.record, inner, sign, names))
    used = f"max(count, 0) * {size}" if field.counted_by else f'-(-len(area.rstrip(b"\\0")) // {size}) * {size}'
    source = f"""
def read(area{", count" if field.counted_by else ""}):
    used = {used}
    found = []
    for {", ".join(_variables(inner))}, in iter_unpack(area[:used]):
        m = Draft()
        {body}
        m.__class__ = Message
        found.append(m)
    return tuple(found)
"""
    exec(compile(source, f"<slots {field.name}>", "exec"), names)
    reader: Callable[..., tuple[Any, ...]] = names["read"]
    return reader


def _values(fields: tuple[Field, ...], sign: float, names: dict[str, Any]) -> list[str]:
    """Expressions that give `struct` the wire values of a message `m`."""
    values = []
    for field in fields:
        key = field.name
        factor = 1.0 / factor_of(field, sign)
        times = "" if factor == 1.0 else f" * {factor!r}"
        if field.kind == "slots":
            names[f"slots_{key}"] = _slot_encoder(field, sign)
            values.append(f"slots_{key}(m.{key})")
        elif field.kind == "stamp":
            values.append(f"m.{key} // {SECOND}, m.{key} % {SECOND}")
        elif field.kind == "text":
            names["raw"], names[f"pad_{key}"] = bytes_from_text, field.pad
            values.append(f"raw(m.{key}, {field.count}, pad_{key})")
        elif field.vector and times:
            values.append(f"*[value{times} for value in m.{key}]")
        elif field.vector:
            values.append(f"*m.{key}")
        else:
            values.append(f"m.{key}{times}")
    return values


def _encoder_source(fields: tuple[Field, ...], sign: float, names: dict[str, Any]) -> str:
    # the slots of a message are bound under one name for reading and another for writing
    encoding: dict[str, Any] = {}
    values = ", ".join(_values(fields, sign, encoding))
    for key, value in encoding.items():
        names[f"write_{key}" if key.startswith("slots_") else key] = value
    values = values.replace("slots_", "write_slots_")
    return f"""
def encode(m):
    try:
        return pack(HEAD, {values}, TAIL)
    except (struct_error, OverflowError, TypeError) as error:
        raise WireError("value", f"a value does not fit: {{error}}", name) from None
"""


def _slot_encoder(field: Field, sign: float) -> Callable[[Sequence[Any]], bytes]:
    """A function that writes the slots of a repeated record, zero bytes behind the last."""
    assert field.record is not None
    inner, total = field.record.table.fields, field.count * record_size(field)
    form = struct.Struct("<" + "".join(struct_format(one) for one in inner))
    names: dict[str, Any] = {"pack": form.pack, "PackedSlots": PackedSlots, "WireError": WireError}
    values = ", ".join(_values(inner, sign, names))
    source = f"""
def write(slots):
    if slots.__class__ is PackedSlots:
        return slots.area
    if not slots:
        return ZEROS
    if len(slots) > {field.count}:
        raise WireError("value", f"{{len(slots)}} {field.name}, the message has room for {field.count}")
    return b"".join([pack({values}) for m in slots]).ljust({total}, b"\\0")
"""
    names["ZEROS"] = bytes(total)
    exec(compile(source, f"<slots {field.name}>", "exec"), names)
    writer: Callable[[Sequence[Any]], bytes] = names["write"]
    return writer


def _range_source(fields: tuple[Field, ...], sign: float, names: dict[str, Any]) -> str:
    """`in_range(m)`: one chained comparison a number, false for NaN as well."""
    tests = _range_tests(fields, sign, names)
    return f"""
def in_range(m):
    return {" and ".join(tests) or "True"}
"""


def _range_tests(fields: tuple[Field, ...], sign: float, names: dict[str, Any], owner: str = "m") -> list[str]:
    names["inf"] = math.inf
    tests = []
    for field in fields:
        if field.kind == "slots":
            assert field.record is not None
            inner = " and ".join(_range_tests(field.record.table.fields, sign, names, "slot"))
            if inner:
                tests.append(f"all([{inner} for slot in {owner}.{field.name}])")
            continue
        bounds = bounds_of(field, sign)
        if bounds is None:
            continue
        low, high = (repr(bound) if math.isfinite(bound) else ("-inf" if bound < 0 else "inf") for bound in bounds)
        relation = "<=" if math.isfinite(bounds[0]) else "<"
        other = "<=" if math.isfinite(bounds[1]) else "<"
        value = f"{owner}.{field.name}"
        items = [f"{value}[{i}]" for i in range(field.count)] if field.vector else [value]
        tests += [f"{low} {relation} {item} {other} {high}" for item in items]
    return tests


def bounds_of(field: Field, steer_sign: float) -> tuple[float, float] | None:
    """The documented range of a number in SI, infinite where there is none; None if nothing needs a check."""
    if field.kind != "number" or (not field.floating and field.low is None and field.high is None):
        return None
    factor = factor_of(field, steer_sign)
    low = -math.inf if field.low is None else field.low * factor
    high = math.inf if field.high is None else field.high * factor
    return (low, high) if low <= high else (high, low)
