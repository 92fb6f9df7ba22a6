"""Places on lanes side by side, for lane changes from the one to the other (see `dorosim.road.side_by_side`)."""

from __future__ import annotations

from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.road import (
    BESIDE_START,
    CELLS,
    FIRST_PLACE,
    LEFT,
    PER_METRE,
    RIGHT,
    RoadArrays,
)

NOWHERE = -1.0
"""No place: the lane is not beside this one there."""


@inner_kernel
def pair_of_lanes(road: RoadArrays, lane: int, other: int) -> int:
    """The row of `RoadArrays.beside` for two lanes, -1 where a change from the one to the other is not allowed."""
    if road.key[lane, LEFT] == other:
        return 2 * lane
    if road.key[lane, RIGHT] == other:
        return 2 * lane + 1
    return -1


@inner_kernel
def place_on_old_lane(road: RoadArrays, lane: int, old: int, s: float) -> float:
    """The place on lane `old`, which a vehicle leaves, beside the place `s` on `lane`, to which it changes [m].

    Before and beyond the stretch on which they are side by side, a metre on the one counts as a metre on the other.
    """
    pair = pair_of_lanes(road, old, lane)
    if pair < 0:
        return s
    first, cells = int(road.beside[pair, FIRST_PLACE]), int(road.beside[pair, CELLS])
    at = (s - road.beside[pair, BESIDE_START]) * road.beside[pair, PER_METRE]
    inside = min(max(at, 0.0), float(cells))
    cell = min(int(inside), cells - 1)
    here, there = road.abreast[first + cell], road.abreast[first + cell + 1]
    found: float = here + (inside - cell) * (there - here) + (at - inside) / road.beside[pair, PER_METRE]
    return found


@inner_kernel
def place_on_next_lane(road: RoadArrays, lane: int, target: int, s: float) -> float:
    """The place on lane `target`, to which a vehicle may change, beside the place `s` on `lane` [m]; NOWHERE for none.

    The inverse of `place_on_old_lane`.
    """
    pair = pair_of_lanes(road, lane, target)
    if pair < 0:
        return NOWHERE
    first = int(road.beside[pair, FIRST_PLACE])
    low, high = first, first + int(road.beside[pair, CELLS])
    if s < road.abreast[low] or s > road.abreast[high]:
        return NOWHERE
    while high - low > 1:
        middle = low + high >> 1
        if road.abreast[middle] > s:
            high = middle
        else:
            low = middle
    cell = low - first + (s - road.abreast[low]) / (road.abreast[high] - road.abreast[low])
    found: float = road.beside[pair, BESIDE_START] + cell / road.beside[pair, PER_METRE]
    return found


@inner_kernel
def end_beside(road: RoadArrays, lane: int, target: int) -> float:
    """The place on lane `target`, to which a vehicle may change, where the stretch beside `lane` ends [m]."""
    pair = pair_of_lanes(road, lane, target)
    found: float = road.beside[pair, BESIDE_START] + road.beside[pair, CELLS] / road.beside[pair, PER_METRE]
    return found
