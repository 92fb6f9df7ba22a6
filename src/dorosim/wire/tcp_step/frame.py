"""What stands before each message: 16 bytes that say what it is and how long (facts/tcp-fixed-step.md)."""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import NamedTuple

from dorosim.wire.error import WireError

MAGIC = 0x4D
"""The first byte of every frame, "M"."""
MAX_PAYLOAD = 1 << 20
"""Most bytes of a payload."""
_HEAD = struct.Struct("<BBIIIH")
HEAD_SIZE = _HEAD.size
"""Bytes of a head."""


class FrameClass(IntEnum):
    """What a frame is. A notification answers nothing; only the newest clients know them."""

    REQUEST = 1
    RESPONSE = 2
    NOTIFICATION = 3


class Head(NamedTuple):
    """The head of a frame.

    Attributes:
        frame_class: `FrameClass`, or a code that is none.
        number: type of the message.
        size: of the payload [bytes].
        request: id of the request, which its answer has, too.
    """

    frame_class: int
    number: int
    size: int
    request: int


def read_head(data: bytes) -> Head:
    """The head in 16 bytes.

    Raises:
        WireError: they do not begin with the magic byte, so that the stream is not one of frames, or the payload would
            be too long, so that it is not read. Nothing that follows can be understood then.
    """
    magic, frame_class, number, size, request, _ = _HEAD.unpack(data)
    if magic != MAGIC:
        raise WireError("header", f"a frame begins with 0x{magic:02X} in place of 0x{MAGIC:02X}")
    if size > MAX_PAYLOAD:
        raise WireError("length", f"a payload of {size:,} bytes; {MAX_PAYLOAD:,} are allowed", f"0x{number:04X}")
    return Head(frame_class, number, size, request)


_STEP = struct.Struct("<10sIHI")
STEP_SIZE = _STEP.size
"""Bytes of a FixedStep."""
STEP_HEAD = _HEAD.pack(MAGIC, FrameClass.REQUEST, 0x1201, 4, 0, 0)[:10]
"""The bytes of a FixedStep before the id of the request."""


def read_step(data: bytes | bytearray) -> tuple[int, int] | None:
    """The id and the number of steps of bytes that begin with a FixedStep; None for all other bytes.

    It is the request of which there are most, and reading it so takes a tenth of the time.

    Args:
        data: `STEP_SIZE` bytes at least.
    """
    head, request, _, steps = _STEP.unpack_from(data)
    return (request, steps) if head == STEP_HEAD else None


_STEP_ANSWER = struct.Struct(f"{_HEAD.format}II")
_STEP_ANSWER_HEAD = (MAGIC, int(FrameClass.RESPONSE), 0x1201, 8)


def step_answer(request: int) -> bytes:
    """The frame that says that a FixedStep is done.

    Args:
        request: its id.
    """
    return _STEP_ANSWER.pack(*_STEP_ANSWER_HEAD, request, 0, 0, 0)


def frame(frame_class: int, number: int, request: int, payload: bytes) -> bytes:
    """A frame: head and payload.

    Raises:
        WireError: the payload is too long.
    """
    if len(payload) > MAX_PAYLOAD:
        raise WireError(
            "length", f"a payload of {len(payload):,} bytes; {MAX_PAYLOAD:,} are allowed", f"0x{number:04X}"
        )
    return _HEAD.pack(MAGIC, frame_class, number, len(payload), request, 0) + payload
