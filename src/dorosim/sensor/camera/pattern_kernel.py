"""The patterns of surfaces: which texels 16 pixels see of them, by where they are and how large a pixel is there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel
from dorosim.ground.prefetch_kernel import fetch
from dorosim.sensor.camera import ray_packet as at
from dorosim.sensor.camera.pattern_tile import (
    MAX_TILES,
    ONE,
    STAIN_VARIANTS,
    TILE_NUMBER_BITS,
    TILE_SIDE,
    TILE_TEXELS,
    pattern_columns,
)
from dorosim.sensor.camera.ray_packet import RayPacket, Spots, Words
from dorosim.sensor.camera.sky_kernel import whole_below
from dorosim.sensor.scene.embree_kernel import SIMD_WIDTH
from dorosim.sensor.scene.surface_pattern import SurfacePattern

_F = np.float32
_1 = _F(1.0)
_SIDE = _F(TILE_SIDE)
_POWER, _ONE_BITS, _SIDE_BITS = (np.uint32(bits) for bits in (0x7F80_0000, 0x3F80_0000, 0x4380_0000))
"""Of float32: the bits that hold its power of two, and those of 1 and of `TILE_SIDE`."""
_RECIPROCAL = np.uint32(0x7F00_0000)
"""Less the bits of a power of two, it is those of one over it."""
_MIN_FACING = _F(0.02)
_TEXELS = np.uint32(TILE_TEXELS)
_TILE_BITS, _LAST_TILE = np.uint32(TILE_NUMBER_BITS), np.uint32(MAX_TILES - 1)
_SPREAD_P, _SPREAD_Q, _HASH_BITS = np.uint32(0x3C6E_F35F), np.uint32(0x9B56_C4E9), np.uint32(13)
_LAST_VARIANT = np.uint32(STAIN_VARIANTS - 1)
_ONE = np.uint32(1)
_BYTE = np.uint32(255)
_GREEN, _BLUE = np.uint32(8), np.uint32(16)
_SHARE = _F(1.0 / ONE)
_NO_STAIN = np.float32(pattern_columns(SurfacePattern.PLAIN)[1]).view(np.uint32)
_UNSTAINED = np.uint32(ONE)


@inner_kernel
def has_pattern(packet: RayPacket) -> bool:
    """Whether a pattern is seen in any lane."""
    lanes = 0
    for k in range(SIMD_WIDTH):
        lanes += 1 if packet[at.GRAIN + k] > _F(0.0) else 0
    return lanes > 0


@inner_kernel
def find_pattern(packet: RayPacket, words: Words, spots: Spots, tiles: NDArray[np.uint32], pixel: np.float32) -> bool:
    """Find the texels of the details, and ask for their memory: `add_pattern` needs them after the rays to the sun.

    Args:
        packet: with distances, unit normals and albedos; `U` and `V` are where the surface lies in its own plane [m];
            `SX`, `SY`, `SZ`, `MIRROR` and `AHEAD` are overwritten, and `add_pattern` needs them.
        words: the same memory as whole numbers.
        spots: `COLUMN` is overwritten, and `add_pattern` needs it.
        tiles: of `ShadingTables`, bare.
        pixel: of `ShadingTables`.

    Returns:
        True.
    """
    _find_texels(packet, words, spots, pixel)
    for k in range(SIMD_WIDTH):
        fetch(tiles, spots[at.COLUMN + k])
    return True


@inner_kernel
def add_pattern(packet: RayPacket, words: Words, spots: Spots, tiles: NDArray[np.uint32]) -> None:
    """Multiply the albedo of surfaces by their patterns, after `find_pattern`; overwrites `LINE` of the spots."""
    for k in range(SIMD_WIDTH):
        spots[at.COLUMN + k] = tiles[spots[at.COLUMN + k]]
    if _has_stain(words):
        _find_stain(packet, words, spots)
        for k in range(SIMD_WIDTH):
            spots[at.LINE + k] = tiles[spots[at.LINE + k]]
    else:
        for k in range(SIMD_WIDTH):
            spots[at.LINE + k] = _UNSTAINED
    for k in range(SIMD_WIDTH):
        detail, stain = spots[at.COLUMN + k], spots[at.LINE + k]
        grain = packet[at.GRAIN + k]
        over = _1 + grain * (_F(np.int32(stain & _BYTE)) * _SHARE - _1)
        grain *= over
        packet[at.R + k] *= over + grain * (_F(np.int32(detail & _BYTE)) * _SHARE - _1)
        packet[at.G + k] *= over + grain * (_F(np.int32(detail >> _GREEN & _BYTE)) * _SHARE - _1)
        packet[at.B + k] *= over + grain * (_F(np.int32(detail >> _BLUE & _BYTE)) * _SHARE - _1)


@inner_kernel
def _find_texels(packet: RayPacket, words: Words, spots: Spots, pixel: np.float32) -> None:
    """Places in the tiles of details, into `COLUMN`, and what `_find_stain` needs.

    Texels are as large as a pixel is on the surface: its width and its height there, multiplied and rooted.
    """
    for k in range(SIMD_WIDTH):
        facing = packet[at.FACING + k]
        packet[at.SY + k] = facing if facing > _MIN_FACING else _MIN_FACING
        packet[at.SX + k] = packet[at.RANGE + k] * pixel
    for k in range(SIMD_WIDTH):
        # a float32 read as a whole number is about its logarithm, of which half is the root's
        size = np.uint32(words[at.SX + k] + np.uint32(np.uint32(_ONE_BITS - words[at.SY + k]) >> _ONE))
        detail, stain = words[at.DETAIL + k] & _POWER, words[at.STAIN + k] & _POWER
        part, wide_part = _part_of_side(size, np.uint32(detail)), _part_of_side(size, np.uint32(stain))
        words[at.SZ + k], words[at.SX + k] = part, np.uint32(part + detail - _ONE_BITS)
        words[at.MIRROR + k], words[at.SY + k] = wide_part, np.uint32(wide_part + stain - _ONE_BITS)
        words[at.AHEAD + k] = np.uint32(stain - _SIDE_BITS + _ONE_BITS)
    for k in range(SIMD_WIDTH):
        scale = packet[at.SX + k]
        i, j = whole_below(packet[at.U + k] * scale), whole_below(packet[at.V + k] * scale)
        spots[at.COLUMN + k] = _tile(words[at.DETAIL + k]) + _texel(i, j, packet[at.SZ + k])


@inner_kernel
def _has_stain(words: Words) -> bool:
    """Whether a lane has a stain over its details."""
    other = np.uint32(0)
    for k in range(SIMD_WIDTH):
        other |= words[at.STAIN + k] ^ _NO_STAIN
    return bool(other > 0)


@inner_kernel
def _find_stain(packet: RayPacket, words: Words, spots: Spots) -> None:
    """Places in the tiles of stains, into `LINE`; which variant, by where the tile lies."""
    for k in range(SIMD_WIDTH):
        scale, tiles = packet[at.SY + k], packet[at.AHEAD + k]
        i, j = whole_below(packet[at.U + k] * scale), whole_below(packet[at.V + k] * scale)
        column, row = whole_below(packet[at.U + k] * tiles), whole_below(packet[at.V + k] * tiles)
        mixed = np.uint32(np.uint32(column) * _SPREAD_P + np.uint32(row) * _SPREAD_Q)
        variant = np.uint32(mixed >> _HASH_BITS) & _LAST_VARIANT
        spots[at.LINE + k] = _tile(words[at.STAIN + k]) + variant * _TEXELS + _texel(i, j, packet[at.MIRROR + k])


@inner_kernel
def _part_of_side(size: np.uint32, scale: np.uint32) -> np.uint32:
    """Which part of a tile's side the level has that is looked up: 1 or less, as bits of a power of two.

    Args:
        size: bits of a pixel's size on the surface [m].
        scale: bits of the texels per metre.
    """
    bits = np.uint32(np.uint32(size + scale - _ONE_BITS) & _POWER)
    bits = bits if bits > _ONE_BITS else _ONE_BITS
    bits = bits if bits < _SIDE_BITS else _SIDE_BITS
    return np.uint32(_RECIPROCAL - bits)


@inner_kernel
def _tile(word: np.uint32) -> np.uint32:
    """Where a tile begins."""
    return np.uint32(np.uint32(np.uint32(word >> _TILE_BITS) & _LAST_TILE) * _TEXELS)


@inner_kernel
def _texel(i: np.int32, j: np.int32, part: np.float32) -> np.uint32:
    """Place in a tile, at the level whose side is such a part of the largest."""
    side = np.uint32(np.int32(_SIDE * part))
    mask = np.uint32(side - _ONE)
    return np.uint32(side * side + (np.uint32(j) & mask) * side + (np.uint32(i) & mask))
