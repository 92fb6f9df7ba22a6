"""The native ROS 1 node beside a small master of the test's own: what it says, and what it makes of what it hears."""

from __future__ import annotations

import http.client
import os
import socket
import struct
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from dorosim.bridge.ros.topic import Published
from dorosim.endpoint.ros.node.remote import Remote, RemoteError
from tests.endpoint.ros.node_rig import (
    REGISTRY,
    Rig,
    SmallMaster,
    exactly,
    frame,
    header_bytes,
    read_header,
    rig,
    until,
)


@pytest.fixture
def master() -> Iterator[SmallMaster]:
    made = SmallMaster()
    yield made
    made.close()


@pytest.fixture
def run(master: SmallMaster) -> Iterator[Rig]:
    with rig(master.uri, longest=100_000) as made:
        until(lambda: made.said)
        yield made


def text(word: str):
    return REGISTRY.make("std_msgs/String", data=word)


def cloud(size: int):
    return REGISTRY.make("sensor_msgs/PointCloud2", data=np.zeros(size, np.uint8))


def test_all_topics_and_services_are_registered_and_taken_back(master):
    with rig(master.uri) as run:
        until(lambda: run.said)
        assert master.names("registerPublisher") == {"/Ego_topic", "/lidar3D", "/map_name", "/clock"}
        assert master.names("registerSubscriber") == {"/ctrl_cmd", "/text"}
        service = next(call for call in master.told if call[0] == "registerService")
        assert service[1:] == (
            "/dorosim",
            "/Service_MoraiEventCmd",
            f"rosrpc://127.0.0.1:{run.node.port}",
            run.node.api,
        )
        assert ("registerSubscriber", "/dorosim", "/ctrl_cmd", "morai_msgs/CtrlCmd", run.node.api) in master.told
        assert run.said == [f"ROS node /dorosim is registered at {master.uri}"]
    assert master.names("unregisterPublisher") == master.names("registerPublisher")
    assert master.names("unregisterSubscriber") == master.names("registerSubscriber")
    assert master.names("unregisterService") == {"/Service_MoraiEventCmd"}
    assert "/use_sim_time" not in master.parameters


@pytest.mark.parametrize("before", [None, False])
def test_time_of_the_simulation_is_asked_for_and_what_was_before_comes_back(master, before):
    if before is not None:
        master.parameters["/use_sim_time"] = before
    with rig(master.uri, sim_time=True):
        until(lambda: master.parameters.get("/use_sim_time") is True)
    assert master.parameters.get("/use_sim_time") is before


def test_topics_come_and_go(run, master):
    sock, _ = run.subscribe("/lidar3D")
    extra = Published(key="x", topic="/extra", type="std_msgs/String", make=lambda _: None)
    run.hub.announce([extra], gone=["/lidar3D"])
    until(lambda: "/extra" in master.names("registerPublisher"))
    until(lambda: "/lidar3D" in master.names("unregisterPublisher"))
    assert sock.recv(1) == b"", "who listened is hung up on"
    sock.close()


def test_a_master_that_comes_late_goes_away_and_begins_anew(master):
    port = master.port
    master.close()
    with rig(f"http://127.0.0.1:{port}", sim_time=True) as run:
        until(lambda: run.told)
        assert run.told[0][0] == "ROS master not reached"
        for round_ in (1, 2):
            again = SmallMaster(port)
            until(lambda n=round_: len(run.said) == n)
            assert "/ctrl_cmd" in again.names("registerSubscriber")
            assert again.parameters["/use_sim_time"] is True
            again.close()
            until(lambda n=round_: run.kinds().count("ROS master not reached") == n + 1)
        started = time.monotonic()
    assert time.monotonic() - started < 5.0, "a master that has gone does not hold the end"


def test_a_master_that_forgets_is_told_again(run, master):
    master.nodes.clear()
    before = len(master.told)
    until(lambda: [call for call in master.told[before:] if call[0] == "registerService"])


