"""The other sides of the rosbridge figures: clients that listen, and a bare server that sends the same bytes.

`python -m tools.bench.websocket_peer listen URL LENGTHS OPERATIONS` connects, sends operations, and prints "ready"; at
a line on its standard input it prints the latencies of all frames by kind, as soon as one of each kind has come.
`... take` is a server that takes what a rosbridge client publishes, and prints its port; it prints latencies in the
same way, of statuses alone. `... bare` is a server that sends;
it prints its port, then "ready", and reads times as `tools.bench.ros_host` does.
"""

from __future__ import annotations

import asyncio
import json
import struct
import sys
import threading
import time
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.sync.client import connect

from tools.bench.peer import say

LARGE = 100_000
"""Bytes from which on a frame has a cloud, and not a status."""
STAMP = struct.Struct("<II")
"""Of a header, after its number."""
SEQ = 4


class Clock:
    """Latencies by kind of message.

    Args:
        lengths: bytes of the ROS messages, "status" and "cloud": they are the ends of the frames.
        awaited: the kinds of which one message at least is waited for before latencies are printed.
    """

    def __init__(self, lengths: dict[str, int], awaited: tuple[str, ...]) -> None:
        self._lengths, self._awaited = lengths, awaited
        self.found: dict[str, list[float]] = {"status": [], "cloud": []}

    def take(self, frame: bytes) -> None:
        """A frame has come."""
        now = time.time()
        kind = "cloud" if len(frame) > LARGE else "status"
        seconds, rest = STAMP.unpack_from(frame, len(frame) - self._lengths[kind] + SEQ)
        self.found[kind].append(now - seconds - rest * 1e-9)

    def take_text(self, text: str | bytes) -> None:
        """An operation as JSON has come; only those of statuses are read."""
        now = time.time()
        if len(text) < LARGE:
            operation = json.loads(text)
            if operation["op"] == "publish":
                stamp = operation["msg"]["header"]["stamp"]
                self.found["status"].append(now - stamp["secs"] - stamp["nsecs"] * 1e-9)

    def print_when_asked(self) -> None:
        """Print all latencies at the next line of the standard input. It waits for that line on a thread of its own.

        A message may still be under way on a machine that is busy: one of each kind is waited for.
        """
        sys.stdin.readline()
        while not all(self.found[kind] for kind in self._awaited):
            time.sleep(0.01)
        say(json.dumps(self.found))


def listen(url: str, lengths: str, operations: str) -> None:
    """Receive frames until the process is ended."""
    clock = Clock(json.loads(lengths), ("status", "cloud"))
    with connect(url, compression=None, max_size=None) as socket:
        for one in json.loads(operations):
            socket.send(json.dumps(one))
        threading.Thread(target=clock.print_when_asked, daemon=True).start()
        say("ready")
        for frame in socket:
            if isinstance(frame, bytes):
                clock.take(frame)


async def take() -> None:
    """A server that a rosbridge client publishes to; it checks nothing, so that only the client is measured."""
    clock = Clock({}, ("status",))

    async def attend(connection: ServerConnection) -> None:
        async for frame in connection:
            clock.take_text(frame)

    async with serve(attend, "127.0.0.1", 0, compression=None, max_size=None) as server:
        say(str(server.sockets[0].getsockname()[1]))
        await asyncio.to_thread(clock.print_when_asked)


async def bare() -> None:
    """A server that sends frames as they are, with the present time in them."""
    from dorosim.wire.ros.frame import cbor_raw_frame
    from tools.bench.ros_host import CLOUD_PERIOD, REGISTRY, Stage

    stage = Stage("/status", "/cloud")
    stage.on.set()
    made = {"/status": stage.status(), "/cloud": stage.cloud()}
    bodies = {topic: REGISTRY.encode(message) for topic, message in made.items()}
    frames = {topic: bytearray(cbor_raw_frame(topic, 1, body)) for topic, body in bodies.items()}
    come: asyncio.Future[ServerConnection] = asyncio.get_running_loop().create_future()

    async def attend(connection: ServerConnection) -> None:
        come.set_result(connection)
        await connection.wait_closed()

    async def send(topic: str) -> None:
        seconds, rest = divmod(time.time_ns(), 1_000_000_000)
        STAMP.pack_into(frames[topic], len(frames[topic]) - len(bodies[topic]) + SEQ, seconds, rest)
        await (await come).send(frames[topic])

    async def each(topic: str, period: float, seconds: float) -> None:
        start = time.monotonic()
        for number in range(round(seconds / period)):
            await asyncio.sleep(max(0.0, start + number * period - time.monotonic()))
            await send(topic)

    async with serve(attend, "127.0.0.1", 0, compression=None) as server:
        say(str(server.sockets[0].getsockname()[1]))
        await come
        say("ready")
        while line := await asyncio.to_thread(sys.stdin.readline):
            await asyncio.gather(each("/status", 0.01, float(line)), each("/cloud", CLOUD_PERIOD, float(line)))
            await asyncio.sleep(CLOUD_PERIOD)
            say("done")


def main(what: str, *arguments: Any) -> None:
    """Run one of the peers: "listen", "take" or "bare"."""
    if what == "listen":
        listen(*arguments)
    else:
        asyncio.run(take() if what == "take" else bare())


if __name__ == "__main__":
    main(*sys.argv[1:])
