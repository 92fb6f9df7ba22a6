"""The server of the fixed step: pipelined requests, several clients, and bytes that are not requests."""

from __future__ import annotations

import random
import socket
import struct
import time

import pytest

from tests.app.program import SPEED, until
from tests.app.serve.tcp_step_program import connecting, served, step_mode, time_of
from tests.system.step_client import (
    CREATE,
    GET_TIME,
    HEAD,
    INVALID_PARAM,
    MANUAL,
    OK,
    SAVE,
    SET_TIME,
    STEP,
    TRAJECTORY,
    made,
    manual,
    request,
    trajectory,
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    with served(tmp_path_factory.mktemp("server"), clients=4, frame_timeout_s=1.5) as program:
        yield program


@pytest.fixture
def connect(run):
    with connecting(run) as make:
        yield make


@pytest.fixture(params=["by steps", "by the clock"])
def client(connect, request):
    """A client of a run that is stepped, where the loop reads frames, or passes by itself, where a thread does."""
    one = connect()
    if request.param == "by steps":
        step_mode(one)
    return one


def lively(run) -> None:
    """The run goes on, and serves others."""
    with run.client() as other:
        assert other.ask(GET_TIME)[0] == OK


def closed(client) -> bool:
    """Whether the server has closed the connection, or closes it now."""
    try:
        while client.sock.recv(4096):
            pass
    except ConnectionError:
        return True
    return True


def test_requests_are_answered_in_order_with_their_ids(client):
    sent = []
    for number in range(60):
        kind, payload = [
            (MANUAL, manual(0.1, 0.0, 0.0)),
            (GET_TIME, b""),
            (SAVE, b""),
            (MANUAL, manual(0.2, 0.0, 0.0, "nobody")),
            (0x7777, b"abc"),
            (STEP, struct.pack("<I", 2)),
        ][number % 6]
        sent.append((kind, 1000 + number))
        client.sock.sendall(request(kind, payload, 1000 + number))
    assert [client.receive()[:2] for _ in sent] == sent


def test_frames_may_come_in_any_pieces(client):
    raw = b"".join(request(MANUAL, manual(0.1, 0.0, 0.0), n) + request(GET_TIME, b"", n) for n in range(20))
    dice = random.Random(3)
    while raw:
        size = dice.choice((1, 2, 3, 7, 15, 16, 17, 40, 200))
        client.sock.sendall(raw[:size])
        raw = raw[size:]
        if dice.random() < 0.3:
            time.sleep(0.001)
    assert [client.receive()[1] for _ in range(40)] == [n for n in range(20) for _ in (0, 1)]


def test_commands_need_no_tick_each_while_time_passes_by_itself(run, connect):
    """A client that sends more commands than there are ticks does not fall behind."""
    one, clock = connect(), run.program.context.clock
    clock.change(0.2)  # 20 ticks a second: a busy machine has ten for the answers
    try:
        before = run.now.tick
        one.sock.sendall(b"".join(request(MANUAL, manual(0.1, 0.0, 0.0), n) for n in range(400)))
        assert [one.receive()[1] for _ in range(400)] == list(range(400))
        assert run.now.tick - before < 200
    finally:
        clock.change(SPEED)


@pytest.mark.parametrize(
    ("number", "payload"),
    [
        (STEP, b""),
        (STEP, b"\1\0\0"),
        (STEP, b"\1\0\0\0\0"),
        (STEP, b"\xff\xff\xff\xff"),
        (GET_TIME, b"x"),
        (MANUAL, b"\xff\xff\xff\xff"),
        (MANUAL, struct.pack("<I", 3) + b"\xff\xfe\xfd" + bytes(24)),
        (MANUAL, manual(float("nan"), 0.0, 0.0)),
        (TRAJECTORY, trajectory([(0.0, 0.0, 0.0, 1.0)], 1)[:-1]),
        (TRAJECTORY, trajectory([], 1)[:-4] + b"\xff\xff\xff\x7f"),
        (CREATE, made(1, (0.0, 0.0, 0.0))[:-1]),
        (MANUAL, bytes(1 << 20)),
    ],
)
def test_a_payload_that_is_none_is_answered_102_and_the_connection_goes_on(run, client, number, payload):
    result, rest = client.ask(number, payload)
    if number == STEP and len(payload) == 4 and time_of_run_passes(run):
        assert result == 101
    else:
        assert result == INVALID_PARAM
    assert len(rest) == {GET_TIME: 40 if time_of_run_passes(run) else 32, CREATE: 4}.get(number, 0)
    assert client.ask(GET_TIME)[0] == OK


def time_of_run_passes(run) -> bool:
    return not run.program.current.loop.gate.holds


def test_a_frame_that_is_no_request_is_answered_102(client):
    for kind in (0, 2, 3, 255):
        client.sock.sendall(struct.pack(HEAD, 0x4D, kind, STEP, 4, 9, 0) + struct.pack("<I", 1))
        number, request_id, data = client.receive()
        assert (number, request_id, struct.unpack("<II", data)) == (STEP, 9, (102, 102))
    client.sock.sendall(struct.pack(HEAD, 0x4D, 1, GET_TIME, 0, 9, 0xFFFF))
    assert client.receive()[:2] == (GET_TIME, 9), "the flag is for later"


def test_a_payload_beyond_the_limit_is_answered_102_and_closed(run, client):
    client.sock.sendall(struct.pack(HEAD, 0x4D, 1, MANUAL, (1 << 20) + 1, 77, 0) + bytes(100))
    number, request_id, data = client.receive()
    assert (number, request_id, struct.unpack("<II", data)) == (MANUAL, 77, (102, 102))
    assert closed(client)
    assert any("1,048,576 are allowed" in line and "closed" in line for line in run.told)
    lively(run)


def test_bytes_that_are_no_frames_close_the_connection_with_a_line(run, client):
    lines = run.service.counts["TCP bad header"]
    client.sock.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert closed(client)
    until(lambda: run.service.counts["TCP bad header"] == lines + 1)
    assert any("a frame begins with 0x47 in place of 0x4D" in line for line in run.told)
    lively(run)


@pytest.mark.parametrize("piece", [b"M", request(STEP, b"")[:15], request(MANUAL, manual(0, 0, 0))[:30]])
def test_a_frame_that_does_not_end_closes_the_connection_with_a_line(run, client, piece):
    slow = run.service.counts["TCP slow client"]
    client.sock.sendall(piece)
    began = time.monotonic()
    assert closed(client)
    assert time.monotonic() - began > 1.2
    until(lambda: run.service.counts["TCP slow client"] == slow + 1)
    lively(run)


def test_a_frame_byte_by_byte_is_too_slow_as_a_whole(run, client):
    """Not each byte has the time: the frame has."""
    slow = run.service.counts["TCP slow client"]
    try:
        for byte in request(MANUAL, manual(0, 0, 0)):
            client.sock.sendall(bytes((byte,)))
            time.sleep(0.04)
    except ConnectionError:
        pass
    assert closed(client)
    until(lambda: run.service.counts["TCP slow client"] == slow + 1)


def test_a_client_that_goes_within_a_frame_is_noted(run, client):
    cut = run.service.counts["TCP cut frame"]
    client.sock.sendall(request(MANUAL, manual(0, 0, 0))[:30])
    client.sock.shutdown(socket.SHUT_WR)
    assert closed(client)
    until(lambda: run.service.counts["TCP cut frame"] == cut + 1)
    lively(run)


def test_a_client_that_only_sends_and_then_listens_gets_its_answers(client):
    count = 5
    client.sock.sendall(b"".join(request(GET_TIME, b"", n) for n in range(count)))
    client.sock.shutdown(socket.SHUT_WR)
    assert [client.receive()[1] for _ in range(count)] == list(range(count))


@pytest.mark.parametrize("stepped", [False, True])
def test_a_client_that_takes_no_answers_is_closed_and_holds_nobody(run, connect, stepped):
    stepper = connect()
    if stepped:
        step_mode(stepper)
        stepper.step()
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.connect(("127.0.0.1", run.port))
    one.settimeout(60.0)
    slow = run.service.counts["TCP slow client"]
    raw = request(GET_TIME, b"", 1) * 2000
    with one:
        try:
            for _ in range(200):
                one.sendall(raw)
                if stepped:
                    stepper.step()
        except (ConnectionError, TimeoutError):
            pass
        until(lambda: run.service.counts["TCP slow client"] == slow + 1)
    lively(run)


def test_mutated_frames_never_stop_the_run(run, client):
    """Whatever a frame holds, it is answered or its connection is closed, and the loop goes on."""
    dice = random.Random(11)
    good = [
        request(MANUAL, manual(0.1, 0.0, 0.0)),
        request(SAVE),
        request(GET_TIME),
        request(0x1303, struct.pack("<I5s7fd", 5, b"Car_1", *[0.0] * 7, 0.0)),
        request(TRAJECTORY, trajectory([(0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 1.0)], 1)),
        request(CREATE, made(3, (9e5, 9e5, 0.0))),
        request(0x1305, b"Car_7"),
        request(0x1504),
        request(0x1401),
    ]
    for _ in range(300):
        raw = bytearray(dice.choice(good))
        for _ in range(dice.randint(1, 4)):
            raw[dice.randrange(len(raw))] = dice.randrange(256)
        with socket.create_connection(("127.0.0.1", run.port), timeout=60.0) as sock:
            sock.sendall(raw)
            sock.shutdown(socket.SHUT_WR)
            while sock.recv(65536):
                pass
    assert client.ask(GET_TIME)[0] == OK
    assert not any("fault of dorosim" in line for line in run.told), run.told[-5:]


def test_more_clients_than_are_allowed_are_refused_with_a_line(run, connect):
    several = [connect() for _ in range(4)]
    for one in several:
        assert one.ask(GET_TIME)[0] == OK
    extra = connect()
    assert closed(extra)
    assert any("4 clients are connected; allow more by tcp_step.clients" in line for line in run.told)
    for one in (*several, extra):
        one.close()
    until(lambda: not run.service._server.clients)
    lively(run)


def test_requests_go_on_in_another_run(run, connect):
    one = connect()
    step_mode(one)
    for _ in range(3):
        one.step(2)
        step_mode(one)
        assert time_of(one)[2:] == (0, 0.0)
    one.done(SET_TIME, struct.pack("<iff", 1, 0.0, 4.0))
