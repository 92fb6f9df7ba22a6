"""The UDP endpoint: datagrams to commands, snapshots to datagrams.

The loop's own thread reads the sockets while it waits for the next tick, so a flood of datagrams never fights with
the step for the interpreter lock, and a datagram that is there before a tick counts in that tick.
"""

from __future__ import annotations

import contextlib
import select
import socket
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from dorosim.bridge.answer import Notice, Refusal
from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.receive import Receiver
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.network import Publication, UdpNetwork
from dorosim.endpoint.udp_socket import Address, kernel_drops, open_listener, open_sender, resolve
from dorosim.ground.error import InputError
from dorosim.wire.codec import Codec
from dorosim.wire.error import WireError
from dorosim.wire.message import Wire
from dorosim.world.command.actor import Source
from dorosim.world.command.catalogue import Command
from dorosim.world.snapshot import Snapshot

LARGEST = 65_536
"""More than the payload of any UDP datagram, so none is cut unseen."""
BURST = 512
"""Datagrams that are read from one socket before the others have their turn."""
GATHER = 0.001
"""Seconds for which datagrams gather after the first one, while the tick is not due: nothing is lost by reading them
together, and a flood costs half as much."""
OVERTIME = 2_000
"""Datagrams that are still read when the tick is due: a flood delays a tick by a bounded time."""
LATENESS = 0.1
"""Seconds that reading may delay a tick, since some datagrams take long: Scenario Load reads a file and plans a world.
Each socket that holds some is read once in any case, so none keeps the others from being heard."""


AT_END = 0.5
"""Seconds in which datagrams are counted that are not read before the end of a run."""


@dataclass(slots=True)
class _Outlet:
    """A publication with its socket and schedule."""

    publication: Publication
    sock: socket.socket
    to: tuple[str, int]
    period: int
    build: Callable[[Snapshot], bytes]
    sent: int = 0
    last: tuple[int, int] = (-1, -1)
    stood: int = -1
    data: bytes = b""


