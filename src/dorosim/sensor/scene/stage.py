"""Meshes in Embree, and what is placed where: all that rays can hit, whatever it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.scene.embree import InstancedScene, query_arguments
from dorosim.sensor.scene.embree_kernel import place_instances
from dorosim.sensor.scene.material import PAINTS, MaterialTable
from dorosim.sensor.scene.mesh import Mesh

FIRST_CAPACITY = 256
"""Instances that there is room for at the start; it doubles."""


class View(NamedTuple):
    """The scene at one tick, as kernels see it: valid until the next update, which writes into the same arrays.

    It keeps its stage, so that what `top` and the others stand for lives as long as it does.

    Row 0 of the instances is the static world, further rows are actors in the order of their kinds and ids.

    Attributes:
        top: the Embree scene. arguments, scattered: arguments of queries, for packets whose rays go about the same
            way, and for others.
        origin: `(3,)` the scene's origin in map [m]: subtract it in float64 before a ray is cast in float32.
        transform: `(A, 3, 4)` float32 local-from-model; local is the map moved by `origin`.
        normal: `(A, 3, 3)` float32, turns (unnormalised) normals of models into the map.
        model: `(A,)` uint64 the Embree scene of the instance's model alone, in the frame of the model.
        actor: `(A,)` id of the actor, 0 for the static world.
        label: `(A,)` `Semantic`, -1 where each material has its own.
        lamp: `(A,)` bits of lit lamps, see `material.Lamp`.
        paint: `(A, 2, 3)` float32 linear colours of materials below `material.PAINTS`.
        centre, half_size: `(A, 3)` float32 middle and half extents of the body's box in the frame of the model [m],
            before the scale that `transform` may hold.
        first_face: `(A,)` where the faces of the instance's model begin in `material`.
        material: `(F,)` uint16 of each face.
        albedo, emission: `(M, 3)` float32 linear colours of each material. reflectivity: `(M,)` float32 for lidars.
        semantic: `(M,)` class of each material.
    """

    top: int
    arguments: int
    scattered: int
    origin: NDArray[np.float64]
    transform: NDArray[np.float32]
    normal: NDArray[np.float32]
    model: NDArray[np.uint64]
    actor: NDArray[np.int64]
    label: NDArray[np.int64]
    lamp: NDArray[np.int64]
    paint: NDArray[np.float32]
    centre: NDArray[np.float32]
    half_size: NDArray[np.float32]
    first_face: NDArray[np.int64]
    material: NDArray[np.uint16]
    albedo: NDArray[np.float32]
    emission: NDArray[np.float32]
    reflectivity: NDArray[np.float32]
    semantic: NDArray[np.int64]


@dataclass(slots=True, eq=False)
class Placement:
    """Which models stand where; one row each.

    Attributes:
        model: `(N,)` row of the models, 0 for the first after the static world.
        pose: `(N, 3, 4)` map-from-model [m]; may scale.
        actor, label, lamp: `(N,)` as of `View`. paint: `(N, 2, 3)` linear colours.
    """

    model: NDArray[np.int64]
    pose: NDArray[np.float64]
    actor: NDArray[np.int64]
    label: NDArray[np.int64]
    lamp: NDArray[np.int64]
    paint: NDArray[np.float32]

    @classmethod
    def zeros(cls, rows: int) -> Placement:
        """Instances of model 0 that stand at the map's origin."""
        pose = np.zeros((rows, 3, 4))
        pose[:, [0, 1, 2], [0, 1, 2]] = 1.0
        whole = np.zeros((4, rows), np.int64)
        return cls(whole[0], pose, whole[1], whole[2], whole[3], np.full((rows, PAINTS, 3), 0.5, np.float32))


class _Held:
    """Numbers that keep an owner: an array made of them refers to it, and to nothing that a kernel has to know."""

    def __init__(self, numbers: NDArray[np.uint64], owner: object) -> None:
        self.__array_interface__ = numbers.__array_interface__
        self._kept = numbers, owner


