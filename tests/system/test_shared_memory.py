"""Shared memory of sensors goes with the stream, the client and the simulator, however they end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from dorosim.client import ClientError, connect
from dorosim.client.shared_memory import SharedSlots
from dorosim.endpoint.grpc.shared_ring import FOLDER, PREFIX
from tests.client.program import process, program
from tests.source import ROOT

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="there is no /dev/shm")
PATIENCE = 60.0
READER = """
import sys
from dorosim.client import connect
with connect(sys.argv[1], timeout=60.0) as client:
    for picture in client.add_camera(width=320, height=240, rate=30):
        print(picture.time, flush=True)
"""


def names(pid: int) -> list[str]:
    """Files in memory that a simulator has made and that still have a name."""
    return [path.name for path in FOLDER.glob(f"{PREFIX}{pid}-*")]


def mapped(pid: int) -> list[str]:
    """Memory of that kind that a process has."""
    return [line for line in Path(f"/proc/{pid}/maps").read_text().splitlines() if str(FOLDER / PREFIX) in line]


def wait_for(come: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not come() and time.monotonic() < end:
        time.sleep(0.02)
    return come()


def test_it_goes_with_the_stream_and_with_a_client_that_is_killed(tmp_path):
    with process(tmp_path) as (address, simulator):
        with connect(address, timeout=120.0) as client:
            camera = client.add_camera(width=320, height=240, rate=30)
            feed = client.feed((camera.id,))
            assert wait_for(lambda: feed.take(PATIENCE) is not None and feed.by_memory > 0)
            assert mapped(simulator.pid)
            assert not names(simulator.pid)  # it has lost its name already
            feed.close()
            assert wait_for(lambda: not mapped(simulator.pid))
            assert wait_for(lambda: not mapped(os.getpid()))
            camera.remove()
        reader = subprocess.Popen(
            [sys.executable, "-c", READER, address],
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        )
        assert len(list(islice(reader.stdout, 5))) == 5
        assert wait_for(lambda: bool(mapped(simulator.pid)))
        reader.kill()
        reader.communicate()
        assert wait_for(lambda: not mapped(simulator.pid))
        assert not names(simulator.pid)


def test_it_goes_with_a_simulator_that_is_killed_and_the_client_is_told(tmp_path):
    with process(tmp_path) as (address, simulator), connect(address, timeout=120.0) as client:
        camera = client.add_camera(width=320, height=240, rate=30)
        client.timeout = 2.0
        loop = iter(camera)
        assert len(list(islice(loop, 5))) == 5
        simulator.kill()
        simulator.wait()
        with pytest.raises(ClientError, match=r"no simulator answers|ended"):
            for _ in loop:
                pass
        assert not names(simulator.pid)
        assert wait_for(lambda: not mapped(os.getpid()))


def test_an_offer_that_is_not_taken_goes_with_the_stream(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError("not on this machine")

    monkeypatch.setattr(SharedSlots, "__init__", refuse)
    with process(tmp_path) as (address, simulator), connect(address, timeout=120.0) as client:
        camera = client.add_camera(width=320, height=240, rate=30)
        feed = client.feed((camera.id,))
        assert wait_for(lambda: feed.take(PATIENCE) is not None and feed.by_message >= 2)
        assert len(names(simulator.pid)) == 2
        feed.close()
        assert wait_for(lambda: not names(simulator.pid))
        assert wait_for(lambda: not mapped(simulator.pid))


def test_an_ended_simulator_leaves_nothing(tmp_path):
    with program(tmp_path) as address, connect(address, timeout=120.0) as client:
        camera = client.add_camera(width=320, height=240, rate=30)
        assert len(list(islice(camera, 3))) == 3
        loop = iter(camera)
        next(loop)
    assert not mapped(os.getpid())
