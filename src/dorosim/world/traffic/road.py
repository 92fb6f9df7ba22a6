"""The roads as the traffic kernels see them: a few arrays, and the names of their columns."""

from __future__ import annotations

from typing import NamedTuple

from dorosim.road.adjacency import FloatArray, IntArray

LENGTH, LIMIT, CURVE_SPEED, STOP, HOLD, LONG_HOLD, FIRST_POINT, POINTS_PER_METRE = range(8)
"""Columns of `RoadArrays.lane`: of a link its length [m], speed limit [m/s], the speed that its bends allow [m/s],
where a vehicle stops before its end [m], where it waits for the conflicts (0: before the link) and where long vehicles
do [m], where its points begin in `line`, and how many there are per metre [1/m]."""

HALF_WIDTH, KEEP = range(2)
"""Columns of `RoadArrays.rim`, seldom needed of a link: half of its least width [m], and the end of its last
zone that must not be blocked (-1: none) [m]."""

LEFT, RIGHT, LIT, CONTROLLED, NEXT, BEFORE, CONFLICT, PARTING = range(8)
"""Columns of `RoadArrays.key`: the lanes to which a vehicle may change on the left and on the right (-1: none), whether
a vehicle light governs the link, whether it conflicts with others, and where its rows begin: links that follow and that
lead to it in `pool`, its rows in `conflict` and `parting`. They end where those of the next link begin."""

OWN_END, OTHER_START, OTHER_END, OTHER_LINK, YIELDS, MERGES, LONG = range(7)
"""Columns of `RoadArrays.conflict`: end of the zone on the link itself, start and end of it on the other [m], the
other link; flags, 0 or 1: whether the vehicle on the link gives way to the one on the other, whether both links end in
one node, whether the conflict counts for long bodies only."""

FIRST_PLACE, CELLS, BESIDE_START, PER_METRE = range(4)
"""Columns of `RoadArrays.beside`: where the places of a pair of lanes begin in `abreast`, how many steps they have (0:
the lanes are nowhere side by side), where these begin on the lane to which a vehicle changes [m], and steps per metre
there [1/m]."""

OWN_PART, OTHER_PART, PART_LINK = range(3)
"""Columns of `RoadArrays.parting`: up to where two lanes from one node overlap, on either [m], and the other lane."""

SLOPE_X, SLOPE_Y = 3, 4
"""Columns of `RoadArrays.line` after x, y and z: how far the course would get in x and y from point to point by its
tangent there [m]."""


class RoadArrays(NamedTuple):
    """The roads as the traffic kernels see them; all arrays are read-only.

    What belongs to one link lies side by side, since a driver reads all of it at once.

    Attributes:
        lane: `(L, 8)`, rim: `(L, 2)`, key: `(L + 1, 8)`: of each link, see the names of their columns.
        pool: links that follow each link, then those that lead to each, for vehicles only.
        edge: lanes that begin at the edge of the map: vehicles that left it come in there.
        inner: long lanes inside the map without conflicts: vehicles come in there where the edge is full or absent.
        conflict: `(C, 7)`, see the names of its columns.
        parting: `(Q, 3)` of each pair of lanes from one node.
        beside: `(2 L, 4)` of each link with the lane to its left, then with the one to its right, and so on; see the
            names of its columns.
        abreast: places on links that are beside places on lanes next to them, table by table (see
            `dorosim.road.side_by_side`) [m].
        line: `(P, 5)` courses of all links: evenly spaced points in map [m], and SLOPE_X and SLOPE_Y.
    """

    lane: FloatArray
    rim: FloatArray
    key: IntArray
    pool: IntArray
    edge: IntArray
    inner: IntArray
    conflict: FloatArray
    parting: FloatArray
    beside: FloatArray
    abreast: FloatArray
    line: FloatArray
