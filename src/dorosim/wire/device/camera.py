"""What a camera sends by UDP: image chunks (`MOR`) and bounding boxes (`BOX`).

The layouts follow the sensor page, Camera, and what receivers need of it (facts/udp-wire.md, 5.1 and 5.2). Every
datagram has 65,000 bytes unless the user wants it otherwise: receivers copy as many, and refuse fewer. A picture is one
buffer for all its chunks, so that nothing but the JPEG bytes themselves is copied.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dorosim.wire.error import WireError

CAMERA_DATAGRAM_SIZE: Final = 65_000
"""Bytes of every datagram that is padded, and most of one that is not."""
CAMERA_CHUNK_SIZE: Final = 64_979
"""JPEG bytes in every chunk but the last."""
BOX_SIZE: Final = 115
"""Bytes of one object."""
MAX_BOXES: Final = 565
"""Objects that fit into one datagram."""

_SECOND = 1_000_000_000
_MILLISECOND = 1_000_000
_HEAD = struct.Struct("<3s4i")
_TAIL_SIZE = 2
_MORE, _END, _BOXES = b"AI", b"EI", b"EO"

Buffer = bytes | bytearray | memoryview


@dataclass(frozen=True, slots=True)
class ImageChunk:
    """One datagram of a picture.

    Attributes:
        time: of the picture [ns].
        index: number of the chunk in its picture, from 0.
        data: its part of the JPEG.
        last: whether it ends the picture.
    """

    time: int
    index: int
    data: memoryview
    last: bool


BOX_ROWS: Final = np.dtype([("corners", "<f4", (8, 3)), ("bounds", "<f4", (4,)), ("colour", "u1", (3,))])
"""One object of 115 bytes: eight corners in the optical frame (x right, y down, z forward) [m]; xmin, ymin, xmax, ymax
[pixels]; red, green and blue of its class.

Corner numbers are three bits: an edge joins corners whose numbers differ in one bit. A receiver takes an object of
colour 0, 0, 0 for the end of the list, and one with bounds of 0 as not seen (facts/udp-wire.md, 5.2)."""


@dataclass(frozen=True, slots=True)
class BoxDatagram:
    """One datagram of bounding boxes.

    Attributes:
        time: of the picture that they belong to [ns].
        index: number of the datagram, from 0.
        boxes: `(N,)` of `BOX_ROWS`.
    """

    time: int
    index: int
    boxes: NDArray[Any]


def encode_image(jpeg: Buffer, time: int, *, padded: bool = True) -> list[memoryview]:
    """The datagrams of a picture, in order.

    Args:
        jpeg: the compressed picture.
        time: of the picture since the epoch [ns], below 2**31 s.
        padded: datagrams have 65,000 bytes; else their tail comes right behind what they hold.

    Returns:
        Views into one buffer.

    Raises:
        WireError: the time does not fit, or the picture is empty.
    """
    if not len(jpeg):
        raise WireError("value", "the picture is empty", "MOR")
    return _datagrams(b"MOR", *_stamp(time, "MOR"), jpeg, CAMERA_CHUNK_SIZE, _MORE, _END, padded=padded)


def decode_image_chunk(datagram: Buffer) -> ImageChunk:
    """The chunk in a datagram, padded or cut behind its data; the data is a view into it.

    Raises:
        WireError: it is none.
    """
    second, rest, index, size = _head(datagram, b"MOR")
    _check_size(datagram, size, "MOR")
    if not 0 < size <= CAMERA_CHUNK_SIZE:
        raise WireError("length", f"size is {size}, a chunk has 1 to {CAMERA_CHUNK_SIZE} bytes", "MOR")
    tail = bytes(datagram[-2:])
    if tail not in (_MORE, _END):
        raise WireError("tail", f"{tail!r} instead of {_MORE!r} or {_END!r}", "MOR")
    data = memoryview(datagram)[_HEAD.size : _HEAD.size + size]
    return ImageChunk(_time(second, rest, "MOR"), index, data, tail == _END)


class ImageAssembler:
    """Puts pictures together from their chunks, which come in order or, by UDP, with gaps.

    A picture with a gap is dropped and counted; the next one starts at its chunk 0.

    Attributes:
        dropped: pictures of which a chunk was missing.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self._parts: list[bytes] = []
        self._time = -1

    def add(self, chunk: ImageChunk) -> bytes | None:
        """The JPEG that this chunk completes, or None."""
        fitting = chunk.index == len(self._parts) and (chunk.index == 0 or chunk.time == self._time)
        if not fitting:
            self.dropped += bool(self._parts)
            self._parts.clear()
            if chunk.index:
                return None
        self._time = chunk.time
        self._parts.append(bytes(chunk.data))
        if not chunk.last:
            return None
        jpeg = b"".join(self._parts)
        self._parts.clear()
        return jpeg


