"""Where lanes are, to find those that a body stands on: straight pieces of all lanes, in the cells of a grid."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dorosim.ground.column import Columns, float64
from dorosim.ground.unit import METRE, RATIO
from dorosim.road.adjacency import FlagArray, FloatArray, IntArray, frozen
from dorosim.world.traffic.lane_grid_kernel import cut_pieces, sort_pieces
from dorosim.world.traffic.road import LINK, RoadArrays

MAX_HINDRANCE_OFFSET = 1.55
"""A body farther than this from the middle of a lane hinders no vehicle on it [m]: half a bus (2.5 m) and 0.3 m."""


class LanePiece(Columns):
    """Columns of `LaneGrid.piece`: a straight piece of a lane."""

    x = float64(METRE, "its start, east", frame="map")
    y = float64(METRE, "its start, north", frame="map")
    z = float64(METRE, "its start, up", frame="map")
    direction_x = float64(RATIO, "its direction in the plan, east", frame="map")
    direction_y = float64(RATIO, "its direction in the plan, north", frame="map")
    grade = float64(RATIO, "metres up per metre in the plan")
    length = float64(METRE, "in the plan")
    start = float64(METRE, "arc length of its start on its link")
    half_width = float64(METRE, "how far from its middle a body hinders vehicles on it")


PIECE = LanePiece.at
"""Where the columns are in a row of `LaneGrid.piece`."""


class LaneGrid(NamedTuple):
    """Pieces of the lanes for vehicles, by cell; all arrays are read-only.

    Attributes:
        origin: `(2,)` corner of the grid in map [m].
        size: `(2,)` cells along x and y.
        first: `(cells + 1,)` where the pieces of each cell begin in `item`; cell = column + columns * row.
        item: pieces that lanes cover some of a cell with, cell by cell.
        piece: `(Q, 9)`, of `LanePiece`.
        link: `(Q,)` of each piece.
    """

    origin: FloatArray
    size: IntArray
    first: IntArray
    item: IntArray
    piece: FloatArray
    link: IntArray


def lane_grid_of_road(road: RoadArrays, drivable: FlagArray) -> LaneGrid:
    """The grid over all lanes that vehicles use `(L,)`."""
    piece, link = _pieces(road, drivable)
    return LaneGrid(*map(frozen, (*sort_pieces(piece), piece, link)))


def _pieces(road: RoadArrays, drivable: FlagArray) -> tuple[FloatArray, IntArray]:
    """The courses of lanes, cut where they bend and where they are longer than a cell."""
    first = np.append(road.link[:, LINK.first_point], len(road.course)).astype(np.int64)
    return cut_pieces(road.course, first, road.link, drivable, np.minimum(road.half_width, MAX_HINDRANCE_OFFSET))
