"""Finds a way out for a vehicle whose lane is blocked: forwards and backwards, by turns of one radius, among boxes.

The search is A* over poses, the cells of which are places and headings (D. Dolgov, S. Thrun, M. Montemerlo and J.
Diebel, "Path planning for autonomous vehicles in unknown semi-structured environments", International Journal of
Robotics Research 29, 2010: hybrid-state A*). It ends where the vehicle stands on a lane and along it.
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import Columns, FloatArray, IntArray, float64
from dorosim.ground.jit import inner_kernel, kernel, outlined_kernel
from dorosim.ground.unit import METRE, PER_METRE, RADIAN
from dorosim.world.traffic.state import MANOEUVRE_PARTS

MANOEUVRE_HORIZON = 40.0
"""A manoeuvre stays within this of where it begins, along either axis [m]."""

MAX_NODES = 60_000
"""The search ends without a way when it has looked at so many poses."""

PRIMITIVE = 1.0
"""Length of the steps of the search [m]."""

BACKWARDS_COST, REVERSAL_COST, STEERING_COST = 1.6, 3.0, 0.6
"""Cost of a metre backwards, of a change between forwards and backwards, and of a change of the turn [m]."""

GOAL_OFFSET, GOAL_ANGLE = 0.4, math.radians(5.0)
"""A vehicle is on a lane within this of its middle [m], and along it within this angle [rad]."""

SIDE_MARGIN, END_MARGIN = 0.12, 0.3
"""Distance to other bodies at the side and ahead or behind, at least [m]."""

GUARD_STEP = 0.25
"""A driver on its way looks ahead in steps of this [m]."""

_CELL, _YAWS, _BUCKET = 0.5, 48, 0.25
_CELLS = int(2.0 * MANOEUVRE_HORIZON / _CELL)
_COARSE = 4
_BUCKETS = 1200


class ManoeuvreBody(Columns):
    """Sizes of the vehicle that manoeuvres; its origin is the middle of the rear axle."""

    front = float64(METRE, "from the origin to the front bumper")
    rear = float64(METRE, "from the origin to the rear bumper")
    half_width = float64(METRE, "half of its width")
    wheelbase = float64(METRE, "from the origin to the front axle")
    curvature = float64(PER_METRE, "of its turns")


class ManoeuvreBox(Columns):
    """A body around, from above."""

    x = float64(METRE, "middle, east", frame="map")
    y = float64(METRE, "middle, north", frame="map")
    yaw = float64(RADIAN, "counter-clockwise from east", frame="map")
    half_length = float64(METRE, "along its x")
    half_width = float64(METRE, "along its y")


class ManoeuvreGoal(Columns):
    """A pose of the rear axle on a lane where a manoeuvre may end."""

    x = float64(METRE, "east", frame="map")
    y = float64(METRE, "north", frame="map")
    yaw = float64(RADIAN, "of the lane, counter-clockwise from east", frame="map")
    cost = float64(METRE, "how much longer a way to it seems than it is")


BODY, BOX, GOAL = ManoeuvreBody.at, ManoeuvreBox.at, ManoeuvreGoal.at
"""Where the columns are."""


@inner_kernel
def gap_between(
    body: FloatArray, box: FloatArray, one: int, x: float, y: float, yaw: float, side: float, end: float
) -> float:
    """The widest gap between a vehicle, wider and longer by margins, and a box, along the edge normals of both [m].

    Args:
        body: of `ManoeuvreBody`.
        box: `(5, N)` of `ManoeuvreBox`.
        one: which of them.
        x: of the vehicle's origin [m].
        y: likewise.
        yaw: its heading [rad].
        side: margin at either side [m].
        end: margin ahead and behind [m].
    """
    c, s = math.cos(yaw), math.sin(yaw)
    half_length, half_width = 0.5 * (body[BODY.front] + body[BODY.rear]) + end, body[BODY.half_width] + side
    ahead = 0.5 * (body[BODY.front] - body[BODY.rear])
    dx, dy = box[BOX.x, one] - x - ahead * c, box[BOX.y, one] - y - ahead * s
    length, width = box[BOX.half_length, one], box[BOX.half_width, one]
    reach = half_length + half_width + length + width
    if abs(dx) > reach or abs(dy) > reach:
        return 1.0
    pc, ps = math.cos(box[BOX.yaw, one]), math.sin(box[BOX.yaw, one])
    along, across = abs(c * pc + s * ps), abs(c * ps - s * pc)
    gap = abs(c * dx + s * dy) - half_length - along * length - across * width
    gap = max(gap, abs(c * dy - s * dx) - half_width - across * length - along * width)
    gap = max(gap, abs(pc * dx + ps * dy) - length - along * half_length - across * half_width)
    return float(max(gap, abs(pc * dy - ps * dx) - width - across * half_length - along * half_width))


@inner_kernel
def moved(x: float, y: float, yaw: float, bend: float, way: float) -> tuple[float, float, float]:
    """The pose a way [m], negative backwards, along an arc of a curvature [1/m]."""
    half = 0.5 * bend * way
    chord = way if abs(half) < 1e-9 else way * math.sin(half) / half
    return x + chord * math.cos(yaw + half), y + chord * math.sin(yaw + half), yaw + 2.0 * half


@outlined_kernel
def is_pose_free(
    body: FloatArray, box: FloatArray, least: FloatArray, ground: IntArray, x: float, y: float, yaw: float
) -> bool:
    """Whether a vehicle, its origin (x, y) from the corner of the grid, is on `ground` and touches no box."""
    for way in (0.0, body[BODY.wheelbase], body[BODY.front], -body[BODY.rear]):
        i, j = int((x + way * math.cos(yaw)) / _CELL), int((y + way * math.sin(yaw)) / _CELL)
        if i < 0 or j < 0 or i >= _CELLS or j >= _CELLS or ground[i, j] == 0:
            return False
    for one in range(box.shape[1]):
        if gap_between(body, box, one, x, y, yaw, SIDE_MARGIN, END_MARGIN) < least[one]:
            return False
    return True


@outlined_kernel
def drivable_ground(lane: FloatArray) -> IntArray:
    """`(_CELLS, _CELLS)` 1 where a vehicle may be: near lanes, `(3, N)` places on them and how far around [m]."""
    ground = np.zeros((_CELLS, _CELLS), np.int64)
    for one in range(lane.shape[1]):
        x, y, reach = lane[0, one] / _CELL, lane[1, one] / _CELL, lane[2, one] / _CELL
        for i in range(max(int(x - reach), 0), min(int(x + reach) + 1, _CELLS)):
            for j in range(max(int(y - reach), 0), min(int(y + reach) + 1, _CELLS)):
                if (i + 0.5 - x) * (i + 0.5 - x) + (j + 0.5 - y) * (j + 0.5 - y) <= reach * reach:
                    ground[i, j] = 1
    return ground


@outlined_kernel
def least_costs(goal: FloatArray) -> FloatArray:
    """How far it is at least from places of a coarse grid to a goal, with the goal's cost [m]."""
    count = _CELLS // _COARSE
    found = np.full((count, count), 1e9)
    size = _CELL * _COARSE
    for i in range(count):
        for j in range(count):
            for one in range(goal.shape[1]):
                way = math.hypot((i + 0.5) * size - goal[GOAL.x, one], (j + 0.5) * size - goal[GOAL.y, one])
                found[i, j] = min(found[i, j], max(way - size, 0.0) + goal[GOAL.cost, one])
    return found


