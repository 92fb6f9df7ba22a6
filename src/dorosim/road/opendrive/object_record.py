"""The records of objects beside and on roads (ASAM OpenDRIVE 1.8, 13); lengths in m, angles in rad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dorosim.road.opendrive.value import Distance


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneValidity:
    """`<validity>`: the lanes for which an object or signal counts, by id, both included."""

    from_lane: int
    to_lane: int


def holds_for_lane(validities: Sequence[LaneValidity], lane: int) -> bool:
    """Whether something holds for a lane: none is all of them."""
    return not validities or any(
        min(one.from_lane, one.to_lane) <= lane <= max(one.from_lane, one.to_lane) for one in validities
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineCorner:
    """`<cornerRoad>` or `<cornerLocal>`.

    Attributes:
        local: `first`, `second` are u, v of the object's frame, else s, t of the road.
        z: of its foot: over the object's foot (`local`) or over the road. height: of what stands there.
    """

    local: bool
    first: float
    second: float
    z: float
    height: float
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrOutline:
    """`<outline>`.

    Attributes:
        closed: an area; else a line. outer: of the object itself; else of a hole or part.
    """

    id: str = ""
    fill_type: str = ""
    lane_type: str = ""
    outer: bool = True
    closed: bool = True
    corners: tuple[OutlineCorner, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectRepeat:
    """`<repeat>`: copies from `s` on, `distance` apart; 0 is one body without gaps.

    Fields that are None are those of the object itself.
    """

    s: Distance
    length: Distance
    distance: Distance
    t_start: float | None = None
    t_end: float | None = None
    height_start: float | None = None
    height_end: float | None = None
    z_offset_start: float | None = None
    z_offset_end: float | None = None
    width_start: float | None = None
    width_end: float | None = None
    length_start: float | None = None
    length_end: float | None = None
    radius_start: float | None = None
    radius_end: float | None = None
    detach_from_reference_line: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectMarking:
    """`<marking>`: paint on a side of the object's box, or from corner to corner of its outline."""

    side: str = ""
    color: str = "standard"
    weight: str = "standard"
    width: float | None = None
    z_offset: float = 0.0
    line_length: Distance = 0.0
    space_length: Distance = 0.0
    start_offset: float = 0.0
    stop_offset: float = 0.0
    corner_references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectBorder:
    """`<border>`: a frame of some width along an outline."""

    width: Distance
    type: str = ""
    outline_id: str = ""
    use_complete_outline: bool = True
    corner_references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectParkingSpace:
    """`<parkingSpace>`."""

    access: str = ""
    restrictions: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrObject:
    """`<object>`.

    Attributes:
        s, t, z_offset: of its origin, along the road. hdg, pitch, roll: of its frame to that of the road.
        orientation: "+", "-" or "none": for which direction of driving it counts.
        length, width, height, radius: None where the file does not say.
    """

    id: str = ""
    type: str = ""
    subtype: str = ""
    name: str = ""
    s: float
    t: float
    z_offset: float = 0.0
    hdg: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0
    height: float | None = None
    length: float | None = None
    width: float | None = None
    radius: float | None = None
    orientation: str = "none"
    dynamic: bool = False
    perp_to_road: bool = False
    valid_length: float = 0.0
    outlines: tuple[OdrOutline, ...] = ()
    repeats: tuple[ObjectRepeat, ...] = ()
    markings: tuple[ObjectMarking, ...] = ()
    borders: tuple[ObjectBorder, ...] = ()
    validities: tuple[LaneValidity, ...] = ()
    parking_space: ObjectParkingSpace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrObjectReference:
    """`<objectReference>`: an object of another road that counts for this one too."""

    id: str
    s: float
    t: float
    z_offset: float = 0.0
    valid_length: float = 0.0
    orientation: str = "none"
    validities: tuple[LaneValidity, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrTunnel:
    """`<tunnel>`: lighting and daylight are shares of 0 to 1."""

    id: str
    s: Distance
    length: Distance
    name: str = ""
    type: str = "standard"
    lighting: float | None = None
    daylight: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OdrBridge:
    """`<bridge>`."""

    id: str
    s: Distance
    length: Distance
    name: str = ""
    type: str = ""
