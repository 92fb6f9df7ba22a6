"""Reads the frames of a client on the thread of the loop, while clients step the run.

A step then costs no change of threads: the loop reads the request, makes the ticks, and answers. What may take long,
such as another map, and what is cut or cannot be understood, goes back to the connection's own thread
(docs/decisions/0088-fixed-step-over-tcp.md).
"""

from __future__ import annotations

import threading
import time
from functools import partial

from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.run import MAX_FRAMES_PER_STEP, NotNowError, check_step
from dorosim.endpoint.command_gateway import RunOverError, TickTimeoutError
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.tcp_step.answers import FIXED_STEP, SAVE_DATA, StepAnswers, StepHost, StepPlace
from dorosim.endpoint.tcp_step.series import StepSeries
from dorosim.endpoint.tcp_step.stream import FrameStream
from dorosim.endpoint.udp.endpoint import UdpEndpoint
from dorosim.endpoint.udp.socket_reader import SocketReaders
from dorosim.wire.error import WireError
from dorosim.wire.tcp_step.frame import FrameClass, Head
from dorosim.wire.tcp_step.request import FixedStep
from dorosim.world.snapshot import Outcome, Snapshot

QUICK = frozenset(
    {0x1001, 0x1002, 0x1101, FIXED_STEP, SAVE_DATA, 0x1301, 0x1302, 0x1303, 0x1304, 0x1305, 0x1401, 0x1504}
)
"""Numbers of requests that need no other thread: none of them reads a file or waits for anything but ticks."""
REQUEST = int(FrameClass.REQUEST)
LOOK_S = 0.25
"""Wall time after which the connection's thread looks again whether clients still step the run [s]."""


