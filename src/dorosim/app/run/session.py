"""One run from its settings to its end. Importing this loads numba and the kernels."""

from __future__ import annotations

import socket
import time
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rich.console import Console

from dorosim import __version__
from dorosim.app.run.initial_commands import Opening, open_world, read_script
from dorosim.app.run.kernel_warmup import first_sensors
from dorosim.app.run.network_switch import EndpointSwitch
from dorosim.app.run.output import Output
from dorosim.app.run.report.run_summary import RunOutcome
from dorosim.app.run.resume import Start, start_of
from dorosim.app.serve.sensor.plan import SensorPlan
from dorosim.app.serve.sensor.start import LateStation, SensorFolder, late_station, saved_sensors, sensor_plan
from dorosim.app.setting.network import udp_network_of
from dorosim.app.setting.settings import Settings
from dorosim.app.store.map import BUILT_IN, EMPTY
from dorosim.bridge.drive import leave_keyboards
from dorosim.bridge.multi_ego import addressed_egos
from dorosim.bridge.udp.file import later, load_scenario, save_sensor_data
from dorosim.bridge.udp.object_slot import FURTHER_EGOS
from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.receive import Receiver
from dorosim.endpoint.ghost_ids import GhostIds
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.cue import Script
from dorosim.endpoint.loop.drive_watchdog import DriveWatchdog
from dorosim.endpoint.loop.epoch import Epoch
from dorosim.endpoint.loop.height_watch import HeightWatch
from dorosim.endpoint.loop.lockstep import Lockstep, StackInterface
from dorosim.endpoint.loop.loop import Loop, Observer
from dorosim.endpoint.loop.road_watch import RoadWatch
from dorosim.endpoint.loop.turn_timer import TurnTimer
from dorosim.endpoint.storyboard_watch import StoryboardWatch
from dorosim.endpoint.udp.endpoint import UdpEndpoint
from dorosim.endpoint.udp.network import UdpNetwork
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.recording.format import RunHeader
from dorosim.wire.message import Wire
from dorosim.wire.udp.revision import Revision, revision_named
from dorosim.wire.udp.simulator import SaveSensorData, ScenarioLoad
from dorosim.world.physics import PHYSICS_VERSION
from dorosim.world.snapshot import EGO

if TYPE_CHECKING:
    from dorosim.world.command import Command

Sockets = Mapping[Address, socket.socket]


class RunServices(Protocol):
    """What lasts through all runs of a program, such as its interfaces; it may end one run for another."""

    def observers(self) -> Collection[Observer]:
        """Functions that the loop calls after each tick of the next run."""

    def begin(self, session: RunSession, loop: Loop, station: LateStation) -> None:
        """A run is about to begin."""

    def end(self) -> None:
        """The run is over."""

    def sockets(self) -> Collection[socket.socket]:
        """UDP sockets of the next run, which stay open at the end of the present one."""


