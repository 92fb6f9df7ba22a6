"""Puts things down on a surface: heights by rays cast straight down."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.mesh import Mesh
from dorosim.sensor.scene.embree_kernel import cast_rays
from dorosim.sensor.scene.embree_scene import EmbreeScene
from dorosim.sensor.scene.instance import Placement
from dorosim.sensor.scene.material import MaterialTable

_ABOVE = 1.5
"""Rays begin this far above the height that is expected: below a bridge, above the road [m]."""
_FAR = 40.0


class Dropper:
    """A surface that things are put on.

    Args:
        surface: in map [m].
    """

    def __init__(self, surface: Mesh) -> None:
        self._stage = EmbreeScene(surface, (), MaterialTable.standard())
        self._view = self._stage.place(Placement.zeros(0))

    def height(self, points: FloatArray) -> FloatArray:
        """Heights `(N,)` of the surface under points `(N, 3)`, whose own heights are guesses; those where it is missed.

        Guesses may be a metre and a half too low.
        """
        start = np.add(points, (0.0, 0.0, _ABOVE))
        down = np.tile((0.0, 0.0, -1.0), (len(points), 1))
        distance, _, row, _ = cast_rays(self._view, start, down, np.full(len(points), _FAR), 0)
        return np.where(row >= 0, start[:, 2] - distance, points[:, 2])

    def dropped(self, points: FloatArray, above: float = 0.0) -> FloatArray:
        """The points `(N, 3)` put on the surface, `above` metres over it."""
        return np.column_stack((points[:, :2], self.height(points) + above))