def test_a_subscriber_gets_a_header_and_messages(run):
    sock, header = run.subscribe("/Ego_topic")
    assert header["md5sum"] == "a54480c8f4c41293a77cf7a0eb3925c9", "facts/ros-grpc-mgeo.md, 1.2"
    assert header["type"] == "morai_msgs/EgoVehicleStatus"
    assert (header["topic"], header["callerid"], header["latching"]) == ("/Ego_topic", "/dorosim", "0")
    assert "MSG: geometry_msgs/Vector3" in header["message_definition"]
    message = REGISTRY.make("morai_msgs/EgoVehicleStatus", unique_id=7, heading=1.5)
    run.hub.publish("/Ego_topic", message)
    assert frame(sock) == bytes(REGISTRY.encode(message))
    assert not run.node.wants("/lidar3D")
    sock.close()
    until(lambda: not run.node.wants("/Ego_topic"))


def test_stars_fit_and_other_types_are_refused_with_the_reason(run):
    sock, header = run.subscribe("/Ego_topic", type="*", md5sum="*")
    assert header["md5sum"] == "a54480c8f4c41293a77cf7a0eb3925c9"
    sock.close()
    for topic, wrong in (
        ("/Ego_topic", {"md5sum": "0" * 32}),
        ("/Ego_topic", {"type": "std_msgs/String"}),
        ("/nothing", {}),
    ):
        sock, header = run.subscribe(topic, **wrong)
        assert "error" in header
        assert sock.recv(1) == b""
        sock.close()
    assert run.kinds().count("ROS connection refused") == 3
    assert "a54480c8f4c41293a77cf7a0eb3925c9" in run.told[0][1]


def test_the_last_message_of_a_latched_topic_waits_for_subscribers(run):
    run.hub.publish("/map_name", text("one"))
    run.hub.publish("/map_name", text("town"))
    for _ in range(2):
        sock, header = run.subscribe("/map_name")
        assert header["latching"] == "1"
        assert frame(sock) == b"\x04\0\0\0town"
        sock.close()


def test_long_messages_come_whole_beside_short_ones(run):
    sock, _ = run.subscribe("/lidar3D")
    other, _ = run.subscribe("/Ego_topic")
    sent = [cloud(1_200_000 + n) for n in range(5)]
    for message in sent:
        run.hub.publish("/lidar3D", message)
        run.hub.publish("/Ego_topic", REGISTRY.make("morai_msgs/EgoVehicleStatus"))
    for message in sent:
        assert frame(sock) == bytes(REGISTRY.encode(message))
    assert all(len(frame(other)) > 100 for _ in sent)
    sock.close()
    other.close()


def test_a_subscriber_that_sleeps_loses_old_messages_and_holds_nobody(run):
    sleeping, _ = run.subscribe("/lidar3D")
    awake, _ = run.subscribe("/Ego_topic")
    longest = 0.0
    for n in range(60):
        started = time.perf_counter()
        run.hub.publish("/lidar3D", cloud(1_000_000 + n))
        run.hub.publish("/Ego_topic", REGISTRY.make("morai_msgs/EgoVehicleStatus", unique_id=n))
        longest = max(longest, time.perf_counter() - started)
        assert struct.unpack_from("<I", frame(awake), 16)[0] == n, "after a header without a frame id"
    assert longest < 0.25, "publishing does not wait"
    until(lambda: run.hub.counts["ROS subscriber too slow"])
    sizes = []
    while not sizes or sizes[-1] < 1_000_059:
        sizes.append(len(frame(sleeping)) - len(bytes(REGISTRY.encode(cloud(0)))))
    assert sizes == sorted(sizes), "in order"
    assert len(sizes) == 60 - run.hub.counts["ROS subscriber too slow"], "whole, none twice, and the newest last"
    sleeping.close()
    awake.close()


def test_a_subscriber_that_dies_is_forgotten(run):
    sock, _ = run.subscribe("/lidar3D")
    run.hub.publish("/lidar3D", cloud(8_000_000))
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()
    until(lambda: not run.node.wants("/lidar3D"))


