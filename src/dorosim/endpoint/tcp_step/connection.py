"""One client of the server: reads frames, does what they ask for in their order, and answers each.

A connection has a thread of its own. What asks the world for something waits for the tick that applies it; while time
passes by the clock, commands that come together wait together, so that a client may send more of them than there are
ticks. Where clients step the run each waits for itself, so that equal requests make equal runs; then the loop's own
thread reads most frames (`dorosim.endpoint.tcp_step.loop_reader`).
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import NamedTuple

from dorosim.bridge.first_start import COMPILING, needs_kernels
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.run import NotNowError
from dorosim.bridge.tcp_step.simulator import LOADS, READY
from dorosim.bridge.tcp_step.situation import StepSituation
from dorosim.endpoint.command_gateway import Done, RunOverError
from dorosim.endpoint.tcp_step.answers import FIXED_STEP, StepAnswers, StepHost
from dorosim.endpoint.tcp_step.loop_reader import LoopReader
from dorosim.endpoint.tcp_step.stream import FrameStream, SlowFrameError
from dorosim.wire.error import WireError
from dorosim.wire.message import Wire
from dorosim.wire.tcp_step.catalogue import StepProcedure
from dorosim.wire.tcp_step.frame import HEAD_SIZE, FrameClass, Head
from dorosim.wire.tcp_step.notification import simulator_notification
from dorosim.wire.tcp_step.response import ResultCode

STREAMED = frozenset({0x1302, 0x1303})
"""Commands that clients send all the time, of which several wait together while time passes by the clock."""
LOADING = frozenset({0x1004, 0x1402})
"""LoadMap and LoadSuite."""
FIRST_START_S = 180.0
"""Most wall time that a command waits while kernels are compiled at the first start [s]."""


class _Asked(NamedTuple):
    """A request whose commands wait for their tick."""

    head: Head
    deferred: DeferredReply
    wait: Callable[[float], Done]


class StepConnection:
    """A client.

    Args:
        host: the server.
        sock: its socket.
        name: by which the gate and users know it.

    Attributes:
        name: as given.
    """

    def __init__(self, host: StepHost, sock: socket.socket, name: str) -> None:
        self._host, self.name = host, name
        self._stream = FrameStream(sock, host.limits.frame_s)
        self._answers = StepAnswers(host, self._stream, name)
        self._reader = LoopReader(host, self._stream, self._answers)
        self._waiting: list[_Asked] = []

    def run(self) -> None:
        """Serve the client until it goes, or sends what cannot be understood."""
        stream, log = self._stream, self._host.log
        try:
            while True:
                while stream.is_empty:
                    stream.flush()  # of a client that takes no answers nothing more is read
                    if not self._reader.read_while_stepped():
                        break
                head = stream.head()
                if head is None:
                    return
                self._handle(head, stream.payload(head))
                if not self._has_frame():
                    self._settle()
                    stream.flush()
        except WireError as error:
            self._settle()
            self._refuse(error)
        except SlowFrameError as error:
            log.report("slow client", f"{self.name}: {error}; the connection is closed")
        except EOFError as error:
            log.report("cut frame", f"{self.name}: {error}")
        except OSError:
            return  # the client has gone, or the server closes

    def wake(self) -> None:
        """Let the thread look again which run is served."""
        self._reader.wake()

    def notify(self, data: bytes) -> None:
        """Send a frame that answers nothing, if the client reads such. Safe from any thread, and does not wait."""
        if self._answers.newest:
            self._stream.notify(data)

    def _refuse(self, error: WireError) -> None:
        """Answer 102 to a head that cannot be followed, as far as it can be answered, and say why no more is read."""
        self._host.log.report(f"bad {error.fault}", f"{self.name}: {error}; the connection is closed")
        head = self._stream.read_bytes(HEAD_SIZE)
        if error.fault == "length":
            number, request = (int.from_bytes(head[at : at + 4], "little") for at in (2, 10))
            failed = self._answers.failure(number, ResultCode.INVALID_PARAM)
            self._answers.answer(Head(FrameClass.REQUEST, number, 0, request), failed)
        try:
            self._stream.flush()
        except (OSError, SlowFrameError):
            return

    def _has_frame(self) -> bool:
        """Whether the next frame is there as a whole."""
        try:
            return self._stream.whole_frame() is not None
        except WireError:
            return False

    def _handle(self, head: Head, payload: bytes) -> None:
        """Do what a frame asks for; its answer stands behind those before it."""
        if head.number not in STREAMED:
            self._settle()
        try:
            self._do(head, payload)
        except Exception as error:
            self._settle()
            self._answers.fail(head, error)

    def _do(self, head: Head, payload: bytes) -> None:
        """Read a request, and do it; what it raises is the reason why it is not done."""
        procedure, request = self._answers.request(head, payload)
        place = self._host.current
        if place is None:
            raise RunOverError("no run is there just now; ask again")
        to = self._answers.situation(place)
        if head.number == FIXED_STEP:
            place.drain()
            self._stream.flush()
        found = self._done(head, procedure, request, to)
        if not isinstance(found, DeferredReply):
            self._answers.send_info(head, place)
            self._answers.answer(head, found)
        elif not found.commands:
            self._answers.answer(head, found.reply(place.gateway.now, ()))
        else:
            if needs_kernels(found.commands) and not place.ready(FIRST_START_S):
                raise NotNowError(COMPILING)
            self._waiting.append(_Asked(head, found, place.gateway.ask(found.commands)))
            if head.number not in STREAMED or to.at.host.pace.synchronous:
                self._settle()

    def _done(self, head: Head, procedure: StepProcedure, request: Wire, to: StepSituation) -> Wire | DeferredReply:
        """What a request means, done; clients are told where it loads another run."""
        if head.number not in LOADING:
            return self._answers.do(procedure, request, to)
        self._host.notify(simulator_notification(LOADS))
        try:
            return self._answers.do(procedure, request, to)
        finally:
            self._host.notify(simulator_notification(READY))

    def _settle(self) -> None:
        """Wait for the commands that wait for their tick, and answer them."""
        waiting, self._waiting = self._waiting, []
        for asked in waiting:
            try:
                done = asked.wait(self._host.limits.answer_s)
                self._answers.answer(asked.head, asked.deferred.reply(done.now, done.outcomes))
            except Exception as error:
                self._answers.fail(asked.head, error)
