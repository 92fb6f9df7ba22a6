"""How pedestrians keep apart: a grid of neighbours, and the push of each on its neighbours.

Bodies keep apart by the repulsion of D. Helbing, I. Farkas, T. Vicsek (Nature 407 (2000) 487), without its body forces.
Added is a step to the right before one in front that comes nearer, without which two that meet head on would stop.
"""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.ground.search_kernel import first_beyond
from dorosim.world.collision.grid_kernel import bucket_of
from dorosim.world.pedestrian.activity_kernel import slow_down
from dorosim.world.pedestrian.state import PedestrianState, Stage

_PEDESTRIAN = PedestrianState.at

REPULSION, REPULSION_RANGE = 25.0, 0.08
"""Repulsion of bodies that touch [m/s^2] and the gap over which it falls to 1/e [m]: 2000 N on 80 kg, 0.08 m
(Helbing, Farkas and Vicsek 2000)."""
MAX_REPULSION = 8.0
"""Largest acceleration by which others push a pedestrian [m/s^2]."""
SIDESTEP, SIDESTEP_RANGE = 3.0, 1.5
"""Acceleration to the side before another in the way ahead [m/s^2] and the gap over which it falls to 1/e [m]."""
MIN_AHEAD_COSINE = 0.5
"""Cosine of the angle from the way ahead up to which another pedestrian is in front."""
PEDESTRIAN_GAP = 0.2
"""A pedestrian steps aside until there is this gap between the bodies, and keeps this gap behind another [m]."""
CROWD_SPEED = 0.4
"""Speed with which a pedestrian goes on through a crowd [m/s]; behind one that waits at a crosswalk it stops."""
STUCK_SPEED = 0.3
"""A pedestrian slower than this [m/s] is stuck in a crowd. It then goes to the right, so that streams come apart."""
NEIGHBOUR_RANGE = 3.5
"""A pedestrian farther than this does not matter [m]; also the side of a cell of the neighbour grid."""

MAX_PUSHING_NEIGHBOURS = 128
"""Most neighbours of one cell that push a pedestrian: ten a square metre, more than there is room for. Where more stand
in one place, those after it in the order of the table push it, so that a crowd of any size comes apart."""

WAITING_GAP, WAITING_PUSH = 0.5, 1.0
"""Gap that people who wait leave between one another along the kerb [m], and the acceleration with which they move
apart where it is 0 [m/s^2]. The gap makes 1 m from middle to middle, as at level of service B of queues, 0.9 to 1.2
square metres a person (J. J. Fruin, "Pedestrian Planning and Design" (1971))."""
MAX_WAITING_SPREAD = 1.3
"""They do not move farther than this from their way, so that they stay within a crosswalk's width [m]."""
CLOSE_GAP = 0.1
"""Bodies nearer than this may touch within the step [m]."""

_WAIT, _DOWN = int(Stage.WAIT), int(Stage.DOWN)


@inner_kernel
def beside_way(floats: FloatArray, i: int, way_x: float, way_y: float) -> float:
    """How far a pedestrian is to the left of the leg of its way [m]."""
    x = floats[_PEDESTRIAN.x, i] - floats[_PEDESTRIAN.leg_x, i]
    y = floats[_PEDESTRIAN.y, i] - floats[_PEDESTRIAN.leg_y, i]
    left: float = way_x * y - way_y * x
    return left


@inner_kernel
def along_kerb(
    floats: FloatArray, i: int, way_x: float, way_y: float, to_left: float, size: float
) -> tuple[float, float]:
    """An acceleration of a size [m/s^2] along the kerb, to the left or, negative, the right; less towards its ends."""
    sign = 1.0 if to_left > 0.0 else -1.0
    side = sign * size * min(max(1.0 - sign * beside_way(floats, i, way_x, way_y) / MAX_WAITING_SPREAD, 0.0), 1.0)
    return -way_y * side, way_x * side


@inner_kernel
def sort_into_cells(floats: FloatArray, mask: int, cell: IntArray, first: IntArray, member: IntArray) -> None:
    """Fill the buckets of the neighbour grid, rows in order within each.

    Args:
        floats: `PedestrianState.floats`.
        mask: number of buckets, a power of 2, less one.
        cell: `(2, N)` out: column and row of each pedestrian's cell.
        first: `(buckets + 1,)` out: where the members of each bucket begin.
        member: `(N,)` out: rows of the table by bucket.
    """
    first[:] = 0
    count = floats.shape[1]
    for i in range(count):
        cell[0, i] = math.floor(floats[_PEDESTRIAN.x, i] / NEIGHBOUR_RANGE)
        cell[1, i] = math.floor(floats[_PEDESTRIAN.y, i] / NEIGHBOUR_RANGE)
        first[bucket_of(cell[0, i], cell[1, i], mask + 1)] += 1
    for c in range(1, mask + 2):
        first[c] += first[c - 1]
    for i in range(count - 1, -1, -1):
        c = bucket_of(cell[0, i], cell[1, i], mask + 1)
        first[c] -= 1
        member[first[c]] = i


