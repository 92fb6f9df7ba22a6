"""Pedestrians do not walk through one another: those that overlap after a step are moved apart.

Forces keep people apart as long as no crowd pushes harder than the largest of them; a dense one does. So places are
corrected after each step, as in position-based dynamics (M. Müller et al., J. Visual Communication and Image
Representation 18 (2007) 109).
"""

from __future__ import annotations

import math

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.collision.grid_kernel import bucket_of
from dorosim.world.pedestrian.crowd_kernel import MAX_PUSHING_NEIGHBOURS
from dorosim.world.pedestrian.state import PedestrianState, Stage

_PEDESTRIAN = PedestrianState.at

SEPARATION_PASSES = 4
"""How many times bodies that overlap are moved apart in a step, at most."""

_DOWN, _IDLE, _LED = int(Stage.DOWN), int(Stage.IDLE), int(Stage.LED)


@inner_kernel
def is_fast_in_place(ints: IntArray, i: int) -> bool:
    """Whether others cannot move a pedestrian: one that stands idle, is paused, or is where a command puts it."""
    stage = ints[_PEDESTRIAN.stage, i]
    return bool(stage in (_IDLE, _LED) or ints[_PEDESTRIAN.paused, i] != 0)


@inner_kernel
def overlap_of(
    floats: FloatArray,
    ints: IntArray,
    radius: FloatArray,
    i: int,
    mask: int,
    cell: IntArray,
    first: IntArray,
    member: IntArray,
) -> tuple[float, float]:
    """Mean of the ways that take one pedestrian out of those it overlaps [m]: half of each if the other moves, too."""
    x, y, count = 0.0, 0.0, 0
    for column in range(cell[0, i] - 1, cell[0, i] + 2):
        for row in range(cell[1, i] - 1, cell[1, i] + 2):
            bucket = bucket_of(column, row, mask + 1)
            for m in range(first[bucket], min(first[bucket + 1], first[bucket] + MAX_PUSHING_NEIGHBOURS)):
                j = member[m]
                if j == i or cell[0, j] != column or cell[1, j] != row or ints[_PEDESTRIAN.stage, j] == _DOWN:
                    continue
                gap_x = floats[_PEDESTRIAN.x, i] - floats[_PEDESTRIAN.x, j]
                gap_y = floats[_PEDESTRIAN.y, i] - floats[_PEDESTRIAN.y, j]
                distance = math.hypot(gap_x, gap_y)
                deep = radius[ints[_PEDESTRIAN.model, i]] + radius[ints[_PEDESTRIAN.model, j]] - distance
                if deep <= 0.0 or distance < 1e-6:
                    continue
                share = deep if is_fast_in_place(ints, j) else 0.5 * deep
                x, y, count = x + share * gap_x / distance, y + share * gap_y / distance, count + 1
    return (x / count, y / count) if count > 0 else (0.0, 0.0)


@inner_kernel
def separate(
    floats: FloatArray,
    ints: IntArray,
    radius: FloatArray,
    mask: int,
    cell: IntArray,
    first: IntArray,
    member: IntArray,
    shift: FloatArray,
) -> None:
    """Move pedestrians that overlap apart; all by where all are, so the order of rows does not matter.

    Args:
        floats: `PedestrianState.floats`, in and out.
        ints: `PedestrianState.ints`.
        radius: of each model [m].
        mask: as of `sort_into_cells`, of the places before the step, which are less than a cell away.
        cell: likewise.
        first: likewise.
        member: likewise.
        shift: `(2, N)` for its use.
    """
    for _ in range(SEPARATION_PASSES):
        moved = False
        for i in range(floats.shape[1]):
            shift[0, i], shift[1, i] = 0.0, 0.0
            if ints[_PEDESTRIAN.stage, i] != _DOWN and not is_fast_in_place(ints, i):
                shift[0, i], shift[1, i] = overlap_of(floats, ints, radius, i, mask, cell, first, member)
        for i in range(floats.shape[1]):
            x, y = shift[0, i], shift[1, i]
            into = x * floats[_PEDESTRIAN.wall_x, i] + y * floats[_PEDESTRIAN.wall_y, i]
            if into < 0.0:
                x, y = x - into * floats[_PEDESTRIAN.wall_x, i], y - into * floats[_PEDESTRIAN.wall_y, i]
            size = math.hypot(x, y)
            if size <= 1e-9:
                continue
            moved = True
            floats[_PEDESTRIAN.x, i] += x
            floats[_PEDESTRIAN.y, i] += y
            into = (floats[_PEDESTRIAN.velocity_x, i] * x + floats[_PEDESTRIAN.velocity_y, i] * y) / (size * size)
            if into < 0.0:
                floats[_PEDESTRIAN.velocity_x, i] -= into * x
                floats[_PEDESTRIAN.velocity_y, i] -= into * y
                vx, vy = floats[_PEDESTRIAN.velocity_x, i], floats[_PEDESTRIAN.velocity_y, i]
                floats[_PEDESTRIAN.speed, i] = math.hypot(vx, vy)
        if not moved:
            break
