"""Crosswalks, parking spaces and paint on the road as objects of roads (ASAM OpenDRIVE 1.8, 13)."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.crosswalk import MARKING_TYPE
from dorosim.road.lane_network import RoadNetwork
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.opendrive.export.road_place import RoadPlaces
from dorosim.road.opendrive.object_record import ObjectParkingSpace, OdrObject, OdrOutline, OutlineCorner


def objects_of_map(m: MGeoMap, network: RoadNetwork, places: RoadPlaces) -> dict[int, list[OdrObject]]:
    """The objects of a map, by the number of the road nearest to each.

    Args:
        m: the map.
        network: of it.
        places: finds places on its roads.
    """
    found: defaultdict[int, list[OdrObject]] = defaultdict(list)
    areas = [(network.crosswalks.ids[area], network.crosswalks.of(area)) for area in range(len(network.crosswalks))]
    paint = [one for one in m.surface_markings if one.type != MARKING_TYPE]
    outlines = [
        *(("crosswalk", "", name, corners) for name, corners in areas),
        *(("parkingSpace", "", one.idx, one.points) for one in m.parking_spaces),
        *(("roadMark", one.sub_type, one.idx, one.points) for one in paint),
    ]
    number = 0
    for kind, subtype, name, corners in outlines:
        if len(corners) >= 3:
            road, made = _area(str(number), kind, subtype, name, np.asarray(corners), places)
            found[road].append(made)
            number += 1
    return dict(found)


def _area(
    number: str, kind: str, subtype: str, name: str, corners: FloatArray, places: RoadPlaces
) -> tuple[int, OdrObject]:
    """An object with an outline, and the number of its road.

    The object's frame has the directions of the map, so that corners are the map's own but for their origin.

    Args:
        number: the object's id.
        kind: its type.
        subtype: its subtype.
        name: its name.
        corners: `(N, 3)` in map [m].
        places: finds its road.
    """
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
        type=kind,
        subtype=subtype,
        name=name,
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
        parking_space=ObjectParkingSpace(access="all") if kind == "parkingSpace" else None,
    )
