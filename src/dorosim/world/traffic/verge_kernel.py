"""Bodies beside the road, as a driver sees them that passes something over the verge."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import Columns, float64
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.ground.unit import METRE, NONE, RADIAN
from dorosim.world.traffic.decision_table_kernel import UNBOUNDED, VEHICLE, Workspace
from dorosim.world.traffic.move_kernel import GUIDE_POINT_SHARE, course_point
from dorosim.world.traffic.road import LINK, RoadArrays
from dorosim.world.traffic.state import Passing, TrafficState

PERSON_GAP_ON_VERGE, PERSON_STOP_GAP = 0.6, 1.0
"""A driver on the verge stops for people that are in its way, or so near to it at the side [m], so far before them."""

MAX_VERGE_LEVEL_OFFSET = 2.5
"""A body so much higher or lower than the road is on another level [m]."""


class RoadsideBody(Columns):
    """Columns of `Workspace.roadside`: boxes from above of what stands, lies or walks near vehicles on the verge."""

    x = float64(METRE, "middle, east", frame="map")
    y = float64(METRE, "middle, north", frame="map")
    z = float64(METRE, "middle, up", frame="map")
    yaw = float64(RADIAN, "counter-clockwise from east", frame="map")
    half_length = float64(METRE, "along its x")
    half_width = float64(METRE, "along its y")
    half_height = float64(METRE, "upright")
    person = float64(NONE, "1 of a person, who may step into the way")
    traffic_row = float64(NONE, "1 + row of the vehicle on a lane that it is; 0 for none")


ROADSIDE = RoadsideBody.at
"""Where the columns are in `Workspace.roadside`."""

NO_ROADSIDE = np.zeros((RoadsideBody.float_width, 0))
NO_ROADSIDE.flags.writeable = False
"""No bodies beside the road."""

_TRAFFIC = TrafficState.at
_VERGE = int(Passing.VERGE)


@inner_kernel
def path_point(road: RoadArrays, work: Workspace, row: int, place: float) -> tuple[float, float, float]:
    """A point of a vehicle's path `place` from the start of its link, or behind that, in map [m]."""
    link = work.path[row, 0]
    if place < 0.0:
        before = work.vehicle_ints[row, VEHICLE.previous_link]
        if before >= 0:
            return course_point(road, before, place + road.link[before, LINK.length])
        return course_point(road, link, place)
    for k in range(work.vehicle_ints[row, VEHICLE.path_count] - 1):
        length = road.link[work.path[row, k], LINK.length]
        if place < length:
            break
        place -= length
        link = work.path[row, k + 1]
    return course_point(road, link, place)


@inner_kernel
def gap_to_body(
    work: Workspace, one: int, x: float, y: float, c: float, s: float, half_length: float, half_width: float
) -> float:
    """The widest gap between a body and a box from above, along the edge normals of both [m]; negative: they overlap.

    The box has its middle at (x, y) and its length along (c, s).
    """
    pc, ps = math.cos(work.roadside[ROADSIDE.yaw, one]), math.sin(work.roadside[ROADSIDE.yaw, one])
    dx, dy = work.roadside[ROADSIDE.x, one] - x, work.roadside[ROADSIDE.y, one] - y
    length, width = work.roadside[ROADSIDE.half_length, one], work.roadside[ROADSIDE.half_width, one]
    along, across = abs(c * pc + s * ps), abs(c * ps - s * pc)
    gap = abs(c * dx + s * dy) - half_length - along * length - across * width
    gap = max(gap, abs(c * dy - s * dx) - half_width - across * length - along * width)
    gap = max(gap, abs(pc * dx + ps * dy) - length - along * half_length - across * half_width)
    return float(max(gap, abs(pc * dy - ps * dx) - width - across * half_length - along * half_width))


@outlined_kernel
def touches_roadside(
    road: RoadArrays, work: Workspace, row: int, place: float, lateral: float, slope: float, margin: float
) -> bool:
    """Whether a vehicle on its path comes too near to a body beside the road.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle.
        place: of its front bumper from the start of its link, were it in line with the lane [m].
        lateral: offset of its body origin [m].
        slope: of its path there.
        margin: distance that is too near [m].
    """
    length, half_width = work.vehicle[row, VEHICLE.length], 0.5 * work.floats[_TRAFFIC.width, row]
    inset = GUIDE_POINT_SHARE * length
    fx, fy, fz = path_point(road, work, row, place - inset)
    rx, ry, _ = path_point(road, work, row, place + inset - length)
    dx, dy = fx - rx, fy - ry
    way = max(math.hypot(dx, dy), 1e-6)
    ahead = work.floats[_TRAFFIC.wheelbase, row] + work.floats[_TRAFFIC.front_overhang, row]
    back, aside = (ahead - inset) / way, lateral / way
    x, y = fx - back * dx - aside * dy, fy - back * dy + aside * dx
    straight = 1.0 / math.hypot(way, slope * way)
    c, s = (dx - slope * dy) * straight, (dy + slope * dx) * straight
    half_length = 0.5 * length
    x, y = x + (ahead - half_length) * c, y + (ahead - half_length) * s
    around = half_length + half_width + margin
    for one in range(work.roadside.shape[1]):
        reach = around + work.roadside[ROADSIDE.half_length, one] + work.roadside[ROADSIDE.half_width, one]
        far = abs(work.roadside[ROADSIDE.x, one] - x) > reach or abs(work.roadside[ROADSIDE.y, one] - y) > reach
        level = work.roadside[ROADSIDE.half_height, one] + MAX_VERGE_LEVEL_OFFSET
        yaw = work.roadside[ROADSIDE.yaw, one]
        # vehicles that drive the same way are boxes around the path, or stay behind
        same_way = work.roadside[ROADSIDE.traffic_row, one] > 0.0 and c * math.cos(yaw) + s * math.sin(yaw) > 0.7
        if same_way or far or abs(work.roadside[ROADSIDE.z, one] - fz) > level:
            continue
        if gap_to_body(work, one, x, y, c, s, half_length, half_width) < margin:
            return True
    return False


@outlined_kernel
def distance_to_person_on_verge(work: Workspace, row: int) -> float:
    """The distance to where a driver on the verge stops for people ahead [m]; UNBOUNDED for none, or elsewhere."""
    found = UNBOUNDED
    if work.ints[_TRAFFIC.passing, row] != _VERGE:
        return found
    yaw, half = work.floats[_TRAFFIC.yaw, row], 0.5 * work.floats[_TRAFFIC.width, row] + PERSON_GAP_ON_VERGE
    c, s = math.cos(yaw), math.sin(yaw)
    front = work.floats[_TRAFFIC.wheelbase, row] + work.floats[_TRAFFIC.front_overhang, row]
    for one in range(work.roadside.shape[1]):
        if work.roadside[ROADSIDE.person, one] == 0.0:
            continue
        dx = work.roadside[ROADSIDE.x, one] - work.floats[_TRAFFIC.x, row]
        dy = work.roadside[ROADSIDE.y, one] - work.floats[_TRAFFIC.y, row]
        reach = work.roadside[ROADSIDE.half_length, one] + work.roadside[ROADSIDE.half_width, one]
        ahead = c * dx + s * dy - front - reach
        if -reach < ahead + reach and abs(c * dy - s * dx) < half + reach:
            found = min(found, max(ahead - PERSON_STOP_GAP, 0.0))
    return found
