"""What the page's server puts into the page, and the question whether it is still there."""

from __future__ import annotations

import gzip
import http.client
import socket
from contextlib import closing

import pytest

from dorosim.endpoint.view.server import ALIVE, SCRIPT, open_page_server, with_script


@pytest.fixture
def port():
    """Of a page's server."""
    listener = socket.create_server(("127.0.0.1", 0))
    found = listener.getsockname()[1]
    server = open_page_server(listener, "test")
    yield found
    server.stop()


def got(port: int, path: str, **headers: str) -> tuple[int, http.client.HTTPMessage, bytes]:
    """Status, headers and content at a path."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30.0)
    connection.request("GET", path, headers={"Accept-Encoding": "identity"} | headers)
    with closing(connection), connection.getresponse() as answer:
        return answer.status, answer.headers, answer.read()


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_the_page_comes_with_the_script_whole_and_each_time(port, encoding):
    for _ in range(2):
        status, headers, content = got(port, "/", **{"Accept-Encoding": encoding})
        assert status == 200
        assert headers["Content-Encoding"] == encoding
        assert int(headers["Content-Length"]) == len(content)
        page = gzip.decompress(content) if encoding == "gzip" else content
        assert page.count(SCRIPT.read_bytes()) == 1
        assert page.index(b"<head><script>") < page.index(b"<title>")


def test_it_tells_that_it_is_there_but_not_to_foreign_pages(port):
    assert got(port, ALIVE)[0] == 200
    assert got(port, ALIVE, Origin="http://evil.example")[0] == 403
    assert got(port, "/no-such-file")[0] == 404


def test_a_page_without_a_head_stays_as_it_is():
    assert with_script(b"<p>broken", b"x") == b"<p>broken"


def test_the_script_cannot_end_its_own_element():
    assert b"</script" not in SCRIPT.read_bytes()