@outlined_kernel
def goals_of_cells(goal: FloatArray) -> IntArray:
    """`(_CELLS, _CELLS)` the goal that is nearest to each cell, -1 for none within `GOAL_OFFSET`."""
    found, gap = np.full((_CELLS, _CELLS), -1), np.full((_CELLS, _CELLS), GOAL_OFFSET + 0.5 * _CELL)
    for one in range(goal.shape[1]):
        i, j = int(goal[GOAL.x, one] / _CELL), int(goal[GOAL.y, one] / _CELL)
        for p in range(max(i - 1, 0), min(i + 2, _CELLS)):
            for q in range(max(j - 1, 0), min(j + 2, _CELLS)):
                way = math.hypot((p + 0.5) * _CELL - goal[GOAL.x, one], (q + 0.5) * _CELL - goal[GOAL.y, one])
                if way < gap[p, q]:
                    gap[p, q], found[p, q] = way, one
    return found


@inner_kernel
def is_at_goal(goal: FloatArray, one: int, x: float, y: float, yaw: float) -> bool:
    """Whether a pose is on the lane of a goal, level with it, and along it."""
    c, s = math.cos(goal[GOAL.yaw, one]), math.sin(goal[GOAL.yaw, one])
    aside = c * (y - goal[GOAL.y, one]) - s * (x - goal[GOAL.x, one])
    turn = math.sin(yaw - goal[GOAL.yaw, one])
    return bool(abs(aside) < GOAL_OFFSET and abs(turn) < GOAL_ANGLE and c * math.cos(yaw) + s * math.sin(yaw) > 0.0)


