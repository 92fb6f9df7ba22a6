"""Reads bags, also those that were not closed."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol

from dorosim.ground.error import InputError, reason_of
from dorosim.wire.ros.bag import LATEST, BagReader, Connection, Stored
from dorosim.wire.ros.error import RosError

MAX_BAG_RECORD_SIZE = 1 << 31
"""Most bytes of a record of an MCAP file; a longer one is no record."""
_MCAP_MAGIC = b"\x89MCAP0\r\n"


class ReadableBag(Protocol):
    """A bag that is read.

    Attributes:
        kind: "ROS 1 bag" or "MCAP".
    """

    kind: str

    @property
    def closed(self) -> bool:
        """Whether the bag has an index; known after all messages were read."""

    @property
    def broken(self) -> str:
        """Why reading stopped before the end, "" if it did not; known after all messages were read."""

    @property
    def unread(self) -> int:
        """Bytes at the end of which nothing could be read; known after all messages were read."""

    @property
    def connections(self) -> list[Connection]:
        """Topics found so far."""

    def messages(self) -> Iterator[Stored]:
        """All messages in the order in which they were written, up to what cannot be read."""


@contextmanager
def reading(path: Path) -> Iterator[ReadableBag]:
    """A bag, open while the context is.

    Raises:
        InputError: it cannot be read, or is no bag.
    """
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MCAP_MAGIC))
            file.seek(0)
            if magic == _MCAP_MAGIC:
                yield _McapBag(file, path.stat().st_size)
            else:
                # the mapping is freed with the last message of it that is still referenced; an empty file has none
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if magic else b""
                yield _RosBag(memoryview(data))
    except (OSError, ValueError) as error:
        raise InputError(str(path), "", reason_of(error), "check the path") from None
    except RosError as error:
        cure = "give a ROS 1 bag (.bag) or an MCAP file (.mcap) of the profile ros1"
        raise InputError(str(path), "", str(error), cure) from None


class _RosBag:
    kind = "ROS 1 bag"

    def __init__(self, data: memoryview) -> None:
        self._reader = BagReader(data)
        self._size = len(data)

    @property
    def closed(self) -> bool:
        return self._reader.closed and not self._reader.broken

    @property
    def broken(self) -> str:
        return self._reader.broken

    @property
    def unread(self) -> int:
        return self._size - self._reader.read

    @property
    def connections(self) -> list[Connection]:
        return list(self._reader.connections.values())

    def messages(self) -> Iterator[Stored]:
        return self._reader.messages()


class _McapBag:
    kind = "MCAP"

    def __init__(self, file: BinaryIO, size: int) -> None:
        from mcap.records import Header
        from mcap.stream_reader import StreamReader

        self.closed, self.broken, self.unread = False, "", 0
        self._file, self._size, self._begin = file, size, 0
        self._records = StreamReader(file, record_size_limit=MAX_BAG_RECORD_SIZE).records
        self._connections: dict[int, Connection] = {}
        first = next(self._safely(), None)
        if not isinstance(first, Header) or first.profile != "ros1":
            profile = first.profile if isinstance(first, Header) else ""
            raise RosError(f"is an MCAP file of the profile {profile!r}")

    @property
    def connections(self) -> list[Connection]:
        return list(self._connections.values())

    def messages(self) -> Iterator[Stored]:
        from mcap.records import Channel, Footer, Message, Schema

        schemas: dict[int, Schema] = {}
        for record in self._safely():
            if isinstance(record, Schema):
                schemas[record.id] = record
            elif isinstance(record, Channel) and record.id not in self._connections:
                self._connect(record, schemas.get(record.schema_id))
            elif isinstance(record, Message) and record.channel_id in self._connections:
                if record.log_time >= LATEST:
                    self.broken = f"a time of {record.log_time * 1e-9:,.0f} s is not a valid ROS time"
                    self.unread = self._size - self._begin
                    return
                data = memoryview(record.data)
                yield Stored(self._connections[record.channel_id], record.log_time, data)
            elif isinstance(record, Footer):
                self.closed = True

    def _connect(self, channel: object, schema: object) -> None:
        number, topic, encoding = channel.id, channel.topic, channel.message_encoding  # type: ignore[attr-defined]
        if encoding != "ros1" or schema is None:
            return
        definition = schema.data.decode("utf-8", "replace")  # type: ignore[attr-defined]
        md5 = channel.metadata.get("md5sum", "")  # type: ignore[attr-defined]
        latched = channel.metadata.get("latching") == "1"  # type: ignore[attr-defined]
        self._connections[number] = Connection(number, topic, schema.name, md5, definition, latched)  # type: ignore[attr-defined]

    def _safely(self) -> Iterator[object]:
        """Records up to the first that cannot be read."""
        while True:
            at = self._file.tell()
            try:
                record = next(self._records)
            except StopIteration:
                return
            except Exception as error:  # the library has no one error for bytes that are none
                self.broken = f"it ends inside a record ({type(error).__name__})"
                self.unread = self._size - at
                return
            # messages come one by one of a chunk that is read at once
            self._begin = at if self._file.tell() > at else self._begin
            yield record
