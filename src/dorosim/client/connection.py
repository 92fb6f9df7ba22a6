"""What both clients need to know of a connection."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import grpc

from dorosim.client.error import ClientError, error_from_status, is_worth_retrying

DEFAULT_ADDRESS = "127.0.0.1:7789"
"""Where the simulator listens unless it is told otherwise."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Wall time before a call is made again [s]; it doubles from the first to the longest."""
OPTIONS = (
    ("grpc.max_receive_message_length", 256 << 20),
    ("grpc.max_send_message_length", 32 << 20),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.keepalive_time_ms", 30_000),
)
"""Of a channel: it reconnects by itself after a tenth of a second, and then ever more rarely, up to a second."""


def checked_address(address: str) -> str:
    """An address that can be used.

    Raises:
        ClientError: it is none.
    """
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ClientError(f"{address!r} is no address", "give HOST:PORT, such as 127.0.0.1:7789")
    return address


@dataclass(slots=True)
class Attempts:
    """How often, and how long, a call is tried.

    Attributes:
        name: of the procedure. address: of the simulator. timeout: wall time for all attempts [s].
        reads: whether the procedure changes nothing.
    """

    name: str
    address: str
    timeout: float
    reads: bool
    _end: float = 0.0
    _pause: float = FIRST_PAUSE

    def __post_init__(self) -> None:
        """The time begins to run."""
        self.begin()

    def begin(self) -> None:
        """All is well: the next failure is the first one."""
        self._end, self._pause = time.monotonic() + self.timeout, FIRST_PAUSE

    @property
    def left(self) -> float:
        """Wall time for the next attempt [s]."""
        return max(self._end - time.monotonic(), 0.001)

    def after(self, code: grpc.StatusCode, details: str) -> float:
        """How long to wait before the next attempt [s].

        Raises:
            ClientError: there is none.
        """
        pause = self._pause
        if not is_worth_retrying(code, details, reads=self.reads) or time.monotonic() + pause > self._end:
            raise error_from_status(self.name, self.address, code, details, self.timeout) from None
        self._pause = min(2.0 * pause, LONGEST_PAUSE)
        return pause


def credentials(certificate: bytes | None) -> Any:
    """What a secure channel needs; None where no certificate was given."""
    return None if certificate is None else grpc.ssl_channel_credentials(certificate)