class UdpEndpoint:
    """All UDP sockets of a run.

    Args:
        network: addresses.
        receiver, publisher: the pure translation between messages and the world.
        journal: where datagrams are counted and bad ones told of.
        sockets: those that are open already, by address: of the run before, which `close(keep=...)` leaves open.

    Raises:
        InputError: an address cannot be bound.

    Attributes:
        notices: what a user should know about the sockets, one line each.
    """

    def __init__(
        self,
        network: UdpNetwork,
        receiver: Receiver,
        publisher: Publisher,
        journal: Journal,
        sockets: Mapping[Address, socket.socket] | None = None,
    ) -> None:
        self.network = network
        self.notices: list[str] = []
        self._receiver = receiver
        self._journal = journal
        self._tick = publisher.tick
        self._told = -1  # number of the last tick
        self._given = dict(sockets or {})
        self._sockets: dict[Address, socket.socket] = {}
        self._listening: dict[socket.socket, Address] = {}
        self._buffer = bytearray(LARGEST)
        self._ear, self._bell = socket.socketpair()
        self._ear.setblocking(False)
        self._bell.setblocking(False)
        self._heard: dict[Codec, Wire] = {}
        self._names = {codec: f"received {codec.message.__name__}" for codec in receiver.codecs}
        try:
            self._open(publisher)
        except InputError:
            self.close(keep=self._given.values())
            raise
        self._dropped = {sock: kernel_drops(sock) for sock in self._given.values()}

    def _open(self, publisher: Publisher) -> None:
        for address in dict.fromkeys(self.network.listen):
            sock = self._given.get(address) or open_listener(address)
            self._sockets[address] = sock
            self._listening[sock] = address
        self._outlets = [self._outlet(one, publisher) for one in self.network.publications]

    def _outlet(self, publication: Publication, publisher: Publisher) -> _Outlet:
        sock = self._sockets.get(publication.source) or self._given.get(publication.source)
        if sock is not None:
            self._sockets[publication.source] = sock
        else:
            sock, notice = open_sender(publication.source)
            self._sockets[publication.source] = sock
            if notice:
                self.notices.append(f"{publication.message}: {notice}")
        destination = resolve(publication.destination)
        period = round(1e9 / publication.rate_hz)
        if period < publisher.tick:
            told = f"{publication.rate_hz:g} Hz is more than one a tick: sent at {1e9 / publisher.tick:g} Hz"
            self.notices.append(f"{publication.message}: {told}; a shorter tick (tick_ms) allows more")
        return _Outlet(publication, sock, destination, period, publisher.builder(publication.message))

    def wait(self, seconds: float, put: Callable[[Source, Command], None], now: Snapshot) -> bool:
        """Read datagrams for a time; with 0, those that are there.

        Args:
            seconds: how long.
            put: where commands go.
            now: the last snapshot, which gives the ego vehicle's limits.

        Returns:
            Whether `wake` ended it before the time was over.
        """
        until = time.monotonic() + seconds
        end, overtime = until + LATENESS, OVERTIME
        listening = self._listening
        while True:
            left = until - time.monotonic()
            ready, _, _ = select.select((*listening, self._ear), (), (), max(left, 0.0))
            if self._ear in ready:
                self._hear()
                return left > 0.0
            if ready and left > GATHER:
                time.sleep(GATHER)
            for sock in ready:
                count = self._drain(sock, listening[sock], put, now, end)
                overtime -= count if left <= 0 else 0
            if left <= 0 and (not ready or overtime <= 0):
                return False
            if ready and time.monotonic() >= end:
                return False

    def wake(self) -> None:
        """End a wait early; what has been sent by then is read in the next. Safe from another thread."""
        with contextlib.suppress(OSError):  # full: it rings already; closed: nobody waits
            self._bell.send(b"!")

    def _hear(self) -> None:
        """Take all rings."""
        with contextlib.suppress(OSError):
            while self._ear.recv(1024):
                pass

    def _drain(
        self, sock: socket.socket, address: Address, put: Callable[[Source, Command], None], now: Snapshot, end: float
    ) -> int:
        """Read what one socket holds, up to a burst, and nothing more after `end`; returns how many datagrams."""
        buffer, receive, clock, heard = self._buffer, sock.recv_into, time.monotonic, self._heard
        for count in range(BURST):
            if count and clock() >= end:
                return count
            try:
                size = receive(buffer)
            except BlockingIOError:
                return count
            except OSError as error:
                self._journal.report("receive error", f"{address}: {error}")
                return count
            try:
                codec, message, clamped = self._receiver.read(buffer, size)
                self._journal.counts[self._names[codec]] += 1
                heard[codec] = message
                if clamped:
                    name = type(message).__name__
                    self._journal.report_seldom("clamped", [f"{name}: {field}" for field in clamped], str(address))
                for answer in self._receiver.commands(message, now):
                    if isinstance(answer, Refusal):
                        self._journal.report(answer.kind, f"{address}: {answer.reason}")
                    elif isinstance(answer, Notice):
                        self._journal.report(answer.kind, f"{address}: {answer.text}", answer.lines)
                    else:
                        put(Source.PEER, answer)
            except WireError as error:
                self._journal.report(f"bad {error.fault}", f"{address}: {error}")
        return BURST

    def publish(self, now: Snapshot) -> None:
        """Send what is due at a snapshot's time; while simulated time stands, at the same rate."""
        stood = now.tick * self._tick - now.time
        if now.tick < self._told:  # the run began again: what is due is counted anew, as in any other run
            for outlet in self._outlets:
                outlet.last = (-1, -1)
        self._told = now.tick
        for outlet in self._outlets:
            turn = now.time // outlet.period, stood // outlet.period
            if turn == outlet.last:
                continue
            outlet.last = turn
            try:
                outlet.data = outlet.build(now)
            except WireError as error:
                self._journal.report("send error", f"{outlet.publication.message} to {outlet.to}: {error}")
            else:
                self._send(outlet)

    def stand(self, _: Snapshot, waited: float) -> None:
        """While nobody steps, send again what was sent last, at the same rate; see `dorosim.endpoint.loop.Stander`."""
        for outlet in self._outlets:
            turn = int(waited * 1e9) // outlet.period
            if outlet.data and turn != outlet.stood:
                outlet.stood = turn
                self._send(outlet)

    def _send(self, outlet: _Outlet) -> None:
        try:
            outlet.sock.sendto(outlet.data, outlet.to)
            outlet.sent += 1
        except OSError as error:
            self._journal.report("send error", f"{outlet.publication.message} to {outlet.to}: {error}")

    @property
    def sockets(self) -> Mapping[Address, socket.socket]:
        """The open sockets, by address: one serves everything that uses it (design/seams.md, Files)."""
        return self._sockets

    def unread(self, keep: Collection[socket.socket] = ()) -> int:
        """Datagrams that came and will not be read: takes them from all listening sockets but some, and counts them.

        It takes what is there by now, at most for `AT_END`: a flood must not keep a run from its end.
        """
        end, count = time.monotonic() + AT_END, 0
        for sock in self._listening:
            with contextlib.suppress(OSError):
                while sock not in keep and time.monotonic() < end:
                    sock.recv_into(self._buffer)
                    count += 1
        return count

    @property
    def drops(self) -> int:
        """Datagrams that the kernel dropped at all listening sockets."""
        return sum(kernel_drops(sock) - self._dropped.get(sock, 0) for sock in self._listening)

    @property
    def sent(self) -> dict[str, int]:
        """Datagrams sent, by message."""
        return {outlet.publication.message: outlet.sent for outlet in self._outlets}

    @property
    def last_sent(self) -> dict[str, bytes]:
        """The last datagram of each message that has been sent, by its name. Safe from any thread."""
        return {outlet.publication.message: outlet.data for outlet in self._outlets if outlet.data}

    @property
    def last_received(self) -> dict[str, tuple[Codec, Wire]]:
        """The last message of each kind that has been received, by its name. Safe from any thread."""
        return {codec.message.__name__: (codec, message) for codec, message in tuple(self._heard.items())}

    def close(self, keep: Collection[socket.socket] = ()) -> None:
        """Close all sockets but some, which the next run goes on with."""
        self._ear.close()
        self._bell.close()
        for sock in self._sockets.values():
            if sock not in keep:
                sock.close()
