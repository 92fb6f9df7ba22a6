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
PUSH_OUT_GAP = 0.01
"""By so much a body stays short of what it would have been pushed into [m]."""


def shorten_shifts(scenery: Scenery, bodies: BodyTable, change: BodyChange, gone: IntArray, dt: float) -> None:
    """Let the ways of bodies that are shifted end at the first solid part.

    A body that something fast runs into is pushed out of it by metres, farther than the way on which contacts of the
    tick were looked for. What counts is the whole way of the tick, from where it began to where the shift ends: a small
    body that is squeezed against a wall would have been beyond the wall before the shift.

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
    shift = np.stack((change.shift_x[rows], change.shift_y[rows]))
    aside = pushed.yaw_rate * pushed.cg_forward * dt  # the middle's own way, see `contact_kernel.moving_of`
    whole = shift + np.stack(
        (
            pushed.velocity_x * dt + aside * np.sin(pushed.yaw),
            pushed.velocity_y * dt - aside * np.cos(pushed.yaw),
        )
    )
    pushed.x[:] += shift[0]
    pushed.y[:] += shift[1]
    pushed.velocity_x[:], pushed.velocity_y[:] = whole / dt
    pushed.yaw_rate[:] = 0.0
    parts = parts_near(scenery, pushed, gone, dt)
    if not len(parts):
        return
    met = contacts_of(with_parts(pushed, scenery, parts), dt)
    met = met.take(np.flatnonzero((met.second_kind == BodyKind.SCENERY) & (met.first < len(rows))))
    # what leans on a part keeps touching it
    met = met.take(np.flatnonzero((met.closing_speed > 0.0) & (met.depth > PUSH_OUT_GAP)))
    new, way = met.meeting > 0.0, met.closing_speed * dt
    share: FloatArray = np.ones(len(rows))
    np.minimum.at(share, met.first[new], np.maximum(met.meeting[new] / dt - PUSH_OUT_GAP / way[new], 0.0))
    shift -= (1.0 - share) * whole
    # from a part that it touched before a body slides along
    old = np.flatnonzero(~new)
    for axis, normal in enumerate((met.normal_x, met.normal_y)):
        np.subtract.at(shift[axis], met.first[old], (share[met.first] * way * normal)[old])
    change.shift_x[rows], change.shift_y[rows] = shift
