"""The stream of dorosim.Bulk: everybody's state, tick by tick, to whoever listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from dorosim.bridge.bulk import frame_from_snapshot, wanted_from_request

if TYPE_CHECKING:
    from dorosim.endpoint.grpc.server import Call, Stream
    from dorosim.endpoint.loop import Loop
    from dorosim.world.snapshot import Snapshot

GLANCE = 0.25
"""Wall time after which a stream without ticks looks whether anybody still listens [s]."""


class Schedule:
    """Says which snapshots are due.

    Args:
        period: of simulated time [ns]; 0: all are.
    """

    def __init__(self, period: int) -> None:
        self._period = period
        self._due = self._last = -1

    def is_due(self, time: int) -> bool:
        """Whether to send what is there at a simulated time [ns]; after a reset the schedule begins anew."""
        if time < self._last:
            self._due = time
        self._last = time
        if not self._period:
            return True
        if time < self._due:
            return False
        behind = self._due < 0 or time >= self._due + self._period
        self._due = (time if behind else self._due) + self._period
        return True


def stream_states(requests: Iterator[Any], call: Call) -> Iterator[Any]:
    """StreamStates: the present states at once, then those of each tick that is due. A slow reader skips ticks."""
    wanted = wanted_from_request(next(requests))
    schedule, last = Schedule(wanted.period), None
    call.context.add_callback(call.server.place.desk.loop.bell.ring)
    while call.active:
        place = call.server.place
        loop = place.desk.loop
        now = loop.now
        if now is not last and schedule.is_due(now.time):
            yield frame_from_snapshot(wanted, loop.scene, now)
        last = now
        loop.bell.wait(_something(loop, now, call), GLANCE)


def _something(loop: Loop, now: Snapshot, call: Call) -> Callable[[], bool]:
    """Tells whether a loop has come to another snapshot, or nobody listens any longer."""
    return lambda: loop.now is not now or not call.active


BULK_STREAMS: Mapping[str, Stream] = {"/dorosim.Bulk/StreamStates": stream_states}
"""Streams of the service, by path."""
