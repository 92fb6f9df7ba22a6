"""Drops and flakes before a camera: how many, how large and how fast by the weather, how long by the exposure.

Sizes and numbers are those of `dorosim.world.environment.atmosphere`, drawn for the space before the lens in which a
drop covers a good part of a pixel; what is farther away is part of the haze. While the shutter is open a drop moves, so
it covers each pixel of its streak for a share of the time (K. Garg and S. K. Nayar, "Vision and Rain", IJCV 75 (2007)
3): streaks are longer and fainter, the longer the exposure is. A drop shows the sky of a wide angle; a flake is a white
body. At night lamps light them (`lit_drop`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.sensor.camera.lens import Lens
from dorosim.sensor.camera.light import SceneLight
from dorosim.sensor.camera.lit_drop import MATT_PHASE, drop_phase, lamps_nearby, light_particles
from dorosim.sensor.camera.ray_packet import Aim
from dorosim.sensor.camera.streak_kernel import MIN_HIDDEN_DISTANCE, draw_streaks
from dorosim.sensor.scene.embree_kernel import SIMD_WIDTH, cast_rays
from dorosim.sensor.scene.instance import View
from dorosim.world.environment.atmosphere import (
    FLAKE_SPEED,
    SizeDistribution,
    drop_speeds,
    flake_diameter,
    raindrops,
    snowflakes,
)

MAX_PARTICLES: Final = 12_000
"""Drops or flakes of a picture; where there would be more, only larger ones are drawn."""
MIN_DROP_PIXELS, MIN_FLAKE_PIXELS = 0.35, 0.6
"""Apparent diameter of the smallest ones that are drawn."""
MAX_DROP, MAX_FLAKE = 6e-3, 12e-3
"""Largest diameters [m]; larger drops break (H. R. Pruppacher and J. D. Klett, "Microphysics of Clouds and
Precipitation", 10.3.5)."""
FREE_SPACE: Final = 0.12
"""No drop is nearer to a lens [m]."""
_SHELTER: Final = np.array([(0.0, 0.0), (1.5, 0.0), (-1.5, 0.0), (0.0, 1.5), (0.0, -1.5)])
_ROOFS: Final = 4
"""Of these five places, as many must have something above them for a camera to be under a roof."""
_FLUTTER: Final = 0.35
"""How unlike the ways of flakes are [m/s]."""


class DrawnPrecipitation(NamedTuple):
    """What falls, in a picture.

    Attributes:
        near, behind: `(H, filled width)` share of each pixel that is covered, by what is nearer than
            `MIN_HIDDEN_DISTANCE` and by what is farther away; `(0, 0)` for none.
        light: `(3,)` radiance that all have of the sky.
        lit: `(H, filled width, 3)` radiance that lamps add to a pixel by any of them; `(0, 0, 0)` for none.
        mark: `(H, filled width / SIMD_WIDTH)` 1 where any of so many pixels side by side is covered; `(0, 0)` for none.
    """

    near: NDArray[np.float32]
    behind: NDArray[np.float32]
    light: NDArray[np.float32]
    lit: NDArray[np.float32]
    mark: NDArray[np.uint8]


_UNLIT: Final = np.zeros((0, 0, 0), np.float32)
NO_PRECIPITATION: Final = DrawnPrecipitation(
    np.zeros((0, 0), np.float32),
    np.zeros((0, 0), np.float32),
    np.zeros(3, np.float32),
    _UNLIT,
    np.zeros((0, 0), np.uint8),
)


@dataclass(frozen=True, slots=True, eq=False)
class Precipitation:
    """What falls before a camera.

    Attributes:
        rain, snow: rates, of snow as water [m/s].
        wind: `(3,)` in map [m/s]. velocity: `(3,)` of the camera in map [m/s].
        exposure_time: [s].
        random: where drops are drawn from.
        nearest: no drops nearer than this [m]: room of an own vehicle.
    """

    rain: float
    snow: float
    wind: FloatArray
    velocity: FloatArray
    exposure_time: float
    random: np.random.Generator
    nearest: float = FREE_SPACE

    def draw(self, view: View, aim: Aim, lens: Lens, light: SceneLight) -> DrawnPrecipitation:
        """Draw what falls; nothing under a roof.

        Args:
            view: the scene.
            aim: the camera.
            lens: the same camera's.
            light: of the surroundings.
        """
        if (self.rain <= 0.0 and self.snow <= 0.0) or _is_sheltered(view, aim):
            return NO_PRECIPITATION
        kinds = [self._drops(lens)] if self.rain > 0.0 else []
        if self.snow > 0.0:
            kinds.append(self._flakes(lens))
        place, diameter, velocity = (np.concatenate(parts) for parts in zip(*kinds, strict=True))
        relative = (velocity + self.wind - self.velocity) @ aim.axes.T.astype(np.float64)
        after = place + relative * self.exposure_time
        seen = (place[:, 2] > self.nearest) & (after[:, 2] > self.nearest)
        shine = self._shine(view, aim, place, len(kinds[0][0]))[seen]
        place, after, diameter = place[seen], after[seen], diameter[seen]
        height, width = (int(side) for side in lens.size[::-1])
        shape = (height, -(-width // SIMD_WIDTH) * SIMD_WIDTH)
        near, behind = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        lit = np.zeros((*shape, 3), np.float32) if shine.any() else _UNLIT
        mark = np.zeros((height, shape[1] // SIMD_WIDTH), np.uint8)
        wide = diameter * lens.focal[0] / place[:, 2]
        ends = np.concatenate((lens.pixel_from_point(place), lens.pixel_from_point(after), wide[:, None]), axis=1)
        far = place[:, 2] > MIN_HIDDEN_DISTANCE
        draw_streaks(ends[~far], shine[~far], near, lit, mark)
        draw_streaks(ends[far], shine[far], behind, lit, mark)
        share = self.snow / (self.rain + self.snow)
        drop, flake = 0.4 * light.horizon + 0.4 * light.above + 0.1 * light.ground, 0.5 * (light.above + light.below)
        sky = (1.0 - share) * drop + share * (flake + 0.1 * light.sun)
        return DrawnPrecipitation(near, behind, sky.astype(np.float32), lit, mark)

    def _shine(self, view: View, aim: Aim, place: FloatArray, first: int) -> NDArray[np.float32]:
        """What lamps make particles shine with, `(N, 3)` radiance.

        Args:
            view: the scene.
            aim: the camera.
            place: `(N, 3)` in the optical frame [m].
            first: how many are of the first kind: drops where it rains, else flakes.
        """
        shine = np.zeros((len(place), 3), np.float32)
        lamps = lamps_nearby(view, aim)
        if len(lamps):
            at = place @ aim.axes.astype(np.float64) + aim.place
            drops = first if self.rain > 0.0 else 0
            light_particles(at[:drops], aim.place, lamps, drop_phase(), shine[:drops])
            light_particles(at[drops:], aim.place, lamps, MATT_PHASE, shine[drops:])
        return shine

    def _drops(self, lens: Lens) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Places `(N, 3)` of raindrops in the optical frame [m], diameters [m], and velocities in map [m/s]."""
        sizes = raindrops(self.rain)
        reach, count = _reach_of(lens, sizes, 3.0, 1.0, MIN_DROP_PIXELS)
        number = int(self.random.poisson(count))
        diameter = np.minimum(self.random.standard_gamma(4.0, number) / sizes.slope, MAX_DROP)
        fall = np.zeros((number, 3))
        fall[:, 2] = -drop_speeds(diameter)
        return self._places(lens, diameter * reach), diameter, fall

    def _flakes(self, lens: Lens) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The same of flakes."""
        sizes = snowflakes(self.snow)
        swell = flake_diameter(1.0)
        reach, count = _reach_of(lens, sizes, 4.5, swell, MIN_FLAKE_PIXELS)
        number = int(self.random.poisson(count))
        diameter = np.minimum(swell * (self.random.standard_gamma(5.5, number) / sizes.slope) ** 1.5, MAX_FLAKE)
        fall = self.random.normal(0.0, _FLUTTER, (number, 3))
        fall[:, 2] -= FLAKE_SPEED
        return self._places(lens, diameter * reach), diameter, fall

    def _places(self, lens: Lens, reach: FloatArray) -> FloatArray:
        """Places spread evenly in the pyramid before the lens, each up to its depth [m]."""
        depth = reach * np.cbrt(self.random.uniform(size=len(reach)))
        pixel = self.random.uniform(-0.05, 1.05, (len(reach), 2)) * lens.size
        flat = (pixel - lens.centre) / lens.focal
        return np.column_stack((flat[:, 0] * depth, flat[:, 1] * depth, depth))


def _reach_of(lens: Lens, sizes: SizeDistribution, power: float, swell: float, least: float) -> tuple[float, float]:
    """How far away particles are drawn, over their diameter, and how many there are on average.

    They number `intercept * exp(-slope * d)` by the diameter d of a drop; a flake's own is `swell * d**1.5`. Each is
    seen up to `focal / least` times its own diameter, in a pyramid whose volume goes with the cube of that.

    Args:
        lens: of the camera.
        sizes: how many there are, by the diameters of drops.
        power: with which of these the volume goes: three times that of the own diameter.
        swell: see above.
        least: the smallest apparent diameter [pixels].
    """
    area = 1.1**2 * float(np.prod(lens.size / lens.focal))
    whole = sizes.intercept * math.gamma(power + 1.0) / sizes.slope ** (power + 1.0)
    reach = float(lens.focal[0]) / least
    count = whole * area / 3.0 * (swell * reach) ** 3
    if count > MAX_PARTICLES:
        reach *= (MAX_PARTICLES / count) ** (1.0 / 3.0)
    return reach, min(count, float(MAX_PARTICLES))


def _is_sheltered(view: View, aim: Aim) -> bool:
    """Whether the camera is under a roof or a bridge."""
    start = np.column_stack((_SHELTER, np.zeros(len(_SHELTER)))) + aim.place + view.origin
    up = np.tile((0.0, 0.0, 1.0), (len(start), 1))
    away = cast_rays(view, start, up, np.full(len(start), 60.0), aim.own)[0]
    return int(np.isfinite(away).sum()) >= _ROOFS
