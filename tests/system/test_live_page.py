"""The live page of the real program, without a browser: its process, its address, and what visitors may do to it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
import viser
import zstandard
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.app.command import dorosim_process
from tests.port import free_port, in_use_here
from tests.system.served_program import Program
from tests.timing import wait_for

PROTOCOL = f"viser-v{viser.__version__}"
PATIENCE = 60.0
EXPECTED = re.compile(
    r"live page: (http://127\.0\.0\.1:\d+$"
    r"|its process has ended; it is started again for the next visitor"
    r"|a web page of 'http://evil\.example' is refused; list 'http://evil\.example' in view\.origins if you trust it$"
    r"|\S+: UserWarning: \[viser\] \S+ does not match annotation)"
)
"""What a program tells of its page: its address, that it was killed, and what viser says of garbage."""


class Paged(Program):
    """A program whose page visitors open by themselves."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.place = f"127.0.0.1:{free_port()}"
        super().__init__(folder, "--ros-server", "off", "--view-at", self.place, *arguments, loaded=False)
        self.wait()

    def visit(self, **headers: str) -> ClientConnection:
        """A visitor's connection, which the page's process may have to be started for."""
        return connect(
            f"ws://{self.place}",
            subprotocols=[PROTOCOL],
            open_timeout=PATIENCE,
            max_size=None,
            max_queue=None,  # answers to pings are not to wait behind frames that the test does not take
            compression=None,
            additional_headers=headers,
        )

    def page(self) -> int:
        """Number of the page's process; 0 for none."""
        found = subprocess.run(
            ["ps", "-o", "pid=,args=", "--ppid", str(self.process.pid)], capture_output=True, text=True, check=False
        )
        pages = [line.split()[0] for line in found.stdout.splitlines() if "dorosim.app.serve.page" in line]
        return int(pages[0]) if pages else 0

    def goes_on(self) -> bool:
        """Whether simulated time passes."""
        before = self.ego()[0]
        return wait_for(lambda: self.ego()[0] > before)

    def kill(self) -> None:
        """As a machine without memory does it."""
        self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    (folder / "dorosim.toml").write_text("[view]\nvisitors = 64\n")
    made = Paged(folder, "--config", str(folder / "dorosim.toml"))
    yield made
    _, told = made.end()
    assert_in_order(told)


def assert_in_order(told: str) -> None:
    """Nothing went wrong: of a traceback in the page's process, the program tells the end only."""
    assert "Traceback" not in told
    lines = [line for line in told.splitlines() if line.startswith(("live page: ", "page error: "))]
    assert [line for line in lines if not EXPECTED.match(line)] == []


def looks(visitor: ClientConnection) -> None:
    """Look as a browser does: the page counts who has told where its camera is."""
    visitor.send(
        msgspec.msgpack.encode(
            {
                "type": "ViewerCameraMessage",
                "wxyz": (1.0, 0.0, 0.0, 0.0),
                "position": (0.0, 0.0, 10.0),
                "fov": 1.0,
                "near": 0.1,
                "far": 1000.0,
                "image_height": 600,
                "image_width": 800,
                "look_at": (0.0, 0.0, 0.0),
                "up_direction": (0.0, 0.0, 1.0),
            }
        )
    )


def is_there(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # it may go at any moment
        return False


def sockets_of(process: int) -> list[str]:
    """As Linux names them; files are opened and closed meanwhile."""
    found = []
    for one in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):
            found.append(str(one.readlink()))
    return [one for one in found if one.startswith("socket:[")]


def test_nobody_looks_and_nothing_is_loaded(program):
    if program.page():
        pytest.skip("another test has looked already")
    maps = Path(f"/proc/{program.process.pid}/maps").read_text()
    assert "zstandard" not in maps  # which only viser needs of all that is there


