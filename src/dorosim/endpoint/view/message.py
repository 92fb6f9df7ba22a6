"""The messages between the process of the run and that of the page, pickled over a pair of sockets of their own.

A snapshot never changes, so it can be packed on another thread while the run goes on. The page asks for each one that
it shows: a page without visitors, or one that is slow, costs the run nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dorosim.bridge.view.event import Happening
from dorosim.endpoint.loop.pace_monitor import PaceFigures

if TYPE_CHECKING:
    from dorosim.sensor.pose import Pose
    from dorosim.sensor.reading import Reading
    from dorosim.world.command import Command
    from dorosim.world.snapshot import Snapshot


@dataclass(frozen=True, slots=True, eq=False)
class RunBegun:
    """A run that the page shows from now on.

    Attributes:
        number: 1 for the first of the program.
        given: data from which the page builds its map and models; the code that composes the page knows its type.
        now: the last snapshot.
    """

    number: int
    given: Any
    now: Snapshot


@dataclass(frozen=True, slots=True, eq=False)
class PageFrame:
    """A snapshot that the page asked for.

    Attributes:
        now: the last one. number: of its run.
    """

    now: Snapshot
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class SensorsRead:
    """What sensors read that the page listens to.

    Attributes:
        readings: made small. poses: map_from_sensor of each at its tick, None for one that has left.
    """

    readings: Sequence[Reading]
    poses: Sequence[Pose | None]


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """The result of a request.

    Attributes:
        number: of the request. value: what it returned. problem: why it could not be done, "" if it was.
    """

    number: int
    value: Any = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """Figures of the interfaces, counted from the start of the program but for those of the run.

    Attributes:
        counts: of datagrams, calls, messages and problems, by kind. sent: UDP messages, by name.
        dropped: datagrams that the kernel dropped. resyncs: how often the clock started anew.
        wall: monotonic time of the figures [s].
        factor: simulated over wall time that the clock keeps, 0 for as fast as possible.
        steppers: names of the clients that step the run, in synchronous mode. synchronous: whether it is on.
        driven: how long ago each vehicle was last driven from outside [s of wall time], by id.
        happenings: the last refusals, contacts, and faults that began and ended.
        pace: how the loop keeps its time.
        packets: of sensors that were sent, by kind of sensor.
        run: number of the run that has these refusals, contacts, faults and drivers.
        played: whether it is a recording that is played (`dorosim replay --view`).
    """

    wall: float
    counts: Counter[str] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)
    dropped: int = 0
    resyncs: int = 0
    factor: float = 1.0
    synchronous: bool = False
    steppers: tuple[str, ...] = ()
    driven: Mapping[int, float] = field(default_factory=dict)
    happenings: tuple[Happening, ...] = ()
    pace: PaceFigures = field(default_factory=PaceFigures)
    packets: Mapping[str, int] = field(default_factory=dict)
    run: int = 1
    played: bool = False


@dataclass(frozen=True, slots=True)
class Choices:
    """What a run can be started with.

    Attributes:
        map_name, vehicle: of the present one. maps: names of all. scenarios: names of those of the data folder.
    """

    map_name: str
    vehicle: str
    maps: tuple[str, ...]
    scenarios: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WantFrame:
    """The page asks for the next snapshot."""


@dataclass(frozen=True, slots=True)
class Listen:
    """Numbers of the sensors whose readings the page shows from now on."""

    sensors: frozenset[int]


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something of the page does not work: the run reports it to its user.

    Attributes:
        text: what does not work.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Order:
    """Commands of the page, to be done together in the next tick.

    Attributes:
        number: of the request. commands: in order.
    """

    number: int
    commands: Sequence[Command]


@dataclass(frozen=True, slots=True)
class Request:
    """Something that the program around the world does for the page.

    Attributes:
        number: of the request. part: of `dorosim.bridge.host.Host`, or "page". name: of the method or property.
        given: arguments.
    """

    number: int
    part: str
    name: str
    given: tuple[Any, ...] = ()
