"""Patterns of surfaces: what a camera sees on them beside their colour."""

from __future__ import annotations

from enum import IntEnum
from typing import Self


class Stain(IntEnum):
    """Patterns of many metres, which lie over the details; each has variants, so that nothing repeats side by side."""

    NONE = 0
    WEATHERED = 1
    """Darker and lighter areas."""
    ROAD = 2
    """Cracks, sealed and open, patches, and the joints between strips of paving."""
    WORN = 3
    """Areas where paint has worn off."""


class SurfacePattern(IntEnum):
    """Patterns that repeat, on the ground in map coordinates, on walls along the wall and upwards.

    Attributes:
        log2_texels_per_metre: of the details, a power of two. stain: what lies over them.
        log2_stain_texels_per_metre: likewise of that.
    """

    log2_texels_per_metre: int
    stain: Stain
    log2_stain_texels_per_metre: int

    def __new__(cls, row: int, log2_scale: int, stain: Stain = Stain.NONE, log2_stain_scale: int = -6) -> Self:
        """A member by its row and its scales."""
        self = int.__new__(cls, row)
        self._value_, self.log2_texels_per_metre = row, log2_scale
        self.stain, self.log2_stain_texels_per_metre = stain, log2_stain_scale
        return self

    PLAIN = 0, -6
    ASPHALT = 1, 6, Stain.ROAD, 4
    CONCRETE = 2, 5, Stain.WEATHERED, 2
    SLABS = 3, 5, Stain.WEATHERED, 2
    GRASS = 4, 5, Stain.WEATHERED, 2
    PAINT = 5, 6, Stain.WORN, 3
    BRICK = 6, 6
    PLASTER = 7, 5
    PANELS = 8, 4
    ROOF_TILES = 9, 5
    BARK = 10, 6
    LEAVES = 11, 5
    SOIL = 12, 5, Stain.WEATHERED, 2
