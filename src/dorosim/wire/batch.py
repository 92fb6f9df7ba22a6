"""Many messages of one kind at once, as numpy columns.

Neighbouring numbers of one type are converted in one block, whatever fields they belong to, so a batch costs less
than one pass over each column.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.wire.codec import SECOND, Codec, factor_of, record_size, slot_decoder
from dorosim.wire.error import WireError
from dorosim.wire.message import Field
from dorosim.wire.packed import PackedSlots

Columns = dict[str, Any]
"""A column for each field: `(N,)` or, for vectors, `(N, count)`. Numbers are float64 in SI, codes int64, flags
bool, texts fixed-width bytes, stamps int64 nanoseconds; slots are a mapping of such columns, `(N, slots, ...)`."""


class _Block:
    """Neighbouring fields of one element type."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.fields: list[Field] = []
        self.width = 0
        self.factors: list[float] = []

    def add(self, field: Field, steer_sign: float) -> None:
        self.fields.append(field)
        self.width += field.count
        self.factors += [factor_of(field, steer_sign) if field.kind == "number" else 1.0] * field.count


class BatchCodec:
    """Reads and writes many datagrams of one layout that stand back to back.

    Args:
        codec: the layout's codec for single messages.
    """

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self._record = _Record(codec.fields, codec.steer_sign)
        envelope = codec.message.table.envelope
        assert envelope is not None
        part = envelope.checked
        self._checks = [("checked", codec.head[part])] + ([("tail", codec.tail)] if codec.tail else [])
        front = [("before", f"V{part.start}"), ("checked", f"S{part.stop - part.start}")]
        front.append(("aux", f"V{len(codec.head) - part.stop}"))
        parts: list[Any] = [*front, *zip(self._record.names, self._record.formats, strict=True)]
        parts += [("tail", f"S{len(codec.tail)}")] if codec.tail else []
        self.dtype = np.dtype([(name, form) for name, form in parts if form != "V0"])

    def decode(self, data: bytes | bytearray | memoryview) -> Columns:
        """Columns of all messages in `data`.

        Raises:
            WireError: `data` is not a whole number of datagrams, or one has another head or tail.
        """
        size = self.codec.size
        if len(data) % size:
            raise WireError("size", f"{len(data)} bytes are not a multiple of {size}", self.codec.message.__name__)
        rows = np.frombuffer(data, self.dtype)
        for name, expected in self._checks:
            good = rows[name] == expected
            if not good.all():
                problem = f"datagram {int(np.argmin(good))} of {len(rows)} has another {name} than {expected!r}"
                raise WireError("header", problem, self.codec.message.__name__)
        return self._record.columns(rows)

    def encode(self, columns: Mapping[str, Any]) -> bytes:
        """The datagrams of columns, back to back. Columns are as `decode` gives them."""
        rows = np.zeros(_row_count(columns), self.dtype)
        for name, value in self._checks:
            rows[name] = value
        self._record.fill(rows, columns)
        return rows.tobytes()


class SlotPacker:
    """Packs the slots of one message from columns.

    Args:
        codec: the codec of the message.
        slots: name of the field of slots.

    Attributes:
        blocks: the names of the record's fields that stand side by side and have one type; a text is a block.
    """

    def __init__(self, codec: Codec, slots: str) -> None:
        field = next(field for field in codec.fields if field.name == slots)
        assert field.record is not None
        self._record = _Record(field.record.table.fields, codec.steer_sign)
        self._dtype, self._size = self._record.dtype, field.count * record_size(field)
        # multiplied by as single messages are, so that the bytes are the same
        self._scales = [None if one is None else 1.0 / one for one in self._record.factors]
        self._read = slot_decoder(field, codec.steer_sign)
        self.blocks = tuple(
            tuple(one.name for one in part.fields) if isinstance(part, _Block) else (part.name,)
            for part in self._record.parts
        )

    def pack(self, *columns: NDArray[Any]) -> PackedSlots[Any]:
        """The slots of columns.

        Args:
            columns: one array a block: of numbers `(elements, rows)` in SI, of texts `(rows,)` fixed-width bytes. At
                most as many rows as the message has slots.
        """
        rows = np.zeros(columns[0].shape[-1], self._dtype)
        for name, column, scale in zip(self._record.names, columns, self._scales, strict=True):
            rows[name] = column.T if scale is None else column.T * scale
        return PackedSlots(rows.tobytes().ljust(self._size, b"\0"), self._read)


