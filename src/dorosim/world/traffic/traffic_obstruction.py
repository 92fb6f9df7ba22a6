"""The obstructions on the lanes at one moment of a tick."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dorosim.ground.column import holds
from dorosim.world.actor.body import bodies_of
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene
from dorosim.world.traffic.obstruction import obstructions_of_bodies
from dorosim.world.traffic.state import Obstruction
from dorosim.world.vehicle.mode import ControlMode

NO_OBSTRUCTION = Obstruction.zeros(0).freeze()
_CRUISE = int(ControlMode.CRUISE)


def obstructions_in(scene: Scene, draft: Draft) -> Obstruction:
    """Egos, ghosts, people, obstacles, vehicles off their lanes; a cruising ego counts as its plan, a row of traffic.

    Args:
        scene: gives the lanes and sizes.
        draft: gives the actors that are there; packed.
    """
    own: Sequence[int] = range(len(draft.egos))
    if holds(draft.vehicle.control_mode, _CRUISE):
        planned = set(draft.traffic.id[draft.traffic.plan_of_ego.nonzero()[0]].tolist())
        own = [row for row, actor in enumerate(draft.egos) if actor not in planned]
    if not own and draft.has_nobody_off_lanes():
        return NO_OBSTRUCTION
    table = bodies_of(scene, draft, on_lane=False).table
    rows = np.array([*own, *range(len(draft.egos), len(table))], np.int64)
    return obstructions_of_bodies(scene.traffic_plan, table, rows)
