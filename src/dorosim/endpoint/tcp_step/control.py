"""Takes the datagrams that drive vehicles: pedals and wheels, without a header and without an id."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Callable, Collection

from dorosim.bridge.answer import dispatch
from dorosim.bridge.tcp_step.object import manual_commands
from dorosim.bridge.tcp_step.situation import StepSituation
from dorosim.endpoint.tcp_step.log import StepLog
from dorosim.endpoint.tcp_step.sender import actor_of
from dorosim.endpoint.tcp_step.settings import ControlInput
from dorosim.endpoint.udp.socket import open_listener
from dorosim.endpoint.wake_socket import WakeSocket
from dorosim.wire.error import WireError
from dorosim.wire.tcp_step.codec import decode
from dorosim.wire.tcp_step.request import ManualControl
from dorosim.world.command import Command
from dorosim.world.snapshot import NO_ACTOR

MAX_CONTROL_DATAGRAM = 2048
"""Bytes of a datagram that are read; a longer one is refused by its size."""
MAX_CONTROL_BURST = 256
"""Datagrams of one address that are read at a time; of a flood the newest ones count."""
RECEIVED = "received ManualControl"
"""Kind by which datagrams are counted."""


class ControlReceiver:
    """Sockets for datagrams that drive vehicles.

    Args:
        inputs: addresses and vehicles.
        log: where datagrams are counted and bad ones reported.

    Raises:
        InputError: an address cannot be used.
    """

    def __init__(self, inputs: Collection[ControlInput], log: StepLog) -> None:
        self._log = log
        self._reading = threading.Lock()
        self._serve: tuple[Callable[[str], StepSituation], Callable[[list[Command]], None]] | None = None
        self._waker = WakeSocket()
        self._closing = False
        self._sockets: dict[socket.socket, ControlInput] = {}
        self._thread: threading.Thread | None = None
        self.change(inputs)

    def change(self, inputs: Collection[ControlInput]) -> None:
        """Take datagrams at other addresses from now on; sockets of those that are in both stay open.

        Raises:
            InputError: an address cannot be used; then nothing changes.
        """
        with self._reading:
            before = {one.at: sock for sock, one in self._sockets.items()}
            opened: dict[socket.socket, ControlInput] = {}
            try:
                for one in inputs:
                    opened[before.get(one.at) or open_listener(one.at)] = one
            except Exception:
                for sock in opened.keys() - self._sockets.keys():
                    sock.close()
                raise
            after, self._sockets = self._sockets, opened
            for sock in after.keys() - opened.keys():
                sock.close()
        self._waker.wake()
        self._start()

    def serve(self, situate: Callable[[str], StepSituation], put: Callable[[list[Command]], None]) -> None:
        """Serve a run from now on.

        Args:
            situate: gives the situation in which a datagram comes.
            put: takes commands for the next tick.
        """
        with self._reading:
            self._serve = situate, put
        self._start()

    def _start(self) -> None:
        """Begin to read, once there is a run to serve and an address to read at."""
        if self._thread is None and self._sockets and self._serve is not None:
            self._thread = threading.Thread(target=self._run, name="dorosim-tcp-control", daemon=True)
            self._thread.start()

    def heard(self) -> Collection[socket.socket]:
        """The sockets, another object after each change; what has been taken from them has been put to the run."""
        if not self._sockets:
            return self._sockets
        with self._reading:
            return self._sockets

    def drain(self) -> None:
        """Read what has come: a client that steps the run has sent it before."""
        if not self._sockets:
            return
        with self._reading:
            for sock, one in self._sockets.items():
                self._read(sock, one)

    def close(self) -> None:
        """Close the sockets."""
        self._closing = True
        self._waker.wake()
        if self._thread is not None:
            self._thread.join(1.0)
        with self._reading:
            for sock in self._sockets:
                sock.close()
            self._sockets = {}
        self._waker.close()

    def _run(self) -> None:
        while not self._closing:
            with self._reading:
                sockets = tuple(self._sockets)
            try:
                select.select((*sockets, self._waker.receiver), (), ())
            except (OSError, ValueError):  # a socket was closed meanwhile
                continue
            self._waker.clear()
            self.drain()

    def _read(self, sock: socket.socket, one: ControlInput) -> None:
        """Read the datagrams of an address, and apply the newest; the lock is held."""
        newest: ManualControl | None = None
        for _ in range(MAX_CONTROL_BURST):
            try:
                data = sock.recv(MAX_CONTROL_DATAGRAM)
            except BlockingIOError:
                break
            except OSError as error:
                self._log.report("receive error", f"{one.at}: {error.strerror or error}")
                break
            self._log.count(RECEIVED)
            try:
                newest, clamped = decode(ManualControl, data)
            except WireError as error:
                self._log.report(f"bad {error.fault}", f"{one.at}: {error}")
                continue
            if clamped:
                self._log.report_clamped("ManualControl", clamped, str(one.at))
        if newest is not None and self._serve is not None:
            self._apply(newest, one, *self._serve)

    def _apply(
        self,
        message: ManualControl,
        one: ControlInput,
        situate: Callable[[str], StepSituation],
        put: Callable[[list[Command]], None],
    ) -> None:
        to = situate(str(one.at))
        actor = actor_of(to.at.now, one.vehicle)
        if actor == NO_ACTOR:
            self._log.report("refused", f"{one.at}: ManualControl: there is no vehicle {one.vehicle}")
            return
        answers = manual_commands(message, actor, to.names.text_of(actor), to)
        put(dispatch(answers, lambda answer: self._log.report_answer(str(one.at), answer)))