class RunResources(NamedTuple):
    """What a run opens besides its sockets: the files that it writes, and its sensors."""

    output: Output
    station: LateStation


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSession:
    """A run before its first tick, with its sockets open.

    Attributes:
        start: the settings as they count, the map and the first snapshot.
        opening: scenario, traffic and people that it begins with. plan: its sensors.
        commands: more of the first tick, after those of the others.
        revision: of the product. notices: about its addresses, for the banner.
        publisher, endpoint: its messages. archive: where messages save sensor data.
        journal: where problems are reported. clock: its pace.
        script: what happens in each tick, for a replay. turn_timer: of the loop.
        run_id: of the program, by which other programs of this machine find it (`dorosim.app.run.run_file`).
        slow: a notice about the pace that the run will have if that is too low; set once it is equipped.
    """

    start: Start
    opening: Opening
    plan: SensorPlan
    commands: tuple[Command, ...]
    revision: Revision
    notices: tuple[str, ...]
    publisher: Publisher
    endpoint: UdpEndpoint
    archive: SensorFolder
    journal: Journal
    clock: PacedClock
    run_id: str = ""
    script: Script | None = None
    turn_timer: TurnTimer = field(default_factory=TurnTimer)
    slow: list[str] = field(default_factory=list)

    @property
    def first_commands(self) -> tuple[Command, ...]:
        """All of the first tick, also of that after a reset. A replay's are in what it replays."""
        # a client that drove by keys when the first snapshot was saved is not connected any longer
        left = leave_keyboards(self.start.ready.first) if self.script is None else ()
        return (*left, *self.opening.commands, *self.plan.commands, *self.commands)

    def open_resources(self, console: Console) -> RunResources:
        """Open the files that the run writes, and its sensors, if it begins with some.

        Args:
            console: prints a line if that takes long.

        Raises:
            InputError: a file or an address of a sensor cannot be used.
        """
        output = Output(self.start.settings, self.turn_timer, self.publisher)
        try:
            return RunResources(output, self._station(console))
        except InputError:
            output.close()
            raise

    def play(self, resources: RunResources, duration: float | None, services: RunServices) -> tuple[RunOutcome, Output]:
        """Run until the loop is stopped or the duration is over, and close everything.

        Args:
            resources: of this run.
            duration: simulated seconds.
            services: what lasts through all runs of the program.

        Returns:
            What the run did, and its files, which are closed but not yet checked.

        Raises:
            InputError: a file cannot be used.
        """
        ready, settings = self.start.ready, self.start.settings
        output, station = resources
        loop = None
        try:
            ghosts = GhostIds(self.journal, ready.scene.tick)
            watch = RoadWatch(ready.scene, self.journal)
            heights = HeightWatch(ready.scene, self.journal)
            storyboard = StoryboardWatch(self.journal)
            loop = self._loop([output, station, *services.observers()], [ghosts, watch, heights, storyboard])
            loop.standstill_observers.append(self.endpoint.stand)
            services.begin(self, loop, station)
            # all that takes time has been made by now: the clock, and with it what stamps count from, starts here
            loop.start()
            output.begin(self.header, self.start.content, ready.first)
            started = time.monotonic()
            loop.run(None if duration is None else round(duration * 1e9))
            wall = time.monotonic() - started
            ghosts.end()
            files = output.finish(loop.now, self.opening.loader)
            files += saved_sensors(settings.save_sensors, self.plan, loop.now)
        finally:
            if loop:
                loop.end()
                services.end()
            output.close()
            self.archive.station = self.opening.loader.addresses = None  # so that the run can be let go of at once
            sent = self.endpoint.sent | station.close()
            kept = services.sockets()
            unread = self.endpoint.unread(kept)
            drops = self.endpoint.drops
            self.endpoint.close(kept)
        did = (loop.ticks, loop.simulated * 1e-9, wall, loop.resets, drops, unread, Counter(sent), files)
        return RunOutcome(*did), output

    def _loop(self, observers: Collection[Observer], watches: Collection[Observer]) -> Loop:
        ready, noise = self.start.ready, Noise(self.start.settings.seed)
        return Loop(
            ready.scene,
            ready.first,
            noise,
            self.clock,
            self.endpoint,
            observers,
            self.journal,
            self.first_commands,
            script=self.script,
            turn_timer=self.turn_timer,
            epoch=self._epoch,
            watchdog=self._watchdog,
            lockstep=self._lockstep,
            watches=watches,
        )

    @property
    def _watchdog(self) -> DriveWatchdog | None:
        """Watches for clients that fall silent; a replay has what it did in its commands."""
        if self.script is not None:
            return None
        settings = self.start.settings
        when_silent = {name: getattr(settings, name).watchdog for name in ("udp", "grpc", "ros", "tcp_step")}
        return DriveWatchdog(when_silent, self.journal, paced=self.clock.factor is not None)

    @property
    def _lockstep(self) -> Lockstep | None:
        """Lets each tick wait for the program that drives the ego vehicle, where the settings say so."""
        played = self.start.settings.storyboard
        if not played.lockstep or self.start.ready.storyboard is None or self.script is not None:
            return None
        return Lockstep(StackInterface(played.ego), EGO)

    @property
    def _epoch(self) -> Epoch:
        """What stamps count from: the user's epoch, or the recorded one, else the wall clock or the start."""
        chosen = self.start.settings.epoch
        if chosen is not None:
            fixed = round(chosen * 1e9)
            return Epoch(self.publisher, fixed, fixed)
        recorded = self.start.epoch
        if self.script is not None and recorded is not None:
            return Epoch(self.publisher, recorded, recorded)
        return Epoch(self.publisher, recorded)

    def _station(self, console: Console) -> LateStation:
        """The sensors, ready to read if the run begins with some."""
        ready = self.start.ready
        station = late_station(
            self.plan,
            ready,
            Noise(self.start.settings.seed),
            self.start.settings,
            revision=self.revision,
            stamped=self.publisher,
            journal=self.journal,
            clock=self.clock,
            sockets=self.endpoint.sockets,
            captures=self.archive.captures,
        )
        self.archive.station = station.open
        if self.plan.commands or len(ready.first.mounts):
            from dorosim.endpoint.sensor.rehearsal import slow_notice

            with first_sensors(console):
                pace = station.open().pace
            notice = "" if pace is None else slow_notice(pace, self.clock.factor)
            self.slow[:] = [notice] if notice else []
        return station

    @property
    def header(self) -> RunHeader:
        """The header of the files of this run."""
        settings, ready = self.start.settings, self.start.ready
        return RunHeader(
            version=__version__,
            map_name=settings.map
            if settings.map in (*BUILT_IN, EMPTY)
            else str(Path(ready.map_files.source).resolve()),
            map_digest=ready.map_files.digest,
            seed=settings.seed,
            tick=ready.scene.tick,
            epoch=self.publisher.epoch,
            egos=ready.egos,
            revision=self.revision.name,
            physics=PHYSICS_VERSION,
            scenery=ready.scene.scenery.digest,
            scenery_seed=settings.world.scenery_seed,
            solid=settings.world.solid,
            storyboard=ready.storyboard,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """What the runs of a program have in common.

    Attributes:
        given: keys of the settings that a user gave; the others have their defaults.
        data: the data folder. journal: where problems are reported. clock: the pace.
        run_id: by which other programs of this machine find the program, "" for none.
    """

    given: Collection[str]
    data: Path
    journal: Journal
    clock: PacedClock
    run_id: str = ""


def open_session(
    settings: Settings, context: RunContext, sockets: Sockets | None = None, commands: tuple[Command, ...] = ()
) -> RunSession:
    """Read what the settings name, build the world and open the sockets.

    Args:
        settings: all of them.
        context: what all runs share.
        sockets: of the run before, which are used again where the addresses are the same.
        commands: of the first tick, besides what the settings ask for.

    Raises:
        InputError: a setting, file or address cannot be used.
    """
    data = context.data
    script = read_script(settings, data, context.given)
    network, notices = script.network or udp_network_of(settings, data)
    start = start_of(script.settings, context.given, data)
    plan = sensor_plan(start.settings, data, start.ready)
    opening = open_world(start.settings, start.ready, data, script)
    return session_of(start, opening, plan, context, (network, notices), sockets=sockets, commands=commands)


def session_of(
    start: Start,
    opening: Opening,
    plan: SensorPlan,
    context: RunContext,
    network: tuple[UdpNetwork, Collection[str]],
    *,
    sockets: Sockets | None = None,
    commands: tuple[Command, ...] = (),
    script: Script | None = None,
) -> RunSession:
    """A run whose world is built; opens its sockets.

    Args:
        start: its settings, map and first snapshot.
        opening: what it begins with.
        plan: its sensors.
        context: what all runs share.
        network: addresses, and notices about them.
        sockets: of the run before.
        commands: of the first tick, besides.
        script: what happens in each tick, for a replay.

    Raises:
        InputError: an address cannot be used.
    """
    settings, scene = start.settings, start.ready.scene
    allowed = [Path(one).expanduser() for one in settings.sensor_data_folders]
    archive = SensorFolder(context.data / "SensorData", allowed)
    revision = revision_named(settings.udp.revision, settings.udp.steer_positive)
    publisher = Publisher(scene, revision, 0, FURTHER_EGOS[settings.udp.further_egos])
    meanings: dict[type[Wire], Any] = {
        ScenarioLoad: later(partial(load_scenario, opening.loader)),
        SaveSensorData: partial(save_sensor_data, archive),
    }
    receiver = Receiver(revision, scene, meanings, by_ability=settings.udp.speed_control == "vehicle")
    egos = addressed_egos(start.ready.first)
    endpoint = UdpEndpoint(network[0], receiver, publisher, context.journal, sockets, egos)
    opening.loader.addresses = EndpointSwitch(endpoint, settings.port_offset)
    return RunSession(
        start=start,
        opening=opening,
        plan=plan,
        commands=commands,
        revision=revision,
        notices=tuple(network[1]),
        publisher=publisher,
        endpoint=endpoint,
        archive=archive,
        journal=context.journal,
        clock=context.clock,
        run_id=context.run_id,
        script=script,
    )
