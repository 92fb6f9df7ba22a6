"""Places on lanes side by side, for lane changes from the one to the other (see `dorosim.road.side_by_side`)."""

from __future__ import annotations

from dorosim.ground.jit import inner_kernel
from dorosim.ground.prefetch_kernel import fetch
from dorosim.world.traffic.road import LINK, SIDE, LaneNeighbour, RoadArrays, RoadLink

NOT_BESIDE = -1.0
"""No place: the lane is not beside this one there."""

_LINK_COLUMNS, _SIDE_COLUMNS = RoadLink.float_width, LaneNeighbour.float_width


@inner_kernel
def side_of(road: RoadArrays, lane: int, other: int) -> int:
    """The row of `RoadArrays.side` for two lanes, -1 where a change from the one to the other is not allowed."""
    if road.link_ints[lane, LINK.left] == other:
        return 2 * lane
    if road.link_ints[lane, LINK.right] == other:
        return 2 * lane + 1
    return -1


@inner_kernel
def fetch_sides(road: RoadArrays, old: int) -> None:
    """Ask for where lanes are beside lane `old`, which a vehicle leaves; nothing for -1."""
    if old >= 0:
        fetch(road.link_ints, old * _LINK_COLUMNS)
        fetch(road.side, 2 * old * _SIDE_COLUMNS)
        fetch(road.side, (2 * old + 1) * _SIDE_COLUMNS)


@inner_kernel
def place_on_source_lane(road: RoadArrays, lane: int, old: int, s: float) -> float:
    """The place on lane `old`, which a vehicle leaves, beside the place `s` on `lane`, to which it changes [m].

    Before and beyond the stretch on which they are side by side, a metre on the one counts as a metre on the other.
    """
    pair = side_of(road, old, lane)
    if pair < 0:
        return s
    first, cells = int(road.side[pair, SIDE.first_place]), int(road.side[pair, SIDE.cells])
    at = (s - road.side[pair, SIDE.start]) * road.side[pair, SIDE.cells_per_metre]
    inside = min(max(at, 0.0), float(cells))
    cell = min(int(inside), cells - 1)
    here, there = road.side_place[first + cell], road.side_place[first + cell + 1]
    return float(here + (inside - cell) * (there - here) + (at - inside) / road.side[pair, SIDE.cells_per_metre])


@inner_kernel
def place_on_target_lane(road: RoadArrays, lane: int, target: int, s: float) -> float:
    """The place on lane `target`, to which a vehicle may change, beside `s` on `lane` [m]; NOT_BESIDE for none.

    The inverse of `place_on_source_lane`.
    """
    pair = side_of(road, lane, target)
    if pair < 0:
        return NOT_BESIDE
    first = int(road.side[pair, SIDE.first_place])
    low, high = first, first + int(road.side[pair, SIDE.cells])
    if s < road.side_place[low] or s > road.side_place[high]:
        return NOT_BESIDE
    while high - low > 1:
        middle = low + high >> 1
        if road.side_place[middle] > s:
            high = middle
        else:
            low = middle
    cell = low - first + (s - road.side_place[low]) / (road.side_place[high] - road.side_place[low])
    return float(road.side[pair, SIDE.start] + cell / road.side[pair, SIDE.cells_per_metre])


@inner_kernel
def end_beside(road: RoadArrays, lane: int, target: int) -> float:
    """The place on lane `target`, to which a vehicle may change, where the stretch beside `lane` ends [m]."""
    pair = side_of(road, lane, target)
    return float(road.side[pair, SIDE.start] + road.side[pair, SIDE.cells] / road.side[pair, SIDE.cells_per_metre])
