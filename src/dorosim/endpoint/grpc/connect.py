"""The stream of ego states: Connect of the documented API.

Each request on a stream asks for states of a kind at a rate of simulated time, or changes what was asked for before; in
a pause the states are sent at the same rate. The server sends states until the client closes the stream or asks for no
state; the client may have closed its own side long before. A client that reads too slowly gets the newest state when
it is ready, and the states between are skipped.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

from dorosim.bridge.grpc.documented.state import kinds_of, rate_of, state_response
from dorosim.endpoint.grpc.call import CallError, Stream, StreamCall
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.loop.schedule import Standing
from dorosim.endpoint.loop.tick_notifier import TickNotifier
from dorosim.world.snapshot import Snapshot

RUN_CHECK_S = 0.5
"""Time after which a stream checks whether there is another run [s]."""


class _Subscriptions:
    """The states that a client asks for; its requests are read on a separate thread.

    Args:
        requests: of the stream.

    Attributes:
        notifier: is rung when the client asks for something new.
        ended: the client sends no more requests.
    """

    def __init__(self, requests: Iterator[Any]) -> None:
        self.notifier = TickNotifier()
        self.ended = False
        self._changed = False
        self._error: Exception | None = None
        self._schedules: dict[str, Standing] = {}
        self._lock = threading.Lock()
        threading.Thread(target=self._read, args=(requests,), name="dorosim-connect", daemon=True).start()

    def wake(self) -> None:
        """Make the stream check whether it has something to do."""
        self.notifier.ring()

    def _read(self, requests: Iterator[Any]) -> None:
        try:
            for request in requests:
                self._take(kinds_of(request.service_name), rate_of(request.msg))
        except Exception as error:  # raised on the thread of the call, by `due`
            self._error = error
        self.ended = self._changed = True
        self.notifier.ring()

    def _take(self, kinds: tuple[str, ...], rate: float) -> None:
        with self._lock:
            for kind in kinds:
                self._schedules.pop(kind, None)
                if rate > 0.0:
                    self._schedules[kind] = Standing(round(1e9 / rate))
            self._changed = True
        self.notifier.ring()

    @property
    def over(self) -> bool:
        """Whether the client asks for no states and sends no more requests."""
        return self.ended and not self._schedules

    def due(self, time: int, stood: int) -> list[str]:
        """The kinds of states that are due; each is due again after its period.

        Args:
            time: simulated time [ns].
            stood: for how long it has stood so far, of all ticks [ns].

        Raises:
            Exception: what was wrong with a request.
        """
        if self._error is not None:
            raise self._error
        with self._lock:
            self._changed = False
            return [kind for kind, schedule in self._schedules.items() if schedule.take(time, stood)]

    def come(self, time: int, stood: int) -> bool:
        """Whether the requests have changed or states are due; arguments as of `due`."""
        with self._lock:
            return self._changed or any(schedule.has_come(time, stood) for schedule in self._schedules.values())


def connect(requests: Iterator[Any], call: StreamCall) -> Iterator[Any]:
    """States of ego vehicles, as they become due."""
    subscriptions = _Subscriptions(requests)
    call.context.add_callback(subscriptions.wake)
    while call.active:
        try:
            place = call.server.place
        except CallError:  # between two runs
            subscriptions.notifier.wait(lambda: not call.active, RUN_CHECK_S / 10)
            continue
        loop = place.gateway.loop
        subscriptions.notifier = loop.notifier
        at = place.situate(call.client)
        for kind in subscriptions.due(*_moment(loop, at.now)):
            yield state_response(at, kind)
        if subscriptions.over:
            return
        loop.notifier.wait(_something(loop, subscriptions, call), RUN_CHECK_S)


def _something(loop: Loop, subscriptions: _Subscriptions, call: StreamCall) -> Any:
    """Returns a function: whether the client has gone, its requests have changed, or states of this run are due."""
    return lambda: not call.active or subscriptions.come(*_moment(loop, loop.now))


def _moment(loop: Loop, now: Snapshot) -> tuple[int, int]:
    """Simulated time, and for how long it has stood in ticks of no duration, as those of a pause [ns]."""
    return now.time, now.tick * loop.scene.tick - now.time


STREAMS: dict[str, Stream] = {"/morai_msgs.MoraiService/Connect": connect}
"""Procedures of the documented API that stream, by path."""
