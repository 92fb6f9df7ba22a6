"""The live page beside the runs of a program. It costs a look at a flag a tick until a browser opens it."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from dorosim.app.run.session import RunContext
from dorosim.app.run.switch import CurrentRun, NoRunError
from dorosim.app.serve.page import PageForm
from dorosim.app.serve.run_service import RunService
from dorosim.app.serve.run_services import ServiceHost
from dorosim.app.serve.shown_run import given_run, told_elements
from dorosim.app.setting.address import address_from_text, address_refused
from dorosim.app.setting.override import checked_speed
from dorosim.app.setting.settings import Settings
from dorosim.app.store.openscenario import openscenario_names
from dorosim.app.store.scenario import scenario_names
from dorosim.bridge.host import StartOrder
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Observer
from dorosim.endpoint.udp.socket import Address
from dorosim.endpoint.view.moments import MomentKeeper
from dorosim.endpoint.view.page_launcher import PageLauncher
from dorosim.endpoint.web_origin import WebOrigins
from dorosim.ground.error import DorosimError, InputError
from dorosim.world.command import Source

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from dorosim.bridge.view.event import PageEvent
    from dorosim.endpoint.view.link import PageLink, PlayedRun
    from dorosim.endpoint.view.message import Choices, Status
    from dorosim.wire.value_text import ValueText
    from dorosim.world.command import Command
    from dorosim.world.scene import Scene
    from dorosim.world.snapshot import Snapshot

LATELY = 3.0
"""Wall time that figures of the pace are made of [s], as rates on the page are."""
PREPARE_AFTER_S = 2.0
"""Wall time from the begin of a program, and from the end of the compiling, until the page's process is started [s]."""
PAGE = ("-P", "-m", "dorosim.app.serve.page")


