"""The scratch arrays of one decision of all drivers: vehicles by link, and a report on each link for its drivers."""

from __future__ import annotations

from enum import IntFlag
from typing import NamedTuple

from dorosim.ground.column import Columns, FloatArray, IntArray, float64, int64
from dorosim.ground.jit import inner_kernel
from dorosim.ground.unit import METRE, METRE_PER_SECOND, METRE_PER_SECOND2, NONE, SECOND

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


class LinkReport(Columns):
    """Columns of `Workspace.link` and `link_ints`: what drivers have to know of a link.

    A vehicle holds a junction link while it has the authority to cross it, even if it is still before it.
    """

    rear = float64(METRE, "of the last body on the link, negative where it reaches to the link before; else UNBOUNDED")
    junction_rear = float64(METRE, "of the last vehicle that holds the link; UNBOUNDED for none")
    arrival_distance = float64(
        METRE, "to its start, of the nearest vehicle that comes without an authority; or UNBOUNDED"
    )
    waiting_time = float64(SECOND, "the longest of those that come without an authority")
    reserved = float64(METRE, "room at its start that the vehicles in the junction before it will take")
    emergency_place = float64(METRE, "of an emergency vehicle that comes on it, 0 before it; UNBOUNDED for none")

    rear_vehicle = int64("vehicle of `rear`, -1 for none")
    junction_vehicle = int64("vehicle of `junction_rear`, -1 for none, -2 for an obstruction")
    long_junction_vehicle = int64("vehicle of `long_junction_rear`, -1 for none, -2 for an obstruction")
    changed_to = int64("1 if a vehicle has just changed to the link")


class RareReport(Columns):
    """Columns of `Workspace.rare`: what else they have to know of few links."""

    long_junction_rear = float64(METRE, "of the last long vehicle that holds the link; UNBOUNDED for none")
    obstruction_stop = float64(METRE, "where the first obstructing vehicle on it comes to a halt; UNBOUNDED for none")
    arrival_speed = float64(METRE_PER_SECOND, "of the vehicle of `arrival_distance`")
    courtesy_place = float64(METRE, "where drivers on it stop to let a blocked vehicle beside them in; or UNBOUNDED")


class LinkEntry(Columns):
    """Columns of `Workspace.entry`: a vehicle on a link; one that changes lanes has two entries."""

    front = float64(METRE, "arc length on the link")
    rear = float64(METRE, "arc length on the link")


class VehicleRecord(Columns):
    """Columns of `Workspace.vehicle` and `vehicle_ints`: what a decision needs of a vehicle again and again.

    It takes three lines of a processor's caches. What is kept of a decision is in the second one: the last floats and
    the first ints. What few drivers ask for is read from `TrafficState`.
    """

    s = float64(METRE, "place of its front on its link")
    length = float64(METRE, "of the body")
    desired_speed = float64(NONE, "ratio of each link's limit, or, negative, a constant speed in m/s")
    standstill_gap = float64(METRE, "IDM: s0")
    time_gap = float64(SECOND, "IDM: T")
    acceleration = float64(METRE_PER_SECOND2, "IDM: a")
    deceleration = float64(METRE_PER_SECOND2, "IDM: b")
    braking_root = float64(METRE_PER_SECOND2, "IDM: 2 sqrt(a b)")
    change_threshold = float64(METRE_PER_SECOND2, "MOBIL: advantage below which it stays")
    waiting_time = float64(SECOND, "how long it has stood before a junction")
    stop_place = float64(METRE, "where it must stop, from the start of its link; UNBOUNDED for nowhere")
    authority = float64(METRE, "arc length up to which junctions are its own; changed while authorities are granted")
    speed = float64(METRE_PER_SECOND, "along the lane")
    chosen = float64(METRE_PER_SECOND2, "the acceleration that its driver has chosen, if it may drive off at once")

    special = int64("`Special`, and from `WAITING_SHIFT` bits on its `Waiting` of this decision")
    entry = int64("its entry on its link")
    source_link_entry = int64("its entry on the link that it leaves by a lane change, -1 for none")
    source_link = int64("the link that it leaves by a lane change, -1 for none")
    path_count = int64("how many links of `Workspace.path` it sees")
    row = int64("its row in `TrafficState`")
    previous_link = int64("the link driven before, -1 for none")
    counter = int64("links driven so far")
    route_index = int64("its place in its route, -1 for none")
    id = int64("of the actor")


class Special(IntFlag):
    """What vehicles do or may do, so that `TrafficState` need not be looked at for the others."""

    PASSES = 1
    """It passes something."""
    MAKES_ROOM = 2
    """It makes room for an emergency vehicle."""
    IS_PLAN = 4
    """It is the plan of an ego."""
    CHANGES = 8
    """It has just begun a lane change."""
    MAY_CHANGE = 16
    """Its driver changes lanes for its own advantage."""
    CONSIDERS = 32
    """Its driver considers a lane change in this decision."""
    STANDS = 64
    """It stands by a command."""
    LOOKS_AWAY = 128
    """Its driver looks elsewhere and keeps its acceleration."""


