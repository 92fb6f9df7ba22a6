"""The address of the page: when its process is started, what becomes of it, and when the next one comes."""

from __future__ import annotations

import errno
import os
import signal
import socket
import time
from itertools import pairwise

import pytest

from dorosim.endpoint.udp.socket import Address
from dorosim.endpoint.view import page_launcher as door_module
from dorosim.endpoint.view.page_launcher import PageLauncher

ANSWER = """
import os, socket, sys, threading
listener = socket.socket(fileno=int(sys.argv[2]))
threading.Thread(target=lambda: [listener.accept()[0].sendall(str(os.getpid()).encode()) for _ in iter(int, 1)],
                 daemon=True).start()
os.read(int(sys.argv[1]), 1)
"""
"""A page that tells visitors its process, and ends with its connection."""
DEAF = ANSWER + "\nimport time\ntime.sleep(60)\n"


class Rig:
    """A door, and what it said."""

    def __init__(self, text: str) -> None:
        self.connections, self.told = [], []
        self.door = PageLauncher(Address("127.0.0.1", 0), ("-c", text), self.connections.append, self.told.append)
        self.door.start()

    def visit(self) -> int:
        """The process that a visitor meets."""
        with socket.create_connection(("127.0.0.1", self.door.port), 30.0) as visitor:
            return int(visitor.recv(100) or 0)

    def close(self) -> float:
        """Wall time that the end takes [s]."""
        begun = time.monotonic()
        for connection in self.connections:
            connection.close()
        self.door.close()
        return time.monotonic() - begun


@pytest.fixture
def rig(monkeypatch):
    """A maker of rigs, closed at the end."""
    made = []

    def make(text: str = ANSWER) -> Rig:
        made.append(Rig(text))
        return made[-1]

    monkeypatch.setattr(door_module, "SOONEST", 0.05)
    yield make
    for one in made:
        one.close()


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_nothing_is_started_until_somebody_comes(rig):
    one = rig()
    time.sleep(0.2)
    assert one.connections == []
    assert one.visit() > 0
    assert one.visit() == one.visit()
    time.sleep(0.1)  # the process may answer before the door has told of it
    assert len(one.connections) == 1


def test_a_process_that_was_killed_is_followed_by_another_when_the_next_visitor_comes(rig):
    one = rig()
    first = one.visit()
    os.kill(first, signal.SIGKILL)
    one.door.reopen()
    time.sleep(0.3)
    assert len(one.connections) == 1
    second = one.visit()
    assert second not in (0, first)
    assert _is_there(second)


def test_a_process_that_cannot_live_is_started_seldom(rig, monkeypatch):
    monkeypatch.setattr(door_module, "SOONEST", 60.0)
    one = rig("import sys; print('Traceback (most)', '  in', 'KeyError: 1', sep='\\n', file=sys.stderr)")
    with socket.create_connection(("127.0.0.1", one.door.port), 30.0):
        deadline = time.monotonic() + 30.0
        while not one.told and time.monotonic() < deadline:
            time.sleep(0.01)
        one.door.reopen()
        time.sleep(0.3)
    assert one.told == ["KeyError: 1"]
    assert len(one.connections) == 1
    assert one.close() < 5.0


def test_the_end_ends_the_process(rig):
    one = rig()
    process = one.visit()
    assert one.close() < 5.0
    assert not _is_there(process)
    with pytest.raises(OSError, match="refused"):
        one.visit()


def test_the_end_ends_a_process_that_does_not_listen(rig, monkeypatch):
    monkeypatch.setattr(door_module, "GRACE", 0.1)
    one = rig(DEAF)
    process = one.visit()
    one.close()
    assert not _is_there(process)


def test_a_machine_that_has_no_more_processes_is_told_of(rig, monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    one = rig()
    monkeypatch.setattr(door_module.subprocess, "Popen", refuse)
    with socket.create_connection(("127.0.0.1", one.door.port), 30.0) as visitor:
        deadline = time.monotonic() + 30.0
        while len(one.told) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert set(one.told) == {"its process cannot be started: Resource temporarily unavailable"}
        monkeypatch.undo()
        assert int(visitor.recv(100)) > 0


def test_an_address_in_use_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match="in use"):
            PageLauncher(Address("127.0.0.1", port), (), lambda _: None, lambda _: None)


def test_a_process_that_cannot_live_is_not_started_again_for_the_same_visitor(rig):
    one = rig("raise SystemExit(1)")
    with socket.create_connection(("127.0.0.1", one.door.port), 30.0) as visitor:
        while not one.connections:
            time.sleep(0.01)
        one.door.reopen(failed=True)
        assert visitor.recv(1) == b"", "it is turned away"
    time.sleep(0.4)
    assert len(one.connections) == 1


def test_the_door_waits_longer_from_failure_to_failure(rig, monkeypatch):
    monkeypatch.setattr(door_module, "LONGEST", 0.4)
    one, begun = rig("raise SystemExit(1)"), []
    started = one.door._started

    def noted():
        begun.append(time.monotonic())  # and not when it is there: a busy machine takes its time for that
        return started()

    monkeypatch.setattr(one.door, "_started", noted)
    for number in range(1, 5):
        while len(one.connections) < number:  # visitors who come in the meantime are turned away, and come again
            with socket.create_connection(("127.0.0.1", one.door.port), 30.0):
                time.sleep(0.01)
        one.door.reopen(failed=True)
    pauses = [later - before for before, later in pairwise(begun)]
    assert pauses[0] >= 0.09
    assert pauses[1] >= 0.19
    assert pauses[2] >= 0.39
