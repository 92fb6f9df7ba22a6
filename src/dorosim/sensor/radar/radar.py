"""A radar: what it detects of the actors around it.

A body throws waves back from a few places: the middles of its sides and its edges (K. Schuler, D. Becker, W. Wiesbeck,
"Extraction of virtual scattering centers of vehicles by ray-tracing simulations", IEEE Trans. Antennas and Propagation
56 (2008)). Each place that faces the radar and that nothing hides gives an echo with its share of the body's
cross-section, which fades from reading to reading as in P. Swerling's first case (RAND RM-1217, 1954). By the radar
equation the signal goes with the cross-section and with the inverse fourth power of the distance (M. Skolnik,
"Introduction to Radar Systems", chapter 1); the echoes of a body that are strong enough are joined to detections. Rain
weakens them on their way and adds to the noise (`rain`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.sensor.actor import ActorTable, actors_of
from dorosim.sensor.beam_kernel import BEAM_STEP, cast_beams
from dorosim.sensor.motion import SensorMotion, motion_of_sensor
from dorosim.sensor.radar.cross_section import cross_section
from dorosim.sensor.radar.echo_kernel import find_places, leader_of
from dorosim.sensor.radar.rain import rain_attenuation, rain_section
from dorosim.sensor.reading import RadarReading
from dorosim.sensor.sensor_input import SensorInput
from dorosim.world.environment.weather import sky_of
from dorosim.world.mount.setting import RadarSettings
from dorosim.world.mount.state import Mount
from dorosim.world.scene import Scene

if TYPE_CHECKING:
    from dorosim.sensor.scene.instance import View

THRESHOLD = 13.0
"""Signal over noise of what is just detected [dB]: 90 % of a steady target at 10^-6 false alarms (Skolnik, ch. 2)."""
CLUTTER = -1
"""The actor of a false detection."""
_BLOCK = 1 << 15
"""Ids whose fading is drawn at once."""
_NEAREST = 1e-3
"""No echo comes from nearer than this [m]."""


class Echoes(NamedTuple):
    """Echoes or detections, one row each.

    Attributes:
        position: `(N, 3)` in the sensor frame [m].
        rate: `(N,)` range rate, positive when it goes away [m/s].
        section: `(N,)` radar cross-section [m²].
        amplitude: `(N,)` signal over noise, as a ratio of powers.
        actor: `(N,)` id.
    """

    position: FloatArray
    rate: FloatArray
    section: FloatArray
    amplitude: FloatArray
    actor: IntArray


def detectable_section(settings: RadarSettings, distance: FloatArray, rain: float) -> FloatArray:
    """`(N,)` the cross-section that a radar just detects at some distances [m] in a rain [m/s]: [m²]."""
    least: FloatArray = 10.0 ** (0.1 * settings.sensitivity) * (distance / settings.range) ** 4
    if rain > 0.0:
        drops = _POWER_AT_THRESHOLD * rain_section(rain) * distance**2
        least = least * 10.0 ** (0.2 * rain_attenuation(rain) * distance) + drops
    return least


class Radar:
    """A radar; it draws from streams that begin with "sensor/<number>/radar".

    Args:
        mount: with `RadarSettings`.
    """

    def __init__(self, mount: Mount) -> None:
        assert isinstance(mount.settings, RadarSettings)
        self.name = f"sensor/{mount.id}/radar"
        self.settings = mount.settings

    def read(self, inputs: SensorInput) -> RadarReading:
        """Its detections, the nearest first."""
        motion, tick = motion_of_sensor(inputs), inputs.now.tick
        table = actors_of(inputs.scene, inputs.now)
        found = joined(self._echoes(inputs, table, motion), self.settings)
        found = self._with_errors(found, inputs.noise.stream(f"{self.name}/error", tick))
        if self.settings.clutter:
            rain = sky_of(inputs.now.environment).rain
            clutter = self._clutter(motion, inputs.noise.stream(f"{self.name}/clutter", tick), rain)
            found = Echoes(*(np.concatenate(parts) for parts in zip(found, clutter, strict=True)))
        return self._reading(inputs, found)

    def _echoes(self, inputs: SensorInput, table: ActorTable, motion: SensorMotion) -> Echoes:
        """The echoes that are strong enough, as they really are."""
        settings, own = self.settings, inputs.mount.actor
        point, row, facing = find_places(
            own,
            table.id,
            table.centre,
            table.size,
            table.rotation,
            motion.position,
            motion.rotation,
            (settings.range, 0.5 * settings.fov, 0.5 * settings.vertical_fov),
        )
        if not len(row):
            return _NOTHING
        seen = places_seen(inputs.view(), own, motion.position, point, table.id[row])
        point, row = point[seen], row[seen]
        away = point - motion.position
        distance = np.maximum(np.sqrt((away**2).sum(axis=1)), _NEAREST)
        rate = ((_velocity_at(table, row, point) - motion.velocity) * away).sum(axis=1) / distance
        section = (self._sections(inputs, table, motion) / np.maximum(facing, 1))[row]
        amplitude = section / detectable_section(settings, distance, sky_of(inputs.now.environment).rain)
        found = Echoes(away @ motion.rotation, rate, section, amplitude * _POWER_AT_THRESHOLD, table.id[row])
        strong: NDArray[np.bool_] = _sum_of(row, found.amplitude)[row] >= _POWER_AT_THRESHOLD
        return taken(found, np.flatnonzero(strong))

    def _sections(self, inputs: SensorInput, table: ActorTable, motion: SensorMotion) -> FloatArray:
        """`(N,)` the cross-section of each actor as seen from the radar [m²], faded if echoes do."""
        away = motion.position - table.centre
        forward = (away * table.rotation[:, :, 0]).sum(axis=1)
        left = (away * table.rotation[:, :, 1]).sum(axis=1)
        section: FloatArray = 10.0 ** (0.1 * cross_section(table.kind, table.size, np.arctan2(left, forward)))
        if self.settings.fluctuation:
            section *= -np.log1p(-self._draws(inputs, table.id))
        return section

    def _draws(self, inputs: SensorInput, ids: IntArray) -> FloatArray:
        """Returns `(N,)` 0 to 1 for each actor.

        Drawn for all ids of a block, so that an actor that comes or goes does not change the values of others.
        """
        draws = np.empty(len(ids))
        for block in np.unique(ids // _BLOCK).tolist():
            here = ids // _BLOCK == block
            name = f"{self.name}/fading/{block}" if block else f"{self.name}/fading"
            place = ids[here] - block * _BLOCK
            draws[here] = inputs.noise.stream(name, inputs.now.tick).random(int(place.max()) + 1)[place]
        return draws

    def _with_errors(self, found: Echoes, noise: np.random.Generator) -> Echoes:
        """Detections as measured: errors of range, angles and range rate."""
        settings = self.settings
        draws = noise.standard_normal((len(found.rate), 4)).T
        distance, azimuth, elevation = polar(found.position)
        distance = np.maximum(distance + settings.range_noise * draws[0], 0.0)
        azimuth = azimuth + settings.azimuth_noise * draws[1]
        elevation = elevation + settings.azimuth_noise * draws[2]
        rate = found.rate + settings.rate_noise * draws[3]
        return found._replace(position=cartesian(distance, azimuth, elevation), rate=rate)

    def _clutter(self, motion: SensorMotion, noise: np.random.Generator, rain: float) -> Echoes:
        """False detections anywhere in the field of view: weak, and with the range rate of something that stands."""
        settings = self.settings
        count = int(noise.poisson(settings.clutter))
        draws = noise.random((4, count))
        distance = np.maximum(settings.range * np.sqrt(draws[0]), _NEAREST)
        azimuth, elevation = settings.fov * (draws[1] - 0.5), settings.vertical_fov * (draws[2] - 0.5)
        position = cartesian(distance, azimuth, elevation)
        rate = -(position @ (motion.velocity @ motion.rotation)) / distance
        # noise that crosses the threshold does so with an exponentially distributed excess (Skolnik, ch. 2)
        amplitude = _POWER_AT_THRESHOLD - np.log1p(-draws[3])
        section = amplitude / _POWER_AT_THRESHOLD * detectable_section(self.settings, distance, rain)
        return Echoes(position, rate, section, amplitude, np.full(count, CLUTTER, np.int64))

    def _reading(self, inputs: SensorInput, found: Echoes) -> RadarReading:
        """The strongest detections, the nearest first."""
        found = taken(found, np.argsort(-found.amplitude, kind="stable")[: self.settings.most])
        found = taken(found, np.argsort((found.position**2).sum(axis=1), kind="stable"))
        distance, azimuth, elevation = polar(found.position)
        return RadarReading(
            sensor=inputs.mount.id,
            time=inputs.now.time,
            point=found.position,
            distance=distance,
            azimuth=azimuth,
            elevation=elevation,
            range_rate=found.rate,
            cross_section=10.0 * np.log10(found.section),
            amplitude=10.0 * np.log10(found.amplitude),
            actor=found.actor,
        )


def make_radar(mount: Mount, _scene: Scene) -> Radar:
    """The radar of a mount."""
    return Radar(mount)


def places_seen(view: View, own: int, position: FloatArray, point: FloatArray, target: IntArray) -> NDArray[np.bool_]:
    """Which places nothing else hides.

    A ray towards a place that meets its own actor, or nothing, has found it: models are rounder than their boxes.

    Args:
        view: of a `SensorScene`.
        own: id of the actor that carries the sensor, through which it looks; 0 for none.
        position: `(3,)` of the sensor in map [m].
        point: `(M, 3)` places in map [m].
        target: `(M,)` id of each one's actor.

    Returns:
        `(M,)`.
    """
    way = point - position
    far = np.maximum(np.sqrt((way**2).sum(axis=1)), BEAM_STEP)
    _, _, met = cast_beams(view, own, position, way / far[:, None], far)
    seen: NDArray[np.bool_] = (met < 0) | (met == target)
    return seen


def taken(echoes: Echoes, rows: IntArray) -> Echoes:
    """Some of the echoes, by their rows."""
    position, rate, section, amplitude, actor = echoes
    return Echoes(position[rows], rate[rows], section[rows], amplitude[rows], actor[rows])


def joined(echoes: Echoes, settings: RadarSettings) -> Echoes:
    """Detections from echoes: powers add up, places and range rates are means weighted by power.

    Args:
        echoes: all of them.
        settings: how near echoes are joined (`cluster`, `cluster_rate`).
    """
    if settings.cluster <= 0.0 or len(echoes.rate) < 2:
        return echoes
    leader = leader_of(echoes.position, echoes.rate, settings.cluster, settings.cluster_rate)
    first, group = np.unique(leader, return_inverse=True)
    amplitude = _sum_of(group, echoes.amplitude)
    weight = echoes.amplitude / amplitude[group]
    position = np.column_stack([_sum_of(group, weight * axis) for axis in echoes.position.T])
    rate, section = _sum_of(group, weight * echoes.rate), _sum_of(group, echoes.section)
    return Echoes(position, rate, section, amplitude, echoes.actor[first])


def _sum_of(group: IntArray, values: FloatArray) -> FloatArray:
    """The sum of the values of each group, by its number."""
    found: FloatArray = np.bincount(group, values).astype(np.float64, copy=False)
    return found


def polar(position: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Distance [m], azimuth to the left and elevation [rad] of points `(N, 3)`."""
    x, y, z = position.T
    flat = np.hypot(x, y)
    return np.hypot(flat, z), np.arctan2(y, x), np.arctan2(z, flat)


def cartesian(distance: FloatArray, azimuth: FloatArray, elevation: FloatArray) -> FloatArray:
    """Points `(N, 3)` of distance [m], azimuth to the left and elevation [rad]."""
    flat = distance * np.cos(elevation)
    return np.column_stack((flat * np.cos(azimuth), flat * np.sin(azimuth), distance * np.sin(elevation)))


def _velocity_at(table: ActorTable, row: IntArray, point: FloatArray) -> FloatArray:
    """`(M, 3)` velocities of places on bodies that turn about the map's z [m/s]."""
    arm, turn = point - table.position[row], table.yaw_rate[row]
    velocity: FloatArray = table.velocity[row]
    velocity[:, 0] -= turn * arm[:, 1]
    velocity[:, 1] += turn * arm[:, 0]
    return velocity


_POWER_AT_THRESHOLD = 10.0 ** (0.1 * THRESHOLD)
_NOTHING = Echoes(np.zeros((0, 3)), np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0, np.int64))
