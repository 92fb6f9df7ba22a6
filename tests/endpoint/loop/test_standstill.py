"""Synchronous mode while nobody steps: it is told who is waited for, and statuses go on, but no tick is made."""

from __future__ import annotations

import socket

import pytest

from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.receive import Receiver
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.loop.standstill import Standstill
from dorosim.endpoint.udp.endpoint import UdpEndpoint
from dorosim.endpoint.udp.network import Publication, UdpNetwork
from dorosim.endpoint.udp.socket import Address
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.command import Source
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind
from tests.system.rig import rig

TICK = 10_000_000


class Watch:
    """A wall clock that a test sets [s]."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Run:
    """A run that stands at the gate, and what is said meanwhile."""

    def __init__(self, folder) -> None:
        made, self.told, self.stood = rig(folder), [], []
        self.watch = Watch()
        self.loop = Loop(
            made.built.scene, made.built.first, made.loop.noise, PacedClock(), journal=Journal(self.told.append)
        )
        self.loop.standstill = Standstill(self.watch)
        self.loop.standstill_observers.append(lambda now, waited: self.stood.append((now.tick, round(waited, 3))))
        self.loop.hold()

    def at(self, seconds: float) -> None:
        """A turn of the loop, so many seconds after the first one."""
        self.watch.now = 100.0 + seconds
        self.loop._wait_at_gate()


@pytest.fixture
def run(tmp_path):
    made = Run(tmp_path)
    made.at(0.0)
    return made


def test_after_ten_seconds_the_journal_says_who_is_waited_for_and_again_every_minute(run):
    for seconds in (0.5, 9.99):
        run.at(seconds)
    assert not run.told
    run.at(10.0)
    (line,) = run.told
    assert line.startswith("synchronous mode: time has stood for 10 s, the run waits for a first step")
    assert "SetSynchronousMode with type 1" in line
    for seconds in (10.5, 69.0):
        run.at(seconds)
    assert len(run.told) == 1
    run.at(70.0)
    assert len(run.told) == 2
    assert run.loop.ticks == 0, "no tick is made of wall time"


def test_clients_that_step_are_named_and_so_is_one_that_has_gone(run):
    gate = run.loop.gate
    for name in ("gRPC 1.2.3.4:5", "ROS user me"):
        gate.step(name, TICK, 0.0)
    run.at(1.0)
    assert run.loop.now.time == TICK
    gate.step("ROS user me", TICK, 0.0)
    run.at(1.0)
    run.at(10.9)
    assert not run.told, "ten seconds from the last step on"
    run.at(11.0)
    assert "waits for gRPC 1.2.3.4:5 to step;" in run.told[0]
    gate.leave("ROS user me")
    gate.leave("gRPC 1.2.3.4:5")
    run.at(71.0)
    assert "waits for a client to step; the last was ROS user me, which has gone" in run.told[1]


def test_statuses_go_on_after_ten_seconds(run):
    for seconds in (0.9, 9.9, 10.0, 10.01):
        run.at(seconds)
    assert run.stood == [(0, 10.0), (0, 10.01)]


def test_who_steps_ends_the_wait(run):
    run.at(10.0)
    run.loop.gate.step("a", TICK, 0.0)
    run.at(10.1)
    run.stood.clear()
    run.at(10.2)
    run.at(20.1)
    assert not run.stood
    run.at(20.2)
    assert run.stood == [(1, 10.0)]


def drive(accelerator: float) -> DriveVehicle:
    return DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, accelerator=accelerator)


def test_messages_that_are_not_answered_wait_for_the_step_so_that_equal_runs_have_equal_ticks(run):
    run.loop.put(Source.PEER, drive(0.5))
    run.at(1.0)
    assert run.loop.ticks == 0, "whether the loop looks before or after the message comes must not count"
    run.loop.gate.step("a", TICK, 0.0)
    run.at(1.1)
    assert run.loop.ticks == 1
    assert run.loop.now.vehicle.target_accelerator[0] == 0.5


def test_requests_that_are_answered_apply_at_once(run):
    heard = []
    run.loop.put(Source.PEER, drive(0.5))
    run.loop.inbox.put_all(Source.PEER, (drive(0.25),), lambda now, _: heard.append(now.time))
    run.at(1.0)
    assert heard == [0]
    assert run.loop.ticks == 1
    assert run.loop.now.vehicle.target_accelerator[0] == 0.25, "in the order of their arrival"


def test_messages_apply_at_once_where_nobody_has_stepped_for_long(run):
    run.at(10.0)
    run.loop.put(Source.PEER, drive(0.5))
    run.at(10.1)
    assert run.loop.now.vehicle.target_accelerator[0] == 0.5
    assert run.loop.now.time == 0


def test_statuses_by_udp_go_on_at_their_rate(tmp_path):
    """50 a second, the last one again."""
    made, told = rig(tmp_path), []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.bind(("127.0.0.1", 0))
        ear.setblocking(False)
        to = Address(*ear.getsockname())
        network = UdpNetwork(listen=(), publications=(Publication("EgoVehicleStatus", Address("127.0.0.1", 0), to),))
        receiver = Receiver(DEFAULT_REVISION, made.built.scene, {})
        publisher = Publisher(made.built.scene, DEFAULT_REVISION, 0)
        endpoint = UdpEndpoint(network, receiver, publisher, Journal(told.append))
        try:
            endpoint.publish(made.now)
            for hundredth in range(1000, 1100):
                endpoint.stand(made.now, hundredth / 100 + 1e-4)
            assert endpoint.sent == {"EgoVehicleStatus": 51}
            heard = {ear.recv(1000) for _ in range(51)}
        finally:
            endpoint.close()
    assert len(heard) == 1
    assert not told
