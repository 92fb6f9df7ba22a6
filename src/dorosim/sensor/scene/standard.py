"""The standard scene of the bench: 100,000 triangles that stand still, 100 vehicles that move."""

from __future__ import annotations

import numpy as np

from dorosim.ground.mesh import Mesh, box_mesh
from dorosim.ground.noise import Noise
from dorosim.sensor.scene.actor.catalogue import actor_models
from dorosim.sensor.scene.instance import Placement
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.view import SensorScene
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS

TRIANGLES, ACTORS = 100_000, 100
_HALF = 200.0
"""The scene is a square of twice this [m]."""
_SQUARES = 200
_STREET = 8.0
"""Half the width of the cross of streets, where vehicles drive [m]."""
_ROBOT = "robot"


def standard_static(seed: int = 0) -> Mesh:
    """Rolling ground and blocks beside a cross of streets: `TRIANGLES` triangles."""
    line = np.linspace(-_HALF, _HALF, _SQUARES + 1)
    x, y = (part.ravel() for part in np.meshgrid(line, line, indexing="ij"))
    off = np.minimum(np.abs(x), np.abs(y))
    z = np.where(off > _STREET, 0.3 * np.sin(x / 9.0) * np.cos(y / 11.0), 0.0)
    index = np.arange((_SQUARES + 1) ** 2).reshape(_SQUARES + 1, _SQUARES + 1)
    a, b, c, d = index[:-1, :-1].ravel(), index[1:, :-1].ravel(), index[1:, 1:].ravel(), index[:-1, 1:].ravel()
    faces = np.concatenate((np.column_stack((a, b, c)), np.column_stack((a, c, d))))
    middle = x[faces].mean(axis=1), y[faces].mean(axis=1)
    street = np.minimum(np.abs(middle[0]), np.abs(middle[1])) < _STREET
    ground = Mesh.of(np.column_stack((x, y, z)), faces, np.where(street, Material.ASPHALT, Material.GRASS))
    blocks = (TRIANGLES - len(faces)) // 12
    random = Noise(seed).stream("standard scene")
    place = random.uniform(_STREET + 6.0, _HALF, (blocks, 2)) * random.choice((-1.0, 1.0), (blocks, 2))
    size = random.uniform((0.3, 0.3, 0.5), (4.0, 4.0, 8.0), (blocks, 3))
    boxes = [
        box_mesh(half, Material.FACADE, (px, py, half[2]))
        for (px, py), half in zip(place.tolist(), size.tolist(), strict=True)
    ]
    filler = box_mesh((0.1, 0.1, 0.1), Material.STONE, (_STREET, _STREET, 0.1))
    rest = TRIANGLES - len(faces) - 12 * blocks
    filler = Mesh(filler.vertices, filler.faces[:rest], filler.material[:rest])
    return Mesh.joined([ground, *boxes, filler])


class StandardScene:
    """The standard scene at any time: vehicles go round on four lanes of two crossing streets."""

    def __init__(self, seed: int = 0) -> None:
        vehicles = [model for model in VEHICLE_MODELS if model.category != _ROBOT]
        models = actor_models(vehicles)
        count = len(vehicles)
        self.scene = SensorScene.from_meshes(standard_static(seed), [models.meshes[row] for row in models.vehicle])
        self._placement = Placement.zeros(ACTORS)
        number = np.arange(ACTORS)
        self._placement.model = number % count
        self._placement.actor = number + 1
        self._placement.label = models.label[models.vehicle[number % count]]
        self._start = np.linspace(-_HALF, _HALF, ACTORS, endpoint=False) * 1.0
        self._lane = number % 4

    def placement(self, time: float) -> Placement:
        """Where the vehicles are at a time [s]; the same object every time."""
        way = (self._start + 12.0 * time + _HALF) % (2 * _HALF) - _HALF
        along_x, back = self._lane < 2, self._lane % 2 == 1
        yaw = np.where(along_x, 0.0, 0.5 * np.pi) + np.where(back, np.pi, 0.0)
        c, s = np.cos(yaw), np.sin(yaw)
        pose = self._placement.pose
        pose[:, 0, 0], pose[:, 0, 1], pose[:, 1, 0], pose[:, 1, 1] = c, -s, s, c
        pose[:, 0, 3], pose[:, 1, 3] = way * c + 3.0 * s, way * s - 3.0 * c
        return self._placement
