"""Takes datagrams from sockets and reads them: control commands that come together at once, all others one by one."""

from __future__ import annotations

import socket
import time
from collections import deque
from collections.abc import Callable
from functools import partial

from dorosim.bridge.answer import Later, Notice, Refusal, dispatch
from dorosim.bridge.udp.receive import Receiver
from dorosim.bridge.udp.target import target_of
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.udp.datagram_batch import DatagramBatch
from dorosim.endpoint.udp.held import HeldDatagrams, Peer, Place
from dorosim.endpoint.udp.socket import Address
from dorosim.wire.codec import Codec
from dorosim.wire.error import WireError
from dorosim.wire.message import Wire
from dorosim.wire.run import RunReader
from dorosim.wire.udp.datagram import Buffer
from dorosim.world.command import Command, Source
from dorosim.world.inbox import Awaited, put_run
from dorosim.world.snapshot import Snapshot

MAX_DATAGRAM = 65_536
"""More than the payload of any UDP datagram, so none is cut unseen."""
MAX_BURST = 512
"""Most datagrams that are read from one socket before the others are read."""
MIN_RUN = 4
"""Control commands one after another that are read together."""
ALONE_AFTER = 8
"""Datagrams that are read alone, after one that does not begin such a run, before one is looked for again."""
BATCH = 256
"""Most datagrams that are taken from a socket in one call."""

Put = Callable[[Source, Command | Awaited], None]


