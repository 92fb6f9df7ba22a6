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


class Material(IntEnum):
    """The materials of every scene; the value is a row of the material table."""

    PAINT = 0
    SECOND_PAINT = 1
    HEAD_LAMP = 2
    TAIL_LAMP = 3
    BRAKE_LAMP = 4
    LEFT_LAMP = 5
    RIGHT_LAMP = 6
    REVERSE_LAMP = 7
    RED_BEACON = 8
    BLUE_BEACON = 9
    ASPHALT = 10
    CONCRETE = 11
    KERB = 12
    PAVEMENT = 13
    GRASS = 14
    WHITE_LINE = 15
    YELLOW_LINE = 16
    BLUE_LINE = 17
    STOP_LINE = 18
    CROSSWALK = 19
    ARROW = 20
    POLE = 21
    SIGNAL_HOUSING = 22
    SIGN_FACE = 23
    SIGN_BACK = 24
    BRICK = 25
    PLASTER = 26
    FACADE = 27
    WINDOW = 28
    ROOF = 29
    TRUNK = 30
    LEAF = 31
    LEAF_LIGHT = 32
    HEDGE = 33
    RUBBER = 34
    RIM = 35
    GLASS = 36
    PLASTIC = 37
    CHROME = 38
    PLATE = 39
    SKIN = 40
    HAIR = 41
    SHOE = 42
    CONE = 43
    REFLECTIVE_WHITE = 44
    BARRIER_RED = 45
    WOOD = 46
    STEEL = 47
    CARDBOARD = 48
    WATER = 49
    STONE = 50
    SIGN_RED = 51
    SIGN_BLUE = 52
    SIGN_YELLOW = 53
    TILE = 54
    FACADE_WARM = 55
    FACADE_DARK = 56
    SOIL = 57


FIRST_LAMP = int(Material.HEAD_LAMP)
LAMPS = len(VehicleLamp)
FIRST_SIGNAL = len(Material)
"""The first row of a scene's own materials: one for each lamp of each traffic light."""


@dataclass(frozen=True, slots=True)
class MaterialProperties:
    """One material.

    Attributes:
        albedo: linear red, green, blue, 0 to 1.
        reflectivity: diffuse, of a lidar's near infrared (905 nm), 0 to 1; above 1 for what throws light back.
        semantic: its class where the instance gives none.
        emission: light that it sends out by itself, linear red, green, blue; lamps: if lit.
    """

    albedo: tuple[float, float, float]
    reflectivity: float
    semantic: Semantic = Semantic.ETC
    emission: tuple[float, float, float] = (0.0, 0.0, 0.0)


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
        return cls.of((*(STANDARD[stuff] for stuff in Material), *own))


