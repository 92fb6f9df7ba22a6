"""What other nodes, the master and strangers ask of the native ROS 1 node, and how they may err."""

from __future__ import annotations

import errno
import http.client
import os
import socket
import struct
import threading
import time
import xmlrpc.client

import pytest

from dorosim.endpoint.ros.node.remote import Remote, RemoteError
from dorosim.endpoint.ros.node.server import MAX_PENDING
from dorosim.endpoint.ros.node.service import MAX_CALLERS as SERVICE_CALLERS
from dorosim.endpoint.ros.node.slave import MAX_CALLERS
from tests.endpoint.ros.node_rig import (
    REGISTRY,
    frame,
    header_bytes,
    read_header,
    rig,
    text,
    until,
)

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
    monkeypatch.setattr("dorosim.endpoint.ros.node.server.HEADER_TIMEOUT_S", 1.5)
    with run.connect() as sock, run.connect() as leaving:
        sock.sendall(b"\x40\0\0")
        leaving.sendall(b"\x40\0\0")
        leaving.close()
        assert sock.recv(1) == b""
    until(lambda: run.told)
    assert run.told == [("ROS connection refused", "no connection header in 1.5 s")], "who leaves is no problem"


def test_strangers_who_say_nothing_shut_nobody_out(run):
    silent = [run.connect() for _ in range(MAX_PENDING)]
    sock, answer = run.subscribe("/Ego_topic")
    assert answer["type"] == "morai_msgs/EgoVehicleStatus"
    assert silent[0].recv(1) == b"", "the oldest has made room"
    for one in (sock, *silent):
        one.close()
    assert run.kinds() == ["ROS connection refused"]


def test_callers_who_say_nothing_shut_nobody_out(run):
    host, _, port = run.node.api[7:-1].partition(":")
    silent = [socket.create_connection((host, int(port)), 20) for _ in range(MAX_CALLERS)]
    silent[1].sendall(b"POST / HTTP/1.1\r\nContent-Length: 90\r\n\r\nhalf")
    for _ in range(3):
        assert run.slave("getPid")[0] == 1
    assert silent[0].recv(1) == b"", "the oldest has made room"
    assert run.slave("getPid")[0] == 1
    for one in silent:
        one.close()
    assert set(run.told) == {
        ("ROS call refused", "64 XML-RPC connections are open already; the one that is silent longest is ended")
    }


def test_services_that_nobody_calls_shut_nobody_out(run):
    kind = REGISTRY.services["morai_msgs/MoraiEventCmdSrv"]
    asked = {"callerid": "/x", "md5sum": kind.md5, "service": "/Service_MoraiEventCmd", "persistent": "1"}
    socks = []
    for _ in range(SERVICE_CALLERS + 1):
        socks.append(run.connect())
        socks[-1].sendall(header_bytes(asked))
        assert read_header(socks[-1])["type"] == kind.name
    assert socks[0].recv(1) == b"", "the oldest has made room"
    for one in socks:
        one.close()


PAGES = {
    "a foreign page": ("http://evil.example", "{node}", 403),
    "another port of this machine": ("http://127.0.0.1:3000", "{node}", 403),
    "no origin": ("null", "{node}", 403),
    "a name that was made to point here": ("http://evil.example:{port}", "evil.example:{port}", 403),
    "the node itself": ("http://{node}", "{node}", 200),
    "a page that is listed": ("http://dash.lan:3000", "{node}", 200),
    "a program": (None, "{node}", 200),
    "a program that calls this machine by a name": (None, "robot.lan:{port}", 200),
}


@pytest.mark.parametrize(("origin", "host", "status"), PAGES.values(), ids=PAGES.keys())
def test_web_pages_call_only_if_they_are_listed(master, origin, host, status):
    """A form on any page can send text that is XML to any address; only `Origin` says so."""
    with rig(master.uri, origins=("http://dash.lan:3000",)) as made:
        node = made.node.api[7:-1]
        port = node.partition(":")[2]
        connection = http.client.HTTPConnection(node, timeout=60)
        headers = {"Content-Type": "text/plain", "Host": host.format(node=node, port=port)}
        headers |= {} if origin is None else {"Origin": origin.format(node=node, port=port)}
        body = xmlrpc.client.dumps(("/x",), "shutdown").encode()
        connection.request("POST", "/", body, headers)
        answer = connection.getresponse()
        assert answer.status == status
        told = answer.read()
        connection.close()
        assert bool(made.said and "asks it to" in made.said[-1]) == (status == 200)
        if status == 403:
            assert b"ros.origins" in told
            ((kind, text),) = made.told
            assert kind == "ROS call refused"
            assert "ros.origins" in text


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
    "a bomb in UTF-16": (
        "<?xml version='1.0' encoding='UTF-16'?><!DOCTYPE x [<!ENTITY a 'getPid'>]>"
        "<methodCall><methodName>&a;</methodName><params><param><value>/x</value></param></params></methodCall>"
    ).encode("utf-16"),
    "no UTF-8": b"<?xml version='1.0' encoding='ISO-8859-1'?><methodCall><methodName>getPid</methodName>"
    b"<params><param><value>\xe9</value></param></params></methodCall>",
    "no number": b"<methodCall><methodName>getPid</methodName>"
    b"<params><param><value><int>x</int></value></param></params>"
    b"</methodCall>",
}


@pytest.mark.parametrize("body", BAD_CALLS.values(), ids=BAD_CALLS.keys())
def test_calls_that_are_none_are_refused_and_counted(run, body):
    connection = http.client.HTTPConnection(run.node.api[7:-1], timeout=60)
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
    answer = http.client.HTTPConnection(host, int(port), timeout=60)
    answer.request("POST", "/", b"<methodCall><methodName>nothing</methodName></methodCall>")
    assert b"there is no method" in answer.getresponse().read()
    answer.close()
    assert run.slave("getPid")[0] == 1


def test_a_machine_without_room_for_connections_is_not_asked_again_and_again(run, monkeypatch):
    port, accept, asked = int(run.node.api[7:-1].partition(":")[2]), socket.socket.accept, []

    def full(sock):
        if sock.getsockname()[1] == port:
            asked.append(port)
            if len(asked) < 3:
                raise OSError(errno.EMFILE, "Too many open files")
        return accept(sock)

    monkeypatch.setattr(socket.socket, "accept", full)
    begun = time.monotonic()
    assert run.slave("getPid")[0] == 1
    assert time.monotonic() - begun > 0.9
    assert run.told == [("ROS call refused", "no connection can be taken: Too many open files")] * 2


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
                sock.settimeout(60.0)
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
    b"HTTP/1.1 200 OK\r\n\r\n"
    + (
        "<?xml version='1.0' encoding='UTF-16'?><!DOCTYPE x [<!ENTITY a '7'>]><methodResponse><params><param><value>"
        "<array><data><value><int>1</int></value><value>&a;</value><value><int>&a;</int></value></data></array>"
        "</value></param></params></methodResponse>"
    ).encode("utf-16"),
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
