"""An ultrasonic sensor: the distance of the nearest thing that throws sound back.

The cone is filled with rays. At 40 to 60 kHz sound has a wavelength of 6 to 9 mm, for which roads and walls are rather
smooth: they throw it back only where it meets them steeply, so that a road or a wall that is seen along gives no echo.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.sensor.beam_kernel import cast_beams
from dorosim.sensor.reading import UltrasonicReading
from dorosim.sensor.sensor_input import SensorInput
from dorosim.world.mount.setting import UltrasonicSettings
from dorosim.world.mount.state import Mount
from dorosim.world.scene import Scene

_RAYS = 192
"""That a cone is filled with: 4 degrees apart in one of 60 by 30 degrees."""
MIN_ECHO_COSINE = math.cos(math.radians(60.0))
"""Cosine of the largest angle between a surface's normal and the ray at which there is an echo; an estimate."""
_GOLDEN_ANGLE = math.pi * (3.0 - math.sqrt(5.0))


class Ultrasonic:
    """An ultrasonic sensor; it draws from the stream "sensor/<number>/echo".

    Args:
        mount: with `UltrasonicSettings`.
    """

    def __init__(self, mount: Mount) -> None:
        assert isinstance(mount.settings, UltrasonicSettings)
        self.name = f"sensor/{mount.id}/echo"
        self.settings = mount.settings
        self.directions = cone_directions(self.settings.fov, self.settings.vertical_fov, _RAYS)
        self.far = np.full(_RAYS, self.settings.range)

    def read(self, inputs: SensorInput) -> UltrasonicReading:
        """Returns the distance of the nearest echo; nearer than the least distance, that distance."""
        pose, settings = inputs.map_from_sensor, self.settings
        directions = self.directions @ pose.rotation.T
        distance, cosine, _ = cast_beams(inputs.view(), inputs.mount.actor, pose.position, directions, self.far)
        nearest = float(np.where(cosine >= MIN_ECHO_COSINE, distance, np.inf).min())
        if settings.range_noise and math.isfinite(nearest):
            nearest += settings.range_noise * float(inputs.noise.stream(self.name, inputs.now.tick).standard_normal())
        # an error may carry an echo beyond either end of the range
        inside = max(nearest, settings.least) if nearest <= settings.range else math.inf
        return UltrasonicReading(sensor=inputs.mount.id, time=inputs.now.time, distance=inside)


def make_ultrasonic(mount: Mount, _scene: Scene) -> Ultrasonic:
    """The ultrasonic sensor of a mount."""
    return Ultrasonic(mount)


@lru_cache(maxsize=64)
def cone_directions(fov: float, vertical_fov: float, count: int) -> FloatArray:
    """`(count, 3)` unit vectors that fill an elliptic cone about x evenly, the first of them its axis; read-only.

    In the order of a sunflower's seeds (H. Vogel, "A better way to construct the sunflower head", Mathematical
    Biosciences 44 (1979)).

    Args:
        fov: whole angle to the sides [rad].
        vertical_fov: whole angle up and down [rad].
        count: how many.
    """
    number = np.arange(count)
    radius, turn = 0.5 * np.sqrt(number / max(count - 1, 1)), number * _GOLDEN_ANGLE
    azimuth, elevation = fov * radius * np.cos(turn), vertical_fov * radius * np.sin(turn)
    level = np.cos(elevation)
    directions = np.column_stack((level * np.cos(azimuth), level * np.sin(azimuth), np.sin(elevation)))
    directions.flags.writeable = False
    return directions
