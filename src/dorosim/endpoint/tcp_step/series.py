"""A client's steps one after another: each is awaited, read and made by one call of compiled code.

Python is in between only to let all others know of the tick and to answer; what is no such step, and what the sockets
of others have, goes the usual way (`dorosim.endpoint.tcp_step.loop_reader`).
"""

from __future__ import annotations

import select
import socket
from collections.abc import Callable, Collection

import numpy as np

from dorosim.endpoint.loop.at_once import StepTaker
from dorosim.endpoint.loop.loop import GATE_POLL_S
from dorosim.endpoint.tcp_step.answers import StepHost, StepPlace
from dorosim.endpoint.tcp_step.series_kernel import (
    AWAIT_STEP,
    FOUND_BITS,
    FOUND_SHIFT,
    POLL_IN,
    SeriesFound,
    SeriesWord,
    await_step,
)
from dorosim.endpoint.tcp_step.stream import FrameStream
from dorosim.endpoint.udp.endpoint import UdpEndpoint
from dorosim.endpoint.udp.system_call import system_functions
from dorosim.ground.column import IntArray
from dorosim.wire.tcp_step.frame import STEP_HEAD
from dorosim.world.ordinary.kept import has_contacts
from dorosim.world.ordinary.link_kernel import MAKE_TICK
from dorosim.world.ordinary.tick import LOOK_AGAIN, entered, snapshot_of_next
from dorosim.world.snapshot import Snapshot

_OTHERS, _FRAME = int(SeriesFound.OTHERS), int(SeriesFound.FRAME)
_STEPPED, _ALERTED = int(SeriesFound.STEPPED), int(SeriesFound.ALERTED)
_GIVEN, _GIVEN_WORDS = int(SeriesWord.GIVEN), int(SeriesWord.GIVEN_WORDS)
_ZEROS, _ZEROS_END = int(SeriesWord.ZEROS), int(SeriesWord.ZEROS_END)
_SIZE = int(SeriesWord.SIZE)


class StepSeries:
    """Makes the steps of one connection for one run.

    Args:
        place: the run.
        endpoint: reads all sockets that the loop reads.
        stream: of the connection.
        host: the server, which may serve another run meanwhile.
        answer: lets the client know that the step of a request has been made; raises nothing.
    """

    def __init__(
        self,
        place: StepPlace,
        endpoint: UdpEndpoint,
        stream: FrameStream,
        host: StepHost,
        answer: Callable[[int, Snapshot], None],
    ) -> None:
        self._place, self._endpoint, self._stream = place, endpoint, stream
        self._host, self._answer = host, answer
        self._taker = StepTaker(place.gateway.loop)
        self._call: IntArray = np.zeros(len(SeriesWord), np.int64)
        self._polls: IntArray = np.zeros(0, np.int64)
        self._changes = -1
        self._controls: Collection[socket.socket] = ()
        self._is_ready, self._looked = False, -LOOK_AGAIN

    def run(self, client: str) -> int:
        """Make steps as long as nothing else comes. The loop's thread calls it, after a step of the client.

        Args:
            client: its name.

        Returns:
            The id of one more that Python has to make; -1: there is none. Other bytes that have come are in the stream.
        """
        place, endpoint, call, taker, answer = self._place, self._endpoint, self._call, self._taker, self._answer
        loop, host, stream, readers = place.gateway.loop, self._host, self._stream, endpoint.readers
        scene, now, tick = loop.scene, loop.now, loop.scene.tick
        begun = entered(scene, now, loop.noise.seed) if self._is_ready or self._get_ready(now.tick) else None
        if begun is None or has_contacts(begun[0]) or not self._watches():
            return -1
        before, frame = begun
        zeros = taker.begin(client, frame)
        call[_ZEROS], call[_ZEROS_END] = zeros.start, zeros.stop
        call[_GIVEN], call[_GIVEN_WORDS] = frame.words.ctypes.data, len(frame.words)
        # other sockets for control datagrams are seen below, after the tick
        heard, controls, frame_of, empty, size = place.heard, self._controls, place.frame, np.empty, len(before)
        while stream.is_empty and endpoint.changes + readers.changes == self._changes:
            after = empty(size, np.int64)
            made = snapshot_of_next(scene, now, frame, after)
            found = await_step(call, before, after)
            done, request = found & FOUND_BITS, found >> FOUND_SHIFT
            if done <= _OTHERS:
                break
            if done == _FRAME or host.current is not place:
                stream.note(int(call[_SIZE]))
                break
            endpoint.settled = settled = heard() is controls
            after.setflags(write=False)
            if done < _STEPPED or not settled or frame_of() != tick or not taker.take(made):
                return request
            if taker.shows:
                taker.show()
            answer(request, made)
            taker.end(alert=done == _ALERTED)
            if done == _ALERTED:
                break
            before, now = after, made
        return -1

    def _watches(self) -> bool:
        """Whether all sockets are known; they are listed anew where they have changed."""
        endpoint, controls = self._endpoint, self._place.heard()
        changes = endpoint.changes + endpoint.readers.changes
        if changes == self._changes and controls is self._controls:
            return True
        watched, client = endpoint.watched(), self._stream.sock
        if watched is None:
            return False
        # what a client has sent to others before its step is there when the step is: the client is looked at first
        sockets = [client.fileno(), *(one.fileno() for one in (*watched, *controls) if one is not client)]
        if min(sockets) < 0:
            return False  # one has been closed just now
        self._polls = np.array(sockets, np.int64) | (POLL_IN << 32)
        self._call[SeriesWord.SOCKETS], self._call[SeriesWord.SOCKET_COUNT] = self._polls.ctypes.data, len(sockets)
        self._call[SeriesWord.SOCKET] = sockets[0]
        self._changes, self._controls = changes, controls
        return True

    def _get_ready(self, tick: int) -> bool:
        """Whether the kernel is there: nothing is compiled while a run goes on."""
        if 0 <= tick - self._looked < LOOK_AGAIN:
            return False
        self._looked = tick
        poll, receive = (system_functions(name) for name in ("poll", "recv"))
        there = AWAIT_STEP.is_there() and MAKE_TICK.is_there()
        if not hasattr(select, "poll") or poll is None or receive is None or not there:
            return False
        start, rest = (int.from_bytes(part, "little") for part in (STEP_HEAD[:8], STEP_HEAD[8:]))
        address, room = self._stream.place
        for word, value in (
            (SeriesWord.POLL, poll[0]),
            (SeriesWord.RECEIVE, receive[0]),
            (SeriesWord.FLAGS, socket.MSG_DONTWAIT),
            (SeriesWord.WAIT, round(GATE_POLL_S * 1e3)),
            (SeriesWord.BUFFER, address),
            (SeriesWord.ROOM, room),
            (SeriesWord.TICK, MAKE_TICK.address()),
            (SeriesWord.STEP_HEAD, start),
            (SeriesWord.STEP_HEAD_REST, rest),
        ):
            self._call[word] = value
        self._is_ready = True
        return True
