"""Lights, signs, stop lines and areas of a file that dorosim wrote, as the records that they were.

Where they stand, which lanes they count for and which controller switches them is read of the file in the standard's
own words; ids, lamps and programmes are of the user data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dorosim.ground.unit import DEGREE
from dorosim.road.adjacency import FloatArray
from dorosim.road.mgeo.record import (
    IntersectionController,
    IntersectionProgramme,
    ParkingSpace,
    SignalStateRecord,
    SurfaceMarking,
    TrafficLightRecord,
    TrafficSign,
)
from dorosim.road.opendrive.lane_graph import LaneKey
from dorosim.road.opendrive.object_record import OdrObject, holds_for_lane
from dorosim.road.opendrive.own_data import (
    AREA_FIELDS,
    BAY,
    CONTROLLER,
    GROUP,
    LIGHT,
    LIGHT_FIELDS,
    PAINTING,
    PROGRAMME,
    RECORD,
    SIGN,
    SIGN_FIELDS,
    STOP,
    fill,
    json_of,
    number_of,
    row_of,
)
from dorosim.road.opendrive.record import OdrRoad
from dorosim.road.opendrive.signal_place import SignalPlaces
from dorosim.road.opendrive.signal_record import OdrController, OdrSignal

_BEFORE_END = 0.003
"""A stop line at the end of a link is drawn so far before it [m], so that it crosses that link."""

_MAX_STATES, _MAX_DIGITS = 1000, 3
"""States of a programme, and digits of the number of a controller's groups; more are a mistake."""


def is_kept(one: OdrSignal) -> bool:
    """Whether dorosim wrote a signal."""
    return bool({LIGHT, SIGN, STOP} & one.user_data.keys())


def kept_lights(places: SignalPlaces) -> dict[str, TrafficLightRecord]:
    """The lights of dorosim, in the order in which it had them, by the ids of their signals."""
    found: list[tuple[int, str, TrafficLightRecord]] = []
    taken: set[str] = set()
    for road in places.town.roads:
        for signal in road.signals:
            name = signal.user_data.get(LIGHT)
            if name is None:
                continue
            x, y, z, facing = _stand(places, road, signal)
            if not name or name in taken:
                name = places.name_of(road, signal)
            taken.add(name)
            light = TrafficLightRecord(
                idx=name, point=(x, y, z), link_id_list=_governed(places, road, signal), road_id=road.id, heading=facing
            )
            fill(light, signal.user_data.get(RECORD, ""), LIGHT_FIELDS)
            light.dynamic = True
            found.append((row_of(signal.user_data, len(found)), signal.id, light))
    found.sort(key=lambda one: one[0])
    return {signal: light for _, signal, light in found}


def _stand(places: SignalPlaces, road: OdrRoad, signal: OdrSignal) -> tuple[float, float, float, float]:
    """Where a signal stands: x, y, z in map [m], and the way it faces [deg], 0 to 360."""
    stand = places.stand_of(road, signal)
    return stand.x, stand.y, stand.z, (stand.facing / DEGREE.factor) % 360.0


def _governed(places: SignalPlaces, road: OdrRoad, signal: OdrSignal) -> list[str]:
    """The links that a light of dorosim governs: those of the lanes that it names, at its place and at references."""
    return [
        name
        for place in places.counted(road, signal)
        if place.validities and place.road.lane_sections
        for lane in place.road.lane_sections[0].lanes
        if holds_for_lane(place.validities, lane.id)
        and (name := places.names.get(LaneKey(place.road.id, 0, lane.id))) is not None
    ]


