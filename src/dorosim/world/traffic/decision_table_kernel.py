"""The scratch arrays of one decision of all drivers: vehicles by link, and a report on each link for its drivers."""

from __future__ import annotations

import math
from enum import IntFlag
from typing import NamedTuple

from dorosim.ground.address_kernel import float_rows_at, floats_at, int_rows_at, ints_at
from dorosim.ground.column import Columns, FloatArray, IntArray, float64, int64
from dorosim.ground.jit import inner_kernel
from dorosim.ground.prefetch_kernel import AHEAD, fetch
from dorosim.ground.unit import METRE, METRE_PER_SECOND, METRE_PER_SECOND2, NONE, RATIO, SECOND
from dorosim.world.traffic.state import Obstruction, Presence, SpeedMode, TrafficState

MAX_PATH_LINKS = 10
"""The most links that a driver looks ahead."""

UNBOUNDED = 1e9
"""Farther than anything [m]."""

STANDING_SPEED = 0.5
"""A vehicle that is not faster than this counts as standing [m/s]."""

LANE_CHANGE_PERIOD = 5
"""Every driver considers a lane change once in so many decisions, in which of them depends on its id."""

MAX_TRAFFIC_PARTS = 48
"""The most parts into which links and vehicles are divided."""

_CACHE_LINE = 8
"""Numbers that a processor fetches at once."""

_ON_LANE = int(Presence.ON_LANE)
_TRAFFIC = TrafficState.at
_OBSTRUCTION = Obstruction.at
_CONSTANT = int(SpeedMode.CONSTANT)


class LinkReport(Columns):
    """Columns of `Workspace.link` and `link_ints`: what drivers have to know of a link.

    A vehicle holds a junction link while it has the authority to cross it, even if it is still before it.
    """

    rear = float64(METRE, "of the last body on the link, negative where it reaches to the link before; else UNBOUNDED")
    junction_rear = float64(METRE, "of the last vehicle that holds the link; UNBOUNDED for none")
    long_junction_rear = float64(METRE, "of the last long vehicle that holds the link; UNBOUNDED for none")
    obstruction_stop = float64(METRE, "where the first obstructing vehicle on it comes to a halt; UNBOUNDED for none")
    reserved = float64(METRE, "room at its start that the vehicles in the junction before it will take")
    arrival_distance = float64(
        METRE, "to its start, of the nearest vehicle that comes without an authority; or UNBOUNDED"
    )
    arrival_speed = float64(METRE_PER_SECOND, "of that vehicle")
    waiting_time = float64(SECOND, "the longest of those that come without an authority")
    emergency_place = float64(METRE, "of an emergency vehicle that comes on it, 0 before it; UNBOUNDED for none")
    courtesy_place = float64(METRE, "where drivers on it stop to let a blocked vehicle beside them in; or UNBOUNDED")

    obstruction_first = int64("where the link's obstructions begin in `Workspace.obstruction_row`")
    crossing_first = int64("where the link's rows begin in `Crossing`")
    changed_to = int64("1 if a vehicle has just changed to the link; before, how many obstructions are sorted in")
    long_junction_vehicle = int64("vehicle of `long_junction_rear`, -1 for none, -2 for an obstruction")
    junction_vehicle = int64("vehicle of `junction_rear`, -1 for none, -2 for an obstruction")
    rear_vehicle = int64("vehicle of `rear`, -1 for none")


class LinkEntry(Columns):
    """Columns of `Workspace.entry`: a vehicle on a link; one that changes lanes has two entries."""

    front = float64(METRE, "arc length on the link")
    rear = float64(METRE, "arc length on the link")


