"""Whether there is room for an actor that comes into the world."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dorosim.road.scenery.table import ObjectKind
from dorosim.world.collision.body import BodyTable
from dorosim.world.collision.scenery import NO_PARTS, parts_near
from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene


class Footprint(NamedTuple):
    """A box that stands on the ground: middle of its base in map [m], yaw [rad], length, width and height [m]."""

    x: float
    y: float
    z: float
    yaw: float
    length: float
    width: float
    height: float


def check_clear(scene: Scene, draft: Draft, box: Footprint) -> None:
    """Refuse a command that would put an actor into something solid beside the road.

    Raises:
        CommandError: it names what stands there.
    """
    if not scene.scenery.parts.rows:
        return
    body = BodyTable.zeros(1)
    body.x[0], body.y[0], body.z[0], body.yaw[0] = box.x, box.y, box.z + 0.5 * box.height, box.yaw
    body.half_length[0], body.half_width[0], body.half_height[0] = (
        0.5 * np.array((box.length, box.width, box.height)) - _TOUCHING
    )
    gone = draft.displaced.rows_in() if draft.displaced.rows else NO_PARTS
    found = parts_near(scene.scenery, body, gone, 0.0)
    if len(found):
        kind = ObjectKind(int(scene.scenery.objects.kind[scene.scenery.parts.object[found[0]]])).name.lower()
        place = f"({box.x:.2f}, {box.y:.2f})"
        raise CommandError(f"there is no room at {place}: a {kind} stands there; choose another place")


_TOUCHING = 0.01
"""What only touches is not inside [m]."""