def kept_controllers(
    controllers: tuple[OdrController, ...], lights: Mapping[str, TrafficLightRecord]
) -> tuple[list[IntersectionController], list[IntersectionProgramme]]:
    """The controllers of dorosim, in its order, and their programmes.

    Args:
        controllers: of the file.
        lights: of dorosim, by the ids of their signals.
    """
    found: dict[str, tuple[int, IntersectionController, IntersectionProgramme]] = {}
    for one in controllers:
        name = one.user_data.get(CONTROLLER)
        place = one.user_data.get(GROUP, "").split()
        if not name or len(place) != 2 or not all(part.isdecimal() and len(part) <= _MAX_DIGITS for part in place):
            continue
        group, count = map(int, place)
        if name not in found:
            controller = IntersectionController(idx=name, TL=[[] for _ in range(count)])
            programme = _programme(name, json_of(one.user_data.get(PROGRAMME, "")))
            found[name] = (row_of(one.user_data, len(found)), controller, programme)
        groups = found[name][1].TL
        if group < len(groups):
            groups[group] += [lights[each.signal_id].idx for each in one.signals if each.signal_id in lights]
    ordered = sorted(found.values(), key=lambda each: each[0])
    return [one for _, one, _ in ordered], [one for _, _, one in ordered if one.TLState]


def _programme(name: str, data: Any) -> IntersectionProgramme:
    """The programme in a controller's data; one without states where there is none."""
    found = IntersectionProgramme(idx=name)
    states = data.get("states") if isinstance(data, dict) else None
    for state in states[:_MAX_STATES] if isinstance(states, list) else ():
        if not isinstance(state, list) or len(state) != 3 or not isinstance(state[2], list):
            return IntersectionProgramme(idx=name)
        duration, yellow = (max(number_of(one), 0.0) for one in state[:2])
        found.TLState.append(SignalStateRecord(duration=duration, lightcolor=[str(colour) for colour in state[2]]))
        found.yelloduration.append(yellow)
    phases = data.get("pedestrian") if isinstance(data, dict) else None
    for row in phases[:_MAX_STATES] if isinstance(phases, list) else ():
        if isinstance(row, list) and len(row) == 5:
            found.PSState.append([max(number_of(one), 0.0) for one in row])
    return found


def kept_sign(places: SignalPlaces, road: OdrRoad, signal: OdrSignal) -> TrafficSign:
    """A sign of dorosim."""
    x, y, z, facing = _stand(places, road, signal)
    name = signal.user_data[SIGN] or places.name_of(road, signal)
    found = TrafficSign(idx=name, point=(x, y, z), road_id=road.id, heading=facing)
    fill(found, signal.user_data.get(RECORD, ""), SIGN_FIELDS)
    return found


def kept_stop_line(places: SignalPlaces, road: OdrRoad, signal: OdrSignal) -> Iterator[FloatArray]:
    """The stop line of dorosim across each lane for which it counts `(2, 3)`, in map [m]."""
    share = number_of(json_of(signal.user_data[STOP]), 1.0)
    for lane in road.lane_sections[0].lanes if road.lane_sections else ():
        link = places.links.get(places.names.get(LaneKey(road.id, 0, lane.id), ""))
        if link is None or link.sides is None or not holds_for_lane(signal.validities, lane.id):
            continue
        arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(link.points, axis=0), axis=1))])
        at = min(max(share, 0.0) * arc[-1], arc[-1] - _BEFORE_END)
        row = min(int(np.searchsorted(arc, at, side="right")) - 1, len(arc) - 2)
        way = link.points[row + 1] - link.points[row]
        point = link.points[row] + way * ((at - arc[row]) / max(float(arc[row + 1] - arc[row]), 1e-9))
        aside = np.array([-way[1], way[0], 0.0]) / max(float(np.hypot(way[0], way[1])), 1e-9)
        left, right = (np.interp(at, arc, room) for room in link.sides.T)
        yield np.array([point + left * aside, point - right * aside])


def kept_area(one: OdrObject, corners: FloatArray) -> SurfaceMarking | ParkingSpace | None:
    """The painting or parking space of dorosim that an object is; None where it is neither.

    Args:
        one: the object.
        corners: `(N, 3)` of its outline in map [m].
    """
    ring = np.vstack((corners, corners[:1]))
    data = one.user_data
    found: SurfaceMarking | ParkingSpace
    if PAINTING in data:
        found = SurfaceMarking(idx=data[PAINTING], points=ring)
    elif BAY in data:
        x, y, z = corners.mean(axis=0).tolist()
        found = ParkingSpace(idx=data[BAY], points=ring, center_point=(x, y, z))
    else:
        return None
    fill(found, data.get(RECORD, ""), AREA_FIELDS)
    return found
