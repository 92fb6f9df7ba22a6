"""The embedded rosbridge server with clients that are slow, dead, many, wrong or too quick."""

from __future__ import annotations

import base64
import json
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import bson
import cbor2
import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from dorosim.endpoint.ros.rosbridge.server import ServerLimits
from dorosim.endpoint.web_origin import WebOrigins
from tests.endpoint.ros.stage import bridged
from tests.endpoint.ros.websocket_peer import client_of
from tests.timing import wait_for


def test_a_message_that_is_too_large_ends_its_sender(stage):
    with (
        bridged(stage, ServerLimits(message=10_000)) as server,
        client_of(server) as client,
        client_of(server) as other,
    ):
        client.connection.send("x" * 20_000)
        with pytest.raises(ConnectionClosed):
            client.next()
        other.settle()
        wait_for(lambda: any("is cut off" in text for _, text in stage.told))


def test_one_client_too_many_is_refused(stage):
    with bridged(stage, ServerLimits(clients=1)) as server, client_of(server) as client:
        client.settle()
        with pytest.raises(InvalidStatus) as caught, client_of(server):
            pass
        assert caught.value.response.status_code == 503
        client.settle()


def shake(port: int, *headers: str) -> bytes:
    """The answer to the handshake of a websocket with further headers."""
    lines = ["GET / HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
    lines += ["Sec-WebSocket-Key: " + base64.b64encode(bytes(16)).decode(), *headers, "", ""]
    with socket.create_connection(("127.0.0.1", port), 60.0) as sock:
        sock.sendall("\r\n".join(lines).encode())
        return sock.recv(4096)


PAGES = {
    "a foreign page": ("127.0.0.1:{port}", "http://evil.example", False),
    "another port of this machine": ("127.0.0.1:{port}", "http://127.0.0.1:8080", False),
    "no origin": ("127.0.0.1:{port}", "null", False),
    "a file": ("127.0.0.1:{port}", "file://", False),
    "a name that was made to point here": ("evil.example:{port}", "http://evil.example:{port}", False),
    "the address itself": ("127.0.0.1:{port}", "http://127.0.0.1:{port}", True),
    "the address itself by name": ("localhost:{port}", "http://localhost:{port}", True),
    "a page that is listed": ("127.0.0.1:{port}", "http://dash.lan:3000", True),
    "any port that is listed": ("127.0.0.1:{port}", "http://localhost:5173", True),
    "any name below a domain that is listed": ("sim.lan:{port}", "https://app.foxglove.dev", True),
    "a program": ("127.0.0.1:{port}", None, True),
    "a program that calls this machine by a name": ("sim.lan:{port}", None, True),
}


@pytest.mark.parametrize(("host", "origin", "may"), PAGES.values(), ids=PAGES.keys())
def test_web_pages_come_in_only_if_they_are_listed(stage, host, origin, may):
    listed = ("http://dash.lan:3000", "http://localhost:*", "https://*.foxglove.dev")
    origins = WebOrigins("ros.origins", listed, "127.0.0.1")
    with bridged(stage, origins=origins) as server:
        stage.told.clear()
        headers = [f"Host: {host}"] + ([] if origin is None else [f"Origin: {origin}"])
        answer = shake(server.port, *(one.format(port=server.port) for one in headers))
        assert answer.startswith(b"HTTP/1.1 101 " if may else b"HTTP/1.1 403 ")
        if not may:
            ((kind, text),) = stage.told
            assert kind == "ROS refused"
            assert "ros.origins" in text
            assert text.removeprefix("rosbridge: ").encode() in answer


def test_only_one_origin_is_believed(server):
    ours = f"http://127.0.0.1:{server.port}"
    host = ours.removeprefix("http://")
    headers = (f"Host: {host}", f"Origin: {ours}", "Origin: http://evil.example")
    assert shake(server.port, *headers).startswith(b"HTTP/1.1 4")


def test_websocket_client_says_the_served_address_as_its_origin(server):
    """The package of that name is no browser, and sends one nevertheless."""
    connection = pytest.importorskip("websocket").create_connection(f"ws://127.0.0.1:{server.port}", timeout=60.0)
    connection.send(json.dumps({"op": "call_service", "service": "/rosapi/get_time"}))
    assert json.loads(connection.recv())["result"]
    connection.close()


def test_a_slow_client_loses_old_clouds_and_holds_nobody(stage, server):
    with client_of(server, max_queue=1) as slow, client_of(server) as quick:
        for one in (slow, quick):
            one.send("subscribe", topic="/cloud", compression="cbor-raw")
            one.send("subscribe", topic="/small")
            one.settle()
        data = np.zeros(1_200_000, np.uint8)
        for number in range(60):
            stage.publish("/cloud", data=data, width=number)
            stage.publish("/small", data=number)
            kinds = {quick.next()["topic"] for _ in range(2)}
            assert kinds == {"/cloud", "/small"}
        numbers, clouds = [], 0
        while not numbers or numbers[-1] < 59:
            operation = slow.next()
            if operation["topic"] == "/small":
                numbers.append(operation["msg"]["data"])
            else:
                clouds += 1
        assert numbers == list(range(60)), "a hundred of them may wait"
        assert clouds < 40
        dropped = stage.hub.counts["rosbridge dropped"]
        slow.send("unsubscribe", topic="/cloud")
        wait_for(lambda: stage.hub.counts["rosbridge dropped"] >= dropped + 60 - clouds)


def keeps_its_rate(stage, during: Callable[[], None]) -> bool:
    """Whether the run ticks at about real time meanwhile, in one of three tries: clients share its processor here."""
    for _ in range(3):
        begin, ticks = time.monotonic(), stage.loop.now.time
        during()
        if (stage.loop.now.time - ticks) * 1e-9 > 0.7 * (time.monotonic() - begin):
            return True
    return False


@contextmanager
def fifty_clients(server) -> Iterator[Callable[[int], None]]:
    """Fifty clients that listen to the ego vehicle; each hears so many messages when the function is called."""
    with ExitStack() as stack:
        clients = [stack.enter_context(client_of(server)) for _ in range(50)]
        for one in clients:
            one.send("subscribe", topic="/Ego_topic")

        def hear_all(count: int) -> None:
            for one in clients:
                for _ in range(count):
                    one.next()

        hear_all(1)
        yield hear_all


def test_fifty_clients_at_once_hear_all_and_are_forgotten(stage, server):
    with fifty_clients(server) as hear_all:
        hear_all(2)
        assert stage.hub.wants("/Ego_topic")
    wait_for(lambda: not stage.hub.wants("/Ego_topic"))


@pytest.mark.soak
def test_fifty_clients_at_once_keep_the_rate_of_the_run(stage, server):
    with fifty_clients(server) as hear_all:
        assert keeps_its_rate(stage, lambda: hear_all(25))


def test_a_client_that_dies_is_forgotten(stage, server):
    with client_of(server) as client:
        client.send("subscribe", topic="/small")
        wait_for(lambda: stage.hub.wants("/small"))
        client.connection.socket.shutdown(socket.SHUT_RDWR)
        wait_for(lambda: not stage.hub.wants("/small"))


def test_closing_says_goodbye(stage):
    with bridged(stage) as server, client_of(server) as client:
        client.settle()
        server.close()
        with pytest.raises(ConnectionClosed) as caught:
            client.next()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1001


def test_a_server_that_has_only_just_begun_can_be_closed(stage):
    for _ in range(20):
        with bridged(stage):
            pass


@contextmanager
def flooded(server) -> Iterator[None]:
    """Three clients send commands and junk as fast as they can."""
    stop = threading.Event()

    def flood() -> None:
        with client_of(server) as other, suppress(ConnectionClosed):
            other.send("set_level", level="none")
            while not stop.is_set():
                other.send("publish", topic="/ctrl_cmd", msg={"longlCmdType": 1, "brake": 1.0})
                other.connection.send("{")
            other.connection.socket.shutdown(socket.SHUT_RDWR)  # a goodbye would wait behind all of that

    threads = [threading.Thread(target=flood) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join(60.0)


def test_a_flood_of_commands_holds_neither_the_run_nor_other_clients(stage, server, client):
    with flooded(server):
        wait_for(lambda: stage.hub.counts["/ctrl_cmd received"] > 100)
        tick = stage.loop.now.tick
        client.settle()
        wait_for(lambda: stage.loop.now.tick > tick + 20)
        client.settle()


@pytest.mark.soak
def test_a_flood_of_commands_does_not_slow_the_run(stage, server):
    with flooded(server):
        wait_for(lambda: stage.hub.counts["/ctrl_cmd received"] > 100)
        assert keeps_its_rate(stage, lambda: time.sleep(3.0))


NAMES = ("/small", "/heard", "/cloud", "/mine", "/event", "/rosapi/topics", "/rosapi/message_details", "", 5, None)
VALUES = (None, True, -1, 0, 2**70, 1.5, "", "x", "morai_msgs/CtrlCmd", [], [[]], {}, {"data": 1}, {"request": []})
OPS = ("subscribe", "unsubscribe", "publish", "advertise", "unadvertise", "call_service", "service_response", "fly")
OPS += ("advertise_service", "unadvertise_service", "fragment", "status", "auth")
FIELDS = ("id", "topic", "service", "type", "msg", "args", "compression", "throttle_rate", "queue_length")
FIELDS += ("fragment_size", "num", "total", "data")


def test_random_operations_never_find_a_fault_of_ours(stage, server, client):
    rolls = random.Random(6)
    stage.hub.counts["ROS internal error"] = 0
    with client_of(server) as other:
        other.send("set_level", level="none")
        for _ in range(600):
            fields = {name: rolls.choice(VALUES) for name in rolls.sample(FIELDS, rolls.randrange(5))}
            place = {rolls.choice(("topic", "service")): rolls.choice(NAMES)}
            operation = {"op": rolls.choice(OPS), **fields, **place}
            form = rolls.random()
            if form < 0.7:
                frame = json.dumps(operation)
            elif form < 0.8:
                operation = {name: value for name, value in operation.items() if value != 2**70}
                frame = bson.encode(operation)
            else:
                frame = cbor2.dumps(operation)
            if rolls.random() < 0.2:
                at = rolls.randrange(len(frame))
                frame = frame[:at] + frame[at + 1 :]
            with suppress(ConnectionClosed):
                other.connection.send(frame)
            for _ in range(3):
                with suppress(TimeoutError):
                    other.connection.recv(0)
        client.settle()
        other.connection.socket.shutdown(socket.SHUT_RDWR)  # answers that were not read stand before a goodbye
    assert [text for kind, text in stage.told if kind == "ROS internal error"] == []


@pytest.mark.soak
def test_status_does_not_wait_for_the_acknowledgement_of_a_cloud(stage, client):
    client.send("subscribe", topic="/cloud")
    client.send("subscribe", topic="/small")
    client.settle()
    data, waits = np.zeros(1_200_000, np.uint8), []
    for number in range(15):
        stage.publish("/cloud", data=data)
        assert client.next()["topic"] == "/cloud"
        begin = time.monotonic()
        stage.publish("/small", data=number)
        assert client.next()["topic"] == "/small"
        waits.append(time.monotonic() - begin)
    assert sorted(waits)[7] < 0.03, "Nagle's algorithm holds it back for 40 ms"


@pytest.mark.parametrize("number", ['"\\ud800"', str(2**70)])
def test_a_client_whose_id_cannot_be_written_is_forgotten_when_it_goes(stage, number):
    with bridged(stage) as server:
        with client_of(server) as client:
            client.send("subscribe", topic="/small")
            client.send("advertise_service", service="/x", type="")
            client.settle()
            frame = f'{{"op":"call_service","service":"/x","id":{number},"q":NaN}}'
            client.connection.send(frame)
            client.connection.send(frame.replace("/x", "/nowhere"))
        wait_for(lambda: not stage.hub.wants("/small") and not server.router.relay.services)
        with client_of(server) as client:
            client.settle()


def test_an_answer_that_a_form_has_not_fails_the_call(server):
    with client_of(server) as asks, client_of(server) as provides:
        provides.send("advertise_service", service="/y", type="")
        provides.settle()
        asks.connection.send(bson.encode({"op": "call_service", "service": "/y", "id": "c"}))
        request = provides.next()
        provides.send("service_response", id=request["id"], service="/y", values={"n": 2**63}, result=True)
        answer = bson.decode(asks.connection.recv(60.0))
        assert (answer["op"], answer["id"], answer["result"]) == ("service_response", "c", False)


def test_a_fault_in_sending_is_told_and_ends_that_connection(stage, monkeypatch):
    async def fail(*_: object, **__: object) -> None:
        raise TypeError("no bytes")

    with bridged(stage) as server, client_of(server) as client:
        client.settle()
        monkeypatch.setattr("dorosim.endpoint.ros.rosbridge.server.ServerConnection.send", fail)
        client.send("auth")
        with pytest.raises(ConnectionClosed):
            client.next()
        wait_for(lambda: any(kind == "ROS internal error" and "no bytes" in text for kind, text in stage.told))


def test_calls_of_one_client_leave_room_for_those_of_others(stage, server, client):
    stage.held.clear()
    with client_of(server) as other:
        for number in range(60):
            other.send("call_service", service="/event", id=str(number), args={"request": {"gear": 8}})
        other.send("call_service", service="/rosapi/get_time", id="all")
        assert other.next()["id"] == "all"
        assert client.call("/event", args={"request": {"gear": 4}})["result"]
        wait_for(lambda: len(stage.held) >= 8)
        client.settle()
        assert len(stage.held) == 8, "eight at a time"
        stage.release.release(16)
        assert len({other.next()["id"] for _ in range(16)}) == 16
        wait_for(lambda: len(stage.held) == 24)
        stage.release.release(60)
        other.connection.socket.shutdown(socket.SHUT_RDWR)


def test_a_frame_of_more_than_a_mebibyte_is_let_in_only_if_a_user_says_so(stage, server):
    with client_of(server) as client:
        client.send("publish", topic="/heard", msg={"data": "x" * (1 << 20)})
        with pytest.raises(ConnectionClosed):
            client.next()
    wait_for(lambda: any("frame_mib" in text for _, text in stage.told))
    with bridged(stage, ServerLimits(message=4 << 20)) as wide, client_of(wide) as client:
        client.send("publish", topic="/heard", msg={"data": "x" * (1 << 20)})
        client.settle()


def test_what_fragments_make_is_charged_too(server, client, monkeypatch):
    charged = []
    charge = server.router.budget.charge
    monkeypatch.setattr(server.router.budget, "charge", lambda size: (charged.append(size), charge(size)))
    text = json.dumps({"op": "publish", "topic": "/heard", "msg": {"data": "x" * 300_000}})
    for number in range(2):
        client.send("fragment", id="f", num=number, total=2, data=text[number * 150_000 :][: 150_000 + number * 1000])
    client.settle()
    assert len(text) in charged
    assert sum(charged) > 2 * len(text)
