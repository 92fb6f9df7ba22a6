"""Which bodies beside the road drivers look out for that are about to use the verge, or do."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.road.adjacency import FlagArray
from dorosim.world.actor.body import bodies_of
from dorosim.world.collision.body import BodyKind, BodyTable
from dorosim.world.collision.scenery import with_parts
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene
from dorosim.world.traffic.pass_kernel import VERGE_BLOCKED_TIME
from dorosim.world.traffic.state import Passing, Presence, TrafficState
from dorosim.world.traffic.verge_kernel import NO_ROADSIDE, ROADSIDE, RoadsideBody

ROADSIDE_HORIZON = 40.0
"""Bodies so near to a vehicle matter to its driver [m]: about as far as it passes in one go."""

LOOK_AROUND_TIME = 1.0
"""Drivers look for bodies beside the road this long before they may use the verge [s], so never later than that."""

WAY_AHEAD_TIME = 5.0
"""Drivers keep off the way that another vehicle drives in this time [s]."""

_NO_ROWS = np.zeros(0, np.int64)


def may_use_verge(traffic: TrafficState) -> IntArray:
    """Rows `(N,)` of the vehicles that are beside their lanes, or blocked for so long that they may be next."""
    blocked = (traffic.blocked_time >= VERGE_BLOCKED_TIME - LOOK_AROUND_TIME) | (traffic.passing >= Passing.LANE_BESIDE)
    found: IntArray = np.flatnonzero(blocked & (traffic.present == Presence.ON_LANE))
    return found


def roadside_bodies(scene: Scene, draft: Draft) -> FloatArray:
    """`(9, B)` of `RoadsideBody`: scenery and bodies of actors near vehicles on the verge.

    The box of a vehicle on a lane reaches ahead over the way that it drives in the next seconds.

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
    bodies, traffic_row = _bodies_with_way_ahead(scene, draft)
    middles, reach = np.stack((bodies.x, bodies.y)), bodies.half_length
    chosen = np.flatnonzero(_are_near(middles - reach, middles + reach, place))
    bodies = bodies.take(chosen)
    near = with_parts(bodies, scene.scenery, parts[~np.isin(owner[parts], gone)])
    found = np.empty((RoadsideBody.float_width, near.rows))
    for column in ("x", "y", "z", "yaw", "half_length", "half_width", "half_height"):
        found[getattr(ROADSIDE, column)] = getattr(near, column)
    found[ROADSIDE.person] = near.kind == BodyKind.PEDESTRIAN
    found[ROADSIDE.traffic_row] = 0.0
    found[ROADSIDE.traffic_row, : len(chosen)] = traffic_row[chosen]
    return found


def _bodies_with_way_ahead(scene: Scene, draft: Draft) -> tuple[BodyTable, IntArray]:
    """The bodies of all actors, those of vehicles on lanes with the way ahead, and 1 + the rows of these, else 0."""
    bodies = bodies_of(scene, draft)
    table, traffic, rows = bodies.table, draft.traffic, np.zeros(bodies.table.rows, np.int64)
    rows[bodies.npc : bodies.ghost] = np.where(
        traffic.present[bodies.npc_row] == Presence.ON_LANE, 1 + bodies.npc_row, 0
    )
    moving = rows.nonzero()[0]
    half_way = 0.5 * WAY_AHEAD_TIME * traffic.speed[rows[moving] - 1]
    table.x[moving] += half_way * np.cos(table.yaw[moving])
    table.y[moving] += half_way * np.sin(table.yaw[moving])
    table.half_length[moving] += half_way
    return table, rows


def _are_near(low: FloatArray, high: FloatArray, place: FloatArray) -> FlagArray:
    """Which boxes, with corners `(2, N)`, are within the horizon of any of some places `(2, M)`."""
    away = np.maximum(low[:, :, None] - place[:, None, :], place[:, None, :] - high[:, :, None]).max(axis=0)
    found: FlagArray = away.min(axis=1, initial=np.inf) < ROADSIDE_HORIZON
    return found
