"""Pages of others in a real browser, which try to read and drive the simulator."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import xmlrpc.client
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.browser.stage import browser
from tests.endpoint.ros.node_rig import SmallMaster, until
from tests.port import free_port
from tests.system.served_program import Program

REBOUND = "evil.example"
"""A name that the browser is told to be this machine."""
TRY = """
const [url, done] = arguments;
const socket = new WebSocket(url);
socket.onopen = () => socket.send(JSON.stringify({op: "call_service", service: "/rosapi/topics"}));
socket.onmessage = event => { done(JSON.parse(event.data).values.topics.length); socket.close(); };
socket.onclose = () => done("closed");
"""
"""Asks rosbridge for its topics: how many there are, or that nothing came."""
FRAMED = """
const [url, done] = arguments;
addEventListener("message", event => done(event.data), {once: true});
const frame = document.createElement("iframe");
frame.sandbox = "allow-scripts";
const tell = "told => parent.postMessage([origin, told], '*')";
const body = `(function () { ${PROGRAM} })(${JSON.stringify(url)}, ${tell})`;
frame.srcdoc = "<script>" + body + "</scr" + "ipt>";
document.body.append(frame);
""".replace("PROGRAM", json.dumps(TRY))
"""The same from a frame whose origin is `null`."""
FORM = """
const [url, text, done] = arguments;
const asked = {method: "POST", mode: "no-cors", headers: {"Content-Type": "text/plain"}, body: text};
fetch(url, asked).then(() => done("sent"), () => done("failed"));
"""
"""Sends text to any address, as a form can; what is answered to it is not for the page to see."""


class Page(BaseHTTPRequestHandler):
    """Some page of somebody else."""

    def do_GET(self) -> None:
        body = b"<!doctype html><title>a page</title><body>a page"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing is told."""


@contextmanager
def page_at(port: int) -> Iterator[str]:
    """A web server of somebody else; its origin."""
    with ThreadingHTTPServer(("127.0.0.1", port), Page) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("foreign"), f"--host-resolver-rules=MAP {REBOUND} 127.0.0.1") as made:
        made.driver.set_script_timeout(30.0)
        yield made


@pytest.fixture
def simulator(tmp_path, request):
    """A program that serves rosbridge to the pages that are listed; its port, and it."""
    port, listed = free_port(), free_port()
    config = tmp_path / "dorosim.toml"
    config.write_text(f'[ros]\norigins = ["http://127.0.0.1:{listed}"]\n')
    program = Program(
        tmp_path, "--config", str(config), "--ros-server", f"127.0.0.1:{port}", "--no-view", "--speed", "max"
    )
    yield program, port, listed
    program.end()


def reached(program: Program, port: int) -> None:
    """Wait until rosbridge is served: the page's program may be slow to compile."""
    program.wait()

    def is_there() -> bool:
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", port)) == 0

    until(is_there, 300.0)


def test_a_foreign_page_a_frame_and_a_rebound_name_get_nothing_and_a_listed_page_does(chromium, simulator, tmp_path):
    program, port, listed = simulator
    reached(program, port)
    url = f"ws://127.0.0.1:{port}"
    with page_at(free_port()) as foreign, page_at(listed) as ours:
        chromium.open(foreign)
        assert chromium.driver.execute_async_script(TRY, url) == "closed"
        assert chromium.driver.execute_async_script(FRAMED, url) == ["null", "closed"]
        grpc = f"http://{program.address}/grpc.health.v1.Health/Check"
        assert chromium.driver.execute_async_script(FORM, grpc, "\0\0\0\0\0") == "failed", "it speaks no HTTP/1.1"
        chromium.open(ours)
        assert chromium.driver.execute_async_script(TRY, url) > 10
    file = tmp_path / "page.html"
    file.write_text("<!doctype html><title>a file</title>")
    chromium.open(file.as_uri())
    assert chromium.driver.execute_async_script(TRY, url) == "closed"
    _, told = program.end()
    refused = [line for line in told.splitlines() if "ros.origins" in line and "refused" in line and foreign in line]
    assert refused, told


def test_a_name_that_was_made_to_point_here_gets_nothing(chromium, tmp_path):
    """The page comes from somebody else's server; then its name and port are the simulator's."""
    port = free_port()
    with page_at(port):
        chromium.open(f"http://{REBOUND}:{port}/")
    program = Program(tmp_path, "--ros-server", f"127.0.0.1:{port}", "--no-view", "--speed", "max")
    try:
        reached(program, port)
        assert chromium.driver.execute_async_script(TRY, f"ws://{REBOUND}:{port}") == "closed"
    finally:
        _, told = program.end()
    assert "that name is not known here" in told


def test_a_form_on_a_foreign_page_cannot_end_the_ros_node(chromium, tmp_path):
    master = SmallMaster()
    program = Program(tmp_path, "--ros-server", "off", "--ros-master", master.uri, "--no-view", "--speed", "max")
    try:
        program.wait()
        node = until(lambda: master.nodes.get("/dorosim"), 300.0)
        text = xmlrpc.client.dumps(("/page", "because"), "shutdown")
        with page_at(free_port()) as foreign:
            chromium.open(foreign)
            assert chromium.driver.execute_async_script(FORM, node, text) == "sent"
        with xmlrpc.client.ServerProxy(node) as proxy:
            assert proxy.getPid("/test")[0] == 1
    finally:
        _, told = program.end()
        master.close()
    assert "asks it to" not in told
    assert "ros.origins" in told


def test_roslibpy_comes_in_by_address_and_by_name(simulator):
    program, port, _ = simulator
    reached(program, port)
    script = (
        "import os, roslibpy, sys; ros = roslibpy.Ros(sys.argv[1], int(sys.argv[2])); ros.run(timeout=30);"
        "print(len(ros.get_topics()), flush=True); os._exit(0)"
    )
    for host in ("127.0.0.1", "localhost"):
        done = subprocess.run(
            [sys.executable, "-c", script, host, str(port)], check=False, capture_output=True, text=True, timeout=90
        )
        assert int(done.stdout) > 10, done.stderr
