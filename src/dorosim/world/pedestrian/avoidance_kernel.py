"""How pedestrians keep clear of vehicles and obstacles: they stop before bodies that move, and walk around others.

Around a box that stands, the way leads over its outermost corner on one side, as seen from the pedestrian, which is the
shortest way around a convex body (M. de Berg et al., "Computational Geometry", chapter 15). A pedestrian keeps to the
side that it has begun with, so it passes a row of boxes without a gap like one box. A body that moves is taken to keep
its speed and its yaw rate. A pedestrian that walks as a command says, or that starts when an ego vehicle is near, heeds
only bodies that stand.
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.collision.body import BodyTable
from dorosim.world.collision.box_kernel import Box
from dorosim.world.pedestrian.activity_kernel import STEPS_BACK, WalkScene, slow_down, way_to_goal
from dorosim.world.pedestrian.box_kernel import (
    CORNER_MARGIN,
    box_of,
    depth_in,
    is_in,
    leads_out,
    nearest_side,
    place_in,
    shorter_side,
    way_into,
    way_out,
    way_round,
)
from dorosim.world.pedestrian.gap_kernel import MIN_MOVING_SPEED
from dorosim.world.pedestrian.state import PedestrianState, Stage

_PEDESTRIAN = PedestrianState.at
_BODY = BodyTable.at

BODY_CLEARANCE = 0.3
"""Room that a pedestrian keeps between itself and a body [m]."""
MAX_AVOIDANCE_LOOK_AHEAD = 3.0
"""A body that stands farther ahead than this does not matter yet [m]."""
_MAX_GOAL_DISTANCE = 100.0
"""Where a way has no end, a pedestrian goes around bodies as if it ended this far ahead [m]."""
MEETING_HORIZON, MEETING_INSTANTS = 2.0, 8
"""A pedestrian looks this far ahead in time for bodies that move [s], at so many instants."""
MAX_STEP_OVER_HEIGHT = 0.1
"""A pedestrian steps over a body that is lower than this [m]."""
MAX_BODIES_PASSED = 4
"""Bodies that a pedestrian goes around at a time."""
MAX_NEAR_BODIES = 64
"""A pedestrian heeds so many bodies that stand, and as many that move: the first in the table."""
BARRED_GOAL_DISTANCE = 0.1
"""A pedestrian nearer than this to a body that stands on its goal has come as near as it can [m]."""

_IDLE, _WAIT, _DRIVEN, _DOWN = int(Stage.IDLE), int(Stage.WAIT), int(Stage.DRIVEN), int(Stage.DOWN)
_LED, _RESTING, _ARRIVED = int(Stage.LED), int(Stage.REST), int(Stage.ARRIVED)


@inner_kernel
def is_in_reach(body: FloatArray, b: int, x: float, y: float, z: float, height: float, reach: float) -> bool:
    """Whether a body is within reach [m] of a pedestrian, or will be soon, and is at its height [m]."""
    dx, dy = body[_BODY.x, b] - x, body[_BODY.y, b] - y
    moved = MEETING_HORIZON * (abs(body[_BODY.velocity_x, b]) + abs(body[_BODY.velocity_y, b]))
    reach += body[_BODY.half_length, b] + body[_BODY.half_width, b] + moved
    if dx * dx + dy * dy > reach * reach:
        return False
    low, high = body[_BODY.z, b] - body[_BODY.half_height, b], body[_BODY.z, b] + body[_BODY.half_height, b]
    return bool(high > z + MAX_STEP_OVER_HEIGHT and low < z + height)


@inner_kernel
def box_after(body: FloatArray, b: int, box: Box, time: float) -> tuple[Box, float, float]:
    """Where the box of a body that moves will be after a time [s], and its velocity then, in map [m/s].

    It goes on with its speed and yaw rate, on a polygon whose sides stand for arcs.
    """
    half, vx, vy = 0.5 * body[_BODY.yaw_rate, b] * time, body[_BODY.velocity_x, b], body[_BODY.velocity_y, b]
    c, s = math.cos(half), math.sin(half)
    shrink = s / half if abs(half) > 1e-6 else 1.0
    mean_x, mean_y = c * vx - s * vy, s * vx + c * vy
    x, y = box.x + shrink * time * mean_x, box.y + shrink * time * mean_y
    cc, ss = c * c - s * s, 2.0 * c * s
    turned = Box(x, y, cc * box.c - ss * box.s, ss * box.c + cc * box.s, box.half_length, box.half_width)
    return turned, cc * vx - ss * vy, ss * vx + cc * vy


@inner_kernel
def will_hit(body: FloatArray, b: int, x: float, y: float, radius: float) -> bool:
    """Whether a body that moves will hit a pedestrian that stands, within MEETING_HORIZON."""
    start = box_of(body, b, radius)
    for instant in range(MEETING_INSTANTS + 1):
        box, _, _ = box_after(body, b, start, instant * MEETING_HORIZON / MEETING_INSTANTS)
        px, py = place_in(box, x, y)
        if is_in(box, px, py):
            return True
    return False


@inner_kernel
def out_of_way(body: FloatArray, b: int, x: float, y: float) -> tuple[float, float]:
    """Direction, of length 1, across the way of a body that moves, to the side where a pedestrian stands."""
    vx, vy = body[_BODY.velocity_x, b], body[_BODY.velocity_y, b]
    speed = max(math.hypot(vx, vy), 1e-9)
    left = vx * (y - body[_BODY.y, b]) - vy * (x - body[_BODY.x, b]) >= 0.0
    return (-vy / speed, vx / speed) if left else (vy / speed, -vx / speed)


@inner_kernel
def time_to_meet(body: FloatArray, b: int, x: float, y: float, vx: float, vy: float, radius: float) -> float:
    """When a pedestrian that goes on comes too near to a body that moves [s]; infinite if not within MEETING_HORIZON.

    It is infinite, too, where the body would hit the pedestrian if it stood: then it goes on.

    Args:
        body: `BodyTable.floats`.
        b: row of the body.
        x: where the pedestrian is, in map [m].
        y: likewise.
        vx: velocity with which it goes on, in map [m/s].
        vy: likewise.
        radius: of the pedestrian [m].
    """
    start, first = box_of(body, b, radius), math.inf
    for instant in range(MEETING_INSTANTS + 1):
        time = instant * MEETING_HORIZON / MEETING_INSTANTS
        box, body_vx, body_vy = box_after(body, b, start, time)
        px, py = place_in(box, x, y)
        if is_in(box, px, py):
            return math.inf
        px, py = place_in(box, x + vx * time, y + vy * time)
        if (
            first == math.inf
            and abs(px) < box.half_length + BODY_CLEARANCE
            and abs(py) < box.half_width + BODY_CLEARANCE
        ):
            ahead_x, ahead_y = vx - body_vx, vy - body_vy
            ahead_x, ahead_y = box.c * ahead_x + box.s * ahead_y, box.c * ahead_y - box.s * ahead_x
            first = math.inf if leads_out(box, px, py, ahead_x, ahead_y) else time
    return first


@inner_kernel
def first_in_way(
    body: FloatArray, near: IntArray, count: int, x: float, y: float, way_x: float, way_y: float, room: float
) -> tuple[int, float]:
    """The nearest body in a way among some that stand: its row and how far the way is clear; -1 and infinite."""
    found, clear = -1, math.inf
    for n in range(count):
        box = box_of(body, near[n], room)
        px, py = place_in(box, x, y)
        ahead_x, ahead_y = box.c * way_x + box.s * way_y, box.c * way_y - box.s * way_x
        if is_in(box, px, py):
            way = math.inf if leads_out(box, px, py, ahead_x, ahead_y) else 0.0
        else:
            way = way_into(box, px, py, ahead_x, ahead_y)
        if way < clear:
            found, clear = near[n], way
    return found, clear


@inner_kernel
def way_past(
    body: FloatArray,
    near: IntArray,
    count: int,
    x: float,
    y: float,
    way_x: float,
    way_y: float,
    distance: float,
    room: float,
    side: int,
) -> tuple[float, float, float, int]:
    """The way on past bodies that stand.

    Args:
        body: `BodyTable.floats`.
        near: rows of the bodies.
        count: how many.
        x: where the pedestrian is, in map [m].
        y: likewise.
        way_x: direction of the goal, of length 1.
        way_y: likewise.
        distance: how far away it is [m], infinite if it has no end.
        room: from the pedestrian's middle to a body [m].
        side: on which it has begun to go around them, 0 for none.

    Returns:
        Direction of length 1, how far that way is clear [m], and the side, 0 where nothing is in the way.
    """
    far, reach, clear = min(distance, _MAX_GOAL_DISTANCE), min(distance, MAX_AVOIDANCE_LOOK_AHEAD), math.inf
    goal_x, goal_y = x + way_x * far, y + way_y * far
    for turn in range(MAX_BODIES_PASSED + 1):
        hit, clear = first_in_way(body, near, count, x, y, way_x, way_y, room)
        if clear >= reach:
            return way_x, way_y, math.inf, side if turn > 0 else 0
        if turn == MAX_BODIES_PASSED:
            break
        box = box_of(body, hit, room)
        px, py = place_in(box, x, y)
        if side == 0:
            end_x, end_y = place_in(box, goal_x, goal_y)
            side = shorter_side(box, px, py, end_x, end_y)
        if is_in(box, px, py):
            to_x, to_y = way_out(box, px, py, side)
        else:
            to_x, to_y = way_round(box, px, py, side)
        size = max(math.hypot(to_x, to_y), 1e-9)
        way_x, way_y = (box.c * to_x - box.s * to_y) / size, (box.s * to_x + box.c * to_y) / size
        reach = min(max(size, CORNER_MARGIN), MAX_AVOIDANCE_LOOK_AHEAD)
    return way_x, way_y, clear, side


@inner_kernel
def is_barred(
    body: FloatArray, near: IntArray, count: int, x: float, y: float, goal_x: float, goal_y: float, room: float
) -> tuple[bool, float]:
    """Whether a body stands on a goal, and how far the straight way there is clear [m]."""
    for n in range(count):
        box = box_of(body, near[n], room)
        end_x, end_y = place_in(box, goal_x, goal_y)
        if is_in(box, end_x, end_y):
            px, py = place_in(box, x, y)
            if is_in(box, px, py):
                return True, 0.0
            return True, way_into(box, px, py, end_x - px, end_y - py) * math.hypot(end_x - px, end_y - py)
    return False, math.inf


@inner_kernel
def wall_beside(body: FloatArray, near: IntArray, count: int, x: float, y: float, room: float) -> tuple[float, float]:
    """Direction away from the closest body, if it is closer than `room` [m]; zeros for none."""
    deepest, wall_x, wall_y = 0.0, 0.0, 0.0
    for n in range(count):
        box = box_of(body, near[n], room)
        px, py = place_in(box, x, y)
        depth = depth_in(box, px, py)
        if depth > deepest:
            out_x, out_y = nearest_side(box, px, py)
            deepest, wall_x, wall_y = depth, box.c * out_x - box.s * out_y, box.s * out_x + box.c * out_y
    return wall_x, wall_y


@inner_kernel
def find_near(
    body: FloatArray, rows: IntArray, x: float, y: float, z: float, height: float, reach: float, near: IntArray
) -> tuple[int, int]:
    """List the bodies in reach [m]: those that stand at the beginning of `near`, those that move at its end.

    Where thousands are in one place, the first of either kind are enough: a pedestrian among them goes nowhere.

    Returns:
        how many stand, and where in `near` those that move begin.
    """
    end = near.shape[0]
    standing, moving = 0, end
    for n in range(rows.shape[0]):
        if standing >= MAX_NEAR_BODIES and end - moving >= MAX_NEAR_BODIES:
            break
        b = rows[n]
        if not is_in_reach(body, b, x, y, z, height, reach):
            continue
        if math.hypot(body[_BODY.velocity_x, b], body[_BODY.velocity_y, b]) < MIN_MOVING_SPEED:
            if standing < MAX_NEAR_BODIES:
                near[standing] = b
                standing += 1
        elif end - moving < MAX_NEAR_BODIES:
            moving -= 1
            near[moving] = b
    return standing, moving


@inner_kernel
def step_away(
    floats: FloatArray, ints: IntArray, i: int, body: FloatArray, near: IntArray, moving: int, room: float
) -> None:
    """Let one that stands about step out of the way of the first body that will hit it."""
    x, y = floats[_PEDESTRIAN.x, i], floats[_PEDESTRIAN.y, i]
    for n in range(moving, near.shape[0]):
        if will_hit(body, near[n], x, y, room):
            ints[_PEDESTRIAN.side, i] = STEPS_BACK
            floats[_PEDESTRIAN.aside_x, i], floats[_PEDESTRIAN.aside_y, i] = out_of_way(body, near[n], x, y)
            break


@inner_kernel
def meet(
    floats: FloatArray,
    ints: IntArray,
    i: int,
    body: FloatArray,
    near: IntArray,
    moving: int,
    room: float,
    way_x: float,
    way_y: float,
    speed: float,
) -> None:
    """Let one that walks stop before bodies that come, and one that waits step back before them."""
    x, y = floats[_PEDESTRIAN.x, i], floats[_PEDESTRIAN.y, i]
    for n in range(moving, near.shape[0]):
        if ints[_PEDESTRIAN.stage, i] == _WAIT:
            if will_hit(body, near[n], x, y, room):
                ints[_PEDESTRIAN.side, i] = STEPS_BACK
                floats[_PEDESTRIAN.aside_x, i], floats[_PEDESTRIAN.aside_y, i] = -way_x, -way_y
            continue
        time = time_to_meet(body, near[n], x, y, speed * way_x, speed * way_y, room - BODY_CLEARANCE)
        allowed = slow_down(speed * (time - MEETING_HORIZON / MEETING_INSTANTS))
        floats[_PEDESTRIAN.allowed_speed, i] = min(floats[_PEDESTRIAN.allowed_speed, i], allowed)


@inner_kernel
def look(
    floats: FloatArray, ints: IntArray, scene: WalkScene, i: int, body: FloatArray, rows: IntArray, near: IntArray
) -> None:
    """Let one pedestrian look for bodies in its way."""
    floats[_PEDESTRIAN.allowed_speed, i], ints[_PEDESTRIAN.barred, i] = math.inf, 0
    floats[_PEDESTRIAN.aside_x, i], floats[_PEDESTRIAN.aside_y, i] = 0.0, 0.0
    floats[_PEDESTRIAN.wall_x, i], floats[_PEDESTRIAN.wall_y, i] = 0.0, 0.0
    before, ints[_PEDESTRIAN.side, i] = ints[_PEDESTRIAN.side, i], 0
    way_x, way_y, distance, speed = way_to_goal(floats, ints, scene, i)
    stage, model = ints[_PEDESTRIAN.stage, i], ints[_PEDESTRIAN.model, i]
    if stage in (_IDLE, _DOWN, _LED):
        return
    x, y, z = floats[_PEDESTRIAN.x, i], floats[_PEDESTRIAN.y, i], floats[_PEDESTRIAN.z, i]
    room, height = scene.radius[model] + BODY_CLEARANCE, scene.height[model]
    standing, moving = find_near(body, rows, x, y, z, height, MAX_AVOIDANCE_LOOK_AHEAD + room, near)
    floats[_PEDESTRIAN.wall_x, i], floats[_PEDESTRIAN.wall_y, i] = wall_beside(body, near, standing, x, y, room)
    if speed <= 0.0:
        if stage in (_RESTING, _ARRIVED) and floats[_PEDESTRIAN.active_distance, i] <= 0.0:
            step_away(floats, ints, i, body, near, moving, room)
        return
    if standing > 0:
        barred, clear = False, math.inf
        if distance < MAX_AVOIDANCE_LOOK_AHEAD:
            barred, clear = is_barred(body, near, standing, x, y, x + way_x * distance, y + way_y * distance, room)
        if barred:
            ints[_PEDESTRIAN.barred, i] = clear < BARRED_GOAL_DISTANCE
        else:
            way_x, way_y, clear, side = way_past(body, near, standing, x, y, way_x, way_y, distance, room, before)
            if side != 0:
                ints[_PEDESTRIAN.side, i] = side
                floats[_PEDESTRIAN.aside_x, i], floats[_PEDESTRIAN.aside_y, i] = way_x, way_y
        floats[_PEDESTRIAN.allowed_speed, i] = slow_down(clear)
    if floats[_PEDESTRIAN.active_distance, i] <= 0.0 and stage != _DRIVEN:
        meet(floats, ints, i, body, near, moving, room, way_x, way_y, speed)


@kernel
def look_around(floats: FloatArray, ints: IntArray, scene: WalkScene, body: FloatArray, rows: IntArray) -> None:
    """Let all pedestrians look for vehicles and obstacles in their way.

    Args:
        floats: `PedestrianState.floats`; the columns are written that say how they keep clear.
        ints: `PedestrianState.ints`, likewise.
        scene: what they read.
        body: `BodyTable.floats`, writable; it is only read.
        rows: its rows that are vehicles and obstacles, writable.
    """
    near = np.empty(min(rows.shape[0], 2 * MAX_NEAR_BODIES), np.int64)
    floats, ints, scene, body, rows = bare(floats), bare(ints), bare(scene), bare(body), bare(rows)
    for i in range(floats.shape[1]):
        look(floats, ints, scene, i, body, rows, near)
