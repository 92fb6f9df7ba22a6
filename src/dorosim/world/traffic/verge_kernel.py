"""Bodies beside the road, as a driver sees them that passes something over the verge."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import Columns, float64
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.ground.unit import METRE, NONE, RADIAN
from dorosim.world.traffic.decision_table_kernel import UNBOUNDED, VEHICLE, Workspace
from dorosim.world.traffic.lateral_kernel import lateral_step, straightening_of
from dorosim.world.traffic.move_kernel import GUIDE_POINT_SHARE, course_point
from dorosim.world.traffic.road import LINK, RoadArrays
from dorosim.world.traffic.state import Passing, TrafficState

PERSON_GAP_ON_VERGE, PERSON_STOP_GAP = 0.6, 1.0
"""A driver on the verge stops for people that are in its way, or so near to it at the side [m], so far before them."""

BODY_SIDE_GAP, BODY_STOP_GAP, BODY_STEP = 0.03, 0.3, 0.3
"""A driver that passes stops for bodies nearer to its path than this at the side, so far before them [m]; it looks at
places so far apart."""

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
_VERGE, _LANE_BESIDE = int(Passing.VERGE), int(Passing.LANE_BESIDE)


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


@inner_kernel
def box_on_path(
    road: RoadArrays, work: Workspace, row: int, place: float, lateral: float, slope: float
) -> tuple[float, float, float, float, float]:
    """Middle (x, y) of a vehicle's box on its path, the height of the road there [m], and the direction (c, s) of it.

    Args:
        road: the roads.
        work: scratch.
        row: of the vehicle.
        place: of its front bumper from the start of its link, were it in line with the lane [m].
        lateral: offset of its body origin [m].
        slope: of its path there.
    """
    length = work.vehicle[row, VEHICLE.length]
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
    return x + (ahead - 0.5 * length) * c, y + (ahead - 0.5 * length) * s, fz, c, s


@inner_kernel
def is_out_of_reach(work: Workspace, one: int, x: float, y: float, z: float, around: float) -> bool:
    """Whether a body beside the road is farther than `around` [m] from a place, or on another level."""
    reach = around + work.roadside[ROADSIDE.half_length, one] + work.roadside[ROADSIDE.half_width, one]
    far = abs(work.roadside[ROADSIDE.x, one] - x) > reach or abs(work.roadside[ROADSIDE.y, one] - y) > reach
    level = work.roadside[ROADSIDE.half_height, one] + MAX_VERGE_LEVEL_OFFSET
    return bool(far or abs(work.roadside[ROADSIDE.z, one] - z) > level)


@outlined_kernel
def touches_roadside(
    road: RoadArrays, work: Workspace, row: int, place: float, lateral: float, slope: float, margin: float
) -> bool:
    """Whether a vehicle on its path comes nearer than `margin` [m] to a body beside the road; as `box_on_path`."""
    half_length, half_width = 0.5 * work.vehicle[row, VEHICLE.length], 0.5 * work.floats[_TRAFFIC.width, row]
    x, y, z, c, s = box_on_path(road, work, row, place, lateral, slope)
    for one in range(work.roadside.shape[1]):
        if is_out_of_reach(work, one, x, y, z, half_length + half_width + margin):
            continue
        yaw = work.roadside[ROADSIDE.yaw, one]
        # vehicles that drive the same way are boxes around the path, or stay behind
        if work.roadside[ROADSIDE.traffic_row, one] > 0.0 and c * math.cos(yaw) + s * math.sin(yaw) > 0.7:
            continue
        if gap_to_body(work, one, x, y, c, s, half_length, half_width) < margin:
            return True
    return False


@outlined_kernel
def distance_to_body_on_way(road: RoadArrays, work: Workspace, row: int) -> float:
    """The distance to where a driver that passes something stops for bodies on its path [m]; UNBOUNDED for none.

    A body that is as near already stops it only where it would come nearer still.
    """
    if work.ints[_TRAFFIC.passing, row] < _LANE_BESIDE or work.roadside.shape[1] == 0:
        return UNBOUNDED
    speed, place = work.vehicle[row, VEHICLE.speed], work.vehicle[row, VEHICLE.s]
    lateral, slope = work.floats[_TRAFFIC.lateral, row], work.floats[_TRAFFIC.lateral_slope, row]
    half_length, half_width = 0.5 * work.vehicle[row, VEHICLE.length], 0.5 * work.floats[_TRAFFIC.width, row]
    curvature, most = work.floats[_TRAFFIC.pass_curvature, row], work.floats[_TRAFFIC.pass_slope, row]
    straightening, end = straightening_of(curvature, most), work.floats[_TRAFFIC.pass_end, row]
    reach = 0.3 * speed * speed + 0.5 * speed + BODY_STOP_GAP + 1.0
    x, y, z, c, s = box_on_path(road, work, row, place, lateral, slope)
    least = np.full(work.roadside.shape[1], -UNBOUNDED)
    for one in range(work.roadside.shape[1]):
        if is_out_of_reach(work, one, x, y, z, half_length + half_width + reach):
            continue
        if work.roadside[ROADSIDE.traffic_row, one] != work.vehicle_ints[row, VEHICLE.row] + 1.0:
            gap = gap_to_body(work, one, x, y, c, s, half_length, half_width)
            least[one] = min(BODY_SIDE_GAP, gap - 0.02)
    for step in range(1, int(reach / BODY_STEP) + 1):
        way = step * BODY_STEP
        target = work.floats[_TRAFFIC.pass_lateral, row] if place + way < end else 0.0
        for _ in range(4):
            lateral, slope = lateral_step(lateral, slope, target, curvature, straightening, most, 0.25 * BODY_STEP)
        x, y, z, c, s = box_on_path(road, work, row, place + way, lateral, slope)
        for one in range(work.roadside.shape[1]):
            if least[one] == -UNBOUNDED or is_out_of_reach(work, one, x, y, z, half_length + half_width):
                continue
            if gap_to_body(work, one, x, y, c, s, half_length, half_width) < least[one]:
                return max(way - BODY_STEP - BODY_STOP_GAP, 0.0)
    return UNBOUNDED


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
