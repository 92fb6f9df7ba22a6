"""The example receives what sensors send, over real sockets, in processes of their own."""

from __future__ import annotations

import csv
import re
import runpy
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.loaded import loaded_command
from tests.port import free_port

EXAMPLE = Path(__file__).parents[2] / "examples" / "sensor_listen.py"
SENSORS = EXAMPLE.with_name("sensors.toml")
PORTS = {"camera": 1232, "lidar": 2368, "gps": 1234, "imu": 1236}


def test_the_example_saves_what_it_gets(tmp_path):
    text, arguments = SENSORS.read_text().replace("1280", "320").replace("720", "240").replace("= 50", "= 5"), []
    for name, port in PORTS.items():
        free = free_port()
        text = text.replace(f":{port}", f":{free}")
        arguments += [f"--{name}-port", str(free)]
    config, network = tmp_path / "sensors.toml", tmp_path / "network.toml"
    config.write_text(text)
    network.write_text("listen = []\nsend = []\n")
    listen = [*arguments, "--out", str(tmp_path), "--seconds", "240", "--wait", "240"]
    command = [*loaded_command(), "run", "-q", "--config", str(config), "--network", str(network), "--speed", "0.5"]
    with subprocess.Popen([sys.executable, str(EXAMPLE), *listen], stdout=subprocess.PIPE, text=True) as listener:
        try:
            run = subprocess.run(
                [*command, "--data", str(tmp_path), "--duration", "1.005", "--epoch", "1700000000"],
                capture_output=True,
                text=True,
                timeout=400,
                check=False,
            )
            assert run.returncode == 0, run.stdout + run.stderr
            time.sleep(1.0)  # what is on its way comes
            listener.send_signal(signal.SIGINT)
            told, _ = listener.communicate(timeout=60)
        finally:
            listener.kill()
    found = re.fullmatch(
        r"(\d+) pictures, (\d+) boxes; (\d+) lidar packets, (\d+) turns; (\d+) GPS sentences; (\d+) IMU samples\n", told
    )
    assert found is not None, told + run.stdout + run.stderr
    pictures, _, packets, turns, sentences, samples = map(int, found.groups())
    assert (pictures, sentences, samples) == (20, 10, 50)
    assert 750 <= packets <= 762, "754 a second, for 1.01 s"
    assert turns in (9, 10)
    first = (tmp_path / "camera_0000.jpg").read_bytes()
    assert (first[:2], first[-2:]) == (b"\xff\xd8", b"\xff\xd9")
    with (tmp_path / "turn_0001.csv").open() as file:
        points = [[float(value) for value in row] for row in csv.reader(file)]
    assert len(points) > 5_000
    ground = [point[2] for point in points if abs(point[0]) < 8 and abs(point[1]) < 5]
    assert abs(sorted(ground)[len(ground) // 2] + 1.9) < 0.2


@pytest.mark.parametrize(("first", "turns"), [(0, 2), (18_000, 1)])
def test_the_example_saves_whole_turns_only(tmp_path, first, turns):
    lidar = runpy.run_path(str(EXAMPLE))["Lidar"](tmp_path)
    for start in range(first, 2 * 36_000 + 1_200, 1_200):
        blocks = (
            struct.pack("<2H", 0xEEFF, (start + 100 * n) % 36_000) + struct.pack("<HB", 500, 9) * 32 for n in range(12)
        )
        lidar.take(b"".join(blocks) + bytes(4) + b"\x37\x22")
    assert lidar.turns == turns
    for number in range(turns):
        assert len((tmp_path / f"turn_{number:04d}.csv").read_text().splitlines()) == 360 * 32


def test_the_example_uses_the_standard_library_only():
    names = re.findall(r"^(?:from|import) (\w+)", EXAMPLE.read_text(), re.MULTILINE)
    assert set(names) <= {*sys.stdlib_module_names, "run_ports"}, "run_ports.py lies beside it"
