"""Where a kinematic agent is on its way, and whether it is on a lane."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.sensor.agent.kinematic.state import BicycleNumbers, KinematicState, LaneTables, MapPoint
from dorosim.sensor.agent.reward_kernel import OFF_ROAD_MARGIN
from dorosim.sensor.agent.way_kernel import STANDING_AGENT_SPEED

_S = KinematicState.at
_X, _Y, _Z = int(MapPoint.X), int(MapPoint.Y), int(MapPoint.Z)
_TANGENT_X, _TANGENT_Y = int(MapPoint.TANGENT_X), int(MapPoint.TANGENT_Y)
_LEFT, _RIGHT = int(MapPoint.LEFT), int(MapPoint.RIGHT)
LANE_LEVEL = 4.0
"""Lanes and vehicles higher or lower than this are on another level [m]."""
MAX_POINTS_IN_TICK = 64
"""An agent passes no more points of its way in a tick."""
LANE_LOOK = 6.5
"""Lanes are no wider, from their middle with the margin and half of a segment, than this [m]."""


@inner_kernel
def _along(lanes: LaneTables, point: int, x: float, y: float) -> float:
    """How far along a segment the foot of a place is, as a share of its chord."""
    dx, dy = lanes.point[point + 1, _X] - lanes.point[point, _X], lanes.point[point + 1, _Y] - lanes.point[point, _Y]
    to_x, to_y = x - lanes.point[point, _X], y - lanes.point[point, _Y]
    return float((to_x * dx + to_y * dy) / max(dx * dx + dy * dy, 1e-12))


@inner_kernel
def _find_segment(
    lanes: LaneTables, way: NDArray[np.int32], state: FloatArray, ints: IntArray, a: int
) -> tuple[int, float]:
    """The segment of its way on which an agent is, and the share of it that it has passed; its place is written."""
    x, y = state[_S.x, a], state[_S.y, a]
    part, point, begin = ints[_S.part, a], ints[_S.point, a], state[_S.begin, a]
    share, moved = _along(lanes, point, x, y), False
    for _ in range(MAX_POINTS_IN_TICK):
        if share <= 1.0:
            break
        link = way[a, part]
        if point + 2 < lanes.first[link + 1]:
            point += 1
        elif part + 1 < ints[_S.parts, a]:
            begin += lanes.length[link]
            part += 1
            point = lanes.first[way[a, part]]
        else:
            break
        share, moved = _along(lanes, point, x, y), True
    if not moved:
        for _ in range(MAX_POINTS_IN_TICK):
            if share >= 0.0:
                break
            link = way[a, part]
            if point > lanes.first[link]:
                point -= 1
            elif part > 0:
                part -= 1
                link = way[a, part]
                begin -= lanes.length[link]
                point = lanes.first[link + 1] - 2
            else:
                break
            share = _along(lanes, point, x, y)
    ints[_S.part, a], ints[_S.point, a], state[_S.begin, a] = part, point, begin
    return point, share


@inner_kernel
def follow(
    lanes: LaneTables, car: BicycleNumbers, way: NDArray[np.int32], state: FloatArray, ints: IntArray, a: int
) -> None:
    """Write where an agent is on its way, and how high the road is there.

    Args:
        lanes: of the map.
        car: its vehicle.
        way: `(A, MAX_WAY_LINKS)` links of the ways.
        state: float block of `KinematicState`.
        ints: its int block.
        a: row of the agent there.
    """
    point, share = _find_segment(lanes, way, state, ints, a)
    table, link = lanes.point, way[a, ints[_S.part, a]]
    dx, dy = table[point + 1, _X] - table[point, _X], table[point + 1, _Y] - table[point, _Y]
    to_x, to_y = state[_S.x, a] - table[point, _X], state[_S.y, a] - table[point, _Y]
    place = min(max(share, 0.0), 1.0)
    rest = 1.0 - place
    tangent_x = rest * table[point, _TANGENT_X] + place * table[point + 1, _TANGENT_X]
    tangent_y = rest * table[point, _TANGENT_Y] + place * table[point + 1, _TANGENT_Y]
    scale = 1.0 / max(math.sqrt(tangent_x * tangent_x + tangent_y * tangent_y), 1e-9)
    cosine, sine = state[_S.cosine, a], state[_S.sine, a]
    error_cosine = scale * (cosine * tangent_x + sine * tangent_y)
    state[_S.error_cosine, a] = error_cosine
    state[_S.error_sine, a] = scale * (sine * tangent_x - cosine * tangent_y)
    state[_S.z, a] = rest * table[point, _Z] + place * table[point + 1, _Z]
    travelled = state[_S.begin, a] + (point - lanes.first[link] + share) * lanes.step[link]
    state[_S.travelled, a] = travelled
    state[_S.offset, a] = (dx * to_y - dy * to_x) / max(math.sqrt(dx * dx + dy * dy), 1e-9)
    goal_x, goal_y = state[_S.goal_x, a] - state[_S.x, a], state[_S.goal_y, a] - state[_S.y, a]
    state[_S.goal_distance, a] = math.sqrt(goal_x * goal_x + goal_y * goal_y)
    front = travelled + car.front * error_cosine
    if ints[_S.fresh, a] == 1:
        state[_S.front, a], state[_S.stood, a] = front, -1.0
    else:
        state[_S.front, a] = max(front, state[_S.front, a])
    if state[_S.speed, a] < STANDING_AGENT_SPEED:
        state[_S.stood, a] = front


@inner_kernel
def _is_on(lanes: LaneTables, point: int, x: float, y: float, z: float) -> bool:
    """Whether a place is on a segment's lane, or less than the margin beside it."""
    table = lanes.point
    dx, dy = table[point + 1, _X] - table[point, _X], table[point + 1, _Y] - table[point, _Y]
    to_x, to_y = x - table[point, _X], y - table[point, _Y]
    square = max(dx * dx + dy * dy, 1e-12)
    share = (to_x * dx + to_y * dy) / square
    # a little beyond both ends, so that there is no gap on the outside of a bend
    if share < -0.1 or share > 1.1:
        return False
    share = min(max(share, 0.0), 1.0)
    if abs(table[point, _Z] + share * (table[point + 1, _Z] - table[point, _Z]) - z) > LANE_LEVEL:
        return False
    offset = (dx * to_y - dy * to_x) / math.sqrt(square)
    left = table[point, _LEFT] + share * (table[point + 1, _LEFT] - table[point, _LEFT])
    right = table[point, _RIGHT] + share * (table[point + 1, _RIGHT] - table[point, _RIGHT])
    return bool(-right - OFF_ROAD_MARGIN <= offset <= left + OFF_ROAD_MARGIN)


