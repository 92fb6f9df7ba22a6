"""Calls: the run that they are about, how they end, and streams, whose client may stop listening."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import grpc

from dorosim.bridge.situation import Situation
from dorosim.endpoint.command_gateway import CommandGateway, RunOverError, TickTimeoutError
from dorosim.endpoint.loop.fair_lock import BusyError
from dorosim.endpoint.sensor.interface import Listener
from dorosim.ground.error import DorosimError, InputError

Code = grpc.StatusCode


class CallError(DorosimError):
    """A call cannot be done.

    Attributes:
        code: its status.
    """

    def __init__(self, code: grpc.StatusCode, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def status_of(error: Exception) -> tuple[grpc.StatusCode, str]:
    """Status and sentence of a failure. INTERNAL means that dorosim itself is at fault."""
    for kind, code in (
        (InputError, Code.INVALID_ARGUMENT),
        (RunOverError, Code.UNAVAILABLE),
        (TickTimeoutError, Code.DEADLINE_EXCEEDED),
        (BusyError, Code.UNAVAILABLE),
        (DorosimError, Code.FAILED_PRECONDITION),
    ):
        if isinstance(error, kind):
            return (error.code if isinstance(error, CallError) else code), str(error)
    return Code.INTERNAL, f"{type(error).__name__}: {error}; this is a fault of dorosim, please tell us"


class ListenedStation(Protocol):
    """The sensors of a run, to which streams listen."""

    def listen(self, listener: Listener) -> None:
        """Call a listener with the readings of each tick from now on."""

    def unlisten(self, listener: Listener) -> None:
        """Call a listener no longer."""


@dataclass(frozen=True, slots=True)
class GrpcPlace:
    """The run that is served.

    Attributes:
        gateway: takes commands. situate: returns the situation in which a client asks.
        ready: waits at most for a time [s] until the world can take commands, and returns whether it can.
        station: the sensors of the run; None for none.
    """

    gateway: CommandGateway
    situate: Callable[[str], Situation]
    ready: Callable[[float], bool] = lambda _: True
    station: ListenedStation | None = None


class Server(Protocol):
    """What streams need of the server."""

    @property
    def place(self) -> GrpcPlace:
        """The run that is served.

        Raises:
            CallError: there is no run just now.
        """

    @property
    def closing(self) -> bool:
        """Whether the server is closing."""


@dataclass(frozen=True, slots=True)
class StreamCall:
    """A streaming call.

    Attributes:
        server: gives the present run. context: of grpc. client: the client that calls.
    """

    server: Server
    context: Any
    client: str

    @property
    def active(self) -> bool:
        """Whether the client still listens and the server is not closing."""
        return bool(self.context.is_active()) and not self.server.closing


Stream = Callable[[Iterator[Any], StreamCall], Iterator[Any]]
"""A streaming procedure: takes requests and yields answers."""