@inner_kernel
def push(
    floats: FloatArray, ints: IntArray, radius: FloatArray, i: int, j: int, way_x: float, way_y: float
) -> tuple[float, float, float, float]:
    """The push of pedestrian `j` on pedestrian `i`, whose way leads in a direction.

    One that waits at a crosswalk is moved only by one that overlaps it; one that has arrived makes room.

    Returns:
        Acceleration [m/s^2] along x and y in map, the speed that is left to go on with [m/s], and the gap [m].
    """
    if ints[_PEDESTRIAN.stage, j] == _DOWN:
        return 0.0, 0.0, math.inf, math.inf  # one that lies is a body in the way
    gap_x = floats[_PEDESTRIAN.x, i] - floats[_PEDESTRIAN.x, j]
    gap_y = floats[_PEDESTRIAN.y, i] - floats[_PEDESTRIAN.y, j]
    distance = math.hypot(gap_x, gap_y)
    if distance >= NEIGHBOUR_RANGE:
        return 0.0, 0.0, math.inf, distance
    if distance < 1e-6:
        # two in one place part to the sides, each to another
        gap_x, gap_y, distance = (1e-6, 0.0, 1e-6) if i < j else (-1e-6, 0.0, 1e-6)
    off_x, off_y = gap_x / distance, gap_y / distance
    touching = radius[ints[_PEDESTRIAN.model, i]] + radius[ints[_PEDESTRIAN.model, j]]
    gap = distance - touching
    waits = ints[_PEDESTRIAN.stage, i] == _WAIT
    left = off_x * way_y - off_y * way_x
    if waits and gap > 0.0:
        if gap >= WAITING_GAP or ints[_PEDESTRIAN.stage, j] != _WAIT:
            return 0.0, 0.0, math.inf, gap
        # away from the other, along the kerb; of two in a row the later one goes to the left
        to_left = -left if abs(left) > 1e-3 else (1.0 if ints[_PEDESTRIAN.id, i] > ints[_PEDESTRIAN.id, j] else -1.0)
        force_x, force_y = along_kerb(floats, i, way_x, way_y, to_left, WAITING_PUSH * (1.0 - gap / WAITING_GAP))
        return force_x, force_y, math.inf, gap
    force = min(REPULSION * math.exp(-gap / REPULSION_RANGE), MAX_REPULSION)
    force_x, force_y, limit = force * off_x, force * off_y, math.inf
    ahead = -(off_x * way_x + off_y * way_y)
    aside = abs(left) * distance
    if ahead > MIN_AHEAD_COSINE and aside < touching + PEDESTRIAN_GAP and not waits:
        onward = floats[_PEDESTRIAN.velocity_x, j] * way_x + floats[_PEDESTRIAN.velocity_y, j] * way_y
        queue = ints[_PEDESTRIAN.stage, j] == _WAIT
        if aside < touching:
            limit = max(max(onward, 0.0) + slow_down(gap - PEDESTRIAN_GAP), 0.0 if queue else CROWD_SPEED)
        if queue and gap < 2.0 * WAITING_GAP:
            # a place beside those that wait, on the side where it comes from
            to_left = -left if abs(left) > 1e-3 else (1.0 if ints[_PEDESTRIAN.id, i] % 2 == 0 else -1.0)
            side_x, side_y = along_kerb(floats, i, way_x, way_y, to_left, SIDESTEP)
            force_x, force_y = force_x + side_x, force_y + side_y
        if not queue and onward < floats[_PEDESTRIAN.speed, i] + 0.1:
            # to the right, unless the other is more to the right; a stuck pedestrian always tries the right
            side = SIDESTEP * math.exp(-max(gap, 0.0) / SIDESTEP_RANGE) * (1.0 - aside / (touching + PEDESTRIAN_GAP))
            side = -side if left < -1e-9 and floats[_PEDESTRIAN.speed, i] > STUCK_SPEED else side
            force_x, force_y = force_x + side * way_y, force_y - side * way_x
    return force_x, force_y, limit, gap


@inner_kernel
def push_of_all(
    floats: FloatArray,
    ints: IntArray,
    radius: FloatArray,
    i: int,
    way_x: float,
    way_y: float,
    mask: int,
    cell: IntArray,
    first: IntArray,
    member: IntArray,
) -> tuple[float, float, float, float]:
    """The push of all neighbours on one: acceleration [m/s^2], the speed that they leave [m/s], the least gap [m]."""
    force_x, force_y, limit, least = 0.0, 0.0, math.inf, math.inf
    for column in range(cell[0, i] - 1, cell[0, i] + 2):
        for row in range(cell[1, i] - 1, cell[1, i] + 2):
            bucket = bucket_of(column, row, mask + 1)
            begin, count = first[bucket], first[bucket + 1] - first[bucket]
            some, shift = count, 0
            if count > MAX_PUSHING_NEIGHBOURS:
                some, shift = MAX_PUSHING_NEIGHBOURS, first_beyond(member, begin, begin + count, i) - begin
            for n in range(some):
                m = begin + (shift + n) % count if shift else begin + n
                j = member[m]
                if j == i or cell[0, j] != column or cell[1, j] != row:
                    continue
                push_x, push_y, left, gap = push(floats, ints, radius, i, j, way_x, way_y)
                force_x, force_y, limit, least = force_x + push_x, force_y + push_y, min(limit, left), min(least, gap)
    return force_x, force_y, limit, least
