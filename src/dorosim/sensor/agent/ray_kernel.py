"""Distances along rays around an agent: to the nearest body, and to the edge of the lanes."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.road.adjacency import FlagArray
from dorosim.sensor.agent.state import WorldArrays
from dorosim.world.collision.body import BodyTable

_BODY = BodyTable.at


class AgentLanes(NamedTuple):
    """Where lanes are: those parts of `SurfaceArrays` that say whether a place is on one, and how far it is so around.

    Attributes:
        station, link, drivable, grid_origin, grid_size, cell_first, cell_segment: as of `SurfaceArrays`.
        raster: x and y of the corner of a raster [m], side of its cells [m]; then heights of the lanes, see `free`.
        free: `(2 * rows, columns)` of each cell how far around all places are on lanes, in units of `FREE_UNIT`; below
            them the height of the lanes there over `raster[3]`, in units of `HEIGHT_UNIT`. A cell with 0: not known.
    """

    station: FloatArray
    link: IntArray
    drivable: FlagArray | NDArray[np.uint8]
    grid_origin: FloatArray
    grid_size: IntArray
    cell_first: IntArray
    cell_segment: IntArray
    raster: FloatArray
    free: NDArray[np.uint8]


FREE_UNIT, HEIGHT_UNIT = 0.25, 1.0
"""Of the raster of lanes [m]."""
MAX_FREE = 8.0
"""No place is said to be farther from the edge of the lanes than this, so that slopes do not count [m]."""
FREE_LEVEL = 2.0
"""What the raster says holds for who is no more above or below its lanes than this [m]."""
MAX_LANE_HALF = 4.0
"""Lanes are looked for in the raster within this beside their middle [m]."""
EDGE_STEP = 1.0
"""The edge of the lanes is looked for at places this far apart along a ray [m], then halved to a sixteenth of it."""
LANE_REACH = 3.0
"""Boundaries farther from the middle of their lane than this are met only where its cell of the grid is [m]."""
_HALVINGS = 4
_LEVEL = 4.0


@inner_kernel
def is_on_lane(
    surface: AgentLanes, left: FloatArray, right: FloatArray, x: float, y: float, z: float, margin: float
) -> bool:
    """Whether a place in map [m] is on a lane for vehicles, or less than a margin beside it [m]."""
    side = surface.grid_origin[2]
    columns, rows = surface.grid_size[0], surface.grid_size[1]
    if columns * rows == 0:
        return False
    reach = LANE_REACH + margin
    first_column = max(math.floor((x - reach - surface.grid_origin[0]) / side), 0)
    last_column = min(math.floor((x + reach - surface.grid_origin[0]) / side), columns - 1)
    first_row = max(math.floor((y - reach - surface.grid_origin[1]) / side), 0)
    last_row = min(math.floor((y + reach - surface.grid_origin[1]) / side), rows - 1)
    for r in range(first_row, last_row + 1):
        for c in range(first_column, last_column + 1):
            cell = c + columns * r
            for k in range(surface.cell_first[cell], surface.cell_first[cell + 1]):
                i = surface.cell_segment[k]
                if not surface.drivable[surface.link[i]]:
                    continue
                dx = surface.station[i + 1, 0] - surface.station[i, 0]
                dy = surface.station[i + 1, 1] - surface.station[i, 1]
                to_x, to_y = x - surface.station[i, 0], y - surface.station[i, 1]
                square = dx * dx + dy * dy
                share = (to_x * dx + to_y * dy) / max(square, 1e-12)
                # a little beyond both ends, so that there is no gap on the outside of a bend
                if share < -0.1 or share > 1.1:
                    continue
                share = min(max(share, 0.0), 1.0)
                height = surface.station[i, 2] + share * (surface.station[i + 1, 2] - surface.station[i, 2])
                if abs(height - z) > _LEVEL:
                    continue
                offset = (dx * to_y - dy * to_x) / max(math.sqrt(square), 1e-6)
                to_left = left[i] + share * (left[i + 1] - left[i])
                to_right = right[i] + share * (right[i + 1] - right[i])
                if -to_right - margin <= offset <= to_left + margin:
                    return True
    return False


@inner_kernel
def _way_to_box(body: FloatArray, other: int, x: float, y: float, cosine: float, sine: float, reach: float) -> float:
    """How far along a ray the box of a body begins [m]; the reach where the ray passes it by."""
    c, s = math.cos(body[_BODY.yaw, other]), math.sin(body[_BODY.yaw, other])
    dx, dy = x - body[_BODY.x, other], y - body[_BODY.y, other]
    low, high = 0.0, reach
    for axis in range(2):
        if axis == 0:
            at, way, half = c * dx + s * dy, c * cosine + s * sine, body[_BODY.half_length, other]
        else:
            at, way, half = c * dy - s * dx, c * sine - s * cosine, body[_BODY.half_width, other]
        if abs(way) < 1e-12:
            if abs(at) > half:
                return reach
            continue
        first, second = (-half - at) / way, (half - at) / way
        low, high = max(low, min(first, second)), min(high, max(first, second))
    return low if low <= high else reach


@inner_kernel
def _free_around(surface: AgentLanes, x: float, y: float, z: float) -> float:
    """How far around a place all places are on lanes, at least [m]; 0 where that is not known."""
    rows, columns = surface.free.shape[0] // 2, surface.free.shape[1]
    if rows == 0:
        return 0.0
    side = surface.raster[2]
    c, r = math.floor((x - surface.raster[0]) / side), math.floor((y - surface.raster[1]) / side)
    if c < 0 or r < 0 or c >= columns or r >= rows or surface.free[r, c] == 0:
        return 0.0
    height = surface.raster[3] + HEIGHT_UNIT * surface.free[rows + r, c]
    return FREE_UNIT * surface.free[r, c] if abs(z - height) <= FREE_LEVEL else 0.0


@inner_kernel
def _way_to_edge(
    surface: AgentLanes,
    left: FloatArray,
    right: FloatArray,
    x: float,
    y: float,
    z: float,
    cosine: float,
    sine: float,
    reach: float,
) -> float:
    """How far along a ray the lanes end [m]; the reach where they do not."""
    near, far = 0.0, 0.0
    while True:
        at_x, at_y = x + far * cosine, y + far * sine
        free = _free_around(surface, at_x, at_y, z)
        if free < EDGE_STEP and not is_on_lane(surface, left, right, at_x, at_y, z, 0.0):
            break
        if far >= reach:
            return reach
        # as many steps as all of which end on lanes
        steps = max(math.floor(free / EDGE_STEP), 1)
        near, far = far + (steps - 1) * EDGE_STEP, min(far + steps * EDGE_STEP, reach)
    for _ in range(_HALVINGS):
        middle = 0.5 * (near + far)
        if is_on_lane(surface, left, right, x + middle * cosine, y + middle * sine, z, 0.0):
            near = middle
        else:
            far = middle
    return 0.5 * (near + far)


@kernel
def write_raster(
    surface: AgentLanes, left: FloatArray, right: FloatArray, raster: FloatArray, free: NDArray[np.uint8]
) -> None:
    """Write the raster of a map.

    How far around a place all are on lanes is found by two passes over the cells (P. E. Danielsson, "Euclidean distance
    mapping", 1980, with chamfer distances), less the width of a cell.

    Args:
        surface: the lanes, whose own raster has no cells.
        left: of their boundaries, as `read_agents` has them.
        right: likewise.
        raster: corner, side and height of the new one.
        free: zeros; written, see `AgentLanes`.
    """
    side, rows, columns = raster[2], free.shape[0] // 2, free.shape[1]
    height = np.full((rows, columns), math.nan)
    for i in range(surface.link.shape[0] - 1):
        if surface.drivable[surface.link[i]] and surface.link[i] == surface.link[i + 1]:
            _note_heights(surface.station[i], surface.station[i + 1], raster, height)
    distance = np.zeros((rows, columns))
    for r in range(1, rows - 1):
        for c in range(1, columns - 1):
            z = height[r, c]
            if math.isfinite(z):
                at_x, at_y = raster[0] + (c + 0.5) * side, raster[1] + (r + 0.5) * side
                if is_on_lane(surface, left, right, at_x, at_y, z, 0.0):
                    distance[r, c] = 1e9
    _spread(distance)
    for r in range(rows):
        for c in range(columns):
            # chamfer distances are up to a twelfth too long
            room = distance[r, c] * side / 1.09 - 1.5 * side
            level = (height[r, c] - raster[3]) / HEIGHT_UNIT
            if room >= FREE_UNIT and 0.0 <= level < 255.0:
                free[r, c] = int(min(room, MAX_FREE) / FREE_UNIT)
                free[rows + r, c] = int(level + 0.5)


@inner_kernel
def _note_heights(first: FloatArray, second: FloatArray, raster: FloatArray, height: FloatArray) -> None:
    """Write the height of the lane from one station to the next into the cells around; infinity where levels differ."""
    side, (rows, columns) = raster[2], height.shape
    around = int(MAX_LANE_HALF / side) + 1
    length = math.hypot(second[0] - first[0], second[1] - first[1])
    parts = int(length / MAX_LANE_HALF) + 1
    for part in range(parts):
        share = part / parts
        z = first[2] + share * (second[2] - first[2])
        c = math.floor((first[0] + share * (second[0] - first[0]) - raster[0]) / side)
        r = math.floor((first[1] + share * (second[1] - first[1]) - raster[1]) / side)
        for y in range(max(r - around, 0), min(r + around + 1, rows)):
            for x in range(max(c - around, 0), min(c + around + 1, columns)):
                old = height[y, x]
                if old != old:
                    height[y, x] = z
                elif abs(old - z) > FREE_LEVEL:
                    height[y, x] = math.inf


@inner_kernel
def _spread(distance: FloatArray) -> None:
    """Write how far each cell is from one with 0, in cells: chamfer distances of 1 and the root of 2."""
    rows, columns, across = distance.shape[0], distance.shape[1], math.sqrt(2.0)
    for r in range(1, rows - 1):
        for c in range(1, columns - 1):
            near = min(distance[r, c - 1], distance[r - 1, c]) + 1.0
            corner = min(distance[r - 1, c - 1], distance[r - 1, c + 1]) + across
            distance[r, c] = min(distance[r, c], near, corner)
    for r in range(rows - 2, 0, -1):
        for c in range(columns - 2, 0, -1):
            near = min(distance[r, c + 1], distance[r + 1, c]) + 1.0
            corner = min(distance[r + 1, c + 1], distance[r + 1, c - 1]) + across
            distance[r, c] = min(distance[r, c], near, corner)


@inner_kernel
def write_rays(
    surface: AgentLanes,
    left: FloatArray,
    right: FloatArray,
    world: WorldArrays,
    row: int,
    rays: int,
    rings: int,
    reach: float,
    out: NDArray[np.float32],
) -> None:
    """Write distances over the reach, 1 for nothing: a ring of rays from ahead over the left; bodies, then the edge.

    Rays begin in the middle of the agent's own box.
    """
    body = world.body
    x, y, z, yaw = body[_BODY.x, row], body[_BODY.y, row], body[_BODY.z, row], body[_BODY.yaw, row]
    for ray in range(rays):
        angle = yaw + 2.0 * math.pi * ray / rays
        cosine, sine = math.cos(angle), math.sin(angle)
        best = reach
        for other in range(world.bodies):
            dx, dy = body[_BODY.x, other] - x, body[_BODY.y, other] - y
            round_about = body[_BODY.half_length, other] + body[_BODY.half_width, other]
            along, aside = dx * cosine + dy * sine, dx * sine - dy * cosine
            if other == row or abs(aside) > round_about or along < -round_about or along - round_about > best:
                continue
            if abs(body[_BODY.z, other] - z) <= _LEVEL:
                best = min(best, _way_to_box(body, other, x, y, cosine, sine, best))
        out[ray] = best / reach
        if rings > 1:
            out[rays + ray] = _way_to_edge(surface, left, right, x, y, z, cosine, sine, reach) / reach
