"""The parts of a connection that both clients share."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import grpc

from dorosim.client.actor import ActorOperations
from dorosim.client.driving import DrivingOperations
from dorosim.client.environment import EnvironmentOperations
from dorosim.client.error import ClientError, error_from_status, is_worth_retrying
from dorosim.client.fault import FaultOperations
from dorosim.client.operation import Call
from dorosim.client.sensing import SensingOperations
from dorosim.client.signal import SignalOperations
from dorosim.client.simulation import SimulationOperations
from dorosim.client.states import StateOperations
from dorosim.wire.grpc.descriptor import Method

DEFAULT_ADDRESS = "127.0.0.1:7789"
"""Where the simulator listens unless the user sets another address."""
MIN_RETRY_PAUSE_S, MAX_RETRY_PAUSE_S = 0.05, 1.0
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
    host, colon, port = str(address).rpartition(":")
    if not colon or not host or "/" in host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ClientError(f"{address!r} is not a valid address", "give HOST:PORT, such as 127.0.0.1:7789")
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
    _pause: float = MIN_RETRY_PAUSE_S

    def __post_init__(self) -> None:
        """Start the time of the attempts."""
        self.begin()

    def begin(self) -> None:
        """Start the time anew, as after a success: the next failure counts as the first one."""
        self._end, self._pause = time.monotonic() + self.timeout, MIN_RETRY_PAUSE_S

    @property
    def left(self) -> float:
        """Wall time for the next attempt [s]."""
        return max(self._end - time.monotonic(), 0.001)

    def after(self, error: grpc.RpcError) -> float:
        """How long to wait before the next attempt, after one that failed [s].

        Raises:
            ClientError: there is none.
        """
        return self._next(error.code(), error.details() or "")

    def after_the_end(self) -> float:
        """How long to wait before the next attempt, after a stream that the simulator ended [s].

        Raises:
            ClientError: there is none.
        """
        return self._next(grpc.StatusCode.UNAVAILABLE, "the simulator ended the stream")

    def _next(self, code: grpc.StatusCode, details: str) -> float:
        pause = self._pause
        if not is_worth_retrying(code, details, reads=self.reads) or time.monotonic() + pause > self._end:
            raise error_from_status(self.name, self.address, code, details, self.timeout) from None
        self._pause = min(2.0 * pause, MAX_RETRY_PAUSE_S)
        return pause


class Operations(
    ActorOperations,
    DrivingOperations,
    EnvironmentOperations,
    FaultOperations,
    SensingOperations,
    SignalOperations,
    SimulationOperations,
    StateOperations,
):
    """All operations, as both clients have them."""


class GrpcConnection(Operations):
    """What both clients have: an address, and a channel to it with a stub for each procedure.

    Args:
        address: "HOST:PORT".
        key: label under which the client owns what it makes.
        timeout: how long an answer is waited for [s].
        certificate: PEM of the authority that signed the server's certificate, for TLS; None for none.

    Raises:
        ClientError: the address is none.
    """

    _api: Any = grpc
    """`grpc`, or `grpc.aio` of an asyncio client."""

    def __init__(
        self,
        address: str = DEFAULT_ADDRESS,
        *,
        key: str = "",
        timeout: float = 10.0,
        certificate: bytes | None = None,
    ) -> None:
        self.address, self.key, self.timeout = checked_address(address), key, timeout
        if certificate is None:
            self._channel = self._api.insecure_channel(address, options=OPTIONS)
        else:
            secret = grpc.ssl_channel_credentials(certificate)
            self._channel = self._api.secure_channel(address, secret, options=OPTIONS)
        self._stubs: dict[str, Any] = {}

    def _stub(self, method: Method) -> Any:
        """The function that calls a procedure, or begins it if it is a stream."""
        stub = self._stubs.get(method.path)
        if stub is None:
            opened = self._channel.unary_stream if method.server_streaming else self._channel.unary_unary
            stub = opened(method.path, method.request.SerializeToString, method.response.FromString)
            self._stubs[method.path] = stub
        return stub

    def _attempts(self, asked: Call, timeout: float | None = None) -> Attempts:
        """How a call is tried, for a time [s]; None for that of the client."""
        timeout = (self.timeout if timeout is None else timeout) + asked.more_time
        return Attempts(asked.name, self.address, timeout, asked.reads)
