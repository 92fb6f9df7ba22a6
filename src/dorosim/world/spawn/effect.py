"""What commands about spawn points do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dorosim.ground.error import InputError
from dorosim.world.actor.effect import forget
from dorosim.world.draft import Draft
from dorosim.world.effect_common import ALL_IDS_GIVEN
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


def set_vehicle_spawn_points(scene: Scene, draft: Draft, command: SetVehicleSpawnPoints) -> str:
    points: list[VehicleSpawnPoint] = []
    for number, point in enumerate(command.points):
        for name in ("start_link", "end_link"):
            if not NO_LINK <= getattr(point, name) < scene.network.link_count:
                return f"points[{number}].{name}: the map has no link {getattr(point, name)}"
        if not -1 <= point.model < len(scene.models):
            return f"points[{number}].model: there are models 0 to {len(scene.models) - 1}, not {point.model}"
        points.append(point)
    checked = _checked(draft, points, draft.spawn.vehicle)
    if isinstance(checked, str):
        return checked
    draft.spawn = draft.spawn.with_vehicles(checked, draft.time)
    return ""


def set_pedestrian_spawn_points(_: Scene, draft: Draft, command: SetPedestrianSpawnPoints) -> str:
    for number, point in enumerate(command.points):
        if not -1 <= point.model < len(PEDESTRIAN_MODELS):
            return f"points[{number}].model: there are models 0 to {len(PEDESTRIAN_MODELS) - 1}, not {point.model}"
    checked = _checked(draft, list(command.points), draft.spawn.pedestrian)
    if isinstance(checked, str):
        return checked
    draft.spawn = draft.spawn.with_pedestrians(checked, draft.time)
    return ""


def _checked(draft: Draft, points: list[Any], known: VehicleSpawnTable | PedestrianSpawnTable) -> list[Any] | str:
    """Returns the points, each with an id; or why one of them cannot be used, and then no id is used up.

    Args:
        draft: gives ids.
        points: as the command gives them.
        known: the points of their kind that exist; a point may give only one of their ids, or 0.
    """
    usable: list[VehicleSpawnPoint | PedestrianSpawnPoint] = []
    for number, point in enumerate(points):
        try:
            usable.append(checked_point(point, "spawn point", f"points[{number}]"))
        except InputError as error:
            return f"{error.place}: {error.problem}"
        if point.id and any(one.id == point.id for one in usable[:-1]):
            return f"points[{number}].id: there are two points {point.id}"
        if point.id and known.row_of(point.id) < 0:
            return f"points[{number}].id: there is no such spawn point {point.id}; give 0 for a new one"
    last = draft.last_id
    found = [replace(point, id=point.id or draft.new_id()) for point in usable]
    if not all(point.id for point in found):
        draft.take_back(last)
        return ALL_IDS_GIVEN
    return found


def enable_spawn_points(_: Scene, draft: Draft, command: EnableSpawnPoints) -> str:
    problem = _unknown_point(draft, command.ids)
    if problem:
        return problem
    draft.spawn = draft.spawn.enabled(command.ids or draft.spawn.ids(), command.enabled)
    return ""


def remove_spawn_points(_: Scene, draft: Draft, command: RemoveSpawnPoints) -> str:
    problem = _unknown_point(draft, command.ids)
    if problem:
        return problem
    gone = command.ids or tuple(sorted(draft.spawn.ids()))
    draft.spawn = draft.spawn.without(gone)
    forget(draft, gone)
    return ""


def _unknown_point(draft: Draft, ids: tuple[int, ...]) -> str:
    """Why the ids cannot be used, where one of them is no spawn point's; else an empty string."""
    unknown = [point for point in ids if not draft.spawn.holds(point)]
    return f"no spawn point {unknown[0]}" if unknown else ""
