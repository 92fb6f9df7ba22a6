"""The stream of dorosim.Bulk: the states of all actors, tick by tick, for each client that listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from dorosim.bridge.grpc.bulk import frame_from_snapshot, wanted_from_request
from dorosim.endpoint.loop.schedule import Schedule

if TYPE_CHECKING:
    from dorosim.endpoint.grpc.call import Stream, StreamCall
    from dorosim.endpoint.loop.loop import Loop
    from dorosim.world.snapshot import Snapshot

CLIENT_CHECK_S = 0.25
"""Wall time after which a stream without ticks checks whether the client still listens [s]."""


def stream_states(requests: Iterator[Any], call: StreamCall) -> Iterator[Any]:
    """StreamStates: the present states at once, then those of each tick that is due. A slow client skips ticks."""
    wanted = wanted_from_request(next(requests))
    schedule, last = Schedule(wanted.period), None
    call.context.add_callback(call.server.place.gateway.loop.notifier.ring)
    while call.active:
        place = call.server.place
        loop = place.gateway.loop
        now = loop.now
        if now is not last and schedule.take(now.time):
            yield frame_from_snapshot(wanted, loop.scene, now)
        last = now
        loop.notifier.wait(_something(loop, now, call), CLIENT_CHECK_S)


def _something(loop: Loop, now: Snapshot, call: StreamCall) -> Callable[[], bool]:
    """Returns a function: whether the loop has another snapshot than `now`, or the client no longer listens."""
    return lambda: loop.now is not now or not call.active


BULK_STREAMS: Mapping[str, Stream] = {"/dorosim.Bulk/StreamStates": stream_states}
"""Streams of the service, by path."""
