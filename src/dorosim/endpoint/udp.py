"""The UDP endpoint: datagrams to commands, snapshots to datagrams.

The loop's own thread reads the sockets while it waits for the next tick, so a flood of datagrams never fights with
the step for the interpreter lock, and a datagram that is there before a tick counts in that tick.
"""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from dorosim.bridge.answer import Later, Notice, Refusal
from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.receive import Receiver
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.late import LateAnswers
from dorosim.endpoint.network import Publication, UdpNetwork
from dorosim.endpoint.udp_socket import Address, kernel_drops, open_listener, open_sender, resolve
from dorosim.ground.error import InputError
from dorosim.wire.codec import Codec
from dorosim.wire.error import WireError
from dorosim.wire.message import Wire
from dorosim.world.command.actor import Source
from dorosim.world.command.catalogue import Command
from dorosim.world.command.inbox import Awaited
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
"""Seconds that reading may delay a tick, since some datagrams take long.
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
        egos: how many ego vehicles the run begins with; addresses of those that come later are opened when they come.
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
        egos: int = 1,
    ) -> None:
        self.network = network
        self.notices: list[str] = []
        self._receiver = receiver
        self._journal = journal
        self._tick = publisher.tick
        self._told = -1  # number of the last tick
        self._given = dict(sockets or {})
        self._sockets: dict[Address, socket.socket] = {}
        self._listening: dict[socket.socket, tuple[Address, int]] = {}
        self._outlets: list[_Outlet] = []
        self._egos, self._publisher = 0, publisher
        self._buffer = bytearray(LARGEST)
        self._ear, self._bell = socket.socketpair()
        self._ear.setblocking(False)
        self._bell.setblocking(False)
        self._heard: dict[Codec, Wire] = {}
        self._changing = threading.Lock()
        self._next: UdpEndpoint | None = None
        self._gone, self._begun = 0, False
        self._now: Snapshot | None = None
        self._late = LateAnswers(self._last, journal, self.wake)
        self._names = {codec: f"received {codec.message.__name__}" for codec in receiver.codecs}
        try:
            self._open(egos)
        except InputError:
            self.close(keep=self._given.values())
            raise
        self._dropped = {sock: kernel_drops(sock) for sock in self._given.values()}

    def _open(self, egos: int) -> None:
        """Open the addresses of so many ego vehicles; those that are open stay.

        Raises:
            InputError: an address of the first one cannot be bound; further ones are told of in `notices`.
        """
        ways = self.network.of_egos(egos)
        self._egos = egos
        self.notices += [notice for notice in ways.notices if notice not in self.notices]
        for address, ego in ways.listen.items():
            if address not in self._sockets or self._sockets[address] not in self._listening:
                try:
                    sock = self._given.get(address) or open_listener(address)
                except InputError as error:
                    if ego == 1:
                        raise
                    self.notices.append(f"ego {ego}: {address} is not listened to: {error.problem}")
                    continue
                self._sockets[address] = sock
                self._listening[sock] = (address, ego)
        before = {outlet.publication: outlet for outlet in self._outlets}
        kept = {one.source for one in ways.publications} | set(ways.listen)
        for outlet in self._outlets:
            source = outlet.publication.source
            if source.port and source not in kept and source in self._sockets:
                self._sockets.pop(source).close()
        self._outlets = [before.get(one) or self._outlet(one) for one in ways.publications]

    def _outlet(self, publication: Publication) -> _Outlet:
        publisher, source = self._publisher, publication.source
        sock = self._sockets.get(source) or self._given.get(source)
        if sock is not None:
            self._sockets[source] = sock
        else:
            sock, notice = open_sender(source)
            self._sockets[source] = sock
            if notice:
                self.notices.append(f"{publication.name}: {notice}")
        destination = resolve(publication.destination)
        period = round(1e9 / publication.rate_hz)
        if period < publisher.tick:
            told = f"{publication.rate_hz:g} Hz is more than one a tick: sent at {1e9 / publisher.tick:g} Hz"
            self.notices.append(f"{publication.name}: {told}; a shorter tick (tick_ms) allows more")
        return _Outlet(publication, sock, destination, period, publisher.builder(publication.message, publication.ego))

    def _welcome(self, egos: int) -> None:
        """Open the addresses of ego vehicles that have come, and tell users what is not as it should be."""
        known = len(self.notices)
        try:
            self._open(egos)
        except InputError as error:
            self.notices.append(str(error))
        for notice in self.notices[known:]:
            self._journal.report("udp", notice)

    def change(self, network: UdpNetwork) -> list[str]:
        """Go over to other addresses: from the next wait on those count, and the ones before are left.

        Sockets of addresses that are in both stay open, and lose nothing. Safe from another thread.

        Returns:
            What a user should know about the sockets, one line each.

        Raises:
            InputError: an address cannot be used; then nothing changes.
        """
        with self._changing:
            before = self._next
            open_now = {**self._sockets, **(before.sockets if before else {})}
            open_now = {address: sock for address, sock in open_now.items() if sock.fileno() >= 0}
            self._next = UdpEndpoint(network, self._receiver, self._publisher, self._journal, open_now, self._egos)
            if before is not None:
                before.close((*self._sockets.values(), *self._next.sockets.values()))
            return list(self._next.notices)

    def _begin(self) -> None:
        """Open anew what the run before has closed since it lent its sockets, for addresses of its own."""
        self._begun = True
        closed = [address for address, sock in self._sockets.items() if sock.fileno() < 0]
        if not closed:
            return
        try:
            self.change(self.network)
        except InputError as error:
            self._journal.report("receive error", str(error))
            self._listening = {sock: at for sock, at in self._listening.items() if at[0] not in closed}

    def _go_over(self, after: UdpEndpoint, put: Callable[[Source, Command | Awaited], None], now: Snapshot) -> None:
        """Take the sockets that `change` has made ready; what came at those before is read first."""
        end = time.monotonic() + LATENESS
        for sock, at in self._listening.items():
            if sock.fileno() >= 0 and sock not in after.sockets.values():
                for _ in range(OVERTIME // BURST):
                    if not self._drain(sock, at, put, now, end):
                        break
        with self._changing:
            after, self._next = self._next or after, None  # one of them may have asked for others
            kept = set(after.sockets.values())
            gone = [sock for sock in self._listening if sock not in kept]
            self._gone += sum(kernel_drops(sock) - self._dropped.get(sock, 0) for sock in gone)
            left, sent = self._sockets, self.sent
            for outlet in after._outlets:
                outlet.sent = sent.pop(outlet.publication.name, 0)
            self.network, self.notices, self._sockets = after.network, after.notices, after._sockets
            self._outlets, self._listening = after._outlets, after._listening
            self._egos, self._given = after._egos, {}
            self._dropped |= after._dropped
            after.close(kept)
            for sock in left.values():
                if sock not in kept:
                    sock.close()

    def wait(self, seconds: float, put: Callable[[Source, Command | Awaited], None], now: Snapshot) -> bool:
        """Read datagrams for a time; with 0, those that are there.

        Args:
            seconds: how long.
            put: where commands go.
            now: the last snapshot, which gives the ego vehicle's limits.

        Returns:
            Whether `wake` ended it before the time was over.
        """
        self._now = now
        if not self._begun:
            self._begin()
        if self._next is not None:
            self._go_over(self._next, put, now)
        until = time.monotonic() + seconds
        end, overtime = until + LATENESS, OVERTIME
        listening = self._listening
        while True:
            left = until - time.monotonic()
            ready, _, _ = select.select((*listening, self._ear), (), (), max(left, 0.0))
            if self._ear in ready:
                self._hear()
                if left > 0.0:
                    return True
                ready.remove(self._ear)  # who steps the run rings, and what he sent before is read before the tick
            if ready and left > GATHER:
                time.sleep(GATHER)
            for sock in ready:
                count = self._drain(sock, listening[sock], put, now, end)
                overtime -= count if left <= 0 else 0
            if left <= 0 and (not ready or overtime <= 0):
                return False
            if ready and time.monotonic() >= end:
                return False

    def _last(self) -> Snapshot:
        """The last snapshot; there is one as soon as anything has been read."""
        assert self._now is not None
        return self._now

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
        self,
        sock: socket.socket,
        at: tuple[Address, int],
        put: Callable[[Source, Command | Awaited], None],
        now: Snapshot,
        end: float,
    ) -> int:
        """Read what one socket holds, up to a burst, and nothing more after `end`; returns how many datagrams.

        Args:
            sock: the socket.
            at: its address, and the number of the ego vehicle that messages mean there.
            put: where commands go.
            now: the last snapshot.
            end: of the time for it.
        """
        address, ego = at
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
                for answer in self._receiver.commands(message, now, ego):
                    if isinstance(answer, Refusal):
                        self._journal.report(answer.kind, f"{address}: {answer.reason}")
                    elif isinstance(answer, Notice):
                        self._journal.report(answer.kind, f"{address}: {answer.text}", answer.lines)
                    elif isinstance(answer, Later):
                        awaited = self._late.take(answer, str(address))
                        if awaited is not None:
                            put(Source.PEER, awaited)
                    else:
                        put(Source.PEER, answer)
            except WireError as error:
                self._journal.report(f"bad {error.fault}", f"{address}: {error}")
        return BURST

    def publish(self, now: Snapshot) -> None:
        """Send what is due at a snapshot's time; while simulated time stands, at the same rate."""
        if len(now.egos) > self._egos:
            self._welcome(len(now.egos))
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
                if not outlet.data:
                    continue
            except WireError as error:
                self._journal.report("send error", f"{outlet.publication.name} to {outlet.to}: {error}")
            else:
                self._send(outlet)

    def stand(self, _: Snapshot, waited: float, long: bool) -> None:
        """While nobody steps, send again what was sent last, at the same rate; see `dorosim.endpoint.loop.Stander`."""
        for outlet in self._outlets if long else ():
            turn = int(waited * 1e9) // outlet.period
            if outlet.data and turn != outlet.stood:
                outlet.stood = turn
                self._send(outlet)

    def _send(self, outlet: _Outlet) -> None:
        try:
            outlet.sock.sendto(outlet.data, outlet.to)
            outlet.sent += 1
        except OSError as error:
            self._journal.report("send error", f"{outlet.publication.name} to {outlet.to}: {error}")

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
    def listening(self) -> Mapping[Address, int]:
        """Addresses that are listened to, and the number of the ego vehicle that messages mean at each."""
        return dict(self._listening.values())

    @property
    def publications(self) -> tuple[Publication, ...]:
        """What is sent."""
        return tuple(outlet.publication for outlet in self._outlets)

    @property
    def drops(self) -> int:
        """Datagrams that the kernel dropped at all listening sockets."""
        gone = sum(kernel_drops(sock) - self._dropped.get(sock, 0) for sock in tuple(self._listening))
        return self._gone + gone

    @property
    def sent(self) -> dict[str, int]:
        """Datagrams sent, by message."""
        return {outlet.publication.name: outlet.sent for outlet in self._outlets}

    @property
    def last_sent(self) -> dict[str, bytes]:
        """The last datagram of each message that has been sent, by its name. Safe from any thread."""
        return {outlet.publication.name: outlet.data for outlet in self._outlets if outlet.data}

    @property
    def last_received(self) -> dict[str, tuple[Codec, Wire]]:
        """The last message of each kind that has been received, by its name. Safe from any thread."""
        return {codec.message.__name__: (codec, message) for codec, message in tuple(self._heard.items())}

    def close(self, keep: Collection[socket.socket] = ()) -> None:
        """Close all sockets but some, which the next run goes on with."""
        self._late.close()
        self._ear.close()
        self._bell.close()
        if self._next is not None:
            self._next.close((*keep, *self._sockets.values()))
        for sock in self._sockets.values():
            if sock not in keep:
                sock.close()
