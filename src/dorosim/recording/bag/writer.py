"""Bags as files: what has been flushed stays readable if the program is killed at any moment."""

from __future__ import annotations

from io import BufferedWriter
from pathlib import Path
from typing import Protocol

from dorosim.ground.error import InputError, reason_of
from dorosim.wire.ros.bag import MAGIC, Chunk, ChunkInfo, Connection, bag_record, chunk_info_record, connection_record

CHUNK_SIZE = 4 << 20
"""Bytes of messages that are written together, unless a flush comes first."""
SUFFIXES = (".bag", ".mcap")
"""Of the kinds of bags."""


class BagWriter(Protocol):
    """A bag that is being written. Every method may raise OSError."""

    def add(self, topic: str, described: Described, time: int, data: bytes | memoryview) -> None:
        """Add a message; `time` [ns since 1970]."""

    def flush(self) -> None:
        """Write everything added so far into the file, so that it stays there even if the program is killed."""

    def close(self) -> None:
        """Write the index, and let go of the file."""


class Described(Protocol):
    """What a bag says of the messages of a topic."""

    @property
    def type(self) -> str:
        """As "morai_msgs/CtrlCmd"."""

    @property
    def md5(self) -> str:
        """Of the type."""

    @property
    def definition(self) -> str:
        """Of the type and of all that it holds."""

    @property
    def latched(self) -> bool:
        """Whether a new subscriber gets the last message."""


def kind_of_bag(path: Path) -> str:
    """The ending of a bag's name, ".bag" or ".mcap".

    Raises:
        InputError: it is another one.
    """
    suffix = path.suffix.casefold()
    if suffix not in SUFFIXES:
        raise InputError(str(path), "", "is not a valid name of a bag", "let it end in .bag (ROS 1) or .mcap")
    return suffix


def open_bag(path: Path) -> BagWriter:
    """A new bag of the kind that its name says; a file that is there is replaced.

    Raises:
        InputError: it cannot be written there.
    """
    kind = kind_of_bag(path)
    try:
        file = path.open("wb")
        return RosBagWriter(file) if kind == ".bag" else McapBagWriter(file)
    except (OSError, ValueError) as error:
        raise InputError(str(path), "", f"cannot be written: {reason_of(error)}", "give another file") from None


class RosBagWriter:
    """A ROS 1 bag.

    Args:
        file: empty.
    """

    def __init__(self, file: BufferedWriter) -> None:
        self._file = file
        self._chunk = Chunk()
        # by topic, type and md5: a topic may have messages of several types, as where two bags were made one
        self._connections: dict[tuple[str, str, str], Connection] = {}
        self._infos: list[ChunkInfo] = []
        self._at = file.write(MAGIC) + file.write(bag_record())
        file.flush()

    def add(self, topic: str, described: Described, time: int, data: bytes | memoryview) -> None:
        """Add a message."""
        key = (topic, described.type, described.md5)
        connection = self._connections.get(key)
        if connection is None:
            number = len(self._connections)
            connection = Connection(
                number, topic, described.type, described.md5, described.definition, described.latched
            )
            self._connections[key] = connection
            self._chunk.add_connection(connection)
        self._chunk.add(connection.id, time, data)
        if self._chunk.size >= CHUNK_SIZE:
            self.flush()

    def flush(self) -> None:
        """End the chunk, and give it to the system."""
        if self._chunk.index:
            parts, info = self._chunk.records(self._at)
            self._chunk = Chunk()
            self._infos.append(info)
            for part in parts:
                self._at += self._file.write(part)
        self._file.flush()

    def close(self) -> None:
        """Write the index, and let go of the file."""
        try:
            self.flush()
            for connection in self._connections.values():
                self._file.write(connection_record(connection))
            for info in self._infos:
                self._file.write(chunk_info_record(info))
            self._file.flush()
            self._file.seek(len(MAGIC))
            self._file.write(bag_record(self._at, len(self._connections), len(self._infos)))
        finally:
            self._file.close()


class McapBagWriter:
    """An MCAP file of the profile ros1.

    Args:
        file: empty.
    """

    def __init__(self, file: BufferedWriter) -> None:
        from mcap.writer import CompressionType, Writer

        self._file = file
        self._writer = Writer(file, chunk_size=CHUNK_SIZE, compression=CompressionType.NONE)
        self._writer.start("ros1", "dorosim")
        self._channels: dict[tuple[str, str, str], int] = {}
        self._schemas: dict[tuple[str, str], int] = {}
        file.flush()

    def add(self, topic: str, described: Described, time: int, data: bytes | memoryview) -> None:
        """Add a message."""
        key = (topic, described.type, described.md5)
        channel = self._channels.get(key)
        if channel is None:
            schema = self._schemas.get(key[1:])
            if schema is None:
                schema = self._writer.register_schema(described.type, "ros1msg", described.definition.encode())
                self._schemas[key[1:]] = schema
            # as the tools of MCAP keep what a ROS 1 bag says of a connection
            metadata = {"topic": topic, "md5sum": described.md5, "latching": "1" if described.latched else "0"}
            channel = self._writer.register_channel(topic, "ros1", schema, metadata)
            self._channels[key] = channel
        self._writer.add_message(channel, time, bytes(data), time)

    def flush(self) -> None:
        """End the chunk, and give it to the system."""
        self._writer.flush()  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Write the index, and let go of the file."""
        try:
            self._writer.finish()  # type: ignore[no-untyped-call]
        finally:
            self._file.close()
