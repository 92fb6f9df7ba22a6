"""The scratch arrays of one decision of all drivers: vehicles by link, and a report on each link for its drivers."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.beside_kernel import place_on_old_lane
from dorosim.world.traffic.road import RoadArrays
from dorosim.world.traffic.state import Obstruction, Presence, SpeedMode, TrafficState

PATH = 10
"""The most links that a driver looks ahead."""

FAR = 1e9
"""Farther than anything [m]."""

TURNS = 5
"""Every driver considers a lane change once in so many decisions, in which of them depends on its id."""

_ON_LANE = int(Presence.ON_LANE)
_TRAFFIC = TrafficState.at
_OBSTRUCTION = Obstruction.at
_CONSTANT = int(SpeedMode.CONSTANT)


TAIL, ZONE_TAIL, LONG_TAIL, BARRIER, RESERVED, ARRIVE_WAY, ARRIVE_SPEED, CLAIM = range(8)
"""Columns of `report`: rear of the last body on the link [m], negative where it reaches to the link before, FAR for
none; the same of the vehicles with the authority to cross it, also if they are still before it, and of the long ones
among them; room from its start to where the first obstructing vehicle on it comes to a halt [m], FAR for none; room at
its start that the vehicles in the junction before it will take [m]; the nearest vehicle that comes to the junction
without an authority: its way to the link's start [m], FAR for none, its speed [m/s], and the longest waiting time of
such vehicles [s]."""

FIRST, OBSTRUCTION, CROSSING, TAIL_ROW, ZONE_ROW, LONG_ROW, TAKEN = range(7)
"""Columns of `owner`: where the link's entries, obstructions and crossings begin; rows of the vehicles to which TAIL,
ZONE_TAIL and LONG_TAIL belong, -1 for none, -2 for an obstruction; 1 if a vehicle has just changed to the link."""

FRONT, REAR = range(2)
"""Columns of `entry`: places on the link [m]."""

SLOT, SHADOW, OLD, BEHIND, FARTHER, CODE, PAUSED, THINKS, DRIVEN, AIM, PATH_COUNT, PATH_START = range(12)
"""Columns of `sight`: its entries on its link and on the link that it leaves (-1: none); that link; the links driven
before, and before that (-1: none); its `Waiting`; 1 if it is paused; 1 if it considers a lane change in this decision;
how many links it has driven; its place in its route; how many links it sees, and the first of these, its own."""

PLACE, SPEED, BODY, AUTHORITY, WAITED, WISH, GAP, HEADWAY, GAIN, BRAKE, ROOT = range(11)
"""Columns of `driver`: place of its front on its link [m], speed [m/s], length [m], authority [m] (this one is written
while authorities are given), patience [s], desired speed (over the limit, or negative: [m/s]), and of the IDM s0 [m],
T [s], a, b [m/s²] and 2 sqrt(a b) [m/s²]."""


class Work(NamedTuple):
    """Scratch of one decision; made for N vehicles, L links and B obstructions by `make_work`.

    An entry is a vehicle on a link; one that changes lanes has two. Entries are sorted by link and place.

    Attributes:
        entry: `(2 N, 2)`, occupant: `(2 N,)` of each entry, its places and the row of its vehicle.
        report: `(L, 8)`, owner: `(L + 1, 7)` of each link.
        sight: `(N, PATH_START + PATH)`, driver: `(N, 11)` of each vehicle: what is needed of it again and again, side
            by side, since vehicles are visited in the order of their places.
        wall: `(N,)` where each must stop, on its path from the start of its link [m], FAR for nowhere.
        barrier: `(B,)` rows of obstructions, sorted by link and rear.
        filled: `(L,)` entries put into each list so far.
    """

    entry: FloatArray
    occupant: IntArray
    report: FloatArray
    owner: IntArray
    sight: IntArray
    driver: FloatArray
    wall: FloatArray
    barrier: IntArray
    filled: IntArray


def make_work(vehicles: int, links: int, obstructions: int) -> Work:
    """Scratch, not yet filled; `clear` resets it."""
    return Work(
        entry=np.empty((2 * vehicles, 2)),
        occupant=np.empty(2 * vehicles, np.int64),
        report=np.empty((links, 8)),
        owner=np.empty((links + 1, 7), np.int64),
        sight=np.empty((vehicles, PATH_START + PATH), np.int64),
        driver=np.empty((vehicles, 11)),
        wall=np.empty(vehicles),
        barrier=np.empty(obstructions, np.int64),
        filled=np.empty(links, np.int64),
    )


@inner_kernel
def clear(work: Work) -> None:
    """Reset the reports on links and the walls of vehicles to nothing known."""
    links = work.report.shape[0]
    for link in range(links):
        for column in range(8):
            work.report[link, column] = 0.0 if column in (RESERVED, ARRIVE_SPEED, CLAIM) else FAR
    for link in range(links + 1):
        work.owner[link, FIRST] = work.owner[link, OBSTRUCTION] = 0
        work.owner[link, CROSSING] = work.owner[link, TAKEN] = 0
        work.owner[link, TAIL_ROW] = work.owner[link, ZONE_ROW] = work.owner[link, LONG_ROW] = -1
    for row in range(work.wall.shape[0]):
        work.wall[row] = FAR


@inner_kernel
def insert_entry(work: Work, link: int, row: int, s: float, tail: float) -> int:
    """Put an entry into its link's list, after the entries whose front is not farther; returns its index."""
    at = work.owner[link, FIRST] + work.filled[link]
    work.filled[link] += 1
    while at > work.owner[link, FIRST] and work.entry[at - 1, FRONT] > s:
        work.entry[at, FRONT], work.entry[at, REAR], work.occupant[at] = (
            work.entry[at - 1, FRONT],
            work.entry[at - 1, REAR],
            work.occupant[at - 1],
        )
        at -= 1
    work.entry[at, FRONT], work.entry[at, REAR], work.occupant[at] = (s, tail, row)
    found: int = at
    return found


