"""Objects of the scenery that have given way: they fall over, slide and lie.

A post that is hit near its foot comes off there and falls over as a uniform rod about its foot: with the angle t from
the upright, t'' = 3 g sin(t) / (2 L). It slides on its foot as other loose bodies do (`dorosim.world.collision.slide`).
While it falls it is a body like others; once it lies, it is so thin that wheels roll over it.
"""

from __future__ import annotations

from math import pi

import numpy as np

from dorosim.ground.column import Columns, FloatArray, IntArray, float64, int64
from dorosim.ground.physics import GRAVITY
from dorosim.ground.unit import METRE, METRE_PER_SECOND, RADIAN, RADIAN_PER_SECOND
from dorosim.road.scenery.table import ObjectTable, Scenery
from dorosim.road.terrain.terrain import Terrain
from dorosim.world.collision.body import VEHICLE_DRAG_FACTOR, BodyKind, BodyTable
from dorosim.world.collision.settle import fallen
from dorosim.world.collision.slide import slide_bodies

POST_HALF_WIDTH = 0.06
"""Half the thickness of a post as a body [m]."""
GYRATION = 0.3
"""Radius of gyration of a post with its plate or head about its axis [m]."""
_FIRST_TILT, _MAX_FIRST_TILT_RATE = 0.05, 4.0
"""A post that has come off begins to fall with this tilt [rad], and no faster than this [rad/s]."""
_FLAT = 0.5 * pi
_MAX_GROUND_RISE = 1.0
"""A post lies no steeper than this [ratio]: over a ledge it slides down."""


class DisplacedTable(Columns):
    """One row per object of the scenery that has given way, in the order in which they did."""

    x = float64(METRE, "its foot, east", frame="map")
    y = float64(METRE, "its foot, north", frame="map")
    z = float64(METRE, "its foot, up", frame="map")
    heading = float64(RADIAN, "of the object's x axis before it falls over", frame="map")
    fall_heading = float64(RADIAN, "where its top falls", frame="map")
    tilt = float64(RADIAN, "from the upright")
    tilt_rate = float64(RADIAN_PER_SECOND, "of the tilt")
    ground_tilt = float64(RADIAN, "tilt with which it lies on the ground: on level ground a quarter turn")
    fall_speed = float64(METRE_PER_SECOND, "of its foot, downwards; 0 while that is on the ground")
    velocity_x = float64(METRE_PER_SECOND, "of its middle, east", frame="map")
    velocity_y = float64(METRE_PER_SECOND, "of its middle, north", frame="map")
    yaw_rate = float64(RADIAN_PER_SECOND, "of its turning about the vertical, counter-clockwise")
    object = int64("row of the object in the scenery")
    key = ("object",)


def falling_rows(displaced: DisplacedTable) -> IntArray:
    """`(N,)` rows of those that do not lie yet: they are bodies."""
    return np.flatnonzero(displaced.tilt < displaced.ground_tilt)


def bodies_of_displaced(displaced: DisplacedTable, objects: ObjectTable) -> BodyTable:
    """A body for each row: the upright box about a post that leans."""
    table, owner = BodyTable.zeros(displaced.rows), displaced.object
    sine, cosine = np.sin(displaced.tilt), np.cos(displaced.tilt)
    reach = 0.5 * objects.height[owner] * sine
    table.yaw[:] = displaced.fall_heading
    table.x[:] = displaced.x + reach * np.cos(table.yaw)
    table.y[:] = displaced.y + reach * np.sin(table.yaw)
    table.half_length[:], table.half_width[:] = reach + POST_HALF_WIDTH, POST_HALF_WIDTH
    table.half_height[:] = 0.5 * objects.height[owner] * np.maximum(cosine, 0.0) + POST_HALF_WIDTH
    table.z[:] = displaced.z + table.half_height
    table.velocity_x[:], table.velocity_y[:] = displaced.velocity_x, displaced.velocity_y
    table.yaw_rate[:], table.mass[:] = displaced.yaw_rate, objects.mass[owner]
    table.inertia[:] = table.mass * (GYRATION**2 + (2.0 * reach) ** 2 / 12.0)
    table.drag_factor[:] = VEHICLE_DRAG_FACTOR
    table.id[:], table.kind[:], table.movable[:] = -1 - owner, BodyKind.SCENERY, 1
    return table


