"""A whole simulator in one process, on a virtual clock, with a transport in memory instead of sockets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from dorosim.app.run.build import Build, build
from dorosim.app.run.initial_commands import open_world, read_script
from dorosim.app.serve.sensor.start import SensorFolder
from dorosim.app.setting.settings import EgoSettings, Settings, UdpSettings
from dorosim.bridge.answer import Notice, Refusal, dispatch
from dorosim.bridge.udp.file import load_scenario, save_sensor_data
from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.receive import Receiver
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.ground.noise import Noise
from dorosim.wire.error import WireError
from dorosim.wire.udp.catalogue import STATUS
from dorosim.wire.udp.revision import revision_named
from dorosim.wire.udp.simulator import SaveSensorData, ScenarioLoad
from dorosim.world.command import Command, Source
from dorosim.world.snapshot import Snapshot

EPOCH = 1_700_000_000 * 10**9


class MemoryEndpoint:
    """Hands datagrams over in memory; what was sent in one tick is there for the next."""

    def __init__(self, receiver: Receiver, publisher: Publisher, journal: Journal) -> None:
        self.incoming: list[bytes] = []
        self.outgoing: dict[str, bytes] = {}
        self.publications = [name for name in STATUS if name != "CompetitionVehicleStatus"]
        self.receiver, self.publisher, self._journal = receiver, publisher, journal
        self.period = 20_000_000

    def wait(self, _: float, put: Callable[[Source, Command], None], now: Snapshot, *, whole: bool = False) -> bool:
        """Take what has been sent."""
        taken, self.incoming = self.incoming, []
        for data in taken:
            try:
                _, message, _ = self.receiver.reader.read_limited(data, len(data))
                self._journal.counts["received"] += 1
                for command in dispatch(self.receiver.commands(message, now), self._report):
                    put(Source.PEER, command)
            except WireError as error:
                self._journal.counts[f"bad {error.fault}"] += 1
        return False

    def _report(self, answer: Refusal | Notice) -> None:
        self._journal.report_answer("UDP", answer)

    def publish(self, now: Snapshot) -> None:
        """Build the status messages at 50 Hz."""
        if now.time % self.period == 0:
            self.outgoing = {name: self.publisher.builder(name)(now) for name in self.publications}

    def wake(self) -> None:
        """Nobody waits."""

    def close(self) -> None:
        """Nothing to close."""


class Rig:
    """A run that a test drives tick by tick.

    Args:
        settings: as from a settings file.
        data: a data folder.

    Attributes:
        archive: where SaveSensorData saves, once it has a station.
    """

    def __init__(self, settings: Settings, data: Path) -> None:
        script = read_script(settings, data)
        settings = script.settings
        self.built: Build = build(settings, data)
        self.opening = open_world(settings, self.built, data, script)
        revision = revision_named(settings.udp.revision, settings.udp.steer_positive)
        self.told: list[str] = []
        self.journal = Journal(self.told.append)
        publisher = Publisher(self.built.scene, revision, EPOCH)
        self.archive = SensorFolder(data / "SensorData")
        loading = partial(load_scenario, self.opening.loader)  # at once, on the thread of the test
        meanings = {ScenarioLoad: loading, SaveSensorData: partial(save_sensor_data, self.archive)}
        receiver = Receiver(revision, self.built.scene, meanings)
        self.endpoint = MemoryEndpoint(receiver, publisher, self.journal)
        noise = Noise(settings.seed)
        self.loop = Loop(
            self.built.scene,
            self.built.first,
            noise,
            PacedClock(None),
            self.endpoint,
            (),
            self.journal,
            self.opening.commands,
        )
        self.endpoint.publish(self.built.first)

    @property
    def now(self) -> Snapshot:
        """The last snapshot."""
        return self.loop.now

    def send(self, *datagrams: bytes) -> None:
        """Datagrams for the next tick."""
        self.endpoint.incoming += datagrams

    def put(self, *commands: Command) -> None:
        """Commands for the next tick, for what no datagram asks for."""
        for command in commands:
            self.loop.put(Source.PEER, command)

    def status(self, name: str) -> bytes:
        """A status datagram of the present snapshot."""
        return self.endpoint.publisher.builder(name)(self.now)

    def turn(self, ticks: int = 1) -> Snapshot:
        """Let ticks go by."""
        for _ in range(ticks):
            self.endpoint.wait(0.0, self.loop.inbox.put, self.loop.now)
            self.loop.turn()
        return self.loop.now


def rig(
    data: Path, *, egos: Iterable[EgoSettings] = (EgoSettings(),), map_name: str = "town", revision: str = "24.R2"
) -> Rig:
    """A run on a map."""
    return Rig(Settings(map=map_name, ego=tuple(egos), udp=UdpSettings(revision=revision)), data)
