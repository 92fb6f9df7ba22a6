"""A whole rig in real time: one camera of 1280 x 720 at 20 Hz, one VLP-16, IMU, GPS and radar among 50 NPC vehicles."""

from __future__ import annotations

from collections.abc import Iterator

from dorosim.app.setting.settings import SensorRow
from tools.bench.figure import Figure
from tools.bench.peer import free_address
from tools.bench.sensing import SensorRun

SECONDS = 10.0
"""Simulated time that is measured [s]."""
NPCS = 50
CAMERA_HZ, GPS_HZ, IMU_HZ = 20, 5, 50
LIDAR_HZ = 1e6 / (12 * 110.592)
"""Packets of a VLP-16 a second: 12 blocks of 110.592 us each (VLP-16 manual)."""


def figures() -> Iterator[Figure]:
    """Simulated over wall time, packets that are missing, and the load."""
    rows = (
        SensorRow(
            kind="camera",
            position=(1.5, 0.0, 1.4),
            rate_hz=CAMERA_HZ,
            to=free_address(),
            settings={"width": 1280, "height": 720, "boxes": True},
        ),
        SensorRow(kind="lidar_3d", position=(1.2, 0.0, 1.9), rate_hz=10.0, to=free_address()),
        SensorRow(kind="gps", to=free_address(), rate_hz=GPS_HZ),
        SensorRow(kind="imu", to=free_address(), rate_hz=IMU_HZ),
        SensorRow(kind="radar", position=(3.7, 0.0, 0.6)),
    )
    done = SensorRun(rows, NPCS).measure(SECONDS)
    expected = {"lidar_3d": LIDAR_HZ, "gps": 2 * GPS_HZ, "imu": IMU_HZ, "camera": CAMERA_HZ}
    missing = sum(max(0.0, rate * SECONDS * 0.995 - 1 - done.sent.get(name, 0)) for name, rate in expected.items())
    yield Figure("rig of 5 sensors with 50 NPC vehicles, to real time", done.pace, "x", 0.99, detail=done.detail)
    yield Figure("packets of the rig that were not sent", round(missing), "", 0, at_most=True, detail=done.detail)
    yield Figure("load of the rig in real time", done.cores, "cores", 2.0, at_most=True, detail=done.load)
