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
from dorosim.bridge.udp.target import target_of
from dorosim.endpoint.held import HeldDatagrams
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.network import Publication, UdpNetwork
from dorosim.endpoint.udp_socket import Address, kernel_drops, open_listener, open_sender, resolve
from dorosim.ground.error import InputError
from dorosim.wire.codec import Codec
from dorosim.wire.error import WireError
from dorosim.wire.message import Wire
from dorosim.wire.udp.datagram import Buffer
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
"""Datagrams that are still taken when the tick is due: a flood delays a tick by a bounded time."""
LATENESS = 0.25
"""Share of a tick by which taking and reading datagrams may delay it. Each socket that holds some is looked at once in
any case, and one datagram that waits is read, so none keeps the others from being heard."""
AT_ONCE = 8192
"""Bytes of datagrams that are read in a tick as they come: 148 control commands, or 8 of NPC ghost mode, which take as
long. More are a flood: they wait, and only the newest about each thing is read when the tick is due."""


Put = Callable[[Source, Command], None]


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
    data: bytes = b""


class UdpEndpoint:
    """All UDP sockets of a run.

    Args:
        network: addresses.
        receiver, publisher: the pure translation between messages and the world.
        journal: where datagrams are counted and bad ones told of.
        sockets: those that are open already, by address: of the run before, which `close(keep=...)` leaves open.
        at_once: bytes of datagrams that are read in a tick as they come.

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
        at_once: int = AT_ONCE,
    ) -> None:
        self.network = network
        self.notices: list[str] = []
        self._receiver = receiver
        self._journal = journal
        self._tick = publisher.tick
        self._given = dict(sockets or {})
        self._sockets: dict[Address, socket.socket] = {}
        self._listening: dict[socket.socket, Address] = {}
        self._buffer = bytearray(LARGEST)
        self._held = HeldDatagrams(target_of, journal)
        self._at_once = self._most_at_once = at_once
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

    def wait(self, seconds: float, put: Put, now: Snapshot) -> bool:
        """Read datagrams for a time; with 0, those that are there.

        Args:
            seconds: how long.
            put: where commands go.
            now: the last snapshot, which gives the ego vehicle's limits.

        Returns:
            Whether `wake` ended it before the time was over.
        """
        until = time.monotonic() + seconds
        end = until + LATENESS * self._tick * 1e-9
        self._at_once = self._most_at_once
        try:
            return self._take_until(until, end, put, now)
        finally:
            self._read_held(end, put, now)

    def _take_until(self, until: float, end: float, put: Put, now: Snapshot) -> bool:
        """Take datagrams until a moment, and those that are there then, but none after `end`; returns as `wait`."""
        overtime = OVERTIME
        listening = self._listening
        while True:
            left = until - time.monotonic()
            ready, _, _ = select.select((*listening, self._ear), (), (), max(left, 0.0))
            if self._ear in ready:
                self._hear()
                return left > 0.0
            if ready and left > GATHER:
                time.sleep(GATHER)
            counts = [self._drain(sock, listening[sock], put, now, end) for sock in ready]
            overtime -= sum(counts) if left <= 0.0 else 0
            # what comes while those are taken that were there when the tick was due belongs to the next one
            if left <= 0.0 and (overtime <= 0 or max(counts, default=0) < BURST):
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

    def _drain(self, sock: socket.socket, address: Address, put: Put, now: Snapshot, end: float) -> int:
        """Take what one socket holds, up to a burst, and nothing more after `end`; returns how many datagrams.

        Those of a flood wait, and so does all that comes behind them.
        """
        buffer, receive, clock = self._buffer, sock.recvfrom_into, time.monotonic
        held, codec_of = self._held, self._receiver.codec_of
        for count in range(BURST):
            if count and clock() >= end:
                return count
            try:
                size, peer = receive(buffer)
            except BlockingIOError:
                return count
            except OSError as error:
                self._journal.report("receive error", f"{address}: {error}")
                return count
            if self._at_once > 0 and not held:
                self._at_once -= size
            elif (codec := codec_of(buffer, size)) is not None:
                held.put(address, codec, bytes(buffer[:size]), peer)
                continue
            self._read(address, buffer, size, put, now)
        return BURST

    def _read_held(self, end: float, put: Put, now: Snapshot) -> None:
        """Read datagrams that wait, one at least, and none after `end`: the others wait for the next tick."""
        while (one := self._held.take()) is not None:
            self._read(one.to, one.data, len(one.data), put, now)
            if time.monotonic() >= end:
                return

    def _read(self, address: Address, data: Buffer, size: int, put: Put, now: Snapshot) -> None:
        """Read a datagram, and do what it asks for."""
        try:
            codec, message, clamped = self._receiver.read(data, size)
            self._journal.counts[self._names[codec]] += 1
            self._heard[codec] = message
            if clamped:
                self._journal.report("clamped", f"{address}: {type(message).__name__}: {', '.join(clamped)}")
            for answer in self._receiver.commands(message, now):
                if isinstance(answer, Refusal):
                    self._journal.report(answer.kind, f"{address}: {answer.reason}")
                elif isinstance(answer, Notice):
                    self._journal.report(answer.kind, f"{address}: {answer.text}", answer.lines)
                else:
                    put(Source.PEER, answer)
        except WireError as error:
            self._journal.report(f"bad {error.fault}", f"{address}: {error}")

    def publish(self, now: Snapshot) -> None:
        """Send what is due at a snapshot's time; while simulated time stands, at the same rate."""
        stood = now.tick * self._tick - now.time
        for outlet in self._outlets:
            turn = now.time // outlet.period, stood // outlet.period
            if turn == outlet.last:
                continue
            outlet.last = turn
            try:
                outlet.data = outlet.build(now)
                outlet.sock.sendto(outlet.data, outlet.to)
                outlet.sent += 1
            except (OSError, WireError) as error:
                self._journal.report("send error", f"{outlet.publication.message} to {outlet.to}: {error}")

    @property
    def sockets(self) -> Mapping[Address, socket.socket]:
        """The open sockets, by address: one serves everything that uses it (design/seams.md, Files)."""
        return self._sockets

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
