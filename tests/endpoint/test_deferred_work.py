"""Messages that read files: beside the loop, and where no wall clock counts, in a tick that no machine decides."""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dorosim.app.serve.sensor.start import SensorFolder
from dorosim.app.store.scenario import ScenarioFolder
from dorosim.bridge.answer import Later, Refusal
from dorosim.bridge.scenario import ScenarioLoader
from dorosim.bridge.udp.file import later, load_scenario, save_sensor_data
from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.receive import Receiver
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.gate import Gate
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.udp.deferred_work import MAX_WAITING_ANSWERS, DeferredWork
from dorosim.endpoint.udp.endpoint import UdpEndpoint
from dorosim.endpoint.udp.network import UdpNetwork
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.noise import Noise
from dorosim.wire.error import WireError
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.wire.udp.simulator import SaveSensorData, ScenarioLoad
from dorosim.world.actor.command import PauseRun
from dorosim.world.command import Source
from dorosim.world.inbox import Awaited, Inbox
from dorosim.world.vehicle.command import DriveVehicle
from tests.packet import control, scenario_load
from tests.port import free_port
from tests.system.chooser import Chooser
from tests.system.packet_generator import any_packet
from tests.system.rig import EPOCH, Rig

ALL = (False, True, True, True, True, True, False)
FILE = {
    "vehicleList": [{"DataID": 30100004, "UNIQUEID": 5, "initPosition": {"pos": {"x": -150.0, "y": 78.0, "z": 4.0}}}],
    "objectList": [{"DataID": 40100003, "UNIQUEID": 7, "pos": {"x": 0.0, "y": 300.0}}],
}
PATIENCE = 60.0


