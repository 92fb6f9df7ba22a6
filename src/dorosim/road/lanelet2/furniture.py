"""Crosswalks, signs and parking spaces of a Lanelet2 file as those of the network."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from dorosim.road.lanelet2.element import OsmFile
from dorosim.road.lanelet2.lanelet import DirectedLanelet, LaneletReader
from dorosim.road.lanelet2.light_conversion import crosswalk_name
from dorosim.road.lanelet2.regulation import Regulation
from dorosim.road.mgeo.record import MGeoMap, ParkingSpace, SingleCrosswalk, TrafficSign

SIGN_TAG, SPACE_TAG = "dorosim:sign", "dorosim:parking_space"
"""Tags of ways with the ids of the sign and of the parking space that they were made of."""

_MAX_SPACE_WIDTH = 30.0


def add_crosswalks(m: MGeoMap, file: OsmFile, reader: LaneletReader) -> None:
    """Enter the lanelets that are crosswalks, as areas."""
    for lanelet in file.relations.values():
        if lanelet.tags.get("type") == "lanelet" and lanelet.tags.get("subtype") == "crosswalk":
            ring = reader.ring(lanelet)
            if len(ring) > 2:
                m.single_crosswalks.append(SingleCrosswalk(idx=crosswalk_name(lanelet), points=ring))


def add_signs(
    m: MGeoMap, file: OsmFile, reader: LaneletReader, regulation: Regulation, lanes: Sequence[DirectedLanelet]
) -> None:
    """Enter the ways that are signs, with the links of the lanelets that name them."""
    names: dict[int, list[str]] = defaultdict(list)
    for lane in lanes:
        names[lane.relation.id].append(lane.name)
    links: dict[int, dict[str, None]] = defaultdict(dict)
    for element in regulation.of_kind("traffic_sign", "speed_limit", "right_of_way", "all_way_stop"):
        for sign in element.ids("refers"):
            for lanelet in regulation.lanelets_of.get(element.id, ()):
                links[sign] |= dict.fromkeys(names.get(lanelet, ()))
    for way in file.ways.values():
        if way.tags.get("type") != "traffic_sign" or not way.nodes:
            continue
        line = reader.line(way.id)
        x, y, z = line.mean(axis=0).tolist()
        across = (line[-1] - line[0])[:2]
        record = TrafficSign(
            idx=way.tags.get(SIGN_TAG) or str(way.id),
            point=(x, y, z),
            link_id_list=list(links.get(way.id, ())),
            type=way.tags.get("dorosim:type", "1"),
            sub_type=[way.tags.get("subtype", "")],
            dynamic=False,
            value=way.tags.get("dorosim:value", ""),
            width=float(np.hypot(*across)),
        )
        if across.any():
            record.heading = round(float(np.degrees(np.arctan2(-across[0], across[1]))) % 360.0, 6) % 360.0
        m.traffic_signs.append(record)


def add_parking_spaces(m: MGeoMap, file: OsmFile, reader: LaneletReader) -> None:
    """Enter Autoware's parking spaces: a line along the middle, and a width."""
    for way in file.ways.values():
        if way.tags.get("type") != "parking_space" or len(way.nodes) < 2:
            continue
        line = reader.line(way.id)[[0, -1]]
        along = (line[1] - line[0])[:2]
        length = float(np.hypot(*along))
        try:
            width = float(way.tags.get("width", ""))
        except ValueError:
            width = 0.0
        if not (0.0 < width <= _MAX_SPACE_WIDTH) or length < 1e-3:
            continue
        aside = np.array([-along[1], along[0], 0.0]) / length * width / 2.0
        x, y, z = line.mean(axis=0).tolist()
        m.parking_spaces.append(
            ParkingSpace(
                idx=way.tags.get(SPACE_TAG) or str(way.id),
                points=np.array([line[0] + aside, line[0] - aside, line[1] - aside, line[1] + aside]),
                center_point=(x, y, z),
                width=width,
                length=length,
                angle=float(np.degrees(np.arctan2(along[1], along[0]))) % 360.0,
            )
        )