class VehicleRecord(Columns):
    """Columns of `Workspace.vehicle` and `vehicle_ints`: what a decision needs of a vehicle again and again."""

    s = float64(METRE, "place of its front on its link")
    speed = float64(METRE_PER_SECOND, "along the lane")
    length = float64(METRE, "of the body")
    authority = float64(METRE, "arc length up to which junctions are its own; changed while authorities are granted")
    waiting_time = float64(SECOND, "how long it has stood before a junction")
    desired_speed = float64(NONE, "ratio of each link's limit, or, negative, a constant speed in m/s")
    standstill_gap = float64(METRE, "IDM: s0")
    time_gap = float64(SECOND, "IDM: T")
    politeness = float64(RATIO, "MOBIL: p")
    acceleration = float64(METRE_PER_SECOND2, "IDM: a")
    deceleration = float64(METRE_PER_SECOND2, "IDM: b")
    braking_root = float64(METRE_PER_SECOND2, "IDM: 2 sqrt(a b)")
    stop_place = float64(METRE, "where it must stop, from the start of its link; UNBOUNDED for nowhere")
    chosen = float64(METRE_PER_SECOND2, "the acceleration that its driver has chosen, if it may drive off at once")

    entry = int64("its entry on its link, -1 for none")
    source_link_entry = int64("its entry on the link that it leaves by a lane change, -1 for none")
    source_link = int64("the link that it leaves by a lane change, -1 for none")
    previous_link = int64("the link driven before, -1 for none")
    second_previous_link = int64("the link driven before that, -1 for none")
    waiting = int64("its `Waiting` of the last decision")
    waits = int64("its `Waiting` of this decision")
    paused = int64("1 if it stands by a command, 2 if its driver looks elsewhere")
    special = int64("`Special`: what few vehicles do")
    considers_change = int64("1 if it considers a lane change in this decision")
    counter = int64("links driven so far")
    route_index = int64("its place in its route, -1 for none")
    path_count = int64("how many links of `Workspace.path` it sees")


class Special(IntFlag):
    """What few vehicles do, so that `TrafficState` need not be looked at for the others."""

    PASSES = 1
    """It passes something."""
    MAKES_ROOM = 2
    """It makes room for an emergency vehicle."""
    IS_PLAN = 4
    """It is the plan of an ego."""
    CHANGES = 8
    """It has just begun a lane change."""


REPORT, ENTRY, VEHICLE = LinkReport.at, LinkEntry.at, VehicleRecord.at
"""Where the columns are in a row of the matrices of `Workspace`."""


_REPORT_FLOATS, _REPORT_INTS = LinkReport.float_width, len(LinkReport.int_columns)
_VEHICLE_FLOATS, _VEHICLE_INTS = VehicleRecord.float_width, len(VehicleRecord.int_columns)
_ENTRY_FLOATS = LinkEntry.float_width
_LINK_ROW = 16
"""Numbers of a row with what drivers know of a link, a multiple of `_CACHE_LINE`."""
_VEHICLE_ROW = 40
"""The same of a vehicle: its record and, behind that, its path."""
_PASSES, _MAKES_ROOM, _IS_PLAN = int(Special.PASSES), int(Special.MAKES_ROOM), int(Special.IS_PLAN)
OUTCOME_COLUMNS = 4
"""Of `Workspace.outcome`."""


class Workspace(NamedTuple):
    """Scratch of one decision; for N vehicles, L links and B obstructions.

    What belongs to one vehicle or link lies side by side, in a row, since vehicles are visited in the order of their
    places. Rows are longer than what is in them: the numbers, ints and path of a vehicle are in one stretch of memory.
    Entries are sorted by link and place. Lists of a part of the links are where its entries are.

    Attributes:
        entry, entry_vehicle: `(2 N, 2)` and `(2 N,)` of each entry `LinkEntry` and the row of its vehicle.
        first: `(L + 2,)` where the entries of each link begin.
        link, link_ints: `(L, ...)` and `(L + 1, ...)` numbers and ints of `LinkReport`.
        vehicle, vehicle_ints: `(N, ...)` numbers and ints of `VehicleRecord`.
        path: `(N, ...)` the links that each vehicle sees ahead, at most MAX_PATH_LINKS, the first of them its own.
        listed: `(MAX_TRAFFIC_PARTS, 3)` how long the next three lists of each part are.
        entering: `(2 N,)` twice the entries of vehicles that enter themselves on other links than their own, or that
            others have to see; 1 more for the first in a lane.
        asking, blocker: `(2 N,)` the entry of each link from which on its vehicles ask for junctions in turn, and place
            of the nearest vehicle before it that waits [m].
        deciding, outcome: `(2 N,)` entries of vehicles that may do more than follow, and `(2 N, OUTCOME_COLUMNS)` what
            `choose_acceleration` found besides the acceleration.
        obstruction_row: `(B,)` rows of obstructions, sorted by link and rear.
        floats, ints: of `TrafficState`; decisions are written here.
        obstruction, crossing: the floats of `Obstruction` and `Crossing`, only read.
        roadside: `(9, B)` of `verge_kernel.RoadsideBody`: what is near vehicles on the verge, only read.
        permission: `(L,)` `Permission` to drive onto each link, only read.
    """

    entry: FloatArray
    entry_vehicle: IntArray
    first: IntArray
    link: FloatArray
    link_ints: IntArray
    vehicle: FloatArray
    vehicle_ints: IntArray
    path: IntArray
    listed: IntArray
    entering: IntArray
    asking: IntArray
    blocker: FloatArray
    deciding: IntArray
    outcome: FloatArray
    obstruction_row: IntArray
    floats: FloatArray
    ints: IntArray
    obstruction: FloatArray
    crossing: FloatArray
    roadside: FloatArray
    permission: IntArray


