"""Tiles of the patterns of surfaces, drawn by rule: asphalt and its cracks, bricks, slabs, grass, bark, leaves.

A tile is a square of texels that joins itself on all sides, kept at all halves of its size down to one texel, whose
value is the mean of all (L. Williams, "Pyramidal parametrics", SIGGRAPH 1983): what is far away has the mean colour
and does not shimmer. A texel holds by how much red, green and blue of a surface are multiplied, a byte each, of which
`ONE` is 1. The level of `s` x `s` texels begins at `s * s` of its tile.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.scene.surface_pattern import Stain, SurfacePattern

TILE_SIDE: Final = 256
"""Texels along a tile; a power of two."""
TILE_TEXELS: Final = 2 * TILE_SIDE * TILE_SIDE
"""Places that a tile takes with all its levels; some are not used."""
STAIN_VARIANTS: Final = 4
"""Tiles of each stain."""
ONE: Final = 128
MAX_TILES: Final = 128
TILE_NUMBER_BITS: Final = 16
"""Bits of a float32 below those that hold the number of a tile."""
FIRST_STAIN: Final = len(SurfacePattern)
"""The tile of the first variant of the first stain."""
_LEAF: Final = 4
"""Texels from leaf to leaf."""
_DIAGONAL: Final = 0.7071067811865476
_SEAM: Final = 12
"""Texels at the edges of stains that no crack and no patch touches, so that any variant fits beside any other."""

Tile = NDArray[np.float64]
"""`(TILE_SIDE, TILE_SIDE)` or `(TILE_SIDE, TILE_SIDE, 3)`, by how much a surface's colour is multiplied."""
Random = np.random.Generator


@cache
def pattern_tiles() -> NDArray[np.uint32]:
    """All tiles one behind the other, `(N * TILE_TEXELS,)`: patterns, then variants of stains; always the same."""
    tiles = np.empty((FIRST_STAIN + STAIN_VARIANTS * len(Stain), TILE_TEXELS), np.uint32)
    for pattern in SurfacePattern:
        tiles[pattern] = _levels(_PATTERNS[pattern](_random(int(pattern))))
    wide = _fractal(_random(90), (3, 6, 12, 24))
    for stain in Stain:
        first = FIRST_STAIN + STAIN_VARIANTS * stain
        for variant in range(STAIN_VARIANTS):
            if variant and stain not in _VARYING:
                tiles[first + variant] = tiles[first]
            else:
                tiles[first + variant] = _levels(_STAINS[stain](_random(100 + 10 * stain + variant), wide))
    return tiles.ravel()


def pattern_columns(pattern: SurfacePattern) -> tuple[float, float]:
    """Tile and texels per metre of a pattern's details, and those of the first variant of its stain.

    Each is a float32 whose power of two is the texels per metre and whose leading bits below are the tile's number.
    """
    stain = FIRST_STAIN + STAIN_VARIANTS * int(pattern.stain)
    return (
        _column(int(pattern), pattern.log2_texels_per_metre),
        _column(stain, pattern.log2_stain_texels_per_metre),
    )


def _column(tile: int, log2_scale: int) -> float:
    return float(np.uint32((127 + log2_scale) << 23 | tile << TILE_NUMBER_BITS).view(np.float32))


def lattice_noise(random: Random, cells: tuple[int, int], side: int) -> NDArray[np.float64]:
    """Value noise that joins itself, `(side, side)`, 0 to 1: random at `cells` points, smooth between them."""
    lattice = random.integers(0, 1024, cells) / 1023.0
    (low, high, part), (left, right, across) = (_between(count, side) for count in cells)
    rows = lattice[low] * (1.0 - part)[:, None] + lattice[high] * part[:, None]
    blend: NDArray[np.float64] = rows[:, left] * (1.0 - across) + rows[:, right] * across
    return blend


