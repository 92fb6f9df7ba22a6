"""What surfaces are made of: how they look to cameras and to lidars, and what class they belong to.

The table has three parts. Rows below `PAINTS` take their colour from the instance that they are seen on: the body of a
car, the clothes of a person. Rows `FIRST_LAMP` to `FIRST_LAMP + LAMPS - 1` are lamps of actors, which shine if the
instance's lamp bit is set. All others are what they are; those of traffic lights change their emission with the
Snapshot.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.scene.semantic import Semantic
from dorosim.sensor.scene.surface_pattern import SurfacePattern

PAINTS = 2
"""Materials whose colour is the instance's: body and second colour of vehicles, upper and lower clothes of people."""


class VehicleLamp(IntEnum):
    """Lamps of actors; the value is the bit of an instance's `lamp`, and the row after `FIRST_LAMP`."""

    HEAD = 0
    TAIL = 1
    BRAKE = 2
    TURN_LEFT = 3
    TURN_RIGHT = 4
    REVERSE = 5
    BEACON_RED = 6
    BEACON_BLUE = 7


@dataclass(frozen=True, slots=True)
class MaterialProperties:
    """One material.

    Attributes:
        albedo: linear red, green, blue, 0 to 1.
        reflectivity: diffuse, of a lidar's near infrared (905 nm), 0 to 1; above 1 for what throws light back.
        semantic: its class where the instance gives none.
        emission: light that it sends out by itself, linear red, green, blue; lamps: if lit.
        gloss: part of the light that is mirrored at right angles (R_0 of C. Schlick, Computer Graphics Forum 13 (1994)
            233); 0.04 is that of glass, windows are given more, as double glazing has.
        grain: how much of its pattern is seen, of static surfaces, 0 to 1.
        wet: rain makes it darker and gives it a film of water that mirrors.
        pattern: of static surfaces.
    """

    albedo: tuple[float, float, float]
    reflectivity: float
    semantic: Semantic = Semantic.ETC
    emission: tuple[float, float, float] = (0.0, 0.0, 0.0)
    gloss: float = 0.0
    grain: float = 0.0
    wet: bool = False
    pattern: SurfacePattern = SurfacePattern.PLAIN


_S, _P = Semantic, SurfacePattern


