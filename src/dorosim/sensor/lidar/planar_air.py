"""What weather, smoke and spray do to a 2D lidar: they take returns away and make some of their own.

By the laws of the spinning lidars (`dorosim.sensor.lidar.weather`, `air_echo_kernel`), for all rays at one time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.sensor.lidar.air_echo_kernel import FOUND_EXTINCTION
from dorosim.sensor.lidar.weather import CLEAR_WEATHER, ECHO_STEP, FULL_GAIN_RANGE, LidarWeather, PlanarSpec

MIN_RESERVE = 4.0
"""In clear air the sensor finds all that is within its range; what it finds there is at least so many times stronger
than what it needs. Ours: so thin haze takes nothing away, however dark and far a surface is."""


class AirScan(NamedTuple):
    """What comes back through the air; all `(N,)`.

    Attributes:
        distance: of what is found [m]; infinite for nothing.
        share: of the light of the surface that the air lets through.
        in_air: whether an echo of the air is found instead of a surface.
        strength: of that echo, over what is found half of the times.
    """

    distance: FloatArray
    share: FloatArray
    in_air: NDArray[np.bool_]
    strength: FloatArray


def scan_through_air(
    position: FloatArray,
    direction: FloatArray,
    distance: FloatArray,
    brightness: FloatArray,
    weather: LidarWeather,
    volume: FloatArray,
    spec: PlanarSpec,
    draw: FloatArray,
) -> AirScan:
    """What a 2D lidar finds on its rays.

    Args:
        position: `(3,)` of the sensor in map [m].
        direction: `(N, 3)` of its rays.
        distance: `(N,)` of the surfaces [m]; infinite for none.
        brightness: `(N,)` what they throw back: reflectivity by the cosine of incidence.
        weather: what is in the air everywhere.
        volume: `(V, 10)` smoke and spray, as of `volumes_near`.
        spec: optics of the sensor.
        draw: `(1 + V, N)` numbers above 0 and at most 1, for the weather and for each volume.
    """
    through = [_way_through(one, position, direction) for one in volume]
    there = np.isfinite(distance)
    way = np.where(there, distance, 0.0)
    depth = weather.haze * way
    for one, (begin, end) in zip(volume, through, strict=True):
        depth += one[8] * np.maximum(np.minimum(end, way) - begin, 0.0)
    share = np.exp(-2.0 * depth)
    signal = 10.0 * brightness * (spec.detection / np.maximum(way, FULL_GAIN_RANGE)) ** 2
    found = np.where(there & (np.maximum(signal, MIN_RESERVE) * share >= 1.0), distance, np.inf)
    in_air, strength = np.zeros(len(found), bool), np.zeros(len(found))
    limit = np.where(there, distance, np.inf)
    if weather is not CLEAR_WEATHER and len(weather.chance):
        place = np.interp(-np.log(draw[0]), weather.chance, ECHO_STEP * np.arange(len(weather.chance)), right=np.inf)
        echo = (place >= spec.nearest) & (place < limit)
        row = np.minimum(np.where(echo, place / ECHO_STEP, 0.0).astype(np.int64) + 1, len(weather.strength) - 1)
        in_air |= echo
        limit, strength = np.where(echo, place, limit), np.where(echo, weather.strength[row], strength)
    for one, (begin, end), chance in zip(volume, through, draw[1:], strict=True):
        first = np.maximum(begin, spec.nearest)
        place = first - np.log(chance) / (FOUND_EXTINCTION * one[8])
        thinned = np.exp(-2.0 * one[8] * (place - begin))
        power = 10.0 * one[9] * (spec.detection / np.maximum(place, FULL_GAIN_RANGE)) ** 2 * thinned
        echo = (end > begin) & (place < np.minimum(end, limit)) & (power >= 1.0)
        in_air |= echo
        limit, strength = np.where(echo, place, limit), np.where(echo, power, strength)
    hides = in_air & (np.isinf(found) | (strength > signal * share))
    return AirScan(np.where(hides, limit, found), share, hides, strength)


def _way_through(volume: FloatArray, position: FloatArray, direction: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where rays enter an ellipsoid and where they leave it [m], both 0 where they do not meet it."""
    c, s = volume[3], volume[4]
    turn = np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))) / volume[5:8]
    start, along = (position - volume[:3]) @ turn, direction @ turn
    square, half, rest = (along**2).sum(axis=1), along @ start, float(start @ start) - 1.0
    root = half**2 - square * rest
    width = np.sqrt(np.maximum(root, 0.0))
    meets = (root > 0.0) & (square > 0.0)
    square = np.where(square > 0.0, square, 1.0)
    begin, end = (np.where(meets, np.maximum((-half + sign * width) / square, 0.0), 0.0) for sign in (-1.0, 1.0))
    return begin, end
