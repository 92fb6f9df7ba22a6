"""Vehicles that pass, as those on the lanes beside see them: as obstructions there."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import outlined_kernel
from dorosim.world.traffic.pass_room_kernel import station_at
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
    """Obstructions and, behind them, two rows for each vehicle that passes over a lane beside: its front and its rear.

    To oncoming drivers it covers the way on which it will come back, too, so that they stop before that.
    """
    count, rows = obstruction.shape[1], 0
    for row in range(ints.shape[1]):
        if ints[_TRAFFIC.passing, row] >= _LANE_BESIDE and ints[_TRAFFIC.present, row] == _ON_LANE:
            rows += 2
    found, found_ints = np.empty((obstruction.shape[0], count + rows)), np.empty((1, count + rows), np.int64)
    for at in range(count):
        for column in range(obstruction.shape[0]):
            found[column, at] = obstruction[column, at]
        found_ints[0, at] = obstruction_ints[0, at]
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
    now, aside = floats[_TRAFFIC.lateral, row], floats[_TRAFFIC.pass_lateral, row]
    if s > floats[_TRAFFIC.pass_end, row]:
        aside = now
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
        direction = road.beside[at, BESIDE.direction]
        ahead = place if end == 0 else place + floats[_TRAFFIC.length, row]
        behind = ahead - floats[_TRAFFIC.length, row]
        if direction < 0.0:
            left = floats[_TRAFFIC.pass_end, row] - s
            ahead += max(left, 0.0) + (RETURN_LENGTH if left > 0.0 else 2.0)
        front = road.beside[at, BESIDE.place] + direction * (ahead - station)
        rear = road.beside[at, BESIDE.place] + direction * (behind - station)
        found_ints[0, count] = written
        found[_OBSTRUCTION.rear, count], found[_OBSTRUCTION.front, count] = min(front, rear), max(front, rear)
        centre = road.beside[at, BESIDE.distance] * (1.0 if side == 0 else -1.0)
        one, other = direction * (now - centre), direction * (aside - centre)
        found[_OBSTRUCTION.right, count] = min(one, other) - half
        found[_OBSTRUCTION.left, count] = max(one, other) + half
        found[_OBSTRUCTION.emergency, count] = 0.0
        found[_OBSTRUCTION.passing_vehicle, count] = row + 1.0
        found[_OBSTRUCTION.speed, count] = direction * floats[_TRAFFIC.speed, row]
        count += 1
    return count