JUNK = {
    "another protocol": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "a length that is too large": b"\xff\xff\xff\xff",
    "a header that is none": struct.pack("<I", 8) + b"\xff" * 8,
    "no name": header_bytes({"callerid": "/x", "md5sum": "*", "type": "*"}),
    "an unknown service": header_bytes({"callerid": "/x", "md5sum": "*", "service": "/nothing"}),
    "a service of another type": header_bytes(
        {"callerid": "/x", "md5sum": "0" * 32, "service": "/Service_MoraiEventCmd"}
    ),
    "a service without a caller": header_bytes({"md5sum": "*", "service": "/Service_MoraiEventCmd"}),
}


@pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK.keys())
def test_junk_at_the_port_is_refused_and_counted(run, junk):
    with run.connect() as sock:
        sock.sendall(junk)
        assert "error" in read_header(sock)
    assert run.kinds() == ["ROS connection refused"]


def test_half_a_header_is_waited_for_a_while(run, monkeypatch):
    monkeypatch.setattr("dorosim.endpoint.ros.node.server.PATIENCE", 0.1)
    with run.connect() as sock, run.connect() as leaving:
        sock.sendall(b"\x40\0\0")
        leaving.sendall(b"\x40\0\0")
        leaving.close()
        assert sock.recv(1) == b""
    until(lambda: run.told)
    assert run.told == [("ROS connection refused", "no connection header in 0.1 s")], "who leaves is no problem"


def test_only_so_many_strangers_are_waited_for(run, monkeypatch):
    monkeypatch.setattr("dorosim.endpoint.ros.node.server.MOST_STRANGERS", 3)
    socks = [run.connect() for _ in range(4)]
    assert socks[-1].recv(1) == b""
    for sock in socks:
        sock.close()
    until(lambda: "ROS connection refused" in run.kinds())


def call(sock: socket.socket, request) -> tuple[int, bytes]:
    data = bytes(REGISTRY.encode(request))
    sock.sendall(struct.pack("<I", len(data)) + data)
    return exactly(sock, 1)[0], frame(sock)


def event(gear: int):
    inner = REGISTRY.make("morai_msgs/EventInfo", option=2, gear=gear)
    return REGISTRY.make("morai_msgs/MoraiEventCmdSrvRequest", request=inner)


def service(run: Rig, **fields: str) -> socket.socket:
    sock = run.connect()
    md5 = "12515282709d0774401eb06049aedb82"  # facts/ros-grpc-mgeo.md, 1.4
    sock.sendall(header_bytes({"callerid": "/t", "service": "/Service_MoraiEventCmd", "md5sum": md5, **fields}))
    answer = read_header(sock)
    assert answer["md5sum"] == md5
    assert answer["type"] == "morai_msgs/MoraiEventCmdSrv"
    return sock


def test_services_answer_once_or_as_long_as_the_connection_lasts(run):
    with service(run) as sock:
        assert call(sock, event(3)) == (1, bytes(REGISTRY.encode(event(3))))
        assert sock.recv(1) == b""
    with service(run, persistent="1") as sock:
        for gear in range(1, 4):
            assert call(sock, event(gear)) == (1, bytes(REGISTRY.encode(event(gear))))
    with service(run, probe="1", md5sum="*") as sock:
        assert sock.recv(1) == b""
    assert run.told == []


def test_a_request_that_cannot_be_done_is_answered_with_the_reason(run):
    with service(run, persistent="1") as sock:
        ok, reason = call(sock, event(99))
        assert ok == 0
        assert b"99 is no gear" in reason
        sock.sendall(struct.pack("<I", 3) + b"abc")
        assert exactly(sock, 1) == b"\0"
        assert b"3 bytes that are no" in frame(sock)
        assert call(sock, event(1))[0] == 1, "the connection goes on"
        sock.sendall(struct.pack("<I", 100_001))
        assert sock.recv(1) == b"", "what is too long is not read"
    until(lambda: len(run.told) == 3)
    assert run.kinds() == ["ROS refused", "ROS message refused", "ROS message refused"]


