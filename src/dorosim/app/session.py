"""One run from its settings to its end. Importing this loads numba and the kernels."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from rich.console import Console

from dorosim import __version__
from dorosim.app.continuation import Start, start_of
from dorosim.app.folder import inside
from dorosim.app.map_store import TOWN
from dorosim.app.network_settings import read_network
from dorosim.app.opening import Opening, open_world, read_script
from dorosim.app.output import Output
from dorosim.app.sensor_start import LateStation, SensorFolder, SensorPlan, late_station, saved_sensors, sensor_plan
from dorosim.app.settings import Settings
from dorosim.app.show import Outcome, print_banner
from dorosim.app.warm import first_sensors
from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.receive import Receiver
from dorosim.bridge.udp.sensor import SensorSaving
from dorosim.endpoint.clock import Clock
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop import Loop
from dorosim.endpoint.network import UdpNetwork
from dorosim.endpoint.udp import UdpEndpoint
from dorosim.ground.noise import Noise
from dorosim.recording.format import RunHeader
from dorosim.wire.udp.revision import Revision, revision_named
from dorosim.wire.udp.simulator import SaveSensorData


@dataclass(frozen=True, slots=True)
class Session:
    """A run before its first tick, with its sockets open.

    Attributes:
        start: the settings as they count, the map and the first snapshot.
        opening: scenario, traffic and people that it begins with. plan: its sensors.
        revision: of the product. network: its addresses. notices: about them, for the banner.
        publisher, endpoint: its messages. archive: where messages save sensor data.
        journal: where problems are told of. clock: its pace.
    """

    start: Start
    opening: Opening
    plan: SensorPlan
    revision: Revision
    network: UdpNetwork
    notices: tuple[str, ...]
    publisher: Publisher
    endpoint: UdpEndpoint
    archive: SensorFolder
    journal: Journal
    clock: Clock

    def play(self, console: Console, *, quiet: bool) -> tuple[Outcome, Output]:
        """Run until Ctrl-C, SIGTERM or the duration's end, and close everything.

        Args:
            console: for the banner.
            quiet: leave it out.

        Returns:
            What the run did, and its files, which are closed but not yet checked.

        Raises:
            InputError: a file or an address of a sensor cannot be used.
        """
        ready, settings = self.start.ready, self.start.settings
        output, station = None, None
        try:
            output = Output(settings)
            if not quiet:
                notices = [*self.endpoint.notices, *self.notices, *self.plan.notices]
                print_banner(
                    console, settings, ready, self.revision, self.network, notices, self.opening, self.plan.lines
                )
            self.publisher.epoch = _epoch(settings) if self.start.epoch is None else self.start.epoch
            observers = output.begin(self._header(), self.start.content, ready.first)
            noise = Noise(settings.seed)
            station = self._station(console, noise)
            first = (*self.opening.commands, *self.plan.commands)
            observers = [*observers, station]
            loop = Loop(ready.scene, ready.first, noise, self.clock, self.endpoint, observers, self.journal, first)
            with _stopped_by_signals(loop.stop):
                started = time.monotonic()
                loop.run(None if settings.duration is None else round(settings.duration * 1e9))
                wall = time.monotonic() - started
            files = output.finish(loop.now, self.opening.loader)
            files += saved_sensors(settings.save_sensors, self.plan, loop.now)
        finally:
            if output:
                output.close()
            drops, sent = self.endpoint.drops, self.endpoint.sent | (station.close() if station else {})
            self.endpoint.close()
        ticks, simulated = loop.now.tick - ready.first.tick, (loop.now.time - ready.first.time) * 1e-9
        counts = dict(self.journal.counts)
        return Outcome(ticks, simulated, wall, counts, drops, sent, self.clock.resyncs, files), output

    def _station(self, console: Console, noise: Noise) -> LateStation:
        """The sensors, ready to read if the run begins with some."""
        ready = self.start.ready
        station = late_station(
            self.plan,
            ready,
            noise,
            self.start.settings,
            revision=self.revision,
            epoch=self.publisher.epoch,
            journal=self.journal,
            clock=self.clock,
            sockets=self.endpoint.sockets,
            captures=self.archive.captures,
        )
        self.archive.station = station.open
        if self.plan.commands or len(ready.first.mounts):
            with first_sensors(console):
                station.open()
        return station

    def _header(self) -> RunHeader:
        """What the files of this run say of it."""
        settings, ready = self.start.settings, self.start.ready
        return RunHeader(
            version=__version__,
            map_name=settings.map if settings.map == TOWN else str(Path(ready.map_files.source).resolve()),
            map_digest=ready.map_files.digest,
            seed=settings.seed,
            tick=ready.scene.tick,
            epoch=self.publisher.epoch,
            egos=ready.egos,
            revision=self.revision.name,
        )


def open_session(settings: Settings, given: Collection[str], data: Path, journal: Journal, clock: Clock) -> Session:
    """Read what the settings name, build the world and open the sockets.

    Args:
        settings: all of them.
        given: keys of those that a user gave; the others have their defaults.
        data: the data folder.
        journal: where problems are told of.
        clock: the pace of the run.

    Raises:
        InputError: a setting, file or address cannot be used.
    """
    script = read_script(settings, data, given)
    network, notices = script.network or _network(settings, data)
    start = start_of(script.settings, given, data)
    settings, ready = start.settings, start.ready
    opening = open_world(settings, ready, data, script)
    plan = sensor_plan(settings, data, ready.first)
    archive = SensorFolder(data / "SensorData")
    revision = revision_named(settings.udp.revision, settings.udp.steer_positive)
    publisher = Publisher(ready.scene, revision, 0)
    receiver = Receiver(revision, ready.scene, {**opening.meanings, SaveSensorData: SensorSaving(archive)})
    return Session(
        start=start,
        opening=opening,
        plan=plan,
        revision=revision,
        network=network,
        notices=tuple(notices),
        publisher=publisher,
        endpoint=UdpEndpoint(network, receiver, publisher, journal),
        archive=archive,
        journal=journal,
        clock=clock,
    )


def _epoch(settings: Settings) -> int:
    """Wall time of tick 0 [ns since 1970]: as told, else the present, in whole milliseconds as the product's stamps."""
    if settings.epoch is not None:
        return round(settings.epoch * 1e9)
    return time.time_ns() // 1_000_000 * 1_000_000


def _network(settings: Settings, data: Path) -> tuple[UdpNetwork, list[str]]:
    """The network settings, and notices about them. A bare name is looked up in the data folder."""
    if settings.udp.network is None:
        return UdpNetwork(), []
    path = Path(settings.udp.network)
    if not path.exists() and path.name == settings.udp.network:
        found = inside(data / "Network", path.name)
        path = found if found.exists() else path
    return read_network(path)


@contextmanager
def _stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C and SIGTERM end the run cleanly; a second Ctrl-C ends it at once."""

    def ask(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        stop()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
