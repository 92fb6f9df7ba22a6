"""Sends the status messages that are due: all of a snapshot by one call of the system, where that can be had."""

from __future__ import annotations

import os
import socket
import struct
import sys
from collections.abc import Sequence

import numpy as np

from dorosim.bridge.surroundings import MAX_LANE_DISTANCE
from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.status_batch import StatusBatch
from dorosim.bridge.udp.status_kernel import WRITE_STATUSES
from dorosim.bridge.udp.status_plan import StatusPlan
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.udp.send_kernel import (
    SEND_ADDRESS,
    SEND_DATAGRAMS,
    SEND_ERROR,
    SEND_LENGTH,
    SEND_SOCKET,
    SEND_START,
    send_datagrams,
)
from dorosim.endpoint.udp.sockets import PublicationSender
from dorosim.endpoint.udp.status_call_kernel import SEND_STATUSES, UNSENT, StatusWord, send_statuses
from dorosim.endpoint.udp.system_call import system_functions
from dorosim.ground.column import IntArray, read_only
from dorosim.wire.error import WireError
from dorosim.world.block import InBlock, getter_of
from dorosim.world.ordinary.kept import has_contacts
from dorosim.world.ordinary.tick import LOOK_AGAIN
from dorosim.world.snapshot import Snapshot

_ADDRESS_BYTES = 16
_block_of, _frame_of = getter_of(InBlock, "block"), getter_of(InBlock, "frame")


