"""What interfaces ask of the program around the world: files, clocks, other runs. `dorosim.app` implements it.

The bridge itself opens no file, waits for nothing and starts no thread. Where a request needs that, it calls one of
these; each may take its time, since it is called on the thread of the request.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from dorosim.bridge.scenario import Loading
from dorosim.scenario.load import LoadOptions
from dorosim.world.command import Command, Vector
from dorosim.world.snapshot import Snapshot

if TYPE_CHECKING:  # a run without sensors imports none of it
    from dorosim.bridge.sensor.ray import Ray
    from dorosim.bridge.view.event import PageEvent
    from dorosim.sensor.ray import RayHit
    from dorosim.sensor.reading import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class StartOrder:
    """A run that is asked for.

    Attributes:
        map_name: "" for the present one.
        vehicle: model of the ego vehicle, "" for the present one.
        position: of the ego vehicle in the map [m], None for the map's own place. heading: [rad].
        scenario: name of a scenario, "" for none. sensors: name of a sensor set, "" for none.
        commands: of its first tick, after those of scenario and sensors.
        frame: simulated time of one step of synchronous mode [ns]; 0: time passes by the clock; None: as now.
        seed: of all that is random; None for that of the program.
    """

    map_name: str = ""
    vehicle: str = ""
    position: Vector | None = None
    heading: float = 0.0
    scenario: str = ""
    sensors: str = ""
    commands: tuple[Command, ...] = ()
    frame: int | None = None
    seed: int | None = None


SAME_MAP = "same map"
"""Answer to a client that starts the map and vehicle of the present run; clients look for it
(facts/ros-grpc-mgeo.md, 2.3)."""


class Runs(Protocol):
    """Which run there is."""

    @property
    def map_name(self) -> str:
        """Of the present run."""

    @property
    def version(self) -> str:
        """Of dorosim."""

    @property
    def epoch(self) -> int:
        """Wall time of simulated time 0 [ns since 1970]."""

    def start(self, order: StartOrder) -> str:
        """Begin another run, and wait until it is there; what there is to say of it, such as the map.

        Where nothing but the present map and vehicle is asked for, it is the present run that begins again, and
        `SAME_MAP` is what is said.

        Raises:
            InputError: it cannot be, for what reason; the present run goes on.
        """

    def plays(self, name: str) -> bool:
        """Whether a client names a file of OpenSCENARIO of the data folder; runs begin with these (`start`).

        Raises:
            InputError: it names one that is not there, or the name leads out of the data folder.
        """

    def play(self, name: str, *, paused: bool) -> str:
        """Begin a run with a file of OpenSCENARIO, and do not wait until it is there; the file.

        Users are shown what comes of it.

        Args:
            name: of the file.
            paused: whether simulated time stands still at its start.

        Raises:
            InputError: it cannot be read.
        """

    def restart(self, commands: Sequence[Command] = ()) -> None:
        """Go back to the first snapshot of the present run, and wait until it is there.

        Args:
            commands: of its first tick.
        """

    def report(self, kind: str, text: str, lines: Sequence[str] = ()) -> None:
        """Show users a line of a kind, and further lines beneath it."""


class Files(Protocol):
    """The data folder."""

    @property
    def place(self) -> str:
        """Where it is."""

    def maps(self) -> Sequence[str]:
        """Names of the maps that a run can be on."""

    def mgeo(self, map_name: str) -> Sequence[tuple[str, bytes]]:
        """The MGeo files of a map: name and content (JSON in UTF-8) of each.

        Raises:
            InputError: there is no such map, or it cannot be read.
        """

    def scenario(self, name: str, options: LoadOptions, now: Snapshot) -> Loading:
        """What loading a scenario does.

        Raises:
            InputError: there is none of this name, or it is broken.
        """

    def sensor_set(self, name: str, now: Snapshot) -> tuple[tuple[Command, ...], tuple[str, ...]]:
        """Commands that put the sensors of a sensor set file in place of those that are there, and notes about it.

        Raises:
            InputError: there is none of this name, or it is broken.
        """

    def save_sensor_data(self, folder: str, name: str) -> str:
        """Save what every sensor sees at the next tick; the folder.

        Args:
            folder: inside the archive, "" for the archive itself.
            name: with which file names begin, "" for the time.

        Raises:
            InputError: the folder leads out of the archive, or too many requests wait.
        """


class SensorAccess(Protocol):
    """What can be seen in a snapshot, now."""

    def look(self, sensor: int) -> Reading | None:
        """What a sensor sees at the last snapshot; None if it is not there, or sees nothing.

        Raises:
            InputError: it cannot be made.
        """

    def cast(self, now: Snapshot, rays: Sequence[Ray]) -> list[RayHit | None]:
        """What rays meet.

        Raises:
            InputError: a ray is none.
        """


class Pace(Protocol):
    """What lets simulated time pass: the clock, or the steps of clients (design/seams.md, Time and ticks)."""

    @property
    def mode(self) -> int:
        """Number of the present synchronous mode, another one each time it begins; 0 while time passes by the clock."""

    @property
    def clients(self) -> tuple[str, ...]:
        """The clients that step the run, in the order in which they came."""

    @property
    def synchronous(self) -> bool:
        """Whether clients step the run."""

    @property
    def frame(self) -> int:
        """Simulated time of one step of synchronous mode [ns]."""

    @property
    def speed(self) -> float | None:
        """Simulated over wall time while time passes by the clock; None: as fast as possible."""

    def run_at(self, speed: float) -> None:
        """Let time pass by the clock at another speed from now on, simulated over wall time."""

    def synchronise(self, frame: int) -> None:
        """Begin synchronous mode, or change its frame [ns].

        Raises:
            InputError: the frame is no multiple of the tick.
        """

    def release(self) -> None:
        """End synchronous mode: time passes by the clock."""

    def step(self, client: str, frames: int, timeout: float) -> int | None:
        """Let some frames pass, and wait until they have; simulated time then [ns], None if it did not come to it."""

    def wait(self, timeout: float) -> int | None:
        """Wait until a step of a client has let time go on; returns simulated time then [ns], None if none has."""

    def leave(self, client: str) -> None:
        """A client steps no longer."""


@dataclass(frozen=True, slots=True)
class RecordStatus:
    """Of a recording or a replay.

    Attributes:
        active: whether it goes on. name: of its file, "" for none.
        ticks: recorded so far; of a replay, the frame of the recording that it is at. Frame 0 is the state at the
            beginning of a recording, any other one the state after as many ticks.
        end: last frame of a recording that is chosen, 0 for none.
        problem: why it ended early, "" for nothing.
        time, length: simulated time from the beginning of the recording to that frame, and to its end [s]. A frame in
            which the run was paused, or waited for a step, takes none.
        events: of a recording that is looked at, all that are known, with their simulated times; of a replay none.
    """

    active: bool = False
    name: str = ""
    ticks: int = 0
    end: int = 0
    problem: str = ""
    time: float = 0.0
    length: float = 0.0
    events: tuple[PageEvent, ...] = ()


class Records(Protocol):
    """Recordings in the data folder, made and replayed while a run goes on."""

    def begin(self, name: str) -> str:
        """Begin to record; the file. A recording that goes on is finished first.

        Raises:
            InputError: it cannot be written there.
        """

    def finish(self) -> str:
        """Finish the recording; the file, "" if there was none."""

    @property
    def recording(self) -> RecordStatus:
        """What is being recorded."""

    def load(self, name: str, takes: Sequence[Sequence[Command]] = ()) -> RecordStatus:
        """Choose a recording to replay; its length.

        Args:
            name: of its file.
            takes: it is replayed once for each, with these commands at the start; none: once, as it was.

        Raises:
            InputError: there is none of this name, or it is broken, or its map is not there.
        """

    def add_span(self, first: int, last: int) -> None:
        """Replay a part of the chosen recording, in place of all of it; parts are replayed in the order of the calls.

        Args:
            first: frame from which on.
            last: frame up to which.

        Raises:
            InputError: none is chosen, or it has no such frames.
        """

    def frame_at(self, since: float) -> int:
        """The last frame of the chosen recording up to a simulated time since its beginning [s], before its end.

        Raises:
            InputError: none is chosen, or it has no such time.
        """

    def play(self) -> None:
        """Replay what was chosen, as another run; waits until that is there.

        Raises:
            InputError: none is chosen, or it cannot be; the present run goes on.
        """

    @property
    def replaying(self) -> RecordStatus:
        """What is being replayed."""


@dataclass(frozen=True, slots=True)
class BagStatus:
    """Of the replay of a bag.

    Attributes:
        name: of its file, "" while none is loaded. playing: whether its actors are moved.
        ended: whether its end is shown. moment, length: [ns from its beginning].
        problem: why it was broken off, "" for nothing.
    """

    name: str = ""
    playing: bool = False
    ended: bool = False
    moment: int = 0
    length: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class BagOrder:
    """Changes of the replay of a bag; None leaves one as it is.

    Attributes:
        targets: which actors are replayed: sum of 1 ego vehicle, 2 NPC vehicles and obstacles, 4 pedestrians.
        start: moment from which it goes on [ns from the beginning].
        speed: so many times as fast as it was.
        paused: whether the run pauses first.
    """

    targets: int | None = None
    start: int | None = None
    speed: float | None = None
    paused: bool = False


class Bags(Protocol):
    """Bags in the data folder, which are replayed into the present run."""

    @property
    def status(self) -> BagStatus:
        """What is replayed."""

    def load(self, name: str) -> BagStatus:
        """Choose a bag; one that is being replayed ends.

        Raises:
            InputError: there is none of this name, or it cannot be replayed.
        """

    def direct(self, order: BagOrder) -> None:
        """Begin to replay the bag that was chosen, or change how it is replayed.

        Raises:
            InputError: none is chosen, or the run has a script already.
        """

    def stop(self) -> None:
        """End the replay, and forget the bag: its actors leave, and the ego vehicle stands.

        Raises:
            InputError: none is chosen.
        """


@dataclass(frozen=True, slots=True)
class Host:
    """All that is around the world."""

    runs: Runs
    files: Files
    sensors: SensorAccess
    pace: Pace
    records: Records
    bags: Bags
