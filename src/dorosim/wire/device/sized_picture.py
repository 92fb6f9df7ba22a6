"""Pictures as templates of MORAI SIM 2 lay them out: the size of a JPEG, and the JPEG.

The field types are those of the product's own template (samples/"Camera Template.tmpl": INT32 image size, BYTES image
data, JPG). What does not fit into a datagram comes in parts, each behind a head, as the public clients of MORAI SIM 2
put them together: number of the picture, number of the part, count of the parts
(docs/decisions/0095-pictures-and-notifications-of-projects.md).
"""

from __future__ import annotations

import struct
from typing import Final

from dorosim.wire.error import WireError

MAX_WHOLE: Final = 65_507
"""Bytes of a datagram by IPv4; a picture of more comes in parts."""
PART_SIZE: Final = 60_000
"""Bytes of a picture in every part but the last."""
_SIZE = struct.Struct("<i")
_HEAD = struct.Struct("<IHH")
Buffer = bytes | bytearray | memoryview


def encode_sized_picture(jpeg: Buffer, number: int) -> list[bytes]:
    """The datagrams of a picture, in order.

    Args:
        jpeg: the compressed picture.
        number: of the picture, another one than that of the picture before.

    Raises:
        WireError: the picture is empty.
    """
    if not len(jpeg):
        raise WireError("value", "the picture is empty", "picture")
    content = _SIZE.pack(len(jpeg)) + bytes(jpeg)
    if len(content) <= MAX_WHOLE:
        return [content]
    count = -(-len(content) // PART_SIZE)
    picture = number % 0xFFFF_FFFF + 1  # receivers take a picture of number 0 for one without a head
    return [
        _HEAD.pack(picture, part, count) + content[part * PART_SIZE : (part + 1) * PART_SIZE] for part in range(count)
    ]