class Intake:
    """What takes the datagrams of a run's sockets.

    Args:
        receiver: gives the meaning of messages.
        journal: where they are counted and bad ones reported.
        at_once: bytes of datagrams that are read in a tick as they come; more are a flood, of which the newest count.
        defer: makes answers that take long; returns the commands to come, None where there are none.

    Attributes:
        held: those that wait unread until the tick.
        left: those that there was no time for, by their sockets; they are read first.
        last_messages: the last message by each codec.
    """

    def __init__(
        self, receiver: Receiver, journal: Journal, at_once: int, defer: Callable[[Later, str], Awaited | None]
    ) -> None:
        self._receiver, self._journal, self._defer = receiver, journal, defer
        self._batch = DatagramBatch(BATCH, MAX_DATAGRAM)
        self.held = HeldDatagrams(target_of, journal)
        self.left: dict[socket.socket, deque[tuple[bytes, Peer]]] = {}
        self._at_once = self._max_at_once = at_once
        self.last_messages: dict[Codec, Wire] = {}
        self._names = {codec: f"received {codec.message.__name__}" for codec in receiver.reader.codecs}

    def begin(self) -> None:
        """Let as many bytes be read at once as in any tick."""
        self._at_once = self._max_at_once

    def forget(self) -> int:
        """Drop all that have been taken and not been read; returns how many that are since the last call."""
        left = sum(map(len, self.left.values()))
        self.left.clear()
        return left + self.held.forget()

    def drain(self, sock: socket.socket, at: Place, put: Put, now: Snapshot, end: float) -> int:
        """Take datagrams of one socket, at most `MAX_BURST`, and none after `end`; returns how many.

        Those of a flood wait, and so do all that come after them.

        Args:
            sock: the socket.
            at: its address, and the number of the ego vehicle that messages mean there.
            put: where commands go.
            now: the last snapshot.
            end: of the time for it.
        """
        batch, clock = self._batch, time.monotonic
        left = self.left.pop(sock, None)
        if left is not None and not self._read_left(sock, left, at, put, now, end):
            return 1
        taken = 0
        while taken < MAX_BURST:
            if taken and clock() >= end:
                return taken
            try:
                count = batch.receive(sock, MAX_BURST - taken)
            except OSError as error:
                self._journal.report("receive error", f"{at[0]}: {error}")
                return taken
            self._read_batch(count, sock, at, put, now, end)
            taken += count
            if count < batch.room:
                return taken
        return taken

    def _read_batch(self, count: int, sock: socket.socket, at: Place, put: Put, now: Snapshot, end: float) -> None:
        """Read the datagrams of a batch; those that there is no time for wait with their socket."""
        batch, runs, clock, number = self._batch, self._receiver.runs, time.monotonic, 0
        sizes, look = batch.sizes[:count].tolist(), 0
        while number < count:
            if number and clock() >= end:
                waiting = ((batch.datagram(one), batch.peer(one)) for one in range(number, count))
                self.left.setdefault(sock, deque()).extend(waiting)
                return
            if number >= look and sizes[number : number + MIN_RUN] == [sizes[number]] * MIN_RUN:
                reader = runs.get(sizes[number])
                if reader is not None and (done := self._read_run(reader, number, count, at, put, now)):
                    number += done
                    continue
                look = number + ALONE_AFTER
            self._read_one(batch.datagram(number), batch.peer(number), at, put, now)
            number += 1

    def _read_run(self, reader: RunReader, first: int, end: int, at: Place, put: Put, now: Snapshot) -> int:
        """Read control commands of a batch that stand one after another at once: as `_read_one` of each.

        Returns:
            How many they are; 0 where the first has to be read alone.
        """
        batch, codec, ego = self._batch, reader.codec, at[1]
        values = batch.read(reader, first, end)
        if len(values) < MIN_RUN:
            return 0
        count = 0 if self.held else min(len(values), -(-max(self._at_once, 0) // codec.size))
        if count:
            run = self._receiver.drive_run(reader, values[:count], now, ego)
            if run is None:
                return 0
            self._at_once -= count * codec.size
            self._journal.counts[self._names[codec]] += count
            self.last_messages[codec] = codec.decode(batch.datagram(first + count - 1))
            put_run(put, run)
        rest = values[count:, reader.columns["ctrl_mode"]]
        begin = first + count
        if len(rest) and (rest == rest[0]).all() and batch.is_of_one_peer(begin, begin + len(rest)):
            peer = batch.peer(begin)
            self.held.put_run(at, codec, lambda number: batch.datagram(begin + number), len(rest), peer)
            return len(values)
        for number in range(begin, begin + len(rest)):
            self.held.put(at, codec, batch.datagram(number), batch.peer(number))
        return len(values)

    def _read_one(self, data: bytes, peer: Peer, at: Place, put: Put, now: Snapshot) -> None:
        """Read a datagram, or let it wait if it is one of a flood."""
        if self._at_once > 0 and not self.held:
            self._at_once -= len(data)
        elif (codec := self._receiver.reader.codec_of(data, len(data))) is not None:
            self.held.put(at, codec, data, peer)
            return
        self._read(at, data, len(data), put, now)

    def _read_left(
        self, sock: socket.socket, left: deque[tuple[bytes, Peer]], at: Place, put: Put, now: Snapshot, end: float
    ) -> bool:
        """Read what waits with a socket, one datagram at least; False if there was no time for all."""
        while left:
            self._read_one(*left.popleft(), at, put, now)
            if left and time.monotonic() >= end:
                self.left[sock] = left
                return False
        return True

    def read_held(self, end: float, put: Put, now: Snapshot) -> None:
        """Read datagrams that wait, one at least, and none after `end`: the others wait for the next tick.

        Where one is refused, it replaces nothing, and the one before it is read.
        """
        while (about := self.held.take()) is not None:
            for one in about:
                if self._read(one.to, one.data, len(one.data), put, now) or time.monotonic() >= end:
                    break
            if time.monotonic() >= end:
                return

    def _read(self, at: Place, data: Buffer, size: int, put: Put, now: Snapshot) -> bool:
        """Read a datagram, and pass on its commands; returns whether any part of it is accepted."""
        address, ego = at
        done = False
        try:
            codec, message, clamped = self._receiver.reader.read_limited(data, size)
            self._journal.counts[self._names[codec]] += 1
            self.last_messages[codec] = message
            if clamped:
                name = type(message).__name__
                self._journal.report_seldom("clamped", [f"{name}: {field}" for field in clamped], str(address))
            answers = self._receiver.commands(message, now, ego)
            for asked in dispatch(answers, partial(self._report, address)):
                done = True
                if not isinstance(asked, Later):
                    put(Source.PEER, asked)
                elif (awaited := self._defer(asked, str(address))) is not None:
                    put(Source.PEER, awaited)
        except WireError as error:
            self._journal.report(f"bad {error.fault}", f"{address}: {error}")
        return done

    def _report(self, address: Address, answer: Refusal | Notice) -> None:
        self._journal.report_answer(str(address), answer)
