"""The two ends of the way between a run and its page, in one process."""

from __future__ import annotations

import socket
import threading
from multiprocessing.connection import Pipe

import numpy as np
import pytest

from dorosim.endpoint.command_gateway import CommandGateway
from dorosim.endpoint.sensor.interface import Heard
from dorosim.endpoint.view.link import MAX_REQUESTS, MAX_WAITING_READINGS, PageLink, PlayedRun
from dorosim.endpoint.view.message import PageFrame, RunBegun
from dorosim.endpoint.view.run_proxy import RunProxy
from dorosim.ground.error import DorosimError, InputError
from dorosim.sensor.reading import UltrasonicReading
from dorosim.world.actor.command import PauseRun, RemoveActor
from dorosim.world.fault.command import SetControlFault
from dorosim.world.snapshot import EGO
from tests.timing import wait_for


class Office:
    """Does requests, well or not."""

    name = "an office"

    def __init__(self) -> None:
        self.held = threading.Event()

    def add(self, a: int, b: int) -> int:
        return a + b

    def refuse(self) -> None:
        raise InputError("office", "", "it cannot be", "ask for something else")

    def stumble(self) -> None:
        raise KeyError("a mistake")

    def wait(self) -> None:
        self.held.wait(30.0)

    def secret(self):
        return lambda: None


class Way:
    """A run at one end, a page at the other."""

    def __init__(self, rig) -> None:
        self.rig, self.told, self.gone = rig, [], threading.Event()
        self.begun, self.shown, self.heard = [], [], []
        mine, its = Pipe()
        self.its = its
        self.link = PageLink(mine, lambda *told: self.told.append(told), self.gone.set)
        self.proxy = RunProxy(its)
        self.office = Office()
        self.hold = threading.Event()
        self.hold.set()
        self.follower = threading.Thread(
            target=self.proxy.follow, args=(self.begun.append, self.shown.append, self._hear), daemon=True
        )
        self.link.start()
        self.follower.start()
        self.begin(1)

    def begin(self, number: int) -> None:
        begun = RunBegun(number, np.arange(300_000), self.rig.loop.now)
        self.link.begin(PlayedRun(begun, CommandGateway(self.rig.loop), {"office": self.office}))
        self.until(lambda: len(self.begun) == number)

    def _hear(self, readings, poses) -> None:
        assert len(readings) == len(poses)
        self.hold.wait(30.0)
        self.heard.extend(readings)

    def until(self, come) -> None:
        wait_for(come)

    def close(self) -> None:
        self.link.close()
        self.follower.join(30.0)
        assert not self.follower.is_alive()
        assert self.gone.wait(30.0)
        self.its.close()


@pytest.fixture
def way(town):
    """The town's run and a page."""
    made = Way(town)
    yield made
    made.close()


def test_a_snapshot_comes_once_for_each_that_was_asked_for(way):
    loop = way.rig.loop
    assert not way.link.wanted
    assert not way.link.visited
    for number in (1, 2):
        way.proxy.want()
        way.until(lambda: way.link.wanted)
        assert way.link.visited
        way.link.show(loop.turn())
        way.until(lambda number=number: len(way.shown) == number)
        assert not way.link.wanted
    assert [one.tick for one in way.shown] == [1, 2]
    assert (way.shown[1].vehicle.floats == loop.now.vehicle.floats).all()


def test_a_snapshot_of_the_run_before_is_not_shown(way):
    early = way.rig.loop.turn()
    way.begin(2)
    way.link._out.put(PageFrame(early, 1))
    way.link.show(way.rig.loop.turn())
    way.until(lambda: way.shown)
    assert [one.tick for one in way.shown] == [2]


def test_a_run_comes_whole(way):
    assert (way.begun[0].given == np.arange(300_000)).all()
    assert way.told == []


class Growing:
    """A thing to which another thread adds something while it is packed, some times.

    Args:
        times: how often.
    """

    left = 0

    def __init__(self, times: int) -> None:
        Growing.left = times

    def __reduce__(self):
        if Growing.left:
            Growing.left -= 1
            raise RuntimeError("dictionary changed size during iteration")
        return str, ("whole",)


def test_a_run_whose_scene_changes_while_it_is_packed_comes_whole_too(way):
    begun = RunBegun(2, Growing(5), way.rig.loop.now)
    way.link.begin(PlayedRun(begun, CommandGateway(way.rig.loop), {}))
    way.until(lambda: way.begun[-1].number == 2)
    assert way.begun[-1].given == "whole"
    assert Growing.left == 0