class StatusSender:
    """Makes and sends status messages, each when it is due.

    Args:
        publisher: makes them.
        journal: where errors of single datagrams are counted; they keep no other from being sent.
    """

    def __init__(self, publisher: Publisher, journal: Journal) -> None:
        self._publisher, self._journal = publisher, journal
        self._tick, self._last_tick = publisher.tick, -1
        self._senders: Sequence[PublicationSender] = ()
        self._periods: tuple[int, ...] = ()
        self._all: list[int] = []
        self._batch: StatusBatch | None = None
        self._call: SendCall | None = None
        self._looked = -LOOK_AGAIN
        self._turn: tuple[int, int] | None = None
        self._made: bytes | None = None
        self._rounds = 0

    def publish(self, now: Snapshot, senders: Sequence[PublicationSender]) -> None:
        """Send what is due at a snapshot's time; while simulated time stands, at the same rate.

        Args:
            now: the snapshot.
            senders: of all status messages; another list where the addresses are others.
        """
        if senders is not self._senders:
            self._begin(senders)
        tick, time = now.tick, now.time
        stood = tick * self._tick - time
        if self._turn is not None and tick > self._last_tick and self._send_as_before(now, time, stood):
            self._last_tick = tick
            return
        if tick < self._last_tick:  # the run began again: what is due is counted anew, as in any other run
            self.settle()
            for sender in senders:
                sender.last = (-1, -1)
        self._last_tick = tick
        due = self._due(time, stood)
        if due and not self._send_together(now, due):
            self.settle()
            self._send_each(now, [senders[number] for number in due])

    def stand(self, waited: float, senders: Sequence[PublicationSender]) -> None:
        """While no client steps, send the last datagrams again, as often.

        Args:
            waited: for how long time has stood [s].
            senders: as of `publish`.
        """
        self.settle()
        for sender in senders:
            turn = int(waited * 1e9) // sender.period
            if turn != sender.stood:
                sender.stood = turn
                self._send(sender)

    def settle(self) -> None:
        """Let each sender know what has been sent: where all are due together, only their number is counted.

        For the loop's own thread.
        """
        if self._turn is not None:
            for sender in self._senders:
                sender.last = self._turn
            self._turn = None
        made, rounds = self._made, self._rounds
        if made is not None and self._batch is not None:
            for sender, (start, end) in zip(self._senders, self._batch.places, strict=True):
                sender.data = made[start:end]
                sender.sent += rounds
        self._made, self._rounds = None, 0

    def sent(self, senders: Sequence[PublicationSender]) -> list[int]:
        """How many datagrams of each have been sent. Safe from any thread."""
        rounds = self._rounds if senders is self._senders else 0
        return [sender.sent + rounds for sender in senders]

    def last(self, senders: Sequence[PublicationSender]) -> list[bytes]:
        """The last datagram of each; empty where there is none. Safe from any thread."""
        made, batch = self._made, self._batch
        if senders is not self._senders or made is None or batch is None:
            return [sender.data for sender in senders]
        return [made[start:end] for start, end in batch.places]

    def _due(self, time: int, stood: int) -> list[int]:
        """Numbers of the senders whose messages are due; each is due once in its period."""
        if self._turn is not None:  # all have one period, and were sent together last time
            period = self._periods[0]
            turn = time // period, stood // period
            if turn == self._turn:
                return []
            self._turn = turn
            return self._all
        turns = {period: (time // period, stood // period) for period in self._periods}
        due = []
        for number, sender in enumerate(self._senders):
            turn = turns[sender.period]
            if turn != sender.last:
                sender.last = turn
                due.append(number)
        if len(self._periods) == 1:
            self._turn = turns[self._periods[0]]
        return due

    def _send_as_before(self, now: Snapshot, time: int, stood: int) -> bool:
        """Send all messages together, by one call, as those before were; False where they are not due, or not as usual.

        Then nothing has changed but what `out` holds.
        """
        call, batch, period = self._call, self._batch, self._periods[0]
        turn = time // period, stood // period
        if call is None or batch is None or turn == self._turn:
            return False
        failed = call.send_all(now, self._publisher.epoch)
        if failed is None:
            return False
        self._turn, made = turn, batch.out.tobytes()
        if failed:
            self._note(made, self._all, failed)
        else:
            self._made = made
            self._rounds += 1
        return True

    def _begin(self, senders: Sequence[PublicationSender]) -> None:
        """Get ready for another list of messages."""
        self.settle()
        self._senders, self._all = senders, list(range(len(senders)))
        self._periods = tuple({sender.period for sender in senders})
        self._batch = self._publisher.batch([(one.publication.message, one.publication.ego) for one in senders])
        self._call, self._looked = None, -LOOK_AGAIN

    def _send_together(self, now: Snapshot, due: list[int]) -> bool:
        """Make and send the messages of some senders, by their numbers; False if they have to be made one by one."""
        batch = self._batch
        try:
            if batch is None or not batch.make(now, self._publisher.epoch):
                return False
        except WireError:
            return False  # the one that cannot be made shall not keep the others from being sent
        made, call = batch.out.tobytes(), self._call or self._find_call(now.tick)
        self._note(made, due, None if call is None else call.send(due))
        return True

    def _note(self, made: bytes, due: list[int], failed: dict[int, int] | None) -> None:
        """Note what has been sent of some messages that have been made together; send them if they have not been.

        Args:
            made: all datagrams, one after another.
            due: numbers of the senders.
            failed: the error of each that could not be sent, by its number; None: none has been sent yet.
        """
        batch = self._batch
        assert batch is not None
        if due is self._all and failed is not None and not failed:
            self._made = made
            self._rounds += 1
            return
        turn = self._turn
        self.settle()
        self._turn = turn
        for number in due:
            sender, (start, end) = self._senders[number], batch.places[number]
            sender.data = made[start:end]
            if failed is None:
                self._send(sender)
            elif (error := failed.get(number)) is not None:
                self._report(sender, OSError(error, os.strerror(error)))
            else:
                sender.sent += 1

    def _send_each(self, now: Snapshot, due: list[PublicationSender]) -> None:
        for sender in due:
            try:
                sender.data = sender.build(now)
                self._send(sender)
            except WireError as error:
                self._report(sender, error)

    def _send(self, sender: PublicationSender) -> None:
        """Send the datagram that was made last; nothing if it is empty."""
        if not sender.data:
            return
        try:
            sender.sock.sendto(sender.data, sender.to)
            sender.sent += 1
        except OSError as error:
            self._report(sender, error)

    def _report(self, sender: PublicationSender, error: Exception) -> None:
        self._journal.report("send error", f"{sender.publication.name} to {sender.to}: {error}")

    def _find_call(self, tick: int) -> SendCall | None:
        """The call that sends all datagrams; None where there is none, or its kernel has not been compiled."""
        if 0 <= tick - self._looked < LOOK_AGAIN:
            return None
        self._looked = tick
        if self._batch is not None and SEND_DATAGRAMS.is_there() and (found := system_functions("sendto")) is not None:
            self._call = SendCall(self._senders, self._batch, found)
        return self._call


class SendCall:
    """Sends datagrams of a batch by one call of compiled code.

    Args:
        senders: of the datagrams.
        batch: which makes them, in the same order.
        functions: addresses of `sendto`, and of the function that says where `errno` is.
    """

    def __init__(self, senders: Sequence[PublicationSender], batch: StatusBatch, functions: tuple[int, int]) -> None:
        self._functions = functions
        self._addresses = np.frombuffer(b"".join(socket_address(*one.to) for one in senders), np.uint8)
        self._kept = batch.out  # read by its address
        self._rows: IntArray = np.zeros((len(senders), SEND_ERROR + 1), np.int64)
        for number, (start, end) in enumerate(batch.places):
            row = self._rows[number]
            row[SEND_START], row[SEND_LENGTH] = batch.out.ctypes.data + start, end - start
            row[SEND_ADDRESS] = self._addresses.ctypes.data + number * _ADDRESS_BYTES
            row[SEND_ADDRESS + 1] = _ADDRESS_BYTES
        self._number_of = [sender.sock.fileno for sender in senders]
        self._numbers: list[int] = []
        self._batch = batch
        self._plan: StatusPlan | None = None
        self._words: IntArray = np.zeros(len(StatusWord), np.int64)
        self._call = read_only(self._words)  # as the kernel is compiled for

    def send(self, due: list[int]) -> dict[int, int]:
        """Send the datagrams of some senders, by their numbers.

        Returns:
            The error of each that could not be sent, by the number of its sender.
        """
        self._find_sockets()
        rows = self._rows if len(due) == len(self._rows) else self._rows[due]
        if not send_datagrams(rows, *self._functions):
            return {}
        errors = zip(due, rows[:, SEND_ERROR].tolist(), strict=True)
        return {number: error for number, error in errors if error}

    def send_all(self, now: Snapshot, epoch: int) -> dict[int, int] | None:
        """Write all datagrams anew and send them, by one call, if they are written as those before.

        Args:
            now: the snapshot.
            epoch: wall time of simulated time 0 [ns since 1970].

        Returns:
            As `send`; None where the batch has to make them.
        """
        try:
            block, plan = _block_of(now), self._batch.plan_of(_frame_of(now))
        except AttributeError:
            return None
        if plan is None or has_contacts(block) or (plan is not self._plan and not self._take_plan(plan)):
            return None
        self._find_sockets()
        failed = send_statuses(block, self._call, self._kept, epoch + now.time, MAX_LANE_DISTANCE)
        if not failed:
            return {}
        if failed == UNSENT:
            return None
        return {number: error for number, error in enumerate(self._rows[:, SEND_ERROR].tolist()) if error}

    def _take_plan(self, plan: StatusPlan) -> bool:
        """Note where a plan is; returns whether there are kernels."""
        if not SEND_STATUSES.is_there():
            return False
        call, (send_to, errno_place) = self._words, self._functions
        for word, value in (
            (StatusWord.WRITE, WRITE_STATUSES.address()),
            (StatusWord.PLAN, plan.words.ctypes.data),
            (StatusWord.PLAN_WORDS, len(plan.words)),
            (StatusWord.SCALE, plan.scale.ctypes.data),
            (StatusWord.SCALE_COUNT, len(plan.scale)),
            (StatusWord.ROWS, self._rows.ctypes.data),
            (StatusWord.ROW_COUNT, len(self._rows)),
            (StatusWord.SEND_TO, send_to),
            (StatusWord.ERRNO_PLACE, errno_place),
        ):
            call[word] = value
        self._plan = plan
        return True

    def _find_sockets(self) -> None:
        """Note the sockets: one may have been closed meanwhile, and its number may be that of another one by now."""
        numbers = [number_of() for number_of in self._number_of]
        if numbers != self._numbers:
            self._rows[:, SEND_SOCKET], self._numbers = numbers, numbers


def socket_address(host: str, port: int) -> bytes:
    """A `sockaddr_in`, as the system lays it out.

    Args:
        host: IPv4 address, in numbers.
        port: of it.
    """
    head = struct.pack("=BB", _ADDRESS_BYTES, socket.AF_INET) if sys.platform == "darwin" else struct.pack("=H", 2)
    return head + struct.pack("!H4s8x", port, socket.inet_aton(host))
