"""ROS bags, format 2.0: records to bytes and back.

Source: http://wiki.ros.org/Bags/Format/2.0. A bag is a line, a record that says where its index is, chunks of messages
each followed by an index of it, and at the end what connections and chunks there are. One that was not closed has no
such end; all that its chunks hold can be read none the less.
"""

from __future__ import annotations

import bz2
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from dorosim.wire.error import RosError
from dorosim.wire.ros.tcpros import decode_fields, encode_fields

MAGIC = b"#ROSBAG V2.0\n"
MESSAGE, BAG, INDEX, _CHUNK, CHUNK_INFO, CONNECTION = 2, 3, 4, 5, 6, 7
"""What a record is, by its field `op`."""
HEADER_SIZE = 4096
"""Of the record of the bag itself, which is written again when the bag is closed."""
MAX_RECORD_HEADER = 1 << 20
"""A longer header of a record is none; the longest hold the definition of a message type."""
MAX_CHUNK_SIZE = 1 << 31
END_OF_TIME = (1 << 32) * 1_000_000_000
"""Times of ROS are before this [ns since 1970]: their seconds have 32 bits."""
_U32 = struct.Struct("<I")
_U32U32 = struct.Struct("<II")
_U64 = struct.Struct("<Q")
_MESSAGE = struct.Struct("<II5sII3sBI5sIII")
"""Length of the header of a message, its three fields with their lengths, and the length of its data."""


class Connection(NamedTuple):
    """A topic in a bag.

    Attributes:
        id: in the bag. topic: name. type: of its messages, as "morai_msgs/CtrlCmd".
        md5: of the type. definition: of the type and all that it holds.
        latched: whether a player gives the last message to new subscribers.
    """

    id: int
    topic: str
    type: str
    md5: str
    definition: str
    latched: bool = False


class Stored(NamedTuple):
    """A message in a bag.

    Attributes:
        connection: its topic. time: at which it was recorded [ns since 1970]. data: in ROS 1 form.
    """

    connection: Connection
    time: int
    data: memoryview


def bag_record(index: int = 0, connections: int = 0, chunks: int = 0) -> bytes:
    """The record of the bag itself, behind `MAGIC`.

    Args:
        index: position of the index of connections and chunks, from the beginning of the file; 0 while it is written.
        connections: how many there are.
        chunks: how many there are.
    """
    fields = {
        "op": bytes([BAG]),
        "index_pos": _U64.pack(index),
        "conn_count": _U32.pack(connections),
        "chunk_count": _U32.pack(chunks),
    }
    header = encode_fields(fields)
    return _record(header, b" " * (HEADER_SIZE - 8 - len(header)))


def connection_record(connection: Connection) -> bytes:
    """The record of a topic in a bag."""
    topic = connection.topic.encode()
    header = encode_fields({"op": bytes([CONNECTION]), "conn": _U32.pack(connection.id), "topic": topic})
    described = {
        "topic": topic,
        "type": connection.type.encode(),
        "md5sum": connection.md5.encode(),
        "message_definition": connection.definition.encode(),
        "latching": b"1" if connection.latched else b"0",
    }
    return _record(header, encode_fields(described))


class ChunkInfo(NamedTuple):
    """What a bag says of a chunk at its end.

    Attributes:
        position: in the file. first, last: least and greatest time [ns]. counts: messages by connection.
    """

    position: int
    first: int
    last: int
    counts: Mapping[int, int]


def chunk_info_record(info: ChunkInfo) -> bytes:
    """The record of a chunk at the end of a bag."""
    header = encode_fields(
        {
            "op": bytes([CHUNK_INFO]),
            "ver": _U32.pack(1),
            "chunk_pos": _U64.pack(info.position),
            "start_time": _time(info.first),
            "end_time": _time(info.last),
            "count": _U32.pack(len(info.counts)),
        }
    )
    return _record(header, b"".join(_U32U32.pack(*pair) for pair in info.counts.items()))


@dataclass(slots=True)
class Chunk:
    """Messages that are written together.

    Attributes:
        parts: its bytes. size: how many. index: time and offset of each message, by connection.
    """

    parts: list[bytes | memoryview] = field(default_factory=list)
    size: int = 0
    index: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def add_connection(self, connection: Connection) -> None:
        """Add the record of a topic, before its first message in the bag."""
        self._add(connection_record(connection))

    def add(self, connection: int, time: int, data: bytes | memoryview) -> None:
        """Add a message of a `time` from 0 to before `END_OF_TIME` [ns since 1970]; of another one struct.error."""
        moment = divmod(time, 1_000_000_000)
        head = _MESSAGE.pack(38, 9, b"conn=", connection, 4, b"op=", MESSAGE, 13, b"time=", *moment, len(data))
        self.index.setdefault(connection, []).append((time, self.size))
        self._add(head)
        self._add(data)

    def records(self, position: int) -> tuple[list[bytes | memoryview], ChunkInfo]:
        """The bytes of the chunk and its index at a position in the file, and its entry for the end of the bag."""
        header = encode_fields({"op": bytes([_CHUNK]), "compression": b"none", "size": _U32.pack(self.size)})
        parts = [_U32.pack(len(header)), header, _U32.pack(self.size), *self.parts]
        for connection, entries in self.index.items():
            head = {"op": bytes([INDEX]), "ver": _U32.pack(1), "conn": _U32.pack(connection)}
            header_of_index = encode_fields(head | {"count": _U32.pack(len(entries))})
            parts.append(
                _record(header_of_index, b"".join(_time(time) + _U32.pack(offset) for time, offset in entries))
            )
        times = [time for entries in self.index.values() for time, _ in entries]
        counts = {connection: len(entries) for connection, entries in self.index.items()}
        return parts, ChunkInfo(position, min(times), max(times), counts)

    def _add(self, part: bytes | memoryview) -> None:
        self.parts.append(part)
        self.size += len(part)