def encode_boxes(
    boxes: NDArray[Any], time: int, *, milliseconds: bool = False, padded: bool = True
) -> list[memoryview]:
    """The datagrams of the boxes of a picture: none without a box, more than one beyond 565 boxes.

    Args:
        boxes: `(N,)` of `BOX_ROWS`.
        time: of the picture since the epoch [ns], below 2**31 s.
        milliseconds: the second time word counts milliseconds, as the sensor page says; else nanoseconds, as receivers
            read it.
        padded: as of `encode_image`.

    Raises:
        WireError: the time does not fit, a number is not finite, or a colour is black, which would end the list.
    """
    second, rest = _stamp(time, "BOX")
    if milliseconds:
        rest //= _MILLISECOND
    rows = np.ascontiguousarray(boxes, BOX_ROWS)
    if not (np.isfinite(rows["corners"]).all() and np.isfinite(rows["bounds"]).all()):
        raise WireError("non-finite", "a corner or bound is not finite", "BOX")
    if not rows["colour"].any(axis=1).all():
        raise WireError("value", "a class colour is black, which ends the list", "BOX")
    return _datagrams(b"BOX", second, rest, rows.tobytes(), MAX_BOXES * BOX_SIZE, _BOXES, _BOXES, padded=padded)


def decode_boxes(datagram: Buffer, *, milliseconds: bool = False) -> BoxDatagram:
    """The boxes in a datagram, padded or cut behind its last box.

    Raises:
        WireError: it is none.
    """
    second, rest, index, size = _head(datagram, b"BOX")
    count, odd = divmod(size, BOX_SIZE)
    if odd or not 0 < count <= MAX_BOXES:
        raise WireError("length", f"size is {size}, not {BOX_SIZE} times 1 to {MAX_BOXES}", "BOX")
    _check_size(datagram, size, "BOX")
    tail = bytes(datagram[-2:])
    if tail != _BOXES:
        raise WireError("tail", f"{tail!r} instead of {_BOXES!r}", "BOX")
    rows = np.frombuffer(datagram, BOX_ROWS, count, _HEAD.size)
    if not (np.isfinite(rows["corners"]).all() and np.isfinite(rows["bounds"]).all()):
        raise WireError("non-finite", "a corner or bound is not finite", "BOX")
    return BoxDatagram(_time(second, rest * (_MILLISECOND if milliseconds else 1), "BOX"), index, rows)


def _check_size(datagram: Buffer, size: int, name: str) -> None:
    """Whether a datagram is padded, or as long as the `size` bytes that it holds need."""
    short = _HEAD.size + size + _TAIL_SIZE
    if len(datagram) not in (CAMERA_DATAGRAM_SIZE, short):
        expected = f"{CAMERA_DATAGRAM_SIZE}, or {short} without padding"
        raise WireError("size", f"{len(datagram)} bytes instead of {expected}", name)


def _datagrams(
    magic: bytes, second: int, rest: int, content: Buffer, most: int, more: bytes, end: bytes, *, padded: bool
) -> list[memoryview]:
    """Datagrams that carry at most `most` bytes each, as views into one buffer; `end` is the tail of the last one."""
    count = -(-len(content) // most)
    view, source = memoryview(bytearray(count * CAMERA_DATAGRAM_SIZE)), memoryview(content)
    datagrams = []
    for index in range(count):
        part = source[index * most : (index + 1) * most]
        length = CAMERA_DATAGRAM_SIZE if padded else _HEAD.size + len(part) + _TAIL_SIZE
        datagram = view[index * CAMERA_DATAGRAM_SIZE : index * CAMERA_DATAGRAM_SIZE + length]
        _HEAD.pack_into(datagram, 0, magic, second, rest, index, len(part))
        datagram[_HEAD.size : _HEAD.size + len(part)] = part
        datagram[-_TAIL_SIZE:] = end if index == count - 1 else more
        datagrams.append(datagram)
    return datagrams


def _stamp(time: int, name: str) -> tuple[int, int]:
    second, rest = divmod(time, _SECOND)
    if not 0 <= second < 2**31:
        raise WireError("range", f"time {second} s does not fit into an int32", name)
    return second, rest


def _time(second: int, rest: int, name: str) -> int:
    if second < 0 or not 0 <= rest < _SECOND:
        raise WireError("range", f"time {second} s and {rest} ns", name)
    return second * _SECOND + rest


def _head(datagram: Buffer, magic: bytes) -> tuple[int, int, int, int]:
    """Both time words, index and size."""
    name = magic.decode()
    if len(datagram) < _HEAD.size:
        raise WireError("size", f"{len(datagram)} bytes, fewer than its head", name)
    found, second, rest, index, size = _HEAD.unpack_from(datagram)
    if found != magic:
        raise WireError("header", f"{found!r} instead of {magic!r}", name)
    if index < 0:
        raise WireError("range", f"index is {index}", name)
    return second, rest, index, size