WAITING_SHIFT = 8
"""Bits of `Special`."""


REPORT, RARE, ENTRY, VEHICLE = LinkReport.at, RareReport.at, LinkEntry.at, VehicleRecord.at
"""Where the columns are in a row of the matrices of `Workspace`."""

SPAN_BEGIN, SPAN_END = 0, 1
"""Columns of spans: the first of what belongs to a link, and the one after the last; equal for none."""

BUSY, ENTRIES, RECORDS, MAKING_ROOM = range(4)
"""Of `Workspace.total`."""


class Workspace(NamedTuple):
    """Scratch of one decision; for N vehicles, L links and B obstructions.

    What belongs to one vehicle or link lies side by side, in a row. A vehicle has a *record*, which lies where its link
    is: vehicles that look at each other are neighbours, whatever rows they have in `TrafficState`. Wherever a decision
    says row or vehicle, that of the record is meant. Entries are sorted by link and place; lists of a part of the links
    are where its entries are.

    Between decisions spans are empty, reports say that nothing is known, and no mark is set, so that a decision has to
    do with the links that vehicles are on or look at, and not with all of them.

    Attributes:
        entry, entry_vehicle: `(2 N, 2)` and `(2 N,)` of each entry `LinkEntry` and its vehicle.
        entry_span, body_span, crossing_span: `(L, 2)` the entries of each link, its obstructions in `obstruction_row`,
            and its rows in `Crossing`.
        total: `(4,)` how many links have vehicles, how many entries there are, and how many records; 1 if a vehicle
            has made room for an emergency vehicle.
        busy: `(L,)` the links with vehicles, in order.
        busy_mark, busy_words: `(L,)` 1 for links with vehicles while these are listed; the same, eight in a word.
        touched, touched_words: likewise for links whose report is written.
        link, link_ints: `(L, 8)` and `(L, 16)` numbers and ints of `LinkReport`.
        rare: `(L, 4)` of `RareReport`.
        vehicle, vehicle_ints: `(2 N, ...)` numbers and ints of `VehicleRecord`.
        path: `(2 N, ...)` the links that each vehicle sees ahead, at most MAX_PATH_LINKS, the first of them its own.
        record: `(N,)` the record of each row of `TrafficState`, -1 for none.
        listed: `(MAX_TRAFFIC_PARTS, 3)` how long the next three lists of each part are.
        entering: `(2 N,)` twice the entries of vehicles that enter themselves on other links than their own, or that
            others have to see; 1 more for the first in a lane.
        asking, blocker: `(2 N,)` the entry of each link from which on its vehicles ask for junctions in turn, and place
            of the nearest vehicle before it that waits [m].
        deciding, outcome: `(2 N,)` entries of vehicles that may do more than follow, and `(2 N, OUTCOME_COLUMNS)` what
            `choose_acceleration` found besides the acceleration.
        obstruction_row: `(B,)` rows of obstructions, those of a link side by side, sorted by rear.
        floats, ints: of `TrafficState`, by records.
        state, state_ints: the same by rows.
        obstruction, crossing: the floats of `Obstruction` and `Crossing`, only read.
        roadside: `(9, B)` of `verge_kernel.RoadsideBody`: what is near vehicles on the verge, only read.
        permission: `(L,)` `Permission` to drive onto each link, only read.
    """

    entry: FloatArray
    entry_vehicle: IntArray
    entry_span: IntArray
    body_span: IntArray
    crossing_span: IntArray
    total: IntArray
    busy: IntArray
    busy_mark: IntArray
    busy_words: IntArray
    touched: IntArray
    touched_words: IntArray
    link: FloatArray
    link_ints: IntArray
    rare: FloatArray
    vehicle: FloatArray
    vehicle_ints: IntArray
    path: IntArray
    record: IntArray
    listed: IntArray
    entering: IntArray
    asking: IntArray
    blocker: FloatArray
    deciding: IntArray
    outcome: FloatArray
    obstruction_row: IntArray
    floats: FloatArray
    ints: IntArray
    state: FloatArray
    state_ints: IntArray
    obstruction: FloatArray
    crossing: FloatArray
    roadside: FloatArray
    permission: IntArray


@inner_kernel
def rows_of(link_ints: IntArray, link: int, column: int) -> range:
    """The rows of a link in another array, by the column of `link_ints` that says where they begin."""
    return range(link_ints[link, column], link_ints[link + 1, column])


@inner_kernel
def span_of(spans: IntArray, link: int) -> range:
    """What belongs to a link by its span: its entries, the one farthest back first; its obstructions; its crossings."""
    return range(spans[link, SPAN_BEGIN], spans[link, SPAN_END])


@inner_kernel
def touch(work: Workspace, link: int) -> None:
    """Say that the report on a link is written."""
    work.touched[link] = 1


@inner_kernel
def mark_changed(work: Workspace, link: int) -> None:
    """Let no other vehicle change to a link, or come in on it, in this decision."""
    touch(work, link)
    work.link_ints[link, REPORT.changed_to] = 1
