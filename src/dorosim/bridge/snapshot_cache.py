"""What was worked out for a snapshot, kept as long as it is the last one.

Several clients, and one that asks more often than the world ticks, get the same answer without the same work.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from dorosim.world.snapshot import Snapshot

T = TypeVar("T")


class SnapshotCache(Generic[T]):
    """Things by key, of one snapshot at a time; safe to use from any thread."""

    def __init__(self) -> None:
        self._of: tuple[Snapshot | None, dict[Hashable, T]] = (None, {})

    def get(self, now: Snapshot, key: Hashable, make: Callable[[], T]) -> T:
        """What was made for a key at this snapshot, else what `make` makes now."""
        of, things = self._of
        if of is not now:
            things = {}
            self._of = (now, things)
        found = things.get(key)
        if found is None:
            found = things[key] = make()
        return found