def _row_count(columns: Mapping[str, Any]) -> int:
    first = next(iter(columns.values()))
    return _row_count(first) if isinstance(first, Mapping) else len(first)


class _Record:
    """The blocks, texts and slots of a table, as parts of a numpy dtype."""

    def __init__(self, fields: tuple[Field, ...], steer_sign: float) -> None:
        self.parts: list[_Block | Field] = []
        self.formats: list[Any] = []
        self.inner: dict[str, _Record] = {}
        block: _Block | None = None
        for field in fields:
            code = field.code
            if field.kind in ("text", "slots"):
                block = None
                self.parts.append(field)
            elif block is None or block.code != code:
                block = _Block(code)
                self.parts.append(block)
            if block is not None:
                block.add(field, steer_sign)
        for part in self.parts:
            if isinstance(part, _Block):
                self.formats.append((f"<{part.code}", (part.width,)))  # numpy has the codes of struct
            elif part.record is not None:
                inner = _Record(part.record.table.fields, steer_sign)
                self.inner[part.name] = inner
                self.formats.append((inner.dtype, (part.count,)))
                assert inner.dtype.itemsize == record_size(part)
            else:
                self.formats.append(f"S{part.count}")
        self.names = [f"part{i}" for i in range(len(self.parts))]
        self.factors = [
            np.array(part.factors) if isinstance(part, _Block) and set(part.factors) != {1.0} else None
            for part in self.parts
        ]

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype({"names": self.names, "formats": self.formats})

    def columns(self, rows: NDArray[Any]) -> Columns:
        found: Columns = {}
        for name, part, factors in zip(self.names, self.parts, self.factors, strict=True):
            raw = rows[name]
            if isinstance(part, _Block):
                _split(part, _si_from_raw(part, raw, factors), found)
            elif part.record is not None:
                found[part.name] = self.inner[part.name].columns(raw)
            else:
                found[part.name] = raw
        return found

    def fill(self, rows: NDArray[Any], columns: Mapping[str, Any]) -> None:
        for name, part, factors in zip(self.names, self.parts, self.factors, strict=True):
            if isinstance(part, _Block):
                block = np.concatenate([_matrix(field, columns[field.name]) for field in part.fields], axis=-1)
                rows[name] = block if factors is None else block / factors
            elif part.record is not None:
                self.inner[part.name].fill(rows[name], columns[part.name])
            else:
                rows[name] = columns[part.name]


def _si_from_raw(block: _Block, raw: NDArray[Any], factors: NDArray[np.float64] | None) -> NDArray[Any]:
    if block.code == "?":
        return raw
    if block.code not in "fd":
        return raw.astype(np.int64)
    values = raw.astype(np.float64)
    if factors is not None:
        values *= factors
    return values


def _split(block: _Block, values: NDArray[Any], found: Columns) -> None:
    """Views of a converted block, one a field."""
    start = 0
    for field in block.fields:
        if field.kind == "stamp":
            found[field.name] = values[..., start] * SECOND + values[..., start + 1]
        elif field.vector:
            found[field.name] = values[..., start : start + field.count]
        else:
            found[field.name] = values[..., start]
        start += field.count


def _matrix(field: Field, column: Any) -> NDArray[Any]:
    """A field's column as `(..., count)` wire elements, still in SI."""
    values = np.asarray(column)
    if field.kind == "stamp":
        return np.stack((values // SECOND, values % SECOND), axis=-1)
    return values if field.vector else values[..., None]
