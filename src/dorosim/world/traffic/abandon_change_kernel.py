"""Lane changes that cannot end, since a body stands in the way, become ways around it."""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.world.traffic.beside_kernel import place_on_source_lane
from dorosim.world.traffic.decision_table_kernel import VEHICLE, Workspace
from dorosim.world.traffic.move_kernel import write_pose
from dorosim.world.traffic.road import RoadArrays
from dorosim.world.traffic.state import Passing, TrafficState

MAX_CHANGE_HALT_SPEED = 0.1
"""A vehicle that changes lanes slower than this stands [m/s]."""

ABANDONED_PASS_SPEED, ABANDONED_PASS_CURVATURE = 3.0, 0.15
"""Speed [m/s] and curvature [1/m] with which a vehicle that gave up a change moves to the middle of its lane."""

UNDONE_SHARE = 0.6
"""A vehicle that has driven less of the way of its lane change than this is still mostly in its old lane."""

_TRAFFIC = TrafficState.at
_LANE_BESIDE = int(Passing.LANE_BESIDE)


@inner_kernel
def is_change_blocked(work: Workspace, row: int, body: int) -> bool:
    """Whether a vehicle stands across two lanes with an obstruction ahead, a row of which is `body`, -1 for none."""
    return bool(body >= 0 and work.vehicle[row, VEHICLE.speed] < MAX_CHANGE_HALT_SPEED)


@outlined_kernel
def abandon_change(road: RoadArrays, floats: FloatArray, ints: IntArray, row: int) -> None:
    """Let a vehicle that changes lanes be beside the middle of one of them instead; its body stays where it is.

    It is back on its old lane where it has not come far, else on the new one.
    It counts as one that passes and goes back, so that drivers on both lanes see it, and may look for a way around.

    Args:
        road: the roads.
        floats: of `TrafficState`.
        ints: likewise.
        row: of the vehicle.
    """
    done = floats[_TRAFFIC.s, row] - floats[_TRAFFIC.change_start, row]
    if done < UNDONE_SHARE * floats[_TRAFFIC.change_length, row]:
        link, old = ints[_TRAFFIC.link, row], ints[_TRAFFIC.change_from, row]
        floats[_TRAFFIC.s, row] = place_on_source_lane(road, link, old, floats[_TRAFFIC.s, row])
        ints[_TRAFFIC.link, row] = old
    x, y, yaw = floats[_TRAFFIC.x, row], floats[_TRAFFIC.y, row], floats[_TRAFFIC.yaw, row]
    ints[_TRAFFIC.change_from, row] = -1
    floats[_TRAFFIC.lateral, row] = floats[_TRAFFIC.lateral_slope, row] = 0.0
    write_pose(road, floats, ints, row, 0.0)
    dx, dy, lane = x - floats[_TRAFFIC.x, row], y - floats[_TRAFFIC.y, row], floats[_TRAFFIC.yaw, row]
    slope = math.tan(yaw - lane)
    floats[_TRAFFIC.s, row] += math.cos(lane) * dx + math.sin(lane) * dy
    floats[_TRAFFIC.lateral, row] = math.cos(lane) * dy - math.sin(lane) * dx
    floats[_TRAFFIC.lateral_slope, row] = slope
    ints[_TRAFFIC.passing, row] = _LANE_BESIDE
    floats[_TRAFFIC.pass_lateral, row], floats[_TRAFFIC.pass_end, row] = (
        floats[_TRAFFIC.lateral, row],
        floats[_TRAFFIC.s, row],
    )
    floats[_TRAFFIC.pass_slope, row] = max(abs(slope), 0.3)
    floats[_TRAFFIC.pass_curvature, row] = ABANDONED_PASS_CURVATURE
    floats[_TRAFFIC.pass_speed, row] = ABANDONED_PASS_SPEED
    write_pose(road, floats, ints, row, 0.0)
