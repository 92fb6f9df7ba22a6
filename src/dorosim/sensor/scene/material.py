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


class Stuff(IntEnum):
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


FIRST_LAMP = int(Stuff.HEAD_LAMP)
LAMPS = len(VehicleLamp)
FIRST_SIGNAL = len(Stuff)
"""The first row of a scene's own materials: one for each lamp of each traffic light."""


@dataclass(frozen=True, slots=True)
class Material:
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
    def of(cls, materials: Iterable[Material]) -> Self:
        """A table of some materials, in their order."""
        rows = tuple(materials)
        return cls(
            np.array([row.albedo for row in rows], np.float32).reshape(-1, 3),
            np.array([row.reflectivity for row in rows], np.float32),
            np.array([row.emission for row in rows], np.float32).reshape(-1, 3),
            np.array([row.semantic for row in rows], np.int64),
        )

    @classmethod
    def standard(cls, own: Iterable[Material] = ()) -> Self:
        """The materials of every scene, then a scene's own from row `FIRST_SIGNAL` on."""
        return cls.of((*(STANDARD[stuff] for stuff in Stuff), *own))


_S = Semantic
STANDARD: dict[Stuff, Material] = {
    Stuff.PAINT: Material((0.5, 0.5, 0.5), 0.35, _S.VEHICLE),
    Stuff.SECOND_PAINT: Material((0.1, 0.1, 0.1), 0.3, _S.VEHICLE),
    Stuff.HEAD_LAMP: Material((0.75, 0.78, 0.8), 0.9, _S.VEHICLE, (4.0, 3.9, 3.4)),
    Stuff.TAIL_LAMP: Material((0.28, 0.01, 0.01), 0.8, _S.VEHICLE, (0.5, 0.006, 0.005)),
    Stuff.BRAKE_LAMP: Material((0.3, 0.01, 0.01), 0.8, _S.VEHICLE, (3.5, 0.03, 0.025)),
    Stuff.LEFT_LAMP: Material((0.5, 0.2, 0.01), 0.8, _S.VEHICLE, (3.5, 1.3, 0.05)),
    Stuff.RIGHT_LAMP: Material((0.5, 0.2, 0.01), 0.8, _S.VEHICLE, (3.5, 1.3, 0.05)),
    Stuff.REVERSE_LAMP: Material((0.7, 0.7, 0.7), 0.8, _S.VEHICLE, (2.5, 2.5, 2.5)),
    Stuff.RED_BEACON: Material((0.35, 0.01, 0.01), 0.6, _S.VEHICLE, (4.0, 0.05, 0.05)),
    Stuff.BLUE_BEACON: Material((0.01, 0.03, 0.4), 0.6, _S.VEHICLE, (0.05, 0.2, 4.0)),
    Stuff.ASPHALT: Material((0.055, 0.056, 0.06), 0.12, _S.ASPHALT),
    Stuff.CONCRETE: Material((0.32, 0.31, 0.29), 0.3, _S.ETC),
    Stuff.KERB: Material((0.36, 0.355, 0.34), 0.32, _S.SIDEWALK),
    Stuff.PAVEMENT: Material((0.27, 0.25, 0.23), 0.28, _S.SIDEWALK),
    Stuff.GRASS: Material((0.085, 0.15, 0.035), 0.45, _S.ETC),
    Stuff.WHITE_LINE: Material((0.72, 0.72, 0.7), 0.75, _S.WHITE_LANE),
    Stuff.YELLOW_LINE: Material((0.7, 0.42, 0.03), 0.65, _S.YELLOW_LANE),
    Stuff.BLUE_LINE: Material((0.03, 0.16, 0.55), 0.5, _S.BLUE_LANE),
    Stuff.STOP_LINE: Material((0.72, 0.72, 0.7), 0.75, _S.STOP_LINE),
    Stuff.CROSSWALK: Material((0.72, 0.72, 0.7), 0.75, _S.CROSSWALK),
    Stuff.ARROW: Material((0.7, 0.7, 0.68), 0.75, _S.WHITE_LANE),
    Stuff.POLE: Material((0.2, 0.21, 0.22), 0.35, _S.STANDING_OBJECT),
    Stuff.SIGNAL_HOUSING: Material((0.025, 0.026, 0.028), 0.1, _S.TRAFFIC_LIGHT),
    Stuff.SIGN_FACE: Material((0.75, 0.75, 0.75), 1.6, _S.ROAD_SIGN),
    Stuff.SIGN_BACK: Material((0.3, 0.31, 0.32), 0.4, _S.ROAD_SIGN),
    Stuff.BRICK: Material((0.3, 0.12, 0.08), 0.35, _S.BUILDING),
    Stuff.PLASTER: Material((0.62, 0.58, 0.5), 0.55, _S.BUILDING),
    Stuff.FACADE: Material((0.42, 0.43, 0.44), 0.45, _S.BUILDING),
    Stuff.WINDOW: Material((0.05, 0.075, 0.1), 0.1, _S.BUILDING),
    Stuff.ROOF: Material((0.2, 0.19, 0.185), 0.3, _S.BUILDING),
    Stuff.TRUNK: Material((0.11, 0.07, 0.045), 0.3, _S.STANDING_OBJECT),
    Stuff.LEAF: Material((0.045, 0.12, 0.025), 0.5, _S.STANDING_OBJECT),
    Stuff.LEAF_LIGHT: Material((0.085, 0.17, 0.03), 0.5, _S.STANDING_OBJECT),
    Stuff.HEDGE: Material((0.035, 0.09, 0.025), 0.5, _S.STANDING_OBJECT),
    Stuff.RUBBER: Material((0.018, 0.018, 0.019), 0.06, _S.VEHICLE),
    Stuff.RIM: Material((0.45, 0.46, 0.48), 0.5, _S.VEHICLE),
    Stuff.GLASS: Material((0.03, 0.04, 0.05), 0.08, _S.VEHICLE),
    Stuff.PLASTIC: Material((0.025, 0.025, 0.027), 0.1, _S.VEHICLE),
    Stuff.CHROME: Material((0.55, 0.56, 0.57), 0.6, _S.VEHICLE),
    Stuff.PLATE: Material((0.7, 0.7, 0.68), 1.4, _S.VEHICLE),
    Stuff.SKIN: Material((0.52, 0.3, 0.2), 0.5, _S.PEDESTRIAN),
    Stuff.HAIR: Material((0.03, 0.02, 0.015), 0.2, _S.PEDESTRIAN),
    Stuff.SHOE: Material((0.05, 0.045, 0.04), 0.15, _S.PEDESTRIAN),
    Stuff.CONE: Material((0.8, 0.15, 0.02), 0.6, _S.OBJECT_ON_ROAD),
    Stuff.REFLECTIVE_WHITE: Material((0.8, 0.8, 0.8), 1.6, _S.OBJECT_ON_ROAD),
    Stuff.BARRIER_RED: Material((0.55, 0.03, 0.02), 0.5, _S.OBJECT_ON_ROAD),
    Stuff.WOOD: Material((0.28, 0.17, 0.08), 0.45, _S.OBJECT_ON_ROAD),
    Stuff.STEEL: Material((0.35, 0.36, 0.38), 0.4, _S.OBJECT_ON_ROAD),
    Stuff.CARDBOARD: Material((0.4, 0.27, 0.14), 0.5, _S.OBJECT_ON_ROAD),
    Stuff.WATER: Material((0.03, 0.045, 0.06), 0.03, _S.OBJECT_ON_ROAD),
    Stuff.STONE: Material((0.26, 0.25, 0.24), 0.35, _S.OBJECT_ON_ROAD),
    Stuff.SIGN_RED: Material((0.6, 0.02, 0.02), 1.2, _S.ROAD_SIGN),
    Stuff.SIGN_BLUE: Material((0.01, 0.09, 0.42), 1.2, _S.ROAD_SIGN),
    Stuff.SIGN_YELLOW: Material((0.75, 0.42, 0.02), 1.4, _S.ROAD_SIGN),
    Stuff.TILE: Material((0.38, 0.12, 0.07), 0.35, _S.BUILDING),
    Stuff.FACADE_WARM: Material((0.55, 0.42, 0.28), 0.5, _S.BUILDING),
    Stuff.FACADE_DARK: Material((0.14, 0.16, 0.19), 0.25, _S.BUILDING),
    Stuff.SOIL: Material((0.16, 0.11, 0.07), 0.3, _S.ETC),
}
"""Albedos as of common measured tables, set by eye in pictures; reflectivities at 905 nm after
Muckenhuber et al., "Automotive lidar modelling approach based on material properties and lidar capabilities" (2020)."""
