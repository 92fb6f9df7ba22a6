"""A client's steps one after another: each is awaited, read and made by one call of compiled code.

Python is in between only to let all others know of the tick and to answer; what is no such step, and what the sockets
of others have, goes the usual way (`dorosim.endpoint.tcp_step.loop_reader`).
"""

from __future__ import annotations

import select
import socket
from collections.abc import Callable, Collection

import numpy as np

from dorosim.endpoint.loop.at_once import TickTaker
from dorosim.endpoint.loop.loop import GATE_POLL_S
from dorosim.endpoint.tcp_step.answers import StepPlace
from dorosim.endpoint.tcp_step.series_kernel import AWAIT_STEP, POLL_IN, Found, SeriesWord, await_step
from dorosim.endpoint.tcp_step.stream import FrameStream
from dorosim.endpoint.udp.endpoint import UdpEndpoint
from dorosim.endpoint.udp.system_call import system_functions
from dorosim.ground.column import IntArray
from dorosim.wire.tcp_step.frame import STEP_HEAD
from dorosim.world.ordinary.link_kernel import MAKE_TICK
from dorosim.world.ordinary.tick import LOOK_AGAIN, entered, snapshot_of_next
from dorosim.world.snapshot import Snapshot

_OTHERS, _FRAME, _STEPPED = int(Found.OTHERS), int(Found.FRAME), int(Found.STEPPED)
_SIZE, _REQUEST = int(SeriesWord.SIZE), int(SeriesWord.REQUEST)


class StepSeries:
    """Makes the steps of one connection for one run.

    Args:
        place: the run.
        endpoint: reads all sockets that the loop reads.
        stream: of the connection.
        is_served: whether the run is still the one that is served.
        answer: tells the client that the step of a request has been made; raises nothing.
    """

    def __init__(
        self,
        place: StepPlace,
        endpoint: UdpEndpoint,
        stream: FrameStream,
        is_served: Callable[[], bool],
        answer: Callable[[int, Snapshot], None],
    ) -> None:
        self._place, self._endpoint, self._stream = place, endpoint, stream
        self._is_served, self._answer = is_served, answer
        self._taker = TickTaker(place.gateway.loop)
        self._call: IntArray = np.zeros(len(SeriesWord), np.int64)
        self._polls: IntArray = np.zeros(0, np.int64)
        self._number: object = None
        self._controls: Collection[socket.socket] = ()
        self._is_ready, self._looked = False, -LOOK_AGAIN

    def run(self, client: str) -> int:
        """Make steps as long as nothing else comes. The loop's thread calls it, after a step of the client.

        Args:
            client: its name.

        Returns:
            The id of one more that Python has to make; -1: there is none. Other bytes that have come are in the stream.
        """
        loop, call, taker = self._place.gateway.loop, self._call, self._taker
        scene, now = loop.scene, loop.now
        found = entered(scene, now, loop.noise.seed) if self._is_ready or self._get_ready(now.tick) else None
        if found is None:
            return -1
        before, frame = found
        taker.begin(client)
        while self._stream.is_empty and self._watches():
            after = np.empty(len(before), np.int64)
            made = snapshot_of_next(scene, now, frame, after)
            done = await_step(call, before, after, frame.words)
            if done <= _OTHERS:
                break
            if done == _FRAME or not self._is_served():
                self._stream.note(int(call[_SIZE]))
                break
            request = int(call[_REQUEST])
            self._endpoint.settled = settled = self._place.heard() is self._controls
            after.setflags(write=False)
            if done != _STEPPED or not settled or self._place.frame() != scene.tick or not taker.take(made):
                return request
            taker.show()
            self._answer(request, made)
            taker.end()
            before, now = after, made
        return -1

    def _watches(self) -> bool:
        """Whether all sockets are known; they are listed anew where they have changed."""
        number, controls = self._endpoint.watch_number, self._place.heard()
        if number == self._number and controls is self._controls:
            return True
        watched, client = self._endpoint.watched(), self._stream.sock
        if watched is None:
            return False
        # what a client has sent to others before its step is there when the step is: the client is looked at first
        sockets = [client.fileno(), *(one.fileno() for one in (*watched, *controls) if one is not client)]
        if min(sockets) < 0:
            return False  # one has been closed just now
        self._polls = np.array(sockets, np.int64) | (POLL_IN << 32)
        self._call[SeriesWord.SOCKETS], self._call[SeriesWord.SOCKET_COUNT] = self._polls.ctypes.data, len(sockets)
        self._call[SeriesWord.SOCKET] = sockets[0]
        self._number, self._controls = number, controls
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
