"""A program drives the ego vehicle of a scenario by UDP: it passes a cut-in if it brakes, and fails if it does not."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from dorosim.app.cli.exit_code import ExitCode
from dorosim.endpoint.loop import lockstep
from tests.app.command import dorosim
from tests.port import free_port
from tests.source import ROOT

CUT_IN = ROOT / "examples/scenario/cut_in.xosc"
STACK = ROOT / "examples/scenario/brake_stack.py"
NETWORK = """[[listen]]
address = "127.0.0.1:{control}"
[[send]]
message = "EgoVehicleStatus"
to = "127.0.0.1:{status}"
[[send]]
message = "ObjectInfo"
to = "127.0.0.1:{things}"
"""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine has longer for the answers of a program."""
    monkeypatch.setattr(lockstep, "REPLY_TIMEOUT_S", 3.0)


class Case:
    """A run with a stack beside it, on ports of their own.

    Attributes:
        code: exit status of the run. told: what it printed. trace: its places.
    """

    def __init__(self, folder: Path, *options: str, stack: tuple[str, ...] | None = ()) -> None:
        ports = {name: free_port() for name in ("control", "status", "things")}
        net, trace = folder / "net.toml", folder / "trace.csv"
        net.write_text(NETWORK.format(**ports))
        client = None
        if stack is not None:
            names = ("--status-port", "--object-port", "--control-port")
            numbers = (ports["status"], ports["things"], ports["control"])
            given = [f"{name}={number}" for name, number in zip(names, numbers, strict=True)]
            client = subprocess.Popen([sys.executable, STACK, *given, *stack], stdout=subprocess.PIPE, text=True)
        try:
            if client is not None:
                assert client.stdout is not None
                assert client.stdout.readline() == "waiting for a status\n"
            played = ("--ego", "udp", "--network", net, "--no-collision", "--trace", trace)
            run = dorosim("scenario", "run", CUT_IN, *played, *options)
        finally:
            if client is not None:
                client.kill()
                client.communicate()
        self.code, self.told = run.returncode, run.stdout
        self.trace = trace.read_bytes()


def verdicts(tmp_path: Path, repetitions: int, *options: str) -> None:
    """Each of the two programs gets the same verdict every time."""
    for _ in range(repetitions):
        braking = Case(tmp_path, *options)
        assert braking.told.splitlines()[-1].startswith("pass: the stop trigger is met; 1 criterion held (6.00 s")
        assert braking.code == ExitCode.OK
        blind = Case(tmp_path, *options, stack=("--blind",))
        assert blind.told.splitlines()[-1].startswith("fail: no collision: collision at")
        assert blind.code == ExitCode.FOUND


def test_the_verdict_is_the_same_in_lockstep(tmp_path):
    verdicts(tmp_path, 1, "--lockstep")
    one, other = (Case(tmp_path, "--lockstep").trace for _ in range(2))
    assert one == other, "the same bits, not only the same verdict"
    rows = [row for row in csv.DictReader(one.decode().splitlines()) if row["name"] == "Ego"]
    assert float(rows[0]["speed"]) == 20.0, "init applies"
    assert float(rows[-1]["speed"]) < 14.0, "the program drives"


def test_the_verdict_is_the_same_in_real_time(tmp_path):
    verdicts(tmp_path, 1)


def test_a_program_that_does_not_answer_breaks_the_run(tmp_path):
    silent = Case(tmp_path, "--lockstep", stack=("--mute-after", "40"))
    why = "broken: no command of the program by UDP came 3 s after a status"
    assert silent.told.splitlines()[-1].startswith(f"{why} (0.7"), "40 answers, 20 ms each"
    assert silent.code == ExitCode.FOUND


def ros_stack(url: str, answers: list[float]) -> None:
    """Answers each status of the ego vehicle over rosbridge: it brakes after 0.8 s. Ends with the run."""
    end = time.monotonic() + 120.0
    while time.monotonic() < end:
        with suppress(OSError), connect(url) as server:
            server.send(json.dumps({"op": "subscribe", "topic": "/Ego_topic", "type": "morai_msgs/EgoVehicleStatus"}))
            server.send(json.dumps({"op": "advertise", "topic": "/ctrl_cmd", "type": "morai_msgs/CtrlCmd"}))
            with suppress(ConnectionClosed):
                while True:
                    message = json.loads(server.recv())
                    if message["op"] != "publish":
                        continue
                    answers.append(message["msg"]["velocity"]["x"])
                    command = {"longlCmdType": 1, "accel": 0.0, "brake": 0.6 if len(answers) > 40 else 0.0}
                    command |= {"steering": 0.0, "velocity": 0.0, "acceleration": 0.0}
                    server.send(json.dumps({"op": "publish", "topic": "/ctrl_cmd", "msg": command}))
            return
        time.sleep(0.02)


def test_a_program_drives_by_ros_in_lockstep(tmp_path):
    traces = []
    for number in range(2):
        port, answers, trace = free_port(), [], tmp_path / f"{number}.csv"
        stack = threading.Thread(target=ros_stack, args=(f"ws://127.0.0.1:{port}", answers))
        stack.start()
        played = ("--ego", "ros", "--lockstep", "--no-collision", "--trace", trace, "--port-offset", str(port - 9090))
        run = dorosim("scenario", "run", CUT_IN, *played)
        stack.join()
        assert run.stdout.splitlines()[-1].startswith("pass: the stop trigger is met; 1 criterion held (6.00 s")
        assert 300 <= len(answers) < 400, "one for each status, 50 a second, and those of the start"
        traces.append(trace.read_bytes())
    assert traces[0] == traces[1], "the same bits"


@pytest.mark.soak
@pytest.mark.parametrize("options", [("--lockstep",), ()])
def test_twenty_repetitions_have_one_verdict(tmp_path, options):
    verdicts(tmp_path, 20, *options)
