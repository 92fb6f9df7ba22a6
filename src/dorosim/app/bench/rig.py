"""A whole rig in real time: one camera of 1280 x 720 at 20 Hz, one VLP-16, IMU, GPS and radar among 50 NPC vehicles."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from dorosim.app.bench.figure import Figure
from dorosim.app.bench.port import free_port
from dorosim.app.build import build
from dorosim.app.sensor.store import open_station, plan_sensors
from dorosim.app.setting.settings import SensorRow, Settings
from dorosim.endpoint.clock import PacedClock
from dorosim.endpoint.epoch import Stamps
from dorosim.endpoint.journal import Journal, silent
from dorosim.endpoint.loop import Loop
from dorosim.ground.noise import Noise
from dorosim.scenario.population import population
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.step import step

SECONDS = 10.0
"""Simulated time that is measured, after `WARM` [s]."""
WARM = 2.0
NPCS = 50
CAMERA_HZ, GPS_HZ, IMU_HZ = 20, 5, 50
LIDAR_HZ = 1e6 / (12 * 110.592)
"""Packets of a VLP-16 a second: 12 blocks of 110.592 us each (VLP-16 manual)."""


def figures() -> Iterator[Figure]:
    """Simulated over wall time, packets that are missing, and the load."""
    ports = {name: free_port() for name in ("camera", "lidar_3d", "gps", "imu")}
    to = {name: f"127.0.0.1:{port}" for name, port in ports.items()}
    rows = (
        SensorRow(
            kind="camera",
            position=(1.5, 0.0, 1.4),
            rate_hz=CAMERA_HZ,
            to=to["camera"],
            settings={"width": 1280, "height": 720, "boxes": True},
        ),
        SensorRow(kind="lidar_3d", position=(1.2, 0.0, 1.9), rate_hz=10.0, to=to["lidar_3d"]),
        SensorRow(kind="gps", to=to["gps"], rate_hz=GPS_HZ),
        SensorRow(kind="imu", to=to["imu"], rate_hz=IMU_HZ),
        SensorRow(kind="radar", position=(3.7, 0.0, 0.6)),
    )
    settings = Settings(seed=1, sensor=rows)
    with TemporaryDirectory() as folder:
        ready = build(settings, Path(folder))
        plan = plan_sensors(settings, Path(folder), ready.first)
    noise, clock, journal = Noise(settings.seed), PacedClock(), Journal(silent)
    station = open_station(
        plan, ready, noise, settings, revision=DEFAULT_REVISION, stamped=Stamps(), journal=journal, clock=clock
    )
    crowd = population(ready.scene, ready.first, noise, NPCS, 0)
    step(ready.scene, ready.first, (*crowd, *plan.commands), noise)
    loop = Loop(ready.scene, ready.first, noise, clock, None, (station,), journal, (*crowd, *plan.commands))
    loop.run(round(WARM * 1e9))
    before, started, busy = dict(station.sent), time.perf_counter(), time.process_time()
    loop.run(round(SECONDS * 1e9))
    wall, load = time.perf_counter() - started, time.process_time() - busy
    readings, waits = station.readings, station.waits
    sent = {name: count - before.get(name, 0) for name, count in station.close().items()}
    told = ", ".join(f"{count} {name}" for name, count in sent.items())
    expected = {"lidar_3d": LIDAR_HZ, "gps": 2 * GPS_HZ, "imu": IMU_HZ, "camera": CAMERA_HZ}
    missing = sum(max(0.0, rate * SECONDS * 0.995 - 1 - sent.get(name, 0)) for name, rate in expected.items())
    detail = f"{SECONDS:g} s in {wall:.2f} s; {readings} readings, {told}; the loop waited {waits} times"
    yield Figure("rig of 5 sensors with 50 NPC vehicles, to real time", SECONDS / wall, "x", 0.99, detail=detail)
    yield Figure("packets of the rig that were not sent", round(missing), "", 0, at_most=True, detail=told)
    cores = f"{load:.1f} s of CPU in {wall:.1f} s, {os.cpu_count()} cores"
    yield Figure("load of the rig in real time", load / wall, "cores", 2.0, at_most=True, detail=cores)
