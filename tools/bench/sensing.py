"""A run with sensors in this process, at the pace of the clock, for figures."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from dorosim.app.run.build import build
from dorosim.app.serve.sensor.store import open_station, plan_sensors
from dorosim.app.setting.settings import SensorRow, Settings
from dorosim.endpoint.journal import Journal, silent
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.epoch import Stamps
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.sensor.station import SensorStation
from dorosim.ground.noise import Noise
from dorosim.scenario.population import population
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.step import step

WARM = 2.0
"""Simulated time before what is measured [s]."""


@dataclass(frozen=True, slots=True)
class Sensing:
    """What a run did in some simulated time.

    Attributes:
        simulated, wall, busy: time that passed, and that of the processors [s].
        readings: how many. sent: packets by kind. waits: how often the loop waited for the sensors.
    """

    simulated: float
    wall: float
    busy: float
    readings: int
    sent: Mapping[str, int]
    waits: int

    @property
    def detail(self) -> str:
        """What it did, in words."""
        packets = ", ".join(f"{count} {name}" for name, count in self.sent.items())
        pace = f"{self.simulated:g} s in {self.wall:.2f} s"
        return f"{pace}; {self.readings} readings, {packets}; the loop waited {self.waits} times"

    @property
    def load(self) -> str:
        """How busy the processors were, in words."""
        return f"{self.busy:.1f} s of CPU in {self.wall:.1f} s, {os.cpu_count()} cores"

    @property
    def pace(self) -> float:
        """Simulated over wall time."""
        return self.simulated / self.wall

    @property
    def cores(self) -> float:
        """Processors that were busy."""
        return self.busy / self.wall


class SensorRun:
    """A run of the built-in town with sensors.

    Args:
        rows: the sensors. npcs: NPC vehicles.
    """

    def __init__(self, rows: tuple[SensorRow, ...], npcs: int) -> None:
        settings = Settings(seed=1, sensor=rows)
        with TemporaryDirectory() as folder:
            ready = build(settings, Path(folder))
            plan = plan_sensors(settings, Path(folder), ready.first)
        noise, clock, journal = Noise(settings.seed), PacedClock(), Journal(silent)
        self.station: SensorStation = open_station(
            plan, ready, noise, settings, revision=DEFAULT_REVISION, stamped=Stamps(), journal=journal, clock=clock
        )
        crowd = population(ready.scene, ready.first, noise, npcs, 0)
        commands = (*crowd, *plan.commands)
        step(ready.scene, ready.first, commands, noise)
        self._loop = Loop(ready.scene, ready.first, noise, clock, None, (self.station,), journal, commands)

    def measure(self, seconds: float) -> Sensing:
        """Run for `WARM`, then for some simulated time [s], and end."""
        station, loop = self.station, self._loop
        loop.run(round(WARM * 1e9))
        before, started, busy = dict(station.sent), time.perf_counter(), time.process_time()
        loop.run(round(seconds * 1e9))
        wall, load = time.perf_counter() - started, time.process_time() - busy
        readings, waits = station.readings, station.waits
        sent = {name: count - before.get(name, 0) for name, count in station.close().items()}
        return Sensing(seconds, wall, load, readings, sent, waits)
