"""The runs that the figures of the page are measured in. As a process: one in real time that prints how it keeps it.

`python -m tools.bench.page_host FOLDER` prints the address of its page when its beginning is over. For each line of its
standard input, which is a number of seconds, it prints how the loop kept its time in them, as JSON.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rich.console import Console

from dorosim.app.run.build import build
from dorosim.app.run.session import RunContext, open_session
from dorosim.app.serve.run_services import ServiceHost
from dorosim.app.serve.view_service import ViewService
from dorosim.app.setting.settings import GrpcSettings, Settings, TrafficSettings, UdpSettings, ViewSettings
from dorosim.endpoint.journal import Journal, silent
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.loop.pace_monitor import PaceMonitor
from dorosim.ground.column import FloatArray
from dorosim.ground.noise import Noise
from dorosim.scenario.population import population
from tools.bench.peer import say

VEHICLES, PEDESTRIANS = 180, 19
"""With the ego vehicle 200 actors."""
LOOK = 2.0
"""Wall time from one look at the meter to the next [s]; it remembers some more."""
WARM = 300
"""Ticks before it prints its address: the first ones load kernels and put all actors into the world."""
NETWORK = """
listen = []
[[send]]
message = "EgoVehicleStatus"
to = "127.0.0.1:9"
[[send]]
message = "ObjectInfo"
to = "127.0.0.1:9"
"""


@contextmanager
def two_loops() -> Iterator[dict[bool, Loop]]:
    """The same run twice, as fast as possible: with a page beside it that no browser opens (True), and without."""
    with TemporaryDirectory() as folder:
        settings = _settings(Path(folder))
        _, service = _served(settings, Path(folder), PacedClock(None))
        ready, noise = build(settings, Path(folder)), Noise(settings.seed)
        crowd = population(ready.scene, ready.first, noise, VEHICLES, PEDESTRIANS)
        loops = {
            page: Loop(ready.scene, ready.first, noise, PacedClock(None), observers=observers, opening=crowd)
            for page, observers in ((False, ()), (True, tuple(service.observers)))
        }
        for one in loops.values():
            one.turn()
        try:
            yield loops
        finally:
            service.close()


def tick_times(loop: Loop, ticks: int) -> FloatArray:
    """`(ticks,)` processor time of each tick from the beginning of the run [s], which is the same each time."""
    times, clock = np.zeros(ticks + 1), time.thread_time
    loop.reset()
    loop.turn()
    for tick in range(ticks):
        times[tick] = clock()
        loop.turn()
    times[ticks] = clock()
    found: FloatArray = np.diff(times)
    return found


def _served(settings: Settings, folder: Path, clock: PacedClock) -> tuple[ServiceHost, ViewService]:
    """The program around a run, and its page."""
    context = RunContext(given=(), data=folder, journal=Journal(silent), clock=clock)
    service_host = ServiceHost(settings, context)
    return service_host, ViewService(settings, context, service_host)


def _settings(folder: Path, vehicles: int = 0, pedestrians: int = 0) -> Settings:
    network = folder / "network.toml"
    network.write_text(NETWORK)
    return Settings(
        seed=1,
        udp=UdpSettings(network=str(network)),
        grpc=GrpcSettings(enabled=False),
        view=ViewSettings(address="127.0.0.1:0"),
        traffic=TrafficSettings(vehicles=vehicles, pedestrians=pedestrians),
    )


def _processor_time(process: int) -> float:
    """That a process has used [s]."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _measured(service_host: ServiceHost, service: ViewService, seconds: float) -> dict[str, Any]:
    """How the loop keeps its time from now on."""
    page = service.page_process
    parts = {"run": os.getpid()} | ({"page": page} if page else {})
    before, shown, begun = {name: _processor_time(one) for name, one in parts.items()}, service.shown, time.monotonic()
    looks = []
    while (left := seconds - (time.monotonic() - begun)) > 0.0:
        time.sleep(min(left, LOOK))
        looks.append(service_host.meter.late(LOOK))
    wall = time.monotonic() - begun
    load = {name: (_processor_time(one) - before[name]) / wall for name, one in parts.items()}
    late = np.concatenate(looks)
    p50, p99 = np.percentile(late, (50, 99)).tolist()
    return {
        "ticks": len(late),
        "p50": p50,
        "p99": p99,
        "most": float(late.max()),
        "factor": service_host.meter.figures().factor,
        "frames": service.shown - shown,
        "page": 0.0,
        **load,
    }


def warm_up(meter: PaceMonitor) -> None:
    """Wait until the beginning of the run is over.

    Args:
        meter: notes each tick of it.
    """
    while meter.figures().ticks < WARM:
        time.sleep(0.05)


def main(folder: Path) -> None:
    """One run in real time, until its standard input ends."""
    settings = _settings(folder, VEHICLES, PEDESTRIANS)
    clock = PacedClock()
    service_host, service = _served(settings, folder, clock)
    service_host.metered = True
    service_host.services.append(service)
    session = open_session(settings, RunContext(given=(), data=folder, journal=Journal(silent), clock=clock))

    def answer() -> None:
        warm_up(service_host.meter)
        say(service.url)
        for line in sys.stdin:
            say(json.dumps(_measured(service_host, service, float(line))))
        service_host.switch.stop()

    threading.Thread(target=answer, daemon=True).start()
    resources = session.open_resources(Console(quiet=True))
    gc.freeze()
    session.play(resources, None, service_host)
    service_host.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
