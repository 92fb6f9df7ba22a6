"""Finds the lanes that pedestrians are about to cross."""

from __future__ import annotations

import math
from typing import NamedTuple

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import RealArray, WholeArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.pedestrian.state import PedestrianState, Stage
from dorosim.world.signal.state import WalkSignal
from dorosim.world.traffic.state import Crossing

HORIZON = 4.0
"""A pedestrian that reaches a lane sooner than this is about to cross it [s]."""
STEPPING = 0.2
"""A pedestrian that goes towards a lane slower than this [m/s] counts as standing."""

_S, _C = PedestrianState, Crossing
_X, _Y, _VX, _VY = _S.x.index, _S.y.index, _S.velocity_x.index, _S.velocity_y.index
_STAGE, _CROSSWALK, _PAUSED = _S.stage.index, _S.crosswalk.index, _S.paused.index
_LINK, _BEGIN, _END, _TIME = _C.link.index, _C.begin.index, _C.end.index, _C.time.index
_WAIT, _CROSS, _NO_LIGHT = int(Stage.WAIT), int(Stage.CROSS), int(WalkSignal.NONE)
AREA_LINK, AREA = range(2)
"""Columns of `LaneCrossings.whole`: the lane and the crosswalk."""
BEGIN, END, MIDDLE_X, MIDDLE_Y, ACROSS_X, ACROSS_Y, REACH = range(7)
"""Columns of `LaneCrossings.real`: arc lengths where the lane comes on the crosswalk and leaves it [m], the middle
between, in map [m], the direction to the left of the lane there, and how far from its middle a pedestrian is in it
[m]."""


class LaneCrossings(NamedTuple):
    """Lanes that lead over crosswalks, sorted by lane; read-only.

    Attributes:
        real: `(X, 7)`, whole: `(X, 2)`, see the names of their columns.
    """

    real: RealArray
    whole: WholeArray


@inner_kernel
def time_to_lane(crossings: LaneCrossings, x: int, people: RealArray, i: int) -> float:
    """Time until a pedestrian on the crosswalk is in the lane [s]; infinite if it goes away from it, or stands."""
    across_x, across_y = crossings.real[x, ACROSS_X], crossings.real[x, ACROSS_Y]
    dx, dy = people[_X, i] - crossings.real[x, MIDDLE_X], people[_Y, i] - crossings.real[x, MIDDLE_Y]
    offset, speed = across_x * dx + across_y * dy, across_x * people[_VX, i] + across_y * people[_VY, i]
    left = abs(offset) - crossings.real[x, REACH]
    if left <= 0.0:
        return 0.0
    towards = -speed if offset > 0.0 else speed
    return left / towards if towards > STEPPING else math.inf


@kernel
def find_crossings(
    lane_real: RealArray,
    lane_whole: WholeArray,
    walk: WholeArray,
    people: RealArray,
    people_whole: WholeArray,
    real: RealArray,
    whole: WholeArray,
) -> int:
    """Write a row for each lane that a pedestrian is about to cross, or waits to cross. Returns the number of rows.

    Args:
        lane_real: of `LaneCrossings`.
        lane_whole: of `LaneCrossings`.
        walk: `(K,)` what the lights of each crosswalk show (`WalkSignal`), read-only.
        people: `PedestrianState.real`, writable; it is only read.
        people_whole: `PedestrianState.whole`, likewise.
        real: out, of `Crossing`, with a row for each lane over a crosswalk.
        whole: out, of `Crossing`.
    """
    crossings = LaneCrossings(bare(lane_real), bare(lane_whole))
    walk, people, people_whole, real, whole = bare(walk), bare(people), bare(people_whole), bare(real), bare(whole)
    lanes, count = crossings.whole.shape[0], 0
    for x in range(lanes):
        real[_TIME, x] = math.inf
    for i in range(people.shape[1]):
        stage, k = people_whole[_STAGE, i], people_whole[_CROSSWALK, i]
        if k < 0 or not (
            stage == _CROSS or (stage == _WAIT and people_whole[_PAUSED, i] == 0 and walk[k] == _NO_LIGHT)
        ):
            continue
        for x in range(lanes):
            if crossings.whole[x, AREA] == k:
                time = time_to_lane(crossings, x, people, i) if stage == _CROSS else 0.0
                real[_TIME, x] = min(real[_TIME, x], time)
    for x in range(lanes):
        if real[_TIME, x] < HORIZON:
            whole[_LINK, count], real[_TIME, count] = crossings.whole[x, AREA_LINK], real[_TIME, x]
            real[_BEGIN, count], real[_END, count] = crossings.real[x, BEGIN], crossings.real[x, END]
            count += 1
    return count
