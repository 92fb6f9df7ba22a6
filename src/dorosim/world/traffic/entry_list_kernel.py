"""The lists of vehicles on each link, sorted by place, and the records of vehicles."""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.ground.prefetch_kernel import AHEAD, fetch
from dorosim.world.traffic.beside_kernel import fetch_sides, place_on_source_lane
from dorosim.world.traffic.decision_table_kernel import (
    BUSY,
    ENTRIES,
    ENTRY,
    LANE_CHANGE_PERIOD,
    MAKING_ROOM,
    RECORDS,
    SPAN_BEGIN,
    SPAN_END,
    UNBOUNDED,
    VEHICLE,
    Special,
    Workspace,
    span_of,
)
from dorosim.world.traffic.road import RoadArrays
from dorosim.world.traffic.state import Obstruction, Presence, SpeedMode, TrafficState
from dorosim.world.traffic.workspace_kernel import RECORD_WORDS

_MARKS = 8
"""Marks in a word."""

_LINE = 8
_ON_LANE = int(Presence.ON_LANE)
_CONSTANT = int(SpeedMode.CONSTANT)
_PASSES, _MAKES_ROOM, _IS_PLAN = int(Special.PASSES), int(Special.MAKES_ROOM), int(Special.IS_PLAN)
_MAY_CHANGE, _CONSIDERS = int(Special.MAY_CHANGE), int(Special.CONSIDERS)
_STANDS, _LOOKS_AWAY = int(Special.STANDS), int(Special.LOOKS_AWAY)
_TRAFFIC = TrafficState.at
_OBSTRUCTION = Obstruction.at


@inner_kernel
def list_busy_links(work: Workspace) -> None:
    """List the links with vehicles in order, and say where the entries of each will end; these were counted."""
    busy = entries = 0
    for word in range(work.busy_words.shape[0]):
        if work.busy_words[word] == 0:
            continue
        for link in range(_MARKS * word, min(_MARKS * (word + 1), work.link.shape[0])):
            if work.busy_mark[link] != 0:
                work.busy[busy] = link
                busy += 1
                entries += work.entry_span[link, SPAN_END]
                work.entry_span[link, SPAN_BEGIN] = work.entry_span[link, SPAN_END] = entries
        work.busy_words[word] = 0
    work.total[BUSY], work.total[ENTRIES], work.total[RECORDS] = busy, entries, entries
    work.total[MAKING_ROOM] = 0


@inner_kernel
def count_vehicles(work: Workspace) -> None:
    """Count the vehicles on each link, and list the links that have some."""
    for row in range(work.state_ints.shape[1]):
        if work.state_ints[_TRAFFIC.present, row] == _ON_LANE:
            link, old = work.state_ints[_TRAFFIC.link, row], work.state_ints[_TRAFFIC.change_from, row]
            work.entry_span[link, SPAN_END] += 1
            work.busy_mark[link] = 1
            if old >= 0:
                work.entry_span[old, SPAN_END] += 1
                work.busy_mark[old] = 1
    list_busy_links(work)


@inner_kernel
def place_vehicles(work: Workspace, begin: int, end: int) -> None:
    """List some rows of vehicles on their links, and give each its record, a place on its own link.

    Rows after these come first, so that on each link vehicles are listed in the order of their rows.
    """
    for row in range(end - 1, begin - 1, -1):
        work.record[row] = -1
        if work.state_ints[_TRAFFIC.present, row] == _ON_LANE:
            link, old = work.state_ints[_TRAFFIC.link, row], work.state_ints[_TRAFFIC.change_from, row]
            at = work.entry_span[link, SPAN_BEGIN] - 1
            work.entry_span[link, SPAN_BEGIN] = at
            work.record[row] = work.entry_vehicle[at] = at
            if old >= 0:
                beside = work.entry_span[old, SPAN_BEGIN] - 1
                work.entry_span[old, SPAN_BEGIN] = beside
                work.entry_vehicle[beside] = at


@inner_kernel
def fetch_record(work: Workspace, row: int) -> None:
    """Ask for the middle of the record of a row that comes `AHEAD` rows later."""
    if row + AHEAD < work.state_ints.shape[1]:
        fetch(work.vehicle, max(work.record[row + AHEAD], 0) * RECORD_WORDS + _LINE)


@inner_kernel
def fill_vehicles(road: RoadArrays, work: Workspace, begin: int, end: int, turn: int) -> None:
    """Copy what a decision needs of some rows of vehicles into their records."""
    for row in range(begin, end):
        if row + AHEAD < work.state_ints.shape[1]:
            later = max(work.record[row + AHEAD], 0) * RECORD_WORDS
            fetch(work.vehicle, later)
            fetch(work.vehicle, later + _LINE)
            fetch(work.vehicle, later + 2 * _LINE)
        if work.record[row] >= 0:
            fetch_sides(road, work.state_ints[_TRAFFIC.change_from, row])
            fill_vehicle(work, row, work.record[row], turn)


@inner_kernel
def desired_speed_code(floats: FloatArray, ints: IntArray, row: int) -> float:
    """What a driver wants: a ratio of each link's limit, or, negative, a constant speed [m/s]."""
    desired = floats[_TRAFFIC.desired_speed, row]
    return float(-desired if ints[_TRAFFIC.speed_mode, row] == _CONSTANT else desired)


