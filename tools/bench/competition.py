"""The sensors of a team in an autonomous driving competition.

Three cameras of 1280 x 720 at 20 Hz, a VLP-16 at 15 Hz, GPS and IMU, on a clear day. On two processors that is more
than real time; what counts is how near to it the run comes, that it uses both of them, and that it reports at its start
how near that will be.
"""

from __future__ import annotations

from collections.abc import Iterator

from dorosim.app.setting.settings import SensorRow
from tools.bench.figure import Figure
from tools.bench.peer import free_address
from tools.bench.sensing import SensorRun

SECONDS = 10.0
"""Simulated time that is measured [s]."""
PACE, CORES, ERROR = 0.7, 1.5, 15.0
"""Targets: of real time, processors, and percent by which the factor reported at the start may be wrong."""
HEADINGS_DEG = (0.0, 55.0, -55.0)
"""Where the cameras look."""


def figures() -> Iterator[Figure]:
    """Simulated over wall time, load, and the error of the factor reported at the start."""
    run = SensorRun(rows(), 0)
    announced = min(run.station.pace or 0.0, 1.0)
    done = run.measure(SECONDS)
    name = "competition: 3 cameras, VLP-16, GPS and IMU, to real time"
    yield Figure(name, done.pace, "x", PACE, detail=done.detail)
    # a run that keeps its pace needs no more than it needs
    wanted = CORES if done.pace < 1.0 - ERROR / 100 else None
    yield Figure("competition: processors used", done.cores, "cores", wanted, detail=done.load)
    detail = f"{announced:.2f} was said at the start, {done.pace:.2f} reached"
    wrong = abs(announced / done.pace - 1.0) * 100
    yield Figure("competition: error of the factor said at the start", wrong, "%", ERROR, at_most=True, detail=detail)


def rows() -> tuple[SensorRow, ...]:
    """The sensors, which send to ports that no process listens to."""
    cameras = [
        SensorRow(
            kind="camera",
            position=(1.5, 0.0, 1.4),
            rotation_deg=(0.0, 0.0, heading),
            rate_hz=20.0,
            to=free_address(),
            settings={"width": 1280, "height": 720},
        )
        for heading in HEADINGS_DEG
    ]
    return (
        *cameras,
        SensorRow(kind="lidar_3d", position=(1.2, 0.0, 1.9), rate_hz=15.0, to=free_address()),
        SensorRow(kind="gps", to=free_address()),
        SensorRow(kind="imu", to=free_address()),
    )
