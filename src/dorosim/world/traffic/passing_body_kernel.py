"""Vehicles that pass, as those on the lanes beside see them: as obstructions there."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.world.traffic.lane_beside_kernel import lane_beyond, station_at
from dorosim.world.traffic.road import BESIDE, LINK, RoadArrays
from dorosim.world.traffic.state import Obstruction, Passing, Presence, TrafficState

RETURN_LENGTH = 12.0
"""Oncoming drivers leave so much room before the place at which a vehicle begins to go back to its lane [m]."""

_TRAFFIC = TrafficState.at
_OBSTRUCTION = Obstruction.at
_ON_LANE = int(Presence.ON_LANE)
_LANE_BESIDE, _ONCOMING_LANE = int(Passing.LANE_BESIDE), int(Passing.ONCOMING_LANE)


@outlined_kernel
def with_passing_bodies(
    road: RoadArrays, floats: FloatArray, ints: IntArray, obstruction: FloatArray, obstruction_ints: IntArray
) -> tuple[FloatArray, IntArray]:
    """Obstructions and, behind them, those of vehicles that pass over lanes beside: front and rear on each lane.

    To oncoming drivers it covers the way on which it will come back, too, so that they stop before that.
    """
    count, rows = obstruction.shape[1], 0
    for row in range(ints.shape[1]):
        if ints[_TRAFFIC.passing, row] >= _LANE_BESIDE and ints[_TRAFFIC.present, row] == _ON_LANE:
            rows += 4
    found, found_ints = np.empty((obstruction.shape[0], count + rows)), np.empty((1, count + rows), np.int64)
    for at in range(count):
        for column in range(obstruction.shape[0]):
            found[column, at] = obstruction[column, at]
        found_ints[0, at] = obstruction_ints[0, at]
    if rows == 0:
        return found, found_ints
    for row in range(ints.shape[1]):
        if ints[_TRAFFIC.passing, row] >= _LANE_BESIDE and ints[_TRAFFIC.present, row] == _ON_LANE:
            count = add_passing_body(road, floats, ints, row, found, found_ints, count)
    return found[:, :count].copy(), found_ints[:, :count].copy()


@outlined_kernel
def add_passing_body(
    road: RoadArrays, floats: FloatArray, ints: IntArray, row: int, found: FloatArray, found_ints: IntArray, count: int
) -> int:
    """Write the rows of a vehicle that passes. Returns the number of rows then."""
    link, s = ints[_TRAFFIC.link, row], floats[_TRAFFIC.s, row]
    side = 0 if floats[_TRAFFIC.pass_lateral, row] > 0.0 else 1
    half = 0.5 * floats[_TRAFFIC.width, row]
    aside = floats[_TRAFFIC.pass_lateral, row]
    if s > floats[_TRAFFIC.pass_end, row]:
        aside = floats[_TRAFFIC.lateral, row]
    written = -1
    for end in range(2):
        here, place = link, s
        if end == 1:
            place -= floats[_TRAFFIC.length, row]
            if place < 0.0 and ints[_TRAFFIC.previous, row] >= 0:
                here = ints[_TRAFFIC.previous, row]
                place += road.link[here, LINK.length]
        at = station_at(road, here, place, side)
        if at < 0 or road.beside[at, BESIDE.link] < 0.0 or int(road.beside[at, BESIDE.link]) == written:
            continue
        written = int(road.beside[at, BESIDE.link])
        first = road.station_first[here]
        stations = road.station_first[here + 1] - first
        station = (at // 2 - first) * road.link[here, LINK.length] / max(stations - 1, 1)
        ahead = place + end * floats[_TRAFFIC.length, row] - station
        centre = road.beside[at, BESIDE.distance] * (1.0 if side == 0 else -1.0)
        lane = (written, road.beside[at, BESIDE.direction], road.beside[at, BESIDE.place], centre)
        add_body_on_lane(floats, row, lane, ahead, aside, found, found_ints, count)
        count += 1
        if max(abs(floats[_TRAFFIC.lateral, row]), abs(aside)) + half > road.beside[at, BESIDE.room]:
            beyond = lane_beyond(road, at)
            if beyond[0] >= 0:
                add_body_on_lane(floats, row, beyond, ahead, aside, found, found_ints, count)
                count += 1
    return count


@inner_kernel
def add_body_on_lane(
    floats: FloatArray,
    row: int,
    lane: tuple[int, float, float, float],
    ahead: float,
    aside: float,
    found: FloatArray,
    found_ints: IntArray,
    count: int,
) -> None:
    """Write the row `count` of a vehicle that passes on a lane as of `lane_beyond`.

    Args:
        floats: the table of the vehicles.
        row: of the vehicle.
        lane: the row of the lane, its direction against that of the vehicle's own, the place on it that is level with a
            station of that, and its middle from that of the own lane, left positive [m].
        ahead: how far beyond the station the vehicle's front is [m].
        aside: the offset from the own lane to which the vehicle goes [m].
        found: the obstructions.
        found_ints: likewise.
        count: the row to write.
    """
    other, direction, level, centre = lane
    half, behind = 0.5 * floats[_TRAFFIC.width, row], ahead - floats[_TRAFFIC.length, row]
    if direction < 0.0:
        left = floats[_TRAFFIC.pass_end, row] - floats[_TRAFFIC.s, row]
        ahead += max(left, 0.0) + (RETURN_LENGTH if left > 0.0 else 2.0)
    front, rear = level + direction * ahead, level + direction * behind
    here, there = direction * (floats[_TRAFFIC.lateral, row] - centre), direction * (aside - centre)
    found_ints[0, count] = other
    found[_OBSTRUCTION.rear, count], found[_OBSTRUCTION.front, count] = min(front, rear), max(front, rear)
    found[_OBSTRUCTION.right, count] = min(here, there) - half
    found[_OBSTRUCTION.left, count] = max(here, there) + half
    found[_OBSTRUCTION.emergency, count] = 0.0
    found[_OBSTRUCTION.passing_vehicle, count] = row + 1.0
    found[_OBSTRUCTION.speed, count] = direction * floats[_TRAFFIC.speed, row]
