"""A client of the embedded server, as the code that relays messages and calls between clients uses it."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from dorosim.endpoint.ros.rosbridge.outbox import Outbox


class ClientHandle(Protocol):
    """A client; used on the server's thread.

    Attributes:
        address: of the client. outbox: what waits to be sent to it. bson: whether it spoke BSON last.
        calls: of services that it waits for, or that wait for it. share: limits those that are under way.
        gone: whether it has left.
    """

    address: str
    outbox: Outbox
    bson: bool
    calls: int
    share: asyncio.Semaphore
    gone: bool

    def send(self, operation: dict[str, Any], compression: str = "none") -> None:
        """Send an operation before all messages of topics.

        Raises:
            RosError: it cannot be written.
        """
