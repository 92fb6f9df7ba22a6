"""The plan of a town: where junctions are, of what kind, and which roads join them.

A plan says no lane and no line; it is a graph with places. `dorosim.mapmaking.grid` makes one by seed and
size, `dorosim.mapmaking.town` builds it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum, StrEnum

from dorosim.mapmaking.curve import CurvePose


class Size(StrEnum):
    """How large a town is."""

    SMALL = "small"
    DEFAULT = "default"
    LARGE = "large"


class Control(Enum):
    """What decides which vehicle goes first at a junction."""

    SIGNAL = "signal"
    STOP = "stop"
    YIELD = "yield"
    ROUNDABOUT = "roundabout"


class Heading(Enum):
    """The four directions in which roads leave a junction; the value counts quarter turns from east."""

    EAST = 0
    NORTH = 1
    WEST = 2
    SOUTH = 3

    @property
    def angle(self) -> float:
        """Counter-clockwise from east [rad]."""
        return self.value * 0.5 * math.pi

    def turned(self, quarters: int) -> Heading:
        """The heading so many quarter turns counter-clockwise."""
        return Heading((self.value + quarters) % 4)


@dataclass(frozen=True, slots=True)
class RoadClass:
    """What kind of road: lanes in each direction, width of a lane [m], speed limit [km/h]."""

    lanes: int
    width: float
    speed_kmh: float
    one_way: bool = False

    def half_width(self, *, turn_lane: bool) -> float:
        """Largest distance from the axis to the kerb [m]."""
        if self.one_way:
            return 0.5 * self.lanes * self.width
        return (self.lanes + (0.5 if turn_lane else 0.0)) * self.width


AVENUE = RoadClass(3, 3.3, 60.0)
STREET = RoadClass(2, 3.3, 50.0)
LOCAL = RoadClass(1, 3.3, 40.0)
ONE_WAY = RoadClass(2, 3.3, 40.0, one_way=True)


@dataclass(slots=True)
class Site:
    """A junction to be.

    Attributes:
        x: east in the map [m].
        y: north in the map [m].
        control: what decides which vehicle goes first.
        major: headings of the road that has priority where a sign controls the junction.
    """

    x: float
    y: float
    control: Control
    major: tuple[Heading, ...] = ()


@dataclass(frozen=True, slots=True)
class Arm:
    """A road end at a site."""

    site: str
    heading: Heading


@dataclass(frozen=True, slots=True)
class Road:
    """A road between two sites; a one-way road runs from `start` to `end`.

    Attributes:
        start: where it begins.
        end: where it ends.
        kind: lanes and speed.
        via: poses between its bends, in order.
        bend: longest tangent of a bend [m].
    """

    start: Arm
    end: Arm
    kind: RoadClass
    via: tuple[CurvePose, ...] = ()
    bend: float = 70.0


@dataclass(frozen=True, slots=True)
class Interchange:
    """A street under the ring, with a junction on either side of it.

    Attributes:
        heading: from the town outwards.
        inner: key of the site on the town's side.
        outer: key of the site beyond the ring.
        crossing: where the street passes under the ring, in the map [m].
    """

    heading: Heading
    inner: str
    outer: str
    crossing: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class RingClass:
    """What kind of road the ring is; lengths and distances from the bridges in m.

    Attributes:
        lanes: in each direction.
        width: of a lane.
        speed_kmh: limit.
        ramp_speed_kmh: limit on ramps.
        half_median: from the axis to the left edge of a carriageway.
        corner: longest tangent of a corner.
        nose: where a ramp leaves its auxiliary lane.
        full: where that lane has its full width.
        begin: where it opens.
        bridge_slope: length of each slope of a bridge.
        link: longest link.
    """

    lanes: int
    width: float
    speed_kmh: float
    ramp_speed_kmh: float
    half_median: float
    corner: float
    nose: float
    full: float
    begin: float
    bridge_slope: float
    link: float


TOWN_RING = RingClass(
    lanes=2,
    width=3.5,
    speed_kmh=80.0,
    ramp_speed_kmh=50.0,
    half_median=1.5,
    corner=380.0,
    nose=205.0,
    full=285.0,
    begin=365.0,
    bridge_slope=205.0,
    link=220.0,
)
"""The ring road of a town: its corners have a radius of 280 m, its steepest grade is 5.7 %."""


@dataclass(slots=True)
class MapPlan:
    """A town to be built.

    Attributes:
        half_width: from the centre to the ring's east side [m].
        half_height: from the centre to the ring's north side [m].
        sites: junctions by key.
        roads: between them.
        interchanges: of the ring.
        lots: arms at which a parking lot lies.
        grade: steepest slope of the ground.
        ring: what kind of road the ring is; there is none without interchanges.
        crosswalks: arms over which a crosswalk without lights leads.
    """

    half_width: float
    half_height: float
    sites: dict[str, Site] = field(default_factory=dict)
    roads: list[Road] = field(default_factory=list)
    interchanges: list[Interchange] = field(default_factory=list)
    lots: list[Arm] = field(default_factory=list)
    grade: float = 0.04
    ring: RingClass = TOWN_RING
    crosswalks: list[Arm] = field(default_factory=list)