def test_the_page_is_served_to_its_own_origin_only(program):
    with urllib.request.urlopen(f"http://{program.place}", timeout=PATIENCE) as answer:
        assert b"<html" in answer.read().lower()
    with program.visit(Origin=f"http://{program.place}") as visitor:
        assert visitor.recv(PATIENCE)
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}):
        with pytest.raises(InvalidStatus, match="403"):
            program.visit(**headers)
    asked = urllib.request.Request(f"http://{program.place}", headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(asked, timeout=PATIENCE)
    for path in ("/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/nothing"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"http://{program.place}{path}", timeout=PATIENCE)


GARBAGE = [
    "text",
    b"",
    b"\xc1" * 100,
    b"\x00" * 1_000_000,
    msgspec.msgpack.encode({"type": "NoSuchMessage"}),
    msgspec.msgpack.encode({"type": "ViewerCameraMessage"}),
    msgspec.msgpack.encode({"type": "ViewerCameraMessage", "wxyz": "x", "position": [float("nan")] * 3}),
    msgspec.msgpack.encode({"type": "GuiUpdateMessage", "uuid": "?", "updates": {"value": 1}}),
    msgspec.msgpack.encode({"type": "ShareUrlRequest"}),
]


def test_garbage_ends_no_process(program):
    with program.visit() as good:
        page = wait_for(program.page)
        looks(good)
        for junk in GARBAGE:
            with program.visit() as visitor:
                try:
                    visitor.send(junk)
                    looks(visitor)
                    for _ in range(3):
                        visitor.recv(1.0)
                except (ConnectionClosed, TimeoutError):
                    pass
        for raw in (b"\x16\x03\x01\x02", b"GET / HTTP/1.1\r\n" + b"x: " + b"y" * 100_000, b"\r\n\r\n"):
            with socket.create_connection(tuple(program.place.split(":")), PATIENCE) as visitor:
                visitor.sendall(raw)
        assert good.ping().wait(PATIENCE)
    assert program.page() == page
    assert program.goes_on()


def test_many_visitors_come_and_go(program):
    visitors = [program.visit() for _ in range(40)]
    for one in visitors:
        looks(one)
    page = program.page()
    assert all(one.ping().wait(PATIENCE) for one in visitors)
    for number, one in enumerate(visitors):
        if number % 2:
            one.socket.close()  # without a word
        else:
            one.close()
    with program.visit() as last:
        assert last.recv(PATIENCE)
    assert program.page() == page
    assert program.goes_on()


def test_a_page_that_is_killed_comes_again_with_the_next_visitor(program):
    with program.visit():
        page = wait_for(program.page)
    os.kill(page, signal.SIGKILL)
    wait_for(lambda: not is_there(page))
    assert program.goes_on()
    with program.visit() as visitor:
        assert visitor.recv(PATIENCE)
        assert program.page() not in (0, page)
    assert program.goes_on()


def test_a_page_follows_to_another_run(program):
    client = program.client()
    with program.visit() as visitor:
        looks(visitor)
        page = wait_for(program.page)
        wait_for(lambda: any(_texts(visitor, 0.5)))
        client.done("Simulation/Start", map_and_vehicle={"map_name": "town", "ego_vehicle_model": "2015_Kia_K5"})
        runs = "<td>run on town</td>"
        wait_for(lambda: any(text.count(runs.encode()) >= 2 for text in _texts(visitor, 1.0)))
    client.close()
    assert program.page() == page
    assert program.goes_on()


def _texts(visitor: ClientConnection, seconds: float) -> Iterator[bytes]:
    """What comes in a time: frames of zstd behind two numbers."""
    deadline = time.monotonic() + seconds
    with suppress(TimeoutError):
        while (left := deadline - time.monotonic()) > 0.0:
            yield zstandard.ZstdDecompressor().decompressobj().decompress(visitor.recv(left)[16:])


@pytest.mark.parametrize("ask", [signal.SIGINT, signal.SIGKILL])
def test_the_page_ends_with_the_program(tmp_path, ask):
    program = Paged(tmp_path)
    with program.visit() as visitor:
        looks(visitor)
        page = wait_for(program.page)
        assert visitor.recv(PATIENCE)
        program.process.send_signal(ask)
        output, told = program.process.communicate(timeout=PATIENCE)
        wait_for(lambda: not is_there(page))
    program.end(ask=False) if program.process.returncode is None else program.status.close()
    if ask == signal.SIGINT:
        assert program.process.returncode == 0
        assert "Traceback" not in output
        assert_in_order(told)


def test_an_address_in_use(tmp_path):
    (tmp_path / "net.toml").write_text("listen = []\nsend = []\n")
    run = ("run", "--network", tmp_path / "net.toml", "--data", tmp_path, "--grpc", "off", "--ros-server", "off")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = dorosim_process(*run, "--view-at", f"127.0.0.1:{port}", "--duration", "0.1")
        assert refused.returncode != 0
        cure = (
            "end that program, or move all ports of this run with --ports auto, or give another address with --view-at"
        )
        assert f"live page: 127.0.0.1:{port}: {in_use_here()}; {cure}" in refused.stderr
        assert "Traceback" not in refused.stderr


def test_without_a_page_no_address_is_opened(tmp_path):
    program = Program(tmp_path, "--ros-server", "off", "--no-view", loaded=False)
    try:
        program.wait()
        tables = [Path(f"/proc/{program.process.pid}/net/{name}").read_text() for name in ("tcp", "tcp6")]
        listening = {row.split()[9] for table in tables for row in table.splitlines()[1:] if row.split()[3] == "0A"}
        mine = [one for one in sockets_of(program.process.pid) if one[8:-1] in listening]
        assert len(mine) == 1  # that of gRPC
    finally:
        _, told = program.end()
    assert "live page" not in told
