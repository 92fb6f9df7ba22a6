"""Serves the live page of a recording until Ctrl-C."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec
from rich.console import Console

from dorosim.app.analyse.sky import ShownSky
from dorosim.app.analyse.trace.recorded import open_recording
from dorosim.app.run.build import world_of
from dorosim.app.run.report.console import print_line, print_notices
from dorosim.app.run.report.log_output import LogOutput
from dorosim.app.run.run import clock_of
from dorosim.app.run.session import RunContext
from dorosim.app.run.stop_signal import StopSignals
from dorosim.app.serve.replay.index import RecordingIndex
from dorosim.app.serve.replay.page import RecordingPage
from dorosim.app.serve.replay.player import RecordingPlayer
from dorosim.app.serve.sensor.plan import SensorPlan
from dorosim.app.serve.sensor.start import late_station
from dorosim.app.setting.settings import Settings, ViewSettings
from dorosim.app.store.folder import data_folder
from dorosim.bridge.udp.publish import Publisher
from dorosim.endpoint.journal import Journal
from dorosim.ground.noise import Noise
from dorosim.wire.udp.revision import revision_named


class RecordingView(msgspec.Struct, frozen=True, kw_only=True):
    """How a recording is looked at.

    Attributes:
        map_name: where its map is now, None for where it was. data: data folder, None for the usual one.
        part: of a run that was reset, None for the longest.
        begin: simulated time to begin at [s], None for its beginning. speed: "realtime", "max" or a factor.
        address: of the page, None for the usual one. sky: what is shown of the surroundings.
    """

    map_name: str | None = None
    data: Path | None = None
    part: int | None = None
    begin: float | None = None
    speed: str | float = "realtime"
    address: str | None = None
    sky: ShownSky = ShownSky()


def view_recording(file: Path, view: RecordingView, signals: StopSignals, console: Console) -> None:
    """Play a recording on the live page until Ctrl-C or SIGTERM.

    Args:
        file: the recording.
        view: how it is looked at.
        signals: which end it; they are taken already.
        console: prints what is served.

    Raises:
        InputError: the recording, its map, a time or an address cannot be used.
    """
    recorded = open_recording(file, view.map_name, view.data, view.part)
    header, ready = recorded.header, recorded.ready
    clock = clock_of(view.speed)
    served = ViewSettings() if view.address is None else ViewSettings(address=view.address)
    settings = Settings(
        map=header.map_name, seed=header.seed, tick_ms=header.tick / 1e6, world=world_of(header), view=served
    )
    given: Collection[str] = () if view.address is None else ("view.address",)
    journal = Journal(LogOutput())
    context = RunContext(given=given, data=data_folder(settings.data), journal=journal, clock=clock)
    index = RecordingIndex(recorded)
    player = RecordingPlayer(recorded, index, clock, waits=True)
    revision = revision_named(header.revision)
    stamped = Publisher(ready.scene, revision, header.epoch or 0)
    station = late_station(
        SensorPlan(),
        ready,
        Noise(header.seed),
        settings,
        revision=revision,
        stamped=stamped,
        journal=journal,
        clock=clock,
    )
    page = RecordingPage(settings, context, player, station, view.sky)
    try:
        page.prepare(after=0.0)  # somebody is going to look, else the recording would not be played so
        index.start()
        if view.begin is not None:
            player.seek(view.begin)
        _print_start(console, player, page, recorded.notes)
        signals.lead_to(player.stop, lambda: False)
        player.run(page.show, page.idle)
    finally:
        index.close()
        page.close()
        station.close()


def _print_start(console: Console, player: RecordingPlayer, page: RecordingPage, notes: Collection[str]) -> None:
    """Print what is played, and where it can be seen."""
    recorded, status = player.recorded, player.status
    count, name = len(recorded.ticks), recorded.ready.map_files.name
    print_line(console, f"{recorded.path}: {count:,} ticks, {status.begin:.2f} to {status.end:.2f} s, map {name}")
    for line in page.lines:
        print_line(console, line)
    print_notices(console, notes)
    print_line(console, "it stands at its beginning until a browser opens the page, and plays then")
    print_line(console, "nothing is sent, and nothing can be driven; Ctrl-C ends")
