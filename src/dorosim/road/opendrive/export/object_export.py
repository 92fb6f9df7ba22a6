"""Crosswalks, parking spaces and paint on the road as objects of roads (ASAM OpenDRIVE 1.8, 13)."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.crosswalk import MARKING_TYPE
from dorosim.road.lane_network import RoadNetwork
from dorosim.road.mgeo.record import MGeoMap, ParkingSpace, SurfaceMarking
from dorosim.road.opendrive.export.road_place import RoadPlaces
from dorosim.road.opendrive.object_record import ObjectParkingSpace, OdrObject, OdrOutline, OutlineCorner
from dorosim.road.opendrive.own_data import AREA, AREA_FIELDS, BAY, LIGHTS, PAINTING, RECORD, names_text, record_text


def objects_of_map(m: MGeoMap, network: RoadNetwork, places: RoadPlaces) -> dict[int, list[OdrObject]]:
    """The objects of a map, by the number of the road nearest to each.

    Args:
        m: the map.
        network: of it.
        places: finds places on its roads.
    """
    found: defaultdict[int, list[OdrObject]] = defaultdict(list)
    crosswalks, lights = network.crosswalks, network.signals.lights
    paint = [one for one in m.surface_markings if one.type != MARKING_TYPE]
    outlines = [
        *(
            _Outline(
                "crosswalk", "", crosswalks.ids[area], crosswalks.of(area), {AREA: crosswalks.ids[area], LIGHTS: own}
            )
            for area in range(len(crosswalks))
            for own in (names_text([lights[light].id for light in crosswalks.lights.of(area).tolist()]),)
        ),
        *(_Outline("parkingSpace", "", one.idx, one.points, _data(BAY, one)) for one in m.parking_spaces),
        *(_Outline("roadMark", one.sub_type, one.idx, one.points, _data(PAINTING, one)) for one in paint),
    ]
    for number, one in enumerate(one for one in outlines if len(one.corners) >= 3):
        road, made = _area(str(number), one, places)
        found[road].append(made)
    return dict(found)


def _data(code: str, one: ParkingSpace | SurfaceMarking) -> dict[str, str]:
    """What dorosim knows of a parking space or a painting."""
    return {code: one.idx, RECORD: record_text(one, AREA_FIELDS)}


class _Outline(NamedTuple):
    """An area: type, subtype and name of its object, corners `(N, 3)` in map [m], and what dorosim knows of it."""

    kind: str
    subtype: str
    name: str
    corners: FloatArray
    user_data: dict[str, str]


def _area(number: str, one: _Outline, places: RoadPlaces) -> tuple[int, OdrObject]:
    """An object with an outline, and the number of its road.

    The object's frame has the directions of the map, so that corners are the map's own but for their origin.

    Args:
        number: the object's id.
        one: its outline.
        places: finds its road.
    """
    corners = np.asarray(one.corners)
    if math.dist(corners[0], corners[-1]) < 1e-6:
        corners = corners[:-1]
    middle = corners.mean(axis=0)
    place = places.nearest(middle)
    origin = np.array([*places.point_of(place), 0.0])
    origin[:2] += place.t * np.array([-math.sin(place.heading), math.cos(place.heading)])
    local = corners - origin
    spread = np.ptp(corners, axis=0)
    return place.road, OdrObject(
        id=number,
        type=one.kind,
        subtype=one.subtype,
        name=one.name,
        s=place.s,
        t=place.t,
        z_offset=float(middle[2]) - place.height,
        hdg=math.remainder(-place.heading, math.tau),
        length=float(spread[0]),
        width=float(spread[1]),
        height=0.0,
        outlines=(
            OdrOutline(
                id="0",
                outer=True,
                closed=True,
                corners=tuple(
                    OutlineCorner(local=True, first=u, second=v, z=z - float(middle[2]), height=0.0, id=str(corner))
                    for corner, (u, v, z) in enumerate(local.tolist())
                ),
            ),
        ),
        parking_space=ObjectParkingSpace(access="all") if one.kind == "parkingSpace" else None,
        user_data=one.user_data,
    )
