"""How far around a place all is lane: a raster of a map, made once for all worlds on it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, read_only
from dorosim.road.network import RoadNetwork
from dorosim.sensor.agent.ray_kernel import AgentLanes, write_raster

RASTER_CELL = 0.5
"""Side of a cell [m], where the map is not so large that there would be more than `MAX_RASTER_CELLS`."""
MAX_RASTER_CELLS = 8_000_000
_MARGIN = 8.0

LaneRaster = tuple[FloatArray, NDArray[np.uint8]]
"""`raster` and `free` of `dorosim.sensor.agent.ray_kernel.AgentLanes`, read-only."""

NO_RASTER: LaneRaster = (read_only(np.zeros(4)), read_only(np.zeros((0, 0), np.uint8)))
"""Of no lanes: rays look at every place themselves."""


@lru_cache(maxsize=8)
def raster_of(network: RoadNetwork) -> LaneRaster:
    """The raster of a map."""
    surface = network.surface
    if not len(surface.station):
        return NO_RASTER
    low, high = surface.station.min(axis=0)[:3], surface.station.max(axis=0)[:3]
    side = RASTER_CELL
    while True:
        columns, rows = (int(one) for one in np.ceil((high[:2] - low[:2] + 2.0 * _MARGIN) / side))
        if columns * rows <= MAX_RASTER_CELLS:
            break
        side *= 2.0
    raster = np.array([low[0] - _MARGIN, low[1] - _MARGIN, side, low[2]])
    free = np.zeros((2 * rows, columns), np.uint8)
    lanes = AgentLanes._make([*(getattr(surface, name) for name in AgentLanes._fields[:-2]), *NO_RASTER])
    write_raster(lanes, network.left_width, network.right_width, raster, free)
    return read_only(raster), read_only(free)
