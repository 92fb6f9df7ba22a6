"""What a vehicle touches, as messages report it: actors where they are, scenery where it is touched."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.world.actor.neighbour import neighbours_of
from dorosim.world.actor.neighbour_state import NeighbourState
from dorosim.world.actor.number import LAST_NUMBER
from dorosim.world.collision.body import BodyKind
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot


def touched_of(
    scene: Scene, now: Snapshot, actor: int, most: int, among: IntArray, *, itself: bool = False
) -> NeighbourState:
    """The actors and the objects of the scenery among some that touch, nearest to a vehicle first.

    An object of the scenery has the type of obstacles, the place of the contact that is nearest to the vehicle, and a
    negative id (docs/decisions/0049-what-stands-has-negative-ids.md).

    Args:
        scene: gives sizes and lanes.
        now: the snapshot.
        actor: id of a vehicle with full dynamics.
        most: how many at most.
        among: `(n,)` ids to choose from.
        itself: whether the vehicle itself may be in the table, too.
    """
    objects = among[among < 0]
    found = neighbours_of(scene, now, actor, most, among[among > 0], itself=itself)
    if not len(objects):
        return found
    row = now.row_of(actor)
    place = np.array([now.vehicle.x[row], now.vehicle.y[row], now.vehicle.z[row]])
    both = found.append(_touched_objects(scene, now, objects, place))
    away = np.sqrt(sum((column - axis) ** 2 for column, axis in zip((both.x, both.y, both.z), place, strict=True)))
    return both.take(np.argsort(away, kind="stable")[:most])


def _touched_objects(scene: Scene, now: Snapshot, objects: IntArray, place: np.ndarray) -> NeighbourState:
    """A row for each object `(n,)`, given by ids; `place` is that of the vehicle `(3,)` in map [m]."""
    contact, table = now.contact, scene.scenery.objects
    away = np.hypot(contact.x - place[0], contact.y - place[1])
    rows = []
    for number in objects.tolist():
        mine = np.flatnonzero((contact.first_id == number) | (contact.second_id == number))
        rows.append(int(mine[away[mine].argmin()]))
    made, owner = NeighbourState.zeros(len(objects)), -1 - objects
    made.x[:], made.y[:], made.z[:] = contact.x[rows], contact.y[rows], contact.z[rows]
    made.heading[:] = table.heading[owner]
    made.length[:], made.width[:], made.height[:] = table.length[owner], table.width[owner], table.height[owner]
    made.id[:] = made.told[:] = objects
    # a message with an int16 has no room for more
    made.number[:] = np.maximum(objects, -LAST_NUMBER - 1)
    made.kind[:], made.model[:], made.link[:] = BodyKind.SCENERY, table.kind[owner], -1
    return made
