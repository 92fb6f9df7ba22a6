"""How a run gets its sensors: what they need is loaded when the first of them is there, not before.

A run without sensors imports none of it and starts the sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from dorosim.app.serve.sensor.plan import SensorPlan
from dorosim.app.store.folder import inside
from dorosim.ground.error import InputError
from dorosim.world.ordinary.kept import kept_frame

if TYPE_CHECKING:
    from dorosim.app.run.build import Build
    from dorosim.app.setting.settings import Settings
    from dorosim.bridge.sensor.packet import Buffer
    from dorosim.endpoint.sensor.interface import Listener, SensorAddress
    from dorosim.endpoint.sensor.station import SensorStation
    from dorosim.ground.noise import Noise
    from dorosim.scenario.sensor_set.read import SensorLink
    from dorosim.world.command import Command
    from dorosim.world.snapshot import Snapshot


def sensor_plan(settings: Settings, data: Path, ready: Build) -> SensorPlan:
    """What the settings ask for, in place of the sensors of the snapshot that a run goes on from.

    Building the geometry that they need begins at once, beside what else a run makes before it starts.

    Raises:
        InputError: the file or a row is wrong; it names the key path.
    """
    if settings.sensors is None and not settings.sensor:
        return SensorPlan()
    from dorosim.app.serve.sensor.store import plan_sensors

    plan = plan_sensors(settings, data, ready.first)
    from dorosim.app.store.scene import SceneLoader
    from dorosim.sensor.kind import DESCRIPTORS
    from dorosim.world.mount.command import AddSensor

    added = {command.settings.KIND for command in plan.commands if isinstance(command, AddSensor)}
    sees = any(DESCRIPTORS[kind].needs_geometry for kind in added)
    return replace(plan, ahead=SceneLoader(ready)) if sees else plan


def saved_sensors(path: str | None, plan: SensorPlan, now: Snapshot) -> list[str]:
    """Save the present sensors as a sensor set file if one is asked for. Returns lines to print about it.

    Raises:
        InputError: it cannot be written.
    """
    if path is None:
        return []
    from dorosim.app.serve.sensor.store import save_sensor_set

    return save_sensor_set(path, plan, now)


HURRIED = 0.2
"""Wall time that sensors which are being opened are waited for where the program is to end [s]."""


@dataclass(frozen=True, slots=True)
class _Readdressing:
    """Where packets of sensors go as soon as the commands that mount them are applied, by number of the sensor."""

    commands: tuple[Command, ...]
    addresses: Mapping[int, SensorAddress | None]
    links: Mapping[int, SensorLink]


class LateStation:
    """The sensors of a run, an observer of the loop: opened with the first sensor, or when it is asked for.

    Args:
        make: opens them.
        first: the snapshot that the run begins with.
        links: where files and settings send the packets of sensors, and their topics, by number.

    Attributes:
        links: the same, with all later changes.
    """

    def __init__(
        self, make: Callable[[], SensorStation], first: Snapshot, links: Mapping[int, SensorLink] | None = None
    ) -> None:
        self.links: Mapping[int, SensorLink] = dict(links or {})
        self._make = make
        self._last = first
        self._frame: object = None
        self._station: SensorStation | None = None
        self._addresses: Mapping[int, SensorAddress | None] = {}
        self._waiting: _Readdressing | None = None
        self._listeners: list[Listener] = []
        self._opening = Lock()
        self._closed = self._hurried = False

    def __call__(self, now: Snapshot, commands: Sequence[Command]) -> None:
        """Read and send what is due at a new snapshot."""
        if self._waiting is not None:
            self._readdress_mounted(self._waiting, now, commands)
        if self._station is not None:
            self._station(now, commands)
            return
        frame = kept_frame(now)
        if frame is not None and frame is self._frame:  # as it was, without a sensor
            self._last = now
        elif len(now.mounts):
            self.open()(now, commands)
        else:
            self._last, self._frame = now, frame

    @property
    def can_wait(self) -> bool:
        """Whether there is no sensor; see `dorosim.endpoint.loop.at_once.PatientObserver`."""
        return self._station is None and self._waiting is None

    def open(self) -> SensorStation:
        """The sensors. Safe from any thread.

        Raises:
            InputError: an address cannot be used, or the run is over.
        """
        with self._opening:
            if self._closed:
                raise InputError("sensors", "", "the run is over", "ask again")
            if self._station is None:
                made = self._make()
                made.follow(self._last)
                if self._addresses:
                    made.readdress(self._addresses)
                for listener in self._listeners:
                    made.listen(listener)
                self._station = made
            return self._station

    def hurry(self) -> None:
        """The program ends: what is begun need not be finished. Safe from a signal handler."""
        self._hurried = True
        station = self._station
        if station is not None:
            station.hurried = True

    def readdress(
        self,
        addresses: Mapping[int, SensorAddress | None],
        links: Mapping[int, SensorLink],
        commands: Sequence[Command] = (),
    ) -> None:
        """Send the packets of some sensors elsewhere, and name their topics as in `links`.

        Args:
            addresses: of packets, by number of the sensor; None: nowhere.
            links: the same as sensor set files have it.
            commands: that mount the sensors; packets go elsewhere in the tick in which they are applied, and those of a
                sensor whose command is refused go where they went. Without commands it is done at once.
        """
        if commands:
            self._waiting = _Readdressing(tuple(commands), addresses, links)
            return
        self.links = {**self.links, **links}
        self._addresses = {**self._addresses, **addresses}
        if self._station is not None:
            self._station.readdress(addresses)

    def _readdress_mounted(self, waiting: _Readdressing, now: Snapshot, commands: Sequence[Command]) -> None:
        """Readdress the sensors whose commands were applied in this tick."""
        mine = {id(command) for command in waiting.commands}
        if not any(id(command) in mine for command in commands):
            return
        self._waiting = None
        refused = {
            getattr(command, "sensor", 0)
            for command, outcome in zip(commands, now.outcomes, strict=False)
            if outcome.refusal and id(command) in mine
        }
        self.readdress(
            {number: address for number, address in waiting.addresses.items() if number not in refused},
            {number: link for number, link in waiting.links.items() if number not in refused},
        )

    def listen(self, listener: Listener) -> None:
        """Give a listener all readings from now on. Safe from any thread."""
        with self._opening:
            if listener in self._listeners:
                return
            self._listeners.append(listener)
            if self._station is not None:
                self._station.listen(listener)

    def unlisten(self, listener: Listener) -> None:
        """Give a listener no more readings. Safe from any thread."""
        with self._opening:
            if listener in self._listeners:
                self._listeners.remove(listener)
            if self._station is not None:
                self._station.unlisten(listener)

    @property
    def sent(self) -> Mapping[str, int]:
        """Packets sent so far, by kind of sensor. Safe from any thread."""
        station = self._station
        return {} if station is None else dict(station.sent)

    def last_sent(self, kind: str) -> Sequence[Buffer]:
        """The last packets of a kind of sensors, the newest last. Safe from any thread."""
        station = self._station
        return () if station is None else station.last_sent(kind)

    def close(self) -> dict[str, int]:
        """Close what was opened. Returns the packets sent, by kind of sensor."""
        # a thread that opens them just now builds a scene, which takes a while
        if not self._opening.acquire(timeout=HURRIED if self._hurried else -1):
            self._closed = True
            return {}
        try:
            self._closed = True
            station, self._station = self._station, None
        finally:
            self._opening.release()
        return {} if station is None else station.close()


def late_station(plan: SensorPlan, ready: Build, noise: Noise, settings: Settings, **rest: Any) -> LateStation:
    """The sensors of a run, to be opened; arguments as of `dorosim.app.serve.sensor.store.open_station`."""

    def make() -> SensorStation:
        from dorosim.app.serve.sensor.store import open_station

        return open_station(plan, ready, noise, settings, **rest)

    return LateStation(make, ready.first, plan.links)


class SensorFolder:
    """The folder of sensor data, as an archive for messages.

    Args:
        folder: SensorData/ of the data folder.
        others: folders in which whole paths count, too (`sensor_data_folders` of the settings).

    Attributes:
        station: returns the sensor station that saves the data; None before the run begins.
    """

    def __init__(self, folder: Path, others: Sequence[Path] = ()) -> None:
        self._folder = folder
        self._others = tuple(others)
        self.station: Callable[[], SensorStation] | None = None

    @property
    def place(self) -> str:
        """The folder, for messages."""
        return str(self._folder.resolve())

    @property
    def captures(self) -> Path:
        """Where what captured sensors read is saved."""
        return self._folder / "Capture"

    def save(self, folder: str, name: str) -> None:
        """Save what every sensor sees next.

        Raises:
            InputError: the folder leads out of the archive and of the folders that are allowed besides, or too many
                requests wait.
        """
        path = self._path(folder.strip())
        if name:
            inside(path, name)
        if self.station is not None:
            from dorosim.endpoint.sensor.interface import SaveRequest

            self.station().save(SaveRequest(path, name))

    def _path(self, asked: str) -> Path:
        """The folder that a message means, without links."""
        root = self._folder.resolve()
        if not Path(asked).is_absolute():
            return inside(root, asked) if Path(asked).parts else root
        allowed = (root, *(one.resolve() for one in self._others))
        try:
            path = Path(asked).resolve()
        except (OSError, RuntimeError, ValueError):  # a NUL in the name, or links that lead in a circle
            raise InputError(asked, "", "is not a valid name of a folder", f"give one inside {root}") from None
        if any(path.is_relative_to(one) for one in allowed):
            return path
        cure = "give a folder inside, or allow it by sensor_data_folders in the settings"
        raise InputError(asked, "", f"leads out of {' and '.join(map(str, allowed))}", cure)
