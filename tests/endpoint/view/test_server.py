"""Who may use the page."""

from __future__ import annotations

import pytest
from websockets.datastructures import Headers

from dorosim.endpoint.view.server import refusal_of


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
