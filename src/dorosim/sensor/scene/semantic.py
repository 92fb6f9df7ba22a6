"""Semantic classes and their colours: the one place to change them.

Names and colours are those of MORAI's semantic camera as a public data-set loader of 2021 lists them; intensities are
those of lidars in the manual of 22.R2, which is later (facts/udp-wire.md, section 7, "Class -> RGB").
"""

from __future__ import annotations

from enum import IntEnum
from typing import Self

import numpy as np
from numpy.typing import NDArray


class Semantic(IntEnum):
    """What a sensor sees; the value is a row of `COLOUR` and `INTENSITY`.

    The manual lists two more: its "Obstacle" (164) and "Road Edge" (178) are no classes here, as what stands on the
    road is OBJECT_ON_ROAD, and kerbs are SIDEWALK; its "Traffic Sign" is the class of signs.
    """

    rgb: tuple[int, int, int]
    intensity: int

    def __new__(cls, row: int, rgb: tuple[int, int, int], intensity: int | None = None) -> Self:
        """A member by its row, its colour and its intensity."""
        self = int.__new__(cls, row)
        self._value_, self.rgb = row, rgb
        self.intensity = (sum(rgb) + 1) // 3 if intensity is None else intensity
        return self

    SKY = 0, (0, 255, 255)
    ETC = 1, (85, 22, 42)
    ASPHALT = 2, (187, 187, 187), 127
    WHITE_LANE = 3, (255, 255, 255), 255
    YELLOW_LANE = 4, (255, 255, 0), 170
    BLUE_LANE = 5, (0, 218, 255), 144
    STOP_LINE = 6, (255, 0, 0), 85
    CROSSWALK = 7, (148, 255, 148), 136
    SIDEWALK = 8, (255, 170, 96), 129
    BUILDING = 9, (203, 255, 124), 153
    TRAFFIC_LIGHT = 10, (255, 147, 248), 190
    ROAD_SIGN = 11, (231, 187, 124), 132
    STANDING_OBJECT = 12, (178, 218, 106), 109
    OBJECT_ON_ROAD = 13, (246, 255, 22), 92
    VEHICLE = 14, (255, 22, 22), 86
    SEDAN = 15, (255, 60, 60), 125
    SUV = 16, (255, 75, 75), 135
    TRUCK = 17, (255, 90, 90), 145
    BUS = 18, (255, 105, 105), 155
    VAN = 19, (255, 120, 120), 165
    MOTORBIKE = 20, (180, 60, 60), 100
    MOTORBIKE_PERSON = 21, (180, 75, 75), 110
    SPORTBIKE = 22, (200, 80, 80), 120
    SPORTBIKE_PERSON = 23, (200, 95, 95), 130
    BICYCLE = 24, (160, 40, 40), 80
    BICYCLE_PERSON = 25, (160, 55, 55), 90
    SCOOTER = 26, (140, 20, 20), 60
    SCOOTER_PERSON = 27, (140, 35, 35), 70
    STROLLER = 28, (120, 0, 0), 40
    STROLLER_PERSON = 29, (120, 15, 15), 50
    PEDESTRIAN = 30, (167, 22, 255), 118


COLOUR: NDArray[np.uint8] = np.array([kind.rgb for kind in Semantic], np.uint8)
"""`(classes, 3)` red, green, blue of each class."""
INTENSITY: NDArray[np.uint8] = np.array([kind.intensity for kind in Semantic], np.uint8)
"""`(classes,)` intensity of each class in a lidar of semantic intensity; (R + G + B) / 3 where the manual has none."""
COLOUR.flags.writeable = INTENSITY.flags.writeable = False
