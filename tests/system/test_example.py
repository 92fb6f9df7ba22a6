"""The example drives laps on the built-in town, over real sockets, in processes of their own."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dorosim.client import connect
from dorosim.testing.program import SimulatorProgram
from tests.loaded import loaded_command
from tests.port import free_port, ports_free_together
from tests.system.stepped_example import EXAMPLES, manners, stepped

EXAMPLE = EXAMPLES / "drive_lap.py"
TRAFFIC = ("--vehicles", "100", "--pedestrians", "20")


@contextmanager
def running(folder: Path) -> Iterator[SimulatorProgram]:
    program = SimulatorProgram(("--no-view", "--ros-server", "off", "--speed", "1"), folder)
    try:
        yield program
    finally:
        program.end()


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not come to it"
        time.sleep(0.04)


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
    ports += ["--light-port", str(free_port()), "--object-port", str(free_port())]
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), *ports, "--laps", str(laps)],
        capture_output=True,
        text=True,
        timeout=400,
        check=True,
    )
    simulator.send_signal(signal.SIGINT)
    output, _ = simulator.communicate(timeout=60)
    assert "bad: 0" in output
    told = re.search(r"(\d+) m in [\d.]+ s, at most ([\d.]+) m beside the path\n$", done.stdout)
    assert told is not None
    assert float(told[1]) >= 2460 * laps
    return float(told[2])


def test_the_example_holds_the_lane(tmp_path):
    assert driven(tmp_path, "3", 0.25) < 1.0


@pytest.mark.soak
def test_the_example_drives_a_whole_lap_in_real_time(tmp_path):
    assert driven(tmp_path, "realtime", 1.0) < 1.0


@pytest.mark.parametrize("wanted", [3.0, 8.0, 16.0])
def test_the_example_holds_a_speed_without_a_change_of_pedals(wanted):
    """On a car with drag that grows with the square of the speed, as by a push of 4 m/s² at full accelerator."""
    folder = str(EXAMPLES)
    sys.path.insert(0, folder)
    try:
        from drive_lap import Pedals
    finally:
        sys.path.remove(folder)
    pedals, speed, told = Pedals(), 0.0, []
    for _ in range(60 * 50):
        accelerator, brake = pedals.set(speed, wanted, 0.02)
        speed = max(0.0, speed + 0.02 * (4.0 * accelerator - 8.0 * brake - 0.1 - 0.0012 * speed * speed))
        told.append((speed, accelerator, brake))
    assert max(speed for speed, _, _ in told) < wanted + 0.35
    late = told[-1500:]
    assert all(abs(speed - wanted) < 0.1 for speed, _, _ in late)
    assert all(brake == 0.0 for _, _, brake in late)
    assert max(one for _, one, _ in late) - min(one for _, one, _ in late) < 0.02


@pytest.mark.parametrize("name", ["drive_lap", "drive_two", "sensor_listen", "lookout", "run_ports"])
def test_the_examples_use_the_standard_library_only(name):
    names = re.findall(r"^(?:from|import) (\w+)", (EXAMPLES / f"{name}.py").read_text(), re.MULTILINE)
    assert set(names) <= {*sys.stdlib_module_names, "drive_lap", "lookout", "run_ports"}


def test_the_example_stops_at_red_and_keeps_limits_and_distances_in_traffic(tmp_path):
    """Two lights: one is green, and one turns green while the car stands before it."""
    before_the_lights = ["--pose", "136.4,74.8,0", *TRAFFIC, "--seed", "1"]
    drive = stepped("drive_lap.py", ["--laps", "0.12"], before_the_lights, tmp_path, 120.0)
    did = manners(drive.recorded)
    assert "stopping at TL000104" in drive.output
    assert did.stood > 3.0
    assert len(did.lights) == 2
    check_manners(did, 290.0)


@pytest.mark.soak
def test_the_example_stops_at_a_light_that_stays_red_for_long(tmp_path):
    drive = stepped("drive_lap.py", ["--laps", "0.25"], [*TRAFFIC, "--seed", "1"], tmp_path, 300.0)
    did = manners(drive.recorded)
    assert "stopping at TL000080" in drive.output
    assert did.stood > 5.0
    assert len(did.lights) == 3
    check_manners(did, 620.0)


@pytest.mark.soak
@pytest.mark.parametrize("seed", ["2", "3", "4"])
def test_the_example_drives_whole_laps_in_traffic_without_a_fault(tmp_path, seed):
    drive = stepped("drive_lap.py", ["--laps", "1"], [*TRAFFIC, "--seed", seed], tmp_path, 900.0)
    did = manners(drive.recorded)
    assert len(did.lights) == 6
    check_manners(did, 2460.0)


def check_manners(did, distance):
    assert did.collisions == []
    assert did.reds == []
    assert did.over_limit < 0.3
    assert did.beside < 1.0
    assert did.distance > distance
    assert did.last_speed == pytest.approx(0.0, abs=0.1)


def test_the_example_drives_by_its_camera(tmp_path):
    run = ["--config", str(EXAMPLES / "camera_lane.toml")]
    drive = stepped("camera_lane.py", ["--metres", "210"], run, tmp_path, 60.0, 0.05)
    check_manners(manners(drive.recorded), 205.0)


def test_the_example_stops_behind_a_parked_car_by_its_lidar(tmp_path):
    run = ["--config", str(EXAMPLES / "lidar_stop.toml")]
    drive = stepped("lidar_stop.py", [], run, tmp_path, 60.0, 0.1)
    check_manners(manners(drive.recorded), 45.0)
    told = re.search(r"stopped after \d+ m, ([\d.]+) m behind another", drive.output)
    assert told is not None, drive.output
    last = list(drive.recorded.snapshots())[-1]
    length = [drive.recorded.ready.scene.models[int(model)] for model in last.vehicle.model]
    front = float(last.vehicle.x[0]) + length[0].wheelbase + length[0].front_overhang
    gap = float(last.vehicle.x[1]) - length[1].rear_overhang - front
    assert 2.0 < gap < 10.0
    assert gap == pytest.approx(float(told[1]), abs=1.0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_example_brakes_when_it_is_stopped(tmp_path, number):
    with running(tmp_path) as program, connect(program.run.grpc) as client:
        command = [sys.executable, str(EXAMPLE), "--run", program.run.id]
        example = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            wait_for(lambda: client.state().speed > 3.0)
            example.send_signal(number)
            output, _ = example.communicate(timeout=60)
        finally:
            example.kill()
        assert example.returncode == 0
        assert "braking" in output
        wait_for(lambda: client.state().speed < 0.05)
        assert client.state().brake > 0.4


def test_the_example_explains_a_taken_port_and_a_run_that_is_not_there(tmp_path):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, str(EXAMPLE), "--status-port", port], capture_output=True, text=True, check=False
        )
    assert done.returncode == 1
    assert f"drive_lap.py: port {port} is in use by another program" in done.stderr
    assert "--ports auto" in done.stderr
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), "--run", "nobody"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "there is no run 'nobody'; runs of this machine: " in done.stderr
    assert "Traceback" not in done.stderr


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
        output, _ = simulator.communicate(timeout=60)
    assert "bad: 0" in output
    assert "EgoVehicleStatus of ego 2" in output
    told_apart = re.search(r"both have driven 150 m, at least (\d+) m apart", done.stdout)
    assert told_apart is not None
    assert int(told_apart[1]) >= 15
