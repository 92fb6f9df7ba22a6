"""Entities that the scenario does not make (ASAM OpenSCENARIO XML 1.3, ExternalObjectReference).

Such an entity is what bears its name in the world: a vehicle with full dynamics, a person or an obstacle that a client
has made and named. It is there as long as that is. Actions do not move it; conditions and positions see it where it is.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.placing import find_road
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.rows import EntityRow
from dorosim.world.snapshot import Snapshot

_NEAR = 1e-9


def mirror_external(frame: StoryboardFrame) -> None:
    """Put external entities where they are in the world; without a world they stay as they are."""
    world = frame.world
    if world is None:
        return
    for row, plan in zip(frame.entity, frame.program.entities, strict=True):
        if not plan.external:
            continue
        bearers = world.label.bearers_of(plan.external)
        there = _pose_of(world, bearers[0]) if bearers else None
        was, row.present = row.present, int(there is not None)
        if there is not None:
            _put(frame, row, there, known=bool(was))


def _pose_of(world: Snapshot, actor: int) -> tuple[float, float, float, float] | None:
    """x, y, z in map [m] and yaw [rad] of an actor, None where there is none."""
    tables: tuple[Any, ...] = (world.vehicle, world.people.state, world.obstacles.state)
    for table in tables:
        found = np.flatnonzero(table.id == actor)
        if len(found):
            row = int(found[0])
            return float(table.x[row]), float(table.y[row]), float(table.z[row]), float(table.yaw[row])
    return None


def _put(frame: StoryboardFrame, row: EntityRow, pose: tuple[float, float, float, float], *, known: bool) -> None:
    """Put an entity at a pose; its speed is that of the way since the last tick."""
    x, y, z, yaw = pose
    along = (x - row.x) * math.cos(yaw) + (y - row.y) * math.sin(yaw)
    row.speed = along / frame.dt if known and frame.dt > _NEAR else 0.0
    row.x, row.y, row.z, row.heading = x, y, z, yaw % math.tau
    row.free, row.placed = 1, int(not known)
    row.moved |= Domain.LONGITUDINAL | Domain.LATERAL
    find_road(frame.program.roads, row)
