"""Semantic classes and their colours: the one place to change them.

Names and colours are those of MORAI's semantic camera as a public data-set loader of 2021 lists them; intensities are
those of lidars in the manual of 22.R2, which is later (facts/udp-wire.md, section 7, "Class -> RGB").
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray


class Semantic(IntEnum):
    """What a sensor sees; the value is a row of `COLOUR`."""

    SKY = 0
    ETC = 1
    ASPHALT = 2
    WHITE_LANE = 3
    YELLOW_LANE = 4
    BLUE_LANE = 5
    STOP_LINE = 6
    CROSSWALK = 7
    SIDEWALK = 8
    BUILDING = 9
    TRAFFIC_LIGHT = 10
    ROAD_SIGN = 11
    STANDING_OBJECT = 12
    OBJECT_ON_ROAD = 13
    VEHICLE = 14
    SEDAN = 15
    SUV = 16
    TRUCK = 17
    BUS = 18
    VAN = 19
    MOTORBIKE = 20
    MOTORBIKE_PERSON = 21
    SPORTBIKE = 22
    SPORTBIKE_PERSON = 23
    BICYCLE = 24
    BICYCLE_PERSON = 25
    SCOOTER = 26
    SCOOTER_PERSON = 27
    STROLLER = 28
    STROLLER_PERSON = 29
    PEDESTRIAN = 30


_RGB: dict[Semantic, tuple[int, int, int]] = {
    Semantic.SKY: (0, 255, 255),
    Semantic.ETC: (85, 22, 42),
    Semantic.ASPHALT: (187, 187, 187),
    Semantic.WHITE_LANE: (255, 255, 255),
    Semantic.YELLOW_LANE: (255, 255, 0),
    Semantic.BLUE_LANE: (0, 218, 255),
    Semantic.STOP_LINE: (255, 0, 0),
    Semantic.CROSSWALK: (148, 255, 148),
    Semantic.SIDEWALK: (255, 170, 96),
    Semantic.BUILDING: (203, 255, 124),
    Semantic.TRAFFIC_LIGHT: (255, 147, 248),
    Semantic.ROAD_SIGN: (231, 187, 124),
    Semantic.STANDING_OBJECT: (178, 218, 106),
    Semantic.OBJECT_ON_ROAD: (246, 255, 22),
    Semantic.VEHICLE: (255, 22, 22),
    Semantic.SEDAN: (255, 60, 60),
    Semantic.SUV: (255, 75, 75),
    Semantic.TRUCK: (255, 90, 90),
    Semantic.BUS: (255, 105, 105),
    Semantic.VAN: (255, 120, 120),
    Semantic.MOTORBIKE: (180, 60, 60),
    Semantic.MOTORBIKE_PERSON: (180, 75, 75),
    Semantic.SPORTBIKE: (200, 80, 80),
    Semantic.SPORTBIKE_PERSON: (200, 95, 95),
    Semantic.BICYCLE: (160, 40, 40),
    Semantic.BICYCLE_PERSON: (160, 55, 55),
    Semantic.SCOOTER: (140, 20, 20),
    Semantic.SCOOTER_PERSON: (140, 35, 35),
    Semantic.STROLLER: (120, 0, 0),
    Semantic.STROLLER_PERSON: (120, 15, 15),
    Semantic.PEDESTRIAN: (167, 22, 255),
}

_INTENSITY: dict[Semantic, int] = {
    Semantic.ASPHALT: 127,
    Semantic.WHITE_LANE: 255,
    Semantic.YELLOW_LANE: 170,
    Semantic.BLUE_LANE: 144,
    Semantic.STOP_LINE: 85,
    Semantic.CROSSWALK: 136,
    Semantic.SIDEWALK: 129,
    Semantic.BUILDING: 153,
    Semantic.TRAFFIC_LIGHT: 190,
    Semantic.ROAD_SIGN: 132,
    Semantic.STANDING_OBJECT: 109,
    Semantic.OBJECT_ON_ROAD: 92,
    Semantic.VEHICLE: 86,
    Semantic.SEDAN: 125,
    Semantic.SUV: 135,
    Semantic.TRUCK: 145,
    Semantic.BUS: 155,
    Semantic.VAN: 165,
    Semantic.MOTORBIKE: 100,
    Semantic.MOTORBIKE_PERSON: 110,
    Semantic.SPORTBIKE: 120,
    Semantic.SPORTBIKE_PERSON: 130,
    Semantic.BICYCLE: 80,
    Semantic.BICYCLE_PERSON: 90,
    Semantic.SCOOTER: 60,
    Semantic.SCOOTER_PERSON: 70,
    Semantic.STROLLER: 40,
    Semantic.STROLLER_PERSON: 50,
    Semantic.PEDESTRIAN: 118,
}
"""Of the manual's list, in which "Traffic Sign" is the class of signs. Its "Obstacle" (164) and "Road Edge" (178) are
no classes here: what stands on the road is OBJECT_ON_ROAD, and kerbs are SIDEWALK."""

COLOUR: NDArray[np.uint8] = np.array([_RGB[kind] for kind in Semantic], np.uint8)
"""`(classes, 3)` red, green, blue of each class."""
INTENSITY: NDArray[np.uint8] = np.array(
    [_INTENSITY.get(kind, (sum(_RGB[kind]) + 1) // 3) for kind in Semantic], np.uint8
)
"""`(classes,)` intensity of each class in a lidar of semantic intensity; (R + G + B) / 3 where the manual has none."""
COLOUR.flags.writeable = INTENSITY.flags.writeable = False
