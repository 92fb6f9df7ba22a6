"""Which bodies beside the road drivers look out for that are about to use the verge, or do."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.road.adjacency import FlagArray
from dorosim.world.actor.body import bodies_of
from dorosim.world.collision.body import BodyKind
from dorosim.world.collision.scenery import with_parts
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene
from dorosim.world.traffic.pass_kernel import VERGE_BLOCKED_TIME
from dorosim.world.traffic.state import Passing, Presence, TrafficState
from dorosim.world.traffic.verge_kernel import NO_ROADSIDE, ROADSIDE, RoadsideBody

ROADSIDE_HORIZON = 40.0
"""Bodies so near to a vehicle matter to its driver [m]: about as far as it passes in one go."""

_NO_ROWS = np.zeros(0, np.int64)


def may_use_verge(traffic: TrafficState) -> IntArray:
    """Rows `(N,)` of the vehicles that are on the verge, or blocked for so long that they may use it."""
    blocked = (traffic.blocked_time >= VERGE_BLOCKED_TIME) | (traffic.passing == Passing.VERGE)
    found: IntArray = np.flatnonzero(blocked & (traffic.present == Presence.ON_LANE))
    return found


def roadside_bodies(scene: Scene, draft: Draft) -> FloatArray:
    """`(8, B)` of `RoadsideBody`: scenery and bodies of actors that are not on lanes, near vehicles on the verge.

    Args:
        scene: gives what stands beside the roads.
        draft: gives the actors.
    """
    rows = may_use_verge(draft.traffic)
    if not len(rows):
        return NO_ROADSIDE
    place = np.stack((draft.traffic.x[rows], draft.traffic.y[rows]))
    gone = draft.displaced.object if draft.displaced.rows else _NO_ROWS
    gone = draft.displaced.object if draft.displaced.rows else _NO_ROWS
    bounds, owner = scene.scenery.grid.bounds, scene.scenery.parts.object
    parts = np.flatnonzero(_are_near(bounds[:2], bounds[3:5], place))
    bodies = bodies_of(scene, draft, on_lane=False).table
    middles = np.stack((bodies.x, bodies.y))
    bodies = bodies.take(_are_near(middles, middles, place))
    near = with_parts(bodies, scene.scenery, parts[~np.isin(owner[parts], gone)])
    found = np.empty((RoadsideBody.float_width, near.rows))
    for column in ("x", "y", "z", "yaw", "half_length", "half_width", "half_height"):
        found[getattr(ROADSIDE, column)] = getattr(near, column)
    found[ROADSIDE.person] = near.kind == BodyKind.PEDESTRIAN
    return found


def _are_near(low: FloatArray, high: FloatArray, place: FloatArray) -> FlagArray:
    """Which boxes, with corners `(2, N)`, are within the horizon of any of some places `(2, M)`."""
    away = np.maximum(low[:, :, None] - place[:, None, :], place[:, None, :] - high[:, :, None]).max(axis=0)
    found: FlagArray = away.min(axis=1, initial=np.inf) < ROADSIDE_HORIZON
    return found
