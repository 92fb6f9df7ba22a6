"""Runs that clients begin: validated and built while the present one goes on, and switched to when they are ready."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
from rich.console import Console

from dorosim import __version__
from dorosim.app.run.build import MAX_SEED
from dorosim.app.run.session import RunContext, RunSession, open_session
from dorosim.app.run.switch import RUN_SWITCH_TIMEOUT_S, CurrentRun, RunSwitch
from dorosim.app.serve.host.branch import branch_of
from dorosim.app.serve.host.pace import HostPace
from dorosim.app.setting.settings import EgoSettings, Settings
from dorosim.app.setting.storyboard import StoryboardSettings
from dorosim.app.store.folder import inside
from dorosim.app.store.map import BUILT_IN
from dorosim.app.store.openscenario import find_openscenario, stored_openscenario
from dorosim.app.store.scenario import ScenarioFolder
from dorosim.bridge.host import SAME_MAP, StartOrder
from dorosim.ground.error import DorosimError, InputError
from dorosim.ground.noise import Noise
from dorosim.world.actor.command import PauseRun
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step
from dorosim.world.vehicle.catalogue import model_of


class HostRuns:
    """The runs of a program; see `dorosim.bridge.host.Runs`.

    Args:
        settings: of the program. They count for what clients leave open, except the scenario and the snapshot that the
            first run began with.
        context: what all runs share.
        switch: from one run to another.
        pace: lets simulated time pass.

    Attributes:
        settings: as given.
    """

    def __init__(self, settings: Settings, context: RunContext, switch: RunSwitch, pace: HostPace) -> None:
        self.settings = self._settings = settings
        self._context = context
        self._switch = switch
        self._pace = pace
        self._console = Console(stderr=True, highlight=False, quiet=True)
        self._count = 1

    @property
    def map_name(self) -> str:
        """Name of the map of the present run."""
        return self._switch.current.session.start.ready.map_files.name

    @property
    def version(self) -> str:
        """Version of dorosim."""
        return __version__

    @property
    def epoch(self) -> int:
        """Wall time of simulated time 0 [ns since 1970]."""
        return self._switch.current.session.publisher.epoch

    def report(self, kind: str, text: str, lines: Sequence[str] = ()) -> None:
        """Show users a line, and further lines beneath it."""
        self._context.journal.report(kind, text, lines)

    def start(self, order: StartOrder) -> str:
        """Begin another run, or the present one again; see `dorosim.bridge.host.Runs`."""
        with self._switch.asking:
            current = self._switch.current
            if order.frame:
                self._pace.check(order.frame, current.loop.scene.tick)
            if self._is_present(order, current):
                first = (*current.session.first_commands, *order.commands)
                _try_first_tick(current.session, first, len(first) - len(order.commands))
                self._pace.order(order.frame)
                self._restart(order.commands)
                return SAME_MAP
            settings = self._ordered(order, current)
            given = frozenset(
                key for key, there in (("ego", order.vehicle or order.position), ("map", order.map_name)) if there
            )
            context = replace(self._context, given=given)
            sockets = current.session.endpoint.sockets
            self.switch_to(lambda: open_session(settings, context, sockets, order.commands), order.frame)
            return f"map {self.map_name}"

    def plays(self, name: str) -> bool:
        """Whether a client names a file of OpenSCENARIO; see `dorosim.bridge.host.Runs`."""
        return stored_openscenario(name, self._context.data, self.map_name) is not None

    def play(self, name: str, *, paused: bool) -> str:
        """Begin a run with a file of OpenSCENARIO on a thread of its own; see `dorosim.bridge.host.Runs`."""
        # here, since most runs have no scenario and start sooner without
        from dorosim.scenario.openscenario.document import open_document

        source = stored_openscenario(name, self._context.data, self.map_name)
        assert source is not None
        file, files = find_openscenario(source, self._context.data)
        open_document(file.source, file.content, files).read().scenario()
        commands = (PauseRun(paused=True),) if paused else ()

        def begin() -> None:
            try:
                self.report("scenario loaded", f"{source}: {self.start(StartOrder(scenario=name, commands=commands))}")
            except DorosimError as error:
                self.report("refused", f"scenario {source}: {error}")

        threading.Thread(target=begin, name="dorosim-scenario", daemon=True).start()
        return source

    def restart(self, commands: Sequence[Command] = ()) -> None:
        """Go back to the first snapshot of the present run, and wait until it is there."""
        with self._switch.asking:
            self._restart(commands)

    def go_on_from(self, now: Snapshot, commands: Sequence[Command] = ()) -> None:
        """Begin a run that goes on from a snapshot of the present one, and wait until it is there.

        It is another run, with files of its own; its recording begins with the snapshot. The sensors are those of the
        snapshot, and no scenario, traffic or environment of the settings comes anew.

        Args:
            now: the snapshot.
            commands: of its first tick.

        Raises:
            InputError: a recording is being replayed, or a file cannot be written.
        """
        with self._switch.asking:
            session = self._switch.current.session
            if session.script is not None:
                problem, cure = "a recording is replayed, which has its own time line", "use that"
                raise InputError("go back", "", problem, cure)
            settings = self.written_apart(session.start.settings)
            self.switch_to(lambda: branch_of(session, settings, now, tuple(commands), self._context))

    def switch_to(self, build: Callable[[], RunSession], frame: int | None = None) -> None:
        """Build a run, try its first tick, and let it take the place of the present one.

        Args:
            build: makes it. The caller holds `RunSwitch.asking`.
            frame: as of `StartOrder`.

        Raises:
            InputError: it cannot be; the present run goes on.
        """
        session = build()
        keep = self._switch.current.session.endpoint.sockets.values()
        try:
            _try_first_tick(session, session.first_commands, len(session.first_commands) - len(session.commands))
            resources = session.open_resources(self._console)
            for line in session.slow:
                self.report("sensors late", line)
        except Exception:
            session.endpoint.close(keep)
            raise
        self._pace.order(frame)
        self._count += 1
        self._switch.replace_by(session, resources)
        derived = session.start.ready.scene.network.signals.derived
        if derived:
            self.report("lights", derived)
        # a client that asks from now on sees what the first tick did; no further tick is asked for, so that stepped
        # runs are equal
        self._switch.current.loop.begun.wait(RUN_SWITCH_TIMEOUT_S)

    def written_apart(self, settings: Settings) -> Settings:
        """Settings whose files are not those of the runs before: the second run of a program writes to `lap-2.rec`.

        The number of the run is put behind the file names of the program's settings, whatever run `settings` is of.
        """
        names = ("record", "save_snapshot", "save_scenario", "save_sensors")
        later = {name: self._numbered(getattr(self._settings, name)) for name in names}
        at = tuple((time, self._numbered(file) or file) for time, file in self._settings.snapshot_at)
        return msgspec.structs.replace(settings, **later, snapshot_at=at)

    def _numbered(self, file: str | None) -> str | None:
        if file is None:
            return None
        path = Path(file)
        return str(path.with_name(f"{path.stem}-{self._count + 1}{path.suffix}"))

    def _restart(self, commands: Sequence[Command]) -> None:
        self._switch.current.gateway.begin_again(commands, stepped=self._pace.synchronous)

    def _is_present(self, order: StartOrder, current: CurrentRun) -> bool:
        """Whether an order asks for nothing but what is there."""
        ready, settings = current.session.start.ready, current.session.start.settings
        return (
            order.map_name in ("", ready.map_files.name)
            and (not order.vehicle or model_of(order.vehicle).name == ready.egos[0].model)
            and order.position is None
            and order.seed in (None, settings.seed)
            and (not order.scenario or self._scenario(order, current) == settings.scenario)
            and (not order.sensors or sensor_set_path(order.sensors, self._context.data) == settings.sensors)
            and current.session.script is None
        )

    def _ordered(self, order: StartOrder, current: CurrentRun) -> Settings:
        """The settings of a run that is asked for."""
        ready = current.session.start.ready
        same = order.map_name in ("", ready.map_files.name)
        pose, z = None, None
        if order.position is not None:
            x, y, z = order.position
            pose = x, y, math.degrees(order.heading)
        model = model_of(order.vehicle or ready.egos[0].model).name
        others = self._settings.ego[1:] if same else ()
        kept = self._settings.ego[0] if same else EgoSettings()
        place = (
            {"link": kept.link, "s": kept.s, "pose": kept.pose, "z": kept.z} if pose is None else {"pose": pose, "z": z}
        )
        settings = msgspec.structs.replace(
            self._settings,
            map=self._map(order.map_name, current),
            ego=(EgoSettings(vehicle=model, **place), *others),
            scenario=self._scenario(order, current),
            sensors=sensor_set_path(order.sensors, self._context.data) if order.sensors else self._settings.sensors,
            storyboard=self._storyboard(order),
            from_snapshot=None,
            seed=self._settings.seed if order.seed is None else order.seed,
        )
        if not 0 <= settings.seed <= MAX_SEED:
            raise InputError("Start", "seed", f"{settings.seed} is not a valid seed", f"use 0 to {MAX_SEED}")
        return self.written_apart(settings)

    def _storyboard(self, order: StartOrder) -> StoryboardSettings:
        """How a scenario of a client is played: its files lie in the data folder, and its parameters are its own."""
        played = self._settings.storyboard
        return msgspec.structs.replace(played, allow=(), parameters={}) if order.scenario else played

    def _scenario(self, order: StartOrder, current: CurrentRun) -> str | None:
        """The file of a scenario that a client names; None for none."""
        if not order.scenario:
            return None
        map_name = order.map_name or current.session.start.ready.map_files.name
        played = stored_openscenario(order.scenario, self._context.data, map_name)
        if played is not None:
            return played
        return ScenarioFolder(self._context.data / "Scenario", map_name).read(order.scenario).source

    def _map(self, name: str, current: CurrentRun) -> str:
        """Where a map is that a client names: the present one, or one of the data folder."""
        ready = current.session.start.ready
        if name in ("", ready.map_files.name):
            return current.session.start.settings.map
        for known in (*BUILT_IN, self._settings.map):
            if name == Path(known).name:
                return known
        found = known_maps(self._context.data)
        if name not in found:
            known = ", ".join(sorted({*BUILT_IN, ready.map_files.name, *found}))
            raise InputError(f"map {name!r}", "", "there is no such map", f"known maps: {known}")
        return str(found[name])


def known_maps(data: Path) -> dict[str, Path]:
    """Maps of the data folder, by name."""
    folder = data / "Map"
    entries = sorted(folder.iterdir()) if folder.is_dir() else []
    return {one.stem if one.suffix == ".zip" else one.name: one for one in entries if _is_map(one)}


def sensor_set_path(name: str, data: Path) -> str:
    """The file of a sensor set that a client names.

    Raises:
        InputError: the name leads out of the data folder.
    """
    return str(inside(data / "Sensor", name.strip().removesuffix(".json"), ".json"))


def _is_map(path: Path) -> bool:
    return path.suffix == ".zip" or (path.is_dir() and any(path.glob("*.json")))


def _try_first_tick(session: RunSession, commands: Sequence[Command], kept: int) -> Snapshot:
    """Make the first tick of a run on trial; what a client asked for must not be refused in it.

    Args:
        session: of the run.
        commands: of the tick.
        kept: how many of them are not the client's.

    Raises:
        InputError: the world refuses a command of the client.
    """
    ready = session.start.ready
    now = step(ready.scene, ready.first, commands, Noise(session.start.settings.seed))
    refused = [outcome.refusal for outcome in now.outcomes[kept:] if outcome.refusal]
    if refused:
        raise InputError("start", "", "; ".join(refused), "")
    return now
