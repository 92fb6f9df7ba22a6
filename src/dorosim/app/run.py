"""Starts a run, shows what it listens to and sends, and sums it up at the end."""

from __future__ import annotations

import select
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, TextIO

from rich.console import Console

from dorosim import __version__
from dorosim.app.folder import data_folder, inside
from dorosim.app.map_store import TOWN
from dorosim.app.network_settings import read_network
from dorosim.app.override import checked_speed
from dorosim.app.sensor_start import SensorFolder, late_station, saved_sensors, sensor_plan
from dorosim.app.settings import Settings
from dorosim.app.show import Outcome, print_banner, print_summary
from dorosim.endpoint.clock import Clock, FreeClock, PacedClock
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.network import UdpNetwork
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.wire.udp.revision import Revision, revision_named

if TYPE_CHECKING:
    from dorosim.app.build import Build
    from dorosim.recording.format import RunHeader


def clock_of(speed: str | float) -> Clock:
    """The clock of a `speed` setting.

    Raises:
        InputError: it is none.
    """
    if speed == "max":
        return FreeClock()
    if speed == "realtime":
        return PacedClock()
    if isinstance(speed, str):
        raise InputError("settings", "speed", f"{speed!r} is no speed", "use realtime, max or a factor such as 2.5")
    return PacedClock(checked_speed(float(speed)))


def run_simulator(settings: Settings, given: Collection[str] = (), *, quiet: bool = False) -> None:
    """Run until Ctrl-C, SIGTERM or the duration's end.

    Args:
        settings: all of them.
        given: keys of those that a user gave; the others have their defaults.
        quiet: say nothing before the end.

    Raises:
        InputError: a setting, file or address cannot be used.
    """
    console = Console(stderr=True, highlight=False)
    clock = clock_of(settings.speed)
    data = data_folder(settings.data)
    journal = Journal(_tell)
    # the modules that are imported below load numba and the kernels, which the other subcommands can do without
    from dorosim.app.warm import first_sensors, prepare_kernels

    with prepare_kernels(console) as prepared:
        from dorosim.app.continuation import start_of
        from dorosim.app.opening import open_world, read_script
        from dorosim.app.output import Output
        from dorosim.bridge.udp.publish import Publisher
        from dorosim.bridge.udp.receive import Receiver
        from dorosim.bridge.udp.sensor import SensorSaving
        from dorosim.endpoint.loop import Loop
        from dorosim.endpoint.udp import UdpEndpoint
        from dorosim.wire.udp.simulator import SaveSensorData

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
        endpoint = UdpEndpoint(network, receiver, publisher, journal)
        prepared(ready, publisher, opening.commands)
    output, station = None, None
    try:
        output = Output(settings)
        if not quiet:
            print_banner(
                console,
                settings,
                ready,
                revision,
                network,
                [*endpoint.notices, *notices, *plan.notices],
                opening,
                plan.lines,
            )
        publisher.epoch = epoch_of(settings) if start.epoch is None else start.epoch
        observers = output.begin(header_of(settings, ready, revision, publisher.epoch), start.content, ready.first)
        noise = Noise(settings.seed)
        station = late_station(
            plan,
            ready,
            noise,
            settings,
            revision=revision,
            epoch=publisher.epoch,
            journal=journal,
            clock=clock,
            sockets=endpoint.sockets,
        )
        archive.station = station.open
        if plan.commands or len(ready.first.mounts):
            with first_sensors(console):
                station.open()
        first = (*opening.commands, *plan.commands)
        loop = Loop(ready.scene, ready.first, noise, clock, endpoint, (*observers, station), journal, first)
        with _stopped_by_signals(loop.stop):
            started = time.monotonic()
            loop.run(None if settings.duration is None else round(settings.duration * 1e9))
            wall = time.monotonic() - started
        files = output.finish(loop.now, opening.loader)
        files += saved_sensors(settings.save_sensors, plan, loop.now)
    finally:
        if output:
            output.close()
        drops, sent = endpoint.drops, endpoint.sent | (station.close() if station else {})
        endpoint.close()
    ticks, simulated = loop.now.tick - ready.first.tick, (loop.now.time - ready.first.time) * 1e-9
    outcome = Outcome(ticks, simulated, wall, dict(journal.counts), drops, sent, clock.resyncs, files)
    print_summary(Console(highlight=False), outcome)
    output.check()


def epoch_of(settings: Settings) -> int:
    """Wall time of tick 0 [ns since 1970]: as told, else the present, in whole milliseconds as the product's stamps."""
    if settings.epoch is not None:
        return round(settings.epoch * 1e9)
    return time.time_ns() // 1_000_000 * 1_000_000


def _tell(line: str) -> None:
    """Write a line, unless nobody takes it: a reader that has gone, or does not read, must not stop the run.

    It goes past rich, which answers a broken pipe by ending the program.
    """
    try:
        if _takes_more(sys.stderr):
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()
    except (OSError, ValueError):
        return


def _takes_more(file: TextIO) -> bool:
    """Whether a line can be written without waiting. Where a system cannot tell, it can."""
    if not hasattr(select, "poll"):
        return True
    return bool(select.select([], [file], [], 0.0)[1])


def header_of(settings: Settings, ready: Build, revision: Revision, epoch: int) -> RunHeader:
    """What the files of this run say of it."""
    from dorosim.recording.format import RunHeader

    return RunHeader(
        version=__version__,
        map_name=settings.map if settings.map == TOWN else str(Path(ready.map_files.source).resolve()),
        map_digest=ready.map_files.digest,
        seed=settings.seed,
        tick=ready.scene.tick,
        epoch=epoch,
        egos=ready.egos,
        revision=revision.name,
    )


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