@outlined_kernel
def parts_of(parent: IntArray, move: IntArray, at: int) -> tuple[int, FloatArray, IntArray]:
    """How many parts the way to a node has, their lengths [m], negative backwards, and their turns."""
    count, here = 0, at
    while parent[here] >= 0:
        if parent[parent[here]] < 0 or move[parent[here]] != move[here]:
            count += 1
        here = parent[here]
    length, turn = np.zeros(max(count, 1)), np.zeros(max(count, 1), np.int64)
    here, part = at, count - 1
    while parent[here] >= 0:
        length[part] += PRIMITIVE if move[here] < 3 else -PRIMITIVE
        turn[part] = move[here] % 3 - 1
        if parent[parent[here]] >= 0 and move[parent[here]] != move[here]:
            part -= 1
        here = parent[here]
    return count, length, turn


@kernel
def find_manoeuvre(
    body: FloatArray, box: FloatArray, goal: FloatArray, lane: FloatArray, yaw: float
) -> tuple[int, FloatArray, IntArray]:
    """The way of a vehicle to a goal, by A*.

    Args:
        body: of `ManoeuvreBody`.
        box: `(5, N)` of `ManoeuvreBox`. Places count from MANOEUVRE_HORIZON west and south of the vehicle's origin.
        goal: `(4, N)` of `ManoeuvreGoal`.
        lane: `(3, N)` places of lanes, and how far from them a vehicle may drive [m].
        yaw: of the vehicle [rad].

    Returns:
        the number of parts, -1 for no way or one of more than MANOEUVRE_PARTS; their lengths [m], negative backwards;
        and their turns: 1 left, 0 straight, -1 right.
    """
    body, box, goal, lane = bare(body), bare(box), bare(goal), bare(lane)
    nodes, cost = np.empty((MAX_NODES, 3)), np.empty(MAX_NODES)
    parent, move, follows = np.empty(MAX_NODES, np.int64), np.empty(MAX_NODES, np.int64), np.empty(MAX_NODES, np.int64)
    head, closed = np.full(_BUCKETS, -1), np.zeros((_CELLS, _CELLS, _YAWS), np.bool_)
    best = np.full((_CELLS, _CELLS, _YAWS), np.inf)
    ground, ahead, near = drivable_ground(lane), least_costs(goal), goals_of_cells(goal)
    least = np.empty(box.shape[1])
    for one in range(box.shape[1]):
        # where it stands nearer to a body already it must not come nearer still
        gap = gap_between(body, box, one, MANOEUVRE_HORIZON, MANOEUVRE_HORIZON, yaw, SIDE_MARGIN, END_MARGIN)
        least[one] = min(gap - 0.01, 0.0)
    nodes[0, 0], nodes[0, 1], nodes[0, 2] = MANOEUVRE_HORIZON, MANOEUVRE_HORIZON, yaw
    cost[0], parent[0], move[0], follows[0], head[0], count = 0.0, -1, -1, -1, 0, 1
    bucket, size = 0, _CELL * _COARSE
    while bucket < _BUCKETS:
        at = head[bucket]
        if at < 0:
            bucket += 1
            continue
        head[bucket] = follows[at]
        x, y, heading = nodes[at, 0], nodes[at, 1], nodes[at, 2]
        i, j, k = int(x / _CELL), int(y / _CELL), int(heading / (2.0 * math.pi) * _YAWS + 0.5) % _YAWS
        if closed[i, j, k]:
            continue
        closed[i, j, k] = True
        if near[i, j] >= 0 and 0 <= move[at] < 3 and is_at_goal(goal, near[i, j], x, y, heading):
            parts, length, turn = parts_of(parent, move, at)
            return (parts if parts <= MANOEUVRE_PARTS else -1), length, turn
        for choice in range(6):
            way = PRIMITIVE if choice < 3 else -PRIMITIVE
            u, v, w = moved(x, y, heading, (choice % 3 - 1) * body[BODY.curvature], way)
            p, q, r = int(u / _CELL), int(v / _CELL), int(w / (2.0 * math.pi) * _YAWS + 0.5) % _YAWS
            if count >= MAX_NODES or p < 0 or q < 0 or p >= _CELLS or q >= _CELLS or closed[p, q, r]:
                continue
            after = cost[at] + PRIMITIVE * (1.0 if choice < 3 else BACKWARDS_COST)
            if move[at] >= 0 and move[at] != choice:
                after += REVERSAL_COST if (move[at] < 3) != (choice < 3) else STEERING_COST
            if after >= best[p, q, r] or not is_pose_free(body, box, least, ground, u, v, w):
                continue
            best[p, q, r] = after
            here = int((after + ahead[int(u / size), int(v / size)]) / _BUCKET)
            if here >= _BUCKETS:
                continue
            nodes[count, 0], nodes[count, 1], nodes[count, 2] = u, v, w
            cost[count], parent[count], move[count] = after, at, choice
            here = max(here, bucket)
            follows[count], head[here] = head[here], count
            count += 1
    return -1, np.zeros(1), np.zeros(1, np.int64)


