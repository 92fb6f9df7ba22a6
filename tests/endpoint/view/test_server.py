"""Who may use the page, and from when on."""

from __future__ import annotations

import socket
import threading
import time

import pytest
import viser
from viser.infra import WebsockServer
from websockets.datastructures import Headers
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from dorosim.endpoint.view.server import open_page_server, refusal_of


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
    assert refusal_of(headers, "lab-pc") is None


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
    found = refusal_of(headers, "127.0.0.1")
    assert found is not None
    assert found.status_code == 403
    assert found.body


def test_a_visitor_who_comes_while_the_server_is_made_waits(monkeypatch):
    """The socket listens before the process is there, so the first visitor always comes too early."""
    listener = socket.create_server(("127.0.0.1", 0))
    port, got = listener.getsockname()[1], []

    def visit() -> None:
        protocol = Subprotocol(f"viser-v{viser.__version__}")
        with connect(f"ws://127.0.0.1:{port}", subprotocols=[protocol], max_size=None) as visitor:
            got.append(visitor.recv(20.0))

    start = WebsockServer.start

    def slowly(server: WebsockServer) -> None:
        start(server)
        time.sleep(0.5)  # it serves by now

    monkeypatch.setattr(WebsockServer, "start", slowly)
    coming = threading.Thread(target=visit)
    coming.start()
    server = open_page_server(listener, "test")
    try:
        coming.join(30.0)
        assert got
        assert got[0]
    finally:
        server.stop()
