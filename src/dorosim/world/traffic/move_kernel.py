"""Moves vehicles along their lanes, from lane to lane and off the map, and writes the poses of their bodies."""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.ground.prefetch_kernel import AHEAD, fetch
from dorosim.world.traffic.beside_kernel import fetch_sides, place_on_source_lane
from dorosim.world.traffic.choice_kernel import next_link, resume_route
from dorosim.world.traffic.lateral_kernel import PASSED_OFFSET, lateral_step, straightening_of
from dorosim.world.traffic.road import COURSE, LINK, CoursePoint, RoadArrays, RoadLink
from dorosim.world.traffic.route import Routes
from dorosim.world.traffic.state import Passing, Presence, TrafficState

GUIDE_POINT_SHARE = 0.5 - math.sqrt(0.125)
"""Two points of a body follow the lane, this share of its length from either end. So in a bend of even radius it leaves
the centre line inwards in its middle by as much as outwards at its ends, which is the least that is possible."""

LATERAL_BIAS_SLOPE, LATERAL_BIAS_CURVATURE = 0.07, 0.02
"""How far a vehicle moves aside for a bias on each metre of its way, and how sharply its path bends for it [1/m]."""

LATERAL_BIAS_END = 15.0
"""A lateral bias ends this far before a junction [m]: there the lanes' centre lines keep vehicles apart."""

DEAD_END_GAP = 0.1
"""Where a vehicle that must not leave the map stands before the end of its lane at the farthest [m]."""

LANE_SIDE_MARGIN = 0.1
"""A biased vehicle stays this far inside its lane [m]."""

_LINK_COLUMNS, _COURSE_COLUMNS = RoadLink.float_width, CoursePoint.float_width
_TRAFFIC = TrafficState.at
_NOT_PASSING = int(Passing.NOTHING)
_OFF_MAP, _ON_LANE = int(Presence.OFF_MAP), int(Presence.ON_LANE)


@inner_kernel
def course_point(road: RoadArrays, link: int, s: float) -> tuple[float, float, float]:
    """A point of a link's course (dorosim.world.traffic.course) in map [m]; it goes on straight beyond its ends."""
    place = s * road.link[link, LINK.points_per_metre]
    cell = min(max(int(place), 0), int(road.link[link, LINK.points_per_metre] * road.link[link, LINK.length] + 0.5) - 1)
    share = place - cell
    i = int(road.link[link, LINK.first_point]) + cell
    z = road.course[i, COURSE.z] + share * (road.course[i + 1, COURSE.z] - road.course[i, COURSE.z])
    beyond = share < 0.0 or share > 1.0
    if share > 1.0:
        i, share = i + 1, share - 1.0
    x, y = road.course[i, COURSE.x], road.course[i, COURSE.y]
    tangent_x, tangent_y = road.course[i, COURSE.tangent_x], road.course[i, COURSE.tangent_y]
    if beyond:
        return x + share * tangent_x, y + share * tangent_y, z
    rest = 1.0 - share
    dx, dy = road.course[i + 1, COURSE.x] - x, road.course[i + 1, COURSE.y] - y
    bulge_x = rest * (tangent_x - dx) + share * (dx - road.course[i + 1, COURSE.tangent_x])
    bulge_y = rest * (tangent_y - dy) + share * (dy - road.course[i + 1, COURSE.tangent_y])
    return x + share * (dx + rest * bulge_x), y + share * (dy + rest * bulge_y), z


@inner_kernel
def guide_point(road: RoadArrays, floats: FloatArray, ints: IntArray, row: int, s: float) -> tuple[float, float, float]:
    """The point of a body at `s` on the vehicle's link, or behind the link's start, in map [m].

    In a lane change only the front is converted to a place on the lane that is left: the body behind it is as long on
    both lanes, so that a change in a bend begins without a jump.
    """
    link, old = ints[_TRAFFIC.link, row], ints[_TRAFFIC.change_from, row]
    if old >= 0:
        x, y, z = course_point(road, link, s)
        share = min(max((s - floats[_TRAFFIC.change_start, row]) / floats[_TRAFFIC.change_length, row], 0.0), 1.0)
        share = share * share * (3.0 - 2.0 * share)
        front = floats[_TRAFFIC.s, row]
        u, v, w = course_point(road, old, place_on_source_lane(road, link, old, front) + (s - front))
        return u + share * (x - u), v + share * (y - v), w + share * (z - w)
    if s < 0.0 and ints[_TRAFFIC.previous, row] >= 0:
        link = ints[_TRAFFIC.previous, row]
        s += road.link[link, LINK.length]
        if s < 0.0 and ints[_TRAFFIC.before_previous, row] >= 0:
            link = ints[_TRAFFIC.before_previous, row]
            s += road.link[link, LINK.length]
    return course_point(road, link, s)


@inner_kernel
def heading_of(dx: float, dy: float) -> float:
    """The angle of a vector [rad], to the bit that of `math.atan2`, and sooner where it is along an axis."""
    if dy == 0.0 and dx > 0.0:
        return dy
    if dx == 0.0 and dy != 0.0:
        return math.copysign(0.5 * math.pi, dy)
    return math.atan2(dy, dx)


