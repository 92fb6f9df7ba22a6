"""Meshes in Embree, and what is placed where: all that rays can hit, whatever it stands for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.mesh import Mesh
from dorosim.sensor.scene.embree import InstancedScene, query_arguments
from dorosim.sensor.scene.embree_kernel import place_instances
from dorosim.sensor.scene.instance import SOURCE_COLUMNS, Placement, View
from dorosim.sensor.scene.material import PAINTS, MaterialTable

FIRST_CAPACITY = 256
"""Instances that there is room for at the start; it doubles."""


class _Held:
    """Numbers that keep an owner: an array made of them refers to it, and to nothing that a kernel has to know."""

    def __init__(self, numbers: NDArray[np.uint64], owner: object) -> None:
        self.__array_interface__ = numbers.__array_interface__
        self._kept = numbers, owner


class _SceneOfModels(InstancedScene):
    """Builds each model when it is first placed: few of two hundred are in a run, and all take a second and a half."""

    def __init__(self, meshes: Sequence[Mesh], capacity: int) -> None:
        super().__init__([meshes[0], *(Mesh.empty() for _ in meshes[1:])], capacity)
        self._waiting = dict(enumerate(meshes[1:], start=1))

    def built(self, models: NDArray[np.int64]) -> NDArray[np.int64]:
        """The same rows of models, which are there from now on."""
        for row in self._waiting.keys() & set(models.tolist()):
            self.model[row] = self._new_model(self._waiting.pop(row))
        self._check()
        return models


class EmbreeScene:
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
        self._whole = meshes[0]
        self._vertex, self._face = meshes[0].vertices.astype(np.float32), meshes[0].faces
        self._embree = _SceneOfModels(meshes, FIRST_CAPACITY)
        self._coherent, self._scattered = query_arguments(coherent=True), query_arguments(coherent=False)
        self._first = np.cumsum([0] + [len(mesh.faces) for mesh in meshes])[:-1].astype(np.int64)
        self._material = np.concatenate([mesh.material for mesh in meshes])
        bounds = np.array([mesh.bounds for mesh in meshes])
        self._centre = (0.5 * (bounds[:, 0] + bounds[:, 1])).astype(np.float32)
        self._half_size = (0.5 * (bounds[:, 1] - bounds[:, 0])).astype(np.float32)
        self._model_ball = np.concatenate((self._centre, np.linalg.norm(self._half_size, axis=1)[:, None]), axis=1)
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
        self._ball = np.zeros((capacity, 4), np.float32)
        self._shown = np.full(capacity, -1, np.int64)
        self._masked = np.full(capacity, -1, np.int64)
        self._actor, self._label, self._lamp = (np.zeros(capacity, np.int64) for _ in range(3))
        self._label[0] = -1
        self._paint = np.full((capacity, PAINTS, 3), 0.5, np.float32)

    def hide(self, faces: Sequence[tuple[int, int]]) -> None:
        """Leave out faces of the static world, from a first to before a last; all others are there. Builds it anew."""
        face = self._whole.faces.copy()
        for first, last in faces:
            face[first:last] = face[first, 0]  # triangles without area are never hit
        self._embree.replace_first(Mesh(self._whole.vertices, face, self._whole.material))

    def place(self, placement: Placement) -> View:
        """Put instances where they are now, and all others away."""
        count = len(placement.model)
        rows = count + 1
        if rows > len(self._shown):
            capacity = max(rows, 2 * len(self._shown))
            self._embree.grow(capacity)
            self._make_rows(capacity)
        model = self._embree.built(placement.model + 1)
        place_instances(
            self._embree.top,
            self._embree.geometry,
            self._embree.model,
            self._shown,
            model,
            self._masked,
            np.ascontiguousarray(placement.actor if placement.mask is None else placement.mask),
            self._placed,
            placement.pose,
            self.origin,
            self._transform,
            self._normal,
            self._model_ball,
            self._ball,
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
            static=self._embree.static,
            top=self._embree.top if count else 0,
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
            ball=self._ball[:rows],
            centre=self._centre[shown],
            half_size=self._half_size[shown],
            first_face=self._first[shown],
            vertex=self._vertex,
            face=self._face,
            material=self._material,
            albedo=self.materials.albedo,
            emission=self.materials.emission,
            reflectivity=self.materials.reflectivity,
            semantic=self.materials.semantic,
            fixed_light=_DARK,
            moving_light=_DARK,
        )


_STATIC = np.zeros(1, np.int64)
_DARK = np.zeros((0, SOURCE_COLUMNS), np.float32)
