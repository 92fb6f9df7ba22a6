"""A camera: what it sees of a scene, at one tick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import simplejpeg
from numpy.typing import NDArray

from dorosim.sensor.camera.box import Boxes, boxes_of
from dorosim.sensor.camera.desk import Aim, Finish, Plane
from dorosim.sensor.camera.finish import finish_table, noise_table, tone_table
from dorosim.sensor.camera.lens import OPTICAL_FROM_MOUNT, Lens
from dorosim.sensor.camera.light import Light
from dorosim.sensor.camera.render_kernel import render_rows
from dorosim.sensor.camera.setting import CameraSettings
from dorosim.sensor.pool import Pool
from dorosim.sensor.scene.instance import View

BANDS: Final = 16
"""Parts of a picture that threads share among them."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """What a camera saw.

    Attributes:
        rgb: `(H, W, 3)` sRGB, or None where the settings want none.
        depth: `(H, W)` float32 along the optical axis [m], infinite where there is nothing up to `far`.
        semantic: `(H, W)` uint8, `Semantic`. Of a lean camera `(0, W)` where the settings do not want them.
        instance: `(H, W)` int32 id of the actor, 0 for the static world and the sky; `(0, 0)` where it is not wanted.
        boxes: of the actors in view, nearest first; empty where the settings want none.
    """

    rgb: NDArray[np.uint8] | None
    depth: NDArray[np.float32]
    semantic: NDArray[np.uint8]
    instance: NDArray[np.int32]
    boxes: Boxes


class Camera:
    """A camera with a lens; it holds no state of the run, so one picture does not depend on others.

    Args:
        settings: how it sees.
        lean: make no depths and classes but those that the settings want: memory that is not written is time saved.

    Raises:
        InputError: the distortion folds the picture.
    """

    def __init__(self, settings: CameraSettings, *, lean: bool = False) -> None:
        self.settings = settings
        self._lean = lean
        self.lens = Lens.of(settings)
        self._rays = self.lens.ray_table(settings.samples)
        self._tone, self._noise = tone_table(), noise_table()

    def shoot(
        self,
        view: View,
        position: NDArray[np.float64],
        rotation: NDArray[np.float64],
        light: Light,
        own: int = 0,
        pool: Pool | None = None,
    ) -> Picture:
        """Take a picture.

        Args:
            view: the scene at this tick.
            position: `(3,)` of the camera in map [m].
            rotation: `(3, 3)` map-from-mount; the camera looks along the mount's x, and the mount's z is up.
            light: of the surroundings, by `light_of`.
            own: id of the actor that carries the camera: its body is not seen, but its shadow is; 0 for none.
            pool: workers; the bytes are the same with and without.
        """
        settings = self.settings
        height, width = settings.height, settings.width
        aim = self.aim_at(view, position, rotation, own)
        rows = settings.instance or settings.boxes
        plane = Plane(
            np.empty((height, 3 * width) if settings.rgb else (0, 0), np.uint8),
            np.empty((height if settings.depth or rows or not self._lean else 0, width), np.float32),
            np.empty((height if settings.semantic or not self._lean else 0, width), np.uint8),
            np.empty((height if rows or not self._lean else 0, width), np.uint16),
        )
        finish = Finish(finish_table(view, float(light.wetness), float(light.gain)), self._tone, self._noise)
        instance = np.empty((height, width) if settings.instance else (0, 0), np.int32)
        seen = self._render(view, aim, light, finish, plane, instance, pool)
        boxes = boxes_of(view, self.lens, aim, plane, seen, settings, pool) if settings.boxes else Boxes.none()
        rgb = plane.rgb.reshape(height, width, 3) if settings.rgb else None
        return Picture(rgb, plane.depth, plane.semantic, instance, boxes)

    def aim_at(self, view: View, position: NDArray[np.float64], rotation: NDArray[np.float64], own: int = 0) -> Aim:
        """The camera at a place, as kernels see it; arguments as of `shoot`."""
        return Aim(
            (position - view.origin).astype(np.float32),
            np.ascontiguousarray(OPTICAL_FROM_MOUNT @ rotation.T, np.float32),
            self._rays,
            np.float32(self.settings.near),
            np.float32(self.settings.far),
            own,
        )

    def _render(
        self,
        view: View,
        aim: Aim,
        light: Light,
        finish: Finish,
        plane: Plane,
        instance: NDArray[np.int32],
        pool: Pool | None,
    ) -> NDArray[np.int32]:
        """Fill a plane, and the ids of its instances if wanted; how many pixels of each instance are seen."""
        height, actor = self.settings.height, view.actor.astype(np.int32)
        bands = min(BANDS, height) if pool is not None else 1
        edges = [height * band // bands for band in range(bands + 1)]
        seen = np.zeros((bands, len(view.actor)), np.int32)

        def render(band: int) -> None:
            first, end = edges[band], edges[band + 1]
            render_rows(view, aim, light, finish, plane, first, end, seen[band])
            if len(instance):
                # every row of the view is in the table, so clipping changes nothing; numpy is faster with it
                np.take(actor, plane.row[first:end], out=instance[first:end], mode="clip")

        if pool is None:
            render(0)
        else:
            pool.map(render, range(bands))
        total: NDArray[np.int32] = seen.sum(axis=0, dtype=np.int32)
        return total


def jpeg_of(rgb: NDArray[np.uint8], quality: int) -> bytes:
    """Compress a picture `(H, W, 3)`; quality 1 to 100. Colours at half resolution, as cameras have them."""
    jpeg: bytes = simplejpeg.encode_jpeg(rgb, quality=quality, colorspace="RGB", colorsubsampling="420", fastdct=True)
    return jpeg
