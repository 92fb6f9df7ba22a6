"""Crosswalks of OpenDRIVE as those of the network: areas, with the lights for people that stand at them.

A crosswalk is an object of that type with an outline or a box (ASAM OpenDRIVE 1.8, 13), a painted signal 1000003 with
a place along the road, whose value is its extent along the road and whose width is that across it, or a road along
which people cross others (12.5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.crosswalk import CROSSWALK_WIDTH
from dorosim.road.mgeo.record import Crosswalk, MGeoMap, SingleCrosswalk, TrafficLightRecord
from dorosim.road.opendrive.junction_record import CrossPath
from dorosim.road.opendrive.lane_line import RoadLines
from dorosim.road.opendrive.object_record import OdrObject
from dorosim.road.opendrive.object_shape import ObjectFrame, box_of, frame_of, outer_outlines, outline_of
from dorosim.road.opendrive.record import OdrRoad, OpenDriveMap
from dorosim.road.opendrive.signal_kind import SignalKind, kind_of
from dorosim.road.opendrive.signal_record import OdrSignal

_TYPE = "crosswalk"
_NEAR = 6.0
"""A light for people belongs to the nearest crosswalk within this [m]."""

_MIN_EXTENT = 0.5
"""A crosswalk that is narrower than this in its second direction is a line [m]."""


def is_crosswalk(one: OdrObject) -> bool:
    """Whether an object is a crosswalk."""
    return one.type.lower() == _TYPE


def add_crosswalks(
    m: MGeoMap, town: OpenDriveMap, lines_of: Callable[[OdrRoad], RoadLines], belongs: dict[str, list[str]]
) -> None:
    """Add the crosswalks of a file to a map, and name that of each light for people in `m.traffic_lights`.

    Args:
        m: the map, which is changed.
        town: the file.
        lines_of: the analytic lines of a road.
        belongs: id of a signal to those of objects and signals that the file says it belongs to.
    """
    areas: dict[str, FloatArray] = {}
    of_object = _add_areas_of_roads(areas, town, lines_of)
    roads = {road.id: road for road in town.roads}
    for junction in town.junctions:
        for path in junction.cross_paths:
            name = _free_name(areas, f"crosswalk {path.id or path.crossing_road} of junction {junction.id}")
            areas[name] = _crossed_area(roads, path, lines_of)
    unclear = [name for name, corners in areas.items() if not _is_wide(corners)]
    for name in unclear:
        del areas[name]
    if unclear:
        m.notices.append(f"{town.source}: {len(unclear)} crosswalks have no extent and are not used")
    m.single_crosswalks = [
        SingleCrosswalk(idx=name, points=np.vstack((corners, corners[:1])), ref_crosswalk_id=name)
        for name, corners in areas.items()
    ]
    lights: dict[str, list[str]] = {name: [] for name in areas}
    for light in m.traffic_lights:
        if light.type == "pedestrian":
            named = [of_object[other] for other in belongs.get(light.idx, ()) if of_object.get(other) in areas]
            name = named[0] if named else _nearest(light, areas)
            if name:
                light.ref_crosswalk_id = name
                lights[name].append(light.idx)
    m.crosswalks = [
        Crosswalk(idx=name, single_crosswalk_list=[name], ref_traffic_light_list=lights[name]) for name in areas
    ]


def _add_areas_of_roads(
    areas: dict[str, FloatArray], town: OpenDriveMap, lines_of: Callable[[OdrRoad], RoadLines]
) -> dict[str, str]:
    """Add the corners of the crosswalks that are objects or signals; id of these to the name of the area."""
    names: dict[str, str] = {}
    for road in town.roads:
        for one in filter(is_crosswalk, road.objects):
            for number, corners in enumerate(_areas_of(lines_of(road), one)):
                name = _free_name(areas, f"crosswalk {one.id or road.id}" + (f".{number}" if number else ""))
                areas[name] = corners
                names.setdefault(one.id, name)
        for signal in road.signals:
            if kind_of(signal) is SignalKind.CROSSWALK:
                name = _free_name(areas, f"crosswalk {signal.id}")
                areas[name] = _painted_area(lines_of(road), road, signal)
                names.setdefault(signal.id, name)
    return names


def _free_name(taken: dict[str, FloatArray], name: str) -> str:
    """A name that no other area has."""
    number, found = 1, name
    while found in taken:
        number, found = number + 1, f"{name} ({number})"
    return found


def _areas_of(lines: RoadLines, one: OdrObject) -> list[FloatArray]:
    """The corners `(N, 3)` of the areas of an object in map [m]."""
    frame = frame_of(lines, one)
    outlines = outer_outlines(one)
    if outlines:
        return [outline_of(lines, frame, each)[0] for each in outlines]
    return [box_of(frame, one.length or 0.0, one.width or 0.0)]


def _is_wide(corners: FloatArray) -> bool:
    """Whether corners `(N, 3)` span an area."""
    if len(corners) < 3:
        return False
    singular = np.linalg.svd(corners[:, :2] - corners[:, :2].mean(axis=0), compute_uv=False)
    return bool(singular[-1] > 0.5 * _MIN_EXTENT)


def _crossed_area(
    roads: Mapping[str, OdrRoad], path: CrossPath, lines_of: Callable[[OdrRoad], RoadLines]
) -> FloatArray:
    """The corners `(N, 3)` of the lanes of the road of a cross path in map [m]; none where it has none.

    The height is that of the roads at its ends, whatever its own (12.5).
    """
    road = roads.get(path.crossing_road)
    if road is None or not road.lane_sections:
        return np.zeros((0, 3))
    lines = lines_of(road)
    s = np.unique(np.concatenate([[0.0], lines.breaks(0.0, road.length), [road.length]]))
    edges = np.array([road_edges(lines, road, float(at)) for at in s])
    right, left = lines.places_at(s, edges[:, 0])[:, :3], lines.places_at(s, edges[:, 1])[:, :3]
    ends = ((path.road_at_start, path.start, 0.0), (path.road_at_end, path.end, road.length))
    known = [
        (at, lines_of(roads[name]).place_at(link.s, 0.0)[2])
        for name, link, at in ends
        if link is not None and name in roads
    ]
    if known:
        right[:, 2] = left[:, 2] = np.interp(s, [at for at, _ in known], [z for _, z in known])
    return np.vstack((right, left[::-1]))


def _painted_area(lines: RoadLines, road: OdrRoad, signal: OdrSignal) -> FloatArray:
    """The corners `(4, 3)` of a painted crosswalk around its place; across the whole road where it has no width."""
    x, y, z, heading = lines.place_at(signal.s, signal.t)
    along = signal.value if signal.value is not None and signal.value >= _MIN_EXTENT else CROSSWALK_WIDTH
    if signal.width is not None and signal.width >= _MIN_EXTENT:
        return box_of(ObjectFrame(x, y, z, heading), along, signal.width)
    right, left = road_edges(lines, road, signal.s)
    x, y, z, heading = lines.place_at(signal.s, 0.5 * (right + left))
    return box_of(ObjectFrame(x, y, z, heading), along, left - right)


def road_edges(lines: RoadLines, road: OdrRoad, s: float) -> tuple[float, float]:
    """The least and the greatest t of lanes at a place along a road [m]."""
    at = np.array([min(max(s, 0.0), road.length)])
    lanes = lines.lanes_at(int(lines.sections_at(at)[0]), at).values()
    reach = [(float(one.t[0] - 0.5 * one.width[0]), float(one.t[0] + 0.5 * one.width[0])) for one in lanes]
    return min(low for low, _ in reach), max(high for _, high in reach)


def _nearest(light: TrafficLightRecord, areas: dict[str, FloatArray]) -> str:
    """The crosswalk nearest to a light, "" where none is near."""
    point = np.array(light.point[:2])
    far = {name: _distance(point, corners[:, :2]) for name, corners in areas.items()}
    name = min(far, key=lambda one: far[one], default="")
    return name if name and far[name] <= _NEAR else ""


def _distance(point: FloatArray, corners: FloatArray) -> float:
    """The distance from a point `(2,)` to the border of an area `(N, 2)` [m]."""
    way = np.roll(corners, -1, axis=0) - corners
    length = np.maximum((way**2).sum(axis=1), 1e-12)
    share = np.clip(((point - corners) * way).sum(axis=1) / length, 0.0, 1.0)
    return float(np.hypot(*(corners + share[:, None] * way - point).T).min())


def names_of_references(signals: Sequence[OdrSignal]) -> dict[str, list[str]]:
    """Id of a signal to those of what the file says it belongs to."""
    return {one.id: [other.element_id for other in one.references] for one in signals if one.references}
