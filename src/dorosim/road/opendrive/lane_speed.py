"""The speed limit of a lane along its road (ASAM OpenDRIVE 1.8, 10.4 and 11.8).

That of the lane itself comes first, then that of the road's type, then that of the last sign that one has passed. The
standard does not say how far a sign counts: here it is to the next one, or to the next junction, along roads that say
nothing themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dorosim.ground.unit import KMH
from dorosim.road.opendrive.lane_line import is_driven_backwards
from dorosim.road.opendrive.lane_record import OdrLane, OdrLaneSection
from dorosim.road.opendrive.object_record import LaneValidity, holds_for_lane
from dorosim.road.opendrive.record import OdrRoad, OpenDriveMap
from dorosim.road.opendrive.signal_kind import SignalKind, kind_of, speed_of

DEFAULT_SPEED = 50.0 * KMH.factor
"""Where the file says nothing [m/s]."""

_ROUNDING = 1e-6


class _Sign(NamedTuple):
    """A sign of a speed limit: its place along the road [m], the speed [m/s], and for which traffic it is."""

    s: float
    speed: float
    orientation: str
    validities: tuple[LaneValidity, ...]

    def is_for(self, backwards: bool) -> bool:
        """Whether it is for those that drive by falling s, or for those that drive by rising s."""
        return self.orientation != ("+" if backwards else "-")


class SpeedLimits:
    """The speed limits of a file.

    Args:
        town: the file.
    """

    def __init__(self, town: OpenDriveMap) -> None:
        self._roads = {road.id: road for road in town.roads}
        self._signs = {
            road.id: [
                _Sign(one.s, speed, one.orientation, one.validities)
                for one in road.signals
                if kind_of(one) is SignalKind.SPEED_LIMIT and (speed := speed_of(one)) is not None
            ]
            for road in town.roads
        }
        self._brought: dict[tuple[str, bool], float] = {}
        for name, signs in self._signs.items():
            for backwards in (False, True):
                passed = sorted((one for one in signs if one.is_for(backwards)), key=lambda one: one.s)
                if passed and not self._says(self._roads[name]):
                    self._carry(name, backwards, passed[0 if backwards else -1].speed)

    def _says(self, road: OdrRoad) -> bool:
        """Whether the types of a road give speeds, so that signs do not count on it."""
        return any(one.max_speed for one in road.types)

    def _carry(self, name: str, backwards: bool, speed: float) -> None:
        """Let a speed count on the roads behind one, up to the next that says something itself, or a junction."""
        visited = {(name, backwards)}
        while True:
            road = self._roads[name]
            link = road.predecessor if backwards else road.successor
            if link is None or link.element_type != "road" or link.element_id not in self._roads:
                return
            name, backwards = link.element_id, link.contact_point == "end"
            road = self._roads[name]
            if (name, backwards) in visited or self._says(road) or road.junction not in ("", "-1"):
                return
            visited.add((name, backwards))
            self._brought[name, backwards] = speed
            if any(one.is_for(backwards) for one in self._signs[name]):
                return

    def at(self, road: OdrRoad, section: OdrLaneSection, lane: OdrLane, s: float) -> float:
        """The speed limit of a lane of a section at a place along its road [m/s]."""
        own = [one.max_speed for one in lane.speeds if section.s + one.s_offset <= s + _ROUNDING]
        if own and own[-1] is not None:
            return own[-1]
        types = [one for one in road.types if one.s <= s + _ROUNDING] or list(road.types[:1])
        if types and types[-1].max_speed:
            return types[-1].max_speed
        backwards = is_driven_backwards(road, lane)
        side = -1.0 if backwards else 1.0
        passed = [one for one in self._signs_for(road, lane) if side * one.s <= side * s + _ROUNDING]
        if passed:
            return max(passed, key=lambda one: side * one.s).speed
        return self._brought.get((road.id, backwards), DEFAULT_SPEED)

    def changes(self, road: OdrRoad, section: OdrLaneSection, lane: OdrLane) -> Iterator[float]:
        """Places along a road [m] at which the speed limit of a lane of a section may change."""
        yield from (section.s + one.s_offset for one in lane.speeds)
        yield from (one.s for one in road.types)
        yield from (one.s for one in self._signs_for(road, lane))

    def _signs_for(self, road: OdrRoad, lane: OdrLane) -> list[_Sign]:
        """The signs of a road for a lane."""
        backwards = is_driven_backwards(road, lane)
        return [
            one for one in self._signs[road.id] if one.is_for(backwards) and holds_for_lane(one.validities, lane.id)
        ]
