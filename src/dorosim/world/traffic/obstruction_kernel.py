"""Which lanes bodies stand on, or are about to step on: boxes from above, against the pieces of lanes near them."""

from __future__ import annotations

from math import cos, hypot, sin
from typing import NamedTuple

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.prefetch_kernel import fetch
from dorosim.world.collision.body import BodyTable
from dorosim.world.traffic.lane_grid import PIECE, LaneGrid
from dorosim.world.traffic.lane_grid_kernel import GRID_CELL_SIZE
from dorosim.world.traffic.state import Obstruction

MAX_LANES_UNDER_BODY = 32
"""A body stands on this many lanes at most; a junction of four roads has no place that more lead over."""

MAX_LEVEL_OFFSET = 2.5
"""A lane whose surface is this much higher or lower than the foot of a body is on another level [m]."""

SIDEWAYS_FORESIGHT = 1.5
"""A body that moves sideways also covers where it comes to in this time [s]: a driver's time to react."""

MAX_SIDESTEP = 2.0
"""The sideways motion within SIDEWAYS_FORESIGHT counts for this much at most [m], since a fast body may yet stop before
the lane."""

_BODY = BodyTable.at
_OBSTRUCTION = Obstruction.at


class LaneCoverage(NamedTuple):
    """What a body covers of a strip of a lane.

    Attributes:
        rear, front: along it [m].
        right, left: beside its middle [m], left positive; `left` < `right` for nothing.
    """

    rear: float
    front: float
    right: float
    left: float


class BodyFootprint(NamedTuple):
    """A body from above: centre and its foot in map [m], directions of its length, half sizes [m], velocity [m/s]."""

    x: float
    y: float
    z: float
    c: float
    s: float
    half_length: float
    half_width: float
    vx: float
    vy: float


@inner_kernel
def footprint_of(body: FloatArray, row: int) -> BodyFootprint:
    """The `BodyFootprint` of a row of a table of bodies."""
    return BodyFootprint(
        body[_BODY.x, row],
        body[_BODY.y, row],
        body[_BODY.z, row] - body[_BODY.half_height, row],
        cos(body[_BODY.yaw, row]),
        sin(body[_BODY.yaw, row]),
        body[_BODY.half_length, row],
        body[_BODY.half_width, row],
        body[_BODY.velocity_x, row],
        body[_BODY.velocity_y, row],
    )


@inner_kernel
def coverage_of_piece(grid: LaneGrid, foot: BodyFootprint, q: int) -> LaneCoverage:
    """What a body covers of a piece of a lane: its edges, cut off where the piece begins and ends."""
    c, s, length = grid.piece[q, PIECE.direction_x], grid.piece[q, PIECE.direction_y], grid.piece[q, PIECE.length]
    dx, dy = foot.x - grid.piece[q, PIECE.x], foot.y - grid.piece[q, PIECE.y]
    along, aside = c * dx + s * dy, c * dy - s * dx
    u, v = c * foot.c + s * foot.s, c * foot.s - s * foot.c
    rear, front, right, left = length, 0.0, 1e300, -1e300
    for edge in range(4):
        # corners in turn: front left, rear left, rear right, front right
        p_length = foot.half_length if edge == 0 or edge == 3 else -foot.half_length
        p_width = foot.half_width if edge < 2 else -foot.half_width
        q_length = foot.half_length if edge > 1 else -foot.half_length
        q_width = foot.half_width if edge == 0 or edge == 3 else -foot.half_width
        a, b = along + u * p_length - v * p_width, along + u * q_length - v * q_width
        low, high = aside + v * p_length + u * p_width, aside + v * q_length + u * q_width
        if a > b:
            a, b, low, high = b, a, high, low
        if b < 0.0 or a > length:
            continue
        slope = (high - low) / (b - a) if b > a else 0.0
        begin, end = max(a, 0.0), min(b, length)
        low, high = low + slope * (begin - a), high - slope * (b - end)
        rear, front = min(rear, begin), max(front, end)
        right, left = min(right, low, high), max(left, low, high)
    return LaneCoverage(rear, front, right, left)


@inner_kernel
def merge_coverage(
    grid: LaneGrid,
    q: int,
    cover: LaneCoverage,
    speed: float,
    floats: FloatArray,
    ints: IntArray,
    first: int,
    count: int,
) -> int:
    """Add what a body covers of a piece to its row for the lane. Returns the number of rows then."""
    link, start = grid.link[q], grid.piece[q, PIECE.start]
    at = count - 1
    while at >= first and ints[_OBSTRUCTION.link, at] != link:
        at -= 1
    if at < first:
        if count - first >= MAX_LANES_UNDER_BODY:
            return count
        at = count
        count += 1
        ints[_OBSTRUCTION.link, at] = link
        floats[_OBSTRUCTION.rear, at], floats[_OBSTRUCTION.front, at] = 1e300, -1e300
        floats[_OBSTRUCTION.right, at], floats[_OBSTRUCTION.left, at] = 1e300, -1e300
    floats[_OBSTRUCTION.rear, at] = min(floats[_OBSTRUCTION.rear, at], start + cover.rear)
    floats[_OBSTRUCTION.front, at] = max(floats[_OBSTRUCTION.front, at], start + cover.front)
    floats[_OBSTRUCTION.right, at] = min(floats[_OBSTRUCTION.right, at], cover.right)
    floats[_OBSTRUCTION.left, at] = max(floats[_OBSTRUCTION.left, at], cover.left)
    floats[_OBSTRUCTION.speed, at] = speed
    floats[_OBSTRUCTION.emergency, at] = floats[_OBSTRUCTION.passing_vehicle, at] = 0.0
    return count