@inner_kernel
def write_pose(road: RoadArrays, floats: FloatArray, ints: IntArray, row: int, dt: float) -> None:
    """Write the pose of a body from its two points on the course, and its yaw rate."""
    inset = GUIDE_POINT_SHARE * floats[_TRAFFIC.length, row]
    front = floats[_TRAFFIC.s, row] - inset
    fx, fy, fz = guide_point(road, floats, ints, row, front)
    rx, ry, rz = guide_point(road, floats, ints, row, front + 2.0 * inset - floats[_TRAFFIC.length, row])
    dx, dy = fx - rx, fy - ry
    way = max(math.sqrt(dx * dx + dy * dy), 1e-6)
    back = (floats[_TRAFFIC.front_overhang, row] + floats[_TRAFFIC.wheelbase, row] - inset) / way
    aside = floats[_TRAFFIC.lateral, row] / way
    yaw = heading_of(dx, dy)
    floats[_TRAFFIC.x, row] = fx - back * dx - aside * dy
    floats[_TRAFFIC.y, row] = fy - back * dy + aside * dx
    floats[_TRAFFIC.z, row] = fz - back * (fz - rz)
    slope = floats[_TRAFFIC.lateral_slope, row]
    if slope != 0.0:
        yaw += math.atan(slope)
        if abs(yaw) > math.pi:
            yaw -= math.copysign(2.0 * math.pi, yaw)
    turn = yaw - floats[_TRAFFIC.yaw, row]
    if turn > math.pi:
        turn -= 2.0 * math.pi
    elif turn < -math.pi:
        turn += 2.0 * math.pi
    floats[_TRAFFIC.yaw, row] = yaw
    floats[_TRAFFIC.pitch, row] = -math.atan2(fz - rz, way) if fz != rz else 0.0
    floats[_TRAFFIC.yaw_rate, row] = turn / dt if dt > 0.0 else 0.0


@inner_kernel
def lateral_target(road: RoadArrays, floats: FloatArray, ints: IntArray, row: int) -> float:
    """The offset to which a vehicle moves [m]: where it passes; its bias on open road; the middle elsewhere."""
    if ints[_TRAFFIC.passing, row] != _NOT_PASSING:
        if floats[_TRAFFIC.s, row] < floats[_TRAFFIC.pass_end, row]:
            return float(floats[_TRAFFIC.pass_lateral, row])
        return 0.0
    link = ints[_TRAFFIC.link, row]
    if (
        road.link_ints[link, LINK.conflicting] == 1
        or ints[_TRAFFIC.change_from, row] >= 0
        or road.link[link, LINK.length] - floats[_TRAFFIC.s, row] < LATERAL_BIAS_END
    ):
        return 0.0
    room = max(road.half_width[link] - 0.5 * floats[_TRAFFIC.width, row] - LANE_SIDE_MARGIN, 0.0)
    if ints[_TRAFFIC.making_room, row] != 0:
        return float(ints[_TRAFFIC.making_room, row] * room)
    return float(min(max(floats[_TRAFFIC.lateral_bias, row] * road.half_width[link], -room), room))


@inner_kernel
def move_aside(road: RoadArrays, floats: FloatArray, ints: IntArray, row: int, way: float) -> None:
    """Move a vehicle aside on its way, towards its `lateral_target`."""
    lateral, slope = floats[_TRAFFIC.lateral, row], floats[_TRAFFIC.lateral_slope, row]
    passes = ints[_TRAFFIC.passing, row] != _NOT_PASSING
    middle = floats[_TRAFFIC.lateral_bias, row] == 0.0 and ints[_TRAFFIC.making_room, row] == 0
    if not passes and middle and lateral == 0.0 and slope == 0.0:
        return
    target = lateral_target(road, floats, ints, row)
    curvature, most = LATERAL_BIAS_CURVATURE, LATERAL_BIAS_SLOPE
    straightening = curvature
    if passes:
        curvature, most = floats[_TRAFFIC.pass_curvature, row], floats[_TRAFFIC.pass_slope, row]
        straightening = straightening_of(curvature, most)
    lateral, slope = lateral_step(lateral, slope, target, curvature, straightening, most, way)
    floats[_TRAFFIC.lateral, row], floats[_TRAFFIC.lateral_slope, row] = lateral, slope
    if passes and floats[_TRAFFIC.s, row] >= floats[_TRAFFIC.pass_end, row] and abs(lateral) < PASSED_OFFSET:
        ints[_TRAFFIC.passing, row] = _NOT_PASSING


