"""The example drives laps on the built-in town, over real sockets, in processes of their own."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.loaded import loaded_command
from tests.port import free_port, ports_free_together

EXAMPLE = Path(__file__).parents[2] / "examples" / "drive_lap.py"


def driven(folder: Path, speed: str, laps: float) -> float:
    """Drive laps; returns the largest distance from the path [m]."""
    status, control = free_port(), free_port()
    network = folder / "net.toml"
    network.write_text(
        f'[[listen]]\naddress = "127.0.0.1:{control}"\n\n'
        f'[[send]]\nmessage = "EgoVehicleStatus"\nto = "127.0.0.1:{status}"\n'
    )
    command = [*loaded_command(), "run", "-q", "--network", str(network), "--data", str(folder), "--speed", speed]
    simulator = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
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


def test_the_example_of_two_vehicles_drives_both_each_by_its_own_ports(tmp_path):
    first, told = ports_free_together(2), ports_free_together(2)
    network = tmp_path / "net.toml"
    network.write_text(
        f'[[listen]]\naddress = "127.0.0.1:{first}"\n\n'
        f'[[send]]\nmessage = "EgoVehicleStatus"\nto = "127.0.0.1:{told}"\n'
    )
    asked = ["--config", str(EXAMPLE.with_name("two_egos.toml")), "--network", str(network), "--speed", "3"]
    command = [
        *loaded_command(),
        "run",
        *asked,
        "--data",
        str(tmp_path),
        "--grpc",
        "off",
        "--ros-server",
        "off",
        "--no-view",
    ]
    simulator = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ports = ["--status-port", str(told), "--control-port", str(first), "--metres", "150"]
    try:
        assert simulator.stderr is not None
        assert any("Ctrl-C ends" in line for line in simulator.stderr), "it runs"
        done = subprocess.run(
            [sys.executable, str(EXAMPLE.with_name("drive_two.py")), *ports],
            capture_output=True,
            text=True,
            timeout=200,
            check=True,
        )
    finally:
        simulator.send_signal(signal.SIGINT)
        output, _ = simulator.communicate(timeout=20)
    assert "bad: 0" in output
    assert "EgoVehicleStatus of ego 2" in output
    told_apart = re.search(r"both have driven 150 m, at least (\d+) m apart", done.stdout)
    assert told_apart is not None
    assert int(told_apart[1]) >= 15
