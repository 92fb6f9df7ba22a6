"""The parts that the ground of a map is made of, and the surface of each under a wheel."""

from __future__ import annotations

from enum import IntEnum
from typing import Self

from dorosim.road.surface_kind import SurfaceKind


class GroundPart(IntEnum):
    """Parts of the ground; the value is the label of a triangle. `surface` is what wheels meet there."""

    surface: SurfaceKind

    def __new__(cls, value: int, surface: SurfaceKind) -> Self:
        """A member by its value and its surface."""
        self = int.__new__(cls, value)
        self._value_, self.surface = value, surface
        return self

    ROAD = 0, SurfaceKind.ASPHALT
    PAVEMENT = 1, SurfaceKind.CONCRETE
    KERB = 2, SurfaceKind.CONCRETE
    VERGE = 3, SurfaceKind.GRASS
    SHOULDER = 4, SurfaceKind.GRAVEL
    ABUTMENT = 5, SurfaceKind.CONCRETE
    LAND = 6, SurfaceKind.GRASS
