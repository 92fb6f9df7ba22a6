"""Frames of a rosbridge connection to operations and back: JSON text, CBOR and BSON bytes, PNG.

A text frame is JSON. A binary frame is BSON if its first four bytes are its length, JSON if it begins with `{`, and
CBOR otherwise; no frame can be two of them.

Sources: rosbridge v2.0 protocol specification, 3.1.2 (png); RFC 8949, 3 and RFC 8746; facts/ros-peers.md.
"""

from __future__ import annotations

import json
import re
import struct
from base64 import b64encode
from math import ceil, isfinite, isqrt
from typing import Any, Literal, NoReturn

import cbor2
import msgspec
import numpy as np

from dorosim.wire.device.png import png_bytes
from dorosim.wire.error import RosError

Encoding = Literal["json", "cbor", "bson"]
DEPTH = 64
"""Most levels of a tree from outside."""
PARTS = 2_000_000
"""Most values in a tree that is passed on as it came."""
_DECODER = msgspec.json.Decoder()
_ENCODER = msgspec.json.Encoder()
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _refuse(_: Any) -> NoReturn:
    raise cbor2.CBORDecodeError("this tag is not taken")


_TAGS = (0, 1, 2, 3, 4, 5, 25, 28, 29, 30, 35, 36, 37, 52, 54, 100, 256, 258, 260, 261, 1004, 43000, 55799)
_SEMANTIC = dict.fromkeys(_TAGS, _refuse)
"""Tags that cbor2 gives a meaning: dates, large numbers, references that make rings. ROS needs none."""


def decode(frame: str | bytes) -> tuple[dict[str, Any], Encoding]:
    """The operation in a frame, and how it is written.

    Raises:
        RosError: it is none.
    """
    encoding = _encoding_of(frame)
    try:
        if isinstance(frame, str) or encoding == "json":
            found = _json(frame)
        else:
            found = _cbor(frame) if encoding == "cbor" else _bson(frame)
    except RosError:
        raise
    except Exception as error:  # of a library: none of them lists all that it raises at junk
        raise RosError(f"{len(frame):,} bytes that are not valid {encoding.upper()}: {str(error)[:200]}") from None
    if not isinstance(found, dict) or not isinstance(found.get("op"), str):
        raise RosError('a message that is not an object with "op"')
    return found, encoding


def _encoding_of(frame: str | bytes) -> Encoding:
    if isinstance(frame, str):
        return "json"
    if len(frame) >= 5 and struct.unpack_from("<i", frame)[0] == len(frame):
        return "bson"
    return "json" if frame.startswith(b"{") else "cbor"


def encode(operation: dict[str, Any], encoding: Encoding) -> bytes:
    """The frame of an operation.

    Raises:
        RosError: something in it cannot be written so.
    """
    try:
        if encoding == "json":
            return _ENCODER.encode(operation)
        if encoding == "cbor":
            return bytes(cbor2.dumps(operation))
        import bson

        return bytes(bson.encode(operation))
    except Exception as error:  # of a library; see above
        raise RosError(f"cannot be written as {encoding.upper()}: {str(error)[:200]}") from None


def cbor_raw_frame(topic: str, moment: int, data: bytes | memoryview) -> bytes:
    """The publish operation that carries a message as ROS 1 has it, with the time at which it was sent.

    Args:
        topic: its name.
        moment: [ns since 1970].
        data: the message.
    """
    seconds, rest = divmod(moment, 1_000_000_000)
    around = cbor2.dumps({"op": "publish", "topic": topic, "msg": {"secs": seconds, "nsecs": rest, "bytes": b""}})
    head = struct.pack(">BI", 0x5A, len(data))  # a byte string with its length in four bytes; 0x40 is an empty one
    return b"".join((memoryview(around)[:-1], head, data))


def png_frame(text: bytes) -> bytes:
    """The png operation that carries a JSON frame: its letters as the pixels of a picture, three in each.

    Line ends fill it. Letters outside ASCII are escaped, since a reader takes each byte as a letter.
    """
    if not text.isascii():
        text = json.dumps(msgspec.json.decode(text)).encode()
    width = max(isqrt(len(text) // 3), 1)
    height = ceil(len(text) / (3 * width))
    pixels = np.frombuffer(text.ljust(3 * width * height, b"\n"), np.uint8).reshape(height, width, 3)
    return _ENCODER.encode({"op": "png", "data": b64encode(png_bytes(pixels, 1)).decode("ascii")})


def plain(tree: Any) -> Any:
    """A tree of unknown type from a client, made fit for JSON: NaN becomes null, and bytes become base64 text.

    Raises:
        RosError: it is too deep or too large, or holds what no form of rosbridge has.
    """
    left = [PARTS]

    def copy(one: Any, depth: int) -> Any:
        left[0] -= 1
        if depth > DEPTH or left[0] < 0:
            raise RosError("a message that is too deep or too large")
        if one is None or isinstance(one, bool):
            return one
        if isinstance(one, int):
            if not -(2**63) <= one < 2**64:
                raise RosError("a number of more than 64 bits")
            return int(one)
        if isinstance(one, float):
            return one if isfinite(one) else None
        if isinstance(one, str):
            return one.encode(errors="replace").decode()
        if isinstance(one, bytes):
            return b64encode(one).decode("ascii")
        if isinstance(one, list):
            return [copy(inner, depth + 1) for inner in one]
        if isinstance(one, dict):
            return {str(key)[:200]: copy(inner, depth + 1) for key, inner in one.items()}
        raise RosError("a message with something that rosbridge has not")

    return copy(tree, 0)


def _json(frame: str | bytes) -> Any:
    try:
        return _DECODER.decode(frame)
    except msgspec.DecodeError:
        text = frame if isinstance(frame, str) else frame.decode()
        if "NaN" not in text and "Infinity" not in text:
            raise
        found = json.loads(text)  # Python's own clients write these, and the standard server takes them
        if _SURROGATE.search(text):
            json.dumps(found, ensure_ascii=False).encode()  # half a letter is refused, as it is without NaN
        return found


def _cbor(frame: bytes) -> Any:
    return cbor2.loads(frame, semantic_decoders=_SEMANTIC, max_depth=DEPTH)


def _bson(frame: bytes) -> Any:
    try:
        import bson
    except ImportError:
        raise RosError("BSON is not understood here: install dorosim[bson]") from None
    return bson.decode(frame)