class Material(IntEnum):
    """The materials of every scene; the value is a row of the material table.

    Albedos as of common measured tables, set by eye in pictures; reflectivities at 905 nm after Muckenhuber et al.,
    "Automotive lidar modelling approach based on material properties and lidar capabilities" (2020).
    """

    properties: MaterialProperties

    def __new__(cls, row: int, properties: MaterialProperties) -> Self:
        """A member by its row and what it is like."""
        self = int.__new__(cls, row)
        self._value_, self.properties = row, properties
        return self

    PAINT = 0, MaterialProperties((0.5, 0.5, 0.5), 0.35, _S.VEHICLE, gloss=0.05)
    SECOND_PAINT = 1, MaterialProperties((0.1, 0.1, 0.1), 0.3, _S.VEHICLE, gloss=0.03)
    HEAD_LAMP = 2, MaterialProperties((0.75, 0.78, 0.8), 0.9, _S.VEHICLE, (4.0, 3.9, 3.4), gloss=0.08)
    TAIL_LAMP = 3, MaterialProperties((0.28, 0.01, 0.01), 0.8, _S.VEHICLE, (0.5, 0.006, 0.005))
    BRAKE_LAMP = 4, MaterialProperties((0.3, 0.01, 0.01), 0.8, _S.VEHICLE, (3.5, 0.03, 0.025))
    LEFT_LAMP = 5, MaterialProperties((0.5, 0.2, 0.01), 0.8, _S.VEHICLE, (3.5, 1.3, 0.05))
    RIGHT_LAMP = 6, MaterialProperties((0.5, 0.2, 0.01), 0.8, _S.VEHICLE, (3.5, 1.3, 0.05))
    REVERSE_LAMP = 7, MaterialProperties((0.7, 0.7, 0.7), 0.8, _S.VEHICLE, (2.5, 2.5, 2.5))
    RED_BEACON = 8, MaterialProperties((0.35, 0.01, 0.01), 0.6, _S.VEHICLE, (4.0, 0.05, 0.05))
    BLUE_BEACON = 9, MaterialProperties((0.01, 0.03, 0.4), 0.6, _S.VEHICLE, (0.05, 0.2, 4.0))
    ASPHALT = 10, MaterialProperties((0.055, 0.056, 0.06), 0.12, _S.ASPHALT, wet=True, grain=1.0, pattern=_P.ASPHALT)
    CONCRETE = 11, MaterialProperties((0.32, 0.31, 0.29), 0.3, _S.ETC, wet=True, grain=1.0, pattern=_P.CONCRETE)
    KERB = 12, MaterialProperties((0.36, 0.355, 0.34), 0.32, _S.SIDEWALK, grain=1.0, pattern=_P.PLASTER)
    PAVEMENT = 13, MaterialProperties((0.27, 0.25, 0.23), 0.28, _S.SIDEWALK, wet=True, grain=1.0, pattern=_P.SLABS)
    GRASS = 14, MaterialProperties((0.085, 0.15, 0.035), 0.45, _S.ETC, grain=1.0, pattern=_P.GRASS)
    WHITE_LINE = 15, MaterialProperties((0.72, 0.72, 0.7), 0.75, _S.WHITE_LANE, wet=True, grain=1.0, pattern=_P.PAINT)
    YELLOW_LINE = 16, MaterialProperties((0.7, 0.42, 0.03), 0.65, _S.YELLOW_LANE, wet=True, grain=1.0, pattern=_P.PAINT)
    BLUE_LINE = 17, MaterialProperties((0.03, 0.16, 0.55), 0.5, _S.BLUE_LANE, wet=True, grain=1.0, pattern=_P.PAINT)
    STOP_LINE = 18, MaterialProperties((0.72, 0.72, 0.7), 0.75, _S.STOP_LINE, wet=True, grain=1.0, pattern=_P.PAINT)
    CROSSWALK = 19, MaterialProperties((0.72, 0.72, 0.7), 0.75, _S.CROSSWALK, wet=True, grain=1.0, pattern=_P.PAINT)
    ARROW = 20, MaterialProperties((0.7, 0.7, 0.68), 0.75, _S.WHITE_LANE, wet=True, grain=1.0, pattern=_P.PAINT)
    POLE = 21, MaterialProperties((0.2, 0.21, 0.22), 0.35, _S.STANDING_OBJECT)
    SIGNAL_HOUSING = 22, MaterialProperties((0.025, 0.026, 0.028), 0.1, _S.TRAFFIC_LIGHT)
    SIGN_FACE = 23, MaterialProperties((0.75, 0.75, 0.75), 1.6, _S.ROAD_SIGN)
    SIGN_BACK = 24, MaterialProperties((0.3, 0.31, 0.32), 0.4, _S.ROAD_SIGN)
    BRICK = 25, MaterialProperties((0.3, 0.12, 0.08), 0.35, _S.BUILDING, grain=1.0, pattern=_P.BRICK)
    PLASTER = 26, MaterialProperties((0.62, 0.58, 0.5), 0.55, _S.BUILDING, grain=1.0, pattern=_P.PLASTER)
    FACADE = 27, MaterialProperties((0.42, 0.43, 0.44), 0.45, _S.BUILDING, grain=1.0, pattern=_P.PANELS)
    WINDOW = 28, MaterialProperties((0.05, 0.075, 0.1), 0.1, _S.BUILDING, gloss=0.16)
    ROOF = 29, MaterialProperties((0.2, 0.19, 0.185), 0.3, _S.BUILDING, grain=1.0, pattern=_P.PLASTER)
    TRUNK = 30, MaterialProperties((0.11, 0.07, 0.045), 0.3, _S.STANDING_OBJECT, grain=1.0, pattern=_P.BARK)
    LEAF = 31, MaterialProperties((0.045, 0.12, 0.025), 0.5, _S.STANDING_OBJECT, grain=1.0, pattern=_P.LEAVES)
    LEAF_LIGHT = 32, MaterialProperties((0.085, 0.17, 0.03), 0.5, _S.STANDING_OBJECT, grain=1.0, pattern=_P.LEAVES)
    HEDGE = 33, MaterialProperties((0.035, 0.09, 0.025), 0.5, _S.STANDING_OBJECT, grain=1.0, pattern=_P.LEAVES)
    RUBBER = 34, MaterialProperties((0.018, 0.018, 0.019), 0.06, _S.VEHICLE)
    RIM = 35, MaterialProperties((0.45, 0.46, 0.48), 0.5, _S.VEHICLE, gloss=0.25)
    GLASS = 36, MaterialProperties((0.03, 0.04, 0.05), 0.08, _S.VEHICLE, gloss=0.1)
    PLASTIC = 37, MaterialProperties((0.025, 0.025, 0.027), 0.1, _S.VEHICLE)
    CHROME = 38, MaterialProperties((0.55, 0.56, 0.57), 0.6, _S.VEHICLE, gloss=0.55)
    PLATE = 39, MaterialProperties((0.7, 0.7, 0.68), 1.4, _S.VEHICLE)
    SKIN = 40, MaterialProperties((0.52, 0.3, 0.2), 0.5, _S.PEDESTRIAN)
    HAIR = 41, MaterialProperties((0.03, 0.02, 0.015), 0.2, _S.PEDESTRIAN)
    SHOE = 42, MaterialProperties((0.05, 0.045, 0.04), 0.15, _S.PEDESTRIAN)
    CONE = 43, MaterialProperties((0.8, 0.15, 0.02), 0.6, _S.OBJECT_ON_ROAD)
    REFLECTIVE_WHITE = 44, MaterialProperties((0.8, 0.8, 0.8), 1.6, _S.OBJECT_ON_ROAD)
    BARRIER_RED = 45, MaterialProperties((0.55, 0.03, 0.02), 0.5, _S.OBJECT_ON_ROAD)
    WOOD = 46, MaterialProperties((0.28, 0.17, 0.08), 0.45, _S.OBJECT_ON_ROAD)
    STEEL = 47, MaterialProperties((0.35, 0.36, 0.38), 0.4, _S.OBJECT_ON_ROAD, gloss=0.1)
    CARDBOARD = 48, MaterialProperties((0.4, 0.27, 0.14), 0.5, _S.OBJECT_ON_ROAD)
    WATER = 49, MaterialProperties((0.03, 0.045, 0.06), 0.03, _S.OBJECT_ON_ROAD, gloss=0.04)
    STONE = 50, MaterialProperties((0.26, 0.25, 0.24), 0.35, _S.OBJECT_ON_ROAD, grain=0.6, pattern=_P.SOIL)
    SIGN_RED = 51, MaterialProperties((0.6, 0.02, 0.02), 1.2, _S.ROAD_SIGN)
    SIGN_BLUE = 52, MaterialProperties((0.01, 0.09, 0.42), 1.2, _S.ROAD_SIGN)
    SIGN_YELLOW = 53, MaterialProperties((0.75, 0.42, 0.02), 1.4, _S.ROAD_SIGN)
    TILE = 54, MaterialProperties((0.38, 0.12, 0.07), 0.35, _S.BUILDING, grain=1.0, pattern=_P.ROOF_TILES)
    FACADE_WARM = 55, MaterialProperties((0.55, 0.42, 0.28), 0.5, _S.BUILDING, grain=1.0, pattern=_P.PANELS)
    FACADE_DARK = (
        56,
        MaterialProperties((0.14, 0.16, 0.19), 0.25, _S.BUILDING, gloss=0.04, grain=1.0, pattern=_P.PANELS),
    )
    SOIL = 57, MaterialProperties((0.16, 0.11, 0.07), 0.3, _S.ETC, grain=1.0, pattern=_P.SOIL)
    STREET_LAMP = 58, MaterialProperties((0.6, 0.6, 0.58), 0.5, _S.STANDING_OBJECT, (4.0, 3.3, 2.2))
    WINDOW_OF_EVENING = 59, MaterialProperties((0.05, 0.075, 0.1), 0.1, _S.BUILDING, (0.42, 0.27, 0.11), gloss=0.16)
    WINDOW_OF_NIGHT = 60, MaterialProperties((0.05, 0.075, 0.1), 0.1, _S.BUILDING, (0.3, 0.22, 0.12), gloss=0.16)
    WINDOW_OF_STAIRS = 61, MaterialProperties((0.05, 0.075, 0.1), 0.1, _S.BUILDING, (0.15, 0.17, 0.15), gloss=0.16)


