"""The page: its parts, and the pace at which they are shown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import viser

from dorosim.bridge.view.scenery import PageScenery
from dorosim.endpoint.view.pace import Beat
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun
from dorosim.endpoint.view.panel.event import EventPart
from dorosim.endpoint.view.panel.fault import FaultPart
from dorosim.endpoint.view.panel.head import HeadPart
from dorosim.endpoint.view.panel.keys import KeysPart
from dorosim.endpoint.view.panel.light import LightPart
from dorosim.endpoint.view.panel.look import LookPart
from dorosim.endpoint.view.panel.minimap import MiniMapPart
from dorosim.endpoint.view.panel.network import NetworkPart
from dorosim.endpoint.view.panel.record import RecordPart
from dorosim.endpoint.view.panel.sensor import SensorsPart
from dorosim.endpoint.view.panel.share import SharePart
from dorosim.endpoint.view.panel.spawn import SpawnPart
from dorosim.endpoint.view.panel.storyboard import StoryboardPart
from dorosim.endpoint.view.panel.telemetry import TelemetryPart
from dorosim.endpoint.view.panel.world import WorldPart
from dorosim.endpoint.view.run_proxy import RunProxy
from dorosim.endpoint.view.stage.actors import ActorsPart
from dorosim.endpoint.view.stage.camera import CameraPart
from dorosim.endpoint.view.stage.map import MapPart
from dorosim.endpoint.view.stage.overlay import OverlayPart
from dorosim.endpoint.view.stage.signals import SignalsPart
from dorosim.endpoint.view.stage.sky import SkyPart
from dorosim.endpoint.view.stage.street_lamps import StreetLampsPart
from dorosim.ground.error import DorosimError
from dorosim.sensor.pose import Pose
from dorosim.sensor.reading import Reading
from dorosim.world.snapshot import Snapshot

RATE = 30.0
"""Snapshots shown a second of wall time."""
_IDLE = 0.2
"""Wall time from one look for visitors to the next, while there are none [s]."""


def parts_of(context: PageContext) -> tuple[PagePart, ...]:
    """All parts, in the order in which the page calls them."""
    town, lines = MapPart(context), OverlayPart(context)
    camera = CameraPart(context)
    return (
        SkyPart(context),
        town,
        SignalsPart(context),
        StreetLampsPart(context),
        ActorsPart(context),
        lines,
        HeadPart(context),
        KeysPart(context),
        TelemetryPart(context),
        WorldPart(context),
        SpawnPart(context),
        LightPart(context),
        FaultPart(context),
        camera,
        LookPart(context, town, lines),
        MiniMapPart(context),
        SharePart(context, camera),
        EventPart(context),
        SensorsPart(context),
        NetworkPart(context),
        RecordPart(context),
        StoryboardPart(context, lines),
    )


class Page:
    """The page of a program, through all of its runs.

    Args:
        server: shows it.
        proxy: the way to the run.
        furnished: is called when what stands still in a run is shown, or cannot be.
    """

    def __init__(
        self, server: viser.ViserServer, proxy: RunProxy, furnished: Callable[[], None] = lambda: None
    ) -> None:
        self._showing = threading.RLock()
        self._run: PageRun | None = None
        self._furnished = furnished
        server.gui.configure_theme(show_logo=False, show_share_button=False, control_width="medium")
        self._context = PageContext(server, proxy)
        self._parts = parts_of(self._context)
        self._beat = Beat(RATE)
        self._shown = threading.Event()
        self._shown.set()
        self._asker = threading.Thread(target=self._ask_on, name="dorosim-page-pace", daemon=True)

    def begin(self, run: PageRun) -> None:
        """Show another run: at once what moves, and what stands still as soon as it is loaded."""
        self._context.status = None
        with self._showing:
            self._run = run
            with self._context.server.atomic():
                self._each(lambda part: part.begin(run))
            self._show(run.first)
        threading.Thread(target=self._furnish, args=(run,), name="dorosim-page-scenery", daemon=True).start()
        if self._asker.ident is None:
            self._asker.start()

    def show(self, now: Snapshot) -> None:
        """Show the snapshot that was asked for."""
        self._show(now)
        self._shown.set()

    def hear(self, readings: Sequence[Reading], poses: Sequence[Pose | None]) -> None:
        """Show what sensors read, each with map_from_sensor."""
        with self._showing:
            self._context.poses = dict(zip((one.sensor for one in readings), poses, strict=True))
            self._each(lambda part: part.hear(readings))

    def _show(self, now: Snapshot) -> None:
        with self._showing, self._context.server.atomic():
            self._context.now, self._context.heard = now, self._context.clock()
            self._each(lambda part: part.show(now))

    def _furnish(self, run: PageRun) -> None:
        """Load what stands still in a run, and show it if the page still shows that run."""
        try:
            scenery = run.load_scenery()
        except Exception as problem:  # a broken file, full memory, a mistake in this program: the page goes on without
            why = str(problem) if isinstance(problem, DorosimError) else f"{type(problem).__name__}: {problem}"
            scenery = PageScenery.empty(f"the map cannot be drawn: {why}")
            self._context.proxy.report(scenery.town.notice)
        with self._showing:
            if self._run is not run:
                return
            with self._context.server.atomic():
                self._each(lambda part: part.furnish(scenery))
            if self._context.now is not None:
                self._show(self._context.now)
        self._furnished()

    def _each(self, act: Callable[[PagePart], None]) -> None:
        """Let each part do something; where one fails, that is reported and the others go on."""
        for part in self._parts:
            try:
                act(part)
            except Exception as problem:  # a mistake in this program: it is reported, and the page goes on
                self._context.proxy.report(f"{type(part).__name__}: {type(problem).__name__}: {problem}")

    def _ask_on(self) -> None:
        """Ask for a snapshot whenever one is due, while there are visitors."""
        pause = threading.Event()
        try:
            while True:
                if not self._context.server.get_clients():
                    self._context.heard = self._context.clock()  # nothing was asked for
                    pause.wait(_IDLE)
                    continue
                pause.wait(self._beat.left())
                # a run that changes, or that clients step, may not answer for a while: ask anew then
                self._shown.clear()
                self._context.proxy.want()
                self._shown.wait(1.0)
        except DorosimError:
            return