@inner_kernel
def workspace_words(vehicles: int, links: int, obstructions: int) -> int:
    """How many numbers the scratch of a decision takes."""
    rows = (links + 1) * _LINK_ROW + vehicles * _VEHICLE_ROW + 2 * vehicles * (_ENTRY_FLOATS + 5 + OUTCOME_COLUMNS)
    return rows + links + 2 + MAX_TRAFFIC_PARTS * _CACHE_LINE + obstructions + _CACHE_LINE


@inner_kernel
def workspace_in(
    space: int,
    links: int,
    floats: FloatArray,
    ints: IntArray,
    obstruction: FloatArray,
    crossing: FloatArray,
    roadside: FloatArray,
    permission: IntArray,
) -> Workspace:
    """Scratch in memory at an address, not yet filled, and what the decision is about."""
    vehicles = ints.shape[1]
    entries = 2 * vehicles
    report = (space + 8 * _CACHE_LINE - 1) // (8 * _CACHE_LINE) * (8 * _CACHE_LINE)
    record = report + 8 * (links + 1) * _LINK_ROW
    listed = record + 8 * vehicles * _VEHICLE_ROW
    entry = listed + 8 * MAX_TRAFFIC_PARTS * _CACHE_LINE
    lists = entry + 8 * entries * (_ENTRY_FLOATS + OUTCOME_COLUMNS)
    first = lists + 8 * 5 * entries
    return Workspace(
        float_rows_at(entry, entries, _ENTRY_FLOATS),
        ints_at(lists, entries),
        ints_at(first, links + 2),
        float_rows_at(report + 8 * _REPORT_INTS, links, _LINK_ROW),
        int_rows_at(report, links + 1, _LINK_ROW),
        float_rows_at(record, vehicles, _VEHICLE_ROW),
        int_rows_at(record + 8 * _VEHICLE_FLOATS, vehicles, _VEHICLE_ROW),
        int_rows_at(record + 8 * (_VEHICLE_FLOATS + _VEHICLE_INTS), vehicles, _VEHICLE_ROW),
        int_rows_at(listed, MAX_TRAFFIC_PARTS, _CACHE_LINE),
        ints_at(lists + 8 * entries, entries),
        ints_at(lists + 16 * entries, entries),
        floats_at(lists + 24 * entries, entries),
        ints_at(lists + 32 * entries, entries),
        float_rows_at(entry + 8 * entries * _ENTRY_FLOATS, entries, OUTCOME_COLUMNS),
        ints_at(first + 8 * (links + 2), obstruction.shape[1]),
        floats,
        ints,
        obstruction,
        crossing,
        roadside,
        permission,
    )


@inner_kernel
def begin_lists(work: Workspace, column: int) -> None:
    """Turn the lengths of the lists before each link, in a column of `link_ints`, to where each list begins."""
    for link in range(work.link.shape[0]):
        work.link_ints[link + 1, column] += work.link_ints[link, column]
        work.link_ints[link, REPORT.changed_to] = 0


@inner_kernel
def rows_of(link_ints: IntArray, link: int, column: int) -> range:
    """The rows of a link in another array, by the column of `link_ints` that says where they begin."""
    return range(link_ints[link, column], link_ints[link + 1, column])


@inner_kernel
def entries_of(work: Workspace, link: int) -> range:
    """The entries of a link, the one farthest back first."""
    return range(work.first[link], work.first[link + 1])


@inner_kernel
def entry_weight(work: Workspace, link: int) -> int:
    """How much work all links before a link are: four links without vehicles are as much as a vehicle."""
    return int(4 * work.first[link] + link)


@inner_kernel
def fetch_vehicle(work: Workspace, at: int) -> None:
    """Ask for what the decision knows of the vehicle of an entry that comes `AHEAD` entries later."""
    later = at + AHEAD
    if later < work.first[work.link.shape[0]]:
        record = work.entry_vehicle[later] * _VEHICLE_ROW
        fetch(work.vehicle, record)
        fetch(work.vehicle, record + _CACHE_LINE)
        fetch(work.vehicle, record + 2 * _CACHE_LINE)
        fetch(work.vehicle, record + 3 * _CACHE_LINE)