AT_NIGHT = (
    Material.STREET_LAMP,
    Material.WINDOW_OF_EVENING,
    Material.WINDOW_OF_NIGHT,
    Material.WINDOW_OF_STAIRS,
)
"""Materials of the static world that shine only while it is dark."""
FIRST_LAMP = int(Material.HEAD_LAMP)
LAMPS = len(VehicleLamp)
FIRST_SIGNAL = len(Material)
"""The first row of a scene's own materials: one for each lamp of each traffic light."""


@dataclass(frozen=True, slots=True, eq=False)
class MaterialTable:
    """Materials as arrays, one row each.

    Attributes:
        albedo: `(M, 3)` float32, linear. reflectivity: `(M,)` float32.
        emission: `(M, 3)` float32, linear. semantic: `(M,)` int64, `Semantic`.
    """

    albedo: NDArray[np.float32]
    reflectivity: NDArray[np.float32]
    emission: NDArray[np.float32]
    semantic: NDArray[np.int64]

    @classmethod
    def of(cls, materials: Iterable[MaterialProperties]) -> Self:
        """A table of some materials, in their order."""
        rows = tuple(materials)
        return cls(
            np.array([row.albedo for row in rows], np.float32).reshape(-1, 3),
            np.array([row.reflectivity for row in rows], np.float32),
            np.array([row.emission for row in rows], np.float32).reshape(-1, 3),
            np.array([row.semantic for row in rows], np.int64),
        )

    @classmethod
    def standard(cls, own: Iterable[MaterialProperties] = ()) -> Self:
        """The materials of every scene, then a scene's own from row `FIRST_SIGNAL` on."""
        return cls.of((*(stuff.properties for stuff in Material), *own))
