"""Spawn points as gRPC clients make and change them, in SI; the world's own description is `dorosim.world.spawn.point`.

Both APIs describe a point by the same fields (documents/grpc-api-en.txt, SpawnPointInfo, PedestrianSpawnPointInfo;
facts/standard-api.json). A changed point keeps its id, its place and the count of actors that came from it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from dorosim.bridge.actor import Names
from dorosim.bridge.link import LinkPoint, LinkRows, nearest_place, place_of
from dorosim.bridge.npc import vehicle_to_make
from dorosim.ground.error import InputError
from dorosim.scenario.plan import LanePosition
from dorosim.world.command import Vector
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS, pedestrian_model_row
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.spawn.command import EnableSpawnPoints, SetPedestrianSpawnPoints, SetVehicleSpawnPoints
from dorosim.world.spawn.point import NO_LINK, RANDOM_MODEL, PedestrianSpawnPoint, VehicleSpawnPoint
from dorosim.world.spawn.table import pedestrian_points, vehicle_points
from dorosim.world.vehicle.catalogue import model_row

MAX_ENTRY_DISTANCE = 10.0
"""A point whose link is not named uses a lane this near [m], as in scenario files."""
_MAX_GOAL_DISTANCE = 50.0
"""Vehicles go to a destination object by the lane nearest to it, this near [m]."""
_SOURCE = "spawn point"
_NEW = 0
P = TypeVar("P", VehicleSpawnPoint, PedestrianSpawnPoint)
_NO_POINT = LinkPoint("")


class ModelChoice(NamedTuple):
    """Which model enters.

    Attributes:
        row: in its catalogue; RANDOM_MODEL: drawn for each; None: as the point has it.
        note: which model stands in for which, "" if it is the very one.
    """

    row: int | None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleSetting:
    """What a vehicle spawn point is to bring forth.

    Attributes:
        changes: fields of `VehicleSpawnPoint` by name, in SI; those that are not there stay.
        start: where vehicles enter; with no link, on the lane nearest to the point, or where they did.
        end: where they leave; with no link, at `destination`.
        destination: id of an obstacle, map object or spawn point near whose lane they leave, 0 for none.
    """

    changes: dict[str, Any]
    start: LinkPoint = _NO_POINT
    end: LinkPoint = _NO_POINT
    destination: int = 0


def vehicle_model(name: str) -> ModelChoice:
    """The vehicle model of a name: "" means that the point has its own; a likely one stands in for what is unknown."""
    if not name:
        return ModelChoice(None)
    there, note = vehicle_to_make(name)
    return ModelChoice(model_row(there), note)


def pedestrian_model(name: str, is_random: bool) -> ModelChoice:
    """The pedestrian model of a name; see `vehicle_model`. Drawn at random, whatever the name is, if that is asked."""
    if is_random:
        return ModelChoice(RANDOM_MODEL)
    if not name:
        return ModelChoice(None)
    row, exact = pedestrian_model_row(name)
    return ModelChoice(
        row, "" if exact else f"there is no pedestrian {name!r}; {PEDESTRIAN_MODELS[row].name!r} stands for it"
    )


def new_point(kind: type[P], position: Vector) -> P:
    """Returns a spawn point of vehicles or pedestrians at a position in the map [m], with default settings."""
    x, y, z = position
    return kind(id=_NEW, x=x, y=y, z=z)


def present_vehicle_point(now: Snapshot, names: Names, text: str) -> VehicleSpawnPoint:
    """A vehicle spawn point as it is now; its next period is drawn anew.

    Raises:
        InputError: there is none of this name.
    """
    (point,) = vehicle_points(_known(now, names, text, now.spawn.vehicle, "vehicles"), now.time)
    return replace(point, wait=float("nan"))


def present_pedestrian_point(now: Snapshot, names: Names, text: str) -> PedestrianSpawnPoint:
    """A pedestrian spawn point as it is now; see `present_vehicle_point`.

    Raises:
        InputError: there is none of this name.
    """
    known = _known(now, names, text, now.spawn.pedestrian, "pedestrians")
    (point,) = pedestrian_points(known, now.spawn.destination, now.time)
    return replace(point, wait=float("nan"))


def _known(now: Snapshot, names: Names, text: str, table: Any, whom: str) -> Any:
    """The table of one spawn point."""
    actor = names.actor_of(text)
    row = table.row_of(actor)
    if row < 0:
        if now.spawn.holds(actor):
            raise InputError(_SOURCE, "", f"{text!r} is a spawn point, but not of {whom}")
        raise InputError(_SOURCE, "", f"there is no spawn point {text!r}", "create it first")
    return table.take(np.array([row]))


def set_vehicle_point(
    scene: Scene, now: Snapshot, rows: LinkRows, point: VehicleSpawnPoint, setting: VehicleSetting
) -> SetVehicleSpawnPoints:
    """Makes or changes a vehicle spawn point.

    Args:
        scene: the map.
        now: says where destinations are.
        rows: finds links.
        point: as it is, or a new one.
        setting: what it is to bring forth.

    Raises:
        InputError: a link, a point of a link or the destination is not there, or no lane is near.
    """
    start = _entry(scene, rows, point, setting.start)
    end = place_of(scene.network, rows, setting.end) if setting.end.link else _goal(scene, now, setting.destination)
    made = replace(
        point,
        **setting.changes,
        start_link=start.link,
        start_s=start.s,
        end_link=NO_LINK if end is None else end.link,
        end_s=0.0 if end is None else end.s,
        destination=setting.destination or -1,
    )
    return SetVehicleSpawnPoints((made,))


def change_vehicle_point(point: VehicleSpawnPoint, model: ModelChoice, enabled: bool) -> VehicleSpawnPoint:
    """A point with another model, that spawns or rests."""
    return replace(point, enabled=enabled, model=point.model if model.row is None else model.row)


def change_pedestrian_point(
    point: PedestrianSpawnPoint, changes: dict[str, Any], model: ModelChoice, enabled: bool
) -> SetPedestrianSpawnPoints:
    """Makes or changes a pedestrian spawn point.

    Args:
        point: as it is, or a new one.
        changes: fields of `PedestrianSpawnPoint` by name, in SI.
        model: which one enters.
        enabled: whether it spawns.
    """
    made = replace(point, **changes, enabled=enabled, model=point.model if model.row is None else model.row)
    return SetPedestrianSpawnPoints((made,))


def _entry(scene: Scene, rows: LinkRows, point: VehicleSpawnPoint, start: LinkPoint) -> LanePosition:
    if start.link:
        return _drivable(scene, place_of(scene.network, rows, start))
    if point.start_link != NO_LINK:
        return LanePosition(point.start_link, point.start_s)
    place = nearest_place(scene.network, (point.x, point.y, point.z), MAX_ENTRY_DISTANCE)
    if place is None:
        raise InputError(
            _SOURCE,
            "",
            f"no lane is within {MAX_ENTRY_DISTANCE:g} m of {point.x:g}, {point.y:g}",
            "name the link of the start",
        )
    return place


def _drivable(scene: Scene, place: LanePosition) -> LanePosition:
    if not scene.network.link_drivable[place.link]:
        raise InputError(_SOURCE, "", f"link {scene.network.link_ids[place.link]} is not for vehicles")
    return place


def _goal(scene: Scene, now: Snapshot, destination: int) -> LanePosition | None:
    """The place of a destination object's lane; None where no object is named."""
    if destination <= 0:
        return None
    for table in (now.obstacles.state, now.friction.objects, now.spawn.vehicle, now.spawn.pedestrian):
        row = table.row_of(destination)
        if row >= 0:
            where = (float(table.x[row]), float(table.y[row]), float(table.z[row]))
            place = nearest_place(scene.network, where, _MAX_GOAL_DISTANCE)
            if place is None:
                problem = f"no lane is within {_MAX_GOAL_DISTANCE:g} m of destination {destination}"
                raise InputError(_SOURCE, "", problem)
            return place
    raise InputError(
        _SOURCE, "", f"there is no destination {destination}", "give the id of an obstacle, map object or spawn point"
    )


def enable_point(now: Snapshot, names: Names, text: str, enabled: bool) -> EnableSpawnPoints:
    """Lets a spawn point of either kind spawn, or rest.

    Raises:
        InputError: there is none of this name.
    """
    actor = names.actor_of(text)
    if not now.spawn.holds(actor):
        raise InputError(_SOURCE, "", f"there is no spawn point {text!r}")
    return EnableSpawnPoints(enabled, (actor,))
