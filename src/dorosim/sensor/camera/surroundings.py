"""What the weather around a camera on a mount gives its pictures."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.sensor.aerosol import volumes_near
from dorosim.sensor.camera.lens_drop import drops_on_lens, rays_through_drops
from dorosim.sensor.camera.light import MIN_SEEN_SNOW
from dorosim.sensor.camera.picture_weather import NO_SURROUNDINGS, PictureSurroundings
from dorosim.sensor.camera.precipitation import FREE_SPACE, Precipitation
from dorosim.sensor.camera.wheel_track import NO_WHEEL_TRACKS, WheelTracks, tile_of, wheel_tracks
from dorosim.sensor.sensor_input import SensorInput
from dorosim.world.environment.atmosphere import GREEN_LIGHT
from dorosim.world.environment.weather import sky_of
from dorosim.world.mount.setting import CameraSettings
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

AIR_REACH: Final = 200.0
"""Smoke and spray are looked at as far away as this [m]."""
CABIN: Final = 2.5
"""A camera that sees its own vehicle sees no drops nearer than this [m]."""
_WIND: Final = np.array((0.8, 0.6, 0.0))
"""Where wind blows to: weathers have a speed of wind only."""


class CameraSurroundings:
    """The weather around one camera; it keeps a raster of wheel tracks while the camera is near.

    Args:
        settings: of the mount.
    """

    def __init__(self, settings: CameraSettings) -> None:
        self._settings = settings
        self._tile: tuple[int, int] | None = None
        self._tracks = NO_WHEEL_TRACKS

    def at(
        self, inputs: SensorInput, exposure_time: float, rays: NDArray[np.float32], width: int
    ) -> PictureSurroundings:
        """The weather around the camera now.

        Args:
            inputs: of the sensor.
            exposure_time: [s].
            rays: of its lens (`Lens.ray_table`).
            width: of its pictures [pixels].
        """
        now, pose = inputs.now, inputs.map_from_sensor
        around = surroundings_of(inputs.scene, now, pose.position, self._tracks_at(inputs.scene, now, pose.position))
        rain, snow, _, _, wind = sky_of(now.environment)
        if rain <= 0.0 and snow <= 0.0:
            return around
        name = f"sensor/{inputs.mount.id}"
        motion = inputs.motion
        arm = pose.position - motion.pose.position
        turning = np.cross(motion.pose.rotation @ motion.angular_velocity, arm)
        falling = Precipitation(
            rain=rain,
            snow=snow,
            wind=wind * _WIND,
            velocity=motion.pose.rotation @ motion.velocity + turning,
            exposure_time=exposure_time,
            random=inputs.noise.stream(f"{name}/precipitation", now.tick),
            nearest=CABIN if self._settings.own_vehicle else FREE_SPACE,
        )
        bent = None
        if self._settings.lens_drops and rain > 0.0:
            bent = rays_through_drops(rays, width, drops_on_lens(inputs.noise, f"{name}/lens", now.time * 1e-9, rain))
        return PictureSurroundings(around.volumes, falling, around.tracks, bent)

    def _tracks_at(self, scene: Scene, now: Snapshot, position: FloatArray) -> WheelTracks:
        if float(now.environment.snow_depth[0]) <= MIN_SEEN_SNOW:
            return NO_WHEEL_TRACKS
        tile = tile_of(float(position[0]), float(position[1]))
        if tile != self._tile:
            self._tile, self._tracks = tile, wheel_tracks(scene.network, tile)
        return self._tracks


def surroundings_of(
    scene: Scene, now: Snapshot, position: FloatArray, tracks: WheelTracks = NO_WHEEL_TRACKS
) -> PictureSurroundings:
    """Smoke, spray and wheel tracks around a place, without what falls.

    Args:
        scene: of the run.
        now: the snapshot.
        position: `(3,)` in map [m].
        tracks: of wheels, in lying snow.
    """
    volumes = volumes_near(scene, now, position, AIR_REACH, GREEN_LIGHT)
    if not len(volumes) and tracks is NO_WHEEL_TRACKS:
        return NO_SURROUNDINGS
    return PictureSurroundings(volumes, tracks=tracks)