@inner_kernel
def cover_piece(
    grid: LaneGrid, foot: BodyFootprint, q: int, floats: FloatArray, ints: IntArray, first: int, count: int
) -> int:
    """Add what a body covers of a piece of a lane, if it hinders vehicles on it. Returns the number of rows then."""
    c, s = grid.piece[q, PIECE.direction_x], grid.piece[q, PIECE.direction_y]
    dx, dy = foot.x - grid.piece[q, PIECE.x], foot.y - grid.piece[q, PIECE.y]
    reach = grid.piece[q, PIECE.half_width]
    around = foot.half_length + foot.half_width
    aside = c * foot.vy - s * foot.vx
    shift = min(max(SIDEWAYS_FORESIGHT * aside, -MAX_SIDESTEP), MAX_SIDESTEP)
    middle = c * dy - s * dx
    if middle + max(shift, 0.0) < -reach - around or middle + min(shift, 0.0) > reach + around:
        return count
    along = min(max(c * dx + s * dy, 0.0), grid.piece[q, PIECE.length])
    if abs(foot.z - grid.piece[q, PIECE.z] - along * grid.piece[q, PIECE.grade]) > MAX_LEVEL_OFFSET:
        return count
    cover = coverage_of_piece(grid, foot, q)
    right, left = cover.right + min(shift, 0.0), cover.left + max(shift, 0.0)
    if left < right or left < -reach or right > reach:
        return count
    cover = LaneCoverage(cover.rear, cover.front, right, left)
    return merge_coverage(grid, q, cover, c * foot.vx + s * foot.vy, floats, ints, first, count)


@inner_kernel
def ask_for_pieces(grid: LaneGrid, first_column: int, last_column: int, first_row: int, last_row: int) -> None:
    """Ask for the memory of the pieces in some cells, so that a body waits once for all of them."""
    for j in range(first_row, last_row + 1):
        fetch(grid.first, first_column + grid.size[0] * j)
    for j in range(first_row, last_row + 1):
        for k in range(grid.first[first_column + grid.size[0] * j], grid.first[last_column + grid.size[0] * j + 1]):
            fetch(grid.piece, grid.item[k] * grid.piece.shape[1])


@kernel
def find_obstructions(grid: LaneGrid, body: FloatArray, rows: IntArray, floats: FloatArray, ints: IntArray) -> int:
    """Write a row for each body and each lane that it stands on. Returns the number of rows.

    Args:
        grid: the lanes.
        body: the float block of `BodyTable`.
        rows: `(N,)` the bodies that count.
        floats: out, of `Obstruction`, with MAX_LANES_UNDER_BODY rows for each body.
        ints: out, of `Obstruction`.
    """
    grid, body, rows, floats, ints = bare(grid), bare(body), bare(rows), bare(floats), bare(ints)
    count, x, y = 0, grid.origin[0], grid.origin[1]
    for n in range(rows.shape[0]):
        first, foot = count, footprint_of(body, rows[n])
        near = min(SIDEWAYS_FORESIGHT * hypot(foot.vx, foot.vy), MAX_SIDESTEP)
        near = hypot(foot.half_length, foot.half_width) + near
        left, right = (foot.x - near - x) / GRID_CELL_SIZE, (foot.x + near - x) / GRID_CELL_SIZE
        bottom, top = (foot.y - near - y) / GRID_CELL_SIZE, (foot.y + near - y) / GRID_CELL_SIZE
        # a comparison with NaN is false: such a body is nowhere
        if not (right >= 0.0 and top >= 0.0 and left < grid.size[0] and bottom < grid.size[1]):
            continue
        first_column, last_column = int(max(left, 0.0)), min(int(right), grid.size[0] - 1)
        first_row, last_row = int(max(bottom, 0.0)), min(int(top), grid.size[1] - 1)
        ask_for_pieces(grid, first_column, last_column, first_row, last_row)
        for j in range(first_row, last_row + 1):
            for cell in range(first_column + grid.size[0] * j, last_column + grid.size[0] * j + 1):
                for k in range(grid.first[cell], grid.first[cell + 1]):
                    count = cover_piece(grid, foot, grid.item[k], floats, ints, first, count)
    return count
