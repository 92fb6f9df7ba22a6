"""Keeps the swept paths of vehicles on lanes clear of solid parts.

A vehicle of the traffic follows its lane with two points of its body, each 0.146 of its length from an end
(`dorosim.world.traffic.move_kernel`). So its path is that of a rod between two points of lanes that follow one another,
with the body about it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import kernel
from dorosim.road.network import RoadNetwork
from dorosim.road.scenery.grid_kernel import PartGrid, box_gap, cells_within, overlaps

SWEPT_LENGTH, SWEPT_WIDTH, SWEPT_HEIGHT = 12.0, 2.7, 3.8
"""Extents of the vehicle whose path stays clear [m]: as long as the longest and as wide as the widest of the models
(`dorosim.world.vehicle.model_table`), and some decimetres higher than the highest."""
SWEPT_MARGIN = 0.1
"""Nothing solid is nearer to its path than this [m]."""
_ROD = 0.7071 * SWEPT_LENGTH
_STEP = 0.7
"""From one place that is looked at to the next along a lane [m]."""
_MAX_LINKS_BACK = 3
"""The rear of a vehicle is at most so many links behind the front: links in junctions are short."""


class RodPoses(NamedTuple):
    """Poses of the body of a vehicle on the lanes of a map.

    Attributes:
        floats: `(5, N)` middle of the body, east, north and up, its yaw, and half the width that is kept clear.
    """

    floats: FloatArray


def swept_poses(network: RoadNetwork) -> RodPoses:
    """Poses of the longest vehicle all along all lanes, for each way on which its rear may follow."""
    parts = [np.zeros((5, 0))]
    for link in np.flatnonzero(network.link_drivable).tolist():
        length = float(network.link_length[link])
        front = np.append(np.arange(0.0, length, _STEP), length)
        parts += _poses(network, link, front, link, front - _ROD, _MAX_LINKS_BACK)
    return RodPoses(np.concatenate(parts, axis=1))


def _poses(
    network: RoadNetwork, link: int, front: FloatArray, behind: int, rear: FloatArray, deep: int
) -> list[FloatArray]:
    """Poses with fronts on one link and rears on another, at arc lengths [m]; before its start come those before it."""
    before = network.predecessors.of(behind).tolist() if deep else []
    on = (rear >= 0.0) if before else np.ones(len(rear), np.bool_)
    parts = []
    if on.any():
        ahead, back = network.point_at(link, front[on]), network.point_at(behind, rear[on])
        way = ahead - back
        yaw = np.arctan2(way[:, 1], way[:, 0])
        good = np.hypot(way[:, 0], way[:, 1]) > 1.0
        half = np.maximum(0.5 * network.width_at(link, front[on]), 0.5 * SWEPT_WIDTH)
        parts.append(np.column_stack((0.5 * (ahead + back), yaw, half))[good].T)
    if (~on).any():
        for other in before:
            length = float(network.link_length[other])
            parts += _poses(network, link, front[~on], other, rear[~on] + length, deep - 1)
    return parts


def parts_in_path(network: RoadNetwork, parts: FloatArray, grid: PartGrid) -> NDArray[np.bool_]:
    """`(P,)` which parts, the float block of `PartTable`, reach into the path of a vehicle."""
    found = np.zeros(parts.shape[1], np.bool_)
    if parts.shape[1]:
        sweep_parts(np.ascontiguousarray(swept_poses(network).floats), parts, grid, found)
    return found


@kernel
def sweep_parts(pose: FloatArray, parts: FloatArray, grid: PartGrid, found: NDArray[np.bool_]) -> None:
    """Mark the parts that bodies touch.

    Args:
        pose: `(5, N)` as of `RodPoses`.
        parts: the float block of `PartTable`, read-only.
        grid: of these.
        found: `(P,)` written.
    """
    half_length = 0.5 * SWEPT_LENGTH
    for k in range(pose.shape[1]):
        x, y, z, half_width = pose[0, k], pose[1, k], pose[2, k], pose[4, k] + SWEPT_MARGIN
        reach = half_length + half_width
        low_x, low_y, high_x, high_y = x - reach, y - reach, x + reach, y + reach
        first_column, last_column, first_row, last_row = cells_within(grid, low_x, low_y, high_x, high_y)
        for row in range(first_row, last_row + 1):
            for column in range(first_column, last_column + 1):
                cell = row * grid.cells[0] + column
                for entry in range(grid.first[cell], grid.first[cell + 1]):
                    p = grid.part[entry]
                    if found[p] or not overlaps(grid.bounds, p, low_x, low_y, z, high_x, high_y, z + SWEPT_HEIGHT):
                        continue
                    found[p] = box_gap(parts, p, x, y, pose[3, k], half_length + SWEPT_MARGIN, half_width) < 0.0
