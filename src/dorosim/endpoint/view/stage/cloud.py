"""The points of a lidar's last turn, slice by slice as they are read."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.bridge.view.carried import CarriedPoints
from dorosim.bridge.view.sensor import MAX_SHOWN_POINTS
from dorosim.ground.column import FloatArray
from dorosim.sensor.lidar.planar import PlanarReading
from dorosim.sensor.lidar.reading import LidarReading
from dorosim.sensor.reading import Reading

NOBODY = CarriedPoints(np.zeros(0, np.int64), np.zeros((0, 3)))
"""No points on actors."""


class Slice(NamedTuple):
    """Points of a lidar that were read up to a time [ns]: those that stand, in the page's frame [m], and on actors."""

    time: int
    points: FloatArray
    colours: NDArray[np.uint8]
    carried: CarriedPoints
    carried_colours: NDArray[np.uint8]


class Cloud:
    """The points of a lidar's last turn.

    Args:
        period: of a turn [ns].
    """

    def __init__(self, period: int) -> None:
        self._period = period
        self._slices: deque[Slice] = deque()

    @property
    def count(self) -> int:
        """How many points there are."""
        return sum(len(one.colours) + len(one.carried_colours) for one in self._slices)

    def share(self, reading: Reading, period: int) -> float:
        """Which part of a reading's returns is taken, so that a turn has at most `MAX_SHOWN_POINTS` points."""
        if isinstance(reading, LidarReading):
            setting = reading.setting
            turn = reading.distance[:1].size / setting.kind.packet_time(setting.returns) * period
            return min(1.0, MAX_SHOWN_POINTS / max(turn, 1.0))
        assert isinstance(reading, PlanarReading)
        return 1.0

    def add(self, read: Slice) -> None:
        """Add points, and drop those older than a turn."""
        self._slices.append(read)
        while self._slices and (self._slices[0].time <= read.time - self._period or self._slices[0].time > read.time):
            self._slices.popleft()

    def still(self) -> tuple[FloatArray, NDArray[np.uint8]]:
        """Points and colours of what stands."""
        slices = self._slices
        return np.concatenate([one.points for one in slices]), np.concatenate([one.colours for one in slices])

    def carried(self) -> tuple[CarriedPoints, NDArray[np.uint8]]:
        """Points on actors, and their colours."""
        slices = self._slices
        actor, point = ([one.carried[part] for one in slices] for part in (0, 1))
        return CarriedPoints(np.concatenate(actor), np.concatenate(point)), np.concatenate(
            [one.carried_colours for one in slices]
        )
