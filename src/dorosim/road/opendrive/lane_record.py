"""The records of lanes (ASAM OpenDRIVE 1.8, 11).

Lengths are in m; `s_offset` counts from the start of the lane section, for road marks, widths and the like.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from dorosim.road.opendrive.value import AtLeast, Distance, OneOf


@dataclass(frozen=True, slots=True, kw_only=True)
class Cubic:
    """A cubic of ds, the length [m] from `s` on: a + b ds + c ds² + d ds³.

    Attributes:
        s: along the road, or from the start of the lane section for widths and borders.
    """

    s: Distance
    a: float
    b: float
    c: float
    d: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneHeight:
    """`<height>`: how much a lane lies over the road's surface at its inner and its outer border [m]."""

    s_offset: Distance
    inner: float
    outer: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneSpeed:
    """`<speed>` of a lane: [m/s], None where there is no limit."""

    s_offset: Distance
    max_speed: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneAccess:
    """`<access>`.

    Attributes:
        rule: "allow" or "deny". restrictions: for which kinds of traffic, such as ("bus", "taxi").
    """

    s_offset: Distance
    rule: Annotated[str, OneOf(("allow", "deny"))] = "deny"
    restrictions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneMaterial:
    """`<material>` of a lane: friction is a coefficient, roughness as the file's tool has it."""

    s_offset: Distance
    friction: Annotated[float, AtLeast(0.0)] = 0.0
    roughness: float = 0.0
    surface: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoadMarkLine:
    """`<line>` of a road mark: strokes of `length` with gaps of `space` [m].

    Attributes:
        t_offset: to the lane's border, left positive. s_offset: of the first stroke. width: None where the mark has it.
    """

    length: Distance = 0.0
    space: Distance = 0.0
    t_offset: float = 0.0
    s_offset: float = 0.0
    rule: str = ""
    width: float | None = None
    color: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoadMark:
    """`<roadMark>`: what is painted on the outer border of a lane, of the centre lane on its line.

    Attributes:
        lane_change: "increase", "decrease", "both" or "none", by lane ids; "" where the file says nothing.
        lines: of `<type>`, repeated. explicit_lines: of `<explicit>`, each once.
        sways: `<sway>` (1.5 on): how far the mark lies beside the border.
        user_data: dorosim's own, see `own_data`.
    """

    s_offset: Distance
    type: str = "none"
    weight: str = "standard"
    color: str = "standard"
    material: str = ""
    width: float | None = None
    height: float = 0.0
    lane_change: str = ""
    type_name: str = ""
    lines: tuple[RoadMarkLine, ...] = ()
    explicit_lines: tuple[RoadMarkLine, ...] = ()
    sways: tuple[Cubic, ...] = ()
    user_data: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrLane:
    """`<lane>` of a lane section.

    Attributes:
        id: 0 at the centre, growing to the left.
        type: such as "driving". level: it does not follow superelevation, crossfall and shape.
        direction: of 1.8: "standard", "reversed" or "both".
        predecessors, successors: ids of lanes that it is linked with.
        widths: wins over `borders` where both are there.
        user_data: dorosim's own, see `own_data`.
    """

    id: int
    type: str = "none"
    level: bool = False
    direction: Annotated[str, OneOf(("standard", "reversed", "both"))] = "standard"
    predecessors: tuple[int, ...] = ()
    successors: tuple[int, ...] = ()
    widths: tuple[Cubic, ...] = ()
    borders: tuple[Cubic, ...] = ()
    heights: tuple[LaneHeight, ...] = ()
    speeds: tuple[LaneSpeed, ...] = ()
    accesses: tuple[LaneAccess, ...] = ()
    materials: tuple[LaneMaterial, ...] = ()
    road_marks: tuple[RoadMark, ...] = ()
    user_data: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrLaneSection:
    """`<laneSection>`.

    Attributes:
        s: where it starts along the road; it ends at the next one, or with the road.
        single_side: it counts for the side only on which it has lanes.
        lanes: from left to right, that is by falling id.
    """

    s: Distance
    single_side: bool = False
    lanes: tuple[OdrLane, ...] = ()
