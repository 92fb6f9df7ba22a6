"""Which lanes cars may not use, by the access rules of a file (ASAM OpenDRIVE 1.8, 11.8.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from dorosim.road.opendrive.lane_record import LaneAccess, OdrLane

_CARS = frozenset({"passengercar", "autonomoustraffic"})
"""Kinds of traffic that cars are, in lower case. "throughTraffic" asks where one goes, "simulator" who one is."""

_NOBODY = "none"


def is_closed(lane: OdrLane) -> bool:
    """Whether cars may not use a lane, somewhere along its section at least: routes have no lane that ends half way."""
    return any(closed for _, closed in closures(lane))


def closures(lane: OdrLane) -> Iterator[tuple[float, bool]]:
    """Where along the section of a lane a rule begins [m], and whether cars may not use it from there on."""
    for s, rules in groupby(lane.accesses, key=lambda one: one.s_offset):
        yield s, _closes(list(rules))


def _closes(rules: Sequence[LaneAccess]) -> bool:
    """Whether the rules at one place keep cars out: one allows others only, or one denies cars."""
    kinds: dict[str, set[str]] = {"allow": set(), "deny": set()}
    for one in rules:
        kinds[one.rule] |= {kind.lower() for kind in one.restrictions} - {_NOBODY}
    return bool(kinds["deny"] & _CARS) or bool(kinds["allow"] and not kinds["allow"] & _CARS)
