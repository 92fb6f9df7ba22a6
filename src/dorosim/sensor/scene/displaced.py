"""Objects of the scenery that have given way, as sensors see them: gone from where they stood, drawn where they are."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.mesh import Mesh
from dorosim.road.scenery.table import Scenery
from dorosim.sensor.scene.instance import Placement
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.world.collision.displaced import DisplacedTable


class DisplacedObjects:
    """The objects of a map that may give way.

    Args:
        static: has their triangles.
        scenery: has their places.
        first: row of the first of their models in a stage.

    Attributes:
        meshes: of each, in the frame of its foot before it gave way [m].
    """

    def __init__(self, static: StaticWorld, scenery: Scenery, first: int) -> None:
        self._faces = {int(row): (int(begin), int(end)) for row, begin, end in static.loose.T}
        self._model = {row: first + number for number, row in enumerate(self._faces)}
        self.meshes = [_own_mesh(static.mesh, scenery, row, *faces) for row, faces in self._faces.items()]

    def faces(self, displaced: DisplacedTable) -> list[tuple[int, int]]:
        """First faces, and those after the last, of the objects in the static world."""
        return [self._faces[row] for row in displaced.rows_in().tolist() if row in self._faces]

    def added(self, placement: Placement, displaced: DisplacedTable) -> Placement:
        """The placement with a row for each of the objects after the others; they are no actors."""
        rows = [k for k, row in enumerate(displaced.rows_in().tolist()) if row in self._model]
        more = Placement.zeros(len(rows))
        more.pose[:] = poses_of(displaced)[rows]
        more.model[:] = [self._model[row] for row in displaced.rows_in()[rows].tolist()]
        more.label[:] = -1
        mask = placement.actor if placement.mask is None else placement.mask
        return Placement(
            np.concatenate((placement.model, more.model)),
            np.concatenate((placement.pose, more.pose)),
            np.concatenate((placement.actor, more.actor)),
            np.concatenate((placement.label, more.label)),
            np.concatenate((placement.lamp, more.lamp)),
            np.concatenate((placement.paint, more.paint)),
            np.concatenate((mask, more.actor)),
        )


def poses_of(displaced: DisplacedTable) -> FloatArray:
    """`(N, 3, 4)` map-from-model: turned about the vertical, then leaned towards where the top falls [m]."""
    pose = np.zeros((displaced.rows, 3, 4))
    turn = _about_z(displaced.heading)
    towards, back = _about_z(displaced.fall_heading), _about_z(-displaced.fall_heading)
    lean = np.zeros_like(turn)
    c, s = np.cos(displaced.tilt), np.sin(displaced.tilt)
    lean[:, 0, 0], lean[:, 0, 2], lean[:, 1, 1], lean[:, 2, 0], lean[:, 2, 2] = c, s, 1.0, -s, c
    pose[:, :, :3] = towards @ lean @ back @ turn
    pose[:, 0, 3], pose[:, 1, 3], pose[:, 2, 3] = displaced.x, displaced.y, displaced.z
    return pose


def _about_z(angle: FloatArray) -> FloatArray:
    turn = np.zeros((len(angle), 3, 3))
    c, s = np.cos(angle), np.sin(angle)
    turn[:, 0, 0], turn[:, 0, 1], turn[:, 1, 0], turn[:, 1, 1], turn[:, 2, 2] = c, -s, s, c, 1.0
    return turn


def _own_mesh(whole: Mesh, scenery: Scenery, row: int, first: int, end: int) -> Mesh:
    """The triangles of an object in the frame of its foot."""
    corner, face = np.unique(whole.faces[first:end], return_inverse=True)
    objects = scenery.objects
    place = np.array((objects.x[row], objects.y[row], objects.z[row]))
    turn = _about_z(-objects.heading[row : row + 1])[0]
    points = (whole.vertices[corner] - place) @ turn.T
    return Mesh.of(points, face.reshape(-1, 3), whole.material[first:end])