@inner_kernel
def cells_around(grid: FloatArray, size: IntArray, x: float, y: float, reach: float) -> tuple[int, int, int, int]:
    """The first and last column, and the first and last row, of the cells within a reach of a place."""
    side = grid[2]
    return (
        max(math.floor((x - reach - grid[0]) / side), 0),
        min(math.floor((x + reach - grid[0]) / side), size[0] - 1),
        max(math.floor((y - reach - grid[1]) / side), 0),
        min(math.floor((y + reach - grid[1]) / side), size[1] - 1),
    )


@inner_kernel
def is_lane_at(lanes: LaneTables, x: float, y: float, z: float) -> bool:
    """Whether a place in map [m] is on a lane, or less than `OFF_ROAD_MARGIN` beside one."""
    west, east, south, north = cells_around(lanes.grid, lanes.grid_size, x, y, LANE_LOOK)
    for row in range(south, north + 1):
        for column in range(west, east + 1):
            cell = column + lanes.grid_size[0] * row
            for number in range(lanes.cell_first[cell], lanes.cell_first[cell + 1]):
                if _is_on(lanes, lanes.cell_point[number], x, y, z):
                    return True
    return False


@inner_kernel
def is_on_road(lanes: LaneTables, state: FloatArray, ints: IntArray, a: int) -> bool:
    """Whether the origin of an agent's body is on a lane, that of its way first, or a margin beside one."""
    x, y, z = state[_S.x, a], state[_S.y, a], state[_S.z, a]
    return _is_on(lanes, ints[_S.point, a], x, y, z) or is_lane_at(lanes, x, y, z)


@inner_kernel
def nearest_segment(
    lanes: LaneTables, x: float, y: float, z: float, cosine: float, sine: float, reach: float
) -> tuple[int, float]:
    """The nearest segment that leads where a body points, by its first point, and the share of it; -1 for none."""
    best, found, passed = reach * reach, -1, 0.0
    west, east, south, north = cells_around(lanes.grid, lanes.grid_size, x, y, reach)
    for row in range(south, north + 1):
        for column in range(west, east + 1):
            cell = column + lanes.grid_size[0] * row
            for number in range(lanes.cell_first[cell], lanes.cell_first[cell + 1]):
                point = lanes.cell_point[number]
                dx = lanes.point[point + 1, _X] - lanes.point[point, _X]
                dy = lanes.point[point + 1, _Y] - lanes.point[point, _Y]
                if dx * cosine + dy * sine <= 0.0 or abs(lanes.point[point, _Z] - z) > LANE_LEVEL:
                    continue
                share = min(max(_along(lanes, point, x, y), 0.0), 1.0)
                off_x = lanes.point[point, _X] + share * dx - x
                off_y = lanes.point[point, _Y] + share * dy - y
                far = off_x * off_x + off_y * off_y
                if far < best:
                    best, found, passed = far, point, share
    return found, passed