@inner_kernel
def cross_link_ends(road: RoadArrays, routes: Routes, floats: FloatArray, ints: IntArray, row: int, seed: int) -> None:
    """Put a vehicle on the next link while its front is beyond the end of its own; at a dead end it leaves the map.

    The plan of an ego vehicle stops at a dead end.
    """
    while floats[_TRAFFIC.s, row] >= road.link[ints[_TRAFFIC.link, row], LINK.length]:
        link, cursor = (ints[_TRAFFIC.link, row], ints[_TRAFFIC.cursor, row])
        actor, counter = ints[_TRAFFIC.id, row], ints[_TRAFFIC.counter, row]
        following, after = next_link(road, routes, ints, row, actor, seed, link, counter, cursor)
        if following < 0:
            if ints[_TRAFFIC.plan_of_ego, row] != 0:
                floats[_TRAFFIC.s, row] = road.link[link, LINK.length] - DEAD_END_GAP
            else:
                ints[_TRAFFIC.present, row] = _OFF_MAP
                floats[_TRAFFIC.patience, row] = 0.0
            floats[_TRAFFIC.speed, row] = 0.0
            floats[_TRAFFIC.acceleration, row] = 0.0
            return
        floats[_TRAFFIC.s, row] -= road.link[link, LINK.length]
        floats[_TRAFFIC.authority, row] -= road.link[link, LINK.length]
        floats[_TRAFFIC.pass_end, row] -= road.link[link, LINK.length]
        ints[_TRAFFIC.before_previous, row] = ints[_TRAFFIC.previous, row]
        ints[_TRAFFIC.previous, row] = link
        ints[_TRAFFIC.change_from, row] = -1
        ints[_TRAFFIC.link, row] = following
        ints[_TRAFFIC.counter, row] += 1
        if after == cursor:
            after = resume_route(routes, ints, row, link, following, cursor)
        ints[_TRAFFIC.cursor, row] = after


@inner_kernel
def move_vehicle(
    road: RoadArrays, routes: Routes, floats: FloatArray, ints: IntArray, row: int, seed: int, dt: float
) -> None:
    """Drive on for `dt` with the acceleration that was decided: the ballistic update, which ends in standstill."""
    speed, acceleration = (floats[_TRAFFIC.speed, row], floats[_TRAFFIC.acceleration, row])
    after = speed + acceleration * dt
    way = 0.5 * (speed + after) * dt
    if after < 0.0:
        way = -0.5 * speed * speed / acceleration
        after = 0.0
    floats[_TRAFFIC.speed, row] = after
    if way > 0.0:
        floats[_TRAFFIC.s, row] += way
        move_aside(road, floats, ints, row, way)
        done = floats[_TRAFFIC.change_start, row] + floats[_TRAFFIC.change_length, row] + floats[_TRAFFIC.length, row]
        if ints[_TRAFFIC.change_from, row] >= 0 and floats[_TRAFFIC.s, row] >= done:
            ints[_TRAFFIC.change_from, row] = -1
        cross_link_ends(road, routes, floats, ints, row, seed)
    if ints[_TRAFFIC.present, row] == _ON_LANE:
        write_pose(road, floats, ints, row, dt)


@inner_kernel
def fetch_road(road: RoadArrays, floats: FloatArray, ints: IntArray, row: int) -> None:
    """Ask for the link of a vehicle that comes `AHEAD` rows later, and for the course under one that comes sooner."""
    if row + AHEAD < ints.shape[1]:
        link = ints[_TRAFFIC.link, row + AHEAD]
        fetch(road.link, link * _LINK_COLUMNS)
        fetch_sides(road, ints[_TRAFFIC.change_from, row + AHEAD])
        if floats[_TRAFFIC.lateral_bias, row + AHEAD] != 0.0:
            fetch(road.link_ints, link * _LINK_COLUMNS)
            fetch(road.half_width, link)
        sooner = row + AHEAD // 2
        link = ints[_TRAFFIC.link, sooner]
        front = floats[_TRAFFIC.s, sooner]
        first, per_metre = int(road.link[link, LINK.first_point]), road.link[link, LINK.points_per_metre]
        at = (first + int(max(front, 0.0) * per_metre)) * _COURSE_COLUMNS
        fetch(road.course, at)
        fetch(road.course, at + 2 * _COURSE_COLUMNS - 1)
        behind = max(front - floats[_TRAFFIC.length, sooner], 0.0)
        fetch(road.course, (first + int(behind * per_metre)) * _COURSE_COLUMNS)


@inner_kernel
def move_vehicles(
    road: RoadArrays,
    routes: Routes,
    floats: FloatArray,
    ints: IntArray,
    begin: int,
    end: int,
    seed: int,
    dt: float,
) -> None:
    """Drive the vehicles of the rows from `begin` to `end`, not included, on for `dt` [s]."""
    for row in range(begin, end):
        fetch_road(road, floats, ints, row)
        if ints[_TRAFFIC.present, row] != _ON_LANE:
            continue
        if ints[_TRAFFIC.paused, row] != 0:
            floats[_TRAFFIC.speed, row] = 0.0
            floats[_TRAFFIC.acceleration, row] = 0.0
            floats[_TRAFFIC.yaw_rate, row] = 0.0
        else:
            move_vehicle(road, routes, floats, ints, row, seed, dt)