def _record(header: bytes, data: bytes) -> bytes:
    return b"".join((_U32.pack(len(header)), header, _U32.pack(len(data)), data))


def _time(time: int) -> bytes:
    return _U32U32.pack(*divmod(time, 1_000_000_000))


class BagReader:
    """The messages of a bag, in the order in which they were written; its index is not needed.

    Args:
        data: the whole file.

    Raises:
        RosError: it is no bag of format 2.0.

    Attributes:
        closed: whether it has an index. connections: those found so far, by id.
        read: bytes up to the end of the last whole record. broken: why there is nothing more to read, "" at the end.
    """

    def __init__(self, data: memoryview) -> None:
        if bytes(data[: len(MAGIC)]) != MAGIC:
            raise RosError("is not a ROS bag of format 2.0")
        self._data = data
        self.connections: dict[int, Connection] = {}
        self.closed = False
        self.broken = ""
        self.read = len(MAGIC)

    def messages(self) -> Iterator[Stored]:
        """All messages up to the end, or up to the first record that cannot be read; `broken` then gives the reason."""
        try:
            yield from self._all()
        except (RosError, struct.error, UnicodeDecodeError, KeyError) as error:
            self.broken = f"{type(error).__name__} {error}" if isinstance(error, KeyError) else str(error)

    def _all(self) -> Iterator[Stored]:
        at, end = len(MAGIC), len(self._data)
        while at < end:
            fields, begin, size = _head(self._data, at)
            stop = begin + size
            kind = fields["op"][0]
            if kind == _CHUNK:
                yield from self._chunk(fields, self._data[begin : min(stop, end)], whole=stop <= end)
            if stop > end:
                raise RosError("it ends inside a record")
            if kind == BAG:
                self.closed = _U64.unpack(fields["index_pos"])[0] > 0
            elif kind == CONNECTION:
                self._connect(fields, self._data[begin:stop])
            elif kind not in (_CHUNK, INDEX, CHUNK_INFO):
                raise RosError(f"{kind} is not a valid kind of record")
            at = self.read = stop

    def _chunk(self, fields: Mapping[str, bytes], data: memoryview, *, whole: bool) -> Iterator[Stored]:
        """Messages of a chunk; of one that was not written to its end those that are there, if it is not packed."""
        compression = fields["compression"]
        if compression != b"none":
            if not whole:
                return
            data = memoryview(_unpacked(compression, data, _U32.unpack(fields["size"])[0]))
        at = 0
        while at < len(data):
            try:
                inner, begin, size = _head(data, at)
            except RosError:
                if whole:
                    raise
                return
            at = begin + size
            if at > len(data):
                if whole:
                    raise RosError("a chunk ends inside a record")
                return
            if inner["op"][0] == CONNECTION:
                self._connect(inner, data[begin:at])
            elif inner["op"][0] == MESSAGE:
                seconds, rest = _U32U32.unpack(inner["time"])
                if rest >= 1_000_000_000:
                    raise RosError(f"a time with {rest:,} ns beside its seconds is not valid")
                connection = self.connections[_U32.unpack(inner["conn"])[0]]
                yield Stored(connection, seconds * 1_000_000_000 + rest, data[begin:at])

    def _connect(self, fields: Mapping[str, bytes], data: memoryview) -> None:
        number = _U32.unpack(fields["conn"])[0]
        fields_of_connection = decode_fields(data)
        self.connections[number] = Connection(
            number,
            fields["topic"].decode(),
            fields_of_connection["type"].decode(),
            fields_of_connection["md5sum"].decode(),
            fields_of_connection["message_definition"].decode("utf-8", "replace"),
            fields_of_connection.get("latching") == b"1",
        )


def _head(data: memoryview, at: int) -> tuple[dict[str, bytes], int, int]:
    """Fields of the record at a place, where its data begin, and their length."""
    if at + 4 > len(data):
        raise RosError("it ends inside a record")
    length = _U32.unpack_from(data, at)[0]
    if length > MAX_RECORD_HEADER:
        raise RosError(f"a header of {length:,} bytes is not valid")
    begin = at + 8 + length
    if begin > len(data):
        raise RosError("it ends inside a record")
    size = _U32.unpack_from(data, begin - 4)[0]
    fields = decode_fields(data[at + 4 : begin - 4])
    if len(fields.get("op", b"")) != 1:
        raise RosError("a record that does not say what it is")
    return fields, begin, size


def _unpacked(compression: bytes, data: memoryview, size: int) -> bytes:
    """A chunk as it was before it was packed."""
    if size > MAX_CHUNK_SIZE:
        raise RosError(f"a chunk of {size:,} bytes is not valid")
    try:
        if compression == b"bz2":
            found = bz2.BZ2Decompressor().decompress(bytes(data), size + 1)
        elif compression == b"lz4":
            import lz4.frame  # type: ignore[import-untyped]

            found = lz4.frame.LZ4FrameDecompressor().decompress(bytes(data), size + 1)
        else:
            raise RosError(f"chunks packed by {compression.decode(errors='replace')!r} are not known")
    except (OSError, ValueError, RuntimeError, EOFError) as error:
        raise RosError(f"a chunk cannot be unpacked: {error}") from None
    if len(found) != size:
        raise RosError("a chunk is not as long as it says")
    return bytes(found)
