"""The parts of a connection that both clients share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any
from weakref import WeakSet

import grpc

from dorosim.client.actor import ActorOperations
from dorosim.client.attempt import Attempts
from dorosim.client.driving import DrivingOperations
from dorosim.client.environment import EnvironmentOperations
from dorosim.client.error import ClientError
from dorosim.client.fault import FaultOperations
from dorosim.client.feed import Feed, feed_request
from dorosim.client.mounting import MountingOperations
from dorosim.client.operation import Call, call
from dorosim.client.run_file import find_run
from dorosim.client.sensing import SensingOperations
from dorosim.client.signal import SignalOperations
from dorosim.client.simulation import SimulationOperations
from dorosim.client.states import StateOperations
from dorosim.wire.grpc.descriptor import Method

DEFAULT_ADDRESS = "127.0.0.1:7789"
"""Where the simulator listens unless the user sets another address."""
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


def _address_of(address: str | None, run: str | PathLike[str] | None) -> str:
    """The address of a simulator; arguments as of `GrpcConnection`.

    Raises:
        ClientError: the address is none, or there is no such run.
    """
    if address is not None:
        if run is not None:
            raise ClientError("both an address and a run are given", "give one of them")
        return checked_address(address)
    found = find_run(run)
    return DEFAULT_ADDRESS if found is None else found.grpc


class Operations(
    ActorOperations,
    DrivingOperations,
    EnvironmentOperations,
    FaultOperations,
    MountingOperations,
    SensingOperations,
    SignalOperations,
    SimulationOperations,
    StateOperations,
):
    """All operations, as both clients have them."""


class GrpcConnection(Operations):
    """What both clients have: an address, and a channel to it with a stub for each procedure.

    Args:
        address: "HOST:PORT". If it is not given, that of the run which the environment variable DOROSIM_RUN names;
            without that, 127.0.0.1:7789.
        run: id or file of a run of this machine, in place of an address.
        key: label under which the client owns what it makes.
        timeout: how long an answer is waited for [s].
        certificate: PEM of the authority that signed the server's certificate, for TLS; None for none.

    Raises:
        ClientError: the address is none, or there is no such run.

    Attributes:
        goes_on: says whether the simulator may still answer. A program that has started it, and sees its end, may set
            it: then calls fail at once, and not after `timeout`.
    """

    _api: Any = grpc
    """`grpc`, or `grpc.aio` of an asyncio client."""

    def __init__(
        self,
        address: str | None = None,
        *,
        run: str | PathLike[str] | None = None,
        key: str = "",
        timeout: float = 10.0,
        certificate: bytes | None = None,
    ) -> None:
        self.address, self.key, self.timeout = _address_of(address, run), key, timeout
        self.goes_on: Callable[[], bool] = lambda: True
        self._certificate = certificate
        self._channel = self._opened(self._api)
        self._stubs: dict[str, Any] = {}
        self._feeds: WeakSet[Feed] = WeakSet()
        self._feed_channel: Any = self._channel if self._api is grpc else None

    def feed(self, sensors: Sequence[str], *, every: bool = False, wake: Callable[[], None] = lambda: None) -> Feed:
        """A stream of readings of some sensors, which loops over sensors are made of.

        Args:
            sensors: their ids.
            every: whether every tick is wanted, else the newest reading.
            wake: is called on another thread when there is something to take.
        """
        asked = call("Sensing/StreamReadings", **feed_request(sensors, every=every))
        if self._feed_channel is None:
            self._feed_channel = self._opened(grpc)
        method, request = asked.method, asked.request
        stub = self._feed_channel.unary_stream(
            method.path, method.request.SerializeToString, method.response.FromString
        )
        found = Feed(lambda: stub(request), self._attempts(asked), every=every, wake=wake)
        self._feeds.add(found)
        return found

    def _opened(self, api: Any) -> Any:
        """A channel of `grpc` or `grpc.aio`."""
        if self._certificate is None:
            return api.insecure_channel(self.address, options=OPTIONS)
        secret = grpc.ssl_channel_credentials(self._certificate)
        return api.secure_channel(self.address, secret, options=OPTIONS)

    def _close_feeds(self) -> None:
        """End all loops over sensors."""
        for feed in tuple(self._feeds):
            feed.close()

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
        return Attempts(asked.name, self.address, timeout, asked.reads, lambda: self.goes_on())  # noqa: PLW0108 - it may be set later
