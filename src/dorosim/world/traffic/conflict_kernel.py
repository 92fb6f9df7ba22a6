"""Whether another vehicle keeps a vehicle from a link that conflicts with others: zones in use, and priority."""

from __future__ import annotations

import math

from dorosim.ground.column import IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.road.conflict import LONG_BODY
from dorosim.world.signal.permission import Permission
from dorosim.world.traffic.decision_table_kernel import (
    ARRIVE_SPEED,
    ARRIVE_WAY,
    BODY,
    CLAIM,
    FAR,
    GAIN,
    LONG_ROW,
    LONG_TAIL,
    PLACE,
    SPEED,
    WAITED,
    ZONE_ROW,
    ZONE_TAIL,
    Work,
)
from dorosim.world.traffic.road import (
    CONFLICT,
    CURVE_SPEED,
    LIMIT,
    LONG,
    MERGES,
    OTHER_END,
    OTHER_LINK,
    OTHER_START,
    OWN_END,
    YIELDS,
    RoadArrays,
)
from dorosim.world.traffic.state import Waiting

PATIENCE = 10.0
"""A vehicle that has waited longer than this has priority over all others [s]."""

CROSS_MARGIN, MERGE_MARGIN = 1.0, 2.0
"""Least time from when a vehicle leaves a zone to when a vehicle with priority reaches it [s]."""

SLOWEST_ARRIVAL = 3.0
"""A vehicle with priority is taken to come at least this fast [m/s]."""

_NOTHING, _OCCUPIED, _PRIORITY = int(Waiting.NOTHING), int(Waiting.OCCUPIED), int(Waiting.PRIORITY)
_GO, _AFTER_STOP = int(Permission.GO), int(Permission.STOP_THEN_YIELD)


@inner_kernel
def precedence(permission: int) -> int:
    """Rank of a permission: 0 green for its way alone, 1 by the rules of the road, 2 past a red light after a stop."""
    if permission == _GO:
        return 0
    return 2 if permission == _AFTER_STOP else 1


@inner_kernel
def time_over(way: float, speed: float, limit: float, acceleration: float) -> float:
    """The time that a vehicle takes for a distance, while its speed grows evenly up to a limit [s]."""
    if way <= 0.0:
        return 0.0
    if speed >= limit:
        return way / limit
    rise = 0.5 * (limit * limit - speed * speed) / acceleration
    if way < rise:
        return (math.sqrt(speed * speed + 2.0 * acceleration * way) - speed) / acceleration
    return (limit - speed) / acceleration + (way - rise) / limit


@inner_kernel
def hinders(road: RoadArrays, work: Work, c: int, leaving: float) -> bool:
    """Whether a vehicle with priority arrives at a conflict before the vehicle that asks has left it, plus a margin.

    `leaving`: time until the vehicle that asks has left it [s].
    """
    other = int(road.conflict[c, OTHER_LINK])
    way = work.report[other, ARRIVE_WAY]
    if way >= FAR:
        return False
    arrival = max(way + road.conflict[c, OTHER_START], 0.0) / max(work.report[other, ARRIVE_SPEED], SLOWEST_ARRIVAL)
    found: bool = arrival < leaving + (MERGE_MARGIN if road.conflict[c, MERGES] == 1.0 else CROSS_MARGIN)
    return found


@inner_kernel
def is_occupied(work: Work, link: int, end: float, row: int, long: bool) -> bool:
    """Whether another vehicle with an authority, if `long` a long one, has still to leave a zone that ends at `end`."""
    tail = work.report[link, LONG_TAIL] if long else work.report[link, ZONE_TAIL]
    other = work.owner[link, LONG_ROW] if long else work.owner[link, ZONE_ROW]
    found: bool = tail < end and other != row
    return found


@inner_kernel
def conflict_code(road: RoadArrays, work: Work, permission: IntArray, row: int, link: int, way: float) -> int:
    """The `Waiting` that keeps a vehicle from crossing a link, which starts `way` ahead of its own link's start [m]."""
    patience, swings = work.driver[row, WAITED], work.driver[row, BODY] > LONG_BODY
    limit = min(road.lane[link, LIMIT], road.lane[link, CURVE_SPEED])
    mine = precedence(permission[link])
    begin = way + work.driver[row, BODY] - work.driver[row, PLACE]
    code = _NOTHING
    for c in range(road.key[link, CONFLICT], road.key[link + 1, CONFLICT]):
        other = int(road.conflict[c, OTHER_LINK])
        long = road.conflict[c, LONG] == 1.0 and not swings
        if is_occupied(work, other, road.conflict[c, OTHER_END], row, long):
            return _OCCUPIED
        claim = work.report[other, CLAIM]
        if claim > PATIENCE and (claim > patience or (claim == patience and other < link)):
            code = _PRIORITY
        elif patience <= PATIENCE and code == _NOTHING and not long:
            theirs = precedence(permission[other])
            if mine > theirs or (mine == theirs and road.conflict[c, YIELDS] == 1.0):
                leaving = time_over(
                    begin + road.conflict[c, OWN_END], work.driver[row, SPEED], limit, work.driver[row, GAIN]
                )
                if hinders(road, work, c, leaving):
                    code = _PRIORITY
    return code
