"""A program that was told to end does so, whatever its clients and its ticks are at."""

from __future__ import annotations

import base64
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.run import stop_signal
from dorosim.app.serve import run_services as hosting_module
from dorosim.app.serve.run_services import ServiceHost
from dorosim.endpoint.ros.rosbridge import server as rosbridge
from tests.endpoint.ros.stage import bridged, staged
from tests.endpoint.ros.websocket_peer import client_of
from tests.timing import wait_for


def deaf_client(port: int) -> socket.socket:
    """A websocket that asks for a topic and reads nothing of it."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.connect(("127.0.0.1", port))
    lines = ["GET / HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade"]
    lines += ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: " + base64.b64encode(bytes(16)).decode(), "", ""]
    sock.sendall("\r\n".join(lines).encode())
    body = json.dumps({"op": "subscribe", "topic": "/cloud"}).encode()
    sock.sendall(bytes([0x81, 0x80 | len(body)]) + bytes(4) + body)
    return sock


def test_rosbridge_waits_for_its_goodbye_only(tmp_path):
    """Of clients that read nothing, and of one that says nothing at all, for whom websockets waits ten seconds."""
    waited: list[float | None] = []
    real = rosbridge.asyncio.wait

    async def counted(tasks, *, timeout=None, **rest):
        waited.append(timeout)
        return await real(tasks, timeout=timeout, **rest)

    with staged(tmp_path) as stage, bridged(stage) as server:
        with client_of(server) as good:
            deaf = [deaf_client(server.port) for _ in range(8)]
            silent = socket.create_connection(("127.0.0.1", server.port))
            wait_for(lambda: len(server._peers) == 9)
            for _ in range(200):
                stage.publish("/cloud", data=bytes(100_000))
            good.settle()
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(rosbridge.asyncio, "wait", counted)
                server.close()
        assert not server._thread._thread.is_alive()
        assert {one for one in waited if one is not None} == {rosbridge.CLOSE_TIMEOUT_S}
        for sock in (*deaf, silent):
            sock.close()


def test_interfaces_that_do_not_close_are_not_waited_for(monkeypatch):
    moments = iter(range(100))
    monkeypatch.setattr(hosting_module.time, "monotonic", lambda: float(next(moments)))
    forever, closed = threading.Event(), list[str]()

    class Stuck:
        def close(self) -> None:
            forever.wait(60.0)

    class Quick:
        def close(self) -> None:
            closed.append("quick")

    service_host = ServiceHost.__new__(ServiceHost)
    service_host.services = [Stuck(), Quick()]
    service_host.close(1.5)
    assert closed == ["quick"], "they are closed side by side"
    forever.set()


PROGRAM = """
import os, signal, sys, time
from dorosim.app.run import stop_signal
from dorosim.app.cli.exit_code import ExitCode
stop_signal.STUCK_TIMEOUT_S = 0.2
with stop_signal.StopSignals() as signals:
    if sys.argv[1] != "start":
        signals.lead_to(lambda: None, lambda: sys.argv[1] == "tick", lambda: print("rescued", flush=True))
    stop_signal.at_end(lambda: print("ended", flush=True))
    os.kill(os.getpid(), signal.SIGINT) if sys.argv[1] != "start" else None
    try:
        if sys.argv[1] == "start":
            os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        pass
    time.sleep({"start": 600.0, "tick": 600.0, "closing": 1.0}[sys.argv[1]])
print("came to its end")
"""


@pytest.mark.parametrize(
    ("at", "status", "printed", "told"),
    [
        ("start", ExitCode.INTERRUPTED, ["ended"], "the start was not done"),
        ("tick", ExitCode.INTERRUPTED, ["rescued", "ended"], "a tick was not done"),
        ("closing", ExitCode.OK, ["came to its end", "ended"], ""),
    ],
)
def test_a_main_thread_that_does_not_come_to_its_end_is_not_waited_for(at, status, printed, told):
    """What is closed after the last tick is left to its own limits."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, at], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout.splitlines()) == (status, printed), done.stderr
    assert told in done.stderr


def test_there_is_always_a_little_time_to_close(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(stop_signal.time, "monotonic", lambda: now[0])
    before = signal.getsignal(signal.SIGTERM)
    with stop_signal.StopSignals() as signals:
        assert signals.closing_timeout is None
        signals.lead_to(lambda: None)
        signal.raise_signal(signal.SIGTERM)
        now[0] += 1.0
        assert signals.closing_timeout == pytest.approx(stop_signal.EXIT_TIMEOUT_S - 1.0)
        now[0] += 60.0
        assert signals.closing_timeout == stop_signal.MIN_CLOSING_TIME_S
    assert signal.getsignal(signal.SIGTERM) == before
    stop_signal.StopSignals.came = False


CAMERAS = """
speed = "max"
sensor_threads = 1
[grpc]
enabled = false
[ros]
server = "off"
[view]
enabled = false
"""
CAMERA = """[[sensor]]
kind = "camera"
rate_hz = 100
position = [0, 0, {n}]
settings = {{ width = 3840, height = 2160, samples = 4 }}
"""
NETWORK = "listen = []\nsend = []\n"


@pytest.mark.soak
def test_a_run_whose_ticks_read_big_cameras_ends_and_its_recording_can_be_replayed(tmp_path: Path):
    (tmp_path / "net.toml").write_text(NETWORK)
    config = tmp_path / "cameras.toml"
    config.write_text(CAMERAS + "".join(CAMERA.format(n=1 + 0.1 * n) for n in range(4)))
    record = tmp_path / "run.rec"
    options = ("--config", config, "--network", tmp_path / "net.toml", "--data", tmp_path, "--record", record)
    command = [sys.executable, "-m", "dorosim", "run", *map(str, options)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ) as run:
        assert run.stderr is not None
        for line in run.stderr:
            if "Ctrl-C ends" in line:
                break
        time.sleep(3.0)
        begun = time.monotonic()
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=60.0)
        print(f"ended after {time.monotonic() - begun:.2f} s")
    assert run.returncode in (ExitCode.OK, ExitCode.INTERRUPTED)
    replay = [sys.executable, "-m", "dorosim", "replay", str(record), "--data", str(tmp_path)]
    assert "every snapshot is equal" in subprocess.run(replay, capture_output=True, text=True, check=True).stdout
