"""The open sockets of a UDP network: where datagrams come in, and what is sent from where."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from dorosim.bridge.udp.publish import Publisher
from dorosim.endpoint.udp.network import Publication, UdpNetwork
from dorosim.endpoint.udp.socket import (
    RECEIVE_BUFFER,
    Address,
    kernel_drops,
    open_listener,
    open_sender,
    receive_buffer,
    resolve,
)
from dorosim.ground.error import InputError
from dorosim.world.snapshot import Snapshot


@dataclass(slots=True)
class PublicationSender:
    """A publication with its socket and schedule.

    Attributes:
        to: numeric destination. period: simulated time from one to the next [ns].
        build: makes the datagram of a snapshot; empty bytes where there is nothing to send.
        sent: how many were sent. last: the period in which it was sent last, of time that passes and that stands.
        stood: the period in which it was sent last while no client stepped. data: the last datagram.
    """

    publication: Publication
    sock: socket.socket
    to: tuple[str, int]
    period: int
    build: Callable[[Snapshot], bytes]
    sent: int = 0
    last: tuple[int, int] = (-1, -1)
    stood: int = -1
    data: bytes = b""


class UdpSockets:
    """The sockets of the addresses of a network.

    Args:
        network: addresses.
        publisher: makes datagrams of snapshots.
        sockets: those that are open already, by address; they are taken where the address is the same.
        egos: how many ego vehicles there are.

    Raises:
        InputError: an address of the first ego vehicle cannot be bound; then those that were opened here are closed.

    Attributes:
        network: the addresses. egos: how many ego vehicles they are open for.
        open: sockets by address: one serves everything that uses it (design/seams.md, Files).
        listening: address of each socket that datagrams come in by, and the number of the ego vehicle that they mean.
        senders: what is sent.
        notices: what a user should know, one line each.
        roomy: whether the system has granted large buffers to all that listen.
    """

    def __init__(
        self,
        network: UdpNetwork,
        publisher: Publisher,
        sockets: Mapping[Address, socket.socket] | None = None,
        egos: int = 1,
    ) -> None:
        self.network = network
        self.egos = 0
        self.open: dict[Address, socket.socket] = {}
        self.listening: dict[socket.socket, tuple[Address, int]] = {}
        self.senders: list[PublicationSender] = []
        self.notices: list[str] = []
        self.roomy = True
        self._publisher = publisher
        self._given = dict(sockets or {})
        self._dropped: dict[socket.socket, int] = {}
        given = tuple(self._given.values())
        try:
            self.open_for(egos)
        except InputError:
            self.close(keep=given)
            raise
        finally:
            self._given.clear()
        self._dropped = {sock: kernel_drops(sock) for sock in given}

    def open_for(self, egos: int) -> None:
        """Open the addresses of so many ego vehicles; those that are open stay.

        Raises:
            InputError: an address of the first one cannot be bound; for further ones, `notices` says so.
        """
        addresses = self.network.of_egos(egos)
        self.egos = egos
        self.notices += [notice for notice in addresses.notices if notice not in self.notices]
        for address, ego in addresses.listen.items():
            if address not in self.open or self.open[address] not in self.listening:
                try:
                    sock = self._given.get(address) or open_listener(address)
                except InputError as error:
                    if ego == 1:
                        raise
                    self.notices.append(f"ego {ego}: {address} is not listened to: {error.problem}")
                    continue
                self.open[address] = sock
                self.listening[sock] = (address, ego)
        self.roomy = all(receive_buffer(sock) >= RECEIVE_BUFFER for sock in self.listening)
        before = {sender.publication: sender for sender in self.senders}
        kept = {one.source for one in addresses.publications} | set(addresses.listen)
        for sender in self.senders:
            source = sender.publication.source
            if source.port and source not in kept and source in self.open:
                self.open.pop(source).close()
        self.senders = [before.get(one) or self._sender(one) for one in addresses.publications]

    def _sender(self, publication: Publication) -> PublicationSender:
        publisher, source = self._publisher, publication.source
        sock = self.open.get(source) or self._given.get(source)
        if sock is not None:
            self.open[source] = sock
        else:
            sock, notice = open_sender(source)
            self.open[source] = sock
            if notice:
                self.notices.append(f"{publication.name}: {notice}")
        destination = resolve(publication.destination)
        period = round(1e9 / publication.rate_hz)
        if period < publisher.tick:
            capped = f"{publication.rate_hz:g} Hz is more than one a tick: sent at {1e9 / publisher.tick:g} Hz"
            self.notices.append(f"{publication.name}: {capped}; a shorter tick (tick_ms) allows more")
        return PublicationSender(
            publication, sock, destination, period, publisher.builder(publication.message, publication.ego)
        )

    @property
    def closed(self) -> tuple[Address, ...]:
        """Addresses whose sockets are closed: another run had handed them over, and has closed them since."""
        return tuple(address for address, sock in self.open.items() if sock.fileno() < 0)

    @property
    def drops(self) -> int:
        """Datagrams that the kernel dropped at all listening sockets since these were opened or taken over."""
        return sum(kernel_drops(sock) - self._dropped.get(sock, 0) for sock in tuple(self.listening))

    def succeed(self, before: UdpSockets) -> None:
        """Take the place of the sockets before: go on with their counts, and close those that are not used here."""
        sent = {sender.publication.name: sender.sent for sender in before.senders}
        for sender in self.senders:
            sender.sent = sent.get(sender.publication.name, 0)
        self._dropped = {sock: kernel_drops(sock) for sock in self.listening}
        before.close(keep=self.open.values())

    def close(self, keep: Collection[socket.socket] = ()) -> None:
        """Close all sockets but some."""
        for sock in self.open.values():
            if sock not in keep:
                sock.close()


def count_waiting(sockets: Iterable[socket.socket], buffer: bytearray, timeout: float) -> int:
    """How many datagrams wait at sockets, which are emptied.

    Args:
        sockets: that do not block.
        buffer: room for the longest datagram.
        timeout: wall time after which it stops [s].
    """
    end, count = time.monotonic() + timeout, 0
    for sock in sockets:
        with contextlib.suppress(OSError):
            while time.monotonic() < end:
                sock.recv_into(buffer)
                count += 1
    return count
