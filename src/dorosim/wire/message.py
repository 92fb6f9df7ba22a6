"""The grammar of message tables: a message is a frozen class, and the class is the table.

    @message(Envelope("IntStatus"), to="user", source="UDP page, Get Intersection Status", layouts=(Layout(37),))
    class GetIntersectionStatus(Wire):
        '''State of the intersection that the ego approaches.'''

        index: int = i16("intersection")
        status: int = i16("its present state")
        elapsed: float = f32(SECOND, "time in the present state")

A field is written once. `dorosim.wire.codec` compiles a table; the reference pages, the dump of
`dorosim packet` and the property tests read it. Values above the wire are in SI and radians: the unit column
converts. Arithmetic on units happens in double precision, so a float32 that is read and written again keeps
its bytes.
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar, Literal, TypeVar, cast, dataclass_transform

from dorosim.ground.unit import DEGREE, METRE, NANOSECOND, NONE, Unit

Kind = Literal["number", "flag", "text", "stamp", "slots", "string", "records", "rest"]
Direction = Literal["simulator", "user"]
Beyond = Literal["clamp", "refuse"]

REQUIRED: Any = object()
"""Marks a field without a default."""


@dataclass(frozen=True, slots=True)
class Field:
    """One row of a message table.

    Attributes:
        kind: number, flag (one byte), text (fixed width), stamp (two int32: s, ns) or slots (record repeated a fixed
            number of times). Where the size of a message is not fixed: string (uint32 length, then text), records
            (uint32 count, then so many), or rest (text up to the end of the message).
        code: `struct` code of one element.
        count: how many elements stand side by side; text: its width; slots: how many.
        vector: the value is a tuple of `count` numbers rather than one.
        unit: unit on the wire; above it the value is in `unit.si_symbol`.
        steering: the sign follows the revision's steering convention (facts/udp-wire.md, section 7).
        low, high: documented range in wire units, or None. beyond: what happens outside it.
        record: class of one slot or of one of the records. counted_by: the field that says how many slots count;
            without one, trailing slots of zero bytes do not.
        pad: the byte that fills up a text when it is sent.
    """

    kind: Kind
    code: str
    doc: str
    count: int = 1
    vector: bool = False
    unit: Unit = NONE
    frame: str = ""
    enum: type[IntEnum] | None = None
    low: float | None = None
    high: float | None = None
    beyond: Beyond = "clamp"
    steering: bool = False
    pad: bytes = b"\0"
    record: type[Wire] | None = None
    counted_by: str = ""
    default: Any = REQUIRED
    name: str = ""

    @property
    def floating(self) -> bool:
        """Whether the elements are floating point numbers."""
        return self.code in ("f", "d")


@dataclass(frozen=True, slots=True)
class Envelope:
    """`#name$`, int32 payload length, 12 bytes of aux data, payload, CR LF (facts/udp-wire.md, section 1)."""

    name: str

    def head(self, payload_size: int) -> bytes:
        """The bytes before the payload, aux data zero."""
        return self.magic + payload_size.to_bytes(4, "little") + bytes(12)

    @property
    def magic(self) -> bytes:
        """The header that identifies this message."""
        return b"#" + self.name.encode() + b"$"

    @property
    def checked(self) -> slice:
        """The part of the head that a receiver checks: header and length. Aux data may hold anything."""
        return slice(0, len(self.magic) + 4)

    @property
    def tail(self) -> bytes:
        """The bytes after the payload."""
        return b"\r\n"


BINARY_HEAD = (
    ("header_version", "I"),
    ("msg_type", "I"),
    ("msg_size", "I"),
    ("protocol_type", "B"),
    ("send_count", "H"),
    ("msg_frames", "I"),
    ("frame_size", "I"),
    ("frame_pos", "I"),
    ("frame_index", "I"),
    ("reserved", "B"),
    ("reserved_2", "B"),
)
"""Fields of the header of ground vehicle messages, in order, with their codes of `struct` (facts/udp-wire.md, 3.12)."""


@dataclass(frozen=True, slots=True)
class BinaryEnvelope:
    """The 33-byte header of ground vehicle messages; all fields but msg_type are 0 (UDP page, Header)."""

    msg_type: int

    def head(self, payload_size: int) -> bytes:  # noqa: ARG002 - the header has no length
        """The bytes before the payload."""
        values = (self.msg_type if name == "msg_type" else 0 for name, _ in BINARY_HEAD)
        return struct.pack("<" + "".join(code for _, code in BINARY_HEAD), *values)

    @property
    def magic(self) -> bytes:
        """The msg_type that identifies this message."""
        return self.msg_type.to_bytes(4, "little")

    @property
    def checked(self) -> slice:
        """The part of the head that a receiver checks. Counters and reserved bytes may hold anything."""
        return slice(4, 8)

    @property
    def tail(self) -> bytes:
        """There is no tail."""
        return b""


@dataclass(frozen=True, slots=True)
class Layout:
    """One form that a message has had in the product's history.

    Attributes:
        size: total size of the datagram as documented or captured; the compiler holds the table against it.
        without: names of the fields of the table that this layout does not have.
    """

    size: int
    without: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Table:
    """What the decorators write on a class.

    Attributes:
        fields: all fields that any layout has, in wire order.
        layouts: newest first; empty for the record of a slot.
        default_port: where the product's examples send or listen (facts/udp-wire.md, section 6); 0 for none.
    """

    fields: tuple[Field, ...]
    envelope: Envelope | BinaryEnvelope | None = None
    layouts: tuple[Layout, ...] = ()
    to: Direction = "simulator"
    source: str = ""
    default_port: int = 0

    def fields_of(self, layout: Layout) -> tuple[Field, ...]:
        """The fields that a layout has, in wire order."""
        return tuple(field for field in self.fields if field.name not in layout.without)


def i8(doc: str, **facts: Any) -> Any:
    """An int8: a code or a small number. `facts` are those of `Field`: enum, low, high, beyond, default."""
    return Field("number", "b", doc, **facts)


def u8(doc: str, **facts: Any) -> Any:
    """A uint8."""
    return Field("number", "B", doc, **facts)


def i16(doc: str, **facts: Any) -> Any:
    """An int16."""
    return Field("number", "h", doc, **facts)


def u16(doc: str, **facts: Any) -> Any:
    """A uint16."""
    return Field("number", "H", doc, **facts)


def i32(doc: str, **facts: Any) -> Any:
    """An int32."""
    return Field("number", "i", doc, **facts)


def u32(doc: str, **facts: Any) -> Any:
    """A uint32."""
    return Field("number", "I", doc, **facts)


def f32(unit: Unit, doc: str, **facts: Any) -> Any:
    """A float32 in a unit. `facts` are those of `Field`: frame, low, high, beyond, steering, default."""
    return Field("number", "f", doc, unit=unit, **facts)


def u64(doc: str, **facts: Any) -> Any:
    """A uint64."""
    return Field("number", "Q", doc, **facts)


def i64(doc: str, **facts: Any) -> Any:
    """An int64."""
    return Field("number", "q", doc, **facts)


def f64(unit: Unit, doc: str, **facts: Any) -> Any:
    """A float64 in a unit. `facts` as of `f32`."""
    return Field("number", "d", doc, unit=unit, **facts)


def f32s(count: int, unit: Unit, doc: str, **facts: Any) -> Any:
    """Several float32 side by side, a tuple above the wire: a vector, the four wheels, the axles."""
    return Field("number", "f", doc, count=count, vector=True, unit=unit, **facts)


def f64s(count: int, unit: Unit, doc: str, **facts: Any) -> Any:
    """Several float64 side by side, a tuple above the wire: what a device reports in full precision."""
    return Field("number", "d", doc, count=count, vector=True, unit=unit, **facts)


def map_position(doc: str) -> Any:
    """Three float32, a place in the map; the documents give no range, beyond 1,000 km it is a mistake and refused."""
    return f32s(3, METRE, doc, frame="map", low=-1e6, high=1e6, beyond="refuse")


def roll_pitch_yaw(doc: str, frame: str) -> Any:
    """Three float32, roll, pitch and yaw in degrees, wrapped or not; beyond a hundred turns refused."""
    return f32s(3, DEGREE, doc, frame=frame, low=-36000.0, high=36000.0, beyond="refuse")


def flag(doc: str, *, default: Any = REQUIRED) -> Any:
    """One byte, 0 or 1."""
    return Field("flag", "?", doc, default=default)


def chars(width: int, doc: str, *, pad: bytes = b"\0", default: Any = REQUIRED) -> Any:
    """UTF-8 text in a fixed width. Read up to the first NUL, without trailing spaces; sent filled with `pad`."""
    return Field("text", f"{width}s", doc, count=width, pad=pad, default=default)


def stamp(doc: str, *, default: Any = REQUIRED) -> Any:
    """Two int32, seconds and nanoseconds; above the wire one integer of nanoseconds."""
    return Field("stamp", "i", doc, count=2, unit=NANOSECOND, default=default)


def slots(record: type[Wire], count: int, doc: str, *, counted_by: str = "") -> Any:
    """A record repeated `count` times, a tuple above the wire. Slots behind the last used one are zero bytes.

    Where an earlier field says how many slots count, the others may hold anything and are not read.
    """
    return Field("slots", "", doc, count=count, record=record, counted_by=counted_by, default=())


def string(doc: str, *, default: Any = REQUIRED) -> Any:
    """UTF-8 text of any length, behind its length in bytes as a uint32."""
    return Field("string", "", doc, default=default)


def records(record: type[Wire], doc: str) -> Any:
    """A record repeated as often as a uint32 before it says, a tuple above the wire."""
    return Field("records", "", doc, record=record, default=())


def rest(doc: str) -> Any:
    """UTF-8 text up to the end of the message, without a length."""
    return Field("rest", "", doc)


@dataclass_transform(
    frozen_default=True,
    kw_only_default=True,
    field_specifiers=(
        i8,
        u8,
        i16,
        u16,
        i32,
        u32,
        u64,
        i64,
        f32,
        f64,
        f32s,
        f64s,
        map_position,
        roll_pitch_yaw,
        flag,
        chars,
        stamp,
        slots,
        string,
        records,
        rest,
    ),
)
class Wire:
    """Base of all messages and slot records. Equality, hash and repr are those of a frozen dataclass."""

    __slots__ = ()
    table: ClassVar[Table]
    draft: ClassVar[type[Any]]
    """Same slots, but not frozen: the compiler fills one and then changes its class, at a third of the cost of
    `object.__setattr__`."""


C = TypeVar("C", bound=type[Wire])


def record(cls: C) -> C:
    """Make a class the table of one slot."""
    return _frozen(cls, {})


def message(
    envelope: Envelope | BinaryEnvelope,
    *,
    to: Direction,
    source: str,
    layouts: tuple[Layout, ...],
    default_port: int = 0,
) -> Callable[[C], C]:
    """Make a class the table of a message.

    Args:
        envelope: what stands around the payload.
        to: its receiver.
        source: where its layout is documented.
        layouts: the forms that it has had, newest first.
        default_port: the port of the product's examples.
    """
    facts = {
        "envelope": envelope,
        "to": to,
        "source": source,
        "layouts": layouts,
        "default_port": default_port,
    }
    return lambda cls: _frozen(cls, facts)


def _frozen(cls: C, facts: Mapping[str, Any]) -> C:
    """A frozen, slotted dataclass of a class body made of fields, with its table and its draft."""
    fields = []
    for name in cls.__annotations__:
        field = dataclasses.replace(vars(cls)[name], name=name)
        fields.append(field)
        if field.default is REQUIRED:
            delattr(cls, name)
        else:
            setattr(cls, name, field.default)
    made = dataclass(frozen=True, slots=True, kw_only=True)(cls)
    made.table = Table(tuple(fields), **facts)
    made.draft = type(f"{cls.__name__}Draft", (Wire,), {"__slots__": tuple(field.name for field in fields)})
    return cast(C, made)
