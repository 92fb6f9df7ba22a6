"""Obstructions: bodies in the way of traffic: egos, ghosts, pedestrians, obstacles, vehicles off their lanes."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import IntArray, read_only
from dorosim.world.collision.body import BodyTable
from dorosim.world.traffic.obstruction_kernel import MOST_LANES, find_shades
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.traffic.state import Obstruction


def obstructions_of_bodies(plan: TrafficPlan, body: BodyTable, rows: IntArray) -> Obstruction:
    """The lanes on which bodies stand, or on which they are about to step; read-only.

    A body has a row on every lane of its level whose middle it comes so near to that a vehicle there would touch it,
    now or, as it moves sideways, within `FORESIGHT`. So a pedestrian that waits at the kerb is in no vehicle's way, and
    one that steps towards a lane has a row before it is on the lane. Rows are ordered by body.

    Args:
        plan: the roads.
        body: bodies, writable or not.
        rows: `(N,)` which of them count: those that are not traffic on its lanes.
    """
    found = Obstruction(
        np.empty((Obstruction.float_width, MOST_LANES * len(rows))),
        np.empty((len(Obstruction.int_columns), MOST_LANES * len(rows)), np.int64),
    )
    count = find_shades(*plan.grid, read_only(body.floats), np.array(rows, np.int64), found.floats, found.ints)
    return Obstruction(found.floats[:, :count].copy(), found.ints[:, :count].copy()).freeze()
