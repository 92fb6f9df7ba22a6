"""Finds the lanes that pedestrians are about to cross."""

from __future__ import annotations

import math
from typing import NamedTuple

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.pedestrian.state import PedestrianState, Stage
from dorosim.world.signal.state import WalkSignal
from dorosim.world.traffic.state import Crossing

_PEDESTRIAN = PedestrianState.at
_CROSSING = Crossing.at

HORIZON = 4.0
"""A pedestrian that reaches a lane sooner than this is about to cross it [s]."""
STEPPING = 0.2
"""A pedestrian that goes towards a lane slower than this [m/s] counts as standing."""

_WAIT, _CROSS, _NO_LIGHT = int(Stage.WAIT), int(Stage.CROSS), int(WalkSignal.NONE)
AREA_LINK, AREA = range(2)
"""Columns of `LaneCrossings.ints`: the lane and the crosswalk."""
BEGIN, END, MIDDLE_X, MIDDLE_Y, ACROSS_X, ACROSS_Y, REACH = range(7)
"""Columns of `LaneCrossings.floats`: arc lengths where the lane comes on the crosswalk and leaves it [m], the middle
between, in map [m], the direction to the left of the lane there, and how far from its middle a pedestrian is in it
[m]."""


class LaneCrossings(NamedTuple):
    """Lanes that lead over crosswalks, sorted by lane; read-only.

    Attributes:
        floats: `(X, 7)`, whole: `(X, 2)`, see the names of their columns.
    """

    floats: FloatArray
    ints: IntArray


@inner_kernel
def time_to_lane(crossings: LaneCrossings, x: int, people: FloatArray, i: int) -> float:
    """Time until a pedestrian on the crosswalk is in the lane [s]; infinite if it goes away from it, or stands."""
    across_x, across_y = crossings.floats[x, ACROSS_X], crossings.floats[x, ACROSS_Y]
    dx, dy = (
        people[_PEDESTRIAN.x, i] - crossings.floats[x, MIDDLE_X],
        people[_PEDESTRIAN.y, i] - crossings.floats[x, MIDDLE_Y],
    )
    offset, speed = (
        across_x * dx + across_y * dy,
        across_x * people[_PEDESTRIAN.velocity_x, i] + across_y * people[_PEDESTRIAN.velocity_y, i],
    )
    left = abs(offset) - crossings.floats[x, REACH]
    if left <= 0.0:
        return 0.0
    towards = -speed if offset > 0.0 else speed
    return left / towards if towards > STEPPING else math.inf


@kernel
def find_crossings(
    lane_floats: FloatArray,
    lane_ints: IntArray,
    walk: IntArray,
    people: FloatArray,
    people_ints: IntArray,
    floats: FloatArray,
    ints: IntArray,
) -> int:
    """Write a row for each lane that a pedestrian is about to cross, or waits to cross. Returns the number of rows.

    Args:
        lane_floats: of `LaneCrossings`.
        lane_ints: of `LaneCrossings`.
        walk: `(K,)` what the lights of each crosswalk show (`WalkSignal`), read-only.
        people: `PedestrianState.floats`, writable; it is only read.
        people_ints: `PedestrianState.ints`, likewise.
        floats: out, of `Crossing`, with a row for each lane over a crosswalk.
        ints: out, of `Crossing`.
    """
    crossings = LaneCrossings(bare(lane_floats), bare(lane_ints))
    walk, people, people_ints, floats, ints = bare(walk), bare(people), bare(people_ints), bare(floats), bare(ints)
    lanes, count = crossings.ints.shape[0], 0
    for x in range(lanes):
        floats[_CROSSING.time, x] = math.inf
    for i in range(people.shape[1]):
        stage, k = people_ints[_PEDESTRIAN.stage, i], people_ints[_PEDESTRIAN.crosswalk, i]
        if k < 0 or not (
            stage == _CROSS or (stage == _WAIT and people_ints[_PEDESTRIAN.paused, i] == 0 and walk[k] == _NO_LIGHT)
        ):
            continue
        for x in range(lanes):
            if crossings.ints[x, AREA] == k:
                time = time_to_lane(crossings, x, people, i) if stage == _CROSS else 0.0
                floats[_CROSSING.time, x] = min(floats[_CROSSING.time, x], time)
    for x in range(lanes):
        if floats[_CROSSING.time, x] < HORIZON:
            ints[_CROSSING.link, count], floats[_CROSSING.time, count] = (
                crossings.ints[x, AREA_LINK],
                floats[_CROSSING.time, x],
            )
            floats[_CROSSING.begin, count], floats[_CROSSING.end, count] = (
                crossings.floats[x, BEGIN],
                crossings.floats[x, END],
            )
            count += 1
    return count
