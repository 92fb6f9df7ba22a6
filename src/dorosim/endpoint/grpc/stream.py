"""A call that lasts: which run it looks at, and whether somebody still listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from dorosim.bridge.situation import Situation
from dorosim.endpoint.command_gateway import CommandGateway


@dataclass(frozen=True, slots=True)
class Place:
    """The run that is served.

    Attributes:
        gateway: takes commands. situate: gives the situation in which a client asks.
        ready: waits for a time [s] until the world can take commands, and tells whether it can.
    """

    gateway: CommandGateway
    situate: Callable[[str], Situation]
    ready: Callable[[float], bool] = lambda _: True


class Server(Protocol):
    """What streams need of the server."""

    @property
    def place(self) -> Place:
        """The run that is served.

        Raises:
            CallError: there is none just now.
        """

    @property
    def closing(self) -> bool:
        """Whether it ends."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call that streams.

    Attributes:
        server: gives the present run. context: of grpc. client: who calls.
    """

    server: Server
    context: Any
    client: str

    @property
    def active(self) -> bool:
        """Whether somebody still listens."""
        return bool(self.context.is_active()) and not self.server.closing


Stream = Callable[[Iterator[Any], Call], Iterator[Any]]
"""A procedure that streams: from requests to answers."""
