"""The address of the page: when its process is started, what becomes of it, and when the next one comes."""

from __future__ import annotations

import errno
import os
import select
import signal
import socket
import time
from itertools import pairwise

import pytest

from dorosim.endpoint.udp.socket import Address
from dorosim.endpoint.view import page_launcher
from dorosim.endpoint.view.page_launcher import PageLauncher
from tests.timing import wait_for

ANSWER = """
import os, socket, sys, threading
listener = socket.socket(fileno=int(sys.argv[2]))
threading.Thread(target=lambda: [listener.accept()[0].sendall(str(os.getpid()).encode()) for _ in iter(int, 1)],
                 daemon=True).start()
os.read(int(sys.argv[1]), 1)
"""
"""A page that tells visitors its process, and ends with its connection."""
DEAF = ANSWER + "\nimport time\ntime.sleep(60)\n"


class Waits:
    """Notes what a launcher waits for.

    Attributes:
        idle: for each wait for a visitor, whether none was there yet. pauses: for each other wait, its length [s].
    """

    def __init__(self) -> None:
        self.idle, self.pauses = [], []

    def select(self, read, write, error, timeout=None):
        if timeout is None:
            self.idle.append(not select.select(read, write, error, 0.0)[0])
        elif timeout > 0.0:
            self.pauses.append(timeout)
        return select.select(read, write, error, timeout)


class Rig:
    """A launcher, and what it reported."""

    def __init__(self, monkeypatch, text: str) -> None:
        self.connections, self.reported, self.waits = [], [], Waits()
        monkeypatch.setattr(page_launcher, "select", self.waits)
        self.launcher = PageLauncher(
            Address("127.0.0.1", 0), ("-c", text), self.connections.append, self.reported.append
        )
        self.launcher.start()

    def visit(self) -> int:
        """The process that a visitor meets."""
        with socket.create_connection(("127.0.0.1", self.launcher.port), 30.0) as visitor:
            return int(visitor.recv(100) or 0)

    def close(self) -> None:
        """End the program."""
        for connection in self.connections:
            connection.close()
        self.launcher.close()


@pytest.fixture
def rig(monkeypatch):
    """A maker of rigs, closed at the end."""
    made = []

    def make(text: str = ANSWER) -> Rig:
        made.append(Rig(monkeypatch, text))
        return made[-1]

    monkeypatch.setattr(page_launcher, "MIN_RESTART_PAUSE_S", 0.05)
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
    wait_for(lambda: one.waits.idle)
    assert one.waits.idle == [True]
    assert one.connections == []
    assert one.visit() > 0
    assert one.visit() == one.visit()
    wait_for(lambda: one.connections)  # the process may answer before the launcher has passed on its connection
    assert len(one.connections) == 1


def test_a_process_that_was_killed_is_followed_by_another_when_the_next_visitor_comes(rig):
    one = rig()
    first = one.visit()
    os.kill(first, signal.SIGKILL)
    one.launcher.reopen()
    wait_for(lambda: len(one.waits.idle) == 2)
    assert one.waits.idle[1], "it waits for the next visitor"
    assert len(one.connections) == 1
    second = one.visit()
    assert second not in (0, first)
    assert _is_there(second)


def test_a_process_that_cannot_live_is_started_seldom(rig, monkeypatch):
    monkeypatch.setattr(page_launcher, "MIN_RESTART_PAUSE_S", 60.0)
    one = rig("import sys; print('Traceback (most)', '  in', 'KeyError: 1', sep='\\n', file=sys.stderr)")
    with socket.create_connection(("127.0.0.1", one.launcher.port), 30.0):
        wait_for(lambda: one.reported)
        one.launcher.reopen()
        wait_for(lambda: one.waits.pauses)
    assert 0.0 < one.waits.pauses[0] <= 60.0
    assert one.reported == ["KeyError: 1"]
    assert len(one.connections) == 1
    one.close()  # ends the pause


