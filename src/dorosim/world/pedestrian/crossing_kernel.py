"""Finds the lanes that pedestrians are about to cross."""

from __future__ import annotations

import math

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import Columns, FloatArray, IntArray, float64, int64
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.unit import METRE, RATIO
from dorosim.world.pedestrian.state import PedestrianState, Stage
from dorosim.world.signal.state import WalkSignal
from dorosim.world.traffic.state import Crossing

_PEDESTRIAN = PedestrianState.at
_CROSSING = Crossing.at

CROSSING_HORIZON = 4.0
"""A pedestrian that reaches a lane sooner than this is about to cross it [s]."""
MIN_CROSSING_SPEED = 0.2
"""A pedestrian that goes towards a lane slower than this [m/s] counts as standing."""

_WAIT, _CROSS, _NO_LIGHT = int(Stage.WAIT), int(Stage.CROSS), int(WalkSignal.NONE)


class LaneCrossings(Columns):
    """Lanes that lead over crosswalks, one row each, sorted by lane; read-only."""

    begin = float64(METRE, "arc length where the lane comes on the crosswalk")
    end = float64(METRE, "arc length where the lane leaves the crosswalk")
    middle_x = float64(METRE, "middle between, east", frame="map")
    middle_y = float64(METRE, "middle between, north", frame="map")
    left_x = float64(RATIO, "direction to the left of the lane there, east", frame="map")
    left_y = float64(RATIO, "direction to the left of the lane there, north", frame="map")
    half_width = float64(METRE, "how far from its middle a pedestrian is in the lane")

    link = int64("the lane")
    crosswalk = int64("row of the crosswalk")
    key = ("link", "crosswalk")


_LANE = LaneCrossings.at


@inner_kernel
def time_to_lane(lanes: FloatArray, x: int, people: FloatArray, i: int) -> float:
    """Time until a pedestrian on the crosswalk is in the lane [s]; infinite if it goes away from it, or stands."""
    left_x, left_y = lanes[_LANE.left_x, x], lanes[_LANE.left_y, x]
    dx, dy = people[_PEDESTRIAN.x, i] - lanes[_LANE.middle_x, x], people[_PEDESTRIAN.y, i] - lanes[_LANE.middle_y, x]
    offset = left_x * dx + left_y * dy
    speed = left_x * people[_PEDESTRIAN.velocity_x, i] + left_y * people[_PEDESTRIAN.velocity_y, i]
    way = abs(offset) - lanes[_LANE.half_width, x]
    if way <= 0.0:
        return 0.0
    towards = -speed if offset > 0.0 else speed
    return way / towards if towards > MIN_CROSSING_SPEED else math.inf


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
    lanes, lane_ints, walk = bare(lane_floats), bare(lane_ints), bare(walk)
    people, people_ints, floats, ints = bare(people), bare(people_ints), bare(floats), bare(ints)
    for x in range(lanes.shape[1]):
        floats[_CROSSING.time, x] = math.inf
    for i in range(people.shape[1]):
        stage, k = people_ints[_PEDESTRIAN.stage, i], people_ints[_PEDESTRIAN.crosswalk, i]
        waits = stage == _WAIT and people_ints[_PEDESTRIAN.paused, i] == 0 and k >= 0 and walk[k] == _NO_LIGHT
        if k < 0 or not (stage == _CROSS or waits):
            continue
        for x in range(lanes.shape[1]):
            if lane_ints[_LANE.crosswalk, x] == k:
                time = time_to_lane(lanes, x, people, i) if stage == _CROSS else 0.0
                floats[_CROSSING.time, x] = min(floats[_CROSSING.time, x], time)
    count = 0
    for x in range(lanes.shape[1]):
        if floats[_CROSSING.time, x] < CROSSING_HORIZON:
            ints[_CROSSING.link, count] = lane_ints[_LANE.link, x]
            floats[_CROSSING.time, count] = floats[_CROSSING.time, x]
            floats[_CROSSING.begin, count], floats[_CROSSING.end, count] = lanes[_LANE.begin, x], lanes[_LANE.end, x]
            count += 1
    return count
