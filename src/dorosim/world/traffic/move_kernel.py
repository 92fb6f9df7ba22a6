"""Moves vehicles along their lanes, from lane to lane and off the map, and writes the poses of their bodies."""

from __future__ import annotations

import math

from dorosim.ground.column import RealArray, WholeArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.beside_kernel import place_on_old_lane
from dorosim.world.traffic.choice_kernel import next_link, resume_route
from dorosim.world.traffic.road import (
    CONTROLLED,
    FIRST_POINT,
    HALF_WIDTH,
    LENGTH,
    POINTS_PER_METRE,
    SLOPE_X,
    SLOPE_Y,
    RoadArrays,
)
from dorosim.world.traffic.route import Routes
from dorosim.world.traffic.state import Presence, TrafficState

GUIDE = 0.5 - math.sqrt(0.125)
"""Two points of a body follow the lane, this share of its length from either end. So in a bend of even radius it leaves
the centre line inwards in its middle by as much as outwards at its ends, which is the least that is possible."""

BIAS_SLOPE = 0.05
"""How far a vehicle moves aside on each metre of its way."""

BIAS_END = 15.0
"""A lateral bias ends this far before a junction [m]: there the lanes' centre lines keep vehicles apart."""

DEAD_END_GAP = 0.1
"""Where a vehicle that must not leave the map stands before the end of its lane at the farthest [m]."""

SIDE_MARGIN = 0.1
"""A biased vehicle stays this far inside its lane [m]."""

_PRESENT, _PAUSED = TrafficState.present.index, TrafficState.paused.index
_OFF_MAP, _ON_LANE, _PLAN = int(Presence.OFF_MAP), int(Presence.ON_LANE), TrafficState.plan_of_ego.index
_LINK, _PREVIOUS, _BEFORE = (
    TrafficState.link.index,
    TrafficState.previous.index,
    TrafficState.before_previous.index,
)
_FROM, _COUNTER, _CURSOR = TrafficState.change_from.index, TrafficState.counter.index, TrafficState.cursor.index
_S, _SPEED, _ACCELERATION = TrafficState.s.index, TrafficState.speed.index, TrafficState.acceleration.index
_AUTHORITY, _PATIENCE = TrafficState.authority.index, TrafficState.patience.index
_START, _WAY = TrafficState.change_start.index, TrafficState.change_length.index
_LATERAL, _BIAS = TrafficState.lateral.index, TrafficState.lateral_bias.index
_LENGTH, _WIDTH = TrafficState.length.index, TrafficState.width.index
_WHEELBASE, _OVERHANG = TrafficState.wheelbase.index, TrafficState.front_overhang.index
_X, _Y, _Z = TrafficState.x.index, TrafficState.y.index, TrafficState.z.index
_YAW, _PITCH, _YAW_RATE = TrafficState.yaw.index, TrafficState.pitch.index, TrafficState.yaw_rate.index


@inner_kernel
def course_point(road: RoadArrays, link: int, s: float) -> tuple[float, float, float]:
    """A point of a link's course (dorosim.world.traffic.course) in map [m]; it goes on straight beyond its ends."""
    place = s * road.lane[link, POINTS_PER_METRE]
    cell = min(max(int(place), 0), int(road.lane[link, POINTS_PER_METRE] * road.lane[link, LENGTH] + 0.5) - 1)
    share = place - cell
    i = int(road.lane[link, FIRST_POINT]) + cell
    z = road.line[i, 2] + share * (road.line[i + 1, 2] - road.line[i, 2])
    if share < 0.0:
        return road.line[i, 0] + share * road.line[i, SLOPE_X], road.line[i, 1] + share * road.line[i, SLOPE_Y], z
    if share > 1.0:
        i, share = i + 1, share - 1.0
        return road.line[i, 0] + share * road.line[i, SLOPE_X], road.line[i, 1] + share * road.line[i, SLOPE_Y], z
    rest = 1.0 - share
    dx, dy = road.line[i + 1, 0] - road.line[i, 0], road.line[i + 1, 1] - road.line[i, 1]
    bulge_x = rest * (road.line[i, SLOPE_X] - dx) + share * (dx - road.line[i + 1, SLOPE_X])
    bulge_y = rest * (road.line[i, SLOPE_Y] - dy) + share * (dy - road.line[i + 1, SLOPE_Y])
    return road.line[i, 0] + share * (dx + rest * bulge_x), road.line[i, 1] + share * (dy + rest * bulge_y), z


@inner_kernel
def guide_point(road: RoadArrays, real: RealArray, whole: WholeArray, row: int, s: float) -> tuple[float, float, float]:
    """The point of a body at `s` on the vehicle's link, or behind the link's start, in map [m].

    In a lane change only the front is converted to a place on the lane that is left: the body behind it is as long on
    both lanes, so that a change in a bend begins without a jump.
    """
    link, old = whole[_LINK, row], whole[_FROM, row]
    if old >= 0:
        x, y, z = course_point(road, link, s)
        share = min(max((s - real[_START, row]) / real[_WAY, row], 0.0), 1.0)
        share = share * share * (3.0 - 2.0 * share)
        front = real[_S, row]
        u, v, w = course_point(road, old, place_on_old_lane(road, link, old, front) + (s - front))
        return u + share * (x - u), v + share * (y - v), w + share * (z - w)
    if s < 0.0 and whole[_PREVIOUS, row] >= 0:
        link = whole[_PREVIOUS, row]
        s += road.lane[link, LENGTH]
        if s < 0.0 and whole[_BEFORE, row] >= 0:
            link = whole[_BEFORE, row]
            s += road.lane[link, LENGTH]
    return course_point(road, link, s)


