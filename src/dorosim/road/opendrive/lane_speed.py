"""The speed limit of a lane along its road (ASAM OpenDRIVE 1.8, 10.3 and 11.8).

That of the lane itself comes first, then that of the road's type, then that of the last sign of a speed limit on the
road before the place. The standard does not say how far a sign counts: here it is to the end of its road.
"""

from __future__ import annotations

from collections.abc import Iterator

from dorosim.ground.unit import KMH
from dorosim.road.opendrive.lane_line import is_driven_backwards
from dorosim.road.opendrive.lane_record import OdrLane, OdrLaneSection
from dorosim.road.opendrive.object_record import holds_for_lane
from dorosim.road.opendrive.record import OdrRoad
from dorosim.road.opendrive.signal_kind import SignalKind, kind_of, speed_of

DEFAULT_SPEED = 50.0 * KMH.factor
"""Where the file says nothing [m/s]."""

_ROUNDING = 1e-6


def speed_at(road: OdrRoad, section: OdrLaneSection, lane: OdrLane, s: float) -> float:
    """The speed limit of a lane of a section at a place along the road [m/s]."""
    own = [one.max_speed for one in lane.speeds if section.s + one.s_offset <= s + _ROUNDING]
    if own and own[-1] is not None:
        return own[-1]
    types = [one for one in road.types if one.s <= s + _ROUNDING] or list(road.types[:1])
    if types and types[-1].max_speed:
        return types[-1].max_speed
    return _shown_speed(road, lane, s) or DEFAULT_SPEED


def speed_changes(road: OdrRoad, section: OdrLaneSection, lane: OdrLane) -> Iterator[float]:
    """Places along the road [m] at which the speed limit of a lane may change."""
    yield from (section.s + one.s_offset for one in lane.speeds)
    yield from (one.s for one in road.types)
    yield from (s for s, _ in _signs_for(road, lane))


def _signs_for(road: OdrRoad, lane: OdrLane) -> list[tuple[float, float]]:
    """Places and speeds [m, m/s] of the signs of speed limits for a lane, in the order in which one passes them."""
    backwards = is_driven_backwards(road, lane)
    found = [
        (signal.s, speed)
        for signal in road.signals
        if signal.orientation != ("+" if backwards else "-")
        and kind_of(signal) is SignalKind.SPEED_LIMIT
        and holds_for_lane(signal.validities, lane.id)
        and (speed := speed_of(signal)) is not None
    ]
    return sorted(found, reverse=backwards)


def _shown_speed(road: OdrRoad, lane: OdrLane, s: float) -> float | None:
    """The speed that the last sign before a place shows; None where there is none."""
    side = -1.0 if is_driven_backwards(road, lane) else 1.0
    passed = [speed for at, speed in _signs_for(road, lane) if side * at <= side * s + _ROUNDING]
    return passed[-1] if passed else None
