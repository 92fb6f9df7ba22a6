"""Where wheels run on the lanes around a camera, as a raster: tracks in lying snow.

The tracks are a rule, not a memory: two on each lane that can be driven, as far from its middle as a car's wheels
(docs/decisions/0064-wheel-tracks-by-lane.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import kernel
from dorosim.road.lane_network import RoadNetwork

TRACKS_PER_METRE: Final = 4.0
"""Cells of the raster per metre."""
TRACK_SIDE: Final = 960
"""Cells along each axis: 240 m."""
TRACK_TILE: Final = 64.0
"""The raster moves with the camera in steps of this [m], so that it is the same wherever the camera is in one."""
HALF_TRACK, HALF_TIRE = 0.78, 0.3
"""From a lane's middle to the middle of a track, and half of how wide many cars make it [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class WheelTracks:
    """A raster of wheel tracks.

    Attributes:
        share: `(N, N)` how much wheels run there, 0 to 255, rows to the north; `(0, 0)` for none.
        left, low: where it begins in map [m].
    """

    share: NDArray[np.uint8]
    left: float
    low: float


NO_WHEEL_TRACKS: Final = WheelTracks(np.zeros((0, 0), np.uint8), 0.0, 0.0)


def tile_of(x: float, y: float) -> tuple[int, int]:
    """The tile in which a place in map [m] lies."""
    return floor(x / TRACK_TILE), floor(y / TRACK_TILE)


def wheel_tracks(network: RoadNetwork, tile: tuple[int, int]) -> WheelTracks:
    """The tracks around a tile.

    Args:
        network: the roads.
        tile: `tile_of` the camera.
    """
    half = 0.5 * TRACK_SIDE / TRACKS_PER_METRE
    left, low = ((number + 0.5) * TRACK_TILE - half for number in tile)
    share = np.zeros((TRACK_SIDE, TRACK_SIDE), np.uint8)
    lines = network.lines
    points = lines.points[:, :2]
    away = np.abs(points - (left + half, low + half)).max(axis=1)
    near: NDArray[np.bool_] = away < half + 20.0
    first = np.flatnonzero(near[:-1] & (lines.line[:-1] == lines.line[1:]) & network.link_drivable[lines.line[:-1]])
    draw_tracks(np.ascontiguousarray(points), first.astype(np.int64), left, low, share)
    return WheelTracks(share, left, low)


@kernel
def draw_tracks(points: FloatArray, first: IntArray, left: float, low: float, share: NDArray[np.uint8]) -> None:
    """Draw both tracks of segments of lanes.

    Args:
        points: `(P, 2)` in map [m].
        first: rows of points at which segments begin.
        left: where the raster begins in map [m].
        low: the same.
        share: the raster; written.
    """
    side = share.shape[0]
    wide = HALF_TIRE * TRACKS_PER_METRE
    for n in range(len(first)):
        x, y = points[first[n], 0], points[first[n], 1]
        ex, ey = points[first[n] + 1, 0] - x, points[first[n] + 1, 1] - y
        length = np.sqrt(ex * ex + ey * ey)
        if length < 1e-6:
            continue
        for step in range(int(length * TRACKS_PER_METRE * 2.0) + 1):
            part = min(step / (length * TRACKS_PER_METRE * 2.0), 1.0)
            for sign in (-1.0, 1.0):
                p = (x + part * ex - sign * HALF_TRACK * ey / length - left) * TRACKS_PER_METRE
                q = (y + part * ey + sign * HALF_TRACK * ex / length - low) * TRACKS_PER_METRE
                for j in range(int(q - wide - 1.0), int(q + wide + 2.0)):
                    for i in range(int(p - wide - 1.0), int(p + wide + 2.0)):
                        if 0 <= i < side and 0 <= j < side:
                            away = np.sqrt((i + 0.5 - p) ** 2 + (j + 0.5 - q) ** 2)
                            value = 255.0 * min(max(wide + 0.5 - away, 0.0), 1.0)
                            if value > share[j, i]:
                                share[j, i] = np.uint8(value)