def _between(cells: int, side: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """The points before and after each texel, and how far it is on its way from one to the other."""
    place = np.arange(side) * cells / side
    whole = place.astype(np.int64)
    part = place - whole
    return whole, (whole + 1) % cells, part * part * (3.0 - 2.0 * part)


def _random(number: int) -> Random:
    return np.random.Generator(np.random.PCG64([2026, number]))


def _levels(tile: Tile) -> NDArray[np.uint32]:
    """A tile with all its levels, its mean made 1."""
    grey = tile.ndim == 2
    level = (tile / tile.mean(axis=(0, 1)) * ONE).astype(np.float32)
    packed = np.zeros(TILE_TEXELS, np.uint32)
    side = TILE_SIDE
    while True:
        byte = np.clip(level + np.float32(0.5), 0.0, 255.0).astype(np.uint32)
        byte = byte * np.uint32(0x01_01_01) if grey else byte[..., 0] | byte[..., 1] << 8 | byte[..., 2] << 16
        packed[side * side : 2 * side * side] = byte.ravel()
        if side == 1:
            return packed
        side //= 2
        level = np.float32(0.25) * (level[::2, ::2] + level[1::2, ::2] + level[::2, 1::2] + level[1::2, 1::2])


def _fractal(random: Random, cells: tuple[int, ...], stretch: int = 1) -> Tile:
    """Sum of value noises, each half as strong as the one before: mean about 0, most within +-1.

    Args:
        random: where it comes from.
        cells: points along the tile of each.
        stretch: how much longer its shapes are in the second direction of texels, upwards on walls.
    """
    total, amount = np.zeros((TILE_SIDE, TILE_SIDE)), 1.0
    for count in cells:
        total += amount * (lattice_noise(random, (max(count // stretch, 1), count), TILE_SIDE) - 0.5)
        amount *= 0.6
    scaled: Tile = total / (2.2 * float(total.std()))
    return scaled


def _white(random: Random, smooth: float) -> Tile:
    """Noise from texel to texel, +-1, blended with its neighbours."""
    noise = random.integers(-512, 513, (TILE_SIDE, TILE_SIDE)) / 512.0
    near: Tile = noise * (1.0 - smooth) + 0.5 * smooth * (np.roll(noise, 1, 0) + np.roll(noise, 1, 1))
    return near


def _joints(height: int, width: int, shift: int) -> tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]:
    """Courses of stones: where their joints are, and the course and the stone of each texel.

    Args:
        height: texels of a course with its joint.
        width: texels of a stone with its joint.
        shift: of every other course.
    """
    row, column = np.indices((TILE_SIDE, TILE_SIDE))
    course = row // height
    along = column + shift * (course % 2)
    return (row % height == 0) | (along % width == 0), course, along // width % (TILE_SIDE // width)


def _shades(random: Random, course: NDArray[np.int64], stone: NDArray[np.int64], spread: float) -> Tile:
    """A shade for each stone."""
    shade: Tile = 1.0 + spread * (random.integers(0, 1024, (TILE_SIDE, TILE_SIDE)) / 511.5 - 1.0)[course, stone]
    return shade


def _plain(_: Random) -> Tile:
    return np.ones((TILE_SIDE, TILE_SIDE))


def _asphalt(random: Random) -> Tile:
    """Bitumen with pale stones in it."""
    stones = np.where(random.integers(0, 1024, (TILE_SIDE, TILE_SIDE)) > 960, 0.55, 0.0)
    return 1.0 + 0.24 * _white(random, 0.5) + stones + 0.06 * _fractal(random, (8, 16, 32))


def _concrete(random: Random) -> Tile:
    """Slabs or formwork of 2 m, with pores."""
    seams, course, stone = _joints(64, 64, 0)
    pores = np.where(random.integers(0, 1024, (TILE_SIDE, TILE_SIDE)) > 1008, -0.25, 0.0)
    tile = _shades(random, course, stone, 0.035) + pores + 0.05 * _white(random, 0.6)
    tile += 0.06 * _fractal(random, (8, 16, 32))
    return np.where(seams, 0.62, tile)


def _slabs(random: Random) -> Tile:
    """Paving slabs of 0.5 m."""
    seams, course, stone = _joints(16, 16, 8)
    tile = _shades(random, course, stone, 0.1) + 0.07 * _white(random, 0.4)
    return np.where(seams, 0.62, tile)


def _grass(random: Random) -> Tile:
    """Blades, tufts, and some that are dry."""
    tuft, dry = _fractal(random, (16, 32, 64)), np.clip(_fractal(random, (8, 16, 32)), 0.0, 1.0)
    blades = 1.0 + 0.36 * _white(random, 0.3) + 0.22 * tuft
    return np.clip(np.stack((blades * (1.0 + 0.55 * dry), blades, blades * (1.0 - 0.1 * dry)), axis=2), 0.1, 1.95)


def _paint(random: Random) -> Tile:
    """Paint of lines, broken off in specks, with the road below."""
    specks = _fractal(random, (32, 64)) + 0.6 * _white(random, 0.5)
    return np.where(specks > 0.95, 0.45, 1.0 + 0.05 * _white(random, 0.5))


def _brick(random: Random) -> Tile:
    """Bricks in courses of 62.5 mm, 250 mm long with their joints (DIN 4172); some are burnt darker."""
    seams, course, stone = _joints(4, 16, 8)
    shade = _shades(random, course, stone, 0.24) + 0.08 * _white(random, 0.3)
    colour = np.stack((shade, shade * shade**0.3, shade), axis=2)
    return np.where(seams[..., None], np.array((1.05, 1.6, 1.75)), colour)


def _plaster(random: Random) -> Tile:
    """Roughcast."""
    return 1.0 + 0.06 * _white(random, 0.6) + 0.04 * _fractal(random, (16, 32, 64))


def _panels(random: Random) -> Tile:
    """Cladding in panels of 4 by 2 m."""
    seams, course, stone = _joints(32, 64, 0)
    tile = _shades(random, course, stone, 0.04) + 0.02 * _white(random, 0.5)
    return np.where(seams, 0.6, tile)


def _roof_tiles(random: Random) -> Tile:
    """Tiles of a roof, 0.25 m each way, each darker where the next begins."""
    _, course, stone = _joints(8, 8, 0)
    row, column = np.indices((TILE_SIDE, TILE_SIDE))
    edge = np.where((row % 8 == 0) | (column % 8 == 0), 0.68, 1.0)
    return _shades(random, course, stone, 0.16) * edge + 0.05 * _white(random, 0.5)


def _bark(random: Random) -> Tile:
    """Furrows that run upwards."""
    return np.clip(1.0 + 0.45 * _fractal(random, (32, 64, 128), 8) + 0.2 * _white(random, 0.4), 0.2, 1.9)


def _leaves(random: Random) -> Tile:
    """Leaves, each in its own light and turned its own way, over shadow that shows between them."""
    cells = TILE_SIDE // _LEAF
    x, y, shade = (random.integers(0, 1024, (3, cells, cells)) / 1024.0).astype(np.float64)
    slender = random.integers(0, 4, (cells, cells))
    row, column = np.mgrid[0:TILE_SIDE, 0:TILE_SIDE] / _LEAF
    nearest, light = np.full((TILE_SIDE, TILE_SIDE), np.inf), np.zeros((TILE_SIDE, TILE_SIDE))
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            i, j = np.int64(row) + down, np.int64(column) + right
            cell = i % cells, j % cells
            u, v = i + y[cell] - row, j + x[cell] - column
            along = np.choose(slender[cell], (u, v, (u + v) * _DIAGONAL, (u - v) * _DIAGONAL))
            distance = u * u + v * v - 0.6 * along * along  # longer than wide
            near = distance < nearest
            nearest, light = np.where(near, distance, nearest), np.where(near, 0.75 + 0.75 * shade[cell], light)
    light = np.where(nearest < 0.3, light * (1.0 - nearest), 0.3) * (1.0 + 0.3 * _fractal(random, (12, 24, 48)))
    light /= float(light.mean())
    return np.clip(np.stack((light * (0.85 + 0.15 * light), light, light * 0.95), axis=2), 0.12, 1.95)


def _soil(random: Random) -> Tile:
    """Earth with stones."""
    stones = np.where(random.integers(0, 1024, (TILE_SIDE, TILE_SIDE)) > 980, 0.5, 0.0)
    return 1.0 + 0.25 * _white(random, 0.5) + 0.2 * _fractal(random, (16, 32, 64)) + stones


def _no_stain(_: Random, _wide: Tile) -> Tile:
    return np.ones((TILE_SIDE, TILE_SIDE))


def _weathered(_: Random, wide: Tile) -> Tile:
    """Areas alike in all variants, for they join one another."""
    return 1.0 + 0.1 * wide


def _road(random: Random, wide: Tile) -> Tile:
    """Patches with their seams, cracks, and sealed ones, on a road that is not everywhere alike."""
    tile = 1.0 + 0.09 * wide
    for _ in range(int(random.integers(0, 3))):
        height, width = (int(number) for number in random.integers(12, 44, 2))
        row, column = (int(random.integers(_SEAM, TILE_SIDE - _SEAM - size)) for size in (height, width))
        shade = 0.78 if random.integers(0, 3) else 1.16
        tile[row : row + height, column : column + width] *= 0.7
        tile[row + 1 : row + height - 1, column + 1 : column + width - 1] *= shade / 0.7
    for number in range(5):
        _draw_crack(random, tile, 0.5 if number < 2 else 0.72)
    return tile


def _draw_crack(random: Random, tile: Tile, shade: float) -> None:
    """A line that wanders, mostly along one of the axes."""
    row, column = (float(number) for number in random.integers(2 * _SEAM, TILE_SIDE - 2 * _SEAM, 2))
    heading = 0.5 * np.pi * float(random.integers(0, 4)) + 0.3 * float(random.integers(-1, 2))
    for _ in range(int(random.integers(30, 110))):
        row, column = row + np.sin(heading), column + np.cos(heading)
        if not (_SEAM < row < TILE_SIDE - _SEAM and _SEAM < column < TILE_SIDE - _SEAM):
            return
        tile[int(row), int(column)] = shade
        heading += 0.35 * (float(random.integers(-100, 101)) / 100.0)


def _worn(_: Random, wide: Tile) -> Tile:
    """Where many wheels have gone."""
    gone = np.clip(-1.4 * wide - 0.35 + 0.25 * _white(_random(91), 0.5), 0.0, 1.0)
    return 1.0 - 0.5 * gone


_PATTERNS: Final[tuple[Callable[[Random], Tile], ...]] = (
    _plain, _asphalt, _concrete, _slabs, _grass, _paint, _brick, _plaster, _panels, _roof_tiles, _bark, _leaves, _soil,
)  # fmt: skip
"""By `SurfacePattern`."""
_STAINS: Final[tuple[Callable[[Random, Tile], Tile], ...]] = (_no_stain, _weathered, _road, _worn)
"""By `Stain`."""
_VARYING: Final = (Stain.ROAD,)
"""Stains whose variants differ."""
