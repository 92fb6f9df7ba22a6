"""Texts in a table of state: end to end in one array of bytes, with the place where each begins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import IntArray, read_only

ByteArray = NDArray[np.uint8]


def packed_texts(texts: Sequence[bytes]) -> tuple[IntArray, ByteArray]:
    """Texts end to end: `(N + 1,)` where each begins and the last ends, and their bytes; both read-only."""
    return read_only(np.cumsum([0, *map(len, texts)])), read_only(np.frombuffer(b"".join(texts), np.uint8).copy())


def parts_texts(first: IntArray, text: ByteArray, rows: int) -> bool:
    """Whether an array of places, as of `packed_texts`, parts letters into so many texts."""
    if len(first) != rows + 1 or first[0] != 0 or first[-1] != len(text):
        return False
    return bool((np.diff(first) >= 0).all())


def text_at(first: IntArray, text: ByteArray, row: int) -> bytes:
    """One of several texts; arrays as of `packed_texts`."""
    start, end = first[row : row + 2].tolist()
    return text[start:end].tobytes()
