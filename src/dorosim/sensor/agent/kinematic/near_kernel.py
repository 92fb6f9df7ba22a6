"""Which kinematic agents are near each other: a grid over the agents of a world, and their rectangles."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.sensor.agent.kinematic.lane_kernel import LANE_LEVEL, cells_around
from dorosim.sensor.agent.kinematic.state import BicycleNumbers, KinematicState

_S = KinematicState.at
MAX_SIDE_CELLS = 64
"""The grid over the agents of a world has no more columns or rows."""


class NearGrid(NamedTuple):
    """The agents of a world by cells of a grid, and room for those that are near one of them.

    Attributes:
        grid: `(3,)` x and y of its corner in map [m], side of a cell [m]. size: `(2,)` columns and rows.
        first: where each cell begins in `agent`. agent: `(A,)` rows of the agents, cell by cell.
        place: `(3, A)` x, y and z of the middle of the body of each, in that order [m].
        square: `(A,)` room for squares of distances [m²]. near: `(A,)` room for rows.
    """

    grid: FloatArray
    size: IntArray
    first: IntArray
    agent: IntArray
    place: FloatArray
    square: FloatArray
    near: IntArray


@inner_kernel
def near_grid(agents: int) -> NearGrid:
    """Room for the grid of a world with so many agents."""
    return NearGrid(
        np.zeros(3),
        np.zeros(2, np.int64),
        np.zeros(MAX_SIDE_CELLS * MAX_SIDE_CELLS + 1, np.int64),
        np.zeros(agents, np.int64),
        np.zeros((3, agents)),
        np.zeros(agents),
        np.zeros(agents, np.int64),
    )


@inner_kernel
def sort_agents(grid: NearGrid, state: FloatArray, car: BicycleNumbers, reach: float) -> None:
    """Put the agents of a world into the cells of a grid, each cell's in the order of their rows.

    Args:
        grid: out.
        state: float block of `KinematicState`.
        car: their vehicle.
        reach: how far they are looked for [m]: the least side of a cell.
    """
    count, middle = state.shape[1], car.middle
    west = south = math.inf
    east = north = -math.inf
    for a in range(count):
        x, y = state[_S.x, a] + middle * state[_S.cosine, a], state[_S.y, a] + middle * state[_S.sine, a]
        # room for what is counted below
        grid.square[a] = x
        grid.place[1, a] = y
        west, east, south, north = min(west, x), max(east, x), min(south, y), max(north, y)
    side = max(reach, max(east - west, north - south) / (MAX_SIDE_CELLS - 1), 1.0)
    grid.grid[0], grid.grid[1], grid.grid[2] = west, south, side
    columns, rows = int((east - west) / side) + 1, int((north - south) / side) + 1
    grid.size[0], grid.size[1] = columns, rows
    cells = columns * rows
    for cell in range(cells + 1):
        grid.first[cell] = 0
    for a in range(count):
        cell = int((grid.square[a] - west) / side) + columns * int((grid.place[1, a] - south) / side)
        grid.near[a] = cell
        grid.first[cell + 1] += 1
    for cell in range(cells):
        grid.first[cell + 1] += grid.first[cell]
    for a in range(count):
        cell = grid.near[a]
        grid.agent[grid.first[cell]] = a
        grid.first[cell] += 1
    for cell in range(cells, 0, -1):
        grid.first[cell] = grid.first[cell - 1]
    grid.first[0] = 0
    for number in range(count):
        a = grid.agent[number]
        grid.place[0, number] = state[_S.x, a] + middle * state[_S.cosine, a]
        grid.place[1, number] = state[_S.y, a] + middle * state[_S.sine, a]
        grid.place[2, number] = state[_S.z, a]


@inner_kernel
def find_nearest(
    grid: NearGrid, state: FloatArray, a: int, x: float, y: float, reach: float, most: int, nearest: IntArray
) -> int:
    """Write the agents whose middles are nearest to a place, the nearest first; how many there are.

    Args:
        grid: of the agents of a world.
        state: float block of `KinematicState`.
        a: row of an agent that does not count.
        x: the place in map [m].
        y: likewise.
        reach: within which they are [m].
        most: as many are found.
        nearest: `(most,)` their rows, out.
    """
    west, east, south, north = cells_around(grid.grid, grid.size, x, y, reach)
    found, level, limit = 0, state[_S.z, a], reach * reach
    square = grid.square
    for row in range(south, north + 1):
        cell = grid.size[0] * row
        for number in range(grid.first[cell + west], grid.first[cell + east + 1]):
            dx, dy = grid.place[0, number] - x, grid.place[1, number] - y
            far = dx * dx + dy * dy
            if far > limit or grid.agent[number] == a or abs(grid.place[2, number] - level) > LANE_LEVEL:
                continue
            place = min(found, most - 1)
            while place > 0 and square[place - 1] > far:
                square[place], nearest[place] = square[place - 1], nearest[place - 1]
                place -= 1
            square[place], nearest[place] = far, grid.agent[number]
            found = min(found + 1, most)
            if found == most:
                limit = square[most - 1]
    return found


@inner_kernel
def _is_apart(cosine: float, sine: float, dx: float, dy: float, half_length: float, half_width: float) -> bool:
    """Whether an axis of a rectangle parts it from one of its size: `cosine` and `sine` of the angle between them."""
    c, s = abs(cosine), abs(sine)
    along = half_length + half_length * c + half_width * s
    return bool(abs(dx) > along or abs(dy) > half_width + half_length * s + half_width * c)


@inner_kernel
def is_touching(state: FloatArray, a: int, b: int, car: BicycleNumbers) -> bool:
    """Whether the rectangles of two vehicles overlap in the plan (separating axes)."""
    a_cosine, a_sine = state[_S.cosine, a], state[_S.sine, a]
    b_cosine, b_sine = state[_S.cosine, b], state[_S.sine, b]
    dx = state[_S.x, b] - state[_S.x, a] + car.middle * (b_cosine - a_cosine)
    dy = state[_S.y, b] - state[_S.y, a] + car.middle * (b_sine - a_sine)
    cosine, sine = a_cosine * b_cosine + a_sine * b_sine, a_cosine * b_sine - a_sine * b_cosine
    if _is_apart(
        cosine, sine, a_cosine * dx + a_sine * dy, a_cosine * dy - a_sine * dx, car.half_length, car.half_width
    ):
        return False
    to_x, to_y = b_cosine * dx + b_sine * dy, b_cosine * dy - b_sine * dx
    return not _is_apart(cosine, sine, to_x, to_y, car.half_length, car.half_width)


@inner_kernel
def mark_touching(grid: NearGrid, state: FloatArray, ints: IntArray, car: BicycleNumbers) -> None:
    """Mark the agents of a world that are in a collision: `touched`; marks that are there stay.

    Args:
        grid: of the agents.
        state: float block of `KinematicState`.
        ints: its int block.
        car: their vehicle.
    """
    reach = 2.0 * math.sqrt(car.half_length * car.half_length + car.half_width * car.half_width)
    for number in range(state.shape[1]):
        a, x, y = grid.agent[number], grid.place[0, number], grid.place[1, number]
        west, east, south, north = cells_around(grid.grid, grid.size, x, y, reach)
        for row in range(south, north + 1):
            cell = grid.size[0] * row
            # each pair once: of the agents that come later in the grid
            for other in range(max(grid.first[cell + west], number + 1), grid.first[cell + east + 1]):
                dx, dy = grid.place[0, other] - x, grid.place[1, other] - y
                if dx * dx + dy * dy > reach * reach or abs(grid.place[2, other] - grid.place[2, number]) > LANE_LEVEL:
                    continue
                b = grid.agent[other]
                if is_touching(state, a, b, car):
                    ints[_S.touched, a], ints[_S.touched, b] = 1, 1
