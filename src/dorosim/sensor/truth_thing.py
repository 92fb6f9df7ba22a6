"""What ground truth reports besides actors with bodies, where its filter names such kinds.

The list of kinds is GTObstacleObjType, which both gRPC documents share. Spawn points, areas without satellite reception
and map objects are in the Snapshot. A moving obstacle is reported as a moving object where the filter names that kind.
Of the other kinds (extra obstacles, points of a destination or on the way to it) dorosim has none, so naming them adds
nothing (docs/decisions/0037-kinds-that-ground-truth-can-name.md).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.world.collision.body import BodyKind
from dorosim.world.environment.friction_area import MAP_OBJECT_MODELS, MapObjectTable
from dorosim.world.environment.gnss_denied_area import ShadeTable
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.scene import Scene
from dorosim.world.snapshot import NO_ACTOR, Snapshot
from dorosim.world.spawn.table import PedestrianSpawnTable, VehicleSpawnTable

SPAWN_POINT, MOVING_OBJECT, PEDESTRIAN_SPAWN_POINT, SHADED_AREA, MAP_OBJECT = 5, 6, 11, 12, 13
"""GTObstacleObjType."""
RANDOM = -1


class Things(NamedTuple):
    """Things without a body, one row each, in the order of their kinds and ids.

    Attributes:
        id: `(N,)` actor id. kind: `(N,)` GTObstacleObjType. name: of each model, "" for a random one.
        position: `(N, 3)` in map [m]. heading: `(N,)` [rad]. size: `(N, 3)` length, width, height [m].
    """

    id: IntArray
    kind: IntArray
    name: tuple[str, ...]
    position: FloatArray
    heading: FloatArray
    size: FloatArray


def things_of(scene: Scene, now: Snapshot, kinds: Collection[int]) -> Things | None:
    """The things of some kinds (GTObstacleObjType), None where there are none."""
    found: list[Things] = []
    if SPAWN_POINT in kinds and now.spawn.vehicle.rows:
        found.append(_points(now.spawn.vehicle, SPAWN_POINT, [model.name for model in scene.models]))
    if PEDESTRIAN_SPAWN_POINT in kinds and now.spawn.pedestrian.rows:
        models = [model.name for model in PEDESTRIAN_MODELS]
        found.append(_points(now.spawn.pedestrian, PEDESTRIAN_SPAWN_POINT, models))
    if SHADED_AREA in kinds and now.shade.rows:
        shade = now.shade
        size = np.column_stack((shade.length, shade.width, shade.height))
        names = tuple(f"shaded area {alias}" for alias in shade.alias.tolist())
        found.append(_things(np.full(shade.rows, NO_ACTOR), SHADED_AREA, names, shade, size))
    if MAP_OBJECT in kinds and now.friction.objects.rows:
        objects = now.friction.objects
        size = np.column_stack((2.0 * objects.vertical_radius, 2.0 * objects.horizontal_radius, objects.height))
        names = tuple(MAP_OBJECT_MODELS[model].name for model in objects.model.tolist())
        found.append(_things(objects.id, MAP_OBJECT, names, objects, size))
    if not found:
        return None
    return Things(
        id=np.concatenate([one.id for one in found]),
        kind=np.concatenate([one.kind for one in found]),
        name=tuple(name for one in found for name in one.name),
        position=np.concatenate([one.position for one in found]),
        heading=np.concatenate([one.heading for one in found]),
        size=np.concatenate([one.size for one in found]),
    )


_Placed = VehicleSpawnTable | PedestrianSpawnTable | ShadeTable | MapObjectTable


def _points(table: VehicleSpawnTable | PedestrianSpawnTable, kind: int, models: list[str]) -> Things:
    """Spawn points, which have no size."""
    names = tuple("" if model == RANDOM else models[model] for model in table.model.tolist())
    return _things(table.id, kind, names, table, np.zeros((table.rows, 3)))


def _things(actor: IntArray, kind: int, names: tuple[str, ...], table: _Placed, size: FloatArray) -> Things:
    position = np.column_stack((table.x, table.y, table.z))
    return Things(actor, np.full(table.rows, kind), names, position, table.yaw.copy(), size)


def moving_obstacles(now: Snapshot, kind: IntArray) -> IntArray:
    """Rows of obstacles that are on the move, in a table of actors.

    Args:
        now: the snapshot of the table.
        kind: `(N,)` `BodyKind` of its rows; obstacles stand in the order of their ids.
    """
    state = now.obstacles.state
    moves = (state.velocity_x != 0.0) | (state.velocity_y != 0.0) | (state.velocity_z != 0.0) | (state.yaw_rate != 0.0)
    rows: IntArray = np.flatnonzero(kind == BodyKind.OBSTACLE)[moves]
    return rows
