"""The process that the picture figures measure: a gRPC server with a camera whose pictures cost nothing.

`python -m tools.bench.picture_host` prints its port, then the processor time that it has used [s] as JSON after each
line on its standard input, until that ends. Each picture is another one of a few that are made at the start.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import threading
import time
from types import SimpleNamespace
from typing import Any

import numpy as np

from dorosim.endpoint.loop.tick_notifier import TickNotifier
from dorosim.endpoint.sensor.interface import Heard, Listener
from dorosim.sensor.reading import CameraReading
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.effect import mounts_after
from dorosim.world.mount.setting import CameraSettings
from dorosim.world.snapshot import EGO, Snapshot
from tools.bench.grpc_host import serve_loop
from tools.bench.peer import say
from tools.bench.world import ready

WIDTH, HEIGHT, RATE = 1280, 720, 30
"""Of the pictures [pixels], [Hz]."""
_PICTURES = 6


class PictureStation:
    """Sensors of which one takes pictures, which are there already.

    Args:
        now: the snapshot that they show.
    """

    def __init__(self, now: Snapshot) -> None:
        self._now = now
        self._listeners: tuple[Listener, ...] = ()
        noise = np.random.default_rng(1).integers(0, 255, (_PICTURES, HEIGHT, WIDTH, 3), np.uint8)
        self._images = list(noise)

    def listen(self, listener: Listener) -> None:
        """As of `LateStation`."""
        self._listeners = (*self._listeners, listener)

    def unlisten(self, listener: Listener) -> None:
        """As of `LateStation`."""
        self._listeners = tuple(one for one in self._listeners if one is not listener)

    def run(self) -> None:
        """Give pictures at the rate, for ever."""
        begin, number = time.monotonic(), 0
        while True:
            number += 1
            time.sleep(max(begin + number / RATE - time.monotonic(), 0.0))
            at = number * 1_000_000_000 // RATE
            now = dataclasses.replace(self._now, time=at, tick=number)
            reading = CameraReading(sensor=1, time=at, image=self._images[number % _PICTURES])
            for listener in self._listeners:
                listener(Heard((reading,), now, lambda _: b"", 0))


def main() -> None:
    """Serve."""
    made = ready(1)
    camera = AddSensor(EGO, settings=CameraSettings(width=WIDTH, height=HEIGHT))
    now = dataclasses.replace(made.first, mounts=mounts_after(made.first.mounts, (camera,), 0))
    station = PictureStation(now)
    threading.Thread(target=station.run, daemon=True).start()
    loop: Any = SimpleNamespace(now=now, scene=made.scene, notifier=TickNotifier())
    say(str(serve_loop(loop, made.scene, station)))
    for _ in sys.stdin:
        say(json.dumps({"busy": time.process_time()}))


if __name__ == "__main__":
    main()
