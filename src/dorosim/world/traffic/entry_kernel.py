"""How vehicles that left the map at a dead end come in again elsewhere."""

from __future__ import annotations

import math

from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.change_kernel import find_follower
from dorosim.world.traffic.choice_kernel import draw_choice
from dorosim.world.traffic.decision_table_kernel import (
    RECORDS,
    REPORT,
    SPAN_BEGIN,
    SPAN_END,
    VEHICLE,
    Workspace,
    touch,
)
from dorosim.world.traffic.entry_list_kernel import desired_speed_code
from dorosim.world.traffic.follow_kernel import desired_speed
from dorosim.world.traffic.move_kernel import write_pose
from dorosim.world.traffic.road import LINK, RoadArrays
from dorosim.world.traffic.state import Obstruction, Presence, TrafficState

INSERTION_GAP = 3.0
"""Room ahead that a vehicle needs to enter, beyond its own gap at standstill [m]."""

BOUNDARY_WAITING_TIME = 10.0
"""A vehicle waits so long for room at the edge of the map before it tries lanes inside the map too [s]."""

INTERIOR_INSERTION_SHARE = 0.25
"""A vehicle that enters inside the map has its rear at this share of the lane's length."""

INSERTION_LINE_MARGIN = 1.0
"""A vehicle enters at a speed from which it can stop this far before the stop line, or the end, of its lane [m]."""

_TRAFFIC = TrafficState.at
_OBSTRUCTION = Obstruction.at
_OFF_MAP, _ON_LANE = int(Presence.OFF_MAP), int(Presence.ON_LANE)


@inner_kernel
def insertion_speed(way: float, ahead: float, time_gap: float, deceleration: float) -> float:
    """The speed from which a vehicle slows down to `ahead` over a way, with a time gap and a deceleration [m/s].

    It solves way = v T + (v² - ahead²) / (2 b) for v.
    """
    room = max(way, 0.0) + 0.5 * ahead * ahead / deceleration
    return deceleration * (math.sqrt(time_gap * time_gap + 2.0 * room / deceleration) - time_gap)


@inner_kernel
def reinsert_vehicles(road: RoadArrays, work: Workspace, seed: int, decision: float) -> None:
    """Let vehicles that left the map come in again: each tries one lane, drawn at random, in every decision."""
    edges, inners = (road.boundary_entry.shape[0], road.interior_entry.shape[0])
    floats, ints = work.state, work.state_ints
    for row in range(ints.shape[1]):
        if ints[_TRAFFIC.present, row] != _OFF_MAP or ints[_TRAFFIC.paused, row] != 0:
            continue
        ints[_TRAFFIC.counter, row] += 1
        floats[_TRAFFIC.patience, row] += decision
        patient = floats[_TRAFFIC.patience, row] <= BOUNDARY_WAITING_TIME
        outside = edges > 0 and (patient or ints[_TRAFFIC.counter, row] % 2 == 0)
        count = edges if outside else inners
        if count == 0:
            continue
        choice = draw_choice(seed, ints[_TRAFFIC.id, row], ints[_TRAFFIC.counter, row], count)
        link = road.boundary_entry[choice] if outside else road.interior_entry[choice]
        tail = 0.1 if outside else INTERIOR_INSERTION_SHARE * road.link[link, LINK.length]
        s = floats[_TRAFFIC.length, row] + tail
        if work.link_ints[link, REPORT.changed_to] == 1 or s >= road.link[link, LINK.length]:
            continue
        gap, ahead = gap_ahead(work, link, s)
        standstill_gap = floats[_TRAFFIC.standstill_gap, row]
        deceleration = floats[_TRAFFIC.comfortable_deceleration, row]
        if gap < standstill_gap + INSERTION_GAP:
            continue
        speed = insertion_speed(gap - standstill_gap, ahead, floats[_TRAFFIC.time_gap, row], deceleration)
        stop = road.link[link, LINK.stop_line] - s - INSERTION_LINE_MARGIN
        speed = min(speed, insertion_speed(stop, 0.0, 0.0, deceleration))
        speed = min(speed, desired_speed(road, link, desired_speed_code(floats, ints, row)))
        if outside or is_free_behind(road, work, link, s - floats[_TRAFFIC.length, row], speed):
            insert_vehicle(road, work, row, link, s, speed)


@inner_kernel
def is_free_behind(road: RoadArrays, work: Workspace, link: int, tail: float, speed: float) -> bool:
    """Whether a vehicle that enters at `speed` with its rear at `tail` makes no follower brake harder than comfortable.

    False, too, where another vehicle is on the link, or has the authority to cross a junction to it.
    """
    first = work.entry_span[link, SPAN_BEGIN]
    if work.entry_span[link, SPAN_END] > first or work.link[link, REPORT.reserved] > 0.0:
        return False
    gap, other = find_follower(road, work, link, first, tail)
    if other < 0:
        return True
    theirs = work.vehicle[other, VEHICLE.speed]
    need = work.vehicle[other, VEHICLE.standstill_gap] + work.vehicle[other, VEHICLE.time_gap] * theirs
    braking = 0.5 * (theirs * theirs - speed * speed) / work.vehicle[other, VEHICLE.deceleration]
    return bool(gap > need + max(braking, 0.0))


@inner_kernel
def gap_ahead(work: Workspace, link: int, s: float) -> tuple[float, float]:
    """Gap from a place on a link to whatever is ahead or stands over it [m], and its speed [m/s]."""
    gap, ahead = work.link[link, REPORT.rear] - s, 0.0
    if work.link_ints[link, REPORT.rear_vehicle] >= 0:
        ahead = work.floats[_TRAFFIC.speed, work.link_ints[link, REPORT.rear_vehicle]]
    # the first in the list has the rear farthest back
    if work.body_span[link, SPAN_END] > work.body_span[link, SPAN_BEGIN]:
        other = work.obstruction_row[work.body_span[link, SPAN_BEGIN]]
        rear, speed = work.obstruction[_OBSTRUCTION.rear, other], work.obstruction[_OBSTRUCTION.speed, other]
        if rear - s < gap:
            gap, ahead = rear - s, max(speed, 0.0)
    return (gap, ahead)


@inner_kernel
def insert_vehicle(road: RoadArrays, work: Workspace, row: int, link: int, s: float, speed: float) -> None:
    """Put a vehicle on a link as if it had just come there."""
    floats, ints = work.state, work.state_ints
    ints[_TRAFFIC.present, row] = _ON_LANE
    ints[_TRAFFIC.link, row] = link
    for column in (_TRAFFIC.previous, _TRAFFIC.before_previous, _TRAFFIC.change_from, _TRAFFIC.cursor):
        ints[column, row] = -1
    floats[_TRAFFIC.s, row] = s
    floats[_TRAFFIC.speed, row] = speed
    for column in (_TRAFFIC.acceleration, _TRAFFIC.authority, _TRAFFIC.patience, _TRAFFIC.lateral):
        floats[column, row] = 0.0
    floats[_TRAFFIC.lateral_slope, row] = floats[_TRAFFIC.blocked_time, row] = 0.0
    ints[_TRAFFIC.passing, row] = 0
    work.link[link, REPORT.rear] = s - floats[_TRAFFIC.length, row]
    record = work.total[RECORDS]
    work.total[RECORDS] = record + 1
    work.vehicle_ints[record, VEHICLE.row] = row
    work.link_ints[link, REPORT.rear_vehicle] = record
    touch(work, link)
    write_pose(road, floats, ints, row, 0.0)
