"""How vehicles that left the map at a dead end come in again elsewhere."""

from __future__ import annotations

import math

from dorosim.ground.column import RealArray, WholeArray
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

_ID, _PRESENT, _PAUSED = TrafficState.id.index, TrafficState.present.index, TrafficState.paused.index
_LINK, _PREVIOUS, _BEFORE = (
    TrafficState.link.index,
    TrafficState.previous.index,
    TrafficState.before_previous.index,
)
_FROM, _COUNTER, _CURSOR = TrafficState.change_from.index, TrafficState.counter.index, TrafficState.cursor.index
_S, _SPEED, _ACCELERATION = TrafficState.s.index, TrafficState.speed.index, TrafficState.acceleration.index
_AUTHORITY, _PATIENCE = TrafficState.authority.index, TrafficState.patience.index
_LATERAL, _LENGTH, _T = TrafficState.lateral.index, TrafficState.length.index, TrafficState.time_gap.index
_S0, _B = TrafficState.standstill_gap.index, TrafficState.comfortable_deceleration.index
_OFF_MAP, _ON_LANE = int(Presence.OFF_MAP), int(Presence.ON_LANE)
_O_REAR, _O_SPEED = Obstruction.rear.index, Obstruction.speed.index


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
    real: RealArray,
    whole: WholeArray,
    obstruction: RealArray,
    seed: int,
    decision: float,
) -> None:
    """Let vehicles that left the map come in again: each tries one lane, drawn at random, in every decision."""
    edges, inners = (road.edge.shape[0], road.inner.shape[0])
    for row in range(whole.shape[1]):
        if whole[_PRESENT, row] != _OFF_MAP or whole[_PAUSED, row] != 0:
            continue
        whole[_COUNTER, row] += 1
        real[_PATIENCE, row] += decision
        outside = edges > 0 and (real[_PATIENCE, row] <= OUTSIDE_TIME or whole[_COUNTER, row] % 2 == 0)
        count = edges if outside else inners
        if count == 0:
            continue
        choice = draw(seed, whole[_ID, row], whole[_COUNTER, row], count)
        link = road.edge[choice] if outside else road.inner[choice]
        s = real[_LENGTH, row] + 0.1 if outside else real[_LENGTH, row] + INSIDE * road.lane[link, LENGTH]
        if work.owner[link, TAKEN] == 1 or s >= road.lane[link, LENGTH]:
            continue
        gap, ahead = room_ahead(work, real, obstruction, link, s)
        if gap < real[_S0, row] + ENTRY_GAP:
            continue
        speed = approach_speed(gap - real[_S0, row], ahead, real[_T, row], real[_B, row])
        stop = road.lane[link, STOP] - s - LINE_MARGIN
        speed = min(speed, approach_speed(stop, 0.0, 0.0, real[_B, row]))
        speed = min(speed, desired_speed(road, real, whole, row, link))
        if outside or is_free_behind(road, work, link, s - real[_LENGTH, row], speed):
            enter(road, work, real, whole, row, link, s, speed)


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
def room_ahead(work: Work, real: RealArray, obstruction: RealArray, link: int, s: float) -> tuple[float, float]:
    """Gap from a place on a link to whatever is ahead or stands over it [m], and its speed [m/s]."""
    gap, ahead = work.report[link, TAIL] - s, 0.0
    if work.owner[link, TAIL_ROW] >= 0:
        ahead = real[_SPEED, work.owner[link, TAIL_ROW]]
    # the first in the list has the rear farthest back
    if work.owner[link + 1, OBSTRUCTION] > work.owner[link, OBSTRUCTION]:
        other = work.barrier[work.owner[link, OBSTRUCTION]]
        if obstruction[_O_REAR, other] - s < gap:
            gap, ahead = obstruction[_O_REAR, other] - s, max(obstruction[_O_SPEED, other], 0.0)
    return (gap, ahead)


@inner_kernel
def enter(
    road: RoadArrays, work: Work, real: RealArray, whole: WholeArray, row: int, link: int, s: float, speed: float
) -> None:
    """Put a vehicle on a link as if it had just come there."""
    whole[_PRESENT, row] = _ON_LANE
    whole[_LINK, row] = link
    whole[_PREVIOUS, row] = -1
    whole[_BEFORE, row] = -1
    whole[_FROM, row] = -1
    whole[_CURSOR, row] = -1
    real[_S, row] = s
    real[_SPEED, row] = speed
    real[_ACCELERATION, row] = 0.0
    real[_AUTHORITY, row] = 0.0
    real[_PATIENCE, row] = 0.0
    real[_LATERAL, row] = 0.0
    work.report[link, TAIL] = s - real[_LENGTH, row]
    work.owner[link, TAIL_ROW] = row
    pose(road, real, whole, row, 0.0)
