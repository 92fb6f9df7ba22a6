"""The example drives laps on the built-in town, over real sockets, in processes of their own."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.port import free_port

EXAMPLE = Path(__file__).parents[2] / "examples" / "drive_lap.py"


def driven(folder: Path, speed: str, laps: float) -> float:
    """Drive laps; returns the largest distance from the path [m]."""
    status, control = free_port(), free_port()
    network = folder / "net.toml"
    network.write_text(
        f'[[listen]]\naddress = "127.0.0.1:{control}"\n\n'
        f'[[send]]\nmessage = "EgoVehicleStatus"\nto = "127.0.0.1:{status}"\n'
    )
    command = ["-m", "dorosim", "run", "-q", "--network", str(network), "--data", str(folder), "--speed", speed]
    simulator = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True)
    ports = ["--status-port", str(status), "--control-port", str(control)]
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), *ports, "--laps", str(laps)],
        capture_output=True,
        text=True,
        timeout=400,
        check=True,
    )
    simulator.send_signal(signal.SIGINT)
    output, _ = simulator.communicate(timeout=20)
    assert "bad: 0" in output
    told = re.search(r"(\d+) m in [\d.]+ s, at most ([\d.]+) m beside the path\n$", done.stdout)
    assert told is not None
    assert float(told[1]) >= 2460 * laps
    return float(told[2])


def test_the_example_holds_the_lane(tmp_path):
    assert driven(tmp_path, "5", 0.25) < 1.0


@pytest.mark.soak
def test_the_example_drives_a_whole_lap_in_real_time(tmp_path):
    assert driven(tmp_path, "realtime", 1.0) < 1.0


def test_the_example_uses_the_standard_library_only():
    names = re.findall(r"^(?:from|import) (\w+)", EXAMPLE.read_text(), re.MULTILINE)
    assert set(names) <= sys.stdlib_module_names
