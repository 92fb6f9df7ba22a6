"""The client whose operations return when they are done."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from typing import Any, Self

import grpc

from dorosim.client.attempt import Attempts
from dorosim.client.connection import GrpcConnection
from dorosim.client.error import ClientError
from dorosim.client.frame import Frame, FrameGatherer
from dorosim.client.operation import Blocking, Call, call
from dorosim.client.sensor import FIRST_READING_S, Sensor
from dorosim.client.states import States


class Client(GrpcConnection, Blocking):
    """A connection to a simulator. Safe to use from several threads.

        with connect() as client:
            car = client.spawn_vehicle((10.0, 5.0), ego=True)
            client.drive(car, accelerator=0.3)

    It connects again by itself when the connection breaks. What reads is then asked again; what commands is not, since
    it may have been done already.

    Args:
        address: "HOST:PORT".
        key: label under which it owns what it makes; see `destroy_all`.
        timeout: how long an answer is waited for [s].
        certificate: PEM of the authority that signed the server's certificate, for TLS; None for none.

    Raises:
        ClientError: the address is none.
    """

    def connect(self, timeout: float | None = None) -> Self:
        """Wait until the simulator answers.

        Args:
            timeout: how long [s]; None for that of the client.

        Raises:
            NoServerError: it does not.
        """
        asked = call("Simulator/CheckLatency")
        self._ask(asked, self._attempts(asked, timeout))
        return self

    def close(self) -> None:
        """End the connection, and all loops over sensors."""
        self._close_feeds()
        self._channel.close()

    def _take(self, step: Call) -> Any:
        return self._ask(step, self._attempts(step))

    def states(
        self, rate_hz: float = 0.0, *, columns: Iterable[str] = (), kinds: Iterable[str] = ()
    ) -> Iterator[States]:
        """The states of all actors, again and again, until the loop over them is left.

        A program that is too slow gets fewer frames, never older ones. The stream goes on after the connection broke.

        Args:
            rate_hz: frames in a simulated second; 0: every tick.
            columns: names, as of `all_states`.
            kinds: "vehicle", "pedestrian", "obstacle"; none for all.

        Raises:
            ClientError: there is no such column, or the simulator no longer answers.
        """
        asked = call("Bulk/StreamStates", columns=columns, kinds=kinds, rate_hz=rate_hz)
        stub, attempts = self._stub(asked.method), self._attempts(asked)
        while True:
            frames = _guarded(stub, asked.request)
            try:
                for frame in frames:
                    attempts.begin()
                    yield States(frame)
                pause = attempts.after_the_end()
            except grpc.RpcError as error:
                pause = attempts.after(error)
            finally:
                frames.cancel()
            time.sleep(pause)

    def frames(self, *sensors: Sensor[Any]) -> Iterator[Frame]:
        """Ticks in synchronous mode until all of some sensors have read in the same tick, again and again.

            with client.synchronous(0.05):
                for frame in client.frames(camera, lidar):
                    picture, cloud = frame[camera], frame[lidar]

        No reading is lost: those of a sensor that reads more often are in `Frame.all`. A turn of a lidar counts as
        read when it is over.

        Raises:
            ClientError: the mode is not synchronous, a sensor is gone, or the sensors never read in the same tick.
        """
        gatherer = FrameGatherer(sensors)
        patience = self.timeout + FIRST_READING_S
        feed = self.feed(gatherer.ids, every=True)
        try:
            feed.wait_begun(patience)
            while True:
                gatherer.begin_tick()
                moment = self.tick()
                while not gatherer.has_reached(moment):
                    gatherer.add(feed.take(patience), patience)
                frame = gatherer.frame(moment)
                if frame is not None:
                    yield frame
        finally:
            feed.close()

    @contextmanager
    def synchronous(self, period: float = 0.02) -> Iterator[Self]:
        """Synchronous mode: time goes on only by `tick`, in steps of `period` [s]; it ends with the block."""
        self.set_synchronous(True, period=period)
        try:
            yield self
        finally:
            self.set_synchronous(False)

    @contextmanager
    def recording(self, name: str = "") -> Iterator[Self]:
        """Record the run under a name until the end of the block."""
        self.start_recording(name)
        try:
            yield self
        finally:
            self.stop_recording()

    def _ask(self, asked: Call, attempts: Attempts) -> Any:
        stub = self._stub(asked.method)
        while True:
            try:
                return _guarded(stub, asked.request, timeout=attempts.left, metadata=asked.metadata)
            except grpc.RpcError as error:
                time.sleep(attempts.after(error))


def _guarded(stub: Any, request: Any, **options: Any) -> Any:
    """Call a stub.

    Raises:
        ClientError: the client is closed.
    """
    try:
        return stub(request, **options)
    except ValueError as error:
        raise ClientError(f"the call cannot be made: {error}", "the client is closed; connect again") from None


def connect(
    address: str | None = None,
    *,
    run: str | PathLike[str] | None = None,
    key: str = "",
    timeout: float = 10.0,
    certificate: bytes | None = None,
) -> Client:
    """A client of a simulator that answers; arguments as of `Client`.

    Raises:
        ClientError: the address is none, there is no such run, or no simulator answers there in time.
    """
    client = Client(address, run=run, key=key, timeout=timeout, certificate=certificate)
    try:
        return client.connect()
    except BaseException:
        client.close()
        raise