@inner_kernel
def desired_speed_code(floats: FloatArray, ints: IntArray, row: int) -> float:
    """What a driver wants: a ratio of each link's limit, or, negative, a constant speed [m/s]."""
    desired = floats[_TRAFFIC.desired_speed, row]
    return float(-desired if ints[_TRAFFIC.speed_mode, row] == _CONSTANT else desired)


@inner_kernel
def fill_vehicle(work: Workspace, row: int, turn: int) -> None:
    """Copy what a decision needs of a vehicle into its record."""
    work.vehicle_ints[row, VEHICLE.source_link] = work.ints[_TRAFFIC.change_from, row]
    work.vehicle_ints[row, VEHICLE.previous_link] = work.ints[_TRAFFIC.previous, row]
    work.vehicle_ints[row, VEHICLE.second_previous_link] = work.ints[_TRAFFIC.before_previous, row]
    work.vehicle_ints[row, VEHICLE.waiting] = work.ints[_TRAFFIC.waiting, row]
    looks_away = 2 if work.floats[_TRAFFIC.distraction, row] > 0.0 else 0
    work.vehicle_ints[row, VEHICLE.paused] = 1 if work.ints[_TRAFFIC.paused, row] != 0 else looks_away
    special = _PASSES if work.ints[_TRAFFIC.passing, row] != 0 else 0
    special += _MAKES_ROOM if work.ints[_TRAFFIC.making_room, row] != 0 else 0
    special += _IS_PLAN if work.ints[_TRAFFIC.plan_of_ego, row] != 0 else 0
    work.vehicle_ints[row, VEHICLE.special] = special
    now = (turn + work.ints[_TRAFFIC.id, row]) % LANE_CHANGE_PERIOD == 0
    work.vehicle_ints[row, VEHICLE.considers_change] = 1 if now else 0
    work.vehicle_ints[row, VEHICLE.counter] = work.ints[_TRAFFIC.counter, row]
    work.vehicle_ints[row, VEHICLE.route_index] = work.ints[_TRAFFIC.cursor, row]
    work.path[row, 0] = work.ints[_TRAFFIC.link, row]
    work.vehicle[row, VEHICLE.authority] = work.floats[_TRAFFIC.authority, row]
    work.vehicle[row, VEHICLE.waiting_time] = work.floats[_TRAFFIC.patience, row]
    work.vehicle[row, VEHICLE.desired_speed] = desired_speed_code(work.floats, work.ints, row)
    work.vehicle[row, VEHICLE.stop_place] = UNBOUNDED
    a, b = work.floats[_TRAFFIC.comfortable_acceleration, row], work.floats[_TRAFFIC.comfortable_deceleration, row]
    work.vehicle[row, VEHICLE.s] = work.floats[_TRAFFIC.s, row]
    work.vehicle[row, VEHICLE.speed] = work.floats[_TRAFFIC.speed, row]
    work.vehicle[row, VEHICLE.length] = work.floats[_TRAFFIC.length, row]
    work.vehicle[row, VEHICLE.standstill_gap] = work.floats[_TRAFFIC.standstill_gap, row]
    work.vehicle[row, VEHICLE.time_gap] = work.floats[_TRAFFIC.time_gap, row]
    work.vehicle[row, VEHICLE.politeness] = work.floats[_TRAFFIC.politeness, row]
    work.vehicle[row, VEHICLE.acceleration] = a
    work.vehicle[row, VEHICLE.deceleration] = b
    work.vehicle[row, VEHICLE.braking_root] = 2.0 * math.sqrt(a * b)


@inner_kernel
def sort_obstructions(work: Workspace, ints: IntArray) -> None:
    """List the obstructions of each link, those with the rear farther back first."""
    count, rear = ints.shape[1], _OBSTRUCTION.rear
    if count == 0:
        return
    for row in range(count):
        work.link_ints[ints[_OBSTRUCTION.link, row] + 1, REPORT.obstruction_first] += 1
    begin_lists(work, REPORT.obstruction_first)
    for row in range(count):
        link = ints[_OBSTRUCTION.link, row]
        first = work.link_ints[link, REPORT.obstruction_first]
        at = first + work.link_ints[link, REPORT.changed_to]
        work.link_ints[link, REPORT.changed_to] += 1
        while at > first and work.obstruction[rear, work.obstruction_row[at - 1]] > work.obstruction[rear, row]:
            work.obstruction_row[at] = work.obstruction_row[at - 1]
            at -= 1
        work.obstruction_row[at] = row
    for row in range(count):
        work.link_ints[ints[_OBSTRUCTION.link, row], REPORT.changed_to] = 0
