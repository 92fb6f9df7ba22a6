"""Solid parts of the scenery as bodies that stand."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import IntArray, read_only
from dorosim.road.scenery.table import Scenery
from dorosim.world.actor.body import Bodies, add_people
from dorosim.world.collision.body import VEHICLE_DRAG_FACTOR, BodyKind, BodyTable
from dorosim.world.collision.displaced import GYRATION
from dorosim.world.collision.scenery_kernel import find_parts, is_near_part, may_be_near_part
from dorosim.world.draft import Draft
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

MAX_PEOPLE_REACH = 3.5
"""People look out for parts so near [m]: a little more than the way on which they avoid what stands."""
MAX_PARTS_IN_TICK = 4096
"""Parts that bodies are compared with in a tick; those of the lowest rows count."""


def parts_near(
    scenery: Scenery,
    bodies: BodyTable,
    gone: IntArray,
    dt: float,
    rows: slice | None = None,
    margin: float = 0.0,
) -> IntArray:
    """Rows `(N,)` of the parts that bodies may touch in a tick, ascending.

    Args:
        scenery: what stands.
        bodies: writable, at the end of the tick; it is only read.
        gone: rows of the objects that have given way.
        dt: the tick [s].
        rows: of the bodies that are asked for; all if it is not given.
        margin: by which they count as larger [m].
    """
    if not scenery.parts.rows:
        return NO_PARTS
    found = np.empty(scenery.parts.rows + 1, np.int64)
    begin, end, _ = (rows or slice(None)).indices(bodies.rows)
    parts, gone = scenery.parts, read_only(gone)
    count = find_parts(
        bodies.floats, bodies.ints, begin, end, margin, dt, parts.floats, parts.ints, scenery.grid, gone, found
    )
    return found[: min(count, MAX_PARTS_IN_TICK)]


def is_near_scenery(scenery: Scenery, vehicle: VehicleState, parameter: VehicleParameter, dt: float) -> bool:
    """Whether a vehicle with full dynamics may touch a part in a tick [s]; quicker than `parts_near`."""
    parts = scenery.parts
    if not parts.rows:
        return False
    grid, sizes = scenery.grid, read_only(parameter.floats)
    if not may_be_near_part(vehicle.floats, sizes, dt, grid.clear, grid.corner):
        return False
    return bool(is_near_part(vehicle.floats, sizes, dt, parts.floats, grid))


def with_parts(bodies: BodyTable, scenery: Scenery, parts: IntArray, more: BodyTable | None = None) -> BodyTable:
    """The bodies, after them `more`, and then a body for each of some parts `(N,)`."""
    before = bodies if more is None else bodies.append(more)
    start, table = before.rows, scenery.parts
    made = before.append(BodyTable.zeros(len(parts)))
    made.x[start:], made.y[start:], made.z[start:] = table.x[parts], table.y[parts], table.z[parts]
    made.yaw[start:], made.half_length[start:] = table.yaw[parts], table.half_length[parts]
    made.half_width[start:], made.half_height[start:] = table.half_width[parts], table.half_height[parts]
    owner = table.object[parts]
    made.mass[start:] = scenery.objects.mass[owner]
    made.breakaway_speed[start:] = scenery.objects.breakaway_speed[owner]
    made.inertia[start:] = made.mass[start:] * GYRATION**2
    made.drag_factor[start:] = VEHICLE_DRAG_FACTOR
    made.id[start:], made.kind[start:] = -1 - owner, BodyKind.SCENERY
    return made


def around_people(scenery: Scenery, bodies: Bodies, draft: Draft) -> tuple[BodyTable, IntArray]:
    """The bodies that people look out for: those of actors and parts near people.

    Args:
        scenery: what stands.
        bodies: of all actors; those of people are written.
        draft: has the same actors.

    Returns:
        a table, and its rows `(N,)` that are no people, writable.
    """
    add_people(bodies, draft)
    gone = draft.displaced.object if draft.displaced.rows else NO_PARTS
    parts = parts_near(scenery, bodies.table, gone, 0.0, slice(bodies.person, bodies.obstacle), MAX_PEOPLE_REACH)
    if not len(parts):
        return bodies.table, bodies.other_than_people()
    table = with_parts(bodies.table, scenery, parts)
    return table, np.concatenate((bodies.other_than_people(), np.arange(bodies.scenery, table.rows)))


NO_PARTS = np.zeros(0, np.int64)
NO_PARTS.flags.writeable = False
