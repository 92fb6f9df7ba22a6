"""How surfaces finish what their colour begins: gloss, grain, and the tables of tone and noise."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.camera.pattern_tile import lattice_noise, pattern_columns
from dorosim.sensor.camera.ray_packet import FINISH_COLUMNS
from dorosim.sensor.scene.instance import View
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.surface_pattern import SurfacePattern
from dorosim.world.environment.weather import Season

NOISE_SIDE: Final = 256
"""Width of the noise table; a power of two."""
TONE_BITS: Final = 8
"""Bits of the mantissa that the tone table distinguishes: steps of 0.4 %, below one step of eight bits."""
TONE_LOW, TONE_HIGH = -13, 4
"""Powers of two from which and up to which the tone table goes."""
_LAMP: Final = 0.35
"""Of a lamp's emission: as bright as the film curve takes it without turning red into orange."""
_LAMP_ADAPTATION: Final = 0.8
"""How much of the exposure's gain lamps are spared: at night they would all be white."""
_WATER_FILM: Final = 0.025
_WET_ALBEDO: Final = 0.55
"""Of the dry one (A. Angstrom, Geografiska Annaler 7 (1925) 323, for soils: about one half)."""
_FINISH: Final = [
    (stuff.properties.gloss, stuff.properties.grain, *pattern_columns(stuff.properties.pattern)) for stuff in Material
]
_WET: Final = [stuff for stuff in Material if stuff.properties.wet]


_SEASONS: Final[dict[Season, dict[Material, tuple[float, float, float]]]] = {
    Season.FALL: {
        Material.LEAF: (4.0, 1.2, 0.6),
        Material.LEAF_LIGHT: (3.2, 1.2, 0.5),
        Material.GRASS: (1.25, 0.95, 0.9),
    },
    Season.WINTER: {
        Material.LEAF: (1.5, 0.45, 1.6),
        Material.LEAF_LIGHT: (0.9, 0.35, 1.3),
        Material.GRASS: (1.5, 0.85, 1.3),
    },
}
"""By how much red, green and blue of leaves and grass are others than in spring and summer: orange and yellow crowns,
then twigs; paler grass. Hedges stay green. Ours."""


def finish_table(view: View, wetness: float, gain: float, season: int = int(Season.SPRING)) -> NDArray[np.float32]:
    """All that shading asks of a material, `(M + 1, 10)` float32; of the sky nothing.

    Columns are albedo, emission, gloss, grain, and where the pattern lies (`pattern_tile.pattern_columns`).

    Args:
        view: gives the materials.
        wetness: of roads, 0 to 1.
        gain: of the exposure; lamps follow it but little.
        season: a `Season`.
    """
    table = np.zeros((len(view.albedo) + 1, FINISH_COLUMNS), np.float32)
    table[:, 8:] = pattern_columns(SurfacePattern.PLAIN)
    table[:-1, :3] = view.albedo
    for stuff, factor in _SEASONS.get(Season(season), {}).items():
        table[stuff, :3] *= np.array(factor, np.float32)
    table[:-1, 3:6] = view.emission * np.float32(_LAMP / max(gain, 1e-6) ** _LAMP_ADAPTATION)
    table[: len(Material), 6:] = _FINISH
    if wetness > 0.0:
        table[_WET, :3] *= np.float32(1.0 + wetness * (_WET_ALBEDO - 1.0))
        table[_WET, 6] = _WATER_FILM * wetness
    return table


def tone_table() -> NDArray[np.uint8]:
    """`(N,)` from linear radiance to 8-bit sRGB through a film curve, by the leading bits of a float32.

    The curve is K. Narkowicz's fit to ACES (2015); sRGB is IEC 61966-2-1.
    """
    steps = 1 << TONE_BITS
    octave, part = np.divmod(np.arange((TONE_HIGH - TONE_LOW) * steps), steps)
    x = 2.0 ** (octave + TONE_LOW) * (1.0 + (part + 0.5) / steps)
    x[0] = 0.0
    film = np.clip(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0)
    srgb = np.where(film <= 0.0031308, 12.92 * film, 1.055 * film ** (1.0 / 2.4) - 0.055)
    return np.asarray(np.round(255.0 * srgb), np.uint8)


@cache
def noise_table() -> NDArray[np.float32]:
    """Two patterns that tile, `(2 * side * side,)` float32, 0 to 1 with mean about a half; always the same.

    The first is fractal value noise, for clouds and stains; the second a fine grain, for asphalt and grass.
    """
    random = np.random.Generator(np.random.PCG64(2026))
    total = np.zeros((NOISE_SIDE, NOISE_SIDE))
    for cells, amount in ((4, 1.0), (8, 0.6), (16, 0.36), (32, 0.24), (64, 0.16), (128, 0.10)):
        total += amount * lattice_noise(random, (cells, cells), NOISE_SIDE)
    low, high = total.min(), total.max()
    grain = random.integers(0, 1024, (NOISE_SIDE, NOISE_SIDE)) / 1023.0
    grain = 0.6 * grain + 0.2 * (np.roll(grain, 1, axis=0) + np.roll(grain, 1, axis=1))
    return np.concatenate(((total - low) / (high - low), grain)).ravel().astype(np.float32)
