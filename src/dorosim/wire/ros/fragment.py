"""Long rosbridge messages in parts (rosbridge v2.0 protocol specification, 3.1.1)."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any

import msgspec

from dorosim.wire.error import RosError

MAX_PARTS = 100_000
"""Most parts of one message."""
MAX_OPEN_MESSAGES = 100
"""Most messages of which parts are missing."""
PART = 100
"""Characters that a part counts for besides its own: the memory that it takes to keep it."""


def fragment_frames(text: bytes, size: int, number: str) -> Iterator[bytes]:
    """A JSON frame as fragment operations.

    Args:
        text: the frame.
        size: letters of it in each.
        number: identifies what belongs together.
    """
    letters = text.decode()
    total = ceil(len(letters) / size)
    for index in range(total):
        part = letters[index * size : (index + 1) * size]
        yield msgspec.json.encode({"op": "fragment", "id": number, "data": part, "num": index, "total": total})


class RosbridgeFragments:
    """Puts fragments together.

    Args:
        most: letters of all messages that are not whole yet; beyond that, and beyond `MAX_OPEN_MESSAGES` messages, the
            oldest are dropped.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0
        self._parts: dict[str, dict[int, str]] = {}

    def add(self, operation: dict[str, Any]) -> str | None:
        """Take a fragment; returns the whole text if it was the last one that was missing, else None.

        Raises:
            RosError: it is none, or the message is too long.
        """
        name, data = operation.get("id"), operation.get("data")
        number, total = operation.get("num"), operation.get("total")
        if not isinstance(data, str) or not isinstance(name, str | int):
            raise RosError("a fragment needs id, data, num and total")
        if type(number) is not int or type(total) is not int or not 0 <= number < total <= MAX_PARTS:
            raise RosError(f"num and total of a fragment count from 0 to at most {MAX_PARTS:,}")
        key = str(name)[:200]
        parts = self._parts.setdefault(key, {})
        self._held += len(data) - len(parts[number]) if number in parts else len(data) + PART
        parts[number] = data
        if len(parts) >= total:
            self._drop(key)
            return "".join(parts[index] for index in sorted(parts))
        many = len(self._parts) > MAX_OPEN_MESSAGES
        if not many and self._held <= self._most:
            return None
        while len(self._parts) > MAX_OPEN_MESSAGES or self._held > self._most:
            self._drop(next(iter(self._parts)))
        much = f"{MAX_OPEN_MESSAGES:,} messages" if many else f"{self._most:,} letters"
        raise RosError(f"fragments of more than {much} wait for the rest; the oldest are dropped")

    def _drop(self, key: str) -> None:
        parts = self._parts.pop(key)
        self._held -= sum(map(len, parts.values())) + PART * len(parts)
