"""The live page of an environment, for people who want to see what an agent does."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, NoReturn, cast

from dorosim.app.run.build import Build
from dorosim.app.run.report.log_output import LogOutput
from dorosim.app.run.session import RunContext
from dorosim.app.run.switch import CurrentRun
from dorosim.app.serve.run_services import ServiceHost
from dorosim.app.serve.shown_run import given_run, told_elements
from dorosim.app.serve.view_service import LATELY, ViewService
from dorosim.app.serve.watched_gateway import WatchedGateway
from dorosim.app.setting.override import checked_speed
from dorosim.app.setting.settings import Settings
from dorosim.app.store.folder import data_folder
from dorosim.batch.world import BatchWorld
from dorosim.bridge.view.event import PageEvent
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.pace_monitor import PaceMonitor
from dorosim.ground.error import DorosimError
from dorosim.world.snapshot import Snapshot

if TYPE_CHECKING:
    from dorosim.endpoint.view.link import PlayedRun
    from dorosim.endpoint.view.message import Choices, Status

BY_PROGRAM = "a program steps this world: it can be watched and not changed"


class _NoStation:
    """Stands for the sensors of a run where the page needs them: there are none."""

    def listen(self, hear: object) -> None:
        """Nothing is heard."""

    def unlisten(self, hear: object) -> None:
        """Nothing was heard."""


class ShownWorld:
    """What stands for the present run (`dorosim.app.run.switch.CurrentRun`) where the page needs one.

    Args:
        world: that is shown.
        number: of the episode.
    """

    def __init__(self, world: BatchWorld, number: int) -> None:
        self.world, self.number, self.station = world, number, _NoStation()


class EnvPage(ViewService):
    """The page of an environment; its address is printed once.

    Args:
        world: that is shown.
        speed: factor of wall time at which steps are shown at the fastest; 0: as fast as the program makes them.
    """

    def __init__(self, world: BatchWorld, speed: float) -> None:
        self._clock = PacedClock(speed or None)
        context = RunContext(given=(), data=data_folder(None), journal=Journal(LogOutput()), clock=self._clock)
        self._passed = 0
        self._meter = PaceMonitor(self._clock)
        self._shown_world = ShownWorld(world, 0)
        settings = Settings(map=world.start.map_files.name, tick_ms=world.start.scene.tick / 1e6)
        # of the program around a run there is nothing here: all that the page asks of it is answered below
        super().__init__(settings, context, cast(ServiceHost, None))
        sys.stdout.write(f"live page: {self.url}\n")
        sys.stdout.flush()

    def begin(self, world: BatchWorld) -> None:
        """Show a world from its beginning."""
        self._meter.begin(world.start.scene.tick)
        self._shown_world = ShownWorld(world, self._shown_world.number + 1)
        self.serve(cast(CurrentRun, self._shown_world))

    def show(self, now: Snapshot, before: int) -> None:
        """Show a step, and wait until wall time is there, too.

        Args:
            now: the world after it.
            before: simulated time before it [ns].
        """
        self._meter(now, ())
        link = self._link
        if link is not None:
            link.watch.see(now, ())
            if link.wanted:
                link.show(now)
        self._passed += now.time - before
        left = self._clock.remaining(self._passed)
        if left > 0.0:
            time.sleep(left)

    def _keeps_all(self, current: CurrentRun) -> bool:  # noqa: ARG002 - whichever it is
        return False

    def _now(self) -> Snapshot:
        return self._shown_world.world.now

    def _played(self, _: CurrentRun) -> PlayedRun:
        from dorosim.endpoint.view.link import PlayedRun
        from dorosim.endpoint.view.message import RunBegun

        start = self._shown_world.world.start
        ready = Build(start.map_files, start.scene, start.egos, start.first, start.scenery_seed, start.storyboard)
        begun = RunBegun(self._shown_world.number, given_run(ready, start.scene), self._now())
        return PlayedRun(
            begun, WatchedGateway(self._now, BY_PROGRAM), {"page": self}, elements=told_elements(start.scene)
        )

    def status(self) -> Status:
        """How fast the program steps, for the page."""
        from dorosim.endpoint.view.message import Status

        with self._serving:
            watch = None if self._link is None else self._link.watch
        return Status(
            wall=time.monotonic(),
            factor=self._clock.factor or 0.0,
            happenings=() if watch is None else watch.happenings(),
            driven={} if watch is None else watch.driven(),
            pace=self._meter.figures(LATELY),
            run=self._shown_world.number,
        )

    def last_value(self, way: str, name: str) -> NoReturn:  # noqa: ARG002 - whichever they are
        """Refuse to show a message: none is sent or received."""
        raise DorosimError("a program steps this world: no messages are sent or received")

    def set_pace(self, factor: float) -> None:
        """Show steps at a factor of wall time; 0: as fast as the program makes them.

        Raises:
            InputError: no clock can keep it.
        """
        self._clock.change(checked_speed(factor) if factor else None)

    def choices(self) -> Choices:
        """The map and vehicle; there is nothing else to choose."""
        from dorosim.endpoint.view.message import Choices

        start = self._shown_world.world.start
        model = start.egos[0].model if start.egos else start.scene.models[0].name
        return Choices(start.map_files.name, model, (start.map_files.name,), ())

    def load(self, scenario: str) -> NoReturn:  # noqa: ARG002 - whichever it is
        """Refuse a scenario."""
        raise DorosimError(BY_PROGRAM)

    def step(self) -> None:
        """Refuse a step."""
        raise DorosimError(BY_PROGRAM)

    def moments(self) -> tuple[PageEvent, ...]:
        """None is kept."""
        return ()

    def go_to(self, seconds: float) -> NoReturn:  # noqa: ARG002 - whichever it is
        """Refuse to go to another time."""
        raise DorosimError(BY_PROGRAM)


class LiveView:
    """The page of an environment that has the render mode "human", from its first episode on.

    Args:
        speed: as of `EnvPage`.
    """

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self.page: EnvPage | None = None

    def begin(self, world: BatchWorld) -> None:
        """An episode has begun, or the environment went back to a moment."""
        if self.page is None:
            self.page = EnvPage(world, self._speed)
        self.page.begin(world)

    def show(self, world: BatchWorld, before: int) -> None:
        """A step is done; arguments as of `EnvPage.show`."""
        if self.page is not None:
            self.page.show(world.now, before)

    def close(self) -> None:
        """End the page."""
        page, self.page = self.page, None
        if page is not None:
            page.close()
