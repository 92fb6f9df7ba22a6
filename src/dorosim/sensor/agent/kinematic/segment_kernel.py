"""What a kinematic agent perceives of itself, of partners and of segments around it: 1,848 numbers as they are usual.

Which numbers there are follows the environments of GPUDrive (Kazemkhani et al., "GPUDrive: Data-driven, multi-agent
driving simulation at 1 million FPS", ICLR 2025) and PufferDrive; their order and scales are our own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.agent.kinematic.lane_kernel import LANE_LEVEL
from dorosim.sensor.agent.kinematic.perceive_kernel import bounded
from dorosim.sensor.agent.kinematic.state import (
    BicycleNumbers,
    KinematicRules,
    KinematicState,
    PartnerFeature,
    SegmentFeature,
    SegmentTables,
    SelfFeature,
)
from dorosim.sensor.agent.observation_kernel import GOAL_SCALE, LENGTH_SCALE, SPEED_SCALE, WIDTH_SCALE

_S = KinematicState.at
SELF_WIDTH, PARTNER_WIDTH, SEGMENT_WIDTH = len(SelfFeature), len(PartnerFeature), len(SegmentFeature)
SEGMENT_REACH = 100.0
"""Segments are perceived within this, which is 1 of their x and y [m]."""


@inner_kernel
def write_self(
    state: FloatArray, ints: IntArray, a: int, car: BicycleNumbers, out: NDArray[np.float32], row: int, at: int
) -> None:
    """Write `SelfFeature` of an agent, in the order of that class."""
    cosine, sine = state[_S.cosine, a], state[_S.sine, a]
    dx, dy = state[_S.goal_x, a] - state[_S.x, a], state[_S.goal_y, a] - state[_S.y, a]
    out[row, at] = bounded((cosine * dx + sine * dy) / GOAL_SCALE)
    out[row, at + 1] = bounded((cosine * dy - sine * dx) / GOAL_SCALE)
    out[row, at + 2] = bounded(state[_S.speed, a] / SPEED_SCALE)
    out[row, at + 3] = bounded(state[_S.steer, a] / car.max_steer)
    out[row, at + 4] = bounded(2.0 * car.half_length / LENGTH_SCALE)
    out[row, at + 5] = bounded(2.0 * car.half_width / WIDTH_SCALE)
    out[row, at + 6] = 1.0 if ints[_S.touched, a] == 1 else 0.0


@inner_kernel
def write_partners(
    state: FloatArray,
    a: int,
    car: BicycleNumbers,
    rules: KinematicRules,
    nearest: IntArray,
    found: int,
    out: NDArray[np.float32],
    row: int,
    at: int,
) -> None:
    """Write `PartnerFeature` of the nearest vehicles, in the order of that class; zeros where there is none."""
    x, y, cosine, sine = state[_S.x, a], state[_S.y, a], state[_S.cosine, a], state[_S.sine, a]
    length, width = bounded(2.0 * car.half_length / LENGTH_SCALE), bounded(2.0 * car.half_width / WIDTH_SCALE)
    end, reach = at + rules.partners * PARTNER_WIDTH, rules.partner_reach
    for number in range(found):
        other = nearest[number]
        other_cosine, other_sine = state[_S.cosine, other], state[_S.sine, other]
        dx, dy = state[_S.x, other] + car.middle * other_cosine - x, state[_S.y, other] + car.middle * other_sine - y
        out[row, at] = bounded((cosine * dx + sine * dy) / reach)
        out[row, at + 1] = bounded((cosine * dy - sine * dx) / reach)
        out[row, at + 2] = length
        out[row, at + 3] = width
        out[row, at + 4] = bounded(cosine * other_cosine + sine * other_sine)
        out[row, at + 5] = bounded(cosine * other_sine - sine * other_cosine)
        out[row, at + 6] = bounded(state[_S.speed, other] / SPEED_SCALE)
        at += PARTNER_WIDTH
    for rest in range(at, end):
        out[row, rest] = 0.0


@inner_kernel
def write_segments(
    tables: SegmentTables, state: FloatArray, a: int, rules: KinematicRules, out: NDArray[np.float32], row: int, at: int
) -> None:
    """Write `SegmentFeature` of segments, in the order of that class; zeros where there are no more.

    They are those that are nearest to the middle of the cell in which the agent is, on its level.

    Args:
        tables: the segments of the map.
        state: float block of `KinematicState`.
        a: row of the agent there.
        rules: of the settings.
        out: `(N, floats)` out.
        row: of the agent there.
        at: where the part begins.
    """
    grid, end = tables.grid, at + rules.segments * SEGMENT_WIDTH
    east, north = (state[_S.x, a] - grid[0]) / grid[2], (state[_S.y, a] - grid[1]) / grid[2]
    if 0.0 <= east < tables.grid_size[0] and 0.0 <= north < tables.grid_size[1]:
        cell = int(east) + tables.grid_size[0] * int(north)
        x, y, z = np.float32(state[_S.x, a]), np.float32(state[_S.y, a]), np.float32(state[_S.z, a])
        cosine, sine = np.float32(state[_S.cosine, a]), np.float32(state[_S.sine, a])
        scale, level = np.float32(1.0 / SEGMENT_REACH), np.float32(LANE_LEVEL)
        one, table = np.float32(1.0), tables.segment
        for number in range(tables.cell_first[cell], tables.cell_first[cell + 1]):
            i = tables.cell_segment[number]
            if abs(table[i, 2] - z) > level:
                continue
            dx, dy = scale * (table[i, 0] - x), scale * (table[i, 1] - y)
            # segments of a list are within the reach, and directions are of length 1 but for the last bit
            out[row, at] = cosine * dx + sine * dy
            out[row, at + 1] = cosine * dy - sine * dx
            out[row, at + 2] = min(max(cosine * table[i, 3] + sine * table[i, 4], -one), one)
            out[row, at + 3] = min(max(cosine * table[i, 4] - sine * table[i, 3], -one), one)
            out[row, at + 4] = table[i, 5]
            out[row, at + 5] = table[i, 6]
            out[row, at + 6] = table[i, 7]
            at += SEGMENT_WIDTH
            if at == end:
                break
    for rest in range(at, end):
        out[row, rest] = np.float32(0.0)


@kernel
def list_segments(
    middle: FloatArray,
    coarse: FloatArray,
    coarse_size: IntArray,
    coarse_first: IntArray,
    coarse_segment: IntArray,
    centre: FloatArray,
    reach: float,
    most: int,
    found: NDArray[np.int32],
    counts: IntArray,
) -> None:
    """Write the segments nearest to the middles of cells, the nearest first.

    Args:
        middle: `(S, 2)` of the segments in map [m].
        coarse: `(3,)` corner and side of a grid in which segments are sorted by their middles [m].
        coarse_size: `(2,)` its columns and rows.
        coarse_first: where each cell of it begins in `coarse_segment`.
        coarse_segment: its segments.
        centre: `(C, 2)` of the cells [m].
        reach: within which they are [m].
        most: of each cell.
        found: `(C, most)` out.
        counts: `(C,)` how many there are, out.
    """
    room, square = np.empty(middle.shape[0], np.int64), np.empty(middle.shape[0])
    for c in range(centre.shape[0]):
        x, y, count = centre[c, 0], centre[c, 1], 0
        west = max(int(np.floor((x - reach - coarse[0]) / coarse[2])), 0)
        east = min(int(np.floor((x + reach - coarse[0]) / coarse[2])), coarse_size[0] - 1)
        south = max(int(np.floor((y - reach - coarse[1]) / coarse[2])), 0)
        north = min(int(np.floor((y + reach - coarse[1]) / coarse[2])), coarse_size[1] - 1)
        for row in range(south, north + 1):
            cell = coarse_size[0] * row
            for k in range(coarse_first[cell + west], coarse_first[cell + east + 1]):
                i = coarse_segment[k]
                dx, dy = middle[i, 0] - x, middle[i, 1] - y
                far = dx * dx + dy * dy
                if far <= reach * reach:
                    room[count], square[count] = i, far
                    count += 1
        order = np.argsort(square[:count])
        counts[c] = min(count, most)
        for number in range(counts[c]):
            found[c, number] = room[order[number]]