@inner_kernel
def describe_driver(work: Work, floats: FloatArray, ints: IntArray, row: int, turn: int) -> None:
    """Copy what a decision needs of a vehicle into `work.sight` and `work.driver`."""
    work.sight[row, OLD] = ints[_TRAFFIC.change_from, row]
    work.sight[row, BEHIND] = ints[_TRAFFIC.previous, row]
    work.sight[row, FARTHER] = ints[_TRAFFIC.before_previous, row]
    work.sight[row, CODE] = ints[_TRAFFIC.waiting, row]
    work.sight[row, PAUSED] = ints[_TRAFFIC.paused, row]
    work.sight[row, THINKS] = 1 if (turn + ints[_TRAFFIC.id, row]) % TURNS == 0 else 0
    work.sight[row, DRIVEN] = ints[_TRAFFIC.counter, row]
    work.sight[row, AIM] = ints[_TRAFFIC.cursor, row]
    work.sight[row, PATH_START] = ints[_TRAFFIC.link, row]
    work.driver[row, AUTHORITY] = floats[_TRAFFIC.authority, row]
    work.driver[row, WAITED] = floats[_TRAFFIC.patience, row]
    work.driver[row, WISH] = (
        -floats[_TRAFFIC.desired_speed, row]
        if ints[_TRAFFIC.speed_mode, row] == _CONSTANT
        else floats[_TRAFFIC.desired_speed, row]
    )
    a, b = floats[_TRAFFIC.comfortable_acceleration, row], floats[_TRAFFIC.comfortable_deceleration, row]
    work.driver[row, PLACE] = floats[_TRAFFIC.s, row]
    work.driver[row, SPEED] = floats[_TRAFFIC.speed, row]
    work.driver[row, BODY] = floats[_TRAFFIC.length, row]
    work.driver[row, GAP] = floats[_TRAFFIC.standstill_gap, row]
    work.driver[row, HEADWAY] = floats[_TRAFFIC.time_gap, row]
    work.driver[row, GAIN] = a
    work.driver[row, BRAKE] = b
    work.driver[row, ROOT] = 2.0 * math.sqrt(a * b)


@inner_kernel
def sort_vehicles(road: RoadArrays, work: Work, floats: FloatArray, ints: IntArray, turn: int) -> None:
    """Fill the lists of entries: a counting sort by link and an insertion sort within."""
    links, rows = (road.lane.shape[0], ints.shape[1])
    clear(work)
    for row in range(rows):
        work.sight[row, SLOT] = -1
        work.sight[row, SHADOW] = -1
        if ints[_TRAFFIC.present, row] == _ON_LANE:
            describe_driver(work, floats, ints, row, turn)
            work.owner[ints[_TRAFFIC.link, row] + 1, FIRST] += 1
            if ints[_TRAFFIC.change_from, row] >= 0:
                work.owner[ints[_TRAFFIC.change_from, row] + 1, FIRST] += 1
    for link in range(links):
        work.owner[link + 1, FIRST] += work.owner[link, FIRST]
        work.filled[link] = 0
    for row in range(rows):
        if ints[_TRAFFIC.present, row] == _ON_LANE:
            link, old, s = (ints[_TRAFFIC.link, row], ints[_TRAFFIC.change_from, row], floats[_TRAFFIC.s, row])
            insert_entry(work, link, row, s, s - floats[_TRAFFIC.length, row])
            if old >= 0:
                beside = place_on_old_lane(road, link, old, s)
                insert_entry(work, old, row, beside, beside - floats[_TRAFFIC.length, row])
    for link in range(links):
        for at in range(work.owner[link, FIRST], work.owner[link + 1, FIRST]):
            row = work.occupant[at]
            work.sight[row, SLOT if work.sight[row, PATH_START] == link else SHADOW] = at


@inner_kernel
def sort_obstructions(work: Work, floats: FloatArray, ints: IntArray) -> None:
    """List the obstructions of each link, those with the rear farther back first."""
    count, links = (ints.shape[1], work.owner.shape[0] - 1)
    if count == 0:
        return
    for row in range(count):
        work.owner[ints[_OBSTRUCTION.link, row] + 1, OBSTRUCTION] += 1
    for link in range(links):
        work.owner[link + 1, OBSTRUCTION] += work.owner[link, OBSTRUCTION]
        work.filled[link] = 0
    for row in range(count):
        link = ints[_OBSTRUCTION.link, row]
        first = work.owner[link, OBSTRUCTION]
        at = first + work.filled[link]
        work.filled[link] += 1
        while at > first and floats[_OBSTRUCTION.rear, work.barrier[at - 1]] > floats[_OBSTRUCTION.rear, row]:
            work.barrier[at] = work.barrier[at - 1]
            at -= 1
        work.barrier[at] = row
