"""From a datagram to a message: which one it is, by size and header, whatever port it came to."""

from __future__ import annotations

from collections.abc import Iterable

from dorosim.wire.codec import Codec, compile_codec
from dorosim.wire.error import WireError
from dorosim.wire.limit import limit
from dorosim.wire.message import Direction, Wire
from dorosim.wire.udp.catalogue import CATALOGUE
from dorosim.wire.udp.revision import Revision

Buffer = bytes | bytearray | memoryview


def codec_of(message: type[Wire], revision: Revision, size: int | None = None) -> Codec:
    """The codec by which a revision of the product sends a message, or that of the layout of a size."""
    layouts = message.table.layouts
    size = size or revision.size_of(message.__name__)
    chosen = next((layout for layout in layouts if layout.size == size), layouts[0])
    return compile_codec(message, chosen, _sign(message, revision))


def _sign(message: type[Wire], revision: Revision) -> float:
    """The revision's sign where a table has a steering field, so that the other tables compile once."""
    return revision.steer_sign if any(field.steering for field in message.table.fields) else 1.0


class DatagramReader:
    """Reads datagrams of one direction.

    Every layout that a message has had is read, since the size of a datagram determines its layout.

    Args:
        revision: gives the sign of steering.
        to: receiver of the messages that are read.
    """

    def __init__(self, revision: Revision, to: Direction) -> None:
        self.to = to
        self.codecs = tuple(
            compile_codec(message, layout, _sign(message, revision))
            for message in CATALOGUE
            if message.table.to == to
            for layout in message.table.layouts
        )
        by_size: dict[int, tuple[Codec, ...]] = {}
        for codec in self.codecs:
            by_size[codec.size] = (*by_size.get(codec.size, ()), codec)
        self.by_size = by_size

    def codec_of(self, buffer: Buffer, size: int) -> Codec | None:
        """The codec that `read` takes for the first `size` bytes of a buffer; None where they are no message.

        What says so are size and header; the rest is not looked at.
        """
        for codec in self.by_size.get(size, ()):
            if buffer[: len(codec.magic)] == codec.magic:
                return codec
        return None

    def read(self, buffer: Buffer, size: int) -> tuple[Codec, Wire]:
        """The message in the first `size` bytes of a buffer, and the codec that read it.

        Raises:
            WireError: it is none; the error says what is wrong with it.
        """
        codecs = self.by_size.get(size)
        if codecs is None:
            raise self._unknown_size(bytes(buffer[:size]))
        if len(codecs) == 1:
            return codecs[0], codecs[0].decode_from(buffer)
        for codec in codecs:
            if buffer[: len(codec.magic)] == codec.magic:
                return codec, codec.decode_from(buffer)
        raise self._unknown_header(bytes(buffer[:size]))

    def read_limited(self, buffer: Buffer, size: int) -> tuple[Codec, Wire, tuple[str, ...]]:
        """As `read`, with every number in its documented range, and the names of the fields that were clamped.

        Raises:
            WireError: the bytes are no message, or hold NaN, infinity or a number that is refused.
        """
        codec, message = self.read(buffer, size)
        if codec.in_range(message):
            return codec, message, ()
        return codec, *limit(codec, message)

    def _unknown_size(self, data: bytes) -> WireError:
        named = _named(data, self.codecs)
        if not named:
            return self._unknown_header(data)
        sizes = " or ".join(str(codec.size) for codec in named)
        return WireError("size", f"{len(data)} bytes instead of {sizes}", named[0].message.__name__)

    def _unknown_header(self, data: bytes) -> WireError:
        start = data[:24]
        return WireError("header", f"{len(data)} bytes that start with {start!r} are no message to the {self.to}")


def _named(data: bytes, codecs: Iterable[Codec]) -> list[Codec]:
    """The codecs whose header name stands at the start of some bytes."""
    return [codec for codec in codecs if codec.head.startswith(codec.magic) and data.startswith(codec.magic)]
