"""A receiver of satellite navigation: where its antenna is in WGS 84, how fast and which way it goes.

The error of a position is white noise, drawn for each fix, and a slow one (first-order Gauss-Markov) that lives in the
Snapshot (`dorosim.world.mount.drift`): the form that J. Rankin, "An error model for sensor simulation: GPS and
differential GPS", IEEE PLANS (1994), fits to receivers.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dorosim.ground.column import read_only
from dorosim.road.projection import MapProjection
from dorosim.sensor.gnss_kernel import disturb
from dorosim.sensor.motion import motion_of_sensor
from dorosim.sensor.reading import GpsReading
from dorosim.sensor.sensor_input import SensorInput
from dorosim.world.mount.denied_area import DeniedCircle, DeniedPolygon
from dorosim.world.mount.setting import GpsSettings
from dorosim.world.mount.state import Mount
from dorosim.world.scene import Scene

STANDSTILL = 0.05
"""Below this speed [m/s] a receiver reports the vehicle's heading instead of a course, which would be noise."""
SQUARED_ECCENTRICITY = 0.00669437999014
"""Of the WGS 84 ellipsoid (NIMA TR8350.2)."""
_STEP = 10.0


class Gnss:
    """A receiver; it draws from the stream "sensor/<number>/gnss".

    Args:
        mount: with `GpsSettings`; the antenna is where it is.
        projection: of the map; None where the map names none, so that no fix is possible.
    """

    def __init__(self, mount: Mount, projection: MapProjection | None) -> None:
        assert isinstance(mount.settings, GpsSettings)
        self.name = f"sensor/{mount.id}/gnss"
        self.settings = mount.settings
        self.projection = projection
        self.white = read_only(np.array(self.settings.white))
        self.velocity_white = read_only(np.array(self.settings.velocity_white))

    def read(self, inputs: SensorInput) -> GpsReading:
        """A fix."""
        sensor, time = inputs.mount.id, inputs.now.time
        motion, projection = motion_of_sensor(inputs), self.projection
        x, y, z = motion.position.tolist()
        shaded = inputs.now.shade.covers(motion.position)
        if projection is None or shaded or any(is_inside(area, x, y, z) for area in self.settings.denied):
            return GpsReading(sensor=sensor, time=time, denied=True)
        place, velocity = disturb(
            motion.position,
            motion.velocity,
            self.white,
            self.velocity_white,
            inputs.mount.noise,
            inputs.noise.key(self.name),
            inputs.now.tick,
        )
        (x, y, z), (east, north, _) = place.tolist(), velocity.tolist()
        here = projection.geographic_from_point(x, y)
        if not (math.isfinite(here[0]) and math.isfinite(here[1])):
            return GpsReading(sensor=sensor, time=time, denied=True)
        speed = math.hypot(east, north)
        if speed < STANDSTILL:
            east, north = inputs.motion.pose.rotation[:2, 0].tolist()
        step = _STEP / (math.hypot(east, north) or 1.0)
        ahead = projection.geographic_from_point(x + step * east, y + step * north)
        return GpsReading(
            sensor=sensor,
            time=time,
            denied=False,
            latitude=here[0],
            longitude=here[1],
            altitude=z + projection.origin[2],
            speed=speed,
            course=course_between(here, ahead),
            east=x + projection.origin[0],
            north=y + projection.origin[1],
        )


def make_gnss(mount: Mount, scene: Scene) -> Gnss:
    """The receiver of a mount.

    Raises:
        InputError: the map names a projection that is none.
    """
    system = scene.network.coordinate_system
    return Gnss(mount, _projection(system, scene.map_origin) if system.strip() else None)


@lru_cache(maxsize=8)
def _projection(system: str, origin: tuple[float, float, float]) -> MapProjection:
    """The projection of a map; making one takes longer than ten thousand fixes."""
    return MapProjection(system, origin)


def course_between(here: tuple[float, float], ahead: tuple[float, float]) -> float:
    """Course from a point to one nearby, clockwise from true north, 0 to 2 pi [rad].

    By the ellipsoid's radii of curvature along the meridian and across it, whose ratio is
    (1 - e²) / (1 - e² sin²(latitude)).

    Args:
        here: latitude and longitude [rad].
        ahead: the same of the other point.
    """
    sine = math.sin(here[0])
    ratio = (1.0 - SQUARED_ECCENTRICITY) / (1.0 - SQUARED_ECCENTRICITY * sine * sine)
    east = math.remainder(ahead[1] - here[1], math.tau) * math.cos(here[0])
    return math.atan2(east, (ahead[0] - here[0]) * ratio) % math.tau


def is_inside(area: DeniedCircle | DeniedPolygon, x: float, y: float, z: float) -> bool:
    """Whether a point in map [m] lies inside an area; by the parity of the edges to the east of it."""
    if not area.low <= z <= area.high:
        return False
    if isinstance(area, DeniedCircle):
        return math.hypot(x - area.centre[0], y - area.centre[1]) <= area.radius
    inside, corners = False, area.corners
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
            inside = not inside
    return inside
