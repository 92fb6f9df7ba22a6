"""Tries out a path around bodies: whether the box of a vehicle that drives it touches any of them."""

from __future__ import annotations

import math

from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.world.traffic.decision_table_kernel import REPORT, VEHICLE, Workspace, rows_of
from dorosim.world.traffic.lateral_kernel import PASSED_OFFSET, lateral_step, straightening_of
from dorosim.world.traffic.road import CURVE_ACCELERATION, LINK, RoadArrays
from dorosim.world.traffic.state import Obstruction, TrafficState

SWEEP_STEP = 0.25
"""Distance between the places at which the box is looked at [m]."""

USUAL_BEND = 0.3
"""A body may leave a bent path by this without more distance to others than usual [m]."""

MAX_SWEEP_STEPS = 500

SWEEP_MARGIN = 0.2
"""Least distance from the box of a vehicle on its path to a body [m]."""

_TRAFFIC = TrafficState.at
_OBSTRUCTION = Obstruction.at


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
    road: RoadArrays, work: Workspace, row: int, x: float, lateral: float, slope: float, margin: float
) -> bool:
    """Whether the box of a vehicle comes too near to an obstruction on its path.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle.
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
    way = 0.0
    for k in range(work.vehicle_ints[row, VEHICLE.path_count]):
        link = work.path[row, k]
        if way > x + 1.0:
            break
        for at in rows_of(work.link_ints, link, REPORT.obstruction_first):
            one = work.obstruction_row[at]
            low = way + work.obstruction[_OBSTRUCTION.rear, one] - margin
            high = way + work.obstruction[_OBSTRUCTION.front, one] + margin
            if high < x - length - 1.0 or low > x + 1.0:
                continue
            # the right edge of the box, and the left one
            dx, dy = half * sine, half * c
            right = edge_extreme(rear + dx, rear_lateral - dy, front + dx, front_lateral - dy, low, high, 1.0)
            left = -edge_extreme(rear - dx, rear_lateral + dy, front - dx, front_lateral + dy, low, high, -1.0)
            if right > 1e8 and left < -1e8:
                continue
            beside_right = right >= work.obstruction[_OBSTRUCTION.left, one] + margin
            beside_left = left <= work.obstruction[_OBSTRUCTION.right, one] - margin
            if not (beside_right or beside_left):
                return True
        way += road.link[link, LINK.length]
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


@outlined_kernel
def sweep_is_clear(
    road: RoadArrays,
    work: Workspace,
    row: int,
    target: float,
    end: float,
    curvature: float,
    max_slope: float,
    bound: float,
) -> tuple[bool, float]:
    """Whether a vehicle can drive aside to `target`, past `end` and back, and where its front is when it is back.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle.
        target: offset at which it passes [m].
        end: place of its front from the start of its link from which it goes back [m].
        curvature: of the path, at most [1/m].
        max_slope: of the path over the lane, at most.
        bound: how far the box may come to the side to which it passes, from the middle of the lane [m].
    """
    x, sign = work.vehicle[row, VEHICLE.s], math.copysign(1.0, target)
    lateral, slope = work.floats[_TRAFFIC.lateral, row], work.floats[_TRAFFIC.lateral_slope, row]
    half = 0.5 * work.floats[_TRAFFIC.width, row]
    ahead = work.floats[_TRAFFIC.wheelbase, row] + work.floats[_TRAFFIC.front_overhang, row]
    margin = SWEEP_MARGIN + bend_margin(road, work, row, end)
    straightening = straightening_of(curvature, max_slope)
    for _ in range(MAX_SWEEP_STEPS):
        wanted = target if x < end else 0.0
        lateral, slope = lateral_step(lateral, slope, wanted, curvature, straightening, max_slope, SWEEP_STEP)
        x += SWEEP_STEP
        c = 1.0 / math.sqrt(1.0 + slope * slope)
        reach = sign * (lateral + ahead * slope * c) + half * c
        if reach > bound or box_touches(road, work, row, x, lateral, slope, margin):
            return False, x
        if x > end and abs(lateral) < 4.0 * PASSED_OFFSET:
            return True, x
    return False, x
