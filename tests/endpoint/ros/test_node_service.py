"""Services of the native ROS 1 node: once, persistent, refused, slow."""

from __future__ import annotations

import socket
import struct

from tests.endpoint.ros.node_rig import (
    REGISTRY,
    Rig,
    exactly,
    frame,
    header_bytes,
    read_header,
    until,
)


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
        assert call(quick, event(1))[0] == 1
        sock, _ = run.subscribe("/Ego_topic")
        run.hub.publish("/Ego_topic", REGISTRY.make("morai_msgs/EgoVehicleStatus"))
        frame(sock)
        sock.close()
        run.release.set()
        assert exactly(slow, 1) == b"\x01"