@inner_kernel
def fill_vehicle(work: Workspace, row: int, record: int, turn: int) -> None:
    """Copy what a decision needs of a vehicle into its record."""
    floats, ints = work.state, work.state_ints
    work.vehicle_ints[record, VEHICLE.row] = row
    work.vehicle_ints[record, VEHICLE.entry] = work.vehicle_ints[record, VEHICLE.source_link_entry] = -1
    work.vehicle_ints[record, VEHICLE.source_link] = ints[_TRAFFIC.change_from, row]
    work.vehicle_ints[record, VEHICLE.previous_link] = ints[_TRAFFIC.previous, row]
    work.vehicle_ints[record, VEHICLE.id] = ints[_TRAFFIC.id, row]
    special = _PASSES if ints[_TRAFFIC.passing, row] != 0 else 0
    if ints[_TRAFFIC.making_room, row] != 0:
        special += _MAKES_ROOM
        work.total[MAKING_ROOM] = 1
    special += _IS_PLAN if ints[_TRAFFIC.plan_of_ego, row] != 0 else 0
    special += _MAY_CHANGE if ints[_TRAFFIC.may_change, row] == 1 else 0
    special += _CONSIDERS if (turn + ints[_TRAFFIC.id, row]) % LANE_CHANGE_PERIOD == 0 else 0
    if ints[_TRAFFIC.paused, row] != 0:
        special += _STANDS
    elif floats[_TRAFFIC.distraction, row] > 0.0:
        special += _LOOKS_AWAY
    work.vehicle_ints[record, VEHICLE.special] = special
    work.vehicle_ints[record, VEHICLE.counter] = ints[_TRAFFIC.counter, row]
    work.vehicle_ints[record, VEHICLE.route_index] = ints[_TRAFFIC.cursor, row]
    work.path[record, 0] = ints[_TRAFFIC.link, row]
    work.vehicle[record, VEHICLE.authority] = floats[_TRAFFIC.authority, row]
    work.vehicle[record, VEHICLE.waiting_time] = floats[_TRAFFIC.patience, row]
    work.vehicle[record, VEHICLE.change_threshold] = floats[_TRAFFIC.change_threshold, row]
    work.vehicle[record, VEHICLE.desired_speed] = desired_speed_code(floats, ints, row)
    work.vehicle[record, VEHICLE.stop_place] = UNBOUNDED
    a, b = floats[_TRAFFIC.comfortable_acceleration, row], floats[_TRAFFIC.comfortable_deceleration, row]
    work.vehicle[record, VEHICLE.s] = floats[_TRAFFIC.s, row]
    work.vehicle[record, VEHICLE.speed] = floats[_TRAFFIC.speed, row]
    work.vehicle[record, VEHICLE.length] = floats[_TRAFFIC.length, row]
    work.vehicle[record, VEHICLE.standstill_gap] = floats[_TRAFFIC.standstill_gap, row]
    work.vehicle[record, VEHICLE.time_gap] = floats[_TRAFFIC.time_gap, row]
    work.vehicle[record, VEHICLE.acceleration] = a
    work.vehicle[record, VEHICLE.deceleration] = b
    work.vehicle[record, VEHICLE.braking_root] = 2.0 * math.sqrt(a * b)


@inner_kernel
def sort_entries(road: RoadArrays, work: Workspace, link: int) -> None:
    """Sort the listed vehicles of a link by the places of their fronts; of equal ones the lower row comes first."""
    first = work.entry_span[link, SPAN_BEGIN]
    for listed in span_of(work.entry_span, link):
        row = work.entry_vehicle[listed]
        s = work.vehicle[row, VEHICLE.s]
        if work.path[row, 0] != link:
            s = place_on_source_lane(road, work.path[row, 0], link, s)
        at = listed
        while at > first and work.entry[at - 1, ENTRY.front] > s:
            work.entry[at, ENTRY.front] = work.entry[at - 1, ENTRY.front]
            work.entry[at, ENTRY.rear] = work.entry[at - 1, ENTRY.rear]
            work.entry_vehicle[at] = work.entry_vehicle[at - 1]
            at -= 1
        work.entry[at, ENTRY.front], work.entry_vehicle[at] = s, row
        work.entry[at, ENTRY.rear] = s - work.vehicle[row, VEHICLE.length]
    for at in span_of(work.entry_span, link):
        row = work.entry_vehicle[at]
        work.vehicle_ints[row, VEHICLE.entry if work.path[row, 0] == link else VEHICLE.source_link_entry] = at


@inner_kernel
def sort_obstructions(work: Workspace, ints: IntArray) -> None:
    """List the obstructions of each link, those with the rear farther back first."""
    count, rear = ints.shape[1], _OBSTRUCTION.rear
    for row in range(count):
        work.body_span[ints[_OBSTRUCTION.link, row], SPAN_END] += 1
    begin = 0
    for row in range(count):
        link = ints[_OBSTRUCTION.link, row]
        if work.body_span[link, SPAN_BEGIN] == 0:
            # counted, and not yet begun: until all are, places are one more than they are
            listed = work.body_span[link, SPAN_END]
            work.body_span[link, SPAN_BEGIN] = work.body_span[link, SPAN_END] = begin + 1
            begin += listed
    for row in range(count):
        link = ints[_OBSTRUCTION.link, row]
        first, at = work.body_span[link, SPAN_BEGIN] - 1, work.body_span[link, SPAN_END] - 1
        work.body_span[link, SPAN_END] += 1
        while at > first and work.obstruction[rear, work.obstruction_row[at - 1]] > work.obstruction[rear, row]:
            work.obstruction_row[at] = work.obstruction_row[at - 1]
            at -= 1
        work.obstruction_row[at] = row
    previous = -1
    for row in range(count):
        link = ints[_OBSTRUCTION.link, work.obstruction_row[row]]
        if link != previous:
            work.body_span[link, SPAN_BEGIN] -= 1
            work.body_span[link, SPAN_END] -= 1
        previous = link
