"""ROS in the real program: roslibpy against the embedded server, and how addresses are chosen."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import pairwise
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.app.command import dorosim
from tests.endpoint.ros.stage import bridged, staged
from tests.endpoint.ros.strict_bridge import strict_bridge
from tests.loaded import loaded_command
from tests.port import free_port

PEER = Path(__file__).with_name("roslibpy_peer.py")


def _run(folder: Path, *arguments: str, timeout: float = 90.0) -> subprocess.CompletedProcess[str]:
    command = [*loaded_command(), "run", "--grpc", "off", "--data", str(folder), *arguments]
    network = folder / "net.toml"
    network.write_text("listen = []\nsend = []\n")
    return subprocess.run(
        [*command, "--network", str(network)], capture_output=True, text=True, timeout=timeout, check=False
    )


def _peer(port: int, *calls: tuple[str, dict]) -> dict:
    command = [sys.executable, str(PEER), str(port), json.dumps(calls)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90.0, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """What a program on roslibpy saw and did."""
    with staged(tmp_path_factory.mktemp("ros"), speed=2.0) as stage, bridged(stage) as server:
        return _peer(server.port, ("/event", {"request": {"gear": 4}}), ("/nothing", {}))


def test_roslibpy_sees_the_car_and_drives_it(found):
    assert found["seen"] >= 400
    stamps = found["stamps"]
    assert {late - early for early, late in pairwise(stamps)} == {20_000_000}
    assert {"header", "position", "velocity", "heading", "accel"} <= set(found["fields"])
    slow, fast = found["speeds"]
    assert abs(slow) < 0.5
    assert fast > 5.0
    (x, y), (there_x, there_y) = found["places"]
    assert (there_x - x) ** 2 + (there_y - y) ** 2 > 100.0


def test_roslibpy_learns_what_there_is(found):
    assert {"/Ego_topic", "/ctrl_cmd"} <= set(found["topics"])
    assert found["type"] == "morai_msgs/EgoVehicleStatus"
    assert found["of_type"] == ["/ctrl_cmd"]
    assert {"/event", "/rosapi/topics", "/rosapi/get_param"} <= set(found["services"])
    assert found["service_type"] == "rosapi/Nodes"
    assert found["services_for_type"] == ["/rosapi/nodes"]
    assert found["time"] >= 10**9
    assert (found["use_sim_time"], found["mine"]) == (False, {"a": [1, 2]})
    assert "/use_sim_time" in found["params"]
    assert "/dorosim" in found["nodes"]
    command = found["details"]["typedefs"][0]
    assert command["type"] == "morai_msgs/CtrlCmd"
    assert command["fieldnames"][:4] == ["longlCmdType", "accel", "brake", "steering"]
    assert command["fieldtypes"][:2] == ["int32", "float64"]
    assert found["request"]["typedefs"][0]["fieldnames"] == ["topic"]
    assert found["response"]["typedefs"][0]["fieldtypes"] == ["string"]


def test_roslibpy_calls_services_of_the_simulator_and_of_another_client(found):
    assert found["double"] == {"value": 42}
    assert found["/event"]["response"]["gear"] == 4
    assert "no service /nothing" in found["/nothing"]


def test_the_program_connects_out_and_the_summary_counts(tmp_path):
    with strict_bridge() as bridge:
        done = _run(tmp_path, "--ros-bridge", f"ws://127.0.0.1:{bridge.port}", "--duration", "4")
    assert done.returncode == 0, done.stderr
    assert bridge.problems == []
    sent = re.search(r"ROS messages sent: .*/Ego_topic (\d+)", done.stdout)
    assert sent is not None
    assert 0 < len(bridge.of("publish", topic="/Ego_topic")) <= int(sent[1])
    assert f"ROS by the rosbridge server at ws://127.0.0.1:{bridge.port}" in done.stderr
    assert "gRPC calls" not in done.stdout


def test_a_busy_address_that_was_given_ends_the_program_before_it_begins(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = _run(tmp_path, "--ros-server", f"127.0.0.1:{port}", "--duration", "1")
    assert done.returncode != 0
    assert f"127.0.0.1:{port}: is in use" in done.stderr
    assert "ticks" not in done.stdout


@pytest.mark.parametrize("url", ["127.0.0.1:9090", "http://x", "ws://", "ws://x:99999"])
def test_a_wrong_bridge_is_refused(tmp_path, url):
    done = dorosim("run", "--grpc", "off", "--data", tmp_path, "--ros-bridge", url, "--duration", "1")
    assert done.returncode != 0
    assert "is not a valid address of a rosbridge server" in done.stderr


def test_off_is_off(tmp_path):
    done = _run(tmp_path, "--ros-server", "off", "--duration", "0.5")
    assert done.returncode == 0
    assert "rosbridge" not in done.stderr


def test_a_bridge_that_is_not_there_is_told_once(tmp_path):
    done = _run(tmp_path, "--ros-bridge", f"ws://127.0.0.1:{free_port()}", "--duration", "3")
    assert done.returncode == 0
    assert done.stderr.count("it is tried again until it answers") == 1


def test_the_program_serves_and_says_goodbye(tmp_path):
    port = free_port()
    network = tmp_path / "net.toml"
    network.write_text("listen = []\nsend = []\n")
    command = [*loaded_command(), "run", "--grpc", "off", "--data", str(tmp_path)]
    more = ["--network", str(network), "--ros-server", f"127.0.0.1:{port}"]
    program = subprocess.Popen([*command, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        with _connected(port) as connection:
            connection.send('{"op": "subscribe", "topic": "/Ego_topic"}')
            assert json.loads(connection.recv(20.0))["msg"]["unique_id"] == 1
            connection.send('{"op": "publish", "topic": "/ctrl_cmd", "msg": {"accel": "much"}}')
            while json.loads(connection.recv(20.0))["op"] != "status":
                pass
            program.send_signal(signal.SIGINT)
            ended = 0
            while not ended:
                try:
                    connection.recv(20.0)
                except ConnectionClosed as error:
                    ended = error.rcvd.code if error.rcvd else 1006
            assert ended == 1001, "going away"
        out, err = program.communicate(timeout=60.0)
    finally:
        program.kill()
    assert program.returncode == 0
    assert f"rosbridge at ws://127.0.0.1:{port}" in err
    assert "accel: a text in place of a number" in err
    assert re.search(r"ROS messages sent: .*/Ego_topic \d+", out)
    assert re.search(r"ROS events: .*refused 1", out)


@contextmanager
def _connected(port: int) -> Iterator[ClientConnection]:
    """A connection as soon as the program serves."""
    deadline = time.monotonic() + 90.0
    while time.monotonic() < deadline:
        with suppress(OSError), connect(f"ws://127.0.0.1:{port}", compression=None, proxy=None) as connection:
            yield connection
            return
        time.sleep(0.02)
    raise AssertionError("it does not serve")


def test_a_default_address_that_is_busy_is_a_notice(tmp_path):
    with ExitStack() as stack:
        with suppress(OSError):  # somebody else has it
            stack.enter_context(socket.create_server(("127.0.0.1", 9090)))
        done = _run(tmp_path, "--duration", "0.5")
    assert done.returncode == 0
    cure = (
        "end that program, or move all ports of this run with --ports auto, or give another address with --ros-server"
    )
    assert re.search(f"notice: rosbridge is not served: 127.0.0.1:9090 is in use by .+; {cure}", done.stderr)
