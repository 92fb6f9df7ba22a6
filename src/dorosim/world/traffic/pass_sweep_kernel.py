"""Tries out a path around bodies: whether the box of a vehicle that drives it touches any of them."""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.world.traffic.decision_table_kernel import VEHICLE, Workspace
from dorosim.world.traffic.lateral_kernel import PASSED_OFFSET, lateral_step, straightening_of
from dorosim.world.traffic.pass_surrounding_kernel import BOX
from dorosim.world.traffic.road import CURVE_ACCELERATION, LINK, RoadArrays
from dorosim.world.traffic.state import TrafficState
from dorosim.world.traffic.verge_kernel import touches_roadside

SWEEP_STEP = 0.25
"""Distance between the places at which the box is looked at [m]."""

STEPS_BETWEEN_BOXES = 4
"""Between two of them the path is followed in so many steps, as short as those of a slow vehicle in a tick."""

USUAL_BEND = 0.3
"""A body may leave a bent path by this without more distance to others than usual [m]."""

MAX_SWEEP_STEPS = 500

SWEEP_MARGIN, SLOW_SWEEP_MARGIN, MIN_SWEEP_MARGIN = 0.2, 0.06, 0.04
"""Least distance from a vehicle on its path to a body, over the verge, and where it begins nearer to one [m]."""

_TRAFFIC = TrafficState.at
_LATERAL_STEP = SWEEP_STEP / STEPS_BETWEEN_BOXES


@inner_kernel
def edge_extreme(x0: float, y0: float, x1: float, y1: float, low: float, high: float, sign: float) -> float:
    """The least `sign * y` of the edge from (x0, y0) to (x1, y1), x0 < x1, over low < x < high; 1e9 for none."""
    if x1 <= low or x0 >= high:
        return 1e9
    slope = (y1 - y0) / (x1 - x0)
    begin, end = y0 + slope * (max(low, x0) - x0), y0 + slope * (min(high, x1) - x0)
    return min(sign * begin, sign * end)


@inner_kernel
def box_touches(
    work: Workspace, row: int, boxes: FloatArray, x: float, lateral: float, slope: float, margin: float
) -> bool:
    """Whether a vehicle on its path comes too near to one of the boxes around it.

    Args:
        work: scratch.
        row: of the vehicle.
        boxes: as of `surrounding_boxes`.
        x: place of its front bumper from the start of its link, were it in line with the lane [m].
        lateral: offset of its body origin [m].
        slope: of its path there.
        margin: distance that is too near [m].
    """
    length, half = work.vehicle[row, VEHICLE.length], 0.5 * work.floats[_TRAFFIC.width, row]
    ahead = work.floats[_TRAFFIC.wheelbase, row] + work.floats[_TRAFFIC.front_overhang, row]
    c = 1.0 / math.sqrt(1.0 + slope * slope)
    sine = slope * c
    front, rear = x - ahead + ahead * c, x - ahead - (length - ahead) * c
    front_lateral, rear_lateral = lateral + ahead * sine, lateral - (length - ahead) * sine
    dx, dy = half * sine, half * c
    for one in range(boxes.shape[0]):
        low, high = boxes[one, BOX.rear] - margin, boxes[one, BOX.front] + margin
        if high < x - length - 1.0 or low > x + 1.0:
            continue
        # the right edge of the body, and the left one
        right = edge_extreme(rear + dx, rear_lateral - dy, front + dx, front_lateral - dy, low, high, 1.0)
        left = -edge_extreme(rear - dx, rear_lateral + dy, front - dx, front_lateral + dy, low, high, -1.0)
        if right > 1e8 and left < -1e8:
            continue
        if right < boxes[one, BOX.left] + margin and left > boxes[one, BOX.right] - margin:
            return True
    return False


@inner_kernel
def bend_margin(road: RoadArrays, work: Workspace, row: int, end: float) -> float:
    """By how much more than usual a body, which is straight, leaves its bent path up to `end` [m]: L² / (8 R)."""
    least, way, length = 1e3, 0.0, work.vehicle[row, VEHICLE.length]
    for k in range(work.vehicle_ints[row, VEHICLE.path_count]):
        if way > end:
            break
        least = min(least, road.link[work.path[row, k], LINK.curve_speed])
        way += road.link[work.path[row, k], LINK.length]
    return float(max(length * length * CURVE_ACCELERATION / (8.0 * least * least) - USUAL_BEND, 0.0))


@inner_kernel
def margin_to_others(road: RoadArrays, work: Workspace, row: int, boxes: FloatArray, end: float, verge: bool) -> float:
    """The distance that a vehicle keeps to the boxes around its path [m]; less where it stands nearer to one already.

    Arguments as of `sweep_is_clear`.
    """
    margin = (SLOW_SWEEP_MARGIN if verge else SWEEP_MARGIN) + bend_margin(road, work, row, end)
    x = work.vehicle[row, VEHICLE.s]
    lateral, slope = work.floats[_TRAFFIC.lateral, row], work.floats[_TRAFFIC.lateral_slope, row]
    touches = box_touches(work, row, boxes, x, lateral, slope, margin)
    if touches or (verge and touches_roadside(road, work, row, x, lateral, slope, margin)):
        return MIN_SWEEP_MARGIN
    return margin


@outlined_kernel
def sweep_is_clear(
    road: RoadArrays,
    work: Workspace,
    row: int,
    boxes: FloatArray,
    target: float,
    end: float,
    curvature: float,
    max_slope: float,
    bound: float,
    verge: bool,
) -> tuple[bool, float]:
    """Whether a vehicle can drive aside to `target`, past `end` and back, and where its front is when it is back.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle.
        boxes: around its path, as of `surrounding_boxes`.
        target: offset at which it passes [m].
        end: place of its front from the start of its link from which it goes back [m].
        curvature: of the path, at most [1/m].
        max_slope: of the path over the lane, at most.
        bound: how far the body may come to the side to which it passes, from the middle of the lane [m]; as far as it
            is already, if that is farther.
        verge: whether it leaves the lanes, so that bodies beside the road count.
    """
    x, sign = work.vehicle[row, VEHICLE.s], math.copysign(1.0, target)
    lateral, slope = work.floats[_TRAFFIC.lateral, row], work.floats[_TRAFFIC.lateral_slope, row]
    half = 0.5 * work.floats[_TRAFFIC.width, row]
    ahead = work.floats[_TRAFFIC.wheelbase, row] + work.floats[_TRAFFIC.front_overhang, row]
    margin = margin_to_others(road, work, row, boxes, end, verge)
    straightening = straightening_of(curvature, max_slope)
    bound = max(bound, sign * (lateral + ahead * slope) + half)
    for step in range(MAX_SWEEP_STEPS):
        wanted = target if x < end else 0.0
        for _ in range(STEPS_BETWEEN_BOXES):
            lateral, slope = lateral_step(lateral, slope, wanted, curvature, straightening, max_slope, _LATERAL_STEP)
        x += SWEEP_STEP
        c = 1.0 / math.sqrt(1.0 + slope * slope)
        reach = sign * (lateral + ahead * slope * c) + half * c
        if reach > bound or box_touches(work, row, boxes, x, lateral, slope, margin):
            return False, x
        if verge and step % 2 == 0 and touches_roadside(road, work, row, x, lateral, slope, margin):
            return False, x
        if x > end and abs(lateral) < 4.0 * PASSED_OFFSET:
            return True, x
    return False, x