def advance_displaced(
    displaced: DisplacedTable, objects: ObjectTable, terrain: Terrain | None, dt: float, friction: float
) -> DisplacedTable:
    """The table a tick later: what moves slides, what leans falls; the very same table if all lie still.

    Args:
        displaced: read-only.
        objects: of the scenery.
        terrain: the ground; where it is not given, all stays at its height and the ground is level.
        dt: the tick [s].
        friction: of the roads, over that of dry asphalt.
    """
    moves = (displaced.velocity_x != 0.0) | (displaced.velocity_y != 0.0) | (displaced.yaw_rate != 0.0)
    moves |= displaced.fall_speed != 0.0
    leans = displaced.tilt < displaced.ground_tilt
    if not (moves | leans).any():
        return displaced
    after, bodies = displaced.copy(), bodies_of_displaced(displaced, objects)
    turned = bodies.yaw.copy()
    slide_bodies(bodies, np.flatnonzero(moves), dt, friction)
    height = objects.height[displaced.object]
    after.tilt_rate[leans] += 1.5 * GRAVITY / height[leans] * np.sin(displaced.tilt[leans]) * dt
    after.tilt[leans] += after.tilt_rate[leans] * dt
    after.velocity_x[:], after.velocity_y[:], after.yaw_rate[:] = bodies.velocity_x, bodies.velocity_y, bodies.yaw_rate
    after.heading[:] += bodies.yaw - turned
    after.fall_heading[:] = bodies.yaw
    reach = 0.5 * height * np.sin(displaced.tilt)
    after.x[:], after.y[:] = bodies.x - reach * np.cos(bodies.yaw), bodies.y - reach * np.sin(bodies.yaw)
    if terrain is not None:
        _follow_ground(after, height, terrain, dt)
    lies = ~leans | (after.tilt >= after.ground_tilt)
    after.tilt[lies], after.tilt_rate[lies] = after.ground_tilt[lies], 0.0
    return after


def _follow_ground(displaced: DisplacedTable, height: FloatArray, terrain: Terrain, dt: float) -> None:
    """Let feet stand on the ground or fall to it, and find how their posts of a height `(N,)` [m] lie there."""
    foot = np.column_stack((displaced.x, displaced.y, displaced.z))
    displaced.z[:], displaced.fall_speed[:] = fallen(displaced.z, displaced.fall_speed, terrain.height(foot), dt)
    top = foot + height[:, None] * np.column_stack(
        (np.cos(displaced.fall_heading), np.sin(displaced.fall_heading), np.zeros(displaced.rows))
    )
    rise = np.clip((terrain.height(top) - displaced.z) / height, -_MAX_GROUND_RISE, _MAX_GROUND_RISE)
    displaced.ground_tilt[:] = _FLAT - np.arctan(rise)


def hit_displaced(displaced: DisplacedTable, rows: IntArray, change: FloatArray) -> None:
    """Write what impacts did to bodies into the rows `(n,)` of the writable table.

    Args:
        displaced: the table, written.
        rows: one for each body.
        change: `(5, n)` the float block of `BodyChange` of these bodies.
    """
    displaced.velocity_x[rows] += change[0]
    displaced.velocity_y[rows] += change[1]
    displaced.yaw_rate[rows] += change[2]
    displaced.x[rows] += change[3]
    displaced.y[rows] += change[4]


def given_way(scenery: Scenery, rows: IntArray, change: FloatArray) -> DisplacedTable:
    """New rows for objects `(n,)` that give way in a tick; `change` as of `hit_displaced`."""
    objects, made = scenery.objects, DisplacedTable.zeros(len(rows))
    made.x[:], made.y[:], made.z[:] = objects.x[rows], objects.y[rows], objects.z[rows]
    made.heading[:] = objects.heading[rows]
    made.fall_heading[:] = np.arctan2(change[1], change[0])
    made.tilt[:], made.ground_tilt[:] = _FIRST_TILT, _FLAT
    speed = np.hypot(change[0], change[1])
    made.tilt_rate[:] = np.minimum(speed / objects.height[rows], _MAX_FIRST_TILT_RATE)
    made.object[:] = rows
    hit_displaced(made, np.arange(len(rows)), change)
    return made
