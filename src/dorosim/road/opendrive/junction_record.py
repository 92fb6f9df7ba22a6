"""The records of junctions (ASAM OpenDRIVE 1.8, 12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from dorosim.road.opendrive.value import Distance, Named, OneOf


@dataclass(frozen=True, slots=True, kw_only=True)
class JunctionLaneLink:
    """`<laneLink>`: a lane of the incoming road and the lane that continues it.

    Attributes:
        overlap_zone: how long both lie on each other in a direct junction [m].
    """

    from_lane: Annotated[int, Named("from")]
    to_lane: Annotated[int, Named("to")]
    overlap_zone: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrConnection:
    """`<connection>` of a junction.

    Attributes:
        incoming_road: "" in a virtual junction. connecting_road: "" in a direct junction, which has `linked_road`.
        contact_point: the end of the connecting or linked road that meets the incoming road.
    """

    id: str
    type: str = "default"
    incoming_road: str = ""
    connecting_road: str = ""
    linked_road: str = ""
    contact_point: Annotated[str, OneOf(("start", "end", ""))] = ""
    lane_links: tuple[JunctionLaneLink, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JunctionPriority:
    """`<priority>`: ids of connecting roads, of which one has the right of way before the other."""

    high: str = ""
    low: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JunctionController:
    """`<controller>` of a junction: the controller by id, its type, and its place in the cycle."""

    id: str
    type: str = ""
    sequence: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossPathLink:
    """`<startLaneLink>` or `<endLaneLink>`: where along a road a cross path begins or ends, from lane to lane."""

    s: Distance
    from_lane: Annotated[int, Named("from")]
    to_lane: Annotated[int, Named("to")]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossPath:
    """`<crossPath>` (1.8): people cross other lanes along a road of its own.

    Attributes:
        crossing_road: along which they go. road_at_start, road_at_end: on which it begins and ends.
    """

    id: str = ""
    crossing_road: str
    road_at_start: str = ""
    road_at_end: str = ""
    start: CrossPathLink | None = None
    end: CrossPathLink | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrJunction:
    """`<junction>`.

    Attributes:
        main_road, s_start, s_end, orientation: of a virtual junction, the part of the road that it covers [m].
    """

    id: str
    name: str = ""
    type: Annotated[str, OneOf(("default", "direct", "virtual", "crossing"))] = "default"
    main_road: str = ""
    s_start: Distance | None = None
    s_end: Distance | None = None
    orientation: str = ""
    connections: tuple[OdrConnection, ...] = ()
    priorities: tuple[JunctionPriority, ...] = ()
    controllers: tuple[JunctionController, ...] = ()
    cross_paths: tuple[CrossPath, ...] = ()
