"""The models of all actors, in one list, and where each catalogue begins in it."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.mesh import Mesh
from dorosim.sensor.scene.actor.car import HATCHBACK, SEDAN, SUV, VAN, car_mesh
from dorosim.sensor.scene.actor.heavy import bus_mesh, robot_mesh, truck_mesh
from dorosim.sensor.scene.actor.obstacle import obstacle_mesh, puddle_mesh
from dorosim.sensor.scene.actor.person import phases_of
from dorosim.sensor.scene.archive import opened_archive
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.semantic import Semantic
from dorosim.world.environment.friction_area import MAP_OBJECT_MODELS
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.vehicle.model import VehicleModel

VEHICLE_FAMILIES: dict[str, tuple[Callable[[VehicleModel], Mesh], Semantic]] = {
    "sedan": (lambda model: car_mesh(model, SEDAN), Semantic.SEDAN),
    "hatchback": (lambda model: car_mesh(model, HATCHBACK), Semantic.SEDAN),
    "suv": (lambda model: car_mesh(model, SUV), Semantic.SUV),
    "van": (lambda model: car_mesh(model, VAN), Semantic.VAN),
    "bus": (bus_mesh, Semantic.BUS),
    "truck": (truck_mesh, Semantic.TRUCK),
    "robot": (robot_mesh, Semantic.VEHICLE),
}
"""How a vehicle of each category of the catalogue looks, and its class; another category looks like a sedan."""

_PERSON_LABEL = {
    "stroller": Semantic.STROLLER_PERSON,
    "scooter": Semantic.SCOOTER_PERSON,
    "bicycle": Semantic.BICYCLE_PERSON,
    "motorbike": Semantic.MOTORBIKE_PERSON,
}
_STANDING = frozenset({"bollard", "tree", "sign_stand"})
_MAP_OBJECT_MATERIAL = {"Puddle": Material.WATER, "Ice": Material.GLASS}


@dataclass(frozen=True, slots=True, eq=False)
class ActorModels:
    """The models of all actors.

    Attributes:
        meshes: each in the frame of its body: vehicles with the origin under the middle of the rear axle, all others
            in the middle of the base [m].
        centre, half_size: `(models, 3)` middle and half extents of the box of each [m].
        label: `(models,)` `Semantic` of each.
        vehicle: `(vehicle models,)` row of each.
        person: `(pedestrian models,)` row of the standing model of each; the phases of walking follow it.
        person_phases: `(pedestrian models,)` how many phases follow, 0 for those on wheels.
        person_height: `(pedestrian models,)` [m].
        obstacle: `(obstacle models,)` row of each.
        map_object: `(map object models,)` row of each, -1 for one that is not seen.
    """

    meshes: tuple[Mesh, ...]
    centre: NDArray[np.float64]
    half_size: NDArray[np.float64]
    label: NDArray[np.int64]
    vehicle: NDArray[np.int64]
    person: NDArray[np.int64]
    person_phases: NDArray[np.int64]
    person_height: NDArray[np.float64]
    obstacle: NDArray[np.int64]
    map_object: NDArray[np.int64]

    def to_bytes(self) -> bytes:
        """The models as bytes (numpy's npz), for a cache; nothing is rounded."""
        buffer = io.BytesIO()
        rest = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "meshes"}
        for part in fields(Mesh):
            pieces = [getattr(mesh, part.name) for mesh in self.meshes]
            rest[f"mesh_{part.name}"] = np.concatenate(pieces)
            rest[f"count_{part.name}"] = np.array([len(piece) for piece in pieces])
        np.savez(buffer, **rest)
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """The models from bytes.

        Raises:
            InputError: they are broken.
        """
        with opened_archive(content, "actor models") as file:
            columns = [
                np.split(file[f"mesh_{part.name}"], np.cumsum(file[f"count_{part.name}"])[:-1]) for part in fields(Mesh)
            ]
            meshes = tuple(Mesh(*parts) for parts in zip(*columns, strict=True))
            return cls(meshes, *(file[field.name] for field in fields(cls) if field.name != "meshes"))


class _Rows:
    """Models as they are collected."""

    def __init__(self) -> None:
        self.meshes: list[Mesh] = []
        self.box: list[tuple[float, ...]] = []
        self.label: list[int] = []

    def add(self, mesh: Mesh, low: Sequence[float], size: Sequence[float], label: Semantic) -> int:
        """Add a model whose box begins at `low` and has a size `(3,)` [m]; returns its row."""
        half = [0.5 * side for side in size]
        self.meshes.append(mesh)
        self.box.append((*(a + b for a, b in zip(low, half, strict=True)), *half))
        self.label.append(label)
        return len(self.meshes) - 1


def actor_models(vehicles: Sequence[VehicleModel]) -> ActorModels:
    """The models of vehicles, and of all pedestrians, obstacles and map objects of the catalogues."""
    rows = _Rows()
    vehicle = [_add_vehicle(rows, model) for model in vehicles]
    person, phases = [], []
    for one in PEDESTRIAN_MODELS:
        meshes = phases_of(one)
        phases.append(len(meshes) - 1)
        low, size = (-0.5 * one.length, -0.5 * one.width, 0.0), (one.length, one.width, one.height)
        label = _PERSON_LABEL.get(one.name, Semantic.PEDESTRIAN)
        person.append(rows.add(meshes[0], low, size, label))
        for mesh in meshes[1:]:
            rows.add(mesh, low, size, label)
    obstacle = []
    for thing in OBSTACLE_MODELS:
        low, size = (-0.5 * thing.length, -0.5 * thing.width, 0.0), (thing.length, thing.width, thing.height)
        label = Semantic.STANDING_OBJECT if thing.name in _STANDING else Semantic.OBJECT_ON_ROAD
        obstacle.append(rows.add(obstacle_mesh(thing), low, size, label))
    map_object = []
    for area in MAP_OBJECT_MODELS:
        material = _MAP_OBJECT_MATERIAL.get(area.name)
        row = -1
        if material is not None:
            row = rows.add(puddle_mesh(material), (-1.0, -1.0, 0.0), (2.0, 2.0, 1.0), Semantic.OBJECT_ON_ROAD)
        map_object.append(row)
    box = np.array(rows.box)
    return ActorModels(
        meshes=tuple(rows.meshes),
        centre=box[:, :3],
        half_size=box[:, 3:],
        label=np.array(rows.label, np.int64),
        vehicle=np.array(vehicle, np.int64),
        person=np.array(person, np.int64),
        person_phases=np.array(phases, np.int64),
        person_height=np.array([one.height for one in PEDESTRIAN_MODELS]),
        obstacle=np.array(obstacle, np.int64),
        map_object=np.array(map_object, np.int64),
    )


def _add_vehicle(rows: _Rows, model: VehicleModel) -> int:
    make, label = VEHICLE_FAMILIES.get(model.category, VEHICLE_FAMILIES["sedan"])
    low, size = (-model.rear_overhang, -0.5 * model.width, 0.0), (model.length, model.width, model.height)
    return rows.add(make(model), low, size, label)
