"""Whether there is room for an actor that comes into the world."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.road.scenery.table import ObjectKind
from dorosim.world.actor.body import bodies_of
from dorosim.world.collision.body import BodyKind, BodyTable
from dorosim.world.collision.impact import contacts_of
from dorosim.world.collision.scenery import NO_PARTS, parts_near
from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot


class Footprint(NamedTuple):
    """A box that stands on the ground: middle of its base in map [m], yaw [rad], length, width and height [m]."""

    x: float
    y: float
    z: float
    yaw: float
    length: float
    width: float
    height: float


def check_clear(scene: Scene, draft: Draft, kind: BodyKind, box: Footprint) -> None:
    """Refuse a command that would put an actor into another one, or into something solid beside the road.

    Raises:
        CommandError: it names what is there.
    """
    body = body_of(box)
    there = _scenery_in(scene, draft.displaced.object if draft.displaced.rows else NO_PARTS, body)
    actor = "" if there else actor_in(scene, draft, kind, body)
    if there or actor:
        place = f"({box.x:.2f}, {box.y:.2f})"
        raise CommandError(f"there is no room at {place}: {there or actor}; choose another place")


def blocked_egos(scene: Scene, first: Snapshot) -> Iterator[tuple[int, str]]:
    """Ego vehicles of a first snapshot that are inside something solid or one another, by row, and what is there."""
    vehicle, size = first.vehicle, first.parameter
    table = BodyTable.zeros(0)
    for row in range(vehicle.rows):
        yaw = float(vehicle.yaw[row])
        middle = 0.5 * float(size.wheelbase[row] + size.front_overhang[row] - size.rear_overhang[row])
        x, y = float(vehicle.x[row]) + middle * math.cos(yaw), float(vehicle.y[row]) + middle * math.sin(yaw)
        length, width, height = float(size.length[row]), float(size.width[row]), float(size.height[row])
        body = body_of(Footprint(x, y, float(vehicle.z[row]), yaw, length, width, height))
        there = _scenery_in(scene, NO_PARTS, body)
        if there:
            yield row, there
        table = table.append(body)
    if table.rows < 2:
        return  # a first start with one vehicle need not wait for the kernels of contacts
    met = contacts_of(table, 1.0)
    for row in range(met.rows):
        yield int(met.second[row]), f"ego vehicle {1 + int(met.first[row])} is there"


def body_of(box: Footprint) -> BodyTable:
    """A body that fills a box but for what only touches."""
    body = BodyTable.zeros(1)
    body.x[0], body.y[0], body.z[0], body.yaw[0] = box.x, box.y, box.z + 0.5 * box.height, box.yaw
    body.half_length[0], body.half_width[0], body.half_height[0] = (
        0.5 * np.array((box.length, box.width, box.height)) - _TOUCHING
    )
    body.movable[0] = body.mass[0] = 1
    return body


def _scenery_in(scene: Scene, gone: IntArray, body: BodyTable) -> str:
    """What stands where the one body of a table is, in words; an empty string for nothing."""
    if not scene.scenery.parts.rows:
        return ""
    found = parts_near(scene.scenery, body, gone, 0.0)
    if not len(found):
        return ""
    kind = ObjectKind(int(scene.scenery.objects.kind[scene.scenery.parts.object[found[0]]]))
    return f"a {kind.name.lower().replace('_', ' ')} stands there"


def actor_in(scene: Scene, draft: Draft, kind: BodyKind, body: BodyTable, *, on_lane: bool = True) -> str:
    """Which actor overlaps with the one body of a table, in words; an empty string for none.

    People in one place come apart by themselves (`dorosim.world.pedestrian.separation_kernel`).

    Args:
        scene: gives sizes.
        draft: gives the actors.
        kind: of the body.
        body: see `body_of`.
        on_lane: False leaves out NPC vehicles that drive on their lanes.
    """
    x, y = float(body.x[0]), float(body.y[0])
    obstacles = draft.obstacles.state
    reach = float(np.hypot(body.half_length[0], body.half_width[0]))
    near = (
        np.hypot(table.x - x, table.y - y) < reach + MAX_VEHICLE_REACH
        for table in (draft.vehicle, draft.traffic, draft.ghost, draft.people.state)
    )
    far = reach + 0.5 * np.hypot(obstacles.length, obstacles.width)
    if not any(found.any() for found in (*near, np.hypot(obstacles.x - x, obstacles.y - y) < far)):
        return ""
    draft.pack()
    bodies = bodies_of(scene, draft, on_lane=on_lane).table
    away = np.hypot(bodies.x - x, bodies.y - y) - np.hypot(bodies.half_length, bodies.half_width)
    others = bodies.take(np.flatnonzero(away <= reach))
    for column in (others.velocity_x, others.velocity_y, others.yaw_rate):
        column[:] = 0.0
    met = contacts_of(body.append(others), 1.0)
    mine = np.flatnonzero((met.first == 0) & ((met.second_kind != BodyKind.PEDESTRIAN) | (kind != BodyKind.PEDESTRIAN)))
    if not len(mine):
        return ""
    return f"{_NAMES[BodyKind(int(met.second_kind[mine[0]]))]} {met.second_id[mine[0]]} is there"


MAX_VEHICLE_REACH = 25.0
"""No vehicle and no person reaches farther than this from its origin [m]."""
_NAMES = {
    BodyKind.EGO: "vehicle",
    BodyKind.NPC: "NPC vehicle",
    BodyKind.GHOST: "ghost",
    BodyKind.PEDESTRIAN: "pedestrian",
    BodyKind.OBSTACLE: "obstacle",
}
_TOUCHING = 0.01
"""What only touches is not inside [m]."""
