"""Signs and stop lines of OpenDRIVE as those of the network (ASAM OpenDRIVE 1.8, 13 and 14).

Signs stand where the file puts them. Whoever comes to a sign "stop" or "give way" before a junction, or to a stop line
without a light, gives way there. Limits of speed count as `dorosim.road.opendrive.lane_speed` says.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.mgeo.record import LaneBoundary, MGeoMap, TrafficSign
from dorosim.road.opendrive.kept_furniture import is_kept, kept_sign, kept_stop_line
from dorosim.road.opendrive.lane_graph import is_drivable_type
from dorosim.road.opendrive.lane_line import RoadLines, is_driven_backwards
from dorosim.road.opendrive.light_conversion import map_degrees
from dorosim.road.opendrive.object_record import OdrObject, holds_for_lane
from dorosim.road.opendrive.object_shape import box_of, frame_of, outer_outlines, outline_of
from dorosim.road.opendrive.own_data import SIGN, STOP, row_of
from dorosim.road.opendrive.record import OdrRoad
from dorosim.road.opendrive.signal_kind import SignalKind, code_of, kind_of
from dorosim.road.opendrive.signal_place import CountedPlace, SignalPlaces
from dorosim.road.opendrive.signal_record import OdrSignal
from dorosim.road.signal import STOP_LINE_CODE

_PLATES = (SignalKind.STOP, SignalKind.GIVE_WAY, SignalKind.SPEED_LIMIT, SignalKind.OTHER_SIGN)
_PLATE = 0.6
"""Height of the plate of a sign about which the file says nothing [m]."""

_STENCIL = "stencil"
"""Signals whose names begin so, as RoadRunner writes them, are painted on the road."""

_STOP_LINE_WIDTH = 0.3
_MIN_LENGTH = 0.5
"""A stop line is longer than this [m]."""


def add_signs(m: MGeoMap, places: SignalPlaces) -> None:
    """Add the signs of a file to a map, and where they make vehicles give way."""
    waiting: set[str] = set()
    kept: list[tuple[int, TrafficSign]] = []
    for road in places.town.roads:
        for signal in road.signals:
            kind = kind_of(signal)
            if is_kept(signal):
                if SIGN in signal.user_data:
                    kept.append((row_of(signal.user_data, len(kept)), kept_sign(places, road, signal)))
                continue
            if kind in _PLATES and not signal.name.lower().startswith(_STENCIL):
                m.traffic_signs.append(_sign(places, road, signal, kind))
            if kind in (SignalKind.STOP, SignalKind.GIVE_WAY):
                waiting.update(_nodes_before(places, places.counted(road, signal)))
    m.traffic_signs[:0] = [sign for _, sign in sorted(kept, key=lambda one: one[0])]
    for node in m.nodes:
        node.on_stop_line |= node.idx in waiting


def _sign(places: SignalPlaces, road: OdrRoad, signal: OdrSignal, kind: SignalKind) -> TrafficSign:
    """A sign on its post."""
    stand = places.stand_of(road, signal)
    code, value = code_of(signal, kind)
    height = signal.height or _PLATE
    z = stand.z + 0.5 * height
    links = [link.idx for place in places.counted(road, signal) for link in places.approaches(place)]
    return TrafficSign(
        idx=places.name_of(road, signal),
        point=(stand.x, stand.y, z),
        link_id_list=list(dict.fromkeys(links)),
        road_id=road.id,
        type="2",
        sub_type=[code] if code else [],
        dynamic=False,
        orientation="vertical",
        value=value,
        country=signal.country,
        z_offset=z - stand.ground,
        height=height,
        width=signal.width or height,
        heading=map_degrees(stand.facing),
    )


def _nodes_before(places: SignalPlaces, counted: list[CountedPlace]) -> Iterator[str]:
    """Nodes at which those wait that come to a signal before a junction."""
    for place in counted:
        for link in places.approaches(place):
            if places.inside(link):
                node = link.from_node_idx if link.related_signal else link.to_node_idx
                if node is not None:
                    yield node


def add_stop_lines(m: MGeoMap, places: SignalPlaces) -> None:
    """Add the stop lines of a file to a map: signals across the lanes for which they count, and objects."""
    for road in places.town.roads:
        for signal in road.signals:
            if STOP in signal.user_data:
                name = f"stop line {places.name_of(road, signal)}"
                m.lane_boundaries += [
                    stop_line_boundary(name, points) for points in kept_stop_line(places, road, signal)
                ]
            elif kind_of(signal) is SignalKind.STOP_LINE:
                for number, place in enumerate(places.counted(road, signal)):
                    for points in _lines_across(places.lines_of(place.road), place):
                        name = f"stop line {places.name_of(road, signal)}" + (f".{number}" if number else "")
                        m.lane_boundaries.append(stop_line_boundary(name, points))
        for one in filter(is_stop_line, road.objects):
            side = _long_side(places.lines_of(road), one)
            if side is not None:
                m.lane_boundaries.append(stop_line_boundary(f"stop line {one.id} of road {road.id}", side))


def is_stop_line(one: OdrObject) -> bool:
    """Whether an object is a stop line, by its type, its subtype or, as some programs write it, its name."""
    words = {part.lower().replace(" ", "").replace("_", "") for part in (one.type, one.subtype)}
    name = one.name.lower().replace(" ", "").replace("_", "")
    return bool(words & {"stopline", "signallines"}) or name.startswith("stopline")


def stop_line_boundary(name: str, points: FloatArray) -> LaneBoundary:
    """A stop line along points `(N, 3)` in map [m], of white paint."""
    return LaneBoundary(
        idx=name,
        from_node_idx=None,
        to_node_idx=None,
        points=points,
        lane_type=[STOP_LINE_CODE],
        lane_color=["white"],
        lane_shape=["Solid"],
        lane_width=_STOP_LINE_WIDTH,
    )


def _lines_across(lines: RoadLines, place: CountedPlace) -> Iterator[FloatArray]:
    """Lines `(2, 3)` across the lanes of either direction for which a signal counts, in map [m]."""
    road = place.road
    if not road.lane_sections:
        return
    s = min(max(place.s, 0.0), road.length)
    section = int(lines.sections_at(np.array([s]))[0])
    middles = lines.lanes_at(section, np.array([s]))
    for backwards in (False, True):
        if place.orientation == ("+" if backwards else "-"):
            continue
        t = [
            float(middles[lane.id].t[0]) + side * 0.5 * float(middles[lane.id].width[0])
            for lane in road.lane_sections[section].lanes
            if is_drivable_type(lane)
            and is_driven_backwards(road, lane) == backwards
            and holds_for_lane(place.validities, lane.id)
            for side in (-1.0, 1.0)
        ]
        if t and max(t) - min(t) > _MIN_LENGTH:
            yield np.array([lines.place_at(s, at)[:3] for at in (min(t), max(t))])


def _long_side(lines: RoadLines, one: OdrObject) -> FloatArray | None:
    """The line `(2, 3)` through the middle of an object along its longer side, in map [m]; None where it has none."""
    frame = frame_of(lines, one)
    outlines = outer_outlines(one)
    corners = outline_of(lines, frame, outlines[0])[0] if outlines else box_of(frame, one.length or 0, one.width or 0)
    middle = corners.mean(axis=0)
    _, _, axes = np.linalg.svd(corners - middle)
    along = (corners - middle) @ axes[0]
    if np.ptp(along) < _MIN_LENGTH:
        return None
    return np.array([middle + at * axes[0] for at in (along.min(), along.max())])