class ViewService(RunService):
    """The page of a program.

    Args:
        settings: of the program.
        context: what all runs share.
        service_host: the program around the world.

    Raises:
        InputError: an address that the user gave cannot be used, or an origin in the list is not one.

    Attributes:
        notices, lines: for the banner. problem: None, since no program ends for its page.
        url: of the page, "" for none.
    """

    def __init__(self, settings: Settings, context: RunContext, service_host: ServiceHost) -> None:
        self._settings, self._context, self._service_host = settings, context, service_host
        self._link: PageLink | None = None
        self._current: CurrentRun | None = None
        self._serving = threading.Lock()
        self._closed = False
        self._ended = threading.Event()
        self._keeper = MomentKeeper()
        self._kept_scene: Scene | None = None
        self._keeps = False
        self.url = ""
        self._door = self._opened() if settings.view.enabled else None
        if self._door is not None:
            host = address_from_text("settings", "view.address", settings.view.address).host
            self.url = f"http://{host}:{self._door.port}"
            self.lines = (f"live page: {self.url}",)
            self._door.start()

    @property
    def observers(self) -> Collection[Observer]:
        """One that gives the page its snapshots; none where the page is off."""
        return () if self._door is None else (self._observe,)

    @property
    def addresses(self) -> Mapping[str, str]:
        """Where a browser opens the page."""
        return {"page": self.url} if self.url else {}

    @property
    def page_process(self) -> int:
        """Number of the page's process; 0 for none."""
        return 0 if self._door is None or self._link is None else self._door.process

    @property
    def shown(self) -> int:
        """Snapshots that the present process of the page was given."""
        return 0 if self._link is None else self._link.shown

    def prepare(self, ready: Callable[[float], bool] = lambda _: True, after: float = PREPARE_AFTER_S) -> None:
        """Start the page's process soon though there is no visitor yet, so that the first visitor need not wait for it.

        Args:
            ready: waits for a time [s] until all kernels are compiled, and returns whether they are; until then the
                processors have other work.
            after: wall time from then on until it is started [s].
        """
        door = self._door
        if door is None:
            return

        def prepare() -> None:
            while not (self._closed or ready(1.0)):
                pass
            if not self._ended.wait(after):
                door.prepare()

        threading.Thread(target=prepare, name="dorosim-page-ahead", daemon=True).start()

    def serve(self, current: CurrentRun) -> None:
        """A run is about to begin: show it."""
        with self._serving:
            self._current = current
            self._keeps = self._door is not None and self._keeps_all(current)
            if self._keeps:
                self._keep(current)
            if self._link is not None:
                self._begin(self._link, current)

    def close(self) -> None:
        """End the page."""
        self._ended.set()
        with self._serving:
            self._closed = True
            link, self._link, self._current = self._link, None, None
        if link is not None:
            link.close()
        if self._door is not None:
            self._door.close()

    def _observe(self, now: Snapshot, commands: Sequence[Command]) -> None:
        if self._keeps:
            self._keeper.see(now)
        link = self._link
        if link is None or not link.visited:
            return
        if not self._service_host.metered:
            self._service_host.meter(now, commands)
        link.watch.see(now, commands)
        if not self._keeps:
            self._keeper.see(now)
        if link.wanted:
            link.show(now)

    def _report(self, text: str) -> None:
        self._context.journal.report("live page", text)

    def _opened(self) -> PageLauncher:
        """The address, open; another port where the default one is in use."""
        view = self._settings.view
        address = address_from_text("settings", "view.address", view.address)
        WebOrigins("view.origins", view.origins, address.host)  # they are checked before the run
        form = PageForm(address.host, view.origins, view.visitors)
        command = (*PAGE, msgspec.json.encode(form).decode())
        try:
            return PageLauncher(address, command, self._come, self._report)
        except OSError as error:
            if "view.address" in self._context.given:
                raise address_refused("live page", self._settings.view.address, error, "--view-at") from None
        return PageLauncher(Address(address.host, 0), command, self._come, self._report)

    def _come(self, connection: Connection) -> None:
        """A browser has opened the page: its process has started and is connected."""
        from dorosim.endpoint.view.link import PageLink

        link = PageLink(connection, self._context.journal.report, self._gone)
        with self._serving:
            link.start()
            if self._closed:
                link.close()
                return
            self._link = link
            if self._current is not None:
                self._begin(link, self._current)

    def _gone(self) -> None:
        """The process of the page has ended, or the program does."""
        with self._serving:
            link = self._link
            if link is None:
                return
            self._link, current = None, self._current
        if current is not None:
            current.station.unlisten(link.hear)
        self._report("its process has ended; it is started again for the next visitor")
        assert self._door is not None
        self._door.reopen(failed=not link.lived)

    def _begin(self, link: PageLink, current: CurrentRun) -> None:
        link.begin(self._played(current))
        current.station.listen(link.hear)

    def _played(self, current: CurrentRun) -> PlayedRun:
        from dorosim.endpoint.command_gateway import CommandGateway
        from dorosim.endpoint.view.link import PlayedRun
        from dorosim.endpoint.view.message import RunBegun

        start, loop, service_host = current.session.start, current.loop, self._service_host
        given = given_run(start.ready, loop.scene)
        parts: dict[str, Any] = {
            "runs": service_host.runs,
            "files": service_host.files,
            "pace": service_host.pace,
            "records": service_host.records,
            "bags": service_host.bags,
            "page": self,
        }
        if not self._keeps:
            self._keep(current)
        return PlayedRun(
            RunBegun(current.number, given, loop.now),
            CommandGateway(loop, Source.PAGE),
            parts,
            service_host.ready,
            told_elements(loop.scene),
        )

    def _keeps_all(self, current: CurrentRun) -> bool:
        """Whether moments are kept without visitors: those come when something has happened in a storyboard."""
        return current.loop.scene.storyboard is not None

    def _keep(self, current: CurrentRun) -> None:
        """Keep moments of a run from now on."""
        loop = current.loop
        self._keeper.begin(loop.first, told_elements(loop.scene), goes_on=loop.scene is self._kept_scene)
        self._kept_scene = loop.scene

    def status(self) -> Status:
        """Figures of the interfaces, for the page."""
        from dorosim.endpoint.view.message import Status

        with self._serving:  # another run may begin meanwhile, and what is watched begins anew with it
            current = self._present()
            watch = None if self._link is None else self._link.watch
        endpoint, pace = current.session.endpoint, self._service_host.pace
        return Status(
            wall=time.monotonic(),
            # interfaces report problems to the journal that they count themselves, too: those are not counted twice
            counts=Counter(dict(self._context.journal.counts)) | self._service_host.counts,
            sent=Counter(endpoint.sent),
            dropped=endpoint.drops,
            resyncs=self._context.clock.resyncs,
            synchronous=pace.synchronous,
            factor=self._context.clock.factor or 0.0,
            steppers=pace.clients,
            driven={} if watch is None else watch.driven(),
            happenings=() if watch is None else watch.happenings(),
            pace=self._service_host.meter.figures(LATELY),
            packets=current.station.sent,
            run=current.number,
        )

    def last_value(self, way: str, name: str) -> list[ValueText]:
        """The last message of a row of the network's table, field by field; of a call, request and answer.

        Args:
            way: of the row, one of `dorosim.bridge.view.network.NetworkWay`.
            name: of the row.

        Raises:
            InputError: there has been none.
        """
        from dorosim.bridge.view.network import NetworkWay, kind_of

        if way in (NetworkWay.UDP_SENT, NetworkWay.UDP_RECEIVED):
            found = self._last_datagram(name, received=way == NetworkWay.UDP_RECEIVED)
        elif way == NetworkWay.SENSOR:
            found = self._last_packets(name)
        else:
            found = self._service_host.last_of(kind_of(NetworkWay(way), name))
        if not found:
            raise InputError("network", name, f"there has been none ({way})")
        return found

    def _last_datagram(self, message: str, *, received: bool) -> list[ValueText]:
        """The last UDP message of a name in this run; empty for none."""
        from dorosim.wire.udp.diagnosis import Diagnosis, diagnose, texts_of

        session = self._present().session
        if not received:
            return texts_of(diagnose(session.endpoint.last_sent.get(message, b""), session.revision))
        codec, value = session.endpoint.last_received.get(message, (None, None))
        return texts_of(Diagnosis(codec, value))

    def _last_packets(self, kind: str) -> list[ValueText]:
        """What a kind of sensors sent last, the newest of each form; empty for nothing."""
        from dorosim.wire.udp.diagnosis import diagnose, texts_of

        current = self._present()
        found = {}
        for packet in current.station.last_sent(kind):
            diagnosis = diagnose(bytes(packet), current.session.revision)
            found[diagnosis.name] = texts_of(diagnosis)
        if len(found) == 1:
            return next(iter(found.values()))
        return [row._replace(name=f"{form}: {row.name}") for form, rows in found.items() for row in rows]

    def set_pace(self, factor: float) -> None:
        """Let simulated time pass at a factor of wall time; 0: as fast as possible.

        Raises:
            InputError: no clock can keep it.
        """
        clock = self._context.clock
        if not isinstance(clock, PacedClock):
            raise InputError("speed", "", "the pace of this run cannot change")
        clock.change(checked_speed(factor) if factor else None)
        self._present().session.endpoint.wake()

    def choices(self) -> Choices:
        """What a run can be started with: maps and scenarios of the data folder, and what is there now."""
        from dorosim.endpoint.view.message import Choices

        ready, folder = self._present().session.start.ready, self._context.data / "Scenario"
        return Choices(
            map_name=ready.map_files.name,
            vehicle=ready.egos[0].model,
            maps=tuple(self._service_host.files.maps()),
            scenarios=(*scenario_names(folder), *openscenario_names(folder)),
        )

    def load(self, scenario: str) -> str:
        """Load a scenario of the data folder in place of all but the ego vehicle. Returns a line with what was loaded.

        A file of OpenSCENARIO begins another run, on its own map. What of another file is not done is written to the
        journal, as where messages load a scenario.

        Raises:
            DorosimError: there is none of this name, it is broken, or the world refuses a part of it.
        """
        from dorosim.bridge.reply import outcome_of
        from dorosim.scenario.load import LoadOptions

        current = self._present()
        if self._service_host.runs.plays(scenario):
            return f"{scenario}: {self._service_host.runs.start(StartOrder(scenario=scenario))}"
        loading = self._service_host.files.scenario(
            scenario, LoadOptions(delete_all=True, network=False), current.loop.now
        )
        refusal = outcome_of(current.gateway.do(loading.commands).outcomes).refusal
        if refusal:
            raise DorosimError(f"{scenario}: {refusal}")
        self._context.journal.report("scenario loaded", loading.headline, loading.notes)
        return loading.headline

    def moments(self) -> tuple[PageEvent, ...]:
        """Moments to go back to: just before what happened in the storyboard, as long as the page has been open."""
        return self._keeper.listed()

    def go_to(self, seconds: float) -> float:
        """Let the run go on, as another one, from the last moment that is kept at or before a simulated time [s].

        Returns:
            the time of that moment [s]. The run stands there if it stands now.

        Raises:
            DorosimError: no moment so early is kept, or a recording is being replayed.
        """
        from dorosim.world.actor.command import PauseRun

        there, paused = self._keeper.last_before(seconds), self._present().loop.now.paused
        self._service_host.runs.go_on_from(there, (PauseRun(paused=paused),))
        return there.time * 1e-9

    def _present(self) -> CurrentRun:
        current = self._current
        if current is None:
            raise NoRunError("no run is there just now; ask again")
        return current

    def step(self) -> None:
        """Let one tick pass of a run that is paused."""
        from dorosim.endpoint.command_gateway import CommandGateway
        from dorosim.world.actor.command import PauseRun

        loop = self._present().loop

        def stop_again(_: Snapshot) -> None:
            loop.put(Source.PAGE, PauseRun(paused=True))

        CommandGateway(loop, Source.PAGE).do((PauseRun(paused=False),), then=stop_again)
