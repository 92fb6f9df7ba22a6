"""Where signals of OpenDRIVE stand, which way they face, and which links they count for (ASAM OpenDRIVE 1.8, 14)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from dorosim.road.mgeo.record import Link
from dorosim.road.opendrive.lane_graph import LaneKey, is_drivable_type
from dorosim.road.opendrive.lane_line import RoadLines, is_driven_backwards
from dorosim.road.opendrive.object_record import LaneValidity, holds_for_lane
from dorosim.road.opendrive.record import OdrRoad, OpenDriveMap
from dorosim.road.opendrive.signal_record import OdrSignal

MAX_SIGNAL_DISTANCE = 60.0
"""A signal farther from the end of its road than this belongs to no junction [m]."""


class Stand(NamedTuple):
    """Where a signal stands.

    Attributes:
        x, y, z: of its lower edge in map [m]. ground: height of the road there [m].
        facing: the direction of one who looks out of it, in map [rad]: against the traffic for which it counts.
    """

    x: float
    y: float
    z: float
    ground: float
    facing: float


class CountedPlace(NamedTuple):
    """A place where a signal counts: its own, or that of a reference to it."""

    road: OdrRoad
    s: float
    orientation: str
    validities: Sequence[LaneValidity]


class SignalPlaces:
    """Places of the signals of a file.

    Args:
        town: the file.
        links: of the map, by id, with their nodes.
        names: lane to the id of its link.
        lines_of: the analytic lines of a road.
    """

    def __init__(
        self,
        town: OpenDriveMap,
        links: Mapping[str, Link],
        names: Mapping[LaneKey, str],
        lines_of: Callable[[OdrRoad], RoadLines],
    ) -> None:
        self.town, self.links, self.names, self.lines_of = town, links, names, lines_of
        self.roads = {road.id: road for road in town.roads}
        self.beginning: dict[str, list[Link]] = {}
        for link in links.values():
            self.beginning.setdefault(link.from_node_idx or "", []).append(link)
        ids = Counter(signal.id for road in town.roads for signal in road.signals)
        self._twice = {name for name, count in ids.items() if count > 1}
        self._referred: dict[str, list[CountedPlace]] = {}
        for road in town.roads:
            for one in road.signal_references:
                place = CountedPlace(road, one.s, one.orientation, one.validities)
                self._referred.setdefault(one.id, []).append(place)

    def counted(self, road: OdrRoad, signal: OdrSignal) -> list[CountedPlace]:
        """The places where a signal of a road counts; references count for no signal whose id others have, too."""
        own = CountedPlace(road, signal.s, signal.orientation, signal.validities)
        return [own, *([] if signal.id in self._twice else self._referred.get(signal.id, ()))]

    def name_of(self, road: OdrRoad, signal: OdrSignal) -> str:
        """The id of a signal, with its place where others have the same id."""
        return f"{signal.id} at {signal.s:g} of {road.id}" if signal.id in self._twice else signal.id

    def stand_of(self, road: OdrRoad, signal: OdrSignal) -> Stand:
        """Where a signal stands.

        The heading of a signal is that of the traffic for which it counts, so it faces the other way.

        Args:
            road: that has the signal.
            signal: the signal.
        """
        if signal.map_position is not None:
            at = signal.map_position
            return Stand(at.x, at.y, at.z, at.z - signal.z_offset, at.hdg + math.pi)
        s, t, offset, turn = signal.s, signal.t, signal.z_offset, signal.h_offset
        on = signal.road_position
        if on is not None and on.road_id in self.roads:
            road, s, t, offset, turn = self.roads[on.road_id], on.s, on.t, on.z_offset, on.h_offset
        x, y, z, heading = self.lines_of(road).place_at(s, t)
        return Stand(x, y, z + offset, z, heading + turn + (0.0 if signal.orientation == "-" else math.pi))

    def approaches(self, place: CountedPlace) -> list[Link]:
        """The links at the end of a road to which a signal leads, whose vehicles see it; in a junction its own."""
        road, found = place.road, []
        for backwards in (False, True):
            if place.orientation == ("+" if backwards else "-") or not road.lane_sections:
                continue
            distance = place.s if backwards else road.length - place.s
            if distance > MAX_SIGNAL_DISTANCE and road.junction in ("", "-1"):
                continue
            section = 0 if backwards else len(road.lane_sections) - 1
            for lane in road.lane_sections[section].lanes:
                if not is_drivable_type(lane) or is_driven_backwards(road, lane) != backwards:
                    continue
                if not holds_for_lane(place.validities, lane.id):
                    continue
                link = self.links.get(self.names.get(LaneKey(road.id, section, lane.id), ""))
                if link is not None:
                    found.append(link)
        return found

    def inside(self, link: Link) -> list[Link]:
        """The links in the junction that an approach leads to; a link in a junction itself."""
        if link.related_signal:
            return [link]
        return [one for one in self.beginning.get(link.to_node_idx or "", []) if one.related_signal]
