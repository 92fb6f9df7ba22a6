"""Distances along rays around an agent: to the nearest body, and to the edge of the lanes."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.road.adjacency import FlagArray
from dorosim.sensor.agent.state import WorldArrays
from dorosim.world.collision.body import BodyTable

_BODY = BodyTable.at


class AgentLanes(NamedTuple):
    """Where lanes are: those parts of `SurfaceArrays` that say whether a place is on one."""

    station: FloatArray
    link: IntArray
    drivable: FlagArray
    grid_origin: FloatArray
    grid_size: IntArray
    cell_first: IntArray
    cell_segment: IntArray


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
    while is_on_lane(surface, left, right, x + far * cosine, y + far * sine, z, 0.0):
        if far >= reach:
            return reach
        near, far = far, min(far + EDGE_STEP, reach)
    for _ in range(_HALVINGS):
        middle = 0.5 * (near + far)
        if is_on_lane(surface, left, right, x + middle * cosine, y + middle * sine, z, 0.0):
            near = middle
        else:
            far = middle
    return 0.5 * (near + far)


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
        for other in range(body.shape[1]):
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
