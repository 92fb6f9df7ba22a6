"""A client of the embedded server, as the code that relays messages and calls between clients uses it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from dorosim.endpoint.ros.rosbridge.outbox import Outbox, RosbridgeFrame
from dorosim.wire.ros.frame import encode, png_frame

MAX_ACTIVE_CALLS = 8
"""Calls of the simulator that one client has under way; more of them wait for these."""


@dataclass(eq=False)
class ClientHandle:
    """A client; used on the server's thread.

    Attributes:
        address: of the client. outbox: what waits to be sent to it. bson: whether it spoke BSON last.
        calls: of services that it waits for, or that wait for it. share: limits those that are under way.
        gone: whether it has left.
    """

    address: str
    outbox: Outbox
    bson: bool = False
    calls: int = 0
    share: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MAX_ACTIVE_CALLS))
    gone: bool = False

    def send(self, operation: dict[str, Any], compression: str = "none") -> None:
        """Send an operation before all messages of topics.

        Raises:
            RosError: it cannot be written.
        """
        if compression in ("cbor", "cbor-raw"):
            frame = RosbridgeFrame(encode(operation, "cbor"), False)
        elif self.bson:
            frame = RosbridgeFrame(encode(operation, "bson"), False)
        else:
            text = encode(operation, "json")
            frame = RosbridgeFrame(png_frame(text) if compression == "png" else text, True)
        self.outbox.reply((frame,))
