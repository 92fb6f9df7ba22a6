"""A camera: what it sees of a scene, at one tick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import simplejpeg
from numpy.typing import NDArray

from dorosim.sensor.camera.box import BoundingBoxes, boxes_of
from dorosim.sensor.camera.clear_kernel import clearance_of
from dorosim.sensor.camera.glow_kernel import glow_of
from dorosim.sensor.camera.lamp_grid_kernel import lamp_grid_of
from dorosim.sensor.camera.lens import OPTICAL_FROM_MOUNT, Lens
from dorosim.sensor.camera.light import SceneLight
from dorosim.sensor.camera.near_kernel import near_of
from dorosim.sensor.camera.pattern_tile import pattern_tiles
from dorosim.sensor.camera.picture_weather import NO_SURROUNDINGS, PictureSurroundings, weather_of
from dorosim.sensor.camera.ray_packet import Aim, Plane, ShadingTables
from dorosim.sensor.camera.readout import Readout
from dorosim.sensor.camera.render_kernel import render_rows
from dorosim.sensor.camera.setting import CameraModel
from dorosim.sensor.camera.shading_tables import finish_table, noise_table, tone_table
from dorosim.sensor.camera.shot import Shot
from dorosim.sensor.pool import Pool
from dorosim.sensor.scene.instance import View

BANDS: Final = 16
"""Parts of a picture that threads share among them."""


@dataclass(frozen=True, slots=True, eq=False)
class CameraPicture:
    """What a camera saw.

    Attributes:
        rgb: `(H, W, 3)` sRGB, or None where the settings want none.
        depth: `(H, W)` float32 along the optical axis [m], infinite where there is nothing up to `far`.
        semantic: `(H, W)` uint8, `Semantic`. Of a lean camera `(0, W)` where the settings do not want them.
        instance: `(H, W)` int32 id of the actor, 0 for the static world and the sky; `(0, 0)` where it is not wanted.
        boxes: of the actors in view, nearest first; empty where the settings want none.
        raw: `(H, W, 3)` uint16 digital numbers of an image sensor, None without one.
    """

    rgb: NDArray[np.uint8] | None
    depth: NDArray[np.float32]
    semantic: NDArray[np.uint8]
    instance: NDArray[np.int32]
    boxes: BoundingBoxes
    raw: NDArray[np.uint16] | None = None


class Camera:
    """A camera with a lens; it holds no state of the run, so one picture does not depend on others.

    Args:
        settings: how it sees.
        lean: make no depths and classes but those that the settings want: memory that is not written is time saved.

    Attributes:
        lens: its projection. rays: of all pixels (`Lens.ray_table`). tone: table of the film curve.

    Raises:
        InputError: the distortion folds the picture.
    """

    def __init__(self, settings: CameraModel, *, lean: bool = False) -> None:
        self.settings = settings
        self._lean = lean
        self.lens = Lens.of(settings)
        self.rays = self.lens.ray_table(settings.samples)
        self.tone, self._noise = tone_table(), noise_table()
        self._sample_width = np.float32(1.0 / (float(self.lens.focal.max()) * np.sqrt(settings.samples)))

    def shoot(
        self,
        view: View,
        position: NDArray[np.float64],
        rotation: NDArray[np.float64],
        light: SceneLight,
        own: int = 0,
        pool: Pool | None = None,
        around: PictureSurroundings = NO_SURROUNDINGS,
    ) -> CameraPicture:
        """Take a picture.

        Args:
            view: the scene at this tick.
            position: `(3,)` of the camera in map [m].
            rotation: `(3, 3)` map-from-mount; the camera looks along the mount's x, and the mount's z is up.
            light: of the surroundings, by `light_of`.
            own: number of the actor that carries the camera: neither its body nor its shadow is seen; 0 for none.
            pool: workers; the bytes are the same with and without.
            around: what falls and hangs in the air.
        """
        shot = self.begin(view, position, rotation, light, own, bands=BANDS if pool is not None else 1, around=around)
        if pool is None:
            shot.expose(0)
        else:
            pool.map(shot.expose, range(shot.bands))
        return shot.picture(pool)

    def begin(
        self,
        view: View,
        position: NDArray[np.float64],
        rotation: NDArray[np.float64],
        light: SceneLight,
        own: int = 0,
        bands: int = BANDS,
        readout: Readout | None = None,
        through: int = 0,
        around: PictureSurroundings = NO_SURROUNDINGS,
    ) -> Exposure:
        """Begin a picture whose parts the caller exposes (`Exposure.expose`); arguments as of `shoot`.

        Args:
            view: the same.
            position: the same.
            rotation: the same.
            light: the same.
            own: the same.
            bands: parts at most.
            readout: of an image sensor with noise; None for bytes without.
            through: id of the actor that is seen, but whose windows are looked through; 0 for none.
            around: what falls and hangs in the air.
        """
        aim = self.aim_at(view, position, rotation, own, through)
        return Exposure(self, view, aim, light, bands, readout, around)

    def tables(self, view: View, light: SceneLight) -> ShadingTables:
        """What shading asks of materials, tones and noise."""
        return ShadingTables(
            finish_table(view, float(light.wetness), float(light.gain), light.season),
            self.tone,
            self._noise,
            pattern_tiles(),
            self._sample_width,
        )

    def shot(self, view: View, aim: Aim, light: SceneLight, around: PictureSurroundings = NO_SURROUNDINGS) -> Shot:
        """A picture before it is taken; arguments as of `Exposure`."""
        seen = aim if around.rays is None else aim._replace(rays=around.rays)
        return Shot(
            view,
            seen,
            light,
            near_of(view, seen, light),
            clearance_of(view, light),
            lamp_grid_of(view, seen),
            glow_of(view, aim, float(light.gain), float(light.extinction)),
            self.tables(view, light),
            weather_of(view, aim, light, self.lens, around),
        )

    def plane(self, *, linear: bool = False) -> Plane:
        """Room for a picture, and for exposed radiance."""
        settings = self.settings
        height, width = settings.height, settings.width
        rows = settings.instance or settings.boxes
        return Plane(
            np.empty((height, 3 * width) if settings.rgb else (0, 0), np.uint8),
            np.empty((height if settings.depth or rows or not self._lean else 0, width), np.float32),
            np.empty((height if settings.semantic or not self._lean else 0, width), np.uint8),
            np.empty((height if rows or not self._lean else 0, width), np.uint16),
            np.empty((height, 3 * width) if settings.rgb and linear else (0, 0), np.float32),
        )

    def aim_at(
        self, view: View, position: NDArray[np.float64], rotation: NDArray[np.float64], own: int = 0, through: int = 0
    ) -> Aim:
        """The camera at a place, as kernels see it; arguments as of `begin`."""
        return Aim(
            (position - view.origin).astype(np.float32),
            np.ascontiguousarray(OPTICAL_FROM_MOUNT @ rotation.T, np.float32),
            self.rays,
            np.float32(self.settings.near),
            np.float32(self.settings.far),
            own,
            through,
        )


class Exposure:
    """A picture while it is taken: its parts can be exposed in any order, by any threads.

    Args:
        camera: whose picture it is.
        view: the scene at this tick.
        aim: where the camera looks.
        light: of the surroundings.
        bands: parts at most.
        readout: of an image sensor with noise; None for bytes without.
        around: what falls and hangs in the air.

    Attributes:
        bands: how many parts there are.
    """

    def __init__(
        self,
        camera: Camera,
        view: View,
        aim: Aim,
        light: SceneLight,
        bands: int,
        readout: Readout | None = None,
        around: PictureSurroundings = NO_SURROUNDINGS,
    ) -> None:
        settings = camera.settings
        self.bands = max(min(bands, settings.height), 1)
        self._camera, self._view, self._aim = camera, view, aim
        self._shot = camera.shot(view, aim, light, around)
        self._readout = readout if settings.rgb else None
        self._plane = camera.plane(linear=self._readout is not None)
        self._raw = np.empty(self._plane.linear.shape, np.uint16)
        self._actor = view.actor.astype(np.int32)
        self._instance = np.empty((settings.height, settings.width) if settings.instance else (0, 0), np.int32)
        self._seen = np.zeros((self.bands, len(view.actor)), np.int32)

    def expose(self, band: int) -> None:
        """Fill one part."""
        height, plane = self._camera.settings.height, self._plane
        first, end = height * band // self.bands, height * (band + 1) // self.bands
        seen = self._seen[band]
        render_rows(self._shot, plane, first, end, seen)
        if self._readout is not None:
            self._readout.develop(plane.linear, first, end, self._raw, plane.rgb)
        if len(self._instance):
            # every row of the view is in the table, so clipping changes nothing; numpy is faster with it
            np.take(self._actor, plane.row[first:end], out=self._instance[first:end], mode="clip")

    def picture(self, pool: Pool | None = None) -> CameraPicture:
        """The picture, once all parts are filled; `pool` counts what boxes hide."""
        camera, plane = self._camera, self._plane
        settings = camera.settings
        boxes = BoundingBoxes.none()
        if settings.boxes:
            seen = self._seen.sum(axis=0, dtype=np.int32)
            boxes = boxes_of(self._view, camera.lens, self._aim, plane, seen, settings, pool)
        rgb = plane.rgb.reshape(settings.height, settings.width, 3) if settings.rgb else None
        raw = self._raw.reshape(settings.height, settings.width, 3) if self._readout is not None else None
        return CameraPicture(rgb, plane.depth, plane.semantic, self._instance, boxes, raw)


def jpeg_of(rgb: NDArray[np.uint8], quality: int) -> bytes:
    """Compress a picture `(H, W, 3)`; quality 1 to 100. Colours at half resolution, as cameras have them."""
    jpeg: bytes = simplejpeg.encode_jpeg(rgb, quality=quality, colorspace="RGB", colorsubsampling="420", fastdct=True)
    return jpeg
