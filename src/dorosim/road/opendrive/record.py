"""The records of an OpenDRIVE file: header, roads, reference lines and profiles (ASAM OpenDRIVE 1.8, 9 and 10).

A field has the name of its attribute in lower case with underscores: `curv_start` is `@curvStart`. Lengths are in m,
angles in rad, headings counter-clockwise from the x axis. A record keeps what the file says; what follows from it is
computed elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from dorosim.road.opendrive.junction_record import OdrJunction
from dorosim.road.opendrive.lane_record import Cubic, OdrLaneSection
from dorosim.road.opendrive.object_record import OdrBridge, OdrObject, OdrObjectReference, OdrTunnel
from dorosim.road.opendrive.signal_record import OdrController, OdrSignal, OdrSignalReference
from dorosim.road.opendrive.value import Distance, OneOf


@dataclass(frozen=True, slots=True, kw_only=True)
class GeoOffset:
    """`<offset>` of the header: the coordinates of a map plus this are those of its projection.

    Attributes:
        x, y, z: in m. hdg: rotation around z, before the shift.
    """

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    hdg: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrHeader:
    """`<header>`.

    Attributes:
        rev_major, rev_minor: the version of the standard.
        north, south, east, west: the bounds as the file gives them [m]; often all 0.
        geo_reference: a PROJ string or WKT, "" where there is none. CARLA's lack the projection.
        offset: None where there is none.
    """

    rev_major: int = 1
    rev_minor: int = 0
    name: str = ""
    version: str = ""
    date: str = ""
    vendor: str = ""
    north: float = 0.0
    south: float = 0.0
    east: float = 0.0
    west: float = 0.0
    geo_reference: str = ""
    offset: GeoOffset | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StraightShape:
    """`<line>`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArcShape:
    """`<arc>`: of constant curvature, left positive [1/m]."""

    curvature: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SpiralShape:
    """`<spiral>`: an Euler spiral, whose curvature [1/m] changes linearly along it."""

    curv_start: float
    curv_end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Poly3Shape:
    """`<poly3>` (deprecated from 1.6 on): v = a + b u + c u² + d u³ in the frame (u, v) of its start [m]."""

    a: float
    b: float
    c: float
    d: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ParamPoly3Shape:
    """`<paramPoly3>`: u and v [m] of its start's frame as cubics in p.

    Attributes:
        p_range: p runs to the length of the geometry ("arcLength"), or to 1 ("normalized").
    """

    a_u: float
    b_u: float
    c_u: float
    d_u: float
    a_v: float
    b_v: float
    c_v: float
    d_v: float
    p_range: Annotated[str, OneOf(("arcLength", "normalized"))] = "normalized"


PlanShape = StraightShape | ArcShape | SpiralShape | Poly3Shape | ParamPoly3Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanGeometry:
    """`<geometry>` of the plan view.

    Attributes:
        s: where it starts along the road. x, y, hdg: of its start in map. length: along the curve, more than 0.
    """

    s: Distance
    x: float
    y: float
    hdg: float
    length: Distance
    shape: PlanShape


@dataclass(frozen=True, slots=True, kw_only=True)
class LateralShape:
    """`<shape>`: height over the road's plane from `t` on, at the cross section `s`."""

    s: Distance
    t: float
    a: float
    b: float
    c: float
    d: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrCrossfall:
    """`<crossfall>` (1.4 and 1.5): slope beside the reference line as a cubic of s [rad], positive falls outwards."""

    s: Distance
    a: float
    b: float
    c: float
    d: float
    side: Annotated[str, OneOf(("left", "right", "both"))] = "both"


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrSurfaceStrip:
    """`<strip>` of a cross section surface (1.8): a height over t that changes along the road.

    Attributes:
        id: 1 and 2 for the inner and the outer strip on the left, -1 and -2 for those on the right.
        mode: the outer strip's height counts from the inner one's edge ("relative"), or on its own.
        widths: of an inner strip [m]. constants, linears, quadratics, cubics: coefficients of the powers of t.
    """

    id: int
    mode: Annotated[str, OneOf(("relative", "independent"))] = "relative"
    widths: tuple[Cubic, ...] = ()
    constants: tuple[Cubic, ...] = ()
    linears: tuple[Cubic, ...] = ()
    quadratics: tuple[Cubic, ...] = ()
    cubics: tuple[Cubic, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrCrossSectionSurface:
    """`<crossSectionSurface>` (1.8): its strips, and how far all are shifted to the left."""

    t_offsets: tuple[Cubic, ...] = ()
    strips: tuple[OdrSurfaceStrip, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoadTypeRange:
    """`<type>` of a road.

    Attributes:
        s: from where on. max_speed: [m/s], None where there is no limit or nothing is said. country: ISO 3166-1.
    """

    s: Distance
    type: str
    country: str = ""
    max_speed: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrRoadLink:
    """`<predecessor>` or `<successor>` of a road.

    Attributes:
        contact_point: the end of the road that it leads to; "" for a junction.
        element_s, element_dir: where and which way it meets the main road of a virtual junction.
    """

    element_type: Annotated[str, OneOf(("road", "junction"))] = "road"
    element_id: str
    contact_point: Annotated[str, OneOf(("start", "end", ""))] = ""
    element_s: float | None = None
    element_dir: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrRoad:
    """`<road>`.

    Attributes:
        length: of the reference line in plan. junction: id of the junction that it is part of, "-1" for none.
        rule: "RHT" or "LHT", the side on which vehicles drive.
        geometries, lane_sections and all profiles: ordered by s. shapes: by s, then t.
    """

    id: str
    name: str = ""
    length: Distance
    junction: str = "-1"
    rule: Annotated[str, OneOf(("RHT", "LHT"))] = "RHT"
    predecessor: OdrRoadLink | None = None
    successor: OdrRoadLink | None = None
    types: tuple[RoadTypeRange, ...] = ()
    geometries: tuple[PlanGeometry, ...]
    elevations: tuple[Cubic, ...] = ()
    superelevations: tuple[Cubic, ...] = ()
    crossfalls: tuple[OdrCrossfall, ...] = ()
    shapes: tuple[LateralShape, ...] = ()
    cross_section_surface: OdrCrossSectionSurface | None = None
    lane_offsets: tuple[Cubic, ...] = ()
    lane_sections: tuple[OdrLaneSection, ...] = ()
    objects: tuple[OdrObject, ...] = ()
    object_references: tuple[OdrObjectReference, ...] = ()
    tunnels: tuple[OdrTunnel, ...] = ()
    bridges: tuple[OdrBridge, ...] = ()
    signals: tuple[OdrSignal, ...] = ()
    signal_references: tuple[OdrSignalReference, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDriveMap:
    """An OpenDRIVE file.

    Attributes:
        source: the file, as messages name it.
        unsupported: name to count of elements that are not read, such as "road/railroad".
        notices: what was left out or mended, for people.
    """

    source: str
    header: OdrHeader
    roads: tuple[OdrRoad, ...]
    junctions: tuple[OdrJunction, ...] = ()
    controllers: tuple[OdrController, ...] = ()
    unsupported: dict[str, int]
    notices: tuple[str, ...] = ()