_S = Semantic
STANDARD: dict[Material, MaterialProperties] = {
    Material.PAINT: MaterialProperties((0.5, 0.5, 0.5), 0.35, _S.VEHICLE),
    Material.SECOND_PAINT: MaterialProperties((0.1, 0.1, 0.1), 0.3, _S.VEHICLE),
    Material.HEAD_LAMP: MaterialProperties((0.75, 0.78, 0.8), 0.9, _S.VEHICLE, (4.0, 3.9, 3.4)),
    Material.TAIL_LAMP: MaterialProperties((0.28, 0.01, 0.01), 0.8, _S.VEHICLE, (0.5, 0.006, 0.005)),
    Material.BRAKE_LAMP: MaterialProperties((0.3, 0.01, 0.01), 0.8, _S.VEHICLE, (3.5, 0.03, 0.025)),
    Material.LEFT_LAMP: MaterialProperties((0.5, 0.2, 0.01), 0.8, _S.VEHICLE, (3.5, 1.3, 0.05)),
    Material.RIGHT_LAMP: MaterialProperties((0.5, 0.2, 0.01), 0.8, _S.VEHICLE, (3.5, 1.3, 0.05)),
    Material.REVERSE_LAMP: MaterialProperties((0.7, 0.7, 0.7), 0.8, _S.VEHICLE, (2.5, 2.5, 2.5)),
    Material.RED_BEACON: MaterialProperties((0.35, 0.01, 0.01), 0.6, _S.VEHICLE, (4.0, 0.05, 0.05)),
    Material.BLUE_BEACON: MaterialProperties((0.01, 0.03, 0.4), 0.6, _S.VEHICLE, (0.05, 0.2, 4.0)),
    Material.ASPHALT: MaterialProperties((0.055, 0.056, 0.06), 0.12, _S.ASPHALT),
    Material.CONCRETE: MaterialProperties((0.32, 0.31, 0.29), 0.3, _S.ETC),
    Material.KERB: MaterialProperties((0.36, 0.355, 0.34), 0.32, _S.SIDEWALK),
    Material.PAVEMENT: MaterialProperties((0.27, 0.25, 0.23), 0.28, _S.SIDEWALK),
    Material.GRASS: MaterialProperties((0.085, 0.15, 0.035), 0.45, _S.ETC),
    Material.WHITE_LINE: MaterialProperties((0.72, 0.72, 0.7), 0.75, _S.WHITE_LANE),
    Material.YELLOW_LINE: MaterialProperties((0.7, 0.42, 0.03), 0.65, _S.YELLOW_LANE),
    Material.BLUE_LINE: MaterialProperties((0.03, 0.16, 0.55), 0.5, _S.BLUE_LANE),
    Material.STOP_LINE: MaterialProperties((0.72, 0.72, 0.7), 0.75, _S.STOP_LINE),
    Material.CROSSWALK: MaterialProperties((0.72, 0.72, 0.7), 0.75, _S.CROSSWALK),
    Material.ARROW: MaterialProperties((0.7, 0.7, 0.68), 0.75, _S.WHITE_LANE),
    Material.POLE: MaterialProperties((0.2, 0.21, 0.22), 0.35, _S.STANDING_OBJECT),
    Material.SIGNAL_HOUSING: MaterialProperties((0.025, 0.026, 0.028), 0.1, _S.TRAFFIC_LIGHT),
    Material.SIGN_FACE: MaterialProperties((0.75, 0.75, 0.75), 1.6, _S.ROAD_SIGN),
    Material.SIGN_BACK: MaterialProperties((0.3, 0.31, 0.32), 0.4, _S.ROAD_SIGN),
    Material.BRICK: MaterialProperties((0.3, 0.12, 0.08), 0.35, _S.BUILDING),
    Material.PLASTER: MaterialProperties((0.62, 0.58, 0.5), 0.55, _S.BUILDING),
    Material.FACADE: MaterialProperties((0.42, 0.43, 0.44), 0.45, _S.BUILDING),
    Material.WINDOW: MaterialProperties((0.05, 0.075, 0.1), 0.1, _S.BUILDING),
    Material.ROOF: MaterialProperties((0.2, 0.19, 0.185), 0.3, _S.BUILDING),
    Material.TRUNK: MaterialProperties((0.11, 0.07, 0.045), 0.3, _S.STANDING_OBJECT),
    Material.LEAF: MaterialProperties((0.045, 0.12, 0.025), 0.5, _S.STANDING_OBJECT),
    Material.LEAF_LIGHT: MaterialProperties((0.085, 0.17, 0.03), 0.5, _S.STANDING_OBJECT),
    Material.HEDGE: MaterialProperties((0.035, 0.09, 0.025), 0.5, _S.STANDING_OBJECT),
    Material.RUBBER: MaterialProperties((0.018, 0.018, 0.019), 0.06, _S.VEHICLE),
    Material.RIM: MaterialProperties((0.45, 0.46, 0.48), 0.5, _S.VEHICLE),
    Material.GLASS: MaterialProperties((0.03, 0.04, 0.05), 0.08, _S.VEHICLE),
    Material.PLASTIC: MaterialProperties((0.025, 0.025, 0.027), 0.1, _S.VEHICLE),
    Material.CHROME: MaterialProperties((0.55, 0.56, 0.57), 0.6, _S.VEHICLE),
    Material.PLATE: MaterialProperties((0.7, 0.7, 0.68), 1.4, _S.VEHICLE),
    Material.SKIN: MaterialProperties((0.52, 0.3, 0.2), 0.5, _S.PEDESTRIAN),
    Material.HAIR: MaterialProperties((0.03, 0.02, 0.015), 0.2, _S.PEDESTRIAN),
    Material.SHOE: MaterialProperties((0.05, 0.045, 0.04), 0.15, _S.PEDESTRIAN),
    Material.CONE: MaterialProperties((0.8, 0.15, 0.02), 0.6, _S.OBJECT_ON_ROAD),
    Material.REFLECTIVE_WHITE: MaterialProperties((0.8, 0.8, 0.8), 1.6, _S.OBJECT_ON_ROAD),
    Material.BARRIER_RED: MaterialProperties((0.55, 0.03, 0.02), 0.5, _S.OBJECT_ON_ROAD),
    Material.WOOD: MaterialProperties((0.28, 0.17, 0.08), 0.45, _S.OBJECT_ON_ROAD),
    Material.STEEL: MaterialProperties((0.35, 0.36, 0.38), 0.4, _S.OBJECT_ON_ROAD),
    Material.CARDBOARD: MaterialProperties((0.4, 0.27, 0.14), 0.5, _S.OBJECT_ON_ROAD),
    Material.WATER: MaterialProperties((0.03, 0.045, 0.06), 0.03, _S.OBJECT_ON_ROAD),
    Material.STONE: MaterialProperties((0.26, 0.25, 0.24), 0.35, _S.OBJECT_ON_ROAD),
    Material.SIGN_RED: MaterialProperties((0.6, 0.02, 0.02), 1.2, _S.ROAD_SIGN),
    Material.SIGN_BLUE: MaterialProperties((0.01, 0.09, 0.42), 1.2, _S.ROAD_SIGN),
    Material.SIGN_YELLOW: MaterialProperties((0.75, 0.42, 0.02), 1.4, _S.ROAD_SIGN),
    Material.TILE: MaterialProperties((0.38, 0.12, 0.07), 0.35, _S.BUILDING),
    Material.FACADE_WARM: MaterialProperties((0.55, 0.42, 0.28), 0.5, _S.BUILDING),
    Material.FACADE_DARK: MaterialProperties((0.14, 0.16, 0.19), 0.25, _S.BUILDING),
    Material.SOIL: MaterialProperties((0.16, 0.11, 0.07), 0.3, _S.ETC),
}
"""Albedos as of common measured tables, set by eye in pictures; reflectivities at 905 nm after
Muckenhuber et al., "Automotive lidar modelling approach based on material properties and lidar capabilities" (2020)."""
