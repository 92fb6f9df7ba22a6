"""What the loop asks of an endpoint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from dorosim.world.command import Command, Source
from dorosim.world.inbox import Awaited
from dorosim.world.snapshot import Snapshot


class Endpoint(Protocol):
    """Something that brings commands and takes snapshots."""

    def wait(
        self, seconds: float, put: Callable[[Source, Command | Awaited], None], now: Snapshot, *, whole: bool = False
    ) -> bool:
        """Pass commands that come within `seconds` to `put`; with 0, those that are there.

        With `whole`, all of them, however long it takes; else as many as the clock allows. Returns whether `wake` ended
        the wait before the time was over.
        """

    @property
    def settled(self) -> bool:
        """Whether all that was sent before what the last wait brought has been read."""

    def publish(self, now: Snapshot) -> None:
        """Send the messages that are due at the time of the snapshot."""

    @property
    def ego_statuses(self) -> int:
        """How many statuses of the ego vehicle it has sent."""

    def wake(self) -> None:
        """End a wait early. Safe from another thread."""

    def close(self) -> None:
        """Close the sockets."""
