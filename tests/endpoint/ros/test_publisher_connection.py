"""The native ROS 1 node listens to publishers: who goes and comes, and who says what is none."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Iterator

import pytest

from dorosim.endpoint.ros.receive_budget import NODE_BUDGET, ReceiveBudget
from tests.endpoint.ros.node_rig import (
    REGISTRY,
    SmallMaster,
    header_bytes,
    read_header,
    rig,
    until,
)


class Publisher:
    """A node that publishes /ctrl_cmd: its XML-RPC and TCPROS by hand."""

    def __init__(self, **answer: str) -> None:
        self.answer = {
            "callerid": "/driver",
            "md5sum": "718f1a493f1a335da59a19f673d82bb4",  # facts/ros-grpc-mgeo.md, 1.2
            "type": "morai_msgs/CtrlCmd",
            **answer,
        }
        self.headers: list[dict[str, str]] = []
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.tcp.settimeout(60.0)
        self.master = SmallMaster()  # answers requestTopic, too
        self.master._do = self._do
        self.master._server.instance._dispatch = self._do
        self.uri = self.master.uri

    def _do(self, method: str, arguments):
        assert method == "requestTopic"
        assert arguments == ("/dorosim", "/ctrl_cmd", [["TCPROS"]])
        return [1, "ready", ["TCPROS", "127.0.0.1", self.tcp.getsockname()[1]]]

    def take(self) -> socket.socket:
        sock, _ = self.tcp.accept()
        sock.settimeout(60.0)
        self.headers.append(read_header(sock))
        sock.sendall(header_bytes(self.answer))
        return sock

    def close(self) -> None:
        self.tcp.close()
        self.master.close()


@pytest.fixture
def driver() -> Iterator[Publisher]:
    made = Publisher()
    yield made
    made.close()


def command(accel: float) -> bytes:
    return struct.pack("<i6d", 1, accel, 0.0, 0.25, 0.0, 0.0, 0.0)[: 4 + 5 * 8]


def sized(data: bytes) -> bytes:
    return struct.pack("<I", len(data)) + data


def test_messages_of_a_publisher_come_and_come_again_after_it_was_away(run, driver):
    assert run.slave("publisherUpdate", "/ctrl_cmd", [driver.uri])[0] == 1
    with driver.take() as sock:
        header = driver.headers[0]
        assert (header["topic"], header["type"], header["callerid"]) == ("/ctrl_cmd", "morai_msgs/CtrlCmd", "/dorosim")
        assert header["md5sum"] == driver.answer["md5sum"]
        sock.sendall(sized(bytes(REGISTRY.encode(REGISTRY.make("morai_msgs/CtrlCmd", accel=0.25)))))
        until(lambda: run.heard)
        assert run.heard[0][0] == "/ctrl_cmd"
        assert run.heard[0][1].accel == 0.25
        info = run.slave("getBusInfo")[2]
        assert [row[1:6] for row in info] == [[driver.uri, "i", "TCPROS", "/ctrl_cmd", True]]
    with driver.take() as sock:
        message = bytes(REGISTRY.encode(REGISTRY.make("morai_msgs/CtrlCmd", accel=0.5)))
        for part in (sized(message)[:3], sized(message)[3:20], sized(message)[20:]):
            sock.sendall(part)
            time.sleep(0.01)
        until(lambda: len(run.heard) == 2)
        assert run.slave("publisherUpdate", "/ctrl_cmd", [])[0] == 1
        assert sock.recv(1) == b"", "a publisher that the master does not know any longer is not heard"
    assert run.told == []


def test_a_publisher_is_known_from_the_registration(master, driver):
    master.publishers["/ctrl_cmd"] = [driver.uri]
    with rig(master.uri) as run, driver.take() as sock:
        sock.sendall(sized(bytes(REGISTRY.encode(REGISTRY.make("morai_msgs/CtrlCmd")))))
        until(lambda: run.heard)


def test_messages_that_are_none_are_counted_and_the_next_is_taken(run, driver):
    run.slave("publisherUpdate", "/ctrl_cmd", [driver.uri])
    with driver.take() as sock:
        sock.sendall(
            sized(b"") + sized(b"\xff" * 7) + sized(bytes(REGISTRY.encode(REGISTRY.make("morai_msgs/CtrlCmd"))))
        )
        until(lambda: run.heard)
        assert run.kinds() == ["ROS message refused"] * 2
        sock.sendall(struct.pack("<I", 100_001))
        assert sock.recv(1) == b"", "what is too long is not read"
    assert "at most 100,000" in until(lambda: run.told[2:])[0][1]


@pytest.mark.parametrize(
    ("answer", "cure"),
    [
        ({"md5sum": "0" * 32}, True),
        ({"type": "std_msgs/String"}, True),
        ({"error": "wants datatype/md5sum [...]"}, True),
        ({"error": "nobody may listen"}, False),
    ],
    ids=["md5", "type", "other md5", "error"],
)
def test_a_publisher_of_another_type_is_not_heard(run, answer, cure):
    driver = Publisher(**answer)
    run.slave("publisherUpdate", "/ctrl_cmd", [driver.uri])
    for _ in range(2):
        with driver.take() as sock:
            assert sock.recv(1) == b""
    until(lambda: run.told)
    assert run.kinds() == ["ROS message refused"], "told once, though it is tried again"
    assert ("generation in [ros]" in run.told[0][1]) is cure
    driver.close()


def test_publishers_that_are_not_there_are_tried_again(run, driver):
    dead = socket.create_server(("127.0.0.1", 0))
    uri = f"http://127.0.0.1:{dead.getsockname()[1]}"
    dead.close()
    run.slave("publisherUpdate", "/ctrl_cmd", [uri, "not a uri", driver.uri])
    driver.take().close()
    until(lambda: run.kinds().count("ROS publisher not reached") == 2)


def test_a_publisher_that_floods_is_held_back(run, driver):
    run.slave("publisherUpdate", "/ctrl_cmd", [driver.uri])
    with driver.take() as sock:
        message = sized(bytes(REGISTRY.encode(REGISTRY.make("morai_msgs/CtrlCmd"))))
        begun = time.monotonic()
        sock.sendall(message * 1_240)
        until(lambda: len(run.heard) == 1_240)
        assert time.monotonic() - begun > 0.29, "40 messages in 10 ms, and as many at the start"
    assert run.told == []


def test_all_publishers_together_have_so_many_messages_and_bytes_in_a_time():
    now = 5.0
    budget = ReceiveBudget(*NODE_BUDGET, lambda: now)
    for _ in range(40):
        assert budget.pause() == 0.0
        budget.charge(44)
    assert budget.pause() == pytest.approx(0.01 / 40)
    now += 60.0
    assert budget.pause() == 0.0
    budget.charge(16384 * 101)
    assert budget.pause() == pytest.approx(1.0, abs=1e-5), "100 buckets of 10 ms are made up for"
    now += 0.5
    assert budget.pause() == pytest.approx(0.5, abs=1e-5)
    now += 0.51
    assert budget.pause() == 0.0


def test_publishers_that_change_all_the_time_cost_so_many_threads_and_the_last_ones_are_heard(run, driver, monkeypatch):
    monkeypatch.setattr("dorosim.endpoint.ros.node.publisher_connection.PUBLISHER_TIMEOUT_S", 1.5)
    before = set(threading.enumerate())

    def links() -> int:
        return sum(one.name == "dorosim-ros-link" for one in set(threading.enumerate()) - before)

    with socket.create_server(("127.0.0.1", 0), backlog=1024) as deaf:
        port, most = deaf.getsockname()[1], 0
        for turn in range(10):
            run.slave("publisherUpdate", "/ctrl_cmd", [f"http://127.0.0.1:{port}/{turn}/{n}" for n in range(30)])
            most = max(most, links())
        assert 0 < most <= 128
        assert "ROS publisher waits" in run.kinds()
        run.slave("publisherUpdate", "/ctrl_cmd", [driver.uri])
        with driver.take() as sock:
            sock.sendall(sized(bytes(REGISTRY.encode(REGISTRY.make("morai_msgs/CtrlCmd")))))
            until(lambda: run.heard)
            until(lambda: links() == 1)
            assert [row[1] for row in run.slave("getBusInfo")[2]] == [driver.uri]