class SlowLibrary:
    """Scenarios that take as long to read as the test wants.

    Attributes:
        slow: is done before a file is read, on the thread that reads.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = ScenarioFolder(folder, "town")
        self.slow: Callable[[], object] = lambda: None

    def read(self, name: str) -> Any:
        self.slow()
        return self._folder.read(name)


class Run:
    """A run with sockets, on a thread of its own while `going`."""

    def __init__(self, town: Rig, folder: Path, clock: Any, gate: Gate | None = None) -> None:
        (folder / "Scenario").mkdir(exist_ok=True)
        (folder / "Scenario" / "first.json").write_text(json.dumps(FILE))
        self.library = SlowLibrary(folder / "Scenario")
        self.told: list[str] = []
        self.journal = Journal(self.told.append)
        self.ticks: list[tuple[int, int, tuple[Any, ...]]] = []
        """Number, simulated time before it, and commands."""
        self.time = 0
        self.address = Address("127.0.0.1", free_port())
        scene = town.built.scene
        loading = later(partial(load_scenario, ScenarioLoader(scene, self.library)))
        receiver = Receiver(DEFAULT_REVISION, scene, {ScenarioLoad: loading})
        publisher = Publisher(scene, DEFAULT_REVISION, EPOCH)
        self.endpoint = UdpEndpoint(UdpNetwork((self.address,), ()), receiver, publisher, self.journal)
        self.loop = Loop(
            scene, town.built.first, Noise(0), clock, self.endpoint, (self._note,), self.journal, gate=gate or Gate()
        )

    def _note(self, now: Any, commands: Any) -> None:
        self.ticks.append((now.tick, self.time, tuple(commands)))
        self.time = now.time

    def send(self, *datagrams: bytes) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            for one in datagrams:
                sock.sendto(one, (self.address.host, self.address.port))

    def received(self, message: str, count: int) -> None:
        """Wait until so many datagrams of a message have been read."""
        self.until(lambda: self.journal.counts[f"received {message}"] >= count)

    def until(self, holds: Callable[[], Any]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < deadline, self.told
            time.sleep(0.001)

    def loaded(self) -> tuple[int, int, tuple[Any, ...]]:
        """The tick that made what the scenario has."""
        return next(one for one in self.ticks if any(isinstance(command, PauseRun) for command in one[2]))


@contextmanager
def going(run: Run) -> Iterator[None]:
    thread = threading.Thread(target=run.loop.run)
    thread.start()
    try:
        yield
    finally:
        run.loop.stop()
        thread.join(PATIENCE)
        run.loop.end()
        run.endpoint.close()


def test_in_real_time_the_run_goes_on_while_a_file_is_read_and_all_of_it_applies_in_one_tick(town, tmp_path):
    run = Run(town, tmp_path, PacedClock(8.0))
    begun, seen = threading.Event(), list[int]()

    def slow() -> None:
        seen.append(run.loop.now.tick)
        begun.set()
        run.until(lambda: run.loop.now.tick >= seen[0] + 20)
        seen.append(run.loop.now.tick)

    run.library.slow = slow
    with going(run):
        run.send(scenario_load("first", *ALL))
        run.until(lambda: len(run.loop.now.obstacles))
    assert begun.is_set()
    tick, _, commands = run.loaded()
    assert tick > seen[1]
    assert len(commands) == 3, "vehicle, obstacle and pause come together"
    assert "scenario loaded" in run.told[0]


@pytest.mark.parametrize("stepped", [False, True], ids=["as fast as possible", "synchronous mode"])
def test_where_no_wall_clock_counts_time_stands_until_the_file_is_read(town, tmp_path, stepped):
    gate = Gate()
    run = Run(town, tmp_path, PacedClock(None), gate)
    stood: list[tuple[int, int]] = []

    def slow() -> None:
        before = run.loop.now.tick
        run.send(control(accel=0.5))
        run.received("EgoCtrlCmd", 2)  # the loop is awake, and reads
        stood.append((before, run.loop.now.tick))

    run.library.slow = slow
    if stepped:
        gate.close(0)
    with going(run):
        if stepped:
            assert gate.step("me", 50_000_000, PATIENCE) == 50_000_000
        run.send(scenario_load("first", *ALL), control(accel=0.25))
        if stepped:
            assert gate.step("me", 10_000_000, PATIENCE) == 60_000_000
        run.until(lambda: len(run.loop.now.obstacles))
    assert stood[0][0] == stood[0][1]
    tick, _, commands = run.loaded()
    assert tick == stood[0][1] + 1, "the next tick has it"
    drives = [place for place, one in enumerate(commands) if isinstance(one, DriveVehicle)]
    assert [commands[place].accelerator for place in drives] == [0.25, 0.5]
    assert drives[0] == 3, "in the order in which the datagrams came"


def test_stepped_runs_do_the_same_at_the_same_moments_however_long_reading_takes(town, tmp_path):
    found = []
    for pause in (0.0, 0.05):
        gate = Gate()
        run = Run(town, tmp_path, PacedClock(1.0), gate)
        run.library.slow = lambda pause=pause: time.sleep(pause)
        gate.close(0)
        with going(run):
            for step in range(1, 9):
                if step in (2, 5):
                    run.send(control(accel=0.1 * step), scenario_load("first", True), control(accel=0.2 * step))
                if step == 3:
                    run.send(scenario_load("none", True))
                if step in (2, 3, 5):
                    run.received("ScenarioLoad", {2: 1, 3: 2, 5: 3}[step])
                assert gate.step("me", 20_000_000, PATIENCE) == step * 20_000_000
        # what came between two steps applies in ticks of no duration before the second one, or in its first tick
        found.append([(moment, one) for _, moment, commands in run.ticks for one in commands])
        assert run.journal.counts["refused"] == 1
    assert found[0] == found[1]
    assert [moment for moment, one in found[0] if isinstance(one, PauseRun)] == [20_000_000, 80_000_000]


def test_a_reset_forgets_what_is_being_read(town, tmp_path):
    run = Run(town, tmp_path, PacedClock(None))
    going_on, reset = threading.Event(), threading.Event()

    def slow() -> None:
        going_on.set()
        reset.wait(PATIENCE)

    run.library.slow = slow
    with going(run):
        run.send(scenario_load("first", *ALL))
        assert going_on.wait(PATIENCE)
        run.loop.reset()
        run.until(lambda: run.loop.resets and run.loop.now.tick > 5)  # time goes on, since nothing is awaited
        reset.set()
        run.until(lambda: run.journal.counts["scenario loaded"])
        ticks = run.loop.now.tick
        run.until(lambda: run.loop.now.tick > ticks + 5)
    assert not len(run.loop.now.obstacles)


def test_a_run_ends_while_a_file_is_read(town, tmp_path):
    run, forever = Run(town, tmp_path, PacedClock(None)), threading.Event()
    run.library.slow = lambda: forever.wait(PATIENCE)
    with going(run):
        run.send(scenario_load("first", *ALL))
        run.received("ScenarioLoad", 1)
    assert not forever.is_set()
    forever.set()


def test_only_so_many_wait_and_a_fault_of_ours_is_told(town):
    told: list[str] = []
    late = DeferredWork(lambda: town.now, Journal(told.append), lambda: None)
    hold, begun = threading.Event(), threading.Event()

    def blocked(_: Any) -> tuple[Refusal, ...]:
        begun.set()
        hold.wait(PATIENCE)
        raise ZeroDivisionError("a fault")

    first = late.take(Later(blocked), "me")
    assert begun.wait(PATIENCE)
    others = [late.take(Later(lambda _: ()), "me") for _ in range(MAX_WAITING_ANSWERS + 1)]
    assert [one is None for one in others] == [False] * MAX_WAITING_ANSWERS + [True]
    assert told == [f"refused: me: {MAX_WAITING_ANSWERS} messages that read files wait already"]
    hold.set()
    deadline = time.monotonic() + PATIENCE
    while others[MAX_WAITING_ANSWERS - 1].commands is None:
        assert time.monotonic() < deadline
        time.sleep(0.001)
    assert first is not None
    assert first.commands == ()
    assert "ZeroDivisionError: a fault" in told[1]
    late.close()


def test_awaited_commands_keep_their_place_and_are_no_letter_before_they_are_there():
    inbox, pause = Inbox(), PauseRun(True)
    awaited, empty = Awaited(), Awaited()
    inbox.put(Source.PEER, awaited)
    inbox.put(Source.PEER, empty)
    inbox.put(Source.SCENARIO, pause)
    assert (len(inbox), inbox.awaits) == (1, True)
    assert [batch.source for batch in inbox.take()] == [Source.SCENARIO]
    inbox.put(Source.PEER, PauseRun(False))
    awaited.commands, empty.commands = (pause, pause), ()
    assert (len(inbox), inbox.awaits) == (2, False)
    assert [list(batch.commands) for batch in inbox.take()] == [[pause, pause], [], [PauseRun(False)]]
    inbox.put(Source.PEER, late := Awaited())
    inbox.clear()
    assert (late.commands, len(inbox), inbox.awaits) == ((), 0, False)


LISTING = ("os.listdir", "os.scandir", "glob.glob")


def test_no_refused_datagram_opens_more_than_three_files_or_lists_a_folder(town, tmp_path):
    """Counted by Python itself (PEP 578), for whatever message."""
    folder = tmp_path / "Scenario"
    folder.mkdir()
    for number in range(40):
        (folder / f"scenario{number}.json").write_text("{}")
    (folder / "broken.json").write_text("{")
    loading = partial(load_scenario, ScenarioLoader(town.built.scene, ScenarioFolder(folder, "town")))
    saving = partial(save_sensor_data, SensorFolder(tmp_path / "SensorData"))
    receiver = Receiver(DEFAULT_REVISION, town.built.scene, {ScenarioLoad: loading, SaveSensorData: saving})
    me, events = threading.get_ident(), list[str]()

    def note(event: str, _: Any) -> None:
        if watching and threading.get_ident() == me and (event == "open" or event in LISTING):
            events.append(event)

    watching = False
    sys.addaudithook(note)
    chooser = Chooser(7, town.built.scene)
    chooser.look(town.now)
    datagrams = [any_packet(chooser) for _ in range(3_000)]
    datagrams += [
        scenario_load(name, *ALL) for name in ("nothing", "../x", "", "broken", "town/none", b"\xff", "x" * 30)
    ]
    refused = 0
    for data in datagrams:
        watching, answers = True, list[Any]()
        with suppress(WireError):
            _, message, _ = receiver.reader.read_limited(data, len(data))
            answers = list(receiver.commands(message, town.now))
        watching = False
        if not answers or any(isinstance(one, Refusal) for one in answers):
            refused += 1
            assert len(events) <= 3, data
            assert not set(events) & set(LISTING), data
        events.clear()
    assert refused > 300
