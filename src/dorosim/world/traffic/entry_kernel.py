"""How vehicles that left the map at a dead end come in again elsewhere."""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.change_kernel import follower_behind
from dorosim.world.traffic.choice_kernel import draw
from dorosim.world.traffic.decision_table_kernel import (
    BRAKE,
    FIRST,
    GAP,
    HEADWAY,
    OBSTRUCTION,
    RESERVED,
    SPEED,
    TAIL,
    TAIL_ROW,
    TAKEN,
    Work,
)
from dorosim.world.traffic.follow_kernel import desired_speed
from dorosim.world.traffic.move_kernel import pose
from dorosim.world.traffic.road import LENGTH, STOP, RoadArrays
from dorosim.world.traffic.state import Obstruction, Presence, TrafficState

ENTRY_GAP = 3.0
"""Room ahead that a vehicle needs to enter, beyond its own gap at standstill [m]."""

OUTSIDE_TIME = 10.0
"""A vehicle waits so long for room at the edge of the map before it tries lanes inside the map too [s]."""

INSIDE = 0.25
"""A vehicle that enters inside the map has its rear at this share of the lane's length."""

LINE_MARGIN = 1.0
"""A vehicle enters at a speed from which it can stop this far before the stop line, or the end, of its lane [m]."""

_TRAFFIC = TrafficState.at
_OBSTRUCTION = Obstruction.at
_OFF_MAP, _ON_LANE = int(Presence.OFF_MAP), int(Presence.ON_LANE)


@inner_kernel
def approach_speed(way: float, ahead: float, time_gap: float, deceleration: float) -> float:
    """The speed from which a vehicle slows down to `ahead` over a way, with a time gap and a deceleration [m/s].

    It solves way = v T + (v² - ahead²) / (2 b) for v.
    """
    room = max(way, 0.0) + 0.5 * ahead * ahead / deceleration
    return deceleration * (math.sqrt(time_gap * time_gap + 2.0 * room / deceleration) - time_gap)


@inner_kernel
def come_back(
    road: RoadArrays,
    work: Work,
    floats: FloatArray,
    ints: IntArray,
    obstruction: FloatArray,
    seed: int,
    decision: float,
) -> None:
    """Let vehicles that left the map come in again: each tries one lane, drawn at random, in every decision."""
    edges, inners = (road.edge.shape[0], road.inner.shape[0])
    for row in range(ints.shape[1]):
        if ints[_TRAFFIC.present, row] != _OFF_MAP or ints[_TRAFFIC.paused, row] != 0:
            continue
        ints[_TRAFFIC.counter, row] += 1
        floats[_TRAFFIC.patience, row] += decision
        outside = edges > 0 and (floats[_TRAFFIC.patience, row] <= OUTSIDE_TIME or ints[_TRAFFIC.counter, row] % 2 == 0)
        count = edges if outside else inners
        if count == 0:
            continue
        choice = draw(seed, ints[_TRAFFIC.id, row], ints[_TRAFFIC.counter, row], count)
        link = road.edge[choice] if outside else road.inner[choice]
        s = (
            floats[_TRAFFIC.length, row] + 0.1
            if outside
            else floats[_TRAFFIC.length, row] + INSIDE * road.lane[link, LENGTH]
        )
        if work.owner[link, TAKEN] == 1 or s >= road.lane[link, LENGTH]:
            continue
        gap, ahead = room_ahead(work, floats, obstruction, link, s)
        if gap < floats[_TRAFFIC.standstill_gap, row] + ENTRY_GAP:
            continue
        speed = approach_speed(
            gap - floats[_TRAFFIC.standstill_gap, row],
            ahead,
            floats[_TRAFFIC.time_gap, row],
            floats[_TRAFFIC.comfortable_deceleration, row],
        )
        stop = road.lane[link, STOP] - s - LINE_MARGIN
        speed = min(speed, approach_speed(stop, 0.0, 0.0, floats[_TRAFFIC.comfortable_deceleration, row]))
        speed = min(speed, desired_speed(road, floats, ints, row, link))
        if outside or is_free_behind(road, work, link, s - floats[_TRAFFIC.length, row], speed):
            enter(road, work, floats, ints, row, link, s, speed)


@inner_kernel
def is_free_behind(road: RoadArrays, work: Work, link: int, tail: float, speed: float) -> bool:
    """Whether a vehicle that enters at `speed` with its rear at `tail` makes no follower brake harder than comfortable.

    False, too, where another vehicle is on the link, or has the authority to cross a junction to it.
    """
    if work.owner[link + 1, FIRST] > work.owner[link, FIRST] or work.report[link, RESERVED] > 0.0:
        return False
    gap, other = follower_behind(road, work, link, work.owner[link, FIRST], tail)
    if other < 0:
        return True
    theirs = work.driver[other, SPEED]
    need = work.driver[other, GAP] + work.driver[other, HEADWAY] * theirs
    found: bool = gap > need + max(0.5 * (theirs * theirs - speed * speed) / work.driver[other, BRAKE], 0.0)
    return found


@inner_kernel
def room_ahead(work: Work, floats: FloatArray, obstruction: FloatArray, link: int, s: float) -> tuple[float, float]:
    """Gap from a place on a link to whatever is ahead or stands over it [m], and its speed [m/s]."""
    gap, ahead = work.report[link, TAIL] - s, 0.0
    if work.owner[link, TAIL_ROW] >= 0:
        ahead = floats[_TRAFFIC.speed, work.owner[link, TAIL_ROW]]
    # the first in the list has the rear farthest back
    if work.owner[link + 1, OBSTRUCTION] > work.owner[link, OBSTRUCTION]:
        other = work.barrier[work.owner[link, OBSTRUCTION]]
        if obstruction[_OBSTRUCTION.rear, other] - s < gap:
            gap, ahead = obstruction[_OBSTRUCTION.rear, other] - s, max(obstruction[_OBSTRUCTION.speed, other], 0.0)
    return (gap, ahead)


@inner_kernel
def enter(
    road: RoadArrays, work: Work, floats: FloatArray, ints: IntArray, row: int, link: int, s: float, speed: float
) -> None:
    """Put a vehicle on a link as if it had just come there."""
    ints[_TRAFFIC.present, row] = _ON_LANE
    ints[_TRAFFIC.link, row] = link
    ints[_TRAFFIC.previous, row] = -1
    ints[_TRAFFIC.before_previous, row] = -1
    ints[_TRAFFIC.change_from, row] = -1
    ints[_TRAFFIC.cursor, row] = -1
    floats[_TRAFFIC.s, row] = s
    floats[_TRAFFIC.speed, row] = speed
    floats[_TRAFFIC.acceleration, row] = 0.0
    floats[_TRAFFIC.authority, row] = 0.0
    floats[_TRAFFIC.patience, row] = 0.0
    floats[_TRAFFIC.lateral, row] = 0.0
    work.report[link, TAIL] = s - floats[_TRAFFIC.length, row]
    work.owner[link, TAIL_ROW] = row
    pose(road, floats, ints, row, 0.0)