def test_requests_are_answered_and_refused(way):
    assert way.proxy.ask("office", "add", 2, 3) == 5
    assert way.proxy.ask("office", "name") == "an office"
    with pytest.raises(DorosimError, match="office: it cannot be; ask"):
        way.proxy.ask("office", "refuse")
    for name, mistake in (("stumble", "KeyError"), ("nothing", "AttributeError"), ("secret", "pickle|Error")):
        with pytest.raises(DorosimError, match=mistake):
            way.proxy.ask("office", name)
    with pytest.raises(DorosimError, match="KeyError"):
        way.proxy.ask("cellar", "add", 1, 1)
    assert len(way.told) == 4
    assert way.proxy.ask("office", "add", 1, 1) == 2


def test_commands_are_done_in_the_next_tick(way):
    turning = threading.Event()

    def turn_on() -> None:
        while not turning.wait(0.005):
            way.rig.loop.turn()

    thread = threading.Thread(target=turn_on)
    thread.start()
    try:
        assert len(way.proxy.do(PauseRun(paused=True))) == 1
        way.until(lambda: way.rig.loop.now.paused)
    finally:
        turning.set()
        thread.join()


def test_long_requests_hold_up_no_commands_and_there_are_only_so_many(way):
    waiting = [threading.Thread(target=way.proxy.ask, args=("office", "wait")) for _ in range(MAX_REQUESTS)]
    for one in waiting:
        one.start()
    way.until(lambda: not way.link._free._value)
    with pytest.raises(DorosimError, match="wait until one is done"):
        way.proxy.ask("office", "add", 1, 2)
    done = threading.Thread(target=way.proxy.do, args=(PauseRun(paused=True),))
    done.start()
    way.until(lambda: len(way.rig.loop.inbox))
    assert way.rig.loop.turn().paused
    done.join(30.0)
    way.office.held.set()
    for one in waiting:
        one.join(30.0)
    assert way.proxy.ask("office", "add", 1, 2) == 3


def test_what_cannot_be_unpacked_ends_the_page_and_not_the_run(way):
    way.its.send_bytes(b"no pickle")
    assert way.gone.wait(30.0)
    way.until(lambda: way.told)
    assert way.told[0][0] == "page error"
    assert way.rig.loop.turn().tick > 0


def test_commands_that_need_kernels_wait_for_them(way):
    run = way.link._run
    way.link._run = run._replace(ready=lambda _: False)
    with pytest.raises(DorosimError, match="first start"):
        way.proxy.do(RemoveActor(7))
    assert not len(way.rig.loop.inbox)
    fault = SetControlFault(EGO, location=3, fault_class=2, fault_subclass=201)
    done = threading.Thread(target=way.proxy.do, args=(PauseRun(paused=True), fault))
    done.start()
    way.until(lambda: len(way.rig.loop.inbox))
    now = way.rig.loop.turn()
    assert now.paused
    assert len(now.fault) == 1
    done.join(30.0)


def test_readings_are_for_who_listens_and_a_slow_page_misses_some(way):
    now = way.rig.loop.now

    def read(*sensors: int) -> None:
        readings = [UltrasonicReading(sensor=sensor, time=0, distance=1.0) for sensor in sensors]
        assert list(way.link.hear(Heard(readings, now, lambda _: b""))) == []

    read(1, 2)
    way.proxy.listen(frozenset({2}))
    way.until(lambda: way.link._sensors)
    read(1, 2)
    way.until(lambda: way.heard)
    assert [one.sensor for one in way.heard] == [2]
    way.hold.clear()
    for _ in range(100):
        read(2)
    way.hold.set()
    way.proxy.ask("office", "name")  # its answer comes after all readings that were sent
    assert len(way.heard) < 100
    before = len(way.heard)
    read(2)
    way.until(lambda: len(way.heard) > before)
    way.until(lambda: way.link._readings._value == MAX_WAITING_READINGS)


def test_trouble_of_the_page_is_told_in_the_run(way):
    way.proxy.report("a part does not work")
    way.until(lambda: way.told)
    assert way.told == [("live page", "a part does not work")]


def test_a_page_that_dies_is_noticed(town):
    way = Way(town)
    with socket.fromfd(way.its.fileno(), socket.AF_UNIX, socket.SOCK_STREAM) as its:
        its.shutdown(socket.SHUT_RDWR)  # as its end does
    way.link.show(town.loop.turn())
    assert way.gone.wait(30.0)
    way.close()


def test_the_end_is_told(town):
    way = Way(town)
    way.close()
    with pytest.raises(DorosimError, match="the run is over"):
        way.proxy.want()
