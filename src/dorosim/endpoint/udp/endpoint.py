"""The UDP endpoint: datagrams to commands, snapshots to datagrams.

The loop's own thread reads the sockets while it waits for the next tick, so a flood of datagrams never competes with
the step for the interpreter lock, and a datagram that arrives before a tick applies in that tick.
"""

from __future__ import annotations

import math
import select
import socket
import threading
import time
from collections.abc import Collection, Mapping

from dorosim.bridge.multi_ego import addressed_egos
from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.receive import Receiver
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.udp.deferred_work import DeferredWork
from dorosim.endpoint.udp.held import Place
from dorosim.endpoint.udp.intake import MAX_BURST, MAX_DATAGRAM, Intake, Put
from dorosim.endpoint.udp.network import Publication, UdpNetwork
from dorosim.endpoint.udp.quiet_poll import QuietPoll
from dorosim.endpoint.udp.socket import Address
from dorosim.endpoint.udp.socket_reader import SocketReaders
from dorosim.endpoint.udp.sockets import UdpSockets, count_waiting
from dorosim.endpoint.udp.status_sender import StatusSender
from dorosim.endpoint.wake_socket import WakeSocket
from dorosim.ground.error import InputError
from dorosim.wire.codec import Codec
from dorosim.wire.message import Wire
from dorosim.world.ordinary.kept import kept_frame
from dorosim.world.snapshot import Snapshot

GATHER_S = 0.001
"""Most seconds for which datagrams gather after the first one, while the tick is not due: a flood costs half as much
so."""
MAX_OVERDUE = 2_000
"""Most datagrams that are still taken when the tick is due: a flood delays a tick by a bounded time."""
MAX_AT_STEP = 50_000
"""Most datagrams that are read before a step: more than the buffers of all sockets hold. So all that was sent before
the step is read, and a client that goes on sending does not delay the step for ever."""
MAX_LATE_SHARE = 0.25
"""Share of a tick by which taking and reading datagrams may delay it. Each socket that holds some is read once in any
case, and so is one datagram that waits, so no sender blocks the others."""
MAX_AT_ONCE = 8192
"""Most bytes of datagrams that are read in a tick as they come: 148 control commands, or 8 of NPC ghost mode, which
take as long. More are a flood: they wait, and only the newest about each thing is read when the tick is due."""
CHANGE_TIMEOUT_S, END_COUNT_TIMEOUT_S = 0.1, 0.5
"""Most seconds in which datagrams are taken from old sockets when addresses change, and counted at a run's end."""

MIN_GATHER_S, GATHER_COUNT = 0.0001, 100
"""Seconds for which datagrams gather at first where the system grants only small buffers, longer the fewer come: at
most so many at their rate, since such a buffer holds some hundreds."""


