"""Pictures as PNG."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray


def png_bytes(image: NDArray[np.uint8], level: int = 6) -> bytes:
    """A picture `(H, W, 3)` or `(H, W)` as PNG (RFC 2083), without filters, packed at a level of zlib."""
    height, width = image.shape[:2]
    rows = np.zeros((height, 1 + image.size // height), np.uint8)  # each begins with 0, the filter "none"
    rows[:, 1:] = image.reshape(height, -1)
    head = struct.pack(">2I5B", width, height, 8, 2 if image.ndim == 3 else 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), level)), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