@inner_kernel
def pose(road: RoadArrays, real: RealArray, whole: WholeArray, row: int, dt: float) -> None:
    """Write the pose of a body from its two points on the course, and its yaw rate."""
    inset = GUIDE * real[_LENGTH, row]
    front = real[_S, row] - inset
    fx, fy, fz = guide_point(road, real, whole, row, front)
    rx, ry, rz = guide_point(road, real, whole, row, front + 2.0 * inset - real[_LENGTH, row])
    dx, dy = fx - rx, fy - ry
    way = max(math.sqrt(dx * dx + dy * dy), 1e-6)
    back = (real[_OVERHANG, row] + real[_WHEELBASE, row] - inset) / way
    aside = real[_LATERAL, row] / way
    yaw = math.atan2(dy, dx)
    turn = yaw - real[_YAW, row]
    if turn > math.pi:
        turn -= 2.0 * math.pi
    elif turn < -math.pi:
        turn += 2.0 * math.pi
    real[_X, row] = fx - back * dx - aside * dy
    real[_Y, row] = fy - back * dy + aside * dx
    real[_Z, row] = fz - back * (fz - rz)
    real[_YAW, row] = yaw
    real[_PITCH, row] = -math.atan2(fz - rz, way) if fz != rz else 0.0
    real[_YAW_RATE, row] = turn / dt if dt > 0.0 else 0.0


@inner_kernel
def keep_aside(road: RoadArrays, real: RealArray, whole: WholeArray, row: int, way: float) -> None:
    """Move a vehicle towards its lateral bias on open road, and back to the middle of the lane elsewhere."""
    if real[_BIAS, row] == 0.0 and real[_LATERAL, row] == 0.0:
        return
    link = whole[_LINK, row]
    room = max(road.rim[link, HALF_WIDTH] - 0.5 * real[_WIDTH, row] - SIDE_MARGIN, 0.0)
    target = min(max(real[_BIAS, row] * road.rim[link, HALF_WIDTH], -room), room)
    if road.key[link, CONTROLLED] == 1 or whole[_FROM, row] >= 0 or road.lane[link, LENGTH] - real[_S, row] < BIAS_END:
        target = 0.0
    step = BIAS_SLOPE * way
    real[_LATERAL, row] += min(max(target - real[_LATERAL, row], -step), step)


@inner_kernel
def cross_ends(road: RoadArrays, routes: Routes, real: RealArray, whole: WholeArray, row: int, seed: int) -> None:
    """Put a vehicle on the next link while its front is beyond the end of its own; at a dead end it leaves the map.

    The plan of an ego vehicle stops at a dead end.
    """
    while real[_S, row] >= road.lane[whole[_LINK, row], LENGTH]:
        link, cursor = (whole[_LINK, row], whole[_CURSOR, row])
        following, after = next_link(road, routes, whole, row, seed, link, whole[_COUNTER, row], cursor)
        if following < 0:
            if whole[_PLAN, row] != 0:
                real[_S, row] = road.lane[link, LENGTH] - DEAD_END_GAP
            else:
                whole[_PRESENT, row] = _OFF_MAP
                real[_PATIENCE, row] = 0.0
            real[_SPEED, row] = 0.0
            real[_ACCELERATION, row] = 0.0
            return
        real[_S, row] -= road.lane[link, LENGTH]
        real[_AUTHORITY, row] -= road.lane[link, LENGTH]
        whole[_BEFORE, row] = whole[_PREVIOUS, row]
        whole[_PREVIOUS, row] = link
        whole[_FROM, row] = -1
        whole[_LINK, row] = following
        whole[_COUNTER, row] += 1
        if after == cursor:
            after = resume_route(routes, whole, row, link, following, cursor)
        whole[_CURSOR, row] = after


@inner_kernel
def move_vehicle(
    road: RoadArrays, routes: Routes, real: RealArray, whole: WholeArray, row: int, seed: int, dt: float
) -> None:
    """Drive on for `dt` with the acceleration that was decided: the ballistic update, which ends in standstill."""
    speed, acceleration = (real[_SPEED, row], real[_ACCELERATION, row])
    after = speed + acceleration * dt
    way = 0.5 * (speed + after) * dt
    if after < 0.0:
        way = -0.5 * speed * speed / acceleration
        after = 0.0
    real[_SPEED, row] = after
    if way > 0.0:
        real[_S, row] += way
        keep_aside(road, real, whole, row, way)
        done = real[_START, row] + real[_WAY, row] + real[_LENGTH, row]
        if whole[_FROM, row] >= 0 and real[_S, row] >= done:
            whole[_FROM, row] = -1
        cross_ends(road, routes, real, whole, row, seed)
    if whole[_PRESENT, row] == _ON_LANE:
        pose(road, real, whole, row, dt)


@inner_kernel
def move(road: RoadArrays, routes: Routes, real: RealArray, whole: WholeArray, seed: int, dt: float) -> None:
    """Drive all vehicles on for `dt` [s]."""
    for row in range(whole.shape[1]):
        if whole[_PRESENT, row] != _ON_LANE:
            continue
        if whole[_PAUSED, row] != 0:
            real[_SPEED, row] = 0.0
            real[_ACCELERATION, row] = 0.0
            real[_YAW_RATE, row] = 0.0
        else:
            move_vehicle(road, routes, real, whole, row, seed, dt)
