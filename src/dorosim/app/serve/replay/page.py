"""The live page of a recording that is played."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, cast

from dorosim.app.analyse.sky import ShownSky
from dorosim.app.run.session import RunContext
from dorosim.app.run.switch import CurrentRun
from dorosim.app.serve.replay.player import RecordingPlayer
from dorosim.app.serve.run_services import ServiceHost
from dorosim.app.serve.sensor.start import LateStation
from dorosim.app.serve.shown_run import given_run, told_elements
from dorosim.app.serve.view_service import LATELY, ViewService
from dorosim.app.serve.watched_gateway import WatchedGateway
from dorosim.app.setting.override import checked_speed
from dorosim.app.setting.settings import Settings
from dorosim.bridge.host import RecordStatus
from dorosim.bridge.view.event import PageEvent
from dorosim.bridge.view.transition import STORYBOARD
from dorosim.endpoint.loop.pace_monitor import PaceMonitor
from dorosim.ground.error import DorosimError
from dorosim.world.actor.command import PauseRun
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot

if TYPE_CHECKING:
    from dorosim.endpoint.view.link import PlayedRun
    from dorosim.endpoint.view.message import Choices, Status

AS_RECORDED = "a recording is played: what is in it cannot be changed"


class _Runs:
    """What the page asks of the runs of a program: only to begin anew."""

    def __init__(self, player: RecordingPlayer) -> None:
        self._player = player

    def restart(self) -> None:
        """Go to the beginning."""
        self._player.seek(self._player.recorded.start)

    def start(self, *_: Any) -> NoReturn:
        """Refuse another run."""
        raise DorosimError("a recording is played; 'dorosim run' begins a run")


class _Records:
    """What the page asks of recordings: of the one that is played, by simulated time.

    Frames are ticks of simulated time here, without those in which it was held.
    """

    def __init__(self, player: RecordingPlayer) -> None:
        self._player, self._first = player, 0

    @property
    def replaying(self) -> RecordStatus:
        """How far the recording is, and all events that are known."""
        player = self._player
        first, tick = player.recorded.ready.first.time, player.recorded.ready.scene.tick
        return RecordStatus(
            active=True,
            name=player.recorded.path.stem,
            ticks=(player.now.time - first) // tick,
            end=(player.index.end - first) // tick,
            problem=player.problem,
            time=(player.now.time - first) * 1e-9,
            length=(player.index.end - first) * 1e-9,
            events=player.events(),
        )

    def load(self, name: str) -> RecordStatus:
        """Choose the recording that is played, from its beginning.

        Raises:
            DorosimError: it is another one.
        """
        path = self._player.recorded.path
        if name not in (path.stem, path.name):
            raise DorosimError(f"{path.stem} is played; 'dorosim replay {name} --view' plays another recording")
        self._first = 0
        return self.replaying

    def add_span(self, first: int, last: int) -> None:  # noqa: ARG002 - it is played to its end
        """Choose where it begins."""
        self._first = first

    def frame_at(self, since: float) -> int:
        """The frame at a simulated time since the beginning [s]; that there is one is looked at where it is played."""
        return round(since * 1e9) // self._player.recorded.ready.scene.tick

    def play(self) -> None:
        """Play from what was chosen.

        Raises:
            DorosimError: it is not known yet how to get there.
        """
        ready = self._player.recorded.ready
        self._player.seek((ready.first.time + self._first * ready.scene.tick) * 1e-9)
        self._player.play()

    def begin(self, _: str) -> NoReturn:
        """Refuse to record."""
        raise DorosimError("a recording is played; 'dorosim run --record FILE' makes one")

    def finish(self) -> str:
        """None is being made."""
        return ""


class PlayedRecording:
    """What stands for the present run (`dorosim.app.run.switch.CurrentRun`) where the page needs one.

    Args:
        player: plays the recording.
        station: its sensors.
    """

    def __init__(self, player: RecordingPlayer, station: LateStation) -> None:
        self.player, self.station, self.number = player, station, 1


class RecordingPage(ViewService):
    """The page of a recording.

    Args:
        settings: those of the page, and of the run as it was.
        context: the journal, the data folder and the pace.
        player: plays the recording.
        station: its sensors, which are read while a visitor looks at one.
        sky: what the page shows of the surroundings.
    """

    def __init__(
        self, settings: Settings, context: RunContext, player: RecordingPlayer, station: LateStation, sky: ShownSky
    ) -> None:
        self._player, self._station, self._sky = player, station, sky
        self._meter = PaceMonitor(context.clock)
        self._meter.begin(player.recorded.ready.scene.tick)
        self._muted: set[int] = set()
        self._reading = False
        # of the program around a run there is nothing here: all that the page asks of it is answered below
        super().__init__(settings, context, cast(ServiceHost, None))
        self.serve(cast(CurrentRun, PlayedRecording(player, station)))

    def show(self, now: Snapshot, before: Snapshot, commands: Sequence[Command]) -> None:
        """Show a tick (`dorosim.app.serve.replay.player.Show`)."""
        self._meter(now, commands)
        link = self._link
        if link is None:
            self._reading = False
            return
        if now is not before:
            link.watch.see(now, commands)
        if link.wanted:
            link.show(self._shown(now))
        self._read(now, before, commands, wanted=link.listens)

    def idle(self) -> None:
        """Show a recording that stands."""
        link = self._link
        if link is not None and link.wanted:
            link.show(self._shown(self._player.now))
            if self._player.waits:  # the first visitor is there
                self._player.play()

    def _shown(self, now: Snapshot) -> Snapshot:
        """A snapshot under the sky that the user wants to see."""
        return replace(self._sky.over(now), paused=not self._player.playing)

    def _read(self, now: Snapshot, before: Snapshot, commands: Sequence[Command], *, wanted: bool) -> None:
        """Read sensors if a visitor looks at one. What they read is sent nowhere but to the page."""
        if not wanted or not len(now.mounts):
            self._reading = False
            return
        new = {int(number) for number in now.mounts.table.id} - self._muted
        if new:
            self._muted |= new
            self._station.readdress(dict.fromkeys(new), {})
        if not self._reading or now is before:
            # what is between the last tick that was read and this one has not been seen
            self._station.open().follow(self._sky.over(before))
            self._reading = True
        if now is not before:
            self._station(self._sky.over(now), commands)

    def _keeps_all(self, current: CurrentRun) -> bool:  # noqa: ARG002
        """No moment is kept: the recording has them all."""
        return False

    def _played(self, _: CurrentRun) -> PlayedRun:
        from dorosim.endpoint.view.link import PlayedRun
        from dorosim.endpoint.view.message import RunBegun

        player, ready = self._player, self._player.recorded.ready
        given = given_run(ready, ready.scene)
        parts: dict[str, Any] = {"page": self, "player": player, "runs": _Runs(player), "records": _Records(player)}
        begun = RunBegun(1, given, self._shown(player.now))
        return PlayedRun(
            begun,
            WatchedGateway(lambda: player.now, AS_RECORDED, self._pause),
            parts,
            elements=told_elements(ready.scene),
        )

    def _pause(self, command: Command) -> bool:
        """Pause and go on, if that is what a command of the page says."""
        if isinstance(command, PauseRun):
            (self._player.pause if command.paused else self._player.play)()
        return isinstance(command, PauseRun)

    def status(self) -> Status:
        """How far the recording is, for the page."""
        from dorosim.endpoint.view.message import Status

        with self._serving:
            watch = None if self._link is None else self._link.watch
        return Status(
            wall=time.monotonic(),
            factor=self._context.clock.factor or 0.0,
            happenings=() if watch is None else watch.happenings(),
            driven={} if watch is None else watch.driven(),
            pace=self._meter.figures(LATELY),
            played=True,
        )

    def last_value(self, way: str, name: str) -> NoReturn:  # noqa: ARG002 - whichever they are
        """Refuse to show a message: none is sent or received."""
        raise DorosimError("a recording is played: no messages are sent or received")

    def set_pace(self, factor: float) -> None:
        """Play at a factor of wall time; 0: as fast as possible.

        Raises:
            InputError: no clock can keep it.
        """
        self._context.clock.change(checked_speed(factor) if factor else None)

    def choices(self) -> Choices:
        """The map and vehicle of the recording; there is nothing else to choose."""
        from dorosim.endpoint.view.message import Choices

        ready = self._player.recorded.ready
        return Choices(ready.map_files.name, ready.egos[0].model, (ready.map_files.name,), ())

    def load(self, scenario: str) -> NoReturn:  # noqa: ARG002 - whichever it is
        """Refuse a scenario."""
        raise DorosimError(AS_RECORDED)

    def step(self) -> None:
        """Let one tick pass."""
        self._player.step()

    def moments(self) -> tuple[PageEvent, ...]:
        """The moments just before what happens in the storyboard, as far as the recording is known."""
        tick = self._player.recorded.ready.scene.tick * 1e-9
        found = (one for one in self._player.events() if one.text.startswith(f"{STORYBOARD}: "))
        return tuple(PageEvent(one.time - tick, f"before {one.text.removeprefix(f'{STORYBOARD}: ')}") for one in found)

    def go_to(self, seconds: float) -> float:
        """Go to a simulated time [s]. Returns it.

        Raises:
            DorosimError: the recording has no such time, or it is not known yet how to get there.
        """
        self._player.seek(seconds)
        return seconds