class UdpEndpoint:
    """All UDP sockets of a run.

    Args:
        network: addresses.
        receiver, publisher: the pure translation between messages and the world.
        journal: where datagrams are counted and bad ones reported.
        sockets: those that are open already, by address: of the run before, which `close(keep=...)` leaves open.
        egos: how many ego vehicles the run begins with; addresses of those that come later are opened when they come.
        at_once: bytes of datagrams that are read in a tick as they come.

    Attributes:
        readers: of other interfaces' sockets. settled: whether all that came before what one has just read is read.

    Raises:
        InputError: an address cannot be bound.
    """

    def __init__(
        self,
        network: UdpNetwork,
        receiver: Receiver,
        publisher: Publisher,
        journal: Journal,
        sockets: Mapping[Address, socket.socket] | None = None,
        egos: int = 1,
        at_once: int = MAX_AT_ONCE,
    ) -> None:
        self.readers, self.settled = SocketReaders(), False
        self._receiver = receiver
        self._publisher = publisher
        self._journal = journal
        self._tick, self._status = publisher.tick, StatusSender(publisher, journal)
        self._present = UdpSockets(network, publisher, sockets, egos)
        self._next: UdpSockets | None = None
        self._changing = threading.Lock()
        self._past_drops, self._begun = 0, False
        self._buffer = bytearray(MAX_DATAGRAM)
        self._gather, self._quiet = MIN_GATHER_S, QuietPoll()
        self._waker = WakeSocket()
        self._now: Snapshot | None = None
        self._frame: object = None
        self._deferred = DeferredWork(self._last_snapshot, journal, self.wake)
        self._intake = Intake(receiver, journal, at_once, self._deferred.take)

    def change(self, network: UdpNetwork) -> list[str]:
        """Change to other addresses: from the next wait on these are used, and the old ones no longer.

        Sockets of addresses that are in both stay open, and lose nothing. Safe from another thread.

        Returns:
            What a user should know about the sockets, one line each.

        Raises:
            InputError: an address cannot be used; then nothing changes.
        """
        with self._changing:
            present, before = self._present, self._next
            known = {**present.open, **(before.open if before else {})}
            known = {address: sock for address, sock in known.items() if sock.fileno() >= 0}
            self._next = UdpSockets(network, self._publisher, known, present.egos)
            if before is not None:
                before.close((*present.open.values(), *self._next.open.values()))
            return list(self._next.notices)

    def _reopen_closed(self) -> None:
        """Reopen, for addresses of this run, sockets that the run before had handed over and has closed since."""
        self._begun = True
        present = self._present
        closed = present.closed
        if not closed:
            return
        try:
            self.change(present.network)
        except InputError as error:
            self._journal.report("receive error", str(error))
            present.listening = {sock: at for sock, at in present.listening.items() if at[0] not in closed}

    def _switch_sockets(self, after: UdpSockets, put: Put, now: Snapshot) -> None:
        """Use the sockets that `change` has opened; datagrams that came to the old ones are read first."""
        end, before = time.monotonic() + CHANGE_TIMEOUT_S, self._present
        self._status.settle()
        for sock, at in before.listening.items():
            if sock.fileno() >= 0 and sock not in after.open.values():
                for _ in range(MAX_OVERDUE // MAX_BURST):
                    if not self._drain(sock, at, put, now, end):
                        break
        with self._changing:
            after, self._next = self._next or after, None  # another thread may have asked for others meanwhile
            self._past_drops += before.drops
            after.succeed(before)
            self._present = after

    def _open_egos(self, egos: int) -> None:
        """Open the addresses of ego vehicles that have been added, and report the problems with them to the user."""
        present = self._present
        known = len(present.notices)
        try:
            present.open_for(egos)
        except InputError as error:
            present.notices.append(str(error))
        for notice in present.notices[known:]:
            self._journal.report("udp", notice)

    def wait(self, seconds: float, put: Put, now: Snapshot, *, whole: bool = False) -> bool:
        """Read datagrams for a time; with 0, those that are there.

        Args:
            seconds: how long.
            put: where commands go.
            now: the last snapshot, which gives the ego vehicle's limits.
            whole: read all that are there, whatever it takes, up to `MAX_AT_STEP`; else a tick is delayed by
                `MAX_LATE_SHARE` at most.

        Returns:
            Whether `wake` ended it before the time was over.
        """
        self._now, self.settled = now, False
        if not self._begun:
            self._reopen_closed()
        if self._next is not None:
            self._switch_sockets(self._next, put, now)
        until = time.monotonic() + seconds
        waits = self._intake.held or self._intake.left
        if seconds <= 0.0 and not waits and self._quiet.is_quiet(self._present.listening, self._waker.receiver):
            return False
        quick = seconds > 0.0 and self.readers and not waits
        if quick and (found := self.readers.wait(seconds, self._present.listening, self._waker.receiver)):
            self.settled = True
            for read in found:
                read()
            return True
        end = math.inf if whole else until + MAX_LATE_SHARE * self._tick * 1e-9
        self._intake.begin()
        self._gather = GATHER_S if self._present.roomy else MIN_GATHER_S
        try:
            return self._take_until(until, end, put, now, MAX_AT_STEP if whole else MAX_OVERDUE)
        finally:
            self._read_held(end, put, now)

    def _take_until(self, until: float, end: float, put: Put, now: Snapshot, overtime: int) -> bool:
        """Take datagrams until a moment, and those that are there then, but none after `end`; returns as `wait`."""
        listening = self._present.listening
        while True:
            left = until - time.monotonic()
            others = self.readers.sockets if left > 0.0 else ()
            timeout = 0.0 if self._intake.left else max(left, 0.0)
            ready, _, _ = select.select((*listening, self._waker.receiver, *others), (), (), timeout)
            if others and self.readers.read(ready, others):
                self.settled = not ready
                return True
            if self._waker.receiver in ready:
                self._waker.clear()
                if left > 0.0:
                    return True
                # a client that steps wakes the loop: what it sent before is read before the tick
                ready.remove(self._waker.receiver)
            if ready and left > self._gather:
                time.sleep(self._gather)
            if self._intake.left:
                ready += [sock for sock in self._intake.left if sock in listening and sock not in ready]
            counts = [self._drain(sock, listening[sock], put, now, end) for sock in ready]
            self._gather_more(max(counts, default=0))
            overtime -= sum(counts) if left <= 0.0 else 0
            # what comes while those are taken that were there when the tick was due belongs to the next one
            if left <= 0.0 and (overtime <= 0 or max(counts, default=0) < MAX_BURST):
                return False
            if ready and time.monotonic() >= end:
                return False

    def _gather_more(self, count: int) -> None:
        """Let datagrams gather for longer where few have come, and for less where many have, if buffers are small."""
        if self._present.roomy:
            return
        if 2 * count <= GATHER_COUNT:
            self._gather = min(2.0 * self._gather, GATHER_S)
        elif count > GATHER_COUNT:
            self._gather *= 0.5

    def watched(self) -> tuple[socket.socket, ...] | None:
        """All sockets that `wait` looks at; None where it has to be called, since something waits that has been taken.

        They are the same as long as `watch_number` is.
        """
        if self._next is not None or self._intake.held or self._intake.left:
            return None
        return (*self.readers.sockets, *self._present.listening, self._waker.receiver)

    @property
    def watch_number(self) -> tuple[int, object, int, object]:
        """Equals what it was as long as `watched` is the same."""
        listening = self._present.listening
        return self.readers.changes, listening, len(listening), self._next

    def _last_snapshot(self) -> Snapshot:
        """The last snapshot; there is one once a datagram has been read."""
        assert self._now is not None
        return self._now

    def wake(self) -> None:
        """End a wait early; what has been sent by then is read in the next. Safe from another thread."""
        self._waker.wake()

    def _drain(self, sock: socket.socket, at: Place, put: Put, now: Snapshot, end: float) -> int:
        """Take datagrams of one socket; see `Intake.drain`."""
        return self._intake.drain(sock, at, put, now, end)

    def _read_held(self, end: float, put: Put, now: Snapshot) -> None:
        """Read datagrams that wait; see `Intake.read_held`."""
        self._intake.read_held(end, put, now)

    def publish(self, now: Snapshot) -> None:
        """Send what is due at a snapshot's time; while simulated time stands, at the same rate."""
        self.settled = False
        frame = kept_frame(now)
        if frame is None or frame is not self._frame:
            self._frame = frame
            if len(now.egos) > self._present.egos and (egos := addressed_egos(now)) > self._present.egos:
                self._open_egos(egos)
        if senders := self._present.senders:
            self._status.publish(now, senders)

    def stand(self, _: Snapshot, waited: float) -> None:
        """While no client steps, send the last datagrams again, as often (`endpoint.loop.loop.StandstillObserver`)."""
        self._status.stand(waited, self._present.senders)

    def unread(self, keep: Collection[socket.socket] = ()) -> int:
        """How many datagrams came and were not read: newer ones replaced them, or the run ends before.

        It empties all listening sockets except some. A flood must not keep a run from ending.
        """
        counted = [sock for sock in self._present.listening if sock not in keep]
        return self._intake.forget() + count_waiting(counted, self._buffer, END_COUNT_TIMEOUT_S)

    @property
    def network(self) -> UdpNetwork:
        """The addresses in use."""
        return self._present.network

    @property
    def notices(self) -> list[str]:
        """What a user should know about the sockets, one line each."""
        return self._present.notices

    @property
    def sockets(self) -> Mapping[Address, socket.socket]:
        """The open sockets, by address."""
        return self._present.open

    @property
    def listening(self) -> Mapping[Address, int]:
        """Addresses that are listened to, and the number of the ego vehicle that messages mean at each."""
        return dict(self._present.listening.values())

    @property
    def publications(self) -> tuple[Publication, ...]:
        """The messages that are sent regularly."""
        return tuple(sender.publication for sender in self._present.senders)

    @property
    def drops(self) -> int:
        """Datagrams that the kernel dropped at all listening sockets."""
        return self._past_drops + self._present.drops

    @property
    def sent(self) -> dict[str, int]:
        """Datagrams sent, by message."""
        senders = self._present.senders
        return {one.publication.name: sent for one, sent in zip(senders, self._status.sent(senders), strict=True)}

    @property
    def ego_statuses(self) -> int:
        """How many statuses of the ego vehicle were sent."""
        return self.sent.get("EgoVehicleStatus", 0)

    @property
    def last_sent(self) -> dict[str, bytes]:
        """The last datagram of each message that has been sent, by its name. Safe from any thread."""
        senders = self._present.senders
        made = zip(senders, self._status.last(senders), strict=True)
        return {sender.publication.name: data for sender, data in made if data}

    @property
    def last_received(self) -> dict[str, tuple[Codec, Wire]]:
        """The last message of each kind that has been received, by its name. Safe from any thread."""
        return {
            codec.message.__name__: (codec, message) for codec, message in tuple(self._intake.last_messages.items())
        }

    def close(self, keep: Collection[socket.socket] = ()) -> None:
        """Close all sockets except some that the next run uses."""
        self._deferred.close()
        self._waker.close()
        if self._next is not None:
            self._next.close((*keep, *self._present.open.values()))
        self._present.close(keep)