class Stage:
    """The static world and the models in Embree, with a pool of instances."""

    def __init__(
        self,
        static: Mesh,
        models: Sequence[Mesh],
        materials: MaterialTable,
        boxes: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
    ) -> None:
        """Build the scene.

        Args:
            static: the static world in map [m].
            models: each in the frame of its body [m].
            materials: of all of them.
            boxes: `(models, 3)` middles and half extents of the bodies of the models [m]; None takes their bounds.
        """
        low, high = static.bounds
        self.origin = np.round(0.5 * (low + high))
        meshes = [static.moved(-self.origin), *models]
        self._embree = InstancedScene(meshes, FIRST_CAPACITY)
        self._coherent, self._scattered = query_arguments(coherent=True), query_arguments(coherent=False)
        self._first = np.cumsum([0] + [len(mesh.faces) for mesh in meshes])[:-1].astype(np.int64)
        self._material = np.concatenate([mesh.material for mesh in meshes])
        bounds = np.array([mesh.bounds for mesh in meshes])
        self._centre = (0.5 * (bounds[:, 0] + bounds[:, 1])).astype(np.float32)
        self._half_size = (0.5 * (bounds[:, 1] - bounds[:, 0])).astype(np.float32)
        if boxes is not None:
            self._centre[1:], self._half_size[1:] = boxes
        self.materials = materials
        self._placed = 0
        self._make_rows(FIRST_CAPACITY)

    def _make_rows(self, capacity: int) -> None:
        """Make room in the arrays of instances; what was placed is placed anew afterwards."""
        self._transform = np.zeros((capacity, 3, 4), np.float32)
        self._transform[:, [0, 1, 2], [0, 1, 2]] = 1.0
        self._normal = np.ascontiguousarray(self._transform[:, :, :3])
        self._shown = np.full(capacity, -1, np.int64)
        self._masked = np.full(capacity, -1, np.int64)
        self._actor, self._label, self._lamp = (np.zeros(capacity, np.int64) for _ in range(3))
        self._label[0] = -1
        self._paint = np.full((capacity, PAINTS, 3), 0.5, np.float32)

    def place(self, placement: Placement) -> View:
        """Put instances where they are now, and all others away."""
        count = len(placement.model)
        rows = count + 1
        if rows > len(self._shown):
            capacity = max(rows, 2 * len(self._shown))
            self._embree.grow(capacity)
            self._make_rows(capacity)
        model = placement.model + 1
        place_instances(
            self._embree.top,
            self._embree.geometry,
            self._embree.model,
            self._shown,
            model,
            self._masked,
            np.ascontiguousarray(placement.actor),
            self._placed,
            placement.pose,
            self.origin,
            self._transform,
            self._normal,
        )
        self._placed = count
        for column, values in (
            (self._actor, placement.actor),
            (self._label, placement.label),
            (self._lamp, placement.lamp),
            (self._paint, placement.paint),
        ):
            column[1:rows] = values
        shown = np.concatenate((_STATIC, model))
        return View(
            top=self._embree.top,
            arguments=self._coherent.ctypes.data,
            scattered=self._scattered.ctypes.data,
            origin=self.origin,
            transform=self._transform[:rows],
            normal=self._normal[:rows],
            model=np.asarray(_Held(self._embree.model[shown], self)),
            actor=self._actor[:rows],
            label=self._label[:rows],
            lamp=self._lamp[:rows],
            paint=self._paint[:rows],
            centre=self._centre[shown],
            half_size=self._half_size[shown],
            first_face=self._first[shown],
            material=self._material,
            albedo=self.materials.albedo,
            emission=self.materials.emission,
            reflectivity=self.materials.reflectivity,
            semantic=self.materials.semantic,
        )


_STATIC = np.zeros(1, np.int64)
