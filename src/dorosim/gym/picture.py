"""Pictures of an agent's world: what it sees itself, and what people look at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.app.analyse.video.eye import Turning, ViewEye
from dorosim.app.run.build import Build
from dorosim.app.store.scene import sensor_scene
from dorosim.batch.world import BatchWorld
from dorosim.sensor.pool import SerialPool
from dorosim.sensor.scene.view import SensorScene

RENDER_SIZE = (640, 400)
"""Width and height of rendered pictures [pixels]."""


class Painter:
    """Takes pictures of worlds on one map.

    Args:
        view: "driver", "chase" or "top".
        size: width and height [pixels].
    """

    def __init__(self, view: str, size: tuple[int, int]) -> None:
        self._view, self._size = view, size
        self._stage: tuple[str, SensorScene] | None = None
        self._eye: ViewEye | None = None
        self._turning: Turning | None = None
        self._at: tuple[object, int] | None = None

    def picture(self, world: BatchWorld, actor: int) -> NDArray[np.uint8]:
        """A picture `(H, W, 3)` of a vehicle's world.

        Raises:
            InputError: the vehicle is not there.
        """
        start, now = world.start, world.now
        if self._stage is None or self._stage[0] != start.map_files.digest:
            made = Build(start.map_files, start.scene, start.egos, start.first, start.scenery_seed)
            self._stage = start.map_files.digest, sensor_scene(made)
        if self._eye is None or self._turning is None or self._at != (start, actor):
            self._turning, self._at = Turning(actor), (start, actor)
            stage = self._stage[1]
            self._eye = ViewEye(start.scene, stage, SerialPool(), self._view, actor, self._size, now, self._turning)
        self._turning.heading = None
        self._turning.follow(now, now)
        found = self._eye.picture(now, now)
        if found is None:
            return np.zeros((self._size[1], self._size[0], 3), np.uint8)
        return np.array(found, np.uint8)
