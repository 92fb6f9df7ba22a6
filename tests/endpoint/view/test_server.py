"""Who may use the page, and from when on."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable

import pytest
import viser
from viser.infra import WebsockServer
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from dorosim.endpoint.view.server import open_page_server, refusal_of
from dorosim.endpoint.web_origin import WebOrigins


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:8080", None),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("localhost:8080", "http://localhost:8080"),
        ("[::1]:8080", "http://[::1]:8080"),
        ("192.168.0.7:8080", "http://192.168.0.7:8080"),
        ("lab-pc:8080", "http://lab-pc:8080"),
    ],
)
def test_the_page_itself_may(host, origin):
    headers = Headers({"Host": host} | ({} if origin is None else {"Origin": origin}))
    assert refusal_of(headers, WebOrigins("view.origins", (), "lab-pc")) is None


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("evil.example:8080", None),
        ("evil.example:8080", "http://evil.example:8080"),
        ("127.0.0.1:8080", "http://evil.example"),
        ("127.0.0.1:8080", "http://127.0.0.1:9090"),
        ("127.0.0.1:8080", "http://localhost:8080"),
        ("127.0.0.1:8080", "null"),
        ("127.0.0.1:8080", ""),
        ("", None),
        ("[::1", None),
        ("127.0.0.1:8080", "http://[::1"),
    ],
)
def test_others_may_not(host, origin):
    headers = Headers({"Host": host} | ({} if origin is None else {"Origin": origin}))
    assert refusal_of(headers, WebOrigins("view.origins", (), "127.0.0.1"))


def test_a_visitor_who_comes_while_the_server_is_made_waits(monkeypatch):
    """The socket listens before the process is there, so the first visitor always comes too early."""
    listener = socket.create_server(("127.0.0.1", 0))
    url, got, connected = f"ws://127.0.0.1:{listener.getsockname()[1]}", [], threading.Event()

    def visit() -> None:
        protocol = Subprotocol(f"viser-v{viser.__version__}")
        with connect(url, subprotocols=[protocol], max_size=None) as visitor:
            connected.set()
            got.append(visitor.recv(60.0))

    start = WebsockServer.start

    def slowly(server: WebsockServer) -> None:
        start(server)
        assert connected.wait(60.0)
        with pytest.raises(InvalidStatus):
            connect(url, origin="http://evil.example")  # answered after the first visitor, so it serves by now

    monkeypatch.setattr(WebsockServer, "start", slowly)
    coming = threading.Thread(target=visit)
    coming.start()
    server = open_page_server(listener, "test")
    try:
        coming.join(60.0)
        assert got
        assert got[0]
    finally:
        server.stop()


def test_nobody_sees_a_page_that_is_half_made():
    listener, ready = socket.create_server(("127.0.0.1", 0)), threading.Event()
    url = f"ws://127.0.0.1:{listener.getsockname()[1]}"
    server = open_page_server(listener, "test", ready=ready)
    try:
        with connect(url, subprotocols=[Subprotocol(f"viser-v{viser.__version__}")], max_size=None) as visitor:
            with pytest.raises(TimeoutError):
                visitor.recv(0.5)
            assert server.get_clients() == {}
            ready.set()
            assert visitor.recv(60.0)
    finally:
        server.stop()


def until_let_in(visit: Callable[[], ClientConnection]) -> ClientConnection:
    """A visitor's connection, as soon as there is room: one who leaves is counted until the server has noticed."""
    deadline = time.monotonic() + 60.0
    while True:
        try:
            return visit()
        except InvalidStatus:
            assert time.monotonic() < deadline
            time.sleep(0.01)


def test_foreign_pages_and_one_visitor_too_many_are_told_so_and_the_program_too():
    listener, told = socket.create_server(("127.0.0.1", 0)), []
    url = f"ws://127.0.0.1:{listener.getsockname()[1]}"
    protocols = [Subprotocol(f"viser-v{viser.__version__}")]
    origins = WebOrigins("view.origins", ["https://sim.example"], "127.0.0.1")
    server = open_page_server(listener, "test", origins, 2, told.append)
    try:
        with pytest.raises(InvalidStatus) as refused:
            connect(url, subprotocols=protocols, origin="http://evil.example")
        assert refused.value.response.status_code == 403
        assert b"view.origins" in refused.value.response.body
        assert "evil.example" in told[0]
        first = connect(url, subprotocols=protocols, max_size=None)
        second = connect(url, subprotocols=protocols, max_size=None, origin="https://sim.example")
        assert first.recv(60.0)
        assert second.recv(60.0)  # both are in
        with pytest.raises(InvalidStatus) as full:
            connect(url, subprotocols=protocols)
        assert full.value.response.status_code == 503
        assert b"2 visitors" in full.value.response.body
        first.close()
        with until_let_in(lambda: connect(url, subprotocols=protocols, max_size=None)) as third:
            assert third.recv(60.0)
        second.close()
    finally:
        server.stop()
