"""The stream of dorosim.Sensing: what sensors read, as arrays, by shared memory or in the messages."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from dorosim.endpoint.grpc.call import CallError, Code, GrpcPlace, StreamCall
from dorosim.endpoint.grpc.reading_queue import HeardTick, ReadingQueue
from dorosim.endpoint.grpc.shared_ring import SharedRing, is_local
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import message_class

if TYPE_CHECKING:
    from google.protobuf.message import Message
    from numpy.typing import NDArray

    from dorosim.endpoint.grpc.call import Stream

CHECK_S = 0.25
"""Wall time after which a stream without readings checks whether the client still listens, and to which run [s]."""
MIN_SHARED = 32 << 10
"""Arrays of a reading that are smaller together go in the message [bytes]."""
ROOM = 1.25
"""How much larger a slot is than the first reading: the number of points of a cloud differs."""
MAX_SENSORS_OF_STREAM = 64
"""Most sensors of one stream."""


class _Packer:
    """Makes messages of readings.

    Args:
        shared: whether shared memory may be used. every: as of `SharedRing`.
    """

    def __init__(self, *, shared: bool, every: bool) -> None:
        self._shared, self._every = shared, every
        self._rings: dict[int, SharedRing] = {}

    def messages(self, tick: HeardTick) -> Iterator[Message]:
        """One message with the readings of a tick; before it an offer of memory if one is due."""
        # with it come the modules of all sensors
        from dorosim.bridge.grpc.reading import ShownReading, arrays_of, put_values, reading_message

        answer: Any = message_class("dorosim.TickReadings")(time_ns=tick.now.time, tick=tick.now.tick)
        for slices in tick.readings:
            shown = ShownReading(slices, tick.now, tick.epoch)
            arrays = arrays_of(shown)
            large = {name: one for name, one in arrays.items() if isinstance(one, np.ndarray)}
            offer = self._offer(shown.last.sensor, large)
            if offer is not None:
                yield offer
            message: Any = reading_message(shown, arrays)
            ring = self._rings.get(message.sensor)
            if ring is None or not ring.accepted or not _put(ring, message, large):
                for name, values in large.items():
                    put_values(message, name, values)
            elif ring.pipe is not None:
                continue  # the memory has the message
            answer.readings.append(message)
        if answer.readings or self._every:
            yield answer

    def _offer(self, sensor: int, large: dict[str, NDArray[Any]]) -> Message | None:
        """An offer of memory for a sensor whose readings are large; None where there is one, or none is to be."""
        size = sum(one.nbytes + 64 for one in large.values())
        if not self._shared or size < MIN_SHARED or sensor in self._rings:
            return None
        try:
            ring = SharedRing(int(ROOM * size), every=self._every)
        except OSError:  # no such memory, or not enough of it: the message can hold all
            self._shared = False
            return None
        self._rings[sensor] = ring
        answer: Any = message_class("dorosim.TickReadings")()
        answer.memory.sensor, answer.memory.path, answer.memory.token = sensor, str(ring.path), ring.token
        answer.memory.slots, answer.memory.slot_size = ring.slots, ring.slot_size
        answer.memory.pipe = str(ring.pipe or "")
        return answer

    def settle(self) -> None:
        """Look which memory the client has accepted, so that its name goes."""
        for ring in self._rings.values():
            _ = ring.accepted

    def close(self) -> None:
        """Let go of all memory."""
        for ring in self._rings.values():
            ring.close()


def _put(ring: SharedRing, message: Any, large: dict[str, NDArray[Any]]) -> bool:
    """Put a reading into shared memory, its arrays without values into its message; returns whether there was room."""
    from dorosim.bridge.grpc.reading import put_form

    plain = len(message.arrays)

    def packed(number: int, offsets: list[int]) -> bytes:
        message.number = number
        for (name, values), offset in zip(large.items(), offsets, strict=True):
            put_form(message, name, values).offset = offset
        data: bytes = message.SerializeToString()
        return data

    if ring.put(list(large.values()), packed) is not None:
        return True
    message.number = 0
    del message.arrays[plain:]
    return False


def stream_readings(requests: Iterator[Any], call: StreamCall) -> Iterator[Any]:
    """StreamReadings: a message without readings, and then those of each tick that has some."""
    request = next(requests)
    sensors = tuple(dict.fromkeys(request.sensors))
    if not 0 < len(sensors) <= MAX_SENSORS_OF_STREAM:
        problem = f"{len(sensors)} sensors"
        raise InputError("", "sensors", problem, f"name 1 to {MAX_SENSORS_OF_STREAM} sensors")
    packer = _Packer(shared=request.shared_memory and is_local(call.client), every=request.every)
    try:
        while call.active:
            place = _place_of(call)
            if place is not None:
                yield from _one_run(place, sensors, request.every, packer, call)
    finally:
        packer.close()


def _place_of(call: StreamCall) -> GrpcPlace | None:
    """The present run; None between two runs, after a pause."""
    try:
        return call.server.place
    except CallError:
        time.sleep(CHECK_S / 10)
        return None


def _one_run(
    place: GrpcPlace, sensors: tuple[int, ...], every: bool, packer: _Packer, call: StreamCall
) -> Iterator[Message]:
    """The readings of one run."""
    station, loop = place.station, place.gateway.loop
    if station is None:
        raise CallError(Code.UNIMPLEMENTED, "this server has no sensors")
    now = loop.now
    _check_there(now, sensors)
    queue = ReadingQueue(sensors, every=every, begin=now.time)
    call.context.add_callback(queue.ring)
    station.listen(queue)
    try:
        yield message_class("dorosim.TickReadings")(time_ns=now.time, tick=now.tick)
        while call.active:
            tick = queue.take(CHECK_S)
            packer.settle()
            if tick is not None:
                yield from packer.messages(tick)
            elif call.server.closing or _has_changed(call, place):
                return
            else:
                _check_there(loop.now, sensors)
    finally:
        station.unlisten(queue)


def _has_changed(call: StreamCall, place: GrpcPlace) -> bool:
    """Whether another run is served, or none."""
    try:
        return call.server.place is not place
    except CallError:
        return True


def _check_there(now: Any, sensors: tuple[int, ...]) -> None:
    """Look whether all sensors are there.

    Raises:
        CallError: one is not.
    """
    for sensor in sensors:
        if now.mounts.row_of(sensor) < 0:
            there = ", ".join(map(str, now.mounts.table.id[:20].tolist()))
            cure = f"there are {there}" if there else "there is none at all; add one"
            raise CallError(Code.NOT_FOUND, f"there is no sensor {sensor}; {cure}")


READING_STREAMS: Mapping[str, Stream] = {"/dorosim.Sensing/StreamReadings": stream_readings}
"""Streams of the service, by path."""
