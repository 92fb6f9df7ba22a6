"""A vehicle that manoeuvres, and the bodies around it, as `manoeuvre_kernel` sees them."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.road.adjacency import FlagArray
from dorosim.world.actor.body import bodies_of
from dorosim.world.collision.body import BodyKind
from dorosim.world.collision.scenery import with_parts
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene
from dorosim.world.traffic.manoeuvre_kernel import BODY, BOX, MANOEUVRE_HORIZON, ManoeuvreBody, ManoeuvreBox
from dorosim.world.traffic.state import Presence, TrafficState

STEER_SHARE, MIN_RADIUS = 0.9, 3.0
"""Share of its largest wheel angle with which a driver manoeuvres, and the smallest radius of its turns [m]."""

PERSON_GAP = 0.6
"""Drivers keep so much more distance to people [m]."""

STANDING_BODY_SPEED = 0.5
"""A body that is slower stands in the way [m/s]."""

SIGHT = 60.0
"""Bodies that are nearer to the vehicle matter [m]."""

_LEVEL = 2.5
_NO_ROWS = np.zeros(0, np.int64)


def body_sizes(scene: Scene, traffic: TrafficState, row: int) -> FloatArray:
    """The `ManoeuvreBody` of a vehicle."""
    found = np.empty(ManoeuvreBody.float_width)
    wheelbase = float(traffic.wheelbase[row])
    front = wheelbase + float(traffic.front_overhang[row])
    found[BODY.front], found[BODY.rear] = front, float(traffic.length[row]) - front
    found[BODY.half_width], found[BODY.wheelbase] = 0.5 * float(traffic.width[row]), wheelbase
    steer = STEER_SHARE * float(scene.models[int(traffic.model[row])].max_steer)
    radius = max(wheelbase / math.tan(steer), MIN_RADIUS) if steer > 0.0 else MIN_RADIUS
    found[BODY.curvature] = 1.0 / radius
    return found


def bodies_around(scene: Scene, draft: Draft, row: int, time: float) -> tuple[FloatArray, FlagArray]:
    """`(5, N)` of `ManoeuvreBox`: what is around a vehicle, and `(N,)` which of them stand.

    Places count from MANOEUVRE_HORIZON west and south of the vehicle's origin.

    Args:
        scene: gives what stands beside the roads.
        draft: gives the actors.
        row: of the vehicle.
        time: the box of a vehicle on its lane reaches ahead over what it drives in this time [s].
    """
    traffic, bodies = draft.traffic, bodies_of(scene, draft)
    table, x, y, z = bodies.table, float(traffic.x[row]), float(traffic.y[row]), float(traffic.z[row])
    stands = np.hypot(table.velocity_x, table.velocity_y) < STANDING_BODY_SPEED
    npc = bodies.npc + np.flatnonzero(traffic.present[bodies.npc_row] == Presence.ON_LANE)
    half_way = 0.5 * time * traffic.speed[bodies.npc_row[npc - bodies.npc]]
    table.x[npc] += half_way * np.cos(table.yaw[npc])
    table.y[npc] += half_way * np.sin(table.yaw[npc])
    table.half_length[npc] += half_way
    reach = SIGHT + table.half_length
    near = (np.abs(table.x - x) < reach) & (np.abs(table.y - y) < reach) & (table.id != traffic.id[row])
    chosen = np.flatnonzero(near)
    grid, owner = scene.scenery.grid.bounds, scene.scenery.parts.object
    gone = draft.displaced.object if draft.displaced.rows else _NO_ROWS
    place = np.array((x, y))[:, None]
    parts = np.flatnonzero(
        ((grid[:2] - place < MANOEUVRE_HORIZON) & (place - grid[3:5] < MANOEUVRE_HORIZON)).all(axis=0)
    )
    found = with_parts(table.take(chosen), scene.scenery, parts[~np.isin(owner[parts], gone)])
    level = np.flatnonzero(np.abs(found.z - z) < found.half_height + _LEVEL)
    boxes = np.empty((ManoeuvreBox.float_width, len(level)))
    boxes[BOX.x], boxes[BOX.y] = found.x[level] - x + MANOEUVRE_HORIZON, found.y[level] - y + MANOEUVRE_HORIZON
    boxes[BOX.yaw] = found.yaw[level]
    more = np.where(found.kind[level] == BodyKind.PEDESTRIAN, PERSON_GAP, 0.0)
    boxes[BOX.half_length], boxes[BOX.half_width] = found.half_length[level] + more, found.half_width[level] + more
    standing = np.zeros(found.rows, np.bool_)
    standing[: len(chosen)] = stands[chosen]
    return boxes, standing[level]
