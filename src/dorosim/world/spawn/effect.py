"""What commands about spawn points do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dorosim.world.actor.effect import forget
from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.effect_common import new_id, refusing_input
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.scene import Scene
from dorosim.world.spawn.command import (
    EnableSpawnPoints,
    RemoveSpawnPoints,
    SetPedestrianSpawnPoints,
    SetVehicleSpawnPoints,
)
from dorosim.world.spawn.point import NO_LINK, PedestrianSpawnPoint, VehicleSpawnPoint, checked_point
from dorosim.world.spawn.table import PedestrianSpawnTable, VehicleSpawnTable


def set_vehicle_spawn_points(scene: Scene, draft: Draft, command: SetVehicleSpawnPoints) -> None:
    for number, point in enumerate(command.points):
        for name in ("start_link", "end_link"):
            if not NO_LINK <= getattr(point, name) < scene.network.link_count:
                raise CommandError(f"points[{number}].{name}: the map has no link {getattr(point, name)}")
        _check_model(number, point.model, len(scene.models))
    points = _checked(draft, command.points, draft.spawn.vehicle)
    draft.spawn = draft.spawn.with_vehicles(points, draft.time)


def set_pedestrian_spawn_points(_: Scene, draft: Draft, command: SetPedestrianSpawnPoints) -> None:
    for number, point in enumerate(command.points):
        _check_model(number, point.model, len(PEDESTRIAN_MODELS))
    points = _checked(draft, command.points, draft.spawn.pedestrian)
    draft.spawn = draft.spawn.with_pedestrians(points, draft.time)


def _check_model(number: int, model: int, models: int) -> None:
    if not -1 <= model < models:
        raise CommandError(f"points[{number}].model: there are models 0 to {models - 1}, not {model}")


def _checked(draft: Draft, points: Sequence[Any], known: VehicleSpawnTable | PedestrianSpawnTable) -> list[Any]:
    """Returns the points, each with an id; a command with one that cannot be used is refused, and no id is used up.

    Args:
        draft: gives ids.
        points: as the command gives them.
        known: the points of their kind that exist; a point may give only one of their ids, or 0.
    """
    usable: list[VehicleSpawnPoint | PedestrianSpawnPoint] = []
    for number, point in enumerate(points):
        with refusing_input():
            usable.append(checked_point(point, "spawn point", f"points[{number}]"))
        if point.id and any(one.id == point.id for one in usable[:-1]):
            raise CommandError(f"points[{number}].id: there are two points {point.id}")
        if point.id and known.row_of(point.id) < 0:
            raise CommandError(f"points[{number}].id: there is no such spawn point {point.id}; give 0 for a new one")
    last = draft.last_id
    try:
        return [replace(point, id=point.id or new_id(draft)) for point in usable]
    except CommandError:
        draft.take_back(last)
        raise


def enable_spawn_points(_: Scene, draft: Draft, command: EnableSpawnPoints) -> None:
    _check_known(draft, command.ids)
    draft.spawn = draft.spawn.enabled(command.ids or draft.spawn.ids(), command.enabled)


def remove_spawn_points(_: Scene, draft: Draft, command: RemoveSpawnPoints) -> None:
    _check_known(draft, command.ids)
    gone = command.ids or tuple(sorted(draft.spawn.ids()))
    draft.spawn = draft.spawn.without(gone)
    forget(draft, gone)


def _check_known(draft: Draft, ids: tuple[int, ...]) -> None:
    """Refuse ids of which one is no spawn point's."""
    for point in ids:
        if not draft.spawn.holds(point):
            raise CommandError(f"no spawn point {point}")
