"""Long rosbridge messages in parts (rosbridge v2.0 protocol specification, 3.1.1)."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any

import msgspec

from dorosim.wire.ros.error import RosError

MOST_PARTS = 100_000
"""Of one message."""


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


class Fragments:
    """Puts fragments together.

    Args:
        most: letters of all messages that are not whole yet; beyond, the oldest are dropped.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0
        self._parts: dict[str, dict[int, str]] = {}

    def add(self, operation: dict[str, Any]) -> str | None:
        """Take a fragment; the whole text if it was the last one.

        Raises:
            RosError: it is none, or the message is too long.
        """
        name, data = operation.get("id"), operation.get("data")
        number, total = operation.get("num"), operation.get("total")
        if not isinstance(data, str) or not isinstance(name, str | int):
            raise RosError("a fragment needs id, data, num and total")
        if type(number) is not int or type(total) is not int or not 0 <= number < total <= MOST_PARTS:
            raise RosError(f"num and total of a fragment count from 0 to at most {MOST_PARTS:,}")
        key = str(name)[:200]
        parts = self._parts.setdefault(key, {})
        self._held += len(data) - len(parts.get(number, ""))
        parts[number] = data
        if len(parts) >= total:
            self._drop(key)
            return "".join(parts[index] for index in sorted(parts))
        if self._held + 100 * sum(map(len, self._parts.values())) > self._most:
            self._drop(next(iter(self._parts)))
            raise RosError(f"fragments of more than {self._most:,} letters wait for the rest; the oldest are dropped")
        return None

    def _drop(self, key: str) -> None:
        self._held -= sum(map(len, self._parts.pop(key).values()))
