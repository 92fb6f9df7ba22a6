"""A program whose main thread is one of the test's, with the services that the test asks for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from dorosim.app.run.session import RunContext, open_session
from dorosim.app.serve.run_service import RunService
from dorosim.app.serve.run_services import ServiceHost
from dorosim.app.setting.settings import Settings
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock

SPEED = 4.0
"""Factor of simulated over wall time, unless a test tells another."""
FOLDERS = ("Map", "Scenario", "Recording", "SensorData")


def until(happened: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until something has happened."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.005)


class Program:
    """Runs of the town, at four times real time unless told otherwise.

    Attributes:
        data: its data folder. told: lines of its journal. service_host: the program around the world.
    """

    def __init__(self, folder: Path, settings: Settings, speed: float = SPEED) -> None:
        self.data, self.told = folder / "data", []
        for name in FOLDERS:
            (self.data / name).mkdir(parents=True, exist_ok=True)
        self.settings = settings
        self.context = RunContext(given=(), data=self.data, journal=Journal(self.told.append), clock=PacedClock(speed))
        self.service_host = ServiceHost(settings, self.context)

    def add(self, service: Callable[[Settings, RunContext, ServiceHost], RunService]) -> RunService:
        """Add a service, before the start."""
        made = service(self.settings, self.context, self.service_host)
        self.service_host.services.append(made)
        return made

    def start(self) -> None:
        """Begin the first run."""
        session = open_session(self.settings, self.context)
        run = session, session.open_resources(Console(quiet=True))
        self.thread = threading.Thread(target=self._play, args=run)
        self.thread.start()

    def _play(self, *run) -> None:
        waiting = run
        while waiting is not None:
            waiting[0].play(waiting[1], None, self.service_host)
            waiting = self.service_host.switch.take_next()

    @property
    def current(self):
        return self.service_host.switch.current

    @property
    def now(self):
        return self.current.loop.now

    def close(self) -> None:
        self.service_host.switch.stop()
        self.thread.join(60.0)
        self.service_host.close()