def test_a_call_that_takes_long_holds_no_other(run):
    with service(run) as slow, service(run) as quick:
        slow.sendall(struct.pack("<I", len(REGISTRY.encode(event(98)))) + bytes(REGISTRY.encode(event(98))))
        started = time.monotonic()
        assert call(quick, event(1))[0] == 1
        sock, _ = run.subscribe("/Ego_topic")
        run.hub.publish("/Ego_topic", REGISTRY.make("morai_msgs/EgoVehicleStatus"))
        frame(sock)
        assert time.monotonic() - started < 0.9
        sock.close()
        assert exactly(slow, 1) == b"\x01"


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
        self.tcp.settimeout(20.0)
        self.master = SmallMaster()  # answers requestTopic, too
        self.master._do = self._do  # type: ignore[method-assign]
        self.master._server.instance._dispatch = self._do
        self.uri = self.master.uri

    def _do(self, method: str, arguments):
        assert method == "requestTopic"
        assert arguments == ("/dorosim", "/ctrl_cmd", [["TCPROS"]])
        return [1, "ready", ["TCPROS", "127.0.0.1", self.tcp.getsockname()[1]]]

    def take(self) -> socket.socket:
        sock, _ = self.tcp.accept()
        sock.settimeout(20.0)
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
    "answer",
    [{"md5sum": "0" * 32}, {"type": "std_msgs/String"}, {"error": "nobody may listen"}],
    ids=["md5", "type", "error"],
)
def test_a_publisher_of_another_type_is_not_heard(run, answer):
    driver = Publisher(**answer)
    run.slave("publisherUpdate", "/ctrl_cmd", [driver.uri])
    for _ in range(2):
        with driver.take() as sock:
            assert sock.recv(1) == b""
    until(lambda: run.told)
    assert run.kinds() == ["ROS message refused"], "told once, though it is tried again"
    driver.close()


def test_publishers_that_are_not_there_are_tried_again(run, driver):
    dead = socket.create_server(("127.0.0.1", 0))
    uri = f"http://127.0.0.1:{dead.getsockname()[1]}"
    dead.close()
    run.slave("publisherUpdate", "/ctrl_cmd", [uri, "not a uri", driver.uri])
    driver.take().close()
    until(lambda: run.kinds().count("ROS publisher not reached") == 2)


def test_what_the_slave_api_answers(run, master):
    sock, _ = run.subscribe("/Ego_topic")
    run.hub.publish("/Ego_topic", REGISTRY.make("morai_msgs/EgoVehicleStatus"))
    size = len(frame(sock)) + 4
    assert run.slave("getPid") == [1, "", os.getpid()]
    assert run.slave("getMasterUri") == [1, "", master.uri]
    assert ["/Ego_topic", "morai_msgs/EgoVehicleStatus"] in run.slave("getPublications")[2]
    assert run.slave("getSubscriptions")[2] == [["/ctrl_cmd", "morai_msgs/CtrlCmd"], ["/text", "std_msgs/String"]]
    assert run.slave("requestTopic", "/Ego_topic", [["UDPROS"], ["TCPROS"]])[2] == [
        "TCPROS",
        "127.0.0.1",
        run.node.port,
    ]
    assert run.slave("requestTopic", "/Ego_topic", [["UDPROS"]])[0] == 0
    assert run.slave("requestTopic", "/nothing", [["TCPROS"]])[0] == 0
    assert run.slave("publisherUpdate", "/nothing", [])[0] == 0
    assert run.slave("publisherUpdate", "/ctrl_cmd", 5)[0] == -1
    assert run.slave("paramUpdate", "/use_sim_time", True)[0] == 1
    assert run.slave("getPid", "too", "many")[0] == -1
    assert run.slave("getBusInfo")[2] == [[0, "/test", "o", "TCPROS", "/Ego_topic", True]]
    published, subscribed, services = run.slave("getBusStats")[2]
    assert published[0][0] == "/Ego_topic"
    assert published[0][2][0][2:] == [1, True]
    assert published[0][1] > size
    assert (subscribed, services) == ([], [0, 0, 0])
    sock.close()