@kernel
def free_way(
    body: FloatArray, box: FloatArray, x: float, y: float, yaw: float, length: FloatArray, turn: IntArray, reach: float
) -> float:
    """How far a vehicle may go on its way before it would touch a box [m]; `reach` if it touches none on that.

    Args:
        body: of `ManoeuvreBody`.
        box: `(5, N)` of `ManoeuvreBox`, in the frame of the pose.
        x: of the vehicle's origin [m].
        y: likewise.
        yaw: its heading [rad].
        length: `(parts,)` what is left of its way [m], negative backwards.
        turn: `(parts,)` the turns of its parts.
        reach: how far to look [m].
    """
    body, box, length, turn = bare(body), bare(box), bare(length), bare(turn)
    least = np.empty(box.shape[1])
    for one in range(box.shape[1]):
        least[one] = min(gap_between(body, box, one, x, y, yaw, 0.5 * SIDE_MARGIN, 0.5 * END_MARGIN) - 0.01, 0.0)
    done = 0.0
    for part in range(length.shape[0]):
        left = abs(length[part])
        while left > 1e-9 and done < reach:
            step = min(left, GUARD_STEP)
            way = step if length[part] > 0.0 else -step
            x, y, yaw = moved(x, y, yaw, turn[part] * body[BODY.curvature], way)
            for one in range(box.shape[1]):
                if gap_between(body, box, one, x, y, yaw, 0.5 * SIDE_MARGIN, 0.5 * END_MARGIN) < least[one]:
                    return done
            left -= step
            done += step
    return reach