class LoopReader:
    """The part of a connection that the thread of the loop works on.

    Args:
        host: the server.
        stream: bytes of the connection.
        answers: reads requests and makes answers.
    """

    def __init__(self, host: StepHost, stream: FrameStream, answers: StepAnswers) -> None:
        self._host, self._stream, self._answers = host, stream, answers
        self._working = threading.RLock()
        self._back = threading.Event()
        self._place: StepPlace | None = None
        self._readers = SocketReaders()
        self._pending: Head | None = None
        self._began = 0.0
        self._series: StepSeries | None = None

    def wake(self) -> None:
        """Let the thread that waits in `read_while_stepped` look again at once."""
        self._back.set()

    def read_while_stepped(self) -> bool:
        """Let the loop read, until a frame comes that it cannot do, or clients step the run no longer.

        Called on the connection's thread.

        Returns:
            Whether it did; False: this thread has to read.
        """
        place = self._host.current
        loop = None if place is None else place.gateway.loop
        endpoint = None if loop is None else loop.endpoint
        if place is None or loop is None or not isinstance(endpoint, UdpEndpoint) or not _is_stepped(loop):
            return False
        if not place.ready(0.0):
            return False  # at the first start of all, commands wait until kernels are compiled
        self._back.clear()
        with self._working:
            self._place, self._readers = place, endpoint.readers
            self._series = StepSeries(place, endpoint, self._stream, self._host, self._answers.answer_step)
            self._readers.put(self._stream.sock, self._read)
        endpoint.wake()
        while self._is_reading(loop):
            self._back.wait(LOOK_S)
            self._back.clear()
        return True

    def _is_reading(self, loop: Loop) -> bool:
        """Whether the loop still reads; where it cannot any longer, this thread does from now on."""
        with self._working:
            if self._place is None:
                return False
            limit = self._host.limits.answer_s
            if self._pending is not None:
                if time.monotonic() - self._began <= limit or loop.ended:
                    return True  # what waits for a tick is answered, at the end of the run too
                head, self._pending = self._pending, None
                self._answers.fail(head, TickTimeoutError(f"no tick in {limit:g} s; others are waited for too long"))
                self._give_back()
            elif not _is_stepped(loop) or self._host.current is not self._place:
                self._give_back()
            return self._place is not None

    def _give_back(self) -> None:
        """Leave the socket to the connection's thread; the lock is held."""
        self._readers.drop(self._stream.sock)
        self._place = None
        self._back.set()

    def _read(self) -> None:
        """Read what has come. The loop calls it when the socket has something."""
        with self._working:
            place = self._place
            if place is None or not _is_stepped(place.gateway.loop):
                self._give_back()
            elif self._pending is not None:
                self._readers.drop(self._stream.sock)  # the next frame is read when the one before is answered
            elif not self._read_steps(place):
                self._work()

    def _read_steps(self, place: StepPlace) -> bool:
        """Read what has come, and make the steps that come one after another. Returns whether nothing else has come."""
        step = self._stream.read_now()
        # not guarded: what goes wrong in a tick ends the run, whoever steps it
        while step is not None and self._begin_step(place, *step):
            if self._pending is not None or self._series is None:
                return True
            request = self._series.run(self._answers.name)
            if request < 0:
                return self._stream.is_empty
            step = request, 1
        return False

    def _work(self) -> None:
        """Do the frames that have come; what goes wrong in it ends neither the loop nor the connection."""
        try:
            self._do_frames()
        except Exception as error:
            if self._pending is not None:
                head, self._pending = self._pending, None
                self._answers.fail(head, error)
            self._give_back()

    def _do_frames(self) -> None:
        """Do the frames that have come, up to one that waits for a tick."""
        while self._pending is None:
            place = self._place
            try:
                found = self._stream.whole_frame()
            except WireError:
                found, place = None, None
            if found is None or place is None or found[0].number not in QUICK:
                if not self._stream.flush_now() or place is None or not self._stream.is_empty:
                    self._give_back()
                return
            self._stream.skip(found[0])
            self._handle(*found, place)
        self._stream.flush_now()

    def _begin_step(self, place: StepPlace, request: int, steps: int) -> bool:
        """Make a step that has come alone, as nearly all do, or begin it. Returns whether no frame is left."""
        loop, span = place.gateway.loop, steps * place.frame()
        if not 0 < steps <= MAX_FRAMES_PER_STEP or not span or loop.now.paused:
            self._handle(Head(REQUEST, FIXED_STEP, 4, request), steps.to_bytes(4, "little"), place)
            return self._pending is not None
        place.drain()
        name = self._answers.name
        if span != loop.scene.tick or not loop.advance(name, lambda _: self._answers.answer_step(request, loop.now)):
            self._wait(Head(REQUEST, FIXED_STEP, 4, request))
            loop.gate.allow(name, span, self._stepped)
            self._host.log.count_step()
        return True

    def _handle(self, head: Head, payload: bytes, place: StepPlace) -> None:
        try:
            procedure, request = self._answers.request(head, payload)
            to = self._answers.situation(place)
            if isinstance(request, FixedStep) and request.step_count:
                check_step(to.at.host, to.at.now, request.step_count)
                place.drain()
                self._wait(head)
                span = request.step_count * to.at.host.pace.frame
                place.gateway.loop.gate.allow(self._answers.name, span, self._stepped)
                return
            found = self._answers.do(procedure, request, to)
            if not isinstance(found, DeferredReply):
                self._answers.send_info(head, place)
                self._answers.answer(head, found)
            elif not found.commands:
                self._answers.answer(head, found.reply(place.gateway.now, ()))
            else:
                self._wait(head)
                place.gateway.call(found.commands, partial(self._applied, head, found))
        except Exception as error:
            self._pending = None
            self._answers.fail(head, error)

    def _wait(self, head: Head) -> None:
        """Note that a frame waits for a tick."""
        self._pending, self._began = head, time.monotonic()

    def _stepped(self, now: int | None) -> None:
        """The step has passed, or will not."""
        with self._working:
            head, place = self._pending, self._place
            if head is None or head.number != FIXED_STEP:
                return  # the client was answered before, since it took too long
            self._pending = None
            if now is None or place is None:
                text = "the step did not end: the mode or the run ended, or others were waited for too long"
                self._answers.fail(head, NotNowError(text))
            else:
                self._answers.answer_step(head.request, place.gateway.now, counted=True)
            self._go_on()

    def _applied(
        self, head: Head, deferred: DeferredReply, now: Snapshot | None, outcomes: tuple[Outcome, ...]
    ) -> None:
        """Commands have been applied, or were forgotten."""
        with self._working:
            if self._pending is not head:
                return  # the client was answered before, since it took too long
            self._pending = None
            try:
                if now is None:
                    error = RunOverError("the run ended or began anew before it came to the commands")
                    self._answers.fail(head, error)
                else:
                    self._answers.answer(head, deferred.reply(now, outcomes))
            except Exception as error:
                self._answers.fail(head, error)
            self._go_on()

    def _go_on(self) -> None:
        """Go on with the frames behind one that has been answered; the lock is held."""
        if not self._stream.is_empty or not self._stream.flush_now():
            self._work()
        if self._place is not None and self._pending is None and self._stream.sock not in self._readers:
            self._readers.put(self._stream.sock, self._read)


def _is_stepped(loop: Loop) -> bool:
    return loop.gate.holds and not loop.ended