def test_a_node_that_is_asked_to_go_leaves_the_master_and_the_run_goes_on(run, master):
    assert run.slave("shutdown", "because")[0] == 1
    until(lambda: master.names("unregisterService"))
    run.hub.publish("/Ego_topic", REGISTRY.make("morai_msgs/EgoVehicleStatus"))
    assert any("/test asks it to (because)" in line for line in run.said)


BAD_CALLS = {
    "no XML": b"hello",
    "half of it": b"<?xml version='1.0'?><methodCall><methodName>getPid",
    "a bomb": b"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'aaaa'>]>"
    b"<methodCall><methodName>&a;</methodName></methodCall>",
    "no number": b"<methodCall><methodName>getPid</methodName>"
    b"<params><param><value><int>x</int></value></param></params>"
    b"</methodCall>",
}


@pytest.mark.parametrize("body", BAD_CALLS.values(), ids=BAD_CALLS.keys())
def test_calls_that_are_none_are_refused_and_counted(run, body):
    connection = http.client.HTTPConnection(run.node.api[7:-1], timeout=20)
    connection.request("POST", "/", body)
    assert connection.getresponse().status == 400
    connection.close()
    assert run.kinds() == ["ROS call refused"]


def test_calls_without_end_or_length_are_refused(run):
    host, _, port = run.node.api[7:-1].partition(":")
    for junk in (
        b"\0\1\2\3\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST / HTTP/1.1\r\n" + b"A: b\r\n" * 1000 + b"\r\n",
        b"A" * 70_000,
    ):
        with socket.create_connection((host, int(port)), 20) as sock:
            sock.sendall(junk)
            answer = b""
            try:
                while more := sock.recv(4096):
                    answer += more
            except ConnectionResetError:
                pass
            assert not answer.startswith(b"HTTP/1.1 200")
    until(lambda: run.kinds().count("ROS call refused") == 7)
    answer = http.client.HTTPConnection(host, int(port), timeout=20)
    answer.request("POST", "/", b"<methodCall><methodName>nothing</methodName></methodCall>")
    assert b"there is no method" in answer.getresponse().read()
    answer.close()
    assert run.slave("getPid")[0] == 1


class BadMaster:
    """Answers every request with the same bytes."""

    def __init__(self, answer: bytes) -> None:
        self.answer, self.asked = answer, 0
        self._server = socket.create_server(("127.0.0.1", 0))
        self.uri = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            try:
                sock, _ = self._server.accept()
            except OSError:
                return
            self.asked += 1
            with sock:
                sock.settimeout(1.0)
                sock.recv(65536)
                sock.sendall(self.answer)

    def close(self) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()


BODIES = (
    b"",
    b"hello\r\n\r\n",
    b"HTTP/1.1 500 no\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    b"HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n<methodResponse>",
    b"HTTP/1.1 200 OK\r\n\r\n<methodResponse>"
    b"<params><param><value><int>5</int></value></param></params></methodResponse>",
    b"HTTP/1.1 200 OK\r\n\r\n" + b"<a>" * 400_000,
)


@pytest.mark.parametrize("answer", BODIES)
def test_a_master_that_answers_anything_is_a_notice(answer):
    master = BadMaster(answer)
    with pytest.raises(RemoteError):
        Remote(master.uri, 2.0).call("getPid", "/x")
    with rig(master.uri) as run:
        until(lambda: run.told)
        assert set(run.kinds()) <= {"ROS master not reached", "ROS master refuses"}
        sock, _ = run.subscribe("/map_name")
        run.hub.publish("/map_name", text("on"))
        assert frame(sock) == b"\x02\0\0\0on"
        sock.close()
    master.close()