def test_the_end_ends_the_process(rig):
    one = rig()
    process = one.visit()
    one.close()
    assert not _is_there(process)
    with pytest.raises(OSError, match="refused"):
        one.visit()


def test_the_end_ends_a_process_that_does_not_listen(rig, monkeypatch):
    monkeypatch.setattr(page_launcher, "END_TIMEOUT_S", 0.1)
    one = rig(DEAF)
    process = one.visit()
    one.close()
    assert not _is_there(process)


def test_a_process_that_cannot_be_started_is_reported_once_and_tried_ever_more_seldom(rig, monkeypatch):
    tried = []

    def refuse(*_, **__):
        tried.append(time.monotonic())
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    one = rig()
    monkeypatch.setattr(page_launcher.subprocess, "Popen", refuse)
    with socket.create_connection(("127.0.0.1", one.launcher.port), 30.0) as visitor:
        wait_for(lambda: len(tried) == 4)
        monkeypatch.undo()
        assert int(visitor.recv(100)) > 0, "the visitor waits until it can be started"
    pauses = [later - before for before, later in pairwise(tried)]
    assert [pause >= least for pause, least in zip(pauses, (0.09, 0.19, 0.39), strict=False)] == [True] * 3
    (reported,) = one.reported
    assert reported.startswith("its process cannot be started: Resource temporarily unavailable; it is tried again")


def test_an_address_in_use_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match="in use"):
            PageLauncher(Address("127.0.0.1", port), (), lambda _: None, lambda _: None)


def test_a_process_that_cannot_live_is_not_started_again_for_the_same_visitor(rig):
    one = rig("raise SystemExit(1)")
    with socket.create_connection(("127.0.0.1", one.launcher.port), 30.0) as visitor:
        wait_for(lambda: one.connections)
        one.launcher.reopen(failed=True)
        assert visitor.recv(1) == b"", "it is turned away"
    wait_for(lambda: len(one.waits.idle) == 2)
    assert one.waits.idle[1], "it waits for another visitor"
    assert len(one.connections) == 1


def test_the_launcher_waits_longer_from_failure_to_failure(rig, monkeypatch):
    monkeypatch.setattr(page_launcher, "MAX_RESTART_PAUSE_S", 0.4)
    one, begun = rig("raise SystemExit(1)"), []
    started = one.launcher._started

    def noted():
        begun.append(time.monotonic())  # and not when it is there: a busy machine takes its time for that
        return started()

    monkeypatch.setattr(one.launcher, "_started", noted)
    for number in range(1, 5):
        while len(one.connections) < number:  # visitors who come in the meantime are turned away, and come again
            with socket.create_connection(("127.0.0.1", one.launcher.port), 30.0):
                time.sleep(0.01)
        one.launcher.reopen(failed=True)
    pauses = [later - before for before, later in pairwise(begun)]
    assert pauses[0] >= 0.09
    assert pauses[1] >= 0.19
    assert pauses[2] >= 0.39


def test_a_page_that_is_prepared_is_there_before_the_first_visitor_and_only_once(rig):
    made = rig()
    made.launcher.prepare()
    assert wait_for(lambda: len(made.connections) == 1)
    process = made.launcher.process
    made.launcher.prepare()
    assert made.visit() == process
    assert len(made.waits.idle) == 1
    made.connections[0].close()
    made.launcher.reopen()
    assert wait_for(lambda: len(made.waits.idle) == 2)
    assert made.launcher.process == process, "the next one waits for a visitor"
    assert made.visit() != process


def test_a_page_that_is_still_loaded_does_not_delay_the_end(rig):
    made = rig("import time; time.sleep(600)")
    made.launcher.prepare()
    assert wait_for(lambda: made.launcher.process)
    begun = time.monotonic()
    made.close()
    assert time.monotonic() - begun < 60.0
    assert not _is_there(made.launcher.process)
