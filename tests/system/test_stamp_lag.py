"""Stamps against the wall clock in real time, with sensors that take long to build."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import time
from pathlib import Path

import pytest

from tests.loaded import COMMAND

MARKS = (1.0, 10.0, 60.0)
"""Wall time after the first status [s]."""
MOST = 0.030
"""By how much a stamp may differ from the wall clock when its datagram is there [s]."""
CAMERA = """
[[sensor]]
kind = "camera"
rate_hz = 5.0
position = [1.5, {y}, 1.4]
to = "127.0.0.1:{port}"

[sensor.settings]
width = 96
height = 54
"""
LIDAR = """
[[sensor]]
kind = "lidar_3d"
rate_hz = 10.0
position = [1.2, 0.0, 1.9]
to = "127.0.0.1:{port}"
"""


def lags(folder: Path, cache: Path) -> dict[float, float]:
    """By how much stamps lag at each mark [s]: the least of a tenth of a second, as one datagram may be late."""
    folder.mkdir()
    ear, sink = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    with ear, sink:
        for one in (ear, sink):
            one.bind(("127.0.0.1", 0))
        ear.settimeout(900.0)
        port = sink.getsockname()[1]
        sensors = "".join(CAMERA.format(y=y, port=port) for y in (-0.5, 0.0, 0.5)) + LIDAR.format(port=port)
        (folder / "run.toml").write_text(sensors)
        send = f'[[send]]\nmessage = "EgoVehicleStatus"\nto = "127.0.0.1:{ear.getsockname()[1]}"\n'
        (folder / "net.toml").write_text(f"listen = []\n{send}")
        options = ["-q", "--config", "run.toml", "--network", "net.toml", "--data", ".", "--no-view"]
        command = [*COMMAND, "run", *options, "--grpc", "off", "--ros-server", "off"]
        with subprocess.Popen(command, cwd=folder, env=os.environ | {"XDG_CACHE_HOME": str(cache)}) as run:
            try:
                return _lags(ear)
            finally:
                run.send_signal(signal.SIGINT)


def _lags(ear: socket.socket) -> dict[float, float]:
    found: dict[float, float] = {}
    first = None
    while len(found) < len(MARKS) or time.time() < first + MARKS[-1] + 0.2:
        data, wall = ear.recv(1000), time.time()
        first = wall if first is None else first
        seconds, nanoseconds = struct.unpack_from("<2i", data, 27)
        lag = wall - seconds - nanoseconds * 1e-9
        for mark in MARKS:
            if mark <= wall - first < mark + 0.1:
                found[mark] = min(found.get(mark, lag), lag, key=abs)
    return found


@pytest.mark.soak
def test_stamps_are_the_wall_clock_with_a_cold_and_a_warm_cache(tmp_path):
    """Three cameras and a VLP-16, at 1, 10 and 60 s."""
    for name in ("cold", "warm"):
        found = lags(tmp_path / name, tmp_path / "cache")
        print(name, {mark: f"{lag * 1e3:.1f} ms" for mark, lag in found.items()})
        assert all(abs(lag) <= MOST for lag in found.values()), (name, found)
