"""Objects beside the roads of an OpenDRIVE file as scenery, and parking spaces (ASAM OpenDRIVE 1.8, 13).

An outline that fills its rectangle is a box; any other is a wall along each of its edges. A repeat without gaps is a
wall along the road. What has no height stands for paint or a place, and is no solid.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.mgeo.record import MGeoMap, ParkingSpace
from dorosim.road.opendrive.crosswalk_conversion import is_crosswalk
from dorosim.road.opendrive.lane_line import RoadLines
from dorosim.road.opendrive.object_record import OdrObject
from dorosim.road.opendrive.object_repeat import WallPiece, copies_of, rectangle_around, wall_pieces
from dorosim.road.opendrive.object_shape import box_of, frames_of, outer_outlines, outline_of
from dorosim.road.opendrive.record import OdrRoad, OpenDriveMap
from dorosim.road.opendrive.sign_conversion import is_stop_line
from dorosim.road.scenery.roadside_object import RoadsideKind, RoadsideObject, RoadsideSurface

_KINDS = {
    **dict.fromkeys(("building",), (RoadsideKind.BUILDING, RoadsideSurface.PLASTER)),
    **dict.fromkeys(("tree",), (RoadsideKind.TREE, RoadsideSurface.HEDGE)),
    **dict.fromkeys(("vegetation",), (RoadsideKind.BLOCK, RoadsideSurface.HEDGE)),
    **dict.fromkeys(("pole", "guide-post", "rail-pole", "reflector"), (RoadsideKind.POLE, RoadsideSurface.METAL)),
    **dict.fromkeys(("streetlamp",), (RoadsideKind.STREET_LAMP, RoadsideSurface.METAL)),
    **dict.fromkeys(("railing", "guardrail", "fence"), (RoadsideKind.WALL, RoadsideSurface.METAL)),
    **dict.fromkeys(("barrier", "soundbarrier", "wall"), (RoadsideKind.WALL, RoadsideSurface.CONCRETE)),
}
"""Type of an object in lower case to what it is; all others that are solid are blocks."""

_NO_SOLIDS = frozenset(
    {"roadmark", "roadsurface", "patch", "parkingspace", "crosswalk", "trafficisland", "wind", "roundabout"}
)
"""Types of what vehicles drive over or around, or what cannot be touched, in lower case."""

_USUAL = {  # length or diameter, width, height
    RoadsideKind.TREE: (0.3, 0.3, 6.0),
    RoadsideKind.POLE: (0.1, 0.1, 1.0),
    RoadsideKind.STREET_LAMP: (0.2, 0.2, 8.0),
}
"""Extents of what needs none in the file [m]."""

_WALL_WIDTH, _WALL_HEIGHT = 0.2, 0.8
"""Of a wall about which the file says nothing [m]."""

_MIN_SOLID_HEIGHT = 0.1
"""What is not higher than this is no solid [m]."""

_RECTANGLE = 0.97
"""An outline that fills so much of its rectangle is taken for one."""

_SLIM = 4.0
"""A box so many times as long as it is wide is a wall."""

MAX_ROADSIDE_BODIES = 50_000
"""Beyond so many bodies the rest of a file is not used."""


def add_objects(m: MGeoMap, town: OpenDriveMap, lines_of: Callable[[OdrRoad], RoadLines]) -> None:
    """Add the objects beside the roads of a file to a map; its notices count what cannot be used.

    Args:
        m: the map, which is changed.
        town: the file.
        lines_of: the analytic lines of a road.
    """
    unused: Counter[str] = Counter()
    room = MAX_ROADSIDE_BODIES
    for road in town.roads:
        for one in road.objects:
            if is_crosswalk(one) or is_stop_line(one):
                continue
            if one.parking_space is not None or one.type.lower() == "parkingspace":
                copies = list(islice(copies_of(one, road), room))
                room -= len(copies)
                m.parking_spaces += _parking_spaces(lines_of(road), road, copies)
                continue
            found: list[RoadsideObject] = []
            if one.type.lower() not in _NO_SOLIDS:
                copies, pieces = list(islice(copies_of(one, road), room)), list(islice(wall_pieces(one, road), room))
                found = [*_walls(lines_of(road), one, pieces), *_solids(lines_of(road), one, copies)]
                room -= max(len(copies) + len(pieces), len(found))
            m.roadside_objects += found
            if not found:
                unused[one.type or "none"] += 1
    m.notices += [f"{town.source}: {count} objects of type {kind} are not used" for kind, count in unused.items()]


def _kind_of(one: OdrObject) -> tuple[RoadsideKind, RoadsideSurface]:
    """What an object is, and of what it is made."""
    return _KINDS.get(one.type.lower(), (RoadsideKind.BLOCK, RoadsideSurface.WOOD))


def _walls(lines: RoadLines, one: OdrObject, pieces: Sequence[WallPiece]) -> Iterator[RoadsideObject]:
    """The walls that the pieces of an object are."""
    if not pieces:
        return
    ends = np.array([(piece.start, piece.end) for piece in pieces]).reshape(-1, 3)
    points = lines.places_at(ends[:, 0], ends[:, 1])[:, :3]
    points[:, 2] += ends[:, 2]
    for row, piece in enumerate(pieces):
        height, width = piece.height or _WALL_HEIGHT, piece.width or _WALL_WIDTH
        if height > _MIN_SOLID_HEIGHT:
            offset = 0.5 * (piece.start[2] + piece.end[2])
            yield _wall(_name_of(one), points[2 * row : 2 * row + 2], offset, width, height, _kind_of(one)[1])


def _name_of(one: OdrObject) -> str:
    """By what an object is known."""
    return one.id or one.name or one.type


def _solids(lines: RoadLines, one: OdrObject, copies: Sequence[OdrObject]) -> Iterator[RoadsideObject]:
    """What stands there of the copies of an object: one body each, or several."""
    (kind, surface), name = _kind_of(one), _name_of(one)
    for copy, frame in zip(copies, frames_of(lines, copies), strict=True):
        outlines = outer_outlines(copy)
        if outlines:
            for outline in outlines:
                corners, heights = outline_of(lines, frame, outline)
                yield from _outlined(name, corners, heights, copy, kind, surface)
            continue
        size = _size_of(copy, kind)
        if size is None or size[2] <= _MIN_SOLID_HEIGHT:
            continue
        length, width, height = size
        heading = frame.heading
        if kind is RoadsideKind.STREET_LAMP:
            heading = frame.heading - copy.hdg + (math.pi if copy.t > 0.0 else 0.0) + 0.5 * math.pi
        yield RoadsideObject(
            idx=name,
            kind=_kind_of_box(kind, length, width),
            point=(frame.x, frame.y, frame.z),
            offset=copy.z_offset,
            heading=heading,
            length=length,
            width=width,
            height=height,
            surface=surface,
        )


def _size_of(one: OdrObject, kind: RoadsideKind) -> tuple[float, float, float] | None:
    """Length, width and height of an object [m]; None where they are not known."""
    length, width, height = one.length or 0.0, one.width or 0.0, one.height or 0.0
    if one.radius:
        length = width = 2.0 * one.radius
    if kind in _USUAL:
        usual = _USUAL[kind]
        side = max(length, width) or usual[0]
        return (side, side, height or usual[2])
    if kind is RoadsideKind.WALL and length > 0.0:
        return (length, width or _WALL_WIDTH, height or _WALL_HEIGHT)
    return (length, width, height) if min(length, width, height) > 0.0 else None


def _kind_of_box(kind: RoadsideKind, length: float, width: float) -> RoadsideKind:
    """Whether a box is a wall or a block, where it is one of them."""
    if kind in (RoadsideKind.WALL, RoadsideKind.BLOCK):
        return RoadsideKind.WALL if length > _SLIM * width else RoadsideKind.BLOCK
    return kind


def _outlined(
    name: str, corners: FloatArray, heights: FloatArray, one: OdrObject, kind: RoadsideKind, surface: RoadsideSurface
) -> Iterator[RoadsideObject]:
    """The bodies of an outline: a box where it is about a rectangle, else a wall along each edge."""
    tall = np.where(heights > 0.0, heights, one.height or 0.0)
    if len(corners) < 3 or tall.max() <= _MIN_SOLID_HEIGHT:
        return
    middle, heading, length, width, share = rectangle_around(corners[:, :2])
    level = np.ptp(corners[:, 2]) < 0.5 and np.ptp(tall) < 0.5
    if share > _RECTANGLE and level and kind is not RoadsideKind.POLE:
        base = float(corners[:, 2].min())
        yield RoadsideObject(
            idx=name,
            kind=RoadsideKind.BUILDING if kind is RoadsideKind.BUILDING else RoadsideKind.BLOCK,
            point=(float(middle[0]), float(middle[1]), base),
            offset=one.z_offset,
            heading=heading,
            length=length,
            width=width,
            height=float((corners[:, 2] + tall).max()) - base,
            surface=surface,
        )
        return
    for row in range(len(corners)):
        after = (row + 1) % len(corners)
        height = 0.5 * float(tall[row] + tall[after])
        if height > _MIN_SOLID_HEIGHT:
            yield _wall(name, corners[[row, after]], one.z_offset, _WALL_WIDTH, height, surface)


def _wall(
    name: str, ends: FloatArray, offset: float, width: float, height: float, surface: RoadsideSurface
) -> RoadsideObject:
    """A wall between two ends `(2, 3)` at its base, in map [m]."""
    way = ends[1] - ends[0]
    x, y, z = ends.mean(axis=0).tolist()
    return RoadsideObject(
        idx=name,
        kind=RoadsideKind.WALL,
        point=(x, y, z),
        offset=offset,
        heading=math.atan2(way[1], way[0]),
        length=max(math.hypot(way[0], way[1]), 0.01),
        width=width,
        height=height,
        rise=float(way[2]),
        surface=surface,
    )


def _parking_spaces(lines: RoadLines, road: OdrRoad, copies: Sequence[OdrObject]) -> Iterator[ParkingSpace]:
    """The bays of the copies of an object: by outlines, else by boxes."""
    for number, (copy, frame) in enumerate(zip(copies, frames_of(lines, copies), strict=True)):
        rings = [outline_of(lines, frame, each)[0] for each in outer_outlines(copy)]
        if not rings and copy.length and copy.width:
            rings = [box_of(frame, copy.length, copy.width)]
        for ring in rings:
            x, y, z = ring.mean(axis=0).tolist()
            name = f"parking space {copy.id or road.id}" + (f".{number}" if number else "")
            yield ParkingSpace(
                idx=name,
                points=np.vstack((ring, ring[:1])),
                center_point=(x, y, z),
                width=copy.width or 0.0,
                length=copy.length or 0.0,
                angle=math.degrees(copy.hdg),
            )
