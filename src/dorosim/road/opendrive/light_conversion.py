"""Traffic lights of an OpenDRIVE file as those of the network (ASAM OpenDRIVE 1.8, 14).

A light counts at a place along a road, for one direction of driving. The links that it governs are those inside the
junction: of its road, where that is part of one, else of the roads that go on from its end. Programmes are made of the
junctions, as for every map that has none (`dorosim.road.derived_controller`): OpenDRIVE names groups of lights, and not
when they switch.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from dorosim.road.mgeo.record import Link, TrafficLightRecord
from dorosim.road.opendrive.lane_graph import LaneKey, is_drivable_type
from dorosim.road.opendrive.lane_line import RoadLines, is_driven_backwards
from dorosim.road.opendrive.object_record import LaneValidity
from dorosim.road.opendrive.record import OdrRoad, OpenDriveMap

_LIGHT_TYPES = frozenset({"1000001", "1000009", "1000010", "1000011", "1000012"})
"""Lights for vehicles of the standard's own catalogue (country "OpenDRIVE")."""

_LAMPS = ("red", "yellow", "straight")
_MAX_DISTANCE = 60.0
"""A light farther from the end of its road than this belongs to no junction [m]."""

_MIN_HEIGHT = 2.5
"""A head that the file puts lower is a post with the head on top [m]."""


def is_vehicle_light(signal_type: str, dynamic: bool) -> bool:
    """Whether a signal is a light for vehicles."""
    return dynamic and signal_type in _LIGHT_TYPES


def lights_of(
    town: OpenDriveMap, links: Mapping[str, Link], names: Mapping[LaneKey, str], notices: list[str]
) -> list[TrafficLightRecord]:
    """The lights for vehicles, with the links that they govern.

    Args:
        town: the file.
        links: of the map, by id, with their nodes.
        names: lane to the id of its link.
        notices: takes a line when lights govern nothing.
    """
    beginning: dict[str, list[Link]] = {}
    for link in links.values():
        beginning.setdefault(link.from_node_idx or "", []).append(link)
    counted = _counted_places(town)
    found: list[TrafficLightRecord] = []
    idle = 0
    for road in town.roads:
        for signal in road.signals:
            if not is_vehicle_light(signal.type, signal.dynamic):
                continue
            governed: dict[str, None] = {}
            for place, s, orientation, validities in counted[signal.id]:
                for link in _approaches(place, s, orientation, validities, links, names):
                    inside = [link] if link.related_signal else beginning.get(link.to_node_idx or "", [])
                    governed |= dict.fromkeys(one.idx for one in inside if one.related_signal)
            if not governed:
                idle += 1
                continue
            found.append(_record(road, signal.id, signal.s, signal.t, signal.orientation, list(governed)))
            head = found[-1]
            height = max(signal.z_offset + (signal.height or 0.0), _MIN_HEIGHT)
            head.point = (head.point[0], head.point[1], head.point[2] + height)
            head.z_offset = height
    if idle:
        notices.append(f"{town.source}: {idle} lights are not used, since they are at no junction")
    return found


def _counted_places(town: OpenDriveMap) -> dict[str, list[tuple[OdrRoad, float, str, Sequence[LaneValidity]]]]:
    """Signal id to the places where it counts: its own and those of references to it."""
    found: dict[str, list[tuple[OdrRoad, float, str, Sequence[LaneValidity]]]] = {}
    for road in town.roads:
        for signal in road.signals:
            found.setdefault(signal.id, []).append((road, signal.s, signal.orientation, signal.validities))
        for other in road.signal_references:
            found.setdefault(other.id, []).append((road, other.s, other.orientation, other.validities))
    return found


def _approaches(
    road: OdrRoad,
    s: float,
    orientation: str,
    validities: Sequence[LaneValidity],
    links: Mapping[str, Link],
    names: Mapping[LaneKey, str],
) -> list[Link]:
    """The links of a road, at the end to which a light leads, whose vehicles see it."""
    found: list[Link] = []
    for backwards in (False, True):
        if orientation == ("+" if backwards else "-") or not road.lane_sections:
            continue
        distance = s if backwards else road.length - s
        if distance > _MAX_DISTANCE and road.junction in ("", "-1"):
            continue
        section = 0 if backwards else len(road.lane_sections) - 1
        for lane in road.lane_sections[section].lanes:
            if not is_drivable_type(lane) or is_driven_backwards(road, lane) != backwards:
                continue
            if validities and not any(_holds(one, lane.id) for one in validities):
                continue
            link = links.get(names.get(LaneKey(road.id, section, lane.id), ""))
            if link is not None:
                found.append(link)
    return found


def _holds(validity: LaneValidity, lane: int) -> bool:
    """Whether a validity holds for a lane."""
    low, high = sorted((validity.from_lane, validity.to_lane))
    return low <= lane <= high


def _record(road: OdrRoad, idx: str, s: float, t: float, orientation: str, governed: list[str]) -> TrafficLightRecord:
    """A head at its foot on the road; it faces the vehicles that it counts for."""
    x, y, z, heading = RoadLines(road).place_at(s, t)
    facing = heading if orientation == "-" else heading + math.pi
    return TrafficLightRecord(
        idx=idx,
        point=(x, y, z),
        link_id_list=governed,
        road_id=road.id,
        type="car",
        sub_type=list(_LAMPS),
        orientation="vertical",
        height=1.0,
        width=0.4,
        heading=round(float(np.degrees(facing)) % 360.0, 3) % 360.0,
    )
