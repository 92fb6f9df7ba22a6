"""Bodies that are pushed out of others do not get into what stands behind them."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.road.scenery.table import Scenery
from dorosim.world.collision.body import BodyChange, BodyKind, BodyTable
from dorosim.world.collision.impact import contacts_of
from dorosim.world.collision.scenery import parts_near, with_parts

MIN_CHECKED_SHIFT = 0.05
"""Shifts up to this are not looked at [m]: half of what a vehicle may be inside of what stands."""
_GAP = 0.01
"""By so much a body stays short of what it would have been pushed into [m]."""


def shorten_shifts(scenery: Scenery, bodies: BodyTable, change: BodyChange, gone: IntArray, dt: float) -> None:
    """Let shifts of bodies end at the first solid part on their way.

    A body that something fast runs into is pushed out of it by metres, farther than the way on which contacts of the
    tick were looked for.

    Args:
        scenery: what stands.
        bodies: as they were when the impacts were found.
        change: what the impacts did; its shifts are written.
        gone: rows of the objects that have given way.
        dt: the tick [s].
    """
    far = np.hypot(change.shift_x, change.shift_y) > MIN_CHECKED_SHIFT
    rows = np.flatnonzero(far & (bodies.movable == 1))
    if not len(rows):
        return
    pushed = bodies.take(rows)
    pushed.x[:] += change.shift_x[rows]
    pushed.y[:] += change.shift_y[rows]
    pushed.velocity_x[:], pushed.velocity_y[:] = change.shift_x[rows] / dt, change.shift_y[rows] / dt
    pushed.yaw_rate[:] = 0.0
    parts = parts_near(scenery, pushed, gone, dt)
    if not len(parts):
        return
    met = contacts_of(with_parts(pushed, scenery, parts), dt)
    met = met.take(np.flatnonzero((met.second_kind == BodyKind.SCENERY) & (met.first < len(rows))))
    way = met.closing_speed * dt
    new = np.flatnonzero((way > 0.0) & (met.meeting > 0.0))  # parts that they touch without a shift push them out
    share: FloatArray = np.ones(len(rows))
    np.minimum.at(share, met.first[new], np.maximum(met.meeting[new] / dt - _GAP / way[new], 0.0))
    change.shift_x[rows] *= share
    change.shift_y[rows] *= share
